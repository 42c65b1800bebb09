"""Rules of flow: which sheet reads which, along a sheet and along a row, and what nothing reads."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from capframe.lint.book import address
from capframe.lint.findings import check, found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.lint.book import Book, Cell, Formula, Sheet
    from capframe.lint.findings import Finding

MAY_READ = {
    "input": {"input", "fact"},
    "fact": {"fact"},
    "calculation": {"input", "fact", "calculation"},
    "output": {"input", "fact", "calculation", "output", "register"},
    "register": {"input", "fact", "calculation", "register"},
    "check": {"input", "fact", "calculation", "check", "register"},
    "source": {"input", "fact", "calculation", "source"},
    "log": {"log"},
    "cover": {"input", "fact", "calculation", "output", "register", "check", "source", "log", "cover"},
}


@check
def separate_sheets(book: Book) -> Iterator[Finding]:
    """Rule 1. Inputs may also hold live cells and a search for faults, which read Inputs and the ids of facts."""
    for role, advice in (("input", "Inputs"), ("calculation", "a sheet for each area"), ("output", "Summary")):
        if not book.of(role):
            yield found(1, "error", f"there is no sheet of role {role}", f"add one, called for example {advice}")
    for formula in book.formulas:
        home = book.sheet(formula.sheet)
        for one in book.reads(formula):
            other = book.sheet(one.sheet)
            if home and other and other.role not in MAY_READ[home.role]:
                what = f"a sheet of role {home.role} reads {other.title!r}, of role {other.role}"
                yield found(1, "error", what, "read where the figure is computed", sheet=home, at=formula.at)
                break
    for sheet in book.sheets:
        if not sheet.raw.sheet_properties.tabColor:
            yield found(1, "note", "the tab has no colour", "give every role of sheets its own", sheet=sheet)


@check
def downwards_and_rightwards(book: Book) -> Iterator[Finding]:
    """Rule 2. A balance is brought forward from the column before, wherever in it the balance stands."""
    for sheet in book.of("calculation"):
        for formula in sheet.distinct:
            for one in formula.references:
                later = one.bottom > formula.row or (one.bottom == formula.row and one.right > formula.column)
                brought_forward = one.is_cell and one.right == formula.column - 1 and formula.column >= sheet.first[1]
                if one.sheet == sheet.title and later and not brought_forward:
                    what = f"reads {address(one.bottom, one.right)}, which stands below or to the right"
                    yield found(2, "warning", what, "move it above", sheet=sheet, at=formula.at)
                    break


ROW_TOTAL = re.compile(r"SUM\(!?R\[0\]C\[-\d+\]:R\[0\]C\[-1\]\)\Z")
BLOCK_LINK = re.compile(r"(?P<sheet>[^!()]+!)R(?P<row>\d+)(?P<from>C\d+)\Z")
BLOCK_SUM = re.compile(r"SUM\((?P<sheet>[^!()]+!)R(?P<row>\d+)(?P<from>C\d+):R(?P=row)(?P<to>C\d+)\)\Z")


def alike(formula: Formula) -> str:
    """Return the signature of a formula.

    A bare link to fixed columns of another sheet, or the sum of a row between such columns, counts in any row of it.
    """
    found = BLOCK_LINK.match(formula.signature) or BLOCK_SUM.match(formula.signature)
    return "".join([*found.group("sheet", "from"), *found.groupdict().get("to", "")]) if found else formula.signature


@check
def one_row_one_formula(book: Book) -> Iterator[Finding]:
    """Rule 3, of what scrolls: openings stand before it. Row totals, and links into a scenario's block, may differ."""
    for sheet in book.of("calculation", "output"):
        _, first = sheet.first
        for row, formulas in sheet.by_row.items():
            along = {column: alike(formula) for column, formula in formulas.items() if column >= first}
            along = {column: signature for column, signature in along.items() if not ROW_TOTAL.match(signature)}
            counts = Counter(along.values())
            if len(counts) > 1:
                usual = counts.most_common(1)[0][0]
                odd = next(column for column, signature in along.items() if signature != usual)
                what = f"the formula differs from the others of its row ({len(counts)} formulas)"
                yield found(3, "error", what, "write one formula and copy it along", sheet=sheet, at=(row, odd))


