"""What is kept of catalogues between runs never decides a result."""

from __future__ import annotations

import json
import math

import pytest

from capframe import Host, catalog_cache, catalog_files, load

HEAD = "capframe: 1\ntitle: T\ndate: 2026-11-29\n"
OURS = (
    "catalog: 1\nkind: accelerator\nas_of: 2026-11-20\nsources: {lab: {title: Our laboratory}}\nrecords:\n"
    "  - id: ours/one\n    name: {en: One, zh: 一号}\n    aliases: [One]\n"
    "    origin: {source: lab, confidence: measured}\n"
    "    facts: {memory: {value: 64.1 GB/card, low: 60 GB/card, high: 70 GB/card}, supported: {bf16: yes}}\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    place = tmp_path / "cache"
    monkeypatch.setenv(catalog_cache.FOLDER, str(place))
    return place


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(HEAD + "catalogs: [ours.yaml]\n")
    (tmp_path / "ours.yaml").write_text(OURS)
    return path


def everything(path):
    """Return all that a catalogue says, nan written as None so that it equals itself."""

    def plain(fact):
        value = None if isinstance(fact.value, float) and math.isnan(fact.value) else fact.value
        return value, fact.at, fact.low, fact.high, fact.origin

    catalog = load(path).catalog
    return {
        name: (
            {
                part: (one.name, one.vendor, one.at, {key: plain(fact) for key, fact in one.facts.items()})
                for part, one in kind.records.items()
            },
            kind.aliases,
            kind.ambiguous,
        )
        for name, kind in catalog.kinds.items()
    }, catalog.sources


def test_read_kept_and_not_kept_are_the_same(folder, plan, monkeypatch):
    cold = everything(plan)
    assert len(list(folder.glob("*.json"))) > 5
    monkeypatch.setattr(catalog_files.FileReader, "read", None)  # whoever reads a file now fails
    warm = everything(plan)
    monkeypatch.undo()
    monkeypatch.setenv(catalog_cache.FOLDER, "off")
    assert cold == warm == everything(plan)


def test_a_kind_that_comes_and_goes_is_part_of_what_was_read(folder, plan, monkeypatch):
    """Without cluster nobody says a fact of an accelerator, and without availability there is no such kind at all."""
    off = ["cluster", "availability"]
    first, both = (sorted(load(plan, host=Host(off=off[:many])).catalog.kinds) for many in (1, 2))
    assert folder.exists()
    monkeypatch.setenv(catalog_cache.FOLDER, "off")
    assert [first, both] == [sorted(load(plan, host=Host(off=off[:many])).catalog.kinds) for many in (1, 2)]


def test_a_changed_file_is_read_again(folder, plan):
    everything(plan)
    ours = plan.with_name("ours.yaml")
    ours.write_text(OURS.replace("64.1", "65"))
    assert load(plan).catalog.kinds["accelerator"].fact("ours/one", "memory").value == 65
    assert folder.exists()


def test_what_was_tampered_with_is_read_again(folder, plan):
    before = everything(plan)
    for path in folder.glob("*.json"):
        seal, _, body = path.read_bytes().partition(b"\n")
        path.write_bytes(seal + b"\n" + body.replace(b"64.1", b"99.9"))
    assert everything(plan) == before
    for path in folder.glob("*.json"):
        path.write_bytes(b"")
    assert everything(plan) == before


def test_a_file_with_mistakes_is_not_kept(folder, plan):
    load(plan)
    kept = set(folder.glob("*.json"))
    plan.with_name("ours.yaml").write_text(OURS.replace("64.1 GB/card", "64.1 GB"))
    for _ in range(2):
        with pytest.raises(Exception, match=r"'64\.1 GB' is in GB, which is not GB/card"):
            load(plan)
    assert set(folder.glob("*.json")) == kept


def test_what_is_kept_is_plain_json(folder, plan):
    load(plan)
    for path in folder.glob("*.json"):
        assert isinstance(json.loads(path.read_bytes().partition(b"\n")[2]), dict)


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path, plan, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(catalog_cache.FOLDER, str(tmp_path / "file" / "cache"))
    assert "ours/one" in load(plan).catalog.kinds["accelerator"].records
