"""For those who write plugins: plans from text, lines alone with what they read pinned, formulas compared."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from attrs import evolve

from capframe.errors import CapframeError, near
from capframe.expr import Expr, Num, Ref, Text, key_of
from capframe.given import read_number
from capframe.loading import load
from capframe.plugins import Host
from capframe.printing import math as readable
from capframe.units import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import ModuleType

    from capframe.ledger import Line
    from capframe.plan import Plan
    from capframe.results import Results

HEADER = "capframe: 1\ntitle: A test\ndate: 2026-11-29\n"


def plan_with(
    text: str = "",
    *,
    plugins: Mapping[str, ModuleType] | None = None,
    off: Iterable[str] = (),
    overrides: Iterable[str] = (),
) -> Plan:
    """Return a plan from the text of a document; without a header it gets one.

    ``plugins`` are modules to use beside those that are installed, by name; those that are ``off`` are left out.

    Raises:
        PlanError: with every mistake in the text.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plan.yaml"
        path.write_text(text if "capframe:" in text else HEADER + text, encoding="utf-8")
        return load(path, host=Host(off, extra=dict(plugins or {})), overrides=overrides)


def evaluate(plan: Plan, pins: Mapping[Ref | str, float | str] | None = None) -> Results:
    """Return the values of a plan with some computed lines pinned: to see what others make of them.

    A pin is a number in the unit of its line, or a text with a unit (``"11250 s"``). Plans and scenarios cannot do
    this: there, a line is what its formula makes of the inputs.

    Raises:
        CapframeError: for a pin that is no line, or whose value does not fit its unit.
    """
    ledger = plan.ledger()
    lines = dict(ledger.lines)
    for ref, value in (pins or {}).items():
        key = key_of(ref)
        if key not in lines:
            what = "is an input: give it in the plan" if key in plan.inputs else f"is no line{near(key, lines)}"
            msg = f"pin {key!r} {what}"
            raise CapframeError(msg)
        lines[key] = evolve(lines[key], formula=_pinned(plan, lines[key], value))
    return evolve(ledger, lines=lines).evaluate()


def _pinned(plan: Plan, line: Line, value: float | str) -> Expr:
    if not isinstance(value, str):
        return Num(value)
    return Text(value) if line.unit == TEXT else Num(read_number(value, line.unit, plan.units))


def assert_same_formula(found: Expr, wanted: Expr) -> None:
    """Fail unless two formulas are built alike, term by term; ``a + b`` is not ``b + a``.

    Raises:
        AssertionError: with both as a reader would write them.
    """
    if found != wanted:
        ours, theirs = (readable(one, str, "en") for one in (found, wanted))
        msg = f"the formula is `{ours}`, wanted is `{theirs}`"
        raise AssertionError(msg)
