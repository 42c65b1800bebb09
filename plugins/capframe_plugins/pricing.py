"""What a price is: in which money, with or without VAT, of one of what, from whom, and how old."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Basis,
    CapframeError,
    Check,
    Conversion,
    Expr,
    Given,
    Group,
    Label,
    LineItem,
    Missing,
    Outline,
    Ref,
    any_of,
    at_least,
    at_most,
    either,
    entry,
    every,
    fact,
    family,
    first_known,
    in_turn,
    joined,
    known,
    less,
    number_of,
    quantity,
    text,
    total,
    when,
)
from capframe_plugins.roles import of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CURRENCIES = ("CNY", "USD")
"""The currencies that records of parts and offers may tell a price in."""
EXCLUDED = Basis(
    "vat",
    "excluded",
    refused={"included": "take the VAT out, or give the price in the plan with `vat: included, vat_rate: …`"},
)
VAT_WORDS = {
    "excluded": {"en": "vat excluded", "zh": "不含税"},
    "included": {"en": "vat included", "zh": "报价含税"},
}
PRICE = {"en": "Price", "zh": "单价"}
VAT_RATE = quantity("1", label={"en": "VAT rate", "zh": "增值税税率"}, percent=True, low=0, high=0.5)
CARDS_PER_SERVER = quantity(
    "card/server", label={"en": "Cards per server", "zh": "每台服务器卡数"}, low=1, high=1024, whole=True
)
SCOPE = text(label={"en": "What the price covers", "zh": "价格范围"})


@frozen(kw_only=True)
class Price:
    """What a record of whatever is bought may say of its price: a column for each currency, and how old it is."""

    price: Given = family(quantity("{by}/{of}", label=PRICE, low=1, high=1e9, bases=(EXCLUDED,)), CURRENCIES)
    price_age: Given = family(
        quantity("d", label={"en": "Age of the price", "zh": "价格距今天数"}, age_of="price.{by}"), CURRENCIES
    )


def prices() -> Group:
    """Return the prices that a plan gives: of any part whose kind of record may tell one."""
    return Group(
        key="prices",
        field=quantity("{currency}/{of}", label=PRICE, auto=True, low=0, high=1e9),
        label={"en": "Prices without VAT", "zh": "不含税单价"},
        of="price",
        named_by="part",
        value="price",
        per="per",
        must_say={"vat": VAT_WORDS},
        may_say={"vat_rate": VAT_RATE, "cards_per_server": CARDS_PER_SERVER, "scope": SCOPE},
        convert=net,
        rates="rates",
        ages=Group(
            key="price_age",
            field=quantity("d", label={"en": "Age of the price given", "zh": "给定单价距今天数"}, optional=True),
            label={"en": "Age of the prices given", "zh": "给定单价距今天数"},
            of="price",
        ),
    )


def net(said: Mapping[str, float | str], of: str = "card") -> Conversion:
    """Return what makes a price as it was quoted one without VAT, and that of a server one of a card.

    ``of`` is what the part is sold as: only cards come in servers.

    Raises:
        CapframeError: where the quotation does not say what that takes.
    """
    factor, notes = 1.0, list[Label]()
    if said["vat"] == "included":
        rate = said.get("vat_rate")
        if not isinstance(rate, float):
            msg = "VAT is taken out of a price at its rate; write `vat: included, vat_rate: 13%`"
            raise CapframeError(msg)
        factor /= 1 + rate
        share = f"{100 * rate:.4g}%"
        notes.append({"en": f"VAT of {share} of the net price taken out", "zh": f"已按税率 {share} 扣除增值税"})
    per_server = said["per"] == "server" and of == "card"
    if per_server:
        cards = said.get("cards_per_server")
        if not isinstance(cards, float):
            msg = "the price of a server is one of a card only with the cards in it; write `cards_per_server: 8`"
            raise CapframeError(msg)
        factor /= cards
        notes.append({"en": f"a server of {cards:g} cards", "zh": f"整机 {cards:g} 卡"})
    if said.get("scope"):
        notes.append({"en": f"covers {said['scope']}", "zh": f"价格范围: {said['scope']}"})
    return Conversion(factor, "card" if per_server else "", joined(notes))


# ---------------------------------------------------------------- the price that counts


def priced(plan: Outline) -> list[str]:
    """Return the items whose records may tell a price."""
    prices = {f"price.{currency}" for currency in CURRENCIES}
    return [key for key, item in plan.items.items() if prices & item.facts]


def price_lines(plan: Outline, p: Ref, key: str) -> Iterator[LineItem]:
    """Yield what one of an item costs: the plan's price, else that of an offer, else that of the catalogue."""
    item, one = plan.items[key], p[key]
    part, unit = p[item.part], f"{plan.currency}/{item.unit}"
    given = entry("prices", part)
    yield LineItem(
        one.price_listed,
        listed_price(plan, p, part, item.facts),
        unit,
        label=of(item.label, {"en": "Price offered, or of the catalogue", "zh": "报价或目录价"}),
    )
    yield LineItem(
        one.price,
        either(given, one.price_listed),
        unit,
        label=of(item.label, {"en": "Price", "zh": "单价"}),
    )
    yield LineItem(
        one.price_age,
        when(known(given), entry("price_age", part), listed_age(plan, part, item.facts)),
        "d",
        label=of(item.label, {"en": "Age of the price", "zh": "单价距今天数"}),
    )


