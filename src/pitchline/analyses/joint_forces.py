"""Forces of elements in the equations of motion of joint coordinates."""

from __future__ import annotations

import numpy as np

from ..errors import SolveError
from ..model import Model
from ..solvers.consistent import store_multipliers
from ..system.matrix import Evaluator
from ..system.system import State
from .joint_state import JointState, as_array

__all__ = ["ElementForces", "general_forces", "lossy_parts"]

ITERATIONS = 30
"""Of forces that depend on the magnitude of a multiplier."""
CONVERGED, NEARLY = 1e-12, 1e-6
"""Largest relative change of the last iteration, and the one above which the result is refused."""
WORKLESS = 1e-9
"""Largest power of a multiplier that is rounding, relative to its force and the largest velocity."""


def lossy_parts(evaluator: Evaluator, s: JointState, model: Model) -> list[str]:
    """Constraints whose forces do work on the motions of the joint coordinates, such as rigid teeth with friction. These forces
    depend on the multipliers, and through them on the accelerations."""
    system = evaluator.system
    n, nq = system.own.first, system.n_q
    laws = {name: p.known_law for name, p in model.gear_pairs.items() if p.known_law.rigid}
    found = {name for name, law in laws.items() if law.friction is not None or law.efficiency is not None}
    live = np.flatnonzero(system.layout.equation >= 0)
    order = live[np.argsort(system.layout.equation[live])]
    state = s.state.copy()
    for sign in (1.0, -1.0):
        state.v[:] = 0.0
        state.v[:n] = s.N @ np.full(s.N.shape[1], sign)
        state.lam[:] = 0.0
        state.lam[live] = system.layout.lam_scale[live]
        C = as_array(evaluator.tangent(state, mass=1.0, lam=state.lam, small_as_array=True)[1])[:n, nq:]
        work = np.abs(s.N.T @ C).max(axis=0, initial=0.0)
        sizes = system.sizes[:n, None]
        size = (np.abs(C) * sizes).max(axis=0, initial=0.0) * (np.abs(s.N) / sizes).max(initial=0.0)
        found |= {system.row_owner(int(order[j])).name for j in np.flatnonzero(work > WORKLESS * size)}
    return sorted(found)


def general_forces(evaluator: Evaluator, s: JointState, vd: np.ndarray) -> np.ndarray:
    """(joint coordinates,) efforts that give the accelerations vd of the system, with the multipliers of all constraints."""
    system, state = evaluator.system, s.state
    n, nq = system.own.first, system.n_q
    state.vd[:] = 0.0
    state.vd[:n] = vd
    state.lam[:] = 0.0
    more, x, before = np.zeros_like(state.lam), np.zeros(system.n), np.full(len(s.G), np.inf)
    for _ in range(ITERATIONS):
        r, K = evaluator.tangent(state, mass=1.0, lam=state.lam, small_as_array=True)
        C = as_array(K)[:n, nq:]
        try:
            found = np.linalg.solve(np.hstack([C, -s.G.T]), -r[:n])
        except np.linalg.LinAlgError:
            raise SolveError(
                f"joint forces at t = {state.t:g} s: constraint forces and efforts of the joints are not determined (rigid teeth "
                "that lock themselves, or a dead centre). Choose another position, less friction, or Elastic teeth",
                time=state.t,
            ) from None
        x[nq:], tau = found[: C.shape[1]], found[C.shape[1] :]
        store_multipliers(system, more, x)
        state.lam += more
        if np.max(np.abs(tau - before), initial=0.0) <= CONVERGED * np.max(np.abs(tau), initial=1e-300):
            break
        before = tau
    else:
        if np.max(np.abs(tau - before), initial=0.0) > NEARLY * np.max(np.abs(tau), initial=1e-300):
            raise SolveError(
                f"joint forces at t = {state.t:g} s: the forces of rigid teeth and of friction, which depend on each other, do not "
                "converge. Reduce the friction, or use Elastic teeth",
                time=state.t,
            )
    return np.asarray(tau)


class ElementForces:
    """Forces of the elements of a system, in its coordinates, without those of constraints."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def parts(self, state: State, vd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(inertia at accelerations vd without masses at rest, weight, all others), as residuals of the coordinates of the nodes.

        Weight is what elements with inertia have at rest and the load factor of statics changes."""
        system = self.evaluator.system
        state = state.copy()
        state.vd[:] = 0.0
        state.vd[: len(vd)] = vd
        moving = self._residuals(state, moving=True)
        rest, unloaded = self._residuals(state, moving=False), self._residuals(state, moving=False, load=0.0)
        bias, gravity, others = (np.zeros(system.own.first) for _ in range(3))
        for e, r in moving.items():
            if system.elements[e].kind.has_inertia:
                bias += r - rest[e]
                gravity += rest[e] - unloaded[e]
                others += unloaded[e]
            else:
                others += r
        return bias, gravity, others

    def _residuals(self, state: State, *, moving: bool, load: float = 1.0) -> dict[int, np.ndarray]:
        s, work = self.evaluator.system, self.evaluator.work
        self.evaluator.place(state, moving=moving, load=load, lam=np.zeros_like(state.lam))
        found = {}
        for e in range(s.active):
            element = s.elements[e]
            if element.rows:
                continue
            local, total = work.element(e)[0], np.zeros(s.own.first)
            for i, g in enumerate(element.nodes):
                if g:
                    first, count = int(s.dof0[g]), int(s.ndof[g])
                    total[first : first + count] += s.T[g, :, :count].T @ local[6 * i : 6 * i + 6]
            found[e] = total
        return found
