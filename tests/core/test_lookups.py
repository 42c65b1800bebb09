"""What formulas look up: facts of parts, entries of groups, inputs that may be auto; and what finds nothing."""

from __future__ import annotations

import pytest

from capframe import Check, LineItem, Ref, at_least, either, entry, fact
from capframe.errors import PlanError

p = Ref("")

PLAN = """\
capframe: 1
title: T
date: 2026-11-29
workloads:
  pretrain: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%, deadline: 60 d}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000}
power: {pue: 1.2}
rates: {USD: 7.1 CNY/USD}
"""


def line(key, formula, unit="1"):
    return LineItem(key, formula, unit, label="A line")


def check(key, test):
    return Check(key, test, "error", "it does not hold", label="A check")


PROBLEMS = {
    "an unknown fact": (
        {"alpha": [line("extra.x", p.pools.main.accelerator.tdpp * 1, "W/card")]},
        (
            "extra.x (plugin 'alpha'): reads 'pools.main.accelerator.tdpp', which nothing gives: "
            "no fact 'tdpp' of kind 'accelerator'; did you mean 'tdp'?"
        ),
    ),
    "a family of facts": (
        {"alpha": [line("extra.x", p.pools.main.accelerator.peak * 1, "TFLOP/s/card")]},
        (
            "extra.x (plugin 'alpha'): reads 'pools.main.accelerator.peak', which nothing gives; "
            "write fact(pools.main.accelerator, 'peak', by=…)"
        ),
    ),
    "x instead of x.used": (
        {"alpha": [line("extra.x", p.pools.main.count * 2, "card")]},
        "extra.x (plugin 'alpha'): reads 'pools.main.count', which may be auto; read 'pools.main.count.used'",
    ),
    "x instead of x.used, in a check": (
        {"alpha": [check("extra.c", at_least(p.pools.main.count, 3))]},
        "extra.c (plugin 'alpha'): reads 'pools.main.count', which may be auto; read 'pools.main.count.used'",
    ),
    "a look-up of what is no part": (
        {"alpha": [line("extra.x", fact(p.power.pue, "tdp"), "W/card")]},
        "extra.x (plugin 'alpha'): looks up a fact of 'power.pue', which is no part that a plan picks",
    ),
    "a look-up of an unknown fact": (
        {"alpha": [line("extra.x", fact(p.pools.main.accelerator, "tpd"), "W/card")]},
        (
            "extra.x (plugin 'alpha'): there is no fact 'tpd' of kind 'accelerator'; did you mean 'tdp'?, "
            "in `tpd of pools.main.accelerator`"
        ),
    ),
    "a look-up chosen by a number": (
        {"alpha": [line("extra.x", fact(p.pools.main.accelerator, "peak", by=p.power.pue), "TFLOP/s/card")]},
        (
            "extra.x (plugin 'alpha'): a look-up of 'peak' is chosen by a text, such as a precision, "
            "in `peak (power.pue) of pools.main.accelerator`"
        ),
    ),
    "a family looked up without a word": (
        {"alpha": [line("extra.x", fact(p.pools.main.accelerator, "peak"), "TFLOP/s/card")]},
        (
            "extra.x (plugin 'alpha'): looks up 'peak', which is one fact for each of bf16, fp16, fp8, fp4, tf32, "
            "fp32, fp64; write fact(…, 'peak', by=…)"
        ),
    ),
    "a single fact looked up by a word": (
        {
            "alpha": [
                line("extra.x", fact(p.pools.main.accelerator, "tdp", by=p.workloads.pretrain.precision), "W/card")
            ]
        },
        "extra.x (plugin 'alpha'): looks up 'tdp', which is a single fact; leave out by=",
    ),
    "an entry of no group": (
        {"alpha": [line("extra.x", entry("prizes", p.pools.main.accelerator), "CNY/card")]},
        "extra.x (plugin 'alpha'): reads the group 'prizes', which no plugin declares; did you mean 'prices'?",
    ),
    "an entry for what is no part": (
        {"alpha": [line("extra.x", entry("prices", p.workloads.pretrain.precision), "CNY/card")]},
        (
            "extra.x (plugin 'alpha'): looks up an entry of 'prices' by 'workloads.pretrain.precision', "
            "which picks no part that has one"
        ),
    ),
    "an entry of a group that is not one of parts": (
        {"alpha": [line("extra.x", entry("rates", p.pools.main.accelerator), "CNY/USD")]},
        (
            "extra.x (plugin 'alpha'): looks up an entry of 'rates' by 'pools.main.accelerator', "
            "which picks no part that has one"
        ),
    ),
    "an entry that may be auto": (
        {"alpha": [line("extra.x", entry("prices", p.pools.main.accelerator) * 2, "CNY/card")]},
        "extra.x (plugin 'alpha'): reads an entry of 'prices', which may be auto; write either(entry(…), …)",
    ),
    "a line that may be auto": (
        {
            "alpha": [
                line("extra.given", entry("prices", p.pools.main.accelerator), "CNY/card"),
                line("extra.x", p.extra.given * 2, "CNY/card"),
            ]
        },
        "extra.x (plugin 'alpha'): reads 'extra.given', which may be auto; write either(…, …)",
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_problems_name_plugin_and_line(assembled, name):
    offers, message = PROBLEMS[name]
    with pytest.raises(PlanError) as caught:
        assembled(offers, PLAN)
    assert str(caught.value).startswith(message)
    assert len(caught.value.problems) == 1


def test_every_fact_that_is_read_becomes_one_line(assembled):
    text = PLAN.replace("pools:\n", "pools:\n  b: {accelerator: nvidia/h100-sxm5-80gb, count: 8}\n")
    formula = p.pools.main.accelerator.tdp + p.pools.main.accelerator.tdp
    ledger = assembled({"alpha": [line("extra.x", formula, "W/card")]}, text)
    facts = [key for key in ledger.lines if key.endswith("accelerator.tdp")]
    assert sorted(facts) == ["pools.b.accelerator.tdp", "pools.main.accelerator.tdp"]
    assert ledger.lines[facts[0]].plugin == "cluster"
    assert ledger.evaluate().value("extra.x") == 800  # an A100 SXM has 400 W


def test_entries_of_a_group_that_is_off_are_left_out_too(assembled):
    price = either(entry("prices", p.pools.main.accelerator), 1)
    offers = {"alpha": [line("extra.x", price, "CNY/card")]}
    ledger = assembled(offers, PLAN, off=["cost"])
    assert "extra.x: reads prices, which no active plugin declares" in ledger.left_out


GIVEN = [("75000 CNY", 75000), ("auto", None)]


@pytest.mark.parametrize(("price", "value"), GIVEN)
def test_an_entry_is_what_the_plan_gives_for_the_part_that_is_picked(assembled, price, value):
    text = f"{PLAN}prices: [{{part: nvidia/a100-sxm4-80gb, price: {price}, vat: excluded, per: card}}]\n"
    formula = either(entry("prices", p.pools.main.accelerator), 1 * p.pools.main.cards.price_listed)
    results = assembled({"alpha": [line("extra.x", formula, "CNY/card")]}, text).evaluate()
    if value:
        assert results.value("extra.x") == value
    else:
        assert results.reason("extra.x") == results.reason("pools.main.cards.price_listed")
