"""Gear pairs from command-line options, and the table of both gears of a pair."""

from __future__ import annotations

import argparse
import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import ModelError
from ..gears import Gear, GearPair, Rack, Row, cone_angles, data_sheet
from ..results.report import text_table
from ..units import quantity

if TYPE_CHECKING:
    from ..model import Model

__all__ = ["ShownPair", "as_data", "as_text", "pair_of", "wheel_data", "wheel_text"]

_SCALES = {"m": (1e3, "mm"), "rad": (180.0 / math.pi, "deg")}


@dataclass(frozen=True)
class ShownPair:
    """A pair and the names of its gears."""

    pair: GearPair
    names: tuple[str, str] = ("a", "b")

    @classmethod
    def of_model(cls, model: Model) -> dict[str, ShownPair]:
        """Pairs by name. Pairs that are defined by ratio or radius only are left out; they have no teeth."""
        return {
            key: cls(mesh.pair, (mesh.wheel_a.name, mesh.wheel_b.name))
            for key, mesh in model.gear_pairs.items()
            if isinstance(mesh.pair, GearPair)
        }


def pair_of(given: argparse.Namespace) -> GearPair:
    """The gear pair that the options of ``pitchline gear`` specify."""
    if given.module is None:
        raise ModelError("gear: the module is missing. Specify --module, e.g. --module 2mm")
    teeth = _two(given.teeth, "teeth", second_needed=not given.rack)
    shift, width = _two(given.shift, "shift"), _two(given.width, "width")
    common: dict[str, Any] = {"normal_module": given.module, "normal_pressure_angle": given.pressure_angle}
    if given.backlash is not None:
        common["backlash_allowance"] = given.backlash
    a: dict[str, Any] = {"teeth": teeth[0], "face_width": width[0], **_if_said(profile_shift=shift[0])}
    b: dict[str, Any] = {"teeth": teeth[1], "face_width": width[1], **_if_said(profile_shift=shift[1])}
    bore = _two(given.bore, "bore")
    a |= _if_said(bore=bore[0])
    b |= _if_said(bore=bore[1]) if not (given.internal or given.rack) else {}
    if given.rim is not None:
        if not given.internal:
            raise ModelError("gear: --rim is the outer diameter of an internal gear. Remove it, or add --internal")
        b["rim_diameter"] = given.rim
    if given.bore is not None and len(given.bore) == 2 and (given.internal or given.rack):
        raise ModelError("gear: only the first gear of this pair has a bore. Specify --bore with one value")
    if given.shift is not None and len(given.shift) == 1:
        b.pop("profile_shift")  # a single value applies to the first gear
    placing = _if_said(centre_distance=given.centre_distance, shaft_angle=given.shaft_angle)
    if given.worm is not None:
        a["starts"], a["lead_angle"] = a.pop("teeth"), given.worm
        b["helix_angle"] = given.worm
        if given.helix is not None:
            raise ModelError("gear: a worm is defined by its lead angle. Remove --helix")
    else:
        first, second = _helices(given)
        a |= _if_said(helix_angle=first)
        b |= _if_said(helix_angle=second)
    if given.bevel:
        between = quantity(given.shaft_angle or "90 deg", "angle", what="gear: --shaft-angle")
        a["cone_angle"], b["cone_angle"] = cone_angles(_whole(teeth[0]), _whole(teeth[1]), between)
    if given.rack:
        if given.shift is not None and len(given.shift) > 1:
            raise ModelError("gear: a rack has no profile shift. Specify --shift with one value, for the pinion")
        b.pop("profile_shift", None)
        b["teeth"] = teeth[1] if len(given.teeth) > 1 else 1
        other: Gear | Rack = Rack(**common, **b)
    else:
        other = Gear(internal=given.internal, **common, **b)
    pair = GearPair(Gear(**common, **a), other, **placing)
    return pair.shortened() if given.shorten else pair


def as_text(name: str, pair: GearPair) -> str:
    """Table of both gears, then of the pair, then the warnings."""
    a, b = ({row.name: row for row in data_sheet(wheel)} for wheel in (pair.a, pair.b))
    rows = []
    for row in {**a, **b}.values():
        values = a.get(row.name), b.get(row.name)
        if row.name != "cone_angle" or any(value and value.value for value in values):  # bevel gears only
            rows.append([row.symbol, _words(row), _unit(row), *map(_value, values)])
    working = [f"{1e3 * d:.6g}" if math.isfinite(d) else "" for d in pair.working_diameters]
    rows.append(["d_w", "working pitch diameter", "mm", *working])
    both = [[row.symbol, _words(row), _unit(row), _value(row), ""] for row in data_sheet(pair)]
    if math.isfinite(pair.ratio):
        both.insert(0, ["u", "gear ratio", "", f"{pair.ratio:.6g}", ""])
    second = "rack" if isinstance(pair.b, Rack) else "wheel B"
    table = text_table(["", f"{pair.kind} pair", "unit", "wheel A", second], [*rows, [""] * 5, *both], left=3)
    said = [
        textwrap.fill(f"{which}: {what}: {text}", 110, subsequent_indent="         ")
        for which, wheel in (("wheel A", pair.a), ("wheel B", pair.b))
        for what, text in data_sheet(wheel).words.items()
        if what != "material"
    ]
    notes = [textwrap.fill(f"warning: {text}", 110, subsequent_indent="         ") for text in pair.warnings]
    return "\n".join([name, "", table, *([""] if said else []), *said, *([""] if notes else []), *notes])


