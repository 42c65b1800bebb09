"""Prices in the workbook: another pick on a drop-down has its own price, whoever gave it, and so has a typed one."""

from __future__ import annotations

import pytest

from capframe import Host, load
from capframe.recalculate import Formualizer, differences
from capframe_plugins.workbook.build import pages_of, values_of, write
from capframe_plugins.workbook.layout import Layout

OFFERS = """\
catalog: 1
kind: offer
as_of: 2026-11-20
sources: {q: {title: Quotation 17}}
records:
  - id: offer/o1
    origin: {source: q, confidence: estimate}
    facts: {sort: purchase, part: H200 SXM5 141GB, vat: included, vat_rate: 13%, per: server, cards_per_server: 8,
      price: {CNY: 1808000 CNY}}
  - id: offer/o2
    origin: {source: q, confidence: estimate}
    facts: {sort: tender, part: nvidia/sn5600, vat: excluded, per: switch, price: {USD: 30000 USD}}
"""
PLAN = """\
capframe: 1
title: T
date: 2026-11-29
catalogs: [our-offers.yaml]
rates: {USD: {value: 7 CNY/USD, date: 2026-11-27}}
workloads: {w: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%}}
pools: {main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000}}
power: {pue: 1.2}
network: {switch: nvidia/qm9700, nic: nvidia/cx7-ndr}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, date: 2026-11-01}
  - {part: nvidia/qm9700, price: 20000 USD, vat: excluded, per: switch, date: 2026-11-01}
  - {part: ddn/ai400x2, price: 226 万 CNY, vat: included, vat_rate: 13%, per: system}
scenarios:
  dear: {prices: [{part: nvidia/cx7-ndr, price: 14000 CNY, vat: excluded, per: nic, date: 2026-11-20}]}
"""
CARD, SWITCH = "pools.main.accelerator", "network.switch"
# what is typed into which row, and the price of which item is what then (None: nobody tells one)
EDITS = [
    ({}, "pools.main.cards", 75_000),  # given in the plan
    ({CARD: "nvidia/h200-sxm5-141gb"}, "pools.main.cards", 200_000),  # 1,808,000 / 1.13 / 8, offered
    ({CARD: "nvidia/h100-sxm5-80gb", "prices.nvidia/h100-sxm5-80gb": 180_000.0}, "pools.main.cards", 180_000),
    ({CARD: "huawei/ascend-910b2"}, "pools.main.cards", None),
    ({"prices.nvidia/a100-sxm4-80gb": "auto"}, "pools.main.cards", None),
    ({}, "pools.main.network.switches", 140_000),  # 20,000 × 7, given in dollars
    ({SWITCH: "nvidia/sn5600"}, "pools.main.network.switches", 210_000),  # 30,000 × 7, offered
    ({SWITCH: "nvidia/sn5600", "prices.nvidia/sn5600": 99_000.0}, "pools.main.network.switches", 99_000),
    ({"rates.USD": 8.0}, "pools.main.network.switches", 160_000),
    ({}, "storage.systems.used", 2_000_000),  # 2,260,000 / 1.13
    ({"network.nic": "nvidia/cx8"}, "pools.main.network.nics", None),
]  # fmt: skip


@pytest.fixture(scope="module")
def plan_path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prices")
    (folder / "our-offers.yaml").write_text(OFFERS, encoding="utf-8")
    (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
    return folder / "plan.yaml"


@pytest.fixture(scope="module")
def book(plan_path):
    results = load(plan_path, host=Host()).ledger().evaluate()
    write(results, plan_path.with_suffix(".xlsx"))
    return Layout(results), Formualizer(plan_path.with_suffix(".xlsx"))


def typed(layout: Layout, key: str) -> tuple[str, str]:
    return layout.titles["inputs"], f"C{layout.rows[key]}"


def shown(layout: Layout, cells, key: str, scenario: str = "base"):
    sheet, address = layout.place(key, layout.columns.index(scenario))
    return cells[layout.titles[sheet]][address]


@pytest.mark.parametrize(("edit", "item", "price"), EDITS)
def test_the_price_follows_what_is_picked_and_typed(book, edit, item, price):
    layout, judge = book
    with judge.edited({typed(layout, key): value for key, value in edit.items()}) as cells:
        assert shown(layout, cells, f"{item}.price") == ("#N/A" if price is None else pytest.approx(price, rel=1e-9))


def test_a_scenarios_price_is_in_its_column_alone(book):
    layout, judge = book
    with judge.edited({}) as cells:
        found = [shown(layout, cells, "pools.main.network.nics.price", name) for name in ("base", "dear")]
        ages = [shown(layout, cells, "pools.main.network.nics.price_age", name) for name in ("base", "dear")]
    assert found == ["#N/A", 14_000]
    assert ages == ["#N/A", 9]  # 20 to 29 November


@pytest.mark.parametrize(("key", "part"), [(CARD, "nvidia/h200-sxm5-141gb"), (SWITCH, "nvidia/sn5600")])
def test_every_cell_is_as_in_a_workbook_of_that_pick(book, plan_path, key, part):
    layout, judge = book
    results = load(plan_path, host=layout.results.plan.host, overrides=[f"{key}={part}"]).ledger().evaluate()
    new = {page.title: values_of(page) for page in pages_of(Layout(results)) if page.title != "Sources"}
    with judge.edited({typed(layout, key): part}) as cells:
        assert differences(new, {title: cells[title] for title in new}, names=("built", "edited")) == []
