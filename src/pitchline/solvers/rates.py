"""Velocities of a quasi-static motion."""

from typing import Any

import numpy as np

from ..system.matrix import Evaluator
from ..system.system import State, System
from .either_matrix import factors_of

__all__ = ["forces_with_stiffness", "quasi_static_velocities"]


def quasi_static_velocities(system: System, state: State) -> np.ndarray:
    """dq/dt of the equilibrium that follows loads and drives in time: [K B^T; B 0] (dq/dt, dlam/dt) = -(dr/dt, Phi_t).

    Loads are differentiated by a central difference in time. Directions without stiffness stay at rest, also if a load changes
    along them: a very small mass makes the equations regular, and `forces_with_stiffness` removes these loads. Teeth within
    their backlash are an example.
    """
    evaluator = Evaluator(system)
    nq = system.n_q
    at_rest = state.copy()
    at_rest.v[:] = 0.0
    e = 1e-6 * max(1.0, abs(state.t))
    sides = []
    for sign in (1, -1):
        moved = at_rest.copy()
        moved.t = state.t + sign * e
        sides.append(evaluator.residual(moved, moving=False))
    of_loads, of_drives = np.zeros((2, system.n))
    of_loads[:nq] = -(sides[0] - sides[1])[:nq] / (2 * e)
    of_drives[nq:] = -evaluator.rates(at_rest)
    _, K = evaluator.tangent(state, mass=0.0, stiffness=1.0, moving=False, small_as_array=True)
    _, M = evaluator.tangent(state, mass=1.0, moving=False, small_as_array=True)
    trace = 1e-10 * max(
        float(abs(K.diagonal()[:nq]).max(initial=0.0)), 1e-6 * float(M.diagonal()[:nq].max(initial=0.0))
    )
    trace /= max(float(M.diagonal()[:nq].max(initial=0.0)), 1e-300)
    _, A = evaluator.tangent(state, mass=trace, stiffness=1.0, moving=False, small_as_array=True)
    try:
        factors = factors_of(A)
        if of_loads.any():
            of_loads = forces_with_stiffness(factors, trace, M, of_loads, nq)
        x: np.ndarray = factors.solve(of_drives + of_loads)[:nq]
    except RuntimeError:
        return np.zeros(nq)
    return x if np.all(np.isfinite(x)) else np.zeros(nq)


def forces_with_stiffness(factors: Any, masses: float, M: Any, b: np.ndarray, nq: int) -> np.ndarray:
    """Forces b (n,) without their part in directions that only the small masses resist.

    factors: of [K + masses M, B^T; B, 0]. A mode of the stiffness k keeps the fraction k/(k + masses) of its force, that is all
    of it or nothing.
    """
    kept = b.copy()
    for _ in range(2):  # the second time removes the rounding error of the first
        x = factors.solve(kept)
        x[nq:] = 0.0
        kept[:nq] -= masses * (M @ x)[:nq]
    return kept
