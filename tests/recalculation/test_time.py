"""Money over time: figures worked out by hand, every cell recalculated, the view of each scenario, edits by period."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from capframe import load
from capframe.recalculate import Formualizer, by_formualizer, by_libreoffice, differences, find_soffice, stored
from capframe.testing import evaluate, plan_with
from capframe_plugins.brief.contents import contents
from capframe_plugins.data import data
from capframe_plugins.workbook.build import pages_of, values_of, write
from capframe_plugins.workbook.layout import Layout

TEMPLATE = Path(__file__).parents[2] / "examples" / "template-70b-7d.yaml"
LATER = "[25%, 25%, 25%, 25%, 0%, 0%, 0%, 0%, 0%, 0%, 0%, 0%]"
TIME = f"""
  in_quarters: {{cash.delivered: {LATER}}}
  dearer: {{cost.tariff: 0.9 CNY/kWh, cash.discount_rate: 10%, cost.service_life: 1.3 y}}
timeline: {{start: 2027-01, period: quarter, periods: 12}}
cash: {{delivered: [50%, 50%, 0%, 0%, 0%, 0%, 0%, 0%, 0%, 0%, 0%, 0%]}}
"""
SCENARIOS = ("base", "domestic", "in_quarters", "dearer")
# sheets and titles of the workbook: in English, in Chinese
WORDS = {"en": ("Inputs by period", "Cash flow", "base"), "zh-CN": ("分期输入", "现金流", "基准")}

needs_libreoffice = pytest.mark.skipif(
    find_soffice() is None and not os.environ.get("CI"), reason="LibreOffice (soffice) is not installed"
)


# ---------------------------------------------------------------- figures by hand

SMALL = """
timeline: {start: 2027-01, period: quarter, periods: 6}
pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 8}}
cost: {service_life: 1 y, residual: 10%}
cash: {delivered: [50%, 50%, 0%, 0%, 0%, 0%], discount_rate: 46.41%}
"""
# what is bought costs 1,000,000 and uses electricity for 40,000 a year when all of it runs
PINS = {"cost.capex": 1e6, "cost.energy": 40_000.0}
BY_HAND = {
    "cash.purchases": [500_000, 500_000, 0, 0, 0, 0],
    "cash.in_service": [0.5, 1, 1, 1, 1, 1],
    # 90 % of 1,000,000 over 1 y: 225,000 a quarter when all is in service, half of it in the first. In the fifth only
    # 212,500 - 100,000 is left above the residual value; after that nothing: 112.5 + 3 × 225 + 112.5 = 900 thousand
    "cash.depreciation": [112_500, 225_000, 225_000, 225_000, 112_500, 0],
    # 500 - 112.5; 387.5 + 500 - 225; - 225; - 225; - 112.5 thousand
    "cash.book_value": [387_500, 662_500, 437_500, 212_500, 100_000, 100_000],
    # 40,000 a year: 10,000 a quarter, half of it while half is in service
    "cash.energy": [5_000, 10_000, 10_000, 10_000, 10_000, 10_000],
    "cash.paid": [505_000, 510_000, 10_000, 10_000, 10_000, 10_000],
    # 46.41 % a year is 10 % a quarter: 1.1⁴ = 1.4641
    "cash.discount_factor": [1 / 1.1, 1 / 1.21, 1 / 1.331, 1 / 1.4641, 1 / 1.61051, 1 / 1.771561],
}


@pytest.mark.parametrize("key", BY_HAND)
def test_figures_by_hand(key):
    assert evaluate(plan_with(SMALL), PINS).series(key) == pytest.approx(BY_HAND[key], rel=1e-12, abs=1e-6)


def test_sums_by_hand():
    results = evaluate(plan_with(SMALL), PINS)
    # 505 + 510 + 4 × 10 thousand
    assert results.value("cash.total") == pytest.approx(1_055_000, rel=1e-12)
    # 459,090.91 + 421,487.60 + 7,513.15 + 6,830.13 + 6,209.21 + 5,644.74
    assert results.value("cash.net_present_cost") == pytest.approx(906_775.75, abs=0.005)
    # a purchase is paid once; its depreciation is no payment
    assert sum(results.series("cash.purchases")) == 1e6
    assert results.value("cash.all_delivered") == 1


BY_YEAR = {
    "cash.purchases": [1_000_000, 0],
    "cash.energy": [35_000, 20_000],  # 5 + 3 × 10; 2 × 10 thousand
    "cash.paid": [1_035_000, 20_000],  # 505 + 510 + 2 × 10; 2 × 10 thousand
    "cash.depreciation": [787_500, 112_500],  # 112.5 + 3 × 225; 112.5 + 0 thousand
    "cash.book_value": [212_500, 100_000],  # at the end of the fourth quarter and of the sixth
}


@pytest.mark.parametrize("key", BY_YEAR)
def test_years_by_hand(key):
    results = evaluate(plan_with(SMALL), PINS)
    found = [results.value(f"{key}.year_{year}") for year in (2027, 2028)]
    assert found == pytest.approx(BY_YEAR[key], rel=1e-12, abs=1e-6)
    assert f"{key}.year_2029" not in results.ledger.lines


def test_where_a_period_is_a_year_there_are_no_sums_by_year():
    yearly = plan_with(SMALL.replace("quarter", "year"))
    assert not [key for key in yearly.ledger().lines if ".year_" in key]


def test_where_nothing_is_said_all_arrives_in_the_first_period():
    plan = plan_with(SMALL, overrides=["cash.delivered="])
    assert evaluate(plan, PINS).series("cash.purchases") == [1e6, 0, 0, 0, 0, 0]
    assert evaluate(plan, PINS).series("cash.energy") == [10_000] * 6


@pytest.mark.parametrize(("period", "count"), [("month", 12), ("quarter", 4), ("year", 1)])
def test_a_year_costs_the_same_in_months_quarters_and_at_once(period, count):
    text = f"timeline: {{start: 2027-01, period: {period}, periods: {count}}}\n"
    text += "pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 8}}\ncost: {service_life: 5 y, residual: 5%}\n"
    results = evaluate(plan_with(text), PINS)
    assert results.value("cash.total") == pytest.approx(1_040_000, rel=1e-12)
    assert sum(results.series("cash.depreciation")) == pytest.approx(190_000, rel=1e-12)  # 950,000 ÷ 5
    assert results.series("cash.discount_factor")[-1] == pytest.approx(1 / 1.08, rel=1e-12)  # 8 % where nothing is said


# 1,000,000 is bought in two halves, 5 y are its life, 5 % are left: each half loses 95,000 a year for five years
STAGGERED = """
timeline: {start: 2027-01, period: year, periods: 8}
pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 8}}
cost: {service_life: 5 y, residual: 5%}
cash: {delivered: [50%, 0%, 50%, 0%, 0%, 0%, 0%, 0%]}
"""
LIVES = {
    "five years": ([], [95, 95, 190, 190, 190, 95, 95, 0], 25 + 25),
    # 500,000 over two years, twice
    "the first half is written off when the second comes": (
        ["cost.service_life=2 y", "cost.residual=0"], [250, 250, 250, 250, 0, 0, 0, 0], 0,
    ),
    # 475,000 ÷ 2.5 y = 190,000, half a year of it in the third: 95,000 + 190,000 of the second half
    "two and a half years": (["cost.service_life=2.5 y"], [190, 190, 95 + 190, 190, 95, 0, 0, 0], 25 + 25),
    # one period: all of it in the period of delivery
    "one year": (["cost.service_life=1 y"], [475, 0, 475, 0, 0, 0, 0, 0], 25 + 25),
    # longer than the timeline: 475,000 ÷ 20 y, of both halves from 2029 on; the second half is there for 6 years
    "twenty years": (
        ["cost.service_life=20 y"], [23.75, 23.75, *[47.5] * 6], 1000 - 23.75 * (8 + 6),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("overrides", "thousands", "left"), LIVES.values(), ids=LIVES)
def test_each_delivery_is_written_off_over_its_own_life(overrides, thousands, left):
    results = evaluate(plan_with(STAGGERED, overrides=overrides), PINS)
    assert results.series("cash.depreciation") == pytest.approx([1000 * one for one in thousands], rel=1e-12, abs=1e-6)
    assert results.series("cash.book_value")[-1] == pytest.approx(1000 * left, rel=1e-12, abs=1e-6)
    # at the end of 2032 one half is at its residual value and the other has a year to go: 25 + 25 + 95 thousand
    if not overrides:
        assert results.series("cash.book_value")[5] == pytest.approx(145_000, rel=1e-12)


def test_a_life_that_ends_within_a_quarter():
    life = ["cost.service_life=1.1 y", "cost.residual=0"]
    results = evaluate(plan_with(SMALL, overrides=life), PINS)
    # 1,000,000 ÷ 4.4 quarters; half of it in the first, and of the half of the second quarter 0.4 are left in the sixth
    rate = 1_000_000 / 4.4
    assert results.series("cash.depreciation") == pytest.approx(
        [0.5 * rate, rate, rate, rate, (0.5 * 0.4 + 0.5) * rate, 0.5 * 0.4 * rate], rel=1e-12
    )
    assert results.series("cash.book_value")[-1] == pytest.approx(0, abs=1e-6)


@given(
    st.sampled_from([("year", 1), ("quarter", 4), ("month", 12)]),
    st.integers(12, 240).map(lambda months: months / 12) | st.floats(1, 20),
    st.floats(0, 0.9),
    st.lists(st.integers(0, 10), min_size=1, max_size=6).filter(sum),
)
@settings(max_examples=12)
def test_over_its_whole_life_all_is_written_off_but_the_residual(period, life, residual, parts):
    name, in_a_year = period
    periods = len(parts) + math.ceil(life * in_a_year)
    shares = [f"{part / sum(parts)!r}" for part in parts] + ["0"] * (periods - len(parts))
    text = f"timeline: {{start: 2027-01, period: {name}, periods: {periods}}}\n"
    text += "pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 8}}\n"
    text += f"cost: {{service_life: {life!r} y, residual: {residual!r}}}\ncash: {{delivered: [{', '.join(shares)}]}}\n"
    results = evaluate(plan_with(text), PINS)
    assert sum(results.series("cash.depreciation")) == pytest.approx(1e6 * (1 - residual), rel=1e-9, abs=1e-3)
    assert results.series("cash.book_value")[-1] == pytest.approx(1e6 * residual, rel=1e-9, abs=1e-3)
    assert min(results.series("cash.book_value")) >= -1e-3


@pytest.mark.parametrize(
    ("shares", "result"), [("[50%, 50%, 0%, 0%, 0%, 0%]", "pass"), ("[50%, 40%, 0%, 0%, 0%, 0%]", "fail")]
)
def test_all_has_to_arrive(shares, result):
    results = evaluate(plan_with(SMALL, overrides=[f"cash.delivered={shares}"]), PINS)
    [status] = [one for one in results.statuses("base") if one.check.key == "cash.everything_arrives"]
    assert status.result == result
    assert status.message == ("" if result == "pass" else "the shares delivered come to 90.0%, not to 100%")


# ---------------------------------------------------------------- the workbook


def results_of(path, language, *overrides):
    plan = load(path, overrides=overrides)
    return evolve(plan, header=evolve(plan.header, language=language)).ledger().evaluate()


def cells_of(results):
    """The values that a build writes beside its formulas, without the file."""
    return {page.title: values_of(page) for page in pages_of(Layout(results))}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("time") / "plan.yaml"
    path.write_text(TEMPLATE.read_text(encoding="utf-8").rstrip("\n") + TIME, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def built(path):
    files = {language: path.with_name(f"{language}.xlsx") for language in WORDS}
    for language, file in files.items():
        write(results_of(path, language), file)
    return files


@pytest.mark.parametrize("language", WORDS)
def test_formualizer_finds_every_cell(built, language):
    values = stored(built[language])
    assert len(values[WORDS[language][1]]) > 50
    assert differences(values, by_formualizer(built[language]), names=("stored", "formualizer")) == []


def selector(file, language):
    """Where the scenario of the Cash flow is chosen, and what may be chosen, as a person finds them."""
    sheet = load_workbook(file)[WORDS[language][1]]
    [rule] = sheet.data_validations.dataValidation
    return (sheet.title, str(rule.sqref)), rule.formula1.strip('"').split(",")


def rows_of(file, language):
    sheet = load_workbook(file)[WORDS[language][1]]
    key_column = next(cell.column for cell in sheet[4] if cell.value in {"Key", "键"})
    rows = {sheet.cell(row, key_column).value: row for row in range(5, sheet.max_row + 1)}
    return rows, [sheet.cell(4, column).column_letter for column in range(4, key_column)]


@pytest.mark.parametrize("language", WORDS)
def test_each_position_of_the_selector_shows_that_scenario(built, path, language):
    results, judge = results_of(path, language), Formualizer(built[language])
    place, choices = selector(built[language], language)
    assert choices == [WORDS[language][2], *SCENARIOS[1:]]
    rows, periods = rows_of(built[language], language)
    assert {"cash.purchases", "cash.depreciation", "cash.book_value", "cash.energy", "cash.paid"} <= set(rows)
    seen = set()
    for choice, scenario in zip(choices, SCENARIOS, strict=True):
        with judge.edited({place: choice}) as cells:
            shown = cells[place[0]]
            for key, row in rows.items():
                for column, value in zip(periods, results.series(key, scenario), strict=True):
                    wanted = "n/a" if math.isnan(value) else pytest.approx(value, rel=1e-9, abs=1e-9)
                    assert shown[f"{column}{row}"] == wanted, f"{key} of {scenario} in {column}"
            seen.add(tuple(shown[f"{column}{rows['cash.paid']}"] for column in periods))
            others = {title: one for title, one in cells.items() if title != place[0]}
            kept = {title: one for title, one in stored(built[language]).items() if title != place[0]}
            assert differences(kept, others) == []  # the selector is a view: no other figure moves
    assert len(seen) == len(SCENARIOS)


PAID = {"en": "Paid, 2028", "zh-CN": "2028 年支出"}
CASH = {"en": "Cash", "zh-CN": "资金"}


@pytest.mark.parametrize("language", WORDS)
def test_what_is_paid_in_a_year_is_found_and_is_the_sum_of_its_quarters(built, path, language):
    """Each scenario's column sums the row of its own block, over the columns of that year."""
    results = results_of(path, language)
    book, values = load_workbook(built[language]), stored(built[language])
    cash, timeline = book[CASH[language]], book[{"en": "Timeline", "zh-CN": "时间线"}[language]]
    [row] = [cell.row for cell in cash["A"] if cell.value == PAID[language]]
    heads = [cell.column_letter for cell in timeline[4] if str(cell.value).startswith("2028Q")]
    assert len(heads) == 4
    for column, scenario in zip("CDEF", SCENARIOS, strict=True):
        value, quarters = values[cash.title][f"{column}{row}"], results.series("cash.paid", scenario)[4:8]
        if scenario == "domestic":
            assert value == "#N/A"
            continue
        assert value == pytest.approx(sum(quarters), rel=1e-12)
        found = re.fullmatch(rf"=SUM\('{timeline.title}'!\$(\w)\$(\d+):\$(\w)\$(\d+)\)", cash[f"{column}{row}"].value)
        assert found.groups() == (heads[0], found[2], heads[-1], found[2])
        assert [values[timeline.title][f"{head}{found[2]}"] for head in heads] == quarters


