"""Whether the cards that are there cover need and reserve, and are not far more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import Check, Expr, Outline, Ref, at_least, at_most, round_up

if TYPE_CHECKING:
    from collections.abc import Iterator


def reserve_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    """Yield what must hold of the reserve of each pool and workload."""
    for name in plan.pools:
        pool = p.pools[name]
        yield Check(
            pool.compute.enough_with_reserve,
            at_least(pool.cards, pool.cards_wanted),
            "warning",
            {
                "en": f"{pool.cards} are bought for {name}; need and reserve come to {pool.cards_wanted}",
                "zh": f"{name} 采购 {pool.cards}, 含储备的需求为 {pool.cards_wanted}",
            },
            label={"en": f"The cards of {name} cover need and reserve", "zh": f"{name} 卡数覆盖需求与储备"},
        )
    for name, workload in plan.workloads.items():
        w = p.workloads[name]
        c = w.compute
        yield Check(
            c.reserve_is_enough,
            at_least(w.reserve, p.compute.least_reserve),
            "warning",
            {
                "en": f"the reserve of {name} is {w.reserve}; below {p.compute.least_reserve} a rerun breaks the date",
                "zh": f"{name} 的储备系数为 {w.reserve}, 低于 {p.compute.least_reserve}, 重跑即延期",
            },
            label={"en": f"The reserve of {name} is enough", "zh": f"{name} 储备充足"},
        )
        yield Check(
            c.reserve_is_modest,
            at_most(w.cards.used, most_cards(p, w, p.pools[workload.pool])),
            "warning",
            {
                "en": f"{w.cards.used} are there for {name}, {c.cards_needed} are needed: {c.times_needed} times the "
                f"need; above {p.compute.most_reserve} times it needs a reason",
                "zh": f"{name} 有 {w.cards.used}, 需要 {c.cards_needed}, 为需求的 {c.times_needed} 倍; "
                f"高于 {p.compute.most_reserve} 倍需说明理由",
            },
            label={"en": f"The cards of {name} are not far above its need", "zh": f"{name} 卡数不过量"},
        )


def most_cards(p: Ref, w: Ref, pool: Ref) -> Expr:
    """Return the cards above which a workload has more than a generous reserve, in whole servers."""
    in_server = pool.cards_per_server.used
    return round_up(w.compute.cards_needed * p.compute.most_reserve / in_server) * in_server
