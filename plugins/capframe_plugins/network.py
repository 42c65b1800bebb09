"""The fabric between servers: ports to attach, tiers, switches, links, optics, and how long an all-reduce takes."""

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
    choice,
    count_of,
    hookimpl,
    less,
    number_of,
    pick,
    quantity,
    round_up,
    same,
    total,
    when,
)
from capframe_plugins.fabric_parts import SUPERPOD, Nic, Optic, Switch
from capframe_plugins.tiers import FEWEST, MOST, count_lines, switch_lines, tier_lines
from capframe_plugins.traffic import traffic_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@frozen(kw_only=True)
class Network:
    """The parts that a fabric is made of, and how they are joined."""

    switch: Given = pick(
        "switch",
        label={"en": "Switch", "zh": "交换机"},
        default="nvidia/qm9700",
        source={
            "en": f"the switch of the {SUPERPOD['en']}; the plan picks its own",
            "zh": f"采用 {SUPERPOD['zh']} 的交换机; 可由方案选定",
        },
    )
    nic: Given = pick(
        "nic",
        label={"en": "Network card", "zh": "网卡"},
        default="nvidia/cx7-ndr",
        source={
            "en": f"the network card of the {SUPERPOD['en']}; the plan picks its own",
            "zh": f"采用 {SUPERPOD['zh']} 的网卡; 可由方案选定",
        },
    )
    optic: Given = pick(
        "optic",
        label={"en": "Optical module of a switch", "zh": "交换机侧光模块"},
        default="nvidia/mms4x00-ns",
        source={"en": "fits the default switch; serves two links", "zh": "与缺省交换机配套; 每只两条链路"},
    )
    nic_optic: Given = pick(
        "optic",
        label={"en": "Optical module of a network card", "zh": "网卡侧光模块"},
        default="nvidia/mms4x00-ns400",
        source={"en": "fits the default network card; serves one link", "zh": "与缺省网卡配套; 每只一条链路"},
    )
    cable: Given = pick(
        "optic",
        label={"en": "Copper cable of a server", "zh": "服务器侧铜缆"},
        default="nvidia/mcp4y10",
        source={"en": "fits the default switch; serves two links", "zh": "与缺省交换机配套; 每根两条链路"},
    )
    host_links: Given = choice(
        ("optical", "copper"),
        label={"en": "Links between servers and leaves", "zh": "服务器到接入交换机的链路"},
        default="optical",
        source={"en": "copper reaches 3 m, within a rack", "zh": "铜缆最长 3 m, 限机柜内"},
    )
    ports_per_card: Given = quantity(
        "port/card",
        label={"en": "Network ports per card", "zh": "每卡网口数"},
        default="1 port/card",
        low=0.01,
        high=64,
        between=("0.5 port/card", "2 port/card"),
        source={"en": f"one for each card in the {SUPERPOD['en']}", "zh": f"{SUPERPOD['zh']}: 每卡一个端口"},
        confidence="datasheet",
        note={
            "en": "of the fabric between servers; storage and management apart",
            "zh": "指服务器间参数面网络; 存储与管理网络另计",
        },
    )
    rate: Given = quantity(
        "Gbit/s/port",
        label={"en": "Rate of a port, one way", "zh": "端口速率(单向)"},
        auto=True,
        low=0.1,
        high=1e5,
        note={"en": "auto: that of the network card", "zh": "自动: 取网卡端口速率"},
    )
    oversubscription: Given = quantity(
        "1",
        label={"en": "Oversubscription of the leaves (down : up)", "zh": "收敛比(下行:上行)"},
        default="1:1",
        low=1,
        high=32,
        ratio=True,
        between=("1:1", "1.5:1"),
        source={
            "en": "non-blocking, as in reference architectures of training clusters",
            "zh": "无收敛, 与训练集群参考架构一致",
        },
    )
    tiers: Given = quantity(
        "1",
        label={"en": "Tiers of switches", "zh": "交换机层数"},
        auto=True,
        low=FEWEST,
        high=MOST,
        whole=True,
        note={"en": "auto: the fewest that reach every port", "zh": "自动: 可接入全部端口的最少层数"},
    )


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    yield UnitDefinition("port", many={"en": "ports", "zh": "个端口"}, one={"zh": "端口"})
    yield UnitDefinition("switch", many={"en": "switches", "zh": "台"})
    yield UnitDefinition("link", many={"en": "links", "zh": "条链路"}, one={"zh": "链路"})
    yield UnitDefinition("module", many={"en": "modules", "zh": "只"})
    yield UnitDefinition("nic", many={"en": "NICs", "zh": "块网卡"}, one={"zh": "网卡"})
    yield UnitDefinition("cage", many={"en": "cages", "zh": "个端口笼"}, one={"zh": "端口笼"})
    yield UnitDefinition("m", counted=False)


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Network", "zh": "网络"}
    yield Area(
        "network",
        label,
        40,
        {"en": "Tiers, switches, links and optics between the servers", "zh": "组网层数、交换机、链路与光模块"},
    )
    yield Section("network", Network, label)


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind | CatalogFile]:
    yield RecordKind("switch", Switch, {"en": "Switches", "zh": "交换机"}, bought="switch")
    yield RecordKind("nic", Nic, {"en": "Network cards", "zh": "网卡"}, bought="nic")
    yield RecordKind("optic", Optic, {"en": "Optics and cables", "zh": "光模块与线缆"}, bought="module")
    with as_file(files("capframe.catalogs")) as folder:
        for name in ("switches", "nics", "optics"):
            yield CatalogFile(folder / f"{name}.yaml")


