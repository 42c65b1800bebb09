"""From what plugins yield to a ledger: collect and replace, resolve references, order, settle units.

The problems of a step are gathered and raised together, each with its plugin.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from capframe.catalog import is_a_text
from capframe.collecting import Collected
from capframe.errors import CapframeError, PlanError, Problem, UnitError, near
from capframe.expr import Expr, OverTime, Ref, refs
from capframe.fields import QuantityField
from capframe.functions import at_least, at_most
from capframe.groups import field_of
from capframe.ledger import Ledger, Line, LineCheck
from capframe.lines import ROLES
from capframe.plan import PLAN, Plan
from capframe.printing import math as readable
from capframe.reading import Context
from capframe.resolving import resolve
from capframe.settling import counts, settle, to
from capframe.timeline import InTime, in_time, stages
from capframe.units import TEST, TEXT, Unit
from capframe.wording import Label, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def assemble(plan: Plan) -> Ledger:
    """Return the settled ledger of a plan.

    Raises:
        PlanError: with every clash, missing reference, circle or unit that does not fit.
    """
    work = collected(plan)
    settling = _Settling(work)
    settled = settling.settle(settling.order())
    if work.problems:
        settling.settle_checks(settled)  # so that mistakes of checks are told together with those of lines
    work.stop()
    lines = settling.over_time(settled)
    checks = settling.settle_checks(lines)
    work.stop()
    if plan.own.claims:
        from capframe.own_lines import called_by_label

        plan, lines, checks = called_by_label(plan, lines, checks)
    return Ledger(plan, lines, (*checks, *settling.bounds(lines)), tuple(work.left_out))


def collected(plan: Plan) -> Collected:
    """Return what plugins yield, with every reference resolved; they see only items that are not left out."""
    lost: frozenset[str] = frozenset()
    while True:
        work = Collected(plan, lost)
        work.collect()
        work.collect_checks()
        work.stop()
        resolve(work)
        work.stop()
        left_out = work.bought.keys() - work.lines.keys()
        if not left_out:
            return work
        lost |= left_out  # sums over items would be left out with the one that reads a plugin that is off


def by_role(ordered: list[str], reads: Mapping[str, Iterable[str]]) -> list[str]:
    """Return an order in which sums by role (``cost.by_role.it`` …) stand together, in the order of roles.

    They stand where the last of them stood, unless a line between them reads one.
    """
    sums: dict[str, list[str]] = {}
    for key in ordered:
        parent, _, role = key.rpartition(".")
        if parent.endswith(".by_role") and role in ROLES:
            sums.setdefault(parent, []).append(key)
    done = list(ordered)
    for keys in sums.values():
        first, behind = done.index(keys[0]), done.index(keys[-1]) + 1
        between = [key for key in done[first:behind] if key not in keys]
        if not any(name in keys for key in between for name in reads[key]):
            done[first:behind] = [*between, *sorted(keys, key=lambda key: ROLES.index(key.rpartition(".")[2]))]
    return done


@frozen
class _Settling:
    work: Collected

    def order(self) -> list[str]:
        lines = self.work.lines
        graph = {
            key: [name for name in dict.fromkeys(name for name, _ in in_time(offer.item.formula).now) if name in lines]
            for key, offer in lines.items()
        }
        try:
            return by_role(list(TopologicalSorter(graph).static_order()), graph)
        except CycleError as fault:
            raise PlanError([self.circle(fault.args[1][:-1])]) from None

    def circle(self, keys: list[str]) -> Problem:
        """Return what to say of lines that read each other: whose they are, or where in the document."""
        places = {key: self.work.plan.own.places[key] for key in keys if self.work.lines[key].plugin == PLAN}
        start = keys.index(min(places, default=min(keys)))
        first, *rest = [*keys[start:], *keys[:start]]
        path = [first, *(f"{key} ({places[key]})" if key in places else key for key in rest), first]
        plugins = ", ".join(repr(name) for name in sorted({self.work.lines[key].plugin for key in keys} - {PLAN}))
        what = f"lines read each other in a circle: {' → '.join(path)}" + (f" (plugins {plugins})" if plugins else "")
        return Problem(places.get(first, ""), what)

    def settle(self, ordered: list[str]) -> dict[str, Line]:
        plan = self.work.plan
        units = _UnitsOf(plan, {key: one.unit for key, one in plan.inputs.items()} | self.declared_units())
        whole = {key: isinstance(one.field, QuantityField) and one.field.whole for key, one in plan.inputs.items()}
        self.refuse_claims(units)
        done: dict[str, Line] = {}
        for key in ordered:
            if key not in self.work.lines:
                continue
            offer = self.work.lines[key]
            item, want = offer.item, units[key]
            try:
                formula, have = settle(item.formula, units)
                formula = to(formula, have, want)
            except UnitError as fault:
                self.work.wrong(offer.plugin, key, f"{fault}, in {_shown(item.formula)}")
                continue
            whole[key] = offer.whole or counts(formula, lambda name: whole.get(name, False))
            done[key] = Line(
                key=key, formula=formula, unit=want, label=item.label, plugin=offer.plugin,
                area=self.area(key, offer.plugin), source=item.source,
                percent=item.percent, whole=whole[key], headline=item.headline,
                low=0.0 if item.low is None and plan.units.is_counted(want) else item.low, high=item.high,
                chart=item.chart, part=getattr(item, "part", ""), sort=getattr(item, "sort", ""),
                role=getattr(item, "role", ""),
                instead_of=offer.instead_of.plugin if offer.instead_of else "",
            )  # fmt: skip
        return done

    def refuse_claims(self, units: _UnitsOf) -> None:
        """Take out claims in another unit than their line, whose lines could not settle."""
        if not self.work.plan.own.claims:
            return
        from capframe.own_lines import unlike

        for claim, wrong in unlike(self.work.plan.own.claims, units.units.get):
            self.work.problems.append(wrong)
            self.work.lines.pop(f"{claim.key}.factor", None)
            self.work.checks.pop(f"{claim.key}.agrees", None)

    def declared_units(self) -> dict[str, Unit]:
        units = {}
        for key, offer in self.work.lines.items():
            try:
                units[key] = self.work.plan.units(offer.item.unit.replace("{currency}", self.work.plan.header.currency))
            except UnitError as fault:
                self.work.wrong(offer.plugin, key, str(fault))
        self.work.stop()
        return units

    def over_time(self, lines: dict[str, Line]) -> dict[str, Line]:
        """Return the lines in the order of evaluation: by stage, those over time after the plain ones."""
        given = frozenset(key for key, one in self.work.plan.inputs.items() if one.by_period)
        read = {key: in_time(line.formula) for key, line in lines.items()}
        try:
            stage, periodic = stages(read, given)
        except CapframeError as fault:
            raise PlanError([Problem("", str(fault))]) from fault
        openings: dict[str, Expr] = {}
        for key, line in lines.items():
            for name, opening in read[key].before:
                if openings.setdefault(name, opening) != opening:
                    what = f"gives {name!r} another opening than another line does; keep one"
                    self.work.wrong(line.plugin, key, what)
                if name not in periodic:
                    what = f"reads the previous period of {name!r}, which has no value by period"
                    self.work.wrong(line.plugin, key, what)
        if not self.work.plan.timeline and (timed_lines := sorted(key for key in periodic if key in lines)):
            what = f"{timed_lines[0]!r} has a value by period, and the plan has no timeline"
            self.work.problems.append(Problem("", what))
        self.check_sums(lines, read, periodic)
        timed = [
            evolve(line, over_time=key in periodic, stage=stage[key], opening=openings.get(key))
            if key in periodic or stage[key]
            else line
            for key, line in lines.items()
        ]
        return {line.key: line for line in sorted(timed, key=lambda line: (line.stage, line.over_time))}

    def check_sums(self, lines: dict[str, Line], read: dict[str, InTime], periodic: set[str]) -> None:
        """Refuse sums of what has no periods, and over periods that the plan does not have."""
        periods = len(self.work.plan.timeline)
        for key, line in lines.items():
            for name in dict.fromkeys([*(name for name, summed in read[key].now if summed), *read[key].last]):
                if name not in periodic:
                    self.work.wrong(line.plugin, key, f"sums {name!r} over time, which has no value by period")
            for span in read[key].spans:
                if not 0 <= span.first <= span.last < periods:
                    what = f"sums over periods {span.first} to {span.last} of {periods}; the first is 0"
                    self.work.wrong(line.plugin, key, what)

    def area(self, key: str, plugin: str) -> str:
        """Return the area of a line: the first part of its key, behind its member, that is an area or a plugin."""
        parts = key.split(".")[2 if self.work.plan.scope_of(key) else 0 :]
        return parts[0] if parts[0] in self.work.plan.areas or parts[0] in self.work.plan.host.plugins else plugin

    def settle_checks(self, lines: dict[str, Line]) -> list[LineCheck]:
        known = {key: one.unit for key, one in self.work.plan.inputs.items()} | {
            key: line.unit for key, line in lines.items()
        }
        units = _UnitsOf(self.work.plan, known)
        done = []
        for key, (check, plugin) in self.work.checks.items():
            if any(name not in known for name in refs(check.test)):
                continue  # its line did not settle, which was reported
            if varying := self.varying(check.test, lines):
                advice = self.claimable(varying, lines) if plugin == PLAN else "write over_time(…)"
                self.work.wrong(plugin, key, f"reads {varying!r}, which has a value by period; {advice}")
                continue
            try:
                test, unit = settle(check.test, units)
                if unit != TEST:
                    self.work.wrong(plugin, key, f"a check needs a comparison, not {unit.text}")
                    continue
            except UnitError as fault:
                self.work.wrong(plugin, key, f"{fault}, in {_shown(check.test)}")
                continue
            area = self.area(key, plugin)
            done.append(LineCheck(key, test, check.severity, check.message, check.label, plugin, area))
        return done

    def varying(self, test: Expr, lines: dict[str, Line]) -> str:
        """Return what a test reads that has a value by period, or nothing."""
        read, inputs = in_time(test), self.work.plan.inputs
        timed = (
            name
            for name, summed in read.now
            if not summed and (lines[name].over_time if name in lines else inputs[name].by_period)
        )
        return next(chain(timed, read.last), "")

    @staticmethod
    def claimable(key: str, lines: dict[str, Line]) -> str:
        """Say which lines, each one figure, sum a line over time: those can be claimed."""
        sums = [
            name for name, line in lines.items() if isinstance(line.formula, OverTime) and line.formula.line == Ref(key)
        ]
        if not sums:
            return f"claim a line of your own that sums it, with the formula over_time({key})"
        return f"claim one of {', '.join(sums)}" if len(sums) > 1 else f"claim {sums[0]}"

    def bounds(self, lines: dict[str, Line]) -> Iterator[LineCheck]:
        """Yield a failing check for each line that has bounds: what Python refuses, a workbook must show."""
        for line in lines.values():
            if line.over_time:
                continue
            limits = ((line.low, at_least, "below", "低于"), (line.high, at_most, "above", "高于"))
            for bound, holds, word, chinese in limits:
                if bound is not None:
                    test = holds(Ref(line.key), bound)
                    name, ours = say(line.label, "en"), say(line.label, "zh-CN")
                    label: Label = {
                        "en": f"{name} is not {word} {bound:g}",
                        "zh": f"{ours}不{chinese} {bound:g}",
                    }
                    message: Label = {
                        "en": f"{name} is {{{line.key}}}, {word} {bound:g}",
                        "zh": f"{ours}为 {{{line.key}}}, {chinese} {bound:g}",
                    }
                    key = f"{line.key}.{word}"
                    yield LineCheck(key, test, "error", message, label, line.plugin, line.area, is_bound=True)


@frozen
class _UnitsOf:
    plan: Plan
    units: dict[str, Unit]

    def __getitem__(self, key: str) -> Unit:
        return self.units[key]

    def entry(self, group: str, pick: str) -> Unit:
        field = self.plan.inputs[pick].field
        kind = self.plan.catalog.kinds[field.kind]  # type: ignore[attr-defined]  # checked: a pick
        context = Context(self.plan.units, self.plan.header.currency, self.plan.catalog)
        return field_of(self.plan.groups[group], kind).unit_in(context)

    def fact(self, pick: str, column: str) -> Unit:
        field = self.plan.inputs[pick].field
        columns = self.plan.catalog.kinds[field.kind].columns  # type: ignore[attr-defined]  # checked: a pick
        found = [about for name, about in columns.items() if name == column or name.startswith(f"{column}.")]
        if not found:
            msg = f"there is no fact {column!r} of kind {field.kind!r}{near(column, columns)}"  # type: ignore[attr-defined]
            raise UnitError(msg)
        return TEXT if is_a_text(found[0]) else found[0].unit


def _shown(formula: Expr) -> str:
    return f"`{readable(formula, str, 'en')}`"
