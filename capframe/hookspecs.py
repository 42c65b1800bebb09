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

    from capframe.catalog import BoughtFacts, CatalogFile, RecordKind
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

    ::

        from capframe import UnitDefinition, hookimpl

        @hookimpl
        def capframe_units():
            yield UnitDefinition("tank", many="tanks")
            yield UnitDefinition("litre", prefixes=True, counted=False)
    """
    return ()


@hookspec
def capframe_sections() -> Iterable[Area | Collection | Section | Group]:
    """Yield what the plan document may hold: an attrs class of fields, under a key of the plan or of a member.

    ::

        from attrs import frozen
        from capframe import Given, Section, hookimpl, quantity

        @frozen(kw_only=True)
        class Liquid:
            share: Given = quantity("1", label="Pumps over IT load", default="2%", source="our laboratory")

        @hookimpl
        def capframe_sections():
            yield Section("liquid", Liquid, "Liquid cooling")
    """
    return ()


@hookspec
def capframe_catalogs() -> Iterable[RecordKind | BoughtFacts | CatalogFile]:
    """Yield kinds of records with their facts, and catalogue files.

    ::

        from pathlib import Path
        from capframe import CatalogFile, hookimpl

        @hookimpl
        def capframe_catalogs():
            yield CatalogFile(Path(__file__).with_name("our-chips.yaml"))
    """
    return ()


@hookspec
def capframe_items(plan: Outline, p: Ref) -> Iterable[Item]:
    """Yield what is bought: line items that count, each with the input that picks its part.

    Other plugins then see it in ``plan.items``, and its price and power follow from the part's record, where
    that tells them::

        from capframe import Item, hookimpl, round_up

        @hookimpl
        def capframe_items(p):
            tanks = round_up(p.rain.fall * p.rain.days / p.rain.tank.holds)
            yield Item(p.rain.tanks, tanks, "tank", label="Tanks", part=p.rain.tank, sort="Cooling", role="facility")
    """
    return ()


@hookspec
def capframe_line_items(plan: Outline, p: Ref) -> Iterable[LineItem]:
    """Yield line items. ``plan`` tells names and structure, never values; ``p`` makes references.

    ::

        from capframe import LineItem, hookimpl

        @hookimpl
        def capframe_line_items(plan, p):
            for name in plan.pools:
                pool = p.pools[name]
                yield LineItem(pool.liquid.double, pool.power.it * 2, "kW", label={"en": "Double", "zh": "两倍"})
    """
    return ()


@hookspec
def capframe_checks(plan: Outline, p: Ref) -> Iterable[Check]:
    """Yield conditions that ought to hold, each with a severity and a sentence whose slots are references.

    ::

        from capframe import Check, at_most, hookimpl

        @hookimpl
        def capframe_checks(p):
            yield Check(
                p.liquid.enough, at_most(p.power.it, p.liquid.limit), "warning",
                f"{p.power.it} is more than the {p.liquid.limit} that can be cooled", label="Cooling is enough",
            )
    """
    return ()


@hookspec
def capframe_exporters() -> Iterable[Exporter]:
    """Yield exporters: a name, a suffix, and a function that writes the evaluated ledger to a path.

    ::

        from capframe import Exporter, hookimpl

        def write(results, path):
            path.write_text(results.with_unit("power.it"), encoding="utf-8")

        @hookimpl
        def capframe_exporters():
            yield Exporter("postcard", ".txt", write)
    """
    return ()


@hookspec
def capframe_functions() -> Iterable[Function]:
    """Yield functions that formulas may call, each with all its readings: Python, Excel, words, unit.

    ::

        from capframe import Function, hookimpl, plain_number, strict

        cube = Function("cube", strict(lambda x: x**3), "POWER({0},3)", "{0:(}³", plain_number)

        @hookimpl
        def capframe_functions():
            yield cube
    """
    return ()


@hookspec
def capframe_templates() -> Iterable[TemplateFolder]:
    """Yield folders of Jinja templates; a template of the same name takes the place of ours.

    ::

        from pathlib import Path
        from capframe import TemplateFolder, hookimpl

        @hookimpl
        def capframe_templates():
            yield TemplateFolder(Path(__file__).parent / "templates")
    """
    return ()


@hookspec
def capframe_commands() -> Iterable[Command]:
    """Yield verbs of the command line: a name, one line of help, and where the ``click`` command lives.

    ::

        from capframe import Command, hookimpl

        @hookimpl
        def capframe_commands():
            yield Command("forecast", "Say how much water a plan wants.", "capframe_rain.forecast:forecast")
    """
    return ()


@hookspec
def capframe_executors() -> Iterable[Executor]:
    """Yield ways to run a batch: a name, and a function of the number of workers.

    ::

        from concurrent.futures import ThreadPoolExecutor
        from capframe import Executor, hookimpl

        @hookimpl
        def capframe_executors():
            yield Executor("threads", lambda workers: ThreadPoolExecutor(workers))
    """
    return ()


@hookspec
def capframe_importers() -> Iterable[Importer]:
    """Yield readers of foreign catalogues: a suffix, and a function from a path to the text of a catalogue of ours.

    ::

        from capframe import Importer, hookimpl

        @hookimpl
        def capframe_importers():
            yield Importer(".csv", "capframe_pricelist:read")
    """
    return ()
