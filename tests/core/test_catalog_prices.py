"""Prices: what they cover, in which money, how old they are; and parts that cannot be bought yet."""

from __future__ import annotations

import pytest
from attrs import frozen

from capframe import (
    Area,
    CatalogFile,
    Given,
    Item,
    RecordKind,
    Section,
    UnitDefinition,
    family,
    pick,
    quantity,
    say,
)
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


FRESH = "pools.main.cards.price_is_fresh"


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
        "vat included, VAT of 13% of the net price taken out, a server of 8 cards, covers with network, "
        "given as 1130000 CNY"
    )
    assert (given.origin.source, given.origin.date) == ("quotation 7", "2026-11-01")


REFUSED = [
    ("price: 1 CNY, per: card", "does not say 'vat'; write `vat: excluded` or `vat: included`"),
    ("price: 1 CNY, per: card, vat: yes", "`vat: yes` is not taken here; write `vat: excluded` or `vat: included`"),
    ("price: 1 CNY, vat: excluded", "does not say 'per'"),
    ("price: 9 CNY, vat: included, per: card", "write `vat: included, vat_rate: 13%`"),
    ("price: 9 CNY, vat: excluded, per: server", "write `cards_per_server: 8`"),
    ("price: 9 CNY, vat: unknown, per: card", "`vat: unknown` is not taken here; write `vat: excluded` or"),
    ("price: 9 CNY, vat: included, vat_rate: 13, per: card", "'13' is above 0.5; did you mean `13%`?"),
    ("price: 9, vat: excluded, per: card", "'9' has no unit; write `9 CNY`"),
    ("price: 9 RMB, vat: excluded, per: card", None),  # what people call CNY
    ("price: 9 RMB/card, vat: excluded, per: card", None),
    ("price: 9 人民币, vat: excluded, per: card", None),
    ("price: 900 分, vat: excluded, per: card", None),  # 900 · 0.01 CNY
    ("price: 9 CHF, vat: excluded, per: card", "'9 CHF': unknown unit 'CHF'; prices are in CNY or USD"),
    ("price: 9 万美元, vat: excluded, per: card", "USD has no rate; write `rates: {USD: … CNY/USD}`"),
    ("price: 9 EUR, vat: excluded, per: card", "'9 EUR' is in EUR, and prices are in CNY or USD: convert it"),
    ("price: 9 CNY/switch, vat: excluded, per: card", "'9 CNY/switch' is per switch, and `per: card` is said"),
    ("price: 9 CNY, note: 1.2 EUR at 7.5, vat: excluded, per: card, date: 2026-11", None),  # as that message says
]


@pytest.mark.parametrize(("quoted", "message"), REFUSED)
def test_a_price_that_does_not_say_what_it_is(priced, quoted, message):
    entry = f"part: {A100}, {quoted}"
    if message is None:
        assert price(priced([entry])) == 9
        return
    with pytest.raises(PlanError) as caught:
        priced([entry])
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
    assert status(done, "pools.main.cards.price_is_fresh").result == result


def test_a_stale_price_is_told_with_its_part_and_age(priced):
    done = priced([f"part: {A100}, price: 75000 CNY, vat: excluded, per: card, date: 2026-05-15"])
    # from 15 May to 29 November: 16 + 30 + 31 + 31 + 30 + 31 + 29 = 198 days
    message = status(done, "pools.main.cards.price_is_fresh").message
    assert message.startswith("age of the price of nvidia/a100-sxm4-80gb: 198 d, stale after 90")


def test_a_price_without_a_date_is_not_fresh_and_no_price_is_not_judged(priced):
    undated = status(priced([f"part: {A100}, price: 75000 CNY, vat: excluded, per: card"]), FRESH)
    assert undated.result == "fail"
    assert undated.message.startswith(f"age of the price of {A100}: n/a, stale after 90")
    none = status(priced([]), FRESH)
    assert (none.result, none.reason) == ("n/a", "no price of A100 SXM4 80GB is known")


def test_cards_and_their_spares_have_one_check_of_their_price(priced):
    done = priced([f"part: {A100}, price: 75000 CNY, vat: excluded, per: card"])
    told = [one for one in done.statuses("base", "en") if one.check.key.endswith("price_is_fresh")]
    assert [one.check.key for one in told if A100 in one.message] == [FRESH]


