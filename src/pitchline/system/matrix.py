"""Residual and matrix of a whole state, for work outside the step loop (projections, statics, rank)."""

from typing import Any

import numpy as np

from ..elements.contract import C_D, C_K, C_M, LOSS_RATE, RATE, RESIDUAL, SHIFT, TANGENT, TEETH_RATE, WORK_RATE
from .assembly import assemble, call_element, constraint_rows
from .system import State, System


class Evaluator:
    """Evaluates a system at states, with scratch arrays of its own."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.resize()

    def resize(self) -> None:
        """Follow a change of the layout."""
        s = self.system
        self.r = np.zeros(s.n)
        self.Ax = np.zeros(s.n_values)
        self.E = np.zeros((len(s.ndof), 9))

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
    ) -> tuple[np.ndarray, Any]:
        """(residual, sparse matrix): J = mass M + damping D + stiffness K with the scaled constraint blocks.

        Rows of motion are unscaled (s = 1). Not `moving`: velocities and accelerations count as zero."""
        import scipy.sparse as sp

        s = self.system
        c = s.coefficients(state.t, load=load)
        c[C_M], c[C_D], c[C_K] = mass, damping, stiffness
        self._assemble(TANGENT, c, state, s.kinematics(state, moving=moving), lam)
        if s.dense:
            matrix = sp.csc_matrix(self.Ax.reshape(s.n, s.n).T)
        else:
            matrix = sp.csc_matrix((self.Ax.copy(), s.layout.Ai, s.layout.Ap), (s.n, s.n))
        return self.r.copy(), matrix

    def residual(self, state: State, *, load: float = 1.0, moving: bool = True) -> np.ndarray:
        """The residual alone, as `tangent` gives it."""
        s = self.system
        self._assemble(RESIDUAL, s.coefficients(state.t, load=load), state, s.kinematics(state, moving=moving), None)
        return self.r.copy()

    def power(self, state: State) -> tuple[float, float, float]:
        """(power put in, power dissipated) by all elements, and put in by teeth without a potential."""
        c = self.system.coefficients(state.t)
        self._assemble(RESIDUAL, c, state, self.system.kinematics(state), None)
        return float(c[WORK_RATE]), float(c[LOSS_RATE]), float(c[TEETH_RATE])

    def _assemble(self, mode: int, c: np.ndarray, state: State, K: np.ndarray, lam: np.ndarray | None) -> None:
        lam = state.lam if lam is None else lam
        assemble(mode, False, c, 1.0, lam, state.mem, K, self.E, self.r, self.Ax, *self.system.assembly_arguments)

    def rates(self, state: State, *, shift: float = 0.0) -> np.ndarray:
        """dPhi/dt = B v + Phi_t, scaled, of the live constraint rows, all else being moved on by `shift` along v."""
        s = self.system
        c = s.coefficients(state.t)
        c[SHIFT] = shift
        K = s.kinematics(state, dq=shift * state.v)
        r = np.zeros(s.n)
        y = s.layout
        constraint_rows(
            RATE,
            c,
            state.lam,
            state.mem,
            K,
            r,
            y.constraints,
            y.elements,
            y.par,
            y.functions,
            y.equation,
            y.lam_scale,
            *s.local,
        )
        return r[s.n_q :]

    def convective(self, state: State) -> np.ndarray:
        """d/dt (B v + Phi_t) at constant v, scaled: a central difference of fourth order along the motion."""
        fastest = float(np.max(np.abs(state.v) * self.system.layout.weight[: self.system.n_q], initial=0.0))
        e = 1e-3 / max(fastest, 1e-3)
        near = self.rates(state, shift=e) - self.rates(state, shift=-e)
        far = self.rates(state, shift=2 * e) - self.rates(state, shift=-2 * e)
        return (8 * near - far) / (12 * e)


def element_rows(
    system: System, state: State, e: int, K: np.ndarray, *, load: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """(Phi (nl,), B (nl, 6 nodes)) of one element in six coordinates a node, unscaled."""
    n, nl = 6 * len(system.elements[e].nodes), int(system.nlam[e])
    c = system.coefficients(state.t, load=load)
    call_element(e, TANGENT, n + nl, c, np.zeros_like(state.lam), state.mem, K, *system.element_arguments)
    return system.local.r[n : n + nl].copy(), system.local.J[n : n + nl, :n].copy()
