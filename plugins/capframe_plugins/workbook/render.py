"""From pages to an openpyxl workbook: styles, validation, colours that depend on values, charts, print set-up."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, cast

from capframe import FORMATS, LONGEST_TEXT, clean
from capframe_plugins.workbook.page import Cell, Chart, Page, Rule, address, letter
from capframe_plugins.workbook.styles import FONTS, GREY, RED, style, style_name
from capframe_plugins.workbook.words import word

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.chart import BarChart
    from openpyxl.chart.title import Title
    from openpyxl.styles.cell_style import StyleArray
    from openpyxl.worksheet.header_footer import HeaderFooterItem
    from openpyxl.worksheet.worksheet import Worksheet

TABS = {
    "output": "1F3864",
    "input": "FFC000",
    "fact": "7F7F7F",
    "calculation": "5B9BD5",
    "check": "C00000",
    "source": "A5A5A5",
    "log": "A5A5A5",
}
SERIES = ("1F3864", "5B9BD5", "A5A5A5", "FFC000", "70AD47", "7F7F7F", "C55A11")
A4, A3, WIDE = 9, 8, 210
"""Papers by Excel's numbers, and the width in characters from which A4 is too small to read."""
LIKE_FORMULAS = ("=", "+", "-", "@", "\t")
"""How a text starts that Excel would take for a formula once it is edited."""
THINGS = FORMATS["things"]
WHOLE_FORMAT = 200
"""A number of a format that is none of Excel's own; those of styles are counted up from 164."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Renderer:
    """Writes pages into one workbook; a named style is registered when its role and format first occur."""

    def __init__(self, book: Workbook, language: str, file: str) -> None:
        from openpyxl.cell.cell import Cell as Target

        self.target = Target
        self.book, self.language, self.file = book, language, file
        self.ids: dict[tuple[str, str], StyleArray] = {}
        self.texts: dict[str, str] = {}

    def sheet(self, page: Page) -> None:
        """Write one page."""
        sheet: Worksheet = self.book.create_sheet(page.title)
        sheet.sheet_properties.tabColor = TABS[page.kind]
        sheet.sheet_view.showGridLines = False
        sheet.sheet_format.defaultRowHeight, sheet.sheet_format.customHeight = 15, True
        sheet.freeze_panes = page.frozen or None
        for column, width in enumerate(page.widths, 1):
            sheet.column_dimensions[letter(column)].width = width
        for row, height in page.heights.items():
            sheet.row_dimensions[row].height = height
        for row, column in sorted(page.cells):
            self.cell(sheet, row, column, page.cells[row, column])
        for rule in page.rules:
            validate(sheet, rule)
        colour(sheet, page, self.language)
        whole_without_decimals(sheet, page)
        for number, chart in enumerate(page.charts):
            sheet.add_chart(drawn(chart, number), chart.anchor)
        protect_and_print(sheet, page, self.file)

    def cell(self, sheet: Worksheet, row: int, column: int, cell: Cell) -> None:
        """Write one cell. Text is always text, whatever it starts with."""
        target = sheet._cells[row, column] = self.target(sheet, row, column)  # noqa: SLF001 - as openpyxl's own reader does
        look = (cell.role, cell.format)
        if look not in self.ids:
            self.book.add_named_style(style(*look, self.language))
            target.style = style_name(*look)
            self.ids[look] = target._style  # type: ignore[attr-defined]  # noqa: SLF001 - assigning the name scans every style, for each cell
        target._style = self.ids[look]  # type: ignore[attr-defined]  # noqa: SLF001 - shared: no cell is changed later
        # openpyxl looks once more through each text for what cannot stand in a cell, and for the sign of a formula
        if cell.is_formula:
            target._value, target.data_type = f"={cell.content}", "f"  # type: ignore[attr-defined]  # noqa: SLF001
        elif isinstance(cell.content, str):
            text = self.text(cell.content)
            if text:
                target._value, target.data_type = text, "s"  # type: ignore[attr-defined]  # noqa: SLF001
            if text.startswith(LIKE_FORMULAS):
                target._style = copy(self.ids[look])  # type: ignore[attr-defined]  # noqa: SLF001 - of this cell alone
                target.quotePrefix = True  # stays text when somebody edits it
        else:
            target.value = cell.content
        if cell.link:
            from openpyxl.worksheet.hyperlink import Hyperlink

            target.hyperlink = Hyperlink(ref=address(row, column), location=cell.link)

    def text(self, content: str) -> str:
        """Return a text as a cell holds it; most texts occur many times."""
        if content not in self.texts:
            self.texts[content] = shortened(clean(content)).replace("_x", "_x005F_x")
        return self.texts[content]


def shortened(text: str) -> str:
    """Return as much of a text as a cell holds; one that goes on ends so."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def validate(sheet: Worksheet, rule: Rule) -> None:
    """Add what may be typed into cells."""
    from openpyxl.worksheet.datavalidation import DataValidation

    check = DataValidation(type=rule.kind, formula1=rule.formula, formula2=rule.high or None, allow_blank=True)
    if rule.high:
        check.operator = "between"
    check.errorTitle, check.error = "capframe", rule.message[:225]
    check.promptTitle, check.prompt = "capframe", rule.message[:225]
    check.showErrorMessage = True
    check.showInputMessage = True
    for cell in rule.cells:
        check.add(cell)
    sheet.add_data_validation(check)


