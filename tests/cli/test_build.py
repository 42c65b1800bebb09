from __future__ import annotations

import json
from pathlib import Path

from capframe import export
from capframe.cli import build as building


def files(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".yaml")


def test_files_are_named_after_the_plan(run, plan, tmp_path):
    ran = run("build", plan(name="our.plan.yaml"), "-f", "json")
    assert (ran.status, ran.out) == (0, f"{Path('out', 'our.plan.json')}\n")
    assert files(tmp_path) == ["our.plan.json"]


def test_all_that_is_installed_is_written_by_default(run, plan, tmp_path):
    ran = run("build", plan(), "-o", "here/there")
    assert ran.status == 0
    assert "small.json" in files(tmp_path / "here" / "there")
    assert [line.rpartition(".")[2] for line in ran.out.splitlines()] == sorted(
        path.rpartition(".")[2] for path in files(tmp_path / "here" / "there")
    )


def test_formats(run, plan, tmp_path):
    assert run("build", plan(), "-f", " .json,json ").status == 0
    assert files(tmp_path) == ["small.json"]
    ran = run("build", plan(), "-f", "docx")
    assert ran.status == 2
    assert ran.err.startswith("no exporter writes .docx")
    ran = run("build", plan(), "-f", "json,")
    assert ran.status == 2
    assert "write the suffixes with commas between them, such as `xlsx,md,json`" in ran.err


def test_a_failing_check_is_said_and_written(run, plan, tmp_path):
    path = plan()
    ran = run("build", path, "-f", "json")
    assert ran.status == 0
    assert ran.err.startswith("error in short: workloads.pretrain.compute.in_time: pretrain takes ")
    ran = run("build", path, "-f", "json", "--scenario", "short")
    assert ran.status == 1
    data = json.loads((tmp_path / "out" / "small.json").read_bytes())
    assert data["scenarios"] == ["base", "short", "domestic"]


def test_v_says_warnings_too(run, plan):
    words = ["build", plan(), "-f", "json", "--set", "workloads.pretrain.reserve=1.2"]
    assert "warning in base: workloads.pretrain.compute.reserve_is_enough: " not in run(*words).err
    assert "warning in base: workloads.pretrain.compute.reserve_is_enough: " in run(*words, "-v").err


def test_nothing_is_written_of_a_plan_that_is_refused(run, plan, tmp_path):
    assert run("build", plan(("pue: 1.2", "pue: 12"))).status == 2
    assert [path.name for path in tmp_path.iterdir()] == ["small.yaml"]
    assert run("build", plan(), "--set", "power.pue=0").status == 2
    assert run("build", plan(), "--scenario", "none").status == 2
    assert run("build", plan(), "-f", "docx").status == 2
    assert [path.name for path in tmp_path.iterdir()] == ["small.yaml"]


def test_a_plugin_that_is_off_still_lets_build(run, example, tmp_path):
    ran = run("build", example, "-f", "json", "--no-plugin", "power")
    assert ran.status == 0
    assert files(tmp_path) == ["mozi-70b.json"]
    assert "left out, because a plugin is off:\n" in ran.err
    assert "  cost.energy: reads power.energy_per_year, and plugin 'power' is off\n" in ran.err
    data = json.loads((tmp_path / "out" / "mozi-70b.json").read_bytes())
    assert "cost.energy" not in data["lines"]
    assert "cost.capex" in data["lines"]


def test_q_prints_nothing_but_failures(run, plan):
    ran = run("build", plan(("deadline: 5 d", "deadline: 60 d")), "-f", "json", "-q", "--no-plugin", "power")
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_a_folder_that_cannot_be_written_is_no_fault_of_ours(run, plan, tmp_path, monkeypatch):
    (tmp_path / "out").write_text("a file")
    ran = run("build", plan(), "-f", "json")
    assert (ran.status, ran.out) == (2, "")
    hint = "choose another folder (-o), or close the file elsewhere"
    assert ran.err == f"out cannot be written: File exists; {hint}\n"

    def fails(*args, **_options):
        assert args
        raise PermissionError(13, "Permission denied", "aside/small.xlsx", None, "there/small.xlsx")

    assert building.export is export
    monkeypatch.setattr(building, "export", fails)
    assert run("build", plan()).err == f"there/small.xlsx cannot be written: Permission denied; {hint}\n"


def test_the_same_plan_gives_the_same_bytes(run, plan, tmp_path):
    path = plan()
    for folder in ("one", "two"):
        run("build", path, "-f", "json", "-o", folder)
    assert (tmp_path / "one" / "small.json").read_bytes() == (tmp_path / "two" / "small.json").read_bytes()


def test_where_one_file_cannot_be_put_in_place_none_is(run, plan, tmp_path):
    (tmp_path / "there" / "small.xlsx").mkdir(parents=True)
    ran = run("build", plan(), "-o", tmp_path / "there")
    assert ran.status == 2
    assert "small.xlsx cannot be written: Is a directory" in ran.err
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["small.xlsx"]
