"""A fact that a vendor does not disclose: exactly what follows from it is #N/A, and the reason names fact and part."""

from __future__ import annotations

import json
import math
from fnmatch import fnmatchcase

import pytest

from capframe import load
from capframe.recalculate import Formualizer, differences
from capframe_plugins.brief.contents import contents
from capframe_plugins.brief.rendering import render
from capframe_plugins.data import data
from capframe_plugins.workbook.build import pages_of, values_of, write
from capframe_plugins.workbook.layout import Layout

# three chips, each like ours/full but for one fact
CHIPS = """
catalog: 1
kind: accelerator
as_of: 2026-11-20
sources: {lab: {title: Our laboratory}}
records:
  - id: ours/full
    origin: &measured {source: lab, confidence: measured}
    facts: &all
      memory: 64 GB/card
      peak: {bf16: 300 TFLOP/s/card}
      supported: {bf16: yes}
      tdp: 400 W/card
      price: {CNY: 80000 CNY/card}
      cards_per_server: 8 card/server
      scale_up_bandwidth: 200 GB/s/card
      scale_up_domain: 8 card
  - {id: ours/no-tdp, origin: *measured, facts: {<<: *all, tdp: not disclosed}}
  - {id: ours/no-price, origin: *measured, facts: {<<: *all, price: {CNY: not disclosed}}}
  - {id: ours/no-bf16, origin: *measured, facts: {<<: *all, peak: {bf16: not disclosed}}}
"""
PLAN = """
capframe: 1
title: Chips with gaps
date: 2026-11-29
catalogs: [ours.yaml]
workloads:
  job:
    pool: main
    model: {parameters: 7B, layers: 32, hidden: 4096, heads: 32, kv_heads: 8, ffn: 14336, vocabulary: 32000}
    sequence: 4096
    tokens: 1T
    mfu: 40%
    deadline: 30 d
pools: {main: {accelerator: ours/full, count: 256}}
cost: {tariff: 0.65 CNY/kWh}
timeline: {start: 2027-01, period: year, periods: 2}
scenarios:
  sized: {pools.main.count: auto}
"""
COUNTED, SIZED = "base", "sized"  # the cards are given; they are as many as the deadline needs
FACTS = {
    "no-tdp": "Thermal design power of ours/no-tdp not disclosed",
    "no-price": "no price of ours/no-price is known",
    "no-bf16": "Dense peak (bf16) of ours/no-bf16 not disclosed",
}

