"""Names: which keys are legal, and what a workbook accepts as the name of a cell or of a sheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SEGMENT = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
CELL = re.compile(r"([A-Za-z]{1,3})[1-9][0-9]{0,6}\Z")
R1C1 = re.compile(r"([Rr][0-9]*)?([Cc][0-9]*)?\Z")
NAME_LENGTH, TITLE_LENGTH = 255, 31


def looks_like_a_cell(text: str) -> bool:
    """Tell whether Excel would take a text for a cell address: ``H100``, ``B200``, ``R1C1``, ``C``."""
    return bool(CELL.match(text) or R1C1.match(text))


def wrong_with_segment(text: str) -> str | None:
    """Return what is wrong with a name that a person may choose (a pool, a workload, a scenario), or None."""
    if not SEGMENT.match(text):
        return f"{text!r} is no name: letters, digits and _ only, a letter first"
    return None


def like_another(text: str, others: Mapping[str, str]) -> str | None:
    """Return what is wrong with a name beside others, or None: names in a workbook have no capitals.

    ``others`` holds the names by what ``casefold()`` makes of them.
    """
    other = others.get(text.casefold())
    if other is None:
        return None
    return f"{text!r} and {other!r} differ in capitals only, which a workbook does not tell apart; rename one"


def wrong_with_key(key: str) -> str | None:
    """Return what is wrong with the key of a line, or None."""
    first, *rest = key.split(".")
    for segment in (first, *rest):
        if wrong := wrong_with_segment(segment):
            return f"key {key!r}: {wrong}"
    if not rest:
        return f"key {key!r} needs an area in front, such as 'compute.{key}'"
    if looks_like_a_cell(first):
        return f"key {key!r} starts like a cell address; put an area in front"
    return None


def is_workbook_name(name: str) -> bool:
    """Tell whether Excel accepts a defined name as it is."""
    return (
        all(SEGMENT.match(part) for part in name.split("."))
        and not looks_like_a_cell(name)
        and not looks_like_a_cell(name.split(".", maxsplit=1)[0])
        and name.upper() not in {"TRUE", "FALSE"}
        and len(name) <= NAME_LENGTH
    )


def sheet_titles(wanted: Iterable[str]) -> list[str]:
    """Return legal sheet titles, unique without regard to case, in the order asked for; the same each time."""
    taken: set[str] = set()
    titles = []
    for text in wanted:
        base = re.sub(r"[\\/*?:\[\]\x00-\x1f]", " ", text).strip().strip("'").strip() or "Sheet"
        if base.casefold() == "history":
            base = "History sheet"
        base = base[:TITLE_LENGTH].rstrip(" '")
        title, number = base, 1
        while title.casefold() in taken:
            number += 1
            title = f"{base[: TITLE_LENGTH - len(str(number)) - 1]} {number}"
        taken.add(title.casefold())
        titles.append(title)
    return titles


def in_quotes(title: str) -> str:
    """Return a sheet title as formulas write it."""
    return "'" + title.replace("'", "''") + "'"
