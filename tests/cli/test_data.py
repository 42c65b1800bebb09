"""The stable shape of the JSON."""

from __future__ import annotations

import ast
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

import capframe_plugins.data

NO_PRICE = "no price of Ascend 910C (752T bin; dies 9381/9382) is known"


@pytest.fixture
def data(run, plan):
    return json.loads(run("show", plan(), "--json").out)


def test_the_top(data):
    said = ["title", "date", "revision", "author", "changes", "currency"]
    head = ["capframe", *said, "scenarios", "digest", "plugins", "overlays", "pins"]
    assert list(data) == [*head, "inputs", "lines", "checks"]
    assert [data[key] for key in ("capframe", *said)] == ["0.1.0", "Small", "2026-11-29", "", "", [], "CNY"]
    assert data["scenarios"] == ["base", "short", "domestic"]


def test_the_log_of_changes(run, plan):
    log = 'revision: "2"\nchanges: [{revision: "2", date: 2026-11-29, author: Li Lei, what: {en: Prices, zh: 报价}}]\n'
    data = json.loads(
        run("show", plan(("title: Small\n", f"title: Small\n{log}")), "--json", "--language", "zh-CN").out
    )
    assert data["changes"] == [{"revision": "2", "date": "2026-11-29", "author": "Li Lei", "what": "报价"}]


def test_inputs(data):
    assert list(data["inputs"]) == sorted(data["inputs"])
    assert data["inputs"]["workloads.pretrain.deadline"] == {
        "unit": "d",
        "label": "Deadline",
        "values": {"base": 30.0, "short": 5.0, "domestic": 30.0},
        "source": "",
        "confidence": "assumed",
        "at": "small.yaml:5:83",
    }
    accelerator = data["inputs"]["pools.main.accelerator"]["values"]
    assert accelerator["domestic"] == "huawei/ascend-910c-752"
    assert data["inputs"]["workloads.pretrain.goodput"]["values"]["base"] == "auto"
    assert data["inputs"]["cost.budget"]["values"]["base"] is None
    price = data["inputs"]["prices.nvidia/a100-sxm4-80gb"]
    assert (price["source"], price["confidence"]) == ("quotation", "estimate")
    assert data["inputs"]["power.average_load"]["at"] == "default"


def test_lines(data):
    assert list(data["lines"]) == sorted(data["lines"])
    flops = data["lines"]["workloads.pretrain.compute.flops"]
    assert list(flops) == ["unit", "label", "plugin", "formula", "source", "values"]
    assert flops["values"] == dict.fromkeys(data["scenarios"], 4.2e22)
    assert (flops["unit"], flops["label"], flops["plugin"]) == ("FLOP", "Training compute", "compute")
    assert flops["formula"] == "FLOP per parameter and token × Active parameters per token × Training tokens"
    assert flops["source"].startswith("Kaplan et al. 2020")
    purchase = data["lines"]["cost.purchase"]
    assert purchase["values"] == {"base": 19_200_000.0, "short": 19_200_000.0, "domestic": None}
    assert purchase["reasons"] == {"domestic": NO_PRICE}
    assert data["lines"]["workloads.pretrain.compute.supported"]["values"]["base"] == "yes"


def test_checks(data):
    keys = [check["key"] for check in data["checks"]]
    assert keys == sorted(keys)
    check = data["checks"][keys.index("workloads.pretrain.compute.in_time")]
    assert list(check) == ["key", "severity", "plugin", "results", "messages"]
    assert (check["severity"], check["plugin"]) == ("error", "compute")
    assert check["results"] == {"base": "pass", "short": "fail", "domestic": "pass"}
    assert list(check["messages"]) == ["short"]
    assert data["checks"][keys.index("cost.in_budget")]["results"]["base"] == "n/a"


def test_labels_and_sentences_follow_the_language(run, plan):
    data = json.loads(run("show", plan(), "--json", "--language", "zh-CN").out)
    assert data["lines"]["workloads.pretrain.compute.flops"]["label"] == "训练总计算量"
    assert "需要" in str(data["checks"])


def test_the_text_is_strict_json_in_utf_8(run, plan):
    text = run("show", plan(("title: Small", "title: 墨子")), "--json").out
    assert text.endswith("\n}\n")
    assert "墨子" in text
    values = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))["lines"].values()
    numbers = [number for line in values for number in line["values"].values() if isinstance(number, float)]
    assert numbers
    assert all(math.isfinite(number) for number in numbers)


def test_the_name_of_a_file_need_not_be_utf_8(run, plan):
    try:
        path = plan(name=os.fsdecode(b"caf\xe9.yaml"))
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    data = json.loads(run("show", path, "--json").out)
    assert data["inputs"]["workloads.pretrain.deadline"]["at"] == "caf\udce9.yaml:5:83"


def test_the_bytes_depend_on_neither_hash_seed_nor_locale(plan):
    code = "import sys; from capframe.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", code, "show", plan().name, "--json", "--language", "zh-CN"]
    written = {
        subprocess.run(words, env={**os.environ, **setting}, capture_output=True, check=True).stdout
        for setting in (
            {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Asia/Shanghai"},
            {"PYTHONHASHSEED": "2", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"},
        )
    }
    assert len(written) == 1


def test_the_plugin_uses_the_public_api_only():
    tree = ast.parse(Path(capframe_plugins.data.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in modules if name.startswith("capframe")} == {"capframe"}
