"""Documents: every scalar stays text and knows its place; mistakes are told with line and column."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe.document import Items, Place, Scalar, Table, parse_yaml, read_document, read_yaml
from capframe.errors import PlanError


def parse(text):
    return parse_yaml(text.encode() if isinstance(text, str) else text, "plan.yaml")


def refusal(text):
    with pytest.raises(PlanError) as caught:
        parse(text)
    return str(caught.value).splitlines()


def texts(node):
    """Return a document without its places."""
    if isinstance(node, Table):
        return {key: texts(below) for key, below in node.nodes.items()}
    return [texts(below) for below in node.nodes] if isinstance(node, Items) else node.text


# ---------------------------------------------------------------- scalars stay text

AS_WRITTEN = [
    "1e12", "1.0e+12", "010", "08", "0555567", "1.10", "2:1", "1:30:00", "NO", "on", "yes", "910E2", "695e0514", "2E5",
    "1,250,000", "5%", "2026-11-29", "0x10", "0o17", ".nan", ".inf", "true", "1_000", "1.5万亿", "a：b", "=1+1",
]  # fmt: skip


@pytest.mark.parametrize("text", AS_WRITTEN)
def test_every_scalar_stays_text(text):
    node = parse(f"key: {text}\n").nodes["key"]
    assert (node.text, node.blank) == (text, False)


def test_tags_build_nothing():
    assert texts(parse("a: !!python/object/apply:os.system [echo]\nb: !!int '1'\n")) == {"a": ["echo"], "b": "1"}


def test_blanks_are_told_from_empty_texts():
    document = parse("a:\nb: ~\nc: null\nd: ''\ne: \"null\"\nf: |\n  ~\n")
    assert {key: node.blank for key, node in document.nodes.items()} == {
        "a": True, "b": True, "c": True, "d": False, "e": False, "f": False,
    }  # fmt: skip


def test_everything_knows_its_place():
    document = parse("title: Mozi\npools:\n  main:\n    count: 8\n    tags: [a, b]\n")
    pools = document.nodes["pools"]
    main = pools.nodes["main"]
    assert str(document.nodes["title"].place) == "plan.yaml:1:8"
    assert str(document.keys["pools"]) == "plan.yaml:2:1"
    assert str(pools.keys["main"]) == "plan.yaml:3:3"
    assert str(main.place) == "plan.yaml:4:5"
    assert str(main.nodes["count"].place) == "plan.yaml:4:12"
    assert [str(node.place) for node in main.nodes["tags"].nodes] == ["plan.yaml:5:12", "plan.yaml:5:15"]


def test_columns_count_characters_and_not_bytes():
    assert parse("卡数: {数量: 8}\n").nodes["卡数"].nodes["数量"].place == Place("plan.yaml", 1, 10)


# ---------------------------------------------------------------- merge keys

BASE = "base: &b {network: {type: ib, speed: 400Gb/s, rails: 8}, cards: 8}\n"


def test_what_stands_here_goes_before_what_is_merged_and_nested_blocks_are_replaced_whole():
    document = parse(f"{BASE}scenario: {{<<: *b, network: {{type: roce}}}}\n")
    assert texts(document.nodes["scenario"]) == {"network": {"type": "roce"}, "cards": "8"}
    assert str(document.nodes["scenario"].keys["cards"]) == "plan.yaml:1:58"  # where a person has to look


def test_of_several_merged_the_first_goes_before_the_others():
    document = parse("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {z: 9, <<: [*a, *b]}\n")
    assert texts(document.nodes["c"]) == {"x": "1", "y": "1", "z": "9"}


def test_a_quoted_merge_key_is_a_key():
    assert texts(parse("'<<': 1\n")) == {"<<": "1"}


# ---------------------------------------------------------------- refusals

NO_TABS = "a tab stands here; YAML is indented with spaces, never with tabs"
FULL_WIDTH = "a full-width colon ： separates nothing; write `: `"
REFUSED = {
    "a key twice": (
        "facility:\n  pue: 1.2\n  cooling: air\n  pue: 1.5\n",
        ["plan.yaml:4:3: 'pue' stands twice, first on line 2; keep one"],
    ),
    "every key that stands twice": (
        "a: 1\nworkloads: {x: {}, y: {}, x: {}}\na: 2\na: 3\n",
        [
            "plan.yaml:2:27: 'x' stands twice, first on line 2; keep one",
            "plan.yaml:3:1: 'a' stands twice, first on line 1; keep one",
            "plan.yaml:4:1: 'a' stands twice, first on line 1; keep one",
        ],
    ),
    "a key of numbers twice": ("1: a\n1: b\n", ["plan.yaml:2:1: '1' stands twice, first on line 1; keep one"]),
    "a tab": ("power:\n\tpue: 1.2\n", [f"plan.yaml:2:1: {NO_TABS}"]),
    "a tab behind": ("a: 1\n\tb: 2\n", [f"plan.yaml:2:1: {NO_TABS}"]),
    "a tab after blanks": ("a: 1\n  \tb: 2\n", [f"plan.yaml:2:3: {NO_TABS}"]),
    "a full-width colon on top": ("价格：3\n卡数: 8\n", [f"plan.yaml:1:3: {FULL_WIDTH}"]),
    "a full-width colon in the middle": ("标题: x\n价格：3\n卡数: 8\n", [f"plan.yaml:2:3: {FULL_WIDTH}"]),
    "a full-width colon at the end": ("标题: x\n价格：3\n", [f"plan.yaml:2:3: {FULL_WIDTH}"]),
    "a full-width colon within": ("power:\n  价格：3\n  pue: 1\n", [f"plan.yaml:2:5: {FULL_WIDTH}"]),
    "nothing but a full-width colon": ("价格：3\n", [f"plan.yaml:1:3: {FULL_WIDTH}"]),
    # Where a full-width colon is rightly used, it is not to blame for what is wrong below.
    "full-width colons in a comment": (
        "# 说明：方案\na: 1 # 注：x\nb: [1\n",
        ["plan.yaml:3:4: the `[` that opens here is not closed; write `]` where its entries end"],
    ),
    "full-width colons in a value": (
        "note: 说明：方案\nb: [1\n",
        ["plan.yaml:2:4: the `[` that opens here is not closed; write `]` where its entries end"],
    ),
    "nothing": ("", ["plan.yaml:1:1: the document is empty"]),
    "a comment": ("# a plan\n", ["plan.yaml:1:1: the document is empty"]),
    "a list on top": ("- a\n- b\n", ["plan.yaml:1:1: a document starts with keys, such as `capframe: 1`"]),
    "a list of texts on top": ("- a：b\n", ["plan.yaml:1:1: a document starts with keys, such as `capframe: 1`"]),
    "a text on top": ("hello\n", ["plan.yaml:1:1: a document starts with keys, such as `capframe: 1`"]),
    "an alias of itself": ("a: &a [*a]\n", ["plan.yaml:1:4: aliases unfold to too much, or to themselves"]),
    "a list as a key": ("? [a, b]\n: c\n", ["plan.yaml:1:3: a key is a plain text"]),
    "a text merged": ("a: {<<: b}\n", ["plan.yaml:1:5: `<<` takes a mapping, or a list of mappings"]),
    # a hundred levels, from column 4 on, are read; the next one stands in column 104
    "too deep for us": (f"a: {'[' * 600}{']' * 600}", ["plan.yaml:1:104: the document is nested too deeply"]),
    "too deep": (f"a: {'[' * 5000}", ["plan.yaml:1:1003: not YAML: exceeded maximum nesting depth"]),
    "GBK": (
        "title: x\n标题: 墨子\n".encode("gbk"),
        ["plan.yaml:2:1: the file is not UTF-8; save it as UTF-8 (an editor calls it the encoding)"],
    ),
    "UTF-16": (
        "title: x\n".encode("utf-16"),
        ["plan.yaml:1:1: the file is not UTF-8; save it as UTF-8 (an editor calls it the encoding)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_place(name):
    text, lines = REFUSED[name]
    assert refusal(text) == lines


def test_a_control_character_is_read_as_a_code_that_stands_for_none():
    """So that what follows keeps its column; test_texts.py shows how it is taken out and told."""
    document = parse("{a: x\x01y, b: z}")
    assert document.nodes["a"].text == "x\U0010ffffy"
    assert document.nodes["b"].place == Place("plan.yaml", 1, 13)


def test_aliases_of_aliases_are_refused_before_they_fill_the_memory():
    """Nine lines that unfold to 9⁹ texts."""
    names = "abcdefghi"
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in itertools.pairwise(names)
    )
    start = time.process_time()
    [line] = refusal(bomb)
    assert line.endswith("aliases unfold to too much, or to themselves")
    assert time.process_time() - start < 30  # some two seconds; 9⁹ nodes would take hours


def test_a_byte_order_mark_changes_nothing():
    text = "标题: 墨子\n卡数: 8\n"
    assert parse(text.encode("utf-8-sig")) == parse(text)


def test_windows_line_ends_change_nothing():
    assert parse("a: 1\r\nb:\r\n  c: 2\r\n") == parse("a: 1\nb:\n  c: 2\n")


def test_a_file_is_read_as_utf_8_whatever_the_machine_prefers(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_bytes("标题: 墨子\n".encode())
    code = "import sys; from pathlib import Path; from capframe.document import read_yaml; "
    code += "print(ascii(read_yaml(Path(sys.argv[1])).nodes))"
    plain = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}  # Python prefers ASCII then
    done = subprocess.run(
        [sys.executable, "-c", code, path], env=os.environ | plain, capture_output=True, text=True, check=True
    )
    assert ascii("标题") in done.stdout


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(PlanError) as caught:
        read_yaml(tmp_path / "plam.yaml")
    assert str(caught.value) == f"{tmp_path / 'plam.yaml'}: cannot be read: No such file or directory"


# ---------------------------------------------------------------- what must always hold

unprintable = ["Cc", "Cs", "Zl", "Zp"]
words = st.text(st.characters(codec="utf-8", exclude_categories=unprintable, exclude_characters="\ufeff"), max_size=8)
trees = st.recursive(
    words, lambda below: st.lists(below, max_size=3) | st.dictionaries(words, below, max_size=3), max_leaves=12
)


@given(st.dictionaries(words, trees, max_size=4))
def test_what_is_written_is_read(tree):
    from yaml import safe_dump

    assert texts(parse(safe_dump(tree, allow_unicode=True, sort_keys=False))) == tree


letters = st.from_regex("[a-z]{1,6}", fullmatch=True)


@given(st.dictionaries(letters, st.tuples(letters, st.integers(1, 5)), min_size=1))
def test_places_are_where_the_text_stands(mapping):
    text = "".join(f"{key}:{' ' * gap}{value}\n" for key, (value, gap) in mapping.items())
    lines = text.splitlines()
    for key, node in parse(text).nodes.items():
        assert isinstance(node, Scalar)
        assert lines[node.place.line - 1][node.place.column - 1 :] == mapping[key][0]


@pytest.mark.parametrize(("name", "data", "said"), [
    ("plan.yaml", b'capframe = 1\ntitle = "x"\n', "plan.yaml:1:1: this is TOML; let the file's name end in .toml"),
    ("plan.toml", b"capframe: 1\ntitle: x\n", "plan.toml:1:1: this is YAML; let the file's name end in .yaml"),
    ("plan.yaml", b'capframe: 1\ntitle: "x\ndate: 2026-11-29\nrevision: "2"\n', 'plan.yaml:2:8: the quote " '),
    ("plan.xlsx", b"PK\x03\x04 and so on", "is a workbook; give the plan it was made from"),
])  # fmt: skip
def test_a_file_that_is_something_else_says_what_it_is(tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(PlanError) as caught:
        read_document(path)
    assert said in str(caught.value)
