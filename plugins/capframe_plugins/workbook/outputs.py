"""The pages for readers: Cover, Summary, Checks, Sources."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from capframe import (
    CALENDAR,
    Format,
    LineCheck,
    PickField,
    __version__,
    excel,
    in_quotes,
    quoted,
    say,
    slots,
)
from capframe_plugins.workbook.charts import draw
from capframe_plugins.workbook.inputs import fact_place, stored
from capframe_plugins.workbook.page import Page, address, letter
from capframe_plugins.workbook.periods import FIRST, TOP
from capframe_plugins.workbook.timeline import faults_by_period
from capframe_plugins.workbook.words import WORDS, confidence, word

if TYPE_CHECKING:
    from capframe_plugins.workbook.layout import Layout

LONGEST_LITERAL = 250
"""Excel takes text literals of up to 255 characters."""
CHECK_FIRST = 4
"""The first column of results on Checks: severity, check and area stand before it."""


# ---------------------------------------------------------------- Cover


def cover_page(layout: Layout, checks: Page) -> Page:
    """Return the cover: purpose, master check, conventions, contents with links, colours."""
    plan, language = layout.results.plan, layout.language
    page = Page(layout.titles["cover"], "output", [26, 74, 26])
    page.one_page = True
    page.heading(plan.header.title, word("purpose_text", language))
    judgement(page, layout, checks)
    facts = (
        ("plan_date", plan.header.date),
        ("revision", plan.header.revision),
        ("author", say(plan.header.author, language)),
        ("currency", plan.header.currency),
        ("conventions", word("conventions_text", language).format(**CALENDAR)),
        ("plan_file", plan.header.file),
        ("plan_digest", plan.header.digest),
        ("made_by", f"capframe {__version__}"),
    )
    row = 8
    for name, text in facts:
        if text:
            page.put(row, 1, word(name, language), "label")
            page.put(row, 2, text, "text")
            page.fit(row)
            row += 1
    row = contents(page, layout, row + 1)
    row = legend(page, layout, row + 1)
    left_out(page, layout, row + 1)
    return page


def judgement(page: Page, layout: Layout, checks: Page) -> None:
    """Write the master check, how many warnings fail, and how many checks lack a figure, over all columns."""
    results, language = layout.results, layout.language
    error, warning, failed = word("error", language), word("warning", language), word("fail", language)
    good, bad = word("holds", language), word("does_not_hold", language)
    verdict = bad if any(results.fails(name) for name in layout.columns) else good
    page.put(4, 1, word("master", language), "label")
    page.calculate(4, 2, f'IF({checks_that(layout, checks, failed, error)}=0,"{good}","{bad}")', verdict, "verdict")
    page.put(4, 3, word("master_about", language), "note")
    page.verdicts.append("B4")
    said = [(check, results.status(check, name).result) for check in results.ledger.checks for name in layout.columns]
    warned = sum(check.severity == "warning" and result == "fail" for check, result in said)
    page.put(5, 1, word("warned", language), "label")
    page.calculate(5, 2, checks_that(layout, checks, failed, warning), warned, "tally", "tally")
    page.put(5, 3, word("warned_about", language), "note")
    unknown = sum(result == "n/a" and not check.is_bound for check, result in said)
    page.put(6, 1, word("not_judged", language), "label")
    page.calculate(
        6, 2, checks_that(layout, checks, word("n/a", language), last=last_own(layout)), unknown, "tally", "tally"
    )
    page.put(6, 3, word("not_judged_about", language), "note")
    page.heights[4] = 30
    page.fit(5)
    page.fit(6)


def last_own(layout: Layout) -> int:
    """Return the last row of Checks above the bounds: where a bound cannot be judged its own line says n/a."""
    return TOP + 1 + sum(not check.is_bound for check in layout.results.ledger.checks)


def checks_that(layout: Layout, checks: Page, result: str, severity: str = "", last: int = 0) -> str:
    """Return the formula that counts checks with a result, of one severity or of all, over all columns."""
    title, last = in_quotes(checks.title), last or last_row(checks)
    severities = f"{title}!$A${TOP}:$A${last}"
    columns = [
        f"{title}!${letter(column)}${TOP}:${letter(column)}${last}"
        for column in range(CHECK_FIRST, CHECK_FIRST + len(layout.columns))
    ]
    return "+".join(
        f'COUNTIFS({severities},"{severity}",{cells},"{result}")' if severity else f'COUNTIF({cells},"{result}")'
        for cells in columns
    )


def contents(page: Page, layout: Layout, row: int) -> int:
    """Write the table of contents, each sheet a link, and return the next row."""
    language = layout.language
    page.band(row, word("contents", language), 3)
    for name, title in layout.titles.items():
        if name != "cover":
            row += 1
            area = layout.results.plan.areas.get(name)
            general = "about_catalog" if name.startswith("catalog.") else "about_area"
            about = word(f"about_{name}" if f"about_{name}" in WORDS else general, language)
            page.put(row, 1, title, "goto", link=f"{in_quotes(title)}!A1")
            page.put(row, 2, say(area.about, language) if area and area.about else about, "text")
    return row + 1


def legend(page: Page, layout: Layout, row: int) -> int:
    """Write what the colours mean, and return the next row."""
    page.band(row, word("legend", layout.language), 3)
    for role in ("input", "calc", "link", "output", "fact"):
        row += 1
        page.put(row, 1, word(f"legend_{role}", layout.language), f"sample_{role}")
    return row + 1


def left_out(page: Page, layout: Layout, row: int) -> None:
    """Write what plugins that are off take with them: parts of the document, lines and checks."""
    results, language = layout.results, layout.language
    unread = [word("unread", language, key) for key in results.plan.left_out]
    entries = [*unread, *results.ledger.left_out]
    if not entries:
        return
    page.one_page = False
    page.band(row, word("left_out", language), 3)
    for entry in entries:
        row += 1
        page.put(row, 2, entry, "text")
        page.fit(row)


# ---------------------------------------------------------------- Summary


def summary_page(layout: Layout) -> Page:
    """Return the figures that matter, scenarios side by side, and the charts."""
    results, language, columns = layout.results, layout.language, layout.columns
    page = Page(layout.titles["summary"], "output", [46, 16, *[22] * len(columns)], frozen=address(TOP, FIRST))
    page.one_page = True
    page.heading(results.plan.header.title, word("summary_about", language))
    heads = [word("item", language), word("unit", language), word("base", language), *columns[1:]]
    page.titles(TOP - 1, heads)
    row = TOP
    for area, blocks in layout.areas.items():
        for title in dict.fromkeys(block.title for block in blocks):
            keys = [key for block in blocks if block.title == title for key in block.keys]
            shown = [key for key in keys if results.ledger.lines[key].headline]
            if shown:
                page.band(row, f"{layout.titles[area]} · {title}", len(heads))
                row += 1
            for key in shown:
                summary_row(page, layout, row, key)
                row += 1
    draw(page, layout, row + 1)
    return page


def summary_row(page: Page, layout: Layout, row: int, key: str) -> None:
    """Write one headline figure."""
    line, form = layout.results.ledger.lines[key], layout.results.ledger.format(key).name
    page.put(row, 1, say(line.label, layout.language), "label")
    page.put(row, 2, layout.unit(key), "unit")
    for column, scenario in enumerate(layout.columns):
        value = stored(layout.results.value(key, scenario))
        page.output(row, FIRST + column, layout.reference(key, column), value, form)
    page.fit(row)


# ---------------------------------------------------------------- Checks


def checks_page(layout: Layout) -> Page:
    """Return the sheet of checks: results and sentences for every scenario."""
    language, columns = layout.language, layout.columns
    widths = [12, 48, 14, *[13] * len(columns), *[60] * len(columns), 50]
    page = Page(layout.titles["checks"], "check", widths, frozen=address(TOP, CHECK_FIRST))
    page.printed = letter(len(widths) - 1)
    page.heading(layout.titles["checks"], word("checks_about", language))
    names = [word("base", language), *columns[1:]]
    page.titles(
        TOP - 1,
        [
            *(word(name, language) for name in ("severity", "check", "plugin")),
            *names,
            *(word("what_is_wrong", language, name) for name in names),
            word("key", language),
        ],
    )
    page.band(TOP, word("own_checks", language), len(widths))
    row = TOP + 1
    given_row(page, layout, row)
    for is_bound, checks in groupby(layout.results.ledger.checks, lambda check: check.is_bound):
        if is_bound:
            row += 1
            page.band(row, word("bounds", language), len(widths))
        for check in checks:
            row += 1
            check_row(page, layout, row, check)
    results = f"{address(TOP, CHECK_FIRST)}:{address(row, CHECK_FIRST + len(columns) - 1)}"
    page.verdicts.append(results)
    return page


def given_row(page: Page, layout: Layout, row: int) -> None:
    """Write the check that every required yellow cell is filled."""
    title, column = in_quotes(layout.titles["inputs"]), letter(layout.key_column + 3)
    rows = [layout.rows[key] for key in layout.results.plan.inputs if key in layout.rows]
    missing = f"SUM({title}!${column}${min(rows)}:${column}${max(rows)})"
    missing = "+".join([missing, *(faults_by_period(layout, key) for key in layout.time.inputs)])
    sentence = word("required_missing", layout.language)
    if layout.time.inputs:
        sentence += word("or_by_period", layout.language)
    passed, failed = word("pass", layout.language), word("fail", layout.language)
    page.put(row, 1, word("error", layout.language), "label")
    page.put(row, 2, word("all_given", layout.language), "label")
    page.put(row, 3, "capframe", "note")
    for number in range(len(layout.columns)):
        at = address(row, CHECK_FIRST + number)
        page.calculate(row, CHECK_FIRST + number, f'IF({missing}=0,"{passed}","{failed}")', passed, "check")
        said = f'IF({at}="{failed}",{quoted(sentence)},"")'
        page.calculate(row, CHECK_FIRST + len(layout.columns) + number, said, "", "message")
    page.put(row, CHECK_FIRST + 2 * len(layout.columns), "inputs.given", "key")


def check_row(page: Page, layout: Layout, row: int, check: LineCheck) -> None:
    """Write one check."""
    language, results = layout.language, layout.results
    passed, failed = word("pass", language), word("fail", language)
    severity = word("note_severity" if check.severity == "note" else check.severity, language)
    page.put(row, 1, severity, "label")
    page.put(row, 2, say(check.label, language), "label")
    page.put(row, 3, check.plugin, "note")
    for number, scenario in enumerate(layout.columns):
        printer = layout.printer("checks", number)
        status = results.status(check, scenario, language)
        at = address(row, CHECK_FIRST + number)
        formula = f'IFERROR(IF({excel(check.test, printer)},"{passed}","{failed}"),"{word("n/a", language)}")'
        page.calculate(row, CHECK_FIRST + number, formula, word(status.result, language), "check")
        sentence = f'IF({at}="{failed}",{sentence_formula(layout, check, number)},"")'
        page.calculate(row, CHECK_FIRST + len(layout.columns) + number, sentence, status.message, "message")
    page.put(row, CHECK_FIRST + 2 * len(layout.columns), check.key, "key")
    page.fit(row)


def sentence_formula(layout: Layout, check: LineCheck, column: int) -> str:
    """Return the sentence of a check as a formula: texts joined with figures through fixed TEXT patterns."""
    results = layout.results
    pieces: list[str] = []
    for text, key, lead in slots(say(check.message, layout.language)):
        pieces += [quoted(text[at : at + LONGEST_LITERAL]) for at in range(0, len(text), LONGEST_LITERAL)]
        if key:
            cell = layout.reference(key, column, "checks")
            unit = layout.unit(key)
            form = results.ledger.format(key)
            shown = cell if form.name == "text" else f"TEXT({cell},{pattern_of(form, cell)})"
            with_unit = f"{shown}&{quoted(' ' + unit)}" if unit else shown
            pieces.append(f'IFERROR({quoted(lead)}&{with_unit},"")' if lead else f'IFERROR({with_unit},"n/a")')
    return "&".join(pieces) or '""'


def pattern_of(form: Format, cell: str) -> str:
    """Return the pattern of a figure within a formula: amounts of things have decimals only where there are any."""
    pattern = quoted(form.pattern)
    return f"IF({cell}=INT({cell}),{quoted(form.whole)},{pattern})" if form.whole else pattern


def last_row(page: Page) -> int:
    """Return the last row that holds anything."""
    return max(row for row, _ in page.cells)


# ---------------------------------------------------------------- Sources


def sources_page(layout: Layout) -> Page:
    """Return the sheet of sources: each catalogue fact, then each formula that names one."""
    language = layout.language
    names = ("part", "fact", "value", "unit", "source", "where", "as_of", "confidence", "note")
    page = Page(layout.titles["sources"], "source", [34, 34, 18, 16, 50, 84, 12, 12, 60], frozen=address(TOP, 3))
    page.heading(layout.titles["sources"], word("sources_about", language))
    page.titles(TOP - 1, [word(name, language) for name in names])
    row = TOP
    page.band(row, word("formulas", language), len(names))
    for line in layout.results.ledger.lines.values():
        if line.source:
            row += 1
            page.put(row, 1, say(line.label, language), "label")
            page.put(row, 2, line.key, "key")
            page.put(row, 5, say(line.source, language), "note")
            page.fit(row)
    row += 1
    page.band(row, word("facts", language), len(names))
    picked = picked_parts(layout)
    for name, part in sorted(all_parts(layout), key=lambda one: one not in picked):
        if (name, part) not in picked:
            page.printed_rows = page.printed_rows or row  # the parts of this plan are printed, the others looked up
        for column in layout.facts[name].columns:
            if column in layout.results.plan.catalog.kinds[name].records[part].facts:
                row += 1
                fact_source(page, layout, row, name, part, column)
    page.printed = letter(len(names))
    return page


def all_parts(layout: Layout) -> list[tuple[str, str]]:
    """Return every part of the Catalog with its kind."""
    return [(name, part) for name, facts in layout.facts.items() for part in facts.parts]


def picked_parts(layout: Layout) -> set[tuple[str, str]]:
    """Return the parts that the plan or one of its scenarios picks."""
    results = layout.results
    return {
        (one.field.kind, str(results.value(key, scenario)))
        for key, one in results.plan.inputs.items()
        if isinstance(one.field, PickField)
        for scenario in results.columns
    }


def fact_source(page: Page, layout: Layout, row: int, kind: str, part: str, column: str) -> None:
    """Write where one fact comes from; its value is a link to the Catalog."""
    catalog, language = layout.results.plan.catalog, layout.language
    given, about = catalog.kinds[kind].fact(part, column), catalog.kinds[kind].columns[column]
    origin = given.origin
    page.put(row, 1, part, "note")
    page.put(row, 2, column, "note")
    form = "text" if isinstance(given.value, str) else "plain"
    role = "linked_text" if form == "text" else "link"
    page.calculate(row, 3, fact_place(layout, kind, part, column), given.value, role, form)
    page.put(row, 4, layout.in_words(about.unit.text), "unit")
    title = say(origin.source, language)
    page.put(row, 5, title, "note")
    source = catalog.sources.get(title)
    page.put(row, 6, source.address if source else "", "note")
    page.put(row, 7, origin.date, "note")
    page.put(row, 8, confidence(origin.confidence, language), "note")
    page.put(row, 9, say(origin.note, language), "note")
    page.fit(row)
