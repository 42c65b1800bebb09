"""Every hook on one screen. All of them collect; results never depend on the order in which plugins are called.

A plugin is a module that an entry point of the group ``capframe`` names::

    # capframe_liquid.py
    from capframe import LineItem, hookimpl

    @hookimpl
    def capframe_line_items(plan, p):
        yield LineItem(p.liquid.pumps, 0.02 * p.power.it, "kW", label="Pumps")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capframe.catalog import CatalogFile, RecordKind
    from capframe.exporting import Exporter
    from capframe.expr import Ref
    from capframe.lines import Check, LineItem
    from capframe.plan import Outline
    from capframe.sections import Area, Collection, Group, Section
    from capframe.units import UnitDefinition

PROJECT = "capframe"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def capframe_units() -> Iterable[UnitDefinition]:
    """Yield units of account and things that are counted.

    ``yield UnitDefinition("card")`` declares a thing; ``UnitDefinition("FLOP", prefixes=True)`` takes PFLOP too.
    """
    return ()


@hookspec
def capframe_sections() -> Iterable[Area | Collection | Section | Group]:
    """Yield what the plan document may hold.

    ``yield Section("liquid", Liquid, label="Liquid cooling")``, where ``Liquid`` is an attrs class of fields.
    """
    return ()


@hookspec
def capframe_catalogs() -> Iterable[RecordKind | CatalogFile]:
    """Yield kinds of records with their facts, and catalogue files.

    ``yield CatalogFile(Path(__file__).with_name("our-chips.yaml"))``
    """
    return ()


@hookspec
def capframe_line_items(plan: Outline, p: Ref) -> Iterable[LineItem]:
    """Yield line items. ``plan`` tells names and structure, never values; ``p`` makes references.

    ``for name in plan.pools: yield LineItem(p.pools[name].liquid.flow, 0.1 * p.pools[name].power.it, "kW", label="…")``
    """
    return ()


@hookspec
def capframe_checks(plan: Outline, p: Ref) -> Iterable[Check]:
    """Yield conditions that ought to hold, each with a severity and a sentence.

    ``yield Check(p.liquid.enough, at_most(p.power.it, p.liquid.limit), "warning", f"{p.power.it} is too much", …)``
    """
    return ()


@hookspec
def capframe_exporters() -> Iterable[Exporter]:
    """Yield exporters: a name, a suffix, and a function that writes the evaluated ledger to a path.

    ``yield Exporter("data", ".json", "capframe_plugins.data:write")``
    """
    return ()
