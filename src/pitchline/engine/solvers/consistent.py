"""Consistent initial values: positions, velocities, accelerations and multipliers that satisfy the equations, with contacts.

Corrections are the smallest in the metric of the masses:

    [M B^T; B 0] (dq, mu) = -(0, Phi),   [M B^T; B 0] (dv, mu) = -(0, B v + Phi_t),
    [M B^T; B 0] (dv/dt, lambda) = -(f, d(B v + Phi_t)/dt at constant v)

Own coordinates of order 1 have no mass. Their rows define their rates y'; y'' is their change along the motion.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from pitchline.errors import ModelError, SolveError
from pitchline.parts.friction.kernel_sticking import ALONE, DRIVEN, LIMIT0, MODE, ROOT, SHARED, STICKS, UNLIMITED
from pitchline.parts.meshes.kernel import GEAR_MESH
from pitchline.parts.meshes.kernel_sticking import STICKING_MESH

from ..compile.rank import Evaluator, Rank, find_redundant, no_multipliers
from ..compile.system import State, System
from ..elements.contract import Element
from .linear import diagonal_like, factors_of, row_of
from .switching import MOST_CHOICES, TOGETHER, choose_laws, combinations, one_change, rows_of_laws

__all__ = ["forces_with_stiffness", "quasi_static_velocities", "path_accelerations"]


# ---- contacts

# Rows that open and close: rigid teeth with backlash, rigid stops.
#
# A contact is a row and a side: 1 for the drive flank or the upper limit, -1 for the other. Its penetration and its
# approach speed are the row and its rate times the side. Positive means towards the other part.

CLOSED = 1e-9
"""Largest gap of a closed contact, in radians or as a fraction of the length of the model."""
TOUCH = 1e-12
"""Distance at which two parts are in contact, in radians or as a fraction of the length of the model."""


class ContactSide(NamedTuple):
    """One side of a row that opens and closes."""

    row: int
    """Index of its multiplier."""
    side: int


class ContactRows:
    """Rows of a system that can be opened and closed."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.elements: dict[int, int] = {}
        """Element of every row."""
        for e, element in enumerate(system.elements[: system.active]):
            if element.apart is not None:
                rows = [int(system.lam0[e]) + i for i in element.opening_rows]
                self.elements |= {row: e for row in rows if system.layout.equation[row] >= 0}

    @property
    def rows(self) -> list[int]:
        return list(self.elements)

    def element(self, row: int) -> Element:
        return self.system.elements[self.elements[row]]

    @contextmanager
    def held_apart(self, rows: list[int]) -> Iterator[None]:
        """Within the context these rows stay open, at any position."""
        s = self.system
        spans = [
            (slice(s.parameter0[e], s.parameter0[e] + s.elements[e].parameters.size), s.elements[e].apart)
            for e in {self.elements[row] for row in rows}
        ]
        kept = [s.parameters[span].copy() for span, _ in spans]
        for span, apart in spans:
            s.parameters[span] = apart
        try:
            yield
        finally:
            for (span, _), values in zip(spans, kept, strict=True):
                s.parameters[span] = values

    def closing(self, contacts: list[ContactSide]) -> np.ndarray:
        """Multipliers with which these contacts are closed at any position, and zeros."""
        lam = np.zeros(max(self.system.n_lam, 1))
        for c in contacts:
            lam[c.row] = c.side * self.element(c.row).closing_force
        return lam

    def penetrations(self, state: State, contacts: list[ContactSide], evaluator: Evaluator) -> np.ndarray:
        """Penetration of each contact, in radians or as a fraction of the length of the model. Negative: a gap."""
        found = np.zeros(len(contacts))
        for side in (1, -1):
            mine = [i for i, c in enumerate(contacts) if c.side == side]
            if not mine:
                continue
            evaluator.place(state, moving=False, lam=self.closing([contacts[i] for i in mine]))
            for i in mine:
                e = self.elements[contacts[i].row]
                k = contacts[i].row - int(self.system.lam0[e])
                size = 1.0 if self.system.elements[e].rows[k] == "r" else self.system.length
                found[i] = side * evaluator.element_rows(e)[0][k] / size
        return found

    def speeds(self, state: State, contacts: list[ContactSide], evaluator: Evaluator) -> np.ndarray:
        """Approach speed of each contact, in the scale of the equations."""
        found = np.zeros(len(contacts))
        if not contacts:
            return found
        moved = state.copy()
        for side in (1, -1):
            mine = [i for i, c in enumerate(contacts) if c.side == side]
            if mine:
                moved.lam[:] = self.closing([contacts[i] for i in mine])
                rates = evaluator.rates(moved)
                for i in mine:
                    found[i] = side * rates[self.equation(contacts[i]) - self.system.n_q]
        return found

    def equation(self, contact: ContactSide) -> int:
        return int(self.system.layout.equation[contact.row])


