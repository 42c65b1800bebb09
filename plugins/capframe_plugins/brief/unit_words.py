"""How leaders read units, in two languages."""

from __future__ import annotations

UNITS: dict[str, dict[str, str | tuple[str, str]]] = {
    "card": {"en": ("card", "cards"), "zh": "张卡"},
    "server": {"en": ("server", "servers"), "zh": "台"},
    "parameter": {"en": ("parameter", "parameters"), "zh": "参数"},
    "token": {"en": ("token", "tokens"), "zh": "词元"},
    "d": {"en": ("day", "days"), "zh": "天"},
    "y": {"en": ("year", "years"), "zh": "年"},
    "card·h": {"en": ("card-hour", "card-hours"), "zh": "卡时"},
    "card/server": {"en": ("card per server", "cards per server"), "zh": "张卡/台"},
    "1/card": {"en": "per card", "zh": "个/卡"},
    "port": {"en": ("port", "ports"), "zh": "个端口"},
    "switch": {"en": ("switch", "switches"), "zh": "台"},
    "nic": {"en": ("NIC", "NICs"), "zh": "块网卡"},
    "module": {"en": ("module", "modules"), "zh": "只"},
    "link": {"en": ("link", "links"), "zh": "条链路"},
    "system": {"en": ("system", "systems"), "zh": "套系统"},
    "cage": {"en": ("cage", "cages"), "zh": "个端口笼"},
    "drive": {"en": ("drive", "drives"), "zh": "块硬盘"},
    "spare": {"en": ("spare", "spares"), "zh": "张备件卡"},
    "rack": {"en": ("rack", "racks"), "zh": "个机柜"},
    "port/card": {"en": ("port per card", "ports per card"), "zh": "个端口/卡"},
    "port/switch": {"en": ("port per switch", "ports per switch"), "zh": "个端口/台"},
    "port/nic": {"en": ("port per NIC", "ports per NIC"), "zh": "个端口/网卡"},
    "port/module": {"en": ("port per module", "ports per module"), "zh": "个端口/模块"},
    "1/d": {"en": "a day", "zh": "次/天"},
    "%/y": {"en": "% a year", "zh": "%/年"},
    "h": {"en": "h", "zh": "小时"},
    "min": {"en": "min", "zh": "分钟"},
    "s": {"en": "s", "zh": "秒"},
    "{money}": {"en": "{money}", "zh": "{money}"},
    "{money}/kWh": {"en": "{money}/kWh", "zh": "{money}/kWh"},
    "{money}/card": {"en": "{money} per card", "zh": "{money}/卡"},
    "{money}/card/h": {"en": "{money} per card-hour", "zh": "{money}/卡时"},
    "{money}/y": {"en": "{money} a year", "zh": "{money}/年"},
    "MWh/y": {"en": "MWh a year", "zh": "MWh/年"},
    "TFLOP/s/card": {"en": "TFLOP/s per card", "zh": "TFLOP/s/卡"},
    "W/card": {"en": "W per card", "zh": "W/卡"},
    "GB/card": {"en": "GB per card", "zh": "GB/卡"},
    "B/parameter": {"en": "B per parameter", "zh": "字节/参数"},
    "FLOP/parameter/token": {"en": "FLOP per parameter and token", "zh": "FLOP/参数/词元"},
}
"""How a leader reads a unit: behind one and behind more, where the two differ."""

AMOUNTS = ("{money}", "{money}/y")
"""Units of money whose figures are said in millions, or in 万 and 亿."""
