"""What the plugins of a run declare: the keys of a plan document, and the catalogues."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from capframe.catalog import BoughtFacts, Catalog, CatalogFile, Column, Kind, RecordKind, columns_of
from capframe.catalog_merge import COMMAND, PLAN, Merger, Named
from capframe.document import Node, Place, Scalar, Table, problem
from capframe.errors import PlanError, PluginError, Problem, UnitError, near
from capframe.hearsay import hear
from capframe.offers import imported
from capframe.plugins import OURS
from capframe.reading import Context
from capframe.sections import Area, Collection, Group, Section
from capframe.units import Units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from capframe.plugins import Host

HEADER = (
    "capframe",
    "title",
    "date",
    "revision",
    "author",
    "changes",
    "language",
    "currency",
    "catalogs",
    "scenarios",
    "timeline",
    "pins",
    "line_items",
    "claims",
)
"""The keys of a document that belong to capframe itself."""


@frozen
class Declared:
    """What the plugins of a run declare of documents, with who declared it."""

    collections: dict[str, tuple[str, Collection]] = field(factory=dict)
    sections: dict[str, tuple[str, Section]] = field(factory=dict)
    groups: dict[str, tuple[str, Group]] = field(factory=dict)
    areas: dict[str, tuple[str, Area]] = field(factory=dict)

    def inside(self, collection: str) -> dict[str, tuple[str, Section]]:
        """Return the sections that plugins add to each member of a collection."""
        return {one.key: (owner, one) for owner, one in self.sections.values() if one.of == collection}


def units_of(host: Host) -> Units:
    """Return the units of a run: the physical ones and those that plugins declare.

    Raises:
        CapframeError: where two plugins declare one word, naming both.
        PluginError: where a unit equals one that nobody declares; while plugins are off, such a unit is left out.
    """
    units = Units()
    owners: dict[str, str] = {}
    given = host.collect("capframe_units")
    for plugin, one in sorted(given, key=lambda pair: pair[1].equals is not None):  # what others rest on comes first
        for word in one.spellings():
            if units.knows(word):
                host.clash(f"unit {word!r}", owners.get(word, OURS), plugin)
        try:
            units.declare(one)
        except UnitError as fault:
            if not host.off:
                msg = f"{host.whose(plugin)}, unit {one.symbol!r}: it equals {one.equals!r}; {fault}{host.lacking()}"
                raise PluginError(msg) from fault
        owners |= dict.fromkeys(one.spellings(), plugin)
    return units


def declarations(host: Host) -> Declared:
    """Return what the plugins declare.

    Raises:
        CapframeError: where two plugins declare one key, naming both.
        PluginError: for something that is no declaration, or that belongs to what nobody declares.
    """
    found = Declared()
    owners: dict[str, str] = dict.fromkeys(HEADER, OURS)
    for plugin, item in host.collect("capframe_sections"):
        if isinstance(item, Area):
            if item.key in found.areas:
                host.clash(f"area {item.key!r}", found.areas[item.key][0], plugin)
            found.areas[item.key] = plugin, item
            continue
        if not isinstance(item, Collection | Section | Group):
            msg = f"{host.whose(plugin)}, capframe_sections: {item!r} is no Area, Collection, Section or Group"
            raise PluginError(msg)
        key = f"{item.of}.*.{item.key}" if isinstance(item, Section) and item.of else item.key
        if key in owners:
            host.clash(f"key {key!r} of the plan", owners[key], plugin)
        owners[key] = plugin
        if isinstance(item, Collection):
            found.collections[key] = plugin, item
        elif isinstance(item, Section):
            found.sections[key] = plugin, item
        else:
            found.groups[key] = plugin, item
            if item.ages is not None and item.ages.key in owners:
                host.clash(f"key {item.ages.key!r} of the plan", owners[item.ages.key], plugin)
            owners |= {item.ages.key: plugin} if item.ages else {}
    if not host.off and not host.broken:  # else the plugin that declares it may be the one that is not there
        _refuse_strays(host, found)
    return found


def _refuse_strays(host: Host, found: Declared) -> None:
    """Refuse what belongs to a collection that no plugin declares: it would be read by nobody."""
    for plugin, section in found.sections.values():
        if section.of is not None and section.of not in found.collections:
            raise _stray(host, plugin, f"section {section.key!r}", ("collection", section.of), found.collections)


def _stray(host: Host, plugin: str, what: str, wanted: tuple[str, str], there: Mapping[str, object]) -> PluginError:
    kind, name = wanted
    known = near(name, there) or (f" (there are {', '.join(sorted(there))})" if there else "")
    return PluginError(f"{host.whose(plugin)}, {what}: no plugin declares a {kind} {name!r}{known}")


class CatalogError(PlanError):
    """The mistakes of catalogue files, and what could be read of them: a plan has mistakes of its own to tell."""

    def __init__(self, problems: Iterable[Problem], catalog: Catalog) -> None:
        """Keep the catalogue with the mistakes."""
        super().__init__(problems)
        self.catalog = catalog


def pinned(node: Node | None) -> tuple[dict[str, tuple[str, Place]], list[Problem]]:
    """Return the plan's ``pins``: for a part that several catalogues bring, whose word counts; and the mistakes."""
    example = "write `pins: {vendor/part: plugin}`, the plugin or file whose record counts"
    if node is None or (isinstance(node, Scalar) and node.blank):
        return {}, []
    if not isinstance(node, Table):
        return {}, [problem(node.place, f"'pins' names parts; {example}")]
    found = {part: (one.text, node.keys[part]) for part, one in node.nodes.items() if isinstance(one, Scalar)}
    others = (one.place for one in node.nodes.values() if not isinstance(one, Scalar))
    return found, [problem(place, f"a pin is one name; {example}") for place in others]


