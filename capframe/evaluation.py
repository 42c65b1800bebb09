"""The value of a formula, and where there is none, why."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Protocol

from capframe import printing
from capframe.expr import (
    NAN,
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
    Value,
    children,
    key_of,
    sum_of_last,
)
from capframe.wording import say


class Scope(Protocol):
    """What evaluation asks for: values, catalogue facts, and why something is not available."""

    def __getitem__(self, key: str) -> Value: ...
    def fact(self, pick: str, column: str) -> Value:
        """Return a fact of the part that an input picks; nan where it is not disclosed."""
        ...

    def reason(self, key: str) -> str | None:
        """Return why a key has no value."""
        ...

    def before(self, key: str) -> Value | None:
        """Return the value of a line in the period before, or None in the first period."""
        ...

    def so_far(self, key: str) -> list[Value]:
        """Return the values of a line in each period up to this one."""
        ...

    def over_time(self, key: str, span: Span | None = None) -> Value:
        """Return the sum of a line over all periods, or over a span of them."""
        ...

    def label(self, key: str) -> str:
        """Return how a key is called, with the member it belongs to."""
        ...

    def column(self, pick: str, column: str) -> str:
        """Return how a fact of the part that an input picks is called."""
        ...

    def part(self, pick: str) -> str:
        """Return how the part that an input picks is called."""
        ...

    @property
    def language(self) -> str:
        """The language of reasons."""
        ...


DIVIDES_BY_ZERO = {"en": "divides by {0}, which is 0", "zh": "除数 {0} 为 0"}
TOO_LARGE = {"en": "{0} is too large or not a number", "zh": "{0} 过大或不是数"}
NO_NUMBER = {"en": "{0} is not a number", "zh": "{0} 不是数"}
NOT_DISCLOSED = {"en": "{0} of {1} not disclosed", "zh": "{1}的{0}未公开"}


@singledispatch
def evaluate(node: Expr, scope: Scope) -> Value:
    """Return the value of a formula; not available is nan."""
    msg = f"no value for {type(node).__name__}"
    raise TypeError(msg)


@evaluate.register
def _(node: Num, scope: Scope) -> Value:
    return node.value


@evaluate.register
def _(node: Text, scope: Scope) -> Value:
    return node.value


@evaluate.register
def _(node: Missing, scope: Scope) -> Value:
    return NAN


@evaluate.register
def _(node: Ref, scope: Scope) -> Value:
    return scope[key_of(node)]


@evaluate.register
def _(node: Op, scope: Scope) -> Value:
    return OPERATORS[node.sign].apply(evaluate(node.left, scope), evaluate(node.right, scope))


@evaluate.register
def _(node: Call, scope: Scope) -> Value:
    return node.function.apply(*(evaluate(arg, scope) for arg in node.args))


@evaluate.register
def _(node: LookUp, scope: Scope) -> Value:
    return scope.fact(key_of(node.pick), column_of(node, scope))


@evaluate.register
def _(node: Member, scope: Scope) -> Value:
    picked = scope[key_of(node.pick)]
    return scope[f"{node.group}.{picked}"] if usable(picked) else NAN  # an optional pick may be left open


@evaluate.register
def _(node: Previous, scope: Scope) -> Value:
    value = scope.before(key_of(node.line))
    return evaluate(node.opening, scope) if value is None else value


@evaluate.register
def _(node: OverTime, scope: Scope) -> Value:
    return scope.over_time(key_of(node.line), node.span)


@evaluate.register
def _(node: Last, scope: Scope) -> Value:
    *values, periods = map(_amount, (*scope.so_far(key_of(node.line)), evaluate(node.periods, scope)))
    return sum_of_last(values, periods)


def _amount(value: Value) -> float:
    return NAN if isinstance(value, str) else value


def column_of(node: LookUp, scope: Scope) -> str:
    """Return the catalogue column that a look-up reads in this scope."""
    return node.column if node.by is None else f"{node.column}.{evaluate(node.by, scope)}"


@singledispatch
def blame(node: Expr, scope: Scope) -> str | None:
    """Return why a formula has no value, or None where it has one."""
    return next(filter(None, (blame(child, scope) for child in children(node))), None)


@blame.register
def _(node: Missing, scope: Scope) -> str | None:
    reason = say(node.reason, scope.language)
    return reason if node.part is None else reason.format(scope.part(key_of(node.part)))


@blame.register
def _(node: Ref, scope: Scope) -> str | None:
    return scope.reason(key_of(node))


@blame.register
def _(node: Op, scope: Scope) -> str | None:
    below = blame(node.left, scope) or blame(node.right, scope)
    if below or usable(evaluate(node, scope)):
        return below
    if node.sign == "/" and evaluate(node.right, scope) == 0:
        return say(DIVIDES_BY_ZERO, scope.language).format(_words(node.right, scope))
    return say(TOO_LARGE, scope.language).format(_words(node, scope))


@blame.register
def _(node: Call, scope: Scope) -> str | None:
    args = [evaluate(arg, scope) for arg in node.args]
    if usable(node.function.apply(*args)):
        return None
    picked = node.function.chosen(*args) if node.function.chosen else None
    looked_at = node.args if picked is None else (node.args[picked],)
    below = next(filter(None, (blame(arg, scope) for arg in looked_at)), None)
    return below or say(NO_NUMBER, scope.language).format(_words(node, scope))


@blame.register
def _(node: LookUp, scope: Scope) -> str | None:
    below = scope.reason(key_of(node.pick)) or (blame(node.by, scope) if node.by is not None else None)
    if below or usable(evaluate(node, scope)):
        return below
    column, pick = column_of(node, scope), key_of(node.pick)
    return say(NOT_DISCLOSED, scope.language).format(scope.column(pick, column), scope.part(pick))


@blame.register
def _(node: Member, scope: Scope) -> str | None:
    return scope.reason(key_of(node.pick)) or scope.reason(f"{node.group}.{scope[key_of(node.pick)]}")


def _words(node: Expr, scope: Scope) -> str:
    return printing.math(node, scope.label, scope.language)


def usable(value: Value) -> bool:
    """Tell whether a value is available: a text, a truth value, or a finite number."""
    return not isinstance(value, float) or math.isfinite(value)


def taken(node: Expr, scope: Scope) -> Expr:
    """Return the formula as it went in this scope: only the branch that was taken of each choice."""
    match node:
        case Op(sign, left, right):
            return Op(sign, taken(left, scope), taken(right, scope))
        case Call(function, args):
            if function.chosen and (at := function.chosen(*(evaluate(arg, scope) for arg in args))) is not None:
                return taken(args[at], scope)
            return Call(function, tuple(taken(arg, scope) for arg in args))
    return node
