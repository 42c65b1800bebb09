"""What estimators add: line items and checks."""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from capframe.expr import Expr, Ref, children, key_of, lift, number
from capframe.functions import either
from capframe.wording import Label, a_label, a_label_or_none

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attrs import Attribute

SEVERITIES = ("error", "warning", "note")
MOST_LEVELS = 200
"""How deep a formula may be nested: Python's own stack would end at about twice as many."""


def _formula(value: Expr | float | str) -> Expr:
    if isinstance(value, str):
        msg = f"a line's formula is made of references and numbers, not the text {value!r}"
        raise TypeError(msg)
    return _shallow(lift(value))


def _test(value: Expr | float | str) -> Expr:
    return _shallow(lift(value))


def _shallow(formula: Expr) -> Expr:
    """Refuse what no reading could walk through, where the plugin wrote it."""
    level: dict[int, Expr] = {id(formula): formula}
    for _ in range(MOST_LEVELS):
        level = {id(child): child for node in level.values() for child in children(node)}
        if not level:
            return formula
    msg = f"a formula is nested more than {MOST_LEVELS} deep; write total(*terms) for a sum, or lines in between"
    raise ValueError(msg)


def _a_key(value: object) -> str:
    if not isinstance(value, Ref | str):
        msg = f"a key is a reference such as p.power.it, or a text; not {value!r}"
        raise TypeError(msg)
    return key_of(value)


def _rounded(value: Any) -> Any:
    """Return a bound as a workbook holds it; what is no finite number is told by the validator."""
    return number(value) if isinstance(value, int | float) and math.isfinite(value) else value


def _a_bound(_instance: object, attribute: Attribute[float | None], value: object) -> None:
    if value is not None and not (isinstance(value, int | float) and math.isfinite(value)):
        msg = f"'{attribute.name}' is a number in the line's unit, or None; not {value!r}"
        raise TypeError(msg)


@frozen
class LineItem:
    """One figure of the plan: a key, a formula over other keys, a unit, a label, and the source of its formula.

    ``replaces`` takes the place of another plugin's line of that key. ``headline`` puts it on the Summary and gives
    it a name in the workbook. ``percent`` shows a ratio as a percentage. ``low`` and ``high`` are bounds, in the
    line's unit, outside of which something is wrong; whole things have ``low=0`` by themselves. ``stands_alone``
    keeps a line, as not available, when a plugin whose lines it reads is switched off. Lines of one ``chart`` (and one
    unit) are stacked in a chart on the Summary.
    """

    key: str = field(converter=_a_key)
    formula: Expr = field(converter=_formula)
    unit: str = field(validator=validators.instance_of(str))
    label: Label = field(kw_only=True, validator=a_label)
    source: Label = field(default="", kw_only=True, validator=a_label_or_none)
    replaces: bool = field(default=False, kw_only=True)
    headline: bool = field(default=False, kw_only=True)
    percent: bool = field(default=False, kw_only=True)
    low: float | None = field(default=None, kw_only=True, converter=_rounded, validator=_a_bound)
    high: float | None = field(default=None, kw_only=True, converter=_rounded, validator=_a_bound)
    stands_alone: bool = field(default=False, kw_only=True)
    chart: Label = field(default="", kw_only=True, validator=a_label_or_none)


ROLES = ("it", "host", "spare", "facility")


@frozen
class Item(LineItem):
    """A line that counts something to buy: price, power and room come from its part's record, where that tells them.

    ``part`` is the input that picks the part. ``sort`` names the group it stands under in the bill of materials.
    ``role`` says what it is bought as: ``it``, ``host`` (inside other equipment, which counts its power and room),
    ``spare`` (on a shelf), ``facility`` (of the building); docs/plugins.md says what follows from each. ``called``
    names the thing itself where the label names its count: ``Price: Accelerators`` for ``Cards bought``.
    """

    part: str = field(kw_only=True, converter=_a_key)
    sort: Label = field(kw_only=True, validator=a_label)
    role: str = field(default="it", kw_only=True, validator=validators.in_(ROLES))
    called: Label = field(default="", kw_only=True, validator=a_label_or_none)


def _can_be_filled(_check: Any, _field: Any, message: Label) -> None:
    """Read the slots once, so that an open brace is a fault where the plugin wrote it."""
    for sentence in (message,) if isinstance(message, str) else message.values():
        slots(sentence)


@frozen
class Check:
    """A condition that ought to hold, and the sentence to print where it does not.

    The sentence may hold slots: ``f"needs {p.memory.used} of {p.memory.there}"`` prints both figures with units.
    """

    key: str = field(converter=_a_key)
    test: Expr = field(converter=_test)
    severity: str = field(validator=validators.in_(SEVERITIES))
    message: Label = field(validator=validators.and_(a_label, _can_be_filled))
    label: Label = field(kw_only=True, validator=a_label)


def given_or_computed(  # noqa: PLR0913 - a line's own arguments
    given: Ref,
    formula: Expr,
    unit: str,
    *,
    label: Label,
    source: Label = "",
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


def slots(sentence: str) -> list[tuple[str, str | None, str]]:
    """Return a sentence as texts, each with the key of the slot after it and what leads in its figure.

    ``{key}`` is ``n/a`` where the figure is not known; ``{key:, a factor of }`` is nothing there.
    """
    return [(text, key, lead or "") for text, key, lead, _ in string.Formatter().parse(sentence)]
