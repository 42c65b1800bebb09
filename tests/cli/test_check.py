from __future__ import annotations

import pytest

NOTHING_TO_QUOTE = ("--no-plugin", "network", "--no-plugin", "storage")
SHORT = "short:\n  error    workloads.pretrain.compute.in_time: pretrain takes "


def test_a_good_plan_is_0_and_says_what_is_not_known_yet(run, plan, without_counts):
    ran = run("check", plan(), "--scenario", "base")
    assert (ran.status, ran.err) == (0, "")
    heading, unpriced, summary = without_counts(ran.out).splitlines()
    assert heading == "base:"
    # (256 cards + 1 spare) × 75,000 = 19,275,000: 0.1 are in repair, and 1 is enough in 99.5 % of cases
    assert unpriced == (
        "  warning  cost.all_priced: 5 items are still to be quoted; what is priced comes to 19,275,000.00 CNY"
    )
    assert summary == "small.yaml: # lines; checks of base: 0 errors, 1 warning, 0 notes, # n/a, # pass"


def test_the_example_is_good(run, example):
    ran = run("check", example)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-1].startswith("mozi-70b.yaml: ")


def test_a_failing_error_counts_in_base_and_in_the_scenario_asked_for(run, plan):
    path = plan()
    ran = run("check", path)
    assert ran.status == 0
    assert SHORT in ran.out
    ran = run("check", path, "--scenario", "short")
    assert ran.status == 1
    assert SHORT in ran.out
    assert "checks of base and 1 scenario: 1 error, " in ran.out
    ran = run("check", path, "--scenario", "domestic")
    assert ran.status == 0
    assert "short" not in ran.out
    ran = run("check", path, "--scenario", "base")
    assert ran.status == 0
    assert "checks of base: 0 errors" in ran.out
    assert run("check", path, "--set", "workloads.pretrain.deadline=5 d").status == 1


def test_a_warning_is_printed_and_is_no_failure(run, plan):
    ran = run("check", plan(), "--set", "workloads.pretrain.reserve=1.2", "--scenario", "base")
    assert ran.status == 0
    assert (
        "  warning  workloads.pretrain.compute.reserve_is_enough: "
        "the reserve of pretrain is 1.20; below 1.50 a rerun breaks the date\n"
    ) in ran.out


def test_the_language_of_the_sentences(run, plan):
    path = plan(("date: 2026-11-29", "date: 2026-11-29\nlanguage: zh-CN"))
    assert "pretrain 需要 " in run("check", path).out
    assert "pretrain takes " in run("check", path, "--language", "en").out
    assert "pretrain 需要 " in run("check", plan(), "--language", "zh-CN").out


def test_what_a_plugin_takes_with_it_is_listed(run, plan, example):
    ran = run("check", example, "--no-plugin", "power")
    assert ran.status == 0
    _, _, listed = ran.out.partition("left out, because a plugin is off:\n")
    assert "  cost.energy: reads power.energy_per_year, and plugin 'power' is off\n" in listed
    assert "  cost.per_year: reads cost.energy, which is left out\n" in listed
    path = plan(("power:", "liquid: {flow: 3}\npower:"))
    assert run("check", path).status == 2
    ran = run("check", path, "--no-plugin", "brief")
    assert ran.status == 0
    assert "  liquid: no active plugin reads it\n" in ran.out


def test_plugins_may_be_switched_off_by_the_environment(run, example, monkeypatch):
    monkeypatch.setenv("CAPFRAME_NO_PLUGINS", "power")
    assert "plugin 'power' is off" in run("check", example).out


QUIET = """\
catalog: 1
kind: storage_system
as_of: 2026-11-01
sources: {x: {title: A datasheet}}
records:
  - {id: ours/quiet, name: Quiet, origin: {source: x, confidence: press}, facts: {capacity: 700 TB/system}}
"""
SIZED = """\
capframe: 1
title: x
date: 2026-11-29
language: LANGUAGE
catalogs: [quiet.yaml]
storage: {system: ours/quiet}
workloads:
  w: {pool: main, model: {parameters: 13B}, tokens: 2T, deadline: 60 d, precision: bf16}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb}
"""


@pytest.mark.parametrize(
    ("language", "words", "reason"),
    [
        ("en", [], "the reason: Write bandwidth of Quiet not disclosed"),
        ("en", ["workloads.w.deadline="], "the reason: Deadline (w) not given"),
        ("en", ["workloads.w.precision=fp8"], "the reason: Dense peak (fp8) of A100 SXM4 80GB not disclosed"),
        ("zh-CN", [], "原因: Quiet的写带宽未公开"),
    ],
)
def test_where_there_is_no_answer_the_figure_that_is_lacking_is_named(run, tmp_path, language, words, reason):
    (tmp_path / "quiet.yaml").write_text(QUIET, encoding="utf-8")
    path = tmp_path / "sized.yaml"
    path.write_text(SIZED.replace("LANGUAGE", language), encoding="utf-8")
    ran = run("check", path, *(part for word in words for part in ("--set", word)))
    [said] = [line for line in ran.out.splitlines() if "has_an_answer" in line]
    assert said.endswith(reason)


