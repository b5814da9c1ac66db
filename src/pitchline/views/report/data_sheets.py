"""Data sheets: the ISO 21771 quantities of every gear pair and of its two gears."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from pitchline.gears import Gear, GearPair, Rack
from pitchline.gears.table import data_sheet
from pitchline.model import described_gears
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.numbers import number

#: Sheets in one report.
MOST_SHEETS = 12

_UNITS = {"m": (1e3, "mm"), "rad": (180.0 / math.pi, "°")}


def sheets(model: dict[str, Any]) -> Html:
    """One sheet for each kind of pair; equal pairs share one."""
    found: dict[str, tuple[list[str], dict[str, Any]]] = {}
    wheels = model.get("wheels", {})
    for name, said in model.get("gear_pairs", {}).items():
        gears = [wheels.get(said.get(side), {}).get("gear") for side in ("wheel_a", "wheel_b")]
        key = json.dumps([gears, said.get("kind"), round(said.get("centre_distance", 0.0), 12)], sort_keys=True)
        found.setdefault(key, ([], said))[0].append(name)
    parts: list[Html] = []
    for names, said in found.values():
        made = described_gears.pair_of(said, model)
        if made is None or len(parts) >= MOST_SHEETS:
            continue
        heading = tag("h3", join(map(code, names[:6]), ", "), f" and {len(names) - 6} more" if len(names) > 6 else "")
        parts.append(join([heading, _sheet(made, said)]))
    if not parts:
        return Html("")
    words = "Symbols and signs as in ISO 21771; data of bevel gears are in the middle of the face."
    return join([tag("p", words, class_="where"), *parts], "\n")


def _sheet(pair: GearPair, said: dict[str, Any]) -> Html:
    """Data of both gears side by side, and of the pair."""
    sides = [_rows(pair.a), _rows(pair.b)]
    names: dict[str, tuple[str, str]] = {}
    for side in sides:
        names.update({name: (symbol, unit) for name, (symbol, _, unit) in side.items()})
    order = [name for name in sides[0]] + [name for name in sides[1] if name not in sides[0]]
    rows: list[list[object]] = []
    for name in order:
        symbol, unit = names[name]
        cells = [side[name][1] if name in side else "" for side in sides]
        rows.append([_symbol(symbol), name.replace("_", " "), *cells, unit])
    words = [
        data_sheet(item).words if isinstance(item, Gear) else {"material": item.material.name}
        for item in (pair.a, pair.b)
    ]
    heads = ["", "Quantity", code(said["wheel_a"]), code(said["wheel_b"]), ""]
    whole = table(heads, rows, numbers=(2, 3), class_="small")
    pair_rows = [
        [_symbol(symbol), name.replace("_", " "), value, unit] for name, (symbol, value, unit) in _rows(pair).items()
    ]
    if pair.warnings:
        notes = tag("ul", *(tag("li", warning) for warning in pair.warnings))
    else:
        notes = Html("")
    below = table(["", f"{str(pair.kind).capitalize()} pair", "Value", ""], pair_rows, numbers=(2,), class_="small")
    remarks = [_remarks(said[f"wheel_{side}"], texts) for side, texts in zip("ab", words, strict=True)]
    return join([tag("div", whole, tag("div", below, *remarks, notes), class_="sheets")])


def _remarks(wheel: str, texts: Mapping[str, str]) -> Html:
    """Modifications, tool, body and material of one gear, in a sentence."""
    found = [f"{name} {texts[name]}" for name in ("modifications", "tool", "body", "material") if texts.get(name)]
    return tag("p", code(wheel), f": {'; '.join(found)}.", class_="where") if found else Html("")


def _rows(item: Gear | Rack | GearPair) -> dict[str, tuple[str, str, str]]:
    """Name -> symbol, value and unit; angles and ratios that are always zero are left out."""
    found = {}
    for row in data_sheet(item):
        scale, unit = _UNITS.get(row.unit, (1.0, row.unit))
        if row.value == 0.0 and row.name in ("helix_angle", "base_helix_angle", "cone_angle", "overlap_ratio"):
            continue
        value = number(int(row.value)) if row.name == "teeth" else number(_tidy(scale * row.value), 5)
        found[row.name] = (row.symbol, value, unit)
    return found


def _tidy(value: float) -> float:
    return 0.0 if abs(value) < 1e-9 else value


def _symbol(symbol: str) -> Html:
    """A symbol with its subscript."""
    letter, _, index = symbol.partition("_")
    return tag("span", tag("i", letter), tag("sub", index) if index else "")
