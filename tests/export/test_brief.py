"""The brief says what the results say, all of what speaks against a plan, and nothing that a template made up."""

from __future__ import annotations

import re
import string
from itertools import pairwise
from pathlib import Path

import pytest

from capframe import CapframeError, Host, Item, LineItem, QuantityField, figure, large, load, round_up, say
from capframe_plugins import brief
from capframe_plugins.brief.contents import contents
from capframe_plugins.brief.markdown import Markdown, Table, escape, table, width
from capframe_plugins.brief.reader import Reader
from capframe_plugins.brief.rendering import packaged, render
from capframe_plugins.brief.words import WORDS, Words

EXAMPLES = Path(__file__).parents[2] / "examples"
MOZI, TEMPLATE = EXAMPLES / "mozi-70b.yaml", EXAMPLES / "template-70b-7d.yaml"
BOTH = pytest.mark.parametrize("plan", [MOZI, TEMPLATE], ids=lambda path: path.stem)

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|[BT%](?!\w))?")
NASTY = "a | b <i>c</i> `d` *e* [f](g) \\ &lt;"

CROWDED = """capframe: 1
title: "# Two jobs | <b>bold</b> & `code`"
date: 2026-11-29
currency: CNY
workloads:
  small: {pool: a, model: {parameters: 7B}, tokens: 1T, deadline: 20 d}
  large:
    pool: a
    model: {parameters: 70B, active_parameters: 20B}
    tokens: 1T
    mfu: {value: 70%, source: "a | b <i>c</i> `d` *e* [f](g) \\\\ &lt;", confidence: estimate}
  late: {pool: b, model: {parameters: 13B}, tokens: 3T, deadline: 3 d, reserve: 1.2}
  odd: {pool: b, model: {parameters: 1B}, tokens: 1B, precision: fp8}
pools:
  a: {accelerator: nvidia/h100-sxm5-80gb, count: 8}
  b: {accelerator: nvidia/a100-sxm4-80gb, count: 64}
cost: {tariff: 0.65 CNY/kWh, budget: 1000000 CNY}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, date: 2026-10-15, source: "x | *y*"}
scenarios:
  rich: {cost.budget: 900000000 CNY}
  same:
"""


def text_of(results) -> str:
    return render("brief.md.j2", contents(results))


def words_of(results) -> Words:
    return Reader(results).words


def evaluated(path, off=(), extra=None):
    return load(path, host=Host(off, extra=extra)).ledger().evaluate()


@pytest.fixture(scope="module")
def mozi():
    return evaluated(MOZI)


@pytest.fixture(scope="module")
def template():
    return evaluated(TEMPLATE)


@pytest.fixture
def crowded(results):
    return results(CROWDED)


def main_text(text: str) -> str:
    """Return what stands before the sign-off."""
    return text.partition("Assumptions to sign")[0]


def plain(text: str) -> str:
    """Return Markdown as its reader sees it: without escapes and bold."""
    return re.sub(r"\\(.)", r"\1", text.replace("**", "")).replace("&lt;", "<").replace("&amp;", "&")


def section(text: str, title: str) -> str:
    """Return the text below a heading of level two."""
    return re.split(r"^## ", text.partition(title)[2], maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """Return the cells of every table row in a text."""
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("| --")
    ]


# ---------------------------------------------------------------- figures


def sayings(results) -> list[str]:
    """Return every text that the core and the plan say about results."""
    plan, ledger = results.plan, results.ledger
    said = [*map(str, (plan.header.title, plan.header.date, plan.header.revision)), *plan.scenarios]
    for scenario in results.columns:
        for key in (*ledger.lines, *plan.inputs):
            said += [results.with_unit(key, scenario), results.reason(key, scenario) or "", ledger.label(key)]
        for key in ledger.lines:
            said += [ledger.formula_in_words(key), results.numbers_in(key, scenario)]
        for status in results.statuses(scenario):
            said += [status.message, say(status.check.label, "en")]
        for one in plan.inputs.values():
            said += of_origin(one.given(scenario))
    for kind in plan.catalog.kinds.values():
        for record in kind.records.values():
            said.append(say(record.name, "en"))
            for column, given in record.facts.items():
                about = kind.columns[column]
                said += [say(about.label, "en"), *of_origin(given)]
                said += [formatted(ledger, about, value) for value in (given.value, given.low, given.high)]
    return said + [formatted(ledger, one, value) for one in plan.inputs.values() for value in ends(one)]


def ends(one):
    return one.base.low, one.base.high


def of_origin(given) -> list[str]:
    return [given.at, say(given.origin.source, "en"), say(given.origin.note, "en"), given.origin.date]


def formatted(ledger, about, value) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    assert isinstance(about.field, QuantityField)
    return figure(value, ledger.format_of(about.unit, whole=about.field.whole, percent=about.field.percent))


@BOTH
def test_every_number_in_the_text_is_one_of_the_results(plan):
    assert made_up(evaluated(plan)) == []


def test_no_number_is_made_up_of_several_pools_and_failing_checks(crowded):
    assert made_up(crowded) == []


def made_up(results) -> list[str]:
    """Return the numbers of the text that neither the core nor the plan says."""
    words = words_of(results)
    known = {number for saying in sayings(results) for number in NUMBER.findall(f"{saying} {words.units(saying)}")}
    text = re.sub(r"^## \d\.", "##", plain(text_of(results)), flags=re.MULTILINE)
    return [number for number in NUMBER.findall(text) if number not in known]


