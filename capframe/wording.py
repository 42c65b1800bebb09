"""Labels in one or two languages, and text that a workbook cell can hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

Label = str | Mapping[str, str]

LANGUAGES = {"en": "en", "zh-CN": "zh"}
_NOT_IN_A_CELL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def say(label: Label, language: str) -> str:
    """Return a label in ``"en"`` or ``"zh-CN"``; where that is lacking, in English or whatever there is."""
    if isinstance(label, str):
        return label
    return label.get(LANGUAGES[language]) or label.get("en") or next(iter(label.values()), "")


def clean(text: str) -> str:
    """Return text without the control characters and lone surrogates that no cell can hold."""
    return _NOT_IN_A_CELL.sub("", text)