# What follows from each fact, with * for any text.
POWER = [
    "pools.main.accelerator.tdp", "pools.main.power.card_power.*", "pools.main.cards.power",
    "pools.main.power.it", "power.in_servers", "power.it", "power.facility", "power.energy_per_year",
    "workloads.job.power.energy",
]  # fmt: skip
PURCHASE = [
    "pools.main.cards.purchase", "cost.purchase", "cost.equipment", "cost.contingency_sum", "cost.capex",
    "cost.depreciation", "cash.purchases", "cash.depreciation", "cash.book_value",
    "pools.main.failures.spares.used.purchase",
]  # fmt: skip
YEARLY = [
    "cost.per_year", "cost.per_card_hour", "workloads.job.cost.run", "cash.paid", "cash.present_value", "cash.total",
    "cash.net_present_cost",
]  # fmt: skip
ENERGY = ["cost.energy", "cash.energy"]
SPEED = [  # how long it takes, and how many cards it needs; what 256 cards cost is known all the same
    "workloads.job.compute.peak", "workloads.job.compute.basis_peak", "workloads.job.compute.mfu_*",
    "workloads.job.compute.effective_rate.*", "workloads.job.compute.*card_hours",
    "workloads.job.compute.cards_*", "workloads.job.compute.times_needed", "workloads.job.cards_wanted",
    "workloads.job.cards_asked", "pools.main.cards_wanted",
    "pools.main.count.computed",
    "workloads.job.compute.days", "workloads.job.compute.elapsed_days", "workloads.job.failures.round?.*",
    "workloads.job.failures.closed.*", "workloads.job.failures.in_run", "workloads.job.power.energy",
    "workloads.job.cost.run",
]  # fmt: skip
CARDS = [  # whatever is counted, bought, fed, connected or spread over cards
    "pools.main.count.used", "pools.main.servers", "pools.main.cards", "workloads.job.cards.*", "workloads.job.ranks",
    "workloads.job.layout.data.*", "workloads.job.layout.ranks", "workloads.job.layout.idle_ranks",
    "workloads.job.memory.zero_group.*", "workloads.job.memory.*per_rank",
    "workloads.job.failures.*", "workloads.job.goodput.*", "workloads.job.network.all_reduce",
    "pools.main.failures.[!ops]*", "pools.main.failures.start", "pools.main.failures.spare_share",
    "pools.main.failures.spares.computed", "pools.main.failures.spares.used",
    "pools.main.network.*", "network.switches",
    "pools.main.cards.power", "pools.main.power.it", "power.in_servers", "power.it", "power.facility",
    "power.energy_per_year",
]  # fmt: skip
KEPT = [
    "pools.main.network.switches.per_rack",  # a matter of the switch, however many there are
    "pools.main.network.cables",  # none, as links are optical
]
PRICE = ["pools.main.cards.price*", "pools.main.failures.spares.used.price*"]
BOUGHT = ["cost.priced", "cost.other_equipment", "cost.by_role.it", "cost.by_role.spare"]
"""Sums of which nothing is known then: beside cards and their spares nothing has a price."""
NOTHING = "none of it is known"
GONE = {
    ("no-tdp", COUNTED): [*POWER, *ENERGY, *YEARLY],
    ("no-tdp", SIZED): [*POWER, *ENERGY, *YEARLY],
    ("no-price", COUNTED): [*PRICE, *PURCHASE, *YEARLY, *BOUGHT],
    ("no-price", SIZED): [*PRICE, *PURCHASE, *YEARLY, *BOUGHT],
    ("no-bf16", COUNTED): SPEED,
    ("no-bf16", SIZED): [*SPEED, *CARDS, *PURCHASE, *ENERGY, *YEARLY, *BOUGHT, "power.by_role.host"],
}
# Sums of what is known, and how many are not, say something else then; each with what ours/full gives and why.
SUMS = {
    # the cards and the spares are two more items to be quoted
    ("no-price", COUNTED): {"cost.to_be_quoted": 2},
    ("no-price", SIZED): {"cost.to_be_quoted": 2},
    # the power of the cards is one more that is not disclosed
    ("no-tdp", COUNTED): {"power.not_disclosed": 1, "power.by_role.it": None},
    ("no-tdp", SIZED): {"power.not_disclosed": 1, "power.by_role.it": None},
    # nobody knows how many cards, spares, switches and modules there are: money lacks the two that have a price, power
    # cards, switches and modules, racks the switches (of cards nobody knew the room before)
    ("no-bf16", SIZED): {
        "cost.to_be_quoted": 2,
        "power.not_disclosed": 3,
        "space.not_disclosed": 1,
        "power.other_equipment": None,
        "power.by_role.it": None,
        "space.rack_units.by_role.it": None,
        "space.other_racks": None,
    },
}
EVERY = pytest.mark.parametrize(("chip", "scenario"), GONE, ids=lambda one: str(one))


def gone(key: str, chip: str, scenario: str) -> bool:
    return key not in KEPT and any(fnmatchcase(key, pattern) for pattern in GONE[chip, scenario])


