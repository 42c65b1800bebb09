"""Units: exact factors, what may be added to what, and near names for slips of the pen."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe.errors import UnitError
from capframe.units import ANYTHING, CALENDAR, ONE, Unit, UnitDefinition, Units

UNITS = Units(
    [
        UnitDefinition("card", many="cards"),
        UnitDefinition("server"),
        UnitDefinition("token", figure="big"),
        UnitDefinition("parameter"),
        UnitDefinition("FLOP", prefixes=True, counted=False, figure="scientific"),
        UnitDefinition("CNY", counted=False),
        UnitDefinition("USD", counted=False),
    ]
)
SYMBOLS = ("W", "kW", "s", "h", "d", "y", "bit", "B", "GB", "GiB", "Wh", "%", "card", "server", "token", "CNY", "PFLOP")

# How many of the second unit are in one of the first. Worked out by hand:
# 1 B = 8 bit; 1 KiB = 1,024 B; a year is 365 days of 24 hours, a month 730 hours (a twelfth of 8,760).
FACTORS = [
    ("kW", "W", 1000),
    ("MW", "kW", 1000),
    ("GB", "B", 10**9),
    ("GiB", "B", 2**30),
    ("TiB", "GiB", 1024),
    ("KiB", "B", 1024),
    ("PiB", "B", 2**50),
    ("B", "bit", 8),
    ("Gbit", "GB", Fraction(1, 8)),
    ("Gb/s", "GB/s", Fraction(1, 8)),
    ("Gbit/s", "Gb/s", 1),
    ("GB/s", "GB/h", 3600),
    ("MB/s", "GiB/h", Fraction(10**6 * 3600, 2**30)),
    ("kWh", "W·s", 3_600_000),
    ("MWh", "kW·h", 1000),
    ("MJ", "Wh", Fraction(10**6, 3600)),
    ("kW·h", "kWh", 1),
    ("min", "s", 60),
    ("h", "min", 60),
    ("d", "h", 24),
    ("y", "d", 365),
    ("y", "h", 8760),
    ("y", "month", 12),
    ("month", "h", 730),
    ("hours", "h", 1),
    ("days", "d", 1),
    ("years", "y", 1),
    ("%", "1", Fraction(1, 100)),
    ("%/y", "1/y", Fraction(1, 100)),
    ("PFLOP", "TFLOP", 1000),
    ("EFLOP/s", "TFLOP/s", 10**6),
    ("ZFLOP", "FLOP", 10**21),
    ("TFLOP/s/card", "FLOP/s/card", 10**12),
    ("CNY/kWh", "CNY/MWh", 1000),
    ("card*h", "card·h", 1),
    ("FLOP/parameter/token", "FLOP/token/parameter", 1),
]


@pytest.mark.parametrize(("one", "other", "factor"), FACTORS)
def test_factors_are_exact(one, other, factor):
    have, want = UNITS(one), UNITS(other)
    assert have.dims == want.dims
    assert have.factor / want.factor == factor


DIFFERENT = [
    ("card", "server", "a price per card is not one per server"),
    ("CNY/card", "CNY/server", "nor is its money"),
    ("CNY", "USD", "each currency is a dimension of its own"),
    ("W", "Wh", "power is not energy"),
    ("kWh", "kW", "nor is energy power"),
    ("FLOP", "FLOP/s", "work is not speed"),
    ("GB", "GB/s", "data is not bandwidth"),
    ("GB", "GB/card", "in all is not for each card"),
    ("token", "parameter", "things of different kinds do not mix"),
    ("%", "%/y", "a share is not a rate"),
]


@pytest.mark.parametrize(("one", "other", "why"), DIFFERENT)
def test_what_must_not_be_mixed_has_different_dimensions(one, other, why):
    assert UNITS(one).dims != UNITS(other).dims, why


NEAR = [
    ("kw", "unknown unit 'kw'; did you mean 'kW'?"),
    ("KW", "unknown unit 'KW'; did you mean 'kW'?"),
    ("mW", "unknown unit 'mW'; did you mean 'MW'?"),  # no milliwatts: nothing in a data centre is that small
    ("crad", "unknown unit 'crad'; did you mean 'card'?"),
    ("gb/s", "unknown unit 'gb'; did you mean"),
    ("CNY/sever", "unknown unit 'sever'; did you mean 'server'?"),
    ("cny", "unknown unit 'cny'; did you mean 'CNY'?"),
    ("furlong", "unknown unit 'furlong'"),
    ("", "unit '' is not complete"),
    ("CNY/", "unit 'CNY/' is not complete"),
    ("card·", "unit 'card·' is not complete"),
    ("CNY//card", "unit 'CNY//card' is not complete"),
    ("card··h", "unit 'card··h' is not complete"),
    ("/card", "unit '/card' is not complete"),
]


@pytest.mark.parametrize(("text", "message"), NEAR)
def test_an_unknown_or_incomplete_unit_is_refused_with_a_near_name(text, message):
    with pytest.raises(UnitError) as caught:
        UNITS(text)
    assert str(caught.value).startswith(message)


def test_a_unit_that_exists_is_never_corrected():
    """Mb is a megabit and MB a megabyte, Gb/s an eighth of GB/s: both are right, so capitals are never guessed."""
    assert UNITS("Mb").factor * 8 == UNITS("MB").factor


def test_units_multiply_and_divide_with_their_texts():
    per_card = UNITS("CNY") / UNITS("card")
    assert (per_card.text, per_card.dims) == ("CNY/card", (("CNY", 1), ("card", -1)))
    assert (per_card * UNITS("card")) == UNITS("CNY")
    hours = UNITS("kWh") / (UNITS("kW") * UNITS("h"))
    assert (hours.text, hours.dims, hours.factor) == ("kWh/(kW·h)", (), 1)
    assert (UNITS("W") * ONE).text == "W"


def test_the_text_of_a_unit_does_not_make_it_another():
    assert UNITS("Gb/s") == UNITS("Gbit/s")
    assert hash(UNITS("Gb/s")) == hash(UNITS("Gbit/s"))
    assert UNITS("%") != ONE


def test_the_base_of_a_unit_has_factor_one():
    assert UNITS("GB").base() == UNITS("bit")
    assert UNITS("%").base() == ONE
    assert UNITS("card/server").base().text == "card/server"


def test_only_squares_have_a_root():
    assert (UNITS("s") * UNITS("s")).root() == UNITS("s")
    assert (UNITS("h") * UNITS("h")).root() == UNITS("s")  # of the base: 3,600² s² are settled before
    with pytest.raises(UnitError, match="the square root of kW has no unit"):
        UNITS("kW").root()


def test_what_is_counted():
    """Whole things cannot be negative, and a bare number can mean only one thing for them."""
    assert [UNITS.is_counted(UNITS(text)) for text in ("card", "server", "token")] == [True, True, True]
    assert not any(UNITS.is_counted(UNITS(text)) for text in ("1", "W", "CNY", "FLOP", "card/server", "card·h", "%"))
    assert all(UNITS.is_plain(UNITS(text)) for text in ("1", "card", "card/server", "1/card", "token"))
    assert not any(UNITS.is_plain(UNITS(text)) for text in ("%", "W", "GB", "CNY", "FLOP/parameter/token", "h"))


def test_a_unit_declared_twice_is_refused():
    with pytest.raises(UnitError, match="unit 'rack' is declared twice"):
        Units([UnitDefinition("rack"), UnitDefinition("rack")])
    for symbol in ("kW", "Wh", "day"):
        with pytest.raises(UnitError, match=f"unit '{symbol}' is declared twice"):
            Units([UnitDefinition(symbol)])


@pytest.mark.parametrize("symbol", ["a b/c", "a b", "kg/m", "m^2", "m·s", "(m)", "", "1", "3d", "-x", "_x"])
def test_a_unit_is_one_word(symbol):
    with pytest.raises(ValueError, match="a unit is one word, a letter first, without spaces"):
        UnitDefinition(symbol)


@pytest.mark.parametrize("many", ["per/day", "3 racks", "racks "])
def test_what_amounts_are_called_can_be_typed(many):
    with pytest.raises(ValueError, match="what amounts of a unit are called can be typed behind a figure"):
        UnitDefinition("rack", many={"en": many, "zh": "架"})


def test_a_unit_may_be_called_by_several_words_and_in_any_script():
    units = Units([UnitDefinition("bar", many="bus bars"), UnitDefinition("架"), UnitDefinition("µm", counted=False)])
    assert units("bus bars") == units("bar")
    assert units("µm/架").text == "µm/架"


def test_a_declared_unit_may_equal_another():
    units = Units([UnitDefinition("sheet", equals="W"), UnitDefinition("ream", equals="sheet")])
    assert units("ream") == units("W")
    assert not units.is_counted(units("sheet"))


def test_figures_and_words_of_units_come_from_their_definitions():
    assert (UNITS.figures["token"], UNITS.figures["FLOP"], UNITS.words["card"]) == ("big", "scientific", "cards")


def test_the_calendar_that_is_printed_is_the_one_that_is_used():
    assert CALENDAR == {"year": "365 d", "month": "730 h", "day": "86,400 s"}
    assert (UNITS("y").factor, UNITS("month").factor, UNITS("d").factor) == (365 * 86_400, 730 * 3600, 86_400)


@pytest.mark.parametrize(("periods", "hours"), [("month", 730), ("y", 8760)])
def test_100_dollars_an_hour_for_a_month_and_a_year(periods, hours):
    """100 $/h: 73,000 a month, 876,000 a year, and twelve months are a year (720 h would give 864,000)."""
    assert 100 * UNITS(periods).factor / UNITS("h").factor == 100 * hours
    assert 12 * UNITS("month").factor == UNITS("y").factor


compound = st.lists(st.tuples(st.sampled_from("·/"), st.sampled_from(SYMBOLS)), max_size=4)


@given(st.sampled_from(SYMBOLS), compound)
def test_reading_a_unit_is_multiplying_its_parts(first, rest):
    unit = UNITS(first)
    for mark, symbol in rest:
        unit = unit * UNITS(symbol) if mark == "·" else unit / UNITS(symbol)
    assert UNITS(first + "".join(mark + symbol for mark, symbol in rest)) == unit


@given(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS))
def test_dividing_undoes_multiplying(one, other):
    assert UNITS(one) * UNITS(other) / UNITS(other) == UNITS(one)
    assert (UNITS(one) / UNITS(one)) == ONE
    assert UNITS(one) * UNITS(other) == UNITS(other) * UNITS(one)


def test_not_available_is_a_unit_apart():
    assert ANYTHING != ONE
    assert Unit("anything") == ONE  # the dimension makes it, not the text


WORDED = Units(
    [
        UnitDefinition("card", many={"en": "cards", "zh": "卡"}),
        UnitDefinition("port", many={"en": "ports", "zh": "个端口"}, one={"zh": "端口"}),
        UnitDefinition("CNY", counted=False, many={"en": "CNY", "zh": "元"}),
    ]
)


@pytest.mark.parametrize(
    ("unit", "en", "zh"),
    [
        ("port", "ports", "个端口"),
        ("Gbit/s/port", "Gbit/s/port", "Gbit/s/端口"),  # behind a stroke there is one, without its measure word
        ("port/card", "port/card", "个端口/卡"),
        ("CNY/card", "CNY/card", "元/卡"),
        ("CNY/y", "CNY/y", "元/年"),
        ("card·h", "card·h", "卡·小时"),
        ("CNY/(card·h)", "CNY/(card·h)", "元/(卡·小时)"),
        ("GB/s", "GB/s", "GB/s"),  # rates stay symbols, a time is worded
        ("s", "s", "秒"),
        ("B", "B", "字节"),
        ("1", "", ""),
    ],
)
def test_units_in_words(unit, en, zh):
    made = WORDED(unit) if "(" not in unit else WORDED("CNY") / WORDED("card·h")
    assert (WORDED.in_words(made, "en"), WORDED.in_words(made, "zh-CN")) == (en, zh)


@pytest.mark.parametrize(("typed", "unit"), [
    ("天", "d"), ("小时", "h"), ("年", "y"), ("度", "kWh"), ("千瓦", "kW"), ("兆瓦", "MW"), ("瓦", "W"),
    ("千瓦时", "kWh"),
])  # fmt: skip
def test_units_of_the_calendar_and_of_power_may_be_typed_in_chinese(typed, unit):
    assert UNITS(typed) == UNITS(unit)