# 1,000 cards of 72,000 and 10 % on top are 79.2 M, and a few spares; switches and others have no price
@pytest.mark.parametrize(("budget", "in_budget", "covers_all"), [
    ("90000000", "pass", "fail"), ("79000000", "fail", "n/a"), (None, "n/a", "n/a"),
])  # fmt: skip
def test_a_budget_that_holds_for_what_is_priced_is_warned_of(priced, budget, in_budget, covers_all):
    money = f"cost: {{budget: {budget} CNY, vat_rate: 13%}}" if budget else ""
    done = priced([QUOTED], more=money)
    assert status(done, "cost.in_budget").result == in_budget
    check = status(done, "cost.budget_covers_all")
    assert check.result == covers_all
    if covers_all == "fail":
        left = done.value("cost.budget_left")
        assert left == pytest.approx(90_000_000 - done.value("cost.capex"))
        assert check.message.startswith("the budget holds for what is priced; items to be quoted: ")
        assert check.message.endswith(f"{left:,.2f} CNY is left for them")
        assert done.value("cost.capex_with_vat") == pytest.approx(1.13 * done.value("cost.capex"), rel=1e-12)


def test_a_price_of_the_catalogue_goes_stale_unless_the_plan_gives_one(priced):
    rates = "rates: {USD: {value: 7.1 CNY/USD, date: 2026-11-27}}"
    card = "nvidia/h100-sxm5-80gb"
    assert status(priced([], rates, card), "pools.main.cards.price_is_fresh").result == "fail"
    own = f"part: {card}, price: 200000 CNY, vat: excluded, per: card, date: 2026-11-01"
    assert status(priced([own], rates, card), "pools.main.cards.price_is_fresh").result == "pass"


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


def test_a_price_of_the_plan_in_money_without_a_rate_is_a_mistake_at_its_place(priced):
    with pytest.raises(PlanError) as caught:
        priced([QUOTED], "currency: USD")
    [said] = str(caught.value).splitlines()[:1]
    line, column = 9, 5 + len(f"{{part: {A100}, price: ")  # of the amount
    assert said == f"plan.yaml:{line}:{column}: CNY has no rate; write `rates: {{CNY: … USD/CNY}}`"


def test_a_price_of_the_catalogue_without_a_rate_is_not_available_and_says_which_to_give(priced):
    done = priced([], card="nvidia/h100-sxm5-80gb")
    assert price(done) != price(done)  # noqa: PLR0124 - nan
    assert "rates: {USD: … CNY/USD}" in done.reason("pools.main.cards.price", "base")


def test_the_plans_own_price_counts_before_that_of_the_catalogue_in_any_money(priced):
    card = "nvidia/h100-sxm5-80gb"  # the catalogue has a price in USD
    quoted = f"part: {card}, price: 216000 CNY, vat: excluded, per: card, date: 2026-11-01"
    done = priced([quoted], "currency: USD\nrates: {CNY: 0.125 USD/CNY}", card)
    assert price(done) == pytest.approx(27000)  # 216,000 × 0.125


# ---------------------------------------------------------------- whatever is bought

# of each kind: a part by one of its names, what its price is per, and the line of the item that picks it
KINDS = [
    ("QM9700", "switch", "network: {switch: QM9700}", "pools.main.network.switches"),
    ("nvidia/cx7-ndr", "nic", "network: {nic: nvidia/cx7-ndr}", "pools.main.network.nics"),
    ("ddn/ai400x2", "system", "storage: {system: ddn/ai400x2}", "storage.systems.used"),
]


@pytest.mark.parametrize(("part", "thing", "picked", "item"), KINDS)
def test_a_plan_prices_any_part_that_it_buys(priced, part, thing, picked, item):
    # 113,000 CNY with 13 % VAT are 100,000 without; dated 30 days before the plan
    entry = f"part: {part}, price: 113000 CNY, vat: included, vat_rate: 13%, per: {thing}, date: 2026-10-30"
    done = priced([entry], more=picked)
    assert done.value(f"{item}.price") == pytest.approx(100_000, rel=1e-12)
    assert done.value(f"{item}.price_age") == 30
    assert done.value(f"{item}.purchase") == pytest.approx(100_000 * done.value(item), rel=1e-12)
    assert done.ledger.unit(f"{item}.price").text == f"CNY/{thing}"
    assert status(done, f"{item}.price_is_fresh").result == "pass"
    assert priced([entry], head="currency: USD\nrates: {CNY: 0.125 USD/CNY}", more=picked).value(
        f"{item}.price"
    ) == pytest.approx(12_500, rel=1e-12)  # 100,000 × 0.125