def wheel_text(name: str, gear: Gear | Rack) -> str:
    """Table of a single gear, with its notes and warnings."""
    rows = [
        [row.symbol, _words(row), _unit(row), _value(row)]
        for row in data_sheet(gear)
        if row.value or row.name != "cone_angle"
    ]
    said = [f"{what}: {text}" for what, text in data_sheet(gear).words.items()]
    notes = [f"warning: {text}" for text in getattr(gear, "warnings", ())]
    lines = [textwrap.fill(text, 110, subsequent_indent="         ") for text in (*said, *notes)]
    table = text_table(["", "rack" if isinstance(gear, Rack) else "gear", "unit", "value"], rows, left=3)
    return "\n".join([name, "", table, *([""] if lines else []), *lines])


def wheel_data(name: str, gears: dict[str, Gear | Rack]) -> dict[str, Any]:
    """Object of ``--json`` for single gears: their quantities as figures, in SI units."""
    figures: dict[str, Any] = {}
    for key, gear in gears.items():
        sheet = data_sheet(gear)
        figures |= {f"{key}.{row.name}": {"value": row.value, "unit": row.unit} for row in sheet}
        figures |= {f"{key}.{what}": {"value": text, "unit": ""} for what, text in sheet.words.items()}
        figures[f"{key}.warnings"] = {"value": list(getattr(gear, "warnings", ())), "unit": ""}
    return {"model": name, "analyses": [], "figures": figures}


def as_data(name: str, pairs: dict[str, GearPair]) -> dict[str, Any]:
    """Object of ``--json``: quantities of every pair as figures, in SI units."""
    figures: dict[str, Any] = {}
    for key, pair in pairs.items():
        start = "" if len(pairs) == 1 else f"{key}."
        for part, item in (("a.", pair.a), ("b.", pair.b), ("", pair)):
            for row in data_sheet(item):
                figures[f"{start}{part}{row.name}"] = {"value": row.value, "unit": row.unit}
            for what, text in data_sheet(item).words.items():
                figures[f"{start}{part}{what}"] = {"value": text, "unit": ""}
        figures[f"{start}warnings"] = {"value": list(pair.warnings), "unit": ""}
    return {"model": name, "analyses": [], "figures": figures}


def _words(row: Row) -> str:
    return row.name.replace("_", " ")


def _unit(row: Row) -> str:
    return _SCALES.get(row.unit, (1.0, row.unit))[1]


def _value(row: Row | None) -> str:
    return "" if row is None else f"{_SCALES.get(row.unit, (1.0, ''))[0] * row.value:.6g}"


def _helices(given: argparse.Namespace) -> tuple[Any, Any]:
    """The second helix angle follows from the first: opposite hand, or the same hand for an internal gear."""
    first, second = _two(given.helix, "helix")
    if first is None or len(given.helix) == 2:
        return first, second
    if given.shaft_angle is not None and not given.bevel:
        raise ModelError("gear: crossed gears need both helix angles, e.g. --helix 30deg 60deg")
    return first, first if given.internal else _opposite(first)


def _opposite(angle: object) -> str:
    text = str(angle).strip()
    return text[1:] if text.startswith("-") else f"-{text.removeprefix('+')}"


def _two(values: list[str] | None, what: str, *, second_needed: bool = False) -> tuple[Any, Any]:
    """Values for both gears. A single value applies to both."""
    if values is None:
        return None, None
    if len(values) > 2 or (second_needed and len(values) < 2):
        raise ModelError(
            f"gear: --{what} takes {'two' if second_needed else 'one or two'} values, got {' '.join(values)}"
        )
    return _number(values[0]), _number(values[-1])


def _number(text: str) -> Any:
    """Return a plain number as a number, and a text with a unit unchanged."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _whole(value: Any) -> int:
    if not isinstance(value, int) or value < 1:
        raise ModelError(f"gear: --teeth must be integers, got {value}")
    return value


def _if_said(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
