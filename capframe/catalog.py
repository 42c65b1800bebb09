"""Catalogues: records of parts, each fact with an origin; what is absent is not disclosed, never zero."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import evolve, field, frozen

from capframe.document import Items, Node, Place, Scalar, Table, problem, read_yaml
from capframe.errors import CapframeError, PlanError, Problem, UnitError, near
from capframe.expr import NAN
from capframe.fields import ChoiceField, Family, Field, QuantityField, Reading, TextField, declared
from capframe.given import CONFIDENCES, Given, Origin, QuantityError
from capframe.units import Unit
from capframe.wording import Label

if TYPE_CHECKING:
    from types import UnionType

IDENTITY = re.compile(r"[a-z0-9][a-z0-9_-]*/[a-z0-9][a-z0-9_-]*\Z")
"""Ids stand in drop-downs and look-ups, where a dot, a comma or a wildcard would mean something."""


@frozen
class RecordKind:
    """A kind of record (``accelerator``) and the facts that one plugin gives it; kinds of one name add up."""

    name: str
    facts: type
    label: Label = ""


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
    assumed: Given | None = None
    """What holds where a record says nothing (one device a card); most facts have none."""


@frozen
class Source:
    """A document that facts were read in."""

    title: str
    address: str = ""


@frozen
class Record:
    """One part."""

    id: str
    name: Label
    vendor: Label
    facts: Mapping[str, Given]
    provider: str
    at: Place


@frozen
class Ambiguous:
    """A name that several parts share, and what to ask."""

    candidates: tuple[str, ...]
    ask: str


@frozen
class Kind:
    """All records of one kind, and how people call them."""

    name: str
    columns: dict[str, Column]
    label: Label = ""
    records: dict[str, Record] = field(factory=dict)
    aliases: dict[str, list[str]] = field(factory=dict)
    ambiguous: dict[str, Ambiguous] = field(factory=dict)

    def fact(self, part: str, column: str) -> Given:
        """Return a fact, or nan where it is not disclosed; capitals do not count, as with MATCH in a workbook."""
        if column not in self.columns:
            column = next((name for name in self.columns if name.casefold() == column.casefold()), column)
        record = self.records.get(part)
        if record is not None and column in record.facts:
            return record.facts[column]
        assumed = self.columns[column].assumed if record is not None and column in self.columns else None
        return assumed or Given(NAN)


@frozen
class Catalog:
    """The catalogues of a run, and the sources that they cite."""

    kinds: dict[str, Kind]
    sources: dict[str, Source]

    def part(self, kind: str, typed: str) -> str:
        """Return the id that a typed name means, by its id or a declared alias; never by a part of the name.

        Raises:
            CapframeError: for an unknown or an ambiguous name, with candidates.
        """
        table = self.kinds.get(kind)
        if table is None:
            msg = f"no plugin declares parts of kind {kind!r}{near(kind, self.kinds)}"
            raise CapframeError(msg)
        if typed in table.records:
            return typed
        name = folded(typed)
        if found := table.ambiguous.get(name):
            candidates = ", ".join(found.candidates)
            msg = f"{typed!r} can mean several parts; choose one of {candidates} (the question is: {found.ask})"
            raise CapframeError(msg)
        owners = table.aliases.get(name, [])
        if len(owners) == 1:
            return owners[0]
        if owners:
            msg = f"{typed!r} is a name of {' and of '.join(owners)}; write one of these ids"
            raise CapframeError(msg)
        names = {*table.records, *(record.id.split("/")[-1] for record in table.records.values())}
        msg = f"no {kind} is called {typed!r}{near(typed, names)} (`capframe catalog list {kind}` shows all)"
        raise CapframeError(msg)


def folded(name: str) -> str:
    """Return a name without case, spaces, hyphens and underscores, as aliases are compared."""
    return "".join(name.casefold().replace("-", " ").replace("_", " ").split())


def known(field: QuantityField, word: str, reading: Reading) -> bool:
    """Tell whether the unit of a fact is declared by an active plugin."""
    try:
        reading.units(field.unit.replace("{currency}", reading.currency).replace("{by}", word))
    except UnitError:
        return False
    return True


def columns_of(kinds: Iterable[RecordKind], reading: Reading, *, some_off: bool = False) -> dict[str, Column]:
    """Return the columns of one kind, from all plugins that add facts to it."""
    columns: dict[str, Column] = {}
    for kind in kinds:
        for name, about in declared(kind.facts).items():
            for column, one, word in _spread(name, about):
                if isinstance(one, QuantityField):
                    if some_off and not known(one, word, reading):
                        continue  # its units are those of a plugin that is off
                    unit = reading.units(one.unit.replace("{currency}", reading.currency).replace("{by}", word))
                    one = evolve(one, unit=unit.text)  # noqa: PLW2901 - {by} is settled from here on
                else:
                    unit = reading.units("text")
                label = _with_word(one.label, word)
                assumed = None
                if one.default is not None:
                    assumed = Given(one.read(one.default, reading), "default", origin=one.origin)
                columns[column] = Column(column, one, unit, label, assumed)
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


# ---------------------------------------------------------------- reading files

Shape = TypeVar("Shape", Scalar, Items, Table)
LABEL = Scalar | Table
SHAPES: dict[type | UnionType, str] = {
    Scalar: "one text", Items: "a list", Table: "a mapping", LABEL: "a text, or one for each language",
}  # fmt: skip
FILE = {"catalog": Scalar, "kind": Scalar, "as_of": Scalar, "sources": Table, "records": Items, "ambiguous": Items}
RECORD: dict[str, type | UnionType] = {
    "id": Scalar,
    "name": LABEL,
    "vendor": LABEL,
    "aliases": Items,
    "origin": Table,
    "facts": Table,
}
ORIGIN = dict.fromkeys(("source", "confidence", "as_of", "note"), Scalar)
FACT = ORIGIN | dict.fromkeys(("value", "low", "high"), Scalar)
AMBIGUOUS = {"typed": Items, "candidates": Items, "ask": Scalar}


@frozen
class Loader:
    """Reads catalogue files into kinds; every mistake of every file is gathered."""

    kinds: dict[str, Kind]
    reading: Reading
    skipped: bool = False
    """Whether some plugin is off, so that facts nobody declares are passed over."""
    sources: dict[str, Source] = field(factory=dict)
    problems: list[Problem] = field(factory=list)

    def load(self, path: Path, provider: str, name: str | None = None) -> None:
        """Read one file; ``provider`` is the plugin or the plan that names it."""
        try:
            document = read_yaml(path, name or path.name)
        except PlanError as fault:
            self.problems.extend(fault.problems)
            return
        header = {key: node.text for key, node in document.nodes.items() if isinstance(node, Scalar)}
        self._known(document, FILE)
        if header.get("catalog") != "1":
            self.problems.append(problem(document.place, "a catalogue starts with `catalog: 1`"))
        kind = self.kinds.get(header.get("kind", ""))
        if kind is None:
            if not self.skipped:
                kinds = ", ".join(sorted(self.kinds))
                self.problems.append(problem(document.place, f"`kind:` is one of {kinds}"))
            return
        own = self._sources(document.nodes.get("sources"))
        for node in self._each(document, "records", Table):
            self._record(node, kind, provider, own, header.get("as_of", ""))
        for node in self._each(document, "ambiguous", Table):
            self._ambiguous(node, kind)

    def _known(self, table: Table, shapes: Mapping[str, type | UnionType]) -> None:
        """Report unknown keys, and what has another shape than it is read in: it would be passed over."""
        for key, node in table.nodes.items():
            if key not in shapes:
                self.problems.append(problem(table.keys[key], f"unknown key {key!r}{near(key, shapes)}"))
            elif not isinstance(node, shapes[key]) and not (isinstance(node, Scalar) and node.blank):
                self.problems.append(problem(node.place, f"{key!r} is {SHAPES[shapes[key]]}"))

    def _each(self, table: Table, key: str, shape: type[Shape]) -> Iterator[Shape]:
        """Yield the items of a list, and report those of another shape."""
        for node in _items(table.nodes.get(key)):
            if isinstance(node, shape):
                yield node
            else:
                self.problems.append(problem(node.place, f"an item of {key!r} is {SHAPES[shape]}"))

    def _sources(self, node: Node | None) -> dict[str, str]:
        own = {}
        for key, entry in node.nodes.items() if isinstance(node, Table) else ():
            texts = {name: leaf.text for name, leaf in _table(entry).items() if isinstance(leaf, Scalar)}
            title = texts.get("title", key)
            own[key] = title
            self.sources[title] = Source(title, texts.get("address", ""))
        return own

    def _record(self, node: Table, kind: Kind, provider: str, own: dict[str, str], as_of: str) -> None:
        self._known(node, RECORD)
        identity = node.nodes.get("id")
        if not isinstance(identity, Scalar) or not IDENTITY.match(identity.text):
            what = "a record needs an id of the form `vendor/part`: small letters, digits, - and _"
            self.problems.append(problem(node.place, what))
            return
        if other := kind.records.get(identity.text):
            what = f"{identity.text!r} is brought by {other.provider!r} ({other.at}) and by {provider!r}; keep one"
            self.problems.append(problem(identity.place, what))
            return
        if isinstance(origin := node.nodes.get("origin"), Table):
            self._known(origin, ORIGIN)
        default = self._origin(_table(origin), own, Origin("", "", as_of))
        facts = dict(self._facts(node.nodes.get("facts"), kind, own, default))
        record = Record(
            identity.text, _label(node.nodes.get("name"), identity.text), _label(node.nodes.get("vendor"), ""),
            facts, provider, node.place,
        )  # fmt: skip
        kind.records[record.id] = record
        aliases = [leaf.text for leaf in self._each(node, "aliases", Scalar)]
        for name in dict.fromkeys(map(folded, (record.id, record.id.split("/")[-1], *aliases))):
            kind.aliases.setdefault(name, []).append(record.id)

    def _facts(
        self, node: Node | None, kind: Kind, own: dict[str, str], default: Origin
    ) -> Iterator[tuple[str, Given]]:
        if not isinstance(node, Table):
            return
        families = {column.split(".")[0] for column in kind.columns if "." in column}
        for key, leaf in node.nodes.items():
            words = leaf.nodes if key in families and isinstance(leaf, Table) else {"": leaf}
            for word, value in words.items():
                name = f"{key}.{word}" if word else key
                column = kind.columns.get(name)
                if column is None:
                    if not self.skipped:
                        what = f"unknown fact {name!r} of kind {kind.name!r}{near(name, kind.columns)}"
                        self.problems.append(problem(value.place, what))
                    continue
                if fact := self._fact(value, column, own, default):
                    yield name, fact

    def _fact(self, node: Node, column: Column, own: dict[str, str], default: Origin) -> Given | None:
        entry = node.nodes if isinstance(node, Table) else {"value": node}
        value = entry.get("value")
        if not isinstance(value, Scalar):
            self.problems.append(problem(node.place, f"fact {column.name!r} is a text or `{{value: …, source: …}}`"))
            return None
        if isinstance(node, Table):
            self._known(node, FACT)
        origin = self._origin(entry, own, default)
        if not origin.source or origin.confidence not in CONFIDENCES:
            what = f"fact {column.name!r} has no source or no confidence; give the record an `origin:` with both"
            self.problems.append(problem(node.place, what))
            return None
        read: dict[str, float | str] = {}
        for name in ("value", "low", "high"):
            leaf = entry.get(name)
            if isinstance(leaf, Scalar):
                try:
                    read[name] = column.field.read(leaf.text, self.reading)
                except QuantityError as fault:
                    self.problems.append(problem(leaf.place, str(fault)))
                    return None
        low, high = read.get("low"), read.get("high")
        return Given(
            read["value"], str(value.place),
            low if isinstance(low, float) else None, high if isinstance(high, float) else None, origin,
        )  # fmt: skip

    def _origin(self, entry: Mapping[str, Node], own: dict[str, str], default: Origin) -> Origin:
        found = dict.fromkeys(("source", "confidence", "as_of", "note"), "")
        for name in found:
            leaf = entry.get(name)
            if isinstance(leaf, Scalar):
                found[name] = leaf.text
                if name == "source" and leaf.text not in own:
                    what = f"source {leaf.text!r} is not among the `sources:` of this file{near(leaf.text, own)}"
                    self.problems.append(problem(leaf.place, what))
        source = own.get(found["source"], "") or default.source
        confidence = found["confidence"] or default.confidence
        return Origin(source, confidence, found["as_of"] or default.date, found["note"])

    def _ambiguous(self, node: Table, kind: Kind) -> None:
        self._known(node, AMBIGUOUS)
        candidates = tuple(leaf.text for leaf in self._each(node, "candidates", Scalar))
        ask = node.nodes.get("ask")
        why = ask.text if isinstance(ask, Scalar) else "kind"
        for typed in self._each(node, "typed", Scalar):
            kind.ambiguous[folded(typed.text)] = Ambiguous(candidates, why)


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.nodes if isinstance(node, Items) else ()


def _table(node: Node | None) -> dict[str, Node]:
    return node.nodes if isinstance(node, Table) else {}


def _label(node: Node | None, otherwise: str) -> Label:
    if isinstance(node, Scalar):
        return node.text
    return {key: leaf.text for key, leaf in _table(node).items() if isinstance(leaf, Scalar)} or otherwise


def is_a_text(column: Column) -> bool:
    """Tell whether a column holds texts."""
    return isinstance(column.field, ChoiceField | TextField)
