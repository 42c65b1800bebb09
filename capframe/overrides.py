"""What counts instead of the base value of an input: scenarios of the document, and ``--set`` of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from capframe.declarations import Declared
from capframe.document import Items, Node, Place, Scalar, Table, problem
from capframe.errors import CapframeError, Problem, near
from capframe.fields import is_required
from capframe.given import Given
from capframe.names import like_another, wrong_with_segment
from capframe.plan import BASE, Input
from capframe.reading import Context, Wrong, absent, read_given

if TYPE_CHECKING:
    from collections.abc import Iterator


@frozen
class Overrides:
    """Knows the inputs of a plan and what is structure; mistakes go to ``problems``.

    ``gone`` are keys about which it was said already why they are not there.
    """

    inputs: dict[str, Input]
    structure: dict[str, str]
    declared: Declared
    context: Context
    gone: tuple[str, ...]
    problems: list[Problem]

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
                found[name] = self.overridden(table)
            elif isinstance(table, Scalar) and table.blank:
                found[name] = {}
            else:
                self.problems.append(problem(table.place, f"scenario {name!r} holds `key: value` pairs"))
            if name in found:
                names[name.casefold()] = name
        return found

    def overridden(self, table: Table) -> dict[str, Given]:
        """Return the inputs that a scenario changes, their keys written with dots or nested."""
        found: dict[str, Given] = {}
        for typed, place, node in self.changes(table, ""):
            try:
                key = self.input_key(typed)
                if key in found:
                    self.problems.append(problem(place, f"{typed!r} stands twice in this scenario; keep one"))
                elif isinstance(node, Scalar) and node.blank:
                    what = "says nothing; leave the key out to follow base, or give a value"
                    self.problems.append(problem(place, f"{typed!r} {what}"))
                else:
                    found[key] = read_given(node, self.inputs[key].field, self.context)
            except Wrong as wrong:
                self.problems.extend(wrong.problems)
            except CapframeError as fault:
                if not self.explained(typed):
                    self.problems.append(problem(place, str(fault)))
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

    def explained(self, key: str) -> bool:
        """Tell whether it was said already why an input is not there."""
        return any(key == gone or key.startswith(f"{gone}.") for gone in self.gone)

    def input_key(self, typed: str) -> str:
        """Return the key of the input that a person means, or raise with what to write instead."""
        if typed in self.inputs and typed not in self.structure:
            return typed
        if typed in self.structure:
            msg = f"{typed!r} is structure (which members exist, who uses whom); change it in the plan itself"
            raise CapframeError(msg)
        head, _, name = typed.partition(".")
        if head in self.declared.groups and self.declared.groups[head][1].kind:
            key = f"{head}.{self.context.part(self.declared.groups[head][1].kind or '', name)}"
            if key in self.inputs or not self.context.catalog.lost:
                return key
        whole = [one for one in self.inputs if one.endswith(f".{typed}")]
        guess = f"; did you mean {whole[0]!r}?" if whole else near(typed, self.inputs)
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
            key = self.input_key(typed.strip())
            one = self.inputs[key]
            if value.strip():
                given = self.typed(value.strip(), one, where)
            elif scenario != BASE:
                scenarios[scenario].pop(key, None)
                return
            else:
                given = self.cleared(one).moved(where)
        except CapframeError as fault:
            if not self.explained(typed):
                self.problems.append(Problem(where, str(fault), order))
            return
        if scenario == BASE:
            self.inputs[key] = evolve(one, base=given)
        else:
            scenarios[scenario][key] = given

    def typed(self, text: str, one: Input, where: str) -> Given:
        """Return what a text after ``=`` means: one value, or a list (``[50%, 50%]``) with one for each period."""
        if not (text.startswith("[") and text.endswith("]")):
            return Given(one.field.read(text, self.context), where)
        place, inside = Place(where, 0, 0), text[1:-1].strip()
        items = tuple(Scalar(item.strip(), place) for item in inside.split(",")) if inside else ()
        try:
            return read_given(Items(items, place), one.field, self.context).moved(where)
        except Wrong as wrong:
            raise CapframeError("; ".join(one.what for one in wrong.problems)) from None

    def cleared(self, one: Input) -> Given:
        """Return what holds when the base value of an input is taken away."""
        if not is_required(one.field):
            return absent(one.field, self.context)
        msg = f"{one.key!r} is required; give it a value instead of clearing it"
        raise CapframeError(msg)
