"""More cards fail more often, which needs more cards: the circle closed in two visible rounds, never by iterating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import Check, Expr, LineItem, Ref, at_most, either, greatest, more, number_of, when
from capframe_plugins.restarting import best_interval, extrapolated, share_of_time

if TYPE_CHECKING:
    from collections.abc import Iterator

AITKEN_1926 = {"en": "two substitutions, then Aitken's rule (1926)", "zh": "两次代入后按艾特肯法 (1926) 外推"}
ROUNDS = {"round1": ("round 1", "第1轮"), "round2": ("round 2", "第2轮")}
STEPS = {"first": ("first", "第1次"), "second": ("second", "第2次")}


def closing_lines(p: Ref, w: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield the rounds that find the exact need of a deadline, and the need itself in place of the estimate's."""
    least = cards = w.compute.cards_while_running
    for key, (en, zh) in ROUNDS.items():
        this = w.failures[key]
        tried: list[Expr] = [cards]
        for name, (step_en, step_zh) in STEPS.items():
            step = this[name]
            yield from at_cards(p, w, pool, step, cards, (f"{en}, {step_en}", f"{zh}{step_zh}"))
            yield LineItem(
                step.cards,
                least / step.goodput,
                "card",
                label={"en": f"Cards needed, {en}, {step_en}", "zh": f"所需卡数({zh}{step_zh})"},
            )
            cards = step.cards
            tried.append(cards)
        first, second, third = tried
        yield LineItem(
            this.bend,
            number_of(third) - 2 * number_of(second) + number_of(first),
            "1",
            label={"en": f"Second difference of the cards, {en}", "zh": f"卡数二阶差分({zh})"},
        )
        yield LineItem(
            this.cards,
            greatest(
                least,
                when(
                    more(greatest(this.bend, -this.bend), 0),
                    extrapolated(first, second, this.bend),
                    third,
                ),
            ),
            "card",
            label={"en": f"Cards needed, {en}, extrapolated", "zh": f"所需卡数({zh}外推)"},
            source=AITKEN_1926,
        )
        cards = this.cards
    closed = w.failures.closed
    yield from at_cards(p, w, pool, closed, cards, ("closed", "闭环"))
    yield LineItem(
        w.compute.cards_needed,
        least / closed.goodput,
        "card",
        label={"en": "Cards needed for the deadline, exact", "zh": "窗口所需卡数(精确值)"},
        source={
            "en": "failures grow with the cards: closed in two rounds on the sheet of failures",
            "zh": "故障随卡数增加: 在故障表中迭代两轮闭合",
        },
        headline=True,
        replaces=True,
        stands_alone=True,
    )
    change = w.compute.cards_needed / cards - 1
    yield LineItem(
        closed.change,
        greatest(change, -change),
        "1",
        label={"en": "Last change of the cards needed", "zh": "所需卡数末次变化"},
        percent=True,
    )


def at_cards(  # noqa: PLR0913, PLR0917 - whose loop it is, and where in it
    p: Ref, w: Ref, pool: Ref, step: Ref, cards: Expr, where: tuple[str, str]
) -> Iterator[LineItem]:
    """Yield what the goodput of a workload would be if it ran on so many cards."""
    en, zh = where
    yield LineItem(
        step.mtbf,
        1 / (number_of(cards) * pool.failures.per_card),
        "h",
        label={"en": f"Time between interruptions, {en}", "zh": f"平均无中断时间({zh})"},
    )
    yield LineItem(
        step.interval,
        either(w.failures.interval, best_interval(w.storage.checkpoint_write, step.mtbf)),
        "min",
        label={"en": f"Time between checkpoints, {en}", "zh": f"检查点间隔({zh})"},
    )
    yield LineItem(
        step.goodput,
        either(w.goodput, share_of_time(w.storage.checkpoint_write, step.interval, step.mtbf, p.failures.restart)),
        "1",
        label={"en": f"Goodput, {en}", "zh": f"有效训练时长占比({zh})"},
        percent=True,
    )


def closing_checks(p: Ref, w: Ref, name: str) -> Iterator[Check]:
    """Yield that the rounds came to rest."""
    closed = w.failures.closed
    yield Check(
        closed.rests,
        at_most(closed.change, p.failures.loop_tolerance),
        "error",
        {
            "en": f"cards and goodput of {name} do not settle: the last change is {closed.change}, allowed are "
            f"{p.failures.loop_tolerance}; so many cards fail faster than they finish, write checkpoints faster",
            "zh": f"{name} 的卡数与有效训练时长不收敛: 末次变化 {closed.change}, 允许 {p.failures.loop_tolerance}; "
            "故障快于进度, 需加快检查点写入或恢复",
        },
        label={"en": f"Cards and goodput of {name} agree", "zh": f"{name} 卡数与有效训练时长闭环"},
    )
