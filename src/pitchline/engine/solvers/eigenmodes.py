"""Eigenvalues of M y'' + D y' + K y = 0 for small dense matrices.

Without damping K y = w^2 M y. Its vectors are real and, for equal frequencies, still independent if K is symmetric. Otherwise
the companion matrix in coordinates z = U y, M = U^T U, in which masses of all magnitudes have equal weights:

    (z, z')' = [0 1; -k -d] (z, z')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .linearised import LinearMotion

__all__ = ["gap", "independent", "joined", "work"]


SYMMETRIC = 1e-9
"""Asymmetry of a matrix, relative to its largest entry, that counts as rounding."""
NO_STIFFNESS = 1e-10
"""Limit of |K y| / | |K| |y| | for a motion without deformation, about a loaded state, whose imbalance has this magnitude."""
ROUNDED_STIFFNESS = 1e-13
"""The same without load, with only rounding errors."""

ROUNDING = 1e-14
"""Square of a frequency, relative to the largest one, that counts as zero."""


@dataclass
class Eigenmodes:
    """One entry for each mode, in order of increasing frequency: rigid-body motions first, then pairs s, s* (the one
    with Im s > 0)."""

    values: np.ndarray  # (n,) s [1/s]
    vectors: np.ndarray  # (k, n)
    rigid: int
    """Number of motions without deformation (s = 0)."""
    real: np.ndarray
    """Eigenvalues without oscillation: negative ones decay, positive ones grow [1/s]."""
    real_vectors: np.ndarray
    doubtful: float = 0.0
    """Largest |s| [1/s] of motions that count as rigid because of limited accuracy, beyond rounding."""
    missing: int = 0
    """Number of eigenvalues in the range that were counted but not found."""


def eigenmodes(
    M: np.ndarray,
    D: np.ndarray,
    K: np.ndarray,
    *,
    no_stiffness: float = NO_STIFFNESS,
    from_loads: np.ndarray | None = None,
) -> Eigenmodes:
    """All modes of the free coordinates. M is symmetric and positive. no_stiffness: see NO_STIFFNESS. from_loads (k, k): magnitude
    of the stiffness that loads cause when they rotate, of which ROUNDED_STIFFNESS is rounding."""
    import scipy.linalg as la

    U = la.cholesky(0.5 * (M + M.T))
    k = la.solve_triangular(U, la.solve_triangular(U, K.T, trans=1).T, trans=1)
    d = la.solve_triangular(U, la.solve_triangular(U, D.T, trans=1).T, trans=1)
    size = np.abs(K) if from_loads is None else np.abs(K) + ROUNDED_STIFFNESS / no_stiffness * from_loads
    squares, shapes = _undamped(k)
    stretch = stretch_of(la.solve_triangular(U, shapes), K, size)
    slow = np.abs(squares) <= ROUNDING * np.abs(squares).max(initial=0.0)
    rigid = (stretch <= no_stiffness) | slow
    doubtful = float(np.sqrt(np.abs(squares[rigid & (stretch > 10 * ROUNDED_STIFFNESS)]).max(initial=0.0)))
    if np.any(d):
        slowest = 0.0 if from_loads is None else ROUNDED_STIFFNESS * _rate(M, from_loads)
        still, values, vectors = _damped(d, k, _still(U, k, K, size, no_stiffness), slowest)
    else:
        still = shapes[:, rigid]
        roots = np.sqrt(-squares[~rigid].astype(complex))
        values, vectors = np.concatenate([roots, -roots]), np.tile(shapes[:, ~rigid], 2)
    return in_order(U, still, values, vectors, doubtful)


def in_order(U: np.ndarray, still: np.ndarray, values: np.ndarray, vectors: np.ndarray, doubtful: float) -> Eigenmodes:
    """Modes from rigid motions and nonzero eigenvalues, with their vectors z = U y: sorted by frequency, real ones separate."""
    import scipy.linalg as la

    size = np.abs(values)
    swings, alone = values.imag > 1e-12 * size, np.abs(values.imag) <= 1e-12 * size
    order = np.flatnonzero(swings)[np.argsort(size[swings], kind="stable")]
    return Eigenmodes(
        np.concatenate([np.zeros(still.shape[1]), values[order]]),
        la.solve_triangular(U, np.concatenate([still, vectors[:, order]], axis=1)),
        still.shape[1],
        values[alone].real,
        la.solve_triangular(U, vectors[:, alone]),
        doubtful,
    )


def _still(U: np.ndarray, k: np.ndarray, K: np.ndarray, size: np.ndarray, no_stiffness: float) -> np.ndarray:
    """Motions z without a force k z, (n, r).

    About a moving state k is not symmetric, and an eigenvalue 0 of k may have fewer vectors than its multiplicity. The others
    of these motions have forces, which must not be left out."""
    import scipy.linalg as la

    _, sizes, rows = la.svd(k)
    stretch = stretch_of(la.solve_triangular(U, rows.T), K, size)
    forceful = (stretch > no_stiffness) & (sizes > ROUNDING * sizes.max(initial=0.0))
    found: np.ndarray = rows[int(np.max(np.flatnonzero(forceful), initial=-1)) + 1 :].T
    return found


def _rate(M: np.ndarray, from_loads: np.ndarray) -> float:
    """Rate of the motions that the loads cause [1/s]."""
    mass = M.diagonal()
    return float(np.sqrt(np.max(from_loads.diagonal()[mass > 0.0] / mass[mass > 0.0], initial=0.0)))


def _damped(d: np.ndarray, k: np.ndarray, R: np.ndarray, slowest: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rigid motions R (n, r), nonzero eigenvalues, their vectors) of z'' + d z' + k z = 0. slowest: |s| that is rounding.

    An undamped rigid motion is a double eigenvalue with one vector, which rounding would split. With z = R a + Q b, k R = 0,
    no force depends on a itself: the states are (b, a', b')."""
    import scipy.linalg as la

    n, rigid = R.shape
    Q = la.svd(R.T)[2][rigid:].T if rigid else np.eye(n)
    A = np.zeros((2 * n - rigid, 2 * n - rigid))
    b, rates = slice(0, n - rigid), slice(n - rigid, 2 * n - rigid)
    both = np.concatenate([R, Q], axis=1)
    A[b, 2 * n - rigid - (n - rigid) :] = np.eye(n - rigid)
    A[rates, b], A[rates, rates] = -both.T @ k @ Q, -both.T @ d @ both
    values, vectors = la.eig(A)
    moving = np.abs(values) > max(slowest, 1e-12 * np.max(np.abs(values), initial=0.0))
    values, vectors = values[moving], vectors[:, moving]
    return R, values, both @ vectors[rates] / values


