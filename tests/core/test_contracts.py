"""Promises about the code itself: who imports whom, what is public, what every hook, module and built-in line has."""

from __future__ import annotations

import ast
import tomllib
from importlib import import_module
from inspect import getdoc
from pathlib import Path

import pytest

import capframe
from capframe import Host, hookspecs, load
from capframe.audit import findings, lacks_a_language
from capframe.declarations import declarations, units_of
from capframe.fields import Family, Field, Nested, QuantityField, declared
from capframe.given import CONFIDENCES, Origin

MOST_LINES = 400
LEAST = {  # modules of the formula itself, and what of ours they may import
    name: {"errors", "units", "expr", "printing", "settling", "evaluation"}
    for name in ("expr", "units", "settling", "printing", "evaluation")
}
ROOT = Path(__file__).parents[2]
POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]["capframe"]
BUILT_IN = [name for name in POINTS if hasattr(import_module(POINTS[name]), "capframe_line_items")]
"""The estimators: plugins of ours that give lines."""


def modules(folder):
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def imports(path):
    """Yield every module that a file imports, wherever in the file; ``from a import b`` as ``a`` and ``a.b``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# ---------------------------------------------------------------- who imports whom


def test_the_core_never_imports_a_plugin(root):
    files = modules(root / "capframe")
    assert len(files) > 25
    for path in files:
        assert not [name for name in imports(path) if name.split(".")[0] == "capframe_plugins"], path


def test_the_core_does_not_speak_of_the_field(root):
    """No line about training, power or money: words of the field stand in docstrings and examples only."""
    words = {"gpu", "accelerator", "pool", "workload", "mfu", "pue", "tdp", "flops", "tariff", "capex"}
    for path in modules(root / "capframe"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg | ast.keyword) and node.arg}
        assert not words & {part.rstrip("s") for name in names for part in name.lower().split("_")}, path


def test_plugins_import_only_the_public_api_and_their_own_package(root):
    files = modules(root / "plugins" / "capframe_plugins")
    assert len(files) > 8
    for path in files:
        for name in imports(path):
            package, _, rest = name.partition(".")
            if package == "capframe":
                assert rest in capframe.__all__, f"{path} imports {name}"


def test_a_plugin_does_not_import_its_neighbour(root):
    """Estimators read each other's lines, never each other's code: any of them may be off."""
    folder = root / "plugins" / "capframe_plugins"
    for name in BUILT_IN:
        read = {one.split(".")[1] for one in imports(folder / f"{name}.py") if one.startswith("capframe_plugins.")}
        assert not read & {*BUILT_IN}, name  # what is no plugin, such as the science of a fabric, may be shared


@pytest.mark.parametrize("name", sorted(LEAST))
def test_the_formula_imports_nothing_above_it(root, name):
    own = {one.split(".")[1] for one in imports(root / "capframe" / f"{name}.py") if one.startswith("capframe.")}
    assert own <= LEAST[name] | {"wording"}


def test_heavy_libraries_are_imported_where_they_are_used(root):
    heavy = {"openpyxl", "jinja2", "numpy", "yaml", "formualizer", "lxml", "pandas"}
    only_compiled = root / "capframe" / "arrays.py"  # itself imported where a ledger is compiled
    for path in [*modules(root / "capframe"), *modules(root / "plugins")]:
        if path == only_compiled:
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
                assert not heavy & {str(name).split(".")[0] for name in names}, path


# ---------------------------------------------------------------- the public API


def typed_names(root):
    """Return the names that the type checker sees in ``capframe``, each with its module."""
    tree = ast.parse((root / "capframe" / "__init__.py").read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return {
        alias.asname or alias.name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_public_names_are_the_same_for_reader_type_checker_and_import(root):
    table = capframe._HOME  # noqa: SLF001 - the lazy table is what this test is about
    assert set(capframe.__all__) == {*table, "__version__"}
    assert len(capframe.__all__) == len(set(capframe.__all__))
    assert typed_names(root) == {name: f"capframe.{module}" for name, module in table.items()}


@pytest.mark.parametrize("name", capframe.__all__)
def test_every_public_name_can_be_imported(name):
    found = getattr(capframe, name)
    assert found is not None
    home = capframe._HOME.get(name)  # noqa: SLF001
    if home:
        assert found is getattr(import_module(f"capframe.{home}"), name)
    assert name in dir(capframe)


def test_what_is_not_public_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'capframe' has no attribute 'assembel'"):
        capframe.assembel  # noqa: B018 - to look is the test


def test_no_name_of_a_module_is_hidden_by_a_public_name(root):
    """``capframe.x`` is a module or a public name, never one or the other by the order of imports."""
    stems = {path.stem for path in (root / "capframe").glob("*.py")}
    assert not stems & set(capframe.__all__)


# ---------------------------------------------------------------- hooks and modules

HOOKS = sorted(name for name in vars(hookspecs) if name.startswith("capframe_"))


@pytest.mark.parametrize("name", HOOKS)
def test_every_hook_has_a_sentence_and_an_example(name):
    text = getdoc(getattr(hookspecs, name)) or ""
    first, _, rest = text.partition("\n\n")
    assert first.endswith(".")
    assert "``" in rest or "::" in rest
    assert "yield " in rest


def test_there_are_hooks():
    assert {"capframe_units", "capframe_sections", "capframe_catalogs", "capframe_line_items"} <= set(HOOKS)


def test_no_module_is_too_long_and_each_says_what_it_is_for(root):
    for path in [*modules(root / "capframe"), *modules(root / "plugins")]:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= MOST_LINES, path
        assert ast.get_docstring(ast.parse(text)), path


# ---------------------------------------------------------------- built-in plugins


@pytest.mark.parametrize("name", POINTS)
def test_our_own_plugins_pass_the_check_that_others_are_asked_to_pass(name):
    assert findings(name) == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_readme_lists_every_estimator(root, name):
    parts = (root / "README.md").read_text(encoding="utf-8").split("\n\n")
    [estimators] = [part for part in parts if part.startswith("Estimators:")]
    assert f"`{name}`" in estimators


@pytest.fixture(scope="module")
def ledger(root):
    """Return a plan that every estimator gives a line to: that of the example over time."""
    return load(root / "examples" / "domestic-160k.yaml").ledger()


def test_every_line_of_every_built_in_plugin_has_labels_and_a_unit(ledger):
    plugins = {line.plugin for line in ledger.lines.values()}
    assert plugins == set(BUILT_IN)
    for key, line in ledger.lines.items():
        assert set(line.label) == {"en", "zh"}, key
        assert all(line.label.values()), key
        assert ledger.plan.units(line.unit.text) == line.unit, key
        assert line.area in ledger.plan.areas, key


def test_every_check_of_every_built_in_plugin_speaks_both_languages(ledger):
    for check in ledger.checks:
        assert set(check.label) == {"en", "zh"}, check.key
        if not check.is_bound:
            assert set(check.message) == {"en", "zh"}, check.key
        assert check.severity in {"error", "warning", "note"}


def fields(section, prefix):
    for name, about in declared(section).items():
        if isinstance(about, Nested):
            yield from fields(about.section, f"{prefix}.{name}")
        else:
            yield f"{prefix}.{name}", about.field if isinstance(about, Family) else about


def every_field():
    host = Host()
    found = declarations(host)
    for key, (_, collection) in found.collections.items():
        yield from fields(collection.member, key)
    for key, (_, section) in found.sections.items():
        yield from fields(section.fields, key)
    for key, (_, group) in found.groups.items():
        yield key, group.field
    for _, item in host.collect("capframe_catalogs"):
        if hasattr(item, "facts"):
            yield from fields(item.facts, getattr(item, "name", "what is bought"))


FIELDS = dict(every_field())


def test_every_field_has_a_label_in_both_languages():
    assert len(FIELDS) > 40
    for key, about in FIELDS.items():
        if isinstance(about, Field):
            assert isinstance(about.label, str) or set(about.label) == {"en", "zh"}, key
            assert about.label, key


def test_every_source_and_note_that_is_a_sentence_is_in_both_languages(ledger):
    for key, about in FIELDS.items():
        if isinstance(about, Field):
            assert not lacks_a_language(about.origin.source), key
            assert not lacks_a_language(about.origin.note), key
    for key, line in ledger.lines.items():
        assert not lacks_a_language(line.source), key


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("", False),
        ("Young 1974, A first order approximation", False),
        ("Kaplan et al. 2020, Scaling Laws", False),
        ("arXiv:2001.08361", False),
        ("https://example.org/price-list", False),
        ("usual in investment estimates", True),
        ("planning value of 2025, company policy decides", True),
        ({"en": "usual"}, True),
        ({"en": "usual", "zh": "常用值"}, False),
    ],
)
def test_a_sentence_is_told_from_the_name_of_a_work(said, lacks):
    assert lacks_a_language(said) == lacks


def test_every_rule_of_thumb_has_a_source_and_a_range_around_it():
    units = units_of(Host())

    class Run:
        currency = "CNY"

        def __init__(self):
            self.units = units

        def part(self, _kind, text):
            return text

    rules = {key: about for key, about in FIELDS.items() if getattr(about, "default", None) is not None}
    assert len(rules) > 15
    for key, about in rules.items():
        assert about.origin.source, key
        assert about.origin.confidence in CONFIDENCES, key
        assert about.origin != Origin(), key
        value = about.read(about.default, Run())
        if isinstance(about, QuantityField) and about.between:
            low, high = (about.read(text, Run()) for text in about.between)
            assert low <= value <= high, key


def test_quantities_have_units_that_somebody_declares():
    units = units_of(Host())
    for key, about in FIELDS.items():
        if isinstance(about, QuantityField):
            text = about.unit.replace("{currency}", "CNY").replace("{of}", "card")
            assert units(text.replace("{name}", "USD").replace("{by}", "USD")), key


def test_a_plugin_is_named_like_its_module():
    """One name everywhere: of the entry point, of the module, and of what --no-plugin takes."""
    assert {name: f"capframe_plugins.{name}" for name in POINTS} == POINTS
    for module in POINTS.values():
        assert getdoc(import_module(module))
