"""The plugin host: what it finds, what it refuses, and whose name stands in every message."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import frozen

from capframe import (
    CapframeError,
    CatalogFile,
    Check,
    Exporter,
    Given,
    Host,
    LineItem,
    RecordKind,
    Ref,
    Section,
    UnitDefinition,
    at_most,
    discovery,
    hookcheck,
    hookimpl,
    hookspecs,
    plugins,
    quantity,
)
from capframe.errors import PlanError, PluginError

ROOT = Path(__file__).parents[2]
LINE = """
from capframe import LineItem, hookimpl

@hookimpl
def capframe_line_items(p):
    yield LineItem(p.liquid.pumps, p.power.it * 2, "kW", label="Pumps")
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Install distributions: ``site("capframe-liquid", points={"liquid": "capframe_liquid"}, code=…)``."""
    before = set(sys.modules)

    def install(project, points, code=None, version="1.2", requires=(), folder="site"):
        where = tmp_path / folder
        info = where / f"{project.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        needs = "".join(f"Requires-Dist: {text}\n" for text in requires)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n{needs}")
        lines = "".join(f"{name} = {value}\n" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[capframe]\n{lines}")
        for module, text in (code or {}).items():
            (where / f"{module}.py").write_text(text)
        if str(where) not in sys.path:
            monkeypatch.syspath_prepend(where)
        return where

    yield install
    for name in set(sys.modules) - before:
        if name.startswith("capframe_") and not name.startswith("capframe_plugins"):
            del sys.modules[name]


def file_of(tmp_path, code, name="mine.py"):
    path = tmp_path / name
    path.write_text(code)
    return path


# ------------------------------------------------ 1, 2 and L01: one broken plugin does not bring down the others


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import nothing_of_that_name\n", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero (capframe_liquid.py:1)"),
        ("def f(:\n", "SyntaxError: invalid syntax"),
        ("raise SystemExit(3)\n", "SystemExit: 3 (capframe_liquid.py:1)"),
        ("raise GeneratorExit\n", "GeneratorExit:  (capframe_liquid.py:1)"),
        ("class Stop(BaseException): ...\nraise Stop('now')\n", "Stop: now (capframe_liquid.py:2)"),
    ],
)
def test_a_plugin_that_fails_at_import_is_broken_and_the_others_work(site, code, said):
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": code})
    host = Host()
    assert list(host.broken) == ["liquid"]
    assert host.broken["liquid"].fault.startswith(said)
    assert host.plugins["power"].state == "in use"
    [fault] = host.faults()
    assert fault.startswith("plugin 'liquid' (capframe-liquid 1.2) could not be loaded: ")
    assert fault.endswith("; --no-plugin liquid silences this")


def test_a_stale_install_is_told_with_entry_point_value_distribution_version_and_option(site):
    site("capframe-liquid", {"liquid": "capframe_liquid.estimators"})
    [fault] = Host().faults()
    assert fault == (
        "plugin 'liquid' (capframe-liquid 1.2) could not be loaded: entry point `liquid = capframe_liquid.estimators`: "
        "ModuleNotFoundError: No module named 'capframe_liquid' (a stale install? `pip install --force-reinstall "
        "capframe-liquid` or `pip uninstall capframe-liquid`); --no-plugin liquid silences this"
    )


def test_a_fault_elsewhere_names_the_entry_point_too(site):
    code = {"capframe_liquid": "import capframe_pipes\n", "capframe_pipes": "1 / 0\n"}
    site("capframe-liquid", {"liquid": "capframe_liquid"}, code)
    said = "entry point `liquid = capframe_liquid`: ZeroDivisionError: division by zero (capframe_pipes.py:1)"
    assert Host().broken["liquid"].fault == said


def test_entry_points_that_cannot_be_read_are_told_and_hide_no_other(site):
    where = site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": LINE})
    [info] = where.glob("*.dist-info")
    (info / "entry_points.txt").write_bytes(b"[capframe]\n\xff\xfe = x\n")
    host = Host()
    assert "power" in host.plugins
    [fault] = host.faults()
    assert str(where) in fault
    assert "its entry points cannot be read: UnicodeDecodeError" in fault


def test_strictness_makes_any_failure_fatal_and_names_all(site):
    site("capframe-liquid", {"liquid": "capframe_liquid", "air": "capframe_air"})
    with pytest.raises(CapframeError) as caught:
        Host().insist()
    first, second, last = str(caught.value).splitlines()
    assert first.startswith("plugin 'air' (capframe-liquid 1.2) could not be loaded")
    assert second.startswith("plugin 'liquid' (capframe-liquid 1.2) could not be loaded")
    assert last == "plugins are strict (--strict-plugins): any failure is fatal"
    Host(off=["liquid", "air"]).insist()


def test_a_plan_that_reads_a_line_of_a_broken_plugin_fails_with_the_fault(site, read_plan, plugin_of):
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": "1 / 0\n"})
    reader = plugin_of(line_items=lambda p: [LineItem(p.mine.all, p.liquid.pumps * 2, "kW", label="All")])
    with pytest.raises(PlanError) as caught:
        read_plan(extra={"mine": reader}).ledger()
    assert "mine.all (plugin 'mine'): reads 'liquid.pumps', which nothing gives" in str(caught.value)
    assert "plugin 'liquid' (capframe-liquid 1.2) could not be loaded: ZeroDivisionError" in str(caught.value)


def test_a_plan_with_a_section_of_a_broken_plugin_fails_with_the_fault(site, read_plan):
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": "1 / 0\n"})
    with pytest.raises(PlanError) as caught:
        read_plan("liquid: {pump_share: 2%}\n")
    assert "unknown key 'liquid'" in str(caught.value)
    assert "plugin 'liquid' (capframe-liquid 1.2) could not be loaded: ZeroDivisionError" in str(caught.value)


# ------------------------------------------------ 5 and L02: order never matters


def two_estimators(site, order):
    for name in order:
        code = LINE.replace("liquid.pumps", f"{name}.pumps")
        site(f"capframe-{name}", {name: f"capframe_{name}"}, {f"capframe_{name}": code}, folder=f"site_of_{name}")


@pytest.mark.parametrize("order", [("air", "liquid"), ("liquid", "air")])
def test_answers_come_by_name_whatever_was_installed_first(site, order):
    two_estimators(site, order)
    host = Host()
    keys = [item.key for name, item in host.collect("capframe_line_items", plan=_Nothing(), p=Ref("")) if name in order]
    assert keys == ["air.pumps", "liquid.pumps"]


class _Nothing:
    """An outline without collections."""

    def __getattr__(self, name):
        return {}


def test_two_providers_of_one_line_are_refused_naming_both_in_any_order(read_plan, plugin_of):
    one = plugin_of(line_items=lambda p: [LineItem(p.shared.line, 1, "kW", label="One")])
    two = plugin_of(line_items=lambda p: [LineItem(p.shared.line, 2, "kW", label="Two")])
    said = set()
    for extra in ({"one": one, "two": two}, {"two": two, "one": one}):
        with pytest.raises(PlanError) as caught:
            read_plan(extra=extra).ledger()
        said.add(str(caught.value))
    [message] = said
    assert "is given by both 'one' and 'two'; let one say replaces=True, or switch one off" in message


# ------------------------------------------------ 6, 8 and L05: one name, one plugin


def test_two_distributions_of_one_name_are_broken_and_both_named(site):
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": LINE})
    site("other-liquid", {"liquid": "other_liquid"}, version="0.3")
    fault = Host().broken["liquid"].fault
    assert fault == "two distributions bring it: capframe-liquid 1.2 and other-liquid 0.3; uninstall one"


def test_of_two_copies_of_a_distribution_the_first_on_the_path_counts(site):
    second = site("capframe-liquid", {"liquid": "capframe_liquid"}, version="1.1", folder="second")
    first = site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": LINE}, folder="first")
    host = Host()
    assert host.faults() == []
    assert host.plugins["liquid"].distribution == "capframe-liquid 1.2"
    assert discovery.hidden_copies() == [f"capframe-liquid 1.1 in {second} is passed over, hidden by 1.2 in {first}"]


def test_one_module_under_two_names_is_asked_once(site):
    site("capframe-liquid", {"liquid": "capframe_liquid", "water": "capframe_liquid"}, {"capframe_liquid": LINE})
    host = Host()
    assert host.faults() == []
    assert host.plugins["liquid"].state == "in use"
    assert host.plugins["water"].state == "passed over: the same module as plugin 'liquid' (capframe-liquid 1.2)"


def test_a_file_named_twice_is_one(tmp_path):
    path = file_of(tmp_path, LINE)
    host = Host(files=[path, tmp_path / "." / "mine.py"])
    assert host.plugins["mine"].state == "in use"


# ------------------------------------------------ 9: what a plugin requires is read before it is imported


OLD = "too old: needs capframe{}, and this is capframe 0.1.0; look for a newer version of the plugin"


@pytest.mark.parametrize(
    ("requires", "fault"),
    [
        (["capframe"], ""),
        (["capframe>=0.1"], ""),
        (["attrs>=99", "capframe-pumps>=99"], ""),
        (["capframe>=9; python_version < '3'"], ""),
        (["capframe>=9; extra == 'more'"], ""),
        (["capframe>=9"], "too new: needs capframe>=9, and this is capframe 0.1.0; upgrade capframe"),
        (["Capframe ~=0.2.1"], "too new: needs capframe~=0.2.1, and this is capframe 0.1.0; upgrade capframe"),
        (["capframe==1.*"], "too new: needs capframe==1.*, and this is capframe 0.1.0; upgrade capframe"),
        (["capframe<0.1"], OLD.format("<0.1")),
        (["capframe>=0.0.1,<0.1"], OLD.format("<0.1,>=0.0.1")),
    ],
)  # fmt: skip
def test_a_plugin_for_another_capframe_is_not_imported(site, requires, fault):
    code = LINE if not fault else "raise RuntimeError('imported')\n"
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": code}, requires=requires)
    assert Host().plugins["liquid"].fault == fault


def test_a_plugin_file_says_what_it_needs_in_its_script_block(tmp_path):
    block = '# /// script\n# dependencies = ["capframe>=9"]\n# ///\nraise RuntimeError\n'
    fault = Host(files=[file_of(tmp_path, block)]).broken["mine"].fault
    assert fault == "too new: needs capframe>=9, and this is capframe 0.1.0; upgrade capframe"


# ------------------------------------------------ 10, 11 and L04: hooks and their arguments

MISUSES = [
    (
        "@hookimpl\ndef capframe_line_item(p):\n    return []\n",
        "there is no hook 'capframe_line_item'; did you mean 'capframe_line_items'?",
    ),
    ("@hookimpl\ndef estimatee(plan):\n    return []\n", "there is no hook 'estimatee'"),
    (
        "@hookimpl(specname='capframe_cheks')\ndef mine(plan):\n    return []\n",
        "there is no hook 'capframe_cheks'; did you mean 'capframe_checks'?",
    ),
    (
        "@hookimpl\ndef capframe_line_items(plann):\n    return []\n",
        "hook 'capframe_line_items' has no argument 'plann'; did you mean 'plan'?",
    ),
    (
        "@hookimpl\ndef capframe_units(x):\n    return []\n",
        "hook 'capframe_units' has no argument 'x'; it takes none",
    ),
    (
        "def capframe_line_items(p):\n    return []\n",
        "function 'capframe_line_items' is not marked with @hookimpl",
    ),
    (
        "def capframe_line_itemz(p):\n    return []\n",
        "function 'capframe_line_itemz' is not marked with @hookimpl; did you mean 'capframe_line_items'?",
    ),
]


@pytest.mark.parametrize(("code", "fault"), MISUSES)
def test_a_misspelt_hook_or_argument_is_refused_with_the_nearest_right_name(site, code, fault):
    site(
        "capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": f"from capframe import hookimpl\n{code}"}
    )
    assert Host().plugins["liquid"].fault == fault


def test_all_misuses_are_told_at_once(site):
    code = "from capframe import hookimpl\n" + MISUSES[0][0] + MISUSES[3][0]
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": code})
    assert Host().plugins["liquid"].fault == f"{MISUSES[0][1]}; {MISUSES[3][1]}"


def test_in_a_plugin_file_an_unknown_hook_is_skipped_with_a_sentence(tmp_path):
    code = LINE + "\n@hookimpl\ndef capframe_line_itemz(p):\n    yield from ()\n"
    host = Host(files=[file_of(tmp_path, code)])
    assert host.plugins["mine"].state == "in use"
    assert host.hooks_of("mine") == ["capframe_line_items"]
    [said] = host.faults()
    assert said == (
        "plugin 'mine' (mine.py): there is no hook 'capframe_line_itemz'; did you mean 'capframe_line_items'?; "
        "that hook is skipped"
    )
    with pytest.raises(CapframeError, match="that hook is skipped"):
        host.insist()


def test_a_hook_that_this_capframe_lacks_may_be_optional(site):
    code = LINE + "\n@hookimpl(optionalhook=True)\ndef capframe_dreams(p):\n    yield from ()\n"
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": code})
    assert Host().plugins["liquid"].state == "in use"


def test_hooks_are_only_added_and_keep_their_arguments():
    """Whoever takes a hook away, or renames an argument, breaks plugins that are out there: deprecate instead."""
    with_plan = ["plan", "p"]
    promised = {
        "capframe_catalogs": [],
        "capframe_checks": with_plan,
        "capframe_commands": [],
        "capframe_executors": [],
        "capframe_exporters": [],
        "capframe_functions": [],
        "capframe_importers": [],
        "capframe_items": with_plan,
        "capframe_line_items": with_plan,
        "capframe_sections": [],
        "capframe_templates": [],
        "capframe_units": [],
    }
    now = hookcheck.specifications()
    assert {name: now.get(name) for name in promised} == promised


# ------------------------------------------------ 13: whose fault it is


def test_a_fault_in_a_hook_names_plugin_distribution_hook_and_line(site):
    code = LINE.replace("yield", "1 / 0; yield")
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": code})
    with pytest.raises(PluginError) as caught:
        Host().collect("capframe_line_items", plan=_Nothing(), p=None)
    assert str(caught.value).startswith("plugin 'liquid' (capframe-liquid 1.2), capframe_line_items: ZeroDivisionError")
    assert caught.value.exit_code == 3


def test_an_error_of_ours_from_inside_a_hook_is_a_fault_of_the_plugin(plugin_of):
    def refuses():
        msg = "no licence"
        raise CapframeError(msg)

    host = Host(extra={"mine": plugin_of(units=refuses)})
    with pytest.raises(PluginError, match=r"^plugin 'mine', capframe_units: no licence \(test_plugins\.py:\d+\)$"):
        host.collect("capframe_units")


# ------------------------------------------------ 14, 15: keeping a plugin out


def test_what_is_off_is_not_imported(site):
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": "raise RuntimeError\n"})
    host = Host(off=["liquid"])
    assert "capframe_liquid" not in sys.modules
    assert "liquid" not in host.plugins


def test_the_environment_switches_off_too(monkeypatch):
    monkeypatch.setenv(plugins.OFF, "power, cost")
    assert Host().off == {"power", "cost"}


def test_a_name_to_switch_off_that_nobody_has_is_refused(monkeypatch):
    monkeypatch.setenv(plugins.OFF, "powr")
    with pytest.raises(CapframeError, match="there is no plugin 'powr' to switch off; did you mean 'power'"):
        Host()


# ------------------------------------------------ L06: nothing is remembered


def test_discovery_that_fails_once_works_the_next_time(monkeypatch):
    real, calls = discovery.distributions, []

    def fails_once():
        calls.append(1)
        if len(calls) == 1:
            msg = "stale file handle"
            raise OSError(msg)
        return real()

    monkeypatch.setattr(discovery, "distributions", fails_once)
    with pytest.raises(CapframeError, match="cannot be listed: OSError: stale file handle"):
        Host()
    assert "power" in Host().plugins


def test_a_plugin_that_fails_once_works_the_next_time(site):
    where = site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": "1 / 0\n"})
    assert "liquid" in Host().broken
    (where / "capframe_liquid.py").write_text(LINE + "# mended\n")
    assert Host().plugins["liquid"].state == "in use"


# ------------------------------------------------ L07: what a plugin yields is not trusted


@pytest.mark.parametrize(
    ("hook", "answer", "said"),
    [
        ("units", lambda: "card", "the hook gives a str; it yields its items one by one"),
        ("units", lambda: 3, "the hook gives a int; it yields its items one by one"),
        ("units", lambda: {UnitDefinition("rack")}, "the hook gives a set, which has no order"),
        ("units", lambda: ["card"], "yields 'card', which is no UnitDefinition"),
        ("exporters", lambda: ["data"], "yields 'data', which is no Exporter"),
        ("exporters", lambda: [Exporter], "which is no Exporter"),
        ("functions", lambda: [max], "which is no Function"),
        ("templates", lambda: ["folder"], "yields 'folder', which is no TemplateFolder"),
        ("commands", lambda: [("stress", "m:f")], "which is no Command"),
        ("executors", lambda: [None], "yields None, which is no Executor"),
        ("importers", lambda: [".csv"], "yields '.csv', which is no Importer"),
    ],
)
def test_an_item_of_a_wrong_kind_is_refused(plugin_of, hook, answer, said):
    host = Host(extra={"bad": plugin_of(**{hook: answer})})
    with pytest.raises(PluginError) as caught:
        host.collect(f"capframe_{hook}")
    assert str(caught.value).startswith(f"plugin 'bad', capframe_{hook}: TypeError: ")
    assert said in str(caught.value)


def item(**changed):
    return {"key": "bad.line", "formula": 1, "unit": "1", "label": "Bad", **changed}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"formula": "three"}, "not the text 'three'"),
        ({"formula": None}, "TypeError"),
        ({"formula": [1, 2]}, "TypeError"),
        ({"formula": float("nan")}, "its formula holds nan; a formula holds finite numbers only"),
        ({"formula": float("inf")}, "its formula holds inf"),
        ({"unit": None}, "'unit'"),
        ({"unit": 3}, "'unit'"),
        ({"unit": "kWs2"}, "unknown unit 'kWs2'"),
        ({"label": ""}, "label"),
        ({"label": 7}, "label"),
        ({"label": {"en": 7}}, "'label' is a text or {'en': …, 'zh': …}, not {'en': 7}"),
        ({"low": "none"}, "'low'"),
        ({"high": float("nan")}, "'high'"),
        ({"source": 7}, "'source'"),
        ({"key": "nodots"}, "needs an area in front"),
        ({"key": "bad.a b"}, "is no name"),
        ({"key": "h100.tdp"}, "starts like a cell address"),
        ({"key": 7}, "TypeError"),
    ],
)
def test_a_wrong_line_is_refused_naming_plugin_and_what(read_plan, plugin_of, changed, said):
    def lines():
        given = item(**changed)
        yield LineItem(given.pop("key"), given.pop("formula"), given.pop("unit"), **given)

    with pytest.raises(CapframeError) as caught:
        read_plan(extra={"bad": plugin_of(line_items=lines)}).ledger()
    assert "plugin 'bad'" in str(caught.value)
    assert said in str(caught.value)


def test_a_line_without_a_unit_is_refused(read_plan, plugin_of):
    bad = plugin_of(line_items=lambda: [LineItem("bad.line", 3, label="Three")])
    with pytest.raises(PluginError, match=r"plugin 'bad', capframe_line_items: TypeError: .*'unit'"):
        read_plan(extra={"bad": bad}).ledger()


@frozen(kw_only=True)
class Wagons:
    given: Given = quantity("wagon", label="Given", default="1")


def test_minus_three_things_are_refused_naming_plugin_line_and_value(read_plan, plugin_of):
    bad = plugin_of(
        units=[UnitDefinition("wagon")],
        sections=[Section("bad", Wagons, "Bad")],
        line_items=lambda p: [LineItem("bad.wagons", p.bad.given * -3, "wagon", label="Wagons")],
    )
    with pytest.raises(PlanError, match=r"bad.wagons \(plugin 'bad', scenario 'base'\): is -3 wagon, below 0"):
        read_plan(extra={"bad": bad}).ledger().evaluate()


def test_one_plugin_with_one_key_twice_is_refused(read_plan, plugin_of):
    twice = [LineItem("bad.line", 1, "kW", label="One"), LineItem("bad.line", 2, "kW", label="Two")]
    with pytest.raises(PlanError, match=r"bad.line .*is given by both 'bad' and 'bad'"):
        read_plan(extra={"bad": plugin_of(line_items=lambda: twice)}).ledger()


def test_a_check_of_two_plugins_is_refused(read_plan, plugin_of):
    check = Check("shared.check", at_most(1, 2), "error", "It is too much", label="Enough")
    with pytest.raises(PlanError, match="is a check of both 'one' and 'two'"):
        read_plan(extra={name: plugin_of(checks=lambda: [check]) for name in ("one", "two")}).ledger()


def test_a_plugin_that_never_ends_is_stopped(plugin_of, monkeypatch):
    monkeypatch.setattr(Host, "most_items", 1000)

    def endless():
        number = 0
        while True:
            number += 1
            yield UnitDefinition(f"thing{number}")

    host = Host(extra={"bad": plugin_of(units=endless)})
    with pytest.raises(
        PluginError, match=r"plugin 'bad', capframe_units: .*more than 1,000 items; does its loop end\?"
    ):
        host.collect("capframe_units")


def test_a_formula_that_is_too_deep_is_refused(read_plan, plugin_of):
    def deep(p):
        formula = p.power.it
        for _ in range(5000):
            formula = formula + 1
        yield LineItem(p.bad.deep, formula, "kW", label="Deep")

    with pytest.raises(CapframeError, match="plugin 'bad'"):
        read_plan(extra={"bad": plugin_of(line_items=deep)}).ledger()


def test_what_a_plugin_prints_does_not_end_up_in_our_output(capsys, plugin_of, site):
    site("capframe-liquid", {"liquid": "capframe_liquid"}, {"capframe_liquid": "print('hello')\n" + LINE})
    host = Host(extra={"loud": plugin_of(units=lambda: sys.stdout.write("loud\n") and [])})
    host.collect("capframe_units")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "hello\nloud\n"


# ------------------------------------------------ 17: outputs record their plugins


def test_an_output_is_compared_with_what_is_installed_now(tmp_path):
    host = Host(files=[file_of(tmp_path, LINE)])
    then = host.record()
    assert host.differs_from(then) == []
    assert then["power"] == {"distribution": "capframe", "version": "0.1.0", "state": "in use"}
    assert then["mine"]["version"].startswith("sha256:")
    then["liquid"] = {"distribution": "capframe-liquid", "version": "1.2", "state": "in use"}
    then["power"]["version"] = "0.0.9"
    assert Host(off=["cost"]).differs_from(then) == [
        "plugin 'cost' (capframe 0.1.0) is off",
        "plugin 'liquid' (capframe-liquid 1.2) is not installed",
        f"plugin 'mine' ({then['mine']['version']}) is not installed",
        "plugin 'power' was capframe 0.0.9 and is 0.1.0 now",
    ]


# ------------------------------------------------ 20: plugin files, and nothing from the working directory


def test_a_plugin_file_is_a_plugin_named_by_its_stem(tmp_path):
    path = file_of(tmp_path, LINE, "our_pumps.py")
    host = Host(files=[path])
    assert host.plugins["our_pumps"].file == path
    assert host.hooks_of("our_pumps") == ["capframe_line_items"]
    assert sorted(tmp_path.iterdir()) == [path]  # no byte code beside it


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.py", "there is no such Python file"),
        ("mine.txt", "there is no such Python file"),
        ("our-pumps.py", "'our-pumps' is no name"),
        ("power.py", "capframe 0.1.0 brings a plugin 'power' already; rename the file"),
    ],
)
def test_a_plugin_file_with_a_wrong_name_is_refused(tmp_path, name, said):
    if name != "nowhere.py":
        file_of(tmp_path, LINE, name)
    with pytest.raises(CapframeError, match=f"--plugin-file .*{said}"):
        Host(files=[tmp_path / name])


def test_two_files_of_one_stem_are_refused(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(CapframeError, match="would both be plugin 'mine'; rename one"):
        Host(files=[file_of(tmp_path, LINE), file_of(tmp_path / "a", LINE)])


@pytest.mark.parametrize(
    "start", [["-m", "capframe"], ["-c", "from capframe.cli import main; raise SystemExit(main())"]]
)
def test_nothing_is_loaded_from_the_working_directory(tmp_path, start):
    info = tmp_path / "capframe_sly-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: capframe-sly\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[capframe]\nsly = capframe_sly\n")
    (tmp_path / "capframe_sly.py").write_text("open('ran', 'w')\n")
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "sly.py").write_text("open('ran', 'w')\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if start[0] == "-c":
        start = ["-P", *start]  # `python -c` itself looks in the working directory; the installed command does not
    done = subprocess.run(
        [sys.executable, *start, "plugins", "list"], cwd=tmp_path, env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "power" in done.stdout
    assert "sly" not in done.stdout
    assert not (tmp_path / "ran").exists()


# ------------------------------------------------ 3, 7, 12: contracts of our own plugins


def imports_of(path, *, at_top):
    """Return the modules that a file imports, at module level or anywhere, but for those only types need."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if at_top else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_our_plugins_import_nothing_of_capframe_but_its_api():
    for path in sorted((ROOT / "plugins").rglob("*.py")):
        inside = [name for name in imports_of(path, at_top=False) if name.startswith("capframe.")]
        assert inside == [], path