def listed_price(plan: Outline, p: Ref, part: Ref, facts: frozenset[str]) -> Expr:
    """Return the price of a part that an offer or the catalogue tells, in the plan's money.

    Where it is told in a currency alone that the plan has no rate for, the reason says which rate to give.
    """
    money = plan.currency
    told = {one: fact(part, f"price.{one}") for one in CURRENCIES if f"price.{one}" in facts}
    usable = in_turn(told, money, plan.rates)
    prices_known = [told[one] if one == money else told[one] * p.rates[one] for one in usable]
    unrated = [one for one in told if one not in usable]
    price: Expr = Missing({"en": "no price of {0} is known", "zh": "{0} 尚无单价"}, part)
    for currency in unrated:
        rate = f"`rates: {{{currency}: … {money}/{currency}}}`"
        needs = {
            "en": f"its price is in {currency}; give the rate, {rate}",
            "zh": f"单价以 {currency} 计, 请给出汇率 {rate}",
        }
        price = when(known(told[currency]), Missing(needs), price)
    for one in reversed(prices_known):
        price = first_known(one, price)
    return price


def listed_age(plan: Outline, part: Ref, facts: frozenset[str]) -> Expr:
    """Return how old that price is."""
    age: Expr = Missing({"en": "no price of a known date", "zh": "没有注明日期的单价"})
    dated = (one for one in CURRENCIES if f"price_age.{one}" in facts)
    for currency in reversed(in_turn(dated, plan.currency, plan.rates)):
        age = first_known(fact(part, f"price_age.{currency}"), age)
    return age


def freshness(plan: Outline, p: Ref) -> Iterator[Check]:
    """Yield a check for the price of each part that is picked, whoever gave it, unless none of it is bought.

    A price without a date fails it; where there is no price there is nothing to judge.
    """
    oldest = p.cost.price_max_age
    picks: dict[str, list[str]] = {}
    for key in priced(plan):
        picks.setdefault(plan.items[key].part, []).append(key)
    for picked, keys in picks.items():
        item, one = plan.items[keys[0]], p[keys[0]]
        part, age = p[picked], one.price_age
        dated = first_known(age, 2 * oldest)  # stale where it has no date
        bought = total(*(first_known(number_of(p[key]), 1) for key in keys))
        judged = when(less(0, bought), number_of(one.price), 0)  # of none no price is wanted
        within = every(at_least(judged, 0), at_least(dated, 0 * oldest), at_most(dated, oldest))
        yield Check(
            one.price_is_fresh,
            any_of(at_most(bought, 0), within),
            "warning",
            {
                "en": f"age of the price of {part}: {age}, stale after {oldest} (n/a: it has no date; below 0: it is "
                "dated after the plan); give a dated quotation under `prices:`",
                "zh": f"{part} 的单价距今 {age}, 有效期上限 {oldest} (n/a 表示未注明日期, 负数表示晚于方案日期); "
                "请重新询价, 连同日期写入 `prices:`",
            },
            label=of(item.label, {"en": "The price is fresh", "zh": "单价未过期"}),
        )
