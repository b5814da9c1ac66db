"""Mesh frame: rotations of the wheels in it from their poses, gradients, and the potential of tilts and shifts.

Cardona's pair (Flexible three dimensional gear modelling, 1997, misprints corrected) has psi_A, psi_B and the hoop approach u
as unknowns with three constraints. Two of them define the mesh frame,

    phi2 = (C_A - C_B) . eta3_A = 0,     phi3 = eta2_A . eta3_B = 0,     C_A = x_A + r_A mu2'',  C_B = x_B + r_B xi2'',

with mu'' = R_A M0 Rot1(psi_A)^T and xi'' = R_B X0 Rot1(psi_B)^T. They depend only on the poses and on psi_A, psi_B. Therefore
both are solved here, inside the element, and u = (m_n/2)(z_A psi_A + z_B psi_B) becomes a function of the two poses:

    P = d(phi2, phi3)/d(psi_A, psi_B),     grad psi = -P^-1 [grad phi2; grad phi3].

A rack has the travel s of the pitch point in place of psi_B: C_B = x_B + R_B c0 + s xi3, u = m_n z_A psi_A/2 - s cos(beta_B).

Wheel centres need not be the origins of the nodes: moments are about the nodes, with the arms D = x_node,A - C_B and
C_B - x_node,B; second derivatives keep their form with those arms.
"""

import math

from pitchline.engine.elements.contract import Node
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V2, V3, block, leaf
from pitchline.numerics.vectors import add, cross, dot, mul, mv, sub

from .kernel_law import Geometry, Law
from .kernel_records import (
    Gradients,
    Hoop,
    LawOut,
    MeshFrame,
    MeshMotion,
    MeshParameters,
    MeshScratch,
    Potential,
    TiltOut,
    damper_levers,
)

NEWTON_LIMIT = 25


@leaf
def _column(M: M9, j: I8) -> V3:
    return (M[j], M[3 + j], M[6 + j])


@leaf
def combined(a: F8, u: V3, b: F8, v: V3) -> V3:
    """a u + b v."""
    return (a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2])


@leaf
def _triple(a: V3, u: V3, v: V3, w: V3) -> V3:
    """The vector with components a along u, v, w."""
    return (
        a[0] * u[0] + a[1] * v[0] + a[2] * w[0],
        a[0] * u[1] + a[1] * v[1] + a[2] * w[1],
        a[0] * u[2] + a[1] * v[2] + a[2] * w[2],
    )