def test_the_answer_of_the_template_is_the_expected_one(template):
    text = text_of(template)
    answer = text.partition("\n## ")[0]
    assert "**We ask for 1,824 cards of H100 SXM5 80GB in 228 servers" in answer
    assert "4.66 days" in answer
    assert "7 days" in answer
    assert words_of(template).units(template.with_unit("cost.capex")) in answer
    assert template.with_unit("power.facility") in answer
    assert "round up(1,215.28 cards × 1.50) = **1,823 cards**" in text
    assert "1.50 times the cards that pretrain needs: 1,215.28 cards become 1,823 cards." in text


def test_every_headline_stands_in_every_column_of_the_options(template):
    cells = {(row[0], row[1]): row[2:] for row in rows(section(text_of(template), "Options side by side"))}
    ledger, words = template.ledger, words_of(template)
    for key, line in ledger.lines.items():
        if not line.headline:
            continue
        scope = template.plan.scope_of(key)
        where = scope[1] if scope else say(template.plan.areas[line.area].label, "en")
        for shown, scenario in zip(cells[ledger.label(key), where], template.columns, strict=True):
            if template.reason(key, scenario):
                assert re.fullmatch(r"n/a \([a-z]\)", shown)
            else:
                assert shown == words.units(template.with_unit(key, scenario))


def test_footnotes_say_why_a_figure_is_not_available(template):
    below = section(text_of(template), "Options side by side")
    assert template.reason("power.it", "domestic") in below
    assert template.reason("cost.capex", "domestic") in below


@BOTH
def test_every_line_is_somewhere(plan):
    results = evaluated(plan)
    text = text_of(results)
    for key in results.ledger.lines:
        assert stands_in(text, results, key), key


def stands_in(text: str, results, key: str, language: str = "en") -> bool:
    """Tell whether a line is in the text: by its label, as the formula of ``x.used``, or in the row of its item."""
    words, item = words_of(results), key.rpartition(".")[0]
    by_figure = key.endswith(".computed") and words.units(results.with_unit(key)) in text
    of_item = item in results.ledger.lines and bool(results.ledger.lines[item].part)
    label = results.ledger.label(item if of_item else key, language)
    return label in text or by_figure


@BOTH
def test_the_chain_shows_each_factor_in_words_and_numbers(plan):
    results = evaluated(plan)
    words = words_of(results)
    below = section(text_of(results), "Why it takes this much")
    for key in ("workloads.pretrain.compute.flops", "workloads.pretrain.compute.cards_needed", "pools.main.servers"):
        assert results.ledger.formula_in_words(key) in below
        assert words.units(results.numbers_in(key)) in below


# ---------------------------------------------------------------- checks


def test_every_failing_check_stands_before_the_first_section(crowded):
    words = words_of(crowded)
    first = plain(text_of(crowded).partition("\n## ")[0])
    errors, _, warnings = first.partition("warnings")
    fails = [(status, name) for name in crowded.columns for status in crowded.statuses(name) if status.result == "fail"]
    severities = {status.check.severity for status, _ in fails}
    assert {"error", "warning"} <= severities
    for status, scenario in fails:
        where = {"error": errors, "warning": warnings}.get(status.check.severity)
        if where is not None:
            line = next(line for line in where.splitlines() if words.units(status.message) in line)
            assert scenario in line


def test_a_plan_without_failing_checks_says_nothing_of_them(mozi):
    assert mozi.fails() == []
    assert "Do not sign" not in text_of(mozi)


def test_checks_that_cannot_be_judged_say_why(mozi):
    below = section(text_of(mozi), "Assumptions to sign")
    budget = "Purchases are within the budget; The budget holds, and every item in it is priced"
    assert f"{budget} (Budget for purchases without VAT not given)" in below
    assert "**What the inputs count.**" in below


# ---------------------------------------------------------------- assumptions


@BOTH
def test_every_input_stands_in_the_sign_off(plan):
    results = evaluated(plan)
    labels = {row[0] for row in rows(section(text_of(results), "Assumptions to sign"))}
    for one in results.plan.inputs.values():
        if one.group not in {"prices", "price_age"} or one.base.at != "default":  # of a part that nobody priced
            assert say(one.label, "en") in labels


def test_what_is_assumed_comes_first_and_what_nobody_gave_is_marked(mozi):
    below = section(text_of(mozi), "Assumptions to sign")
    assumed, _, rest = below.partition("### Measured")
    measured, _, rest = rest.partition("### Left to be computed")
    _, _, idle = rest.partition("### Limits")
    confidences = {row[4] for row in rows(assumed)[1:]}
    assert confidences == {"assumed", "chosen"}
    assert {"measured", "datasheet"} <= {row[4] for row in rows(measured)}
    by_label = {row[0]: row for row in rows(assumed)}
    assert by_label["Service life"][-1] == "default"
    assert by_label["PUE"][-1].startswith("mozi-70b.yaml:")
    assert "MFU where none is given" in idle  # the plan gives one
    assert "ZeRO stage" in assumed  # only a choice of formulas reads it


def test_ranges_are_those_of_what_is_asked_for(mozi):
    table_rows = {row[0]: row for row in rows(section(text_of(mozi), "What could make it more"))}
    assert table_rows["Model FLOP utilisation (MFU)"][2:5] == ["40.0%", "35.0%", "45.0%"]
    assert "MFU where none is given" not in table_rows
    assert "Optimizer states, bytes per parameter" not in table_rows


