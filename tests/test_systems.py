"""Worked examples of the field, each through a real plan; figures and arithmetic are in cases/systems.yaml."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from capframe import load
from capframe.errors import CapframeError, PlanError
from capframe.given import read_number
from capframe.testing import assert_same_formula, evaluate, plan_with
from capframe_plugins.clos import ring_all_reduce, ring_bytes
from capframe_plugins.restarting import share_of_time

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.[yt]*ml"))
ESTIMATORS = ("compute", "memory", "network", "storage", "power", "cost", "failures")
CASES = yaml.safe_load((Path(__file__).parent / "cases" / "systems.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_worked_example(case):
    plan = plan_with(case["plan"])
    results = evaluate(plan, case.get("pins"))
    for scenario, lines in case["expect"].items():
        for key, wanted in lines.items():
            value = read_number(str(wanted), results.ledger.unit(key), plan.units)
            assert results.value(key, scenario) == pytest.approx(value, rel=1e-9), f"{key} in {scenario}"


def root_all_reduce(size, ranks, bandwidth):
    """Return how long it takes through one central rank, which receives from all and then sends to all."""
    return 2 * ranks * size / bandwidth


def test_a_central_root_takes_minutes_where_a_ring_takes_seconds():
    # 32 cards with 1 GB each. Root: 2 × 32 × 1e9 B at 0.125 GB/s = 512 s, at 25 GB/s 2.56 s
    assert root_all_reduce(1e9, 32, 0.125e9) == 512
    assert root_all_reduce(1e9, 32, 25e9) == 2.56
    assert ring_all_reduce(1e9, 32, 0.125e9) == 15.5
    assert 32 * ring_bytes(1e9, 32) == 62e9


def test_goodput_by_numbers():
    # nothing to write and nothing to redo: 3,600 of 3,600 + 400 s
    assert share_of_time(0.0, 0.0000001, 3600.0, 400.0) == pytest.approx(0.9, rel=1e-6)


# ---------------------------------------------------------------- spares


def poisson_quantile(mean: float, level: float) -> int:
    """The smallest k with P(X ≤ k) ≥ level, by adding terms up: slow and plain."""
    k, term = 0, math.exp(-mean)
    reached = term
    while reached < level:
        k += 1
        term *= mean / k
        reached += term
    return k


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.999, 0.9999])
@pytest.mark.parametrize("mean", [1e-6, 0.0000999, 0.0001001, 0.001, 0.4, 1, 2.5, 7, 19.2, 61.4, 191.78, 340, 499])
def test_spares_are_the_poisson_quantile(mean, level):
    plan = plan_with(f"""
