"""Plans in TOML: numbers keep their text, everything knows its place, and the YAML twin means the same."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe.document import Items, Table, canonical, digest, parse_toml, parse_yaml, read_document
from capframe.errors import PlanError


def parse(text):
    return parse_toml(text.encode() if isinstance(text, str) else text, "plan.toml")


def texts(node):
    if isinstance(node, Table):
        return {key: texts(below) for key, below in node.nodes.items()}
    return [texts(below) for below in node.nodes] if isinstance(node, Items) else node.text


def refusal(text):
    with pytest.raises(PlanError) as caught:
        parse(text)
    return str(caught.value)


# ---------------------------------------------------------------- what is written stays

AS_WRITTEN = [
    ("1.10", "1.10"), ("1e12", "1e12"), ("1.0e+12", "1.0e+12"), ("1_000", "1_000"), ("0x10", "0x10"), ("-0.0", "-0.0"),
    ("true", "true"), ("inf", "inf"), ("nan", "nan"), ("2026-11-29", "2026-11-29"),
    ("2026-11-29 07:30:00Z", "2026-11-29 07:30:00Z"), ("07:30:00", "07:30:00"),
    ('"40%"', "40%"), ("'NO'", "NO"), (r'"a\tb\u4e2d"', "a\tb中"), (r"'a\tb'", r"a\tb"), ('""', ""),
    ('"a # b = c"', "a # b = c"), ('"""\na\n"b" c"""', 'a\n"b" c'), ("'''a'b'''", "a'b"), ('"""a""""', 'a"'),
    ('"""a \\\n   b"""', "a b"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "text"), AS_WRITTEN)
@pytest.mark.parametrize("frame", ["{}", "[{}]", "{{x = {}}}"])
def test_every_scalar_stays_text(frame, written, text):
    if frame != "{}" and "\n" in written and "x" in frame:
        pytest.skip("an inline table of TOML 1.0 is one line")
    node = parse(f"key = {frame.format(written)} # a comment\nb = 1\n")
    below = texts(node)["key"]
    assert (below["x"] if isinstance(below, dict) else below[0] if isinstance(below, list) else below) == text
    assert texts(node)["b"] == "1"


PLAN = """\
# a plan
title = "Mozi"            # who
"ключ".b = 'c'

[pools.main]
count = 8
tags = [ "a", # first
  "b",
]

[[prices]]
part = "a"
[[prices.steps]]
at = 1
[[prices.steps]]
at = 2
[[prices]]
part = "b"
[prices.terms]
vat = "excluded"
"""


def test_tables_and_arrays_of_tables():
    assert texts(parse(PLAN)) == {
        "title": "Mozi",
        "ключ": {"b": "c"},
        "pools": {"main": {"count": "8", "tags": ["a", "b"]}},
        "prices": [
            {"part": "a", "steps": [{"at": "1"}, {"at": "2"}]},
            {"part": "b", "terms": {"vat": "excluded"}},
        ],
    }


def test_everything_knows_its_place():
    document = parse(PLAN)
    main = document.nodes["pools"].nodes["main"]
    assert str(document.nodes["title"].place) == "plan.toml:2:9"
    assert str(document.keys["title"]) == "plan.toml:2:1"
    assert str(document.nodes["ключ"].nodes["b"].place) == "plan.toml:3:12"
    assert str(document.nodes["ключ"].keys["b"]) == "plan.toml:3:8"
    assert str(document.nodes["pools"].keys["main"]) == "plan.toml:5:8"
    assert str(main.nodes["count"].place) == "plan.toml:6:9"
    assert [str(node.place) for node in main.nodes["tags"].nodes] == ["plan.toml:7:10", "plan.toml:8:3"]
    assert [str(node.place) for node in document.nodes["prices"].nodes] == ["plan.toml:11:1", "plan.toml:17:1"]


def test_windows_line_ends_and_a_byte_order_mark_change_nothing():
    assert texts(parse(PLAN.replace("\n", "\r\n").encode("utf-8-sig"))) == texts(parse(PLAN))
    assert str(parse(PLAN.replace("\n", "\r\n")).nodes["pools"].place) == "plan.toml:5:1"


# ---------------------------------------------------------------- refusals

QUOTES = "; texts, and numbers with a unit or a %, stand in quotes:"
REFUSED = [
    ("a = 1\nmfu = 40%\n", f'plan.toml:2:9: not TOML: Expected newline or end of document after a statement{QUOTES} "40%"'),  # noqa: E501
    ("price = 75000 CNY # each\n", '"75000 CNY"'),
    ("part = nvidia/a100\n", f'plan.toml:1:8: not TOML: Invalid value{QUOTES} "nvidia/a100"'),
    ("[power]\npue = 1.2\ncooling = 'air'\npue = 1.5\n", "plan.toml:4:10: not TOML: Cannot overwrite a value"),
    ("[pools]\na = 1\n[pools]\n", "plan.toml:3:7: not TOML: Cannot declare ('pools',) twice"),
    ("k = 010\n", "plan.toml:1:6: not TOML: Expected newline"),
    ('a = "x\n', "plan.toml:1:7: not TOML: Illegal character '\\n'"),
    ("a = {b = 250,000 CNY}\n", 'plan.toml:1:10: a comma separates entries; write "250,000 CNY" in quotes'),
    ("a = [1\n", "plan.toml:1:7: not TOML: Unclosed array"),
    # the first bracket stands in column 5, the one a hundred levels deeper in 105; the next is refused
    (f"a = {'[' * 150}{']' * 150}\n", "plan.toml:1:106: the document is nested too deeply"),
    (f"a = {'[' * 50_000}", "plan.toml:1:1: the document is nested too deeply"),
    (f"{'.'.join('a' * 200)} = 1\n", "plan.toml:1:1: the document is nested too deeply"),
    ("a = '墨子'\n".encode("gbk"), "plan.toml:1:1: the file is not UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "what"), REFUSED)
def test_refusals_name_the_place(text, what):
    assert what in refusal(text)


# ---------------------------------------------------------------- the twin in YAML

YAML = """\
capframe: 1
title: Mozi
revision: 1.10
date: 2026-11-29
prices: [{part: a, price: 75000 CNY}, {part: b, price: 1e5 CNY}]
pools: {main: {count: 1000, auto: true}}
scenarios:
  domestic:
    pools.main.accelerator: huawei/ascend-910c-752
    workloads.pretrain.mfu: {value: 30%, low: 25%}
