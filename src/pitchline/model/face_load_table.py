"""FaceLoadTable: the face load factor K_Hβ of one flank over force, tilt and phase of the mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..solids.rotations import Array

__all__ = ["FaceLoadTable"]


@dataclass(frozen=True, eq=False)
class FaceLoadTable:
    """K_Hβ, the greatest load per face width over its mean.

    Attributes
    ----------
    loads : (L,)
        F [N], greater than 0, increasing.
    tilts : (T,)
        f [rad]; one of 0 where the tilt is no variable.
    factors : (T, L, n)
        At n equally spaced phases.
    """

    loads: Array
    tilts: Array
    factors: Array

    def scaled(self, *, force: float) -> FaceLoadTable:
        """The same with another measure of force."""
        return FaceLoadTable(force * self.loads, self.tilts, self.factors)

    def even(self) -> FaceLoadTable:
        """One without phase: the mean over the mesh cycle."""
        return FaceLoadTable(self.loads, self.tilts, self.factors.mean(axis=2, keepdims=True))

    def mirrored(self) -> FaceLoadTable:
        """Of the other flank where both flanks of the teeth have the same shape: at −f and −φ."""
        phases = self.factors.shape[2]
        return FaceLoadTable(self.loads, -self.tilts[::-1], self.factors[::-1][:, :, -np.arange(phases)])
