"""What a plugin says about each field of a section: how it is read, checked, labelled and sourced.

A section is an ``attrs`` class. Each of its attributes is made by one of the functions here, and from it come the
check of the document, the row on the Inputs sheet with its validation, and what the documentation says::

    @frozen(kw_only=True)
    class Power:
        pue: Given = quantity("1", label="PUE", default="1.25", low=1, high=3, source="…")
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import attrs
from attrs import frozen

from capframe.errors import CapframeError, near
from capframe.given import AUTO, Origin, QuantityError, read_number, read_ratio
from capframe.wording import Label, a_label, a_label_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capframe.units import Unit, Units

METADATA = "capframe"


class Reading(Protocol):
    """What a field needs to know of the run to read a text."""

    @property
    def units(self) -> Units:
        """The units of the run."""
        ...

    @property
    def currency(self) -> str:
        """The currency of the plan."""
        ...

    def part(self, kind: str, text: str) -> str:
        """Return the id of the part that a text names."""
        ...


def _said(instance: object, _attribute: object, origin: Origin) -> None:
    """Take a source and a note as labels are taken."""
    for part in (attrs.fields(Origin).source, attrs.fields(Origin).note):
        a_label_or_none(instance, part, getattr(origin, part.name))


@frozen(kw_only=True)
class Field:
    """One field. ``default`` is the text a person would have written; ``auto`` is allowed where ``may_be_auto``."""

    label: Label = attrs.field(validator=a_label)
    default: str | None = None
    optional: bool = False
    may_be_auto: bool = False
    origin: Origin = attrs.field(default=Origin(), validator=_said)

    @property
    def is_text(self) -> bool:
        """Whether the value is a text (a choice, a part), not a number."""
        return True

    def unit_in(self, reading: Reading) -> Unit:
        """Return the unit in this run; ``{currency}`` is the plan's."""
        return reading.units("text")

    def read(self, text: str, reading: Reading) -> float | str:
        """Return the value that a text means, or raise a ``QuantityError`` that says what to write."""
        raise NotImplementedError


@frozen
class Basis:
    """What a figure is understood to be where it says nothing (``direction``: ``one_way``), and what else it may say.

    ``factors`` turn a figure on another basis into ours, once, as it is read; ``refused`` says for a word why there
    is no such factor, and what to write instead.
    """

    key: str
    means: str
    factors: Mapping[str, float] = attrs.field(factory=dict)
    refused: Mapping[str, str] = attrs.field(factory=dict)
    labels: Mapping[str, Label] = attrs.field(factory=dict)
    """How people read the words of ``factors``: ``both ways``."""


@frozen(kw_only=True)
class QuantityField(Field):
    """A number with a unit, and the bounds outside of which it is a slip of the pen."""

    unit: str
    low: float | None = None
    high: float | None = None
    whole: bool = False
    percent: bool = False
    ratio: bool = False
    """Whether it may be typed as one number to another: ``2:1``."""
    by_period: bool = False
    between: tuple[str, str] | None = None
    """The range in which the default is likely to lie."""
    bases: tuple[Basis, ...] = ()
    age_of: str = ""
    """Of a catalogue: the fact whose age in days this one is (``price.{by}``); no record gives it."""

    @property
    def is_text(self) -> bool:
        return False

    def unit_in(self, reading: Reading) -> Unit:
        return reading.units(self.unit.replace("{currency}", reading.currency))

    def read(self, text: str, reading: Reading) -> float | str:
        if self.may_be_auto and text.strip() == AUTO:
            return AUTO
        unit = self.unit_in(reading)
        value = read_number(text, unit, reading.units) if not self.ratio else read_ratio(text, unit, reading.units)
        if self.low is not None and value < self.low:
            msg = f"{text!r} is below {self.low:g} {unit.text}".removesuffix(" 1") + self._allowed(unit)
            raise QuantityError(msg)
        if self.high is not None and value > self.high:
            hint = f"; did you mean `{text.strip()}%`?" if self.percent and "%" not in text else self._allowed(unit)
            msg = f"{text!r} is above {self.high:g} {unit.text}".removesuffix(" 1") + hint
            raise QuantityError(msg)
        if self.whole and not math.isclose(value, round(value), rel_tol=1e-9):
            msg = f"{text!r} is not a whole number; write for example `{_typed(math.ceil(value), unit)}`"
            raise QuantityError(msg)
        return value

    def _allowed(self, unit: Unit) -> str:
        """Say what may be written instead of a figure out of bounds."""
        inside = 1.0 if self.low is None else self.low or 1.0
        inside = inside if self.high is None else min(inside, self.high)
        shown = f"{100 * inside:,.12g}%" if self.percent and unit.text == "1" else _typed(inside, unit)
        example = f"for example `{self.default or shown}`"
        if self.low is None or self.high is None:
            return f"; write {example}"
        return f"; write {self.low:,.12g} to {self.high:,.12g}, {example}"


