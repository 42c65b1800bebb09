"""capframe plans AI-training clusters. This module is the whole API for plugins and scripts.

Everything is imported when it is first used, so that ``capframe --help`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "catalog": (
        "CatalogFile",
        "Kind",
        "RecordKind",
    ),
    "counting": (
        "normal_quantile",
        "number_of",
        "poisson",
    ),
    "errors": ("CapframeError",),
    "evaluation": (
        "column_of",
        "taken",
    ),
    "exporting": (
        "Exporter",
        "export",
    ),
    "expr": (
        "Call",
        "Expr",
        "LookUp",
        "Member",
        "Missing",
        "Ref",
        "entry",
        "fact",
        "key_of",
        "refs",
        "walk",
    ),
    "fields": (
        "ChoiceField",
        "PickField",
        "QuantityField",
        "choice",
        "family",
        "member",
        "nested",
        "pick",
        "quantity",
        "text",
    ),
    "figures": (
        "FORMATS",
        "figure",
    ),
    "functions": (
        "any_of",
        "at_least",
        "at_most",
        "either",
        "every",
        "exp",
        "first_known",
        "greatest",
        "least",
        "less",
        "ln",
        "more",
        "round_down",
        "round_up",
        "same",
        "sqrt",
        "total",
        "when",
    ),
    "given": (
        "AUTO",
        "Given",
        "Origin",
    ),
    "hookspecs": ("hookimpl",),
    "ledger": (
        "Ledger",
        "Line",
        "LineCheck",
        "Results",
        "Status",
    ),
    "lines": (
        "Check",
        "LineItem",
        "given_or_computed",
        "slots",
    ),
    "loading": ("load",),
    "names": (
        "in_quotes",
        "is_workbook_name",
        "sheet_titles",
    ),
    "plan": (
        "Input",
        "Outline",
        "Plan",
    ),
    "plugins": ("Host",),
    "printing": (
        "excel",
        "quoted",
    ),
    "sections": (
        "Area",
        "Collection",
        "Group",
        "Section",
    ),
    "settling": ("fails",),
    "units": (
        "CALENDAR",
        "UnitDefinition",
    ),
    "wording": (
        "Label",
        "clean",
        "say",
    ),
}
_HOME = {name: module for module, names in _WHERE.items() for name in names}
__all__ = [
    "AUTO",
    "CALENDAR",
    "FORMATS",
    "Area",
    "Call",
    "CapframeError",
    "CatalogFile",
    "Check",
    "ChoiceField",
    "Collection",
    "Exporter",
    "Expr",
    "Given",
    "Group",
    "Host",
    "Input",
    "Kind",
    "Label",
    "Ledger",
    "Line",
    "LineCheck",
    "LineItem",
    "LookUp",
    "Member",
    "Missing",
    "Origin",
    "Outline",
    "PickField",
    "Plan",
    "QuantityField",
    "RecordKind",
    "Ref",
    "Results",
    "Section",
    "Status",
    "UnitDefinition",
    "__version__",
    "any_of",
    "at_least",
    "at_most",
    "choice",
    "clean",
    "column_of",
    "either",
    "entry",
    "every",
    "excel",
    "exp",
    "export",
    "fact",
    "fails",
    "family",
    "figure",
    "first_known",
    "given_or_computed",
    "greatest",
    "hookimpl",
    "in_quotes",
    "is_workbook_name",
    "key_of",
    "least",
    "less",
    "ln",
    "load",
    "member",
    "more",
    "nested",
    "normal_quantile",
    "number_of",
    "pick",
    "poisson",
    "quantity",
    "quoted",
    "refs",
    "round_down",
    "round_up",
    "same",
    "say",
    "sheet_titles",
    "slots",
    "sqrt",
    "taken",
    "text",
    "total",
    "walk",
    "when",
]

if TYPE_CHECKING:
    from capframe.catalog import CatalogFile, Kind, RecordKind
    from capframe.counting import normal_quantile, number_of, poisson
    from capframe.errors import CapframeError
    from capframe.evaluation import column_of, taken
    from capframe.exporting import Exporter, export
    from capframe.expr import Call, Expr, LookUp, Member, Missing, Ref, entry, fact, key_of, refs, walk
    from capframe.fields import (
        ChoiceField,
        PickField,
        QuantityField,
        choice,
        family,
        member,
        nested,
        pick,
        quantity,
        text,
    )
    from capframe.figures import FORMATS, figure
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
    from capframe.given import AUTO, Given, Origin
    from capframe.hookspecs import hookimpl
    from capframe.ledger import Ledger, Line, LineCheck, Results, Status
    from capframe.lines import Check, LineItem, given_or_computed, slots
    from capframe.loading import load
    from capframe.names import in_quotes, is_workbook_name, sheet_titles
    from capframe.plan import Input, Outline, Plan
    from capframe.plugins import Host
    from capframe.printing import excel, quoted
    from capframe.sections import Area, Collection, Group, Section
    from capframe.settling import fails
    from capframe.units import CALENDAR, UnitDefinition
    from capframe.wording import Label, clean, say


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'capframe' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"capframe.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
