"""The pages of what changes over time: inputs by period, one block of lines for each scenario, the cash flow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capframe import Last, OverTime, QuantityField, excel, fails, in_quotes, key_of, say, walk
from capframe_plugins.workbook.inputs import a_number, stored
from capframe_plugins.workbook.layout import Layout, TimePrinter
from capframe_plugins.workbook.page import Page, Rule, address, letter
from capframe_plugins.workbook.periods import FIRST, NUMBERS, TOP
from capframe_plugins.workbook.words import word

if TYPE_CHECKING:
    from capframe import Input, Line

SELECTOR = (3, 3)
"""Where the scenario that the Cash flow shows is chosen."""


PERIODS_A_PAGE = 8


def pages(layout: Layout) -> int:
    """Return over how many pages side by side the periods are printed, so that figures stay large enough to read."""
    return 1 + (len(layout.time.periods) - 1) // PERIODS_A_PAGE


def scenario_names(layout: Layout) -> list[str]:
    """Return the scenarios as column titles call them."""
    return [word("base", layout.language), *layout.columns[1:]]


# ---------------------------------------------------------------- inputs by period


def by_period_page(layout: Layout) -> Page:
    """Return the sheet where inputs by period are typed: a row for base and one for each scenario."""
    language, time = layout.language, layout.time
    widths = [40, 14, 16, *[12] * len(time.periods), 40, 44]
    page = Page(layout.titles["by_period"], "input", widths, frozen=address(TOP, FIRST + 1))
    page.pages_wide = pages(layout)
    page.heading(layout.titles["by_period"], word("inputs_about", language))
    names = [word(name, language) for name in ("item", "unit", "scenario")]
    page.titles(TOP - 1, [*names, *time.periods, word("source", language), word("key", language)])
    for key in time.inputs:
        for number, scenario in enumerate(layout.columns):
            typed_row(page, layout, layout.results.plan.inputs[key], number, scenario)
    return page


def typed_row(page: Page, layout: Layout, one: Input, number: int, scenario: str) -> None:
    """Write what is typed for an input in one scenario; blank cells follow base."""
    time, row = layout.time, layout.time.typed_row(one.key, number)
    form = layout.results.ledger.format(one.key).name
    label = say(one.label, layout.language)
    page.put(row, 1, f"{label} ({scenario})" if number else label, "label")
    page.put(row, 2, layout.unit(one.key), "unit")
    page.put(row, 3, scenario_names(layout)[number], "note")
    given = one.base if number == 0 else one.overrides.get(scenario)
    for period in range(len(time.periods)):
        value = None
        if given is not None and isinstance(given.value, float) and not math.isnan(given.value):
            value = given.series[period] if given.series else given.value
        page.put(row, time.column(period), value, "input", form)
    page.put(row, time.column(len(time.periods)), say(given.origin.source, layout.language) if given else "", "note")
    page.put(row, time.column(len(time.periods)) + 1, one.key, "key")
    if isinstance(one.field, QuantityField):
        low, high = one.field.low, one.field.high
        cells = tuple(address(row, time.column(period)) for period in range(len(time.periods)))
        bounds = repr(-1e300 if low is None else low), repr(1e300 if high is None else high)
        message = a_number(layout, one)
        page.rules.append(Rule("decimal", cells, *bounds, message))


def faults_by_period(layout: Layout, key: str) -> str:
    """Return the formula that counts typed cells of an input by period with a text, or a number out of bounds."""
    time, field = layout.time, layout.results.plan.inputs[key].field
    first, last = time.typed_row(key, 0), time.typed_row(key, time.scenarios - 1)
    sheet = in_quotes(layout.titles["by_period"])
    cells = f"{sheet}!{address(first, time.column(0))}:{address(last, time.column(len(time.periods) - 1))}"
    bounds = (("<", field.low), (">", field.high)) if isinstance(field, QuantityField) else ()
    outside = (f'COUNTIF({cells},"{sign}{bound!r}")' for sign, bound in bounds if bound is not None)
    return "+".join([f"COUNTA({cells})-COUNT({cells})", *outside])


# ---------------------------------------------------------------- the timeline


def timeline_page(layout: Layout) -> Page:
    """Return the sheet of lines over time: one block for each scenario, one formula for each row."""
    language, time = layout.language, layout.time
    widths = [40, 14, 16, *[15] * len(time.periods), 17, 60, 40, 12, 50]
    page = Page(layout.titles["timeline"], "calculation", widths, frozen=address(TOP, FIRST + 1))
    page.pages_wide = pages(layout)
    page.printed = letter(time.total_column)
    page.heading(layout.titles["timeline"], word("timeline_about", language))
    names = [word(name, language) for name in ("item", "unit", "opening")]
    after = [word(name, language) for name in ("total", "how", "source", "plugin", "key")]
    page.titles(TOP - 1, [*names, *time.periods, *after])
    number_row(page, layout)
    for number, name in enumerate(scenario_names(layout)):
        page.band(time.heading(number), name, len(widths))
        for key in time.offsets:
            if key in time.inputs:
                live_row(page, layout, key, number)
            else:
                line_row(page, layout, layout.results.ledger.lines[key], number)
    last = address(time.last, time.total_column)
    page.grey_errors.append(f"{address(TOP, FIRST)}:{last}")
    return page


def number_row(page: Page, layout: Layout) -> None:
    """Count the periods above their titles, for lines that look some periods back."""
    page.put(NUMBERS, 1, word("period_number", layout.language), "label")
    page.calculate(NUMBERS, FIRST, "0", 0, "calc", "count")
    for period in range(len(layout.time.periods)):
        column = layout.time.column(period)
        page.calculate(NUMBERS, column, f"{letter(column - 1)}{NUMBERS}+1", period + 1, "calc", "count")


def live_row(page: Page, layout: Layout, key: str, number: int) -> None:
    """Write what counts of an input by period: a blank cell of a scenario follows base."""
    time, one = layout.time, layout.results.plan.inputs[key]
    row, form = time.row(key, number), layout.results.ledger.format(key).name
    title = in_quotes(layout.titles["by_period"])
    named(page, layout, row, number, key, say(one.label, layout.language))
    for period, value in enumerate(layout.results.series(key, layout.columns[number])):
        column = letter(time.column(period))
        own, base = (f"{title}!{column}{time.typed_row(key, at)}" for at in (number, 0))
        other = "NA()" if number == 0 else f"IF(ISBLANK({base}),NA(),{base})"
        page.calculate(row, time.column(period), f"IF(ISBLANK({own}),{other},{own})", stored(value), "link", form)
    total(page, layout, row, key, number, form)


def line_row(page: Page, layout: Layout, line: Line, number: int) -> None:
    """Write a line of one scenario: its opening, and the same formula in every period."""
    time, results, scenario = layout.time, layout.results, layout.columns[number]
    row, form = time.row(line.key, number), results.ledger.format(line.key).name
    named(page, layout, row, number, line.key, say(line.label, layout.language))
    if line.opening is not None:
        printer = TimePrinter(layout, "timeline", number, -1)
        opening = results.opening(line.key, scenario)
        page.calculate(row, FIRST, excel(line.opening, printer), stored(opening), "calc", form)
    for period, value in enumerate(results.series(line.key, scenario)):
        formula = excel(line.formula, TimePrinter(layout, "timeline", number, period))
        if fails(line.formula):
            formula = f"IFERROR({formula},NA())"
        page.calculate(row, time.column(period), formula, stored(value), "calc", form)
    if has_total(layout, line):
        total(page, layout, row, line.key, number, form)
    page.put(row, time.total_column + 1, results.ledger.formula_in_words(line.key, layout.language), "words")
    page.put(row, time.total_column + 2, say(line.source, layout.language), "note")
    page.put(row, time.total_column + 3, line.plugin, "note")
    page.fit(row)


def has_total(layout: Layout, line: Line) -> bool:
    """Tell whether a line is summed over time: of a stock, such as a book value, that means nothing."""
    is_stock = line.opening is not None or any(isinstance(node, Last) for node in walk(line.formula))
    return not is_stock or line.key in summed(layout)


def summed(layout: Layout) -> set[str]:
    """Return the lines whose sum over all periods another line reads."""
    nodes = (node for line in layout.results.ledger.lines.values() for node in walk(line.formula))
    return {key_of(node.line) for node in nodes if isinstance(node, OverTime) and node.span is None}


def named(page: Page, layout: Layout, row: int, number: int, key: str, label: str) -> None:
    """Write label, unit and the name under which look-ups find a row."""
    page.put(row, 1, label, "label")
    page.put(row, 2, layout.unit(key), "unit")
    page.put(row, layout.time.key_column, f"{scenario_names(layout)[number]}|{key}", "key")


def total(page: Page, layout: Layout, row: int, key: str, number: int, form: str) -> None:
    """Write the sum over time of a row."""
    time = layout.time
    first, last = address(row, time.column(0)), address(row, time.column(len(time.periods) - 1))
    value = layout.results.scope(layout.columns[number]).over_time(key)
    page.calculate(row, time.total_column, f"SUM({first}:{last})", stored(value), "sum", form)


# ---------------------------------------------------------------- the cash flow


def cash_flow_page(layout: Layout) -> Page:
    """Return the view of money over time in the scenario that a selector names."""
    language, time, results = layout.language, layout.time, layout.results
    names = scenario_names(layout)
    page = Page(layout.titles["cash_flow"], "output", [44, 14, 18, *[15] * len(time.periods), 50])
    page.pages_wide = pages(layout)
    page.frozen = address(TOP, FIRST + 1)
    page.heading(layout.titles["cash_flow"], word("cash_flow_about", language))
    page.put(SELECTOR[0], 1, word("scenario_shown", language), "label")
    page.put(*SELECTOR, names[0], "input")
    page.rules.append(Rule("list", (address(*SELECTOR),), f'"{",".join(names)}"', message=word("one_of", language)))
    heads = [word(name, language) for name in ("item", "unit", "total")]
    page.titles(TOP - 1, [*heads, *time.periods, word("key", language)])
    page.printed = letter(FIRST + len(time.periods))
    row = TOP
    for line in results.ledger.lines.values():
        if line.over_time and line.unit.text == results.plan.header.currency:
            cash_row(page, layout, row, line)
            row += 1
    return page


def cash_row(page: Page, layout: Layout, row: int, line: Line) -> None:
    """Write one line of money: a look-up of the chosen scenario's block."""
    time, results = layout.time, layout.results
    form = results.ledger.format(line.key).name
    key_at = FIRST + 1 + len(time.periods)
    page.put(row, 1, say(line.label, layout.language), "label")
    page.put(row, 2, layout.unit(line.key), "unit")
    page.put(row, key_at, line.key, "key")
    title, keys = in_quotes(layout.titles["timeline"]), letter(time.key_column)
    chosen = "$" + letter(SELECTOR[1]) + "$" + str(SELECTOR[0])
    wanted = f'{chosen}&"|"&${letter(key_at)}{row}'
    found = f"MATCH({wanted},{title}!${keys}${time.first}:${keys}${time.last},0)"
    figures = {time.column(period): value for period, value in enumerate(results.series(line.key))}
    if has_total(layout, line):
        figures[time.total_column] = results.scope("base").over_time(line.key)
    for column, value in figures.items():
        at = FIRST if column == time.total_column else column
        source = f"{title}!{letter(column)}${time.first}:{letter(column)}${time.last}"
        page.output(row, at, f"INDEX({source},{found},1)", stored(value), form)
