"""What ``capframe catalog check`` finds in catalogues that were read without a mistake: figures hard to believe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe.given import first_day
from capframe.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe.catalog import Catalog, Kind, Record, Rule
    from capframe.given import Given

WARNING, NOTE = "warning", "note"


@frozen(order=True)
class Finding:
    """One thing to look at: how bad it is, where it stands, and what it is."""

    severity: str
    where: str
    what: str


def findings(catalog: Catalog, today: str, only: frozenset[str] = frozenset()) -> list[Finding]:
    """Return what is hard to believe, warnings first; ``only`` of these files where any are named."""
    found = [*_expired(catalog, today), *_of_records(catalog, today), *_untaken(catalog), *_without_address(catalog)]
    found += [Finding(NOTE, one.where, one.what) for one in catalog.notices]
    stays = "stays in English: nothing under `chinese:` says how it, or each of its phrases, reads in Chinese"
    found += [Finding(NOTE, one.where, f"the note {one.what!r} {stays}") for one in catalog.untold]
    of_files = [one for one in found if not only or one.where.split(":")[0] in only]
    return sorted(of_files, key=lambda one: (one.severity != WARNING, one))


def _expired(catalog: Catalog, today: str) -> Iterator[Finding]:
    now = first_day(today)
    for file, expires in catalog.files.items():
        until = first_day(expires)
        if expires and until is None:
            yield Finding(WARNING, file, f"`expires: {expires}` is no date; write it as `2027-06-30`")
        elif now is not None and until is not None and until < now:
            yield Finding(WARNING, file, f"no longer holds: it expired on {expires}, and it is {today}")


def _untaken(catalog: Catalog) -> Iterator[Finding]:
    """Yield a note for each record that tells something of another part and is not taken: an offer without its VAT."""
    for one in catalog.untaken:
        at = catalog.kinds[one.kind].records[one.record].at
        yield Finding(NOTE, str(at), f"{one.record} is not taken: {one.why}")


def _of_records(catalog: Catalog, today: str) -> Iterator[Finding]:
    for kind in catalog.kinds.values():
        for record in kind.records.values():
            for rule in kind.rules:
                yield from _broken(kind, record, rule)
            yield from _odd_facts(record, today)


def _broken(kind: Kind, record: Record, rule: Rule) -> Iterator[Finding]:
    """Yield a finding where the figures of a record do not fit each other."""
    if not all(fact in record.facts for fact in rule.reads):
        return
    facts = {fact: record.facts[fact] for fact in rule.reads}
    numbers = [fact.value for fact in facts.values()]
    if not all(isinstance(number, float) for number in numbers):
        return
    value = rule.value(*numbers)
    if rule.low <= value <= rule.high:
        return
    unit = f" {rule.unit}" if rule.unit else ""
    given = ", ".join(f"{name} {fact.value:,.6g} {kind.columns[name].unit.text}" for name, fact in facts.items())
    what = f"{record.id}: {rule.name} is {value:.4g}{unit}, outside {rule.low:g} to {rule.high:g} ({given})"
    yield Finding(rule.severity, next(iter(facts.values())).at, what)


def _odd_facts(record: Record, today: str) -> Iterator[Finding]:
    now = first_day(today)
    for name, fact in record.facts.items():
        dated = first_day(fact.origin.date)
        if dated is not None and now is not None and dated > now:
            yield Finding(WARNING, fact.at, f"{record.id}: {name} is dated {fact.origin.date}, which is still to come")
        if fact.low is not None and fact.high is not None and isinstance(fact.value, float):  # noqa: SIM102
            if not fact.low <= fact.value <= fact.high:
                what = f"{record.id}: {name} {fact.value:g} lies outside its own range {fact.low:g} to {fact.high:g}"
                yield Finding(WARNING, fact.at, what)
        for other in record.conflicts.get(name, ()):
            yield Finding(NOTE, fact.at, f"{record.id}: {name} is {_cited(fact)}; not chosen: {_cited(other)}")


def _cited(fact: Given) -> str:
    value = f"{fact.value:,.6g}" if isinstance(fact.value, float) else fact.value
    return f"{value} ({', '.join(filter(None, (say(fact.origin.source, 'en'), fact.origin.date)))})"


def _without_address(catalog: Catalog) -> Iterator[Finding]:
    """Yield a note for each source that nobody could look up, at the first fact that cites it."""
    seen: set[str] = set()
    for kind in catalog.kinds.values():
        for record in kind.records.values():
            for fact in record.facts.values():
                title = say(fact.origin.source, "en")
                if title not in seen and title in catalog.sources and not catalog.sources[title].address:
                    yield Finding(NOTE, fact.at, f"source {title!r} has no `address:` at which to look it up")
                seen.add(title)
