"""Contact of a cam with its follower: gap with its derivatives, place and radius of contact.

Gap between a cam and its follower: value, gradient and second derivative, independent of the force law.

With e_1, e_2, e_3 the axes of frame A on the cam, d = o_B - o_A and the outer normal n of a flat face, fixed in B,

    y_i = e_i . d ,   h_i = e_i . n .

Roller with the centre o_B, r and psi the polar coordinates of (y_1, y_2), pitch curve rho:

    g = (r - rho(psi)) G(psi) ,   G = rho / sqrt(rho^2 + rho'^2)

On the pitch curve the gradient of g has the length 1: g is the distance to first order, and the force along it is the normal
force. Flat face, psi the angle of (h_1, h_2), support function p:

    g = y . h - p(psi) .

A curve is a matrix with one row for each piece: its first angle, then six coefficients of powers of the angle within the piece.
"""

import math

from pitchline.engine.elements.axis_rows import pair_stiffness
from pitchline.engine.elements.contract import TWO_PI, Node, Placed, direction_stiffness, rate, seen_from_a
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V3, V4, block, leaf
from pitchline.numerics.vectors import add, cross, dot, mtv, mul, mv, set_vec, sub

ROLLER, FLAT = 0, 1


@block
def curve_at(curve: A2, angle: F8) -> V4:
    """Value and three derivatives of a closed curve."""
    first = curve[0, 0]
    x = angle - TWO_PI * math.floor((angle - first) / TWO_PI)
    low = 0
    high = curve.shape[0]
    while high - low > 1:
        middle = (low + high) // 2
        if curve[middle, 0] <= x:
            low = middle
        else:
            high = middle
    x -= curve[low, 0]
    f = 0.0
    f1 = 0.0
    f2 = 0.0
    f3 = 0.0
    for k in range(6, 0, -1):
        f3 = f3 * x + 3.0 * f2
        f2 = f2 * x + 2.0 * f1
        f1 = f1 * x + f
        f = f * x + curve[low, k]
    return (f, f1, f2, f3)


@leaf
def _column(M: M9, i: I8) -> V3:
    if i == 0:
        return (M[0], M[3], M[6])
    if i == 1:
        return (M[1], M[4], M[7])
    return (M[2], M[5], M[8])


@block
def roller_gap(curve: A2, y1: F8, y2: F8, first: A1, second: A2) -> F8:
    """g and its derivatives by y_1, y_2, into first and second."""
    r = math.sqrt(y1 * y1 + y2 * y2)
    c = y1 / r
    s = y2 / r
    p, p1, p2, p3 = curve_at(curve, math.atan2(y2, y1))
    # G and its derivatives from those of L = ln G
    q = p * p + p1 * p1
    G = p / math.sqrt(q)
    q1 = p1 * (p + p2)
    L1 = p1 / p - q1 / q
    L2 = p2 / p - p1 * p1 / (p * p) - (p2 * (p + p2) + p1 * (p1 + p3)) / q + 2.0 * q1 * q1 / (q * q)
    G1 = G * L1
    G2 = G * (L1 * L1 + L2)
    f = r - p
    # polar derivatives: along e_r and e_psi
    along = G
    around = (-p1 * G + f * G1) / r
    mixed = (G1 - around) / r
    twice = (-p2 * G - 2.0 * p1 * G1 + f * G2) / (r * r) + G / r
    first[0] = along * c - around * s
    first[1] = along * s + around * c
    second[0, 0] = -2.0 * mixed * c * s + twice * s * s
    second[1, 1] = 2.0 * mixed * c * s + twice * c * c
    second[0, 1] = second[1, 0] = mixed * (c * c - s * s) - twice * c * s
    return f * G


@block
def flat_gap(curve: A2, y: V3, h: V3, first: A1, second: A2) -> F8:
    """g and its derivatives by y_1 .. y_3, h_1 .. h_3, into first and second."""
    p, p1, p2, _ = curve_at(curve, math.atan2(h[1], h[0]))
    q = h[0] * h[0] + h[1] * h[1]
    t0 = -h[1] / q  # derivative of psi by h
    t1 = h[0] / q
    for i in range(3):
        first[i] = h[i]
        first[3 + i] = y[i]
        second[i, 3 + i] = second[3 + i, i] = 1.0
    first[3] -= p1 * t0
    first[4] -= p1 * t1
    # second derivatives of psi: 2 h1 h2/q^2, (h2^2 - h1^2)/q^2
    b = 2.0 * h[0] * h[1] / (q * q)
    a = (h[1] * h[1] - h[0] * h[0]) / (q * q)
    second[3, 3] = -p2 * t0 * t0 - p1 * b
    second[4, 4] = -p2 * t1 * t1 + p1 * b
    second[3, 4] = second[4, 3] = -p2 * t0 * t1 - p1 * a
    return dot(y, h) - p


