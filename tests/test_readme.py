"""What the README shows is what the product does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from capframe import load

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_the_quick_start_is_two_blocks_that_do_their_own_set_up():
    first, second = blocks("sh")
    for block in (first, second):
        assert block.startswith("python3 -m venv .venv\n. .venv/bin/activate\n")
    assert "capframe build examples/mozi-70b.yaml -o out" in first
    assert second.splitlines()[-1].startswith("python -m pytest")


def test_the_plan_and_the_chip_work(tmp_path):
    plan, chip = blocks("yaml")
    (tmp_path / "plan.yaml").write_text(f"{plan}\ncatalogs: [our-chips.yaml]\n", encoding="utf-8")
    (tmp_path / "our-chips.yaml").write_text(chip, encoding="utf-8")
    results = load(tmp_path / "plan.yaml").ledger().evaluate()
    assert results.value("workloads.pretrain.compute.flops") == pytest.approx(4.2e23, rel=1e-12)
    assert round(results.value("workloads.pretrain.compute.card_hours")) == 934_829
    assert round(results.value("workloads.pretrain.compute.days"), 2) == 38.95
    # goodput 0.984045 (980 GB at 65 GB/s: 15.08 s; M = 182,289 s; Young 2,344.5 s; restart 600 s): 38.9512 / 0.984045
    assert round(results.value("workloads.pretrain.compute.elapsed_days"), 2) == 39.58
    ours = load(tmp_path / "plan.yaml", overrides=["pools.main.accelerator=ours/chip-one"]).ledger().evaluate()
    # 1,000 cards of 450 W
    assert ours.value("pools.main.cards.power") == pytest.approx(450)


def test_the_first_page_of_the_brief_is_the_one_that_is_built(tmp_path):
    [shown] = blocks("markdown")
    example = ROOT / "examples" / "mozi-70b.yaml"
    command = [sys.executable, "-m", "capframe", "build", str(example), "-o", str(tmp_path), "-f", "md", "-q"]
    subprocess.run(command, check=True)
    built = (tmp_path / "mozi-70b.md").read_text(encoding="utf-8")
    assert built.split("\n## ")[0].rstrip() == shown.rstrip()


def test_the_estimator_is_the_tested_one():
    [shown] = blocks("python")
    source = ROOT / "tests" / "third_party" / "capframe-liquid" / "capframe_liquid.py"
    assert shown == source.read_text(encoding="utf-8")


def test_the_messages_are_real(tmp_path):
    plan = blocks("yaml")[0].replace("tokens: 1T", "tokns: 1T").replace("nvidia/a100-sxm4-80gb\n", "H100\n", 1)
    (tmp_path / "plan.yaml").write_text(plan.replace("60 d", "60G"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "capframe", "check", "plan.yaml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    for shown in (
        "does not say what it counts",
        "unknown key 'tokns'; did you mean 'tokens'?",
        "can mean several parts",
    ):
        assert shown in done.stderr
        assert shown in blocks("text")[0]


def test_the_commands_exist():
    listed = subprocess.run([sys.executable, "-m", "capframe", "--help"], capture_output=True, text=True, check=True)
    for command in re.findall(r"^\| `capframe (\w+)", README, re.MULTILINE):
        assert command in listed.stdout


def test_the_rooms_exist():
    for room in re.findall(r"^\| `([\w/]+)/`", README, re.MULTILINE):
        assert (ROOT / room).is_dir()
