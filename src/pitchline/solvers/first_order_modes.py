"""Modes of motions with some coordinates of order 1: y' = f, such as controllers.

    M x'' + D x' + K x = 0 ,   x = (s, y),  M without columns of y

With E = [M_s D_y], the columns of D for y, the highest derivatives are  E (s'', y') = -(D_s s' + K x). If x = R a + Q b, K R =
0, no force depends on a itself: the states are (b, s'), and a rigid motion is not a double eigenvalue (as in `eigenmodes`).
"""

import numpy as np

from .eigenmodes import NO_STIFFNESS, ROUNDING, Eigenmodes, eigenmodes, in_order, stretch_of
from .linearised import LinearMotion


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
