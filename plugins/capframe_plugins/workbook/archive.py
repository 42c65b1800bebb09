"""Saving a workbook with the value of every formula beside it, and the same bytes each time.

openpyxl writes formulas without values, so previews, phones, Protected View and pandas would show nothing. It writes
into any zip archive: ours fills in the values on their way through, and pins the clock of every entry.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from openpyxl import Workbook

    from capframe_plugins.workbook.page import Content

FORMULA = re.compile(
    rb'<c r="([A-Z]{1,3}[0-9]{1,7})"((?: s="[0-9]+")?)(?: t="[a-z]+")?>'  # cell, style, type
    rb"(<f[^>]*>.*?</f>|<f[^>]*/>)<v ?/?>(?:</v>)?</c>",  # formula, empty value
    re.DOTALL,
)
ERRORS = {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"}
EPOCH = (1980, 1, 1, 0, 0, 0)


def cached(value: Content) -> tuple[bytes, bytes]:
    """Return the type attribute and the text that a file holds for a value."""
    if isinstance(value, int | float):
        return b"", repr(int(value) if float(value).is_integer() and abs(value) < 1e15 else float(value)).encode()  # noqa: PLR2004
    kind = b' t="e"' if value in ERRORS else b' t="str"'
    return kind, escape(value or "").encode("ascii", "xmlcharrefreplace")


class Archive(ZipFile):
    """What openpyxl writes into."""

    def __init__(self, target: Path, values: Mapping[str, Mapping[str, Content]]) -> None:
        """Open ``target``; ``values`` holds, for each part of the archive, the value of each formula cell."""
        super().__init__(target, "w", ZIP_DEFLATED)
        self.values, self.filled = values, 0
        self.missing: list[tuple[str, str]] = []

    def writestr(self, zinfo_or_arcname: str | ZipInfo, data: str | bytes, *_: Any, **__: Any) -> None:  # type: ignore[override]  # openpyxl passes no more
        """Write one part, with values beside its formulas."""
        name = zinfo_or_arcname if isinstance(zinfo_or_arcname, str) else zinfo_or_arcname.filename
        text = data.encode() if isinstance(data, str) else data
        if name in self.values:
            text = FORMULA.sub(lambda found: self.fill(found, name), text)
        entry = ZipInfo(name, EPOCH)
        entry.create_system, entry.external_attr = 3, 0o644 << 16
        super().writestr(entry, text, ZIP_DEFLATED, 6)

    def write(self, filename: str, arcname: str | None = None, *_: Any, **__: Any) -> None:  # type: ignore[override]  # openpyxl passes no more
        """Write one part from the file that openpyxl made of it."""
        self.writestr(arcname or filename, Path(filename).read_bytes())

    def fill(self, found: re.Match[bytes], part: str) -> bytes:
        """Return a formula cell with its value."""
        address = found[1].decode()
        if address not in self.values[part]:
            self.missing.append((part, address))
            return found[0]
        self.filled += 1
        kind, text = cached(self.values[part][address])
        return b'<c r="%b"%b%b>%b<v>%b</v></c>' % (found[1], found[2], kind, found[3], text)


def save(book: Workbook, target: Path, values: Mapping[str, Mapping[str, Content]], when: datetime) -> None:
    """Save a workbook; ``values`` holds, for each sheet title, the value of each formula cell.

    Raises:
        RuntimeError: if a formula has no value, which would be a change in how openpyxl writes cells.
    """
    from openpyxl.writer.excel import ExcelWriter

    book.properties.created = book.properties.modified = when
    parts = {f"xl/worksheets/sheet{n}.xml": values.get(sheet.title, {}) for n, sheet in enumerate(book.worksheets, 1)}
    formulas = sum(map(len, values.values()))
    with Archive(target, parts) as archive:
        ExcelWriter(book, archive).write_data()  # not book.save(), which sets `modified` to now
    if archive.missing or archive.filled != formulas:
        msg = f"{formulas} formulas, {archive.filled} values; without one: {archive.missing[:5]}"
        raise RuntimeError(msg)
