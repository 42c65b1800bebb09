"""The wheel: what it holds, and that it works where the repository is not."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    target = tmp_path_factory.mktemp("wheel")
    copy = tmp_path_factory.mktemp("source") / "capframe"
    # a copy, so that no build folder of an earlier run gets in and none is left behind
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", str(copy)], check=True)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(target), str(copy)], check=True)
    [built] = target.glob("*.whl")
    return built


def test_the_wheel_brings_two_packages_and_no_more(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"capframe", "capframe_plugins"}
    assert any(name.endswith("catalogs/nvidia.yaml") for name in names)
    assert any(name.endswith(".md.j2") for name in names)
    assert {"capframe/examples/template-70b-7d.yaml", "capframe/examples/own-lines.toml"} <= set(names)
    assert "capframe/py.typed" in names


def test_an_installed_wheel_plans(wheel, tmp_path):
    site, out = tmp_path / "site", tmp_path / "out"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site)]
    subprocess.run([*pip, str(wheel)], check=True)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    where = subprocess.run(
        [sys.executable, "-c", "import capframe; print(capframe.__file__)"],
        check=True, env=environment, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert str(site) in where.stdout
    plan = ROOT / "examples" / "mozi-70b.yaml"
    subprocess.run(
        [sys.executable, "-m", "capframe", "build", str(plan), "-o", str(out)],
        check=True,
        env=environment,
        cwd=tmp_path,
    )
    assert sorted(path.suffix for path in out.iterdir()) == [".json", ".md", ".xlsx"]
    command = [sys.executable, "-m", "capframe"]
    subprocess.run([*command, "new", "own-lines", "-o", "mine.toml"], check=True, env=environment, cwd=tmp_path)
    subprocess.run([*command, "check", "mine.toml"], check=True, env=environment, cwd=tmp_path)
