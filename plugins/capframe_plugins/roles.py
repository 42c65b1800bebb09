"""What items are bought as: IT, parts inside it, spares, facility; docs/plugins.md says what follows from each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import (
    Expr,
    Label,
    LineItem,
    Missing,
    Outline,
    Ref,
    first_known,
    known_or_zero,
    less,
    number_of,
    say,
    total,
    total_known,
    unknown,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROLES: dict[str, Label] = {
    "it": {"en": "IT equipment", "zh": "IT 设备"},
    "host": {"en": "parts in servers", "zh": "服务器内部件"},
    "spare": {"en": "spares on the shelf", "zh": "库存备件"},
    "facility": {"en": "facility equipment", "zh": "基础设施"},
}
"""What each role is called, in the order of sums."""


BY_CARDS: Label = {
    "en": "what belongs to a pool in full, what is no pool's by card count",
    "zh": "本池设备全计, 公共设备按卡数分摊",
}
"""How pools share what is bought and what it draws: ``parts_of_pool``."""


def cards_of(plan: Outline) -> list[str]:
    """Return the items that are the cards of the pools: they come in servers, and the plan may price them itself."""
    return [f"pools.{name}.cards" for name in plan.pools]


def beside_cards(plan: Outline, fact: str, roles: Iterable[str] = ROLES) -> list[str]:
    """Return the items of these roles, beside the pools' cards, whose records may tell a fact."""
    cards = cards_of(plan)
    return [key for key, item in plan.items.items() if item.role in roles and fact in item.facts and key not in cards]


def parts_of_pool(plan: Outline, p: Ref, name: str, items: Iterable[str], what: str) -> list[Expr]:
    """Return what a pool has of items, as far as that is known: all of its own, and its share of what is no pool's.

    What belongs to a pool stands below its key; the rest serves all pools, and is shared by card count.
    """
    keys = list(items)
    own = [known_or_zero(p[key][what]) for key in keys if key.startswith(f"pools.{name}.")]
    common = [p[key][what] for key in keys if not key.startswith(tuple(f"pools.{one}." for one in plan.pools))]
    return [*own, total_known(*common) * p.pools[name].cards / all_cards(plan, p)] if common else own


def all_cards(plan: Outline, p: Ref) -> Expr:
    """Return the cards of all pools."""
    return total(*(p.pools[name].cards for name in plan.pools))


def as_far_as_known(*terms: Expr) -> Expr:
    """Return the sum of the terms that are known, which is not available where none is: 0 would be a figure."""
    if len(terms) == 1:
        return terms[0]
    nothing = Missing({"en": "none of it is known", "zh": "各项均未知"})
    how_many = total(*(1 - unknown(term) for term in terms))
    return when(less(0, how_many), total_known(*terms), nothing)


def sums_by_role(
    plan: Outline, p: Ref, sums: Ref, items: Iterable[str], what: str, unit: str, label: Label
) -> Iterator[LineItem]:
    """Yield what the items of each role come to, as far as that is known: ``cost.by_role.it`` of ``.purchase``."""
    kept = set(items)
    for role, called in ROLES.items():
        if ours := [key for key, item in plan.items.items() if item.role == role and key in kept]:
            yield LineItem(sums[role], as_far_as_known(*(p[key][what] for key in ours)), unit, label=of(called, label))


def lacks(p: Ref, key: str, figure: Ref | None) -> Expr:
    """Return 1 for an item whose sum lacks this figure of its part, or its own count; 0 where none of it is bought."""
    lacking: Expr | float = 1 if figure is None else unknown(figure)
    return first_known(when(less(0, number_of(p[key])), lacking, 0), 1)


def of(thing: Label, what: Label) -> Label:
    """Return a label that says of what it is: ``Price: Switches``."""
    return {
        short: f"{say(what, language)}: {say(thing, language)}" for short, language in (("en", "en"), ("zh", "zh-CN"))
    }
