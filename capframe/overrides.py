"""What counts instead of the base value of an input: scenarios of the document, and ``--set`` of the command line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from capframe.declarations import HEADER, Declared
from capframe.document import Items, Node, Place, Scalar, Table, parse_yaml, problem
from capframe.errors import CapframeError, PlanError, Problem, near
from capframe.evaluation import usable
from capframe.fields import is_required
from capframe.given import AUTO, Given
from capframe.groups import Entry, age_in, name_in, read_entry, read_group
from capframe.names import like_another, wrong_with_segment
from capframe.plan import BASE, Input
from capframe.reading import Context, Wrong, absent, read_given
from capframe.texts import for_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from capframe.sections import Group
    from capframe.whole import Whole  # noqa: TC004 - attrs keeps annotations as text


def _below(key: str, above: Iterable[str]) -> bool:
    return any(key == one or key.startswith(f"{one}.") for one in above)


@frozen
class Overrides:
    """Knows the inputs of a plan and what is structure; mistakes go to ``problems``.

    ``misread`` are keys about which it was said already why they are not there; ``left_out`` are those of plugins that
    are off, and what is changed below them is added; ``elsewhere`` are inputs whose amount the plan gives in another
    unit, so that it counts as a fact of the part, and where. ``whole`` tells what plugins that are off would take.
    """

    inputs: dict[str, Input]
    structure: dict[str, str]
    declared: Declared
    context: Context
    misread: tuple[str, ...]
    left_out: list[str]
    elsewhere: dict[str, Entry]
    problems: list[Problem]
    whole: Whole
    notices: list[Problem]

    def scenarios(self, node: Node | None) -> dict[str, dict[str, Given]]:
        """Return what each scenario gives instead of base, by its name and the input's key."""
        found: dict[str, dict[str, Given]] = {}
        names: dict[str, str] = {}
        if node is None:
            return found
        if not isinstance(node, Table):
            self.problems.append(problem(node.place, "'scenarios' holds names, each with the inputs it changes"))
            return found
        for name, table in node.nodes.items():
            if wrong := wrong_with_segment(name) or like_another(name, names):
                self.problems.append(problem(node.keys[name], f"scenario {wrong}"))
            elif name == BASE:
                self.problems.append(problem(node.keys[name], "'base' is the plan itself; give the scenario a name"))
            elif isinstance(table, Table):
                found[name] = self.overridden(table, name)
            elif isinstance(table, Scalar) and table.blank:
                found[name] = {}
            else:
                self.problems.append(problem(table.place, f"scenario {name!r} holds `key: value` pairs"))
            if name in found:
                names[name.casefold()] = name
        return found

    def overridden(self, table: Table, scenario: str) -> dict[str, Given]:
        """Return the inputs that a scenario changes, their keys written with dots or nested."""
        found: dict[str, Given] = {}
        for typed, place, node in self.changes(table, ""):
            try:
                if isinstance(node, Items) and typed in self.declared.groups:
                    found |= self.listed(self.declared.groups[typed][1], node, scenario)
                    continue
                key = self.input_key(typed)
            except CapframeError as fault:
                alone = Table({typed: node}, table.place, {typed: place})
                self.unread(
                    typed, problem(place, str(fault)), f"scenarios.{scenario}.{typed}",
                    partial(Overrides.overridden, table=alone, scenario=scenario),
                )  # fmt: skip
                continue
            try:
                if key in found:
                    self.problems.append(problem(place, f"{typed!r} stands twice in this scenario; keep one"))
                elif isinstance(node, Scalar) and node.blank:
                    what = "says nothing; leave the key out to follow base, or give a value"
                    self.problems.append(problem(place, f"{typed!r} {what}"))
                else:
                    found |= self.said(key, node, scenario=True)
            except Wrong as wrong:
                self.problems.extend(wrong.problems)
            except CapframeError as fault:
                self.problems.append(problem(place, str(fault)))
        return found

    def unread(self, typed: str, wrong: Problem, called: str, again: Callable[[Overrides], object]) -> None:
        """Say what is wrong with a key, unless that was said already, or a plugin that is off would take it."""
        if _below(typed, self.misread):
            return
        if _below(typed, self.left_out):
            self.left_out.append(called)
            return
        there = self.whole.overriding
        if there is None:
            self.problems.append(wrong)
            return
        there = evolve(there, problems=[], inputs=dict(there.inputs), left_out=[], notices=[])
        again(there)
        self.problems.extend(there.problems)
        if not there.problems:
            self.left_out.append(called)

    def listed(self, group: Group, node: Items, scenario: str) -> dict[str, Given]:
        """Return what a scenario gives by a list of entries, written as in the plan itself."""
        unknown: list[str] = []
        lenient = bool(self.whole) or self.context.catalog.lost  # a plugin, or a file, that may bring the part
        entries, problems = read_group(group, node, self.context, unknown if lenient else None, as_facts=False)
        self.problems.extend(problems)
        off, problems = self.whole.parts(group, node, unknown, self.context)
        self.problems.extend(problems)
        self.left_out.extend(f"scenarios.{scenario}.{group.key}.{name}" for name in off)
        found: dict[str, Given] = {}
        for name, one in entries.items():
            try:
                found |= self.with_age(group, name, one.given, node, scenario=True)
            except Wrong as wrong:
                self.problems.extend(wrong.problems)
        return found

    def said(self, key: str, node: Node, *, scenario: bool) -> dict[str, Given]:
        """Return what a node says of an input, and of what follows from that: how old a price is."""
        group = self.group_of(key)
        if group is None:
            return {key: read_given(node, self.inputs[key].field, self.context)}
        name = key.removeprefix(f"{group.key}.")
        given = read_entry(group, name, node, self.context, as_facts=False).given
        return self.with_age(group, name, given, node, scenario=scenario)

    def group_of(self, key: str) -> Group | None:
        """Return the group of parts in which an input is an entry that says what it is; else None."""
        found = self.declared.groups.get(self.inputs[key].group)
        return found[1] if found and found[1].named_by else None

    def with_age(self, group: Group, name: str, given: Given, node: Node, *, scenario: bool) -> dict[str, Given]:
        """Return an entry and how old it is; a scenario's cell that is blank would have the age of base."""
        found = {f"{group.key}.{name}": given}
        if given.value == AUTO:
            self.stays(f"{group.key}.{name}", node.place)
        if group.ages is not None and given.value != AUTO:
            key = f"{group.ages.key}.{name}"
            found[key] = age_in(group, name, given, self.context)
            if scenario and not usable(found[key].value) and usable(self.inputs[key].base.value):
                what = f"the {group.value} of {name} does not say 'date', as that of base does"
                raise Wrong([problem(node.place, what)])
        return found

    def changes(self, table: Table, above: str) -> Iterator[tuple[str, Place, Node]]:
        """Yield each input's key as typed; a table is part of a key wherever inputs lie below it."""
        for key, node in table.nodes.items():
            typed = f"{above}{key}"
            inside = any(one.startswith(f"{typed}.") for one in (*self.inputs, *self.structure))
            if isinstance(node, Table) and typed not in self.inputs and inside:
                yield from self.changes(node, f"{typed}.")
            else:
                yield typed, table.keys[key], node

    def input_key(self, typed: str) -> str:
        """Return the key of the input that a person means, or raise with what to write instead."""
        if typed in self.inputs and typed not in self.structure:
            return typed
        head, _, name = typed.partition(".")
        if head in HEADER and head not in self.declared.groups:
            msg = f"{typed!r} is no input; it is changed in the plan itself, under `{head}:`"
            raise CapframeError(msg)
        if typed in self.structure:
            msg = f"{typed!r} is structure (which members exist, who uses whom); change it in the plan itself"
            raise CapframeError(msg)
        groups = [one for _, group in self.declared.groups.values() for one in (group, group.ages) if one and one.of]
        if group := next((one for one in groups if one.key == head and name), None):
            return f"{head}.{name_in(group, name, self.context)}"
        whole = [one for one in self.inputs if one.endswith(f".{typed}")]
        guess = f"; did you mean {whole[0]!r}?" if whole else near(typed, self.inputs)
        beside = [key.removeprefix(f"{head}.") for key in self.inputs if key.startswith(f"{head}.")]
        if not whole and head in self.declared.areas and name and not near(name, beside):
            lists = "`capframe schema --markdown` lists what can be set"
            guess = f" (a figure that is computed is not set: `capframe show PLAN {typed}` finds it; {lists})"
        msg = f"no input {typed!r}{guess}"
        raise CapframeError(msg)

    def override(self, number: int, text: str, scenarios: dict[str, dict[str, Given]]) -> None:
        """Apply one ``--set`` to base or to a scenario."""
        where, order = f"--set #{number}", ("", 0, number)
        typed, equals, value = text.partition("=")
        scenario = BASE
        if typed.startswith("scenarios."):
            _, scenario, typed = (*typed.split(".", 2), "", "")[:3]
        try:
            if not equals:
                msg = f"{text!r} is not KEY=VALUE"
                raise CapframeError(msg)  # noqa: TRY301 - one place turns faults into problems
            if scenario != BASE and scenario not in scenarios:
                msg = f"no scenario {scenario!r}{near(scenario, scenarios)}"
                raise CapframeError(msg)  # noqa: TRY301
            key = self.known_key(typed.strip(), Problem(where, "", order), text, scenarios)
            if key is None:
                return
            given = self.instead(key, value.strip(), where, scenario=scenario != BASE)
        except Wrong as wrong:
            self.problems.extend(Problem(where, one.what, order) for one in wrong.problems)
            return
        except CapframeError as fault:
            self.problems.append(Problem(where, str(fault), order))
            return
        for name, one in given.items():
            if one is None:
                scenarios[scenario].pop(name, None)
            elif scenario == BASE:
                self.inputs[name] = evolve(self.inputs[name], base=one)
            else:
                scenarios[scenario][name] = one

    def known_key(self, typed: str, wrong: Problem, text: str, scenarios: Iterable[str]) -> str | None:
        """Return the key of the input that a ``--set`` means, or None where that was said or a plugin is off."""
        try:
            return self.input_key(typed)
        except CapframeError as fault:
            number = wrong.order[-1]
            self.unread(
                typed, evolve(wrong, what=str(fault)), f"{wrong.where}: {text.partition('=')[0].strip()}",
                lambda there: there.override(number, text, {name: {} for name in scenarios}),
            )  # fmt: skip
            return None

    def instead(self, key: str, text: str, where: str, *, scenario: bool) -> Mapping[str, Given | None]:
        """Return what counts from now on, of an input and what follows from it; None follows base."""
        group = self.group_of(key)
        ages = [f"{group.ages.key}{key.removeprefix(group.key)}"] if group and group.ages else []
        if text:
            follow = {age: None if scenario else self.cleared(self.inputs[age]).moved(where) for age in ages}
            return follow | self.typed(key, text, where, scenario=scenario)
        if scenario:
            return dict.fromkeys((key, *ages))
        self.stays(key, Place(where, 0, 0))
        return {one: self.cleared(self.inputs[one]).moved(where) for one in (key, *ages)}

    def stays(self, key: str, place: Place) -> None:
        """Refuse to take back an amount that counts as a fact of its part."""
        if key in self.elsewhere:
            there, unit = self.elsewhere[key], self.inputs[key].unit.text
            word = there.fact.partition(".")[2] or there.fact
            what = f"{key!r} is given in {word} in the plan, at {there.place}, and cannot be taken back here"
            raise Wrong([problem(place, f"{what}; take it out there, or give it there in {unit.partition('/')[0]}")])

    def typed(self, key: str, text: str, where: str, *, scenario: bool) -> dict[str, Given]:
        """Return what a text after ``=`` means, for an input and what follows from it: what it would in the plan."""
        try:
            document, notices = for_cells(parse_yaml(f"value: {text}".encode(), where))
            if len(document.nodes) > 1:
                msg = f"{text!r} is not one value"
                raise CapframeError(msg)
            node = document.nodes["value"]
            if isinstance(node, Scalar) and node.blank and (scenario or text.startswith("#")):
                msg = f"{text!r} says nothing; write `{key}=` to clear it, and what holds a # in quotes"
                raise CapframeError(msg)
            found = self.said(key, node, scenario=scenario)
        except PlanError as fault:
            msg = "; ".join(one.what.replace("`value: ", "`") for one in fault.problems)
            if "not YAML" in msg:
                msg += "; write the value as in the plan"
            raise CapframeError(msg) from None
        except Wrong as wrong:
            raise CapframeError("; ".join(one.what for one in wrong.problems)) from None
        self.notices.extend(Problem(where, one.what) for one in notices)
        return {name: one.moved(where) for name, one in found.items()}

    def cleared(self, one: Input) -> Given:
        """Return what holds when the base value of an input is taken away."""
        if not is_required(one.field):
            return absent(one.field, self.context)
        msg = f"{one.key!r} is required; give it a value instead of clearing it"
        raise CapframeError(msg)