@pytest.mark.parametrize("language", WORDS)
def test_the_brief_shows_the_years_of_the_workbook(built, path, language):
    """With so many quarters the years stand in one table, the quarters in another."""
    results, values = results_of(path, language), stored(built[language])[CASH[language]]
    keys = {cell.value: cell.row for cell in load_workbook(built[language])[CASH[language]]["J"]}
    years, quarters = contents(results)["over_time"]
    rows = {row[0]: row[1:] for row in years.table.rows}
    assert list(rows) == ["2027", "2028", "2029"]
    assert quarters.table.rows[-1][0] == "2029Q4"
    for year in ("2027", "2028", "2029"):
        cells = [
            values[f"C{keys[f'{key}.year_{year}']}"] for key in ("cash.paid", "cash.depreciation", "cash.book_value")
        ]
        assert [float(shown.replace(",", "")) for shown in rows[year]] == pytest.approx(cells, abs=0.005)


@pytest.mark.parametrize("language", WORDS)
def test_the_length_of_a_period_is_not_typed(built, language):
    """It is structure: one locked figure, which the other scenarios read, and nothing yellow in its row."""
    book = load_workbook(built[language])
    sheet = book[{"en": "Inputs", "zh-CN": "输入"}[language]]
    keys = next(cell.column for cell in sheet[4] if cell.value in {"Key", "键"})
    rows = [row for row in range(5, sheet.max_row + 1) if str(sheet.cell(row, keys).value).startswith("timeline.")]
    assert len(rows) == 2
    for row in rows:
        # a quarter has 3 of 12 months; base and the three scenarios are typed in C to F, and count in G to J
        assert [sheet[f"{column}{row}"].value for column in "CDEFGHIJ"] == [*[None] * 4, "=3/12", *[f"=$G{row}"] * 3]
        assert all(cell.protection.locked and not cell.style.startswith("input") for cell in sheet[row])
        assert stored(built[language])[sheet.title][f"J{row}"] == 0.25
    named = book.defined_names["timeline.length"].attr_text
    assert named == f"'{sheet.title}'!$G${rows[0]}"


