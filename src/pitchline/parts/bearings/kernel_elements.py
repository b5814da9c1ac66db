"""Balls and rollers of a rolling bearing: forces, stiffness and pressures over six deflections of the rings.

Balls of a rolling bearing: forces and stiffness on six deflections; formulas: `ball_types`.

For every ball, a law in its plane gives forces f and a stiffness H over the radial and axial distance (a, b) of the centres of
the grooves. With the gradients of a and b they are added to the six forces and the 6x6 stiffness. The sixth deflection rotates
the cage. Sums are kept in local variables, which is several times faster than arrays.
"""

import math
from typing import TYPE_CHECKING

from numba import types

from pitchline.numerics.fields import INTEGER, NUMBER, behind, fields, numbers
from pitchline.numerics.functions import ninth_root
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V2, V3, block, leaf

__all__ = ["Balls", "Summary", "add_balls", "ball_pressure", "Rollers", "add_roller_forces", "add_rollers"]


if TYPE_CHECKING:
    Ball = tuple[float, float, float, float, float, float, float, float, float, float]
else:
    Ball = types.UniTuple(F8, 10)
    """Energy, f_a, f_b, H_aa, H_ab, H_bb, loads on the inner and the outer ring, direction of the inner contact."""

Balls = fields(
    "Balls",
    distance=NUMBER,  # A
    radial=NUMBER,  # a_0
    axial=NUMBER,  # b_0
    lever=NUMBER,  # R
    one_sided=INTEGER,
    stiffness=NUMBER,  # both contacts in series
    inner_stiffness=NUMBER,
    outer_stiffness=NUMBER,
    inner_length=NUMBER,
    outer_length=NUMBER,
    centrifugal=NUMBER,
    cage_ratio=NUMBER,
    pressure=numbers(2),  # inside, outside: p = c Q^(1/3)
    n_rows=INTEGER,
    n_places=INTEGER,
    rows=behind("n_rows", 2),  # direction and position of each row
    places=behind("n_places", 2),  # cosine and sine of the angle of each ball, row by row
)
Summary = fields("Summary", energy=NUMBER, inner=NUMBER, outer=NUMBER, radial=NUMBER, axial=NUMBER)
"""Summary of a bearing: its energy; loads on both rings and direction of the inner contact of the most loaded rolling element."""

_MOST = 60
_CLOSE = 1e-13
_ROUNDED = 2e-15
"""Step over a length of the groove below which the place of a ball's centre is rounding."""


@leaf
def _pressed(s: Balls, a: F8, b: F8) -> Ball:
    """Ball without mass: both contacts are on the line of the centres of the grooves."""
    l = math.sqrt(a * a + b * b)
    delta = l - s.distance
    if delta <= 0.0:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    root = math.sqrt(delta)
    Q = s.stiffness * delta * root
    k = 1.5 * s.stiffness * root
    i = 1.0 / l
    n = a * i
    m = b * i
    q = Q * i
    return (0.4 * Q * delta, Q * n, Q * m, k * n * n + q * m * m, (k - q) * n * m, k * m * m + q * n * n, Q, Q, n, m)


@leaf
def _contact(k: F8, x: F8, y: F8, free: F8) -> V3:
    """(Q, dQ/dδ, length) of one contact."""
    l = math.sqrt(x * x + y * y)
    delta = l - free
    if delta <= 0.0:
        return (0.0, 0.0, l)
    root = math.sqrt(delta)
    return (k * delta * root, 1.5 * k * root, l)


@leaf
def _stiff(c: V3, x: F8, y: F8) -> V3:
    """Second derivative of the energy of a contact: (xx, xy, yy)."""
    l = c[2]
    if c[0] == 0.0:
        return (0.0, 0.0, 0.0)
    n = x / l
    m = y / l
    q = c[0] / l
    return (c[1] * n * n + q * m * m, (c[1] - q) * n * m, c[1] * m * m + q * n * n)


