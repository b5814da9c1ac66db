"""Geometry of a gear pair: from two poses to the mesh frame, the rotations of the wheels in it, and their gradients.

Cardona's pair (Flexible three dimensional gear modelling, 1997, misprints corrected) carries psi_A, psi_B and the hoop
approach u as unknowns with three constraints. Two of them locate the mesh frame,

    phi2 = (C_A - C_B) . eta3_A = 0,     phi3 = eta2_A . eta3_B = 0,     C_A = x_A + r_A mu2'',  C_B = x_B + r_B xi2'',

with mu'' = R_A M0 Rot1(psi_A)^T and xi'' = R_B X0 Rot1(psi_B)^T. They depend on the poses and on psi_A, psi_B alone, so that
both are solved here, inside the element, and u = (m_n/2)(z_A psi_A + z_B psi_B) becomes a function of the two poses:

    P = d(phi2, phi3)/d(psi_A, psi_B),     grad psi = -P^-1 [grad phi2; grad phi3].

A rack has the travel s of the pitch point in place of psi_B: C_B = x_B + R_B c0 + s xi3, u = m_n z_A psi_A/2 - s cos(beta_B).

Wheel centres need not be the origins of the nodes: moments are about the nodes, with the arms D = x_node,A - C_B and
C_B - x_node,B; second derivatives keep their form with those arms.

Everything is left in scratch rows of J, behind the local block (places below).
"""

import math

import numpy as np

from ..gears.pitch import PitchGeometry
from ..math.compiled import A1, A2, F8, I8, V2, V3, block, leaf
from ..math.vectors import add, cross, dot, mul, mv, rotation, row, sub, vec

# parameters
RACK, RADIUS_A, RADIUS_B, LEVER_A, LEVER_B, TEETH_A, TEETH_B, PITCH, COS_ALPHA, TAN_ALPHA, DETERMINANT = range(11)
YA, YB3 = 11, 20  # Y_A row by row, third column of Y_B
START = 23  # a, b, 1/max(r)^2, Z21, Z31 of the closed-form start
Z2, Z3 = 28, 31  # columns of Z
POINT_A, TRIAD_A, POINT_B, TRIAD_B = 34, 37, 46, 49
Z11 = 58
SEPARATION = 59  # tan(alpha), or 0 where the separating force is left out
RADIAL = 60  # tan(alpha) where the teeth come closer with their centres, else 0
ENDS = 61  # where contact ends (places in `mesh_limits`)
LIMITS_SIZE = 17
SIZE = ENDS + LIMITS_SIZE

# scratch rows of J: gradients of psi_A, psi_B and of the tilt, work, gradient of the rate of u; vectors; scalars
PSI_A_Q, PSI_B_Q, TILT_Q, WORK_A, WORK_B, RATE_Q = 16, 17, 18, 19, 20, 21
VECTORS, MORE_VECTORS, SCALARS = 24, 25, 26
M1, M2, M3, X1, X2, X3, E1, E2, E3 = 0, 3, 6, 9, 12, 15, 18, 21, 24
E1_P, E2_P, E3_P, H3, H3_P, CENTRE, ARM_A, ARM_B, TRAVEL, POINT = 0, 3, 6, 9, 12, 15, 18, 21, 24, 27
PSI_A, PSI_B, P11, P12, P21, P22, INVERSE, ITERATIONS = range(8)

NEWTON_LIMIT = 25
TWO_PI = 2.0 * math.pi


@leaf
def _store(J: A2, i: I8, j: I8, a: V3):
    J[i, j] = a[0]
    J[i, j + 1] = a[1]
    J[i, j + 2] = a[2]


@leaf
def _column(p: A1, at: I8, j: I8) -> V3:
    """Column j of the row-major matrix p[at:at+9]."""
    return (p[at + j], p[at + 3 + j], p[at + 6 + j])


@leaf
def _pair(a: F8, u: V3, b: F8, v: V3) -> V3:
    return (a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2])


@leaf
def _triple(a: F8, u: V3, b: F8, v: V3, c: F8, w: V3) -> V3:
    return (a * u[0] + b * v[0] + c * w[0], a * u[1] + b * v[1] + c * w[1], a * u[2] + b * v[2] + c * w[2])


