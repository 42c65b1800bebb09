"""The fixed words of the workbook, in two languages."""

from __future__ import annotations

from capframe import say

WORDS = {
    "cover": {"en": "Cover", "zh": "封面"},
    "summary": {"en": "Summary", "zh": "摘要"},
    "inputs": {"en": "Inputs", "zh": "输入"},
    "catalog": {"en": "Catalog", "zh": "产品目录"},
    "checks": {"en": "Checks", "zh": "检查"},
    "sources": {"en": "Sources", "zh": "来源"},
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
    "missing": {"en": "Missing", "zh": "缺失"},
    "inputs_about": {
        "en": "Yellow cells are the only typed numbers. A blank scenario cell follows base; auto means computed.",
        "zh": "黄色单元格为唯一可输入的数字。情景列留空即沿用基准值; auto 表示由模型计算。",
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
        "zh": "错误级检查未通过表示方案不成立。n/a 表示检查所需数据未知。",
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
    "bounds": {"en": "Lines within their bounds", "zh": "数值界限"},
    "own_checks": {"en": "Checks of the plan", "zh": "方案检查"},
    "all_given": {"en": "Every required input is given", "zh": "必填项齐全"},
    "required_missing": {
        "en": "a yellow cell that needs a value is blank; see Inputs",
        "zh": "有必填的黄色单元格为空, 见输入页",
    },
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
    "currency": {"en": "Currency", "zh": "币种"},
    "conventions": {"en": "Conventions", "zh": "约定"},
    "conventions_text": {
        "en": "Year {year}, month {month}, day {day}; 1 GB = 1e9 B; links per direction; peaks dense; costs positive.",
        "zh": "年 {year}, 月 {month}, 日 {day}; 1 GB = 1e9 B; 带宽为单向; 峰值为稠密; 成本为正数。",
    },
    "made_by": {"en": "Made by", "zh": "生成工具"},
    "plan_file": {"en": "Plan file", "zh": "方案文件"},
    "master": {"en": "Master check", "zh": "总检查"},
    "master_about": {
        "en": "OK when no check of severity error fails in any column.",
        "zh": "任何一列都没有未通过的错误级检查时为 OK。",
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
    "about_area": {"en": "Lines of this area", "zh": "本领域计算"},
    "left_out": {"en": "Left out", "zh": "未计入"},
    "number_between": {"en": "A number in {unit}{range}", "zh": "{unit} 数值{range}"},
    "or_auto": {"en": ", or the word auto", "zh": ", 或 auto"},
    "one_of": {"en": "One of the list", "zh": "请从列表选择"},
}


def word(name: str, language: str, *values: str) -> str:
    """Return a fixed word, with values put into its slots."""
    return say(WORDS[name], language).format(*values) if values else say(WORDS[name], language)
