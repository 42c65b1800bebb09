"""Tables for a terminal, where a Chinese character is two columns wide."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

GAP = "  "


def table(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows as lines of aligned columns; those in ``right`` end at the same place, the others start there."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        GAP.join(
            _padded(cell, widths[number], right=number in right) for number, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]  # fmt: skip


def width(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _padded(text: str, to: int, *, right: bool) -> str:
    blank = " " * (to - width(text))
    return blank + text if right else text + blank
