"""Results as the brief reads them: by key where there is one, in the plan's language, remembering what was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import AUTO, DEFAULT, CapframeError, PickField, figure, say
from capframe_plugins.brief.words import Words

if TYPE_CHECKING:
    from capframe import Given, Input, Label, Results
    from capframe_plugins.brief.markdown import Markdown

BASE = "base"
EXPECTED = ("cluster", "compute", "memory", "network", "storage", "power", "failures", "cost")
"""The areas that a plan for a cluster is expected to say something about."""


class Reader:
    """What the sections of the brief ask. A key that nothing gives is told apart from one without a value."""

    def __init__(self, results: Results) -> None:
        """Read results in the language of their plan."""
        self.results, self.plan, self.ledger = results, results.plan, results.ledger
        self.language = self.plan.header.language
        currencies = (self.plan.header.currency, *self.rates())
        self.words = Words(self.language, dict.fromkeys(currencies), self.unit_in_words)
        self.printed: set[str] = set()
        """Keys of the lines that were shown."""

    def unit_in_words(self, unit: str) -> str:
        """Return a unit as figures carry it; one that no active plugin declares as it is."""
        try:
            return self.plan.units.in_words(self.plan.units(unit), self.language)
        except CapframeError:
            return unit

    @property
    def currency(self) -> str:
        """Return how amounts of the plan are worded: ``CNY``, ``元``."""
        return self.unit_in_words(self.plan.header.currency)

    def rates(self) -> list[str]:
        """Return the currencies that the plan has an exchange rate for."""
        return [key.removeprefix("rates.") for key, one in self.plan.inputs.items() if one.group == "rates"]

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Base and the scenarios."""
        return self.results.columns

    def scenario(self, name: str) -> str:
        """Return how a scenario is called."""
        return self.words("base") if name == BASE else name

    def members(self, collection: str) -> list[str]:
        """Return the names in a collection; none where no plugin declares it."""
        return list(getattr(self.plan.outline, collection)) if collection in self.plan.collections else []

    # ---------------------------------------------------------------- figures

    def has(self, key: str) -> bool:
        """Tell whether there is a line or an input of that key."""
        return self.ledger.knows(key)

    def known(self, key: str, scenario: str = BASE) -> bool:
        """Tell whether there is a value."""
        return self.has(key) and self.results.reason(key, scenario) is None

    def is_auto(self, key: str, scenario: str = BASE) -> bool:
        """Tell whether an input is left to be computed."""
        return self.results.value(key, scenario) == AUTO

    def shown(self, key: str, scenario: str = BASE) -> str:
        """Return a figure with its unit, a part by its name."""
        self.printed.add(key)
        if part := self.part(key, scenario):
            return part
        return self.words.units(self.results.with_unit(key, scenario))

    def reason(self, key: str, scenario: str = BASE) -> str:
        """Return why there is no value."""
        return self.results.reason(key, scenario) or ""

    def part(self, key: str, scenario: str = BASE) -> str:
        """Return the name of the part that an input picks, or nothing where it picks none."""
        kind = self.kind(key)
        return self.part_name(kind, str(self.results.value(key, scenario))) if kind else ""

    def kind(self, key: str) -> str:
        """Return the kind of part that an input picks, or nothing where it picks none."""
        one = self.plan.inputs.get(key)
        return one.field.kind if one is not None and isinstance(one.field, PickField) else ""

    def part_name(self, kind: str, part: str) -> str:
        """Return the name of a catalogue record."""
        record = self.plan.catalog.kinds[kind].records.get(part)
        return say(record.name, self.language) if record else part

    def in_words(self, key: str) -> str:
        """Return the formula of a line in words."""
        return self.ledger.formula_in_words(key, self.language)

    def in_numbers(self, key: str, scenario: str = BASE) -> str:
        """Return the formula of a line with its numbers put in."""
        return self.words.units(self.results.numbers_in(key, scenario))

    def figure(self, key: str, scenario: str = BASE) -> str:
        """Return a figure whose unit stands above it."""
        self.printed.add(key)
        return self.results.figure(key, scenario)

    def uncounted(self) -> list[Markdown]:
        """Return the areas that no line of this plan is about."""
        there = {line.area for line in self.ledger.lines.values()}
        return [self.words(f"area_{area}") for area in EXPECTED if area not in there]

    # ---------------------------------------------------------------- inputs

    def given(self, one: Input, value: float | str) -> str:
        """Return a value that was given for an input, in its unit: low, high, or the value itself."""
        unit, text = self.ledger.unit_in_words(one.key), figure(value, self.ledger.format(one.key))
        return text if isinstance(value, str) or not unit else self.words.units(f"{text} {unit}")

    def origin(self, key: str, scenario: str = BASE) -> str:
        """Return where the value of an input came from, in a few words."""
        given = self.plan.inputs[key].given(scenario)
        if given.value == AUTO:
            return self.words("computed")
        source = self.say(given.origin.source)
        if given.at == DEFAULT:
            return self.words("default", source=source) if source else self.words("at_default")
        return self.words("given", source=source) if source else self.words("given_without_source")

    def fact(self, pick: str, column: str, scenario: str) -> Given:
        """Return a fact of the part that an input picks, with its origin."""
        return self.plan.catalog.kinds[self.kind(pick)].fact(str(self.results.value(pick, scenario)), column)

    # ---------------------------------------------------------------- names

    def say(self, label: Label) -> str:
        """Return a label in the language of the plan."""
        return say(label, self.language)

    def label(self, key: str) -> str:
        """Return how a line or an input is called."""
        return self.ledger.label(key, self.language)

    def where(self, key: str) -> str:
        """Return what a key is about: a member of a collection, an entry of a group, or a section."""
        if scope := self.plan.scope_of(key):
            return scope[1]
        one = self.plan.inputs.get(key)
        if one is not None and one.group:
            name = key.removeprefix(f"{one.group}.")
            return next(
                (self.part_name(kind, name) for kind, of in self.plan.catalog.kinds.items() if name in of.records), name
            )
        first = key.split(".", maxsplit=1)[0]
        area = self.plan.areas.get(first)
        return self.say(self.plan.sections.get(first) or (area.label if area else "") or first)

    def named(self, key: str) -> str:
        """Return how a line or an input is called, and of what."""
        if not self.plan.scope_of(key) and key in self.ledger.lines:
            return self.label(key)
        return f"{self.label(key)} ({self.where(key)})"
