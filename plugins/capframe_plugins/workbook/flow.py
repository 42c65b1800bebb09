"""The order of rows on a sheet: a reader goes down, and finds above what a line reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@frozen
class Block:
    """A heading and the keys below it."""

    title: str
    keys: tuple[str, ...]


FEW = 4
"""Up to so many blocks each is tried as the first one; of more, the first and the last."""


def downwards(blocks: Sequence[Block], reads: Mapping[str, frozenset[str]]) -> list[Block]:
    """Return blocks of which each line stands below the lines it reads; those that read each other's are cut.

    Of the orders tried it is the one with the fewest headings. ``reads`` holds what each line reads, in an order in
    which nothing comes before what it reads.
    """
    firsts = range(len(blocks)) if len(blocks) <= FEW else (0, len(blocks) - 1)
    return min((_from(first, blocks, reads) for first in firsts), key=len, default=[])


def _from(first: int, blocks: Sequence[Block], reads: Mapping[str, frozenset[str]]) -> list[Block]:
    left = [list(block.keys) for block in blocks]
    waiting = {key for keys in left for key in keys}
    done: list[Block] = []
    while waiting:
        ready = [_ready(keys, waiting, reads) for keys in left]
        whole = [at for at, keys in enumerate(ready) if keys and len(keys) == len(left[at])]
        most = max(range(len(ready)), key=lambda at: len(ready[at]))
        at = first if not done and ready[first] else whole[0] if whole else most
        done.append(Block(blocks[at].title, tuple(ready[at])))
        waiting.difference_update(ready[at])
        left[at] = [key for key in left[at] if key in waiting]
    return done


def _ready(keys: list[str], waiting: set[str], reads: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the lines of a block that read nothing that still waits, but for each other."""
    found: dict[str, None] = {}
    for key in keys:
        if all(name in found or name not in waiting for name in reads[key]):
            found[key] = None
    return list(found)
