"""The brief: Markdown that a leader reads in one sitting and can sign.

The flow goes one way: ``reader`` asks results for figures by key and remembers what was shown; ``answer``,
``argument``, ``assumptions``, ``risks`` and ``tables`` make sections of them, which ``contents`` puts together;
``rendering`` hands them to the Jinja templates, which compute nothing. ``words`` holds every fixed sentence, and
``markdown`` escapes what people typed and sets tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import Exporter, hookimpl, template_reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from capframe import Results


@hookimpl
def capframe_exporters() -> Iterator[Exporter]:
    yield Exporter("brief", ".md", "capframe_plugins.brief:write")


def write(results: Results, path: Path) -> None:
    """Write the brief of a plan to ``path``."""
    from capframe_plugins.brief.contents import contents
    from capframe_plugins.brief.rendering import render

    read = template_reader(results.plan.host)
    path.write_text(render("brief.md.j2", contents(results), read), encoding="utf-8", newline="\n")
