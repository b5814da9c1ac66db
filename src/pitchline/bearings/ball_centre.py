"""Balls under centrifugal force: where the centre of a ball settles between the grooves.

With the centre of the outer groove as origin, that of the inner groove at (a, b) and the centre of the ball at (u, v),

    V(a, b) = min over (u, v) of  V_i(|(a - u, b - v)| - l_i) + V_e(|(u, v)| - l_e) - F u,

V_i, V_e = 2/5 k δ^(5/2), F the centrifugal force. The function is convex: Newton's method with a line search arrives. The
forces on the inner ring are the gradient of V_i, the stiffness is its Schur complement H_i - H_i (H_i + H_e)^(-1) H_i.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["settled"]

_MOST = 200


def settled(law: Any, a: Any, b: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Of every ball: energy, (f_a, f_b), stiffness, loads on inner and outer ring, contact angle of the inner ring."""
    shape, flat = np.shape(a), [_one(law, x, y) for x, y in zip(np.ravel(a), np.ravel(b), strict=True)]
    V, fa, fb, Haa, Hab, Hbb, Qi, Qe, angle = (np.array(column).reshape(shape) for column in zip(*flat, strict=True))
    return V, (fa, fb), [[Haa, Hab], [Hab, Hbb]], np.stack([Qi, Qe]), angle


def _one(law: Any, a: float, b: float) -> tuple[float, ...]:
    (ki, ke), (li, le), F = law.stiffness, law.lengths, law.centrifugal
    far = le + (F / ke) ** (2.0 / 3.0)
    length = np.hypot(a, b)
    c = np.array([a, b]) * (far / length)  # on the line of the centres, pressed outwards as by F alone
    state = _state(ki, ke, li, le, F, a, b, c)
    small = False
    for _ in range(_MOST):
        value, gradient, Hi, He, *_rest = state
        if np.abs(gradient).max() <= 1e-13 * F or small:
            break
        H = Hi + He
        step = -np.linalg.solve(H + 1e-12 * np.trace(H) * np.eye(2), gradient)
        small = np.abs(step).max() <= 1e-15 * le  # rounding
        step *= min(1.0, 0.25 * le / np.abs(step).max())
        t, before = 1.0, value
        while t > 1e-9:
            state = _state(ki, ke, li, le, F, a, b, c + t * step)
            if state[0] <= before + 1e-4 * t * gradient @ step or np.abs(state[1]).max() < 0.5 * np.abs(gradient).max():
                break
            t *= 0.5
        c = c + t * step
    total, _, Hi, He, fi, Qi, Qe = state
    S = Hi - Hi @ np.linalg.solve(Hi + He, Hi)
    angle = np.arctan2(b - c[1], a - c[0])
    return float(total), fi[0], fi[1], S[0, 0], S[0, 1], S[1, 1], Qi, Qe, angle


def _contact(k: float, x: np.ndarray, free: float) -> tuple[float, np.ndarray, np.ndarray, float]:
    """Energy, gradient and stiffness of one contact by the vector between ball centre and groove centre, and its load."""
    l = float(np.hypot(*x))
    delta = l - free
    if delta <= 0.0:
        return 0.0, np.zeros(2), np.zeros((2, 2)), 0.0
    n, t = x / l, np.array([-x[1], x[0]]) / l
    Q = k * delta**1.5
    return 0.4 * Q * delta, Q * n, 1.5 * k * delta**0.5 * np.outer(n, n) + Q / l * np.outer(t, t), Q


def _state(ki: float, ke: float, li: float, le: float, F: float, a: float, b: float, c: np.ndarray) -> tuple[Any, ...]:
    Vi, fi, Hi, Qi = _contact(ki, np.array([a, b]) - c, li)
    Ve, fe, He, Qe = _contact(ke, c, le)
    return Vi + Ve - F * c[0], fe - fi - np.array([F, 0.0]), Hi, He, fi, Qi, Qe
