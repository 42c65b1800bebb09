"""From the cards to the meter: IT load, facility load, energy."""

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
    at_most,
    given_or_computed,
    hookimpl,
    known_or_zero,
    quantity,
    total,
)
from capframe_plugins.roles import (
    BY_CARDS,
    as_far_as_known,
    beside_cards,
    cards_of,
    lacks,
    of,
    parts_of_pool,
    sums_by_role,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@frozen(kw_only=True)
class Power:
    """The chain from a card's TDP to the site."""

    it_overhead: Given = quantity(
        "1",
        label={"en": "IT load over the cards' power", "zh": "IT 负载系数(相对加速卡功耗)"},
        default="1.8214285714",
        low=1,
        high=4,
        between=("1.5", "2.1"),
        source={
            "en": "NVIDIA DGX H100 user guide: 10.2 kW for 8 cards of 700 W",
            "zh": "NVIDIA DGX H100 用户指南: 8 张 700 W 卡整机 10.2 kW",
        },
        confidence="datasheet",
        note={
            "en": "hosts, fans, NICs; items with a power of their own, such as switches, come on top",
            "zh": "含主机、风扇与网卡; 交换机等单列功耗的设备另计",
        },
    )
    pue: Given = quantity(
        "1",
        label={"en": "PUE", "zh": "PUE"},
        default="1.25",
        low=1,
        high=3,
        between=("1.1", "1.5"),
        source={
            "en": "planning norm for new large data centres in China; survey mean 1.54 (Uptime Institute 2025)",
            "zh": "国内新建大型数据中心规划要求; 行业调查均值 1.54 (Uptime Institute 2025)",
        },
        note={
            "en": "facility energy over IT energy, annual mean; cooling is in it",
            "zh": "年均总用电量与 IT 用电量之比; 含制冷",
        },
    )
    average_load: Given = quantity(
        "1",
        label={"en": "Average load over peak load", "zh": "平均负载率"},
        default="80%",
        low=0.01,
        high=1,
        percent=True,
        between=("60%", "90%"),
        source={
            "en": "8-card H100 nodes peaked at 8.4 of 10.2 kW in published measurements",
            "zh": "公开实测: 8 卡 H100 整机峰值 8.4 kW, 额定 10.2 kW",
        },
    )
    site_limit: Given = quantity(
        "MW",
        label={"en": "Power that the site can feed", "zh": "园区可供电力"},
        optional=True,
        low=0.001,
        high=1e5,
    )


@frozen(kw_only=True)
class PoolPower:
    """What a plan may say of the power of a pool."""

    card_power: Given = quantity(
        "W/card",
        label={"en": "Power of a card", "zh": "单卡功耗"},
        auto=True,
        low=1,
        high=30_000,
        note={"en": "auto: the thermal design power of the accelerator", "zh": "自动: 取加速卡热设计功耗"},
    )


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Power", "zh": "电力"}
    yield Area(
        "power",
        label,
        60,
        {
            "en": "From the cards to the meter: IT load, facility load, energy",
            "zh": "由加速卡到电表: IT 负载、园区负载、用电量",
        },
    )
    yield Section("power", Power, label)
    yield Section("power", PoolPower, label, of="pools")


def drawing(plan: Outline) -> list[str]:
    """Return the items beside the pools' cards whose records may tell what they draw; spares draw nothing."""
    return beside_cards(plan, "power", ("it", "host", "facility"))


def equipment(plan: Outline) -> list[str]:
    """Return those that draw power of their own: a server holds that of its parts, and the PUE that of the facility."""
    return [key for key in drawing(plan) if plan.items[key].role == "it"]


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    if not plan.pools:
        return
    for name in plan.pools:
        yield from pool_lines(p, p.pools[name])
    for key in drawing(plan):
        yield LineItem(
            p[key].power,
            p[key] * p[plan.items[key].part].power,
            "kW",
            label=of(plan.items[key].label, {"en": "Power, typical", "zh": "典型功耗"}),
        )
    if others := equipment(plan):
        yield from equipment_lines(plan, p, others)
    yield LineItem(
        p.power.in_servers,
        total(*(p[key].power for key in cards_of(plan))) * (p.power.it_overhead - 1),
        "kW",
        label={"en": "Beside the cards in their servers, by the overhead", "zh": "服务器内加速卡以外功耗(按系数)"},
    )
    known = {"en": "Power, as far as disclosed", "zh": "功耗(已公开部分)"}
    yield from sums_by_role(plan, p, p.power.by_role, [*cards_of(plan), *drawing(plan)], "power", "kW", known)
    yield from site_lines(plan, p, others)
    if len(plan.pools) > 1:
        yield from share_lines(plan, p, others)
    yield from run_lines(plan, p)


def pool_lines(p: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield what the cards of a pool draw, and their servers."""
    yield from given_or_computed(
        pool.power.card_power, pool.accelerator.tdp, "W/card", label={"en": "Power of a card", "zh": "单卡功耗"}
    )
    yield LineItem(
        pool.cards.power,
        pool.cards * pool.power.card_power.used,
        "kW",
        label={"en": "Accelerators at full power", "zh": "加速卡满载功率"},
    )
    yield LineItem(
        pool.power.it,
        pool.cards.power * p.power.it_overhead,
        "kW",
        label={"en": "IT load", "zh": "IT 负载"},
    )


def equipment_lines(plan: Outline, p: Ref, others: list[str]) -> Iterator[LineItem]:
    """Yield what other equipment draws, and how much of that nobody discloses."""
    yield LineItem(
        p.power.other_equipment,
        as_far_as_known(*(p[key].power for key in others)),
        "kW",
        label={"en": "Equipment beside the servers, as far as disclosed", "zh": "服务器以外设备功耗(已公开部分)"},
    )
    yield LineItem(
        p.power.not_disclosed,
        total(
            *(lacks(p, f"pools.{name}.cards", p.pools[name].power.card_power.used) for name in plan.pools),
            *(lacks(p, key, p[plan.items[key].part].power) for key in others),
        ),
        "1",
        label={"en": "Items whose power is not known", "zh": "功耗未知的项数"},
    )


def site_lines(plan: Outline, p: Ref, others: list[str]) -> Iterator[LineItem]:
    """Yield the load of the site and its energy."""
    beside = [known_or_zero(p.power.other_equipment)] if others else []
    yield LineItem(
        p.power.it,
        total(*(p.pools[name].power.it for name in plan.pools), *beside),
        "kW",
        label={"en": "IT load, peak", "zh": "IT 负载(峰值)"},
        headline=True,
    )
    yield LineItem(
        p.power.facility,
        p.power.it * p.power.pue,
        "kW",
        label={"en": "Facility load, peak", "zh": "园区负载(峰值)"},
        source={"en": "PUE: ISO/IEC 30134-2", "zh": "PUE 定义: ISO/IEC 30134-2"},
        headline=True,
    )
    yield LineItem(
        p.power.energy_per_year,
        p.power.facility * p.power.average_load,
        "MWh/y",
        label={"en": "Energy per year", "zh": "年用电量"},
        headline=True,
    )


def share_lines(plan: Outline, p: Ref, others: list[str]) -> Iterator[LineItem]:
    """Yield the energy of each of several pools: its share of the meter is that of the load."""
    for name in plan.pools:
        pool = p.pools[name]
        yield LineItem(
            pool.power.load,
            total(pool.power.it, *parts_of_pool(plan, p, name, others, "power")),
            "kW",
            label={
                "en": "IT load with other equipment, and its share of what is no pool's",
                "zh": "IT 负载(含其他设备及公共设备分摊)",
            },
            source=BY_CARDS,
        )
        yield LineItem(
            pool.power.energy_per_year,
            p.power.energy_per_year * pool.power.load / p.power.it,
            "MWh/y",
            label={"en": "Energy per year", "zh": "年用电量"},
            source={"en": "share of the meter by load", "zh": "总用电量按负载分摊"},
        )


def run_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield the energy of each workload: its share of the meter, or of its pool's where there are several."""
    label = {"en": "Energy of the run, its share of the meter by cards", "zh": "本次训练用电量(按卡数分摊)"}
    if several := len(plan.pools) > 1:
        label = {
            "en": "Energy of the run, its share of that of its pool by cards",
            "zh": "本次训练用电量(所用算力池用电量按卡数分摊)",
        }
    for name, workload in plan.workloads.items():
        w, pool = p.workloads[name], p.pools[workload.pool]
        energy = pool.power.energy_per_year if several else p.power.energy_per_year
        yield LineItem(w.power.energy, energy * w.cards.used / pool.cards * w.compute.elapsed_days, "MWh", label=label)


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    if plan.pools and equipment(plan):
        yield Check(
            p.power.all_disclosed,
            at_most(p.power.not_disclosed, 0),
            "warning",
            {
                "en": f"items whose power is not known: {p.power.not_disclosed}; the load lacks them",
                "zh": f"{p.power.not_disclosed} 项设备功耗未知, 负载中缺少该部分",
            },
            label={"en": "The power of all equipment is disclosed", "zh": "设备功耗均已公开"},
        )
    if plan.pools and any(plan.items[key].role == "host" for key in drawing(plan)):
        yield Check(
            p.power.overhead_holds_parts,
            at_most(p.power.by_role.host, p.power.in_servers),
            "warning",
            {
                "en": f"parts in servers draw {p.power.by_role.host}, and the overhead leaves "
                f"{p.power.in_servers} for all that is in the servers; raise power.it_overhead",
                "zh": f"服务器内部件功耗 {p.power.by_role.host}, 按系数服务器内仅计 {p.power.in_servers}; "
                "需提高 power.it_overhead",
            },
            label={"en": "The overhead of servers holds what is in them", "zh": "IT 负载系数已含内部件"},
        )
    if plan.pools:
        yield Check(
            p.power.site_is_enough,
            at_most(p.power.facility, p.power.site_limit),
            "error",
            {
                "en": f"the facility draws {p.power.facility} and the site can feed {p.power.site_limit}",
                "zh": f"园区负载 {p.power.facility}, 可供电力仅 {p.power.site_limit}",
            },
            label={"en": "The site can feed the facility", "zh": "园区供电充足"},
        )
