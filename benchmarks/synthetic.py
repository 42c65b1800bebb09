"""Ledgers of any size: lines that read inputs and one another as estimators' lines do."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from capframe import (
    Collection,
    Given,
    Host,
    LineItem,
    at_most,
    hookimpl,
    least,
    load,
    nested,
    quantity,
    round_up,
    total,
    when,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe import Plan

INPUTS = 10


@frozen(kw_only=True)
class Ten:
    """Ten numbers."""

    a: Given = quantity("1", label="a", default="2")
    b: Given = quantity("1", label="b", default="3")
    c: Given = quantity("kW", label="c", default="4 kW")
    d: Given = quantity("W", label="d", default="500 W")
    e: Given = quantity("1", label="e", default="6")
    f: Given = quantity("h", label="f", default="7 h")
    g: Given = quantity("d", label="g", default="8 d")
    h: Given = quantity("1", label="h", default="9")
    i: Given = quantity("1", label="i", default="10")
    j: Given = quantity("1", label="j", default="11")


@frozen(kw_only=True)
class Farm:
    """A member of a collection."""

    x: Ten = nested(Ten)


def lines(farm: Any, count: int) -> Iterator[LineItem]:
    """Yield lines of one member, each of which reads inputs and the one before."""
    x, before = farm.x, farm.x.a
    for number in range(count):
        key = farm.lines[f"l{number}"]
        formula, unit = (
            (before * x.b / x.e, "1"),
            (when(at_most(before, x.h), before + x.i, before / x.j), "1"),
            (least(before, x.i) * x.c + x.d, "kW"),
            (before * x.g / x.f, "1"),
            (round_up(before / x.e) + total(x.a, x.b, x.e, x.h), "1"),
        )[number % 5]
        yield LineItem(key, formula, unit, label=f"Line {number}")
        if unit == "1":
            before = key


class Synthetic:
    """A plugin that declares a collection and so many lines for each of its members."""

    def __init__(self, count: int) -> None:
        """Keep how many."""
        self.count = count

    @hookimpl
    def capframe_sections(self) -> list[Collection]:
        """Declare the collection."""
        return [Collection("farms", Farm, "Farms")]

    @hookimpl
    def capframe_line_items(self, plan: Any, p: Any) -> Iterator[LineItem]:
        """Yield the lines."""
        for name in plan.farms:
            yield from lines(p.farms[name], self.count)


def plan_of(count: int, members: int = 1, scenarios: int = 0) -> Plan:
    """Return a plan of ``members`` with ``count`` lines each, and scenarios that change one input."""
    text = "capframe: 1\ntitle: Synthetic\ndate: 2026-11-29\nfarms:\n"
    text += "".join(f"  m{number}: {{x: {{a: 3}}}}\n" for number in range(members))
    if scenarios:
        text += "scenarios:\n" + "".join(f"  s{number}: {{farms.m0.x.b: {number}}}\n" for number in range(scenarios))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.yaml"
        path.write_text(text, encoding="utf-8")
        return load(path, host=Host(extra={"synthetic": Synthetic(count)}))
