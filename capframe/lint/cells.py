"""Rules about single cells: styles, labels, units, formats, stored values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeGuard

from capframe.lint.findings import check, found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.lint.book import Book, Formula, Place, Sheet
    from capframe.lint.findings import Finding

MOST_FORMATS = 64
"""Guides say 30; a role has as many number formats as there are kinds of figures, so their product is allowed."""
LARGEST_SHARE = 2.0
NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?%?\Z")


def is_link(formula: Formula) -> bool:
    """Tell whether a formula only brings one cell from another sheet."""
    operands = [token for token in formula.tokens if token.kind != "WHITE-SPACE"]
    alone = len(operands) == 1 and len(formula.references) == 1
    return alone and formula.references[0].is_cell and formula.references[0].sheet != formula.sheet


@check
def styles_by_role(book: Book) -> Iterator[Finding]:
    """Rule 17. A style's role is the first word of its name: input, calc, link, output, check, total."""
    for sheet in book.of("input", "calculation", "output", "check"):
        for at, formula in sheet.formulas.items():
            style = sheet.style(*at)
            if style.startswith("input"):
                yield found(17, "error", "a formula looks like an input", "give it the style of a calculation",
                            sheet=sheet, at=at)  # fmt: skip
            elif sheet.role == "calculation" and is_link(formula) and not style.startswith("link"):
                yield found(17, "warning", "a link to another sheet looks like a calculation", "give it the style link",
                            sheet=sheet, at=at)  # fmt: skip
        if sheet.role not in {"input", "calculation"}:
            continue
        for at, value in sheet.typed.items():
            if is_number(value) and not sheet.is_input(*at) and at[1] >= sheet.first[1] and at[0] >= sheet.first[0]:
                if sheet.role == "input" and not _before_formulas(sheet, at):
                    continue
                yield found(17, "error", f"the typed number {value:g} does not look like an input",
                            "give it the style input, or compute it", sheet=sheet, at=at)  # fmt: skip


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _before_formulas(sheet: Sheet, at: Place) -> bool:
    """Tell whether a typed cell of Inputs stands where values are: left of the row's live cells."""
    columns = sheet.row(at[0])
    return not columns or at[1] < min(columns)


@check
def named_styles(book: Book) -> Iterator[Finding]:
    """Rule 18."""
    looks = set()
    for sheet in book.sheets:
        plain = [at for at in (*sheet.typed, *sheet.formulas) if sheet.style(*at) == "normal"]
        if plain:
            what = f"{len(plain)} cells have no named style"
            yield found(18, "warning", what, "use a named style for each role", sheet=sheet, at=min(plain))
        looks |= {sheet.raw.cell(*at).style_id for at in (*sheet.typed, *sheet.formulas)}
    if len(looks) > MOST_FORMATS:
        what = f"{len(looks)} different cell formats"
        yield found(18, "warning", what, f"{MOST_FORMATS} are enough: one for each role and kind of figure")


@check
def labels_and_units(book: Book) -> Iterator[Finding]:
    """Rules 19 and 23. A label counts as unique under its own heading, a row with a text in its first column only."""
    for sheet in book.of("calculation", "input"):
        seen: dict[str, int] = {}
        rows = {row for row, _ in (*sheet.typed, *sheet.formulas) if row >= sheet.first[0]}
        for row in sorted(rows):
            label = sheet.text(row, 1)
            filled = [column for column in range(2, sheet.raw.max_column + 1) if sheet.text(row, column)]
            if not filled and not sheet.row(row):
                seen = {}
                continue
            if sheet.row(row) and not label:
                yield found(19, "error", "formulas without a label", "say in column A what the row is",
                            sheet=sheet, at=(row, 1))  # fmt: skip
            if sheet.row(row) and not sheet.text(row, 2):
                yield found(19, "note", f"{label or 'the row'} has no unit", "write it in column B, 1 for numbers",
                            sheet=sheet, at=(row, 2))  # fmt: skip
            if label and label.casefold() in seen:
                yield found(23, "warning", f"{label!r} stands in row {seen[label.casefold()]} already",
                            "give each row a label of its own", sheet=sheet, at=(row, 1))  # fmt: skip
            seen.setdefault(label.casefold(), row)


@check
def one_unit_in_a_sum(book: Book) -> Iterator[Finding]:
    """Rule 20. The bare references of a SUM, by the unit column of their rows."""
    for formula in book.formulas:
        home = book.sheet(formula.sheet)
        if home is None or home.role != "calculation" or formula.functions != ["SUM"]:
            continue
        if any(token.text in {"*", "/", "^"} for token in formula.tokens):
            continue
        units: dict[str, None] = {}
        for one in formula.references:
            sheet = book.sheet(one.sheet)
            for row in range(one.top, one.bottom + 1) if sheet else ():
                if (
                    sheet
                    and sheet.role in {"calculation", "input"}
                    and any(at[0] == row for at in one_cells(sheet, row))
                ):
                    units[sheet.text(row, 2)] = None
        units.pop("", None)
        if len(units) > 1:
            what = f"adds {' and '.join(units)}"
            yield found(20, "error", what, "bring all terms to one unit first", sheet=home, at=formula.at)


