"""From what plugins yield to a ledger: collect, replace, resolve references, order, settle units.

The problems of a step are gathered and raised together, each with its plugin.
"""

from __future__ import annotations

import math
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from capframe.catalog import is_a_text
from capframe.errors import CapframeError, PlanError, PluginError, Problem, UnitError, near
from capframe.expr import Expr, LookUp, Missing, Ref, literals, refs
from capframe.fields import PickField, QuantityField
from capframe.functions import at_least, at_most
from capframe.ledger import Ledger, Line, LineCheck
from capframe.lines import Check, Item, LineItem, slots
from capframe.lookups import ENTRY, badly_read, groups_of, reads
from capframe.names import wrong_with_key
from capframe.plan import PLAN, Member, Plan
from capframe.printing import math as readable
from capframe.settling import counts, settle, to
from capframe.timeline import before, now, stages
from capframe.units import TEST, TEXT, Unit
from capframe.wording import Label, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@frozen
class Offered:
    """A line item and who gives it."""

    item: LineItem
    plugin: str
    instead_of: str = ""
    whole: bool = False
    """Whether it reads a fact that is always a whole number."""


def assemble(plan: Plan) -> Ledger:
    """Return the settled ledger of a plan.

    Raises:
        PlanError: with every clash, missing reference, circle or unit that does not fit.
    """
    work = _Assembly(plan)
    work.collect()
    work.collect_checks()
    work.stop()
    work.resolve()
    work.stop()
    ordered = work.order()
    lines = work.settle(ordered)
    checks = work.settle_checks(lines)
    work.stop()
    return Ledger(plan, lines, (*checks, *work.bounds(lines)), tuple(work.left_out))


