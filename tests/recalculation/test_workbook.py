"""Every figure of a workbook, recalculated by calculators that know nothing of us, as it is and after edits."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from attrs import evolve
from openpyxl import load_workbook

from capframe import AUTO, ChoiceField, Host, Input, PickField, QuantityField, load
from capframe.plan import Plan
from capframe.recalculate import Formualizer, by_formualizer, by_libreoffice, differences, find_soffice, stored
from capframe_plugins.workbook.build import pages_of, values_of, write
from capframe_plugins.workbook.layout import Layout

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.[yt]*ml"))
BOTH = [(name, language) for name in EXAMPLES for language in ("en", "zh-CN")]
SOURCES = {"Sources", "来源"}
EDITS = int(os.environ.get("CAPFRAME_EDITS", "50"))  # of each example; 200 of each take four minutes
IN_LIBREOFFICE = 5
# the sheet of inputs, its key column, what marks a column to type in, the base column: English and Chinese
TITLES = (("Inputs", "Key", " (type here)", "base"), ("输入", "键", "(可修改)", "基准"))

needs_libreoffice = pytest.mark.skipif(
    find_soffice() is None and not os.environ.get("CI"), reason="LibreOffice (soffice) is not installed"
)


@pytest.fixture(scope="module")
def host():
    return Host()


def results_of(path: Path, host: Host, language: str, *overrides: str):
    """The results of a plan, shown in a language that may be another than its own."""
    plan = load(path, host=host, overrides=overrides)
    return evolve(plan, header=evolve(plan.header, language=language)).ledger().evaluate()


def cells_of(path: Path, host: Host, language: str, *overrides: str):
    """The values that a build writes beside its formulas, without the file."""
    pages = pages_of(Layout(results_of(path, host, language, *overrides)))
    return {page.title: values_of(page) for page in pages}


def differing(new, edited):
    """Name every cell in which a new workbook and an edited one differ.

    The sheet of sources lists the parts that are picked before the others, which an edit cannot: links to the Catalog,
    where no edit changes anything.
    """
    new, edited = ({title: cells for title, cells in one.items() if title not in SOURCES} for one in (new, edited))
    return differences(new, edited, names=("built", "edited"))


@pytest.fixture(scope="module")
def built(tmp_path_factory, host):
    """Every example in each language, by name and language."""
    folder, files = tmp_path_factory.mktemp("built"), {}
    for name, language in BOTH:
        files[name, language] = folder / f"{name}.{language}.xlsx"
        write(results_of(FOLDER / name, host, language), files[name, language])
    return files


@pytest.mark.parametrize(("name", "language"), BOTH)
def test_formualizer_finds_the_stored_values(name, language, built):
    values = stored(built[name, language])
    assert sum(map(len, values.values())) > 500
    assert differences(values, by_formualizer(built[name, language]), names=("stored", "formualizer")) == []


@needs_libreoffice
def test_libreoffice_finds_the_stored_values(built):
    recalculated = by_libreoffice(list(built.values()))
    for path, cells in zip(built.values(), recalculated, strict=True):
        assert differences(stored(path), cells, names=("stored", "LibreOffice")) == []


def test_no_error_but_not_available(built):
    for path in built.values():
        errors = {
            value
            for cells in stored(path).values()
            for value in cells.values()
            if isinstance(value, str) and value.startswith("#")
        }
        assert errors <= {"#N/A"}


# ---------------------------------------------------------------- edits


class Cells:
    """Where the typed cells of Inputs stand, found as a person finds them: by the titles and the key column."""

    def __init__(self, path: Path) -> None:
        workbook = load_workbook(path)
        [(self.title, key, typed, base)] = [words for words in TITLES if words[0] in workbook.sheetnames]
        sheet = workbook[self.title]
        titles = {sheet.cell(4, column).value: column for column in range(1, sheet.max_column + 1)}
        self.keys = {sheet.cell(row, titles[key]).value: row for row in range(5, sheet.max_row + 1)}
        self.columns = {
            title.removesuffix(typed): sheet.cell(4, column).column_letter
            for title, column in titles.items()
            if title and title.endswith(typed)
        }
        self.columns["base"] = self.columns[base]

    def of(self, key: str, scenario: str) -> tuple[str, str]:
        return self.title, f"{self.columns[scenario]}{self.keys[key]}"


def typed_value(one: Input, plan: Plan, chance: random.Random) -> float | str:
    """A value within the validation of an input: what a person might type."""
    field = one.field
    if isinstance(field, PickField):
        return chance.choice(sorted(plan.catalog.kinds[field.kind].records))
    if isinstance(field, ChoiceField):
        return chance.choice(field.options)
    assert isinstance(field, QuantityField)
    if field.may_be_auto and chance.random() < 0.3:
        return AUTO
    now = one.base.value
    low = field.low if field.low is not None else 0.001
    high = field.high if field.high is not None else 1e9
    if isinstance(now, float) and now > 0:
        low, high = max(low, now * 0.5), min(high, now * 2)
    value = chance.uniform(low, min(high, max(low, 1) * 1e4))
    return float(round(value)) if field.whole else float(f"{value:.12g}")


def written(value: float | str | None, one: Input) -> str:
    """The same value as ``--set`` takes it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if one.group == "prices":  # typed into its cell, a price is without VAT, and as old as the cell of its age says
        money, thing = one.unit.text.split("/")
        dated = f", date: {one.base.origin.date}" if one.base.origin.date else ""
        return f"{{price: {value!r} {money}, per: {thing}, vat: excluded{dated}}}"
    if one.key.startswith("claims."):  # typed into its cell, it keeps the words of who says so
        return f"{{value: {value!r} {one.unit.text}, source: {one.base.origin.source!r}}}"
    return f"{value!r} {one.unit.text}" if one.unit.text != "1" else repr(value)


