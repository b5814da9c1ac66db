"""Deflections at which a bearing balances a load: Newton's method with a line search on the convex potential V - F e."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import SolveError
from .law import ContactLaw

__all__ = ["equilibrium"]

_MOST = 400
_ROUNDING = 1e-15
_TRUST = 4.0
"""Largest ratio of a step to the previous one, while rolling elements come into contact."""


def equilibrium(law: ContactLaw, load: Any, free: Sequence[int], what: str) -> np.ndarray:
    """Five deflections [m, rad] under a load [N, N m]. Those that are not free stay zero. SolveError if there is no solution."""
    free = list(free)
    F = np.asarray(load, dtype=float)
    lever = law.lever
    size = np.array([1.0, 1.0, 1.0, 1.0 / lever, 1.0 / lever])  # tilts are measured by the motion of the raceway
    e = np.zeros(6)
    if not F.any():
        return e[:5]
    scale = float(np.max(np.abs(F * size)))
    longest = 1e-5 * lever
    damping = _softest(law, scale)
    state = law.at(e)
    for _ in range(_MOST):
        r = (state.force[:5] - F)[free] * size[free]
        noise = (
            _ROUNDING * lever * float(np.max(np.diag(state.stiffness)[:3]))
        )  # of gaps, which are differences of lengths
        if np.max(np.abs(r)) <= max(1e-11 * scale, noise):
            return e[:5]
        K = state.stiffness[:5, :5] * np.outer(size, size)
        K = K[np.ix_(free, free)]
        floor = max(1e-9 * np.trace(K), damping)
        step = np.zeros(6)
        step[free] = -np.linalg.solve(K + floor * np.eye(len(free)), r) * size[free]
        reach = float(np.max(np.abs(step[:5] / size)))
        step *= min(1.0, longest / reach)
        before, slope = float(np.real(state.energy)) - F @ e[:5], float((state.force[:5] - F) @ step[:5])
        t = 1.0
        while True:
            state = law.at(e + t * step)
            after = float(np.real(state.energy)) - F @ (e + t * step)[:5]
            smaller = np.max(np.abs((state.force[:5] - F)[free] * size[free])) < np.max(np.abs(r))
            if (
                after <= before + 1e-4 * t * slope
                or (smaller and abs(after - before) <= 1e-12 * abs(before))
                or t < 1e-10
            ):
                break
            t *= 0.5
        e = e + t * step
        longest = max(_TRUST * t * min(reach, longest), 1e-7 * lever)
        damping *= 0.1 if t == 1.0 else 4.0
    said = np.array2string(F, precision=6)
    raise SolveError(
        f"{what}: no equilibrium found under the force and moment {said}; a single angular contact or tapered bearing, for "
        "example, needs an axial force in the direction of its contact"
    )


def _softest(law: ContactLaw, scale: float) -> float:
    """Stiffness [N/m] of the first steps before contact: the load divided by 1e-4 of the bearing radius."""
    return 1e4 * scale / law.lever
