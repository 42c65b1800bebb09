"""capframe plans AI-training clusters. This module is the whole API for plugins and scripts.

Everything is imported when it is first used, so that ``capframe --help`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "catalog": ("CatalogFile", "Kind", "Overlay", "Pin", "RecordKind", "Rule", "days_between"),
    "cli.options": ("FOR_PLANS", "PLAN", "Asked", "shared"),
    "cli.run": ("evaluated",),
    "compiled": ("Compiled",),
    "counting": ("count_of", "normal_quantile", "number_of", "poisson"),
    "errors": ("CapframeError",),
    "evaluation": ("column_of", "taken"),
    "exporting": ("Exporter", "export"),
    "expr": (
        "OverTime",
        "Call",
        "Expr",
        "Function",
        "LookUp",
        "Member",
        "Missing",
        "Ref",
        "Span",
        "entry",
        "fact",
        "key_of",
        "over_time",
        "previous",
        "refs",
        "walk",
    ),
    "fields": (
        "is_required",
        "Basis",
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
    "figures": ("FORMATS", "Format", "figure", "large"),
    "functions": (
        "count_unknown",
        "total_known",
        "unknown",
        "known_or_zero",
        "alike",
        "amounts",
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
        "plain_number",
        "round_down",
        "round_up",
        "same",
        "sqrt",
        "strict",
        "total",
        "when",
    ),
    "given": ("AUTO", "Given", "Origin"),
    "hookspecs": ("hookimpl",),
    "ledger": ("Ledger", "Line", "LineCheck"),
    "lines": ("Item", "Check", "LineItem", "given_or_computed", "slots"),
    "loading": ("load",),
    "names": ("in_quotes", "is_workbook_name", "sheet_titles"),
    "offers": ("Command", "Executor", "Importer", "TemplateFolder", "start_executor", "template_reader"),
    "plan": ("Change", "Input", "Outline", "Plan"),
    "plugins": ("Host",),
    "printing": ("excel", "quoted"),
    "results": ("Results", "Status"),
    "sections": ("Conversion", "Area", "Collection", "Group", "Section"),
    "settling": ("fails",),
    "values": ("Values",),
    "units": ("CALENDAR", "UnitDefinition"),
    "wording": ("Label", "clean", "say"),
}
_HOME = {name: module for module, names in _WHERE.items() for name in names}
__all__ = [
    "AUTO",
    "CALENDAR",
    "FORMATS",
    "FOR_PLANS",
    "PLAN",
    "Area",
    "Asked",
    "Basis",
    "Call",
    "CapframeError",
    "CatalogFile",
    "Change",
    "Check",
    "ChoiceField",
    "Collection",
    "Command",
    "Compiled",
    "Conversion",
    "Executor",
    "Exporter",
    "Expr",
    "Format",
    "Function",
    "Given",
    "Group",
    "Host",
    "Importer",
    "Input",
    "Item",
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
    "OverTime",
    "Overlay",
    "PickField",
    "Pin",
    "Plan",
    "QuantityField",
    "RecordKind",
    "Ref",
    "Results",
    "Rule",
    "Section",
    "Span",
    "Status",
    "TemplateFolder",
    "UnitDefinition",
    "Values",
    "__version__",
    "alike",
    "amounts",
    "any_of",
    "at_least",
    "at_most",
    "choice",
    "clean",
    "column_of",
    "count_of",
    "count_unknown",
    "days_between",
    "either",
    "entry",
    "evaluated",
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
    "is_required",
    "is_workbook_name",
    "key_of",
    "known_or_zero",
    "large",
    "least",
    "less",
    "ln",
    "load",
    "member",
    "more",
    "nested",
    "normal_quantile",
    "number_of",
    "over_time",
    "pick",
    "plain_number",
    "poisson",
    "previous",
    "quantity",
    "quoted",
    "refs",
    "round_down",
    "round_up",
    "same",
    "say",
    "shared",
    "sheet_titles",
    "slots",
    "sqrt",
    "start_executor",
    "strict",
    "taken",
    "template_reader",
    "text",
    "total",
    "total_known",
    "unknown",
    "walk",
    "when",
]

if TYPE_CHECKING:
    from capframe.catalog import CatalogFile, Kind, Overlay, Pin, RecordKind, Rule, days_between
    from capframe.cli.options import FOR_PLANS, PLAN, Asked, shared
    from capframe.cli.run import evaluated
    from capframe.compiled import Compiled
    from capframe.counting import count_of, normal_quantile, number_of, poisson
    from capframe.errors import CapframeError
    from capframe.evaluation import column_of, taken
    from capframe.exporting import Exporter, export
    from capframe.expr import (
        Call,
        Expr,
        Function,
        LookUp,
        Member,
        Missing,
        OverTime,
        Ref,
        Span,
        entry,
        fact,
        key_of,
        over_time,
        previous,
        refs,
        walk,
    )
    from capframe.fields import (
        Basis,
        ChoiceField,
        PickField,
        QuantityField,
        choice,
        family,
        is_required,
        member,
        nested,
        pick,
        quantity,
        text,
    )
    from capframe.figures import FORMATS, Format, figure, large
    from capframe.functions import (
        alike,
        amounts,
        any_of,
        at_least,
        at_most,
        count_unknown,
        either,
        every,
        exp,
        first_known,
        greatest,
        known_or_zero,
        least,
        less,
        ln,
        more,
        plain_number,
        round_down,
        round_up,
        same,
        sqrt,
        strict,
        total,
        total_known,
        unknown,
        when,
    )
    from capframe.given import AUTO, Given, Origin
    from capframe.hookspecs import hookimpl
    from capframe.ledger import Ledger, Line, LineCheck
    from capframe.lines import Check, Item, LineItem, given_or_computed, slots
    from capframe.loading import load
    from capframe.names import in_quotes, is_workbook_name, sheet_titles
    from capframe.offers import Command, Executor, Importer, TemplateFolder, start_executor, template_reader
    from capframe.plan import Change, Input, Outline, Plan
    from capframe.plugins import Host
    from capframe.printing import excel, quoted
    from capframe.results import Results, Status
    from capframe.sections import Area, Collection, Conversion, Group, Section
    from capframe.settling import fails
    from capframe.units import CALENDAR, UnitDefinition
    from capframe.values import Values
    from capframe.wording import Label, clean, say


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'capframe' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"capframe.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
