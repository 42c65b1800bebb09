"""What plugins offer beside lines and catalogues: each hook with a plugin that uses it, and its clash."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from capframe import (
    CapframeError,
    Check,
    Command,
    Executor,
    Function,
    Host,
    Importer,
    LineItem,
    TemplateFolder,
    at_most,
    number_of,
    offers,
    plain_number,
    printing,
    start_executor,
    strict,
    template_reader,
)
from capframe.counting import normal_quantile, poisson
from capframe.errors import PlanError, PluginError
from capframe.expr import Call, Num
from capframe.functions import FUNCTIONS
from capframe.portable import lacking, wrong_with_excel

cube = Function("cube", strict(lambda x: x**3), "POWER({0},3)", "{0:(}³", plain_number)


def function_with(**changed):
    given = {
        "name": "cube", "apply": abs, "excel": "ABS({0})", "math": "|{0}|", "settle": plain_number, **changed,
    }  # fmt: skip
    return Function(**given)


# ------------------------------------------------ functions


def test_a_function_of_a_plugin_has_all_its_readings(ledger_of):
    ledger = ledger_of(lambda p: [LineItem(p.extra.volume, cube(3), "1", label="Volume")])
    # 3³ = 27
    assert ledger.evaluate().value("extra.volume") == 27
    assert ledger.formula_in_words("extra.volume") == "3³"


def test_functions_of_plugins_join_ours(host_with, plugin_of):
    found = offers.functions(host_with({"mine": plugin_of(functions=[cube])}))
    assert found["cube"] is cube
    assert "round_up" in found


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": "two words"}, "'two words' is no name that a formula could call"),
        ({"excel": ""}, "its reading 'excel' is a text with slots"),
        ({"excel": None}, "its reading 'excel' is a text with slots"),
        ({"math": "cube"}, "its reading 'math' is a text with slots"),
        ({"apply": None}, "its reading 'apply' is a function, not None"),
        ({"settle": "1"}, "its reading 'settle' is a function, not '1'"),
    ],
)
def test_a_function_without_all_its_readings_is_refused(host_with, plugin_of, changed, said):
    host = host_with({"mine": plugin_of(functions=lambda: [function_with(**changed)])})
    with pytest.raises(PluginError) as caught:
        offers.functions(host)
    assert "plugin 'mine', function" in str(caught.value)
    assert said in str(caught.value)


BROKEN = [
    ({"excel": "POWER({0},3"}, "gives `POWER(A1,3`, which is no formula of Excel"),
    ({"excel": "POWER({0} 3)"}, "gives `POWER(A1 3)`, which is no formula of Excel"),
    ({"excel": "POWER({0};3)"}, "gives `POWER(A1;3)`, which is no formula of Excel"),
    ({"excel": "{0:(}*/2"}, "gives `A1*/2`, which is no formula of Excel"),
    ({"excel": "{0:(}*C7"}, "gives `A1*C7`, which is no formula of Excel"),  # whatever stands in C7
    ({"excel": '"{0}'}, 'gives `"A1`, which is no formula of Excel'),
    ({"excel": "XLOOKUP({0},1)"}, "XLOOKUP is not computed alike by Excel 2010, WPS and LibreOffice"),
    ({"excel": "{0}^3"}, "has `{0}` beside a sign; write `{0:(}`, which gets brackets where needed"),
    ({"excel": "ABS(1 + {0})"}, "has `{0}` beside a sign; write `{0:(}`, which gets brackets where needed"),
    ({"excel": "{1}"}, "cannot be filled (IndexError"),
    ({"excel": "ABS({x})"}, "cannot be filled (KeyError: 'x')"),
    ({"math": "|{1}|"}, "its reading 'math' is '|{1}|', which cannot be filled (IndexError"),
    ({"math": {"en": "|{0}|", "zh": "{"}}, "its reading 'math' is '{', which cannot be filled (ValueError"),
]


@pytest.mark.parametrize(("changed", "said"), BROKEN)
def test_a_reading_that_no_workbook_would_compute_is_refused(host_with, plugin_of, assembled, changed, said):
    function = function_with(**changed)
    with pytest.raises(PluginError) as caught:
        offers.functions(host_with({"mine": plugin_of(functions=[function])}))
    assert "plugin 'mine', function 'cube': its reading" in str(caught.value)
    assert said in str(caught.value)
    # where a line calls it that no hook declares, it is told with the line
    line = LineItem("mine.x", Call(function, (Num(2),)), "1", label="X")
    with pytest.raises(PlanError) as told:
        assembled({"mine": [line]})
    assert str(told.value).startswith("mine.x (plugin 'mine'): function 'cube': its reading")
    assert said in str(told.value)


@pytest.mark.parametrize(
    "excel", ["2*{0:(}", "IF(AND({0:(}>=0,{0:(}<1),LN({0})+1.5E-3,NA())", '-{0:(}%&" (x"', "SUM({all})"]
)
def test_readings_that_a_workbook_computes(excel):
    assert not wrong_with_excel(excel)


def test_every_function_of_ours_has_sound_readings():
    assert not list(filter(None, map(lacking, (*FUNCTIONS.values(), number_of, normal_quantile, poisson))))


def test_a_function_whose_formula_has_signs_keeps_together_beside_others(assembled):
    """10 / doubled(2) is 2.5 in Python; without brackets a cell would hold 10/2*2 = 10."""
    doubled = Function("doubled", lambda x: 2 * x, "2*{0:(}", "2 × {0:(}", plain_number)
    ledger = assembled({"mine": [LineItem("mine.x", Num(10) / doubled(2), "1", label="X")]})
    assert ledger.evaluate().value("mine.x") == 2.5
    assert printing.excel(ledger.lines["mine.x"].formula, None) == "10/(2*2)"
    assert ledger.formula_in_words("mine.x") == "10 / (2 × 2)"


GIVES = [  # what a function gives, and what is due
    (lambda _x: "three", "'three' where a number is due"),
    (lambda _x: True, "True where a number is due"),
    (lambda _x: None, "None where a number is due"),
]


@pytest.mark.parametrize(("apply", "said"), GIVES)
def test_a_function_that_gives_something_else_than_its_unit_says_is_told(ledger_of, apply, said):
    function = function_with(apply=apply)
    ledger = ledger_of(lambda p: [LineItem("mine.x", function(p.power.pue), "1", label="X")], "power: {pue: 1.2}\n")
    with pytest.raises(PluginError, match=rf"^mine.x \(plugin 'extra'\): a function of its formula gives {said}$"):
        ledger.evaluate()


def test_a_check_whose_function_gives_a_text_or_fails_is_told_too(assembled):
    for apply, said in ((lambda _x: "three", "raised TypeError"), (lambda x: 1 / (x - x), "raised ZeroDivisionError")):
        test = at_most(function_with(apply=apply)(2), 1)
        results = assembled({"mine": [Check("mine.c", test, "error", "no", label="C")]}).evaluate()
        with pytest.raises(PluginError, match=rf"^mine.c \(plugin 'mine'\): a function of its formula {said}"):
            list(results.statuses())


# ------------------------------------------------ clashes: both are named, whatever the order

OFFERS = {
    "functions": (lambda: cube, "function 'cube'", offers.functions),
    "commands": (lambda: Command("stress", "What breaks first.", "m:f"), "command 'stress'", offers.commands),
    "executors": (lambda: Executor("threads", ThreadPoolExecutor), "executor 'threads'", offers.executors),
    "importers": (lambda: Importer(".csv", "m:f"), "importer '.csv'", offers.importers),
}


@pytest.mark.parametrize("hook", OFFERS)
def test_two_plugins_with_one_name_are_refused_naming_both(host_with, plugin_of, hook):
    make, what, read = OFFERS[hook]
    both = {name: plugin_of(**{hook: lambda: [make()]}) for name in ("two", "one")}
    with pytest.raises(CapframeError) as caught:
        read(host_with(both))
    said = f"{what} is given by both plugin 'one' and plugin 'two'; switch one off (--no-plugin two)"
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("hook", "item", "read", "said"),
    [
        ("functions", function_with(name="sqrt"), offers.functions, "function 'sqrt'"),
        (
            "commands",
            Command("check", "Ours too.", "m:f"),
            lambda host: offers.commands(host, {"check": 1}),
            "command 'check'",
        ),
        ("importers", Importer(".yaml", "m:f"), offers.importers, "importer '.yaml'"),
    ],
)
def test_what_is_ours_cannot_be_taken(host_with, plugin_of, hook, item, read, said):
    host = host_with({"mine": plugin_of(**{hook: [item]})})
    with pytest.raises(CapframeError, match=f"{said} is given by both capframe itself and plugin 'mine'"):
        read(host)


# ------------------------------------------------ templates


def folder(tmp_path, name, **texts):
    where = tmp_path / name
    where.mkdir()
    for stem, text in texts.items():
        (where / f"{stem}.md.j2").write_text(text)
    return where


@pytest.fixture
def three(tmp_path, plugin_of):
    """Your folder, and those of plugins air and liquid."""
    air = folder(tmp_path, "air", note="air note", other="air other")
    liquid = folder(tmp_path, "liquid", note="liquid note", other="liquid other", last="liquid last")
    extra = {
        "liquid": plugin_of(templates=[TemplateFolder(liquid)]),
        "air": plugin_of(templates=[TemplateFolder(str(air))]),
    }
    return Host(extra=extra, templates=folder(tmp_path, "yours", note="your note"))


def test_your_folder_wins_then_plugins_by_name_then_ours(three):
    found = offers.templates(three)
    assert {name: [owner for owner, _ in found[name]] for name in ("note.md.j2", "other.md.j2", "last.md.j2")} == {
        "note.md.j2": ["your folder", "air", "liquid"],
        "other.md.j2": ["air", "liquid"],
        "last.md.j2": ["liquid"],
    }
    assert offers.template_folders(three)[-1][0] == "capframe itself"


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("note.md.j2", "your note"),
        ("other.md.j2", "air other"),
        ("last.md.j2", "liquid last"),
        ("liquid/note.md.j2", "liquid note"),
        ("air/note.md.j2", "air note"),
    ],
)
def test_a_prefix_names_one_plugins_own_template(three, asked, text):
    assert template_reader(three)(asked) == text


@pytest.mark.parametrize("name", ["nothing.md.j2", "liquid/nothing.md.j2", "../liquid/note.md.j2", "water/note.md.j2"])
def test_what_is_no_template_is_not_found(three, name):
    with pytest.raises(FileNotFoundError):
        template_reader(three)(name)


def test_ours_can_be_asked_for_by_name(three):
    read = template_reader(three)
    assert read("capframe/brief.md.j2") == read("brief.md.j2")


def test_a_template_folder_that_is_not_there_is_refused(host_with, plugin_of, tmp_path):
    host = host_with({"mine": plugin_of(templates=[TemplateFolder(tmp_path / "nowhere")])})
    with pytest.raises(PluginError, match=r"plugin 'mine', capframe_templates: there is no folder .*nowhere"):
        offers.template_folders(host)


# ------------------------------------------------ executors


def test_an_executor_runs_work(host_with, plugin_of):
    host = host_with({"mine": plugin_of(executors=[Executor("threads", ThreadPoolExecutor)])})
    with start_executor(host, "threads", 2) as pool:
        done: Future[int] = pool.submit(sum, [1, 2, 3])
        assert done.result() == 6


def test_an_executor_that_is_none_is_refused(host_with, plugin_of):
    host = host_with({"mine": plugin_of(executors=[Executor("threads", lambda workers: workers)])})
    with pytest.raises(PluginError, match=r"plugin 'mine', executor 'threads': .*gives a int, no concurrent.futures"):
        start_executor(host, "threads", 2)
    with pytest.raises(CapframeError, match="no executor is called 'thread'; did you mean 'threads'"):
        start_executor(host, "thread")


# ------------------------------------------------ readers of foreign catalogues

CATALOG = """\
catalog: 1
kind: accelerator
as_of: 2026-11-29
sources: {list: {title: A price list}}
records:
  - id: ours/chip-one
    origin: {source: list, confidence: measured}
    facts: {memory: 96 GB/card}
