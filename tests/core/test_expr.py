"""Formulas: nodes, and every reading of a table of formulas (``tests/cases/formulas.yaml``)."""

from __future__ import annotations

import math
import pickle
from functools import partial
from pathlib import Path

import pytest
import yaml  # noqa: TID253 - tests may import what start-up may not
from hypothesis import given
from hypothesis import strategies as st

import capframe
from capframe import Check, LineItem, Missing, Ref, at_most, fact, first_known, least, printing, total, when
from capframe.errors import FormulaError
from capframe.evaluation import blame, column_of, evaluate, taken, usable
from capframe.expr import (
    Call,
    Expr,
    Function,
    Num,
    Op,
    Text,
    arity,
    children,
    key_of,
    lift,
    literals,
    number,
    refs,
    walk,
)
from capframe.functions import FUNCTIONS, plain_number, strict
from capframe.settling import fails

TABLE = yaml.safe_load((Path(__file__).parents[1] / "cases" / "formulas.yaml").read_text(encoding="utf-8"))
NAMES = {name: getattr(capframe, name) for name in capframe.__all__} | {"lift": lift, "p": Ref("")}
p = Ref("")


class Fixed:
    """Values of the table: what evaluation asks for."""

    values = {key: math.nan if value == "n/a" else value for key, value in TABLE["values"].items()} | TABLE["group"]

    def __getitem__(self, key):
        return self.values[key]

    def fact(self, pick, column):
        return TABLE["facts"][self.values[pick]].get(column, math.nan)

    def reason(self, key):
        return None if usable(self.values[key]) else f"{key} not given"

    def label(self, key):
        return key.split(".")[-1]

    def column(self, _pick, column):
        return column

    def part(self, pick):
        return self.values[pick]

    language = "en"


class Cells:
    """Keys stand as names, and the catalogue in named ranges: what printing asks for."""

    def cell(self, key):
        return key

    def fact(self, pick, column):
        return f"INDEX(facts,MATCH({pick},ids,0),MATCH({column},columns,0))"

    def member(self, group, pick):
        return f"INDEX({group},MATCH({pick},{group}.names,0),1)"


def formula_of(text):
    return eval(text, NAMES)  # noqa: S307 - formulas of our own table


FORMULAS = {row["formula"]: row for row in TABLE["formulas"]}


@pytest.mark.parametrize("text", FORMULAS)
def test_every_reading_of_a_formula(text):
    row, formula, scope = FORMULAS[text], formula_of(text), Fixed()
    value = evaluate(formula, scope)
    assert printing.excel(formula, Cells()) == row["excel"]
    assert printing.math(formula, scope.label, "en") == row["math"]
    if row["value"] == "n/a":
        assert not usable(value)
    else:
        assert value == row["value"] or math.isclose(value, row["value"], rel_tol=1e-12)
        assert isinstance(value, bool) == isinstance(row["value"], bool)


@pytest.mark.parametrize("text", FORMULAS)
def test_there_is_a_reason_exactly_where_there_is_no_value(text):
    formula, scope = formula_of(text), Fixed()
    assert (blame(formula, scope) is None) == usable(evaluate(formula, scope))


@pytest.mark.parametrize("text", FORMULAS)
def test_the_branches_taken_give_the_same_value(text):
    formula, scope = formula_of(text), Fixed()
    went, value = taken(formula, scope), evaluate(formula, scope)
    assert evaluate(went, scope) == value or not usable(value)
    if usable(value):
        assert not [node for node in walk(went) if isinstance(node, Missing)]


def test_the_table_goes_through_every_function():
    used = {node.function.name for text in FORMULAS for node in walk(formula_of(text)) if isinstance(node, Call)}
    assert used == set(FUNCTIONS)


REASONS = [
    (p.m.a + p.m.none, "m.none not given"),
    (p.m.a / p.m.zero, "divides by zero, which is 0"),
    (p.m.a / (p.m.b - 4), "divides by b − 4, which is 0"),
    (p.m.none / p.m.zero, "m.none not given"),  # the first in reading order
    (p.m.minus**p.m.half, "minus^half is too large or not a number"),
    (p.m.big**p.m.big * 2, "big^big is too large or not a number"),
    (capframe.sqrt(p.m.minus), "√(minus) is not a number"),
    (capframe.exp(p.m.big), "e^(big) is not a number"),
    (Missing("no price in CNY") * p.m.a, "no price in CNY"),
    (fact(p.m.card, "memory"), "memory of nv/one not disclosed"),
    (fact(p.m.card, "peak", by=Text("fp8")), "peak.fp8 of nv/one not disclosed"),
    (when(at_most(p.m.a, p.m.b), p.m.none, p.m.a), "m.none not given"),
    (when(at_most(p.m.none, p.m.b), p.m.a, p.m.a), "m.none not given"),
    (first_known(Missing("first"), Missing("second")), "second"),
    (first_known(Missing("first"), p.m.a), None),
    (when(at_most(p.m.a, p.m.b), p.m.a, p.m.none), None),  # the other branch is not looked at
    (p.m.a + p.m.b, None),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "reason"), REASONS)
