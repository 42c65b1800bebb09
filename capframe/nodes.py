"""A document as a tree: every scalar a text, everything with its line and column."""

from __future__ import annotations

from attrs import evolve, field, frozen

from capframe.errors import Problem

MOST_LEVELS = 100


@frozen
class Place:
    """A position in a file, counted from 1 as editors do."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@frozen
class Scalar:
    """A text; ``blank`` where nothing, ``~`` or ``null`` was written.

    ``starts`` tells where each line of the text begins, where it stands in the file as it is: not folded, no escapes.
    """

    text: str
    place: Place
    blank: bool = False
    starts: tuple[Place, ...] = field(default=(), eq=False, repr=False)

    def at(self, offset: int) -> Place:
        """Return where a character of the text stands in the file, as well as can be told."""
        line = self.text.count("\n", 0, offset)
        if line >= len(self.starts):
            return self.place
        start = self.starts[line]
        return evolve(start, column=start.column + offset - (self.text.rfind("\n", 0, offset) + 1))


@frozen
class Items:
    """A list."""

    nodes: tuple[Node, ...]
    place: Place


@frozen
class Table:
    """A mapping; each key has a place of its own."""

    nodes: dict[str, Node]
    place: Place
    keys: dict[str, Place] = field(factory=dict)


Node = Scalar | Items | Table


def problem(place: Place, what: str) -> Problem:
    """Return a mistake at a place, sorted by where it stands."""
    return Problem(str(place), what, (place.file, place.line, place.column))
