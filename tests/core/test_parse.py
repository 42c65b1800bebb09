"""Formulas typed as text: what they mean, and what is refused where with which words."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capframe import Ref, at_least, at_most, entry, every, fact, less, more, same, when
from capframe.expr import Num
from capframe.functions import FUNCTIONS, any_of
from capframe.parse import DEEPEST, LONGEST, ParseError, parse
from capframe.printing import math

a, b, capex = Ref("x.a"), Ref("x.b"), Ref("cost.capex")
rate = Ref("cost.insurance.rate")
LOCAL = {"rate": rate, "cost": Ref("own.cost")}
total = FUNCTIONS["total"]

MEANT = [
    ("rate * cost.capex", rate * capex),
    ("cost * 2", Ref("own.cost") * 2),  # a name of the line itself, and a key that begins with it
    ("x.a + x.b - 1", a + b - 1),
    ("2^3 + 1", Num(2) ** 3 + 1),  # Python's own ^ binds looser than +
    ("2 ** 3 ^ x.a", Num(2) ** (Num(3) ** a)),
    ("-x.a^2", -(a**2)),
    ("-2", Num(-2)),
    ("+x.a", a),
    ("1_000 * .5e3", Num(1000) * 500),
    ("（x.a × 2 ÷ x.b − 1）", a * 2 / b - 1),
    ("x.a\n  + x.b", a + b),
    ("x.a < x.b", less(a, b)),
    ("x.a > x.b", more(a, b)),
    ("x.a <= x.b", at_most(a, b)),
    ("x.a ≥ x.b", at_least(a, b)),
    ("1 < x.a <= x.b", every(less(Num(1), a), at_most(a, b))),
    ('x.a == "liquid"', same(a, "liquid")),
    ("x.a < 1 and x.b < 1 or x.b > 2", any_of(every(less(a, 1), less(b, 1)), more(b, 2))),
    ("when(x.a < x.b, x.a, 0)", when(less(a, b), a, 0)),
    ("x.a if x.a < x.b else 0", when(less(a, b), a, 0)),
    ("total(x.a, x.b, 3)", total(a, b, 3)),
    ("at_least(x.a, 1)", at_least(a, 1)),
    ('fact(pools.main.accelerator, "tdp")', fact(Ref("pools.main.accelerator"), "tdp")),
    ('fact(p.m.a, "peak", by=w.p.precision)', fact(Ref("p.m.a"), "peak", by=Ref("w.p.precision"))),
    ('entry("prices", p.m.a)', entry("prices", Ref("p.m.a"))),
    ("pools.import.cards + pools.if.in", Ref("pools.import.cards") + Ref("pools.if.in")),  # words of Python in a key
]


@pytest.mark.parametrize(("text", "formula"), MEANT)
def test_what_a_text_means(text, formula):
    assert parse(text, LOCAL) == formula


FIGURE = "a figure with a unit is an input"
PERCENT = "a percentage is a share here: 5% is 0.05"
NO_PART = "is no part of a formula"
REFUSED = [
    # the place is counted from 0 in the text
    ("", 0, "the formula is empty"),
    ("rte * 2", 0, "there is nothing called 'rte' here; did you mean 'rate'?"),
    ("2 * zzz", 4, "there is nothing called 'zzz' here; the inputs of the line are rate, cost"),
    ("total * 2", 0, "it is a function: write total(…)"),
    ("x.a * sqr(2)", 6, "there is no function 'sqr'; did you mean 'sqrt'?"),
    ("x.a.total(2)", 0, "there is no function 'x.a.total'"),
    ("when(x.a < 1, 2)", 0, "when() takes 3 arguments, not 2"),
    ("more(x.a)", 0, "more() takes 2 arguments, not 1"),
    ("2 * total(x.a)", 4, "total(…) adds several figures; the sum of one over all periods is over_time(x.a)"),
    ("over_time(x.a + 1)", 10, "the key of a line or an input stands here, not `x.a + 1`"),
    ("over_time(x.a, 2028)", 0, 'is written like over_time(cash.paid), or over_time(cash.paid, "2028")'),
    ('over_time(x.a, "2028")', 15, "the timeline has no year or period '2028'"),
    ("sqrt(x=2)", 0, "takes its arguments one after another"),
    ("sqrt(*x.a)", 0, "takes its arguments one after another"),
    ("fact(x.a)", 0, 'is written like fact(pools.main.accelerator, "tdp")'),
    ('fact(x.a + 1, "tdp")', 5, "the key of a line or an input stands here, not `x.a + 1`"),
    ("5% * x.a", 1, PERCENT),
    ("x.a % 5", 6, PERCENT),
    ("700 W * x.a", 4, FIGURE),
    ("70B * x.a", 2, FIGURE),
    ("1j", 1, FIGURE),
    ("x.a x.b", 4, "a sign or a comma is missing before `x`"),
    ("2(3)", 1, "a sign or a comma is missing before `(`"),
    ("(x.a)(x.b)", 5, "a sign or a comma is missing before `(`"),
    ("y = x.a", 2, "a formula is only what stands right of the `=`"),
    ("x.a)", 3, "')' closes a bracket that was not opened"),
    ("a) + (b", 1, "')' closes a bracket that was not opened"),
    ("2 * (x.a", 4, "this bracket is not closed"),
    ("x.a +", 5, "the formula ends too early"),
    ("x.a * * x.b", 6, "cannot be read from `* x.b` on"),
    ("x.a, x.b", 0, "a comma stands between the arguments of a function only"),
    ("x.a != 2", 0, "there are <, <=, >, >= for numbers and == for texts"),
    ("x.a is 2", 0, "there are <, <=, >, >= for numbers and == for texts"),
    ("not x.a < 2", 0, "`not` is not there"),
    ("x.a[0]", 0, "a key is written with dots"),
    ("x.a @ 2", 0, "there are + - * / and ^"),
    ("7 // 2", 0, "there are + - * / and ^"),
    ("True", 0, "is no number"),
    ("nan", 0, "nan is no number that a formula can hold"),
    ("2 + inf", 4, "inf is no number that a formula can hold"),
    ("1e999", 0, "1e999 is too large"),
    ("9" * 400, 0, "is too large"),
    ("中文.数 * 2", 0, "is no key: '中文' is not a letter from a to z and then letters"),
    ("x.a ~ 2", 4, "`~` has no meaning in a formula"),
    ("x.a # per year", 4, "`#` has no meaning in a formula"),
    ("x.a; x.b", 3, "`;` has no meaning in a formula"),
    ("'a\\'b'", 2, "has no meaning in a formula"),
    # what tries to get at Python
    ("x.__class__", 0, "is no key: '__class__'"),
    ("__import__('os').system('x')", 0, "there is no function"),
    ("().__class__", 0, "only a key has parts behind a dot"),
    ("'a'.join", 0, "only a key has parts behind a dot"),
    ("lambda: 1", 0, NO_PART),
    ("[x.a for x in y]", 0, NO_PART),
    ("{x.a: 1}", 0, NO_PART),
    ("(y := 2)", 1, NO_PART),
    ("await x.a", 0, NO_PART),
    ("f'{x.a}'", 1, "a sign or a comma is missing"),
    ("b'x'", 1, "a sign or a comma is missing"),
    ("...", 0, "is no number"),
    ("None", 0, "is no number"),
    # what is too long or too deep
    ("1+" * 1000 + "1", LONGEST, "the formula has 2,001 characters, and 2,000 are read"),
    ("(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), DEEPEST, "the formula is nested more than 50 deep"),
    ("-" * 1999 + "1", None, "the formula is nested more than 50 deep"),
    ("+".join(["x.a"] * 60), None, "or write total(a, b, …)"),
    ("2^" * 900 + "2", None, "the formula is nested more than 50 deep"),
    ("not " * 400 + "x.a", None, "`not` is not there"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "at", "what"), REFUSED)
def test_refusals_name_the_place_and_what_to_write(text, at, what):
    with pytest.raises(ParseError) as caught:
        parse(text, LOCAL)
    assert what in str(caught.value)
    assert at is None or caught.value.at == at


def test_places_count_characters_and_lines():
    with pytest.raises(ParseError) as caught:
        parse('same(x.a, "中文")\n and sqr(2)')
    assert caught.value.at == 21  # 15 signs, the new line, and " and " of 5


def test_functions_of_plugins_may_be_called():
    assert parse("double(x.a)", functions={"double": FUNCTIONS["sqrt"]}) == FUNCTIONS["sqrt"](a)


# ---------------------------------------------------------------- what must always hold


@given(st.text(st.sampled_from("xa.1 +-*/^()<>=,'\"%if \n中×_e[]{}:"), max_size=30))
@example("((((")
@example("''''")
@example("'''\n'''")
@example("1if 2else 3")
def test_any_text_is_a_formula_or_refused_within_its_own_length(text):
    try:
        parse(text, LOCAL)
    except ParseError as fault:
        assert 0 <= fault.at <= len(text)  # noqa: PT017 - most texts are refused, some are not


formulas = st.recursive(
    st.sampled_from([a, b, capex]) | st.integers(0, 99).map(Num),
    lambda below: st.tuples(st.sampled_from("+-*/"), below, below).map(
        lambda t: {"+": t[1] + t[2], "-": t[1] - t[2], "*": t[1] * t[2], "/": t[1] / t[2]}[t[0]]
    ),
    max_leaves=10,
)


@given(formulas)
def test_a_formula_as_it_is_printed_is_read_again(formula):
    assert parse(math(formula, str, "en")) == formula