@block
def mesh_frame(g: Geometry, a: Node, b: Node, out: MeshFrame) -> I8:
    """Solve phi2 = phi3 = 0 for the mesh frame of two poses.

    This depends only on the poses: the closed-form start is exact if the wheels are aligned, and is on the branch where the
    teeth are in mesh. Newton needs one to three iterations from there. 0 if there is no mesh in these poses.
    """
    RA = a.R
    RB = b.R
    rA = g.radius_a
    rB = g.radius_b
    rack = g.rack != 0
    Y = g.Y_a
    y1 = _column(Y, 0)
    y3 = _column(Y, 2)
    h = mul(-1.0, g.y_b)
    m1 = mv(RA, _column(g.a.axes, 0))
    a2 = mv(RA, _column(g.a.axes, 1))
    a3 = mv(RA, _column(g.a.axes, 2))
    x1 = mv(RB, _column(g.b.axes, 0))
    b2 = mv(RB, _column(g.b.axes, 1))
    b3 = mv(RB, _column(g.b.axes, 2))
    arm_a = mv(RA, g.a.at)
    arm_b = mv(RB, g.b.at)
    apart = sub(add(a.x, arm_a), add(b.x, arm_b))  # x_A - x_B of the centres
    z2 = g.z2
    iterations = 0
    s = 0.0
    if rack:
        # phi3 does not contain s: psi_A first, on the side of the teeth, then s from phi2
        h3 = _triple(h, x1, b2, b3)
        cr = dot(a3, h3)
        ci = dot(a2, h3)
        n = 1.0 / math.sqrt(cr * cr + ci * ci)
        cA = cr * n
        sA = ci * n
        if dot(combined(cA, a2, -sA, a3), b2) * z2[1] < 0.0:
            cA = -cA
            sA = -sA
        cB = 1.0
        sB = 0.0
        m2 = combined(cA, a2, -sA, a3)
        m3 = combined(sA, a2, cA, a3)
        e3 = _triple(y3, m1, m2, m3)
        s = (dot(apart, e3) + rA * y3[1]) / dot(b3, e3)
    else:
        z1 = g.z1
        w2 = -dot(apart, a2)
        w3 = -dot(apart, a3)
        t2 = dot(x1, a2)
        t3 = dot(x1, a3)
        start = g.start
        cr = start[2] * (start[0] * w2 - start[1] * w3) + z1[1] * t2 + z1[2] * t3
        ci = start[2] * (start[0] * w3 + start[1] * w2) + z1[1] * t3 - z1[2] * t2
        n = 1.0 / math.sqrt(cr * cr + ci * ci)
        cA = cr * n
        sA = -ci * n
        m2 = combined(cA, a2, -sA, a3)
        m3 = combined(sA, a2, cA, a3)
        g2 = _triple(z2, m1, m2, m3)
        g3 = _triple(g.z3, m1, m2, m3)
        cr = dot(g2, b2) + dot(g3, b3)
        ci = dot(g2, b3) - dot(g3, b2)
        n = 1.0 / math.sqrt(cr * cr + ci * ci)
        cB = cr * n
        sB = -ci * n
    last = rack
    while True:
        m2 = combined(cA, a2, -sA, a3)
        m3 = combined(sA, a2, cA, a3)
        x2 = combined(cB, b2, -sB, b3)
        x3 = combined(sB, b2, cB, b3)
        e3 = _triple(y3, m1, m2, m3)
        e3p = combined(y3[2], m2, -y3[1], m3)
        e2 = combined(Y[1], m1, Y[4], m2)
        e2p = mul(-Y[4], m3)
        h3 = _triple(h, x1, x2, x3)
        if rack:
            h3p = (0.0, 0.0, 0.0)
            travel = mul(-1.0, b3)
            to_point = mul(s, b3)
        else:
            h3p = combined(h[2], x2, -h[1], x3)
            travel = mul(rB, x3)
            to_point = mul(rB, x2)
        centre = sub(apart, to_point)  # x_A - C_B
        p11 = dot(e3p, centre)
        p12 = dot(travel, e3)
        p21 = dot(e2p, h3)
        p22 = dot(h3p, e2)
        determinant = p11 * p22 - p12 * p21
        if not abs(determinant) > 1e-3 * g.determinant:
            return 0
        inverse = 1.0 / determinant
        if last:
            break
        f2 = rA * y3[1] + dot(centre, e3)
        f3 = dot(e2, h3)
        dA = -(p22 * f2 - p12 * f3) * inverse
        dB = -(p11 * f3 - p21 * f2) * inverse
        largest = max(abs(dA), abs(dB))
        if largest < 1e-13:  # the start was exact
            break
        if largest > 0.5:
            dA *= 0.5 / largest
            dB *= 0.5 / largest
        if largest < 1e-4:  # series, exact to rounding
            c1 = 1.0 - 0.5 * dA * dA
            s1 = dA * (1.0 - dA * dA / 6.0)
            c2 = 1.0 - 0.5 * dB * dB
            s2 = dB * (1.0 - dB * dB / 6.0)
        else:
            c1 = math.cos(dA)
            s1 = math.sin(dA)
            c2 = math.cos(dB)
            s2 = math.sin(dB)
        cA, sA = cA * c1 - sA * s1, sA * c1 + cA * s1
        cB, sB = cB * c2 - sB * s2, sB * c2 + cB * s2
        iterations += 1
        if iterations >= NEWTON_LIMIT:
            return 0
        last = largest < 3e-8  # quadratic: what is left after this update is below rounding
    out.m1 = m1
    out.m2 = m2
    out.m3 = m3
    out.x1 = x1
    out.x2 = x2
    out.x3 = x3
    out.e1 = _triple(y1, m1, m2, m3)
    out.e2 = e2
    out.e3 = e3
    out.e1p = combined(y1[2], m2, -y1[1], m3)
    out.e2p = e2p
    out.e3p = e3p
    out.h3 = h3
    out.h3p = h3p
    out.centre = centre
    out.arm_a = sub(centre, arm_a)
    out.arm_b = add(to_point, arm_b)
    out.travel = travel
    out.point = add(b.x, add(arm_b, to_point))
    out.psi_a = math.atan2(sA, cA)
    out.psi_b = s if rack else math.atan2(sB, cB)
    out.p11 = p11
    out.p12 = p12
    out.p21 = p21
    out.p22 = p22
    out.inverse = inverse
    return 1


