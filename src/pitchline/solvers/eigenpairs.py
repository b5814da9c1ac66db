"""Helpers for sets of eigenvalues and eigenvectors."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["gap", "independent", "joined", "work"]

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
