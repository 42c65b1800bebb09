"""The master check of the cover, recalculated after an edit, in either language."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook

from capframe import Host, load
from capframe.recalculate import by_formualizer
from capframe_plugins.workbook.build import write


@pytest.fixture(scope="module")
def host():
    return Host()


@pytest.mark.parametrize(
    ("name", "cover", "checks", "fine", "wrong", "fail"),
    [
        ("mozi-70b.yaml", "Cover", "Checks", "OK", "ERROR", "fail"),
        ("domestic-160k.yaml", "封面", "检查", "通过", "有错误", "未通过"),
    ],
)
def test_the_master_check_follows_an_edit_in_either_language(name, cover, checks, fine, wrong, fail, tmp_path, host):
    path = tmp_path / "built.xlsx"
    write(load(Path(__file__).parents[2] / "examples" / name, host=host).ledger().evaluate(), path)
    sheet = next(sheet for sheet in load_workbook(path) if sheet.title in {"Inputs", "输入"})
    key = next(cell.column for cell in sheet[4] if cell.value in {"Key", "键"})
    row = next(row for row in range(1, sheet.max_row + 1) if sheet.cell(row, key).value == "power.pue")
    before, after = (by_formualizer(path, edits) for edits in ({}, {(sheet.title, f"C{row}"): 0.5}))  # below 1
    assert (before[cover]["B4"], after[cover]["B4"]) == (fine, wrong)
    failing = [sum(value == fail for value in cells[checks].values()) for cells in (before, after)]
    assert failing[0] < failing[1]
