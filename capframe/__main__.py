"""``python -m capframe`` is ``capframe``."""

from __future__ import annotations

import sys

from capframe.cli import main

if __name__ == "__main__":
    sys.exit(main())
