"""The workbook of each example against a bare openpyxl script that writes the same cells. Run it as a file.

Bare: values and formulas, one named style for each role, column widths; no values beside formulas, no validation, no
charts, no print set-up. The aim is at most 1.5 times as long for building the workbook from an evaluated ledger.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from report import report, seconds

EXAMPLES = Path(__file__).parents[1] / "examples"


def bare(source: Path, target: Path) -> tuple[float, int]:
    """Write the cells of a workbook again with openpyxl alone; return how long that takes, and how many cells."""
    from openpyxl import Workbook, load_workbook
    from openpyxl.styles import Font, NamedStyle

    book = load_workbook(source)
    sheets = [
        (
            sheet.title,
            [(cell.row, cell.column, cell.value, cell.style) for row in sheet.iter_rows() for cell in row
             if cell.has_style or cell.value is not None],
            {letter: about.width for letter, about in sheet.column_dimensions.items()},
        )
        for sheet in book.worksheets
    ]  # fmt: skip

    def write() -> None:
        new = Workbook()
        new.remove(new.worksheets[0])
        made: dict[str, object] = {}
        for title, cells, widths in sheets:
            sheet = new.create_sheet(title)
            for letter, width in widths.items():
                sheet.column_dimensions[letter].width = width
            for row, column, value, style in cells:
                cell = sheet.cell(row, column, value)
                if style != "Normal":
                    if style not in made:
                        new.add_named_style(NamedStyle(name=style, font=Font(name="Arial", size=10)))
                        cell.style = style
                        made[style] = cell._style  # noqa: SLF001 - as capframe does: the name scans all styles
                    cell._style = made[style]  # noqa: SLF001
        new.save(target)

    return seconds(write), sum(len(cells) for _, cells, _ in sheets)


def main() -> None:
    """Print the ratios for each example."""
    from capframe import export, load

    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for example in sorted(EXAMPLES.glob("*.[yt]*ml")):
            plan = load(example)
            ledger = plan.ledger()
            results = ledger.evaluate()
            steps = {
                "load": seconds(partial(load, example)),
                "assemble": seconds(plan.ledger),
                "evaluate": seconds(ledger.evaluate),
            }
            for suffix in ("xlsx", "md", "json"):
                steps[suffix] = seconds(partial(export, results, plan.host, folder, example.stem, [suffix]))
            plain, cells = bare(folder / f"{example.stem}.xlsx", folder / "bare.xlsx")
            figures[f"{example.stem}: workbook over bare"] = steps["xlsx"] / plain
            figures[f"{example.stem}: everything over bare"] = sum(steps.values()) / plain
            figures[f"{example.stem}: cells"] = cells
            figures |= {
                f"{example.stem}: {step} over bare": took / plain for step, took in steps.items() if step != "xlsx"
            }
            figures[f"{example.stem}: bare, ms"] = 1000 * plain
    report("build", figures)


if __name__ == "__main__":
    main()
