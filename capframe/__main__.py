"""``python -m capframe`` is ``capframe``."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the working directory, which `-m` puts there: no plugin is ever found in it
    from capframe.cli import main

    sys.exit(main())