@leaf
def solve(f: MeshFrame, f2: F8, f3: F8) -> V2:
    """-P^-1 (f2, f3)."""
    return (-(f.p22 * f2 - f.p12 * f3) * f.inverse, -(f.p11 * f3 - f.p21 * f2) * f.inverse)


@leaf
def solve_transposed(f: MeshFrame, wA: F8, wB: F8) -> V2:
    """(l2, l3) with P^T l = -(w_A, w_B)."""
    return (-(f.p22 * wA - f.p21 * wB) * f.inverse, -(f.p11 * wB - f.p12 * wA) * f.inverse)


@block
def psi_gradients(f: MeshFrame, out: Gradients):
    """Gradients of psi_A and psi_B by (x_A, theta_A, x_B, theta_B), spatial increments."""
    psi_a = out.psi_a
    psi_b = out.psi_b
    e3 = f.e3
    couple = cross(f.e2, f.h3)
    turn_a = cross(e3, f.arm_a)
    turn_b = cross(e3, f.arm_b)
    for i in range(3):
        a, b = solve(f, e3[i], 0.0)
        psi_a[i] = a
        psi_a[6 + i] = -a
        psi_b[i] = b
        psi_b[6 + i] = -b
        a, b = solve(f, turn_a[i], couple[i])
        psi_a[3 + i] = a
        psi_b[3 + i] = b
        a, b = solve(f, turn_b[i], -couple[i])
        psi_a[9 + i] = a
        psi_b[9 + i] = b


# ---- mesh geometric stiffness

# Second derivatives of the geometry of a gear pair: derivatives of its wrench with constant tooth forces.


@leaf
def put_skew(K: A2, i: I8, j: I8, s: F8, a: V3):
    """K[i:i+3, j:j+3] += s a~."""
    K[i, j + 1] -= s * a[2]
    K[i, j + 2] += s * a[1]
    K[i + 1, j] += s * a[2]
    K[i + 1, j + 2] -= s * a[0]
    K[i + 2, j] -= s * a[1]
    K[i + 2, j + 1] += s * a[0]


@block
def put_skews(K: A2, i: I8, j: I8, s: F8, a: V3, b: V3):
    """K[i:i+3, j:j+3] += s a~ b~ = s (b a^T - (a.b) 1)."""
    c = s * dot(a, b)
    for m in range(3):
        for n in range(3):
            K[i + m, j + n] += s * b[m] * a[n]
        K[i + m, j + m] -= c


