"""Labels in one or two languages, and text that a workbook cell can hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attrs import Attribute

Label = str | Mapping[str, str]

LANGUAGES = {"en": "en", "zh-CN": "zh"}
NOT_IN_A_CELL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\U0010ffff]")
LONGEST_TEXT = 32_767
"""How many characters a cell of a workbook holds."""


def say(label: Label, language: str) -> str:
    """Return a label in ``"en"`` or ``"zh-CN"``; where that is lacking, in English or whatever there is."""
    if isinstance(label, str):
        return label
    return label.get(LANGUAGES[language]) or label.get("en") or next(iter(label.values()), "")


def a_label(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Take a text, or texts by language; what is wrong is told where the plugin wrote it."""
    texts = list(value.values()) if isinstance(value, Mapping) else [value]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        msg = f"'{attribute.name}' is a text or {{'en': …, 'zh': …}}, not {value!r}"
        raise TypeError(msg)
    for code in value if isinstance(value, Mapping) else ():
        if code not in LANGUAGES.values():
            msg = f"'{attribute.name}' is in 'en' and 'zh', and nobody would read its {code!r}: {value!r}"
            raise TypeError(msg)


def a_label_or_none(instance: object, attribute: Attribute[Any], value: object) -> None:
    """Take a label, or nothing (``""``)."""
    if value != "":
        a_label(instance, attribute, value)


def joined(labels: Iterable[Label], between: str = ", ") -> Label:
    """Return labels one after the other, in each language; empty ones are passed over."""
    said = [label for label in labels if label]
    texts = [label for label in said if isinstance(label, str)]
    if len(texts) == len(said):
        return between.join(texts)
    return {short: between.join(say(label, language) for label in said) for language, short in LANGUAGES.items()}


def clean(text: str) -> str:
    """Return text without the control characters, lone surrogates and codes of no character that no cell can hold."""
    return NOT_IN_A_CELL.sub("", text)


def spoken(label: Label) -> tuple[str, ...]:
    """Return a label in every language that it has."""
    return (label,) if isinstance(label, str) else tuple(label.values())
