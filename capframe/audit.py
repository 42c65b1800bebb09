"""What a plugin should mend before anybody else uses it: hooks, labels, units, sources, imports."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import fields as fields_of

from capframe.catalog import Catalog
from capframe.declarations import catalogs, declarations, units_of
from capframe.discovery import Plugin, installed
from capframe.errors import CapframeError, near
from capframe.expr import Ref, literals
from capframe.fields import Family, Field, MemberField, Nested, PickField, QuantityField, declared
from capframe.given import QuantityError
from capframe.lines import LineItem
from capframe.offers import commands, executors, functions, importers, resolved, template_folders
from capframe.plan import Member, Members, Outline
from capframe.plugins import Host
from capframe.reading import Context, absent
from capframe.timeline import Timeline
from capframe.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capframe.expr import Expr
    from capframe.units import Units
    from capframe.wording import Label

LIGHT = {"capframe", "attr", "attrs", "click", "pluggy", "typing_extensions"}
"""What capframe itself has imported by the time it loads plugins, so that it costs a plugin nothing."""
PLAIN = {-1.0, 0.0, 1.0, 2.0}
"""Numbers that a formula may hold; all others are constants of the field, which are inputs with a source."""
CITED = re.compile(r"[A-Z][\w.-]+( et al\.| and [A-Z][\w-]+)? (19|20)\d\d, |arXiv:|https://")
"""How the name of a work starts, which is the same in every language: authors, year and title, or an address."""
EXAMPLE = "example"
CURRENCY = "CNY"
PERIODS = Timeline(("2027Q1", "2027Q2"), months=3)
TAKEN_IN = """\
import sys
before = set(sys.modules)
import importlib
importlib.import_module(sys.argv[1])
new = {name.partition(".")[0] for name in set(sys.modules) - before if getattr(sys.modules[name], "__spec__", None)}
print(*sorted(name for name in new if name not in sys.stdlib_module_names and not name.startswith("_")))
"""


class Advice(str):
    """What would be better and is no fault: a plugin may speak one language."""

    __slots__ = ()


def findings(target: str, off: Iterable[str] = (), files: Iterable[Path] = ()) -> list[str]:
    """Return what to mend in a plugin: one line each, with where and what to write instead; some is ``Advice`` only.

    ``target`` is a Python file, the name of an installed plugin, or a module.

    Raises:
        CapframeError: where there is no such plugin.
    """
    host, name = _host(target, off, files)
    plugin = host.plugins[name]
    if plugin.fault:
        return [f"{plugin.whose} could not be loaded: {plugin.fault}"]
    found = [plugin.note] if plugin.note else []
    if not host.hooks_of(name):
        found.append("it implements no hook; mark its functions with @hookimpl (docs/plugins.md lists the hooks)")
    found += _imports(plugin)
    for look in (_sections, _lines, _checks, _catalogs, _offers):
        try:
            found += look(host, name)
        except CapframeError as fault:
            found.append(str(fault))
    return list(dict.fromkeys(found))


def _host(target: str, off: Iterable[str], files: Iterable[Path]) -> tuple[Host, str]:
    """Return a host with the plugin in it, and the plugin's name."""
    path = Path(target)
    if path.suffix == ".py":
        return Host(off, files=[*files, path]), path.stem
    there, _ = installed()
    for name, found in there.items():
        if target in {name, found.plugin.module}:
            return Host(off, files=files), name
    try:
        module = importlib.import_module(target)
    except ModuleNotFoundError as fault:
        if fault.name != target:
            raise
        msg = f"there is no file, plugin or module {target!r}{near(target, there)}"
        raise CapframeError(msg) from fault
    name = target.rpartition(".")[2].removeprefix("capframe_")
    return Host(off, files=files, extra={name: module}), name


# ---------------------------------------------------------------- what is looked at


def _imports(plugin: Plugin) -> Iterator[str]:
    """Yield which libraries importing the plugin takes in; every command that reads a plan would wait for them."""
    if plugin.file is not None:
        code = f"import runpy, sys; sys.modules['{plugin.name}'] = runpy.run_path({str(plugin.file)!r})"
        words = [sys.executable, "-c", TAKEN_IN.replace("importlib.import_module(sys.argv[1])", code)]
        own = {plugin.name}
    else:
        module = plugin.module.partition(":")[0]
        words, own = [sys.executable, "-c", TAKEN_IN, module], {module.partition(".")[0]}
    path = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=path)  # noqa: S603 - our own code
    if done.returncode:  # loaded here, so it rests on something that was imported before it
        yield f"it cannot be imported alone: {done.stderr.strip().splitlines()[-1]}"
    if heavy := [name for name in done.stdout.split() if name not in LIGHT | own]:
        yield f"loading it imports {', '.join(heavy)}; import a library inside the function that uses it"


def _sections(host: Host, name: str) -> Iterator[str]:
    found = declarations(host)
    units = units_of(host)
    for key, (owner, collection) in found.collections.items():
        if owner == name:
            yield from _label(f"collection {key!r}", collection.label)
            yield from _fields(key, collection.member, units)
    for key, (owner, section) in found.sections.items():
        if owner == name:
            yield from _label(f"section {key!r}", section.label)
            yield from _fields(key, section.fields, units)
    for key, (owner, group) in found.groups.items():
        if owner == name:
            yield from _label(f"group {key!r}", group.label)


