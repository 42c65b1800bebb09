"""``capframe schema``: what a plan may hold, for editors and for people."""

from __future__ import annotations

import json
from pathlib import Path

import click

from capframe.cli.options import FOR_CATALOGS, Asked, shared
from capframe.cli.run import start
from capframe.declarations import catalogs, units_of
from capframe.errors import CapframeError

CURRENCY = "CNY"  # the currency of a plan that names none


@click.command()
@click.option("-o", "--output", "target", metavar="FILE", type=click.Path(path_type=Path), help="Write it to a file.")
@click.option("--markdown", is_flag=True, help="Every key as a page to read, instead.")
@shared(FOR_CATALOGS)
def schema(*, target: Path | None, markdown: bool, asked: Asked) -> None:
    """Print the JSON Schema of a plan, for editors.

    Editors complete and check a plan that names the file in its first line:
    `# yaml-language-server: $schema=plan.schema.json` in YAML, `#:schema ./plan.schema.json` in TOML.
    """
    from capframe.reference import reference
    from capframe.schema import schema as made

    host = start(asked)
    units = units_of(host)
    catalog = catalogs(host, units, CURRENCY, more=[(path, str(path)) for path in asked.catalogs])
    found = made(host, units, catalog, currency=CURRENCY, language=asked.language or "en")
    text = reference(found) if markdown else json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    if target is None:
        click.echo(text, nl=False)
        return
    try:
        target.write_bytes(text.encode())
    except OSError as fault:
        msg = f"{target} cannot be written: {fault.strerror}; choose another place (-o)"
        raise CapframeError(msg) from fault
    if not asked.quiet:
        click.echo(str(target))
