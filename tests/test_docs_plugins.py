"""docs/plugins.md is in step with the hooks, and every block of Python on it runs."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from capframe import Host, hookcheck, hookspecs, load, offers
from capframe.cli import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
RAIN = ROOT / "tests" / "third_party" / "capframe-rain"
CODE = (RAIN / "capframe_rain" / "__init__.py").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]+) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
HOOKS = hookcheck.specifications()
PLAN = """\
capframe: 1
title: Rain on a cluster
date: 2026-11-29
workloads:
  pretrain: {pool: main, model: {parameters: 7B}, tokens: 1T, mfu: 40%, deadline: 30 d}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 256}
"""


def blocks(language):
    return [(found["mark"] or "", found["text"]) for found in BLOCK.finditer(PAGE) if found["language"] == language]


def block(mark):
    [text] = [found["text"] for found in BLOCK.finditer(PAGE) if found["mark"] == f"run: {mark}"]
    return text


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN, encoding="utf-8")
    return path


# ------------------------------------------------ in step with the hooks


def test_every_hook_has_a_heading_with_its_exact_signature():
    headings = re.findall(r"^### `(capframe_\w+\([^)]*\))`$", PAGE, re.MULTILINE)
    assert sorted(headings) == [f"{name}({', '.join(arguments)})" for name, arguments in HOOKS.items()]


def test_every_hook_of_the_page_exists():
    assert set(re.findall(r"\bcapframe_\w+", PAGE)) - set(HOOKS) == {"capframe_hello", "capframe_rain"}


@pytest.mark.parametrize("name", HOOKS)
def test_the_example_of_a_docstring_is_a_plugin(name, tmp_path):
    text = inspect.getdoc(getattr(hookspecs, name))
    example = textwrap.dedent(text.partition("::\n")[2])
    module = ModuleType("an_example")
    module.__file__ = str(tmp_path / "an_example.py")
    exec(compile(example, module.__file__, "exec"), vars(module))  # noqa: S102 - our own example
    assert hookcheck.misuse(module) == ([], [])
    host = Host(extra={"an_example": module})
    assert host.hooks_of("an_example") == [name]
    if HOOKS[name]:
        return  # asked with a plan, below, by the tutorial's plugin
    assert [owner for owner, _ in host.collect(name) if owner == "an_example"]


# ------------------------------------------------ every block runs, or is cut from what runs


def test_every_python_block_is_run_or_cut():
    for mark, text in blocks("python"):
        if mark.startswith("run: "):
            continue
        where, _, name = mark.removeprefix("cut from ").partition(": ")
        assert where == "tests/third_party/capframe-rain"
        [cut] = re.findall(rf"^# begin {name}\n(.*?)^# end {name}$", CODE, re.DOTALL | re.MULTILINE)
        assert text.strip() == cut.strip()


def test_hello_installs_and_shows_in_a_plan(tmp_path, plan):
    source, site = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    for name in ("pyproject.toml", "capframe_hello.py"):
        (source / name).write_text(block(name), encoding="utf-8")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        str(site),
    ]
    subprocess.run([*pip, str(source)], check=True)
    code = "import sys; sys.path.insert(0, sys.argv[1]); from capframe.cli import main; sys.exit(main(sys.argv[2:]))"
    run = [sys.executable, "-c", code, str(site), "show", str(plan), "hello", "-q"]
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    # 2 × 2 = 4
    assert done.stdout.split()[:2] == ["hello.answer", "4"]


def test_hello_runs_as_a_file_and_the_script_too(tmp_path, plan, capsys):
    for name, mark in (("hello.py", "capframe_hello.py"), ("script.py", "script.py")):
        (tmp_path / name).write_text(block(mark), encoding="utf-8")
    words = ["show", str(plan), "hello", "-q"]
    for name in ("hello.py", "script.py"):
        words += ["--plugin-file", str(tmp_path / name)]
    assert main(words) == 0
    assert capsys.readouterr().out.split()[:2] == ["hello.answer", "4"]


def test_the_commands_of_the_page_exist(capsys):
    for words in set(re.findall(r"`capframe ((?:plugins )?[a-z]+)", PAGE)):
        assert main([*words.split(), "--help"]) == 0, words
        out = capsys.readouterr().out
        assert "Usage: capframe" in out
    for option in set(re.findall(r"(--[a-z]+(?:-[a-z]+)*)", PAGE)) - {"--help"}:
        main(["check", "--help"])
        main(["plugins", "list", "--help"])
        assert option in capsys.readouterr().out


# ------------------------------------------------ the tutorial's plugin


@pytest.fixture
def rain(monkeypatch):
    monkeypatch.syspath_prepend(RAIN)
    import capframe_rain

    yield Host(extra={"rain": capframe_rain})
    for name in [name for name in sys.modules if name.startswith("capframe_rain")]:
        del sys.modules[name]


def test_the_tutorials_plugin_implements_every_hook(rain):
    assert rain.faults() == []
    assert rain.hooks_of("rain") == list(HOOKS)


def test_its_figures(rain, plan, tmp_path):
    results = load(plan, host=rain).ledger().evaluate()
    it = results.value("power.it")
    # kW × 1.8 litre/kWh × 24 h/d
    assert results.value("rain.wanted") == pytest.approx(it * 1.8 * 24, rel=1e-12)
    # 40 klitre/d × 3 d ÷ 50 klitre a tank = 2.4, so 3 tanks
    assert results.value("rain.tanks") == 3
    # 3³ = 27
    assert results.value("rain.volume") == 27
    [check] = [one for one in results.statuses() if one.check.key == "rain.enough"]
    assert check.result == ("pass" if it * 1.8 * 24 <= 40_000 else "fail")
    _, exporter = next(pair for pair in rain.collect("capframe_exporters") if pair[0] == "rain")
    exporter.write(results, tmp_path / "card.txt")
    assert (tmp_path / "card.txt").read_text(encoding="utf-8").startswith("base: ")


def test_its_importer_gives_parts_to_pick(rain, plan, tmp_path):
    (tmp_path / "list.tanks").write_text("green-80;80\n", encoding="utf-8")
    plan.write_text(PLAN + "catalogs: [list.tanks]\nrain: {tank: maker/green-80}\n", encoding="utf-8")
    # 120 klitre ÷ 80 klitre a tank = 1.5, so 2 tanks
    assert load(plan, host=rain).ledger().evaluate().value("rain.tanks") == 2


def test_its_function_may_be_typed_in_a_plan(rain, plan):
    line = "line_items:\n  - {key: extra.cube, formula: cube(rain.side), unit: '1', label: Cube}\n"
    plan.write_text(PLAN + line, encoding="utf-8")
    assert load(plan, host=rain).ledger().evaluate().value("extra.cube") == 27


def test_its_other_offers(rain):
    assert offers.commands(rain)["forecast"][0] == "rain"
    assert offers.executors(rain)["threads"][0] == "rain"
    assert [owner for owner, _ in offers.templates(rain)["rain.md.j2"]] == ["rain"]


def test_it_has_nothing_to_mend(monkeypatch, capsys):
    monkeypatch.syspath_prepend(RAIN)
    main(["plugins", "check", "capframe_rain"])
    assert capsys.readouterr().out == "capframe_rain: fine\n"
