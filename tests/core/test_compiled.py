"""A compiled ledger gives what the scalar path gives: for every example, every function, every kind of input."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from capframe import (
    CapframeError,
    ChoiceField,
    Given,
    LineItem,
    PickField,
    Section,
    any_of,
    at_most,
    equal,
    every,
    exp,
    first_known,
    greatest,
    least,
    less,
    ln,
    load,
    quantity,
    round_down,
    round_up,
    same,
    sqrt,
    total,
    when,
)
from capframe.expr import Function
from capframe.functions import FUNCTIONS, plain_number

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.[yt]*ml"))
TOLERANCE = 1e-12


def unbounded(ledger):
    """A ledger whose lines have no bounds: what is outside of them is no error of this test."""
    return evolve(ledger, lines={key: evolve(line, low=None, high=None) for key, line in ledger.lines.items()})


def scalars(ledger, rows):
    """The results of the scalar path, each row of inputs as a scenario."""
    names = [f"row{number}" for number in range(len(rows))]
    inputs = {
        key: evolve(one, overrides={name: Given(row[key]) for name, row in zip(names, rows, strict=True) if key in row})
        for key, one in ledger.plan.inputs.items()
    }
    plan = evolve(ledger.plan, scenarios=tuple(names), inputs=inputs)
    return unbounded(evolve(ledger, plan=plan)).evaluate(), names


def assert_same(expected, got, where):
    if expected == "auto":
        assert math.isnan(got), where  # it stands for a number, which it is not
    elif isinstance(expected, str):
        assert got == expected, where
    elif math.isnan(expected):
        assert math.isnan(got), where
    else:
        assert got == pytest.approx(expected, rel=TOLERANCE, abs=0), where


def assert_alike(ledger, rows):
    """Assert that every line and every check of the array path is what the scalar path gives."""
    free = list(rows[0])
    outputs = [*ledger.lines, *(check.key for check in ledger.checks if check.key not in ledger.lines)]
    compiled = ledger.compile(outputs, free)
    arrays = compiled({key: [row[key] for row in rows] for key in free})
    results, names = scalars(ledger, rows)
    for number, name in enumerate(names):
        for key, line in ledger.lines.items():
            where = f"{key} with {rows[number]}"
            if line.over_time:
                for expected, got in zip(results.series(key, name), arrays[key][number], strict=True):
                    assert_same(expected, got, where)
            else:
                assert_same(results.value(key, name), arrays[key][number], where)
        for check in ledger.checks:
            if check.key not in ledger.lines:
                outcome = {1.0: "pass", 0.0: "fail"}.get(arrays[check.key][number], "n/a")
                assert outcome == results.status(check, name).result, f"{check.key} with {rows[number]}"


# ---------------------------------------------------------------- the examples


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.stem)
def example(request):
    return load(request.param).ledger()


def values_of(ledger, key):
    """What may be typed into an input: numbers within its bounds and at them, ``auto``, nothing, texts."""
    about = ledger.plan.inputs[key].field
    if isinstance(about, PickField):
        return st.sampled_from(sorted(ledger.plan.catalog.kinds[about.kind].records))
    if isinstance(about, ChoiceField):
        return st.sampled_from(about.options)
    low = 0.0 if about.low is None else float(about.low)  # as a plan that is read holds it
    high = 1e12 if about.high is None else float(about.high)
    numbers = st.floats(low, high).map(lambda x: float(round(x)) if about.whole else float(f"{x:.16g}"))
    extra = ["auto"] * about.may_be_auto + [math.nan] * about.optional
    return st.one_of(numbers, st.sampled_from([low, high, *extra]))


@given(data=st.data())
def test_arrays_and_scalars_agree_on_every_example(example, data):
    keys = st.lists(st.sampled_from(sorted(example.plan.inputs)), min_size=1, max_size=8, unique=True)
    free = data.draw(keys)
    row = st.fixed_dictionaries({key: values_of(example, key) for key in free})
    assert_alike(example, data.draw(st.lists(row, min_size=1, max_size=3)))


def test_whatever_does_not_depend_on_a_free_input_is_folded():
    ledger = load(EXAMPLES[0].parent / "mozi-70b.yaml").ledger()
    key = "workloads.pretrain.compute.card_hours"
    compiled = ledger.compile([key], ["workloads.pretrain.mfu"])
    # 6 × 70e9 × 1e12 = 4.2e23 FLOP and the peak of 312 TFLOP/s are numbers; left are one product and the division
    assert "4.2e+23" in compiled.source
    assert "312.0" in compiled.source
    hours = compiled({"workloads.pretrain.mfu": [0.4, 0.2]})[key]
    # 4.2e23 / (312e12 × 0.4) / 3600 = 934,829 card-hours
    assert hours == pytest.approx([934_829.06, 2 * 934_829.06], rel=1e-7)


# ---------------------------------------------------------------- every function


@frozen(kw_only=True)
class Numbers:
    """Three free numbers without bounds."""

    a: Given = quantity("1", label="a", default="1")
    b: Given = quantity("1", label="b", default="2")
    c: Given = quantity("1", label="c", default="3")


def lines(p):
    a, b, c = p.free.a, p.free.b, p.free.c
    formulas = {
        "add": a + b, "subtract": a - b, "multiply": a * b * c, "divide": a / b, "back": 1 / (a / b), "power": a**b,
        "up": round_up(a), "down": round_down(a), "least": least(a, b, c), "greatest": greatest(a, b),
        "total": total(a, b, c), "sqrt": sqrt(a), "ln": ln(a), "exp": exp(a), "inverse": 1 / exp(a),
        "less": when(less(a, b), 1, 2), "at_most": when(at_most(a, b), a / c, b),
        "equal": when(equal(a, b), 1, c),
        "every": when(every(less(a, b), less(b, c)), 1, 0), "any": when(any_of(less(a, b), less(b, c)), 1, 0),
        "known": first_known(a / b, c), "same": when(same(when(less(a, b), "Yes", "no"), "yes"), a, b),
    }  # fmt: skip
    for name, formula in formulas.items():
        yield LineItem(p.test[name], formula, "1", label=name)


@pytest.fixture(scope="module")
def mechanics(tmp_path_factory):
    from capframe import Host, hookimpl

    class Plugin:
        @hookimpl
        def capframe_sections(self):
            return [Section("free", Numbers, "Free")]

        @hookimpl
        def capframe_line_items(self, p):
            return list(lines(p))

    path = tmp_path_factory.mktemp("plan") / "plan.yaml"
    path.write_text("capframe: 1\ntitle: A test\ndate: 2026-11-29\n")
    return load(path, host=Host(extra={"test": Plugin()})).ledger()


AWKWARD = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    -0.5,
    121.00000000000001,
    121 + 1e-6,
    1e-300,
    1e300,
    -1e300,
    700.0,
    1e9,
    math.nan,
)


@given(
    rows=st.lists(st.fixed_dictionaries({f"free.{x}": st.sampled_from(AWKWARD) for x in "abc"}), min_size=1, max_size=9)
)
def test_functions_agree_on_awkward_numbers(mechanics, rows):
    assert_alike(mechanics, rows)


def test_too_large_and_divided_by_zero_are_not_available(mechanics):
    compiled = mechanics.compile(["test.power", "test.inverse", "test.back"], ["free.a", "free.b"])
    got = compiled({"free.a": [10, 1e300, 0], "free.b": [2, 2, 0]})
    # 10² = 100, 1e600 is too large, 0^0 has no value; e^1e300 is too large, so its inverse is not 0 but unknown
    assert got["test.power"] == pytest.approx([100, math.nan, math.nan], nan_ok=True)
    assert got["test.inverse"] == pytest.approx([math.exp(-10), math.nan, 1], nan_ok=True)
    assert got["test.back"] == pytest.approx([0.2, 2e-300, math.nan], nan_ok=True)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_a_twin(name):
    from capframe.compiled import twin_of

    assert callable(twin_of(FUNCTIONS[name]))


def test_a_function_without_a_twin_fails_loudly(ledger_of):
    doubled = Function("doubled", lambda x: 2 * x, "2*{0:(}", "2 × {0:(}", plain_number)
    ledger = ledger_of(lambda p: [LineItem(p.x.twice, doubled(p.power.pue), "1", label="Twice")])
    with pytest.raises(CapframeError, match=r"function 'doubled' has no form over arrays"):
        ledger.compile(["x.twice"], ["power.pue"])
    # where nothing below it is free, the scalar path computes it
    assert ledger.compile(["x.twice"], [])()["x.twice"] == [2 * ledger.plan.inputs["power.pue"].base.value]


# ---------------------------------------------------------------- what may be asked


@pytest.fixture(scope="module")
def mozi():
    return load(EXAMPLES[0].parent / "mozi-70b.yaml").ledger()


DAYS, MFU, COUNT, PICK = (
    "workloads.pretrain.compute.days", "workloads.pretrain.mfu", "pools.main.count", "pools.main.accelerator",
)  # fmt: skip


def test_one_value_stands_for_every_row(mozi):
    got = mozi.compile([DAYS], [MFU, COUNT])({MFU: 0.4, COUNT: [1000, 2000, 4000]})[DAYS]
    assert got == pytest.approx([got[0], got[0] / 2, got[0] / 4])


def test_more_rows_than_are_computed_at_a_time(mozi):
    shares = np.linspace(0.1, 0.9, 5001)
    got = mozi.compile([DAYS], [MFU])({MFU: shares})[DAYS]
    assert got * shares == pytest.approx(np.full(5001, got[0] * 0.1))


def test_a_part_may_be_free_and_a_count_auto(mozi):
    compiled = mozi.compile(["pools.main.cards"], [PICK, COUNT])
    cards = compiled({PICK: ["nvidia/a100-sxm4-80gb"] * 3, COUNT: [1000, 1001, "auto"]})["pools.main.cards"]
    # whole servers of eight: 1000, 1008, and what the deadline needs
    assert list(cards[:2]) == [1000, 1008]
    assert cards[2] % 8 == 0


@pytest.mark.parametrize(
    ("outputs", "free", "values", "said"),
    [
        (["workloads.pretrain.compute.day"], [MFU], {}, "did you mean 'workloads.pretrain.compute.days'"),
        ([MFU], [], {}, "is an input; only lines and checks are computed"),
        ([DAYS], [DAYS], {}, "is a line, which its formula computes; free are inputs only"),
        ([DAYS], ["workloads.pretrain.mfv"], {}, f"there is no input 'workloads.pretrain.mfv'; did you mean '{MFU}'"),
        ([DAYS], [MFU], {}, f"free input '{MFU}' has no values"),
        ([DAYS], [MFU], {MFU: 0.4, COUNT: 8}, f"'{COUNT}' is not free"),
        ([DAYS], [MFU, COUNT], {MFU: [0.3, 0.4], COUNT: [8, 16, 24]}, "arrays of different lengths: 2, 3"),
        ([DAYS], [PICK], {PICK: "nvidia/a100-sxm4-80g"}, "did you mean 'nvidia/a100-sxm4-80gb'"),
        ([DAYS], [COUNT], {COUNT: ["many"]}, "'many' cannot be taken"),
        ([DAYS], [MFU], {MFU: [[0.3], [0.4]]}, "not 2 dimensions"),
    ],
)
def test_a_mistake_is_told_with_what_to_write(mozi, outputs, free, values, said):
    with pytest.raises(CapframeError) as fault:
        mozi.compile(outputs, free)(values)
    assert said in str(fault.value)
