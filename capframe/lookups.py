"""What formulas look up: keys, facts of parts, entries of groups; and what no plan could ever give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe.expr import Expr, LookUp, Member, Ref, key_of, refs, walk
from capframe.fields import PickField
from capframe.functions import reads_given

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capframe.catalog import Kind
    from capframe.plan import Plan

ENTRY = "."  # behind the key of a group: an entry of it, whichever


def reads(formula: Expr) -> list[str]:
    """Return the keys that a formula reads, and the groups that it looks entries up in."""
    return [*refs(formula), *(f"{node.group}{ENTRY}" for node in walk(formula) if isinstance(node, Member))]


def groups_of(plan: Plan) -> dict[str, bool]:
    """Return the groups of a plan that have entries, and whether an entry may be auto."""
    return {one.group: one.field.may_be_auto for one in plan.inputs.values() if one.group}


def badly_read(formula: Expr, plan: Plan, lines: Mapping[str, Expr], groups: Mapping[str, bool]) -> Iterator[str]:
    """Yield what is wrong with how a formula reads: what may be auto read as a number, look-ups that find nothing.

    ``groups`` are those of the plan.
    """
    for name in dict.fromkeys(refs(formula)):
        one, line = plan.inputs.get(name), lines.get(name)
        entry_line = isinstance(line, Member) and groups.get(line.group, False)
        if (entry_line or (one is not None and one.field.may_be_auto)) and not reads_given(formula, Ref(name)):
            instead = "write either(…, …)" if entry_line else f"read '{name}.used'"
            yield f"reads {name!r}, which may be auto; {instead}"
    for node in walk(formula):
        if isinstance(node, LookUp):
            yield from _bad_fact(node, _picked(node.pick, plan))
        elif isinstance(node, Member):
            if node.group in groups:  # else it is told as a reference to nothing
                yield from _bad_entry(node, _picked(node.pick, plan), plan)
            if groups.get(node.group, False) and node != formula and not reads_given(formula, node):
                yield f"reads an entry of {node.group!r}, which may be auto; write either(entry(…), …)"


def _picked(pick: Ref, plan: Plan) -> Kind | None:
    """Return the kind of the parts that an input picks, if it picks any."""
    one = plan.inputs.get(key_of(pick))
    return plan.catalog.kinds.get(one.field.kind) if one is not None and isinstance(one.field, PickField) else None


def _bad_fact(node: LookUp, kind: Kind | None) -> Iterator[str]:
    if kind is None:
        yield f"looks up a fact of {key_of(node.pick)!r}, which is no part that a plan picks"
        return
    words = [name.removeprefix(f"{node.column}.") for name in kind.columns if name.startswith(f"{node.column}.")]
    if node.by is None and words:
        each = f"one fact for each of {', '.join(words)}"
        yield f"looks up {node.column!r}, which is {each}; write fact(…, {node.column!r}, by=…)"
    if node.by is not None and node.column in kind.columns:
        yield f"looks up {node.column!r}, which is a single fact; leave out by="


def _bad_entry(node: Member, kind: Kind | None, plan: Plan) -> Iterator[str]:
    if kind is None or any(f"{node.group}.{part}" not in plan.inputs for part in kind.records):
        yield f"looks up an entry of {node.group!r} by {key_of(node.pick)!r}, which picks no part that has one"
