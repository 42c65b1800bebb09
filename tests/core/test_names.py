"""Names: keys, what a workbook accepts as a name, and sheet titles."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capframe.names import (
    in_quotes,
    is_workbook_name,
    like_another,
    looks_like_a_cell,
    sheet_titles,
    wrong_with_key,
    wrong_with_segment,
)

CELLS = ["H100", "A100", "B200", "L40", "h20", "MI300", "FY26", "Q1", "A1", "XFD1048576", "R", "C", "RC", "R1C1", "r2c"]
NO_CELLS = ["main", "GB200NVL", "ABCD1", "A0", "A", "pools", "V100S", "H100_sxm", "L40S", "A12345678"]


@pytest.mark.parametrize("text", CELLS)
def test_cards_are_named_like_cells(text):
    assert looks_like_a_cell(text)
    assert not is_workbook_name(text)
    assert not is_workbook_name(f"{text}.tdp")  # one of four calculators reads the first part as a cell


@pytest.mark.parametrize("text", NO_CELLS)
def test_what_is_no_cell_may_be_a_name(text):
    assert not looks_like_a_cell(text)
    assert is_workbook_name(text)
    assert is_workbook_name(f"pools.{text}.tdp")


@pytest.mark.parametrize("text", ["TRUE", "False", "a b", "a-b", "2x", "", "a..b", "单价", "a.", "x" * 256, "a.2"])
def test_what_a_workbook_refuses_as_a_name(text):
    assert not is_workbook_name(text)


def test_behind_an_area_a_card_may_stand_in_a_name():
    assert is_workbook_name("pools.h100.tdp")
    assert is_workbook_name("pools.main.power.it")


KEYS = {
    "power.it": None,
    "pools.h100.accelerator.tdp": None,
    "workloads.Pretrain_2.mfu": None,
    "power": "key 'power' needs an area in front, such as 'compute.power'",
    "h100.tdp": "key 'h100.tdp' starts like a cell address; put an area in front",
    "power.it load": "key 'power.it load': 'it load' is no name: letters, digits and _ only, a letter first",
    "power..it": "key 'power..it': '' is no name: letters, digits and _ only, a letter first",
    "功率.it": "key '功率.it': '功率' is no name: letters, digits and _ only, a letter first",
    "power.2nd": "key 'power.2nd': '2nd' is no name: letters, digits and _ only, a letter first",
    "power.it\n": "key 'power.it\\n': 'it\\n' is no name: letters, digits and _ only, a letter first",
}


@pytest.mark.parametrize(("key", "wrong"), KEYS.items())
def test_keys(key, wrong):
    assert wrong_with_key(key) == wrong


@pytest.mark.parametrize("text", ["main", "Main", "gpu_pool_2", "h100"])
def test_names_that_people_may_choose(text):
    assert wrong_with_segment(text) is None


@pytest.mark.parametrize("text", ["", "2nd", "a.b", "a-b", "主池", "a b", "_x", "main\n"])
def test_names_that_people_may_not_choose(text):
    assert wrong_with_segment(text) == f"{text!r} is no name: letters, digits and _ only, a letter first"


def test_names_that_differ_in_capitals_only_are_told():
    assert like_another("main", {"spare": "spare", "inference": "Inference"}) is None
    assert like_another("Main", {"spare": "spare", "main": "main"}) == (
        "'Main' and 'main' differ in capitals only, which a workbook does not tell apart; rename one"
    )


TITLES = [
    (["Compute", "Memory"], ["Compute", "Memory"]),
    # Excel compares without capitals; the second gets a number.
    (["H100", "h100", "H100 2"], ["H100", "h100 2", "H100 2 2"]),
    (["IB/RoCE", "a:b*c?[d]\\e"], ["IB RoCE", "a b c  d  e"]),
    (["'quoted'", "O'Hare"], ["quoted", "O'Hare"]),
    (["History", "history"], ["History sheet", "History sheet 2"]),
    (["", "  ", "'"], ["Sheet", "Sheet 2", "Sheet 3"]),
    # 31 characters at most, cut alike each time.
    (["Ascend 910B vs H800 2026 Q1 comparison"], ["Ascend 910B vs H800 2026 Q1 com"]),
    (["x" * 40, "x" * 41], ["x" * 31, "x" * 29 + " 2"]),
    (["方案A", "2026-Q1"], ["方案A", "2026-Q1"]),
]


@pytest.mark.parametrize(("wanted", "titles"), TITLES)
def test_sheet_titles(wanted, titles):
    assert sheet_titles(wanted) == titles


@given(st.lists(st.text(max_size=40), max_size=12))
@example(["a" * 31, "a" * 30 + "'", "a" * 29 + "' "])
@example(["x"] * 12)
def test_sheet_titles_are_always_legal_and_unique(wanted):
    titles = sheet_titles(wanted)
    assert len(titles) == len(wanted)
    assert len({title.casefold() for title in titles}) == len(titles)
    for title in titles:
        assert 1 <= len(title) <= 31
        assert not re.search(r"[\\/*?:\[\]]", title)
        assert title.casefold() != "history"
        assert not title.startswith("'")
        assert not title.endswith("'")


def test_titles_in_formulas_stand_in_quotes():
    assert in_quotes("Q1") == "'Q1'"
    assert in_quotes("O'Hare") == "'O''Hare'"
    assert in_quotes("方案A") == "'方案A'"


@given(st.from_regex(r"[A-Za-z0-9_.]{1,20}", fullmatch=True))
def test_a_legal_key_is_a_legal_name(key):
    if wrong_with_key(key) is None:
        assert is_workbook_name(key)