def edits_of(plan: Plan, chance: random.Random):
    """Random single edits, and each kind that a person makes at least once."""
    inputs = [one for one in plan.inputs.values() if not one.by_period and one.fixed is None]  # what is fixed is locked
    for number in range(EDITS):
        one = chance.choice(inputs)
        if number % 10 == 0:
            one = chance.choice([each for each in inputs if isinstance(each.field, PickField)])
        elif number % 10 == 1:
            one = chance.choice([each for each in inputs if each.field.may_be_auto])
        elif number % 10 == 2:
            one = chance.choice([each for each in inputs if each.overrides] or inputs)
        scenario = chance.choice(plan.columns)
        clearable = scenario != "base" or one.field.may_be_auto or one.field.optional
        if number % 10 in {2, 3} and one.overrides:
            yield one, next(iter(one.overrides)), None
        elif clearable and number % 10 == 4:
            yield one, scenario, None
        else:
            yield one, scenario, typed_value(one, plan, chance)


def settings(plan: Plan, seed: str):
    """Random edits of a plan, each as a cell takes it (input, scenario, value) and as --set takes it."""
    for one, scenario, value in edits_of(plan, random.Random(seed)):
        key = one.key if scenario == "base" else f"scenarios.{scenario}.{one.key}"
        yield one, scenario, value, f"{key}={written(value, one)}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_edited_workbook_equals_a_new_one(name, built, host):
    """Every second edit in the workbook of the other language."""
    plan = load(FOLDER / name, host=host)
    places = {language: Cells(built[name, language]) for language in ("en", "zh-CN")}
    judges = {language: Formualizer(built[name, language]) for language in places}
    kinds = set()
    for number, (one, scenario, value, change) in enumerate(settings(plan, f"edits of {name}")):
        language = ("en", "zh-CN")[number % 2]
        new = cells_of(FOLDER / name, host, language, change)
        with judges[language].edited({places[language].of(one.key, scenario): value}) as edited:
            assert differing(new, edited) == [], change
        kinds.add((type(one.field).__name__, value is None, value == AUTO))
    assert {("PickField", False, False), ("QuantityField", False, True), ("QuantityField", False, False)} <= kinds


@needs_libreoffice
def test_libreoffice_finds_the_same_after_edits(built, host):
    """A few edits of each example, in one start."""
    files, edits, wanted, changes = [], [], [], []
    for name in EXAMPLES:
        chosen = list(settings(load(FOLDER / name, host=host), f"LibreOffice, {name}"))[:IN_LIBREOFFICE]
        for number, (one, scenario, value, change) in enumerate(chosen):
            language = ("en", "zh-CN")[number % 2]
            files.append(built[name, language])
            edits.append({Cells(files[-1]).of(one.key, scenario): value})
            wanted.append(cells_of(FOLDER / name, host, language, change))
            changes.append(f"{name}: {change}")
    recalculated = by_libreoffice(files, edits, timeout=300)
    assert len(recalculated) == IN_LIBREOFFICE * len(EXAMPLES)
    for new, edited, change in zip(wanted, recalculated, changes, strict=True):
        assert differing(new, edited) == [], change


@pytest.mark.parametrize("name", EXAMPLES)
def test_readers_that_do_not_calculate_see_every_figure(name, built):
    import pandas as pd
    from python_calamine import CalamineWorkbook

    file = built[name, load(FOLDER / name).header.language]
    values = stored(file)
    through_openpyxl = load_workbook(file, data_only=True)
    calamine = CalamineWorkbook.from_path(str(file))
    for title, cells in values.items():
        sheet, rows = through_openpyxl[title], calamine.get_sheet_by_name(title).to_python(skip_empty_area=False)
        frame = pd.read_excel(file, sheet_name=title, header=None, engine="openpyxl")
        for address, value in cells.items():
            if isinstance(value, float):
                at = sheet[address]
                assert at.value == pytest.approx(value, rel=1e-12)
                assert rows[at.row - 1][at.column - 1] == pytest.approx(value, rel=1e-12)
                assert frame.iat[at.row - 1, at.column - 1] == pytest.approx(value, rel=1e-12)
