from attrs import frozen
from capframe import Given, LineItem, Section, hookimpl, quantity

@frozen
class Liquid:
    pump_share: Given = quantity("1", label="Pumps over IT load", default="2%", percent=True, source="our laboratory")

@hookimpl
def capframe_sections():
    yield Section("liquid", Liquid, "Liquid cooling")

@hookimpl
def capframe_line_items(p):
    yield LineItem(p.liquid.pumps, p.liquid.pump_share * p.power.it, "kW", label="Pumps", headline=True)
    yield LineItem(p.power.facility, p.power.it * p.power.pue + p.liquid.pumps, "kW", label="Facility load", replaces=True)
