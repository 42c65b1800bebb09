"""What records of one kind say of parts of another: offers, which tell prices."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from capframe.catalog import Kind, Told, Untaken, first_day
from capframe.errors import CapframeError
from capframe.given import Given
from capframe.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capframe.catalog import Catalog, Record, RecordKind
    from capframe.plugins import Host
    from capframe.units import Units


@frozen
class Heard:
    """What one record told of a part: facts by name, in the units of their columns."""

    day: date
    kind: Kind
    part: str
    facts: dict[str, Given]

    @property
    def order(self) -> tuple[date, float, str]:
        """How it ranks: the newest last, of one day the lower figure."""
        first = next(iter(self.facts.values()))
        return self.day, -first.value, first.at  # type: ignore[operator]  # a number


def hear(
    host: Host, tellers: Iterable[tuple[str, RecordKind]], catalog: Catalog, units: Units, today: str
) -> tuple[Untaken, ...]:
    """Let each record that tells facts of a part say them, the newest last, and return those that are not taken.

    Of one day the lower figure is last; what was said before is kept among the part's conflicts.
    """
    heard: list[Heard] = []
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
                heard.extend(of_record.values())
    for one in sorted(heard, key=lambda one: one.order):
        one.kind.supersede(one.part, one.facts)
    return tuple(untaken)


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
