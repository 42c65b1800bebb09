"""Reading the groups of a plan: entries under names, such as exchange rates and prices, each with what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from capframe.catalog import dated, days_between
from capframe.document import Node, Place, Scalar, Table, problem
from capframe.errors import CapframeError, Problem, UnitError, near
from capframe.expr import NAN
from capframe.fields import Field, QuantityField
from capframe.given import AUTO, NUMBER, SHORTENINGS, Given, first_day, given_as, unit_typed
from capframe.reading import AMOUNTS, LONG_FORM, Context, Wrong, read_given, read_origin
from capframe.sections import Conversion
from capframe.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from capframe.catalog import Kind
    from capframe.sections import Group


@frozen
class Entry:
    """What a document says under one name of a group; with ``fact``, it is that fact of the part instead."""

    given: Given
    place: Place
    fact: str = ""


def read_group(
    group: Group, node: Node, context: Context, unknown: list[str] | None = None, *, as_facts: bool = True
) -> tuple[dict[str, Entry], list[Problem]]:
    """Return the entries of a group by name, and the mistakes; ``as_facts`` as ``read_entry`` has it.

    Parts that nobody brings go to ``unknown`` where that is given (plugins are off), else they are mistakes.
    """
    entries: dict[str, Entry] = {}
    problems: list[Problem] = []
    for typed, place, leaf in _entries(group, node, context, problems):
        try:
            name = name_in(group, typed, context)
        except CapframeError as fault:
            if unknown is None or not group.of:
                problems.extend([problem(place, str(fault)), *_wrong_beside(group, typed, leaf, context)])
            else:
                unknown.append(typed)
            continue
        try:
            one: Entry | None = read_entry(group, name, leaf, context, as_facts=as_facts)
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
    return entries, problems


def name_in(group: Group, typed: str, context: Context) -> str:
    """Return the name of an entry that a person means; of a part its id.

    Raises:
        CapframeError: for what is no name, an unknown part, or a name of several parts, with candidates.
    """
    if group.of:
        found = context.catalog.named(typed, group.of)
        if len(found) > 1:
            candidates = " and of ".join(f"{part} ({kind.name})" for kind, part in found)
            msg = f"{typed!r} is a name of {candidates}; write one of these ids"
            raise CapframeError(msg)
        return found[0][1]
    if not group.names.match(typed):
        msg = f"{typed!r} is no name for an entry of {group.key!r}"
        raise CapframeError(msg)
    return typed


def worth_of(groups: Iterable[Group], document: Table, context: Context) -> dict[str, dict[str, float]]:
    """Return what facts told in other money are worth in the plan's, by family and word: ``price``, ``USD``, 7.1.

    The rates are those of the document itself; its mistakes are told where the group is read.
    """
    by_key = {group.key: group for group in groups}
    worth: dict[str, dict[str, float]] = {}
    for group in by_key.values():
        if group.of and group.rates in by_key:
            node = document.nodes.get(group.rates)
            entries = read_group(by_key[group.rates], node, context)[0] if node else {}
            rates = {name: one.given.value for name, one in entries.items()}
            worth[group.of] = {context.currency: 1.0} | {
                name: rate for name, rate in rates.items() if isinstance(rate, float)
            }
    return worth


def names_of(group: Group, entries: Mapping[str, Entry], context: Context) -> list[str]:
    """Return the names that have a row: of a group of parts every part, kind by kind; else those of the entries."""
    if not group.of:
        return list(entries)
    return [name for kind in context.catalog.having(group.of).values() for name in sorted(kind.records)]


def kind_in(group: Group, name: str, context: Context) -> Kind | None:
    """Return the kind of the part that an entry is for."""
    kinds = context.catalog.having(group.of).values() if group.of else ()
    return next((kind for kind in kinds if name in kind.records), None)


def field_in(group: Group, name: str, context: Context) -> Field:
    """Return the field of one entry of a group, with what stands for ``{name}`` and ``{of}`` in its unit."""
    return field_of(group, kind_in(group, name, context), name)


def field_of(group: Group, kind: Kind | None, name: str = "") -> Field:
    """Return the field of an entry for a part of a kind, which need not have a record."""
    field = group.field
    if isinstance(field, QuantityField):
        unit = field.unit.replace("{name}", name).replace("{of}", kind.per(group.of) if kind else "")
        return evolve(field, unit=unit)
    return field


def age_in(group: Group, name: str, given: Given, context: Context) -> Given:
    """Return how many days before the plan's date an entry was dated; nan where that is not known."""
    kind = kind_in(group, name, context)
    days = days_between(given.origin.date, kind.today if kind else "")
    return Given(NAN if days is None else days, given.at, origin=dated(given.origin))