def test_an_input_without_a_source_is_named(mozi):
    below = section(text_of(mozi), "What could make it more")
    sentence = next(line for line in below.splitlines() if "**No source.**" in line)
    assert "PUE (Power)" in sentence
    assert "MFU" not in sentence


# ---------------------------------------------------------------- form


@BOTH
def test_the_file_is_tidy_and_the_same_twice(plan, tmp_path):
    for name in ("a.md", "b.md"):
        brief.write(evaluated(plan), tmp_path / name)
    data = (tmp_path / "a.md").read_bytes()
    assert data == (tmp_path / "b.md").read_bytes()
    text = data.decode("utf-8")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    assert "\n\n\n" not in text
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert re.search(r"\bNone\b|\bnan\b|\{|\}|\be[+-]\d", text) is None


def test_the_main_text_is_about_two_pages(mozi):
    """The answer and sections 1 to 3: what a leader reads; tables for finance and engineers come after."""
    lines = re.sub(r"\n  = ", " = ", text_of(mozi).partition("## 4.")[0]).splitlines()
    wrapped = sum(-(-len(line) // 100) for line in lines)
    assert wrapped <= 110


def test_tables_have_as_many_cells_in_each_row_as_in_their_head(crowded):
    lines = text_of(crowded).splitlines()
    for above, below in pairwise(lines):
        if above.startswith("|") and below.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", above)) == len(re.findall(r"(?<!\\)\|", below)), below


def test_what_people_typed_is_shown_as_typed(crowded):
    text = text_of(crowded)
    assert text.startswith("# \\# Two jobs \\| &lt;b>bold&lt;/b> & `code`\n")
    assert escape(NASTY) in text
    assert plain(escape(NASTY)) == NASTY
    assert "x \\| \\*y\\*" in text
    assert not re.search(r"<[a-z/]", text)


@pytest.mark.parametrize(
    ("typed", "escaped"),
    [
        ("two\nlines\t and  more", "two lines and more"),
        ("# heading", "\\# heading"),
        ("> quote", "\\> quote"),
        ("- item", "\\- item"),
        ("--- rule", "\\--- rule"),
        ("1. item", "1\\. item"),
        ("1.50 cards", "1.50 cards"),
        ("-5 cards", "-5 cards"),
        ("snake_case and _emphasis_", "snake_case and \\_emphasis\\_"),
        ("under `prices:`, `a_b*`", "under `prices:`, `a_b*`"),
        ("one ` alone", "one \\` alone"),
        ("`a` and ` alone", "`a` and \\` alone"),
        ("`a|b` ``c`", "\\`a\\|b\\` \\`\\`c\\`"),
        ("~~gone~~", "\\~\\~gone\\~\\~"),
        ("&lt; & &", "&amp;lt; & &"),
        ("right\u202eleft\x07", "rightleft"),
        (Markdown("**bold**"), "**bold**"),
    ],
)
def test_escape(typed, escaped):
    assert escape(typed) == escaped


def test_tables_line_up_with_chinese_letters():
    made = table(Table(("名称", "n"), [("加速卡", "1"), ("a|b", "1,000")], figures=(1,)))
    assert len({width(line) for line in made.splitlines()}) == 1
    assert "| a\\|b   | 1,000 |" in made


# ---------------------------------------------------------------- languages


def test_a_chinese_plan_is_read_in_chinese(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(TEMPLATE.read_text(encoding="utf-8").replace("language: en", "language: zh-CN"), encoding="utf-8")
    results = evaluated(path)
    text = text_of(results)
    assert "## 一、目标" in text
    assert "昇腾910C" in text
    for key in results.ledger.lines:
        assert stands_in(text, results, key, "zh-CN"), key
    english = {form["en"] for form in WORDS.values() if form["en"].count(" ") > 2}
    assert [sentence for sentence in english if sentence in text] == []


def test_both_languages_have_the_same_slots_and_no_figures():
    for key, forms in WORDS.items():
        assert set(forms) == {"en", "zh"}
        names = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in forms.values()]
        assert names[0] == names[1], key
        if key != "numbers":
            assert not re.search(r"\d", forms["en"] + forms["zh"]), key


def test_a_blank_at_an_end_stands_only_in_what_joins_things():
    joints = {"comma", "and", "comma_and", "semicolon"}
    ends = {key for key, forms in WORDS.items() if any(text != text.strip() for text in forms.values())}
    assert ends == joints


def test_the_figures_of_base_are_said_to_be_so_in_a_sentence_of_its_own(results):
    text = "capframe: 1\ntitle: T\ndate: 2026-11-29\nworkloads: {w: {pool: a, model: {parameters: 7B}, tokens: 1T}}\n"
    text += "pools: {a: {accelerator: nvidia/h100-sxm5-80gb, count: 64}}\n"
    about = "Each figure stands first in words"
    assert f"\n{about}" in text_of(results(text))
    assert f"\nThese are the figures of base. {about}" in text_of(
        results(f"{text}scenarios: {{more: {{pools.a.count: 72}}}}\n")
    )


def test_units_are_worded_as_a_leader_reads_them():
    words = Words("en", ["CNY"], lambda unit: {"card": "cards", "rack": "racks", "drive": "drives"}.get(unit, unit))
    assert words.units("1 cards, 2 card, 1.00 d") == "1 card, 2 cards, 1.00 days"
    assert words.units("8 card/server × 4.20×10²³ FLOP/parameter/token") == (
        "8 cards per server × 4.20×10²³ FLOP per parameter and token"
    )
    assert words.units("1 racks, 1 drives, 2 cages") == "1 rack, 1 drive, 2 cages"
    assert words.units("2.24 CNY/card/h, 3 kW/card") == "2.24 CNY per card-hour, 3 kW/card"


# ---------------------------------------------------------------- plugins


@pytest.fixture
def cooling(plugin_of):
    def lines(plan, p):
        for name in plan.pools:
            yield LineItem(p.pools[name].cooling.pumps, p.pools[name].cards / 8, "card", label="Pumps | <odd>")
        yield LineItem(p.cooling.flow, p.power.facility * 2, "kW", label="Heat to carry", headline=True)

    return plugin_of(line_items=lines)


@BOTH
def test_the_lines_of_a_third_party_plugin_are_shown(plan, cooling):
    results = evaluated(plan, extra={"cooling": cooling})
    text = text_of(results)
    assert "Heat to carry" in main_text(text)
    assert results.with_unit("cooling.flow") in main_text(text)
    assert "### cooling" in text
    assert "Pumps \\| &lt;odd>" in text


EMPTY = re.compile(r"\(\)|[:,;] ?\.|\*\*\*\*|\n## [^\n]*\n\n## |None")
"""Sentences and sections without anything in them."""


@pytest.mark.parametrize("off", sorted(Host().plugins.keys() - {"brief", "nvidia", "cluster"}))
def test_it_works_without_any_other_plugin(off):
    results = evaluated(MOZI, off=[off])
    text = text_of(results)
    assert "1,000 cards of A100 SXM4 80GB in 125 servers" in text
    assert EMPTY.search(text) is None
    for line in results.ledger.left_out:
        assert line.partition(":")[0] in text
    for key in results.ledger.lines:
        assert stands_in(text, results, key), key
    assert ("**Switched off.**" in text) == bool(results.ledger.left_out or results.plan.left_out)


def test_it_works_without_cards():
    text = text_of(evaluated(MOZI, off=["cluster"]))
    assert "**No figure of this plan can be asked for yet.**" in text
    assert "- workloads: no plugin that is on reads this part of the plan" in text
    assert EMPTY.search(text) is None


def test_it_works_without_half_of_the_plugins():
    results = evaluated(MOZI, off=["compute", "cost", "power", "memory"])
    text = text_of(results)
    assert text.startswith("# Mozi cluster, 70B pre-training\n")
    assert "**We ask for 1,000 cards of A100 SXM4 80GB in 125 servers (and 2 spares).**" in text
    assert "Not in these figures: compute, memory, power, and money." in text
    assert EMPTY.search(text) is None


def test_a_plan_of_next_to_nothing_has_a_brief(results):
    text = text_of(results(""))
    assert text.startswith("# A test\n")
    assert "No figure of this plan can be asked for yet." in text


def test_several_pools_and_workloads_are_told_apart(crowded):
    text = text_of(crowded)
    # in repair are 8 × 2 %/y × 7 d = 0.003, none in 99.7 % of cases, and 64 × … = 0.025, none in 97.6 %
    assert (
        "8 cards of H100 SXM5 80GB in 1 server for pool a, "
        "64 cards of A100 SXM4 80GB in 8 servers (and 1 spare) for pool b" in text
    )
    assert "Training compute (small) = " in text
    assert "Servers bought (b) = " in text
    assert "**rich** differs from base in: Budget for purchases without VAT (Cost)" in text
    assert "**same** is the same as base." in text
    assert "**same** asks for the same as base." in text
    assert {row[0] for row in rows(section(text, "Bill of materials"))[1:]} == {"base, rich, and same"}


def test_a_goodput_of_all_the_time_leaves_no_rest(template, mozi):
    assert "nothing is set aside for failures, restarts and checkpoints." in text_of(template)
    assert "as steps that are kept (computed); the rest goes to failures" in text_of(mozi)


def test_each_workload_has_the_goodput_of_its_own_cards(results):
    """Cards are shared by need: without a deadline for each of a pool no share is known, and no goodput."""
    assert "**Failures.**" not in text_of(results(CROWDED))
    text = text_of(results(CROWDED.replace("    tokens: 1T\n    mfu", "    deadline: 20 d\n    tokens: 1T\n    mfu")))
    shown = re.findall(r"counts ([\d.]+%) of the time of (\w+) as steps that are kept \(computed\)", text)
    assert {name for _, name in shown} == {"small", "large"}
    assert len({goodput for goodput, _ in shown}) == 2


# ---------------------------------------------------------------- money, items, time, corrections

QUOTED = """currency: CNY
workloads:
  pretrain: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%, deadline: 60 d}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 1000, failures: {spares: 0}}
cost: {tariff: 0.65 CNY/kWh, contingency: 10%}
prices:
  - {part: nvidia/a100-sxm4-80gb, price: 75000 CNY, vat: excluded, per: card, date: 2026-10-15, source: quotation}
"""


def test_what_speaks_against_signing_comes_first(results):
    text = text_of(results(QUOTED + "power: {site_limit: 0.5 MW}\n"))
    assert 0 < text.index("**Do not sign yet.") < text.index("the site can feed") < text.index("**We ask for")


def test_a_scenario_that_asks_for_the_same_says_only_what_differs(results):
    text = text_of(results(f"{QUOTED}scenarios: {{dear: {{cost.tariff: 0.9 CNY/kWh}}}}\n"))
    line = next(line for line in text.splitlines() if line.startswith("- **dear**"))
    assert line.startswith("- **dear** asks for the same as base. Cost per year")
    assert "pretrain takes" not in line


def test_an_error_of_a_scenario_does_not_speak_against_signing_base(results):
    text = text_of(
        results(
            f"{QUOTED}power: {{site_limit: 5 MW}}\nscenarios: {{tight: {{power.site_limit: 0.5 MW}}, same: {{}}}}\n"
        )
    )
    first = text.partition("\n## ")[0]
    assert "Do not sign yet" not in first
    other = first.index("**These checks fail in scenarios other than base; choose none of those as it is:**")
    assert first.index("**We ask for") < first.index("For comparison:") < other < first.index("the site can feed")
    assert "the site can feed 0.50 MW** (tight)" in first


@pytest.mark.parametrize(
    ("language", "said"),
    [
        # 1,000 cards × 75,000 CNY × 1.1 = 82,500,000 CNY = 82.50 million = 8,250 万; storage is still to be quoted
        ("en", "≥ 82.50 M CNY (purchases with contingency, without VAT, as far as priced)"),
        ("zh-CN", "采购总额(不含税, 含预备费, 已有单价部分) ≥ 8,250.00 万元"),
    ],
)
def test_money_is_said_as_people_say_it(results, language, said):
    assert said in text_of(results(f"language: {language}\n{QUOTED}"))


@pytest.mark.parametrize(
    ("amount", "en", "zh"),
    [
        (999_999.99, "999,999.99", "999,999.99"),
        (1_000_000, "1.00 M", "100.00 万"),
        (82_500_000, "82.50 M", "8,250.00 万"),
        (31_680_000_000, "31,680.00 M", "316.80 亿"),  # 31.68 × 10⁹ / 10⁸
    ],
)
def test_large_amounts(amount, en, zh):
    assert (large(amount, "en"), large(amount, "zh-CN")) == (en, zh)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ("", "No budget is given."),
        ("90000000 CNY", "The budget of 90.00 M CNY holds for what is priced; items to be quoted: 5."),
        ("80000000 CNY", "**The budget of 80.00 M CNY does not hold.**"),
    ],
)
def test_the_answer_says_the_reserve_and_whether_the_budget_holds(results, budget, said):
    text = QUOTED.replace("contingency: 10%", f"contingency: 10%, budget: {budget}") if budget else QUOTED
    answer = text_of(results(text)).partition("\n## ")[0]
    assert said in answer
    assert re.search(r"It needs [\d.,]+ cards for that, [\d,]+ cards with the reserve of 1\.50\.", answer)


