"""Where a figure comes from: the tree below it, with formulas, numbers and sources."""

from __future__ import annotations

import pytest

from capframe import LineItem, less
from capframe.errors import CapframeError
from capframe.lines import Check
from capframe.trace import markdown, trace, tree

PLAN = """\
capframe: 1
title: Trace
date: 2026-11-29
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 8}
power: {pue: {value: 1.2, source: meter, date: 2026-10, confidence: measured}}
line_items:
  - {key: own.heat, inputs: {each: 500 W/card}, formula: each * pools.main.cards, unit: W, label: Heat}
  - {key: own.both, formula: own.heat * power.pue + own.heat, unit: W, label: Both}
  - {key: own.lacking, formula: own.both * cost.budget, unit: W·CNY, label: Lacking}
scenarios:
  hot: {own.heat.each: {value: 600 W/card, source: vendor, confidence: estimate}}
"""


@pytest.fixture
def found(results):
    return results(PLAN)


def test_formula_numbers_and_sources(found):
    step = trace(found, "own.both")
    assert (step.label, step.figure, step.plugin) == ("Both", "8,800.00 W", "plan")  # 8 · 500 · 1.2 + 8 · 500
    assert step.formula == "Heat × PUE + Heat"
    assert step.numbers == "4,000.00 W × 1.20 + 4,000.00 W"
    heat, pue = step.below
    assert (heat.key, heat.formula) == ("own.heat", "Heat: each × Cards bought (main)")
    assert (pue.kind, pue.figure, pue.source) == ("input", "1.20", "meter, 2026-10, measured (plan.yaml:6:22)")
    assert [below.key for below in heat.below] == ["own.heat.each", "pools.main.cards"]
    assert heat.below[0].source == "assumed (plan.yaml:8:36)"


def test_a_scenario_has_its_own_numbers_and_sources(found):
    step = trace(found, "own.heat", "hot")
    assert step.figure == "4,800.00 W"
    assert step.below[0].source == "vendor, estimate (plan.yaml:12:32)"


def test_depth_is_limited_and_what_is_hidden_is_counted(found):
    step = trace(found, "own.both", depth=1)
    assert step.below[0].below == ()
    assert step.below[0].hidden == 2
    assert "   … reads 2 more; show them with --depth" in [line.removeprefix("│  ") for line in tree(step)]


def test_what_was_shown_is_not_repeated(read_plan, plugin_of):
    extra = plugin_of(
        line_items=lambda p: [
            LineItem(p.own.a, p.power.pue * 2, "1", label="A"),
            LineItem(p.own.b, p.own.a + 1, "1", label="B"),
            LineItem(p.own.c, p.own.b + p.own.a, "1", label="C"),
        ]
    )
    plain = PLAN.split("line_items", maxsplit=1)[0]
    step = trace(read_plan(plain, extra={"extra": extra}).ledger().evaluate(), "own.c")
    assert [one.seen for one in step.below] == [False, True]
    assert step.below[1].below == ()
    assert "own.a = 2.40   A   (see above)" in tree(step)[-1]


def test_why_something_is_lacking(found):
    step = trace(found, "own.lacking")
    assert (step.figure, step.reason) == ("n/a", "Budget for purchases without VAT not given")
    assert step.below[1].reason == "Budget for purchases without VAT not given"


def test_facts_have_the_sources_of_the_catalogue(found):
    step = trace(found, "pools.main.accelerator.tdp")
    facts = [below for below in step.below if below.kind == "fact"]
    assert [(fact.key, fact.figure) for fact in facts] == [("nvidia/a100-sxm4-80gb tdp", "400.00 W/card")]
    assert "nvidia.yaml:" in facts[0].source


def test_a_check_is_explained_too(read_plan, plugin_of):
    extra = plugin_of(
        checks=lambda p: [
            Check(p.own.low, less(p.power.pue, 1.1), "warning", f"PUE is {p.power.pue}", label="PUE is low")
        ]
    )
    step = trace(read_plan(PLAN, extra={"extra": extra}).ledger().evaluate(), "own.low")
    assert (step.kind, step.figure, step.formula, step.numbers) == ("check", "fail", "PUE < 1.1", "1.20 < 1.1")
    assert (step.label, step.reason) == ("PUE is low", "PUE is 1.20")
    assert [below.key for below in step.below] == ["power.pue"]


def test_an_unknown_key_is_told_with_the_nearest(found):
    with pytest.raises(CapframeError, match=r"no line, input or check 'own.boht'; did you mean 'own.both'"):
        trace(found, "own.boht")


def test_what_is_left_out_says_why(read_plan):
    results = read_plan(PLAN, off=["power"]).ledger().evaluate()
    with pytest.raises(CapframeError, match=r"'own.both' is left out: reads power.pue, and plugin 'power' is off"):
        trace(results, "own.both")


def test_the_tree_in_a_terminal(found):
    assert tree(trace(found, "own.heat", depth=1))[:5] == [
        "own.heat = 4,000.00 W   Heat",
        "   = Heat: each × Cards bought (main)",
        "   = 500.00 W/card × 8 cards",
        "├─ own.heat.each = 500.00 W/card   Heat: each",
        "│     source: assumed (plan.yaml:8:36)",
    ]


def test_a_chinese_tree_is_chinese_throughout(results):
    step = trace(results(PLAN + "language: zh-CN\n"), "power.facility", depth=3)
    lines = tree(step, "zh-CN")
    said = [line.strip("│├└─ ") for line in lines]
    assert "来源: meter, 2026-10, 实测 (plan.yaml:6:22)" in said  # what the plan says is its own
    assert "来源: PUE 定义: ISO/IEC 30134-2" in said
    assert any("NVIDIA DGX H100 用户指南: 8 张 700 W 卡整机 10.2 kW" in line and "(缺省)" in line for line in lines)
    assert any("还引用" in line for line in lines)
    assert "依据:" in markdown(step, "zh-CN")


def test_the_tree_as_markdown(found):
    text = markdown(trace(found, "own.heat", depth=1))
    assert text[:8] == [
        "## Heat",
        "",
        "`own.heat` Heat: **4,000.00 W**",
        "",
        "- = Heat: each × Cards bought (main)",
        "- = 500.00 W/card × 8 cards",
        "",
        "Below it:",
    ]
    assert text[9:11] == ["- `own.heat.each` Heat: each: **500.00 W/card**", "  <br>source: assumed (plan.yaml:8:36)"]


def test_a_figure_over_time_shows_its_periods(results):
    text = PLAN + (
        "timeline: {start: 2027-01, period: year, periods: 6}\n"
        "prices: [{part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, source: quotation}]\n"
    )
    step = trace(results(text), "cash.share")
    # all cards come in the first period
    assert step.by_period == "2027 100.0%, 2028 0.0%, 2029 0.0%, …, 2032 0.0%"
    assert any("by period: 2027 100.0%" in line for line in tree(step))


def test_every_line_of_the_plan_can_be_explained(found):
    for key in (*found.ledger.lines, *found.plan.inputs, *(check.key for check in found.ledger.checks)):
        assert tree(trace(found, key))