@block
def geometric_stiffness(p: Geometry, f: MeshFrame, w: Gradients, k: F8, l2: F8, l3: F8, tilt: F8, t: F8, g: F8, K: A2):
    """Add k times the derivative of the wrench with constant l2, l3, tilting moment and separating force t.

    The wrench is that of l2 phi2 + l3 phi3 + tilt eta1_A . eta3_B, whose gradient with respect to psi vanishes together with
    that of the law, and t eta2_A at C_B. The part g of t is also a gradient, that of g eta2_A . (C_A - C_B): teeth that follow
    their centres. The rest has no potential. Rows and columns x_A, theta_A, x_B, theta_B, spatial. Needs the gradients of psi.
    """
    m2 = f.m2
    m3 = f.m3
    x2 = f.x2
    x3 = f.x3
    e2 = f.e2
    e3 = f.e3
    h3 = f.h3
    h3p = f.h3p
    centre = f.centre
    D = f.arm_a
    B = f.arm_b
    travel = f.travel
    F = combined(l2, e3, t, e2)
    q = combined(l3, e2, tilt, f.e1)  # phi3 and the tilt are of one form: q . h3
    qp = combined(l3, f.e2p, tilt, f.e1p)
    put_skew(K, 0, 3, -k, F)
    put_skew(K, 6, 3, k, F)
    put_skew(K, 3, 0, k, F)
    put_skew(K, 3, 6, -k, F)
    put_skews(K, 3, 3, k, D, F)
    put_skews(K, 3, 3, k, h3, q)
    put_skews(K, 3, 9, k, F, B)
    put_skews(K, 3, 9, -k, q, h3)
    put_skews(K, 9, 3, k, B, F)
    put_skews(K, 9, 3, -k, h3, q)
    put_skews(K, 9, 9, -k, F, B)
    put_skews(K, 9, 9, k, q, h3)
    # columns: derivative of the wrench by psi_A, psi_B; rows: of the gradient part
    Fp = combined(l2, f.e3p, t, f.e2p)
    Ep = combined(l2, f.e3p, g, f.e2p)
    turn = cross(qp, h3)
    column_a = add(cross(Fp, D), turn)
    column_b = sub(cross(Fp, B), turn)
    row_a = add(cross(Ep, D), turn)
    row_b = sub(cross(Ep, B), turn)
    by_b = cross(q, h3p)
    column_c = add(cross(F, travel), by_b)
    row_c = add(cross(combined(l2, e3, g, e2), travel), by_b)
    Y = p.Y_a
    hAA = (
        -l2 * (Y[8] * dot(m3, centre) + Y[5] * dot(m2, centre))
        - g * Y[4] * dot(m2, centre)
        - l3 * Y[4] * dot(m2, h3)
        - tilt * (Y[3] * dot(m2, h3) + Y[6] * dot(m3, h3))
    )
    hAB = dot(Ep, travel) + dot(qp, h3p)
    hBB = 0.0
    if p.rack == 0:
        hBB = p.radius_b * (l2 * dot(x2, e3) + g * dot(x2, e2)) + p.y_b[2] * dot(x3, q) + p.y_b[1] * dot(x2, q)
    psi_a = w.psi_a
    psi_b = w.psi_b
    work_a = w.work_a
    work_b = w.work_b
    for j in range(3):
        work_a[j] = Ep[j]
        work_a[3 + j] = row_a[j]
        work_a[6 + j] = -Ep[j]
        work_a[9 + j] = row_b[j]
        work_b[j] = 0.0
        work_b[3 + j] = row_c[j]
        work_b[6 + j] = 0.0
        work_b[9 + j] = -row_c[j]
    for j in range(12):
        a = psi_a[j]
        b = psi_b[j]
        work_a[j] = k * (work_a[j] + hAA * a + hAB * b)
        work_b[j] = k * (work_b[j] + hAB * a + hBB * b)
    for i in range(12):
        n = i % 3
        if i < 3:
            a = Fp[n]
            b = 0.0
        elif i < 6:
            a = column_a[n]
            b = column_c[n]
        elif i < 9:
            a = -Fp[n]
            b = 0.0
        else:
            a = column_b[n]
            b = -column_c[n]
        a *= k
        b *= k
        wa = psi_a[i]
        wb = psi_b[i]
        for j in range(12):
            K[i, j] += a * psi_a[j] + b * psi_b[j] + wa * work_a[j] + wb * work_b[j]