@check
def one_column_one_formula(book: Book) -> Iterator[Finding]:
    """Rule 3, for a register: a list of things, where each column has one formula for all rows."""
    for sheet in book.of("register"):
        columns: dict[int, list[Formula]] = {}
        for formula in sheet.formulas.values():
            if "SUM" not in formula.functions and "SUMIF" not in formula.functions:
                columns.setdefault(formula.column, []).append(formula)
        for formulas in columns.values():
            kinds = Counter(shape(formula) for formula in formulas)
            if len(kinds) > 1:
                usual = kinds.most_common(1)[0][0]
                odd = next(formula for formula in formulas if shape(formula) != usual)
                what = f"the formula differs from the others of its column ({len(kinds)} formulas)"
                yield found(3, "warning", what, "write one formula and copy it down", sheet=sheet, at=odd.at)


def shape(formula: Formula) -> str:
    """Return a formula without where its references point."""
    return "".join("#" if token.subtype == "RANGE" else token.text for token in formula.tokens)


@check
def no_constant_in_a_row_of_formulas(book: Book) -> Iterator[Finding]:
    """Rule 4."""
    for sheet in book.of("calculation", "output"):
        columns = {column for _, column in sheet.formulas}
        for row in sheet.by_row:
            for column in sorted(columns):
                value = sheet.typed.get((row, column))
                if isinstance(value, int | float):
                    what = f"{value:g} is typed within a row of formulas"
                    yield found(4, "error", what, "put the formula back", sheet=sheet, at=(row, column))


@check
def same_columns(book: Book) -> Iterator[Finding]:
    """Rule 5. The titles of the value columns are compared, those of one row of periods apart."""
    seen: dict[tuple[str, ...], Sheet] = {}
    firsts: dict[int, Sheet] = {}
    for sheet in book.of("calculation"):
        row, _ = sheet.first
        if not sheet.formulas or row < 2:  # noqa: PLR2004 - without titles rule 6 has its say
            continue
        columns = sorted({at[1] for at in sheet.formulas})
        firsts.setdefault(columns[0], sheet)
        seen.setdefault(tuple(sheet.text(row - 1, one) for one in columns), sheet)
    if len(firsts) > 1:
        where = ", ".join(f"{sheet.title} from {address(1, column)[:-1]}" for column, sheet in sorted(firsts.items()))
        yield found(5, "error", f"values start in different columns: {where}", "start in one column everywhere")
    if len(seen) > 1 and len({len(titles) for titles in seen}) == 1:
        where = " and ".join(sheet.title for sheet in list(seen.values())[:2])
        yield found(5, "error", f"the value columns of {where} have different titles", "use the same on all sheets")


@check
def one_timeline(book: Book) -> Iterator[Finding]:
    """Rule 6."""
    heads: dict[tuple[object, ...], Sheet] = {}
    for sheet in book.of("calculation"):
        if sheet.formulas and not sheet.raw.freeze_panes:
            yield found(6, "error", "titles and labels scroll out of sight", "freeze the panes", sheet=sheet)
        for row in range(1, sheet.first[0]):
            dates = {at: value for at, value in sheet.typed.items() if at[0] == row and hasattr(value, "year")}
            if len(dates) > 1:
                heads.setdefault(tuple(dates[at] for at in sorted(dates)), sheet)
                if len(heads) > 1:
                    what = "the dates of the title row differ from those of another sheet"
                    yield found(6, "error", what, "link every title row to one", sheet=sheet, at=min(dates))


@check
def no_circles(book: Book) -> Iterator[Finding]:
    """Rule 14."""
    if book.raw.calculation.iterate:
        yield found(14, "error", "iterative calculation is on, which hides circles", "switch it off")
    for circle in circles(book.precedents):
        sheet, row, column = min(circle)
        path = " → ".join(f"{title}!{address(at, letter)}" for title, at, letter in circle[:6])
        yield found(14, "error", f"reads itself: {path}", "break the circle", sheet=book.sheet(sheet), at=(row, column))


