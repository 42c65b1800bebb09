"""From a document to a plan: sections, collections, groups, and what other readers make of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from capframe.catalog import Catalog
from capframe.declarations import HEADER, CatalogError, catalogs, declarations, units_of
from capframe.document import Node, Place, Scalar, Table, problem, read_document
from capframe.errors import CapframeError, PlanError, PluginError, Problem, near
from capframe.fields import MemberField, declared, required
from capframe.groups import age_in, field_in, kind_in, names_of, read_group, worth_of
from capframe.heading import Heading
from capframe.names import like_another, wrong_with_segment
from capframe.overrides import Overrides
from capframe.plan import Input, Member, Members, Outline, Own, Plan
from capframe.plugins import Host
from capframe.reading import (
    Context,
    Wrong,
    absent,
    flatten,
    read_section,
    structure_of,
)
from capframe.texts import for_cells
from capframe.whole import Whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capframe.given import Given
    from capframe.groups import Entry
    from capframe.sections import Collection, Group, Section
    from capframe.wording import Label


SLIP = 0.8
"""How like a known key an unknown one must be to count as a slip while plugins are off."""


def load(
    path: str | Path,
    *,
    host: Host | None = None,
    overrides: Iterable[str] = (),
    catalogs: Iterable[Path] = (),
) -> Plan:
    """Read a plan document; ``overrides`` are ``KEY=VALUE`` or ``scenarios.NAME.KEY=VALUE``.

    ``catalogs`` are files to read besides those that the plan names; what they correct counts last.

    Raises:
        PlanError: with every mistake, each with its place and what to write instead.
    """
    path = Path(path)
    host = host or Host()
    document, notices = for_cells(read_document(path))
    reader = _Reader(path, document, host, notices, [(more, str(more)) for more in catalogs])
    reader.read()
    return reader.plan(overrides)


class _Reader:
    """Reads one document; every step adds its mistakes to ``problems``."""

    own: Own
    overriding: Overrides

    def __init__(
        self, path: Path, document: Table, host: Host, notices: list[Problem], more: list[tuple[Path, str]]
    ) -> None:
        self.path, self.document, self.host, self.notices, self.more = path, document, host, notices, more
        self.whole = Whole(self.with_those_off, host.off) if host.off else Whole()
        self.problems: list[Problem] = []
        self.left_out: list[str] = []
        self.misread: list[str] = []  # sections with mistakes: what points into them is not a mistake of its own
        self.inputs: dict[str, Input] = {}
        self.elsewhere: dict[str, Entry] = {}  # inputs whose amount became a fact of the part: a price in other money
        self.outline: dict[str, Members] = {}
        self.structure: dict[str, str] = {}
        self.pointers: list[tuple[Place, str, str]] = []  # members that members name, checked when all were read
        self.declared = declarations(host)
        self.units = units_of(host)

    def with_those_off(self) -> _Reader:
        """Return a reader of the same document that has read it with every plugin that is installed."""
        reader = _Reader(self.path, self.document, self.host.with_those_off(), [], self.more)
        reader.read()
        return reader

    def read(self) -> None:
        """Read all but what counts instead of base: scenarios, and --set."""
        heading = Heading(self.path, self.document, self.host, self.units, self.problems)
        self.header = header = heading.header()
        self.timeline, lengths = heading.timeline()
        self.inputs |= {one.key: one for one in lengths}
        self.structure |= {one.key: "timeline" for one in lengths}
        try:
            catalog = catalogs(
                self.host,
                self.units,
                header.currency,
                heading.catalog_files(),
                more=self.more,
                pins=self.document.nodes.get("pins"),
                today=header.date,
                worth=self.worth(),
            )
        except CatalogError as fault:
            self.problems.extend(fault.problems)
            catalog = fault.catalog
        self.context = Context(self.units, header.currency, catalog, self.periods())
        self.unknown_keys()
        for key, (plugin, collection) in self.declared.collections.items():
            self.collection(key, plugin, collection)
        for plugin, section in self.declared.sections.values():
            if section.of is None:
                self.section(plugin, section, self.document.nodes.get(section.key), section.key)
        for key, (plugin, group) in self.declared.groups.items():
            self.group(key, plugin, group)
        self.references()
        self.own = self.own_lines()
        misread = (*self.misread, *(self.declared.groups if catalog.lost else ()))
        self.overriding = Overrides(
            self.inputs, self.structure, self.declared, self.context, misread, self.left_out, self.elsewhere,
            self.problems, self.whole, self.notices,
        )  # fmt: skip

    def plan(self, overrides: Iterable[str] = ()) -> Plan:
        """Return the plan that was read."""
        header, catalog, own = self.header, self.context.catalog, self.own
        scenarios = self.overriding.scenarios(self.document.nodes.get("scenarios"))
        for number, text in enumerate(overrides, 1):
            self.overriding.override(number, text, scenarios)
        if self.problems:
            raise self.refusal()
        inputs = {
            key: evolve(one, overrides={name: given[key] for name, given in scenarios.items() if key in given})
            for key, one in self.inputs.items()
        }  # fmt: skip
        areas = {key: area for key, (_, area) in self.declared.areas.items()}
        return Plan(
            header, inputs, tuple(scenarios),
            Outline(header.currency, self.outline, self.timeline, some_off=bool(self.host.off)),
            catalog, self.units, {**areas, **own.areas},
            {key: one.label for key, (_, one) in self.declared.collections.items()},
            {**self.section_labels(), **own.sections}, self.timeline, tuple(self.left_out), self.host, own,
            (*self.notices, *catalog.notices), self.groups(), self.whole,
        )  # fmt: skip

    def worth(self) -> dict[str, dict[str, float]]:
        """Return what the document's own rates make of facts in other money, for what catalogues tell of parts."""
        context = Context(self.units, self.header.currency, Catalog({}, {}), self.periods())
        return worth_of((group for _, group in self.declared.groups.values()), self.document, context)

    def periods(self) -> int | None:
        """Return how many periods there are, or None where the timeline could not be read."""
        return len(self.timeline) if self.timeline or "timeline" not in self.document.nodes else None

    def own_lines(self) -> Own:
        """Return the lines and claims that the document itself adds; their inputs are inputs of the plan."""
        lines, claims = self.document.nodes.get("line_items"), self.document.nodes.get("claims")
        if lines is None and claims is None:
            return Own()
        from capframe.offers import functions
        from capframe.own_lines import OwnLines

        reader = OwnLines(
            self.problems, self.context, functions(self.host), self.timeline.spans, self.inputs, self.whole
        )
        return reader.read(lines, claims)

    def section_labels(self) -> dict[str, Label]:
        labels: dict[str, Label] = {"timeline": {"en": "Timeline", "zh": "时间线"}}
        labels |= {one.key: one.label for _, one in self.declared.sections.values()}
        return labels | {key: one.label for key, one in self.groups().items()}

    def groups(self) -> dict[str, Group]:
        groups = [one for _, one in self.declared.groups.values()]
        return {one.key: one for group in groups for one in (group, group.ages) if one}

    # ------------------------------------------------------------ sections, collections, groups

    def refusal(self) -> PlanError:
        """Return every mistake; where plugins are off, with their names, for what they declare is not known then."""
        refusal = PlanError(self.problems)
        if self.host.off:
            refusal.add_note(f"switched off: {', '.join(sorted(self.host.off))}; what they declare is not known here")
        return refusal

    def unknown_keys(self) -> None:
        top = {one.key for _, one in self.declared.sections.values() if one.of is None}
        known = {*HEADER, *top, *self.declared.collections, *self.declared.groups}
        for key in self.document.nodes:
            if key not in known:
                self.unread(key, self.document.keys[key], known, "")

    def unread(self, key: str, place: Place, known: Iterable[str], where: str) -> None:
        """A key that no active plugin reads: left out where plugins are off, else a mistake."""
        guess = near(key, known)
        if self.host.off and not near(key, known, likeness=SLIP):
            self.left_out.append(f"{where}{key}")
            return
        self.problems.append(problem(place, f"unknown key {key!r}{guess}{self.host.lacking()}"))

    def section(self, plugin: str, section: Section, node: Node | None, prefix: str) -> None:
        instance = None
        if node is not None and not (isinstance(node, Scalar) and node.blank):
            if not isinstance(node, Table):
                self.problems.append(problem(node.place, f"{section.key!r} is a section: write its keys below it"))
                return
            instance = self.fields_of(section.fields, node, prefix)
            if instance is None:
                return
        elif needed := required(section.fields):
            where = node.place if node else self.document.place
            self.problems.append(problem(where, f"section {prefix!r} is missing; it needs {', '.join(needed)}"))
            return
        self.add(plugin, section.fields, instance, prefix)

    def fields_of(self, fields: type, node: Table, prefix: str, inside: dict[str, Any] | None = None) -> Any:
        try:
            return read_section(fields, node, self.context, inside)
        except Wrong as wrong:
            self.problems.extend(wrong.problems)
            self.misread.append(prefix)
            return None

    def add(self, plugin: str, fields: type, instance: Any, prefix: str) -> None:
        try:
            for key, about, given in flatten(fields, instance, prefix, self.context):
                if isinstance(about, MemberField):
                    self.structure[key] = str(given.value)
                else:
                    unit = about.unit_in(self.context)
                    self.inputs[key] = Input(key, about, unit, plugin, given, {})
        except CapframeError as fault:
            if self.host.off:  # its units may be those of a plugin that is off
                self.left_out.append(prefix)
                return
            msg = f"plugin {plugin!r}, fields of {prefix!r}: {fault}"
            raise PluginError(msg) from fault

    def collection(self, key: str, plugin: str, collection: Collection) -> None:
        node = self.document.nodes.get(key)
        members: list[Member] = []
        names: dict[str, str] = {}
        if node is not None and not isinstance(node, Table):
            self.problems.append(problem(node.place, f"{key!r} holds named members, each with its keys below"))
            self.misread.append(key)
        inside = self.declared.inside(key)
        for name, table in node.nodes.items() if isinstance(node, Table) else ():
            where = node.keys[name] if isinstance(node, Table) else self.document.place
            if wrong := wrong_with_segment(name) or like_another(name, names):
                self.problems.append(problem(where, wrong))
                self.misread.append(f"{key}.{name}")
            elif not isinstance(table, Table):
                self.misread.append(f"{key}.{name}")
                self.problems.append(problem(table.place, f"{key}.{name} holds keys of its own, below it"))
            else:
                names[name.casefold()] = name
                members.append(self.member(f"{key}.{name}", name, plugin, collection, table, inside))
        self.outline[key] = Members(members)

    def member(  # noqa: PLR0913 - one member, and all that is known of it
        self, prefix: str, name: str, plugin: str, collection: Collection, table: Table,
        inside: dict[str, tuple[str, Section]],
    ) -> Member:  # fmt: skip
        own = declared(collection.member)
        others = {key for key in table.nodes if key not in own and key not in inside}
        if self.host.off:
            gone = {key for key in others if not near(key, (*own, *inside), likeness=SLIP)}
            self.left_out.extend(f"{prefix}.{key}" for key in sorted(gone))
        else:
            gone = set()
        instance = self.fields_of(collection.member, table, prefix, {**inside, **dict.fromkeys(gone)})
        if instance is None:
            for _, section in inside.values():
                if isinstance(part := table.nodes.get(section.key), Table):
                    self.fields_of(section.fields, part, f"{prefix}.{section.key}")
            return Member(name, {})
        self.add(plugin, collection.member, instance, prefix)
        for owner, section in inside.values():
            self.section(owner, section, table.nodes.get(section.key), f"{prefix}.{section.key}")
        structure = {field: str(given.value) for field, given in structure_of(collection.member, instance).items()}
        for field_name, about in own.items():
            if isinstance(about, MemberField):
                node = table.nodes[field_name]
                self.structure[f"{prefix}.{field_name}"] = about.collection
                self.pointers.append((node.place, about.collection, structure[field_name]))
        return Member(name, structure)

    def references(self) -> None:
        for place, collection, name in self.pointers:
            if name not in self.outline.get(collection, {}) and f"{collection}.{name}" not in self.misread:
                known = self.outline.get(collection, Members(()))
                there = f" (there are {', '.join(known)})" if known else ""
                self.problems.append(problem(place, f"no member {name!r} in {collection!r}{near(name, known)}{there}"))

    def group(self, key: str, plugin: str, group: Group) -> None:
        """Read a group, whose parts of plugins that are off are left out."""
        node = self.document.nodes.get(key)
        entries: dict[str, Entry] = {}
        off = bool(self.host.off)
        if off and group.of and not self.context.catalog.having(group.of):
            self.left_out.append(key)
            return
        if node is not None:
            unknown: list[str] = []
            lacking = off or self.context.catalog.lost  # a plugin, or a file, that may bring the part
            entries, problems = read_group(group, node, self.context, unknown if lacking else None)
            self.problems.extend(problems)
            gone, problems = self.whole.parts(group, node, unknown, self.context)
            self.problems.extend(problems)
            self.left_out.extend(f"{key}.{name}" for name in gone)
        for name in names_of(group, entries, self.context):
            if f"{key}.{name}" in self.inputs:
                self.in_two_kinds(group, name)
                continue
            one, nothing = entries.get(name), absent(group.field, self.context)
            if one is not None and one.fact and (kind := kind_in(group, name, self.context)):
                kind.supersede(name, {one.fact: one.given})
                self.elsewhere[f"{key}.{name}"] = one
                self.rated(group, one)
            given = nothing if one is None or one.fact else one.given
            where = node.place if node else self.document.place
            self.entry(group, name, plugin, given, where)
            if group.ages:
                self.entry(group.ages, name, plugin, age_in(group, name, given, self.context), where)
        self.outline[key] = Members(Member(name, {}) for name, one in entries.items() if not one.fact)

    def in_two_kinds(self, group: Group, name: str) -> None:
        """Refuse an id of two kinds, which has one row."""
        kinds = self.context.catalog.having(group.of)
        where = [f"{kind.name} ({kind.records[name].at})" for kind in kinds.values() if name in kind.records]
        what = f"{name!r} is the id of parts of two kinds, {' and '.join(where)}, and has one row in {group.key!r}"
        self.problems.append(problem(self.document.place, f"{what}; give one of them another id"))

    def rated(self, group: Group, one: Entry) -> None:
        """Refuse an amount in a currency that the plan has no rate for: no line could use it."""
        rates, word = self.document.nodes.get(group.rates), one.fact.partition(".")[2]
        if group.rates and not (isinstance(rates, Table) and word in rates.nodes):
            unit = field_in(self.declared.groups[group.rates][1], word, self.context).unit_in(self.context).text
            what = f"{word} has no rate; write `{group.rates}: {{{word}: … {unit}}}`"
            self.problems.append(problem(one.place, what))

    def entry(self, group: Group, name: str, plugin: str, given: Given, where: Place) -> None:
        """Add one entry of a group to the inputs."""
        key, about = f"{group.key}.{name}", field_in(group, name, self.context)
        try:
            unit = about.unit_in(self.context)
        except CapframeError as fault:
            self.problems.append(problem(where, f"{key}: {fault}"))
            return
        self.inputs[key] = Input(key, about, unit, plugin, given, {}, group.key)
