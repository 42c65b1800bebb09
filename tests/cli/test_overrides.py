"""``--set``: values for base and for one scenario, ``auto``, and taking a value away."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def values(run, plan):
    """Return the values of an input and its origin under some --set."""

    def values(key, *settings):
        words = [word for setting in settings for word in ("--set", setting)]
        ran = run("show", plan(), "--json", *words)
        assert ran.status == 0, ran.err
        one = json.loads(ran.out)["inputs"][key]
        return one["values"], one["at"]

    return values


MFU = "workloads.pretrain.mfu"


def test_set_twice(values):
    assert values(MFU, f"{MFU}=35%", f"{MFU}=45%") == ({"base": 0.45, "short": 0.45, "domestic": 0.45}, "--set #2")
    assert values("power.pue", f"{MFU}=35%", "power.pue=1.3")[0]["base"] == 1.3


def test_set_one_scenario(values):
    given, at = values(MFU, f"scenarios.domestic.{MFU}=30%")
    assert given == {"base": 0.4, "short": 0.4, "domestic": 0.3}
    assert at == "small.yaml:5:68"


def test_auto(values, run, plan):
    given, at = values(MFU, f"{MFU}=auto")
    assert (set(given.values()), at) == ({"auto"}, "--set #1")
    assert "35.0%" in run("show", plan(), "mfu.used", "--set", f"{MFU}=auto").out


def test_clearing(values, run, plan):
    assert values(MFU, f"{MFU}=") == ({"base": "auto", "short": "auto", "domestic": "auto"}, "--set #1")
    given, _ = values("workloads.pretrain.deadline", "scenarios.short.workloads.pretrain.deadline=")
    assert given == {"base": 30.0, "short": 30.0, "domestic": 30.0}
    assert values("workloads.pretrain.deadline", "workloads.pretrain.deadline=")[0]["base"] is None
    ran = run("check", plan(), "--set", "workloads.pretrain.tokens=")
    assert ran.status == 2
    assert "'workloads.pretrain.tokens' is required; give it a value instead of clearing it" in ran.err


def test_clearing_brings_back_the_default(values):
    assert values("power.pue", "power.pue=")[0]["base"] == 1.25


def test_every_wrong_setting_is_told(run, plan):
    settings = ["power.peu=1.3", "power.pue=low", "nonsense", "scenarios.shrot.power.pue=1.3", "pools.main.count=x"]
    ran = run("build", plan(), *(word for setting in settings for word in ("--set", setting)))
    assert ran.status == 2
    *mistakes, summary = ran.err.splitlines()
    assert [mistake.partition(":")[0] for mistake in mistakes] == [f"--set #{number}" for number in range(1, 6)]
    assert mistakes[0].endswith("no input 'power.peu'; did you mean 'power.pue'?")
    assert mistakes[2].endswith("'nonsense' is not KEY=VALUE")
    assert mistakes[3].endswith("no scenario 'shrot'; did you mean 'short'?")
    assert summary == "5 mistakes; nothing was written"


def test_a_list_gives_one_value_for_each_period(run, plan):
    over_time = plan(("power:", "timeline: {start: 2027-01, period: year, periods: 3}\npower:"))
    words = ["--set", "cash.delivered=[50%, 0.3 ,20%]", "--set", "scenarios.short.cash.delivered=[1, 0, 0]"]
    delivered = json.loads(run("show", over_time, "--json", *words).out)["inputs"]["cash.delivered"]
    assert delivered["values"] == {"base": [0.5, 0.3, 0.2], "short": [1, 0, 0], "domestic": [0.5, 0.3, 0.2]}
    assert delivered["at"] == "--set #1"


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (
            "cash.delivered=[50%, 50%]",
            "the list has 2 values, and the timeline has 3 periods; write 3 values, one for each",
        ),
        (
            "cash.delivered=[]",
            "the list has 0 values, and the timeline has 3 periods; write 3 values, one for each",
        ),
        (
            "cash.delivered=[50%, half, 120%]",
            "'half' is not a number; write for example `1`; '120%' is above 1; write 0 to 1, for example `100%`",
        ),
        ("cash.delivered=[50%, , 50%]", "nothing stands before this comma; write a value, or take it out"),
        (
            "cost.budget={value: 250,000 CNY}",
            "a comma separates entries inside braces; write `250000 CNY`, or put '250,000 CNY' in quotes",
        ),
        ("power.pue=[1.2, 1.2, 1.2]", "one value stands here, not a list; this field has no value by period"),
        ("power.pue=#1.3", "'#1.3' says nothing; write `power.pue=` to clear it, and what holds a # in quotes"),
        ("cash.delivered=[50%, 50%", "the `[` that opens here is not closed; write `]` where its entries end"),
    ],
)
def test_a_wrong_list_is_told(run, plan, setting, said):
    over_time = plan(("power:", "timeline: {start: 2027-01, period: year, periods: 3}\npower:"))
    ran = run("check", over_time, "--set", setting)
    assert ran.status == 2
    assert ran.err.splitlines()[0] == f"--set #1: {said}"
