"""What cards and servers were offered for: to look up and to quote.

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


def purchase(record: Record) -> list[Told]:
    """Return what an offer tells of the price of a part, without VAT, in each currency; nothing for a rental.

    Raises:
        CapframeError: why no price of a part can be taken from it.
    """
    said = {name: given.value for name, given in record.facts.items()}
    if said.get("sort") not in {"purchase", "tender"}:
        return []
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
    conversion, part = net(said), str(said["part"])
    per, note = conversion.per or said["per"], joined([VAT_WORDS[str(said["vat"])], conversion.note])
    return [
        Told(part, fact := f"price.{currency}", f"{currency}/{per}", record.facts[fact], conversion.factor, note)
        for currency in told
    ]


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind | CatalogFile]:
    yield RecordKind("offer", Offer, {"en": "Offers", "zh": "报价"}, tells=purchase)
    with as_file(files("capframe.catalogs") / "offers.yaml") as path:
        yield CatalogFile(path)
