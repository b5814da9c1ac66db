"""Free directions of an equilibrium: stability, and a first displacement out of an unstable one."""

from dataclasses import dataclass

import numpy as np

from pitchline.errors import listed
from pitchline.parts.springs.kernel_stop import APART, BY_FORCE, OPEN_LIMIT, RIGID_STOP, RigidStop

from ..compile.rank import Evaluator, no_multipliers
from ..compile.system import State, System
from .consistent import ContactRows, ContactSide, displace
from .equilibrium import Balance, EquilibriumSearch


@dataclass
class Directions:
    """Directions that the constraints leave free, in order of increasing stiffness divided by mass."""

    values: np.ndarray  # (k,) [1/s^2]
    vectors: np.ndarray  # (n, k)
    errors: np.ndarray  # (k,) errors of the values, from errors of the stiffness

    @property
    def unstable(self) -> np.ndarray:
        """Directions with negative stiffness."""
        return np.flatnonzero(self.values < -self.errors)

    @property
    def indifferent(self) -> np.ndarray:
        """Directions with zero stiffness."""
        return np.flatnonzero(np.abs(self.values) <= self.errors)


STIFFNESS_ERROR = 1e-11
"""Relative error of the entries of the stiffness: rounding, and remaining imbalance."""


NO_FORCE = 1e-9
"""Force of teeth that counts as none, as a fraction of that which deflects them by a small part of their backlash."""


def directions(system: System, state: State, load: float = 1.0) -> Directions:
    """Stiffness relative to the masses in the directions that the constraints leave free. Dense: up to a few hundred coordinates.

    The sign of the stiffness is compared with the effect of errors of its entries along a direction d of unit mass:
    STIFFNESS_ERROR |d|^T |K| |d|. The stiffest parts of the model, which do not move in d, have no effect on this error."""
    import scipy.linalg as la

    evaluator = Evaluator(system)
    nq = system.n_q
    _, K = evaluator.tangent(state, mass=0.0, stiffness=1.0, load=load, moving=False, small_as_array=True)
    _, M = evaluator.tangent(state, mass=1.0, load=load, moving=False, small_as_array=True)
    K, M = (
        x + 0.0 if isinstance(x, np.ndarray) else x.toarray() for x in (K, M)
    )  # + 0.0: no -0, as in sparse matrices
    k, size, rows = K[:nq, :nq], np.abs(K[:nq, :nq]), []
    touching = _touching(system, state)
    for i in range(nq, system.n):
        if i in touching:
            continue
        if K[i, i] < 0.0:  # a compliant row: its stiffness
            k = k - np.outer(K[:nq, i], K[i, :nq]) / K[i, i]
            size = size + np.abs(np.outer(K[:nq, i], K[i, :nq]) / K[i, i])
        else:
            rows.append(K[i, :nq])
    N = la.null_space(np.array(rows)) if rows else np.eye(nq)
    N, k, size = _without_massless(system, N, k, size)
    if not N.shape[1]:
        return Directions(np.zeros(0), N, np.zeros(0))
    k = N.T @ k @ N
    m = N.T @ M[:nq, :nq] @ N
    m += 1e-12 * max(float(np.trace(m)), 1e-300) / len(m) * np.eye(len(m))
    if np.abs(k - k.T).max() <= 1e-6 * np.abs(k).max():
        values, vectors = la.eigh(0.5 * (k + k.T), m)
    else:
        # forces without a potential (the separating force of gears): a direction is kept only if the stiffness is real and
        # negative; the symmetric part of the matrix does not show this
        values, vectors = la.eig(k, m)
        real = np.abs(values.imag) <= 1e-9 * np.abs(values).max()
        values = np.where(real | (values.real > 0.0), values.real, np.abs(values))
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order].real
    mass = np.einsum("in,ij,jn->n", vectors, m, vectors)
    moved = np.abs(N @ vectors)
    work = np.einsum("in,ij,jn->n", moved, size, moved) / np.where(mass > 0.0, mass, 1.0)
    solving = len(values) * np.finfo(float).eps * np.abs(values).max(initial=0.0)
    return Directions(values, N @ vectors, STIFFNESS_ERROR * work + solving)


def _touching(system: System, state: State) -> set[int]:
    """Equations of elastic teeth with backlash that touch one flank without a force: nothing holds them there."""
    found = set()
    for e, element in enumerate(system.elements[: system.active]):
        rows = range(int(system.lam0[e]), int(system.lam0[e + 1]))
        for l in (rows[i] for i in element.opening_rows):
            if element.apart is None and abs(state.lam[l]) < NO_FORCE * element.closing_force:
                found.add(int(system.layout.equation[l]))
    return found


