"""Tilt of two wheels in the plane of action of each flank, and the effect of the corresponding moments on the wheels.

The flanks of B press on those of A along a normal that rotates with B. In a section across the axes it is

    n_B = +-cos(alpha_t) t_B + sin(alpha_t) r_B      (+ drive, - coast flank),

t_B along the pitch circle of A and r_B from the teeth of A to those of B, both fixed in the mesh frame of B and parallel to xi3 and
xi2. The slope of the gap along the face, in that plane, is

    f = mu1 . n_B ,

zero for parallel axes and positive if the gap closes towards mu1. Tilt out of the plane of action changes the gap in second
order only. mu1 does not depend on psi_A: all gradients are explicit. The law (`loaded_law`, `tilted_springs`, `flank_law`) has a
moment conjugate to f of each flank; both together are the potential mu1 . H with H = p xi3 + q xi2 and p, q frozen.
"""

from ..math.compiled import A2, F8, V2, V3, block, leaf
from ..math.vectors import cross, dot, mul
from .mesh_frame import combined
from .mesh_geometric_stiffness import put_skews
from .mesh_law import Law
from .mesh_records import Gradients, Hoop, LawOut, MeshFrame, MeshMotion, MeshParameters, MeshScratch, TiltOut


@leaf
def tilts_of(law: Law, f: MeshFrame, hoop: Hoop):
    """f of both flanks."""
    across = law.tilt_across * dot(f.m1, f.x3)
    towards = law.tilt_towards * dot(f.m1, f.x2)
    hoop.tilt_drive = towards + across
    hoop.tilt_coast = towards - across


@leaf
def _turned(pair: MeshParameters, f: MeshFrame, p: F8, q: F8) -> V3:
    """Derivative of p xi3 + q xi2 with respect to psi_B. A rack does not rotate."""
    if pair.geometry.rack != 0:
        return (0.0, 0.0, 0.0)
    return combined(p, f.x2, -q, f.x3)


@leaf
def tilt_rate(pair: MeshParameters, f: MeshFrame, motion: MeshMotion, hoop: Hoop, side: F8) -> F8:
    """df/dt of the drive flank (side 1) or of the coast flank (-1)."""
    p = side * pair.law.tilt_across
    q = pair.law.tilt_towards
    turn = cross(f.m1, combined(p, f.x3, q, f.x2))
    return dot(motion.spin, turn) + dot(f.m1, _turned(pair, f, p, q)) * hoop.rate_b


@leaf
def _potential(law: Law, out: LawOut) -> V2:
    """p and q of H."""
    drive = out.on_drive.moment
    coast = out.on_coast.moment
    return (law.tilt_across * (drive - coast), law.tilt_towards * (drive + coast))


@leaf
def tilting_couple(pair: MeshParameters, f: MeshFrame, out: LawOut) -> V3:
    """Moment on A, with the signs of the residual; the opposite acts on B."""
    p, q = _potential(pair.law, out)
    return cross(f.m1, combined(p, f.x3, q, f.x2))


@leaf
def tilting_torque(pair: MeshParameters, f: MeshFrame, out: LawOut) -> F8:
    """Conjugate to psi_B."""
    p, q = _potential(pair.law, out)
    return dot(f.m1, _turned(pair, f, p, q))


@block
def frozen_tilt_stiffness(pair: MeshParameters, f: MeshFrame, w: Gradients, out: LawOut, k: F8, K: A2):
    """Add k times the derivative of the wrench of mu1 . H with constant p and q, as `geometric_stiffness` for the tilt of a
    line contact. Needs the gradients of psi."""
    p, q = _potential(pair.law, out)
    axis = f.m1
    H = combined(p, f.x3, q, f.x2)
    put_skews(K, 3, 3, k, H, axis)
    put_skews(K, 3, 9, -k, axis, H)
    put_skews(K, 9, 3, -k, H, axis)
    put_skews(K, 9, 9, k, axis, H)
    if pair.geometry.rack != 0:
        return
    turn = mul(k, cross(axis, _turned(pair, f, p, q)))
    second = -k * dot(axis, H)
    psi_b = w.psi_b
    for j in range(12):
        b = psi_b[j]
        for n in range(3):
            K[3 + n, j] += turn[n] * b
            K[9 + n, j] -= turn[n] * b
            K[j, 3 + n] += turn[n] * b
            K[j, 9 + n] -= turn[n] * b
        for i in range(12):
            K[i, j] += second * b * psi_b[i]


@block
def tilt_gradient(pair: MeshParameters, f: MeshFrame, side: F8, w: Gradients):
    """Gradient of f of a flank, into `w.tilt`."""
    p = side * pair.law.tilt_across
    q = pair.law.tilt_towards
    turn = cross(f.m1, combined(p, f.x3, q, f.x2))
    by_b = dot(f.m1, _turned(pair, f, p, q))
    psi_b = w.psi_b
    tilt = w.tilt
    for j in range(12):
        t = by_b * psi_b[j]
        if j > 2 and j < 6:
            t += turn[j - 3]
        elif j > 8:
            t -= turn[j - 9]
        tilt[j] = t


@block
def _add_flank(pair: MeshParameters, K: F8, side: F8, part: TiltOut, w: MeshScratch, J: A2):
    """Contribution of one flank to the tangent of a law of the approach. If teeth follow centres, it needs the gradient
    of closer."""
    g = w.gradients
    tilt_gradient(pair, w.frame, side, g)
    psi_a = g.psi_a
    psi_b = g.psi_b
    tilt = g.tilt
    closer = g.closer
    by_force = w.wrench.by_force
    t = pair.geometry.radial
    # what changes with f: torques, force, and the force along y, each with its damper
    dc = K * part.c_t
    wa = K * part.w_at + pair.geometry.lever_a * dc
    wb = K * part.w_bt + pair.geometry.lever_b * dc
    df = K * part.f_t + dc
    dn = K * t * part.both_t + w.motion.rise * dc
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
    frozen_tilt_stiffness(pair, w.frame, w.gradients, w.law, K, J)
    _add_flank(pair, K, 1.0, w.law.on_drive, w, J)
    _add_flank(pair, K, -1.0, w.law.on_coast, w, J)


@block
def tilt_rows(pair: MeshParameters, K: F8, side: F8, part: TiltOut, w: MeshScratch, J: A2):
    """The same for the multiplier form, for the flank of the force."""
    g = w.gradients
    frozen_tilt_stiffness(pair, w.frame, g, w.law, K, J)
    tilt_gradient(pair, w.frame, side, g)
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
