"""The timeline: the periods of a plan, and in which order lines over them are evaluated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import frozen

from capframe.errors import CapframeError
from capframe.expr import Expr, OverTime, Previous, Span, children, key_of, refs, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MONTHS = {"month": 1, "quarter": 3, "year": 12}
MOST_PERIODS = 480
YEAR = slice(4)
"""The letters of a period's name that say its year."""
LENGTHS = {"timeline.length": "y", "timeline.years": "1"}
"""The length of a period in years, with its unit and as a plain number; structure, which no scenario changes."""


@frozen
class Timeline:
    """The periods of a plan: their names, and how many months each has."""

    labels: tuple[str, ...] = ()
    months: int = 12

    @property
    def years(self) -> float:
        """The length of a period in years; a month is a twelfth of a year."""
        return self.months / MONTHS["year"]

    @property
    def calendar_years(self) -> tuple[Span, ...]:
        """The periods of each calendar year, of which the first and the last need not be whole.

        There are none where a period is a year itself.
        """
        if self.months == MONTHS["year"]:
            return ()
        years = [label[YEAR] for label in self.labels]
        firsts = {year: years.index(year) for year in dict.fromkeys(years)}
        return tuple(Span(year, first, first + years.count(year) - 1) for year, first in firsts.items())

    def period(self, number: int) -> Span:
        """Return one period, counted from 0, as a span."""
        return Span(self.labels[number], number, number)

    def __len__(self) -> int:
        return len(self.labels)


def timeline(start: str, period: str, periods: str) -> Timeline:
    """Return the periods from ``start`` (``2027-01``) on.

    Raises:
        CapframeError: for a start, a period or a number that is none.
    """
    found = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])", start)
    if not found:
        msg = f"'start' is a month such as 2027-01, not {start!r}"
        raise CapframeError(msg)
    if period not in MONTHS:
        msg = f"'period' is one of {', '.join(MONTHS)}, not {period!r}"
        raise CapframeError(msg)
    count = int(periods) if periods.isdigit() else 0
    if not 1 <= count <= MOST_PERIODS:
        msg = f"'periods' is a number from 1 to {MOST_PERIODS}, not {periods!r}"
        raise CapframeError(msg)
    year, month, step = int(found[1]), int(found[2]), MONTHS[period]
    if (month - 1) % step and period == "quarter":
        msg = f"a quarter starts in month 01, 04, 07 or 10, not in {start!r}"
        raise CapframeError(msg)
    months = [year * 12 + month - 1 + step * number for number in range(count)]
    return Timeline(tuple(_label(at, period, fiscal=month > 1) for at in months), step)


def _label(month: int, period: str, *, fiscal: bool) -> str:
    year, at = divmod(month, 12)
    if period == "quarter":
        return f"{year}Q{at // 3 + 1}"
    if period == "year" and not fiscal:
        return str(year)
    return f"{year}-{at + 1:02d}"


# ---------------------------------------------------------------- what a formula reads, and when


def now(node: Expr) -> Iterator[tuple[str, bool]]:
    """Yield the keys that a formula needs in the same period or before all, and whether it sums them over time."""
    match node:
        case OverTime(line):
            yield key_of(line), True
        case Previous(_, opening):
            yield from now(opening)
        case _:
            below = children(node)
            if not below:
                yield from ((key, False) for key in refs(node))
            for child in below:
                yield from now(child)


def before(node: Expr) -> Iterator[tuple[str, Expr]]:
    """Yield the lines whose previous period a formula reads, with the opening it gives."""
    if isinstance(node, Previous):
        yield key_of(node.line), node.opening
    for child in children(node):
        yield from before(child)


def spans(node: Expr) -> Iterator[Span]:
    """Yield the spans of periods that a formula sums over."""
    return (below.span for below in walk(node) if isinstance(below, OverTime) and below.span is not None)


def stages(formulas: Mapping[str, Expr], given: frozenset[str]) -> tuple[dict[str, int], set[str]]:
    """Return the stage of each line and which lines have a value for each period.

    ``formulas`` stand in an order in which each line follows what it needs now; ``given`` are the inputs by period.
    Within a stage, plain lines come first, then all periods one after the other: a sum over time opens a new stage.

    Raises:
        CapframeError: for a circle that passes through a previous period and a sum over time.
    """
    reads = {key: [(name, summed) for name, summed in now(formula) if name in formulas or name in given]
             for key, formula in formulas.items()}  # fmt: skip
    earlier = {key: [name for name, _ in before(formula)] for key, formula in formulas.items()}
    periodic = set(given)
    for key in formulas:
        if earlier[key] or any(name in periodic and not summed for name, summed in reads[key]):
            periodic.add(key)
    stage = dict.fromkeys(formulas, 0)
    for _ in range(len(formulas) + 1):
        changed = False
        for key in formulas:
            least = max((stage.get(name, 0) + summed for name, summed in reads[key]), default=0)
            least = max(least, *(stage.get(name, 0) for name in earlier[key]), 0)
            if least > stage[key]:
                stage[key], changed = least, True
        if not changed:
            return stage, periodic
    msg = "lines read each other in a circle through a previous period and a sum over time"
    raise CapframeError(msg)
