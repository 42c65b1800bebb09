"""The last sheet: the log of the plan, which ends with the plan as it stands and its SHA-256."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import Change, say
from capframe_plugins.workbook.page import Page, address
from capframe_plugins.workbook.periods import TOP
from capframe_plugins.workbook.words import WORDS, word

if TYPE_CHECKING:
    from capframe_plugins.workbook.layout import Layout


def changes_page(layout: Layout) -> Page:
    """Return the log; a plan without one has a single row, its own revision."""
    header, language = layout.results.plan.header, layout.language
    page = Page(layout.titles["changes"], "log", [14, 14, 26, 70, 72], frozen=address(TOP, 1))
    page.heading(layout.titles["changes"], word("changes_about", language))
    page.titles(TOP - 1, [word(name, language) for name in ("revision", "date", "author", "change", "plan_digest")])
    log = header.changes or (Change(header.version, header.date, WORDS["no_log"], header.author),)
    for row, change in enumerate(log, TOP):
        page.put(row, 1, change.revision, "label")
        page.put(row, 2, change.date, "note")
        page.put(row, 3, say(change.author, language), "note")
        page.put(row, 4, say(change.what, language), "text")
        if change is log[-1]:
            page.put(row, 5, header.digest, "note")
        page.fit(row)
    return page
