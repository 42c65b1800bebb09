"""Two thousand random formulas, printed for Excel and recalculated: calculators must say what Python says.

The sample is the same in every run (``SEED``). What calculators are known to get wrong, or to round differently, is
left out by ``is_fair``: 0^0, fractional powers of negative numbers, over- and underflow, and results that hang on the
last digit of a double (a difference of nearly equal numbers, a rounding or a comparison at the very edge of its guard).
"""

from __future__ import annotations

import math
import os
import random
from collections import Counter

import pytest
from openpyxl import Workbook

from capframe import Given, Kind, Ref, entry, fact, printing
from capframe.catalog import Column, Record
from capframe.document import Place
from capframe.evaluation import evaluate, usable
from capframe.expr import Call, LookUp, Member, Missing, Num, Op, Text, children, walk
from capframe.fields import TextField
from capframe.functions import FUNCTIONS, GUARD, tolerance
from capframe.recalculate import by_formualizer, by_libreoffice, find_soffice
from capframe.units import ONE

SEED, COUNT, LONGEST = 20261129, 2000, 4000
ERRORS = 0.2  # of the formulas without a value are kept: most of what is written at random has none
TINY, HUGE = 1e-150, 1e150
CLOSE = 1e-3  # operands closer to each other than this lose too many digits in their difference

needs_libreoffice = pytest.mark.skipif(
    find_soffice() is None and not os.environ.get("CI"), reason="LibreOffice (soffice) is not installed"
)

# ---------------------------------------------------------------- what formulas read

NAN = math.nan
NUMBERS = {
    "m.zero": 0.0, "m.one": 1.0, "m.two": 2.0, "m.cards": 1000.0, "m.per": 8.0, "m.share": 0.4, "m.pue": 1.25,
    "m.minus": -3.0, "m.loss": -0.125, "m.tokens": 1e12, "m.flops": 4.2e23, "m.small": 1e-9, "m.none": NAN,
    "m.days": 38.951210826210826,
}  # fmt: skip
TEXTS = {"m.bf16": "bf16", "m.BF16": "BF16", "m.cooling": "Liquid", "m.note": 'say "fp8"', "m.unknown": NAN}
PICKS = {"m.pick1": "nv/one", "m.pick2": "nv/two", "m.lost": "nv/none"}
GIVEN = {"m.asked": "auto", "m.given": 0.38}
VALUES = NUMBERS | TEXTS | PICKS | GIVEN
COLUMNS = ("memory", "peak.bf16", "peak.fp8", "form")
FACTS = {"nv/one": (80.0, 312.0, NAN, "SXM"), "nv/two": (141.0, 989.5, 1979.0, NAN)}
PRICES = {"nv/one": 75000.0, "nv/two": "auto"}


KIND = Kind(
    "part",
    {name: Column(name, TextField(label=name), ONE, name) for name in COLUMNS},
    records={
        part: Record(part, part, "", dict(zip(COLUMNS, map(Given, facts), strict=True)), "test", Place("", 1, 1))
        for part, facts in FACTS.items()
    },
)


class Scope:
    """What evaluation asks for."""

    def __getitem__(self, key):
        group, _, part = key.partition(".")
        return PRICES[part] if group == "prices" else VALUES[key]

    def fact(self, pick, column):
        return KIND.fact(VALUES[pick], column).value


class Sheets:
    """Where all that stands in the workbook: what printing asks for."""

    rows = {key: row for row, key in enumerate(VALUES, 1)}  # noqa: RUF012 - one table, never changed

    def cell(self, key):
        return f"Inputs!$B${self.rows[key]}"

    def fact(self, pick, column):
        row = f"MATCH({self.cell(pick)},Facts!$A$2:$A$3,0)"
        return f"INDEX(Facts!$B$2:$E$3,{row},MATCH({column},Facts!$B$1:$E$1,0))"

    def member(self, group, pick):
        assert group == "prices"
        return f"INDEX(Prices!$B$1:$B$2,MATCH({self.cell(pick)},Prices!$A$1:$A$2,0),1)"


def workbook(formulas, path):
    book = Workbook()
    inputs, facts, prices = book.active, book.create_sheet("Facts"), book.create_sheet("Prices")
    inputs.title = "Inputs"
    for row in VALUES.items():
        inputs.append(cells(row))
    facts.append(["id", *COLUMNS])
    for part, values in FACTS.items():
        facts.append(cells([part, *values]))
    for row in PRICES.items():
        prices.append(row)
    sheet = book.create_sheet("Formulas")
    for row, formula in enumerate(formulas, 1):
        sheet.cell(row, 1, "=" + printing.excel(formula, Sheets()))
    book.save(path)
    return path


def cells(values):
    return ["=NA()" if value != value else value for value in values]  # noqa: PLR0124 - not available


# ---------------------------------------------------------------- the sample


