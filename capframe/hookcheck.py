"""Whether a module uses the hooks as they are: their names, their arguments, and what they yield."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from capframe import hookspecs
from capframe.errors import near

ITEMS = {
    "capframe_units": "capframe.units:UnitDefinition",
    "capframe_line_items": "capframe.lines:LineItem",
    "capframe_items": "capframe.lines:Item",
    "capframe_checks": "capframe.lines:Check",
    "capframe_exporters": "capframe.exporting:Exporter",
    "capframe_functions": "capframe.expr:Function",
    "capframe_templates": "capframe.offers:TemplateFolder",
    "capframe_commands": "capframe.offers:Command",
    "capframe_executors": "capframe.offers:Executor",
    "capframe_importers": "capframe.offers:Importer",
}
"""What a hook yields where one class says it all; those of several kinds are checked where they are read."""


def specifications() -> dict[str, list[str]]:
    """Return every hook by name with its arguments."""
    return {
        name: list(inspect.signature(hook).parameters)
        for name, hook in sorted(vars(hookspecs).items())
        if name.startswith("capframe_")
    }


def item_kind(hook: str) -> type[Any] | None:
    """Return the class of what a hook yields; None where it is checked elsewhere."""
    if hook not in ITEMS:
        return None
    module, _, name = ITEMS[hook].partition(":")
    found: type[Any] = getattr(import_module(module), name)
    return found


def misuse(module: object) -> tuple[list[str], list[str]]:
    """Return what a module gets wrong: hooks that do not exist, and all else, each with what to write instead."""
    known = specifications()
    unknown, wrong = [], []
    for name in sorted(dir(module)):
        value = getattr(module, name, None)
        options = getattr(value, f"{hookspecs.PROJECT}_impl", None)
        if isinstance(options, dict):
            hook = options.get("specname") or name
            if hook not in known:
                if not options.get("optionalhook"):
                    unknown.append(f"there is no hook {hook!r}{near(hook, known)}")
                continue
            wrong += [_argument(hook, one, known[hook]) for one in _required(value) if one not in known[hook]]
        elif name in known and callable(value):
            wrong.append(f"function {name!r} is not marked with @hookimpl")
        elif name.startswith("capframe_") and _is_own_function(value, module) and (right := near(name, known)):
            wrong.append(f"function {name!r} is not marked with @hookimpl{right}")
    return unknown, wrong


def _is_own_function(value: object, module: object) -> bool:
    return inspect.isfunction(value) and value.__module__ == getattr(module, "__name__", None)


def _required(hook: Any) -> list[str]:
    """Return the arguments that a plugin's function asks for; one with a default is its own affair."""
    try:
        parameters = inspect.signature(hook).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters if one.default is one.empty and one.name != "self"]


def _argument(hook: str, argument: str, takes: list[str]) -> str:
    there = f"it may ask for {' and '.join(takes)}" if takes else "it takes none"
    return f"hook {hook!r} has no argument {argument!r}{near(argument, takes) or f'; {there}'}"