def _typed(value: float, unit: Unit) -> str:
    return f"{value:,.12g} {unit.text}".removesuffix(" 1")


@frozen(kw_only=True)
class ChoiceField(Field):
    """One of a few words."""

    options: tuple[str, ...]

    def read(self, text: str, reading: Reading) -> float | str:
        for option in self.options:
            if option.casefold() == text.strip().casefold():
                return option
        msg = f"{text!r} is none of {', '.join(self.options)}{near(text, self.options)}"
        raise QuantityError(msg)


@frozen(kw_only=True)
class PickField(Field):
    """A part out of the catalogue of one kind; an alias is turned into the id, an ambiguous name is refused."""

    kind: str

    def read(self, text: str, reading: Reading) -> float | str:
        try:
            return reading.part(self.kind, text)
        except CapframeError as fault:
            raise QuantityError(str(fault)) from fault


@frozen(kw_only=True)
class MemberField(Field):
    """A member of another collection: structure, which no scenario may change."""

    collection: str

    def read(self, text: str, reading: Reading) -> float | str:
        return text


@frozen(kw_only=True)
class TextField(Field):
    """A text of a catalogue record that formulas may only compare or show."""

    def read(self, text: str, reading: Reading) -> float | str:
        return text


@frozen
class Family:
    """Facts of one kind for each of several words: a peak for each precision. ``{by}`` in the unit is the word."""

    field: Field
    by: tuple[str, ...]


def a_section(_instance: object, attribute: Any, value: Any) -> None:
    """Take a class whose attributes are fields of a plan; what is wrong is told where the plugin wrote it."""
    _declares(attribute.name, value, "plan", (Field, Nested))


def a_record(_instance: object, attribute: Any, value: Any) -> None:
    """Take a class whose attributes are facts of a catalogue record."""
    _declares(attribute.name, value, "catalogue record", (Field, Family))


def _declares(called: str, section: object, of_a: str, kinds: tuple[type, ...]) -> None:
    if not isinstance(section, type) or not attrs.has(section):
        msg = f"{called!r} is a class marked with @frozen of attrs, not {section!r}"
        raise TypeError(msg)
    for name, one in attrs.fields_dict(section).items():
        if not isinstance(one.metadata.get(METADATA), kinds):
            msg = f"{section.__name__}.{name} is made by quantity(…) or another function for fields of a {of_a}"
            raise TypeError(msg)


@frozen
class Nested:
    """A section within a section; a plan has to give it where it is ``needed``, or a field in it is required."""

    section: type = attrs.field(validator=a_section)
    needed: bool = False


def _attribute(declared: Field | Nested | Family) -> Any:
    required = not isinstance(declared, Family) and is_required(declared)
    return attrs.field(default=attrs.NOTHING if required else None, metadata={METADATA: declared})


