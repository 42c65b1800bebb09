"""Every fixed sentence of the brief, in two languages, put together.

A sentence holds slots, which are filled with text that is escaped; ``**`` makes it bold. No sentence holds a figure.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from capframe import large, say
from capframe_plugins.brief.markdown import Markdown, escape, join
from capframe_plugins.brief.unit_words import AMOUNTS, UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WORDS = {
    # ---------------------------------------------------------------- head and answer
    "about": {"en": "Plan of {date}", "zh": "方案日期 {date}"},
    "about_revision": {"en": "revision {revision}", "zh": "版本 {revision}"},
    "about_author": {"en": "by {author}", "zh": "编制 {author}"},
    "about_currency": {"en": "amounts in {currency}", "zh": "金额单位 {currency}"},
    "ask": {"en": "**We ask for {things}.**", "zh": "**请示事项: {things}。**"},
    "ask_nothing": {
        "en": "**No figure of this plan can be asked for yet.**",
        "zh": "**本方案尚无可请示的数据。**",
    },
    "ask_scenario": {"en": "**{scenario}** asks for {things}.", "zh": "**{scenario}** 需要 {things}。"},
    "ask_scenario_nothing": {
        "en": "**{scenario}** cannot be asked for yet.",
        "zh": "**{scenario}** 尚无可请示的数据。",
    },
    "ask_same": {"en": "**{scenario}** asks for the same as {base}.", "zh": "**{scenario}** 与{base}的需求相同。"},
    "ask_cards": {"en": "{cards} of {part} in {servers}", "zh": "{part} {cards} (服务器 {servers})"},
    "ask_cards_of": {
        "en": "{cards} of {part} in {servers} for pool {pool}",
        "zh": "{pool}: {part} {cards} (服务器 {servers})",
    },
    "with_spares": {"en": "{servers} (and {spares})", "zh": "{servers}, 另购{spares}"},
    "ask_sum": {"en": "{figure} ({label})", "zh": "{label} {figure}"},
    "time": {"en": "{workload} takes {days} ({label}).", "zh": "{workload} 需 {days}({label})。"},
    "time_deadline": {
        "en": "{workload} takes {days} ({label}); its deadline is {deadline}.",
        "zh": "{workload} 需 {days}({label}), 时间窗口为 {deadline}。",
    },
    "with_reserve": {
        "en": "It needs {need} for that, {wanted} with the reserve of {reserve}.",
        "zh": "满足时间窗口需 {need}, 计入储备系数 {reserve} 为 {wanted}。",
    },
    "said": {"en": "{label}: {figure}", "zh": "{label} {figure}"},
    "sentence": {"en": "{things}.", "zh": "{things}。"},
    "budget_holds": {"en": "The budget of {budget} holds.", "zh": "未超预算 {budget}。"},
    "budget_holds_so_far": {
        "en": "The budget of {budget} holds for what is priced; items to be quoted: {count}.",
        "zh": "已有单价部分未超预算 {budget}; 待询价项数: {count}。",
    },
    "budget_fails": {"en": "**The budget of {budget} does not hold.**", "zh": "**超出预算 {budget}。**"},
    "budget_unknown": {
        "en": "Whether the budget of {budget} holds is not known ({reason}).",
        "zh": "是否超出预算 {budget}, 尚不可知 ({reason})。",
    },
    "others": {"en": "others", "zh": "其他"},
    "mover": {"en": "{label} ({where}) from {low} to {high}", "zh": "{label} ({where}) {low} 至 {high}"},
    "movers": {"en": "What could move this most: {things}.", "zh": "对上述数额影响最大的输入: {things}。"},
    "budget_none": {"en": "No budget is given.", "zh": "未给定预算。"},
    "unknown": {"en": "{labels} ({reason})", "zh": "{labels} ({reason})"},
    "unknowns": {"en": "Not known yet: {things}.", "zh": "尚不可知: {things}。"},
    "comma": {"en": ", ", "zh": "、"},
    "and": {"en": " and ", "zh": "及"},
    "comma_and": {"en": ", and ", "zh": "及"},
    "semicolon": {"en": "; ", "zh": "; "},
    "base": {"en": "base", "zh": "基准"},
    # ---------------------------------------------------------------- checks
    "fails": {"en": "**Do not sign yet. These checks fail:**", "zh": "**以下检查未通过, 请先解决:**"},
    "fails_elsewhere": {
        "en": "**These checks fail in scenarios other than {base}; choose none of those as it is:**",
        "zh": "**{base}方案以外, 以下检查未通过, 相应方案不可批准:**",
    },
    "beside": {"en": "For comparison:", "zh": "对比方案:"},
    "warns": {"en": "Read these warnings before signing:", "zh": "签字前请注意:"},
    "check": {"en": "{message}", "zh": "{message}"},
    "check_in": {"en": "{message} ({scenarios})", "zh": "{message} ({scenarios})"},
    "names_cost.all_priced": {"en": "{message}; to be quoted are {items}", "zh": "{message}; 待询价: {items}"},
    "names_power.all_disclosed": {"en": "{message}; not known is that of {items}", "zh": "{message}: {items}"},
    "check_bold": {"en": "**{message}**", "zh": "**{message}**"},
    "check_bold_in": {"en": "**{message}** ({scenarios})", "zh": "**{message}** ({scenarios})"},
    # ---------------------------------------------------------------- headings
    "heading": {"en": "{number}. {title}", "zh": "{number}、{title}"},
    "numbers": {"en": "1 2 3 4 5 6 7 8", "zh": "一 二 三 四 五 六 七 八"},
    "want": {"en": "What we want", "zh": "目标"},
    "why": {"en": "Why it takes this much", "zh": "测算依据"},
    "more": {"en": "What could make it more", "zh": "可能的增量与风险"},
    "options": {"en": "Options side by side", "zh": "方案比选"},
    "glance": {"en": "Other figures that matter", "zh": "其他主要指标"},
    "bill": {"en": "Bill of materials", "zh": "设备清单"},
    "sign": {"en": "Assumptions to sign", "zh": "测算口径与签字"},
    "further": {"en": "All other figures", "zh": "其余数据"},
    # ---------------------------------------------------------------- want and why
    "workload": {"en": "Workload", "zh": "任务"},
    "not_given": {"en": "not given", "zh": "未给定"},
    "why_about": {
        "en": "Each figure stands first in words, then with its numbers. A bare number in a formula changes a unit, "
        "such as hours in a day. Numbers are rounded where they are printed, not where they are used.",
        "zh": "每项先列公式, 再代入数据。公式中不带单位的数字为单位换算。数据仅在显示时四舍五入。",
    },
    "why_base": {"en": "These are the figures of {scenario}.", "zh": "以下为{scenario}方案的数据。"},
    "work": {"en": "Work and time", "zh": "计算量与时间"},
    "need": {"en": "Cards for the deadline", "zh": "时间窗口与卡数"},
    "purchase": {"en": "Purchase", "zh": "采购"},
    "a_year": {"en": "Cost of a year and of the run", "zh": "年成本与本次训练成本"},
    "two_goodputs": {
        "en": "“{used}” in the days above is that of the cards which are there, “{closed}” that of just the cards "
        "which the deadline needs: the number of cards decides how often one fails.",
        "zh": "前述天数采用现有卡数下的“{used}”; “{closed}”为恰好满足时间窗口的卡数下的数值: 卡数不同, 中断频次不同。",
    },
    "memory": {"en": "Memory", "zh": "显存"},
    "power": {"en": "Power and energy", "zh": "电力与用电量"},
    "given": {"en": "given: {source}", "zh": "给定: {source}"},
    "given_without_source": {"en": "given in the plan, no source", "zh": "方案给定, 无出处"},
    "default": {"en": "default: {source}", "zh": "缺省值: {source}"},
    "computed": {"en": "computed", "zh": "计算值"},
    # ---------------------------------------------------------------- more
    "ranges": {
        "en": "Inputs that may turn out differently; first what moves what is asked for, by how much it does:",
        "zh": "下列输入的取值可能变化。影响请示数据者在前, 影响大者在前:",
    },
    "moves": {"en": "Moves", "zh": "影响"},
    "moves_cards": {"en": "cards", "zh": "卡数"},
    "moves_capex": {"en": "purchases", "zh": "采购额"},
    "moves_facility": {"en": "facility load", "zh": "园区负载"},
    "moves_elapsed_days": {"en": "days", "zh": "天数"},
    "moves_cards_needed": {"en": "cards needed", "zh": "所需卡数"},
    "moves_cards_with_reserve": {"en": "cards needed", "zh": "所需卡数"},
    "moves_per_year": {"en": "cost per year", "zh": "年成本"},
    "moves_per_card_hour": {"en": "cost per card-hour", "zh": "卡时成本"},
    "more_ranges": {
        "en": "Others that have a range are among the assumptions to sign.",
        "zh": "其余有取值范围的输入见测算口径。",
    },
    "input": {"en": "Input", "zh": "输入"},
    "where": {"en": "Where", "zh": "范围"},
    "value": {"en": "Value", "zh": "数值"},
    "low": {"en": "Low", "zh": "低"},
    "high": {"en": "High", "zh": "高"},
    "confidence": {"en": "Confidence", "zh": "可信度"},
    "growth": {
        "en": "**Growth.** Twice the parameters take twice the compute on the same tokens, and four times if the "
        "tokens grow alike; a rerun takes the whole run again.",
        "zh": "**增长。** 参数量翻倍, 词元量不变则计算量翻倍; 词元量同步翻倍则为四倍; 重跑需再计一次。",
    },
    "reserve": {
        "en": "**Reserve.** {reserve} times the cards that {workload} needs: {need} become {wanted}. It stands for "
        "reruns, more data, failures and late delivery.",
        "zh": "**储备。** {workload} 需 {need}, 储备系数 {reserve}, 合 {wanted}; 用于重跑、数据增加、故障与交付延迟。",
    },
    "failures": {
        "en": "**Failures.** The plan counts {goodput} of the time of {workloads} as steps that are kept ({origin}); "
        "the rest goes to failures, restarts and checkpoints.",
        "zh": "**故障。** {workloads} 按有效训练时长占比 {goodput} 测算 ({origin}); 其余时间用于故障、重启与检查点。",
    },
    "failures_none": {
        "en": "**Failures.** The plan counts {goodput} of the time of {workloads} as steps that are kept ({origin}): "
        "nothing is set aside for failures, restarts and checkpoints.",
        "zh": "**故障。** {workloads} 按有效训练时长占比 {goodput} 测算 ({origin}): 未为故障、重启与检查点预留时间。",
    },
    "contingency": {
        "en": "**Contingency.** {rate} on purchases, which is {sum} ({origin}).",
        "zh": "**预备费。** 采购的 {rate}, 合 {sum} ({origin})。",
    },
    "not_in_it": {"en": "Not in these figures: {areas}.", "zh": "上述数据未计入: {areas}。"},
    "not_counted": {
        "en": "**Not counted.** No figure of this plan is about {areas}; they come on top.",
        "zh": "**未计入。** 本方案没有下列内容的数据, 需另计: {areas}。",
    },
    "off": {
        "en": "**Switched off.** Plugins: {plugins}. What reads them is left out; the last section lists it.",
        "zh": "**已关闭的插件:** {plugins}。依赖它们的数据未列出, 清单见文末。",
    },
    "unread": {
        "en": "{section}: no plugin that is on reads this part of the plan",
        "zh": "{section}: 没有启用的插件读取这部分方案",
    },
    "left_out": {"en": "Left out, because plugins are off:", "zh": "因插件关闭而未列出:"},
    "scope_notes": {"en": "**What the inputs count.** {notes}.", "zh": "**输入的口径。** {notes}。"},
    "unsourced": {
        "en": "**No source.** Nobody says where these come from: {inputs}.",
        "zh": "**无出处。** 下列输入未注明来源: {inputs}。",
    },
    "not_judged": {"en": "**Not judged.** {checks}.", "zh": "**无法判断的检查。** {checks}。"},
    "passed": {"en": "**Checked and passed.** {checks}.", "zh": "**已通过的检查。** {checks}。"},
    "notes": {"en": "**To know.** {notes}.", "zh": "**说明。** {notes}。"},
    "area_network": {"en": "network", "zh": "网络"},
    "area_storage": {"en": "storage", "zh": "存储"},
    "area_failures": {"en": "failure rates", "zh": "故障率"},
    "area_compute": {"en": "compute", "zh": "算力"},
    "area_memory": {"en": "memory", "zh": "显存"},
    "area_power": {"en": "power", "zh": "电力"},
    "area_cost": {"en": "money", "zh": "成本"},
    "area_cluster": {"en": "cards and servers", "zh": "卡与服务器"},
    # ---------------------------------------------------------------- options and bill
    "changes": {
        "en": "**{scenario}** differs from {base} in: {changes}.",
        "zh": "**{scenario}** 与{base}的不同: {changes}。",
    },
    "change": {"en": "{input} {value} instead of {before}", "zh": "{input} {before} 改为 {value}"},
    "no_change": {"en": "**{scenario}** is the same as {base}.", "zh": "**{scenario}** 与{base}相同。"},
    "figure": {"en": "Figure", "zh": "指标"},
    "mark": {"en": "n/a ({mark})", "zh": "n/a ({mark})"},
    "footnote": {"en": "({mark}) {reason}", "zh": "({mark}) {reason}"},
    "option": {"en": "Option", "zh": "方案"},
    "pool": {"en": "Pool", "zh": "算力池"},
    "part": {"en": "Part", "zh": "名称"},
    "item": {"en": "Item", "zh": "设备"},
    "count": {"en": "Count", "zh": "数量"},
    "price": {"en": "Price", "zh": "单价"},
    "sum": {"en": "Sum, {currency}", "zh": "合计, {currency}"},
    "rack_units": {"en": "Rack units, U", "zh": "机架高度, U"},
    "weight": {"en": "Weight, kg", "zh": "重量, kg"},
    "price_from": {"en": "Source of the price, its date", "zh": "单价来源与日期"},
    "to_quote": {"en": "to be quoted: {reason}", "zh": "待询价: {reason}"},
    "no_price": {"en": "no line for its price", "zh": "无单价数据"},
    "at_least": {"en": "≥ {sum}", "zh": "≥ {sum}"},
    "priced_sum": {"en": "Sum of what is priced", "zh": "已有单价部分合计"},
    "servers_in_cards": {
        "en": "Cards come in servers, and no row of this bill is a server: whether a price per card holds chassis, "
        "CPUs and memory is for the source of the price to say.",
        "zh": "加速卡随服务器交付, 清单未单列服务器; 单价是否含机箱、CPU 与内存, 以单价来源为准。",
    },
    "items_to_quote": {"en": "items to be quoted: {count}", "zh": "待询价项数: {count}"},
    # ---------------------------------------------------------------- money over time
    "over_time": {"en": "Money over time", "zh": "分期资金"},
    "by_year": {"en": "Year by year", "zh": "按年"},
    "by_period": {"en": "Period by period", "zh": "按期"},
    "period": {"en": "Period", "zh": "期间"},
    "in_currency": {"en": "{label}, {currency}", "zh": "{label}, {currency}"},
    # ---------------------------------------------------------------- sign-off
    "sign_about": {
        "en": "Whoever signs agrees to the first table; the others say what it rests on.",
        "zh": "签字即同意第一张表; 其余各表为其依据。",
    },
    "corrected": {
        "en": "**Corrected.** {label} of {part}: {value} instead of {before} ({file}; {source}).",
        "zh": "**更正。** {part} {label}: {value}, 原为 {before} ({file}; {source})。",
    },
    "corrected_without_source": {
        "en": "**Corrected.** {label} of {part}: {value} instead of {before} ({file}, no source).",
        "zh": "**更正。** {part} {label}: {value}, 原为 {before} ({file}, 无出处)。",
    },
    "pinned": {
        "en": "**Pinned.** {part}: the record of {taken} counts, that of {passed_over} does not.",
        "zh": "**指定来源。** {part}: 采用 {taken} 的记录, 不采用 {passed_over} 的记录。",
    },
    "pinned_facts": {
        "en": "**Pinned.** {part}: the record of {taken} counts, that of {passed_over} does not; {facts}.",
        "zh": "**指定来源。** {part}: 采用 {taken} 的记录, 不采用 {passed_over} 的记录; {facts}。",
    },
    "pinned_fact": {"en": "{label} {value} instead of {before}", "zh": "{label} {value}, 另一记录为 {before}"},
    "group_assumed": {"en": "Assumed or estimated", "zh": "假设与估算"},
    "group_sourced": {"en": "Measured, or from data sheets and the press", "zh": "实测、技术资料与公开报道"},
    "group_auto": {"en": "Left to be computed", "zh": "由模型计算"},
    "group_idle": {
        "en": "Limits, and inputs that no figure above rests on",
        "zh": "限值, 以及未参与上述测算的输入",
    },
    "range": {"en": "Range", "zh": "取值范围"},
    "from_to": {"en": "{low} to {high}", "zh": "{low} 至 {high}"},
    "source": {"en": "Source; note", "zh": "数据来源; 备注"},
    "date": {"en": "Date", "zh": "日期"},
    "at": {"en": "Given at", "zh": "位置"},
    "at_default": {"en": "default", "zh": "缺省"},
    "auto": {"en": "auto", "zh": "自动"},
    "then": {"en": "{first}, then {rest}", "zh": "{first}, 其后均为 {rest}"},
    "auto_is": {"en": "auto: {value}", "zh": "自动: {value}"},
    "member_in": {"en": "{where}, {scenario}", "zh": "{where}, {scenario}"},
    "role": {"en": "Role", "zh": "角色"},
    "name": {"en": "Name", "zh": "姓名"},
    "signature": {"en": "Signature", "zh": "签字"},
    "planner": {"en": "Planner", "zh": "编制"},
    "finance": {"en": "Finance", "zh": "财务"},
    "leader": {"en": "Approved by", "zh": "批准"},
    "chosen": {"en": "chosen", "zh": "选定"},
    "unsure": {"en": "not stated", "zh": "未说明"},
}

FROM_TO = "… "
"""What stands before the last figure of several."""

FIGURE = r"(?<![\w.,])[\d,]+(?:\.\d+)?[BT]?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


class Words:
    """The fixed sentences in the language of a plan."""

    def __init__(self, language: str, currencies: Iterable[str], worded: Callable[[str], str]) -> None:
        """Prepare the units for the currencies of a plan; ``worded`` says how its figures word a unit already."""
        currencies = tuple(currencies)
        self.language = language
        self._units: dict[str, tuple[str, str]] = {}
        self._amounts: set[str] = set()
        for unit, said in UNITS.items():
            forms = said["zh" if language == "zh-CN" else "en"]
            one, more = (forms, forms) if isinstance(forms, str) else forms
            for money in currencies:
                said_as = worded(money)
                name = unit.format(money=money)
                names = {name, worded(name)}
                self._units.update(dict.fromkeys(names, (one.format(money=said_as), more.format(money=said_as))))
                if unit in AMOUNTS:
                    self._amounts |= names
        longest_first = sorted(self._units, key=len, reverse=True)
        self._pattern = re.compile(rf"({FIGURE}) ({'|'.join(map(re.escape, longest_first))})(?![\w·/])")

    def __call__(self, key: str, **slots: object) -> Markdown:
        """Return a sentence with its slots filled, each escaped.

        Raises:
            LookupError: where there is no such sentence, or a slot of it is not filled.
        """
        if key not in WORDS:
            msg = f"there is no sentence {key!r}"
            raise LookupError(msg)
        return Markdown(say(WORDS[key], self.language).format_map({name: escape(text) for name, text in slots.items()}))

    def units(self, text: str) -> str:
        """Return a text whose figures carry their units as a leader reads them: ``1,824 cards``, ``82.50 M CNY``."""
        return self._pattern.sub(self._read, text)

    def _read(self, found: re.Match[str]) -> str:
        shown, unit = found[1], self._units[found[2]][found[1] != "1"]
        one_of_several = found.string.startswith(FROM_TO, max(found.start() - len(FROM_TO), 0))
        if found[2] in self._amounts and not one_of_several:
            shown = large(Decimal(shown.replace(",", "")), self.language)
        glued = shown[-1] in "万亿" and unit[0] > "\x7f"
        return shown + unit if glued else f"{shown} {unit}"

    def within(self, label: str) -> str:
        """Return a label as it stands within a sentence: an English one without a capital, but for abbreviations."""
        if self.language == "zh-CN" or not label[1:2].islower():
            return label
        return label[:1].lower() + label[1:]

    def listed(self, things: Iterable[object]) -> Markdown:
        """Return things as a sentence lists them: with commas, and before the last."""
        *first, last = [escape(thing) for thing in things] or [Markdown()]
        if not first:
            return last
        before_last = say(WORDS["comma_and" if len(first) > 1 else "and"], self.language)
        return Markdown(say(WORDS["comma"], self.language).join(first) + before_last + last)

    def sentences(self, said: Iterable[Markdown]) -> Markdown:
        """Return sentences one after the other; a Chinese full stop has its room in itself."""
        return join(said, "" if self.language == "zh-CN" else " ")

    def apart(self, things: Iterable[object]) -> Markdown:
        """Return things apart by commas, as a cell lists them."""
        return Markdown(say(WORDS["comma"], self.language).join(map(escape, things)))

    def joined(self, things: Iterable[object]) -> Markdown:
        """Return things apart by semicolons."""
        return Markdown(say(WORDS["semicolon"], self.language).join(map(escape, things)))
