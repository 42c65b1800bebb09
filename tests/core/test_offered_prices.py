"""Offers in the price of a part: the plan's price, else the newest offer that can be taken, else the catalogue's."""

from __future__ import annotations

import pytest

from capframe import say

A100, H100 = "nvidia/a100-sxm4-80gb", "nvidia/h100-sxm5-80gb"
HEADER = """\
catalog: 1
kind: offer
sources: {q: {title: Quotation 17}}
records:
"""
PLAN = """\
capframe: 1
title: T
date: 2026-11-29
catalogs: [our-offers.yaml]
rates: {{USD: {{value: 7 CNY/USD, date: 2026-11-27}}}}
workloads: {{w: {{pool: main, model: {{parameters: 70B}}, tokens: 1T, mfu: 40%}}}}
pools: {{main: {{accelerator: {card}, count: 1000}}}}
power: {{pue: 1.2}}
network: {{switch: nvidia/qm9700}}
{more}
"""


@pytest.fixture
def offered(results, tmp_path):
    """Evaluate a plan with offers of its own, each the facts of one record; ``date`` is when it was made."""

    def evaluate(*offers, card=A100, more=""):
        text = HEADER
        for number, facts in enumerate(offers, 1):
            date, _, said = facts.partition(": ")
            origin = f"{{source: q, confidence: estimate, as_of: {date}}}"
            text += f"  - {{id: offer/o{number}, origin: {origin}, facts: {{{said}}}}}\n"
        (tmp_path / "our-offers.yaml").write_text(text)
        return results(PLAN.format(card=card, more=more))

    return evaluate


def price(done, item="pools.main.cards"):
    return done.value(f"{item}.price"), done.value(f"{item}.price_age")


def why(done, offer):
    return next((one.why for one in done.plan.catalog.untaken if one.record == offer), None)


NET = f"sort: purchase, part: {A100}, vat: excluded, per: card"
TAKEN = [
    # 904,000 CNY a server of 8 with 13 % VAT: 904,000 / 1.13 / 8 = 100,000; 20 November is 9 days before the plan
    ([("2026-11-20: sort: purchase, part: A100 SXM4 80GB, vat: included, vat_rate: 13%, per: server, "
        "cards_per_server: 8, price: {CNY: 904000 CNY}")], (100_000, 9)),
    (["2026-11-20: sort: tender, part: " + NET.partition("part: ")[2] + ", price: {CNY: 98000 CNY}"], (98_000, 9)),
    # 10,000 USD at 7 CNY/USD
    ([f"2026-11-20: {NET}, price: {{USD: 10000 USD}}"], (70_000, 9)),
    # of several the newest, in whichever currency and order; of one day the lower
    ([f"2026-11-20: {NET}, price: {{USD: 10000 USD}}", f"2026-10-20: {NET}, price: {{CNY: 60000 CNY}}"], (70_000, 9)),
    ([f"2026-10-20: {NET}, price: {{CNY: 60000 CNY}}", f"2026-11-20: {NET}, price: {{USD: 10000 USD}}"], (70_000, 9)),
    ([f"2026-11-20: {NET}, price: {{CNY: 99000 CNY}}", f"2026-11-20: {NET}, price: {{CNY: 98000 CNY}}"], (98_000, 9)),
]  # fmt: skip


@pytest.mark.parametrize(("offers", "wanted"), TAKEN)
def test_an_offer_is_the_price_of_its_part(offered, offers, wanted):
    assert price(offered(*offers)) == pytest.approx(wanted, rel=1e-12)


def test_an_offer_counts_before_the_catalogue_and_after_the_plan(offered):
    quoted = f"2026-11-20: {NET.replace(A100, H100)}, price: {{CNY: 180000 CNY}}"
    listed = offered(card=H100).value("pools.main.cards.price")
    assert listed not in {180_000, 175_000}  # the catalogue has a price of its own
    assert price(offered(quoted, card=H100)) == (180_000, 9)
    # the plan's of 2026-10-30 is older, and counts all the same: 30 days
    more = f"prices: [{{part: {H100}, price: 175000 CNY, vat: excluded, per: card, date: 2026-10-30}}]"
    assert price(offered(quoted, card=H100, more=more)) == (175_000, 30)
    abroad = more.replace("175000 CNY", "25000 USD")  # 25,000 × 7
    assert price(offered(quoted, card=H100, more=abroad)) == (175_000, 30)


@pytest.mark.parametrize(("currency", "wanted"), [("CNY", 72_000), ("USD", 10_000)])
def test_an_offer_in_two_currencies_tells_both(offered, results, currency, wanted):
    offered(f"2026-11-20: {NET}, price: {{CNY: 72000 CNY, USD: 10000 USD}}")
    plan = PLAN.format(card=A100, more=f"currency: {currency}")
    without_rate = "".join(line for line in plan.splitlines(keepends=True) if not line.startswith("rates:"))
    assert price(results(without_rate)) == (wanted, 9)


def test_an_offer_of_any_part_that_is_bought(offered):
    done = offered("2026-11-25: sort: purchase, part: QM9700, vat: excluded, per: switch, price: {USD: 20000 USD}")
    assert price(done, "pools.main.network.switches") == (140_000, 4)  # 20,000 × 7


