"""Consistent initial values: positions and velocities that satisfy the constraints, accelerations and multipliers from equilibrium.

Corrections are the smallest in the metric of the masses:

    [M B^T; B 0] (dq, mu) = -(0, Phi),   [M B^T; B 0] (dv, mu) = -(0, B v + Phi_t),
    [M B^T; B 0] (dv/dt, lambda) = -(f, d(B v + Phi_t)/dt at constant v)

Own coordinates of order 1 have no mass. Their rows define their rates y'; y'' is their change along the motion.
"""

from typing import Any, NamedTuple

import numpy as np

from ..elements.gear_mesh import GEAR_MESH
from ..elements.sticking_mesh import STICKING_MESH
from ..errors import ModelError, SolveError
from ..system.matrix import Evaluator, no_multipliers
from ..system.rank import Rank, find_redundant
from ..system.system import State, System
from .either_matrix import diagonal_like, factors_of, row_of
from .shared_loads import shares
from .switching import MOST_CHOICES, TOGETHER, choose_laws, combinations, one_change, rows_of_laws

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
