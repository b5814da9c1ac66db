"""One flank of a gear as the arrays that compiled contact kernels read."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..gears.teeth import ToothFlank
from .shape_layout import (
    BASE_RADIUS,
    COS_BETA,
)

__all__ = ["FlankShape", "flank_shape"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_BEYOND = 0.01
"""Points a little beyond the end of the face, by tilted axes or deviations of helical flanks, are taken to be on it."""
_LENGTHS, _FACES = 801, 65
"""Points of a table of deviations along profile and face; linear between them: the start of a relief is met within
1/800 of the flank, a crowning within a few thousandths of its amount."""


@dataclass(frozen=True, eq=False)
class FlankShape:
    """An involute flank with its microgeometry.

    Attributes
    ----------
    numbers : (17,)
        s, σ, r_b [m], η [rad], κ [rad/m], cos β_b, sin β_b, angular pitch [rad], z, half the face width [m]; then
        origin and points per metre of the tables of deviations along L and ζ, whether there are any, and the same of
        `limits`.
    limits : (n, 2)
        Least and greatest L [m] over ζ.
    deviations : (t, n_L, n_ζ)
        δ [m], one table for each tooth that differs from others.
    table : (z,)
        Which of them each tooth has.
    """

    numbers: FloatArray
    limits: FloatArray
    deviations: FloatArray
    table: IntArray

    @property
    def base_radius(self) -> float:
        """r_b [m]."""
        return float(self.numbers[BASE_RADIUS])

    @property
    def base_helix_cosine(self) -> float:
        """cos β_b."""
        return float(self.numbers[COS_BETA])


def flank_shape(flank: ToothFlank) -> FlankShape:
    """The arrays of a flank."""
    involute, gear = flank.involute, flank.gear
    half = 0.5 * gear.required_face_width("loaded contact")
    lines = np.linspace(-half, half, _FACES if flank.conical else 2)
    ends = np.stack([flank.form_roll_length(lines), flank.tip_roll_length(lines)], axis=-1)
    ends.sort(axis=-1)
    low, high = float(ends.min()), float(ends.max())
    if flank.modified:
        L = np.linspace(low, high, _LENGTHS)
        z = np.linspace(-half, half, _FACES)
        special = sorted(flank.of_tooth)
        usual = next((k for k in range(gear.teeth) if k not in flank.of_tooth), 0)
        teeth = np.array([usual, *special])
        tables = np.stack([flank.deviation(L[:, None], z, int(k)) for k in teeth])
        table = np.zeros(gear.teeth, dtype=np.int64)
        table[special] = 1 + np.arange(len(special))
    else:
        L, z = np.array([low, high]), np.array([-half, half])
        tables, table = np.zeros((1, 2, 2)), np.zeros(gear.teeth, dtype=np.int64)
    beta = involute.base_helix_angle
    numbers = np.array(
        [
            involute.side, involute.sense, involute.base_radius, involute.base_angle, involute.twist, math.cos(beta),
            math.sin(beta), gear.angular_pitch, gear.teeth, (1.0 + _BEYOND) * half,
            L[0], 1.0 / (L[1] - L[0]), z[0], 1.0 / (z[1] - z[0]), float(flank.modified),
            lines[0], 1.0 / (lines[1] - lines[0]),
        ]
    )  # fmt: skip
    return FlankShape(numbers, np.ascontiguousarray(ends), np.ascontiguousarray(tables), table)
