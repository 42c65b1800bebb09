"""Formulas typed as text: ``rate * cost.capex``, ``when(a < b, x, y)``.

Python's own parser takes the text apart, and nothing is ever run: each kind of node is on a white list here, and
whatever is not is refused with the place and with what to write instead.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Callable, Mapping
from keyword import iskeyword

from attrs import frozen

from capframe.errors import FormulaError, near
from capframe.expr import Expr, Function, Num, Ref, Span, Text, entry, fact, over_time
from capframe.functions import FUNCTIONS, any_of, at_least, at_most, every, less, more, same, when
from capframe.names import SEGMENT

LONGEST = 2000
"""Characters of a formula: nobody can check a longer one, and a cell takes 8,192."""
DEEPEST = 50
"""How deeply formulas may be nested, and how many signs may follow one another without a bracket."""

SPELLINGS = {
    "^": "**", "×": "*", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "（": "(", "）": ")", "，": ",",
}  # fmt: skip
PIECES = re.compile(
    r"""(?P<quoted>"[^"\n]*"|'[^'\n]*')|(?P<number>\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"""
    r"""|(?P<word>[^\W\d]\w*)|(?P<space>\s+)|(?P<sign>.)""",
    re.DOTALL,
)
KEYWORD = "_keyword_"
"""Stands before a part of a key that means something to Python (``pools.import``); no name starts with ``_``."""
LONE = re.compile(r"[^=<>!]?=[^=]?\Z")
MEANINGLESS = {"#", "\0", ";", "~", "&", "|", "$", "?", "`"}
OPENING, CLOSING = "([{", ")]}"
NOT_FINITE = {"nan", "inf", "infinity"}
WORDS = {"and", "or", "if", "else", "not", "in", "is", "lambda", "for", "await", "yield", "async"}
PERCENT = "a percentage is a share here: 5% is 0.05, or better an input of the line"
FIGURE = "a figure with a unit is an input: name it under `inputs:` and write the name here"
SIGNS = "+ - * / and ^"
LOOK_UPS = ("fact", "entry", "over_time")
"""What takes the key of something, and not its value."""
ONE_TERM = "total(…) adds several figures; the sum of one over all periods is over_time({})"
BY_NAME: Mapping[str, Callable[..., Expr]] = {"at_least": at_least, "more": more}


