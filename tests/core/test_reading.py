"""From nodes of a document to values: short and long forms, sections, groups; every mistake with its place."""

from __future__ import annotations

import math

import pytest
from attrs import frozen

from capframe import Group, choice, family, nested, quantity
from capframe.catalog import Catalog, Kind, Place, Record, RecordKind, columns_of
from capframe.document import parse_yaml
from capframe.fields import declared
from capframe.given import Given, Origin
from capframe.groups import read_group
from capframe.reading import Context, Wrong, absent, flatten, read_given, read_section
from capframe.units import UnitDefinition, Units

UNITS = Units([UnitDefinition("card"), UnitDefinition("CNY", counted=False), UnitDefinition("USD", counted=False)])
PART = Record("nv/one", "One", "NV", {}, "test", Place("parts.yaml", 1, 1))


@frozen(kw_only=True)
class Price:
    """What a record of the one kind may tell."""

    price: Given = family(quantity("{by}/card", label="Price"), ("CNY",))


COLUMNS = columns_of([RecordKind("accelerator", Price)], Context(UNITS, "CNY", Catalog({}, {})))
PARTS = Kind("accelerator", COLUMNS, records={"nv/one": PART}, aliases={"nv/one": ["nv/one"], "one": ["nv/one"]})
CONTEXT = Context(UNITS, "CNY", Catalog({"accelerator": PARTS}, {}))


@frozen(kw_only=True)
class Cooling:
    """A section within a section."""

    kind: Given = choice(("air", "liquid"), label="Kind", default="air", source="usual")
    flow: Given = quantity("1", label="Flow", optional=True)


@frozen(kw_only=True)
class Site:
    """A section with a field of each sort."""

    pue: Given = quantity("1", label="PUE", default="1.25", low=1, high=3, between=("1.1", "1.5"), source="a survey")
    limit: Given = quantity("MW", label="Limit", optional=True)
    cards: Given = quantity("card", label="Cards", auto=True, low=0)
    power: Given = quantity("kW", label="Power")
    tariff: Given = quantity("{currency}/kWh", label="Tariff", optional=True)
    cooling: Cooling = nested(Cooling)


def table(text):
    return parse_yaml(text.encode(), "plan.yaml")


def field(name):
    return declared(Site)[name]


def said(name, text):
    """Return what a document says of a field of the section."""
    return read_given(table(f"{name}: {text}\n").nodes[name], field(name), CONTEXT)


def mistakes(call):
    with pytest.raises(Wrong) as caught:
        call()
    return [str(problem) for problem in caught.value.problems]


def same(given, value, at, low=None, high=None):
    assert (given.value, given.at, given.low, given.high) == (value, at, low, high)


# ---------------------------------------------------------------- one field


def test_the_short_form_is_the_value_and_its_place():
    same(said("pue", "1.3"), 1.3, "plan.yaml:1:6")
    same(said("power", "1.2 MW"), 1200, "plan.yaml:1:8")
    assert said("pue", "1.3").origin == Origin(confidence="assumed")


def test_the_long_form_says_how_sure_we_are():
    given = said(
        "pue", "{value: 130%, low: 1.2, high: 1.4, source: meter, confidence: measured, date: 2026-11-01, note: n}"
    )
    same(given, 1.3, "plan.yaml:1:14", 1.2, 1.4)
    assert given.origin == Origin("meter", "measured", "2026-11-01", "n")


def test_a_default_brings_its_range_and_source():
    given = absent(field("pue"), CONTEXT)
    same(given, 1.25, "default", 1.1, 1.5)
    assert given.origin == Origin("a survey", "assumed")


def test_what_was_left_out_is_auto_or_not_given():
    same(absent(field("cards"), CONTEXT), "auto", "default")
    assert math.isnan(absent(field("limit"), CONTEXT).value)
    same(said("cards", "auto"), "auto", "plan.yaml:1:8")
    same(said("cards", "~"), "auto", "plan.yaml:1:8")
    assert math.isnan(said("limit", "~").value)


