"""Which assumptions move the answer most: each is set to its low and to its high while the others stay.

Lines stand in tiers: those that are asked for, those that say whether that is enough, what a year costs. An
assumption belongs to the first tier that it moves noticeably.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from attrs import frozen

from capframe_plugins.brief.answer import SUMS
from capframe_plugins.brief.reader import BASE
from capframe_plugins.brief.trail import trail_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capframe_plugins.brief.assumptions import Assumption
    from capframe_plugins.brief.reader import Reader

DIGITS = 6
"""Figures of a weight that count, so that a last bit decides no order."""
NOTICEABLE = 0.01
"""In proportion to what it is in base; what moves a line less is left to the sign-off."""
ENOUGH = ("compute.elapsed_days", "compute.cards_needed", "compute.cards_with_reserve")
A_YEAR = ("cost.per_year", "cost.per_card_hour")


@frozen
class Weight:
    """What an assumption moves, and how far."""

    tier: int
    moved: float
    lines: list[str]
    """The lines of the tier that it moves."""


def tiers(r: Reader) -> list[list[str]]:
    """Return the lines that assumptions may move, those that are asked for first; only those with a value."""
    pools = [f"pools.{name}.cards" for name in r.members("pools")]
    enough = [f"workloads.{name}.{line}" for name in r.members("workloads") for line in ENOUGH]
    return [
        [key for key in keys if key in r.ledger.lines and is_number(r.results.value(key))]
        for keys in ([*pools, *SUMS], enough, A_YEAR)
    ]


def by_weight(r: Reader, found: list[Assumption]) -> list[tuple[Assumption, list[str]]]:
    """Return the assumptions that move something noticeably, those that move most first, each with what it moves."""
    lines = tiers(r)
    weights = swings(r, [one for one in found if one.key], lines)
    weights |= of_facts(r, [one for one in found if one.is_fact], lines)
    moving = [one for one in found if id(one) in weights]
    moving.sort(key=lambda one: (weights[id(one)].tier, -weights[id(one)].moved))
    return [(one, weights[id(one)].lines) for one in moving]


def of_facts(r: Reader, found: list[Assumption], lines: list[list[str]]) -> dict[int, Weight]:
    """Return the lines that rest on each fact: no figure is taken to follow it more than its range is wide."""
    below = {key: facts_below(r, key) for keys in lines for key in keys}
    weights = {}
    for one in found:
        resting = [[key for key in keys if one.fact in below[key]] for keys in lines]
        tier = next((tier for tier, keys in enumerate(resting) if keys), None)
        if tier is not None and width(one) >= NOTICEABLE:
            weights[id(one)] = Weight(tier, width(one), resting[tier])
    return weights


def facts_below(r: Reader, key: str) -> set[tuple[str, str]]:
    """Return part and column of the facts that a line rests on in base."""
    return {(str(r.results.value(pick)), column) for pick, column in trail_of(r.results, [key], BASE).facts}


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


def swings(r: Reader, found: list[Assumption], lines: list[list[str]]) -> dict[int, Weight]:
    """Return what each input moves: the lines of the first tier that follow it, and how far, over base."""
    free = list(dict.fromkeys(one.key for one in found))
    outputs = [key for keys in lines for key in keys]
    if not free or not outputs:
        return {}
    base = {key: r.results.value(key) for key in free}
    low_high = {key: [base[key]] * (2 * len(found)) for key in free}
    for number, one in enumerate(found):
        low_high[one.key][2 * number : 2 * number + 2] = ends_of(one)
    got: Mapping[str, Any] = r.ledger.compile(outputs, free)(low_high)
    weights: dict[int, Weight] = {}
    for number, one in enumerate(found):
        for tier, keys in enumerate(lines):
            moved = {key: by for key in keys if (by := swing(r, got, key, number)) >= NOTICEABLE}
            if moved:
                weights[id(one)] = Weight(tier, max(moved.values()), list(moved))
                break
    return weights


def swing(r: Reader, got: Mapping[str, Any], key: str, number: int) -> float:
    """Return how far an output goes from low to high of one assumption, over what it is in base."""
    low, high = (float(value) for value in got[key][2 * number : 2 * number + 2])
    value = r.results.value(key)
    moved = (high - low) / value if not isinstance(value, str) else 0.0
    return rounded(moved) if math.isfinite(moved) else math.inf


def rounded(moved: float) -> float:
    """Return how far without its sign, to so many figures."""
    return float(f"{abs(moved):.{DIGITS}g}")