"""
TOML = """\
capframe = 1
date = 2026-11-29
title = "Mozi"
revision = 1.10

[scenarios.domestic]
workloads.pretrain.mfu = { low = "25%", value = "30%" }
"pools.main.accelerator" = "huawei/ascend-910c-752"

[pools.main]
auto = true
count = 1000

[[prices]]
part = "a"
price = "75000 CNY"
[[prices]]
part = "b"
price = "1e5 CNY"
"""


def test_the_same_plan_has_one_canonical_form():
    yaml, toml = parse_yaml(YAML.encode(), "plan.yaml"), parse(TOML)
    assert canonical(yaml) == canonical(toml)
    assert digest(yaml) == digest(toml)
    assert json.loads(canonical(toml))["revision"] == "1.10"


def test_the_hash_follows_what_is_written_and_not_how():
    assert digest(parse("a = 1\nb = 2\n")) == digest(parse("# note\nb=2\na=1")) != digest(parse("a = 1\nb = 3\n"))
    # printf {"a":"1"} | sha256sum
    assert digest(parse("a = 1")) == "9afeb0f2b203f254312ec8ded441d0318b7c34c57f8695ede42d2215a30c0960"


def test_the_suffix_says_how_a_file_is_read(tmp_path):
    for name, text in (("p.yaml", "a: 1.10\n"), ("p.yml", "a: 1.10\n"), ("p.toml", "a = 1.10\n")):
        (tmp_path / name).write_text(text)
        assert texts(read_document(tmp_path / name)) == {"a": "1.10"}


def test_files_that_are_no_plans_are_not_read_to_their_end(tmp_path):
    (tmp_path / "p.yaml").write_bytes(b"a: 1\n" * 2_000_001)
    with pytest.raises(PlanError, match="the file has more than 10 MB"):
        read_document(tmp_path / "p.yaml")


# ---------------------------------------------------------------- what must always hold

keys = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=5)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
trees = st.recursive(
    words, lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=3), max_leaves=12
)


def written(tree):
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {written(below)}" for key, below in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(written, tree)) + "]"
    return json.dumps(tree).replace("\x7f", "\\u007f")


@given(st.dictionaries(keys, trees, max_size=4))
def test_the_scanner_reads_what_the_library_reads(tree):
    text = "".join(f"{json.dumps(key)} = {written(below)}\n" for key, below in tree.items())
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # pairs of surrogates, which JSON writes and TOML refuses
    assert texts(parse(text)) == expected
