"""Where everything stands: one row for each key, one column for each scenario, the same on every sheet."""

from __future__ import annotations

import re
from math import isnan
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from capframe import CapframeError, Input, PickField, Results, in_quotes, refs, say, sheet_titles
from capframe_plugins.workbook.flow import Block, downwards
from capframe_plugins.workbook.page import letter
from capframe_plugins.workbook.periods import FIRST, NUMBERS, TOP, Time, time_of
from capframe_plugins.workbook.words import word

if TYPE_CHECKING:
    from capframe import Kind, Span


@frozen
class Facts:
    """The sheet of one catalogue kind: a row for each part, a column for each fact that any of them tells."""

    kind: str
    title: str
    parts: tuple[str, ...]
    columns: tuple[str, ...]

    header = TOP - 1
    """The row of labels."""
    keys = TOP
    """The row of the keys by which look-ups find a fact."""
    first = TOP + 2
    """The row of the first part, below that of units."""

    @property
    def last(self) -> int:
        """The row of the last part; a kind without records has one row, which is empty, for formulas to refer to."""
        return self.first + max(len(self.parts), 1) - 1

    def parts_range(self, column: str = "A") -> str:
        """Return the cells that hold the ids, or another column of the same parts."""
        return f"{in_quotes(self.title)}!${column}${self.first}:${column}${self.last}"

    def column(self, name: str) -> int:
        """Return the column of a fact."""
        return FACTS_FIRST + self.columns.index(name)


def is_told(kind: Kind, part: str, column: str) -> bool:
    """Tell whether a fact of a part is known, by its record or by default."""
    value = kind.fact(part, column).value
    return isinstance(value, str) or not isnan(value)


FACTS_FIRST = 4
"""The first fact column of a catalogue: id, name and vendor stand before it."""


