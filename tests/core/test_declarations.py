"""What plugins declare: clashes name both, what belongs to nothing is told, and so is what would never be read."""

from __future__ import annotations

import pytest
from attrs import define, field, frozen

from capframe import (
    Area,
    CapframeError,
    Collection,
    Exporter,
    Function,
    Given,
    Group,
    Host,
    LineItem,
    RecordKind,
    Section,
    UnitDefinition,
    family,
    load,
    nested,
    plain_number,
    quantity,
)
from capframe.declarations import declarations, units_of
from capframe.errors import PluginError
from capframe.exporting import exporters
from capframe.offers import functions


@frozen(kw_only=True)
class Tank:
    holds: Given = quantity("1", label={"en": "Holds", "zh": "容量"}, default="1", source="a test")


HOLDS = quantity("1", label={"en": "Holds", "zh": "容量"})
WORDS = {"en": "Tank", "zh": "水罐"}

# ------------------------------------------------ clashes

CLASHES = {  # what each plugin yields, from which hook, and how the clash is told
    "unit": ("units", UnitDefinition("wagon"), "unit 'wagon'"),
    "section": ("sections", Section("rain", Tank, WORDS), "key 'rain' of the plan"),
    "section of members": ("sections", Section("rain", Tank, WORDS, of="pools"), "key 'pools.*.rain' of the plan"),
    "collection": ("sections", Collection("rain", Tank, WORDS), "key 'rain' of the plan"),
    "group": ("sections", Group(key="rain", field=HOLDS, label=WORDS), "key 'rain' of the plan"),
    "area": ("sections", Area("rain", WORDS), "area 'rain'"),
    "fact": ("catalogs", RecordKind("tank", Tank, WORDS), "fact 'holds' of kind 'tank'"),
    "exporter": ("exporters", Exporter("words", ".txt", "m:f"), "the file .txt"),
    "function": ("functions", Function("f", abs, "ABS({0})", "|{0}|", plain_number), "function 'f'"),
}


def every_reader(plan_file, extra):
    """Ask for all that plugins declare, as a build does."""
    host = Host(extra=extra)
    load(plan_file(), host=host)
    exporters(host)
    functions(host)


@pytest.mark.parametrize("name", CLASHES)
def test_a_clash_names_both_plugins_and_is_the_fault_of_neither(plan_file, plugin_of, name):
    hook, item, what = CLASHES[name]
    both = {plugin: plugin_of(**{hook: [item]}) for plugin in ("two", "one")}
    with pytest.raises(CapframeError) as caught:
        every_reader(plan_file, both)
    assert (
        str(caught.value) == f"{what} is given by both plugin 'one' and plugin 'two'; switch one off (--no-plugin two)"
    )
    assert caught.value.exit_code == 2


def test_two_plugins_that_mean_different_things_by_one_unit_are_both_named(plugin_of):
    one, two = UnitDefinition("barrel"), UnitDefinition("barrel", equals="kWh", counted=False)
    with pytest.raises(CapframeError, match="unit 'barrel' is given by both plugin 'one' and plugin 'two'; switch"):
        units_of(Host(extra={"one": plugin_of(units=[one]), "two": plugin_of(units=[two])}))


OURS = {
    "a key of the header": ("sections", Section("title", Tank, WORDS), "key 'title' of the plan", "capframe itself"),
    "a unit": ("units", UnitDefinition("kWh"), "unit 'kWh'", "capframe itself"),
    "a unit of a plugin": ("units", UnitDefinition("card"), "unit 'card'", r"plugin 'cluster' \(.*\)"),
    "what amounts are called": ("units", UnitDefinition("x", many="cards"), "unit 'cards'", r"plugin 'cluster' \(.*\)"),
    "a prefixed unit": ("units", UnitDefinition("PFLOP"), "unit 'PFLOP'", r"plugin 'cluster' \(.*\)"),
    "an area": ("sections", Area("power", WORDS), "area 'power'", r"plugin 'power' \(.*\)"),
    "a file": ("exporters", Exporter("mine", "json", "m:f"), r"the file \.json", r"plugin 'data' \(.*\)"),
}


@pytest.mark.parametrize("name", OURS)
def test_what_is_there_already_is_not_given_again(plan_file, plugin_of, name):
    hook, item, what, whose = OURS[name]
    with pytest.raises(CapframeError, match=f"{what} is given by both {whose} and plugin 'zeta'; switch one off"):
        every_reader(plan_file, {"zeta": plugin_of(**{hook: [item]})})


# ------------------------------------------------ units that rest on others


def test_a_unit_may_equal_one_of_a_later_plugin(plugin_of):
    one = plugin_of(units=[UnitDefinition("barrel", equals="drum")])
    two = plugin_of(units=[UnitDefinition("drum")])
    units = units_of(Host(extra={"one": one, "two": two}))
    assert units("barrel") == units("drum")


