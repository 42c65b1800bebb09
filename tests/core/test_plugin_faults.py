"""The host: which plugins there are, which are kept out, which are broken, and who is to blame."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from capframe import Host, LineItem, hookimpl, load, plugins
from capframe.errors import CapframeError, PluginError

MINIMAL = "capframe: 1\ntitle: T\ndate: 2026-11-29\n"
BUILT_IN = {"ascend", "brief", "cluster", "compute", "cost", "data", "memory", "nvidia", "power", "workbook"}


class Distribution:
    """What an entry point knows of the package that brings it."""

    def __init__(self, name, version="1.0"):
        self.name, self.version = name, version


def point(name, value, owner="capframe-extra"):
    one = EntryPoint(name, value, plugins.GROUP)
    vars(one)["dist"] = Distribution(owner)
    return one


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Install modules from source text: ``installed(broken="import nothing_like_that")`` finds the entry points too."""
    real = list(plugins.entry_points(group=plugins.GROUP))

    def install(*more, **sources):
        monkeypatch.syspath_prepend(tmp_path)
        points = [*real, *more]
        for name, source in sources.items():
            (tmp_path / f"extra_{name}.py").write_text(source, encoding="utf-8")
            points.append(point(name, f"extra_{name}"))
        monkeypatch.setattr(plugins, "entry_points", lambda group: points)  # noqa: ARG005
        return points

    return install


# ---------------------------------------------------------------- finding


def test_the_built_in_plugins_come_by_the_entry_points_that_anybody_uses():
    host = Host()
    assert host.plugins.keys() >= BUILT_IN
    assert host.broken == {}
    assert {host.plugins[name].module.split(".")[0] for name in BUILT_IN} == {"capframe_plugins"}
    assert host.plugins["power"].distribution.startswith("capframe ")


def test_a_plugin_that_cannot_be_imported_is_left_out_and_the_rest_works(installed, plan_file):
    installed(broken="import nothing_like_that\n")
    host = Host()
    assert host.broken.keys() == {"broken"}
    one = host.broken["broken"]
    assert (one.distribution, one.module) == ("capframe-extra 1.0", "extra_broken")
    assert one.fault == "ModuleNotFoundError: No module named 'nothing_like_that' (extra_broken.py:1)"
    assert load(plan_file(MINIMAL), host=host).ledger().evaluate() is not None


