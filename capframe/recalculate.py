"""Recalculate a workbook with calculators that are not ours, and compare what they say.

Beside each formula that the exporter writes stands the value that Python computed. Whether the two agree
is seen in three readings of the same file:

- ``stored``: what the file itself holds beside its formulas, whoever wrote it there;
- ``by_formualizer``: every formula calculated afresh, in this process, within milliseconds;
- ``by_libreoffice``: the same by LibreOffice, the reference, in a second or two for each start.

All give formula cells only, and in one form: numbers (dates as serial numbers), text, booleans, errors as
a sheet shows them ("#N/A"), None for a blank or an empty text. ``differences`` compares two readings. What
the calculators are known to disagree about is recorded in the tests of this module.
"""

from __future__ import annotations

import contextlib
import math
import os
import posixpath
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

if TYPE_CHECKING:
    from formualizer import Workbook

Value = float | str | bool | None
Cells = dict[str, dict[str, Value]]
"""Sheet title, then address ("D7"), then value."""
Edits = Mapping[tuple[str, str], Value]
"""Sheet title and address, to the constant that replaces the cell; None clears it, "#N/A" is the error."""
Place = tuple[str, int, int]  # sheet title, row, column

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
ERROR = re.compile(r"#N/A|#[A-Z/0]+[!?]|Err:\d+")
KINDS = {"Na": "#N/A", "Div": "#DIV/0!", "Value": "#VALUE!", "Ref": "#REF!", "Name": "#NAME?", "Num": "#NUM!"}
PLACES = (
    "soffice",
    "libreoffice",
    "/usr/lib/libreoffice/program/soffice",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
)
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""  # 0: always recalculate; the default trusts the values in a file
ATTEMPTS = 2  # a first start of LibreOffice may fail for reasons of its own


class CalculatorError(RuntimeError):
    """A calculator gave no answer."""


def stored(path: Path | str) -> Cells:
    """Return what the file holds beside its formulas, None where it holds nothing."""
    from openpyxl.xml.functions import fromstring

    with ZipFile(path) as archive:
        relations = fromstring(archive.read("xl/_rels/workbook.xml.rels"))
        targets = {relation.attrib["Id"]: relation.attrib["Target"] for relation in relations}
        cells: Cells = {}
        for sheet in fromstring(archive.read("xl/workbook.xml")).iter(f"{MAIN}sheet"):
            part = posixpath.join("/xl", targets[sheet.attrib[RELATION]])[1:]
            if part.startswith("xl/worksheets/"):  # not a chart sheet
                cells[sheet.attrib["name"]] = {
                    cell.attrib["r"]: _from_file(cell.get("t", "n"), cell.findtext(f"{MAIN}v"))
                    for cell in fromstring(archive.read(part)).iter(f"{MAIN}c")
                    if cell.find(f"{MAIN}f") is not None
                }
    return cells


def _from_file(kind: str, text: str | None) -> Value:
    if not text:
        return None
    if kind == "n":
        return float(text)
    if kind == "b":
        return text == "1"
    if kind in {"str", "e"}:
        return text
    message = f"the value {text!r} beside a formula has the unexpected type {kind!r}"
    raise ValueError(message)


