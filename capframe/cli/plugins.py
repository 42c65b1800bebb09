"""``capframe plugins``: what is installed, what is off, what is broken and why; a new plugin; what one should mend."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from capframe.cli.options import FOR_PLUGINS, Asked, shared
from capframe.cli.run import FOUND_WRONG, host_of
from capframe.cli.tables import table
from capframe.errors import CapframeError
from capframe.plugins import Host, is_strict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capframe.discovery import Plugin


@click.group()
def plugins() -> None:
    """Look at the plugins that are installed."""


@plugins.command("list")
@click.option(
    "--against", metavar="FILE", type=click.Path(path_type=Path),
    help="Say which plugins that made this JSON output are missing, or of another version.",
)  # fmt: skip
@shared(FOR_PLUGINS)
def list_plugins(asked: Asked, against: Path | None) -> int:
    """List the plugins: name, distribution, module, and whether they are in use.

    With -v the hooks of each, the commands they bring, which template wins, and what was passed over.
    """
    host = host_of(asked)
    rows = [["name", "distribution", "module", "state"]]
    rows += [_row(host, plugin, asked) for plugin in host.plugins.values()]
    rows += [[name, "", "", "off"] for name in host.off]
    heading, *lines = table([rows[0], *sorted(rows[1:])])
    for line in lines if asked.quiet else (heading, *lines):
        click.echo(line)
    for line in _more(host) if asked.verbose else ():
        click.echo(line)
    for line in host.unread:
        click.echo(f"warning: {line}", err=True)
    if asked.strict or is_strict():
        host.insist()
    differences = host.differs_from(_recorded(against)) if against is not None else []
    for line in differences:
        click.echo(line)
    return FOUND_WRONG if differences else 0


@plugins.command("new")
@click.argument("name")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new_plugin(name: str, folder: Path) -> None:
    """Write a working plugin into DIR: what pip needs, a module, a test.

    NAME is what --no-plugin takes: small letters, digits and _.
    """
    from capframe.skeleton import write

    if taken := _taken(name):
        msg = f"{taken}; choose another name, such as `capframe plugins new our_{name} {folder}`"
        raise CapframeError(msg)
    written = write(name, folder)
    for path in written:
        click.echo(str(path))
    _, module, test = written
    click.echo(f"try it:     capframe check PLAN --plugin-file {module}", err=True)
    click.echo(f"install it: pip install -e {folder}", err=True)
    click.echo(f"test it:    pytest {test.parent}, once it is installed; capframe plugins check {name}", err=True)


@plugins.command("check")
@click.argument("plugin", metavar="MODULE_OR_FILE")
@shared(FOR_PLUGINS)
def check_plugin(plugin: str, asked: Asked) -> int:
    """Say what a plugin should mend: hooks, units, sources, imports; labels in one language are advice.

    MODULE_OR_FILE is a module that can be imported, a Python file, or the name of an installed plugin.
    """
    from capframe.audit import Advice, findings

    found = findings(plugin, asked.off, asked.files)
    faults = [line for line in found if not isinstance(line, Advice)]
    for line in found:
        click.echo(f"advice: {line}" if isinstance(line, Advice) else line)
    if not asked.quiet:
        told = f"{len(faults)} thing{'s' * (len(faults) != 1)} to mend" if faults else "fine"
        advice = len(found) - len(faults)
        click.echo(f"{plugin}: {told}" + (f", {advice} line{'s' * (advice != 1)} of advice" if advice else ""))
    return FOUND_WRONG if faults else 0


def _taken(name: str) -> str:
    """Say that a name is that of a plugin that comes with capframe, or of a key that its plans have; or nothing."""
    from capframe.declarations import HEADER, declarations
    from capframe.discovery import installed

    ours = {found for found, one in installed()[0].items() if one.plugin.distribution.partition(" ")[0] == "capframe"}
    if name in ours:
        return f"{name!r} is a plugin that comes with capframe (`--no-plugin {name}` switches it off)"
    found = declarations(Host())
    keys = {
        key: owner for part in (found.collections, found.sections, found.groups) for key, (owner, _) in part.items()
    }
    if name in HEADER or keys.get(name) in ours:
        return f"{name!r} is a key that plans have already"
    return ""


def _row(host: Host, plugin: Plugin, asked: Asked) -> list[str]:
    state = plugin.state
    if plugin.note:
        state = f"{state}; {plugin.note}"
    if asked.verbose and state == "in use":
        state = ", ".join(host.hooks_of(plugin.name)) or "no hooks"
    return [plugin.name, plugin.distribution, str(plugin.file or plugin.module), state]


def _more(host: Host) -> Iterator[str]:
    from capframe.discovery import hidden_copies

    yield from _section("commands:", lambda: _commands(host))
    yield from _section("templates:", lambda: _templates(host))
    yield from _section("passed over:", hidden_copies)


def _commands(host: Host) -> list[str]:
    from capframe.cli import COMMANDS
    from capframe.offers import commands

    return [f"{name}: {offer.help} (plugin {owner!r})" for name, (owner, offer) in commands(host, COMMANDS).items()]


def _templates(host: Host) -> list[str]:
    from capframe.offers import templates

    lines = []
    for name, ((winner, _), *others) in templates(host).items():
        hidden = f", before {', '.join(owner for owner, _ in others)}" if others else ""
        lines.append(f"{name}: {winner}{hidden}")
    return lines


def _section(heading: str, content: Callable[[], list[str]]) -> list[str]:
    """Return a heading and its lines; a clash there must not hide the list that would explain it."""
    try:
        lines = content()
    except CapframeError as fault:
        lines = [str(fault)]
    return [heading, *(f"  {line}" for line in lines)] if lines else []


def _recorded(path: Path) -> dict[str, dict[str, str]]:
    try:
        recorded = json.loads(path.read_text(encoding="utf-8"))["plugins"]
    except (OSError, ValueError, KeyError, TypeError) as fault:
        msg = f"{path} is no output of `capframe build -f json` that records its plugins ({type(fault).__name__})"
        raise CapframeError(msg) from fault
    if not isinstance(recorded, dict) or not all(isinstance(entry, dict) for entry in recorded.values()):
        msg = f"{path}: its `plugins` are no record of plugins"
        raise CapframeError(msg)
    return recorded
