"""Catalogues: records of parts, each fact with an origin; what is absent is not disclosed, never zero."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from attrs import evolve, field, frozen, validators

from capframe.catalog_names import Ambiguous, anywhere, folded, meant
from capframe.document import Place
from capframe.errors import CapframeError, Problem, UnitError, near
from capframe.expr import NAN
from capframe.fields import ChoiceField, Family, Field, QuantityField, Reading, TextField, a_record, declared
from capframe.given import DEFAULT, Given, Origin, first_day
from capframe.units import Unit
from capframe.wording import Label, a_label_or_none

PER_WORD = "{by}/"
"""How the unit of a family begins whose facts are amounts of their word, of one of something: ``{by}/card``."""


@frozen
class Rule:
    """What figures of one record have to fit to be plausible: ``value`` of the facts it ``reads``, within bounds.

    It is asked where all of them are known, in the units of their columns. ``unit`` is that of the value, for people.
    A rule with ``exceptions`` in the field is a ``note``; one whose breach is a slip of the pen is a ``warning``.
    """

    name: str
    reads: tuple[str, ...]
    value: Callable[..., float]
    low: float
    high: float
    unit: str = ""
    severity: str = "warning"


@frozen
class Told:
    """What a record says of another part (a price that was offered): one ``fact`` of it, in ``unit``.

    ``given`` is the figure as it was stated, which ``factor`` brings to ``unit``; ``note`` says what that was.
    """

    part: str
    fact: str
    unit: str
    given: Given
    factor: float = 1.0
    note: Label = ""


@frozen
class RecordKind:
    """A kind of record (``accelerator``) and the facts that one plugin gives it; kinds of one name add up.

    ``bought`` is the unit in which its parts are bought, a thing that is counted (``card``): whoever prices what is
    bought gives such a kind its facts (``BoughtFacts``), by whatever plugin it is. Without it nobody does.
    ``rules`` say which figures are plausible; ``capframe catalog check`` asks them. ``tells`` is asked of each record
    what it says of other parts: nothing, or facts of them, or it raises a ``CapframeError`` that says why it is not
    taken. Of several the newest counts, before what the part's own record says.
    """

    name: str
    facts: type = field(validator=a_record)
    label: Label = field(default="", validator=a_label_or_none)
    rules: tuple[Rule, ...] = ()
    tells: Callable[[Record], Iterable[Told]] | None = None
    bought: str = field(default="", kw_only=True, validator=validators.instance_of(str))


@frozen
class BoughtFacts:
    """Facts that one plugin gives every kind of record that is bought, whoever declares it: a price.

    In their units ``{of}`` stands for what the kind is bought in: ``{by}/{of}`` is ``CNY/card``.
    """

    facts: type = field(validator=a_record)


@frozen
class CatalogFile:
    """A file of records that a plugin brings."""

    path: Path


@frozen
class Column:
    """One fact of a kind: ``memory``, ``peak.bf16``."""

    name: str
    field: Field
    unit: Unit
    label: Label
    per: str = ""
    """What a fact of a family is of one of: ``card`` where its unit is ``{by}/card``."""
    assumed: Given | None = None
    """What holds where a record says nothing (one device a card); most facts have none."""


@frozen
class Source:
    """A document that facts were read in."""

    title: str
    address: str = ""


@frozen
class Record:
    """One part. ``conflicts`` are figures that other sources give for a fact, and that were not chosen."""

    id: str
    name: Label
    vendor: Label
    facts: Mapping[str, Given]
    provider: str
    at: Place
    conflicts: Mapping[str, tuple[Given, ...]] = field(factory=dict)
    withheld: Mapping[str, Given] = field(factory=dict)
    """Facts that a source says are not disclosed."""


@frozen
class Overlay:
    """One fact that another catalogue corrects: what holds now, and what the record said."""

    kind: str
    part: str
    fact: str
    value: Given
    instead_of: Given
    file: str


@frozen
class Pin:
    """A part that several catalogues bring, and whose word the plan takes.

    ``differing`` holds for each fact in dispute what was taken and what was not.
    """

    kind: str
    part: str
    provider: str
    passed_over: str
    differing: Mapping[str, tuple[Given, Given]]


@frozen
class Kind:
    """All records of one kind, and how people call them."""

    name: str
    columns: dict[str, Column]
    label: Label = ""
    records: dict[str, Record] = field(factory=dict)
    aliases: dict[str, list[str]] = field(factory=dict)
    ambiguous: dict[str, Ambiguous] = field(factory=dict)
    today: str = ""
    """The plan's date, on which a fact is as old as it is; empty where there is no plan."""
    rules: tuple[Rule, ...] = ()
    _per: dict[str, str] = field(factory=dict, init=False, eq=False, repr=False)  # asked for every part

    def family(self, name: str) -> dict[str, Column]:
        """Return the facts of a family by their names: ``price.CNY``, ``price.USD``; none where there is no such."""
        return {column: about for column, about in self.columns.items() if column.startswith(f"{name}.")}

    def per(self, family: str) -> str:
        """Return what a family's facts are of one of: ``card``; nothing where they are amounts of no single thing."""
        if family not in self._per:
            self._per[family] = next((about.per for about in self.family(family).values()), "")
        return self._per[family]

    def supersede(self, part: str, told: Mapping[str, Given]) -> None:
        """Let figures stand for the whole families of facts that they are of; what was there is kept as conflicts."""
        record = self.records[part]
        families = dict.fromkeys(fact.partition(".")[0] for fact in told)
        own = {name: record.facts[name] for one in families for name in self.family(one) if name in record.facts}
        facts = {name: one for name, one in record.facts.items() if name not in own}
        passed = {name: (*record.conflicts.get(name, ()), one) for name, one in own.items()}
        self.records[part] = evolve(record, facts={**facts, **told}, conflicts={**record.conflicts, **passed})

    def label_of(self, column: str) -> Label:
        """Return how a fact, or a family of facts, is called; one that there is not, by its name."""
        about = self.columns.get(column)
        if about is not None:
            return about.label or column
        below = next(iter(self.family(column).values()), None)
        return (below.field.label if below else "") or column

    def fact(self, part: str, column: str) -> Given:
        """Return a fact, or nan where it is not disclosed; capitals do not count, as with MATCH in a workbook."""
        if column not in self.columns:
            column = next((name for name in self.columns if name.casefold() == column.casefold()), column)
        record, about = self.records.get(part), self.columns.get(column)
        if record is None:
            return Given(NAN)
        if column in record.facts:
            return record.facts[column]
        if isinstance(about, Column) and isinstance(about.field, QuantityField) and about.field.age_of:
            return age_of(record.facts.get(about.field.age_of), self.today)
        return (about.assumed if about else None) or record.withheld.get(column) or Given(NAN)


