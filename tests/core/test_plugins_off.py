"""A run without one of its plugins: which there are, how one is kept out, and what the rest still says."""

from __future__ import annotations

from types import ModuleType

import pytest
from attrs import evolve

from capframe import CapframeError, Host, Item, LineItem, count_of, load, plugins, round_up

BUILT_IN = {"ascend", "brief", "cluster", "compute", "cost", "data", "memory", "nvidia", "power", "workbook"}
SPEAKS = {"capframe_items", "capframe_line_items"}
ESTIMATORS = sorted(name for name in Host().plugins if SPEAKS & {*Host().hooks_of(name)})
BUYERS = [name for name in ESTIMATORS if "capframe_items" in Host().hooks_of(name)]


def test_the_built_in_plugins_come_by_the_entry_points_that_anybody_uses():
    host = Host()
    assert host.plugins.keys() >= BUILT_IN
    assert host.broken == {}
    assert {host.plugins[name].module.split(".")[0] for name in BUILT_IN} == {"capframe_plugins"}
    assert host.plugins["power"].distribution.startswith("capframe ")


def test_a_hook_without_its_mark_is_refused_whatever_it_is(host_with):
    """Without @hookimpl it would be passed over without a word."""
    module = ModuleType("extra")
    module.capframe_line_items = list
    fault = host_with({"extra": module}).broken["extra"].fault
    assert fault == "function 'capframe_line_items' is not marked with @hookimpl"


def test_a_hook_may_take_fewer_arguments(plugin_of, host_with):
    assert host_with({"extra": plugin_of(line_items=lambda p: [p], checks=[])}).broken == {}


def test_an_extra_plugin_of_a_taken_name_is_refused(plugin_of, host_with):
    host = host_with({"power": plugin_of(line_items=[LineItem("a.b", 1, "1", label="x")])})
    assert "power" in host.broken["power"].fault


# ---------------------------------------------------------------- switching off


def test_the_environment_and_the_caller_both_switch_off(monkeypatch):
    monkeypatch.setenv(plugins.OFF, "power")
    host = Host(off=["cost"])
    assert host.off == {"power", "cost"}
    assert not {"power", "cost"} & host.plugins.keys()


def test_a_name_to_switch_off_that_matches_nothing_is_refused():
    with pytest.raises(CapframeError, match="there is no plugin 'powr' to switch off; did you mean 'power'"):
        Host(off=["powr"])


@pytest.mark.parametrize("name", sorted(Host().plugins))
def test_without_any_one_plugin_the_rest_still_works(root, host_with, name):
    text = root / "examples" / "mozi-70b.yaml"
    if name == "nvidia":  # the example picks one of its parts
        with pytest.raises(CapframeError, match="no accelerator is called 'nvidia/a100-sxm4-80gb'"):
            load(text, host=host_with(off=[name]))
        return
    ledger = load(text, host=host_with(off=[name])).ledger()
    results = ledger.evaluate()
    assert not [line for line in ledger.lines.values() if line.plugin == name]
    assert all(
        f"plugin {name!r} is off" in line or "left out" in line or "no active plugin" in line
        for line in ledger.left_out
    )
    assert bool(ledger.lines) is (name != "cluster")  # without workloads and pools nobody has anything to say
    assert results.columns[0] == "base"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_nothing_fails_only_because_a_plugin_is_off(root, host_with, name):
    results = load(root / "examples" / "mozi-70b.yaml", host=host_with(off=[name])).ledger().evaluate()
    statuses = results.statuses()
    assert not [one.check.key for one in statuses if one.check.severity == "error" and one.result == "fail"]


def test_what_a_line_replaces_stays_where_that_line_reads_a_plugin_that_is_off(root, host_with):
    """Without the time of a checkpoint nobody can compute goodput: the typical one is used again."""
    ledger = load(root / "examples" / "mozi-70b.yaml", host=host_with(off=["storage"])).ledger()
    assert ledger.lines["workloads.pretrain.goodput.computed"].plugin == "compute"
    assert ledger.evaluate().value("workloads.pretrain.goodput.used") == 0.9
    key, needs = "workloads.pretrain.goodput.computed", "workloads.pretrain.storage.checkpoint_write"
    assert f"{key}: reads {needs}, and plugin 'storage' is off; the line of 'compute' stays" in ledger.left_out