class ParseError(FormulaError):
    """A text that is no formula; ``at`` is the offset of the mistake in the text, from 0."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


def parse(
    text: str,
    local: Mapping[str, Expr] | None = None,
    functions: Mapping[str, Function] | None = None,
    spans: Mapping[str, Span] | None = None,
) -> Expr:
    """Return the formula that a text means.

    ``local`` holds names without a dot, such as the inputs of the line; every other name is a key with dots. ``spans``
    are the years and periods that ``over_time`` may name. ``^`` and ``**`` are powers; ``×``, ``÷``, ``−``, ``≤`` and
    ``≥`` may stand as they are printed.

    Raises:
        ParseError: with the place in the text, what is wrong, and what to write instead.
    """
    functions = functions or FUNCTIONS
    _measured(text)
    _joined(text)
    source, origin = _spelled(text)
    reader = _Reader(source, origin, local or {}, functions, spans or {})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python finds odd is refused below
            tree = ast.parse(source, mode="eval")
    except SyntaxError as fault:
        at = reader.offset(fault.lineno or 1, max(0, (fault.offset or 1) - 1), in_characters=True)
        raise ParseError(_hint(text, at), at) from None
    except (MemoryError, RecursionError, ValueError):
        raise ParseError(_too_deep(), 0) from None
    return reader.formula(tree.body, 0)


def _measured(text: str) -> None:
    """Refuse what is empty, too long, too deeply nested, or written with signs that hide text from a reader."""
    if not text.strip():
        msg = "the formula is empty; write one such as `rate * cost.capex`"
        raise ParseError(msg, 0)
    if len(text) > LONGEST:
        msg = f"the formula has {len(text):,} characters, and {LONGEST:,} are read; split it into several lines"
        raise ParseError(msg, LONGEST)
    open_ones: list[int] = []
    for found in PIECES.finditer(text):
        sign = SPELLINGS.get(found["sign"] or "", found["sign"] or "")
        if "\\" in found[0] or sign in MEANINGLESS:
            what = "\\" if "\\" in found[0] else sign
            msg = f"`{what}` has no meaning in a formula"
            raise ParseError(msg, found.start() + found[0].index(what))
        if sign and sign in OPENING:
            open_ones.append(found.start())
            if len(open_ones) > DEEPEST:
                raise ParseError(_too_deep(), found.start())
        elif sign and sign in CLOSING:
            if not open_ones:
                msg = f"{found['sign']!r} closes a bracket that was not opened"
                raise ParseError(msg, found.start())
            open_ones.pop()
    if open_ones:
        msg = "this bracket is not closed"
        raise ParseError(msg, open_ones[-1])


def _too_deep() -> str:
    return f"the formula is nested more than {DEEPEST} deep; split it into several lines, or write total(a, b, …)"


def _spelled(text: str) -> tuple[str, list[int]]:
    """Return the text as Python spells it, in brackets so that it may have several lines; and where each sign stood."""
    source, origin = ["("], [0]
    for found in PIECES.finditer(text):
        piece = found[0]
        if found["sign"]:
            piece = SPELLINGS.get(piece, piece)
        elif found["word"] and iskeyword(piece) and _in_a_key(text, found):
            piece = KEYWORD + piece
        source.append(piece)
        step = len(piece) == len(found[0])
        origin += [found.start() + (number if step else 0) for number in range(len(piece))]
    return "".join((*source, ")")), [*origin, len(text), len(text)]


def _in_a_key(text: str, found: re.Match[str]) -> bool:
    before, after = text[: found.start()].rstrip(), text[found.end() :].lstrip()
    return before.endswith(".") or (after.startswith(".") and found[0] not in WORDS)


def _joined(text: str) -> None:
    """Refuse two things side by side without a sign, whose place Python's parser tells badly."""
    before, depth = "", 0
    for found in PIECES.finditer(text):
        kind, piece = found.lastgroup or "", found[0]
        if kind == "space":
            continue
        if piece == "%" and before in {"number", "closing"}:
            raise ParseError(PERCENT, found.start())
        depth += {"(": 1, ")": -1}.get(SPELLINGS.get(piece, piece), 0)
        if piece == "=" and not depth and LONE.match(text[max(0, found.start() - 1) : found.end() + 1]):
            msg = "a formula is only what stands right of the `=`; the key of the line says what it gives"
            raise ParseError(msg, found.start())
        if kind == "word" and piece in WORDS and not _in_a_key(text, found):
            kind = "sign"
        operand = kind in {"number", "word", "quoted"}
        opens = SPELLINGS.get(piece, piece) == "(" and before != "word"
        if before == "number" and kind == "word":
            raise ParseError(FIGURE, found.start())
        if before in {"number", "word", "quoted", "closing"} and (operand or (opens and before)):
            msg = f"a sign or a comma is missing before `{piece}`"
            raise ParseError(msg, found.start())
        before = "closing" if SPELLINGS.get(piece, piece) in CLOSING else kind if operand else ""


def _hint(text: str, at: int) -> str:
    """Say what is wrong with a text that Python's parser does not take."""
    rest = text[at:].lstrip()
    if found := re.match(r"[^\x00-\x7f]", rest):
        return f"{found[0]!r} cannot stand in a formula; names have letters, digits and _, signs are {SIGNS}"
    if not rest:
        return "the formula ends too early: something is missing behind the last sign"
    return f"cannot be read from `{rest[:20]}` on; something is missing or stands twice before it"


