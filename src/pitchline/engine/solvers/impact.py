"""Impact of rigid teeth and stops: speeds change instantaneously.

    M (v+ - v-) + B^T L = 0,    B v+ + Phi_t = 0  for joints and drives,
    L >= 0,   u+ + e u- <= 0,   L (u+ + e u-) = 0  for contacts,

with impulses L and approach speeds u. e is the coefficient of restitution (Newton) of a contact that closes, and 0 for one
that is closed already or that opens. This is a linear complementarity problem in L (Moreau). Momentum is exact: every impulse
acts on both parts. If all coefficients are equal, energy is never gained. If different coefficients would increase it, the
smallest of them applies to all contacts of this impact. The column of a tooth's impulse is that of its force, including the
separating component.

A contact with e < 1 that a force would close again within REST of a step closes without rebound. Otherwise the number of
impacts would be infinite.
"""

from dataclasses import dataclass, field

import numpy as np

from pitchline.errors import SolveError, listed

from ..compile.rank import Evaluator
from ..compile.system import State, System
from .consistent import (
    CLOSED,
    ContactRows,
    ContactSide,
    MassFactors,
    SingularMotionError,
    consistent_accelerations,
    held,
    project_velocities,
)
from .switching import pushing

__all__ = ["dependent", "jam", "jam_message", "shared_message"]


# ---- jammed

# Jammed mechanisms: speeds of drives that no motion satisfies with the teeth and stops that are in contact.
#
# The rates of all rows are B v + c, with the imposed rates c. A motion has B v + c = 0 for joints and drives, and may
# only leave the contacts: B v + c + s = 0 with s >= 0 in the direction of their side. The mechanism is jammed if the
# least residual of these equations is not zero. The residual then is a combination of rows that contradict each
# other, which gives their names.

CONTRADICTS = 1e-6
"""Residual relative to the largest imposed rate, above which no motion satisfies the rows; and the part of a row in it."""
DEPENDENT = 1e-9
"""Singular value of rows of unit length that counts as zero."""
LARGEST = 1500
"""Largest number of rows and coordinates for which this is examined."""
NAMED = 8


def jam(
    system: System, state: State, rows: ContactRows, contacts: list[ContactSide], *, at_speed: bool = False
) -> list[str]:
    """Names of the parts that contradict each other at a state with these contacts closed; empty if there is a motion.

    at_speed: the speeds of the state satisfy the rows; examine the accelerations."""
    from scipy.optimize import nnls

    if system.n > LARGEST or not system.layout.driven.size:
        return []
    moved = state.copy()
    moved.lam[:] = rows.closing(contacts)
    if not at_speed:
        moved.v[:] = 0.0
    evaluator = Evaluator(system)
    imposed = evaluator.convective(moved) if at_speed else evaluator.rates(moved)
    B, size, which = _rows(system, state, rows, contacts)
    closed = {system.layout.equation[c.row]: float(c.side) for c in contacts}
    c = imposed[which - system.n_q] / size
    most = float(np.max(np.abs(c), initial=0.0))
    if most == 0.0 or not np.isfinite(most) or not np.all(np.isfinite(B)):
        return []
    apart = [(k, closed[i]) for k, i in enumerate(which) if i in closed]
    slack = np.zeros((len(c), len(apart)))
    for column, (k, side) in enumerate(apart):
        slack[k, column] = side
    whole = np.hstack([B, -B, slack])
    try:
        x, _ = nnls(whole, -c / most)
    except RuntimeError:  # its iterations do not end: unknown
        return []
    residual = whole @ x + c / most
    worst = float(np.max(np.abs(residual), initial=0.0))
    if worst < CONTRADICTS:
        return []
    return _names(system, which[np.abs(residual) > 1e-3 * worst])


def dependent(system: System, state: State, rows: ContactRows, contacts: list[ContactSide]) -> list[str]:
    """Names of the parts that constrain the same motion at a state with these contacts closed."""
    if system.n > LARGEST:
        return []
    B, _, which = _rows(system, state, rows, contacts)
    left, sizes, _ = np.linalg.svd(B)
    rank = int(np.sum(sizes > DEPENDENT))
    return _names(system, which[np.any(np.abs(left[:, rank:]) > 1e-3, axis=1)])


