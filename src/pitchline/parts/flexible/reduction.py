"""Craig-Bampton reduction of a finite element body to its interfaces and some fixed-interface modes.

The motion of the body is u = U q + Φ η: q the six coordinates of each interface (displacement, rotation), U the static shapes that
belong to them, Φ modes with all interfaces held (Craig and Bampton, AIAA J. 6, 1968). Interfaces are rigid (RBE2: their nodes are
replaced by six coordinates) or averaging (RBE3: q is the mean motion of their nodes, weighted by their mass, a constraint C u = q
whose forces spread over them).

With F the inverse of K in which six degrees of freedom are pinned, and R the rigid motions, all solutions of K u = Cᵀλ in
equilibrium are u = F Cᵀλ + R α. The two conditions C u = q and Rᵀ Cᵀ λ = 0 are one small system for λ and α, which serves
the static shapes and, with a load, the modes. Rigid motions are thus reproduced exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as sl
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, eigsh

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, SolveError
from pitchline.fem.sparse_solver import Factorised, factorise

__all__ = ["MOST_MODES", "FiniteElements", "FoundInterface", "Reduced", "reduce_body", "rigid_rows"]


MOST_MODES = 300
"""Beyond this a body is no longer small: matrices of a thousand rows would be evaluated in every iteration."""
_DENSE = 300
"""Unknowns up to which modes are computed with dense matrices."""


@dataclass(frozen=True, eq=False)
class FiniteElements:
    """Stiffness and mass of a free body, and what its degrees of freedom are.

    K, M: (n, n) sparse, symmetric [N/m, kg and so on]. node: (n,) row of `places`, -1 for a modal coordinate. component:
    (n,) 0, 1, 2
    for displacements, 3, 4, 5 for rotations, -1 for a modal coordinate. places: (nodes, 3) [m].
    """

    K: sp.csc_matrix
    M: sp.csc_matrix
    node: IntArray
    component: IntArray
    places: FloatArray

    @property
    def rigid_motions(self) -> FloatArray:
        """(n, 6) unit displacements along x, y, z and unit small rotations about axes through the origin."""
        return rigid_rows(self.node, self.component, self.places)


@dataclass(frozen=True, eq=False)
class FoundInterface:
    """An interface with its nodes: rows of `places`."""

    name: str
    nodes: IntArray
    position: FloatArray
    orientation: FloatArray
    rigid: bool


@dataclass(frozen=True, eq=False)
class Reduced:
    """A reduced body in the axes of the mesh; interfaces in their order, six coordinates each, then modes.

    stiffness: (6k, 6k). modal_stiffness: (m,). mass: (6k + m, 6k + m). shapes: (n, 6k + m) motion of all degrees of freedom.
    frequencies: (m,) of the modes with held interfaces [Hz].
    """

    stiffness: FloatArray
    modal_stiffness: FloatArray
    mass: FloatArray
    shapes: FloatArray
    frequencies: FloatArray


def rigid_rows(node: IntArray, component: IntArray, places: FloatArray) -> FloatArray:
    """Rows of the rigid motions of degrees of freedom: see `FiniteElements.rigid_motions`."""
    rows = np.zeros((len(node), 6))
    at = places[np.maximum(node, 0)]
    for c in range(3):
        mine = component == c
        rows[mine, c] = 1.0
        x, y = (c + 1) % 3, (c + 2) % 3  # u_c = θ_x' p_y' - θ_y' p_x'
        rows[mine, 3 + x] = at[mine, y]
        rows[mine, 3 + y] = -at[mine, x]
        rows[component == 3 + c, 3 + c] = 1.0
    return rows


def reduce_body(
    body: FiniteElements, interfaces: list[FoundInterface], *, modes: int | None, modes_to: float | None, what: str
) -> Reduced:
    """The reduced body, with so many modes or all up to a frequency [Hz]."""
    return _Reduction(body, interfaces, what).finish(modes, modes_to)


class _Reduction:
    def __init__(self, body: FiniteElements, interfaces: list[FoundInterface], what: str) -> None:
        self.body, self.interfaces, self.what = body, interfaces, what
        self.length = float(np.ptp(body.places, axis=0).max()) or 1.0
        self.G, self.C = self._coordinates()
        self.K = (self.G.T @ body.K @ self.G).tocsc()
        self.M = (self.G.T @ body.M @ self.G).tocsc()
        self.R = self._rigid()
        self._pin()
        self.FC = self.solve_pinned(self.C.T.toarray())
        R = self.R
        small = np.block([[self.C @ self.FC, self.C @ R], [(self.C @ R).T, np.zeros((6, 6))]])
        # displacements and rotations, forces and moments alike
        unit = np.tile(np.repeat([1.0, self.length], 3), len(interfaces))
        self.scale = np.concatenate([unit, np.ones(6)])
        size = np.abs(small[: len(unit), : len(unit)] * np.outer(unit, unit)).max()
        self.scale[: len(unit)] /= np.sqrt(size)
        self.small = sl.lu_factor(small * np.outer(self.scale, self.scale))

    # ---- coordinates

    def _coordinates(self) -> tuple[sp.csc_matrix, sp.csr_matrix]:
        """G: all degrees of freedom by those that are left and six of each rigid interface; C: interface coordinates by these."""
        body = self.body
        owner = np.full(len(body.places), -1)
        for i, each in enumerate(self.interfaces):
            owner[each.nodes] = i
        mine = np.where(body.node >= 0, owner[np.maximum(body.node, 0)], -1)
        is_rigid = np.array([each.rigid for each in self.interfaces])
        tied = (mine >= 0) & is_rigid[np.maximum(mine, 0)]
        kept = np.flatnonzero(~tied)
        rigid = np.flatnonzero(is_rigid)
        columns = len(kept) + 6 * len(rigid)
        parts = [sp.coo_matrix((np.ones(len(kept)), (kept, np.arange(len(kept)))), shape=(len(mine), columns))]
        C = sp.lil_matrix((6 * len(self.interfaces), columns))
        place_of = np.full(len(mine), -1)
        place_of[kept] = np.arange(len(kept))
        for i, each in enumerate(self.interfaces):
            dofs = np.flatnonzero(mine == i)
            rows = rigid_rows(body.node[dofs], body.component[dofs], body.places - each.position)
            if each.rigid:
                first = len(kept) + 6 * int(np.searchsorted(rigid, i))
                at, column = np.nonzero(rows)
                parts.append(sp.coo_matrix((rows[at, column], (dofs[at], first + column)), shape=(len(mine), columns)))
                C[6 * i : 6 * i + 6, first : first + 6] = np.eye(6)
            else:
                if np.any(body.component[dofs] > 2):
                    raise ModelError(
                        f'{self.what}: interface "{each.name}" has nodes with rotations. Specify rigid = true, because the '
                        f"mean of rotations and "
                        "displacements has no natural weights"
                    )
                # the rigid motion nearest to that of the nodes, each with the weight of its mass: with equal weights the corners of
                # second order elements would count as much as their large mid-edges
                weighted = rows * body.M.diagonal()[dofs, None]
                average = np.linalg.solve(rows.T @ weighted, weighted.T)
                C[np.arange(6 * i, 6 * i + 6)[:, None], place_of[dofs][None, :]] = average
        self.kept = kept
        return sum(parts[1:], parts[0]).tocsc(), C.tocsr()

    def _rigid(self) -> FloatArray:
        """Rigid motions about the middle of the body, rotations times its length, in the coordinates of K."""
        body = self.body
        self.middle = body.places.mean(axis=0)
        rows = [rigid_rows(body.node[self.kept], body.component[self.kept], body.places - self.middle)]
        for each in self.interfaces:
            if each.rigid:
                rows.append(rigid_rows(np.zeros(6, np.int64), np.arange(6), (each.position - self.middle)[None]))
        whole = np.concatenate(rows)
        whole[:, 3:] /= self.length
        nodes = np.where((body.node[self.kept] >= 0)[:, None], body.places[body.node[self.kept]], self.middle)
        self.at = np.concatenate([nodes, *(np.tile(each.position, (6, 1)) for each in self.interfaces if each.rigid)])
        return whole

    def _pin(self) -> None:
        """Six degrees of freedom that hold the body, as far apart as can be."""
        _, _, order = sl.qr(self.R.T, mode="economic", pivoting=True)
        self.pins = np.sort(order[:6])
        self.free = np.setdiff1d(np.arange(self.K.shape[0]), self.pins)
        if len(self.free) == 0:
            raise ModelError(
                f"{self.what}: all nodes belong to rigid interfaces, so the body cannot deform. Use interfaces with fewer "
                "nodes, or use a rigid body"
            )
        try:
            self.factor: Factorised = factorise(self.K[self.free][:, self.free], coordinates=self.at[self.free])
        except SolveError:
            raise ModelError(
                f"{self.what}: the stiffness has motions without strain in addition to the six rigid ones. Look for "
                f"parts of the mesh that "
                "are not connected, or connected along an edge only"
            ) from None

    # ---- solutions

    def solve_pinned(self, load: FloatArray) -> FloatArray:
        """F load: displacements with the pins held."""
        u = np.zeros_like(load)
        u[self.free] = self.factor.solve(load[self.free])
        return u

    def solve_small(self, right: FloatArray) -> FloatArray:
        """λ and α by columns."""
        scale = self.scale.reshape(-1, *[1] * (right.ndim - 1))
        found: FloatArray = scale * sl.lu_solve(self.small, scale * right)
        return found

    def solve_held(self, load: FloatArray) -> FloatArray:
        """Displacements under a load (n,) with all interfaces held."""
        u = self.solve_pinned(load)
        found = self.solve_small(-np.concatenate([self.C @ u, self.R.T @ load]))
        return u + self.FC @ found[:-6] + self.R @ found[-6:]

    def finish(self, modes: int | None, modes_to: float | None) -> Reduced:
        k = self.C.shape[0]
        found = self.solve_small(np.vstack([np.eye(k), np.zeros((6, k))]))
        shapes = self.FC @ found[:-6] + self.R @ found[-6:]
        K = shapes.T @ (self.K @ shapes)
        squares, vectors = self._modes(modes, modes_to)
        vectors = vectors * self._unit(vectors)
        every = np.hstack([shapes, vectors])
        M = every.T @ (self.M @ every)
        M = (M + M.T) / 2
        modal = squares * np.diagonal(M)[k:]
        return Reduced((K + K.T) / 2, modal, M, self.G @ every, np.sqrt(squares) / (2 * np.pi))

    # ---- modes

    def _modes(self, count: int | None, limit: float | None) -> tuple[FloatArray, FloatArray]:
        """ω² ascending, and modes by columns."""
        size = self.K.shape[0] - self.C.shape[0]
        if limit is not None:
            count = self._below((2 * np.pi * limit) ** 2)
        assert count is not None
        if count > MOST_MODES or count > size:
            most = min(MOST_MODES, size)
            asked = f"modes = {count}" if limit is None else f"modes_to = {limit:g} Hz requires {count} modes"
            raise ModelError(
                f"{self.what}: {asked}, at most {most} can be kept; modes to 1.5 or 2 times the highest frequency "
                f"of interest are enough"
            )
        if count == 0:
            return np.zeros(0), np.zeros((self.K.shape[0], 0))
        if size <= _DENSE:
            return self._dense_modes(count)
        n = self.K.shape[0]
        held = LinearOperator((n, n), matvec=lambda f: self.solve_held(np.asarray(f).ravel()), dtype=np.float64)
        start = self.solve_held(self.M @ np.random.default_rng(0).standard_normal(n))
        values, vectors = eigsh(self.K, count, self.M, sigma=0.0, OPinv=held, v0=start, tol=1e-12)
        order = np.argsort(values)
        return values[order], vectors[:, order]

    def _dense_modes(self, count: int) -> tuple[FloatArray, FloatArray]:
        inside = sl.null_space(self.C.toarray())
        values, vectors = sl.eigh(
            inside.T @ (self.K @ inside), inside.T @ (self.M @ inside), subset_by_index=[0, count - 1]
        )
        return values, inside @ vectors

    def _below(self, square: float) -> int:
        """How many modes with held interfaces have ω² below a number: Sylvester's law of inertia for K - ω²M bordered by C."""
        size = self.K.shape[0] - self.C.shape[0]
        if size <= _DENSE:
            inside = sl.null_space(self.C.toarray())
            values = sl.eigh(inside.T @ (self.K @ inside), inside.T @ (self.M @ inside), eigvals_only=True)
            return int((values < square).sum())
        shifted = factorise(self.K - square * self.M, positive_definite=False, coordinates=self.at)
        complement = self.C @ shifted.solve(self.C.T.toarray())
        assert shifted.negative is not None
        return int(shifted.negative) - int((np.linalg.eigvalsh((complement + complement.T) / 2) < 0.0).sum())

    def _unit(self, vectors: FloatArray) -> FloatArray:
        """Factors that make the largest displacement of each mode 1; of modes without displacements the mass a quarter of
        the body's."""
        u = self.G @ vectors
        body = self.body
        places = np.zeros((3, len(body.places), vectors.shape[1]))
        for c in range(3):
            mine = body.component == c
            places[c, body.node[mine]] = u[mine]
        largest = np.sqrt((places**2).sum(axis=0)).max(axis=0, initial=0.0)
        total = float((self.R[:, 0] @ (self.M @ self.R[:, 0])).real)
        masses = np.einsum("ij,ij->j", vectors, self.M @ vectors)
        by_mass = np.sqrt(total / 4 / masses)
        with np.errstate(divide="ignore"):
            return np.where(largest > 1e-9 / by_mass, 1.0 / largest, by_mass)


def mass_properties(body: FiniteElements) -> tuple[float, FloatArray, FloatArray]:
    """Mass, centre and inertia about the centre from the rigid part of the mass matrix."""
    R = body.rigid_motions
    whole: Any = R.T @ (body.M @ R)
    mass = float(np.trace(whole[:3, :3]) / 3)
    S = whole[3:, :3] / mass  # m (c x)
    centre = np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2
    inertia = whole[3:, 3:] - mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return mass, centre, (inertia + inertia.T) / 2
