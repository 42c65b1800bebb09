"""The bill of materials: every item of the plan, at what price from where, and what is still to be quoted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capframe import figure
from capframe_plugins.brief.assumptions import sources
from capframe_plugins.brief.markdown import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe import Line
    from capframe_plugins.brief.reader import Reader

NOT_AVAILABLE = "n/a"
FIGURES = ("count", "price", "sum")
WITH_PRICES = (*FIGURES, "price_from")
TOTALS = ("cost.equipment", "cost.contingency_sum", "cost.capex")


def bill(r: Reader) -> Table:
    """Return what is bought, item by item, and what comes on top; options that buy the same together."""
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    columns = ("item", "part", *(WITH_PRICES if is_priced(r) else ("count",)))
    for scenario in r.scenarios:
        bought = tuple(tuple(row[column] for column in columns) for row in rows(r, scenario))
        alike.setdefault(bought, []).append(r.scenario(scenario))
    several = bool(r.plan.scenarios)
    cells = [
        [*([r.words.listed(options)] if several else []), *row] for bought, options in alike.items() for row in bought
    ]
    titles = [*(["option"] if several else []), *columns]
    head = [r.words(title, **({"currency": r.plan.header.currency} if title == "sum" else {})) for title in titles]
    return Table(head, cells, figures=[at for at, title in enumerate(titles) if title in FIGURES])


def items(r: Reader) -> list[Line]:
    """Return the lines that count what is bought."""
    return [line for line in r.ledger.lines.values() if line.part]


def is_priced(r: Reader) -> bool:
    """Tell whether this plan says anything of prices."""
    return any(price_of(r, line.key) for line in items(r))


def rows(r: Reader, scenario: str) -> list[dict[str, str]]:
    """Return the rows of a scenario: each item that is bought, then the sums of the plan."""
    found: list[dict[str, str]] = []
    amounts: list[float] = []
    for line in items(r):
        if r.results.value(line.key, scenario) == 0:
            continue
        amount = sum_of(r, line.key)
        if r.known(amount, scenario):
            amounts.append(float(r.results.value(amount, scenario)))
        found.append(
            {
                "item": r.named(line.key),
                "part": r.part(line.part, scenario),
                "count": r.shown(line.key, scenario),
                "sum": r.figure(amount, scenario) if amount else NOT_AVAILABLE,
                **price(r, line.key, scenario),
            }
        )
    to_quote = len(found) - len(amounts)
    if to_quote and amounts and not r.known(TOTALS[0], scenario):
        shown = figure(math.fsum(amounts), r.ledger.format(TOTALS[0])) if r.has(TOTALS[0]) else NOT_AVAILABLE
        found.append(total(r.words("priced_sum"), "", r.words("at_least", sum=shown)))
    return [*found, *totals(r, scenario, to_quote)]


def total(label: str, remark: str, amount: str) -> dict[str, str]:
    """Return the row of a sum."""
    return dict.fromkeys(WITH_PRICES, "") | {"item": label, "part": remark, "sum": amount}


def price(r: Reader, key: str, scenario: str) -> dict[str, str]:
    """Return what one of an item costs, and who says so."""
    at = price_of(r, key)
    if not at:
        return {"price": NOT_AVAILABLE, "price_from": r.words("to_quote", reason=r.words("no_price"))}
    said = sources(r, at, scenario, notes=True)
    return {
        "price": r.shown(at, scenario),
        "price_from": said if r.known(at, scenario) else r.words("to_quote", reason=said),
    }


def totals(r: Reader, scenario: str, to_quote: int) -> Iterator[dict[str, str]]:
    """Yield the sums of the plan; where something is to be quoted they are the least that it comes to."""
    for key in TOTALS:
        if not r.has(key):
            continue
        amount = r.figure(key, scenario)
        if to_quote and r.known(key, scenario):
            amount = r.words("at_least", sum=amount)
        count = r.words("items_to_quote", count=f"{to_quote:,}") if to_quote and key != TOTALS[1] else ""
        yield total(r.label(key), count, amount)


def price_of(r: Reader, key: str) -> str:
    """Return the line of an item's price: its own, or that of its pool; nothing where there is none."""
    return first_of(r, f"{key}.price", f"{key.rpartition('.')[0]}.cost.price")


def sum_of(r: Reader, key: str) -> str:
    """Return the line of what an item comes to; nothing where there is none."""
    return first_of(r, f"{key}.purchase", f"{key.rpartition('.')[0]}.cost.purchase")


def first_of(r: Reader, *keys: str) -> str:
    """Return the first key that there is a line of."""
    return next((key for key in keys if r.has(key)), "")