# ---- mesh potential

# Forces between two wheels in mesh that follow from the relative position of their axes, besides the force along the
# hoop.
#
# They have the potential
#
# W = F . c + mu1 . H1 + mu2 . H2 + mu3 . H3 , c = x_A - C_B ,
#
# F constant in the mesh frame of A, H constant in that of B. c is the displacement of the wheels, the other terms
# contain the directions of their axes. Flanks of any shape act by all of it (`compile.Shifts`), the tilt in the plane
# of action by mu1 . H1. The wrench on A, with the signs of the residual, is the force F at C_B and the
# couple sum of mu_i x H_i; the opposite acts on B. W also depends on psi_A and psi_B,
#
# mu' = -mu1 x mu , xi' = -xi1 x xi , c' = `travel` (of a rack xi' = 0),
#
# and these derivatives take part in the torques that determine l2 and l3 (`mesh_wrench`).


@leaf
def _with_b(g: Geometry, f: MeshFrame, v: V3) -> V3:
    """Derivative by psi_B of a vector that is constant in the mesh frame of B."""
    return (0.0, 0.0, 0.0) if g.rack != 0 else cross(v, f.x1)


@leaf
def potential_couple(f: MeshFrame, w: Potential) -> V3:
    return add(cross(f.m1, w.h1), add(cross(f.m2, w.h2), cross(f.m3, w.h3)))


@leaf
def potential_by_a(f: MeshFrame, w: Potential) -> F8:
    """Derivative by psi_A."""
    return dot(cross(w.force, f.m1), f.centre) + dot(f.m2, w.h3) - dot(f.m3, w.h2)


@leaf
def potential_by_b(g: Geometry, f: MeshFrame, w: Potential) -> F8:
    """Derivative by psi_B."""
    turning = dot(f.m1, _with_b(g, f, w.h1)) + dot(f.m2, _with_b(g, f, w.h2)) + dot(f.m3, _with_b(g, f, w.h3))
    return dot(w.force, f.travel) + turning


@leaf
def potential_rate(g: Geometry, f: MeshFrame, motion: MeshMotion, hoop: Hoop, w: Potential) -> F8:
    moving = dot(w.force, motion.relative) + dot(potential_couple(f, w), motion.spin)
    return moving + potential_by_a(f, w) * hoop.rate_a + potential_by_b(g, f, w) * hoop.rate_b


@block
def potential_gradient(g: Geometry, f: MeshFrame, w: Potential, by: Gradients, out: A1):
    """Gradient by the poses. Needs those of psi."""
    couple = potential_couple(f, w)
    on_a = add(cross(w.force, f.arm_a), couple)
    on_b = sub(cross(w.force, f.arm_b), couple)
    by_a = potential_by_a(f, w)
    by_b = potential_by_b(g, f, w)
    psi_a = by.psi_a
    psi_b = by.psi_b
    for j in range(3):
        out[j] = w.force[j] + by_a * psi_a[j] + by_b * psi_b[j]
        out[3 + j] = on_a[j] + by_a * psi_a[3 + j] + by_b * psi_b[3 + j]
        out[6 + j] = -w.force[j] + by_a * psi_a[6 + j] + by_b * psi_b[6 + j]
        out[9 + j] = on_b[j] + by_a * psi_a[9 + j] + by_b * psi_b[9 + j]