def test_why_there_is_no_value(formula, reason):
    assert blame(formula, Fixed()) == reason


IN_CHINESE = [
    (capframe.either(p.m.asked, p.m.b), "给定时取 asked, 否则取 b"),
    (capframe.known_or_zero(p.m.none), "none (未知时为 0)"),
    (when(at_most(p.m.a, p.m.b), p.m.a, p.m.b), "(若 a ≤ b 则取 a, 否则取 b)"),
    (fact(p.m.card, "tdp"), "card的tdp"),
    (capframe.previous(p.m.a, 0), "上期 a"),
]


@pytest.mark.parametrize(("formula", "text"), IN_CHINESE)
def test_formulas_in_chinese(formula, text):
    assert printing.math(formula, Fixed().label, "zh-CN") == text


# Every function of two sums, or of one, and three times that: what is multiplied must not seem to be a part of it.
THREE_TIMES = {
    "round_up": ("round up(a + b) × 3", "向上舍入(a + b) × 3"),
    "round_down": ("round down(a + b) × 3", "向下舍入(a + b) × 3"),
    "least": ("min(a + b, b + c) × 3",) * 2,
    "greatest": ("max(a + b, b + c) × 3",) * 2,
    "total": ("Σ(a + b, b + c) × 3",) * 2,
    "sqrt": ("√(a + b) × 3",) * 2,
    "ln": ("ln(a + b) × 3",) * 2,
    "exp": ("e^(a + b) × 3",) * 2,
    "less": ("(a + b < b + c) × 3",) * 2,
    "at_most": ("(a + b ≤ b + c) × 3",) * 2,
    "equal": ("(a + b = b + c) × 3",) * 2,
    "same": ("(a + b is b + c) × 3", "(a + b 为 b + c) × 3"),
    "every": ("all of (a + b, b + c) × 3", "同时满足 (a + b, b + c) × 3"),
    "any_of": ("any of (a + b, b + c) × 3", "满足任一 (a + b, b + c) × 3"),
    "when": ("(b + c if a + b, else c + a) × 3", "(若 a + b 则取 b + c, 否则取 c + a) × 3"),
    "first_known": ("(a + b, or else b + c) × 3", "(a + b, 未知时取 b + c) × 3"),
    "known_or_zero": ("(a + b) (0 where not known) × 3", "(a + b) (未知时为 0) × 3"),
    "known": ("(a + b is known) × 3", "(a + b 已知) × 3"),
    "unknown": ("(1 where a + b is not known) × 3", "(a + b 未知时计 1) × 3"),
    "either": ("(a + b if given, else b + c) × 3", "(给定时取 a + b, 否则取 b + c) × 3"),
    "number_of": ("(a + b) × 3",) * 2,
    "normal_quantile": ("z(a + b) × 3",) * 2,
    "poisson": ("P(X ≤ a + b | mean b + c) × 3", "P(X ≤ a + b | 均值 b + c) × 3"),
}
SUMS = (p.m.a + p.m.b, p.m.b + p.m.c, p.m.c + p.m.a)
CALLED = FUNCTIONS | {one.name: one for one in (capframe.number_of, capframe.normal_quantile, capframe.poisson)}


CUBE = Function("cube", strict(lambda x: x**3), "POWER({0},3)", "{0:(}³", plain_number)
OVER = Function("over", strict(lambda x, y: x / y), "{0:(}/{1:(}", "{0:(} over {1:(}", plain_number)


@pytest.mark.parametrize("name", CALLED)
def test_every_function_keeps_together_in_a_product(name):
    function = CALLED[name]
    takes, any_more = arity(function.excel)
    formula = function(*SUMS[: 2 if any_more else takes]) * 3
    words = tuple(printing.math(formula, Fixed().label, language) for language in ("en", "zh-CN"))
    assert words == THREE_TIMES[name]