WRONG_PER = [
    (f"part: {A100}, price: 9 CNY, per: switch", (f"`per: switch` is not taken for {A100}, a part of kind accelerator; "
        "write `per: card`")),
    ("part: QM9700, price: 9 CNY, per: card", ("`per: card` is not taken for nvidia/qm9700, a part of kind switch; "
        "write `per: switch`")),
    # the cards of a server are accelerators: no other part is priced by the server
    ("part: nvidia/cx7-ndr, price: 9 CNY, per: server, cards_per_server: 8", ("`per: server` is not taken for "
        "nvidia/cx7-ndr, a part of kind nic; write `per: nic`")),
    ("part: QM9700, price: 9 CNY, per: server", ("`per: server` is not taken for nvidia/qm9700, a part of kind switch; "
        "write `per: switch`")),
    ("part: ddn/ai400x2, price: 9 CNY", "the price of ddn/ai400x2 does not say 'per'; write `per: system`"),
    ("part: QM9701, price: 9 CNY, per: switch", "no part is called 'QM9701'; did you mean 'qm9700'"),
    (f"part: {A100}, per: card", f"the price of {A100} is missing: it is the key 'price'"),
]  # fmt: skip


@pytest.mark.parametrize(("quoted", "message"), WRONG_PER)
def test_what_a_price_is_for_is_checked_by_the_kind_of_its_part(priced, quoted, message):
    with pytest.raises(PlanError) as caught:
        priced([f"{quoted}, vat: excluded"])
    assert message in str(caught.value)


SWITCH = """\
catalog: 1
kind: switch
as_of: 2026-11-20
sources: {us: {title: Us}}
records:
  - {id: ours/one, origin: {source: us, confidence: measured}, aliases: [One], facts: {ports: {400G: 64 port/switch}}}
"""


NIC = (
    SWITCH.replace("switch\n", "nic\n")
    .replace("ours/one", "ours/one-nic")
    .replace("{ports: {400G: 64 port/switch}}", "{}")
)
TANKS = """\
catalog: 1
kind: tank
as_of: 2026-11-20
records: [{id: maker/blue-50}]
"""


def test_a_name_of_parts_of_two_kinds_is_refused_with_both(read_plan, tmp_path):
    (tmp_path / "switch.yaml").write_text(SWITCH)
    (tmp_path / "nic.yaml").write_text(NIC)
    head = "catalogs: [switch.yaml, nic.yaml]\n"
    entry = "prices: [{part: One, price: 9 CNY, vat: excluded, per: switch}]\n"
    with pytest.raises(PlanError) as caught:
        read_plan(head + entry)
    assert "'One' is a name of ours/one-nic (nic) and of ours/one (switch); write one of these ids" in str(caught.value)
    assert read_plan(head + entry.replace("One", "ours/one")).inputs["prices.ours/one"].base.value == 9


@frozen(kw_only=True)
class Tank:
    """What a kind of a plugin may tell."""

    price: Given = family(quantity("{by}/tank", label="Price"), ["CNY", "USD"])


def test_a_plugin_that_prices_its_kind_lets_the_plan_price_it(read_plan, plugin_of, tmp_path):
    path = tmp_path / "tanks.yaml"
    path.write_text(TANKS)
    tanks = plugin_of(units=[UnitDefinition("tank")], catalogs=[RecordKind("tank", Tank), CatalogFile(path)])
    plan = read_plan("prices: [{part: Blue 50, price: 900 CNY, vat: excluded, per: tank}]\n", extra={"tanks": tanks})
    assert plan.inputs["prices.maker/blue-50"].base.value == 900
    assert plan.inputs["prices.maker/blue-50"].unit.text == "CNY/tank"


@frozen(kw_only=True)
class Yuan:
    """What a kind tells whose prices are known in one currency alone."""

    price: Given = family(quantity("{by}/tank", label="Price"), ["CNY"])


@frozen(kw_only=True)
class Site:
    tank: Given = pick("tank", label="Tank", optional=True)
    wanted: Given = quantity("tank", label="Tanks wanted", default="2 tank")


OFFER = """\
catalog: 1
kind: offer
as_of: 2026-11-20
sources: {q: {title: Quotation}}
records:
  - id: offer/blue
    origin: {source: q, confidence: estimate}
    facts: {sort: purchase, part: Blue 50, vat: excluded, per: tank, price: {USD: 100 USD}}
"""


