"""``capframe lint``: what a workbook does against the rules of financial modellers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from capframe.cli.options import FOR_FILES, Asked, shared
from capframe.lint import RULES, SEVERITIES, lint

FOUND_WRONG = 1


@click.command(name="lint")
@click.argument("file", type=click.Path(path_type=Path))
@shared(FOR_FILES)
def command(file: Path, asked: Asked) -> int:
    """Check any workbook against the rules of financial modelling.

    Errors and warnings are printed with sheet, cell and what to do; with -v notes too, and with -q errors only. The
    exit status is 1 where there is an error.
    """
    found = lint(file)
    shown = SEVERITIES if asked.verbose else SEVERITIES[:1] if asked.quiet else SEVERITIES[:2]
    for finding in found:
        if finding.severity in shown:
            click.echo(str(finding))
    counts = Counter(finding.severity for finding in found)
    if not asked.quiet:
        said = ", ".join(f"{counts[word]} {word}{'s' * (counts[word] != 1)}" for word in SEVERITIES)
        click.echo(f"{file.name}: {said}; {len(RULES)} rules")
    return FOUND_WRONG if counts["error"] else 0
