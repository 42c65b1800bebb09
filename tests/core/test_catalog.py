"""Catalogues: which part a name means, where every fact comes from, and what a file may not say."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from capframe import Given, RecordKind, UnitDefinition, choice, family, load, quantity, text
from capframe.audit import lacks_a_language
from capframe.catalog import Catalog, Kind, columns_of, folded
from capframe.catalog_merge import Merger, Named
from capframe.errors import CapframeError, PlanError
from capframe.given import CONFIDENCES, Origin
from capframe.reading import Context
from capframe.units import Units

UNITS = Units([UnitDefinition("card"), UnitDefinition("FLOP", prefixes=True, counted=False)])


@frozen(kw_only=True)
class Card:
    """Facts of one plugin."""

    memory: Given = quantity("GB/card", label="Memory", low=1)
    peak: Given = family(quantity("TFLOP/s/card", label={"en": "Peak", "zh": "峰值"}), ("bf16", "fp8"))
    supported: Given = family(choice(("yes", "no"), label="Supported"), ("bf16",))


@frozen(kw_only=True)
class Shape:
    """Facts that another plugin adds to the same kind."""

    devices: Given = quantity("1/card", label="Devices", default="1", source="usual", whole=True)
    form: Given = text(label="Form")


CONTEXT = Context(UNITS, "CNY", Catalog({}, {}))
KINDS = [RecordKind("card", Card, "Cards"), RecordKind("card", Shape)]
HEADER = (
    "catalog: 1\nkind: card\nas_of: 2026-11-29\nsources: {sheet: {title: Data sheet, address: https://example.org}}\n"
)
ORIGIN = "origin: {source: sheet, confidence: datasheet}"

RECORDS = f"""\
records:
  - id: nv/l4
    {ORIGIN}
    facts: {{memory: 24 GB/card}}
  - id: nv/l40s
    aliases: [L40S, NVIDIA L40S]
    {ORIGIN}
    facts:
      memory: {{value: 48 GB/card, confidence: measured, note: usable, low: 47 GB/card, high: 48 GB/card}}
      peak: {{bf16: 362 TFLOP/s/card}}
      supported: {{bf16: YES}}
      form: PCIe
  - id: nv/h100-sxm
    aliases: [H100 SXM, twin]
    {ORIGIN}
    facts: {{memory: 80 GB/card, devices: 2}}
  - id: nv/h100-pcie
    aliases: [H100 PCIe, twin]
    {ORIGIN}
    facts: {{memory: 80 GB/card}}
  - id: nv/h200
    aliases: [NVIDIA H200]
    {ORIGIN}
    facts: {{memory: 141 GB/card}}
ambiguous:
  - typed: [H100]
    candidates: [nv/h100-sxm, nv/h100-pcie]
    ask: form factor
