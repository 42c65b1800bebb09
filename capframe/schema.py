"""The JSON Schema of a plan, made from what the installed plugins declare: what an editor completes and checks.

It says what a document may look like. What a text means (units, bounds, names of parts) is checked by reading it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from capframe.changes import CHANGE
from capframe.declarations import declarations
from capframe.fields import (
    ChoiceField,
    Field,
    MemberField,
    Nested,
    PickField,
    QuantityField,
    declared,
    is_required,
    required,
)
from capframe.given import AUTO, CONFIDENCES
from capframe.names import SEGMENT
from capframe.own_lines import CLAIM, LINE
from capframe.plugins import Host
from capframe.reading import LONG_FORM, Context
from capframe.timeline import MONTHS
from capframe.wording import LANGUAGES, say

if TYPE_CHECKING:
    from capframe.catalog import Catalog
    from capframe.sections import Collection, Group
    from capframe.units import Units

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCALAR: dict[str, Any] = {"type": ["string", "number"]}
TEXT: dict[str, Any] = {"type": "string"}
NAMES = f"^{SEGMENT.pattern.removesuffix(chr(92) + 'Z')}$"
DATE: dict[str, Any] = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
LABEL: dict[str, Any] = {
    "anyOf": [TEXT, {"type": "object", "properties": dict.fromkeys(LANGUAGES.values(), TEXT), "minProperties": 1}]
}
ORIGIN = {
    "source": {**TEXT, "description": "where the figure came from"},
    "confidence": {"enum": list(CONFIDENCES)},
    "date": DATE,
    "note": TEXT,
}
FIGURE: dict[str, Any] = {
    "anyOf": [SCALAR, {"type": "object", "properties": {"value": SCALAR, "low": SCALAR, "high": SCALAR, **ORIGIN}}]
}


def schema(
    host: Host, units: Units, catalog: Catalog, *, currency: str = "CNY", language: str = "en"
) -> dict[str, Any]:
    """Return the schema (JSON Schema, draft 2020-12) of a plan for these plugins and catalogues.

    ``currency`` stands in the units that descriptions name; ``language`` is that of the labels.
    """
    return _Schema(host, Context(units, currency, catalog), language).plan()


@frozen
class _Schema:
    host: Host
    context: Context
    language: str

    def plan(self) -> dict[str, Any]:
        found = declarations(self.host)
        properties = self.header()
        needed = ["capframe", "title", "date"]
        for key, (_, collection) in found.collections.items():
            inside = {name: section.fields for name, (_, section) in found.inside(key).items()}
            properties[key] = self.collection(collection, inside)
        for _, section in found.sections.values():
            if section.of is None:
                properties[section.key] = self.section(section.fields, say(section.label, self.language))
                needed += [section.key] if required(section.fields) else []
        for key, (_, group) in found.groups.items():
            properties[key] = self.group(group)
        return {
            "$schema": DIALECT,
            "title": "capframe plan",
            "description": f"made by `capframe schema` for the plugins {', '.join(sorted(self.host.plugins))}",
            **_object(properties, needed),
        }

    def header(self) -> dict[str, Any]:
        line = {"key": {**TEXT, "pattern": "[.]"}, "inputs": _named(FIGURE), "formula": SCALAR, "unit": SCALAR}
        line |= {
            "label": LABEL,
            "percent": {"type": ["boolean", "string"]},
            "headline": {"type": ["boolean", "string"]},
        }
        line |= {"low": SCALAR, "high": SCALAR, "source": TEXT}
        change = {"revision": SCALAR, "date": DATE, "author": LABEL, "what": LABEL}
        claim = {"line": TEXT, "value": FIGURE, **ORIGIN}
        period = {
            "start": {**TEXT, "pattern": "^[0-9]{4}-[0-9]{2}$", "description": "the first month, such as 2027-01"},
            "period": {"enum": list(MONTHS), "description": "how long each is"},
        }
        periods = {"type": ["integer", "string"], "description": "how many there are"}
        return {
            "capframe": {"enum": [1, "1"], "description": "the format of this file"},
            "title": {**TEXT, "description": "first line of the brief, cover of the workbook"},
            "date": {**DATE, "description": "the plan's own date, the only clock there is"},
            "revision": SCALAR | {"description": "in quotes, so that 1.10 stays 1.10"},
            "author": LABEL | {"description": "who stands for the plan"},
            "changes": {
                "type": ["array", "null"],
                "items": _object({key: change[key] for key in CHANGE}, ["revision", "date", "what"]),
                "description": "the log, the oldest first; the last entry is this revision",
            },
            "language": {"enum": list(LANGUAGES), "description": "of labels, numbers and brief"},
            "currency": {**TEXT, "description": "every amount is shown in it: CNY, USD …"},
            "catalogs": {"type": "array", "items": TEXT, "description": "in-house records and corrections"},
            "pins": {
                "type": "object",
                "additionalProperties": TEXT,
                "description": "of a part that two catalogues bring: the one whose word counts",
            },
            "timeline": {"title": "Timeline", **_object(period | {"periods": periods}, [*period, "periods"])},
            "line_items": {
                "type": "array",
                "description": "lines of your own, with formulas typed as text",
                "items": _object({key: line[key] for key in LINE}, ["key", "formula", "unit", "label"]),
            },
            "claims": {
                "type": "array",
                "description": "figures that somebody gave, to be compared with the plan's",
                "items": _object({key: claim[key] for key in CLAIM}, ["line", "value"]),
            },
            "scenarios": {
                **_named({"type": ["object", "null"]}),
                "description": "inputs that differ from base, by their full names",
            },
        }

    def collection(self, collection: Collection, inside: dict[str, type]) -> dict[str, Any]:
        member = self.section(collection.member, "")
        for name, fields in inside.items():
            member["properties"][name] = self.section(fields, name)
            member["required"] += [name] if required(fields) else []
        return {**_named({**member, "type": "object"}), "title": say(collection.label, self.language)}

    def section(self, fields: type, title: str) -> dict[str, Any]:
        properties = {
            name: self.section(about.section, name) if isinstance(about, Nested) else self.field(about)
            for name, about in declared(fields).items()
            if isinstance(about, Nested | Field)
        }
        found = _object(properties, required(fields))
        if not found["required"]:
            found["type"] = ["object", "null"]
        return {"title": title, **found} if title else found

    def field(self, about: Field) -> dict[str, Any]:
        value = self.value(about)
        amounts = dict.fromkeys(LONG_FORM[:3], value)
        said = {"title": say(about.label, self.language), "description": self.described(about)}
        if isinstance(about, MemberField):
            return {**said, **value}
        choices = [value, _object(amounts | ORIGIN, ["value"])]
        if isinstance(about, QuantityField) and about.by_period:
            series = {"type": "array", "items": value}
            choices = [value, series, _object(amounts | {"value": {"anyOf": [value, series]}} | ORIGIN, ["value"])]
        if not is_required(about):
            choices.append({"type": "null"})
        default = {} if about.default is None else {"default": about.default}
        return {**said, **default, "anyOf": choices}

    def value(self, about: Field) -> dict[str, Any]:
        """Return what stands for a value in its short form."""
        match about:
            case ChoiceField():
                return {"enum": list(about.options)}
            case PickField():
                return self.part(about.kind)
            case MemberField():
                return {**TEXT, "pattern": NAMES}
            case QuantityField():
                unit = about.unit_in(self.context)
                if not self.context.units.is_plain(unit):
                    return TEXT  # a bare number would not say its unit
                bounds = {"minimum": about.low, "maximum": about.high}
                return SCALAR | {key: bound for key, bound in bounds.items() if bound is not None}
        return SCALAR

    def part(self, *kinds: str) -> dict[str, Any]:
        """Return the ids of some kinds, for completion; other names of a part are texts too."""
        known = [self.context.catalog.kinds[kind] for kind in kinds if kind in self.context.catalog.kinds]
        ids = sorted(part for kind in known for part in kind.records)
        return {"anyOf": [{"enum": ids}, TEXT]} if ids else TEXT

    def described(self, about: Field) -> str:
        words = []
        if isinstance(about, QuantityField):
            unit = about.unit_in(self.context).text
            words += (
                [f"in {unit}"]
                if unit not in {"1", "text"}
                else ["a share or a number" if about.percent else "a number"]
            )
            if about.low is not None and about.high is not None:
                words.append(f"from {about.low:g} to {about.high:g}")
            if about.by_period:
                words.append("or a list with one for each period")
        if about.may_be_auto:
            words.append(f"`{AUTO}` has it computed")
        if about.default is not None:
            words.append(f"default {about.default}")
        if about.origin.source:
            words.append(say(about.origin.source, self.language))
        return "; ".join(words)

    def group(self, group: Group) -> dict[str, Any]:
        title = say(group.label, self.language)
        if group.named_by is None:
            names = {} if group.of else {"propertyNames": {"pattern": group.names.pattern.replace("\\Z", "$")}}
            return {"title": title, "type": ["object", "null"], **names, "additionalProperties": FIGURE}
        kinds = self.context.catalog.having(group.of) if group.of else {}
        properties: dict[str, Any] = {group.named_by: self.part(*kinds), group.value: SCALAR}
        if group.per:
            things = dict.fromkeys(kind.per(group.of) for kind in kinds.values())
            properties[group.per] = {**TEXT, "description": f"what it is for one of: {', '.join(things)}"}
        properties |= {key: {"enum": list(words)} if words else TEXT for key, words in group.must_say.items()}
        properties |= {key: self.value(about) for key, about in group.may_say.items()}
        properties |= dict.fromkeys(("low", "high"), SCALAR) | ORIGIN
        needed = [group.named_by, group.value, *([group.per] if group.per else []), *group.must_say]
        return {"title": title, "type": "array", "items": _object(properties, needed)}


def _object(properties: dict[str, Any], needed: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _named(values: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping of names that a person chooses."""
    return {"type": "object", "propertyNames": {"pattern": NAMES}, "additionalProperties": values}
