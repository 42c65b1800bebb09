"""The timeline: the periods of a plan, and in which order lines over them are evaluated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from capframe.errors import CapframeError, near
from capframe.expr import Expr, Last, OverTime, Previous, Ref, Span, children, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

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

    @property
    def spans(self) -> dict[str, Span]:
        """Every calendar year and every period by its name."""
        return {one.name: one for one in (*self.calendar_years, *map(self.period, range(len(self))))}

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
        quarter = re.fullmatch(r"(\d{4})-?[Qq]([1-4])", start)
        write = f"; write `start: {quarter[1]}-{3 * int(quarter[2]) - 2:02d}`" if quarter else ""
        msg = f"'start' is a month such as 2027-01, not {start!r}{write}"
        raise CapframeError(msg)
    if period not in MONTHS:
        msg = f"'period' is one of {', '.join(MONTHS)}, not {period!r}{near(period, MONTHS)}"
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


@define
class InTime:
    """What a formula reads: keys in the same period or before all, those of the period before, spans that it sums."""

    now: list[tuple[str, bool]] = field(factory=list)
    """Each key, and whether it is summed over time."""
    before: list[tuple[str, Expr]] = field(factory=list)
    """Each line whose previous period is read, with the opening that is given."""
    spans: list[Span] = field(factory=list)
    last: list[str] = field(factory=list)
    """Each line whose last periods are summed, this one among them: it stands in ``now`` too."""


def in_time(formula: Expr) -> InTime:
    """Return what a formula reads, and when."""
    found, left = InTime(), [formula]
    while left:
        node = left.pop()
        match node:
            case Ref():
                found.now.append((key_of(node), False))
            case OverTime(line, span):
                found.now.append((key_of(line), True))
                found.spans += [] if span is None else [span]
            case Last(line, periods):
                found.now.append((key_of(line), False))
                found.last.append(key_of(line))
                left.append(periods)
            case Previous(line, opening):
                found.before.append((key_of(line), opening))
                left.append(opening)
            case _:
                left.extend(reversed(children(node)))
    return found


def stages(lines: Mapping[str, InTime], given: frozenset[str]) -> tuple[dict[str, int], set[str]]:
    """Return the stage of each line and which lines have a value for each period.

    ``lines`` stand in an order in which each line follows what it needs now; ``given`` are the inputs by period.
    Within a stage, plain lines come first, then all periods one after the other: a sum over time opens a new stage.

    Raises:
        CapframeError: for a circle that passes through a previous period and a sum over time.
    """
    reads = {
        key: [(name, summed) for name, summed in times.now if name in lines or name in given]
        for key, times in lines.items()
    }
    earlier = {key: [name for name, _ in times.before] for key, times in lines.items()}
    periodic = set(given)
    for key in lines:
        if earlier[key] or any(name in periodic and not summed for name, summed in reads[key]):
            periodic.add(key)
    stage = dict.fromkeys(lines, 0)
    for _ in range(len(lines) + 1):
        changed = False
        for key in lines:
            least = max((stage.get(name, 0) + summed for name, summed in reads[key]), default=0)
            least = max(least, *(stage.get(name, 0) for name in earlier[key]), 0)
            if least > stage[key]:
                stage[key], changed = least, True
        if not changed:
            return stage, periodic
    msg = "lines read each other in a circle through a previous period and a sum over time"
    raise CapframeError(msg)
