"""Values of a model as data of a file: functions, meshes, places, directions; the inverse of `values`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from pitchline.declare.declared_element import REQUIRED
from pitchline.declare.names import Frame, StateLaw
from pitchline.declare.signal_expression import SignalExpression
from pitchline.declare.structure import Station
from pitchline.errors import ModelError, shown
from pitchline.fem.own_mesh.inp_mesh import SolidMesh
from pitchline.functions.piecewise import Constant, Function
from pitchline.functions.polynomial import Sum
from pitchline.functions.sampled import Sampled
from pitchline.model.model import Model
from pitchline.model.structure_methods import described_look
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.meshes.laws import Mesh
from pitchline.parts.meshes.laws.common import FrictionTable, Stribeck
from pitchline.parts.meshes.laws.elastic import Elastic, Rigid, Rolling
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.laws.loaded import Loaded
from pitchline.parts.meshes.laws.own import OwnMesh
from pitchline.parts.meshes.laws.varying import Varying
from pitchline.solids.mass_properties import ShapePiece
from pitchline.solids.rotations import Rotation, z_to
from pitchline.units.quantity import canonical_unit, quantity

from . import catalogue
from .catalogue import Entry

__all__ = [
    "key",
    "table",
    "value",
    "LETTERS",
    "axis_of",
    "dimension_of_unit",
    "direction",
    "orientation",
    "quantities",
    "rounded",
    "with_unit",
    "Places",
    "Table",
    "tidied",
    "LookWords",
    "CannotWrite",
    "function_data",
    "is_default",
    "mesh_data",
    "plain_option",
]


# ---- toml text

# TOML text from plain data: tables, lists over several lines, and inline tables if they are short.

_WIDTH = 116
_SHORT_TABLE = 100
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_SIGNS = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def key(name: str) -> str:
    """Key, in quotes if necessary."""
    return name if _BARE.match(name) else text(name)


def text(said: str) -> str:
    """Text in quotes."""
    return (
        '"'
        + "".join(_SIGNS.get(sign) or (sign if sign.isprintable() else f"\\U{ord(sign):08x}") for sign in said)
        + '"'
    )


def number(said: float) -> str:
    """Number that reads back exactly; integers without decimal point."""
    if abs(said) < 1e15 and said == int(said) and not (said == 0.0 and str(said).startswith("-")):
        return str(int(said))
    return repr(said)


def inline(said: Any) -> str:
    """Value on one line."""
    if isinstance(said, bool):
        return "true" if said else "false"
    if isinstance(said, int):
        return str(said)
    if isinstance(said, float):
        return number(float(said))
    if isinstance(said, str):
        return text(said)
    if isinstance(said, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {inline(v)}" for k, v in said.items()) + " }" if said else "{}"
    if isinstance(said, (list, tuple)):
        return "[" + ", ".join(inline(item) for item in said) + "]"
    raise TypeError(f"{said!r} ({type(said).__name__}) cannot be written as TOML")


def value(said: Any, taken: int = 0) -> str:
    """Value; a long list goes over several lines."""
    line = inline(said)
    if len(line) + taken <= _WIDTH or not isinstance(said, (list, tuple)):
        return line
    lines, now = ["["], "   "
    for item in said:
        part = f" {value(item, 4) if isinstance(item, (list, tuple)) else inline(item)},"
        if len(now) + len(part) > _WIDTH and now.strip():
            lines.append(now)
            now = "   "
        now += part
    return "\n".join([*lines, now, "]"])


def table(path: tuple[str, ...], said: Mapping[str, Any], *, listed: bool = False) -> str:
    """Table under its header; long tables in it follow as separate tables."""
    name = ".".join(key(part) for part in path)
    lines = [f"[[{name}]]" if listed else f"[{name}]"]
    later = []
    for k, v in said.items():
        if isinstance(v, Mapping) and len(inline(v)) > _SHORT_TABLE:
            later.append(table((*path, k), v))
        else:
            start = f"{key(k)} = "
            lines.append(start + value(v, len(start)))
    return "\n".join(lines) + "\n" + "".join("\n" + part for part in later)


# ---- written quantities

# Quantities and rotations as data of a file: with the unit that gives the shortest text that reads back exactly.

_UNITS = {
    "length": ("m", "mm", "um", "in"),
    "mass": ("kg", "g", "lb", "lbf*s^2/in"),
    "time": ("s", "ms", "us"),
    "angle": ("deg", "rad"),
    "angular velocity": ("rad/s", "rpm"),
    "velocity": ("m/s", "mm/s"),
    "acceleration": ("m/s^2",),
    "force": ("N", "kN", "lbf"),
    "torque": ("N*m", "lbf*in"),
    "stiffness": ("N/m", "N/um", "lbf/in"),
    "damping": ("N*s/m", "lbf*s/in"),
    "torsional stiffness": ("N*m/rad", "N*m/deg", "lbf*in/rad"),
    "torsional damping": ("N*m*s/rad", "lbf*in*s/rad"),
    "inertia": ("kg*m^2", "kg*mm^2", "lbf*in*s^2"),
    "pressure": ("Pa", "GPa"),
    "density": ("kg/m^3",),
    "frequency": ("Hz", "kHz"),
}
_FOREIGN = ("in", "lb", "lbf*s^2/in", "lbf", "lbf*in", "lbf/in", "lbf*s/in", "lbf*in/rad", "lbf*in*s/rad", "lbf*in*s^2")
_PRICE, _SHORT = 3, 10
"""Signs."""
LETTERS = ("x", "y", "z", "-x", "-y", "-z")


def dimension_of_unit(unit: str) -> str | None:
    """Dimension of numbers in an SI unit: by name, so that other units are tried as well, or the unit itself."""
    return next((name for name in _UNITS if canonical_unit(name) == unit), unit or None)


def with_unit(value: float, dimension: str | None) -> float | str:
    """Number in SI units as a text with a unit; zero and pure numbers are not changed."""
    value = float(value)
    if dimension in (None, "number") or value == 0.0:
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    assert dimension is not None
    own = canonical_unit(dimension)
    best, length = f"{value!r} {own}", len(repr(value))
    for unit in _UNITS.get(dimension, (own,)):
        number = value / quantity(f"1 {unit}", dimension, what="unit")
        for digits in (f"{number:.8g}", f"{number:.15g}"):
            if quantity(f"{digits} {unit}", dimension, what="unit") == value:
                # another unit is used only if the text becomes shorter
                if len(digits) + _PRICE * (unit in _FOREIGN) < length and (len(digits) <= _SHORT or unit == own):
                    best, length = f"{digits} {unit}", len(digits)
                break
    return best if quantity(best, dimension, what="unit") == value else value


def quantities(values: Any, dimension: str | None) -> list[float | str]:
    """List with the same dimension."""
    return [with_unit(value, dimension) for value in np.asarray(values, dtype=float).tolist()]


def rounded(values: Any, size: float = 1.0) -> list[float]:
    """Numbers without rounding errors in the last digits, as a user may have written them."""
    unit = 10.0 ** (math.floor(math.log10(size)) if size > 0.0 else 0)
    return [round(float(value) / unit, 12) * unit if value else 0.0 for value in np.asarray(values, dtype=float)]


def direction(v: Sequence[float] | np.ndarray) -> str | list[float]:
    """Unit vector as a letter, or as three numbers."""
    for letter in LETTERS:
        if np.array_equal(np.asarray(v), _unit(letter)):
            return letter
    return [float(x) for x in v]


def _unit(letter: str) -> np.ndarray:
    v = np.zeros(3)
    v["xyz".index(letter[-1])] = -1.0 if letter.startswith("-") else 1.0
    return v


def axis_of(r: np.ndarray) -> str | None:
    """Letter of the axis that `axis = ` needs for this rotation, if there is one."""
    return next((letter for letter in LETTERS if np.array_equal(z_to(_unit(letter)), r)), None)


def orientation(r: np.ndarray) -> Any:
    """Rotation: None for no rotation, axis and angle if that is exact, otherwise a matrix."""
    if np.array_equal(r, np.eye(3)):
        return None
    for k, letter in enumerate("xyz"):
        i, j = (k + 1) % 3, (k + 2) % 3
        angle = math.atan2(r[j, i], r[i, i])
        for value in (angle, math.radians(round(math.degrees(angle), 9))):
            if np.array_equal(Rotation(letter, value).matrix, r):
                return {"axis": letter, "angle": with_unit(value, "angle")}
    return [[float(x) for x in row] for row in r]


# ---- written places

# Tables for frames, points and axes of a model, from the probable user input to the one with all numbers.

Table = dict[str, Any]


class Places:
    """Possible tables for positions in a model."""

    def __init__(self, model: Model) -> None:
        self.m = model
        self.size = max(model.size, 1e-9)

    def frame(self, frame: Frame, *, named: bool = True) -> Table:
        """Frame with all numbers."""
        table: Table = {"body": frame.body_name}
        if frame.position.any():
            table["position"] = quantities(frame.position, "length")
        axis = axis_of(frame.rotation)
        if axis is not None and axis != "z":
            table["axis"] = axis
        elif axis is None:
            table["rotation"] = orientation(frame.rotation)
        return {**table, "name": frame.name} if named and frame.name else table

    def places(self, key: str, x: np.ndarray) -> list[Table]:
        """Point of the world: as probable user input, and with all digits."""
        return [{key: quantities(p, "length")} for p in (rounded(x, self.size), x)]

    def both(self, points: list[np.ndarray]) -> Iterator[Table]:
        """Points on both sides; either or both can be left out."""
        a, b = self.places("at_a", points[0]), self.places("at_b", points[1])
        yield {}
        for n in range(2):
            yield a[n]
            yield b[n]
            yield {**a[n], **b[n]}

    def meeting(self, a: Frame, b: Frame) -> Iterator[Table]:
        """at and axis of the place where two frames meet; empty if they are the frames of the bodies."""
        x, R = self.m.placed(b if a.body_name == "ground" else a)
        z = [{"axis": direction(v)} for v in tidied(R[:, 2])]
        places = self.places("at", x)
        yield {}
        yield from z[:1]
        yield from places
        for at in places:
            for axis in z:
                yield {**at, **axis}


def tidied(v: np.ndarray) -> list[np.ndarray]:
    """Direction without rounding errors in the last digits, and as it is."""
    return [np.array(rounded(v)), v]


# ---- written looks

# Tables for the appearance of elements: shapes, colours, and whether they are hidden.


class LookWords:
    """Keys for the appearance of the elements of a model."""

    def __init__(self, model: Model) -> None:
        self.m = model

    def apart(self, name: str) -> bool:
        """Whether the appearance is in a table [looks.NAME], because the element itself has no table for it."""
        m = self.m
        own = name in m.structures or name in m.wheels or (name in m.bodies and not isinstance(m.bodies[name], Station))
        return not own

    def of(self, name: str) -> Table:
        """shape, colour and hidden, if they are specified."""
        said = described_look(self.m, name)
        if said.pop("opacity", None) is not None:
            said["colour"] = self.m.looks[name].colour
        if "shape" in said:
            shape = self.m.looks[name].shape
            assert shape is not None
            pieces = [_piece(piece) for piece in shape.pieces]
            said["shape"] = pieces[0] if len(pieces) == 1 else pieces
        return said


def _piece(piece: ShapePiece) -> Table:
    """Shape with its position."""
    sizes: Table = {key: with_unit(value, "length") for key, value in piece.sizes.items() if isinstance(value, float)}
    turned, table = True, Table()
    if piece.kind == "box":
        table = {
            "kind": "bar",
            **dict(zip(("length", "width", "height"), quantities(piece.sizes["size"], "length"), strict=True)),
        }
    elif piece.kind == "mesh":
        table = {"kind": "stl", "file": piece.sizes["file"], **sizes}
    elif piece.kind == "cylinder" and "inner" in sizes:
        table = {
            "kind": "tube",
            "outer_radius": sizes["radius"],
            "inner_radius": sizes["inner"],
            "length": sizes["length"],
        }
    else:
        table = {"kind": piece.kind, **sizes}
    axis = axis_of(piece.rotation)
    if piece.kind in ("cylinder", "cone") and axis in ("x", "y"):
        table["axis"], turned = axis, False
    if turned and not np.array_equal(piece.rotation, np.eye(3)):
        table["turned"] = orientation(piece.rotation)
    if piece.position.any():
        table["moved"] = quantities(piece.position, "length")
    return {**table, "colour": piece.colour} if piece.colour is not None else table


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
        from pitchline.parts.gears.text import material_data

        return material_data(value)
    if isinstance(value, SolidMesh):
        raise CannotWrite("a solid mesh in memory cannot be in a model file. Specify the file of the mesh")
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain_option(item) for item in value] if isinstance(value, (list, tuple)) else value