def test_a_replaced_line_is_called_by_its_own_name(results, plugin_of):
    def rent(p):
        yield LineItem(p.cost.per_year, p.cost.capex * 2 / p.cost.service_life, "CNY/y", label="Rent", replaces=True)

    text = text_of(results(QUOTED, extra={"rent": plugin_of(line_items=rent)}))
    assert "Rent: 33.00 M CNY a year; cost per used card-hour" in text  # 82.5 M × 2 / 5
    assert "Depreciation and energy" not in text


def test_every_item_stands_in_the_bill(mozi):
    found = rows(section(text_of(mozi), "Bill of materials"))
    bill = {row[0]: row for row in found[1:]}
    items = [line for line in mozi.ledger.lines.values() if line.part]
    assert len(items) == 8  # cards, spares, switches, NICs, two kinds of optic, cables, storage systems
    for line in items:
        assert (Reader(mozi).named(line.key) in bill) == (mozi.value(line.key) > 0)  # no copper cables are bought
    assert bill["Cards bought (main)"][1:5] == [
        "A100 SXM4 80GB", "1,000 cards", "75,000.00 CNY per card", "75,000,000.00"
    ]  # fmt: skip
    assert bill["Cards bought (main)"][-1] == "quotation, 2026-10-15, vat excluded"
    # 1,000 × 2 %/y × 7 d / 365 d = 0.38 in repair: P(X ≤ 1) = 94.3 %, P(X ≤ 2) = 99.3 %, so 2 spares for 99 %
    assert bill["Spare cards (main)"][2:5] == ["2 cards", "75,000.00 CNY per card", "150,000.00"]
    assert bill["Switches (main)"][3:5] == ["n/a", "n/a"]
    assert bill["Switches (main)"][-1].startswith("to be quoted")
    assert bill["Accelerators, and other equipment as far as priced"][1] == "items to be quoted: 5"
    assert bill["Accelerators, and other equipment as far as priced"][4] == "≥ 75,150,000.00"