def circles(graph: dict[Cell, list[Cell]]) -> Iterator[list[Cell]]:
    """Yield one circle for each group of cells that read one another."""
    done: set[Cell] = set()
    for start in graph:
        path: dict[Cell, None] = {}
        stack: list[tuple[Cell, int]] = [(start, 0)]
        while stack:
            cell, turn = stack.pop()
            if turn == 0:
                if cell in done:
                    continue
                path[cell] = None
            below = graph.get(cell, [])
            if turn < len(below):
                stack.append((cell, turn + 1))
                if below[turn] in path:
                    members = list(path)
                    yield members[members.index(below[turn]) :]
                    done.add(below[turn])
                elif below[turn] not in done:
                    stack.append((below[turn], 0))
            else:
                path.pop(cell, None)
                done.add(cell)


@check
def calculated_once(book: Book) -> Iterator[Finding]:
    """Rule 16. A formula of at least one operation that stands twice, with the very same cells below it."""
    seen: dict[str, Formula] = {}
    for formula in book.formulas:
        sheet = book.sheet(formula.sheet)
        if sheet is None or sheet.role != "calculation" or len(formula.references) < 2:  # noqa: PLR2004 - a link reads one
            continue
        below = sorted({(one.sheet, one.top, one.left, one.bottom, one.right) for one in formula.references})
        same = (
            f"{below}{[token.text for token in formula.tokens if token.kind != 'OPERAND' or token.subtype != 'RANGE']}"
        )
        first = seen.setdefault(same, formula)
        if first is not formula and first.text == formula.text and first.sheet == formula.sheet:
            what = f"is computed in {address(*first.at)} already"
            yield found(16, "note", what, "refer to that cell", sheet=sheet, at=formula.at)


@check
def live_cells(book: Book) -> Iterator[Finding]:
    """Rule 29. Cases are columns; a row of Inputs that has live cells is read through them only."""
    for sheet in book.of("input"):
        live = {row: set(formulas) for row, formulas in sheet.by_row.items() if _resolves(sheet, row)}
        typed = {(row, column) for row, column in sheet.typed if row in live and sheet.is_input(row, column)}
        for formula in book.formulas:
            if formula.sheet == sheet.title:
                continue
            for one in formula.references:
                if one.is_cell and one.sheet == sheet.title and (one.top, one.left) in typed:
                    at = address(one.top, one.left)
                    what = (
                        f"reads the typed cell {sheet.title}!{at} past its live cell, so that a case cannot change it"
                    )
                    home = book.sheet(formula.sheet)
                    yield found(29, "error", what, "read the live cell", sheet=home, at=formula.at)
                    break
    for name, targets in book.targets.items():
        if "selector" in name and targets:
            home, place = book.sheet(targets[0].sheet), (targets[0].top, targets[0].left)
            if home and not validated(home, *place):
                yield found(29, "error", "the selector takes anything", "add a list of the cases", sheet=home, at=place)


def _resolves(sheet: Sheet, row: int) -> bool:
    return any(one.is_cell and one.top == row for formula in sheet.row(row).values() for one in formula.references)


def validated(sheet: Sheet, row: int, column: int) -> bool:
    """Tell whether a validation covers a cell."""
    at = address(row, column)
    return any(at in rule.sqref for rule in sheet.raw.data_validations.dataValidation)


@check
def nothing_is_idle(book: Book) -> Iterator[Finding]:
    """Rules 30 and 31. Ranges that a look-up searches count as read."""
    read = book.dependents
    ends = {(sheet.title, *at) for sheet in book.of("output", "register", "check", "cover") for at in sheet.formulas}
    reaching = _below(book, ends)
    for sheet in book.of("input"):
        for at, value in sheet.typed.items():
            if not sheet.is_input(*at) or value is None:
                continue
            cell = (sheet.title, *at)
            if cell not in read:
                yield found(30, "warning", "no formula reads this input", "use it or remove it", sheet=sheet, at=at)
            elif ends and cell not in reaching:
                what = "no output depends on this input"
                yield found(31, "warning", what, "show what it changes, or remove it", sheet=sheet, at=at)
    for sheet in book.of("calculation"):
        for row, formulas in sheet.by_row.items():
            if not any((sheet.title, row, column) in read for column in formulas):
                at = row, min(formulas)
                yield found(
                    30, "note", "nothing reads this row", "show it on an output or remove it", sheet=sheet, at=at
                )


def _below(book: Book, cells: set[Cell]) -> set[Cell]:
    seen, left = set(cells), list(cells)
    while left:
        for one in book.precedents.get(left.pop(), []):
            if one not in seen:
                seen.add(one)
                left.append(one)
    return seen
