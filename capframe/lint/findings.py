"""What the lint says, and the table of its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capframe.lint.book import Book

RULES = {
    1: "inputs, calculations, outputs and checks on separate sheets; nothing reads an output",
    2: "a sheet flows from top to bottom and from left to right",
    3: "one row, one formula",
    4: "no constant typed over a formula in a row",
    5: "the same columns on all calculation sheets",
    6: "one timeline and frozen headers",
    7: "no hard-coded constants in formulas",
    8: "short formulas",
    9: "no nested IF",
    10: "portable functions only",
    11: "nothing volatile, no OFFSET, no INDIRECT",
    12: "no NPV; explicit discount factors",
    13: "INDEX rather than a long CHOOSE",
    14: "no circular references",
    15: "no external links, no macros",
    16: "calculate once, refer back",
    17: "styles by role: input, calculation, link",
    18: "named styles only, and few of them",
    19: "every row has a label and a unit",
    20: "one unit in a sum",
    21: "percentages are fractions with a % format",
    23: "labels and names are unique",
    24: "totals by SUM over the whole block, nothing counted twice",
    25: "totals by row and by column are compared",
    26: "a sheet of checks, one master check on the cover",
    27: "kinds of checks kept apart",
    28: "no error values",
    29: "all cases visible, each with a live cell",
    30: "every input is used, no orphan calculations",
    31: "every input reaches an output",
    32: "a source and a confidence for every input",
    33: "a cover with date, currency, units, colours and links to every sheet",
    34: "a version and a log of changes",
    35: "nothing hidden",
    36: "no merged cells in inputs and calculations",
    37: "no number in the format General",
    38: "no cut figures",
    39: "no numbers stored as text, no blanks read as zero",
    40: "no rounding in calculations but guarded counts",
    41: "names are valid, unique and resolve",
    42: "validation on every input",
    43: "formulas locked, inputs open, no secret password",
    44: "set up for print",
    45: "charts titled, axes labelled, on output sheets",
}
"""The rules that a program can test on the file. 22 (signs) and 46 (fit for purpose) need the plan or a person."""


@frozen
class Finding:
    """One thing against a rule: where, what, and what to do."""

    rule: int
    severity: str
    sheet: str
    cell: str
    what: str
    advice: str
    place: tuple[int, int] = field(default=(0, 0), repr=False, eq=False)

    def __str__(self) -> str:
        where = f"{self.sheet}!{self.cell}" if self.cell else self.sheet or "workbook"
        return f"{self.severity} {self.rule} {where}: {self.what}; {self.advice}"


CHECKS: list[Callable[[Book], Iterator[Finding]]] = []


def check(function: Callable[[Book], Iterator[Finding]]) -> Callable[[Book], Iterator[Finding]]:
    """Add a function to what the lint runs."""
    CHECKS.append(function)
    return function


def found(  # noqa: PLR0913 - a finding's own arguments
    rule: int, severity: str, what: str, advice: str, *, sheet: Any = None, at: tuple[int, int] | None = None
) -> Finding:
    """Return a finding on a sheet (or the workbook), at a row and column."""
    from capframe.lint.book import address

    title = "" if sheet is None else sheet.title
    return Finding(rule, severity, title, address(*at) if at else "", what, advice, at or (0, 0))
