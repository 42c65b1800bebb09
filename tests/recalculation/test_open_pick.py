"""A part that nobody has picked yet: what follows from it is n/a in every output, and known once it is typed."""

from __future__ import annotations

import pytest
from attrs import frozen
from openpyxl import load_workbook

from capframe import Area, Given, Item, RecordKind, Section, UnitDefinition, family, pick, quantity
from capframe.recalculate import Formualizer, by_formualizer, differences, stored
from capframe_plugins.brief.contents import contents
from capframe_plugins.brief.rendering import render
from capframe_plugins.workbook.build import pages_of, values_of, write
from capframe_plugins.workbook.layout import Layout

RECORDS = """
catalog: 1
kind: tank
as_of: 2026-11-01
sources: {lab: {title: Our laboratory}}
records:
  - {id: ours/small, origin: {source: lab, confidence: measured}, facts: {price: {CNY: 1000 CNY/tank}}}
  - {id: ours/large, origin: {source: lab, confidence: measured}, facts: {price: {CNY: 3000 CNY/tank}}}
"""


@frozen(kw_only=True)
class Tank:
    price: Given = family(quantity("{by}/tank", label="Price"), ["CNY"])


@frozen(kw_only=True)
class Site:
    tank: Given = pick("tank", label="Tank", optional=True)
    wanted: Given = quantity("tank", label="Tanks wanted", default="2 tank", source="https://example.org")


@pytest.fixture
def site(results, plugin_of, tmp_path):
    """Evaluate a plan that buys two tanks, with the catalogue of tanks or without, and what is typed."""
    module = plugin_of(
        units=[UnitDefinition("tank")],
        sections=[Area("site", "Site"), Section("site", Site, "Site")],
        catalogs=[RecordKind("tank", Tank)],
        items=lambda p: [
            Item(p.site.tanks, p.site.wanted, "tank", label="Tanks", part=p.site.tank, sort="Tanks")
        ],
    )  # fmt: skip
    (tmp_path / "tanks.yaml").write_text(RECORDS, encoding="utf-8")

    def evaluate(records, *typed):
        more = f"catalogs: ['{tmp_path / 'tanks.yaml'}']\n" if records else ""
        return results(more, extra={"site": module}, overrides=typed)

    return evaluate


@pytest.mark.parametrize("records", ["", "two"], ids=["no records", "two records"])
def test_a_pick_that_is_left_open_is_not_available_in_every_output(site, records, tmp_path):
    found = site(records)
    write(found, tmp_path / "open.xlsx")
    cells = stored(tmp_path / "open.xlsx")
    assert differences(cells, by_formualizer(tmp_path / "open.xlsx"), names=("stored", "formualizer")) == []
    bill = load_workbook(tmp_path / "open.xlsx", data_only=True)["Bill of materials"]
    [row] = [row for row in bill.iter_rows(values_only=True) if row[1] == "Tanks"]
    assert row[2:5] == ("n/a", "n/a", 2)  # part, its name, count
    assert "| Tanks" in render("brief.md.j2", contents(found))


def test_typing_it_in_the_workbook_is_building_it_anew(site, tmp_path):
    """Two large tanks are 2 × 3,000 CNY."""
    found, wanted = site("two"), site("two", "site.tank=ours/large")
    assert wanted.value("site.tanks.purchase") == 6000
    write(found, tmp_path / "open.xlsx")
    layout = Layout(found)
    cell = layout.titles["inputs"], f"C{layout.rows['site.tank']}"
    new = {page.title: values_of(page) for page in pages_of(Layout(wanted))}
    with Formualizer(tmp_path / "open.xlsx").edited({cell: "ours/large"}) as cells:
        for sheet in (new, cells):
            sheet.pop("Sources")  # lists the parts that are picked first
        assert differences(new, cells, names=("built", "typed")) == []
