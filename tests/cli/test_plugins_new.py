"""``capframe plugins new`` and ``check``; verbs, files and templates of plugins on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

LINES = """
from capframe import LineItem, hookimpl

@hookimpl
def capframe_line_items(p):
    yield LineItem(p.mine.double, p.power.it * 2, "kW", label={"en": "Double", "zh": "两倍"})
"""
VERB = """
import click
from capframe import FOR_PLANS, PLAN, Asked, Command, CapframeError, evaluated, hookimpl, shared

@click.command()
@PLAN
@click.option("--times", default=1)
@shared(FOR_PLANS)
def stress(plan, asked, times):
    \"\"\"Say what breaks first.\"\"\"
    if times == 0:
        1 / 0
    if times < 0:
        raise CapframeError("times is above 0")
    results = evaluated(plan, asked)
    click.echo(f"{times * results.value('power.it'):.1f} kW")
    return 1 if times > 1 else 0

@hookimpl
def capframe_commands():
    yield Command("stress", "Say what breaks first.", %s)
"""


@pytest.fixture
def file(tmp_path):
    def write(code, name="mine.py"):
        path = tmp_path / name
        path.write_text(code, encoding="utf-8")
        return path

    return write


# ------------------------------------------------ new


def test_a_new_plugin_installs_runs_and_has_nothing_to_mend(tmp_path, run):
    source, site = tmp_path / "source", tmp_path / "site"
    ran = run("plugins", "new", "rain_water", source)
    assert ran.status == 0
    module = source / "capframe_rain_water.py"
    assert ran.err.splitlines() == [
        f"try it:     capframe check PLAN --plugin-file {module}",
        f"install it: pip install -e {source}",
        f"test it:    pytest {source / 'tests'}, once it is installed; capframe plugins check rain_water",
    ]
    assert [line.removeprefix(f"{source}{os.sep}") for line in ran.out.splitlines()] == [
        "pyproject.toml",
        "capframe_rain_water.py",
        os.path.join("tests", "test_rain_water.py"),  # noqa: PTH118 - as it is printed
    ]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(site), str(source)], check=True)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    subprocess.run(tests, cwd=source, env=environment, check=True, capture_output=True)
    capframe = [sys.executable, "-m", "capframe", "plugins"]
    done = subprocess.run(
        [*capframe, "check", "rain_water"], env=environment, check=False, capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("rain_water: fine\n", 0)
    done = subprocess.run([*capframe, "list"], env=environment, check=True, capture_output=True, text=True)
    assert "rain_water" in done.stdout
    assert "capframe-rain-water 0.1.0" in done.stdout


@pytest.mark.parametrize("name", ["Rain", "rain-water", "9lives", "", "a.b"])
def test_a_name_that_is_none_is_refused(run, tmp_path, name):
    ran = run("plugins", "new", name, tmp_path / "new")
    assert ran.status == 2
    assert "is no name of a plugin: small letters, digits and _, a letter first" in ran.err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cost", "'cost' is a plugin that comes with capframe (`--no-plugin cost` switches it off)"),
        ("pools", "'pools' is a key that plans have already"),
        ("prices", "'prices' is a key that plans have already"),
        ("title", "'title' is a key that plans have already"),
    ],
)
def test_a_name_that_is_taken_is_refused(run, tmp_path, name, said):
    ran = run("plugins", "new", name, tmp_path / "new")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"{said}; choose another name, such as `capframe plugins new our_{name} {tmp_path / 'new'}`\n"
    assert not (tmp_path / "new").exists()


def test_a_new_plugin_runs_as_a_file_too(run, plan, tmp_path):
    assert run("plugins", "new", "mist", tmp_path / "mist").status == 0
    ran = run("show", plan(), "mist.load", "-q", "--plugin-file", tmp_path / "mist" / "capframe_mist.py")
    # the default: 3 × 250 W = 0.75 kW
    assert ran.out.split()[:3] == ["mist.load", "0.75", "kW"]


def test_nothing_is_overwritten(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text("mine\n")
    ran = run("plugins", "new", "rain", tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "pyproject.toml is there already; choose an empty folder" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


# ------------------------------------------------ check


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("default='200 %%', source='x'", "its default or range cannot be read: '200 %%'"),
        ("default='4', between=('3', 'x'), source='x'", "its default or range cannot be read: 'x'"),
        ("default='4 kW', source='x'", "its default or range cannot be read: '4 kW' is in kW"),
    ],
)
def test_a_default_that_would_stop_every_plan_is_told(run, tmp_path, written, said):
    path = tmp_path / "rain.py"
    path.write_text(f"""
