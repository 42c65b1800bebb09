"""The timeline: which periods a year has, and sums over some of the periods in every reading."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe import Check, LineItem, Ref, Span, at_most, last, over_time, previous
from capframe.errors import PlanError
from capframe.expr import sum_of_last
from capframe.timeline import timeline

p = Ref("")

YEARS = {
    "whole years of quarters": (("2027-01", "quarter", "8"), [("2027", 0, 3), ("2028", 4, 7)]),
    "a year that begins in autumn": (("2027-10", "quarter", "6"), [("2027", 0, 0), ("2028", 1, 4), ("2029", 5, 5)]),
    "months, the last year cut short": (("2027-01", "month", "14"), [("2027", 0, 11), ("2028", 12, 13)]),
    "within one year": (("2027-04", "month", "3"), [("2027", 0, 2)]),
    "a period is a year": (("2027-01", "year", "3"), []),
    "a business year": (("2027-04", "year", "3"), []),
}


@pytest.mark.parametrize(("said", "years"), YEARS.values(), ids=YEARS)
def test_calendar_years(said, years):
    assert [(year.name, year.first, year.last) for year in timeline(*said).calendar_years] == years


def test_a_period_has_its_name():
    assert timeline("2027-10", "quarter", "6").period(1) == Span("2028Q1", 1, 1)


PLAN = "timeline: {start: 2027-01, period: quarter, periods: 6}\ncash: {delivered: [10%, 20%, 30%, 40%, 0%, 0%]}\n"


def counted(plan, p):
    """Yield a line that counts the periods, and its sums: of all, of each year, and at the end of each year."""
    yield LineItem(p.own.count, previous(p.own.count, 0) + 1, "1", label={"en": "Count", "zh": "计数"})
    yield LineItem(p.own.all, over_time(p.own.count), "1", label="All")
    for year in plan.timeline.calendar_years:
        end = plan.timeline.period(year.last)
        yield LineItem(p.own[f"in_{year.name}"], over_time(p.own.count, year), "1", label="Year")
        yield LineItem(p.own[f"end_{year.name}"], over_time(p.own.count, end), "1", label="End")
        yield LineItem(p.own[f"share_{year.name}"], over_time(p.cash.delivered, year), "1", label="Share")


SUMS = {
    "own.all": 21,  # 1 + 2 + 3 + 4 + 5 + 6
    "own.in_2027": 10,  # 1 + 2 + 3 + 4
    "own.in_2028": 11,  # 5 + 6
    "own.end_2027": 4,
    "own.end_2028": 6,
    "own.share_2027": 1.0,  # 10 % + 20 % + 30 % + 40 %
    "own.share_2028": 0.0,
}


@pytest.mark.parametrize("key", SUMS)
def test_sums_over_some_periods(ledger_of, key):
    ledger = ledger_of(counted, PLAN)
    assert ledger.evaluate().value(key) == pytest.approx(SUMS[key], rel=1e-12)
    assert ledger.compile([key], [])()[key] == pytest.approx(SUMS[key], rel=1e-12)


def test_a_free_input_counts_once_in_each_period_of_the_span(ledger_of):
    compiled = ledger_of(counted, PLAN).compile(["own.share_2027", "own.share_2028"], ["cash.delivered"])
    found = compiled({"cash.delivered": [0.25, 0.5]})
    assert list(found["own.share_2027"]) == [1.0, 2.0]  # four quarters
    assert list(found["own.share_2028"]) == [0.5, 1.0]  # two


WORDS = {
    "own.all": ("Σ over time of Count", "各期 计数 之和"),
    "own.in_2027": ("Σ over 2027 of Count", "2027 各期 计数 之和"),
    "own.end_2027": ("Count in 2027Q4", "2027Q4 的 计数"),
}


@pytest.mark.parametrize("key", WORDS)
def test_sums_in_words(ledger_of, key):
    ledger = ledger_of(counted, PLAN)
    assert (ledger.formula_in_words(key), ledger.formula_in_words(key, "zh-CN")) == WORDS[key]


@pytest.mark.parametrize("span", [Span("late", 5, 6), Span("early", -1, 2), Span("backwards", 3, 2)])
def test_periods_that_are_not_there_are_refused(ledger_of, span):
    def lines(p):
        yield LineItem(p.own.count, previous(p.own.count, 0) + 1, "1", label="Count")
        yield LineItem(p.own.sum, over_time(p.own.count, span), "1", label="Sum")

    said = f"sums over periods {span.first} to {span.last} of 6; the first is 0"
    with pytest.raises(PlanError, match=said):
        ledger_of(lines, PLAN)


# ---------------------------------------------------------------- the last so many periods

# what came in 8 periods, how many of them count, and the sum at each: 0.5 of a period counts its value by half
LAST = {
    "one": ([1, 2, 4, 8], 1, [1, 2, 4, 8]),
    "two": ([1, 2, 4, 8], 2, [1, 1 + 2, 2 + 4, 4 + 8]),
    "two and a half": ([1, 2, 4, 8], 2.5, [1, 1 + 2, 0.5 + 2 + 4, 0.5 * 2 + 4 + 8]),
    "more than there are": ([1, 2, 4, 8], 9, [1, 3, 7, 15]),
    "less than one": ([1, 2, 4, 8], 0.25, [0.25, 0.5, 1, 2]),
    "none": ([1, 2, 4, 8], 0, [0, 0, 0, 0]),
    "below zero": ([1, 2, 4, 8], -1, [0, 0, 0, 0]),
    "not known from the third on": ([1, 2, math.nan, 8], 1, [1, 2, math.nan, math.nan]),  # as SUMPRODUCT has it
    "a number that is not known": ([1, 2], math.nan, [math.nan, math.nan]),
}


@pytest.mark.parametrize(("values", "periods", "sums"), LAST.values(), ids=LAST)
def test_sums_of_the_last_periods(values, periods, sums):
    found = [sum_of_last(values[: period + 1], periods) for period in range(len(values))]
    assert found == pytest.approx(sums, rel=1e-15, nan_ok=True)


@given(st.integers(1, 12), st.floats(0.1, 12))
def test_what_comes_counts_for_as_long_as_it_lasts(at, periods):
    """A thing that comes once counts in each of so many periods: in all it is that number of periods."""
    values = [float(period == at) for period in range(30)]
    assert sum(sum_of_last(values[: period + 1], periods) for period in range(30)) == pytest.approx(periods, rel=1e-12)


def lately(p):
    yield LineItem(p.own.count, previous(p.own.count, 0) + 1, "1", label={"en": "Count", "zh": "计数"})
    yield LineItem(p.own.many, p.cash.discount_rate * 25, "1", label={"en": "Many", "zh": "期数"})
    yield LineItem(p.own.few, last(p.own.count, 2), "1", label="Few")
    yield LineItem(p.own.some, last(p.own.count, p.own.many), "1", label="Some")
    yield LineItem(p.own.typed, last(p.cash.delivered, p.own.many), "1", label="Typed")
    yield LineItem(p.own.all_of_it, over_time(p.own.few), "1", label="Sum")


LATELY = {
    "own.few": [1, 3, 5, 7, 9, 11],  # 1, 1 + 2, 2 + 3, 3 + 4, …
    "own.some": [1, 3, 5.5, 8, 10.5, 13],  # 2.5 periods: 0.5 × 1 + 2 + 3 in the third, 0.5 × 2 + 3 + 4 in the fourth
    "own.typed": [0.1, 0.3, 0.55, 0.8, 0.55, 0.2],  # in the third 5 % + 20 % + 30 %, in the last half of 40 %
}


@pytest.mark.parametrize("key", LATELY)
@pytest.mark.parametrize("free", [[], ["cash.discount_rate"]], ids=["fixed", "free"])
def test_the_last_periods_in_lines_and_arrays(ledger_of, key, free):
    ledger = ledger_of(lately, PLAN.replace("cash: {", "cash: {discount_rate: 10%, "))
    assert ledger.evaluate().series(key) == pytest.approx(LATELY[key], rel=1e-12)
    found = ledger.compile([key, "own.all_of_it"], free)({name: [0.1, 0.1] for name in free})
    for row in found[key]:
        assert list(row) == pytest.approx(LATELY[key], rel=1e-12)
    assert found["own.all_of_it"] == pytest.approx([36.0] * len(found["own.all_of_it"]), rel=1e-12)


def test_a_free_input_by_period_counts_in_each_of_the_last(ledger_of):
    ledger = ledger_of(lately, PLAN.replace("cash: {", "cash: {discount_rate: 10%, "))
    found = ledger.compile(["own.typed"], ["cash.delivered"])({"cash.delivered": [0.1, 0.2]})
    assert found["own.typed"][1] == pytest.approx([0.2, 0.4, 0.5, 0.5, 0.5, 0.5], rel=1e-12)  # 1, 2 and then 2.5 × 20 %


def test_the_last_periods_in_words(ledger_of):
    ledger = ledger_of(lately, PLAN)
    assert ledger.formula_in_words("own.some") == (
        "Σ of Count over the last periods (number: Many; the earliest in part)"
    )
    assert ledger.formula_in_words("own.some", "zh-CN") == "最近若干期 计数 之和(期数: 期数; 最早一期按比例计)"


def test_the_last_periods_of_what_has_none_are_refused(ledger_of):
    def lines(p):
        yield LineItem(p.own.plain, p.cash.discount_rate * 2, "1", label="Plain")
        yield LineItem(p.own.sum, last(p.own.plain, 2), "1", label="Sum")

    with pytest.raises(PlanError, match=r"sums 'own\.plain' over time, which has no value by period"):
        ledger_of(lines, PLAN)


def test_how_many_of_the_last_periods_is_a_plain_number(ledger_of):
    def lines(p):
        yield LineItem(p.own.sum, last(p.cash.delivered, p.timeline.length), "1", label="Sum")

    with pytest.raises(PlanError, match="y is not 1"):
        ledger_of(lines, PLAN)


def test_a_check_has_no_last_periods(read_plan, plugin_of):
    test = at_most(last(p.cash.delivered, 2), 1)
    check = Check(p.own.calm, test, "error", {"en": "no", "zh": "否"}, label={"en": "Calm", "zh": "平稳"})
    with pytest.raises(PlanError, match=r"reads 'cash\.delivered', which has a value by period"):
        read_plan(PLAN, extra={"own": plugin_of(checks=[check])}).ledger()
