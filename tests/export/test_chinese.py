"""A Chinese plan is Chinese throughout: whatever stands in its workbook and its brief, names apart."""

from __future__ import annotations

import re

import pytest
from openpyxl import load_workbook

from capframe import Host, load, say
from capframe.exporting import export

ENGLISH = re.compile(r"(?!et al)\b[a-z]{2,} [a-z]{2,}")
"""Two words in small letters: a key, a unit, an id or a product has no space or a capital, authors ``et al.``."""


def built(root, folder, off=()):
    """Return what the example in Chinese comes to, its workbook and its brief."""
    host = Host(off)
    results = load(root / "examples" / "domestic-160k.yaml", host=host).ledger().evaluate()
    files = {path.suffix: path for path in export(results, host, folder, "plan")}
    return results, load_workbook(files[".xlsx"]), files[".md"].read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def example(root, tmp_path_factory):
    return built(root, tmp_path_factory.mktemp("chinese"))


def names(results):
    """Return what is the same in every language: works that are cited, parts, and words that records hold."""
    found = set(results.plan.catalog.sources)
    found |= {line.source for line in results.ledger.lines.values() if isinstance(line.source, str)}
    for one in results.plan.inputs.values():
        found |= {source for source in (one.field.origin.source, one.base.origin.source) if isinstance(source, str)}
    for kind in results.plan.catalog.kinds.values():
        for record in kind.records.values():
            found.add(say(record.name, "zh-CN"))
            found |= {given.value for given in record.facts.values() if isinstance(given.value, str)}
    return sorted(found - {""}, key=len, reverse=True)


def english_in(texts, results):
    """Return the texts that say something in English once names are taken out."""
    apart = re.compile("|".join(map(re.escape, names(results))))
    return [text for text in texts if ENGLISH.search(text) and ENGLISH.search(apart.sub("", text))]


def cells(book):
    """Yield the texts of all cells, those in formulas too, and what a cell asks for."""
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, str):
                    yield from re.findall('"([^"]*)"', cell.value) if cell.value.startswith("=") else [cell.value]
        for rule in sheet.data_validations.dataValidation:
            yield from filter(None, (rule.prompt, rule.error, rule.promptTitle, rule.errorTitle))


def test_nothing_in_the_workbook_is_english_but_names(example):
    results, book, _ = example
    assert english_in(cells(book), results) == []


def test_nothing_in_the_brief_is_english_but_names(example):
    results, _, brief = example
    assert english_in(brief.splitlines(), results) == []


def test_what_is_left_out_stands_on_the_cover_as_in_the_brief_in_chinese(root, tmp_path):
    results, book, brief = built(root, tmp_path, off=["power"])
    cover = [row[1].value for row in book["封面"].iter_rows() if row[1].value]
    assert "power: 没有启用的插件读取这部分方案" in cover
    assert "cost.energy: 引用了 power.energy_per_year, 而插件 'power' 已关闭" in cover
    assert set(results.ledger.left_out) <= set(cover)
    assert english_in([*cells(book), *brief.splitlines()], results) == []