from attrs import frozen
from capframe import Given, Section, hookimpl, quantity

@frozen(kw_only=True)
class Fields:
    share: Given = quantity("1", label={{"en": "Share", "zh": "占比"}}, {written})

@hookimpl
def capframe_sections():
    yield Section("rain", Fields, {{"en": "Rain", "zh": "雨"}})
""")
    ran = run("plugins", "check", path)
    assert ran.status == 1
    assert f"input 'rain.share': {said}" in ran.out


def test_a_unit_is_not_called_as_figures_are_shortened(run, tmp_path):
    path = tmp_path / "rain.py"
    path.write_text("""
from capframe import UnitDefinition, hookimpl

@hookimpl
def capframe_units():
    yield UnitDefinition("K", counted=False)
""")
    ran = run("plugins", "check", path)
    assert ran.status == 1
    assert "'K' behind a figure shortens it (6 K); call the unit otherwise, as 'kelvin' for K" in ran.out


CARELESS = """
from attrs import frozen
import openpyxl
from capframe import Check, Given, LineItem, Section, UnitDefinition, at_most, choice, hookimpl, quantity

@frozen(kw_only=True)
class Fields:
    share: Given = quantity("1", label="Share", default="2%")
    each: Given = quantity("furlong", label={"en": "Each", "zh": "每个"}, optional=True)
    kind: Given = choice(["wet", "dry"], label={"en": "Kind"}, default="wet")

@hookimpl
def capframe_sections():
    yield Section("careless", Fields, "Careless")

@hookimpl
def capframe_line_items(plan, p):
    for name in plan.pools:
        pool = p.pools[name]
        yield LineItem(pool.careless.load, 0.02 * pool.power.it, "kWx", label="Load")

@hookimpl
def capframe_checks(p):
    yield Check(p.careless.bound, at_most(p.power.it, 7), "error", "Too much", label={"en": "Bound", "zh": "上限"})
