"""The lint finds every seeded defect, and nothing of the kind in a small workbook that keeps the rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import CellIsRule
from openpyxl.packaging.custom import StringProperty
from openpyxl.styles import Font, NamedStyle, PatternFill, Protection
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink

from capframe import CapframeError, export, load
from capframe.lint import RULES, lint

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.[yt]*ml"))


def style(book, name, form, *, locked=True):
    book.add_named_style(NamedStyle(name=name, number_format=form, protection=Protection(locked=locked)))


def good_book():
    """A workbook of two inputs and a few rows in two cases, which keeps every rule but that of stored values."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, form in (("label", "@"), ("calc", "#,##0.00"), ("link", "#,##0.00"), ("output", "#,##0.00")):
        style(book, name, form)
    style(book, "input", "#,##0.00", locked=False)
    cover = sheet_of(
        book, "Cover", [["Plan"], ["Date", "2026-11-29"], ["Revision", "1", "Author", "Li Lei"], ["Currency, units"]]
    )
    fill(cover, 5, ["Colours", "input yellow"], "label")
    summary = sheet_of(book, "Summary", [["Summary"], [], ["Item", "Unit", "base", "high"]])
    inputs = sheet_of(
        book, "Inputs", [["Inputs"], [], ["Item", "Unit", "base", "high", "live", "live", "Source", "Confidence"]]
    )
    calc = sheet_of(book, "Cost", [["Cost"], [], ["Item", "Unit", "base", "high"]])
    checks = sheet_of(book, "Checks", [["Checks"], [], ["Severity", "Check", "base", "high"]])
    changes = sheet_of(book, "Changes", [["Revision", "What"], ["1", "first"]])
    for row, (label, unit, base, high) in enumerate((("Cards", "card", 10, 12), ("Price", "CNY/card", 5, 6)), 4):
        fill(inputs, row, [label, unit, base, high], "input")
        fill(
            inputs,
            row,
            [None] * 4 + [f"=IF(ISBLANK(C{row}),NA(),C{row})", f"=IF(ISBLANK(D{row}),$E{row},D{row})"],
            "calc",
        )
        fill(inputs, row, [None] * 6 + ["quotation", "measured"], "label")
    rule = DataValidation(type="decimal", operator="between", formula1="0", formula2="1E9")
    rule.add("C4:D5")
    inputs.add_data_validation(rule)
    rows = [
        ["Cards bought", "card", "='Inputs'!E4", "='Inputs'!F4"],
        ["Purchase", "CNY", "=C4*'Inputs'!E5", "=D4*'Inputs'!F5"],
        ["Spares", "CNY", "=C5/100", "=D5/100"],
        ["Shipping", "CNY", "=C5/1000", "=D5/1000"],
        ["Total", "CNY", "=SUM(C5:C7)", "=SUM(D5:D7)"],
    ]
    for row, cells in enumerate(rows, 4):
        fill(calc, row, cells, "link" if row == 4 else "calc")
    fill(summary, 4, ["Total cost", "CNY", "=IFERROR('Cost'!C8,\"n/a\")", "=IFERROR('Cost'!D8,\"n/a\")"], "output")
    fill(
        checks,
        4,
        ["error", "It is paid", '=IF(\'Cost\'!C8>0,"pass","fail")', '=IF(\'Cost\'!D8>0,"pass","fail")'],
        "calc",
    )
    checks.conditional_formatting.add("C4:D4", CellIsRule("equal", ['"fail"'], fill=PatternFill(bgColor="FF0000")))
    fill(cover, 6, ["Master check", '=IF(COUNTIF(Checks!$C$4:$D$4,"fail")=0,"OK","ERROR")'], "calc")
    book.defined_names["master_check"] = DefinedName("master_check", attr_text="'Cover'!$B$6")
    for row, sheet in enumerate((summary, inputs, calc, checks, changes), 8):
        fill(cover, row, [sheet.title], "label")
        cover.cell(row, 1).hyperlink = Hyperlink(ref=f"A{row}", location=f"'{sheet.title}'!A1")
    book.properties.version = "1"
    draw(summary)
    return book


