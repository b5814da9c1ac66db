"""Bending of continuous shafts with shear, rotary inertia and gyroscopic moments: transfer matrices.

Complex coordinates w = u_x + i u_y and slope in the same plane; circular whirl exp(i omega t) at the spin W. Per length: shear
stiffness GA, bending stiffness EI, mass m, diametral inertia J. A part is ("shaft", length, section), ("disc", m, J_d, J_p) or
("spring", k); ends are free.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

Part = tuple[Any, ...]
SCALE = np.array([1.0, 1.0, 1e8, 1e7])


def _determinant(omega: float, spin: float, parts: list[Part]) -> float:
    Y = np.eye(4)[:, :2]
    for kind, *values in parts:
        if kind == "shaft":
            length, section = values
            GA, EI, m, J = section.stiffness[0, 0], section.stiffness[3, 3], section.mass[0, 0], section.mass[3, 3]
            turn = -J * omega**2 + 2 * J * spin * omega
            A = np.array([[0, 1, 1 / GA, 0], [0, 0, 0, 1 / EI], [-m * omega**2, 0, 0, 0], [0, turn, -1, 0]])
            Y = expm(A * length) @ Y
        elif kind == "disc":
            m, across, polar = values
            Y[2] += -m * omega**2 * Y[0]
            Y[3] += (-across * omega**2 + polar * spin * omega) * Y[1]
        else:
            Y[2] += values[0] * Y[0]
    return float(np.linalg.det((Y / SCALE[:, None])[2:]))


def whirl_frequencies(
    parts: list[Part],
    low: float,
    high: float,
    *,
    spin: Callable[[float], float] = lambda omega: 0.0,
    samples: int = 200,
) -> np.ndarray:
    """All frequencies [rad/s] between two; `spin` as a function of the frequency: lambda w: w for forward critical speeds."""

    def f(omega: float) -> float:
        return _determinant(omega, spin(omega), parts)

    grid = np.linspace(low, high, samples)
    values = [f(w) for w in grid]
    ends = [(a, b) for a, b, x, y in zip(grid, grid[1:], values, values[1:], strict=False) if x * y < 0]
    return np.array([brentq(f, a, b, xtol=1e-9, rtol=1e-12) for a, b in ends])
