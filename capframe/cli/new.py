"""``capframe new``: a plan to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from capframe.cli.options import FOR_PLUGINS, Asked, shared
from capframe.cli.tables import table
from capframe.errors import CapframeError, near

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIXES = (".yaml", ".toml")
FIRST = "template-70b-7d"
"""The example that says most in its comments."""


@click.command()
@click.argument("example", required=False)
@click.option("-o", "--output", "target", metavar="FILE", type=click.Path(path_type=Path), help="Where the plan goes.")
@click.option("--list", "listed", is_flag=True, help="List the examples there are.")
@shared(FOR_PLUGINS[1:])
def new(*, example: str | None, target: Path | None, listed: bool, asked: Asked) -> None:
    """Start a plan from a commented example.

    Without EXAMPLE it is the one that explains every key; without -o the file is called as the example is. A file
    that is there already is never overwritten. With neither, the examples are listed.
    """
    found = examples()
    if listed or (example is None and target is None):
        for line in table([[name, _about(path)] for name, path in found.items()]):
            click.echo(line)
        if not asked.quiet:
            click.echo(f"start with one: capframe new {FIRST} -o plan.yaml", err=True)
        return
    name = Path(example).stem if example else FIRST
    if name not in found:
        msg = f"there is no example {example!r}{near(name, found)}; there are {', '.join(found)}"
        raise CapframeError(msg)
    source = found[name]
    target = target or Path(source.name)
    if target.suffix != Path(source.name).suffix:
        suffix = Path(source.name).suffix
        msg = f"{name} is written as {suffix}, so call it {target.with_suffix(suffix)}"
        raise CapframeError(msg)
    _write(target, source.read_bytes())
    if not asked.quiet:
        click.echo(str(target))
        click.echo(f"next: capframe check {target}", err=True)


def examples() -> dict[str, Traversable]:
    """Return the examples that are installed, by name."""
    there = sorted(files("capframe.examples").iterdir(), key=lambda path: path.name)
    return {Path(path.name).stem: path for path in there if Path(path.name).suffix in SUFFIXES}


def _about(path: Traversable) -> str:
    """Return what the first line of an example says of it, or its title."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if lines and lines[0].startswith("# ") and "$schema" not in lines[0]:
        return lines[0].removeprefix("# ").rstrip()
    title = next((line for line in lines if line.startswith("title")), "")
    return title.partition(":" if Path(path.name).suffix == ".yaml" else "=")[2].split(" #")[0].strip().strip("\"'")


def _write(target: Path, data: bytes) -> None:
    try:
        with target.open("xb") as file:
            file.write(data)
    except FileExistsError as fault:
        msg = f"{target} is there already and is not overwritten; choose another name (-o)"
        raise CapframeError(msg) from fault
    except OSError as fault:
        msg = f"{target} cannot be written: {fault.strerror}; choose another place (-o)"
        raise CapframeError(msg) from fault