def test_an_item_that_is_left_out_leaves_the_sums_of_the_others_alone(root, host_with, plugin_of):
    """Pumps are counted by the power of the site; without the plugin power nobody knows how many."""

    def pumps(p):
        count = round_up(p.power.it / p.power.each)
        yield Item(p.extra.pumps, count_of(count, "system"), "system", label="Pumps", part=p.storage.system, sort="X")

    path = root / "examples" / "mozi-70b.yaml"
    with_pumps = host_with({"extra": plugin_of(items=pumps)}, off=["power"])
    without = load(path, host=host_with(off=["power"])).ledger().evaluate()
    found = load(path, host=with_pumps).ledger()
    assert [line for line in found.left_out if line.startswith("extra.pumps")]
    assert found.evaluate().value("cost.capex") == without.value("cost.capex") > 0


def test_a_mistake_says_which_plugins_are_off(read_plan):
    with pytest.raises(CapframeError, match="unknown unit 'CNYY'") as caught:
        read_plan("line_items:\n  - {key: a.b, formula: 2, unit: CNYY, label: X}\n", off=["cost"])
    assert caught.value.__notes__ == ["switched off: cost; what they declare is not known here"]


# ---------------------------------------------------------------- what the plan itself says to a plugin that is off

PLAN = """
currency: CNY
workloads:
  pretrain: {pool: main, model: {parameters: 13B}, tokens: 2T, deadline: 60 d, mfu: 38%}
pools:
  main: {accelerator: nvidia/h100-sxm5-80gb, count: 512}
"""
SCENARIOS = f"""{PLAN}
scenarios:
  fast:
    storage.longest_write: 2 min
    storage: {{kept: 4}}
    cost: {{tariff: 0.7 CNY/kWh}}
    prices.nvidia/h100-sxm5-80gb: {{price: 200000 CNY, per: card, vat: excluded}}
    workloads.pretrain.mfu: 40%
  slow:
    prices: [{{part: nvidia/h100-sxm5-80gb, price: 200000 CNY, per: card, vat: excluded}}]
"""


def test_inputs_of_a_plugin_that_is_off_are_left_out_of_scenarios_though_base_has_no_such_section(read_plan):
    plan = read_plan(SCENARIOS, off=["storage", "cost"])
    assert plan.left_out == (
        "scenarios.fast.storage.longest_write",
        "scenarios.fast.storage",
        "scenarios.fast.cost",
        "scenarios.fast.prices.nvidia/h100-sxm5-80gb",
        "scenarios.slow.prices",
    )
    assert plan.inputs["workloads.pretrain.mfu"].given("fast").value == 0.4


def test_inputs_of_a_plugin_that_is_off_are_left_out_of_what_is_set(read_plan):
    changes = ["storage.longest_write=2 min", "scenarios.fast.cost.tariff=", "prices.nvidia/h100-sxm5-80gb=auto"]
    plan = read_plan(f"{PLAN}scenarios: {{fast: {{}}}}\n", off=["storage", "cost"], overrides=changes)
    assert plan.left_out == (
        "--set #1: storage.longest_write",
        "--set #2: scenarios.fast.cost.tariff",
        "--set #3: prices.nvidia/h100-sxm5-80gb",
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ("storage.longest_rite=2 min", "--set #1: no input 'storage.longest_rite'; did you mean 'storage.longest_"),
        ("storage.longest_write=2 m", "--set #1: '2 m' is in m, which is not s"),
        ("sturage.longest_write=2 min", "--set #1: no input 'sturage.longest_write'; did you mean 'storage.longest_"),
        ("scenarios.fats.storage.kept=2", "--set #1: no scenario 'fats'; did you mean 'fast'"),
    ],
)  # fmt: skip
def test_a_slip_stays_a_mistake_while_plugins_are_off(read_plan, changes, says):
    with pytest.raises(CapframeError) as caught:
        read_plan(f"{PLAN}scenarios: {{fast: {{}}}}\n", off=["storage"], overrides=[changes])
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "typed", ["storage.longest_rite: 2 min", "storage: {longest_rite: 2 min}", "storage: {longest_write: 2 CNY}"]
)
def test_a_slip_in_a_scenario_stays_a_mistake_while_plugins_are_off(read_plan, typed):
    with pytest.raises(CapframeError, match=r"longest_rite|2 CNY"):
        read_plan(f"{PLAN}scenarios: {{fast: {{{typed}}}}}\n", off=["storage"])


