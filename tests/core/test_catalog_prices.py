"""Prices: what they cover, in which money, how old they are; and parts that cannot be bought yet."""

from __future__ import annotations

import pytest

from capframe import say
from capframe.errors import PlanError

PLAN = """\
capframe: 1
title: T
date: 2026-11-29
{head}
workloads: {{w: {{pool: main, model: {{parameters: 70B}}, tokens: 1T, mfu: 40%}}}}
pools: {{main: {{accelerator: {card}, count: 1000}}}}
power: {{pue: 1.2}}
{prices}
"""
A100 = "nvidia/a100-sxm4-80gb"


@pytest.fixture
def priced(results):
    def evaluate(prices, head="currency: CNY", card=A100, more=""):
        entries = "".join(f"  - {{{entry}}}\n" for entry in prices)
        return results(PLAN.format(head=head, card=card, prices=f"prices:\n{entries}{more}" if entries else more))

    return evaluate


def price(done):
    return done.value("pools.main.cards.price", "base")


def status(done, key):
    found = {one.check.key: one for one in done.statuses("base", "en")}
    return found[key]


# G04: ¥1,130,000 with 13 % VAT and ¥1,000,000 without are the same price: 1,130,000/1.13 = 1,000,000, for 8 cards each
SAME = [
    "price: 1130000 CNY, vat: included, vat_rate: 13%, per: server, cards_per_server: 8",
    "price: 1000000 CNY, vat: excluded, per: server, cards_per_server: 8",
    "price: 125000 CNY, vat: excluded, per: card",
    "price: 141250 CNY, vat: included, vat_rate: 13%, per: card",
]


@pytest.mark.parametrize("quoted", SAME)
def test_vat_and_server_are_taken_out_once(priced, quoted):
    assert price(priced([f"part: {A100}, {quoted}, date: 2026-11-01"])) == pytest.approx(125_000, rel=1e-12)


def test_what_was_taken_out_is_noted(priced):
    done = priced([f"part: {A100}, {SAME[0]}, scope: with network, date: 2026-11-01, source: quotation 7"])
    given = done.plan.inputs[f"prices.{A100}"].base
    assert say(given.origin.note, "en") == (
        "vat included, VAT of 0.13 of the net price taken out, a server of 8 cards, covers with network, "
        "given as 1130000 CNY"
    )
    assert (given.origin.source, given.origin.date) == ("quotation 7", "2026-11-01")


REFUSED = [
    ("price: 1 CNY, per: card", "does not say 'vat'; write `vat: excluded`"),
    ("price: 1 CNY, vat: excluded", "does not say 'per'"),
    ("price: 9 CNY, vat: included, per: card", "write `vat: included, vat_rate: 13%`"),
    ("price: 9 CNY, vat: excluded, per: server", "write `cards_per_server: 8`"),
    ("price: 9 CNY, vat: unknown, per: card", "`vat: unknown` is not taken here, only excluded or included"),
    ("price: 9 CNY, vat: included, vat_rate: 13, per: card", "'13' is above 0.5; did you mean `13%`?"),
    ("price: 9, vat: excluded, per: card", "'9'"),
]


@pytest.mark.parametrize(("quoted", "message"), REFUSED)
def test_a_price_that_does_not_say_what_it_is(priced, quoted, message):
    with pytest.raises(PlanError) as caught:
        priced([f"part: {A100}, {quoted}"])
    assert message in str(caught.value)


# G12: two prices of one part
def test_two_prices_of_one_part_need_dates_and_the_later_counts(priced):
    one, two = (f"part: {A100}, price: {n} CNY, vat: excluded, per: card" for n in (75000, 80000))
    with pytest.raises(PlanError, match="stands twice in 'prices'; keep one, or give each its date"):
        priced([one, two])
    done = priced([f"{one}, date: 2026-11-01", f"{two}, date: 2026-10-01"])
    assert price(done) == 75000
    assert "instead of that of 2026-10-01 (plan.yaml:" in say(done.plan.inputs[f"prices.{A100}"].base.origin.note, "en")