# of one day the lower by what it comes to in the plan's money, at 7 CNY/USD; each in both orders
OF_ONE_DAY = [
    ("{CNY: 72000 CNY}", "{USD: 10000 USD}", 70_000),  # 10,000 × 7
    ("{CNY: 68000 CNY}", "{USD: 10000 USD}", 68_000),
    ("{CNY: 72000 CNY, USD: 9000 USD}", "{USD: 10000 USD}", 70_000),  # who tells both asks for 72,000 at home
]


@pytest.mark.parametrize(("one", "other", "wanted"), OF_ONE_DAY)
def test_of_one_day_the_cheaper_offer_counts_in_whichever_money(offered, one, other, wanted):
    for first, second in ((one, other), (other, one)):
        done = offered(*(f"2026-11-20: {NET}, price: {price}" for price in (first, second)))
        assert price(done) == (wanted, 9)


def test_an_offer_in_money_without_a_rate_is_passed_over(offered, results):
    """It is newer and lower as a bare number, and nothing can be made of it."""
    offered(f"2026-11-25: {NET}, price: {{USD: 9000 USD}}", f"2026-11-20: {NET}, price: {{CNY: 72000 CNY}}")
    plan = PLAN.format(card=A100, more="")
    without_rate = "".join(line for line in plan.splitlines(keepends=True) if not line.startswith("rates:"))
    done = results(without_rate)
    assert price(done) == (72_000, 9)
    assert why(done, "offer/o1") == "it is in USD, and the plan has no rate in CNY/USD"


NOT_TAKEN = [
    ("2026-11-20: sort: rental, vat: excluded, part: {part}, rent: {{CNY: 10 CNY/card/h}}", None),  # no purchase at all
    ("2026-11-20: sort: purchase, part: {part}, per: card, vat: not_stated, price: {{CNY: 9 CNY}}",
        "it does not say whether VAT is in the price"),
    ("2026-11-20: sort: purchase, part: {part}, per: card, price: {{CNY: 9 CNY}}",
        "it does not say whether VAT is in the price"),
    ("2026-11-20: sort: purchase, part: {part}, per: card, vat: included, price: {{CNY: 9 CNY}}",
        "VAT is taken out of a price at its rate; write `vat: included, vat_rate: 13%`"),
    ("2026-11-20: sort: purchase, part: {part}, per: server, vat: excluded, price: {{CNY: 9 CNY}}",
        "the price of a server is one of a card only with the cards in it; write `cards_per_server: 8`"),
    ("2026-11-20: sort: purchase, part: {part}, vat: excluded, price: {{CNY: 9 CNY}}",
        "it does not say what the price is of one of; write `per: card`"),
    ("2026-11-20: sort: purchase, part: {part}, vat: excluded, per: switch, price: {{CNY: 9 CNY}}",
        "it is in CNY/switch, and that of a part of kind accelerator in CNY/card"),
    ("2026-11-20: sort: purchase, vat: excluded, per: card, price: {{CNY: 9 CNY}}", "it names no part"),
    ("2026-11-20: sort: purchase, part: {part}, vat: excluded, per: card", "it has no price"),
    ("2026-12-01: sort: purchase, part: {part}, vat: excluded, per: card, price: {{CNY: 9 CNY}}",
        "it is dated 2026-12-01, after the plan's date 2026-11-29"),
    ("'': sort: purchase, part: {part}, vat: excluded, per: card, price: {{CNY: 9 CNY}}", "it has no date"),
]  # fmt: skip


@pytest.mark.parametrize(("offer", "reason"), NOT_TAKEN)
def test_an_offer_that_cannot_be_taken_says_why(offered, offer, reason):
    done = offered(offer.format(part=H100), card=H100)
    assert done.value("pools.main.cards.price") == offered(card=H100).value("pools.main.cards.price")
    assert why(done, "offer/o1") == reason


def test_what_an_offer_took_the_place_of_is_kept(offered):
    old, new = (f"{day}: {NET.replace(A100, H100)}, price: {{CNY: {n} CNY}}"
                for day, n in (("2026-10-20", 190_000), ("2026-11-20", 180_000)))  # fmt: skip
    record = offered(new, old, card=H100).plan.catalog.kinds["accelerator"].records[H100]
    assert [one.value for one in record.conflicts["price.CNY"]] == [190_000]
    assert len(record.conflicts["price.USD"]) >= 1  # that of the catalogue
    taken = record.facts["price.CNY"].origin
    assert (taken.source, taken.date) == ("Quotation 17", "2026-11-20")
    assert [say(taken.note, language) for language in ("en", "zh-CN")] == ["offer/o1; vat excluded", "offer/o1; 不含税"]


def test_the_price_goes_stale_by_the_offers_date(offered):
    # 2026-08-20 is 101 days before 2026-11-29: 11 + 30 + 31 + 29
    done = offered(f"2026-08-20: {NET}, price: {{CNY: 99000 CNY}}")
    [check] = [one for one in done.statuses("base", "en") if one.check.key == "pools.main.cards.price_is_fresh"]
    assert (check.result, ": 101 d, stale after" in check.message) == ("fail", True)


def test_no_shipped_offer_tells_a_price_today(offered):
    """They are rentals, tenders that name no part, or do not say their VAT: each of the others says why."""
    catalog = offered().plan.catalog
    sold = [name for name, record in catalog.kinds["offer"].records.items() if record.facts["sort"].value != "rental"]
    assert sorted(one.record for one in catalog.untaken) == sorted(sold)
