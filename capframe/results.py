"""Results: the values of every scenario, and each as it is printed, explained and judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe.evaluation import blame, evaluate, taken, usable
from capframe.expr import NAN, Call, Value, walk
from capframe.fields import PickField
from capframe.figures import NOT_AVAILABLE, figure, patterned
from capframe.functions import unknown
from capframe.given import AUTO
from capframe.lines import slots
from capframe.plan import BASE
from capframe.printing import math as readable
from capframe.units import TEST
from capframe.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capframe.ledger import Ledger, LineCheck  # noqa: TC004 - attrs keeps annotations as text
    from capframe.plan import Input
    from capframe.values import Values
    from capframe.wording import Label

PASS, FAIL = "pass", "fail"
VERDICTS: Mapping[str, Label] = {
    PASS: {"en": "pass", "zh": "通过"},
    FAIL: {"en": "fail", "zh": "未通过"},
    NOT_AVAILABLE: {"en": "n/a", "zh": "无法判断"},
}
"""How every reader is told how a check came out."""
REASON: Label = {"en": "the reason", "zh": "原因"}


@frozen
class Status:
    """How a check came out in one scenario."""

    check: LineCheck
    result: str
    message: str
    reason: str = ""
    """Why it could not be judged, where the result is n/a; where it failed since a figure is lacking, why that is."""
    language: str = "en"

    @property
    def said(self) -> str:
        """Return the sentence with the reason behind it, or the reason alone; the workbook has the sentence only."""
        if self.message and self.reason:
            return f"{self.message}; {say(REASON, self.language)}: {self.reason}"
        return self.message or self.reason


class Results:
    """An evaluated ledger: what exporters get."""

    def __init__(self, ledger: Ledger, columns: Mapping[str, Values]) -> None:
        """Keep the values of each column: base and the scenarios."""
        self.ledger = ledger
        self.plan = ledger.plan
        self._columns = columns

    @property
    def columns(self) -> tuple[str, ...]:
        """Base and the scenarios."""
        return self.plan.columns

    def value(self, key: str, scenario: str = BASE) -> Value:
        """Return the value of a line or an input; nan where it is not available. Over time it is that of the end."""
        values = self._columns[scenario]
        return values.series[key][-1] if values.series.get(key) else values.values[key]

    def series(self, key: str, scenario: str = BASE) -> list[Value]:
        """Return the values of a line over time, one for each period."""
        return self._columns[scenario].series[key]

    def opening(self, key: str, scenario: str = BASE) -> Value:
        """Return what holds before the first period of a line over time; nan where it has none."""
        opening = self.ledger.lines[key].opening
        return NAN if opening is None else evaluate(opening, self._columns[scenario])

    def scope(self, scenario: str = BASE) -> Values:
        """Return the values of a scenario as the readings of a formula ask for them."""
        return self._columns[scenario]

    def reason(self, key: str, scenario: str = BASE) -> str | None:
        """Return why a value is not available."""
        return self._columns[scenario].reasons.get(key)

    def figure(self, key: str, scenario: str = BASE) -> str:
        """Return a value as the brief prints it, without its unit; over time, that of the first and the last period."""
        form, values = self.ledger.format(key), self._columns[scenario].series.get(key)
        if values:
            return f"{figure(values[0], form)} … {figure(values[-1], form)}"
        return figure(self.value(key, scenario), form)

    def with_unit(self, key: str, scenario: str = BASE) -> str:
        """Return a value as the brief prints it, with its unit."""
        unit, shown = self.ledger.unit_in_words(key), self.figure(key, scenario)
        return shown if not unit or shown in {NOT_AVAILABLE, AUTO} else f"{shown} {unit}"

    def numbers_in(self, key: str, scenario: str = BASE) -> str:
        """Return the formula of a line with the figures put in, as it went: the branches that were taken."""
        formula = taken(self.ledger.lines[key].formula, self._columns[scenario])
        return readable(formula, lambda key: self.in_formula(key, scenario), self.plan.header.language)

    def in_formula(self, key: str, scenario: str = BASE) -> str:
        """Return what stands for a key in a formula with figures: its figure, the name of a part, or a label."""
        if not self.ledger.knows(key):
            return self.ledger.label(key, self.plan.header.language)
        if key in self.plan.inputs and isinstance(self.plan.inputs[key].field, PickField):
            return self.ledger.part(key, str(self.value(key, scenario)))
        return self.with_unit(key, scenario)

    def status(self, check: LineCheck, scenario: str = BASE, language: str = "en") -> Status:
        """Return how a check came out, with its sentence filled in where it failed."""
        value = self._columns[scenario].evaluated(check, check.test, TEST)
        if not isinstance(value, bool):
            return Status(check, NOT_AVAILABLE, "", blame(check.test, self._columns[scenario]) or "")
        if value:
            return Status(check, PASS, "")
        return Status(check, FAIL, self.sentence(check, scenario, language), self.lacking(check, scenario), language)

    def lacking(self, check: LineCheck, scenario: str) -> str:
        """Return why a figure is not there whose absence fails a check; or nothing."""
        asked = (node.args[0] for node in walk(check.test) if isinstance(node, Call) and node.function is unknown)
        return next(filter(None, (blame(one, self._columns[scenario]) for one in asked)), "")

    def sentence(self, check: LineCheck, scenario: str, language: str) -> str:
        """Return the sentence of a check, each slot as ``TEXT`` prints it in the workbook."""
        return "".join(
            text + (self._slot(key, lead, scenario) if key else "")
            for text, key, lead in slots(say(check.message, language))
        )

    def _slot(self, key: str, lead: str, scenario: str) -> str:
        value = self.value(key, scenario)
        if isinstance(value, str):
            return lead + value
        if not usable(value):
            return "" if lead else NOT_AVAILABLE
        unit, shown = self.ledger.unit_in_words(key), patterned(value, self.ledger.format(key))
        return lead + (f"{shown} {unit}" if unit else shown)

    def statuses(self, scenario: str = BASE, language: str = "en") -> Iterator[Status]:
        """Yield every check's outcome."""
        return (self.status(check, scenario, language) for check in self.ledger.checks)

    def fails(self, scenario: str = BASE) -> list[Status]:
        """Return the failing checks of severity error."""
        return [one for one in self.statuses(scenario) if one.result == FAIL and one.check.severity == "error"]

    def input(self, key: str) -> Input:
        """Return an input with its origin."""
        return self.plan.inputs[key]
