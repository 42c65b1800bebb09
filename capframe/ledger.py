"""The ledger: settled lines and checks in dependency order, and their values in every scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from capframe.errors import PlanError, Problem
from capframe.evaluation import usable
from capframe.expr import Expr, Value, refs
from capframe.fields import PickField, QuantityField
from capframe.figures import FORMATS, Format
from capframe.functions import tolerance
from capframe.lines import ROLES
from capframe.plan import BASE, Plan
from capframe.printing import math as readable
from capframe.results import Results
from capframe.units import TEXT, Unit
from capframe.values import Values
from capframe.wording import Label, say

if TYPE_CHECKING:
    from capframe.compiled import Compiled
    from capframe.expr import Ref


@frozen(kw_only=True)
class Line:
    """One settled figure: every change of scale stands in its formula."""

    key: str
    formula: Expr
    unit: Unit
    label: Label
    plugin: str
    area: str
    source: Label = ""
    percent: bool = False
    whole: bool = False
    headline: bool = False
    low: float | None = None
    high: float | None = None
    chart: Label = ""
    part: str = ""
    """The input that picks its part, for a line that counts what is bought."""
    sort: Label = ""
    """The group it stands under in the bill of materials."""
    role: str = ""
    """What it is bought as, one of ``ROLES``."""
    over_time: bool = False
    """Whether it has a value for each period."""
    opening: Expr | None = None
    """What holds before the first period, for a line whose previous period is read."""
    stage: int = 0
    """When it is evaluated: sums over time open a new stage."""
    instead_of: str = ""
    """The plugin whose line this one replaces."""


@frozen
class LineCheck:
    """One settled check."""

    key: str
    test: Expr
    severity: str
    message: Label
    label: Label
    plugin: str
    area: str
    is_bound: bool = False


@frozen
class Ledger:
    """All lines and checks of a plan, in dependency order, units settled. It never changes."""

    plan: Plan
    lines: Mapping[str, Line]
    checks: tuple[LineCheck, ...]
    left_out: tuple[str, ...] = ()
    """Lines and checks that need a plugin that is off, and why."""

    @property
    def items(self) -> list[Line]:
        """The lines that count what is bought, as bills list them: by role, members before the plan."""
        bought = (line for line in self.lines.values() if line.part)
        return sorted(bought, key=lambda line: (ROLES.index(line.role), self.plan.scope_of(line.key) is None))

    def evaluate(self) -> Results:
        """Return the values of every line in base and in every scenario.

        Raises:
            PlanError: where a line is outside its bounds, naming plugin and line.
        """
        columns = {name: Values(self, name) for name in self.plan.columns}
        problems: list[Problem] = []
        for values in columns.values():
            for line, value in values.run():
                if wrong := outside(line, value):
                    where = f"{line.key} (plugin {line.plugin!r}, scenario {values.scenario!r})"
                    problems.append(Problem(where, wrong, (line.plugin, len(problems), 0)))
        if problems:
            raise PlanError(problems)
        return Results(self, columns)

    def compile(self, outputs: Iterable[Ref | str], free: Iterable[Ref | str], *, scenario: str = BASE) -> Compiled:
        """Return lines and checks as one function over numpy arrays of the ``free`` inputs; the rest is as given.

        Raises:
            CapframeError: for outputs that are no lines or checks, and free keys that are no inputs.
        """
        from capframe.compiled import compile_ledger

        return compile_ledger(self, Values(self, scenario), outputs, free)

    def label(self, key: str, language: str = "en") -> str:
        """Return how a line, an input, a group, or a fact of what an input picks is called."""
        about = self.lines.get(key) or self.plan.inputs.get(key)
        return say(about.label if about else self.plan.label(key), language)

    def knows(self, key: str) -> bool:
        """Tell whether there is a line or an input of that key."""
        return key in self.lines or key in self.plan.inputs

    def part(self, pick: str, part: str, language: str = "") -> str:
        """Return how a part is called that an input may pick; in the plan's language, unless another is named."""
        field = self.plan.inputs[pick].field
        record = self.plan.catalog.kinds[field.kind].records.get(part) if isinstance(field, PickField) else None
        return say(record.name, language or self.plan.header.language) if record else part

    def unit(self, key: str) -> Unit:
        """Return the unit of a line or an input."""
        about = self.lines.get(key) or self.plan.inputs[key]
        return about.unit

    def unit_in_words(self, key: str) -> str:
        """Return the unit as it stands behind a figure, in the plan's language; nothing for plain numbers."""
        return self.plan.units.in_words(self.unit(key), self.plan.header.language)

    def format(self, key: str) -> Format:
        """Return how the figures of a line or an input are shown."""
        if key in self.lines:
            line = self.lines[key]
            return self.format_of(line.unit, whole=line.whole, percent=line.percent)
        field = self.plan.inputs[key].field
        if not isinstance(field, QuantityField):
            return FORMATS["text"]
        return self.format_of(self.plan.inputs[key].unit, whole=field.whole, percent=field.percent)

    def format_of(self, unit: Unit, *, whole: bool = False, percent: bool = False) -> Format:
        """Return how figures of a unit are shown."""
        if unit == TEXT:
            return FORMATS["text"]
        if percent or unit.text.startswith("%"):
            return FORMATS["percent"] if unit.factor == 1 else FORMATS["number"]
        if name := self.plan.units.figures.get(unit.text):
            return FORMATS[name]
        if whole:
            return FORMATS["count"]
        return FORMATS["things" if self.plan.units.shows_things(unit) else "number"]

    def formula_in_words(self, key: str, language: str = "en") -> str:
        """Return the formula of a line with the labels of what it reads; labels that occur twice say whose they are."""
        formula = self.lines[key].formula
        labels = Counter(self.label(name, language) for name in {key, *refs(formula)})

        def name(key: str) -> str:
            label = self.label(key, language)
            return label if labels[label] <= 1 or not self.knows(key) else self.full_label(key, language)

        return readable(formula, name, language)

    def full_label(self, key: str, language: str = "en") -> str:
        """Return how a key is called, with the member it belongs to, or else its area."""
        label, scope = self.label(key, language), self.plan.scope_of(key)
        if scope:
            return f"{label} ({scope[1]})"
        area = self.plan.areas.get(self.lines[key].area if key in self.lines else key.split(".", maxsplit=1)[0])
        return f"{label} ({say(area.label, language)})" if area else label


def outside(line: Line, value: Value) -> str:
    """Return what is wrong with a value that is outside the bounds of its line, or nothing."""
    if isinstance(value, str | bool) or not usable(value):
        return ""
    shown = f"is {value:g}" if line.unit.text == "1" else f"is {value:g} {line.unit}"
    if line.low is not None and line.low - value > tolerance(value, line.low):
        return f"{shown}, below {line.low:g}"
    if line.high is not None and value - line.high > tolerance(value, line.high):
        return f"{shown}, above {line.high:g}"
    return ""
