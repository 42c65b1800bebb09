"""YAML as a person wrote it: every scalar stays text, and everything knows its line and column.

What a scalar means (a number, a percentage, a part, ``NO``) is decided by the field that reads it, never here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from capframe.errors import PlanError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_NODES = 500_000  # what aliases of aliases may unfold to before a document is refused
MOST_LEVELS = 100
MERGE = "<<"


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
    """A text; ``blank`` where nothing, ``~`` or ``null`` was written."""

    text: str
    place: Place
    blank: bool = False


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


def read_yaml(path: Path, name: str | None = None) -> Table:
    """Read a document whose top is a mapping.

    Raises:
        PlanError: for what is not UTF-8, not YAML, has a key twice, or unfolds to too much; all duplicates at once.
    """
    name = name or path.name
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise PlanError([Problem(str(path), f"cannot be read: {fault.strerror}")]) from fault
    return parse_yaml(data, name)


def parse_yaml(data: bytes, name: str) -> Table:
    """Read a document from bytes; see ``read_yaml``."""
    import yaml

    loader_class: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    start = Place(name, 1, 1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        what = "the file is not UTF-8; save it as UTF-8 (an editor calls it the encoding)"
        raise PlanError([problem(Place(name, line, 1), what)]) from fault
    try:
        root = yaml.compose(text, loader_class)
    except yaml.YAMLError as fault:
        raise PlanError([_explained(fault, text, name)]) from fault
    except RecursionError as fault:
        raise PlanError([problem(start, "the document is nested too deeply")]) from fault
    if root is None:
        raise PlanError([problem(start, "the document is empty")])
    reader = _Reader(name)
    node = reader.node(root, ())
    if not isinstance(node, Table):
        colon = _full_width_colon(text.splitlines(), 0, name) if isinstance(node, Scalar) else None
        reader.problems.append(colon or problem(start, "a document starts with keys, such as `capframe: 1`"))
    if reader.problems or not isinstance(node, Table):
        raise PlanError(reader.problems)
    return node


def _explained(fault: Any, text: str, name: str) -> Problem:
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    what = f"not YAML: {getattr(fault, 'problem', None) or fault}"
    lines = text.splitlines()
    if colon := _full_width_colon(lines[:line], max(0, line - 3), name):
        return colon
    if any("\t" in lines[number][: column + 1] for number in range(max(0, line - 1), min(line, len(lines)))):
        what += " (YAML is indented with spaces, never with tabs)"
    return problem(Place(name, line, column), what)


def _full_width_colon(lines: list[str], first: int, name: str) -> Problem | None:
    """Return the mistake of a full-width colon behind a key: within values and comments it is only text."""
    for number, line in enumerate(lines[first:], first + 1):
        key, colon, _ = line.partition("：")
        if colon and not re.search(r":(\s|$)|#", key):
            what = "a full-width colon ： separates nothing; write `: `"
            return problem(Place(name, number, len(key) + 1), what)
    return None


class _Reader:
    """Turns PyYAML's nodes into ours, gathering every duplicate on the way."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0
        self.problems: list[Problem] = []

    def place(self, raw: Any) -> Place:
        return Place(self.name, raw.start_mark.line + 1, raw.start_mark.column + 1)

    def node(self, raw: Any, above: tuple[int, ...]) -> Node:
        import yaml

        self.count += 1
        if self.count > MOST_NODES or id(raw) in above:
            raise PlanError([problem(self.place(raw), "aliases unfold to too much, or to themselves")])
        if len(above) > MOST_LEVELS:
            raise PlanError([problem(self.place(raw), "the document is nested too deeply")])
        above = (*above, id(raw))
        if isinstance(raw, yaml.ScalarNode):
            plain = not raw.style
            return Scalar(raw.value, self.place(raw), plain and raw.value in {"", "~", "null", "Null", "NULL"})
        if isinstance(raw, yaml.SequenceNode):
            return Items(tuple(self.node(item, above) for item in raw.value), self.place(raw))
        own: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        merged: dict[str, Node] = {}
        for raw_key, raw_value in raw.value:
            place = self.place(raw_key)
            if not isinstance(raw_key, yaml.ScalarNode):
                self.problems.append(problem(place, "a key is a plain text"))
            elif raw_key.value == MERGE and not raw_key.style:
                for other in self._merged(self.node(raw_value, above), place):
                    merged = {**other.nodes, **merged}
                    keys = {**other.keys, **keys}
            elif raw_key.value in own:
                first = keys[raw_key.value]
                self.problems.append(
                    problem(place, f"{raw_key.value!r} stands twice, first on line {first.line}; keep one")
                )
            else:
                own[raw_key.value] = self.node(raw_value, above)
                keys[raw_key.value] = place
        return Table({**merged, **own}, self.place(raw), keys)

    def _merged(self, node: Node, place: Place) -> Iterator[Table]:
        for table in node.nodes if isinstance(node, Items) else (node,):
            if isinstance(table, Table):
                yield table
            else:
                self.problems.append(problem(place, "`<<` takes a mapping, or a list of mappings"))