class Writer:
    """Writes formulas at random, of the right types: numbers, texts, comparisons."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def one_of(self, *makers):
        return self.chance.choice(makers)()

    def several(self, make, depth, least=1, most=4):
        return [make(depth) for _ in range(self.chance.randint(least, most))]

    def formula(self):
        depth = self.chance.randint(1, 4)
        make = self.chance.choices([self.number, self.test, self.text], [8, 2, 1])[0]
        return make(depth)

    def literal(self):
        kind = self.chance.randrange(5)
        return Num([
            self.chance.randint(-5, 12),
            self.chance.choice([1, 2, 1000, 3600, 8760, 1e15, 4.2e23, 1e-7]),
            round(self.chance.uniform(-10, 10), self.chance.randint(0, 4)),
            self.chance.uniform(0, 1),
            10.0 ** self.chance.randint(-6, 12),
        ][kind])  # fmt: skip

    def number(self, depth):
        if depth == 0 or self.chance.random() < 0.1:  # noqa: PLR2004 - some branches end early
            return self.chance.choices(
                [
                    self.literal,
                    lambda: Ref(self.chance.choice([*NUMBERS])),
                    lambda: fact(self.pick(), self.chance.choice(["memory", "peak.bf16"])),
                    lambda: Missing("not known"),
                ],
                [10, 10, 4, 2],
            )[0]()
        at = depth - 1
        return self.one_of(
            lambda: self.operation(at), lambda: self.operation(at), lambda: self.operation(at),
            lambda: FUNCTIONS[self.chance.choice(["round_up", "round_down", "sqrt", "ln", "exp"])](self.number(at)),
            lambda: FUNCTIONS[self.chance.choice(["least", "greatest"])](*self.several(self.number, at)),
            lambda: FUNCTIONS["total"](*self.several(self.number, at, 2, 5)),
            lambda: FUNCTIONS["when"](self.test(at), self.number(at), self.number(at)),
            lambda: FUNCTIONS["first_known"](self.number(at), self.number(at)),
            lambda: FUNCTIONS[self.chance.choice(["known_or_zero", "unknown"])](self.number(at)),
            lambda: FUNCTIONS["either"](self.given(), self.number(at)),
            lambda: fact(self.pick(), "peak", by=self.text(at)),
        )  # fmt: skip

    def operation(self, depth):
        sign = self.chance.choice("+-*/^")
        if sign == "^" and self.chance.random() < 0.5:  # noqa: PLR2004 - small whole powers are the usual ones
            return Op("^", self.number(depth), Num(self.chance.randint(-3, 4)))
        return Op(sign, self.number(depth), self.number(depth))

    def given(self):
        return self.one_of(
            lambda: Ref(self.chance.choice([*GIVEN, "m.share", "m.none"])),
            lambda: entry("prices", Ref(self.chance.choice(["m.pick1", "m.pick2"]))),
        )

    def pick(self):
        return Ref(self.chance.choice([*PICKS]))

    def test(self, depth):
        at = max(depth - 1, 0)
        return self.one_of(
            lambda: FUNCTIONS[self.chance.choice(["less", "at_most", "equal"])](self.number(at), self.number(at)),
            lambda: FUNCTIONS[self.chance.choice(["less", "at_most", "equal"])](*[self.number(at)] * 2),
            lambda: FUNCTIONS["same"](self.text(at), self.text(at)),
            lambda: FUNCTIONS["known"](self.number(at)),
            lambda: FUNCTIONS[self.chance.choice(["every", "any_of"])](
                *self.several(self.test, at) if depth else [self.test_leaf()]
            ),
        )

    def test_leaf(self):
        return FUNCTIONS["same"](self.text(0), self.text(0))

    def text(self, depth):
        if depth == 0:
            return self.one_of(
                lambda: Text(
                    self.chance.choice(["bf16", "BF16", "fp8", "liquid", 'say "fp8"', 'SAY "FP8"', "a,b", "=1"])
                ),
                lambda: Ref(self.chance.choice([*TEXTS])),
                lambda: fact(self.pick(), "form"),
            )
        at = depth - 1
        return self.one_of(
            lambda: self.text(0),
            lambda: FUNCTIONS["when"](self.test(at), self.text(at), self.text(at)),
            lambda: FUNCTIONS["first_known"](self.text(at), self.text(at)),
        )


def is_fair(formula):
    """Tell whether calculators can be held to a formula: every step of it is well-conditioned, whether taken or not."""
    return all(map(is_fair_step, walk(formula))) and len(printing.excel(formula, Sheets())) < LONGEST


def is_fair_step(node):
    value, below = evaluate(node, Scope()), [evaluate(child, Scope()) for child in children(node)]
    if isinstance(value, float) and not (value == 0 or math.isnan(value) or TINY < abs(value) < HUGE):
        return False
    match node:
        case Op(sign) if all(map(usable, below)):
            return is_fair_sign(sign, node, value, *below)
        case Call(function) if all(map(usable, below)):
            return is_fair_call(function.name, value, below)
    return True


def is_fair_sign(sign, node, value, a, b):
    if sign in "+-":
        exact = node.left == node.right or not (children(node.left) or children(node.right))
        return (exact and value == 0) or abs(value) >= CLOSE * max(abs(a), abs(b))
    if sign == "/":
        return usable(value) or b == 0
    if a == 0:
        return b != 0
    whole = float(b).is_integer() and not children(node.right)
    return usable(value) and value != 0 and abs(b) < 1 / CLOSE and (a > 0 or whole)


def is_fair_call(name, value, below):
    if name == "total":
        return usable(value) and abs(value) >= CLOSE * max(map(abs, below))
    if name in {"round_up", "round_down"}:
        guarded = below[0] * (1 - GUARD if name == "round_up" else 1 + GUARD)
        return usable(value) and (guarded == 0 or abs(guarded - round(guarded)) > 1e-12 * abs(guarded))
    if name in {"less", "at_most", "equal"}:
        largest = max(map(abs, below))
        return abs(abs(below[0] - below[1]) - tolerance(*below)) > 1e-3 * GUARD * largest or largest == 0
    if name == "ln":
        return not usable(value) or value == 0 or abs(value) > CLOSE
    return name != "exp" or usable(value)


def sample(seed, count):
    """Return fair formulas, most of them with a value."""
    writer, fair = Writer(seed), {}
    while len(fair) < count:
        formula = writer.formula()
        worth_it = usable(evaluate(formula, Scope())) or writer.chance.random() < ERRORS
        if worth_it and is_fair(formula):
            fair[formula] = None  # each once
    return list(fair)


@pytest.fixture(scope="module")
def formulas():
    return sample(SEED, COUNT)


@pytest.fixture(scope="module")
def written(formulas, tmp_path_factory):
    return workbook(formulas, tmp_path_factory.mktemp("random") / "formulas.xlsx")


def test_the_sample_goes_through_every_node_function_and_outcome(formulas):
    nodes = [node for formula in formulas for node in walk(formula)]
    calls = Counter(node.function.name for node in nodes if isinstance(node, Call))
    signs = Counter(node.sign for node in nodes if isinstance(node, Op))
    kinds = Counter(type(node) for node in nodes)
    outcomes = Counter(kind(evaluate(formula, Scope())) for formula in formulas)
    assert set(calls) == set(FUNCTIONS)
    assert min(calls.values()) > 50
    assert min(signs[sign] for sign in "+-*/^") > 50
    assert min(kinds[one] for one in (Num, Text, Ref, Missing, LookUp, Member)) > 50
    assert min(outcomes[one] for one in ("number", "error", "text", "boolean")) > 50
    assert len(set(formulas)) == COUNT


def kind(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "error" if value.startswith(("#", "Err:")) else "text"
    return "blank" if value is None else "number" if math.isfinite(value) else "error"


def disagreements(formulas, cells):
    """Return what a calculator finds other than Python: the formula, its Excel text, both values."""
    found = []
    for row, formula in enumerate(formulas, 1):
        ours, theirs = evaluate(formula, Scope()), cells["Formulas"][f"A{row}"]
        if not agree(formula, ours, theirs):
            found.append((row, printing.excel(formula, Sheets()), ours, theirs))
    return found


def agree(formula, ours, theirs):
    if kind(ours) != kind(theirs):
        return False
    if kind(ours) == "number":
        # a difference is as exact as its larger operand, not as itself
        operands = [evaluate(child, Scope()) for child in children(formula)] if isinstance(formula, Op) else []
        largest = max([abs(one) for one in operands if kind(one) == "number"], default=0)
        scale = largest if isinstance(formula, Op) and formula.sign in "+-" else 0
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9 * scale)
    return kind(ours) == "error" or ours == theirs


def test_formualizer_says_what_python_says(formulas, written):
    assert disagreements(formulas, by_formualizer(written)) == []


@needs_libreoffice
def test_libreoffice_says_what_python_says(formulas, written):
    [cells] = by_libreoffice([written])
    assert disagreements(formulas, cells) == []


DEFECTS = {
    "no brackets": ("shut", lambda text, *_, **__: text),
    "numbers cut to four digits": ("plain", lambda value: f"{value:.4g}"),
    "quotes not doubled": ("quoted", lambda text: '"' + text.replace('"', "'") + '"'),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_printing_would_be_found(formulas, tmp_path, monkeypatch, name):
    monkeypatch.setattr(printing, *DEFECTS[name])
    assert len(disagreements(formulas, by_formualizer(workbook(formulas, tmp_path / "defect.xlsx")))) > 10
