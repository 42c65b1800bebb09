"""Step time of a training job: compute, tensor all-reduce, pipeline bubble, gradient all-reduce."""

from attrs import frozen

from capframe import Area, Given, LineItem, Section, at_most, hookimpl, number_of, quantity, when


@frozen(kw_only=True)
class StepTime:
    kernel_efficiency: Given = quantity(
        "1", label="Share of the peak that kernels reach", default="60%", low=0.01, high=1, percent=True,
        between=("50%", "75%"), source="matrix products alone, above the MFU of published runs",
    )  # fmt: skip
    activation_bytes: Given = quantity("B", label="Bytes per activation", default="2 B", source="bf16")
    all_reduces_per_layer: Given = quantity(
        "1", label="All-reduces per layer and micro-batch", default="4", low=4, high=6, source="arXiv:1909.08053"
    )
    scale_out: Given = quantity(
        "GB/s", label="Network rate of a rank, per direction", default="25 GB/s", low=0.1, high=1e4,
        between=("25 GB/s", "100 GB/s"), source="a 200 Gbit/s port for each rank",
    )  # fmt: skip


def ring_all_reduce(size, ranks, rate):
    """Return the time of a ring all-reduce: every byte but one share crosses each link twice."""
    return 2 * (ranks - 1) / ranks * size / rate


@hookimpl
def capframe_sections():
    yield Area("steptime", "Step time", 25)
    yield Section("steptime", StepTime, "Step time")


@hookimpl
def capframe_line_items(plan, p):
    s = p.steptime
    for name, workload in plan.workloads.items():
        w, card = p.workloads[name], p.pools[workload.pool].accelerator
        m, layout, t = w.model, w.layout, w.steptime
        tensor, pipeline, replicas, batches = layout.tensor, layout.pipeline, layout.data.used, layout.accumulate.used
        flops = w.compute.flops * batches * layout.micro_batch * replicas * w.sequence / number_of(w.tokens)
        rate = w.compute.peak / card.devices * s.kernel_efficiency
        yield LineItem(t.compute, flops / (tensor * pipeline * replicas * rate), "s", label="Compute of a step")
        inside = at_most(tensor, card.scale_up_domain * card.devices)
        link = when(inside, card.scale_up_bandwidth / card.devices, s.scale_out)
        yield LineItem(t.link, link, "GB/s", label="Link of the tensor group")
        message = layout.micro_batch * w.sequence * m.hidden * s.activation_bytes
        times = s.all_reduces_per_layer * m.layers / pipeline * batches
        yield LineItem(t.tensor, times * ring_all_reduce(message, tensor, t.link), "s", label="Tensor all-reduces")
        bubble = (pipeline - 1) / batches * (t.compute + t.tensor)
        yield LineItem(t.bubble, bubble, "s", label="Pipeline bubble", source="arXiv:2104.04473, section 2.2")
        shard = m.parameters.used * p.memory.gradient_bytes / (tensor * pipeline)
        yield LineItem(t.gradients, ring_all_reduce(shard, replicas, s.scale_out), "s", label="Gradient all-reduce")
        yield LineItem(t.step, t.compute + t.tensor + t.bubble + t.gradients, "s", label="Step time", headline=True)
