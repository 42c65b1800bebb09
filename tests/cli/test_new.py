"""``capframe new`` and ``capframe schema``: what a person starts with."""

from __future__ import annotations

import json

import pytest

from capframe.cli.new import examples


def test_the_examples_are_listed(run):
    ran = run("new")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == list(examples())
    assert "template-70b-7d" in ran.out
    assert ran.err == "start with one: capframe new template-70b-7d -o plan.yaml\n"


@pytest.mark.parametrize("name", list(examples()))
def test_every_example_can_be_started_with_and_checked(run, name, tmp_path):
    started = run("new", name)
    assert started.status == 0
    path = tmp_path / started.out.strip()
    assert path.read_bytes() == examples()[name].read_bytes()
    checked = run("check", path)
    assert (checked.status, checked.err) == (0, "")


def test_the_first_example_is_the_one_that_explains_itself(run, tmp_path):
    ran = run("new", "-o", "plan.yaml")
    assert (ran.out, ran.err) == ("plan.yaml\n", "next: capframe check plan.yaml\n")
    lines = (tmp_path / "plan.yaml").read_text(encoding="utf-8").splitlines()
    assert sum("#" in line for line in lines) > len(lines) / 2


def test_nothing_is_overwritten(run, tmp_path):
    (tmp_path / "plan.yaml").write_text("mine")
    ran = run("new", "-o", "plan.yaml")
    assert ran.status == 2
    assert ran.err == "plan.yaml is there already and is not overwritten; choose another name (-o)\n"
    assert (tmp_path / "plan.yaml").read_text() == "mine"


def test_what_cannot_be_started_says_what_to_write(run):
    ran = run("new", "mozi-70")
    assert ran.status == 2
    assert ran.err.startswith("there is no example 'mozi-70'; did you mean 'mozi-70b'?; there are ")
    ran = run("new", "own-lines", "-o", "plan.yaml")
    assert (ran.status, ran.err) == (2, "own-lines is written as .toml, so call it plan.toml\n")
    ran = run("new", "own-lines", "-o", "no/where.toml")
    assert (ran.status, ran.err) == (
        2,
        "no/where.toml cannot be written: No such file or directory; choose another place (-o)\n",
    )


def test_the_schema_is_printed_or_written(run, tmp_path):
    printed = run("schema")
    assert printed.status == 0
    assert run("schema", "-o", "plan.schema.json").out == "plan.schema.json\n"
    assert json.loads((tmp_path / "plan.schema.json").read_text(encoding="utf-8")) == json.loads(printed.out)


def test_the_schema_knows_only_what_is_switched_on(run):
    assert "power" in json.loads(run("schema").out)["properties"]
    assert "power" not in json.loads(run("schema", "--no-plugin", "power").out)["properties"]


def test_labels_in_the_language_asked_for(run):
    found = json.loads(run("schema", "--language", "zh-CN").out)
    assert found["properties"]["cost"]["properties"]["tariff"]["title"] == "电价"


def test_a_plan_may_name_its_schema_in_the_first_line(run, plan):
    path = plan(("capframe: 1\n", "# yaml-language-server: $schema=plan.schema.json\ncapframe: 1\n"))
    assert run("check", path, "-q").err == ""