def test_v_shows_what_passes_and_what_cannot_be_told(run, plan):
    ran = run("check", plan(), "-v", "--scenario", "short")
    assert "  n/a      cost.in_budget: Budget for purchases without VAT not given\n" in ran.out
    assert "  pass     workloads.pretrain.compute.precision\n" in ran.out
    assert ".below" not in ran.out  # bounds refuse a plan; they never fail here
    short = ran.out.partition("short:\n")[2].splitlines()
    severities = [line.split()[0] for line in short]
    assert severities.count("error") == 1


def test_q_leaves_nothing_but_what_fails(run, plan):
    assert run("check", plan(), "-q", *NOTHING_TO_QUOTE, "--scenario", "base").out == ""
    ran = run("check", plan(), "-q", *NOTHING_TO_QUOTE, "--scenario", "short")
    assert ran.out.startswith(SHORT)
    assert [line.split()[0] for line in ran.out.splitlines()[1:]] == ["error", "warning"]


SHARED = """\
capframe: 1
title: Two in one pool
date: 2026-11-29
workloads:
  big: {pool: main, model: {parameters: 7B}, tokens: 1T, mfu: 40%, deadline: 30 d}
  small: {pool: main, model: {parameters: 1B}, tokens: 100B, mfu: 40%}
pools:
  main: {accelerator: nvidia/a100-sxm4-80gb, count: 256}
"""
LACKS = {  # what is given besides, and which checks say what is lacking
    "small has no deadline": ([], {"small.compute.can_share", "small.compute.has_an_answer"}),
    "small has cards of its own": (["workloads.small.cards=8"], set()),  # 248 are left to big
    "both have cards": (["workloads.small.cards=8", "workloads.big.cards=248"], set()),
    "neither has a deadline": (["workloads.big.deadline="], {"small.compute.can_share", "big.compute.can_share"}),
    "both have a deadline": (["workloads.small.deadline=30 d"], set()),
}


@pytest.mark.parametrize("name", LACKS)
def test_of_two_in_one_pool_the_one_that_lacks_something_is_named(run, tmp_path, name):
    """Shares of a pool go by need: where the need of one is unknown, so are the days of the other."""
    overrides, wanted = LACKS[name]
    path = tmp_path / "shared.yaml"
    path.write_text(SHARED, encoding="utf-8")
    ran = run("check", path, *(word for one in overrides for word in ("--set", one)))
    said = {key for line in ran.out.splitlines() for key in line.split() if key.startswith("workloads.")}
    told = {key.removeprefix("workloads.").rstrip(":") for key in said if "can_share" in key or "has_an_answer" in key}
    assert told == wanted
    if "small.compute.can_share" in wanted:
        assert (
            "the need of small is not known, so its pool cannot be shared out to big: give small a deadline, "
            "and a precision whose peak is disclosed, or give each of the others its `cards`"
        ) in ran.out


OFFERS = """\
catalog: 1
kind: offer
as_of: 2026-11-20
sources: {q: {title: Quotation 17}}
records:
"""


def offers_file(folder, part, count):
    text = OFFERS
    for number in range(1, count + 1):
        origin = "origin: {source: q, confidence: estimate}"
        facts = f"facts: {{sort: purchase, part: {part}, per: card, price: {{CNY: {number} CNY}}}}"
        text += f"  - {{id: offer/o{number}, {origin}, {facts}}}\n"
    path = folder / "our-offers.yaml"
    path.write_text(text, encoding="utf-8")
    return path


WHY = "it does not say whether VAT is in the price"


def test_offers_of_what_is_bought_that_are_passed_over_are_told(run, plan, tmp_path):
    """By another name of the part too, in any scenario; not those of parts that nobody buys."""
    small, heading = plan(), "not taken, of what catalogues tell of parts that are bought:"

    def told(part, count, *more):
        return run("check", small, "--catalog", offers_file(tmp_path, part, count), *more).out.splitlines()

    said = told("A100 SXM4 80GB", 2)
    at = said.index(heading)
    assert said[at + 1 : at + 3] == [f"  nvidia/a100-sxm4-80gb: offer/o{number}: {WHY}" for number in (1, 2)]
    assert f"  huawei/ascend-910c-752: offer/o1: {WHY}" in told("huawei/ascend-910c-752", 1)
    many = told("A100 SXM4 80GB", 7)
    assert [line for line in many if WHY in line] == [
        f"  nvidia/a100-sxm4-80gb: offer/o{n}: {WHY}" for n in range(1, 6)
    ]
    assert "  and 2 more: capframe catalog check" in many
    assert heading not in told("nvidia/dgx-2", 2)
    assert told("A100 SXM4 80GB", 2, "-q", "--scenario", "base") == told("nvidia/dgx-2", 2, "-q", "--scenario", "base")