def catalogs(  # noqa: PLR0913 - what a run knows of its catalogues
    host: Host,
    units: Units,
    currency: str,
    extra: Iterable[tuple[Path, str]] = (),
    *,
    more: Iterable[tuple[Path, str]] = (),
    pins: Node | None = None,
    today: str = "",
    worth: Mapping[str, Mapping[str, float]] | None = None,
) -> Catalog:
    """Read the catalogues of the plugins, the files that a plan names (``extra``), and those of the command line.

    A file is given by its path and how it was typed. ``pins`` say whose word counts of a part that several bring;
    ``today`` is the plan's date, ``worth`` what a figure in other money is worth in the plan's, by family and currency.

    Raises:
        CatalogError: with every mistake of every file.
    """
    kinds: dict[str, list[tuple[str, RecordKind]]] = {}
    of_bought: list[tuple[str, BoughtFacts]] = []
    files: list[Named] = []
    for plugin, item in host.collect("capframe_catalogs"):
        if isinstance(item, RecordKind):
            kinds.setdefault(item.name, []).append((plugin, item))
        elif isinstance(item, CatalogFile):
            files.append(Named(item.path, plugin, item.path.name))
        elif isinstance(item, BoughtFacts):
            of_bought.append((plugin, item))
        else:
            msg = f"{host.whose(plugin)}, capframe_catalogs: {item!r} is no RecordKind, BoughtFacts or CatalogFile"
            raise PluginError(msg)
    files += [Named(path, "the plan", typed, PLAN) for path, typed in extra]
    files += [Named(path, "--catalog", typed, COMMAND) for path, typed in more]
    context = Context(units, currency, Catalog({}, {}))
    tables = {}
    for name, parts in sorted(kinds.items()):
        label = next((part.label for _, part in parts if part.label), name)
        rules = tuple(rule for _, part in parts for rule in part.rules)
        bought = _bought(host, name, parts, units)
        facts = [*parts, *(of_bought if bought else ())]
        tables[name] = Kind(name, _columns(host, name, facts, bought, context), label, today=today, rules=rules)
    foreign = partial(imported, host)
    pinning, wrong = pinned(pins)
    merger = Merger(tables, context, skipped=bool(host.off), pinned=pinning, foreign=foreign)
    merger.problems.extend(wrong)
    merger.load(*files)
    expiry = {one.title: found["expires"] for one, found in merger.files}
    catalog = Catalog(
        tables, merger.sources, tuple(merger.overlays), tuple(merger.pins), expiry, lost=bool(merger.lost),
        notices=tuple(merger.notices), untold=tuple(merger.untold),
    )  # fmt: skip
    if merger.problems:
        raise CatalogError(merger.problems, catalog)
    tellers = [(plugin, part) for parts in kinds.values() for plugin, part in parts if part.tells]
    return evolve(catalog, untaken=tuple(hear(host, tellers, catalog, units, today, worth or {})))


def _bought(host: Host, kind: str, parts: Iterable[tuple[str, RecordKind]], units: Units) -> str:
    """Return the unit in which parts of a kind are bought, which one plugin says; nothing where none does."""
    found, owner = "", ""
    for plugin, part in parts:
        if not part.bought:
            continue
        if found:
            host.clash(f"`bought` of kind {kind!r}", owner, plugin)
        found, owner = part.bought, plugin
        if not host.off and not (units.knows(found) and units.is_counted(units(found))):
            msg = f"{host.whose(plugin)}, kind {kind!r}: bought={found!r} is no unit of things that are counted"
            msg += near(found, sorted(units.counted)) + host.lacking()
            raise PluginError(msg)
    return found


def _columns(
    host: Host, kind: str, parts: Iterable[tuple[str, RecordKind | BoughtFacts]], bought: str, context: Context
) -> dict[str, Column]:
    """Return the facts that all plugins give to one kind; one fact of two plugins is refused, as lines are."""
    columns: dict[str, Column] = {}
    owners: dict[str, str] = {}
    for plugin, part in parts:
        with host.attributed(plugin, f"facts of kind {kind!r}"):
            found = columns_of([part], context, bought=bought, some_off=bool(host.off))
        for name in found:
            if name in owners:
                host.clash(f"fact {name!r} of kind {kind!r}", owners[name], plugin)
            owners[name] = plugin
        columns |= found
    return columns
