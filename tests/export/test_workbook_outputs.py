"""What readers of a workbook see: the cover, the chart data of the Summary, the totals of the Cash flow, units."""

from __future__ import annotations

import math
import re

import pytest
from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

from capframe import VERDICTS, Host, load, say
from capframe.lint import lint
from capframe.recalculate import by_formualizer, stored
from capframe.trace import trace
from capframe_plugins.workbook.build import write


@pytest.fixture(scope="module", params=["template-70b-7d.yaml", "domestic-160k.yaml"])
def built(request, root, tmp_path_factory):
    """The results of an example, and the workbook of it."""
    path = tmp_path_factory.mktemp("outputs") / "plan.xlsx"
    results = load(root / "examples" / request.param, host=Host()).ledger().evaluate()
    write(results, path)
    return results, path


def rows(sheet):
    """Return rows by what stands in their first column."""
    return {sheet.cell(row, 1).value: row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 1).value}


def test_the_cover_says_how_many_warnings_fail_and_how_many_checks_lack_a_figure(built):
    results, path = built
    statuses = [one for scenario in results.columns for one in results.statuses(scenario)]
    warned = [one for one in statuses if one.result == "fail" and one.check.severity == "warning"]
    unknown = [one for one in statuses if one.result == "n/a" and not one.check.is_bound]  # as `capframe check` counts
    assert warned
    assert unknown
    for cells in (by_formualizer(path), stored(path)):
        cover = cells.get("Cover") or cells["封面"]
        assert (cover["B5"], cover["B6"]) == (len(warned), len(unknown))


def test_a_stack_of_which_a_part_is_not_known_has_no_bar(root, tmp_path):
    """The domestic cards have no price: no depreciation, and so no energy in the chart of cost per year either."""
    plan, path = tmp_path / "plan.yaml", tmp_path / "plan.xlsx"
    template = (root / "examples" / "template-70b-7d.yaml").read_text(encoding="utf-8")
    plan.write_text(f"{template}    pools.main.power.card_power: 400 W/card\n", encoding="utf-8")
    results = load(plan, host=Host()).ledger().evaluate()
    write(results, path)
    shown = load_workbook(path, data_only=True)["Summary"]
    row = rows(shown)["In the chart: Cost per year (no bar where a part is n/a)"]
    values = [[shown.cell(row + part, column).value for part in (1, 2)] for column in (3, 4)]
    assert values[0] == pytest.approx([results.value("cost.depreciation"), results.value("cost.energy")])
    assert results.value("cost.energy", "domestic") > 0
    assert values[1] == ["n/a", "n/a"]
    assert by_formualizer(path)["Summary"][f"D{row + 2}"] == "n/a"
    series = [one for chart in load_workbook(path)["Summary"]._charts for one in chart.series]  # noqa: SLF001
    assert [one.val.numRef.f for one in series[-2:]] == [
        f"'Summary'!$C${row + part}:$D${row + part}" for part in (1, 2)
    ]


def test_a_stock_has_no_total_in_the_cash_flow(root, tmp_path):
    """A book value summed over time means nothing: blank, as on the Timeline, and not 0."""
    path = tmp_path / "plan.xlsx"
    write(load(root / "examples" / "domestic-160k.yaml", host=Host()).ledger().evaluate(), path)
    sheet = load_workbook(path, data_only=True)["现金流"]
    totals = {sheet.cell(row, sheet.max_column).value: sheet.cell(row, 3).value for row in range(5, sheet.max_row + 1)}
    assert totals["cash.book_value"] is None
    assert all(total is not None for key, total in totals.items() if key != "cash.book_value")


def test_units_on_chinese_sheets_are_chinese_words(root, tmp_path):
    path = tmp_path / "plan.xlsx"
    write(load(root / "examples" / "domestic-160k.yaml", host=Host()).ledger().evaluate(), path)
    for sheet in load_workbook(path):
        heads = [cell for row in sheet.iter_rows(max_row=4) for cell in row if cell.value == "单位"]
        units = {sheet.cell(row, one.column).value for one in heads for row in range(5, sheet.max_row + 1)}
        words = {part for unit in units if unit for part in re.split("[·/]", str(unit))}
        assert not words & {"card", "server", "switch", "module", "nic", "d", "h", "y", "min", "rack", "B", "CNY"}


def test_the_bill_ends_with_what_is_to_be_paid(built):
    """The sum of what is priced, then the contingency and the purchases with it, in each scenario."""
    results, path = built
    sheet = next(
        sheet for sheet in load_workbook(path, data_only=True) if sheet.title in {"Bill of materials", "设备清单"}
    )
    said = [sheet.cell(4, column).value for column in (7, 8)]
    assert said in (["Unit price, CNY", "Sum, CNY"], ["单价(元)", "小计(元)"])
    labels = {
        key: say(results.ledger.lines[key].label, results.plan.header.language)
        for key in ("cost.contingency_sum", "cost.capex")
    }
    for key, label in labels.items():
        sums = [sheet.cell(row, 8).value for row in range(5, sheet.max_row + 1) if sheet.cell(row, 2).value == label]
        known = [results.value(key, scenario) for scenario in results.columns]
        assert sums == [pytest.approx(value) if math.isfinite(value) else "n/a" for value in known]


