"""Where plugins are found: entry points of what is installed, and files that a person names. It imports none of them.

Nothing is remembered between two calls, so that a disk that failed once does no harm the next time.
"""

from __future__ import annotations

import hashlib
import re
import sys
from importlib import import_module
from importlib.metadata import Distribution, distributions
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from capframe import __version__
from capframe.errors import CapframeError
from capframe.names import wrong_with_segment

if TYPE_CHECKING:
    from collections.abc import Iterable

GROUP = "capframe"
SCRIPT_BLOCK = re.compile(r"(?ms)^# /// script$\s(?P<body>(?:^#(?:| .*)$\s)+)^# ///$")
"""The header in which a single file says what it requires (PEP 723)."""


@frozen
class Plugin:
    """A plugin, where it came from, and what became of it."""

    name: str
    distribution: str
    """Name and version of what brings it, such as ``capframe-liquid 1.2``; empty for a file."""
    module: str
    fault: str = ""
    """Why it could not be loaded, if so."""
    note: str = ""
    """What was passed over although the plugin works: an unknown hook of a local file."""
    passed_over: str = ""
    """Which plugin brings the same module, so that this one is not asked again."""
    file: Path | None = None
    digest: str = ""
    """The SHA-256 of a local file, for outputs to record."""

    @property
    def whose(self) -> str:
        """Name the plugin and where it comes from, as messages do."""
        origin = self.distribution or (self.file.name if self.file else "")
        return f"plugin {self.name!r} ({origin})" if origin else f"plugin {self.name!r}"

    @property
    def state(self) -> str:
        """Say in a word whether it is in use, and why not."""
        if self.fault:
            return f"broken: {self.fault}"
        return f"passed over: {self.passed_over}" if self.passed_over else "in use"


@frozen
class Found:
    """A plugin that was found and not imported yet."""

    plugin: Plugin
    requires: tuple[str, ...] = ()

    @property
    def unfit(self) -> str:
        """Say why it cannot work with this capframe, from what it requires; or nothing."""
        return _unfit(self.requires)

    def load(self) -> object:
        """Import it; whatever it raises comes out as it is."""
        if self.plugin.file is not None:
            return _module_of(self.plugin.file, self.plugin.name)
        module, _, attributes = self.plugin.module.partition(":")
        found: Any = import_module(module)
        for attribute in filter(None, attributes.split(".")):
            found = getattr(found, attribute)
        return found


def installed() -> tuple[dict[str, Found], list[str]]:
    """Return the installed plugins by name, and what could not be read; the first distribution of a name wins.

    Two distributions that bring one name are one plugin with a fault that names both.

    Raises:
        CapframeError: where the distributions cannot be listed at all.
    """
    found: dict[str, list[Found]] = {}
    unread: list[str] = []
    seen: set[str] = set()
    try:
        everything = list(distributions())
    except Exception as fault:
        msg = f"the installed distributions cannot be listed: {type(fault).__name__}: {fault}"
        raise CapframeError(msg) from fault
    for one in everything:
        try:
            for name, offer in _offers(one, seen):
                found.setdefault(name, []).append(offer)
        except Exception as fault:  # noqa: BLE001 - one spoilt distribution must not hide the others
            unread.append(f"{_path_of(one)}: its entry points cannot be read: {type(fault).__name__}: {fault}")
    return {name: _one_of(offers) for name, offers in sorted(found.items())}, sorted(unread)


def _offers(one: Distribution, seen: set[str]) -> Iterable[tuple[str, Found]]:
    points = one.entry_points.select(group=GROUP)
    if not points:
        return
    if (project := re.sub(r"[-_.]+", "-", one.name).lower()) in seen:
        return
    seen.add(project)
    for point in points:
        yield point.name, Found(Plugin(point.name, f"{one.name} {one.version}", point.value), tuple(one.requires or ()))


