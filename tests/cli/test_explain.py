"""``capframe explain``."""

from __future__ import annotations


def test_a_figure_and_the_tree_below_it(run, plan):
    ran = run("explain", plan(), "cost.purchase")
    assert ran.status == 0
    # 256 cards at 75,000 CNY
    assert ran.out.splitlines()[0] == "cost.purchase = 19,200,000.00 CNY   Accelerators"
    assert "= 256 cards × 75,000.00 CNY/card" in ran.out
    assert "source: quotation, vat excluded, estimate (small.yaml:10:45)" in ran.out or "quotation" in ran.out


def test_markdown(run, plan):
    out = run("explain", plan(), "cost.purchase", "--markdown", "--depth", "0").out
    assert out.startswith("## Accelerators\n\n`cost.purchase` Accelerators: **19,200,000.00 CNY**\n")


def test_a_scenario(run, plan):
    ran = run("explain", plan(), "workloads.pretrain.deadline", "--scenario", "short")
    assert ran.out.startswith("workloads.pretrain.deadline = 5 d ")
    assert ran.err == "in scenario short:\n"


def test_an_unknown_key(run, plan):
    ran = run("explain", plan(), "cost.purchas")
    assert ran.status == 2
    assert ran.err.startswith("there is no line, input or check 'cost.purchas'; did you mean 'cost.purchase'?")


def test_a_word_that_is_no_key_is_met_with_the_keys_that_are_called_so(run, example):
    known = "there is no line, input or check"
    ran = run("explain", example, "采购总额")
    assert ran.status == 2
    assert ran.err.startswith(f"{known} '采购总额'; did you mean one of 'cost.capex_with_vat', 'cost.capex'? (")
    assert run("explain", example, "运行电费").err.startswith(f"{known} '运行电费' (`capframe show")
    assert " more, which `capframe show` lists?" in run("explain", example, "采购").err
