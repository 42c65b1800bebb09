from __future__ import annotations


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
    assert "did you mean 'a100-sxm4-80gb'?" in ran.err


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