class Formualizer:
    """One workbook loaded in formualizer, to be edited, evaluated and restored many times at little cost.

    ``with judge.edited({("Inputs", "D7"): 0.3, ("Inputs", "E9"): None}) as cells: ...``
    """

    def __init__(self, path: Path | str) -> None:
        """Load the workbook; later changes of the file are not seen."""
        self._file = Path(path).read_bytes()
        self._titles = stored(path)
        self._formulas = {_place(title, address): address for title, cells in self._titles.items() for address in cells}
        self._book = self._load()

    def _load(self) -> Workbook:
        from formualizer import Workbook

        book = Workbook.from_bytes(self._file)
        book.set_temporal_egress("serial")
        return book

    def cells(self) -> Cells:
        """Return the values of all formulas of the workbook as it is now."""
        self._book.evaluate_all()  # then get_value: evaluate_cell, cell by cell, is far slower
        cells: Cells = {title: {} for title in self._titles}
        for (title, row, column), address in self._formulas.items():
            cells[title][address] = _from_formualizer(self._book.get_value(title, row, column))
        return cells

    @contextlib.contextmanager
    def edited(self, edits: Edits) -> Iterator[Cells]:
        """Give the values with some cells changed; afterwards the workbook is as it was.

        A formula that an edit replaces is a constant then, and not among the values.
        """
        if unknown := {title for title, _ in edits} - set(self._titles):
            message = f"the workbook has no sheet {', '.join(map(repr, sorted(unknown)))}"
            raise KeyError(message)
        changes = {_place(*key): _to_formualizer(value) for key, value in edits.items()}
        before = {place: self._book.get_value(*place) for place in changes}
        replaced = changes.keys() & self._formulas.keys()
        try:
            self._set(changes)
            cells = self.cells()
            for place in replaced:
                del cells[place[0]][self._formulas[place]]
            yield cells
        finally:
            if replaced:
                self._book = self._load()
            else:
                self._set(before)

    def _set(self, changes: Mapping[Place, object]) -> None:
        for (title, row, column), value in changes.items():
            self._book.set_value(title, row, column, value)  # None makes the cell blank, for ISBLANK too


def _place(title: str, address: str) -> Place:
    from openpyxl.utils.cell import coordinate_to_tuple

    row, column = coordinate_to_tuple(address)
    return title, row, column


def _from_formualizer(value: object) -> Value:
    if isinstance(value, dict):
        kind = str(value["kind"])
        return KINDS.get(kind, f"#{kind.upper()}!")
    if isinstance(value, int | float):
        return value if isinstance(value, bool) else float(value)
    if value is None or isinstance(value, str):
        return value or None
    message = f"formualizer gave {value!r}, which is not the value of one cell"
    raise TypeError(message)


def _to_formualizer(value: Value) -> object:
    errors = [{"type": "Error", "kind": kind} for kind, text in KINDS.items() if text == value]
    return errors[0] if errors else _constant(value)


def _constant(value: Value) -> Value:
    """Round as openpyxl does in saving, so that all calculators start from the same number; "" clears too."""
    return float(f"{value:.16g}") if isinstance(value, float) else None if value == "" else value


def by_formualizer(path: Path | str, edits: Edits | None = None) -> Cells:
    """Return all formulas' values by formualizer, with some cells changed first."""
    with Formualizer(path).edited(edits or {}) as cells:
        return cells


def find_soffice() -> str | None:
    """Return the path of LibreOffice's program, or None."""
    return next((found for place in PLACES if (found := shutil.which(place))), None)


def by_libreoffice(
    paths: Sequence[Path | str], edits: Sequence[Edits] | None = None, timeout: float = 120
) -> list[Cells]:
    """Return all formulas' values of each file by LibreOffice, in one start for all of them.

    ``edits`` has one entry for each path, and a path may come more than once. LibreOffice reads copies in
    which no formula has a value, and writes 15 digits. Each of at most two starts may take ``timeout`` seconds.
    """
    from openpyxl import load_workbook

    with tempfile.TemporaryDirectory(prefix="recalculate-") as folder:
        copies: list[Path] = []
        for path, changes in zip(paths, edits or [{}] * len(paths), strict=True):
            book = load_workbook(path)  # formulas without their values: saving drops them
            for (title, address), value in changes.items():
                cell = book[title][address]
                cell.value = _constant(value)
                if cell.data_type == "f":
                    cell.data_type = "s"  # a text that starts with "="
            copies.append(Path(folder, f"{len(copies):05}.xlsx"))
            book.save(copies[-1])
        answers = map(stored, _convert(copies, "xlsx:Calc MS Excel 2007 XML", Path(folder), timeout))
        return [  # of the formulas asked for: LibreOffice writes the constants TRUE and #N/A as formulas too
            {title: {address: answer[title].get(address) for address in cells} for title, cells in asked.items()}
            for asked, answer in zip(map(stored, copies), answers, strict=True)
        ]