"""


def test_everything_to_mend_is_told_with_what_to_write(run, file):
    ran = run("plugins", "check", file(CARELESS, "careless.py"))
    assert ran.status == 1
    *found, last = ran.out.splitlines()
    assert last.endswith("careless.py: 7 things to mend, 5 lines of advice")
    first, *others = found
    assert first.startswith("loading it imports ")
    assert "openpyxl" in first  # and what that imports in turn, which differs between machines
    of_the_line = (
        "line 'pools.example.careless.load': its formula holds 0.02; make it an input with a unit and a source, "
        "or say where it comes from (source=…)"
    )
    assert others == [
        "advice: section 'careless': its label is in one language; write {'en': 'Careless', 'zh': '…'}",
        "advice: input 'careless.share': its label is in one language; write {'en': 'Share', 'zh': '…'}",
        "input 'careless.share': its default '2%' has no source; say where it comes from (source=…)",
        "input 'careless.each': unknown unit 'furlong'",
        "advice: input 'careless.kind': its label is in one language; write {'en': 'Kind', 'zh': '…'}",
        "input 'careless.kind': its default 'wet' has no source; say where it comes from (source=…)",
        "advice: line 'pools.example.careless.load': its label is in one language; write {'en': 'Load', 'zh': '…'}",
        "line 'pools.example.careless.load': unknown unit 'kWx'; did you mean 'kW'?",
        of_the_line,
        "advice: sentence of check 'careless.bound': its label is in one language; write {'en': 'Too much', 'zh': '…'}",
        "check 'careless.bound': its formula holds 7; make it an input with a unit and a source",
    ]


def test_a_source_and_a_note_are_in_both_languages_too(run, file):
    code = CARELESS.replace('default="2%")', 'default="2%", source="a guess", note={"en": "of the load"})')
    code = code.replace('label="Load")', 'label="Load", source="our laboratory")')
    told = run("plugins", "check", file(code)).out.splitlines()
    work = ", or name a work as `Author 2025, Title`"
    assert (
        "advice: note of input 'careless.share': it is in one language; write {'en': 'of the load', 'zh': '…'}" in told
    )
    for what, said in (("input 'careless.share'", "a guess"), ("line 'pools.example.careless.load'", "our laboratory")):
        assert f"advice: source of {what}: it is in one language; write {{'en': '{said}', 'zh': '…'}}{work}" in told


def test_one_language_is_enough_for_a_plugin_that_has_no_fault(run, root):
    """The plugin of the README is in English only."""
    ran = run("plugins", "check", root / "tests" / "third_party" / "capframe-liquid" / "capframe_liquid.py")
    *told, last = ran.out.splitlines()
    assert (ran.status, last.endswith("capframe_liquid.py: fine, 5 lines of advice")) == (0, True)
    assert all(line.startswith("advice: ") for line in told)


def test_one_thing_is_told_as_one_and_fine_as_fine(run, file):
    careful = LINES.replace("* 2", "* 3")
    ran = run("plugins", "check", file(careful))
    assert ran.status == 1
    assert ran.out.splitlines()[0] == (
        "line 'mine.double': its formula holds 3; make it an input with a unit and a source, "
        "or say where it comes from (source=…)"
    )
    assert ran.out.endswith("mine.py: 1 thing to mend\n")
    ran = run("plugins", "check", file(LINES))
    assert (ran.status, ran.out.endswith("mine.py: fine\n")) == (0, True)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = 1\n", "it implements no hook; mark its functions with @hookimpl"),
        ("import nothing_of_that_name\n", "could not be loaded: ModuleNotFoundError"),
        (LINES.replace("line_items", "line_itemz"), "there is no hook 'capframe_line_itemz'; did you mean"),
        (VERB % '"nowhere_at_all:stress"', "command 'stress': ModuleNotFoundError"),
        (LINES.replace("p.power.it * 2", "1 / 0"), "capframe_line_items: ZeroDivisionError: division by zero"),
    ],
)
def test_what_does_not_work_at_all_is_told(run, file, code, said):
    ran = run("plugins", "check", file(code))
    assert ran.status == 1
    assert said in ran.out


def test_what_is_no_plugin_is_refused(run):
    ran = run("plugins", "check", "powr")
    assert ran.status == 2
    assert ran.err == "there is no file, plugin or module 'powr'; did you mean 'power'?\n"


def test_an_installed_plugin_and_a_module_are_checked(run, installed):
    installed("liquid", LINES)
    assert run("plugins", "check", "liquid").out == "liquid: fine\n"
    assert run("plugins", "check", "capframe_liquid").out == "capframe_liquid: fine\n"


# ------------------------------------------------ plugin files


def test_a_plugin_file_is_told_on_stderr_and_its_lines_count(run, plan, file):
    path = file(LINES)
    ran = run("show", plan(), "mine", "-q", "--plugin-file", path)
    assert ran.status == 0
    assert ran.err == f"plugin 'mine' is the file {path} (--plugin-file)\n"
    assert ran.out.startswith("mine.double")


def test_a_plugin_file_that_cannot_be_loaded_stops_the_run(run, plan, file):
    ran = run("check", plan(), "--plugin-file", file("1 / 0\n"))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("(mine.py) could not be loaded: ZeroDivisionError: division by zero (mine.py:1)\n")
    ran = run("plugins", "list", "--plugin-file", file("1 / 0\n"))
    assert ran.status == 0
    assert "broken: ZeroDivisionError" in ran.out


def test_a_file_with_an_unknown_hook_works_with_a_sentence(run, plan, file):
    code = LINES + "\n@hookimpl\ndef capframe_dreams(p):\n    yield from ()\n"
    ran = run("show", plan(), "mine", "--plugin-file", file(code))
    assert ran.status == 0
    assert "warning: plugin 'mine' (mine.py): there is no hook 'capframe_dreams'" in ran.err
    assert run("show", plan(), "mine", "--plugin-file", file(code), "--strict-plugins").status == 2


def test_a_plugin_file_named_nowhere_is_refused(run, plan):
    ran = run("check", plan(), "--plugin-file", "nowhere.py")
    assert ran.status == 2
    assert "there is no such Python file" in ran.err


# ------------------------------------------------ strictness, case L01 of the users


def test_a_strict_run_refuses_what_a_plan_does_not_even_need(run, plan, installed, monkeypatch):
    installed("liquid", "import nothing_of_that_name\n")
    assert run("check", plan()).status == 0
    ran = run("check", plan(), "--strict-plugins")
    assert (ran.status, ran.out) == (2, "")
    assert "plugin 'liquid' (capframe-liquid 1.2) could not be loaded" in ran.err
    assert "plugins are strict (--strict-plugins): any failure is fatal" in ran.err
    monkeypatch.setenv("CAPFRAME_STRICT_PLUGINS", "1")
    assert run("check", plan()).status == 2
    ran = run("plugins", "list")
    assert ran.status == 2
    assert "broken: ModuleNotFoundError" in ran.out
    monkeypatch.setenv("CAPFRAME_STRICT_PLUGINS", "0")
    assert run("check", plan()).status == 0


def test_a_plan_that_needs_a_broken_plugin_fails_with_its_fault(run, plan, installed):
    installed("liquid", "import nothing_of_that_name\n")
    path = plan(("power:", "liquid: {pump_share: 2%}\npower:"))
    ran = run("build", path, "-q")
    assert (ran.status, ran.out) == (2, "")
    assert "unknown key 'liquid'; plugin 'liquid' (capframe-liquid 1.2) could not be loaded: ModuleNotFound" in ran.err


# ------------------------------------------------ L07: no partial output


@pytest.mark.parametrize("formula", ["float('nan')", "'three'", "None", "p.power.it * float('inf')"])
def test_wrong_output_of_a_plugin_leaves_no_file_behind(run, plan, file, tmp_path, formula):
    code = LINES.replace("p.power.it * 2", formula)
    ran = run("build", plan(), "-o", tmp_path / "out", "--plugin-file", file(code))
    assert ran.status in {2, 3}
    assert "plugin 'mine'" in ran.err
    assert not (tmp_path / "out").exists()


def test_a_failing_exporter_leaves_no_file_behind(run, plan, file, tmp_path):
    code = """