def of_their_own(p):
    """Yield what a plugin adds to a pool: shelves without a price, and spare cards of the pool's own kind."""
    main, systems, sort = p.pools.main, p.storage.systems.used, "Extra"
    yield Item(main.shelves, systems, "system", label="Shelves", part=p.storage.system, sort=sort)
    yield Item(main.kept, round_up(main.cards * 0.02), "card", label="Cards kept", part=main.accelerator, sort=sort)
    yield Item(main.none, systems - systems, "system", label="None of these", part=p.storage.system, sort=sort)


def test_an_item_of_a_plugin_has_a_price_of_its_own_or_none(results, plugin_of):
    """An item beside the cards of a pool must not borrow their price, their sum or their power."""
    done = results(QUOTED + "storage: {systems: 3}\n", extra={"extra": plugin_of(items=of_their_own)})
    bill = {row[0]: row for row in rows(section(text_of(done), "Bill of materials"))[1:]}
    assert bill["Shelves (main)"][2:5] == ["3 systems", "n/a", "n/a"]
    # 20 cards at the price that the plan gives for their part: 20 × 75,000
    assert bill["Cards kept (main)"][2:5] == ["20 cards", "75,000.00 CNY per card", "1,500,000.00"]
    assert "None of these (main)" not in bill
    # (1,000 + 20) × 75,000
    assert done.value("cost.priced") == done.value("cost.equipment") == 76_500_000
    # switches, NICs and two kinds of optic, storage systems, and the shelves; what is not bought needs no quotation
    assert done.value("cost.to_be_quoted") == 6
    assert bill["Accelerators, and other equipment as far as priced"][1] == "items to be quoted: 6"


