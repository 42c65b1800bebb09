"""A sheet before it is a sheet: cells with what they hold, what they show and the role they play."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Literal

from attrs import define, field, frozen

from capframe import FORMATS, figure

NOT_AVAILABLE = "#N/A"
Content = str | float | int | None


@cache
def letter(column: int) -> str:
    """Return the letters of a column counted from 1."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def address(row: int, column: int) -> str:
    """Return ``D7``."""
    return f"{letter(column)}{row}"


def width_of(text: str) -> float:
    """Return the width of a text in characters; an East Asian one takes two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


@define
class Cell:
    """What a cell holds. A formula (without ``=``) has the value that it gives beside it."""

    content: Content
    role: str
    format: str = "text"
    value: Content = None
    is_formula: bool = False
    link: str = ""
    """The place in this workbook that a click leads to, such as ``'Inputs'!A1``."""


@frozen
class Rule:
    """What may be typed into cells: a list (``formula`` is a range or ``"a,b"``), a number, or a condition."""

    kind: Literal["list", "whole", "decimal", "custom"]
    cells: tuple[str, ...]
    formula: str = ""
    high: str = ""
    message: str = ""


@frozen
class Chart:
    """A stacked column chart: one series for each row, one column for each scenario."""

    title: str
    unit: str
    anchor: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    categories: str
    format: str


@define
class Page:
    """One sheet: cells by row and column, widths, and what is frozen, checked, coloured and drawn."""

    title: str
    kind: str
    widths: Sequence[float]
    header: int = 0
    """The row of column titles, repeated in print; what is above and left of ``frozen`` stays in sight."""
    frozen: str = ""
    cells: dict[tuple[int, int], Cell] = field(factory=dict)
    heights: dict[int, float] = field(factory=dict)
    rules: list[Rule] = field(factory=list)
    printed: str = ""
    """The last column that is printed; technical columns stand behind it."""
    printed_rows: int = 0
    """The last row that is printed, where what follows is for looking up on the screen."""
    pages_wide: int = 1
    one_page: bool = False
    grey_errors: list[str] = field(factory=list)
    verdicts: list[str] = field(factory=list)
    charts: list[Chart] = field(factory=list)
    measured: dict[tuple[str, float], int] = field(factory=dict, init=False)

    def put(self, row: int, column: int, content: Content, role: str, form: str = "text", link: str = "") -> None:
        """Write a typed value."""
        self.cells[row, column] = Cell(content, role, form, link=link)

    def calculate(self, row: int, column: int, formula: str, value: Content, role: str, form: str = "text") -> None:
        """Write a formula and the value that it gives."""
        self.cells[row, column] = Cell(formula, role, form, value, is_formula=True)

    def output(self, row: int, column: int, link: str, value: Content, form: str) -> None:
        """Write a figure of another sheet for a reader, who is shown n/a where it is not available."""
        self.calculate(
            row, column, f'IFERROR({link},"n/a")', "n/a" if value == NOT_AVAILABLE else value, "output", form
        )

    def heading(self, title: str, subtitle: str) -> None:
        """Write the title of the page, and what it is about."""
        self.put(1, 1, title, "title")
        self.put(2, 1, subtitle, "subtitle")

    def titles(self, row: int, texts: Sequence[str]) -> None:
        """Write the row of column titles."""
        self.header = row
        for column, text in enumerate(texts, 1):
            self.put(row, column, text, "header")
        self.fit(row)

    def band(self, row: int, text: str, columns: int) -> None:
        """Write the heading of a group of rows over the whole width."""
        for column in range(1, columns + 1):
            self.put(row, column, text if column == 1 else None, "band")

    def widen(self) -> None:
        """Make columns as wide as their longest figure needs: one that is cut shows as ###."""
        widths = list(self.widths)
        for (_, column), cell in self.cells.items():
            shown = shown_text(cell)
            if isinstance(shown, float | int) and cell.format in FORMATS and column <= len(widths):
                widths[column - 1] = max(widths[column - 1], WIDE_FIGURE * len(figure(shown, FORMATS[cell.format])) + 3)
        self.widths = widths

    def fit(self, row: int) -> None:
        """Make a row as high as its longest wrapped text needs."""
        lines = 1
        for column, wide in enumerate(self.widths, 1):
            cell = self.cells.get((row, column))
            if cell and cell.role in WRAPPED and isinstance(shown := shown_text(cell), str):
                lines = max(lines, self.lines_of(shown, max(wide - 2, 4) * WRAPPED[cell.role]))
        if lines > 1:
            self.heights[row] = 13 * lines + 3

    def lines_of(self, text: str, room: float) -> int:
        """Return over how many lines a text runs that has so much room; sources and notes occur many times."""
        if 2 * len(text) < room and "\n" not in text:
            return 1  # however wide its characters are
        found = self.measured.get((text, room))
        if found is None:
            found = sum(-int(-max(width_of(part), 1) // room) for part in text.split("\n"))
            self.measured[text, room] = found
        return found


WIDE_FIGURE = 1.15
"""How many characters of a column one of a bold figure takes."""
WRAPPED = {
    "note": 1.25, "linked_text": 1.25, "words": 1.25, "label": 1.1, "text": 1.1, "message": 1.1, "key": 1.45,
    "header": 0.95, "caption": 1.0,
}  # fmt: skip
"""Roles whose text wraps, and how many of their characters go into one of the column's."""


def shown_text(cell: Cell) -> Content:
    """Return what a cell shows."""
    return cell.value if cell.is_formula else cell.content
