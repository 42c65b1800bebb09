"""Money over time: what is bought when, what it loses in value, what the energy costs, what it is worth today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    Check,
    Given,
    LineItem,
    Outline,
    Ref,
    Section,
    equal,
    first_known,
    greatest,
    hookimpl,
    last,
    over_time,
    previous,
    quantity,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe import Label


@frozen(kw_only=True)
class Cash:
    """When the money goes out."""

    delivered: Given = quantity(
        "1",
        label={"en": "Share of the purchase delivered", "zh": "到货比例"},
        optional=True,
        percent=True,
        by_period=True,
        low=0,
        high=1,
        note={
            "en": "a list, one share for each period; left out: all in the first period",
            "zh": "按期列出到货比例; 不填则首期全部到货",
        },
    )
    discount_rate: Given = quantity(
        "1",
        label={"en": "Discount rate per year", "zh": "年折现率"},
        default="8%",
        percent=True,
        low=0,
        high=1,
        between=("5%", "12%"),
        source={
            "en": "usual in Chinese feasibility studies; company policy decides",
            "zh": "国内可研报告常用值; 以公司规定为准",
        },
    )


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Cash", "zh": "资金"}
    about = {
        "en": "Sums of the money over time: by year where periods are shorter, and at today's value",
        "zh": "分期资金合计: 按年(期间短于一年时)及现值",
    }
    yield Area("cash", label, 85, about)
    yield Section("cash", Cash, label)


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    if plan.timeline and plan.pools:
        yield from delivery_lines(p)
        yield from value_lines(plan, p)
        yield from flow_lines(plan, p)
        yield from year_lines(plan, p)


def delivery_lines(p: Ref) -> Iterator[LineItem]:
    """Yield the share that arrives in each period, and the share in service."""
    c = p.cash
    yield LineItem(
        c.begun,
        greatest(previous(c.begun, 0), 1),
        "1",
        label={"en": "The plan has begun", "zh": "方案已开始"},
    )
    yield LineItem(
        c.share,
        first_known(c.delivered, 1 - previous(c.begun, 0)),
        "1",
        label={"en": "Share delivered", "zh": "本期到货比例"},
        percent=True,
    )
    yield LineItem(
        c.in_service,
        previous(c.in_service, 0) + c.share,
        "1",
        label={"en": "Share in service", "zh": "在用比例"},
        percent=True,
        source={
            "en": "what is delivered runs to the end of the timeline, written off or not; nothing is replaced",
            "zh": "到货设备在整个期间内持续运行, 折旧完毕后亦然; 不计更新重置",
        },
    )


def value_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield purchases, straight-line depreciation down to the residual value, and the book value."""
    c, money = p.cash, plan.currency
    yield LineItem(c.purchases, p.cost.capex * c.share, money, label={"en": "Purchases", "zh": "采购支出"})
    yield LineItem(
        c.service_periods,
        p.cost.service_life / p.timeline.length,
        "1",
        label={"en": "Service life in periods", "zh": "使用年限折合期数"},
    )
    yield LineItem(
        c.depreciating,
        last(c.share, c.service_periods),
        "1",
        label={"en": "Share being written off", "zh": "计提折旧比例"},
        percent=True,
        source={
            "en": "each delivery for its service life, from the period of delivery on; its last period in part",
            "zh": "每批设备自到货当期起计满使用年限, 末期不足一期时按比例计",
        },
    )
    yield LineItem(
        c.depreciation,
        p.cost.depreciation * c.depreciating * p.timeline.length,
        money,
        label={"en": "Depreciation", "zh": "折旧"},
        source={
            "en": "straight line to the residual value, each delivery over its own service life",
            "zh": "直线法, 每批设备在其使用年限内折旧至残值",
        },
    )
    yield LineItem(
        c.book_value,
        previous(c.book_value, 0 * p.cost.capex) + c.purchases - c.depreciation,
        money,
        label={"en": "Book value at the end", "zh": "期末账面净值"},
    )


def flow_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield what is paid in each period, and what it is worth at the start of the plan."""
    c, money = p.cash, plan.currency
    yield LineItem(
        c.energy,
        p.cost.energy * c.in_service * p.timeline.length,
        money,
        label={"en": "Energy", "zh": "电费"},
    )
    yield LineItem(c.paid, c.purchases + c.energy, money, label={"en": "Paid", "zh": "当期支出"})
    yield LineItem(
        c.discount_factor,
        previous(c.discount_factor, 1) / (1 + p.cash.discount_rate) ** p.timeline.years,
        "1",
        label={"en": "Discount factor, end of the period", "zh": "折现系数(期末)"},
    )
    yield LineItem(
        c.present_value,
        c.paid * c.discount_factor,
        money,
        label={"en": "Paid, at today's value", "zh": "当期支出现值"},
    )
    yield LineItem(
        c.total,
        over_time(c.paid),
        money,
        label={"en": "Paid over the timeline", "zh": "期间总支出"},
        headline=True,
    )
    yield LineItem(
        c.net_present_cost,
        over_time(c.present_value),
        money,
        label={"en": "Net present cost", "zh": "总支出现值"},
        headline=True,
    )
    yield LineItem(
        c.all_delivered,
        over_time(c.share),
        "1",
        label={"en": "Share delivered over the timeline", "zh": "期间到货合计"},
        percent=True,
    )


FLOWS = {
    "purchases": ("Purchases", "采购支出"),
    "energy": ("Energy", "电费"),
    "paid": ("Paid", "支出"),
    "depreciation": ("Depreciation", "折旧"),
}


def year_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield what flows in each calendar year, and the book value at its end, where periods are shorter than that."""
    c, money, years = p.cash, plan.currency, plan.timeline.calendar_years
    for name, (en, zh) in FLOWS.items():
        for year in years:
            label: Label = {"en": f"{en}, {year.name}", "zh": f"{year.name} 年{zh}"}
            yield LineItem(c[name][f"year_{year.name}"], over_time(c[name], year), money, label=label)
    for year in years:
        label = {"en": f"Book value at the end, {year.name}", "zh": f"{year.name} 年末账面净值"}
        at_the_end = over_time(c.book_value, plan.timeline.period(year.last))
        yield LineItem(c.book_value[f"year_{year.name}"], at_the_end, money, label=label)


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    if plan.timeline and plan.pools:
        yield Check(
            p.cash.everything_arrives,
            equal(p.cash.all_delivered, 1),
            "error",
            {
                "en": f"the shares delivered come to {p.cash.all_delivered}, not to 100%",
                "zh": f"到货比例合计 {p.cash.all_delivered}, 应为 100%",
            },
            label={"en": "The shares delivered come to 100 %", "zh": "到货比例合计为 100%"},
        )
