"""Some modes of many coordinates, with sparse matrices: M x'' + D x' + K x + C mu = 0, B x = 0.

Constraints are kept: a solution of [Q C; B 0] (x, mu) = (f, 0) satisfies them, Q = K + s D + s^2 M at a shift s.

Undamped and symmetric: Lanczos method for  x <- [K - sigma M, B^T; B, 0]^-1 M x, self-adjoint in the inner product of M. The
number of eigenvalues up to the last one is counted separately, by Sylvester's law, so that none is missing.

Otherwise Arnoldi method for the states (x, v), v = x', about a real shift s: (x, v) <- (A - s E)^-1 E (x, v) is

    [Q C; B 0] (x', mu) = -(M v + (D + s M) x, 0),   v' = s x' + x .

The result are the eigenvalues closest to the shift, both pairs s, s* and real ones: all up to the distance of the farthest
one. (R. B. Lehoucq, D. C. Sorensen, C. Yang, ARPACK Users' Guide, 1998.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.errors import SolveError

from .eigenmodes import NO_STIFFNESS, SYMMETRIC, Eigenmodes, eigenvalues_below, gap, independent, joined, work
from .linearised import SparseMotion, independent_rows

__all__ = ["Growing", "growing"]


# ---- growth

# Motions about an operating point that grow by more than errors of its matrices explain.

ROUNDING = 1e-11
"""Relative error of the matrix entries: round-off and the tolerance of statics."""

Growing = list[tuple[complex, np.ndarray]]


def growing(small: SparseMotion, found: Eigenmodes) -> Growing:
    """Return (s, motion (n,)) of motions that grow more than errors of the matrices explain.

    A relative change e of every entry of M, D and K changes s by up to  e |x|^T (|s|^2 |M| + |s| |D| + |K|) |x| / (2 |s| x* M x).
    For a real s, close to a double eigenvalue 0, this applies to s^2: the same bound without the factor 2.
    """
    values = np.concatenate([found.values[found.rigid :], found.real])
    vectors = np.concatenate([found.vectors[:, found.rigid :], found.real_vectors], axis=1)
    up = np.flatnonzero(values.real > 0.0)
    s, x = values[up], vectors[:, up]
    size, largest = np.abs(x), np.abs(s)
    work = largest**2 * _form(abs(small.M), size) + largest * _form(abs(small.D), size) + _form(abs(small.K), size)
    mass = np.einsum("in,in->n", x.conj(), small.M @ x).real
    moved = s.real * largest * mass
    if small.massless.places.size:  # of coordinates of order 1 the rate is what moves
        y = small.massless.places
        rate = np.einsum("in,in->n", x[y].conj(), small.D[y][:, y] @ x[y])
        moved = moved + s.real * np.abs(rate)
    sure = moved > ROUNDING * work
    return [(complex(s[i]), x[:, i]) for i in np.flatnonzero(sure)]


def _form(A: Any, x: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("in,in->n", x, A @ x))


Array = np.ndarray
ROUNDED = 1e-15
"""x^T K x / |x|^T |K| |x| of a motion without deformation, with only rounding errors: second order in the vectors."""
SHIFT = 1e-10
"""Shift below zero, relative to the largest eigenvalue: rigid motions are then regular, and slow ones well separated."""
TRIES = 4
MORE = 6
"""Number of additional eigenvalues: multiple ones are not separated, and the last ones converge slowest."""
ZERO = 1e-5
"""|s| / shift that counts as zero: an undamped rigid motion is a double eigenvalue, with an error of the root of rounding."""


class TooMany(Exception):
    """The requested fraction of all modes is so large that dense matrices are faster."""


@dataclass
class Wanted:
    """Requested modes: `count` of them, from the lowest, with angular frequencies |s| from `low` to `high` [1/s]."""

    count: int | None = None
    low: float = 0.0
    high: float = math.inf


def sparse_modes(
    motion: SparseMotion,
    wanted: Wanted,
    free: int,
    *,
    no_stiffness: float = NO_STIFFNESS,
) -> Eigenmodes:
    """Compute the requested modes. Their vectors are in all coordinates (n, k).

    free: degrees of freedom, the maximum number of modes. no_stiffness: x^T K x / |x|^T |K| |x| that counts as zero."""
    M, D, K = (0.5 * (motion.M + motion.M.T), motion.D, motion.K)
    symmetric = _largest(K - K.T) <= SYMMETRIC * _largest(K)
    ideal = _largest(motion.C - motion.B.T) <= 1e-13 * _largest(motion.B)
    C, B = motion.C, motion.B
    if ideal and B.shape[0] > B.shape[1] - free:  # several parts hold the same motion
        kept = independent_rows(B.toarray())
        C, B = C[:, kept], B.tocsr()[kept].tocsc()
    if symmetric and ideal and not _largest(D):
        return _Undamped(M, 0.5 * (K + K.T), B, free, no_stiffness).modes(wanted)
    return _Damped(M, D, K, C, B, free, no_stiffness).modes(wanted)


def _largest(A: Any) -> float:
    return float(np.max(np.abs(A.data), initial=0.0)) if A.nnz else 0.0


class _Saddle:
    """[Q C; B 0] (x, mu) = (f, 0), factorised."""

    def __init__(self, Q: Any, C: Any, B: Any) -> None:
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla

        self.n, self.m = Q.shape[0], B.shape[0]
        whole = sp.bmat([[Q, C], [B, None]], format="csc") if self.m else Q.tocsc()
        try:
            self._lu = sla.splu(whole, permc_spec="COLAMD")
        except RuntimeError:
            raise SolveError(
                "modes: the matrix of the shifted system is singular: a motion has no inertia", time=None
            ) from None

    def solve(self, f: Array) -> Array:
        x = self._lu.solve(np.concatenate([f, np.zeros(self.m)]))[: self.n]
        return np.asarray(x)


def _highest(M: Any, K: Any) -> float:
    """Estimate of the largest eigenvalue of K x = lambda M x, from the diagonals."""
    m, k = M.diagonal(), np.abs(K.diagonal())
    return float(np.max(k[m > 0.0] / m[m > 0.0], initial=0.0)) or 1.0


class _Undamped:
    """Symmetric matrices without damping: K x + B^T mu = lambda M x."""

    def __init__(self, M: Any, K: Any, B: Any, free: int, small: float) -> None:
        self.M, self.K, self.B, self.free, self.small = M, K, B, free, small
        self.missing = 0
        self.scale = _highest(M, K)

    def modes(self, wanted: Wanted) -> Eigenmodes:
        if math.isfinite(wanted.high) or wanted.low > 0.0:
            values, vectors = self._between(wanted)
        else:
            assert wanted.count is not None
            values, vectors = self._lowest(wanted.count)
        return self._sorted(values, vectors)

    def _sorted(self, values: Array, vectors: Array) -> Eigenmodes:
        """Rigid motions, then oscillations, and motions that grow or decay without oscillation."""
        order = np.argsort(values, kind="stable")
        values, vectors = values[order], vectors[:, order]
        stretch = np.abs(values) / work(self.K, vectors)
        rigid = stretch <= self.small
        doubtful = math.sqrt(float(np.abs(values[rigid & (stretch > 10 * ROUNDED)]).max(initial=0.0)))
        swings, apart = ~rigid & (values > 0.0), ~rigid & (values < 0.0)
        rates = np.sqrt(-values[apart])
        return Eigenmodes(
            np.concatenate([np.zeros(int(rigid.sum())), 1j * np.sqrt(values[swings])]),
            np.concatenate([vectors[:, rigid], vectors[:, swings]], axis=1),
            int(rigid.sum()),
            np.concatenate([rates, -rates]),
            np.concatenate([vectors[:, apart], vectors[:, apart]], axis=1),
            doubtful,
            self.missing,
        )

    def _count(self, limit: float) -> int | None:
        return eigenvalues_below(limit, self.M, self.K, self.B)

    def _growing(self) -> tuple[Array, Array]:
        """Eigenvalues below the shift: motions that grow. Usually none or few."""
        nothing = np.zeros(0), np.zeros((self.M.shape[0], 0))
        shift = -SHIFT * self.scale
        below = self._count(shift)
        if not below:
            return nothing
        lower = shift
        while self._count(lower) and lower > -1e3 * self.scale:
            lower *= 10.0
        for more in (2, 8, 32):
            values, vectors = self._nearest(lower, min(below + more, self.free - 1))
            if int(np.sum(values < shift)) >= below:
                break
        return values[values < shift], vectors[:, values < shift]

    def _lowest(self, count: int) -> tuple[Array, Array]:
        """At least `count` of the lowest, without gaps, and growing motions."""
        grows = self._growing()
        more = MORE
        for _ in range(TRIES):
            k = min(count + more, self.free - 1)
            values, vectors = self._nearest(-SHIFT * self.scale, k)
            values, vectors = joined(grows, (values, vectors), -SHIFT * self.scale)
            last = min(count + len(grows[0]), len(values)) - 1
            limit, upto = gap(values, last)
            counted = self._count(limit)
            if counted is None or counted == upto:
                self.missing = 0
                return values[:upto], vectors[:, :upto]
            self.missing = abs(counted - upto)
            more = 2 * more + max(0, counted - upto)
        return values[:upto], vectors[:, :upto]

    def _between(self, wanted: Wanted) -> tuple[Array, Array]:
        """All in a range of frequencies, or the first of them."""
        low = wanted.low**2 * (1.0 - 1e-9) if wanted.low else -math.inf
        high = wanted.high**2 * (1.0 + 1e-9) if math.isfinite(wanted.high) else math.inf
        if not math.isfinite(high):  # a number of modes above a frequency
            assert wanted.count is not None
            return self._from(low, wanted.count)
        above = self._firmly(high)
        below = 0 if not wanted.low else self._firmly(low)
        many = above - below
        _check_part(many if wanted.count is None else min(many, wanted.count), self.free)
        if many <= 0:
            return np.zeros(0), np.zeros((self.M.shape[0], 0))
        if wanted.count is not None and 2 * wanted.count < many:
            return self._from(low, wanted.count) if wanted.low else self._lowest(wanted.count)
        if wanted.low:
            values, vectors = self._all(0.5 * (low + high), many, low, high)
        else:
            grows, shift = self._growing(), -SHIFT * self.scale
            values, vectors = joined(grows, self._all(shift, many - len(grows[0]), shift, high), shift)
        return values, vectors

    def _from(self, low: float, count: int) -> tuple[Array, Array]:
        """`count` eigenvalues above a limit: the closest to a shift there, until enough are above."""
        below = self._firmly(low)
        k, upto = 2 * count + MORE, 0
        for _ in range(3 * TRIES):
            _check_part(k // 2, self.free)
            values, vectors = self._nearest(low, min(k, self.free - 1))
            inside = values >= low
            values, vectors = values[inside], vectors[:, inside]
            if len(values) >= min(count, self.free - below) or k >= self.free - 1:
                limit, upto = gap(values, min(count, len(values)) - 1)
                counted = self._count(limit)
                self.missing = 0 if counted is None else abs(counted - below - upto)
                if not self.missing or k >= self.free - 1:
                    break
            k *= 2
        return values[:upto], vectors[:, :upto]

    def _firmly(self, limit: float) -> int:
        """Number of eigenvalues below a limit, or close to it if an eigenvalue is on the limit."""
        for part in (0.0, 1e-7, 1e-6, 1e-5):
            counted = self._count(limit * (1.0 + part))
            if counted is not None:
                return counted
        raise SolveError(
            f"modes: the number of frequencies below {math.sqrt(abs(limit)) / (2 * math.pi):g} Hz cannot be determined; "
            "specify another limit",
            time=None,
        )

    def _all(self, shift: float, many: int, low: float, high: float) -> tuple[Array, Array]:
        """All `many` eigenvalues between two limits."""
        more = MORE
        if many <= 0:
            return np.zeros(0), np.zeros((self.M.shape[0], 0))
        for _ in range(TRIES):
            k = min(many + more, self.free - 1)
            values, vectors = self._nearest(shift, k)
            inside = (values >= low) & (values <= high)
            self.missing = abs(many - int(inside.sum()))
            if not self.missing or k == self.free - 1:
                break
            more = 2 * more + many // 4
        return values[inside], vectors[:, inside]

    def _nearest(self, shift: float, k: int) -> tuple[Array, Array]:
        """The k eigenvalues closest to a shift, increasing, and vectors of unit mass."""
        import scipy.sparse.linalg as sla

        n = self.M.shape[0]
        saddle = _Saddle(self.K - shift * self.M, self.B.T, self.B)
        start = saddle.solve(self.M @ np.random.default_rng(0).standard_normal(n))
        operator = sla.LinearOperator((n, n), matvec=saddle.solve, dtype=float)
        _, vectors = sla.eigsh(
            self.K, k, M=self.M, sigma=shift, OPinv=operator, v0=start, ncv=min(n, max(2 * k + 1, 20)), tol=0.0
        )
        return self._ritz(vectors)

    def _ritz(self, vectors: Array) -> tuple[Array, Array]:
        """Rayleigh-Ritz in the space of the vectors: the eigenvalues are as accurate as K, not as its shifted factors."""
        import scipy.linalg as la

        values, mix = la.eigh(vectors.T @ (self.K @ vectors), vectors.T @ (self.M @ vectors))
        return values, vectors @ mix


def _check_part(many: int, free: int) -> None:
    if many > max(50, free // 3):
        raise TooMany


class _Damped:
    """Damping, gyroscopic terms, forces without a potential."""

    def __init__(self, M: Any, D: Any, K: Any, C: Any, B: Any, free: int, small: float) -> None:
        self.M, self.D, self.K, self.C, self.B, self.free, self.small = M, D, K, C, B, free, small
        self.doubtful = 0.0

    def modes(self, wanted: Wanted) -> Eigenmodes:
        still, slowest = self._rigid_motions()
        shift = 0.1 * slowest
        count = wanted.count if wanted.count is not None else MORE
        k = 2 * (count + MORE)
        while True:
            _check_part(k // 2, self.free)
            k = min(k, 2 * self.free - 2)
            s, x = self._nearest(shift, k)
            reach = float(np.max(np.abs(s - shift), initial=0.0)) - shift  # all |s| up to here are known
            moving = np.abs(s) > ZERO * shift
            inside = (
                moving
                & (np.abs(s) <= min(reach, wanted.high) * (1.0 + 1e-9))
                & (np.abs(s) >= wanted.low * (1.0 - 1e-9))
            )
            swings = inside & (s.imag > 1e-12 * np.abs(s))
            whole = 2 * self.free - 2 <= k
            enough = (
                wanted.count is not None and int(swings.sum()) + (0 if wanted.low else still.shape[1]) >= wanted.count
            )
            if enough or whole or reach >= wanted.high:
                break
            k *= 2
        order = np.flatnonzero(swings)[np.argsort(np.abs(s[swings]), kind="stable")]
        rigid = still if not wanted.low else still[:, :0]
        alone = inside & (np.abs(s.imag) <= 1e-12 * np.abs(s))
        return Eigenmodes(
            np.concatenate([np.zeros(rigid.shape[1]), s[order]]),
            np.concatenate([rigid, x[:, order]], axis=1),
            rigid.shape[1],
            s[alone].real,
            x[:, alone].real,
            self.doubtful,
        )

    def _rigid_motions(self) -> tuple[Array, float]:
        """Motions without deformation (n, r), and the lowest undamped frequency [1/s] of the others."""
        scale = _highest(self.M, self.K)
        k = 8
        while True:
            k = min(k, self.free - 1)
            values, vectors = self._undamped(-SHIFT * scale, k)
            stretched = self.K @ vectors
            reaction = stretched - self.M @ self._eased(stretched)
            size = np.linalg.norm(abs(self.K) @ np.abs(vectors), axis=0) + np.linalg.norm(reaction, axis=0)
            force = np.linalg.norm(stretched - reaction, axis=0) / np.where(size > 0.0, size, 1.0)
            stretch = np.abs(np.einsum("in,in->n", vectors, stretched)) / work(self.K, vectors)
            # a vector is known to first order, its energy to second; forces without a potential may do no work
            rigid = (stretch <= self.small) & (force <= max(self.small, 1e-12))
            self.doubtful = math.sqrt(float(np.abs(values[rigid & (stretch > 10 * ROUNDED)]).max(initial=0.0)))
            rest = np.abs(values[~rigid])
            if rest.size or k >= self.free - 1:
                break
            k *= 2
        slowest = math.sqrt(float(rest.min())) if rest.size else math.sqrt(scale)
        return independent(vectors[:, rigid], self.M), slowest

    def _undamped(self, shift: float, k: int) -> tuple[Array, Array]:
        """Eigenvalues closest to a shift and real vectors that span their space, without damping."""
        import scipy.sparse.linalg as sla

        n = self.M.shape[0]
        saddle = _Saddle(self.K - shift * self.M, self.C, self.B)
        operator = sla.LinearOperator((n, n), matvec=lambda v: saddle.solve(self.M @ v), dtype=float)
        start = saddle.solve(self.M @ np.random.default_rng(0).standard_normal(n))
        turned, vectors = sla.eigs(operator, min(k, n - 2), v0=start, ncv=min(n, max(2 * k + 1, 20)), tol=0.0)
        # rigid motions are real: rotated so that the largest entry is real; for others only the frequency is needed
        largest = vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])]
        basis = (vectors * (np.abs(largest) / largest)).real
        norm = np.sqrt(np.einsum("in,in->n", basis, self.M @ basis))
        return shift + 1.0 / turned, basis / np.where(norm > 0.0, norm, 1.0)

    def _eased(self, force: Array) -> Array:
        """Accelerations (n, k) under forces (n, k)."""
        saddle = _Saddle(self.M, self.C, self.B)
        return np.stack([saddle.solve(f) for f in force.T], axis=1) if force.shape[1] else force

    def _nearest(self, shift: float, k: int) -> tuple[Array, Array]:
        """The k eigenvalues closest to a real shift, and the displacements of their vectors (n, k) of unit mass."""
        import scipy.sparse.linalg as sla

        n = self.M.shape[0]
        saddle = _Saddle(self.K + shift * self.D + shift**2 * self.M, self.C, self.B)
        weight = 1.0 / shift  # v in units of x: both halves of the states have equal weights

        def inverse(state: Array) -> Array:
            x, v = state[:n], state[n:] / weight
            moved = saddle.solve(-(self.M @ v + self.D @ x + shift * (self.M @ x)))
            return np.concatenate([moved, weight * (shift * moved + x)])

        start = inverse(inverse(np.random.default_rng(0).standard_normal(2 * n)))
        operator = sla.LinearOperator((2 * n, 2 * n), matvec=inverse, dtype=float)
        turned, vectors = sla.eigs(operator, k, v0=start, ncv=min(2 * n, max(2 * k + 1, 20)), tol=0.0)
        x = vectors[:n]
        mass = np.einsum("in,in->n", x.conj(), self.M @ x).real
        return shift + 1.0 / turned, x / np.sqrt(np.where(mass > 0.0, mass, 1.0))