@pytest.mark.parametrize("off", [["cost"], ["nvidia"]])
def test_a_price_of_no_part_stays_a_mistake_while_plugins_are_off(read_plan, off):
    price = "{part: nvidia/h900, price: 2 CNY, per: card, vat: excluded}"
    parts = PLAN.replace("nvidia/h100-sxm5-80gb", "huawei/ascend-910b2")
    text = f"{parts}scenarios: {{fast: {{prices: [{price}]}}}}\n"
    with pytest.raises(CapframeError, match="'nvidia/h900'"):
        read_plan(text, off=off)
    known = text.replace("h900", "h200-sxm5-141gb")
    assert len(read_plan(known, off=off).left_out) == 1
    base = f"{parts}prices: [{price}]\n"
    if off == ["nvidia"]:
        with pytest.raises(CapframeError, match="'nvidia/h900'"):
            read_plan(base, off=off)
        assert read_plan(base.replace("h900", "h200-sxm5-141gb"), off=off).left_out == (
            "prices.nvidia/h200-sxm5-141gb",
        )


OWN = f"""{PLAN}
line_items:
  - {{key: mine.fee, inputs: {{each: 3 CNY/card}}, formula: each * pools.main.cards, unit: CNY, label: Fee}}
  - {{key: mine.both, formula: mine.fee * 2, unit: CNY, label: Twice}}
  - {{key: mine.bought, formula: pools.main.cards.purchase / pools.main.cards.purchase, unit: "1", label: Of cost}}
  - {{key: mine.share, formula: pools.main.cards / 2, unit: card, label: Half}}
claims:
  - {{line: cost.capex, value: 3 CNY}}
  - {{line: pools.main.cards, value: 512 cards}}
scenarios:
  dear: {{mine.fee.each: 4 CNY/card}}
"""


def test_lines_and_claims_in_a_unit_of_a_plugin_that_is_off_are_left_out_with_the_reason(read_plan):
    ledger = read_plan(OWN, off=["cost"]).ledger()
    assert [line for line in ledger.left_out if "mine." in line or "claim" in line] == [
        "mine.fee: '3 CNY/card': unknown unit 'CNY', and plugin 'cost' is off",
        "mine.both: unknown unit 'CNY', and plugin 'cost' is off",
        "claim on cost.capex: '3 CNY': unknown unit 'CNY', and plugin 'cost' is off",
        "mine.bought: reads pools.main.cards.purchase, and plugin 'cost' is off",
    ]
    assert ledger.plan.left_out == ("scenarios.dear.mine.fee.each",)
    assert ledger.evaluate().value("mine.share") == 256  # 512 / 2
    assert "claims.pools.main.cards.factor" in ledger.lines
    assert not read_plan(OWN).ledger().left_out


def test_what_is_left_out_is_said_in_the_language_that_is_asked_for(read_plan):
    plan = read_plan(OWN, off=["cost"])
    ledger = evolve(plan, header=evolve(plan.header, language="zh-CN")).ledger()
    assert "mine.fee: 用到插件声明的单位或函数, 而插件 'cost' 已关闭" in ledger.left_out
    assert "mine.bought: 引用了 pools.main.cards.purchase, 而插件 'cost' 已关闭" in ledger.left_out


def test_a_slip_in_a_line_of_the_plan_stays_a_mistake_while_plugins_are_off(read_plan):
    with pytest.raises(CapframeError) as caught:
        read_plan(OWN.replace("cards.purchase /", "cards.purchaze /"), off=["cost"]).ledger()
    assert "reads 'pools.main.cards.purchaze', which nothing gives" in str(caught.value)
    with pytest.raises(CapframeError, match="'3 CNYY/card': unknown unit 'CNYY'"):
        read_plan(OWN.replace("3 CNY/card", "3 CNYY/card"), off=["cost"])


def test_a_plugin_that_is_off_and_broken_excuses_nothing(read_plan, plugin_of):
    def sections():
        raise RuntimeError

    with pytest.raises(CapframeError, match=r"no input 'storage\.kept'"):
        read_plan(
            f"{PLAN}scenarios: {{fast: {{storage.kept: 4}}}}\n",
            extra={"broken": plugin_of(sections=sections)}, off=["broken", "storage"],
        )  # fmt: skip


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_lines_and_claims_of_an_example_do_not_stop_a_run_without_a_plugin(root, host_with, name):
    ledger = load(root / "examples" / "own-lines.toml", host=host_with(off=[name])).ledger()
    assert ledger.evaluate().columns == ("base", "dear")


def test_what_does_not_read_a_plugin_keeps_its_value_without_it(root, host_with):
    path = root / "examples" / "mozi-70b.yaml"
    everything = load(path).ledger().evaluate()
    for name in ESTIMATORS:
        if name in BUYERS:  # what they buy is in the sums of others
            continue
        without = load(path, host=host_with(off=[name])).ledger().evaluate()
        same = [key for key in without.ledger.lines if without.value(key) == everything.value(key)]
        available = [key for key in without.ledger.lines if without.reason(key) is None]
        assert len(available) > 10
        assert set(available) <= set(same)
