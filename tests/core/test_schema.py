"""The JSON Schema: a standard validator takes it, and with it every example; it finds the slips that editors show."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from capframe.declarations import catalogs, units_of
from capframe.reference import reference
from capframe.schema import schema

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in {".yaml", ".toml"})


class Editor(yaml.SafeLoader):
    """YAML 1.2, as editors read it: no dates, no octal numbers, no sexagesimal ones, no yes and no."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML has them so


for tag, pattern, first in (
    ("bool", "true|false", "tf"),
    ("null", "~|null|", ["~", "n", ""]),
    ("int", "[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    Editor.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})\\Z"), list(first))


def as_editors_read(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        return tomllib.loads(re.sub(r"(?m)^(\w+ = )(\d{4}-\d\d-\d\d)$", r'\1"\2"', text))  # JSON has no dates
    return yaml.load(text, Editor)  # noqa: S506 - a safe loader


@pytest.fixture(scope="module")
def made():
    from capframe import Host

    host = Host()
    units = units_of(host)
    return schema(host, units, catalogs(host, units, "CNY"))


@pytest.fixture(scope="module")
def validator(made):
    return Draft202012Validator(made)


def test_it_is_a_schema_of_the_draft_it_names(made):
    Draft202012Validator.check_schema(made)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_is_valid(validator, path):
    faults = [f"{fault.json_path}: {fault.message[:200]}" for fault in validator.iter_errors(as_editors_read(path))]
    assert faults == []


BASE = {
    "capframe": 1,
    "title": "x",
    "date": "2026-11-29",
    "workloads": {"w": {"pool": "main", "model": {"parameters": "70B"}, "tokens": "1T", "mfu": "40%"}},
    "pools": {"main": {"accelerator": "nvidia/a100-sxm4-80gb", "count": 8}},
}


def changed(path, value):
    tree = {"": BASE}
    here, keys = tree, ["", *path.split("/")]
    for key in keys[:-1]:
        here[key] = dict(here.get(key, {}))
        here = here[key]
    here[keys[-1]] = value
    return tree[""]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("power", {"pue": 1.2}),
        ("power", None),
        ("power/pue", {"value": "1.2", "low": 1.1, "source": "meter", "confidence": "measured"}),
        ("pools/main/count", "auto"),
        ("pools/main/accelerator", "A100 80GB"),  # another name of a part
        ("workloads/w/mfu", 0.4),
        ("rates", {"USD": {"value": "7.1 CNY/USD", "date": "2026-11-27"}}),
        ("scenarios", {"dear": {"power.pue": 1.5}, "same": None}),
        ("timeline", {"start": "2027-01", "period": "quarter", "periods": 12}),
        ("line_items", [{"key": "a.b", "formula": "1", "unit": "1", "label": {"zh": "x"}, "headline": True}]),
        ("claims", [{"line": "a.b", "value": "3 CNY"}]),
    ],
)
def test_what_a_plan_may_say_is_valid(validator, path, value):
    assert [fault.message for fault in validator.iter_errors(changed(path, value))] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("capframe", 2),
        ("date", "tomorrow"),
        ("powr", {"pue": 1.2}),
        ("power/puee", 1.2),
        ("power/pue", 130),  # above its bounds
        ("power/pue", {"value": 1.2, "sorce": "x"}),
        ("power/pue", {"value": 1.2, "confidence": "sure"}),
        ("cost/tariff", 0.65),  # no unit
        ("workloads/w/precision", "bf17"),
        ("workloads/a b", {}),
        ("pools/main", {"count": 8}),
        ("pools/main/count", [8]),
        ("timeline", {"start": "2027-01"}),
        ("line_items", [{"key": "a.b"}]),
    ],
)
def test_slips_are_found(validator, path, value):
    assert list(validator.iter_errors(changed(path, value))), f"{path}: {value}"


def test_descriptions_say_unit_default_and_source(made):
    pue = made["properties"]["power"]["properties"]["pue"]
    assert pue["title"] == "PUE"
    assert "default" in pue["description"]
    tariff = made["properties"]["cost"]["properties"]["tariff"]
    assert tariff["description"].startswith("in CNY/kWh")
    picks = made["properties"]["pools"]["additionalProperties"]["properties"]["accelerator"]["anyOf"][0]["anyOf"]
    assert "nvidia/a100-sxm4-80gb" in picks[0]["enum"]


# ---------------------------------------------------------------- the page of every key

PAGE = Path(__file__).parents[2] / "docs" / "keys.md"


def test_the_page_of_keys_is_the_one_that_is_made(made):
    """`capframe schema --markdown > docs/keys.md` makes it anew."""
    assert PAGE.read_text(encoding="utf-8") == reference(made)


@pytest.mark.parametrize(
    "row",
    [
        "| `tokens` | Training tokens | **needed**; in token; from 1000 to 1e+18 |",
        "| `tiers` | Tiers of switches | a number; from 1 to 4; `auto` has it computed |",
        "| `period` |  | **needed**; how long each is; one of `month`, `quarter`, `year` |",
        "| `space.server` | Server |  |",
    ],
)
def test_a_row_of_it_says_how_a_key_is_written(made, row):
    assert row in reference(made).splitlines()


def test_every_key_of_the_schema_is_on_the_page(made):
    rows = set(re.findall(r"^\| `([^`]+)` \|", reference(made), re.MULTILINE))
    missing = {"pue", "model.layers", "capframe", "prices", "start"} - rows
    assert not missing
    assert len(rows) > 90