def quantity(  # noqa: PLR0913 - one argument for each thing a reader of the reference page asks
    unit: str,
    *,
    label: Label,
    default: str | None = None,
    optional: bool = False,
    auto: bool = False,
    low: float | None = None,
    high: float | None = None,
    whole: bool = False,
    percent: bool = False,
    ratio: bool = False,
    by_period: bool = False,
    between: tuple[str, str] | None = None,
    source: Label = "",
    confidence: str = "assumed",
    note: Label = "",
    bases: tuple[Basis, ...] = (),
    age_of: str = "",
) -> Any:
    """Declare a number in ``unit`` (``"W/card"``, ``"{currency}/kWh"``, ``"1"``).

    ``default`` is text as in a plan; a rule of thumb has one, with ``source`` and the range it lies ``between``.
    ``source`` and ``note`` are read by people, so a sentence is ``{"en": …, "zh": …}``; a paper or a standard is a
    name, the same in every language, and stays a text.
    ``low`` and ``high`` are bounds outside of which a value is refused as a slip of the pen. ``auto`` makes it a
    given-or-computed input: pair it with ``given_or_computed`` in ``capframe_line_items``. ``bases`` and ``age_of``
    are for facts of catalogues; see ``Basis`` and ``QuantityField``.
    """
    return _attribute(
        QuantityField(
            label=label, default=default, optional=optional, may_be_auto=auto, unit=unit, low=low, high=high,
            whole=whole, percent=percent, ratio=ratio, by_period=by_period, between=between,
            origin=Origin(source, confidence, note=note),
            bases=bases, age_of=age_of,
        )
    )  # fmt: skip


def choice(
    options: Iterable[str],
    *,
    label: Label,
    default: str | None = None,
    optional: bool = False,
    source: Label = "",
    confidence: str = "assumed",
) -> Any:
    """Declare one of a few words, compared in formulas by ``same(p.…, "word")``."""
    origin = Origin(source, confidence)
    return _attribute(
        ChoiceField(label=label, options=tuple(options), default=default, optional=optional, origin=origin)
    )


def pick(kind: str, *, label: Label, default: str | None = None, optional: bool = False, source: Label = "") -> Any:
    """Declare a part out of the catalogue; ``p.….accelerator.tdp`` then reads a fact of whatever is picked.

    ``default`` is the id of the part that holds where a plan picks none, with the ``source`` of that choice. Where none
    is picked of what is ``optional``, its facts are not available.
    """
    return _attribute(PickField(label=label, kind=kind, default=default, optional=optional, origin=Origin(source)))


def member(collection: str, *, label: Label) -> Any:
    """Declare a member of another collection (the pool of a workload)."""
    return _attribute(MemberField(label=label, collection=collection))


def text(*, label: Label) -> Any:
    """Declare a text fact of a catalogue record."""
    return _attribute(TextField(label=label, optional=True))


def nested(section: type, *, needed: bool = False) -> Any:
    """Declare a section within a section (the model of a workload); ``needed`` where a plan may not leave it out."""
    return _attribute(Nested(section, needed))


def family(declared: Any, by: Iterable[str]) -> Any:
    """Declare one fact for each word of ``by``; ``fact(pick, "peak", by=p.….precision)`` reads the right one."""
    return _attribute(Family(declared.metadata[METADATA], tuple(by)))


def is_required(about: Field | Nested) -> bool:
    """Tell whether a plan has to give a field, or a section because of the fields in it."""
    if isinstance(about, Nested):
        return about.needed or bool(required(about.section))
    return about.default is None and not about.optional and not about.may_be_auto


def required(section: type) -> list[str]:
    """Return the names of the fields that a section cannot do without."""
    return [name for name, about in declared(section).items() if not isinstance(about, Family) and is_required(about)]


def declared(section: type) -> dict[str, Field | Nested | Family]:
    """Return what an attrs class declares, by name, in order."""
    return {name: attribute.metadata[METADATA] for name, attribute in attrs.fields_dict(section).items()}