"""


def test_an_importer_turns_a_foreign_file_into_one_of_ours(host_with, plugin_of, tmp_path):
    path = tmp_path / "list.CSV"
    path.write_text("chip-one;96\n")
    seen = []

    def read(file: Path) -> str:
        seen.append(file)
        return CATALOG

    host = host_with({"mine": plugin_of(importers=[Importer(".csv", read)])})
    assert offers.imported(host, path) == CATALOG.encode()
    assert seen == [path]
    assert offers.imported(host, tmp_path / "list.ods") is None


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda _: {"catalog": 1}, "TypeError: the reader gives a dict; it returns the text of a catalogue"),
        (lambda _: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_fault_of_an_importer_names_it_and_the_file(host_with, plugin_of, read, said):
    host = host_with({"mine": plugin_of(importers=[Importer(".csv", read)])})
    with pytest.raises(PluginError, match=f"plugin 'mine', importer of list.csv: .*{said}"):
        offers.imported(host, Path("list.csv"))


# ------------------------------------------------ items say at once what is wrong with them


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Command("two words", "Help.", "m:f"), "name is letters, digits, - and _"),
        (lambda: Command("stress", "", "m:f"), "help"),
        (lambda: Command("stress", "Help.", "module"), "target is a function, or where one lives"),
        (lambda: Command("stress", "Help.", None), "target is a function, or where one lives"),
        (lambda: Executor("threads", 3), "factory is a function, or where one lives"),
        (lambda: Importer("csv", "m:f"), "a suffix is written in small letters with its dot"),
        (lambda: Importer(".CSV", "m:f"), "a suffix is written in small letters with its dot"),
        (lambda: Importer(".csv", "m:f:g"), "reader is a function, or where one lives"),
        (lambda: TemplateFolder(None), "expected str"),
    ],
)
def test_a_wrong_item_is_refused_where_it_is_made(make, said):
    with pytest.raises((TypeError, ValueError), match=said):
        make()


def test_a_plan_names_a_foreign_catalogue_and_picks_from_it(read_plan, plugin_of, tmp_path):
    (tmp_path / "list.csv").write_text("chip-one;96\n")
    mine = plugin_of(importers=[Importer(".csv", lambda _: CATALOG)])
    plan = read_plan("catalogs: [list.csv]\n", extra={"mine": mine})
    # 96 GB a card, as the list says
    assert plan.catalog.kinds["accelerator"].fact("ours/chip-one", "memory").value == 96


def test_a_mistake_in_what_is_imported_names_the_file(read_plan, plugin_of, tmp_path):
    (tmp_path / "list.csv").write_text("chip-one;96\n")
    without_source = CATALOG.replace("origin: {source: list, confidence: measured}", "")
    mine = plugin_of(importers=[Importer(".csv", lambda _: without_source)])
    with pytest.raises(CapframeError, match=r"list.csv \(imported\):8:.* has no source or no confidence"):
        read_plan("catalogs: [list.csv]\n", extra={"mine": mine})
