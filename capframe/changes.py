"""The log of a plan: which revisions there were, when, by whom, and what each changed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from attrs import frozen

from capframe.document import Node, Scalar, Table, problem
from capframe.entries import Entries
from capframe.given import is_date, no_date
from capframe.plan import Change

if TYPE_CHECKING:
    from capframe.nodes import Place

CHANGE = ("revision", "date", "author", "what")
EXAMPLE = '`- {revision: "2", date: 2026-11-29, what: Quotation of November}`'
WHAT = "{en: Quotation of November, zh: 更新 11 月报价}"
AUTHOR = "{en: Li Lei, zh: 李雷}"


@frozen
class _Entry:
    """One entry, as far as it could be read."""

    table: Table
    revision: Scalar | None
    date: Scalar | None
    change: Change


@frozen
class ChangeLog(Entries):
    """Reads ``changes``; the last entry is the plan as it stands."""

    def read(self, node: Node | None, revision: str, date: str, where: Place) -> tuple[Change, ...]:
        """Return the changes, the oldest first; ``revision`` and ``date`` are the plan's, written at ``where``."""
        found = [self.entry(table) for table in self.entries(node, "changes", EXAMPLE)]
        self.twice(found)
        for above, below in pairwise(found):
            if above.date and below.date and below.date.text < above.date.text:
                what = f"{below.date.text} is before {above.date.text} of the entry above; the oldest stands first"
                self.problems.append(problem(below.date.place, what))
        if found:
            self.last(found[-1], revision, date, where)
        return tuple(one.change for one in found)

    def entry(self, table: Table) -> _Entry:
        """Read one entry."""
        self.known(table, CHANGE)
        self.missing(table, ("revision", "date", "what"))
        revision, date = self.text(table, "revision"), self.text(table, "date")
        if date is not None and not is_date(date.text):
            self.problems.append(problem(date.place, no_date(date.text)))
            date = None
        change = Change(
            revision.text if revision else "",
            date.text if date else "",
            self.label(table.nodes.get("what"), "'what'", WHAT),
            self.label(table.nodes.get("author"), "'author'", AUTHOR),
        )
        return _Entry(table, revision, date, change)

    def twice(self, found: list[_Entry]) -> None:
        """Report a revision that stands twice."""
        first: dict[str, Scalar] = {}
        for revision in (one.revision for one in found if one.revision):
            if revision.text in first:
                line = first[revision.text].place.line
                what = f"revision {revision.text!r} stands twice, first on line {line}; each change has its own"
                self.problems.append(problem(revision.place, what))
            first.setdefault(revision.text, revision)

    def last(self, entry: _Entry, revision: str, date: str, where: Place) -> None:
        """Report a last entry that is not the plan as it stands."""
        if entry.revision and not revision:
            what = f"`changes` ends with revision {entry.revision.text!r}, and the plan says none; write `revision: "
            self.problems.append(problem(where, f'{what}"{entry.revision.text}"`'))
        elif entry.revision and entry.revision.text != revision:
            what = f"the last entry is revision {entry.revision.text!r}, and the plan is revision {revision!r}"
            self.problems.append(problem(entry.revision.place, f"{what}; add an entry that says what changed"))
        elif entry.date and is_date(date) and entry.date.text != date:
            what = f"the last entry is of {entry.date.text}, and the plan is of {date}; a revision has the plan's date"
            self.problems.append(problem(entry.date.place, what))
