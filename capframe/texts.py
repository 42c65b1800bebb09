"""Control characters and texts that are too long: what no cell of a workbook can hold, mostly pasted from elsewhere.

YAML and TOML refuse raw control characters, so one is read as ``HOLE``, a code that stands for no character, and what
follows keeps its column. From texts it is taken out, as are control characters that were written as escapes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from capframe.errors import PlanError, Problem
from capframe.nodes import Items, Scalar, Table, problem
from capframe.wording import LONGEST_TEXT, NOT_IN_A_CELL, clean

if TYPE_CHECKING:
    from capframe.nodes import Node

RAW = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
HOLE = "\U0010ffff"


def with_holes(text: str) -> str:
    """Return the text of a file in a form that YAML and TOML take."""
    return RAW.sub(HOLE, text)


def for_cells(document: Table) -> tuple[Table, list[Problem]]:
    """Return a document whose texts a cell can hold, and what was taken out or will be cut, with its place.

    Raises:
        PlanError: for a control character in a key, since without it the key might be another.
    """
    reader = _Reader()
    done = reader.table(document)
    if reader.problems:
        raise PlanError(reader.problems)
    return done, reader.notices


@frozen
class _Reader:
    notices: list[Problem] = field(factory=list)
    problems: list[Problem] = field(factory=list)

    def node(self, node: Node) -> Node:
        match node:
            case Table():
                return self.table(node)
            case Items():
                return evolve(node, nodes=tuple(map(self.node, node.nodes)))
        return self.scalar(node)

    def table(self, table: Table) -> Table:
        for key in table.nodes:
            if key != clean(key):
                what = f"a control character stands in the key {clean(key)!r}; type the key anew"
                self.problems.append(problem(table.keys.get(key, table.place), what))
        return evolve(table, nodes={key: self.node(node) for key, node in table.nodes.items()})

    def scalar(self, node: Scalar) -> Scalar:
        if found := NOT_IN_A_CELL.search(node.text):
            what = "a control character in this text is left out: no cell of a workbook can hold it"
            self.notices.append(problem(node.at(found.start()), what))
            node = evolve(node, text=clean(node.text), starts=())
        if len(node.text) > LONGEST_TEXT:
            what = f"this text has {len(node.text):,} characters; a cell of the workbook holds {LONGEST_TEXT:,}, "
            self.notices.append(problem(node.place, f"{what}so the rest is left out there"))
        return node
