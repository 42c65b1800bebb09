"""What people type into plans, in YAML and in TOML, and what goes wrong elsewhere: through real plans.

Each test is a mishap that was reported in public (numbers read as text, part numbers as infinity, ``NO`` as False,
``010`` as 8 …); the comment says what went wrong there.
"""

from __future__ import annotations

import pytest

from capframe.errors import PlanError
from capframe.loading import load

YAML = """\
capframe: 1
title: As typed
date: 2026-11-29
revision: {revision}
workloads:
  w: {{pool: main, model: {{parameters: {parameters}}}, tokens: {tokens}, mfu: {mfu}}}
pools:
  main: {{accelerator: nvidia/a100-sxm4-80gb, count: {count}}}
power: {{pue: {pue}}}
prices:
  - {{part: nvidia/a100-sxm4-80gb, price: '{price}', vat: excluded, per: card, source: {source}}}
"""
TOML = """\
capframe = 1  # what is `capframe: 1` in YAML
title = "As typed"
date = 2026-11-29
revision = {revision}
power.pue = {pue}
[workloads.w]
pool = "main"
model.parameters = {parameters}
tokens = {tokens}
mfu = {mfu}
[pools.main]
accelerator = "nvidia/a100-sxm4-80gb"
count = {count}
[[prices]]
part = "nvidia/a100-sxm4-80gb"
price = '{price}'
vat = "excluded"
per = "card"
source = {source}
"""
USUAL = {
    "revision": "1", "parameters": "70e9", "tokens": "1e12", "mfu": "0.4", "count": "8", "pue": "1.2",
    "price": "75000 CNY", "source": "quotation",
}  # fmt: skip
AT = {"mfu": "6:65", "pue": "9:14", "tokens": "6:54", "count": "8:53", "price": "11:42"}


@pytest.fixture
def typed(plan_file):
    """Load a plan with some texts as they were typed, in YAML or in TOML."""

    def read(kind="yaml", **said):
        form, quotes = (YAML, "") if kind == "yaml" else (TOML, '"')
        words = USUAL | {"source": f"{quotes}quotation{quotes}"} | said
        return load(plan_file(form.format(**words), f"plan.{kind}"))

    return read


def refused(typed, **said):
    with pytest.raises(PlanError) as caught:
        typed(**said)
    return str(caught.value)


TRILLION = ["1e12", "1.0e12", "1.0e+12", "1E12", "1_000_000_000_000", "1000000000000"]


@pytest.mark.parametrize("text", [*TRILLION, "1T", "1万亿", "'1,000,000,000,000'"])
def test_every_spelling_of_a_trillion_in_yaml(typed, text):
    """`1e12` arrived as text, and 2 · '1e12' was '1e121e12'."""
    assert typed(tokens=text).inputs["workloads.w.tokens"].base.value == 1e12


@pytest.mark.parametrize("text", [*TRILLION, '"1T"', '"1万亿"', "'1e12'"])
def test_every_spelling_of_a_trillion_in_toml(typed, text):
    assert typed("toml", tokens=text).inputs["workloads.w.tokens"].base.value == 1e12


@pytest.mark.parametrize(
    "text", ["910E2", "695e0514", "2E5", "0555567", "NO", "on", "1.10", "2026-11-29", "~x", "0x1F"]
)
def test_texts_stay_texts(typed, text):
    """`695e0514` became infinity, `0555567` 187255, `NO` False, `1.10` 1.1."""
    plan = typed(revision=text, source=text)
    assert plan.header.revision == text
    assert plan.inputs["prices.nvidia/a100-sxm4-80gb"].base.origin.source == text


def test_a_revision_keeps_its_last_zero_in_toml_too(typed):
    assert typed("toml", revision="1.10").header.revision == "1.10"


def test_leading_zeros_are_no_octal_numbers(typed):
    """`010` was 8, and `08` text."""
    assert typed(count="010").inputs["pools.main.count"].base.value == 10
    assert typed(count="08").inputs["pools.main.count"].base.value == 8
    assert "not TOML" in refused(typed, kind="toml", count="010")


def test_a_key_twice_is_refused_with_both_lines(plan_file):
    """The last one silently won."""
    text = YAML.format(**USUAL) + "power: {pue: 1.5}\nworkloads: {}\n"
    with pytest.raises(PlanError) as caught:
        load(plan_file(text))
    assert str(caught.value).splitlines() == [
        "plan.yaml:12:1: 'power' stands twice, first on line 9; keep one",
        "plan.yaml:13:1: 'workloads' stands twice, first on line 5; keep one",
    ]
    with pytest.raises(PlanError, match=r"plan.toml:7:8: not TOML: Cannot overwrite a value$"):
        load(plan_file('a = "capframe:"\n[power]\npue = 1\ncooling = "air"\n\n\npue = 2\n', "plan.toml"))


