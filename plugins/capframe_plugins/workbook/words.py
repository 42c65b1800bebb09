"""The fixed words of the workbook, in two languages."""

from __future__ import annotations

from capframe import CONFIDENCES, VERDICTS, say

WORDS = {
    "cover": {"en": "Cover", "zh": "封面"},
    "summary": {"en": "Summary", "zh": "摘要"},
    "inputs": {"en": "Inputs", "zh": "输入"},
    "catalog": {"en": "Catalog", "zh": "产品目录"},
    "checks": {"en": "Checks", "zh": "检查"},
    "sources": {"en": "Sources", "zh": "来源"},
    "changes": {"en": "Changes", "zh": "修订记录"},
    "by_period": {"en": "Inputs by period", "zh": "分期输入"},
    "timeline": {"en": "Timeline", "zh": "时间线"},
    "cash_flow": {"en": "Cash flow", "zh": "现金流"},
    "scenario": {"en": "Scenario", "zh": "情景"},
    "opening": {"en": "Opening", "zh": "期初"},
    "total": {"en": "Total", "zh": "合计"},
    "timeline_about": {
        "en": "One block for each scenario; one row is one line, with one formula across all periods. "
        "Grey #N/A: an input not given, of which the line below it says what holds then, or a figure that rests on "
        "something not known.",
        "zh": "每个情景一块; 每行一个公式, 各期相同。灰色 #N/A 表示输入未给定(取值见下方计算行), 或所依据的数据未知。",
    },
    "period_number": {"en": "Number of the period", "zh": "期序"},
    "cash_flow_about": {
        "en": "Money over time in the scenario that the yellow cell names; costs are positive.",
        "zh": "黄色单元格所选情景的分期资金; 成本为正数。",
    },
    "scenario_shown": {"en": "Scenario shown (choose)", "zh": "显示的情景(请选择)"},
    "about_by_period": {"en": "Inputs that have a value for each period", "zh": "分期取值的输入"},
    "about_timeline": {"en": "Lines over time, one block for each scenario", "zh": "分期数据, 每个情景一块"},
    "about_cash_flow": {"en": "Money over time in one scenario, chosen there", "zh": "所选情景的分期资金"},
    "bill": {"en": "Bill of materials", "zh": "设备清单"},
    "bill_about": {
        "en": "What is bought. n/a: not disclosed, or still to be quoted; the sum holds what is priced. The IT load "
        "counts parts in servers by its overhead over the cards, not by their rows here.",
        "zh": "各情景的采购清单。n/a 表示未公开或待询价; 合计仅含已有单价的项目。服务器内部件功耗按 IT 负载系数计入, "
        "不按本表各行另计。",
    },
    "group": {"en": "Group", "zh": "类别"},
    "count": {"en": "Count", "zh": "数量"},
    "price": {"en": "Unit price, {0}", "zh": "单价({0})"},
    "sum": {"en": "Sum, {0}", "zh": "小计({0})"},
    "price_age": {"en": "Age of the price, d", "zh": "单价距今天数"},
    "price_from": {"en": "Price from", "zh": "单价来源"},
    "from_plan": {"en": "the plan; see its row on Inputs", "zh": "方案给定, 见输入表"},
    "none_bought": {"en": "none is bought", "zh": "本方案不采购"},
    "no_price": {"en": "to be quoted", "zh": "待询价"},
    "power_kw": {"en": "Power, kW", "zh": "功率(kW)"},
    "rack_units": {"en": "Rack units, U", "zh": "机架高度(U)"},
    "weight_kg": {"en": "Weight, kg", "zh": "重量(kg)"},
    "in_all": {"en": "In all", "zh": "合计"},
    "of_role": {"en": "All {0}, as far as known", "zh": "{0}合计(已知部分)"},
    "bill_total": {"en": "Sum of what is priced", "zh": "合计(已有单价部分)"},
    "to_be_quoted": {"en": "items to be quoted", "zh": "项待询价"},
    "about_bill": {"en": "What is bought, with prices and power", "zh": "采购清单、单价与功率"},
    "plan": {"en": "Whole plan", "zh": "总计"},
    "item": {"en": "Item", "zh": "项目"},
    "unit": {"en": "Unit", "zh": "单位"},
    "key": {"en": "Key", "zh": "键"},
    "how": {"en": "How it is computed", "zh": "计算方法"},
    "source": {"en": "Source", "zh": "数据来源"},
    "plugin": {"en": "Plugin", "zh": "插件"},
    "base": {"en": "base", "zh": "基准"},
    "typed": {"en": "{0} (type here)", "zh": "{0}(可修改)"},
    "live": {"en": "{0} (what counts)", "zh": "{0}(生效值)"},
    "low": {"en": "Low", "zh": "低"},
    "high": {"en": "High", "zh": "高"},
    "confidence": {"en": "Confidence", "zh": "可信度"},
    "date": {"en": "Date", "zh": "日期"},
    "note": {"en": "Note", "zh": "备注"},
    "least": {"en": "Least allowed", "zh": "允许最小值"},
    "most": {"en": "Most allowed", "zh": "允许最大值"},
    "listed": {"en": "What auto takes", "zh": "自动取值来源"},
    "missing": {"en": "Faults", "zh": "错误"},
    "inputs_about": {
        "en": "Yellow cells are the only typed numbers. A blank scenario cell follows base; auto means computed; "
        "grey #N/A: not given.",
        "zh": "黄色单元格为唯一可输入的数字。情景列留空即沿用基准值; auto 表示由模型计算; 灰色 #N/A 表示未给定。",
    },
    "area_about": {
        "en": "One row is one line: one formula across all columns. Grey #N/A: something below it is not disclosed.",
        "zh": "每行一个公式, 各列相同。灰色 #N/A 表示所依据的数据未公开。",
    },
    "catalog_about": {
        "en": "Facts of the catalogues, locked; what is not disclosed is #N/A. Origins stand on the sheet Sources.",
        "zh": "产品目录数据(锁定); 未公开的为 #N/A。出处见来源页。",
    },
    "summary_about": {"en": "The figures that matter, scenarios side by side.", "zh": "关键数据, 各情景并列。"},
    "checks_about": {
        "en": "A failing error means that the plan does not hold. n/a: a figure that the check needs is not known.",
        "zh": "错误级检查未通过表示方案不成立。无法判断表示检查所需数据未知。",
    },
    "sources_about": {
        "en": "Where each fact and each formula comes from, as of when, and how sure we are.",
        "zh": "各项数据与公式的出处、日期与可信度。",
    },
    "severity": {"en": "Severity", "zh": "级别"},
    "check": {"en": "Check", "zh": "检查项"},
    "what_is_wrong": {"en": "{0}: what is wrong", "zh": "{0}: 问题"},
    "error": {"en": "error", "zh": "错误"},
    "warning": {"en": "warning", "zh": "警告"},
    "note_severity": {"en": "note", "zh": "提示"},
    **VERDICTS,
    "holds": {"en": "OK", "zh": "通过"},
    "does_not_hold": {"en": "ERROR", "zh": "有错误"},
    "bounds": {"en": "Lines within their bounds", "zh": "数值界限"},
    "own_checks": {"en": "Checks of the plan", "zh": "方案检查"},
    "all_given": {"en": "Every yellow cell holds what it may", "zh": "黄色单元格内容均有效"},
    "required_missing": {
        "en": "a yellow cell is blank, out of range, or holds a text it does not take; see the column Faults of Inputs",
        "zh": "有黄色单元格为空、超出范围或内容无效, 见输入页的错误列",
    },
    "or_by_period": {"en": ", and the sheet Inputs by period", "zh": "及分期输入页"},
    "part": {"en": "Part", "zh": "型号"},
    "name": {"en": "Name", "zh": "名称"},
    "vendor": {"en": "Vendor", "zh": "厂商"},
    "fact": {"en": "Fact", "zh": "参数"},
    "value": {"en": "Value", "zh": "数值"},
    "as_of": {"en": "As of", "zh": "截至"},
    "where": {"en": "Where to find it", "zh": "链接"},
    "facts": {"en": "Catalogue facts", "zh": "产品目录数据"},
    "formulas": {"en": "Formulas", "zh": "公式"},
    "purpose": {"en": "Purpose", "zh": "用途"},
    "purpose_text": {
        "en": "Says how many accelerators the plan needs, for how long, at what cost, and what could go wrong. "
        "Change any yellow cell on Inputs and everything recalculates.",
        "zh": "说明方案需要多少加速卡、用多久、花多少钱、有什么风险。修改输入页任一黄色单元格, 全部重新计算。",
    },
    "plan_date": {"en": "Plan date", "zh": "方案日期"},
    "revision": {"en": "Revision", "zh": "版本"},
    "author": {"en": "Author", "zh": "编制"},
    "change": {"en": "What changed", "zh": "修订内容"},
    "changes_about": {
        "en": "The revisions of the plan, the oldest first; the last one is the plan that this workbook was made of.",
        "zh": "方案各版本, 由旧到新; 最后一行即生成本工作簿的方案。",
    },
    "no_log": {"en": "The plan keeps no log of changes", "zh": "方案未记录修订"},
    "currency": {"en": "Currency", "zh": "币种"},
    "conventions": {"en": "Conventions", "zh": "约定"},
    "conventions_text": {
        "en": "Year {year}, month {month}, day {day}; 1 GB = 1e9 B; links per direction; peaks dense; costs positive.",
        "zh": "年 {year}, 月 {month}, 日 {day}; 1 GB = 1e9 B; 带宽为单向; 峰值为稠密; 成本为正数。",
    },
    "made_by": {"en": "Made by", "zh": "生成工具"},
    "plan_file": {"en": "Plan file", "zh": "方案文件"},
    "plan_digest": {"en": "SHA-256 of the plan", "zh": "方案 SHA-256"},
    "master": {"en": "Master check", "zh": "总检查"},
    "master_about": {
        "en": "OK when no check of severity error fails in any column.",
        "zh": "各列均无未通过的错误级检查时为通过。",
    },
    "warned": {"en": "Warnings that fail", "zh": "未通过的警告"},
    "warned_about": {"en": "In all columns; they stand on Checks.", "zh": "各列合计; 见检查页。"},
    "not_judged": {"en": "Checks not judged (n/a)", "zh": "无法判断的检查"},
    "not_judged_about": {
        "en": "In all columns, without the bounds; a figure that the check needs is not known.",
        "zh": "各列合计, 不含数值界限; 检查所需数据未知。",
    },
    "chart_data": {
        "en": "In the chart: {0} (no bar where a part is n/a)",
        "zh": "图中数据: {0}(有未知项的情景不画柱)",
    },
    "contents": {"en": "Contents", "zh": "目录"},
    "legend": {"en": "Colours", "zh": "颜色说明"},
    "legend_input": {"en": "Input: change it", "zh": "输入: 可修改"},
    "legend_calc": {"en": "Calculation: locked", "zh": "计算: 锁定"},
    "legend_link": {"en": "Link to another sheet", "zh": "引用其他页"},
    "legend_output": {"en": "Output", "zh": "输出"},
    "legend_fact": {"en": "Catalogue fact: locked", "zh": "目录数据: 锁定"},
    "about_inputs": {"en": "What may be changed, with unit, range, source and confidence", "zh": "可修改的输入"},
    "about_summary": {"en": "Headline figures and charts", "zh": "关键数据与图表"},
    "about_catalog": {"en": "Facts of every part that a plan can pick", "zh": "可选型号的参数"},
    "about_checks": {"en": "What ought to hold, and where it does not", "zh": "检查结果"},
    "about_sources": {"en": "Origin of every fact and formula", "zh": "数据与公式出处"},
    "about_changes": {"en": "Revisions of the plan, with its SHA-256", "zh": "方案各版本与 SHA-256"},
    "about_area": {"en": "Lines of this area", "zh": "本领域计算"},
    "left_out": {"en": "Left out, because plugins are off", "zh": "因插件关闭而未计入"},
    "unread": {
        "en": "{0}: no plugin that is on reads this part of the plan",
        "zh": "{0}: 没有启用的插件读取这部分方案",
    },
    "chosen": {"en": "chosen", "zh": "选定"},
    "at_default": {"en": "default", "zh": "缺省"},
    "number": {"en": "A number", "zh": "数值"},
    "number_in": {"en": "A number in {0}", "zh": "数值, 单位 {0}"},
    "or_auto": {"en": ", or the word auto", "zh": ", 或 auto"},
    "one_of": {"en": "One of the list", "zh": "请从列表选择"},
}


def word(name: str, language: str, *values: str) -> str:
    """Return a fixed word, with values put into its slots."""
    return say(WORDS[name], language).format(*values) if values else say(WORDS[name], language)


def confidence(said: str, language: str) -> str:
    """Return how sure a source is, as the plan's language puts it; a word of a plugin's own stays as it is."""
    return say(CONFIDENCES.get(said, said), language)