# ---------------------------------------------------------------- edits by period


class ByPeriod:
    """The typed cells of the sheet of inputs by period, found by their titles, scenarios and keys."""

    def __init__(self, file, language):
        title, _, base = WORDS[language]
        sheet = load_workbook(file)[title]
        heads = {cell.value: cell for cell in sheet[4]}
        key = heads[next(name for name in ("Key", "键") if name in heads)].column
        scenario = heads[next(name for name in ("Scenario", "情景") if name in heads)].column
        self.title = title
        self.rows = {
            (sheet.cell(row, key).value, sheet.cell(row, scenario).value.replace(base, "base")): row
            for row in range(5, sheet.max_row + 1)
        }
        self.columns = [cell.column_letter for name, cell in heads.items() if str(name).startswith("202")]

    def edits(self, scenario, values):
        """Return what to type: a value by the number of its period; None clears a cell."""
        row = self.rows["cash.delivered", scenario]
        return {(self.title, f"{self.columns[period]}{row}"): value for period, value in values.items()}


REST = ", 0%" * 8
# what is typed into which scenario's row, and the same by --set
EDITS = {
    "one base cell": ("base", {1: 0.25, 2: 0.25}, [f"cash.delivered=[50%, 25%, 25%, 0%{REST}]"]),
    "a scenario that followed base": (
        "dearer", {0: 1.0, 1: 0.0}, [f"scenarios.dearer.cash.delivered=[100%, 0%, 0%, 0%{REST}]"],
    ),
    "a cell of a scenario that has its own": (
        "in_quarters", {0: 0.1, 3: 0.4}, [f"scenarios.in_quarters.cash.delivered=[10%, 25%, 25%, 40%{REST}]"],
    ),
    "one cell of a scenario is cleared: base counts there": (
        "in_quarters", {0: None}, [f"scenarios.in_quarters.cash.delivered=[50%, 25%, 25%, 25%{REST}]"],
    ),
    "all cells of a scenario are cleared": (
        "in_quarters", dict.fromkeys(range(12)), ["scenarios.in_quarters.cash.delivered="],
    ),
    "all cells of base are cleared": ("base", dict.fromkeys(range(12)), ["cash.delivered="]),
    "less than all arrives": ("base", {1: 0.4}, [f"cash.delivered=[50%, 40%, 0%, 0%{REST}]"]),
}  # fmt: skip


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize(("scenario", "typed", "overrides"), EDITS.values(), ids=EDITS)
def test_an_edited_workbook_equals_a_new_one(built, path, language, scenario, typed, overrides):
    edits = ByPeriod(built[language], language).edits(scenario, typed)
    assert len(edits) == len(typed)
    new = cells_of(results_of(path, language, *overrides))
    assert new != cells_of(results_of(path, language))  # the edit matters
    with Formualizer(built[language]).edited(edits) as edited:
        assert differences(new, edited, names=("built", "edited")) == []


