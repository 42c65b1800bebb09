"""From catalogue files to one table of each kind: who brings a part, who corrects it, and whose word a plan takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from capframe.catalog import Kind, Overlay, Pin, Record, Source, folded
from capframe.catalog_cache import keep, kept, key_of
from capframe.catalog_files import Facts, FileReader, Raw, decoded
from capframe.catalog_names import Ambiguous
from capframe.document import Place, problem
from capframe.errors import Problem, near
from capframe.evaluation import usable
from capframe.fields import Reading
from capframe.figures import NOT_AVAILABLE
from capframe.given import Given
from capframe.wording import joined, say

MOST_SHOWN = 4
PLUGIN, PLAN, COMMAND = range(3)
"""Who names a file; an overlay of a later one corrects what an earlier one corrected."""


@frozen
class Named:
    """A catalogue file to read: who names it, and what it is called in messages and outputs."""

    path: Path
    provider: str
    title: str
    level: int = PLUGIN


@frozen
class Merger:
    """Reads files one after another; every mistake of every file is gathered."""

    kinds: dict[str, Kind]
    reading: Reading
    skipped: bool = False
    pinned: Mapping[str, tuple[str, Place]] = field(factory=dict)
    """For a part that several catalogues bring: the plugin or file whose word counts, and where the plan says so."""
    sources: dict[str, Source] = field(factory=dict)
    problems: list[Problem] = field(factory=list)
    notices: list[Problem] = field(factory=list)
    untold: list[Problem] = field(factory=list)
    pins: list[Pin] = field(factory=list)
    overlays: list[Overlay] = field(factory=list)
    files: list[tuple[Named, Raw]] = field(factory=list)
    lost: list[Named] = field(factory=list)
    """Files of which nothing could be read."""
    foreign: Callable[[Path], bytes | None] = lambda _path: None
    """Returns a file of another form (a price list) as the bytes of a catalogue; None for one of ours."""

    def load(self, *files: Named) -> None:
        """Read all files, then apply what corrects others."""
        schema = self.schema()
        for one in files:
            self.read(one, schema)
        self.correct()
        providers = {name for one, _ in self.files for name in (one.provider, one.title)}
        for part, (whose, place) in self.pinned.items():
            if not any(part in kind.records for kind in self.kinds.values()):
                names = [name for kind in self.kinds.values() for name in kind.records]
                self.problems.append(problem(place, f"pins {part!r}, which no catalogue brings{near(part, names)}"))
            elif whose not in providers:
                known = f"{near(whose, providers)} (there are {', '.join(sorted(providers))})"
                what = f"pins {part!r} to {whose!r}, which brings no catalogue{known}"
                self.problems.append(problem(place, what))

    def schema(self) -> str:
        """Return what the meaning of a file depends on besides its bytes."""
        kinds = " ".join(self.kinds)  # a kind may have no columns where the plugin of its facts is off
        about = (
            f"{kind.name} {column.name} {column.field!r} {column.unit.dims} {column.unit.factor}"
            for kind in self.kinds.values()
            for column in kind.columns.values()
        )
        return "\n".join((self.reading.currency, str(self.skipped), kinds, *about, self.reading.units.signature()))

    def read(self, one: Named, schema: str) -> None:
        """Read one file, out of the cache where it was read without a mistake before."""
        try:
            data = one.path.read_bytes()
        except OSError as fault:
            self.problems.append(Problem(one.title, f"cannot be read: {fault.strerror}"))
            self.lost.append(one)
            return
        if (imported := self.foreign(one.path)) is not None:
            one, data = evolve(one, title=f"{one.title} (imported)"), imported
        key = key_of(data, [schema])
        found = kept(key)
        if found is None:
            columns = {name: kind.columns for name, kind in self.kinds.items()}
            reader = FileReader(one.title, columns, self.reading, self.skipped)
            found = reader.read(data)
            self.problems.extend(reader.problems)
            if found is None:
                self.lost.append(one)
                return
            if not reader.problems:
                keep(key, found)
        self.add(one, found)

    def add(self, one: Named, found: Raw) -> None:
        """Put the records and names of a file into its kind."""
        kind = self.kinds[found["kind"]]
        self.files.append((one, found))
        self.notices.extend(problem(Place(one.title, line, column), what) for line, column, what in found["notices"])
        self.untold.extend(problem(Place(one.title, line, column), note) for line, column, note in found["untold"])
        for title, address in found["sources"].items():
            self.sources[title] = Source(title, address or self.sources.get(title, Source(title)).address)
        for raw in found["records"]:
            record = record_of(raw, found["origins"], one)
            if record.id in kind.records:
                record = self.settled(kind, kind.records[record.id], record, Place(one.title, *raw[6:8]))
            kind.records[record.id] = record
            for name in dict.fromkeys(map(folded, (record.id, record.id.split("/")[-1], *raw[3]))):
                owners = kind.aliases.setdefault(name, [])
                if record.id not in owners:
                    owners.append(record.id)
        for typed, candidates, ask, why in found["ambiguous"]:
            for name in typed:
                kind.ambiguous[folded(name)] = Ambiguous(tuple(candidates), ask, why)

    def settled(self, kind: Kind, old: Record, new: Record, place: Place) -> Record:
        """Return the record that the plan pins, of two that bring one id; without a pin report both."""
        differing = differences(old, new)
        whose, _ = self.pinned.get(new.id, ("", new.at))
        for chosen, other in ((old, new), (new, old)):
            if whose and whose in {chosen.provider, chosen.at.file}:
                pairs = {
                    fact: (first, second) if chosen is old else (second, first)
                    for fact, (first, second) in differing.items()
                }
                self.pins.append(Pin(kind.name, new.id, whose, other.provider, pairs))
                return pinned(chosen, other, pairs, kind)
        self.problems.append(problem(place, clash(kind, old, new, differing)))
        return old

    # ------------------------------------------------------------ overlays

    def correct(self) -> None:
        """Apply every overlay: those of plugins, then those of the plan, then those of the command line."""
        done: dict[tuple[str, str, str], tuple[int, Given]] = {}
        for one, found in sorted(self.files, key=lambda pair: pair[0].level):
            kind = self.kinds[found["kind"]]
            for identity, line, column, facts in found["overlays"]:
                place = Place(one.title, line, column)
                record = kind.records.get(identity)
                if record is None:
                    what = f"corrects {identity!r}, which no catalogue brings{near(identity, kind.records)}"
                    self.problems.append(problem(place, what))
                    continue
                for fact, raw in facts.items():
                    given = decoded(raw, found["origins"], one.title)
                    before = done.get((kind.name, identity, fact))
                    if before is not None and before[0] == one.level:
                        what = f"corrects {fact!r} of {identity}, as does {before[1].at}; keep one"
                        self.problems.append(problem(place, what))
                        continue
                    done[kind.name, identity, fact] = one.level, given
                    self.overlay(kind, identity, fact, given, one.title)

    def overlay(self, kind: Kind, part: str, fact: str, given: Given, file: str) -> None:
        """Correct one fact; its note names both figures and both files."""
        record = kind.records[part]
        old = record.facts.get(fact, Given(float("nan"), str(record.at)))
        before, whose = shown(old, kind, fact), f" ({say(old.origin.source, 'en')})" if old.origin.source else ""
        said = {
            "en": f"{file} corrects {before} of {old.at}{whose}",
            "zh": f"{file} 更正 {old.at} 的 {before}{whose}",
        }
        note = joined([said, given.origin.note], "; ")
        given = evolve(given, origin=evolve(given.origin, note=note))
        facts = dict(record.facts.items())
        if usable(given.value):
            facts[fact] = given
        else:
            facts.pop(fact, None)
        withheld = dict(record.withheld) if usable(given.value) else {**record.withheld, fact: given}
        kind.records[part] = evolve(record, facts=facts, withheld=withheld)
        self.overlays.append(Overlay(kind.name, part, fact, given, old, file))


def record_of(raw: list[Any], origins: list[list[Any]], one: Named) -> Record:
    """Return a record out of the plain data of a file."""
    identity, name, vendor, _, line, column, _, _, facts, conflicts, withheld = raw
    others = {
        fact: tuple(decoded(entry, origins, one.title) for entry in entries) for fact, entries in conflicts.items()
    }
    return Record(
        identity, name, vendor, Facts(facts, origins, one.title), one.provider, Place(one.title, line, column),
        others, Facts(withheld, origins, one.title),
    )  # fmt: skip


def differences(old: Record, new: Record) -> dict[str, tuple[Given, Given]]:
    """Return the facts that two records give differently."""
    both = [fact for fact in old.facts if fact in new.facts]
    pairs = {fact: (old.facts[fact], new.facts[fact]) for fact in both}
    return {fact: pair for fact, pair in pairs.items() if pair[0].value != pair[1].value}


def pinned(chosen: Record, other: Record, differing: Mapping[str, tuple[Given, Given]], kind: Kind) -> Record:
    """Return the record that a plan pins; each fact in dispute says so."""
    facts = dict(chosen.facts.items())
    conflicts = dict(chosen.conflicts)
    for fact, (taken, passed) in differing.items():
        figure = f"{shown(passed, kind, fact)} ({cited(passed)})"
        said = {
            "en": f"pinned to {chosen.provider}; {other.provider} says {figure}",
            "zh": f"指定采用 {chosen.provider}; {other.provider} 为 {figure}",
        }
        note = joined([said, taken.origin.note], "; ")
        facts[fact] = evolve(taken, origin=evolve(taken.origin, note=note))
        conflicts[fact] = (*conflicts.get(fact, ()), passed)
    return evolve(chosen, facts=facts, conflicts=conflicts)


def clash(kind: Kind, old: Record, new: Record, differing: Mapping[str, tuple[Given, Given]]) -> str:
    """Return what to say of an id that two catalogues bring."""
    said = f"{new.id!r} is brought by {old.provider!r} ({old.at}) and by {new.provider!r}; keep one"
    if old.provider == new.provider and old.at.file == new.at.file:
        return said
    facts = [
        f"{fact} is {shown(first, kind, fact)} ({cited(first)}) or {shown(second, kind, fact)} ({cited(second)})"
        for fact, (first, second) in list(differing.items())[:MOST_SHOWN]
    ]
    if facts:
        rest = len(differing) - len(facts)
        said += f"; they differ: {'; '.join(facts)}" + (f"; and {rest} more" if rest else "")
    whose = old.at.file if old.provider in {"the plan", "--catalog"} else old.provider
    how = "a file that corrects facts of another says `overlay: true`; or the plan pins one: "
    return f"{said}. Where both are to stay, {how}`pins: {{{new.id}: {whose}}}`"


def shown(given: Given, kind: Kind, fact: str) -> str:
    """Return a fact with its unit."""
    if isinstance(given.value, str):
        return given.value
    if not usable(given.value):
        return f"{NOT_AVAILABLE} (not disclosed)"
    unit = kind.columns[fact].unit.text
    return f"{given.value:,.10g} {unit}".removesuffix(" 1")


def cited(given: Given) -> str:
    """Return source and date of a fact."""
    return ", ".join(filter(None, (say(given.origin.source, "en"), given.origin.date)))
