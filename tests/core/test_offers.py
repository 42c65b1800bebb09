"""What plugins offer beside lines and catalogues: each hook with a plugin that uses it, and its clash."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from capframe import (
    CapframeError,
    Command,
    Executor,
    Function,
    Host,
    Importer,
    LineItem,
    TemplateFolder,
    offers,
    plain_number,
    start_executor,
    strict,
    template_reader,
)
from capframe.errors import PluginError

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
