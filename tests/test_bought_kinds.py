"""A kind of record that says what it is bought in has a price, whoever declares it: the tanks of a third party."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from attrs import frozen

from capframe import BoughtFacts, Given, RecordKind, UnitDefinition, quantity, text
from capframe.errors import CapframeError, PluginError
from capframe.exporting import export

RAIN = Path(__file__).parent / "third_party" / "capframe-rain"
PLAN = """\
capframe: 1
title: Rain on a cluster
date: 2026-11-29
catalogs: [ours.yaml, offers.yaml]
rates: {USD: {value: 7 CNY/USD, date: 2026-11-27}}
workloads: {w: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%}}
pools: {main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000}}
"""
OURS = """\
catalog: 1
kind: tank
as_of: 2026-11-19
sources: {list: {title: Price list}}
records:
  - id: ours/red
    origin: {source: list, confidence: datasheet}
    facts: {holds: 50 klitre/tank, price: {CNY: 900 CNY/tank}}
"""
OFFERS = """\
catalog: 1
kind: offer
as_of: 2026-11-26
sources: {q: {title: Quotation 17}}
records:
"""
OFFER = """\
  - id: offer/red
    origin: {source: q, confidence: estimate}
    facts: {sort: purchase, part: ours/red, vat: excluded, per: tank, price: {USD: 100 USD}}
"""
RED = "rain: {tank: ours/red}\n"
GIVEN = "prices: [{part: ours/red, price: 1130 CNY, vat: included, vat_rate: 13%, per: tank, date: 2026-11-24}]\n"


@pytest.fixture
def rainy(results, monkeypatch, tmp_path):
    """Evaluate a plan with the plugin: 40 klitre/d over 3 d in tanks of 50 klitre are 2.4, so 3 tanks."""
    monkeypatch.syspath_prepend(RAIN)
    module = importlib.import_module("capframe_rain")

    def evaluate(more="", offers="", **options):
        (tmp_path / "ours.yaml").write_text(OURS)
        (tmp_path / "offers.yaml").write_text(OFFERS + (offers or "  []\n"))
        return results(PLAN + more, extra={"rain": module}, **options)

    return evaluate


PRICES = {
    "its record": (RED, "", 900, 10),  # of 2026-11-19
    "an offer": (RED, OFFER, 100 * 7, 3),  # of 2026-11-26
    "the plan": (RED + GIVEN, OFFER, 1130 / 1.13, 5),  # without 13 % VAT, of 2026-11-24
}


@pytest.mark.parametrize(("more", "offers", "price", "age"), PRICES.values(), ids=PRICES)
def test_a_tank_has_a_price_of_its_own(rainy, more, offers, price, age):
    found = rainy(more, offers)
    assert found.value("rain.tanks") == 3
    assert found.value("rain.tanks.price") == pytest.approx(price, rel=1e-12)
    assert found.value("rain.tanks.price_age") == age
    assert found.value("rain.tanks.purchase") == pytest.approx(3 * price, rel=1e-12)
    assert found.value("cost.by_role.facility") == pytest.approx(3 * price, rel=1e-12)
    assert found.ledger.unit("rain.tanks.price").text == "CNY/tank"


def test_its_row_in_the_bill_has_price_and_sum(rainy, host_with, tmp_path):
    [path] = export(rainy(RED), host_with(), tmp_path, "tanks", ["md"])
    [row] = [row for row in path.read_text(encoding="utf-8").splitlines() if row.startswith("| Tanks ")]
    assert all(figure in row for figure in ("ours/red", "3 tanks", "900.00", "2,700.00"))


def test_a_tank_without_a_price_is_to_be_quoted(rainy):
    found = rainy()
    assert found.reason("rain.tanks.price") == "no price of Blue 50 is known"
    assert found.value("rain.tanks") == 3


def test_without_cost_it_is_counted_and_nothing_breaks(rainy):
    found = rainy(RED + GIVEN, OFFER, off=["cost"])
    assert found.value("rain.tanks") == 3
    assert "rain.tanks.price" not in found.ledger.lines
    assert not found.ledger.plan.catalog.kinds["tank"].family("price")


@frozen(kw_only=True)
class Pump:
    """A kind of a plugin that buys."""

    maker: Given = text(label="Maker")


@frozen(kw_only=True)
class Warranty:
    """What another plugin wants to know of everything that is bought."""

    repair: Given = quantity("{currency}/{of}", label={"en": "Repair", "zh": "维修费"})


def test_any_plugin_may_add_facts_to_all_that_is_bought(read_plan, plugin_of):
    repairs = plugin_of(catalogs=[BoughtFacts(Warranty)])
    pumps = plugin_of(units=[UnitDefinition("pump")], catalogs=[RecordKind("pump", Pump, bought="pump")])
    kinds = read_plan("", extra={"repairs": repairs, "pumps": pumps}).catalog.kinds
    units = {name: kind.columns["repair"].unit.text for name, kind in kinds.items() if "repair" in kind.columns}
    assert units == {
        "accelerator": "CNY/card",
        "nic": "CNY/nic",
        "optic": "CNY/module",
        "pump": "CNY/pump",
        "storage_system": "CNY/system",
        "switch": "CNY/switch",
    }


WRONG = [
    ("pmp", "plugin 'mine', kind 'pump': bought='pmp' is no unit of things that are counted; did you mean 'pump'?"),
    ("kW", "plugin 'mine', kind 'pump': bought='kW' is no unit of things that are counted"),
]


@pytest.mark.parametrize(("bought", "said"), WRONG)
def test_what_is_bought_is_a_thing(read_plan, plugin_of, bought, said):
    mine = plugin_of(units=[UnitDefinition("pump")], catalogs=[RecordKind("pump", Pump, bought=bought)])
    with pytest.raises(PluginError) as caught:
        read_plan("", extra={"mine": mine})
    assert said in str(caught.value)


def test_one_plugin_says_what_a_kind_is_bought_in(read_plan, plugin_of):
    mine = plugin_of(catalogs=[RecordKind("accelerator", Pump, bought="server")])
    with pytest.raises(
        CapframeError, match=r"`bought` of kind 'accelerator' is given by both plugin 'cluster' .*'mine'"
    ):
        read_plan("", extra={"mine": mine})
