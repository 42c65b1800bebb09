"""Mishaps that users of planning tools met in public: which test shows how we do, and those shown nowhere else.

The list is in cases/users.yaml: what went wrong elsewhere, and the tests by file and function.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from openpyxl import load_workbook

from capframe import Area, CapframeError, LineItem, figure, load
from capframe.cli import main
from capframe.errors import PlanError
from capframe.figures import FORMATS
from capframe.lint.formulas import PORTABLE
from capframe.recalculate import Formualizer, by_formualizer, differences, stored
from capframe.testing import evaluate, plan_with
from capframe_plugins.brief.rendering import render
from capframe_plugins.workbook.build import write

TESTS = Path(__file__).parent
CASES = yaml.safe_load((TESTS / "cases" / "users.yaml").read_text(encoding="utf-8"))
EXAMPLES = sorted((TESTS.parent / "examples").glob("*.[yt]*ml"))


# ---------------------------------------------------------------- the list


@cache
def functions(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_a_test_that_exists(case):
    for node in CASES[case]["tests"]:
        file, _, function = node.partition("::")
        assert function.startswith("test_")
        assert function in functions(file), node


# ---------------------------------------------------------------- the plan document

PLAN = """\
capframe: 1
title: As typed
date: 2026-11-29
workloads:
  w: {{pool: main, model: {{parameters: {parameters}}}, tokens: {tokens}, mfu: 40%}}
pools:
  main: {{accelerator: nvidia/a100-sxm4-80gb, count: 8, power: {{card_power: {power}}}}}
network: {{rate: {rate}}}
power: {{site_limit: {limit}}}
"""
USUAL = {"parameters": "70B", "tokens": "1T", "power": "400 W/card", "rate": "50 GB/s/port", "limit": "1 MW"}


@pytest.fixture
def typed(plan_file):
    return lambda **said: load(plan_file(PLAN.format(**USUAL | said)))


@pytest.mark.parametrize(
    ("field", "text", "key", "value"),
    [
        ("rate", "400 Gbit/s/port", "network.rate", 400),
        ("rate", "400Gb/s/port", "network.rate", 400),
        ("rate", "50 GB/s/port", "network.rate", 400),  # 50e9 B × 8 = 400 Gbit
        ("rate", "400 GB/s/port", "network.rate", 3200),
        ("parameters", "70B", "workloads.w.model.parameters", 70e9),  # billions of parameters, no bytes
        ("tokens", "1.4T", "workloads.w.tokens", 1.4e12),
        ("limit", "1.2 MW", "power.site_limit", 1.2),
        ("limit", "1200 kW", "power.site_limit", 1.2),
        ("power", "0.7 kW/card", "pools.main.power.card_power", 700),
    ],
)
def test_units_as_people_write_them(typed, field, text, key, value):
    assert typed(**{field: text}).inputs[key].base.value == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("rate", "400G", "bits or bytes"),
        ("parameters", "70GB", "'70GB' is in GB, which is not parameter"),
        ("limit", "1.2 mW", ""),  # a thousandth of a watt: a unit that nobody has, or far below any site
        ("power", "10.2KW/card", "KW"),  # K is no prefix; never a thousand times off
        ("power", "700", ""),  # a bare number where a unit is needed
    ],
)
def test_units_that_could_mean_two_things(typed, field, text, said):
    with pytest.raises(PlanError, match=r"plan.yaml:\d+:\d+: ") as caught:
        typed(**{field: text})
    assert said in str(caught.value)


CHINESE = PLAN.format(**USUAL).replace("As typed", "智算中心一期")


def test_chinese_plans_on_any_machine(tmp_path):
    """A Chinese plan under the locale of a machine without UTF-8; with a byte-order mark; saved as GBK."""
    plan = tmp_path / "方案.yaml"

    def check(data: bytes):
        plan.write_bytes(data)
        machine = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C"}
        return subprocess.run(
            [sys.executable, "-m", "capframe", "show", str(plan), "pools.main.cards", "--json"],
            check=False, capture_output=True, env=machine,
        )  # fmt: skip

    plain, marked, gbk = (check(CHINESE.encode(code)) for code in ("utf-8", "utf-8-sig", "gbk"))
    assert plain.returncode == marked.returncode == 0
    assert plain.stdout == marked.stdout
    assert "智算中心一期" in plain.stdout.decode("utf-8")
    assert gbk.returncode == 2
    assert b"not UTF-8" in gbk.stderr


# ---------------------------------------------------------------- money

PRICED = """
currency: {currency}
rates: {{{other}: {{value: {rate}, source: central bank, date: 2026-01-05}}}}
pools: {{main: {{accelerator: nvidia/a100-sxm4-80gb, count: 8}}}}
cost: {{contingency: 0%, tariff: {tariff}}}
prices:
  - {{part: nvidia/a100-sxm4-80gb, price: {price}, vat: excluded, per: card, date: 2026-10-15, source: quotation}}
