"""Accelerations of a quasi-static motion.

The equilibrium r(q, lam, t) = 0 with the constraints Phi(q, t) = 0 is differentiated twice in time,

    [K B^T; B 0] (q'', lam'') = -(r'', d/dt(B q' + Phi_t)) ,

r'' and the last term at constant velocities: differences along the motion.
"""

from typing import Any

import numpy as np

from ..system.matrix import Evaluator
from ..system.system import State, System
from .consistent import displace, store_multipliers
from .either_matrix import factors_of
from .rates import forces_with_stiffness

__all__ = ["path_accelerations"]

_TURN = 1e-3
"""Motion between the positions that are compared, in radians or lengths of the model."""
_TIME = 1e-4
"""Largest time between them [s], and as a fraction of the time."""
_MASSES = 1e-10
"""Masses that make the equations regular, relative to the stiffness."""


def path_accelerations(system: System, state: State) -> np.ndarray:
    """d2q/dt2 of the motion through an equilibrium with its velocities. Zero if the equations have no solution."""
    nq = system.n_q
    if not np.any(state.v) and not system.layout.driven.size:
        return np.zeros(nq)
    evaluator = Evaluator(system)
    _, K = evaluator.tangent(state, mass=0.0, stiffness=1.0, moving=False, small_as_array=True)
    _, M = evaluator.tangent(state, mass=1.0, moving=False, small_as_array=True)
    masses = float(M.diagonal()[:nq].max(initial=0.0))
    share = _MASSES * max(float(abs(K.diagonal()[:nq]).max(initial=0.0)), 1e-6 * masses) / max(masses, 1e-300)
    _, A = evaluator.tangent(state, mass=share, stiffness=1.0, moving=False, small_as_array=True)
    try:
        factors = factors_of(A)
        of_drives = np.concatenate([np.zeros(nq), -evaluator.convective(state)])
        found = factors.solve(of_drives)[:nq]
        of_forces = np.zeros(system.n)
        of_forces[:nq] = -_second_rate(system, evaluator, state, factors)
        # forces move only what has stiffness: not parts that nothing but these masses resists, such as teeth within their backlash
        more = factors.solve(forces_with_stiffness(factors, share, M, of_forces, nq))[:nq]
    except RuntimeError:
        return np.zeros(nq)
    a = found + more
    return a if np.all(np.isfinite(a)) else np.zeros(nq)


def _second_rate(system: System, evaluator: Evaluator, state: State, factors: Any) -> np.ndarray:
    """Second derivative in time of the forces at constant velocities and rates of the multipliers."""
    nq = system.n_q
    fastest = float(np.max(np.abs(state.v) * system.layout.weight[:nq], initial=0.0))
    e = min(_TURN / max(fastest, _TURN), _TIME * max(1.0, abs(state.t)))

    def forces(shift: float, rates: np.ndarray, *, moved: bool = True) -> np.ndarray:
        at = state.copy()
        at.v[:] = 0.0
        at.t = state.t + shift
        if moved:
            displace(system, at, shift * state.v)
            at.lam += shift * rates
        return evaluator.residual(at, moving=False)[:nq]

    rates = np.zeros_like(state.lam)
    still = state.copy()
    still.v[:] = 0.0
    of_time = (forces(e, rates, moved=False) - forces(-e, rates, moved=False)) / (2.0 * e)
    store_multipliers(system, rates, factors.solve(-np.concatenate([of_time, evaluator.rates(still)])))
    around = forces(e, rates) - 2.0 * forces(0.0, rates) + forces(-e, rates)
    return around / (e * e)
