"""Servers and racks as they are sold, and what they and their cards were offered for: to look up and to quote.

A purchase that is dated and says its VAT tells the price of its part; ``capframe catalog show`` says why another is
not taken.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    CapframeError,
    CatalogFile,
    Given,
    Record,
    RecordKind,
    Told,
    UnitDefinition,
    choice,
    family,
    hookimpl,
    joined,
    quantity,
    text,
)
from capframe_plugins.pricing import CARDS_PER_SERVER, CURRENCIES, SCOPE, VAT_RATE, VAT_WORDS, net

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = ("offers", "racks", "servers")


@frozen(kw_only=True)
class Server:
    """What a record of kind server may say: everything is per server."""

    accelerator: Given = text(label={"en": "Accelerator", "zh": "加速卡"})
    cards: Given = quantity("card/server", label={"en": "Cards", "zh": "卡数"}, low=1, high=1024, whole=True)
    power_max: Given = quantity("W/server", label={"en": "Power, maximum", "zh": "最大功耗"}, low=100, high=200_000)
    power_budget: Given = quantity(
        "W/server", label={"en": "Power, planning budget", "zh": "规划功耗"}, low=100, high=200_000
    )
    rack_units: Given = quantity("1", label={"en": "Rack units", "zh": "机架单位(U)"}, low=1, high=60)
    weight: Given = quantity("kg/server", label={"en": "Weight", "zh": "重量"}, low=5, high=1000)
    status: Given = text(label={"en": "Status", "zh": "供货状态"})


@frozen(kw_only=True)
class Rack:
    """What a record of kind rack may say: everything is of the rack, or of the super-node sold as one."""

    accelerator: Given = text(label={"en": "Accelerator", "zh": "加速卡"})
    cards: Given = quantity("card", label={"en": "Cards", "zh": "卡数"}, low=1, high=1e5, whole=True)
    power_max: Given = quantity("W", label={"en": "Power, maximum", "zh": "最大功耗"}, low=1000, high=1e8)
    power_budget: Given = quantity("W", label={"en": "Power, planning budget", "zh": "规划功耗"}, low=1000, high=1e8)
    rack_units: Given = quantity("1", label={"en": "Rack units", "zh": "机架单位(U)"}, low=1, high=1e4)
    weight: Given = quantity("kg", label={"en": "Weight", "zh": "重量"}, low=50, high=1e6)
    status: Given = text(label={"en": "Status", "zh": "供货状态"})


@frozen(kw_only=True)
class Offer:
    """What a record of kind offer may say: a price as it was quoted, with its VAT, scope and term."""

    sort: Given = choice(("rental", "purchase", "tender"), label={"en": "Sort of offer", "zh": "报价类型"})
    part: Given = text(label={"en": "Part", "zh": "型号"})
    provider: Given = text(label={"en": "Who offers, or buys", "zh": "供应方或采购方"})
    region: Given = text(label={"en": "Region", "zh": "地区"})
    term: Given = text(label={"en": "Term", "zh": "期限"})
    scope: Given = SCOPE
    vat: Given = choice(("excluded", "included", "not_stated"), label={"en": "VAT", "zh": "增值税"})
    vat_rate: Given = VAT_RATE
    per: Given = text(label={"en": "The price is of one", "zh": "计价单位"})
    cards_per_server: Given = CARDS_PER_SERVER
    rent: Given = family(
        quantity(
            "{by}/card/h", label={"en": "Rent of a card, as quoted", "zh": "卡时租金(原报价)"}, low=0.001, high=1e4
        ),
        CURRENCIES,
    )
    price: Given = family(
        quantity("{by}", label={"en": "Price, as quoted", "zh": "单价(原报价)"}, low=1, high=1e10), CURRENCIES
    )


def purchase(record: Record) -> Told | None:
    """Return what an offer tells of the price of a part, without VAT; nothing for a rental.

    Raises:
        CapframeError: why no price of a part can be taken from it.
    """
    said = {name: given.value for name, given in record.facts.items()}
    if said.get("sort") not in {"purchase", "tender"}:
        return None
    told = [currency for currency in CURRENCIES if f"price.{currency}" in said]
    lacks = {
        "it names no part": "part" not in said,
        "it has no price": not told,
        "it does not say what the price is of one of; write `per: card`": "per" not in said,
        "it does not say whether VAT is in the price":
            said.get("vat", "not_stated") == "not_stated",
    }  # fmt: skip
    if why := next((why for why, lacking in lacks.items() if lacking), ""):
        raise CapframeError(why)
    conversion, fact = net(said), f"price.{told[0]}"
    unit, given = f"{told[0]}/{conversion.per or said['per']}", record.facts[fact]
    note = joined([VAT_WORDS[str(said["vat"])], conversion.note])
    return Told(str(said["part"]), fact, unit, given, conversion.factor, note)


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    yield UnitDefinition("kg", counted=False)


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind | CatalogFile]:
    yield RecordKind("server", Server, {"en": "Servers", "zh": "服务器"})
    yield RecordKind("rack", Rack, {"en": "Racks and super-nodes", "zh": "整机柜与超节点"})
    yield RecordKind("offer", Offer, {"en": "Offers", "zh": "报价"}, tells=purchase)
    with as_file(files("capframe.catalogs")) as folder:
        for name in FILES:
            yield CatalogFile(folder / f"{name}.yaml")
