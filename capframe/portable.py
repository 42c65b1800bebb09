"""Formulas that every calculator reads alike, and what is wrong with a function of a plugin that would not be read."""

from __future__ import annotations

import re
from functools import cache
from string import ascii_uppercase
from typing import TYPE_CHECKING

from capframe.expr import arity
from capframe.printing import Piece

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capframe.expr import Function

VOLATILE = {"OFFSET", "INDIRECT", "NOW", "TODAY", "RAND", "RANDBETWEEN", "CELL", "INFO"}
PORTABLE = {
    "SUM", "AVERAGE", "MIN", "MAX", "COUNT", "COUNTA", "SUMPRODUCT", "SUMIF", "SUMIFS", "COUNTIF", "COUNTIFS",
    "AVERAGEIF", "LARGE", "SMALL", "MEDIAN", "RANK", "STDEV", "PERCENTILE", "SUBTOTAL", "PRODUCT", "SUMSQ",
    "IF", "IFERROR", "NOT", "AND", "OR", "ISNUMBER", "ISBLANK", "ISERROR", "ISNA", "ISTEXT", "NA", "TRUE",
    "FALSE", "CHOOSE", "INDEX", "MATCH", "VLOOKUP", "HLOOKUP", "LOOKUP", "ROWS", "COLUMNS", "ROW", "COLUMN",
    "ROUND", "ROUNDUP", "ROUNDDOWN", "INT", "TRUNC", "CEILING", "FLOOR", "MOD", "QUOTIENT", "MROUND", "ABS",
    "SIGN", "SQRT", "EXP", "LN", "LOG", "LOG10", "POWER", "PI", "DATE", "YEAR", "MONTH", "DAY", "EDATE",
    "EOMONTH", "YEARFRAC", "NETWORKDAYS", "WEEKDAY", "DATEDIF", "PMT", "PV", "FV", "RATE", "NPER", "IRR", "SLN",
    "DDB", "TEXT", "LEN", "LEFT", "RIGHT", "MID", "UPPER", "LOWER", "TRIM", "SUBSTITUTE", "REPT", "FIXED",
    "VALUE", "NORMSINV", "NORMSDIST", "BINOMDIST", "POISSON", "CRITBINOM", "FACT", "COMBIN", "HYPERLINK",
}  # fmt: skip
"""What Excel 2010, WPS, LibreOffice and Gnumeric compute alike; ISBLANK, NA and ISERROR belong to overrides and n/a."""

TYPED = re.compile(r'"(?:[^"]|"")*"|(?<![A-Z0-9.])(?:\d+(?:\.\d+)?(?:E[-+]?\d+)?|TRUE|FALSE)(?![A-Z0-9.(])')
PART = re.compile(
    r"(?:[A-Z][A-Z0-9.]*)?\(□\)|[A-Z][A-Z0-9.]*\((?:□(?:,□)+)?\)|□%|□(?:<=|>=|<>|[-+*/^&=<>])□|(?<![□)%])[-+]□"
)
"""A call, a pair of brackets, a percentage, two operands and their sign, a sign in front: each is an operand again."""
UNPARTED = re.compile(r"(?<![(,{])\{(?:\d+|all)\}|\{(?:\d+|all)\}(?![),}])")


def lacking(function: Function) -> str:
    """Say which reading a function lacks, or what is wrong with one, or nothing; it has all of them or none."""
    maths: Mapping[str, object] = (
        function.math if not isinstance(function.math, str | None) else {"math": function.math}
    )
    for reading, text in (("excel", function.excel), *(("math", text) for text in maths.values())):
        if not isinstance(text, str) or "{" not in text:
            return f"its reading {reading!r} is a text with slots, such as 'SQRT({{0}})'; not {text!r}"
    for reading in ("apply", "settle"):
        if not callable(getattr(function, reading)):
            return f"its reading {reading!r} is a function, not {getattr(function, reading)!r}"
    wrong = wrong_with_excel(function.excel)
    return wrong or next(
        filter(None, (wrong_with_slots("math", str(text), function.excel) for text in maths.values())), ""
    )


@cache
def wrong_with_excel(template: str) -> str:
    """Say why the Excel reading of a function would not be computed, or nothing; tried with cells for its slots."""
    if wrong := wrong_with_slots("excel", template, template):
        return wrong
    said = f"its reading 'excel' gives `{_filled(template, template)}`"
    text = TYPED.sub("□", _filled(template, template, "□").upper())
    text = re.sub(r"\s*([-+*/^&=<>(),]+)\s*", r"\1", text)
    for name in re.findall(r"[A-Z][A-Z0-9.]*(?=\()", text):
        if name not in PORTABLE:
            return f"{said}; {name} is not computed alike by Excel 2010, WPS and LibreOffice"
    while (shorter := PART.sub("□", text)) != text:
        text = shorter
    if text != "□":
        return f"{said}, which is no formula of Excel"
    if slot := UNPARTED.search(template.replace(" ", "")):
        right = f"{slot[0][:-1]}:(}}"
        return f"its reading 'excel' has `{slot[0]}` beside a sign; write `{right}`, which gets brackets where needed"
    return ""


@cache
def wrong_with_slots(reading: str, template: str, excel: str) -> str:
    """Say why a reading of a function could not be filled with as many arguments as the Excel reading takes."""
    try:
        _filled(template, excel)
    except (IndexError, KeyError, ValueError) as fault:
        many = "slots are {0}, {1}, … or {all}, as many as in 'excel'"
        return (
            f"its reading {reading!r} is {template!r}, which cannot be filled ({type(fault).__name__}: {fault}); {many}"
        )
    return ""


def _filled(template: str, excel: str, cell: str = "") -> str:
    takes, any_more = arity(excel)
    cells = [cell or f"{column}1" for column in ascii_uppercase[: takes + any_more]]
    return template.format(*(Piece(cell, closed=True) for cell in cells), all=",".join(cells))
