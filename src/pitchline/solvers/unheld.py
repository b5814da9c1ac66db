"""Motions that nothing holds: how a search for equilibrium sees that there is none, and what to say of it.

Where nothing resists a load, the search follows it for ever. It has drifted if it went far and the imbalance is what it was:
over whole turns of a rotation, after which every position has come round, or over many lengths of the model. It goes to and fro if
something small resists here and there, such as teeth whose stiffness varies with their phase, and is too weak for the load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..elements.scalar_force import SCALAR_FORCE
from ..model.loads import JointLoad
from ..model.shaft import Shaft
from ..model.station import Station
from .either_matrix import leading_block, solution
from .unheld_bearings import bearings_without_hold

if TYPE_CHECKING:
    from ..system.system import State, System

TURN = 2.0 * np.pi
WAYS = ((TURN, 10.0), (3 * TURN, 80.0))
"""Way of a rotation [rad] and of a displacement [lengths of the model] that is a drift; the second where a spring, a string or a
stop may come to bear on it."""
AT_ONCE = ("bearing", "attached_mass", "coupling")
"""Elements that come to bear within their clearance, or never: whatever they let pass, they let pass for ever."""
SAME = (0.03, 1e-3)
"""Part by which the imbalance must fall from one third of the way to the next to be no drift, likewise."""


TO_AND_FRO = 60
"""Steps without progress, in position and in balance, of a search that goes to and fro."""
HARDLY = 1e-6
"""Stiffness over mass, relative to the stiffest, of motions that hardly anything holds."""


ALONG_AXIS = 0.999
"""Cosine of the angle between a motion and the axis of a shaft along which it goes."""
ROUNDED = 1e-12
"""Stiffness over the loads, in moments, that is rounding."""


class Drift:
    """What a search did so far."""

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
        """Whether it leads nowhere."""
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
        """Whether it comes no nearer to a balance, and does not get away either."""
        if len(self.sizes) < 2 * TO_AND_FRO or min(self.sizes[-TO_AND_FRO:]) < 0.95 * min(self.sizes[:-TO_AND_FRO]):
            return False
        way = np.array(self.way[-TO_AND_FRO - 1 :])
        path = np.abs(np.diff(way, axis=0)).sum(axis=0)
        farthest = int(np.argmax(path))
        return bool(abs(way[-1, farthest] - way[0, farthest]) < 0.5 * path[farthest])

    def _mean(self, way: np.ndarray, low: float, high: float) -> float:
        """Of the imbalance on a part of the way; 0 if the search left no trace there."""
        inside = np.flatnonzero((way[1:] > low) & (way[1:] <= high))
        return float(np.mean([self.sizes[i] for i in inside])) if inside.size else 0.0


def unheld(system: System, state: State, K: Any, M: Any, r: np.ndarray, *, hardly: bool = False) -> str:
    """What holds nothing against the loads, in words; empty if there is no such motion.

    (K + a M) d = -r with a small a: where stiffness resists, d is what the loads bend; where none does, d is large, and all that
    resists is a M. K, M: with constraint rows; r: imbalance at the state. hardly: what little stiffness holds counts as unheld.
    """
    from .equilibrium import stiffness_along

    n = system.n_q
    k, m = np.abs(K.diagonal()[:n]).max(initial=0.0), np.abs(M.diagonal()[:n]).max(initial=0.0)
    loads = np.abs(r).max(initial=0.0) + system.length * np.abs(state.lam).max(initial=0.0)
    if k <= ROUNDED * loads:
        k = 0.0  # stiffness of loads that turn, rounded
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
    """The body that moves most, and the force or moment that it feels along the motion d (n,)."""
    body, turns, along = most_moved(system, state, d)
    size = float(np.linalg.norm(along))
    what, unit, word = ("a torque", "N*m", "about") if turns else ("a force", "N", "along")
    where = direction(system, state, body, along)
    text = f" holds {called(system, body)} against {what} of {work / size:.4g} {unit} {word} {where}"
    bearings = "" if turns else bearings_without_hold(system.model, along)
    return f"{text}: {bearings}" if bearings else text


def called(system: System, body: str) -> str:
    """How messages call what moves: a station's whole structure, or the body."""
    found = system.model.bodies[body]
    if isinstance(found, Station):
        return f'{system.model.structures[found.structure].kind} "{found.structure}"'
    return f'body "{body}"'


def direction(system: System, state: State, body: str, along: np.ndarray) -> str:
    """A direction in digits; whether it is the axis of a shaft."""
    found = system.model.bodies[body]
    words = f"({in_digits(along)})"
    if isinstance(found, Station) and isinstance(system.model.structures[found.structure], Shaft):
        axis = system.kinematics(state, moving=False)["R"][system.node_of[body]].reshape(3, 3)[:, 2]
        if abs(axis @ along) > ALONG_AXIS * float(np.linalg.norm(along)):
            return f"its axis {words}"
    return words


def in_digits(direction: np.ndarray) -> str:
    """A direction as a unit vector, without rounding."""
    size = float(np.linalg.norm(direction))
    return ", ".join(f"{x:.3g}" for x in np.where(np.abs(direction) > 1e-6 * size, direction / size, 0.0))


def most_moved(system: System, state: State, d: np.ndarray) -> tuple[str, bool, np.ndarray]:
    """(body with most kinetic energy in a motion d (n,), whether it turns more than it shifts, rotation or displacement (3,))."""
    poses = system.kinematics(state, moving=False)
    best: float = -1.0
    found = "", False, np.zeros(3)
    for k, plan in enumerate(system.nodes, 1):
        i, nd = int(system.dof0[k]), int(system.ndof[k])
        node = plan.T @ d[i : i + nd]
        R = poses["R"][k].reshape(3, 3)
        turn = R @ node[3:]
        shift = node[:3] + np.cross(turn, R @ (plan.body.centre_of_mass - plan.offset))
        spin = float(node[3:] @ plan.inertia @ node[3:])
        energy = plan.mass * float(shift @ shift) + spin
        if energy > best:
            best, turns = energy, spin > 0.5 * energy
            found = plan.body.name, turns, turn if turns else shift
    return found
