"""From a model and its tokens to FLOP, card-hours, days, and the cards that a deadline needs."""

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
    at_most,
    given_or_computed,
    hookimpl,
    quantity,
    round_up,
    total,
    unknown,
)
from capframe_plugins.rates import rate_checks, rate_lines
from capframe_plugins.reserve import reserve_checks

if TYPE_CHECKING:
    from collections.abc import Iterator

KAPLAN_2020 = "Kaplan et al. 2020, Scaling Laws for Neural Language Models, section 2.1 (arXiv:2001.08361)"
LLAMA_3 = {
    "en": "Llama 3 report, table 4 (38 to 43 % for 405B) and section 3.3.4 (over 90 % effective time); "
    "arXiv:2407.21783",
    "zh": "Llama 3 技术报告表 4 (405B 为 38% 至 43%) 与 3.3.4 节 (有效时长超过 90%); arXiv:2407.21783",
}


@frozen(kw_only=True)
class Compute:
    """The rules of thumb of training compute."""

    flops_per_parameter_token: Given = quantity(
        "FLOP/parameter/token",
        label={"en": "FLOP per parameter and token", "zh": "每参数每词元计算量"},
        default="6 FLOP/parameter/token",
        low=1,
        high=20,
        between=("6 FLOP/parameter/token", "8 FLOP/parameter/token"),
        source=KAPLAN_2020,
        confidence="datasheet",
        note={
            "en": "2 forward and 4 backward; attention over long sequences is not in it",
            "zh": "前向 2, 反向 4; 不含长序列注意力计算",
        },
    )
    typical_mfu: Given = quantity(
        "1",
        label={"en": "MFU where none is given", "zh": "MFU 缺省值"},
        default="35%",
        low=0.01,
        high=1,
        percent=True,
        between=("25%", "50%"),
        source=LLAMA_3,
        note={"en": "the lower half of published dense runs", "zh": "公开稠密模型训练结果的下半区间"},
    )
    typical_goodput: Given = quantity(
        "1",
        label={"en": "Goodput where none is given", "zh": "有效训练时长占比缺省值"},
        default="90%",
        low=0.1,
        high=1,
        percent=True,
        between=("80%", "97%"),
        source=LLAMA_3,
    )
    plausible_mfu: Given = quantity(
        "1",
        label={"en": "MFU above which a plan needs proof", "zh": "MFU 合理上限"},
        default="60%",
        low=0.1,
        high=1,
        percent=True,
        between=("55%", "70%"),
        source={"en": "published dense pre-training runs stay below it", "zh": "公开的稠密模型预训练均低于该值"},
    )
    least_reserve: Given = quantity(
        "1",
        label={"en": "Reserve below which a plan is tight", "zh": "储备系数下限"},
        default="1.5",
        low=1,
        high=10,
        between=("1.2", "1.5"),
        source={"en": "planning rule of the field: 1.5 to 2", "zh": "行业规划经验值: 1.5 至 2"},
    )
    most_reserve: Given = quantity(
        "1",
        label={"en": "Reserve above which a plan is generous", "zh": "储备系数上限"},
        default="2",
        low=1,
        high=10,
        between=("2", "2.5"),
        source={"en": "planning rule of the field: 1.5 to 2", "zh": "行业规划经验值: 1.5 至 2"},
    )


@frozen(kw_only=True)
class WorkloadCompute:
    """What a workload may state of its speed."""

    effective_rate: Given = quantity(
        "TFLOP/s/card",
        label={"en": "Effective rate per card", "zh": "单卡有效算力"},
        auto=True,
        low=0.01,
        high=1e6,
        note={
            "en": "auto: dense peak × MFU; a rate that is given has MFU in it already",  # noqa: RUF001 - a times sign
            "zh": "自动: 稠密峰值 × MFU; 给定值应已计入 MFU",  # noqa: RUF001 - a times sign
        },
    )


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Compute", "zh": "算力"}
    yield Area(
        "compute",
        label,
        20,
        {"en": "From tokens to FLOP, card-hours, days and cards", "zh": "由词元到计算量、卡时、天数与卡数"},
    )
    yield Section("compute", Compute, label)
    yield Section("compute", WorkloadCompute, label, of="workloads")


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for name, workload in plan.workloads.items():
        yield from workload_lines(p, p.workloads[name], p.pools[workload.pool])