@pytest.mark.parametrize(("role", "adds"), [("it", 6), ("host", 0), ("spare", 0), ("facility", 0)])
def test_the_power_of_an_item_counts_where_its_role_says_so(results, plugin_of, role, adds):
    """3 shelves of 2,000 W are 6 kW of IT load; a server's overhead and the PUE hold what is theirs."""

    def shelves(p):
        count, sort = p.storage.systems.used, "Extra"
        yield Item(p.pools.main.shelves, count, "system", label="Shelves", part=p.storage.system, sort=sort, role=role)

    text = QUOTED + "storage: {system: ddn/ai400x2, systems: 3}\n"
    without, there = results(text), results(text, extra={"extra": plugin_of(items=shelves)})
    assert there.value("power.it") - without.value("power.it") == pytest.approx(adds, rel=1e-9)


def test_the_bill_sums_what_is_priced_where_cards_are_not(crowded):
    bill = {row[1]: row for row in rows(section(text_of(crowded), "Bill of materials"))[1:]}
    # (64 cards + 1 spare) × 75,000: 0.02 are in repair, none in 97.6 % of cases; the H100 have no rate
    assert bill["Sum of what is priced"][5] == "≥ 4,875,000.00"


def test_money_over_time_stands_by_period(results):
    text = text_of(results(QUOTED + "timeline: {start: 2027-01, period: year, periods: 6}\n"))
    found = rows(section(text, "Money over time"))
    assert [row[0] for row in found[1:]] == ["2027", "2028", "2029", "2030", "2031", "2032"]
    # 82.5 M less 5 % over 5 years: 15.675 M a year; 82.5 − 5 × 15.675 = 4.125 is left
    assert [row[2] for row in found[1:]] == ["15,675,000.00"] * 5 + ["0.00"]
    assert found[1][3] == "66,825,000.00"
    assert found[-1][3] == "4,125,000.00"
    assert "Net present cost: " in section(text, "Money over time")


def test_many_periods_are_summed_by_year(results):
    """A year of quarters pays what the year pays, and ends with the same book value; the ledger has the sums."""
    done = results(QUOTED + "timeline: {start: 2027-01, period: quarter, periods: 16}\n")
    found = rows(section(text_of(done), "Money over time"))
    assert [row[0] for row in found[1:]] == ["2027", "2028", "2029", "2030"]
    assert found[1][2:] == ["15,675,000.00", "66,825,000.00"]
    keys = ("cash.paid", "cash.depreciation", "cash.book_value")
    assert [row[1:] for row in found[1:]] == [
        [done.figure(f"{key}.year_{row[0]}") for key in keys] for row in found[1:]
    ]


def test_years_and_their_periods_stand_in_tables_of_their_own(results):
    """Whoever sums a column counts nothing twice."""
    below = section(
        text_of(results(QUOTED + "timeline: {start: 2027-07, period: quarter, periods: 4}\n")), "Money over time"
    )
    years, _, periods = below.partition("**Period by period**")
    assert "**Year by year**" in years
    # 15.675 M a year is 3.91875 M a quarter; 82.5 M less two, then four of them is left
    assert [[row[0], *row[2:]] for row in rows(years)[1:]] == [
        ["2027", "7,837,500.00", "74,662,500.00"],
        ["2028", "7,837,500.00", "66,825,000.00"],
    ]
    assert [[row[0], row[2]] for row in rows(periods)[1:]] == [
        ["2027Q3", "3,918,750.00"], ["2027Q4", "3,918,750.00"],
        ["2028Q1", "3,918,750.00"], ["2028Q2", "3,918,750.00"],
    ]  # fmt: skip


def test_ranges_of_what_is_asked_for_come_first_then_days_then_the_cost_of_a_year(template):
    found = {row[0]: row[-1] for row in rows(section(text_of(template), "What could make it more"))[1:]}
    assert len(found) == 8
    # price: (40,000 − 25,000) / 32,500 = 46 %; FLOP: (8 − 6) / 6 = 33 %; PUE: (1.5 − 1.1) / 1.25 = 32 %
    assert list(found)[:3] == ["Price (USD)", "FLOP per parameter and token", "PUE"]
    assert found["Price (USD)"] == "purchases"
    assert found["FLOP per parameter and token"] == "cards, purchases, facility load"  # cards are `auto`
    # 3 years instead of 5 move the cost of a year by more than a third, and nothing that is asked for
    assert list(found)[-2:] == ["Service life", "Share of card-hours that are used"]
    assert found["Service life"] == "cost per year, cost per card-hour"