"""
IN_CNY = {"currency": "CNY", "other": "USD", "rate": "7.2 CNY/USD", "tariff": "0.72 CNY/kWh"}
IN_USD = {"currency": "USD", "other": "CNY", "rate": "0.138888888888888889 USD/CNY", "tariff": "0.1 USD/kWh"}


@pytest.mark.parametrize(
    ("words", "price", "total"),
    [
        (IN_CNY, "125000 USD", 7_200_000),  # 8 × 125,000 × 7.2, once: not 8 × 125,000 × 7.2²
        (IN_CNY, "90000 CNY", 720_000),
        (IN_USD, "125000 USD", 1_000_000),
        (IN_USD, "90000 CNY", 100_000),  # 720,000 ÷ 7.2
    ],
)
def test_two_currencies_meet_once(words, price, total):
    results = evaluate(plan_with(PRICED.format(**words, price=price)))
    assert results.value("pools.main.cards.purchase") == pytest.approx(total, rel=1e-12)
    rates = [key for key in results.plan.inputs if key.startswith("rates.")]
    assert len(rates) == 1  # one cell
    assert results.input(rates[0]).base.origin.date == "2026-01-05"


@pytest.mark.parametrize(("period", "count"), [("month", 12), ("quarter", 4), ("year", 1)])
def test_a_year_is_twelve_months_is_four_quarters(period, count):
    """At 100 an hour a month of 730 h is 73,000, a quarter 219,000, a year of 8,760 h 876,000."""
    text = f"timeline: {{start: 2027-01, period: {period}, periods: {count}}}\n"
    text += "pools: {main: {accelerator: nvidia/a100-sxm4-80gb, count: 8}}\n"
    series = evaluate(plan_with(text), {"cost.energy": 876_000.0}).series("cash.energy")
    assert series == pytest.approx([876_000 / count] * count, rel=1e-12)
    assert sum(series) == pytest.approx(876_000, rel=1e-12)


# ---------------------------------------------------------------- catalogues

PODS = """
catalog: 1
kind: accelerator
as_of: 2026-11-20
sources: {press: {title: Two pods in the press}}
records:
  - {id: pod/a, origin: &o {source: press, confidence: press}, facts: {peak: {bf16: 780 TFLOP/s/card}, memory: 128 GB/card, cards_per_server: 384 card/server}}
  - {id: pod/b, origin: *o, facts: {peak: {bf16: 2500 TFLOP/s/card}, memory: 192 GB/card, cards_per_server: 72 card/server}}
"""  # noqa: E501
SIDE_BY_SIDE = """
capframe: 1
title: Two pods
date: 2026-11-29
catalogs: [pods.yaml]
workloads: {job: {pool: main, model: {parameters: 70B}, tokens: 1T, mfu: 40%}}
pools: {main: {accelerator: pod/a, count: 384}}
scenarios:
  b: {pools.main.accelerator: pod/b, pools.main.count: 72}
  slower: {workloads.job.mfu: 30%}
"""


def test_two_vendors_side_by_side(tmp_path):
    (tmp_path / "pods.yaml").write_text(PODS, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(SIDE_BY_SIDE, encoding="utf-8")
    results = load(tmp_path / "plan.yaml").ledger().evaluate()
    days = {scenario: results.value("workloads.job.compute.days", scenario) for scenario in results.columns}
    # 384 × 780 = 299,520 and 72 × 2,500 = 180,000 TFLOP/s: 1.664 pods of b for one of a
    assert days["b"] / days["base"] == pytest.approx(299_520 / 180_000, rel=1e-12)
    # at 30 % instead of 40 %: 1.664 × 0.75 = 1.248
    assert days["b"] / days["slower"] == pytest.approx(1.248, rel=1e-12)


CHIP = """
catalog: 1
kind: accelerator
as_of: 2026-11-20
sources: {sheet: {title: Data sheet of a chip}}
records:
  - id: some/chip
    origin: {source: sheet, confidence: datasheet}
    facts:
      peak: {bf16: 989 TFLOP/s/card, fp16: 989 TFLOP/s/card, fp8: 1979 TFLOP/s/card, tf32: 495 TFLOP/s/card}
      supported: {bf16: yes, fp16: yes, fp8: yes, tf32: yes}
      cards_per_server: 8 card/server