@leaf
def _value(s: Balls, a: F8, b: F8, u: F8, v: F8) -> F8:
    """Energy of a ball with its centre at (u, v), including the work of the centrifugal force."""
    x = a - u
    y = b - v
    inside = math.sqrt(x * x + y * y) - s.inner_length
    outside = math.sqrt(u * u + v * v) - s.outer_length
    value = -s.centrifugal * u
    if inside > 0.0:
        value += 0.4 * s.inner_stiffness * inside * inside * math.sqrt(inside)
    if outside > 0.0:
        value += 0.4 * s.outer_stiffness * outside * outside * math.sqrt(outside)
    return value


@block
def _settled(s: Balls, a: F8, b: F8) -> Ball:
    """Ball under centrifugal force: Newton's method for the position of its centre, then the Schur complement."""
    F = s.centrifugal
    l = math.sqrt(a * a + b * b)
    far = s.outer_length + (F / s.outer_stiffness) ** (2.0 / 3.0)
    u = a * far / l
    v = b * far / l
    value = _value(s, a, b, u, v)
    for _ in range(_MOST):
        inner = _contact(s.inner_stiffness, a - u, b - v, s.inner_length)
        outer = _contact(s.outer_stiffness, u, v, s.outer_length)
        gu = outer[0] * u / outer[2] - inner[0] * (a - u) / inner[2] - F
        gv = outer[0] * v / outer[2] - inner[0] * (b - v) / inner[2]
        size = abs(gu) + abs(gv)
        if size <= _CLOSE * (F + inner[0]):
            break
        I = _stiff(inner, a - u, b - v)
        O = _stiff(outer, u, v)
        floor = 1e-12 * (I[0] + I[2] + O[0] + O[2])
        h0 = I[0] + O[0] + floor
        h1 = I[1] + O[1]
        h2 = I[2] + O[2] + floor
        det = h0 * h2 - h1 * h1
        du = -(h2 * gu - h1 * gv) / det
        dv = -(h0 * gv - h1 * gu) / det
        reach = abs(du) + abs(dv)
        if reach > 0.25 * s.outer_length:
            du *= 0.25 * s.outer_length / reach
            dv *= 0.25 * s.outer_length / reach
        slope = gu * du + gv * dv
        t = 1.0
        for _ in range(30):
            new = _value(s, a, b, u + t * du, v + t * dv)
            if new <= value + 1e-4 * t * slope or -slope <= 1e-11 * abs(value):  # no more than rounding
                break
            t *= 0.5
        u += t * du
        v += t * dv
        value = _value(s, a, b, u, v)
        if reach <= _ROUNDED * s.outer_length:
            break
    inner = _contact(s.inner_stiffness, a - u, b - v, s.inner_length)
    outer = _contact(s.outer_stiffness, u, v, s.outer_length)
    I = _stiff(inner, a - u, b - v)
    O = _stiff(outer, u, v)
    h0 = I[0] + O[0]
    h1 = I[1] + O[1]
    h2 = I[2] + O[2]
    det = h0 * h2 - h1 * h1
    # H_i - H_i (H_i + H_e)^-1 H_i
    p0 = (h2 * I[0] - h1 * I[1]) / det
    p1 = (h2 * I[1] - h1 * I[2]) / det
    q0 = (h0 * I[1] - h1 * I[0]) / det
    q1 = (h0 * I[2] - h1 * I[1]) / det
    n = (a - u) / inner[2]
    m = (b - v) / inner[2]
    Q = inner[0]
    aa = I[0] - I[0] * p0 - I[1] * q0
    ab = I[1] - I[0] * p1 - I[1] * q1
    bb = I[2] - I[1] * p1 - I[2] * q1
    return (value, Q * n, Q * m, aa, ab, bb, Q, outer[0], n, m)