def _convert(files: Sequence[Path], kind: str, folder: Path, timeout: float) -> list[Path]:
    """Have LibreOffice write each file in another format, somewhere below the folder."""
    if not files:
        return []
    program = find_soffice()
    if program is None:
        message = "LibreOffice was not found: install LibreOffice Calc, with soffice on the PATH"
        raise CalculatorError(message)
    problem = ""
    for attempt in range(ATTEMPTS):
        target = folder / f"out{attempt}"
        arguments = ["--convert-to", kind, "--outdir", str(target), *map(str, files)]
        try:
            said = _run(program, arguments, folder, timeout)
        except subprocess.TimeoutExpired:
            problem = f"did not finish {len(files)} file(s) in {timeout:g} s: allow more time"
            continue
        outputs = [target / f"{file.stem}.{kind.partition(':')[0]}" for file in files]
        missing = [output.name for output in outputs if not output.is_file()]
        if not missing:
            return outputs
        # Its exit code is 0 even when it could not read a file.
        problem = f"wrote no {', '.join(missing)}: open the workbook in it. It said: {said}"
    message = f"LibreOffice ({program}) {problem}"
    raise CalculatorError(message)


def _run(program: str, arguments: Sequence[str], folder: Path, timeout: float) -> str:
    """Start LibreOffice without a window and with a profile of its own; return what it printed."""
    home = tempfile.mkdtemp(prefix="profile-", dir=folder)
    settings = Path(home, "user", "registrymodifications.xcu")
    settings.parent.mkdir()
    settings.write_text(PROFILE, encoding="utf-8")
    options = ["--headless", "--nologo", "--nodefault", "--norestore", "--nolockcheck"]
    environment = os.environ | {"SAL_USE_VCLPLUGIN": "svp", "LC_ALL": "C.UTF-8", "TMPDIR": home}
    process = subprocess.Popen(  # noqa: S603 - the program that find_soffice found, and no shell
        [program, f"-env:UserInstallation={Path(home).as_uri()}", *options, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,  # soffice is a script that starts others: one group, ended together
    )
    try:
        return process.communicate(timeout=timeout)[0].decode(errors="replace").strip()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its files are all in the folder, which goes too
        process.communicate()
        raise


def differences(
    left: Mapping[str, Mapping[str, Value]],
    right: Mapping[str, Mapping[str, Value]],
    *,
    rel: float = 1e-9,
    absolute: float | None = None,
    names: tuple[str, str] = ("left", "right"),
) -> list[str]:
    """Name every cell in which two readings differ, with both values.

    Numbers agree within a relative tolerance, or an absolute one (1e-12 when it is not given) for
    those that should be 0. Two errors agree whatever their kinds, which calculators disagree about.
    A number, a boolean and a text never agree with one another.
    """
    near = 1e-12 if absolute is None else absolute
    lines = []
    for title in dict.fromkeys([*left, *right]):
        ours, theirs = left.get(title, {}), right.get(title, {})
        for address in dict.fromkeys([*ours, *theirs]):
            one, other = ours.get(address), theirs.get(address)
            if not _agree(one, other, rel, near):
                both = f"{_shown(one)} ({names[0]}) against {_shown(other)} ({names[1]})"
                lines.append(f"{title}!{address}: {both}")
    return lines


def _agree(one: Value, other: Value, rel: float, near: float) -> bool:
    kind = _kind(one)
    if kind != _kind(other):
        return False
    if kind == "number":
        return math.isclose(float(one or 0), float(other or 0), rel_tol=rel, abs_tol=near)
    return kind in {"blank", "error"} or one == other


def _kind(value: Value) -> str:
    if value is None or value == "":
        return "blank"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "error" if ERROR.fullmatch(value) else "text"


def _shown(value: Value) -> str:
    kind = _kind(value)
    if kind == "blank":
        return kind
    if kind == "number":
        return repr(value).removesuffix(".0")
    return f'"{value}"' if kind == "text" else str(value).upper()