FAULTS = {
    "it raises": ("raise RuntimeError('no licence')\n", "RuntimeError: no licence (extra_broken.py:1)"),
    "it has a syntax error": ("def f(:\n", "SyntaxError: invalid syntax"),
    "it looks up a key": ("import sys\nx = {}['key']\n", "KeyError: 'key' (extra_broken.py:2)"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_whatever_goes_wrong_in_an_import_is_kept(installed, name):
    source, fault = FAULTS[name]
    installed(broken=source)
    assert Host().broken["broken"].fault.startswith(fault)


def test_a_fault_of_discovery_does_not_last(monkeypatch):
    calls = []
    real = plugins.entry_points

    def once(group):
        calls.append(group)
        if len(calls) == 1:
            raise OSError
        return real(group=group)

    monkeypatch.setattr(plugins, "entry_points", once)
    with pytest.raises(OSError):  # noqa: PT011 - ours, above
        Host()
    assert Host().plugins.keys() >= BUILT_IN


def test_two_distributions_with_one_plugin_name_are_both_named(installed):
    installed(point("liquid", "liquid_a", "capframe-a"), point("liquid", "liquid_b", "capframe-b"))
    assert Host().broken["liquid"].fault == "two distributions bring it: capframe-a 1.0 and capframe-b 1.0"


def test_one_distribution_that_is_found_twice_is_one(installed):
    """The same package may lie twice on the path; the first one counts."""
    installed(point("power", "capframe_plugins.power", "capframe"))
    assert Host().broken == {}


# ---------------------------------------------------------------- hooks


def test_a_misspelt_hook_is_refused_with_the_nearest(plugin_of, host_with):
    host = host_with({"extra": plugin_of(line_itms=[])})
    assert host.broken["extra"].fault == "there is no hook 'capframe_line_itms'; did you mean 'capframe_line_items'?"


def test_a_hook_without_our_name_is_refused(host_with):
    module = ModuleType("extra")

    @hookimpl
    def estimate(plan):
        return plan

    module.estimate = estimate
    assert host_with({"extra": module}).broken["extra"].fault == "there is no hook 'estimate'"


def test_a_misspelt_argument_is_refused(plugin_of, host_with):
    fault = host_with({"extra": plugin_of(line_items=lambda plann, p, q: [plann, p, q])}).broken["extra"].fault
    assert fault == "hook 'capframe_line_items' has no argument 'plann'; did you mean 'plan'? (it may take plan, p)"
    fault = host_with({"extra": plugin_of(units=lambda plan: [plan])}).broken["extra"].fault
    assert fault == "hook 'capframe_units' has no argument 'plan' (it may take nothing)"


def test_a_hook_without_its_mark_is_refused(host_with):
    """Without @hookimpl it would be passed over without a word."""
    module = ModuleType("extra")
    module.capframe_line_items = list
    assert host_with({"extra": module}).broken["extra"].fault == "'capframe_line_items' is not marked with @hookimpl"


def test_a_hook_may_take_fewer_arguments(plugin_of, host_with):
    assert host_with({"extra": plugin_of(line_items=lambda p: [p], checks=[])}).broken == {}


def test_plugins_are_asked_in_turn_by_name(plugin_of, host_with):
    extra = {name: plugin_of(catalogs=lambda name=name: [name]) for name in ("zeta", "alpha", "mid")}
    answers = [pair for pair in host_with(extra).collect("capframe_catalogs") if pair[0] in extra]
    assert answers == [("alpha", "alpha"), ("mid", "mid"), ("zeta", "zeta")]


def test_a_fault_names_plugin_distribution_hook_and_line(installed):
    installed(
        liquid="from capframe import hookimpl\n@hookimpl\ndef capframe_catalogs():\n    yield 1\n    yield {}['kind']\n"
    )
    with pytest.raises(PluginError) as caught:
        Host().collect("capframe_catalogs")
    assert (
        str(caught.value)
        == "plugin 'liquid' (capframe-extra 1.0), capframe_catalogs: KeyError: 'kind' (extra_liquid.py:5)"
    )


# ---------------------------------------------------------------- switching off


def test_what_is_off_is_not_even_imported(installed, monkeypatch):
    installed(noisy="raise RuntimeError('imported')\n")
    assert Host(off=["noisy"]).broken == {}
    monkeypatch.setenv(plugins.OFF, "noisy")
    assert Host().broken == {}
    monkeypatch.setenv(plugins.OFF, "power,noisy")
    host = Host(off=["cost"])
    assert host.off == {"power", "noisy", "cost"}
    assert not {"power", "noisy", "cost"} & host.plugins.keys()


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_a_name_to_switch_off_that_matches_nothing_is_refused(monkeypatch, how):
    if how == "environment":
        monkeypatch.setenv(plugins.OFF, "powr")
    with pytest.raises(CapframeError, match="there is no plugin 'powr' to switch off; did you mean 'power'"):
        Host(off=["powr"] if how == "argument" else [])


def test_a_broken_plugin_can_be_switched_off(installed):
    installed(broken="import nothing_like_that\n")
    assert Host(off=["broken"]).broken == {}


ESTIMATORS = ["cluster", "compute", "memory", "power", "cost"]


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


def test_what_does_not_read_a_plugin_keeps_its_value_without_it(root, host_with):
    path = root / "examples" / "mozi-70b.yaml"
    everything = load(path).ledger().evaluate()
    for name in ESTIMATORS[1:]:
        without = load(path, host=host_with(off=[name])).ledger().evaluate()
        same = [key for key in without.ledger.lines if without.value(key) == everything.value(key)]
        available = [key for key in without.ledger.lines if without.reason(key) is None]
        assert len(available) > 10
        assert set(available) <= set(same)


def test_an_extra_plugin_of_a_taken_name_is_refused(plugin_of, host_with):
    host = host_with({"power": plugin_of(line_items=[LineItem("a.b", 1, "1", label="x")])})
    assert "power" in host.broken["power"].fault
