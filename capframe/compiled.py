"""A ledger as one Python function over numpy arrays: for searches, tornado, Monte Carlo, solve and sweep.

``ledger.compile(outputs, free)`` keeps the lines that the outputs need and computes at once whatever does not depend
on the free inputs, by the scalar path. Figures that are shown come from the scalar path, which this one agrees with.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import groupby
from typing import Any

from attrs import field, frozen

from capframe.errors import CapframeError, near
from capframe.expr import NAN, Expr, Function, Ref, key_of, refs
from capframe.fields import ChoiceField, PickField
from capframe.given import AUTO
from capframe.ledger import Ledger
from capframe.units import TEXT
from capframe.vectorizing import SIGNS, Piece, Scope, Words, Writer, known_words, source

CHUNK = 2048
"""How many rows are computed at a time: so many fit into a processor's cache."""
NAMES = re.compile(r"\b[xvt]\d+\b")


@frozen
class Column:
    """What an output is: whether a text, and over how many periods (0: one value)."""

    is_text: bool
    periods: int


@frozen
class Compiled:
    """Lines and checks as one function: ``compiled({"workloads.pretrain.mfu": mfus})["cost.total"]`` is an array.

    A free input is one value or an array of them, all arrays of one length: numbers in the unit of its field (or
    ``"auto"`` where it may be), ids of parts, words of a choice. A line is nan where it is not available or ``auto``,
    a text line an array of texts; a line over time has a column for each period; a check is 1 where it holds, 0 where
    it fails, nan where that is not known. A free input by period has one value for all of them.
    """

    free: tuple[str, ...]
    outputs: Mapping[str, Column]
    """What is computed."""
    source: str = field(repr=False)
    """The Python that runs, for a reader who wants to know what is left of the ledger."""
    _ledger: Ledger = field(repr=False)
    _words: Words = field(repr=False)
    _fast: Callable[..., tuple[Any, ...]] = field(repr=False)
    _careful: Callable[..., tuple[Any, ...]] = field(repr=False)

    def __call__(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> dict[str, Any]:
        """Return the array of each output.

        Raises:
            CapframeError: for inputs that are not free or are left out, arrays of two lengths, and unknown texts.
        """
        import numpy as np

        given = self._encoded({**(values or {}), **more})
        lengths = {len(array) for array in given if array.ndim}
        if len(lengths) > 1:
            msg = f"the free inputs are arrays of different lengths: {', '.join(map(str, sorted(lengths)))}"
            raise CapframeError(msg)
        rows = lengths.pop() if lengths else 1
        table = np.empty((sum(max(one.periods, 1) for one in self.outputs.values()), rows))
        for start in range(0, rows, CHUNK):
            part = slice(start, start + CHUNK)
            got = self._computed([array[part] if array.ndim else array for array in given])
            for number, array in enumerate(got):
                table[number, part] = array
        results, row = {}, 0
        for key, one in self.outputs.items():
            array = table[row : row + one.periods].T if one.periods else table[row]
            results[key] = self._texts(array) if one.is_text else np.where(np.isfinite(array), array, NAN)
            row += max(one.periods, 1)
        return results

    def _computed(self, given: list[Any]) -> tuple[Any, ...]:
        """Return one chunk. Where the processor flags an overflow or a division by zero, step by step."""
        import numpy as np

        try:
            with np.errstate(divide="raise", over="raise", under="ignore", invalid="ignore"):
                return self._fast(*given)
        except FloatingPointError:
            with np.errstate(all="ignore"):
                return self._careful(*given)

    def _encoded(self, values: Mapping[str, Any]) -> list[Any]:
        wrong = [f"{key!r} is not free{near(key, self.free)}" for key in values if key not in self.free]
        wrong += [f"free input {key!r} has no values" for key in self.free if key not in values]
        if wrong:
            raise CapframeError("\n".join(wrong))
        return [self._array(key, values[key]) for key in self.free]

    def _array(self, key: str, values: Any) -> Any:
        import numpy as np

        about = self._ledger.plan.inputs[key].field
        array = np.asarray(values)
        if array.dtype.kind == "U" and not isinstance(values, np.ndarray):
            array = np.asarray(values, dtype=object)  # a list of numbers and `auto` stays both
        if array.ndim > 1:
            msg = f"{key}: one value or a list of them is wanted, not {array.ndim} dimensions"
            raise CapframeError(msg)
        if isinstance(about, PickField | ChoiceField):
            allowed = {text: self._words.code(text) for text in known_words(self._ledger, key)}
        else:
            if array.dtype.kind in "fiu":
                floats = array.astype(float)
                return np.where(np.isfinite(floats), floats, NAN)
            allowed = {AUTO: np.inf} if about.may_be_auto else {}
        coded = [self._coded(key, one, allowed) for one in array.ravel().tolist()]
        return np.array(coded, dtype=float).reshape(array.shape)

    @staticmethod
    def _coded(key: str, value: Any, allowed: Mapping[str, float]) -> float:
        if value in allowed:
            return allowed[value]
        if not allowed or (AUTO in allowed and not isinstance(value, str)):
            try:
                return float(value)
            except (TypeError, ValueError):
                pass
        msg = f"{key}: {value!r} cannot be taken{near(str(value), allowed)}"
        raise CapframeError(msg)

    def _texts(self, array: Any) -> Any:
        import numpy as np

        texts = {code: text for text, code in self._words.codes.items()} | {math.inf: AUTO}
        return np.array([texts.get(code, NAN) for code in array.ravel().tolist()], dtype=object).reshape(array.shape)


def compile_ledger(ledger: Ledger, scope: Scope, outputs: Iterable[Ref | str], free: Iterable[Ref | str]) -> Compiled:
    """Return the function that computes lines and checks from arrays of free inputs; see ``Ledger.compile``.

    ``scope`` holds the inputs of one scenario, and gets the lines that are folded.
    """
    wanted, given = (tuple(dict.fromkeys(map(key_of, keys))) for keys in (outputs, free))
    tests = {check.key: check.test for check in ledger.checks}
    refuse_unknown(ledger, wanted, given, tests)
    writer = Writer(ledger, scope, {key: f"x{number}" for number, key in enumerate(given)})
    for key in given:
        for text in known_words(ledger, key):
            writer.words.code(text)
    formulas = {key: ledger.lines[key].formula if key in ledger.lines else tests[key] for key in wanted}
    needed = below(ledger, formulas.values())
    wanted_lines = [line for key, line in ledger.lines.items() if key in needed or key in formulas]
    for (_, over_time), lines in groupby(wanted_lines, lambda line: (line.stage, line.over_time)):
        if over_time:
            writer.periods({line.key: line.formula for line in lines}, len(ledger.plan.timeline))
        else:
            for line in lines:
                writer.line(line.key, line.formula)
    results: dict[str, list[Piece]] = {}
    for key, formula in formulas.items():
        if key in writer.pieces:
            results[key] = writer.pieces[key]
        else:
            results[key] = [writer.ref(key) if key in ledger.lines else source(formula, writer)]
    text = written(writer, results)
    columns = {
        key: Column(key in ledger.lines and ledger.unit(key) == TEXT, len(writer.pieces.get(key, ()))) for key in wanted
    }
    return Compiled(given, columns, text, ledger, writer.words, *functions(text, namespaces(writer)))


def refuse_unknown(ledger: Ledger, outputs: Iterable[str], free: Iterable[str], tests: Mapping[str, Expr]) -> None:
    """Refuse outputs that are no lines or checks and free keys that are no inputs, all at once."""
    there = {*ledger.lines, *tests}
    wrong = [
        f"output {key!r} is an input; only lines and checks are computed"
        if key in ledger.plan.inputs
        else f"there is no line or check {key!r}{near(key, there)}"
        for key in outputs
        if key not in there
    ]
    wrong += [
        f"{key!r} is a line, which its formula computes; free are inputs only"
        if key in ledger.lines
        else f"there is no input {key!r}{near(key, ledger.plan.inputs)}"
        for key in free
        if key not in ledger.plan.inputs
    ]
    if wrong:
        raise CapframeError("\n".join(wrong))


def below(ledger: Ledger, formulas: Iterable[Expr]) -> set[str]:
    """Return the lines that formulas need, directly or through other lines."""
    found: set[str] = set()
    left = [key for formula in formulas for key in refs(formula)]
    while left:
        key = left.pop()
        if key in ledger.lines and key not in found:
            found.add(key)
            left.extend(refs(ledger.lines[key].formula))
    return found


def written(writer: Writer, results: Mapping[str, Iterable[Piece]]) -> str:
    """Return the source of the function: the statements that results need, each variable freed after its last use."""
    ends = [writer.text(piece) for pieces in results.values() for piece in pieces]
    needed = {name for end in ends for name in NAMES.findall(end)}
    body: list[str] = []
    for name, text, about in reversed(writer.statements):
        if name in needed:
            read = dict.fromkeys(found for found in NAMES.findall(text) if found[0] != "x")
            last = [one for one in read if one not in needed]
            needed.update(NAMES.findall(text))
            free = f"    del {', '.join(last)}\n" if last else ""
            body.append(f"    {name} = {text}" + (f"  # {about}" if about else "") + f"\n{free}".rstrip("\n"))
    inputs = ", ".join(writer.free.values())
    return "\n".join([f"def run({inputs}):", *reversed(body), f"    return ({''.join(f'{end}, ' for end in ends)})"])


def namespaces(writer: Writer) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the function calls: fast twins, and careful ones that turn overflows into nan at every step."""
    import numpy as np

    from capframe import arrays

    fast: dict[str, Any] = {name: arrays.SIGNS[sign] for sign, name in SIGNS.items()}
    fast["sum_of_last"] = arrays.sum_of_last
    fast |= {name: twin_of(function) for name, function in writer.twins.items()}
    choosing = {name for name, function in writer.twins.items() if function.chosen}
    careful = {name: twin if name in choosing else arrays.finite(twin) for name, twin in fast.items()}
    tables: dict[str, Any] = {"NAN": NAN, "AUTO": math.inf, "f_rows": arrays.rows, "f_same_then": arrays.same_then}
    for name, (kind, values, *size) in writer.tables.items():
        if kind == "grid":
            tables[name] = np.array(values, dtype=float)
        else:
            table = tables[name] = np.full(len(writer.words.spellings) + 1, size[0], dtype=np.intp)
            for code, row in values.items():
                table[code] = row
    return fast | tables, careful | tables


def twin_of(function: Function) -> Any:
    """Return the twin of a function over arrays, imported now."""
    if not isinstance(function.array, str):
        return function.array
    module, _, name = function.array.partition(":")
    return getattr(import_module(module), name)


def functions(text: str, spaces: Iterable[dict[str, Any]]) -> Iterator[Callable[..., tuple[Any, ...]]]:
    """Yield the function in each name space."""
    code = compile(text, "<compiled ledger>", "exec")
    for space in spaces:
        exec(code, space)  # noqa: S102 - our own text: variables, numbers and names of functions
        yield space["run"]
