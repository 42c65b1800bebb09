"""What an exporter is, and how its file comes to be: whole, or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from capframe.errors import CapframeError, PluginError, near
from capframe.results import Results

if TYPE_CHECKING:
    from capframe.plugins import Host


@frozen
class Exporter:
    """A way to write results: ``suffix`` of the file and where its function ``(results, path)`` lives.

    ``writer`` is text (``"module:function"``), so that a plugin loads its library only when it writes.
    """

    name: str
    suffix: str
    writer: str | Callable[[Results, Path], None]

    def write(self, results: Results, path: Path) -> None:
        """Write results to ``path``."""
        write = self.writer
        if isinstance(write, str):
            module, _, function = write.partition(":")
            write = getattr(import_module(module), function)
        write(results, path)


def exporters(host: Host) -> dict[str, tuple[str, Exporter]]:
    """Return the exporters by suffix without its dot, each with its plugin.

    Raises:
        CapframeError: where two plugins bring one suffix.
    """
    found: dict[str, tuple[str, Exporter]] = {}
    for plugin, exporter in host.collect("capframe_exporters"):
        suffix = exporter.suffix.lstrip(".")
        if suffix in found:
            host.clash(f"the file .{suffix}", found[suffix][0], plugin)
        found[suffix] = plugin, exporter
    return dict(sorted(found.items()))


def export(results: Results, host: Host, target: Path, stem: str, wanted: list[str] | None = None) -> list[Path]:
    """Write the files ``target/stem.suffix`` for the suffixes wanted (all by default) and return their paths.

    All files are written aside first and put in place together, so that a fault leaves nothing half-written.
    """
    available = exporters(host)
    for suffix in wanted or ():
        if suffix not in available:
            there = f"(there are {', '.join(available)}){near(suffix, available)}{host.lacking()}"
            msg = f"no exporter writes .{suffix} {there}"
            raise CapframeError(msg)
    with _folder(target), tempfile.TemporaryDirectory(dir=target, prefix=".capframe-") as aside:
        done: dict[Path, Path] = {}
        for suffix in wanted or available:
            plugin, exporter = available[suffix]
            path = Path(aside) / f"{stem}.{suffix}"
            with host.attributed(plugin, "exporter"):
                exporter.write(results, path)
            if not path.is_file():
                msg = f"plugin {plugin!r}, exporter: wrote no file {path.name!r}"
                raise PluginError(msg)
            done[path] = target / path.name
        _put_in_place(done)
    return list(done.values())


@contextmanager
def _folder(target: Path) -> Iterator[None]:
    """Make a folder, and take away what was made where no file comes to stand in it."""
    made = [folder for folder in (target, *target.parents) if not folder.exists()]
    try:
        target.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for folder in made:
            with suppress(OSError):  # it is not empty, or was never made
                folder.rmdir()


def _put_in_place(done: Mapping[Path, Path]) -> None:
    for target in done.values():  # before the first is moved, so that none is where another cannot be
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    for source, target in done.items():
        os.replace(source, target)  # noqa: PTH105 - Path.replace says the same in other words
