"""Statics and modes of a whole gear without symmetry.

**Statics.** The loads E on the flanks of all teeth are kept as unknowns while the stiffness is eliminated, which
leaves Eᵀ K⁻¹ E. A gear
whose bore floats is balanced by its inertia, as in `flank_compliance`: with the rigid motions R, G = RᵀMR and a = G⁻¹ RᵀE,

    C = C_EE − C_ER a − aᵀ C_RE + aᵀ C_RR a ,

where R is used for six more loads MR. K is held at the bore ("fixed", "shaft"), or in six degrees of freedom ("free").

**Modes.** K φ = λ M φ by Lanczos' method (ARPACK) with a factor of K + σM. How many there are below the limit is
counted by Sylvester's
law. On a shaft the mass is M* = M − MR G⁻¹ (MR)ᵀ, and there are as many modes fewer as G/λ + (MR)ᵀ (K − λM)⁻¹ MR has negative
eigenvalues (`fem.sylvester`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy.linalg as sl
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from ...errors import ModelError, SolveError
from ..cyclic_symmetry import rigid_motions
from ..meshes.solid_mesh import FloatArray, IntArray, mesh_matrices
from ..sparse_solver import Factorised, SymbolicFactor, analyse, condense, factorise
from .gear_solid import GearSolid
from .memory_need import check_equations, check_factor
from .results import MeshResults

__all__ = ["whole_results"]

MOST_MODES = 2000
_SHIFT = 1e-4
"""σ by the square of the limit: K + σM of a floating gear is positive definite."""
_RIGID = 1e-5
"""Frequencies of rigid motions, by the limit, are below this."""
_COLUMNS = 20_000
"""Of the stiffness that are joined with the loads at a time."""
_DENSE = 500
"""Unknowns up to which modes are computed with dense matrices."""


def whole_results(
    solid: GearSolid,
    bore_nodes: IntArray,
    loads: sp.csc_matrix,
    *,
    bore: str,
    limit: float,
    tell: Callable[[float, str], None],
) -> MeshResults:
    """All of a gear whose bore is "fixed", "free" or "shaft". loads: (3 nodes, loads) of all teeth. limit: of the modes [Hz]."""
    tell(0.0, "assembling")
    check_equations(solid.mesh, loads.shape[1], solid.what)
    K, M = mesh_matrices(solid.mesh)
    rigid = rigid_motions(solid.nodes)
    momenta = M @ rigid
    gram = rigid.T @ momenta
    held = np.zeros(0, dtype=np.int64) if bore == "free" else (3 * bore_nodes[:, None] + np.arange(3)).ravel()
    free = np.setdiff1d(np.arange(K.shape[0]), held)
    body = _WholeBody(
        K[free][:, free].tocsc(),
        M[free][:, free].tocsc(),
        rigid[free],
        momenta[free],
        gram,
        solid.nodes[free // 3],
        bore,
    )
    del K, M  # large
    on_free = loads.tocsr()[free].tocsc()
    tell(0.1, "compliance")
    compliance = body.compliance(on_free, solid.what, last=not limit)
    frequencies, traces = np.zeros(0), np.zeros((0, loads.shape[1]))
    if limit:
        tell(0.5, "counting modes")
        frequencies, vectors = body.modes(limit, solid.what, lambda part: tell(0.5 + 0.5 * part, "modes"))
        traces = np.ascontiguousarray((on_free.T @ vectors).T)
    mass = float(np.trace(gram[:3, :3])) / 3.0
    S = gram[3:, :3] / mass
    centre = 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])
    inertia = gram[3:, 3:] - mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    tell(1.0, "done")
    return MeshResults(
        compliance,
        frequencies,
        np.zeros(len(frequencies), dtype=np.int64),
        traces,
        mass,
        centre,
        0.5 * (inertia + inertia.T),
    )


class _WholeBody:
    """Stiffness and mass of the unknowns, rigid motions R, MR and G with the masses of a bore that is held."""

    def __init__(
        self,
        K: sp.csc_matrix,
        M: sp.csc_matrix,
        rigid: FloatArray,
        momenta: FloatArray,
        gram: FloatArray,
        places: FloatArray,
        bore: str,
    ) -> None:
        self.K, self.M, self.rigid, self.momenta, self.gram = K, M, rigid, momenta, gram
        self.places, self.bore = places, bore
        self.floats = bore != "fixed"
        self.analysis: SymbolicFactor | None = None

    def compliance(self, loads: sp.csc_matrix, what: str, *, last: bool) -> FloatArray:
        """(loads, loads) [m/N]. last: the matrices are not needed afterwards."""
        all_loads = sp.hstack([loads, sp.csc_matrix(self.momenta)], format="csc") if self.floats else loads
        K, places = self.K, self.places
        if self.bore == "free":
            # six degrees of freedom, as far apart as can be, hold the body; loads in equilibrium do not notice
            _, _, order = sl.qr((self.rigid / np.abs(self.rigid).max(axis=0)).T, mode="economic", pivoting=True)
            stay = np.setdiff1d(np.arange(K.shape[0]), order[:6])
            K, places, all_loads = K[stay][:, stay], places[stay], all_loads.tocsr()[stay].tocsc()
        n, m = all_loads.shape
        A = _bordered(K, all_loads)
        del K
        if last:
            self.K = self.M = sp.csc_matrix((0, 0))
        at = np.concatenate([places, np.zeros((m, 3))])
        kept = np.arange(n, n + m)
        analysis = analyse(A, coordinates=at, last=kept)
        check_factor(analysis.tree, len(self.places) // 3, what, kept=False)
        try:
            found = condense(A, kept, positive_definite=True, analysis=analysis, keep_factors=False)
        except SolveError:
            raise ModelError(
                f"{what}: the stiffness of the mesh has motions without strain. Look for parts that are connected "
                f"along an edge only, "
                "and for a bore with too few nodes"
            ) from None
        C = -0.5 * (found.matrix + found.matrix.T)
        if not self.floats:
            return np.ascontiguousarray(C)
        k = loads.shape[1]
        work = np.asarray((loads.T @ self.rigid).T)
        a = np.linalg.solve(self.gram, work)
        half = C[:k, k:] @ a
        result = C[:k, :k] - half - half.T + a.T @ C[k:, k:] @ a
        return np.ascontiguousarray(0.5 * (result + result.T))

    # ------------------------------------------------------------------------------------------------------------ modes

    def mass_times(self, u: FloatArray) -> FloatArray:
        """M u, or M* u on a shaft."""
        found: FloatArray = self.M @ u
        if self.bore == "shaft":
            found = found - self.momenta @ np.linalg.solve(self.gram, self.momenta.T @ u)
        return found

    def _factor(self, A: sp.csc_matrix, what: str, *, positive_definite: bool) -> Factorised:
        """Factorised, in the order of elimination of an earlier matrix of the same pattern."""
        if self.analysis is None or not self.analysis.fits(A):
            self.analysis = analyse(A, coordinates=self.places)
            check_factor(self.analysis.tree, len(self.places) // 3, what, kept=True)
        return factorise(A, positive_definite=positive_definite, analysis=self.analysis)

    def count_below(self, square: float, what: str) -> int:
        """Modes with ω² below a number, with those of rigid motions of a free gear."""
        B = (self.K - square * self.M).tocsc()
        try:
            factor = self._factor(B, what, positive_definite=False)
        except SolveError:  # a pivot was exactly zero
            return self.count_below(square * (1.0 + 1e-7), what)
        assert factor.negative is not None
        count = int(factor.negative)
        if self.bore == "shaft":
            X = self.gram / square + self.momenta.T @ factor.solve(self.momenta)
            size = np.sqrt(np.diagonal(self.gram) / square)
            count -= int((np.linalg.eigvalsh(0.5 * (X + X.T) / np.outer(size, size)) < 0.0).sum())
        return count

    def modes(self, limit: float, what: str, tell: Callable[[float], None]) -> tuple[FloatArray, FloatArray]:
        """Natural frequencies [Hz] below a limit, ascending, and modes by columns with unit modal mass; without rigid motions."""
        top = (2.0 * math.pi * limit) ** 2
        count = self.count_below(top, what)
        tell(0.3)
        rigid = 6 if self.bore == "free" else 0
        n = self.K.shape[0]
        if count <= rigid:
            return np.zeros(0), np.zeros((n, 0))
        if count - rigid > MOST_MODES:
            raise ModelError(
                f"elastic gear: there are {count - rigid} modes below {limit:g} Hz, at most {MOST_MODES} are "
                f"computed. Use a lower up_to"
            )
        values, vectors = self._dense(top) if n <= _DENSE else self._lanczos(top, count, what, tell)
        own = values > (_RIGID**2) * top if rigid else np.ones(len(values), dtype=bool)
        if int(own.sum()) != count - rigid:
            raise SolveError(
                f"modes: {int(own.sum())} were found below {limit:g} Hz, but Sylvester's law counts "
                f"{count - rigid}. Choose another "
                "frequency limit, away from a natural frequency"
            )
        vectors = vectors[:, own]
        if self.bore == "shaft":  # seen from the frame that has all momentum
            vectors = vectors - self.rigid @ np.linalg.solve(self.gram, self.momenta.T @ vectors)
        return np.sqrt(values[own]) / (2.0 * math.pi), vectors

    def _dense(self, top: float) -> tuple[FloatArray, FloatArray]:
        values, vectors = sl.eigh(self.K.toarray(), self.mass_times(np.eye(self.K.shape[0])))
        return values[values < top], vectors[:, values < top]

    def _lanczos(
        self, top: float, count: int, what: str, tell: Callable[[float], None]
    ) -> tuple[FloatArray, FloatArray]:
        n = self.K.shape[0]
        shift = _SHIFT * top if self.bore == "free" else 0.0  # without a shift M* does not matter
        factor = self._factor((self.K + shift * self.M).tocsc(), what, positive_definite=True)
        tell(0.5)

        def solve(f: FloatArray) -> FloatArray:
            return np.asarray(factor.solve(np.asarray(f, dtype=np.float64).reshape(n, -1))).reshape(np.shape(f))

        def mass(u: FloatArray) -> FloatArray:
            return self.mass_times(np.asarray(u, dtype=np.float64))

        invert = LinearOperator((n, n), matvec=solve, dtype=np.float64)
        M = LinearOperator((n, n), matvec=mass, dtype=np.float64)
        for attempt in range(3):
            k = min(count + 2 + 6 * attempt, n - 2)
            start = np.random.default_rng(attempt).standard_normal(n)
            try:
                values, vectors = eigsh(
                    self.K, k, M, sigma=-shift, OPinv=invert, v0=solve(mass(start)), ncv=min(n - 1, 2 * k + 24), tol=0.0
                )
            except ArpackError as error:
                raise SolveError(f"modes: Lanczos' method failed ({error})") from None
            order = np.argsort(values)
            values, vectors = values[order], vectors[:, order]
            if int((values < top).sum()) == count:
                break
        below = values < top
        vectors = vectors[:, below]
        vectors = vectors / np.sqrt(np.einsum("ij,ij->j", vectors, mass(vectors)))
        return values[below], vectors


def _bordered(K: sp.csc_matrix, loads: sp.csc_matrix) -> sp.csc_matrix:
    """[[K, E], [Eᵀ, 0]]; a part of K at a time, because lists of all its entries need several times its memory."""
    below = sp.csc_matrix(loads.T)
    starts = range(0, K.shape[1], _COLUMNS)
    parts = [sp.vstack([K[:, k : k + _COLUMNS], below[:, k : k + _COLUMNS]], format="csc") for k in starts]
    m = loads.shape[1]
    right = sp.vstack([loads, sp.csc_matrix((m, m))], format="csc")
    A = sp.hstack([*parts, right], format="csc")
    A.sort_indices()
    return A
