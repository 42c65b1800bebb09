"""A formula as Python over numpy arrays: what does not depend on the free inputs is folded into a number.

Not available is nan; a comparison is 1, 0 or nan; a text is a code, see ``Words``.
"""

from __future__ import annotations

import math
import re
from functools import reduce, singledispatch
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, field, frozen

from capframe.errors import CapframeError
from capframe.evaluation import usable
from capframe.expr import (
    NAN,
    OPERATORS,
    Call,
    Expr,
    Function,
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
    Value,
    key_of,
    sum_of_last,
)
from capframe.fields import ChoiceField, PickField
from capframe.given import AUTO
from capframe.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Mapping

SIGNS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "^": "power"}
DEEPEST = 60
"""How many brackets an expression may hold before it is cut in two: Python reads 200 and no more."""
SPELLINGS = 1024


class Scope(Protocol):
    """The values of one scenario while they are computed: inputs first, then lines as they are folded."""

    values: dict[str, Value]
    series: dict[str, list[Value]]

    def fact(self, pick: str, column: str) -> Value:
        """Return a fact of the part that an input picks."""
        ...


@frozen
class Known:
    """What does not depend on the free inputs."""

    value: Value


Piece = Known | str
"""A folded value, or Python that computes an array."""


@define
class Words:
    """Texts as numbers: the whole part is the text without regard to case, the fraction its spelling.

    ``auto`` is an infinity.
    """

    codes: dict[str, float] = field(factory=dict)
    spellings: dict[str, list[str]] = field(factory=dict)

    def code(self, text: str) -> float:
        """Return the number of a text."""
        if text == AUTO:
            return math.inf
        if text not in self.codes:
            alike = self.spellings.setdefault(text.casefold(), [])
            whole = int(self.codes[alike[0]]) if alike else len(self.spellings) - 1
            self.codes[text] = whole + len(alike) / SPELLINGS
            alike.append(text)
        return self.codes[text]


@define
class Writer:
    """Writes the statements of one function, and keeps the tables they look into."""

    ledger: Ledger
    scope: Scope
    free: dict[str, str]
    words: Words = field(factory=Words)
    statements: list[tuple[str, str, str]] = field(factory=list)
    tables: dict[str, Any] = field(factory=dict)
    names: dict[str, str] = field(factory=dict)
    twins: dict[str, Function] = field(factory=dict)
    pieces: dict[str, list[Piece]] = field(factory=dict)
    """The periods of each line over time, as far as they are written."""
    period: int | None = None

    def text(self, piece: Piece) -> str:
        """Return Python for a piece."""
        if isinstance(piece, str):
            return piece
        value = self.number(piece.value)
        if math.isfinite(value):
            return repr(value)
        return "AUTO" if piece.value == AUTO else "NAN"

    def call(self, name: str, *pieces: Piece) -> str:
        """Return Python that calls a twin; what is nested deeply is kept in a variable first."""
        parts = [self.text(piece) for piece in pieces]
        parts = [self.keep(part, "t") if part.count("(") > DEEPEST else part for part in parts]
        return f"{name}({', '.join(parts)})"

    def keep(self, source: str, kind: str, about: str = "") -> str:
        """Add a statement and return its variable."""
        name = f"{kind}{len(self.statements)}"
        self.statements.append((name, source, about))
        return name

    def twin(self, function: Function) -> str:
        """Return the name under which the twin of a function is called."""
        for name, known in self.twins.items():
            if known is function:
                return name
        spelled = re.sub(r"\W", "_", function.name)
        name = f"f{len(self.twins)}_{spelled}"
        self.twins[name] = function
        return name

    def table(self, values: Any) -> str:
        """Keep a table and return its name."""
        name = f"TABLE{len(self.tables)}"
        self.tables[name] = values
        return name

    def ref(self, key: str) -> Piece:
        """Return a free input, a line that depends on one, or a value; of what varies over time, this period's."""
        if key in self.pieces and self.period is not None:
            return self.pieces[key][self.period]
        if key in self.scope.series and key not in self.free:
            return Known(self.scope.series[key][self.period or 0])
        name = self.free.get(key) or self.names.get(key)
        return Known(self.scope.values[key]) if name is None else name

    def number(self, value: Value) -> float:
        """Return a value as arrays hold it."""
        return self.words.code(value) if isinstance(value, str) else float(value)

    def line(self, key: str, formula: Expr) -> None:
        """Fold or write one line."""
        piece = self.written(key, formula)
        if isinstance(piece, Known):
            self.scope.values[key] = piece.value
        else:
            self.names[key] = piece

    def written(self, key: str, formula: Expr) -> Piece:
        """Return what a line comes to: a value, or a variable."""
        piece = source(formula, self)
        if isinstance(piece, Known):
            value = piece.value
            return Known(NAN) if isinstance(value, bool) or not usable(value) else piece
        return piece if piece.isidentifier() else self.keep(piece, "v", key)

    def periods(self, formulas: Mapping[str, Expr], count: int) -> None:
        """Write lines over time, period by period, since one may read another of the period before."""
        self.pieces |= {key: [] for key in formulas}
        for period in range(count):
            self.period = period
            for key, formula in formulas.items():
                self.pieces[key].append(self.written(f"{key}, period {period + 1}", formula))
        self.period = None


# ---------------------------------------------------------------- the reading: a formula as Python


@singledispatch
def source(node: Expr, writer: Writer) -> Piece:
    """Return the value of a formula where it is fixed, else Python that computes it over arrays."""
    msg = f"no array form for {type(node).__name__}"
    raise TypeError(msg)


@source.register
def _(node: Num, writer: Writer) -> Piece:
    return Known(node.value)


@source.register
def _(node: Text, writer: Writer) -> Piece:
    return Known(node.value)


