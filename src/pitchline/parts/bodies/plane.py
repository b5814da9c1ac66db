"""Plane: the coordinate plane of a planar model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.names import one_of
from pitchline.errors import ModelError, shown
from pitchline.solids.rotations import frozen

__all__ = ["Plane", "read_plane"]

_NORMALS = {"xy": "z", "yx": "z", "yz": "x", "zy": "x", "zx": "y", "xz": "y"}
_PARALLEL = 1e-6


@dataclass(frozen=True, eq=False)
class Plane:
    """Coordinate plane of the world. Bodies move parallel to it: two translations, and one rotation about the normal.

    Attributes
    ----------
    name : str
        "xy", "yz" or "zx".
    normal : (3,)
        Unit vector in world axes: z, x or y.
    axes : (3, 3)
        Columns e1, e2 in the plane, and the normal; right-handed.
    """

    name: str
    normal: FloatArray
    axes: FloatArray

    def is_normal(self, v: FloatArray) -> bool:
        """Whether a unit vector is normal to the plane, in either direction."""
        return bool(np.linalg.norm(v - (v @ self.normal) * self.normal) < _PARALLEL)

    def contains(self, v: FloatArray) -> bool:
        """Whether a unit vector is parallel to the plane."""
        return abs(float(v @ self.normal)) < _PARALLEL

    def flat(self, v: FloatArray) -> FloatArray:
        """Return a vector without its normal component."""
        return np.asarray(v - (v @ self.normal) * self.normal)

    def frame_along(self, axis: FloatArray) -> FloatArray:
        """Axes (3, 3) of a frame whose z axis is a direction in the plane: x is the normal, y is in the plane."""
        return np.column_stack([self.normal, np.cross(axis, self.normal), axis])


def read_plane(value: object, what: str) -> Plane | None:
    """Read a plane from its name. None: no plane."""
    if value is None:
        return None
    if not one_of(value, _NORMALS):
        raise ModelError(
            f'{what}: plane must be "xy", "yz" or "zx", got {shown(value)}; rotate the model into one of these planes, '
            "or omit plane "
            "for motion in space",
            about=what,
        )
    letter = _NORMALS[str(value)]
    k = "xyz".index(letter)
    axes = np.eye(3)[:, [(k + 1) % 3, (k + 2) % 3, k]]
    return Plane({"z": "xy", "x": "yz", "y": "zx"}[letter], frozen(axes[:, 2]), frozen(axes))
