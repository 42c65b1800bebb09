"""Several pools: what a run costs and draws is its own pool's, and an idle pool does not change it."""

from __future__ import annotations

import pytest

from capframe import LineItem, export
from capframe.recalculate import by_formualizer, differences, stored

HEAD = """currency: CNY
cost: {tariff: 0.65 CNY/kWh}
prices:
  - {part: nvidia/h100-sxm5-80gb, price: 200000 CNY, vat: excluded, per: card, date: 2026-11-15, source: q}
  - {part: nvidia/a100-sxm4-80gb, price: 50000 CNY, vat: excluded, per: card, date: 2026-11-15, source: q}
"""
WORK = "{{pool: {}, model: {{parameters: 70B}}, tokens: 1T, mfu: 40%, deadline: 60 d}}"
NEW, OLD = "{accelerator: nvidia/h100-sxm5-80gb, count: 1000}", "{accelerator: nvidia/a100-sxm4-80gb, count: 1000}"
RUN, ENERGY = "workloads.{}.cost.run", "workloads.{}.power.energy"


def plan(*used, idle=False):
    """Return a plan with a workload on each pool that is used."""
    pools = {name: card for name, card in (("new", NEW), ("old", OLD)) if name in used or idle}
    lines = ["pools:", *(f"  {name}: {card}" for name, card in pools.items())]
    lines += ["workloads:", *(f"  on_{name}: {WORK.format(name)}" for name in used)]
    return HEAD + "\n".join(lines) + "\n"


@pytest.fixture
def both(results):
    return results(plan("new", "old"))


# Load of 1,000 cards in kW: 700 W × 1.8214 = 1,275 and 400 W × 1.8214 = 728.571; the switches of either fabric 35.856
# with 24 of their modules; one storage system of 2 kW is no pool's, half of it each. Energy: × PUE 1.25 × 80 % × 8.76.
LOADS = {"new": 1275 + 35.856 + 24 + 1, "old": 728.571428 + 35.856 + 24 + 1}


@pytest.mark.parametrize("pool", LOADS)
def test_a_pool_draws_its_own_load_and_its_share_of_what_is_no_pools(both, pool):
    assert both.value(f"pools.{pool}.power.load") == pytest.approx(LOADS[pool], rel=1e-8)
    assert both.value(f"pools.{pool}.power.energy_per_year") == pytest.approx(LOADS[pool] * 8.76, rel=1e-8)


# In CNY a year. 1,002 cards with 2 spares at 200,000 are 200.4 M, at 50,000 they are 50.1 M; × 1.1 with contingency,
# 95 % of it over 5 years (× 0.19): 41.88 M and 10.47 M. Energy at 0.65 CNY/kWh: 7.61 M and 4.50 M.
# Over 1,000 × 8,760 card-hours 5.65 and 1.71 CNY.
A_YEAR = {
    pool: 1002 * price * 1.1 * 0.95 / 5 + LOADS[pool] * 8760 * 0.65
    for pool, price in (("new", 200_000), ("old", 50_000))
}


@pytest.mark.parametrize(("pool", "rate"), [("new", 5.65), ("old", 1.71)])
def test_a_card_hour_of_a_pool_costs_what_the_pool_costs(both, pool, rate):
    assert both.value(f"pools.{pool}.cost.per_year") == pytest.approx(A_YEAR[pool], rel=1e-8)
    assert both.value(f"pools.{pool}.cost.per_card_hour") == pytest.approx(A_YEAR[pool] / 8_760_000, rel=1e-8)
    assert round(both.value(f"pools.{pool}.cost.per_card_hour"), 2) == rate


# 12.482 d × 24 h × 1,000 cards × 5.65 CNY = 1.69 M; 39.583 d × 24 h × 1,000 × 1.708 = 1.62 M.
# 1,335.856 kW × 12.482 × 24 h = 400 MWh; 789.427 kW × 39.583 × 24 h = 750 MWh.
@pytest.mark.parametrize(("pool", "millions", "energy"), [("new", 1.69, 400), ("old", 1.62, 750)])
def test_a_run_costs_and_draws_what_its_pool_does(both, pool, millions, energy):
    days = both.value(f"workloads.on_{pool}.compute.elapsed_days")
    assert both.value(RUN.format(f"on_{pool}")) == pytest.approx(A_YEAR[pool] / 365 * days, rel=1e-8)
    assert both.value(ENERGY.format(f"on_{pool}")) == pytest.approx(LOADS[pool] * 24 * days / 1000, rel=1e-8)
    assert round(both.value(RUN.format(f"on_{pool}")) / 1e6, 2) == millions
    assert round(both.value(ENERGY.format(f"on_{pool}"))) == energy


