"""One formatter: what the brief prints is what TEXT() of a workbook prints, half away from zero."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capframe.figures import FORMATS, figure, patterned, rounded, scientific
from capframe.recalculate import by_formualizer

SHOWN = [
    ("count", 1000, "1,000"),
    ("count", 0, "0"),
    ("count", 2.5, "3"),
    ("count", -1234.5, "-1,235"),
    ("number", 934829.0598290599, "934,829.06"),
    ("number", 38.951210826210826, "38.95"),
    ("number", 1.005, "1.01"),  # on its decimal text; the double is 1.00499999999999989…
    ("number", 0.125, "0.13"),
    ("number", -0.125, "-0.13"),
    ("number", 2.675, "2.68"),
    ("number", -0.001, "0.00"),  # what rounds to zero has no sign
    ("number", -0.0, "0.00"),
    ("count", -0.4, "0"),
    ("things", 512, "512"),
    ("things", 1823.24, "1,823.24"),
    ("things", 0, "0"),
    ("things", -2.5, "-2.50"),
    ("things", 511.999, "512.00"),  # not a whole number, though it rounds to one
    ("percent", -0.0001, "0.0%"),
    ("scientific", -0.0, "0.00"),
    ("number", 1e21, "1,000,000,000,000,000,000,000.00"),
    ("number", 1e27, "1" + ",000" * 9 + ".00"),  # more digits than decimals carry by themselves
    ("count", 1.5e30, "1,500" + ",000" * 9),
    ("percent", 1e30, "1" + "0" * 32 + ".0%"),
    ("percent", 0.4, "40.0%"),
    ("percent", 0.38, "38.0%"),
    ("percent", 0.0245, "2.5%"),
    ("percent", 1.005, "100.5%"),
    ("percent", -0.125, "-12.5%"),
    ("percent", 12.3456, "1234.6%"),
    ("scientific", 4.2e23, "4.20×10²³"),
    ("scientific", 1.12e12, "1.12×10¹²"),
    ("scientific", 9.996e9, "1.00×10¹⁰"),
    ("scientific", -9.996e9, "-1.00×10¹⁰"),
    ("scientific", 0, "0.00"),
    ("scientific", 5, "5.00"),
    ("scientific", 0.00123, "1.23×10⁻³"),
    ("big", 70e9, "70.0B"),
    ("big", 1e12, "1.0T"),
    ("big", 15e12, "15.0T"),
    ("big", 999_949_999_999, "999.9B"),
    ("big", 999_950_000_000, "1.0T"),
    ("big", 999_949_999, "999,949,999"),
    ("big", 999_950_000, "1.0B"),
    ("big", 131_072, "131,072"),
    ("text", "yes", "yes"),
    ("number", "auto", "auto"),
    ("number", math.nan, "n/a"),
    ("count", math.inf, "n/a"),
]


@pytest.mark.parametrize(("form", "value", "text"), SHOWN)
def test_how_figures_are_shown(form, value, text):
    assert figure(value, FORMATS[form]) == text


PATTERNS = {name: form for name, form in FORMATS.items() if name != "text"}
VALUES = [
    0, -0.0004, -0.4, 1, -1, 0.5, 1.5, 2.5, -2.5, 0.005, 0.015, 1.005, 0.125, 1234.5, 1234.565, -1234.565, 999.995,
    999999.995, 0.04, 0.0045, 0.0005, 0.9995, 0.99949, 12.3456, 1e6, 123456789.125, 4.2e11, 1.1e12, 38.951210826210826,
    934829.0598290599,
]  # fmt: skip


def test_a_sentence_of_the_workbook_prints_the_same(tmp_path):
    """Every pattern over every value, printed by a calculator: ``patterned`` promises that text."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    cases = [(form, value) for form in PATTERNS.values() for value in VALUES]
    for row, (form, value) in enumerate(cases, 1):
        sheet.cell(row, 1, value)
        sheet.cell(row, 2, f'=TEXT(A{row},"{form.of(value)}")')
    book.save(tmp_path / "patterns.xlsx")
    printed = by_formualizer(tmp_path / "patterns.xlsx")[sheet.title]
    ours = {f"B{row}": patterned(value, form) for row, (form, value) in enumerate(cases, 1)}
    assert {cell: text for cell, text in printed.items() if text != ours[cell]} == {}
    assert len(printed) == len(cases)


finite = st.floats(min_value=-1e15, max_value=1e15)


@given(finite, st.integers(0, 4))
@example(0.5, 0)
@example(1.005, 2)
def test_rounding_is_half_away_from_zero_on_the_decimal_text(value, decimals):
    exact, got = Decimal(repr(value)), rounded(value, decimals)
    unit = Decimal(1).scaleb(-decimals)
    assert got.as_tuple().exponent == -decimals
    assert abs(got - exact) <= unit / 2
    if abs(got - exact) == unit / 2:
        assert abs(got) > abs(exact)


@given(st.floats(min_value=1e-300, max_value=1e300))
@example(9.995)
@example(9.994999)
def test_the_mantissa_is_between_one_and_ten(value):
    mantissa, power = scientific(value, 2)
    assert Decimal(1) <= mantissa < Decimal(10)
    assert math.isclose(float(mantissa.scaleb(power)), value, rel_tol=0.0051)


@given(finite)
def test_a_figure_is_never_far_from_its_value(value):
    shown = float(figure(value, FORMATS["number"]).replace(",", ""))
    # half a cent, or half a unit of the fifteenth digit, beyond which TEXT() writes none: at most 5e-15 of the value
    assert abs(shown - value) <= 0.005 + abs(value) * 5.01e-15


def test_formats_round_alike_in_cell_and_sentence():
    for form in FORMATS.values():
        if form.name not in {"text", "big", "scientific"}:  # those two have no pattern that every calculator prints
            assert form.cell.split(";")[0] == form.pattern
            assert form.decimals == len(form.pattern.rstrip("%").partition(".")[2])
