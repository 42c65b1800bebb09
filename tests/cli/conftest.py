"""Running the command line in a folder of its own, with plans and plugins written for the test."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from attrs import frozen

from capframe.cli import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "mozi-70b.yaml"
PLAN = """\
capframe: 1
title: Small
date: 2026-11-29
workloads:
  pretrain: {pool: main, model: {parameters: 7B}, tokens: 1T, mfu: 40%, deadline: 30 d}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 256, availability: {accept: eol}}
power: {pue: 1.2}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, source: quotation, date: 2026-11-20,
     confidence: estimate}
scenarios:
  short: {workloads.pretrain.deadline: 5 d}
  domestic: {pools.main.accelerator: huawei/ascend-910c-752}
"""


@frozen
class Ran:
    """What a run of the command line gave."""

    status: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CAPFRAME_NO_PLUGINS", raising=False)
    monkeypatch.delenv("CAPFRAME_STRICT_PLUGINS", raising=False)


@pytest.fixture
def run(capsys):
    def run(*words):
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return run


@pytest.fixture
def example():
    return EXAMPLE


@pytest.fixture
def plan(tmp_path):
    """Write a small plan, changed by pairs of old and new text, and return its path."""

    def write(*changes, name="small.yaml"):
        text = PLAN
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a plugin as a distribution of its own would: metadata with an entry point, and a module."""

    def install(name, code):
        site = tmp_path / "site"
        info = site / f"capframe_{name}-1.2.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: capframe-{name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[capframe]\n{name} = capframe_{name}\n")
        (site / f"capframe_{name}.py").write_text(code)
        monkeypatch.syspath_prepend(site)
        modules.append(f"capframe_{name}")

    modules = []
    yield install
    for module in modules:
        sys.modules.pop(module, None)


@pytest.fixture
def without_counts():
    """Return a text with its numbers of lines and checks blanked, which grow with every plugin."""
    return lambda text: re.sub(r"\d+ (lines|n/a|pass)", r"# \1", text)