a, b, c = p.m.a, p.m.b, p.m.c
INSIDE = [
    (3 / first_known(a, b), "3 / (a, or else b)"),
    (first_known(a, b) ** 2, "(a, or else b)^2"),
    (capframe.exp(a) ** 2, "(e^(a))^2"),
    (first_known(a * 2, b), "a × 2, or else b"),
    (first_known(a, first_known(b, c)), "a, or else b, or else c"),
    (first_known(first_known(a, b), c), "(a, or else b), or else c"),
    (capframe.either(a, first_known(b, c)), "a if given, else (b, or else c)"),
    (first_known(capframe.either(a, b), c), "(a if given, else b), or else c"),
    (capframe.least(first_known(a, b), c), "min((a, or else b), c)"),
    (at_most(first_known(a, b), c), "(a, or else b) ≤ c"),
    (capframe.known_or_zero(first_known(a, b)), "(a, or else b) (0 where not known)"),
    (capframe.number_of(first_known(a, b)) * 2, "(a, or else b) × 2"),
    (when(at_most(a, b), first_known(a, b), c), "((a, or else b) if a ≤ b, else c)"),
    (capframe.over_time(a) * 2, "(Σ over time of a) × 2"),
    (CUBE(a + b) * 2, "(a + b)³ × 2"),
    (CUBE(a) ** 2, "(a³)^2"),
    (OVER(a, b + c) * 2, "(a over (b + c)) × 2"),
    (capframe.round_up(capframe.either(a, b) / c), "round up((a if given, else b) / c)"),
]


@pytest.mark.parametrize(("formula", "text"), INSIDE)
def test_words_keep_together_inside_of_others(formula, text):
    assert printing.math(formula, Fixed().label, "en") == text


def test_reasons_in_chinese():
    scope = Fixed()
    scope.language = "zh-CN"
    assert blame(p.m.a / p.m.zero, scope) == "除数 zero 为 0"
    assert blame(fact(p.m.card, "memory"), scope) == "nv/one的memory未公开"
    assert blame(Missing({"en": "no price", "zh": "无价格"}), scope) == "无价格"


def test_the_column_of_a_look_up_follows_the_precision():
    assert column_of(fact(p.m.card, "peak", by=p.m.precision), Fixed()) == "peak.bf16"
    assert column_of(fact(p.m.card, "tdp"), Fixed()) == "tdp"


# ---------------------------------------------------------------- nodes


def test_references_grow_by_attribute_and_by_name():
    assert key_of(p.pools["main"].power.it) == "pools.main.power.it"
    assert p.pools.main == p["pools"]["main"] == Ref("pools.main")
    assert hash(p.pools.main) == hash(Ref("pools.main"))
    assert f"needs {p.memory.used} of {p.memory.there:.2f}" == "needs {memory.used} of {memory.there}"


def test_any_word_may_be_a_key():
    """A reference has no public attribute of its own, so that a field may be called key, value or count."""
    assert [name for name in dir(Ref("x")) if not name.startswith("_")] == []
    assert key_of(p.x.key.value.count.text) == "x.key.value.count.text"


def test_private_names_are_no_keys():
    with pytest.raises(AttributeError):
        p.x._hidden  # noqa: B018, SLF001 - that is the test


def test_formulas_are_compared_by_structure():
    assert p.m.a + 1 == p.m.a + 1
    assert p.m.a + 1 != 1 + p.m.a
    assert {p.m.a * 2, p.m.a * 2} == {p.m.a * 2}
    assert Missing("one") == Missing("another")  # the reason is a remark


@pytest.mark.parametrize("misuse", [
    lambda: bool(p.m.a),
    lambda: 1 if at_most(p.m.a, 2) else 0,
    lambda: max(p.m.a, p.m.b),
    lambda: p.m.a and p.m.b,
    lambda: not p.m.a,
    lambda: sorted([p.m.a, p.m.b]),
    lambda: list(p.pools),
    lambda: "main" in p.pools,
    lambda: sum(p.pools),
    lambda: dict(p.pools),
])  # fmt: skip
def test_a_symbol_used_as_a_value_fails_loudly(misuse):
    with pytest.raises(TypeError):
        misuse()


def test_the_refusals_say_what_to_write():
    with pytest.raises(TypeError, match=r"write when\(test, then, otherwise\), least\(a, b\) or greatest\(a, b\)"):
        bool(p.m.a)
    with pytest.raises(TypeError, match=r"such as `for name in plan\.workloads`"):
        iter(p.pools)
    with pytest.raises(TypeError, match="look in `plan`"):
        "main" in p.pools  # noqa: B015 - that is the test


def test_arrays_do_not_take_formulas_apart():
    import numpy as np

    assert isinstance(np.float64(2) * p.m.a, Op)
    with pytest.raises(TypeError):
        np.array([1.0, 2.0]) * p.m.a


def test_nodes_never_change():
    with pytest.raises(AttributeError):
        p.m.a.other = 1
    with pytest.raises(AttributeError):
        Num(1).value = 2


