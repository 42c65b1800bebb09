"""Exporters: files come whole or not at all, and who is to blame when they do not."""

from __future__ import annotations

import pytest

from capframe import Exporter, export
from capframe.errors import CapframeError, PluginError


def writes(text):
    return lambda _results, path: path.write_text(text, encoding="utf-8")


def breaks(_results, path):
    path.write_text("half", encoding="utf-8")
    msg = "sheet 5"
    raise RuntimeError(msg)


@pytest.fixture
def written(read_plan, plugin_of, host_with, tmp_path):
    """Export an empty plan with exporters of plugins by name; return what is in the folder then."""

    def write(offers, wanted=None):
        host = host_with({name: plugin_of(exporters=items) for name, items in offers.items()})
        folder = tmp_path / "out"
        try:
            export(read_plan().ledger().evaluate(), host, folder, "plan", wanted)
        finally:
            write.folder = folder.exists()
            found = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*"))}
            write.found = found
        return found

    return write


def test_files_are_named_after_the_plan(written):
    assert written({"extra": [Exporter("words", ".txt", writes("all"))]}, ["txt"]) == {"plan.txt": "all"}


def test_what_was_there_is_replaced_whole(written):
    written({"extra": [Exporter("words", ".txt", writes("old and long"))]}, ["txt"])
    assert written({"extra": [Exporter("words", ".txt", writes("new"))]}, ["txt"]) == {"plan.txt": "new"}


def test_nothing_is_left_of_a_run_that_breaks(written):
    """The first file was written well; it is not put in place beside a second that failed."""
    offers = {"extra": [Exporter("words", ".aaa", writes("all")), Exporter("table", ".bbb", breaks)]}
    with pytest.raises(
        PluginError, match=r"^plugin 'extra', exporter: RuntimeError: sheet 5 \(test_exporting\.py:\d+\)$"
    ):
        written(offers, ["aaa", "bbb"])
    assert written.found == {}
    assert not written.folder


def test_a_folder_that_was_there_stays(written, tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(PluginError):
        written({"extra": [Exporter("table", ".bbb", breaks)]}, ["bbb"])
    assert written.folder


def test_folders_above_are_taken_away_too(read_plan, plugin_of, host_with, tmp_path):
    host = host_with({"extra": plugin_of(exporters=[Exporter("table", ".bbb", breaks)])})
    with pytest.raises(PluginError):
        export(read_plan().ledger().evaluate(), host, tmp_path / "a" / "b", "plan", ["bbb"])
    assert [path.name for path in tmp_path.iterdir()] == ["plan.yaml"]


def test_an_exporter_that_is_named_by_a_text_is_loaded_when_it_writes(written):
    offers = {"extra": [Exporter("words", ".txt", "no_such_module:write")]}
    with pytest.raises(
        PluginError, match="plugin 'extra', exporter: ModuleNotFoundError: No module named 'no_such_module'"
    ):
        written(offers, ["txt"])


def test_an_unknown_format_is_refused_with_those_there_are(written):
    with pytest.raises(CapframeError, match=r"no exporter writes \.jsn \(there are .*json.*\); did you mean 'json'"):
        written({}, ["jsn"])


def test_an_exporter_that_writes_nothing_is_told(written):
    offers = {"extra": [Exporter("words", ".txt", lambda _results, _path: None)]}
    with pytest.raises(PluginError, match="plugin 'extra', exporter: wrote no file"):
        written(offers, ["txt"])


def test_what_is_no_exporter_is_told(written):
    said = "plugin 'extra', capframe_exporters: TypeError: yields 'txt', which is no Exporter"
    with pytest.raises(PluginError, match=said):
        written({"extra": ["txt"]}, ["json"])