def one_cells(sheet: Sheet, row: int) -> list[Place]:
    """Return the formulas and inputs of a row."""
    return [(row, column) for column in sheet.row(row)] or [at for at in sheet.typed if at[0] == row and at[1] > 2]  # noqa: PLR2004 - label and unit


@check
def formats(book: Book) -> Iterator[Finding]:
    """Rules 21 and 37."""
    for sheet in book.of("input", "calculation", "output"):
        for at in (*sheet.typed, *sheet.formulas):
            value = sheet.typed.get(at, sheet.stored.get(at))
            if not is_number(value) or at[0] < sheet.first[0]:
                continue
            form = sheet.raw.cell(*at).number_format
            if "%" in form and abs(value) > LARGEST_SHARE:
                yield found(21, "warning", f"{value:g} in the format {form} reads {value:.0%}",
                            "store a percentage as a fraction", sheet=sheet, at=at)  # fmt: skip
            elif "%" not in form and sheet.text(at[0], 2) == "%":
                yield found(21, "warning", f"the unit is %, the format is {form}",
                            "store a fraction and show it with a % format", sheet=sheet, at=at)  # fmt: skip
            if form == "General" and not (sheet.role == "input" and at in sheet.formulas):
                yield found(37, "error", f"{value:g} is shown in the format General",
                            "give it a number format with thousands separators", sheet=sheet, at=at)  # fmt: skip


@check
def values_beside_formulas(book: Book) -> Iterator[Finding]:
    """Rule 28. Exempt: #N/A outside of outputs, where a part does not disclose a fact."""
    for sheet in book.sheets:
        blank = [at for at in sheet.formulas if sheet.stored.get(at) is None]
        if blank and len(blank) == len(sheet.formulas):
            yield found(28, "warning", "formulas have no stored values, so previews show nothing",
                        "save it in a spreadsheet, or write the values", sheet=sheet, at=min(blank))  # fmt: skip
        typed = [at for at in sheet.typed if sheet.raw.cell(*at).data_type == "e"]
        for at in (*sheet.formulas, *typed):
            value = sheet.stored.get(at, sheet.typed.get(at))
            if isinstance(value, str) and value.startswith("#") and value.rstrip("?!").isupper() | (value == "#N/A"):
                shown = sheet.role in {"cover", "output", "check"}
                if value != "#N/A" or shown:
                    advice = (
                        'show IFERROR(x,"n/a")'
                        if value == "#N/A"
                        else "mend the formula, or wrap it by IFERROR(f,NA())"
                    )
                    yield found(28, "error", f"shows {value}", advice, sheet=sheet, at=at)


@check
def numbers_and_blanks(book: Book) -> Iterator[Finding]:
    """Rule 39. A blank may be read where ISBLANK asks for it."""
    for sheet in book.of("input", "calculation"):
        for at, value in sheet.typed.items():
            where_values_are = at[1] >= sheet.first[1] and (sheet.is_input(*at) or sheet.role == "calculation")
            if isinstance(value, str) and where_values_are and NUMBER.match(value.strip()) and at[0] >= sheet.first[0]:
                yield found(39, "error", f"{value!r} is a text", "type the number", sheet=sheet, at=at)
    for formula in book.formulas:
        home = book.sheet(formula.sheet)
        if home is None or "ISBLANK" in formula.functions:
            continue
        for one in formula.references:
            other, at = book.sheet(one.sheet), (one.top, one.left)
            if other and one.is_cell and at not in other.typed and at not in other.formulas:
                what = "reads a blank cell, which counts as 0"
                yield found(39, "error", what, "fill it, or ask ISBLANK first", sheet=home, at=formula.at)
                break


@check
def nothing_is_cut(book: Book) -> Iterator[Finding]:
    """Rule 38: the digits of a figure, its separators and sign against the width of its column."""
    from openpyxl.utils import get_column_letter

    for sheet in book.of("input", "calculation", "output"):
        for at, formula in sheet.formulas.items():
            value = sheet.stored.get(at)
            width = sheet.raw.column_dimensions[get_column_letter(at[1])].width
            form = sheet.raw.cell(*at).number_format
            if (
                isinstance(value, float | int)
                and not isinstance(value, bool)
                and width
                and "E" not in form
                and "%" not in form
            ):
                whole = len(f"{abs(value):,.0f}") + (value < 0) + 1
                if whole > width and formula.tokens:
                    what = f"{value:,.0f} does not fit in a column of width {width:g}"
                    yield found(38, "note", what, "widen the column", sheet=sheet, at=at)
