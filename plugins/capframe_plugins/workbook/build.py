"""The exporter: results in, one workbook out."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from capframe import CapframeError, clean, in_quotes, is_workbook_name
from capframe_plugins.workbook.archive import save
from capframe_plugins.workbook.areas import area_page
from capframe_plugins.workbook.bill import bill_page, has_items
from capframe_plugins.workbook.changes import changes_page
from capframe_plugins.workbook.inputs import catalog_page, inputs_page
from capframe_plugins.workbook.layout import Layout
from capframe_plugins.workbook.outputs import checks_page, cover_page, sources_page, summary_page
from capframe_plugins.workbook.page import Content, Page, address, letter
from capframe_plugins.workbook.periods import FIRST
from capframe_plugins.workbook.render import Renderer, set_default_font
from capframe_plugins.workbook.timeline import by_period_page, cash_flow_page, timeline_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from openpyxl import Workbook

    from capframe import Results

LONGEST_FORMULA = 8192
MASTER_CHECK = "$B$4"
"""Where the cover says whether all checks hold."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep Python from searching for garbage among cells that all live to the end: a tenth of the time of a build."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


@undisturbed()
def write(results: Results, path: Path) -> None:
    """Write the workbook of a plan to ``path``.

    Raises:
        CapframeError: for a formula that is longer than Excel takes.
    """
    from openpyxl import Workbook

    layout = Layout(results)
    pages = pages_of(layout)
    book = Workbook()
    book.remove(book.worksheets[0])
    set_default_font(book, layout.language)
    renderer = Renderer(book, layout.language, clean(results.plan.header.file))
    for page in pages:
        too_long(page)
        renderer.sheet(page)
    name_cells(book, layout)
    describe(book, results)
    when = datetime.fromisoformat(results.plan.header.date)
    save(book, path, {page.title: values_of(page) for page in pages}, when)


def pages_of(layout: Layout) -> list[Page]:
    """Return the sheets in their order; the cover counts what the checks say."""
    checks = checks_page(layout)
    pages = [
        cover_page(layout, checks),
        summary_page(layout),
        inputs_page(layout),
        *([by_period_page(layout)] if layout.time.inputs else []),
        *(catalog_page(layout, facts) for facts in layout.facts.values()),
        *(area_page(layout, area, blocks) for area, blocks in layout.areas.items()),
        *([timeline_page(layout), cash_flow_page(layout)] if layout.time.offsets else []),
        *([bill_page(layout)] if has_items(layout) else []),
        checks,
        sources_page(layout),
        changes_page(layout),
    ]
    for page in pages:
        page.widen()
    return pages


def values_of(page: Page) -> dict[str, Content]:
    """Return the value beside each formula of a page."""
    return {address(row, column): cell.value for (row, column), cell in page.cells.items() if cell.is_formula}


def too_long(page: Page) -> None:
    """Refuse a formula that Excel would not take."""
    for (row, column), cell in page.cells.items():
        if cell.is_formula and len(str(cell.content)) >= LONGEST_FORMULA:
            length = f"the formula has {len(str(cell.content))} characters; Excel takes {LONGEST_FORMULA}"
            msg = f"{page.title}!{address(row, column)}: {length}"
            raise CapframeError(msg)


def name_cells(book: Workbook, layout: Layout) -> None:
    """Name base inputs, headline figures (by keys that Excel takes as names) and the master check."""
    from openpyxl.workbook.defined_name import DefinedName

    taken: set[str] = set()
    headlines = [line.key for line in layout.results.ledger.lines.values() if line.headline and not line.over_time]
    plain = [key for key, one in layout.results.plan.inputs.items() if not one.by_period]
    for key in (*plain, *headlines):
        if is_workbook_name(key) and key.casefold() not in taken:
            taken.add(key.casefold())
            sheet = layout.titles[layout.sheet_of[key]]
            one = layout.results.plan.inputs.get(key)
            column = FIRST if one is None or one.fixed is None else layout.live(0)
            target = f"{in_quotes(sheet)}!${letter(column)}${layout.rows[key]}"
            book.defined_names[key] = DefinedName(key, attr_text=target)
    master = f"{in_quotes(layout.titles['cover'])}!{MASTER_CHECK}"
    book.defined_names["master_check"] = DefinedName("master_check", attr_text=master)


def describe(book: Workbook, results: Results) -> None:
    """Say in the file's properties what it is; version and SHA-256 are those in the last row of Changes."""
    from openpyxl.packaging.custom import StringProperty

    header = results.plan.header
    book.properties.creator = "capframe"
    subject = f"{header.file}, revision {header.revision}" if header.revision else header.file
    book.properties.title, book.properties.subject = clean(header.title), clean(subject)
    for name, text in (("version", header.version), ("plan_sha256", header.digest)):
        one = StringProperty(name=name, value=clean(text))
        book.custom_doc_props.append(one)  # type: ignore[attr-defined]  # the stubs do not know it
    book.calculation.fullCalcOnLoad = True
