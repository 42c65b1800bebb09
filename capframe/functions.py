"""The functions that formulas may call, each with all its readings.

Computed numbers are never compared bare and never rounded bare: both readings use one relative guard of 1e-9, so
that Python and every calculator decide alike (``ROUNDUP(1.1*1.1*100,0)`` is 122 in plain doubles and 121 here).
Near a billion things the guard becomes as large as one of them, so a rounding up may be that much too low. It stays
within the 1e-9 that figures are good for; an exact branch would print its argument twice into every cell that rounds.
"""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import TYPE_CHECKING

from capframe.errors import UnitError
from capframe.expr import NAN, Call, Expr, Function, Value, children, lift
from capframe.settling import to
from capframe.units import ANYTHING, MEASURED, ONE, TEST, TEXT, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

GUARD = 1e-9
Settled = tuple[list[Expr], Unit]
Argument = tuple[Expr, Unit]


# ---------------------------------------------------------------- how arguments settle


def alike(args: list[Argument]) -> Settled:
    """Bring everything to the unit of the first argument that has one; what is not available fits everywhere."""
    want = next((unit for _, unit in args if unit != ANYTHING), ANYTHING)
    if want == TEST:
        msg = "a comparison is not a quantity"
        raise UnitError(msg)
    return [to(node, have, want) for node, have in args], want


def amounts(args: list[Argument]) -> Settled:
    """Bring numbers to the unit of the first argument; a text is no amount."""
    if any(unit == TEXT for _, unit in args):
        msg = "a text is not an amount"
        raise UnitError(msg)
    return alike(args)


def whole_things(args: list[Argument]) -> Settled:
    """Take one amount of things, in the thing itself; rounding kW and W would differ, so those are refused."""
    [(node, have)] = args
    if any(name in MEASURED for name, _ in have.dims):
        msg = f"round whole things, not {have.text}"
        raise UnitError(msg)
    return amounts([(to(node, have, have.base()), have.base())])


def plain_number(args: list[Argument]) -> Settled:
    """Take one number without a unit."""
    [(node, have)] = args
    return [to(node, have, ONE)], ONE


def rooted(args: list[Argument]) -> Settled:
    """Take one amount whose unit is a square."""
    [(node, have)] = args
    return [to(node, have, have.base())], have if have == ANYTHING else have.root()


def compared(args: list[tuple[Expr, Unit]]) -> tuple[list[Expr], Unit]:
    """Settle a comparison: both sides in the first one's unit, the whole a unit of its own."""
    return amounts(args)[0], TEST


def chosen_branch(args: list[Argument]) -> Settled:
    """Take a comparison, then branches of one unit."""
    (test, kind), *branches = args
    if kind != TEST:
        msg = f"when(…) starts with a comparison, not with {kind.text}"
        raise UnitError(msg)
    nodes, want = alike(branches)
    return [test, *nodes], want


def texts(args: list[Argument]) -> Settled:
    """Take texts; the whole is a comparison."""
    for _, unit in args:
        if unit != TEXT:
            msg = f"same(…) compares texts, not {unit.text}; for numbers write equal(a, b) or at_most(a, b)"
            raise UnitError(msg)
    return [node for node, _ in args], TEST


def tests(args: list[Argument]) -> Settled:
    """Take comparisons; the whole is one."""
    for _, unit in args:
        if unit != TEST:
            msg = f"a comparison is wanted, not {unit.text}"
            raise UnitError(msg)
    return [node for node, _ in args], TEST


# ---------------------------------------------------------------- how values come about


def strict(apply: Callable[..., Value]) -> Callable[..., Value]:
    """Whoever reads something not available is not available."""

    def reading(*values: Value) -> Value:
        return NAN if any(value != value for value in values) else apply(*values)  # noqa: PLR0124 - nan

    return reading


def tolerance(a: float, b: float) -> float:
    """Return the difference below which two computed numbers count as equal."""
    return GUARD * max(abs(a), abs(b))


def up(x: float) -> float:
    """Round away from zero, as ROUNDUP, after the guard."""
    x = x * (1 - GUARD)
    return NAN if math.isinf(x) else float(math.ceil(x) if x > 0 else math.floor(x))


def down(x: float) -> float:
    """Round towards zero, as ROUNDDOWN, after the guard."""
    x = x * (1 + GUARD)
    return NAN if math.isinf(x) else float(math.trunc(x))


