"""Every key of a plan as a page for people: the JSON Schema of the installed plugins, read as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HEAD = """# Every key of a plan

Made by `capframe schema --markdown`, which tells those of your own plugins too. `NAME` is a name of your choice; a key
without a default may be left out unless it is **needed**. What each means in formulas: `capframe explain PLAN KEY`.
"""


def reference(schema: Mapping[str, Any]) -> str:
    """Return a page in Markdown that tells each key of a plan: label, unit, bounds, default, source.

    ``schema`` is what :func:`capframe.schema.schema` returns.
    """
    keys = dict(schema["properties"])
    plain = {key: about for key, about in keys.items() if not _fields(about)}
    pages = [HEAD, _table("The document itself", "", plain, schema["required"])]
    for key, about in keys.items():
        if fields := _fields(about):
            start = key if fields is about else f"{key}.NAME"
            pages.append(_table(about.get("title", key), start, fields["properties"], fields["required"]))
    return "\n".join(pages)


def _fields(about: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the part that holds fields: of a section itself, of a collection each member's."""
    inside = about.get("additionalProperties")
    one = inside if isinstance(inside, dict) and "properties" in inside else about
    return one if "properties" in one else None


def _table(title: str, start: str, fields: Mapping[str, Any], needed: list[str]) -> str:
    where = f"{title}: `{start}`" if start and title != start else title
    rows = [f"| `{key}` | {label} | {words} |" for key, label, words in _rows("", fields, needed)]
    return "\n".join([f"## {where}\n", "| key | what it is | how it is written |", "|---|---|---|", *rows, ""])


def _rows(before: str, fields: Mapping[str, Any], needed: list[str]) -> Iterator[tuple[str, str, str]]:
    for key, about in fields.items():
        if inside := _fields(about):
            yield from _rows(f"{before}{key}.", inside["properties"], inside["required"])
            continue
        words = ["**needed**"] if key in needed else []
        words += [text for text in (about.get("description", ""), _choices(about)) if text]
        yield f"{before}{key}", _cell(about.get("title", "")), _cell("; ".join(words))


def _choices(about: Mapping[str, Any]) -> str:
    """Return the words that may be chosen, unless they are the ids of parts."""
    short = next((one for one in about.get("anyOf", ()) if "enum" in one), about)
    return "one of " + ", ".join(dict.fromkeys(f"`{word}`" for word in short["enum"])) if "enum" in short else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
