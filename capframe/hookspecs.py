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
    from capframe.expr import Function, Ref
    from capframe.lines import Check, Item, LineItem
    from capframe.offers import Command, Executor, Importer, TemplateFolder
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
def capframe_items(plan: Outline, p: Ref) -> Iterable[Item]:
    """Yield what is bought: line items that count, each with the input that picks its part.

    ``yield Item(p.liquid.pumps, round_up(p.power.it / p.liquid.pump.flow), "pump", label="Pumps",
    part=p.liquid.pump, sort="Cooling", role="facility")``. Other plugins then see it in ``plan.items``, and price,
    power and rack units follow from the part's record.
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


@hookspec
def capframe_functions() -> Iterable[Function]:
    """Yield functions that formulas may call, each with all its readings: Python, Excel, words, unit.

    ``cube = Function("cube", strict(lambda x: x**3), "{0:(}^3", "{0}³", plain_number)`` and ``yield cube``; the
    plugin's own formulas call ``cube(p.liquid.bends)``, formulas typed in a plan ``cube(liquid.bends)``.
    """
    return ()


@hookspec
def capframe_templates() -> Iterable[TemplateFolder]:
    """Yield folders of Jinja templates; a template of the same name takes the place of ours.

    ``yield TemplateFolder(Path(__file__).parent / "templates")``
    """
    return ()


@hookspec
def capframe_commands() -> Iterable[Command]:
    """Yield verbs of the command line: a name, one line of help, and where the ``click`` command lives.

    ``yield Command("stress", "Say what breaks first.", "capframe_stress:stress")``
    """
    return ()


@hookspec
def capframe_executors() -> Iterable[Executor]:
    """Yield ways to run a batch: a name, and a function of the number of workers.

    ``yield Executor("threads", lambda workers: ThreadPoolExecutor(workers))``
    """
    return ()


@hookspec
def capframe_importers() -> Iterable[Importer]:
    """Yield readers of foreign catalogues: a suffix, and a function from a path to the text of a catalogue of ours.

    ``yield Importer(".csv", "capframe_pricelist:read")``
    """
    return ()
