"""Errors: all of a step together, in the order of the document, each once; near names for slips of the pen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe.errors import CapframeError, FormulaError, PlanError, PluginError, Problem, UnitError, near

NEAR = [
    ("puue", ["pue", "cooling"], "; did you mean 'pue'?"),
    ("PUE", ["pue"], "; did you mean 'pue'?"),
    ("overssub", ["oversubscription", "rails"], ""),  # too far: a wrong guess is worse than none
    ("tokns", ["tokens", "token"], "; did you mean 'tokens'?"),
    ("kw", ["kW", "W"], "; did you mean 'kW'?"),
    ("x", ["power", "cost"], ""),
    ("power", [], ""),
]


@pytest.mark.parametrize(("word", "words", "hint"), NEAR)
def test_near_names(word, words, hint):
    assert near(word, words) == hint


@given(st.text(max_size=6), st.lists(st.text(min_size=1, max_size=6), max_size=6))
def test_a_hint_does_not_depend_on_order(word, words):
    assert near(word, words) == near(word, reversed(words)) == near(word, set(words))


def test_problems_stand_in_the_order_of_the_document_and_each_once():
    problems = [
        Problem("plan.yaml:9:1", "later", ("plan.yaml", 9, 1)),
        Problem("plan.yaml:2:5", "right of it", ("plan.yaml", 2, 5)),
        Problem("plan.yaml:2:1", "first", ("plan.yaml", 2, 1)),
        Problem("plan.yaml:9:1", "later", ("plan.yaml", 9, 1)),
    ]
    fault = PlanError(problems)
    assert str(fault) == "plan.yaml:2:1: first\nplan.yaml:2:5: right of it\nplan.yaml:9:1: later"
    assert len(fault.problems) == 3
    assert str(Problem("", "nowhere in particular")) == "nowhere in particular"


def test_exit_codes():
    """2: it could not run; 3: a fault of ours or of a plugin."""
    assert [one.exit_code for one in (CapframeError, PlanError, UnitError, FormulaError, PluginError)] == [
        2,
        2,
        2,
        2,
        3,
    ]
    assert all(issubclass(one, CapframeError) for one in (PlanError, UnitError, FormulaError, PluginError))
