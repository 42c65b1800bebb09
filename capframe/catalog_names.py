"""What a typed name means: an id, a declared name, or a refusal with candidates; never a part of a name."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from attrs import frozen

from capframe.errors import CapframeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from capframe.catalog import Kind

IDENTITY = re.compile(r"[a-z0-9][a-z0-9_-]*/[a-z0-9][a-z0-9_-]*\Z")
"""Ids stand in drop-downs and look-ups, where a dot, a comma or a wildcard would mean something."""

MOST_GUESSES = 3


@frozen
class Ambiguous:
    """A name that several parts share and what to ask; or, with ``why``, a name of a part that has no record."""

    candidates: tuple[str, ...]
    ask: str = ""
    why: str = ""


def folded(name: str) -> str:
    """Return a name without case, spaces, hyphens and underscores, as names are compared."""
    return "".join(name.casefold().replace("-", " ").replace("_", " ").split())


def meant(table: Kind, typed: str) -> str:
    """Return the id that a typed name means in one kind.

    Raises:
        CapframeError: for an unknown or an ambiguous name, with candidates.
    """
    if typed in table.records:
        return typed
    name = folded(typed)
    found = table.ambiguous.get(name)
    if found and found.why:
        there = f"; the nearest parts are {', '.join(found.candidates)}" if found.candidates else ""
        msg = f"no {table.name} is called {typed!r}: {found.why}{there}"
        raise CapframeError(msg)
    if found and len(found.candidates) == 1:
        msg = f"{typed!r} can mean several parts, of which one is in the catalogues: write `{found.candidates[0]}`"
        raise CapframeError(msg)
    if found:
        candidates = ", ".join(found.candidates)
        msg = f"{typed!r} can mean several parts; choose one of {candidates} (the question is: {found.ask})"
        raise CapframeError(msg)
    owners = table.aliases.get(name, [])
    if len(owners) == 1:
        return owners[0]
    if owners:
        msg = f"{typed!r} is a name of {' and of '.join(owners)}; write one of these ids"
        raise CapframeError(msg)
    msg = (
        f"no {table.name} is called {typed!r}{nearest([table], typed)} (`capframe catalog list {table.name}` shows all)"
    )
    raise CapframeError(msg)


def anywhere(tables: Mapping[str, Kind], typed: str) -> list[tuple[Kind, str]]:
    """Return the parts that a typed name means, one of each kind that knows it.

    Raises:
        CapframeError: for an unknown or an ambiguous name, as the kind that knows it says it.
    """
    found: list[tuple[Kind, str]] = []
    faults: dict[str, CapframeError] = {}
    for name, table in tables.items():
        try:
            found.append((table, meant(table, typed)))
        except CapframeError as fault:
            faults[name] = fault
    if found:
        return found
    for name, refused in faults.items():
        if len(faults) == 1 or folded(typed) in {*tables[name].ambiguous, *tables[name].aliases}:
            raise refused
    msg = f"no part is called {typed!r}{nearest(tables.values(), typed)} (`capframe catalog list` shows the kinds)"
    raise CapframeError(msg)


def nearest(tables: Iterable[Kind], typed: str) -> str:
    """Return ``"; did you mean 'x', 'y' or 'z'?"`` for the parts whose names come nearest, or nothing.

    Where a vendor is typed (``nvidia/h900``), parts of that vendor go before all others.
    """
    names: dict[str, str] = {}
    for table in tables:
        names |= {name: found.candidates[0] for name, found in table.ambiguous.items() if found.candidates}
        names |= {name: owners[0] for name, owners in table.aliases.items() if len(owners) == 1}
    vendor, stroke, word = typed.casefold().rpartition("/")
    same = {name.rpartition("/")[2]: part for name, part in names.items() if part.startswith(f"{vendor}/")}
    guesses = _like(folded(word), same) if stroke else []
    if not guesses:
        parts = _like(folded(typed), names)
        guesses = [short if names.get(folded(short := part.split("/")[-1])) == part else part for part in parts]
    quoted = [repr(guess) for guess in guesses]
    if not quoted:
        return ""
    last = quoted.pop()
    return f"; did you mean {', '.join(quoted)} or {last}?" if quoted else f"; did you mean {last}?"


def _like(word: str, names: Mapping[str, str]) -> list[str]:
    """Return the parts with names that begin with a word, then those with names like it."""
    names = dict(sorted(names.items()))
    begun = [name for name in names if name.startswith(word)]
    close = [*begun, *get_close_matches(word, names, n=2 * MOST_GUESSES, cutoff=0.6)]
    return list(dict.fromkeys(names[name] for name in close))[:MOST_GUESSES]
