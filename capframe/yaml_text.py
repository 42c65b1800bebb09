"""YAML as a person wrote it: every scalar stays text, and everything knows its line and column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import evolve

from capframe.errors import PlanError, Problem
from capframe.nodes import MOST_LEVELS, Items, Node, Place, Scalar, Table, problem

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_NODES = 500_000
"""What a document may hold, aliases unfolded, before it is refused."""
MERGE = "<<"


def parse_yaml(text: str, name: str) -> Table:
    """Read a document whose top is a mapping.

    Raises:
        PlanError: for what is not YAML, has a key twice, or unfolds to too much; all duplicates at once.
    """
    import yaml

    loader_class: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    start = Place(name, 1, 1)
    try:
        root = yaml.compose(text, loader_class)
    except yaml.YAMLError as fault:
        raise PlanError([_explained(fault, text, name)]) from fault
    except RecursionError as fault:
        raise PlanError([problem(start, "the document is nested too deeply")]) from fault
    if root is None:
        raise PlanError([problem(start, "the document is empty")])
    reader = _Reader(name, text)
    node = reader.node(root, ())
    if not isinstance(node, Table):
        colon = _full_width_colon(text.splitlines(), 0, name) if isinstance(node, Scalar) else None
        reader.problems.append(colon or problem(start, "a document starts with keys, such as `capframe: 1`"))
    if reader.problems or not isinstance(node, Table):
        raise PlanError(reader.problems)
    return node


def is_yaml(text: str) -> bool:
    """Tell whether a text is a YAML document whose top is a mapping."""
    import yaml

    try:
        return isinstance(yaml.compose(text, yaml.BaseLoader), yaml.MappingNode)
    except (yaml.YAMLError, RecursionError):
        return False


def _explained(fault: Any, text: str, name: str) -> Problem:
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    what = f"not YAML: {getattr(fault, 'problem', None) or fault}"
    lines = text.splitlines()
    if colon := _full_width_colon(lines[:line], max(0, line - 3), name):
        return colon
    if quote := _open_quote(lines[:line], name):
        return quote
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


def _open_quote(lines: list[str], name: str) -> Problem | None:
    """Return the mistake of a text whose quote is not closed on its line, behind which nothing reads as YAML."""
    for number, line in enumerate(lines, 1):
        found = re.match(r"\s*(?:- )?[\w.-]+:\s+([\"'])", line)
        if found and found[1] not in line[found.end() :]:
            what = f"the quote {found[1]} that opens here is not closed; write another {found[1]} where the text ends"
            return problem(Place(name, number, found.end()), what)
    return None


class _Reader:
    """Turns PyYAML's nodes into ours, gathering every duplicate on the way."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text, self.count = name, text, 0
        self.lines: list[str] = []
        self.problems: list[Problem] = []

    def place(self, raw: Any) -> Place:
        return Place(self.name, raw.start_mark.line + 1, raw.start_mark.column + 1)

    def starts(self, raw: Any, place: Place) -> tuple[Place, ...]:
        """Return where each line of a scalar's text begins, if it stands in the file as it is."""
        start, end = raw.start_mark, raw.end_mark
        quotes = len(raw.style) if raw.style and raw.style in "'\"" else 0
        if raw.style != "|":
            as_it_is = start.line == end.line and end.column - start.column == len(raw.value) + 2 * quotes
            return (evolve(place, column=place.column + quotes) if quotes else place,) if as_it_is else ()
        self.lines = self.lines or self.text.splitlines()
        starts = []
        for number, typed in enumerate(raw.value.splitlines(), start.line + 1):
            line = self.lines[number] if number < len(self.lines) else ""
            if not line.endswith(typed):
                return ()
            starts.append(Place(self.name, number + 1, len(line) - len(typed) + 1))
        return tuple(starts)

    def node(self, raw: Any, above: tuple[int, ...]) -> Node:
        import yaml

        self.count += 1
        if self.count > MOST_NODES or id(raw) in above:
            raise PlanError([problem(self.place(raw), "aliases unfold to too much, or to themselves")])
        if len(above) > MOST_LEVELS:
            raise PlanError([problem(self.place(raw), "the document is nested too deeply")])
        above = (*above, id(raw))
        if isinstance(raw, yaml.ScalarNode):
            blank = not raw.style and raw.value in {"", "~", "null", "Null", "NULL"}
            place = self.place(raw)
            return Scalar(raw.value, place, blank, self.starts(raw, place))
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
