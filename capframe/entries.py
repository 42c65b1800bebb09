"""Lists of entries in a document: what each one holds, and what it may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe.document import Items, Node, Scalar, Table, problem
from capframe.errors import Problem, near
from capframe.wording import LANGUAGES, Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@frozen
class Entries:
    """Reads what the entries of a list say; mistakes go to ``problems``."""

    problems: list[Problem]

    def entries(self, node: Node | None, key: str, example: str) -> Iterator[Table]:
        """Yield the entries of a list under a key; ``example`` is how one is written."""
        if node is None or (isinstance(node, Scalar) and node.blank):
            return
        if not isinstance(node, Items):
            self.problems.append(problem(node.place, f"{key!r} is a list of entries: {example}"))
            return
        for entry in node.nodes:
            if isinstance(entry, Table):
                yield entry
            else:
                self.problems.append(problem(entry.place, f"an entry of {key!r} is written as {example}"))

    def text(self, entry: Table, key: str) -> Scalar | None:
        """Return the text under a key, or None where there is none."""
        node = entry.nodes.get(key)
        if isinstance(node, Scalar) and not node.blank:
            return node
        if node is not None:
            self.problems.append(problem(node.place, f"{key!r} is one text"))
        return None

    def label(self, node: Node | None, what: str, example: str) -> Label:
        """Return a text, or one for each language; nothing where there is none. ``what`` names it in messages."""
        if isinstance(node, Scalar) and node.text.strip():
            return node.text
        if isinstance(node, Table) and node.nodes and all(isinstance(one, Scalar) for one in node.nodes.values()):
            self.known(node, tuple(LANGUAGES.values()))
            return {code: one.text for code, one in node.nodes.items() if isinstance(one, Scalar)}
        if node is not None:
            self.problems.append(problem(node.place, f"{what} is a text, or `{example}`"))
        return ""

    def known(self, entry: Table, keys: Iterable[str]) -> None:
        """Report keys that nobody reads."""
        for key in entry.nodes:
            if key not in keys:
                self.problems.append(problem(entry.keys[key], f"unknown key {key!r}{near(key, keys)}"))

    def missing(self, entry: Table, keys: Iterable[str]) -> None:
        """Report keys that are not there."""
        self.problems.extend(problem(entry.place, f"{key!r} is missing here") for key in keys if key not in entry.nodes)
