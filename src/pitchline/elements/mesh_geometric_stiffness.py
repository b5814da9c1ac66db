"""Second derivatives of the geometry of a gear pair: derivatives of its wrench with constant tooth forces."""

from ..math.compiled import A2, F8, I8, V3, block, leaf
from ..math.vectors import add, cross, dot, sub
from .mesh_frame import combined
from .mesh_geometry import Geometry
from .mesh_records import Gradients, MeshFrame


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
