"""Reading the groups of a plan: entries under names, such as exchange rates and prices, each with what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from capframe.catalog import dated, days_between, first_day
from capframe.document import Node, Place, Scalar, Table, problem
from capframe.errors import CapframeError, Problem, near
from capframe.expr import NAN
from capframe.fields import Field, QuantityField
from capframe.given import AUTO, Given, given_as
from capframe.plan import Input
from capframe.reading import AMOUNTS, LONG_FORM, Context, Wrong, read_given
from capframe.sections import Conversion
from capframe.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capframe.catalog import Record
    from capframe.sections import Group


def read_group(group: Group, node: Node, context: Context) -> tuple[dict[str, Given], list[Problem]]:
    """Return the entries of a group by name, and the mistakes.

    An entry in another unit that a fact of its part has (a foreign currency) becomes that fact.
    """
    entries: dict[str, tuple[Given, str]] = {}
    problems: list[Problem] = []
    for typed, place, leaf in _entries(group, node, problems):
        try:
            name = _named(group, typed, context)
            one: tuple[Given, str] | None = _entry(group, name, leaf, context)
        except CapframeError as fault:
            problems.append(problem(place, str(fault)))
            continue
        except Wrong as wrong:
            problems.extend(wrong.problems)
            continue
        if one is not None and name in entries:
            one = _latest(entries[name], one)
        if one is None:
            what = f"{name!r} stands twice in {group.key!r}; keep one, or give each its date: the later one counts"
            problems.append(problem(place, what))
        else:
            entries[name] = one
    for name, (given, fact) in entries.items():
        if fact and group.kind is not None and name in context.catalog.kinds[group.kind].records:
            _say_fact(group, context.catalog.kinds[group.kind].records, name, fact, given)
    return {name: given for name, (given, fact) in entries.items() if not fact}, problems


def _named(group: Group, typed: str, context: Context) -> str:
    if group.kind is not None:
        return context.part(group.kind, typed)  # an alias becomes the id
    if not group.names.match(typed):
        msg = f"{typed!r} is no name for an entry of {group.key!r}"
        raise CapframeError(msg)
    return typed


def _latest(first: tuple[Given, str], second: tuple[Given, str]) -> tuple[Given, str] | None:
    """Return the later of two entries of one name, with a note of the other, or None where dates do not tell."""
    dates = [first_day(given.origin.date) for given, _ in (first, second)]
    if None in dates or dates[0] == dates[1]:
        return None
    (old, _), (new, fact) = (first, second) if str(dates[0]) < str(dates[1]) else (second, first)
    said = {
        "en": f"instead of that of {old.origin.date} ({old.at})",
        "zh": f"取代 {old.origin.date} 的报价 ({old.at})",
    }
    note = joined([new.origin.note, said], "; ")
    return evolve(new, origin=evolve(new.origin, note=note)), fact


def _say_fact(group: Group, records: dict[str, Record], name: str, fact: str, given: Given) -> None:
    """Let an entry stand for the facts of its part: what the plan says comes before what a catalogue says."""
    record = records[name]
    others = {key: one for key, one in record.facts.items() if not key.startswith(f"{group.else_facts}.")}
    records[name] = evolve(record, facts={**others, fact: given})


def ages_of(
    group: Group, about: Field, plugin: str, entries: Mapping[str, Given], context: Context
) -> dict[str, Input]:
    """Return for each entry of a group an input: how many days before the plan's date it was dated."""
    kind = context.catalog.kinds.get(group.kind or "")
    found = {}
    for name, given in entries.items():
        days = days_between(given.origin.date, kind.today if kind else "")
        key = f"{group.aged}.{name}"
        age = Given(NAN if days is None else days, given.at, origin=dated(given.origin))
        found[key] = Input(key, about, about.unit_in(context), plugin, age, {}, group.aged)
    return found


def _entries(group: Group, node: Node, problems: list[Problem]) -> Iterator[tuple[str, Place, Node]]:
    if group.named_by is None:
        if isinstance(node, Table):
            yield from ((name, node.keys[name], leaf) for name, leaf in node.nodes.items())
        else:
            problems.append(problem(node.place, f"{group.key!r} is a mapping of names to values"))
        return
    if isinstance(node, Table | Scalar):
        example = f"- {{{group.named_by}: …, {group.value}: …}}"
        problems.append(problem(node.place, f"{group.key!r} is a list of entries: `{example}`"))
        return
    for leaf in node.nodes:
        name = leaf.nodes.get(group.named_by) if isinstance(leaf, Table) else None
        if isinstance(name, Scalar) and isinstance(leaf, Table):
            yield name.text, name.place, leaf
        else:
            problems.append(problem(leaf.place, f"an entry of {group.key!r} needs {group.named_by!r}"))


