"""docs/plan.md: what it shows is loaded, what it says holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from capframe import document, yaml_text
from capframe.cli import COMMANDS
from capframe.nodes import MOST_LEVELS

DOCS = (Path(__file__).parents[1] / "docs" / "plan.md").read_text(encoding="utf-8")
PLAN = """\
capframe: 1
title: Documented
date: 2026-11-29
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000, failures: {spares: 0}}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, source: quotation}
cost: {tariff: 0.65 CNY/kWh}
"""


def test_the_blocks_of_the_page_make_a_plan(results):
    blocks = re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)
    found = results(PLAN + "".join(blocks))
    assert found.plan.scenarios == ("dear", "dearer")
    assert found.value("cost.tariff", "dearer") == 1.1
    # 1000 cards · 75,000 CNY · 1.1 for contingency = 82.5 million; 0.4 % of it a year
    assert found.value("cost.insurance") == pytest.approx(330_000)
    status = {one.check.key: one.result for one in found.statuses()}
    assert status["claims.cost.capex.agrees"] == "pass"


def test_a_claim_that_is_off_is_told_as_the_page_says(results):
    found = results(PLAN + "claims:\n  - {line: cost.capex, value: 825000 CNY, source: 'proposal, page 3'}\n")
    [said] = [one.message for one in found.statuses() if one.check.key == "claims.cost.capex.agrees"]
    assert said in " ".join(DOCS.split())


def test_the_limits_and_commands_are_those_of_the_page():
    assert f"{document.MOST_BYTES // 1_000_000} MB" in DOCS
    assert f"{MOST_LEVELS} levels" in DOCS
    assert f"{yaml_text.MOST_NODES:,} values" in DOCS
    assert {word for word in re.findall(r"capframe (\w+)", DOCS) if word != "document"} <= set(COMMANDS)
