"""YAML as a person wrote it: every scalar stays text, and everything knows its line and column."""

from __future__ import annotations

import re
from copy import copy
from typing import TYPE_CHECKING, Any

from attrs import evolve

from capframe.errors import PlanError, Problem
from capframe.nodes import MOST_LEVELS, Items, Node, Place, Scalar, Table, problem
from capframe.yaml_faults import explained, full_width_colon

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_NODES = 500_000
"""What a document may hold, aliases unfolded, before it is refused."""
MERGE = "<<"
FIRST_DIGITS = re.compile(r"[+-]?[1-9]\d{0,2}\Z")
MORE_DIGITS = re.compile(r"\d{3}(?:\.\d+)?(?:\s*[^\d\s,.%].*)?\Z")
"""What may stand before a thousands comma, and behind it."""
DECIMALS = re.compile(r"(?!\d{3}(?!\d))\d+(?!\d)(?:\s*[^\d\s,.].*)?\Z")
"""What may stand behind a comma where decimals begin; three digits would be thousands."""


def parse_yaml(text: str, name: str) -> Table:
    """Read a document whose top is a mapping.

    Raises:
        PlanError: for what is not YAML, has a key twice, or unfolds to too much; all duplicates at once.
    """
    import yaml

    loader_class: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    start = Place(name, 1, 1)
    try:
        root = yaml.compose(text, loader_class)
    except yaml.YAMLError as fault:
        raise PlanError([explained(fault, text, name)]) from fault
    except RecursionError as fault:
        raise PlanError([problem(start, "the document is nested too deeply")]) from fault
    if root is None:
        raise PlanError([problem(start, "the document is empty")])
    reader = _Reader(name, text)
    node = reader.node(root, ())
    if not isinstance(node, Table):
        colon = full_width_colon(text, name) if isinstance(node, Scalar) else None
        reader.problems.append(colon or problem(start, "a document starts with keys, such as `capframe: 1`"))
    if reader.problems or not isinstance(node, Table):
        raise PlanError(reader.problems)
    return node


def is_yaml(text: str) -> bool:
    """Tell whether a text is a YAML document whose top is a mapping."""
    import yaml

    try:
        return isinstance(yaml.compose(text, yaml.BaseLoader), yaml.MappingNode)
    except (yaml.YAMLError, RecursionError):
        return False


def _goes_on(run: list[tuple[Any, Any]], key: Any, value: Any) -> bool:
    """Tell whether an entry may be the rest of a figure that a thousands comma cut: right behind it, three digits.

    In braces it may also be decimals, whatever their number.
    """
    (of, first), (last_key, last) = run[0], run[-1]
    rest = value if of is None else key
    before = last if len(run) == 1 or of is None else last_key
    texts = [one.value for one in (first, before, rest) if isinstance(one.value, str)]
    if len(texts) < len((first, before, rest)) or before.style or rest.style:
        return False
    figures = FIRST_DIGITS.match(texts[0]) and MORE_DIGITS.match(texts[2]) and texts[1].lstrip("+-").isdigit()
    decimals = of is not None and len(run) == 1 and texts[0].lstrip("+-").isdigit() and DECIMALS.match(texts[2])
    alone = of is None or value.value == ""
    return bool((figures or decimals) and alone and rest.start_mark.index == before.end_mark.index + 1)


