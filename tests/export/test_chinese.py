"""A Chinese plan is Chinese throughout: whatever stands in its workbook and its brief, names apart."""

from __future__ import annotations

import re

import pytest
from openpyxl import load_workbook

from capframe import Host, load, say
from capframe.exporting import export

ENGLISH = re.compile(r"(?!et al)\b[a-z]{2,} [a-z]{2,}")
"""Two words in small letters: a key, a unit, an id or a product has no space or a capital, authors ``et al.``."""


CITED = re.compile(r"[A-Z]\w+(, [A-Z]\w+)*( and [A-Z]\w+| et al\.)? (19|20)\d\d, [A-Z]")
"""A work by its authors, year and title, which are not translated: ``Young 1974, A first order approximation``."""


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
    """Return what is the same in every language: documents of catalogues, works cited, parts, words of records."""
    found = set(results.plan.catalog.sources)
    found |= {source for source in sources_in_one_language(results) if CITED.match(source)}
    for kind in results.plan.catalog.kinds.values():
        for record in kind.records.values():
            found.add(say(record.name, "zh-CN"))
            found |= {given.value for given in record.facts.values() if isinstance(given.value, str)}
    return sorted(found - {""}, key=len, reverse=True)


def sources_in_one_language(results):
    """Return the sources of lines and inputs that are the same text in every language."""
    told = [line.source for line in results.ledger.lines.values()]
    for one in results.plan.inputs.values():
        told += [one.field.origin.source, one.base.origin.source]
    return {source for source in told if isinstance(source, str) and source}


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


def test_a_source_that_is_no_citation_has_to_be_chinese_too(example):
    results, _, _ = example
    wrong = {source for source in sources_in_one_language(results) if ENGLISH.search(source)}
    assert {source for source in wrong if not CITED.match(source)} == set()
    assert {source.partition(",")[0] for source in wrong} == {
        "Patarasuk and Yuan 2009", "Rajbhandari et al. 2020", "Young 1974",
    }  # fmt: skip


@pytest.mark.parametrize("source", ["a rule of thumb of ours", "Vendors say so, mostly", "see the note of 2020, below"])
def test_an_english_sentence_is_no_citation(source):
    assert not CITED.match(source)


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
