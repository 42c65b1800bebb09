"""Money over time: what is paid, what is written off and what is left, period by period or year by year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import figure
from capframe_plugins.brief.markdown import Markdown, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe_plugins.brief.reader import Reader

MONEY = ("cash.paid", "cash.depreciation", "cash.book_value")
WORTH = ("cash.total", "cash.net_present_cost")
MOST_ROWS = 12
"""Of more periods only the years are shown."""


def over_time(r: Reader) -> Table:
    """Return the money of base over time: its periods, unless there are too many, then its years."""
    keys = [key for key in MONEY if key in r.ledger.lines and r.ledger.lines[key].over_time]
    if not keys:
        return Table((), ())
    currency = r.currency
    head = [r.words("period"), *(r.words("in_currency", label=r.label(key), currency=currency) for key in keys)]
    years = by_year(r, keys)
    rows = years if years and len(r.plan.timeline) > MOST_ROWS else [*by_period(r, keys), *years]
    r.printed.update(keys)
    return Table(head, rows, figures=range(1, len(head)))


def by_period(r: Reader, keys: list[str]) -> list[list[str]]:
    """Return a row for each period."""
    columns = [[figure(value, r.ledger.format(key)) for value in r.results.series(key)] for key in keys]
    return [list(row) for row in zip(r.plan.timeline.labels, *columns, strict=True)]


def by_year(r: Reader, keys: list[str]) -> list[list[str]]:
    """Return a row for each year that has lines of its own: where periods are shorter."""
    years = [year.name for year in r.plan.timeline.calendar_years]
    lines = {year: [f"{key}.year_{year}" for key in keys] for year in years}
    return [[year, *map(r.figure, of)] for year, of in lines.items() if all(map(r.has, of))]


def worth(r: Reader) -> Iterator[Markdown]:
    """Yield what is paid in all, and what that is worth at the start, in base."""
    said = [r.words("said", label=r.label(key), figure=r.shown(key)) for key in WORTH if r.known(key)]
    if said:
        yield r.words("sentence", things=r.words.joined(said))
