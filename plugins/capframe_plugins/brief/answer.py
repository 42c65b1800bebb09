"""The answer first: what is asked for, in base and in every scenario, and the checks that speak against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import LineCheck
from capframe_plugins.brief.lacking import at_least, named
from capframe_plugins.brief.markdown import Markdown
from capframe_plugins.brief.reader import BASE, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe import Status

ERROR, WARNING, NOTE = "error", "warning", "note"
PASS, FAIL = "pass", "fail"
SUMS = ("cost.capex", "power.facility")
"""What is asked for beside cards."""
IN_BUDGET = "cost.in_budget"
"""The check that purchases are within the budget."""


@frozen
class Answer:
    """What a scenario asks for, and the sentences about it."""

    things: Markdown
    rest: list[Markdown]


@frozen
class Verdict:
    """How one check came out, with one sentence, in the scenarios named."""

    check: LineCheck
    message: str
    names: tuple[str, ...]
    """The items that it is about."""
    scenarios: tuple[str, ...]


def of_base(r: Reader) -> Answer:
    """Return the answer of base: what is asked for, then sentence by sentence what a leader wants to know of it."""
    base = answer(r, BASE)
    asks = r.words("ask", things=base.things) if base.things else r.words("ask_nothing")
    return Answer(asks, [*base.rest, *not_in_it(r, base)])


def of_scenarios(r: Reader) -> list[Markdown]:
    """Return the answer of every scenario, each in one paragraph; where it asks for the same, what else differs."""
    base, said = answer(r, BASE), []
    for scenario in r.plan.scenarios:
        mine = answer(r, scenario)
        same = mine == base or (bool(mine.things) and mine.things == base.things)
        sentence = "ask_same" if same else "ask_scenario" if mine.things else "ask_scenario_nothing"
        first = r.words(sentence, scenario=scenario, base=r.words("base"), things=mine.things)
        said.append(r.words.sentences([first, *(one for one in mine.rest if not same or one not in base.rest)]))
    return said


def answer(r: Reader, scenario: str) -> Answer:
    """Return what a scenario asks for."""
    rest = [*times(r, scenario), *budget(r, scenario), *money(r, scenario), *unknown(r, scenario)]
    return Answer(r.words.listed(asked(r, scenario)), rest)


def not_in_it(r: Reader, base: Answer) -> Iterator[Markdown]:
    """Yield what the figures do not hold, or they are taken for the whole."""
    missing = r.uncounted()
    if base.things and missing:
        yield r.words("not_in_it", areas=r.words.listed(missing))


def asked(r: Reader, scenario: str) -> Iterator[Markdown]:
    """Yield what is asked for and known: cards, money, power."""
    pools = r.members("pools")
    for pool in pools:
        cards = f"pools.{pool}.cards"
        if r.known(cards, scenario):
            yield r.words(
                "ask_cards" if len(pools) == 1 else "ask_cards_of",
                cards=r.shown(cards, scenario), servers=with_spares(r, pool, scenario),
                part=r.part(f"pools.{pool}.accelerator", scenario), pool=pool,
            )  # fmt: skip
    for key in SUMS:
        if r.known(key, scenario):
            figure = at_least(r, key, r.shown(key, scenario), scenario)
            yield r.words("ask_sum", figure=figure, label=r.words.within(r.label(key)))


def with_spares(r: Reader, pool: str, scenario: str) -> str:
    """Return the servers of a pool, with the spares that are bought beside its cards, as the bill lists them."""
    picks, servers = f"pools.{pool}.accelerator", r.shown(f"pools.{pool}.servers", scenario)
    keys = [line.key for line in r.ledger.items if line.role == "spare" and line.part == picks]
    bought = [key for key in keys if r.known(key, scenario) and r.results.value(key, scenario)]
    if not bought:
        return servers
    spares = [r.words.units(f"{r.figure(key, scenario)} spare") for key in bought]
    return r.words("with_spares", servers=servers, spares=r.words.listed(spares))


def times(r: Reader, scenario: str) -> Iterator[Markdown]:
    """Yield how long each workload takes, and how many cards it needs for its deadline, without and with reserve."""
    for workload in r.members("workloads"):
        days, deadline = f"workloads.{workload}.compute.elapsed_days", f"workloads.{workload}.deadline"
        if not r.known(days, scenario):
            continue
        shown, label = r.shown(days, scenario), r.words.within(r.label(days))
        if r.known(deadline, scenario):
            end = r.shown(deadline, scenario)
            takes = r.words("time_deadline", workload=workload, days=shown, label=label, deadline=end)
            yield r.words.sentences([takes, *with_reserve(r, workload, scenario)])
        else:
            yield r.words("time", workload=workload, days=shown, label=label)


def with_reserve(r: Reader, workload: str, scenario: str) -> Iterator[Markdown]:
    """Yield how many cards a workload needs for its deadline, without and with reserve."""
    at = f"workloads.{workload}"
    keys = {"need": f"{at}.compute.cards_needed", "wanted": f"{at}.compute.cards_with_reserve"}
    keys["reserve"] = f"{at}.reserve"
    if all(r.known(key, scenario) for key in keys.values()):
        yield r.words("with_reserve", **{word: r.shown(key, scenario) for word, key in keys.items()})


def budget(r: Reader, scenario: str) -> Iterator[Markdown]:
    """Yield whether the budget holds, as its check judges it."""
    key, quotes = "cost.budget", "cost.to_be_quoted"
    judged = [one for one in r.results.statuses(scenario, r.language) if one.check.key == IN_BUDGET]
    if not judged or not r.known(key, scenario):
        return
    shown, (status,) = r.shown(key, scenario), judged
    if status.result == FAIL:
        yield r.words("budget_fails", budget=shown)
    elif status.result != PASS:
        yield r.words("budget_unknown", budget=shown, reason=status.reason)
    elif r.known(quotes, scenario) and r.results.value(quotes, scenario):
        yield r.words("budget_holds_so_far", budget=shown, count=r.shown(quotes, scenario))
    else:
        yield r.words("budget_holds", budget=shown)


def money(r: Reader, scenario: str) -> Iterator[Markdown]:
    """Yield what a year costs, and of base that no budget is given."""
    if said := [*a_year(r, scenario), *(no_budget(r) if scenario == BASE else [])]:
        yield r.words.sentences(said)


def no_budget(r: Reader) -> Iterator[Markdown]:
    """Yield that no budget is given, where purchases are asked for."""
    if r.known("cost.capex") and r.has("cost.budget") and not r.known("cost.budget"):
        yield r.words("budget_none")


def a_year(r: Reader, scenario: str) -> Iterator[Markdown]:
    """Yield what a year costs, where it is known, by the lines' own names."""
    known = [key for key in ("cost.per_year", "cost.per_card_hour") if r.known(key, scenario)]
    labels = [r.label(key) if key == known[0] else r.words.within(r.label(key)) for key in known]
    said = [
        r.words("said", label=label, figure=r.shown(key, scenario)) for key, label in zip(known, labels, strict=True)
    ]
    if said:
        yield r.words("sentence", things=r.words.joined(said))


