"""The laws of networks: folded Clos (fat trees) of equal switches, and all-reduce. Plain functions, no plan."""

from __future__ import annotations

from typing import TypeVar

from capframe import Expr

Number = TypeVar("Number", float, Expr)

LEISERSON_1985 = {
    "en": "Leiserson 1985, Fat-Trees; Al-Fares et al. 2008 for equal switches (SIGCOMM)",
    "zh": "Leiserson 1985, Fat-Trees; 相同交换机组网见 Al-Fares et al. 2008 (SIGCOMM)",
}


def limit(radix: Expr, down: Expr, tiers: Expr | int) -> Expr:
    """Return how many hosts a tree of so many tiers can have: K·(K/2)^(tiers−2)·down, and K²/2 for two of down K/2.

    ``radix`` and ``down`` are ports of a switch, all and those of a leaf towards hosts.
    """
    return radix * (radix / 2) ** (tiers - 2) * down


def ring_bytes(size: Number, ranks: Number) -> Number:
    """Return what each rank sends in a ring all-reduce of ``size`` bytes: 2·(n−1)/n of them."""
    return 2 * (ranks - 1) / ranks * size


def ring_all_reduce(size: Number, ranks: Number, bandwidth: Number) -> Number:
    """Return how long a ring all-reduce takes; ``bandwidth`` is one way and per rank, latency is not in it."""
    return ring_bytes(size, ranks) / bandwidth
