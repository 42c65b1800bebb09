"""capframe plans AI-training clusters. This module is the whole API for plugins and scripts.

Everything is imported when it is first used, so that ``capframe --help`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "hookspecs": ("hookimpl",),
    "units": ("UnitDefinition",),
    "expr": ("Expr", "Missing", "Ref", "entry", "fact"),
    "functions": (
        "any_of", "at_least", "at_most", "either", "every", "exp", "first_known", "greatest", "least", "less", "ln",
        "more", "round_down", "round_up", "same", "sqrt", "total", "when",
    ),
    "lines": ("Check", "LineItem", "given_or_computed"),
    "fields": ("choice", "family", "member", "nested", "pick", "quantity", "text"),
    "sections": ("Area", "Collection", "Group", "Section"),
    "catalog": ("CatalogFile", "RecordKind"),
    "given": ("Given",),
    "exporting": ("Exporter", "export"),
    "ledger": ("Ledger", "Results"),
    "load": ("load",),
    "plan": ("Outline", "Plan"),
    "plugins": ("Host",),
    "errors": ("CapframeError",),
}  # fmt: skip
_HOME = {name: module for module, names in _WHERE.items() for name in names}
__all__ = [
    "Area",
    "CapframeError",
    "CatalogFile",
    "Check",
    "Collection",
    "Exporter",
    "Expr",
    "Given",
    "Group",
    "Host",
    "Ledger",
    "LineItem",
    "Missing",
    "Outline",
    "Plan",
    "RecordKind",
    "Ref",
    "Results",
    "Section",
    "UnitDefinition",
    "__version__",
    "any_of",
    "at_least",
    "at_most",
    "choice",
    "either",
    "entry",
    "every",
    "exp",
    "export",
    "fact",
    "family",
    "first_known",
    "given_or_computed",
    "greatest",
    "hookimpl",
    "least",
    "less",
    "ln",
    "load",
    "member",
    "more",
    "nested",
    "pick",
    "quantity",
    "round_down",
    "round_up",
    "same",
    "sqrt",
    "text",
    "total",
    "when",
]

if TYPE_CHECKING:
    from capframe.catalog import CatalogFile, RecordKind
    from capframe.errors import CapframeError
    from capframe.exporting import Exporter, export
    from capframe.expr import Expr, Missing, Ref, entry, fact
    from capframe.fields import choice, family, member, nested, pick, quantity, text
    from capframe.functions import (
        any_of,
        at_least,
        at_most,
        either,
        every,
        exp,
        first_known,
        greatest,
        least,
        less,
        ln,
        more,
        round_down,
        round_up,
        same,
        sqrt,
        total,
        when,
    )
    from capframe.given import Given
    from capframe.hookspecs import hookimpl
    from capframe.ledger import Ledger, Results
    from capframe.lines import Check, LineItem, given_or_computed
    from capframe.load import load
    from capframe.plan import Outline, Plan
    from capframe.plugins import Host
    from capframe.sections import Area, Collection, Group, Section
    from capframe.units import UnitDefinition


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'capframe' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"capframe.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
