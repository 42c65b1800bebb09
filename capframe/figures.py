"""One formatter for every figure: the number format of a cell, the pattern of a sentence, the text of a brief.

All three round alike: half away from zero on the decimal text of the number, as Excel displays it.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

from attrs import frozen

from capframe.printing import SUPERSCRIPTS

NOT_AVAILABLE = "n/a"


@frozen
class Format:
    """How a figure is shown: the cell's number format, the pattern that TEXT() takes, and decimals.

    Patterns keep to forms that every calculator prints alike; an exponent is not among them.
    """

    name: str
    cell: str
    pattern: str
    decimals: int
    whole: str = ""
    """The pattern of values without a fraction, where it is another: 512 cards beside 1,823.24."""

    def of(self, value: float) -> str:
        """Return the pattern that TEXT() takes for a value."""
        return self.whole if self.whole and is_whole(value) else self.pattern


FORMATS = {
    form.name: form
    for form in (
        Format("count", '#,##0;[Red]-#,##0;"–"', "#,##0", 0),
        Format("things", '#,##0.00;[Red]-#,##0.00;"–"', "#,##0.00", 2, "#,##0"),
        Format("number", '#,##0.00;[Red]-#,##0.00;"–"', "#,##0.00", 2),
        Format("percent", '0.0%;[Red]-0.0%;"–"', "0.0%", 1),
        Format("scientific", "0.00E+00", "#,##0", 2),
        Format("big", '[>=999950000000]#,##0.0,,,,"T";[>=999950000]#,##0.0,,,"B";#,##0', "#,##0", 1),
        Format("text", "@", "@", 0),
    )
}
TEN = 10
WIDE = Context(prec=400)  # the largest double has 309 digits; by itself a Decimal is not rounded to more than 28
SCALES = {"en": ((1_000_000, 6, "M"),), "zh-CN": ((1_000_000_000, 8, "亿"), (1_000_000, 4, "万"))}
"""From which amount on, how many zeros are said as which word."""
BIG = ((999_950_000_000, 12, "T"), (999_950_000, 9, "B"))


def is_whole(value: float) -> bool:
    """Tell whether nothing is left behind the point, as INT() tells it in a workbook."""
    return math.isfinite(value) and value == math.floor(value)


def rounded(value: float, decimals: int) -> Decimal:
    """Round half away from zero on the decimal text of the number; what rounds to zero has no sign."""
    got = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, WIDE)
    return got or abs(got)


def figure(value: float | str, form: Format) -> str:
    """Return a figure as the brief prints it: ``12,345.68``, ``38.0%``, ``4.20×10²³``, ``70.0B``, ``n/a``."""
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return NOT_AVAILABLE
    if form.name == "scientific":
        mantissa, power = scientific(value, form.decimals)
        return f"{mantissa}×10{str(power).translate(SUPERSCRIPTS)}" if power else str(mantissa)
    if form.name == "big":
        for least, zeros, letter in BIG:
            if value >= least:
                return f"{rounded(float(Decimal(repr(float(value))).scaleb(-zeros)), 1):,}{letter}"
    return patterned(value, form)


def large(value: float | Decimal, language: str) -> str:
    """Return a sum of money as people say it: ``82.50 M``, ``8,250.00 万``, ``316.80 亿``; a small one as it is."""
    for least, zeros, word in SCALES[language]:
        if value >= least:
            return f"{rounded(float(Decimal(str(value)).scaleb(-zeros)), 2):,} {word}"
    return f"{rounded(float(value), 2):,}"


def patterned(value: float, form: Format) -> str:
    """Return what ``TEXT(value, form.of(value))`` gives in a workbook."""
    if form.name == "percent":
        exact = Decimal(repr(float(value))).scaleb(2)
        return f"{rounded(float(exact), form.decimals):,}".replace(",", "") + "%"
    shown = float(f"{value:.15g}")  # TEXT() writes no more than 15 digits that mean something
    return f"{rounded(shown, len(form.of(value).partition('.')[2])):,}"


def scientific(value: float, decimals: int) -> tuple[Decimal, int]:
    """Return the mantissa, rounded, and the power of ten."""
    digit = Decimal(1).scaleb(-decimals)
    exact = Decimal(repr(float(value))) or Decimal(0)
    power = exact.adjusted() if value else 0
    mantissa = exact.scaleb(-power).quantize(digit, ROUND_HALF_UP)
    if abs(mantissa) >= TEN:  # 9.996 became 10.00
        return mantissa.scaleb(-1).quantize(digit, ROUND_HALF_UP), power + 1
    return mantissa, power
