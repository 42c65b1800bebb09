"""Every reference to what it means: a line for each fact that is read; what reads a plugin that is off is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from capframe.collecting import Collected, Offered
from capframe.errors import Problem, near
from capframe.expr import Expr, LookUp, Missing, Ref, refs
from capframe.fields import PickField, QuantityField
from capframe.lines import LineItem, slots
from capframe.lookups import ENTRY, badly_read, groups_of, reads
from capframe.wording import joined, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capframe.wording import Label


def resolve(work: Collected) -> None:
    """Add the lines of facts and take out what is left out; problems are noted in ``work``."""
    _Resolving(work, groups_of(work.plan)).resolve()


@frozen
class _Resolving:
    work: Collected
    groups: dict[str, bool]
    dropped: set[str] = field(factory=set)
    """The lines that are left out."""

    def resolve(self) -> None:
        """Add a line for each catalogue fact that is read; leave out what reads a plugin that is off."""
        for offer in list(self.work.lines.values()):
            self.add_facts(offer.item.formula)
        for check, _ in self.work.checks.values():
            self.add_facts(check.test)
            for sentence in _sentences(check.message):
                self.add_facts(*(Ref(key) for _, key, _ in slots(sentence) if key))
        self.leave_out()
        for key, (check, plugin) in list(self.work.checks.items()):
            said = (slot for text in _sentences(check.message) for _, slot, _ in slots(text) if slot)
            wanted = dict.fromkeys([*reads(check.test), *said])
            if missing := self.missing(wanted, plugin, f"check {key}"):
                self.say_left_out({"en": f"check {key}", "zh": f"检查 {key}"}, missing)
                del self.work.checks[key]
        self.report_bad_reads()

    def report_bad_reads(self) -> None:
        """Report what is not read as it may be."""
        formulas = {key: offer.item.formula for key, offer in self.work.lines.items()}
        for key, offer in self.work.lines.items():
            for what in badly_read(offer.item.formula, self.work.plan, formulas, self.groups):
                self.work.wrong(offer.plugin, key, what)
        for key, (check, plugin) in self.work.checks.items():
            for what in badly_read(check.test, self.work.plan, formulas, self.groups):
                self.work.wrong(plugin, key, what)

    def leave_out(self) -> None:
        """Leave out what reads a plugin that is off, then wave after wave what reads those lines."""
        readers: dict[str, list[str]] = {}
        for key, offer in self.work.lines.items():
            replaced = offer.instead_of.item.formula if offer.instead_of else offer.item.formula
            for name in dict.fromkeys([*refs(offer.item.formula), *refs(replaced)]):
                readers.setdefault(name, []).append(key)
        place = {key: number for number, key in enumerate(self.work.lines)}
        left = list(self.work.lines)
        while dropped := [key for key in left if self.gone(key, self.work.lines[key])]:
            for key in dropped:
                del self.work.lines[key]
            self.dropped.update(dropped)
            touched = {reader for key in dropped for reader in readers.get(key, ()) if reader in self.work.lines}
            left = sorted(touched, key=lambda key: place[key])

    def add_facts(self, *formulas: Expr) -> None:
        for key in (key for formula in formulas for key in refs(formula)):
            if key in self.work.lines or key in self.work.plan.inputs:
                continue
            found = self.work.pick_above(key)
            if found is None:
                continue
            pick, column = found
            one = self.work.plan.inputs[pick]
            kind = self.work.plan.catalog.kinds[one.field.kind]  # type: ignore[attr-defined]  # pick_above finds picks only
            about = kind.columns[column]
            known = about.field if isinstance(about.field, QuantityField) else None
            item = LineItem(
                key, LookUp(Ref(pick), column), about.unit.text, label=joined([one.label, about.label or column], ": "),
                percent=known is not None and known.percent,
            )  # fmt: skip
            self.work.lines[key] = Offered(item, one.plugin, whole=known is not None and known.whole)

    def gone(self, key: str, offer: Offered) -> bool:
        """Tell whether a line is left out because a plugin is off.

        Where it replaces one, that stays; where it stands alone, it becomes n/a.
        """
        missing = self.missing(reads(offer.item.formula), offer.plugin, key)
        if not missing:
            return False
        if offer.instead_of is not None:
            whose = offer.instead_of.plugin
            stays = {"en": f"the line of {whose!r} stays", "zh": f"保留插件 {whose!r} 的同名行"}
            self.say_left_out(key, joined([missing, stays], "; "))
            self.work.lines[key] = offer.instead_of
            self.add_facts(offer.instead_of.item.formula)
            return self.gone(key, offer.instead_of)
        if offer.item.stands_alone:
            self.work.lines[key] = evolve(offer, item=evolve(offer.item, formula=Missing(missing)))
            return False
        self.say_left_out(key, missing)
        return True

    def say_left_out(self, what: Label, why: Label) -> None:
        """Keep a sentence, in the plan's language: files show it as it is."""
        self.work.left_out.append(say(joined([what, why], ": "), self.work.plan.header.language))

    def missing(self, wanted: Iterable[str], plugin: str, whose: str) -> Label:
        """Return which plugin that is off a formula would need; report what nobody gives at all."""
        for key in wanted:
            group = key.removesuffix(ENTRY) if key.endswith(ENTRY) else ""
            if key in self.work.lines or key in self.work.plan.inputs or group in self.groups:
                continue
            if why := self.off_in(key):
                return why
            if key in self.dropped:
                return {"en": f"reads {key}, which is left out", "zh": f"引用了未计入的 {key}"}
            if self.work.plan.whole.gives(key):
                return self.work.plan.whole.but_off({"en": f"reads {key}", "zh": f"引用了 {key}"})
            what = f"reads {key!r}, which nothing gives{self.hint(key)}"
            if group:
                what = f"reads the group {group!r}, which no plugin declares{near(group, self.groups)}"
            wrong = Problem(self.work.whose(plugin, whose), what, (plugin, 0, 0))
            if wrong not in self.work.problems:
                self.work.problems.append(wrong)
        return ""

    def hint(self, key: str) -> str:
        parts = key.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            one = self.work.plan.inputs.get(".".join(parts[:cut]))
            if one is not None and isinstance(one.field, PickField):
                columns = self.work.plan.catalog.kinds[one.field.kind].columns
                column = ".".join(parts[cut:])
                families = {name.split(".")[0] for name in columns if "." in name}
                if column in families:
                    return f"; write fact({'.'.join(parts[:cut])}, {column!r}, by=…)"
                return f": no fact {column!r} of kind {one.field.kind!r}{near(column, columns)}"
        if broken := self.work.plan.host.lacking(parts):
            return broken
        return near(key, (*self.work.lines, *self.work.plan.inputs))

    def off_in(self, key: str) -> Label:
        """Return that a key belongs to a plugin that is off: one of its parts is the plugin's name."""
        for name in sorted(self.work.plan.host.off):
            if name in key.split("."):
                return {"en": f"reads {key}, and plugin {name!r} is off", "zh": f"引用了 {key}, 而插件 {name!r} 已关闭"}
        for section in self.work.plan.left_out:
            if key.startswith(section + "."):
                return {
                    "en": f"reads {key}, and no active plugin reads {section!r}",
                    "zh": f"引用了 {key}, 而 {section!r} 没有启用的插件读取",
                }
        if self.work.plan.host.off and key.endswith(ENTRY):
            group = key.removesuffix(ENTRY)
            return {
                "en": f"reads {group}, which no active plugin declares",
                "zh": f"引用了 {group}, 而没有启用的插件声明它",
            }
        return ""


def _sentences(message: Label) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())
