"""What plugins offer beside lines and catalogues: functions, templates, commands, executors, importers.

An offer that names where its code lives (``"module:function"``) costs nothing until it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent import futures
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from capframe.errors import CapframeError, PluginError, near
from capframe.names import wrong_with_segment
from capframe.plugins import OURS
from capframe.portable import lacking

if TYPE_CHECKING:
    from attrs import Attribute

    from capframe.expr import Function
    from capframe.plugins import Host

YOURS = "your folder"
OF_OURS = (".yaml", ".yml", ".toml")
"""The suffixes of catalogues that capframe reads itself."""


def _a_name(_instance: object, attribute: Attribute[str], value: object) -> None:
    if not isinstance(value, str) or wrong_with_segment(value.replace("-", "_")):
        msg = f"{attribute.name} is letters, digits, - and _, a letter first; not {value!r}"
        raise ValueError(msg)


def _a_suffix(_instance: object, _attribute: Attribute[str], value: object) -> None:
    if not isinstance(value, str) or not value.startswith(".") or value != value.lower() or len(value) == 1:
        msg = f"a suffix is written in small letters with its dot, such as '.csv'; not {value!r}"
        raise ValueError(msg)


def _a_place(_instance: object, attribute: Attribute[Any], value: object) -> None:
    if callable(value):
        return
    parts = value.split(":") if isinstance(value, str) else ()
    if len(parts) != 2 or not all(part.replace(".", "_").isidentifier() for part in parts):  # noqa: PLR2004 - module and attribute
        msg = f"{attribute.name} is a function, or where one lives, such as 'capframe_stress.cli:stress'; not {value!r}"
        raise ValueError(msg)


def resolved(place: str | Callable[..., Any]) -> Any:
    """Return what ``"module:attribute"`` names, importing it now; what is a function already, as it is."""
    if not isinstance(place, str):
        return place
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


@frozen
class TemplateFolder:
    """A folder of Jinja templates that take the place of ours of the same name."""

    path: Path = field(converter=Path)


@frozen
class Command:
    """A verb of the command line: its name, one line of help, and where its ``click`` command lives."""

    name: str = field(validator=_a_name)
    help: str = field(validator=validators.and_(validators.instance_of(str), validators.min_len(1)))
    target: str | Callable[..., Any] = field(validator=_a_place)


@frozen
class Executor:
    """A way to run a batch: a name, and a function of the number of workers (None: it decides).

    What the function returns is a ``concurrent.futures.Executor``.
    """

    name: str = field(validator=_a_name)
    factory: str | Callable[[int | None], futures.Executor] = field(validator=_a_place)


@frozen
class Importer:
    """A reader of foreign catalogues: a suffix, and a function of a path.

    What the function returns is the text of a catalogue as capframe writes it, which is then read and checked like
    any other: a fact without a source is refused there too.
    """

    suffix: str = field(validator=_a_suffix)
    reader: str | Callable[[Path], str] = field(validator=_a_place)


# ---------------------------------------------------------------- what the host makes of them


def functions(host: Host) -> dict[str, Function]:
    """Return every function that a formula may call, by name: ours and those of plugins.

    Raises:
        CapframeError: where a plugin brings a function of a name that is taken, naming both.
        PluginError: for a function of which a reading is lacking or wrong, naming the plugin.
    """
    from capframe.functions import FUNCTIONS

    owners = dict.fromkeys(FUNCTIONS, OURS)
    found = dict(FUNCTIONS)
    for plugin, function in host.collect("capframe_functions"):
        if function.name in owners:
            host.clash(f"function {function.name!r}", owners[function.name], plugin)
        lacks = lacking(function)
        if not isinstance(function.name, str) or not function.name.isidentifier():
            lacks = f"{function.name!r} is no name that a formula could call"
        if lacks:
            msg = f"{host.whose(plugin)}, function {function.name!r}: {lacks}"
            raise PluginError(msg)
        owners[function.name] = plugin
        found[function.name] = function
    return found


def template_folders(host: Host) -> list[tuple[str, Path]]:
    """Return the folders in which a template is looked for, each with whose it is; the first that has it wins.

    The person's own folder (``--templates``) is first, then those of plugins by name, then ours.

    Raises:
        PluginError: for a folder that is not there.
    """
    folders = [(YOURS, host.templates)] if host.templates else []
    for plugin, item in host.collect("capframe_templates"):
        if not item.path.is_dir():
            msg = f"{host.whose(plugin)}, capframe_templates: there is no folder {item.path}"
            raise PluginError(msg)
        folders.append((plugin, item.path))
    with as_file(files("capframe.templates")) as ours:
        return [*folders, (OURS, ours)]


def templates(host: Host) -> dict[str, list[tuple[str, Path]]]:
    """Return every template by name with whose it is and where, the one that wins first."""
    found: dict[str, list[tuple[str, Path]]] = {}
    for owner, folder in template_folders(host):
        for path in sorted(folder.rglob("*.j2")):
            found.setdefault(path.relative_to(folder).as_posix(), []).append((owner, path))
    return dict(sorted(found.items()))


def template_reader(host: Host) -> Callable[[str], str]:
    """Return a function from a template's name to its text, which raises FileNotFoundError where there is none.

    ``brief.md.j2`` is the one that wins, ``liquid/brief.md.j2`` that of plugin liquid, ``capframe/brief.md.j2`` ours:
    so a template may extend the one that it takes the place of.
    """
    found = templates(host)

    def read(name: str) -> str:
        prefix, _, rest = name.partition("/")
        owner = OURS if prefix == "capframe" else prefix
        of_an_owner = [path for who, path in found.get(rest, ()) if who == owner]
        for path in (*(path for _, path in found.get(name, ())), *of_an_owner):
            return path.read_text(encoding="utf-8")
        raise FileNotFoundError(name)

    return read


def commands(host: Host, ours: Any = ()) -> dict[str, tuple[str, Command]]:
    """Return the verbs of plugins by name, each with its plugin; ``ours`` are taken already.

    Raises:
        CapframeError: where a verb is taken, naming both.
    """
    return _by_name(host, "capframe_commands", "command", lambda one: one.name, ours)


def executors(host: Host) -> dict[str, tuple[str, Executor]]:
    """Return the ways to run a batch by name, each with its plugin."""
    return _by_name(host, "capframe_executors", "executor", lambda one: one.name)


def start_executor(host: Host, name: str, workers: int | None = None) -> futures.Executor:
    """Start a way to run a batch.

    Raises:
        CapframeError: for a name that nobody brings.
        PluginError: where the plugin returns something else.
    """
    available = executors(host)
    if name not in available:
        there = f"there are {', '.join(available)}" if available else "no plugin brings any"
        msg = f"no executor is called {name!r}{near(name, available) or f'; {there}'}"
        raise CapframeError(msg)
    plugin, offer = available[name]
    with host.attributed(plugin, f"executor {name!r}"):
        started = resolved(offer.factory)(workers)
        if not isinstance(started, futures.Executor):
            msg = f"the factory gives a {type(started).__name__}, no concurrent.futures.Executor"
            raise TypeError(msg)
    return started


def importers(host: Host) -> dict[str, tuple[str, Importer]]:
    """Return the readers of foreign catalogues by suffix, each with its plugin."""
    return _by_name(host, "capframe_importers", "importer", lambda one: one.suffix, OF_OURS)


def imported(host: Host, path: Path) -> bytes | None:
    """Return a foreign catalogue as the bytes of one of ours; None where no importer knows the suffix.

    Raises:
        PluginError: for a fault of the importer, with its plugin and the file.
    """
    if path.suffix.lower() in OF_OURS:
        return None
    found = importers(host).get(path.suffix.lower())
    if found is None:
        return None
    plugin, offer = found
    with host.attributed(plugin, f"importer of {path.name}"):
        text = resolved(offer.reader)(path)
        if not isinstance(text, str):
            msg = f"the reader gives a {type(text).__name__}; it returns the text of a catalogue"
            raise TypeError(msg)
        return text.encode()


def _by_name(
    host: Host, hook: str, what: str, name_of: Callable[[Any], str], ours: Any = ()
) -> dict[str, tuple[str, Any]]:
    found: dict[str, tuple[str, Any]] = {}
    for plugin, item in host.collect(hook):
        name = name_of(item)
        if name in ours or name in found:
            host.clash(f"{what} {name!r}", found[name][0] if name in found else OURS, plugin)
        found[name] = plugin, item
    return dict(sorted(found.items()))
