"""Evaluations a second of a compiled ledger of 400 lines on one core. Run it as a file. The aim is 100,000."""

from __future__ import annotations

import numpy as np  # noqa: TID253 - nothing else here
from report import report, seconds
from synthetic import plan_of

LINES, ROWS = 400, 50_000


def main() -> None:
    """Print rates, and how many times faster than the scalar path."""
    ledger = plan_of(LINES).ledger()
    free = [f"farms.m0.x.{name}" for name in "abcdefghij"]
    outputs = [f"farms.m0.lines.l{number}" for number in range(LINES)]
    random = np.random.default_rng(1)
    values = {key: random.uniform(1, 10, ROWS) for key in free}
    compiled = ledger.compile(outputs, free)
    everything = ROWS / seconds(lambda: compiled(values))
    last = ledger.compile(outputs[-1:], free)
    one = ROWS / seconds(lambda: last(values))
    scalar = 1 / seconds(ledger.evaluate)
    report(
        "compiled",
        {
            "lines": LINES,
            "scenarios a second, all lines wanted": everything,
            "scenarios a second, the last line wanted": one,
            "over the scalar path": everything / scalar,
            "compiling over one scalar evaluation": seconds(lambda: ledger.compile(outputs, free)) * scalar,
        },
    )


if __name__ == "__main__":
    main()
