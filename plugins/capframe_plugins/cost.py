"""Money: what the cards cost, what the energy costs, and what a card-hour comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    Check,
    Expr,
    Given,
    Group,
    LineItem,
    Missing,
    Outline,
    RecordKind,
    Ref,
    Section,
    UnitDefinition,
    at_most,
    either,
    entry,
    fact,
    family,
    first_known,
    hookimpl,
    quantity,
    total,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CURRENCIES = ("CNY", "USD")


@frozen(kw_only=True)
class Cost:
    """Prices and rules of accounting."""

    tariff: Given = quantity(
        "{currency}/kWh", label={"en": "Electricity tariff", "zh": "电价"}, optional=True, low=0, high=100
    )
    service_life: Given = quantity(
        "y",
        label={"en": "Service life", "zh": "折旧年限"},
        default="5 y",
        low=1,
        high=20,
        between=("3 y", "6 y"),
        source="usual for servers; company policy decides",
    )
    residual: Given = quantity(
        "1",
        label={"en": "Residual value at the end", "zh": "残值率"},
        default="5%",
        low=0,
        high=0.9,
        percent=True,
        between=("0%", "10%"),
        source="usual in Chinese company accounts",
    )
    contingency: Given = quantity(
        "1",
        label={"en": "Contingency on purchases", "zh": "预备费率"},
        default="10%",
        low=0,
        high=1,
        percent=True,
        between=("5%", "15%"),
        source="usual in investment estimates",
    )
    utilisation: Given = quantity(
        "1",
        label={"en": "Share of card-hours that are used", "zh": "卡时使用率"},
        default="100%",
        low=0.01,
        high=1,
        percent=True,
        between=("60%", "100%"),
        source="every hour counts as used until somebody says how many are",
    )
    budget: Given = quantity(
        "{currency}", label={"en": "Budget for purchases", "zh": "采购预算"}, optional=True, low=0, high=1e14
    )


@frozen(kw_only=True)
class AcceleratorPrice:
    """What a record of kind accelerator may say of its price: without VAT, one column for each currency."""

    price: Given = family(quantity("{by}/card", label={"en": "Price", "zh": "单价"}, low=1, high=1e9), CURRENCIES)


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    for currency in ("CNY", "USD", "EUR", "JPY", "GBP", "HKD", "SGD", "KRW", "TWD", "AED", "SAR", "INR"):
        yield UnitDefinition(currency, counted=False)


@hookimpl
def capframe_sections() -> Iterator[Area | Section | Group]:
    label = {"en": "Cost", "zh": "成本"}
    yield Area(
        "cost", label, 80, {"en": "Purchases, energy, and what a card-hour comes to", "zh": "采购、电费与单位卡时成本"}
    )
    yield Section("cost", Cost, label)
    yield Group(
        key="rates",
        field=quantity("{currency}/{name}", label={"en": "Exchange rate", "zh": "汇率"}, low=1e-6, high=1e6),
        label={"en": "Exchange rates", "zh": "汇率"},
    )
    yield Group(
        key="prices",
        field=quantity("{currency}/card", label={"en": "Price", "zh": "单价"}, auto=True, low=0, high=1e9),
        label={"en": "Prices", "zh": "单价"},
        kind="accelerator",
        named_by="part",
        value="price",
        per="per",
        must_say={"vat": ("excluded",)},
    )


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind]:
    yield RecordKind("accelerator", AcceleratorPrice)


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    money = plan.currency
    for name in plan.pools:
        yield from pool_lines(plan, p, name)
    if not plan.pools:
        return
    yield LineItem(
        p.cost.purchase,
        total(*(p.pools[name].cost.purchase for name in plan.pools)),
        money,
        label={"en": "Accelerators", "zh": "加速卡采购"},
    )
    yield LineItem(
        p.cost.contingency_sum,
        p.cost.purchase * p.cost.contingency,
        money,
        label={"en": "Contingency", "zh": "预备费"},
    )
    yield LineItem(
        p.cost.capex,
        p.cost.purchase + p.cost.contingency_sum,
        money,
        label={"en": "Purchase of accelerators, with contingency", "zh": "加速卡采购总额(含预备费)"},
        headline=True,
    )
    yield LineItem(
        p.cost.depreciation,
        p.cost.capex * (1 - p.cost.residual) / p.cost.service_life,
        f"{money}/y",
        label={"en": "Depreciation per year", "zh": "年折旧"},
        source="straight line",
        chart={"en": "Cost per year", "zh": "年成本构成"},
    )
    yield LineItem(
        p.cost.energy,
        p.power.energy_per_year * p.cost.tariff,
        f"{money}/y",
        label={"en": "Cost of energy per year", "zh": "年电费"},
        chart={"en": "Cost per year", "zh": "年成本构成"},
        headline=True,
    )
    yield LineItem(
        p.cost.per_year,
        p.cost.depreciation + p.cost.energy,
        f"{money}/y",
        label={"en": "Cost per year", "zh": "年总成本"},
        headline=True,
    )
    cards = total(*(p.pools[name].cards for name in plan.pools))
    yield LineItem(
        p.cost.per_card_hour,
        p.cost.per_year / (cards * p.cost.utilisation),
        f"{money}/card/h",
        label={"en": "Cost per used card-hour", "zh": "单位卡时成本"},
        headline=True,
    )
    for name in plan.workloads:
        w = p.workloads[name]
        yield LineItem(
            w.cost.run,
            p.cost.per_card_hour * w.cards.used * w.compute.elapsed_days,
            money,
            label={"en": "Cost of the run at that rate", "zh": "本次训练成本"},
        )


def pool_lines(plan: Outline, p: Ref, name: str) -> Iterator[LineItem]:
    """Yield what the cards of a pool cost: the plan's price, else the catalogue's in whichever currency it has."""
    pool, money = p.pools[name], plan.currency
    known: list[Expr] = []
    for currency in CURRENCIES:
        listed = fact(pool.accelerator, f"price.{currency}")
        if currency == money:
            known.insert(0, listed)
        elif currency in plan.rates:
            known.append(listed * p.rates[currency])
    price: Expr = Missing(f"no price in {money}: the plan gives none, and no exchange rate for those of the catalogue")
    for position, listed in enumerate(reversed(known)):
        price = first_known(listed, price) if position else listed
    yield LineItem(
        pool.cost.list_price,
        price,
        f"{money}/card",
        label={"en": "Catalogue price", "zh": "目录价"},
    )
    yield LineItem(
        pool.cost.price_given,
        entry("prices", pool.accelerator),
        f"{money}/card",
        label={"en": "Price given in the plan", "zh": "方案给定单价"},
    )
    yield LineItem(
        pool.cost.price,
        either(pool.cost.price_given, pool.cost.list_price),
        f"{money}/card",
        label={"en": "Price of a card", "zh": "加速卡单价"},
    )
    yield LineItem(
        pool.cost.purchase,
        pool.cards * pool.cost.price,
        money,
        label={"en": "Accelerators", "zh": "加速卡采购"},
    )


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    if plan.pools:
        yield Check(
            p.cost.in_budget,
            at_most(p.cost.capex, p.cost.budget),
            "error",
            {
                "en": f"purchases come to {p.cost.capex}, and the budget is {p.cost.budget}",
                "zh": f"采购总额 {p.cost.capex}, 预算为 {p.cost.budget}",
            },
            label={"en": "Purchases are within the budget", "zh": "采购不超预算"},
        )