def _fields(where: str, section: type, units: Units) -> Iterator[str]:
    for name, about in declared(section).items():
        key = f"{where}.{name}"
        if isinstance(about, Nested):
            yield from _fields(key, about.section, units)
            continue
        field = about.field if isinstance(about, Family) else about
        yield from _label(f"input {key!r}", field.label)
        yield from _origin(key, field)
        unit = [*_unit(f"input {key!r}", field.unit, units)] if isinstance(field, QuantityField) else []
        yield from unit
        if not (unit or isinstance(field, PickField | MemberField)):
            yield from _default(key, field, units)


def _default(key: str, field: Field, units: Units) -> Iterator[str]:
    """A default or a range that cannot be read would stop every plan."""
    try:
        absent(field, Context(units, CURRENCY, Catalog({}, {})))
    except QuantityError as fault:
        yield f"input {key!r}: its default or range cannot be read: {fault}"


def _origin(key: str, field: Field) -> Iterator[str]:
    if field.default is not None and not field.origin.source and not isinstance(field, PickField):
        yield f"input {key!r}: its default {field.default!r} has no source; say where it comes from (source=…)"
    for what, said in (("source", field.origin.source), ("note", field.origin.note)):
        yield from _sentence(f"{what} of input {key!r}", said)


def _lines(host: Host, name: str) -> Iterator[str]:
    units = units_of(host)
    outline = _outline(host)
    hooks = ("capframe_items", "capframe_line_items")
    offered = [pair for hook in hooks for pair in host.collect(hook, plan=outline, p=Ref(""))]
    for owner, item in offered:
        if owner != name or not isinstance(item, LineItem):
            continue
        yield from _label(f"line {item.key!r}", item.label)
        yield from _unit(f"line {item.key!r}", item.unit, units)
        yield from _sentence(f"source of line {item.key!r}", item.source)
        if not item.source:
            said = _numbers_in(item.label)
            yield from _constants(f"line {item.key!r}", item.formula, said, ", or say where it comes from (source=…)")


def _checks(host: Host, name: str) -> Iterator[str]:
    for owner, check in host.collect("capframe_checks", plan=_outline(host), p=Ref("")):
        if owner == name and hasattr(check, "message"):
            yield from _label(f"check {check.key!r}", check.label)
            yield from _label(f"sentence of check {check.key!r}", check.message)
            yield from _constants(f"check {check.key!r}", check.test, _numbers_in(check.label))


def _numbers_in(label: Label) -> set[float]:
    """Return the numbers that a label says, which a reader therefore sees: ``3 links from each leaf``."""
    return {float(number) for number in re.findall(r"\d+", say(label, "en"))}


def _constants(what: str, formula: Expr, said: set[float], otherwise: str = "") -> Iterator[str]:
    if constants := sorted(set(literals(formula)) - PLAIN - said):
        shown = ", ".join(f"{value:g}" for value in constants)
        yield f"{what}: its formula holds {shown}; make it an input with a unit and a source{otherwise}"


def _catalogs(host: Host, name: str) -> list[str]:
    """Read the catalogues of all plugins, whose loader asks for a source and a unit for every fact."""
    if "capframe_catalogs" in host.hooks_of(name):
        catalogs(host, units_of(host), CURRENCY)
    return []


def _offers(host: Host, name: str) -> Iterator[str]:
    """Look at what is offered beside lines, and import what it names, so that a misspelt place is found now."""
    functions(host)
    template_folders(host)
    for what, offers in (("command", commands(host)), ("executor", executors(host)), ("importer", importers(host))):
        for key, (owner, offer) in offers.items():
            if owner == name:
                place = getattr(offer, fields_of(type(offer))[-1].name)
                with host.attributed(name, f"{what} {key!r}"):
                    resolved(place)
    for owner, exporter in host.collect("capframe_exporters"):
        if owner == name:
            with host.attributed(name, f"exporter {exporter.name!r}"):
                resolved(exporter.writer)
    yield from ()


# ---------------------------------------------------------------- how it is judged


def _label(what: str, label: Label) -> Iterator[str]:
    if isinstance(label, str) or not {"en", "zh"} <= set(label):
        shown = label if isinstance(label, str) else next(iter(label.values()), "")
        yield Advice(f"{what}: its label is in one language; write {{'en': {shown!r}, 'zh': '…'}}")


def lacks_a_language(said: Label) -> bool:
    """Tell whether a source or a note is a sentence in one language; the name of a work is the same in each."""
    if isinstance(said, str):
        return bool(said) and not CITED.match(said)
    return not {"en", "zh"} <= set(said)


def _sentence(what: str, said: Label) -> Iterator[str]:
    if lacks_a_language(said):
        shown = said if isinstance(said, str) else next(iter(said.values()))
        work = "" if what.startswith("note") else ", or name a work as `Author 2025, Title`"
        yield Advice(f"{what}: it is in one language; write {{'en': {shown!r}, 'zh': '…'}}{work}")


def _unit(what: str, text: str, units: Units) -> Iterator[str]:
    try:
        units(text.replace("{currency}", CURRENCY))
    except CapframeError as fault:
        yield f"{what}: {fault}"


def _outline(host: Host) -> Outline:
    """Return the outline of a plan with one member in every collection, so that every loop of a plugin runs once."""
    members: dict[str, Members] = {}
    found = declarations(host)
    for key, (_, collection) in found.collections.items():
        structure: dict[str, Any] = {
            field: EXAMPLE for field, about in declared(collection.member).items() if isinstance(about, MemberField)
        }
        members[key] = Members([Member(EXAMPLE, structure)])
    for key in found.groups:
        members[key] = Members([])
    return Outline(CURRENCY, members, PERIODS, some_off=bool(host.off))
