"""What catalogues cost a plan: 3,000 records more, read for the first time, out of the cache, and without them.

Run it as ``python benchmarks/catalogs.py``. It writes into a folder of its own.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from report import report, seconds

RECORDS = 3000
HEAD = "capframe: 1\ntitle: Benchmark\ndate: 2026-11-29\npools: {main: {accelerator: nvidia/a100-sxm4-80gb}}\n"
RECORD = """\
  - id: bench/chip-{0}
    name: {{en: Chip {0}, zh: 芯片{0}}}
    vendor: {{en: Bench, zh: 测试}}
    aliases: [Chip {0}]
    origin: {{source: bench, confidence: datasheet}}
    facts:
      memory: 96 GB/card
      memory_bandwidth: {{value: 3{0} GB/s/card, note: "as printed"}}
      peak: {{fp64: 30 TFLOP/s/card, tf32: 400 TFLOP/s/card, bf16: 800 TFLOP/s/card, fp16: 800 TFLOP/s/card}}
      supported: {{bf16: yes, fp16: yes, fp8: no, fp32: yes, tf32: yes, fp64: yes, int8: yes}}
      tdp: {{value: 700 W/card, confidence: measured}}
      scale_up_bandwidth: 450 GB/s/card
      scale_up_domain: 8 card
      cards_per_server: 8 card/server
      form_factor: OAM
      status: in_production
"""


def main() -> None:
    """Print the ratios."""
    from capframe import load

    with tempfile.TemporaryDirectory() as folder:
        os.environ["CAPFRAME_CACHE"] = str(Path(folder) / "cache")
        plain, full = Path(folder) / "plain.yaml", Path(folder) / "full.yaml"
        plain.write_text(HEAD, encoding="utf-8")
        full.write_text(HEAD + "catalogs: [bench.yaml]\n", encoding="utf-8")
        head = "catalog: 1\nkind: accelerator\nas_of: 2026-11-29\nsources: {bench: {title: Bench}}\nrecords:\n"
        bench = head + "".join(RECORD.format(number) for number in range(RECORDS))
        (Path(folder) / "bench.yaml").write_text(bench, encoding="utf-8")
        load(plain)  # what is imported once
        without = seconds(lambda: load(plain))
        first = seconds(lambda: load(full), 1)
        kept = seconds(lambda: load(full))
        report(
            "catalogs",
            {
                f"{RECORDS} records, first time, over none": first / without,
                f"{RECORDS} records, kept, over none": kept / without,
                "without, ms": 1000 * without,
            },
        )


if __name__ == "__main__":
    main()
