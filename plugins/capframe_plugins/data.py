"""The results as JSON, in one stable shape."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from capframe import Exporter, Results, __version__, hookimpl, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@hookimpl
def capframe_exporters() -> Iterator[Exporter]:
    yield Exporter("data", ".json", "capframe_plugins.data:write")


def write(results: Results, path: Path) -> None:
    """Write the results to ``path``; the same results give the same bytes everywhere."""
    text = json.dumps(data(results), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    path.write_bytes(text.encode("utf-8", "backslashreplace"))  # half a surrogate becomes JSON's own escape of it


def data(results: Results) -> dict[str, Any]:
    """Return inputs, lines and checks, each sorted by key, with a value for each scenario.

    A figure that is not available is None; why stands in the ``reasons`` of its line.
    """
    plan = results.plan
    return {
        "capframe": __version__,
        "title": plan.header.title,
        "date": plan.header.date,
        "revision": plan.header.revision,
        "author": say(plan.header.author, plan.header.language),
        "changes": _changes(results),
        "currency": plan.header.currency,
        "scenarios": list(results.columns),
        "digest": plan.header.digest,
        "plugins": plan.host.record(),
        "overlays": _overlays(results),
        "pins": _pins(results),
        "inputs": {key: _input(results, key) for key in sorted(plan.inputs)},
        "lines": {key: _line(results, key) for key in sorted(results.ledger.lines)},
        "checks": _checks(results),
    }


def _changes(results: Results) -> list[dict[str, str]]:
    """Return the log that the plan carries, the oldest first."""
    header = results.plan.header
    return [
        {
            "revision": one.revision,
            "date": one.date,
            "author": say(one.author, header.language),
            "what": say(one.what, header.language),
        }
        for one in header.changes
    ]


def _overlays(results: Results) -> list[dict[str, Any]]:
    """Return each fact of a catalogue that another file corrects, with both figures and where they stand."""
    catalog = results.plan.catalog
    return [
        {
            "part": one.part,
            "fact": one.fact,
            "unit": catalog.kinds[one.kind].columns[one.fact].unit.text,
            "value": _value(one.value.value),
            "source": say(one.value.origin.source, results.plan.header.language),
            "at": one.value.at,
            "instead_of": _value(one.instead_of.value),
            "corrected_at": one.instead_of.at,
        }
        for one in sorted(catalog.overlays, key=lambda one: (one.kind, one.part, one.fact, one.value.at))
    ]


def _pins(results: Results) -> list[dict[str, Any]]:
    """Return each part that several catalogues bring, whose word the plan takes, and which facts were in dispute."""
    return [
        {"part": one.part, "pinned_to": one.provider, "instead_of": one.passed_over, "facts": sorted(one.differing)}
        for one in sorted(results.plan.catalog.pins, key=lambda one: (one.part, one.passed_over))
    ]


def _input(results: Results, key: str) -> dict[str, Any]:
    given = results.input(key).base
    return {
        "unit": results.ledger.unit(key).text,
        "label": results.ledger.label(key, results.plan.header.language),
        **_periods(results, key),
        "values": _values(results, key),
        "source": say(given.origin.source, results.plan.header.language),
        "confidence": given.origin.confidence,
        "at": given.at,
    }


def _line(results: Results, key: str) -> dict[str, Any]:
    language = results.plan.header.language
    line = results.ledger.lines[key]
    reasons = {scenario: results.reason(key, scenario) for scenario in results.columns}
    known = {scenario: reason for scenario, reason in reasons.items() if reason is not None}
    return {
        "unit": line.unit.text,
        "label": results.ledger.label(key, language),
        "plugin": line.plugin,
        "formula": results.ledger.formula_in_words(key, language),
        "source": say(line.source, language),
        **_periods(results, key),
        "values": _values(results, key),
        **({"reasons": known} if known else {}),
    }


def _values(results: Results, key: str) -> dict[str, Any]:
    """Return a value for each scenario, and for a line over time a list of them, one for each period."""
    if not _over_time(results, key):
        return {scenario: _value(results.value(key, scenario)) for scenario in results.columns}
    return {scenario: [_value(value) for value in results.series(key, scenario)] for scenario in results.columns}


def _over_time(results: Results, key: str) -> bool:
    line = results.ledger.lines.get(key)
    return line.over_time if line else results.plan.inputs[key].by_period


def _periods(results: Results, key: str) -> dict[str, list[str]]:
    return {"periods": list(results.plan.timeline.labels)} if _over_time(results, key) else {}


def _value(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _checks(results: Results) -> list[dict[str, Any]]:
    language = results.plan.header.language
    found = []
    for check in sorted(results.ledger.checks, key=lambda check: check.key):
        outcomes = {scenario: results.status(check, scenario, language) for scenario in results.columns}
        found.append(
            {
                "key": check.key,
                "severity": check.severity,
                "plugin": check.plugin,
                "results": {scenario: outcome.result for scenario, outcome in outcomes.items()},
                "messages": {scenario: outcome.said for scenario, outcome in outcomes.items() if outcome.message},
            }
        )
    return found
