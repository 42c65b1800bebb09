"""A run without one of its plugins: which there are, how one is kept out, and what the rest still says."""

from __future__ import annotations

from types import ModuleType

import pytest

from capframe import CapframeError, Host, Item, LineItem, count_of, load, plugins, round_up

BUILT_IN = {"ascend", "brief", "cluster", "compute", "cost", "data", "memory", "nvidia", "power", "workbook"}
ESTIMATORS = ["cluster", "compute", "memory", "power", "cost"]


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


@pytest.mark.parametrize("name", [*ESTIMATORS, "nvidia", "ascend", "data", "brief", "workbook"])
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


@pytest.mark.parametrize("name", ["memory", "network", "storage", "power", "failures", "cost", "availability"])
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
    with pytest.raises(CapframeError, match="unknown unit 'CNY'") as caught:
        read_plan("line_items:\n  - {key: a.b, formula: 2, unit: CNY, label: X}\n", off=["cost"])
    assert caught.value.__notes__ == ["switched off: cost; what they declare is not known here"]


def test_what_does_not_read_a_plugin_keeps_its_value_without_it(root, host_with):
    path = root / "examples" / "mozi-70b.yaml"
    everything = load(path).ledger().evaluate()
    for name in ESTIMATORS[1:]:
        without = load(path, host=host_with(off=[name])).ledger().evaluate()
        same = [key for key in without.ledger.lines if without.value(key) == everything.value(key)]
        available = [key for key in without.ledger.lines if without.reason(key) is None]
        assert len(available) > 10
        assert set(available) <= set(same)
