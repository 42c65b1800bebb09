"""Money: what the cards cost, what the energy costs, and what a card-hour comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    BoughtFacts,
    Check,
    Given,
    Group,
    LineItem,
    Missing,
    Outline,
    Ref,
    Section,
    UnitDefinition,
    at_most,
    hookimpl,
    known_or_zero,
    quantity,
    total,
    when,
)
from capframe_plugins.card_hours import pool_lines, run_lines
from capframe_plugins.pricing import Price, freshness, price_lines, priced, prices
from capframe_plugins.roles import all_cards, as_far_as_known, cards_of, lacks, of, sums_by_role

if TYPE_CHECKING:
    from collections.abc import Iterator


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
        source={"en": "usual for servers; company policy decides", "zh": "服务器常用年限; 以公司规定为准"},
    )
    residual: Given = quantity(
        "1",
        label={"en": "Residual value at the end", "zh": "残值率"},
        default="5%",
        low=0,
        high=0.9,
        percent=True,
        between=("0%", "10%"),
        source={"en": "usual in Chinese company accounts", "zh": "国内企业会计常用值"},
    )
    contingency: Given = quantity(
        "1",
        label={"en": "Contingency on purchases", "zh": "预备费率"},
        default="10%",
        low=0,
        high=1,
        percent=True,
        between=("5%", "15%"),
        source={"en": "usual in investment estimates", "zh": "投资估算常用值"},
    )
    utilisation: Given = quantity(
        "1",
        label={"en": "Share of card-hours that are used", "zh": "卡时使用率"},
        default="100%",
        low=0.01,
        high=1,
        percent=True,
        between=("60%", "100%"),
        source={
            "en": "every hour counts as used until somebody says how many are",
            "zh": "未给定使用率时, 全部卡时视为已使用",
        },
    )
    price_max_age: Given = quantity(
        "d",
        label={"en": "Age from which a price is stale", "zh": "价格有效期上限"},
        default="90 d",
        low=1,
        high=3650,
        between=("30 d", "180 d"),
        source={
            "en": "quotations for hardware usually hold for one to three months",
            "zh": "硬件报价有效期一般为一至三个月",
        },
    )
    budget: Given = quantity(
        "{currency}",
        label={"en": "Budget for purchases without VAT", "zh": "采购预算(不含税)"},
        optional=True,
        low=0,
        high=1e14,
    )
    vat_rate: Given = quantity(
        "1",
        label={"en": "VAT rate of purchases", "zh": "采购增值税税率"},
        optional=True,
        low=0,
        high=0.5,
        percent=True,
    )


CURRENCIES = {
    "CNY": "元", "USD": "美元", "EUR": "欧元", "JPY": "日元", "GBP": "英镑", "HKD": "港元", "SGD": "新加坡元",
    "KRW": "韩元", "TWD": "新台币", "AED": "迪拉姆", "SAR": "沙特里亚尔", "INR": "印度卢比",
}  # fmt: skip
"""Currencies that prices may be in, and how Chinese plans word their amounts."""
ALSO_TYPED = {"CNY": ("RMB", "人民币")}


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    for currency, word in CURRENCIES.items():
        typed = (word, *ALSO_TYPED.get(currency, ()))
        yield UnitDefinition(currency, counted=False, many={"en": currency, "zh": word}, typed=typed)
    yield UnitDefinition("分", equals="%·CNY", counted=False)


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
    yield prices()


@hookimpl
def capframe_catalogs() -> Iterator[BoughtFacts]:
    yield BoughtFacts(Price)


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for key in priced(plan):
        yield from price_lines(plan, p, key)
        yield LineItem(
            p[key].purchase,
            p[key] * p[key].price,
            plan.currency,
            label=of(plan.items[key].label, {"en": "Purchase", "zh": "采购"}),
        )
    if plan.pools:
        yield from sum_lines(plan, p)
        yield from capex_lines(plan, p)
        yield from year_lines(plan, p)
        if len(plan.pools) > 1:
            yield from pool_lines(plan, p, others(plan))
        yield from run_lines(plan, p)


def others(plan: Outline) -> list[str]:
    """Return the items beside the pools' cards whose records may tell a price."""
    return [key for key in priced(plan) if key not in cards_of(plan)]


