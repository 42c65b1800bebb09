"""``capframe show``: lines as a table, or everything as JSON."""

from __future__ import annotations

import json
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click

from capframe.cli.options import FOR_PLANS, PLAN, Asked, shared
from capframe.cli.run import evaluated, left_out
from capframe.cli.tables import table
from capframe.errors import CapframeError, near
from capframe.exporting import exporters
from capframe.figures import NOT_AVAILABLE
from capframe.wording import spoken

if TYPE_CHECKING:
    from capframe.results import Results
    from capframe.wording import Label

JSON = "json"


@click.command()
@PLAN
@click.argument("pattern", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print inputs, lines and checks as JSON.")
@shared(FOR_PLANS)
def show(*, plan: Path, pattern: str | None, as_json: bool, asked: Asked) -> None:
    """Print the lines of a plan as a table.

    PATTERN is part of a key (cost) or a shell pattern ('pools.*.cards'); where no key is meant, part of a label, in
    any language. With -v the formula of each line too.
    """
    results = evaluated(plan, asked)
    keys = _matching(results, pattern)
    if as_json:
        click.echo(_data(results, keys if pattern else None), nl=False)
        return
    for line in _lines(results, keys, asked):
        click.echo(line)
    if not asked.quiet:
        for line in left_out(results):
            click.echo(line, err=True)


def matches(key: str, pattern: str) -> bool:
    """Tell whether a key, or a label, is meant: by a shell pattern, or by a part of it, in any case."""
    key, pattern = key.casefold(), pattern.casefold()
    return fnmatchcase(key, pattern) if set(pattern) & set("*?[") else pattern in key


def _matching(results: Results, pattern: str | None) -> list[str]:
    keys = sorted(results.ledger.lines)
    if pattern is None:
        return keys
    found = [key for key in keys if matches(key, pattern)]
    if found:
        return found
    for entry in results.ledger.left_out:
        if matches(entry.partition(":")[0], pattern):
            msg = f"no line matches {pattern!r}; left out is {entry}"
            raise CapframeError(msg)
    for key, one in results.plan.inputs.items():
        if matches(key, pattern):
            msg = f"no line matches {pattern!r}; {key!r} is an input ({one.base.at}), and `show --json` prints inputs"
            raise CapframeError(msg)
    if found := [key for key in keys if _is_called(results.ledger.lines[key].label, pattern)]:
        return found
    for key, one in results.plan.inputs.items():
        if _is_called(one.label, pattern):
            msg = f"no line is called {pattern!r}; {key!r} is an input ({one.base.at}), and `show --json` prints inputs"
            raise CapframeError(msg)
    msg = f"no line matches {pattern!r}{near(pattern, keys)}; without a pattern, all {len(keys)} lines are shown"
    raise CapframeError(msg)


def _is_called(label: Label, pattern: str) -> bool:
    return any(matches(text, pattern) for text in spoken(label))


def _lines(results: Results, keys: list[str], asked: Asked) -> list[str]:
    language = results.plan.header.language
    rows = [["line", *results.columns, "label"]]
    rows += [
        [key, *(results.with_unit(key, column) for column in results.columns), results.ledger.label(key, language)]
        for key in keys
    ]
    heading, *shown = table(rows, right=range(1, len(results.columns) + 1))
    lines = [] if asked.quiet else [heading]
    for key, line in zip(keys, shown, strict=True):
        lines.append(line)
        if asked.verbose:
            lines.append(f"    = {results.ledger.formula_in_words(key, language)}")
        lines += [f"    {reason}" for reason in _reasons(results, key)]
    return lines


def _reasons(results: Results, key: str) -> list[str]:
    """Return why a line is not available, once for all scenarios that share the reason."""
    where: dict[str, list[str]] = {}
    for column in results.columns:
        if reason := results.reason(key, column):
            where.setdefault(reason, []).append(column)
    return [f"{NOT_AVAILABLE} in {', '.join(columns)}: {reason}" for reason, columns in where.items()]


def _data(results: Results, keys: list[str] | None) -> bytes:
    """Return what the exporter of .json writes, with only the lines of these keys where any are named."""
    host = results.plan.host
    available = exporters(host)
    if JSON not in available:
        msg = "no plugin writes .json; is 'data' switched off? (`capframe plugins list`)"
        raise CapframeError(msg)
    plugin, exporter = available[JSON]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"results.{JSON}"
        with host.attributed(plugin, "exporter"):
            exporter.write(results, path)
        written = path.read_bytes()
    if keys is None:
        return written
    data = json.loads(written)
    data["lines"] = {key: data["lines"][key] for key in keys}
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")