@hookimpl
def capframe_items(plan: Outline, p: Ref) -> Iterator[Item]:
    for name in plan.pools:
        yield from bought(p.network, p.pools[name].network)


def bought(n: Ref, here: Ref) -> Iterator[Item]:
    """Yield what the fabric of a pool is made of: switches, network cards and modules."""
    fabric = {"en": "Network", "zh": "网络"}
    optical, none = same(n.host_links, "optical"), count_of(0, "module")
    at_servers = when(optical, here.ports, count_of(0, "port"))
    yield Item(
        here.switches,
        here.leaves + here.middle + here.top,
        "switch",
        label={"en": "Switches", "zh": "交换机"},
        headline=True,
        part=n.switch,
        sort=fabric,
    )
    yield Item(
        here.nics,
        round_up(here.ports / n.nic.ports),
        "nic",
        label={"en": "Network cards", "zh": "网卡"},
        part=n.nic,
        sort=fabric,
        role="host",
    )
    yield Item(
        here.switch_modules,
        round_up((at_servers + count_of(2 * number_of(here.uplinks), "port")) / n.optic.links),
        "module",
        label={"en": "Optical modules of switches", "zh": "交换机侧光模块"},
        source={
            "en": "two ends a link; a module of two ports serves two links",
            "zh": "每条链路两端; 双端口模块承载两条链路",
        },
        part=n.optic,
        sort=fabric,
    )
    yield Item(
        here.nic_modules,
        when(optical, round_up(here.ports / n.nic_optic.links), none),
        "module",
        label={"en": "Optical modules of network cards", "zh": "网卡侧光模块"},
        part=n.nic_optic,
        sort=fabric,
        role="host",
    )
    yield Item(
        here.cables,
        when(optical, none, round_up(here.ports / n.cable.links)),
        "module",
        label={"en": "Copper cables of servers", "zh": "服务器侧铜缆"},
        part=n.cable,
        sort=fabric,
        role="host",
    )


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    if plan.pools:
        yield from switch_lines(p.network)
    for name in plan.pools:
        yield from tier_lines(p.network, p.pools[name])
        yield from count_lines(p.network, p.pools[name])
    if plan.pools:
        yield LineItem(
            p.network.switches,
            total(*(p.pools[name].network.switches for name in plan.pools)),
            "switch",
            label={"en": "Switches", "zh": "交换机总数"},
            headline=True,
        )
    for name, workload in plan.workloads.items():
        yield from traffic_lines(p, p.workloads[name], p.pools[workload.pool])


def link_checks(n: Ref, modules: Iterable[Ref]) -> Iterator[Check]:
    """Yield what must hold of the parts at both ends of a link."""
    yield Check(
        n.card_is_as_fast,
        at_most(n.rate.used, n.nic.rate),
        "error",
        {
            "en": f"ports are given {n.rate.used}, and the network card has {n.nic.rate}; choose a faster card",
            "zh": f"端口速率给定为 {n.rate.used}, 而网卡仅 {n.nic.rate}; 请选用更快的网卡",
        },
        label={"en": "The network card has the rate of its port", "zh": "网卡速率满足端口速率"},
    )
    yield Check(
        n.server_end_is_as_fast,
        at_most(n.rate.used, n.server_end),
        "error",
        {
            "en": f"ports run at {n.rate.used}, and a link of the module or cable at the server carries "
            f"{n.server_end}; choose one whose rate per link is as high (`nic_optic`, `cable`)",
            "zh": f"端口速率 {n.rate.used}, 服务器侧光模块或铜缆每链路仅 {n.server_end}; "
            "请选用每链路速率足够的型号 (`nic_optic`, `cable`)",
        },
        label={"en": "Modules or cables at the servers carry the rate", "zh": "服务器侧光模块或铜缆支持端口速率"},
    )
    yield Check(
        n.switch_end_is_as_fast,
        at_most(when(less(count_of(0, "module"), total(*modules)), n.rate.used / n.switch_end, 0), 1),
        "error",
        {
            "en": f"ports run at {n.rate.used}, and a link of the switch's module carries {n.switch_end}; choose one "
            "whose rate per link is as high (`optic`)",
            "zh": f"端口速率 {n.rate.used}, 交换机侧光模块每链路仅 {n.switch_end}; "
            "请选用每链路速率足够的型号 (`optic`)",
        },
        label={"en": "Modules of the switches carry the rate", "zh": "交换机侧光模块支持端口速率"},
    )


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    if plan.pools:
        yield from link_checks(p.network, [p.pools[name].network.switch_modules for name in plan.pools])
    for name in plan.pools:
        here = p.pools[name].network
        yield Check(
            here.reaches_all,
            at_most(here.ports, here.limit),
            "error",
            {
                "en": f"{name} attaches {here.ports}, and {here.tiers} tiers of these switches reach {here.limit}; "
                "more tiers, or switches with more ports",
                "zh": f"{name} 需接入 {here.ports}, {here.tiers} 层组网仅支持 {here.limit}; "
                "需增加层数或选用更多端口的交换机",
            },
            label={"en": f"The fabric of {name} reaches every port", "zh": f"{name} 组网规模够用"},
        )
