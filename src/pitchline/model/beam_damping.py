"""Material damping of shafts and beams: forces and moments proportional to the rate of deformation."""

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
    """Stiffness-proportional damping: damping matrix = β times stiffness matrix, β [s].

    There is one β for bending and shear, one for torsion and one for axial deformation. A vibration at the angular
    frequency ω has the loss factor η = β ω and the damping ratio β ω/2.
    """

    bending: float = 0.0
    torsion: float = 0.0
    axial: float = 0.0

    def matrix(self, stiffness: Array) -> Array:
        """Return the damping matrix (6, 6) for a stiffness matrix K: S K S. S is diagonal with the square roots of β."""
        root = np.sqrt([self.bending, self.bending, self.axial, self.bending, self.bending, self.torsion])
        return root[:, None] * stiffness * root


def read_damping(value: object, what: Subject) -> BeamDamping:
    """Read one time constant, or time constants by name."""
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
