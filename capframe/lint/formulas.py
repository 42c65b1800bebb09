"""Rules about what is written in a formula."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from capframe.lint.findings import check, found
from capframe.portable import PORTABLE, VOLATILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.lint.book import Book, Formula, Sheet
    from capframe.lint.findings import Finding

PLAIN = {0, 1, 2, 12, 24, 100, 365, 1000, 1024, 3600, 8760, 1_000_000}
SECONDS = (1, 60, 3600, 86_400, 2_628_000, 7_884_000, 31_536_000)
"""A second, minute, hour, day, month, quarter and year: changes of scale are made of their ratios."""
BYTE, SMALL = 8, 10
GUARD = re.compile(r"\*\(1[-+]1E-9\)", re.IGNORECASE)
GUARDS = ("1E-9*MAX(ABS(", "(1-1E-9)", "(1+1E-9)")
LOOK_UP = re.compile(r"INDEX\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", re.IGNORECASE)
CELLS = re.compile(r"(?:'(?:[^']|'')*'!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?")
SHEETS = re.compile(r"'(?:[^']|'')*'!")
LISTS = re.compile(r"\b(?:SUM|MAX|MIN)\(")
IFS, FLAG = re.compile(r"\bIF\("), re.compile(r"\bIF\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*,(?:0,1|1,0)\)")
LIVE = {"IF", "ISBLANK", "NA"}
"""What cells call that resolve what was typed for a scenario and for base."""
LONGEST, DEEPEST, MOST_REFERENCES, MOST_CHOICES = 120, 4, 8, 5
ROUNDING = {"ROUND", "ROUNDUP", "ROUNDDOWN", "INT", "TRUNC", "CEILING", "FLOOR", "MROUND", "FIXED"}
MODEL = ("calculation", "output", "input")


def checked(book: Book, roles: tuple[str, ...] = MODEL) -> Iterator[Formula]:
    """Yield the formulas of inputs, calculations and outputs, once where a row repeats one.

    Sentences of checks are texts, not figures.
    """
    return (formula for sheet in book.of(*roles) for formula in sheet.distinct)


@check
def no_constants(book: Book) -> Iterator[Finding]:
    """Rule 7. Exempt, because they stand in sight: the 1E-9 of guards, factors between units, a count in the label."""
    for formula in checked(book):
        numbers = list(constants(formula))
        scaled = any(number >= SMALL and is_factor(number) for number in numbers)
        home = book.sheet(formula.sheet)
        label = re.findall(r"\d+", home.text(formula.row, 1)) if home else []
        for number in numbers:
            if (
                number not in PLAIN
                and f"{number:g}" not in label
                and not (is_factor(number) and (number >= SMALL or number == BYTE or scaled))
            ):
                what, advice = f"{number:g} is typed into the formula", "make it an input with a source"
                severity = "warning" if home and cited(home, formula.row) else "error"
                yield found(7, severity, what, advice, sheet=home, at=formula.at)
                break


def cited(sheet: Sheet, row: int) -> bool:
    """Tell whether a row names the source of its formula, where a reader finds the constants that belong to it."""
    heads = (
        column for column in range(1, sheet.raw.max_column + 1) if is_source(sheet.text(sheet.first[0] - 1, column))
    )
    return any(sheet.text(row, column) for column in heads)


def is_source(title: str) -> bool:
    """Tell whether a column title says that sources stand below."""
    return title.casefold() in {"source", "sources", "数据来源", "来源"}


def constants(formula: Formula) -> Iterator[float]:
    """Yield the numbers typed into a formula, but for the guard's."""
    guarded = any(guard in formula.text.upper() for guard in GUARDS)
    for token in formula.tokens:
        if token.kind == "OPERAND" and token.subtype == "NUMBER":
            number = float(token.text)
            if not (guarded and number == 1e-9):  # noqa: PLR2004 - the guard of capframe's design
                yield number


def unguarded(text: str) -> str:
    """Return a formula without its guards: ``a-b<=1E-9*MAX(ABS(a),ABS(b))`` becomes ``a-b<=0``."""
    while found := GUARD.search(text):
        start = found.start()
        if text[start - 1] == ")":  # the brackets stand there for the guard
            opening = _opening(text, start - 1)
            text = text[:opening] + text[opening + 1 : start - 1] + text[found.end() :]
        else:
            text = text[:start] + text[found.end() :]
    while (start := text.upper().find(GUARDS[0])) >= 0:
        end = _closing(text, text.index("(", start) + 1)
        text = f"{text[:start]}0{text[end + 1 :]}"
    return text


