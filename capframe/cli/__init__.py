"""The command line. Only click is imported here; each command is imported when it is called.

``capframe --help`` lists the commands from the table below, so it loads neither them nor a plugin. Plugins are asked
only for a verb that is not in the table (``capframe.cli.verbs``).
"""

from __future__ import annotations

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click

from capframe import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "new": ("capframe.cli.new:new", "Start a plan from a commented example."),
    "check": ("capframe.cli.check:check", "Say every mistake and every failing check of a plan."),
    "build": ("capframe.cli.build:build", "Write the workbook, the brief and the data of a plan."),
    "show": ("capframe.cli.show:show", "Print the lines of a plan as a table."),
    "explain": ("capframe.cli.explain:explain", "Say where the figure of KEY comes from."),
    "lint": ("capframe.cli.lint:command", "Check any workbook against the rules of financial modelling."),
    "catalog": ("capframe.cli.catalog:catalog", "Look at the parts that a plan can pick."),
    "plugins": ("capframe.cli.plugins:plugins", "Look at the plugins that are installed."),
    "schema": (
        "capframe.cli.schema:schema",
        "Print the JSON Schema of a plan, for editors.",
    ),
}
COULD_NOT_RUN, INTERRUPTED = 2, 130

EXIT_CODES = """\b
Exit status:
  0  fine
  1  a check of severity error fails, in base or in the scenario asked for
  2  it could not run: a mistake in the plan, in the options, or a plugin that is missing
  3  a fault of capframe or of a plugin
"""


class Lazy(click.Group):
    """A group that knows its commands from a table and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks so
        """Return the names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command, or return None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed; an unknown one is refused with the nearest there is."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            from capframe.cli.verbs import verb_of_a_plugin

            return word, verb_of_a_plugin(ctx, args, COMMANDS), args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands from the table; click's own way would import each for its line of help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])
            formatter.write_text("Plugins may bring more: `capframe plugins list -v` shows them.")


@click.group(cls=Lazy, epilog=EXIT_CODES)
@click.version_option(__version__, prog_name="capframe", message="%(prog)s %(version)s")
@click.option("--traceback", is_flag=True, expose_value=False, help="Show where in the code a fault arose.")
def capframe() -> None:
    """Plan AI-training clusters: how many accelerators, for how long, at what cost, and what could go wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; messages of what went wrong go to stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks a sign gets its code, not a fault
            stream.reconfigure(errors="backslashreplace")
    try:
        status = capframe.main(words, prog_name="capframe", standalone_mode=False)
    except click.ClickException as fault:
        fault.show()
        return COULD_NOT_RUN
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except Exception as fault:  # noqa: BLE001 - the one place where every fault becomes a message
        from capframe.cli.faults import explain

        # Looked up among the words: a command that cannot even be imported has not read its options yet.
        return explain(fault, traceback="--traceback" in words)
    return status if isinstance(status, int) else 0
