"""Rack units, weight and racks of what is bought: worked out by hand, and nothing made up where nobody discloses it."""

from __future__ import annotations

import math

import pytest

from capframe import Item
from capframe.recalculate import by_formualizer, differences
from capframe_plugins.workbook.build import pages_of, values_of, write
from capframe_plugins.workbook.layout import Layout

PLAN = """currency: CNY
workloads:
  pretrain: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%, deadline: 60 d}
pools:
  main: {accelerator: nvidia/h100-sxm5-80gb, count: 1000}
"""
DGX = "pools.main.space.server=nvidia/dgx-h100"
HEIGHT = "pools.main.space.rack_units"

# 1,000 cards are 125 servers of 8 U and 130.45 kg; beside them 48 switches of 1 U and a storage system of 2 U.
BY_HAND = [
    ([DGX], {
        "pools.main.cards.rack_units": 1000,  # 125 × 8
        "pools.main.cards.weight": 16_306.25,  # 125 × 130.45
        "pools.main.network.switches.rack_units": 48,
        "storage.systems.used.rack_units": 2,
        "space.rack_units.by_role.it": 1050,
        "pools.main.space.per_rack": 4,  # 38 / 8 = 4.75, whole servers
        "pools.main.space.racks": 32,  # 125 / 4 = 31.25
        "pools.main.network.switches.racks": 2,  # 48 / 38 = 1.3
        "storage.systems.used.racks": 1,  # 38 / 2 = 19 a rack
        "space.other_racks": 3,  # each in racks of its own
        "space.racks": 35,
        "space.not_disclosed": 0,
        "space.weights_not_disclosed": 2,  # switches and storage systems
    }),
    # a server draws 8 × 700 W × 1.8214285714 = 10.2 kW: 40 kW feed 3 of them, 125 / 3 = 41.7;
    # it feeds 40,000 / 747 = 53 switches, more than the 38 that fit, and 20 storage systems, 19 of which fit
    ([DGX, "space.rack_power=40 kW/rack"], {
        "pools.main.space.per_rack": 3, "pools.main.space.racks": 42, "space.other_racks": 3, "space.racks": 45,
    }),
    # 10.5 kW feed 1 server, 10,500 / 747 = 14 switches (48 / 14 = 3.4: 4 racks) and 5 storage systems
    ([DGX, "space.rack_power=10.5 kW/rack"], {
        "pools.main.space.racks": 125, "space.other_racks": 5, "space.racks": 130,
    }),
    ([f"{HEIGHT}=6 U/server", "space.usable=42 U/rack"], {
        "pools.main.cards.rack_units": 750,  # 125 × 6
        "pools.main.space.racks": 18,  # 42 / 6 = 7 a rack, 125 / 7 = 17.9
        "space.racks": 21,  # and 48 / 42 = 1.1 and one of storage
    }),
    ([DGX, f"{HEIGHT}=9 U/server"], {"pools.main.cards.rack_units": 1125}),  # what is given goes before the record
]  # fmt: skip


@pytest.mark.parametrize(("typed", "figures"), BY_HAND)
def test_figures_worked_out_by_hand(results, typed, figures):
    found = results(PLAN, overrides=typed)
    assert {key: found.value(key) for key in figures} == pytest.approx(figures, rel=1e-9)


# 36 systems of 8 U are 288 U, whose sum would fill 7.6 racks of 38 U; but a rack holds whole ones
WHOLE = [
    ("38 U/rack", 4, 9),  # 38 / 8 = 4.75; 36 / 4
    ("42 U/rack", 5, 8),  # 42 / 8 = 5.25; 36 / 5 = 7.2
    ("40 U/rack", 5, 8),  # 40 / 8
]


@pytest.mark.parametrize(("usable", "in_one", "racks"), WHOLE)
def test_a_rack_holds_whole_units(results, usable, in_one, racks):
    found = results(PLAN + "storage: {systems: 36, system: weka/wekapod-nitro}\n", overrides=[f"space.usable={usable}"])
    assert found.value("storage.systems.used.per_rack") == in_one
    assert found.value("storage.systems.used.racks") == racks


def test_what_no_rack_can_hold_has_no_racks_and_a_check_says_so(results):
    found = results(PLAN, overrides=[DGX, "space.rack_power=1.5 kW/rack"])  # a storage system draws 2 kW
    assert math.isnan(found.value("storage.systems.used.racks"))
    assert failing(found)["storage.systems.used.rack_holds_one"] == (
        "Storage systems: one is higher than 38 U/rack, or draws more than 1.50 kW/rack"
    )


