"""Stability of an equilibrium with controllers, from the poles of its small motions: those of `linear_model`.

The stiffness is not sufficient there. Feedback of speeds and states of controllers can make an equilibrium stable or unstable.
States of controllers that follow the motion can make the stiffness of the other coordinates negative or zero.

Statics holds the slip of belts. It stays held here. Otherwise the creep of the smooth slip law would make every wheel on a belt
neutral.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..solvers.eigenmodes import NO_STIFFNESS
from ..solvers.first_order_modes import modes_of_motion
from ..solvers.growth import Growing, growing
from ..solvers.impact import balance_motion
from ..solvers.linearised import sparse_motion
from ..system.matrix import Evaluator
from ..system.opened import opened, opened_state
from ..system.sprung import sprung
from ..system.system import State, System

__all__ = ["EquilibriumPoles", "equilibrium_poles", "held_at_rest"]


@dataclass
class EquilibriumPoles:
    """Motions about an equilibrium that grow, and those that no force resists."""

    system: System
    """With condensed coordinates of elements as unknowns."""
    state: State
    axes: np.ndarray
    """Coordinates in fixed axes without those that statics holds, by all increments."""
    grows: Growing
    """(pole [1/s], motion in fixed axes)."""
    free: np.ndarray
    """(n, k): increments of the coordinates."""

    @property
    def diverges(self) -> bool:
        """Whether a motion grows without oscillation."""
        return any(_is_real(s) for s, _ in self.grows)

    def fastest(self) -> tuple[complex, np.ndarray]:
        """Pole of the motion that grows fastest, and its increments where its bodies move most."""
        s, x = max(self.grows, key=lambda one: one[0].real)
        bodies = x[: self.system.own.first]
        most = bodies[np.argmax(np.abs(bodies))] if bodies.size else 1.0
        turned = x * (np.conj(most) / max(abs(most), 1e-300))
        return s, np.asarray(self.axes.T @ turned.real)

    def growth(self) -> str:
        """Text on the motion that grows fastest."""
        s, _ = self.fastest()
        if _is_real(s):
            return f"growing at {s.real:.3g} 1/s"
        return f"with an oscillation that grows at {s.real:.3g} 1/s (poles {s.real:.3g} ± {abs(s.imag):.3g}i 1/s of linear_model)"


def held_at_rest(system: System, state: State) -> np.ndarray:
    """Indices of coordinates of order 1 that rest in statics (slip of belts), while they move in dynamics: at rest their equation
    contains no other coordinate, and in motion it does."""
    y = system.own.first_order
    if not y.size:
        return y
    evaluator = Evaluator(system)
    alone = []
    for moving in (False, True):
        _, J = evaluator.tangent(state, mass=0.0, damping=1.0, stiffness=1.0, moving=moving)
        rows = J.tocsr()[y].toarray()
        rows[np.arange(y.size), y] = 0.0
        alone.append(~np.any(rows, axis=1))
    return np.asarray(y[alone[0] & ~alone[1]])


def _is_real(s: complex) -> bool:
    return abs(s.imag) <= 1e-12 * abs(s)


def equilibrium_poles(system: System, state: State) -> EquilibriumPoles | None:
    """Poles at an equilibrium of a system with controllers or with loads that read signals; None for other systems, whose stiffness
    determines their stability, and if a motion has no inertia."""
    if not system.graph.needed and held_at_rest(system, state).size == system.own.first_order.size:
        return None
    system, state = sprung(system, state)
    other = opened(system)
    there = opened_state(system, other, state.copy())
    balance_motion(other, there)
    small = sparse_motion(other, there).without(held_at_rest(other, there))
    motion = small.dense()
    if not motion.N.shape[1]:
        return None
    try:
        found = modes_of_motion(motion, no_stiffness=NO_STIFFNESS)
    except np.linalg.LinAlgError:
        return None
    found.vectors, found.real_vectors = motion.N @ found.vectors, motion.N @ found.real_vectors
    free = np.real(small.axes.T @ found.vectors[:, : found.rigid])
    moves = np.abs(free[: other.own.first]).max(axis=0, initial=0.0) > 1e-9 * np.abs(free).max(axis=0, initial=0.0)
    return EquilibriumPoles(other, there, small.axes, growing(small, found), free[:, moves])