@define
class Layout:
    """The place of every input, line and fact of one workbook."""

    results: Results
    titles: dict[str, str] = field(init=False)
    inputs: list[Block] = field(init=False)
    areas: dict[str, list[Block]] = field(init=False)
    rows: dict[str, int] = field(factory=dict, init=False)
    sheet_of: dict[str, str] = field(factory=dict, init=False)
    facts: dict[str, Facts] = field(factory=dict, init=False)
    groups: dict[str, tuple[int, int]] = field(factory=dict, init=False)
    time: Time = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Give everything its place."""
        self.time = time_of(self.results)
        self.inputs = self._input_blocks()
        self.areas = self._area_blocks()
        self._name_sheets()
        self._place("inputs", self.inputs)
        for area, blocks in self.areas.items():
            self._place(area, blocks)
        self._place_groups()
        self._place_facts()

    @property
    def language(self) -> str:
        """The language of labels."""
        return self.results.plan.header.language

    @property
    def columns(self) -> tuple[str, ...]:
        """Base and the scenarios."""
        return self.results.columns

    def unit(self, key: str) -> str:
        """Return the unit of a line or an input as columns of units show it."""
        return self.results.ledger.unit_in_words(key)

    def in_words(self, unit: str) -> str:
        """Return a unit as columns of units show it: ``W/card``, ``W/卡``; nothing for plain numbers."""
        units = self.results.plan.units
        return units.in_words(units(unit), self.language)

    # ------------------------------------------------------------ blocks of rows

    def _input_blocks(self) -> list[Block]:
        """Return what is typed; entries for every part there is, such as prices, come after all else."""
        blocks: dict[str, list[str]] = {}
        inputs = [one for one in self.results.plan.inputs.values() if not one.by_period]
        for one in sorted(inputs, key=lambda one: (bool(one.group), self.is_of_every_part(one))):
            blocks.setdefault(self._input_block(one), []).append(one.key)
        return [Block(title, tuple(keys)) for title, keys in blocks.items()]

    def is_of_every_part(self, one: Input) -> bool:
        """Tell whether an input is one of a group that has an entry for each part there is, such as prices.

        Where it stands must not depend on which parts are picked, or an edited workbook were not like a new one.
        """
        return bool(one.group) and bool(self.results.plan.groups[one.group].of)

    def _input_block(self, one: Input) -> str:
        plan, key = self.results.plan, one.key
        if one.group:
            return say(plan.sections[one.group], self.language)
        if scope := plan.scope_of(key):
            return f"{say(plan.collections[scope[0]], self.language)}: {scope[1]}"
        return say(plan.sections.get(key.split(".")[0], key.split(".")[0]), self.language)

    def _area_blocks(self) -> dict[str, list[Block]]:
        plan = self.results.plan
        lines: dict[str, dict[str, list[str]]] = {}
        for line in self.results.ledger.lines.values():
            if line.over_time:
                continue
            scope = plan.scope_of(line.key)
            title = f"{say(plan.collections[scope[0]], self.language)}: {scope[1]}" if scope else ""
            lines.setdefault(line.area, {}).setdefault(title, []).append(line.key)
        order = {name: (area.order, name) for name, area in plan.areas.items()}
        members = [
            f"{say(plan.collections[name], self.language)}: {one}"
            for name in plan.collections
            for one in getattr(plan.outline, name)
        ]
        reads = {key: frozenset(refs(line.formula)) for key, line in self.results.ledger.lines.items()}
        return {
            area: downwards(
                [
                    Block(title or word("plan", self.language), tuple(blocks[title]))
                    for title in [*members, ""]
                    if title in blocks
                ],
                reads,
            )
            for area, blocks in sorted(lines.items(), key=lambda pair: order.get(pair[0], (900, pair[0])))
        }

    def _name_sheets(self) -> None:
        plan = self.results.plan
        picked = {one.field.kind for one in plan.inputs.values() if isinstance(one.field, PickField)}
        kinds = {f"catalog.{name}": name for name in sorted(picked)}  # of others no formula looks up a part
        before, after = ["cover", "summary", "inputs"], ["checks", "sources", "changes"]
        if self.time.inputs:
            before.append("by_period")
        if self.results.ledger.items:
            after = ["bill", *after]
        if self.time.offsets:
            after = ["timeline", "cash_flow", *after]
        names = [*before, *kinds, *self.areas, *after]
        wanted = [
            word(name, self.language)
            if name in {*before, *after}
            else f"{word('catalog', self.language)} - {say(plan.catalog.kinds[kinds[name]].label, self.language)}"
            if name in kinds
            else say(plan.areas[name].label, self.language)
            if name in plan.areas
            else name.replace("_", " ").capitalize()
            for name in names
        ]
        self.titles = dict(zip(names, sheet_titles(wanted), strict=True))

    def _place(self, sheet: str, blocks: list[Block]) -> None:
        row = TOP
        for block in blocks:
            row += 1  # the heading of the block
            for key in block.keys:
                self.rows[key], self.sheet_of[key] = row, sheet
                row += 1

    def _place_groups(self) -> None:
        for key, one in self.results.plan.inputs.items():
            if one.group:
                first, last = self.groups.get(one.group, (self.rows[key], self.rows[key]))
                self.groups[one.group] = min(first, self.rows[key]), max(last, self.rows[key])

    def _place_facts(self) -> None:
        for name, kind in sorted(self.results.plan.catalog.kinds.items()):
            if title := self.titles.get(f"catalog.{name}"):
                told = tuple(
                    column for column in kind.columns if any(is_told(kind, part, column) for part in kind.records)
                )
                columns = told or tuple(kind.columns)
                self.facts[name] = Facts(name, title, tuple(sorted(kind.records)), columns)

    # ------------------------------------------------------------ addresses

    def live(self, column: int) -> int:
        """Return the column of Inputs that holds what counts in a scenario."""
        return FIRST + len(self.columns) + column

    @property
    def key_column(self) -> int:
        """The column of Inputs that holds the keys."""
        return FIRST + 2 * len(self.columns) + 7

    def place(self, key: str, column: int) -> tuple[str, str]:
        """Return sheet and address of a key in a scenario."""
        at = self.live(column) if self.sheet_of[key] == "inputs" else FIRST + column
        return self.sheet_of[key], f"{letter(at)}{self.rows[key]}"

    def reference(self, key: str, column: int, sheet: str = "") -> str:
        """Return a reference to a key, with its sheet unless that is the same one."""
        home, at = self.place(key, column)
        return at if home == sheet else f"{in_quotes(self.titles[home])}!{at}"

    def printer(self, sheet: str, column: int) -> Printer:
        """Return what the Excel reading of a formula needs in one scenario's column of one sheet."""
        return Printer(self, sheet, column)


