"""Of a part that is priced in two currencies, workbook, brief and JSON name the one whose price counts."""

from __future__ import annotations

import json

import pytest
from openpyxl import load_workbook

from capframe.exporting import export

CATALOG = """\
catalog: 1
kind: accelerator
sources: {us: {title: American list}, cn: {title: Chinese list}}
records:
  - id: our/card
    origin: {source: us, confidence: estimate}
    facts:
      tdp: 400 W/card
      memory: 80 GB/card
      cards_per_server: 8 card/server
      peak: {bf16: 300 TFLOP/s/card}
      price:
        USD: {value: 1000 USD/card, as_of: 2026-11-20}
        CNY: {value: 7000 CNY/card, source: cn, as_of: 2026-10-01}
"""
PLAN = """\
capframe: 1
title: T
date: 2026-11-29
currency: {money}
rates: {rates}
catalogs: [ours.yaml]
workloads: {{w: {{pool: main, model: {{parameters: 7B}}, tokens: 1T, mfu: 40%}}}}
pools: {{main: {{accelerator: our/card, count: 104, failures: {{spares: 0}}}}}}
"""
AMERICAN, CHINESE = "American list, 2026-11-20", "Chinese list, 2026-10-01"
# Money and rates of the plan, the price, its age in days before 2026-11-29, and who is named for it.
# From 20 November it is 9 days, from 1 October 30 + 29 = 59.
PRICES = [
    ("EUR", "{USD: 0.9 EUR/USD}", 900, 9, AMERICAN),  # 1,000 × 0.9; no rate makes anything of the Chinese price
    ("EUR", "{CNY: 0.13 EUR/CNY}", 910, 59, CHINESE),  # 7,000 × 0.13
    ("EUR", "{USD: 0.9 EUR/USD, CNY: 0.13 EUR/CNY}", 910, 59, CHINESE),  # yuan go before dollars
    ("EUR", "{}", None, None, ""),
    ("USD", "{CNY: 0.14 USD/CNY}", 1000, 9, AMERICAN),  # the plan's own money goes first
    ("CNY", "{USD: 7.2 CNY/USD}", 7000, 59, CHINESE),
]


@pytest.fixture
def written(results, tmp_path, host_with):
    """Return the Bill's and the Inputs' row of the card, its row in the brief's bill, and what the JSON says of it."""

    def write(money, rates):
        (tmp_path / "ours.yaml").write_text(CATALOG, encoding="utf-8")
        done = results(PLAN.format(money=money, rates=rates))
        data, text, workbook = export(done, host_with(), tmp_path, "plan", ["json", "md", "xlsx"])
        book = load_workbook(workbook, data_only=True)
        bill = [one.value for one in next(row for row in book["Bill of materials"] if row[2].value == "our/card")]
        inputs = next(row for row in book["Inputs"] if "prices.our/card" in [one.value for one in row])
        brief = next(one for one in text.read_text(encoding="utf-8").splitlines() if "| Cards bought" in one)
        return bill, [one.value for one in inputs], brief, json.loads(data.read_text(encoding="utf-8"))

    return write


@pytest.mark.parametrize(("money", "rates", "price", "age", "source"), PRICES)
def test_the_source_of_the_price_that_counts_is_named(written, money, rates, price, age, source):
    bill, inputs, brief, data = written(money, rates)
    lines = {name: data["lines"][f"pools.main.cards.{name}"]["values"]["base"] for name in ("price", "price_age")}
    assert lines == {"price": price and pytest.approx(price), "price_age": age}
    assert bill[6] == ("n/a" if price is None else pytest.approx(price))
    assert bill[8] == (source or "to be quoted")
    assert [one for one in inputs if isinstance(one, str) and "list" in one] == ([source] if source else [])
    named = [name for name in ("American list", "Chinese list") if name in brief]
    assert named == ([source.partition(",")[0]] if source else [])
