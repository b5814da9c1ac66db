"""Balls under centrifugal force: equilibrium position of the centre of a ball between the grooves.

With the centre of the outer groove as origin, the centre of the inner groove at (a, b) and the centre of the ball at (u, v),

    V(a, b) = min over (u, v) of  V_i(|(a - u, b - v)| - l_i) + V_e(|(u, v)| - l_e) - F u,

V_i, V_e = 2/5 k δ^(5/2), F the centrifugal force. The function is convex, so that Newton's method with a line search
converges. The forces on the inner ring are the gradient of V_i. The stiffness is its Schur complement H_i - H_i (H_i +
H_e)^(-1) H_i.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["settled"]

_MOST = 200

_Contact = tuple[float, float, float, float, float, float, float]
"""Energy, load, force (x, y) and stiffness (xx, xy, yy) of one contact."""


def settled(law: Any, a: Any, b: Any) -> tuple[Any, Any, Any, Any, Any]:
    """For every ball: energy, (f_a, f_b), stiffness, loads on inner and outer ring, contact angle at the inner ring."""
    shape, flat = (
        np.shape(a),
        [_one(law, x, y) for x, y in zip(np.ravel(a).tolist(), np.ravel(b).tolist(), strict=True)],
    )
    V, fa, fb, Haa, Hab, Hbb, Qi, Qe, angle = (np.array(column).reshape(shape) for column in zip(*flat, strict=True))
    return V, (fa, fb), [[Haa, Hab], [Hab, Hbb]], np.stack([Qi, Qe]), angle


def _one(law: Any, a: float, b: float) -> tuple[float, ...]:
    """For one ball, with plain numbers: arrays of two are slow."""
    (ki, ke), (li, le), F = law.stiffness, law.lengths, law.centrifugal
    far = (le + (F / ke) ** (2.0 / 3.0)) / math.hypot(a, b)
    u, v = a * far, b * far  # on the line of the centres, pressed outwards as by F only
    state = _state(ki, ke, li, le, F, a, b, u, v)
    small = False
    for _ in range(_MOST):
        before, gu, gv, inner, outer = state
        size = max(abs(gu), abs(gv))
        if size <= 1e-13 * F or small:
            break
        du, dv = _solved(inner, outer, -gu, -gv, 1e-12)
        longest = max(abs(du), abs(dv))
        small = longest <= 1e-15 * le  # rounding
        t = min(1.0, 0.25 * le / longest)
        du, dv = t * du, t * dv
        t, slope = 1.0, gu * du + gv * dv
        while t > 1e-9:
            state = _state(ki, ke, li, le, F, a, b, u + t * du, v + t * dv)
            if state[0] <= before + 1e-4 * t * slope or max(abs(state[1]), abs(state[2])) < 0.5 * size:
                break
            t *= 0.5
        u, v = u + t * du, v + t * dv
    total, _, _, inner, outer = state
    Q, fu, fv, huu, huv, hvv = inner[1:]
    xu, xv = _solved(inner, outer, huu, huv, 0.0)
    yu, yv = _solved(inner, outer, huv, hvv, 0.0)
    S = (huu - huu * xu - huv * xv, huv - huu * yu - huv * yv, hvv - huv * yu - hvv * yv)
    return total, fu, fv, *S, Q, outer[1], math.atan2(b - v, a - u)


def _solved(inner: _Contact, outer: _Contact, x: float, y: float, shift: float) -> tuple[float, float]:
    """(H_i + H_e)^(-1) (x, y). `shift` times the trace is added to the diagonal."""
    uu, uv, vv = inner[4] + outer[4], inner[5] + outer[5], inner[6] + outer[6]
    more = shift * (uu + vv)
    uu, vv = uu + more, vv + more
    det = uu * vv - uv * uv
    return (vv * x - uv * y) / det, (uu * y - uv * x) / det


def _contact(k: float, x: float, y: float, free: float) -> _Contact:
    """One contact, from the vector between ball centre and groove centre."""
    l = math.hypot(x, y)
    delta = l - free
    if delta <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x, y, root = x / l, y / l, math.sqrt(delta)
    Q, stiff = k * delta * root, 1.5 * k * root
    across = Q / l
    return (
        0.4 * Q * delta, Q, Q * x, Q * y,
        stiff * x * x + across * y * y, (stiff - across) * x * y, stiff * y * y + across * x * x,
    )  # fmt: skip


def _state(
    ki: float, ke: float, li: float, le: float, F: float, a: float, b: float, u: float, v: float
) -> tuple[float, float, float, _Contact, _Contact]:
    """Energy and its gradient with respect to (u, v), and both contacts, for the ball at (u, v)."""
    inner, outer = _contact(ki, a - u, b - v, li), _contact(ke, u, v, le)
    return inner[0] + outer[0] - F * u, outer[2] - inner[2] - F, outer[3] - inner[3], inner, outer
