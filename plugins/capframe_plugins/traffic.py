"""How long the traffic of a training step takes through the fabric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import LineItem, Ref
from capframe_plugins.clos import ring_all_reduce

if TYPE_CHECKING:
    from collections.abc import Iterator

RING = "Patarasuk and Yuan 2009, Bandwidth optimal all-reduce algorithms"


def traffic_lines(p: Ref, w: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield how long the gradients of a step take through the fabric."""
    here, layout = w.network, w.layout
    yield LineItem(
        here.bandwidth,
        p.network.rate.used * p.network.ports_per_card / pool.accelerator.devices,
        "GB/s",
        label={"en": "Bandwidth of a rank, one way", "zh": "每进程网络带宽(单向)"},
    )
    yield LineItem(
        here.gradients,
        w.model.parameters.used * p.memory.gradient_bytes / layout.ranks_of_a_copy,
        "GB",
        label={"en": "Gradients of a rank", "zh": "每进程梯度量"},
    )
    yield LineItem(
        here.all_reduce,
        ring_all_reduce(here.gradients, layout.data.used, here.bandwidth),
        "s",
        label={"en": "Ring all-reduce of the gradients", "zh": "梯度环形 AllReduce 时间"},
        source=RING,
    )
