"""Servers and racks as they are sold, and what they and their cards were offered for: to look up and to quote.

No line reads these kinds yet; ``capframe catalog list offer`` and ``catalog show`` do.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from attrs import frozen

from capframe import CatalogFile, Given, RecordKind, UnitDefinition, choice, family, hookimpl, quantity, text

if TYPE_CHECKING:
    from collections.abc import Iterator

CURRENCIES = ("CNY", "USD")
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
    scope: Given = text(label={"en": "What the price covers", "zh": "价格范围"})
    vat: Given = choice(("excluded", "included", "not_stated"), label={"en": "VAT", "zh": "增值税"})
    rent: Given = family(
        quantity(
            "{by}/card/h", label={"en": "Rent of a card, as quoted", "zh": "卡时租金(原报价)"}, low=0.001, high=1e4
        ),
        CURRENCIES,
    )
    price_card: Given = family(
        quantity("{by}/card", label={"en": "Price of a card, as quoted", "zh": "单卡价(原报价)"}, low=1, high=1e9),
        CURRENCIES,
    )
    price_server: Given = family(
        quantity("{by}/server", label={"en": "Price of a server, as quoted", "zh": "整机价(原报价)"}, low=1, high=1e10),
        CURRENCIES,
    )


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    yield UnitDefinition("kg", counted=False)


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind | CatalogFile]:
    yield RecordKind("server", Server, {"en": "Servers", "zh": "服务器"})
    yield RecordKind("rack", Rack, {"en": "Racks and super-nodes", "zh": "整机柜与超节点"})
    yield RecordKind("offer", Offer, {"en": "Offers", "zh": "报价"})
    with as_file(files("capframe.catalogs")) as folder:
        for name in FILES:
            yield CatalogFile(folder / f"{name}.yaml")