def _without_massless(
    system: System, N: np.ndarray, k: np.ndarray, size: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Directions, stiffness and its magnitude. Own coordinates of order 1 follow the others, y' = 0, or are fixed if
    they cannot."""
    y = system.own.first_order
    if not y.size:
        return N, k, size
    others = np.setdiff1d(np.arange(len(k)), y)
    inner = k[np.ix_(y, y)]
    follows = np.linalg.cond(inner) < 1e12
    if follows:
        answer = -np.linalg.solve(inner, k[np.ix_(y, others)])
        k, size = k.copy(), size.copy()
        k[np.ix_(others, others)] += k[np.ix_(others, y)] @ answer
        size[np.ix_(others, others)] += size[np.ix_(others, y)] @ np.abs(answer)
    k[y], k[:, y] = 0.0, 0.0
    free = N[:, np.abs(N[others]).max(axis=0, initial=0.0) > 0.0].copy()
    free[y] = 0.0
    return free, k, size


def nudge(system: System, state: State, found: Directions, way: float = 0.05) -> None:
    """Move a state out of an unstable equilibrium with these directions, a little in the most unstable one."""
    first = found.vectors[:, 0]
    d = first * np.sign(first[np.argmax(np.abs(first))])
    displace(system, state, way / float(np.max(np.abs(d) * system.layout.weight[: system.n_q])) * d)
    system.commit(state)


# ---- stopped equilibrium

# Equilibrium of a model with rigid stops: which of them are in contact is found by repeated searches.
#
# In a search every stop is either closed at one limit, like a joint, or open. Then stops that would have to pull are
# released, and the limit that is exceeded most is closed.

BEYOND = 1e-10
"""Distance beyond a limit that counts as rounding, in radians or as a fraction of the length of the model."""


class StoppedSearch(EquilibriumSearch):
    """Search for the static equilibrium of a state, also with rigid stops."""

    def __init__(self, system: System, state: State) -> None:
        super().__init__(system, state)
        rows = self.contact_rows = ContactRows(system)
        self.stops = [row for row in rows.rows if rows.element(row).kind is RIGID_STOP]
        self.opened: set[int] = set()
        """Stops that could not be closed where their forces were guessed: drives determine their coordinate."""

    def run(self, load: float = 1.0) -> Balance:
        """Iterate to equilibrium."""
        balance = self._with_stops(load) if self.stops else super().run(load)
        if self.rounding:
            balance.external, balance.rounding = self._loads(load), self.rounding
        return balance

    def _loads(self, load: float) -> float:
        """The largest force of loads and weights."""
        lam = no_multipliers(self.system)
        with_loads, without = (
            self.evaluator.tangent(self.state, mass=0.0, moving=False, load=part, lam=lam)[0] for part in (load, 0.0)
        )
        return float(np.abs(self._forces(with_loads - without)).max(initial=0.0))

    def _with_stops(self, load: float) -> Balance:
        """Searches with other stops in contact, until those that are closed push and no limit is exceeded."""
        self._guess_soft_forces(load)
        side = {row: self._available(row, int(np.sign(self.state.lam[row]))) for row in self.stops}
        side |= dict.fromkeys(self.opened, 0)
        guessed = {row for row in self.stops if side[row]}
        before = self.state.copy()
        iterations = 0
        try:
            for _ in range(10 + 4 * len(self.stops)):
                for row in self.stops:
                    self._hold(row, side[row] or APART)
                    if not side[row]:
                        self.state.lam[row] = 0.0
                balance = super().run(load)
                iterations += balance.iterations
                balance.iterations = iterations
                if guessed and not balance.converged and not balance.drifted:
                    self.state.go_back(before)
                    side |= dict.fromkeys(guessed, 0)
                    self.opened |= guessed
                    guessed = set()
                    continue
                if not balance.converged or not self._changed(side):
                    break
                guessed = set()
            else:
                several = listed(dict.fromkeys(self.contact_rows.element(row).name for row in self.stops))
                balance.converged = False
                balance.worst = f"which of the rigid stops {several} are in contact is not found"
        finally:
            for row in self.stops:
                self._hold(row, BY_FORCE)
        return balance

    def _changed(self, side: dict[int, int]) -> bool:
        """Release stops that pull; otherwise close the limit that is exceeded most. Return whether there is one."""
        pulls = [row for row in self.stops if side[row] * self.state.lam[row] < 0.0]
        for row in pulls:
            side[row] = 0
        if pulls:
            return True
        for row in self.stops:
            self._hold(row, BY_FORCE)
        free = [ContactSide(row, s) for row in self.stops if not side[row] for s in (1, -1)]
        depth = self.contact_rows.penetrations(self.state, free, self.evaluator)
        if not free or float(np.max(depth)) <= BEYOND:
            return False
        worst = free[int(np.argmax(depth))]
        side[worst.row] = worst.side
        return True

    def _available(self, row: int, side: int) -> int:
        """The side, or 0 if the stop has no limit there."""
        values = self.contact_rows.element(row).values
        limit = values["upper"] if side > 0 else values["lower"]
        return 0 if abs(limit) >= OPEN_LIMIT else side

    def _hold(self, row: int, how: int) -> None:
        s = self.system
        first = s.parameter0[self.contact_rows.elements[row]]
        s.parameters[first : first + RigidStop.size].view(RigidStop.dtype)[0]["held"] = how
