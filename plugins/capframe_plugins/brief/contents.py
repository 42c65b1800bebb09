"""The brief put together: what its templates may show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capframe import say
from capframe_plugins.brief.answer import WARNING, errors, failing, of_base, of_scenarios
from capframe_plugins.brief.argument import chain, wanted
from capframe_plugins.brief.assumptions import assumptions, groups
from capframe_plugins.brief.bill import about_servers, bill
from capframe_plugins.brief.corrections import corrections
from capframe_plugins.brief.markdown import Markdown, Table
from capframe_plugins.brief.over_time import over_time, worth
from capframe_plugins.brief.reader import Reader
from capframe_plugins.brief.risks import left_out, meanings, not_judged, passed, ranges, risks
from capframe_plugins.brief.tables import changes, further, options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capframe import Results

SECTIONS = ("want", "why", "more", "options", "bill", "over_time", "sign", "further")


def contents(results: Results) -> dict[str, Any]:
    """Return what the templates may show; nothing is left for them to compute."""
    r = Reader(results)
    base, others = of_base(r), of_scenarios(r)
    asked = sorted(r.printed)
    made: dict[str, Any] = {
        "say": r.words,
        "title": r.plan.header.title,
        "about": about(r),
        "answer": base.things,
        "details": base.rest,
        "answers": others,
        "errors": errors(r, of_base=True),
        "errors_elsewhere": errors(r, of_base=False),
        "warnings": failing(r, WARNING),
        "want": wanted(r),
        "why": chain(r),
        "why_about": [*([r.words("why_base", scenario=r.words("base"))] if others else []), r.words("why_about")],
        "bill": bill(r),
        "bill_notes": list(about_servers(r)),
        "over_time": over_time(r),
        "worth": list(worth(r)),
        "options": options(r),
        "changes": list(changes(r)),
    }
    found = assumptions(r, asked)  # only now: they are those of the figures that were shown
    made |= {"ranges": ranges(r, found), "more": risks(r, found), "sign": groups(r, found)}
    made |= {"corrections": corrections(r), "signatures": signatures(r)}
    made |= {"passed": [*meanings(r, found), *not_judged(r), *passed(r)]}
    made |= {"further": further(r), "left_out": left_out(r)}
    return made | {"headings": headings(r, made)}


def about(r: Reader) -> Markdown:
    """Return which plan this is."""
    header = r.plan.header
    revision = [r.words("about_revision", revision=header.revision)] if header.revision else []
    author = say(header.author, header.language)
    by = [r.words("about_author", author=author)] if author else []
    return r.words.joined(
        [r.words("about", date=header.date), *revision, *by, r.words("about_currency", currency=r.currency)]
    )


def headings(r: Reader, made: Mapping[str, Any]) -> dict[str, Markdown]:
    """Return the headings of the sections that hold something, numbered without a gap."""
    titles = {name: r.words(name) for name in SECTIONS if made[name] or (name == "further" and made["left_out"])}
    if made["options"]:
        titles["options"] = Markdown(made["options"].title)
    numbers = r.words("numbers").split()
    return {
        name: r.words("heading", number=number, title=title)
        for (name, title), number in zip(titles.items(), numbers, strict=False)
    }


def signatures(r: Reader) -> Table:
    """Return where people sign."""
    head = [r.words(word) for word in ("role", "name", "date", "signature")]
    return Table(head, [[r.words(role), "", "", ""] for role in ("planner", "finance", "leader")])
