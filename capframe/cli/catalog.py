"""``capframe catalog``: the parts that a plan can pick, and where each fact comes from."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve

from capframe.catalog_checks import WARNING, findings
from capframe.cli.options import FOR_CATALOGS, Asked, shared
from capframe.cli.run import FOUND_WRONG, start
from capframe.cli.tables import table
from capframe.declarations import catalogs, units_of
from capframe.errors import CapframeError, near
from capframe.evaluation import usable
from capframe.fields import QuantityField
from capframe.figures import NOT_AVAILABLE
from capframe.given import first_day
from capframe.wording import joined, say

if TYPE_CHECKING:
    from capframe.catalog import Catalog, Column, Kind, Record
    from capframe.given import Given

FEW = 4  # facts that fit on a line beside the id
CURRENCY = "CNY"  # the currency of a plan that names none


@click.group()
def catalog() -> None:
    """Look at the parts that a plan can pick."""


@catalog.command("list")
@click.argument("kind", required=False)
@shared(FOR_CATALOGS)
def list_parts(kind: str | None, asked: Asked) -> None:
    """List the parts of a KIND with a few of their figures, or the kinds there are.

    Shown are the first figures that most parts disclose; with -v all.
    """
    found = _catalog(asked)
    if kind is None:
        rows = [["kind", "parts", "label"]]
        rows += [
            [name, str(len(one.records)), say(one.label, asked.language or "en")] for name, one in found.kinds.items()
        ]
        right = {1}
    else:
        if kind not in found.kinds:
            word = kind.casefold()
            like = [name for name, one in found.kinds.items() if word in (name, *name.split("_"), one.per("price"))]
            guess = f"; did you mean {' or '.join(map(repr, like))}?" if like else near(kind, found.kinds)
            msg = f"no kind is called {kind!r}{guess} (there are {', '.join(found.kinds)})"
            raise CapframeError(msg)
        rows, right = _parts(found.kinds[kind], asked)
    heading, *lines = table(rows, right=right)
    for line in lines if asked.quiet else (heading, *lines):
        click.echo(line)


@catalog.command("show")
@click.argument("part")
@shared(FOR_CATALOGS)
def show_part(part: str, asked: Asked) -> None:
    """Print every fact of a PART: its unit, source, date, confidence and note.

    PART is an id or another name of it. With -v the addresses of the sources too.
    """
    found = _catalog(asked)
    for kind, name in found.named(part):
        for line in _described(found, kind, kind.records[name], asked):
            click.echo(line)


@catalog.command("check")
@click.argument("checked", metavar="[FILES]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--on", "day", metavar="DATE", help="The day to check for (2026-11-29); today by default.")
@shared(FOR_CATALOGS)
def check_files(checked: tuple[Path, ...], day: str | None, asked: Asked) -> int:
    """Say every mistake in catalogue FILES, and every figure that is hard to believe; of all catalogues without.

    The exit status is 1 where a figure is outside of what is plausible or a file has expired, 2 for a mistake.
    """
    today = day or date.today().isoformat()  # noqa: DTZ011 - the day where the person sits
    if first_day(today) is None:
        msg = f"--on takes a date such as 2026-11-29, not {today!r}"
        raise click.UsageError(msg)
    found = _catalog(evolve(asked, catalogs=(*asked.catalogs, *checked)))
    only = frozenset(map(str, checked))
    odd = [one for one in findings(found, today, only) if one.severity == WARNING or not asked.quiet]
    for one in odd:
        click.echo(f"{one.where}: {one.severity}: {one.what}")
    warnings = sum(one.severity == WARNING for one in odd)
    if not asked.quiet:
        records = [record for kind in found.kinds.values() for record in kind.records.values()]
        parts = sum(not only or record.at.file in only for record in records)
        overlaid = sum(one.file in only or not only for one in found.overlays)
        notes = len(odd) - warnings
        counts = ((parts, "part"), (overlaid, "fact"), (warnings, "warning"), (notes, "note"))
        part, fact, warning, note = (f"{count} {word}{'s' * (count != 1)}" for count, word in counts)
        click.echo(f"{part}, {fact} corrected: {warning}, {note}")
    return FOUND_WRONG if warnings else 0


def _catalog(asked: Asked) -> Catalog:
    host = start(asked)
    units = units_of(host)
    return catalogs(host, units, CURRENCY, more=[(path, str(path)) for path in asked.catalogs])


def _parts(kind: Kind, asked: Asked) -> tuple[list[list[str]], set[int]]:
    language = asked.language or "en"
    quantities = [column for column in kind.columns.values() if isinstance(column.field, QuantityField)]
    shown = quantities if asked.verbose else [column for column in quantities if _mostly_known(kind, column)][:FEW]
    rows = [["id", "name", "vendor", *(_heading(column) for column in shown)]]
    for name, record in sorted(kind.records.items()):
        facts = (_figure(kind.fact(name, column.name)) for column in shown)
        rows.append([name, say(record.name, language), say(record.vendor, language), *facts])
    return rows, set(range(3, 3 + len(shown)))


def _mostly_known(kind: Kind, column: Column) -> bool:
    known = sum(usable(kind.fact(name, column.name).value) for name in kind.records)
    return 2 * known > len(kind.records)


def _heading(column: Column) -> str:
    return column.name if column.unit.text == "1" else f"{column.name} ({column.unit.text})"


def _figure(fact: Given) -> str:
    if isinstance(fact.value, str):
        return fact.value
    return f"{fact.value:,.10g}" if usable(fact.value) else NOT_AVAILABLE


def _described(found: Catalog, kind: Kind, record: Record, asked: Asked) -> list[str]:
    language = asked.language or "en"
    rows = [["fact", "value", "confidence", "as of", "source"]]
    unknown = []
    for column in kind.columns.values():
        fact = kind.fact(record.id, column.name)
        if usable(fact.value):
            rows.append(_row(column, fact, language))
        else:
            unknown.append(column.name)
    heading, *lines = table(rows)
    if not asked.quiet:
        called = filter(None, (say(record.name, language), say(record.vendor, language)))
        title = f"{record.id}: {', '.join(called)}"
        lines = [title, f"{kind.name} of {record.provider!r}, {record.at}", heading, *lines]
    for name, others in record.conflicts.items():
        told = (
            f"{_figure(one)} ({', '.join(filter(None, (say(one.origin.source, language), one.origin.date)))})"
            for one in others
        )
        lines.append(f"not chosen for {name}: {', '.join(told)}")
    lines += [f"{one.record} is not taken: {one.why}" for one in found.passed_over(record.id)]
    if unknown:
        lines.append(f"not disclosed: {', '.join(unknown)}")
    return [*lines, *_addresses(found, record)] if asked.verbose else lines


def _row(column: Column, fact: Given, language: str) -> list[str]:
    spread = [fact.low, fact.high]
    between = f" ({spread[0]:g} to {spread[1]:g})" if None not in spread else ""
    unit = "" if column.unit.text in {"1", "text"} else f" {column.unit.text}"
    source = say(joined([fact.origin.source, fact.origin.note], "; "), language)
    return [column.name, f"{_figure(fact)}{unit}{between}", fact.origin.confidence, fact.origin.date, source]


def _addresses(found: Catalog, record: Record) -> list[str]:
    titles = sorted({say(fact.origin.source, "en") for fact in record.facts.values()})
    known = [found.sources[title] for title in titles if title in found.sources]
    return ["sources:", *(f"  {source.title}: {source.address or 'no address'}" for source in known)]
