"""Gear pairs whose first and second gear change places: options of their meshes, and names of their signals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from machines.values import Call, Number

import pitchline as pl

_SIDES = {"revolution of a": "revolution of b", "revolution of b": "revolution of a"}
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
    given = {_KEYS.get(key, key): value for key, value in mesh.given.items()}
    for key, value in given.items():
        if key == "ratio" and mesh.maker == "pl.Rolling":
            given[key] = replace(value, value=1.0 / value.value)
        elif key in _TWO and isinstance(value, tuple):
            given[key] = value[::-1]
        elif key in ("approach", "coast") and isinstance(value, Number):
            given[key] = replace(value, value=tuple(_reversed(row) for row in value.value))
        else:
            given[key] = _in_the_other_cycle(value)
    return replace(mesh, given=given)


def _in_the_other_cycle(value: Any) -> Any:
    """A tooth of the second gear passes the pitch point half a cycle later, and its angle runs backwards."""
    if isinstance(value, list):
        return [_in_the_other_cycle(item) for item in value]
    if not isinstance(value, Call):
        return value
    if value.maker == "pl.Varying":
        over = value.given["over"]
        if over == "mesh cycle":
            return replace(value, places=tuple(_in_the_other_cycle(place) for place in value.places))
        return replace(value, given={"over": _SIDES.get(over, over)})
    if value.maker == "pl.Fourier":
        given = dict(value.given)
        for key, sign in (("cos", -1.0), ("sin", 1.0)):
            if key in given:
                given[key] = [replace(x, value=x.value * sign ** (k + 1) * (1.0 if key == "cos" or k % 2 == 0 else -1.0))
                              for k, x in enumerate(given[key])]  # fmt: skip
        return replace(value, given=given)
    return value


def _reversed(row: tuple[float, ...]) -> tuple[float, ...]:
    """A row over the mesh cycle, backwards from half a cycle."""
    n = len(row)
    return tuple(row[(n // 2 - k) % n] for k in range(n))


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
