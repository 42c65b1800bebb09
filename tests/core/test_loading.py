"""Plans: all mistakes of a document at once, each with its place; scenarios, overrides, origins."""

from __future__ import annotations

import math

import pytest

from capframe import load
from capframe.errors import PlanError, PluginError
from capframe.loading import load as load_with

PLAN = """\
capframe: 1
title: Mozi
date: 2026-11-29
currency: CNY
workloads:
  pretrain:
    pool: main
    model: {parameters: 70B}
    tokens: 1T
    mfu: {value: 40%, source: pilot, confidence: measured}
    deadline: 60 d
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000}
power: {pue: 1.2}
scenarios:
  slow: {workloads.pretrain.mfu: 30%, power.pue: {value: 1.4, source: survey}}
  empty:
"""
LINES = PLAN.splitlines()


def without(start):
    """Return the plan without the line that starts so."""
    kept = [line for line in LINES if not line.strip().startswith(start)]
    assert len(kept) < len(LINES)
    return "\n".join(kept) + "\n"


def refusal(call):
    with pytest.raises(PlanError) as caught:
        call()
    return str(caught.value).splitlines()


# ---------------------------------------------------------------- what is read


def test_a_plan_is_read(read_plan):
    plan = read_plan(PLAN)
    assert (plan.header.title, plan.header.date, plan.header.currency) == ("Mozi", "2026-11-29", "CNY")
    assert (plan.header.file, plan.header.language, plan.header.revision) == ("plan.yaml", "en", "")
    assert plan.scenarios == ("slow", "empty")
    assert plan.columns == ("base", "slow", "empty")
    assert plan.inputs["workloads.pretrain.model.parameters"].base.value == 70e9
    assert plan.inputs["workloads.pretrain.tokens"].base.value == 1e12
    assert plan.inputs["workloads.pretrain.deadline"].base.value == 60
    assert plan.inputs["pools.main.accelerator"].base.value == "nvidia/a100-sxm4-80gb"
    assert plan.inputs["power.pue"].base.value == 1.2


def test_every_input_knows_where_it_was_given(read_plan):
    inputs = read_plan(PLAN).inputs
    assert inputs["workloads.pretrain.mfu"].base.at == "plan.yaml:10:18"
    assert inputs["workloads.pretrain.tokens"].base.at == "plan.yaml:9:13"
    assert inputs["power.pue"].base.at == "plan.yaml:14:14"
    assert inputs["power.average_load"].base.at == "default"
    assert inputs["workloads.pretrain.mfu"].given("slow").at == "plan.yaml:16:34"
    assert inputs["workloads.pretrain.mfu"].base.origin.confidence == "measured"
    assert inputs["power.average_load"].base.origin.source


def test_scenarios_change_what_they_name_and_nothing_else(read_plan):
    inputs = read_plan(PLAN).inputs
    changed = {key for key, one in inputs.items() if one.given("slow") != one.base}
    same_key = {key for key in changed if not (isinstance(v := inputs[key].base.value, float) and math.isnan(v))}
    assert same_key == {"workloads.pretrain.mfu", "power.pue"}
    assert inputs["workloads.pretrain.mfu"].given("slow").value == 0.3
    assert inputs["power.pue"].given("slow").value == 1.4
    assert all(one.overrides.get("empty") is None for one in inputs.values())


def test_plugins_see_names_and_structure_but_no_values(read_plan):
    outline = read_plan(PLAN).outline
    assert list(outline.workloads) == ["pretrain"]
    assert list(outline.pools) == ["main"]
    assert outline.workloads["pretrain"].pool == "main"
    assert outline.currency == "CNY"
    with pytest.raises(AttributeError, match="plan shows names and structure only"):
        outline.workloads["pretrain"].mfu  # noqa: B018 - to look is the test
    with pytest.raises(AttributeError, match="no plugin declares a collection 'workload'; did you mean 'workloads'"):
        outline.workload  # noqa: B018


def test_members_keep_the_order_of_the_document(read_plan):
    text = PLAN.replace("pools:\n", "pools:\n  zeta: {accelerator: nvidia/h100-sxm5-80gb, count: 8}\n")
    assert list(read_plan(text).outline.pools) == ["zeta", "main"]


