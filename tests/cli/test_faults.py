"""Exit statuses, and what is said when something goes wrong."""

from __future__ import annotations

import pytest

from capframe.cli import COMMANDS
from capframe.cli import run as running

BROKEN = "import nothing_of_that_name\n"
FAULTY = """
from capframe import hookimpl

@hookimpl
def capframe_line_items(plan, p):
    return 1 / 0
"""


def test_a_usage_error_is_2(run):
    for words in (["check"], ["check", "x.yaml", "--nonsense"], ["check", "x.yaml", "--language", "fr"]):
        ran = run(*words)
        assert ran.status == 2
        assert ran.out == ""
        assert ran.err.startswith("Usage: capframe check [OPTIONS] PLAN\n")


def test_an_unknown_command_is_refused_with_the_nearest(run):
    assert run("chek").err.endswith("Error: no command 'chek'; did you mean 'check'?\n")
    ran = run("frobnicate")
    assert ran.err.endswith(f"Error: no command 'frobnicate'; there are {', '.join(COMMANDS)}\n")
    assert ran.status == 2


def test_q_and_v_exclude_each_other(run, plan):
    ran = run("check", plan(), "-q", "-v")
    assert ran.status == 2
    assert ran.err.endswith("Error: -q says less and -v says more; give one of them\n")


def test_all_mistakes_of_a_plan_are_told_and_counted(run, plan):
    ran = run("check", plan(("pue: 1.2", "peu: 1.2"), ("confidence: estimate", "confidence: sure")))
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err == (
        "small.yaml:8:9: unknown key 'peu'; did you mean 'pue'?\n"
        "small.yaml:11:18: 'sure' is none of measured, datasheet, press, estimate, assumed\n"
        "2 mistakes; nothing was written\n"
    )


def test_one_mistake_is_one(run):
    ran = run("check", "nowhere.yaml")
    assert ran.status == 2
    assert ran.err == "nowhere.yaml: cannot be read: No such file or directory\n1 mistake; nothing was written\n"


def test_a_name_that_no_plugin_has_is_refused(run, plan):
    ran = run("check", plan(), "--no-plugin", "powr")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "there is no plugin 'powr' to switch off; did you mean 'power'?\n"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("shrot", "the plan has no scenario 'shrot'; did you mean 'short'?\n"),
        ("x", "the plan has no scenario 'x'; it has short, domestic\n"),
    ],
)
def test_an_unknown_scenario_is_refused(run, plan, name, answer):
    ran = run("check", plan(), "--scenario", name)
    assert (ran.status, ran.err) == (2, answer)


def test_a_fault_of_ours_is_3_and_shows_no_traceback(run, plan, monkeypatch):
    def fails(*_args, **_options):
        msg = "the sky fell"
        raise RuntimeError(msg)

    monkeypatch.setattr(running, "load", fails)
    ran = run("check", plan())
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == "a fault of capframe: RuntimeError: the sky fell; run again with --traceback\n"
    for words in (["check", plan(), "--traceback"], ["--traceback", "check", plan()]):
        ran = run(*words)
        assert ran.status == 3
        assert ran.err.startswith("Traceback (most recent call last):\n")
        assert ran.err.endswith("\na fault of capframe: RuntimeError: the sky fell\n")


def test_a_fault_of_a_plugin_is_3_and_names_it(run, plan, installed):
    installed("liquid", FAULTY)
    ran = run("check", plan())
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == (
        "plugin 'liquid' (capframe-liquid 1.2), capframe_line_items: ZeroDivisionError: division by zero "
        "(capframe_liquid.py:6); run again with --traceback\n"
    )
    assert "Traceback" in run("check", plan(), "--traceback").err


def test_a_mistake_shows_a_traceback_only_on_request(run):
    assert "Traceback" not in run("check", "nowhere.yaml").err
    assert run("check", "nowhere.yaml", "--traceback").err.startswith("Traceback")


def test_a_broken_plugin_is_one_line_unless_quiet_or_off(run, plan, installed):
    installed("liquid", BROKEN)
    warning = (
        "warning: plugin 'liquid' (capframe-liquid 1.2) could not be loaded: "
        "ModuleNotFoundError: No module named 'nothing_of_that_name' (capframe_liquid.py:1); "
        "--no-plugin liquid silences this\n"
    )
    ran = run("check", plan())
    assert (ran.status, ran.err) == (0, warning)
    assert run("check", plan(), "-q").err == ""
    assert run("check", plan(), "--no-plugin", "liquid").err == ""
    assert run("catalog", "list").err == warning


def test_an_interrupted_run_says_so(run, plan, monkeypatch):
    def fails(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "load", fails)
    ran = run("check", plan())
    assert ran.status == 130
    assert ran.err.strip() == "interrupted"
