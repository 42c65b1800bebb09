"""The ledger: figures of the field worked out by hand, scenarios side by side, reasons, checks, bounds."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capframe import Check, LineItem, Missing, Ref, at_least, at_most, load
from capframe.errors import PlanError
from capframe.evaluation import evaluate, usable
from capframe.expr import Num
from capframe.ledger import Line, outside
from capframe.units import ONE

p = Ref("")
W, C, M, POOL = "workloads.pretrain", "workloads.pretrain.compute", "workloads.pretrain.memory", "pools.main"

PLAN = """\
capframe: 1
title: 70B on A100
date: 2026-11-29
workloads:
  pretrain:
    pool: main
    model: {parameters: 70B}
    tokens: 1T
    precision: bf16
    mfu: 40%
    goodput: 90%
    deadline: 60 d
    reserve: 1.5
    memory: {zero_stage: 3, zero_group: 64}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000, failures: {spares: 0}}
network: {switch: h3c/s9827-128dh, optic: nvidia/mms4x00-nm}  # power not disclosed, here and of the storage
storage: {system: weka/wekapod-nitro}                         # system, so that the load is that of the servers
power: {pue: 1.2, it_overhead: 1.5, average_load: 80%}
cost: {tariff: 0.65 CNY/kWh, service_life: 5 y, residual: 5%, contingency: 10%, utilisation: 100%}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card}
"""

# 70B parameters, 1T tokens, 1,000 A100 SXM 80 GB (312 TFLOP/s dense in bf16, 400 W, 8 a server), MFU 40 %.
BY_HAND = [
    (f"{C}.flops", 4.2e23, "6 · 70e9 · 1e12"),
    (f"{C}.peak", 312, "the dense peak in bf16, not 624"),
    (f"{C}.effective_rate.used", 124.8, "312 · 0.40"),
    (f"{C}.ideal_card_hours", 43_750_000 / 117, "4.2e23 / 312e12 / 3600"),
    (f"{C}.card_hours", 109_375_000 / 117, "… / 0.40 = 934,829.0598…"),
    (f"{C}.days", 109_375 / 2808, "… / 1,000 / 24 = 38.9512…"),
    (f"{C}.elapsed_days", 109_375 / 2808 / 0.9, "… / 0.90 = 43.279…"),
    (f"{C}.cards_needed", 109_375_000 / 117 / (60 * 24 * 0.9), "card-hours over 60 days at 90 %: 721.3…"),
    (f"{C}.cards_with_reserve", 1082, "721.318… · 1.5 = 1,081.978…, up"),
    (f"{POOL}.servers", 125, "1,000 / 8"),
    (f"{POOL}.cards", 1000, "125 · 8"),
    (f"{M}.states", 1.12e12, "16 B · 70e9"),
    (f"{M}.per_rank", 17.5, "1,120 GB / 64"),
    (f"{M}.capacity", 80, "one device a card"),
    (f"{M}.least_cards", 14, "1,120 / 80"),
    (f"{POOL}.cards.power", 400, "1,000 · 400 W in kW"),
    ("power.it", 600, "… · 1.5"),
    ("power.facility", 720, "… · 1.2"),
    ("power.energy_per_year", 720 * 0.8 * 8.76, "720 kW · 0.80 · 8,760 h in MWh"),
    (f"{W}.power.energy", 720 * 0.8 * 24 * 109_375 / 2808 / 0.9 / 1000, "720 kW · 0.80 for 43.279 days, in MWh"),
    ("cost.purchase", 75e6, "1,000 · 75,000"),
    ("cost.capex", 82.5e6, "… · 1.10"),
    ("cost.depreciation", 82.5e6 * 0.95 / 5, "95 % over 5 years"),
    ("cost.energy", 720 * 0.8 * 8760 * 0.65, "kWh · 0.65"),
    ("cost.per_card_hour", (82.5e6 * 0.95 / 5 + 720 * 0.8 * 8760 * 0.65) / (1000 * 8760), "a year over its card-hours"),
]


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Evaluate the plan as it is, once."""
    path = tmp_path_factory.mktemp("good") / "plan.yaml"
    path.write_text(PLAN, encoding="utf-8")
    return load(path).ledger().evaluate()