def colour(sheet: Worksheet, page: Page, language: str) -> None:
    """Grey what is not available, redden what fails."""
    from openpyxl.formatting.rule import CellIsRule, FormulaRule
    from openpyxl.styles import Font, PatternFill

    for cells in page.grey_errors:
        first = cells.split(":", maxsplit=1)[0]
        sheet.conditional_formatting.add(cells, FormulaRule([f"ISERROR({first})"], font=Font(color="A6A6A6")))
    for cells in page.verdicts:
        bad = {"font": Font(color="FFFFFF", bold=True), "fill": PatternFill(bgColor=RED)}
        mild = {"font": Font(color="7F6000", bold=True), "fill": PatternFill(bgColor="FFE699")}
        good = {"font": Font(color="00692B", bold=True), "fill": PatternFill(bgColor="E2F0D9")}
        first = cells.split(":", maxsplit=1)[0]
        severe = f'AND({first}="{word("fail", language)}",$A{first.lstrip(LETTERS)}="{word("error", language)}")'
        sheet.conditional_formatting.add(cells, FormulaRule([severe], stopIfTrue=True, **bad))
        for text, look in (("fail", mild), ("does_not_hold", bad), ("pass", good), ("holds", good)):
            sheet.conditional_formatting.add(cells, CellIsRule("equal", [f'"{word(text, language)}"'], **look))
        unknown = f'"{word("n/a", language)}"'
        sheet.conditional_formatting.add(cells, CellIsRule("equal", [unknown], font=Font(color=GREY)))


def whole_without_decimals(sheet: Worksheet, page: Page) -> None:
    """Show amounts of things that have no fraction without decimals: a number format cannot depend on that."""
    from openpyxl.formatting.rule import Rule as Condition
    from openpyxl.styles.differential import DifferentialStyle
    from openpyxl.styles.numbers import NumberFormat

    things = [address(row, column) for (row, column), cell in sorted(page.cells.items()) if cell.format == THINGS.name]
    if things:
        first, shown = things[0], NumberFormat(numFmtId=WHOLE_FORMAT, formatCode=FORMATS["count"].cell)
        test = f"IF(ISNUMBER({first}),{first}=INT({first}),FALSE)"
        rule = Condition("expression", dxf=DifferentialStyle(numFmt=shown), formula=[test])
        sheet.conditional_formatting.add(" ".join(things), rule)


