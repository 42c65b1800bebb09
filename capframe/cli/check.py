"""``capframe check``: every mistake, or every check that fails."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from capframe.cli.options import FOR_PLANS, PLAN, Asked, shared
from capframe.cli.run import by_severity, evaluated, left_out, passed_over, status_of
from capframe.figures import NOT_AVAILABLE
from capframe.lines import SEVERITIES
from capframe.results import FAIL, PASS, Results, Status

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@PLAN
@shared(FOR_PLANS)
def check(plan: Path, asked: Asked) -> int:
    """Say every mistake and every failing check of a plan.

    With -v also the checks that pass, and those that cannot be told (n/a) because a figure is lacking.
    """
    results = evaluated(plan, asked)
    counts: Counter[str] = Counter()
    for scenario in results.columns:
        statuses = by_severity(results, scenario)
        counts.update(status.check.severity if status.result == FAIL else status.result for status in statuses)
        lines = [_line(status) for status in statuses if asked.verbose or status.result == FAIL]
        for line in [f"{scenario}:", *lines] if lines else ():
            click.echo(line)
    if not asked.quiet:
        for line in (*passed_over(results), *left_out(results)):
            click.echo(line)
        click.echo(_summary(results, counts))
    return status_of(results, asked)


def _line(status: Status) -> str:
    what = status.check.severity if status.result == FAIL else status.result
    said = f": {status.said}" if status.said else ""
    return f"  {what:<8} {status.check.key}{said}"


def _summary(results: Results, counts: Counter[str]) -> str:
    wrong = ", ".join(f"{counts[severity]} {severity}{'s' * (counts[severity] != 1)}" for severity in SEVERITIES)
    scenarios = len(results.plan.scenarios)
    where = f"base and {scenarios} scenario{'s' * (scenarios != 1)}" if scenarios else "base"
    rest = f"{counts[NOT_AVAILABLE]} {NOT_AVAILABLE}, {counts[PASS]} {PASS}"
    return f"{results.plan.header.file}: {len(results.ledger.lines)} lines; checks of {where}: {wrong}, {rest}"