def test_texts_of_the_header_stay_as_they_are(read_plan):
    plan = read_plan(PLAN.replace("currency: CNY", "currency: CNY\nrevision: 1.10\nlanguage: zh-CN"))
    assert plan.header.revision == "1.10"
    assert plan.header.language == "zh-CN"


def test_the_short_api(plan_file):
    assert load(plan_file(PLAN)).inputs["power.pue"].base.value == 1.2
    assert load_with is load


# ---------------------------------------------------------------- all mistakes at once


H100S = (
    "nvidia/h100-pcie-80gb, nvidia/h100-sxm5-80gb, nvidia/h100-nvl-94gb "
    "(the question is: form factor (PCIe, SXM5 or NVL): peaks, memory and power differ)"
)
STRUCTURE = "is structure (which members exist, who uses whom); change it in the plan itself"


def test_every_mistake_of_a_plan_is_told_in_one_run(read_plan):
    text = """\
capframe: 1
title: Mozi
date: 29.11.2026
workloads:
  pretrain:
    pool: mian
    model: {parameters: 70GB}
    mfu: 40
    precision: bf61
    tokns: 1T
pools:
  main: {accelerator: H100, count: x}
powr: {pue: 1.2}
power: {puue: 1.1}
scenarios:
  slow: {workloads.pretrain.mfo: 30%, workloads.pretrain.pool: other, power.pue: 9}
"""
    assert refusal(lambda: read_plan(text)) == [
        "plan.yaml:3:7: 'date' is the plan's own date, the only clock there is: write it as `date: 2026-11-29`",
        "plan.yaml:6:5: 'tokens' (token) is missing here",
        "plan.yaml:7:25: '70GB' is in GB, which is not parameter; give it in parameter",
        "plan.yaml:8:10: '40' is above 1; did you mean `40%`?",
        "plan.yaml:9:16: 'bf61' is none of bf16, fp16, fp8, fp4, tf32, fp32, fp64, int8; did you mean 'bf16'?",
        "plan.yaml:10:5: unknown key 'tokns'; did you mean 'tokens'?",
        f"plan.yaml:12:23: 'H100' can mean several parts; choose one of {H100S}",
        "plan.yaml:12:36: 'x' is not a number; write for example `1 card`",
        "plan.yaml:13:1: unknown key 'powr'; did you mean 'power'?",
        "plan.yaml:14:9: unknown key 'puue'; did you mean 'pue'?",
    ]


def test_structure_and_members_are_checked_where_the_rest_is_right(read_plan):
    text = PLAN.replace("pool: main", "pool: mian").replace(
        "workloads.pretrain.mfu: 30%", "workloads.pretrain.mfo: 30%"
    )
    text = text.replace("power.pue: {", "workloads.pretrain.pool: main, power.puee: {")
    assert refusal(lambda: read_plan(text)) == [
        "plan.yaml:7:11: no member 'mian' in 'pools'; did you mean 'main'? (there are main)",
        "plan.yaml:16:10: no input 'workloads.pretrain.mfo'; did you mean 'workloads.pretrain.mfu'?",
        f"plan.yaml:16:39: 'workloads.pretrain.pool' {STRUCTURE}",
        "plan.yaml:16:70: no input 'power.puee'; did you mean 'power.pue'?",
    ]


MISSING = [
    ("capframe: 1", "plan.yaml:1:1: a plan says which format it has: write `capframe: 1`"),
    ("title", "plan.yaml:1:1: 'title' is missing here"),
    ("date", "plan.yaml:1:1: 'date' is the plan's own date, the only clock there is: write it as `date: 2026-11-29`"),
    ("tokens", "plan.yaml:7:5: 'tokens' (token) is missing here"),
    ("model", "plan.yaml:7:5: 'model' is missing here"),
    ("pool: main", "plan.yaml:7:5: 'pool' is missing here"),
]


@pytest.mark.parametrize(("start", "message"), MISSING)
def test_what_is_missing_is_named(plan_file, start, message):
    path = plan_file("capframe:")
    path.write_text(without(start), encoding="utf-8")
    assert refusal(lambda: load(path)) == [message]


