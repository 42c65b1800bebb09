"""How a fault is told to a person: a message that says what to do, and a traceback only where one is asked for."""

from __future__ import annotations

from traceback import format_exception

import click

from capframe.errors import CapframeError, PlanError

FAULT = 3


def explain(fault: Exception, *, traceback: bool) -> int:
    """Write to stderr what went wrong, and return the exit status that goes with it."""
    if traceback:
        click.echo("".join(format_exception(fault)), err=True, nl=False)
    code = fault.exit_code if isinstance(fault, CapframeError) else FAULT
    hint = "; run again with --traceback" if code == FAULT and not traceback else ""
    click.echo(f"{_message(fault)}{hint}", err=True)
    for note in getattr(fault, "__notes__", ()):  # whose plugin said so
        click.echo(note, err=True)
    return code


def _message(fault: Exception) -> str:
    if isinstance(fault, PlanError):
        count = len(fault.problems)
        return f"{fault}\n{count} mistake{'s' * (count != 1)}; nothing was written"
    if isinstance(fault, CapframeError):
        return str(fault)
    return f"a fault of capframe: {type(fault).__name__}: {fault}"
