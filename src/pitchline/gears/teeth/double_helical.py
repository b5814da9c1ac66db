"""Double helical gears: two halves of opposite hand with a gap between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError
from ..gear import Gear
from ..inputs import size
from .arrays import FloatArray
from .teeth import Teeth

__all__ = ["Half", "double_helical"]


@dataclass(frozen=True)
class Half:
    """One half: its teeth in separate axes, at z = shift [m] in the gear, rotated by turn [rad]."""

    teeth: Teeth
    shift: float
    turn: float

    def to_gear(self, points: npt.ArrayLike) -> FloatArray:
        """Points (…, 3) [m] of the half in the axes of the gear."""
        p = np.asarray(points, dtype=np.float64)
        P = (p[..., 0] + 1j * p[..., 1]) * np.exp(1j * self.turn)
        return np.stack([P.real, P.imag, p[..., 2] + self.shift], axis=-1)

    def direction_to_gear(self, vectors: npt.ArrayLike) -> FloatArray:
        """Directions (…, 3), such as normals, in the axes of the gear."""
        return self.to_gear(vectors) - np.array([0.0, 0.0, self.shift])


@names_wrong_arguments
def double_helical(gear: Gear, *, gap: object = 0.0, **options: object) -> tuple[Half, Half]:
    """Return the lower (z < 0) and the upper half of a double helical gear.

    gear: its helix angle is that of the upper half, its face width that of both halves together, without the gap [m].
    The extended teeth of both halves meet in the plane z = 0, where x goes through the middle of tooth 0.
    options: as for `Teeth`.
    """
    if not gear.helix_angle:
        raise ModelError("double_helical: the gear is a spur gear. Specify helix_angle, that of its upper half")
    width = 0.5 * gear.required_face_width("a double helical gear")
    apart = size(gap, "length", "double_helical: gap")
    halves = []
    for sign in (-1.0, 1.0):
        half = gear.with_(helix_angle=sign * gear.helix_angle, face_width=width)
        shift = sign * 0.5 * (width + apart)
        turn = 2.0 * math.tan(half.helix_angle) / half.reference_diameter * shift
        halves.append(Half(Teeth(half, **options), shift, turn))  # type: ignore[arg-type]
    return halves[0], halves[1]
