"""What can go wrong, said so that a person in a hurry knows what to write instead."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable


class CapframeError(Exception):
    """Base of every error that capframe explains itself; ``exit_code`` is what the command line returns."""

    exit_code = 2


@frozen(order=True)
class Problem:
    """One mistake: where it was made (a position, a key or a plugin) and what is wrong."""

    where: str
    what: str
    order: tuple[str, int, int] = field(default=("", 0, 0), repr=False)

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class PlanError(CapframeError):
    """All mistakes found in one step, together."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        unique = dict.fromkeys(sorted(problems, key=lambda problem: problem.order))
        self.problems = tuple(unique)
        super().__init__("\n".join(map(str, self.problems)))


class UnitError(CapframeError):
    """Two quantities that do not fit, or a unit nobody declared."""


class FormulaError(CapframeError):
    """A formula that cannot be read, printed or settled."""


class PluginError(CapframeError):
    """A fault inside a plugin; the message carries its name."""

    exit_code = 3


def near(word: str, words: Iterable[str], *, likeness: float = 0.6) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest of ``words`` that is like it (0 to 1), or nothing."""
    choices = sorted(words)
    folded = {choice.casefold(): choice for choice in reversed(choices)}
    found = get_close_matches(word.casefold(), folded, n=1, cutoff=likeness)
    return f"; did you mean {folded[found[0]]!r}?" if found else ""
