"""How many eigenvalues of K x + B^T mu = lambda M x, B x = 0 lie below a limit: Sylvester's law of inertia.

[K - limit M, B^T; B, -e] has as many negative eigenvalues as it has constraints, and one more for each eigenvalue below the limit:
a small e > 0 holds the constraints with very stiff springs in place of exactly, and makes every pivot on the diagonal possible.
Factorised without exchange of rows, L D L^T, the signs of the pivots D are those of the eigenvalues.
"""

from typing import Any

import numpy as np

RESIDUAL = 1e-6
"""Largest relative residual of a solution by factors whose signs are believed."""
STIFF = 1e8
"""Stiffness that stands for a constraint, relative to that of the coordinates it holds."""


def eigenvalues_below(limit: float, M: Any, K: Any, B: Any) -> int | None:
    """Their number; None where the pivots cannot be trusted (an eigenvalue on the limit, large growth of rounding)."""
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
