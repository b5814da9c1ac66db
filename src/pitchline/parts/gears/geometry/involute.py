"""The involute function and its inverse.

    inv α = tan α − α

Near zero the difference loses all its figures, so it is summed from the series of the tangent there.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError

__all__ = ["FloatArray", "along", "inverse_involute", "involute"]


# ---- arrays

# Two coordinates of a flank as arrays.


def along(u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two coordinates as arrays of one shape."""
    a, b = np.broadcast_arrays(np.asarray(u, dtype=np.float64), np.asarray(z, dtype=np.float64))
    return a, b


_SMALL = 0.15
# tan α − α = Σ c_k α^(2k+3)
_SERIES = (
    1 / 3,
    2 / 15,
    17 / 315,
    62 / 2835,
    1382 / 155925,
    21844 / 6081075,
    929569 / 638512875,
    6404582 / 10854718875,
)


def involute(angle: float) -> float:
    """inv α = tan α − α of an angle α [rad], |α| < π/2; good to the last figures also near zero."""
    if abs(angle) > _SMALL:
        return math.tan(angle) - angle
    square = angle * angle
    total = 0.0
    for coefficient in reversed(_SERIES):
        total = total * square + coefficient
    return total * square * angle


def inverse_involute(value: float, *, what: str = "involute") -> float:
    """The angle α [rad] with inv α = value, from 0 to less than π/2.

    Newton's method for α where the angle is small, for t = tan α (t − atan t = value) where it is large; both converge
    from above without a step beyond the root, to a few units in the last place.
    """
    if not 0.0 <= value < math.inf:
        raise ModelError(f"{what}: no pressure angle has the involute {value:.6g}; it must not be negative", about=what)
    if value == 0.0:
        return 0.0
    if value < 0.5:
        angle = math.cbrt(3.0 * value)  # inv α > α³/3: the start lies above the root
        for _ in range(50):
            step = (involute(angle) - value) / math.tan(angle) ** 2
            angle -= step
            if abs(step) <= 1e-16 * angle:
                break
        return angle
    t = value + 0.5 * math.pi
    for _ in range(50):
        step = (t - math.atan(t) - value) * (1.0 + t * t) / (t * t)
        t -= step
        if abs(step) <= 2e-16 * t:
            break
    return math.atan(t)
