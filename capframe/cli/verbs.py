"""Verbs that plugins bring, looked for only when a word is no command of ours.

Plugins are asked through their hook, not through an entry point for each verb: one name switches a plugin and its
verbs off, a plugin file may bring some too, and a clash is told with both names. The price is paid by whoever types
such a verb, or mistypes one of ours: the plugins are loaded, as for every command that reads a plan.
"""

from __future__ import annotations

from copy import copy
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from capframe.cli.options import PLUGINS, QUIET, Asked, shared
from capframe.cli.run import start
from capframe.errors import PlanError
from capframe.offers import commands, resolved

if TYPE_CHECKING:
    from collections.abc import Collection

    from capframe.plugins import Host

NO_FAULT = (click.ClickException, click.Abort, click.exceptions.Exit, PlanError)
"""What a command raises to end in the ordinary way, and the mistakes of a plan, which are not the plugin's."""


def verb_of_a_plugin(ctx: click.Context, words: list[str], ours: Collection[str]) -> click.Command:
    """Return the command that the first of ``words`` names; an unknown one is refused with the nearest there is.

    Raises:
        CapframeError: where two plugins bring one verb, or a plugin brings one of ours.
        PluginError: where the command cannot be imported.
    """
    host = start(_asked(words[1:]))
    there = commands(host, ours)
    word = words[0]
    if word not in there:
        found = get_close_matches(word, [*ours, *there], n=1)
        guess = f"did you mean '{found[0]}'?" if found else f"there are {', '.join([*ours, *there])}"
        ctx.fail(f"no command {word!r}; {guess}")
    plugin, offer = there[word]
    with host.attributed(plugin, f"command {word!r}"):
        command = resolved(offer.target)
        if not isinstance(command, click.Command):
            msg = f"{offer.target!r} is a {type(command).__name__}, no click command"
            raise TypeError(msg)
    return _attributed(command, host, plugin, word)


def _asked(words: list[str]) -> Asked:
    """Return which plugins the words ask for; what else they say is for the command to read."""

    @click.command(add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
    @shared((*PLUGINS, QUIET))
    def only_plugins(asked: Asked) -> Asked:
        return asked

    asked: Asked = only_plugins.main(args=words, standalone_mode=False)
    return asked


def _attributed(command: click.Command, host: Host, plugin: str, word: str) -> click.Command:
    run = command.invoke

    def invoke(ctx: click.Context) -> Any:
        with host.attributed(plugin, f"command {word!r}", through=NO_FAULT):
            return run(ctx)

    named = copy(command)
    named.invoke = invoke  # type: ignore[method-assign]
    return named
