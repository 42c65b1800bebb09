"""The timeline: which periods a year has, and sums over some of the periods in every reading."""

from __future__ import annotations

import pytest

from capframe import LineItem, Ref, Span, over_time, previous
from capframe.errors import PlanError
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
