"""Static solution of many harmonics of a cyclic gear, by its condensed sector."""

from __future__ import annotations

import numpy as np
import scipy.linalg as sl

from ..gears.teeth.arrays import ComplexArray, IntArray
from .cyclic_symmetry import CondensedSector

__all__ = ["HarmonicSolver"]


class HarmonicSolver:
    """Solves K_n u = f for many harmonics at a time, by the condensed sector.

    In harmonics with rigid motions of a free bore, f must be in equilibrium. u is then unique except for a rigid motion.
    """

    def __init__(self, condensed: CondensedSector, harmonics: IntArray) -> None:
        self._condensed = condensed
        self._factors = {
            int(n): sl.cho_factor(condensed.supported(int(n)), lower=True, check_finite=False) for n in harmonics
        }

    def solve(self, f: ComplexArray, harmonics: IntArray) -> ComplexArray:
        """(size, k) from (size, k), column j in harmonic harmonics[j]."""
        sector = self._condensed.sector
        side, phases = sector.n_side, sector.phases(harmonics)
        # all of a pair of sides is put on the low one
        sides, forward = self._condensed.reduce(np.concatenate([f, np.zeros((side, f.shape[1]))]))
        load = sides[:side] + sides[side:] * phases.conj()
        low = np.empty_like(load)
        for j, n in enumerate(harmonics):
            low[:, j] = sl.cho_solve(self._factors[int(n)], load[:, j], check_finite=False)
        u: ComplexArray = self._condensed.expand(forward, np.concatenate([low, low * phases]))
        return u[: sector.size]