pools: {{main: {{accelerator: nvidia/h100-sxm5-80gb, count: 1000}}}}
failures: {{service_level: {level}}}
""")
    results = evaluate(plan, {"pools.main.failures.in_repair": mean})
    assert results.value("pools.main.failures.spares.used") == poisson_quantile(mean, level)
    assert [one.check.key for one in results.fails()] == []


def enough(k: int, mean: float) -> float:
    """P(X ≤ k), its terms added without rounding."""
    return math.fsum(math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in range(k + 1))


@pytest.fixture(scope="module")
def spares_for():
    """Spares and whether they are known to be right, of a mean and a service level: of a pool in repair so long."""
    plan = plan_with("pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 1000000}}\n")
    at, days = "pools.main.failures", "failures.repair"
    free = ["pools.main.count", "failures.accelerator_afr", days, "failures.service_level"]
    outputs = [f"{at}.mean", f"{at}.spares.computed", f"{at}.spares_bracketed"]
    compiled = plan.ledger().compile(outputs, free)

    def found(mean, level):
        cards = 1e6 if mean > 1 else 8
        afr = mean / cards * 365 / 7 * 100  # a week each: mean = cards × AFR × 7 / 365
        got = compiled(dict(zip(free, ([cards], [afr], [7], [level]), strict=True)))
        return [float(got[key][0]) for key in outputs]

    return found


@given(st.floats(math.log(1e-6), math.log(1e4)), st.floats(0.5, 0.9999))
@example(math.log(1e-6), 0.9999)  # the closed form says 2, and none are wanted
@example(math.log(1e-6), 0.5)
@example(math.log(499.9), 0.5)
@example(math.log(499.9), 0.9999)
@settings(max_examples=200, deadline=None)
def test_spares_of_any_mean_and_level(spares_for, log_mean, level):
    mean, spares, bracketed = spares_for(math.exp(log_mean), level)
    assert mean == pytest.approx(math.exp(log_mean))
    assert bracketed == 1
    off = 0 if mean <= 500 else 1  # above, the closed form may be a card off, of several hundred
    assert enough(int(spares) + off, mean) > level - 1e-9
    assert spares == 0 or enough(int(spares) - 1 - off, mean) < level + 1e-9


STEPS = [
    # Where the answer steps up to k + 1, P(X ≤ k) is the level; the closed form is m + z √m + (z² - 1) / 6 there.
    # level, k, mean m, answer less closed form before the step (k) or after it (k + 1)
    #
    # Of no card the level is e^-m: m = -ln 0.9999 = 0.000100005, z = 3.719016:
    # 0.000100 + 3.719016 × 0.01000025 + (13.831084 - 1) / 6 = 0.000100 + 0.037191 + 2.138514 = 2.175805
    (0.9999, 0, 0.00010000500033334739, -2.175805),
    # m = -ln 0.99 = 0.010050336, z = 2.326348: 0.010050 + 0.233221 + (5.411895 - 1) / 6 = 0.978587
    (0.99, 0, 0.010050335853501444, -0.978586),
    # m = -ln 0.5 = 0.693147, z = 0: 0.693147 - 1 / 6 = 0.526481
    (0.5, 0, 0.6931471805599453, -0.526481),
    # The median of a Poisson distribution steps up close to k + 2/3: 499.666706 - 1 / 6 = 499.500040, and 500 it is
    (0.5, 499, 499.6667061916905, 0.499960),
]  # fmt: skip


@pytest.mark.parametrize(("level", "k", "mean", "error"), STEPS)
def test_the_closed_form_of_spares_errs_most_at_these_steps(level, k, mean, error):
    plan = plan_with(f"""
pools: {{main: {{accelerator: nvidia/h100-sxm5-80gb, count: 1000}}}}
failures: {{service_level: {level}}}
""")
    assert enough(k, mean) == pytest.approx(level, abs=1e-9)  # of 500 terms, rounded
    at, answer = "pools.main.failures", k if error < 0 else k + 1
    beside = mean * (1 - 1e-9 if error < 0 else 1 + 1e-9)
    found = evaluate(plan, {f"{at}.in_repair": beside})
    assert found.value(f"{at}.spares.computed") == poisson_quantile(beside, level) == answer
    assert answer - found.value(f"{at}.guess") == pytest.approx(error, abs=2e-6)
    assert 0 <= answer - found.value(f"{at}.start") <= 3  # among the numbers that are counted


@pytest.mark.parametrize("level", [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999])
def test_the_closed_form_of_spares_errs_by_less_than_2_18_and_0_50_up_to_a_mean_of_500(level):
    # All steps up to a mean of 500, found by halving; between two of them only the closed form moves, upwards.
    k, n = np.arange(600)[:, None], np.arange(600)[None, :]
    factorial = np.cumsum(np.log(np.maximum(n, 1)), axis=1)
    low, high = np.full(k.shape, 1e-9), np.full(k.shape, 700.0)
    for _ in range(45):
        mean = (low + high) / 2
        chance = np.where(n <= k, np.exp(n * np.log(mean) - mean - factorial), 0).sum(axis=1, keepdims=True)
        low, high = np.where(chance > level, mean, low), np.where(chance > level, high, mean)
    z = NormalDist().inv_cdf(level)
    up_to = mean <= 500
    guess = (mean + z * np.sqrt(mean) + (z * z - 1) / 6)[up_to]
    assert up_to.sum() >= 499  # a step for each card, about
    assert (k[up_to] - guess).min() > -2.18
    assert (k[up_to] + 1 - guess).max() < 0.50


def test_no_failures_need_no_spares():
    plan = plan_with("""
pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 1000}}
failures: {service_level: 99.99%}
""")
    assert evaluate(plan, {"pools.main.failures.in_repair": 0}).value("pools.main.failures.spares.used") == 0


# ---------------------------------------------------------------- cards and goodput

LOOP = """
workloads:
  job:
    pool: main
    model: {{parameters: 1T}}
    tokens: {tokens}
    deadline: 60 d
    reserve: 1
    mfu: 35%
pools: {{main: {{accelerator: huawei/ascend-910c-752, count: auto}}}}
storage: {{write_bandwidth: {bandwidth}}}
failures: {{all_cause_rate: 17.3 %/y, restart: 5 min}}
"""


def goodput_of(cards: float, write: float) -> float:
    mtbf = 365 * 86_400 / (cards * 0.173)
    interval = math.sqrt(2 * write * mtbf)
    return (1 - write / (interval + write)) * mtbf / (mtbf + interval / 2 + 300)


@pytest.mark.parametrize("tokens", ["2T", "10T", "20T", "30T"])
def test_the_cards_needed_and_the_goodput_on_them_agree(tokens):
    results = evaluate(plan_with(LOOP.format(tokens=tokens, bandwidth="260 GB/s")))
    write = 14e12 / 260e9
    # the truth, by plain substitution until nothing moves
    running = 6 * 1e12 * float(tokens[:-1]) * 1e12 / (707.8e12 * 0.35) / (60 * 86_400)
    cards = running
    for _ in range(500):
        cards = running / goodput_of(cards, write)
    assert results.value("workloads.job.compute.cards_needed") == pytest.approx(cards, rel=1e-6)
    # what is bought: that many, rounded up once to servers of 8
    assert results.value("pools.main.servers") == math.ceil(results.value("workloads.job.compute.cards_needed") / 8)
    assert "workloads.job.failures.closed.rests" not in [one.check.key for one in results.fails()]


def test_cards_that_fail_faster_than_they_finish_are_an_error():
    # a checkpoint takes 14e12 B ÷ 10 GB/s = 23 min, which so many cards hardly ever survive: no number is enough
    results = evaluate(plan_with(LOOP.format(tokens="30T", bandwidth="10 GB/s")))
    [status] = [one for one in results.fails() if one.check.key == "workloads.job.failures.closed.rests"]
    assert "do not settle" in status.message


def test_a_given_goodput_needs_no_loop():
    plan = plan_with(LOOP.format(tokens="30T", bandwidth="10 GB/s"), overrides=["workloads.job.goodput=50%"])
    results = evaluate(plan)
    running = results.value("workloads.job.compute.cards_while_running")
    assert results.value("workloads.job.compute.cards_needed") == pytest.approx(2 * running, rel=1e-12)
    assert "workloads.job.failures.closed.rests" not in [one.check.key for one in results.fails()]


def test_without_the_plugin_of_failures_goodput_is_the_typical_one():
    plan = plan_with(LOOP.format(tokens="2T", bandwidth="260 GB/s"), off=["failures"])
    assert evaluate(plan).value("workloads.job.goodput.used") == 0.9


# ---------------------------------------------------------------- far more cards than are needed

# 6 × 70e9 × 1e12 FLOP at 400 TFLOP/s are 291,666.67 card-hours; in 60 d = 1,440 h, 90 % of them on kept steps,
# 291,666.67 / 1,440 / 0.9 = 225.05 cards. Twice that is 450.10, in whole servers of 8: 57 servers, 456 cards.
MANY = """
workloads:
  job:
    pool: main
    model: {{parameters: 70B}}
    tokens: {tokens}
    deadline: 60 d
    goodput: 90%
    reserve: {reserve}
    compute: {{effective_rate: 400 TFLOP/s/card}}
