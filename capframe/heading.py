"""What a plan says before anything of the field: title, date, language, currency, timeline, catalogue files."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from capframe.changes import AUTHOR, ChangeLog
from capframe.document import Items, Place, Scalar, Table, digest, problem
from capframe.errors import CapframeError, Problem, near
from capframe.expr import Num
from capframe.fields import QuantityField
from capframe.given import Given, Origin, is_date, no_date, no_such_day
from capframe.plan import Header, Input
from capframe.plugins import Host
from capframe.timeline import LENGTHS, MONTHS, Timeline, timeline
from capframe.units import Units
from capframe.wording import LANGUAGES

TEXTS = ("capframe", "title", "date", "revision", "language", "currency")


@frozen
class Heading:
    """Reads the keys of a document that belong to capframe itself; mistakes go to ``problems``."""

    path: Path
    document: Table
    host: Host
    units: Units
    problems: list[Problem]

    def header(self) -> Header:
        """Return the title, the date, the language and the currency."""
        texts = {key: self.document.nodes[key] for key in TEXTS if key in self.document.nodes}
        said: dict[str, str] = {}
        for key in TEXTS:
            node = texts.get(key)
            if isinstance(node, Scalar):
                said[key] = node.text
            elif node is not None:
                self.problems.append(problem(node.place, f"{key!r} is one text"))
        if said.get("capframe") != "1":
            where = texts["capframe"].place if "capframe" in texts else self.document.place
            self.problems.append(problem(where, "a plan says which format it has: write `capframe: 1`"))
        if not said.get("title"):
            where = texts["title"].place if "title" in texts else self.document.place
            self.problems.append(problem(where, "'title' is missing here"))
        date = said.get("date", "")
        if not is_date(date):
            where = texts["date"].place if "date" in texts else self.document.place
            what = "'date' is the plan's own date, the only clock there is: write it as `date: 2026-11-29`"
            what = no_date(date) if no_such_day(date) else what
            self.problems.append(problem(where, what))
        language = said.get("language", "en")
        if language not in LANGUAGES:
            guess = near(language, LANGUAGES, likeness=0.5)
            self.problems.append(
                problem(texts["language"].place, f"'language' is one of {', '.join(LANGUAGES)}{guess}")
            )
            language = "en"
        currency = said.get("currency", "CNY")
        known = self.units.knows(currency)
        if known and (code := self.units(currency).text) != currency:
            what = f"'currency' is a code; write `currency: {code}`"
            self.problems.append(problem(texts["currency"].place, what))
            currency = code
        elif not known and not self.host.off:
            what = f"'currency' is a code such as CNY or USD, and no plugin knows {currency!r}"
            self.problems.append(problem(texts["currency"].place if "currency" in texts else self.document.place, what))
            currency = "CNY"
        revision = said.get("revision", "")
        log = ChangeLog(self.problems)
        where = texts["revision"].place if "revision" in texts else self.document.place
        return Header(
            self.path.name, said.get("title", ""), date, revision, language, currency, digest(self.document),
            log.label(self.document.nodes.get("author"), "'author'", AUTHOR),
            log.read(self.document.nodes.get("changes"), revision, date, where),
        )  # fmt: skip

    def timeline(self) -> tuple[Timeline, list[Input]]:
        """Return the periods of the plan, and their length as an input that nobody overrides."""
        node = self.document.nodes.get("timeline")
        if node is None:
            return Timeline(), []
        leaves = node.nodes if isinstance(node, Table) else {}
        said = {key: leaf.text for key, leaf in leaves.items() if isinstance(leaf, Scalar)}
        try:
            if set(said) != {"start", "period", "periods"}:
                msg = "'timeline' holds three keys, such as `{start: 2027-01, period: quarter, periods: 12}`"
                raise CapframeError(msg)  # noqa: TRY301 - one place turns faults into problems
            found = timeline(said["start"], said["period"], said["periods"])
        except CapframeError as fault:
            self.problems.append(problem(node.place, str(fault)))
            return Timeline(), []
        return found, [self.length(found, node.place, key, unit) for key, unit in LENGTHS.items()]

    def length(self, found: Timeline, place: Place, key: str, unit: str) -> Input:
        """Return the length of a period as an input that nobody overrides: in years, and as a plain number of them."""
        origin = Origin({"en": "the timeline", "zh": "时间线设置"})
        number = {"en": ", number of years", "zh": "(年数)"} if unit == "1" else {"en": "", "zh": ""}
        label = {"en": f"Length of a period{number['en']}", "zh": f"每期长度{number['zh']}"}
        about = QuantityField(label=label, unit=unit, origin=origin)
        years = Given(found.years, str(place), origin=origin)
        return Input(key, about, self.units(unit), "capframe", years, {}, fixed=Num(found.months) / MONTHS["year"])

    def catalog_files(self) -> list[tuple[Path, str]]:
        """Return the catalogue files that the plan names, each with how it was typed."""
        node = self.document.nodes.get("catalogs")
        if node is None:
            return []
        if not isinstance(node, Items):
            self.problems.append(problem(node.place, "'catalogs' is a list of files: `[our-chips.yaml]`"))
            return []
        wrong = [leaf.place for leaf in node.nodes if not isinstance(leaf, Scalar)]
        self.problems.extend(problem(place, "an entry of 'catalogs' is the name of a file") for place in wrong)
        return [(self.path.parent / leaf.text, leaf.text) for leaf in node.nodes if isinstance(leaf, Scalar)]