"""
ON_A_CHIP = """
capframe: 1
title: A chip and its precisions
date: 2026-11-29
catalogs: [chip.yaml]
workloads:
  job: {{pool: main, model: {{parameters: 70B}}, tokens: 1T, {job}}}
pools: {{main: {{accelerator: some/chip, count: 8}}}}
{more}
"""
JOB = "workloads.job"
BASIS = f"{JOB}.compute.mfu_basis_is_precision"


@pytest.fixture
def on_a_chip(tmp_path):
    """Return the results of a job on a chip whose fp8 peak is twice its bf16 peak."""
    (tmp_path / "chip.yaml").write_text(CHIP, encoding="utf-8")

    def run(job, more="", overrides=()):
        (tmp_path / "plan.yaml").write_text(ON_A_CHIP.format(job=job, more=more), encoding="utf-8")
        return load(tmp_path / "plan.yaml", overrides=overrides).ledger().evaluate()

    return run


def outcome(results, key, scenario="base"):
    """Return how a check came out, and its sentence."""
    [status] = [one for one in results.statuses(scenario) if one.check.key == key]
    return status.result, status.message


def test_a_measured_rate_is_shown_on_both_bases(on_a_chip):
    results = on_a_chip("precision: fp8, compute: {effective_rate: 600 TFLOP/s/card}")
    shares = {
        results.ledger.label(key): results.figure(key)
        for key in (f"{JOB}.compute.mfu_in_precision", f"{JOB}.compute.mfu_on_basis")
    }
    assert shares == {
        "Effective rate as MFU of the precision it runs in": "30.3%",  # 600 ÷ 1,979
        "Effective rate as MFU of the precision of mfu_basis": "60.7%",  # 600 ÷ 989, bf16 where nothing is said
    }
    assert outcome(results, BASIS) == ("pass", "")  # a rate that was measured is what it is


SWITCHED = [
    ("precision: fp8, mfu: 40%", "", (), "base"),  # in the plan
    ("mfu: 40%", "scenarios: {s: {workloads.job.precision: fp8}}", (), "s"),
    ("mfu: 40%", "", ("workloads.job.precision=fp8",), "base"),
    ("mfu: 40%", "scenarios: {s: {}}", ("scenarios.s.workloads.job.precision=fp8",), "s"),
    ("precision: fp8", "compute: {typical_mfu: 40%}", (), "base"),  # the typical one is that of bf16 too
]


@pytest.mark.parametrize(("job", "more", "overrides", "scenario"), SWITCHED)
def test_an_mfu_of_another_precision_is_warned_of(on_a_chip, job, more, overrides, scenario):
    """1,979 ÷ 989 = 2.001: at the same MFU the days are halved, which nobody measured."""
    results = on_a_chip(job, more, overrides)
    result, said = outcome(results, BASIS, scenario)
    assert result == "fail"
    # 40 % of 1,979 is 791.6 TFLOP/s, and 791.6 ÷ 989 = 80.0 %
    assert said == (
        "job runs in fp8 at 40.0% of that peak, but its MFU was measured in bf16, of whose peak this is 80.0%; "
        "give the MFU measured in fp8, and say so (mfu_basis: fp8)"
    )
    assert [one.check.severity for one in results.statuses() if one.check.key == BASIS] == ["warning"]


SAID = [
    ("precision: fp8, mfu: 30%, mfu_basis: fp8", "", "base"),
    ("mfu: 40%", "scenarios: {s: {workloads.job: {precision: fp8, mfu: 30%, mfu_basis: fp8}}}", "s"),
    ("mfu: 40%", "", "base"),
    ("precision: fp16, mfu: 40%", "", "base"),  # the same peak as bf16, so the same MFU
]


@pytest.mark.parametrize(("job", "more", "scenario"), SAID)
def test_an_mfu_that_says_its_precision_is_not_warned_of(on_a_chip, job, more, scenario):
    assert outcome(on_a_chip(job, more), BASIS, scenario) == ("pass", "")


def test_the_warning_comes_when_the_cell_is_changed(on_a_chip, tmp_path):
    """A reader picks fp8 in the yellow cell of the workbook, then says that the MFU is one of fp8."""
    path = tmp_path / "chip.xlsx"
    write(on_a_chip("mfu: 40%"), path)
    book = load_workbook(path)
    rows = {cell.value: cell.row for title in ("Inputs", "Checks") for row in book[title] for cell in row}
    precision, basis = (("Inputs", f"C{rows[f'{JOB}.{key}']}") for key in ("precision", "mfu_basis"))
    verdict, judge = f"D{rows[BASIS]}", Formualizer(path)
    for edits, said in (({}, "pass"), ({precision: "fp8"}, "fail"), ({precision: "fp8", basis: "fp8"}, "pass")):
        with judge.edited(edits) as cells:
            assert cells["Checks"][verdict] == said


# ---------------------------------------------------------------- the workbook


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    files = {path.stem: folder / f"{path.stem}.xlsx" for path in EXAMPLES}
    for path in EXAMPLES:
        write(load(path).ledger().evaluate(), files[path.stem])
    return files


NAMES = ["H100", "R90GGH", "Q1", "2026-Q1", "O'Hare", "方案A", "C", "Q3 SALES", "SALES", "IB/RoCE", "h100", "History",
         "Ascend 910B vs H800 2026 Q1 comparison", "", "'"]  # fmt: skip


def test_sheets_may_be_called_anything(tmp_path, results, plugin_of):
    """Sheets that look like cells, hold apostrophes, are too long, or differ in capitals only, read by one another."""
    areas = [Area(f"area{number}", name, 100 + number) for number, name in enumerate(NAMES)]

    def lines(p):  # each is one more than the one on the sheet before, after the first, which is 1
        for number in range(len(NAMES)):
            before = p[f"area{number - 1}"].step if number else 0
            yield LineItem(p[f"area{number}"].step, before + 1, "1", label=f"Step {number}", headline=True)

    found = results("", extra={"steps": plugin_of(sections=areas, line_items=lines)})
    write(found, tmp_path / "names.xlsx")
    book = load_workbook(tmp_path / "names.xlsx")
    titles = book.sheetnames
    assert len({title.casefold() for title in titles}) == len(titles)
    assert all(1 <= len(title) <= 31 and not re.search(r"[\[\]:*?/\\]", title) for title in titles)
    assert {"H100", "O'Hare", "方案A", "Q3 SALES", "SALES", "IB RoCE"} <= set(titles)
    assert "history" not in {title.casefold() for title in titles}
    formulas = [cell.value for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    assert any("'O''Hare'!" in formula for formula in formulas)
    assert not any(re.search(r"(?<!')\b(H100|Q1|C|SALES)!", formula) for formula in formulas)  # always in quotes
    values = stored(tmp_path / "names.xlsx")
    assert differences(values, by_formualizer(tmp_path / "names.xlsx")) == []
    assert float(len(NAMES)) in values["Summary"].values()


NASTY = ["=cmd|' /C calc'!A0", "+1", "@all", "-5 reserve"]


@pytest.mark.parametrize("text", NASTY)
def test_text_is_text_whatever_it_starts_with(tmp_path, plan_file, text):
    plan = plan_file(f"power: {{pue: {{value: 1.2, source: {text!r}, note: {text!r}}}}}\n")
    write(load(plan).ledger().evaluate(), tmp_path / "text.xlsx")
    book = load_workbook(tmp_path / "text.xlsx")
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value == text]
    assert len(cells) >= 2  # source and note, unchanged
    assert {cell.data_type for cell in cells} == {"s"}
    assert all(cell.quotePrefix for cell in cells)  # and text it stays when somebody edits the cell
    numbers = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "n"]
    assert not any(cell.quotePrefix for cell in numbers)


def test_what_no_cell_can_hold(tmp_path, plan_file):
    """A note pasted from a word processor with a vertical tab, and one of 40,000 characters."""
    long = "x" * 40_000
    plan = plan_file(f'power: {{pue: {{value: 1.2, source: "pasted\\vtext", note: {long}}}}}\n')
    write(load(plan).ledger().evaluate(), tmp_path / "long.xlsx")
    texts = [str(cell.value) for row in load_workbook(tmp_path / "long.xlsx")["Inputs"].iter_rows() for cell in row]
    assert "pastedtext" in texts
    assert max(map(len, texts)) == 32_767
    assert next(text for text in texts if len(text) == 32_767).endswith("…")  # it goes on


def test_a_file_may_be_called_anything(tmp_path, plan_file):
    write(load(plan_file("", "pasted\vname.yaml")).ledger().evaluate(), tmp_path / "named.xlsx")
    book = load_workbook(tmp_path / "named.xlsx")
    assert book.properties.subject == "pastedname.yaml"
    assert {sheet.oddFooter.left.text for sheet in book} == {"pastedname.yaml"}


@pytest.mark.parametrize("command", ["check", "build"])
def test_what_is_left_out_of_a_text_is_told_with_its_place(tmp_path, plan_file, capsys, command):
    """On stderr, and neither the plan nor the files suffer: the status is 0, as without it."""
    head = 'capframe: 1\ndate: 2026-11-29\ntitle: "Pasted\\vtitle"\nrevision: 1\v\nauthor: \vLi Lei\n'
    plan = plan_file(f"{head}power: {{pue: {{value: 1.2, source: pasted\vtext, note: {'x' * 40_000}}}}}\n")
    out = ("-o", str(tmp_path)) if command == "build" else ()
    assert main([command, str(plan), *out]) == 0
    left_out = "a control character in this text is left out: no cell of a workbook can hold it"
    cut = "this text has 40,000 characters; a cell of the workbook holds 32,767, so the rest is left out there"
    assert capsys.readouterr().err.splitlines() == [
        f"warning: plan.yaml:3:8: {left_out}",
        f"warning: plan.yaml:4:12: {left_out}",
        f"warning: plan.yaml:5:9: {left_out}",
        f"warning: plan.yaml:6:41: {left_out}",
        f"warning: plan.yaml:6:54: {cut}",
    ]
    assert main([command, str(plan), *out, "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_a_division_by_nothing_is_not_available(tmp_path):
    plan = plan_with("""
