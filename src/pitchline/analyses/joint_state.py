"""State of a model in joint coordinates: velocities and accelerations of all bodies from those of the joint coordinates.

With the constraints B v + Phi_t = 0 of a system and the rates G v = q' of independent joint coordinates, A = [B; G] is square:

    A v = (-Phi_t, q') ,   A dv/dt = (-d(B v + Phi_t)/dt, q'' - dG/dt v) .

The columns of N = A^-1 (0, 1) are the velocities of the system for unit rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import SolveError
from ..system.matrix import Evaluator
from ..system.node_motion import NodeMotion
from ..system.system import State, System
from .joint_choice import JointCoordinate

__all__ = ["JointState", "joint_state", "move_to", "read_positions"]

DEAD_CENTRE = 1e12
"""Condition of A, with scaled rows and columns, above which the coordinates do not determine the motion."""
CONVERGED = 1e-12
LARGEST_STEP = 0.4
"""Largest rotation [rad], or displacement as a fraction of the length of the model, between counts of revolutions."""


@dataclass
class JointState:
    """A state with its matrices. B, C: rows and forces of the multipliers; G: rates of the coordinates; A = [B; G]."""

    state: State
    motion: NodeMotion
    M: np.ndarray
    B: np.ndarray
    C: np.ndarray
    G: np.ndarray
    inverse: np.ndarray

    @property
    def N(self) -> np.ndarray:
        """(coordinates of the nodes, joint coordinates)."""
        return self.inverse[:, len(self.B) :]


def as_array(K: Any) -> np.ndarray:
    """A dense matrix from a dense or sparse one."""
    return np.asarray(K) if isinstance(K, np.ndarray) else np.asarray(K.toarray())


def joint_state(system: System, state: State, coordinates: list[JointCoordinate], evaluator: Evaluator) -> JointState:
    """Matrices at a state."""
    n, nq = system.own.first, system.n_q
    motion = NodeMotion(system, state)
    K = as_array(evaluator.tangent(state, mass=1.0, moving=False, lam=np.zeros_like(state.lam), small_as_array=True)[1])
    B = K[nq:, :n]
    G = np.array([c.row(motion)[:n] for c in coordinates]).reshape(len(coordinates), n)
    A = np.vstack([B, G])
    rows = np.linalg.norm(A, axis=1)
    sizes = system.sizes[:n]
    scaled = A / np.where(rows > 0.0, rows, 1.0)[:, None] * sizes
    try:
        inner = np.linalg.inv(scaled)
    except np.linalg.LinAlgError:
        inner = np.full_like(scaled, np.inf)
    if not np.all(np.isfinite(inner)) or np.linalg.norm(inner, np.inf) * np.linalg.norm(scaled, np.inf) > DEAD_CENTRE:
        names = ", ".join(f'"{c.name}"' for c in coordinates)
        raise SolveError(
            f"at t = {state.t:g} s the coordinates {names} do not determine the motion (a dead centre of the mechanism). Choose "
            "other coordinates, or another position",
            time=state.t,
        )
    return JointState(state, motion, K[:nq, :nq][:n, :n], B, K[:nq, nq:][:n], G, sizes[:, None] * inner / rows)


def set_speeds(system: System, s: JointState, evaluator: Evaluator, qd: np.ndarray) -> None:
    """Velocities of the state from the rates of the coordinates."""
    n = system.own.first
    s.state.v[:] = 0.0
    moving = evaluator.rates(s.state)
    s.state.v[:n] = s.inverse @ np.concatenate([-moving, qd])


def accelerations(
    system: System, s: JointState, evaluator: Evaluator, coordinates: list[JointCoordinate], qdd: np.ndarray
) -> np.ndarray:
    """(coordinates of the nodes,) accelerations of the system."""
    right = np.concatenate([-evaluator.convective(s.state), qdd - _convective(system, s.state, coordinates)])
    return np.asarray(s.inverse @ right)


def _convective(system: System, state: State, coordinates: list[JointCoordinate]) -> np.ndarray:
    """Change of the rates of the coordinates at constant v: central difference of fourth order along the motion."""
    fastest = float(np.max(np.abs(state.v) * system.layout.weight[: system.n_q], initial=0.0))
    e = 1e-3 / max(fastest, 1e-3)

    def rates(shift: float) -> np.ndarray:
        motion = NodeMotion(system, state, shift * state.v)
        return np.array([c.rate(motion) for c in coordinates])

    return np.asarray((8 * (rates(e) - rates(-e)) - (rates(2 * e) - rates(-2 * e))) / (12 * e))


def read_positions(system: System, state: State, coordinates: list[JointCoordinate]) -> np.ndarray:
    """Coordinates of a state, with their revolutions; nan for velocities of bodies."""
    motion = NodeMotion(system, state)
    found = np.full(len(coordinates), np.nan)
    for i, c in enumerate(coordinates):
        if c.joint is not None:
            found[i] = c.value(motion)
            if c.unit == "rad":
                known = state.mem[_memory_of(system, c.joint.name)]
                found[i] += 2 * np.pi * np.round((known - found[i]) / (2 * np.pi))
    return found


def _memory_of(system: System, joint: str) -> int:
    """Place of the counted angle of a joint."""
    from ..elements.coordinate import COORDINATE

    for e, element in enumerate(system.elements):
        if element.kind is COORDINATE and element.name == joint:
            return int(system.mem0[e])
    raise KeyError(joint)


def move_to(
    system: System, state: State, coordinates: list[JointCoordinate], evaluator: Evaluator, q: np.ndarray
) -> JointState:
    """Move a state to positions of the coordinates, in steps in which revolutions are counted. Other constraints stay closed."""
    nq, n = system.n_q, system.own.first
    scale = system.layout.lam_scale[np.flatnonzero(system.layout.equation >= 0)]
    weight = system.layout.weight
    lam = np.zeros_like(state.lam)
    smallest, stalled, most, taken = np.inf, 0, np.inf, 0
    while taken < most:
        taken += 1
        evaluator.place(state, moving=False, lam=lam)
        phi = evaluator.work.rows(rates=False)
        s = joint_state(system, state, coordinates, evaluator)
        off = q - read_positions(system, state, coordinates)
        off[np.isnan(off)] = 0.0  # velocities of bodies have no position: these bodies move as little as possible
        way = s.inverse @ np.concatenate([-phi, off])
        size = float(np.max(np.abs(way) * weight[:n], initial=0.0))
        violation = float(np.max(np.abs(phi) / scale * weight[nq:], initial=0.0))
        error = max(size, violation)
        if size < CONVERGED or (error < 1e-9 and stalled > 1):
            return s
        most = min(most, taken + 60 + 4 * size / LARGEST_STEP)
        stalled = stalled + 1 if size < LARGEST_STEP and error > 0.5 * smallest else 0
        smallest = min(smallest, error)
        if stalled > 12:
            break
        dq = np.zeros(nq)
        dq[:n] = way * min(1.0, LARGEST_STEP / max(size, 1e-300))
        system.displace(state, dq)
        system.commit(state)
    wrong = int(np.argmax(np.abs(off)))
    raise SolveError(
        f'coordinate "{coordinates[wrong].name}" cannot reach {q[wrong]:g} {coordinates[wrong].unit}: the mechanism cannot be '
        "assembled there. Check the position, or choose other coordinates",
        time=state.t,
    )