WRONG = [
    ("capframe: 1", "capframe: 2", "plan.yaml:1:11: a plan says which format it has: write `capframe: 1`"),
    ("date: 2026-11-29", "date: 20261129", "plan.yaml:3:7: 'date' is the plan's own date"),
    ("date: 2026-11-29", "date: 2026-W48-7", "plan.yaml:3:7: 'date' is the plan's own date"),
    ("title: Mozi", "title: [a]", "plan.yaml:2:8: 'title' is one text"),
    ("date: 2026-11-29", "date: 2026-13-01", "plan.yaml:3:7: 'date' is the plan's own date"),
    ("date: 2026-11-29", "date: 2026-11-31", "plan.yaml:3:7: '2026-11-31': there is no such day: November has 30 days"),
    ("date: 2026-11-29", "date: 2027-02-29", "plan.yaml:3:7: '2027-02-29': there is no such day: February"),
    ("currency: CNY", "currency: RMB", "plan.yaml:4:11: 'currency' is a code; write `currency: CNY`"),
    ("currency: CNY", "currency: 元", "plan.yaml:4:11: 'currency' is a code; write `currency: CNY`"),
    ("currency: CNY", "currency: XYZ", "plan.yaml:4:11: 'currency' is a code such as CNY or USD, and no plugin knows"),
    ("  main: {", "  main: {cards: 512, ", "plan.yaml:13:10: unknown key 'cards'; did you mean 'count'?"),
    ("  main: {", "  main: {需求卡: 512, ", "plan.yaml:13:10: unknown key '需求卡'; did you mean 'count'?"),
    ("  main: {", "  main: {卡数: 8, ", "plan.yaml:13:10: unknown key '卡数'; did you mean 'count' or 'cards_per_"),
    ("currency: CNY", "language: fr", "plan.yaml:4:11: 'language' is one of en, zh-CN"),
    ("currency: CNY", "catalogs: our.yaml", "plan.yaml:4:11: 'catalogs' is a list of files: `[our-chips.yaml]`"),
    ("  pretrain:", "  pre-train:", "plan.yaml:6:3: 'pre-train' is no name: letters, digits and _ only"),
    ("  pretrain:", "  预训练:", "plan.yaml:6:3: '预训练' is no name: letters, digits and _ only"),
    ("  main: {", "  main: 8\n  other: {", "plan.yaml:13:9: pools.main holds keys of its own, below it"),
    ("power: {pue: 1.2}", "power: 1.2 MW", "plan.yaml:14:8: 'power' is a section: write its keys below it"),
    ("power: {pue: 1.2}", "power: {pue: nan}", "plan.yaml:14:14: 'nan' is no number that a plan can hold"),
    ("model: {parameters: 70B}", "model: 70B", "plan.yaml:8:12: 'model' is a section: write its keys below it"),
    ("  main: {", "  Main: {accelerator: A100 SXM4 80GB}\n  main: {",
        "plan.yaml:14:3: 'main' and 'Main' differ in capitals only, which a workbook does not tell apart; rename one"),
    ("  empty:", "  Slow:",
        "plan.yaml:17:3: scenario 'Slow' and 'slow' differ in capitals only, which a workbook does not tell apart"),
    ("power.pue: {value: 1.4, source: survey}",
        "prices.H100 SXM5: auto, prices.nvidia/h100-sxm5-80gb: auto",
        "plan.yaml:16:63: 'prices.nvidia/h100-sxm5-80gb' stands twice in this scenario; keep one"),
    ("  slow: {", "  base: {", "plan.yaml:16:3: 'base' is the plan itself; give the scenario a name"),
    ("  slow: {", "  s low: {", "plan.yaml:16:3: scenario 's low' is no name"),
    ("  empty:", "  empty: 3", "plan.yaml:17:10: scenario 'empty' holds `key: value` pairs"),
    ("mfu: 30%", "mfu: ~", "plan.yaml:16:10: 'workloads.pretrain.mfu' says nothing; leave the key out to follow base"),
    ("mfu: 30%", "mfu: 30", "plan.yaml:16:34: '30' is above 1; did you mean `30%`?"),
    ("count: 1000", "count: 1000 server", "plan.yaml:13:53: '1000 server' is in server, which is not card"),
    ("nvidia/a100-sxm4-80gb", "910B", "plan.yaml:13:23: '910B' can mean several parts; choose one of huawei/"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_a_mistake_is_told_where_it_was_made(read_plan, old, new, message):
    assert old in PLAN
    problems = refusal(lambda: read_plan(PLAN.replace(old, new, 1)))
    assert [problem for problem in problems if problem.startswith(message)]


CONSEQUENCES = [
    ("  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000}", "  main:"),  # the workload's pool is no mistake too
    ("workloads:", "workloads: []\ntasks:"),  # nor are the scenario's keys below it
]


@pytest.mark.parametrize(("old", "new"), CONSEQUENCES)
def test_what_follows_from_a_mistake_is_not_told(read_plan, old, new):
    problems = [
        one for one in refusal(lambda: read_plan(PLAN.replace(old, new, 1))) if "unknown key 'tasks'" not in one
    ]
    assert len(problems) == 1


def test_mistakes_of_the_header_and_of_a_catalogue_are_told_together(plan_file):
    path = plan_file(PLAN.replace("title: Mozi", "catalogs: [ours.yaml]"))
    path.with_name("ours.yaml").write_text("catalog: 2\n", encoding="utf-8")
    assert refusal(lambda: load(path)) == [
        "ours.yaml:1:1: a catalogue starts with `catalog: 1`",
        "ours.yaml:1:1: `kind:` is one of accelerator, drive, nic, offer, optic, rack, server, storage_system, switch",
        "plan.yaml:1:1: 'title' is missing here",
    ]


def test_scenarios_may_ask_for_auto_and_pick_other_parts(read_plan):
    text = PLAN.replace("  empty:\n", "  other: {pools.main.count: auto, pools.main.accelerator: H100 SXM5}\n")
    inputs = read_plan(text).inputs
    assert inputs["pools.main.count"].given("other").value == "auto"
    assert inputs["pools.main.accelerator"].given("other").value == "nvidia/h100-sxm5-80gb"
    assert inputs["pools.main.count"].given("slow").value == 1000


def test_a_scenario_may_price_a_part_by_its_alias(read_plan):
    text = PLAN.replace("  empty:\n", "  cheap: {prices.H100 SXM5: {price: 150000 CNY, per: card, vat: excluded}}\n")
    assert read_plan(text).inputs["prices.nvidia/h100-sxm5-80gb"].given("cheap").value == 150_000


# ---------------------------------------------------------------- overrides


def test_overrides_change_base_or_one_column(read_plan):
    plan = read_plan(
        PLAN,
        overrides=[
            "power.pue=1.3",
            "scenarios.slow.power.pue=1.5",
            "scenarios.empty.pools.main.count=auto",
            "prices.H100 SXM5=auto",
            " workloads.pretrain.deadline = 30 d ",
        ],
    )
    pue = plan.inputs["power.pue"]
    assert (pue.base.value, pue.base.at) == (1.3, "--set #1")
    assert (pue.given("slow").value, pue.given("slow").at) == (1.5, "--set #2")
    assert pue.given("empty").value == 1.3
    assert plan.inputs["pools.main.count"].given("empty").value == "auto"
    assert plan.inputs["prices.nvidia/h100-sxm5-80gb"].base.at == "--set #4"
    assert plan.inputs["workloads.pretrain.deadline"].base.value == 30


def test_later_overrides_win(read_plan):
    assert read_plan(PLAN, overrides=["power.pue=1.3", "power.pue=1.4"]).inputs["power.pue"].base.at == "--set #2"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("workloads.pretrain.mfu", "{value: 35%, low: 30%, source: 'pilot, two weeks', note: \"a: b\"}"),
        ("workloads.pretrain.mfu", '"35%"'),
        ("workloads.pretrain.mfu", "35%   # of the pilot"),
        ("pools.main.accelerator", "'nvidia/a100-sxm4-80gb'"),
        ("workloads.pretrain.deadline", "~"),
    ],
)
def test_a_value_that_is_set_means_what_it_would_in_the_plan(read_plan, key, text):
    """Lists and tables were taken apart at commas, and quotes stood for themselves."""
    written = read_plan(f"{PLAN}  same:\n    {key}: {text}\n" if text != "~" else PLAN).inputs[key].given("same")
    given = read_plan(PLAN, overrides=[f"{key}={text}"]).inputs[key].base
    if text == "~":
        assert repr(given.value) == "nan"
    else:
        assert given == written.moved("--set #1")


