from __future__ import annotations

import json

import openpyxl
import pytest


def test_kinds(run):
    ran = run("catalog", "list")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0].split() == ["kind", "parts", "label"]
    assert any(line.split()[0] == "accelerator" for line in ran.out.splitlines())
    assert "加速卡" in run("catalog", "list", "--language", "zh-CN").out


def test_parts_of_a_kind(run):
    ran = run("catalog", "list", "accelerator")
    heading, *lines = ran.out.splitlines()
    assert heading.split()[:5] == ["id", "name", "vendor", "memory", "(GB/card)"]
    assert "peak.bf16 (TFLOP/s/card)" in heading
    ids = [line.split()[0] for line in lines]
    assert ids == sorted(ids)
    a100 = next(line for line in lines if line.startswith("nvidia/a100-sxm4-80gb "))
    assert a100.split()[1:5] == ["A100", "SXM4", "80GB", "NVIDIA"]
    assert "312" in a100.split()
    assert "tdp (W/card)" not in heading
    assert "tdp (W/card)" in run("catalog", "list", "accelerator", "-v").out
    assert run("catalog", "list", "accelerator", "-q").out.splitlines()[0].startswith(ids[0])


def test_an_unknown_kind(run):
    ran = run("catalog", "list", "accelerators")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("no kind is called 'accelerators'; did you mean 'accelerator'? (there are ")


def test_every_fact_of_a_part(run):
    ran = run("catalog", "show", "A100-SXM4-80GB")
    assert (ran.status, ran.err) == (0, "")
    title, where, heading, *facts = ran.out.splitlines()
    assert title == "nvidia/a100-sxm4-80gb: A100 SXM4 80GB, NVIDIA"
    assert where.startswith("accelerator of 'nvidia', nvidia.yaml:")
    assert heading.split() == ["fact", "value", "confidence", "as", "of", "source"]
    tdp = next(line for line in facts if line.startswith("tdp "))
    assert tdp.split()[1:5] == ["400", "W/card", "datasheet", "2026-11-29"]
    assert tdp.endswith("ai-dynamo/aiconfigurator system files; module; a CTS variant goes up to 500 W")
    assert facts[-1].startswith("not disclosed: ")
    assert "memory_usable" in facts[-1]
    assert "https://" in run("catalog", "show", "A100-SXM4-80GB", "-v").out


def test_a_name_that_nobody_has_or_several_have(run):
    ran = run("catalog", "show", "H100")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("'H100' can mean several parts; choose one of nvidia/h100-")
    ran = run("catalog", "show", "a100-sxm4-80gbb")
    assert ran.status == 2
    assert "did you mean 'a100-sxm4-80gb'" in ran.err


def test_a_catalogue_with_mistakes_is_refused(run, installed, tmp_path):
    installed(
        "ours",
        "from pathlib import Path\n"
        "from capframe import CatalogFile, hookimpl\n\n"
        "@hookimpl\n"
        "def capframe_catalogs():\n"
        "    yield CatalogFile(Path(__file__).with_name('ours.yaml'))\n",
    )
    (tmp_path / "site" / "ours.yaml").write_text("catalog: 1\nkind: accelerator\nrecords: [{id: nameless}]\n")
    ran = run("catalog", "list")
    assert ran.status == 2
    assert ran.err.startswith("ours.yaml:3:11: a record needs an id of the form `vendor/part`")
    assert ran.err.endswith("\n1 mistake; nothing was written\n")


OVERLAY = """\
catalog: 1
kind: accelerator
as_of: 2026-11-20
overlay: true
sources: {lab: {title: Our laboratory}}
records:
  - id: nvidia/a100-sxm4-80gb
    origin: {source: lab, confidence: measured}
    facts: {tdp: 380 W/card}
"""


def test_a_catalogue_of_the_command_line_counts_last_and_is_named_in_every_output(run, tmp_path):
    (tmp_path / "lab.yaml").write_text(OVERLAY)
    plan = "capframe: 1\ntitle: T\ndate: 2026-11-29\npools: {main: {accelerator: A100 SXM4 80GB, count: 8}}\n"
    (tmp_path / "plan.yaml").write_text(plan)
    ran = run("build", "plan.yaml", "--catalog", "lab.yaml", "-f", "json,xlsx", "-o", "out")
    assert ran.status in {0, 1}, ran.err  # 1: the plan leaves checks to fail, which is not the matter here
    found = json.loads((tmp_path / "out" / "plan.json").read_text())
    [overlay] = found["overlays"]
    assert {key: overlay[key] for key in ("part", "fact", "unit", "value", "instead_of", "at", "source")} == {
        "part": "nvidia/a100-sxm4-80gb",
        "fact": "tdp",
        "unit": "W/card",
        "value": 380,
        "instead_of": 400,
        "at": "lab.yaml:9:18",
        "source": "Our laboratory",
    }
    assert overlay["corrected_at"].startswith("nvidia.yaml:")
    book = openpyxl.load_workbook(tmp_path / "out" / "plan.xlsx", read_only=True)
    rows = [row for row in book["Sources"].values if row[:2] == ("nvidia/a100-sxm4-80gb", "tdp")]
    assert [row[4] for row in rows] == ["Our laboratory"]
    assert rows[0][8].startswith("lab.yaml corrects 400 W/card of nvidia.yaml:")