"""


def loader(tmp_path, body, header=HEADER, name="cards.yaml"):
    one = Merger({"card": Kind("card", columns_of(KINDS, CONTEXT), "Cards")}, CONTEXT)
    path = tmp_path / name
    path.write_text(header + body, encoding="utf-8")
    one.load(Named(path, "test", name))
    return one


def problems(tmp_path, body, header=HEADER):
    return [str(problem) for problem in loader(tmp_path, body, header).problems]


@pytest.fixture
def cards(tmp_path):
    one = loader(tmp_path, RECORDS)
    assert one.problems == []
    return Catalog(one.kinds, one.sources)


# ---------------------------------------------------------------- names

MEANT = [
    ("nv/l40s", "nv/l40s"),
    ("NV/L40S", "nv/l40s"),
    ("l40s", "nv/l40s"),
    ("L40S", "nv/l40s"),
    ("nvidia-l40s", "nv/l40s"),
    ("NVIDIA H200", "nv/h200"),
    ("H100_SXM", "nv/h100-sxm"),
    ("h100 pcie", "nv/h100-pcie"),
    ("h100pcie", "nv/h100-pcie"),
    ("l4", "nv/l4"),
]


@pytest.mark.parametrize(("typed", "part"), MEANT)
def test_a_part_is_meant_by_its_id_or_a_declared_alias(cards, typed, part):
    assert cards.part("card", typed) == part


REFUSED = [
    # L40 is no L40S, and no L4 either: a name is never matched by a part of it.
    ("L40", "no card is called 'L40'; did you mean 'l40s' or 'l4'? (`capframe catalog list card` shows all)"),
    ("H200 NVL", "no card is called 'H200 NVL'"),
    ("nv", "no card is called 'nv'"),
    ("", "no card is called ''"),
    ("H100", "'H100' can mean several parts; choose one of nv/h100-sxm, nv/h100-pcie (the question is: form factor)"),
    ("h-100", "'h-100' can mean several parts"),
    ("twin", "'twin' is a name of nv/h100-sxm and of nv/h100-pcie; write one of these ids"),
    ("hal/9000", "no card is called 'hal/9000'"),
]


@pytest.mark.parametrize(("typed", "message"), REFUSED)
def test_what_means_no_part_or_several_is_refused(cards, typed, message):
    with pytest.raises(CapframeError) as caught:
        cards.part("card", typed)
    assert str(caught.value).startswith(message)


@given(st.text(max_size=10))
def test_folding_is_done_once(name):
    assert folded(folded(name)) == folded(name)
    assert folded(f" {name}-_") == folded(name)


# ---------------------------------------------------------------- facts


def test_a_fact_has_its_value_its_place_and_its_origin(cards):
    fact = cards.kinds["card"].fact("nv/l40s", "memory")
    assert (fact.value, fact.low, fact.high) == (48, 47, 48)
    assert fact.origin == Origin("Data sheet", "measured", "2026-11-29", "usable")
    assert fact.at == "cards.yaml:13:23"
    assert cards.kinds["card"].fact("nv/l40s", "peak.bf16").value == 362
    assert cards.kinds["card"].fact("nv/l40s", "supported.bf16").value == "yes"
    assert cards.kinds["card"].fact("nv/l40s", "form").value == "PCIe"
    assert cards.sources["Data sheet"].address == "https://example.org"


def test_capitals_of_a_column_do_not_count(cards):
    """MATCH in a workbook takes BF16 for bf16; the word may come from a formula, not only from a drop-down."""
    assert cards.kinds["card"].fact("nv/l40s", "peak.BF16").value == 362


def test_what_is_not_disclosed_is_nothing_and_never_zero(cards):
    assert math.isnan(cards.kinds["card"].fact("nv/l4", "peak.bf16").value)
    assert math.isnan(cards.kinds["card"].fact("nv/l4", "form").value)
    assert math.isnan(cards.kinds["card"].fact("nv/none", "devices").value)  # no such part: nothing is assumed of it


def test_where_a_record_says_nothing_the_declared_default_is_assumed(cards):
    fact = cards.kinds["card"].fact("nv/l4", "devices")
    assert (fact.value, fact.origin.source, fact.at) == (1, "usual", "default")
    assert cards.kinds["card"].fact("nv/h100-sxm", "devices").value == 2


def test_columns_of_several_plugins_add_up(cards):
    columns = cards.kinds["card"].columns
    assert list(columns) == ["memory", "peak.bf16", "peak.fp8", "supported.bf16", "devices", "form"]
    assert columns["peak.fp8"].label == {"en": "Peak (fp8)", "zh": "峰值 (fp8)"}
    assert columns["supported.bf16"].label == "Supported (bf16)"
    assert columns["memory"].unit == UNITS("GB/card")


# ---------------------------------------------------------------- mistakes in files


def record(facts="{memory: 80 GB/card}", identity="nv/x", origin=ORIGIN, more=""):
    return f"records:\n  - id: {identity}\n    {origin}\n    facts: {facts}\n{more}"


NO_SOURCE = "has no source or no confidence; give the record an `origin:` with both"
WRONG = [
    (record(origin="name: X"), [f"cards.yaml:8:21: fact 'memory' {NO_SOURCE}"]),
    (record(origin="origin: {source: sheet}"), [f"cards.yaml:8:21: fact 'memory' {NO_SOURCE}"]),
    (record(origin="origin: {source: sheet, confidence: sure}"), [f"cards.yaml:8:21: fact 'memory' {NO_SOURCE}"]),
    (record(origin="origin: {source: sheat, confidence: press}"), [
        "cards.yaml:7:22: source 'sheat' is not among the `sources:` of this file; did you mean 'sheet'?",
        f"cards.yaml:8:21: fact 'memory' {NO_SOURCE}",
    ]),
    (record("{memory: {value: 80 GB/card, source: other}}"), [
        "cards.yaml:8:49: source 'other' is not among the `sources:` of this file"]),
    (record("{memory: 80 GB}"), ["cards.yaml:8:21: '80 GB' is in GB, which is not GB/card"]),
    (record("{memory: 0.5 GB/card}"), ["cards.yaml:8:21: '0.5 GB/card' is below 1 GB/card"]),
    (record("{memory: 0}"), ["cards.yaml:8:21: '0' has no unit; write for example `0 GB/card`"]),
    (record("{memory: 64–80 GB/card}"), ["cards.yaml:8:21: '64–80 GB/card': unknown unit '–80 GB'"]),  # noqa: RUF001
    (record("{memry: 80 GB/card}"), ["cards.yaml:8:20: unknown fact 'memry' of kind 'card'; did you mean 'memory'?"]),
    (record("{peak: {bf61: 1 TFLOP/s/card}}"), [
        "cards.yaml:8:26: unknown fact 'peak.bf61' of kind 'card'; did you mean 'peak.bf16'?"]),
    (record("{peak: 312 TFLOP/s/card}"), ["cards.yaml:8:19: unknown fact 'peak' of kind 'card'; did you mean 'peak."]),
    (record("{memory: {value: 80 GB/card, sorce: sheet}}"), [
        "cards.yaml:8:41: unknown key 'sorce'; did you mean 'source'?"]),
    (record("{memory: {value: 80 GB/card, as_of: 2026-11-29-xyz}}"), [
        "cards.yaml:8:48: '2026-11-29-xyz' is no date; write it as `2026-11-29`"]),
    (record(origin="origin: {source: sheet, confidence: press, as_of: soon}"), [
        "cards.yaml:7:55: 'soon' is no date; write it as `2026-11-29`"]),
    (record("{memory: [80 GB/card]}"), ["cards.yaml:8:21: fact 'memory' is a text or `{value: …, source: …}`"]),
    # What has another shape than it is read in would be passed over.
    ("records: {id: nv/x}\n", ["cards.yaml:5:10: 'records' is a list"]),
    ("records: [nv/x]\n", ["cards.yaml:5:11: an item of 'records' is a mapping"]),
    ("records: []\nambiguous: {typed: [X]}\n", ["cards.yaml:6:12: 'ambiguous' is a list"]),
    ("records: []\nambiguous: [{typed: X, candidates: [nv/x], asks: y}]\n", [
        "cards.yaml:6:21: 'typed' is a list", "cards.yaml:6:44: unknown key 'asks'; did you mean 'ask'?"]),
    (record("[memory]"), ["cards.yaml:8:12: 'facts' is a mapping"]),
    (record(more="    aliases: X\n"), ["cards.yaml:9:14: 'aliases' is a list"]),
    (record(more="    aliases: [[X]]\n"), ["cards.yaml:9:15: an item of 'aliases' is one text"]),
    (record(more="    name: [X]\n"), ["cards.yaml:9:11: 'name' is a text, or one for each language"]),
    (record("{}", origin="origin: {source: sheet, confidence: press, p: 3}"), ["cards.yaml:7:48: unknown key 'p'"]),
    (record("{memory: {value: 80 GB/card, low: [1]}}"), ["cards.yaml:8:46: 'low' is one text"]),
    (record(more="    alias: [X]\n"), ["cards.yaml:9:5: unknown key 'alias'; did you mean 'aliases'?"]),
    (record(identity="x"), ["cards.yaml:6:5: a record needs an id of the form `vendor/part`"]),
    (record(identity="nv/x.y"), ["cards.yaml:6:5: a record needs an id of the form `vendor/part`"]),
    (record(identity="NV/X"), ["cards.yaml:6:5: a record needs an id of the form `vendor/part`"]),
    (record(more=f"  - id: nv/x\n    {ORIGIN}\n"), [
        "cards.yaml:9:9: 'nv/x' is brought by 'test' (cards.yaml:6:5) and by 'test'; keep one"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), WRONG)
def test_a_mistake_in_a_file_is_told_with_its_place(tmp_path, body, expected):
    got = problems(tmp_path, body)
    assert len(got) == len(expected)
    assert [one[: len(other)] for one, other in zip(got, expected, strict=True)] == expected


def test_all_mistakes_of_a_file_are_told(tmp_path):
    body = record("{memory: 80 GB, memry: 1}", more=f"  - id: y\n    {ORIGIN}\n") + "recrods: []\n"
    assert len(problems(tmp_path, body)) == 4


@pytest.mark.parametrize(("header", "message"), [
    ("kind: card\n", "cards.yaml:1:1: a catalogue starts with `catalog: 1`"),
    ("catalog: 1\n", "cards.yaml:1:1: `kind:` is one of card"),
    ("catalog: 1\nkind: card\nsources: [sheet]\n", "cards.yaml:3:10: 'sources' is a mapping"),
    ("catalog: 1\nkind: cart\n", "cards.yaml:1:1: `kind:` is one of card"),
])  # fmt: skip
def test_a_file_says_what_it_is(tmp_path, header, message):
    assert problems(tmp_path, "records: []\n", header) == [message]


def test_two_files_with_one_part_name_both(tmp_path):
    one = loader(tmp_path, record())
    (tmp_path / "more.yaml").write_text(HEADER + record(), encoding="utf-8")
    one.load(Named(tmp_path / "more.yaml", "other", "more.yaml"))
    [problem] = map(str, one.problems)
    assert problem.startswith("more.yaml:6:9: 'nv/x' is brought by 'test' (cards.yaml:6:5) and by 'other'; keep one")


def test_a_plan_may_bring_its_own_parts(plan_file):
    path = plan_file(
        "capframe: 1\ntitle: T\ndate: 2026-11-29\ncatalogs: [ours.yaml]\npools: {main: {accelerator: Ours One}}\n"
    )
    facts = "{memory: 64 GB/card, peak: {bf16: 300 TFLOP/s/card}}"
    body = record(facts, "ours/one", more="    aliases: [Ours One]\n")
    path.with_name("ours.yaml").write_text(HEADER.replace("kind: card", "kind: accelerator") + body, encoding="utf-8")
    plan = load(path)
    assert plan.inputs["pools.main.accelerator"].base.value == "ours/one"
    assert plan.catalog.kinds["accelerator"].fact("ours/one", "peak.bf16").value == 300
    assert plan.catalog.kinds["accelerator"].records["ours/one"].provider == "the plan"


def test_a_plan_cannot_shadow_a_shipped_part(plan_file):
    path = plan_file("capframe: 1\ntitle: T\ndate: 2026-11-29\ncatalogs: [ours.yaml]\n")
    body = record(identity="nvidia/a100-sxm4-80gb")
    path.with_name("ours.yaml").write_text(HEADER.replace("kind: card", "kind: accelerator") + body, encoding="utf-8")
    with pytest.raises(PlanError, match=r"is brought by 'nvidia' \(nvidia\.yaml:\d+:5\) and by 'the plan'; keep one"):
        load(path)


def test_places_in_a_plans_catalogue_are_the_same_on_every_machine(plan_file):
    """A file is named as the plan names it, not by where the plan happens to lie."""
    path = plan_file("capframe: 1\ntitle: T\ndate: 2026-11-29\ncatalogs: [ours.yaml]\n")
    ours = HEADER.replace("kind: card", "kind: accelerator") + record(identity="ours/one")
    path.with_name("ours.yaml").write_text(ours, encoding="utf-8")
    assert load(path).catalog.kinds["accelerator"].fact("ours/one", "memory").at == "ours.yaml:8:21"
    path.with_name("ours.yaml").write_text(ours + "x: 1\n", encoding="utf-8")
    with pytest.raises(PlanError, match=r"^ours\.yaml:9:1: unknown key 'x'"):
        load(path)


def test_a_pick_of_a_kind_that_nobody_declares_is_told(cards):
    with pytest.raises(CapframeError, match="no plugin declares parts of kind 'crad'; did you mean 'card'"):
        cards.part("crad", "l4")


WITH_MISTAKES = """\
capframe: 1
title: T
date: 2026-11-29
catalogs: [ours.yaml]
pools: {main: {accelerator: our/one, cuont: 8}}
prices:
  - {part: our/one, price: 9 USD, vat: excluded, per: card}