@frozen
class Untaken:
    """A record that speaks of another part and is not heard, and why."""

    kind: str
    record: str
    why: str


@frozen
class Catalog:
    """The catalogues of a run, the sources that they cite, and what was corrected or pinned."""

    kinds: dict[str, Kind]
    sources: dict[str, Source]
    overlays: tuple[Overlay, ...] = ()
    pins: tuple[Pin, ...] = ()
    files: Mapping[str, str] = field(factory=dict)
    """Every file that was read, and the date from which it no longer holds (empty where it names none)."""
    lost: bool = False
    """Whether a file could not be read at all, whose parts a name may mean."""
    notices: tuple[Problem, ...] = ()
    """What was left out of the texts of files; no mistakes."""
    untold: tuple[Problem, ...] = ()
    """Notes that stay in English though their file has Chinese for others."""
    untaken: tuple[Untaken, ...] = ()
    _having: dict[str, dict[str, Kind]] = field(factory=dict, init=False, eq=False, repr=False)  # asked for every part

    def having(self, family: str) -> dict[str, Kind]:
        """Return the kinds whose records may tell a family of facts, each of one of something, by name."""
        if family not in self._having:
            self._having[family] = {name: kind for name, kind in self.kinds.items() if kind.per(family)}
        return self._having[family]

    def part(self, kind: str, typed: str) -> str:
        """Return the id that a typed name means, by its id or a declared alias; never by a part of the name.

        While a file is lost, a name that nobody else brings stays as it is: its mistake is that file's.

        Raises:
            CapframeError: for an unknown or an ambiguous name, with candidates.
        """
        table = self.kinds.get(kind)
        if table is None:
            msg = f"no plugin declares parts of kind {kind!r}{near(kind, self.kinds)}"
            raise CapframeError(msg)
        try:
            return meant(table, typed)
        except CapframeError:
            if self.lost:
                return typed
            raise

    def passed_over(self, part: str) -> list[Untaken]:
        """Return what speaks of a part, by its id or another name of it, and is not taken; what it tells itself too."""
        names = {part, *(name for kind in self.kinds.values() for name, own in kind.aliases.items() if part in own)}

        def speaks(record: Record) -> bool:
            told = (one.value for one in record.facts.values() if isinstance(one.value, str))
            return record.id == part or any(text == part or folded(text) in names for text in told)

        return [one for one in self.untaken if speaks(self.kinds[one.kind].records[one.record])]

    def named(self, typed: str, family: str = "") -> list[tuple[Kind, str]]:
        """Return the parts that a typed name means, one of each kind; only of kinds that have a ``family`` of facts.

        Raises:
            CapframeError: for an unknown or an ambiguous name, with candidates.
        """
        return anywhere(self.having(family) if family else self.kinds, typed)


