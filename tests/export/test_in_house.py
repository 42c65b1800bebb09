"""Hardware that nobody ships: a card by YAML alone, and a correction of one shipped fact, in all that is built."""

from __future__ import annotations

import json

import pytest
from openpyxl import load_workbook

from capframe import Host, load
from capframe.exporting import export

OURS = """
catalog: 1
kind: accelerator
as_of: 2026-11-20
sources: {lab: {title: Measured in our laboratory, address: "https://intranet.example/lab/7"}}
records:
  - id: ours/t-1
    name: {en: Tianshu T-1, zh: 天枢 T-1}
    vendor: {en: In house, zh: 自研}
    aliases: [T-1]
    origin: {source: lab, confidence: measured}
    facts:
      memory: 96 GB/card
      peak: {bf16: 500 TFLOP/s/card}
      supported: {bf16: yes}
      tdp: 600 W/card
      price: {CNY: 90000 CNY/card}
      cards_per_server: 16 card/server
overlays:
  - id: nvidia/h100-sxm5-80gb
    origin: {source: lab, confidence: measured}
    facts: {tdp: 650 W/card}
"""
PLAN = """
capframe: 1
title: A card of our own
date: 2026-11-29
catalogs: [ours.yaml]
workloads:
  job: {pool: main, model: {parameters: 7B}, tokens: 1T, mfu: 40%}
pools: {main: {accelerator: T-1, count: 120}}
scenarios:
  bought: {pools.main.accelerator: nvidia/h100-sxm5-80gb}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The files of the plan by suffix; no Python of ours is in it."""
    folder = tmp_path_factory.mktemp("ours")
    (folder / "ours.yaml").write_text(OURS, encoding="utf-8")
    (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
    host = Host()
    paths = export(load(folder / "plan.yaml", host=host).ledger().evaluate(), host, folder / "out", "plan")
    return {path.suffix: path for path in paths}


@pytest.fixture(scope="module")
def book(built):
    return load_workbook(built[".xlsx"], data_only=True)


@pytest.fixture(scope="module")
def found(built):
    return json.loads(built[".json"].read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def brief(built):
    return built[".md"].read_text(encoding="utf-8")


def rows(sheet):
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def row_of(sheet, *words):
    """The only row in which cells say these words."""
    [found] = [row for row in rows(sheet) if set(words) <= set(row)]
    return found


# ---------------------------------------------------------------- a card


def test_the_figures_by_hand(found):
    def value(key):
        return found["lines"][key]["values"]["base"]

    # 120 cards are 7.5 servers of 16: 8 servers, 128 cards; 128 × 90,000 = 11.52 million
    assert (value("pools.main.servers"), value("pools.main.cards")) == (8, 128)
    assert value("pools.main.cards.purchase") == 11_520_000
    # 128 × 600 W = 76.8 kW
    assert value("pools.main.cards.power") == pytest.approx(76.8, rel=1e-12)
    # 6 × 7e9 × 1e12 = 4.2e22 FLOP at 500 TFLOP/s × 40 %: 2.1e8 s = 58,333.33 card-hours; on 128 cards 18.99 days
    assert value("workloads.job.compute.card_hours") == pytest.approx(58_333.333333, rel=1e-9)
    assert value("workloads.job.compute.days") == pytest.approx(58_333.333333 / 128 / 24, rel=1e-9)


def test_it_is_offered_in_the_drop_down(book):
    sheet = book["Inputs"]
    [row] = [cell.row for column in sheet.columns for cell in column if cell.value == "pools.main.accelerator"]
    assert sheet[f"C{row}"].value == "ours/t-1"  # the alias of the plan is the id here
    [rule] = [rule for rule in sheet.data_validations.dataValidation if f"C{row}" in rule.sqref]
    title, cells = rule.formula1.replace("$", "").split("!")
    offered = [row[0].value for row in book[title.strip("'")][cells]]
    assert "ours/t-1" in offered
    assert "nvidia/h100-sxm5-80gb" in offered
    assert offered == sorted(offered)


def test_its_facts_stand_in_the_catalog(book):
    row = row_of(book["Catalog - Accelerators"], "ours/t-1")
    assert row[1:3] == ["Tianshu T-1", "In house"]
    assert {96, 500, 600, 90_000, 16, "yes"} <= set(row)


FACTS = {"memory": 96, "peak.bf16": 500, "tdp": 600, "price.CNY": 90_000, "supported.bf16": "yes"}


@pytest.mark.parametrize(("fact", "value"), FACTS.items())
def test_its_sources_are_named(book, fact, value):
    row = row_of(book["Sources"], "ours/t-1", fact)
    assert value in row
    assert {"Measured in our laboratory", "https://intranet.example/lab/7", "2026-11-20", "measured"} <= set(row)


def test_it_is_in_the_bill_of_materials(book):
    row = row_of(book["Bill of materials"], "Cards bought (main)", "ours/t-1")
    assert {"Tianshu T-1", 128, 90_000, 11_520_000} <= set(row)
    # 128 × 2 %/y × 7 d / 365 d = 0.05 in repair: none is enough in 95.2 % of cases, 1 in 99.9 %
    spare = row_of(book["Bill of materials"], "Spare cards (main)", "ours/t-1")
    assert {"Tianshu T-1", 1, 90_000} <= set(spare)


def test_it_is_in_the_brief(brief):
    lines = [line for line in brief.splitlines() if "ours/t-1" in line or "Tianshu T-1" in line]
    assert any("128" in line for line in lines)
    assert any("Measured in our laboratory" in line for line in lines)


# ---------------------------------------------------------------- a correction


def test_the_corrected_figure_counts(found):
    # 120 cards in servers of 8; 120 × 650 W = 78 kW, not 84
    assert found["lines"]["pools.main.cards.power"]["values"]["bought"] == pytest.approx(78, rel=1e-12)


def test_the_workbook_names_the_correction_with_both_figures_and_files(book):
    row = row_of(book["Sources"], "nvidia/h100-sxm5-80gb", "tdp")
    assert {650, "Measured in our laboratory", "measured"} <= set(row)
    [note] = [text for text in row if isinstance(text, str) and "corrects" in text]
    assert note.startswith("ours.yaml corrects 700 W/card of nvidia.yaml:")


def test_the_json_names_the_correction_with_both_figures_and_files(found):
    [one] = found["overlays"]
    assert (one["part"], one["fact"], one["unit"]) == ("nvidia/h100-sxm5-80gb", "tdp", "W/card")
    assert (one["value"], one["instead_of"], one["source"]) == (650, 700, "Measured in our laboratory")
    assert one["at"].startswith("ours.yaml:")
    assert one["corrected_at"].startswith("nvidia.yaml:")


def test_the_brief_names_the_correction_with_both_figures(brief):
    said = [line for line in brief.splitlines() if "ours.yaml" in line and "H100" in line]
    assert any("650.00 W" in line and "700.00 W" in line for line in said)
