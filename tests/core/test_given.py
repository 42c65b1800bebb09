"""Quantities as people type them: what a text means in the unit of its field, and what is refused with a hint."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capframe.expr import number
from capframe.fields import ChoiceField, QuantityField, TextField
from capframe.given import Given, Origin, QuantityError, read_number
from capframe.units import UnitDefinition, Units

UNITS = Units(
    [
        UnitDefinition("card"),
        UnitDefinition("server"),
        UnitDefinition("token"),
        UnitDefinition("parameter"),
        UnitDefinition("FLOP", prefixes=True, counted=False),
        UnitDefinition("CNY", counted=False),
        UnitDefinition("USD", counted=False),
    ]
)


class Run:
    """What a field needs to know of a run."""

    units = UNITS
    currency = "CNY"

    part = None  # no field here picks a part


MEANT = [
    # Every spelling of 10¹² that YAML 1.1 makes a text of, and some that it does not.
    ("1e12", "token", 1e12),
    ("1E12", "token", 1e12),
    ("1.0e12", "token", 1e12),
    ("1.0e+12", "token", 1e12),
    ("1_000_000_000_000", "token", 1e12),
    ("1,000,000,000,000", "token", 1e12),
    ("1.5e13", "token", 1.5e13),
    # Thousands, millions, billions, trillions of things; 万 is 10⁴, 亿 10⁸, 万亿 10¹².
    ("1.4T", "token", 1.4e12),
    ("70B", "parameter", 70e9),
    ("70 B", "parameter", 70e9),
    ("2.5M", "token", 2.5e6),
    ("5K", "token", 5000),
    ("5k", "token", 5000),
    ("1.5万亿", "token", 1.5e12),
    ("1.5 万亿 token", "token", 1.5e12),
    ("700亿", "parameter", 70e9),
    ("3亿 CNY", "CNY", 3e8),
    ("1万 card·h", "card·h", 1e4),
    # A leading zero is no octal number: 010 is ten, and behaves as 08 does.
    ("010", "1", 10),
    ("08", "1", 8),
    ("010", "card", 10),
    # Bits and bytes: 400 Gb/s is 50 GB/s, a byte has eight bits.
    ("400Gb/s", "GB/s", 50),
    ("400 Gbit/s", "GB/s", 50),
    ("400GB/s", "GB/s", 400),
    ("80GB", "B", 8e10),
    ("80GiB", "B", 85_899_345_920),  # 80 · 2³⁰
    ("70B", "GB", 7e-8),  # bytes where bytes are asked for: its field's lower bound refuses it
    # Scales of one dimension.
    ("1.2MW", "W", 1.2e6),
    ("0.65 CNY/kWh", "CNY/MWh", 650),
    ("60 d", "h", 1440),
    ("3 month", "d", 91.25),  # 3 · 730 h / 24 h
    ("50 EFLOP/s", "PFLOP/s", 50_000),
    # Percentages are shares.
    ("40%", "1", 0.4),
    ("5%", "1", 0.05),
    ("130%", "1", 1.3),
    ("0.4", "1", 0.4),
    ("2 %/y", "%/y", 2),
    ("2%/y", "%/y", 2),
    ("0.02 1/y", "%/y", 2),
    # Thousands separators.
    ("1,250,000 CNY", "CNY", 1_250_000),
    ("1,250,000", "card", 1_250_000),
    ("1,250.5", "1", 1250.5),
    # Signs and bare fractions.
    ("-5 CNY", "CNY", -5),
    ("+5 CNY", "CNY", 5),
    (".5", "1", 0.5),
    ("-0", "1", 0),
    ("0e999999999", "1", 0),
    (" 12 card ", "card", 12),
]


@pytest.mark.parametrize(("text", "unit", "value"), MEANT)
def test_what_a_text_means(text, unit, value):
    assert read_number(text, UNITS(unit), UNITS) == value


WHAT = "does not say what it counts (bits or bytes, per second or in all)"
REFUSED = [
    # Neither bits nor bytes, neither in all nor each second.
    ("400G", "GB/s", f"'400G' {WHAT}; write for example `400 GB/s`"),
    ("1000P", "FLOP/s", f"'1000P' {WHAT}; write for example `1000 FLOP/s`"),
    ("3T", "TB", "'3T' does not say what it counts"),
    ("80M", "CNY", "'80M' does not say what it counts"),
    # A number without a unit where it could mean several things.
    ("400", "GB/s", "'400' has no unit; write for example `400 GB/s`"),
    ("1,250,000", "CNY", "'1,250,000' has no unit; write for example `1,250,000 CNY`"),
    ("3亿", "CNY", "'3亿' has no unit; write for example `3亿 CNY`"),
    ("3 亿", "CNY", "'3 亿' has no unit; write for example `3 亿 CNY`"),
    ("60", "d", "'60' has no unit; write for example `60 d`"),
    ("0.65", "CNY/kWh", "'0.65' has no unit; write for example `0.65 CNY/kWh`"),
    ("6", "FLOP/parameter/token", "'6' has no unit; write for example `6 FLOP/parameter/token`"),
    # Another dimension.
    ("70GB", "parameter", "'70GB' is in GB, which is not parameter"),
    ("80 GB", "GB/card", "'80 GB' is in GB, which is not GB/card; write for example `80 GB/card`"),
    ("75000 USD", "CNY", "'75000 USD' is in USD, which is not CNY; give it in CNY"),
    ("75000 CNY/server", "CNY/card", "'75000 CNY/server' is in CNY/server, which is not CNY/card"),
    ("2%", "%/y", "'2%' is in %, which is not %/y; write for example `2 %/y`"),
    ("312 TFLOP", "TFLOP/s", "'312 TFLOP' is in TFLOP, which is not TFLOP/s"),
    ("7 kW", "kWh", "'7 kW' is in kW, which is not kWh"),
    # Powers of ten that are spelled another way, also where the word is a unit elsewhere: b is a bit, m a metre.
    ("13b", "parameter", "'13b': write it as `13B`"),
    ("2t", "token", "'2t': write it as `2T`"),
    ("20m CNY", "CNY", "'20m CNY': write it as `20M CNY`"),
    ("20 million CNY", "CNY", "'20 million CNY': write it as `20M CNY`"),
    ("20 million", "CNY", "'20 million': write it as `20M CNY`"),
    ("20m", "CNY/card", "'20m': write it as `20M CNY/card`"),
    ("40 percent", "1", "'40 percent': write it as `40%`"),
    ("2 t", "CNY", "'2 t': unknown unit 't'"),  # nor is a tonne a trillion
    # A comma where decimals begin.
    ("0,65 CNY/kWh", "CNY/kWh", "'0,65 CNY/kWh': a comma stands between thousands; write `0.65 CNY/kWh`"),
    ("1,5", "1", "'1,5': a comma stands between thousands; write `1.5`"),
    # Unknown units, with the nearest that there is.
    ("5G", "token", "'5G': amounts of token are shortened by K, M, B and T; write for example `5 token`"),
    ("1000P", "card", "'1000P': amounts of card are shortened by K, M, B and T"),
    ("8K", "1", "'8K': unknown unit 'K'"),
    ("12 cards", "card", "'12 cards': unknown unit 'cards'; did you mean 'card'?"),
    ("1万卡", "card", "'1万卡': unknown unit '卡'"),
    # No finite number.
    (".nan", "1", "'.nan' is no number that a plan can hold; leave the field out where nothing is known"),
    ("nan", "1", "'nan' is no number that a plan can hold"),
    ("NaN", "CNY", "'NaN' is no number that a plan can hold"),
    (".inf", "1", "'.inf' is no number that a plan can hold"),
    ("-inf", "1", "'-inf' is no number that a plan can hold"),
    ("Infinity", "1", "'Infinity' is no number that a plan can hold"),
    ("1e400", "1", "'1e400' is too large"),
    ("1e305 MW", "W", "'1e305 MW' is too large"),
    ("1.7976931348623157e308", "1", "'1.7976931348623157e308' is too large"),  # in 16 digits it is beyond all doubles
    ("1e999999999", "1", "'1e999999999' is too large or too small"),  # at once, not after hours of exact arithmetic
    ("695e0514", "token", "'695e0514' is too large or too small"),
    ("1e-999999999", "1", "'1e-999999999' is too large or too small"),
    (f"1e{'9' * 30}", "1", f"'1e{'9' * 30}' is too large or too small"),
    # No number at all.
    ("", "1", "'' is not a number; write for example `1`"),
    ("a lot", "card", "'a lot' is not a number; write for example `1 card`"),
    ("auto", "1", "'auto' is not a number"),
    # Misplaced separators, ranges, and other number systems.
    ("1,00 CNY", "CNY", "'1,00 CNY': a comma stands between thousands; write `1.00 CNY`"),
    ("1,2,3", "1", "'1,2,3': unknown unit"),
    ("256–376 TFLOP/s", "TFLOP/s", "'256–376 TFLOP/s': unknown unit"),  # noqa: RUF001 - a range is no number
    ("256-376 TFLOP/s", "TFLOP/s", "'256-376 TFLOP/s': unknown unit"),
    ("0x10", "1", "'0x10': unknown unit 'x10'"),
    ("1 2", "1", "'1 2': unknown unit '2'"),
]  # fmt: skip


# The digits typed, in the unit of the field, would be wrong by a factor: no example beside a near name.
NEAR = [
    ("700w", "W", "'700w': unknown unit 'w'; did you mean 'W'?"),
    ("10.2KW", "W", "'10.2KW': unknown unit 'KW'; did you mean 'kW'?"),
    ("1.2mW", "W", "'1.2mW': unknown unit 'mW'; did you mean 'MW'?"),
]


@pytest.mark.parametrize(("text", "unit", "message"), NEAR)
def test_a_near_name_of_a_unit_is_the_only_hint(text, unit, message):
    with pytest.raises(QuantityError) as caught:
        read_number(text, UNITS(unit), UNITS)
    assert str(caught.value) == message


@pytest.mark.parametrize(("text", "unit", "message"), REFUSED)
def test_what_is_refused_says_what_to_write(text, unit, message):
    with pytest.raises(QuantityError) as caught:
        read_number(text, UNITS(unit), UNITS)
    assert str(caught.value).startswith(message)


def quantity(unit, **about):
    return QuantityField(label="A field", unit=unit, **about)


PRECISION = ChoiceField(label="Precision", options=("bf16", "fp8"))
FIELDS = [
    (quantity("1", high=1, percent=True), "40", "'40' is above 1; did you mean `40%`?"),
    (quantity("1", high=1, percent=True), "140%", "'140%' is above 1; write for example `100%`"),
    (quantity("1", high=3), "13", "'13' is above 3; write for example `1`"),
    (quantity("1", low=1, high=3), "0.9", "'0.9' is below 1; write 1 to 3, for example `1`"),
    (quantity("MW", low=0.001), "1.2 W", "'1.2 W' is below 0.001 MW; write for example `0.001 MW`"),
    (quantity("GB/card", low=1), "70 B/card", "'70 B/card' is below 1 GB/card; write for example `1 GB/card`"),
    (quantity("card", low=0), "-3", "'-3' is below 0 card; write for example `1 card`"),
    (quantity("card", whole=True), "2.5", "'2.5' is not a whole number; write for example `3 card`"),
    (PRECISION, "bf61", "'bf61' is none of bf16, fp8; did you mean 'bf16'?"),
    (PRECISION, "int4", "'int4' is none of bf16, fp8"),
]  # fmt: skip


@pytest.mark.parametrize(("field", "text", "message"), FIELDS)
def test_fields_refuse_slips_of_the_pen(field, text, message):
    with pytest.raises(QuantityError) as caught:
        field.read(text, Run())
    assert str(caught.value) == message


def test_fields_read_what_they_are_for():
    assert quantity("{currency}/kWh").read("0.65 CNY/kWh", Run()) == 0.65
    assert quantity("card", may_be_auto=True).read(" auto ", Run()) == "auto"
    assert quantity("1", whole=True).read("1e3", Run()) == 1000
    assert PRECISION.read(" BF16 ", Run()) == "bf16"


@pytest.mark.parametrize("text", ["910E2", "695e0514", "2E5", "NO", "0555567", "1.10", "on", "2:1"])
def test_texts_stay_as_they_are_byte_for_byte(text):
    assert TextField(label="A text").read(text, Run()) == text


def test_a_value_remembers_where_it_was_given():
    one = Given(0.4, "plan.yaml:18:10", 0.35, 0.45, Origin("two-week pilot", "measured"))
    moved = one.moved("--set #1")
    assert (moved.at, moved.value, moved.low, moved.origin) == ("--set #1", 0.4, 0.35, one.origin)
    assert Given(1.0).at == "default"
    assert Origin().confidence == "assumed"


# ---------------------------------------------------------------- what must always hold

finite = st.floats(min_value=-1.797e308, max_value=1.797e308)


@given(finite)
@example(0.1 + 0.2)
@example(5e-324)
def test_a_number_means_what_the_workbook_will_hold(value):
    """openpyxl writes 16 significant digits, so both readings start from that number."""
    assert read_number(repr(value), UNITS("1"), UNITS) == number(value)


@given(st.integers(0, 10**15))
def test_thousands_separators_change_nothing(value):
    assert read_number(f"{value:,}", UNITS("1"), UNITS) == value
    assert read_number(f"{value:_}", UNITS("card"), UNITS) == value


@given(
    st.integers(0, 10**9),
    st.integers(0, 99),
    st.sampled_from(["W", "kW", "MW", "GW"]),
    st.sampled_from(["W", "kW", "MW"]),
)
def test_scales_are_exact(whole, hundredths, typed, unit):
    """The one rounding is the last: to the nearest double of the exact product."""
    exact = (Fraction(whole) + Fraction(hundredths, 100)) * UNITS(typed).factor / UNITS(unit).factor
    assert read_number(f"{whole}.{hundredths:02} {typed}", UNITS(unit), UNITS) == number(float(exact))


@given(st.text(max_size=12))
@example("1e5e5")
@example("+-1")
@example("1._1")
@example("١٢")  # digits of another script are digits
def test_any_text_is_a_finite_number_or_refused(text):
    for unit in ("1", "card", "GB/s", "%/y"):
        with contextlib.suppress(QuantityError):
            assert abs(read_number(text, UNITS(unit), UNITS)) < float("inf")
