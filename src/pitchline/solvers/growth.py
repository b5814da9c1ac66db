"""Motions about an operating point that grow by more than errors of its matrices explain."""

from typing import Any

import numpy as np

from .eigenmodes import Eigenmodes
from .linearised import SparseMotion

__all__ = ["Growing", "growing"]

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
