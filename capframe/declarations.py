"""What the plugins of a run declare: the keys of a plan document, and the catalogues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from capframe.catalog import Catalog, CatalogFile, Kind, Loader, RecordKind, columns_of
from capframe.errors import PlanError, PluginError
from capframe.reading import Context
from capframe.sections import Area, Collection, Group, Section

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from capframe.plugins import Host
    from capframe.units import Units

HEADER = ("capframe", "title", "date", "revision", "language", "currency", "catalogs", "scenarios")
"""The keys of a document that belong to capframe itself."""


@frozen
class Declared:
    """What the plugins of a run declare of documents, with who declared it."""

    collections: dict[str, tuple[str, Collection]] = field(factory=dict)
    sections: dict[str, tuple[str, Section]] = field(factory=dict)
    groups: dict[str, tuple[str, Group]] = field(factory=dict)
    areas: dict[str, Area] = field(factory=dict)

    def inside(self, collection: str) -> dict[str, tuple[str, Section]]:
        """Return the sections that plugins add to each member of a collection."""
        return {one.key: (owner, one) for owner, one in self.sections.values() if one.of == collection}


def declarations(host: Host) -> Declared:
    """Return what the plugins declare.

    Raises:
        PluginError: where two plugins declare one key, or something that is no declaration.
    """
    found = Declared()
    owners: dict[str, str] = dict.fromkeys(HEADER, "capframe itself")
    for plugin, item in host.collect("capframe_sections"):
        if isinstance(item, Area):
            found.areas[item.key] = item
            continue
        if not isinstance(item, Collection | Section | Group):
            msg = f"plugin {plugin!r}, capframe_sections: {item!r} is no Area, Collection, Section or Group"
            raise PluginError(msg)
        key = f"{item.of}.*.{item.key}" if isinstance(item, Section) and item.of else item.key
        if key in owners:
            msg = f"key {key!r} of the plan is declared by both {owners[key]!r} and {plugin!r}; switch one off"
            raise PluginError(msg)
        owners[key] = plugin
        if isinstance(item, Collection):
            found.collections[key] = plugin, item
        elif isinstance(item, Section):
            found.sections[key] = plugin, item
        else:
            found.groups[key] = plugin, item
    return found


def catalogs(host: Host, units: Units, currency: str, extra: Iterable[tuple[Path, str]] = ()) -> Catalog:
    """Read the catalogues of the plugins, and the files that a plan names.

    Raises:
        PlanError: with every mistake of every file.
    """
    kinds: dict[str, list[RecordKind]] = {}
    files: list[tuple[Path, str, str]] = []
    for plugin, item in host.collect("capframe_catalogs"):
        if isinstance(item, RecordKind):
            kinds.setdefault(item.name, []).append(item)
        elif isinstance(item, CatalogFile):
            files.append((item.path, plugin, item.path.name))
        else:
            msg = f"plugin {plugin!r}, capframe_catalogs: {item!r} is no RecordKind or CatalogFile"
            raise PluginError(msg)
    context = Context(units, currency, Catalog({}, {}))
    tables = {}
    for name, parts in sorted(kinds.items()):
        label = next((part.label for part in parts if part.label), name)
        tables[name] = Kind(name, columns_of(parts, context, some_off=bool(host.off)), label)
    loader = Loader(tables, context, skipped=bool(host.off))
    for path, provider, title in (*files, *((path, "the plan", name) for path, name in extra)):
        loader.load(path, provider, title)
    if loader.problems:
        raise PlanError(loader.problems)
    return Catalog(tables, loader.sources)