@pytest.mark.parametrize("typed", ["half", 1.5, -0.1, True, "#N/A"])
def test_what_does_not_belong_in_a_yellow_cell_fails_a_check(built, typed):
    """Validation does not look at what is pasted; a text would be passed over by sums."""
    judge = Formualizer(built["en"])
    sheet = load_workbook(built["en"])["Checks"]
    [row] = [cell.row for column in sheet.columns for cell in column if cell.value == "inputs.given"]
    assert judge.cells()["Checks"][f"D{row}"] == "pass"
    with judge.edited(ByPeriod(built["en"], "en").edits("dearer", {2: typed})) as cells:
        assert cells["Checks"][f"D{row}"] == "fail"
        assert cells["Cover"]["B4"] == "ERROR"


@needs_libreoffice
def test_libreoffice_agrees_as_it_is_and_after_edits(built, path):
    jobs, wanted = [], []
    for language, name in (("en", "one base cell"), ("zh-CN", "one cell of a scenario is cleared: base counts there")):
        scenario, typed, overrides = EDITS[name]
        jobs += [(built[language], {}), (built[language], ByPeriod(built[language], language).edits(scenario, typed))]
        wanted += [stored(built[language]), cells_of(results_of(path, language, *overrides))]
    recalculated = by_libreoffice([file for file, _ in jobs], [edits for _, edits in jobs])
    for values, cells in zip(wanted, recalculated, strict=True):
        assert differences(values, cells, names=("built", "LibreOffice")) == []


# ---------------------------------------------------------------- JSON


def test_json_has_periods_and_lists(path):
    text = json.dumps(data(results_of(path, "en")), allow_nan=False)
    found = json.loads(text)
    quarters = [f"{year}Q{quarter}" for year in (2027, 2028, 2029) for quarter in (1, 2, 3, 4)]
    paid = found["lines"]["cash.paid"]
    assert paid["periods"] == quarters
    assert {scenario: len(values) for scenario, values in paid["values"].items()} == dict.fromkeys(SCENARIOS, 12)
    assert set(paid["values"]["domestic"]) == {None}
    assert set(paid["reasons"]) == {"domestic"}
    delivered = found["inputs"]["cash.delivered"]
    assert delivered["periods"] == quarters
    assert delivered["values"]["in_quarters"] == [0.25] * 4 + [0] * 8
    assert delivered["values"]["dearer"] == delivered["values"]["base"] == [0.5, 0.5] + [0] * 10
    # a line that is one figure for the whole time is one number
    assert isinstance(found["lines"]["cash.total"]["values"]["base"], float)
    assert "periods" not in found["lines"]["cash.total"]
