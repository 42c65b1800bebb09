"""How fast a card really computes: the peak of a precision, MFU, effective rate, and what of it is plausible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import Check, LineItem, Ref, at_most, either, equal, fact, given_or_computed, same

if TYPE_CHECKING:
    from collections.abc import Iterator


def rate_lines(w: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield peaks, the effective rate, and what it comes to as MFU on either basis."""
    c = w.compute
    yield LineItem(
        c.peak,
        fact(pool.accelerator, "peak", by=w.precision),
        "TFLOP/s/card",
        label={"en": "Dense peak in this precision", "zh": "该精度稠密峰值算力"},
    )
    yield LineItem(
        c.basis_peak,
        fact(pool.accelerator, "peak", by=w.mfu_basis),
        "TFLOP/s/card",
        label={"en": "Dense peak in the precision of the MFU", "zh": "MFU 测定精度的稠密峰值算力"},
    )
    yield LineItem(
        c.supported,
        fact(pool.accelerator, "supported", by=w.precision),
        "text",
        label={"en": "Precision supported", "zh": "是否支持该精度"},
    )
    yield from given_or_computed(
        c.effective_rate,
        c.peak * w.mfu.used,
        "TFLOP/s/card",
        label={"en": "Effective rate per card", "zh": "单卡有效算力"},
        source={
            "en": "definition of MFU: Chowdhery et al. 2022, PaLM, appendix B (arXiv:2204.02311)",
            "zh": "MFU 定义: Chowdhery et al. 2022, PaLM, 附录 B (arXiv:2204.02311)",
        },
    )
    yield LineItem(
        c.mfu_in_precision,
        c.effective_rate.used / c.peak,
        "1",
        label={"en": "Effective rate as MFU of the precision it runs in", "zh": "按运行精度峰值计的 MFU"},
        percent=True,
    )
    yield LineItem(
        c.mfu_on_basis,
        c.effective_rate.used / c.basis_peak,
        "1",
        label={
            "en": "Effective rate as MFU of the precision of mfu_basis",
            "zh": "按 mfu_basis 精度峰值计的 MFU",
        },
        percent=True,
    )


def rate_checks(p: Ref, name: str) -> Iterator[Check]:
    """Yield what must hold of the rate that a workload counts on."""
    w = p.workloads[name]
    c = w.compute
    yield Check(
        c.rate_is_plausible,
        at_most(c.effective_rate.used, c.peak * p.compute.plausible_mfu),
        "warning",
        {
            "en": f"{name} counts on {c.effective_rate.used} of a peak of {c.peak}; "
            f"above {p.compute.plausible_mfu} of the peak measure first",
            "zh": f"{name} 假设单卡有效算力 {c.effective_rate.used}, 峰值为 {c.peak}; "
            f"超过峰值的 {p.compute.plausible_mfu} 需有实测依据",
        },
        label={"en": f"The effective rate of {name} is plausible", "zh": f"{name} 的有效算力合理"},
    )
    yield Check(
        c.precision,
        same(c.supported, "yes"),
        "error",
        {
            "en": f"the accelerator of {name} does not support {w.precision}; choose another precision or card",
            "zh": f"{name} 的加速卡不支持 {w.precision}; 请更换精度或加速卡",
        },
        label={"en": f"The card of {name} supports its precision", "zh": f"{name} 的加速卡支持所选精度"},
    )
    yield Check(
        c.mfu_is_plausible,
        at_most(w.mfu.used, p.compute.plausible_mfu),
        "warning",
        {
            "en": f"{name} counts on an MFU of {w.mfu.used}; above {p.compute.plausible_mfu} measure first",
            "zh": f"{name} 假设 MFU 为 {w.mfu.used}; 高于 {p.compute.plausible_mfu} 需有实测依据",
        },
        label={"en": f"The MFU of {name} is plausible", "zh": f"{name} 的 MFU 合理"},
    )
    measured = either(c.effective_rate, c.basis_peak * w.mfu.used)  # a rate that is given has no basis
    yield Check(
        c.mfu_basis_is_precision,
        equal(measured, c.effective_rate.used),
        "warning",
        {
            "en": f"{name} runs in {w.precision} at {c.mfu_in_precision} of that peak, but its MFU was measured in "
            f"{w.mfu_basis}, of whose peak this is {c.mfu_on_basis}; give the MFU measured in {w.precision}, "
            f"and say so (mfu_basis: {w.precision})",
            "zh": f"{name} 以 {w.precision} 运行, 按其峰值的 {c.mfu_in_precision} 计算; 但 MFU 在 {w.mfu_basis} "
            f"下测定, 相当于该峰值的 {c.mfu_on_basis}; 请改用 {w.precision} 下实测的 MFU, "
            f"并注明 (mfu_basis: {w.precision})",
        },
        label={"en": f"The MFU of {name} was measured in its precision", "zh": f"{name} 的 MFU 测定精度与运行一致"},
    )
    yield Check(
        c.rate_and_mfu_agree,
        equal(measured, c.basis_peak * either(w.mfu, measured / c.basis_peak)),
        "warning",
        {
            "en": f"{name} is given a rate and an MFU, and the rate counts: {c.effective_rate.used} is an MFU of "
            f"{c.mfu_on_basis} in {w.mfu_basis}, not {w.mfu.used}; give only one of `mfu` and `effective_rate`",
            "zh": f"{name} 同时给定单卡有效算力与 MFU, 以前者为准: {c.effective_rate.used} 相当于 {w.mfu_basis} MFU "
            f"{c.mfu_on_basis}, 而非 {w.mfu.used}; `mfu` 与 `effective_rate` 请只给其一",
        },
        label={"en": f"The rate and the MFU of {name} agree", "zh": f"{name} 的有效算力与 MFU 一致"},
    )
    yield Check(
        c.rate_is_possible,
        at_most(c.effective_rate.used, c.peak),
        "error",
        {
            "en": f"{name} counts on {c.effective_rate.used}, above the dense peak of {c.peak}; a sparse figure?",
            "zh": f"{name} 假设 {c.effective_rate.used}, 高于稠密峰值 {c.peak}; 是否误用稀疏算力?",
        },
        label={"en": f"{name} stays below the dense peak", "zh": f"{name} 不超过稠密峰值"},
    )
