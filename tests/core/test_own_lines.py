"""Lines that a plan adds itself, and claims that it wants compared: in Python, in the workbook, in JSON."""

from __future__ import annotations

import json

import pytest
from openpyxl import load_workbook

from capframe import export, say
from capframe.errors import PlanError
from capframe.recalculate import Formualizer, by_formualizer

PLAN = """\
capframe: 1
title: Own lines
date: 2026-11-29
workloads:
  pretrain: {pool: main, model: {parameters: 7B}, tokens: 1T, mfu: 40%, deadline: 30 d}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000, failures: {spares: 0}}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, source: quotation}
cost: {contingency: 0%}
"""
INSURANCE = """\
line_items:
  - key: cost.insurance
    inputs: {rate: {value: 0.4 %/y, source: broker, confidence: estimate}}
    formula: rate * cost.capex
    unit: CNY/y
    label: {en: Equipment insurance, zh: 设备保险}
    headline: yes
scenarios:
  dear: {cost.insurance.rate: 0.5 %/y}
"""


def mistakes(read_plan, text):
    with pytest.raises(PlanError) as caught:
        read_plan(PLAN + text).ledger().evaluate()
    return str(caught.value).splitlines()


# ---------------------------------------------------------------- line items


def test_a_line_of_the_plan_is_a_line_like_any_other(results):
    found = results(PLAN + INSURANCE)
    # 1000 cards · 75,000 CNY = 75,000,000 CNY; 0.4 % of it a year = 300,000; 0.5 % = 375,000
    assert found.value("cost.insurance") == pytest.approx(300_000)
    assert found.value("cost.insurance", "dear") == pytest.approx(375_000)
    line = found.ledger.lines["cost.insurance"]
    assert (line.plugin, line.area, line.headline, line.unit.text) == ("plan", "cost", True, "CNY/y")
    rate = found.plan.inputs["cost.insurance.rate"]
    assert (rate.base.value, rate.unit.text, rate.plugin) == (0.4, "%/y", "plan")
    assert (rate.base.origin.source, rate.base.origin.confidence) == ("broker", "estimate")
    assert rate.label == {"en": "Equipment insurance: rate", "zh": "设备保险: rate"}
    assert rate.base.at == "plan.yaml:13:28"


@pytest.mark.parametrize(
    ("inputs", "formula", "unit", "value"),
    [
        ("{}", "pools.main.cards", "card", 1000),
        ("{share: 5%}", "share * pools.main.cards", "card", 50),
        ("{spare: 12 card}", "pools.main.cards + spare", "card", 1012),
        ("{each: 1.5 万 CNY/card}", "each * pools.main.cards", "CNY", 15_000_000),
        ("{power: 700 W/card}", "power * pools.main.cards", "kW", 700),
        ("{power: 700 W/card}", "power * pools.main.cards", "MW", 0.7),
        ("{limit: 900 card}", "when(pools.main.cards > limit, 1, 0)", "1", 1),
        ("{limit: 900 card}", "1 if limit <= pools.main.cards else 0", "1", 1),
        ("{per: 128 card/server}", "round_up(pools.main.cards / per)", "server", 8),  # 1000 / 128 = 7.8
        ("{a: 3, b: 4}", "sqrt(a^2 + b**2)", "1", 5),
        ("{a: 2}", "-a^2 + 2^3*2", "1", 12),  # -(2²) + 8·2
        ("{a: 1, b: 2}", "total(a, b, greatest(a, b), least(a, b))", "1", 6),
        ("{}", 'fact(pools.main.accelerator, "tdp") * pools.main.cards', "kW", 400),  # 400 W each
        ("{}", "pools.main.accelerator.tdp * pools.main.cards", "kW", 400),
    ],
)
def test_what_formulas_may_say(results, inputs, formula, unit, value):
    text = f"line_items:\n  - {{key: own.x, inputs: {inputs}, formula: '{formula}', unit: {unit}, label: X}}\n"
    assert results(PLAN + text).value("own.x") == pytest.approx(value)


