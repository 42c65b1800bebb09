"""Reading a catalogue file, every mistake gathered, into plain data that a cache can keep and decode when asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, TypeVar

from attrs import field, frozen

from capframe.catalog import Column
from capframe.catalog_names import IDENTITY
from capframe.document import Items, Node, Place, Scalar, Table, parse_yaml, problem
from capframe.errors import PlanError, Problem, near
from capframe.expr import NAN
from capframe.fields import QuantityField, Reading
from capframe.given import CONFIDENCES, Given, Origin, QuantityError, first_day, given_as, no_date
from capframe.texts import for_cells
from capframe.wording import Label, joined

LABEL = Scalar | Table
SHAPES: dict[type | UnionType, str] = {
    Scalar: "one text",
    Items: "a list",
    Table: "a mapping",
    LABEL: "a text, or one for each language",
}
Shapes = Mapping[str, type | UnionType]
ORIGIN: Shapes = {**dict.fromkeys(("source", "confidence", "as_of"), Scalar), "note": LABEL}
HEADER: Shapes = {
    **dict.fromkeys(("catalog", "kind", "as_of", "expires", "overlay"), Scalar),
    "sources": Table,
    "chinese": Table,
    **dict.fromkeys(("records", "overlays", "ambiguous", "not_here"), Items),
}
CORRECTION: Shapes = {"id": Scalar, "origin": Table, "facts": Table}
RECORD: Shapes = {**CORRECTION, "name": LABEL, "vendor": LABEL, "aliases": Items}
SOURCE: Shapes = dict.fromkeys(("title", "address", "as_of", "note"), Scalar)
FACT: Shapes = {**ORIGIN, **dict.fromkeys(("value", "low", "high"), Scalar), "conflicts": Items}
AMBIGUOUS: Shapes = {"typed": Items, "candidates": Items, "ask": Scalar}
NOT_HERE: Shapes = {"typed": Items, "near": Items, "why": Scalar}
NOT_DISCLOSED = "not disclosed"
RANGE = re.compile(r"[\d.,]+\s*(?:-|–|—|~|to)\s*[\d.,]+")  # noqa: RUF001 - the dashes that people type

Shape = TypeVar("Shape", Scalar, Items, Table)
Raw = dict[str, Any]
"""Of one file: ``kind``, ``expires``, ``sources``, ``origins``, ``records``, ``overlays``, ``ambiguous``, and
``notices`` of what was left out of its texts, and ``untold``, the notes that stay in English."""


@frozen
class Facts(Mapping[str, Given]):
    """Facts of one record, decoded from plain data when they are asked for."""

    raw: Mapping[str, list[Any]]
    origins: list[list[Any]]
    file: str

    def __getitem__(self, fact: str) -> Given:
        return decoded(self.raw[fact], self.origins, self.file)

    def __contains__(self, fact: object) -> bool:
        return fact in self.raw

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)


def decoded(raw: list[Any], origins: list[list[Any]], file: str) -> Given:
    """Return a fact out of ``[value, line, column, origin, low, high]``; None for a value is not disclosed."""
    value, line, column, origin, low, high = raw
    at = f"{file}:{line}:{column}"
    return Given(NAN if value is None else value, at, low, high, Origin(*origins[origin]))


@frozen
class FileReader:
    """Reads one file; what it finds is plain data, without mistakes or with ``problems``."""

    file: str
    kinds: Mapping[str, Mapping[str, Column]]
    reading: Reading
    skipped: bool = False
    """Whether some plugin is off, so that kinds and facts nobody declares are passed over."""
    problems: list[Problem] = field(factory=list)
    own: dict[str, str] = field(factory=dict)
    origins: dict[str, int] = field(factory=dict)
    """Each origin once, as JSON: a note in two languages is no key."""
    chinese: dict[str, str] = field(factory=dict)
    """How notes, or phrases of them, read in Chinese."""
    untold: dict[str, Place] = field(factory=dict)
    """Notes that stay in English though the file has Chinese for others, and where they stand first."""

    def read(self, data: bytes) -> Raw | None:
        """Return what a file says, or None where no active plugin declares its kind."""
        try:
            document, notices = for_cells(parse_yaml(data, self.file))
        except PlanError as fault:
            self.problems.extend(fault.problems)
            return None
        header = {key: node.text for key, node in document.nodes.items() if isinstance(node, Scalar)}
        self.known(document, HEADER)
        if header.get("catalog") != "1":
            self.problems.append(problem(document.place, "a catalogue starts with `catalog: 1`"))
        kind = header.get("kind", "")
        if kind not in self.kinds:
            if not self.skipped:
                known = ", ".join(sorted(self.kinds))
                self.problems.append(problem(document.place, f"`kind:` is one of {known}"))
            return None
        self.sources(document.nodes.get("sources"))
        self.learn(document.nodes.get("chinese"))
        default = Origin("", "", self.day(document.nodes))
        nodes = {key: list(self.each(document, key, Table)) for key, shape in HEADER.items() if shape is Items}
        corrects = header.get("overlay") in {"true", "yes"}
        records = [] if corrects else [self.record(node, kind, default) for node in nodes["records"]]
        corrected = nodes["overlays"] + (nodes["records"] if corrects else [])
        overlays = [self.overlay(node, kind, default) for node in corrected]
        return {
            "kind": kind,
            "expires": header.get("expires", ""),
            "sources": dict(self.addresses(document.nodes.get("sources"))),
            "records": [one for one in records if one],
            "overlays": [one for one in overlays if one],
            "ambiguous": [*map(self.ambiguous, nodes["ambiguous"]), *map(self.not_here, nodes["not_here"])],
            "origins": [json.loads(origin) for origin in self.origins],
            "notices": [[*one.order[1:], one.what] for one in notices],
            "untold": [[*at(place), note] for note, place in self.untold.items()],
        }

    def known(self, table: Table, shapes: Shapes) -> None:
        """Report unknown keys, and what has another shape than it is read in: it would be passed over."""
        for key, node in table.nodes.items():
            if key not in shapes:
                self.problems.append(problem(table.keys[key], f"unknown key {key!r}{near(key, shapes)}"))
            elif not isinstance(node, shapes[key]) and not (isinstance(node, Scalar) and node.blank):
                self.problems.append(problem(node.place, f"{key!r} is {SHAPES[shapes[key]]}"))

    def each(self, table: Table, key: str, shape: type[Shape]) -> Iterator[Shape]:
        """Yield the items of a list, and report those of another shape."""
        node = table.nodes.get(key)
        for item in node.nodes if isinstance(node, Items) else ():
            if isinstance(item, shape):
                yield item
            else:
                self.problems.append(problem(item.place, f"an item of {key!r} is {SHAPES[shape]}"))

    def texts(self, table: Table, key: str) -> list[str]:
        """Return the texts in a list under a key."""
        return [leaf.text for leaf in self.each(table, key, Scalar)]

    def sources(self, node: Node | None) -> None:
        """Learn the sources that facts of this file may cite, by the short names they have in it."""
        for key, entry in table_of(node).items():
            title = table_of(entry).get("title")
            self.own[key] = title.text if isinstance(title, Scalar) else key
            if isinstance(entry, Table):
                self.known(entry, SOURCE)

    def learn(self, node: Node | None) -> None:
        """Learn how the phrases of this file's notes read in Chinese: hundreds of facts share a few of them."""
        for phrase, leaf in table_of(node).items():
            if isinstance(leaf, Scalar):
                self.chinese[phrase] = leaf.text
            else:
                self.problems.append(problem(leaf.place, f"the Chinese of {phrase!r} is one text"))

    def note(self, node: Node | None) -> Label:
        """Return a note, in Chinese too where it says so itself, or the file knows it or all of its phrases."""
        if not isinstance(node, Scalar):
            return label_of(node, "")
        if said := self.in_chinese(node.text):
            return {"en": node.text, "zh": said}
        if self.chinese and node.text:
            self.untold.setdefault(node.text, node.place)
        return node.text

    def in_chinese(self, note: str) -> str:
        """Return how a note reads in Chinese, as a whole or as phrases (``a; b``, each of which may hold ``; ``)."""
        if note in self.chinese:
            return self.chinese[note]
        for cut in re.finditer("; ", note):
            first, rest = note[: cut.start()], note[cut.end() :]
            if first in self.chinese and (said := self.in_chinese(rest)):
                return f"{self.chinese[first]}; {said}"
        return ""

    def addresses(self, node: Node | None) -> Iterator[tuple[str, str]]:
        """Yield title and address of each source."""
        for key, entry in table_of(node).items():
            address = table_of(entry).get("address")
            yield self.own[key], address.text if isinstance(address, Scalar) else ""

    # ------------------------------------------------------------ records and corrections

    def record(self, node: Table, kind: str, default: Origin) -> list[Any] | None:
        """Return a record as plain data."""
        identity = self.identity(node, RECORD)
        if identity is None:
            return None
        origin = self.default(node, default)
        facts, conflicts, withheld = self.facts(node.nodes.get("facts"), kind, origin)
        aliases = self.texts(node, "aliases")
        name, vendor = label_of(node.nodes.get("name"), identity), label_of(node.nodes.get("vendor"), "")
        places = (*at(node.place), *at(node.nodes["id"].place))
        return [identity, name, vendor, aliases, *places, facts, conflicts, withheld]

    def overlay(self, node: Table, kind: str, default: Origin) -> list[Any] | None:
        """Return a correction as plain data."""
        identity = self.identity(node, CORRECTION)
        if identity is None:
            return None
        origin = self.default(node, default)
        facts, _, withheld = self.facts(node.nodes.get("facts"), kind, origin)
        return [identity, *at(node.place), {**facts, **withheld}]

    def default(self, node: Table, default: Origin) -> Origin:
        """Return the origin of facts of a record that name none of their own."""
        origin = node.nodes.get("origin")
        if isinstance(origin, Table):
            self.known(origin, ORIGIN)
        return self.origin(table_of(origin), default)

    def identity(self, node: Table, keys: Shapes) -> str | None:
        """Return the id of a record, or report that it has none."""
        self.known(node, keys)
        identity = node.nodes.get("id")
        if isinstance(identity, Scalar) and IDENTITY.match(identity.text):
            return identity.text
        what = "a record needs an id of the form `vendor/part`: small letters, digits, - and _"
        self.problems.append(problem(node.place, what))
        return None

    def facts(self, node: Node | None, kind: str, default: Origin) -> tuple[Raw, Raw, Raw]:
        """Return what is known, what other sources say against it, and what is said not to be disclosed."""
        found: Raw = {}
        conflicts: Raw = {}
        withheld: Raw = {}
        for name, value in self.named(node, kind):
            column = self.kinds[kind][name]
            entry = value.nodes if isinstance(value, Table) else {"value": value}
            fact = self.fact(value, entry, column, default)
            if fact is not None:
                (withheld if fact[0] is None else found)[name] = fact
            others = [
                self.fact(other, table_of(other), column, default)
                for other in (self.each(value, "conflicts", Table) if isinstance(value, Table) else ())
            ]
            if known := [other for other in others if other is not None]:
                conflicts[name] = known
        return found, conflicts, withheld

    def named(self, node: Node | None, kind: str) -> Iterator[tuple[str, Node]]:
        """Yield each fact that a plugin declares, families spread out, and report the others."""
        columns = self.kinds[kind]
        families = {column.split(".")[0] for column in columns if "." in column}
        for key, leaf in table_of(node).items():
            words = leaf.nodes if key in families and isinstance(leaf, Table) else {"": leaf}
            for word, value in words.items():
                name = f"{key}.{word}" if word else key
                about = columns.get(name)
                if about is None:
                    if not self.skipped:
                        what = f"unknown fact {name!r} of kind {kind!r}{near(name, columns)}"
                        self.problems.append(problem(value.place, what))
                elif isinstance(about.field, QuantityField) and about.field.age_of:
                    self.problems.append(problem(value.place, f"{name!r} follows from the date of another fact"))
                else:
                    yield name, value

    def fact(self, node: Node, entry: Mapping[str, Node], column: Column, default: Origin) -> list[Any] | None:
        """Return one fact as plain data, or report what is wrong with it."""
        bases = column.field.bases if isinstance(column.field, QuantityField) else ()
        value = entry.get("value")
        if not isinstance(value, Scalar):
            self.problems.append(problem(node.place, f"fact {column.name!r} is a text or `{{value: …, source: …}}`"))
            return None
        if isinstance(node, Table):
            self.known(node, {**FACT, **dict.fromkeys((basis.key for basis in bases), Scalar)})
        origin = self.origin(entry, default)
        if not origin.source or origin.confidence not in CONFIDENCES:
            what = f"fact {column.name!r} has no source or no confidence; give the record an `origin:` with both"
            self.problems.append(problem(node.place, what))
            return None
        factor, note = self.factor(entry, column, value)
        if factor is None:
            return None
        numbers: dict[str, float | str | None] = {"low": None, "high": None}
        for name in ("value", "low", "high"):
            leaf = entry.get(name)
            if not isinstance(leaf, Scalar) or (name == "value" and leaf.text == NOT_DISCLOSED):
                continue
            try:
                number = column.field.read(leaf.text, self.reading)
            except QuantityError as fault:
                self.problems.append(problem(leaf.place, f"{fault}{range_hint(leaf.text)}"))
                return None
            numbers[name] = number * factor if isinstance(number, float) else number
        said = [origin.source, origin.confidence, origin.date, joined([note, origin.note], "; ")]
        index = self.origins.setdefault(json.dumps(said), len(self.origins))
        return [numbers.get("value"), *at(value.place), index, numbers["low"], numbers["high"]]

    def factor(self, entry: Mapping[str, Node], column: Column, value: Scalar) -> tuple[float | None, Label]:
        """Return what turns the basis that a fact states into the one of its column, and a note of it."""
        factor, notes = 1.0, list[Label]()
        for basis in column.field.bases if isinstance(column.field, QuantityField) else ():
            leaf = entry.get(basis.key)
            if not isinstance(leaf, Scalar) or leaf.text == basis.means:
                continue
            if leaf.text in basis.factors:
                factor *= basis.factors[leaf.text]
                notes.append(
                    joined([given_as(value.text), basis.labels.get(leaf.text, leaf.text.replace("_", " "))], " ")
                )
                continue
            words = ", ".join((basis.means, *basis.factors))
            why = basis.refused.get(leaf.text, f"`{basis.key}:` is one of {words}")
            self.problems.append(problem(leaf.place, f"fact {column.name!r} is {basis.means}: {why}"))
            return None, ""
        return factor, joined(notes, "; ")

    def origin(self, entry: Mapping[str, Node], default: Origin) -> Origin:
        """Return where a fact or a record comes from; what it does not say, its record or its file does."""
        found = dict.fromkeys(("source", "confidence"), "")
        for name in found:
            leaf = entry.get(name)
            if isinstance(leaf, Scalar):
                found[name] = leaf.text
                if name == "source" and leaf.text not in self.own:
                    what = f"source {leaf.text!r} is not among the `sources:` of this file{near(leaf.text, self.own)}"
                    self.problems.append(problem(leaf.place, what))
        source = self.own.get(found["source"], "") or default.source
        confidence = found["confidence"] or default.confidence
        return Origin(source, confidence, self.day(entry) or default.date, self.note(entry.get("note")))

    def day(self, entry: Mapping[str, Node]) -> str:
        """Return the date that a file, a record or a fact says it is of."""
        leaf = entry.get("as_of")
        said = leaf.text if isinstance(leaf, Scalar) else ""
        if leaf is not None and said and first_day(said) is None:
            self.problems.append(problem(leaf.place, no_date(said)))
        return said

    # ------------------------------------------------------------ names

    def ambiguous(self, node: Table) -> list[Any]:
        """Return names that several parts share: ``[typed, candidates, ask, why]``."""
        self.known(node, AMBIGUOUS)
        return [self.texts(node, "typed"), self.texts(node, "candidates"), text_of(node, "ask") or "kind", ""]

    def not_here(self, node: Table) -> list[Any]:
        """Return names of parts without a record, which must not be taken for the parts near them."""
        self.known(node, NOT_HERE)
        return [self.texts(node, "typed"), self.texts(node, "near"), "", text_of(node, "why") or "it has no record"]


def range_hint(text: str) -> str:
    """Return how to write a range, where a text looks like one."""
    return "; a range is no figure: write `{value: …, low: …, high: …}`" if RANGE.match(text) else ""


def at(place: Place) -> tuple[int, int]:
    """Return line and column."""
    return place.line, place.column


def table_of(node: Node | None) -> dict[str, Node]:
    """Return the entries of a mapping, none of anything else."""
    return node.nodes if isinstance(node, Table) else {}


def text_of(node: Table, key: str) -> str:
    """Return the text under a key."""
    leaf = node.nodes.get(key)
    return leaf.text if isinstance(leaf, Scalar) else ""


def label_of(node: Node | None, otherwise: str) -> str | dict[str, str]:
    """Return a label in one language or by language."""
    if isinstance(node, Scalar):
        return node.text
    return {key: leaf.text for key, leaf in table_of(node).items() if isinstance(leaf, Scalar)} or otherwise
