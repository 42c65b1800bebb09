"""A stranger's estimator of under sixty lines, searched over a hundred thousand layouts, without a change in core."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from capframe import Given, Host, load

FILE = Path(__file__).parent / "capframe-steptime" / "capframe_steptime.py"
PLAN = """\
capframe: 1
title: A hundred thousand layouts
date: 2026-11-29
workloads:
  train:
    pool: main
    model: {parameters: 70B, layers: 80, hidden: 8192, heads: 64, kv_heads: 8, ffn: 28672, vocabulary: 32000}
    tokens: 1T
    sequence: 4096
    layout: {tensor: 8, pipeline: 4, data: 32, micro_batch: 1, global_batch: 1024}
    mfu: 40%
    deadline: 60 d
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1024}
"""
W = "workloads.train"
LAYOUT = ("tensor", "pipeline", "data", "micro_batch", "global_batch")
LAYOUTS = 100_000


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    spec = importlib.util.spec_from_file_location("capframe_steptime", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = tmp_path_factory.mktemp("plan") / "plan.yaml"
    path.write_text(PLAN, encoding="utf-8")
    return load(path, host=Host(extra={"steptime": module})).ledger()


def test_the_plugin_is_small_and_uses_the_public_api_only():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
    assert {line.split()[1] for line in lines if line.startswith("from ")} == {"attrs", "capframe"}


def test_the_step_time_by_hand(ledger):
    results = ledger.evaluate()
    values = {name: results.value(f"{W}.steptime.{name}") for name in ("compute", "tensor", "bubble", "gradients")}
    # 1,024 sequences of 4,096 tokens over 32 replicas are 32 micro-batches of one sequence.
    # compute: 6 × 70e9 × 1024 × 4096 = 1.761608e18 FLOP over 1,024 cards × 312e12 × 60 % = 1.916928e17 FLOP/s
    assert values["compute"] == pytest.approx(9.189738, rel=1e-6)
    # tensor: 4096 × 8192 × 2 B = 67,108,864 B; 2 × 7/8 × that / 300e9 B/s = 391.468 µs; 4 × 80/4 × 32 = 2,560 times
    assert values["tensor"] == pytest.approx(1.002159, rel=1e-6)
    # bubble: 3/32 of the two
    assert values["bubble"] == pytest.approx((9.189738 + 1.002159) * 3 / 32, rel=1e-6)
    # gradients: 70e9 × 2 B / 32 = 4.375e9 B; 2 × 31/32 × that / 25e9 B/s
    assert values["gradients"] == pytest.approx(0.3390625, rel=1e-9)
    assert results.value(f"{W}.steptime.step") == pytest.approx(sum(values.values()), rel=1e-12)


def test_a_hundred_thousand_layouts_are_searched(ledger):
    random = np.random.default_rng(20_261_129)
    layouts = {
        f"{W}.layout.tensor": 2.0 ** random.integers(0, 6, LAYOUTS),
        f"{W}.layout.pipeline": random.integers(1, 17, LAYOUTS).astype(float),
        f"{W}.layout.data": random.integers(1, 129, LAYOUTS).astype(float),
        f"{W}.layout.micro_batch": random.integers(1, 5, LAYOUTS).astype(float),
        f"{W}.layout.global_batch": 256.0 * random.integers(1, 9, LAYOUTS),
    }
    outputs = [f"{W}.steptime.step", f"{W}.layout.fits", f"{W}.layout.batch_divides"]
    step, fits, divides = ledger.compile(outputs, layouts)(layouts).values()
    batch, pipeline = layouts[f"{W}.layout.global_batch"], layouts[f"{W}.layout.pipeline"]
    possible = (fits == 1) & (divides == 1) & (80 % pipeline == 0)
    assert 100 < possible.sum() < LAYOUTS
    rate = np.where(possible, batch / step, 0)
    best = int(rate.argmax())
    # the layout that was found trains faster than the plan's own, whose step of 1,024 sequences is known by hand
    given = ledger.evaluate().value(f"{W}.steptime.step")
    assert rate[best] > 1024 / given
    # figures that are shown come from the scalar path: it agrees on the best layout and on a sample of all
    sample = [best, *random.integers(0, LAYOUTS, 20).tolist()]
    names = tuple(f"layout{row}" for row in sample)
    inputs = {
        key: evolve(one, overrides={name: Given(layouts[key][row]) for name, row in zip(names, sample, strict=True)})
        if key in layouts
        else one
        for key, one in ledger.plan.inputs.items()
    }
    scalar = evolve(ledger, plan=evolve(ledger.plan, scenarios=names, inputs=inputs)).evaluate()
    for name, row in zip(names, sample, strict=True):
        assert scalar.value(outputs[0], name) == pytest.approx(step[row], rel=1e-12)