def unknown(r: Reader, scenario: str) -> Iterator[Markdown]:
    """Yield what would be asked for and is not known, and why."""
    keys = [f"pools.{pool}.cards" for pool in r.members("pools")]
    keys += [f"workloads.{workload}.compute.elapsed_days" for workload in r.members("workloads")]
    reasons: dict[str, list[str]] = {}
    for key in (*keys, *SUMS):
        if r.has(key) and not r.known(key, scenario):
            r.printed.add(key)
            reasons.setdefault(r.reason(key, scenario), []).append(r.named(key))
    said = [r.words("unknown", labels=r.words.listed(labels), reason=reason) for reason, labels in reasons.items()]
    if said:
        yield r.words("unknowns", things=r.words.joined(said))


# ---------------------------------------------------------------- checks


def verdicts(r: Reader, result: str, severity: str | None = None) -> list[Verdict]:
    """Return the checks that came out in a certain way, scenarios with one sentence together."""
    found: dict[tuple[str, str, tuple[str, ...]], tuple[Status, list[str]]] = {}
    for scenario in r.scenarios:
        for status in r.results.statuses(scenario, r.language):
            if status.result == result and severity in {None, status.check.severity}:
                sentence = status.said if status.message else ""
                names = named(r, status.check.key, scenario) if sentence else ()
                _, scenarios = found.setdefault((status.check.key, sentence, names), (status, []))
                scenarios.append(scenario)
    return [
        Verdict(status.check, r.words.units(sentence), names, tuple(scenarios))
        for (_, sentence, names), (status, scenarios) in found.items()
    ]  # fmt: skip


def failing(r: Reader, severity: str) -> list[Markdown]:
    """Return the sentences of the checks that fail, each with the scenarios it fails in."""
    return [sentence_of(r, "check", one) for one in verdicts(r, FAIL, severity)]


def errors(r: Reader, *, of_base: bool) -> list[Markdown]:
    """Return the errors that base has, or those that scenarios alone have: base may be signed with these."""
    found = [one for one in verdicts(r, FAIL, ERROR) if (BASE in one.scenarios) == of_base]
    return [sentence_of(r, "check_bold", one) for one in found]


def sentence_of(r: Reader, sentence: str, verdict: Verdict) -> Markdown:
    """Return what a check says, with the scenarios it says it of where there are several."""
    several = "_in" if len(r.scenarios) > 1 else ""
    message: str = verdict.message
    if verdict.names:
        message = r.words(f"names_{verdict.check.key}", message=message, items=r.words.listed(verdict.names))
    return r.words(sentence + several, message=message, scenarios=in_words(r, verdict))


def in_words(r: Reader, verdict: Verdict) -> Markdown:
    """Return the scenarios of a verdict."""
    return r.words.listed(list(map(r.scenario, verdict.scenarios)))