def drawn(chart: Chart, number: int) -> BarChart:
    """Return a native chart whose axes are shown by every Excel and start at zero."""
    from openpyxl.chart import BarChart, Reference, Series
    from openpyxl.chart.axis import ChartLines
    from openpyxl.chart.data_source import StrRef
    from openpyxl.chart.series import SeriesLabel
    from openpyxl.chart.shapes import GraphicalProperties
    from openpyxl.drawing.line import LineProperties

    bars = BarChart()
    bars.type, bars.grouping, bars.overlap = "col", "stacked", 100
    bars.title, bars.y_axis.title = titled(chart.title, 1200), titled(chart.unit, 900)
    for name, values, shade in zip(chart.names, chart.values, SERIES * 9, strict=False):
        series = Series(Reference(range_string=values), title=None)
        series.tx = SeriesLabel(strRef=StrRef(f=name))
        series.graphicalProperties = GraphicalProperties(solidFill=shade)
        bars.series.append(series)
    bars.set_categories(Reference(range_string=chart.categories))
    bars.x_axis.delete = bars.y_axis.delete = False
    bars.y_axis.number_format = chart.format
    bars.y_axis.scaling.min = 0
    bars.y_axis.majorGridlines = ChartLines(GraphicalProperties(ln=LineProperties(solidFill="D9D9D9")))
    bars.gapWidth = 80
    if bars.legend:
        bars.legend.position = "b"
    bars.width, bars.height = 15, 8.5
    bars.x_axis.axId, bars.y_axis.axId = 10 + 2 * number, 11 + 2 * number
    bars.x_axis.crossAx, bars.y_axis.crossAx = bars.y_axis.axId, bars.x_axis.axId
    return bars


def titled(text: str, size: int) -> Title:
    """Return the title of a chart or an axis, in hundredths of a point."""
    from openpyxl.chart.text import RichText, Text
    from openpyxl.chart.title import Title
    from openpyxl.drawing.text import CharacterProperties, Paragraph, ParagraphProperties, RegularTextRun

    look = CharacterProperties(sz=size, b=True)
    run = RegularTextRun(rPr=look, t=text)
    paragraph = Paragraph(pPr=ParagraphProperties(defRPr=look), r=[run])
    return Title(tx=Text(rich=RichText(p=[paragraph])), overlay=False)


def protect_and_print(sheet: Worksheet, page: Page, file: str) -> None:
    """Lock formulas without a password, and set up printing: landscape, one page wide, titles repeated."""
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.protection.sheet = True
    sheet.protection.formatColumns = sheet.protection.formatRows = False
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = A3 if printed_width(page) > WIDE else A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = page.pages_wide, int(page.one_page)
    if page.printed:
        sheet.print_area = f"A1:{page.printed}{page.printed_rows or sheet.max_row}"
    if page.pages_wide > 1:
        sheet.print_title_cols = "A:A"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    if page.header:
        sheet.print_title_rows = f"{page.header}:{page.header}"
    sheet.page_margins.left = sheet.page_margins.right = 0.4
    sheet.page_margins.top, sheet.page_margins.bottom = 0.5, 0.75
    sheet.page_margins.footer = 0.3
    footer = cast("HeaderFooterItem", sheet.oddFooter)
    for part, text in ((footer.left, file.replace("&", "&&")), (footer.center, "&A"), (footer.right, "&P / &N")):
        part.text, part.size = text, 8


def printed_width(page: Page) -> float:
    """Return the width of what is printed on one page across, in characters."""
    last = [letter(column) for column in range(1, len(page.widths) + 1)]
    columns = last.index(page.printed) + 1 if page.printed in last else len(page.widths)
    return sum(page.widths[:columns]) / page.pages_wide


def set_default_font(book: Workbook, language: str) -> None:
    """Change the font that widths, footers and empty cells go by."""
    from openpyxl.styles import Font

    book._named_styles["Normal"].font = Font(name=FONTS[language], size=10)  # type: ignore[attr-defined]  # noqa: SLF001 - there is no public way