@block
def potential_stiffness(g: Geometry, f: MeshFrame, w: Potential, by: Gradients, k: F8, K: A2):
    """Add k times the derivative of the wrench with constant F and H, as `geometric_stiffness`. Needs the gradients of psi."""
    F = w.force
    D = f.arm_a
    B = f.arm_b
    put_skew(K, 0, 3, -k, F)
    put_skew(K, 6, 3, k, F)
    put_skew(K, 3, 0, k, F)
    put_skew(K, 3, 6, -k, F)
    put_skews(K, 3, 3, k, D, F)
    put_skews(K, 3, 9, k, F, B)
    put_skews(K, 9, 3, k, B, F)
    put_skews(K, 9, 9, -k, F, B)
    for i in range(3):
        axis = f.m1 if i == 0 else (f.m2 if i == 1 else f.m3)
        h = w.h1 if i == 0 else (w.h2 if i == 1 else w.h3)
        put_skews(K, 3, 3, k, h, axis)
        put_skews(K, 3, 9, -k, axis, h)
        put_skews(K, 9, 3, -k, h, axis)
        put_skews(K, 9, 9, k, axis, h)
    # derivatives of the wrench by psi_A and psi_B, and those of its torques
    Fp = cross(F, f.m1)
    turn = sub(cross(f.m2, w.h3), cross(f.m3, w.h2))
    p1 = _with_b(g, f, w.h1)
    p2 = _with_b(g, f, w.h2)
    p3 = _with_b(g, f, w.h3)
    a_a = add(cross(Fp, D), turn)
    a_b = sub(cross(Fp, B), turn)
    b_a = add(cross(F, f.travel), add(cross(f.m1, p1), add(cross(f.m2, p2), cross(f.m3, p3))))
    across = combined(dot(F, f.m2), f.m2, dot(F, f.m3), f.m3)
    aa = -dot(across, f.centre) - dot(f.m2, w.h2) - dot(f.m3, w.h3)
    ab = dot(Fp, f.travel) + dot(f.m2, p3) - dot(f.m3, p2)
    bb = dot(F, _with_b(g, f, f.travel))
    bb += dot(f.m1, _with_b(g, f, p1)) + dot(f.m2, _with_b(g, f, p2)) + dot(f.m3, _with_b(g, f, p3))
    psi_a = by.psi_a
    psi_b = by.psi_b
    for i in range(12):
        n = i % 3
        if i < 3:
            a = Fp[n]
            b = 0.0
        elif i < 6:
            a = a_a[n]
            b = b_a[n]
        elif i < 9:
            a = -Fp[n]
            b = 0.0
        else:
            a = a_b[n]
            b = -b_a[n]
        row_a = k * (a + aa * psi_a[i] + ab * psi_b[i])
        row_b = k * (b + ab * psi_a[i] + bb * psi_b[i])
        for j in range(12):
            K[i, j] += row_a * psi_a[j] + row_b * psi_b[j]
            K[j, i] += k * (a * psi_a[j] + b * psi_b[j])


# ---- mesh tilt

# Tilt of two wheels in the plane of action of each flank, and the effect of the corresponding moments on the wheels.
#
# The flanks of B press on those of A along a normal that rotates with B. In a section across the axes it is
#
# n_B = +-cos(alpha_t) t_B + sin(alpha_t) r_B (+ drive, - coast flank),
#
# t_B along the pitch circle of A and r_B from the teeth of A to those of B, both fixed in the mesh frame of B and
# parallel to xi3 and xi2. The slope of the gap along the face, in that plane, is
#
# f = mu1 . n_B ,
#
# zero for parallel axes and positive if the gap closes towards mu1. Tilt out of the plane of action changes the gap
# in second order only. mu1 does not depend on psi_A: all gradients are explicit. The law (`kernel_loaded`,
# `tilted_springs`, `kernel_flank_law`) has a moment conjugate to f of each flank; both together are the potential mu1 . H
# with H = p xi3 + q xi2 and p, q frozen.


@leaf
def tilts_of(law: Law, f: MeshFrame, hoop: Hoop):
    """f of both flanks."""
    across = law.tilt_across * dot(f.m1, f.x3)
    towards = law.tilt_towards * dot(f.m1, f.x2)
    hoop.tilt_drive = towards + across
    hoop.tilt_coast = towards - across


