"""What figures rest on: the inputs and catalogue facts below them, along the branches that were taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from capframe import Call, LookUp, Member, column_of, key_of, refs, taken, walk, when

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capframe import Expr, Results, Values


@frozen
class Trail:
    """Inputs by key, and facts by the key of the pick and the column, in the order in which they were met."""

    inputs: dict[str, None] = field(factory=dict)
    facts: dict[tuple[str, str], None] = field(factory=dict)


def trail_of(results: Results, keys: Iterable[str], scenario: str) -> Trail:
    """Return what the figures of ``keys`` rest on in a scenario."""
    scope, found = results.scope(scenario), Trail()
    seen, ahead = set(keys), list(keys)
    while ahead:
        key = ahead.pop(0)
        if key in results.plan.inputs:
            found.inputs[key] = None
            continue
        formula = results.ledger.lines[key].formula
        read = dict.fromkeys([*_decided_by(formula), *_read(taken(formula, scope), scope, found)])
        below = [name for name in read if name not in seen]
        seen.update(below)
        ahead.extend(below)
    return found


def _decided_by(formula: Expr) -> Iterator[str]:
    """Yield the keys that decide which branch is taken: ``taken`` keeps the branch alone."""
    for node in walk(formula):
        if isinstance(node, Call) and node.function is when:
            yield from refs(node.args[0])


def _read(formula: Expr, scope: Values, found: Trail) -> Iterator[str]:
    """Yield the keys that a formula reads, and note the facts that it looks up."""
    yield from refs(formula)
    for node in walk(formula):
        if isinstance(node, LookUp):
            found.facts[key_of(node.pick), column_of(node, scope)] = None
        elif isinstance(node, Member):
            yield f"{node.group}.{scope[key_of(node.pick)]}"
