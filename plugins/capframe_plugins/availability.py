"""Whether a part can be had, and whether its figures can be true: what a plan may rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Check,
    Given,
    LineItem,
    Outline,
    RecordKind,
    Ref,
    Rule,
    Section,
    any_of,
    at_most,
    choice,
    first_known,
    hookimpl,
    same,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

UNRELEASED = ("announced", "roadmap", "unverified")
"""Words of the fact ``status`` for parts that nobody can buy yet, or that no document vouches for."""
SPARSE = ("bf16", "fp16", "fp8", "fp4")


@frozen(kw_only=True)
class Availability:
    """What a person allows against the rules."""

    allow_unreleased: Given = choice(
        ("yes", "no"),
        label={"en": "Plan with parts that are not for sale yet", "zh": "允许使用未上市型号"},
        default="no",
        source={
            "en": "a plan rests on what can be bought, unless somebody decides otherwise",
            "zh": "方案以可采购型号为准, 另有决定者除外",
        },
    )


@frozen(kw_only=True)
class Nothing:
    """No facts besides those of others."""


@hookimpl
def capframe_sections() -> Iterator[Section]:
    label = {"en": "Availability", "zh": "供货"}
    yield Section("availability", Availability, label, of="pools")


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind]:
    yield RecordKind("accelerator", Nothing, rules=tuple(rules()))


def rules() -> Iterator[Rule]:
    """Yield what the figures of an accelerator fit in, from the oldest to the newest card in the catalogues."""
    for precision in ("bf16", "fp16"):
        yield Rule(
            f"memory bytes per FLOP ({precision})",
            ("memory_bandwidth", f"peak.{precision}"),
            lambda bandwidth, peak: bandwidth / (1000 * peak),
            0.001,
            0.05,
            "B/FLOP",
        )
        yield Rule(
            f"peak per watt ({precision})",
            (f"peak.{precision}", "tdp"),
            lambda peak, tdp: peak / tdp,
            0.1,
            10,
            "TFLOP/s/W",
        )
    yield Rule("fp8 over bf16", ("peak.bf16", "peak.fp8"), lambda bf16, fp8: fp8 / bf16, 0.99, 2.01, severity="note")
    for precision in SPARSE:
        yield Rule(
            f"sparse over dense ({precision})",
            (f"peak.{precision}", f"peak_sparse.{precision}"),
            lambda dense, sparse: sparse / dense,
            1.99,
            2.01,
            severity="note",
        )
    yield Rule(
        "usable memory over the label",
        ("memory", "memory_usable"),
        lambda label, usable: usable / label,
        0.85,
        1.08,
    )


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for name in plan.pools:
        pool = p.pools[name]
        status = pool.accelerator.status
        yield LineItem(
            pool.cluster.unreleased,
            first_known(when(any_of(*(same(status, word) for word in UNRELEASED)), 1, 0), 0),
            "1",
            label={"en": "Not for sale yet (1 is yes)", "zh": "未上市(1 为是)"},
            source={
                "en": "the fact `status` of the part; where it says nothing, the part counts as for sale",
                "zh": "型号的供货状态; 未注明的视为在售",
            },
        )


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    for name in plan.pools:
        pool = p.pools[name]
        yield Check(
            pool.cluster.for_sale,
            at_most(pool.cluster.unreleased, when(same(pool.availability.allow_unreleased, "yes"), 1, 0)),
            "error",
            {
                "en": f"{pool.accelerator} of {name} has the status {pool.accelerator.status}: it cannot be bought "
                f"yet. To plan with it all the same, write `availability: {{{{allow_unreleased: yes}}}}` in {name}",
                "zh": f"{name} 的 {pool.accelerator} 状态为 {pool.accelerator.status}, 尚不能采购; 如仍要采用, "
                f"请在 {name} 中写 `availability: {{{{allow_unreleased: yes}}}}`",
            },
            label={"en": f"The accelerator of {name} is for sale", "zh": f"{name} 所选加速卡可采购"},
        )
