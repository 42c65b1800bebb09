"""Rules about totals, checks and names."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from capframe.lint.book import Cell, Formula, address
from capframe.lint.findings import check, found
from capframe.names import is_workbook_name
from capframe.results import VERDICTS
from capframe.wording import LANGUAGES, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.lint.book import Book, Sheet
    from capframe.lint.findings import Finding

CHAIN = 3
FINE = {"ok", "pass", "0", "true", "n/a", "通过"}
OUTCOMES = {"ok", "error"} | {say(one, language) for one in VERDICTS.values() for language in LANGUAGES}


@check
def totals(book: Book) -> Iterator[Finding]:
    """Rule 24."""
    for sheet in book.of("calculation", "output"):
        for at, formula in sheet.formulas.items():
            if chained(formula):
                what = f"{len(formula.references)} neighbours are added one by one"
                yield found(24, "error", what, "use SUM over the block", sheet=sheet, at=at)
            elif formula.functions == ["SUM"] and len(formula.references) == formula.operands:
                yield from _range(sheet, formula)


def chained(formula: Formula) -> bool:
    """Tell whether a formula adds neighbouring cells of one column or row one by one."""
    signs = [token.text for token in formula.tokens if token.kind.startswith("OPERATOR")]
    cells = formula.references
    if len(cells) < CHAIN or set(signs) != {"+"} or len(formula.tokens) != len(cells) + len(signs):
        return False
    steps = {(b.top - a.top, b.left - a.left) for a, b in pairwise(cells)}
    return steps in ({(1, 0)}, {(0, 1)})


def _range(sheet: Sheet, formula: Formula) -> Iterator[Finding]:
    ranges = [one for one in formula.references if one.sheet == sheet.title]
    cells = [cell for one in ranges for cell in one.cells()]
    if len(cells) != len(set(cells)):
        yield found(24, "error", "counts a cell twice", "let the ranges not overlap", sheet=sheet, at=formula.at)
    inner = [cell for cell in cells if (other := sheet.formulas.get(cell[1:])) and _adds(other, cells, cell)]
    if inner:
        where = address(*inner[0][1:])
        yield found(24, "error", f"{where} is a sum of others in the range", "leave subtotals out",
                    sheet=sheet, at=formula.at)  # fmt: skip
    for one in ranges:
        if one.left == one.right == formula.column and one.top < one.bottom < formula.row - 1:
            between = range(one.bottom + 1, formula.row)
            missed = [row for row in between if (row, one.left) in sheet.formulas or (row, one.left) in sheet.typed]
            if missed and one.bottom + 1 in missed:
                what = f"stops at row {one.bottom}; row {missed[0]} belongs to the block"
                yield found(24, "error", what, "let the range end on the row above", sheet=sheet, at=formula.at)


def _adds(other: Formula, cells: list[Cell], cell: Cell) -> bool:
    if other.functions != ["SUM"]:
        return False
    below = {one for reference in other.references for one in reference.cells()}
    return bool(below.intersection(cells) - {cell})


@check
def cross_foot(book: Book) -> Iterator[Finding]:
    """Rule 25: a cell that closes both a row and a column of sums needs a check that reads it."""
    read_by_checks = {cell for sheet in book.of("check") for at in sheet.formulas for cell in _read(book, sheet, at)}
    for sheet in book.of("calculation", "output"):
        across = {at for at, one in sheet.formulas.items() if _sums(one, along_row=True)}
        down = {at for at, one in sheet.formulas.items() if _sums(one, along_row=False)}
        for row, column in sorted(across | down):
            row_of_sums = sum(at[0] == row for at in down)
            column_of_sums = sum(at[1] == column for at in across)
            closes = row_of_sums > 1 and column_of_sums > 1 and (sheet.title, row, column) not in read_by_checks
            if closes:
                what = "closes rows and columns, and nothing compares the two totals"
                yield found(25, "warning", what, "add a check", sheet=sheet, at=(row, column))


def _read(book: Book, sheet: Sheet, at: tuple[int, int]) -> list[Cell]:
    return book.precedents.get((sheet.title, *at), [])


def _sums(formula: Formula, *, along_row: bool) -> bool:
    if formula.functions != ["SUM"] or len(formula.references) != 1:
        return False
    one = formula.references[0]
    return one.top == one.bottom == formula.row if along_row else one.left == one.right == formula.column


@check
def master_check(book: Book) -> Iterator[Finding]:
    """Rule 26."""
    pages = book.of("check")
    if not pages:
        yield found(26, "error", "there is no sheet of checks", "add one, and a master check on the cover")
        return
    master = next((target for name in ("master_check", "master.check") for target in book.targets.get(name, [])), None)
    home = book.sheet(master.sheet) if master else None
    if master is None or home is None:
        yield found(26, "error", "no cell is named master_check", "name the cell on the cover that sums up all checks")
        return
    at = master.top, master.left
    if home.role != "cover":
        yield found(26, "warning", "the master check is not on the cover", "show it there", sheet=home, at=at)
    if home.text(*at) and home.text(*at).casefold() not in FINE:
        what = f"the master check says {home.text(*at)}"
        yield found(26, "warning", what, "see the sheet of checks", sheet=home, at=at)
    fed = _all_below(book, (home.title, *at))
    for page in pages:
        for place in page.formulas:
            verdict = str(page.stored.get(place)).casefold() in OUTCOMES
            if verdict and (page.title, *place) not in fed:
                what = "the master check does not read this check"
                yield found(26, "error", what, "let its range hold every check", sheet=page, at=place)


@check
def failing_checks_show(book: Book) -> Iterator[Finding]:
    """Rules 26 and 27."""
    for page in book.of("check"):
        if not page.raw.conditional_formatting:
            what = "a failing check looks like one that holds"
            yield found(26, "warning", what, "add a conditional format", sheet=page)
        titles = " ".join(page.text(page.first[0] - 1, column) for column in range(1, page.raw.max_column + 1))
        if not re.search(r"severity|kind|type|级别|类型", titles, re.IGNORECASE):
            yield found(27, "warning", "errors, warnings and notes are not told apart", "add a column", sheet=page)


def _all_below(book: Book, cell: Cell) -> set[Cell]:
    seen, left = {cell}, [cell]
    while left:
        for one in book.precedents.get(left.pop(), []):
            if one not in seen:
                seen.add(one)
                left.append(one)
    return seen


@check
def names(book: Book) -> Iterator[Finding]:
    """Rules 23 and 41."""
    for name, texts in sorted(book.names.items()):
        if len(texts) > 1:
            yield found(23, "error", f"the name {name!r} is defined {len(texts)} times", "keep one")
        if not is_workbook_name(name):
            what = f"{name!r} is no name that Excel takes: it looks like a cell, or holds signs that it must not"
            yield found(41, "error", what, "choose another, of letters, digits, dots and underscores")
        targets = book.targets[name]
        if not targets or any("#REF!" in text or book.sheet(one.sheet) is None for text in texts for one in targets):
            yield found(41, "error", f"the name {name!r} stands for {texts[0]}", "point it to a cell, or remove it")
    known = set(book.names)
    for formula in book.formulas:
        for name in formula.names:
            if name.casefold() not in known and not name.startswith("#"):
                what = f"reads {name!r}, which is not defined"
                yield found(
                    41, "error", what, "define it, or read a cell", sheet=book.sheet(formula.sheet), at=formula.at
                )
