"""A fabric in lines: how a switch's ports are split, tiers, switches tier by tier, spines evenly joined, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import (
    LineItem,
    Ref,
    at_most,
    count_of,
    either,
    every,
    fact,
    given_or_computed,
    greatest,
    less,
    number_of,
    round_down,
    round_up,
    same,
    total,
    when,
)
from capframe_plugins.clos import LEISERSON_1985, limit
from capframe_plugins.fabric_parts import SUPERPOD

if TYPE_CHECKING:
    from collections.abc import Iterator

BUNDLES = (2, 3, 4, 5, 6, 8, 12, 16, 32)
"""Links that may run side by side between a leaf and a spine."""
FEWEST, SPINES, MOST = 1, 2, 4
"""Tiers of switches: a single one, those from which on leaves are joined by spines, the most."""


def switch_lines(n: Ref) -> Iterator[LineItem]:
    """Yield what a port and the ends of a link carry, and how the ports of a leaf are split."""
    yield from given_or_computed(
        n.rate, n.nic.rate, "Gbit/s/port", label={"en": "Rate of a port, one way", "zh": "端口速率(单向)"}
    )
    yield LineItem(
        n.server_end,
        when(same(n.host_links, "optical"), n.nic_optic.rate / n.nic_optic.links, n.cable.rate / n.cable.links),
        "Gbit/s/port",
        label={"en": "What a link carries at the server", "zh": "服务器侧每链路速率"},
    )
    yield LineItem(
        n.switch_end,
        n.optic.rate / n.optic.links,
        "Gbit/s/port",
        label={"en": "What a link carries at the switch", "zh": "交换机侧每链路速率"},
    )
    yield LineItem(
        n.radix,
        fact(n.switch, "ports", by=n.nic.port_speed),
        "port/switch",
        label={"en": "Ports of a switch at the card's speed", "zh": "交换机端口数(网卡速率)"},
    )
    ratio = n.oversubscription
    yield LineItem(
        n.down,
        round_down(n.radix * ratio / (1 + ratio)),
        "port/switch",
        label={"en": "Ports of a leaf towards servers", "zh": "接入交换机下行端口"},
    )
    yield LineItem(
        n.up,
        n.radix - n.down,
        "port/switch",
        label={"en": "Ports of a leaf towards spines", "zh": "接入交换机上行端口"},
    )
    yield LineItem(
        n[f"limit{FEWEST}"],
        count_of(number_of(n.radix), "port"),
        "port",
        label={"en": "Ports of a single switch", "zh": "单台交换机可接端口数"},
        source=LEISERSON_1985,
    )
    for tiers in range(SPINES, MOST + 1):
        yield LineItem(
            n[f"limit{tiers}"],
            count_of(limit(number_of(n.radix), number_of(n.down), tiers), "port"),
            "port",
            label={"en": f"Ports that {tiers} tiers reach", "zh": f"{tiers} 层组网可接端口数"},
            source=LEISERSON_1985,
        )


def tier_lines(n: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield the ports to attach, and the fewest tiers that reach them."""
    here = pool.network
    yield LineItem(
        here.ports,
        round_up(pool.cards * n.ports_per_card),
        "port",
        label={"en": "Ports to attach", "zh": "接入端口数"},
        headline=True,
    )
    yield LineItem(
        here.injection,
        here.ports * n.rate.used,
        "TB/s",
        label={"en": "All ports together, one way", "zh": "总注入带宽(单向)"},
    )
    more_tiers = (when(less(n[f"limit{tiers}"], here.ports), 1, 0) for tiers in range(FEWEST, MOST))
    yield LineItem(
        here.tiers,
        either(n.tiers, total(FEWEST, *more_tiers)),
        "1",
        label={"en": "Tiers of switches", "zh": "交换机层数"},
        headline=True,
    )
    yield LineItem(
        here.limit,
        when(
            at_most(here.tiers, FEWEST),
            n[f"limit{FEWEST}"],
            count_of(limit(number_of(n.radix), number_of(n.down), here.tiers), "port"),
        ),
        "port",
        label={"en": "Ports that these tiers reach", "zh": "该层数可接端口数"},
        source=LEISERSON_1985,
    )