def _entry(group: Group, name: str, node: Node, context: Context) -> tuple[Given, str]:
    """Return what an entry says, in the unit of the group, or of the fact whose name stands beside it."""
    field = field_named(group, name)
    if group.named_by is None or not isinstance(node, Table):
        return read_given(node, field, context), ""
    problems = [*_unsaid(group, name, node), *_unknown(group, node)]
    said = _said(group, node, context, problems)
    conversion = Conversion()
    if group.convert is not None and not problems:
        try:
            conversion = group.convert(said)
        except CapframeError as fault:
            problems.append(problem(node.place, f"the {group.value} of {name}: {fault}"))
    if problems:
        raise Wrong(problems)
    keep = {group.value: "value"} | {key: key for key in LONG_FORM[1:]}
    typed = {keep[key]: leaf for key, leaf in node.nodes.items() if key in keep}
    per = conversion.per or str(said.get(group.per or "", ""))
    meant = typed | {key: _per(typed[key], per) for key in AMOUNTS if key in typed}
    table = Table(meant, node.place, node.keys)
    fact, about = _fact_in_its_unit(group, table, field, context)
    try:
        given = read_given(table, about, context)
    except Wrong as wrong:
        raise Wrong([_as_typed(one, typed, meant) for one in wrong.problems]) from None
    words = [
        of.get(leaf.text, f"{key} {leaf.text}")
        for key, of in group.must_say.items()
        if isinstance(leaf := node.nodes[key], Scalar)
    ]
    notes = [given.origin.note, *words, conversion.note]
    if conversion.factor != 1 and isinstance(amount := typed["value"], Scalar):
        notes.append(given_as(amount.text))
    note = joined(notes)
    return evolve(_times(given, conversion.factor), origin=evolve(given.origin, note=note)), fact


def _per(amount: Node, per: str) -> Node:
    """Return an amount with what it is for one of: ``75000 CNY`` per card."""
    if isinstance(amount, Scalar) and per and amount.text != AUTO:
        return evolve(amount, text=f"{amount.text}/{per}")
    return amount


def _as_typed(one: Problem, typed: Mapping[str, Node], meant: Mapping[str, Node]) -> Problem:
    """Return a mistake in the words that were typed: the amounts without what they are per."""
    what = one.what
    for name in AMOUNTS:
        amount, read = typed.get(name), meant.get(name)
        if isinstance(amount, Scalar) and isinstance(read, Scalar):
            what = what.replace(repr(read.text), repr(amount.text))
    return evolve(one, what=what)


def _fact_in_its_unit(group: Group, table: Table, field: Field, context: Context) -> tuple[str, Field]:
    """Return the fact whose unit an amount is in, where it is not in the group's own; else the group's field."""
    kind, amount = context.catalog.kinds.get(group.kind or ""), table.nodes.get("value")
    if not group.else_facts or kind is None or not isinstance(amount, Scalar) or _reads(field, amount.text, context):
        return "", field
    for name, column in kind.columns.items():
        if name.startswith(f"{group.else_facts}.") and _reads(column.field, amount.text, context):
            return name, column.field
    return "", field


def _reads(field: Field, text: str, context: Context) -> bool:
    try:
        field.read(text, context)
    except CapframeError:
        return False
    return True


def _times(given: Given, factor: float) -> Given:
    value = given.value * factor if isinstance(given.value, float) else given.value
    low = None if given.low is None else given.low * factor
    high = None if given.high is None else given.high * factor
    return evolve(given, value=value, low=low, high=high)


def _said(group: Group, node: Table, context: Context, problems: list[Problem]) -> dict[str, float | str]:
    """Return all that an entry says beside its amount, numbers in the units of their fields."""
    said: dict[str, float | str] = {}
    for key in filter(None, (group.per, *group.must_say)):
        leaf = node.nodes.get(key)
        if isinstance(leaf, Scalar):
            said[key] = leaf.text
    for key, field in group.may_say.items():
        if key in node.nodes:
            try:
                said[key] = read_given(node.nodes[key], field, context).value
            except Wrong as wrong:
                problems.extend(wrong.problems)
    return said


def _unsaid(group: Group, name: str, node: Table) -> Iterator[Problem]:
    """Yield what an entry has to say and does not: a basis such as VAT is never guessed."""
    for key in filter(None, (group.per, *group.must_say)):
        leaf, allowed = node.nodes.get(key), list(group.must_say.get(key, {}))
        if not isinstance(leaf, Scalar):
            example = f"; write `{key}: {allowed[0]}`" if allowed else ", such as `per: card`"
            yield problem(node.place, f"the {group.value} of {name} does not say {key!r}{example}")
        elif allowed and leaf.text not in allowed:
            words = " or ".join(allowed)
            yield problem(leaf.place, f"`{key}: {leaf.text}` is not taken here, only {words}; convert the figure first")


def _unknown(group: Group, node: Table) -> Iterator[Problem]:
    known = [
        key for key in (group.named_by, group.value, group.per, *group.must_say, *group.may_say, *LONG_FORM[1:]) if key
    ]
    for key in node.nodes:
        if key not in known:
            yield problem(node.keys[key], f"unknown key {key!r}{near(key, known)}")


def field_named(group: Group, name: str) -> Field:
    """Return the field of one entry of a group: ``{name}`` in its unit is the entry's name."""
    field = group.field
    if isinstance(field, QuantityField):
        return evolve(field, unit=field.unit.replace("{name}", name))
    return field
