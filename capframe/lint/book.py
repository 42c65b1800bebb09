"""A workbook as the lint sees it: sheets with roles, formulas taken apart, stored values, and who reads whom."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from attrs import define, field, frozen

from capframe.errors import CapframeError

ROLES = {
    "cover": ("cover", "封面"),
    "output": ("summary", "dashboard", "outputs", "cash flow", "sensitivity", "摘要", "现金流", "敏感性"),
    "input": ("inputs", "assumptions", "输入"),
    "register": ("bill of materials", "设备清单", "物料清单"),
    "fact": ("catalog", "catalogue", "产品目录"),
    "check": ("checks", "检查"),
    "source": ("sources", "来源"),
    "log": ("changes", "change log", "修订记录", "变更记录", "变更"),
}
"""What a sheet is for, by its name; every other one calculates."""
REFERENCE = re.compile(
    r"(?:(?P<sheet>'(?:[^']|'')+'|[^'!:,()\s]+)!)?(?P<c1>\$?[A-Z]{1,3})(?P<r1>\$?[0-9]{1,7})"
    r"(?::(?P<c2>\$?[A-Z]{1,3})(?P<r2>\$?[0-9]{1,7}))?\Z"
)
MOST_CELLS = 200_000
Place = tuple[int, int]
Cell = tuple[str, int, int]


def letters(column: int) -> str:
    """Return the letters of a column counted from 1."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def number_of_letters(text: str) -> int:
    """Return the number of a column."""
    number = 0
    for sign in text:
        number = 26 * number + ord(sign) - 64
    return number


def address(row: int, column: int) -> str:
    """Return ``D7``."""
    return f"{letters(column)}{row}"


@frozen
class Reference:
    """A cell or a range that a formula reads; ``shape`` tells it apart relative to where the formula stands."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int
    shape: str

    @property
    def is_cell(self) -> bool:
        """Whether it is one cell."""
        return self.top == self.bottom and self.left == self.right

    def holds(self, sheet: str, row: int, column: int) -> bool:
        """Tell whether a cell is in it."""
        return self.sheet == sheet and self.top <= row <= self.bottom and self.left <= column <= self.right

    def cells(self) -> list[Cell]:
        """Return its cells."""
        rows, columns = range(self.top, self.bottom + 1), range(self.left, self.right + 1)
        return [(self.sheet, row, column) for row in rows for column in columns]


@frozen
class Token:
    """A piece of a formula: kind (``FUNC``, ``OPERAND``, ``SEP``), subtype (``OPEN``, ``NUMBER``, ``RANGE``), text."""

    kind: str
    subtype: str
    text: str


@frozen
class Formula:
    """A formula taken apart."""

    sheet: str
    row: int
    column: int
    text: str
    tokens: tuple[Token, ...]
    references: tuple[Reference, ...]
    names: tuple[str, ...]

    @property
    def at(self) -> Place:
        """Where it stands."""
        return self.row, self.column

    @property
    def operands(self) -> int:
        """How many numbers, texts and references it holds."""
        return sum(token.kind == "OPERAND" for token in self.tokens)

    @property
    def functions(self) -> list[str]:
        """The functions it calls, in capitals, with any ``_xlfn.``."""
        return [token.text[:-1].upper() for token in self.tokens if token.kind == "FUNC" and token.subtype == "OPEN"]

    @property
    def signature(self) -> str:
        """The formula with references relative to its own cell: equal along a row that has one formula."""
        shapes = iter(self.references)
        return "".join(
            next(shapes).shape if token.subtype == "RANGE" and REFERENCE.match(token.text) else token.text
            for token in self.tokens
        )


@define
class Sheet:
    """One sheet."""

    title: str
    role: str
    raw: Any
    typed: dict[Place, Any] = field(factory=dict)
    """Constants."""
    formulas: dict[Place, Formula] = field(factory=dict)
    stored: dict[Place, Any] = field(factory=dict)
    """The values beside formulas."""

    @property
    def first(self) -> Place:
        """The first row and column that scroll: titles stand above, labels and units to the left."""
        pane = self.raw.freeze_panes
        found = re.match(r"([A-Z]+)(\d+)", pane) if pane else None
        return (int(found[2]), number_of_letters(found[1])) if found else (1, 1)

    def row(self, row: int) -> dict[int, Formula]:
        """Return the formulas of a row by column."""
        return self.by_row.get(row, {})

    @cached_property
    def by_row(self) -> dict[int, dict[int, Formula]]:
        """The formulas by row and column."""
        rows: dict[int, dict[int, Formula]] = {}
        for (row, column), formula in sorted(self.formulas.items()):
            rows.setdefault(row, {})[column] = formula
        return rows

    @property
    def distinct(self) -> list[Formula]:
        """The formulas of each row, one of those that are the same along it."""
        seen: dict[tuple[int, str], Formula] = {}
        for formulas in self.by_row.values():
            for formula in formulas.values():
                seen.setdefault((formula.row, formula.signature), formula)
        return list(seen.values())

    def text(self, row: int, column: int) -> str:
        """Return what a cell shows as text; nothing for a blank one."""
        value = self.typed.get((row, column), self.stored.get((row, column)))
        return "" if value is None else str(value)

    def style(self, row: int, column: int) -> str:
        """Return the name of a cell's style in small letters."""
        return str(self.raw.cell(row, column).style).casefold()

    def is_input(self, row: int, column: int) -> bool:
        """Tell whether a cell is styled as an input."""
        return self.style(row, column).startswith("input")


