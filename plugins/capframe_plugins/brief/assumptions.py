"""What a plan takes for granted: every input and every catalogue fact that figures rest on, with its origin."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from attrs import frozen

from capframe import AUTO, CONFIDENCES, DEFAULT, FORMATS, Given, QuantityField, figure
from capframe_plugins.brief.markdown import Markdown, Table
from capframe_plugins.brief.reader import BASE, Reader
from capframe_plugins.brief.trail import trail_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capframe import Format, Input

ASSUMED, SOURCED, COMPUTED, IDLE = "group_assumed", "group_sourced", "group_auto", "group_idle"
ABOUT_AUTO = ("auto:", "自动:")
"""How a note begins that says what ``auto`` means."""
MOST_PERIODS = 6
"""Values of periods that are shown before those alike at the end."""
GROUPS = (ASSUMED, SOURCED, COMPUTED, IDLE)


@frozen(kw_only=True)
class Assumption:
    """One value that somebody gave, or that holds because nobody did."""

    label: str
    where: str
    value: str
    low: str
    high: str
    given: Given
    confidence: str
    group: str
    note: str
    decides: bool
    """Whether what is asked for rests on it."""
    fact: tuple[str, str] | None = None
    """Part and column, where it is a fact of the catalogue."""
    key: str = ""
    """The input, where it is one."""

    @property
    def is_fact(self) -> bool:
        """Whether a catalogue says it."""
        return self.fact is not None

    @property
    def is_default(self) -> bool:
        """Whether it holds because nobody gave another."""
        return self.given.at == DEFAULT

    @property
    def name(self) -> str:
        """What it is called, and of what."""
        return f"{self.label} ({self.where})"


class Rests:
    """What figures rest on, scenario by scenario: all that are shown, and those that are asked for."""

    def __init__(self, r: Reader, asked: Iterable[str]) -> None:
        """Trace the lines that were shown so far, headlines, and the lines ``asked`` for."""
        shown = [key for key, line in r.ledger.lines.items() if line.headline or key in r.printed]
        self.shown = {scenario: trail_of(r.results, shown, scenario) for scenario in r.scenarios}
        self.asked = {scenario: trail_of(r.results, asked, scenario) for scenario in r.scenarios}


def assumptions(r: Reader, asked: Iterable[str]) -> list[Assumption]:
    """Return every assumption: inputs in the order of the plan, then facts; ``asked`` are the lines of the answer."""
    rests = Rests(r, asked)
    return [*inputs(r, rests), *facts(r, rests)]


def inputs(r: Reader, rests: Rests) -> Iterator[Assumption]:
    """Yield the inputs, and what scenarios give instead; what nobody gave of a group (prices) is none.

    What one place of the plan gives is said once: the length of a period is an input as a time and as a number.
    """
    said = set()
    for one in r.plan.inputs.values():
        if one.group and (one.base.value == AUTO or not_given(one.base)) and not one.overrides:
            continue
        given = (one.base.at, one.base.value, r.where(one.key))
        if one.base.at != DEFAULT and not one.overrides and given in said:
            continue
        said.add(given)
        yield of_input(r, rests, one, BASE, [name for name in r.scenarios if name not in one.overrides])
        for scenario in one.overrides:
            yield of_input(r, rests, one, scenario, [scenario])


def of_input(r: Reader, rests: Rests, one: Input, scenario: str, holds_in: list[str]) -> Assumption:
    """Return what is taken for granted of an input in the scenarios it holds in."""
    given = one.given(scenario)
    where, form = r.where(one.key), r.ledger.format(one.key)
    used = any(one.key in rests.shown[name].inputs for name in holds_in)
    return Assumption(
        label=r.label(one.key),
        where=where if scenario == BASE else r.words("member_in", where=where, scenario=scenario),
        value=value_of(r, one, given, scenario),
        low=figure(given.low, form) if given.low is not None else "",
        high=figure(given.high, form) if given.high is not None else "",
        given=given,
        confidence=confidence(r, given),
        group=group_of(given, used=used),
        note=note_of(r, one, given),
        decides=any(one.key in rests.asked[name].inputs for name in holds_in),
        key=one.key,
    )


def value_of(r: Reader, one: Input, given: Given, scenario: str) -> str:
    """Return a value as a person would say it: the name of a part, what ``auto`` came to, that nothing was given."""
    if given.value == AUTO:
        used = f"{one.key}.used"
        return r.words("auto_is", value=r.shown(used, scenario)) if r.known(used, scenario) else r.words("auto")
    if not_given(given):
        return r.words("not_given")
    if given.series:
        return by_period(r, [r.given(one, value) for value in given.series])
    return r.part(one.key, scenario) or r.given(one, given.value)


def by_period(r: Reader, shown: list[str]) -> str:
    """Return the values of periods as a list, those alike at its end once: ``50%, 50%, then 0%``."""
    *first, last = shown
    while first and first[-1] == last:
        first.pop()
    if not first:
        return last
    several = ", ".join(first[:MOST_PERIODS] + ["…"] * (len(first) > MOST_PERIODS))
    return r.words("then", first=several, rest=last)


def note_of(r: Reader, one: Input, given: Given) -> str:
    """Return what is to be known of a value; what ``auto`` would mean is said only where the value is ``auto``."""
    note = r.say(given.origin.note)
    of_field = r.say(one.field.origin.note)
    if note and note != of_field:
        return note
    return "" if of_field.startswith(ABOUT_AUTO) and given.value != AUTO else of_field


def confidence(r: Reader, given: Given) -> str:
    """Return how sure a value is; a word or a part is a choice."""
    if not_given(given) or given.value == AUTO:
        return ""
    if isinstance(given.value, str):
        return r.words("chosen")
    said = given.origin.confidence
    return r.say(CONFIDENCES[said]) if said else r.words("unsure")


def not_given(given: Given) -> bool:
    """Tell whether nothing was given."""
    return isinstance(given.value, float) and math.isnan(given.value)


def group_of(given: Given, *, used: bool) -> str:
    """Return which table of the sign-off an assumption stands in."""
    if given.value == AUTO:
        return COMPUTED
    if not used or not_given(given):
        return IDLE
    return ASSUMED if given.origin.confidence in {"assumed", "estimate"} else SOURCED


def facts(r: Reader, rests: Rests) -> Iterator[Assumption]:
    """Yield the disclosed facts of the catalogue that figures rest on, each once."""
    seen = set()
    for scenario in r.scenarios:
        for pick, column in rests.shown[scenario].facts:
            part, given = str(r.results.value(pick, scenario)), r.fact(pick, column, scenario)
            if (part, column) not in seen and not not_given(given):
                seen.add((part, column))
                decides = (pick, column) in rests.asked[scenario].facts
                yield of_fact(r, r.kind(pick), part, column, decides=decides)


def of_fact(r: Reader, kind: str, part: str, column: str, *, decides: bool) -> Assumption:
    """Return what is taken for granted of a part."""
    given = r.plan.catalog.kinds[kind].fact(part, column)
    form = fact_format(r, kind, column)
    return Assumption(
        label=r.say(r.plan.catalog.kinds[kind].columns[column].label), where=r.part_name(kind, part),
        value=fact_value(r, kind, column, given),
        low=figure(given.low, form) if given.low is not None else "",
        high=figure(given.high, form) if given.high is not None else "",
        given=given, confidence=confidence(r, given), group=group_of(given, used=True),
        note=r.say(given.origin.note), decides=decides, fact=(part, column),
    )  # fmt: skip


def fact_format(r: Reader, kind: str, column: str) -> Format:
    """Return how a fact is shown."""
    about = r.plan.catalog.kinds[kind].columns[column]
    if isinstance(about.field, QuantityField):
        return r.ledger.format_of(about.unit, whole=about.field.whole, percent=about.field.percent)
    return FORMATS["text"]


def fact_value(r: Reader, kind: str, column: str, given: Given) -> str:
    """Return a fact in its unit."""
    unit, shown = r.plan.catalog.kinds[kind].columns[column].unit, figure(given.value, fact_format(r, kind, column))
    if unit.text in {"1", "text"} or not_given(given):
        return shown
    return r.words.units(f"{shown} {r.unit_in_words(unit.text)}")


def sources(r: Reader, key: str, scenario: str, *, notes: bool = False) -> str:
    """Return who says what a line rests on, how sure that is, and as of when; why it has no value where it has none."""
    if not r.known(key, scenario):
        return r.reason(key, scenario)
    trail = trail_of(r.results, [key], scenario)
    given = [r.fact(pick, column, scenario) for pick, column in trail.facts]
    given += [r.plan.inputs[name].given(scenario) for name in trail.inputs]
    return r.words.joined([in_short(r, one, notes=notes) for one in given if not isinstance(one.value, str)])


def in_short(r: Reader, given: Given, *, notes: bool) -> str:
    """Return an origin in one line."""
    origin = given.origin
    sure = confidence(r, given) if origin.confidence else ""
    said = (r.say(origin.source), sure, origin.date, r.say(origin.note) if notes else "")
    return ", ".join(filter(None, said))


# ---------------------------------------------------------------- the sign-off tables


@frozen
class Group:
    """One table of the sign-off."""

    title: Markdown
    table: Table


COLUMNS = ("input", "where", "value", "range", "confidence", "source", "date", "at")


def groups(r: Reader, found: list[Assumption]) -> list[Group]:
    """Return the sign-off tables, what is assumed first; a column that would be empty is left out."""
    tables = []
    for name in GROUPS:
        rows = [row(r, one) for one in found if one.group == name]
        columns = [column for column in COLUMNS if any(cells[column] for cells in rows)]
        if rows:
            cells = [[cells[column] for column in columns] for cells in rows]
            head = [r.words(column) for column in columns]
            tables.append(Group(r.words(name), Table(head, cells, figures=[columns.index("value")])))
    return tables


def row(r: Reader, one: Assumption) -> dict[str, str]:
    """Return one row of the sign-off."""
    low, high, origin = one.low, one.high, one.given.origin
    return {
        "input": one.label,
        "where": one.where,
        "value": one.value,
        "range": r.words("from_to", low=low, high=high) if low and high else low or high,
        "confidence": one.confidence,
        "source": r.words.joined(filter(None, (r.say(origin.source), one.note))),
        "date": origin.date,
        "at": r.words("at_default") if one.is_default else one.given.at,
    }
