"""Formulas: frozen nodes over named quantities, compared by structure.

A formula has several readings, each one ``singledispatch`` function over the node types: its value (``evaluation``),
the Excel formula and readable math (``printing``), its unit (``settling``), the trail of what it reads (``refs``). A
new node is an error in every reading until that reading knows it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from string import Formatter
from typing import Any, NoReturn

from attrs import field, frozen

from capframe.units import Unit
from capframe.wording import Label

Value = float | str | bool
NAN = math.nan


def finite(apply: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """Make what is too large not available, as Excel does (#NUM!), so that 1/∞ is no 0 here and an error there."""

    def reading(a: float, b: float) -> float:
        got = apply(a, b)
        return got if -math.inf < got < math.inf else NAN

    return reading


def over(a: float, b: float) -> float:
    """Divide; by zero is nan, which every later step hands on (Excel: #DIV/0!)."""
    return a / b if b else NAN


def raised(a: float, b: float) -> float:
    """Raise to a power; ``0^0``, complex and too large results are nan (Excel: #NUM!)."""
    if a == b == 0 or a != a or b != b:  # noqa: PLR0124 - x != x is how nan is known without a call
        return NAN
    try:
        got = a**b
    except (ZeroDivisionError, OverflowError):
        return NAN
    return NAN if isinstance(got, complex) else float(got)


def sum_of_last(values: Sequence[float], periods: float) -> float:
    """Return the sum of the last so many values, the earliest in part; what is not known makes it unknown."""
    if any(value != value for value in (*values, periods)):  # noqa: PLR0124 - nan
        return NAN
    counted = (min(1.0, max(0.0, periods - ago)) for ago in range(len(values) - 1, -1, -1))
    return reduce(operator.add, (value * part for value, part in zip(values, counted, strict=True)), 0.0)


@frozen
class Operator:
    """One sign: how it computes, how tightly Excel binds it, how the brief writes it."""

    apply: Callable[[Any, Any], float]
    binds: int
    math: str


OPERATORS = {
    "+": Operator(finite(operator.add), 2, "{} + {}"),
    "-": Operator(finite(operator.sub), 2, "{} − {}"),
    "*": Operator(finite(operator.mul), 3, "{} × {}"),
    "/": Operator(finite(over), 3, "{} / {}"),
    "^": Operator(raised, 4, "{}^{}"),
}


class Expr:
    """A formula. Python's operators build larger ones; comparisons and choices are functions."""

    __slots__ = ()
    __array_ufunc__ = None  # array * formula must reach us

    def __bool__(self) -> NoReturn:
        """Refuse: a symbol has no truth value, so ``if p.x`` and ``max(p.a, p.b)`` must fail loudly."""
        msg = "a formula has no truth value; write when(test, then, otherwise), least(a, b) or greatest(a, b)"
        raise TypeError(msg)

    def __iter__(self) -> NoReturn:
        """Refuse: a loop over a symbol would never end."""
        msg = "a formula cannot be iterated; loop over the names in `plan`, such as `for name in plan.workloads`"
        raise TypeError(msg)

    def __contains__(self, item: object) -> NoReturn:
        """Refuse, as iteration does."""
        msg = "a formula contains nothing; look in `plan`"
        raise TypeError(msg)

    def __format__(self, spec: str) -> str:
        """Refuse: a sentence shows figures by their keys, and a formula of its own has none."""
        msg = "a sentence shows lines; make the formula a line of its own and name that"
        raise TypeError(msg)

    def __add__(self, other: Expr | float) -> Expr:
        return Op("+", self, lift(other))

    def __radd__(self, other: Expr | float) -> Expr:
        return Op("+", lift(other), self)

    def __sub__(self, other: Expr | float) -> Expr:
        return Op("-", self, lift(other))

    def __rsub__(self, other: Expr | float) -> Expr:
        return Op("-", lift(other), self)

    def __mul__(self, other: Expr | float) -> Expr:
        return Op("*", self, lift(other))

    def __rmul__(self, other: Expr | float) -> Expr:
        return Op("*", lift(other), self)

    def __truediv__(self, other: Expr | float) -> Expr:
        return Op("/", self, lift(other))

    def __rtruediv__(self, other: Expr | float) -> Expr:
        return Op("/", lift(other), self)

    def __pow__(self, other: Expr | float) -> Expr:
        return Op("^", self, lift(other))

    def __rpow__(self, other: Expr | float) -> Expr:
        return Op("^", lift(other), self)

    def __neg__(self) -> Expr:
        return Op("*", Num(-1), self)


def number(value: float) -> float:
    """Return the number that the file will hold: openpyxl writes 16 significant digits; zero has no sign."""
    return float("%.16g" % float(value)) + 0.0  # noqa: UP031 - the very format that openpyxl uses


@frozen
class Num(Expr):
    """A plain number. A constant of the field belongs on the Inputs sheet, not here."""

    value: float = field(converter=number)


@frozen
class Text(Expr):
    """A text to compare with."""

    value: str


@frozen
class Missing(Expr):
    """A value that is not available, and why (Excel: ``NA()``); ``{0}`` in the reason names what ``part`` picks."""

    reason: Label = field(eq=False)
    part: Ref | None = field(default=None, eq=False)


@frozen
class Ref(Expr):
    """A reference to an input or a line by its key; attributes and items build longer keys."""

    _key: str

    def __getitem__(self, name: str) -> Ref:
        return Ref(f"{self._key}.{name}".lstrip("."))

    def __getattr__(self, name: str) -> Ref:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __format__(self, spec: str) -> str:
        """Stand as a slot in the sentence of a check: ``f"needs {p.memory.used}"``."""
        return f"{{{self._key}}}"


@frozen
class Op(Expr):
    """Two formulas joined by a sign."""

    sign: str
    left: Expr
    right: Expr


@cache
def arity(excel: str) -> tuple[int, bool]:
    """Return how many arguments a function's format shows, and whether it takes any more than that."""
    names = {name for _, name, _, _ in Formatter().parse(excel) if name}
    return len(names), "all" in names


@frozen
class Function:
    """A function that formulas may call. It carries all readings or none, so the workbook never lacks one.

    ``excel`` and ``math`` are format texts: ``{0}`` where commas already keep an argument apart, ``{0:(}`` where it
    stands next to an operator and may need brackets, ``{all}`` for every argument. ``math`` may be
    one for each language.
    """

    name: str
    apply: Callable[..., Value] = field(eq=False, repr=False)
    excel: str
    math: Label = field(eq=False)
    settle: Callable[[list[tuple[Expr, Unit]]], tuple[list[Expr], Unit]] = field(eq=False, repr=False)
    fails: bool = False
    """Whether it can fail on finite arguments, so that its line needs ``IFERROR(…,NA())``."""
    whole: Callable[[list[bool]], bool] = field(default=lambda _: False, eq=False, repr=False)
    """Whether the result counts whole things, given which arguments do."""
    chosen: Callable[..., int | None] | None = field(default=None, eq=False, repr=False)
    """Which argument the result comes from, for functions that pick one; the first argument alone decides."""
    array: str | Callable[..., Any] = field(default="", eq=False, repr=False)
    """Its twin over numpy arrays, ``"module:function"`` so that numpy is imported only where arrays are: not
    available is nan, a comparison is 1, 0 or nan. Without one, a ledger that needs the function cannot be compiled."""

    def __call__(self, *args: Expr | float | str) -> Expr:
        """Return the call as a formula.

        Raises:
            TypeError: for a wrong number of arguments, so that the fault is told where the plugin wrote it.
        """
        takes, any_more = arity(self.excel)
        if len(args) < takes or (len(args) > takes and not any_more):
            most = f"{'at least ' if any_more else ''}{takes} argument{'s' if takes > 1 else ''}"
            msg = f"{self.name}() takes {most}, not {len(args)}"
            raise TypeError(msg)
        return Call(self, tuple(lift(arg) for arg in args))


@frozen
class Call(Expr):
    """A function of formulas."""

    function: Function
    args: tuple[Expr, ...]


@frozen
class LookUp(Expr):
    """A fact of the catalogue record that the input ``pick`` names; ``by`` chooses within a family of columns."""

    pick: Ref
    column: str
    by: Expr | None = None


@frozen
class Member(Expr):
    """The input of a group (``prices``) that the text input ``pick`` names."""

    group: str
    pick: Ref


@frozen
class Previous(Expr):
    """The value of a line in the period before; in the first one, its opening."""

    line: Ref
    opening: Expr


@frozen
class Span:
    """Periods that follow each other, such as those of a year: the first and the last, counted from 0."""

    name: str
    first: int
    last: int

    @property
    def slice(self) -> slice:
        """The periods in a list of all of them."""
        return slice(self.first, self.last + 1)


@frozen
class OverTime(Expr):
    """The sum of a line over all periods, or over a span of them."""

    line: Ref
    span: Span | None = None


@frozen
class Last(Expr):
    """The sum of a line over the last so many periods up to this one, the earliest of them in part."""

    line: Ref
    periods: Expr


def previous(line: Ref, opening: Expr | float) -> Expr:
    """Return the value of a line in the period before; ``opening`` holds before the first period."""
    return Previous(line, lift(opening))


def over_time(line: Ref, span: Span | None = None) -> Expr:
    """Return the sum of a line over all periods of the timeline, or over a span of them.

    Over a single period that is the value there: ``over_time(p.cash.book_value, plan.timeline.period(3))``.
    """
    return OverTime(line, span)


def last(line: Ref, periods: Expr | float) -> Expr:
    """Return the sum of a line over the last so many periods, this one being the first of them to count.

    Where ``periods`` is no whole number, the earliest counts in part: 2.5 are this period, the one before, and half of
    the one before that. So what lasts that long is in use where it has come: ``last(p.cash.share, p.cash.life)``.
    """
    return Last(line, lift(periods))


def fact(pick: Ref, column: str, *, by: Expr | str | None = None) -> Expr:
    """Return a fact of the part that the input ``pick`` names; ``by`` chooses within a family, such as a precision."""
    return LookUp(_picked(pick), column, None if by is None else lift(by))


def entry(group: str, pick: Ref) -> Expr:
    """Return the input of a group (``"prices"``) that belongs to the part that ``pick`` names."""
    return Member(group, _picked(pick))


def _picked(pick: object) -> Ref:
    if not isinstance(pick, Ref):
        msg = f"a look-up needs the input that picks a part, such as p.pools.main.accelerator, not {pick!r}"
        raise TypeError(msg)
    return pick


def key_of(ref: Ref | str) -> str:
    """Return the key that a reference stands for."""
    return ref if isinstance(ref, str) else ref._key  # noqa: SLF001 - a Ref has no public attributes, so that any name can be a key


def lift(value: Expr | float | str) -> Expr:
    """Make a formula of a plain number or text."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        msg = f"{value} is no formula: == compares formulas by structure; write same(a, b) or equal(a, b)"
        raise TypeError(msg)
    return Text(value) if isinstance(value, str) else Num(value)


_BELOW: dict[type[Expr], Callable[[Any], tuple[Expr, ...]]] = {
    Op: lambda node: (node.left, node.right),
    Call: lambda node: node.args,
    LookUp: lambda node: (node.pick,) if node.by is None else (node.pick, node.by),
    Member: lambda node: (node.pick,),
    Previous: lambda node: (node.line, node.opening),
    OverTime: lambda node: (node.line,),
    Last: lambda node: (node.line, node.periods),
}


def children(node: Expr) -> tuple[Expr, ...]:
    """Return the formulas directly below a node, in reading order."""
    below = _BELOW.get(type(node))
    return below(node) if below else ()


def walk(node: Expr) -> Iterator[Expr]:
    """Yield a node and everything below it, in reading order."""
    left = [node]
    while left:
        here = left.pop()
        yield here
        if below := _BELOW.get(type(here)):  # as children(), of which a large plan would make millions of calls
            left.extend(reversed(below(here)))


def refs(node: Expr) -> Iterator[str]:
    """Yield the keys a formula reads, in reading order, repeats included."""
    return (below._key for below in walk(node) if type(below) is Ref)  # noqa: SLF001 - see key_of


def literals(node: Expr) -> Iterator[float]:
    """Yield the numbers typed into a formula."""
    return (below.value for below in walk(node) if isinstance(below, Num))
