"""Rain water for cooling: the plugin that docs/plugins.md builds, with every hook there is."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attrs import frozen

from capframe import (
    CatalogFile,
    Check,
    Command,
    Executor,
    Exporter,
    Function,
    Given,
    Importer,
    Item,
    LineItem,
    RecordKind,
    Section,
    TemplateFolder,
    UnitDefinition,
    at_most,
    hookimpl,
    pick,
    plain_number,
    quantity,
    round_up,
    strict,
    text,
)


# begin units
@hookimpl
def capframe_units():
    yield UnitDefinition("tank", many="tanks")
    yield UnitDefinition("litre", prefixes=True, counted=False)


# end units


# begin sections
TUTORIAL = {"en": "made up for the tutorial", "zh": "教程示例数据"}


@frozen(kw_only=True)
class Rain:
    fall: Given = quantity(
        "litre/d", label={"en": "Rain caught", "zh": "日均集雨量"}, default="40 klitre/d", low=0,
        between=("10 klitre/d", "90 klitre/d"), source=TUTORIAL,
    )  # fmt: skip
    per_energy: Given = quantity(
        "litre/kWh", label={"en": "Water per energy", "zh": "单位电量耗水"}, default="1.8 litre/kWh",
        source=TUTORIAL,
    )  # fmt: skip
    days: Given = quantity("d", label={"en": "Days to bridge", "zh": "储备天数"}, default="3 d", source=TUTORIAL)
    tank: Given = pick("tank", label={"en": "Tank", "zh": "水罐"}, default="maker/blue-50")
    side: Given = quantity(
        "1", label={"en": "Side of a tank over a metre", "zh": "罐边长(米)"}, default="3", source=TUTORIAL,
    )  # fmt: skip


@hookimpl
def capframe_sections():
    yield Section("rain", Rain, {"en": "Rain water", "zh": "雨水"})


# end sections


# begin functions
cube = Function("cube", strict(lambda x: x**3), "POWER({0},3)", "{0:(}³", plain_number)


@hookimpl
def capframe_functions():
    yield cube


# end functions


# begin items
@hookimpl
def capframe_items(p):
    rain = p.rain
    yield Item(
        rain.tanks, round_up(rain.fall * rain.days / rain.tank.holds), "tank",
        label={"en": "Tanks", "zh": "水罐"}, part=rain.tank, sort={"en": "Cooling", "zh": "制冷"}, role="facility",
    )  # fmt: skip


# end items


# begin lines
@hookimpl
def capframe_line_items(p):
    rain = p.rain
    yield LineItem(
        rain.wanted, p.power.it * rain.per_energy, "litre/d",
        label={"en": "Water wanted", "zh": "需水量"}, headline=True,
    )  # fmt: skip
    yield LineItem(rain.volume, cube(rain.side), "1", label={"en": "Volume of a tank in cubic metres", "zh": "罐体积"})


# end lines


# begin checks
@hookimpl
def capframe_checks(p):
    rain = p.rain
    yield Check(
        rain.enough,
        at_most(rain.wanted, rain.fall),
        "warning",
        {"en": f"{rain.wanted} is more than {rain.fall} of rain", "zh": f"需水 {rain.wanted}，集雨仅 {rain.fall}"},
        label={"en": "Rain is enough", "zh": "雨水足够"},
    )


# end checks


# begin catalogs
@frozen(kw_only=True)
class Tank:
    holds: Given = quantity("litre/tank", label={"en": "Holds", "zh": "容量"}, optional=True)
    material: Given = text(label={"en": "Material", "zh": "材质"})


@hookimpl
def capframe_catalogs():
    yield RecordKind("tank", Tank, {"en": "Tank", "zh": "水罐"}, bought="tank")
    yield CatalogFile(Path(__file__).with_name("tanks.yaml"))


# end catalogs


# begin exporters
def write_postcard(results, path):
    """Write one line a line; libraries that are heavy would be imported here."""
    lines = [f"{column}: {results.with_unit('rain.wanted', column)}\n" for column in results.columns]
    path.write_text("".join(lines), encoding="utf-8")


@hookimpl
def capframe_exporters():
    yield Exporter("postcard", ".txt", write_postcard)


# end exporters


# begin templates
@hookimpl
def capframe_templates():
    yield TemplateFolder(Path(__file__).parent / "templates")


# end templates


# begin commands
@hookimpl
def capframe_commands():
    yield Command("forecast", "Say how much water a plan wants.", "capframe_rain.forecast:forecast")


# end commands


# begin executors
@hookimpl
def capframe_executors():
    yield Executor("threads", lambda workers: ThreadPoolExecutor(workers))


# end executors


# begin importers
HEAD = """\
catalog: 1
kind: tank
as_of: 2026-11-29
sources: {list: {title: Price list of the tank maker}}
records:
"""


def read_price_list(path):
    """Turn lines such as ``blue-50;50`` into a catalogue of ours."""
    rows = [line.split(";") for line in path.read_text(encoding="utf-8").splitlines()]
    record = "  - {{id: maker/{}, origin: {{source: list, confidence: datasheet}}, facts: {{holds: {} klitre/tank}}}}\n"
    return HEAD + "".join(record.format(name, holds) for name, holds in rows)


@hookimpl
def capframe_importers():
    yield Importer(".tanks", read_price_list)


# end importers
