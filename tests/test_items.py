"""What is bought, and as what: IT, parts inside it, spares, facility; money and power follow from it."""

from __future__ import annotations

import re
from math import isnan

import pytest

from capframe import Item
from capframe.errors import PlanError

PLAN = """currency: CNY
workloads:
  pretrain: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%, deadline: 60 d}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000}
cost: {contingency: 10%}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card}
"""
SPARES, SYSTEMS = "pools.main.failures.spares.used", "storage.systems.used"


@pytest.fixture
def bought(results):
    """Evaluate the plan, with what is typed in base."""
    return lambda *typed: results(PLAN, overrides=typed)


def failing(found):
    return {one.check.key: one.message for one in found.statuses() if one.result == "fail"}


# 1,000 cards × 2 %/y × 7 d / 365 d = 0.38 are in repair on average; P(X ≤ 1) = 94.3 %, P(X ≤ 2) = 99.3 %.
SPARE_CARDS = [
    ((), 2, 75_150_000),  # (1,000 + 2) × 75,000
    (["pools.main.failures.spares=0"], 0, 75_000_000),
    (["pools.main.failures.spares=10"], 10, 75_750_000),
    (["failures.service_level=90%"], 1, 75_075_000),
]


@pytest.mark.parametrize(("typed", "spares", "money"), SPARE_CARDS)
def test_spares_are_bought_at_the_price_of_the_cards_unless_the_plan_says_how_many(bought, typed, spares, money):
    found = bought(*typed)
    assert found.value(SPARES) == spares
    assert found.value(f"{SPARES}.purchase") == spares * 75_000
    assert found.value("cost.equipment") == money


def test_spares_lie_on_a_shelf(bought):
    """They cost money; the cost of a card-hour is over the cards in service, and power is theirs alone."""
    none, ten = bought("pools.main.failures.spares=0"), bought("pools.main.failures.spares=10")
    assert none.value("power.it") == ten.value("power.it")
    assert none.value("pools.main.cards") == ten.value("pools.main.cards") == 1000
    # 10 × 75,000 × 1.1 with contingency, 95 % of it over 5 years, on 1,000 cards × 8,760 h
    more = 10 * 75_000 * 1.1 * 0.95 / 5 / (1000 * 8760)
    tariff = "cost.tariff=0 CNY/kWh"
    none, ten = bought("pools.main.failures.spares=0", tariff), bought("pools.main.failures.spares=10", tariff)
    assert ten.value("cost.per_card_hour") - none.value("cost.per_card_hour") == pytest.approx(more, rel=1e-9)


def test_fewer_spares_than_are_enough_are_noted(bought):
    said = "0 cards are bought as spares of main; 99.0% of service take 2 cards"
    assert failing(bought("pools.main.failures.spares=0"))["pools.main.failures.spares_are_enough"] == said
    assert "pools.main.failures.spares_are_enough" not in failing(bought())


def test_storage_systems_are_bought(bought):
    """70e9 × 14 B = 0.98 TB in 60 s take one system of 65 GB/s; 3 of 2,000 W draw 6 kW; nobody tells their price."""
    assert bought().value(SYSTEMS) == 1
    one, three = bought(), bought("storage.systems=3")
    assert three.value(f"{SYSTEMS}.power") == 6
    assert three.value("power.it") - one.value("power.it") == pytest.approx(4, rel=1e-9)
    assert one.reason(f"{SYSTEMS}.purchase")
    assert one.value("cost.to_be_quoted") == 5  # switches, NICs, two kinds of optic, storage systems


def chillers(role):
    """Return what a plugin buys: three units of 2,000 W."""

    def items(p):
        count = p.storage.systems.used
        yield Item(p.extra.units, count, "system", label="Units", part=p.storage.system, sort="Extra", role=role)

    return items


# The same three systems of 2,000 W, bought as each role: which sums they are in.
ROLES = {"it": (6, 6), "host": (6, 0), "facility": (6, 0), "spare": (None, 0)}


@pytest.mark.parametrize("role", ROLES)
def test_sums_by_role(results, plugin_of, role):
    text = PLAN + "storage: {systems: 3}\n"
    without, there = results(text), results(text, extra={"extra": plugin_of(items=chillers(role))})
    of_role, of_site = ROLES[role]
    assert there.value("power.it") - without.value("power.it") == pytest.approx(of_site, rel=1e-9)
    key = f"power.by_role.{role}"
    if of_role is None:
        assert key not in there.ledger.lines
    else:
        before = without.value(key) if key in without.ledger.lines else 0
        assert there.value(key) - before == pytest.approx(of_role, rel=1e-9)


