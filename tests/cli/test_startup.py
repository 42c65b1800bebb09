"""``--help`` costs next to nothing: click and light modules of the standard library."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from capframe.cli import COMMANDS, capframe

HEAVY = (
    "openpyxl", "jinja2", "numpy", "cattrs", "attr", "attrs", "pluggy", "yaml", "importlib.metadata",
    "capframe_plugins",
)  # fmt: skip
MODULES = """
import json, sys
from capframe.cli import main
status = main(sys.argv[1:])
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""
HELP = "import sys; from capframe.cli import main; sys.exit(main(['--help']))"
REPEATS = 9


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_only_click_is_imported(word):
    done = subprocess.run([sys.executable, "-c", MODULES, word], capture_output=True, text=True, check=True)
    status, modules = json.loads(done.stderr)
    assert status == 0
    assert [name for name in HEAVY if name in modules] == []
    assert [name for name in modules if name.startswith("capframe")] == ["capframe", "capframe.cli"]


def cpu_of(code):
    resource = pytest.importorskip("resource")
    least = float("inf")
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def test_help_costs_little_more_than_the_interpreter():
    assert cpu_of(HELP) <= 6 * cpu_of("pass")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_help_is_the_one_of_the_command(name):
    command = capframe.get_command(None, name)
    assert command.name == name
    assert command.get_short_help_str(limit=200) == COMMANDS[name][1]


def test_help_lists_every_command_and_the_exit_statuses(run):
    ran = run("--help")
    assert ran.status == 0
    assert ran.err == ""
    for name, (_, line) in COMMANDS.items():
        assert f"  {name:<9}{line}" in ran.out
    assert "  2  it could not run" in ran.out


def test_the_installed_command_runs(example, tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from capframe.cli import main; sys.exit(main())",
         "check", str(example), "--language", "zh-CN", "-v"],
        capture_output=True, cwd=tmp_path, env=environment, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
