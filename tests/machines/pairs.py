"""Gear pairs whose first and second gear change places: options of their meshes, and names of their signals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from machines.cases import Skip
from machines.machine import Part
from machines.values import Call, Number

import pitchline as pl

_KEYS = {"elements_a": "elements_b", "elements_b": "elements_a"}
_TWO = ("efficiency", "tooth_stiffness")
"""Arguments with one value for each gear."""
_SWAPPED = ("force_a", "force_b"), ("moment_a", "moment_b"), ("axial_force", "axial_force_b")
_OF_CROSSED_AXES = ("tangential_force", "tangential_force_b"), ("radial_force", "radial_force_b")
_OF_A = (
    "psi_a", "psi_b", "phase", "power", "mesh_velocity", "contact_moment", "second_contact_force", "tilt", "friction_state",
    "sliding_speed",
)  # fmt: skip
"""Signals that refer to the first gear, its tooth or its direction."""


def exchanged(mesh: Call, *, rack: bool) -> Call:
    """The mesh of the pair with the gears exchanged. The pinion of a rack is the first gear in any order."""
    if rack:
        return mesh
    if mesh.maker == "pl.Flank":
        raise Skip("the strips of the face, on which forces act, are those of the first gear")
    if mesh.maker == "pl.Loaded" or "over='angle'" in repr(mesh) or "'over': 'angle'" in repr(mesh):
        raise Skip("the mesh cycle is counted by the first gear: under load that of the second gear is not the same")
    given = {_KEYS.get(key, key): value for key, value in mesh.given.items()}
    for key, value in given.items():
        if key == "ratio" and mesh.maker == "pl.Rolling":
            given[key] = replace(value, value=1.0 / value.value)
        elif key in _TWO and isinstance(value, tuple):
            given[key] = value[::-1]
    return replace(mesh, given=given)


def with_speed_of_first(part: Part, model: pl.Model) -> Part:
    """The speed at which losses set in is that of the first gear, which was the second one. Racks keep their pinion."""
    mesh = part.given.get("mesh")
    pair = getattr(model.gear_pairs.get(part.name), "pair", None)
    if not hasattr(pair, "a") or mesh is None or "efficiency" not in mesh.given or "rack" in part.name:
        return part
    speed = mesh.given.get("efficiency_speed", Number(1e-3, "rad/s"))
    speed = replace(speed, value=speed.value * pair.a.teeth / pair.b.teeth)
    return replace(part, given={**part.given, "mesh": replace(mesh, given={**mesh.given, "efficiency_speed": speed})})


def names_exchanged(name: str, model: pl.Model) -> tuple[dict[str, str], list[str]]:
    """Signal -> its name after the exchange, and the signals that are not compared."""
    if name not in model.gear_pairs:  # a gearbox of two shafts on one axis
        return {f"{name}.torque_a": f"{name}.torque_b", f"{name}.torque_b": f"{name}.torque_a"}, []
    pair = model.gear_pairs[name]
    if "rack" in str(getattr(pair.pair, "kind", "")):
        return {}, []
    crossed = str(getattr(pair.pair, "kind", "")) not in ("spur", "helical", "internal")
    both = _SWAPPED + (_OF_CROSSED_AXES if crossed else ())
    names = {f"{name}.{x}": f"{name}.{y}" for two in both for x, y in (two, two[::-1])}
    return names, [f"{name}.{signal}" for signal in _OF_A]


def signals_of_cones(model: pl.Model, traits: frozenset[str] = frozenset()) -> list[str]:
    """Signals that change in a mirror image of bevel gears and of gears on shafts.

    The axis of a bevel gear then points to the other side of the apex, and that of a gear on a shaft along the shaft.

    A mate is placed with another one of its teeth in mesh, and so are all gears that are placed at it.
    """
    signals = [".orientation", ".phase", ".psi_a", ".psi_b", ".rotation", ".deflection"]
    return signals if "along" in traits or any(map(_has_cones, model.gear_pairs.values())) else []


def _has_cones(pair: Any) -> bool:
    return any(word in str(getattr(pair.pair, "kind", "")) for word in ("bevel", "hypoid"))


STRAIGHT = 1e-10
"""Distance of the pitch points of aligned gears, as a fraction of the reference radius."""


def lean(model: pl.Model, result: Any) -> bool:
    """Whether gears are displaced or tilted against each other: the tooth force then has the directions of the first gear."""
    for name, pair in model.gear_pairs.items():
        apart = result.signals.get(f"{name}.misalignment")
        if apart is None or not hasattr(pair.pair, "a"):
            continue
        size = 0.5 * pair.pair.a.reference_diameter
        if not float(np.nanmax(np.abs(apart.values), initial=0.0)) <= STRAIGHT * size:
            return True
    return False
