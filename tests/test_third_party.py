"""A stranger's estimator of twelve lines, installed by pip, adds one line and replaces one of ours."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from openpyxl import load_workbook

ROOT = Path(__file__).parents[1]
PLUGIN = Path(__file__).parent / "third_party" / "capframe-liquid"


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """The outputs of mozi-70b with the plugin installed in a folder of its own."""
    site, out = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("out")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    source = tmp_path_factory.mktemp("source") / "capframe-liquid"
    source.mkdir()
    for file in PLUGIN.iterdir():
        if file.is_file():
            (source / file.name).write_bytes(file.read_bytes())
    subprocess.run([*pip, "--target", str(site), str(source)], check=True)
    subprocess.run(
        [sys.executable, "-m", "capframe", "build", str(ROOT / "examples" / "mozi-70b.yaml"), "-o", str(out)],
        check=True,
        env={**os.environ, "PYTHONPATH": str(site)},
    )
    return out


def test_it_has_twelve_lines_of_code():
    source = (PLUGIN / "capframe_liquid.py").read_text(encoding="utf-8")
    assert len([line for line in source.splitlines() if line.strip()]) == 12
    assert {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)} == {
        "attrs",
        "capframe",
    }


def test_it_adds_one_line_and_replaces_one(out):
    results = json.loads((out / "mozi-70b.json").read_text(encoding="utf-8"))
    lines = results["lines"]
    it = lines["power.it"]["values"]["base"]
    pumps = lines["liquid.pumps"]
    assert pumps["plugin"] == "liquid"
    assert pumps["values"]["base"] == pytest.approx(0.02 * it, rel=1e-12)
    facility = lines["power.facility"]
    assert facility["plugin"] == "liquid"
    # mozi-70b has a PUE of 1.2: 1.2 × IT + 2 % of IT
    assert facility["values"]["base"] == pytest.approx(1.22 * it, rel=1e-12)


def test_it_shows_in_the_workbook(out):
    book = load_workbook(out / "mozi-70b.xlsx")
    assert "Liquid" in book.sheetnames
    labels = [cell.value for row in book["Summary"].iter_rows(max_col=1) for cell in row]
    assert "Pumps" in labels
    keys = [cell.value for row in book["Inputs"].iter_rows() for cell in row]
    assert "liquid.pump_share" in keys


def test_it_shows_in_the_brief(out):
    assert "Pumps" in (out / "mozi-70b.md").read_text(encoding="utf-8")
