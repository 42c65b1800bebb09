"""The values of one scenario, while and after they are computed: what the readings of a formula call a scope."""

from __future__ import annotations

import operator
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, TypeGuard

from capframe.errors import PluginError
from capframe.evaluation import blame, evaluate, usable
from capframe.expr import NAN, Span, Value
from capframe.fields import PickField
from capframe.given import AUTO
from capframe.units import TEST, TEXT, Unit
from capframe.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.expr import Expr
    from capframe.ledger import Ledger, Line, LineCheck

NOT_GIVEN = {"en": "{0} not given", "zh": "未给定{0}"}
NOT_AVAILABLE = {"en": "not available", "zh": "无法得出"}


class Values:
    """One value for each plain line and input, one for each period for those over time, and reasons for gaps."""

    def __init__(self, ledger: Ledger, scenario: str) -> None:
        """Start with what the inputs give in a scenario."""
        self.ledger, self.scenario = ledger, scenario
        self.values: dict[str, Value] = {}
        self.series: dict[str, list[Value]] = {}
        self.reasons: dict[str, str] = {}
        self.period: int | None = None
        for key, one in ledger.plan.inputs.items():
            given = one.given(scenario)
            self.values[key] = given.value
            if one.by_period:
                self.series[key] = list(given.series) or [given.value] * len(ledger.plan.timeline)
            if not usable(given.value):
                self.reasons[key] = say(NOT_GIVEN, self.language).format(self.label(key))

    def run(self) -> Iterator[tuple[Line, Value]]:
        """Compute every line, and yield it with its value (with each of its values, if over time)."""
        for (_, over_time), lines in groupby(self.ledger.lines.values(), lambda line: (line.stage, line.over_time)):
            if not over_time:
                for line in lines:
                    self.values[line.key] = value = self.compute(line)
                    yield line, value
                continue
            together = list(lines)
            for line in together:
                self.series[line.key] = []
            for period in range(len(self.ledger.plan.timeline)):
                self.period = period
                for line in together:
                    value = self.compute(line)
                    self.series[line.key].append(value)
                    yield line, value
            self.period = None

    def compute(self, line: Line) -> Value:
        """Return the value of a line, and keep why where it has none.

        Raises:
            PluginError: for a function that raises, or that gives a text for a number or the other way round.
        """
        value = self.evaluated(line, line.formula, line.unit)
        if not usable(value):
            value = NAN
            self.reasons.setdefault(line.key, blame(line.formula, self) or say(NOT_AVAILABLE, self.language))
        return value

    def evaluated(self, about: Line | LineCheck, formula: Expr, due: Unit) -> Value:
        """Return what a line or a check comes to; what a function does wrong is the fault of its plugin.

        Raises:
            PluginError: as ``compute``.
        """
        whose = f"{about.key} (plugin {about.plugin!r})"
        try:
            value: object = evaluate(formula, self)
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as fault:
            msg = f"{whose}: a function of its formula raised {type(fault).__name__}: {fault}"
            raise PluginError(msg) from fault
        if not _keeps(value, due):
            kind = "a text" if due == TEXT else "true or false" if due == TEST else "a number"
            msg = f"{whose}: a function of its formula gives {value!r} where {kind} is due"
            raise PluginError(msg)
        return value

    def __getitem__(self, key: str) -> Value:
        if key in self.series:
            return self.series[key][self.period or 0]
        return self.values[key]

    def before(self, key: str) -> Value | None:
        """Return the value of a line in the period before, or None in the first period."""
        return self.series[key][self.period - 1] if self.period else None

    def so_far(self, key: str) -> list[Value]:
        """Return the values of a line in each period up to this one."""
        return self.series[key][: (self.period or 0) + 1]

    def over_time(self, key: str, span: Span | None = None) -> Value:
        """Return the sum of a line over all periods, or over a span of them."""
        values = self.series[key] if span is None else self.series[key][span.slice]
        if any(not usable(value) for value in values):
            return NAN
        return reduce(operator.add, (value for value in values if isinstance(value, float)), 0.0)  # as add_up()

    def fact(self, pick: str, column: str) -> Value:
        """Return a fact of the part that an input picks; nan where it is not disclosed."""
        field = self.ledger.plan.inputs[pick].field
        if not isinstance(field, PickField):
            return NAN
        part = self.values[pick]
        return self.ledger.plan.catalog.kinds[field.kind].fact(str(part), column).value

    def reason(self, key: str) -> str | None:
        """Return why a key has no value."""
        return self.reasons.get(key)

    def label(self, key: str) -> str:
        """Return how a key is called, with the member it belongs to."""
        scope, label = self.ledger.plan.scope_of(key), self.ledger.label(key, self.language)
        return f"{label} ({scope[1]})" if scope and self.ledger.knows(key) else label

    def column(self, pick: str, column: str) -> str:
        """Return how a fact of the part that an input picks is called."""
        return say(self.ledger.plan.label(f"{pick}.{column}"), self.language)

    def part(self, pick: str) -> str:
        """Return how the part that an input picks is called."""
        return self.ledger.part(pick, str(self.values[pick]))

    @property
    def language(self) -> str:
        """The language of reasons: that of the plan."""
        return self.ledger.plan.header.language


def _keeps(value: object, due: Unit) -> TypeGuard[Value]:
    """Tell whether functions kept what their units promise; what is not available is nan everywhere."""
    if (isinstance(value, float) and not usable(value)) or value == AUTO:  # `auto` stands for a number not given
        return True
    if due in (TEXT, TEST):
        return isinstance(value, str if due == TEXT else bool)
    return isinstance(value, int | float) and not isinstance(value, bool)
