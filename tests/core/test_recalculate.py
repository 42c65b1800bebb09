"""The calculators that judge our workbooks: what they read, what they agree about, and what not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from zipfile import ZipFile

import pytest
from formualizer import recalculate_file
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from capframe import recalculate
from capframe.recalculate import (
    CalculatorError,
    Cells,
    Formualizer,
    Value,
    by_formualizer,
    by_libreoffice,
    differences,
    find_soffice,
    stored,
)

Changes = dict[tuple[str, str], Value]
needs_libreoffice = pytest.mark.skipif(
    find_soffice() is None and not os.environ.get("CI"), reason="LibreOffice is not installed"
)

# ---------------------------------------------------------------- a small model, and what edits do to it

MODEL: dict[str, dict[str, Value]] = {
    "Inputs": {
        "D7": "=IF(ISBLANK(E7),$H7,E7)",
        "E7": 3,
        "H7": 5,
        "D8": "=SUM(D7,Parts!B3)",
        "D9": '=IFERROR(D8,"n/a")',
        "D10": "hw/910c",
        "D11": "=INDEX(Parts!$B$2:$B$4,MATCH(part,Parts!$A$2:$A$4,0),1)",
        "D12": '=COUNT(E7)&" given"',
    },
    "Parts": {"A2": "nv/h100", "B2": 700, "A3": "nv/b*", "B3": "=NA()", "A4": "hw/910c", "B4": 350},
    "L'été 机房": {
        "B2": "=in.power*1.1",
        "B3": "=ROUNDUP(B2*(1-1E-9),0)",
        "B4": '=TEXT(B2,"#,##0.00")&" kW, "&TEXT(B3,"#,##0")',
        "B5": '=COUNTIFS(Parts!A2:A4,"n*",Parts!B2:B4,">100")',
        "B6": '=SUMIF(Parts!B2:B4,"<1E+300")',
        "B7": "=ROWS(Parts!B2:B4)-COUNT(Parts!B2:B4)",
        "B8": "=B2>3",
        "B9": '=""',
        "B10": "=DATE(2024,5,1)",
    },
    "Summary": {"A1": "='L''été 机房'!B3+1", "A2": "='L''été 机房'!B9"},
}
NAMES = {"part": "'Inputs'!$D$10", "in.power": "'Inputs'!$D$7"}
BASE: Changes = {
    ("Inputs", "D7"): 3.0,
    ("Inputs", "D8"): "#N/A",
    ("Inputs", "D9"): "n/a",
    ("Inputs", "D11"): 350.0,
    ("Inputs", "D12"): "1 given",
    ("Parts", "B3"): "#N/A",
    ("L'été 机房", "B2"): 3.3,
    ("L'été 机房", "B3"): 4.0,
    ("L'été 机房", "B4"): "3.30 kW, 4",
    ("L'été 机房", "B5"): 1.0,
    ("L'été 机房", "B6"): 1050.0,
    ("L'été 机房", "B7"): 1.0,
    ("L'été 机房", "B8"): True,
    ("L'été 机房", "B9"): None,
    ("L'été 机房", "B10"): 45413.0,
    ("Summary", "A1"): 5.0,
    ("Summary", "A2"): None,
}
POWER_5: Changes = {
    ("Inputs", "D7"): 5.0,
    ("L'été 机房", "B2"): 5.5,
    ("L'été 机房", "B3"): 6.0,
    ("L'été 机房", "B4"): "5.50 kW, 6",
    ("Summary", "A1"): 7.0,
}
POWER_1: Changes = {
    ("Inputs", "D7"): 1.0,
    ("L'été 机房", "B2"): 1.1,
    ("L'été 机房", "B3"): 2.0,
    ("L'été 机房", "B4"): "1.10 kW, 2",
    ("L'été 机房", "B8"): False,
    ("Summary", "A1"): 3.0,
}
ONE_MORE_MISSING: Changes = {
    ("Inputs", "D11"): "#N/A",
    ("L'été 机房", "B6"): 700.0,
    ("L'été 机房", "B7"): 2.0,
}
NONE_MISSING: Changes = {
    ("Inputs", "D8"): 203.0,
    ("Inputs", "D9"): 203.0,
    ("L'été 机房", "B5"): 2.0,
    ("L'été 机房", "B6"): 1250.0,
    ("L'été 机房", "B7"): 0.0,
}
SCENARIOS: dict[str, tuple[Changes, Changes]] = {  # what is edited, and which values change
    "as it is": ({}, {}),
    "cleared": ({("Inputs", "E7"): None}, {**POWER_5, ("Inputs", "D12"): "0 given"}),
    "changed": ({("Inputs", "E7"): 1}, POWER_1),
    "power replaced": ({("Inputs", "D7"): 1}, POWER_1),
    "unused": ({("Parts", "A5"): "other", ("Inputs", "H7"): 9.0}, {}),
    "other part": ({("Inputs", "D10"): "NV/H100"}, {("Inputs", "D11"): 700.0}),
    "wildcard": ({("Inputs", "D10"): "nv/b~*"}, {("Inputs", "D11"): "#N/A"}),
    "error given": ({("Parts", "B4"): "#N/A"}, ONE_MORE_MISSING),
    "formula replaced": ({("Parts", "B3"): 200}, NONE_MISSING),
}


def save(path: Path, sheets: dict[str, dict[str, Value]], names: dict[str, str] | None = None) -> Path:
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, cells in sheets.items():
        sheet = book.create_sheet(title)
        for address, value in cells.items():
            sheet[address] = value
    for name, target in (names or {}).items():
        book.defined_names[name] = DefinedName(name, attr_text=target)
    book.save(path)
    return path


def expected(name: str) -> Cells:
    edits, changes = SCENARIOS[name]
    cells: Cells = {title: {} for title in MODEL}
    for (title, address), value in (BASE | changes).items():
        if (title, address) not in edits:
            cells[title][address] = value
    return cells


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return save(tmp_path / "model.xlsx", MODEL, NAMES)


@pytest.mark.parametrize("name", SCENARIOS)
def test_formualizer_recalculates_after_edits(model: Path, name: str) -> None:
    assert differences(expected(name), by_formualizer(model, SCENARIOS[name][0])) == []


def test_formualizer_restores_what_was_edited(model: Path) -> None:
    judge = Formualizer(model)
    for _ in range(2):
        for name, (edits, _) in SCENARIOS.items():
            with judge.edited(edits) as cells:
                assert differences(expected(name), cells) == []
        assert differences(expected("as it is"), judge.cells()) == []


def test_a_failing_comparison_does_not_leave_the_edit_behind(model: Path) -> None:
    judge = Formualizer(model)
    with pytest.raises(ZeroDivisionError), judge.edited({("Inputs", "E7"): 1}):
        raise ZeroDivisionError
    assert differences(expected("as it is"), judge.cells()) == []


def test_an_edit_of_an_unknown_sheet_is_refused(model: Path) -> None:
    with pytest.raises(KeyError, match="no sheet 'Input'"):
        by_formualizer(model, {("Input", "E7"): 1})


@needs_libreoffice
def test_libreoffice_recalculates_after_edits(model: Path) -> None:
    before = model.read_bytes()
    answers = by_libreoffice([model] * len(SCENARIOS), [edits for edits, _ in SCENARIOS.values()])
    for name, cells in zip(SCENARIOS, answers, strict=True):
        assert differences(expected(name), cells, names=("expected", f"LibreOffice, {name}")) == []
    assert model.read_bytes() == before


# ---------------------------------------------------------------- stored values


@pytest.fixture
def stale(model: Path) -> Path:
    """Make a file with a value beside each formula; the one of Inputs!D7 is 44, and should be 3."""
    recalculate_file(str(model))
    with ZipFile(model) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    parts[name], count = re.subn(rb'(<c r="D7".*?<v>)3(?:\.0)?(</v>)', rb"\g<1>44\2", parts[name], count=1)
    assert count == 1
    with ZipFile(model, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return model


def test_stored_is_nothing_before_anyone_calculated(model: Path) -> None:
    cells = stored(model)
    assert {title: set(values) for title, values in cells.items()} == {
        title: set(values) for title, values in expected("as it is").items()
    }
    assert {value for values in cells.values() for value in values.values()} == {None}


def test_stored_is_what_the_file_holds(stale: Path) -> None:
    assert differences(stored(stale), expected("as it is"), names=("stored", "expected")) == [
        "Inputs!D7: 44 (stored) against 3 (expected)"
    ]


def test_formualizer_does_not_trust_stored_values(stale: Path) -> None:
    assert differences(by_formualizer(stale), expected("as it is")) == []


@needs_libreoffice
def test_libreoffice_does_not_trust_stored_values(stale: Path) -> None:
    assert differences(by_libreoffice([stale])[0], expected("as it is")) == []


# ---------------------------------------------------------------- differences


@pytest.mark.parametrize(
    ("one", "other", "line"),
    [
        (38.95, 38.96, "38.95 (stored) against 38.96 (formualizer)"),
        (38.95, 38.95 * (1 + 5e-10), None),
        (38.95, 38.95 * (1 + 2e-9), "38.95 (stored) against 38.9500000779 (formualizer)"),
        (0.0, 9e-13, None),
        (0, 7e-9, "0 (stored) against 7e-09 (formualizer)"),
        ("", None, None),
        (None, 0.0, "blank (stored) against 0 (formualizer)"),
        ("#N/A", "#VALUE!", None),
        ("#DIV/0!", 1.0, "#DIV/0! (stored) against 1 (formualizer)"),
        ("#N/A", None, "#N/A (stored) against blank (formualizer)"),
        (True, 1.0, "TRUE (stored) against 1 (formualizer)"),
        (False, None, "FALSE (stored) against blank (formualizer)"),
        (True, False, "TRUE (stored) against FALSE (formualizer)"),
        ("1", 1.0, '"1" (stored) against 1 (formualizer)'),
        ("n/a", "N/A", '"n/a" (stored) against "N/A" (formualizer)'),
    ],
)
def test_differences_tells_kinds_and_tolerances_apart(one: Value, other: Value, line: str | None) -> None:
    found = differences({"Compute": {"D7": one}}, {"Compute": {"D7": other}}, names=("stored", "formualizer"))
    assert found == ([] if line is None else [f"Compute!D7: {line}"])


def test_differences_takes_a_cell_or_sheet_that_is_not_there_as_blank() -> None:
    assert differences({"A": {"B1": 1.0, "B2": ""}}, {"C": {"B3": None, "B4": 2.0}}) == [
        "A!B1: 1 (left) against blank (right)",
        "C!B4: blank (left) against 2 (right)",
    ]


def test_differences_with_other_tolerances() -> None:
    left, right = {"S": {"A1": 100.0, "A2": 0.0}}, {"S": {"A1": 100.1, "A2": 1e-7}}
    assert len(differences(left, right)) == 2
    assert differences(left, right, rel=1e-2, absolute=1e-6) == []


# ---------------------------------------------------------------- what the calculators agree about, and what not

DATA: dict[str, Value] = {
    **dict(zip(("A1", "A2", "A3", "A4", "A5"), ("nv/h100", "a/b", "a*b", "BF16", "高带宽"), strict=True)),
    **dict(zip(("B1", "B2", "B4", "B5"), (1.5, "=NA()", "text", 2.5), strict=True)),  # B3 is blank
    "C1": True,
}
AGREED: dict[str, Value] = {
    # TEXT: halves go away from zero on the decimal digits; what rounds to zero has no sign (Excel is said to keep it).
    'TEXT(0,"#,##0")': "0",
    'TEXT(-0.4,"#,##0")': "0",
    'TEXT(2.5,"#,##0")': "3",
    'TEXT(-1234.5,"#,##0")': "-1,235",
    'TEXT(1.12E+12,"#,##0")': "1,120,000,000,000",
    'TEXT(0,"#,##0.00")': "0.00",
    'TEXT(1.005,"#,##0.00")': "1.01",
    'TEXT(0.125,"#,##0.00")': "0.13",
    'TEXT(-0.125,"#,##0.00")': "-0.13",
    'TEXT(-0.001,"#,##0.00")': "0.00",
    'TEXT(999999.995,"#,##0.00")': "1,000,000.00",
    'TEXT(0,"0.0%")': "0.0%",
    'TEXT(1.005,"0.0%")': "100.5%",
    'TEXT(0.0245,"0.0%")': "2.5%",
    'TEXT(-0.125,"0.0%")': "-12.5%",
    'TEXT("n/a","#,##0")': "n/a",
    'TEXT(NA(),"#,##0")': "#N/A",
    '"x "&TEXT(NA(),"0")': "#N/A",
    'IFERROR(TEXT(Data!B2,"0"),"n/a")': "n/a",
    # What is not known, blank or text.
    'IF(ISNUMBER(Data!B1),Data!B1,"y")': 1.5,
    'IF(ISNUMBER(Data!B2),Data!B2,"y")': "y",
    'IF(ISNUMBER(Data!B3),Data!B3,"y")': "y",
    'IF(ISNUMBER(Data!B4),Data!B4,"y")': "y",
    "SUM(Data!B1:B5)": "#N/A",
    'SUMIF(Data!B1:B5,"<1E+300")': 4.0,
    'SUMIF(Data!B2:B4,"<1E+300")': 0.0,
    "ROWS(Data!B1:B5)-COUNT(Data!B1:B5)": 3.0,
    "ISBLANK(Data!B3)": True,
    "Data!B3": 0.0,
    # MATCH: capitals do not count, in any alphabet; * and ? are wildcards, ~ takes that away; no regular expressions.
    'MATCH("a/b",Data!A1:A5,0)': 2.0,
    'MATCH("A/B",Data!A1:A5,0)': 2.0,
    'MATCH("NV/H100",Data!A1:A5,0)': 1.0,
    'MATCH("bf16",Data!A1:A5,0)': 4.0,
    'MATCH("高带宽",Data!A1:A5,0)': 5.0,
    'MATCH("a*b",Data!A1:A5,0)': 2.0,
    'MATCH("a~*b",Data!A1:A5,0)': 3.0,
    'MATCH("a?b",Data!A1:A5,0)': 2.0,
    'MATCH("a.b",Data!A1:A5,0)': "#N/A",
    'MATCH("b",Data!A1:A5,0)': "#N/A",
    # = between texts: capitals do not count, and there are no wildcards.
    '"bf16"="BF16"': True,
    '"a*b"="a/b"': False,
    '1="1"': False,
    # & of a number that 15 digits hold exactly.
    '"x"&100': "x100",
    '"x"&0.1': "x0.1",
    '"x"&123456.789': "x123456.789",
    '"x"&1E+15': "x1000000000000000",
}
# Formula: what LibreOffice 7.4 says, what formualizer 0.13 says. In the first table LibreOffice says what Excel is
# documented to say, so that it is the judge; in the second it does not, so that neither should be asked.
LIBREOFFICE_IS_RIGHT: dict[str, tuple[Value, Value]] = {
    'TEXT(0,"0.00E+00")': ("0.00E+00", "0.00"),  # formualizer knows no exponents in a pattern
    'TEXT(-0.125,"0.00E+00")': ("-1.25E-01", "-0.12"),
    'TEXT(1.12E+12,"0.00E+00")': ("1.12E+12", "1120000000000.00"),
    '"x"&1/3': ("x0.333333333333333", "x0.3333333333333333"),
    '"x"&(0.1+0.2)': ("x0.3", "x0.30000000000000004"),
    "0.1+0.2=0.3": (True, False),
    '"é"="É"': (True, False),  # but MATCH and COUNTIF of formualizer do take them as equal
    "SUMPRODUCT(--ISNUMBER(Data!B1:B5))": (2.0, 0.0),  # formualizer: 0 whenever the range has an error
}
LIBREOFFICE_IS_ODD: dict[str, tuple[Value, Value]] = {
    'TEXT(2,"0.##")': ("2", "2."),
    'TEXT(1.005,"0%")': ("100%", "101%"),  # with "0.0%" it is right
    '"x"&TRUE': ("x1", "xTRUE"),
    "TRUE=1": (True, False),
    "ISNUMBER(Data!C1)": (True, False),  # so a cell with TRUE counts in SUM, COUNT and SUMIF
    "COUNT(Data!C1)": (1.0, 0.0),
    '"x"&1E+20': ("x1E+020", "x100000000000000000000"),  # Excel: x1E+20
    '"x"&1E-10': ("x0.0000000001", "x0.0000000001"),  # Excel: x1E-10
}
DIFFERENT = LIBREOFFICE_IS_RIGHT | LIBREOFFICE_IS_ODD


@pytest.fixture(scope="module")
def formulas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cells: dict[str, Value] = {f"A{row}": f"={text}" for row, text in enumerate([*AGREED, *DIFFERENT], 1)}
    return save(tmp_path_factory.mktemp("formulas") / "formulas.xlsx", {"Formulas": cells, "Data": DATA})


def answers(cells: Cells) -> dict[str, Value]:
    return dict(zip([*AGREED, *DIFFERENT], cells["Formulas"].values(), strict=True))


def test_formualizer_says_what_is_recorded(formulas: Path) -> None:
    said = answers(by_formualizer(formulas))
    assert differences({"": said}, {"": AGREED | {text: both[1] for text, both in DIFFERENT.items()}}) == []


@needs_libreoffice
def test_libreoffice_says_what_is_recorded(formulas: Path) -> None:
    said = answers(by_libreoffice([formulas])[0])
    recorded = AGREED | {text: both[0] for text, both in LIBREOFFICE_IS_RIGHT.items()}
    assert differences({"": {text: said[text] for text in recorded}}, {"": recorded}) == []


# ---------------------------------------------------------------- LibreOffice as a program


def fake(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    program = folder / "soffice"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(recalculate, "PLACES", (str(program),))


def test_a_first_start_may_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model: Path) -> None:
    log = tmp_path / "log"
    copy = 'while [ "$1" != --outdir ]; do shift; done; mkdir -p "$2" && cp "$3" "$2"'
    fake(monkeypatch, tmp_path, f'echo start >> "{log}"; [ "$(wc -l < "{log}")" -gt 1 ] || exit 0; {copy}')
    assert by_libreoffice([model]) == [stored(model)]
    assert log.read_text(encoding="utf-8") == "start\nstart\n"


def test_a_second_failure_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model: Path) -> None:
    fake(monkeypatch, tmp_path, "echo no such filter")
    with pytest.raises(CalculatorError, match=r"wrote no 00000\.xlsx.*no such filter"):
        by_libreoffice([model])


def test_what_hangs_is_ended_with_all_that_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model: Path
) -> None:
    fake(monkeypatch, tmp_path, "sleep 60 & wait")
    start = time.monotonic()
    with pytest.raises(CalculatorError, match=r"did not finish 1 file\(s\) in 0\.2 s"):
        by_libreoffice([model], timeout=0.2)
    assert time.monotonic() - start < 30  # the sleeper holds the output open, so we would wait for it


def test_without_libreoffice_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, model: Path) -> None:
    monkeypatch.setattr(recalculate, "PLACES", ())
    assert find_soffice() is None
    assert by_libreoffice([]) == []
    with pytest.raises(CalculatorError, match="install LibreOffice"):
        by_libreoffice([model])


@needs_libreoffice
def test_a_file_that_libreoffice_cannot_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.xlsx").write_bytes(b"PK\3\4 and nothing else")
    with pytest.raises(CalculatorError, match=r"wrote no bad\.pdf"):
        recalculate._convert([tmp_path / "bad.xlsx"], "pdf", tmp_path, 60)  # noqa: SLF001 - no caller brings such a file


def test_importing_the_module_imports_no_calculator() -> None:
    code = "import sys, capframe.recalculate; print({'openpyxl', 'formualizer', 'numpy'} & set(sys.modules))"
    root = str(Path(recalculate.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)  # noqa: S603
    assert done.stdout.strip() == "set()"