pools: {{main: {{accelerator: nvidia/h100-sxm5-80gb, count: {count}}}}}
"""


@pytest.mark.parametrize(
    ("count", "reserve", "tokens", "times"),
    [
        ("456", "1.5", "1T", ""),
        ("464", "1.5", "1T", "2.06"),  # 464 / 225.05
        ("1440", "1.5", "1T", "6.40"),  # 1,440 / 225.05
        ("auto", "1.5", "1T", ""),
        ("auto", "3", "1T", "3.02"),  # 225.05 × 3 = 675.15, in whole servers 680; 680 / 225.05
        ("8", "1.5", "1B", ""),  # 0.225 of a card: a server is the least that can be bought
    ],
)
def test_cards_far_above_the_need_are_warned_of(count, reserve, tokens, times):
    done = evaluate(plan_with(MANY.format(count=count, reserve=reserve, tokens=tokens)))
    found = {one.check.key: one for one in done.statuses("base", "en")}["workloads.job.compute.reserve_is_modest"]
    assert found.result == ("fail" if times else "pass")
    if times:
        assert f"225.05 cards are needed: {times} times the need; above 2.00 times it needs a reason" in found.message


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("failures: {accelerator_afr: 2%}", "write for example `2 %/y`"),
        ("failures: {accelerator_afr: 0.02}", "write for example `0.02 %/y`"),
        ("network: {rate: 400G}", "bits or bytes"),
        ("network: {oversubscription: '2:0'}", "is no ratio; write for example `2:1`"),
        ("network: {oversubscription: '1:2'}", "is below 1"),
        ("network: {tiers: 5}", "is above 4"),
        ("storage: {bytes_per_token: 2}", "write for example `2 B/token`"),
        ("failures: {count: cards}", "is none of all_causes, components"),
    ],
)
def test_a_slip_is_answered_with_what_to_write(section, said):
    with pytest.raises(PlanError, match=r".") as caught:
        plan_with(section)
    assert said in str(caught.value)


def test_fewer_tiers_than_the_ports_need_are_an_error():
    plan = plan_with("""
pools: {main: {accelerator: nvidia/h100-sxm5-80gb, count: 10000}}
network: {tiers: 2}
""")
    [status] = [one for one in evaluate(plan).fails() if one.check.key == "pools.main.network.reaches_all"]
    assert "2,048" in status.message


def test_a_model_without_a_size_is_an_error_and_a_shape_that_differs_is_told():
    text = """
workloads: {{job: {{pool: main, model: {model}, tokens: 1T}}}}
pools: {{main: {{accelerator: nvidia/a100-sxm4-80gb, count: 8}}}}
"""
    nothing = evaluate(plan_with(text.format(model="{layers: 80}")))
    assert "workloads.job.model.size_is_known" in [one.check.key for one in nothing.fails()]
    shape = "{parameters: 70B, layers: 80, hidden: 8192, heads: 64, kv_heads: 8, ffn: 28672, vocabulary: 32000}"
    both = evaluate(plan_with(text.format(model=shape)))
    [told] = [one for one in both.statuses() if one.check.key == "workloads.job.model.shape_agrees"]
    assert told.result == "fail"
    assert "70.0B" in told.message or "70,000,000,000" in told.message
    assert both.value("workloads.job.compute.flops") == pytest.approx(4.2e23, rel=1e-12)


# ---------------------------------------------------------------- the tools of plugin authors


def test_a_pin_has_to_be_a_line():
    plan = plan_with("pools: {main: {accelerator: nvidia/a100-sxm4-80gb, count: 8}}")
    with pytest.raises(CapframeError, match="is an input: give it in the plan"):
        evaluate(plan, {"pools.main.count": 16})
    with pytest.raises(CapframeError, match=r"is no line; did you mean 'pools\.main\.servers'"):
        evaluate(plan, {"pools.main.server": 16})
    with pytest.raises(CapframeError, match="which is not"):
        evaluate(plan, {"pools.main.servers": "3 d"})


def test_formulas_are_compared_term_by_term():
    from capframe import Ref

    p = Ref("")
    assert_same_formula(p.a.b + 1, p.a.b + 1)
    with pytest.raises(AssertionError, match=r"the formula is `a\.b \+ 1`, wanted is `1 \+ a\.b`"):
        assert_same_formula(p.a.b + 1, 1 + p.a.b)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("plan", EXAMPLES, ids=lambda path: path.name)
def test_every_estimator_has_a_say_in_every_example(plan, estimator):
    """Of its figures at least one is known, in every scenario."""
    results = load(plan).ledger().evaluate()
    lines = [line.key for line in results.ledger.lines.values() if line.plugin == estimator]
    for scenario in results.columns:
        values = [results.value(key, scenario) for key in lines]
        assert any(isinstance(value, float) and not math.isnan(value) for value in values), scenario
