"""From a document to values: each section by cattrs, each field by what its plugin declared, all mistakes at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import attrs
from attrs import evolve, frozen
from cattrs import Converter
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from capframe.catalog import Catalog
from capframe.document import Items, Node, Scalar, Table, problem
from capframe.errors import Problem, near
from capframe.expr import NAN
from capframe.fields import Field, MemberField, Nested, QuantityField, declared
from capframe.given import AUTO, CONFIDENCES, DEFAULT, Given, Origin, QuantityError, first_day, no_date
from capframe.units import Units
from capframe.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


AMOUNTS = ("value", "low", "high")
FEW = 3
"""How many keys are proposed at most."""
LONG_FORM = (*AMOUNTS, "source", "confidence", "date", "note")


@frozen
class Context:
    """What reading a field needs: units, the plan's currency, the catalogues."""

    units: Units
    currency: str
    catalog: Catalog
    periods: int | None = 0
    """How many periods there are; None where the timeline could not be read, which is said of it."""
    readers: dict[type, Callable[[Any, Any], Any]] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    """How each section is read: made once, since a plan may have a thousand members of a collection."""

    def part(self, kind: str, text: str) -> str:
        """Return the id of the part that a text names."""
        return self.catalog.part(kind, text)


class Wrong(Exception):  # noqa: N818 - carries problems to the surface through cattrs
    """The mistakes of one part of a document."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__()
        self.problems = problems


def read_given(node: Node, field: Field, context: Context) -> Given:
    """Return what a node says of a field, in short (``40%``) or long form.

    Raises:
        Wrong: with every mistake in it.
    """
    entry = node.nodes if isinstance(node, Table) else {"value": node}
    keys = node.keys if isinstance(node, Table) else {}
    unknown = [key for key in entry if key not in LONG_FORM]
    problems = [problem(keys[key], f"unknown key {key!r}{near(key, LONG_FORM)}") for key in unknown]
    value = entry.get("value")
    nothing = isinstance(value, Scalar) and value.blank and (field.optional or field.may_be_auto)
    if isinstance(value, Scalar) and nothing:
        given = absent(field, context, str(value.place))
    elif isinstance(value, Items):
        given = _by_period(value, field, context, problems)
    else:
        given = _single(node, value, entry, field, context, problems)
    origin = read_origin(entry, problems)
    if problems:
        raise Wrong(problems)
    return given if nothing else evolve(given, origin=origin)


def _single(  # noqa: PLR0913 - a value, and all that is said of it
    node: Node, value: Node | None, entry: Mapping[str, Node], field: Field, context: Context, problems: list[Problem]
) -> Given:
    if not isinstance(value, Scalar):
        what = "one value stands here: write it as text, or as `{value: …, low: …, high: …, source: …, confidence: …}`"
        problems.append(problem(node.place, what))
    elif value.blank:
        problems.append(problem(value.place, "a value is missing here"))
    numbers: dict[str, float | str] = {}
    for name in AMOUNTS:
        leaf = entry.get(name)
        if isinstance(leaf, Scalar) and not (name == "value" and leaf.blank):
            try:
                numbers[name] = field.read(leaf.text, context)
            except QuantityError as fault:
                problems.append(problem(leaf.place, str(fault)))
    at = str((value or node).place)
    given = Given(numbers.get("value", NAN), at, _float(numbers.get("low")), _float(numbers.get("high")))
    if isinstance(value, Scalar) and "value" in numbers and _outside_itself(given):
        typed = {name: leaf.text for name, leaf in entry.items() if isinstance(leaf, Scalar)}
        ends = ", ".join(f"{name} {typed[name]!r}" for name in AMOUNTS[1:] if name in numbers)
        problems.append(problem(value.place, f"{value.text!r} is outside its own range ({ends})"))
    return given


def _by_period(node: Items, field: Field, context: Context, problems: list[Problem]) -> Given:
    """Return one value for each period, where a field takes a list."""
    nothing = Given(NAN, str(node.place))
    if not (isinstance(field, QuantityField) and field.by_period):
        problems.append(problem(node.place, "one value stands here, not a list; this field has no value by period"))
        return nothing
    if context.periods is not None and len(node.nodes) != context.periods:
        there = f"the timeline has {context.periods} periods; write {context.periods} values, one for each"
        if not context.periods:
            there = "the plan has no `timeline:`; write one, such as `{start: 2027-01, period: quarter, periods: 12}`"
        problems.append(problem(node.place, f"the list has {len(node.nodes)} values, and {there}"))
    values = []
    for leaf in node.nodes:
        try:
            values.append(field.read(leaf.text if isinstance(leaf, Scalar) else "", context))
        except QuantityError as fault:
            problems.append(problem(leaf.place, str(fault)))
    series = tuple(value for value in values if isinstance(value, float))
    return evolve(nothing, value=series[0], series=series) if series else nothing


def _outside_itself(given: Given) -> bool:
    low, high = (-inf if given.low is None else given.low), (inf if given.high is None else given.high)
    return isinstance(given.value, float) and not low <= given.value <= high


def read_origin(entry: Mapping[str, Node], problems: list[Problem]) -> Origin:
    """Return what an entry says of where its figure comes from."""
    lists = (name for name in LONG_FORM[1:] if name in entry and not isinstance(entry[name], Scalar))
    problems.extend(problem(entry[name].place, f"{name!r} is one text") for name in lists)
    texts = {name: leaf.text for name, leaf in entry.items() if isinstance(leaf, Scalar)}
    confidence = texts.get("confidence") or ("" if texts.get("source") else "assumed")
    if confidence and confidence not in CONFIDENCES:
        problems.append(problem(entry["confidence"].place, f"{confidence!r} is none of {', '.join(CONFIDENCES)}"))
    if (date := texts.get("date", "")) and first_day(date) is None:
        problems.append(problem(entry["date"].place, no_date(date)))
    return Origin(texts.get("source", ""), confidence, date, texts.get("note", ""))


def _float(value: float | str | None) -> float | None:
    return value if isinstance(value, float) else None


def absent(field: Field, context: Context, at: str = DEFAULT) -> Given:
    """Return what holds where a field was left out: its default with its source, ``auto``, or not given."""
    if field.default is not None:
        low = high = None
        if isinstance(field, QuantityField) and field.between:
            low, high = (_float(field.read(text, context)) for text in field.between)
        return Given(field.read(field.default, context), at, low, high, field.origin)
    return Given(AUTO if field.may_be_auto else NAN, at)


def read_section(section: type, table: Table, context: Context, inside: dict[str, Any] | None = None) -> Any:
    """Return an instance of a section's attrs class: ``Given`` or nested instances, None where left out.

    ``inside`` holds keys of the table that others read (sections of other plugins within a member).

    Raises:
        Wrong: with every mistake in it.
    """
    if section not in context.readers:
        context.readers[section] = _reader(section, context)
    nodes = {key: node for key, node in table.nodes.items() if key not in (inside or {})}
    try:
        return context.readers[section](nodes, section)
    except ClassValidationError as group:
        raise Wrong(list(_flat(group, section, table, inside or {}, context))) from None


def _reader(section: type, context: Context) -> Callable[[Any, Any], Any]:
    hooks: dict[str, Any] = {}
    for name, about in declared(section).items():
        if isinstance(about, Nested):
            hooks[name] = override(struct_hook=_one(partial(_nested, name, about.section, context)))
        elif isinstance(about, Field):
            hooks[name] = override(struct_hook=_one(partial(_leaf, about, context)))
    reader: Callable[[Any, Any], Any] = make_dict_structure_fn(
        section, Converter(detailed_validation=True), _cattrs_forbid_extra_keys=True, **hooks
    )
    return reader


def _one(read: Callable[[Node], Any]) -> Callable[[Any, Any], Any]:
    return lambda node, _type: read(node)


def _nested(name: str, section: type, context: Context, node: Node) -> Any:
    if not isinstance(node, Table):
        keys = ", ".join(declared(section))
        raise Wrong([problem(node.place, f"{name!r} is a section: write its keys below it ({keys})")])
    return read_section(section, node, context)


def _leaf(field: Field, context: Context, node: Node) -> Given:
    return read_given(node, field, context)


def _flat(
    group: ClassValidationError, section: type, table: Table, inside: dict[str, Any], context: Context
) -> Iterator[Problem]:
    for fault in group.exceptions:
        if isinstance(fault, Wrong):
            yield from fault.problems
        elif isinstance(fault, ForbiddenExtraKeysError):
            known = [*declared(section), *inside]
            for key in sorted(fault.extra_fields):
                guess = near(key, known) or _called(key, section, context)
                yield problem(table.keys[key], f"unknown key {key!r}{guess}")
        elif isinstance(fault, KeyError):
            about = declared(section)[str(fault.args[0])]
            unit = f" ({about.unit})" if isinstance(about, QuantityField) and about.unit != "1" else ""
            yield problem(table.place, f"{fault.args[0]!r}{unit} is missing here")
        else:
            yield problem(table.place, str(fault))


def _called(word: str, section: type, context: Context) -> str:
    """Return ``"; did you mean 'count'?"`` for a word that is the unit of one field, or stands in labels."""
    fields = {name: about for name, about in declared(section).items() if isinstance(about, Field)}
    unit = context.units(word) if context.units.knows(word) else None
    counted = [
        name
        for name, about in fields.items()
        if unit is not None and context.units.is_counted(unit) and about.unit_in(context) == unit
    ]
    said = re.sub("[_-]", " ", word).casefold()
    labelled = [name for name, about in fields.items() if any(said in one.casefold() for one in spoken(about.label))]
    found = counted if len(counted) == 1 else labelled
    return f"; did you mean {' or '.join(map(repr, found))}?" if 0 < len(found) <= FEW else ""


def flatten(
    section: type,
    instance: Any,
    prefix: str,
    context: Context,
) -> Iterator[tuple[str, Field, Given]]:
    """Yield every input of a section: its key, its field, and what holds; defaults filled in."""
    for name, about in declared(section).items():
        value = getattr(instance, name) if instance is not None else None
        key = f"{prefix}.{name}"
        if isinstance(about, Nested):
            yield from flatten(about.section, value, key, context)
        elif isinstance(about, Field):
            yield key, about, value if value is not None else absent(about, context)


def structure_of(section: type, instance: Any) -> dict[str, Given]:
    """Return the fields of a member that are structure: which pool a workload uses."""
    return {
        name: getattr(instance, name) for name, about in declared(section).items() if isinstance(about, MemberField)
    }