def test_formulas_survive_a_process_boundary():
    formula = when(at_most(p.m.a, 2), total(p.m.a, p.m.b), fact(p.m.card, "tdp"))
    assert pickle.loads(pickle.dumps(p.m.a * 2 + 1)) == p.m.a * 2 + 1  # noqa: S301 - our own bytes
    assert list(refs(formula)) == ["m.a", "m.a", "m.b", "m.card"]


def test_walking_is_in_reading_order():
    formula = least(p.m.a, 2) * fact(p.m.card, "peak", by=p.m.precision) - p.m.a / 3
    assert list(refs(formula)) == ["m.a", "m.card", "m.precision", "m.a"]
    assert list(literals(formula)) == [2, 3]
    assert list(refs(capframe.entry("prices", p.m.card))) == ["m.card"]


def test_a_new_node_is_an_error_in_every_reading():
    class Unheard(Expr):
        pass

    in_english = partial(printing.math, language="en")
    for reading in (evaluate, printing.excel, in_english, capframe.settling.settle):
        with pytest.raises(TypeError, match="for Unheard"):
            reading(Unheard(), None)
    assert children(Unheard()) == ()


def test_only_numbers_texts_and_formulas_are_lifted():
    assert lift(2) == Num(2.0)
    assert lift("bf16") == Text("bf16")
    assert lift(p.m.a) is not None
    with pytest.raises(TypeError):
        p.m.a + None
    with pytest.raises(TypeError):
        p.m.a * [1]


@pytest.mark.parametrize("misuse", [
    lambda: p.m.a * (p.m.a == p.m.b),
    lambda: when(p.m.precision == "bf16", p.m.a, p.m.b),
    lambda: LineItem(p.m.x, p.m.a == p.m.b, "1", label="Equal"),
    lambda: Check(p.m.x, p.m.a == p.m.b, "error", "not equal", label="Equal"),
])  # fmt: skip
def test_equality_of_formulas_is_no_formula(misuse):
    """``==`` compares formulas by structure, which gives False: taken for the number 0 it would be a silent mistake."""
    with pytest.raises(TypeError, match=r"== compares formulas by structure.*write same\(a, b\) or equal\(a, b\)"):
        misuse()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_never_printed(value):
    with pytest.raises(FormulaError, match="cannot stand in a formula"):
        printing.excel(Num(value), Cells())


FAILING = [
    (p.m.a + p.m.b * 2, False),
    (p.m.a / 3600, False),  # by a number that is not 0
    (p.m.a / p.m.b, True),
    (p.m.a / Num(0), True),
    (p.m.a**2, True),
    (1 + least(p.m.a / p.m.b, 2), True),
    (capframe.sqrt(p.m.a), True),
    (capframe.round_up(p.m.a), False),
    (when(at_most(p.m.a, 1), p.m.a, p.m.b), False),
    (fact(p.m.card, "tdp"), True),
    (capframe.entry("prices", p.m.card), True),
]


@pytest.mark.parametrize(("formula", "may"), FAILING)
def test_what_may_fail_is_known(formula, may):
    """A cell that may fail on finite values is wrapped in IFERROR(…,NA())."""
    assert fails(formula) is may


# ---------------------------------------------------------------- what must always hold

finite = st.floats(min_value=-1e308, max_value=1e308)


@given(finite)
def test_a_printed_number_is_the_same_number(value):
    printed = printing.plain(number(value))
    assert float(printed) == number(value)
    assert not printed.startswith("+")


@given(finite)
def test_a_number_is_what_openpyxl_would_write(value):
    assert number(value) == float(f"{value:.16g}")
    assert number(number(value)) == number(value)


@given(st.text())
def test_a_text_literal_can_be_read_back(text):
    quoted = printing.quoted(text)
    assert quoted[0] == quoted[-1] == '"'
    assert quoted[1:-1].replace('""', '"') == text
    assert '"' not in quoted[1:-1].replace('""', "")


def test_long_sums_do_not_exhaust_the_stack():
    lines = [p.m[f"line{number}"] for number in range(5000)]
    values = {f"m.line{number}": 1.0 for number in range(5000)}
    assert evaluate(total(*lines), values) == 5000
    assert printing.excel(total(*lines), Cells()).startswith("SUM(m.line0,m.line1,")


@pytest.mark.parametrize("formula", [p.m.a - p.m.b, lift(3), least(p.m.a, p.m.b)])
def test_a_sentence_shows_lines_and_no_formulas(formula):
    assert f"needs {p.m.a}" == "needs {m.a}"
    with pytest.raises(TypeError, match="a sentence shows lines; make the formula a line of its own and name that"):
        f"needs {formula}"  # noqa: B018 - the formatting is what fails
