"""What is no YAML is told in words: where the mistake was made, and what to write instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe.document import parse_yaml
from capframe.errors import PlanError

TOGETHER = "keys that belong together start in one column"
COMMA = "a comma is lacking before this: inside {} commas separate entries, and a text that holds `: ` or commas stands in quotes"  # fmt: skip  # noqa: E501
MISTAKES = {
    "no blank behind the colon, told on its own line": (
        "w:\n  pool:main\n  count: 8\n",
        "2:7: a blank is lacking behind the colon; write `pool: main`",
    ),
    "the same on the last line": ("a: 1\nb:3\n", "2:2: a blank is lacking behind the colon; write `b: 3`"),
    "no colon": (
        "title Mozi\ndate: 2026-11-29\n",
        "1:1: no colon stands on this line; write `title: Mozi`, or put a text of several lines in quotes",
    ),
    "no colon on the last line": (
        "a: 1\nfoo\n",
        "2:1: no colon stands on this line; write `foo: …`, or put a text of several lines in quotes",
    ),
    "a colon in a text": (
        "title: 13B: 预训练\n",
        '1:8: the text holds `: `, which ends a key; put it in quotes: `title: "13B: 预训练"`',
    ),
    "a colon in a text with quotes": (
        'title: Plan "B": more  # a note\n',
        "1:8: the text holds `: `, which ends a key; put it in quotes: `title: 'Plan \"B\": more'`",
    ),
    "two keys on a line": (
        "pools: main:\n  count: 8\n",
        "1:8: two keys stand on this line; write `main:` on the next one, indented",
    ),
    # a key may stand beside b, in column 5, or beside a, in column 1
    "three blanks instead of four": (
        "a:\n    b: 1\n   count: 2\n",
        f"3:4: wrong indentation: `count` starts in column 4; what stands above it starts in column 1 or 5, and {TOGETHER}",  # noqa: E501
    ),
    "between three columns": (
        "a:\n    b:\n        c: 1\n   d: 2\n",
        f"4:4: wrong indentation: `d` starts in column 4; what stands above it starts in column 1, 5 or 9, and {TOGETHER}",  # noqa: E501
    ),
    "five blanks instead of four": (
        "a:\n    b: 1\n     count: 2\n",
        f"3:6: wrong indentation: `count` starts in column 6, and above it `b`, which has a value, in column 5; {TOGETHER}",  # noqa: E501
    ),
    "an entry of a list": (
        "a:\n  - b: 1\n   c: 2\n",
        f"3:4: wrong indentation: `c` starts in column 4; what stands above it starts in column 1 or 5, and {TOGETHER}",
    ),
    "a dash among keys": ("a: 1\n- b\n", "2:1: an entry of a list stands among keys; write it below its own key"),
    "a dash behind a key": (
        "a: - 1\n",
        "1:4: an entry of a list starts a line of its own, below the key; a text that starts with `- ` stands in quotes",  # noqa: E501
    ),
    "an @": ("note: @home, or not  # x\n", "1:7: a text that starts with `@` stands in quotes: `'@home, or not'`"),
    "an @ in brackets": ("a: [@x, y]\n", "1:5: a text that starts with `@` stands in quotes: `'@x'`"),
    "a `": ("note: `x`\n", "1:7: a text that starts with ``` stands in quotes: `'`x`'`"),
    "a %": ("mfu: %40\n", "1:6: a text that starts with `%` stands in quotes: `'%40'`"),
    "a *": ("note: ** x\n", "1:7: a text that starts with `*` stands in quotes: `'** x'`"),
    "a >": ("count: > 5\n", "1:8: a text that starts with `>` stands in quotes: `'> 5'`"),
    "a !": ("note: !x!y 1\n", "1:7: a text that starts with `!` stands in quotes: `'!x!y 1'`"),
    "a ?": ("note: ?\n", "1:7: a text that starts with `?` stands in quotes: `'?'`"),
    "braces left open": (
        "a: {b: 1, c: 2\nd: 3\n",
        "1:4: the `{` that opens here is not closed; write `}` where its entries end",
    ),
    "brackets left open": (
        "a: [1, 2\nb: 3\n",
        "1:4: the `[` that opens here is not closed; write `]` where its entries end",
    ),
    "the wrong bracket": ("a: {b: [1}\n", "1:10: `}` stands where the `[` of line 1 is to be closed; write `]`"),
    "a bracket too many": ("a: [1]]\n", "1:7: `]` closes nothing; take it out, or open it before"),
    "no comma in braces": ("a: {b: 1 c: 2}\n", f"1:11: {COMMA.format('braces')}"),
    "no comma in brackets": ("a: ['x' 'y']\n", f"1:9: {COMMA.format('brackets')}"),
    "a comma too many": ("a: [1,,2]\n", "1:7: nothing stands before this comma; write a value, or take it out"),
    "a quote within a text": (
        "note: 'it's'\n",
        "1:11: the text goes on behind its closing '; put the whole of it in \"",
    ),
    "a quote left open in braces": (
        "a: {b: 'x}\n",
        "1:8: the quote ' that opens here is not closed; write another ' where the text ends",
    ),
    "a backslash": (
        'note: "c:\\data"\n',
        "1:10: `\\d` means nothing within double quotes; write the text in single ones",
    ),
    "an anchor twice": (
        "a: &x 1\nb: &x 2\n",
        "2:4: `&x` stands twice, first on line 1; give each block a name of its own",
    ),
    "an unknown alias": (
        "a: *b\n",
        "1:4: `*b` repeats what is marked `&b` above it, and nothing is; a text that starts with `*` stands in quotes",
    ),
    "two documents": (
        "a: 1\n---\nb: 2\n",
        "2:1: `---` starts another document, and a file holds one; take this line out, or split the file",
    ),
}


def refusal(text):
    with pytest.raises(PlanError) as caught:
        parse_yaml(text.encode(), "plan.yaml")
    return str(caught.value).splitlines()


@pytest.mark.parametrize(("text", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_where_it_was_made(text, said):
    assert refusal(text) == [f"plan.yaml:{said}"]


@given(st.text(alphabet="ab:- \n\t{}[],&*!'\"#@|>?%1\x85\u2028", max_size=40))
def test_whatever_is_typed_is_read_or_refused_at_a_place(text):
    try:
        parse_yaml(text.encode(), "plan.yaml")
    except PlanError as fault:
        told = [one.where.startswith("plan.yaml:") for one in fault.problems]
    else:
        told = [True]
    assert all(told)


# ---------------------------------------------------------------- a thousands comma inside braces or brackets

INSIDE = "a comma separates entries inside {}; write `{}`, or put '{}' in quotes"
CUT = {
    "a price": (
        "prices:\n  - {part: x, price: 250,000 CNY, vat: excluded}\n",
        ["2:22: " + INSIDE.format("braces", "250000 CNY", "250,000 CNY")],
    ),
    "millions, and a range": (
        "a: {value: 1,250,000 CNY, low: 900,000 CNY, high: 2,000,000.50 CNY}\n",
        [
            "1:12: " + INSIDE.format("braces", "1250000 CNY", "1,250,000 CNY"),
            "1:32: " + INSIDE.format("braces", "900000 CNY", "900,000 CNY"),
            "1:51: " + INSIDE.format("braces", "2000000.50 CNY", "2,000,000.50 CNY"),
        ],
    ),
    "a plain number": ("a: {count: 1,024}\n", ["1:12: " + INSIDE.format("braces", "1024", "1,024")]),
    "decimals": (
        "a: {price: 1,25 万 CNY, mfu: 40,5%}\n",
        [
            "1:12: a comma separates entries inside braces; write `1.25 万 CNY`",
            "1:29: a comma separates entries inside braces; write `40.5%`",
        ],
    ),
    "in a list": (
        "a: [120,000 CNY, 5 CNY]\n",
        ["1:5: " + INSIDE.format("brackets", "120000 CNY", "120,000 CNY")],
    ),
    "millions in a list": (
        "a: [1,250,000 CNY]\n",
        ["1:5: " + INSIDE.format("brackets", "1250000 CNY", "1,250,000 CNY")],
    ),
}
WHOLE = ["a: [100,200,300]\n", "a: [0,100%]\n", "a: [1,100%]\n", "a: {b: 1,c: 2}\n", "a: {b: 1,2: 3}\n", "a: [1,5 CNY]\n", "a: {b: '1,000 CNY'}\n", "a: 1,000\n"]  # fmt: skip  # noqa: E501


@pytest.mark.parametrize(("text", "said"), CUT.values(), ids=CUT)
def test_a_thousands_comma_is_told_from_one_between_entries(text, said):
    assert refusal(text) == [f"plan.yaml:{one}" for one in said]


@pytest.mark.parametrize("text", WHOLE)
def test_a_comma_between_entries_is_one(text):
    assert parse_yaml(text.encode(), "plan.yaml").nodes
