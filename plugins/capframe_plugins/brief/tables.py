"""Figures side by side: options, and every line that was not shown before."""

from __future__ import annotations

from string import ascii_lowercase as ALPHABET  # noqa: N812 - a constant here
from typing import TYPE_CHECKING

from attrs import frozen

from capframe_plugins.brief.assumptions import value_of
from capframe_plugins.brief.markdown import Markdown, Table
from capframe_plugins.brief.reader import BASE, Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LAST = 10_000
"""Where an area stands that nobody declares."""


@frozen
class Figures:
    """A table of lines, one column for each scenario, and why figures in it are not available."""

    title: str
    table: Table
    footnotes: list[Markdown]

    def __bool__(self) -> bool:
        """Whether there is a figure in it."""
        return bool(self.table)


def figures(r: Reader, title: str, keys: Iterable[str]) -> Figures:
    """Return lines side by side."""
    marks: dict[str, str] = {}
    rows = [[r.label(key), r.where(key), *(cell(r, key, name, marks) for name in r.scenarios)] for key in keys]
    one_column = [r.words("value")]
    head = [r.words("figure"), r.words("where"), *(map(r.scenario, r.scenarios) if r.plan.scenarios else one_column)]
    notes = [r.words("footnote", mark=mark, reason=reason) for reason, mark in marks.items()]
    return Figures(title, Table(head, rows, figures=range(2, len(head))), notes)


def cell(r: Reader, key: str, scenario: str, marks: dict[str, str]) -> str:
    """Return a figure, or a mark of the footnote that says why there is none."""
    shown = r.shown(key, scenario)
    if r.known(key, scenario):
        return shown
    return r.words("mark", mark=marks.setdefault(r.reason(key, scenario), letters(len(marks))))


def letters(number: int) -> str:
    """Return the mark of a footnote: a to z, then aa."""
    if number < len(ALPHABET):
        return ALPHABET[number]
    return letters(number // len(ALPHABET) - 1) + ALPHABET[number % len(ALPHABET)]


def in_order(r: Reader, keys: Iterable[str]) -> list[str]:
    """Return lines by the order of their areas, within an area as they depend on each other."""
    return sorted(keys, key=lambda key: place_of(r, r.ledger.lines[key].area))


def place_of(r: Reader, area: str) -> tuple[int, str]:
    """Return where an area stands."""
    known = r.plan.areas.get(area)
    return (known.order if known else LAST), area


# ---------------------------------------------------------------- options


def options(r: Reader) -> Figures:
    """Return the headline figures of every scenario; without scenarios those that were not shown yet."""
    headlines = [key for key, line in r.ledger.lines.items() if line.headline]
    if r.plan.scenarios:
        return figures(r, r.words("options"), in_order(r, headlines))
    return figures(r, r.words("glance"), in_order(r, [key for key in headlines if key not in r.printed]))


def changes(r: Reader) -> Iterator[Markdown]:
    """Yield what each scenario changes."""
    for scenario in r.plan.scenarios:
        said = [change(r, key, scenario) for key, one in r.plan.inputs.items() if scenario in one.overrides]
        if said:
            yield r.words("changes", scenario=scenario, base=r.words("base"), changes=r.words.joined(said))
        else:
            yield r.words("no_change", scenario=scenario, base=r.words("base"))


def change(r: Reader, key: str, scenario: str) -> Markdown:
    """Return what a scenario gives for an input, and what base gives."""
    one = r.plan.inputs[key]
    after, before = (value_of(r, one, one.given(name), name) for name in (scenario, BASE))
    return r.words("change", input=r.named(key), value=after, before=before)


# ---------------------------------------------------------------- the rest


def further(r: Reader) -> list[Figures]:
    """Return every line that was not shown so far, area by area."""
    rest = in_order(r, [key for key in r.ledger.lines if key not in r.printed])
    areas = dict.fromkeys(r.ledger.lines[key].area for key in rest)
    return [figures(r, title_of(r, area), [key for key in rest if r.ledger.lines[key].area == area]) for area in areas]


def title_of(r: Reader, area: str) -> str:
    """Return what an area is called."""
    known = r.plan.areas.get(area)
    return r.say(known.label) if known else area