def test_lines_may_read_one_another_and_a_name_of_their_own_goes_first(results):
    text = """\
line_items:
  - {key: own.second, formula: own.first * factor, inputs: {factor: 3}, unit: card, label: Second}
  - {key: own.first, formula: 2 * pools.main.cards, unit: card, label: First}
"""
    assert results(PLAN + text).value("own.second") == 6000


def test_the_workbook_recalculates_them(results, tmp_path, host_with):
    found = results(PLAN + INSURANCE)
    [path] = export(found, host_with(), tmp_path, "own", ["xlsx"])
    book = load_workbook(path)
    sheet = book["Inputs"]
    [row] = [row for row in range(1, sheet.max_row + 1) if "cost.insurance.rate" in cells_of(sheet, row)]
    assert (sheet.cell(row, 3).value, sheet.cell(row, 2).value) == (0.4, "%/y")
    [at] = [row for row in range(1, book["Cost"].max_row + 1) if "Equipment insurance" in cells_of(book["Cost"], row)]
    values = by_formualizer(path, {("Inputs", f"C{row}"): 0.8})
    assert values["Cost"][f"C{at}"] == pytest.approx(600_000)  # 0.8 % of 75,000,000


def cells_of(sheet, row):
    return [cell.value for cell in sheet[row]]


def test_the_data_names_them(results, tmp_path, host_with):
    found = results(PLAN + INSURANCE)
    [path] = export(found, host_with(), tmp_path, "own", ["json"])
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["lines"]["cost.insurance"]["plugin"] == "plan"
    assert data["lines"]["cost.insurance"]["values"] == {"base": pytest.approx(3e5), "dear": pytest.approx(3.75e5)}
    assert data["inputs"]["cost.insurance.rate"]["values"] == {"base": 0.4, "dear": 0.5}


