"""What training keeps on disk: the data set, checkpoints, how fast they are written, and the systems for it."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    CatalogFile,
    Check,
    Given,
    Item,
    LineItem,
    Outline,
    RecordKind,
    Ref,
    Section,
    UnitDefinition,
    at_most,
    either,
    given_or_computed,
    greatest,
    hookimpl,
    pick,
    quantity,
    round_up,
    text,
    total,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ZERO = {
    "en": "Rajbhandari et al. 2020, ZeRO, section 3.1 (arXiv:1910.02054): "
    "states of mixed-precision Adam without gradients",
    "zh": "Rajbhandari et al. 2020, ZeRO, 3.1 节 (arXiv:1910.02054): 混合精度 Adam 状态, 不含梯度",
}


@frozen(kw_only=True)
class Storage:
    """Rules of thumb of storage, and the systems that a plan picks."""

    system: Given = pick(
        "storage_system",
        label={"en": "Storage system", "zh": "存储系统"},
        default="ddn/ai400x2",
        source={
            "en": "a parallel file system of the usual size; the plan picks its own",
            "zh": "常用规模的并行文件系统; 可由方案选定",
        },
    )
    systems: Given = quantity(
        "system",
        label={"en": "Storage systems", "zh": "存储系统数量"},
        auto=True,
        low=1,
        high=1e5,
        whole=True,
        note={"en": "auto: enough to write the largest checkpoint in time", "zh": "自动: 可按时写完最大检查点的数量"},
    )
    longest_write: Given = quantity(
        "s",
        label={"en": "Longest write of a checkpoint", "zh": "检查点写入时间上限"},
        default="60 s",
        low=0.1,
        high=86_400,
        between=("30 s", "300 s"),
        source={
            "en": "planning value; BLOOM wrote 2.3 TB in 40 s (S. Bekman, ML Engineering, storage chapter)",
            "zh": "规划值; BLOOM 40 秒写入 2.3 TB (S. Bekman, ML Engineering, 存储一章)",
        },
    )
    write_bandwidth: Given = quantity(
        "GB/s",
        label={"en": "Write bandwidth of the file system", "zh": "文件系统写带宽"},
        auto=True,
        low=0.01,
        high=1e6,
        note={
            "en": "auto: systems × write bandwidth of each",  # noqa: RUF001 - a times sign
            "zh": "自动: 系统数量 × 单套写带宽",  # noqa: RUF001 - a times sign
        },
    )
    bytes_per_token: Given = quantity(
        "B/token",
        label={"en": "Bytes of a token on disk", "zh": "每词元存储字节数"},
        default="4 B/token",
        low=0.5,
        high=1e6,
        between=("2 B/token", "4 B/token"),
        source={
            "en": "token ids of 16 or 32 bits; 16 hold a vocabulary up to 65,536",
            "zh": "词元编号为 16 或 32 位; 16 位词表上限 65,536",
        },
    )
    checkpoint_bytes: Given = quantity(
        "B/parameter",
        label={"en": "Checkpoint, bytes per parameter", "zh": "检查点每参数字节数"},
        default="14 B/parameter",
        low=1,
        high=32,
        between=("14 B/parameter", "16 B/parameter"),
        source=ZERO,
        confidence="datasheet",
        note={
            "en": "weights 2, FP32 master 4, momentum 4, variance 4; gradients are not kept",
            "zh": "权重 2, FP32 主权重 4, 一阶动量 4, 二阶动量 4; 不含梯度",
        },
    )
    kept: Given = quantity(
        "1",
        label={"en": "Checkpoints kept", "zh": "保留检查点数"},
        default="5",
        low=1,
        high=1e4,
        whole=True,
        between=("3", "20"),
        source={
            "en": "a few to go back to after a loss spike; the plan's policy decides",
            "zh": "保留数份以便损失突增后回退; 可由方案给定",
        },
    )
    spare_capacity: Given = quantity(
        "1",
        label={"en": "Capacity over what is kept", "zh": "容量冗余系数"},
        default="1.25",
        low=1,
        high=3,
        between=("1.2", "1.4"),
        source={
            "en": "flash file systems slow down when nearly full (S. Bekman, ML Engineering, storage chapter)",
            "zh": "全闪存系统接近写满时性能下降 (S. Bekman, ML Engineering, 存储一章)",
        },
    )


@frozen(kw_only=True)
class Drive:
    """What a record of kind drive may say."""

    capacity: Given = quantity("TB/drive", label={"en": "Largest capacity", "zh": "最大容量"}, low=0.1, high=1000)
    read: Given = quantity("GB/s/drive", label={"en": "Sequential read", "zh": "顺序读带宽"}, low=0.01, high=100)
    write: Given = quantity("GB/s/drive", label={"en": "Sequential write", "zh": "顺序写带宽"}, low=0.01, high=100)
    writes_per_day: Given = quantity(
        "1/d", label={"en": "Drive writes per day", "zh": "每日全盘写入"}, low=0.01, high=100
    )
    mtbf: Given = quantity("h", label={"en": "MTBF, by its vendor", "zh": "厂商标称 MTBF"}, low=1e4, high=1e8)
    power: Given = quantity("W/drive", label={"en": "Power, maximum", "zh": "最大功耗"}, low=0.1, high=100)
    host_interface: Given = text(label={"en": "Interface", "zh": "接口"})


@frozen(kw_only=True)
class System:
    """What a record of kind storage system may say; figures are per unit that is bought, as its vendor claims."""

    read: Given = quantity("GB/s/system", label={"en": "Read bandwidth", "zh": "读带宽"}, low=0.1, high=1e5)
    write: Given = quantity("GB/s/system", label={"en": "Write bandwidth", "zh": "写带宽"}, low=0.1, high=1e5)
    capacity: Given = quantity("TB/system", label={"en": "Raw capacity, most", "zh": "最大裸容量"}, low=1, high=1e6)
    power: Given = quantity("W/system", label={"en": "Power", "zh": "功耗"}, low=10, high=1e6)
    rack_units: Given = quantity("U/system", label={"en": "Rack units", "zh": "机架高度(U)"}, low=1, high=100)
    weight: Given = quantity("kg/system", label={"en": "Weight", "zh": "重量"}, low=0.1, high=10_000)
    unit: Given = text(label={"en": "What one system is", "zh": "计量单元"})
    design: Given = text(label={"en": "Design", "zh": "类型"})
    network: Given = text(label={"en": "Network", "zh": "网络接口"})


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    yield UnitDefinition("drive", many={"en": "drives", "zh": "块硬盘"}, one={"zh": "硬盘"})
    yield UnitDefinition("system", many={"en": "systems", "zh": "套系统"}, one={"zh": "套"})


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Storage", "zh": "存储"}
    yield Area(
        "storage",
        label,
        50,
        {"en": "The data set, checkpoints, and how fast they are written", "zh": "数据集、检查点及其写入速度"},
    )
    yield Section("storage", Storage, label)


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind | CatalogFile]:
    yield RecordKind("drive", Drive, {"en": "Drives", "zh": "硬盘"})
    yield RecordKind("storage_system", System, {"en": "Storage systems", "zh": "存储系统"}, bought="system")
    for name in ("drives.yaml", "storage-systems.yaml"):
        with as_file(files("capframe.catalogs") / name) as path:
            yield CatalogFile(path)


@hookimpl
def capframe_items(plan: Outline, p: Ref) -> Iterator[Item]:
    if plan.workloads:
        yield Item(
            p.storage.systems.used,
            either(p.storage.systems, p.storage.systems.computed),
            "system",
            label={"en": "Storage systems", "zh": "存储系统"},
            part=p.storage.system,
            sort={"en": "Storage", "zh": "存储"},
        )


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for name in plan.workloads:
        yield from workload_lines(p, p.workloads[name])
    if not plan.workloads:
        return
    checkpoints = [p.workloads[name].storage.checkpoint for name in plan.workloads]
    yield LineItem(
        p.storage.systems.computed,
        round_up(greatest(*checkpoints) / (p.storage.longest_write * p.storage.system.write)),
        "system",
        label={"en": "Storage systems, computed", "zh": "存储系统(计算值)"},
    )
    yield from given_or_computed(
        p.storage.write_bandwidth,
        p.storage.systems.used * p.storage.system.write,
        "GB/s",
        label={"en": "Write bandwidth of the file system", "zh": "文件系统写带宽"},
    )
    kept = [p.workloads[name].storage[part] for name in plan.workloads for part in ("dataset", "retained")]
    yield LineItem(
        p.storage.capacity,
        total(*kept) * p.storage.spare_capacity,
        "TB",
        label={"en": "Capacity to buy", "zh": "所需存储容量"},
        headline=True,
    )
    yield LineItem(
        p.storage.capacity_there,
        p.storage.systems.used * p.storage.system.capacity,
        "TB",
        label={"en": "Raw capacity of the systems", "zh": "存储系统裸容量"},
    )


def workload_lines(p: Ref, w: Ref) -> Iterator[LineItem]:
    """Yield the data set of a workload, and its checkpoint: size, write time, and what is kept."""
    s = w.storage
    yield LineItem(
        s.dataset,
        w.tokens * p.storage.bytes_per_token,
        "TB",
        label={"en": "Data set on disk", "zh": "数据集容量"},
        headline=True,
    )
    yield LineItem(
        s.checkpoint,
        w.model.parameters.used * p.storage.checkpoint_bytes,
        "TB",
        label={"en": "Checkpoint", "zh": "单个检查点"},
        source=ZERO,
        headline=True,
    )
    yield LineItem(
        s.checkpoint_write,
        s.checkpoint / p.storage.write_bandwidth.used,
        "s",
        label={"en": "Time to write a checkpoint", "zh": "检查点写入时间"},
        headline=True,
    )
    yield LineItem(
        s.retained,
        s.checkpoint * p.storage.kept,
        "TB",
        label={"en": "Checkpoints kept", "zh": "保留检查点容量"},
    )


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    if plan.workloads:
        yield Check(
            p.storage.holds_all,
            at_most(p.storage.capacity, p.storage.capacity_there),
            "warning",
            {
                "en": f"data sets and checkpoints need {p.storage.capacity} and the systems hold "
                f"{p.storage.capacity_there} raw; buy more systems or keep less on them",
                "zh": f"数据集与检查点需要 {p.storage.capacity}, 存储系统裸容量 {p.storage.capacity_there}; "
                "需增加系统或减少保留量",
            },
            label={"en": "The storage systems hold what is kept", "zh": "存储容量充足"},
        )
        yield Check(
            p.storage.writes_as_given,
            at_most(p.storage.write_bandwidth.used, p.storage.write_bandwidth.computed),
            "warning",
            {
                "en": f"checkpoints count on {p.storage.write_bandwidth.used}, and what is bought "
                f"({p.storage.systems.used}) writes {p.storage.write_bandwidth.computed}; buy more systems, or "
                "give what they write",
                "zh": f"检查点按写带宽 {p.storage.write_bandwidth.used} 计算, 而采购的 {p.storage.systems.used} 仅 "
                f"{p.storage.write_bandwidth.computed}; 需增加存储系统或改用其实际写带宽",
            },
            label={"en": "The storage systems write as fast as given", "zh": "存储系统写带宽与给定值相符"},
        )
    for name in plan.workloads:
        s = p.workloads[name].storage
        yield Check(
            s.written_in_time,
            at_most(s.checkpoint_write, p.storage.longest_write),
            "warning",
            {
                "en": f"a checkpoint of {name} takes {s.checkpoint_write} to write, longer than "
                f"{p.storage.longest_write}; steps stand still meanwhile",
                "zh": f"{name} 写一个检查点需 {s.checkpoint_write}, 超过 {p.storage.longest_write}, 期间训练停顿",
            },
            label={"en": f"Checkpoints of {name} are written in time", "zh": f"{name} 检查点按时写完"},
        )
