"""The same plan gives the same bytes, whatever the machine is set to."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.[yt]*ml"))
MACHINES = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "77", "TZ": "Asia/Shanghai", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0"},
)


@pytest.mark.parametrize("plan", EXAMPLES, ids=lambda path: path.stem)
def test_two_machines_write_the_same_bytes(plan, tmp_path):
    prints = []
    for number, machine in enumerate(MACHINES):
        out = tmp_path / str(number)
        command = [sys.executable, "-m", "capframe", "build", str(plan), "-o", str(out)]
        subprocess.run(command, check=False, env={**os.environ, **machine}, cwd=tmp_path)
        prints.append({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.iterdir())})
    assert len(prints[0]) == 3
    assert prints[0] == prints[1]