def test_a_unit_that_equals_nothing_is_the_fault_of_its_plugin(plugin_of):
    one = plugin_of(units=[UnitDefinition("barrel", equals="drumm"), UnitDefinition("drum")])
    with pytest.raises(PluginError, match="plugin 'one', unit 'barrel': it equals 'drumm'; unknown unit 'drumm'; did"):
        units_of(Host(extra={"one": one}))


def test_a_unit_that_rests_on_a_plugin_that_is_off_is_left_out(plugin_of):
    one = plugin_of(units=[UnitDefinition("deck", equals="card")])
    assert units_of(Host(extra={"one": one})).knows("deck")
    assert not units_of(Host(["cluster"], extra={"one": one})).knows("deck")


# ------------------------------------------------ what belongs to nothing

STRAYS = [
    (Section("rain", Tank, WORDS, of="poolz"), "section 'rain': no plugin declares a collection 'poolz'; did you mean"),
    (
        Section("rain", Tank, WORDS, of="unknown"),
        r"section 'rain': no plugin declares a collection 'unknown' \(there are pools, workloads\)",
    ),
]


@pytest.mark.parametrize(("item", "said"), STRAYS)
def test_what_belongs_to_nothing_is_the_fault_of_its_plugin(plugin_of, item, said):
    with pytest.raises(PluginError, match=f"plugin 'mine', {said}"):
        declarations(Host(extra={"mine": plugin_of(sections=[item])}))


def test_a_section_of_members_of_a_plugin_that_is_off_is_no_mistake(plugin_of):
    stray = plugin_of(sections=[Section("rain", Tank, WORDS, of="pools")])
    assert "pools" not in declarations(Host(["cluster"], extra={"mine": stray})).collections


# ------------------------------------------------ classes and labels


class Plain:
    """No class of attrs."""


@define
class Bare:
    holds: float = field(default=1.0)


@frozen(kw_only=True)
class Deep:
    tank: Tank = nested(Tank)


@frozen(kw_only=True)
class Wide:
    holds: Given = family(quantity("1", label="Holds"), ("a", "b"))


CLASSES = [
    (lambda: Section("rain", Plain, WORDS), r"'fields' is a class marked with @frozen of attrs, not <class '.*Plain'>"),
    (lambda: Section("rain", Tank(), WORDS), r"'fields' is a class marked with @frozen of attrs, not Tank\("),
    (
        lambda: Collection("rain", Bare, WORDS),
        r"Bare.holds is made by quantity\(…\) or another function for fields of a plan",
    ),
    (
        lambda: Section("rain", Wide, WORDS),
        r"Wide.holds is made by quantity\(…\) or another function for fields of a plan",
    ),
    (lambda: nested(Bare), r"Bare.holds is made by quantity\(…\) or another function for fields of a plan"),
    (lambda: RecordKind("tank", Deep), r"Deep.tank is made by quantity\(…\) or another .* of a catalogue record"),
]


@pytest.mark.parametrize(("make", "said"), CLASSES)
def test_a_class_that_declares_no_fields_is_told_where_it_is_written(make, said):
    with pytest.raises(TypeError, match=said):
        make()


def test_it_is_a_fault_of_the_plugin_not_of_capframe(plugin_of):
    def sections():
        yield Section("rain", Plain, WORDS)

    with pytest.raises(
        PluginError, match=r"plugin 'mine', capframe_sections: TypeError: 'fields' is a class .*\.py:\d+"
    ):
        declarations(Host(extra={"mine": plugin_of(sections=sections)}))


LABELLED = [
    lambda label: LineItem("rain.wanted", 1, "1", label=label),
    lambda label: LineItem("rain.wanted", 1, "1", label="Rain", chart=label),
    lambda label: Section("rain", Tank, label),
    lambda label: Area("rain", label),
    lambda label: Area("rain", WORDS, about=label),
    lambda label: RecordKind("tank", Tank, label),
    lambda label: UnitDefinition("tank", many=label),
    lambda label: quantity("1", label=label),
    lambda label: quantity("1", label="Rain", source=label),
    lambda label: quantity("1", label="Rain", note=label),
    lambda label: LineItem("rain.wanted", 1, "1", label="Rain", source=label),
]


@pytest.mark.parametrize("make", LABELLED)
def test_a_label_in_a_language_that_nobody_reads_is_told(make):
    for label, code in (({"fr": "Eau"}, "fr"), ({"en": "Water", "zh-CN": "水"}, "zh-CN")):
        with pytest.raises(TypeError, match=f"' is in 'en' and 'zh', and nobody would read its '{code}'"):
            make(label)
    with pytest.raises(TypeError, match=r"is a text or \{'en': …, 'zh': …\}, not 3"):
        make(3)
    assert make({"en": "Water", "zh": "水"})