def test_one_value_is_set_at_a_time(read_plan):
    [problem] = refusal(lambda: read_plan(PLAN, overrides=["power.pue=1.2\nother: 3"]))
    assert problem == "--set #1: '1.2\\nother: 3' is not one value"


def test_a_control_character_in_what_is_set_is_left_out_and_told(read_plan):
    plan = read_plan(PLAN, overrides=["power.pue=1.3", "power.pue={value: 1.4, source: a\x07b}"])
    assert plan.inputs["power.pue"].base.origin.source == "ab"
    said = "a control character in this text is left out: no cell of a workbook can hold it"
    assert [str(one) for one in plan.notices] == [f"--set #2: {said}"]


CLEARED = [
    ("pools.main.count", "auto"),  # given or computed
    ("workloads.pretrain.deadline", math.nan),  # optional
    ("power.pue", 1.25),  # a default
]


@pytest.mark.parametrize(("key", "value"), CLEARED)
def test_an_empty_override_takes_the_value_away(read_plan, key, value):
    base = read_plan(PLAN, overrides=[f"{key}="]).inputs[key].base
    assert repr(base.value) == repr(value)  # nan is equal to nothing
    assert base.at == "--set #1"


def test_an_empty_override_of_a_column_falls_back_to_base(read_plan):
    plan = read_plan(PLAN, overrides=["scenarios.slow.power.pue=", "scenarios.empty.power.pue="])
    assert plan.inputs["power.pue"].given("slow") == plan.inputs["power.pue"].base