@frozen
class Printer:
    """The layout as one cell sees it."""

    layout: Layout
    sheet: str
    column: int

    def cell(self, key: str) -> str:
        """Return the reference to a key."""
        return self.layout.reference(key, self.column, self.sheet)

    def fact(self, pick: str, column: str) -> str:
        """Return the look-up of a fact of the part that an input picks."""
        one = self.layout.results.plan.inputs[pick].field
        facts = self.layout.facts[one.kind if isinstance(one, PickField) else ""]
        title = in_quotes(facts.title)
        first, last = letter(FACTS_FIRST), letter(FACTS_FIRST + len(facts.columns) - 1)
        table = f"{title}!${first}${facts.first}:${last}${facts.last}"
        ids = facts.parts_range()
        names = f"{title}!${first}${facts.keys}:${last}${facts.keys}"
        return f"INDEX({table},MATCH({self.cell(pick)},{ids},0),MATCH({column},{names},0))"

    def member(self, group: str, pick: str) -> str:
        """Return the look-up of the input of a group that belongs to the part that an input picks."""
        first, last = self.layout.groups[group]
        title = in_quotes(self.layout.titles["inputs"])
        values, keys = letter(self.layout.live(self.column)), letter(self.layout.key_column)
        wanted = f'"{group}."&{self.cell(pick)}'
        return (
            f"INDEX({title}!{values}${first}:{values}${last},"
            f"MATCH({wanted},{title}!${keys}${first}:${keys}${last},0),1)"
        )

    def previous(self, key: str) -> str:
        """Refuse: only a line over time has a previous period."""
        msg = f"{key} has no previous period on {self.sheet}"
        raise CapframeError(msg)

    def so_far(self, key: str) -> tuple[str, str]:
        """Refuse: only a line over time has periods."""
        msg = f"{key} has no periods on {self.sheet}"
        raise CapframeError(msg)

    def over_time(self, key: str, span: Span | None) -> str:
        """Return the total of a line in the block of this scenario, or what sums a span of its periods there.

        A look-up in the column of all totals would be one formula for every scenario, but a circle to calculators
        where a line of a later stage has its total in that column too.
        """
        time, title = self.layout.time, in_quotes(self.layout.titles["timeline"])
        row = time.row(key, self.column)
        if span is None:
            return f"{title}!${letter(time.total_column)}${row}"
        first, last = (f"${letter(time.column(period))}${row}" for period in (span.first, span.last))
        return f"{title}!{first}" if first == last else f"SUM({title}!{first}:{last})"


@frozen
class TimePrinter(Printer):
    """The layout as one cell of the Timeline sees it: lines over time in this block, all else held fast."""

    period: int = 0
    """Counted from 0; the opening is -1."""

    def cell(self, key: str) -> str:
        """Return the reference to a key."""
        time = self.layout.time
        if key in time.offsets:
            return f"{letter(time.column(self.period))}{time.row(key, self.column)}"
        home, at = self.layout.place(key, self.column)
        fast = re.sub(r"([A-Z]+)([0-9]+)", r"$\1$\2", at)
        return f"{in_quotes(self.layout.titles[home])}!{fast}"

    def previous(self, key: str) -> str:
        """Return the address of a line one period before."""
        time = self.layout.time
        return f"{letter(time.column(self.period - 1))}{time.row(key, self.column)}"

    def so_far(self, key: str) -> tuple[str, str]:
        """Return the cells of a line from the first period to this one, and how many periods ago each was."""
        time = self.layout.time
        first, now, row = letter(time.column(0)), letter(time.column(self.period)), time.row(key, self.column)
        return f"${first}{row}:{now}{row}", f"({now}${NUMBERS}-${first}${NUMBERS}:{now}${NUMBERS})"
