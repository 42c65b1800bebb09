"""What is wanted and why it takes this much: goals, and the chain from work to cards, money and power."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from capframe import Missing, Ref
from capframe_plugins.brief.assumptions import sources
from capframe_plugins.brief.markdown import Markdown, Table
from capframe_plugins.brief.reader import BASE, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GOALS = ("model.parameters", "model.active_parameters", "tokens", "precision", "deadline")

# The steps that a leader follows. Each part of the chain: its title in `words`, then for a collection, or for the plan,
# its lines in reading order; the steps between stand with all other figures.
CHAIN = (
    (
        "work",
        (
            "workloads",
            (
                "compute.flops",
                "compute.effective_rate.used",
                "compute.card_hours",
                "cards.used",
                "compute.days",
                "compute.elapsed_days",
            ),
        ),
    ),
    ("need", ("workloads", ("compute.cards_needed", "compute.cards_with_reserve"))),
    (
        "purchase",
        ("pools", ("count.used", "servers", "cards", "cards.price", "cards.purchase")),
        ("", ("cost.equipment", "cost.capex")),
    ),
    (
        "a_year",
        ("", ("cost.per_year", "cost.per_card_hour")),
        ("pools", ("cost.per_card_hour",)),
        ("workloads", ("cost.run",)),
    ),
    ("memory", ("workloads", ("memory.per_rank", "memory.capacity"))),
    ("power", ("pools", ("cards.power", "power.it")), ("", ("power.it", "power.facility"))),
)


@frozen
class Step:
    """One figure of the chain: how it comes about in words and in numbers, or where it was given."""

    label: str
    figure: str
    in_words: str = ""
    in_numbers: str = ""
    remark: str = ""


@frozen
class Part:
    """One part of the chain."""

    title: Markdown
    steps: list[Step]
    notes: list[Markdown]


def wanted(r: Reader) -> Table:
    """Return what each workload is to achieve."""
    workloads = r.members("workloads")
    if not workloads:
        return Table((), ())
    goals = [goal for goal in GOALS if r.has(f"workloads.{workloads[0]}.{goal}")]
    head = [r.label(f"workloads.{workloads[0]}.{goal}") for goal in goals]
    rows = [[name, *(goal_of(r, f"workloads.{name}.{goal}") for goal in goals)] for name in workloads]
    numbers = [column for column, goal in enumerate(goals, 1) if goal != "precision"]
    return Table([r.words("workload"), *head], rows, figures=numbers)


def goal_of(r: Reader, key: str) -> str:
    """Return a goal; what is left to be computed as it came out."""
    if r.is_auto(key):
        key += ".used"
    return r.shown(key) if r.known(key) else r.words("not_given")


def chain(r: Reader) -> list[Part]:
    """Return the parts of the chain that this plan has."""
    parts = []
    for title, *rounds in CHAIN:
        steps = [made for collection, lines in rounds for made in steps_of(r, collection, lines)]
        if steps:
            parts.append(Part(r.words(title), steps, list(two_goodputs(r)) if title == "need" else []))
    return parts


def two_goodputs(r: Reader) -> Iterator[Markdown]:
    """Yield why the need rests on another goodput than the days: fewer or more cards fail less or more often."""
    pairs = [
        (f"workloads.{name}.failures.closed.goodput", f"workloads.{name}.goodput.used")
        for name in r.members("workloads")
    ]
    for closed, used in pairs:
        if r.known(closed) and r.known(used) and r.results.figure(closed) != r.results.figure(used):
            yield r.words("two_goodputs", used=r.label(used), closed=r.label(closed))
            return


def steps_of(r: Reader, collection: str, lines: Sequence[str]) -> Iterator[Step]:
    """Yield the steps of each member of a collection, or of the plan."""
    members = r.members(collection) if collection else []
    for member in members:
        for line in lines:
            yield from steps(r, f"{collection}.{member}.{line}", named=len(members) > 1)
    if not collection:
        for line in lines:
            yield from steps(r, line, named=False)


def steps(r: Reader, key: str, *, named: bool) -> Iterator[Step]:
    """Yield the step of a line that is there and says something that no step before it did."""
    if key not in r.ledger.lines:
        return
    label, given = r.named(key) if named else r.label(key), key.removesuffix(".used")
    formula = key if given == key else f"{given}.computed"
    if given != key and not r.is_auto(given):
        yield Step(label, r.shown(key), remark=r.origin(given))
    elif repeats(r, formula):
        r.printed.add(key)
    else:
        yield step(r, label, formula, key)


def repeats(r: Reader, key: str) -> bool:
    """Tell whether a line only hands on another that has a value: the sum over a single pool."""
    return isinstance(r.ledger.lines[key].formula, Ref)


def step(r: Reader, label: str, formula: str, key: str) -> Step:
    """Return a step with the formula of one line and the figure of another (``x.computed``, ``x.used``)."""
    r.printed.add(formula)
    if not r.known(key):
        in_words = "" if isinstance(r.ledger.lines[formula].formula, Missing) else r.in_words(formula)
        return Step(label, r.shown(key), in_words, remark=r.reason(key))
    shown, numbers = r.shown(key), r.in_numbers(formula)
    if numbers == shown:
        return Step(label, shown, remark=sources(r, key, BASE))
    return Step(label, shown, r.in_words(formula), numbers)