def _latest(first: Entry, second: Entry) -> Entry | None:
    """Return the later of two entries of one name, with a note of the other, or None where dates do not tell."""
    dates = [first_day(one.given.origin.date) for one in (first, second)]
    if None in dates or dates[0] == dates[1]:
        return None
    old, new = (first, second) if str(dates[0]) < str(dates[1]) else (second, first)
    said = {
        "en": f"instead of that of {old.given.origin.date} ({old.given.at})",
        "zh": f"取代 {old.given.origin.date} 的数值 ({old.given.at})",
    }
    note = joined([new.given.origin.note, said], "; ")
    return evolve(new, given=evolve(new.given, origin=evolve(new.given.origin, note=note)))


def _entries(group: Group, node: Node, context: Context, problems: list[Problem]) -> Iterator[tuple[str, Place, Node]]:
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
            what = f"an entry of {group.key!r} needs {group.named_by!r}"
            problems.extend([problem(leaf.place, what), *_wrong_beside(group, "this entry", leaf, context)])


def _wrong_beside(group: Group, called: str, node: Node, context: Context) -> list[Problem]:
    """Return what is wrong with an entry of which nobody knows the part, beside that."""
    if group.named_by is None or not isinstance(node, Table):
        return []
    problems = [*_unsaid(group, called, None, node), *_unknown(group, node)]
    read_origin(node.nodes, problems)
    _said(group, node, context, problems)
    return problems


# ---------------------------------------------------------------- one entry


def read_entry(group: Group, name: str, node: Node, context: Context, *, as_facts: bool = True) -> Entry:
    """Return what an entry says, in the unit of the group; with ``as_facts``, or of the fact whose unit it is in.

    Raises:
        Wrong: with every mistake in it.
    """
    field = field_in(group, name, context)
    if group.named_by is None:
        return Entry(read_given(node, field, context), node.place)
    if not isinstance(node, Table):
        return Entry(_alone(group, name, node, field, context), node.place)
    kind = kind_in(group, name, context)
    keep = {group.value: "value"} | {key: key for key in LONG_FORM[1:]}
    typed = {keep[key]: leaf for key, leaf in node.nodes.items() if key in keep}
    problems = [*_unsaid(group, name, kind, node), *_unknown(group, node)]
    read_origin(typed, problems)
    said = _said(group, node, context, problems)
    conversion = Conversion()
    said_per = str(said.get(group.per or "", ""))
    read = all(key in said for key in group.may_say if key in node.nodes) and bool(said_per or not group.per)
    if group.convert is not None and read:
        try:
            conversion = group.convert(_in_words_taken(group, said), kind.per(group.of) if kind else "")
        except CapframeError as fault:
            problems.append(problem(node.place, f"the {group.value} of {name}: {fault}"))
            read = False
    per = conversion.per or said_per
    if kind and group.per and read and per != (wanted := kind.per(group.of)):
        what = f"`{group.per}: {said_per}` is not taken for {name}, a part of kind {kind.name}"
        problems.append(problem(node.nodes[group.per].place, f"{what}; write `{group.per}: {wanted}`"))
    wanted = kind.per(group.of) if kind and group.per else per
    facts = kind.family(group.of) if kind and as_facts else {}
    taken = {"": field} | {fact: column.field for fact, column in facts.items()}
    taken = {fact: _of_one(about, wanted) for fact, about in taken.items()}
    if refused := [*problems, *_refused(group, typed, (wanted, said_per), taken, context)]:
        raise Wrong(refused)
    meant = typed | {key: _of_all(typed[key], said_per) for key in AMOUNTS if key in typed}
    fact = _fact_in_its_unit(meant.get("value"), taken, context)
    given = read_given(Table(meant, node.place, node.keys), taken[fact], context)
    words = [
        of.get(leaf.text, f"{key} {leaf.text}")
        for key, of in group.must_say.items()
        if isinstance(leaf := node.nodes[key], Scalar)
    ]
    notes = [given.origin.note, *words, conversion.note]
    if conversion.factor != 1 and isinstance(amount := typed["value"], Scalar):
        notes.append(given_as(amount.text))
    note = joined(notes)
    given = evolve(given.times(conversion.factor), origin=evolve(given.origin, note=note))
    return Entry(given, typed["value"].place, fact)


def _alone(group: Group, name: str, node: Node, field: Field, context: Context) -> Given:
    """Return what an entry means that is a word alone: ``auto``; an amount has to say what it is."""
    if isinstance(node, Scalar) and (node.text == AUTO or node.blank):
        return read_given(node, field, context)
    per = field.unit_in(context).text.partition("/")[2]
    amount = node.text.removesuffix(f"/{per}") if isinstance(node, Scalar) else "…"
    if (number := NUMBER.match(amount.strip())) and number[2].strip() in SHORTENINGS:
        amount = f"{amount.strip()} {field.unit_in(context).text.partition('/')[0]}"
    said = {group.value: amount, **({group.per: per} if group.per else {})}
    said |= {key: next(iter(words)) for key, words in group.must_say.items()}
    needs = " and ".join(repr(key) for key in said if key != group.value)
    example = ", ".join(f"{key}: {text}" for key, text in said.items())
    what = f"the {group.value} of {name} has to say {needs}; write for example `{{{example}}}`"
    raise Wrong([problem(node.place, what)])