LONG = "`{value: …, low: …, high: …, source: …, confidence: …}`"
ONE_VALUE = f"one value stands here: write it as text, or as {LONG}"
WRONG_FIELDS = [
    ("pue", "3.5", ["plan.yaml:1:6: '3.5' is above 3; write 1 to 3, for example `1.25`"]),
    ("pue", "~", ["plan.yaml:1:6: a value is missing here"]),
    ("power", "~", ["plan.yaml:1:8: a value is missing here"]),
    ("power", "[1 kW]", ["plan.yaml:1:8: one value stands here, not a list; this field has no value by period"]),
    ("pue", "{low: 1.1}", [f"plan.yaml:1:6: {ONE_VALUE}"]),
    ("pue", "{value: 1.2, valeu: 1, confidense: measured}", [
        "plan.yaml:1:19: unknown key 'valeu'; did you mean 'value'?",
        "plan.yaml:1:29: unknown key 'confidense'; did you mean 'confidence'?",
    ]),
    ("pue", "{value: 5, low: 0, high: nan, confidence: sure}", [
        "plan.yaml:1:14: '5' is above 3; write 1 to 3, for example `1.25`",
        "plan.yaml:1:22: '0' is below 1; write 1 to 3, for example `1.25`",
        "plan.yaml:1:31: 'nan' is no number that a plan can hold; leave the field out where nothing is known",
        "plan.yaml:1:48: 'sure' is none of measured, datasheet, press, estimate, assumed",
    ]),
    ("pue", "{value: 1.2, low: [1.1], high: {x: 1}, source: [a, b], confidence: [measured]}", [
        "plan.yaml:1:24: 'low' is one text",
        "plan.yaml:1:37: 'high' is one text",
        "plan.yaml:1:53: 'source' is one text",
        "plan.yaml:1:73: 'confidence' is one text",
    ]),
    ("pue", "{value: 1.2, low: 1.3, high: 1.4}", [
        "plan.yaml:1:14: '1.2' is outside its own range (low '1.3', high '1.4')",
    ]),
    ("pue", "{value: 1.2, low: 1.3}", ["plan.yaml:1:14: '1.2' is outside its own range (low '1.3')"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "problems"), WRONG_FIELDS)
def test_every_mistake_of_a_field_is_told(name, text, problems):
    assert mistakes(lambda: said(name, text)) == problems


# ---------------------------------------------------------------- a section


def test_a_section_is_read_whole():
    site = read_section(Site, table("power: 3 kW\ncooling: {kind: LIQUID}\ntariff: 0.65 CNY/kWh\n"), CONTEXT)
    inputs = {key: given.value for key, _, given in flatten(Site, site, "site", CONTEXT)}
    nans = [key for key, value in inputs.items() if value != value]  # noqa: PLR0124 - not given
    assert nans == ["site.limit", "site.cooling.flow"]
    assert {key: value for key, value in inputs.items() if key not in nans} == {
        "site.pue": 1.25, "site.cards": "auto", "site.power": 3, "site.tariff": 0.65, "site.cooling.kind": "liquid",
    }  # fmt: skip
    assert list(inputs) == [
        "site.pue", "site.limit", "site.cards", "site.power", "site.tariff", "site.cooling.kind", "site.cooling.flow",
    ]  # fmt: skip


def test_a_section_left_out_has_its_defaults():
    inputs = {key: given.value for key, _, given in flatten(Cooling, None, "cooling", CONTEXT)}
    assert inputs["cooling.kind"] == "air"


def test_every_mistake_of_a_section_is_told_at_once():
    document = table("puue: 1.1\npue: 9\ncooling: {kind: ice, flo: 2}\ntariff: 0.65 USD/kWh\n")
    assert sorted(mistakes(lambda: read_section(Site, document, CONTEXT))) == [
        "plan.yaml:1:1: 'power' (kW) is missing here",
        "plan.yaml:1:1: unknown key 'puue'; did you mean 'pue'?",
        "plan.yaml:2:6: '9' is above 3; write 1 to 3, for example `1.25`",
        "plan.yaml:3:17: 'ice' is none of air, liquid",
        "plan.yaml:3:22: unknown key 'flo'; did you mean 'flow'?",
        "plan.yaml:4:9: '0.65 USD/kWh' is in USD/kWh, which is not CNY/kWh; give it in CNY/kWh",
    ]


def test_a_section_is_no_value():
    problems = mistakes(lambda: read_section(Site, table("power: 3 kW\ncooling: liquid\n"), CONTEXT))
    assert problems == ["plan.yaml:2:10: 'cooling' is a section: write its keys below it (kind, flow)"]


def test_keys_that_others_read_are_no_mistake():
    site = read_section(Site, table("power: 3 kW\ncarbon: {x: 1}\n"), CONTEXT, inside={"carbon": None})
    assert site.power.value == 3


# ---------------------------------------------------------------- groups

RATES = Group(key="rates", field=quantity("{currency}/{name}", label="Rate", low=1e-6), label="Rates")
PRICES = Group(
    key="prices", label="Prices", field=quantity("{currency}/{of}", label="Price", auto=True, low=0),
    of="price", named_by="part", value="price", per="per", must_say={"vat": {"excluded": "vat excluded"}},
)  # fmt: skip


def group(about, text):
    entries, problems = read_group(about, table(text).nodes[about.key], CONTEXT)
    return {name: one.given for name, one in entries.items()}, problems


def test_entries_by_name():
    entries, problems = group(RATES, "rates: {USD: {value: 7.1 CNY/USD, source: PBoC, date: 2026-11-27}}\n")
    assert problems == []
    same(entries["USD"], 7.1, "plan.yaml:1:22")
    assert entries["USD"].origin == Origin("PBoC", "", "2026-11-27")


def test_entries_that_name_a_part():
    text = "prices:\n  - {part: One, price: 75000 CNY, vat: excluded, per: card, source: quotation, note: firm}\n"
    entries, problems = group(PRICES, text)
    assert problems == []
    same(entries["nv/one"], 75000, "plan.yaml:2:24")
    assert entries["nv/one"].origin == Origin("quotation", "", note="firm, vat excluded")


def test_the_range_of_a_price_is_per_the_same_thing():
    text = "prices:\n  - {part: one, price: 75000 CNY, low: 70000 CNY, high: 80000 CNY, vat: excluded, per: card}\n"
    entries, problems = group(PRICES, text)
    assert problems == []
    same(entries["nv/one"], 75000, "plan.yaml:2:24", 70000, 80000)


def test_a_price_may_be_asked_of_the_catalogue():
    entries, problems = group(PRICES, "prices:\n  - {part: One, price: auto, vat: excluded, per: card}\n")
    assert (entries["nv/one"].value, problems) == ("auto", [])


ENTRY = "{part: one, price: 1 CNY, vat: excluded, per: card}"
A_LIST = "plan.yaml:1:9: 'prices' is a list of entries: `- {part: …, price: …}`"
MANY = """prices:
  - {part: one, price: 1 XX, low: x, vat: yes, per: server, date: 2026.11.1, confidence: so, a: b}
"""
WRONG_GROUPS = [
    (RATES, "rates: [7.1]\n", ["plan.yaml:1:8: 'rates' is a mapping of names to values"]),
    (RATES, "rates: {U$: 7.1 CNY/USD}\n", ["plan.yaml:1:9: 'U$' is no name for an entry of 'rates'"]),
    (RATES, "rates: {USD: 7.1 USD/CNY}\n", [
        "plan.yaml:1:14: '7.1 USD/CNY' is in USD/CNY, which is not CNY/USD; give it in CNY/USD"]),
    (RATES, "rates: {UDS: 7.1 CNY/UDS}\n", ["plan.yaml:1:9: unknown unit 'UDS'; did you mean 'USD'?"]),
    (PRICES, "prices: {nv/one: 75000 CNY}\n", [A_LIST]),
    (PRICES, "prices: 75000 CNY\n", [A_LIST]),
    (PRICES, "prices: [{price: 1 CNY}]\n", [
        "plan.yaml:1:10: an entry of 'prices' needs 'part'",
        "plan.yaml:1:10: the price of this entry does not say 'per'",
        "plan.yaml:1:10: the price of this entry does not say 'vat'"]),
    # An entry tells all its mistakes, not the first of them.
    (PRICES, MANY, [
        "plan.yaml:2:43: `vat: yes` is not taken here; write `vat: excluded`",
        "plan.yaml:2:94: unknown key 'a'",
        "plan.yaml:2:90: 'so' is none of measured, datasheet, press, estimate, assumed",
        "plan.yaml:2:67: '2026.11.1' is no date; write it as `2026-11-29`",
        "plan.yaml:2:53: `per: server` is not taken for nv/one, a part of kind accelerator; write `per: card`",
        "plan.yaml:2:24: '1 XX': unknown unit 'XX'; prices are in CNY",
        "plan.yaml:2:35: 'x' is not a number; write for example `1 CNY`"]),
    (PRICES, "prices:\n  - {part: ome, price: 1 CNY, vat: yes, per: card, date: 1.11.2026}\n", [
        "plan.yaml:2:12: no accelerator is called 'ome'",
        "plan.yaml:2:36: `vat: yes` is not taken here; write `vat: excluded`",
        "plan.yaml:2:58: '1.11.2026' is no date; write it as `2026-11-29`"]),
    (RATES, "rates: {USD: {value: 7, date: 27.11.2026, confidence: so, a: b}}\n", [
        "plan.yaml:1:59: unknown key 'a'",
        "plan.yaml:1:22: '7' has no unit; write for example `7 CNY/USD`",
        "plan.yaml:1:55: 'so' is none of measured, datasheet, press, estimate, assumed",
        "plan.yaml:1:31: '27.11.2026' is no date; write it as `2026-11-29`"]),
    (PRICES, "prices:\n  - {part: one, price: 1 CNY, vat: excluded, per: card, date: 2026-13}\n", [
        "plan.yaml:2:63: '2026-13' is no date; write it as `2026-11-29`"]),
    # What stands behind a day is no part of it.
    (RATES, "rates: {USD: {value: 7.1 CNY/USD, date: 2026-11-29-xyz}}\n", [
        "plan.yaml:1:41: '2026-11-29-xyz' is no date; write it as `2026-11-29`"]),
    (RATES, "rates: {USD: {value: 7.1 CNY/USD, date: 2026-11-29-}}\n", [
        "plan.yaml:1:41: '2026-11-29-' is no date; write it as `2026-11-29`"]),
    # What is per one of something is said by `per:`; the amount is told as money alone.
    (PRICES, "prices:\n  - {part: one, price: many CNY/card, low: x, high: inf CNY, vat: excluded, per: card}\n", [
        "plan.yaml:2:24: 'many CNY/card' is not a number; write for example `1 CNY`",
        "plan.yaml:2:44: 'x' is not a number; write for example `1 CNY`",
        "plan.yaml:2:53: 'inf CNY' is no number that a plan can hold; leave the field out"]),
    (PRICES, "prices:\n  - {part: one, price: -1 CNY/card, vat: excluded, per: card}\n", [
        "plan.yaml:2:24: '-1 CNY' is below 0 CNY; write"]),
    (PRICES, "prices:\n  - {part: ome, price: 1 CNY, vat: excluded, per: card}\n", [
        "plan.yaml:2:12: no accelerator is called 'ome'; did you mean 'one'?"]),
    # A price says whether VAT is in it, and what it is for one of; neither is guessed.
    (PRICES, "prices:\n  - {part: one, price: 75000 CNY}\n", [
        "plan.yaml:2:5: the price of nv/one does not say 'per'; write `per: card`",
        "plan.yaml:2:5: the price of nv/one does not say 'vat'; write `vat: excluded`"]),
    (PRICES, "prices:\n  - {part: one, price: 84750 CNY, vat: included, per: card}\n", [
        "plan.yaml:2:40: `vat: included` is not taken here; write `vat: excluded`"]),
    (PRICES, "prices:\n  - {part: one, price: 75000 USD, vat: excluded, per: card}\n", [
        "plan.yaml:2:24: '75000 USD' is in USD, and prices are in CNY: convert it, and keep what was given"]),
    (PRICES, "prices:\n  - {part: one, price: 75000 CNY, vat: excluded, per: server}\n", [
        "plan.yaml:2:55: `per: server` is not taken for nv/one, a part of kind accelerator; write `per: card`"]),
    (PRICES, "prices:\n  - {part: one, price: 1 CNY, vat: excluded, per: card, sauce: x}\n", [
        "plan.yaml:2:57: unknown key 'sauce'; did you mean 'source'?"]),
    (PRICES, f"prices:\n  - {ENTRY}\n  - {ENTRY.replace('one', 'nv/one')}\n", [
        "plan.yaml:3:12: 'nv/one' stands twice in 'prices'; keep one"]),
]  # fmt: skip


@pytest.mark.parametrize(("about", "text", "problems"), WRONG_GROUPS)
def test_every_mistake_of_a_group_is_told(about, text, problems):
    got = [str(problem) for problem in group(about, text)[1]]
    assert len(got) == len(problems)
    assert [one[: len(other)] for one, other in zip(got, problems, strict=True)] == problems
