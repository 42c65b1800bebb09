"""The pages of what is given: Inputs, where people type, and a catalogue of each kind, whose facts are locked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from capframe import (
    AUTO,
    DEFAULT,
    ChoiceField,
    Given,
    Input,
    Origin,
    PickField,
    QuantityField,
    excel,
    in_quotes,
    in_turn,
    is_required,
    quoted,
    say,
)
from capframe_plugins.workbook.layout import FACTS_FIRST, Facts, Layout
from capframe_plugins.workbook.page import NOT_AVAILABLE, Content, Page, Rule, address, letter, width_of
from capframe_plugins.workbook.periods import FIRST, TOP
from capframe_plugins.workbook.words import confidence, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe import Expr, Kind

LISTED = 4
"""How far behind the keys the column stands that tells what auto takes."""


def inputs_page(layout: Layout) -> Page:
    """Return the sheet of inputs: typed cells, and beside them the live cells that lines read."""
    language, columns = layout.language, layout.columns
    names = [word("base", language), *columns[1:]]
    wide = value_width(layout)
    widths = [40, 22, *[wide] * (2 * len(columns)), 12, 12, 40, 12, 12, 48, 30, 44, 14, 14, 9, 60]
    page = Page(layout.titles["inputs"], "input", widths, frozen=address(TOP, FIRST))
    page.printed = letter(layout.key_column - 2)
    page.heading(layout.titles["inputs"], word("inputs_about", language))
    page.titles(
        TOP - 1,
        [
            *(word(name, language) for name in ("item", "unit")),
            *(word("typed", language, name) for name in names),
            *(word("live", language, name) for name in names),
            *(word(name, language) for name in ("low", "high", "source", "confidence", "date", "note")),
            *(word(name, language) for name in ("where", "key", "least", "most", "missing", "listed")),
        ],
    )
    last = max(layout.rows[key] for block in layout.inputs for key in block.keys)
    live = layout.live(0)
    page.grey_errors.append(f"{address(TOP, live)}:{address(last, live + len(columns) - 1)}")
    for block in layout.inputs:
        if not page.printed_rows and layout.is_of_every_part(layout.results.plan.inputs[block.keys[0]]):
            page.printed_rows = layout.rows[block.keys[0]] - 2  # the bill prints the prices that count
        page.band(layout.rows[block.keys[0]] - 1, block.title, len(widths))
        for key in block.keys:
            one = layout.results.plan.inputs[key]
            named(page, layout, one)
            if one.fixed is None:
                input_row(page, layout, one)
            else:
                fixed_row(page, layout, one, one.fixed)
            page.fit(layout.rows[key])
    return page


def value_width(layout: Layout) -> float:
    """Return the width that the longest typed text (the id of a part) needs."""
    given = [one for each in layout.results.plan.inputs.values() for one in (each.base, *each.overrides.values())]
    return max(18, *(width_of(one.value) + 4 for one in given if isinstance(one.value, str)))


def named(page: Page, layout: Layout, one: Input) -> None:
    """Write how an input is called, its unit, and where its base value came from."""
    row, form = layout.rows[one.key], layout.results.ledger.format(one.key).name
    page.put(row, 1, input_label(layout, one), "label")
    page.put(row, 2, layout.unit(one.key), "unit")
    origin(page, row, layout.live(0) + len(layout.columns), one, form, layout.language)


def fixed_row(page: Page, layout: Layout, one: Input, formula: Expr) -> None:
    """Write what follows from structure: nothing to type, and one locked figure that every scenario reads."""
    row, form, live = layout.rows[one.key], layout.results.ledger.format(one.key).name, layout.live(0)
    for column in range(len(layout.columns)):
        what = f"${letter(live)}{row}" if column else excel(formula, layout.printer("inputs", 0))
        page.calculate(row, live + column, what, typed(one.base), "calc", form)


def input_row(page: Page, layout: Layout, one: Input) -> None:
    """Write one input: what is typed for base and each scenario, and what counts."""
    row, results = layout.rows[one.key], layout.results
    form = results.ledger.format(one.key).name
    base, live = FIRST, layout.live(0)
    for column, scenario in enumerate(layout.columns):
        given = one.base if column == 0 else one.overrides.get(scenario)
        page.put(row, base + column, typed(given), "input", form)
        value = results.value(one.key, scenario)
        at = address(row, base + column)
        if column:
            formula = f"IF(ISBLANK({at}),${letter(live)}{row},{at})"
        else:
            nothing = f'"{AUTO}"' if one.field.may_be_auto else "NA()"
            formula = f"IF(ISBLANK({at}),{nothing},{at})"
        page.calculate(row, live + column, formula, stored(value), "calc", form)
    if isinstance(one.field, QuantityField):
        page.put(row, layout.key_column + 1, one.field.low, "range", "plain")
        page.put(row, layout.key_column + 2, one.field.high, "range", "plain")
    page.calculate(row, layout.key_column + 3, faults(layout, one, row), 0, "calc", "count")
    page.put(row, layout.key_column + LISTED, listed_by(layout, one), "note")
    rule(page, layout, one, row)


def listed_by(layout: Layout, one: Input) -> str:
    """Return who tells what ``auto`` takes for a part: source, date and note (an offer by its name); or nothing."""
    plan = layout.results.plan
    group = plan.groups.get(one.group)
    if group is None or not group.of or not group.named_by:
        return ""
    part = one.key.removeprefix(f"{one.group}.")
    told = {
        name.removeprefix(f"{group.of}."): kind.records[part].facts[name].origin
        for kind in plan.catalog.having(group.of).values()
        if part in kind.records
        for name in kind.family(group.of)
        if name in kind.records[part].facts
    }
    rates = {key.removeprefix(f"{group.rates}.") for key, one in plan.inputs.items() if one.group == group.rates}
    usable = in_turn(told, plan.header.currency, rates) if group.rates else told
    origin = next((told[word] for word in usable), Origin())
    said = ", ".join(filter(None, (say(origin.source, layout.language), origin.date)))
    return "; ".join(filter(None, (said, say(origin.note, layout.language))))


def faults(layout: Layout, one: Input, row: int) -> str:
    """Return the formula that counts typed cells with something that does not belong: pasting passes validation by."""
    return "+".join(fault(layout, one, address(row, FIRST + column), column) for column in range(len(layout.columns)))


def fault(layout: Layout, one: Input, at: str, column: int) -> str:
    """Return 1 where a typed cell holds what its field does not take, or nothing where it has to hold something."""
    field = one.field
    blank = 0 if column or (not is_required(field) and field.default is None) else 1
    if isinstance(field, PickField):
        fine = f"COUNTIF({layout.facts[field.kind].parts_range()},{at})>0"
    elif isinstance(field, QuantityField):
        fine = f"IF(ISNUMBER({at}),{within(layout, field, at)},{auto(field, at)})"
    else:
        fine = f"OR({','.join(f'{at}={quoted(option)}' for option in getattr(field, 'options', ()))})"
    return f"IF(ISBLANK({at}),{blank},IF({fine},0,1))"


def within(layout: Layout, field: QuantityField, at: str) -> str:
    """Return the test that a number is within the bounds that stand in its row."""
    row = at.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    least, most = (f"${letter(layout.key_column + offset)}{row}" for offset in (1, 2))
    tests = [
        *([f"{at}>={least}"] if field.low is not None else []),
        *([f"{at}<={most}"] if field.high is not None else []),
    ]
    return f"AND({','.join(tests)})" if tests else "TRUE"


def auto(field: QuantityField, at: str) -> str:
    """Return the test that a text in a cell of numbers is the word auto, where the field takes it."""
    return f'{at}="{AUTO}"' if field.may_be_auto else "FALSE"


def origin(page: Page, row: int, column: int, one: Input, form: str, language: str) -> None:
    """Write the range of an input and where its base value came from."""
    given = one.base
    page.put(row, column, given.low, "range", form)
    page.put(row, column + 1, given.high, "range", form)
    page.put(row, column + 2, say(given.origin.source, language), "note")
    page.put(row, column + 3, how_sure(given, language), "note")
    page.put(row, column + 4, given.origin.date, "note")
    page.put(row, column + 5, say(given.origin.note or one.field.origin.note, language), "note")
    page.put(row, column + 6, word("at_default", language) if given.at == DEFAULT else given.at, "note")
    page.put(row, column + 7, one.key, "key")


def how_sure(given: Given, language: str) -> str:
    """Return how sure a value is; a word or a part is a choice."""
    if typed(given) in {None, AUTO}:
        return ""
    return word("chosen", language) if isinstance(given.value, str) else confidence(given.origin.confidence, language)


def input_label(layout: Layout, one: Input) -> str:
    """Return how an input is called; within a group, with its name."""
    if not one.group:
        return say(one.label, layout.language)
    return f"{say(one.label, layout.language)}: {one.key.removeprefix(one.group + '.')}"


def typed(given: Given | None) -> Content:
    """Return what stands in a typed cell: nothing where nothing was given."""
    if given is None or (isinstance(given.value, float) and math.isnan(given.value)):
        return None
    return given.value


def stored(value: Content) -> Content:
    """Return the value beside a formula."""
    return NOT_AVAILABLE if isinstance(value, float) and not math.isfinite(value) else value


def a_number(layout: Layout, one: Input) -> str:
    """Return what is to be typed for a quantity: a number in its unit."""
    unit = layout.unit(one.key)
    return word("number_in", layout.language, unit) if unit else word("number", layout.language)


def rule(page: Page, layout: Layout, one: Input, row: int) -> None:
    """Say what may be typed into the cells of an input."""
    cells = tuple(address(row, FIRST + column) for column in range(len(layout.columns)))
    field, language = one.field, layout.language
    if isinstance(field, PickField):
        ids = layout.facts[field.kind].parts_range()
        page.rules.append(Rule("list", cells, ids, message=word("one_of", language)))
    elif isinstance(field, ChoiceField):
        page.rules.append(Rule("list", cells, f'"{",".join(field.options)}"', message=word("one_of", language)))
    elif isinstance(field, QuantityField):
        low = -1e300 if field.low is None else field.low
        high = 1e300 if field.high is None else field.high
        bounded = "" if field.low is None or field.high is None else f", {low:,g} – {high:,g}"
        message = a_number(layout, one) + bounded
        if field.may_be_auto:
            at = cells[0]
            whole = f",{at}=INT({at})" if field.whole else ""
            condition = f'OR({at}="{AUTO}",AND(ISNUMBER({at}),{at}>={low!r},{at}<={high!r}{whole}))'
            page.rules.append(Rule("custom", cells, condition, message=message + word("or_auto", language)))
        else:
            kind: Literal["whole", "decimal"] = "whole" if field.whole else "decimal"
            page.rules.append(Rule(kind, cells, repr(low), repr(high), message))


# ---------------------------------------------------------------- the catalogue


def catalog_page(layout: Layout, facts: Facts) -> Page:
    """Return the sheet of the catalogue facts of one kind."""
    language, kind = layout.language, layout.results.plan.catalog.kinds[facts.kind]
    names = [width_of(say(record.name, language)) for record in kind.records.values()]
    widths = [34, max([20, *names]) + 3, 20, *fact_widths(kind, facts)]
    page = Page(facts.title, "fact", widths, frozen=address(facts.first, FACTS_FIRST))
    page.pages_wide = 1 + round(sum(widths) // 260)
    page.put(1, 1, facts.title, "title")
    page.put(2, 2, word("catalog_about", language), "subtitle")  # column A is repeated in print
    table_head(page, layout, kind, facts)
    for row, part in enumerate(facts.parts, facts.first):
        fact_row(page, layout, kind, facts, row, part)
    last = address(facts.last, FACTS_FIRST + len(facts.columns) - 1)
    page.grey_errors.append(f"{address(facts.first, FACTS_FIRST)}:{last}")
    return page


def fact_widths(kind: Kind, facts: Facts) -> Iterator[float]:
    """Yield the width of each fact column: its key must not be broken, nor its texts cut."""
    for column in facts.columns:
        texts = [str(record.facts[column].value) for record in kind.records.values() if column in record.facts]
        yield max(map(width_of, [column, *(text for text in texts if not text[:1].isdigit()), "12345678"])) + 3


def table_head(page: Page, layout: Layout, kind: Kind, facts: Facts) -> None:
    """Write the labels, keys and units above a table; look-ups find a fact by its key."""
    page.header = facts.header
    for column, name in enumerate(("part", "name", "vendor"), 1):
        page.put(facts.header, column, word(name, layout.language), "header")
        page.put(facts.header + 1, column, "", "caption")
        page.put(facts.header + 2, column, "", "caption")
    for name in facts.columns:
        about, column = kind.columns[name], facts.column(name)
        page.put(facts.header, column, say(about.label, layout.language) or name, "header")
        page.put(facts.keys, column, name, "caption")
        page.put(facts.header + 2, column, layout.in_words(about.unit.text), "caption")
    page.fit(facts.header)
    page.fit(facts.header + 1)


def fact_row(page: Page, layout: Layout, kind: Kind, facts: Facts, row: int, part: str) -> None:
    """Write the facts of one part; what is not disclosed is NA()."""
    record = kind.records[part]
    page.put(row, 1, part, "fact")
    page.put(row, 2, say(record.name, layout.language), "fact")
    page.put(row, 3, say(record.vendor, layout.language), "fact")
    for name in facts.columns:
        value = kind.fact(part, name).value
        column = facts.column(name)
        if isinstance(value, float) and math.isnan(value):
            page.calculate(row, column, "NA()", NOT_AVAILABLE, "figure")
        elif isinstance(value, str):
            page.put(row, column, value, "fact")
        else:
            page.put(row, column, value, "figure", "plain")
    page.fit(row)


def fact_place(layout: Layout, kind: str, part: str, column: str) -> str:
    """Return a reference to one fact."""
    facts = layout.facts[kind]
    row = facts.first + facts.parts.index(part)
    return f"{in_quotes(facts.title)}!{address(row, facts.column(column))}"
