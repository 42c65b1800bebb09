"""How loading, assembling and evaluating grow with lines, members and scenarios. Run it as a file.

Each figure is the exponent of growth between two sizes: 1 is linear, 2 is quadratic. The aim is 1 up to 100,000 lines.
"""

from __future__ import annotations

import math
import resource
import sys

from report import report, seconds
from synthetic import plan_of

LARGEST = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
STEP = 10


def steps(count: int, members: int, scenarios: int) -> dict[str, float]:
    """Return how long each step takes."""
    plan = plan_of(count, members, scenarios)
    ledger = plan.ledger()
    return {
        "load": seconds(lambda: plan_of(count, members, scenarios), 1),
        "assemble": seconds(plan.ledger, 1),
        "evaluate": seconds(ledger.evaluate, 1),
    }


def main() -> None:
    """Print the exponents."""
    small, large = LARGEST // STEP, LARGEST
    figures: dict[str, float] = {}
    sizes = {
        "lines of one member": ((small, 1, 0), (large, 1, 0)),
        "members of ten lines": ((10, small // 10, 0), (10, large // 10, 0)),
        "scenarios of a hundred lines": ((100, 1, small // 1000), (100, 1, large // 1000)),
    }
    for name, (before, after) in sizes.items():
        first, second = steps(*before), steps(*after)
        for step, took in second.items():
            figures[f"{name}, {step}: exponent"] = math.log(took / first[step], STEP)
            figures[f"{name}, {step}: s"] = took
    figures["peak memory of the process, MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # kB on Linux
    report("growth", figures)


if __name__ == "__main__":
    main()
