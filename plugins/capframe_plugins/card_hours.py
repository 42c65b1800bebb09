"""What a card-hour of each pool comes to where there are several, and a run at that rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import LineItem, Outline, Ref, less, total, when
from capframe_plugins.roles import BY_CARDS, all_cards, parts_of_pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def pool_lines(plan: Outline, p: Ref, items: Iterable[str]) -> Iterator[LineItem]:
    """Yield each pool's share of a year: of energy that of its meter, of the rest that of what is bought.

    ``items`` are those beside the cards whose records may tell a price. The shares come to the year as a whole, also
    where another plugin says what that costs.
    """
    items = list(items)
    for name in plan.pools:
        pool = p.pools[name]
        yield LineItem(
            pool.cost.equipment,
            total(pool.cards.purchase, *parts_of_pool(plan, p, name, items, "purchase")),
            plan.currency,
            label={
                "en": "Purchases with its share of what is no pool's, as far as priced",
                "zh": "采购(含公共设备分摊, 已有单价部分)",
            },
            source=BY_CARDS,
        )
        yield LineItem(
            pool.cost.share,
            when(
                less(0 * p.cost.equipment, p.cost.equipment),
                pool.cost.equipment / p.cost.equipment,
                pool.cards / all_cards(plan, p),
            ),
            "1",
            label={"en": "Share of purchases", "zh": "采购占比"},
            source={"en": "by cards where all purchases come to 0", "zh": "采购合计为 0 时按卡数"},
            percent=True,
        )
        yield LineItem(
            pool.cost.per_year,
            p.cost.energy * pool.power.energy_per_year / p.power.energy_per_year
            + (p.cost.per_year - p.cost.energy) * pool.cost.share,
            f"{plan.currency}/y",
            label={"en": "Cost per year, as far as priced", "zh": "年总成本(已有单价部分)"},
            source={
                "en": "cost of energy by the pool's share of energy, the rest by its share of purchases",
                "zh": "电费按用电量占比, 其余按采购占比分摊",
            },
        )
        yield LineItem(
            pool.cost.per_card_hour,
            pool.cost.per_year / (pool.cards * p.cost.utilisation),
            f"{plan.currency}/card/h",
            label={"en": "Cost per used card-hour, as far as priced", "zh": "单位卡时成本(已有单价部分)"},
            headline=True,
        )


def run_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield what each workload costs at that rate: its pool's where there are several."""
    label = {"en": "Cost of the run at that rate, as far as priced", "zh": "本次训练成本(已有单价部分)"}
    if several := len(plan.pools) > 1:
        label = {
            "en": "Cost of the run at the rate of its pool, as far as priced",
            "zh": "本次训练成本(按所用算力池卡时成本, 已有单价部分)",
        }
    for name, workload in plan.workloads.items():
        w = p.workloads[name]
        rate = p.pools[workload.pool].cost.per_card_hour if several else p.cost.per_card_hour
        yield LineItem(w.cost.run, rate * w.cards.used * w.compute.elapsed_days, plan.currency, label=label)
