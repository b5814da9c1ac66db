"""Generalized-alpha on an undamped oscillator of frequency w: y_{n+1} = A y_n with y = (d, h v, h^2 a), W = h w.

    (1 - am) a1 + am a0 = -w^2 ((1 - af) d1 + af d0)
    d1 = d0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),   v1 = v0 + h ((1 - gamma) a0 + gamma a1)
    gamma = 1/2 + af - am,   beta = (gamma + 1/2)^2/4
    generalized-alpha (Chung & Hulbert 1993): am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1);   HHT: am = 0, af = -alpha

Its eigenvalues for W -> infinity have the largest modulus rho (HHT: (1 + alpha)/(1 - alpha)).
"""

import numpy as np


def amplification_matrix(W: float, *, rho: float | None = None, hht: float | None = None) -> np.ndarray:
    if rho is None:
        assert hht is not None
        am, af = 0.0, -hht
    else:
        am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    beta = 0.25 * (gamma + 0.5) ** 2
    new = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - af) * W**2, 0, 1 - am]])
    old = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-af * W**2, 0, -am]])
    return np.linalg.solve(new, old)


def spectral_radius(A: np.ndarray) -> float:
    return float(np.max(np.abs(np.linalg.eigvals(A))))
