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

from ..math.compiled import A2, F8, block, leaf
from ..math.vectors import dot
from .mesh_damper import damper_levers
from .mesh_frame import combined
from .mesh_law import Law
from .mesh_potential import potential_gradient, potential_stiffness
from .mesh_records import Hoop, LawOut, MeshFrame, MeshParameters, MeshScratch, Potential, TiltOut


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
