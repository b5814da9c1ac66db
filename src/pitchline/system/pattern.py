"""Sparsity of the tangent: which entries each element may fill, and where they go."""

from dataclasses import dataclass

import numpy as np

from ..elements.contract import MAX_LOCAL, MAX_REPORT, N_COEFFICIENTS, TANGENT, Element, call_at


def local_pattern(element: Element, functions: np.ndarray) -> np.ndarray:
    """Entries of an element's tangent that can be nonzero (boolean, local size).

    Found by probing at random states: what its parameters make zero is zero in every state.
    """
    n = 6 * len(element.nodes)
    m = n + len(element.rows)
    pattern = np.zeros((m, m), bool)
    if element.kind.full_pattern:
        return np.ones((m, m), bool)
    random = np.random.default_rng(0)
    memory = np.zeros(max(8, element.memory.size))
    for _ in range(2):
        J = np.zeros((MAX_LOCAL, MAX_LOCAL))
        call_at(
            element.kind.address, element.parameters, memory, functions, random.normal(size=(4, 12)), random.normal(size=(4, 6)),
            random.normal(size=(4, 6)), random.normal(size=8), random.normal(size=N_COEFFICIENTS), TANGENT,
            np.zeros(MAX_REPORT), J,
        )  # fmt: skip
        pattern |= J[:m, :m] != 0
    return pattern


@dataclass
class Scatter:
    """Where the entries of all active elements go."""

    ptr: np.ndarray
    loc_i: np.ndarray
    loc_j: np.ndarray
    row: np.ndarray
    column: np.ndarray
    scale: np.ndarray


def scatter(
    elements: list[Element],
    functions: np.ndarray,
    lam0: np.ndarray,
    dof0: np.ndarray,
    ndof: np.ndarray,
    T: np.ndarray,
    free_rotation: np.ndarray,
    equation: np.ndarray,
    lam_scale: np.ndarray,
) -> Scatter:
    """Scatter list of the elements in their order."""
    ptr = [0]
    parts: list[tuple[np.ndarray, ...]] = []
    for e, element in enumerate(elements):
        n = 6 * len(element.nodes)
        pattern = local_pattern(element, functions)
        m = len(pattern)
        to = np.full(m, -1)
        scale = np.ones(m)
        for k, g in enumerate(element.nodes):
            block = slice(6 * k, 6 * k + 6)
            if free_rotation[g] >= 0 and not element.kind.has_inertia:
                # turning the columns by T(theta) mixes the three rotations
                pattern[:, 6 * k + 3 : 6 * k + 6] |= np.any(pattern[:, 6 * k + 3 : 6 * k + 6], axis=1, keepdims=True)
            if ndof[g] < 6:
                pattern = _mapped(pattern, block, T[g], ndof[g])
            to[6 * k : 6 * k + ndof[g]] = dof0[g] + np.arange(ndof[g])
        mine = slice(lam0[e], lam0[e] + len(element.rows))
        to[n:] = equation[mine]
        scale[n:] = lam_scale[mine]
        i, j = np.nonzero(pattern & (to[:, None] >= 0) & (to[None, :] >= 0))
        parts.append((i, j, to[i], to[j], scale[i] * scale[j]))
        ptr.append(ptr[-1] + len(i))
    joined = [np.concatenate(x) for x in zip(*parts, strict=True)] if parts else [np.zeros(0, int)] * 4 + [np.zeros(0)]
    return Scatter(np.array(ptr, np.int64), *joined)


def _mapped(pattern: np.ndarray, block: slice, T: np.ndarray, nd: int) -> np.ndarray:
    """Pattern after J <- T^T J T on one node."""
    B = np.zeros((6, 6), bool)
    B[:, :nd] = T[:, :nd] != 0
    out = pattern.copy()
    out[:, block] = (out[:, block].astype(int) @ B) > 0
    out[block, :] = (B.T.astype(int) @ out[block, :]) > 0
    return out


def compressed_columns(n: int, row: np.ndarray, column: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(Ap, Ai, place of each entry) of the matrix with these entries."""
    key = column.astype(np.int64) * n + row
    unique, place = np.unique(key, return_inverse=True)
    return (
        np.searchsorted(unique // n, np.arange(n + 1)).astype(np.int64),
        (unique % n).astype(np.int64),
        place.astype(np.int64),
    )