@frozen
class _Assembly:
    plan: Plan
    lines: dict[str, Offered] = field(factory=dict)
    checks: dict[str, tuple[Check, str]] = field(factory=dict)
    problems: list[Problem] = field(factory=list)
    bought: dict[str, Member] = field(factory=dict)
    left_out: list[str] = field(factory=list)
    dropped: set[str] = field(factory=set)
    """The lines that are left out."""

    def stop(self) -> None:
        if self.problems:
            raise PlanError(self.problems)

    def wrong(self, plugin: str, key: str, what: str) -> None:
        self.problems.append(Problem(self.whose(plugin, key), what, (plugin, len(self.problems), 0)))

    def whose(self, plugin: str, key: str) -> str:
        """Return a key with its plugin, and with its place where the document itself gives it."""
        place = self.plan.own.places.get(key.removeprefix("check ")) if plugin == PLAN else None
        return f"{place}: {key}" if place else f"{key} (plugin {plugin!r})"

    # ------------------------------------------------------------ collect and replace

    def ask(self, hook: str, kind: type) -> Iterator[tuple[str, Any]]:
        outline = self.plan.outline.with_items(self.bought.values())
        offered = self.plan.host.collect(hook, plan=outline, p=Ref(""))
        for plugin, item in (*offered, *((PLAN, item) for item in self.plan.own.offered(hook))):
            if not isinstance(item, kind):
                msg = f"plugin {plugin!r}, {hook}: yields {item!r}, which is no {kind.__name__}"
                raise PluginError(msg)
            yield plugin, item

    def collect(self) -> None:
        given: dict[str, Offered] = {}
        replacing: dict[str, Offered] = {}
        items = list(self.ask("capframe_items", Item))
        for plugin, item in items:
            one = self.plan.inputs.get(item.part)
            if one is None or not isinstance(one.field, PickField):
                self.wrong(plugin, item.key, f"buys {item.part!r}, which is no input that picks a part")
                continue
            kind = self.plan.catalog.kinds.get(one.field.kind)
            facts = frozenset(kind.columns if kind else ())
            structure = {"part": item.part, "kind": one.field.kind, "role": item.role, "facts": facts}
            self.bought[item.key] = Member(item.key, structure)
        for plugin, item in (*items, *self.ask("capframe_line_items", LineItem)):
            book = replacing if item.replaces else given
            if wrong := wrong_with_key(item.key):
                self.wrong(plugin, item.key, wrong)
            elif item.key in self.plan.inputs:
                self.wrong(plugin, item.key, "is an input of the plan already; give the line another key")
            elif self.pick_above(item.key):
                self.wrong(plugin, item.key, "is a fact of the catalogue already; give the line another key")
            elif item.key in book:
                others = f"{book[item.key].plugin!r} and {plugin!r}"
                what = f"is given by both {others}; let one say replaces=True, or switch one off (--no-plugin)"
                if item.replaces:
                    what = f"is replaced by both {others}; switch one off (--no-plugin)"
                self.wrong(plugin, item.key, what)
            else:
                book[item.key] = Offered(item, plugin)
        self.replace(given, replacing)
        self.lines.update(given)
        for key, offer in self.lines.items():
            self.sound(offer.plugin, key, offer.item.formula)

    def sound(self, plugin: str, key: str, formula: Expr) -> None:
        for value in literals(formula):
            if not math.isfinite(value):
                self.wrong(plugin, key, f"its formula holds {value}; a formula holds finite numbers only")

    def replace(self, given: dict[str, Offered], replacing: dict[str, Offered]) -> None:
        for key, offer in replacing.items():
            if key in given:
                given[key] = evolve(offer, instead_of=given[key].plugin)
            elif self.plan.host.off:  # whose line it was cannot be asked of a plugin that is off
                given[key] = offer
            else:
                self.wrong(offer.plugin, key, f"replaces a line that no plugin gives{near(key, given)}")

    def collect_checks(self) -> None:
        for plugin, check in self.ask("capframe_checks", Check):
            if check.key in self.checks:
                others = f"{self.checks[check.key][1]!r} and {plugin!r}"
                self.wrong(plugin, check.key, f"is a check of both {others}; give one another key")
            if wrong := wrong_with_key(check.key):
                self.wrong(plugin, f"check {check.key}", wrong)
            self.sound(plugin, f"check {check.key}", check.test)
            self.checks[check.key] = check, plugin

    # ------------------------------------------------------------ references

    def resolve(self) -> None:
        """Add a line for each catalogue fact that is read; leave out what reads a plugin that is off."""
        for offer in list(self.lines.values()):
            self.add_facts(offer.item.formula)
        for check, _ in self.checks.values():
            self.add_facts(check.test)
            for sentence in _sentences(check.message):
                self.add_facts(*(Ref(key) for _, key in slots(sentence) if key))
        self.leave_out()
        for key, (check, plugin) in list(self.checks.items()):
            wanted = dict.fromkeys(
                [*reads(check.test), *(slot for text in _sentences(check.message) for _, slot in slots(text) if slot)]
            )
            if missing := self.missing(wanted, plugin, f"check {key}"):
                self.left_out.append(f"check {key}: {missing}")
                del self.checks[key]
        self.look_up()

    def look_up(self) -> None:
        """Report what is not read as it may be."""
        formulas = {key: offer.item.formula for key, offer in self.lines.items()}
        for key, offer in self.lines.items():
            for what in badly_read(offer.item.formula, self.plan, formulas):
                self.wrong(offer.plugin, key, what)
        for key, (check, plugin) in self.checks.items():
            for what in badly_read(check.test, self.plan, formulas):
                self.wrong(plugin, key, what)

    def leave_out(self) -> None:
        """Leave out what reads a plugin that is off, then wave after wave what reads those lines."""
        readers: dict[str, list[str]] = {}
        for key, offer in self.lines.items():
            for name in dict.fromkeys(refs(offer.item.formula)):
                readers.setdefault(name, []).append(key)
        place = {key: number for number, key in enumerate(self.lines)}
        left = list(self.lines)
        while dropped := [key for key in left if self.gone(key, self.lines[key])]:
            for key in dropped:
                del self.lines[key]
            self.dropped.update(dropped)
            touched = {reader for key in dropped for reader in readers.get(key, ()) if reader in self.lines}
            left = sorted(touched, key=lambda key: place[key])

    def add_facts(self, *formulas: Expr) -> None:
        for key in (key for formula in formulas for key in refs(formula)):
            if key in self.lines or key in self.plan.inputs:
                continue
            found = self.pick_above(key)
            if found is None:
                continue
            pick, column = found
            one = self.plan.inputs[pick]
            kind = self.plan.catalog.kinds[one.field.kind]  # type: ignore[attr-defined]  # pick_above finds picks only
            about = kind.columns[column]
            known = about.field if isinstance(about.field, QuantityField) else None
            item = LineItem(
                key, LookUp(Ref(pick), column), about.unit.text, label=about.label or column,
                percent=known is not None and known.percent,
            )  # fmt: skip
            self.lines[key] = Offered(item, one.plugin, whole=known is not None and known.whole)

    def pick_above(self, key: str) -> tuple[str, str] | None:
        parts = key.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            pick, column = ".".join(parts[:cut]), ".".join(parts[cut:])
            one = self.plan.inputs.get(pick)
            if one is not None and isinstance(one.field, PickField):
                kind = self.plan.catalog.kinds.get(one.field.kind)
                return (pick, column) if kind and column in kind.columns else None
        return None

    def gone(self, key: str, offer: Offered) -> bool:
        """Tell whether a line is left out because a plugin is off; a line that stands alone becomes n/a instead."""
        missing = self.missing(reads(offer.item.formula), offer.plugin, key)
        if not missing:
            return False
        if offer.item.stands_alone:
            self.lines[key] = evolve(offer, item=evolve(offer.item, formula=Missing(missing)))
            return False
        self.left_out.append(f"{key}: {missing}")
        return True

    def missing(self, wanted: Iterable[str], plugin: str, whose: str) -> str:
        """Return which plugin that is off a formula would need; report what nobody gives at all."""
        groups = groups_of(self.plan)
        for key in wanted:
            group = key.removesuffix(ENTRY) if key.endswith(ENTRY) else ""
            if key in self.lines or key in self.plan.inputs or group in groups:
                continue
            if why := self.off_in(key):
                return why
            if key in self.dropped:
                return f"reads {key}, which is left out"
            what = f"reads {key!r}, which nothing gives{self.hint(key)}"
            if group:
                what = f"reads the group {group!r}, which no plugin declares{near(group, groups)}"
            wrong = Problem(self.whose(plugin, whose), what, (plugin, 0, 0))
            if wrong not in self.problems:
                self.problems.append(wrong)
        return ""

    def hint(self, key: str) -> str:
        parts = key.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            one = self.plan.inputs.get(".".join(parts[:cut]))
            if one is not None and isinstance(one.field, PickField):
                columns = self.plan.catalog.kinds[one.field.kind].columns
                column = ".".join(parts[cut:])
                families = {name.split(".")[0] for name in columns if "." in name}
                if column in families:
                    return f"; write fact({'.'.join(parts[:cut])}, {column!r}, by=…)"
                return f": no fact {column!r} of kind {one.field.kind!r}{near(column, columns)}"
        if broken := self.plan.host.lacking(parts):
            return broken
        return near(key, (*self.lines, *self.plan.inputs))

    def off_in(self, key: str) -> str:
        """Return that a key belongs to a plugin that is off: one of its parts is the plugin's name."""
        for name in sorted(self.plan.host.off):
            if name in key.split("."):
                return f"reads {key}, and plugin {name!r} is off"
        for section in self.plan.left_out:
            if key.startswith(section + "."):
                return f"reads {key}, and no active plugin reads {section!r}"
        if self.plan.host.off and key.endswith(ENTRY):
            return f"reads {key.removesuffix(ENTRY)}, which no active plugin declares"
        return ""

    # ------------------------------------------------------------ order and units

    def order(self) -> list[str]:
        graph = {
            key: [name for name in dict.fromkeys(name for name, _ in now(offer.item.formula)) if name in self.lines]
            for key, offer in self.lines.items()
        }
        try:
            return list(TopologicalSorter(graph).static_order())
        except CycleError as fault:
            circle = fault.args[1]
            who = sorted({self.lines[key].plugin for key in circle})
            start = circle.index(min(circle))
            path = " → ".join([*circle[start:-1], *circle[:start], min(circle)])
            plugins = ", ".join(repr(name) for name in who)
            raise PlanError([Problem("", f"lines read each other in a circle: {path} (plugins {plugins})")]) from None

    def settle(self, ordered: list[str]) -> dict[str, Line]:
        units = _UnitsOf(self.plan, {key: one.unit for key, one in self.plan.inputs.items()} | self.declared_units())
        whole = {key: isinstance(one.field, QuantityField) and one.field.whole for key, one in self.plan.inputs.items()}
        done: dict[str, Line] = {}
        for key in ordered:
            offer = self.lines[key]
            item, want = offer.item, units[key]
            try:
                formula, have = settle(item.formula, units)
                formula = to(formula, have, want)
            except UnitError as fault:
                self.wrong(offer.plugin, key, f"{fault}, in {_shown(item.formula)}")
                continue
            whole[key] = offer.whole or counts(formula, lambda name: whole.get(name, False))
            done[key] = Line(
                key=key, formula=formula, unit=want, label=item.label, plugin=offer.plugin,
                area=self.area(key, offer.plugin), source=item.source,
                percent=item.percent, whole=whole[key], headline=item.headline,
                low=0.0 if item.low is None and self.plan.units.is_counted(want) else item.low, high=item.high,
                chart=item.chart, part=getattr(item, "part", ""), sort=getattr(item, "sort", ""),
                instead_of=offer.instead_of,
            )  # fmt: skip
        self.stop()
        return self.over_time(done)

    def declared_units(self) -> dict[str, Unit]:
        units = {}
        for key, offer in self.lines.items():
            try:
                units[key] = self.plan.units(offer.item.unit.replace("{currency}", self.plan.header.currency))
            except UnitError as fault:
                self.wrong(offer.plugin, key, str(fault))
        self.stop()
        return units

    def over_time(self, lines: dict[str, Line]) -> dict[str, Line]:
        """Return the lines in the order of evaluation: by stage, those over time after the plain ones."""
        given = frozenset(key for key, one in self.plan.inputs.items() if one.by_period)
        try:
            stage, periodic = stages({key: line.formula for key, line in lines.items()}, given)
        except CapframeError as fault:
            raise PlanError([Problem("", str(fault))]) from fault
        openings: dict[str, Expr] = {}
        for key, line in lines.items():
            for name, opening in before(line.formula):
                if openings.setdefault(name, opening) != opening:
                    self.wrong(line.plugin, key, f"gives {name!r} another opening than another line does; keep one")
                if name not in periodic:
                    self.wrong(line.plugin, key, f"reads the previous period of {name!r}, which has no value by period")
            for name, summed in now(line.formula):
                if summed and name not in periodic:
                    self.wrong(line.plugin, key, f"sums {name!r} over time, which has no value by period")
        if not self.plan.timeline and (timed_lines := sorted(key for key in periodic if key in lines)):
            what = f"{timed_lines[0]!r} has a value by period, and the plan has no timeline"
            self.problems.append(Problem("", what))
        timed = [
            evolve(line, over_time=key in periodic, stage=stage[key], opening=openings.get(key))
            for key, line in lines.items()
        ]
        return {line.key: line for line in sorted(timed, key=lambda line: (line.stage, line.over_time))}

    def area(self, key: str, plugin: str) -> str:
        """Return the area of a line: the first part of its key, behind its member, that is an area or a plugin."""
        parts = key.split(".")[2 if self.plan.scope_of(key) else 0 :]
        return parts[0] if parts[0] in self.plan.areas or parts[0] in self.plan.host.plugins else plugin

    def settle_checks(self, lines: dict[str, Line]) -> list[LineCheck]:
        known = {key: one.unit for key, one in self.plan.inputs.items()} | {
            key: line.unit for key, line in lines.items()
        }
        units = _UnitsOf(self.plan, known)
        done = []
        for key, (check, plugin) in self.checks.items():
            if any(name not in known for name in refs(check.test)):
                continue  # its line did not settle, which was reported
            varying = [
                name for name, summed in now(check.test) if not summed and name in lines and lines[name].over_time
            ]
            if varying:
                self.wrong(plugin, key, f"reads {varying[0]!r}, which has a value by period; write over_time(…)")
                continue
            try:
                test, unit = settle(check.test, units)
                if unit != TEST:
                    self.wrong(plugin, key, f"a check needs a comparison, not {unit.text}")
                    continue
            except UnitError as fault:
                self.wrong(plugin, key, f"{fault}, in {_shown(check.test)}")
                continue
            area = self.area(key, plugin)
            done.append(LineCheck(key, test, check.severity, check.message, check.label, plugin, area))
        return done

    def bounds(self, lines: dict[str, Line]) -> Iterator[LineCheck]:
        """Yield a failing check for each line that has bounds: what Python refuses, a workbook must show."""
        for line in lines.values():
            if line.over_time:
                continue
            limits = ((line.low, at_least, "below"), (line.high, at_most, "above"))
            for bound, holds, word in limits:
                if bound is not None:
                    test = holds(Ref(line.key), bound)
                    name = say(line.label, "en")
                    label: Label = {
                        "en": f"{name} is not {word} {bound:g}",
                        "zh": f"{say(line.label, 'zh-CN')} 在界限内",
                    }
                    message = f"{name} is {{{line.key}}}, {word} {bound:g}"
                    key = f"{line.key}.{word}"
                    yield LineCheck(key, test, "error", message, label, line.plugin, line.area, is_bound=True)


@frozen
class _UnitsOf:
    plan: Plan
    units: dict[str, Unit]

    def __getitem__(self, key: str) -> Unit:
        if key.endswith(ENTRY):
            return next(one.unit for one in self.plan.inputs.values() if one.group == key.removesuffix(ENTRY))
        return self.units[key]

    def fact(self, pick: str, column: str) -> Unit:
        field = self.plan.inputs[pick].field
        columns = self.plan.catalog.kinds[field.kind].columns  # type: ignore[attr-defined]  # checked: a pick
        found = [about for name, about in columns.items() if name == column or name.startswith(f"{column}.")]
        if not found:
            msg = f"there is no fact {column!r} of kind {field.kind!r}{near(column, columns)}"  # type: ignore[attr-defined]
            raise UnitError(msg)
        return TEXT if is_a_text(found[0]) else found[0].unit


def _sentences(message: Label) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


def _shown(formula: Expr) -> str:
    return f"`{readable(formula, str)}`"
