"""The bill of materials: what is bought, one block for each scenario, with the sum of what is priced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capframe import PickField, in_quotes, say
from capframe_plugins.roles import ROLES
from capframe_plugins.workbook.inputs import LISTED, listed_by, stored
from capframe_plugins.workbook.page import NOT_AVAILABLE, Page, address, letter
from capframe_plugins.workbook.periods import TOP
from capframe_plugins.workbook.timeline import scenario_names
from capframe_plugins.workbook.words import word

if TYPE_CHECKING:
    from capframe import Line
    from capframe_plugins.workbook.layout import Layout
    from capframe_plugins.workbook.page import Cell

COLUMNS = (
    "group", "item", "part", "name", "count", "unit", "price", "sum", "price_from",
    "power_kw", "rack_units", "weight_kg", "price_age",
)  # fmt: skip
PRICED, TO_QUOTE = "cost.priced", "cost.to_be_quoted"
ON_TOP = ("cost.contingency_sum", "cost.capex", "cost.capex_with_vat")
"""What comes on top of the sum of what is priced, where a plugin says it."""
IT_LOAD = "power.it"
PRICE = "price"
"""The family of facts that a group of prices is of, and what the line of an item's price is called."""
COUNT, PRICE_EACH, SUM, FROM, POWER = 5, 7, 8, 9, 10
NOTHING = "–"
"""What stands for a figure of which there is none to know."""
FIGURES = {PRICE_EACH: "price", SUM: "purchase", POWER: "power", 11: "rack_units", 12: "weight", 13: "price_age"}
"""What follows from an item, by the column that shows it; nothing where no plugin says it of the item."""
BY_ROLE = {
    SUM: "cost.by_role", POWER: "power.by_role", 11: "space.rack_units.by_role", 12: "space.weight.by_role",
}  # fmt: skip
"""What the items of each role come to, by the column that shows it."""


def bill_page(layout: Layout) -> Page:
    """Return the sheet of what is bought; the part of each row follows the pick on Inputs."""
    language, items, currency = layout.language, layout.results.ledger.items, layout.results.plan.header.currency
    widths = [16, 42, 34, 60, 14, 12, 20, 24, 50, 14, 14, 14, 14]
    page = Page(layout.titles["bill"], "output", widths, frozen=address(TOP, 3))
    page.heading(layout.titles["bill"], word("bill_about", language))
    page.titles(TOP - 1, [word(name, language, layout.in_words(currency)) for name in COLUMNS])
    on_top = [key for key in ON_TOP if key in layout.results.ledger.lines]
    row = TOP
    for number, name in enumerate(scenario_names(layout)):
        page.band(row, name, len(widths))
        for offset, line in enumerate(items, 1):
            item_row(page, layout, line, row + offset, number)
        row += len(items) + 1
        page.band(row, word("in_all", language), len(widths))
        row = role_rows(page, layout, row + 1, number)
        if PRICED in layout.results.ledger.lines:
            sum_row(page, layout, row, number)
        for offset, key in enumerate(on_top, 1):
            line_row(page, layout, row + offset, SUM, key, number)
        row += len(on_top) + 2
    return page


def role_rows(page: Page, layout: Layout, row: int, number: int) -> int:
    """Write what the items of each role come to, and the IT load, as the ledger has them; return the next row."""
    lines = layout.results.ledger.lines
    for role, called in ROLES.items():
        sums = {column: f"{line}.{role}" for column, line in BY_ROLE.items() if f"{line}.{role}" in lines}
        if not sums:
            continue
        page.put(row, 2, word("of_role", layout.language, say(called, layout.language)), "label")
        page.put(row, COUNT, NOTHING, "unit")
        for column, key in sums.items():
            shown(page, layout, row, column, key, number)
        page.fit(row)
        row += 1
    if IT_LOAD in lines:
        line_row(page, layout, row, POWER, IT_LOAD, number)
        row += 1
    return row


def line_row(page: Page, layout: Layout, row: int, column: int, key: str, number: int) -> None:
    """Write a line of the ledger below the items."""
    page.put(row, 2, say(layout.results.ledger.lines[key].label, layout.language), "label")
    page.put(row, COUNT, NOTHING, "unit")
    shown(page, layout, row, column, key, number)
    page.fit(row)


