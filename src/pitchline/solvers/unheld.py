"""Motions without resistance: how a search for equilibrium detects that there is none, and the message.

If nothing resists a load, the search follows it without end. It has drifted if it moved far and the imbalance did not change:
over several revolutions of a rotation, so that all positions were reached, or over many lengths of the model. It moves to and
fro if a small resistance varies with the position, such as teeth whose stiffness varies with their phase, and is too weak for
the load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..elements.scalar_force import SCALAR_FORCE
from ..model.loads import JointLoad
from ..model.shaft import Shaft
from ..model.station import Station
from .either_matrix import leading_block, solution
from .stiffness_along import stiffness_along
from .unheld_bearings import bearings_without_hold

if TYPE_CHECKING:
    from ..system.system import State, System

TURN = 2.0 * np.pi
WAYS = ((TURN, 10.0), (3 * TURN, 80.0))
"""Rotation [rad] and displacement [lengths of the model] that count as a drift; the second pair if a spring, a string or a
stop may become active."""
AT_ONCE = ("bearing", "attached_mass", "coupling")
"""Elements that act within their clearance or never: a motion that they do not resist is unlimited."""
SAME = (0.03, 1e-3)
"""Fraction by which the imbalance must decrease from one third of the path to the next, otherwise it is a drift; for the
same two cases."""


TO_AND_FRO = 60
"""Number of steps without progress, in position and in imbalance, of a search that moves to and fro."""
HARDLY = 1e-6
"""Stiffness divided by mass, relative to the stiffest, of motions with almost no stiffness."""


ALONG_AXIS = 0.999
"""Cosine of the largest angle between a motion and a shaft axis for a motion along the axis."""
ROUNDED = 1e-12
"""Stiffness relative to the loads, in moments, that counts as rounding."""


class Drift:
    """History of a search."""

    def __init__(self, system: System) -> None:
        turns = system.layout.weight[: system.n_q] == 1.0
        bearing = [
            e for e in system.elements[: system.active]
            if (e.kind is SCALAR_FORCE and not isinstance(system.model.loads.get(e.name), JointLoad))
            or (e.name in system.model.elements and type(system.model.elements[e.name]).key not in AT_ONCE)
        ]  # fmt: skip
        turn, lengths = WAYS[bool(bearing)]
        self.enough = np.where(turns, turn, lengths)
        self.same = SAME[bool(bearing)]
        self.way: list[np.ndarray] = [np.zeros(system.n_q)]
        self.sizes: list[float] = []

    def taken(self, increment: np.ndarray, size: float) -> None:
        """A step of the search: weighted increments (n,) and the imbalance after it."""
        self.way.append(self.way[-1] + increment)
        self.sizes.append(size)

    def drifts(self) -> bool:
        """Whether the search does not lead to an equilibrium."""
        if len(self.sizes) < 6:
            return False
        now = np.abs(self.way[-1])
        farthest = int(np.argmax(now / self.enough)) if now.size else 0
        if not now.size or now[farthest] < self.enough[farthest]:
            return False
        way = np.array([w[farthest] for w in self.way]) * np.sign(self.way[-1][farthest])
        part = self.enough[farthest] / 3
        last, before, first = (self._mean(way, way[-1] - (i + 1) * part, way[-1] - i * part) for i in range(3))
        return last >= (1.0 - self.same) * before >= (1.0 - self.same) ** 2 * first > 0.0

    def to_and_fro(self) -> bool:
        """Whether the search does not come closer to an equilibrium, and does not move away either."""
        if len(self.sizes) < 2 * TO_AND_FRO or min(self.sizes[-TO_AND_FRO:]) < 0.95 * min(self.sizes[:-TO_AND_FRO]):
            return False
        way = np.array(self.way[-TO_AND_FRO - 1 :])
        path = np.abs(np.diff(way, axis=0)).sum(axis=0)
        farthest = int(np.argmax(path))
        return bool(abs(way[-1, farthest] - way[0, farthest]) < 0.5 * path[farthest])

    def _mean(self, way: np.ndarray, low: float, high: float) -> float:
        """Mean of the imbalance on a part of the path; 0 if there are no steps."""
        inside = np.flatnonzero((way[1:] > low) & (way[1:] <= high))
        return float(np.mean([self.sizes[i] for i in inside])) if inside.size else 0.0


def unheld(system: System, state: State, K: Any, M: Any, r: np.ndarray, *, hardly: bool = False) -> str:
    """Description of what nothing holds against the loads; empty if there is no such motion.

    (K + a M) d = -r with a small a: if stiffness resists, d is the elastic deformation; otherwise d is large, and only a M
    resists. K, M: with constraint rows; r: imbalance at the state. hardly: motions with very small stiffness also count.
    """
    n = system.n_q
    k, m = np.abs(K.diagonal()[:n]).max(initial=0.0), np.abs(M.diagonal()[:n]).max(initial=0.0)
    loads = np.abs(r).max(initial=0.0) + system.length * np.abs(state.lam).max(initial=0.0)
    if k <= ROUNDED * loads:
        k = 0.0  # stiffness of rotating loads, rounded
    small = (HARDLY if hardly else 1e-9) * k / m if k > 0.0 and m > 0.0 else 1.0
    d = solution(K + small * leading_block(M, n), -r)
    if d is None:
        return ""
    d = d[:n]
    resisted = small * float(d @ (M[:n, :n] @ d))
    if not resisted > 0.0 or abs(stiffness_along(system, K, d)) > 0.1 * resisted:
        return ""
    return ("hardly anything" if hardly else "nothing") + _in_words(system, state, d, float(-r[:n] @ d))


def _in_words(system: System, state: State, d: np.ndarray, work: float) -> str:
    """The body that moves most, and the force or moment on it along the motion d (n,)."""
    body, turns, along = most_moved(system, state, d)
    size = float(np.linalg.norm(along))
    what, unit, word = ("a torque", "N*m", "about") if turns else ("a force", "N", "along")
    where = direction(system, state, body, along)
    text = f" holds {called(system, body)} against {what} of {work / size:.4g} {unit} {word} {where}"
    bearings = "" if turns else bearings_without_hold(system.model, along)
    return f"{text}: {bearings}" if bearings else text


def called(system: System, body: str) -> str:
    """Name of the moving part in messages: the structure of a station, or the body."""
    found = system.model.bodies[body]
    if isinstance(found, Station):
        return f'{system.model.structures[found.structure].kind} "{found.structure}"'
    return f'body "{body}"'


def direction(system: System, state: State, body: str, along: np.ndarray) -> str:
    """Direction in digits, with a note if it is the axis of a shaft."""
    found = system.model.bodies[body]
    words = f"({in_digits(along)})"
    if isinstance(found, Station) and isinstance(system.model.structures[found.structure], Shaft):
        axis = system.kinematics(state, moving=False)["R"][system.node_of[body]].reshape(3, 3)[:, 2]
        if abs(axis @ along) > ALONG_AXIS * float(np.linalg.norm(along)):
            return f"its axis {words}"
    return words


def in_digits(direction: np.ndarray) -> str:
    """Direction as a unit vector, without rounding errors."""
    size = float(np.linalg.norm(direction))
    return ", ".join(f"{x:.3g}" for x in np.where(np.abs(direction) > 1e-6 * size, direction / size, 0.0))


def most_moved(system: System, state: State, d: np.ndarray) -> tuple[str, bool, np.ndarray]:
    """(body with the largest kinetic energy in a motion d (n,), whether it rotates more than it moves, rotation or
    displacement (3,))."""
    from ..system.matrix import Evaluator

    poses = system.kinematics(state, moving=False)
    n = system.n_q
    M = Evaluator.passing(system).tangent(state, mass=1.0, moving=False, small_as_array=True)[1]
    inertial = (M @ np.concatenate([d[:n], np.zeros(M.shape[0] - n)]))[
        :n
    ]  # with the inertia of rotors, which elements have
    best: float = -1.0
    found = "", False, np.zeros(3)
    for k, plan in enumerate(system.nodes, 1):
        i, nd = int(system.dof0[k]), int(system.ndof[k])
        node = plan.T @ d[i : i + nd]
        R = poses["R"][k].reshape(3, 3)
        turn = R @ node[3:]
        shift = node[:3] + np.cross(turn, R @ (plan.body.centre_of_mass - plan.offset))
        energy = float(d[i : i + nd] @ inertial[i : i + nd])
        spin = energy - plan.mass * float(shift @ shift)
        if energy > best:
            best, turns = energy, spin > 0.5 * energy
            found = plan.body.name, turns, turn if turns else shift
    return found
