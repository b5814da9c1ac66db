"""Which cells carry load if their forces have different levers, with a dense compliance:

    gap = w (φ − θ) + A λ >= 0 ,    λ >= 0 ,   λ gap = 0 ,    wᵀ λ = T ,

for the forces λ [N], the levers w [m], the motions φ [rad] of the driven gear at which cells would touch, its motion θ and the
symmetric positive definite compliance A [m/N]. On the cells that touch, with A y = w and A z = w φ,

    θ = (T + wᵀz) / wᵀy ,    λ = θ y − z ,    dT/dθ = wᵀy .

Cells that pull leave the set, cells that overlap enter it, as in `active_set`. For racks w has no
unit, θ is a length and T a force.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from pitchline.base.types import BoolArray, FloatArray
from pitchline.errors import SolveError

__all__ = ["LeverLoads", "solve_levers"]


_ROUNDS, _CAREFUL = 40, 600


@dataclass(frozen=True, eq=False)
class LeverLoads:
    """θ, dT/dθ, the forces of all cells [N] and how many sets were tried."""

    motion: float
    stiffness: float
    loads: FloatArray
    rounds: int


def solve_levers(
    A: FloatArray, levers: FloatArray, touches: FloatArray, torque: float, active: BoolArray
) -> LeverLoads:
    """Loads of cells, from the set `active` on, which is changed.

    levers: w; touches: φ; torque: T > 0."""
    g = levers * touches
    if not active.any():
        active[np.argmin(touches)] = True
    for rounds in range(1, _ROUNDS + _CAREFUL):
        on = np.flatnonzero(active)
        try:
            factors = scipy.linalg.cho_factor(A[np.ix_(on, on)], overwrite_a=True, check_finite=False)
        except np.linalg.LinAlgError:
            raise SolveError(
                f"loaded contact: the compliance of {len(on)} cells is not positive definite. The grid of a gear is too coarse "
                "along its flanks for this contact. Use a smaller flank_edge, or more face_elements"
            ) from None
        X = scipy.linalg.cho_solve(factors, np.stack([levers[on], g[on]], axis=1), check_finite=False)
        stiffness = float(levers[on] @ X[:, 0])
        motion = (torque + float(levers[on] @ X[:, 1])) / stiffness
        found = motion * X[:, 0] - X[:, 1]
        pulls = found < 0.0
        gaps = g - motion * levers + A[:, on] @ np.maximum(found, 0.0)
        tolerance = 1e-10 * float(np.abs(g - motion * levers).max())
        enters = (gaps < -tolerance) & ~active
        if not pulls.any() and not enters.any():
            loads = np.zeros(len(g))
            loads[on] = found
            return LeverLoads(motion, stiffness, loads, rounds)
        active[on[pulls]] = False
        if rounds < _ROUNDS:
            active |= enters
        elif not pulls.any():  # the sets repeat: one at a time
            active[np.argmin(np.where(enters, gaps, np.inf))] = True
        if not active.any():
            active[np.argmin(touches)] = True
    raise SolveError("loaded contact: the cells in contact were not found. Use another number of strips or cells")