@block
def cam_gap(
    sa: Placed, sb: Placed, face: I8, normal: V3, curve: A2, a: Node, b: Node, rows: A2, first: A1, second: A2, g: A1
) -> F8:
    """Compute the gap, its gradient with respect to the coordinates of both nodes in g, and data for `gap_stiffness` in
    the others."""
    RA = a.R
    RB = b.R
    pB = sb.at
    for i in range(6):
        first[i] = 0.0
        for j in range(6):
            second[i, j] = 0.0
    d = seen_from_a(pB, a, b)
    n = mv(sb.axes, normal)
    nA = mtv(RA, mv(RB, n))
    zero = (0.0, 0.0, 0.0)
    for i in range(3):
        e = _column(sa.axes, i)
        eW = mv(RA, e)
        eB = mtv(RB, eW)
        set_vec(rows[i], 0, mul(-1.0, eW))
        set_vec(rows[i], 3, cross(e, d))
        set_vec(rows[i], 6, eW)
        set_vec(rows[i], 9, cross(pB, eB))
        set_vec(rows[3 + i], 0, zero)
        set_vec(rows[3 + i], 3, cross(e, nA))
        set_vec(rows[3 + i], 6, zero)
        set_vec(rows[3 + i], 9, cross(n, eB))
    y = mtv(sa.axes, sub(d, sa.at))
    if face == ROLLER:
        gap = roller_gap(curve, y[0], y[1], first, second)
    else:
        gap = flat_gap(curve, y, mtv(sa.axes, nA), first, second)
    for j in range(12):
        total = 0.0
        for i in range(6):
            total += first[i] * rows[i, j]
        g[j] = total
    return gap


@block
def gap_stiffness(sa: Placed, sb: Placed, normal: V3, a: Node, b: Node, rows: A2, first: A1, second: A2, J: A2):
    """Add the second derivative of the gap to J[0:12, 0:12]."""
    along = mv(sa.axes, (first[0], first[1], first[2]))
    direction_stiffness(sb.at, a, b, along, 1.0, J)
    turned = mv(sa.axes, (first[3], first[4], first[5]))
    pair_stiffness(J, 1.0, turned, mv(sb.axes, normal), a.R, b.R)
    for k in range(6):
        for l in range(6):
            f = second[k, l]
            if f != 0.0:
                for i in range(12):
                    fi = f * rows[k, i]
                    for j in range(12):
                        J[i, j] += fi * rows[l, j]


@leaf
def gap_rate(g: A1, a: Node, b: Node) -> F8:
    """dg/dt."""
    return rate(g, a, b)


@block
def contact_radius(face: I8, radius: F8, curve: A2, sa: Placed, sb: Placed, normal: V3, a: Node, b: Node) -> F8:
    """Combined radius of the two curved surfaces, 1/R = 1/R_cam + 1/R_follower, at the current angle."""
    if face == FLAT:
        h = mtv(sa.axes, mtv(a.R, mv(b.R, mv(sb.axes, normal))))
        p = curve_at(curve, math.atan2(h[1], h[0]))
        return p[0] + p[2]
    y = mtv(sa.axes, sub(seen_from_a(sb.at, a, b), sa.at))
    p, p1, p2, _ = curve_at(curve, math.atan2(y[1], y[0]))
    q = p * p + p1 * p1
    path = q * math.sqrt(q) / (p * p + 2.0 * p1 * p1 - p * p2)  # of the pitch curve, negative if it is concave
    return radius * (path - radius) / path


@leaf
def contact_place(face: I8, radius: F8, g: A1, curve: A2, sa: Placed, sb: Placed, normal: V3, a: Node, b: Node) -> V3:
    """Contact point, world axes: on the roller, or on the face."""
    n = (g[6], g[7], g[8])
    o = add(b.x, mv(b.R, sb.at))
    if face == ROLLER:
        return sub(o, mul(radius, n))
    # in cam axes p n + p' t, in the plane of the cam
    h = mtv(sa.axes, mtv(a.R, n))
    angle = math.atan2(h[1], h[0])
    p = curve_at(curve, angle)
    c = math.cos(angle)
    s = math.sin(angle)
    place = (p[0] * c - p[1] * s, p[0] * s + p[1] * c, 0.0)
    return add(a.x, mv(a.R, add(sa.at, mv(sa.axes, place))))
