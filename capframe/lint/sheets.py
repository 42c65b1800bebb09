"""Rules about whole sheets: what is hidden, merged, locked, printed, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capframe.lint.book import number_of_letters
from capframe.lint.findings import check, found
from capframe.lint.flow import validated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.lint.book import Book, Sheet
    from capframe.lint.findings import Finding

ON_THE_COVER = {
    "the date": ("date", "日期"),
    "the version": ("revision", "version", "版本"),
    "the author": ("author", "编制", "作者"),
    "the currency": ("currency", "币种"),
    "the units and conventions": ("unit", "convention", "约定", "单位"),
    "the colours": ("colour", "color", "颜色"),
}


FEW = 3
"""How many rows are named of those that lack the same."""


@check
def nothing_hidden(book: Book) -> Iterator[Finding]:
    """Rule 35."""
    advice = "show it, or take it out"
    for sheet in book.sheets:
        if sheet.raw.sheet_state != "visible":
            yield found(35, "error", f"the sheet is {sheet.raw.sheet_state}", advice, sheet=sheet)
        for row, about in sheet.raw.row_dimensions.items():
            if about.hidden or about.outlineLevel:
                word = "hidden" if about.hidden else "grouped"
                yield found(35, "error", f"row {row} is {word}", advice, sheet=sheet, at=(row, 1))
        for letter, about in sheet.raw.column_dimensions.items():
            if about.hidden or about.outlineLevel:
                word = "hidden" if about.hidden else "grouped"
                at = 1, number_of_letters(letter)
                yield found(35, "error", f"column {letter} is {word}", advice, sheet=sheet, at=at)
        for at in (*sheet.typed, *sheet.formulas):
            cell = sheet.raw.cell(*at)
            ink, paper = _rgb(cell.font.color), _rgb(cell.fill.fgColor) if cell.fill.fill_type == "solid" else "FFFFFF"
            if ink is not None and ink == paper:
                yield found(35, "error", "the text has the colour of its ground", advice, sheet=sheet, at=at)


def _rgb(colour: Any) -> str | None:
    value = getattr(colour, "rgb", None)
    return value[-6:].upper() if isinstance(value, str) else None


@check
def nothing_merged(book: Book) -> Iterator[Finding]:
    """Rule 36."""
    for sheet in book.of("input", "calculation"):
        for cells in sheet.raw.merged_cells.ranges:
            at = cells.min_row, cells.min_col
            yield found(36, "error", f"{cells.coord} is merged", "unmerge it", sheet=sheet, at=at)


@check
def inputs_are_validated(book: Book) -> Iterator[Finding]:
    """Rule 42."""
    for sheet in book.of("input"):
        for at in sheet.typed:
            if sheet.is_input(*at) and not validated(sheet, *at):
                what = "nothing says what may be typed here"
                yield found(42, "error", what, "add a validation: a list, or a number between", sheet=sheet, at=at)


@check
def locked_and_open(book: Book) -> Iterator[Finding]:
    """Rule 43."""
    for sheet in book.sheets:
        protection = sheet.raw.protection
        if sheet.formulas and not protection.sheet:
            yield found(43, "error", "formulas can be typed over", "protect the sheet, without a password", sheet=sheet)
        if protection.password:
            yield found(43, "warning", "a password keeps readers out", "protect the sheet without one", sheet=sheet)
        for at in sheet.formulas:
            if not sheet.raw.cell(*at).protection.locked:
                yield found(43, "error", "the formula is not locked", "lock the cell", sheet=sheet, at=at)
        if sheet.role == "input":
            for at in sheet.typed:
                if sheet.is_input(*at) and sheet.raw.cell(*at).protection.locked:
                    yield found(43, "error", "the input is locked", "unlock the cell", sheet=sheet, at=at)


@check
def ready_for_print(book: Book) -> Iterator[Finding]:
    """Rule 44."""
    for sheet in book.sheets:
        raw = sheet.raw
        lacking = [
            what
            for what, there in (
                ("landscape", raw.page_setup.orientation == "landscape"),
                ("fit to width", bool(raw.sheet_properties.pageSetUpPr and raw.sheet_properties.pageSetUpPr.fitToPage)),
                ("repeated titles", bool(raw.print_title_rows) or not raw.freeze_panes),
                ("a footer", any(getattr(raw.oddFooter, part).text for part in ("left", "center", "right"))),
            )
            if not there
        ]
        if lacking:
            yield found(44, "warning", f"print set-up lacks {', '.join(lacking)}", "add it", sheet=sheet)


@check
def charts(book: Book) -> Iterator[Finding]:
    """Rule 45."""
    for sheet in book.sheets:
        for chart in sheet.raw._charts:  # noqa: SLF001 - openpyxl has no public list of them
            place = chart.anchor._from  # noqa: SLF001
            at = place.row + 1, place.col + 1
            if sheet.role not in {"output", "cover"}:
                yield found(45, "warning", "a chart stands off the outputs", "move it to Summary", sheet=sheet, at=at)
            if chart.title is None:
                yield found(45, "error", "the chart has no title", "say what it shows", sheet=sheet, at=at)
            axis = getattr(chart, "y_axis", None)
            if axis is not None and axis.title is None:
                yield found(45, "error", "the value axis has no label", "write the unit there", sheet=sheet, at=at)
            if axis is not None and axis.delete:
                yield found(45, "error", "the value axis is left out", "show it", sheet=sheet, at=at)


@check
def cover(book: Book) -> Iterator[Finding]:
    """Rule 33."""
    covers = book.of("cover")
    if not covers:
        yield found(33, "error", "there is no cover", "add one: purpose, date, currency, units, colours, contents")
        return
    page = covers[0]
    text = " ".join(str(value) for value in page.typed.values()).casefold()
    for what, words in ON_THE_COVER.items():
        if not any(word in text for word in words):
            yield found(33, "warning", f"the cover does not say {what}", "add a line", sheet=page)
    links = {_target(cell.hyperlink) for at in page.typed if (cell := page.raw.cell(*at)).hyperlink}
    for sheet in book.sheets:
        if sheet is not page and sheet.title.casefold() not in links:
            what = f"the cover has no link to {sheet.title!r}"
            yield found(33, "error", what, "add it to the contents", sheet=page)


def _target(link: Any) -> str:
    place = link.location or ""
    return str(place.rpartition("!")[0].strip("'").replace("''", "'").casefold())


@check
def log(book: Book) -> Iterator[Finding]:
    """Rule 34: the last entry of the log is the version that the file's properties hold, and has the plan's hash."""
    logs = book.of("log")
    version = _custom(book, "version") or _custom(book, "revision") or book.raw.properties.version
    digest = _custom(book, "plan_sha256")
    if not logs:
        yield found(34, "warning", "there is no log of changes", "add a sheet Changes")
    if not version:
        yield found(34, "warning", "the file's properties hold no version", "write it there")
    for sheet in logs[:1]:
        row, _ = max(sheet.typed, default=(1, 1))
        last = {sheet.text(row, column) for column in range(1, sheet.raw.max_column + 1)}
        if version and version not in last:
            yield found(34, "warning", f"the last entry is not version {version}", "add an entry",
                        sheet=sheet, at=(row, 1))  # fmt: skip
        if digest and digest not in last:
            what = "the last entry has not the SHA-256 of the plan that the file was made of"
            yield found(34, "warning", what, "build the workbook anew from the plan", sheet=sheet, at=(row, 1))


def _custom(book: Book, name: str) -> str:
    for one in book.raw.custom_doc_props.props:
        if one.name.casefold() == name:
            return str(one.value)
    return ""


@check
def sources(book: Book) -> Iterator[Finding]:
    """Rule 32, once for a sheet: plans begin with numbers that somebody just wants."""
    for sheet in book.of("input"):
        head = sheet.first[0] - 1
        titles = {sheet.text(head, column).casefold(): column for column in range(1, sheet.raw.max_column + 1)}
        for what, words in (("source", ("source", "数据来源", "来源")), ("confidence", ("confidence", "可信度"))):
            column = next((titles[word] for word in words if word in titles), None)
            if column is None:
                yield found(32, "error", f"Inputs has no column for the {what}", f"add a column {what}", sheet=sheet)
                continue
            rows = [row for row in _given_rows(sheet) if not sheet.text(row, column)]
            if rows:
                named = ", ".join(sheet.text(row, 1) for row in rows[:FEW])
                rest = f" and {len(rows) - FEW} more" if len(rows) > FEW else ""
                severity = "warning" if what == "source" else "note"
                advice = "say where it comes from and how sure it is"
                told = f"no {what} is given for {named}{rest}"
                yield found(32, severity, told, advice, sheet=sheet, at=(rows[0], column))


def _given_rows(sheet: Sheet) -> list[int]:
    """Return the rows in which somebody typed a number."""
    rows = {at[0] for at, value in sheet.typed.items() if sheet.is_input(*at) and isinstance(value, int | float)}
    return sorted(rows)