@block
def mesh_frame(p: A1, P: A2, J: A2) -> I8:
    """Solve phi2 = phi3 = 0 for the mesh frame of two poses; vectors and scalars into the scratch rows of J.

    A pure function of the poses: the closed-form start is exact when the wheels are aligned and lies on the branch where the
    teeth are in mesh; Newton needs one to three iterations from there. 0 if there is no mesh in these poses.
    """
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    m1 = mv(RA, _column(p, TRIAD_A, 0))
    a2 = mv(RA, _column(p, TRIAD_A, 1))
    a3 = mv(RA, _column(p, TRIAD_A, 2))
    x1 = mv(RB, _column(p, TRIAD_B, 0))
    b2 = mv(RB, _column(p, TRIAD_B, 1))
    b3 = mv(RB, _column(p, TRIAD_B, 2))
    arm_a = mv(RA, vec(p, POINT_A))
    arm_b = mv(RB, vec(p, POINT_B))
    apart = sub(add(row(P, 0, 0), arm_a), add(row(P, 1, 0), arm_b))  # x_A - x_B of the centres
    rA = p[RADIUS_A]
    rB = p[RADIUS_B]
    iterations = 0
    s = 0.0
    if p[RACK] != 0.0:
        # phi3 does not contain s: psi_A first, on the side of the teeth, then s from phi2
        h3 = _triple(-p[YB3], x1, -p[YB3 + 1], b2, -p[YB3 + 2], b3)
        cr = dot(a3, h3)
        ci = dot(a2, h3)
        n = 1.0 / math.sqrt(cr * cr + ci * ci)
        cA = cr * n
        sA = ci * n
        if dot(_pair(cA, a2, -sA, a3), b2) * p[Z2 + 1] < 0.0:
            cA = -cA
            sA = -sA
        cB = 1.0
        sB = 0.0
        m2 = _pair(cA, a2, -sA, a3)
        m3 = _pair(sA, a2, cA, a3)
        e3 = _triple(p[YA + 2], m1, p[YA + 5], m2, p[YA + 8], m3)
        s = (dot(apart, e3) + rA * p[YA + 5]) / dot(b3, e3)
    else:
        w2 = -dot(apart, a2)
        w3 = -dot(apart, a3)
        t2 = dot(x1, a2)
        t3 = dot(x1, a3)
        a = p[START]
        b = p[START + 1]
        scale = p[START + 2]
        cr = scale * (a * w2 - b * w3) + p[START + 3] * t2 + p[START + 4] * t3
        ci = scale * (a * w3 + b * w2) + p[START + 3] * t3 - p[START + 4] * t2
        n = 1.0 / math.sqrt(cr * cr + ci * ci)
        cA = cr * n
        sA = -ci * n
        m2 = _pair(cA, a2, -sA, a3)
        m3 = _pair(sA, a2, cA, a3)
        g2 = _triple(p[Z2], m1, p[Z2 + 1], m2, p[Z2 + 2], m3)
        g3 = _triple(p[Z3], m1, p[Z3 + 1], m2, p[Z3 + 2], m3)
        cr = dot(g2, b2) + dot(g3, b3)
        ci = dot(g2, b3) - dot(g3, b2)
        n = 1.0 / math.sqrt(cr * cr + ci * ci)
        cB = cr * n
        sB = -ci * n
    last = p[RACK] != 0.0
    while True:
        m2 = _pair(cA, a2, -sA, a3)
        m3 = _pair(sA, a2, cA, a3)
        x2 = _pair(cB, b2, -sB, b3)
        x3 = _pair(sB, b2, cB, b3)
        e3 = _triple(p[YA + 2], m1, p[YA + 5], m2, p[YA + 8], m3)
        e3p = _pair(p[YA + 8], m2, -p[YA + 5], m3)
        e2 = _pair(p[YA + 1], m1, p[YA + 4], m2)
        e2p = mul(-p[YA + 4], m3)
        h3 = _triple(-p[YB3], x1, -p[YB3 + 1], x2, -p[YB3 + 2], x3)
        if p[RACK] != 0.0:
            h3p = (0.0, 0.0, 0.0)
            travel = mul(-1.0, b3)
            to_point = mul(s, b3)
        else:
            h3p = _pair(-p[YB3 + 2], x2, p[YB3 + 1], x3)
            travel = mul(rB, x3)
            to_point = mul(rB, x2)
        centre = sub(apart, to_point)  # x_A - C_B
        p11 = dot(e3p, centre)
        p12 = dot(travel, e3)
        p21 = dot(e2p, h3)
        p22 = dot(h3p, e2)
        determinant = p11 * p22 - p12 * p21
        if not abs(determinant) > 1e-3 * p[DETERMINANT]:
            return 0
        inverse = 1.0 / determinant
        if last:
            break
        f2 = rA * p[YA + 5] + dot(centre, e3)
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
    _store(J, VECTORS, M1, m1)
    _store(J, VECTORS, M2, m2)
    _store(J, VECTORS, M3, m3)
    _store(J, VECTORS, X1, x1)
    _store(J, VECTORS, X2, x2)
    _store(J, VECTORS, X3, x3)
    _store(J, VECTORS, E1, _triple(p[YA], m1, p[YA + 3], m2, p[YA + 6], m3))
    _store(J, VECTORS, E2, e2)
    _store(J, VECTORS, E3, e3)
    _store(J, MORE_VECTORS, E1_P, _pair(p[YA + 6], m2, -p[YA + 3], m3))
    _store(J, MORE_VECTORS, E2_P, e2p)
    _store(J, MORE_VECTORS, E3_P, e3p)
    _store(J, MORE_VECTORS, H3, h3)
    _store(J, MORE_VECTORS, H3_P, h3p)
    _store(J, MORE_VECTORS, CENTRE, centre)
    _store(J, MORE_VECTORS, ARM_A, sub(centre, arm_a))
    _store(J, MORE_VECTORS, ARM_B, add(to_point, arm_b))
    _store(J, MORE_VECTORS, TRAVEL, travel)
    _store(J, MORE_VECTORS, POINT, add(row(P, 1, 0), add(arm_b, to_point)))
    J[SCALARS, PSI_A] = math.atan2(sA, cA)
    J[SCALARS, PSI_B] = s if p[RACK] != 0.0 else math.atan2(sB, cB)
    J[SCALARS, P11] = p11
    J[SCALARS, P12] = p12
    J[SCALARS, P21] = p21
    J[SCALARS, P22] = p22
    J[SCALARS, INVERSE] = inverse
    J[SCALARS, ITERATIONS] = iterations
    return 1


