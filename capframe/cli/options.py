"""The options that mean the same in every command, in one place."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click
from attrs import frozen

from capframe.wording import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@frozen(kw_only=True)
class Asked:
    """What a person asked for with the shared options."""

    overrides: tuple[str, ...] = ()
    scenario: str | None = None
    language: str | None = None
    off: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    strict: bool = False
    templates: Path | None = None
    catalogs: tuple[Path, ...] = ()
    quiet: bool = False
    verbose: bool = False


SET = click.option(
    "--set",
    "overrides",
    metavar="KEY=VALUE",
    multiple=True,
    help="Give an input another value, of base or (scenarios.NAME.KEY=VALUE) of one scenario. "
    "KEY=auto has it computed, KEY= takes it away, KEY='[50%, 50%]' gives one value for each period. May be repeated.",
)
SCENARIO = click.option(
    "--scenario", metavar="NAME", help="Look at base and this scenario; both decide the exit status."
)
LANGUAGE = click.option(
    "--language", type=click.Choice(list(LANGUAGES)), help="Language of labels and sentences, instead of the plan's."
)
OFF = click.option(
    "--no-plugin", "off", metavar="NAME", multiple=True, help="Leave a plugin out, unread. May be repeated."
)
CATALOG = click.option(
    "--catalog",
    "catalogs",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Read this catalogue too: more parts, or an overlay that corrects facts. May be repeated.",
)
PLUGIN_FILE = click.option(
    "--plugin-file", "files", metavar="PATH", multiple=True, type=click.Path(path_type=Path),
    help="Run this Python file as a plugin, named by its stem. No file is run unasked. May be repeated.",
)  # fmt: skip
STRICT = click.option(
    "--strict-plugins", "strict", is_flag=True, help="Refuse to run when any plugin fails to load, needed or not."
)
TEMPLATES = click.option(
    "--templates", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Use the templates of this folder before those of plugins and ours.",
)  # fmt: skip
QUIET = click.option("-q", "--quiet", is_flag=True, help="Say less: no warnings, headings or summaries.")
VERBOSE = click.option("-v", "--verbose", is_flag=True, help="Say more.")
TRACEBACK = click.option("--traceback", is_flag=True, expose_value=False, help="Show where in the code a fault arose.")

PLAN = click.argument("plan", type=click.Path(path_type=Path))
PLUGINS = (OFF, PLUGIN_FILE, STRICT, TEMPLATES)
FOR_PLANS = (SET, SCENARIO, LANGUAGE, CATALOG, *PLUGINS, QUIET, VERBOSE, TRACEBACK)
FOR_CATALOGS = (LANGUAGE, CATALOG, *PLUGINS, QUIET, VERBOSE, TRACEBACK)
FOR_PLUGINS = (*PLUGINS, QUIET, VERBOSE, TRACEBACK)
FOR_FILES = (QUIET, VERBOSE, TRACEBACK)


def shared(options: tuple[Decorator, ...]) -> Decorator:
    """Add shared options to a command, which gets them together as ``asked``.

    Raises:
        click.UsageError: for -q and -v at once.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def wrapper(**given: Any) -> Any:
            names = [name for name in attrs.fields_dict(Asked) if name in given]
            asked = Asked(**{name: given.pop(name) for name in names})
            if asked.quiet and asked.verbose:
                msg = "-q says less and -v says more; give one of them"
                raise click.UsageError(msg)
            return command(asked=asked, **given)

        decorated: Callable[..., Any] = wrapper
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