# 2026-11-29 less 90 days is 2026-08-31
@pytest.mark.parametrize(("day", "result"), [
    ("2026-11-29", "pass"), ("2026-08-31", "pass"), ("2026-08-30", "fail"), ("2025-11-29", "fail"),
    ("2026", "fail"),  # somewhere in the year: it cannot show that it is fresh
    ("2026-11", "pass"),
    ("2030-10-15", "fail"),  # dated after the plan: a slip, or no price of this plan
])  # fmt: skip
def test_a_price_goes_stale(priced, day, result):
    done = priced([f"part: {A100}, price: 75000 CNY, vat: excluded, per: card, date: {day}"])
    assert status(done, "cost.price_of_nvidia_a100_sxm4_80gb_is_fresh").result == result


def test_a_stale_price_is_told_with_its_part_and_age(priced):
    done = priced([f"part: {A100}, price: 75000 CNY, vat: excluded, per: card, date: 2026-05-15"])
    # from 15 May to 29 November: 16 + 30 + 31 + 31 + 30 + 31 + 29 = 198 days
    message = status(done, "cost.price_of_nvidia_a100_sxm4_80gb_is_fresh").message
    assert message.startswith(f"the price given for {A100} is 198")
    assert "stale after 90" in message


def test_a_price_of_the_catalogue_goes_stale_unless_the_plan_gives_one(priced):
    rates = "rates: {USD: {value: 7.1 CNY/USD, date: 2026-11-27}}"
    card = "nvidia/h100-sxm5-80gb"
    assert status(priced([], rates, card), "pools.main.cost.list_price_is_fresh").result == "fail"
    own = f"part: {card}, price: 200000 CNY, vat: excluded, per: card, date: 2026-11-01"
    assert status(priced([own], rates, card), "pools.main.cost.list_price_is_fresh").result == "pass"


# ---------------------------------------------------------------- G02: two currencies

QUOTED = f"part: {A100}, price: 72000 CNY, vat: excluded, per: card, date: 2026-11-01"


def test_a_plan_in_dollars_takes_prices_in_yuan_at_its_one_rate(priced):
    # 72,000 CNY at 1/7.2 USD/CNY = 10,000 USD; given as 0.125 USD/CNY it is 9,000
    done = priced([QUOTED], "currency: USD\nrates: {CNY: {value: 0.125 USD/CNY, date: 2026-11-27}}")
    assert price(done) == pytest.approx(9000)
    assert done.ledger.unit("pools.main.cards.price").text == "USD/card"
    listed = done.plan.catalog.kinds["accelerator"].fact(A100, "price.CNY")
    assert (listed.value, listed.at.split(":")[0]) == (72000, "plan.yaml")
    assert [key for key in done.plan.inputs if key.startswith("rates.")] == ["rates.CNY"]


def test_without_a_rate_there_is_no_price_and_the_reason_says_which(priced):
    done = priced([QUOTED], "currency: USD")
    assert price(done) != price(done)  # noqa: PLR0124 - nan
    assert "rates: {CNY: … USD/CNY}" in done.reason("pools.main.cards.price", "base")


def test_the_plans_own_price_counts_before_that_of_the_catalogue_in_any_money(priced):
    card = "nvidia/h100-sxm5-80gb"  # the catalogue has a price in USD
    quoted = f"part: {card}, price: 216000 CNY, vat: excluded, per: card, date: 2026-11-01"
    done = priced([quoted], "currency: USD\nrates: {CNY: 0.125 USD/CNY}", card)
    assert price(done) == pytest.approx(27000)  # 216,000 × 0.125


# ---------------------------------------------------------------- parts that cannot be bought yet


@pytest.mark.parametrize(("card", "more", "result"), [
    ("huawei/ascend-960", "", "fail"),  # roadmap
    ("amd/mi455x", "", "fail"),  # announced
    ("cambricon/mlu690", "", "fail"),  # unverified
    ("nvidia/b200-sxm-180gb", "", "pass"),  # in production
    ("huawei/ascend-910b2", "", "pass"),  # nothing is said
    ("huawei/ascend-960", ", availability: {allow_unreleased: yes}", "pass"),
])  # fmt: skip
def test_a_part_that_is_not_for_sale_needs_a_word_of_the_plan(results, card, more, result):
    plan = PLAN.format(head="", card=card, prices="").replace("count: 1000", f"count: 1000{more}")
    found = status(results(plan), "pools.main.cluster.for_sale")
    assert found.result == result
    if result == "fail":
        assert "write `availability: {allow_unreleased: yes}` in main" in found.message
