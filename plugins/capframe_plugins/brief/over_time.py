"""Money over time: what is paid, what is written off and what is left, period by period or year by year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import figure
from capframe_plugins.brief.markdown import Markdown, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe_plugins.brief.reader import Reader

MONEY = ("cash.paid", "cash.depreciation", "cash.book_value")
WORTH = ("cash.total", "cash.net_present_cost")
MOST_ROWS = 12
"""Of more periods only the years are shown."""


@frozen
class Stretch:
    """One table of money over time, so that no column holds an amount twice; its title where there are two."""

    title: Markdown
    table: Table


def over_time(r: Reader) -> list[Stretch]:
    """Return the money of base over time: its years, and its periods where they are shorter and not too many."""
    keys = [key for key in MONEY if key in r.ledger.lines and r.ledger.lines[key].over_time]
    if not keys:
        return []
    r.printed.update(keys)
    head = [r.words("period"), *(r.words("in_currency", label=r.label(key), currency=r.currency) for key in keys)]
    years, periods = by_year(r, keys), by_period(r, keys)
    if not years:
        return [Stretch(Markdown(), Table(head, periods, figures=range(1, len(head))))]
    found = {"by_year": years} | ({"by_period": periods} if len(periods) <= MOST_ROWS else {})
    return [
        Stretch(r.words(title) if len(found) > 1 else Markdown(), Table(head, rows, figures=range(1, len(head))))
        for title, rows in found.items()
    ]


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
