"""Values of a model as data of a file: functions, meshes; the inverse of `values`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from ..errors import ModelError, shown
from ..fem.meshes.solid_mesh import SolidMesh
from ..gears.material import Material
from ..model import (
    Constant,
    Elastic,
    Flank,
    FrictionTable,
    Function,
    Loaded,
    Mesh,
    Rigid,
    Rolling,
    Sampled,
    Stribeck,
    Sum,
    Varying,
)
from ..model.element_fields import REQUIRED
from ..model.meshes import OwnMesh
from ..model.signal_expression import SignalExpression
from ..model.state_law import StateLaw
from . import catalogue
from .catalogue import Entry
from .written_quantities import dimension_of_unit, with_unit

__all__ = ["CannotWrite", "function_data", "is_default", "mesh_data", "plain_option"]

_KINDS = {entry.call: kind for kind, entry in catalogue.FUNCTIONS.items()}
_MESH = {
    "damping": "damping", "effective_mass": "mass", "backlash": "length", "smoothing": "length", "friction_speed": "velocity",
    "efficiency_speed": "angular velocity", "penalty": "stiffness", "radius": "length", "stiffness": "stiffness", "error": "length",
    "modes": "frequency", "torque": "torque", "tooth_stiffness": "stiffness",
}  # fmt: skip
_TIMES = ("t0", "t1", "t", "period")


class CannotWrite(ModelError):
    """Code in a model, which a file cannot contain."""


def function_data(f: Any, dimension: str | None, what: str) -> Any:
    """Function: a constant as its value, other functions as a table."""
    if isinstance(f, SignalExpression):
        return {"expression": f.text, **({"constants": dict(f.constants)} if f.constants else {})}
    if isinstance(f, StateLaw):
        raise CannotWrite(
            f"{what} is the Python function {shown(f.function)}. Model files contain data, not code. Use pl.expression(...)"
        )
    if isinstance(f, Sampled):
        raise CannotWrite(
            f"{what} is the Python function {shown(f.callable)}. Model files contain data, not code. Use a Table or other Function"
        )
    if isinstance(f, Constant):
        return with_unit(f.value, dimension)
    if isinstance(f, Sum):
        return {"kind": "sum", "terms": [function_data(term, dimension, what) for term in f.terms]}
    kind = next((kind for call, kind in _KINDS.items() if type(f) is call or call.__name__ == type(f).__name__), None)
    if kind is None:
        raise CannotWrite(
            f"{what} is a {type(f).__name__}, which model files do not support. Use e.g. a Fourier or a Table"
        )
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
        if not is_default(value, entry, key):
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


def is_default(value: Any, entry: Entry, key: str) -> bool:
    """Whether a value can be left out of a table."""
    default = entry.default(key)
    if isinstance(value, bool) != isinstance(default, bool):
        return False
    return isinstance(default, (str, int, float, type(None))) and value == default


def varying_data(value: Any, dimension: str, what: str) -> Any:
    """Number over the mesh cycle, constant or varying."""
    if not isinstance(value, Varying):
        return with_unit(value, dimension)
    function = function_data(value.said, dimension, what)
    data = {"kind": "varying", "function": function}
    return data if value.over == "mesh cycle" else {**data, "over": value.over}


_PLAIN_MESHES: dict[type, tuple[str, Any]] = {
    Elastic: ("elastic", Elastic()), Loaded: ("loaded", Loaded()), Rigid: ("rigid", Rigid()), Rolling: ("rolling", Rolling()),
    Flank: ("flank", Flank()),
}  # fmt: skip
"""Kinds of meshes, with one of each with all defaults."""


def mesh_data(mesh: Mesh, what: str) -> Any:
    """Mesh: values that differ from the defaults; only the kind, as a text, if none differs."""
    if isinstance(mesh, OwnMesh):
        return _own_mesh(mesh, what)
    if type(mesh) not in _PLAIN_MESHES:
        raise CannotWrite(f"{what}: mesh type {type(mesh).__name__} is not supported in model files")
    kind, plain = _PLAIN_MESHES[type(mesh)]
    data: dict[str, Any] = {"kind": kind}
    for key in catalogue.MESHES[kind].arguments:
        value = getattr(mesh, key)
        if key in ("stiffness", "error") and not isinstance(value, str):
            if value:
                data[key] = _varying_list(value, key, what)
        elif isinstance(value, np.ndarray):
            data[key] = value.tolist()
        elif key in ("backlash", "damping") and isinstance(value, tuple):
            data[key] = _varying_list(value, key, what)
        elif value != getattr(plain, key):
            data[key] = _mesh_value(value, key, what)
    return data if len(data) > 1 else kind


def _varying_list(values: tuple[Any, ...], key: str, what: str) -> Any:
    """One value, or a list of several."""
    parts = [varying_data(part, _MESH[key], f"{what}: {key}") for part in values]
    return parts[0] if len(parts) == 1 else parts


def _own_mesh(mesh: OwnMesh, what: str) -> dict[str, Any]:
    """Mesh law of a user: the type of its class, and values that differ from the defaults."""
    cls = type(mesh)
    if cls.key.startswith("__main__:") or "<locals>" in cls.key:
        raise CannotWrite(
            f"{what}: the class {cls.__name__} of its mesh is not in a module that can be imported by name. Move it to one"
        )
    data: dict[str, Any] = {"type": cls.key}
    required = {name: mesh.values[name] for name, field in cls.fields.items() if field.default is REQUIRED}
    plain = cls(**required)
    for key, value in mesh.options.items():
        if key in cls.fields:
            if key in required or value != plain.values[key]:
                data[key] = with_unit(value, dimension_of_unit(cls.fields[key].unit))
        elif key == "error" or (key == "backlash" and isinstance(value, tuple)):
            if value:
                data[key] = _varying_list(value, key, what)
        elif value != getattr(plain, key):
            data[key] = _mesh_value(value, key, what)
    return data


def _mesh_value(value: Any, key: str, what: str) -> Any:
    if isinstance(value, Mapping):
        if isinstance(value.get("mesh"), SolidMesh):
            raise CannotWrite(
                f"{what}: {key}: a solid mesh in memory cannot be in a model file. Specify the file of the mesh"
            )
        if isinstance(value.get("mesh"), str):
            value = {**value, "mesh": FilePath(value["mesh"]).name}  # next to the model file
        return plain_option(value)
    if isinstance(value, Stribeck):
        units = {"speed": "velocity", "viscous": "s/m"}
        names = [field.name for field in fields(value)]
        used = [name for name in names if getattr(value, name) or name != "viscous"]
        values = {name: with_unit(getattr(value, name), units.get(name)) for name in used}
        return {"kind": "stribeck", **values}
    if isinstance(value, FrictionTable):
        return {"kind": "friction_table", **{f.name: getattr(value, f.name).tolist() for f in fields(value)}}
    if isinstance(value, Function):
        return function_data(value, None, f"{what}: {key}")
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"= {value.numerator} / {value.denominator}"
    if isinstance(value, tuple):
        return [with_unit(item, _MESH[key]) if key in _MESH else float(item) for item in value]
    return with_unit(value, _MESH[key]) if isinstance(value, float) and key in _MESH else value


def plain_option(value: Any) -> Any:
    """Option of an analysis as data."""
    if isinstance(value, Mapping):
        return {str(key): plain_option(item) for key, item in value.items()}
    if isinstance(value, Material):
        from .written_gears import material_data

        return material_data(value)
    if isinstance(value, SolidMesh):
        raise CannotWrite("a solid mesh in memory cannot be in a model file. Specify the file of the mesh")
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain_option(item) for item in value] if isinstance(value, (list, tuple)) else value