def test_where_no_height_is_known_the_racks_are_not_available(results):
    """No figure, 0 least of all: the switch of the plan tells no height, and there is no storage."""
    found = results(PLAN, overrides=["network.switch=nvidia/sn6600"], off=["storage"])
    assert math.isnan(found.value("space.other_racks"))


def test_without_a_server_nobody_knows_how_many_racks(results):
    """The switches alone would fill two: that is no answer, and what is known is summed beside it."""
    found = results(PLAN)
    for key in ("pools.main.cards.rack_units", "pools.main.cards.weight", "space.racks"):
        assert found.reason(key) == "Server (main) not given"
    assert found.value("space.rack_units.by_role.it") == 50
    assert found.value("space.not_disclosed") == 1
    checks = {one.check.key: one.result for one in found.statuses() if one.check.plugin == "space"}
    open_ones = ("pools.main.space.server_fits", "pools.main.space.server_is_theirs", "space.all_disclosed")
    assert [checks[key] for key in open_ones] == ["n/a"] * 3


def test_a_server_that_tells_no_height_leaves_the_racks_open(results):
    found = results(PLAN, overrides=["pools.main.space.server=nvidia/dgx-h200"])
    assert found.reason("space.racks") == "Rack units of DGX H200 not disclosed"
    assert found.value("pools.main.cards.weight") == pytest.approx(125 * 130.45)


def failing(found):
    return {one.check.key: one.message for one in found.statuses() if one.result == "fail"}


CHECKS = {
    "pools.main.space.server_fits": (
        [DGX, "space.rack_power=8 kW/rack"],  # a server draws 10.2 kW
        "a server of main is higher than 38 U/rack, or draws more than 8.00 kW/rack",
    ),
    "pools.main.space.server_is_theirs": (
        ["pools.main.space.server=nvidia/dgx-2"],
        (
            "the server of main holds 16 card/server of nvidia/v100-sxm2-32gb, and the pool has 8 card/server of "
            "nvidia/h100-sxm5-80gb"
        ),
    ),
}


@pytest.mark.parametrize("key", CHECKS)
def test_checks(results, key):
    typed, said = CHECKS[key]
    assert failing(results(PLAN, overrides=typed))[key] == said
    assert key not in failing(results(PLAN, overrides=[DGX]))


# What a plugin buys as each role, 3 systems of 2 U: the racks hold IT, and the facility has a sum of its own.
ROLES = {"it": ("it", 6), "facility": ("facility", 6), "host": (None, 0), "spare": (None, 0)}


@pytest.mark.parametrize("role", ROLES)
def test_what_each_role_takes(results, plugin_of, role):
    def bought(p):
        count = p.storage.systems.used
        yield Item(p.extra.units, count, "system", label="Units", part=p.storage.system, sort="Extra", role=role)

    text = PLAN + "storage: {systems: 3}\n"
    without = results(text, overrides=[DGX])
    there = results(text, overrides=[DGX], extra={"extra": plugin_of(items=bought)})
    named, more = ROLES[role]
    assert ("extra.units.rack_units" in there.ledger.lines) is (named is not None)
    if named:
        key = f"space.rack_units.by_role.{named}"
        before = without.value(key) if key in without.ledger.lines else 0
        assert there.value(key) - before == more
    racks = there.value("space.other_racks") - without.value("space.other_racks")
    assert racks == (1 if role == "it" else 0)  # 38 / 2 = 19 of them in one


@pytest.mark.parametrize("typed", [[], [DGX], [DGX, "space.rack_power=40 kW/rack"]], ids=["none", "server", "power"])
def test_the_workbook_says_the_same(results, tmp_path, typed):
    """A pick that is left open too: its facts are n/a in both."""
    found = results(PLAN, overrides=typed)
    write(found, tmp_path / "space.xlsx")
    cells = {page.title: values_of(page) for page in pages_of(Layout(found))}
    assert differences(cells, by_formualizer(tmp_path / "space.xlsx")) == []


def test_a_pool_compiled_over_its_servers(results):
    """Racks over the servers that may be picked: 10 U of a DGX B200 leave 3 to a rack, and 125 / 3 are 42."""
    ledger = results(PLAN, overrides=[DGX]).ledger
    compiled = ledger.compile(["space.racks"], ["pools.main.space.server"])
    racks = compiled(**{"pools.main.space.server": ["nvidia/dgx-h100", "nvidia/dgx-b200"]})
    assert list(racks["space.racks"]) == [35, 45]


def test_space_may_be_switched_off(results):
    found = results(PLAN, off=["space"])
    assert not [key for key in found.ledger.lines if "rack" in key]
    assert found.fails() == []
