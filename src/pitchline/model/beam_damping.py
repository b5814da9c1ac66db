"""Damping of the material of shafts and beams: moments and forces proportional to rates of deformation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..errors import ModelError, Subject, near_names
from ..gears.inputs import size
from ..solids.rotations import Array

__all__ = ["BeamDamping", "read_damping"]

_KEYS = ("bending", "torsion", "axial")


@dataclass(frozen=True)
class BeamDamping:
    """Times β [s]: the damping matrix is β times the stiffness, with one β each for bending with shear, torsion and axial motion.

    A motion at the angular frequency ω loses β ω of its elastic energy per radian (loss factor η = β ω, damping ratio β ω/2).
    """

    bending: float = 0.0
    torsion: float = 0.0
    axial: float = 0.0

    def matrix(self, stiffness: Array) -> Array:
        """(6, 6) for a stiffness K: S K S, S the square roots of β."""
        root = np.sqrt([self.bending, self.bending, self.axial, self.bending, self.bending, self.torsion])
        return root[:, None] * stiffness * root


def read_damping(value: object, what: Subject) -> BeamDamping:
    """From one time, or from times by name."""
    where = what / "damping"
    if isinstance(value, BeamDamping):
        return value
    if not isinstance(value, Mapping):
        time = size(value, "time", where)
        return BeamDamping(time, time, time)
    for key in value:
        if key not in _KEYS:
            raise ModelError(f"{where}: unknown {key!r}; {near_names(str(key), _KEYS)}", about=where)
    return BeamDamping(**{key: size(time, "time", where / key) for key, time in value.items()})