def _undamped(k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and vectors of k z = w^2 z."""
    import scipy.linalg as la

    if not k.size:
        return np.zeros(0), np.zeros((0, 0))
    if np.abs(k - k.T).max() <= SYMMETRIC * np.abs(k).max():
        return la.eigh(0.5 * (k + k.T))
    squares, shapes = la.eig(k)
    if np.abs(squares.imag).max() <= 1e-9 * np.abs(squares).max():
        return squares.real, shapes.real
    return squares, shapes


def stretch_of(vectors: np.ndarray, K: np.ndarray, size: np.ndarray | None = None) -> np.ndarray:
    """|K y| / | |K| |y| | of vectors, (n,); 0 if there is no stiffness at all. size: in place of |K|."""
    force = np.linalg.norm(K @ vectors, axis=0)
    whole = np.linalg.norm((np.abs(K) if size is None else size) @ np.abs(vectors), axis=0)
    return np.asarray(force / np.where(whole > 0.0, whole, 1.0))


# ---- eigenpairs

# Helpers for sets of eigenvalues and eigenvectors.

Array = np.ndarray


def joined(first: tuple[Array, Array], second: tuple[Array, Array], limit: float) -> tuple[Array, Array]:
    """Eigenpairs of the first set, and those of the second above a limit."""
    beyond = second[0] >= limit
    return np.concatenate([first[0], second[0][beyond]]), np.concatenate([first[1], second[1][:, beyond]], axis=1)


def gap(values: Array, last: int) -> tuple[float, int]:
    """Limit in the largest gap after entry `last` of increasing values, and the number of values below it."""
    if len(values) < 2 or last >= len(values) - 1:
        return (float(values[-1] + 1e-6 * abs(values[-1])) if len(values) else 0.0), len(values)
    after = values[max(last, 0) :]
    i = max(last, 0) + int(np.argmax(np.diff(after) / np.maximum(np.abs(after[1:]), 1e-300)))
    return float(0.5 * (values[i] + values[i + 1])), i + 1


def work(K: Any, vectors: Array) -> Array:
    """|x|^T |K| |x| of vectors (n, k)."""
    size = np.abs(vectors)
    total = np.einsum("in,in->n", size, abs(K) @ size)
    return np.where(total > 0.0, total, 1.0)


def independent(vectors: Array, M: Any) -> Array:
    """M-orthonormal basis of the space of some vectors."""
    if not vectors.shape[1]:
        return vectors
    import scipy.linalg as la

    values, mix = la.eigh(vectors.T @ (M @ vectors))
    keep = values > 1e-10 * values.max()
    return np.asarray(vectors @ (mix[:, keep] / np.sqrt(values[keep])))


# ---- first order modes

# Modes of motions with some coordinates of order 1: y' = f, such as controllers.
#
# M x'' + D x' + K x = 0 , x = (s, y), M without columns of y
#
# With E = [M_s D_y], the columns of D for y, the highest derivatives are E (s'', y') = -(D_s s' + K x). If x = R a +
# Q b, K R = 0, no force depends on a itself: the states are (b, s'), and a rigid motion is not a double eigenvalue
# (as in `eigenmodes`).


def modes_of_motion(
    motion: LinearMotion, *, no_stiffness: float = NO_STIFFNESS, loads: np.ndarray | None = None
) -> Eigenmodes:
    """All modes of the free coordinates, of order 2 and 1. loads (n,): stiffness that loads cause when they rotate."""
    if not motion.massless.places.size:
        size = np.abs(motion.N)
        from_loads = None if loads is None else size.T @ (loads[:, None] * size)
        return eigenmodes(*motion.reduced(), no_stiffness=no_stiffness, from_loads=from_loads)
    import scipy.linalg as la

    U = la.cholesky(0.5 * (motion.metric() + motion.metric().T))
    _, D, K = motion.reduced()
    E, d, k = (la.solve_triangular(U, la.solve_triangular(U, X.T, trans=1).T, trans=1) for X in (motion.rates(), D, K))
    s, y = motion.second_order, motion.first_order
    _, size, right = la.svd(k)
    rigid = (stretch_of(right.T, k) <= no_stiffness) | (size <= ROUNDING * size.max(initial=0.0))
    R, Q = right[rigid].T, right[~rigid].T
    bent = Q.shape[1]
    highest = -np.linalg.solve(E, np.concatenate([k @ Q, d[:, s]], axis=1))
    rate = np.zeros((len(k), bent + len(s)))
    rate[s, bent + np.arange(len(s))] = 1.0
    rate[y] = highest[y]
    values, vectors = la.eig(np.concatenate([Q.T @ rate, highest[s]]))
    moving = np.abs(values) > 1e-12 * np.max(np.abs(values), initial=0.0)
    values, vectors = values[moving], vectors[:, moving]
    return in_order(U, R, values, rate @ vectors / values, 0.0)


# ---- inertia count

# Number of eigenvalues of K x + B^T mu = lambda M x, B x = 0 below a limit: Sylvester's law of inertia.
#
# [K - limit M, B^T; B, -e] has one negative eigenvalue for each constraint, and one for each eigenvalue below the
# limit. A small e > 0 replaces the constraints by very stiff springs, and makes every pivot on the diagonal possible.
# With a factorisation L D L^T without exchange of rows, the signs of the pivots D are those of the eigenvalues.

RESIDUAL = 1e-6
"""Largest relative residual of a solution for which the signs of the factors are accepted."""
STIFF = 1e8
"""Stiffness that replaces a constraint, relative to that of its coordinates."""


def eigenvalues_below(limit: float, M: Any, K: Any, B: Any) -> int | None:
    """Number of eigenvalues; None if the pivots are not reliable (an eigenvalue on the limit, large growth of rounding)."""
    import scipy.sparse as sp
    import scipy.sparse.linalg as sla

    shifted = (K - limit * M).tocsc()
    size = np.abs(K.diagonal()) + abs(limit) * M.diagonal()
    size = np.where(size > 0.0, size, size.max(initial=1.0))
    m = B.shape[0]
    scale = 1.0 / np.sqrt(size)
    if m:
        give = np.asarray(B.multiply(B) @ (1.0 / size)).ravel()
        shifted = sp.bmat([[shifted, B.T], [B, -sp.diags(give / STIFF)]], format="csc")
        scale = np.concatenate([scale, 1.0 / np.sqrt(give)])
    scaled = (sp.diags(scale) @ shifted @ sp.diags(scale)).tocsc()
    try:
        lu = sla.splu(scaled, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:  # a pivot was exactly zero
        return None
    if not np.array_equal(lu.perm_r, lu.perm_c):
        return None
    load = np.random.default_rng(0).standard_normal(scaled.shape[0])
    x = lu.solve(load)
    if not np.all(np.isfinite(x)) or np.linalg.norm(scaled @ x - load) > RESIDUAL * np.linalg.norm(load):
        return None
    return int(np.sum(lu.U.diagonal() < 0.0)) - m
