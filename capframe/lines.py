"""What estimators add: line items and checks."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from attrs import converters, field, frozen, validators

from capframe.expr import Expr, Ref, key_of, lift, number
from capframe.functions import either
from capframe.wording import Label

if TYPE_CHECKING:
    from collections.abc import Iterator

SEVERITIES = ("error", "warning", "note")


def _formula(value: Expr | float | str) -> Expr:
    if isinstance(value, str):
        msg = f"a line's formula is made of references and numbers, not the text {value!r}"
        raise TypeError(msg)
    return lift(value)


@frozen
class LineItem:
    """One figure of the plan: a key, a formula over other keys, a unit, a label.

    ``replaces`` takes the place of another plugin's line of that key. ``headline`` puts it on the Summary and gives
    it a name in the workbook. ``percent`` shows a ratio as a percentage. ``low`` and ``high`` are bounds, in the
    line's unit, outside of which something is wrong; whole things have ``low=0`` by themselves. ``stands_alone``
    keeps a line, as not available, when a plugin whose lines it reads is switched off. Lines of one ``chart`` (and one
    unit) are stacked in a chart on the Summary.
    """

    key: str = field(converter=key_of)
    formula: Expr = field(converter=_formula)
    unit: str = field(validator=validators.instance_of(str))
    label: Label = field(kw_only=True, validator=validators.min_len(1))
    source: str = field(default="", kw_only=True)
    replaces: bool = field(default=False, kw_only=True)
    headline: bool = field(default=False, kw_only=True)
    percent: bool = field(default=False, kw_only=True)
    low: float | None = field(default=None, kw_only=True, converter=converters.optional(number))
    high: float | None = field(default=None, kw_only=True, converter=converters.optional(number))
    stands_alone: bool = field(default=False, kw_only=True)
    chart: Label = field(default="", kw_only=True)


def _can_be_filled(_check: Any, _field: Any, message: Label) -> None:
    """Read the slots once, so that an open brace is a fault where the plugin wrote it."""
    for sentence in (message,) if isinstance(message, str) else message.values():
        slots(sentence)


@frozen
class Check:
    """A condition that ought to hold, and the sentence to print where it does not.

    The sentence may hold slots: ``f"needs {p.memory.used} of {p.memory.there}"`` prints both figures with units.
    """

    key: str = field(converter=key_of)
    test: Expr = field(converter=lift)
    severity: str = field(validator=validators.in_(SEVERITIES))
    message: Label = field(validator=validators.and_(validators.min_len(1), _can_be_filled))
    label: Label = field(kw_only=True, validator=validators.min_len(1))


def given_or_computed(  # noqa: PLR0913 - a line's own arguments
    given: Ref,
    formula: Expr,
    unit: str,
    *,
    label: Label,
    source: str = "",
    headline: bool = False,
    percent: bool = False,
) -> Iterator[LineItem]:
    """Yield the two lines of an input that may be ``auto``: ``x.computed`` and ``x.used``.

    Everybody else reads ``x.used``.
    """
    yield LineItem(
        given.computed, formula, unit, label=_marked(label, "computed", "计算值"), source=source, percent=percent,
        stands_alone=True,
    )  # fmt: skip
    used = either(given, given.computed)
    yield LineItem(given.used, used, unit, label=label, headline=headline, percent=percent)


def _marked(label: Label, en: str, zh: str) -> Label:
    if isinstance(label, str):
        return f"{label}, {en}"
    return {language: f"{text}({zh})" if language == "zh" else f"{text}, {en}" for language, text in label.items()}


def slots(sentence: str) -> list[tuple[str, str | None]]:
    """Return a sentence as pairs of text and the key of the slot after it."""
    return [(text, key) for text, key, _, _ in string.Formatter().parse(sentence)]
