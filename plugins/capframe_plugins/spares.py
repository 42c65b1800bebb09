"""How many spare cards are enough while others are repaired: a Poisson quantile out of functions that all have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import (
    Check,
    Expr,
    Item,
    LineItem,
    Outline,
    Ref,
    any_of,
    at_least,
    at_most,
    count_of,
    either,
    every,
    greatest,
    less,
    more,
    normal_quantile,
    number_of,
    poisson,
    round_down,
    round_up,
    sqrt,
    total,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CORNISH_FISHER = {
    "en": "Cornish-Fisher expansion of the Poisson distribution, first term",
    "zh": "泊松分布的 Cornish-Fisher 展开, 取首项",
}
NEIGHBOURS = (-1, 0, 1, 2, 3)
"""How far from the start chances are counted; the answer is at most 3 above it.

For one service level the answer only steps up as the mean grows, at half the quantiles of chi-square (Garwood 1936,
Biometrika 28:437), and the closed form grows steadily: it errs most at these steps. There, for means up to 500 and
levels of 50 % to 99.99 %, the answer lies between the closed form less 2.18 (of tiny means) and 0.50 above it (of
medians): tests/test_systems.py has the steps at which it errs most. So rounding down what is 2 below the closed form
never starts above the answer, nor more than 3 below it.
"""


def normal_guess(mean: Expr, z: Expr) -> Expr:
    """Return about how many events are not exceeded with the chance that belongs to the normal quantile z."""
    return mean + z * sqrt(mean) + (z * z - 1) / 6


def enough(step: int) -> str:
    """Return the name of the line that holds the chance of so many more than the start."""
    return f"enough_{'below' if step < 0 else step}"


def spare_items(plan: Outline, p: Ref) -> Iterator[Item]:
    """Yield the spare cards of each pool: as many as its plan says, or as are enough."""
    for name in plan.pools:
        spares = p.pools[name].failures.spares
        yield Item(
            spares.used,
            either(spares, spares.computed),
            "card",
            label={"en": "Spare cards", "zh": "备件卡"},
            headline=True,
            part=p.pools[name].accelerator,
            sort={"en": "Spares", "zh": "备件"},
            role="spare",
        )


def spare_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield the spares of each pool."""
    yield LineItem(
        p.failures.z,
        normal_quantile(p.failures.service_level),
        "1",
        label={"en": "Normal quantile of the service level", "zh": "保障率的正态分位数"},
    )
    for name in plan.pools:
        yield from spares_of(p, p.pools[name])


def spares_of(p: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield the smallest number that cards in repair exceed no more often than the service level allows."""
    f = pool.failures
    mean, level = f.mean, p.failures.service_level
    yield LineItem(
        f.in_repair,
        pool.cards * p.failures.accelerator_afr * p.failures.repair,
        "card",
        label={"en": "Cards in repair, mean", "zh": "平均在修卡数"},
    )
    yield LineItem(mean, number_of(f.in_repair), "1", label={"en": "The same as a number", "zh": "在修卡数(数值)"})
    yield LineItem(
        f.guess,
        normal_guess(mean, p.failures.z),
        "1",
        label={"en": "Spares, closed form", "zh": "备件数(近似式)"},
        source=CORNISH_FISHER,
    )
    yield LineItem(
        f.start,
        when(more(mean, 0), greatest(0, round_down(f.guess - 2)), 0),
        "1",
        label={"en": "Spares, counted from", "zh": "备件数(起算值)"},
    )
    for step in NEIGHBOURS:
        yield LineItem(
            f[enough(step)],
            when(
                every(more(mean, 0), at_most(mean, p.failures.counted_up_to)),
                poisson(greatest(0, f.start + step), mean),
                1,
            ),
            "1",
            label={"en": f"Chance that start {step:+d} are enough", "zh": f"起算值{step:+d}件够用的概率"},
            percent=True,
        )
    below = [when(less(f[enough(step)], level), 1, 0) for step in NEIGHBOURS[1:]]
    yield LineItem(f.counted, f.start + total(*below), "1", label={"en": "Spares, counted", "zh": "备件数(计数)"})
    yield LineItem(
        f.spares.computed,
        count_of(when(at_most(mean, p.failures.counted_up_to), f.counted, round_up(f.guess - 1 / 2)), "card"),
        "card",
        label={"en": "Spare cards, computed", "zh": "备件卡(计算值)"},
        source={
            "en": "Poisson: the smallest number that is enough with the service level asked for",
            "zh": "泊松分布: 满足备件保障率的最少件数",
        },
    )
    yield LineItem(
        f.spare_share,
        f.spares.used / pool.cards,
        "1",
        label={"en": "Spares over cards", "zh": "备件比例"},
        percent=True,
    )


def spare_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    """Yield that spares are enough, and that the numbers that were counted bracket the answer."""
    for name in plan.pools:
        f, level = p.pools[name].failures, p.failures.service_level
        yield Check(
            f.spares_are_enough,
            at_least(f.spares.used, f.spares.computed),
            "note",
            {
                "en": f"{f.spares.used} are bought as spares of {name}; {level} of service take {f.spares.computed}",
                "zh": f"{name} 采购备件 {f.spares.used}, 备件保障率 {level} 需要 {f.spares.computed}",
            },
            label={"en": f"The spares of {name} are enough", "zh": f"{name} 备件充足"},
        )
        yield Check(
            f.spares_bracketed,
            any_of(
                more(f.mean, p.failures.counted_up_to),
                every(
                    any_of(at_most(f.start, 0), less(f[enough(NEIGHBOURS[0])], level)),
                    at_least(f[enough(NEIGHBOURS[-1])], level),
                ),
            ),
            "error",
            {
                "en": f"the spares of {name} are not among the numbers counted, from {f.start} on",
                "zh": f"{name} 的备件数不在计数范围内 (自 {f.start} 起)",
            },
            label={"en": f"The spares of {name} were found", "zh": f"{name} 备件数已求得"},
        )
