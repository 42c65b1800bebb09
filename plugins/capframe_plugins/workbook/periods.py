"""Where lines over time stand: a block for each scenario, a row for each line, a column for each period."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from capframe import Results

FIRST = 3
"""The first value column: label and unit stand before it."""
TOP = 5
"""The first row below the column titles."""
NUMBERS = TOP - 2
"""The row of the Timeline that counts the periods."""


@frozen
class Time:
    """The blocks of the Timeline: the opening stands before the periods, the total behind them."""

    periods: tuple[str, ...]
    inputs: tuple[str, ...]
    offsets: dict[str, int]
    """Every key with a value by period: inputs first, then lines in the order of evaluation."""
    scenarios: int

    @property
    def first(self) -> int:
        """The first row that look-ups search."""
        return TOP

    @property
    def last(self) -> int:
        """The last row that look-ups search."""
        return TOP + self.scenarios * self.height - 1

    @property
    def height(self) -> int:
        """The rows of a block, its heading and a blank row included."""
        return len(self.offsets) + 2

    @property
    def total_column(self) -> int:
        """The column of sums over time."""
        return FIRST + 1 + len(self.periods)

    @property
    def key_column(self) -> int:
        """The column that holds scenario and key."""
        return self.total_column + 4

    def column(self, period: int) -> int:
        """Return the column of a period; -1 is the opening."""
        return FIRST + 1 + period

    def heading(self, scenario: int) -> int:
        """Return the row of a block's heading."""
        return TOP + scenario * self.height

    def row(self, key: str, scenario: int) -> int:
        """Return the row of a key in the block of a scenario."""
        return self.heading(scenario) + 1 + self.offsets[key]

    def typed_row(self, key: str, scenario: int) -> int:
        """Return the row where an input by period is typed for a scenario."""
        return TOP + self.inputs.index(key) * self.scenarios + scenario


def time_of(results: Results) -> Time:
    """Return where the lines over time of a plan stand."""
    plan = results.plan
    inputs = tuple(key for key, one in plan.inputs.items() if one.by_period) if plan.timeline else ()
    lines = [line.key for line in results.ledger.lines.values() if line.over_time]
    offsets = {key: number for number, key in enumerate([*inputs, *lines])}
    return Time(plan.timeline.labels, inputs, offsets, len(results.columns))
