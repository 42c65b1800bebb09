"""What commands have in common: plugins and their warnings, a plan up to its results, which checks fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from attrs import evolve

from capframe.errors import CapframeError, near
from capframe.lines import SEVERITIES
from capframe.loading import load
from capframe.plan import BASE
from capframe.plugins import Host, is_strict
from capframe.results import FAIL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from capframe.cli.options import Asked
    from capframe.plan import Plan
    from capframe.results import Results, Status

FOUND_WRONG = 1


def start(asked: Asked) -> Host:
    """Return the plugins of this run; each that could not be loaded is a warning on stderr, unless -q.

    Raises:
        CapframeError: for a name after --no-plugin that no plugin has; for a plugin file that cannot be loaded; with
            --strict-plugins for any plugin that cannot.
    """
    host = host_of(asked)
    if asked.strict or is_strict():
        host.insist()
    for plugin in host.broken.values():
        if plugin.file is not None:  # asked for by name, so the figures would not be what the person expects
            msg = f"{plugin.whose} could not be loaded: {plugin.fault}"
            raise CapframeError(msg)
    for fault in () if asked.quiet else host.faults():
        click.echo(f"warning: {fault}", err=True)
    return host


def host_of(asked: Asked) -> Host:
    """Return the plugins of this run, broken ones too; each plugin file is told on stderr, since its code was run."""
    host = Host(asked.off, files=asked.files, templates=asked.templates)
    for plugin in host.plugins.values():
        if plugin.file is not None:
            click.echo(f"plugin {plugin.name!r} is the file {plugin.file} (--plugin-file)", err=True)
    return host


def evaluated(path: Path, asked: Asked, *, every_scenario: bool = False) -> Results:
    """Return the results of a plan, of base and the scenario asked for; of every scenario where none is.

    ``every_scenario`` keeps them all in any case.

    Raises:
        CapframeError: for a mistake in the plan or in what was asked.
    """
    plan = load(path, host=start(asked), overrides=asked.overrides, catalogs=asked.catalogs)
    for notice in () if asked.quiet else plan.notices:
        click.echo(f"warning: {notice}", err=True)
    if asked.language is not None:
        plan = evolve(plan, header=evolve(plan.header, language=asked.language))
    if asked.scenario is not None:
        named = _columns(plan, asked.scenario)
        plan = plan if every_scenario else evolve(plan, scenarios=named)
    return plan.ledger().evaluate()


def _columns(plan: Plan, scenario: str) -> tuple[str, ...]:
    if scenario == BASE:
        return ()
    if scenario not in plan.scenarios:
        there = f"it has {', '.join(plan.scenarios)}" if plan.scenarios else "it has none besides base"
        msg = f"the plan has no scenario {scenario!r}{near(scenario, plan.scenarios) or f'; {there}'}"
        raise CapframeError(msg)
    return (scenario,)


def by_severity(results: Results, scenario: str) -> list[Status]:
    """Return how every check came out in a scenario, errors first; bounds, which a plan cannot break, left out."""
    statuses = results.statuses(scenario, results.plan.header.language)
    own = (status for status in statuses if not status.check.is_bound)
    return sorted(own, key=lambda status: (SEVERITIES.index(status.check.severity), status.check.key))


def failing(results: Results, severities: Iterable[str]) -> Iterator[tuple[str, Status]]:
    """Yield each scenario and failing check of these severities, errors first."""
    wanted = set(severities)
    for scenario in results.columns:
        for status in by_severity(results, scenario):
            if status.result == FAIL and status.check.severity in wanted:
                yield scenario, status


def status_of(results: Results, asked: Asked) -> int:
    """Return the exit status: 1 where an ``error`` check fails in base or in the scenario asked for."""
    decisive = dict.fromkeys((BASE, asked.scenario or BASE))
    return FOUND_WRONG if any(results.fails(scenario) for scenario in decisive) else 0


FEW = 5  # records that are passed over are listed


def passed_over(results: Results) -> list[str]:
    """Return a line for what catalogues tell of the parts that are bought and is not taken, with the reason."""
    plan = results.plan
    bought = {str(results.value(line.part, column)) for line in results.ledger.items for column in results.columns}
    told = [f"  {part}: {one.record}: {one.why}" for part in sorted(bought) for one in plan.catalog.passed_over(part)]
    if not told:
        return []
    more = [f"  and {len(told) - FEW} more: capframe catalog check"] if len(told) > FEW else []
    return ["not taken, of what catalogues tell of parts that are bought:", *told[:FEW], *more]


def left_out(results: Results) -> list[str]:
    """Return a line for each thing that a plugin which is off takes with it, under a heading; or nothing."""
    keys = [f"{key}: no active plugin reads it" for key in results.plan.left_out]
    entries = [*keys, *results.ledger.left_out]
    return ["left out, because a plugin is off:", *(f"  {entry}" for entry in entries)] if entries else []
