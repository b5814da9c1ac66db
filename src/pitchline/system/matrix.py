"""Residual and matrix of a whole state, for work outside the step loop (projections, statics, rank)."""

from typing import Any

import numpy as np

from .system import State, System
from .workspace import Workspace

SIGNAL_STEP = 1e-5
"""Largest step of differences along the motion if signals are read [s]."""
LARGEST_ARRAY = 150
"""Largest number of unknowns of a small system: its matrices are faster as arrays than as sparse matrices of scipy."""


class Evaluator:
    """Evaluation of a system at states, with its own workspace. `work`: another workspace of the system."""

    def __init__(self, system: System, work: Workspace | None = None) -> None:
        self.system = system
        self.work = Workspace(system) if work is None else work

    @staticmethod
    def passing(system: System) -> "Evaluator":
        """Evaluator for work that is complete before the system is evaluated elsewhere: with the workspace of the system."""
        return Evaluator(system, system.workspace)

    def resize(self) -> None:
        """Adapt to a change of the layout."""
        self.work = Workspace(self.system)

    def place(self, state: State, *, moving: bool = True, load: float = 1.0, lam: np.ndarray | None = None) -> None:
        """Set the state for evaluation."""
        self.work.question(state.t, load=load, damped=moving)
        self.work.set(state, lam=lam)
        self.work.place(moving=moving)

    def tangent(
        self,
        state: State,
        *,
        mass: float,
        damping: float = 0.0,
        stiffness: float = 0.0,
        load: float = 1.0,
        moving: bool = True,
        lam: np.ndarray | None = None,
        small_as_array: bool = False,
    ) -> tuple[np.ndarray, Any]:
        """(residual, sparse matrix): J = mass M + damping D + stiffness K with the scaled constraint blocks.

        Rows of motion are unscaled (s = 1). moving=False: velocities and accelerations are zero, and dampers do not act.
        `small_as_array`: the matrix of a small system is an array. That of a very small one does not import scipy either, which
        would take longer than the run."""
        s, work = self.system, self.work
        work.question(state.t, mass=mass, damping=damping, stiffness=stiffness, load=load, damped=moving)
        work.set(state, lam=lam)
        work.place(moving=moving)
        work.assemble(tangent=True)
        if s.dense and small_as_array:
            return work.r.copy(), work.Ax.reshape(s.n, s.n).T.copy()
        import scipy.sparse as sp

        if s.dense:
            return work.r.copy(), sp.csc_matrix(work.Ax.reshape(s.n, s.n).T)
        found = sp.csc_matrix((work.Ax.copy(), s.layout.Ai, s.layout.Ap), (s.n, s.n))
        return work.r.copy(), found.toarray() if small_as_array and s.n <= LARGEST_ARRAY else found

    def residual(
        self, state: State, *, load: float = 1.0, moving: bool = True, lam: np.ndarray | None = None
    ) -> np.ndarray:
        """The residual only, as in `tangent`."""
        self.place(state, moving=moving, load=load, lam=lam)
        self.work.assemble()
        return self.work.r.copy()

    def power(self, state: State) -> tuple[float, float, float]:
        """(supplied power, dissipated power) of all elements, and power supplied by teeth without a potential."""
        self.residual(state)
        ask = self.work.ask
        return float(ask["power_in"][0]), float(ask["power_out"][0]), float(ask["power_teeth"][0])

    def rates(self, state: State, *, shift: float = 0.0) -> np.ndarray:
        """dPhi/dt = B v + Phi_t, scaled, of the active constraint rows, after a motion by `shift` along v."""
        work = self.work
        work.question(state.t, shift=shift)
        work.set(state, dq=shift * state.v)
        work.place()
        return work.rows(rates=True)

    def convective(self, state: State) -> np.ndarray:
        """d/dt (B v + Phi_t) at constant v, scaled: central difference of fourth order along the motion."""
        fastest = float(np.max(np.abs(state.v) * self.system.layout.weight[: self.system.n_q], initial=0.0))
        e = 1e-3 / max(fastest, 1e-3)
        if self.system.graph.needed:  # laws of signals are evaluated at these times
            e = min(e, SIGNAL_STEP)
        near = self.rates(state, shift=e) - self.rates(state, shift=-e)
        far = self.rates(state, shift=2 * e) - self.rates(state, shift=-2 * e)
        return (8 * near - far) / (12 * e)

    def element_rows(self, e: int) -> tuple[np.ndarray, np.ndarray]:
        """(Phi (nl,), B (nl, 6 nodes)) of one element in six coordinates per node, unscaled, at the current state."""
        element = self.system.elements[e]
        r, J = self.work.element(e, tangent=True)
        rows = slice(len(r) - len(element.rows), len(r))
        return r[rows], J[rows, : 6 * len(element.nodes)]


def no_multipliers(system: System) -> np.ndarray:
    """Multipliers of a system, all zero."""
    return np.zeros(max(system.n_lam, 1))
