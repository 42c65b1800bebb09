"""From a document to a plan: header, sections, collections, groups, scenarios, overrides; all mistakes at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from capframe.declarations import HEADER, catalogs, declarations
from capframe.document import Items, Node, Place, Scalar, Table, problem, read_yaml
from capframe.errors import CapframeError, PlanError, PluginError, Problem, near
from capframe.fields import MemberField, declared, is_required, required
from capframe.given import Given, is_date
from capframe.names import like_another, wrong_with_segment
from capframe.plan import BASE, Header, Input, Member, Members, Outline, Plan
from capframe.plugins import Host
from capframe.reading import (
    Context,
    Wrong,
    absent,
    field_named,
    flatten,
    read_given,
    read_group,
    read_section,
    structure_of,
)
from capframe.units import Units
from capframe.wording import LANGUAGES, Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capframe.sections import Collection, Group, Section


SLIP = 0.8
"""How like a known key an unknown one must be to count as a slip while plugins are off."""


def load(
    path: str | Path,
    *,
    host: Host | None = None,
    overrides: Iterable[str] = (),
) -> Plan:
    """Read a plan document; ``overrides`` are ``KEY=VALUE`` or ``scenarios.NAME.KEY=VALUE``.

    Raises:
        PlanError: with every mistake, each with its place and what to write instead.
    """
    path = Path(path)
    host = host or Host()
    document = read_yaml(path)
    reader = _Reader(path, document, host)
    return reader.plan(list(overrides))


class _Reader:
    """Reads one document; every step adds its mistakes to ``problems``."""

    def __init__(self, path: Path, document: Table, host: Host) -> None:
        self.path, self.document, self.host = path, document, host
        self.problems: list[Problem] = []
        self.left_out: list[str] = []
        self.misread: list[str] = []  # sections with mistakes: what points into them is not a mistake of its own
        self.inputs: dict[str, Input] = {}
        self.outline: dict[str, Members] = {}
        self.structure: dict[str, str] = {}
        self.pointers: list[tuple[Place, str, str]] = []  # members that members name, checked when all were read
        self.declared = declarations(host)
        self.units = Units(item for _, item in host.collect("capframe_units"))

    def plan(self, overrides: list[str]) -> Plan:
        header = self.header()
        try:
            catalog = catalogs(self.host, self.units, header.currency, self.catalog_files())
        except PlanError as fault:  # nothing can be picked, so no more of the plan can be read
            raise PlanError([*self.problems, *fault.problems]) from None
        self.context = Context(self.units, header.currency, catalog)
        self.unknown_keys()
        for key, (plugin, collection) in self.declared.collections.items():
            self.collection(key, plugin, collection)
        for plugin, section in self.declared.sections.values():
            if section.of is None:
                self.section(plugin, section, self.document.nodes.get(section.key), section.key)
        for key, (plugin, group) in self.declared.groups.items():
            self.group(key, plugin, group)
        self.references()
        scenarios = self.scenarios()
        for number, text in enumerate(overrides, 1):
            self.override(number, text, scenarios)
        if self.problems:
            raise PlanError(self.problems)
        inputs = {
            key: evolve(one, overrides={name: given[key] for name, given in scenarios.items() if key in given})
            for key, one in self.inputs.items()
        }  # fmt: skip
        return Plan(
            header, inputs, tuple(scenarios), Outline(header.currency, self.outline, some_off=bool(self.host.off)),
            catalog, self.units, self.declared.areas,
            {key: one.label for key, (_, one) in self.declared.collections.items()},
            self.section_labels(), tuple(self.left_out), self.host,
        )  # fmt: skip

    def section_labels(self) -> dict[str, Label]:
        labels: dict[str, Label] = {one.key: one.label for _, one in self.declared.sections.values()}
        return labels | {key: one.label for key, (_, one) in self.declared.groups.items()}

    # ------------------------------------------------------------ the header

    def header(self) -> Header:
        texts = {key: self.document.nodes[key] for key in HEADER if key in self.document.nodes}
        said: dict[str, str] = {}
        for key in HEADER[:6]:
            node = texts.get(key)
            if isinstance(node, Scalar):
                said[key] = node.text
            elif node is not None:
                self.problems.append(problem(node.place, f"{key!r} is one text"))
        if said.get("capframe") != "1":
            where = texts["capframe"].place if "capframe" in texts else self.document.place
            self.problems.append(problem(where, "a plan says which format it has: write `capframe: 1`"))
        if not said.get("title"):
            where = texts["title"].place if "title" in texts else self.document.place
            self.problems.append(problem(where, "'title' is missing here"))
        date = said.get("date", "")
        if not is_date(date):
            where = texts["date"].place if "date" in texts else self.document.place
            what = "'date' is the plan's own date, the only clock there is: write it as `date: 2026-11-29`"
            self.problems.append(problem(where, what))
        language = said.get("language", "en")
        if language not in LANGUAGES:
            self.problems.append(problem(texts["language"].place, f"'language' is one of {', '.join(LANGUAGES)}"))
            language = "en"
        currency = said.get("currency", "CNY")
        if not self.host.off and not self.units.knows(currency):
            what = f"'currency' is a code such as CNY or USD, and no plugin knows {currency!r}"
            self.problems.append(problem(texts["currency"].place if "currency" in texts else self.document.place, what))
            currency = "CNY"
        return Header(self.path.name, said.get("title", ""), date, said.get("revision", ""), language, currency)

    def catalog_files(self) -> list[tuple[Path, str]]:
        node = self.document.nodes.get("catalogs")
        if node is None:
            return []
        if not isinstance(node, Items):
            self.problems.append(problem(node.place, "'catalogs' is a list of files: `[our-chips.yaml]`"))
            return []
        wrong = [leaf.place for leaf in node.nodes if not isinstance(leaf, Scalar)]
        self.problems.extend(problem(place, "an entry of 'catalogs' is the name of a file") for place in wrong)
        return [(self.path.parent / leaf.text, leaf.text) for leaf in node.nodes if isinstance(leaf, Scalar)]

    # ------------------------------------------------------------ sections, collections, groups

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
        off = sorted(self.host.broken)
        broken = f" (plugins that could not be loaded: {', '.join(off)}; see `capframe plugins list`)" if off else ""
        self.problems.append(problem(place, f"unknown key {key!r}{guess}{broken}"))

    def section(self, plugin: str, section: Section, node: Node | None, prefix: str) -> None:
        instance = None
        if node is not None and not (isinstance(node, Scalar) and node.blank):
            if not isinstance(node, Table):
                self.problems.append(problem(node.place, f"{section.key!r} is a section: write its keys below it"))
                return
            instance = self.read(section.fields, node, prefix)
            if instance is None:
                return
        elif needed := required(section.fields):
            where = node.place if node else self.document.place
            self.problems.append(problem(where, f"section {prefix!r} is missing; it needs {', '.join(needed)}"))
            return
        self.add(plugin, section.fields, instance, prefix)

    def read(self, fields: type, node: Table, prefix: str, inside: dict[str, Any] | None = None) -> Any:
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
        if node is not None and not isinstance(node, Table):
            self.problems.append(problem(node.place, f"{key!r} holds named members, each with its keys below"))
            self.misread.append(key)
        inside = self.declared.inside(key)
        for name, table in node.nodes.items() if isinstance(node, Table) else ():
            where = node.keys[name] if isinstance(node, Table) else self.document.place
            if wrong := wrong_with_segment(name) or like_another(name, [one.name for one in members]):
                self.problems.append(problem(where, wrong))
                self.misread.append(f"{key}.{name}")
            elif not isinstance(table, Table):
                self.misread.append(f"{key}.{name}")
                self.problems.append(problem(table.place, f"{key}.{name} holds keys of its own, below it"))
            else:
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
        instance = self.read(collection.member, table, prefix, {**inside, **dict.fromkeys(gone)})
        if instance is None:
            for _, section in inside.values():
                if isinstance(part := table.nodes.get(section.key), Table):
                    self.read(section.fields, part, f"{prefix}.{section.key}")
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

    def is_known(self, group: Group) -> bool:
        """Tell whether a group's kind of parts and its unit are declared by an active plugin."""
        try:
            group.field.unit_in(self.context)
        except CapframeError:
            return False
        return group.kind in self.context.catalog.kinds

    def group(self, key: str, plugin: str, group: Group) -> None:
        node = self.document.nodes.get(key)
        entries: dict[str, Given] = {}
        if self.host.off and group.kind is not None and not self.is_known(group):
            self.left_out.append(key)
            return
        if node is not None:
            entries, problems = read_group(group, node, self.context)
            self.problems.extend(problems)
        names = list(entries)
        if group.kind is not None:
            kind = self.context.catalog.kinds.get(group.kind)
            names = sorted(kind.records) if kind else []
        for name in names:
            about = field_named(group, name)
            try:
                unit = about.unit_in(self.context)
            except CapframeError as fault:
                where = node.place if node else self.document.place
                self.problems.append(problem(where, f"{key}.{name}: {fault}"))
                continue
            given = entries.get(name) or absent(about, self.context)
            self.inputs[f"{key}.{name}"] = Input(f"{key}.{name}", about, unit, plugin, given, {}, key)
        self.outline[key] = Members(Member(name, {}) for name in entries)

    # ------------------------------------------------------------ scenarios and overrides

    def scenarios(self) -> dict[str, dict[str, Given]]:
        node = self.document.nodes.get("scenarios")
        found: dict[str, dict[str, Given]] = {}
        if node is None:
            return found
        if not isinstance(node, Table):
            self.problems.append(problem(node.place, "'scenarios' holds names, each with the inputs it changes"))
            return found
        for name, table in node.nodes.items():
            if wrong := wrong_with_segment(name) or like_another(name, found):
                self.problems.append(problem(node.keys[name], f"scenario {wrong}"))
            elif name == BASE:
                self.problems.append(problem(node.keys[name], "'base' is the plan itself; give the scenario a name"))
            elif isinstance(table, Table):
                found[name] = dict(self.overridden(table))
            elif isinstance(table, Scalar) and table.blank:
                found[name] = {}
            else:
                self.problems.append(problem(table.place, f"scenario {name!r} holds `key: value` pairs"))
        return found

    def overridden(self, table: Table) -> Iterator[tuple[str, Given]]:
        given: set[str] = set()
        for typed, node in table.nodes.items():
            place = table.keys[typed]
            try:
                key = self.input_key(typed)
                if key in given:
                    self.problems.append(problem(place, f"{key!r} is given twice in this scenario; keep one"))
                given.add(key)
                if isinstance(node, Scalar) and node.blank:
                    what = "says nothing; leave the key out to follow base, or give a value"
                    self.problems.append(problem(place, f"{typed!r} {what}"))
                    continue
                yield key, read_given(node, self.inputs[key].field, self.context)
            except Wrong as wrong:
                self.problems.extend(wrong.problems)
            except CapframeError as fault:
                if not self.explained(typed):
                    self.problems.append(problem(place, str(fault)))

    def explained(self, key: str) -> bool:
        """Tell whether it was said already why an input is not there."""
        return any(key == gone or key.startswith(f"{gone}.") for gone in (*self.left_out, *self.misread))

    def input_key(self, typed: str) -> str:
        """Return the key of the input that a person means, or raise with what to write instead."""
        if typed in self.inputs:
            return typed
        if typed in self.structure:
            msg = f"{typed!r} is structure (which members exist, who uses whom); change it in the plan itself"
            raise CapframeError(msg)
        head, _, name = typed.partition(".")
        if head in self.declared.groups and self.declared.groups[head][1].kind:
            kind = self.declared.groups[head][1].kind or ""
            return f"{head}.{self.context.part(kind, name)}"
        msg = f"no input {typed!r}{near(typed, self.inputs)}"
        raise CapframeError(msg)

    def override(self, number: int, text: str, scenarios: dict[str, dict[str, Given]]) -> None:
        where, order = f"--set #{number}", ("", 0, number)
        typed, equals, value = text.partition("=")
        scenario = BASE
        if typed.startswith("scenarios."):
            _, scenario, typed = (*typed.split(".", 2), "", "")[:3]
        try:
            if not equals:
                msg = f"{text!r} is not KEY=VALUE"
                raise CapframeError(msg)  # noqa: TRY301 - one place turns faults into problems
            if scenario != BASE and scenario not in scenarios:
                msg = f"no scenario {scenario!r}{near(scenario, scenarios)}"
                raise CapframeError(msg)  # noqa: TRY301
            key = self.input_key(typed.strip())
            one = self.inputs[key]
            if value.strip():
                given = Given(one.field.read(value.strip(), self.context), where)
            elif scenario != BASE:
                scenarios[scenario].pop(key, None)
                return
            else:
                given = self.cleared(one).moved(where)
        except CapframeError as fault:
            if not self.explained(typed):
                self.problems.append(Problem(where, str(fault), order))
            return
        if scenario == BASE:
            self.inputs[key] = evolve(one, base=given)
        else:
            scenarios[scenario][key] = given

    def cleared(self, one: Input) -> Given:
        """Return what holds when the base value of an input is taken away."""
        if not is_required(one.field):
            return absent(one.field, self.context)
        msg = f"{one.key!r} is required; give it a value instead of clearing it"
        raise CapframeError(msg)
