"""Gears as data of a file: values that differ from the defaults; the inverse of `gear_values`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from ..gears import STEEL, Gear, GearBody, Hob, Material, Rack, Shaper
from ..gears.modifications import DeviationGrid, FlankModifications, Modification
from ..gears.surfaces import FlankPatch, FlankSurfaces
from . import catalogue
from .written_quantities import quantities, with_unit
from .written_values import CannotWrite, is_default

__all__ = ["gear_data", "material_data"]

_DIMENSIONS = {
    "normal_module": "length", "normal_pressure_angle": "angle", "helix_angle": "angle", "backlash_allowance": "length",
    "cone_angle": "angle", "face_width": "length", "depth": "length", "profile_shift_angle": "angle",
}  # fmt: skip


def gear_data(gear: Gear | Rack, what: str) -> dict[str, Any]:
    """Gear or rack; what: its name in messages."""
    kind = "rack" if isinstance(gear, Rack) else "gear"
    entry = catalogue.GEARS[kind]
    data: dict[str, Any] = {"kind": "rack"} if kind == "rack" else {}
    plain = type(gear)(teeth=20, normal_module=1.0)
    parts: dict[str, Callable[[Any], Any]] = {"material": material_data, "body": _body, "tool": _tool}
    parts["modifications"] = lambda given: _flanks(given, what)
    parts["flanks"] = _imported_flanks
    for field in fields(gear):
        key, value = field.name, getattr(gear, field.name)
        if key not in entry.arguments or (
            key not in entry.required and value == getattr(plain, key) and key != "teeth"
        ):
            continue
        data[key] = (
            parts[key](value) if key in parts else value if value is None else _number(value, _DIMENSIONS.get(key))
        )
    if isinstance(gear, Gear) and not gear.body.has_web:  # bore and rim_diameter are keys of the gear itself
        data |= data.pop("body", {})
    return data


def _number(value: Any, dimension: str | None) -> Any:
    return value if isinstance(value, (bool, int)) else with_unit(value, dimension)


def material_data(material: Material) -> Any:
    """Material: its name, or all its values."""
    if material == STEEL:
        return "steel"
    return {
        "name": material.name, "density": with_unit(material.density, "density"),
        "youngs_modulus": with_unit(material.youngs_modulus, "pressure"), "poissons_ratio": material.poissons_ratio,
    }  # fmt: skip


def _body(body: GearBody) -> dict[str, Any]:
    said = {item.name: getattr(body, item.name) for item in fields(body)}
    return {key: with_unit(value, "length") for key, value in said.items() if value}


def _tool(tool: Hob | Shaper) -> dict[str, Any]:
    if isinstance(tool, Shaper):
        rounding = {} if tool.tip_rounding is None else {"tip_rounding": with_unit(tool.tip_rounding, "length")}
        return {"kind": "shaper", **({} if tool.teeth is None else {"teeth": tool.teeth}), **rounding}
    slope = (
        {} if tool.protuberance_angle is None else {"protuberance_angle": with_unit(tool.protuberance_angle, "angle")}
    )
    return {"kind": "hob", "protuberance": with_unit(tool.protuberance, "length"), **slope}


def _flanks(given: FlankModifications, what: str) -> Any:
    """List if all flanks are equal, otherwise a table."""
    sides = {
        side: [_modification(part, what) for part in getattr(given, side)]
        for side in ("both", "left", "right")
        if getattr(given, side)
    }
    if list(sides) == ["both"] and not given.per_tooth:
        return sides["both"]
    single = {
        f"{tooth}" if side == "both" else f"{tooth} {side}": [_modification(part, what) for part in parts]
        for (tooth, side), parts in given.per_tooth
    }
    return {**sides, **({"per_tooth": single} if single else {})}


def _imported_flanks(given: FlankSurfaces) -> dict[str, Any]:
    """The splines of the flanks; lengths in m."""
    single = {f"{tooth} {side}": _spline(patch) for (tooth, side), patch in given.per_tooth}
    return {
        "left": _spline(given.left), "right": _spline(given.right), **({"per_tooth": single} if single else {}),
    }  # fmt: skip


def _spline(patch: FlankPatch) -> dict[str, Any]:
    said = {name: getattr(patch, name).tolist() for name in ("control", "knots_u", "knots_v")}
    return {**said, "error": patch.error} if patch.error else said


def _modification(value: Modification, what: str) -> dict[str, Any]:
    kind = next((kind for kind, entry in catalogue.MODIFICATIONS.items() if type(value) is entry.call), None)
    if kind is None:
        raise CannotWrite(
            f"{what}: modifications: a {type(value).__name__} is not supported in model files. Keep the model in Python, or "
            "specify reliefs, crownings, slopes or a DeviationGrid"
        )
    data: dict[str, Any] = {"kind": kind}
    if isinstance(value, DeviationGrid):
        rows = [quantities(row, "length") for row in value.values]
        return data | {
            "roll_lengths": quantities(value.roll_lengths, "length"), "faces": quantities(value.faces, "length"), "values": rows,
        }  # fmt: skip
    entry = catalogue.MODIFICATIONS[kind]
    for key in entry.arguments:
        found = getattr(value, key)
        if not is_default(found, entry, key):
            data[key] = with_unit(found, "length") if isinstance(found, float) else found
    return data
