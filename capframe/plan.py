"""The plan as it was read: inputs, scenarios as overrides of inputs, and the outline that plugins see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from capframe.catalog import Catalog
from capframe.errors import Problem, near
from capframe.expr import Expr
from capframe.fields import Field, PickField, QuantityField
from capframe.given import Given
from capframe.lines import Check, LineItem
from capframe.plugins import Host
from capframe.sections import Area, Group
from capframe.timeline import Timeline
from capframe.units import Unit, Units
from capframe.whole import Whole
from capframe.wording import Label

if TYPE_CHECKING:
    from capframe.document import Place  # noqa: TC004 - attrs keeps annotations as text
    from capframe.ledger import Ledger

BASE = "base"
PLAN = "plan"
"""The name that stands for the document itself where a plugin's name is told."""


@frozen
class Input:
    """One input: what is given in base and what scenarios give instead."""

    key: str
    field: Field
    unit: Unit
    plugin: str
    base: Given
    overrides: Mapping[str, Given]
    group: str = ""
    """The group it belongs to (``prices``), whose members are looked up by name."""
    fixed: Expr | None = None
    """How it follows from structure, in numbers, where neither a scenario nor a cell of the workbook changes it."""

    @property
    def label(self) -> Label:
        """What it is called."""
        return self.field.label

    @property
    def by_period(self) -> bool:
        """Whether it has a value for each period."""
        return isinstance(self.field, QuantityField) and self.field.by_period

    def given(self, scenario: str) -> Given:
        """Return what holds in a scenario."""
        return self.overrides.get(scenario, self.base)


class Member:
    """A member of a collection as plugins see it: its name, and the structure it was given (``.pool``)."""

    def __init__(self, name: str, structure: Mapping[str, str | frozenset[str]]) -> None:
        """Keep the structure as attributes."""
        self.name = name
        vars(self).update(structure)

    def __getattr__(self, name: str) -> Any:
        msg = f"plan shows names and structure only, and {self.name!r} has no {name!r}; read values by p.…"
        raise AttributeError(msg)


class Members(Mapping[str, Member]):
    """The members of a collection or the names of a group, in the order of the document."""

    def __init__(self, members: Iterable[Member]) -> None:
        """Keep members by name."""
        self._members = {one.name: one for one in members}

    def __getitem__(self, name: str) -> Member:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


class Outline:
    """The plan as plugins see it: ``currency``, and names and structure of every collection; never a value."""

    def __init__(
        self, currency: str, collections: Mapping[str, Members], timeline: Timeline, *, some_off: bool
    ) -> None:
        """Keep what plugins may know; ``timeline`` is empty, and false, in a plan without one."""
        self.currency, self.timeline = currency, timeline
        self.items: Members = Members(())
        self._collections, self._some_off = collections, some_off

    def with_items(self, items: Iterable[Member]) -> Outline:
        """Return the same outline that also shows what is bought: ``part``, ``kind``, ``role``, ``facts`` by key."""
        seen = Outline(self.currency, self._collections, self.timeline, some_off=self._some_off)
        seen.items = Members(items)
        return seen

    def __getattr__(self, name: str) -> Members:
        if name in self._collections:
            return self._collections[name]
        if self._some_off:
            return Members(())
        msg = f"no plugin declares a collection {name!r}{near(name, self._collections)}"
        raise AttributeError(msg)


@frozen
class Change:
    """An entry of the log of a plan: a revision, its day, what it changed, and who did."""

    revision: str
    date: str
    what: Label
    author: Label = ""


@frozen
class Header:
    """What the document says about itself."""

    file: str
    title: str
    date: str
    revision: str
    language: str
    currency: str
    digest: str = ""
    """The SHA-256 of the document's canonical form: the same for YAML and TOML, spacing and comments aside."""
    author: Label = ""
    changes: tuple[Change, ...] = ()
    """The log, the oldest first; where there is one, its last entry has the plan's own revision and date."""

    @property
    def version(self) -> str:
        """The revision; a plan that says none goes by its date."""
        return self.revision or self.date


@frozen
class Claim:
    """A figure that the document wants compared with a line: its input, the line, how it was typed, and where."""

    key: str
    line: str
    typed: str
    place: Place


@frozen
class Own:
    """Lines and checks that the document itself adds, as a plugin named ``plan`` would."""

    items: tuple[LineItem, ...] = ()
    checks: tuple[Check, ...] = ()
    places: Mapping[str, str] = field(factory=dict)
    """Where in the document each line or check stands, by its key."""
    areas: Mapping[str, Area] = field(factory=dict)
    sections: Mapping[str, Label] = field(factory=dict)
    claims: tuple[Claim, ...] = ()
    left_out: tuple[Label, ...] = ()
    """Sentences on entries that need a plugin which is off."""

    def offered(self, hook: str) -> tuple[LineItem | Check, ...]:
        """Return what a hook of plugins would yield."""
        if hook == "capframe_line_items":
            return self.items
        return self.checks if hook == "capframe_checks" else ()


@frozen
class Plan:
    """A plan that was read without a mistake."""

    header: Header
    inputs: Mapping[str, Input]
    scenarios: tuple[str, ...]
    outline: Outline
    catalog: Catalog
    units: Units
    areas: Mapping[str, Area]
    collections: Mapping[str, Label]
    sections: Mapping[str, Label]
    timeline: Timeline
    left_out: tuple[str, ...]
    """Sections and inputs of the document, and of --set, that no active plugin reads, because plugins are off."""
    host: Host
    own: Own = Own()
    notices: tuple[Problem, ...] = ()
    """What was left out of the texts of the document and of its catalogues; no mistakes."""
    groups: Mapping[str, Group] = field(factory=dict)
    """What plugins declare of groups, and of their ages, by key."""
    whole: Whole = field(factory=Whole, eq=False, repr=False)
    """The same plan with the plugins that are off."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Base and the scenarios, as outputs show them."""
        return (BASE, *self.scenarios)

    def scope_of(self, key: str) -> tuple[str, str] | None:
        """Return the collection and member that a key belongs to, or None for the plan as a whole."""
        first, second, *_ = (*key.split("."), "", "")
        return (first, second) if first in self.collections and second else None

    def label(self, key: str) -> Label:
        """Return how a group of inputs, or a fact of what an input picks, is called; a key that is neither, as it is.

        A fact's key is that of the input and the fact's name; a family goes by what its facts have in common.
        """
        if key in self.sections:
            return self.sections[key]
        parts = key.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            one, column = self.inputs.get(".".join(parts[:cut])), ".".join(parts[cut:])
            kind = self.catalog.kinds.get(one.field.kind) if one and isinstance(one.field, PickField) else None
            if kind:
                return kind.label_of(column)
        return key

    def ledger(self) -> Ledger:
        """Ask the plugins for lines and checks, and settle them.

        Raises:
            PlanError: with everything that does not fit.
        """
        from capframe.assemble import assemble

        return assemble(self)