def item_row(page: Page, layout: Layout, line: Line, row: int, number: int) -> None:
    """Write one item of one scenario: every figure a link, so that a reader can follow it."""
    results, scenario, language = layout.results, layout.columns[number], layout.language
    page.put(row, 1, say(line.sort, language), "note")
    scope = results.plan.scope_of(line.key)
    label = say(line.label, language)
    page.put(row, 2, f"{label} ({scope[1]})" if scope else label, "label")
    field = results.plan.inputs[line.part].field
    kind = field.kind if isinstance(field, PickField) else ""
    record = results.plan.catalog.kinds[kind].records.get(str(results.value(line.part, scenario)))
    picked = layout.reference(line.part, number)
    if field.optional:  # a pick that is left open is not available, which a reader is shown as n/a
        page.calculate(row, 3, f'IFERROR({picked},"n/a")', record.id if record else "n/a", "note")
    else:
        page.calculate(row, 3, picked, record.id if record else "", "linked_text")
    facts = layout.facts[kind]
    named = f"INDEX({facts.parts_range('B')},MATCH({address(row, 3)},{facts.parts_range()},0),1)"
    page.calculate(row, 4, f'IFERROR({named},"n/a")', say(record.name, language) if record else "n/a", "note")
    form = layout.results.ledger.format(line.key).name
    page.output(row, COUNT, layout.reference(line.key, number), value_of(layout, line.key, number), form)
    page.put(row, COUNT + 1, layout.unit(line.key), "unit")
    for column, what in FIGURES.items():
        if f"{line.key}.{what}" in results.ledger.lines:
            shown(page, layout, row, column, f"{line.key}.{what}", number)
    if f"{line.key}.{PRICE}" in results.ledger.lines:
        page.calculate(row, FROM, *price_from(page, layout, line, row, number), "note")
    page.fit(row)


def price_from(page: Page, layout: Layout, line: Line, row: int, number: int) -> tuple[str, str]:
    """Return the formula that says whose price counts, and what it says: the plan's, else who told that of the part.

    Inputs is looked up by the part that stands in the row.
    """
    results, language, plan = layout.results, layout.language, layout.results.plan
    found, said = '""', ""
    part, scenario = str(results.value(line.part, layout.columns[number])), layout.columns[number]
    typed = (one for one in plan.groups.values() if one.of == PRICE and one.named_by)  # not that of ages
    for group in (one for one in typed if one.key in layout.groups):
        first, last = layout.groups[group.key]

        def of_part(column: int, key: str = group.key, first: int = first, last: int = last) -> str:
            cells, keys = (
                f"{in_quotes(layout.titles['inputs'])}!${letter(at)}${first}:${letter(at)}${last}"
                for at in (column, layout.key_column)
            )
            return f'INDEX({cells},MATCH("{key}."&{address(row, 3)},{keys},0),1)'

        ours, listed = word("from_plan", language), of_part(layout.key_column + LISTED)
        found = f'IF(ISNUMBER({of_part(layout.live(number))}),"{ours}",{listed}&"")'
        if (one := plan.inputs.get(f"{group.key}.{part}")) is not None:
            said = ours if isinstance(results.value(one.key, scenario), float) else listed_by(layout, one)
    no_price, none = word("no_price", language), word("none_bought", language)
    known = isinstance(value_of(layout, f"{line.key}.{PRICE}", number), float)
    unpriced = f'IF({none_of(row)},"{none}","{no_price}")'
    if not known:
        said = none if is_zero(page.cells[row, COUNT]) else no_price
    return f"IF(ISNUMBER({address(row, PRICE_EACH)}),{found},{unpriced})", said


def none_of(row: int) -> str:
    """Return the test that none of the item in a row is bought; false in rows of sums, which count nothing."""
    return f"COUNTIF({address(row, COUNT)},0)>0"


def is_zero(cell: Cell | None) -> bool:
    """Tell whether a cell shows that none is bought."""
    return cell is not None and cell.value == 0


def shown(page: Page, layout: Layout, row: int, column: int, key: str, number: int) -> None:
    """Write a figure of a line: n/a where it is not known, nothing to miss where none of the item is bought."""
    value = value_of(layout, key, number)
    if value == NOT_AVAILABLE:
        value = NOTHING if is_zero(page.cells.get((row, COUNT))) else "n/a"
    formula = f'IFERROR({layout.reference(key, number)},IF({none_of(row)},"{NOTHING}","n/a"))'
    page.calculate(row, column, formula, value, "output", layout.results.ledger.format(key).name)


def sum_row(page: Page, layout: Layout, row: int, number: int) -> None:
    """Write the sum of what is priced, and how many items are still to be quoted."""
    total, words = word("bill_total", layout.language), word("to_be_quoted", layout.language)
    count, missing = layout.reference(TO_QUOTE, number), value_of(layout, TO_QUOTE, number)
    label = f'"{total}"&IF({count}=0,"","; "&TEXT({count},"#,##0")&" {words}")'
    page.calculate(row, 2, label, f"{total}; {missing:,.0f} {words}" if missing else total, "label")
    page.put(row, COUNT, NOTHING, "unit")
    shown(page, layout, row, SUM, PRICED, number)
    page.fit(row)


def value_of(layout: Layout, key: str, number: int) -> Any:
    """Return the figure of a line in a scenario, as a cell stores it."""
    return stored(layout.results.value(key, layout.columns[number]))


def has_items(layout: Layout) -> bool:
    """Tell whether the plan buys anything."""
    return bool(layout.results.ledger.items)
