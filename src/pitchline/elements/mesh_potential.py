"""Forces between two wheels in mesh that follow from the relative position of their axes, besides the force along the hoop.

They have the potential

    W = F . c + mu1 . H1 + mu2 . H2 + mu3 . H3 ,      c = x_A - C_B ,

F constant in the mesh frame of A, H constant in that of B. c is the displacement of the wheels, the other terms contain the
directions of their axes. Flanks of any shape act by all of it (`flank_shifts`), the tilt in the plane of action by mu1 . H1
(`mesh_tilt`). The wrench on A, with the signs of the residual, is the force F at C_B and the couple sum of mu_i x H_i; the opposite
acts on B. W also depends on psi_A and psi_B,

    mu' = -mu1 x mu ,      xi' = -xi1 x xi ,      c' = `travel`     (of a rack xi' = 0),

and these derivatives take part in the torques that determine l2 and l3 (`mesh_wrench`).
"""

from ..math.compiled import A1, A2, F8, V3, block, leaf
from ..math.vectors import add, cross, dot, sub
from .mesh_frame import combined
from .mesh_geometric_stiffness import put_skew, put_skews
from .mesh_geometry import Geometry
from .mesh_records import Gradients, Hoop, MeshFrame, MeshMotion, Potential


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
