"""Rank of the constraints: redundant rows, and the rows with which they share their load.

Rows are in six coordinates per node: first those of joints that became coordinates of a node, then the others in the order of
the model, so that the later joint is called redundant. Elements in a tree cannot be redundant; they are removed first, so that
only the loops of a mechanism need computing time. The remaining rows are eliminated one after the other. In a planar model all
this is done in the plane: rows without effect there are ignored.

The choice of rows is important along a motion: rows that are independent at the start may become dependent at another
position, although all rows together keep their rank (a Bricard linkage). There the choice is made again, by magnitude instead
of by order.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.parts.meshes.kernel import GEAR_MESH
from pitchline.parts.meshes.kernel_law import COMPLIANT, SPRING
from pitchline.parts.meshes.kernel_sticking import STICKING_MESH

from ..elements.contract import Element
from .system import State, System, Workspace

__all__ = ["sprung"]


# ---- matrix

# Residual and matrix of a whole state, for work outside the step loop (projections, statics, rank).

SIGNAL_STEP = 1e-5
"""Largest step of differences along the motion if signals are read [s]."""
LARGEST_ARRAY = 150
"""Largest number of unknowns of a small system: its matrices are faster as arrays than as sparse matrices of scipy."""


class Evaluator:
    """Evaluation of a system at states, with its own workspace. `work`: another workspace of the system."""

    def __init__(self, system: System, work: Workspace | None = None) -> None:
        self.system = system
        self.work = Workspace(system) if work is None else work

    @staticmethod
    def passing(system: System) -> "Evaluator":
        """Evaluator for work that is complete before the system is evaluated elsewhere: with the workspace of the system."""
        return Evaluator(system, system.workspace)

    def resize(self) -> None:
        """Adapt to a change of the layout."""
        self.work = Workspace(self.system)

    def place(self, state: State, *, moving: bool = True, load: float = 1.0, lam: np.ndarray | None = None) -> None:
        """Set the state for evaluation."""
        self.work.question(state.t, load=load, damped=moving)
        self.work.set(state, lam=lam)
        self.work.place(moving=moving)

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
        small_as_array: bool = False,
    ) -> tuple[np.ndarray, Any]:
        """(residual, sparse matrix): J = mass M + damping D + stiffness K with the scaled constraint blocks.

        Rows of motion are unscaled (s = 1). moving=False: velocities and accelerations are zero, and dampers do not act.
        `small_as_array`: the matrix of a small system is an array. That of a very small one does not import scipy either, which
        would take longer than the run."""
        s, work = self.system, self.work
        work.question(state.t, mass=mass, damping=damping, stiffness=stiffness, load=load, damped=moving)
        work.set(state, lam=lam)
        work.place(moving=moving)
        work.assemble(tangent=True)
        if s.dense and small_as_array:
            return work.r.copy(), work.Ax.reshape(s.n, s.n).T.copy()
        import scipy.sparse as sp

        if s.dense:
            return work.r.copy(), sp.csc_matrix(work.Ax.reshape(s.n, s.n).T)
        found = sp.csc_matrix((work.Ax.copy(), s.layout.Ai, s.layout.Ap), (s.n, s.n))
        return work.r.copy(), found.toarray() if small_as_array and s.n <= LARGEST_ARRAY else found

    def residual(
        self, state: State, *, load: float = 1.0, moving: bool = True, lam: np.ndarray | None = None
    ) -> np.ndarray:
        """The residual only, as in `tangent`."""
        self.place(state, moving=moving, load=load, lam=lam)
        self.work.assemble()
        return self.work.r.copy()

    def power(self, state: State) -> tuple[float, float, float]:
        """(supplied power, dissipated power) of all elements, and power supplied by teeth without a potential."""
        self.residual(state)
        ask = self.work.ask
        return float(ask["power_in"][0]), float(ask["power_out"][0]), float(ask["power_teeth"][0])

    def rates(self, state: State, *, shift: float = 0.0) -> np.ndarray:
        """dPhi/dt = B v + Phi_t, scaled, of the active constraint rows, after a motion by `shift` along v."""
        work = self.work
        work.question(state.t, shift=shift)
        work.set(state, dq=shift * state.v)
        work.place()
        return work.rows(rates=True)

    def convective(self, state: State) -> np.ndarray:
        """d/dt (B v + Phi_t) at constant v, scaled: central difference of fourth order along the motion."""
        fastest = float(np.max(np.abs(state.v) * self.system.layout.weight[: self.system.n_q], initial=0.0))
        e = 1e-3 / max(fastest, 1e-3)
        if self.system.graph.needed:  # laws of signals are evaluated at these times
            e = min(e, SIGNAL_STEP)
        near = self.rates(state, shift=e) - self.rates(state, shift=-e)
        far = self.rates(state, shift=2 * e) - self.rates(state, shift=-2 * e)
        return (8 * near - far) / (12 * e)

    def element_rows(self, e: int) -> tuple[np.ndarray, np.ndarray]:
        """(Phi (nl,), B (nl, 6 nodes)) of one element in six coordinates per node, unscaled, at the current state."""
        element = self.system.elements[e]
        r, J = self.work.element(e, tangent=True)
        rows = slice(len(r) - len(element.rows), len(r))
        return r[rows], J[rows, : 6 * len(element.nodes)]


def no_multipliers(system: System) -> np.ndarray:
    """Multipliers of a system, all zero."""
    return np.zeros(max(system.n_lam, 1))


MOST_BOUNDED = 60
"""Number of rows up to which a bound of their singular values is computed before they are eliminated."""


@dataclass
class Rank:
    """Result of the analysis."""

    redundant: np.ndarray  # omitted multipliers
    groups: list[np.ndarray]  # multipliers whose load sharing is undetermined for rigid bodies
    weakest: float = 1.0  # smallest independent component of a kept row of unit length


def find_redundant(system: System, state: State, *, strongest: bool = False) -> Rank:
    """Redundant multipliers at a state, with the tolerance of the system.

    strongest: rows that are far from dependent are kept first; otherwise the first rows in the order of the model."""
    return _analysed(system, state, np.zeros(0, np.int64), strongest)


def strength(system: System, state: State) -> float:
    """`Rank.weakest` of the rows that the system currently keeps."""
    return _analysed(system, state, system.redundant, True).weakest


def depends_on_others(system: System, state: State, e: int) -> bool:
    """Whether the rows of an element that switches depend on those of all others that do not: drives prescribe its coordinate."""
    order = [i for i, x in enumerate(system.elements) if x.rows and x.passive]
    order += [
        i
        for i, x in enumerate(system.elements)
        if x.rows and not x.passive and (not x.switches or x.firm > 0) and i != e
    ] + [e]
    evaluator = Evaluator.passing(system)
    evaluator.place(state, moving=False, lam=no_multipliers(system))
    rows = _scaled_rows(system, {i: _in_plane(system, i, evaluator.element_rows(i)[1]) for i in order})
    found = _eliminate(system, _loops(system, order, rows), rows, system.rank_tolerance, set(), False)
    first = system.lam0[e] + system.elements[e].firm
    return bool(np.any((found.redundant >= first) & (found.redundant < system.lam0[e + 1])))


def _analysed(system: System, state: State, without: np.ndarray, strongest: bool) -> Rank:
    order = [e for e, x in enumerate(system.elements) if x.rows and x.passive]
    order += [e for e, x in enumerate(system.elements) if x.rows and not x.passive and not all(x.soft_rows)]
    soft = {int(system.lam0[e]) + i for e in order for i, is_soft in enumerate(system.elements[e].soft_rows) if is_soft}
    evaluator = Evaluator.passing(system)
    evaluator.place(state, moving=False, lam=no_multipliers(system))
    rows = _scaled_rows(system, {e: _in_plane(system, e, evaluator.element_rows(e)[1]) for e in order})
    left = _loops(system, order, rows)
    omitted = set(without.tolist()) | soft
    if not strongest and _surely_independent(system, left, rows, omitted):
        return Rank(np.zeros(0, np.int64), [])
    return _eliminate(system, left, rows, system.rank_tolerance, omitted, strongest)


def _in_plane(system: System, e: int, B: np.ndarray) -> np.ndarray:
    return B if system.plane is None else system.plane.projected(system.elements[e].nodes, B)


def _scaled_rows(system: System, rows: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Rows of elements with rotation columns divided by the length of the model, each row of unit length."""
    alike: dict[int, list[int]] = {}
    for e, B in rows.items():
        alike.setdefault(B.shape[1], []).append(e)
    found = {}
    for width, elements in alike.items():  # together: most have the same number of columns
        B = np.concatenate([rows[e] for e in elements])
        for k in range(width // 6):
            B[:, 6 * k + 3 : 6 * k + 6] /= system.length
        norm = np.sqrt((B * B).sum(axis=1))
        B /= np.where(norm > 0, norm, 1.0)[:, None]
        at = 0
        for e in elements:
            found[e] = B[at : at + len(rows[e])]
            at += len(rows[e])
    return found


def _loops(system: System, order: list[int], rows: dict[int, np.ndarray]) -> list[int]:
    """Elements that remain after pruning. An element that is the last on a node, with independent rows, is independent."""
    on_node: dict[int, set[int]] = {}
    for e in order:
        for g in system.elements[e].nodes:
            if g > 0:
                on_node.setdefault(g, set()).add(e)
    alive = set(order)

    def busy(e: int) -> np.ndarray:
        return ~_idle(system, int(system.lam0[e]), int(system.lam0[e + 1]))

    queue = [g for g, s in on_node.items() if len(s) == 1]
    while queue:
        g = queue.pop()
        if len(on_node[g]) != 1:
            continue
        (e,) = on_node[g]
        # rows of a joint that became coordinates are independent
        if system.plane is not None or not system.elements[e].passive:
            k = system.elements[e].nodes.index(g)
            block = rows[e][busy(e), 6 * k : 6 * k + 6]
            if not len(block) or len(block) > 6 or _nearly_dependent(block, 1e-3 / max(1.0, system.length)):
                continue
        alive.discard(e)
        for other in system.elements[e].nodes:
            if other > 0:
                on_node[other].discard(e)
                if len(on_node[other]) == 1:
                    queue.append(other)
    return [e for e in order if e in alive]


def _nearly_dependent(block: np.ndarray, least: float) -> bool:
    """Whether the smallest singular value of some rows is less than a bound."""
    if _least_eigenvalue(block) > 4.0 * least**2:
        return False
    return bool(np.linalg.svd(block, compute_uv=False)[-1] < least)


def _surely_independent(system: System, elements: list[int], rows: dict[int, np.ndarray], omitted: set[int]) -> bool:
    """Whether a simple bound shows that no row is redundant. Otherwise they may be or not.

    What remains of a row after elimination is a combination of rows with the factor 1 for this row. It is not smaller than the
    smallest singular value of all rows."""
    of_rows = [(l, e, i) for e in elements for i, l in enumerate(range(int(system.lam0[e]), int(system.lam0[e + 1])))]
    kept = [(e, i) for l, e, i in of_rows if l not in omitted and not _idle(system, l, l + 1)[0]]
    if len(kept) > MOST_BOUNDED:
        return False
    place = {g: k for k, g in enumerate(sorted({g for e in elements for g in system.elements[e].nodes if g > 0}))}
    whole = np.zeros((len(kept), 6 * len(place)))
    for n, (e, i) in enumerate(kept):
        for k, g in enumerate(system.elements[e].nodes):
            if g > 0:
                at = 6 * place[g]
                whole[n, at : at + 6] += rows[e][i, 6 * k : 6 * k + 6]
    return not len(kept) or _least_eigenvalue(whole) > 4.0 * system.rank_tolerance**2


def _least_eigenvalue(rows: np.ndarray) -> float:
    """Lower bound of the eigenvalues of the products of rows (Gershgorin). Rows of most joints are at right angles."""
    products = np.abs(rows @ rows.T)
    return float((2.0 * products.diagonal() - products.sum(axis=1)).min())


Row = dict[int, float]
"""A sparse row: value by column, six columns a node."""


def _eliminate(
    system: System,
    elements: list[int],
    rows: dict[int, np.ndarray],
    tolerance: float,
    without: set[int],
    strongest: bool,
) -> Rank:
    """Gaussian elimination in order. A row without remainder depends on the rows used to eliminate it.

    Sparse, so that the time for a long chain is proportional to its length. strongest: rows with a small remainder wait until
    all rows with a larger remainder are used, at levels that halve; rows of coordinates never wait."""
    found = _Pivots()
    levels = [0.5**k for k in range(1, 60) if 0.5**k > tolerance] if strongest else []
    weakest = 1.0
    passive = [e for e in elements if system.elements[e].passive]
    active = [e for e in elements if not system.elements[e].passive]
    redundant: list[int] = []
    group_of: list[set[int]] = []
    for part, at_levels in ((passive, [tolerance]), (active, [*levels, tolerance])):
        waiting = [(l, row, {l}) for e in part for l, row in _sparse_rows(system, e, rows[e]) if l not in without]
        for level in at_levels:
            left = []
            for l, row, used in waiting:
                used |= found.eliminated(row)
                size = sum(x * x for x in row.values()) ** 0.5
                if size < level:
                    left.append((l, row, used))
                else:
                    found.add(row, used)
                    weakest = min(weakest, size)
            waiting = left
        redundant += [l for l, _, _ in waiting]
        group_of += [used for _, _, used in waiting]
    keep = sorted(l for l in redundant if l < system.n_lam_active)
    return Rank(np.array(keep, np.int64), merged([_whole_elements(system, group) for group in group_of]), weakest)


def _sparse_rows(system: System, e: int, rows: np.ndarray) -> Iterator[tuple[int, Row]]:
    """(multiplier, row) of an element, without rows that have no effect in the plane."""
    l0, l1 = int(system.lam0[e]), int(system.lam0[e + 1])
    for i in np.flatnonzero(~_idle(system, l0, l1)):
        row: Row = {}
        for k, g in enumerate(system.elements[e].nodes):
            if g > 0:
                for j in range(6):
                    if rows[i, 6 * k + j] != 0.0:
                        row[6 * g + j] = row.get(6 * g + j, 0.0) + float(rows[i, 6 * k + j])
        yield l0 + int(i), row


class _Pivots:
    """Independent rows so far, each with the column of its largest entry."""

    def __init__(self) -> None:
        self.order: dict[int, int] = {}  # of a pivot column
        self.rows: list[tuple[int, Row, frozenset[int]]] = []

    def eliminated(self, row: Row) -> set[int]:
        """Eliminate the pivot columns from a row, and return the used rows. A pivot row has only columns of later pivots."""
        used: set[int] = set()
        queue = [self.order[c] for c in row if c in self.order]
        heapq.heapify(queue)
        while queue:
            column, other, origin = self.rows[heapq.heappop(queue)]
            factor = row.pop(column, 0.0)
            if abs(factor) <= 1e-13:
                continue
            for c, x in other.items():
                if c not in row:
                    row[c] = 0.0
                    if c in self.order:
                        heapq.heappush(queue, self.order[c])
                row[c] -= factor * x
            used |= origin
        return used

    def add(self, row: Row, used: set[int]) -> None:
        column = max(row, key=lambda c: abs(row[c]))
        size = row.pop(column)
        self.order[column] = len(self.rows)
        self.rows.append((column, {c: x / size for c, x in row.items() if x != 0.0}, frozenset(used)))


def _whole_elements(system: System, group: set[int]) -> set[int]:
    """All rows of the elements in a group: their dependencies change as the bodies rotate."""
    owners = {int(np.searchsorted(system.lam0, l, side="right")) - 1 for l in group}
    whole = {l for e in owners for l in range(int(system.lam0[e]), int(system.lam0[e + 1]))}
    return {l for l in whole if not _idle(system, l, l + 1)[0]}


def _idle(system: System, first: int, last: int) -> np.ndarray:
    """Whether multipliers have no effect in the plane of a planar model."""
    return np.zeros(last - first, bool) if system.plane is None else system.plane.idle[first:last]


def merged(groups: list[set[int]]) -> list[np.ndarray]:
    """Merge groups that have a multiplier in common."""
    merged: list[set[int]] = []
    for group in groups:
        apart = []
        for m in merged:
            if m & group:
                group = group | m
            else:
                apart.append(m)
        merged = [*apart, group]
    return [np.array(sorted(m), np.int64) for m in merged]


# ---- sprung

# Teeth of statics as springs: the system of small motions about an equilibrium.
#
# In statics the force of elastic teeth is a separate unknown, with a row that is not a constraint. Small motions have
# the force as a function of the approach, with its damping.


def sprung(system: System, state: State) -> tuple[System, State]:
    """Return the system without unknown forces of elastic teeth, and its state; the same ones if there are none."""
    elements = [_as_spring(e) for e in system.elements]
    if all(new is old for new, old in zip(elements, system.elements, strict=True)):
        return system, state
    other = System(
        system.model, system.nodes, elements, system.functions, system.length, opened=system.opened, plane=system.plane
    )
    other.rank_tolerance = system.rank_tolerance
    rows = _rows(system, other)
    place = np.full(max(system.n_lam, 1), -1, np.int64)
    place[rows] = np.arange(rows.size)
    redundant = place[system.redundant]
    other.relayout(redundant[redundant >= 0])
    found = other.initial_state(state.t)
    for name in ("pose", "v", "vd", "mem", "own", "condensed"):
        getattr(found, name)[:] = getattr(state, name)
    found.lam[: rows.size] = state.lam[rows]
    return other, found


def _as_spring(element: Element) -> Element:
    """The element with the tooth force as a function of the approach; the same one if it has no unknown force."""
    if element.kind not in (GEAR_MESH, STICKING_MESH) or not element.rows:
        return element
    parameters = element.parameters.copy()
    values = element.kind.parameters.named(parameters)
    law = (values["pair"] if element.kind is STICKING_MESH else values)["law"]
    if law["form"] != COMPLIANT:
        return element
    law["form"] = SPRING
    if element.kind is STICKING_MESH:
        return replace(
            element,
            parameters=parameters,
            rows=element.rows[element.firm :],
            firm=0,
            firm_soft=False,
            closing_force=0.0,
        )
    return replace(element, parameters=parameters, rows="", soft=False, closing_force=0.0)


def _rows(system: System, other: System) -> np.ndarray:
    """The multipliers of the system that the other one has too."""
    kept = []
    for e in range(len(system.elements)):
        last = int(system.lam0[e + 1])
        kept.append(np.arange(last - int(other.lam0[e + 1] - other.lam0[e]), last))
    return np.concatenate([*kept, np.zeros(0, np.int64)]).astype(np.int64)