power: {pue: 12}
scenarios:
  dear: {prices.our/one: 10 CNY/card, pools.main.accelerator: our/two}
"""


@pytest.mark.parametrize(
    ("catalog", "said"),
    [
        (None, "ours.yaml: cannot be read: No such file or directory"),
        ("catalog: 1\nkind: acelerator\n", "ours.yaml:1:1: `kind:` is one of "),
    ],
)
def test_mistakes_of_a_plan_are_told_together_with_those_of_its_catalogues(plan_file, catalog, said):
    """What is picked out of a file that is lost is no mistake of its own."""
    path = plan_file(WITH_MISTAKES)
    if catalog is not None:
        path.with_name("ours.yaml").write_text(catalog)
    with pytest.raises(PlanError) as caught:
        load(path)
    first, *others = str(caught.value).splitlines()
    assert first.startswith(said)
    assert others == [
        "plan.yaml:5:38: unknown key 'cuont'; did you mean 'count'?",
        "plan.yaml:8:14: '12' is above 3; write 1 to 3, for example `1.25`",
    ]


def test_of_a_file_with_a_mistake_the_rest_can_be_picked(plan_file):
    path = plan_file(
        "capframe: 1\ntitle: T\ndate: 2026-11-29\ncatalogs: [ours.yaml]\n"
        "pools: {main: {accelerator: our/one}, other: {accelerator: our/two}}\n"
    )
    path.with_name("ours.yaml").write_text(
        "catalog: 1\nkind: accelerator\nas_of: 2026-11\nsources: {s: {title: S}}\nrecords:\n"
        "  - {id: our/one, origin: {source: s, confidence: press}, facts: {tdp: 3 GB}}\n"
    )
    with pytest.raises(PlanError) as caught:
        load(path)
    first, second = str(caught.value).splitlines()
    assert first.startswith("ours.yaml:6:72: '3 GB' is in GB, which is not W/card")
    assert second.startswith("plan.yaml:5:60: no accelerator is called 'our/two'; did you mean")


def test_a_catalogue_that_is_not_there_is_named(plan_file):
    path = plan_file("capframe: 1\ntitle: T\ndate: 2026-11-29\ncatalogs: [ours.yaml]\n")
    with pytest.raises(PlanError, match=r"ours\.yaml: cannot be read: No such file or directory"):
        load(path)


# ---------------------------------------------------------------- the catalogues that are shipped


@pytest.fixture(scope="module")
def accelerators(tmp_path_factory):
    path = tmp_path_factory.mktemp("plan") / "plan.yaml"
    path.write_text("capframe: 1\ntitle: T\ndate: 2026-11-29\n", encoding="utf-8")
    return load(path).catalog


def test_the_shipped_catalogues_load(accelerators):
    providers = Counter(one.provider for one in accelerators.kinds["accelerator"].records.values())
    assert providers.keys() == {"ascend", "domestic", "international", "nvidia"}
    assert min(providers.values()) >= 5


def test_every_shipped_fact_has_a_source_a_confidence_and_a_date(accelerators):
    facts = [
        (record.id, column, fact)
        for record in accelerators.kinds["accelerator"].records.values()
        for column, fact in record.facts.items()
    ]
    assert len(facts) > 200
    for part, column, fact in facts:
        assert fact.origin.source in accelerators.sources, (part, column)
        assert fact.origin.confidence in CONFIDENCES, (part, column)
        assert fact.origin.date, (part, column)
        assert ":" in fact.at, (part, column)


def test_every_shipped_note_has_chinese(accelerators):
    """A phrase that is new in a note stands in ``chinese:``, at the end of its file."""
    for kind in accelerators.kinds.values():
        for record in kind.records.values():
            for column, fact in record.facts.items():
                assert not lacks_a_language(fact.origin.note), (record.id, column, fact.origin.note)


def test_every_name_of_a_shipped_part_means_one_part_or_asks(accelerators):
    kind = accelerators.kinds["accelerator"]
    for name, owners in kind.aliases.items():
        assert len(owners) == 1 or name in kind.ambiguous, f"{name} is a name of {owners}"
    for name, found in kind.ambiguous.items():
        assert found.candidates, name
        assert set(found.candidates) <= kind.records.keys(), name
        assert found.ask or found.why, name


@pytest.mark.parametrize("typed", ["H100", "A100", "910B", "910", "Ascend 910B", "昇腾910B", "910C"])
def test_names_of_several_shipped_parts_are_refused_with_candidates(accelerators, typed):
    with pytest.raises(CapframeError) as caught:
        accelerators.part("accelerator", typed)
    assert str(caught.value).startswith(f"{typed!r} can mean several parts; choose one of ")
    assert str(caught.value).count("/") >= 2


FP8_APART = {"aws/trainium3", "nvidia/rubin-vr200"}  # 3.75 and 4.4 times, as their vendors print them


def test_shipped_peaks_are_dense(accelerators):
    """A sparse figure is twice the dense one: fp8 is about twice bf16, and never four times."""
    kind = accelerators.kinds["accelerator"]
    for part in kind.records:
        bf16, fp8 = kind.fact(part, "peak.bf16").value, kind.fact(part, "peak.fp8").value
        if not (math.isnan(bf16) or math.isnan(fp8)) and part not in FP8_APART:
            assert 0.9 <= fp8 / bf16 <= 2.2, part
    assert 980 <= kind.fact("nvidia/h100-sxm5-80gb", "peak.bf16").value <= 990  # not 1,979, which is sparse
    assert kind.fact("nvidia/a100-sxm4-80gb", "peak.bf16").value == 312  # not 624


def test_what_a_part_does_not_support_has_no_peak(accelerators):
    kind = accelerators.kinds["accelerator"]
    for part in kind.records:
        for column in kind.columns:
            family_name, _, word = column.partition(".")
            if family_name == "supported" and kind.fact(part, column).value == "no" and f"peak.{word}" in kind.columns:
                assert math.isnan(kind.fact(part, f"peak.{word}").value), (part, word)


def test_cards_of_two_dies_say_how_many_devices_they_are(accelerators):
    # I04: 383 TFLOP/s a card of two dies: 127 measured on one are 127/191.5 = 66.3 %, and 768 cards are 1,536 devices
    kind = accelerators.kinds["accelerator"]
    devices, peak = kind.fact("amd/mi250x", "devices").value, kind.fact("amd/mi250x", "peak.bf16").value
    assert (devices, peak) == (2, 383)
    assert 127 / (peak / devices) == pytest.approx(0.663, abs=5e-4)
    assert 192 * 4 * devices == 1536


def test_shipped_offers_keep_what_they_are_for_and_whether_vat_is_in_them(accelerators):
    kind = accelerators.kinds["offer"]
    for part, record in kind.records.items():
        prices = [column for column in record.facts if column.split(".")[0] in {"rent", "price"}]
        assert len(prices) == 1, part
        assert record.facts["vat"].value in {"excluded", "included", "not_stated"}, part
        assert record.facts[prices[0]].origin.date, part