# ---- rates

# Velocities of a quasi-static motion.


def quasi_static_velocities(system: System, state: State) -> np.ndarray:
    """dq/dt of the equilibrium that follows loads and drives in time: [K B^T; B 0] (dq/dt, dlam/dt) = -(dr/dt, Phi_t).

    Loads are differentiated by a central difference in time. Directions without stiffness stay at rest, also if a load changes
    along them: a very small mass makes the equations regular, and `forces_with_stiffness` removes these loads. Teeth within
    their backlash are an example.
    """
    evaluator = Evaluator(system)
    nq = system.n_q
    at_rest = state.copy()
    at_rest.v[:] = 0.0
    e = 1e-6 * max(1.0, abs(state.t))
    sides = []
    for sign in (1, -1):
        moved = at_rest.copy()
        moved.t = state.t + sign * e
        sides.append(evaluator.residual(moved, moving=False))
    of_loads, of_drives = np.zeros((2, system.n))
    of_loads[:nq] = -(sides[0] - sides[1])[:nq] / (2 * e)
    of_drives[nq:] = -evaluator.rates(at_rest)
    _, K = evaluator.tangent(state, mass=0.0, stiffness=1.0, moving=False, small_as_array=True)
    _, M = evaluator.tangent(state, mass=1.0, moving=False, small_as_array=True)
    trace = 1e-10 * max(
        float(abs(K.diagonal()[:nq]).max(initial=0.0)), 1e-6 * float(M.diagonal()[:nq].max(initial=0.0))
    )
    trace /= max(float(M.diagonal()[:nq].max(initial=0.0)), 1e-300)
    _, A = evaluator.tangent(state, mass=trace, stiffness=1.0, moving=False, small_as_array=True)
    try:
        factors = factors_of(A)
        if of_loads.any():
            of_loads = forces_with_stiffness(factors, trace, M, of_loads, nq)
        x: np.ndarray = factors.solve(of_drives + of_loads)[:nq]
    except RuntimeError:
        return np.zeros(nq)
    return x if np.all(np.isfinite(x)) else np.zeros(nq)


def forces_with_stiffness(factors: Any, masses: float, M: Any, b: np.ndarray, nq: int) -> np.ndarray:
    """Forces b (n,) without their part in directions that only the small masses resist.

    factors: of [K + masses M, B^T; B, 0]. A mode of the stiffness k keeps the fraction k/(k + masses) of its force, that is all
    of it or nothing.
    """
    kept = b.copy()
    for _ in range(2):  # the second time removes the rounding error of the first
        x = factors.solve(kept)
        x[nq:] = 0.0
        kept[:nq] -= masses * (M @ x)[:nq]
    return kept


# ---- shared loads

# Inertia of the coordinates of elements that switch, which of them can hold the same motion, and how they share its
# load.
#
# With the matrix of masses and constraints, the response of the coordinate of element i to a unit effort of element j
# is
#
# W_ij = g_i (M^-1 restricted by the constraints) g_j ,
#
# so that 1/W_ii is the inertia of a coordinate. A coordinate that depends on the others has no own part in W.
# Contacts that may close (teeth with backlash, stops) count as closed for that.

REGULAR = 1e-9
"""Relative compliance of constraints, which makes redundant rows harmless."""
OWN = 1e-6
"""Part of the response of a coordinate that is its own, below which it depends on others."""
SMALLEST = 1e-6
"""Smallest limit, relative to the largest, by which loads are shared."""


def law_parameters(system: System, e: int) -> np.void | None:
    """Parameters of an element that switches, by name; None without a scale of its row."""
    element = system.elements[e]
    first, kind = int(system.parameter0[e]), element.kind.parameters
    if not element.switches or "reference" not in (kind.dtype.names or ()):
        return None
    found: np.void = system.parameters[first : first + kind.size].view(kind.dtype)[0]
    return found


