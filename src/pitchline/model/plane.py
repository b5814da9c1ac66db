"""Plane: the coordinate plane in which all bodies of a planar model move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ModelError, shown
from ..solids.rotations import Array, frozen
from .names import one_of

__all__ = ["Plane", "read_plane"]

_NORMALS = {"xy": "z", "yx": "z", "yz": "x", "zy": "x", "zx": "y", "xz": "y"}
_PARALLEL = 1e-6


@dataclass(frozen=True, eq=False)
class Plane:
    """A coordinate plane of the world. Bodies move in parallels of it: two translations and one rotation about the normal.

    Attributes
    ----------
    name : str
        "xy", "yz" or "zx".
    normal : (3,)
        World axes, length one: z, x or y.
    axes : (3, 3)
        Columns e1, e2 in the plane, and the normal; right-handed.
    """

    name: str
    normal: Array
    axes: Array

    def is_normal(self, v: Array) -> bool:
        """Whether a unit vector stands on the plane, on either side."""
        return bool(np.linalg.norm(v - (v @ self.normal) * self.normal) < _PARALLEL)

    def contains(self, v: Array) -> bool:
        """Whether a unit vector lies in the plane."""
        return abs(float(v @ self.normal)) < _PARALLEL

    def flat(self, v: Array) -> Array:
        """A vector without its part along the normal."""
        return np.asarray(v - (v @ self.normal) * self.normal)

    def frame_along(self, axis: Array) -> Array:
        """Axes (3, 3) of a frame whose z is a direction in the plane: x is the normal, y lies in the plane."""
        return np.column_stack([self.normal, np.cross(axis, self.normal), axis])


def read_plane(value: object, what: str) -> Plane | None:
    """A plane from its name; None for none."""
    if value is None:
        return None
    if not one_of(value, _NORMALS):
        raise ModelError(
            f'{what}: plane must be "xy", "yz" or "zx", got {shown(value)}; of any other plane turn the model, or leave it out '
            "for motion in space",
            about=what,
        )
    letter = _NORMALS[str(value)]
    k = "xyz".index(letter)
    axes = np.eye(3)[:, [(k + 1) % 3, (k + 2) % 3, k]]
    return Plane({"z": "xy", "x": "yz", "y": "zx"}[letter], frozen(axes[:, 2]), frozen(axes))
