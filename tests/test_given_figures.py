"""A figure that is given is compared with what follows from the rest of the plan: a contradiction fails a check."""

from __future__ import annotations

import pytest

PLAN = """currency: CNY
workloads:
  a: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%, deadline: 60 d}
pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 1000}}
"""

CONTRADICTIONS = {
    "a replica of 512 ranks leaves 488 of 1,000 idle": (
        ["workloads.a.layout.tensor=512"],
        {"workloads.a.layout.uses_all"},
    ),
    "8 × 10 of 1,000 ranks are laid out": (
        ["workloads.a.layout.tensor=8", "workloads.a.layout.data=10"],
        {"workloads.a.layout.uses_all"},
    ),
    "4 × 8 × 125 is no batch of 1,000": (
        ["workloads.a.layout.tensor=8", "workloads.a.layout.global_batch=1000", "workloads.a.layout.accumulate=4"],
        {"workloads.a.layout.batch_divides"},
    ),
    "1,000 / 125 = 8 micro-batches of 1 are": (
        ["workloads.a.layout.tensor=8", "workloads.a.layout.global_batch=1000", "workloads.a.layout.accumulate=8"],
        set(),
    ),
    "a copy of 8 × 4 ranks is more than 8 cards hold": (
        ["pools.main.count=8", "workloads.a.layout.tensor=8", "workloads.a.layout.pipeline=4"],
        {"workloads.a.layout.fits", "workloads.a.layout.uses_all", "pools.main.compute.enough_with_reserve"},
    ),
    "208 cards that are given are 101 short of 206.05 × 1.5": (
        ["pools.main.count=auto", "workloads.a.cards=208"],
        {"pools.main.compute.enough_with_reserve"},
    ),
    "one switch and copper have no module in a switch": (
        [
            "pools.main.count=32",
            "network.host_links=copper",
            "network.nic=nvidia/cx8",
            "network.switch=nvidia/q3400-ra",
        ],
        {"network.server_end_is_as_fast", "pools.main.compute.enough_with_reserve"},
    ),
    "31 replicas do not share over 32 ranks": (
        ["workloads.a.layout.tensor=8", "workloads.a.layout.pipeline=4", "workloads.a.memory.zero_group=32"],
        {"workloads.a.memory.group_exists", "workloads.a.layout.uses_all"},  # 992 of 1,000
    ),
    "one system writes 65 GB/s": (["storage.write_bandwidth=1000 GB/s"], {"storage.writes_as_given"}),
    "and so 65 GB/s may be given": (["storage.write_bandwidth=65 GB/s"], set()),
    "a card of 400 Gbit/s and modules of 2 × 400 carry no 800": (
        ["network.rate=800 Gbit/s/port"],
        {"network.card_is_as_fast", "network.server_end_is_as_fast", "network.switch_end_is_as_fast"},
    ),
    "a card of 800 Gbit/s does not go with modules of 400": (
        ["network.nic=nvidia/cx8", "network.switch=nvidia/q3400-ra"],
        {"network.server_end_is_as_fast", "network.switch_end_is_as_fast"},
    ),
    "800 of 989.4 TFLOP/s are no MFU of 10 %": (
        ["workloads.a.mfu=10%", "workloads.a.compute.effective_rate=0.8 PFLOP/s/card"],
        {"workloads.a.compute.rate_and_mfu_agree"},
    ),
    "395.76 of 989.4 TFLOP/s are one of 40 %": (["workloads.a.compute.effective_rate=395.76 TFLOP/s/card"], set()),
    "a twin-port cable of 800 carries 2 × 400": (["network.host_links=copper"], set()),
    "and nobody asks then for a module in the card": (
        ["network.host_links=copper", "network.nic_optic=nvidia/mma4z00-ns400"],
        set(),
    ),
    "a cable of which nobody says the links is not judged": (
        ["network.host_links=copper", "network.cable=nvidia/lacc-800"],
        set(),
    ),
    "a cable of 2 × 400 carries no 800": (
        ["network.host_links=copper", "network.nic=nvidia/cx8", "network.optic=generic/800g-dr8"],
        {"network.server_end_is_as_fast"},
    ),
}


LOOKED_AT = (
    "workloads.a.compute.rate_and",
    "pools.main.compute.",
    "workloads.a.layout.",
    "workloads.a.memory.group",
    "storage.writes",
    "network.",
)


@pytest.mark.parametrize(("given", "failing"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_what_contradicts_the_rest_fails(results, given, failing):
    found = results(PLAN, overrides=given)
    failed = {one.check.key for one in found.statuses() if one.result == "fail"}
    assert {key for key in failed if key.startswith(LOOKED_AT)} == failing