def sum_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield what all items come to: cards, the rest as far as it is priced, by role, and what has no price."""
    money, sums = plan.currency, [p[key].purchase for key in others(plan)]
    yield LineItem(
        p.cost.purchase,
        total(*(p.pools[name].cards.purchase for name in plan.pools)),
        money,
        label={"en": "Accelerators", "zh": "加速卡采购"},
    )
    yield LineItem(
        p.cost.priced,
        as_far_as_known(*(p.pools[name].cards.purchase for name in plan.pools), *sums),
        money,
        label={"en": "Sum of what is priced", "zh": "已有单价部分合计"},
    )
    if sums:
        yield LineItem(
            p.cost.other_equipment,
            as_far_as_known(*sums),
            money,
            label={"en": "Other equipment, as far as priced", "zh": "其他设备采购(已有单价部分)"},
        )
    known = {"en": "Purchases, as far as priced", "zh": "采购(已有单价部分)"}
    yield from sums_by_role(plan, p, p.cost.by_role, priced(plan), "purchase", money, known)
    if plan.items:
        yield LineItem(
            p.cost.to_be_quoted,
            total(*(lacks(p, key, p[key].price if key in priced(plan) else None) for key in plan.items)),
            "1",
            label={"en": "Items to be quoted", "zh": "待询价项数"},
            headline=True,
        )


def capex_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield what is to be paid for all that is bought, with the contingency."""
    money = plan.currency
    yield LineItem(
        p.cost.equipment,
        total(p.cost.purchase, *([known_or_zero(p.cost.other_equipment)] if others(plan) else [])),
        money,
        label={"en": "Accelerators, and other equipment as far as priced", "zh": "加速卡及其他已有单价设备"},
    )
    yield LineItem(
        p.cost.contingency_sum,
        p.cost.equipment * p.cost.contingency,
        money,
        label={"en": "Contingency", "zh": "预备费"},
    )
    yield LineItem(
        p.cost.capex,
        p.cost.equipment + p.cost.contingency_sum,
        money,
        label={
            "en": "Purchases with contingency, without VAT, as far as priced",
            "zh": "采购总额(不含税, 含预备费, 已有单价部分)",
        },
        headline=True,
    )
    yield LineItem(
        p.cost.capex_with_vat,
        p.cost.capex * (1 + p.cost.vat_rate),
        money,
        label={
            "en": "Purchases with contingency and VAT, as far as priced",
            "zh": "采购总额(含税, 含预备费, 已有单价部分)",
        },
    )
    yield LineItem(
        p.cost.budget_left,
        p.cost.budget - p.cost.capex,
        money,
        label={"en": "Left of the budget, as far as priced", "zh": "预算余额(按已有单价部分)"},
    )


def year_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield what a year costs, and a card-hour of those that are used."""
    money = plan.currency
    yield LineItem(
        p.cost.depreciation,
        p.cost.capex * (1 - p.cost.residual) / p.cost.service_life,
        f"{money}/y",
        label={"en": "Depreciation per year, as far as priced", "zh": "年折旧(已有单价部分)"},
        source={"en": "straight line", "zh": "直线法"},
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
        label={"en": "Cost per year, as far as priced", "zh": "年总成本(已有单价部分)"},
        headline=True,
    )
    per_card_hour = {"en": "Cost per used card-hour, as far as priced", "zh": "单位卡时成本(已有单价部分)"}
    if len(plan.pools) > 1:
        per_card_hour = {
            "en": "Cost per used card-hour, mean of all pools, as far as priced",
            "zh": "单位卡时成本(各算力池平均, 已有单价部分)",
        }
    yield LineItem(
        p.cost.per_card_hour,
        p.cost.per_year / (all_cards(plan, p) * p.cost.utilisation),
        f"{money}/card/h",
        label=per_card_hour,
        headline=True,
    )


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    if plan.pools and plan.items:
        yield Check(
            p.cost.all_priced,
            at_most(p.cost.to_be_quoted, 0),
            "warning",
            {
                "en": f"{p.cost.to_be_quoted} items are still to be quoted{{cost.priced:; what is priced comes to }}",
                "zh": f"{p.cost.to_be_quoted} 项待询价{{cost.priced:; 已有单价部分合计 }}",
            },
            label={"en": "Every item has a price", "zh": "各项均有单价"},
        )
    yield from freshness(plan, p)
    if plan.pools:
        yield Check(
            p.cost.in_budget,
            at_most(p.cost.capex, p.cost.budget),
            "error",
            {
                "en": f"purchases come to {p.cost.capex} without VAT, and the budget is {p.cost.budget} without VAT",
                "zh": f"采购总额 {p.cost.capex} (不含税), 预算为 {p.cost.budget} (不含税)",
            },
            label={"en": "Purchases are within the budget", "zh": "采购不超预算"},
        )
    if plan.pools and plan.items:
        spent = Missing({"en": "what is priced is above the budget already", "zh": "已有单价部分已超预算"})
        yield Check(
            p.cost.budget_covers_all,
            at_most(when(at_most(p.cost.capex, p.cost.budget), p.cost.to_be_quoted, spent), 0),
            "warning",
            {
                "en": f"the budget holds for what is priced; items to be quoted: {p.cost.to_be_quoted}, and "
                f"{p.cost.budget_left} is left for them",
                "zh": f"已有单价部分未超预算; 另有 {p.cost.to_be_quoted} 项待询价, 剩余预算 {p.cost.budget_left}",
            },
            label={"en": "The budget holds, and every item in it is priced", "zh": "预算充足且各项均已计价"},
        )
