"""The log of a plan: what it says, and what it may not."""

from __future__ import annotations

import pytest

from capframe import Change
from capframe.errors import PlanError

PLAN = """\
capframe: 1
title: Logged
date: 2026-11-29
revision: "2"
author: {en: Li Lei, zh: 李雷}
changes:
  - {revision: "1", date: 2026-10-15, what: First estimate}
  - {revision: "2", date: 2026-11-29, author: Han Meimei, what: {en: November prices, zh: 更新 11 月报价}}
"""
FIRST, SECOND = PLAN.splitlines(keepends=True)[-2:]


def mistakes(read_plan, text):
    with pytest.raises(PlanError) as caught:
        read_plan(text)
    return str(caught.value).splitlines()


def test_a_log_is_read_as_it_is_written(read_plan):
    header = read_plan(PLAN).header
    assert header.author == {"en": "Li Lei", "zh": "李雷"}
    assert header.changes == (
        Change("1", "2026-10-15", "First estimate"),
        Change("2", "2026-11-29", {"en": "November prices", "zh": "更新 11 月报价"}, "Han Meimei"),
    )


@pytest.mark.parametrize("log", ["", "changes:\n", "changes: []\n"])
def test_a_plan_needs_no_log_and_no_author(read_plan, log):
    header = read_plan(f"capframe: 1\ntitle: x\ndate: 2026-11-29\n{log}").header
    assert (header.author, header.changes, header.version) == ("", (), "2026-11-29")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (FIRST, "  - first estimate\n", "7:5: an entry of 'changes' is written as `- {revision: "),
        (FIRST, "  - {revision: '1', date: 2026-10-15}\n", "7:5: 'what' is missing here"),
        (FIRST, "  - {date: 2026-10-15, what: x}\n", "7:5: 'revision' is missing here"),
        ("First estimate", "x, why: y", "7:48: unknown key 'why'"),
        ("First estimate", "x, autor: y", "7:48: unknown key 'autor'; did you mean 'author'?"),
        ("First estimate", "[x]", "7:45: 'what' is a text, or `{en: Quotation of November, zh: "),
        ("2026-10-15", "15.10.2026", "7:27: '15.10.2026' is no date; write it as `2026-11-29`"),
        ("2026-10-15", "2026-12-01", "8:27: 2026-11-29 is before 2026-12-01 of the entry above; the oldest stands "),
        ('- {revision: "1"', '- {revision: "2"', "8:16: revision '2' stands twice, first on line 7; each change "),
        ('revision: "2"\n', 'revision: "3"\n', "8:16: the last entry is revision '2', and the plan is revision '3'; "),
        ('revision: "2"\n', "# none\n", "1:1: `changes` ends with revision '2', and the plan says none; write `revi"),
        ("date: 2026-11-29\n", "date: 2026-12-01\n", "8:27: the last entry is of 2026-11-29, and the plan is of 202"),
        ("author: {en", "author: {fr", "5:10: unknown key 'fr'"),
    ],
)
def test_a_mistake_in_the_log_is_told_with_its_place(read_plan, old, new, said):
    [told] = mistakes(read_plan, PLAN.replace(old, new, 1))
    assert told.startswith(f"plan.yaml:{said}")


def test_all_mistakes_of_a_log_are_told_at_once(read_plan):
    text = PLAN.replace("2026-10-15", "yesterday").replace("author: Han Meimei", "who: Han Meimei")
    assert [line.split(": ", 1)[1] for line in mistakes(read_plan, text)] == [
        "'yesterday' is no date; write it as `2026-11-29`",
        "unknown key 'who'",
    ]


def test_a_log_in_toml_is_the_same_log(plan_file, read_plan):
    from capframe import load

    toml = """\
capframe = 1
title = "Logged"
date = 2026-11-29
revision = "2"
author = { en = "Li Lei", zh = "李雷" }
[[changes]]
revision = "1"
date = 2026-10-15
what = "First estimate"
[[changes]]
revision = "2"
date = 2026-11-29
author = "Han Meimei"
what = { en = "November prices", zh = "更新 11 月报价" }
"""
    path = plan_file()
    path = path.with_suffix(".toml")
    path.write_text(toml, encoding="utf-8")
    there, here = load(path).header, read_plan(PLAN).header
    assert (there.changes, there.author, there.digest) == (here.changes, here.author, here.digest)
