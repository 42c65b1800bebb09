"""Functions of formulas about things that are counted, and about chance."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

from capframe.errors import UnitError
from capframe.expr import NAN, Expr, Function
from capframe.functions import Argument, Settled, all_whole, plain_number, strict
from capframe.settling import to
from capframe.units import MEASURED, ONE, TEST, TEXT, Unit

if TYPE_CHECKING:
    from typing import Any

FAR = 40
"""So many standard deviations from the mean the chance of a count is below 1e-300."""


def bare(args: list[Argument]) -> Settled:
    """Take an amount of things that are counted, such as cards; an amount of power or data has no number as such."""
    [(node, have)] = args
    if have in (TEXT, TEST) or any(name in MEASURED for name, _ in have.dims):
        msg = f"number_of(…) takes things that are counted, not {have.text}"
        raise UnitError(msg)
    return [to(node, have, have.base())], ONE


def two_numbers(args: list[Argument]) -> Settled:
    """Take two plain numbers."""
    return [plain_number([arg])[0][0] for arg in args], ONE


def quantile(p: float) -> float:
    """Return the standard normal value that a share p of all stays below; nan outside of 0 to 1 (Excel: #NUM!)."""
    return NormalDist().inv_cdf(p) if 0 < p < 1 else NAN


def cumulated(k: float, mean: float) -> float:
    """Return the chance of at most k events, k cut to a whole number, where ``mean`` are expected.

    A mean of 0 is not available: calculators differ on it (EXCEL POISSON gives #NUM! or 1).
    """
    if k < 0 or mean <= 0:
        return NAN
    reach = FAR * math.sqrt(mean) + FAR  # a term further off than this is 0 in doubles
    counts = range(max(0, int(mean - reach)), int(min(k, mean + reach)) + 1)
    terms = (math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in counts)
    return min(math.fsum(terms), 1.0)


def same_number(x: Any) -> Any:
    """Return the number itself."""
    return x


def each_quantile(p: Any) -> Any:
    """Return ``quantile`` of each element of an array."""
    import numpy as np

    return np.vectorize(quantile, otypes=[float])(p)


def each_cumulated(k: Any, mean: Any) -> Any:
    """Return ``cumulated`` of each element of two arrays."""
    import numpy as np

    return np.vectorize(strict(cumulated), otypes=[float])(k, mean)


number_of = Function(
    "number_of", strict(same_number), "{0:(}", "{0:(}", bare, whole=all_whole, array="capframe.counting:same_number"
)
"""The number of things, without what they are: 1,000 cards are 1,000. For laws that take any count."""


def count_of(number: Expr | float, thing: str) -> Expr:
    """Return a plain number as that many of a declared thing: ``count_of(rows * columns, "parameter")``."""
    unit = Unit(thing, ((thing, 1),))

    def named(args: list[Argument]) -> Settled:
        return plain_number(args)[0], unit

    name = f"count of {thing}"
    return Function(
        name, strict(same_number), "{0:(}", "{0:(}", named, whole=all_whole, array="capframe.counting:same_number"
    )(number)


normal_quantile = Function(
    "normal_quantile",
    strict(quantile),
    "NORMSINV({0})",
    "z({0})",
    plain_number,
    fails=True,
    array="capframe.counting:each_quantile",
)
poisson = Function(
    "poisson",
    strict(cumulated),
    "POISSON({0},{1},TRUE)",
    {"en": "P(X ≤ {0} | mean {1})", "zh": "P(X ≤ {0} | 均值 {1})"},
    two_numbers,
    fails=True,
    array="capframe.counting:each_cumulated",
)
"""The chance of at most k events. Calculators agree on it up to a mean of 500, and not at 0: see the callers."""