def scale_laws(system: System, state: State) -> None:
    """Set the inertia that scales the rows of elements that switch, and whether they share their loads with others."""
    mine = [e for e in range(len(system.elements)) if law_parameters(system, e) is not None]
    rows = ContactRows(system).rows
    if not mine or (len(mine) == 1 and not rows):
        return
    inertia = _responses(system, state, mine, np.zeros(max(system.n_lam, 1)))
    closed = ContactRows(system).closing([ContactSide(row, 1) for row in rows])
    bound = inertia if not rows else _responses(system, state, mine, closed)
    dependent = np.ones(len(mine), bool) if inertia is None or bound is None else _dependent(bound, inertia)
    for k, e in enumerate(mine):
        response = 0.0 if inertia is None else float(inertia[k, k])
        for values in (law_parameters(system, e), _apart(system, e)):
            if values is not None:
                if response > 0.0 and np.isfinite(response):
                    values["reference"] = 1.0 / response
                values["compliance"] = SHARED if dependent[k] else ALONE


def _apart(system: System, e: int) -> np.void | None:
    """Parameters of the element while its contact is held open."""
    element = system.elements[e]
    if element.apart is None:
        return None
    kind = element.kind.parameters
    found: np.void = element.apart[: kind.size].view(kind.dtype)[0]
    return found


def _responses(system: System, state: State, mine: list[int], lam: np.ndarray) -> np.ndarray | None:
    """W; None if masses and constraints are singular."""
    trial = state.copy()
    laws = [int(system.lam0[e]) + system.elements[e].firm for e in mine]
    for e in mine:
        memory = trial.mem[int(system.mem0[e]) + system.elements[e].law_place :]
        memory[MODE], memory[DRIVEN] = STICKS, 0.0
    _, K = Evaluator(system).tangent(trial, mass=1.0, moving=False, lam=lam, small_as_array=True)
    if system.own.first_order.size:  # coordinates without mass do not move
        fixed = np.zeros(system.n)
        fixed[system.own.first_order] = 1.0
        K = K + diagonal_like(K, fixed)
    own = np.array([int(system.layout.equation[l]) for l in laws])
    if np.any(own < 0):
        return None
    shift = np.zeros(system.n)
    live = np.flatnonzero(system.layout.equation >= 0)
    shift[system.layout.equation[live]] = -REGULAR * system.layout.lam_scale[live]
    rest = np.setdiff1d(np.arange(system.n), own)
    try:
        factors = factors_of((K + diagonal_like(K, shift))[rest][:, rest])
        X = np.column_stack([factors.solve(_dense(K[rest][:, own])[:, i]) for i in range(len(own))])
    except RuntimeError:
        return None
    scale = system.layout.lam_scale[laws]
    W: np.ndarray = _dense(K[own][:, rest]) @ X / scale / scale[:, None]
    return W if np.all(np.isfinite(W)) else None


def _dense(block: Any) -> np.ndarray:
    found: np.ndarray = block if isinstance(block, np.ndarray) else block.toarray()
    return found


