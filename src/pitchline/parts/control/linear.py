"""Linear systems with one input and one output: states, and the functions of elements that consist of them.

    x' = A x + b u ,    y = c x + d u

The states are scaled: time by the mean magnitude of the poles, then every state by a power of two so that the rows and columns of
A have similar norms. Coefficients of very different size therefore lose no digits, and states have the magnitude of the input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitchline.errors import ModelError, shown
from pitchline.extend import TANGENT

__all__ = ["evaluate_states", "polynomials", "realised", "respond_states"]

MOST_STATES = 40
"""Largest degree of a denominator. Polynomials of higher degree lose all digits of their roots."""


def polynomials(numerator: Sequence[float], denominator: Sequence[float], variable: str) -> tuple[Any, Any]:
    """Numerator and denominator without leading zeros, the denominator with 1 first; the numerator as long as the denominator.

    ModelError if they do not describe a proper system."""
    num, den = (np.trim_zeros(np.asarray(p, float), "f") for p in (numerator, denominator))
    if not den.size:
        raise ModelError(
            f"denominator must have a coefficient that is not 0, got {shown(list(denominator))}", about="denominator"
        )
    if num.size > den.size:
        raise ModelError(
            f"numerator has the degree {num.size - 1}, but denominator only {den.size - 1}. The output would contain derivatives "
            f"of the input. Specify a denominator of at least the same degree; coefficients are in falling powers of {variable}",
            about="numerator",
        )
    if den.size - 1 > MOST_STATES:
        raise ModelError(
            f"denominator has the degree {den.size - 1}; the largest is {MOST_STATES}. Divide the system into several elements",
            about="denominator",
        )
    return np.concatenate([np.zeros(den.size - num.size), num]) / den[0], den / den[0]


def realised(numerator: Any, denominator: Any) -> dict[str, Any]:
    """Matrices A, b, c, d of num/den in s (falling powers, the same length, denominator with 1 first)."""
    import scipy.linalg

    num, den = np.asarray(numerator, float), np.asarray(denominator, float)
    n = den.size - 1
    d = float(num[0])
    if n == 0:
        return {"A": np.zeros((0, 0)), "b": np.zeros(0), "c": np.zeros(0), "d": d}
    last = int(np.flatnonzero(den)[-1])
    speed = float(abs(den[last]) ** (1.0 / last)) if last else 1.0  # geometric mean of the poles that are not 0
    powers = speed ** np.arange(n + 1)
    a, rest = den / powers, (num - d * den) / powers
    A = np.eye(n, k=-1)
    A[0] = -a[1:]
    b, c = np.eye(n)[0], rest[1:]
    A, (scale, _) = scipy.linalg.matrix_balance(A, permute=False, separate=True)
    b, c = b / scale, c * scale
    size = float(np.max(np.abs(b)))
    return {"A": speed * A, "b": speed * b / size, "c": c * size, "d": d}


def evaluate_states(s: Any, m: Any, x: Any, w: Any, ask: Any, r: Any, J: Any) -> None:
    """Rows of the states. Compiled."""
    for i in range(s.n_states):
        change = s.b[i] * x.input.value
        for j in range(s.n_states):
            change += s.A[i, j] * x.state[j]
        r[i] += x.state_rate[i] - change
    if ask.mode == TANGENT:
        for i in range(s.n_states):
            J[i, i] += ask.D
            for j in range(s.n_states):
                J[i, j] -= ask.K * s.A[i, j]
            J[i, x.input.column] -= s.b[i]


def respond_states(s: Any, m: Any, x: Any, w: Any, ask: Any, y: Any, Y: Any) -> None:
    """Output. Compiled."""
    y[0] = s.d * x.input.value
    Y[0, x.input.column] = s.d
    for j in range(s.n_states):
        y[0] += s.c[j] * x.state[j]
        Y[0, j] = s.c[j]
