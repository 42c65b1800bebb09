"""In-house files: corrections that name both figures, two catalogues with one part, pins, and what a fact may say."""

from __future__ import annotations

import math

import pytest

from capframe import CatalogFile, load, say
from capframe.errors import CapframeError, PlanError

HEAD = "capframe: 1\ntitle: T\ndate: 2026-11-29\n"
FILE = "catalog: 1\nkind: accelerator\nas_of: 2026-11-20\nsources: {lab: {title: Our laboratory}}\n"
OVERLAY = (
    FILE + "overlay: true\nrecords:\n  - id: nvidia/h100-sxm5-80gb\n    origin: {source: lab, confidence: measured}\n"
)
CHIP = "records:\n  - id: ours/b\n    origin: {source: lab, confidence: datasheet}\n    facts: "


def english(fact):
    return say(fact.origin.note, "en")


@pytest.fixture
def plan_of(tmp_path):
    def make(plan="", more=(), **files):
        for name, text in files.items():
            (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        path = tmp_path / "plan.yaml"
        path.write_text(HEAD + plan, encoding="utf-8")
        return load(path, catalogs=[tmp_path / f"{name}.yaml" for name in more])

    return make


def card(plan, part, column):
    return plan.catalog.kinds["accelerator"].fact(part, column)


# ---------------------------------------------------------------- overlays


def test_an_overlay_corrects_one_fact_and_names_both_figures_and_files(plan_of):
    plan = plan_of("catalogs: [ours.yaml]\n", ours=OVERLAY + "    facts: {tdp: 650 W/card}\n")
    fact = card(plan, "nvidia/h100-sxm5-80gb", "tdp")
    assert (fact.value, fact.at) == (650, "ours.yaml:9:18")
    assert fact.origin.source == "Our laboratory"
    assert english(fact).startswith("ours.yaml corrects 700 W/card of nvidia.yaml:")
    [overlay] = plan.catalog.overlays
    assert (overlay.part, overlay.fact, overlay.instead_of.value, overlay.file) == (
        "nvidia/h100-sxm5-80gb", "tdp", 700, "ours.yaml"
    )  # fmt: skip
    assert card(plan, "nvidia/h100-sxm5-80gb", "memory").value == 80  # the rest stays


def test_records_and_overlays_may_stand_in_one_file(plan_of):
    ours = FILE + CHIP + "{memory: 64 GB/card}\noverlays:\n  - id: nvidia/h100-sxm5-80gb\n"
    ours += "    origin: {source: lab, confidence: measured}\n    facts: {tdp: 650 W/card}\n"
    plan = plan_of("catalogs: [ours.yaml]\n", ours=ours)
    assert card(plan, "ours/b", "memory").value == 64
    assert card(plan, "nvidia/h100-sxm5-80gb", "tdp").value == 650


def test_an_overlay_may_say_what_was_not_disclosed_and_take_away_what_was(plan_of):
    facts = "    facts: {memory_usable: 79 GB/card, tdp: not disclosed}\n"
    plan = plan_of("catalogs: [ours.yaml]\n", ours=OVERLAY.replace("h100-sxm5-80gb", "h200-nvl-141gb") + facts)
    usable = card(plan, "nvidia/h200-nvl-141gb", "memory_usable")
    assert (usable.value, "corrects n/a (not disclosed)" in english(usable)) == (79, True)
    assert math.isnan(card(plan, "nvidia/h200-nvl-141gb", "tdp").value)


def test_the_command_line_corrects_what_the_plan_corrects(plan_of):
    first, second = (OVERLAY + f"    facts: {{tdp: {watts} W/card}}\n" for watts in (650, 600))
    plan = plan_of("catalogs: [ours.yaml]\n", more=["theirs"], ours=first, theirs=second)
    fact = card(plan, "nvidia/h100-sxm5-80gb", "tdp")
    assert (fact.value, "corrects 650 W/card of ours.yaml:9:18" in english(fact)) == (600, True)


WRONG = [
    ("two files of a plan correct one fact", {"a": "{tdp: 650 W/card}", "b": "{tdp: 600 W/card}"},
     "corrects 'tdp' of nvidia/h100-sxm5-80gb, as does a.yaml:9:18; keep one"),
    ("a fact that nobody declares", {"a": "{tpd: 650 W/card}"}, "unknown fact 'tpd' of kind 'accelerator'"),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "message"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG])