def _unit_in(field: QuantityField, word: str, bought: str, reading: Reading) -> str:
    """Return the unit of a fact with what stands for its word, for what is bought, and for the plan's money."""
    return field.unit.replace("{currency}", reading.currency).replace("{by}", word).replace("{of}", bought)


def known(unit: str, reading: Reading) -> bool:
    """Tell whether the unit of a fact is declared by an active plugin."""
    try:
        reading.units(unit)
    except UnitError:
        return False
    return True


def columns_of(
    kinds: Iterable[RecordKind | BoughtFacts], reading: Reading, *, bought: str = "", some_off: bool = False
) -> dict[str, Column]:
    """Return the columns of one kind, from all plugins that add facts to it; ``bought`` is what it is bought in."""
    columns: dict[str, Column] = {}
    for kind in kinds:
        for name, about in declared(kind.facts).items():
            for column, one, word in _spread(name, about):
                if isinstance(one, QuantityField):
                    text = _unit_in(one, word, bought, reading)
                    if some_off and not known(text, reading):
                        continue  # its units are those of a plugin that is off
                    unit = reading.units(text)
                    per = one.unit.removeprefix(PER_WORD) if one.unit.startswith(PER_WORD) else ""
                    per = per.replace("{of}", bought)
                    one = evolve(  # noqa: PLW2901 - {by} and {of} are settled from here on
                        one, unit=unit.text, age_of=one.age_of.replace("{by}", word)
                    )
                else:
                    unit, per = reading.units("text"), ""
                label = _with_word(one.label, word)
                assumed = None
                if one.default is not None:
                    assumed = Given(one.read(one.default, reading), DEFAULT, origin=one.origin)
                columns[column] = Column(column, one, unit, label, per, assumed)
    return columns


def _spread(name: str, about: object) -> Iterator[tuple[str, Field, str]]:
    if isinstance(about, Family):
        yield from ((f"{name}.{word}", about.field, word) for word in about.by)
    elif isinstance(about, Field):
        yield name, about, ""


def _with_word(label: Label, word: str) -> Label:
    if not word:
        return label
    if isinstance(label, str):
        return f"{label} ({word})"
    return {language: f"{text} ({word})" for language, text in label.items()}


def age_of(fact: Given | None, today: str) -> Given:
    """Return how many days before ``today`` a fact was dated, or nan where one of the dates is not known.

    A date without a day or month counts from its first day: a figure has to show that it is fresh.
    """
    days = days_between(fact.origin.date, today) if fact is not None else None
    if fact is None or days is None:
        return Given(NAN)
    return Given(days, fact.at, origin=dated(fact.origin))


def dated(origin: Origin) -> Origin:
    """Return the origin of an age: the date of what is so old, and how sure that is."""
    said: Label = {"en": "no date given", "zh": "未注明日期"}
    if origin.date:
        said = {"en": f"dated {origin.date}", "zh": f"日期 {origin.date}"}
    return Origin(said, origin.confidence)


def days_between(dated: str, today: str) -> float | None:
    """Return how many days before ``today`` a date was, or None where one of them is not known."""
    then, now = first_day(dated), first_day(today)
    return float((now - then).days) if then is not None and now is not None else None


def is_a_text(column: Column) -> bool:
    """Tell whether a column holds texts."""
    return isinstance(column.field, ChoiceField | TextField)


__all__ = [
    "Ambiguous", "BoughtFacts", "Catalog", "CatalogFile", "Column", "Kind", "Overlay", "Pin", "Record", "RecordKind",
    "Rule", "Source",
    "age_of", "columns_of", "dated", "days_between", "folded", "is_a_text",
]  # fmt: skip