def test_show_names_both_figures_of_an_overlay(run, tmp_path):
    (tmp_path / "lab.yaml").write_text(OVERLAY)
    ran = run("catalog", "show", "A100 SXM4 80GB", "--catalog", "lab.yaml")
    [tdp] = [line for line in ran.out.splitlines() if line.startswith("tdp ")]
    assert tdp.split()[1:4] == ["380", "W/card", "measured"]
    assert "lab.yaml corrects 400 W/card of nvidia.yaml:" in tdp


HEAD = "catalog: 1\nkind: accelerator\nas_of: 2026-11-20\nsources: {a: {title: A page, address: https://a.example}}\n"
CHIP = "records:\n  - id: odd/chip\n    origin: {source: a, confidence: press}\n    facts: "

# I07: the first is a real page on H800; 696 GB/s over 989.4 TFLOP/s is 0.0007 B/FLOP, and H100 has 0.0034
FOUND = [
    (
        "{memory: 24 GB/card, memory_bandwidth: 696 GB/s/card, peak: {bf16: 989.4 TFLOP/s/card}}",
        "odd.yaml:8:51: warning: odd/chip: memory bytes per FLOP (bf16) is 0.0007035 B/FLOP, outside 0.001 to 0.05",
    ),
    (
        "{tdp: 70 W/card, peak: {bf16: 989.4 TFLOP/s/card}}",
        "warning: odd/chip: peak per watt (bf16) is 14.13 TFLOP/s/W, outside 0.1 to 10",
    ),
    (
        "{peak: {fp4: 15000 TFLOP/s/card}, peak_sparse: {fp4: 20000 TFLOP/s/card}}",
        "note: odd/chip: sparse over dense (fp4) is 1.333, outside 1.99 to 2.01",
    ),
    (
        "{tdp: {value: 700 W/card, as_of: 2027-01-01}}",
        "warning: odd/chip: tdp is dated 2027-01-01, which is still to come",
    ),
    (
        "{tdp: {value: 350 W/card, conflicts: [{value: 310 W/card}]}}",
        "note: odd/chip: tdp is 350 (A page, 2026-11-20); not chosen: 310 (A page, 2026-11-20)",
    ),
    (
        "{tdp: {value: 350 W/card, note: an older board; on loan}}\nchinese: {an older board: 旧款}",
        "odd.yaml:8:44: note: the note 'an older board; on loan' stays in English: nothing under `chinese:` says how",
    ),
    ("{tdp: {value: 350 W/card, note: on loan}}", "1 part, 0 facts corrected: "),  # the file has no Chinese at all
]


@pytest.mark.parametrize(("facts", "said"), FOUND)
def test_check_says_what_is_hard_to_believe(run, tmp_path, facts, said):
    (tmp_path / "odd.yaml").write_text(HEAD + CHIP + facts + "\n")
    ran = run("catalog", "check", "odd.yaml", "--on", "2026-11-29")
    first, last = ran.out.splitlines()[0], ran.out.splitlines()[-1]
    assert said in first
    assert last.startswith("1 part, 0 facts corrected: ")
    assert ran.status == (1 if " warning: " in first else 0)


def test_check_says_that_a_file_has_expired(run, tmp_path):
    (tmp_path / "odd.yaml").write_text(HEAD + "expires: 2026-11-28\n" + CHIP + "{tdp: 350 W/card}\n")
    ran = run("catalog", "check", "odd.yaml", "--on", "2026-11-29")
    assert (
        ran.out.splitlines()[0] == "odd.yaml: warning: no longer holds: it expired on 2026-11-28, and it is 2026-11-29"
    )
    assert run("catalog", "check", "odd.yaml", "--on", "2026-11-28").status == 0


def test_check_refuses_what_has_no_source(run, tmp_path):
    (tmp_path / "odd.yaml").write_text(HEAD + "records:\n  - id: odd/chip\n    facts: {tdp: 350 W/card, tpd: 3}\n")
    ran = run("catalog", "check", "odd.yaml")
    assert ran.status == 2
    assert "fact 'tdp' has no source or no confidence" in ran.err
    assert "unknown fact 'tpd' of kind 'accelerator'; did you mean 'tdp'?" in ran.err


def test_no_shipped_figure_is_out_of_bounds(run):
    ran = run("catalog", "check", "-q", "--on", "2026-11-29")
    assert (ran.status, ran.out, ran.err) == (0, "", "")


OFFER = """\
catalog: 1
kind: offer
as_of: 2026-11-20
sources: {q: {title: Quotation}}
records:
  - id: offer/seventeen
    origin: {source: q, confidence: estimate}
    facts: {sort: purchase, part: A100 SXM4 80GB, per: card, price: {CNY: 90000 CNY}}
"""


def test_an_offer_that_is_not_taken_is_told_under_its_part_by_whatever_name(run, tmp_path):
    (tmp_path / "offers.yaml").write_text(OFFER)
    shown = run("catalog", "show", "nvidia/a100-sxm4-80gb", "--catalog", tmp_path / "offers.yaml").out
    assert "offer/seventeen is not taken: it does not say whether VAT is in the price" in shown
    assert "offer/seventeen" not in run("catalog", "show", "H100 SXM5 80GB", "--catalog", tmp_path / "offers.yaml").out
