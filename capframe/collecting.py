"""What plugins and the plan itself give to a ledger: lines and checks by key, clashes told, replacements done."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from capframe.errors import PlanError, Problem, UnitError, near
from capframe.expr import Call, Expr, Ref, literals, walk
from capframe.fields import PickField
from capframe.functions import FUNCTIONS
from capframe.lines import Check, Item, LineItem
from capframe.names import wrong_with_key
from capframe.plan import PLAN, Member, Plan
from capframe.portable import lacking
from capframe.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.catalog import Kind


@frozen
class Offered:
    """A line item and who gives it."""

    item: LineItem
    plugin: str
    instead_of: Offered | None = None
    """The line that it replaces."""
    whole: bool = False
    """Whether it reads a fact that is always a whole number."""


@frozen
class Collected:
    """The lines and checks of a plan by key, and the problems of the step at hand."""

    plan: Plan
    lost: frozenset[str] = frozenset()
    """Items that plugins do not see, since their lines are left out."""
    lines: dict[str, Offered] = field(factory=dict)
    checks: dict[str, tuple[Check, str]] = field(factory=dict)
    problems: list[Problem] = field(factory=list)
    bought: dict[str, Member] = field(factory=dict)
    left_out: list[str] = field(factory=list)

    def stop(self) -> None:
        if self.problems:
            raise PlanError(self.problems)

    def wrong(self, plugin: str, key: str, what: str) -> None:
        self.problems.append(Problem(self.whose(plugin, key), what, (plugin, len(self.problems), 0)))

    def whose(self, plugin: str, key: str) -> str:
        """Return a key with its plugin, and with its place where the document itself gives it."""
        place = self.plan.own.places.get(key.removeprefix("check ")) if plugin == PLAN else None
        return f"{place}: {key}" if place else f"{key} (plugin {plugin!r})"

    def ask(self, hook: str) -> Iterator[tuple[str, Any]]:
        outline = self.plan.outline.with_items(self.bought.values())
        offered = self.plan.host.collect(hook, plan=outline, p=Ref(""))
        yield from offered
        yield from ((PLAN, item) for item in self.plan.own.offered(hook))

    def collect(self) -> None:
        given: dict[str, Offered] = {}
        replacing: dict[str, Offered] = {}
        self.left_out.extend(say(one, self.plan.header.language) for one in self.plan.own.left_out)
        items = list(self.ask("capframe_items"))
        self.buy(items)
        lines = list(self.ask("capframe_line_items"))
        for plugin, item in lines:
            if isinstance(item, Item):
                self.wrong(plugin, item.key, "is bought; yield it from capframe_items, where other plugins see it")
        for plugin, item in (*items, *lines):
            book = replacing if item.replaces else given
            if wrong := wrong_with_key(item.key):
                self.wrong(plugin, item.key, wrong)
            elif item.key in self.plan.inputs:
                self.wrong(plugin, item.key, "is an input of the plan already; give the line another key")
            elif self.pick_above(item.key):
                self.wrong(plugin, item.key, "is a fact of the catalogue already; give the line another key")
            elif item.key in book:
                self.wrong(plugin, item.key, _twice(book[item.key].plugin, plugin, replaces=item.replaces))
            else:
                book[item.key] = Offered(item, plugin)
        self.replace(given, replacing)
        self.lines.update(given)
        for key, offer in self.lines.items():
            self.sound(offer.plugin, key, offer.item.formula)

    def buy(self, items: list[tuple[str, Item]]) -> None:
        """Let plugins see what is bought while they give their lines."""
        for plugin, item in items:
            one = self.plan.inputs.get(item.part)
            if one is None or not isinstance(one.field, PickField):
                self.wrong(plugin, item.key, f"buys {item.part!r}, which is no input that picks a part")
            elif item.key not in self.lost:
                kind = self.plan.catalog.kinds.get(one.field.kind)
                if kind and (wrong := self.miscounted(item, kind)):
                    self.wrong(plugin, item.key, wrong)
                    continue
                structure = {name: getattr(item, name) for name in ("part", "role", "unit")}
                structure |= {"label": item.called or item.label, "kind": one.field.kind}
                structure["facts"] = frozenset(kind.columns if kind else ())
                self.bought[item.key] = Member(item.key, structure)

    def miscounted(self, item: Item, kind: Kind) -> str:
        """Return what is wrong with the unit of what is bought, since every fact of its part is of one of something."""
        units = self.plan.units
        try:
            have = units(item.unit)
        except UnitError as fault:
            return str(fault)
        families = [group.of for group in self.plan.groups.values() if group.of and kind.family(group.of)]
        behind = (column.unit.text.rpartition("/")[2] for column in kind.columns.values() if "/" in column.unit.text)
        facts = [kind.per(family) for family in families] or behind
        things = sorted({one for one in facts if units.knows(one) and units.is_counted(units(one))})
        if not things or any(units(one).dims == have.dims for one in things):
            return ""
        wanted = " or ".join(things)
        return f"counts {item.part} in {have.text}, and facts of kind {kind.name!r} are of one {wanted}; count in that"

    def sound(self, plugin: str, key: str, formula: Expr) -> None:
        for function in dict.fromkeys(node.function for node in walk(formula) if isinstance(node, Call)):
            if FUNCTIONS.get(function.name) is not function and (what := lacking(function)):
                self.wrong(plugin, key, f"function {function.name!r}: {what}")
        for value in literals(formula):
            if not math.isfinite(value):
                self.wrong(plugin, key, f"its formula holds {value}; a formula holds finite numbers only")

    def replace(self, given: dict[str, Offered], replacing: dict[str, Offered]) -> None:
        for key, offer in replacing.items():
            if key in given:
                given[key] = evolve(offer, instead_of=given[key])
            elif self.plan.host.off:  # whose line it was cannot be asked of a plugin that is off
                given[key] = offer
            else:
                self.wrong(offer.plugin, key, f"replaces a line that no plugin gives{near(key, given)}")

    def collect_checks(self) -> None:
        for plugin, check in self.ask("capframe_checks"):
            if check.key in self.checks:
                others = f"{self.checks[check.key][1]!r} and {plugin!r}"
                self.wrong(plugin, check.key, f"is a check of both {others}; give one another key")
            if wrong := wrong_with_key(check.key):
                self.wrong(plugin, f"check {check.key}", wrong)
            self.sound(plugin, f"check {check.key}", check.test)
            self.checks[check.key] = check, plugin

    def pick_above(self, key: str) -> tuple[str, str] | None:
        parts = key.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            pick, column = ".".join(parts[:cut]), ".".join(parts[cut:])
            one = self.plan.inputs.get(pick)
            if one is not None and isinstance(one.field, PickField):
                kind = self.plan.catalog.kinds.get(one.field.kind)
                return (pick, column) if kind and column in kind.columns else None
        return None


def _twice(first: str, second: str, *, replaces: bool) -> str:
    """Return what to say of a line that two give; the plan is asked last, and can neither replace nor be off."""
    if second == PLAN:
        return f"is a line of plugin {first!r} already; give yours another key"
    others = f"{first!r} and {second!r}"
    if replaces:
        return f"is replaced by both {others}; switch one off (--no-plugin)"
    return f"is given by both {others}; let one say replaces=True, or switch one off (--no-plugin)"
