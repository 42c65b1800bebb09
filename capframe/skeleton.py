"""A plugin to start from: three files that pip installs and pytest runs as they are."""

from __future__ import annotations

import re
from string import Template
from typing import TYPE_CHECKING

from capframe import __version__
from capframe.errors import CapframeError

if TYPE_CHECKING:
    from pathlib import Path

PYPROJECT = Template("""\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "capframe-$dashed"
version = "0.1.0"
description = "What this plugin adds to a plan"
requires-python = ">=3.11"
dependencies = ["capframe>=$version"]   # an older capframe says so instead of failing in the middle

[project.entry-points.capframe]
$name = "capframe_$name"                # the name is what --no-plugin takes

[tool.setuptools]
py-modules = ["capframe_$name"]
""")

MODULE = Template('''\
"""What this plugin adds to a plan. Libraries that take long to import are imported inside functions."""

from attrs import frozen

from capframe import Check, Given, LineItem, Section, at_most, hookimpl, quantity

ORIGIN = {"en": "replace me: where this number comes from", "zh": "请替换: 该数字的出处"}


@frozen(kw_only=True)
class Fields:
    """The keys of the section `$name` of a plan: each has a unit, a default, and says where that comes from."""

    units: Given = quantity("1", label={"en": "Units", "zh": "台数"}, default="3", low=0, source=ORIGIN)
    each: Given = quantity("W", label={"en": "Power of each", "zh": "单台功率"}, default="250 W", source=ORIGIN)
    limit: Given = quantity("kW", label={"en": "Limit", "zh": "上限"}, default="10 kW", source=ORIGIN)


@hookimpl
def capframe_sections():
    yield Section("$name", Fields, {"en": "$title", "zh": "$title"})


@hookimpl
def capframe_line_items(p):
    it = p.$name
    yield LineItem(it.load, it.units * it.each, "kW", label={"en": "$title, load", "zh": "$title 负荷"})


@hookimpl
def capframe_checks(p):
    it = p.$name
    yield Check(
        it.bounded,
        at_most(it.load, it.limit),
        "warning",
        {"en": f"{it.load} is more than {it.limit}", "zh": f"{it.load} 超过 {it.limit}"},
        label={"en": "$title is within its limit", "zh": "$title 不超过上限"},
    )
''')

TEST = Template('''\
"""The plugin in a plan of its own; expected values are worked out by hand."""

from capframe import load

PLAN = """\\
capframe: 1
title: A test of $name
date: 2026-11-29
$name: {units: 4, each: 500 W}
"""


def test_the_load(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN, encoding="utf-8")
    results = load(path).ledger().evaluate()
    # 4 × 500 W = 2,000 W
    assert results.value("$name.load") == 2
    assert [one.check.key for one in results.statuses() if one.result == "fail"] == []
''')


def write(name: str, folder: Path) -> list[Path]:
    """Write the plugin ``name`` into a folder, which may exist but not hold these files, and return their paths.

    Raises:
        CapframeError: for a name that is none, or a file that is there already; nothing is written then.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        msg = f"{name!r} is no name of a plugin: small letters, digits and _, a letter first"
        raise CapframeError(msg)
    words = {
        "name": name, "dashed": name.replace("_", "-"), "title": name.replace("_", " ").capitalize(),
        "version": __version__,
    }  # fmt: skip
    texts = {
        folder / "pyproject.toml": PYPROJECT,
        folder / f"capframe_{name}.py": MODULE,
        folder / "tests" / f"test_{name}.py": TEST,
    }
    for path in texts:
        if path.exists():
            msg = f"{path} is there already; choose an empty folder"
            raise CapframeError(msg)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.substitute(words), encoding="utf-8")
    return list(texts)