def count_lines(n: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield switches tier by tier, links, and modules."""
    here, ratio = pool.network, n.oversubscription
    yield LineItem(
        here.leaves,
        round_up(here.ports / when(at_most(here.tiers, FEWEST), n.radix, n.down)),
        "switch",
        label={"en": "Leaf switches", "zh": "接入交换机"},
    )
    yield LineItem(
        here.middle,
        greatest(here.tiers - SPINES, 0) * round_up(here.leaves * n.up / (n.radix / 2)),
        "switch",
        label={"en": "Switches between leaves and the top", "zh": "汇聚交换机"},
    )
    yield from spine_lines(n, here)
    yield LineItem(
        here.top,
        when(at_most(here.tiers, SPINES), here.spines, round_up(here.ports / (ratio * n.radix))),
        "switch",
        label={"en": "Switches at the top", "zh": "核心交换机"},
    )
    ports, leaves, least = number_of(here.ports), number_of(here.leaves), number_of(here.ports_of_a_leaf)
    fuller = ports - leaves * least
    yield LineItem(
        here.leaf_links,
        count_of(fuller * number_of(here.leaf_uplinks) + (leaves - fuller) * round_up(least / ratio), "link"),
        "link",
        label={"en": "Links from leaves upwards", "zh": "接入交换机上行链路总数"},
        source={
            "en": "leaf by leaf: ports evenly spread, each leaf's over the oversubscription",
            "zh": "逐台计算: 端口均匀分布, 每台除以收敛比",
        },
    )
    yield LineItem(
        here.uplinks,
        (here.tiers - 1) * here.leaf_links,
        "link",
        label={"en": "Links between switches", "zh": "交换机间链路"},
        source={"en": "as many from tier to tier as from the leaves", "zh": "各层之间与接入层上行相同"},
    )
    yield LineItem(
        here.switch_ports,
        here.ports + count_of(2 * number_of(here.uplinks), "port"),
        "port",
        label={"en": "Switch ports in use", "zh": "交换机端口用量"},
    )


def spine_lines(n: Ref, here: Ref) -> Iterator[LineItem]:
    """Yield the spines of two tiers: each leaf joined to each by a bundle of links, with ports of the leaf to spare."""
    yield LineItem(
        here.ports_of_a_leaf,
        round_down(here.ports / here.leaves),
        "port/switch",
        label={"en": "Ports of a leaf in use, at least", "zh": "每台接入交换机最少占用端口"},
    )
    yield LineItem(
        here.leaf_uplinks,
        round_up(round_up(here.ports / here.leaves) / n.oversubscription),
        "port/switch",
        label={"en": "Uplinks of a leaf (two tiers or more)", "zh": "每台接入交换机上行链路(两层及以上)"},
    )
    yield LineItem(
        here.fewest_spines,
        round_up(here.leaves * here.leaf_uplinks / n.radix),
        "switch",
        label={"en": "Spines that have the ports (two tiers)", "zh": "端口数所需核心交换机(两层)"},
    )
    ups = number_of(here.leaf_uplinks)
    for bundle in BUNDLES:
        spine_has_ports = at_most(bundle * number_of(here.leaves), number_of(n.radix))
        leaf_has_ports = at_most(bundle * round_up(ups / bundle), number_of(n.up))
        yield LineItem(
            here[f"bundle{bundle}"],
            when(every(spine_has_ports, leaf_has_ports), bundle, 1),
            "1",
            label={"en": f"{bundle} links from each leaf to each spine", "zh": f"每对接入-核心交换机 {bundle} 条链路"},
        )
    yield LineItem(
        here.bundle,
        greatest(*(here[f"bundle{bundle}"] for bundle in BUNDLES)),
        "1",
        label={"en": "Links from each leaf to each spine, at most", "zh": "每对接入-核心交换机链路数上限"},
    )
    yield LineItem(
        here.spines,
        when(
            at_most(here.tiers, FEWEST),
            count_of(0, "switch"),
            greatest(here.fewest_spines, count_of(round_up(ups / here.bundle), "switch")),
        ),
        "switch",
        label={"en": "Spines, evenly joined (two tiers)", "zh": "核心交换机(两层, 均匀连接)"},
        source=SUPERPOD,
    )
