"""What a plugin may declare of the plan document: areas, collections, sections and groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping

import attrs
from attrs import frozen

from capframe.fields import METADATA, Field, a_section
from capframe.wording import Label, a_label, a_label_or_none


@frozen
class Area:
    """A part of the field with a sheet of its own; ``order`` says where it stands in the workbook."""

    key: str
    label: Label = attrs.field(validator=a_label_or_none)
    order: int = 500
    about: Label = attrs.field(default="", validator=a_label_or_none)


@frozen
class Collection:
    """Named members, each read by the attrs class ``member``: ``workloads``, ``pools``."""

    key: str
    member: type = attrs.field(validator=a_section)
    label: Label = attrs.field(validator=a_label)


@frozen
class Section:
    """Fields of the plan (``power.pue``), or with ``of`` of each member of a collection, under the plugin's name."""

    key: str
    fields: type = attrs.field(validator=a_section)
    label: Label = attrs.field(validator=a_label)
    of: str | None = None


def _field(declared: object) -> Field:
    metadata = getattr(declared, "metadata", {})
    found = metadata.get(METADATA, declared) if isinstance(metadata, Mapping) else declared
    if not isinstance(found, Field):
        msg = "a group holds one field, made by quantity(…)"
        raise TypeError(msg)
    return found


def _fields(declared: Mapping[str, object]) -> dict[str, Field]:
    return {key: _field(one) for key, one in declared.items()}


@frozen
class Conversion:
    """How an entry of a group becomes a figure of its field: times ``factor``, ``per`` another thing, and a note."""

    factor: float = 1.0
    per: str = ""
    note: Label = ""


def in_turn(words: Iterable[str], own: str, rates: Container[str]) -> list[str]:
    """Return the currencies in which facts can be used, in the order in which they count.

    What is told in the plan's ``own`` money counts, else what its ``rates`` turn into it, in the order of ``words``.
    """
    return sorted((word for word in words if word == own or word in rates), key=lambda word: word != own)


@frozen(kw_only=True)
class Group:
    """Any number of inputs of one field, each under a name: ``rates.USD``, ``prices.nvidia/a100-sxm4-80gb``.

    With ``of``, every part has a row whose kind has facts of that family (``price.CNY``), and ``{of}`` in the unit is
    what those are of one of (``card``). With ``named_by``, the document lists entries whose key of that name says
    which one is meant, and whose key ``value`` holds the quantity. ``per`` names the key that says what the quantity
    is for one of (``per: card``). ``must_say`` names further keys that an entry has to hold, each with the words
    allowed and how people read them. ``{name}`` in the unit is the entry's name.

    ``may_say`` are further keys with their fields, and ``convert`` is told all that an entry says (numbers in the
    units of their fields) and what it is to be one of (``card``), and answers with a ``Conversion``, or raises a
    ``CapframeError`` that says what to write. An amount in the unit of another fact of the family ``of`` (another
    currency) becomes that fact of the part; with ``rates``, the group of that key has to hold an entry for it, and
    of the facts of a part the first ``in_turn`` counts.
    ``ages`` is a group of the same parts that holds how many days before the plan's date each entry was dated.
    """

    key: str
    field: Field = attrs.field(converter=_field)
    label: Label = attrs.field(validator=a_label)
    of: str = ""
    named_by: str | None = None
    value: str = "value"
    per: str | None = None
    must_say: Mapping[str, Mapping[str, Label]] = attrs.field(factory=dict)
    may_say: Mapping[str, Field] = attrs.field(factory=dict, converter=_fields)
    convert: Callable[[Mapping[str, float | str], str], Conversion] | None = None
    rates: str = ""
    ages: Group | None = None
    names: re.Pattern[str] = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