@pytest.fixture
def tanks(results, plugin_of, tmp_path):
    """Evaluate a plan that buys two tanks, of a kind whose prices are in CNY alone."""

    def evaluate(text="", **brought):
        for name, content in brought.items():
            (tmp_path / f"{name}.yaml").write_text(content)
        module = plugin_of(
            units=[UnitDefinition("tank")],
            sections=[Section("site", Site, label="Site"), Area("site", "Site")],
            catalogs=[RecordKind("tank", Yuan), *(CatalogFile(tmp_path / f"{name}.yaml") for name in brought)],
            items=lambda p: [Item(p.site.tanks, p.site.wanted, "tank", label="Tanks", part=p.site.tank, sort="Tanks")],
        )
        return results(text, extra={"tanks": module})

    return evaluate


def test_a_kind_without_records_can_be_bought_and_has_no_price(tanks):
    done = tanks()
    assert done.value("site.tanks") == 2
    assert done.reason("site.tanks.price")


def test_a_kind_may_have_prices_in_one_currency_alone(tanks):
    priced = TANKS.replace(
        "[{id", "[{facts: {price: {CNY: 700 CNY/tank}}, origin: {source: q, confidence: estimate}, id"
    )
    priced = priced.replace("records", "sources: {q: {title: Quotation}}\nrecords")
    done = tanks("site: {tank: Blue 50}\n", tanks=priced, offers=OFFER)
    assert done.value("site.tanks.purchase") == 1400  # 2 × 700
    [why] = [one.why for one in done.plan.catalog.untaken if one.record == "offer/blue"]
    assert why == "a part of kind tank has no 'price.USD'; write `price.CNY`"


# ---------------------------------------------------------------- scenarios and --set


H100 = "nvidia/h100-sxm5-80gb"
ABROAD = "rates: {USD: 7.1 CNY/USD}", f"part: {H100}, price: 20000 USD, vat: excluded, per: card, date: 2026-11-01"
TAKING_BACK = f"'prices.{H100}' is given in USD in the plan, at plan.yaml:"


@pytest.mark.parametrize("written", [f"prices.{H100}: auto", "prices: {H100 SXM5 80GB: auto}"])
def test_a_price_in_other_money_is_not_taken_back_by_a_scenario(priced, written):
    rates, quoted = ABROAD
    with pytest.raises(PlanError) as caught:
        priced([quoted], rates, H100, more=f"scenarios: {{listed: {{{written}}}}}")
    assert TAKING_BACK in str(caught.value)
    assert "and cannot be taken back here; take it out there, or give it there in CNY" in str(caught.value)


@pytest.mark.parametrize("empty", ["", "auto"])
def test_set_takes_back_a_price_with_its_age_or_says_why_not(read_plan, empty):
    rates, quoted = ABROAD
    own = PLAN.format(head="", card=A100, prices=f"prices: [{{{QUOTED}}}]")
    done = read_plan(own, overrides=[f"prices.{A100}={empty}"]).inputs
    assert done[f"price_age.{A100}"].base.value != done[f"price_age.{A100}"].base.value  # noqa: PLR0124 - nan
    abroad = PLAN.format(head=rates, card=H100, prices=f"prices: [{{{quoted}}}]")
    with pytest.raises(PlanError) as caught:
        read_plan(abroad, overrides=[f"prices.{H100}={empty}"])
    assert f"--set #1: {TAKING_BACK}" in str(caught.value)


def test_an_id_of_two_kinds_is_told_once_with_advice(read_plan, tmp_path):
    (tmp_path / "switch.yaml").write_text(SWITCH)
    (tmp_path / "nic.yaml").write_text(NIC.replace("ours/one-nic", "ours/one"))
    with pytest.raises(PlanError) as caught:
        read_plan("catalogs: [switch.yaml, nic.yaml]\n")
    [said] = caught.value.problems
    assert said.what.startswith("'ours/one' is the id of parts of two kinds, nic (")
    assert said.what.endswith(" and has one row in 'prices'; give one of them another id")


DEAR = "price: 90400 CNY, vat: included, vat_rate: 13%, per: card, date: 2026-11-20"  # 90,400 / 1.13 = 80,000
WRITTEN = [
    f"prices: [{{part: A100 SXM4 80GB, {DEAR}}}]",  # as in the plan itself
    f"prices.{A100}: {{{DEAR}}}",
    f"prices: {{A100 SXM4 80GB: {{{DEAR}}}}}",
]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_scenario_prices_a_part_as_the_plan_does(priced, written):
    done = priced([QUOTED], more=f"scenarios: {{dear: {{{written}}}}}")
    values = [(done.value("pools.main.cards.price", name), done.value("pools.main.cards.price_age", name))
              for name in ("base", "dear")]  # fmt: skip
    assert values == [(72_000, 28), (pytest.approx(80_000, rel=1e-12), 9)]  # 1 and 20 November to the 29th


