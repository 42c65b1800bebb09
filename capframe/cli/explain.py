"""``capframe explain``: where a figure comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from capframe.cli.options import FOR_PLANS, PLAN, Asked, shared
from capframe.cli.run import evaluated
from capframe.plan import BASE
from capframe.trace import DEPTH, markdown, trace, tree

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@PLAN
@click.argument("key")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown, to paste into a page or a message.")
@click.option(
    "--depth", type=click.IntRange(0, 50), default=DEPTH, show_default=True, help="How many levels below to show."
)
@shared(FOR_PLANS)
def explain(*, plan: Path, key: str, as_markdown: bool, depth: int, asked: Asked) -> None:
    """Say where the figure of KEY comes from.

    KEY is a line, an input or a check. Its formula stands in words and with the numbers put in, and below it the tree
    of lines, inputs and catalogue facts that it reads, each with its source; what was shown once is not repeated.
    """
    results = evaluated(plan, asked)
    found = trace(results, key, asked.scenario or BASE, depth=depth)
    if asked.scenario and not asked.quiet:
        click.echo(f"in scenario {asked.scenario}:", err=True)
    written = (markdown if as_markdown else tree)(found, results.plan.header.language)
    click.echo("\n".join(written))