def test_a_merged_block_is_replaced_whole_and_what_is_lacking_then_is_said(plan_file):
    """YAML's `<<` does not merge blocks within; the lost key was silently a default."""
    text = YAML.format(**USUAL).replace(
        "pools:\n",
        "  v: &v {pool: main, model: {parameters: 7B, layers: 32}, tokens: 1T, mfu: 40%}\n"
        "  u: {<<: *v, model: {layers: 80}, tokens: 2T}\npools:\n",
    )
    plan = load(plan_file(text))
    assert plan.inputs["workloads.u.tokens"].base.value == 2e12
    assert plan.inputs["workloads.u.mfu"].base.value == 0.4
    assert plan.inputs["workloads.u.model.layers"].base.value == 80
    assert plan.inputs["workloads.u.model.parameters"].base.value != 7e9  # gone with the block


def test_a_scenario_changes_single_inputs_and_keeps_the_rest(plan_file):
    text = YAML.format(**USUAL) + "scenarios: {s: {workloads: {w: {mfu: 30%}}, power.pue: 1.5}}\n"
    plan = load(plan_file(text))
    given = {key: one.given("s").value for key, one in plan.inputs.items()}
    assert (given["workloads.w.mfu"], given["power.pue"], given["workloads.w.tokens"]) == (0.3, 1.5, 1e12)


def test_an_input_twice_in_a_scenario_is_refused(plan_file):
    text = YAML.format(**USUAL) + "scenarios: {s: {power.pue: 1.5, power: {pue: 1.4}}}\n"
    with pytest.raises(PlanError, match=r"plan.yaml:12:41: 'power.pue' stands twice in this scenario; keep one"):
        load(plan_file(text))


def test_every_misspelt_key_is_told_at_once(plan_file):
    """A misspelt key was dropped, and the default counted; mistakes came one at a time."""
    text = YAML.format(**USUAL | {"count": "x"}).replace("pue:", "puue:") + "netwrk: {oversub: 2}\n"
    with pytest.raises(PlanError) as caught:
        load(plan_file(text))
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == ["plan.yaml:8:53", "plan.yaml:9:9", "plan.yaml:12:1"]
    assert "'x' is not a number" in lines[0]
    assert "unknown key 'puue'; did you mean 'pue'?" in lines[1]
    assert "unknown key 'netwrk'; did you mean 'network'?" in lines[2]


@pytest.mark.parametrize(
    ("field", "text", "what"),
    [
        ("parameters", "70GB", "'70GB' is in GB, which is not parameter"),
        ("tokens", "400G", "'400G': amounts of token are shortened by K, M, B and T"),
        ("mfu", "40", "did you mean `40%`?"),  # 40 is no share
        ("mfu", "130%", "'130%' is above"),
        ("price", "1,250,000", "`1,250,000 CNY`"),  # what it is for one of stands beside it, in `per`
        ("pue", ".nan", "'.nan' is no number that a plan can hold"),
        ("mfu", ".inf", "'.inf' is no number that a plan can hold"),
        ("price", "inf", "'inf' is no number that a plan can hold"),
        ("tokens", "1e999", "'1e999' is too large"),
    ],
)
def test_what_is_no_figure_is_refused_where_it_stands(typed, field, text, what):
    message = refused(typed, **{field: text})
    assert what in message
    assert message.startswith(f"plan.yaml:{AT.get(field, '')}")


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "+nan"])
def test_nan_and_infinity_of_toml_are_refused(typed, text):
    """They are legal numbers there, and went into workbooks."""
    message = refused(typed, kind="toml", pue=text)
    assert (
        message
        == f"plan.toml:5:13: {text!r} is no number that a plan can hold; leave the field out where nothing is known"
    )


@pytest.mark.parametrize(("text", "value"), [("5%", 0.05), ("40 %", 0.4), ("0.4", 0.4), ("4e-1", 0.4)])
def test_percentages_are_shares(typed, text, value):
    assert typed(mfu=text).inputs["workloads.w.mfu"].base.value == value


def test_thousands_may_be_separated(typed):
    plan = typed(price="1,250,000 CNY")
    assert plan.inputs["prices.nvidia/a100-sxm4-80gb"].base.value == 1_250_000


def test_both_spellings_of_a_plan_give_the_same_figures(typed):
    yaml, toml = typed(), typed("toml")
    assert yaml.header.digest == toml.header.digest != typed(mfu="0.41").header.digest
    one, other = (plan.ledger().evaluate() for plan in (yaml, toml))
    assert {key: repr(one.value(key)) for key in one.ledger.lines} == {
        key: repr(other.value(key)) for key in other.ledger.lines
    }