def _rows(
    system: System, state: State, rows: ContactRows, contacts: list[ContactSide]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows of unit length, their lengths, their equations) of joints, drives and these contacts."""
    nq = system.n_q
    _, K = Evaluator(system).tangent(state, mass=1.0, moving=False, lam=rows.closing(contacts), small_as_array=True)
    K = K if isinstance(K, np.ndarray) else K.toarray()
    closed = {system.layout.equation[c.row] for c in contacts}
    apart = {system.layout.equation[row] for row in rows.rows} - closed
    which = np.array([i for i in range(nq, system.n) if i not in apart], np.int64)
    B = K[which][:, :nq] / system.layout.weight[:nq]
    size = np.linalg.norm(B, axis=1)
    given = (size > 0.0) & np.isfinite(size)
    return B[given] / size[given, None], size[given], which[given]


def _names(system: System, equations: np.ndarray) -> list[str]:
    """Names of the elements of these equations."""
    multiplier = {int(i): l for l, i in enumerate(system.layout.equation) if i >= 0}
    return list(dict.fromkeys(system.row_owner(multiplier[int(i)]).name for i in equations))


def jam_message(system: System, names: list[str], t: float) -> str:
    """What is wrong, and what to change."""
    return (
        f'dynamics of model "{system.model.name}" stopped at t = {t:g} s: the mechanism is jammed. {listed(names, most=NAMED)} '
        "require motions that contradict each other. Remove one of them, or apply a torque or a force instead of a prescribed "
        "motion, or use Elastic teeth"
    )


def shared_message(system: System, names: list[str], t: float) -> str:
    """Parts in contact that constrain the same motion: their forces are not determined."""
    return (
        f'dynamics of model "{system.model.name}" stopped at t = {t:g} s: {listed(names, most=NAMED)} constrain the same motion '
        "while they are in contact, so that their forces are not determined. Use Elastic teeth, or apply a torque or a force "
        "instead of a prescribed motion"
    )


AT_REST = 1e-11
"""Speed after an impact, relative to the largest speed before it, that counts as zero."""
REST = 0.01
"""A contact that would come back within this fraction of a step closes without rebound."""
UNSATISFIED = 1e-7
"""Approach speed that an impact leaves, relative to the largest speed before it, at which parts may contradict each other."""
MOST_SETS = 100
"""Number of sets of closed contacts that are tried, in addition to ten for each contact."""
GAIN = 1e-10
"""Increase of the energy in an impact, relative to the energy of the impulses, that counts as rounding."""
MOST_GAIN = 1e-2
"""The same, relative to this energy and that of the motion, at which a run ends. Rigid teeth whose centres move have a radial force
that their constraint does not contain: their impacts change the energy by up to 0.1 % where wheels part."""


@dataclass
class Struck:
    """Result of an impact."""

    lost: float = 0.0
    """Energy that is lost [J]."""
    put_in: float = 0.0
    """Energy that drives supply [J]."""
    impulses: dict[ContactSide, float] = field(default_factory=dict)
    """Impulse of each contact that closes, positive [N*s, N*m*s]."""
    closed: list[ContactSide] = field(default_factory=list)
    """Contacts that are closed afterwards."""


class Impact:
    """Impact at a state. closed: contacts that are closed already; closing: those that may close."""

    def __init__(
        self, system: System, rows: ContactRows, closed: list[ContactSide], closing: list[ContactSide]
    ) -> None:
        self.system, self.rows = system, rows
        self.contacts = closed + closing
        self.new = np.arange(len(self.contacts)) >= len(closed)
        self.side = np.array([c.side for c in self.contacts], float)
        self.restitution = np.array([rows.element(c.row).restitution for c in self.contacts]) * self.new
        mine = {c.row for c in self.contacts}
        self.others = [row for row in rows.rows if row not in mine]

    def apply(self, state: State, step: float, *, no_rebound: set[ContactSide] | None = None) -> Struck:
        """Speeds, accelerations and multipliers after the impact. no_rebound: contacts that close in any case."""
        e = self.restitution.copy()
        for i, c in enumerate(self.contacts):
            if no_rebound and c in no_rebound:
                e[i] = 0.0
        with self.rows.held_apart(self.others):
            self._assemble(state)
        result = self._solve(e)
        short = self._comes_back(state, result, e, step)
        if short.any():
            e[short] = 0.0
            result = self._solve(e)
        self._check(state)
        state.v[:] = self.after
        closed = [
            c
            for i, c in enumerate(self.contacts)
            if abs(self.rebound[i]) <= AT_REST * self.fastest or (no_rebound and c in no_rebound)
        ]
        result.closed = settle(self.system, self.rows, state, closed)
        return result

    def _check(self, state: State) -> None:
        """Raise an error if no speeds satisfy joints, drives and contacts: impulses between drives move nothing."""
        moved = state.copy()
        moved.v[:] = self.after
        with self.rows.held_apart(self.others):
            left = self.rows.speeds(moved, self.contacts, Evaluator(self.system))
            most = UNSATISFIED * max(self.fastest, float(np.max(np.abs(self.speed), initial=0.0)))
            names = []
            if not np.all(left <= most):
                names = jam(self.system, state, self.rows, self.contacts)
        if names:
            raise SolveError(jam_message(self.system, names, state.t), time=state.t)
        if not np.all(np.isfinite(self.after)):
            struck = listed(dict.fromkeys(self.rows.element(c.row).name for c in self.contacts))
            raise SolveError(
                f"the impact of {struck} at t = {state.t:g} s has no solution: its impulses are not numbers. Check masses and "
                "inertias of these parts, or use Elastic teeth",
                time=state.t,
            )

    def _assemble(self, state: State) -> None:
        """Mass matrix with all constraints; response of the speeds to the impulses of the contacts."""
        s, nq = self.system, self.system.n_q
        evaluator = Evaluator(s)
        lam = self.rows.closing(self.contacts)
        _, K = evaluator.tangent(state, mass=1.0, moving=False, lam=lam, small_as_array=True)
        K = held(s, K)
        c = np.array([self.rows.equation(x) for x in self.contacts], np.int64)
        rest = np.setdiff1d(np.arange(s.n), c)
        self.M = K[:nq, :nq]
        moved = state.copy()
        moved.lam[:] = lam
        rates = evaluator.rates(moved)
        moved.v[:] = 0.0
        imposed = evaluator.rates(moved)
        factors = MassFactors(s, K[rest][:, rest])
        columns = K[:, c] if isinstance(K, np.ndarray) else K[:, c].toarray()
        self.B = K[c, :nq] if isinstance(K, np.ndarray) else K[c, :nq].toarray()
        X = (
            np.column_stack([factors.solve(columns[rest, i]) for i in range(len(c))])
            if len(c)
            else np.zeros((len(rest), 0))
        )
        right = np.zeros(s.n)
        right[nq:] = -rates
        first = factors.solve(right[rest])
        self.before, self.t = state.v.copy(), state.t
        self.start = state.v + first[:nq]
        self.response = X[:nq] * self.side
        self.held_rows = first[nq:], X[nq:] * self.side, imposed[rest[nq:] - nq]
        self.speed = self.side * (rates[c - nq] + self.B @ first[:nq])
        self.W = (self.side[:, None] * self.B) @ self.response
        self.scale = s.layout.lam_scale[[x.row for x in self.contacts]]
        # speeds of the parts, not only their difference: contacts at rest differ by rounding errors of these
        self.fastest = float(np.max(np.abs(self.B) @ np.abs(self.before), initial=1e-300))

    def _solve(self, e: np.ndarray) -> Struck:
        """Impulses for these coefficients. If the energy would increase: the smallest of them, or none."""
        acting = (self.speed > 0.0) & self.new
        smallest = np.full_like(e, float(np.min(e[acting], initial=1.0)))
        for chosen in (e, np.minimum(e, smallest), np.zeros_like(e)):
            impulse = pushing(self.W, (1.0 + np.where(acting, chosen, 0.0)) * self.speed)
            self.after = self.start - self.response @ impulse
            self.rebound = self.speed - self.W @ impulse
            energy = 0.5 * float(self.before @ (self.M @ self.before) - self.after @ (self.M @ self.after))
            first, more, imposed = self.held_rows
            put_in = float((first - more @ impulse) @ imposed)
            exchanged = float(np.sum(impulse * np.abs(self.speed)))
            if energy + put_in >= -GAIN * exchanged:
                break
        self._check_gain(-energy - put_in, exchanged)
        for i in np.flatnonzero((impulse > 0.0) & (np.where(acting, chosen, 0.0) == 0.0)):
            self.rebound[i] = 0.0  # to rounding
        impulses = {
            c: float(impulse[i] * self.scale[i]) for i, c in enumerate(self.contacts) if acting[i] and impulse[i] > 0
        }
        return Struck(energy + put_in, put_in, impulses)

    def _check_gain(self, gained: float, exchanged: float) -> None:
        """Raise an error if the impulses increase the energy by more than rounding."""
        before = 0.5 * float(self.before @ (self.M @ self.before))
        if gained > MOST_GAIN * (exchanged + before):
            struck = listed(dict.fromkeys(self.rows.element(c.row).name for c in self.contacts))
            raise SolveError(
                f"the impact of {struck} at t = {self.t:g} s would increase the energy by {gained:.3g} J of {before:.3g} J: "
                "its impulses are not found. Use Elastic teeth or stops with a stiffness",
                time=self.t,
            )

    def _comes_back(self, state: State, result: Struck, e: np.ndarray, step: float) -> np.ndarray:
        """Contacts that rebound and would close again within REST of a step, because a force presses them together."""
        leaving = (self.rebound < -AT_REST * self.fastest) & self.new & (e > 0.0) & (e < 1.0)
        short = np.zeros(len(e), bool)
        if not leaving.any():
            return short
        s = self.system
        after = state.copy()
        after.v[:] = self.after
        stays = [c for i, c in enumerate(self.contacts) if abs(self.rebound[i]) <= AT_REST * self.fastest]
        settle(s, self.rows, after, stays)
        moved = after.copy()
        moved.lam[:] = self.rows.closing(self.contacts)
        with self.rows.held_apart(self.others):
            bends = Evaluator(s).convective(moved)
        for i in np.flatnonzero(leaving):
            towards = self.side[i] * (self.B[i] @ after.vd + bends[self.rows.equation(self.contacts[i]) - s.n_q])
            short[i] = towards > 0.0 and -2.0 * self.rebound[i] < REST * towards * step
        return short


def settle(system: System, rows: ContactRows, state: State, closed: list[ContactSide]) -> list[ContactSide]:
    """Accelerations and multipliers with these contacts closed. One that would have to pull is released; one that was released
    and would then penetrate is closed again. Return the contacts that stay closed."""
    now, tried = list(closed), set()
    while True:
        mine = {c.row for c in now}
        with rows.held_apart([row for row in rows.rows if row not in mine]):
            try:
                consistent_accelerations(system, state, rows.closing(now))
            except SingularMotionError as error:
                raise _undetermined(system, rows, state, now) or error from None
        tried.add(frozenset(now))
        if len(tried) > MOST_SETS + 10 * len(closed):
            names = listed(dict.fromkeys(rows.element(c.row).name for c in closed))
            raise SolveError(
                f"contact at t = {state.t:g} s: which of {names} stay closed is not found after {len(tried)} attempts. Use "
                "Elastic teeth or stops with a stiffness",
                time=state.t,
            )
        pulls = [c for c in now if c.side * state.lam[c.row] < 0.0]
        if pulls:
            worst = min(pulls, key=lambda c: c.side * state.lam[c.row] / rows.element(c.row).closing_force)
            now = [c for c in now if c != worst]
            continue
        back = _penetrating(system, rows, state, [c for c in closed if c not in now])
        if back is None or frozenset([*now, back]) in tried:
            return now
        now = [*now, back]


def _undetermined(system: System, rows: ContactRows, state: State, now: list[ContactSide]) -> SolveError | None:
    """Accelerations are singular with these contacts closed: the error that names the parts, if the contacts are the reason."""
    if not now:
        return None
    names = jam(system, state, rows, now, at_speed=True)
    if names:
        return SolveError(jam_message(system, names, state.t), time=state.t)
    names = dependent(system, state, rows, now)
    return SolveError(shared_message(system, names, state.t), time=state.t) if names else None


def _penetrating(system: System, rows: ContactRows, state: State, released: list[ContactSide]) -> ContactSide | None:
    """The released contact with the largest acceleration towards contact, if there is one."""
    if not released:
        return None
    evaluator = Evaluator(system)
    later = state.copy()
    dt = 1e-6
    system.displace(later, dt * state.v + 0.5 * dt * dt * state.vd)
    later.v += dt * state.vd
    towards = (rows.speeds(later, released, evaluator) - rows.speeds(state, released, evaluator)) / dt
    worst = int(np.argmax(towards))
    return released[worst] if towards[worst] > 1e-6 * float(np.max(np.abs(state.vd), initial=0.0)) else None


def start_moving(system: System, state: State) -> list[int]:
    """Consistent speeds, accelerations and multipliers at the start of a motion. Return the rows that are open.

    Contacts of the initial position that separate, or that rebound, are open. Others are closed, without an impact."""
    rows = ContactRows(system)
    if rows.rows:
        with rows.held_apart(rows.rows):
            project_velocities(system, state)
        closed = touching(system, rows, state)
        mine = {c.row for c in closed}
        with rows.held_apart([row for row in rows.rows if row not in mine]):
            project_velocities(system, state, lam=rows.closing(closed))
    else:
        project_velocities(system, state)
    return balance_motion(system, state)


def balance_motion(system: System, state: State) -> list[int]:
    """Accelerations and multipliers of consistent positions and speeds. Return the rows that are open."""
    rows = ContactRows(system)
    if not rows.rows:
        consistent_accelerations(system, state)
        return []
    closed = {c.row for c in settle(system, rows, state, touching(system, rows, state))}
    return [row for row in rows.rows if row not in closed]


def touching(system: System, rows: ContactRows, state: State) -> list[ContactSide]:
    """Contacts that are closed at a state: those that touch, except if they separate or rebound."""
    evaluator = Evaluator(system)
    both = [ContactSide(row, side) for row in rows.rows for side in (1, -1)]
    depth = rows.penetrations(state, both, evaluator)
    speed = rows.speeds(state, both, evaluator)
    slow = AT_REST * max(float(np.max(np.abs(speed), initial=0.0)), float(np.max(np.abs(state.v), initial=0.0)))
    found = []
    for i, c in enumerate(both):
        rebounds = speed[i] > slow and rows.element(c.row).restitution > 0.0
        if depth[i] > -CLOSED and speed[i] >= -slow and not rebounds:
            found.append(c)
    return found
