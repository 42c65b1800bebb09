"""What breaks, how often, and what it costs in time: MTBF, checkpoint interval, goodput, spares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    Check,
    Given,
    Item,
    LineItem,
    Outline,
    Ref,
    Section,
    at_most,
    choice,
    exp,
    given_or_computed,
    hookimpl,
    number_of,
    quantity,
    same,
    when,
)
from capframe_plugins.closing import closing_checks, closing_lines
from capframe_plugins.restarting import best_interval, share_of_time
from capframe_plugins.spares import spare_checks, spare_items, spare_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

LLAMA_3 = {
    "en": "Llama 3 report, table 5 (arXiv:2407.21783): 419 unplanned interruptions of 16,384 cards in 54 days",
    "zh": "Llama 3 技术报告表 5 (arXiv:2407.21783): 16,384 卡 54 天非计划中断 419 次",
}
YOUNG_1974 = "Young 1974, A first order approximation to the optimum checkpoint interval (CACM 17:9)"
BAND = {"en": "published planning values: 1 to 5 % a year", "zh": "公开规划值: 每年 1% 至 5%"}
ALL_CAUSES, COMPONENTS = "all_causes", "components"


@frozen(kw_only=True)
class Failures:
    """Rates of failure, and how long it takes to go on."""

    count: Given = choice(
        (ALL_CAUSES, COMPONENTS),
        label={"en": "What counts as an interruption", "zh": "中断统计口径"},
        default=ALL_CAUSES,
        source={
            "en": "a rate of cards alone is optimistic by 5 to 10 times: software, links and hosts fail too",
            "zh": "仅计加速卡故障会乐观 5 至 10 倍: 软件、链路与主机同样出故障",
        },
    )
    all_cause_rate: Given = quantity(
        "%/y",
        label={"en": "Interruptions of a job per card, all causes", "zh": "全部原因中断率(每卡)"},
        default="17.3 %/y",
        low=0.01,
        high=1000,
        between=("6 %/y", "20 %/y"),
        source=LLAMA_3,
        confidence="measured",
        note={
            "en": "unplanned; an early-life cluster; many end with a reset and break no part",
            "zh": "非计划中断; 集群处于投运早期; 多数复位即恢复, 无部件损坏",
        },
    )
    accelerator_afr: Given = quantity(
        "%/y",
        label={"en": "Cards that break, per card", "zh": "加速卡年故障率(AFR)"},
        default="2 %/y",
        low=0.01,
        high=100,
        between=("1 %/y", "5 %/y"),
        source=BAND,
    )
    server_afr: Given = quantity(
        "%/y",
        label={"en": "Hosts that break, per server", "zh": "服务器其他部件年故障率(每台)"},
        default="4.6 %/y",
        low=0,
        high=100,
        between=("2 %/y", "15 %/y"),
        source=LLAMA_3,
        confidence="measured",
        note={
            "en": "power supplies, drives, processors, memory, boards and chassis: 14 in 303 server-years",
            "zh": "电源、硬盘、处理器、内存、主板与机箱: 303 台年中 14 次",
        },
    )
    link_afr: Given = quantity(
        "%/y",
        label={"en": "Links that break, per card", "zh": "网络部件年故障率(每卡)"},
        default="1.7 %/y",
        low=0,
        high=100,
        between=("1 %/y", "5 %/y"),
        source=LLAMA_3,
        confidence="measured",
        note={
            "en": "switches and cables 35, NICs 7, in 2,422 card-years",
            "zh": "2,422 卡年中交换机与线缆 35 次, 网卡 7 次",
        },
    )
    restart: Given = quantity(
        "min",
        label={"en": "Restart after an interruption", "zh": "中断后恢复时间"},
        default="10 min",
        low=0.01,
        high=100_000,
        between=("5 min", "60 min"),
        source={
            "en": "planning value: detect, replace, load and regroup without a person; by hand it is an hour",
            "zh": "规划值: 自动完成检测、替换、加载与重组; 人工处理约一小时",
        },
    )
    watch: Given = quantity(
        "d",
        label={"en": "Window for the chance of no interruption", "zh": "无中断概率观察窗口"},
        default="1 d",
        low=0.001,
        high=365,
        source={
            "en": "a day: below 1 % a job does not finish without recovery",
            "zh": "按一天观察: 低于 1% 时, 任务须依靠断点续训才能完成",
        },
    )
    repair: Given = quantity(
        "d",
        label={"en": "Repair or replacement of a card", "zh": "维修周转时间"},
        default="7 d",
        low=0.1,
        high=365,
        between=("3 d", "30 d"),
        source={"en": "planning value; the supplier's contract decides", "zh": "规划值; 以维保合同为准"},
    )
    service_level: Given = quantity(
        "1",
        label={"en": "Chance that spares are enough", "zh": "备件保障率"},
        default="99%",
        low=0.5,
        high=0.9999,
        percent=True,
        between=("95%", "99.9%"),
        source={"en": "usual service level of a spare pool", "zh": "备件库常用保障水平"},
    )
    counted_up_to: Given = quantity(
        "1",
        label={"en": "Mean up to which spares are counted one by one", "zh": "备件逐件计数的均值上限"},
        default="500",
        low=0,
        high=500,
        source={
            "en": "above it calculators disagree on POISSON, and the closed form is off by single cards in hundreds",
            "zh": "超过该值时各表格软件的 POISSON 结果不一, 而近似式在数百件中仅差个别件",
        },
    )
    loop_tolerance: Given = quantity(
        "1",
        label={"en": "Last change allowed when cards and goodput are closed", "zh": "卡数与有效训练时长闭环允差"},
        default="0.1%",
        low=1e-6,
        high=0.05,
        percent=True,
        source={"en": "below what a whole server changes", "zh": "小于增减一台整机的影响"},
    )


@frozen(kw_only=True)
class WorkloadFailures:
    """What a workload may state of its checkpoints."""

    interval: Given = quantity(
        "min",
        label={"en": "Time between checkpoints", "zh": "检查点间隔"},
        auto=True,
        low=0.01,
        high=1e6,
        note={"en": "auto: the interval that loses least", "zh": "自动: 损失最小的间隔"},
    )


@frozen(kw_only=True)
class PoolFailures:
    """What a plan may say of the spares of a pool."""

    spares: Given = quantity(
        "card",
        label={"en": "Spare cards", "zh": "备件卡"},
        auto=True,
        low=0,
        high=1e7,
        whole=True,
        note={
            "en": "auto: enough while cards are repaired; 0 where the supplier keeps them",
            "zh": "自动: 满足维修周转所需; 供应商代储备件时填 0",
        },
    )


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Failures", "zh": "故障"}
    yield Area(
        "failures",
        label,
        70,
        {"en": "What breaks, how often, and what it costs in time", "zh": "故障率、检查点与有效训练时长"},
    )
    yield Section("failures", Failures, label)
    yield Section("failures", WorkloadFailures, label, of="workloads")
    yield Section("failures", PoolFailures, label, of="pools")


@hookimpl
def capframe_items(plan: Outline, p: Ref) -> Iterator[Item]:
    yield from spare_items(plan, p)


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for name in plan.pools:
        yield from pool_lines(p, p.pools[name])
    if plan.pools:
        yield from spare_lines(plan, p)
    for name, workload in plan.workloads.items():
        yield from workload_lines(p, p.workloads[name], p.pools[workload.pool])


def pool_lines(p: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield how often one card of a pool, with its share of host and links, stops a job."""
    yield LineItem(
        pool.failures.of_components,
        p.failures.accelerator_afr
        + p.failures.link_afr
        + p.failures.server_afr / number_of(pool.cards_per_server.used),
        "%/y",
        label={"en": "Components that break, per card", "zh": "部件故障率(折合每卡)"},
    )
    yield LineItem(
        pool.failures.per_card,
        when(same(p.failures.count, ALL_CAUSES), p.failures.all_cause_rate, pool.failures.of_components),
        "%/y",
        label={"en": "Interruptions per card", "zh": "中断率(每卡)"},
    )


