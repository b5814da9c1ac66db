"""Values of a model as data of a file: functions, meshes, gears; the way back from `values`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import ModelError, shown
from ..gears import STEEL, Gear, GearBody, Material, Rack
from ..gears.teeth import Modification, SumOfModifications
from ..model import Constant, Elastic, Flank, Function, Loaded, Mesh, Rigid, Rolling, Sampled, Stribeck, Sum, Varying
from . import catalogue
from .catalogue import Entry
from .written_quantities import with_unit

__all__ = ["CannotWrite", "function_data", "gear_data", "mesh_data"]

_KINDS = {entry.call: kind for kind, entry in catalogue.FUNCTIONS.items()}
_GEAR = {
    "normal_module": "length", "normal_pressure_angle": "angle", "helix_angle": "angle", "backlash_allowance": "length",
    "cone_angle": "angle", "face_width": "length", "bore": "length", "rim_diameter": "length", "depth": "length",
}  # fmt: skip
_MESH = {
    "damping": "damping", "effective_mass": "mass", "backlash": "length", "smoothing": "length", "friction_speed": "velocity",
    "efficiency_speed": "angular velocity", "penalty": "stiffness", "radius": "length", "stiffness": "stiffness", "error": "length",
    "modes": "frequency", "torque": "torque",
}  # fmt: skip
_TIMES = ("t0", "t1", "t", "period")


class CannotWrite(ModelError):
    """A part of the model is code, which a file cannot hold."""


def function_data(f: Any, dimension: str | None, what: str) -> Any:
    """A function: a constant as its value, others as a table."""
    if isinstance(f, Sampled):
        raise CannotWrite(
            f"{what} is the Python function {shown(f.callable)}; a file holds data and no code: give a Table or another Function"
        )
    if isinstance(f, Constant):
        return with_unit(f.value, dimension)
    if isinstance(f, Sum):
        return {"kind": "sum", "terms": [function_data(term, dimension, what) for term in f.terms]}
    kind = next((kind for call, kind in _KINDS.items() if type(f) is call or call.__name__ == type(f).__name__), None)
    if kind is None:
        raise CannotWrite(f"{what} is a {type(f).__name__}, for which files have no word; give a Fourier, a Table or the like")
    entry = catalogue.FUNCTIONS[kind]
    over = getattr(f, "over", "time")
    data: dict[str, Any] = {"kind": kind}
    for key in entry.arguments:
        value = getattr(f, entry.renamed.get(key, key))
        if hasattr(value, "tolist"):
            if key in ("cos", "sin"):
                value = _trimmed(value.tolist())
            value = value if isinstance(value, list) else value.tolist()
            if not value:
                continue
        elif key in _TIMES:
            value = with_unit(value, over)
        elif key in ("frequency", "phase"):
            value = with_unit(value, {"frequency": "frequency", "phase": "angle"}[key])
        elif isinstance(value, float):
            value = with_unit(value, dimension) if key in ("start", "end", "amplitude", "offset", "mean") else value
        if not _is_default(value, entry, key):
            data[key] = value
    if kind == "fourier":  # the shorter list is filled with zeros
        longest = max((len(data.get(key, [])) for key in ("cos", "sin")), default=0)
        if longest < len(f.cos):
            data["cos"] = f.cos.tolist()
    return data


def _trimmed(values: list[float]) -> list[float]:
    while values and values[-1] == 0.0:
        values = values[:-1]
    return values


def _is_default(value: Any, entry: Entry, key: str) -> bool:
    default = entry.default(key)
    if isinstance(value, bool) != isinstance(default, bool):
        return False
    return isinstance(default, (str, int, float, type(None))) and value == default


def varying_data(value: Any, dimension: str, what: str) -> Any:
    """A number over the mesh cycle, or one that varies."""
    if not isinstance(value, Varying):
        return with_unit(value, dimension)
    function = function_data(value.said, dimension, what)
    data = {"kind": "varying", "function": function}
    return data if value.over == "mesh cycle" else {**data, "over": value.over}


_PLAIN_MESHES: dict[type, tuple[str, Any]] = {
    Elastic: ("elastic", Elastic()), Loaded: ("loaded", Loaded()), Rigid: ("rigid", Rigid()), Rolling: ("rolling", Rolling()),
    Flank: ("flank", Flank()),
}  # fmt: skip
"""Kinds of meshes, and one of each with all defaults."""


def mesh_data(mesh: Mesh, what: str) -> Any:
    """A mesh: what differs from the defaults; the kind alone, as a text, where nothing does."""
    if type(mesh) not in _PLAIN_MESHES:
        raise CannotWrite(f"{what}: mesh is of type {type(mesh).__name__}, which the writer of model files does not know")
    kind, plain = _PLAIN_MESHES[type(mesh)]
    data: dict[str, Any] = {"kind": kind}
    for key in catalogue.MESHES[kind].arguments:
        value = getattr(mesh, key)
        if key in ("stiffness", "error") and not isinstance(value, str):
            parts = [varying_data(part, _MESH[key], f"{what}: {key}") for part in value]
            if parts:
                data[key] = parts[0] if len(parts) == 1 else parts
        elif isinstance(value, np.ndarray):
            data[key] = value.tolist()
        elif value != getattr(plain, key):
            data[key] = _mesh_value(value, key, what)
    return data if len(data) > 1 else kind


def modification_data(value: Modification, what: str) -> Any:
    """A modification of a flank: a table, or a list of them."""
    if isinstance(value, SumOfModifications):
        return [modification_data(part, what) for part in value.parts]
    kind = next((kind for kind, entry in catalogue.MODIFICATIONS.items() if type(value) is entry.call), None)
    if kind is None:
        raise CannotWrite(
            f"{what} is a {type(value).__name__}, for which files have no word; keep the model in Python, or give reliefs, "
            "crownings and slopes"
        )
    entry = catalogue.MODIFICATIONS[kind]
    data: dict[str, Any] = {"kind": kind}
    for key in entry.arguments:
        found = getattr(value, key)
        if not _is_default(found, entry, key):
            data[key] = with_unit(found, "length") if isinstance(found, float) else found
    return data


def _mesh_value(value: Any, key: str, what: str) -> Any:
    if isinstance(value, Mapping):
        return plain_option(value)
    if isinstance(value, Stribeck):
        units = {"speed": "velocity", "viscous": "s/m"}
        names = [field.name for field in fields(value)]
        used = [name for name in names if getattr(value, name) or name != "viscous"]
        values = {name: with_unit(getattr(value, name), units.get(name)) for name in used}
        return {"kind": "stribeck", **values}
    if isinstance(value, Function):
        return function_data(value, None, f"{what}: {key}")
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"= {value.numerator} / {value.denominator}"
    if isinstance(value, tuple):
        return [with_unit(item, _MESH[key]) if key in _MESH else float(item) for item in value]
    return with_unit(value, _MESH[key]) if isinstance(value, float) and key in _MESH else value


def gear_data(gear: Gear | Rack) -> dict[str, Any]:
    """A gear or a rack: what differs from the defaults."""
    kind = "rack" if isinstance(gear, Rack) else "gear"
    entry = catalogue.GEARS[kind]
    data: dict[str, Any] = {"kind": "rack"} if kind == "rack" else {}
    plain = type(gear)(teeth=20, normal_module=1.0)
    for field in fields(gear):
        key, value = field.name, getattr(gear, field.name)
        if key in ("modifications", "tool") and value:
            raise CannotWrite(f"gear with {gear.teeth} teeth: {key} cannot be written yet")
        if key == "body":
            data |= _body_data(value)
            continue
        if key not in entry.arguments or (key not in entry.required and value == getattr(plain, key) and key != "teeth"):
            continue
        data[key] = material_data(value) if key == "material" else value if value is None else _number(value, _GEAR.get(key))
    return data


def _body_data(body: GearBody) -> dict[str, Any]:
    """A solid body by bore or rim_diameter alone."""
    said = {item.name: getattr(body, item.name) for item in fields(body) if getattr(body, item.name)}
    data = {key: with_unit(value, "length") for key, value in said.items()}
    return {"body": data} if body.has_web else data


def _number(value: Any, dimension: str | None) -> Any:
    return value if isinstance(value, (bool, int)) else with_unit(value, dimension)


def material_data(material: Material) -> Any:
    if material == STEEL:
        return "steel"
    return {
        "name": material.name, "density": with_unit(material.density, "density"),
        "youngs_modulus": with_unit(material.youngs_modulus, "pressure"), "poissons_ratio": material.poissons_ratio,
    }  # fmt: skip


def plain_option(value: Any) -> Any:
    """An option of an analysis as data."""
    if isinstance(value, Mapping):
        return {str(key): plain_option(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain_option(item) for item in value] if isinstance(value, (list, tuple)) else value

