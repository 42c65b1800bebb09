"""What a document means with the plugins that are off, so that what is theirs is told from what is misspelt.

A plugin that is off is imported for this alone, and only where the document names what no active plugin gives.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from capframe.document import Items, Scalar, Table, problem
from capframe.errors import CapframeError
from capframe.wording import say

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from capframe.collecting import Collected
    from capframe.document import Node, Place
    from capframe.errors import Problem
    from capframe.overrides import Overrides
    from capframe.plan import Own, Plan
    from capframe.reading import Context
    from capframe.sections import Group
    from capframe.wording import Label


class Reading(Protocol):
    """A document that was read up to what counts instead of its values."""

    own: Own
    overriding: Overrides

    def plan(self) -> Plan:
        """Return the plan."""
        ...


class Whole:
    """The same document with every plugin that is installed; nothing where none is off, or it cannot be read so."""

    def __init__(self, read: Callable[[], Reading] | None = None, off: frozenset[str] = frozenset()) -> None:
        """Keep how it is read, which takes as long as reading the plan itself."""
        self._read, self._off = read, off

    @cached_property
    def _reading(self) -> Reading | None:
        try:
            return self._read() if self._read else None
        except CapframeError:
            return None

    @cached_property
    def _work(self) -> Collected | None:
        from capframe.collecting import Collected

        if self._reading is None:
            return None
        try:
            work = Collected(self._reading.plan())
            work.collect()
        except CapframeError:
            return None
        return work

    @property
    def overriding(self) -> Overrides | None:
        """What reads scenarios and ``--set`` there; its inputs and problems are its own."""
        return self._reading.overriding if self._reading else None

    def __bool__(self) -> bool:
        """Tell whether a plugin is off."""
        return bool(self._off)

    def parts(
        self, group: Group, node: Node, unknown: Collection[str], context: Context
    ) -> tuple[list[str], list[Problem]]:
        """Return which unknown parts of a group plugins that are off bring, and what to say of the others."""
        from capframe.groups import name_in

        off: list[str] = []
        problems: list[Problem] = []
        for typed, place in _named(group, node) if unknown and self else ():
            if typed not in unknown:
                continue
            try:
                name_in(group, typed, self.overriding.context if self.overriding else context)
                off.append(typed)
            except CapframeError as fault:
                problems.append(problem(place, str(fault)))
        return off, problems

    def reads(self, place: str) -> bool:
        """Tell whether the line or claim at a place of the document is read without a mistake there."""
        return self._reading is not None and place in self._reading.own.places.values()

    def gives(self, key: str) -> bool:
        """Tell whether a key is a line, an input or a fact of a part there."""
        work = self._work
        return work is not None and (key in work.lines or key in work.plan.inputs or work.pick_above(key) is not None)

    def but_off(self, said: Label) -> Label:
        """Return a sentence with which plugins are off behind it."""
        names = ", ".join(repr(name) for name in sorted(self._off))
        en = f"plugins {names} are off" if len(self._off) > 1 else f"plugin {names} is off"
        return {"en": f"{say(said, 'en')}, and {en}", "zh": f"{say(said, 'zh-CN')}, 而插件 {names} 已关闭"}


def _named(group: Group, node: Node) -> Iterator[tuple[str, Place]]:
    """Yield the names that stand in a group of a document, and where."""
    if isinstance(node, Table):
        yield from node.keys.items()
    for leaf in node.nodes if isinstance(node, Items) else ():
        name = leaf.nodes.get(group.named_by or "") if isinstance(leaf, Table) else None
        if isinstance(name, Scalar):
            yield name.text, name.place