@define(slots=False)
class Book:
    """A workbook."""

    path: Path
    raw: Any
    sheets: list[Sheet]
    parts: dict[str, bytes]
    names: dict[str, list[str]]
    """What each defined name of the workbook stands for; the same name in other capitals counts as the same."""

    def of(self, *roles: str) -> list[Sheet]:
        """Return the sheets of some roles."""
        return [sheet for sheet in self.sheets if sheet.role in roles]

    @property
    def formulas(self) -> list[Formula]:
        """All formulas."""
        return [formula for sheet in self.sheets for formula in sheet.formulas.values()]

    @cached_property
    def by_title(self) -> dict[str, Sheet]:
        """The sheets by title, without regard to case."""
        return {sheet.title.casefold(): sheet for sheet in self.sheets}

    def sheet(self, title: str) -> Sheet | None:
        """Return a sheet by its title."""
        return self.by_title.get(title.casefold())

    def reads(self, formula: Formula) -> list[Reference]:
        """Return what a formula reads, directly and by names."""
        named = [target for name in formula.names for target in self.targets.get(name.casefold(), [])]
        return [*formula.references, *named]

    @cached_property
    def targets(self) -> dict[str, list[Reference]]:
        """What names stand for."""
        return {
            name: [one for text in texts for one in references_of(text, "", 1, 1)] for name, texts in self.names.items()
        }

    @cached_property
    def precedents(self) -> dict[Cell, list[Cell]]:
        """The filled cells that each formula cell reads."""
        filled = {(sheet.title, *place) for sheet in self.sheets for place in (*sheet.typed, *sheet.formulas)}
        ranges: dict[tuple[str, int, int, int, int], list[Cell]] = {}
        graph: dict[Cell, list[Cell]] = {}
        for formula in self.formulas:
            below: dict[Cell, None] = {}
            for one in self.reads(formula):
                key = (one.sheet, one.top, one.left, one.bottom, one.right)
                if key not in ranges:
                    small = (one.bottom - one.top + 1) * (one.right - one.left + 1) <= MOST_CELLS
                    ranges[key] = [cell for cell in one.cells() if cell in filled] if small else []
                below.update(dict.fromkeys(ranges[key]))
            graph[formula.sheet, formula.row, formula.column] = list(below)
        return graph

    @cached_property
    def dependents(self) -> dict[Cell, list[Cell]]:
        """The formula cells that read each cell."""
        found: dict[Cell, list[Cell]] = {}
        for cell, below in self.precedents.items():
            for one in below:
                found.setdefault(one, []).append(cell)
        return found


