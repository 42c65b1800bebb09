"""The verb ``capframe forecast``."""

import click

from capframe import FOR_PLANS, PLAN, evaluated, shared


@click.command()
@PLAN
@shared(FOR_PLANS)
def forecast(plan, asked):
    """Say how much water a plan wants."""
    results = evaluated(plan, asked)
    for column in results.columns:
        click.echo(f"{column}: {results.with_unit('rain.wanted', column)}")