from capframe import Exporter, hookimpl

def write(results, path):
    path.write_text("half")
    1 / 0

@hookimpl
def capframe_exporters():
    yield Exporter("half", ".half", write)
"""
    ran = run("build", plan(), "-f", "json,half", "-o", tmp_path / "out", "--plugin-file", file(code))
    assert ran.status == 3
    assert "plugin 'mine' (mine.py), exporter: ZeroDivisionError" in ran.err
    assert not (tmp_path / "out").exists()


# ------------------------------------------------ verbs of plugins


def test_a_verb_of_a_plugin_runs_with_the_shared_options(run, plan, file):
    path = file(VERB % "stress")
    ran = run("stress", plan(), "--plugin-file", path, "-q")
    assert ran.status == 0
    assert ran.out.endswith(" kW\n")
    assert run("stress", plan(), "--plugin-file", path, "--times", "2").status == 1
    assert "Say what breaks first." in run("stress", "--help", "--plugin-file", path).out


def test_a_verb_of_an_installed_plugin_is_found_by_name(run, plan, installed):
    installed("mine", VERB % '"capframe_mine:stress"')
    assert run("stress", plan()).status == 0
    assert "stress" not in run("--help").out
    ran = run("plugins", "list", "-v")
    assert "commands:\n  stress: Say what breaks first. (plugin 'mine')\n" in ran.out
    assert run("stress", plan(), "--no-plugin", "mine").err.startswith("Usage: ")


def test_faults_of_a_verb_are_its_plugins(run, plan, file):
    path = file(VERB % "stress")
    ran = run("stress", plan(), "--plugin-file", path, "--times", "0")
    assert ran.status == 3
    assert "plugin 'mine' (mine.py), command 'stress': ZeroDivisionError: division by zero (mine.py:12)" in ran.err
    ran = run("stress", plan(), "--plugin-file", path, "--times", "-1")
    assert ran.status == 2
    assert ran.err.endswith("times is above 0\nsaid by plugin 'mine' (mine.py), command 'stress'\n")
    ran = run("stress", plan(("pue: 1.2", "peu: 1.2")), "--plugin-file", path)
    assert ran.err.endswith("did you mean 'pue'?\n1 mistake; nothing was written\n")  # of the plan, not of the plugin
    ran = run("stress", plan(), "--plugin-file", path, "--tims", "1")
    assert ran.status == 2
    assert "No such option" in ran.err


def test_a_mistyped_verb_is_met_with_the_nearest_of_all(run, file):
    path = file(VERB % "stress")
    assert run("stres", "--plugin-file", path).err.endswith("no command 'stres'; did you mean 'stress'?\n")


def test_a_verb_that_is_ours_is_a_clash_that_the_list_tells(run, file):
    code = (VERB % "stress").replace('"stress"', '"check"')
    ran = run("plugins", "list", "-v", "--plugin-file", file(code))
    assert ran.status == 0
    assert "command 'check' is given by both capframe itself and plugin 'mine' (mine.py)" in ran.out
    assert "power" in ran.out


def test_help_of_our_commands_is_the_same_with_any_plugin(run, installed):
    before = run("check", "--help").out
    installed("mine", VERB % '"capframe_mine:stress"')
    assert run("check", "--help").out == before


# ------------------------------------------------ templates, and what an output records


def test_the_list_shows_which_template_wins(run, file, tmp_path):
    (tmp_path / "ours").mkdir()
    (tmp_path / "yours").mkdir()
    for name in ("ours", "yours"):
        (tmp_path / name / "extra_note.md.j2").write_text("x")
    code = f"""
