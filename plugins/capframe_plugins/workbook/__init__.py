"""The workbook: every figure a live formula, for people who audit models.

The flow goes one way: ``layout`` gives every key a place; ``inputs``, ``areas`` and ``outputs`` fill pages with cells;
``render`` turns pages into an openpyxl workbook; ``archive`` saves it with values beside the formulas, the same bytes
each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe import Exporter, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


@hookimpl
def capframe_exporters() -> Iterator[Exporter]:
    yield Exporter("workbook", ".xlsx", "capframe_plugins.workbook.build:write")
