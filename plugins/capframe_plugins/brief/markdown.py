"""Markdown that says what was meant: text that people typed is escaped, tables line up as plain text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from attrs import frozen

WIDEST_CELL = 44
"""Cells beyond this width do not push the rest of the column apart."""

_ENTITY = re.compile(r"&(?=#?\w+;)")
_CODE = r"(?<!`)(`(?!\s*`)[^`|\\<&]+`)(?!`)"
_SPECIAL = re.compile(_CODE + r"|[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_BLOCK = re.compile(r"(?:[#>=]|[-+](?=\s|\Z|[-+])|\d+(?=[.)](?:\s|\Z)))")


class Markdown(str):
    """Text that is Markdown already and must not be escaped again."""

    __slots__ = ()


def escape(text: object) -> Markdown:
    """Return a text so that Markdown shows it as it was typed, on one line; code between backticks stays code."""
    if isinstance(text, Markdown):
        return text
    line = " ".join(str(text).split())
    line = "".join(letter for letter in line if letter.isprintable())
    line = _ENTITY.sub("&amp;", line).replace("<", "&lt;")
    line = _SPECIAL.sub(lambda found: found[1] or f"\\{found[0]}", line)
    if start := _BLOCK.match(line):
        end = start.end() if start[0][-1].isdigit() else 0
        line = f"{line[:end]}\\{line[end:]}"
    return Markdown(line)


def join(parts: Iterable[object], between: str) -> Markdown:
    """Return texts joined, each escaped."""
    return Markdown(between.join(map(escape, parts)))


@frozen
class Table:
    """A table: its head, its rows, and from which column on figures stand to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: Sequence[int] = ()

    def __bool__(self) -> bool:
        """Whether there is anything in it."""
        return bool(self.rows)


def table(content: Table) -> Markdown:
    """Return a table whose columns line up where its cells are not too wide."""
    rows = [[escape(cell) for cell in row] for row in (content.head, *content.rows)]
    widths = [min(max(map(width, column)), WIDEST_CELL) for column in zip(*rows, strict=True)]
    widths = [max(wide, 3) for wide in widths]
    right = [column in content.figures for column in range(len(widths))]
    rule = ["-" * (wide - 1) + (":" if to_right else "-") for wide, to_right in zip(widths, right, strict=True)]
    lines: list[Sequence[str]] = [rows[0], rule, *rows[1:]]
    return Markdown("\n".join(_line(cells, widths, right) for cells in lines))


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = [
        " " * (wide - width(cell)) + cell if to_right else cell + " " * (wide - width(cell))
        for cell, wide, to_right in zip(cells, widths, right, strict=True)
    ]
    return f"| {' | '.join(padded)} |"


def width(text: str) -> int:
    """Return how many columns a text takes where Chinese letters take two."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def tidy(text: str) -> str:
    """Return a document without trailing spaces and repeated blank lines, with one newline at its end."""
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n") + "\n"
