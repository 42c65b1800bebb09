"""What a price is: in which money, with or without VAT, of a card or of a server, and how old."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capframe import (
    Basis,
    CapframeError,
    Check,
    Conversion,
    Expr,
    Label,
    Missing,
    Outline,
    Ref,
    any_of,
    at_least,
    at_most,
    every,
    fact,
    first_known,
    joined,
    less,
    more,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CURRENCIES = ("CNY", "USD")
EXCLUDED = Basis(
    "vat",
    "excluded",
    refused={"included": "take the VAT out, or give the price in the plan with `vat: included, vat_rate: …`"},
)
VAT_WORDS = {
    "excluded": {"en": "vat excluded", "zh": "不含税"},
    "included": {"en": "vat included", "zh": "报价含税"},
}


def net_per_card(said: Mapping[str, float | str]) -> Conversion:
    """Return what makes a price as it was quoted one of a card without VAT.

    Raises:
        CapframeError: where the entry does not say what that takes.
    """
    factor, notes = 1.0, list[Label]()
    if said["vat"] == "included":
        rate = said.get("vat_rate")
        if not isinstance(rate, float):
            msg = "VAT is taken out of a price at its rate; write `vat: included, vat_rate: 13%`"
            raise CapframeError(msg)
        factor /= 1 + rate
        notes.append({"en": f"VAT of {rate:.4g} of the net price taken out", "zh": f"已按税率 {rate:.4g} 扣除增值税"})
    if said["per"] == "server":
        cards = said.get("cards_per_server")
        if not isinstance(cards, float):
            msg = "the price of a server is one of a card only with the cards in it; write `cards_per_server: 8`"
            raise CapframeError(msg)
        factor /= cards
        notes.append({"en": f"a server of {cards:g} cards", "zh": f"整机 {cards:g} 卡"})
    if said.get("scope"):
        notes.append({"en": f"covers {said['scope']}", "zh": f"价格范围: {said['scope']}"})
    return Conversion(factor, "card" if said["per"] == "server" else "", joined(notes))


def listed_price(plan: Outline, p: Ref, part: Ref) -> Expr:
    """Return the catalogue's price of a part in the plan's money, in whichever currency it is disclosed.

    Where it is disclosed in a currency alone that the plan has no rate for, the reason says which rate to give.
    """
    money = plan.currency
    known = [
        fact(part, f"price.{currency}") if currency == money else fact(part, f"price.{currency}") * p.rates[currency]
        for currency in rated(plan)
    ]
    unrated = [currency for currency in CURRENCIES if currency not in rated(plan)]
    nowhere = {
        "en": f"no price in {money}: the catalogue has none in that currency",
        "zh": f"没有 {money} 单价: 产品目录中没有该币种的价格",
    }
    price: Expr = known[-1] if known else Missing(nowhere)
    for currency in unrated:
        other = fact(part, f"price.{currency}")
        rate = f"`rates: {{{currency}: … {money}/{currency}}}`"
        needs = {
            "en": f"its price is in {currency}; give the rate, {rate}",
            "zh": f"单价以 {currency} 计, 请给出汇率 {rate}",
        }
        price = when(at_least(first_known(other / other, 0), 1), Missing(needs), price)
    for one in reversed(known if unrated else known[:-1]):
        price = first_known(one, price)
    return price


def rated(plan: Outline) -> list[str]:
    """Return the currencies whose prices a plan can use: its own first, then those it has a rate for."""
    usable = (currency for currency in CURRENCIES if currency == plan.currency or currency in plan.rates)
    return sorted(usable, key=lambda currency: currency != plan.currency)


def freshness(plan: Outline, p: Ref) -> Iterator[Check]:
    """Yield a check for each price that counts: given in the plan, or listed and not replaced by one."""
    oldest = p.cost.price_max_age
    for part in plan.prices:
        age = p.price_age[part]
        yield Check(
            f"cost.price_of_{re.sub('[^a-z0-9]+', '_', part)}_is_fresh",
            every(at_least(age, 0 * oldest), at_most(age, oldest)),  # below 0 it is dated after the plan
            "warning",
            {
                "en": f"the price given for {part} is {age} old, and stale after {oldest} (below 0 it is dated after "
                "the plan): ask for a new quotation",
                "zh": f"{part} 的给定单价距今 {age}, 超过 {oldest} 应重新询价",
            },
            label={"en": f"The price given for {part} is fresh", "zh": f"{part} 给定单价未过期"},
        )
    for name in plan.pools:
        pool = p.pools[name]
        used, listed, age = pool.cards.price, pool.cost.list_price, pool.cost.list_price_age
        yield Check(
            pool.cost.list_price_is_fresh,
            any_of(less(used, listed), more(used, listed), every(at_least(age, 0 * oldest), at_most(age, oldest))),
            "warning",
            {
                "en": f"the catalogue price of {pool.accelerator} is {age} old, and stale after {oldest}: give a "
                "quotation under `prices:`",
                "zh": f"{pool.accelerator} 的目录价距今 {age}, 超过 {oldest}, 请在 `prices:` 中给出报价",
            },
            label={"en": f"The catalogue price of {name} is fresh, or not used", "zh": f"{name} 目录价未过期或未采用"},
        )
