"""Where a figure comes from: its formula in words and with numbers, and the tree of what it reads, down to sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from capframe.errors import CapframeError, near
from capframe.evaluation import column_of, usable
from capframe.expr import Expr, LookUp, Member, Ref, Value, key_of, walk
from capframe.figures import NOT_AVAILABLE, figure
from capframe.given import AUTO, CONFIDENCES, DEFAULT, Given
from capframe.printing import math as readable
from capframe.results import VERDICTS, Results
from capframe.wording import Label, say, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capframe.ledger import Line, LineCheck
    from capframe.plan import Input

DEPTH = 4
MOST_GUESSES = 5
"""How many keys are proposed for a word."""
FEW = 3
"""How many periods are shown of a figure over time, besides the last."""
LINE, INPUT, FACT, CHECK = "line", "input", "fact", "check"
WORDS: Mapping[str, Label] = {
    "undisclosed": {"en": "not disclosed", "zh": "未公开"},
    "by period": {"en": "by period", "zh": "各期"},
    "source": {"en": "source", "zh": "来源"},
    "more": {"en": "… reads {} more; show them with --depth", "zh": "… 还引用 {} 项, 用 --depth 展开"},
    "seen": {"en": "(see above)", "zh": "(见上文)"},
    "below": {"en": "Below it:", "zh": "依据:"},
    DEFAULT: {"en": "default", "zh": "缺省"},
}
HERE, LAST, DOWN, BLANK = "├─ ", "└─ ", "│  ", "   "


@frozen(kw_only=True)
class Step:
    """One figure of a tree, and what it reads.

    ``seen`` marks what was shown before and is not repeated; ``hidden`` counts the figures below that a limit of
    depth leaves out.
    """

    key: str
    kind: str
    label: str
    figure: str
    formula: str = ""
    numbers: str = ""
    plugin: str = ""
    source: str = ""
    reason: str = ""
    by_period: str = ""
    seen: bool = False
    hidden: int = 0
    below: tuple[Step, ...] = ()


def trace(results: Results, key: str, scenario: str = "base", *, depth: int = DEPTH) -> Step:
    """Return the tree below a line, an input or a check, ``depth`` levels deep.

    Raises:
        CapframeError: for a key that the plan does not have, with the nearest that it has.
    """
    checks = {check.key: check for check in results.ledger.checks}
    for entry in results.ledger.left_out:
        if key == entry.partition(": ")[0].rpartition(" ")[2]:  # a check says so before its key
            msg = f"{key!r} is left out: {entry.partition(': ')[2]}"
            raise CapframeError(msg)
    known = {*results.ledger.lines, *results.plan.inputs, *checks}
    if key not in known:
        guess = near(key, known) or _called(key, {**results.plan.inputs, **checks, **results.ledger.lines})
        msg = f"there is no line, input or check {key!r}{guess} (`capframe show PLAN` lists the lines)"
        raise CapframeError(msg)
    tracer = _Tracer(results, scenario)
    if key in checks and key not in results.ledger.lines:
        return tracer.check(checks[key], depth)
    return tracer.step(key, depth)


def _called(word: str, known: Mapping[str, Input | LineCheck | Line]) -> str:
    """Return a question for the keys whose label holds a word, in any language, those first that say little else."""
    labels = {
        key: min((text for text in spoken(one.label) if word.casefold() in text.casefold()), key=len, default="")
        for key, one in known.items()
    }
    found = sorted(filter(labels.get, labels), key=lambda key: (len(labels[key]), key))
    more = f" and {len(found) - MOST_GUESSES} more, which `capframe show` lists" if len(found) > MOST_GUESSES else ""
    one_of = "one of " if len(found) > 1 else ""
    return f"; did you mean {one_of}{', '.join(map(repr, found[:MOST_GUESSES]))}{more}?" if found else ""


@frozen
class _Tracer:
    results: Results
    scenario: str
    seen: set[str] = field(factory=set)

    @property
    def language(self) -> str:
        """That of the plan."""
        return self.results.plan.header.language

    def label(self, key: str) -> str:
        """Return how a key is called, with its member where it has one."""
        return self.results.scope(self.scenario).label(key)

    def words(self, formula: Expr) -> str:
        return readable(formula, self.label, self.language)

    def check(self, check: LineCheck, depth: int) -> Step:
        status = self.results.status(check, self.scenario, self.language)
        numbers = readable(check.test, lambda name: self.results.in_formula(name, self.scenario), self.language)
        label = say(check.label, self.language)
        step = Step(
            key=check.key, kind=CHECK, label=label, figure=say(VERDICTS[status.result], self.language),
            formula=self.words(check.test), numbers=numbers, plugin=check.plugin, reason=status.said,
        )  # fmt: skip
        return self.filled(step, check.test, depth)

    def step(self, key: str, depth: int) -> Step:
        results = self.results
        shown = results.with_unit(key, self.scenario)
        reason = results.reason(key, self.scenario) or ""
        if key in results.plan.inputs:
            one = results.plan.inputs[key]
            given = one.given(self.scenario)
            return Step(
                key=key, kind=INPUT, label=self.label(key), figure=shown, plugin=one.plugin,
                source=said(given, self.language),
                reason="" if shown == AUTO else reason, by_period=self.by_period(key),
            )  # fmt: skip
        line = results.ledger.lines[key]
        step = Step(
            key=key, kind=LINE, label=self.label(key), figure=shown, formula=self.words(line.formula),
            numbers=results.numbers_in(key, self.scenario), plugin=line.plugin, source=say(line.source, self.language),
            reason=reason, by_period=self.by_period(key),
        )  # fmt: skip
        if key in self.seen:
            return evolve(step, seen=True)
        self.seen.add(key)
        return self.filled(step, line.formula, depth)

    def by_period(self, key: str) -> str:
        """Return what a figure over time comes to: the first periods and the last."""
        results = self.results
        about = results.ledger.lines.get(key)
        timed = about.over_time if about else results.plan.inputs[key].by_period
        if not timed or not results.plan.timeline:
            return ""
        values = results.series(key, self.scenario)
        shown = [f"{label} {figure(one, results.ledger.format(key))}" for label, one in self.periods(values)]
        few = [*shown[:FEW], "…", shown[-1]] if len(shown) > FEW + 1 else shown
        return ", ".join(few)

    def periods(self, values: list[Value]) -> list[tuple[str, Value]]:
        return list(zip(self.results.plan.timeline.labels, values, strict=True))

    def filled(self, step: Step, formula: Expr, depth: int) -> Step:
        read = list(dict.fromkeys(self.read(formula)))
        if depth <= 0:
            return evolve(step, hidden=len(read))
        below = (self.step(name, depth - 1) if column is None else self.fact(name, column) for name, column in read)
        return evolve(step, below=tuple(below))

    def read(self, formula: Expr) -> Iterator[tuple[str, str | None]]:
        """Yield what a formula reads, in reading order: keys, and facts of what a pick names."""
        for node in walk(formula):
            match node:
                case Ref():
                    yield key_of(node), None
                case LookUp(pick):
                    yield key_of(pick), self.column(node)
                case Member(group, pick):
                    part = self.results.value(key_of(pick), self.scenario)
                    if f"{group}.{part}" in self.results.plan.inputs:
                        yield f"{group}.{part}", None

    def column(self, node: LookUp) -> str:
        return column_of(node, self.results.scope(self.scenario))

    def fact(self, pick: str, column: str) -> Step:
        """Return a fact of the catalogue, with its source."""
        results = self.results
        kind = results.plan.catalog.kinds[results.plan.inputs[pick].field.kind]  # type: ignore[attr-defined]  # a pick
        part = str(results.value(pick, self.scenario))
        given, about = kind.fact(part, column), kind.columns.get(column)
        unit = "" if about is None else results.plan.units.in_words(about.unit, self.language)
        key, label = f"{part} {column}", say(kind.label_of(column), self.language)
        if about is None or not usable(given.value):
            why = say(WORDS["undisclosed"], self.language)
            return Step(key=key, kind=FACT, label=label, figure=NOT_AVAILABLE, reason=why)
        shown = figure(given.value, results.ledger.format_of(about.unit))
        return Step(
            key=key,
            kind=FACT,
            label=label,
            figure=f"{shown} {unit}" if unit else shown,
            source=said(given, self.language),
        )


def said(given: Given, language: str) -> str:
    """Return where a value was given and by whom: ``two-week pilot, measured (plan.yaml:18:10)``."""
    origin = given.origin
    words = [
        say(origin.source, language),
        origin.date,
        say(origin.note, language),
        say(CONFIDENCES.get(origin.confidence, ""), language) if given.at != DEFAULT or origin.source else "",
    ]
    text, at = ", ".join(filter(None, words)), say(WORDS.get(given.at, given.at), language)
    return f"{text} ({at})" if text else at


# ---------------------------------------------------------------- as text


def tree(step: Step, language: str = "en") -> list[str]:
    """Return a tree as lines for a terminal."""
    lines = [head(step, language), *details(step, language)]
    for number, below in enumerate(step.below, 1):
        last = number == len(step.below)
        first, *rest = tree(below, language)
        lines.append((LAST if last else HERE) + first)
        lines += [(BLANK if last else DOWN) + one for one in rest]
    return lines


def head(step: Step, language: str) -> str:
    """Return a figure with its key and label, in one line."""
    return f"{step.key} = {step.figure}   {step.label}" + (f"   {say(WORDS['seen'], language)}" if step.seen else "")


def details(step: Step, language: str) -> list[str]:
    """Return what is to be said of a figure: its formula, in words and in numbers, its source, what is lacking."""
    lines = []
    if not step.seen:
        lines += [f"   = {text}" for text in dict.fromkeys((step.formula, step.numbers)) if text]
        if step.by_period:
            lines.append(f"   {say(WORDS['by period'], language)}: {step.by_period}")
        if step.source:
            lines.append(f"   {say(WORDS['source'], language)}: {step.source}")
        if step.hidden:
            lines.append("   " + say(WORDS["more"], language).format(step.hidden))
    if step.reason:
        lines.append(f"   {step.reason}")
    return lines


def markdown(step: Step, language: str = "en", level: int = 0) -> list[str]:
    """Return a tree as Markdown: the figure as a heading, what it reads as nested lists."""
    name = f"`{step.key}` {_escaped(step.label)}: **{_escaped(step.figure)}**"
    if not level:
        lines = [f"## {_escaped(step.label)}", "", name, ""]
        lines += [f"- {_escaped(text)}" for text in _about(step, language)]
        lines += ["", say(WORDS["below"], language), ""] if step.below else []
    else:
        indent, seen = "  " * (level - 1), f" {say(WORDS['seen'], language)}"
        lines = [f"{indent}- {name}{seen if step.seen else ''}"]
        lines += [] if step.seen else [f"{indent}  <br>{_escaped(text)}" for text in _about(step, language)]
    for below in step.below:
        lines += markdown(below, language, level + 1)
    return lines


def _about(step: Step, language: str) -> list[str]:
    return [line.strip() for line in details(step, language)]


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|" else sign for sign in text)
