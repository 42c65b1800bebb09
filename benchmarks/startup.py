"""How much ``capframe --help`` costs over an interpreter that does nothing. Run it as a file."""

from __future__ import annotations

import subprocess
import sys
import time

from report import report, seconds

TIMES = 15


def took(*words: str) -> float:
    """Return how long a fresh interpreter takes."""
    return seconds(
        lambda: subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True),
        TIMES,
        time.perf_counter,
    )


def main() -> None:
    """Print the ratios."""
    bare = took("-c", "pass")
    call = "import sys; from capframe.cli import main; sys.exit(main(sys.argv[1:]))"
    clicked = took("-c", "import click")
    report(
        "startup",
        {
            "help over python -c pass": took("-c", call, "--help") / bare,
            "help over python -c 'import click'": took("-c", call, "--help") / clicked,
            "version over python -c pass": took("-c", call, "--version") / bare,
            "python -c pass, ms": 1000 * bare,
        },
    )


if __name__ == "__main__":
    main()
