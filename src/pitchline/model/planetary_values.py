"""Checks and conversion of the values given for a planetary train."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ModelError, Subject, shown
from ..solids.mass_properties import MassProperties
from ..solids.rotations import Array
from ..units import quantity

__all__ = ["read_angles", "read_errors", "read_mass", "read_meshes"]

_MOST_PLANETS = 1000


def read_angles(planets: object, angles: Any, what: Subject) -> Array:
    """Return the angles of the planets (N,) [rad]; evenly spaced if none are given."""
    if isinstance(planets, bool) or not isinstance(planets, (int, np.integer)) or not 1 <= planets <= _MOST_PLANETS:
        raise ModelError(
            f"{what}: planets must be a whole number from 1 to {_MOST_PLANETS}, got {shown(planets)}",
            about=what.at("planets"),
        )
    if angles is None:
        return np.asarray(2.0 * math.pi * np.arange(int(planets)) / int(planets))
    given = np.array([quantity(x, "angle", what=what / "angles" / i) for i, x in enumerate(angles)])
    if len(given) != planets:
        raise ModelError(
            f"{what}: {planets} planets but {len(given)} angles. Specify one angle for each planet",
            about=what.at("angles"),
        )
    return given


def read_errors(values: Any, n: int, key: str, what: Subject) -> Array:
    """Return the position errors of n pins (n,) [m]; zero if none are given. key: "radial" or "tangential"."""
    if values is None:
        return np.zeros(n)
    given = np.array([quantity(x, "length", what=what / f"{key}_errors" / i) for i, x in enumerate(values)])
    if len(given) != n:
        raise ModelError(
            f"{what}: {n} planets but {len(given)} {key}_errors. Specify one for each planet",
            about=what.at(f"{key}_errors"),
        )
    return given


def read_mass(value: Any, part: str, what: Subject) -> dict[str, Any]:
    """Return the mass of a part of the train as arguments of `Model.body`; empty if none is given."""
    if value is None:
        return {}
    if isinstance(value, MassProperties):
        return {"solid": value}
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ModelError(
            f"{what}: masses of {part}: expected a solid with a mass, such as cylinder(..., mass=...), or "
            f"(mass, inertia), got {shown(value)}",
            about=what.at("masses", part),
        )
    return {"mass": value[0], "inertia": value[1]}


def read_meshes(value: Any, n: int, key: str, what: Subject) -> list[Any]:
    """Return one mesh for each of n planets."""
    if isinstance(value, (list, tuple)):
        if len(value) != n:
            raise ModelError(
                f"{what}: {n} planets but {len(value)} meshes in {key}. Specify one for all planets, or one for each",
                about=what.at(key),
            )
        return list(value)
    return [value] * n