@leaf
def solve(J: A2, f2: F8, f3: F8) -> V2:
    """-P^-1 (f2, f3)."""
    i = J[SCALARS, INVERSE]
    return (
        -(J[SCALARS, P22] * f2 - J[SCALARS, P12] * f3) * i,
        -(J[SCALARS, P11] * f3 - J[SCALARS, P21] * f2) * i,
    )


@leaf
def solve_transposed(J: A2, wA: F8, wB: F8) -> V2:
    """(l2, l3) with P^T l = -(w_A, w_B)."""
    i = J[SCALARS, INVERSE]
    return (
        -(J[SCALARS, P22] * wA - J[SCALARS, P21] * wB) * i,
        -(J[SCALARS, P11] * wB - J[SCALARS, P12] * wA) * i,
    )


@block
def psi_gradients(J: A2):
    """Gradients of psi_A and psi_B by (x_A, theta_A, x_B, theta_B), spatial increments, into their scratch rows."""
    e3 = row(J, VECTORS, E3)
    couple = cross(row(J, VECTORS, E2), row(J, MORE_VECTORS, H3))
    turn_a = cross(e3, row(J, MORE_VECTORS, ARM_A))
    turn_b = cross(e3, row(J, MORE_VECTORS, ARM_B))
    for i in range(3):
        a, b = solve(J, e3[i], 0.0)
        J[PSI_A_Q, i] = a
        J[PSI_A_Q, 6 + i] = -a
        J[PSI_B_Q, i] = b
        J[PSI_B_Q, 6 + i] = -b
        a, b = solve(J, turn_a[i], couple[i])
        J[PSI_A_Q, 3 + i] = a
        J[PSI_B_Q, 3 + i] = b
        a, b = solve(J, turn_b[i], -couple[i])
        J[PSI_A_Q, 9 + i] = a
        J[PSI_B_Q, 9 + i] = b


