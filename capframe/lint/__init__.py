"""Does a workbook follow the rules that financial modellers agree on? Reads any ``.xlsx``; knows no exporter.

The rules are numbered as in ``RULES`` and come from the FAST Standard, ICAEW's Twenty Principles and Financial
Modelling Code, and guides by PwC, Modano and Operis. What the design of capframe's own workbooks does otherwise, and
why, is said beside the rule.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from capframe.lint.book import read_book
from capframe.lint.findings import CHECKS, RULES, Finding

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["RULES", "Finding", "lint"]

MODULES = ("flow", "formulas", "cells", "sheets", "model")
SEVERITIES = ("error", "warning", "note")


def lint(path: Path) -> list[Finding]:
    """Return what a workbook does against the rules, errors first, then by rule, sheet and cell.

    Raises:
        CapframeError: for a file that is no workbook.
    """
    book = read_book(path)
    for module in MODULES:
        import_module(f"capframe.lint.{module}")
    found = [finding for check in CHECKS for finding in check(book)]
    sheets = {sheet.title: number for number, sheet in enumerate(book.sheets)}
    return sorted(
        found,
        key=lambda one: (SEVERITIES.index(one.severity), one.rule, sheets.get(one.sheet, -1), one.place, one.what),
    )