@pytest.fixture(scope="module")
def mozi(root, tmp_path_factory):
    """The results of an example whose servers have optical links, and no copper cables; and its workbook."""
    path = tmp_path_factory.mktemp("mozi") / "plan.xlsx"
    results = load(root / "examples" / "mozi-70b.yaml", host=Host()).ledger().evaluate()
    write(results, path)
    return results, path


def labels_of(path):
    """Return the rows of the bill by what is bought, or summed, in them."""
    sheet = load_workbook(path, data_only=True)["Bill of materials"]
    return {sheet.cell(row, 2).value: row for row in range(5, sheet.max_row + 1)}


def test_an_item_of_which_none_is_bought_is_not_to_be_quoted(mozi):
    results, path = mozi
    cables = next(line.key for line in results.ledger.items if line.label["en"] == "Copper cables of servers")
    assert results.value(cables) == 0
    fresh = next(one for one in results.statuses() if one.check.key == f"{cables}.price_is_fresh")
    assert fresh.result == "pass"
    labels = labels_of(path)
    for cells in (by_formualizer(path), stored(path)):
        bill = cells["Bill of materials"]
        row = labels["Copper cables of servers (main)"]
        # count, price, sum, and who says so
        assert (bill[f"E{row}"], bill[f"G{row}"], bill[f"H{row}"], bill[f"I{row}"]) == (0, "–", "–", "none is bought")
        switches = labels["Switches (main)"]
        assert (bill[f"G{switches}"], bill[f"I{switches}"]) == ("n/a", "to be quoted")


def test_the_bill_sums_power_room_and_money_by_role_as_the_ledger_does(mozi):
    results, path = mozi
    bill = by_formualizer(path)["Bill of materials"]
    labels = labels_of(path)
    it, spares = labels["All IT equipment, as far as known"], labels["All spares on the shelf, as far as known"]
    assert bill[f"H{it}"] == 75_000_000  # 1,000 cards × 75,000
    assert bill[f"H{spares}"] == 150_000  # 2 × 75,000
    # the rows of IT equipment: what a reader adds up
    # 1,000 × 400 W, 1,500 × 16 W, 48 × 747 W, 1 × 2,000 W
    assert bill[f"J{it}"] == pytest.approx(400 + 24 + 35.856 + 2)
    assert bill[f"J{labels['IT load, peak']}"] == pytest.approx(results.value("power.it"))


def test_what_is_not_given_is_grey_and_the_subtitle_says_so(mozi):
    book = load_workbook(mozi[1])
    inputs = book["Inputs"]
    assert "grey #N/A: not given" in inputs["A2"].value
    [cells] = [one.sqref for one in inputs.conditional_formatting if "ISERROR(D5)" in one.rules[0].formula]
    rows_of = rows(inputs)
    assert f"D{rows_of['Budget for purchases without VAT']}" in cells
    assert book["Inputs"].cell(rows_of["Precision of the matrix work"], 8).value == "chosen"


WITH_AN_OFFER = """capframe: 1
title: T
date: 2026-11-29
catalogs: [our-offers.yaml]
workloads: {w: {pool: a, model: {parameters: 7B}, tokens: 1T, mfu: 40%}}
pools:
  a: {accelerator: nvidia/a100-sxm4-80gb, count: 64}
  b: {accelerator: nvidia/h100-sxm5-80gb, count: 64}
rates: {USD: 7.1 CNY/USD}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, source: Quotation 4, date: 2026-11-20}
scenarios:
  other: {pools.b.accelerator: nvidia/h200-sxm5-141gb}
  none: {prices.nvidia/a100-sxm4-80gb: auto}
"""
OFFER = """catalog: 1
kind: offer
as_of: 2026-11-20
sources: {q: {title: Quotation 17}}
records:
  - id: offer/o1
    origin: {source: q, confidence: estimate}
    facts: {sort: purchase, part: nvidia/h100-sxm5-80gb, vat: excluded, per: card, price: {CNY: 180000 CNY}}
"""


