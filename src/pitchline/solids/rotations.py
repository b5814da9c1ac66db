"""Rotations: orientations of users as rotation matrices, quaternions, directions; colours.

Orientations as the user may write them, turned into rotation matrices.

R_AB turns components in B into components in A; its columns are the axes of B seen in A.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.units.quantity import matrix, quantity, vector

__all__ = [
    "COLOURS",
    "described_colour",
    "read_colour",
    "crossed",
    "FloatArray",
    "Rotation",
    "direction",
    "misalignment",
    "quaternion_of",
    "read_rotation",
    "rotation_angle",
    "rotation_of_quaternion",
    "z_to",
]


# ---- colours

# Colours of parts: "#RRGGBB", "#RRGGBBAA" of parts that are seen through, or one of some names.

COLOURS = {
    "black": "#000000", "white": "#FFFFFF", "grey": "#808080", "gray": "#808080", "lightgrey": "#D3D3D3", "lightgray": "#D3D3D3",
    "darkgrey": "#555555", "darkgray": "#555555", "silver": "#C0C0C0", "red": "#D62728", "darkred": "#8B0000", "orange": "#E69F00",
    "gold": "#D4AF37", "yellow": "#F0E442", "olive": "#808000", "green": "#2CA02C", "darkgreen": "#006400", "lime": "#7FD13B",
    "teal": "#009E73", "cyan": "#56B4E9", "lightblue": "#ADD8E6", "blue": "#0072B2", "darkblue": "#00308F", "navy": "#000080",
    "purple": "#7B4FA3", "magenta": "#CC79A7", "pink": "#F4A6C0", "brown": "#8C564B", "beige": "#E8DCC0",
    "steel": "#8A949E", "iron": "#5B6066", "aluminium": "#C8CDD2", "brass": "#C9A94A", "bronze": "#A9743A", "copper": "#B87346",
}  # fmt: skip
_HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


def read_colour(value: object, what: Subject) -> str:
    """A colour as "#RRGGBB", or "#RRGGBBAA" where it is not opaque."""
    if isinstance(value, str):
        word = value.strip()
        if _HEX.fullmatch(word):
            digits = (word[1:] if len(word) > 4 else "".join(2 * digit for digit in word[1:])).upper()
            if digits.endswith("00") and len(digits) == 8:
                raise ModelError(
                    f"{what}: {shown(value)} is fully transparent. Specify hidden=True instead", about=what
                )
            return f"#{digits.removesuffix('FF') if len(digits) == 8 else digits}"
        name = re.sub(r"[ _-]", "", word.lower())
        if name in COLOURS:
            return COLOURS[name]
        raise ModelError(
            f'{what}: {shown(value)} is not a colour. Write "#RRGGBB", such as "#0072B2", or a name: '
            f"{near_names(name, COLOURS, most=40)}",
            about=what,
        )
    raise ModelError(f'{what}: expected a colour such as "#0072B2" or "blue", got {shown(value)}', about=what)


def described_colour(colour: str | None) -> dict[str, Any]:
    """Plain data: colour "#RRGGBB", and opacity where it is less than 1; nothing for none."""
    if colour is None:
        return {}
    return {"colour": colour[:7], **({"opacity": int(colour[7:], 16) / 255} if len(colour) > 7 else {})}


# ---- vectors

# Products of vectors of three numbers.


def crossed(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """a x b, the same numbers as numpy's cross gives, in a tenth of its time."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


_ORTHOGONAL = 1e-6  # a matrix typed with six digits is accepted and made exactly orthonormal


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Rotation:
    """A turn by `angle` [rad, or a text such as "30 deg"] about `axis`, right-handed.

    Attributes: axis (3,) unit vector; angle [rad]; matrix (3, 3).
    """

    axis: FloatArray
    angle: float

    def __init__(self, axis: object, angle: object) -> None:
        object.__setattr__(self, "axis", direction(axis, what=Subject("Rotation") / "axis"))
        object.__setattr__(self, "angle", quantity(angle, "angle", what=Subject("Rotation") / "angle"))

    @property
    def matrix(self) -> FloatArray:
        """Rodrigues: R = I + sin(angle) K + (1 - cos(angle)) K^2 with K the cross-product matrix of axis."""
        k = cross_matrix(self.axis)
        return frozen(np.eye(3) + math.sin(self.angle) * k + (1.0 - math.cos(self.angle)) * (k @ k))


def frozen(values: Any) -> FloatArray:
    """A read-only float64 copy."""
    result = np.array(values, dtype=np.float64)
    result.flags.writeable = False
    return result


_NO_ROTATION = frozen(np.eye(3))


def cross_matrix(v: FloatArray) -> FloatArray:
    """K with K w = v x w."""
    a, b, c = v.tolist()
    return np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])


def direction(value: object, *, what: str) -> FloatArray:
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


def z_to(axis: FloatArray) -> FloatArray:
    """The shortest rotation that takes (0, 0, 1) to the unit vector `axis`; its third column is `axis`.

    Close to (0, 0, -1), where the shortest one is ill-defined, a half turn about x comes first.
    """
    c = float(axis[2])
    if c < -0.999:
        half_turn = np.array([1.0, -1.0, -1.0])
        return half_turn[:, None] * z_to(half_turn * axis)
    k = cross_matrix(np.array([-axis[1], axis[0], 0.0]))
    return _NO_ROTATION + k + (k @ k) / (1.0 + c)


def read_rotation(value: object, *, what: str) -> FloatArray:
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


def _from_mapping(value: Mapping[Any, Any], what: Subject) -> FloatArray:
    if set(value) != {"axis", "angle"}:
        keys = ", ".join(sorted(str(key) for key in value)) or "nothing"
        raise ModelError(f'{what}: an orientation by axis and angle needs "axis" and "angle", got {keys}', about=what)
    axis = direction(value["axis"], what=what / "axis")
    return Rotation(axis, quantity(value["angle"], "angle", what=what / "angle")).matrix


def rotation_of_quaternion(q: FloatArray, what: str) -> FloatArray:
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


def _orthonormal(r: FloatArray, what: str) -> FloatArray:
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


def rotation_angle(r: FloatArray) -> float:
    """The angle [rad] in 0..pi of a rotation matrix."""
    sine = 0.5 * math.hypot(r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1])
    return math.atan2(sine, 0.5 * (float(np.trace(r)) - 1.0))


def misalignment(a: FloatArray, b: FloatArray) -> float:
    """The angle [rad] in 0..pi between two unit vectors."""
    across = crossed(a, b)
    return math.atan2(math.sqrt(across.dot(across)), float(a @ b))


def quaternion_of(R: FloatArray) -> FloatArray:
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
    q: FloatArray = found / math.sqrt(found.dot(found))
    return q if q[0] >= 0 else -q