WRONG_OVERRIDES = [
    ("power.pue", "--set #1: 'power.pue' is not KEY=VALUE"),
    ("power.puee=1.2", "--set #1: no input 'power.puee'; did you mean 'power.pue'?"),
    ("power.pue=9", "--set #1: '9' is above 3"),
    ("power.pue=.nan", "--set #1: '.nan' is no number that a plan can hold"),
    ("workloads.pretrain.tokens=", "--set #1: 'workloads.pretrain.tokens' is required; give it a value"),
    ("workloads.pretrain.pool=other", f"--set #1: 'workloads.pretrain.pool' {STRUCTURE}"),
    ("scenarios.slwo.power.pue=1.3", "--set #1: no scenario 'slwo'; did you mean 'slow'?"),
    ("scenarios.slow=1.3", "--set #1: no input ''"),
    ("pools.main.accelerator=A100", "--set #1: 'A100' can mean several parts; choose one of"),
    ("timeline.periods=8", "--set #1: 'timeline.periods' is no input; it is changed in the plan itself"),
    ("cost.capex=1", "--set #1: no input 'cost.capex' (a figure that is computed is not set: "),
    ("cost.insurance.rate=1", ("--set #1: no input 'cost.insurance.rate' (a figure that is computed is not set: "
        "`capframe show PLAN cost.insurance.rate` finds it; `capframe schema --markdown` lists what can be set)")),
    ("title=Other", "--set #1: 'title' is no input; it is changed in the plan itself, under `title:`"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG_OVERRIDES)
def test_a_wrong_override_is_named_by_its_number(read_plan, text, message):
    [problem] = refusal(lambda: read_plan(PLAN, overrides=[text]))
    assert problem.startswith(message)


def test_all_wrong_overrides_are_told_in_their_order(read_plan):
    problems = refusal(lambda: read_plan(PLAN, overrides=["power.pue=9", "nonsense", "power.pue=0"]))
    assert [problem.split(":")[0] for problem in problems] == ["--set #1", "--set #2", "--set #3"]


# ---------------------------------------------------------------- plugins that are off, missing or wrong


def test_what_a_plugin_reads_is_left_out_when_it_is_off(read_plan):
    plan = read_plan(PLAN.replace("power: {", "cost: {tariff: 0.65 CNY/kWh}\npower: {"), off=["cost"])
    assert plan.left_out == ("cost",)
    assert not [key for key in plan.inputs if key.startswith(("cost.", "prices.", "rates."))]


def test_scenarios_of_what_is_left_out_are_left_out_too(read_plan):
    text = PLAN.replace("  empty:\n", "  dear: {cost.tariff: 1 CNY/kWh}\n").replace("power: {", "cost: {}\npower: {")
    assert read_plan(text, off=["cost"]).scenarios == ("slow", "dear")


def test_a_slip_is_a_mistake_even_when_plugins_are_off(read_plan):
    problems = refusal(lambda: read_plan(PLAN.replace("power: {", "powr: {"), off=["cost"]))
    assert problems[0].startswith("plan.yaml:14:1: unknown key 'powr'; did you mean 'power'?")


def test_an_unknown_section_says_which_plugins_could_not_be_loaded(read_plan, plugin_of):
    broken = plugin_of(line_itemz=[])
    problems = refusal(lambda: read_plan(PLAN + "liquid: {}\n", extra={"liquid": broken}))
    assert problems == [
        (
            "plan.yaml:18:1: unknown key 'liquid'; plugin 'liquid' could not be loaded: there is no hook "
            "'capframe_line_itemz'; did you mean 'capframe_line_items'?"
        )
    ]


def test_what_is_no_declaration_is_refused_with_its_plugin(read_plan, plugin_of):
    with pytest.raises(PluginError, match="plugin 'extra', capframe_sections: 3 is no Area, Coll"):
        read_plan(PLAN, extra={"extra": plugin_of(sections=[3])})
    with pytest.raises(
        PluginError, match="plugin 'extra', capframe_catalogs: 3 is no RecordKind, BoughtFacts or CatalogFile"
    ):
        read_plan(PLAN, extra={"extra": plugin_of(catalogs=[3])})


def test_a_rate_of_the_plans_own_currency_is_left_out(read_plan):
    with pytest.raises(PlanError, match=r"plan\.yaml:\d+:\d+: '7 CNY/USD': USD/USD is always 1; leave it out$"):
        read_plan("currency: USD\nrates: {USD: 7 CNY/USD}\n")


@pytest.mark.parametrize(("old", "new", "said"), [
    ("deadline: 60 d", "deadline: 60天", None),
    ("tariff: 0.65 CNY/kWh", "tariff: 0.65 元/度", None),
    ("count: 1000", "count: 1000张", None),
    ("language: en", "language: zh", "'language' is one of en, zh-CN; did you mean 'zh-CN'?"),
    ("accelerator: nvidia/a100-sxm4-80gb", "accelerator: nvidia/h900", "did you mean 'nvidia/h800-sxm5-80gb', "),
    ("accelerator: nvidia/a100-sxm4-80gb", "accelerator: H800", "write `nvidia/h800-sxm5-80gb`"),
])  # fmt: skip
def test_what_newcomers_type(root, tmp_path, old, new, said):
    text = (root / "examples" / "mozi-70b.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "plan.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    if said is None:
        assert load(path).ledger()
        return
    with pytest.raises(PlanError) as caught:
        load(path)
    assert said in str(caught.value)


@pytest.mark.parametrize(("start", "period", "said"), [
    ("2027Q1", "quarter", "'start' is a month such as 2027-01, not '2027Q1'; write `start: 2027-01`"),
    ("2027-01", "quarterly", "'period' is one of month, quarter, year, not 'quarterly'; did you mean 'quarter'?"),
])  # fmt: skip
def test_a_timeline_that_cannot_be_read_is_one_mistake(root, tmp_path, start, period, said):
    text = (root / "examples" / "domestic-160k.yaml").read_text(encoding="utf-8")
    path = tmp_path / "plan.yaml"
    path.write_text(
        text.replace("start: 2027-01, period: quarter", f"start: {start}, period: {period}"), encoding="utf-8"
    )
    with pytest.raises(PlanError) as caught:
        load(path)
    assert [one.what for one in caught.value.problems] == [said]