@pytest.mark.parametrize(("key", "value", "why"), BY_HAND)
def test_figures_worked_out_by_hand(good, key, value, why):
    assert good.value(key) == pytest.approx(value, rel=1e-12), why


def test_the_example_that_is_shipped(root):
    results = load(root / "examples" / "mozi-70b.yaml").ledger().evaluate()
    assert results.value(f"{C}.flops") == pytest.approx(4.2e23, rel=1e-12)
    assert results.value(f"{C}.card_hours") == pytest.approx(934829.0598290599, rel=1e-12)
    assert results.value(f"{C}.days") == pytest.approx(38.951210826210826, rel=1e-12)
    assert results.value(f"{M}.states") == 1.12e12


def test_reserve_is_taken_of_the_exact_need_and_servers_are_rounded_up_once(results):
    """70B · 1.4T tokens in 7 days at 0.8 PFLOP/s a card.

    5.88e23 FLOP / (8e14 · 604,800 s) = 1,215.277… cards; · 1.5 = 1,822.916… → 1,823 cards, or 228 servers of 8, which
    are 1,824 cards. Rounding each step would give 1,216 · 1.5 = 1,824 and 228 servers by luck; with 2 the chain is
    2,430.55… → 2,431 and 304 servers.
    """
    text = (
        PLAN.replace("tokens: 1T", "tokens: 1.4T").replace("deadline: 60 d", "deadline: 7 d").replace("90%", "100%", 1)
    )
    text = text.replace("    memory:", "    compute: {effective_rate: 0.8 PFLOP/s/card}\n    memory:")
    auto = text.replace("count: 1000", "count: auto")
    one = results(auto)
    assert one.value(f"{C}.flops") == pytest.approx(5.88e23, rel=1e-12)
    assert one.value(f"{C}.cards_needed") == pytest.approx(21_875 / 18, rel=1e-12)
    assert one.value(f"{POOL}.count.used") == pytest.approx(1822.9166666666667, rel=1e-12)
    assert one.value(f"{C}.cards_with_reserve") == 1823
    assert one.value(f"{POOL}.servers") == 228
    assert one.value(f"{POOL}.cards") == 1824
    two = results(auto.replace("reserve: 1.5", "reserve: 2"))
    assert [two.value(key) for key in (f"{C}.cards_with_reserve", f"{POOL}.servers")] == [2431, 304]


# 70B parameters, 2 + 2 + 12 bytes, 64 ranks share one copy: what each rank holds at ZeRO stages 0 to 3.
STAGES = [
    (0, 1120, "140 + 140 + 840"),
    (1, 293.125, "140 + 140 + 840/64"),
    (2, 155.3125, "140 + 140/64 + 840/64"),
    (3, 17.5, "1,120/64"),
]


@pytest.mark.parametrize(("stage", "per_rank", "why"), STAGES)
def test_states_per_rank_at_each_zero_stage(results, stage, per_rank, why):
    text = PLAN.replace("count: 1000", "count: 512").replace("zero_stage: 3", f"zero_stage: {stage}")
    assert results(text).value(f"{M}.per_rank") == pytest.approx(per_rank, rel=1e-12), why


def test_a_card_of_two_devices_is_two_ranks(results):
    one = results(
        PLAN.replace("nvidia/a100-sxm4-80gb, count", "huawei/ascend-910c-752, count").replace(", zero_group: 64", "")
    )
    assert one.value(f"{POOL}.accelerator.devices") == 2
    assert one.value(f"{W}.ranks") == 2 * one.value(f"{POOL}.cards")
    assert one.value(f"{M}.capacity") == one.value(f"{POOL}.accelerator.memory") / 2
    assert one.value(f"{M}.zero_group.used") == one.value(f"{W}.ranks")


OURS = """\
catalog: 1
kind: accelerator
as_of: 2026-01-05
sources: {s: {title: Price list}}
records:
  - id: ours/one
    origin: {source: s, confidence: press}
    facts: {memory: 80 GB/card, cards_per_server: 8 card/server, price: {USD: 1000 USD/card}}
"""