def test_the_bill_says_whose_price_counts(tmp_path):
    """The plan's, the offer with its name and date, the catalogue's; what has none is to be quoted."""
    (tmp_path / "plan.yaml").write_text(WITH_AN_OFFER, encoding="utf-8")
    (tmp_path / "our-offers.yaml").write_text(OFFER, encoding="utf-8")
    write(load(tmp_path / "plan.yaml", host=Host()).ledger().evaluate(), tmp_path / "plan.xlsx")
    sheet = load_workbook(tmp_path / "plan.xlsx", data_only=True)["Bill of materials"]
    assert sheet["I4"].value == "Price from"
    said: dict[str, list[str]] = {}  # by part, block for block: base, other, none
    for row in range(5, sheet.max_row):
        said.setdefault(sheet[f"C{row}"].value, []).append(sheet[f"I{row}"].value)
    ours, listed = "the plan; see its row on Inputs", said["nvidia/h200-sxm5-141gb"][0]
    cards_and_spares = said["nvidia/a100-sxm4-80gb"]
    assert cards_and_spares[:4] == [ours] * 4
    assert ours not in cards_and_spares[4:]  # taken back
    assert set(said["nvidia/h100-sxm5-80gb"]) == {"Quotation 17, 2026-11-20; offer/o1; vat excluded"}
    assert "H200" in listed
    assert set(said["nvidia/qm9700"]) == {"to be quoted"}


def test_prices_of_parts_that_may_be_picked_come_after_all_other_inputs(built):
    results, path = built
    sheet = next(sheet for sheet in load_workbook(path) if sheet.title in {"Inputs", "输入"})
    column = next(cell.column for cell in sheet[4] if cell.value in {"Key", "键"})
    keys = [sheet.cell(row, column).value for row in range(5, sheet.max_row + 1) if sheet.cell(row, column).value]
    grouped = [bool(results.plan.inputs[key].group) for key in keys]
    assert grouped == sorted(grouped)
    assert not any(sheet.row_dimensions[row].hidden for row in range(1, sheet.max_row + 1))


def test_rows_of_a_sheet_have_labels_of_their_own(built):
    """A fact is called after the pick that it belongs to, what an item draws after the item."""
    _, path = built
    assert [str(one) for one in lint(path) if one.rule == 23] == []


def test_whole_amounts_of_things_are_shown_without_decimals(built):
    """A number format cannot depend on the fraction: the cells have one for fractions, and another on a condition."""
    _, path = built
    for sheet in load_workbook(path).worksheets:
        things = {cell.coordinate for row in sheet.iter_rows() for cell in row if str(cell.style).endswith(" things")}
        covered = [
            cells.coord
            for condition in sheet.conditional_formatting
            if any(rule.dxf.numFmt and rule.dxf.numFmt.formatCode.startswith("#,##0;") for rule in condition.rules)
            for cells in condition.sqref.ranges
        ]
        corners = [range_boundaries(cells) for cells in covered]
        assert things == {
            sheet.cell(row, column).coordinate
            for left, top, right, bottom in corners
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        }, sheet.title


def test_a_check_without_a_verdict_is_called_alike_everywhere(built):
    results, path = built
    word = say(VERDICTS["n/a"], results.plan.header.language)
    sheet = load_workbook(path, data_only=True).worksheets
    checks = next(one for one in sheet if one.title in {"Checks", "检查"})
    said = {checks.cell(row, 4).value for row in range(6, checks.max_row + 1)} - {None}
    assert said <= {say(one, results.plan.header.language) for one in VERDICTS.values()}
    assert word in said
    unknown = next(one.check for one in results.statuses() if one.result == "n/a")
    assert trace(results, unknown.key).figure == word


def test_each_kind_of_part_has_a_sheet_whose_columns_all_tell_something(built):
    """One sheet for each kind that is picked: its own titles are repeated in print, and no fact is unknown of all."""
    results, path = built
    book = load_workbook(path, data_only=True)
    kinds = {results.plan.inputs[key].field.kind for key in results.plan.inputs if key.endswith((".switch", ".server"))}
    assert kinds == {"switch", "server"}
    sheets = [sheet for sheet in book.worksheets if sheet.title.startswith(("Catalog - ", "产品目录 - "))]
    called = {sheet.title.partition(" - ")[2] for sheet in sheets}
    assert {say(results.plan.catalog.kinds[kind].label, results.plan.header.language) for kind in kinds} < called
    for sheet in sheets:
        assert sheet.print_title_rows == "$4:$4"
        for column in sheet.iter_cols(min_col=4, min_row=7, values_only=True):
            assert {*column} != {"#N/A"}, (sheet.title, column)


def test_prices_of_every_part_are_typed_on_the_screen_and_not_printed(built):
    """Each part of a drop-down can be priced; the bill prints the prices that count, with all else that is bought."""
    results, path = built
    sheet = next(one for one in load_workbook(path).worksheets if one.title in {"Inputs", "输入"})
    last = int(sheet.print_area.rpartition("$")[2])
    [keys] = [column for column in sheet.iter_cols(values_only=True) if "prices.nvidia/h100-sxm5-80gb" in column]
    inputs = results.plan.inputs
    printed = {key for key in keys[:last] if key in inputs}
    assert printed == {key for key, one in inputs.items() if one.group in {"", "rates"} and not one.by_period}
    assert {*inputs} - {*keys} == {key for key, one in inputs.items() if one.by_period}