@frozen
class _Reader:
    """Turns Python's nodes into ours; every method tells where a mistake stands."""

    source: str
    origin: list[int]
    local: Mapping[str, Expr]
    functions: Mapping[str, Function]
    spans: Mapping[str, Span]

    def offset(self, line: int, column: int, *, in_characters: bool = False) -> int:
        """Return where in the typed text a place of Python's stands; its columns count bytes."""
        lines = self.source.split("\n")
        here = lines[min(line, len(lines)) - 1]
        within = column if in_characters else len(here.encode()[:column].decode(errors="ignore"))
        before = sum(len(one) + 1 for one in lines[: line - 1])
        return self.origin[min(before + within, len(self.origin) - 1)]

    def refuse(self, node: ast.expr, what: str) -> ParseError:
        return ParseError(what, self.offset(node.lineno, node.col_offset))

    def typed(self, node: ast.expr) -> str:
        """Return a short piece of what was typed."""
        text = (ast.get_source_segment(self.source, node) or "").replace(KEYWORD, "").replace("**", "^")
        return text if len(text) <= 30 else f"{text[:30]}…"  # noqa: PLR2004 - enough to find it

    def formula(self, node: ast.expr, depth: int) -> Expr:  # noqa: C901, PLR0911 - a case for each kind of node
        if depth > DEEPEST:
            raise self.refuse(node, _too_deep())
        below = depth + 1
        match node:
            case ast.Constant(value):
                return self.constant(node, value)
            case ast.Name() | ast.Attribute():
                return self.name(node)
            case ast.BinOp(left, sign, right):
                return self.operation(node, sign, self.formula(left, below), self.formula(right, below))
            case ast.UnaryOp(ast.USub(), ast.Constant(value)):
                positive = self.constant(node, value)
                return Num(-positive.value) if isinstance(positive, Num) else -positive
            case ast.UnaryOp(ast.USub(), operand):
                return -self.formula(operand, below)
            case ast.UnaryOp(ast.UAdd(), operand):
                return self.formula(operand, below)
            case ast.Compare():
                return self.comparison(node, below)
            case ast.BoolOp(word, values):
                function = every if isinstance(word, ast.And) else any_of
                return function(*(self.formula(value, below) for value in values))
            case ast.IfExp(test, then, otherwise):
                return when(self.formula(test, below), self.formula(then, below), self.formula(otherwise, below))
            case ast.Call():
                return self.call(node, below)
        raise self.refuse(node, self.unknown(node))

    def unknown(self, node: ast.expr) -> str:
        match node:
            case ast.Subscript():
                return f"`{self.typed(node)}`: a key is written with dots, such as pools.main.cards"
            case ast.UnaryOp(ast.Not()):
                return "`not` is not there; turn the comparison round, such as a >= b for not a < b"
            case ast.Tuple():
                return "a comma stands between the arguments of a function only"
        return f"`{self.typed(node)}` is no part of a formula: numbers, keys, {SIGNS}, comparisons and functions are"

    def constant(self, node: ast.expr, value: object) -> Expr:
        if isinstance(value, str):
            return Text(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(node, f"`{self.typed(node)}` is no number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.refuse(node, f"{self.typed(node)} is too large")
        return Num(number)

    def key(self, node: ast.expr) -> str | None:
        match node:
            case ast.Name(name):
                return name.removeprefix(KEYWORD)
            case ast.Attribute(value, name):
                head = self.key(value)
                return None if head is None else f"{head}.{name.removeprefix(KEYWORD)}"
        return None

    def name(self, node: ast.expr) -> Expr:
        key = self.key(node)
        if key is None:
            raise self.refuse(node, f"`{self.typed(node)}`: only a key has parts behind a dot")
        if key in self.local:
            return self.local[key]
        for part in key.split("."):
            if not SEGMENT.match(part):
                raise self.refuse(
                    node, f"`{key}` is no key: {part!r} is not a letter from a to z and then letters, digits or _"
                )
        if key.casefold() in NOT_FINITE:
            raise self.refuse(node, f"{key} is no number that a formula can hold")
        if "." not in key:
            names = f"the inputs of the line are {', '.join(self.local)}" if self.local else "the line has no inputs"
            guess = near(key, self.local)
            hint = guess or f"; {names}, and the key of a line or of an input of the plan has a dot, as cost.capex"
            if key in self.functions:
                hint = f"; it is a function: write {key}(…)"
            raise self.refuse(node, f"there is nothing called {key!r} here{hint}")
        return Ref(key)

    def operation(self, node: ast.BinOp, sign: ast.operator, left: Expr, right: Expr) -> Expr:
        match sign:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                return left / right
            case ast.Pow():
                return left**right
            case ast.Mod():
                raise self.refuse(node.right, PERCENT)
        raise self.refuse(node, f"the sign in `{self.typed(node)}` is not there; there are {SIGNS}")

    def comparison(self, node: ast.Compare, depth: int) -> Expr:
        sides = [self.formula(side, depth) for side in (node.left, *node.comparators)]
        tests = []
        for sign, left, right in zip(node.ops, sides, sides[1:], strict=False):
            match sign:
                case ast.Lt():
                    tests.append(less(left, right))
                case ast.LtE():
                    tests.append(at_most(left, right))
                case ast.Gt():
                    tests.append(more(left, right))
                case ast.GtE():
                    tests.append(at_least(left, right))
                case ast.Eq():
                    tests.append(same(left, right))
                case _:
                    what = "there are <, <=, >, >= for numbers and == for texts; turn the branches round instead"
                    raise self.refuse(node, f"`{self.typed(node)}`: {what}")
        return every(*tests) if len(tests) > 1 else tests[0]

    def call(self, node: ast.Call, depth: int) -> Expr:
        name = self.key(node.func) or self.typed(node.func)
        known = {*self.functions, *BY_NAME, *LOOK_UPS}
        if name not in known:
            guess = near(name, known) or f"; there are {', '.join(sorted(known))}"
            raise self.refuse(node, f"there is no function {name!r}{guess}")
        if name in LOOK_UPS:
            return self.look_up(node, name)
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.refuse(node, f"{name}(…) takes its arguments one after another, with commas between them")
        arguments = [self.formula(argument, depth) for argument in node.args]
        function = BY_NAME.get(name) or self.functions[name]
        if name == "total" and len(arguments) == 1:
            raise self.refuse(node, ONE_TERM.format(self.typed(node.args[0])))
        try:
            return function(*arguments)
        except TypeError as fault:
            what = f"{name}() takes 2 arguments, not {len(arguments)}" if name in BY_NAME else str(fault)
            raise self.refuse(node, what) from None

    def look_up(self, node: ast.Call, name: str) -> Expr:
        """Read ``fact(pick, "column", by=choice)``, ``entry("group", pick)`` and ``over_time(line, "2028")``."""
        match name, node.args, node.keywords:
            case "fact", [pick, ast.Constant(str(column))], []:
                return fact(self.reference(pick), column)
            case "fact", [pick, ast.Constant(str(column))], [ast.keyword("by", by)]:
                return fact(self.reference(pick), column, by=self.reference(by))
            case "entry", [ast.Constant(str(group)), pick], []:
                return entry(group, self.reference(pick))
            case "over_time", [line], []:
                return over_time(self.reference(line))
            case "over_time", [line, ast.Constant(str(span))], []:
                return over_time(self.reference(line), self.span(node.args[1], span))
        example = {
            "fact": 'fact(pools.main.accelerator, "tdp"), or fact(pools.main.accelerator, "peak", by=a.choice)',
            "entry": 'entry("prices", pools.main.accelerator)',
            "over_time": 'over_time(cash.paid), or over_time(cash.paid, "2028")',
        }
        raise self.refuse(node, f"`{self.typed(node)}` is written like {example[name]}")

    def span(self, node: ast.expr, name: str) -> Span:
        if name not in self.spans:
            guess = near(name, self.spans) or (f"; there are {', '.join(self.spans)}" if self.spans else "")
            raise self.refuse(node, f"the timeline has no year or period {name!r}{guess}")
        return self.spans[name]

    def reference(self, node: ast.expr) -> Ref:
        found = self.name(node) if isinstance(node, ast.Name | ast.Attribute) else None
        if not isinstance(found, Ref):
            raise self.refuse(node, f"the key of a line or an input stands here, not `{self.typed(node)}`")
        return found
