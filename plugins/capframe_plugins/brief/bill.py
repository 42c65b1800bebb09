"""The bill of materials: every item of the plan, at what price from where, and what is still to be quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import NOT_AVAILABLE
from capframe_plugins.brief.assumptions import sources
from capframe_plugins.brief.lacking import TO_QUOTE, at_least
from capframe_plugins.brief.markdown import Markdown, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe_plugins.brief.reader import Reader

ROOM = ("rack_units", "weight")
FIGURES = ("count", "price", "sum", *ROOM)
PRICED = "cost.priced"
TOTALS = ("cost.equipment", "cost.contingency_sum", "cost.capex")


def bill(r: Reader) -> Table:
    """Return what is bought, item by item, and what comes on top; options that buy the same together."""
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    columns = columns_of(r)
    for scenario in r.scenarios:
        bought = tuple(tuple(row[column] for column in columns) for row in rows(r, scenario))
        alike.setdefault(bought, []).append(r.scenario(scenario))
    several = bool(r.plan.scenarios)
    cells = [
        [*([r.words.listed(options)] if several else []), *row] for bought, options in alike.items() for row in bought
    ]
    titles = [*(["option"] if several else []), *columns]
    head = [r.words(title, **({"currency": r.currency} if title == "sum" else {})) for title in titles]
    return Table(head, cells, figures=[at for at, title in enumerate(titles) if title in FIGURES])


def about_servers(r: Reader) -> Iterator[Markdown]:
    """Yield whose price holds the servers, where cards are bought and no item is a server of its own."""
    cards = [f"pools.{pool}.cards" for pool in r.members("pools")]
    bought = {line.key for line in r.ledger.items}
    servers = [key for key in bought if r.ledger.unit(key).text == "server"]
    if not servers and any(r.known(key) and key in bought for key in cards):
        yield r.words("servers_in_cards")


def columns_of(r: Reader) -> tuple[str, ...]:
    """Return what the table says of each item: prices where the plan says any, room where some of it is known."""
    priced = any(r.has(f"{line.key}.price") for line in r.ledger.items)
    room = [
        what for what in ROOM
        if any(r.known(f"{line.key}.{what}", scenario) for line in r.ledger.items for scenario in r.scenarios)
    ]  # fmt: skip
    return "item", "part", "count", *(["price", "sum"] if priced else []), *room, *(["price_from"] if priced else [])


def rows(r: Reader, scenario: str) -> list[dict[str, str]]:
    """Return the rows of a scenario: each item that is bought, then the sums of the plan."""
    found: list[dict[str, str]] = []
    for line in r.ledger.items:
        if r.results.value(line.key, scenario) == 0:
            continue
        amount = f"{line.key}.purchase"
        found.append(
            {
                "item": r.named(line.key),
                "part": r.part(line.part, scenario),
                "count": r.shown(line.key, scenario),
                "sum": r.figure(amount, scenario) if r.has(amount) else NOT_AVAILABLE,
                **price(r, line.key, scenario),
                **{what: room(r, f"{line.key}.{what}", scenario) for what in ROOM},
            }
        )
    to_quote = int(r.results.value(TO_QUOTE, scenario)) if r.has(TO_QUOTE) else 0
    if 0 < to_quote < len(found) and not r.known(TOTALS[0], scenario):
        found.append(total(r.words("priced_sum"), "", r.words("at_least", sum=r.figure(PRICED, scenario))))
    return [*found, *totals(r, scenario, to_quote)]


def total(label: str, remark: str, amount: str) -> dict[str, str]:
    """Return the row of a sum."""
    return dict.fromkeys((*FIGURES, "price_from"), "") | {"item": label, "part": remark, "sum": amount}


def room(r: Reader, key: str, scenario: str) -> str:
    """Return the rack units or the weight of an item; nothing where it takes none of its own."""
    return r.figure(key, scenario) if r.has(key) else ""


def price(r: Reader, key: str, scenario: str) -> dict[str, str]:
    """Return what one of an item costs, and who says so."""
    at = f"{key}.price"
    if not r.has(at):
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
        if r.known(key, scenario):
            amount = at_least(r, key, amount, scenario)
        count = r.words("items_to_quote", count=f"{to_quote:,}") if to_quote and key != TOTALS[1] else ""
        yield total(r.label(key), count, amount)
