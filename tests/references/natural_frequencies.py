"""Lowest natural frequencies of a pair of sparse matrices."""

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from pitchline.fem.sparse_solver import factorise


def natural_frequencies(
    K: Any, M: Any, count: int, *, fixed: np.ndarray | None = None, shift: float = 0.0
) -> np.ndarray:
    """(count,) lowest frequencies [Hz] of K x = ω² M x with the degrees of freedom `fixed` held.

    shift: taken off ω² [1/s²]; below zero for a free body. Rigid motions come out as zero, to rounding.
    """
    free = np.arange(K.shape[0]) if fixed is None else np.setdiff1d(np.arange(K.shape[0]), fixed)
    K, M = K[free][:, free], M[free][:, free]
    factor = factorise(K - shift * M)
    inverse = LinearOperator(K.shape, matvec=factor.solve, dtype=float)
    start = np.random.default_rng(0).random(len(free))
    squares = eigsh(K, count, M, sigma=shift, OPinv=inverse, v0=start, return_eigenvectors=False, which="LM")
    return np.sqrt(np.maximum(np.sort(squares), 0.0)) / (2 * np.pi)
