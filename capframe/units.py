"""Units: what may be added to what, and the exact factor between two scales.

A dimension is physical (power, time, data) or one for each thing that is bought, metered or counted (card,
server, token, CNY). That is what tells a price per card from a price per server, and CNY from USD.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from capframe.errors import UnitError, near
from capframe.wording import LANGUAGES, Label, a_label_or_none, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from attrs import Attribute

Dimensions = tuple[tuple[str, int], ...]

SHORTENING = frozenset("kKMGTPE")
"""What no plugin's unit may be called: behind a figure it is thousands, millions and so on."""
PREFIXES = {"k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21}
BINARY_PREFIXES = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5}


@frozen
class Unit:
    """A unit as a person wrote it, its dimensions (sorted) and its exact factor to the base of those dimensions."""

    text: str = field(eq=False)
    dims: Dimensions = ()
    factor: Fraction = Fraction(1)

    def __mul__(self, other: Unit) -> Unit:
        return self._join(other, 1, "·")

    def __truediv__(self, other: Unit) -> Unit:
        return self._join(other, -1, "/")

    def _join(self, other: Unit, sign: int, mark: str) -> Unit:
        dims = dict(self.dims)
        for name, power in other.dims:
            dims[name] = dims.get(name, 0) + sign * power
        kept = tuple(sorted((name, power) for name, power in dims.items() if power))
        divisor = f"({other.text})" if mark == "/" and re.search("[·/]", other.text) else other.text
        text = self.text if other.text == "1" else f"{self.text}{mark}{divisor}"
        return Unit(text, kept, self.factor * other.factor**sign)

    def base(self) -> Unit:
        """Return the unit of the same dimensions whose factor is 1."""
        text = "·".join(name if power == 1 else f"{name}^{power}" for name, power in self.dims)
        return self if self.factor == 1 else Unit(text or "1", self.dims)

    def root(self) -> Unit:
        """Return the unit whose square this is.

        Raises:
            UnitError: if a dimension has an odd power.
        """
        if any(power % 2 for _, power in self.dims):
            msg = f"the square root of {self.text} has no unit"
            raise UnitError(msg)
        dims = tuple((name, power // 2) for name, power in self.dims)
        return Unit("·".join(f"{name}^{power}" for name, power in dims) or "1", dims)

    def __str__(self) -> str:
        return self.text


ONE = Unit("1")
TEXT = Unit("text", (("text", 1),))
TEST = Unit("a comparison", (("test", 1),))
ANYTHING = Unit("anything", (("anything", 1),))
"""The unit of what is not available: it fits everywhere."""


WORD = re.compile(r"[^\W\d_][^\s·*/^()]*\Z|%\Z")
"""One word of a unit as people type it; a figure stands in front of it, and ``·``, ``*`` and ``/`` join words."""


def _a_word(_instance: object, _attribute: Attribute[str], value: object) -> None:
    if not isinstance(value, str) or not WORD.match(value):
        msg = f"a unit is one word, a letter first, without spaces, '·', '*', '/', '^' and brackets; not {value!r}"
        raise ValueError(msg)
    if value in SHORTENING:
        msg = f"{value!r} behind a figure shortens it (6 {value}); call the unit otherwise, as 'kelvin' for K"
        raise ValueError(msg)


def _can_be_typed(_instance: object, _attribute: Attribute[Any], value: Label) -> None:
    word = say(value, "en")
    if word and not all(WORD.match(part) for part in word.split(" ")):
        msg = f"what amounts of a unit are called can be typed behind a figure: letters, as 'cards'; not {word!r}"
        raise ValueError(msg)


@frozen
class UnitDefinition:
    """A unit that a plugin brings.

    Without ``equals`` the symbol is a dimension of its own: a thing that is bought, metered or counted.
    With ``prefixes`` it also takes k, M, G, T, P, E, Z (``PFLOP``).
    """

    symbol: str = field(validator=_a_word)
    equals: str | None = None
    prefixes: bool = False
    counted: bool = True
    """Whole things, which cannot be negative. Work and money are not counted."""
    many: Label = field(default="", validator=validators.and_(a_label_or_none, _can_be_typed))
    """How amounts of it are worded: ``"cards"``, or ``{"en": "cards", "zh": "卡"}``."""
    one: Label = field(default="", validator=a_label_or_none)
    """How one of it is worded behind a stroke, where that differs: ``{"zh": "端口"}`` for ``Gbit/s/端口``."""
    typed: tuple[str, ...] = field(default=(), validator=validators.deep_iterable(_a_word))
    """Other words that a plan may write for it, in whatever language: ``("卡", "张")``."""
    figure: str = field(default="", validator=validators.in_(("", "scientific", "big", "things")))
    """How amounts are shown: large ones ``"scientific"`` (4.20×10²³) or ``"big"`` (70.0B); ``"things"`` with decimals
    only where there are any, as all that is counted is; see ``capframe.figures``."""

    def spellings(self) -> Iterator[str]:
        """Yield every word that a plan may then write: ``card``, ``cards``; ``W``, ``kW``, ``MW``."""
        yield self.symbol
        if (word := say(self.many, "en")) not in {"", self.symbol}:
            yield word
        yield from self.typed
        if self.prefixes:
            yield from (prefix + self.symbol for prefix in PREFIXES)


PHYSICAL = (
    UnitDefinition("W", prefixes=True, counted=False),
    UnitDefinition("s", counted=False),
    UnitDefinition("bit", prefixes=True, counted=False),
)
MEASURED = frozenset(definition.symbol for definition in PHYSICAL)
"""Dimensions that have scales (kW, W), so that rounding in them means nothing."""

# Year, month and day are conventions of the field, fixed for the whole product (DESIGN: year 365 d, month 730 h).
DERIVED = {
    "%": (Fraction(1, 100), "1"),
    "min": (Fraction(60), "s"),
    "h": (Fraction(3600), "s"),
    "week": (Fraction(7 * 86_400), "s"),
    "d": (Fraction(86_400), "s"),
    "month": (Fraction(730 * 3600), "s"),
    "y": (Fraction(365 * 86_400), "s"),
    "b": (Fraction(1), "bit"),
    "B": (Fraction(8), "bit"),
    "Wh": (Fraction(3600), "W·s"),
    "J": (Fraction(1), "W·s"),
}
PREFIXED = {"b", "B", "Wh", "J"}
ALIASES = {
    "weeks": "week",
    "hour": "h",
    "hours": "h",
    "day": "d",
    "days": "d",
    "months": "month",
    "year": "y",
    "years": "y",
    "秒": "s",
    "分钟": "min",
    "小时": "h",
    "天": "d",
    "周": "week",
    "个月": "month",
    "年": "y",
    "瓦": "W",
    "千瓦": "kW",
    "兆瓦": "MW",
    "千瓦时": "kWh",
    "度": "kWh",
}
CALENDAR = {"year": "365 d", "month": "730 h", "day": "86,400 s"}


# in English these stand behind figures as symbols; rates of data and of work (GB/s) are symbols in Chinese too
WORDS: dict[str, Label] = {symbol: {"zh": word} for symbol, word in (
    ("s", "秒"), ("min", "分钟"), ("h", "小时"), ("d", "天"), ("week", "周"), ("month", "个月"), ("y", "年"),
    ("B", "字节"),
)}  # fmt: skip
WORDS_OF_ONE: dict[str, Label] = {"s": {"zh": "s"}, "month": {"zh": "月"}}


class Units:
    """The units of one run: the physical ones and those that plugins declare."""

    def __init__(self, definitions: Iterable[UnitDefinition] = ()) -> None:
        """Build the table.

        Raises:
            UnitError: for a word that is declared twice, and for a unit that equals one nobody declared.
        """
        self._table: dict[str, Unit] = {"1": ONE, "text": TEXT}
        self.counted: set[str] = set()
        self.words, self.words_of_one = {**WORDS}, {**WORDS_OF_ONE}
        self.figures = {"B": "scientific", "bit": "scientific"} | dict.fromkeys(("d", "week", "month", "y"), "things")
        for definition in PHYSICAL:
            self.declare(definition)
        for name, (factor, of) in DERIVED.items():
            base = self(of)
            self._add(name, Unit(name, base.dims, base.factor * factor), prefixes=name in PREFIXED)
        for alias, symbol in ALIASES.items():
            self._table[alias] = self._table[symbol]
        for definition in definitions:
            self.declare(definition)

    def declare(self, definition: UnitDefinition) -> None:
        """Add one unit.

        Raises:
            UnitError: for a word that is declared already, and where it equals a unit that nobody declared.
        """
        symbol = definition.symbol
        for word in definition.spellings():
            if word in self._table:
                msg = f"unit {word!r} is declared twice"
                raise UnitError(msg)
        if definition.equals is None:
            unit = Unit(symbol, ((symbol, 1),))
            if definition.counted:
                self.counted.add(symbol)
        else:
            unit = self(definition.equals)
        if definition.many:
            self.words[symbol] = definition.many
            self._table[say(definition.many, "en")] = Unit(symbol, unit.dims, unit.factor)
        for word in definition.typed:
            self._table[word] = Unit(symbol, unit.dims, unit.factor)
        if definition.one:
            self.words_of_one[symbol] = definition.one
        if definition.figure:
            self.figures[symbol] = definition.figure
        self._add(symbol, unit, prefixes=definition.prefixes)

    def _add(self, symbol: str, unit: Unit, *, prefixes: bool) -> None:
        self._table[symbol] = Unit(symbol, unit.dims, unit.factor)
        if prefixes:
            for prefix, power in PREFIXES.items():
                self._table[prefix + symbol] = Unit(prefix + symbol, unit.dims, unit.factor * 10**power)
        if symbol == "B":
            for prefix, power in BINARY_PREFIXES.items():
                self._table[prefix + symbol] = Unit(prefix + symbol, unit.dims, unit.factor * 1024**power)

    def signature(self) -> str:
        """Return every unit with its meaning, so that what was read with other units can be told apart."""
        return " ".join(f"{name}={unit.dims}{unit.factor}" for name, unit in sorted(self._table.items()))

    def __call__(self, text: str) -> Unit:
        """Read ``"CNY/kWh"``, ``"Gbit/s/port"``, ``"card·h"`` or ``"1"``.

        Raises:
            UnitError: for a symbol that nobody declared.
        """
        known = self._table.get(text)
        if known is not None:
            return known
        if not all(map(str.strip, re.split("[·*/]", text))):
            msg = f"unit {text!r} is not complete"
            raise UnitError(msg)
        unit = ONE
        for mark, symbol in re.findall(r"([·*/]?)([^·*/]+)", text):
            part = self._table.get(symbol.strip())
            if part is None:
                msg = f"unknown unit {symbol.strip()!r}{near(symbol.strip(), self._table)}"
                raise UnitError(msg)
            unit = unit / part if mark == "/" else unit * part
        unit = self._table[text] = Unit(text, unit.dims, unit.factor)
        return unit

    def in_words(self, unit: Unit, language: str) -> str:
        """Return a unit as it stands behind a figure: ``cards``, ``CNY/card``, ``元/卡``; nothing for plain numbers.

        In English only a unit that stands alone is worded; elsewhere every part is, as words there have no plural.
        Behind a stroke stands the word of one: ``10 个端口``, ``元/端口``.
        """
        if unit.text in {"1", "text"}:
            return ""
        spoken = LANGUAGES[language]
        if spoken == "en":
            return self._word(unit.text, spoken)
        parts = re.split("([·*/()])", unit.text)
        behind_a_stroke = [mark in {"/", "("} for mark in ["", *parts]]
        return "".join(self._word(part, spoken, one=one) for part, one in zip(parts, behind_a_stroke, strict=False))

    def _word(self, symbol: str, spoken: str, *, one: bool = False) -> str:
        word = (self.words_of_one if one and symbol in self.words_of_one else self.words).get(symbol, symbol)
        return word if isinstance(word, str) else word.get(spoken, symbol)

    def knows(self, symbol: str) -> bool:
        """Tell whether a symbol is declared."""
        return symbol in self._table

    def is_counted(self, unit: Unit) -> bool:
        """Tell whether a unit counts whole things (``card``, ``server``), not amounts of them in time or money."""
        return bool(unit.dims) and unit.factor == 1 and all(n in self.counted and p == 1 for n, p in unit.dims)

    def is_measured(self, unit: Unit) -> bool:
        """Tell whether a unit has power, time, data or another measured thing in it, which prefixes scale (kW)."""
        return any(name in MEASURED for name, _ in unit.dims)

    def shows_things(self, unit: Unit) -> bool:
        """Tell whether amounts have decimals only where there are any: what is counted, and what is said to be so."""
        words = [name for name, _ in unit.dims]
        return (
            bool(words)
            and unit.factor == 1
            and all(name in self.counted or self.figures.get(name) == "things" for name in words)
        )

    def is_plain(self, unit: Unit) -> bool:
        """Tell whether a bare number can mean only one thing in this unit: pure numbers and counts."""
        return unit.factor == 1 and all(name in self.counted for name, _ in unit.dims)