def test_ranges_of_a_given_number_of_cards_move_days(mozi):
    found = {row[0]: row[-1] for row in rows(section(text_of(mozi), "What could make it more"))[1:]}
    assert len(found) == 8
    assert list(found)[:1] == ["IT load over the cards' power"]
    assert found["Contingency on purchases"] == "purchases"
    assert found["Model FLOP utilisation (MFU)"] == "days, cards needed"
    assert found["Reserve on the cards needed"] == "cards needed"
    assert list(found).index("Contingency on purchases") < list(found).index("Model FLOP utilisation (MFU)")
    assert "Chance that spares are enough" not in found  # a spare more or less is under 1 % of the purchases


@pytest.mark.parametrize(
    ("delivered", "shown"),
    [
        ("[50%, 50%, 0%, 0%]", "50.0%, 50.0%, then 0.0%"),
        ("[10%, 20%, 30%, 40%]", "10.0%, 20.0%, 30.0%, then 40.0%"),
        ("25%", "25.0%"),
    ],
)
def test_an_input_by_period_is_signed_as_a_list(results, delivered, shown):
    plan = f"{QUOTED}timeline: {{start: 2027-01, period: quarter, periods: 4}}\ncash: {{delivered: {delivered}}}\n"
    signed = rows(section(text_of(results(plan)), "Assumptions to sign"))
    assert {row[2] for row in signed if row[0] == "Share of the purchase delivered"} == {shown}


def test_one_place_of_the_plan_is_signed_once(results):
    plan = f"{QUOTED}timeline: {{start: 2027-01, period: quarter, periods: 4}}\n"
    signed = rows(section(text_of(results(plan)), "Assumptions to sign"))
    assert [row[2] for row in signed if row[0].startswith("Length of a period")] == ["0.25 years"]


@pytest.mark.parametrize(
    ("language", "label", "about"),
    [("en", "Cards asked for", "auto: the fewest whole servers"), ("zh-CN", "需求卡数", "自动: 含储备满足")],
)
def test_what_auto_means_is_said_only_of_what_is_auto(results, language, label, about):
    for count, says in (("1000", False), ("auto", True)):
        done = results(f"language: {language}\n{QUOTED.replace('count: 1000', f'count: {count}')}")
        title = {"en": "Assumptions to sign", "zh-CN": "测算口径与签字"}[language]
        (row,) = [row for row in rows(section(text_of(done), title)) if row[0] == label]
        assert any(cell.startswith(about) for cell in row) == says


def test_two_goodputs_are_told_apart(mozi, template):
    # mozi: 98.4 % with the 1,000 cards that are there, 98.8 % with the 657 that the deadline needs
    assert "“Goodput” in the days above is that of the cards which are there, “Goodput, closed” that of" in text_of(
        mozi
    )
    assert "“Goodput, closed”" not in text_of(template)  # both are given: 100 %


def test_the_bill_says_where_the_servers_are(mozi):
    assert "Cards come in servers, and no row of this bill is a server:" in section(text_of(mozi), "Bill of materials")


@pytest.mark.parametrize(("language", "amounts", "price"), [("en", "CNY", "CNY per card"), ("zh-CN", "元", "元/卡")])
def test_money_is_named_alike_everywhere(results, language, amounts, price):
    text = text_of(results(f"language: {language}\n{QUOTED}"))
    assert f"75,000.00 {price}" in text
    assert re.search(rf"(Sum|合计), {amounts} ", text)
    assert language == "en" or not re.search(r"[\d万亿] CNY|CNY/", text)


def test_corrected_facts_are_named(results, tmp_path):
    (tmp_path / "ours.yaml").write_text(
        "catalog: 1\nkind: accelerator\nas_of: 2026-11-20\noverlay: true\nsources: {lab: {title: Our laboratory}}\n"
        "records:\n  - id: nvidia/a100-sxm4-80gb\n    origin: {source: lab, confidence: measured}\n"
        "    facts: {tdp: 380 W/card}\n",
        encoding="utf-8",
    )
    below = section(text_of(results("catalogs: [ours.yaml]\n" + QUOTED)), "Assumptions to sign")
    assert (
        "**Corrected.** Thermal design power of A100 SXM4 80GB: 380.00 W per card instead of 400.00 W per card" in below
    )
    assert "ours.yaml; Our laboratory" in below


# ---------------------------------------------------------------- templates


def rendered(templates: dict[str, str], **values: object) -> str:
    return render("brief.md.j2", values, templates.__getitem__)


