"""Linear complementarity problem of impulses that only push."""

import numpy as np

DEPENDENT = 1e-12
"""Compliance of contacts that depend on each other, relative to the largest response."""


def pushing(W: np.ndarray, q: np.ndarray) -> np.ndarray:
    """z >= 0 with W z - q >= 0 and z (W z - q) = 0. W (n, n) has no negative eigenvalue.

    Principal pivoting by the least index (Murty), which ends for positive definite W. More contacts than degrees of freedom
    share the impulse. Where nothing can move (W is singular and no z solves it), z is the one with the smallest error: check it."""
    n = len(q)
    sizes = np.linalg.svd(W, compute_uv=False) if n else np.ones(1)
    if sizes[-1] < 1e2 * DEPENDENT * sizes[0]:
        W = W + DEPENDENT * sizes[0] * np.eye(n)
    small = 1e-13 * float(np.max(np.abs(q), initial=0.0))
    active = q > 0.0
    z = np.zeros(n)
    for _ in range(50 + 2 ** min(n, 12)):
        z = np.zeros(n)
        if active.any():
            z[active] = _solution(W[np.ix_(active, active)], q[active])
        w = W @ z - q
        wrong = np.flatnonzero(np.where(active, z < 0.0, w < -small))
        if not wrong.size:
            return z
        active[wrong[0]] = not active[wrong[0]]
    return np.maximum(z, 0.0)


def _solution(W: np.ndarray, q: np.ndarray) -> np.ndarray:
    """z with W z = q, or with the smallest error if W is singular."""
    try:
        return np.linalg.solve(W, q)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(W, q, rcond=None)[0]
