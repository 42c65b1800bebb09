"""The model of a workload and its layout over ranks: what both are declared by, and what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Check,
    Expr,
    Given,
    LineItem,
    Ref,
    at_most,
    count_of,
    equal,
    every,
    first_known,
    given_or_computed,
    greatest,
    more,
    number_of,
    quantity,
    round_down,
    round_up,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

LLAMA_2 = {
    "en": "Touvron et al. 2023, Llama 2 (arXiv:2307.09288); its 70B shape comes to 68,976,648,192 parameters",
    "zh": "Touvron et al. 2023, Llama 2 (arXiv:2307.09288); 其 70B 结构合 68,976,648,192 参数",
}
SHAZEER_2020 = {
    "en": "Shazeer 2020, GLU Variants Improve Transformer (arXiv:2002.05202): gated blocks have three matrices",
    "zh": "Shazeer 2020, GLU Variants Improve Transformer (arXiv:2002.05202): 门控前馈层有三个矩阵",
}


@frozen(kw_only=True)
class Model:
    """The model that a workload trains: its parameters, its shape, or both."""

    parameters: Given = quantity(
        "parameter",
        label={"en": "Parameters", "zh": "参数量"},
        auto=True,
        low=1e3,
        high=1e16,
        note={"en": "auto: what the shape comes to", "zh": "自动: 按模型结构计算"},
    )
    active_parameters: Given = quantity(
        "parameter",
        label={"en": "Active parameters per token", "zh": "每词元激活参数量"},
        auto=True,
        low=1e3,
        high=1e16,
        note={"en": "auto: all parameters (a dense model)", "zh": "自动: 全部参数 (稠密模型)"},
    )
    layers: Given = quantity("1", label={"en": "Layers", "zh": "层数"}, optional=True, low=1, high=1e5, whole=True)
    hidden: Given = quantity(
        "1", label={"en": "Hidden size", "zh": "隐藏维度"}, optional=True, low=1, high=1e7, whole=True
    )
    heads: Given = quantity(
        "1", label={"en": "Attention heads", "zh": "注意力头数"}, optional=True, low=1, high=1e5, whole=True
    )
    kv_heads: Given = quantity(
        "1", label={"en": "Key and value heads", "zh": "键值头数"}, optional=True, low=1, high=1e5, whole=True
    )
    ffn: Given = quantity(
        "1", label={"en": "Feed-forward size", "zh": "前馈维度"}, optional=True, low=1, high=1e8, whole=True
    )
    vocabulary: Given = quantity(
        "1", label={"en": "Vocabulary", "zh": "词表大小"}, optional=True, low=1, high=1e8, whole=True
    )
    ffn_matrices: Given = quantity(
        "1",
        label={"en": "Matrices of a feed-forward block", "zh": "前馈层矩阵数"},
        default="3",
        low=1,
        high=4,
        whole=True,
        between=("2", "3"),
        source=SHAZEER_2020,
        note={"en": "3 with a gate, 2 without", "zh": "有门控为 3, 无门控为 2"},
    )
    embeddings: Given = quantity(
        "1",
        label={"en": "Embedding tables", "zh": "词嵌入表数"},
        default="2",
        low=1,
        high=2,
        whole=True,
        source=LLAMA_2,
        note={"en": "2: input and output apart; 1: tied", "zh": "2: 输入输出各一; 1: 共用"},
    )


@frozen(kw_only=True)
class Layout:
    """How a workload is spread over its ranks."""

    tensor: Given = quantity(
        "1",
        label={"en": "Tensor parallel", "zh": "张量并行"},
        default="1",
        low=1,
        high=1e6,
        whole=True,
        source={"en": "none, until a plan says so", "zh": "方案未给定时不切分"},
    )
    pipeline: Given = quantity(
        "1",
        label={"en": "Pipeline parallel", "zh": "流水线并行"},
        default="1",
        low=1,
        high=1e6,
        whole=True,
        source={"en": "none, until a plan says so", "zh": "方案未给定时不切分"},
    )
    data: Given = quantity(
        "1",
        label={"en": "Data parallel", "zh": "数据并行"},
        auto=True,
        low=1,
        high=1e7,
        whole=True,
        note={"en": "auto: as many replicas as the ranks hold", "zh": "自动: 进程数可容纳的副本数"},
    )
    micro_batch: Given = quantity(
        "1",
        label={"en": "Micro-batch, sequences", "zh": "微批大小(序列数)"},
        default="1",
        low=1,
        high=1e5,
        whole=True,
        source={
            "en": "the smallest, which every card holds; the plan says more",
            "zh": "取最小值, 各型号均可容纳; 可由方案给定",
        },
    )
    global_batch: Given = quantity(
        "1",
        label={"en": "Global batch, sequences", "zh": "全局批大小(序列数)"},
        optional=True,
        low=1,
        high=1e8,
        whole=True,
    )
    accumulate: Given = quantity(
        "1",
        label={"en": "Micro-batches per step and replica", "zh": "每步每副本微批数"},
        auto=True,
        low=1,
        high=1e7,
        whole=True,
        note={"en": "auto: global batch over micro-batch and replicas", "zh": "自动: 全局批除以微批与副本数"},
    )


def model_lines(w: Ref) -> Iterator[LineItem]:
    """Yield the parameters of a model, given or by its shape, and how many of them a token uses."""
    m = w.model
    yield LineItem(
        m.of_a_layer,
        parameters_of_a_layer(m.hidden, m.heads, m.kv_heads, m.ffn, m.ffn_matrices),
        "1",
        label={"en": "Parameters of a layer, by its shape", "zh": "每层参数量(按结构)"},
        source=LLAMA_2,
    )
    yield from given_or_computed(
        m.parameters,
        count_of(m.layers * m.of_a_layer + m.hidden + m.embeddings * m.vocabulary * m.hidden, "parameter"),
        "parameter",
        label={"en": "Parameters", "zh": "参数量"},
        source=LLAMA_2,
    )
    yield from given_or_computed(
        m.active_parameters,
        m.parameters.used,
        "parameter",
        label={"en": "Active parameters per token", "zh": "每词元激活参数量"},
    )


def layout_lines(w: Ref) -> Iterator[LineItem]:
    """Yield how many replicas the ranks hold, and how many micro-batches each takes in a step."""
    layout = w.layout
    yield LineItem(
        layout.ranks_of_a_copy,
        layout.tensor * layout.pipeline,
        "1",
        label={"en": "Ranks that share one copy of the model", "zh": "每个模型副本的进程数"},
    )
    yield from given_or_computed(
        layout.data,
        round_down(w.ranks / layout.ranks_of_a_copy),
        "1",
        label={"en": "Data parallel", "zh": "数据并行"},
    )
    yield LineItem(
        layout.ranks,
        layout.ranks_of_a_copy * layout.data.used,
        "1",
        label={"en": "Ranks that the layout uses", "zh": "并行布局占用进程数"},
    )
    yield LineItem(
        layout.idle_ranks,
        greatest(round_down(w.ranks) - layout.ranks, 0),
        "1",
        label={"en": "Ranks that the layout leaves idle", "zh": "并行布局闲置进程数"},
    )
    yield from given_or_computed(
        layout.accumulate,
        layout.global_batch / (layout.micro_batch * layout.data.used),
        "1",
        label={"en": "Micro-batches per step and replica", "zh": "每步每副本微批数"},
    )


def parameters_of_a_layer(hidden: Expr, heads: Expr, kv_heads: Expr, ffn: Expr, ffn_matrices: Expr) -> Expr:
    """Return the parameters of one decoder layer: four projections (keys and values shared), feed-forward, two norms.

    Grouped-query attention: the projections of keys and values have ``kv_heads / heads`` of the width.
    """
    attention = 2 * hidden * hidden * (1 + kv_heads / heads)
    return attention + ffn_matrices * hidden * ffn + 2 * hidden


def workload_checks(w: Ref, name: str) -> Iterator[Check]:
    """Yield what must hold of a model and of its layout."""
    m, layout = w.model, w.layout
    yield Check(
        m.size_is_known,
        more(first_known(number_of(m.parameters.used), 0), 0),
        "error",
        {
            "en": f"{name} does not say how large its model is; write `parameters: 70B` under its `model`, "
            "or the whole shape from layers to vocabulary",
            "zh": f"{name} 未说明模型规模; 请给出参数量或完整结构",
        },
        label={"en": f"The size of the model of {name} is known", "zh": f"{name} 模型规模已知"},
    )
    yield Check(
        m.shape_agrees,
        at_most(
            greatest(m.parameters.computed / m.parameters.used, m.parameters.used / m.parameters.computed),
            1,
        ),
        "note",
        {
            "en": f"{name} is given {m.parameters.used}, which counts; its shape comes to {m.parameters.computed}",
            "zh": f"{name} 给定 {m.parameters.used} (以此为准), 按结构为 {m.parameters.computed}",
        },
        label={"en": f"Parameters and shape of {name} agree", "zh": f"{name} 参数量与结构一致"},
    )
    yield Check(
        layout.fits,
        at_most(greatest(layout.ranks, layout.ranks_of_a_copy), w.ranks),
        "error",
        {
            "en": f"{name} takes {layout.tensor} × {layout.pipeline} ranks for a copy of its model and is laid out "
            f"over {layout.ranks} in all; it has {w.ranks}: more cards, or a smaller layout",
            "zh": f"{name} 每个模型副本需要 {layout.tensor} × {layout.pipeline} 个进程, 布局共 {layout.ranks} 个, "
            f"仅有 {w.ranks}; 需增加卡数或缩小并行布局",
        },
        label={"en": f"The layout of {name} fits in its ranks", "zh": f"{name} 布局不超过进程数"},
    )
    yield Check(
        layout.uses_all,
        at_most(layout.idle_ranks, 0),
        "warning",
        {
            "en": f"{name} is laid out over {layout.ranks} of its {w.ranks} ranks; {layout.idle_ranks} stand idle, but "
            "its days count on all: choose a layout that fills them, or give the workload fewer `cards`",
            "zh": f"{name} 布局仅用 {w.ranks} 个进程中的 {layout.ranks} 个, 闲置 {layout.idle_ranks} 个, "
            "但天数按全部进程计; 请调整布局占满, 或减少任务的 `cards`",
        },
        label={"en": f"The layout of {name} uses all its ranks", "zh": f"{name} 布局用满进程"},
    )
    yield Check(
        layout.batch_divides,
        every(
            at_most(round_up(layout.accumulate.used), layout.accumulate.used),
            equal(layout.accumulate.used * layout.micro_batch * layout.data.used, layout.global_batch),
        ),
        "warning",
        {
            "en": f"{name} takes {layout.accumulate.used} micro-batches of {layout.micro_batch} on {layout.data.used} "
            f"replicas in a step, and its global batch is {layout.global_batch}; make the global batch a multiple of "
            "micro-batch × replicas, and leave `accumulate` out",
            "zh": f"{name} 每步 {layout.data.used} 个副本各 {layout.accumulate.used} 个微批, 微批大小 "
            f"{layout.micro_batch}, 全局批为 {layout.global_batch}; "
            "全局批应为微批与副本数之积的整数倍, 且不必给出 `accumulate`",
        },
        label={"en": f"The global batch of {name} divides", "zh": f"{name} 全局批可整除"},
    )
