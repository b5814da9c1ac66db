"""Eigenvalues of M y'' + D y' + K y = 0 for small dense matrices.

Without damping K y = w^2 M y. Its vectors are real and, for equal frequencies, still independent if K is symmetric. Otherwise
the companion matrix in coordinates z = U y, M = U^T U, in which masses of all magnitudes have equal weights:

    (z, z')' = [0 1; -k -d] (z, z')
"""

from dataclasses import dataclass

import numpy as np

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
