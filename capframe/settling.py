"""Units settled: every change of scale is written into the formula, so that Python and Excel work on bare numbers."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import TYPE_CHECKING, Protocol

from capframe.errors import UnitError
from capframe.expr import (
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
    Text,
    children,
    key_of,
)
from capframe.units import ANYTHING, ONE, TEST, TEXT, Unit

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

MOST_THOUSANDS = 5


class UnitScope(Protocol):
    """What settling asks for: the unit of a key, of a catalogue fact, and of an entry of a group."""

    def __getitem__(self, key: str) -> Unit: ...
    def fact(self, pick: str, column: str) -> Unit:
        """Return the unit of a catalogue column, or of a family of them."""
        ...

    def entry(self, group: str, pick: str) -> Unit:
        """Return the unit of the entries of a group for parts that an input picks."""
        ...


def to(node: Expr, have: Unit, want: Unit) -> Expr:
    """Return the same quantity in another unit: the factor stands in the formula, where a reader sees it.

    Raises:
        UnitError: if the dimensions differ.
    """
    if have == ANYTHING:
        return node
    if have.dims != want.dims:
        msg = f"{have.text} is not {want.text}"
        raise UnitError(msg)
    if have.factor == want.factor:
        return node
    times, over = familiar(have.factor / want.factor)
    if times != 1:
        node = node * Num(times)
    if over != 1:
        node = node / Num(over)
    return node


def familiar(ratio: Fraction) -> tuple[int, int]:
    """Return a factor as people know it: 8,760 / 1,000 rather than 219 / 25."""
    if ratio.numerator != 1 and ratio.denominator != 1:
        for power in range(1, MOST_THOUSANDS):
            if (ratio * 1000**power).denominator == 1:
                return int(ratio * 1000**power), 1000**power
    return ratio.numerator, ratio.denominator


@singledispatch
def settle(node: Expr, units: UnitScope) -> tuple[Expr, Unit]:
    """Return the formula with every change of scale written out, and its unit.

    Raises:
        UnitError: where quantities do not fit.
    """
    msg = f"no unit for {type(node).__name__}"
    raise TypeError(msg)


@settle.register
def _(node: Num, units: UnitScope) -> tuple[Expr, Unit]:
    return node, ONE


@settle.register
def _(node: Text, units: UnitScope) -> tuple[Expr, Unit]:
    return node, TEXT


@settle.register
def _(node: Missing, units: UnitScope) -> tuple[Expr, Unit]:
    return node, ANYTHING


@settle.register
def _(node: Ref, units: UnitScope) -> tuple[Expr, Unit]:
    return node, units[key_of(node)]


@settle.register
def _(node: Call, units: UnitScope) -> tuple[Expr, Unit]:
    args, unit = node.function.settle([settle(arg, units) for arg in node.args])
    return Call(node.function, tuple(args)), unit


@settle.register
def _(node: LookUp, units: UnitScope) -> tuple[Expr, Unit]:
    if node.by is not None and settle(node.by, units)[1] != TEXT:
        msg = f"a look-up of {node.column!r} is chosen by a text, such as a precision"
        raise UnitError(msg)
    return node, units.fact(key_of(node.pick), node.column)


@settle.register
def _(node: Member, units: UnitScope) -> tuple[Expr, Unit]:
    return node, units.entry(node.group, key_of(node.pick))


@settle.register
def _(node: Previous, units: UnitScope) -> tuple[Expr, Unit]:
    want = units[key_of(node.line)]
    return Previous(node.line, to(*settle(node.opening, units), want)), want


@settle.register
def _(node: OverTime, units: UnitScope) -> tuple[Expr, Unit]:
    return node, units[key_of(node.line)]


@settle.register
def _(node: Last, units: UnitScope) -> tuple[Expr, Unit]:
    return Last(node.line, to(*settle(node.periods, units), ONE)), units[key_of(node.line)]


@settle.register
def _(node: Op, units: UnitScope) -> tuple[Expr, Unit]:
    (left, have), (right, other) = settle(node.left, units), settle(node.right, units)
    for unit in (have, other):
        if unit in (TEXT, TEST):
            msg = f"no arithmetic on {unit.text}; texts and comparisons stand in when(…), same(…) and look-ups only"
            raise UnitError(msg)
    match node.sign:
        case "*" | "/" | "^" if ANYTHING in {have, other}:
            return Op(node.sign, left, right), ANYTHING
        case "*":
            return left * right, have * other
        case "/":
            return left / right, have / other
        case "^":
            return to(left, have, ONE) ** to(right, other, ONE), ONE
    if have == ANYTHING:
        return Op(node.sign, left, right), other
    return Op(node.sign, left, to(right, other, have)), have


def fails(node: Expr) -> bool:
    """Tell whether a formula can fail on finite values, so that its cell needs ``IFERROR(…,NA())``."""
    match node:
        case Op("/", _, Num(value)) if value:
            own = False
        case Op(sign):
            own = sign in "/^"
        case Call(function):
            own = function.fails
        case _:
            own = isinstance(node, LookUp | Member)
    return own or any(fails(child) for child in children(node))


def counts(node: Expr, whole: Callable[[str], bool]) -> bool:
    """Tell whether a formula always gives a whole number, given which keys do."""
    match node:
        case Num(value):
            return value == int(value) if math.isfinite(value) else False
        case Ref():
            return whole(key_of(node))
        case Op(sign, left, right):
            return sign in "+-*" and counts(left, whole) and counts(right, whole)
        case Call(function, args):
            return function.whole([counts(arg, whole) for arg in args])
    return False