def sheet_of(book, title, rows):
    sheet = book.create_sheet(title)
    for number, row in enumerate(rows, 1):
        fill(sheet, number, row, "label")
    if title not in {"Cover", "Changes"}:
        sheet.freeze_panes = "C4"
        sheet.print_title_rows = "3:3"
    sheet.sheet_properties.tabColor = "1F3864"
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.oddFooter.center.text = "&A"
    sheet.protection.sheet = True
    return sheet


def fill(sheet, row, values, name):
    for column, value in enumerate(values, 1):
        if value is not None:
            cell = sheet.cell(row, column, value)
            cell.style = name if column > 2 or sheet.title == "Cover" else "label"


def draw(sheet, *, title="Cost", axis="CNY"):
    chart = BarChart()
    chart.title, chart.y_axis.title = title, axis
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.add_data(Reference(sheet, min_col=3, max_col=4, min_row=4), from_rows=True)
    sheet.add_chart(chart, "A8")


def findings(tmp_path, book):
    path = tmp_path / "book.xlsx"
    book.save(path)
    return lint(path)


def test_a_workbook_that_keeps_the_rules_has_no_findings(tmp_path):
    found = [str(one) for one in findings(tmp_path, good_book()) if one.rule != 28]
    assert found == []


def put(title, at, value, name="calc"):
    """Write a value into a cell."""

    def change(book):
        cell = book[title][at]
        cell.value = value
        cell.style = name

    return change


def at(title, what):
    """Change a sheet."""
    return lambda book: what(book[title])


def named(name, target):
    def change(book):
        book.defined_names[name] = DefinedName(name, attr_text=target)

    return change


def described(**said):
    """Say something in the custom properties of the file."""

    def change(book):
        for name, value in said.items():
            book.custom_doc_props.append(StringProperty(name=name, value=value))

    return change


def unstyled(book):
    book["Cost"]["A9"] = "Loose"


def dated(book):
    """Two sheets with periods that differ."""
    from datetime import date

    for year, title in ((2027, "Cost"), (2028, "Power")):
        sheet = book["Cost"] if title == "Cost" else sheet_of(book, title, [["Power"], [], ["Item", "Unit"]])
        fill(sheet, 3, [None, None, date(year, 1, 1), date(year, 4, 1)], "label")
        sheet["C3"].number_format = sheet["D3"].number_format = "yyyy-mm-dd"
        fill(sheet, 4, ["Cards bought", "card", "='Inputs'!E4", "='Inputs'!F4"], "link")


def shifted(book):
    sheet = sheet_of(book, "Power", [["Power"], [], ["Item", "Unit", "", "base", "high"]])
    fill(sheet, 4, ["Cards", "card", None, "='Inputs'!E4", "='Inputs'!F4"], "link")


def white(sheet):
    sheet["A5"].font = Font(color="FFFFFF")


def reworded(sheet):
    for cell in sheet[3]:
        if cell.value in {"Source", "Confidence", "Severity"}:
            cell.value = "?"


def without_name(book):
    del book.defined_names["master_check"]


def cross(sheet):
    for row, label in ((11, "One"), (12, "Two"), (13, "Both")):
        values = [f"=SUM({letter}11:{letter}12)" if row == 13 else f"='Inputs'!E{row - 7}" for letter in "CD"]
        fill(sheet, row, [label, "CNY", *values, f"=SUM(C{row}:D{row})"], "calc")


def without_cards(sheet):
    sheet["C5"], sheet["D5"] = "=1*'Inputs'!E5", "=1*'Inputs'!F5"


def uncoloured(sheet):
    sheet.conditional_formatting = ConditionalFormattingList()


def blocks(book):
    """Each scenario sums the row of its own block, but not the same columns of it."""
    book["Cost"]["C6"], book["Cost"]["D6"] = "=SUM('Inputs'!$E$4:$F$4)", "=SUM('Inputs'!$D$5:$F$5)"


