"""Gears of a model file: flank modifications, tool and body, material, measured flanks from data files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from pitchline.errors import shown
from pitchline.files import catalogue
from pitchline.files.key_lines import Path
from pitchline.files.written_values import CannotWrite, is_default, quantities, with_unit

from .geometry.gear import Gear
from .geometry.inputs import STEEL, GearBody, Hob, Material, Shaper
from .geometry.rack import Rack
from .modifications.deviations import DeviationGrid, FlankModifications, Modification
from .surfaces.patch import FlankPatch, FlankSurfaces
from .teeth.generating_rack import basic_rack

if TYPE_CHECKING:
    from pitchline.files.values import Values

__all__ = ["GearValues", "gear_data", "material_data"]


DataFile = Callable[[str], FilePath | str]
"""Path of a file that a table names, or a text with the reason why it is not available."""
_TOOTH = re.compile(r"\s*(\d{1,9})\s*(left|right)?\s*\Z")
_BY_FLANK = tuple(catalogue.FLANK_MODIFICATIONS.arguments)


class GearValues:
    """Creates gears from tables. `data_file(path, name)` finds the files that tables name."""

    def __init__(self, values: Values, data_file: Callable[[Path, str], FilePath | str]) -> None:
        self.values, self.data_file = values, data_file
        self.parts = {
            "material": values.material, "modifications": self.modifications, "tool": self.tool, "body": self.body,
            "wheel": values.gear, "flanks": self.flanks,
        }  # fmt: skip

    def gear(self, table: Mapping[str, Any], path: Path) -> Gear | Rack:
        """Gear or rack, with its normal, outer or axial module."""
        v = self.values
        kind = v.kind(table, path, catalogue.GEARS, "gear", "gear")
        entry = catalogue.GEARS[kind]
        if "basic_rack" in table and kind in ("gear", "rack"):
            table = self._by_basic_rack(table, path)
        if kind == "gear" and "normal_module" not in table:
            entry = next((other for key, other in catalogue.MODULES.items() if key in table), entry)
        made: Gear | Rack = v.make(entry, table, path, self.parts, also=("kind",))
        return made

    def _by_basic_rack(self, table: Mapping[str, Any], path: Path) -> dict[str, Any]:
        """Table with the factors of a basic rack of ISO 53 instead of its letter."""
        v, rest = self.values, {key: value for key, value in table.items() if key != "basic_rack"}
        factors = v.call(basic_rack, {}, (*path, "basic_rack"), {}, table["basic_rack"])
        for key in factors:
            if key in rest:
                raise v.tell(
                    (*path, key), f'the basic rack "{table["basic_rack"]}" already specifies {key}. Remove one of them'
                )
        return {**rest, **factors}

    def tool(self, value: Any, path: Path) -> Any:
        """Hob or shaper."""
        kind = self.values.kind(value, path, catalogue.TOOLS, "tool")
        return self.values.make(catalogue.TOOLS[kind], value, path, {}, also=("kind",))

    def body(self, value: Any, path: Path) -> Any:
        """Bore, rim, web and hub."""
        return self.values.make(catalogue.GEAR_SHAPE, value, path, {})

    # ---- imported flanks

    def flanks(self, value: Any, path: Path) -> dict[str, Any]:
        """Arguments of `Teeth.from_points`: files, points or splines of flanks."""
        v = self.values
        if not isinstance(value, dict):
            raise v.tell(
                path, f'must be a table such as {{ left = "left.csv", right = "right.csv" }}, got {shown(value)}'
            )
        parts = {"left": self.flank, "right": self.flank, "per_tooth": self.single_flanks}
        return v.arguments(catalogue.IMPORTED_FLANKS, value, path, parts)

    def flank(self, value: Any, path: Path) -> Any:
        """File with its path; points and splines as they are."""
        return self.file(value, path) if isinstance(value, str) else value

    def single_flanks(self, value: Any, path: Path) -> dict[tuple[int, str], Any]:
        """Flanks of single teeth, with keys such as "3 left"."""
        v = self.values
        if not isinstance(value, dict):
            raise v.tell(path, f'must be a table of flanks by tooth, with keys such as "3 left", got {shown(value)}')
        found = {}
        for key, item in value.items():
            match = _TOOTH.match(key)
            if match is None or match[2] is None:
                raise v.tell((*path, key), f'the key must be a tooth and a side, e.g. "3 left", got {shown(key)}')
            found[int(match[1]), match[2]] = self.flank(item, (*path, key))
        return found

    # ---- modifications

    def modifications(self, value: Any, path: Path) -> FlankModifications:
        """One modification or a list for all flanks; or a table with both, left, right, per_tooth."""
        v = self.values
        if isinstance(value, list) or (isinstance(value, dict) and "kind" in value):
            value, parts = {"both": value}, {"both": lambda item, _: self.several(item, path)}
        else:
            parts = dict.fromkeys(("both", "left", "right"), self.several) | {"per_tooth": self.per_tooth}
        if not isinstance(value, dict):
            raise v.tell(
                path,
                'must be a list of modifications, e.g. [{ kind = "tip_relief", amount = "20 um", length = "2 mm" }], or a '
                f"table with the keys {', '.join(_BY_FLANK)}; got {shown(value)}",
            )
        made: FlankModifications = v.make(catalogue.FLANK_MODIFICATIONS, value, path, parts)
        return made

    def several(self, value: Any, path: Path) -> Any:
        """One modification, or a list of them."""
        if isinstance(value, list):
            return [self.modification(item, (*path, n)) for n, item in enumerate(value)]
        return self.modification(value, path)

    def modification(self, value: Any, path: Path) -> Any:
        """Modification of a flank from a table; a measured flank from its numbers, or from a file."""
        v = self.values
        kind = v.kind(value, path, catalogue.MODIFICATIONS, "modification")
        if kind == "deviation_grid" and "file" in value:
            return v.make(catalogue.GRID_FILE, value, path, {"file": self.file}, also=("kind",))
        return v.make(catalogue.MODIFICATIONS[kind], value, path, {}, also=("kind",))

    def file(self, value: Any, path: Path) -> FilePath:
        found = (
            self.data_file(path, value) if isinstance(value, str) else f"must be the name of a file, got {shown(value)}"
        )
        if isinstance(found, str):
            raise self.values.tell(path, found)
        return found

    def per_tooth(self, value: Any, path: Path) -> dict[tuple[int, str], Any]:
        """Modifications of single teeth, with keys such as "3" and "3 left"."""
        v = self.values
        if not isinstance(value, dict):
            raise v.tell(
                path,
                f'must be a table of modifications by tooth, with keys "3" or "3 left", got {shown(value)}',
            )
        found: dict[tuple[int, str], Any] = {}
        for key, item in value.items():
            match = _TOOTH.match(key)
            if match is None:
                raise v.tell((*path, key), f'the key must be a tooth number, e.g. "3" or "3 left", got {shown(key)}')
            place = int(match[1]), match[2] or "both"
            if place in found:
                raise v.tell(
                    (*path, key),
                    f"tooth {place[0]} ({place[1]}) is already specified. Specify all its modifications in one list",
                )
            found[place] = self.several(item, (*path, key))
        return found


# ---- written gears

# Gears as data of a file: values that differ from the defaults; the inverse of `gear_values`.

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