def test_a_misspelt_variable_names_template_line_and_variable(mozi):
    def read(name: str) -> str:
        return packaged(name).replace("{{ risk }}", "{{ risc }}")

    line = 1 + packaged("sections/more.md.j2").partition("{{ risk }}")[0].count("\n")
    with pytest.raises(CapframeError, match=rf"template sections/more\.md\.j2, line {line}: 'risc' is undefined"):
        render("brief.md.j2", contents(mozi), read)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("a\n\n{{ total.sum }}", "line 3: .*has no attribute 'sum'"),
        ("a\n{{ toal|length }}", "line 2: 'toal' is undefined"),
        ("a\n{% if %}", "line 2: Expected an expression"),
        ("a\n{{ 'x'.__class__ }}", "line 2: .*unsafe"),
        ("{{ range(9999999) }}", "line 1: 'range' is undefined"),
        ("{{ 'a' * 100000000 }}", "line 1: a template computes nothing"),
        ("a\n{{ 1 + total.x }}", "line 2: a template computes nothing"),
        ("a\n{{ say('asc', things='x') }}", "line 2: there is no sentence 'asc'"),
        ("a\n{{ say('ask') }}", "line 2: 'things'"),
        ("{{ rows.append(3) }}", "line 1: .*unsafe"),
        ("{% include 'none.md.j2' %}", "line 1: there is no template 'none.md.j2'"),
        ("{{ 'a'|center(3000000)|replace(' ', 'b') }}", "the document is longer than"),
    ],
)
def test_a_template_that_goes_wrong_names_its_place(template, message):
    with pytest.raises(CapframeError, match=rf"template brief\.md\.j2(, |: ){message}"):
        rendered({"brief.md.j2": template}, total={"x": 1}, rows=[1], say=Words("en", (), str))


def test_text_in_templates_is_escaped_unless_it_is_markdown():
    text = rendered({"brief.md.j2": "{{ a }} {{ b }}"}, a="x | <y>", b=Markdown("**z**"))
    assert text == "x \\| &lt;y> **z**\n"


def test_the_exporter_writes_what_is_rendered(mozi, tmp_path):
    (exporter,) = brief.capframe_exporters()
    assert (exporter.name, exporter.suffix) == ("brief", ".md")
    exporter.write(mozi, tmp_path / "x.md")
    assert (tmp_path / "x.md").read_text(encoding="utf-8") == text_of(mozi)


def test_the_first_page_says_what_could_move_it_most(template, root):
    """The first three rows of the ranges that move what is asked for, with how far each may go."""
    answer = plain(text_of(template).partition("\n## ")[0])
    said = (
        "Price (USD) (H100 SXM5 80GB) from 25,000.00 to 40,000.00; FLOP per parameter and token (Compute) from 6.00 to"
    )
    assert f"What could move this most: {said} 8.00; PUE (Power) from 1.10 to 1.50." in answer
    chinese = load(root / "examples" / "domestic-160k.yaml", host=Host()).ledger().evaluate()
    assert "对上述数额影响最大的输入: IT 负载系数(相对加速卡功耗) (电力) 1.40 至 1.82" in plain(text_of(chinese))


def first_page(text: str) -> str:
    return plain(text.partition("\n## ")[0])


def test_the_first_page_asks_for_what_the_bill_buys(mozi):
    """The spares stand beside the cards, and a sum that lacks items is the least it comes to, here as in the bill."""
    text = text_of(mozi)
    assert "1,000 cards of A100 SXM4 80GB in 125 servers (and 2 spares), ≥ 82.67 M CNY" in first_page(text)
    bill = {row[0]: row for row in rows(section(text, "Bill of materials"))[1:]}
    assert bill["Spare cards (main)"][2] == "2 cards"
    assert bill[mozi.ledger.label("cost.capex")][4] == "≥ 82,665,000.00"  # 1,002 × 75,000 × 1.1


def test_the_first_page_names_what_is_to_be_quoted(mozi, template):
    named = (
        "Optical modules of switches, Switches, Storage systems, Network cards, and Optical modules of network cards"
    )
    said = "5 items are still to be quoted; what is priced comes to 75.15 M CNY; to be quoted are"
    assert f"{said} {named}" in first_page(text_of(mozi))
    # in domestic neither the cards nor their spares have a price: 7 items, of which five are named; nothing is priced
    seven = "Cards bought, Optical modules of switches, Switches, Storage systems, Network cards, and others"
    page = first_page(text_of(template))
    assert f"7 items are still to be quoted; to be quoted are {seven} (domestic)" in page
    assert (
        "items whose power is not known: 1; the load lacks them; not known is that of Cards bought (domestic)" in page
    )


def test_with_every_price_there_is_nothing_to_be_quoted():
    done = evaluated(MOZI, off=("network", "storage"))
    assert done.value("cost.to_be_quoted") == 0
    page = first_page(text_of(done))
    assert "≥" not in page
    assert "to be quoted" not in page


def test_the_load_is_the_least_where_the_power_of_an_item_is_not_known(root):
    results = load(root / "examples" / "domestic-160k.yaml", host=Host()).ledger().evaluate()
    assert results.value("power.not_disclosed") == 1
    page = first_page(text_of(results))
    assert "园区负载(峰值) ≥ 120,009.60 kW" in page
    assert "1 项设备功耗未知, 负载中缺少该部分: 交换机 (" in page


@pytest.mark.parametrize(
    ("language", "label", "said"),
    [
        ("en", "Facility load, peak", "facility load, peak"),
        ("en", "IT load", "IT load"),
        ("zh-CN", "Facility load, peak", "Facility load, peak"),  # a plugin's label in English alone is quoted
    ],
)
def test_labels_within_a_sentence(language, label, said):
    assert Words(language, [], str).within(label) == said


def test_no_space_follows_a_chinese_full_stop(root):
    chinese = load(root / "examples" / "domestic-160k.yaml", host=Host()).ledger().evaluate()
    assert "。 " not in text_of(chinese)
