"""Matrices outside the step loop: arrays for small systems, sparse matrices for others.

For a small system, the overhead of scipy's sparse matrices dominates: about 0.1 ms for each sum or product.
"""

from typing import Any

import numpy as np


class ArrayFactors:
    """Solutions with a small matrix. `solve` raises a RuntimeError if it is singular.

    Rows and columns are scaled to a largest entry of 1: stiffness, masses and gradients of constraints have different units,
    which would otherwise determine the pivots."""

    def __init__(self, matrix: np.ndarray) -> None:
        self.rows = _one_over(np.maximum.reduce(np.abs(matrix), axis=1, initial=0.0))
        scaled = matrix * self.rows[:, None]
        self.columns = _one_over(np.maximum.reduce(np.abs(scaled), axis=0, initial=0.0))
        self.matrix = scaled * self.columns

    def solve(self, b: np.ndarray) -> np.ndarray:
        try:
            x: np.ndarray = np.linalg.solve(self.matrix, self.rows * b)
        except np.linalg.LinAlgError as error:
            raise RuntimeError(str(error)) from None
        return self.columns * x


def _one_over(sizes: np.ndarray) -> np.ndarray:
    """1/size, 1 if it is 0."""
    return 1.0 / np.where(sizes > 0.0, sizes, 1.0)


def factors_of(matrix: Any) -> Any:
    """Factors with `solve(b)`. A singular matrix raises a RuntimeError, here or in the first `solve`."""
    if isinstance(matrix, np.ndarray):
        return ArrayFactors(matrix)
    import scipy.sparse.linalg as sla

    return sla.splu(matrix.tocsc(), permc_spec="COLAMD")


def solution(matrix: Any, b: np.ndarray) -> np.ndarray | None:
    """matrix^-1 b; None if the matrix is singular."""
    try:
        x: np.ndarray = (ArrayFactors(matrix) if isinstance(matrix, np.ndarray) else factors_of(matrix)).solve(b)
    except RuntimeError:
        return None
    return x if np.isfinite(x).all() else None


def diagonal_like(like: Any, values: np.ndarray) -> Any:
    """Diagonal matrix; an array if `like` is an array."""
    if isinstance(like, np.ndarray):
        return np.diag(values)
    import scipy.sparse as sp

    return sp.diags(values)


def with_identity(matrix: Any, rows: np.ndarray) -> Any:
    """Matrix with some unknowns fixed: their rows and columns are those of the identity."""
    if not rows.size:
        return matrix
    keep = np.ones(matrix.shape[0])
    keep[rows] = 0.0
    if isinstance(matrix, np.ndarray):
        return matrix * keep * keep[:, None] + np.diag(1.0 - keep)
    D = diagonal_like(matrix, keep)
    return D @ matrix @ D + diagonal_like(matrix, 1.0 - keep)


def penalised(matrix: Any, rows: np.ndarray, penalties: np.ndarray) -> Any:
    """Matrix with the columns of some unknowns, times penalties, times their rows, added to the rows of the other unknowns."""
    others = np.setdiff1d(np.arange(matrix.shape[0]), rows)
    if isinstance(matrix, np.ndarray):
        out = matrix.copy()
        out[np.ix_(others, others)] += matrix[np.ix_(others, rows)] @ (
            penalties[:, None] * matrix[np.ix_(rows, others)]
        )
        return out
    keep = np.zeros(matrix.shape[0])
    keep[others] = 1.0
    spread = np.zeros(matrix.shape[0])
    spread[rows] = penalties
    D = diagonal_like(matrix, keep)
    return matrix + D @ matrix @ diagonal_like(matrix, spread) @ matrix @ D


def row_of(matrix: Any, i: int, end: int) -> np.ndarray:
    """The first entries of a row."""
    row: np.ndarray = matrix[i, :end] if isinstance(matrix, np.ndarray) else matrix[[i], :end].toarray()[0]
    return row


def leading_block(matrix: Any, n: int) -> Any:
    """The matrix with zeros outside its first n rows and columns."""
    if isinstance(matrix, np.ndarray):
        block = matrix.copy()
        block[n:, :] = 0.0
        block[:, n:] = 0.0
        return block
    keep = np.zeros(matrix.shape[0])
    keep[:n] = 1.0
    D = diagonal_like(matrix, keep)
    return D @ matrix @ D
