"""The charts of the Summary, and the figures they are drawn from, which stand below the others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capframe import say
from capframe_plugins.workbook.inputs import stored
from capframe_plugins.workbook.page import NOT_AVAILABLE, Chart, Content, Page, address, letter
from capframe_plugins.workbook.periods import FIRST, TOP
from capframe_plugins.workbook.words import word

if TYPE_CHECKING:
    from capframe import Line
    from capframe_plugins.workbook.layout import Layout

CHART_ROWS = 19
TICKS = 10
"""Above this the ticks of an axis are whole numbers."""


def draw(page: Page, layout: Layout, row: int) -> None:
    """Draw the charts that lines ask for to the right of the figures, and write from ``row`` on what they show."""
    last = FIRST + len(layout.columns) - 1
    for number, (title, lines) in enumerate(asked(layout).items()):
        page.band(row, word("chart_data", layout.language, title), last)
        for line in lines:
            row += 1
            data_row(page, layout, row, line, lines)
        rows = range(row - len(lines) + 1, row + 1)
        place = f"'{page.title}'!"
        page.charts.append(
            Chart(
                title,
                layout.unit(lines[0].key),
                address(TOP - 1 + CHART_ROWS * number, last + 2),
                tuple(f"{place}$A${at}" for at in rows),
                tuple(f"{place}${letter(FIRST)}${at}:${letter(last)}${at}" for at in rows),
                f"{place}${letter(FIRST)}${TOP - 1}:${letter(last)}${TOP - 1}",
                axis_format(layout, lines),
            )
        )
        row += 1


def asked(layout: Layout) -> dict[str, list[Line]]:
    """Return the lines of each chart by its title; those of one chart are stacked."""
    found: dict[str, list[Line]] = {}
    for line in layout.results.ledger.lines.values():
        if line.chart:
            title, scope = say(line.chart, layout.language), layout.results.plan.scope_of(line.key)
            found.setdefault(f"{title}: {scope[1]}" if scope else title, []).append(line)
    return found


def data_row(page: Page, layout: Layout, row: int, line: Line, lines: list[Line]) -> None:
    """Write one part of a stack: where another part is not known it is left out, as a lower bar would say less."""
    form = layout.results.ledger.format(line.key).name
    page.put(row, 1, say(line.label, layout.language), "label")
    page.put(row, 2, layout.unit(line.key), "unit")
    for column, scenario in enumerate(layout.columns):
        cells = [layout.reference(one.key, column) for one in lines]
        known = NOT_AVAILABLE not in [stored(layout.results.value(one.key, scenario)) for one in lines]
        value: Content = stored(layout.results.value(line.key, scenario)) if known else "n/a"
        formula = f'IF(ISNUMBER({"+".join(cells)}),{layout.reference(line.key, column)},"n/a")'
        page.calculate(row, FIRST + column, formula, value, "output", form)
    page.fit(row)


def axis_format(layout: Layout, lines: list[Line]) -> str:
    """Return a number format that tells the ticks of an axis apart."""
    values = [layout.results.value(line.key, name) for line in lines for name in layout.columns]
    highest = max((value for value in values if isinstance(value, float) and math.isfinite(value)), default=0)
    return "#,##0" if highest > TICKS else "#,##0.00"
