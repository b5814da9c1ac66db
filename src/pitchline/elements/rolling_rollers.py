"""Rollers of a rolling bearing: forces and stiffness on six deflections; the formulas are in `bearings.rollers`.

For every roller, the approach p at its middle and the tilt τ along it define five sums over points along it, of loads and
stiffness. They give the six forces and the 6x6 stiffness.
"""

import math

from ..math.compiled import A1, A2, F8, I8, V2, block, leaf
from ..math.fields import INTEGER, NUMBER, behind, fields
from ..math.ninth_root import ninth_root
from .rolling_balls import Summary

__all__ = ["Rollers", "add_roller_forces", "add_rollers"]

Rollers = fields(
    "Rollers",
    cosine=NUMBER,  # of the contact angle
    sine=NUMBER,
    approach=NUMBER,  # p_0
    half_length=NUMBER,  # 0: self-aligning
    cage_ratio=NUMBER,
    pressure=NUMBER,  # p = c √(load per length), the larger of both rings
    n_rows=INTEGER,
    n_places=INTEGER,
    n_points=INTEGER,
    rows=behind("n_rows", 2),  # direction and lever of each row
    places=behind("n_places", 2),  # cosine and sine of the angle of each roller, row by row
    points=behind("n_points", 4),  # x, 2 P, weight, 1/length along the roller
)


@block
def add_rollers(s: Rollers, e: A1, by: A2, w: A1, K: A2, out: Summary, tangent: I8) -> F8:
    """Add the forces to w and, if requested, the stiffness to the upper triangle of K; return the largest load per length.

    by: memory for two gradients.
    """
    rows = s.rows
    places = s.places
    points = s.points
    n_points = points.shape[0]
    ca = s.cosine
    sa = s.sine
    nu = s.cage_ratio
    last = 6 if nu != 0.0 else 5
    turn_c = 1.0
    turn_s = 0.0
    if last == 6:
        turn_c = math.cos(nu * e[5])
        turn_s = math.sin(nu * e[5])
    n = places.shape[0] // rows.shape[0]
    by_p = by[0]
    by_t = by[1]
    top = 0.0
    energy = 0.0
    for row in range(rows.shape[0]):
        d = rows[row, 0]
        arm = rows[row, 1]
        for j in range(row * n, (row + 1) * n):
            c = places[j, 0] * turn_c - places[j, 1] * turn_s
            sn = places[j, 1] * turn_c + places[j, 0] * turn_s
            tilt = sn * e[3] - c * e[4]
            radial = ca * (c * e[0] + sn * e[1])
            p = radial + d * sa * e[2] + arm * tilt + s.approach
            if p + abs(tilt) * s.half_length <= 0.0:
                continue
            tau = tilt if s.half_length > 0.0 else 0.0
            Q = 0.0
            M = 0.0
            k0 = 0.0
            k1 = 0.0
            k2 = 0.0
            highest = 0.0
            for i in range(n_points):
                x = points[i, 0]
                delta = p - x * tau - points[i, 1]
                if delta > 0.0:
                    k = points[i, 2] * ninth_root(delta)
                    q = k * delta
                    Q += q
                    M -= q * x
                    k0 += k
                    k1 -= k * x
                    k2 += k * x * x
                    energy += q * delta
                    highest = max(highest, q * points[i, 3])
            if Q == 0.0:
                continue
            if out.outer < Q:
                out.inner = Q
                out.outer = Q
                out.radial = ca
                out.axial = d * sa
            top = max(top, highest)
            if s.half_length == 0.0:
                M = 0.0
                k1 = 0.0
                k2 = 0.0
            turned = c * e[3] + sn * e[4]
            by_p[0] = ca * c
            by_p[1] = ca * sn
            by_p[2] = d * sa
            by_p[3] = arm * sn
            by_p[4] = -arm * c
            by_p[5] = nu * (ca * (c * e[1] - sn * e[0]) + arm * turned)
            by_t[0] = 0.0
            by_t[1] = 0.0
            by_t[2] = 0.0
            by_t[3] = sn
            by_t[4] = -c
            by_t[5] = nu * turned
            for i in range(last):
                w[i] += Q * by_p[i] + M * by_t[i]
            if tangent:
                k0 *= 10.0 / 9.0
                k1 *= 10.0 / 9.0
                k2 *= 10.0 / 9.0
                for i in range(last):
                    by_approach = k0 * by_p[i] + k1 * by_t[i]
                    by_tilt = k1 * by_p[i] + k2 * by_t[i]
                    for l in range(i, last):
                        K[i, l] += by_approach * by_p[l] + by_tilt * by_t[l]
                if last == 6:  # gradients rotate with the cage
                    K[0, 5] -= nu * ca * sn * Q
                    K[1, 5] += nu * ca * c * Q
                    K[3, 5] += nu * c * (arm * Q + M)
                    K[4, 5] += nu * sn * (arm * Q + M)
                    K[5, 5] -= nu * nu * (Q * (radial + arm * tilt) + M * tilt)
    out.energy += 9.0 / 19.0 * energy
    return top


@leaf
def _load(points: A2, p: F8, tau: F8) -> V2:
    """Force and moment of one roller."""
    Q = 0.0
    M = 0.0
    for i in range(points.shape[0]):
        x = points[i, 0]
        delta = p - x * tau - points[i, 1]
        if delta > 0.0:
            q = points[i, 2] * ninth_root(delta) * delta
            Q += q
            M -= q * x
    return (Q, M)


@block
def add_roller_forces(s: Rollers, e: A1, w: A1):
    """Add only the forces to w, as `add_rollers` does: most evaluations of a run need nothing else."""
    rows = s.rows
    places = s.places
    points = s.points
    ca = s.cosine
    sa = s.sine
    nu = s.cage_ratio
    half_length = s.half_length
    approach = s.approach
    e0 = e[0]
    e1 = e[1]
    e2 = e[2]
    e3 = e[3]
    e4 = e[4]
    turn_c = 1.0
    turn_s = 0.0
    if nu != 0.0:
        turn_c = math.cos(nu * e[5])
        turn_s = math.sin(nu * e[5])
    n = places.shape[0] // rows.shape[0]
    w0 = w1 = w2 = w3 = w4 = w5 = 0.0
    for row in range(rows.shape[0]):
        arm = rows[row, 1]
        along = rows[row, 0] * sa
        offset = along * e2 + approach
        for j in range(row * n, (row + 1) * n):
            c = places[j, 0] * turn_c - places[j, 1] * turn_s
            sn = places[j, 1] * turn_c + places[j, 0] * turn_s
            tilt = sn * e3 - c * e4
            p = ca * (c * e0 + sn * e1) + arm * tilt + offset
            if p + abs(tilt) * half_length <= 0.0:
                continue
            Q, M = _load(points, p, tilt if half_length > 0.0 else 0.0)
            moment = arm * Q + (M if half_length > 0.0 else 0.0)
            w0 += ca * Q * c
            w1 += ca * Q * sn
            w2 += along * Q
            w3 += moment * sn
            w4 -= moment * c
            if nu != 0.0:
                w5 += nu * (ca * Q * (c * e1 - sn * e0) + moment * (c * e3 + sn * e4))
    w[0] += w0
    w[1] += w1
    w[2] += w2
    w[3] += w3
    w[4] += w4
    w[5] += w5
