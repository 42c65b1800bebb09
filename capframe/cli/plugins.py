"""``capframe plugins``: what is installed, what is off, what is broken and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from capframe.cli.options import FOR_PLUGINS, Asked, shared
from capframe.cli.tables import table
from capframe.plugins import Host

if TYPE_CHECKING:
    from capframe.plugins import Plugin


@click.group()
def plugins() -> None:
    """Look at the plugins that are installed."""


@plugins.command("list")
@shared(FOR_PLUGINS)
def list_plugins(asked: Asked) -> None:
    """List the plugins: name, distribution, module, and whether they are in use.

    With -v the hooks of each.
    """
    host = Host(asked.off)
    rows = [["name", "distribution", "module", "state"]]
    rows += [_row(host, plugin, asked) for plugin in host.plugins.values()]
    rows += [[name, "", "", "off"] for name in host.off]
    heading, *lines = table([rows[0], *sorted(rows[1:])])
    for line in lines if asked.quiet else (heading, *lines):
        click.echo(line)


def _row(host: Host, plugin: Plugin, asked: Asked) -> list[str]:
    state = f"broken: {plugin.fault}" if plugin.fault else "in use"
    if asked.verbose and not plugin.fault:
        callers = host.manager.get_hookcallers(host.manager.get_plugin(plugin.name)) or ()
        state = ", ".join(sorted(caller.name for caller in callers)) or "no hooks"
    return [plugin.name, plugin.distribution, plugin.module, state]
