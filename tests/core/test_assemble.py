"""Assembly: clashes, missing references, circles, units; each problem with its plugin, all of a step at once."""

from __future__ import annotations

import itertools
from functools import reduce
from importlib.metadata import EntryPoints, distributions
from operator import add
from types import SimpleNamespace

import pytest

from capframe import (
    Check,
    LineItem,
    Missing,
    Ref,
    at_most,
    discovery,
    fact,
    given_or_computed,
    load,
    same,
    total,
    when,
)
from capframe.assemble import by_role
from capframe.errors import PlanError, PluginError
from capframe.expr import Num, refs
from capframe.units import Units

p = Ref("")
UNITS = Units()

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


def line(key, formula, unit="1", **about):
    return LineItem(key, formula, unit, label="A line", **about)


def check(key, test, message="it does not hold"):
    return Check(key, test, "error", message, label="A check")


PROBLEMS = {
    "two providers of one key": (
        {"alpha": [line("extra.x", 1)], "beta": [line("extra.x", 2)]},
        (
            "extra.x (plugin 'beta'): is given by both 'alpha' and 'beta'; "
            "let one say replaces=True, or switch one off (--no-plugin)"
        ),
    ),
    "one plugin gives a key twice": (
        {"alpha": [line("extra.x", 1), line("extra.x", 2)]},
        (
            "extra.x (plugin 'alpha'): is given by both 'alpha' and 'alpha'; "
            "let one say replaces=True, or switch one off (--no-plugin)"
        ),
    ),
    "two replacements of one line": (
        {
            "alpha": [line("power.it", 1, "kW", replaces=True)],
            "beta": [line("power.it", 2, "kW", replaces=True)],
        },
        "power.it (plugin 'beta'): is replaced by both 'alpha' and 'beta'; switch one off (--no-plugin)",
    ),
    "a fact of the catalogue": (
        {"alpha": [line("pools.main.accelerator.tdp", 400)]},
        "pools.main.accelerator.tdp (plugin 'alpha'): is a fact of the catalogue already; give the line another key",
    ),
    "replacing nothing": (
        {"alpha": [line("power.itt", 1, "kW", replaces=True)]},
        "power.itt (plugin 'alpha'): replaces a line that no plugin gives; did you mean 'power.it'?",
    ),
    "a line under the key of an input": (
        {"alpha": [line("power.pue", 1.3)]},
        "power.pue (plugin 'alpha'): is an input of the plan already; give the line another key",
    ),
    "a key that is none": (
        {"alpha": [line("extra.x y", 1)]},
        "extra.x y (plugin 'alpha'): key 'extra.x y': 'x y' is no name: letters, digits and _ only, a letter first",
    ),
    "a key like a cell": (
        {"alpha": [line("h100.tdp", 1)]},
        "h100.tdp (plugin 'alpha'): key 'h100.tdp' starts like a cell address; put an area in front",
    ),
    "a missing reference": (
        {"alpha": [line("extra.x", p.power.itt * 2, "kW")]},
        "extra.x (plugin 'alpha'): reads 'power.itt', which nothing gives; did you mean 'power.it'?",
    ),
    "every missing reference": (
        {"alpha": [line("extra.x", p.power.peu + p.power.itt)], "beta": [check("extra.c", at_most(p.power.pua, 1))]},
        (
            "extra.x (plugin 'alpha'): reads 'power.peu', which nothing gives; did you mean 'power.pue'?\n"
            "extra.x (plugin 'alpha'): reads 'power.itt', which nothing gives; did you mean 'power.it'?\n"
            "check extra.c (plugin 'beta'): reads 'power.pua', which nothing gives; did you mean 'power.pue'?"
        ),
    ),
    "a missing reference in a sentence": (
        {"alpha": [check("extra.c", at_most(p.power.pue, 1), "the PUE is {power.peu}")]},
        "check extra.c (plugin 'alpha'): reads 'power.peu', which nothing gives; did you mean 'power.pue'?",
    ),
    "a circle": (
        {"alpha": [line("extra.a", p.extra.b), line("extra.b", p.extra.c)], "beta": [line("extra.c", p.extra.a * 2)]},
        "lines read each other in a circle: extra.a → extra.c → extra.b → extra.a (plugins 'alpha', 'beta')",
    ),
    "a line that reads itself": (
        {"alpha": [line("extra.a", p.extra.a + 1)]},
        "lines read each other in a circle: extra.a → extra.a (plugins 'alpha')",
    ),
    "a line closed over another plugin's": (
        {"alpha": [line("power.it", p.power.facility, "kW", replaces=True)]},
        "lines read each other in a circle: power.facility → power.it → power.facility (plugins 'alpha', 'power')",
    ),
    "nan in a formula": (
        {"alpha": [line("extra.x", p.power.pue * Num(float("nan")))]},
        "extra.x (plugin 'alpha'): its formula holds nan; a formula holds finite numbers only",
    ),
    "nan in a check": (
        {"alpha": [check("extra.c", at_most(p.power.pue, float("nan")))]},
        "check extra.c (plugin 'alpha'): its formula holds nan; a formula holds finite numbers only",
    ),
    "inf in a formula": (
        {"alpha": [line("extra.x", p.power.pue + float("inf"))]},
        "extra.x (plugin 'alpha'): its formula holds inf; a formula holds finite numbers only",
    ),
    "FLOP for FLOP/s": (
        {"alpha": [line("extra.x", p.workloads.pretrain.compute.flops * 1, "FLOP/s")]},
        "extra.x (plugin 'alpha'): FLOP is not FLOP/s, in `workloads.pretrain.compute.flops × 1`",
    ),
    "per card for per server": (
        {"alpha": [line("extra.x", p.pools.main.accelerator.tdp * p.pools.main.servers, "W")]},
        "extra.x (plugin 'alpha'): W/card·server is not W, in `pools.main.accelerator.tdp × pools.main.servers`",
    ),
    "kW and kWh": (
        {"alpha": [line("extra.x", p.power.it + p.workloads.pretrain.power.energy, "kW")]},
        "extra.x (plugin 'alpha'): MWh is not kW, in `power.it + workloads.pretrain.power.energy`",
    ),
    "an unknown unit": (
        {"alpha": [line("extra.x", p.power.it, "kw")]},
        "extra.x (plugin 'alpha'): unknown unit 'kw'; did you mean 'kW'?",
    ),
    "an unknown unit, and lines that read its line": (
        {"alpha": [line("extra.x", p.power.it, "kw"), line("extra.y", p.extra.x * 2, "kW")]},
        "extra.x (plugin 'alpha'): unknown unit 'kw'; did you mean 'kW'?",
    ),
    "a comparison as a line": (
        {"alpha": [line("extra.x", at_most(p.power.pue, 2))]},
        "extra.x (plugin 'alpha'): a comparison is not 1, in `power.pue ≤ 2`",
    ),
    "a line as a check": (
        {"alpha": [check("extra.c", p.power.pue * 1)]},
        "extra.c (plugin 'alpha'): a check needs a comparison, not 1",
    ),
    "units in a check": (
        {"alpha": [check("extra.c", at_most(p.power.it, p.power.pue))]},
        "extra.c (plugin 'alpha'): 1 is not kW, in `power.it ≤ power.pue`",
    ),
    "a text for a number": (
        {"alpha": [line("extra.x", when(same(p.workloads.pretrain.precision, "bf16"), "a", "b"))]},
        "extra.x (plugin 'alpha'): text is not 1, in `(“a” if workloads.pretrain.precision is “bf16”, else “b”)`",
    ),
    "a check's key that is none": (
        {"alpha": [check("extra.c d", at_most(p.power.pue, 2))]},
        "check extra.c d (plugin 'alpha'): key 'extra.c d': 'c d' is no name: letters, digits and _ only",
    ),
    "two checks of one key": (
        {"alpha": [check("extra.c", at_most(p.power.pue, 2))], "beta": [check("extra.c", at_most(p.power.pue, 3))]},
        "extra.c (plugin 'beta'): is a check of both 'alpha' and 'beta'; give one another key",
    ),
    "structure read as a value": (
        {"alpha": [line("extra.x", p.workloads.pretrain.pool, "text")]},
        "extra.x (plugin 'alpha'): reads 'workloads.pretrain.pool', which nothing gives",
    ),
    "a symbol alone": (
        {"alpha": [line("extra.x", p + 1)]},
        "extra.x (plugin 'alpha'): reads '', which nothing gives",
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_problems_name_plugin_and_line(assembled, name):
    offers, message = PROBLEMS[name]
    with pytest.raises(PlanError) as caught:
        assembled(offers, PLAN)
    assert str(caught.value).startswith(message)
    assert len(caught.value.problems) == message.count("\n") + 1


def test_long_sums_are_no_deep_formulas(assembled):
    lines = [line("extra.x", total(*[p.power.pue] * 3000)), line("extra.y", reduce(add, [p.power.pue] * 200))]
    results = assembled({"alpha": lines}, PLAN).evaluate()
    assert results.value("extra.x") == pytest.approx(3600)  # 3,000 · 1.2
    assert results.value("extra.y") == pytest.approx(240)  # 200 · 1.2


def test_all_problems_of_a_step_are_told_together(assembled):
    offers = {
        "alpha": [line("extra.x", 1, "card"), line("extra.y", p.power.it, "card")],
        "beta": [line("extra.z", p.power.pue * p.power.it, "FLOP"), check("extra.c", at_most(p.power.it, 1))],
    }
    with pytest.raises(PlanError) as caught:
        assembled(offers, PLAN)
    assert [problem.where for problem in caught.value.problems] == [
        "extra.x (plugin 'alpha')", "extra.y (plugin 'alpha')", "extra.z (plugin 'beta')", "extra.c (plugin 'beta')",
    ]  # fmt: skip


SYMBOL = "TypeError: the hook gives a Ref; it yields its items one by one"
FAULTS = {
    "no line item": (lambda: ["text"], "yields 'text', which is no LineItem"),
    "a check among the lines": (lambda: [check("a.b", at_most(p.x.y, 1))], "yields Check("),
    "one item, not a list": (lambda: line("a.b", 1), "TypeError: the hook gives a LineItem; it yields its items"),
    "a symbol": (lambda p: p.power, SYMBOL),
    "a loop over a symbol": (lambda p: list(p.pools), "TypeError: a formula cannot be iterated; loop over the names"),
    "a condition": (lambda p: [1] if p.power.pue else [], "TypeError: a formula has no truth value; write when("),
    "a fault": (lambda: [1 / 0], "ZeroDivisionError: division by zero (test_assemble.py:"),
    "a fault while it yields": (lambda: (1 / n for n in [0]), "ZeroDivisionError: division by zero (test_assemble.py:"),
    "no label": (lambda: [LineItem("a.b", 1, "1", label="")], "TypeError: 'label' is a text or {'en': …, 'zh': …}"),
    "a unit that is no text": (lambda: [line("a.b", 1, 1)], "TypeError: 'unit' must be <class 'str'> (got 1"),
    "a severity": (
        lambda: [Check("a.b", at_most(p.x.y, 1), "fatal", "m", label="c")],
        "ValueError: 'severity' must be in",
    ),
    "a slot that is open": (
        lambda: [check("a.b", at_most(p.x.y, 1), "needs {x.y")],
        "ValueError: expected '}' before end of",
    ),
    "a look-up by a key": (
        lambda: [line("a.b", fact("pools.main", "tdp"))],
        "TypeError: a look-up needs the input that",
    ),
    "a text as a formula": (lambda: [line("a.b", "p.x * 2")], "TypeError: a line's formula is made of references"),
    "a sum of 201 levels": (
        lambda: [line("a.b", reduce(add, [p.x.y] * 202))],
        "ValueError: a formula is nested more than 200 deep; write total(*terms) for a sum",
    ),
    "a check of 201 levels": (
        lambda: [check("a.b", at_most(reduce(add, [p.x.y] * 201), 1))],
        "ValueError: a formula is nested more than 200 deep; write total(*terms) for a sum",
    ),
    "a value of the plan": (lambda plan: [plan.workloads["pretrain"].tokens], "AttributeError: plan shows names and"),
    "no such collection": (lambda plan: [plan.rack], "AttributeError: no plugin declares a collection 'rack'"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_a_plugin_carry_its_name(read_plan, plugin_of, name):
    body, message = FAULTS[name]
    plan = read_plan(PLAN, extra={"faulty": plugin_of(line_items=body)})
    with pytest.raises(PluginError) as caught:
        plan.ledger()
    assert str(caught.value).startswith("plugin 'faulty', capframe_line_items: ")
    assert message in str(caught.value)
    assert "Attribute(" not in str(caught.value)
    assert caught.value.exit_code == 3


def test_an_error_of_ours_inside_a_plugin_carries_its_name_too(read_plan, plugin_of):
    plan = read_plan(PLAN, extra={"faulty": plugin_of(line_items=lambda: [UNITS("kw")])})
    with pytest.raises(
        PluginError, match=r"^plugin 'faulty', capframe_line_items: unknown unit 'kw'; did you mean 'kW'"
    ):
        plan.ledger()


# ---------------------------------------------------------------- what does fit


def test_a_line_may_replace_another_plugins(assembled):
    formula = p.power.it * 2
    ledger = assembled({"liquid": [line("power.facility", formula, "kW", replaces=True)]}, PLAN)
    assert ledger.lines["power.facility"].formula == formula
    assert (ledger.lines["power.facility"].plugin, ledger.lines["power.facility"].instead_of) == ("liquid", "power")
    assert ledger.evaluate().value("power.facility") == 2 * ledger.evaluate().value("power.it")


def test_lines_stand_behind_what_they_read(assembled):
    ledger = assembled({"alpha": [line("extra.a", p.extra.z + 1), line("extra.z", p.power.pue)]}, PLAN)
    order = list(ledger.lines)
    for key, one in ledger.lines.items():
        assert all(order.index(name) < order.index(key) for name in refs(one.formula) if name in ledger.lines)


def test_given_or_computed_makes_two_lines(assembled):
    lines = list(given_or_computed(p.pools.main.extra, p.power.pue * 2, "1", label={"en": "X", "zh": "甲"}))
    with pytest.raises(PlanError, match=r"reads 'pools\.main\.extra', which nothing gives"):
        assembled({"alpha": lines}, PLAN)
    assert [(one.key, one.label) for one in lines] == [
        ("pools.main.extra.computed", {"en": "X, computed", "zh": "甲(计算值)"}),
        ("pools.main.extra.used", {"en": "X", "zh": "甲"}),
    ]


def test_areas_of_lines(assembled):
    lines = assembled({"alpha": [line("pools.main.power.x", 1), line("extra.x", 1), line("cost.x", 1)]}, PLAN).lines
    assert lines["pools.main.power.x"].area == "power"  # behind its member
    assert lines["cost.x"].area == "cost"
    assert lines["extra.x"].area == "alpha"
    assert lines["pools.main.cards"].area == "cluster"


def test_counted_things_have_a_lower_bound(assembled):
    ledger = assembled(
        {"alpha": [line("extra.x", p.pools.main.cards * 1, "card"), line("extra.y", 1, low=0, high=3)]}, PLAN
    )
    assert (ledger.lines["extra.x"].low, ledger.lines["extra.x"].high) == (0, None)
    bounds = {one.key: one for one in ledger.checks if one.is_bound}
    assert {"extra.x.below", "extra.y.below", "extra.y.above"} <= bounds.keys()
    assert bounds["extra.y.above"].test == at_most(p.extra.y, 3)
    assert "power.it.below" not in bounds


def test_whole_things_are_shown_whole(assembled):
    lines = assembled({"alpha": [line("extra.x", p.pools.main.servers * 2, "server")]}, PLAN).lines
    assert lines["extra.x"].whole
    assert lines["pools.main.servers"].whole
    assert lines["pools.main.accelerator.devices"].whole
    assert not lines["pools.main.count.computed"].whole


def test_not_available_is_a_line_too(assembled):
    results = assembled(
        {"alpha": [line("extra.a", Missing("not asked")), line("extra.b", p.extra.a + 1)]}, PLAN
    ).evaluate()
    assert (results.reason("extra.a"), results.reason("extra.b")) == ("not asked", "not asked")


# ---------------------------------------------------------------- plugins that are off


def test_what_reads_a_plugin_that_is_off_is_left_out_with_the_reason(assembled):
    offers = {
        "alpha": [
            line("extra.x", p.power.it * 2, "kW"),
            line("extra.y", p.extra.x + p.extra.x, "kW"),
            line("extra.z", 1),
        ]
    }
    ledger = assembled(offers, PLAN, off=["power"])
    assert "extra.z" in ledger.lines
    assert "extra.x: reads power.it, and plugin 'power' is off" in ledger.left_out
    assert "extra.y: reads extra.x, which is left out" in ledger.left_out
    assert "cost.energy: reads power.energy_per_year, and plugin 'power' is off" in ledger.left_out
    assert not [key for key in ledger.lines if key.startswith("power.")]


def test_checks_of_what_is_off_are_left_out_too(assembled):
    offers = {
        "alpha": [check("extra.c", at_most(p.power.it, 1)), check("extra.d", at_most(1, 2), "{power.it} is too much")]
    }
    ledger = assembled(offers, PLAN, off=["power"])
    assert "check extra.c: reads power.it, and plugin 'power' is off" in ledger.left_out
    assert "check extra.d: reads power.it, and plugin 'power' is off" in ledger.left_out
    assert not [one for one in ledger.checks if one.key.startswith("extra.")]


def test_a_line_that_stands_alone_is_not_available_instead(assembled):
    ledger = assembled({"alpha": [line("extra.x", p.power.it * 2, "kW", stands_alone=True)]}, PLAN, off=["power"])
    results = ledger.evaluate()
    assert results.reason("extra.x") == "reads power.it, and plugin 'power' is off"
    assert not [one for one in ledger.left_out if one.startswith("extra.x")]
    # Without compute nobody knows what is needed, but what was given is still used.
    results = assembled({}, PLAN, off=["compute"]).evaluate()
    assert results.reason("workloads.pretrain.cards_wanted").startswith("reads workloads.pretrain.compute.cards_while")
    assert results.value("pools.main.cards") == 1000


def test_a_replacement_of_what_is_off_takes_its_place(assembled):
    ledger = assembled({"alpha": [line("power.it", 5, "1", replaces=True)]}, PLAN, off=["power"])
    assert ledger.evaluate().value("power.it") == 5


def test_a_slip_is_a_mistake_even_when_plugins_are_off(assembled):
    with pytest.raises(PlanError, match=r"reads 'cluster_x\.y', which nothing gives"):
        assembled({"alpha": [line("extra.x", p.cluster_x.y)]}, PLAN, off=["power"])


def test_a_reference_to_a_broken_plugin_says_so(read_plan, plugin_of):
    extra = {"broken": plugin_of(line_itemz=[]), "alpha": plugin_of(line_items=[line("extra.x", p.broken.y)])}
    said = "which nothing gives; plugin 'broken' could not be loaded: there is no hook 'capframe_line_itemz'; did you"
    with pytest.raises(PlanError, match=said):
        read_plan(PLAN, extra=extra).ledger()


# ---------------------------------------------------------------- what must always hold


def outcome(plan):
    """Return everything that a ledger says, as text."""
    ledger = plan.ledger()
    results = ledger.evaluate()
    return (
        [
            (key, str(one.formula), one.unit.text, repr(results.value(key)), one.plugin, one.area)
            for key, one in ledger.lines.items()
        ],
        [(one.key, str(one.test), one.plugin) for one in ledger.checks],
    )


def test_nothing_depends_on_the_order_in_which_plugins_are_found(read_plan, monkeypatch):
    """Entry points come in the order of the file system; every permutation of the first few gives the same ledger."""
    ours = next(one for one in distributions() if one.name == "capframe" and one.entry_points.select(group="capframe"))
    found = list(ours.entry_points)
    expected = outcome(read_plan(PLAN))
    for order in itertools.islice(itertools.permutations(found), 0, 100_000, 9973):
        shuffled = SimpleNamespace(name="capframe", version=ours.version, requires=(), entry_points=EntryPoints(order))
        monkeypatch.setattr(discovery, "distributions", lambda shuffled=shuffled: [shuffled])
        assert outcome(read_plan(PLAN)) == expected


def test_nothing_depends_on_the_order_in_which_plugins_are_registered(plan_file, plugin_of, host_with):
    """pluggy calls the last registered first; we ask each plugin in turn, by name."""
    extra = {
        "alpha": plugin_of(
            line_items=[line("extra.x", p.extra.y * 3)], checks=[check("extra.c", at_most(p.extra.x, 9))]
        ),
        "omega": plugin_of(
            line_items=[line("extra.y", 1), line("power.facility", p.extra.x * p.power.it, "kW", replaces=True)]
        ),
    }
    outcomes = []
    for order in (1, -1):
        host = host_with(extra)
        registered = host.manager.list_name_plugin()[::order]
        for _, module in registered:
            host.manager.unregister(module)
        for name, module in registered:
            host.manager.register(module, name)
        outcomes.append(outcome(load(plan_file(PLAN), host=host)))
    assert outcomes[0] == outcomes[1]


BY_ROLE = {
    "of different depth": ("a.by_role.host a.by_role.it", {}, "a.by_role.it a.by_role.host"),
    "others between": (
        "a.by_role.spare x.y a.by_role.it b.by_role.it a.by_role.host",
        {},
        "x.y b.by_role.it a.by_role.it a.by_role.host a.by_role.spare",
    ),
    "read by one between": ("a.by_role.host x.y a.by_role.it", {"x.y": ["a.by_role.host"]}, None),
    "no sums": ("power.facility x.y power.it", {}, None),
}


@pytest.mark.parametrize(("keys", "reads", "wanted"), BY_ROLE.values(), ids=BY_ROLE)
def test_sums_by_role_stand_together(keys, reads, wanted):
    known = {key: reads.get(key, []) for key in keys.split()}
    assert by_role(keys.split(), known) == (wanted or keys).split()
