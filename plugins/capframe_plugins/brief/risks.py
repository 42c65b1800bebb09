"""What could make it more: ranges, reserve, failures, and what nobody knows, says or counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import AUTO, NOT_AVAILABLE, Ref, key_of, refs
from capframe_plugins.brief.answer import FAIL, NOTE, PASS, in_words, verdicts
from capframe_plugins.brief.assumptions import IDLE
from capframe_plugins.brief.markdown import Markdown, Table
from capframe_plugins.brief.weight import by_weight, tiers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe import LineCheck
    from capframe_plugins.brief.assumptions import Assumption
    from capframe_plugins.brief.reader import Reader

MOST_ON_THE_FIRST_PAGE = 3
MOST_RANGES = 8
"""Rows that a leader reads; the rest stands in the sign-off."""


@frozen
class Ranges:
    """What the answer rests on and may turn out differently, and whether there is more of it than is shown."""

    table: Table
    is_all: bool
    first: list[Markdown]
    """The sentence for the first page: what moves most of what is asked for; nothing where nothing does."""


def ranges(r: Reader, found: list[Assumption]) -> Ranges:
    """Return what figures rest on and may turn out differently, what moves most of what is asked for first."""
    several = [one for one in found if one.decides and (one.low or one.high)]
    moving = by_weight(r, several)[:MOST_RANGES]
    head = [r.words(word) for word in ("input", "where", "value", "low", "high", "confidence", "moves")]
    rows = [
        [one.label, one.where, one.value, one.low, one.high, one.confidence, moved(r, lines)] for one, lines in moving
    ]
    return Ranges(Table(head, rows, figures=(2, 3, 4)), len(moving) == len(several), first_page(r, moving))


def first_page(r: Reader, moving: list[tuple[Assumption, list[str]]]) -> list[Markdown]:
    """Return in a sentence which few inputs move what is asked for most, and how far each may go."""
    asked = set(tiers(r)[0])
    things = [
        r.words("mover", label=one.label, where=one.where, low=one.low or one.value, high=one.high or one.value)
        for one, lines in moving
        if asked.intersection(lines)
    ]
    return [r.words("movers", things=r.words.joined(things[:MOST_ON_THE_FIRST_PAGE]))] if things else []


def moved(r: Reader, lines: list[str]) -> Markdown:
    """Return in a word or two what lines are about."""
    return r.words.apart(dict.fromkeys(r.words("moves_" + line.rpartition(".")[2]) for line in lines))


def risks(r: Reader, found: list[Assumption]) -> list[Markdown]:
    """Return, each in a sentence or two, what could make it more."""
    return [
        *gaps(r),
        *growth(r),
        *reserves(r),
        *failures(r),
        *contingency(r),
        *unsourced(r, found),
        *notes(r),
    ]


def growth(r: Reader) -> Iterator[Markdown]:
    """Yield what growth of the model does."""
    if any(r.known(f"workloads.{name}.compute.flops") for name in r.members("workloads")):
        yield r.words("growth")


def reserves(r: Reader) -> Iterator[Markdown]:
    """Yield what the reserve comes to; a check says where fewer cards are bought."""
    for name in r.members("workloads"):
        need, wanted = f"workloads.{name}.compute.cards_needed", f"workloads.{name}.compute.cards_with_reserve"
        if r.known(need) and r.known(wanted):
            reserve = r.shown(f"workloads.{name}.reserve")
            yield r.words("reserve", workload=name, need=r.shown(need), wanted=r.shown(wanted), reserve=reserve)


def failures(r: Reader) -> Iterator[Markdown]:
    """Yield what is lost to failures, workloads alike together."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for name in r.members("workloads"):
        given, used = f"workloads.{name}.goodput", f"workloads.{name}.goodput.used"
        if r.known(used):
            origin = computed(r, f"{given}.computed") if r.is_auto(given) else r.origin(given)
            sentence = "failures_none" if r.results.value(used) == 1 else "failures"
            alike.setdefault((sentence, r.shown(used), origin), []).append(name)
    for (sentence, goodput, origin), names in alike.items():
        yield r.words(sentence, workloads=r.words.listed(names), goodput=goodput, origin=origin)