def test_the_core_does_not_import_its_plugins():
    for path in sorted((ROOT / "capframe").rglob("*.py")):
        assert not any(name.startswith("capframe_plugins") for name in imports_of(path, at_top=False)), path


def test_loading_every_plugin_imports_no_heavy_library():
    code = "import sys; from capframe import Host; Host(); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert loaded & {"openpyxl", "jinja2", "numpy", "pandas", "lxml", "yaml", "babel", "packaging"} <= {"packaging"}


def test_every_hook_has_an_example_in_its_docstring():
    for name in hookcheck.specifications():
        text = inspect.getdoc(getattr(hookspecs, name))
        assert "yield " in text, name
        assert text.startswith("Yield "), name


def test_the_hook_mark_is_what_plugins_import():
    assert hookimpl is hookspecs.hookimpl


# ------------------------------------------------ L05: two catalogues of one part

PART = """\
catalog: 1
kind: gadget
as_of: 2026-11-29
sources: {{lab: {{title: A laboratory}}}}
records:
  - id: ours/chip-one
    origin: {{source: lab, confidence: measured}}
    facts: {{memory: {memory} GB}}
"""


@frozen(kw_only=True)
class Gadget:
    memory: Given = quantity("GB", label="Memory")


@pytest.fixture
def two_catalogs(tmp_path, plugin_of):
    modules = {"kinds": plugin_of(catalogs=[RecordKind("gadget", Gadget, "Gadgets")])}
    for name, memory in (("one", 96), ("two", 64)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(PART.format(memory=memory), encoding="utf-8")
        modules[name] = plugin_of(catalogs=[CatalogFile(path)])
    return modules


def test_two_catalogues_of_one_part_are_refused_naming_both(read_plan, two_catalogs):
    with pytest.raises(PlanError) as caught:
        read_plan(extra=two_catalogs)
    for said in ("ours/chip-one", "'one'", "'two'"):
        assert said in str(caught.value)


@pytest.mark.parametrize(("whose", "memory"), [("one", 96), ("two", 64)])
def test_the_plan_may_say_whose_word_counts(read_plan, two_catalogs, whose, memory):
    plan = read_plan(f"pins: {{ours/chip-one: {whose}}}\n", extra=two_catalogs)
    assert plan.catalog.kinds["gadget"].fact("ours/chip-one", "memory").value == memory


@frozen(kw_only=True)
class Unmeasured:
    width: Given = quantity("furlong", label="Width")


def test_a_fact_in_a_unit_that_nobody_declares_names_the_plugin(read_plan, plugin_of):
    with pytest.raises(CapframeError, match="unknown unit 'furlong'") as caught:
        read_plan(extra={"bad": plugin_of(catalogs=[RecordKind("gadget", Unmeasured, "Gadgets")])})
    assert caught.value.__notes__ == ["said by plugin 'bad', facts of kind 'gadget'"]
