"""Which assumptions move the answer most: each is set to its low and to its high while the others stay."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from capframe_plugins.brief.assumptions import Assumption
    from capframe_plugins.brief.reader import Reader

DIGITS = 6
"""Figures of a weight that count, so that a last bit decides no order."""


def by_weight(r: Reader, found: list[Assumption], asked: Iterable[str]) -> list[Assumption]:
    """Return assumptions with a range, those first that move one of the lines ``asked`` for most, in proportion."""
    if not found:
        return []
    outputs = [key for key in asked if key in r.ledger.lines and is_number(r.results.value(key))]
    weights = swings(r, [one for one in found if one.key], outputs)
    return sorted(found, key=lambda one: -(weights[id(one)] if one.key else width(one)))


def is_number(value: object) -> bool:
    """Tell whether a value is one that can move in proportion."""
    return isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value) and value != 0


def width(one: Assumption) -> float:
    """Return the range of a catalogue fact in proportion: no figure is taken to follow it more than that."""
    ends = ends_of(one)
    value = one.given.value
    return rounded((ends[1] - ends[0]) / value) if is_number(value) and not isinstance(value, str) else 0.0


def ends_of(one: Assumption) -> tuple[Any, Any]:
    """Return low and high; where one is not given, the value itself."""
    given = one.given
    return (given.value if given.low is None else given.low, given.value if given.high is None else given.high)


def swings(r: Reader, found: list[Assumption], outputs: list[str]) -> dict[int, float]:
    """Return how far each assumption moves an output at most, over what it is in base."""
    free = list(dict.fromkeys(one.key for one in found))
    if not free or not outputs:
        return dict.fromkeys(map(id, found), 0.0)
    base = {key: r.results.value(key) for key in free}
    low_high = {key: [base[key]] * (2 * len(found)) for key in free}
    for number, one in enumerate(found):
        low_high[one.key][2 * number : 2 * number + 2] = ends_of(one)
    got: Mapping[str, Any] = r.ledger.compile(outputs, free)(low_high)
    return {id(one): max(swing(r, got, key, number) for key in outputs) for number, one in enumerate(found)}


def swing(r: Reader, got: Mapping[str, Any], key: str, number: int) -> float:
    """Return how far an output goes from low to high of one assumption, over what it is in base."""
    low, high = (float(value) for value in got[key][2 * number : 2 * number + 2])
    value = r.results.value(key)
    moved = (high - low) / value if not isinstance(value, str) else 0.0
    return rounded(moved) if math.isfinite(moved) else math.inf


def rounded(moved: float) -> float:
    """Return how far without its sign, to so many figures."""
    return float(f"{abs(moved):.{DIGITS}g}")
