"""Velocities of a quasi-static motion."""

import numpy as np

from ..system.matrix import Evaluator
from ..system.system import State, System
from .either_matrix import solution


def quasi_static_velocities(system: System, state: State) -> np.ndarray:
    """dq/dt of the equilibrium that follows loads and drives in time: [K B^T; B 0] (dq/dt, dlam/dt) = -(dr/dt, Phi_t).

    Loads are differentiated by a central difference in time. Directions without stiffness stay at rest: a very small mass
    makes the equations regular.
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
    b = np.zeros(system.n)
    b[:nq] = -(sides[0] - sides[1])[:nq] / (2 * e)
    b[nq:] = -evaluator.rates(at_rest)
    _, K = evaluator.tangent(state, mass=0.0, stiffness=1.0, moving=False, small_as_array=True)
    _, M = evaluator.tangent(state, mass=1.0, moving=False, small_as_array=True)
    trace = 1e-10 * max(
        float(abs(K.diagonal()[:nq]).max(initial=0.0)), 1e-6 * float(M.diagonal()[:nq].max(initial=0.0))
    )
    trace /= max(float(M.diagonal()[:nq].max(initial=0.0)), 1e-300)
    _, A = evaluator.tangent(state, mass=trace, stiffness=1.0, moving=False, small_as_array=True)
    x = solution(A, b)
    return np.zeros(nq) if x is None else x[:nq]