def workload_lines(p: Ref, w: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield how often a workload is interrupted, and how much of its time is left."""
    f = w.failures
    yield LineItem(
        f.cards,
        number_of(w.cards.used) * p.failures.accelerator_afr,
        "1/d",
        label={"en": "Cards that break", "zh": "加速卡故障频次"},
    )
    yield LineItem(
        f.card_gap, 1 / f.cards, "h", label={"en": "Time between two cards that break", "zh": "加速卡故障平均间隔"}
    )
    yield LineItem(
        f.rate,
        number_of(w.cards.used) * pool.failures.per_card,
        "1/d",
        label={"en": "Interruptions", "zh": "中断频次"},
        headline=True,
    )
    yield LineItem(
        f.mtbf,
        1 / f.rate,
        "h",
        label={"en": "Time between interruptions (MTBF of the job)", "zh": "任务平均无中断时间(MTBF)"},
        headline=True,
    )
    yield LineItem(
        f.quiet,
        exp(-(f.rate * p.failures.watch)),
        "1",
        label={"en": "Chance of no interruption in the window", "zh": "观察窗口内无中断概率"},
        percent=True,
    )
    yield from given_or_computed(
        f.interval,
        best_interval(w.storage.checkpoint_write, f.mtbf),
        "min",
        label={"en": "Time between checkpoints", "zh": "检查点间隔"},
        source=YOUNG_1974,
        headline=True,
    )
    yield LineItem(
        f.overhead,
        w.storage.checkpoint_write / f.interval.used + f.interval.used / (2 * f.mtbf),
        "1",
        label={"en": "Lost to writing and rework, first order", "zh": "写入与返工损失(一阶)"},
        source=YOUNG_1974,
        percent=True,
    )
    yield LineItem(
        w.goodput.computed,
        share_of_time(w.storage.checkpoint_write, f.interval.used, f.mtbf, p.failures.restart),
        "1",
        label={"en": "Goodput, computed", "zh": "有效训练时长占比(计算值)"},
        source={
            "en": "checkpoints, rework of half an interval, restarts; slow cards and silent errors are not in it",
            "zh": "计入检查点写入、半个间隔的返工与重启; 不含慢节点与静默错误",
        },
        percent=True,
        replaces=True,
    )
    yield LineItem(
        f.in_run,
        f.rate * w.compute.elapsed_days,
        "1",
        label={"en": "Interruptions during the run", "zh": "训练期间中断次数"},
    )
    yield from closing_lines(p, w, pool)


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    if plan.pools:
        yield from spare_checks(plan, p)
    for name in plan.workloads:
        w = p.workloads[name]
        yield from closing_checks(p, w, name)
        yield Check(
            w.failures.interval_is_short,
            at_most(2 * w.failures.interval.used, w.failures.mtbf),
            "warning",
            {
                "en": f"{name} writes a checkpoint every {w.failures.interval.used} and is interrupted every "
                f"{w.failures.mtbf}; above half of that most work is done twice",
                "zh": f"{name} 每 {w.failures.interval.used} 写一次检查点, 每 {w.failures.mtbf} 中断一次; "
                "间隔超过其一半时返工过多",
            },
            label={"en": f"Checkpoints of {name} come often enough", "zh": f"{name} 检查点间隔合理"},
        )