@source.register
def _(node: Missing, writer: Writer) -> Piece:
    return Known(NAN)


@source.register
def _(node: Ref, writer: Writer) -> Piece:
    return writer.ref(key_of(node))


@source.register
def _(node: Previous, writer: Writer) -> Piece:
    return writer.pieces[key_of(node.line)][writer.period - 1] if writer.period else source(node.opening, writer)


@source.register
def _(node: OverTime, writer: Writer) -> Piece:
    key, span = key_of(node.line), node.span
    known = writer.scope.series.get(key, [])
    part = slice(None) if span is None else span.slice
    if key in writer.free:
        return writer.call("multiply", writer.free[key], Known(float(len(known[part]))))
    terms = (writer.pieces[key] if key in writer.pieces else list(map(Known, known)))[part]
    return reduce(lambda a, b: joined("+", a, b, writer), terms)


@source.register
def _(node: Last, writer: Writer) -> Piece:
    key, count = key_of(node.line), (writer.period or 0) + 1
    so_far = [writer.free[key]] * count if key in writer.free else writer.pieces.get(key, [])[:count]
    values = so_far or [Known(value) for value in writer.scope.series[key][:count]]
    periods = source(node.periods, writer)
    known = [float(piece.value) for piece in (*values, periods) if isinstance(piece, Known)]
    if len(known) == len(values) + 1:
        return Known(sum_of_last(known[:-1], known[-1]))
    return writer.call("sum_of_last", periods, *values)


@source.register
def _(node: Op, writer: Writer) -> Piece:
    return joined(node.sign, source(node.left, writer), source(node.right, writer), writer)


def joined(sign: str, left: Piece, right: Piece, writer: Writer) -> Piece:
    """Join two pieces by a sign, now where both are known."""
    if isinstance(left, Known) and isinstance(right, Known):
        return Known(OPERATORS[sign].apply(left.value, right.value))
    return writer.call(SIGNS[sign], left, right)


@source.register
def _(node: Call, writer: Writer) -> Piece:
    function, first = node.function, source(node.args[0], writer)
    if function.chosen and isinstance(first, Known):
        at = function.chosen(first.value, *[NAN] * (len(node.args) - 1))
        if at is not None:
            return source(node.args[at], writer)
    args = [first, *(source(arg, writer) for arg in node.args[1:])]
    known = [arg.value for arg in args if isinstance(arg, Known)]
    if len(known) == len(args):
        return Known(function.apply(*known))
    if not function.array:
        msg = f"function {function.name!r} has no form over arrays; its plugin has to give Function(…, array=…)"
        raise CapframeError(msg)
    return writer.call(writer.twin(function), *args)


@source.register
def _(node: LookUp, writer: Writer) -> Piece:
    pick, by = source(node.pick, writer), None if node.by is None else source(node.by, writer)
    key = key_of(node.pick)
    if isinstance(pick, Known) and (by is None or isinstance(by, Known)):
        return Known(writer.scope.fact(key, node.column if by is None else f"{node.column}.{by.value}"))
    about = writer.ledger.plan.inputs[key].field
    kind = writer.ledger.plan.catalog.kinds[about.kind if isinstance(about, PickField) else ""]
    parts = list(kind.records) if isinstance(pick, str) else [str(pick.value)]
    if by is None or isinstance(by, Known):
        columns = {"": node.column if by is None else f"{node.column}.{by.value}"}
    else:
        start = f"{node.column}."
        columns = {name.removeprefix(start): name for name in kind.columns if name.startswith(start)}
    grid = {
        (part, word): writer.number(kind.fact(part, column).value) for part in parts for word, column in columns.items()
    }
    found = [piece if isinstance(piece, str) else "" for piece in (pick, by)]
    return looked_up(writer, grid, found)


@source.register
def _(node: Member, writer: Writer) -> Piece:
    pick = source(node.pick, writer)
    if isinstance(pick, Known):
        return source(Ref(f"{node.group}.{pick.value}"), writer)
    keys = {f"{node.group}.{part}": part for part in known_words(writer.ledger, key_of(node.pick))}
    grid = {(part, ""): writer.number(writer.scope.values[key]) for key, part in keys.items()}
    piece = looked_up(writer, grid, [pick, ""])
    for key, part in keys.items():
        if key in writer.free:
            piece = writer.call("f_same_then", pick, Known(part), writer.free[key], piece)
    return piece


def looked_up(writer: Writer, grid: Mapping[tuple[str, str], float], found: list[str]) -> str:
    """Return Python that finds the entries of a grid by the codes of one or two texts; nan where there is none."""
    indices, sides = [], []
    for side, code in enumerate(found):
        texts = list(dict.fromkeys(names[side] for names in grid))
        if code:
            rows = {int(writer.words.code(text)): row for row, text in enumerate(texts)}
            indices.append(f"f_rows({writer.table(('rows', rows, len(texts)))}, {code})")
            sides.append(texts)
        else:
            sides.append(texts[:1])
    values = [[grid.get((part, word), NAN) for word in (*sides[1], "")] for part in (*sides[0], "")]
    if not found[1]:
        return f"{writer.table(('grid', [row[0] for row in values]))}[{indices[0]}]"
    if not found[0]:
        return f"{writer.table(('grid', values[0]))}[{indices[0]}]"
    return f"{writer.table(('grid', values))}[{', '.join(indices)}]"


def known_words(ledger: Ledger, key: str) -> tuple[str, ...]:
    """Return the texts that an input may hold; none for a number."""
    about = ledger.plan.inputs[key].field
    if isinstance(about, PickField):
        return tuple(sorted(ledger.plan.catalog.kinds[about.kind].records))
    return about.options if isinstance(about, ChoiceField) else ()