DEFECTS = [
    (1, "error", "Cost!C7", put("Cost", "C7", "='Summary'!C4")),
    (2, "warning", "Cost!C5", put("Cost", "C5", "=C4*C6")),
    (3, "error", "Cost!D6", put("Cost", "D6", "=D5/24")),
    (3, "error", "Cost!D6", blocks),
    (4, "error", "Cost!D6", put("Cost", "D6", 7)),
    (5, "error", "", shifted),
    (6, "error", "Cost", at("Cost", lambda sheet: setattr(sheet, "freeze_panes", None))),
    (6, "error", "Power!C3", dated),
    (7, "error", "Cost!C6", put("Cost", "C6", "=C5*0.35")),
    (7, "error", "Cost!C6", put("Cost", "C6", "=C5*6")),
    (
        8,
        "warning",
        "Cost!C6",
        put("Cost", "C6", "=C4+C5+D4+D5+'Inputs'!C4+'Inputs'!C5+'Inputs'!D4*'Inputs'!D5+'Inputs'!E4"),
    ),
    (8, "warning", "Cost!C6", put("Cost", "C6", "=" + "+".join(["C5*C4"] * 21))),
    (8, "warning", "Cost!C6", put("Cost", "C6", "=(1+(1+(1+(1+(C4+C5)))))")),
    (8, "warning", "Cost!C6", put("Cost", "C6", f"=SUM({','.join(f'C5*{n}+C4' for n in range(20))})")),
    (9, "warning", "Cost!C6", put("Cost", "C6", "=SUM(IF(C5>0,C4,0),IF(C4>0,2,C5))")),
    (9, "warning", "Cost!C6", put("Cost", "C6", "=IF(C5>0,IF(C4>0,1,2),0)")),
    (10, "error", "Cost!C6", put("Cost", "C6", "=_xlfn.XLOOKUP(C5,C4:C5,C4:C5)")),
    (11, "error", "Cost!C6", put("Cost", "C6", "=OFFSET(C5,0,0)")),
    (12, "error", "Cost!C6", put("Cost", "C6", "=NPV(C4,C5)")),
    (13, "warning", "Cost!C6", put("Cost", "C6", "=CHOOSE(C4,1,2,1,2,1,2)")),
    (14, "error", "Cost!C4", put("Cost", "C4", "=C5")),
    (14, "error", "", lambda book: setattr(book.calculation, "iterate", True)),
    (15, "error", "Cost!C6", put("Cost", "C6", "=[1]Sheet1!A1")),
    (16, "note", "Cost!C7", put("Cost", "C7", "=C4*'Inputs'!E5")),
    (17, "error", "Cost!C6", put("Cost", "C6", "=C5/100", "input")),
    (17, "error", "Cost!C9", put("Cost", "C9", 7)),
    (17, "warning", "Cost!C4", put("Cost", "C4", "='Inputs'!E4", "calc")),
    (18, "warning", "Cost!A9", unstyled),
    (19, "error", "Cost!A6", put("Cost", "A6", None)),
    (19, "note", "Cost!B6", put("Cost", "B6", None)),
    (20, "error", "Cost!C8", put("Cost", "B6", "kW")),
    (21, "warning", "Inputs!C5", at("Inputs", lambda sheet: setattr(sheet["C5"], "number_format", "0%"))),
    (23, "warning", "Cost!A7", put("Cost", "A7", "Spares", "label")),
    (24, "error", "Cost!C8", put("Cost", "C8", "=C5+C6+C7")),
    (24, "error", "Cost!C8", put("Cost", "C8", "=SUM(C5:C6,C6:C7)")),
    (24, "error", "Cost!C8", put("Cost", "C8", "=SUM(C5:C6)")),
    (24, "error", "Cost!C8", put("Cost", "C7", "=SUM(C5:C6)")),
    (25, "warning", "Cost!E13", at("Cost", cross)),
    (26, "error", "", without_name),
    (26, "warning", "Checks", at("Checks", uncoloured)),
    (27, "warning", "Checks", at("Checks", reworded)),
    (29, "error", "Cost!C5", put("Cost", "C5", "=C4*'Inputs'!C5")),
    (29, "error", "Cover!B2", named("case_selector", "'Cover'!$B$2")),
    (30, "warning", "Inputs!C6", put("Inputs", "C6", 3, "input")),
    (30, "note", "Cost!C9", put("Cost", "C9", "=C5/2")),
    (31, "warning", "Inputs!C4", at("Cost", without_cards)),
    (32, "warning", "Inputs!G5", put("Inputs", "G5", None)),
    (32, "error", "Inputs", at("Inputs", reworded)),
    (33, "error", "Cover", lambda book: sheet_of(book, "Power", [["Power"]])),
    (33, "warning", "Cover", put("Cover", "A4", "x", "label")),
    (33, "warning", "Cover", put("Cover", "C3", "x", "label")),
    (34, "warning", "Changes!A2", put("Changes", "A2", "2", "label")),
    (34, "warning", "", lambda book: setattr(book.properties, "version", None)),
    (34, "warning", "", lambda book: book.remove(book["Changes"])),
    (34, "warning", "Changes!A2", described(version="2")),
    (34, "warning", "Changes!A2", described(plan_sha256="5f0e")),
    (35, "error", "Changes", at("Changes", lambda sheet: setattr(sheet, "sheet_state", "hidden"))),
    (35, "error", "Cost!A6", at("Cost", lambda sheet: setattr(sheet.row_dimensions[6], "hidden", True))),
    (35, "error", "Cost!D1", at("Cost", lambda sheet: sheet.column_dimensions.group("D", "D"))),
    (35, "error", "Cost!A5", at("Cost", white)),
    (36, "error", "Cost!A1", at("Cost", lambda sheet: sheet.merge_cells("A1:D1"))),
    (37, "error", "Inputs!C5", at("Inputs", lambda sheet: setattr(sheet["C5"], "number_format", "General"))),
    (39, "error", "Inputs!C5", put("Inputs", "C5", "5", "input")),
    (39, "error", "Cost!C6", put("Cost", "C6", "=C5*C30")),
    (40, "error", "Cost!C6", put("Cost", "C6", "=ROUND(C5,0)")),
    (40, "error", "Cost!C6", put("Cost", "C6", "=ROUNDUP(C5,0)")),
    (41, "error", "", named("h100", "'Inputs'!$C$4")),
    (41, "error", "", named("lost", "#REF!")),
    (41, "error", "Cost!C6", put("Cost", "C6", "=nowhere*C5")),
    (42, "error", "Inputs!C6", put("Inputs", "C6", 3, "input")),
    (43, "error", "Cost", at("Cost", lambda sheet: setattr(sheet.protection, "sheet", False))),
    (43, "error", "Cost!C6", at("Cost", lambda sheet: setattr(sheet["C6"], "protection", Protection(locked=False)))),
    (43, "error", "Inputs!C5", at("Inputs", lambda sheet: setattr(sheet["C5"], "protection", Protection(locked=True)))),
    (43, "warning", "Cost", at("Cost", lambda sheet: sheet.protection.set_password("secret"))),
    (44, "warning", "Cost", at("Cost", lambda sheet: setattr(sheet.page_setup, "orientation", "portrait"))),
    (45, "error", "Summary!A8", at("Summary", lambda sheet: draw(sheet, title=None))),
    (45, "error", "Summary!A8", at("Summary", lambda sheet: draw(sheet, axis=None))),
    (45, "warning", "Cost!A8", at("Cost", draw)),
]