def computed(r: Reader, key: str) -> str:
    """Return whose default a line hands on, or that it is computed."""
    formula = r.ledger.lines[key].formula
    given = key_of(formula) if isinstance(formula, Ref) else ""
    return r.origin(given) if given in r.plan.inputs else r.words("computed")


def contingency(r: Reader) -> Iterator[Markdown]:
    """Yield what is put aside for purchases that turn out dearer."""
    rate, amount = "cost.contingency", "cost.contingency_sum"
    if r.known(amount):
        yield r.words("contingency", rate=r.shown(rate), sum=r.shown(amount), origin=r.origin(rate))


def gaps(r: Reader) -> Iterator[Markdown]:
    """Yield what no figure is about."""
    if missing := r.uncounted():
        yield r.words("not_counted", areas=r.words.listed(missing))
    if left_out(r):
        yield r.words("off", plugins=r.words.listed(sorted(r.plan.host.off)))


def left_out(r: Reader) -> list[str]:
    """Return what is left out because plugins are off: parts of the document, lines and checks."""
    return [*(r.words("unread", section=key) for key in r.plan.left_out), *r.ledger.left_out]


def meanings(r: Reader, found: list[Assumption]) -> Iterator[Markdown]:
    """Yield what the inputs include and leave out, in the words of those who gave them.

    A note that starts ``auto:`` says what that would come to.
    """
    about_auto = f"{r.words(AUTO)}:"
    said = {
        f"{one.label}: {one.note}": None
        for one in found
        if one.note and one.decides and not one.is_fact and not one.note.startswith(about_auto)
    }
    if said:
        yield r.words("scope_notes", notes=r.words.joined(said))


def unsourced(r: Reader, found: list[Assumption]) -> Iterator[Markdown]:
    """Yield the numbers that were typed without a source."""
    names = [one.name for one in found if one.group != IDLE and not one.is_default and is_unsourced(one)]
    if names:
        yield r.words("unsourced", inputs=r.words.joined(names))


def is_unsourced(one: Assumption) -> bool:
    """Tell whether a number has no source; a word or a part that was chosen needs none."""
    return not one.given.origin.source and not isinstance(one.given.value, str)


def not_judged(r: Reader) -> Iterator[Markdown]:
    """Yield the checks that cannot be judged, and why."""
    reasons: dict[str, list[str]] = {}
    for one in verdicts(r, NOT_AVAILABLE):
        if not one.check.is_bound:  # its line is not available, which its own table says
            label = r.say(one.check.label)
            if one.scenarios != r.scenarios:
                label = r.words("check_in", message=label, scenarios=in_words(r, one))
            reasons.setdefault(reason_of(r, one.check, one.scenarios[0]), []).append(label)
    if reasons:
        said = [r.words("unknown", labels=r.words.joined(checks), reason=reason) for reason, checks in reasons.items()]
        yield r.words("not_judged", checks=r.words.joined(said))


def reason_of(r: Reader, check: LineCheck, scenario: str) -> str:
    """Return why a check cannot be judged: what is not known of what it reads."""
    return next(filter(None, (r.results.reason(key, scenario) for key in refs(check.test))), NOT_AVAILABLE)


def notes(r: Reader) -> Iterator[Markdown]:
    """Yield what is good to know and speaks against nothing."""
    if said := [one.message for one in verdicts(r, FAIL, NOTE)]:
        yield r.words("notes", notes=r.words.joined(said))


def passed(r: Reader) -> list[Markdown]:
    """Return which checks passed in every scenario."""
    found = [one for one in verdicts(r, PASS) if one.scenarios == r.scenarios and not one.check.is_bound]
    labels = [r.say(one.check.label) for one in found]
    return [r.words("passed", checks=r.words.joined(labels))] if labels else []
