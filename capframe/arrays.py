"""The functions of formulas over numpy arrays: the twin of each one in ``functions``, deciding alike.

Not available is nan. Comparisons are 1, 0 or nan. A text is its code (``compiled.Words``): the whole part tells texts
apart, without regard to case. ``auto`` is an infinity, which no computed number ever is. Only a ledger that is
compiled imports this module.
"""

from __future__ import annotations

from functools import reduce, wraps
from typing import TYPE_CHECKING, Any

import numpy as np  # noqa: TID253 - only a ledger that is compiled imports this module

from capframe.functions import GUARD

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = np.ndarray[Any, np.dtype[np.float64]]

NAN = np.nan


def finite(twin: Callable[..., Array]) -> Callable[..., Array]:
    """Make what is too large, or divided by zero, not available, as every step of the scalar path does."""

    @wraps(twin)
    def reading(*args: Array) -> Array:
        got = twin(*args)
        return np.where(np.isfinite(got), got, NAN)

    return reading


def raised(a: Array, b: Array) -> Array:
    """Raise to a power; ``0^0`` and whatever has a nan in it are nan, unlike numpy's own."""
    unknown = np.isnan(a) | np.isnan(b) | ((a == 0) & (b == 0))
    return np.where(unknown, NAN, np.power(a, b))


SIGNS: dict[str, Callable[..., Array]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": raised,
}  # fmt: skip
"""The operators, fast: an overflow or a division by zero is flagged by the processor; ``finite`` makes it nan."""


def up(x: Array) -> Array:
    """Round away from zero after the guard."""
    x = np.multiply(x, 1 - GUARD)
    return np.where(x > 0, np.ceil(x), np.floor(x))


def down(x: Array) -> Array:
    """Round towards zero after the guard."""
    return np.trunc(np.multiply(x, 1 + GUARD))


def least(*args: Array) -> Array:
    """Return the smallest; nan where any is."""
    return reduce(np.minimum, args)


def greatest(*args: Array) -> Array:
    """Return the largest; nan where any is."""
    return reduce(np.maximum, args)


def add_up(*terms: Array) -> Array:
    """Add from the left."""
    return reduce(np.add, terms)


def sum_of_last(periods: Array, *values: Array) -> Array:
    """Add the last so many values, the earliest in part."""
    ago = range(len(values) - 1, -1, -1)
    counted = (np.minimum(1.0, np.maximum(0.0, np.subtract(periods, one))) for one in ago)
    return reduce(np.add, map(np.multiply, values, counted))


def root(x: Array) -> Array:
    """Return the square root; nan below zero."""
    return np.sqrt(x)


def logarithm(x: Array) -> Array:
    """Return the natural logarithm; nan from zero downwards."""
    return np.log(np.where(np.greater(x, 0), x, NAN))


def exponential(x: Array) -> Array:
    """Return e^x."""
    return np.exp(x)


def _tolerance(a: Array, b: Array) -> Array:
    return GUARD * np.maximum(np.abs(a), np.abs(b))


def _known(holds: Any, difference: Array) -> Array:
    """Return a comparison as 1 or 0; nan where the difference of its sides is, as no side is infinite."""
    return np.where(np.isnan(difference), NAN, holds)


def less(a: Array, b: Array) -> Array:
    """Compare with the guard."""
    difference = np.subtract(b, a)
    return _known(difference > _tolerance(a, b), difference)


def at_most(a: Array, b: Array) -> Array:
    """Compare with the guard."""
    difference = np.subtract(a, b)
    return _known(difference <= _tolerance(a, b), difference)


def equal(a: Array, b: Array) -> Array:
    """Compare with the guard."""
    difference = np.subtract(a, b)
    return _known(np.abs(difference) <= _tolerance(a, b), difference)


def same(a: Array, b: Array) -> Array:
    """Compare texts without regard to case: the whole parts of their codes."""
    return np.where(np.isnan(a) | np.isnan(b), NAN, np.floor(a) == np.floor(b))


def every(*tests: Array) -> Array:
    """Tell whether all hold; nan where any is not known."""
    return reduce(np.minimum, tests)


def any_of(*tests: Array) -> Array:
    """Tell whether any holds; nan where any is not known."""
    return reduce(np.maximum, tests)


def when(test: Array, then: Array, otherwise: Array) -> Array:
    """Take a branch; the other one may be nan."""
    return np.where(np.isnan(test), NAN, np.where(np.equal(test, 1), then, otherwise))


def first_known(a: Array, b: Array) -> Array:
    """Take the first unless it is not available."""
    return np.where(np.isnan(a), b, a)


def either(given: Array, computed: Array) -> Array:
    """Take the given value where it is a number: not ``auto``, and available."""
    return np.where(np.isfinite(given), given, computed)


def rows(table: Any, code: Array) -> Any:
    """Return the rows in which texts stand; the table's last entry, which is nan, where there is none."""
    return table[np.nan_to_num(code, nan=-1.0, posinf=-1.0).astype(np.intp)]


def same_then(code: Array, wanted: float, then: Array, otherwise: Array) -> Array:
    """Take ``then`` where a text is the wanted one."""
    return np.where(np.floor(code) == np.floor(wanted), then, otherwise)


def known_or_zero(x: Array) -> Array:
    """Return an amount, or 0 where it is not known."""
    return np.where(np.isnan(x), 0.0, x)


def known(x: Array) -> Array:
    """Return 1 where an amount is known and not ``auto`` (an infinity), else 0."""
    return np.where(np.isfinite(x), 1.0, 0.0)


def unknown(x: Array) -> Array:
    """Return 1 where an amount is not known, or ``auto`` (an infinity), else 0."""
    return np.where(np.isfinite(x), 0.0, 1.0)