def _dependent(W: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Whether each coordinate depends on the others or on closed contacts. free: W with open contacts."""
    size, most = np.diag(W), np.diag(free)
    found: np.ndarray = ~(size > OWN * np.abs(most))
    left = np.flatnonzero(~found)
    root = np.sqrt(size[left])
    unit = W[np.ix_(left, left)] / root / root[:, None]
    found[left] = 1.0 / np.diag(np.linalg.inv(unit + 1e-3 * OWN * np.eye(len(left)))) < OWN
    return found


def shares(system: System, evaluator: Evaluator, rows: list[int]) -> np.ndarray:
    """A very small compliance of rows that stick, as an addition to the diagonal of the matrix (n,): smaller for elements with
    larger limits at the evaluated state. The inertia of a coordinate makes those of different coordinates comparable."""
    found = np.zeros(system.n)
    sticking, limits = [], []
    for e, element in enumerate(system.elements):
        if element.switches and not element.passive:
            l = int(system.lam0[e]) + element.firm
            if int(system.layout.equation[l]) in rows:
                sticking.append((e, l))
                limits.append(_limit(evaluator, e))
    known = [x for x in limits if 0.0 <= x < UNLIMITED]
    most = max(known, default=0.0)
    for (e, l), limit in zip(sticking, limits, strict=True):
        part = 1.0 if most <= 0.0 or not 0.0 <= limit < UNLIMITED else max(limit / most, SMALLEST)
        values = law_parameters(system, e)
        inertia = float(system.layout.lam_scale[l]) if values is None else float(values["reference"])
        compliance = SHARED / part if values is None or values["compliance"] > ALONE else ALONE
        found[int(system.layout.equation[l])] = -compliance * system.layout.lam_scale[l] ** 2 / inertia
    return found


def _limit(evaluator: Evaluator, e: int) -> float:
    """Largest effort at rest of an element, over the root of its inertia; negative if unknown."""
    scratch = evaluator.work.scratch_of(e)
    if "step" not in (scratch.dtype.names or ()):
        return -1.0
    step = scratch["step"]
    limit, root = float(step[LIMIT0]), float(step[ROOT])
    return UNLIMITED if limit >= UNLIMITED else (limit / root if root > 0.0 else -1.0)


POSITION_TOLERANCE = 1e-12
"""Largest violation of closed constraints, divided by the length of the model."""
CLOSED_AGAIN = 1e-6
"""Largest correction of positions (rad, or fraction of the model length) after a change of the kept constraints during a run."""
CONTRADICTION = 1e-4
"""A larger constraint violation cannot be explained by rounding or small misplacements of redundant joints."""


def displace(system: System, state: State, dq: np.ndarray) -> None:
    """Move a state by increments of its coordinates."""
    system.displace(state, dq)


class Gap(NamedTuple):
    """Violation of a constraint element."""

    size: float  # in radians, or as a fraction of the length of the model
    name: str
    text: str  # with its unit


def gaps(system: System, state: State, *, redundant_only: bool = False, load: float = 1.0) -> list[Gap]:
    """Largest violation of every active constraint element, largest first."""
    evaluator = Evaluator.passing(system)
    evaluator.place(state, moving=False, load=load, lam=no_multipliers(system))
    left_out = set(system.redundant.tolist())
    idle = set() if system.plane is None else set(system.plane.left_out.tolist())
    found = []
    for e in range(system.active):
        element = system.elements[e]
        soft = element.soft_rows
        phi = evaluator.element_rows(e)[0] if not all(soft) else ()
        worst = Gap(0.0, element.name, "")
        for i, (value, row) in enumerate(zip(phi, element.rows, strict=False)):
            size, unit = (abs(value) / system.length, "m") if row == "t" else (abs(value), "rad")
            l = int(system.lam0[e]) + i
            if size > worst.size and not soft[i] and l not in idle and (l in left_out or not redundant_only):
                worst = Gap(size, element.name, f"{abs(value):.3g} {unit}")
        found.append(worst)
    return sorted(found, reverse=True)


def contradiction(system: System, state: State) -> str | None:
    """Name of a redundant constraint that is still open: it contradicts the others."""
    if not system.redundant.size:
        return None
    worst = gaps(system, state, redundant_only=True)[0]
    return worst.name if worst.size > CONTRADICTION else None


def assemble_positions(system: System, state: State, *, load: float = 1.0) -> Rank:
    """Close the constraints, find the redundant ones, and make the layout of the system without them.

    load = 0: drives do not move (statics moves them to their targets later)."""
    if not system.n_lam_active:
        if system.own.condensed_count:
            system.commit(state)
        return Rank(np.zeros(0, np.int64), [])
    # first with all rows: a very small compliance makes redundant rows harmless
    _close(system, state, compliance=1e-9, load=load)
    # the remaining gap is misplacement: rows that differ by no more than that constrain the same motion
    worst = gaps(system, state, load=load)[0]
    system.rank_tolerance = max(system.rank_tolerance, min(10 * worst.size, 1e-3))
    rank = find_redundant(system, state)
    if rank.redundant.size:
        system.relayout(rank.redundant)
        _close(system, state, compliance=0.0, load=load)
        worst = gaps(system, state, load=load)[0]
    if worst.size > CONTRADICTION:
        raise ModelError(
            f'the mechanism cannot be assembled: "{worst.name}" stays open by {worst.text}; check its frames and the positions '
            "of the bodies it connects, or remove a joint that contradicts the others"
        )
    system.commit(state)
    return rank


def _close(system: System, state: State, *, compliance: float, load: float) -> None:
    evaluator = Evaluator.passing(system)
    nq = system.n_q
    scale = system.layout.lam_scale[np.flatnonzero(system.layout.equation >= 0)]
    weight = system.layout.row_weight
    largest = np.inf
    for iteration in range(60):
        r, K = evaluator.tangent(
            state, mass=1.0, load=load, moving=False, lam=np.zeros_like(state.lam), small_as_array=True
        )
        violation = float(np.max(np.abs(r[nq:]) / scale * weight, initial=0.0))
        if violation < POSITION_TOLERANCE or (iteration > 3 and violation < 1e-10 and violation > 0.3 * largest):
            return
        largest = min(largest, violation)
        shift = np.concatenate([np.zeros(nq), -compliance * scale])
        # bodies without mass on a coordinate are moved as if they had a small mass
        d = K.diagonal()[:nq]
        shift[:nq] = np.where(d <= 0, 1e-6 * max(float(d.max(initial=0.0)), 1e-12), 0.0)
        try:
            x = factors_of(K + diagonal_like(K, shift)).solve(-np.concatenate([np.zeros(nq), r[nq:]]))
        except RuntimeError:
            return
        step = float(np.max(np.abs(x[:nq]) * system.layout.weight[:nq], initial=0.0))
        if not np.isfinite(step):
            return
        displace(system, state, x[:nq] * min(1.0, 0.5 / max(step, 1e-300)))


def close_again(system: System, state: State) -> bool:
    """After a change of the kept constraints during a run: move positions onto the constraints. False, and the state is
    invalid, if the correction is larger than rounding can explain."""
    before = state.pose.copy()
    _close(system, state, compliance=0.0, load=1.0)
    moved = float(np.max(np.abs(state.pose - before)[:, :3], initial=0.0)) / system.length
    turned = float(np.max(np.abs(state.pose - before)[:, 3:], initial=0.0))
    return max(moved, turned) < CLOSED_AGAIN


def project_velocities(system: System, state: State, *, lam: np.ndarray | None = None) -> None:
    """Smallest change of the velocities that satisfies the constraints. lam: multipliers, whose signs define which rows that
    can open are closed. Default 0."""
    if system.n == system.n_q:
        return
    evaluator = Evaluator.passing(system)
    if lam is None:
        lam = np.zeros_like(state.lam)
    _, K = evaluator.tangent(state, mass=1.0, moving=False, lam=lam, small_as_array=True)
    factors = MassFactors(system, held(system, K))
    for _ in range(2):
        x = factors.solve(-np.concatenate([np.zeros(system.n_q), evaluator.rates(state)]))
        state.v += x[: system.n_q]


def consistent_accelerations(system: System, state: State, start: np.ndarray | None = None) -> None:
    """Accelerations and multipliers from the equations of motion and the constraints on acceleration level.

    start: initial multipliers. Their signs define which rows that can open are closed."""
    evaluator = Evaluator.passing(system)
    choose_laws(evaluator, state)
    for k in range(MOST_CHOICES):
        _accelerations(evaluator, state, start)
        before = state.mem.copy()
        if not choose_laws(evaluator, state):
            return
        if k >= TOGETHER:
            one_change(system, state, before, k)
    for _ in combinations(system, state):
        before = state.mem.copy()
        _accelerations(evaluator, state, start)
        if not choose_laws(evaluator, state):
            return
        state.mem[:] = before
    several = sum(e.kind is STICKING_MESH for e in system.elements) > 1
    advice = ". Several rigid meshes that stick on one motion (planets) do not determine their loads; use Elastic teeth"
    raise SolveError(
        f"friction: no combination of sticking and slipping parts is in balance here{advice if several else ''}",
        time=state.t,
    )


def _accelerations(evaluator: Evaluator, state: State, start: np.ndarray | None) -> None:
    """`consistent_accelerations` with the present laws of elements that switch."""
    system = evaluator.system
    massless = system.own.first_order
    state.vd[:] = 0.0
    state.v[massless] = 0.0
    state.lam[:] = 0.0 if start is None else start
    convective = evaluator.convective(state)
    laws = rows_of_laws(system)
    more = np.zeros_like(state.lam)
    # separating force and friction of rigid teeth depend on the magnitude of their multiplier: linear if its sign is known
    by_teeth = any(e.firm or (e.rows and e.kind in (GEAR_MESH, STICKING_MESH)) for e in system.elements)
    several = len(laws) > 1
    times = 3 if massless.size or by_teeth else 1
    times = 2 * times if several else times
    for k in range(times):
        r, K = evaluator.tangent(state, mass=1.0, lam=state.lam, small_as_array=True)
        if not np.all(np.isfinite(r)):
            raise SolveError(_not_finite(evaluator), time=state.t)
        kept = [i for i in laws if not np.any(row_of(K, i, system.n_q))]  # slipping: the row is a law of the multiplier
        of_laws = r[kept]
        r[system.n_q :] = convective
        r[kept] = of_laws
        if len(kept) < len(laws):  # several that stick on one motion share their load
            compliance = shares(system, evaluator, [i for i in laws if i not in kept])
            K = K + diagonal_like(K, compliance)
            if k < times - 1:  # at last only the change yields, so that nothing moves
                r += compliance * _scaled_multipliers(system, state.lam)
        if massless.size:
            _, D = evaluator.tangent(state, mass=0.0, damping=1.0, lam=state.lam, small_as_array=True)
            K = _with_rates(system, K, D)
        factors = MassFactors(system, K)
        x = factors.solve(-r)
        x += factors.solve(-r - K @ x)
        if not np.all(np.isfinite(x)):
            raise SingularMotionError(_no_mass(system, K), time=state.t)
        store_multipliers(system, more, x)
        state.lam += more
        state.v[massless] += x[massless]
    state.vd[:] = x[: system.n_q]
    if massless.size:
        state.vd[massless] = 0.0
        state.vd[massless] = _change_of_rates(system, state, evaluator)


def held(system: System, K: Any) -> Any:
    """Mass matrix with fixed own coordinates of order 1, which have no mass."""
    massless = system.own.first_order
    if not massless.size:
        return K
    diagonal = np.zeros(system.n)
    diagonal[massless] = 1.0
    return K + diagonal_like(K, diagonal)


def _with_rates(system: System, M: Any, D: Any) -> Any:
    """Masses, and in the columns of own coordinates of order 1 the factors of their rates."""
    chosen = np.zeros(system.n)
    chosen[system.own.first_order] = 1.0
    return M @ diagonal_like(M, 1.0 - chosen) + D @ diagonal_like(D, chosen)


def _change_of_rates(system: System, state: State, evaluator: Evaluator) -> np.ndarray:
    """y'' of own coordinates of order 1: the change of their rates over a short motion."""
    massless = system.own.first_order
    _, D = evaluator.tangent(state, mass=0.0, damping=1.0, small_as_array=True)
    e = 1e-7 * max(1.0, abs(state.t))
    later = state.copy()
    later.t += e
    displace(system, later, e * state.v)
    later.v += e * state.vd
    change = evaluator.residual(later)[massless] - evaluator.residual(state)[massless]
    rates = D[np.ix_(massless, massless)] if isinstance(D, np.ndarray) else D.tocsc()[massless][:, massless].toarray()
    return np.linalg.solve(rates, -change / e)


def _scaled_multipliers(system: System, lam: np.ndarray) -> np.ndarray:
    """lambda-bar of the active rows, in the order of the unknowns; zero for coordinates."""
    found = np.zeros(system.n)
    live = np.flatnonzero(system.layout.equation >= 0)
    found[system.layout.equation[live]] = lam[live] / system.layout.lam_scale[live]
    return found


def store_multipliers(system: System, lam: np.ndarray, x: np.ndarray) -> None:
    """lambda = scale * lambda-bar of the active rows (s = 1)."""
    equation = system.layout.equation
    live = np.flatnonzero(equation >= 0)
    lam[live] = system.layout.lam_scale[live] * x[equation[live]]


class SingularMotionError(SolveError):
    """The matrix of masses and constraints is singular."""


class MassFactors:
    """Factors of the matrix of masses and constraints. SolveError if it is singular."""

    def __init__(self, system: System, K: Any) -> None:
        self._system, self._matrix = system, K
        try:
            self._factors = factors_of(K)
        except RuntimeError:
            raise self._singular() from None

    def solve(self, b: np.ndarray) -> np.ndarray:
        """Solution of the equations with this right-hand side."""
        try:
            x: np.ndarray = self._factors.solve(b)
        except RuntimeError:
            raise self._singular() from None
        return x

    def _singular(self) -> SolveError:
        return SingularMotionError(_no_mass(self._system, self._matrix), time=None)


def _not_finite(evaluator: Evaluator) -> str:
    """Name the element whose forces are not numbers at the current state."""
    system = evaluator.system
    for e in range(system.active):
        if not np.all(np.isfinite(evaluator.work.element(e)[0])):
            return (
                f'"{system.elements[e].name}" gives forces that are not numbers at the start: check its parameters and '
                "its position "
                "(if its two ends coincide, for example, its direction is undefined)"
            )
    return "forces at the start are not numbers: check the model for values that are too large"


def _no_mass(system: System, K: Any) -> str:
    d = K.diagonal()[: system.n_q]
    empty = np.flatnonzero(d <= 1e-14 * float(np.max(d, initial=0.0)))
    if empty.size:
        return (
            f"{system.unknown_name(int(empty[0]))} has no mass or inertia in a direction in which it can move; "
            "specify its mass and inertia, or constrain it with a joint"
        )
    return "the equations of motion are singular at the start: check masses, inertias and constraints"


# ---- path accelerations

# Accelerations of a quasi-static motion.
#
# The equilibrium r(q, lam, t) = 0 with the constraints Phi(q, t) = 0 is differentiated twice in time,
#
# [K B^T; B 0] (q'', lam'') = -(r'', d/dt(B q' + Phi_t)) ,
#
# r'' and the last term at constant velocities: differences along the motion.

_TURN = 1e-3
"""Motion between the positions that are compared, in radians or lengths of the model."""
_TIME = 1e-4
"""Largest time between them [s], and as a fraction of the time."""
_MASSES = 1e-10
"""Masses that make the equations regular, relative to the stiffness."""


def path_accelerations(system: System, state: State) -> np.ndarray:
    """d2q/dt2 of the motion through an equilibrium with its velocities. Zero if the equations have no solution."""
    nq = system.n_q
    if not np.any(state.v) and not system.layout.driven.size:
        return np.zeros(nq)
    evaluator = Evaluator(system)
    _, K = evaluator.tangent(state, mass=0.0, stiffness=1.0, moving=False, small_as_array=True)
    _, M = evaluator.tangent(state, mass=1.0, moving=False, small_as_array=True)
    masses = float(M.diagonal()[:nq].max(initial=0.0))
    share = _MASSES * max(float(abs(K.diagonal()[:nq]).max(initial=0.0)), 1e-6 * masses) / max(masses, 1e-300)
    _, A = evaluator.tangent(state, mass=share, stiffness=1.0, moving=False, small_as_array=True)
    try:
        factors = factors_of(A)
        of_drives = np.concatenate([np.zeros(nq), -evaluator.convective(state)])
        found = factors.solve(of_drives)[:nq]
        of_forces = np.zeros(system.n)
        of_forces[:nq] = -_second_rate(system, evaluator, state, factors)
        # forces move only what has stiffness: not parts that nothing but these masses resists, such as teeth within their
        # backlash
        more = factors.solve(forces_with_stiffness(factors, share, M, of_forces, nq))[:nq]
    except RuntimeError:
        return np.zeros(nq)
    a = found + more
    return a if np.all(np.isfinite(a)) else np.zeros(nq)


def _second_rate(system: System, evaluator: Evaluator, state: State, factors: Any) -> np.ndarray:
    """Second derivative in time of the forces at constant velocities and rates of the multipliers."""
    nq = system.n_q
    fastest = float(np.max(np.abs(state.v) * system.layout.weight[:nq], initial=0.0))
    e = min(_TURN / max(fastest, _TURN), _TIME * max(1.0, abs(state.t)))

    def forces(shift: float, rates: np.ndarray, *, moved: bool = True) -> np.ndarray:
        at = state.copy()
        at.v[:] = 0.0
        at.t = state.t + shift
        if moved:
            displace(system, at, shift * state.v)
            at.lam += shift * rates
        return evaluator.residual(at, moving=False)[:nq]

    rates = np.zeros_like(state.lam)
    still = state.copy()
    still.v[:] = 0.0
    of_time = (forces(e, rates, moved=False) - forces(-e, rates, moved=False)) / (2.0 * e)
    store_multipliers(system, rates, factors.solve(-np.concatenate([of_time, evaluator.rates(still)])))
    around = forces(e, rates) - 2.0 * forces(0.0, rates) + forces(-e, rates)
    return around / (e * e)
