"""Finding plugins, keeping them out, and putting a name to whatever goes wrong inside one."""

from __future__ import annotations

import os
import traceback
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy
from attrs import evolve, frozen

from capframe import hookspecs
from capframe.errors import CapframeError, PluginError, near
from capframe.expr import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

GROUP = "capframe"
OFF = "CAPFRAME_NO_PLUGINS"


@frozen
class Plugin:
    """A plugin and where it came from."""

    name: str
    distribution: str
    module: str
    fault: str = ""
    """Why it could not be loaded, if so."""


class Host:
    """The plugins of one run. Switching off is decided before anything is imported."""

    def __init__(self, off: Iterable[str] = (), extra: Mapping[str, object] | None = None) -> None:
        """Load every plugin but those switched ``off`` here or by CAPFRAME_NO_PLUGINS; ``extra`` is for tests.

        Raises:
            CapframeError: when a name to switch off matches nothing.
        """
        asked = {*off, *filter(None, os.environ.get(OFF, "").split(","))}
        self.plugins: dict[str, Plugin] = {}
        self.manager = pluggy.PluginManager(hookspecs.PROJECT)
        self.manager.add_hookspecs(hookspecs)
        found = _found()
        names = {*found, *(extra or {})}
        for name in sorted(asked - names):
            msg = f"there is no plugin {name!r} to switch off{near(name, names)}"
            raise CapframeError(msg)
        self.off = frozenset(asked)
        for name in sorted(found.keys() - asked):
            self._load(name, found[name])
        for name, module in sorted((extra or {}).items()):
            if name not in asked:
                self.plugins[name] = self._register(Plugin(name, "", getattr(module, "__name__", name)), module)

    @property
    def broken(self) -> dict[str, Plugin]:
        """The plugins that could not be loaded."""
        return {name: plugin for name, plugin in self.plugins.items() if plugin.fault}

    def _load(self, name: str, points: list[EntryPoint]) -> None:
        plugin = Plugin(name, _distribution(points[0]), points[0].value)
        if len(points) > 1:
            owners = " and ".join(sorted(_distribution(point) for point in points))
            self.plugins[name] = Plugin(name, owners, points[0].value, f"two distributions bring it: {owners}")
            return
        try:
            module = points[0].load()
        except Exception as fault:  # noqa: BLE001 - whatever a plugin does wrong must not stop the others
            self.plugins[name] = Plugin(name, plugin.distribution, plugin.module, _said(fault))
            return
        self.plugins[name] = self._register(plugin, module)

    def _register(self, plugin: Plugin, module: object) -> Plugin:
        if fault := _wrong_hook(module):
            return evolve(plugin, fault=fault)
        try:
            self.manager.register(module, plugin.name)
        except (pluggy.PluginValidationError, ValueError) as fault:
            return evolve(plugin, fault=" ".join(str(fault).split()))
        return plugin

    def collect(self, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
        """Ask each plugin in turn, by name, and return its answers with the plugin's name.

        Raises:
            PluginError: for a fault inside a plugin, with its name, hook and line.
        """
        everyone = self.manager.get_plugins()
        answers: list[tuple[str, Any]] = []
        for name, module in sorted(self.manager.list_name_plugin(), key=lambda pair: pair[0]):
            if module is None:
                continue
            ask = self.manager.subset_hook_caller(hook, [other for other in everyone if other is not module])
            with self.attributed(name, hook):
                for answer in ask(**arguments):
                    if isinstance(answer, Ref) or not hasattr(answer, "__iter__"):
                        msg = f"the hook gives a {type(answer).__name__}; it yields its items one by one"
                        raise TypeError(msg)
                    answers.extend((name, item) for item in answer)
        return answers

    @contextmanager
    def attributed(self, name: str, what: str) -> Iterator[None]:
        """Give the name of a plugin to whatever goes wrong inside."""
        try:
            yield
        except PluginError:
            raise
        except CapframeError as fault:
            fault.args = (f"plugin {name!r}, {what}: {fault}",)
            raise
        except Exception as fault:
            plugin = self.plugins.get(name)
            whose = f" ({plugin.distribution})" if plugin and plugin.distribution else ""
            msg = f"plugin {name!r}{whose}, {what}: {_said(fault)}"
            raise PluginError(msg) from fault


def _wrong_hook(module: object) -> str:
    """Return what is wrong with the hooks of a module, or nothing."""
    known = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("capframe_")}
    for name, hook in sorted(vars(module).items()) if isinstance(module, ModuleType) else ():
        if not getattr(hook, f"{hookspecs.PROJECT}_impl", None):
            if name in known and hook is not known[name]:
                return f"{name!r} is not marked with @hookimpl"
            continue
        if name not in known:
            return f"there is no hook {name!r}{near(name, known)}"
        takes = [*signature(known[name]).parameters]
        for argument, about in signature(hook).parameters.items():
            if argument not in takes and about.default is about.empty and about.kind is about.POSITIONAL_OR_KEYWORD:
                may = f" (it may take {', '.join(takes) or 'nothing'})"
                return f"hook {name!r} has no argument {argument!r}{near(argument, takes)}{may}"
    return ""


def _found() -> dict[str, list[EntryPoint]]:
    """Return the installed entry points by name; one for each distribution, the first on the path."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        owner = point.dist.name if point.dist else ""
        found.setdefault(point.name, {}).setdefault(owner, point)
    return {name: list(owners.values()) for name, owners in found.items()}


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "unknown distribution"


def _said(fault: BaseException) -> str:
    """Return a fault in one line, with the place in the plugin's own code."""
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if _may_be_theirs(Path(frame.filename))]
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    said = fault.args[0] if len(fault.args) > 1 and isinstance(fault.args[0], str) else fault  # attrs adds its insides
    return f"{type(fault).__name__}: {said}{where}"


def _may_be_theirs(path: Path) -> bool:
    """Tell whether a line of a traceback may be a plugin's own: not ours, nor of what calls it or checks its items."""
    made_up = path.name.startswith("<")
    return (
        not made_up
        and Path(__file__).parent not in path.parents
        and not {"importlib", "pluggy", "attr"} & {*path.parts}
    )
