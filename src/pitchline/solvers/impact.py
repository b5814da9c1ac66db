"""Impact of rigid teeth: speeds change instantaneously, without rebound.

    M (v+ - v-) + B^T L = 0,   B v+ = 0        with impulses L; those of teeth only push,

for all joints and for the flanks in contact. Teeth that would have to pull are released, and the impulses are computed again
without them. The column of a tooth's impulse is that of its force, including the separating component.
"""

import numpy as np

from ..system.matrix import Evaluator
from ..system.system import State, System
from .consistent import consistent_accelerations, held, mass_factors, store_multipliers


def impact(system: System, state: State) -> float:
    """Speeds, accelerations and multipliers after an impact. Return the energy loss [J].

    The state contains the speeds before the impact, and in its multipliers the signs of the flanks in contact."""
    opening = system.layout.opening
    evaluator = Evaluator(system)
    before = state.v.copy()
    gap_force = np.zeros_like(state.lam)
    gap_force[opening] = [0.5 * e.closing_force for e in system.elements for _ in e.opening_rows]
    impulse = np.zeros_like(state.lam)
    for _ in range(len(opening) + 1):
        _, K = evaluator.tangent(state, mass=1.0, moving=False)
        factors = mass_factors(system, held(system, K))
        x = factors.solve(-np.concatenate([np.zeros(system.n_q), evaluator.rates(state)]))
        store_multipliers(system, impulse, x)
        pulls = opening[impulse[opening] * state.lam[opening] < 0.0]
        if not pulls.size:
            break
        # a force of this magnitude against the flank means: in the gap
        state.lam[pulls] = -np.copysign(gap_force[pulls], state.lam[pulls])
    state.v += x[: system.n_q]
    M = K[: system.n_q, : system.n_q]
    lost = 0.5 * float(before @ (M @ before) - state.v @ (M @ state.v))
    start = np.zeros_like(state.lam)
    start[opening] = state.lam[opening]
    consistent_accelerations(system, state, start)
    return lost
