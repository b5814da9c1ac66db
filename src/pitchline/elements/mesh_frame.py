"""From two poses to the mesh frame, the rotations of the wheels in it, and their gradients.

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

from ..math.compiled import F8, I8, M9, V2, V3, block, leaf
from ..math.vectors import add, cross, dot, mul, mv, sub
from .contract import Node
from .mesh_geometry import Geometry
from .mesh_records import Gradients, MeshFrame

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
