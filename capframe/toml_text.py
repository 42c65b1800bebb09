"""TOML as a person wrote it: numbers and dates stay text, and everything knows its line and column.

The standard library's ``tomllib`` decides what is TOML and decodes texts, but it turns ``1.10`` into 1.1 and forgets
where things stood (so does tomlkit, which keeps the spelling but no places). So a text that it takes is walked once
more here, by a scanner that may rely on the text being right.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right

from capframe.errors import PlanError
from capframe.nodes import MOST_LEVELS, Items, Node, Place, Scalar, Table, problem

TOO_DEEP = "the document is nested too deeply"
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
KEY = re.compile(r'[ \t]*(?:(?P<bare>[A-Za-z0-9_-]+)|(?P<quoted>"(?:\\.|[^"\\])*"|\'[^\']*\'))[ \t]*')
MULTILINE = re.compile(r"\"\"\"(?:\\[\s\S]|(?!\"\"\")[^\\])*\"\"\"\"{0,2}|'''(?:(?!''')[\s\S])*''''{0,2}")
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')
BARE = re.compile(r"\d{4}-\d\d-\d\d [\d:.+Z-]+|[^\s,\]}#]+")
WHERE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\Z")
CUT = re.compile(r"[=\[,]\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?\s*[^\s,}\]#\"'\d][^,}\]#\"']*)")
UNQUOTED = re.compile(r"^[^=#]*=\s*([^\s\"'\[{#][^#\n]*?)\s*(?:#.*)?$")


def parse_toml(text: str, name: str) -> Table:
    """Read a document.

    Raises:
        PlanError: for what is not TOML, with line and column, or is nested too deeply.
    """
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise PlanError([problem(*_explained(str(fault), text, name))]) from fault
    except RecursionError as fault:
        raise PlanError([problem(Place(name, 1, 1), TOO_DEEP)]) from fault
    return _Scanner(text.replace("\r\n", "\n"), name).document()


def _explained(said: str, text: str, name: str) -> tuple[Place, str]:
    lines = text.splitlines() or [""]
    found = WHERE.search(said)
    line = int(found[1]) if found and found[1] else len(lines)
    column = int(found[2]) if found and found[2] else len(lines[-1]) + 1
    what = f"not TOML: {WHERE.sub('', said)}"
    bare = UNQUOTED.match(lines[min(line, len(lines)) - 1])
    if bare and said.startswith(("Invalid value", "Expected newline")):
        what += f'; texts, and numbers with a unit or a %, stand in quotes: "{bare[1]}"'
    elif cut := CUT.search(lines[min(line, len(lines)) - 1]):
        what = f'a comma separates entries; write "{cut[1].strip()}" in quotes'
        column = cut.start(1) + 1
    return Place(name, line, column), what


class _Scanner:
    """Walks a text that is known to be TOML."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name, self.at = text, name, 0
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.lists: dict[tuple[int, str], tuple[Table, list[Table]]] = {}  # arrays of tables grow as the text is read

    def place(self, at: int) -> Place:
        line = bisect_right(self.starts, at)
        return Place(self.name, line, at - self.starts[line - 1] + 1)

    def document(self) -> Table:
        root = here = Table({}, self.place(0))
        while self.next():
            at = self.at
            if self.text.startswith("[[", at):
                here = self.appended(root, self.header(2), at)
            elif self.text[at] == "[":
                here = self.below(root, self.header(1), at)
            else:
                self.pair(here, 0)
        for (_, key), (owner, tables) in self.lists.items():
            owner.nodes[key] = Items(tuple(tables), owner.nodes[key].place)
        return root

    def next(self) -> bool:
        """Pass over blanks and comments; tell whether anything is left."""
        found = BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at < len(self.text)

    def header(self, brackets: int) -> list[tuple[str, int]]:
        self.at += brackets
        path = self.path()
        self.at += brackets
        return path

    def path(self) -> list[tuple[str, int]]:
        """Read a key with its dots: each part, and where it stands."""
        parts = []
        while found := KEY.match(self.text, self.at):
            group = found.lastgroup or ""
            word = found[group]
            parts.append((word if group == "bare" else _decoded(word), found.start(group)))
            self.at = found.end()
            if self.text[self.at : self.at + 1] != ".":
                break
            self.at += 1
        if len(parts) > MOST_LEVELS:
            raise PlanError([problem(self.place(parts[0][1]), TOO_DEEP)])
        return parts

    def below(self, table: Table, path: list[tuple[str, int]], at: int) -> Table:
        """Return the table that a path leads to, made where it was not there."""
        for key, stands in path:
            node = table.nodes.get(key)
            if (id(table), key) in self.lists:
                node = self.lists[id(table), key][1][-1]
            if not isinstance(node, Table):
                node = table.nodes[key] = Table({}, self.place(at))
                table.keys[key] = self.place(stands)
            table = node
        return table

    def appended(self, root: Table, path: list[tuple[str, int]], at: int) -> Table:
        """Return a new table at the end of an array of tables."""
        *above, (key, stands) = path
        owner = self.below(root, above, at)
        _, tables = self.lists.setdefault((id(owner), key), (owner, []))
        if not tables:
            owner.nodes[key] = Items((), self.place(at))
            owner.keys[key] = self.place(stands)
        tables.append(Table({}, self.place(at)))
        return tables[-1]

    def pair(self, table: Table, depth: int) -> None:
        start = self.at
        *above, (key, stands) = self.path()
        self.at += 1  # the sign =
        owner = self.below(table, above, start)
        while self.text[self.at] in " \t":
            self.at += 1
        owner.nodes[key] = self.value(depth)
        owner.keys[key] = self.place(stands)

    def value(self, depth: int) -> Node:
        at, place = self.at, self.place(self.at)
        if depth > MOST_LEVELS:
            raise PlanError([problem(place, TOO_DEEP)])
        sign = self.text[at]
        if sign == "[":
            self.at += 1
            nodes = []
            while self.next() and self.text[self.at] != "]":
                nodes.append(self.value(depth + 1))
                self.comma()
            self.at += 1
            return Items(tuple(nodes), place)
        if sign == "{":
            self.at += 1
            table = Table({}, place)
            while self.next() and self.text[self.at] != "}":
                self.pair(table, depth + 1)
                self.comma()
            self.at += 1
            return table
        return self.scalar(place)

    def comma(self) -> None:
        if self.next() and self.text[self.at] == ",":
            self.at += 1

    def scalar(self, place: Place) -> Scalar:
        at = self.at
        if found := MULTILINE.match(self.text, at):
            self.at = found.end()
            first = at + 3 + (self.text[at + 3] == "\n")
            text, inner = _decoded(found[0]), self.text[first : found.end() - 3]
            rows = [self.place(first)]
            rows += [self.place(first + step.end()) for step in re.finditer("\n", inner)]
            return Scalar(text, place, starts=tuple(rows) if inner == text else ())
        if found := QUOTED.match(self.text, at):
            self.at = found.end()
            text = _decoded(found[0])
            return Scalar(text, place, starts=(self.place(at + 1),) if text == found[0][1:-1] else ())
        found = BARE.match(self.text, at)
        self.at = found.end() if found else len(self.text)
        return Scalar(self.text[at : self.at], place, starts=(place,))


def _decoded(quoted: str) -> str:
    return str(tomllib.loads(f"x = {quoted}")["x"])
