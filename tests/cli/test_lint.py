"""``capframe lint``: findings with what to do, and an exit status."""

from __future__ import annotations

from openpyxl import load_workbook


def built(run, plan):
    run("build", plan(), "-f", "xlsx", "-q")
    return "out/small.xlsx"


def test_a_workbook_of_ours_has_no_errors(run, plan):
    ran = run("lint", built(run, plan))
    assert ran.status == 0
    assert "small.xlsx: 0 errors, " in ran.out
    assert "; 44 rules" in ran.out


def test_an_error_is_told_with_its_place_and_is_1(run, plan):
    path = built(run, plan)
    book = load_workbook(path)
    book["Power"].row_dimensions[7].hidden = True
    book.save(path)
    ran = run("lint", path, "-q")
    assert ran.status == 1
    assert ran.out == "error 35 Power!A7: row 7 is hidden; show it, or take it out\n"


def test_v_tells_notes_too(run, plan):
    path = built(run, plan)
    assert "\nnote " not in run("lint", path).out
    assert "\nnote " in run("lint", path, "-v").out


def test_what_is_no_workbook_is_2(run, tmp_path):
    (tmp_path / "a.xlsx").write_text("no")
    ran = run("lint", "a.xlsx")
    assert ran.status == 2
    assert "a.xlsx is no Excel workbook" in ran.err