@lru_cache(maxsize=1)
def factors() -> frozenset[float]:
    """Return the numerators and denominators of all changes of scale: times, decimal prefixes, bits, KiB, percent."""
    found_: set[float] = set()
    powers = (-18, -15, -12, -9, -6, -3, -2, 0, 2, 3, 6, 9, 12, 15, 18)
    for one, other, power, bits, binary in product(SECONDS, SECONDS, powers, (-1, 0, 1), (-1, 0, 1)):
        above = one * 10 ** max(power, 0) * 8 ** max(bits, 0) * 1024 ** max(binary, 0)
        below = other * 10 ** max(-power, 0) * 8 ** max(-bits, 0) * 1024 ** max(-binary, 0)
        common = math.gcd(above, below)
        found_ |= {float("%.16g" % (above // common)), float("%.16g" % (below // common))}  # noqa: UP031 - as files hold numbers
    return frozenset(found_)


def is_factor(number: float) -> bool:
    """Tell whether a number changes one unit into another; a small one stands beside a large one (``*18/5``)."""
    return number in factors()


@check
def short(book: Book) -> Iterator[Finding]:
    """Rules 8 and 9, of what a reader has to understand: terms of one shape once, each cell once, as in words.

    IFERROR and guards do not count, and a look-up is one reference. An IF that gives 1 or 0 is a flag, which is what
    rule 9 wants. Exempt: live cells, which ask what was typed.
    """
    for formula in checked(book, ("calculation", "output")):
        sheet = book.sheet(formula.sheet)
        references = len(set(CELLS.findall(text := worded(formula.text))))
        text = SHEETS.sub("", text)
        depth = _depth(text)
        if len(text) > LONGEST or depth > DEEPEST or references > MOST_REFERENCES or "\n" in text:
            what = f"{len(text)} characters, {depth} levels, {references} references"
            yield found(8, "warning", what, "split it into rows of its own", sheet=sheet, at=formula.at)
        if set(formula.functions) != LIVE and len(IFS.findall(FLAG.sub("", text))) > 1:
            advice = "use flags of 0 and 1, or a row for each condition"
            yield found(9, "warning", "IF stands in it more than once", advice, sheet=sheet, at=formula.at)


def worded(text: str) -> str:
    """Return a formula without IFERROR and guards, each look-up one reference, terms of one shape once."""
    text = re.sub(r"^=IFERROR\((.*),(?:NA\(\)|\"n/a\")\)$", r"=\1", text, flags=re.DOTALL)
    return once(LOOK_UP.sub("A1", unguarded(text)))


def once(text: str) -> str:
    """Return a formula with one of the arguments of SUM, MAX or MIN that have the same shape, however many there are.

    ``SUM(IF(A1>0,1,0),IF(A2>0,1,0))`` becomes ``SUM(IF(A1>0,1,0))``: the second says nothing new.
    """
    start = 0
    while found := LISTS.search(text, start):
        end = _closing(text, found.end())
        shapes: dict[str, str] = {}
        for one in split(text[found.end() : end]):
            shapes.setdefault(CELLS.sub("#", one), one)
        text = f"{text[: found.end()]}{','.join(shapes.values())}{text[end:]}"
        start = found.end()
    return text


def split(text: str) -> list[str]:
    """Return the arguments that commas part, but for those within brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _opening(text: str, end: int) -> int:
    depth = 0
    for at in range(end, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            break
    return at


def _closing(text: str, start: int) -> int:
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return len(text)


def _depth(text: str) -> int:
    """Return how deep brackets lie in one another, but for those of IFERROR."""
    deepest, opened = 0, list[bool]()
    text = re.sub(r'"[^"]*"', "", text)
    for at, sign in enumerate(text):
        if sign == "(":
            opened.append(not text.endswith("IFERROR", 0, at))
            deepest = max(deepest, sum(opened))
        elif sign == ")" and opened:
            opened.pop()
    return deepest


@check
def portable(book: Book) -> Iterator[Finding]:
    """Rules 10 to 13."""
    for formula in book.formulas:
        sheet, at = book.sheet(formula.sheet), formula.at
        for name in dict.fromkeys(formula.functions):
            if name in VOLATILE:
                what = f"{name} recalculates always or hides what it reads"
                yield found(11, "error", what, "use INDEX, or an input cell", sheet=sheet, at=at)
            elif name in {"NPV", "XNPV"}:
                what = f"{name} discounts the first flow too"
                yield found(12, "error", what, "write a row of discount factors", sheet=sheet, at=at)
            elif name not in PORTABLE:
                what = f"{name} is not computed alike by Excel 2010, WPS and LibreOffice"
                yield found(10, "error", what, "use SUM, INDEX, MATCH, IF and their like", sheet=sheet, at=at)
        if "CHOOSE" in formula.functions and _arguments(formula, "CHOOSE(") > MOST_CHOICES:
            what = "CHOOSE has more than five arguments"
            yield found(13, "warning", what, "use INDEX over a range", sheet=sheet, at=at)


def _arguments(formula: Formula, opening: str) -> int:
    depth, count = 0, 0
    for token in formula.tokens:
        if depth == 0 and token.text.upper() != opening:
            continue
        if depth == 1 and token.kind == "SEP":
            count += 1
        depth += (token.subtype == "OPEN") - (token.subtype == "CLOSE")
        if depth == 0:
            break
    return count + 1


@check
def stands_alone(book: Book) -> Iterator[Finding]:
    """Rule 15."""
    if any(name.startswith("xl/externalLinks/") for name in book.parts):
        yield found(15, "error", "the file links to other workbooks", "bring their figures in as inputs with a source")
    if "xl/vbaProject.bin" in book.parts:
        yield found(15, "error", "the file holds macros", "save it as .xlsx without them")
    for formula in book.formulas:
        if any(token.subtype == "RANGE" and re.search(r"\[[^\]]+\]", token.text) for token in formula.tokens):
            what = "reads another workbook"
            yield found(
                15, "error", what, "bring the figure in as an input", sheet=book.sheet(formula.sheet), at=formula.at
            )


@check
def no_rounding(book: Book) -> Iterator[Finding]:
    """Rule 40. Exempt: a guarded ROUNDUP or ROUNDDOWN, which counts whole things."""
    for formula in checked(book):
        for name in ROUNDING.intersection(formula.functions):
            guarded = name in {"ROUNDUP", "ROUNDDOWN"} and GUARD.search(formula.text)
            if not guarded:
                what = f"{name} changes the figure that later rows read"
                advice = "round by the number format; count whole things by ROUNDUP(x*(1-1E-9),0)"
                yield found(40, "error", what, advice, sheet=book.sheet(formula.sheet), at=formula.at)
