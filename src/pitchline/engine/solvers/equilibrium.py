"""Equilibrium: Newton iteration with step reduction and pseudo-transient continuation.

A normal Newton step is used if it is reliable: the matrix is regular, the step is not long, the stiffness along it is positive
(otherwise it would lead to an unstable equilibrium) and the imbalance decreases. Otherwise masses times a factor alpha are
added to the stiffness (pseudo-transient continuation, Kelley & Keyes 1998): the step then follows the forces, and alpha
decreases with the imbalance.

The search follows the constraints: after every step the positions are projected onto them, and the multipliers are those with
the smallest imbalance, [M B^T; B 0] (a, lambda) = -(f, 0). Otherwise steps of finite rotation would open the constraints
permanently.

Compliant rows (the teeth of elastic gears) have their force as an unknown: Phi = s - lambda/k. Newton changes lambda together
with the positions; the projection then keeps lambda and changes s. Therefore the force of a stiff tooth has no second-order
errors of a finite step, which would be very large after multiplication by k (mixed Newton method).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.declare.structure import Station
from pitchline.errors import listed
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.springs.kernel_load import SCALAR_FORCE
from pitchline.parts.springs.part import JointLoad

from ..compile.rank import Evaluator
from ..compile.system import State, System
from .consistent import displace, gaps
from .linear import diagonal_like, factors_of, leading_block, penalised, row_of, solution, with_identity
from .unheld_bearings import bearings_without_hold

if TYPE_CHECKING:
    from ..compile.system import State, System

__all__ = ["Balance", "stiffness_along"]


# ---- balance

# Result of a search for equilibrium.


@dataclass
class Balance:
    """Result of a search for equilibrium."""

    converged: bool
    iterations: int
    imbalance: float
    worst: str
    """Description of the unknown that is farthest from equilibrium."""
    drifted: bool = False
    """The search followed a load without resistance: other load steps lead to the same result."""
    applied: float = 0.0
    """For a search without result: the largest acting force, in the units of the imbalance."""
    external: float = 0.0
    """The largest force of loads and weights, in the same units; computed only with compliant rows (teeth)."""
    rounding: float = 0.0
    """Force of the smallest displacement of teeth that numbers resolve, in the same units."""


# ---- stiffness along

# Stiffness of a system along a displacement.


def stiffness_along(system: System, K: Any, d: np.ndarray) -> float:
    """d^T K d along increments d (n,), including compliant rows: (b d)^2 k.

    Rows of own coordinates of order 1 are not forces. These coordinates follow the others, if their equations determine them.
    """
    nq = system.n_q
    massless = system.own.first_order
    if massless.size:
        d = d.copy()
        own = K[massless] if isinstance(K, np.ndarray) else K.tocsr()[massless]
        others = d.copy()
        others[massless] = 0.0
        square = own[:, massless] if isinstance(own, np.ndarray) else own[:, massless].toarray()
        try:
            follows = np.linalg.solve(square, -(own[:, :nq] @ others))
        except np.linalg.LinAlgError:
            follows = d[massless]
        d[massless] = follows
    forces = K[:nq, :nq] @ d
    forces[system.own.first_order] = 0.0
    stiffness = float(d @ forces)
    give = -K.diagonal()[nq:]
    soft = np.flatnonzero(give > 0.0)
    if soft.size:
        stiffness += float(np.sum((K[nq + soft, :nq] @ d) ** 2 / give[soft]))
    return stiffness


# ---- unheld

# Motions without resistance: how a search for equilibrium detects that there is none, and the message.
#
# If nothing resists a load, the search follows it without end. It has drifted if it moved far and the imbalance did
# not change: over several revolutions of a rotation, so that all positions were reached, or over many lengths of the
# model. It moves to and fro if a small resistance varies with the position, such as teeth whose stiffness varies with
# their phase, and is too weak for the load.

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
    from ..compile.rank import Evaluator

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


LONGEST_STEP = 0.3
"""Largest weighted increment (radians, or fraction of the model length) of one iteration."""
SINGULAR = 1e6
"""Increment of an iteration with a matrix that is singular except for rounding. Its sign has no meaning."""
MAX_ITERATIONS = 300
HALVINGS, MOST_HALVINGS = 6, 14
"""Maximum number of halvings of a step that increases the imbalance; more for Newton while teeth are apart, because
their play is small."""
POSITION = 1e-11
"""Largest increment of the last iteration."""
IMBALANCE = 1e-10
"""Largest imbalance, relative to the acting forces."""
NEARLY = 1e-4
"""Largest remaining fraction of loads that are intended to balance each other."""
RESTING, RESTS = 1e-6, 20
"""Balanced except for rounding: largest increment, and number of Newton steps in a row in which it falls no further. A direction
with little stiffness (a rotor in its bearings) is then as exact as rounding permits."""
CLOSED, OPEN = 1e-11, 1e-8
"""Constraint violations that count as closed, and as too large to continue."""


class EquilibriumSearch:
    """Search for the static equilibrium of a state at its time and a load factor."""

    def __init__(self, system: System, state: State) -> None:
        self.system, self.state = system, state
        self.rounding = 0.0
        """Force of the smallest displacement of teeth that numbers resolve."""
        self.evaluator = Evaluator(system)
        self.nq = system.n_q
        self.first_order = bool(system.own.first_order.size)
        self.weight = system.layout.weight
        self.live = np.flatnonzero(system.layout.equation >= 0)
        self.rows = system.layout.equation[self.live]
        self.scale = system.layout.lam_scale[self.live]
        soft = np.concatenate([np.array(e.soft_rows, bool) for e in system.elements] + [np.zeros(0, bool)])
        self.soft = soft[self.live].astype(bool)
        closing = [
            e.closing_force if i < e.firm or not e.switches else 0.0
            for e in system.elements
            for i in range(len(e.rows))
        ]
        self.closing = np.array(closing)[self.live][self.soft]
        first, own, length = system.own.first, system.own.typical, system.length
        self.to_force = np.concatenate([np.where(self.weight[:first] == 1.0, 1.0 / length, 1.0), own / length])

    def run(self, load: float = 1.0) -> Balance:
        """Iterate to equilibrium."""
        alpha = first_alpha = 0.0
        before = self.state.copy()
        self._guess_soft_forces(load)
        if not self._close(load) and not self._close_touching(before, load):
            return Balance(False, 1, self._imbalance(load)[0], self._not_closed(load))
        size, applied = self._imbalance(load)
        acting = applied = max(applied, self._largest_force(load))
        drift = Drift(self.system)
        iteration = rests = 0
        while iteration < MAX_ITERATIONS and alpha <= 1e12 * first_alpha:
            iteration += 1
            # coordinates of order 1 follow with their own inertia, that of their rates
            r, K = self._tangent(mass=alpha, damping=alpha**0.5 if self.first_order else 0.0, stiffness=1.0, load=load)
            x = self._solution(K, r)
            gap = self._gap(r)
            rounding = self._trifle(K)
            applied = max(acting, rounding / IMBALANCE)
            taken = False
            step = 0.0 if x is None else self._size(x)
            if x is not None and 1.0 < step < SINGULAR and alpha == 0.0 and size < max(NEARLY * acting, rounding):
                x, step = self._without_drift(K, x, step, load)
            if x is not None and step < SINGULAR and self._settles(K, x):
                taken, new_size, seen = self._take(x, step, load, size, applied, newton=alpha == 0.0)
            elif gap < CLOSED and size <= IMBALANCE * applied:  # balanced, in a direction without stiffness
                return Balance(True, iteration, size, "")
            if not taken:
                alpha = max(4 * alpha, self._first_alpha(r, load))
                first_alpha = first_alpha or alpha
                continue
            acting = max(acting, seen)  # loads may cancel when the equilibrium is reached
            applied = max(applied, seen)
            drift.taken(self.moved, new_size)
            if new_size > 1e-8 * applied and drift.drifts():
                reason = self._unheld() or self._unheld(hardly=True) or self._worst(load)
                return Balance(False, iteration, new_size, reason, drifted=True, applied=applied)
            if new_size > 1e-8 * applied and drift.to_and_fro():
                reason = self._unheld() or self._unheld(hardly=True)
                if reason:
                    return Balance(False, iteration, new_size, reason, drifted=True, applied=applied)
            if gap < CLOSED and step < POSITION and new_size <= IMBALANCE * applied:
                return Balance(True, iteration, new_size, "")
            if gap < CLOSED and step < 1e-14:  # only rounding remains
                converged = new_size <= max(1e-6 * acting, 10.0 * rounding)
                return Balance(converged, iteration, new_size, self._worst(load), applied=acting)
            rests = rests + 1 if alpha == 0.0 and gap < CLOSED and step < RESTING and new_size <= rounding else 0
            if rests == RESTS:
                return Balance(True, iteration, new_size, "")
            alpha *= min(0.3, new_size / size if size > 0 else 0.0)
            if alpha < 1e-4 * first_alpha:
                alpha = 0.0
            size = new_size
        reason = self._unheld()
        nearly = bool(reason) and size < NEARLY * applied
        return Balance(False, iteration, size, reason or self._worst(load), drifted=nearly, applied=applied)

    def _tangent(self, **asked: Any) -> tuple[np.ndarray, Any]:
        """Residual and matrix at rest, see `Evaluator.tangent`; an array if the system is small."""
        return self.evaluator.tangent(self.state, moving=False, small_as_array=True, **asked)

    def _solution(self, K: Any, r: np.ndarray) -> np.ndarray | None:
        """Newton step. With penalties p the matrix has K + B^T p B, and the multipliers of its solution lack p times the gap."""
        p = self.system.layout.lam_penalty[self.live] / self.scale**2
        if not p.any():
            return solution(K, -r)
        x = solution(penalised(K, self.rows, p), -r)
        if x is not None:
            x[self.rows] -= p * r[self.rows]
        return x

    def _unheld(self, *, hardly: bool = False) -> str:
        """Description of what nothing holds against the full load, with fixed drives; empty if this is not the reason."""
        r, K = self._tangent(mass=0.0, stiffness=1.0)
        _, M = self._tangent(mass=1.0)
        r[self.nq :] = 0.0
        return unheld(self.system, self.state, K, M, r, hardly=hardly)

    def _take(
        self,
        x: np.ndarray,
        step: float,
        load: float,
        size: float,
        known: float,
        *,
        newton: bool,
    ) -> tuple[bool, float, float]:
        """Move along x. Reduce the step if it is long, if the imbalance would grow or if the constraints cannot be closed again."""
        before = self.state.copy()
        length = self._length(x, newton)
        part = min(1.0, LONGEST_STEP / length) if length > 0 else 1.0
        apart = self.soft.any() and not np.all(self.state.lam[self.live[self.soft]])  # some teeth are not in contact
        for _ in range(MOST_HALVINGS if newton and apart else HALVINGS):
            self.state.go_back(before)
            displace(self.system, self.state, part * x[: self.nq])
            self._add_forces(part * x, self.soft)
            self.system.commit(self.state)
            if self._close(load):
                new_size, applied = self._imbalance(load)
                limit = 4.0 if step * part < 1e-6 or not newton else 1.0 - 0.1 * part
                if new_size <= limit * size or new_size <= IMBALANCE * max(applied, known):
                    self.moved = part * x[: self.nq] * self.weight[: self.nq]
                    return True, new_size, applied
            part *= 0.5
        self.state.go_back(before)
        return False, size, 0.0

    def _guess_soft_forces(self, load: float) -> None:
        """Estimate unknown forces of compliant rows: those with the smallest imbalance if all of them were closed.

        Their sign defines the loaded flank of teeth with backlash."""
        mine = self.live[self.soft]
        if not mine.size or np.any(self.state.lam[mine]):
            return
        lam = np.zeros_like(self.state.lam)
        lam[mine] = touching = self.closing
        r, M = self._tangent(mass=1.0, load=load, lam=lam)
        give = np.zeros(self.system.n)  # more teeth than degrees of freedom: then they share the load
        give[self.rows[self.soft]] = -1e-12 * self.scale[self.soft]
        pull = np.concatenate([r[: self.nq], np.zeros(self.system.n - self.nq)])
        x = solution(self._with_traces(M) + diagonal_like(M, give), -pull)
        if x is not None:
            lam[mine] += (self.scale * x[self.rows])[self.soft]
            self.state.lam[mine] = np.copysign(np.maximum(np.abs(lam[mine]), touching), lam[mine])

    def _close_touching(self, before: State, load: float) -> bool:
        """Close again from a state, with teeth in contact without load: forces that were estimated with a stiff support may be
        far too large for the positions to follow."""
        mine = self.live[self.soft]
        if not mine.size:
            return False
        self.state.go_back(before)
        self.state.lam[mine] = np.copysign(self.closing, before.lam[mine])
        return self._close(load)

    def _with_traces(self, M: Any) -> Any:
        """Bodies without mass on a coordinate are moved as if they had a small mass."""
        d = M.diagonal()[: self.nq]
        empty = d <= 0
        if not empty.any():
            return M
        trace = np.where(empty, 1e-6 * max(float(d.max(initial=0.0)), 1e-12), 0.0)
        return M + diagonal_like(M, np.concatenate([trace, np.zeros(self.system.n - self.nq)]))

    def _close(self, load: float) -> bool:
        """Project the positions onto the constraints with the smallest change, and compute the multipliers with the smallest
        imbalance. Compliant rows are closed by the positions, with constant force, as far as possible. If there are more of
        them than degrees of freedom (the planets of a train), the remaining gap is carried by them, lambda = k s. False: they
        cannot be closed from here."""
        if not self.rows.size:
            return True
        hard = ~self.soft
        for _ in range(12):
            r, M = self._tangent(mass=1.0, load=load, lam=self._soft_forces())
            idle = self.soft & (M.diagonal()[self.rows] != 0.0)  # teeth without contact: no force, not to be closed
            if idle.any() and np.any(self.state.lam[self.live[idle]]):
                self.state.lam[self.live[idle]] = 0.0
                continue
            M = self._with_traces(M)
            if self.soft.any():
                M = M + diagonal_like(M, self._compliances(load))
            try:
                x = factors_of(M).solve(-np.concatenate([np.zeros(self.nq), r[self.nq :]]))
            except RuntimeError:
                return False
            size = self._size(x)
            if not math.isfinite(size):
                return False
            if size < 0.1 * CLOSED and self._gap(r, hard) < 0.1 * CLOSED:
                break
            displace(self.system, self.state, min(1.0, LONGEST_STEP / max(size, 1e-300)) * x[: self.nq])
            self.system.commit(self.state)
        self._bear_open_teeth(r, load)
        self._balance(load)
        return self._gap(r, hard) < OPEN

    def _compliances(self, load: float) -> np.ndarray:
        """-1/k of the compliant rows, zero for all others (n,)."""
        give = np.zeros(self.system.n)
        if self.soft.any():
            _, K = self._tangent(mass=0.0, stiffness=1.0, load=load, lam=self._soft_forces())
            mine = self.rows[self.soft]
            give[mine] = np.minimum(K.diagonal()[mine], 0.0)
        return give

    def _bear_open_teeth(self, r: np.ndarray, load: float) -> None:
        """lambda += k (s - lambda/k) if compliant rows stay open. Teeth with backlash that would have to pull are released."""
        mine = self.rows[self.soft]
        if not mine.size:
            return
        give = self._compliances(load)[mine]
        touching = give < 0.0
        where = self.live[self.soft][touching]
        before = self.state.lam[where].copy()
        self.state.lam[where] -= self.scale[self.soft][touching] * r[mine[touching]] / give[touching]
        pulls = (before * self.state.lam[where] < 0.0) & (self.closing[touching] > 0.0)
        self.state.lam[where[pulls]] = 0.0

    def _balance(self, load: float) -> None:
        """Multipliers of rigid rows with the smallest imbalance. Repeated, because the separating force of rigid teeth depends
        on the magnitude of their multiplier, whose sign is found first."""
        self.state.lam[self.live[~self.soft]] = 0.0
        for _ in range(3):
            r, M = self._tangent(mass=1.0, load=load)
            M = with_identity(self._with_traces(M), self.rows[self.soft])
            r[self.nq :] = 0.0
            x = solution(M, -r)
            if x is None:
                return
            self._add_forces(x, ~self.soft)

    def _soft_forces(self) -> np.ndarray:
        """Multipliers of compliant rows, zeros for the others."""
        lam = np.zeros_like(self.state.lam)
        lam[self.live[self.soft]] = self.state.lam[self.live[self.soft]]
        return lam

    def _add_forces(self, x: np.ndarray, which: np.ndarray) -> None:
        """Add the multipliers of a solution to those of the state, for the rows `which`."""
        self.state.lam[self.live[which]] += (self.scale * x[self.rows])[which]

    def _size(self, x: np.ndarray) -> float:
        """Largest weighted increment of a step; of coordinates of order 1, which can have any magnitude, relative to it."""
        sizes = np.abs(x[: self.nq]) * self.weight[: self.nq]
        own = self.system.own
        if self.first_order:
            at = own.first_order
            sizes[at] /= 1.0 + sizes[at] + np.abs(self.state.own[at - own.first]) * self.weight[at]
        return float(sizes.max(initial=0.0))

    def _length(self, x: np.ndarray, newton: bool) -> float:
        """Largest weighted increment, for the limit of a step. Newton steps of coordinates of order 1 are not limited: their rows
        are mostly linear. Others are limited relative to their values: an integral at its limit would grow without end."""
        sizes = np.abs(x[: self.nq]) * self.weight[: self.nq]
        at = self.system.own.first_order
        own = np.abs(self.state.own[at - self.system.own.first]) * self.weight[at]
        sizes[at] *= 0.0 if newton else 1.0 / (1.0 + own)
        return float(np.max(sizes, initial=0.0))

    def _settles(self, K: Any, x: np.ndarray) -> bool:
        """Whether the stiffness along the step is positive, so that it leads to a stable equilibrium. With controllers, which
        have states of order 1, the stiffness does not decide this."""
        return self.first_order or stiffness_along(self.system, K, x[: self.nq]) > 0.0 or self._size(x) < 1e-7

    def _without_drift(self, K: Any, x: np.ndarray, step: float, load: float) -> tuple[np.ndarray, float]:
        """A long step near balance follows a direction whose stiffness is rounding (a free rotor), and its limit would hold up
        all unknowns. With a very small multiple of the masses that direction rests, and the others lose no digit."""
        M = self._tangent(mass=1.0, load=load)[1]
        k, m = (float(np.abs(matrix.diagonal()[: self.nq]).max(initial=0.0)) for matrix in (K, M))
        if not (k > 0.0 and m > 0.0):
            return x, step
        r, shifted = self._tangent(mass=1e-10 * k / m, stiffness=1.0, load=load)
        other = self._solution(shifted, r)
        return (x, step) if other is None or not self._size(other) < step else (other, self._size(other))

    def _forces(self, r: np.ndarray) -> np.ndarray:
        """Rows of motion as forces: moments, and forces on own coordinates of typical magnitude, over the length of the model."""
        return r[: self.nq] * self.to_force

    def _imbalance(self, load: float) -> tuple[float, float]:
        """(largest imbalance, largest applied or internal force), as forces."""
        r = self.evaluator.residual(self.state, load=load, moving=False)
        held = self.state.lam.copy()
        self.state.lam[:] = 0.0
        free = self.evaluator.residual(self.state, load=load, moving=False)
        self.state.lam[:] = held
        size = float(np.abs(self._forces(r)).max(initial=0.0))
        reaction = float(np.abs(self._forces(r - free)).max(initial=0.0))
        return size, max(float(np.abs(self._forces(free)).max(initial=0.0)), reaction)

    def _largest_force(self, load: float) -> float:
        """Largest force of a single element: close to equilibrium the sum of all does not show their magnitude."""
        s = self.system
        self.evaluator.place(self.state, moving=False, load=load)
        largest = 0.0
        for e in range(s.active):
            n = 6 * len(s.elements[e].nodes)
            wrenches = np.abs(self.evaluator.work.element(e)[0][:n].reshape(-1, 6))
            largest = max(
                largest, float(wrenches[:, :3].max(initial=0.0)), float(wrenches[:, 3:].max(initial=0.0)) / s.length
            )
        return largest

    def _trifle(self, K: Any) -> float:
        """Force of the smallest displacement that numbers resolve: a smaller imbalance is rounding."""
        lengths = self.system.sizes
        own, stiffness = np.abs(K.diagonal()[: self.nq]), np.zeros(self.nq)
        for i in self.rows[self.soft]:
            give = -K[i, i]
            if give > 0.0:
                stiffness = stiffness + row_of(K, i, self.nq) ** 2 / give
        to_force = 2e-15 * lengths**2 / self.system.length
        self.rounding = float(np.max(stiffness * to_force, initial=0.0))
        return float(np.max((own + stiffness) * to_force, initial=0.0))

    def _gap(self, r: np.ndarray, which: np.ndarray | None = None) -> float:
        """Largest weighted violation of the constraints; which: of some of the rows."""
        sizes = np.abs(r[self.rows]) / self.scale * self.system.layout.row_weight[self.rows - self.nq]
        return float((sizes if which is None else sizes[which]).max(initial=0.0))

    def _first_alpha(self, r: np.ndarray, load: float) -> float:
        """Factor of the masses for a step of about half the maximum length."""
        _, M = self._tangent(mass=1.0, load=load)
        d = np.maximum(M.diagonal()[: self.nq], 1e-12 * float(M.diagonal()[: self.nq].max(initial=1e-300)))
        pulls = np.abs(r[: self.nq]) / d * self.weight[: self.nq]
        pulls[self.system.own.first_order] = 0.0
        pull = float(np.max(pulls, initial=0.0))
        return max(pull / (0.5 * LONGEST_STEP), 1e-6)

    def _not_closed(self, load: float) -> str:
        """Description of constraints that cannot be closed."""
        worst = self._worst(load)
        several = dict.fromkeys(self.system.row_owner(int(l)).name for l in self.live[self.soft])
        if not several or " is still open by " in worst:
            return worst
        return f"{listed(several)} cannot be closed together with the other joints and drives"

    def _worst(self, load: float) -> str:
        """Description of the unknown that is farthest from equilibrium, with its imbalance."""
        open_gap = gaps(self.system, self.state, load=load)[:1]
        if open_gap and open_gap[0].size > OPEN:
            return f'"{open_gap[0].name}" is still open by {open_gap[0].text}'
        forces = np.abs(self._forces(self.evaluator.residual(self.state, load=load, moving=False)))
        if not forces.size:
            return "nothing can move"
        worst = int(np.argmax(forces))
        if worst >= self.system.own.first:
            return f"{self.system.unknown_name(worst)}: no equilibrium found for its own coordinates"
        return f"{self.system.unknown_name(worst)} is still out of balance by {forces[worst]:.3g} N"