def exponential(x: float) -> float:
    """Return e^x; too large is not available."""
    try:
        return math.exp(x)
    except OverflowError:
        return NAN


def add_up(*terms: float) -> float:
    """Add from left to right (``sum`` does otherwise from Python 3.12 on); too large is not available."""
    got = reduce(operator.add, terms)
    return got if math.isfinite(got) else NAN


def pick_branch(test: Value, then: Value, otherwise: Value) -> Value:
    """Return a branch; the other one is not looked at."""
    if test != test:  # noqa: PLR0124 - nan
        return NAN
    return then if test else otherwise


def is_number(value: Value) -> bool:
    """Tell what ISNUMBER tells: a text is none, nor is what is not available."""
    return not isinstance(value, str) and value == value  # noqa: PLR0124 - nan


def all_whole(args: list[bool]) -> bool:
    """Tell that a result counts whole things when every argument does."""
    return all(args)


round_up = Function(
    "round_up",
    strict(up),
    "ROUNDUP({0:(}*(1-1E-9),0)",
    {"en": "round up({0})", "zh": "向上舍入({0})"},
    whole_things,
    whole=lambda _: True,
    array="capframe.arrays:up",
)
round_down = Function(
    "round_down",
    strict(down),
    "ROUNDDOWN({0:(}*(1+1E-9),0)",
    {"en": "round down({0})", "zh": "向下舍入({0})"},
    whole_things,
    whole=lambda _: True,
    array="capframe.arrays:down",
)
least = Function(
    "least",
    strict(lambda *xs: min(xs)),
    "MIN({all})",
    "min({all})",
    amounts,
    whole=all_whole,
    array="capframe.arrays:least",
)
greatest = Function(
    "greatest",
    strict(lambda *xs: max(xs)),
    "MAX({all})",
    "max({all})",
    amounts,
    whole=all_whole,
    array="capframe.arrays:greatest",
)
_sum = Function(
    "total",
    strict(add_up),
    "SUM({all})",
    "Σ({all})",
    amounts,
    whole=all_whole,
    array="capframe.arrays:add_up",
)
sqrt = Function(
    "sqrt",
    strict(lambda x: math.sqrt(x) if x >= 0 else NAN),
    "SQRT({0})",
    "√({0})",
    rooted,
    fails=True,
    array="capframe.arrays:root",
)
ln = Function(
    "ln",
    strict(lambda x: math.log(x) if x > 0 else NAN),
    "LN({0})",
    "ln({0})",
    plain_number,
    fails=True,
    array="capframe.arrays:logarithm",
)
exp = Function(
    "exp",
    strict(exponential),
    "EXP({0})",
    "e^({0})",
    plain_number,
    fails=True,
    array="capframe.arrays:exponential",
)

less = Function(
    "less",
    strict(lambda a, b: b - a > tolerance(a, b)),
    "{1:(}-{0:(}>1E-9*MAX(ABS({0}),ABS({1}))",
    "{0} < {1}",
    compared,
    array="capframe.arrays:less",
)
at_most = Function(
    "at_most",
    strict(lambda a, b: a - b <= tolerance(a, b)),
    "{0:(}-{1:(}<=1E-9*MAX(ABS({0}),ABS({1}))",
    "{0} ≤ {1}",
    compared,
    array="capframe.arrays:at_most",
)
equal = Function(
    "equal",
    strict(lambda a, b: abs(a - b) <= tolerance(a, b)),
    "ABS({0:(}-{1:(})<=1E-9*MAX(ABS({0}),ABS({1}))",
    "{0} = {1}",
    compared,
    array="capframe.arrays:equal",
)
same = Function(
    "same",
    strict(lambda a, b: a.casefold() == b.casefold()),
    "{0:(}={1:(}",
    {"en": "{0} is {1}", "zh": "{0} 为 {1}"},
    texts,
    array="capframe.arrays:same",
)
every = Function(
    "every",
    strict(lambda *ts: all(ts)),
    "AND({all})",
    {"en": "all of ({all})", "zh": "同时满足 ({all})"},
    tests,
    array="capframe.arrays:every",
)
any_of = Function(
    "any_of",
    strict(lambda *ts: any(ts)),
    "OR({all})",
    {"en": "any of ({all})", "zh": "满足任一 ({all})"},
    tests,
    array="capframe.arrays:any_of",
)