pools: {main: {accelerator: nvidia/a100-sxm4-80gb, count: 8}}
line_items:
  - {key: own.share, inputs: {users: 0}, formula: pools.main.cards / users, unit: card, label: Cards per user}
""")
    results = plan.ledger().evaluate()
    assert results.reason("own.share") is not None
    write(results, tmp_path / "nothing.xlsx")
    values = stored(tmp_path / "nothing.xlsx")
    errors = {value for cells in values.values() for value in cells.values() if str(value).startswith("#")}
    assert errors == {"#N/A"}
    assert differences(values, by_formualizer(tmp_path / "nothing.xlsx")) == []
    assert any("#N/A" in cells.values() for cells in values.values())
    assert None not in values["Summary"].values()


NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+(e[-+]?\d+)?%?", re.IGNORECASE)


SUM = ("Sum of what is priced", "合计")


@pytest.mark.parametrize("name", [path.stem for path in EXAMPLES])
def test_numbers_are_numbers_and_add_up(examples, name):
    """Count, price, sum and power of the bill are numbers; the total is the sum of the rows that it shows."""
    book = load_workbook(examples[name], data_only=True)
    [bill] = [sheet for sheet in book if sheet.title in {"Bill of materials", "设备清单"}]
    block, blocks, paid = [], 0, []
    for row in bill.iter_rows(min_row=5):
        count, price, total = (row[column].value for column in (4, 6, 7))
        if row[2].value:
            if count == 0:  # nothing is bought: no price is missed, and nothing adds up
                assert {price, total} <= {"–", "n/a"} or total == 0, row[1].value
                continue
            for value in (count, price, total):
                assert value == "n/a" or isinstance(value, int | float), row[1].value
            block.append(total)
        elif total is None or (block and not row[1].value.startswith(SUM)):  # sums by role stand before that of all
            continue
        elif block:
            known = [value for value in block if value != "n/a"]
            total = "n/a" if total == "#N/A" else total
            assert total == (pytest.approx(sum(known), rel=1e-12) if known else "n/a")  # 0 would be a figure
            block, blocks, paid = [], blocks + 1, [total]
        else:  # on top of that: the contingency, and both together
            paid.append(total)
            if len(paid) == 3 and not {"n/a", "#N/A"} & {*paid}:
                assert paid[2] == pytest.approx(paid[0] + paid[1], rel=1e-12)
    assert blocks >= 1
    for sheet in book:
        if not sheet.title.startswith(("Cover", "封面", "Inputs", "输入", "Sources", "来源", "Catalog", "产品目录")):
            values = [cell for row in sheet.iter_rows(min_row=5, min_col=3, max_col=3) for cell in row]
            assert not [cell.coordinate for cell in values if cell.data_type == "s" and NUMBER.fullmatch(cell.value)]


def test_sums_by_role_add_up(examples):
    """75,000,000 of cards and 150,000 of two spares are what is priced; of parts in servers nothing is."""
    bill = load_workbook(examples["mozi-70b"], data_only=True)["Bill of materials"]
    sums = {row[1].value: row[7].value for row in bill.iter_rows(min_row=5) if row[1].value and not row[2].value}
    assert sums["All IT equipment, as far as known"] == 75_000_000
    assert sums["All spares on the shelf, as far as known"] == 150_000
    assert sums["All parts in servers, as far as known"] == "n/a"
    assert next(value for name, value in sums.items() if name.startswith(SUM)) == 75_150_000


@pytest.mark.parametrize("name", [path.stem for path in EXAMPLES])
def test_no_subtotal_is_added_twice(examples, name):
    """No range that is summed holds a cell that is itself such a sum."""
    book = load_workbook(examples[name])
    sums = {}
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f" and (
                    one := re.fullmatch(r"=SUM(?:IF)?\(([A-Z]+\d+:[A-Z]+\d+)[,)].*", cell.value)
                ):
                    sums[sheet.title, cell.coordinate] = one[1]
    assert sums or name != "domestic-160k"  # ranges are summed over periods, and only that plan has a timeline
    for (title, at), cells in sums.items():
        inside = {cell.coordinate for row in book[title][cells] for cell in row}
        assert not [other for sheet, other in sums if sheet == title and other in inside and other != at]


@pytest.mark.parametrize("name", [path.stem for path in EXAMPLES])
def test_functions_are_those_that_every_program_has(examples, name):
    used = set()
    with ZipFile(examples[name]) as archive:
        for part in archive.namelist():
            if part.startswith("xl/worksheets/sheet"):
                text = archive.read(part).decode()
                assert "_xlfn" not in text
                for formula in re.findall(r"<f[^>]*>(.*?)</f>", text, re.DOTALL):
                    without = re.sub(r'"[^"]*"|\'[^\']*\'', "", formula.replace("&quot;", '"').replace("&apos;", "'"))
                    used |= set(re.findall(r"([A-Z][A-Z0-9.]*)\(", without))
                    assert "@" not in without
    assert {"SUM", "INDEX", "MATCH", "IF"} <= used <= PORTABLE


def test_a_lower_mfu_costs_more_card_hours():
    # 40 % ÷ 30 % = 4/3
    text = "pools: {{main: {{accelerator: nvidia/a100-sxm4-80gb, count: 8}}}}\n"
    text += "workloads: {{w: {{pool: main, model: {{parameters: 7B}}, tokens: 1T, mfu: {mfu}}}}}\n"
    one, other = (evaluate(plan_with(text.format(mfu=mfu))) for mfu in ("40%", "30%"))
    hours = [results.value("workloads.w.compute.card_hours") for results in (one, other)]
    assert hours[1] / hours[0] == pytest.approx(4 / 3, rel=1e-12)


# ---------------------------------------------------------------- the brief


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (0.1 + 0.2, "number", "0.30"),
        (0.1 + 0.2, "percent", "30.0%"),
        (1.4e12, "big", "1.4T"),
        (123_456_789, "count", "123,456,789"),
    ],
)
def test_no_raw_float_reaches_a_reader(value, form, shown):
    assert figure(value, FORMATS[form]) == shown


@pytest.mark.parametrize(
    "text",
    [
        "{{ ''.__class__ }}",
        "{{ plan.update({'a': 1}) }}",
        "{% for i in range(9999999) %}x{% endfor %}",
        "{{ 'a' * 100000000 }}",
        "{% for a in xs %}{% for b in xs %}{% for c in xs %}xxxxxxxxxx{% endfor %}{% endfor %}{% endfor %}",
    ],
)
def test_templates_cannot_reach_out(text):
    """A template of somebody else's may neither look into Python, change the plan, nor write without an end."""
    contents = {"plan": {}, "xs": list(range(200))}
    with pytest.raises(CapframeError, match=r"^template t.j2"):
        render("t.j2", contents, {"t.j2": text}.__getitem__)
    assert contents["plan"] == {}
