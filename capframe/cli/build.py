"""``capframe build``: the files of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from capframe.cli.options import FOR_PLANS, PLAN, Asked, shared
from capframe.cli.run import evaluated, failing, left_out, status_of
from capframe.errors import CapframeError
from capframe.exporting import export
from capframe.lines import SEVERITIES

if TYPE_CHECKING:
    from capframe.results import Results


def _suffixes(_context: click.Context, _option: click.Parameter, text: str | None) -> list[str] | None:
    if text is None:
        return None
    words = [word.strip().lstrip(".") for word in text.split(",")]
    if not all(words):
        msg = "write the suffixes with commas between them, such as `xlsx,md,json`"
        raise click.BadParameter(msg)
    return list(dict.fromkeys(words))


@click.command()
@PLAN
@click.option(
    "-o", "--output", "target", metavar="DIR", type=click.Path(path_type=Path), default="out", show_default=True,
    help="Where the files go.",
)  # fmt: skip
@click.option(
    "-f", "--format", "wanted", metavar="SUFFIX,…", callback=_suffixes,
    help="Which files to write, such as xlsx,md,json; all that are installed by default.",
)  # fmt: skip
@shared(FOR_PLANS)
def build(plan: Path, target: Path, wanted: list[str] | None, asked: Asked) -> int:
    """Write the workbook, the brief and the data of a plan.

    The files are DIR/<name of the plan>.<suffix> and hold every scenario. Nothing is written where the plan has a
    mistake; a check that fails is written into the files, and said on stderr (with -v warnings and notes too).
    """
    results = evaluated(plan, asked, every_scenario=True)
    for path in _written(results, target, plan.stem, wanted):
        if not asked.quiet:
            click.echo(str(path))
    for scenario, status in failing(results, SEVERITIES if asked.verbose else SEVERITIES[:1]):
        click.echo(f"{status.check.severity} in {scenario}: {status.check.key}: {status.said}", err=True)
    if not asked.quiet:
        for line in left_out(results):
            click.echo(line, err=True)
    return status_of(results, asked)


def _written(results: Results, target: Path, stem: str, wanted: list[str] | None) -> list[Path]:
    try:
        return export(results, results.plan.host, target, stem, wanted)
    except OSError as fault:
        place = fault.filename2 or fault.filename or target
        msg = f"{place} cannot be written: {fault.strerror}; choose another folder (-o), or close the file elsewhere"
        raise CapframeError(msg) from fault