MISTAKES = {
    "a name that is not there": (
        "line_items:\n  - {key: own.x, inputs: {rate: 5%}, formula: rte * cost.capex, unit: CNY, label: X}\n",
        ["plan.yaml:12:47: there is nothing called 'rte' here; did you mean 'rate'?"],
    ),
    "the column within the formula": (
        "line_items:\n  - key: own.x\n    formula: 'cost.capex * sqr(2)'\n    unit: CNY\n    label: X\n",
        ["plan.yaml:13:28: there is no function 'sqr'; did you mean 'sqrt'?"],
    ),
    "the line of a block": (
        "line_items:\n  - key: own.x\n    formula: |\n      cost.capex\n      * sqr(2)\n    unit: CNY\n    label: X\n",
        ["plan.yaml:15:9: there is no function 'sqr'; did you mean 'sqrt'?"],
    ),
    "a folded formula": (
        "line_items:\n  - key: own.x\n    formula: >\n      cost.capex\n      * sqr(2)\n    unit: CNY\n    label: X\n",
        ["plan.yaml:13:14: there is no function 'sqr'; did you mean 'sqrt'? (at `sqr(2)`)"],
    ),
    "a key that nothing gives": (
        "line_items:\n  - {key: own.x, formula: cost.capexx, unit: CNY, label: X}\n",
        ["plan.yaml:12:27: own.x: reads 'cost.capexx', which nothing gives; did you mean 'cost.capex'?"],
    ),
    "units that do not fit": (
        "line_items:\n  - {key: own.x, formula: cost.capex, unit: kW, label: X}\n",
        ["plan.yaml:12:27: own.x: CNY is not kW, in `cost.capex`"],
    ),
    "everything at once": (
        "line_items:\n  - {key: x, labl: X, headline: maybe}\n  - 7\n",
        [
            "plan.yaml:12:5: 'formula' is missing here",
            "plan.yaml:12:5: 'unit' is missing here",
            "plan.yaml:12:5: 'label' is missing here",
            "plan.yaml:12:11: key 'x' needs an area in front, such as 'compute.x'",
            "plan.yaml:12:14: unknown key 'labl'; did you mean 'label'?",
        ],
    ),
    "a unit nobody knows": (
        "line_items:\n  - {key: own.x, inputs: {a: 3 kWw}, formula: a * 2, unit: kWw, label: X}\n",
        [
            "plan.yaml:12:30: '3 kWw': unknown unit 'kWw'; did you mean 'kW'?",
            "plan.yaml:12:60: unknown unit 'kWw'; did you mean 'kW'?",
        ],
    ),
    "everything at once, without a key": (
        ("line_items:\n"
        "  - {inputs: {a: {value: 3 kWw, date: 1.2.2026, x: y}, b c: 1}, formula: a +, unit: kWw, label: [X]}\n"
        "  - {key: own x, inputs: {a: 3 kWw}, formula: a +, unit: CNY, label: X}\n"),
        [
            "plan.yaml:12:5: 'key' is missing here",
            "plan.yaml:12:26: '3 kWw': unknown unit 'kWw'",
            "plan.yaml:12:39: '1.2.2026' is no date; write it as `2026-11-29`",
            "plan.yaml:12:49: unknown key 'x'",
            "plan.yaml:12:56: 'b c' is no name",
            "plan.yaml:12:77: the formula ends too early",
            "plan.yaml:12:85: unknown unit 'kWw'",
            "plan.yaml:12:97: a label is a text",
            "plan.yaml:13:11: key 'own x': 'own x' is no name",
            "plan.yaml:13:30: '3 kWw': unknown unit 'kWw'",
            "plan.yaml:13:50: the formula ends too early",
        ],
    ),
    "one key twice": (
        ("line_items:\n"
        "  - {key: own.x, formula: '1', unit: '1', label: X}\n"
        "  - {key: own.x, formula: '2', unit: '1', label: X}\n"),
        ["plan.yaml:13:11: 'own.x' is given twice, first on line 12; give one another key"],
    ),
    "a plugin's key": (
        "line_items:\n  - {key: cost.capex, formula: 2 * cost.purchase, unit: CNY, label: X}\n",
        ["plan.yaml:12:32: cost.capex: is a line of plugin 'cost' already; give yours another key"],
    ),
    "a circle": (
        ("line_items:\n"
        "  - {key: own.b, formula: own.a / 2, unit: '1', label: B}\n"
        "  - {key: own.a, formula: own.b + 1, unit: '1', label: A}\n"),
        ["plan.yaml:13:27: lines read each other in a circle: own.a → own.b (plan.yaml:12:27) → own.a"],
    ),
    "a line that reads itself": (
        "line_items:\n  - {key: own.x, formula: own.x + 1, unit: '1', label: X}\n",
        ["plan.yaml:12:27: lines read each other in a circle: own.x → own.x"],
    ),
    "no list": ("line_items: {key: own.x}\n", ["plan.yaml:11:13: 'line_items' is a list of entries: "]),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_name_the_place(read_plan, name):
    text, wanted = MISTAKES[name]
    found = mistakes(read_plan, text)
    for line in wanted:
        assert any(one.startswith(line) for one in found), found


# ---------------------------------------------------------------- over time

QUARTERS = """\
timeline: {start: 2027-07, period: quarter, periods: 4}
cash: {delivered: [10%, 20%, 30%, 40%]}
"""
SUMS = {
    "over_time(cash.share)": 1.0,  # 10 % + 20 % + 30 % + 40 %
    'over_time(cash.share, "2027")': 0.3,  # its third and fourth quarter: 10 % + 20 %
    'over_time(cash.share, "2028Q1")': 0.3,
    "over_time(cash.delivered)": 1.0,  # an input by period
    'over_time(cash.in_service, "2028Q2") - over_time(cash.in_service, "2027Q3")': 0.9,  # 100 % - 10 %
}


@pytest.mark.parametrize("formula", SUMS)
def test_a_line_of_the_plan_sums_over_time(results, formula):
    text = f"line_items:\n  - {{key: own.x, formula: '{formula}', unit: '1', label: X}}\n"
    assert results(PLAN + QUARTERS + text).value("own.x") == pytest.approx(SUMS[formula], rel=1e-12)


OVER_TIME = {
    "a sum of one": (
        "line_items:\n  - {key: own.x, formula: total(cash.paid), unit: CNY, label: X}\n",
        "total(…) adds several figures; the sum of one over all periods is over_time(cash.paid)",
    ),
    "a year that is not there": (
        "line_items:\n  - {key: own.x, formula: 'over_time(cash.paid, \"2029\")', unit: CNY, label: X}\n",
        "the timeline has no year or period '2029'; did you mean '2028'?",
    ),
    "a line that is one figure": (
        "line_items:\n  - {key: own.x, formula: over_time(cost.capex), unit: CNY, label: X}\n",
        "own.x: sums 'cost.capex' over time, which has no value by period",
    ),
    "a claim on a line that others sum": (
        "claims:\n  - {line: cash.paid, value: 1.2 M CNY}\n",
        ("claims.cash.paid.agrees: reads 'cash.paid', which has a value by period; "
        "claim one of cash.total, cash.paid.year_2027, cash.paid.year_2028"),
    ),
    "a claim on a line that one other sums": (
        "claims:\n  - {line: cash.share, value: 50%}\n",
        "claims.cash.share.agrees: reads 'cash.share', which has a value by period; claim cash.all_delivered",
    ),
    "a claim on a line that nothing sums": (
        "claims:\n  - {line: cash.in_service, value: 50%}\n",
        ("claims.cash.in_service.agrees: reads 'cash.in_service', which has a value by period; "
        "claim a line of your own that sums it, with the formula over_time(cash.in_service)"),
    ),
    "a claim on an input by period": (
        "claims:\n  - {line: cash.delivered, value: 50%}\n",
        ("claims.cash.delivered.agrees: reads 'cash.delivered', which has a value by period; "
        "claim a line of your own that sums it, with the formula over_time(cash.delivered)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), OVER_TIME.values(), ids=OVER_TIME)
def test_what_has_no_one_figure_is_told(read_plan, text, said):
    found = mistakes(read_plan, QUARTERS + text)
    assert [one.partition(": ")[2] for one in found] == [said], found


# ---------------------------------------------------------------- claims

CLAIMS = """\
claims:
  - {line: cost.capex, value: 75000000 CNY, source: our own offer}
  - {line: cost.capex, value: 0.75 万 CNY, source: 'slide {7}'}
  - {line: pools.main.cards, value: 1005 card}
"""


def test_a_claim_that_is_far_off_is_told_with_its_factor(results):
    found = results(PLAN + CLAIMS)
    status = {one.check.key: one for one in found.statuses() if one.check.key.startswith("claims.")}
    assert status["claims.cost.capex.agrees"].result == "pass"
    # 75,000,000 CNY are 10,000 times 7,500 CNY
    off = status["claims.cost.capex_2.agrees"]
    assert off.result == "fail"
    assert off.check.severity == "warning"
    assert off.message == (
        "the plan's figure is 75,000,000.00 CNY, the claim 7,500.00 CNY, a factor of 10,000.00 (slide {7})"
    )  # fmt: skip
    assert status["claims.pools.main.cards.agrees"].result == "pass"  # 1000 / 1005 = 0.995
    assert found.value("claims.pools.main.cards.factor") == pytest.approx(1000 / 1005)


@pytest.mark.parametrize(
    ("line", "claimed", "number"),
    [
        ("cost.capex", "83.3M CNY", 83.3e6),
        ("cost.capex", "8330 万 CNY", 83.3e6),
        ("power.facility", "0.5 MW", 0.5),
        ("workloads.pretrain.model.parameters.used", "70B parameters", 70e9),
        ("workloads.pretrain.mfu.used", "40%", 0.4),
    ],
)
def test_claims_are_typed_as_figures_elsewhere(results, line, claimed, number):
    found = results(PLAN + f"claims: [{{line: {line}, value: {claimed}}}]\n")
    assert found.value(f"claims.{line}.claimed") == pytest.approx(number)


@pytest.mark.parametrize(("claimed", "result"), [("0 CNY", "fail"), ("75000001 CNY", "pass"), ("74000000 CNY", "fail")])
def test_a_claim_of_nothing_is_contested_too(results, claimed, result):
    """There is no factor to 0, but 75 million are not 0; 74 million are 1.4 % off, where 1 % is allowed."""
    found = results(PLAN + f"claims: [{{line: cost.purchase, value: {claimed}}}]\n")
    assert [one.result for one in found.statuses() if one.check.key == "claims.cost.purchase.agrees"] == [result]


@pytest.mark.parametrize(
    ("claimed", "more"),
    [
        ("0 CNY", ""),
        ("70000000 CNY", "scenarios: {nothing: {claims.cost.purchase.claimed: 0 CNY}}\n"),
    ],
)
def test_a_claim_of_nothing_is_told_without_a_factor(results, claimed, more):
    found = results(PLAN + f"claims: [{{line: cost.purchase, value: {claimed}, source: slide 7}}]\n{more}")
    [told] = [one for one in found.statuses(found.columns[-1]) if one.check.key == "claims.cost.purchase.agrees"]
    assert told.message == "the plan's figure is 75,000,000.00 CNY, the claim 0.00 CNY (slide 7)"


def test_how_far_off_a_claim_may_be_is_an_input(results):
    found = results(PLAN + CLAIMS, overrides=["claims.tolerance=0.1%"])
    assert [one.check.key for one in found.statuses() if one.result == "fail" and "claims" in one.check.key] == [
        "claims.cost.capex_2.agrees",
        "claims.pools.main.cards.agrees",
    ]


def test_the_workbook_compares_claims_itself(results, tmp_path, host_with):
    found = results(PLAN + CLAIMS)
    [path] = export(found, host_with(), tmp_path, "own", ["xlsx"])
    values = by_formualizer(path)["Checks"].values()
    assert "the plan's figure is 75,000,000.00 CNY, the claim 7,500.00 CNY, a factor of 10,000.00 (slide {7})" in values


def test_a_claim_that_is_set_to_nothing_in_the_workbook_has_no_factor_there_either(results, tmp_path, host_with):
    found = results(PLAN + "claims: [{line: cost.purchase, value: 70000000 CNY, source: slide 7}]\n")
    [path] = export(found, host_with(), tmp_path, "own", ["xlsx"])
    [(title, address)] = load_workbook(path).defined_names["claims.cost.purchase.claimed"].destinations
    address = address.replace("$", "")
    said = "the plan's figure is 75,000,000.00 CNY, the claim {:.2f} CNY{} (slide 7)"
    with Formualizer(path).edited({(title, address): 0}) as cells:
        assert said.format(0, "") in cells["Checks"].values()
    with Formualizer(path).edited({(title, address): 25}) as cells:  # 75,000,000 / 25
        assert said.format(25, ", a factor of 3,000,000.00") in cells["Checks"].values()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("claims: [{line: cost.capexx, value: 1 CNY}]\n", "plan.yaml:11:17: claims.cost.capexx.factor: reads"),
        (
            "claims: [{line: cost.capex, value: 3 kW}]\n",
            ("plan.yaml:11:36: claim on cost.capex: '3 kW' is in kW, and a figure in CNY is wanted; "
            "write for example `1 CNY`"),
        ),
        (
            "claims: [{line: pools.main.cards, value: {value: 1005}}]\n",
            ("plan.yaml:11:50: claim on pools.main.cards: '1005' has no unit, and a figure in card is wanted; "
            "write for example `1005 card`"),
        ),
        (
            "claims: [{line: workloads.pretrain.mfu.used, value: 40 card}]\n",
            "plan.yaml:11:53: claim on workloads.pretrain.mfu.used: '40 card' is in card, and a plain number is wanted",
        ),
        ("claims: [{line: cost.capex}]\n", "plan.yaml:11:10: 'value' is missing here"),
        ("claims: [{line: cost.capex, value: a lot}]\n", "plan.yaml:11:36: 'a lot' is not a number"),
        ("claims: [{line: cost.capex, value: 1 CNY, sorce: x}]\n", "plan.yaml:11:43: unknown key 'sorce'"),
    ],
)  # fmt: skip
def test_mistakes_in_claims_name_the_place(read_plan, text, line):
    assert any(one.startswith(line) for one in mistakes(read_plan, text))


ONE_CLAIM = """\
claims:
  - {line: cost.capex, value: 7500 万 CNY, source: proposal}
"""


@pytest.mark.parametrize(
    ("language", "called", "claimed", "factor", "agrees"),
    [
        ("en", "Purchases with contingency, without VAT, as far as priced", "Claimed figure, {}",
         "Plan against claim, {}", "{} agrees with the claim"),
        ("zh-CN", "采购总额(不含税, 含预备费, 已有单价部分)", "声称数字 {}", "方案与声称之比 {}", "{} 与声称数字一致"),
    ],
)  # fmt: skip
def test_what_a_claim_adds_is_called_after_the_label_of_its_line(read_plan, language, called, claimed, factor, agrees):
    ledger = read_plan(PLAN + ONE_CLAIM).ledger()
    assert ledger.label("claims.cost.capex.claimed", language) == claimed.format(called)
    assert ledger.label("claims.cost.capex.factor", language) == factor.format(called)
    check = next(check for check in ledger.checks if check.key == "claims.cost.capex.agrees")
    assert say(check.label, language) == agrees.format(called)


def test_a_claim_is_called_after_an_own_line_and_after_an_input_too(read_plan):
    line = "  - {key: mine.cards, formula: pools.main.cards, unit: card, label: {en: 'Cards {x}', zh: 卡数}}\n"
    claims = "claims: [{line: mine.cards, value: 1000 card}, {line: power.pue, value: 1.3}]\n"
    ledger = read_plan(f"{PLAN}line_items:\n{line}{claims}").ledger()
    assert ledger.label("claims.mine.cards.factor", "en") == "Plan against claim, Cards {x}"
    assert ledger.label("claims.mine.cards.factor", "zh-CN") == "方案与声称之比 卡数"
    assert ledger.label("claims.power.pue.claimed", "en") == "Claimed figure, PUE"


def test_amounts_of_things_have_decimals_only_where_there_are_any(read_plan):
    results = read_plan(PLAN).ledger().evaluate()
    assert results.with_unit("workloads.pretrain.deadline") == "30 d"
    assert results.with_unit("pools.main.count.used") == "1,000 cards"
    # 6 × 7e9 × 1e12 FLOP / (40 % of 312e12 FLOP/s/card) / (30 × 86,400 s) = 129.84 cards
    assert results.with_unit("workloads.pretrain.compute.cards_while_running") == "129.84 cards"
    # rack units are counted too, though a half of one may be typed
    assert results.with_unit("space.usable") == "38 U/rack"
    halved = read_plan(PLAN + "space: {usable: 37.5 U/rack}\n").ledger().evaluate()
    assert halved.with_unit("space.usable") == "37.50 U/rack"


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("line: cost capex, value: 3 XX, ", ["key 'cost capex': 'cost capex' is no name", "'3 XX': unknown unit"]),
        ("line: cost.capex, value: 3 XX, ", ["'3 XX': unknown unit 'XX'"]),
        ("value: 3 XX, ", ["'line' is missing here", "'3 XX': unknown unit 'XX'"]),
        ("line: cost.capex, ", ["'value' is missing here"]),
    ],
)
def test_a_claim_tells_all_its_mistakes(read_plan, said, more):
    found = mistakes(read_plan, f"claims: [{{{said}date: 2026.1.1, confidence: so}}]\n")
    for what in (*more, "'2026.1.1' is no date; write it as `2026-11-29`", "'so' is none of measured"):
        assert any(what in one for one in found), found
