"""What records of switches, network cards and optical modules may say; rates and capacities are one way."""

from __future__ import annotations

from attrs import frozen

from capframe import Given, family, quantity, text

SUPERPOD = {
    "en": "NVIDIA DGX SuperPOD H100 reference architecture, network fabrics, table 4",
    "zh": "NVIDIA DGX SuperPOD H100 参考架构, 网络部分表 4",
}
SPEEDS = ("100G", "200G", "400G", "800G", "1600G")


@frozen(kw_only=True)
class Switch:
    """What a record of kind switch may say; rates and capacity are one way."""

    ports: Given = family(
        quantity("port/switch", label={"en": "Ports", "zh": "端口数"}, low=1, high=4096, whole=True), SPEEDS
    )
    capacity: Given = quantity(
        "Tbit/s/switch", label={"en": "Capacity, one way", "zh": "交换容量(单向)"}, low=0.1, high=1e4
    )
    cages: Given = quantity(
        "cage/switch", label={"en": "Cages for modules", "zh": "光模块插槽数"}, low=1, high=4096, whole=True
    )
    power: Given = quantity("W/switch", label={"en": "Power, typical", "zh": "典型功耗"}, low=10, high=1e5)
    power_max: Given = quantity("W/switch", label={"en": "Power, maximum", "zh": "最大功耗"}, low=10, high=1e5)
    rack_units: Given = quantity("U/switch", label={"en": "Rack units", "zh": "机架高度(U)"}, low=1, high=48)
    weight: Given = quantity("kg/switch", label={"en": "Weight", "zh": "重量"}, low=0.1, high=1000)
    protocol: Given = text(label={"en": "Protocol", "zh": "协议"})
    chip: Given = text(label={"en": "Switch chip", "zh": "交换芯片"})
    status: Given = text(label={"en": "Status", "zh": "供货状态"})


@frozen(kw_only=True)
class Nic:
    """What a record of kind nic may say."""

    rate: Given = quantity(
        "Gbit/s/port", label={"en": "Rate of a port, one way", "zh": "端口速率(单向)"}, low=1, high=1e4
    )
    ports: Given = quantity(
        "port/nic",
        label={"en": "Ports", "zh": "端口数"},
        default="1 port/nic",
        low=1,
        high=8,
        whole=True,
        source={"en": "where a record says nothing, a card has one port", "zh": "目录未注明时, 一块网卡计一个端口"},
    )
    port_speed: Given = text(label={"en": "Speed of its port", "zh": "端口规格"})
    power: Given = quantity("W/nic", label={"en": "Power, typical", "zh": "典型功耗"}, low=1, high=1000)
    power_max: Given = quantity("W/nic", label={"en": "Power, maximum", "zh": "最大功耗"}, low=1, high=1000)
    protocol: Given = text(label={"en": "Protocol", "zh": "协议"})
    host_interface: Given = text(label={"en": "Host interface", "zh": "主机接口"})
    status: Given = text(label={"en": "Status", "zh": "供货状态"})


@frozen(kw_only=True)
class Optic:
    """What a record of kind optic may say."""

    rate: Given = quantity("Gbit/s/module", label={"en": "Rate", "zh": "速率"}, low=1, high=1e4)
    links: Given = quantity(
        "port/module", label={"en": "Links that a module serves", "zh": "每模块链路数"}, low=1, high=8, whole=True
    )
    reach: Given = quantity("m", label={"en": "Reach", "zh": "传输距离"}, low=0.1, high=1e5)
    power: Given = quantity("W/module", label={"en": "Power, typical", "zh": "典型功耗"}, low=0, high=100)
    power_max: Given = quantity("W/module", label={"en": "Power, maximum", "zh": "最大功耗"}, low=0, high=100)
