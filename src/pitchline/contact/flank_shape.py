"""One flank of a gear as compiled contact kernels read it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..gears.teeth import ToothFlank
from ..math.fields import packed
from .flank_gap import FlankSurface

__all__ = ["FlankShape", "flank_shape"]

FloatArray = npt.NDArray[np.float64]

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
    record
        Of `FlankSurface`, for compiled code.
    limits : (n, 2)
        Least and greatest L [m] over ζ.
    side : float
        1 left, −1 right.
    base_radius, base_helix_cosine, twist : float
        r_b [m], cos β_b, κ [rad/m].
    teeth : int
    """

    record: FloatArray
    limits: FloatArray
    side: float
    base_radius: float
    base_helix_cosine: float
    twist: float
    teeth: int


def flank_shape(flank: ToothFlank) -> FlankShape:
    """The record of a flank."""
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
    shape = {"side": involute.side, "base_radius": involute.base_radius, "twist": involute.twist}
    record = packed(
        FlankSurface,
        {
            **shape,
            "sense": involute.sense,
            "base_angle": involute.base_angle,
            "cos_beta": math.cos(beta),
            "sin_beta": math.sin(beta),
            "pitch": gear.angular_pitch,
            "half_face": (1.0 + _BEYOND) * half,
            "first_limit": lines[0],
            "limits_per_metre": 1.0 / (lines[1] - lines[0]),
            "limits": ends,
            "modified": flank.modified,
            "table_of": table,
            "lengths": len(L),
            "first_length": L[0],
            "lengths_per_metre": 1.0 / (L[1] - L[0]),
            "first_face": z[0],
            "faces_per_metre": 1.0 / (z[1] - z[0]),
            "deviations": tables.reshape(-1, len(z)),
        },
    )
    return FlankShape(
        record, ends, **{k: float(v) for k, v in shape.items()}, base_helix_cosine=math.cos(beta), teeth=gear.teeth
    )
