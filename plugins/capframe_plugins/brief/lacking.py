"""What sums lack: items that are still to be quoted, and items whose power nobody discloses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe_plugins.brief.reader import BASE

if TYPE_CHECKING:
    from capframe_plugins.brief.reader import Reader

TO_QUOTE, NO_POWER = "cost.to_be_quoted", "power.not_disclosed"
"""The lines that count the items which the sums of money and of power lack."""
LACKS = {
    "cost.equipment": TO_QUOTE, "cost.contingency_sum": TO_QUOTE, "cost.capex": TO_QUOTE, "power.facility": NO_POWER,
}  # fmt: skip
"""The sums that are the least it comes to where items are lacking."""
MOST_NAMED = 5
"""Items that the first page names; the bill names them all."""


def lacks(r: Reader, count: str, scenario: str) -> bool:
    """Tell whether a sum lacks an item: ``count`` is the line that counts them."""
    return r.known(count, scenario) and bool(r.results.value(count, scenario))


def at_least(r: Reader, key: str, shown: str, scenario: str) -> str:
    """Return a sum as it is shown, with a ≥ where it lacks an item."""
    return r.words("at_least", sum=shown) if key in LACKS and lacks(r, LACKS[key], scenario) else shown


def items_to_quote(r: Reader, scenario: str = BASE) -> list[str]:
    """Return the items that are bought and have no price, as far as that is known."""
    return [line.key for line in r.ledger.items if is_lacking(r, line.key, "price", scenario)]


def items_without_power(r: Reader, scenario: str = BASE) -> list[str]:
    """Return the items that are bought, draw power of their own, and whose power is not known."""
    draw = [line.key for line in r.ledger.items if line.role == "it" and r.has(f"{line.key}.power")]
    return [key for key in draw if is_lacking(r, key, "power", scenario)]


def is_lacking(r: Reader, key: str, figure: str, scenario: str) -> bool:
    """Tell whether a figure of an item is not known; of none there is none to know."""
    return r.results.value(key, scenario) != 0 and not r.known(f"{key}.{figure}", scenario)


NAMED_BY = {"cost.all_priced": items_to_quote, "power.all_disclosed": items_without_power}
"""The checks that count what sums lack, and what finds these items."""


def named(r: Reader, check: str, scenario: str) -> tuple[str, ...]:
    """Return the names of the items that a check counts, of many a few; nothing for other checks."""
    if check not in NAMED_BY:
        return ()
    several = len(r.members("pools")) > 1
    names = [r.named(key) if several else r.label(key) for key in NAMED_BY[check](r, scenario)]
    return (*names[:MOST_NAMED], *([r.words("others")] if len(names) > MOST_NAMED else []))
