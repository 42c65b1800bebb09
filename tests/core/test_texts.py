"""Texts that no cell of a workbook can hold: what is left of them, and what is said of it, with its place."""

from __future__ import annotations

import pytest

from capframe import catalog_cache, load
from capframe.document import parse_toml, parse_yaml
from capframe.errors import PlanError
from capframe.texts import for_cells

LONG = "x" * 40_000
LEFT_OUT = "a control character in this text is left out: no cell of a workbook can hold it"
CUT = "this text has 40,000 characters; a cell of the workbook holds 32,767, so the rest is left out there"
NOTICED = [
    ('a: "pasted\\vtext"\n', "pastedtext", [f"1:4: {LEFT_OUT}"]),  # an escape: where the text begins
    ("a: pasted\vtext\n", "pastedtext", [f"1:10: {LEFT_OUT}"]),  # as it comes out of a word processor: exactly
    ("a: 'x\x01'\n", "x", [f"1:6: {LEFT_OUT}"]),
    ("a: |\n  one\n  t\x7fwo\n", "one\ntwo\n", [f"3:4: {LEFT_OUT}"]),
    ("a: \x01\n", "", [f"1:4: {LEFT_OUT}"]),
    ('a: "\\x01a\\fb\\x01"\n', "ab", [f"1:4: {LEFT_OUT}"]),
    ('a: "tab\\tand\\nline"\n', "tab\tand\nline", []),
    (f"a: {LONG}\n", LONG, [f"1:4: {CUT}"]),
    (f"a: {LONG[:32_767]}\n", LONG[:32_767], []),
    ("a: x # \x0c in a comment\n", "x", []),
]


@pytest.mark.parametrize(("text", "left", "said"), NOTICED, ids=range(len(NOTICED)))
def test_what_no_cell_can_hold_is_taken_out_and_told(text, left, said):
    document, notices = for_cells(parse_yaml(text.encode(), "plan.yaml"))
    assert document.nodes["a"].text == left
    assert [str(one) for one in notices] == [f"plan.yaml:{line}" for line in said]


def test_it_is_found_wherever_it_stands_and_moves_nothing():
    text = "a: {b: [x, y\v], c: {d: z\v}, e: 1}\n"
    document, notices = for_cells(parse_yaml(text.encode(), "plan.yaml"))
    assert [one.where for one in notices] == ["plan.yaml:1:13", "plan.yaml:1:25"]
    assert str(document.nodes["a"].nodes["e"].place) == "plan.yaml:1:32"


@pytest.mark.parametrize("sign", ["\\u000b", "\v"])
def test_in_toml_too(sign):
    text = f'[power]\nnote = "pasted{sign}text"\n'
    document, [notice] = for_cells(parse_toml(text.encode(), "plan.toml"))
    assert document.nodes["power"].nodes["note"].text == "pastedtext"
    # the text begins in column 8; the sign itself, where it stands in the file as it is, in column 15
    assert str(notice) == f"plan.toml:2:{8 if len(sign) > 1 else 15}: {LEFT_OUT}"


@pytest.mark.parametrize("key", ["ti\vtle", '"ti\\vtle"'])
def test_a_key_is_not_guessed(key):
    with pytest.raises(PlanError, match=r"^plan\.yaml:1:1: a control character stands in the key 'title'; type"):
        for_cells(parse_yaml(f"{key}: x\n".encode(), "plan.yaml"))


CATALOG = """\
catalog: 1
kind: accelerator
as_of: 2026-11-20
sources: {lab: {title: Our laboratory}}
records:
  - id: ours/one
    name: One\vcard
    origin: {source: lab, confidence: measured}
    facts: {memory: 64 GB/card}
"""


def test_in_a_catalogue_too_and_out_of_the_cache(tmp_path, plan_file, monkeypatch):
    monkeypatch.setenv(catalog_cache.FOLDER, str(tmp_path / "cache"))
    (tmp_path / "ours.yaml").write_text(CATALOG, encoding="utf-8")
    path = plan_file('catalogs: [ours.yaml]\npower: {pue: {value: 1.2, note: "\v"}}\n')
    for _ in ("read", "kept"):
        plan = load(path)
        assert plan.catalog.kinds["accelerator"].records["ours/one"].name == "Onecard"
        assert [one.where for one in plan.notices] == ["plan.yaml:5:34", "ours.yaml:7:14"]