def test_two_currencies_meet_in_a_dated_rate(results, plan_file):
    """1,000 cards at 1,000 USD and 7.2 CNY/USD are 7.2 M CNY; without a rate there is no price."""
    plan_file("capframe:").with_name("ours.yaml").write_text(OURS, encoding="utf-8")
    text = PLAN.partition("prices:")[0].replace("nvidia/a100-sxm4-80gb", "ours/one")
    text = text.replace("title:", "catalogs: [ours.yaml]\ntitle:")
    rated = results(text + "rates: {USD: {value: 7.2 CNY/USD, source: PBoC, date: 2026-01-05}}\n")
    assert rated.value("cost.purchase") == pytest.approx(7.2e6, rel=1e-12)
    unrated = results(text)
    assert not usable(unrated.value("cost.purchase"))
    assert unrated.reason("cost.purchase") == "its price is in USD; give the rate, `rates: {USD: … CNY/USD}`"


def test_scenarios_stand_side_by_side(results):
    one = results(f"{PLAN}scenarios:\n  slow: {{{W}.mfu: 30%}}\n  soon: {{{W}.deadline: 30 d}}\n")
    assert one.columns == ("base", "slow", "soon")
    # MFU 0.40 → 0.30 moves card-hours by 4/3, and nothing in base.
    assert one.value(f"{C}.card_hours", "slow") == pytest.approx(one.value(f"{C}.card_hours") * 4 / 3, rel=1e-12)
    assert one.value(f"{C}.card_hours", "soon") == one.value(f"{C}.card_hours")
    assert one.value(f"{C}.cards_needed", "soon") == pytest.approx(2 * one.value(f"{C}.cards_needed"), rel=1e-12)
    assert one.value(f"{C}.flops", "slow") == one.value(f"{C}.flops")


def test_another_part_in_a_scenario_changes_every_fact(results):
    one = results(PLAN + "scenarios: {other: {pools.main.accelerator: nvidia/h100-sxm5-80gb}}\n")
    assert one.value(f"{POOL}.accelerator.tdp") == 400
    assert one.value(f"{POOL}.accelerator.tdp", "other") == 700
    assert one.value(f"{C}.peak", "other") > 900


# ---------------------------------------------------------------- not available, and why

WITHOUT = [
    ("deadline: 60 d", "", f"{C}.cards_needed", "Deadline (pretrain) not given"),
    ("precision: bf16", "precision: fp4", f"{C}.card_hours", "Dense peak (fp4) of A100 SXM4 80GB not disclosed"),
    ("tariff: 0.65 CNY/kWh, ", "", "cost.energy", "Electricity tariff not given"),
    ("price: 75000 CNY", "price: auto", "cost.purchase", "no price of A100 SXM4 80GB is known"),
    (
        "nvidia/a100-sxm4-80gb, c", "huawei/ascend-910b3, c", "power.it",
        "Thermal design power of Ascend 910B3 (313T) not disclosed",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "key", "reason"), WITHOUT)
def test_what_is_not_known_is_not_available_with_the_reason(results, old, new, key, reason):
    assert old in PLAN
    one = results(PLAN.replace(old, new, 1))
    assert not usable(one.value(key))
    assert one.reason(key) == reason
    assert one.figure(key) == "n/a"
    assert one.with_unit(key) == "n/a"


def test_a_division_by_zero_names_what_is_zero(read_plan, plugin_of):
    item = LineItem("extra.x", 1 / (p.power.pue - p.power.pue), "1", label="X")
    results = read_plan(PLAN, extra={"extra": plugin_of(line_items=[item])}).ledger().evaluate()
    assert results.reason("extra.x") == "divides by PUE − PUE, which is 0"


def test_what_does_not_need_it_is_still_there(results):
    one = results(PLAN.replace("deadline: 60 d", "").replace("tariff: 0.65 CNY/kWh, ", ""))
    for key in (f"{C}.days", "cost.capex", "power.it", f"{M}.per_rank"):
        assert usable(one.value(key))
        assert one.reason(key) is None