def _one_of(offers: list[Found]) -> Found:
    if len(offers) == 1:
        return offers[0]
    owners = " and ".join(sorted(offer.plugin.distribution for offer in offers))
    fault = f"two distributions bring it: {owners}; uninstall one"
    return evolve(offers[0], plugin=evolve(offers[0].plugin, distribution=owners, fault=fault))


def hidden_copies() -> list[str]:
    """Return a sentence for each distribution that another one of its name, earlier on the path, hides."""
    first: dict[str, Distribution] = {}
    said = []
    for one in distributions():
        if one.metadata is None or not one.entry_points.select(group=GROUP):
            continue
        winner = first.setdefault(re.sub(r"[-_.]+", "-", one.name).lower(), one)
        if winner.version != one.version:  # the same version twice is an editable install and what it links to
            where = f"hidden by {winner.version} in {_path_of(winner)}"
            said.append(f"{one.name} {one.version} in {_path_of(one)} is passed over, {where}")
    return sorted(said)


def _path_of(one: Distribution) -> Path:
    return Path(str(one.locate_file(".")))


def named_files(paths: Iterable[str | Path]) -> dict[str, Found]:
    """Return the plugin files that a person names, by the stem of each; the same file twice is one.

    Raises:
        CapframeError: for a file that is not there, a stem that is no name, or two files of one stem.
    """
    found: dict[str, Found] = {}
    for path in dict.fromkeys(Path(path).resolve() for path in paths):
        if path.suffix != ".py" or not path.is_file():
            msg = f"--plugin-file {path}: there is no such Python file"
            raise CapframeError(msg)
        name = path.stem
        if wrong := wrong_with_segment(name):
            msg = f"--plugin-file {path}: {wrong}; the stem of the file is the name of the plugin"
            raise CapframeError(msg)
        if name in found:
            msg = f"--plugin-file: {found[name].plugin.file} and {path} would both be plugin {name!r}; rename one"
            raise CapframeError(msg)
        source = path.read_bytes()
        digest = hashlib.sha256(source).hexdigest()
        found[name] = Found(Plugin(name, "", path.name, file=path, digest=digest), _required_by(source))
    return found


def _required_by(source: bytes) -> tuple[str, ...]:
    """Return what a single file requires, as its ``# /// script`` block says."""
    block = SCRIPT_BLOCK.search(source.decode("utf-8", "replace"))
    if block is None:
        return ()
    import tomllib

    lines = block["body"].splitlines()
    try:
        said = tomllib.loads("\n".join(line.removeprefix("#").removeprefix(" ") for line in lines))
    except tomllib.TOMLDecodeError:
        return ()
    required = said.get("dependencies", [])
    return tuple(text for text in required if isinstance(text, str)) if isinstance(required, list) else ()


def _module_of(path: Path, name: str) -> ModuleType:
    """Run a plugin file as a module of its own; no byte code is left beside it."""
    module = ModuleType(f"capframe_plugin_file_{name}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # attrs and pickle look a class up by its module
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), vars(module))  # noqa: S102 - the person named this file
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def _unfit(requires: Iterable[str]) -> str:
    wanted = [text for text in requires if re.match(r"capframe(?![\w.-])", text, re.IGNORECASE)]
    if not wanted:
        return ""
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.version import Version

    ours = Version(__version__)
    for text in wanted:
        try:
            needs = Requirement(text)
        except InvalidRequirement:
            return f"its requirement {text!r} cannot be read"
        if needs.marker is not None and not needs.marker.evaluate({"extra": ""}):
            continue
        for one in sorted(needs.specifier, key=str):
            if not one.contains(ours, prereleases=True):
                newer = Version(one.version.removesuffix(".*")) > ours or one.operator == ">"
                remedy = "upgrade capframe" if newer else "look for a newer version of the plugin"
                age = "new" if newer else "old"
                return f"too {age}: needs capframe{needs.specifier}, and this is capframe {__version__}; {remedy}"
    return ""