FINE = [
    (2, put("Cost", "D5", "=C6*D4")),  # a balance brought forward from the column before
    (8, put("Cost", "C6", f"=SUM({','.join(f'IF(ISNUMBER(C{n}),1,0)' for n in (4, 5, 4, 5, 4, 5, 4, 5))})")),
    (8, put("Cost", "C6", "=C4*(C5-C4)+C5*(C4-C5)+C4*(C5-C4)+C5*(C4-C5)")),  # two cells to look up
    (8, put("Cost", "C6", "=IFERROR(IFERROR(IFERROR(IFERROR(IFERROR(C4/C5,0),0),0),0),0)")),
    (8, put("Cost", "C6", "=IF(AND((2*C4)-C5<=1E-9*MAX(ABS(2*C4),ABS(C5)),2*ROUNDUP((C4/2)*(1-1E-9),0)>C5),2,1)")),
    (9, put("Cost", "C6", "=IF(1-IF(ISNUMBER(C5),0,1)>0,C4,C5)")),  # the inner one is a flag
    (9, put("Cost", "C6", "=IF(ISBLANK(C4),IF(ISBLANK(C5),NA(),C5),C4)")),  # what was typed: a scenario, else base
]


@pytest.mark.parametrize(("rule", "change"), FINE, ids=[f"{one[0]}-{n}" for n, one in enumerate(FINE)])
def test_what_only_looks_like_a_defect_is_not_told(tmp_path, rule, change):
    book = good_book()
    change(book)
    assert [str(one) for one in findings(tmp_path, book) if one.rule == rule] == []