class _Reader:
    """Turns PyYAML's nodes into ours, gathering every duplicate on the way."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text, self.count = name, text, 0
        self.lines: list[str] = []
        self.problems: list[Problem] = []

    def place(self, raw: Any) -> Place:
        return Place(self.name, raw.start_mark.line + 1, raw.start_mark.column + 1)

    def starts(self, raw: Any, place: Place) -> tuple[Place, ...]:
        """Return where each line of a scalar's text begins, if it stands in the file as it is."""
        start, end = raw.start_mark, raw.end_mark
        quotes = len(raw.style) if raw.style and raw.style in "'\"" else 0
        if raw.style != "|":
            as_it_is = start.line == end.line and end.column - start.column == len(raw.value) + 2 * quotes
            return (evolve(place, column=place.column + quotes) if quotes else place,) if as_it_is else ()
        self.lines = self.lines or self.text.splitlines()
        starts = []
        for number, typed in enumerate(raw.value.splitlines(), start.line + 1):
            line = self.lines[number] if number < len(self.lines) else ""
            if not line.endswith(typed):
                return ()
            starts.append(Place(self.name, number + 1, len(line) - len(typed) + 1))
        return tuple(starts)

    def node(self, raw: Any, above: tuple[int, ...]) -> Node:
        import yaml

        self.count += 1
        if self.count > MOST_NODES or id(raw) in above:
            raise PlanError([problem(self.place(raw), "aliases unfold to too much, or to themselves")])
        if len(above) > MOST_LEVELS:
            raise PlanError([problem(self.place(raw), "the document is nested too deeply")])
        above = (*above, id(raw))
        if isinstance(raw, yaml.ScalarNode):
            blank = not raw.style and raw.value in {"", "~", "null", "Null", "NULL"}
            place = self.place(raw)
            return Scalar(raw.value, place, blank, self.starts(raw, place))
        if isinstance(raw, yaml.SequenceNode):
            whole = self.whole([(None, item) for item in raw.value], raw, "brackets")
            return Items(tuple(self.node(item, above) for _, item in whole), self.place(raw))
        own: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        merged: dict[str, Node] = {}
        for raw_key, raw_value in self.whole(raw.value, raw, "braces"):
            place = self.place(raw_key)
            if not isinstance(raw_key, yaml.ScalarNode):
                self.problems.append(problem(place, "a key is a plain text"))
            elif raw_key.value == MERGE and not raw_key.style:
                for other in self._merged(self.node(raw_value, above), place):
                    merged = {**other.nodes, **merged}
                    keys = {**other.keys, **keys}
            elif raw_key.value in own:
                first = keys[raw_key.value]
                self.problems.append(
                    problem(place, f"{raw_key.value!r} stands twice, first on line {first.line}; keep one")
                )
            else:
                own[raw_key.value] = self.node(raw_value, above)
                keys[raw_key.value] = place
        return Table({**merged, **own}, self.place(raw), keys)

    def whole(self, entries: list[tuple[Any, Any]], raw: Any, inside: str) -> list[tuple[Any, Any]]:
        """Return the entries, and refuse those that the comma of a figure cut up: ``{price: 250,000 CNY}``.

        In braces the rest of the figure has become a key without a value, in brackets an item with a unit.
        """
        if not raw.flow_style:
            return entries
        runs: list[list[tuple[Any, Any]]] = []
        for key, value in entries:
            if runs and _goes_on(runs[-1], key, value):
                runs[-1].append((key, value))
            else:
                runs.append([(key, value)])
        found: list[tuple[Any, Any]] = []
        for (key, value), *more in runs:
            rest = [there if of is None else of for of, there in more]
            if more and (key or any(one.value.startswith("0") or not one.value.isdigit() for one in rest)):
                figure = copy(value)
                figure.value = ",".join(one.value for one in (value, *rest))
                decimal = DECIMALS.match(rest[0].value)
                plain = figure.value.replace(",", "." if decimal else "")
                what = f"a comma separates entries inside {inside}; write `{plain}`"
                what += "" if decimal else f", or put '{figure.value}' in quotes"
                self.problems.append(problem(self.place(value), what))
                found.append((key, figure))
            else:
                found += [(key, value), *more]
        return found

    def _merged(self, node: Node, place: Place) -> Iterator[Table]:
        for table in node.nodes if isinstance(node, Items) else (node,):
            if isinstance(table, Table):
                yield table
            else:
                self.problems.append(problem(place, "`<<` takes a mapping, or a list of mappings"))
