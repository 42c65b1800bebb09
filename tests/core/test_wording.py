"""Labels in two languages, and text that a cell of a workbook can hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe.wording import clean, say

SAID = [
    ("PUE", "en", "PUE"),
    ("PUE", "zh-CN", "PUE"),
    ({"en": "Cost", "zh": "成本"}, "en", "Cost"),
    ({"en": "Cost", "zh": "成本"}, "zh-CN", "成本"),
    ({"en": "Cost"}, "zh-CN", "Cost"),
    ({"zh": "成本"}, "en", "成本"),
]


@pytest.mark.parametrize(("label", "language", "text"), SAID)
def test_a_label_in_the_language_asked_for_or_what_there_is(label, language, text):
    assert say(label, language) == text


CLEANED = [
    ("pasted\x0bfrom Word", "pastedfrom Word"),
    ("lone \ud800 surrogate", "lone  surrogate"),
    ("tab\tand\nline\rstay", "tab\tand\nline\rstay"),
    ("墨子 910B (×2)", "墨子 910B (×2)"),
    ("\x00\x1f\ufffe\uffff", ""),
]


@pytest.mark.parametrize(("text", "cleaned"), CLEANED)
def test_what_no_cell_can_hold_is_taken_out(text, cleaned):
    assert clean(text) == cleaned


@given(st.text(st.characters(exclude_categories=[])))
def test_what_is_left_can_be_written(text):
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    assert not ILLEGAL_CHARACTERS_RE.search(clean(text))
    clean(text).encode()
