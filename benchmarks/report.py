"""What the benchmarks share: timing, and printing and keeping what was measured."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results"


def seconds(work: Callable[[], Any], times: int = 5, clock: Callable[[], float] = time.process_time) -> float:
    """Return how long some work takes, the best of some times: what disturbs a machine only ever adds.

    The clock counts the processor's time of this process; for work in other processes pass ``time.perf_counter``.
    """
    best = float("inf")
    for _ in range(times):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def report(name: str, figures: dict[str, Any]) -> None:
    """Print figures and write them to ``results/<name>.json``."""
    for key, value in figures.items():
        shown = f"{value:,.4g}" if isinstance(value, float) else value
        print(f"{name}: {key} = {shown}")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n", encoding="utf-8")
