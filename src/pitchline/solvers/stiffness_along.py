"""Stiffness of a system along a displacement."""

from typing import Any

import numpy as np

from ..system.system import System

__all__ = ["stiffness_along"]


def stiffness_along(system: System, K: Any, d: np.ndarray) -> float:
    """d^T K d along increments d (n,), including compliant rows: (b d)^2 k.

    Rows of own coordinates of order 1 are not forces. These coordinates follow the others, if their equations determine them.
    """
    nq = system.n_q
    massless = system.own.first_order
    if massless.size:
        d = d.copy()
        own = K[massless] if isinstance(K, np.ndarray) else K.tocsr()[massless]
        others = d.copy()
        others[massless] = 0.0
        square = own[:, massless] if isinstance(own, np.ndarray) else own[:, massless].toarray()
        try:
            follows = np.linalg.solve(square, -(own[:, :nq] @ others))
        except np.linalg.LinAlgError:
            follows = d[massless]
        d[massless] = follows
    forces = K[:nq, :nq] @ d
    forces[system.own.first_order] = 0.0
    stiffness = float(d @ forces)
    give = -K.diagonal()[nq:]
    soft = np.flatnonzero(give > 0.0)
    if soft.size:
        stiffness += float(np.sum((K[nq + soft, :nq] @ d) ** 2 / give[soft]))
    return stiffness