def test_what_an_overlay_cannot_say(plan_of, facts, message):
    files = {name: OVERLAY + f"    facts: {text}\n" for name, text in facts.items()}
    with pytest.raises(PlanError, match=message):
        plan_of(f"catalogs: [{', '.join(f'{name}.yaml' for name in files)}]\n", **files)


def test_an_overlay_of_a_part_that_nobody_brings(plan_of):
    ours = OVERLAY.replace("h100-sxm5-80gb", "h100-sxm5-81gb") + "    facts: {tdp: 650 W/card}\n"
    message = "corrects 'nvidia/h100-sxm5-81gb', which no catalogue brings; did you mean 'nvidia/h100-sxm5-80gb'"
    with pytest.raises(PlanError, match=message):
        plan_of("catalogs: [ours.yaml]\n", ours=ours)


# ---------------------------------------------------------------- I02: two packages, one chip, two peaks


@pytest.fixture
def two_packages(tmp_path, plugin_of, host_with, plan_file):
    """One package says 2,250 TFLOP/s for a chip, another 4,500."""
    modules = {}
    for package, peak, day in (("good", 2250, "2026-05-01"), ("doubled", 4500, "2026-06-01")):
        text = FILE.replace("2026-11-20", day).replace("Our laboratory", f"Sheet of {package}")
        (tmp_path / f"{package}.yaml").write_text(text + CHIP + f"{{peak: {{bf16: {peak} TFLOP/s/card}}}}\n")
        modules[package] = plugin_of(catalogs=[CatalogFile(tmp_path / f"{package}.yaml")])
    return lambda plan: load(plan_file(plan), host=host_with(modules))


def test_a_conflict_is_told_with_both_sources_and_dates(two_packages):
    with pytest.raises(PlanError) as caught:
        two_packages("")
    message = str(caught.value)
    assert "'ours/b' is brought by 'doubled' (doubled.yaml:6:5) and by 'good'; keep one" in message
    assert "peak.bf16 is 4,500 TFLOP/s/card (Sheet of doubled, 2026-06-01)" in message
    assert "or 2,250 TFLOP/s/card (Sheet of good, 2026-05-01)" in message
    assert "`pins: {ours/b: doubled}`" in message


@pytest.mark.parametrize(("whose", "peak"), [("good", 2250), ("doubled", 4500), ("good.yaml", 2250)])
def test_the_plan_pins_one_and_the_fact_says_so(two_packages, whose, peak):
    plan = two_packages(f"pins: {{ours/b: {whose}}}\n")
    fact = card(plan, "ours/b", "peak.bf16")
    assert fact.value == peak
    other = "4,500" if peak == 2250 else "2,250"
    assert english(fact).startswith("pinned to ")
    assert f"says {other} TFLOP/s/card (Sheet of " in english(fact)
    [pin] = plan.catalog.pins
    assert (pin.part, [taken.value for taken, _ in pin.differing.values()]) == ("ours/b", [peak])


@pytest.mark.parametrize(("pins", "message"), [
    ("{ours/b: bad}", "pins 'ours/b' to 'bad', which brings no catalogue"),
    ("{ours/c: good, ours/b: good}", "pins 'ours/c', which no catalogue brings; did you mean 'ours/b'"),
    ("good", "'pins' names parts; write `pins: {vendor/part: plugin}`"),
])  # fmt: skip
def test_a_pin_has_to_mean_something(two_packages, pins, message):
    with pytest.raises(PlanError, match=message):
        two_packages(f"pins: {pins}\n")


def test_figures_of_other_sources_stand_beside_the_chosen_one(plan_of):
    facts = "{tdp: {value: 350 W/card, conflicts: [{value: 310 W/card, note: that of an older card}]}}\n"
    plan = plan_of("catalogs: [ours.yaml]\n", ours=FILE + CHIP + facts)
    record = plan.catalog.kinds["accelerator"].records["ours/b"]
    assert (record.facts["tdp"].value, [one.value for one in record.conflicts["tdp"]]) == (350, [310])


# ---------------------------------------------------------------- I01, I05, I07: what a figure may say