def test_every_line_without_a_value_has_a_reason(results):
    text = PLAN.replace("nvidia/a100-sxm4-80gb, count: 1000", "huawei/ascend-910b1, count: auto").replace(
        "deadline: 60 d", ""
    )
    one = results(text + "scenarios: {fp8: {workloads.pretrain.precision: fp8}}\n")
    missing = [pair for pair in product(one.ledger.lines, one.columns) if not usable(one.value(*pair))]
    assert len(missing) > 20
    assert [pair for pair in missing if not one.reason(*pair)] == []
    assert [key for key in one.ledger.lines if usable(one.value(key)) and one.reason(key)] == []


# ---------------------------------------------------------------- bounds

BOUNDS = [
    (LineItem("extra.x", -3 + 0 * p.power.pue, "1", label="X", low=0), "is -3, below 0"),
    (LineItem("extra.x", 3 * p.power.pue, "1", label="X", high=2), "is 3.6, above 2"),
    (
        LineItem("extra.x", p.pools.main.cards - 1003 * p.pools.main.cards / 1000, "card", label="X"),
        "is -3 card, below 0",
    ),
    (LineItem("extra.x", p.power.it, "MW", label="X", high=0.5), "is 0.6 MW, above 0.5"),
]


@pytest.mark.parametrize(("item", "what"), BOUNDS)
def test_a_value_outside_its_bounds_is_an_error_that_names_plugin_and_line(read_plan, plugin_of, item, what):
    ledger = read_plan(PLAN, extra={"faulty": plugin_of(line_items=[item])}).ledger()
    with pytest.raises(PlanError) as caught:
        ledger.evaluate()
    assert str(caught.value) == f"extra.x (plugin 'faulty', scenario 'base'): {what}"


def test_all_values_outside_their_bounds_are_told(read_plan, plugin_of):
    items = [LineItem(f"extra.{name}", p.power.pue, "1", label="X", high=1) for name in "ab"]
    text = PLAN + "scenarios: {worse: {power.pue: 1.5}}\n"
    with pytest.raises(PlanError) as caught:
        read_plan(text, extra={"faulty": plugin_of(line_items=items)}).ledger().evaluate()
    assert len(caught.value.problems) == 4


def test_what_is_not_available_is_within_its_bounds(read_plan, plugin_of):
    item = LineItem("extra.x", Missing("unknown"), "card", label="X", low=5)
    results = read_plan(PLAN, extra={"extra": plugin_of(line_items=[item])}).ledger().evaluate()
    assert math.isnan(results.value("extra.x"))


def test_noise_at_a_bound_is_not_outside(read_plan, plugin_of):
    """0.1 + 0.2 is 0.30000000000000004 in doubles, and at most 0.3."""
    item = LineItem("extra.x", 0.1 + 0.2 * (p.power.pue / p.power.pue), "1", label="X", low=0.3, high=0.3)
    results = read_plan(PLAN, extra={"extra": plugin_of(line_items=[item])}).ledger().evaluate()
    assert {one.result for one in results.statuses() if one.check.key.startswith("extra.x")} == {"pass"}


@given(st.floats(-1e6, 1e6), st.floats(-2e-9, 2e-9))
@example(100.0, -1e-9)
@example(1.1458736867807305, 1e-9)
@example(0.0, 0.0)
def test_python_refuses_what_the_check_of_the_workbook_fails(bound, relative):
    value = bound * (1 + relative)
    item = LineItem("a.b", 0, "1", label="X", low=bound, high=bound)  # as a workbook holds them, in 16 digits
    line = Line(key="a.b", formula=Num(0), unit=ONE, label="", plugin="", area="", low=item.low, high=item.high)
    low, high = (evaluate(holds(Ref("a.b"), bound), {"a.b": value}) for holds in (at_least, at_most))
    assert (outside(line, value) == "") is (low and high)


# ---------------------------------------------------------------- checks


@pytest.fixture
def checked(read_plan, plugin_of):
    def evaluate(*checks, text=PLAN):
        results = read_plan(text, extra={"extra": plugin_of(checks=list(checks))}).ledger().evaluate()
        return {one.check.key: one for one in results.statuses()}, results

    return evaluate


