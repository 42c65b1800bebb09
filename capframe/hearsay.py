"""What records of one kind say of parts of another: offers, which tell prices."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from capframe.catalog import Kind, Told, Untaken
from capframe.errors import CapframeError
from capframe.given import Given, first_day
from capframe.sections import in_turn
from capframe.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from capframe.catalog import Catalog, Record, RecordKind
    from capframe.plugins import Host
    from capframe.units import Units

    Worth = Mapping[str, Mapping[str, float]]
    """What one of a word is worth in the plan's money, which comes first: ``price``, ``USD``, 7.1."""


@frozen
class Heard:
    """What one record told of a part: facts by name, in the units of their columns."""

    day: date
    kind: Kind
    part: str
    facts: dict[str, Given]

    def figure(self, worth: Worth) -> float | None:
        """Return the figure that counts, in the plan's money where it knows the rate; None where none can be used."""
        family = next(iter(self.facts)).partition(".")[0]
        if family not in worth:
            return float(next(iter(self.facts.values())).value)
        own, words = next(iter(worth[family])), (name.partition(".")[2] for name in self.kind.family(family))
        counting = (word for word in in_turn(words, own, worth[family]) if f"{family}.{word}" in self.facts)
        return next((float(self.facts[f"{family}.{word}"].value) * worth[family][word] for word in counting), None)


def hear(  # noqa: PLR0913 - what is told, of what, and what it is worth
    host: Host, tellers: Iterable[tuple[str, RecordKind]], catalog: Catalog, units: Units, today: str, worth: Worth
) -> tuple[Untaken, ...]:
    """Let each record that tells facts of a part say them, the newest last, and return those that are not taken.

    Of one day the lower figure is last, by its ``worth``; what was said before is kept among the part's conflicts.
    """
    heard: list[tuple[date, float, str, Heard]] = []
    untaken: list[Untaken] = []
    for plugin, about in tellers:
        for record in catalog.kinds[about.name].records.values():
            with host.attributed(plugin, f"what {record.id} tells"):
                of_record: dict[tuple[str, str, str], Heard] = {}
                try:
                    for told in about.tells(record) if about.tells else ():
                        try:
                            one = _heard(record, told, catalog, units, today)
                        except CapframeError as fault:
                            untaken.append(Untaken(about.name, record.id, str(fault)))
                            continue
                        same = of_record.setdefault((one.kind.name, one.part, told.fact.partition(".")[0]), one)
                        same.facts.update(one.facts)
                except CapframeError as fault:
                    untaken.append(Untaken(about.name, record.id, str(fault)))
                for one in of_record.values():
                    figure, first = one.figure(worth), next(iter(one.facts.values()))
                    if figure is None:
                        untaken.append(Untaken(about.name, record.id, unrated(one, worth)))
                    else:
                        heard.append((one.day, -figure, first.at, one))
    for *_, one in sorted(heard, key=lambda ranked: ranked[:3]):
        one.kind.supersede(one.part, one.facts)
    return tuple(untaken)


def unrated(one: Heard, worth: Worth) -> str:
    """Return why none of its figures can be used: they are in money that the plan has no rate for."""
    families, words = zip(*(fact.split(".", 1) for fact in one.facts), strict=True)
    money = next(iter(worth[families[0]]))
    return f"it is in {' and '.join(words)}, and the plan has no rate in {money}/{words[0]}"


def _heard(record: Record, told: Told, catalog: Catalog, units: Units, today: str) -> Heard:
    """Return what a record tells, in the unit of the part's own column.

    Raises:
        CapframeError: why it cannot be taken.
    """
    dated, family = told.given.origin.date, told.fact.partition(".")[0]
    day, now = first_day(dated), first_day(today)
    if day is None:
        msg = "it has no date"
        raise CapframeError(msg)
    if now is not None and day > now:
        msg = f"it is dated {dated}, after the plan's date {today}"
        raise CapframeError(msg)
    found = catalog.named(told.part, family)
    if len(found) > 1:
        msg = f"{told.part!r} is a name of {' and of '.join(part for _, part in found)}"
        raise CapframeError(msg)
    [(kind, part)] = found
    if told.fact not in kind.columns:
        can = " or ".join(f"`{name}`" for name in kind.family(family))
        msg = f"a part of kind {kind.name} has no {told.fact!r}; write {can}"
        raise CapframeError(msg)
    column, unit = kind.columns[told.fact], units(told.unit)
    if unit.dims != column.unit.dims:
        msg = f"it is in {unit.text}, and that of a part of kind {kind.name} in {column.unit.text}"
        raise CapframeError(msg)
    factor = float(unit.factor / column.unit.factor) * told.factor
    note = joined([record.id, told.note, told.given.origin.note], "; ")
    given = told.given.times(factor)
    return Heard(day, kind, part, {told.fact: evolve(given, origin=evolve(given.origin, note=note))})
