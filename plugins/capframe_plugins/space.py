"""The room that it takes: rack units and weight of what is bought, and the racks that hold it."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from attrs import frozen

from capframe import (
    Area,
    CatalogFile,
    Check,
    Given,
    LineItem,
    Outline,
    RecordKind,
    Ref,
    Section,
    UnitDefinition,
    at_least,
    at_most,
    equal,
    every,
    first_known,
    given_or_computed,
    hookimpl,
    known,
    known_or_zero,
    least,
    number_of,
    pick,
    quantity,
    round_down,
    round_up,
    same,
    say,
    text,
    total,
    when,
)
from capframe_plugins.roles import as_far_as_known, beside_cards, cards_of, lacks, of, sums_by_role

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_RACKS = ("it", "facility")
"""The roles that take rack units: parts are inside other equipment, and spares lie on a shelf."""


@frozen(kw_only=True)
class Space:
    """What a rack offers."""

    usable: Given = quantity(
        "U/rack",
        label={"en": "Usable rack units of a rack", "zh": "每机柜可用高度(U)"},
        default="38 U/rack",
        low=1,
        high=100,
        between=("36 U/rack", "42 U/rack"),
        source={
            "en": "planning value: a rack of 42 U less 4 U for power strips, patch panels and cables",
            "zh": "规划值: 42U 机柜扣除配电、配线与理线约 4U",
        },
    )
    rack_power: Given = quantity(
        "kW/rack",
        label={"en": "Power that a rack can feed and cool", "zh": "单机柜供电与散热上限"},
        optional=True,
        low=1,
        high=1000,
    )


@frozen(kw_only=True)
class PoolSpace:
    """The servers that the cards of a pool come in."""

    server: Given = pick("server", label={"en": "Server", "zh": "服务器"}, optional=True)
    rack_units: Given = quantity(
        "U/server",
        label={"en": "Rack units of a server", "zh": "单台服务器高度(U)"},
        auto=True,
        low=0.5,
        high=100,
        note={"en": "auto: those of the server that is picked", "zh": "自动: 取所选服务器的数值"},
    )
    weight: Given = quantity(
        "kg/server",
        label={"en": "Weight of a server", "zh": "单台服务器重量"},
        auto=True,
        low=5,
        high=5000,
        note={"en": "auto: that of the server that is picked", "zh": "自动: 取所选服务器的数值"},
    )


@frozen(kw_only=True)
class Server:
    """What a record of kind server may say: everything is per server."""

    accelerator: Given = text(label={"en": "Accelerator", "zh": "加速卡"})
    cards: Given = quantity("card/server", label={"en": "Cards", "zh": "卡数"}, low=1, high=1024, whole=True)
    power_max: Given = quantity("W/server", label={"en": "Power, maximum", "zh": "最大功耗"}, low=100, high=200_000)
    power_budget: Given = quantity(
        "W/server", label={"en": "Power, planning budget", "zh": "规划功耗"}, low=100, high=200_000
    )
    rack_units: Given = quantity("U/server", label={"en": "Rack units", "zh": "机架高度(U)"}, low=1, high=60)
    weight: Given = quantity("kg/server", label={"en": "Weight", "zh": "重量"}, low=5, high=1000)
    status: Given = text(label={"en": "Status", "zh": "供货状态"})


@frozen(kw_only=True)
class Rack:
    """What a record of kind rack may say: everything is of the rack, or of the super-node sold as one."""

    accelerator: Given = text(label={"en": "Accelerator", "zh": "加速卡"})
    cards: Given = quantity("card", label={"en": "Cards", "zh": "卡数"}, low=1, high=1e5, whole=True)
    power_max: Given = quantity("W", label={"en": "Power, maximum", "zh": "最大功耗"}, low=1000, high=1e8)
    power_budget: Given = quantity("W", label={"en": "Power, planning budget", "zh": "规划功耗"}, low=1000, high=1e8)
    rack_units: Given = quantity("U", label={"en": "Rack units", "zh": "机架高度(U)"}, low=1, high=1e4)
    weight: Given = quantity("kg", label={"en": "Weight", "zh": "重量"}, low=50, high=1e6)
    status: Given = text(label={"en": "Status", "zh": "供货状态"})


@hookimpl
def capframe_units() -> Iterator[UnitDefinition]:
    yield UnitDefinition("U", counted=False, figure="things")
    yield UnitDefinition("kg", counted=False)
    yield UnitDefinition("rack", many={"en": "racks", "zh": "个机柜"}, one={"zh": "机柜"})


@hookimpl
def capframe_sections() -> Iterator[Area | Section]:
    label = {"en": "Space", "zh": "机柜空间"}
    yield Area(
        "space", label, 65, {"en": "Rack units, weight, and the racks that hold it all", "zh": "机架高度、重量与机柜数"}
    )
    yield Section("space", Space, label)
    yield Section("space", PoolSpace, label, of="pools")


@hookimpl
def capframe_catalogs() -> Iterator[RecordKind | CatalogFile]:
    yield RecordKind("server", Server, {"en": "Servers", "zh": "服务器"})
    yield RecordKind("rack", Rack, {"en": "Racks and super-nodes", "zh": "整机柜与超节点"})
    with as_file(files("capframe.catalogs")) as folder:
        for name in ("racks", "servers"):
            yield CatalogFile(folder / f"{name}.yaml")


@hookimpl
def capframe_line_items(plan: Outline, p: Ref) -> Iterator[LineItem]:
    for name in plan.pools:
        yield from server_lines(p.pools[name])
        yield from rack_lines(p, p.pools[name])
    yield from item_lines(plan, p)
    if plan.pools:
        yield from site_lines(plan, p)


def server_lines(pool: Ref) -> Iterator[LineItem]:
    """Yield the room that the servers of a pool take: that of the server that is picked, or as given."""
    s = pool.space
    yield from given_or_computed(
        s.rack_units,
        s.server.rack_units,
        "U/server",
        label={"en": "Rack units of a server", "zh": "单台服务器高度(U)"},
    )
    yield from given_or_computed(
        s.weight, s.server.weight, "kg/server", label={"en": "Weight of a server", "zh": "单台服务器重量"}
    )
    yield LineItem(
        pool.cards.rack_units,
        pool.servers * s.rack_units.used,
        "U",
        label={"en": "Rack units of the servers", "zh": "服务器高度合计(U)"},
    )
    yield LineItem(
        pool.cards.weight,
        pool.servers * s.weight.used,
        "kg",
        label={"en": "Weight of the servers", "zh": "服务器重量合计"},
    )


def rack_lines(p: Ref, pool: Ref) -> Iterator[LineItem]:
    """Yield how many whole servers go into a rack, by their height and by what a rack can feed, and the racks."""
    s = pool.space
    yield LineItem(
        s.fit,
        round_down(p.space.usable / s.rack_units.used),
        "server/rack",
        label={"en": "Servers that fit into a rack", "zh": "每机柜可容纳服务器(按高度)"},
    )
    yield LineItem(
        s.fed,
        round_down(p.space.rack_power / (pool.power.it / pool.servers)),
        "server/rack",
        label={"en": "Servers that a rack can feed", "zh": "每机柜可容纳服务器(按功率)"},
        stands_alone=True,
    )
    yield LineItem(
        s.per_rack,
        when(known(p.space.rack_power), least(s.fit, s.fed), s.fit),
        "server/rack",
        label={"en": "Servers per rack", "zh": "每机柜服务器台数"},
    )
    yield LineItem(
        s.racks,
        round_up(pool.servers / s.per_rack),
        "rack",
        label={"en": "Racks of servers", "zh": "服务器机柜数"},
    )


def item_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield the rack units and the weight of every other item, once, from the record of its part."""
    for key in beside_cards(plan, "rack_units", IN_RACKS):
        yield LineItem(
            p[key].rack_units,
            p[key] * p[plan.items[key].part].rack_units,
            "U",
            label=of(plan.items[key].label, {"en": "Rack units", "zh": "机架高度(U)"}),
        )
    for key in beside_cards(plan, "weight"):
        yield LineItem(
            p[key].weight,
            p[key] * p[plan.items[key].part].weight,
            "kg",
            label=of(plan.items[key].label, {"en": "Weight", "zh": "重量"}),
        )