def is_unknown(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("gaps") / "plan.yaml"
    path.write_text(PLAN, encoding="utf-8")
    path.with_name("ours.yaml").write_text(CHIPS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chosen(path):
    """The results of the plan with each chip."""

    def of(chip):
        return load(path, overrides=[f"pools.main.accelerator=ours/{chip}"]).ledger().evaluate()

    return {chip: of(chip) for chip in ("full", *FACTS)}


@pytest.fixture(scope="module")
def judge(chosen, path):
    """The workbook of the plan with the chip about which all is known, in a calculator that is not ours."""
    write(chosen["full"], path.with_suffix(".xlsx"))
    return Formualizer(path.with_suffix(".xlsx"))


@EVERY
def test_exactly_what_follows_is_not_available(chosen, chip, scenario):
    full, results = chosen["full"], chosen[chip]
    known = [key for key in full.ledger.lines if not is_unknown(full.value(key, scenario))]
    found = {key for key in known if is_unknown(results.value(key, scenario))}
    assert found == {key for key in known if gone(key, chip, scenario)}
    assert len(found) > 10


@EVERY
def test_every_pattern_of_the_table_means_something(chosen, chip, scenario):
    lines = chosen["full"].ledger.lines
    assert all(any(fnmatchcase(key, pattern) for key in lines) for pattern in GONE[chip, scenario])


@EVERY
def test_everything_else_is_as_it_was(chosen, chip, scenario):
    full, results, sums = chosen["full"], chosen[chip], SUMS.get((chip, scenario), {})
    for key in full.ledger.lines:
        if not gone(key, chip, scenario) and key not in sums:
            before, after = full.value(key, scenario), results.value(key, scenario)
            assert before == after or (is_unknown(before) and is_unknown(after)), key
    for key, more in sums.items():
        if more is not None:
            assert results.value(key, scenario) == full.value(key, scenario) + more


@EVERY
def test_the_reason_names_fact_and_part(chosen, chip, scenario):
    lines = json.loads(json.dumps(data(chosen[chip]), allow_nan=False))["lines"]
    for key in chosen["full"].ledger.lines:
        if gone(key, chip, scenario) and not is_unknown(chosen["full"].value(key, scenario)):
            value = lines[key]["values"][scenario]
            assert value is None or set(value) == {None}
            if not key.endswith(".price_age"):  # an age has a date to be disclosed, in some currency
                of_many = key in BOUGHT[:3] or key == "power.by_role.host"  # of one item, the spares, its own reason
                why = NOTHING if of_many else FACTS[chip]
                assert lines[key]["reasons"][scenario] == why, key


@pytest.mark.parametrize("chip", FACTS)
def test_the_brief_says_n_a_and_why(chosen, chip):
    text = render("brief.md.j2", contents(chosen[chip]))
    first_page = text.split("\n## ")[0]
    assert FACTS[chip] in first_page
    assert "**n/a**" in text
    assert "nan" not in text.lower().split()


# ---------------------------------------------------------------- the drop-down of the workbook


def line_cells(layout: Layout, scenario: str):
    """Where each line stands for a scenario: sheet, addresses."""
    number = layout.columns.index(scenario)
    for key in layout.results.ledger.lines:
        if key in layout.time.offsets:
            row = layout.time.row(key, number)
            columns = "DE"  # two periods behind label, unit and opening
            yield key, layout.titles["timeline"], [f"{column}{row}" for column in columns]
        else:
            sheet, address = layout.place(key, number)
            yield key, layout.titles[sheet], [address]


def pick_cell(layout: Layout) -> tuple[str, str]:
    return layout.titles["inputs"], f"C{layout.rows['pools.main.accelerator']}"


@pytest.mark.parametrize("chip", FACTS)
def test_picking_the_chip_in_the_workbook_is_building_it_anew(chosen, judge, chip):
    new = {page.title: values_of(page) for page in pages_of(Layout(chosen[chip]))}
    with judge.edited({pick_cell(Layout(chosen["full"])): f"ours/{chip}"}) as cells:
        sources = cells.pop("Sources")
        listed = new.pop("Sources")  # links to the Catalog, the parts that are picked first: not moved by an edit
        assert sorted(map(str, sources.values())) == sorted(map(str, listed.values()))
        assert differences(new, cells, names=("built", "picked")) == []


@EVERY
def test_exactly_those_cells_turn_to_n_a(chosen, judge, chip, scenario):
    layout = Layout(chosen["full"])
    before = judge.cells()
    with judge.edited({pick_cell(layout): f"ours/{chip}"}) as after:
        turned, wanted = set(), set()
        for key, sheet, addresses in line_cells(layout, scenario):
            for address in addresses:
                if before[sheet][address] != "#N/A":
                    turned |= {key} if after[sheet][address] == "#N/A" else set()
                    wanted |= {key} if gone(key, chip, scenario) else set()
        assert turned == wanted


@pytest.mark.parametrize("chip", FACTS)
def test_sheets_to_be_read_show_the_letters_n_a_and_no_error(chosen, judge, chip):
    layout = Layout(chosen["full"])
    with judge.edited({pick_cell(layout): f"ours/{chip}"}) as cells:
        for name in ("cover", "summary", "checks", "bill", "cash_flow"):
            shown = cells[layout.titles[name]].values()
            assert not [value for value in shown if isinstance(value, str) and value.startswith("#")], name
        assert "n/a" in cells[layout.titles["summary"]].values()


def test_no_bf16_peak_is_an_error_because_there_is_no_answer(chosen):
    [status] = [one for one in chosen["no-bf16"].fails() if one.check.key == "workloads.job.compute.has_an_answer"]
    assert status.message.startswith("there is no answer for job")
    assert not [one for one in chosen["no-tdp"].fails() if one.check.severity == "error"]
    assert not [one for one in chosen["no-price"].fails() if one.check.severity == "error"]