@leaf
def _in_section(f: MeshFrame, p: F8, q: F8, out: Potential):
    """mu1 . (p xi3 + q xi2)."""
    out.force = out.h2 = out.h3 = (0.0, 0.0, 0.0)
    out.h1 = combined(p, f.x3, q, f.x2)


@leaf
def tilt_unit(law: Law, f: MeshFrame, side: F8, out: Potential):
    """f of the drive flank (side 1) or of the coast flank (-1)."""
    _in_section(f, side * law.tilt_across, law.tilt_towards, out)


@leaf
def tilt_potential(law: Law, f: MeshFrame, found: LawOut, out: Potential):
    """That of the moments of both flanks."""
    drive = found.on_drive.moment
    coast = found.on_coast.moment
    _in_section(f, law.tilt_across * (drive - coast), law.tilt_towards * (drive + coast), out)


@block
def _add_flank(pair: MeshParameters, K: F8, side: F8, part: TiltOut, w: MeshScratch, J: A2):
    """Contribution of one flank to the tangent of a law of the approach. If teeth follow centres, it needs the gradient
    of closer."""
    g = w.gradients
    tilt_unit(pair.law, w.frame, side, w.unit)
    potential_gradient(pair.geometry, w.frame, w.unit, g, g.tilt)
    psi_a = g.psi_a
    psi_b = g.psi_b
    tilt = g.tilt
    closer = g.closer
    by_force = w.wrench.by_force
    t = pair.geometry.radial
    # what changes with f: torques, force, and the force along y, each with its damper
    dc = K * part.c_t
    dd = K * part.d_t
    along = damper_levers(pair, w.law)
    wa = K * part.w_at + along[0] * dc + along[2] * dd
    wb = K * part.w_bt + along[1] * dc + along[3] * dd
    df = K * part.f_t + dc
    dn = t * (K * part.both_t + dd)
    for j in range(12):
        dt = tilt[j]
        dm = K * (part.m_a * psi_a[j] + part.m_b * psi_b[j] + part.m_t * dt)
        if t > 0.0:
            dm += K * t * part.both_t * closer[j]
        for i in range(12):
            J[i, j] += tilt[i] * dm + dt * (wa * psi_a[i] + wb * psi_b[i] + df * by_force[i])
            if t > 0.0:
                J[i, j] += dt * dn * closer[i]


@block
def tilt_stiffness(pair: MeshParameters, K: F8, w: MeshScratch, J: A2):
    """Add the derivatives of the law with respect to the tilt, and of its moments with respect to all variables: K times
    for the poses. Spatial."""
    potential_stiffness(pair.geometry, w.frame, w.potential, w.gradients, K, J)
    _add_flank(pair, K, 1.0, w.law.on_drive, w, J)
    _add_flank(pair, K, -1.0, w.law.on_coast, w, J)


@block
def tilt_rows(pair: MeshParameters, K: F8, side: F8, part: TiltOut, w: MeshScratch, J: A2):
    """The same for the multiplier form, for the flank of the force."""
    g = w.gradients
    potential_stiffness(pair.geometry, w.frame, w.potential, g, K, J)
    tilt_unit(pair.law, w.frame, side, w.unit)
    potential_gradient(pair.geometry, w.frame, w.unit, g, g.tilt)
    psi_a = g.psi_a
    psi_b = g.psi_b
    tilt = g.tilt
    for j in range(12):
        dt = tilt[j]
        dm = K * (part.m_a * psi_a[j] + part.m_b * psi_b[j] + part.m_t * dt)
        J[j, 12] += part.f_t * dt
        J[12, j] += part.row_t * dt
        for i in range(12):
            J[i, j] += tilt[i] * dm + K * dt * (part.w_at * psi_a[i] + part.w_bt * psi_b[i])