def _of_one(field: Field, per: str) -> Field:
    """Return the field of an amount where ``per:`` says what it is for one of: ``CNY`` for ``CNY/card``."""
    return evolve(field, unit=field.unit.removesuffix(f"/{per}")) if isinstance(field, QuantityField) and per else field


def _of_all(amount: Node, per: str) -> Node:
    """Return an amount without what it is per, which the entry says already: ``75000 CNY`` for ``75000 CNY/card``."""
    return evolve(amount, text=amount.text.removesuffix(f"/{per}")) if isinstance(amount, Scalar) and per else amount


def _fact_in_its_unit(amount: Node | None, taken: Mapping[str, Field], context: Context) -> str:
    """Return the fact whose unit an amount is in, or nothing where it is in the group's own, or in none."""
    try:
        unit = unit_typed(amount.text if isinstance(amount, Scalar) else "", context.units)
    except UnitError:  # it is told as the amount is read
        return ""
    return next((name for name, field in taken.items() if field.unit_in(context).dims == unit.dims), "")


def _refused(
    group: Group, typed: Mapping[str, Node], per: tuple[str, str], taken: Mapping[str, Field], context: Context
) -> Iterator[Problem]:
    """Yield what is wrong with the units of amounts, in what a person writes: ``CNY``, where ``per:`` says the rest.

    ``per`` is what one of the parts is called, and what the entry says.
    """
    if not per[0]:
        return
    units = {field.unit_in(context).text: None for field in taken.values()}
    dims = {context.units(unit).dims for unit in units}
    known = " or ".join(units)
    for name in AMOUNTS:
        leaf = typed.get(name)
        if not isinstance(leaf, Scalar) or leaf.text == AUTO:
            continue
        if not NUMBER.match(leaf.text.strip()):
            try:
                taken[""].read(leaf.text, context)
            except CapframeError as fault:
                yield problem(leaf.place, str(fault))
            continue
        try:
            have = unit_typed(leaf.text, context.units)
        except UnitError as fault:
            yield problem(leaf.place, f"{leaf.text!r}: {str(fault).partition(';')[0]}; {group.key} are in {known}")
            continue
        money, _, said = have.text.partition("/")
        if have.text == "1":
            yield problem(leaf.place, f"{leaf.text!r} has no unit; write `{leaf.text} {next(iter(units))}`")
        elif context.units(money).dims not in dims:
            what = f"{leaf.text!r} is in {money}, and {group.key} are in {known}"
            yield problem(leaf.place, f"{what}: convert it, and keep what was given in `note:`")
        elif said not in {"", *per}:
            said_so = f"`{group.per}: {per[1] or per[0]}` is said"
            yield problem(leaf.place, f"{leaf.text!r} is per {said}, and {said_so}; keep the latter")


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


def _in_words_taken(group: Group, said: Mapping[str, float | str]) -> dict[str, float | str]:
    """Return what an entry says, with the first word allowed where it says none, so that the rest is judged too."""
    words = {key: next(iter(allowed)) for key, allowed in group.must_say.items() if said.get(key) not in allowed}
    return {**said, **words}


def _unsaid(group: Group, name: str, kind: Kind | None, node: Table) -> Iterator[Problem]:
    """Yield what an entry has to say and does not: a basis such as VAT is never guessed."""
    per = kind.per(group.of) if kind else ""
    if group.value not in node.nodes:
        yield problem(node.place, f"the {group.value} of {name} is missing: it is the key {group.value!r}")
    for key in filter(None, (group.per, *group.must_say)):
        leaf, allowed = node.nodes.get(key), list(group.must_say.get(key, {}))
        if not isinstance(leaf, Scalar):
            examples = allowed or ([per] if key == group.per and per else [])
            yield problem(node.place, f"the {group.value} of {name} does not say {key!r}{_write(key, examples)}")
        elif allowed and leaf.text not in allowed:
            yield problem(leaf.place, f"`{key}: {leaf.text}` is not taken here{_write(key, allowed)}")


def _write(key: str, words: list[str]) -> str:
    return "; write " + " or ".join(f"`{key}: {word}`" for word in words) if words else ""


def _unknown(group: Group, node: Table) -> Iterator[Problem]:
    known = [
        key for key in (group.named_by, group.value, group.per, *group.must_say, *group.may_say, *LONG_FORM[1:]) if key
    ]
    for key in node.nodes:
        if key not in known:
            yield problem(node.keys[key], f"unknown key {key!r}{near(key, known)}")
