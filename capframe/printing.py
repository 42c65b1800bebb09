"""A formula as text: for a cell of a workbook, and for a reader."""

from __future__ import annotations

import math as mathematics
import re
from collections.abc import Callable
from functools import cache, singledispatch
from typing import Protocol

from attrs import frozen

from capframe.errors import FormulaError
from capframe.expr import (
    OPERATORS,
    Call,
    Expr,
    Last,
    LookUp,
    Member,
    Missing,
    Num,
    Op,
    OverTime,
    Previous,
    Ref,
    Span,
    Text,
    key_of,
)
from capframe.wording import say

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
OF = {"en": "{0} of {1}", "zh": "{1}的{0}"}
PREVIOUS = {"en": "previous {0}", "zh": "上期 {0}"}
OVER_TIME = {"en": "Σ over time of {0}", "zh": "各期 {0} 之和"}
OVER_A_SPAN = {"en": "Σ over {1} of {0}", "zh": "{1} 各期 {0} 之和"}
OVER_THE_LAST = {
    "en": "Σ of {0} over the last periods (number: {1}; the earliest in part)",
    "zh": "最近若干期 {0} 之和(期数: {1}; 最早一期按比例计)",
}
IN_A_PERIOD = {"en": "{0} in {1}", "zh": "{1} 的 {0}"}
MINUS = "-−"  # as cells write it, and as readers do
LOOSE, NEGATIVE, ATOM = 0, 5, 9  # Excel: -2^2 is 4, its minus binds tighter than ^


class Layout(Protocol):
    """What printing asks for: where a key stands, and where the facts and a group of inputs stand."""

    def cell(self, key: str) -> str:
        """Return the address of a key."""
        ...

    def fact(self, pick: str, column: str) -> str:
        """Return the look-up of a fact; ``column`` is a formula that gives the column's name."""
        ...

    def member(self, group: str, pick: str) -> str:
        """Return the look-up of a group's input."""
        ...

    def previous(self, key: str) -> str:
        """Return the address of a line one period before; before the first stands its opening."""
        ...

    def so_far(self, key: str) -> tuple[str, str]:
        """Return the cells of a line up to this period, and a formula for how many periods ago each of them was."""
        ...

    def over_time(self, key: str, span: Span | None) -> str:
        """Return what finds the sum of a line over all periods, or over a span of them."""
        ...


@frozen
class Piece:
    """Printed text that knows whether it needs brackets next to an operator: ``{0}`` as it is, ``{0:(}`` closed."""

    text: str
    closed: bool

    def __format__(self, spec: str) -> str:
        return f"({self.text})" if spec == "(" and not self.closed else self.text


def binds(node: Expr) -> int:
    """Return how tightly a node holds together: higher binds tighter."""
    if isinstance(node, Op):
        return OPERATORS[node.sign].binds
    if isinstance(node, Call):
        return LOOSE if _has_bare_signs(node.function.excel) else ATOM
    return NEGATIVE if isinstance(node, Num) and node.value < 0 else ATOM


@cache
def _has_bare_signs(excel: str) -> bool:
    """Tell whether a function's formula has signs outside of its brackets, as ``2*{0:(}``."""
    text = re.sub(r'"[^"]*"|\{[^}]*\}', "", excel)
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    return any(sign in text for sign in "+-*/^&=<>%")


def binds_in_words(node: Expr, language: str) -> int:
    """Return how tightly a node holds together as a reader sees it: ``x, or else y`` is one call in a cell alone."""
    if isinstance(node, Call):
        return _words_bind(say(node.function.math, language))
    return LOOSE if isinstance(node, OverTime) else binds(node)


@cache
def _words_bind(words: str) -> int:
    outside = _outside_brackets(words)
    rest = outside.replace("{}", "").replace("•", "").strip()
    apart = "{}" in outside and any(sign == " " or sign.isalpha() for sign in outside.strip())  # no mere x³
    if rest and (apart or any(sign in rest for sign in "+-−*×/<>=≤≥,")):
        return LOOSE
    return OPERATORS["^"].binds if rest and ("^" in rest or "{}" in outside) else ATOM


@cache
def _is_a_list(words: str) -> bool:
    """Tell whether a function's words have a comma outside of brackets, which a list or another sentence has too."""
    return any(comma in _outside_brackets(words) for comma in ",，")  # noqa: RUF001 - a Chinese comma


def _outside_brackets(words: str) -> str:
    """Return what is left of a function's words with ``{}`` for each argument and ``•`` for each pair of brackets."""
    words = re.sub(r"\{[^}]*\}", "{}", words)
    while (shorter := re.sub(r"[(⌈⌊][^()⌈⌉⌊⌋]*[)⌉⌋]", "•", words)) != words:
        words = shorter
    return words


def shut(text: str, node: Expr, sign: str, *, right: bool) -> str:
    """Put brackets where Excel would otherwise take the text apart differently."""
    return _bracketed(text, binds(node), sign, right=right)


def shut_in_words(text: str, node: Expr, sign: str, language: str, *, right: bool) -> str:
    """Put brackets where a reader would."""
    return _bracketed(text, binds_in_words(node, language), sign, right=right)


def _bracketed(text: str, its: int, sign: str, *, right: bool) -> str:
    mine = OPERATORS[sign].binds
    loose = its < ATOM if sign == "^" else its < mine or (right and (its == mine or text[0] in MINUS))
    return f"({text})" if loose else text


def plain(value: float) -> str:
    """Print a number as Excel's formula language wants it.

    Raises:
        FormulaError: for nan or an infinity.
    """
    if not mathematics.isfinite(value):
        msg = f"{value} cannot stand in a formula"
        raise FormulaError(msg)
    return repr(float(value)).removesuffix(".0").upper()