when = Function(
    "when",
    pick_branch,
    "IF({0},{1},{2})",
    {"en": "({1} if {0}, else {2})", "zh": "(若 {0} 则取 {1}, 否则取 {2})"},
    chosen_branch,
    whole=lambda args: all(args[1:]),
    chosen=lambda test, _then, _else: 0 if test != test else 1 if test else 2,  # noqa: PLR0124 - nan
    array="capframe.arrays:when",
)
first_known = Function(
    "first_known",
    lambda a, b: b if a != a else a,  # noqa: PLR0124 - nan
    "IFERROR({0},{1})",
    {"en": "{0}, or else {1}", "zh": "{0}, 未知时取 {1}"},
    alike,
    whole=all_whole,
    chosen=lambda a, _b: 1 if a != a else 0,  # noqa: PLR0124 - nan
    array="capframe.arrays:first_known",
)
known_or_zero = Function(
    "known_or_zero",
    lambda x: 0.0 if x != x else x,  # noqa: PLR0124 - nan
    "IFERROR({0},0)",
    {"en": "{0:(} (0 where not known)", "zh": "{0:(} (未知时为 0)"},
    amounts,
    whole=all_whole,
    array="capframe.arrays:known_or_zero",
)
"""An amount, or 0 where it is not known: for sums of what is known, beside the count of what is not."""

known = Function(
    "known",
    is_number,
    "ISNUMBER({0})",
    {"en": "{0} is known", "zh": "{0} 已知"},
    lambda args: ([node for node, _ in args], TEST),
    array="capframe.arrays:known",
)
"""Whether an amount is known, and no input that is ``auto``: for ``when(known(x), …)``."""

unknown = Function(
    "unknown",
    lambda x: 0.0 if is_number(x) else 1.0,
    "IF(ISNUMBER({0}),0,1)",
    {"en": "(1 where {0} is not known)", "zh": "({0} 未知时计 1)"},
    lambda args: ([node for node, _ in args], ONE),
    whole=lambda _: True,
    array="capframe.arrays:unknown",
)
"""1 where an amount is not known, or where an input is ``auto``; else 0."""

either = Function(
    "either",
    lambda given, computed: given if is_number(given) else computed,
    "IF(ISNUMBER({0}),{0},{1})",
    {"en": "{0} if given, else {1}", "zh": "给定时取 {0}, 否则取 {1}"},
    alike,
    whole=all_whole,
    chosen=lambda given, _computed: 0 if is_number(given) else 1,
    array="capframe.arrays:either",
)
"""The given value of an input that may be ``auto``, else the computed one."""


def at_least(a: Expr | float, b: Expr | float) -> Expr:
    """Compare ``a ≥ b``, with the guard."""
    return at_most(b, a)


def more(a: Expr | float, b: Expr | float) -> Expr:
    """Compare ``a > b``, with the guard."""
    return less(b, a)


def total_known(*terms: Expr | float) -> Expr:
    """Return the sum of the terms that are known; ``count_unknown`` of the same terms says how many are not."""
    return total(*(known_or_zero(term) for term in terms))


def count_unknown(*terms: Expr | float) -> Expr:
    """Return how many of the terms are not known."""
    return total(*(unknown(term) for term in terms))


def total(*terms: Expr | float) -> Expr:
    """Return the sum of any number of lines as one node; of none it is not allowed, of one it is that line."""
    if not terms:
        msg = "total() of nothing has no unit; yield no line where there is nothing to add"
        raise TypeError(msg)
    return Call(_sum, tuple(map(lift, terms))) if len(terms) > 1 else lift(terms[0])


# every function by its name: what formulas typed as text may call, and what the tests go through
FUNCTIONS = {
    function.name: function
    for function in (
        round_up, round_down, least, greatest, _sum, sqrt, ln, exp, less, at_most, equal, same, every, any_of,
        when, first_known, known_or_zero, known, unknown, either,
    )
}  # fmt: skip


def reads_given(node: Expr, given: Expr) -> bool:
    """Tell whether a formula reads something that may be ``auto`` only as ``either``, ``known`` and ``unknown`` do."""
    match node:
        case Call(function, (first,)) if function in {known, unknown} and first == given:
            return True
        case Call(function, (first, computed)) if function is either and first == given:
            return reads_given(computed, given)
    return node != given and all(reads_given(child, given) for child in children(node))