@leaf
def _put_skew(K: A2, i: I8, j: I8, s: F8, a: V3):
    """K[i:i+3, j:j+3] += s a~."""
    K[i, j + 1] -= s * a[2]
    K[i, j + 2] += s * a[1]
    K[i + 1, j] += s * a[2]
    K[i + 1, j + 2] -= s * a[0]
    K[i + 2, j] -= s * a[1]
    K[i + 2, j + 1] += s * a[0]


@block
def _put_skews(K: A2, i: I8, j: I8, s: F8, a: V3, b: V3):
    """K[i:i+3, j:j+3] += s a~ b~ = s (b a^T - (a.b) 1)."""
    c = s * dot(a, b)
    for m in range(3):
        for n in range(3):
            K[i + m, j + n] += s * b[m] * a[n]
        K[i + m, j + m] -= c


@block
def geometric_stiffness(p: A1, k: F8, l2: F8, l3: F8, tilt: F8, t: F8, g: F8, o: I8, J: A2):
    """Adds k times the derivative of the wrench with l2, l3, the tilting moment and the separating force t frozen.

    The wrench is that of l2 phi2 + l3 phi3 + tilt eta1_A . eta3_B, whose gradient by psi vanishes together with the law's,
    and t eta2_A at C_B. Of t the part g is a gradient too, that of g eta2_A . (C_A - C_B): teeth that follow their centres; the
    rest has no potential. Rows x_A, theta_A, x_B, theta_B, spatial, in columns o to o + 11 of J.
    Needs the gradients of psi.
    """
    m2 = row(J, VECTORS, M2)
    m3 = row(J, VECTORS, M3)
    x2 = row(J, VECTORS, X2)
    x3 = row(J, VECTORS, X3)
    e2 = row(J, VECTORS, E2)
    e3 = row(J, VECTORS, E3)
    e1p = row(J, MORE_VECTORS, E1_P)
    e2p = row(J, MORE_VECTORS, E2_P)
    e3p = row(J, MORE_VECTORS, E3_P)
    h3 = row(J, MORE_VECTORS, H3)
    h3p = row(J, MORE_VECTORS, H3_P)
    centre = row(J, MORE_VECTORS, CENTRE)
    D = row(J, MORE_VECTORS, ARM_A)
    B = row(J, MORE_VECTORS, ARM_B)
    travel = row(J, MORE_VECTORS, TRAVEL)
    F = _pair(l2, e3, t, e2)
    q = _pair(l3, e2, tilt, row(J, VECTORS, E1))  # phi3 and the tilt are of one form: q . h3
    qp = _pair(l3, e2p, tilt, e1p)
    _put_skew(J, 0, o + 3, -k, F)
    _put_skew(J, 6, o + 3, k, F)
    _put_skew(J, 3, o + 0, k, F)
    _put_skew(J, 3, o + 6, -k, F)
    _put_skews(J, 3, o + 3, k, D, F)
    _put_skews(J, 3, o + 3, k, h3, q)
    _put_skews(J, 3, o + 9, k, F, B)
    _put_skews(J, 3, o + 9, -k, q, h3)
    _put_skews(J, 9, o + 3, k, B, F)
    _put_skews(J, 9, o + 3, -k, h3, q)
    _put_skews(J, 9, o + 9, -k, F, B)
    _put_skews(J, 9, o + 9, k, q, h3)
    # columns: derivative of the wrench by psi_A, psi_B; rows: of the gradient part
    Fp = _pair(l2, e3p, t, e2p)
    Ep = _pair(l2, e3p, g, e2p)
    turn = cross(qp, h3)
    column_a = add(cross(Fp, D), turn)
    column_b = sub(cross(Fp, B), turn)
    row_a = add(cross(Ep, D), turn)
    row_b = sub(cross(Ep, B), turn)
    by_b = cross(q, h3p)
    column_c = add(cross(F, travel), by_b)
    row_c = add(cross(_pair(l2, e3, g, e2), travel), by_b)
    hAA = (
        -l2 * (p[YA + 8] * dot(m3, centre) + p[YA + 5] * dot(m2, centre))
        - g * p[YA + 4] * dot(m2, centre)
        - l3 * p[YA + 4] * dot(m2, h3)
        - tilt * (p[YA + 3] * dot(m2, h3) + p[YA + 6] * dot(m3, h3))
    )
    hAB = dot(Ep, travel) + dot(qp, h3p)
    hBB = 0.0
    if p[RACK] == 0.0:
        hBB = p[RADIUS_B] * (l2 * dot(x2, e3) + g * dot(x2, e2)) + p[YB3 + 2] * dot(x3, q) + p[YB3 + 1] * dot(x2, q)
    for j in range(3):
        J[WORK_A, j] = Ep[j]
        J[WORK_A, 3 + j] = row_a[j]
        J[WORK_A, 6 + j] = -Ep[j]
        J[WORK_A, 9 + j] = row_b[j]
        J[WORK_B, j] = 0.0
        J[WORK_B, 3 + j] = row_c[j]
        J[WORK_B, 6 + j] = 0.0
        J[WORK_B, 9 + j] = -row_c[j]
    for j in range(12):
        a = J[PSI_A_Q, j]
        b = J[PSI_B_Q, j]
        J[WORK_A, j] = k * (J[WORK_A, j] + hAA * a + hAB * b)
        J[WORK_B, j] = k * (J[WORK_B, j] + hAB * a + hBB * b)
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
        wa = J[PSI_A_Q, i]
        wb = J[PSI_B_Q, i]
        for j in range(12):
            J[i, o + j] += a * J[PSI_A_Q, j] + b * J[PSI_B_Q, j] + wa * J[WORK_A, j] + wb * J[WORK_B, j]


