"""One named style for each role, so that a reader tells inputs from results by colour; no other formats exist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import frozen

from capframe import FORMATS

if TYPE_CHECKING:
    from openpyxl.styles import NamedStyle

NAVY, GREY, LIGHT, YELLOW = "1F3864", "7F7F7F", "F2F2F2", "FFF9DB"
BLUE, GREEN, BLACK, RED, PALE_BLUE = "0000C8", "00692B", "000000", "B00020", "DCE6F1"
FONTS = {"en": "Arial", "zh-CN": "Microsoft YaHei"}


@frozen
class Look:
    """How one role looks."""

    size: int = 10
    colour: str = BLACK
    fill: str = ""
    bold: bool = False
    italic: bool = False
    border: Literal["hair", "thin"] | None = None
    wrap: bool = False
    align: str = ""
    unlocked: bool = False


LOOKS = {
    "title": Look(size=16, colour=NAVY, bold=True),
    "subtitle": Look(size=9, colour=GREY, italic=True),
    "header": Look(colour="FFFFFF", fill=NAVY, bold=True, wrap=True, align="center"),
    "band": Look(fill=PALE_BLUE, colour=NAVY, bold=True),
    "caption": Look(size=9, fill=PALE_BLUE, colour=NAVY, wrap=True, align="center"),
    "label": Look(wrap=True),
    "unit": Look(size=9, colour=GREY, align="left"),
    "key": Look(size=8, colour=GREY, wrap=True),
    "words": Look(size=9, colour="404040", wrap=True),
    "note": Look(size=9, colour="404040", wrap=True),
    "text": Look(wrap=True),
    "message": Look(colour=RED, wrap=True),
    "input": Look(colour=BLUE, fill=YELLOW, border="hair", align="right", unlocked=True),
    "range": Look(size=9, colour="404040", align="right"),
    "calc": Look(align="right"),
    "link": Look(colour=GREEN, align="right"),
    "linked_text": Look(size=9, colour=GREEN, wrap=True),
    "sum": Look(bold=True, fill=LIGHT, align="right"),
    "output": Look(bold=True, fill=LIGHT, align="right"),
    "fact": Look(size=9),
    "figure": Look(size=9, align="right"),
    "check": Look(bold=True, align="center"),
    "verdict": Look(size=16, bold=True, align="center", border="thin"),
    "tally": Look(bold=True, align="center"),
    "goto": Look(colour=GREEN),
    "sample_input": Look(colour=BLUE, fill=YELLOW, border="hair"),
    "sample_calc": Look(),
    "sample_link": Look(colour=GREEN),
    "sample_output": Look(bold=True, fill=LIGHT),
    "sample_fact": Look(size=9),
}
INDENTED = {"fact", "words", "note", "message", "key", "unit", "calc", "link", "sum", "input", "output", "range"}
LEFT = {
    "band", "fact", "goto", "key", "label", "linked_text", "message", "note",
    "subtitle", "text", "title", "unit", "words",
}  # fmt: skip


def number_format(form: str) -> str:
    """Return the number format of a cell."""
    if form == "plain":
        return "#,##0.##"
    if form == "tally":
        return "#,##0"
    return FORMATS[form].cell


def style(role: str, form: str, language: str) -> NamedStyle:
    """Return the named style of a role and a format."""
    from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side

    look = LOOKS[role]
    side = Side(style=look.border, color=GREY) if look.border else Side()
    align = look.align or ("left" if role in LEFT else None)
    return NamedStyle(
        name=style_name(role, form),
        font=Font(name=FONTS[language], size=look.size, bold=look.bold, italic=look.italic, color=look.colour),
        fill=PatternFill("solid", fgColor=look.fill) if look.fill else PatternFill(),
        border=Border(left=side, right=side, top=side, bottom=side),
        alignment=Alignment(horizontal=align, vertical="center", wrap_text=look.wrap, indent=int(role in INDENTED)),
        number_format=number_format(form),
        protection=Protection(locked=not look.unlocked),
    )


def style_name(role: str, form: str) -> str:
    """Return how a style is called in the workbook."""
    return role if form == "text" else f"{role} {form}"