FIGURES = [
    # I01: a sparse peak is not taken for a dense one, and not halved either
    ("{peak: {fp8: {value: 1979 TFLOP/s/card, basis: sparse}}}", "a sparse figure is no dense peak, and halving is no"),
    ("{peak: {bf16: 256–376 TFLOP/s/card}}", "a range is no figure: write `{value: …, low: …, high: …}`"),  # noqa: RUF001
    # I07: whole numbers are counted in operations, not in floating-point operations
    ("{peak_int8: 1200 TFLOP/s/card}", "is in TFLOP/s/card, which is not TOP/s/card; give"),
    ("{scale_up_bandwidth: {value: 900 GB/s/card, direction: both}}", "`direction:` is one of one_way, both_ways"),
    ("{price: {CNY: {value: 1 CNY/card, vat: included}}}", "take the VAT out, or give the price in the plan"),
    ("{price_age: {CNY: 3 d}}", "'price_age.CNY' follows from the date of another fact"),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "message"), FIGURES)
def test_a_figure_on_another_basis_is_refused(plan_of, facts, message):
    with pytest.raises(PlanError) as caught:
        plan_of("catalogs: [ours.yaml]\n", ours=FILE + CHIP + facts + "\n")
    assert message in str(caught.value)


def test_a_link_printed_both_ways_is_halved_once_and_says_so(plan_of):
    # 900 GB/s both ways together / 2 = 450 GB/s one way
    facts = "{scale_up_bandwidth: {value: 900 GB/s/card, direction: both_ways}}\n"
    fact = card(plan_of("catalogs: [ours.yaml]\n", ours=FILE + CHIP + facts), "ours/b", "scale_up_bandwidth")
    assert (fact.value, english(fact)) == (450, "given as 900 GB/s/card both ways")


NOTED = FILE + (
    'chinese: {recalled: 凭记忆, "older, slower": 旧款, "half a box; buy two": 半箱; 成对购买}\n'
    "records:\n  - id: ours/b\n    facts:\n"
)
NOTES = [
    ("{en: on loan, zh: 借用}", {"en": "on loan", "zh": "借用"}),
    ("recalled", {"en": "recalled", "zh": "凭记忆"}),
    ('"recalled; older, slower"', {"en": "recalled; older, slower", "zh": "凭记忆; 旧款"}),
    ('"half a box; buy two"', {"en": "half a box; buy two", "zh": "半箱; 成对购买"}),  # one entry, of these words
    ('"half a box; buy two; recalled"', {"en": "half a box; buy two; recalled", "zh": "半箱; 成对购买; 凭记忆"}),
    ("half a box; recalled", "half a box; recalled"),
    ("recalled; on loan", "recalled; on loan"),  # half a sentence in Chinese would be worse than none
]


@pytest.mark.parametrize(("note", "said"), NOTES)
def test_a_note_is_in_chinese_where_it_or_its_file_says_how(plan_of, note, said):
    facts = f"      tdp: {{value: 400 W/card, source: lab, confidence: measured, note: {note}}}\n"
    assert card(plan_of("catalogs: [ours.yaml]\n", ours=NOTED + facts), "ours/b", "tdp").origin.note == said


def test_dense_peaks_compare_by_what_they_are(plan_of):
    # I01: chip A prints 1,979 sparse and 989.5 dense, chip B 312 dense: 989.5/312 = 3.17, not 6.34
    facts = "{peak: {bf16: 989.5 TFLOP/s/card}, peak_sparse: {bf16: 1979 TFLOP/s/card}}\n"
    plan = plan_of("catalogs: [ours.yaml]\n", ours=FILE + CHIP + facts)
    a, b = (card(plan, part, "peak.bf16").value for part in ("ours/b", "nvidia/a100-sxm4-80gb"))
    assert a / b == pytest.approx(3.1715, rel=1e-4)


# ---------------------------------------------------------------- I05, I06: names


@pytest.mark.parametrize(("typed", "message"), [
    ("910B", "'910B' can mean several parts; choose one of huawei/ascend-910b1, huawei/ascend-910b2"),
    ("H100", "'H100' can mean several parts; choose one of nvidia/h100-"),
    ("L40", "no accelerator is called 'L40': near-identical card, listed at half the 16-bit rate (181); the"),
    ("A10G", "no accelerator is called 'A10G': AWS A10G is a different, slower tensor part"),
    ("L4S", "no accelerator is called 'L4S'; did you mean "),
])  # fmt: skip
def test_names_that_mean_no_one_part(plan_of, typed, message):
    with pytest.raises(CapframeError) as caught:
        plan_of().catalog.part("accelerator", typed)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("typed", "part"), [("l40s", "nvidia/l40s"), ("L4", "nvidia/l4"), ("曦云C550", "metax/c550")])
def test_names_that_mean_one_part(plan_of, typed, part):
    assert plan_of().catalog.part("accelerator", typed) == part