def references_of(text: str, sheet: str, row: int, column: int) -> list[Reference]:
    """Return the references in an operand: one range, or none where it is a name."""
    match = REFERENCE.match(text.lstrip("="))
    if not match:
        return []
    named = (match["sheet"] or "").strip("'").replace("''", "'")
    first = _corner(match["r1"], match["c1"], row, column)
    last = _corner(match["r2"] or match["r1"], match["c2"] or match["c1"], row, column)
    shape = f"{named}!{first[2]}:{last[2]}" if match["c2"] else f"{named}!{first[2]}"
    return [Reference(named or sheet, first[0], first[1], last[0], last[1], shape)]


def _corner(row_text: str, column_text: str, row: int, column: int) -> tuple[int, int, str]:
    at = int(row_text.lstrip("$")), number_of_letters(column_text.lstrip("$"))
    rows = f"R{at[0]}" if row_text[0] == "$" else f"R[{at[0] - row}]"
    columns = f"C{at[1]}" if column_text[0] == "$" else f"C[{at[1] - column}]"
    return *at, rows + columns


def taken_apart(text: str, sheet: str, row: int, column: int) -> Formula:
    """Return a formula with its tokens, references and names."""
    from openpyxl.formula import Tokenizer

    tokens = tuple(
        Token(item.type, item.subtype, item.value) for item in Tokenizer(text).items if item.type != "WHITE-SPACE"
    )
    operands = [token.text for token in tokens if token.kind == "OPERAND" and token.subtype == "RANGE"]
    references = [one for operand in operands for one in references_of(operand, sheet, row, column)]
    names = tuple(operand for operand in operands if not REFERENCE.match(operand))
    return Formula(sheet, row, column, text, tokens, tuple(references), names)


def role_of(title: str) -> str:
    """Return what a sheet is for, by its name, or what stands before a dash in it."""
    for role, names in ROLES.items():
        if title.casefold() in names or title.casefold().partition(" - ")[0] in names:
            return role
    return "calculation"


def read_book(path: Path) -> Book:
    """Read a workbook.

    Raises:
        CapframeError: for a file that cannot be read or is no workbook.
    """
    from openpyxl import load_workbook

    try:
        with ZipFile(path) as archive:
            parts = {
                name: archive.read(name) for name in archive.namelist() if name.endswith((".xml", ".bin", ".rels"))
            }
        raw, stored = load_workbook(path), load_workbook(path, data_only=True)
    except OSError as fault:
        msg = f"{path} cannot be read: {fault.strerror or fault}"
        raise CapframeError(msg) from fault
    except (BadZipFile, KeyError, ValueError) as fault:
        msg = f"{path} is no Excel workbook (.xlsx): {fault}"
        raise CapframeError(msg) from fault
    sheets = [read_sheet(sheet, stored[sheet.title]) for sheet in raw.worksheets]
    names: dict[str, list[str]] = {}
    for name, text in re.findall(r'<definedName [^>]*?name="([^"]+)"[^>]*>([^<]*)<', _text(parts, "xl/workbook.xml")):
        if not name.startswith("_xlnm."):
            names.setdefault(name.casefold(), []).append(_unescaped(text))
    return Book(Path(path), raw, sheets, parts, names)


def read_sheet(raw: Any, stored: Any) -> Sheet:
    """Return a sheet with its cells sorted into constants and formulas."""
    sheet = Sheet(raw.title, role_of(raw.title), raw)
    for row in raw.iter_rows():
        for cell in row:
            at = cell.row, cell.column
            if cell.data_type == "f":
                text = getattr(cell.value, "text", cell.value)
                sheet.formulas[at] = taken_apart(str(text), raw.title, *at)
                sheet.stored[at] = stored.cell(*at).value
            elif cell.value is not None:
                sheet.typed[at] = cell.value
    return sheet


def _text(parts: dict[str, bytes], name: str) -> str:
    return parts.get(name, b"").decode("utf-8", "replace")


def _unescaped(text: str) -> str:
    for code, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(code, sign)
    return text
