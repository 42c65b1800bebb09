"""On a sheet every line stands below what it reads; blocks that read each other are cut, as seldom as can be."""

from __future__ import annotations

import pytest

from capframe_plugins.workbook.flow import Block, downwards

CASES = {
    "as they are": ({"pool": "ab", "plan": "cd"}, {"d": "ab"}, ["pool ab", "plan cd"]),
    "facts of the plan first": ({"pool": "ab", "plan": "cd"}, {"a": "d"}, ["plan cd", "pool ab"]),
    "a total behind": ({"pool": "ab", "plan": "cd"}, {"a": "c", "b": "c", "d": "b"}, ["plan c", "pool ab", "plan d"]),
    "a workload that reads its pool": (
        {"workload": "abc", "pool": "de"},
        {"e": "a", "c": "e"},
        ["workload ab", "pool de", "workload c"],
    ),
    "lines of one block may read each other": ({"pool": "abc"}, {"b": "a", "c": "ab"}, ["pool abc"]),
    "nothing": ({}, {}, []),
}


@pytest.mark.parametrize(("blocks", "reads", "wanted"), CASES.values(), ids=CASES)
def test_blocks_are_put_in_the_order_of_reading(blocks, reads, wanted):
    given = [Block(title, tuple(keys)) for title, keys in blocks.items()]
    known = {key: frozenset(reads.get(key, "")) for keys in blocks.values() for key in keys}
    assert [f"{one.title} {''.join(one.keys)}" for one in downwards(given, known)] == wanted
