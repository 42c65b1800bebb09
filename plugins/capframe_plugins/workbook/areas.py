"""The pages of what is computed: one sheet for each area, one row for each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import Line, OverTime, Ref, excel, fails, key_of, say
from capframe_plugins.workbook.inputs import stored
from capframe_plugins.workbook.page import Page, address, letter, width_of
from capframe_plugins.workbook.periods import FIRST, TOP
from capframe_plugins.workbook.words import word

if TYPE_CHECKING:
    from capframe_plugins.workbook.flow import Block
    from capframe_plugins.workbook.layout import Layout


def area_page(layout: Layout, area: str, blocks: list[Block]) -> Page:
    """Return the sheet of one area."""
    language, columns = layout.language, layout.columns
    widths = [42, 16, *[room_for_texts(layout, blocks)] * len(columns), 66, 50, 12, 50]
    page = Page(layout.titles[area], "calculation", widths, frozen=address(TOP, FIRST))
    page.printed = letter(FIRST + len(columns) + 1)
    page.heading(layout.titles[area], word("area_about", language))
    page.titles(
        TOP - 1,
        [
            *(word(name, language) for name in ("item", "unit")),
            word("base", language),
            *columns[1:],
            *(word(name, language) for name in ("how", "source", "plugin", "key")),
        ],
    )
    for block in blocks:
        page.band(layout.rows[block.keys[0]] - 1, block.title, len(widths))
        for key in block.keys:
            line_row(page, layout, area, layout.results.ledger.lines[key])
    last = max(layout.rows[block.keys[-1]] for block in blocks)
    page.grey_errors.append(f"{address(TOP, FIRST)}:{address(last, FIRST + len(columns) - 1)}")
    return page


def room_for_texts(layout: Layout, blocks: list[Block]) -> float:
    """Return the width of a column of figures in which the longest text is not cut, such as the id of a part."""
    results = layout.results
    values = (results.value(key, scenario) for block in blocks for key in block.keys for scenario in layout.columns)
    return max([20, *(width_of(value) + 3 for value in values if isinstance(value, str))])


def line_row(page: Page, layout: Layout, area: str, line: Line) -> None:
    """Write one line: the same formula in every column."""
    row, results = layout.rows[line.key], layout.results
    form = results.ledger.format(line.key).name
    page.put(row, 1, say(line.label, layout.language), "label")
    page.put(row, 2, layout.unit(line.key), "unit")
    role = "link" if is_link(layout, line) else "calc"
    for column, scenario in enumerate(layout.columns):
        formula = excel(line.formula, layout.printer(area, column))
        if fails(line.formula):
            formula = f"IFERROR({formula},NA())"
        page.calculate(row, FIRST + column, formula, stored(results.value(line.key, scenario)), role, form)
    after = FIRST + len(layout.columns)
    page.put(row, after, results.ledger.formula_in_words(line.key, layout.language), "words")
    page.put(row, after + 1, say(line.source, layout.language), "note")
    page.put(row, after + 2, line.plugin, "note")
    page.put(row, after + 3, line.key, "key")
    page.fit(row)


def is_link(layout: Layout, line: Line) -> bool:
    """Tell whether a line only brings a figure from another sheet."""
    match line.formula:
        case Ref():
            return layout.sheet_of[key_of(line.formula)] != layout.sheet_of[line.key]
        case OverTime(_, span):  # a total, or one period; what is summed here is no link
            return span is None or span.first == span.last
    return False
