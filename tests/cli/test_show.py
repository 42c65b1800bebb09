from __future__ import annotations

import json

import pytest

from capframe.cli.show import matches
from capframe.cli.tables import table


@pytest.mark.parametrize(
    ("pattern", "key", "meant"),
    [
        ("cost", "workloads.pretrain.cost.run", True),
        ("COST", "workloads.pretrain.cost.run", True),
        ("pools.*.cards", "pools.main.cards", True),
        ("pools.*.cards", "pools.main.cards.used", False),
        ("*.cards.use?", "pools.main.cards.used", True),
        ("cards", "pools.main.count", False),
    ],
)
def test_patterns(pattern, key, meant):
    assert matches(key, pattern) is meant


def test_a_table_of_lines(run, plan):
    ran = run("show", plan(), "pools.main.*s", "--scenario", "base")
    assert (ran.status, ran.err) == (0, "")
    lines = [line for line in ran.out.splitlines() if "main.cards " in line or "main.servers " in line]
    assert ran.out.split()[:3] == ["line", "base", "label"]
    assert [line.split() for line in lines] == [
        ["pools.main.cards", "256", "cards", "Cards", "bought"],
        ["pools.main.servers", "32", "servers", "Servers", "bought"],
    ]


def test_columns_and_reasons(run, plan):
    ran = run("show", plan(), "cost.purchase", "--scenario", "domestic")
    heading, *lines = ran.out.splitlines()
    assert heading.split() == ["line", "base", "domestic", "label"]
    assert lines[0].split() == ["cost.purchase", "19,200,000.00", "CNY", "n/a", "Accelerators"]
    assert lines[1] == "    n/a in domestic: no price of Ascend 910C (752T bin; dies 9381/9382) is known"
    assert "short" in run("show", plan(), "cost.purchase").out.split()


def test_v_shows_formulas_and_q_no_headings(run, plan):
    ran = run("show", plan(), "power.facility", "-v")
    assert ran.out.splitlines()[2] == "    = IT load, peak × PUE"
    assert run("show", plan(), "power.facility", "-q").out.startswith("power.facility  ")


def test_labels_in_the_language_asked_for(run, example):
    assert "采购卡数" in run("show", example, "pools.main.cards", "--language", "zh-CN").out


def test_where_no_key_is_meant_labels_are(run, example):
    def keys(*words):
        return [line.split()[0] for line in run("show", example, *words, "-q").out.splitlines() if line[0] != " "]

    assert keys("采购总额") == ["cost.capex", "cost.capex_with_vat"]  # in a plan in English too
    assert keys("*电费*") == ["cost.energy"]
    assert keys("Cost of Energy per") == ["cost.energy"]
    ran = run("show", example, "电价")
    assert ran.err.startswith("no line is called '电价'; 'cost.tariff' is an input (")


def test_what_matches_nothing_is_explained(run, plan):
    cases = {
        "power.facilty": "no line matches 'power.facilty'; did you mean 'power.facility'?; without",
        "zzz": "no line matches 'zzz'; without a pattern, all ",
        "power.pue": "no line matches 'power.pue'; 'power.pue' is an input (small.yaml:8:14), and",
    }
    for pattern, answer in cases.items():
        ran = run("show", plan(), pattern)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(answer)
    ran = run("show", plan(), "cost.energy", "--no-plugin", "power")
    assert ran.status == 2
    assert ran.err.endswith("left out is cost.energy: reads power.energy_per_year, and plugin 'power' is off\n")


def test_json_is_what_build_writes(run, example, tmp_path):
    ran = run("show", example, "--json")
    run("build", example, "-f", "json")
    assert ran.status == 0
    assert ran.out.encode() == (tmp_path / "out" / "mozi-70b.json").read_bytes()


def test_json_of_some_lines_and_of_one_scenario(run, plan):
    ran = run("show", plan(), "power.*", "--json", "--scenario", "short")
    data = json.loads(ran.out)
    assert data["scenarios"] == ["base", "short"]
    assert {key.partition(".")[0] for key in data["lines"]} == {"power"}
    assert "power.facility" in data["lines"]
    assert set(data["lines"]["power.facility"]["values"]) == {"base", "short"}
    assert ran.out.endswith("}\n")


def test_json_needs_its_plugin(run, example):
    ran = run("show", example, "--json", "--no-plugin", "data")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "no plugin writes .json; is 'data' switched off? (`capframe plugins list`)\n"


def test_chinese_is_two_columns_wide():
    assert table([["加速卡", "1"], ["card", "10"]], right={1}) == ["加速卡   1", "card    10"]
