"""Errors of the assembly of two gears: where gear B is, compared with its place by design."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, near_names, shown
from ..units import quantity
from .pitch import Array
from .placement import Placement

__all__ = ["AssemblyErrors"]

_PARALLEL = 1e-9


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class AssemblyErrors:
    """Errors of the position of two gears, as measured on bevel gear testers (E, P, G and Σ).

    Parameters
    ----------
    offset
        E [m]: more distance between the axes, along their common perpendicular. Axes that intersect: along z_A × z_B. Parallel
        axes: more centre distance. A rack: away from its pinion.
    axial_a, axial_b
        P and G [m]: each gear along its own z axis. Of a bevel gear with a positive cone angle z points away from the apex.
    shaft_angle
        Σ [rad]: more angle between the z axes, about their common perpendicular. Parallel axes: gear B is turned about the line
        of centres, from A to B, right-handed.
    """

    offset: float
    axial_a: float
    axial_b: float
    shaft_angle: float

    def __init__(
        self, offset: object = 0.0, axial_a: object = 0.0, axial_b: object = 0.0, shaft_angle: object = 0.0
    ) -> None:
        lengths = {"offset": offset, "axial_a": axial_a, "axial_b": axial_b}
        for name, value in lengths.items():
            object.__setattr__(self, name, quantity(value, "length", what=f"assembly errors: {name}"))
        object.__setattr__(self, "shaft_angle", quantity(shaft_angle, "angle", what="assembly errors: shaft_angle"))

    @classmethod
    def of(cls, value: object, what: str) -> AssemblyErrors | None:
        """From what a user specified: errors, a table of them, or None."""
        if value is None or isinstance(value, AssemblyErrors):
            return value
        names = [field.name for field in fields(cls)]
        if isinstance(value, Mapping):
            for name in value:
                if name not in names:
                    raise ModelError(f"{what}: there is no error {shown(name)}; {near_names(str(name), names)}")
            return cls(**value)
        raise ModelError(f"{what} must be AssemblyErrors(...), with {', '.join(names)}, got {shown(value)}")

    def __bool__(self) -> bool:
        return bool(self.offset or self.axial_a or self.axial_b or self.shaft_angle)

    def applied(self, pose: Placement, *, rack: bool = False) -> Placement:
        """Return the pose of gear B in the axes of A with these errors."""
        z_a, z_b, x = np.array([0.0, 0.0, 1.0]), pose.rotation[:, 2], pose.position
        across = np.cross(z_a, z_b)
        sine = float(np.linalg.norm(across))
        if rack:
            common, through = -pose.rotation[:, 0], x
        elif sine < _PARALLEL:
            apart = np.array([x[0], x[1], 0.0])
            size = float(np.linalg.norm(apart))
            common, through = (apart / size if size else np.array([1.0, 0.0, 0.0])), x
        else:
            common = across / sine
            # the foot of the common perpendicular on the axis of B
            through = x + z_b * (float(np.cross(-x, z_a) @ across) / sine**2)
            if not _intersect(x, common):
                common = common * math.copysign(1.0, float(common @ x))
        turn = _rotation(common if rack or sine < _PARALLEL else across / sine, self.shaft_angle)
        moved = through + turn @ (x - through) + self.offset * common - self.axial_a * z_a
        rotation = turn @ pose.rotation
        return Placement(moved + self.axial_b * rotation[:, 2], rotation)


def _intersect(x: Array, common: Array) -> bool:
    return abs(float(common @ x)) < 1e-9 * max(float(np.linalg.norm(x)), 1e-300)


def _rotation(axis: Array, angle: float) -> Array:
    """Rotation about an axis of length one; (3, 3)."""
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * skew + (1.0 - math.cos(angle)) * skew @ skew)
