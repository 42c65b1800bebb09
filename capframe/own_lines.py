"""What a document adds without a plugin: ``line_items`` with formulas typed as text, and ``claims`` to be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from capframe.document import Node, Place, Scalar, Table, problem
from capframe.entries import Entries
from capframe.errors import Problem, UnitError
from capframe.expr import Function, Ref, Span
from capframe.fields import QuantityField
from capframe.functions import at_most, greatest
from capframe.given import DEFAULT, Given, Origin, QuantityError, other_unit, read_number, unit_typed
from capframe.lines import Check, LineItem
from capframe.names import wrong_with_key, wrong_with_segment
from capframe.parse import ParseError, parse
from capframe.plan import PLAN, Claim, Input, Own
from capframe.reading import LONG_FORM, Context, Wrong, read_given, read_origin
from capframe.sections import Area
from capframe.wording import LANGUAGES, Label, joined, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capframe.expr import Expr
    from capframe.ledger import Line, LineCheck
    from capframe.plan import Plan
    from capframe.units import Unit
    from capframe.whole import Whole  # noqa: TC004 - attrs keeps annotations as text

LINE = ("key", "inputs", "formula", "unit", "label", "percent", "headline", "low", "high", "source")
CLAIM = ("line", "value", "source", "confidence", "date", "note")
EXAMPLE = (
    "`- {key: cost.insurance, inputs: {rate: 0.4 %/y}, formula: rate * cost.capex, unit: CNY/y, label: Insurance}`"
)
LABELLED = "{en: Insurance, zh: 保险}"
NAMELESS = "nameless"
"""Stands for a key that is missing, so that what else is wrong with its entry is told too."""
YES, NO = ("yes", "true", "on"), ("no", "false", "off")
TOLERANCE = "claims.tolerance"
AREA = Area(
    PLAN,
    {"en": "Lines of the plan", "zh": "方案自定义"},
    890,
    {"en": "Added in the plan itself", "zh": "方案文件中添加"},
)
CLAIMS: Label = {"en": "Claims", "zh": "核对数字"}
CALLED: Mapping[str, Label] = {
    "claimed": {"en": "Claimed figure, {}", "zh": "声称数字 {}"},
    "factor": {"en": "Plan against claim, {}", "zh": "方案与声称之比 {}"},
    "agrees": {"en": "{} agrees with the claim", "zh": "{} 与声称数字一致"},
}
"""What a claim adds, by the last part of its key, and how that is called after the label of the claim's line."""


def unlike(claims: Iterable[Claim], unit_of: Callable[[str], Unit | None]) -> Iterator[tuple[Claim, Problem]]:
    """Yield the claims that are in another unit than their line, each with what to write instead.

    Which unit a line has is known only when all plugins have spoken: ``unit_of`` a key that nothing gives is None.
    """
    for claim in claims:
        have, want = unit_of(f"{claim.key}.claimed"), unit_of(claim.line)
        if have is not None and want is not None and have.dims != want.dims:
            yield claim, problem(claim.place, f"claim on {claim.line}: {other_unit(claim.typed, have, want)}")


def called(part: str, line: Label) -> Label:
    """Return how a part of a claim is called; of a line whose label is not known yet, after its key."""
    return {code: say(CALLED[part], tag).format(say(line, tag)) for tag, code in LANGUAGES.items()}


def called_by_label(
    plan: Plan, lines: Mapping[str, Line], checks: Iterable[LineCheck]
) -> tuple[Plan, dict[str, Line], list[LineCheck]]:
    """Return all of them with what claims add called by the labels, which are known when all plugins have spoken."""
    inputs, lines, judged = dict(plan.inputs), dict(lines), {check.key: check for check in checks}
    for claim in plan.own.claims:
        line = lines.get(claim.line) or inputs.get(claim.line)
        if line is None:  # left out with a plugin that is off
            continue
        parts = {part: (f"{claim.key}.{part}", called(part, line.label)) for part in CALLED}
        key, label = parts["claimed"]
        inputs[key] = evolve(inputs[key], field=evolve(inputs[key].field, label=label))
        key, label = parts["factor"]
        lines[key] = evolve(lines[key], label=label)
        key, label = parts["agrees"]
        judged[key] = evolve(judged[key], label=label)
    return evolve(plan, inputs=inputs), lines, list(judged.values())


