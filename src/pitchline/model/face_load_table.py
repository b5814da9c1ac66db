"""FaceLoadTable: face load factor K_Hβ of one flank over force, tilt and mesh phase."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..solids.rotations import Array

__all__ = ["FaceLoadTable"]


@dataclass(frozen=True, eq=False)
class FaceLoadTable:
    """K_Hβ: the largest load per face width, divided by its mean.

    Attributes
    ----------
    loads : (L,)
        F [N], positive, increasing.
    tilts : (T,)
        f [rad]. A single 0 if the tilt is not a variable.
    factors : (T, L, n)
        Values at n equally spaced phases.
    """

    loads: Array
    tilts: Array
    factors: Array

    def scaled(self, *, force: float) -> FaceLoadTable:
        """Return the same table with another measure of force."""
        return FaceLoadTable(force * self.loads, self.tilts, self.factors)

    def even(self) -> FaceLoadTable:
        """Return a table without phase: the mean over the mesh cycle."""
        return FaceLoadTable(self.loads, self.tilts, self.factors.mean(axis=2, keepdims=True))

    def mirrored(self) -> FaceLoadTable:
        """Return the table of the opposite flank, if both flanks of the teeth have the same shape: at −f and −φ."""
        phases = self.factors.shape[2]
        return FaceLoadTable(self.loads, -self.tilts[::-1], self.factors[::-1][:, :, -np.arange(phases)])
