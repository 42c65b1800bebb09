"""What a plan takes against a catalogue's word: facts that an overlay corrects, and parts that are pinned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capframe_plugins.brief.assumptions import fact_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capframe import Overlay, Pin
    from capframe_plugins.brief.markdown import Markdown
    from capframe_plugins.brief.reader import Reader


def corrections(r: Reader) -> list[Markdown]:
    """Return each correction of a fact, and each part whose record was chosen from two."""
    catalog = r.plan.catalog
    return [*(corrected(r, one) for one in catalog.overlays), *(pinned(r, one) for one in catalog.pins)]


def corrected(r: Reader, one: Overlay) -> Markdown:
    """Return what holds now, what the record said, and which file corrects it."""
    source = r.say(one.value.origin.source)
    return r.words(
        "corrected" if source else "corrected_without_source",
        label=label_of(r, one.kind, one.fact), part=r.part_name(one.kind, one.part), file=one.file,
        value=fact_value(r, one.kind, one.fact, one.value), before=fact_value(r, one.kind, one.fact, one.instead_of),
        **({"source": source} if source else {}),
    )  # fmt: skip


def pinned(r: Reader, one: Pin) -> Markdown:
    """Return whose record counts, whose does not, and where they differ."""
    facts = list(differing(r, one))
    return r.words(
        "pinned_facts" if facts else "pinned",
        part=r.part_name(one.kind, one.part), taken=one.provider, passed_over=one.passed_over,
        **({"facts": r.words.joined(facts)} if facts else {}),
    )  # fmt: skip


def differing(r: Reader, one: Pin) -> Iterator[Markdown]:
    """Yield the facts in dispute."""
    for fact, (taken, passed_over) in one.differing.items():
        yield r.words(
            "pinned_fact", label=label_of(r, one.kind, fact),
            value=fact_value(r, one.kind, fact, taken), before=fact_value(r, one.kind, fact, passed_over),
        )  # fmt: skip


def label_of(r: Reader, kind: str, fact: str) -> str:
    """Return how a fact is called."""
    return r.say(r.plan.catalog.kinds[kind].columns[fact].label)