def workload_lines(p: Ref, w: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield the compute ledger of one workload."""
    c = w.compute
    yield from given_or_computed(
        w.mfu, p.compute.typical_mfu, "1", label={"en": "MFU", "zh": "算力利用率(MFU)"}, percent=True
    )
    yield from given_or_computed(
        w.goodput, p.compute.typical_goodput, "1", label={"en": "Goodput", "zh": "有效训练时长占比"}, percent=True
    )
    yield LineItem(
        c.flops,
        p.compute.flops_per_parameter_token * w.model.active_parameters.used * w.tokens,
        "FLOP",
        label={"en": "Training compute", "zh": "训练总计算量"},
        source=KAPLAN_2020,
        headline=True,
    )
    yield from rate_lines(w, pool)
    yield LineItem(
        c.ideal_card_hours,
        c.flops / c.peak,
        "card·h",
        label={"en": "Card-hours at the dense peak", "zh": "理想卡时"},
    )
    yield LineItem(
        c.card_hours,
        c.flops / c.effective_rate.used,
        "card·h",
        label={"en": "Card-hours", "zh": "卡时"},
        headline=True,
    )
    yield LineItem(
        c.days,
        c.card_hours / w.cards.used,
        "d",
        label={"en": "Days while steps run", "zh": "净训练天数"},
        headline=True,
    )
    yield LineItem(
        c.elapsed_days,
        c.days / w.goodput.used,
        "d",
        label={"en": "Days with failures and restarts", "zh": "含故障与重启的天数"},
        headline=True,
    )
    yield LineItem(
        c.cards_while_running,
        c.card_hours / w.deadline,
        "card",
        label={"en": "Cards needed if steps always ran, exact", "zh": "无中断时所需卡数(精确值)"},
    )
    yield LineItem(
        c.cards_needed,
        c.cards_while_running / w.goodput.used,
        "card",
        label={"en": "Cards needed for the deadline, exact", "zh": "窗口所需卡数(精确值)"},
        headline=True,
    )
    yield LineItem(
        c.times_needed,
        w.cards.used / c.cards_needed,
        "1",
        label={"en": "Cards that are there over cards needed", "zh": "实有卡数与所需卡数之比"},
    )
    yield LineItem(
        c.cards_with_reserve,
        round_up(c.cards_needed * w.reserve),
        "card",
        label={"en": "Cards needed with reserve", "zh": "含储备所需卡数"},
        headline=True,
    )


def neighbours(plan: Outline, workload: str) -> list[str]:
    """Return the other workloads of the same pool."""
    pool = plan.workloads[workload].pool
    return [name for name, other in plan.workloads.items() if other.pool == pool and name != workload]


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    for name in plan.workloads:
        w = p.workloads[name]
        c = w.compute
        others = neighbours(plan, name)
        beside = [p.workloads[other] for other in others]
        explained: Expr | float = 0
        if others:
            explained = total(*(unknown(other.cards_asked) for other in beside))  # said of the one that lacks it
            listed = ", ".join(others)
            yield Check(
                c.can_share,
                at_most(unknown(w.cards_asked) * total(*(unknown(other.compute.elapsed_days) for other in beside)), 0),
                "error",
                {
                    "en": f"the need of {name} is not known, so its pool cannot be shared out to {listed}: give {name} "
                    "a deadline, and a precision whose peak is disclosed, or give each of the others its `cards`",
                    "zh": f"{name} 的需求未知, 算力池无法分配给 {listed}: 请给出 {name} 的时间窗口, "
                    "并选择已公开峰值的精度, 或给出其他任务的 `cards`",
                },
                label={"en": f"The pool of {name} can be shared out", "zh": f"{name} 所在算力池可分配"},
            )
        yield Check(
            c.has_an_answer,
            at_most(unknown(c.elapsed_days), explained),
            "error",
            {
                "en": f"there is no answer for {name}: its days rest on a figure that is not known; "
                "give what is lacking, such as a deadline, a count of cards, or a card whose peak is disclosed",
                "zh": f"{name} 无法测算: 所依据的数字未知; 请补充, 例如时间窗口、卡数, 或选择已公开峰值的卡",
            },
            label={"en": f"The days of {name} are known", "zh": f"{name} 可测算"},
        )
        yield Check(
            c.in_time,
            at_most(c.elapsed_days, w.deadline),
            "error",
            {
                "en": f"{name} takes {c.elapsed_days} and has {w.deadline}; more cards, a later date or fewer tokens",
                "zh": f"{name} 需要 {c.elapsed_days}, 窗口为 {w.deadline}; 需增加卡数、延期或减少词元",
            },
            label={"en": f"{name} meets its deadline", "zh": f"{name} 满足时间窗口"},
        )
        yield from rate_checks(p, name)
    yield from reserve_checks(plan, p)
