"""Number of eigenvalues of K x + B^T mu = lambda M x, B x = 0 below a limit: Sylvester's law of inertia.

[K - limit M, B^T; B, -e] has one negative eigenvalue for each constraint, and one for each eigenvalue below the limit. A small
e > 0 replaces the constraints by very stiff springs, and makes every pivot on the diagonal possible. With a factorisation L D
L^T without exchange of rows, the signs of the pivots D are those of the eigenvalues.
"""

from typing import Any

import numpy as np

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
