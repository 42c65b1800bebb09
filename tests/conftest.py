"""What tests share: a host with plugins of the test's own, plans from text, plugin modules from function bodies."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

from capframe import Check, Host, LineItem, hookimpl, plugins
from capframe.ledger import Ledger
from capframe.loading import load
from capframe.plan import Plan
from capframe.results import Results

# The same examples in every run, so that a failure can be repeated; no time limit, since machines differ.
settings.register_profile("capframe", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("thorough", max_examples=2000, deadline=None, print_blob=True)  # to look for more, by hand
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "capframe"))

HEADER = "capframe: 1\ntitle: A test\ndate: 2026-11-29\n"
ROOT = Path(__file__).parent.parent

Modules = Mapping[str, ModuleType]
MakePlugin = Callable[..., ModuleType]
MakeHost = Callable[..., Host]
PlanFile = Callable[..., Path]
ReadPlan = Callable[..., Plan]
MakeLedger = Callable[..., Ledger]
Evaluate = Callable[..., Results]


@pytest.fixture(autouse=True)
def _no_plugins_switched_off_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(plugins.OFF, raising=False)
    monkeypatch.delenv(plugins.STRICT, raising=False)


@pytest.fixture
def plugin_of() -> MakePlugin:
    """Make a plugin module: ``plugin_of(line_items=lambda plan, p: [...], units=lambda: [...])``.

    Items that need nothing of the plan may stand in a list: ``plugin_of(units=[UnitDefinition("rack")])``.
    """

    def make(**hooks: Callable[..., Iterable[Any]] | list[Any]) -> ModuleType:
        module = ModuleType("a_plugin_of_the_test")
        for name, body in hooks.items():
            hook = body if callable(body) else _always(body)
            setattr(module, f"capframe_{name}", hookimpl(hook))
        return module

    return make


def _always(items: list[Any]) -> Callable[[], list[Any]]:
    return lambda: items


@pytest.fixture
def host_with() -> MakeHost:
    """Make a host of the installed plugins and ``extra_modules`` by name, without those that are ``off``."""

    def make(extra_modules: Modules | None = None, off: Iterable[str] = ()) -> Host:
        return Host(off, extra=extra_modules or {})

    return make


@pytest.fixture
def plan_file(tmp_path: Path) -> PlanFile:
    """Write a plan (``HEADER`` in front unless it has one of its own) and return its path."""

    def write(text: str = "", name: str = "plan.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text if "capframe:" in text else HEADER + text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def read_plan(plan_file: PlanFile, host_with: MakeHost) -> ReadPlan:
    """Load a plan from text."""

    def read(
        text: str = "", extra: Modules | None = None, off: Iterable[str] = (), overrides: Iterable[str] = ()
    ) -> Plan:
        return load(plan_file(text), host=host_with(extra, off), overrides=overrides)

    return read


@pytest.fixture
def assembled(read_plan: ReadPlan, plugin_of: MakePlugin) -> MakeLedger:
    """Assemble a plan with lines and checks of plugins by name: ``{"alpha": [LineItem(…), Check(…)]}``."""

    def assemble(offers: Mapping[str, list[LineItem | Check]], text: str = "", off: Iterable[str] = ()) -> Ledger:
        extra = {
            name: plugin_of(
                line_items=[one for one in items if isinstance(one, LineItem)],
                checks=[one for one in items if isinstance(one, Check)],
            )
            for name, items in offers.items()
        }
        return read_plan(text, extra=extra, off=off).ledger()

    return assemble


@pytest.fixture
def ledger_of(read_plan: ReadPlan, plugin_of: MakePlugin) -> MakeLedger:
    """Make a ledger of a plan text and, from the plugin ``extra``, the lines of a function of ``p``."""

    def make(lines: Callable[[Any], Iterable[LineItem]], text: str = "", **options: Any) -> Ledger:
        module = plugin_of(line_items=lines)
        return read_plan(text, extra={"extra": module}, **options).ledger()

    return make


@pytest.fixture
def results(read_plan: ReadPlan) -> Evaluate:
    """Load, settle and evaluate a plan from text."""

    def evaluate(text: str = "", **options: Any) -> Results:
        return read_plan(text, **options).ledger().evaluate()

    return evaluate


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the project."""
    return ROOT
