"""Whether a part can be had, and whether its figures can be true: what a plan may rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Check,
    Expr,
    Given,
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

NOT_MADE_YET, RENTED, OVER, LICENSED, EARLY = (
    ("announced", "roadmap", "unverified"), ("cloud_only",), ("eol",), ("restricted",), ("sampling",)
)  # fmt: skip
"""Words of the fact ``status``, by what they mean for a person who wants to buy; ``in_production`` stops nobody."""
SPARSE = ("bf16", "fp16", "fp8", "fp4")


@frozen(kw_only=True)
class Availability:
    """What a person allows against the rules."""

    accept: Given = choice(
        ("nothing", *NOT_MADE_YET, *RENTED, *OVER, *LICENSED, *EARLY),
        label={"en": "Supply that is accepted", "zh": "可接受的供货状态"},
        default="nothing",
        source={
            "en": "a plan rests on what can be bought, unless somebody decides otherwise; where no status is known, "
            "the part counts as for sale",
            "zh": "方案以可采购型号为准, 另有决定者除外; 供货状态未注明的视为在售",
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
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    for name in plan.pools:
        yield from supply(p.pools[name], name)


def supply(pool: Ref, name: str) -> Iterator[Check]:
    """Yield whether the card of a pool can be had: an error where nobody can buy it, a warning where it is at risk."""
    c, part, status = pool.cluster, pool.accelerator, pool.accelerator.status
    told = f"{part} of {name} has the status {status}", f"{name} 的 {part} 状态为 {status}"
    word = f"`availability: {{{{accept: {status}}}}}`"
    known = (
        f"`capframe catalog show {part}` says who says so. To plan with it all the same, write {word} in {name}",
        f"来源见型号目录; 如仍要采用, 请在 {name} 中写 {word}",
    )
    for key, words, severity, en, zh, label in (
        (
            c.for_sale, NOT_MADE_YET, "error",
            "it cannot be bought yet", "尚不能采购",
            {"en": f"The accelerator of {name} is for sale", "zh": f"{name} 所选加速卡可采购"},
        ),
        (
            c.not_only_rented, RENTED, "error",
            "it can only be rented in a cloud, and a plan buys its cards", "仅可在云上租用, 不能采购",
            {"en": f"The accelerator of {name} can be bought, not only rented", "zh": f"{name} 所选加速卡并非仅可租用"},
        ),
        (
            c.still_made, OVER, "warning",
            "it is no longer made, and what can be had is stock", "已停产, 仅有存货",
            {"en": f"The accelerator of {name} is still made", "zh": f"{name} 所选加速卡仍在生产"},
        ),
        (
            c.needs_no_licence, LICENSED, "warning",
            "whether it may be delivered is for an export licence to say", "能否交付取决于出口许可",
            {"en": f"The accelerator of {name} needs no export licence", "zh": f"{name} 所选加速卡无需出口许可"},
        ),
        (
            c.in_volume, EARLY, "warning",
            "there are samples and first lots, no volume yet", "仅有样品与小批量, 尚未量产",
            {"en": f"The accelerator of {name} is made in volume", "zh": f"{name} 所选加速卡已量产"},
        ),
    ):  # fmt: skip
        yield Check(
            key,
            at_most(one_of(status, words), one_of(pool.availability.accept, words)),
            severity,
            {"en": f"{told[0]}: {en}. {known[0]}", "zh": f"{told[1]}: {zh}. {known[1]}"},
            label=label,
        )


def one_of(text: Expr, words: tuple[str, ...]) -> Expr:
    """Return 1 where a text is one of a few words, else 0."""
    return first_known(when(any_of(*(same(text, word) for word in words)), 1, 0), 0)