def test_checks_pass_fail_or_are_not_available(checked):
    statuses, results = checked(
        Check("extra.a", at_most(p.power.pue, 1.2), "error", "m", label="A"),
        Check("extra.b", at_most(p.power.pue, 1.1), "warning", "m", label="B"),
        Check("extra.c", at_most(p.power.site_limit, p.power.it), "error", "m", label="C"),
        Check("extra.d", at_most(p.power.pue, 1), "error", "the PUE is too high", label="D"),
    )
    assert [statuses[f"extra.{name}"].result for name in "abcd"] == ["pass", "fail", "n/a", "fail"]
    assert [statuses[f"extra.{name}"].message for name in "abcd"] == ["", "m", "", "the PUE is too high"]
    assert [one.check.key for one in results.fails()] == ["extra.d"]


def test_sentences_print_figures_with_their_units(checked):
    share, cards = p.workloads.pretrain.mfu.used, p.pools.main.cards
    sentence = f"needs {p.power.it} at {share} for {cards} ({p.power.pue}), {p.power.site_limit}"
    statuses, _ = checked(Check("extra.x", at_most(p.power.it, 0 * p.power.it), "error", sentence, label="X"))
    assert statuses["extra.x"].message == "needs 600.00 kW at 40.0% for 1,000 cards (1.20), n/a"


def test_sentences_stand_in_the_language_asked_for(checked):
    message = {"en": f"PUE {p.power.pue}", "zh": f"能效 {p.power.pue}"}
    _, results = checked(Check("extra.x", at_most(p.power.pue, 1), "error", message, label="X"))
    [one] = [check for check in results.ledger.checks if check.key == "extra.x"]
    assert results.status(one, "base", "zh-CN").message == "能效 1.20"
    assert results.status(one).message == "PUE 1.20"


def test_checks_of_a_good_plan_pass_and_of_a_bad_one_fail(good, results):
    assert good.fails() == []
    late = results(PLAN.replace("deadline: 60 d", "deadline: 30 d"))
    assert [one.check.key for one in late.fails()] == [f"{C}.in_time"]
    assert late.fails()[0].message.startswith("pretrain takes 43.28 d and has 30 d")
    tight = results(PLAN.replace("zero_stage: 3", "zero_stage: 0"))
    assert f"{M}.fits" in [one.check.key for one in tight.fails()]


def test_an_unsupported_precision_fails_a_check(results):
    one = results(PLAN.replace("precision: bf16", "precision: fp8"))
    assert f"{C}.precision" in [status.check.key for status in one.fails()]


def test_a_measured_rate_above_the_dense_peak_fails_a_check(results):
    """420 of 312 TFLOP/s: a sparse figure, or another card's."""
    one = results(PLAN.replace("    memory:", "    compute: {effective_rate: 420 TFLOP/s/card}\n    memory:"))
    assert f"{C}.rate_is_possible" in [status.check.key for status in one.fails()]
    fine = results(PLAN.replace("    memory:", "    compute: {effective_rate: 120 TFLOP/s/card}\n    memory:"))
    assert f"{C}.rate_is_possible" not in [status.check.key for status in fine.fails()]


# ---------------------------------------------------------------- words


def test_formulas_in_words_and_with_their_numbers(good):
    words = good.ledger.formula_in_words(f"{C}.flops")
    assert words == "FLOP per parameter and token × Active parameters per token × Training tokens"
    assert good.numbers_in(f"{C}.flops") == "6.00 FLOP/parameter/token × 70.0B parameters × 1.0T tokens"
    assert good.numbers_in(f"{POOL}.cards_per_server.used") == "8 card/server"  # the branch that was taken
    assert good.ledger.formula_in_words(f"{POOL}.cards", "zh-CN") == "采购服务器数 × 每台服务器卡数"


def test_figures_with_their_units(good):
    assert good.with_unit(f"{C}.flops") == "4.20×10²³ FLOP"
    assert good.with_unit(f"{W}.mfu.used") == "40.0%"
    assert good.with_unit(f"{POOL}.servers") == "125 servers"
    assert good.with_unit("cost.capex") == "82,500,000.00 CNY"
    assert good.with_unit(f"{W}.model.parameters") == "70.0B parameters"
    assert good.with_unit(f"{POOL}.accelerator") == "nvidia/a100-sxm4-80gb"
    assert good.figure(f"{C}.days") == "38.95"