def site_lines(plan: Outline, p: Ref) -> Iterator[LineItem]:
    """Yield sums by role, how much of it nobody discloses, and the racks: those of servers, and of the rest."""
    disclosed = {"en": "Rack units, as far as disclosed", "zh": "机架高度(U, 已公开部分)"}
    standing_all = [*cards_of(plan), *beside_cards(plan, "rack_units", IN_RACKS)]
    yield from sums_by_role(plan, p, p.space.rack_units.by_role, standing_all, "rack_units", "U", disclosed)
    disclosed = {"en": "Weight, as far as disclosed", "zh": "重量(已公开部分)"}
    weighed = [*cards_of(plan), *beside_cards(plan, "weight")]
    yield from sums_by_role(plan, p, p.space.weight.by_role, weighed, "weight", "kg", disclosed)
    others = beside_cards(plan, "rack_units", ("it",))
    servers = [p.pools[name].space for name in plan.pools]
    yield LineItem(
        p.space.not_disclosed,
        total(
            *(lacks(p, f"pools.{name}.cards", p.pools[name].space.rack_units.used) for name in plan.pools),
            *(lacks(p, key, p[plan.items[key].part].rack_units) for key in others),
        ),
        "1",
        label={"en": "Items whose rack units are not known", "zh": "机架高度未知的项数"},
    )
    yield LineItem(
        p.space.weights_not_disclosed,
        total(
            *(lacks(p, f"pools.{name}.cards", p.pools[name].space.weight.used) for name in plan.pools),
            *(lacks(p, key, p[plan.items[key].part].weight) for key in beside_cards(plan, "weight")),
        ),
        "1",
        label={"en": "Items whose weight is not known", "zh": "重量未知的项数"},
    )
    if others:
        yield from other_racks(plan, p, others)
    yield LineItem(
        p.space.racks,
        total(*(s.racks for s in servers), *([known_or_zero(p.space.other_racks)] if others else [])),
        "rack",
        label={"en": "Racks", "zh": "机柜数"},
    )