def test_an_idle_pool_changes_a_run_by_its_share_of_what_is_no_pools_alone(results):
    alone, idle = results(plan("new")), results(plan("new", idle=True))
    days = alone.value("workloads.on_new.compute.elapsed_days")
    # half of the storage system, 1 kW, is the other pool's: for 12.48 d 0.3 MWh, at 650 CNY
    less = 1 * 24 * days / 1000
    for key, saved in ((ENERGY, less), (RUN, less * 650)):
        before, after = alone.value(key.format("on_new")), idle.value(key.format("on_new"))
        assert before - after == pytest.approx(saved, rel=1e-6)


SUMS = ("cost.equipment", "cost.per_year", "power.energy_per_year")


@pytest.mark.parametrize("key", SUMS)
def test_the_pools_come_to_the_plan(both, key):
    whole = sum(both.value(f"pools.{pool}.{key}") for pool in ("new", "old"))
    assert whole == pytest.approx(both.value(key), rel=1e-12)


def replaced(p):
    """Yield what other plugins may say: a rent in place of depreciation, and pumps beside the PUE."""
    yield LineItem(
        p.cost.per_year, p.cost.capex / p.cost.service_life + p.cost.energy, "CNY/y", label="Rent", replaces=True
    )
    yield LineItem(p.power.facility, p.power.it * p.power.pue * 1.1, "kW", label="Pumps", replaces=True)


def test_the_pools_come_to_the_plan_where_another_plugin_says_what_a_year_costs(results, plugin_of):
    found = results(plan("new", "old"), extra={"rent": plugin_of(line_items=replaced)})
    for key in SUMS:
        assert sum(found.value(f"pools.{pool}.{key}") for pool in ("new", "old")) == pytest.approx(found.value(key))
    # rent by purchases, 200.4 M of 250.5 M are 80 %; energy by load, with the pumps
    rent, energy = 250.5e6 * 1.1 / 5 * 0.8, LOADS["new"] * 1.1 * 8760 * 0.65
    assert found.value("pools.new.cost.per_year") == pytest.approx(rent + energy, rel=1e-8)


def test_cards_that_cost_nothing_any_more_leave_the_energy(results):
    text = plan("new", "old").replace("price: 200000 CNY", "price: 0 CNY").replace("price: 50000 CNY", "price: 0 CNY")
    found = results(text)
    for pool, load in LOADS.items():
        assert found.value(f"pools.{pool}.cost.per_year") == pytest.approx(load * 8760 * 0.65, rel=1e-8)


@pytest.mark.parametrize("text", [plan("new", "old"), plan("new", idle=True)], ids=["both", "idle"])
def test_the_workbook_says_the_same(results, host_with, tmp_path, text):
    [path] = export(results(text), host_with(), tmp_path, "pools", ["xlsx"])
    assert differences(stored(path), by_formualizer(path), names=("stored", "formualizer")) == []


def test_where_a_pool_has_no_price_the_cost_of_a_year_is_not_known_and_says_why(results):
    found = results("\n".join(line for line in plan("new", "old").splitlines() if "part: nvidia/a100" not in line))
    assert found.reason(RUN.format("on_new")) == "no price of A100 SXM4 80GB is known"
    assert round(found.value(ENERGY.format("on_new"))) == 400


def test_with_one_pool_no_figure_stands_twice(results):
    found = results(plan("new"))
    assert not [key for key in found.ledger.lines if key.startswith("pools.new.cost.")]
    assert not {"pools.new.power.load", "pools.new.power.energy_per_year"} & set(found.ledger.lines)
    assert found.value(RUN.format("on_new")) == pytest.approx(
        found.value("cost.per_card_hour") * 24000 * found.value("workloads.on_new.compute.elapsed_days"), rel=1e-12
    )