def encode_geometry(
    pitch: PitchGeometry,
    point_a: np.ndarray,
    triad_a: np.ndarray,
    point_b: np.ndarray,
    triad_b: np.ndarray,
    *,
    separating: bool = True,
    follow_centres: bool = False,
    limits: np.ndarray | None = None,
) -> np.ndarray:
    """Parameters of a pair: its pitch geometry, and centre and triad of each wheel in the axes of its node.

    Of a rack `point_b` is the middle of a space on its pitch line. Not `separating`: flanks push along the hoop alone.
    `follow_centres`: the teeth come closer when their centres do. `limits`: where contact ends (`mesh_limits.encode_limits`); it
    does not without them.
    """
    rack = pitch.is_rack
    rA, rB = pitch.radius_a, 0.0 if rack else pitch.radius_b
    Z, gA, gB = pitch.Z, pitch.gamma_a, pitch.gamma_b
    a, b = rA - Z[1, 1] * rB, Z[2, 1] * rB
    cos_betas = math.cos(pitch.beta_a) * math.cos(pitch.beta_b)
    determinant = cos_betas * (1.0 if rack else rA * math.cos(gB) + rB * math.cos(gA))
    module = pitch.normal_module
    p = np.zeros(SIZE)
    p[[RACK, RADIUS_A, RADIUS_B]] = float(rack), rA, rB
    p[LEVER_A] = 0.5 * module * pitch.teeth_a
    p[LEVER_B] = -math.cos(pitch.beta_b) if rack else 0.5 * module * pitch.teeth_b
    p[[TEETH_A, TEETH_B, PITCH]] = pitch.teeth_a, 0 if rack else pitch.teeth_b, math.pi * module
    p[[COS_ALPHA, TAN_ALPHA]] = math.cos(pitch.pressure_angle), math.tan(pitch.pressure_angle)
    p[SEPARATION] = math.tan(pitch.pressure_angle) if separating else 0.0
    p[RADIAL] = math.tan(pitch.pressure_angle) if follow_centres else 0.0
    p[DETERMINANT] = abs(determinant)
    p[YA : YA + 9], p[YB3 : YB3 + 3] = pitch.Y_a.ravel(), pitch.Y_b[:, 2]
    p[START : START + 5] = a, b, 1.0 / max(rA, rB) ** 2, Z[1, 0], Z[2, 0]
    p[Z2 : Z2 + 3], p[Z3 : Z3 + 3], p[Z11] = Z[:, 1], Z[:, 2], Z[0, 0]
    p[POINT_A : POINT_A + 3], p[TRIAD_A : TRIAD_A + 9] = point_a, np.ravel(triad_a)
    p[POINT_B : POINT_B + 3], p[TRIAD_B : TRIAD_B + 9] = point_b, np.ravel(triad_b)
    if limits is not None:
        p[ENDS:SIZE] = limits
    return p
