"""The laws of checkpoints and restarts: plain functions of numbers or of formulas."""

from __future__ import annotations

from typing import TypeVar

from capframe import Expr, number_of, sqrt

Number = TypeVar("Number", float, Expr)


def best_interval(write_time: Expr, mtbf: Expr) -> Expr:
    """Return the working time between two checkpoints that loses least: Young's first-order law √(2·δ·M)."""
    return sqrt(2 * write_time * mtbf)


def share_of_time(write_time: Number, interval: Number, mtbf: Number, restart: Number) -> Number:
    """Return the share of time that goes into steps that are kept; all four times are in one unit.

    Writing takes its share of each interval; an interruption costs half an interval of rework and a restart.
    """
    running = 1 - write_time / (interval + write_time)
    return running * mtbf / (mtbf + interval / 2 + restart)


def extrapolated(first: Expr, second: Expr, bend: Expr) -> Expr:
    """Return where a sequence of amounts goes, by Aitken's rule; ``bend`` is the number of its second difference."""
    return first - (second - first) * number_of(second - first) / bend