def test_inputs_without_a_source_are_told_once_for_a_sheet(tmp_path):
    book = good_book()
    for cell in ("G4", "G5"):
        book["Inputs"][cell].value = None
    found = [one for one in findings(tmp_path, book) if one.rule == 32]
    assert [(one.cell, one.what) for one in found] == [("G4", "no source is given for Cards, Price")]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_warned_of_a_handful_of_things(example, tmp_path):
    """Two constants of cited formulas (rule 7), and inputs that the plan wants and gives no source of (rule 32)."""
    paths = export(load(example).ledger().evaluate(), load(example).host, tmp_path, "plan", ["xlsx"])
    found = [one for one in lint(paths[0]) if one.severity == "warning"]
    assert {one.rule for one in found} <= {7, 32}
    assert len(found) <= 4  # noqa: PLR2004 - a handful


@pytest.mark.parametrize(
    ("rule", "severity", "where", "seed"), DEFECTS, ids=[f"{d[0]}-{n}" for n, d in enumerate(DEFECTS)]
)
def test_a_seeded_defect_is_found(tmp_path, rule, severity, where, seed):
    book = good_book()
    seed(book)
    found = findings(tmp_path, book)
    places = [(one.rule, one.severity, f"{one.sheet}!{one.cell}".strip("!")) for one in found]
    assert (rule, severity, where) in places, "\n".join(map(str, found))


def test_every_rule_can_fail():
    # 28 and 38 look at stored values, which openpyxl does not write; they have tests of their own
    assert set(RULES) - {rule for rule, *_ in DEFECTS} == {28, 38}


@pytest.mark.parametrize("value", ["#DIV/0!", "#REF!", "#NAME?", "#VALUE!"])
def test_an_error_value_is_found(tmp_path, value):
    book = good_book()
    book["Cost"]["C6"] = value
    book["Cost"]["C6"].data_type = "e"
    assert f"shows {value}" in [one.what for one in findings(tmp_path, book) if one.rule == 28]


def test_formulas_without_values_are_told_once_a_sheet(tmp_path):
    told = [one.sheet for one in findings(tmp_path, good_book()) if one.rule == 28]
    assert told == ["Cover", "Summary", "Inputs", "Cost", "Checks"]


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.stem)
def example(request, tmp_path_factory):
    results = load(request.param).ledger().evaluate()
    [path] = export(results, results.plan.host, tmp_path_factory.mktemp("out"), request.param.stem, ["xlsx"])
    return path


def test_no_example_breaks_a_rule_at_error_level(example):
    assert [str(one) for one in lint(example) if one.severity == "error"] == []


def test_the_cover_and_the_log_of_an_example_say_all_that_they_should(example):
    assert [str(one) for one in lint(example) if one.rule in {33, 34}] == []


@pytest.mark.parametrize("data", [b"no zip at all", b""])
def test_what_is_no_workbook_is_refused(tmp_path, data):
    path = tmp_path / "book.xlsx"
    path.write_bytes(data)
    with pytest.raises(CapframeError, match=r"book\.xlsx is no Excel workbook"):
        lint(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(CapframeError, match=r"cannot be read: No such file"):
        lint(tmp_path / "nowhere.xlsx")