def quoted(text: str) -> str:
    """Print a text literal for Excel."""
    return '"' + text.replace('"', '""') + '"'


@singledispatch
def excel(node: Expr, layout: Layout) -> str:
    """Return the Excel formula, without the leading ``=``."""
    msg = f"no Excel for {type(node).__name__}"
    raise TypeError(msg)


@excel.register
def _(node: Num, layout: Layout) -> str:
    return plain(node.value)


@excel.register
def _(node: Text, layout: Layout) -> str:
    return quoted(node.value)


@excel.register
def _(node: Missing, layout: Layout) -> str:
    return "NA()"


@excel.register
def _(node: Ref, layout: Layout) -> str:
    return layout.cell(key_of(node))


@excel.register
def _(node: Op, layout: Layout) -> str:
    left, right = excel(node.left, layout), excel(node.right, layout)
    return shut(left, node.left, node.sign, right=False) + node.sign + shut(right, node.right, node.sign, right=True)


@excel.register
def _(node: Call, layout: Layout) -> str:
    pieces = [Piece(excel(arg, layout), binds(arg) == ATOM) for arg in node.args]
    return node.function.excel.format(*pieces, all=",".join(piece.text for piece in pieces))


@excel.register
def _(node: LookUp, layout: Layout) -> str:
    column = quoted(node.column) if node.by is None else f"{quoted(node.column + '.')}&{excel(node.by, layout)}"
    return layout.fact(key_of(node.pick), column)


@excel.register
def _(node: Member, layout: Layout) -> str:
    return layout.member(node.group, key_of(node.pick))


@excel.register
def _(node: Previous, layout: Layout) -> str:
    return layout.previous(key_of(node.line))


@excel.register
def _(node: OverTime, layout: Layout) -> str:
    return layout.over_time(key_of(node.line), node.span)


@excel.register
def _(node: Last, layout: Layout) -> str:
    values, ago = layout.so_far(key_of(node.line))
    left = f"{shut(excel(node.periods, layout), node.periods, '-', right=False)}-{ago}"
    counted = f"({left}>=1)+({left}>0)*({left}<1)*({left})"  # MIN and MAX do not work cell by cell
    return f"SUMPRODUCT({values},{counted})"


@singledispatch
def math(node: Expr, name: Callable[[str], str], language: str) -> str:
    """Return the formula as a reader of a language would write it.

    ``name`` says how a key is called: that of a line or an input, a group, or a fact of what an input picks
    (``pools.main.accelerator.price.USD``).
    """
    msg = f"no math for {type(node).__name__}"
    raise TypeError(msg)


@math.register
def _(node: Num, name: Callable[[str], str], language: str) -> str:
    if node.value and not 1e-4 <= abs(node.value) < 1e9:  # noqa: PLR2004 - beyond these, digits are hard to count
        digits, power = f"{node.value:.9e}".split("e")
        raised_to = str(int(power)).translate(SUPERSCRIPTS)
        return f"10{raised_to}" if float(digits) == 1 else f"{float(digits):.10g}×10{raised_to}".replace("-", "−")
    return f"{node.value:,.10g}".replace("-", "−")


@math.register
def _(node: Text, name: Callable[[str], str], language: str) -> str:
    return f"“{node.value}”"


@math.register
def _(node: Missing, name: Callable[[str], str], language: str) -> str:
    return "n/a"


@math.register
def _(node: Ref, name: Callable[[str], str], language: str) -> str:
    return name(key_of(node))


@math.register
def _(node: Op, name: Callable[[str], str], language: str) -> str:
    left, right = math(node.left, name, language), math(node.right, name, language)
    left = shut_in_words(left, node.left, node.sign, language, right=False)
    right = shut_in_words(right, node.right, node.sign, language, right=True)
    return OPERATORS[node.sign].math.format(left, right)


@math.register
def _(node: Call, name: Callable[[str], str], language: str) -> str:
    pieces = []
    for place, arg in enumerate(node.args, 1):
        text, closed = math(arg, name, language), binds_in_words(arg, language) == ATOM
        goes_on = isinstance(arg, Call) and arg.function == node.function and place == len(node.args)
        if isinstance(arg, Call) and _is_a_list(say(arg.function.math, language)) and not goes_on:
            text, closed = f"({text})", True
        pieces.append(Piece(text, closed))
    return say(node.function.math, language).format(*pieces, all=", ".join(piece.text for piece in pieces))


@math.register
def _(node: LookUp, name: Callable[[str], str], language: str) -> str:
    pick = key_of(node.pick)
    column = name(f"{pick}.{node.column}").removeprefix(f"{pick}.")  # where keys stand as they are
    if node.by is not None:
        column = f"{column} ({math(node.by, name, language)})"
    return say(OF, language).format(column, name(pick))


@math.register
def _(node: Member, name: Callable[[str], str], language: str) -> str:
    return say(OF, language).format(name(node.group), name(key_of(node.pick)))


@math.register
def _(node: Previous, name: Callable[[str], str], language: str) -> str:
    return say(PREVIOUS, language).format(name(key_of(node.line)))


@math.register
def _(node: OverTime, name: Callable[[str], str], language: str) -> str:
    line, span = name(key_of(node.line)), node.span
    if span is None:
        return say(OVER_TIME, language).format(line)
    return say(IN_A_PERIOD if span.first == span.last else OVER_A_SPAN, language).format(line, span.name)


@math.register
def _(node: Last, name: Callable[[str], str], language: str) -> str:
    return say(OVER_THE_LAST, language).format(name(key_of(node.line)), math(node.periods, name, language))