def other_racks(plan: Outline, p: Ref, others: list[str]) -> Iterator[LineItem]:
    """Yield how many of each other item go whole into a rack, by height and by what a rack can feed, and the racks."""
    for key in others:
        item, part = plan.items[key], p[plan.items[key].part]
        fit = round_down(p.space.usable / part.rack_units)
        per_rack = fit
        if "power" in item.facts:  # by height alone where a rack's power, or the part's, is not known
            per_rack = first_known(least(fit, round_down(p.space.rack_power / part.power)), fit)
        yield LineItem(
            p[key].per_rack,
            per_rack,
            f"{item.unit}/rack",
            label=of(item.label, {"en": "In one rack", "zh": "每机柜可容纳数量"}),
        )
        yield LineItem(
            p[key].racks,
            round_up(p[key] / p[key].per_rack),
            "rack",
            label=of(item.label, {"en": "Racks", "zh": "机柜数"}),
        )
    yield LineItem(
        p.space.other_racks,
        as_far_as_known(*(p[key].racks for key in others)),
        "rack",
        label={"en": "Racks of other equipment, as far as disclosed", "zh": "其他设备机柜数(已公开部分)"},
        source={
            "en": "upper bound: each item stands in racks of its own; fewer do where items share one",
            "zh": "偏多估计: 各类设备分柜放置; 混放时可减少",
        },
    )


@hookimpl
def capframe_checks(plan: Outline, p: Ref) -> Iterator[Check]:
    for name in plan.pools:
        pool = p.pools[name]
        s = pool.space
        yield Check(
            s.server_fits,
            at_least(number_of(s.per_rack), 1),
            "error",
            {
                "en": f"a server of {name} is higher than {p.space.usable}, or draws more than {p.space.rack_power}",
                "zh": f"{name} 的服务器高度超过 {p.space.usable}, 或功耗超过 {p.space.rack_power}",
            },
            label={"en": f"A rack holds a server of {name}", "zh": f"{name} 的服务器可装入机柜"},
        )
        yield Check(
            s.server_is_theirs,
            every(
                same(s.server.accelerator, pool.accelerator),
                equal(s.server.cards, pool.cards_per_server.used),
            ),
            "warning",
            {
                "en": f"the server of {name} holds {s.server.cards} of {s.server.accelerator}, and the pool has "
                f"{pool.cards_per_server.used} of {pool.accelerator}",
                "zh": f"{name} 的服务器为 {s.server.cards} {s.server.accelerator}, 算力池为 "
                f"{pool.cards_per_server.used} {pool.accelerator}",
            },
            label={"en": f"The server of {name} is one for its cards", "zh": f"{name} 的服务器与加速卡一致"},
        )
    for key in beside_cards(plan, "rack_units", ("it",)) if plan.pools else ():
        called = plan.items[key].label
        yield Check(
            p[key].rack_holds_one,
            at_least(number_of(p[key].per_rack), 1),
            "error",
            {
                "en": f"{say(called, 'en')}: one is higher than {p.space.usable}, "
                f"or draws more than {p.space.rack_power}",
                "zh": f"{say(called, 'zh-CN')}: 单台高度超过 {p.space.usable}, 或功耗超过 {p.space.rack_power}",
            },
            label=of(called, {"en": "A rack holds one", "zh": "可装入机柜"}),
        )
    if plan.pools:
        yield Check(
            p.space.all_disclosed,
            every(at_least(number_of(p.space.racks), 0), at_most(p.space.not_disclosed, 0)),  # n/a without servers
            "warning",
            {
                "en": f"items whose rack units are not known: {p.space.not_disclosed}; {p.space.racks} lack them",
                "zh": f"{p.space.not_disclosed} 项设备机架高度未知, {p.space.racks} 中缺少该部分",
            },
            label={"en": "The rack units of all equipment are disclosed", "zh": "设备机架高度均已公开"},
        )
