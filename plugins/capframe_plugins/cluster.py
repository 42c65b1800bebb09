"""What runs on what: workloads, the pools of cards they share, and the facts of an accelerator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    Basis,
    Check,
    Collection,
    Expr,
    Given,
    Item,
    LineItem,
    Missing,
    Outline,
    RecordKind,
    Ref,
    UnitDefinition,
    at_least,
    at_most,
    choice,
    count_of,
    either,
    family,
    given_or_computed,
    greatest,
    hookimpl,
    less,
    member,
    nested,
    pick,
    quantity,
    round_up,
    text,
    total,
    when,
)
from capframe_plugins.models import Layout, Model, layout_lines, model_lines, workload_checks

if TYPE_CHECKING:
    from collections.abc import Iterator

PRECISIONS = ("bf16", "fp16", "fp8", "fp4", "tf32", "fp32", "fp64", "int8")
PEAKS = ("bf16", "fp16", "fp8", "fp4", "tf32", "fp32", "fp64")
SPARSE_PEAKS = ("bf16", "fp16", "fp8", "fp4")
STATUSES = ("in_production", "sampling", "restricted", "eol", "cloud_only", "announced", "roadmap", "unverified")
DENSE = Basis(
    "basis",
    "dense",
    refused={"sparse": "a sparse figure is no dense peak, and halving is no rule; write it under `peak_sparse`"},
)
ONE_WAY = Basis(
    "direction", "one_way", factors={"both_ways": 0.5}, labels={"both_ways": {"en": "both ways", "zh": "(双向)"}}
)


@frozen(kw_only=True)
class Workload:
    """One training job."""

    pool: str = member("pools", label={"en": "Pool", "zh": "算力池"})
    model: Model = nested(Model, needed=True)
    tokens: Given = quantity("token", label={"en": "Training tokens", "zh": "训练词元量"}, low=1e3, high=1e18)
    sequence: Given = quantity(
        "1", label={"en": "Sequence length, tokens", "zh": "序列长度(词元)"}, optional=True, low=1, high=1e8, whole=True
    )
    layout: Layout = nested(Layout)
    precision: Given = choice(
        PRECISIONS,
        label={"en": "Precision of the matrix work", "zh": "训练精度"},
        default="bf16",
        source={"en": "usual for large-model pre-training", "zh": "大模型预训练通行精度"},
    )
    mfu: Given = quantity(
        "1",
        label={"en": "Model FLOP utilisation (MFU)", "zh": "算力利用率(MFU)"},
        auto=True,
        low=0.001,
        high=1,
        percent=True,
        note={
            "en": "of the dense peak in this precision, while steps run",
            "zh": "相对该精度稠密峰值, 按训练步运行期间计",
        },
    )
    mfu_basis: Given = choice(
        PEAKS,
        label={"en": "Precision in which the MFU was measured", "zh": "MFU 的测定精度"},
        default="bf16",
        source={"en": "published MFU of large runs is that of bf16", "zh": "公开的大规模训练 MFU 多以 bf16 计"},
    )
    goodput: Given = quantity(
        "1",
        label={"en": "Goodput (share of time on kept steps)", "zh": "有效训练时长占比"},
        auto=True,
        low=0.01,
        high=1,
        percent=True,
    )
    deadline: Given = quantity("d", label={"en": "Deadline", "zh": "时间窗口"}, optional=True, low=0.01, high=3650)
    reserve: Given = quantity(
        "1",
        label={"en": "Reserve on the cards needed", "zh": "储备系数"},
        default="1.5",
        low=1,
        high=10,
        between=("1.5", "2"),
        source={"en": "planning rule of the field: 1.5 to 2", "zh": "行业规划经验值: 1.5 至 2"},
    )
    cards: Given = quantity(
        "card", label={"en": "Cards of the workload", "zh": "任务卡数"}, auto=True, low=1, high=1e7, whole=True
    )


@frozen(kw_only=True)
class Pool:
    """Identical cards that workloads share."""

    accelerator: Given = pick("accelerator", label={"en": "Accelerator", "zh": "加速卡"})
    count: Given = quantity(
        "card",
        label={"en": "Cards asked for", "zh": "需求卡数"},
        auto=True,
        low=1,
        high=1e7,
        whole=True,
        note={
            "en": "auto: the fewest whole servers that meet every deadline with its reserve",
            "zh": "自动: 含储备满足各任务时间窗口的最少整机数",
        },
    )
    cards_per_server: Given = quantity(
        "card/server", label={"en": "Cards per server", "zh": "每台服务器卡数"}, auto=True, low=1, high=1024, whole=True
    )


@frozen(kw_only=True)
class Accelerator:
    """What a record of kind accelerator may say. Everything is per card as sold; peaks are dense."""

    memory: Given = quantity("GB/card", label={"en": "Memory", "zh": "显存"}, low=1, high=4000)
    memory_usable: Given = quantity("GB/card", label={"en": "Memory, usable", "zh": "可用显存"}, low=1, high=4000)
    memory_bandwidth: Given = quantity("GB/s/card", label={"en": "Memory bandwidth", "zh": "显存带宽"}, low=1, high=1e6)
    peak: Given = family(
        quantity("TFLOP/s/card", label={"en": "Dense peak", "zh": "稠密峰值算力"}, low=0.1, high=1e6, bases=(DENSE,)),
        PEAKS,
    )
    peak_int8: Given = quantity(
        "TOP/s/card", label={"en": "Dense peak, int8", "zh": "稠密峰值算力 (int8)"}, low=0.1, high=1e6, bases=(DENSE,)
    )
    peak_sparse: Given = family(
        quantity("TFLOP/s/card", label={"en": "Sparse peak", "zh": "稀疏峰值算力"}, low=0.1, high=1e6), SPARSE_PEAKS
    )
    supported: Given = family(choice(("yes", "no"), label={"en": "Supported", "zh": "是否支持"}), PRECISIONS)
    tdp: Given = quantity("W/card", label={"en": "Thermal design power", "zh": "热设计功耗"}, low=1, high=30_000)
    scale_up_bandwidth: Given = quantity(
        "GB/s/card",
        label={"en": "Scale-up link, per direction", "zh": "卡间互联带宽(单向)"},
        low=1,
        high=1e5,
        bases=(ONE_WAY,),
    )
    scale_up_domain: Given = quantity("card", label={"en": "Scale-up domain", "zh": "超节点规模"}, low=1, high=1e5)
    cards_per_server: Given = quantity(
        "card/server", label={"en": "Cards per server", "zh": "每台服务器卡数"}, low=1, high=1024, whole=True
    )
    devices: Given = quantity(
        "1/card",
        label={"en": "Devices per card", "zh": "每卡设备数"},
        default="1",
        low=1,
        high=64,
        whole=True,
        source={"en": "where a record says nothing, a card is one device", "zh": "目录未注明时, 一卡计一个设备"},
    )
    form_factor: Given = text(label={"en": "Form factor", "zh": "形态"})
    architecture: Given = text(label={"en": "Architecture", "zh": "架构"})
    status: Given = choice(STATUSES, label={"en": "Status", "zh": "供货状态"}, optional=True)


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    yield UnitDefinition("card", many={"en": "cards", "zh": "卡"}, typed=("卡", "张"))
    yield UnitDefinition("server", many={"en": "servers", "zh": "台"})
    yield UnitDefinition("parameter", many={"en": "parameters", "zh": "参数"}, typed=("参数",), figure="big")
    yield UnitDefinition("token", many={"en": "tokens", "zh": "词元"}, typed=("词元",), figure="big")
    yield UnitDefinition("FLOP", prefixes=True, counted=False, figure="scientific")
    yield UnitDefinition("OP", prefixes=True, counted=False, figure="scientific")


@hookimpl
def capframe_sections() -> Iterator[Area | Collection]:
    yield Area(
        "cluster",
        {"en": "Cluster", "zh": "集群"},
        order=10,
        about={
            "en": "Pools of cards, servers bought, and whose cards they are",
            "zh": "算力池、采购服务器数与各任务卡数",
        },
    )
    yield Collection("workloads", Workload, {"en": "Workloads", "zh": "任务"})
    yield Collection("pools", Pool, {"en": "Pools", "zh": "算力池"})


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind]:
    yield RecordKind("accelerator", Accelerator, {"en": "Accelerators", "zh": "加速卡"}, bought="card")


def users(plan: Outline, pool: str) -> list[str]:
    """Return the workloads that use a pool."""
    return [name for name, workload in plan.workloads.items() if workload.pool == pool]


@hookimpl
def capframe_items(plan: Outline, p: Ref) -> Iterator[Item]:
    for name in plan.pools:
        pool = p.pools[name]
        yield Item(
            pool.cards,
            pool.servers * pool.cards_per_server.used,
            "card",
            label={"en": "Cards bought", "zh": "采购卡数"},
            headline=True,
            part=pool.accelerator,
            sort={"en": "Compute", "zh": "算力"},
            called={"en": "Accelerators", "zh": "加速卡"},
        )


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for name in plan.workloads:
        yield from workload_lines(plan, p, name)
    for name in plan.pools:
        yield from pool_lines(plan, p, name)


def workload_lines(plan: Outline, p: Ref, name: str) -> Iterator[LineItem]:
    """Yield what a workload is: its active parameters and the cards that are its own."""
    w = p.workloads[name]
    pool = plan.workloads[name].pool
    yield from model_lines(w)
    yield LineItem(
        w.cards_wanted,
        w.compute.cards_needed * w.reserve,
        "card",
        label={"en": "Cards wanted (need × reserve)", "zh": "需求卡数(含储备)"},  # noqa: RUF001 - a times sign
        stands_alone=True,
    )
    yield LineItem(
        w.cards_given,
        either(w.cards, count_of(0, "card")),
        "card",
        label={"en": "Cards set aside for it by the plan", "zh": "方案预留卡数"},
    )
    yield LineItem(
        w.cards_asked,
        either(w.cards, w.cards_wanted),
        "card",
        label={"en": "Cards asked for it: set aside, or wanted", "zh": "任务申请卡数(预留或需求)"},
    )
    sharing = users(plan, pool)
    share: Expr = p.pools[pool].cards
    if len(sharing) > 1:
        rest = [p.workloads[other].cards_asked - p.workloads[other].cards_given for other in sharing]
        left = share - total(*(p.workloads[other].cards_given for other in sharing))
        none = count_of(0, "card")
        given = Missing({"en": "every workload of the pool is given its cards", "zh": "该算力池各任务均已给定卡数"})
        shared = greatest(left, none) * (w.cards_asked - w.cards_given) / total(*rest)
        share = when(less(none, total(*rest)), shared, given)
    yield from given_or_computed(
        w.cards, share, "card", label={"en": "Cards of the workload", "zh": "任务卡数"}, headline=True
    )
    yield LineItem(
        w.ranks,
        w.cards.used * p.pools[pool].accelerator.devices,
        "1",
        label={"en": "Ranks (devices of the workload)", "zh": "训练进程数"},
    )
    yield from layout_lines(w)


def pool_lines(plan: Outline, p: Ref, name: str) -> Iterator[LineItem]:
    """Yield how many cards are bought: the cards asked for, rounded up once to whole servers."""
    pool = p.pools[name]
    yield from given_or_computed(
        pool.cards_per_server,
        pool.accelerator.cards_per_server,
        "card/server",
        label={"en": "Cards per server", "zh": "每台服务器卡数"},
    )
    needs = [p.workloads[workload].cards_asked for workload in users(plan, name)]
    nobody = Missing({"en": "no workload uses this pool", "zh": "没有任务使用该算力池"})
    wanted = [p.workloads[workload].cards_wanted for workload in users(plan, name)]
    yield LineItem(
        pool.cards_wanted,
        total(*wanted) if wanted else nobody,
        "card",
        label={"en": "Need of its workloads, with reserve", "zh": "各任务需求合计(含储备)"},
    )
    yield from given_or_computed(
        pool.count,
        total(*needs) if needs else nobody,
        "card",
        label={"en": "Cards asked for", "zh": "需求卡数"},
    )
    yield LineItem(
        pool.servers,
        round_up(pool.count.used / pool.cards_per_server.used),
        "server",
        label={"en": "Servers bought", "zh": "采购服务器数"},
        headline=True,
    )


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    for name in plan.workloads:
        yield from workload_checks(p.workloads[name], name)
    for name in plan.workloads:
        m = p.workloads[name].model
        yield Check(
            m.active_is_part,
            at_most(m.active_parameters.used, m.parameters.used),
            "error",
            {
                "en": f"{name} activates {m.active_parameters.used} per token and has {m.parameters.used} in all",
                "zh": f"{name} 每词元激活 {m.active_parameters.used}, 超过总量 {m.parameters.used}",
            },
            label={"en": f"{name} activates no more than it has", "zh": f"{name} 激活参数不超过总量"},
        )
    for name in plan.pools:
        pool = p.pools[name]
        yield Check(
            pool.whole_servers,
            at_least(either(pool.count, pool.cards), pool.cards),
            "note",
            {
                "en": f"{pool.count.used} asked for in {name} become {pool.cards}, because servers are bought whole",
                "zh": f"{name} 需要 {pool.count.used}, 按整机采购为 {pool.cards}",
            },
            label={"en": f"Cards of {name} fill whole servers", "zh": f"{name} 卡数为整机"},
        )
        sharing = users(plan, name)
        if sharing:
            used = total(*(p.workloads[workload].cards.used for workload in sharing))
            yield Check(
                pool.enough_cards,
                at_most(used, pool.cards),
                "error",
                {
                    "en": f"the workloads of {name} use more cards than the {pool.cards} that are bought",
                    "zh": f"{name} 的任务用卡超过采购的 {pool.cards}",
                },
                label={"en": f"Workloads fit in the cards of {name}", "zh": f"{name} 卡数够用"},
            )
