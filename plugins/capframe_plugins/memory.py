"""What the states of training take of each device's memory, whole and sharded by ZeRO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    Check,
    Expr,
    Given,
    LineItem,
    Outline,
    Ref,
    Section,
    at_least,
    at_most,
    given_or_computed,
    hookimpl,
    quantity,
    round_up,
    total,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ZERO = "Rajbhandari et al. 2020, ZeRO, section 3.1 and figure 1 (arXiv:1910.02054)"


@frozen(kw_only=True)
class Memory:
    """Bytes that mixed-precision Adam keeps of each parameter."""

    weight_bytes: Given = quantity(
        "B/parameter",
        label={"en": "Weights, bytes per parameter", "zh": "权重字节数"},
        default="2 B/parameter",
        low=0.5,
        high=8,
        between=("2 B/parameter", "4 B/parameter"),
        source=ZERO,
        confidence="datasheet",
    )
    gradient_bytes: Given = quantity(
        "B/parameter",
        label={"en": "Gradients, bytes per parameter", "zh": "梯度字节数"},
        default="2 B/parameter",
        low=0.5,
        high=8,
        between=("2 B/parameter", "4 B/parameter"),
        source=ZERO,
        confidence="datasheet",
    )
    optimizer_bytes: Given = quantity(
        "B/parameter",
        label={"en": "Optimizer states, bytes per parameter", "zh": "优化器状态字节数"},
        default="12 B/parameter",
        low=1,
        high=24,
        between=("8 B/parameter", "16 B/parameter"),
        source=ZERO,
        confidence="datasheet",
        note={"en": "FP32 master weights, momentum and variance", "zh": "FP32 主权重、一阶动量与二阶动量"},
    )


@frozen(kw_only=True)
class WorkloadMemory:
    """How a workload shards its states."""

    zero_stage: Given = quantity(
        "1",
        label={"en": "ZeRO stage", "zh": "ZeRO 阶段"},
        default="3",
        low=0,
        high=3,
        whole=True,
        source={"en": "full sharding, as in FSDP", "zh": "全分片, 同 FSDP"},
        note={
            "en": "1 shards optimizer states, 2 also gradients, 3 also weights",
            "zh": "1 切分优化器状态, 2 再切分梯度, 3 再切分权重",
        },
    )
    zero_group: Given = quantity(
        "1",
        label={"en": "Ranks that share one copy of the states", "zh": "ZeRO 分片组大小"},
        auto=True,
        low=1,
        high=1e7,
        note={"en": "auto: all replicas of the data-parallel group", "zh": "自动: 数据并行组的全部副本"},
    )


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Memory", "zh": "显存"}
    yield Area(
        "memory",
        label,
        30,
        {"en": "What training keeps, and what each rank holds of it", "zh": "训练状态总量与每进程占用"},
    )
    yield Section("memory", Memory, label)
    yield Section("memory", WorkloadMemory, label, of="workloads")


PARTS = (
    ("weights", "weight_bytes", 3, {"en": "Weights", "zh": "权重"}),
    ("gradients", "gradient_bytes", 2, {"en": "Gradients", "zh": "梯度"}),
    ("optimizer", "optimizer_bytes", 1, {"en": "Optimizer states", "zh": "优化器状态"}),
)


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for name, workload in plan.workloads.items():
        yield from workload_lines(p, p.workloads[name], p.pools[workload.pool])


def workload_lines(p: Ref, w: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield the states of one workload: whole, and what each rank holds."""
    m = w.memory
    yield from given_or_computed(
        m.zero_group,
        w.layout.data.used,
        "1",
        label={"en": "Ranks that share one copy of the states", "zh": "ZeRO 分片组大小"},
    )
    for part, per_parameter, _, label in PARTS:
        yield LineItem(m[part], w.model.parameters.used * p.memory[per_parameter], "B", label=label, source=ZERO)
    yield LineItem(
        m.states,
        total(*(m[part] for part, *_ in PARTS)),
        "B",
        label={"en": "States of training", "zh": "训练状态总量"},
        source=ZERO,
        headline=True,
    )
    for part, _, stage, label in PARTS:
        yield LineItem(
            m[f"{part}_per_rank"],
            m[part] / (w.layout.ranks_of_a_copy * shards(m, stage)),
            "GB",
            label={
                language: f"{word}, per rank" if language == "en" else f"每进程{word}"
                for language, word in label.items()
            },
            source=ZERO,
            chart={"en": "States per rank", "zh": "每进程训练状态"},
        )
    yield LineItem(
        m.per_rank,
        total(*(m[f"{part}_per_rank"] for part, *_ in PARTS)),
        "GB",
        label={"en": "States per rank", "zh": "每进程训练状态"},
        source=ZERO,
        headline=True,
    )
    yield LineItem(
        m.capacity,
        pool.accelerator.memory / pool.accelerator.devices,
        "GB",
        label={"en": "Memory per rank", "zh": "每进程显存"},
    )
    yield LineItem(
        m.least_cards,
        round_up(m.states / pool.accelerator.memory),
        "card",
        label={"en": "Fewest cards that hold the states", "zh": "容纳训练状态的最少卡数"},
    )


def shards(memory: Ref, stage: int) -> Expr:
    """Return over how many ranks a part is spread: the group from its ZeRO stage on, else one."""
    return when(at_least(memory.zero_stage, stage), memory.zero_group.used, 1)


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    for name in plan.workloads:
        w = p.workloads[name]
        m = w.memory
        yield Check(
            m.fits,
            at_most(m.per_rank, m.capacity),
            "error",
            {
                "en": f"{name} keeps {m.per_rank} of states on each rank, which has {m.capacity}; "
                "shard over more ranks or raise the ZeRO stage",
                "zh": f"{name} 每进程训练状态 {m.per_rank}, 显存仅 {m.capacity}; 需扩大分片组或提高 ZeRO 阶段",
            },
            label={"en": f"The states of {name} fit (activations not counted)", "zh": f"{name} 显存够用(未计激活值)"},
        )
        yield Check(
            m.group_exists,
            at_most(m.zero_group.used, w.layout.data.used),
            "error",
            {
                "en": f"{name} shards over {m.zero_group.used} ranks, but only its {w.layout.data.used} replicas hold "
                "copies of the same states; give a smaller `zero_group`, or leave it out",
                "zh": f"{name} 分片组 {m.zero_group.used} 超过数据并行副本数 {w.layout.data.used}; "
                "请减小 `zero_group` 或不给定",
            },
            label={"en": f"{name} has the replicas it shards over", "zh": f"{name} 分片组不超过副本数"},
        )
