"""Functions of formulas: guarded rounding and comparing, laziness about what is not available, and their units."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from capframe import Ref, at_least, at_most, either, equal, first_known, less, more, round_down, round_up, total, when
from capframe.errors import UnitError
from capframe.evaluation import evaluate, usable
from capframe.expr import Num
from capframe.functions import FUNCTIONS, GUARD, reads_given
from capframe.settling import settle
from capframe.units import ONE, TEST, TEXT, UnitDefinition, Units
from capframe.wording import say

p = Ref("")
NAN = math.nan
UNITS = Units([UnitDefinition("card"), UnitDefinition("server"), UnitDefinition("CNY", counted=False)])


def value_of(formula, **values):
    return evaluate(formula, {f"m.{key}": value for key, value in values.items()})


def up(x):
    return value_of(round_up(p.m.x), x=x)


def down(x):
    return value_of(round_down(p.m.x), x=x)


# ---------------------------------------------------------------- rounding

UP = [
    (1.1 * 1.1 * 100, 121),  # 121.00000000000001 in doubles; ROUNDUP alone gives 122
    (228.0000000001, 228),
    (227.9999999999, 228),
    (228.000001, 229),
    (1822.9166666666667, 1823),  # 1,215.2777… cards × 1.5
    (227.86458333333334, 228),  # the same over 8 cards a server
    (1e8, 1e8),  # an absolute guard of 1e-9 would be too small from here on
    (1e8 + 0.01, 1e8),  # 1e-10 of it, below the guard
    (1e8 + 1, 1e8 + 1),
    (900_000_001, 900_000_001),  # × (1 − 1e-9) is 900,000,000.099999999
    (2_000_000_001, 1_999_999_999),  # × (1 − 1e-9) is 1,999,999,998.999999999: good to 1e-9, as all figures are
    (0, 0),
    (1e-12, 1),  # something is needed, however little
    (-2.5, -3),  # away from zero, as ROUNDUP
    (-3.0000000001, -3),
]


@pytest.mark.parametrize(("x", "rounded"), UP)
def test_rounding_up(x, rounded):
    assert up(x) == rounded


DOWN = [
    (120.99999999999999, 121),
    (121.9, 121),
    (227.9999999999, 228),
    (227.99, 227),
    (0.3 / 0.1, 3),  # 2.9999999999999996 in doubles
    (-2.5, -2),  # towards zero, as ROUNDDOWN
    (0, 0),
    (0.9999999999, 1),
]


@pytest.mark.parametrize(("x", "rounded"), DOWN)
def test_rounding_down(x, rounded):
    assert down(x) == rounded


whole = st.integers(-(10**8), 10**8)  # the guard is relative: from 10⁹ things on it is larger than one of them
noise = st.floats(-1e-10, 1e-10)


@given(whole, noise)
def test_noise_below_the_guard_never_orders_another_card(n, e):
    assert up(n * (1 + e)) == n
    assert down(n * (1 + e)) == n


@given(st.floats(-1e9, 1e9))
@example(121.0)
def test_rounding_goes_to_the_next_whole_number(x):
    assume(abs(x) > 1e-6)
    assert up(x) == int(up(x))
    assert down(x) == int(down(x))
    slack = 2 * GUARD * abs(x)
    assert abs(x) - slack <= abs(up(x)) < abs(x) + 1 + slack
    assert abs(x) - 1 - slack < abs(down(x)) <= abs(x) + slack


@given(st.floats(1, 1e9), st.floats(1, 1e9))
def test_more_need_never_means_fewer_cards(a, b):
    assert (up(a) <= up(b)) if a <= b else (up(a) >= up(b))


# ---------------------------------------------------------------- comparing

EQUAL = [(0.1 + 0.2, 0.3), (1.1 * 1.1 * 100, 121), (0, 0), (1e22, 1e22 + 1e6), (-3, -3.000000001)]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_computed_numbers_that_are_nearly_equal_count_as_equal(a, b):
    for one, other in ((a, b), (b, a)):
        assert value_of(at_most(p.m.a, p.m.b), a=one, b=other) is True
        assert value_of(at_least(p.m.a, p.m.b), a=one, b=other) is True
        assert value_of(less(p.m.a, p.m.b), a=one, b=other) is False
        assert value_of(more(p.m.a, p.m.b), a=one, b=other) is False
        assert value_of(equal(p.m.a, p.m.b), a=one, b=other) is True


DIFFERENT = [(0.3, 0.3000001), (120.9, 121), (-1, 1), (0, 1e-12), (-1e-12, 0), (1e22, 1e22 * (1 + 1e-8))]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_numbers_that_differ_are_told_apart(a, b):
    assert value_of(less(p.m.a, p.m.b), a=a, b=b) is True
    assert value_of(more(p.m.b, p.m.a), a=a, b=b) is True
    assert value_of(at_most(p.m.a, p.m.b), a=a, b=b) is True
    assert value_of(at_least(p.m.a, p.m.b), a=a, b=b) is False
    assert value_of(equal(p.m.a, p.m.b), a=a, b=b) is False


number = st.floats(-1e300, 1e300)


@given(number, number)
@example(1.0, 1.0 + 1e-9)
@example(0.0, -0.0)
def test_exactly_one_of_less_equal_more(a, b):
    outcomes = [value_of(f(p.m.a, p.m.b), a=a, b=b) for f in (less, equal, more)]
    assert outcomes.count(True) == 1


@given(number, number)
@example(1.0, 1.0 + 1e-9)
def test_equal_is_at_most_and_at_least(a, b):
    both = value_of(at_most(p.m.a, p.m.b), a=a, b=b) and value_of(at_least(p.m.a, p.m.b), a=a, b=b)
    assert value_of(equal(p.m.a, p.m.b), a=a, b=b) is both


@given(number, number)
def test_at_most_is_not_more(a, b):
    assert value_of(at_most(p.m.a, p.m.b), a=a, b=b) is not value_of(more(p.m.a, p.m.b), a=a, b=b)


# ---------------------------------------------------------------- least, greatest, sums


def test_the_least_of_one_is_that_one():
    """A plugin that compares all pools must survive a plan with a single one."""
    assert value_of(FUNCTIONS["least"](p.m.x), x=3.0) == 3
    assert value_of(FUNCTIONS["greatest"](p.m.x), x=3.0) == 3
    assert not usable(value_of(FUNCTIONS["least"](p.m.x), x=NAN))


def test_a_sum_is_added_from_left_to_right():
    """Ten tenths are 0.9999999999999999 that way; sum() of Python 3.12 gives 1.0, and the same plan other bytes."""
    tenths = {f"x{number}": 0.1 for number in range(10)}
    assert value_of(total(*(p.m[key] for key in tenths)), **tenths) == 0.9999999999999999


# ---------------------------------------------------------------- what is not available

NOT_STRICT = {"when", "first_known", "known_or_zero", "known", "unknown", "either", "same", "every", "any_of"}
STRICT = sorted(FUNCTIONS.keys() - NOT_STRICT)


@pytest.mark.parametrize("name", STRICT)
def test_what_reads_something_not_available_is_not_available(name):
    function = FUNCTIONS[name]
    arguments = 1 if name in {"round_up", "round_down", "sqrt", "ln", "exp"} else 2
    for position in range(arguments):
        values = [NAN if position == at else 2.0 for at in range(arguments)]
        assert not usable(function.apply(*values))
    assert usable(function.apply(*[2.0] * arguments))


def test_comparisons_of_texts_and_tests_are_strict_too():
    for name, known in (("same", "yes"), ("every", True), ("any_of", True)):
        assert not usable(FUNCTIONS[name].apply(known, NAN))
        assert not usable(FUNCTIONS[name].apply(NAN, known))


LAZY = [
    (when(at_most(p.m.a, 1), p.m.a, p.m.none), 1),
    (when(at_most(2, p.m.a), p.m.none, p.m.a), 1),
    (when(at_most(p.m.a, 1), p.m.a, p.m.a / p.m.zero), 1),
    (first_known(p.m.a, p.m.none), 1),
    (first_known(p.m.none, p.m.a), 1),
    (first_known(p.m.a / p.m.zero, p.m.a), 1),
    (either(p.m.a, p.m.none), 1),
    (either(p.m.auto, p.m.a), 1),
    (either(p.m.none, p.m.a), 1),  # ISNUMBER(#N/A) is FALSE: what is not given as a number is computed
]


@pytest.mark.parametrize(("formula", "value"), LAZY)
def test_what_was_not_chosen_is_not_looked_at(formula, value):
    assert value_of(formula, a=1.0, none=NAN, zero=0.0, auto="auto") == value


EAGER = [
    when(at_most(p.m.none, 1), p.m.a, p.m.a),
    when(at_most(p.m.a, 1), p.m.none, p.m.a),
    first_known(p.m.none, p.m.none),
    either(p.m.auto, p.m.none),
]


@pytest.mark.parametrize("formula", EAGER)
def test_what_was_chosen_is(formula):
    assert not usable(value_of(formula, a=1.0, none=NAN, auto="auto"))


def test_sums_too_large_are_not_available():
    assert not usable(value_of(total(p.m.a, p.m.a), a=1.7e308))


# ---------------------------------------------------------------- units

KW, W, CARD, CNY = map(UNITS, ("kW", "W", "card", "CNY"))
SCOPE = {
    "m.kw": KW, "m.w": W, "m.h": UNITS("h"), "m.s": UNITS("s"), "m.card": CARD, "m.per": UNITS("card/server"),
    "m.cny": CNY, "m.n": ONE, "m.word": TEXT,
}  # fmt: skip
FITS = [  # what settling makes of each, and its unit
    (round_up(p.m.card / p.m.per), round_up(p.m.card / p.m.per), "server"),
    (round_up(p.m.kw / p.m.w), round_up(p.m.kw / p.m.w * 1000), "1"),  # the ratio of kW and W is 1,000 times the figure
    (FUNCTIONS["least"](p.m.kw, p.m.w), FUNCTIONS["least"](p.m.kw, p.m.w / 1000), "kW"),
    (total(p.m.w, p.m.kw), total(p.m.w, p.m.kw * 1000), "W"),
    (FUNCTIONS["sqrt"](p.m.h * p.m.s), FUNCTIONS["sqrt"](p.m.h * p.m.s * 3600), "s"),
    (when(at_most(p.m.kw, p.m.w), p.m.w, p.m.kw), when(at_most(p.m.kw, p.m.w / 1000), p.m.w, p.m.kw * 1000), "W"),
    (when(at_most(p.m.n, 1), p.m.word, "none"), when(at_most(p.m.n, 1), p.m.word, "none"), "text"),
    (first_known(p.m.kw, p.m.w), first_known(p.m.kw, p.m.w / 1000), "kW"),
    (either(p.m.w, p.m.kw), either(p.m.w, p.m.kw * 1000), "W"),
    (FUNCTIONS["ln"](p.m.kw / p.m.w), FUNCTIONS["ln"](p.m.kw / p.m.w * 1000), "1"),
]


@pytest.mark.parametrize(("formula", "settled", "unit"), FITS)
def test_functions_bring_their_arguments_to_one_unit(formula, settled, unit):
    got, have = settle(formula, SCOPE)
    assert got == settled
    assert have == UNITS(unit)


REFUSED = [
    (round_up(p.m.kw), "round whole things, not kW"),
    (round_down(p.m.kw / p.m.card), "round whole things, not kW/card"),
    (FUNCTIONS["greatest"](p.m.kw, p.m.card), "card is not kW"),
    (total(p.m.card, p.m.cny), "CNY is not card"),
    (at_most(p.m.kw, 3), "1 is not kW"),
    (FUNCTIONS["ln"](p.m.card), "card is not 1"),
    (FUNCTIONS["sqrt"](p.m.card), "the square root of card has no unit"),
    (when(p.m.card, p.m.kw, p.m.kw), "when(…) starts with a comparison, not with card"),
    (when(at_most(p.m.card, p.m.card), p.m.kw, p.m.card), "card is not kW"),
    (FUNCTIONS["same"](p.m.card, "yes"), "same(…) compares texts, not card"),
    (FUNCTIONS["same"](p.m.word, 3), "same(…) compares texts, not 1"),
    (FUNCTIONS["every"](p.m.card), "a comparison is wanted, not card"),
    (at_most(p.m.word, p.m.word), "a text is not an amount"),
    (less(p.m.word, "bf16"), "a text is not an amount"),
    (less(at_most(p.m.n, 1), at_most(p.m.n, 1)), "a comparison is not a quantity"),
    (FUNCTIONS["least"](p.m.word, p.m.word), "a text is not an amount"),
    (total(at_most(p.m.card, p.m.card), p.m.card), "a comparison is not a quantity"),
    (at_most(p.m.card, p.m.card) + 1, "no arithmetic on a comparison"),
    (p.m.word * 2, "no arithmetic on text"),
]


@pytest.mark.parametrize(("formula", "message"), REFUSED)
def test_what_does_not_fit_is_refused(formula, message):
    with pytest.raises(UnitError) as caught:
        settle(formula, SCOPE)
    assert str(caught.value).startswith(message)


def test_comparisons_have_a_unit_of_their_own():
    scope = {"m.a": KW, "m.b": W}
    assert settle(at_most(p.m.a, p.m.b), scope) == (at_most(p.m.a, p.m.b / 1000), TEST)
    assert settle(FUNCTIONS["every"](less(p.m.a, p.m.b)), scope)[1] == TEST
    assert settle(FUNCTIONS["ln"](Num(2)), {})[1] == ONE


# ---------------------------------------------------------------- shape


def test_total_of_nothing_has_no_unit():
    with pytest.raises(TypeError, match=r"total\(\) of nothing has no unit"):
        total()
    assert total(p.m.a) == p.m.a
    assert total(2) == Num(2)


WRONG = [
    (round_up, "round_up() takes 1 argument, not 0"),
    (lambda: round_up(p.m.a, 0), "round_up() takes 1 argument, not 2"),
    (lambda: less(p.m.a), "less() takes 2 arguments, not 1"),
    (lambda: when(at_most(p.m.a, 1), p.m.b), "when() takes 3 arguments, not 2"),
    (lambda: either(p.m.a), "either() takes 2 arguments, not 1"),
    (FUNCTIONS["least"], "least() takes at least 1 argument, not 0"),
    (FUNCTIONS["every"], "every() takes at least 1 argument, not 0"),
]


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_a_wrong_number_of_arguments_fails_where_it_is_written(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


READS = [
    (either(p.m.x, p.m.y), True),
    (either(p.m.x, p.m.y) * 2 + p.m.y, True),
    (p.m.x, False),
    (either(p.m.x, p.m.x), False),
    (either(p.m.y, p.m.x), False),
    (either(p.m.x * 2, p.m.y), False),
    (when(at_most(p.m.x, 1), p.m.y, p.m.y), False),
    (p.m.y, True),
]


@pytest.mark.parametrize(("formula", "well"), READS)
def test_what_may_be_auto_is_read_by_either_only(formula, well):
    assert reads_given(formula, p.m.x) is well


def test_every_function_has_every_reading():
    for name, function in FUNCTIONS.items():
        assert function.name == name
        assert "{" in function.excel
        assert "{" in say(function.math, "en")
        assert "{" in say(function.math, "zh-CN")
        assert callable(function.apply)
        assert callable(function.settle)