from capframe import TemplateFolder, hookimpl

@hookimpl
def capframe_templates():
    yield TemplateFolder({str(tmp_path / "ours")!r})
"""
    path = file(code)
    ran = run("plugins", "list", "-v", "--plugin-file", path)
    assert "\n  extra_note.md.j2: mine\n" in ran.out
    ran = run("plugins", "list", "-v", "--plugin-file", path, "--templates", tmp_path / "yours")
    assert "\n  extra_note.md.j2: your folder, before mine\n" in ran.out


def test_your_own_template_is_the_brief(run, plan, tmp_path):
    (tmp_path / "yours").mkdir()
    (tmp_path / "yours" / "brief.md.j2").write_text("Ours, in short.\n", encoding="utf-8")
    assert run("build", plan(), "-f", "md", "-o", tmp_path, "--templates", tmp_path / "yours").status == 0
    assert (tmp_path / "small.md").read_text(encoding="utf-8").startswith("Ours, in short.")


def test_json_records_plugins_and_the_list_compares_with_it(run, plan, file, tmp_path):
    path = file(LINES)
    ran = run("build", plan(), "-f", "json", "-o", tmp_path, "--plugin-file", path, "--no-plugin", "brief")
    assert ran.status == 0
    made = tmp_path / "small.json"
    recorded = json.loads(made.read_text(encoding="utf-8"))["plugins"]
    assert recorded["power"] == {"distribution": "capframe", "version": "0.1.0", "state": "in use"}
    assert recorded["brief"] == {"distribution": "", "version": "", "state": "off"}
    assert recorded["mine"]["version"].startswith("sha256:")
    assert run("plugins", "list", "--plugin-file", path, "--against", made).status == 0
    ran = run("plugins", "list", "--against", made)
    assert ran.status == 1
    assert ran.out.splitlines()[-1] == f"plugin 'mine' ({recorded['mine']['version']}) is not installed"


@pytest.mark.parametrize("text", ["{}", "no JSON", '{"plugins": [1]}', "[]"])
def test_what_records_no_plugins_is_refused(run, tmp_path, text):
    (tmp_path / "old.json").write_text(text)
    ran = run("plugins", "list", "--against", "old.json")
    assert ran.status == 2
    assert "old.json" in ran.err


# ------------------------------------------------ L02: the order of installation


def test_the_same_plan_gives_the_same_json_whatever_was_installed_first(plan, tmp_path):
    sites = []
    for name in ("air", "mist"):
        site = tmp_path / name
        info = site / f"capframe_{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: capframe-{name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[capframe]\n{name} = capframe_{name}\n")
        (site / f"capframe_{name}.py").write_text(LINES.replace("mine", name), encoding="utf-8")
        sites.append(str(site))
    found = []
    for order in (sites, sites[::-1]):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(order)}
        words = [sys.executable, "-m", "capframe", "show", str(plan()), "--json"]
        found.append(subprocess.run(words, env=environment, check=True, capture_output=True).stdout)
    assert found[0] == found[1]
    assert {"air.double", "mist.double"} <= set(json.loads(found[0])["lines"])
