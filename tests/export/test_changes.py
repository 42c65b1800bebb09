"""The log in the outputs: the last sheet of the workbook, the properties of the file, JSON, the brief's head."""

from __future__ import annotations

import pytest
from openpyxl import load_workbook

from capframe import export, load
from capframe.lint import lint

PLAN = """\
capframe: 1
title: Logged
date: 2026-11-29
language: {language}
{head}
workloads:
  w: {{pool: main, model: {{parameters: 7B}}, tokens: 1T, mfu: 40%, deadline: 30 d}}
pools:
  main: {{accelerator: nvidia/a100-sxm4-80gb, count: 256}}
"""
LOG = """\
revision: "1.10"
author: {en: Li Lei, zh: 李雷}
changes:
  - {revision: "1", date: 2026-10-15, what: First estimate}
  - {revision: "1.10", date: 2026-11-29, author: Han Meimei, what: {en: November prices, zh: 更新 11 月报价}}"""


@pytest.fixture
def built(tmp_path, plan_file):
    """Return the workbook, the brief and the plan of a head and a language."""

    def build(head, language="en"):
        plan = load(plan_file(PLAN.format(head=head, language=language)))
        brief, book = export(plan.ledger().evaluate(), plan.host, tmp_path, "logged", ["md", "xlsx"])
        return load_workbook(book), brief.read_text(encoding="utf-8"), plan.header

    return build


def rows(sheet):
    """Return the rows below the titles."""
    return [list(row) for row in sheet.iter_rows(min_row=5, values_only=True)]


def properties(book):
    return {one.name: one.value for one in book.custom_doc_props.props}


def test_the_last_sheet_is_the_log_and_ends_with_the_plan(built):
    book, brief, header = built(LOG)
    assert book.sheetnames[-1] == "Changes"
    assert rows(book["Changes"]) == [
        ["1", "2026-10-15", None, "First estimate", None],
        ["1.10", "2026-11-29", "Han Meimei", "November prices", header.digest],
    ]
    assert properties(book) == {"version": "1.10", "plan_sha256": header.digest}
    cover = {row[0]: row[1] for row in book["Cover"].iter_rows(values_only=True)}
    assert (cover["Author"], cover["Revision"]) == ("Li Lei", "1.10")
    assert cover["SHA-256 of the plan"] == header.digest
    assert "Plan of 2026-11-29; revision 1.10; by Li Lei; amounts in CNY" in brief.replace("\\", "")


def test_in_chinese(built):
    book, brief, header = built(LOG, "zh-CN")
    assert book.sheetnames[-1] == "修订记录"
    assert [cell.value for cell in book["修订记录"][4]] == ["版本", "日期", "编制", "修订内容", "方案 SHA-256"]
    assert rows(book["修订记录"])[-1] == ["1.10", "2026-11-29", "Han Meimei", "更新 11 月报价", header.digest]
    assert "编制 李雷" in brief


@pytest.mark.parametrize(
    ("head", "version"),
    [('revision: "3"', "3"), ("# no revision", "2026-11-29")],  # the date is the only clock, so it stands for one
)
def test_a_plan_without_a_log_has_one_row(built, tmp_path, head, version):
    book, _, header = built(head)
    assert rows(book["Changes"]) == [[version, "2026-11-29", None, "The plan keeps no log of changes", header.digest]]
    assert properties(book)["version"] == version
    assert not [str(one) for one in lint(tmp_path / "logged.xlsx") if one.rule == 34]


def test_a_workbook_whose_log_was_changed_by_hand_is_found(built, tmp_path):
    book, _, _ = built(LOG)
    book["Changes"]["A7"], book["Changes"]["D7"] = "2", "typed afterwards"
    book.save(tmp_path / "typed.xlsx")
    found = [str(one) for one in lint(tmp_path / "typed.xlsx") if one.rule == 34]
    assert found == [
        (
            "warning 34 Changes!A7: the last entry has not the SHA-256 of the plan that the file was made of; "
            "build the workbook anew from the plan"
        ),
        "warning 34 Changes!A7: the last entry is not version 1.10; add an entry",
    ]