@block
def add_balls(s: Balls, e: A1, w: A1, K: A2, out: Summary, tangent: I8):
    """Add the forces to w and, if requested, the stiffness to the upper triangle of K."""
    rows = s.rows
    places = s.places
    nu = s.cage_ratio
    R = s.lever
    a0 = s.radial
    b0 = s.axial
    one_sided = s.one_sided
    heavy = s.centrifugal > 0.0
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
    energy = 0.0
    inner = outer = across = 0.0  # of the most loaded ball
    along = 1.0
    w0 = w1 = w2 = w3 = w4 = w5 = 0.0
    # sums of the stiffness: a of the radial distance with itself, u with tilt, t of tilt with itself, over c^2, c s, s^2;
    # r of the radial with the axial distance, v of the axial distance with tilt, over c, s; z along the axis; x by the cage
    acc = acs = ass = ucc = ucs = uss = tcc = tcs = tss = rc = rs = vc = vs = zz = 0.0
    x0 = x1 = x2 = x3 = x4 = x5 = 0.0
    for row in range(rows.shape[0]):
        d = rows[row, 0]
        z = rows[row, 1]
        for j in range(row * n, (row + 1) * n):
            c = places[j, 0] * turn_c - places[j, 1] * turn_s
            sn = places[j, 1] * turn_c + places[j, 0] * turn_s
            tilt = sn * e3 - c * e4
            radial = c * e0 + sn * e1 - z * tilt
            b = b0 + d * (e2 + R * tilt)
            bottom = one_sided and b < 0.0
            if bottom:
                b = 0.0
            ball = _settled(s, a0 + radial, b) if heavy else _pressed(s, a0 + radial, b)
            energy += ball[0]
            if ball[7] > outer:
                inner = ball[6]
                outer = ball[7]
                along = ball[8]
                across = d * ball[9]
            if ball[6] == 0.0:
                continue
            fa = ball[1]
            fb = 0.0 if bottom else ball[2]
            moment = d * R * fb - z * fa
            w0 += fa * c
            w1 += fa * sn
            w2 += d * fb
            w3 += moment * sn
            w4 -= moment * c
            turned = c * e3 + sn * e4
            ga = nu * (c * e1 - sn * e0 - z * turned)
            gb = nu * d * R * turned
            w5 += fa * ga + fb * gb
            if tangent:
                aa = ball[3]
                ab = 0.0 if bottom else ball[4]
                bb = 0.0 if bottom else ball[5]
                u = d * R * ab - z * aa
                v = R * bb - d * z * ab
                t = R * v - z * u  # R^2 bb - 2 d R z ab + z^2 aa
                cc = c * c
                cs = c * sn
                ss = sn * sn
                acc += aa * cc
                acs += aa * cs
                ass += aa * ss
                ucc += u * cc
                ucs += u * cs
                uss += u * ss
                tcc += t * cc
                tcs += t * cs
                tss += t * ss
                rc += d * ab * c
                rs += d * ab * sn
                vc += v * c
                vs += v * sn
                zz += bb
                if nu != 0.0:
                    p = aa * ga + ab * gb
                    q = ab * ga + bb * gb
                    x = d * R * q - z * p
                    x0 += c * p - nu * sn * fa
                    x1 += sn * p + nu * c * fa
                    x2 += d * q
                    x3 += x * sn + nu * c * moment
                    x4 += nu * sn * moment - x * c
                    x5 += ga * p + gb * q - nu * nu * (fa * radial + fb * d * R * tilt)
    out.energy += energy
    out.inner = inner
    out.outer = outer
    out.radial = along
    out.axial = across
    w[0] += w0
    w[1] += w1
    w[2] += w2
    w[3] += w3
    w[4] += w4
    w[5] += w5
    if tangent:
        K[0, 0] += acc
        K[0, 1] += acs
        K[1, 1] += ass
        K[0, 2] += rc
        K[1, 2] += rs
        K[2, 2] += zz
        K[0, 3] += ucs
        K[0, 4] -= ucc
        K[1, 3] += uss
        K[1, 4] -= ucs
        K[2, 3] += vs
        K[2, 4] -= vc
        K[3, 3] += tss
        K[3, 4] -= tcs
        K[4, 4] += tcc
        K[0, 5] += x0
        K[1, 5] += x1
        K[2, 5] += x2
        K[3, 5] += x3
        K[4, 5] += x4
        K[5, 5] += x5


@leaf
def ball_pressure(s: Balls, out: Summary) -> F8:
    """Largest pressure of the most loaded ball."""
    rings = s.pressure
    return max(rings[0] * out.inner ** (1.0 / 3.0), rings[1] * out.outer ** (1.0 / 3.0))


# ---- rolling rollers

# Rollers of a rolling bearing: forces and stiffness on six deflections; the formulas are in `law`.
#
# For every roller, the approach p at its middle and the tilt τ along it define five sums over points along it, of
# loads and stiffness. They give the six forces and the 6x6 stiffness.

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
