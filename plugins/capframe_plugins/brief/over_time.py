"""Money over time: what is paid, what is written off and what is left, period by period or year by year."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capframe import figure
from capframe_plugins.brief.markdown import Markdown, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe_plugins.brief.reader import Reader

FLOWS = ("cash.paid", "cash.depreciation")
STOCKS = ("cash.book_value",)
WORTH = ("cash.total", "cash.net_present_cost")
MOST_ROWS = 12
"""Beyond so many periods the table goes by years."""
YEAR = 4
"""The letters of a period's name that say its year."""


def over_time(r: Reader) -> Table:
    """Return the money of base over time: flows are summed over a year, of stocks its end counts."""
    keys = [key for key in (*FLOWS, *STOCKS) if key in r.ledger.lines and r.ledger.lines[key].over_time]
    if not keys:
        return Table((), ())
    currency = r.plan.header.currency
    head = [r.words("period"), *(r.words("in_currency", label=r.label(key), currency=currency) for key in keys)]
    rows = [[name, *(cell(r, key, first, last) for key in keys)] for name, first, last in spans(r)]
    r.printed.update(keys)
    return Table(head, rows, figures=range(1, len(head)))


def spans(r: Reader) -> list[tuple[str, int, int]]:
    """Return the rows of the table: each a name, its first period, and the one after its last."""
    labels = r.plan.timeline.labels
    if len(labels) <= MOST_ROWS or r.plan.timeline.years == 1:
        return [(label, at, at + 1) for at, label in enumerate(labels)]
    years = [label[:YEAR] for label in labels]
    return [(year, years.index(year), years.index(year) + years.count(year)) for year in dict.fromkeys(years)]


def cell(r: Reader, key: str, first: int, last: int) -> str:
    """Return the figure of a line in a row."""
    values = [value for value in r.results.series(key)[first:last] if not isinstance(value, str)]
    return figure(values[-1] if key in STOCKS else math.fsum(values), r.ledger.format(key))


def worth(r: Reader) -> Iterator[Markdown]:
    """Yield what is paid in all, and what that is worth at the start, in base."""
    said = [r.words("said", label=r.label(key), figure=r.shown(key)) for key in WORTH if r.known(key)]
    if said:
        yield r.words("sentence", things=r.words.joined(said))
