"""What catalogues cost a plan: 3,000 records more, read for the first time, out of the cache, and without them.

Run it as ``python benchmarks/catalogs.py``. It writes into a folder of its own.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

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


def seconds(plan: Path, times: int) -> float:
    """Return how long a plan takes to load, the median of some times."""
    from capframe import load

    took = []
    for _ in range(times):
        start = time.perf_counter()
        load(plan)
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def main() -> None:
    """Print three figures."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CAPFRAME_CACHE"] = str(Path(folder) / "cache")
        plain, full = Path(folder) / "plain.yaml", Path(folder) / "full.yaml"
        plain.write_text(HEAD, encoding="utf-8")
        full.write_text(HEAD + "catalogs: [bench.yaml]\n", encoding="utf-8")
        head = "catalog: 1\nkind: accelerator\nas_of: 2026-11-29\nsources: {bench: {title: Bench}}\nrecords:\n"
        bench = head + "".join(RECORD.format(number) for number in range(RECORDS))
        (Path(folder) / "bench.yaml").write_text(bench, encoding="utf-8")
        seconds(plain, 1)  # what is imported once
        print(f"without                  {1000 * seconds(plain, 5):8.0f} ms")
        print(f"{RECORDS} records, first time {1000 * seconds(full, 1):8.0f} ms")
        print(f"{RECORDS} records, kept       {1000 * seconds(full, 5):8.0f} ms")


if __name__ == "__main__":
    main()
