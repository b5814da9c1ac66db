"""Orientations as the user may write them, turned into rotation matrices.

R_AB turns components in B into components in A; its columns are the axes of B seen in A.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..units import matrix, quantity, vector
from .vectors import crossed

__all__ = [
    "Array", "Rotation", "direction", "misalignment", "quaternion_of", "read_rotation", "rotation_angle",
    "rotation_of_quaternion", "z_to",
]  # fmt: skip

Array = npt.NDArray[np.float64]

_ORTHOGONAL = 1e-6  # a matrix typed with six digits is accepted and made exactly orthonormal


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Rotation:
    """A turn by `angle` [rad, or a text such as "30 deg"] about `axis`, right-handed.

    Attributes: axis (3,) unit vector; angle [rad]; matrix (3, 3).
    """

    axis: Array
    angle: float

    def __init__(self, axis: object, angle: object) -> None:
        object.__setattr__(self, "axis", direction(axis, what=Subject("Rotation") / "axis"))
        object.__setattr__(self, "angle", quantity(angle, "angle", what=Subject("Rotation") / "angle"))

    @property
    def matrix(self) -> Array:
        """Rodrigues: R = I + sin(angle) K + (1 - cos(angle)) K^2 with K the cross-product matrix of axis."""
        k = cross_matrix(self.axis)
        return frozen(np.eye(3) + math.sin(self.angle) * k + (1.0 - math.cos(self.angle)) * (k @ k))


def frozen(values: Any) -> Array:
    """A read-only float64 copy."""
    result = np.array(values, dtype=np.float64)
    result.flags.writeable = False
    return result


_NO_ROTATION = frozen(np.eye(3))


def cross_matrix(v: Array) -> Array:
    """K with K w = v x w."""
    a, b, c = v.tolist()
    return np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])


def direction(value: object, *, what: str) -> Array:
    """A unit vector from three numbers, or from "x", "y", "z", "-x", "-y", "-z"."""
    if isinstance(value, str):
        bare = value.strip().removeprefix("-").removeprefix("+")
        if bare not in ("x", "y", "z"):
            raise ModelError(
                f'{what}: {shown(value)} is not a direction. Specify "x", "y", "z" or three numbers', about=what
            )
        result = np.zeros(3)
        result["xyz".index(bare)] = -1.0 if value.strip().startswith("-") else 1.0
        return frozen(result)
    v = vector(value, "number", what=what)
    largest = float(np.abs(v).max())
    if largest == 0.0:
        raise ModelError(f"{what}: (0, 0, 0) has no direction. Specify a vector such as (0, 0, 1)", about=what)
    v = v / largest  # very large and very small numbers keep their direction
    return frozen(v / np.linalg.norm(v))


def z_to(axis: Array) -> Array:
    """The shortest rotation that takes (0, 0, 1) to the unit vector `axis`; its third column is `axis`.

    Close to (0, 0, -1), where the shortest one is ill-defined, a half turn about x comes first.
    """
    c = float(axis[2])
    if c < -0.999:
        half_turn = np.array([1.0, -1.0, -1.0])
        return half_turn[:, None] * z_to(half_turn * axis)
    k = cross_matrix(np.array([-axis[1], axis[0], 0.0]))
    return _NO_ROTATION + k + (k @ k) / (1.0 + c)


def read_rotation(value: object, *, what: str) -> Array:
    """A rotation matrix (3, 3), read-only, from any of the accepted forms.

    None (no rotation), Rotation, {"axis": ..., "angle": ...}, quaternion (w, x, y, z), or 3x3 matrix.
    """
    if value is None:
        return _NO_ROTATION
    if isinstance(value, Rotation):
        return value.matrix
    if isinstance(value, Mapping):
        return _from_mapping(value, Subject(what))
    if isinstance(value, np.ndarray) and value.shape != (3, 3):
        value = value.tolist()
    size = len(value) if isinstance(value, (list, tuple, np.ndarray)) else 0
    if size == 4:
        return rotation_of_quaternion(vector(value, "number", what=what, size=4), what)
    if size == 3:
        return _orthonormal(matrix(value, "number", what=what), what)
    raise ModelError(
        f"{what}: {shown(value)} is not an orientation. Specify a quaternion (w, x, y, z), a 3x3 matrix or "
        '{"axis": (0, 0, 1), "angle": "30 deg"}',
        about=what,
    )


def _from_mapping(value: Mapping[Any, Any], what: Subject) -> Array:
    if set(value) != {"axis", "angle"}:
        keys = ", ".join(sorted(str(key) for key in value)) or "nothing"
        raise ModelError(f'{what}: an orientation by axis and angle needs "axis" and "angle", got {keys}', about=what)
    axis = direction(value["axis"], what=what / "axis")
    return Rotation(axis, quantity(value["angle"], "angle", what=what / "angle")).matrix


def rotation_of_quaternion(q: Array, what: str) -> Array:
    """Rotation matrix (3, 3), read-only, of a quaternion (w, x, y, z)."""
    norm = math.sqrt(q.dot(q))
    if abs(norm - 1.0) > 1e-3:
        raise ModelError(
            f"{what}: the quaternion (w, x, y, z) = {shown(q.tolist())} has length {norm:g}; it must be 1", about=what
        )
    w, x, y, z = (q / norm).tolist()
    return frozen(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _orthonormal(r: Array, what: str) -> Array:
    off = float(np.abs(r.T @ r - _NO_ROTATION).max()) if np.abs(r).max() < 2.0 else math.inf
    if off > _ORTHOGONAL:
        raise ModelError(
            f"{what}: the matrix is not a rotation: R^T R differs from the identity by {off:.3g}; "
            "the columns must be orthogonal and have length 1",
            about=what,
        )
    (a, b, c), (d, e, f), (g, h, i) = r.tolist()
    if a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g) < 0.0:
        raise ModelError(
            f"{what}: the matrix is a reflection (determinant -1), not a rotation; change the sign of one column",
            about=what,
        )
    if off < 1e-14:
        return frozen(r)
    u, _, vt = np.linalg.svd(r)
    return frozen(u @ vt)


def rotation_angle(r: Array) -> float:
    """The angle [rad] in 0..pi of a rotation matrix."""
    sine = 0.5 * math.hypot(r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1])
    return math.atan2(sine, 0.5 * (float(np.trace(r)) - 1.0))


def misalignment(a: Array, b: Array) -> float:
    """The angle [rad] in 0..pi between two unit vectors."""
    across = crossed(a, b)
    return math.atan2(math.sqrt(across.dot(across)), float(a @ b))


def quaternion_of(R: Array) -> Array:
    """Unit quaternion (w, x, y, z), w >= 0, of a rotation matrix: the largest component first, so that no digit is lost."""
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    squares = [1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i]
    k = squares.index(max(squares))
    products = (
        (squares[0], h - f, c - g, d - b),
        (h - f, squares[1], b + d, c + g),
        (c - g, b + d, squares[2], f + h),
        (d - b, c + g, f + h, squares[3]),
    )
    found = np.array(products[k])
    q: Array = found / math.sqrt(found.dot(found))
    return q if q[0] >= 0 else -q