UNSAID = [
    (f"prices.{A100}: 80000 CNY", (f"the price of {A100} has to say 'per' and 'vat'; write for example "
        "`{price: 80000 CNY, per: card, vat: excluded}`")),
    (f"prices.{A100}: {{price: 80000 CNY, per: card}}", f"the price of {A100} does not say 'vat'"),
    (f"prices.{A100}: {{value: 80000 CNY, per: card, vat: excluded}}", "unknown key 'value'"),
    (f"prices.{A100}: {{price: 80000 CNY, per: card, vat: excluded}}", "does not say 'date', as that of base does"),
    (f"prices.{A100}: {{price: 9 USD, per: card, vat: excluded}}", "'9 USD' is in USD, and prices are in CNY"),
    (f"prices: [{{part: {A100}, price: 80000 CNY, per: switch, vat: excluded}}]", "write `per: card`"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "message"), UNSAID)
def test_a_price_of_a_scenario_says_what_it_is(priced, written, message):
    with pytest.raises(PlanError) as caught:
        priced([QUOTED], more=f"scenarios: {{dear: {{{written}}}}}")
    assert message in str(caught.value)


def test_set_takes_a_price_as_the_plan_writes_it(read_plan):
    plan = PLAN.format(head="", card=A100, prices="")
    done = read_plan(plan, overrides=[f"prices.A100 SXM4 80GB={{{DEAR}}}"]).inputs
    assert done[f"prices.{A100}"].base.value == pytest.approx(80_000, rel=1e-12)
    assert (done[f"price_age.{A100}"].base.value, done[f"prices.{A100}"].base.at) == (9, "--set #1")
    for short, message in (
        ("80000 CNY/card", "`{price: 80000 CNY, per: card, vat: excluded}`"),
        ("80000", "`{price: 80000 CNY, per: card, vat: excluded}`"),
        ("8 万", "`{price: 8 万 CNY, per: card, vat: excluded}`"),
        ("{price: 1", "the `{` that opens here is not closed; write `}` where its entries end"),
    ):
        with pytest.raises(PlanError) as caught:
            read_plan(plan, overrides=[f"prices.{A100}={short}"])
        assert message in str(caught.value)


# ---------------------------------------------------------------- parts that cannot be bought yet


@pytest.mark.parametrize(("card", "word", "check", "severity"), [
    ("huawei/ascend-960", "roadmap", "for_sale", "error"),
    ("amd/mi455x", "announced", "for_sale", "error"),
    ("cambricon/mlu690", "unverified", "for_sale", "error"),
    ("google/tpu-v5p", "cloud_only", "not_only_rented", "error"),
    ("nvidia/a100-sxm4-80gb", "eol", "still_made", "warning"),
    ("nvidia/h20-96gb", "restricted", "needs_no_licence", "warning"),
    ("metax/c600", "sampling", "in_volume", "warning"),
    ("nvidia/b200-sxm-180gb", "in_production", None, None),
    ("huawei/ascend-910b2", None, None, None),  # nothing is said
])  # fmt: skip
def test_a_part_that_is_hard_to_get_needs_a_word_of_the_plan(results, card, word, check, severity):
    plan = PLAN.format(head="", card=card, prices="")
    supply = ("for_sale", "not_only_rented", "still_made", "needs_no_licence", "in_volume")
    found = {key: status(results(plan), f"pools.main.cluster.{key}") for key in supply}
    assert [key for key, one in found.items() if one.result != "pass"] == [check] * bool(check)
    if check:
        assert found[check].check.severity == severity
        assert f"has the status {word}: " in found[check].message
        assert f"`capframe catalog show {card}` says who says so" in found[check].message
        assert f"write `availability: {{accept: {word}}}` in main" in found[check].message
        accepted = plan.replace("count: 1000", f"count: 1000, availability: {{accept: {word}}}")
        assert status(results(accepted), f"pools.main.cluster.{check}").result == "pass"


def test_what_is_accepted_is_one_status_and_no_other(results):
    """A scenario with another card, which is not for sale yet, does not pass for the card that is no longer made."""
    plan = PLAN.format(head="", card="amd/mi455x", prices="")
    plan = plan.replace("count: 1000", "count: 1000, availability: {accept: eol}")
    assert status(results(plan), "pools.main.cluster.for_sale").result == "fail"
