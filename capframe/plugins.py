"""Loading plugins, keeping them out, and putting a name to whatever goes wrong inside one."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import contextmanager, redirect_stdout
from copy import copy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pluggy
from attrs import Attribute, evolve

from capframe import hookspecs
from capframe.discovery import Found, Plugin, installed, named_files
from capframe.errors import CapframeError, PluginError, near
from capframe.expr import Ref
from capframe.hookcheck import item_kind, misuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

OURS = "capframe itself"
OFF = "CAPFRAME_NO_PLUGINS"
STRICT = "CAPFRAME_STRICT_PLUGINS"
NOT_THEIRS = ("importlib", "pluggy", "<attrs", f"{os.sep}attr{os.sep}")
"""Code between capframe and a plugin, which is never the place of a fault."""


class Host:
    """The plugins of one run. Switching off is decided before anything is imported."""

    most_items = 300_000
    """What one plugin may yield from one hook: three times the largest ledger that capframe is made for."""

    def __init__(
        self,
        off: Iterable[str] = (),
        extra: Mapping[str, object] | None = None,
        *,
        files: Iterable[str | Path] = (),
        templates: Path | None = None,
    ) -> None:
        """Load every plugin but those switched ``off`` here or by CAPFRAME_NO_PLUGINS.

        ``files`` are plugin files that a person names, ``templates`` their own template folder; ``extra`` is for tests.

        Raises:
            CapframeError: for a name to switch off that matches nothing, or a file that is not there or badly named.
        """
        asked = {name.strip() for name in (*off, *os.environ.get(OFF, "").split(",")) if name.strip()}
        self.plugins: dict[str, Plugin] = {}
        self.templates = templates
        self.manager = _manager()
        found, self.unread = installed()
        for name, local in named_files(files).items():
            if name in found:
                theirs = f"{found[name].plugin.distribution} brings a plugin {name!r} already"
                msg = f"--plugin-file {local.plugin.file}: {theirs}; rename the file"
                raise CapframeError(msg)
            found[name] = local
        names = {*found, *(extra or {})}
        for name in sorted(asked - names):
            msg = f"there is no plugin {name!r} to switch off{near(name, names)}"
            raise CapframeError(msg)
        self.off = frozenset(asked)
        self._found, self._extra = found, dict(extra or {})
        self._enter()

    def _enter(self) -> None:
        for name in sorted(self._found.keys() - self.off):
            self.plugins[name] = self._load(self._found[name])
        for name, module in sorted(self._extra.items()):
            if name not in self.off:
                self.plugins[name] = self._register(Plugin(name, "", getattr(module, "__name__", name)), module)

    def with_those_off(self) -> Host:
        """Return a host of every plugin that is installed, to ask what those declare that are off here."""
        everyone = copy(self)
        everyone.off, everyone.plugins, everyone.manager = frozenset(), {}, _manager()
        everyone._enter()  # noqa: SLF001 - a host of our own
        return everyone

    @property
    def broken(self) -> dict[str, Plugin]:
        """The plugins that could not be loaded."""
        return {name: plugin for name, plugin in self.plugins.items() if plugin.fault}

    def whose(self, name: str) -> str:
        """Name a plugin and its distribution, or ourselves, as messages do."""
        if name in self.plugins:
            return self.plugins[name].whose
        return OURS if name == OURS else f"plugin {name!r}"

    def clash(self, what: str, first: str, second: str) -> NoReturn:
        """Refuse what two give.

        Raises:
            CapframeError: always, and no ``PluginError``: neither is at fault, and a person can switch one off.
        """
        both = f"{self.whose(first)} and {self.whose(second)}"
        msg = f"{what} is given by both {both}; switch one off (--no-plugin {second})"
        raise CapframeError(msg)

    def faults(self) -> list[str]:
        """Return a sentence for each plugin that is not there as it should be, and how to be rid of the sentence."""
        said = [f"{about}; reinstall or uninstall it" for about in self.unread]
        for name, plugin in sorted(self.plugins.items()):
            if plugin.fault:
                said.append(f"{plugin.whose} could not be loaded: {plugin.fault}; --no-plugin {name} silences this")
            if plugin.note:
                said.append(f"{plugin.whose}: {plugin.note}")
        return said

    def lacking(self, names: Iterable[str] | None = None) -> str:
        """Say which plugins could not be loaded and why, of these names or of all; or nothing."""
        wanted = self.broken if names is None else [name for name in self.broken if name in names]
        return "".join(
            f"; {self.plugins[name].whose} could not be loaded: {self.plugins[name].fault}" for name in wanted
        )

    def insist(self) -> None:
        """Make any failure fatal, as ``--strict-plugins`` and CAPFRAME_STRICT_PLUGINS ask.

        Raises:
            CapframeError: with every fault.
        """
        if faults := self.faults():
            msg = "\n".join([*faults, "plugins are strict (--strict-plugins): any failure is fatal"])
            raise CapframeError(msg)

    def hooks_of(self, name: str) -> list[str]:
        """Return the hooks that a plugin implements, by name; of one that is not in use none."""
        plugin = self.manager.get_plugin(name)
        callers = self.manager.get_hookcallers(plugin) if plugin else None
        return sorted(caller.name for caller in callers or () if caller.spec)

    def _load(self, found: Found) -> Plugin:
        plugin = found.plugin
        if plugin.fault:
            return plugin
        if unfit := found.unfit:
            return evolve(plugin, fault=unfit)
        try:
            with redirect_stdout(sys.stderr):  # what a plugin prints must not end up in `show --json`
                module = found.load()
        except KeyboardInterrupt:
            raise
        except BaseException as fault:  # noqa: BLE001 - whatever a plugin does wrong must not stop the others
            return evolve(plugin, fault=_not_loaded(plugin, fault))
        return self._register(plugin, module)

    def _register(self, plugin: Plugin, module: object) -> Plugin:
        if first := self.manager.get_name(module):
            return evolve(plugin, passed_over=f"the same module as {self.plugins[first].whose}")
        unknown, wrong = misuse(module)
        if wrong or (unknown and plugin.file is None):
            return evolve(plugin, fault="; ".join([*unknown, *wrong]))
        try:
            self.manager.register(module, plugin.name)
        except (pluggy.PluginValidationError, ValueError) as fault:
            return evolve(plugin, fault=" ".join(str(fault).split()))
        note = "; ".join(f"{what}; that hook is skipped" for what in unknown)
        return evolve(plugin, note=note)

    def collect(self, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
        """Ask each plugin in turn, by name, and return its answers with the plugin's name.

        Raises:
            PluginError: for a fault inside a plugin, with its name, hook and line, and for an item of a wrong kind.
        """
        everyone = self.manager.get_plugins()
        answers: list[tuple[str, Any]] = []
        for name, module in sorted(self.manager.list_name_plugin(), key=lambda pair: pair[0]):
            if module is None:
                continue
            ask = self.manager.subset_hook_caller(hook, [other for other in everyone if other is not module])
            with self.attributed(name, hook, in_hook=True), redirect_stdout(sys.stderr):
                for answer in ask(**arguments):
                    answers.extend((name, item) for item in self._items(hook, answer))
        return answers

    def _items(self, hook: str, answer: Any) -> Iterator[Any]:
        """Yield what a hook gives, as long as it is what the hook is for."""
        if isinstance(answer, Ref | str) or not hasattr(answer, "__iter__"):
            msg = f"the hook gives a {type(answer).__name__}; it yields its items one by one"
            raise TypeError(msg)
        if isinstance(answer, set | frozenset):
            msg = "the hook gives a set, which has no order; yield the items one by one"
            raise TypeError(msg)
        kind = item_kind(hook)
        items = iter(answer)
        for item in islice(items, self.most_items):
            if kind is not None and not isinstance(item, kind):
                msg = f"yields {item!r:.200}, which is no {kind.__name__}"
                raise TypeError(msg)
            yield item
        if next(items, None) is not None:
            msg = f"yields more than {self.most_items:,} items; does its loop end?"
            raise ValueError(msg)

    @contextmanager
    def attributed(
        self, name: str, what: str, through: tuple[type[BaseException], ...] = (), *, in_hook: bool = False
    ) -> Iterator[None]:
        """Give the name of a plugin to whatever goes wrong inside; what is ``through`` is no fault.

        An error that capframe explains may be about what a person typed, so it stays what it is and gets a note;
        ``in_hook`` it is a fault of the plugin like any other.
        """
        try:
            yield
        except through:
            raise
        except (PluginError, KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as fault:
            if isinstance(fault, CapframeError) and not in_hook:
                fault.add_note(f"said by {self.whose(name)}, {what}{self.lacking()}")
                raise
            msg = f"{self.whose(name)}, {what}: {_said(fault)}{self.lacking() if in_hook else ''}"
            raise PluginError(msg) from fault

    def record(self) -> dict[str, dict[str, str]]:
        """Return what outputs record of plugins: distribution, version and state of each, those that are off too."""
        found = {name: {"distribution": "", "version": "", "state": "off"} for name in self.off}
        for name, plugin in self.plugins.items():
            project, _, version = plugin.distribution.rpartition(" ")
            version = f"sha256:{plugin.digest}" if plugin.digest else version
            found[name] = {"distribution": project, "version": version, "state": plugin.state}
        return dict(sorted(found.items()))

    def differs_from(self, recorded: Mapping[str, Mapping[str, str]]) -> list[str]:
        """Say what is missing, or of another version, of the plugins that an output records."""
        now, said = self.record(), []
        for name, then in sorted(recorded.items()):
            made_by = " ".join(filter(None, (then.get("distribution"), then.get("version")))) or "a plugin of a script"
            if then.get("state") != "in use":
                continue
            if name not in now:
                said.append(f"plugin {name!r} ({made_by}) is not installed")
            elif now[name]["state"] != "in use":
                said.append(f"plugin {name!r} ({made_by}) is {now[name]['state']}")
            elif now[name]["version"] != then.get("version"):
                said.append(f"plugin {name!r} was {made_by} and is {now[name]['version']} now")
        return said


def _manager() -> pluggy.PluginManager:
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


def is_strict() -> bool:
    """Tell whether the environment asks that any failure of a plugin is fatal."""
    return os.environ.get(STRICT, "") not in {"", "0"}


def _not_loaded(plugin: Plugin, fault: BaseException) -> str:
    """Return why an import failed, with the entry point that asked for it."""
    said = _said(fault)
    wanted = plugin.module.partition(":")[0]
    point = f"entry point `{plugin.name} = {plugin.module}`"
    if isinstance(fault, ModuleNotFoundError) and fault.name and f"{wanted}.".startswith(f"{fault.name}."):
        project = plugin.distribution.rpartition(" ")[0]
        stale = f"a stale install? `pip install --force-reinstall {project}` or `pip uninstall {project}`"
        return f"{point}: {said} ({stale})"
    return said if plugin.file or wanted in said else f"{point}: {said}"


def _said(fault: BaseException) -> str:
    """Return a fault in one line, with the place in the plugin's own code."""
    here = Path(__file__).parent
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if here not in Path(frame.filename).parents]
    outer = [frame for frame in frames if not any(word in frame.filename for word in NOT_THEIRS)]
    where = f" ({Path(outer[-1].filename).name}:{outer[-1].lineno})" if outer else ""
    of_attrs = fault.args[1:] and isinstance(fault.args[1], Attribute)  # its own insides stand beside the sentence
    sentence = " ".join(str(fault.args[0] if of_attrs else fault).split())
    kind = "" if isinstance(fault, CapframeError) else f"{type(fault).__name__}: "
    return f"{kind}{sentence}{where}"
