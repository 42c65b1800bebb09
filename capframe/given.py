"""Reading a quantity as a person types it, and what is known about where it came from."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import MINYEAR, date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from capframe.errors import CapframeError, UnitError
from capframe.expr import number
from capframe.wording import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capframe.units import Unit, Units

CONFIDENCES: Mapping[str, Label] = {
    "measured": {"en": "measured", "zh": "实测"},
    "datasheet": {"en": "datasheet", "zh": "技术资料"},
    "press": {"en": "press", "zh": "公开报道"},
    "estimate": {"en": "estimate", "zh": "估算"},
    "assumed": {"en": "assumed", "zh": "假设"},
}
"""How sure a figure may be, the surest first, and how people read it."""
AUTO = "auto"
DEFAULT = "default"
"""Where a value comes from that nobody gave."""

NUMBER = re.compile(r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d[\d_]*|(?=\.\d))(?:\.\d+)?(?:[eE][+-]?\d+)?)(.*)\Z", re.DOTALL)
DECIMAL_COMMA = re.compile(r",\d+(?![\d,])")
NOT_FINITE = re.compile(r"[+\-.]*(?:nan|inf(?:inity)?)(?!\w)", re.IGNORECASE)
CHINESE = (("万亿", 10**12), ("亿", 10**8), ("万", 10**4))
COUNT_SUFFIXES = {"K": 10**3, "k": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
SHORTENINGS = {"", *(word for word, _ in CHINESE), *COUNT_SUFFIXES}
"""What may stand behind the digits of a figure that still has no unit."""
SPELLED = {
    "thousand": "K", "million": "M", "billion": "B", "trillion": "T", "bn": "B", "b": "B", "m": "M", "t": "T",
    "percent": "%", "per cent": "%",
}  # fmt: skip
MOST_DIGITS = 400
BARE_PREFIXES = {"k", "K", "M", "G", "T", "P", "E"}


class QuantityError(CapframeError):
    """A text that is not the quantity its field wants."""


@frozen
class Origin:
    """Where a figure came from, when, and how sure we are (one of ``CONFIDENCES``)."""

    source: Label = ""
    confidence: str = "assumed"
    date: str = ""
    note: Label = ""


@frozen
class Given:
    """A value that somebody gave: a number in the unit of its field, a text, or nan where nothing was given.

    A field by period may hold one number for each period in ``series``; ``value`` is then the first.

    ``at`` says where: ``plan.yaml:18:10``, ``--set #1``, ``default``.
    """

    value: float | str
    at: str = DEFAULT
    low: float | None = None
    high: float | None = None
    origin: Origin = Origin()
    series: tuple[float, ...] = ()

    def moved(self, at: str) -> Given:
        """Return the same value given somewhere else."""
        return evolve(self, at=at)

    def times(self, factor: float) -> Given:
        """Return a number and its range, multiplied; a text as it is."""
        value = self.value * factor if isinstance(self.value, float) else self.value
        low = None if self.low is None else self.low * factor
        high = None if self.high is None else self.high * factor
        return evolve(self, value=value, low=low, high=high)


def given_as(text: str) -> Label:
    """Return the note of a figure that was converted: what a person typed."""
    return {"en": f"given as {text}", "zh": f"原始数字 {text}"}


def read_number(text: str, unit: Unit, units: Units) -> float:
    """Return the number of ``unit`` that a text means: ``40%``, ``1.5万亿``, ``70B``, ``400 Gbit/s``.

    A bare number is taken only where it can mean one thing: for plain numbers and counts.

    Raises:
        QuantityError: with what to write instead.
    """
    found = NUMBER.match(text.strip())
    if not found:
        if NOT_FINITE.match(text.strip()):
            msg = f"{text!r} is no number that a plan can hold; leave the field out where nothing is known"
        else:
            msg = f"{text!r} is not a number{_wanted(unit)}"
        raise QuantityError(msg)
    digits, rest = found[1].replace(",", "").replace("_", ""), found[2].strip()
    if DECIMAL_COMMA.match(rest):
        msg = f"{text!r}: a comma stands between thousands; write `{found[1]}.{rest[1:]}`"
        raise QuantityError(msg)
    amount = _exact(text, digits)
    for word, factor in CHINESE:
        if rest.startswith(word):
            amount, rest = amount * factor, rest[len(word) :].strip()
            break
    else:
        amount, rest = _shortened(amount, rest, unit, units)
    try:
        value = number(float(amount * _factor(text, rest, unit, units)))
    except OverflowError:
        value = float("inf")
    if value in {float("inf"), float("-inf")}:
        msg = f"{text!r} is too large"
        raise QuantityError(msg)
    return value


def _shortened(amount: Fraction, rest: str, unit: Unit, units: Units) -> tuple[Fraction, str]:
    """Take K, M, B or T off: ``70B``, ``70B parameters``, ``20M USD``; of measured things a prefix does that (kW)."""
    suffix, _, of = rest.partition(" ")
    if suffix in COUNT_SUFFIXES and unit.dims and (units.is_plain(unit) or (of and not units.is_measured(unit))):
        return amount * COUNT_SUFFIXES[suffix], of.strip()
    return amount, rest


def unit_typed(text: str, units: Units) -> Unit:
    """Return the unit in which a figure was typed: ``0.4 %/y``, ``1.5 万 CNY``, ``83.3M CNY``; a percentage is a share.

    Raises:
        UnitError: for a unit that nobody declared.
    """
    found = NUMBER.match(text.strip())
    rest = found[2].strip() if found else ""
    for word, _ in CHINESE:
        if rest.startswith(word):
            rest = rest.removeprefix(word).strip()
            break
    suffix, _, of = rest.partition(" ")
    if suffix in COUNT_SUFFIXES and of and not units.is_measured(unit := units(of.strip())):
        return unit
    return units("1" if rest in {"", "%"} else rest)


def other_unit(text: str, have: Unit, want: Unit) -> str:
    """Say that a figure was typed in one unit and is wanted in another."""
    found = NUMBER.match(text.strip())
    amount = found[1] if found and have.text == "1" and not found[2].strip() else "1"  # without a unit the digits stay
    said = "has no unit" if amount != "1" else f"is in {have.text}"
    wanted = "a plain number" if want.text == "1" else f"a figure in {want.text}"
    return f"{text!r} {said}, and {wanted} is wanted{_wanted(want, amount)}"


def read_ratio(text: str, unit: Unit, units: Units) -> float:
    """Return what one number to another comes to (``2:1`` is 2), or a plain number.

    Raises:
        QuantityError: with what to write instead.
    """
    first, colon, second = text.partition(":")
    if not colon:
        return read_number(text, unit, units)
    over = read_number(second, unit, units)
    if not over:
        msg = f"{text!r} is no ratio; write for example `2:1`"
        raise QuantityError(msg)
    return number(read_number(first, unit, units) / over)


def _exact(text: str, digits: str) -> Fraction:
    """Return the number exactly, but for what no double holds: so many zeros would take for ever."""
    try:
        value = Decimal(digits)
    except InvalidOperation:  # an exponent that not even a Decimal holds
        value = Decimal("inf")
    if not value.is_finite() or (value and abs(value.adjusted()) > MOST_DIGITS):
        msg = f"{text!r} is too large or too small"
        raise QuantityError(msg)
    return Fraction(value)


def _factor(text: str, rest: str, unit: Unit, units: Units) -> Fraction:
    amount = text.strip().removesuffix(rest).strip()
    first, _, second = unit.text.partition("/")
    if first == second:  # the rate of a currency to itself
        msg = f"{text!r}: {unit.text} is always 1; leave it out"
        raise QuantityError(msg)
    if not rest:
        if units.is_plain(unit):
            return Fraction(1)
        msg = f"{text!r} has no unit{_wanted(unit, amount)}"
        raise QuantityError(msg)
    if rest in BARE_PREFIXES and not units.is_plain(unit):
        msg = f"{text!r} does not say what it counts (bits or bytes, per second or in all){_wanted(unit, amount)}"
        raise QuantityError(msg)
    if rest in BARE_PREFIXES and unit.dims:
        msg = f"{text!r}: amounts of {unit.text} are shortened by K, M, B and T{_wanted(unit, amount)}"
        raise QuantityError(msg)
    if spelled := _spelled(rest, unit, units):
        msg = f"{text!r}: write it as `{amount}{spelled}`"
        raise QuantityError(msg)
    try:
        have = units(rest)
    except UnitError as fault:
        near_name = "did you mean" in str(fault)
        msg = f"{text!r}: {fault}{'' if near_name else _in(unit)}"
        raise QuantityError(msg) from fault
    if have.dims != unit.dims:
        short = unit.text.startswith(f"{rest}/")  # only what it is per is lacking: the number stays
        msg = f"{text!r} is in {rest}, which is not {unit.text}{_wanted(unit, amount) if short else _in(unit)}"
        raise QuantityError(msg)
    return have.factor / unit.factor


def _spelled(rest: str, unit: Unit, units: Units) -> str:
    """Return how a power of ten is written that was spelled another way: ``13b`` parameters, ``20m CNY``; or nothing.

    Some of these words are units too (``b`` is a bit), which counts where the unit of a figure has any of that.
    """
    word, _, of = rest.partition(" ")
    counts = units.is_plain(unit) and bool(unit.dims)
    if unit.dims and not counts and not units.is_measured(unit) and SPELLED.get(word) in COUNT_SUFFIXES:
        typed = of.strip() or unit.text
        alike = units.knows(typed) and units(typed).dims == unit.dims
        other = word == "t" or (not of and units.knows(word) and set(units(word).dims) & set(unit.dims))
        return f"{SPELLED[word]} {typed}" if alike and not other else ""  # `t` is a tonne as well
    return SPELLED.get(rest, "") if counts or not units.knows(rest) else ""


def _in(unit: Unit) -> str:
    """Say which unit is wanted, without an example: these digits in another unit would be another amount."""
    return "; a plain number is wanted here" if unit.text == "1" else f"; give it in {unit.text}"


def _wanted(unit: Unit, amount: str = "1") -> str:
    example = amount if unit.text == "1" else f"{amount}%" if unit.text == "%" else f"{amount} {unit.text}"
    return f"; write for example `{example}`"


def is_date(text: str) -> bool:
    """Tell whether a text is a day as plans write it: ``2026-11-29`` (weeks and ``20261129`` are ISO dates too)."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def no_such_day(text: str) -> str:
    """Say how many days the month of a text has that is written as a day, and is none (``2026-11-31``); or nothing."""
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text)
    year, month = (int(found[1]), int(found[2])) if found else (0, 0)
    if is_date(text) or not (year >= MINYEAR and 1 <= month <= len(MONTHS)):
        return ""
    of = f" {year}" if MONTHS[month - 1] == "February" else ""
    return f"there is no such day: {MONTHS[month - 1]}{of} has {monthrange(year, month)[1]} days"


def no_date(text: str) -> str:
    """Say that a text is no date, and what to write instead."""
    return f"{text!r}: {said}" if (said := no_such_day(text)) else f"{text!r} is no date; write it as `2026-11-29`"


def first_day(text: str) -> date | None:
    """Return the first day that a date may mean: ``2026-10-15``, ``2026-10``, ``2026``; None for anything else."""
    parts = text.strip().split("-")
    day = "-".join((*parts, *("01", "01")[: max(0, 3 - len(parts))]))
    return date.fromisoformat(day) if is_date(day) else None