def test_there_are_sums_for_the_roles_that_a_plan_has_items_of(bought):
    lines = bought().ledger.lines
    order = list(lines)
    sums = [key for key in order if key.startswith("cost.by_role.")]
    assert sums == ["cost.by_role.it", "cost.by_role.host", "cost.by_role.spare"]
    assert order.index(sums[-1]) - order.index(sums[0]) == 2  # nothing stands between
    found = bought()
    assert found.value("cost.by_role.it") == 75_000_000
    assert found.value("cost.by_role.spare") == 150_000  # 2 × 75,000
    assert found.value("cost.priced") == 75_150_000
    # no part in servers has a price: nothing is known, which is not 0
    assert isnan(found.value("cost.by_role.host"))
    assert found.reason("cost.by_role.host") == "none of it is known"


def test_what_is_in_servers_cannot_draw_more_than_the_overhead_leaves(bought):
    """1,000 × 400 W × 0.05 = 20 kW are left; 1,000 NICs of 25 W draw 25 kW. Modules of switches are beside them."""
    found = bought("power.it_overhead=1.05")
    assert found.value("power.in_servers") == pytest.approx(20, rel=1e-9)
    assert found.value("power.by_role.host") == pytest.approx(25, rel=1e-9)
    said = failing(found)["power.overhead_holds_parts"]
    assert said.startswith("parts in servers draw 25.00 kW, and the overhead leaves 20.00 kW")
    assert "power.overhead_holds_parts" not in failing(bought())


# ---------------------------------------------------------------- what is not known

NO_PORTS = ["network.switch=nvidia/qm8700"]  # its record tells no 400G ports: nobody can count switches, nor modules


def test_an_item_that_cannot_be_counted_is_missing_from_every_sum_and_said_to_be(bought):
    """Switches and their modules have no count: both lack money, power and, the switches, rack units."""
    prices = {
        "nvidia/qm9700": "switch",
        "nvidia/qm8700": "switch",
        "nvidia/cx7-ndr": "nic",
        "nvidia/mms4x00-ns": "module",
    }
    prices |= {"nvidia/mms4x00-ns400": "module", "ddn/ai400x2": "system"}
    said = "price: 1000 CNY, vat: excluded, date: 2026-11-01"
    typed = [f"prices.{part}={{{said}, per: {per}}}" for part, per in prices.items()]
    assert bought(*typed).value("cost.to_be_quoted") == 0
    found = bought(*typed, *NO_PORTS)
    assert found.value("pools.main.network.switches") != found.value("pools.main.network.switches")  # n/a
    assert found.value("cost.to_be_quoted") == 2
    assert {"cost.all_priced", "power.all_disclosed"} <= failing(found).keys()
    assert found.value("power.not_disclosed") == 2


def test_of_what_is_not_bought_nothing_is_missing(bought):
    """No modules in servers, where links are of copper: cables are to be quoted in their place."""
    copper = bought("network.host_links=copper")
    assert bought().value("cost.to_be_quoted") == copper.value("cost.to_be_quoted") == 5
    priced = "prices.nvidia/mcp4y10={price: 1000 CNY, vat: excluded, date: 2026-11-01, per: module}"
    assert bought("network.host_links=copper", priced).value("cost.to_be_quoted") == 4  # not the modules'


@pytest.mark.parametrize(
    ("unit", "what"),
    [
        ("card", "counts storage.system in card, and facts of kind 'storage_system' are of one system; count in that"),
        ("1", "counts storage.system in 1, and facts of kind 'storage_system' are of one system; count in that"),
        ("sistem", "unknown unit 'sistem'; did you mean 'system'?"),
    ],
)
def test_a_unit_that_does_not_fit_the_part_is_told_of_the_plugin_that_counts_it(results, plugin_of, unit, what):
    """Price, power and room follow from it in other plugins, whose lines then did not fit either."""

    def pumps(p):
        yield Item(p.extra.pumps, 3, unit, label="Pumps", part=p.storage.system, sort="X")

    with pytest.raises(PlanError) as caught:
        results(PLAN, extra={"extra": plugin_of(items=pumps)})
    assert [str(one) for one in caught.value.problems] == [f"extra.pumps (plugin 'extra'): {what}"]


def test_an_item_among_the_lines_is_refused(results, plugin_of):
    """Nobody would see it: no price, no power, and no word of it."""
    lines = plugin_of(line_items=lambda p: chillers("it")(p))
    what = "extra.units (plugin 'extra'): is bought; yield it from capframe_items, where other plugins see it"
    with pytest.raises(PlanError, match=re.escape(what)):
        results(PLAN, extra={"extra": lines})
