"""Units settled: every change of scale stands in the formula as an exact factor that a reader sees."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capframe import Missing, Ref, at_most, entry, fact, least, printing, round_up, sqrt, total, when
from capframe.errors import UnitError
from capframe.evaluation import evaluate
from capframe.expr import Num, Text
from capframe.settling import counts, settle, to
from capframe.units import ANYTHING, ONE, TEST, UnitDefinition, Units

p = Ref("")
UNITS = Units(
    [
        UnitDefinition("card"),
        UnitDefinition("server"),
        UnitDefinition("parameter"),
        UnitDefinition("token"),
        UnitDefinition("FLOP", prefixes=True, counted=False),
        UnitDefinition("CNY", counted=False),
        UnitDefinition("USD", counted=False),
    ]
)


KEYS = {
    "m.kw": "kW", "m.w": "W", "m.mw": "MW", "m.h": "h", "m.d": "d", "m.s": "s", "m.gbit": "Gbit/s", "m.gb": "GB/s",
    "m.mbs": "MB/s", "m.cards": "card", "m.servers": "server", "m.per": "card/server", "m.tdp": "W/card",
    "m.cny": "CNY", "m.usd": "USD", "m.rate": "CNY/USD", "m.price": "CNY/card", "m.tariff": "CNY/kWh", "m.n": "1",
    "m.afr": "%/y", "m.share": "1", "m.parameters": "parameter", "m.tokens": "token", "m.rule": "FLOP/parameter/token",
    "m.peak": "TFLOP/s/card", "m.word": "text", "m.card": "text",
}  # fmt: skip


class Scope:
    """Units by key, and units of facts by column."""

    def __getitem__(self, key):
        return UNITS(KEYS[key])

    def fact(self, _pick, column):
        return UNITS({"tdp": "W/card", "peak": "TFLOP/s/card", "form": "text"}[column])

    def entry(self, _group, _pick):
        return UNITS("CNY/card")


class Cells:
    """Keys without their area, and look-ups in short."""

    def cell(self, key):
        return key.removeprefix("m.")

    def fact(self, pick, column):
        return f"FACT({pick.removeprefix('m.')},{column})"

    def member(self, group, pick):
        return f"{group.upper()}({pick.removeprefix('m.')})"


def settled(formula, unit):
    """Return the Excel text of a formula in a unit, as assembly makes it."""
    node, have = settle(formula, Scope())
    return printing.excel(to(node, have, TEST if unit == TEST.text else UNITS(unit)), Cells())


SETTLED = [
    # One scale throughout: nothing is written.
    (p.m.cards * p.m.tdp, "W", "cards*tdp"),
    (p.m.cards / p.m.per, "server", "cards/per"),
    (p.m.usd * p.m.rate, "CNY", "usd*rate"),
    # 1,000 W + 1.5 kW is 2,500 W, not 1,001.5: the second is brought to the first one's scale.
    (p.m.w + p.m.kw, "W", "w+kw*1000"),
    (p.m.kw + p.m.w, "kW", "kw+w/1000"),
    (p.m.w + p.m.kw, "kW", "(w+kw*1000)/1000"),
    (p.m.mw - p.m.w, "MW", "mw-w/1000000"),
    (total(p.m.kw, p.m.w, p.m.mw), "kW", "SUM(kw,w/1000,mw*1000)"),
    (least(p.m.w, p.m.mw), "W", "MIN(w,mw*1000000)"),
    (when(at_most(p.m.kw, p.m.w), p.m.w, p.m.kw), "W", "IF(kw-(w/1000)<=1E-9*MAX(ABS(kw),ABS(w/1000)),w,kw*1000)"),
    # The scale of the line itself.
    (p.m.cards * p.m.tdp, "kW", "cards*tdp/1000"),
    (p.m.cards * p.m.tdp, "MW", "cards*tdp/1000000"),
    (p.m.kw * p.m.h, "MWh", "kw*h/1000"),
    (p.m.kw * p.m.d, "kWh", "kw*d*24"),
    (p.m.s, "h", "s/3600"),
    (p.m.gbit, "GB/s", "gbit/8"),
    (p.m.gb, "Gbit/s", "gb*8"),
    # 10⁶ · 3,600 / 2³⁰ is 3,515,625 / 1,048,576: an exact fraction, never a rounded decimal.
    (p.m.mbs, "GiB/h", "mbs*3515625/1048576"),
    (p.m.kw * p.m.tariff, "CNY/y", "kw*tariff*8760"),
    (p.m.share * p.m.cards, "card", "share*cards"),
    (p.m.afr * p.m.cards, "card/y", "afr*cards/100"),
    (p.m.afr * p.m.cards * p.m.d, "card", "afr*cards*d/36500"),
    (p.m.rule * p.m.parameters * p.m.tokens, "FLOP", "rule*parameters*tokens"),
    # 3.6·10¹⁵ s·FLOP/s are an hour of TFLOP/s; whole factors have no ".0".
    (p.m.rule * p.m.parameters * p.m.tokens / p.m.peak, "card·h", "rule*parameters*tokens/peak/3600000000000000"),
    # Percentages are shown with %, and are plain numbers.
    (p.m.n + p.m.share, "1", "n+share"),
    ((1 + p.m.share) ** p.m.n, "1", "(1+share)^n"),
    (2 ** (p.m.kw / p.m.w), "1", "2^(kw/w*1000)"),
    (round_up(p.m.kw / p.m.w), "1", "ROUNDUP((kw/w*1000)*(1-1E-9),0)"),
    # Facts and members of groups carry their units.
    (fact(p.m.card, "tdp") * p.m.cards, "kW", 'FACT(card,"tdp")*cards/1000'),
    (fact(p.m.card, "peak", by=p.m.word) * p.m.cards, "PFLOP/s", 'FACT(card,"peak."&word)*cards/1000'),
    (entry("prices", p.m.card) * p.m.cards, "CNY", "PRICES(card)*cards"),
    # What is not available fits everywhere.
    (Missing("no price"), "CNY", "NA()"),
    (p.m.kw + Missing("no figure"), "W", "(kw+NA())*1000"),
    (Missing("no figure") + p.m.kw, "W", "(NA()+kw)*1000"),
    (Missing("no figure") - p.m.kw - p.m.w, "W", "(NA()-kw-w/1000)*1000"),
    (Missing("no price") * p.m.cards, "CNY", "NA()*cards"),
    (p.m.cards / Missing("no share"), "server", "cards/NA()"),
    (least(Missing("no figure"), p.m.w, p.m.kw), "W", "MIN(NA(),w,kw*1000)"),
    (when(at_most(p.m.n, 1), Missing("y"), p.m.kw), "W", "IF(n-1<=1E-9*MAX(ABS(n),ABS(1)),NA(),kw)*1000"),
    (at_most(Missing("x"), p.m.w), "a comparison", "NA()-w<=1E-9*MAX(ABS(NA()),ABS(w))"),
    (sqrt(Missing("x")), "s", "SQRT(NA())"),
    (round_up(Missing("x")), "card", "ROUNDUP(NA()*(1-1E-9),0)"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "unit", "excel"), SETTLED)
def test_factors_stand_in_the_formula(formula, unit, excel):
    assert settled(formula, unit) == excel


REFUSED = [
    (p.m.kw + p.m.kw * p.m.h, "kW", "kW·h is not kW"),
    (p.m.w + p.m.gb, "W", "GB/s is not W"),
    (p.m.cny + p.m.usd, "CNY", "USD is not CNY"),
    (p.m.price * p.m.servers, "CNY", "CNY/card·server is not CNY"),
    (p.m.cards * p.m.tdp, "W/card", "card·W/card is not W/card"),
    (p.m.cards + 1, "card", "1 is not card"),
    (p.m.rule * p.m.parameters * p.m.tokens, "FLOP/s", "FLOP/parameter/token·parameter·token is not FLOP/s"),
    (p.m.cards**2, "card", "card is not 1"),
    (2**p.m.cards, "1", "card is not 1"),
    (p.m.word + 1, "1", "no arithmetic on text"),
    (1 * at_most(p.m.n, 1), "1", "no arithmetic on a comparison"),
    (fact(p.m.card, "peak", by=p.m.n), "TFLOP/s/card", "a look-up of 'peak' is chosen by a text, such as a precision"),
    (p.m.share, "%/y", "1 is not %/y"),
]


@pytest.mark.parametrize(("formula", "unit", "message"), REFUSED)
def test_what_does_not_fit_is_refused(formula, unit, message):
    with pytest.raises(UnitError) as caught:
        settled(formula, unit)
    assert str(caught.value).startswith(message)


WHOLE = [
    (Num(3), True),
    (Num(2.5), False),
    (p.m.cards, True),
    (p.m.kw, False),
    (p.m.cards * p.m.per - 2, True),
    (p.m.cards / p.m.per, False),
    (round_up(p.m.cards / p.m.per), True),
    (round_up(p.m.kw) * p.m.kw, False),
    (least(p.m.cards, 3), True),
    (least(p.m.cards, p.m.kw), False),
    (when(at_most(p.m.kw, 1), p.m.cards, 2), True),  # the comparison itself need not be whole
    (total(p.m.cards, p.m.per), True),
    (p.m.cards**2, False),
    (Text("x"), False),
]


@pytest.mark.parametrize(("formula", "whole"), WHOLE)
def test_whole_things_are_known_as_such(formula, whole):
    """They are shown without decimals."""
    assert counts(formula, lambda key: key in {"m.cards", "m.per"}) is whole


def test_changing_a_scale_and_back_is_nothing():
    node = to(to(p.m.x, UNITS("kWh"), UNITS("MJ")), UNITS("MJ"), UNITS("kWh"))
    assert math.isclose(evaluate(node, {"m.x": 7.0}), 7.0, rel_tol=1e-15)
    assert to(p.m.x, UNITS("Gb/s"), UNITS("Gbit/s")) == p.m.x  # the same scale: nothing is written


scales = st.sampled_from(["W", "kW", "MW", "GW"])


@given(scales, scales, scales, st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_sum_in_any_scales_is_the_physical_sum(one, other, line, x, y):
    scope = {"m.x": UNITS(one), "m.y": UNITS(other)}
    node, have = settle(p.m.x + p.m.y, scope)
    got = evaluate(to(node, have, UNITS(line)), {"m.x": float(x), "m.y": float(y)})
    watts = x * UNITS(one).factor + y * UNITS(other).factor
    assert math.isclose(got, Fraction(watts) / UNITS(line).factor, rel_tol=1e-12)


def test_settling_keeps_what_the_author_wrote():
    """Only factors are added: no term is reordered, no constant folded."""
    formula = p.m.cards * p.m.tdp * 1.2
    assert settle(formula, Scope())[0] == formula
    assert settle(Missing("x"), Scope())[1] == ANYTHING
    assert settle(p.m.n * 1, Scope())[1] == ONE