@frozen
class OwnLines(Entries):
    """Reads both keys; inputs are added to those of the plan, mistakes to ``problems``."""

    context: Context
    functions: Mapping[str, Function]
    spans: Mapping[str, Span]
    """The years and periods of the timeline by their names."""
    inputs: dict[str, Input]
    whole: Whole
    items: list[LineItem] = field(factory=list)
    checks: list[Check] = field(factory=list)
    claims: list[Claim] = field(factory=list)
    keys: dict[str, Place] = field(factory=dict)
    places: dict[str, str] = field(factory=dict)
    left_out: list[Label] = field(factory=list)

    def read(self, lines: Node | None, claims: Node | None) -> Own:
        """Return what both keys add."""
        for entry in self.entries(lines, "line_items", EXAMPLE):
            self.unless_off(self.line, entry, "formula", "key")
        for entry in self.entries(claims, "claims", "`- {line: power.facility, value: 1.2 MW, source: proposal}`"):
            self.unless_off(self.claim, entry, "line", "line")
        sections = {"claims": CLAIMS} if claims is not None else {}
        return Own(
            tuple(self.items), tuple(self.checks), self.places, {PLAN: AREA}, sections, tuple(self.claims),
            tuple(self.left_out),
        )  # fmt: skip

    def unless_off(self, read: Callable[[Table], None], entry: Table, leaf: str, called: str) -> None:
        """Read an entry; leave it out, and say so, where its mistakes are none with the plugins that are off."""
        before, inputs = len(self.problems), dict(self.inputs)
        read(entry)
        at = entry.nodes.get(leaf, entry).place
        if len(self.problems) == before or not self.whole.reads(str(at)):
            return
        name = entry.nodes.get(called)
        what = self.problems[before].what
        del self.problems[before:]
        self.inputs.clear()
        self.inputs.update(inputs)
        which = name.text if isinstance(name, Scalar) else str(at)
        kind: Label = {"en": f"claim on {which}", "zh": f"核对数字 {which}"} if called == "line" else which
        why = self.whole.but_off({"en": what, "zh": "用到插件声明的单位或函数"})
        self.left_out.append(joined([kind, why], ": "))

    # ------------------------------------------------------------ line_items

    def line(self, entry: Table) -> None:
        """Read one line with its inputs; of a line with a mistake nothing is kept but its inputs."""
        before = len(self.problems)
        said = {key: self.text(entry, key) for key in ("key", "formula", "unit", "source")}
        self.known(entry, LINE)
        self.missing(entry, ("key", "formula", "unit", "label"))
        key = said["key"].text if said["key"] else NAMELESS
        if said["key"] and (wrong := wrong_with_key(key)):
            self.problems.append(problem(said["key"].place, wrong))
        elif key in self.keys and key != NAMELESS:
            what = f"{key!r} is given twice, first on line {self.keys[key].line}; give one another key"
            self.problems.append(problem(said["key"].place if said["key"] else entry.place, what))
        self.keys.setdefault(key, entry.place)
        label = self.label(entry.nodes.get("label"), "a label", LABELLED) or key
        local = self.line_inputs(entry.nodes.get("inputs"), key, label)
        formula = self.formula(said["formula"], local)
        unit = self.unit(said["unit"])
        bounds = {name: self.bound(entry, name, unit) for name in ("low", "high")}
        flags = {name: self.flag(entry, name) for name in ("percent", "headline")}
        if formula is not None and unit is not None and said["formula"] is not None and len(self.problems) == before:
            self.places[key] = str(said["formula"].place)
            source = said["source"].text if said["source"] else ""
            item = LineItem(
                key, formula, unit.text, label=label, source=source, percent=flags["percent"],
                headline=flags["headline"], low=bounds["low"], high=bounds["high"],
            )  # fmt: skip
            self.items.append(item)

    def line_inputs(self, node: Node | None, key: str, label: Label) -> dict[str, Expr]:
        """Add the inputs of a line, and return what their names mean in its formula."""
        local: dict[str, Expr] = {}
        if node is None or (isinstance(node, Scalar) and node.blank):
            return local
        if not isinstance(node, Table):
            self.problems.append(problem(node.place, "'inputs' holds names and values: `{rate: 0.4 %/y}`"))
            return local
        for name, leaf in node.nodes.items():
            if wrong := wrong_with_segment(name):
                self.problems.append(problem(node.keys[name], wrong))
                continue
            local[name] = Ref(f"{key}.{name}")
            own, leaf = self.own_label(leaf)  # noqa: PLW2901 - without the label it is a quantity like any other
            called = own or {code: f"{say(label, tag)}: {name.replace('_', ' ')}" for tag, code in LANGUAGES.items()}
            self.add_input(f"{key}.{name}", leaf, called, node.keys[name])
        return local

    def own_label(self, leaf: Node) -> tuple[Label, Node]:
        if not isinstance(leaf, Table) or "label" not in leaf.nodes:
            return "", leaf
        rest = {key: node for key, node in leaf.nodes.items() if key != "label"}
        return self.label(leaf.nodes["label"], "a label", LABELLED), evolve(leaf, nodes=rest)

    def add_input(self, key: str, leaf: Node, label: Label, place: Place) -> Unit | None:
        """Add one input whose unit is the one it was typed with."""
        if key in self.inputs and not key.startswith(NAMELESS):
            self.problems.append(problem(place, f"{key!r} is an input of the plan already; choose another name"))
            return None
        value = leaf.nodes.get("value") if isinstance(leaf, Table) else leaf
        if not isinstance(value, Scalar) or value.blank:
            what = f"{key!r} has a value: a figure with its unit, such as `0.4 %/y`"
            self.problems.append(problem(leaf.place, what))
            return None
        try:
            unit = self.typed_unit(value)
        except Wrong as wrong:
            self.problems.extend(wrong.problems)
            self.wrong_beside(leaf)
            return None
        try:
            percent = value.text.strip().endswith("%")
            about = QuantityField(label=label, unit=unit.text, percent=percent)
            self.inputs[key] = Input(key, about, unit, PLAN, read_given(leaf, about, self.context), {})
        except Wrong as wrong:
            self.problems.extend(wrong.problems)
            return None
        return unit

    def wrong_beside(self, leaf: Node) -> None:
        """Report what else is wrong with an amount whose unit nobody knows."""
        if isinstance(leaf, Table):
            self.known(leaf, LONG_FORM)
            read_origin(leaf.nodes, self.problems)

    def typed_unit(self, value: Scalar) -> Unit:
        """Return the unit behind a figure."""
        try:
            return unit_typed(value.text, self.context.units)
        except UnitError as fault:
            raise Wrong([problem(value.place, f"{value.text!r}: {fault}")]) from fault

    def formula(self, node: Scalar | None, local: Mapping[str, Expr]) -> Expr | None:
        if node is None:
            return None
        try:
            return parse(node.text, local, self.functions, self.spans)
        except ParseError as fault:
            what = str(fault)
            if not node.starts:  # folded, or with escapes: the column cannot be told
                what += f" (at `{node.text[fault.at : fault.at + 20].strip()}`)"
            self.problems.append(problem(node.at(fault.at), what))
            return None

    def unit(self, node: Scalar | None) -> Unit | None:
        try:
            return self.context.units(node.text) if node else None
        except UnitError as fault:
            self.problems.append(problem(node.place, str(fault)) if node else Problem("", str(fault)))
            return None

    def bound(self, entry: Table, name: str, unit: Unit | None) -> float | None:
        node = self.text(entry, name)
        if node is None or unit is None:
            return None
        try:
            return read_number(node.text, unit, self.context.units)
        except QuantityError as fault:
            self.problems.append(problem(node.place, str(fault)))
            return None

    def flag(self, entry: Table, name: str) -> bool:
        node = self.text(entry, name)
        word = node.text.casefold() if node else "no"
        if node and word not in (*YES, *NO):
            self.problems.append(problem(node.place, f"{name!r} is yes or no, not {node.text!r}"))
        return word in YES

    # ------------------------------------------------------------ claims

    def claim(self, entry: Table) -> None:
        """Add the claimed figure as an input, its ratio to the plan's as a line, and the check that they agree."""
        self.known(entry, CLAIM)
        self.missing(entry, ("line", "value"))
        line = self.text(entry, "line")
        value = entry.nodes.get("value")
        if line is not None and (wrong := wrong_with_key(line.text)):
            self.problems.append(problem(line.place, wrong))
            line = None
        if value is None:
            read_origin(entry.nodes, self.problems)
            return
        name, place = (line.text, line.place) if line else (NAMELESS, entry.place)
        key = self.free(f"claims.{name}")
        about = {name: node for name, node in entry.nodes.items() if name in LONG_FORM[3:]}
        leaf = evolve(value, nodes=about | value.nodes) if isinstance(value, Table) else value
        if isinstance(value, Scalar):
            leaf = Table({"value": value} | about, value.place, entry.keys)
        if self.add_input(f"{key}.claimed", leaf, called("claimed", name), place) is None or line is None:
            return
        typed = value.nodes["value"] if isinstance(value, Table) else value
        if isinstance(typed, Scalar):
            self.claims.append(Claim(key, line.text, typed.text, typed.place))
        self.tolerance()
        claimed, factor, own = Ref(f"{key}.claimed"), Ref(f"{key}.factor"), Ref(line.text)
        self.items.append(LineItem(factor, own / claimed, "1", label=called("factor", name)))
        source = say(self.inputs[f"{key}.claimed"].base.origin.source, "en").replace("{", "{{").replace("}", "}}")
        en, zh = (f" ({source})", f"（{source}）") if source else ("", "")
        message: Label = {  # a claim of 0 has no factor
            "en": f"the plan's figure is {own}, the claim {claimed}{{{key}.factor:, a factor of }}{en}",
            "zh": f"方案数字为 {own}, 声称数字为 {claimed}{{{key}.factor:, 之比为 }}{zh}",
        }
        slack = Ref(TOLERANCE)
        apart, size = greatest(own - claimed, claimed - own), greatest(claimed, -claimed)
        test = at_most(apart, slack * size)  # not by the factor, which a claim of 0 has none of
        self.checks.append(Check(Ref(f"{key}.agrees"), test, "warning", message, label=called("agrees", name)))
        for part in ("factor", "agrees"):
            self.places[f"{key}.{part}"] = str(line.place)

    def free(self, key: str) -> str:
        """Return a key for a claim; further claims on one line are numbered."""
        number, found = 1, key
        while f"{found}.claimed" in self.inputs:
            number += 1
            found = f"{key}_{number}"
        return found

    def tolerance(self) -> None:
        if TOLERANCE not in self.inputs:
            origin = Origin(
                {"en": "figures that are rounded to two digits differ by less", "zh": "两位有效数字的取整误差在此之内"}
            )
            label: Label = {"en": "Difference at which a claim still agrees", "zh": "核对数字允许偏差"}
            about = QuantityField(
                label=label, unit="1", percent=True, default="1%", low=0, high=1, between=("0.1%", "5%"), origin=origin
            )
            given = Given(0.01, DEFAULT, 0.001, 0.05, origin)
            self.inputs[TOLERANCE] = Input(TOLERANCE, about, self.context.units("1"), PLAN, given, {})
