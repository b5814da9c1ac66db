"""Response of elastic flanks to the relative position of the axes of both wheels, besides the approach along the hoop.

A shift is a coordinate d_k of the mesh frame, linear in the position X of C_B relative to wheel A and in the direction cosines of
both frames,

    d_k = along_k . X + sum over i, j of turning_kij (mu_i . xi_j) - base_k ,      X_i = mu_i . (C_B - x_A) ,

zero as built. The gap of strip j closes by W_j level_jk d_k. Two sets are in use (`system.flank_shifts`):

* the tilt in the plane of action of the drive and of the coast flank (`mesh_tilt`), of cylindrical gears;
* the three displacements of C_B and the three rotations of frame B, of all others. A point of contact p with the normal n of the
  flank of A then opens its gap by n . (dx + dtheta x (p - C_B)), which is exact to first order, and the strips act on the wheels
  with their forces at their points of contact. The tooth force along the hoop contains the same forces. Both are derivatives of one
  potential, in which psi_A and psi_B follow the poses, and nothing is counted twice.
"""

from ..math.compiled import A1, A2, F8, I8, block, leaf
from ..math.vectors import add, dot, mul, sub
from .flank_records import PSI, SHIFT, ContactForces, Flanks, FlankScratch, U, Y
from .mesh_frame import combined
from .mesh_potential import potential_gradient, potential_rate, potential_stiffness
from .mesh_records import MeshFrame, MeshParameters, MeshScratch, Potential


@block
def shifts_of(s: Flanks, f: MeshFrame, to: A1):
    """All d_k."""
    for k in range(s.shifts):
        x = s.shift_along[k]
        t = s.shift_turning[k]
        d = -s.shift_base[k] - dot(f.centre, combined(1.0, combined(x[0], f.m1, x[1], f.m2), x[2], f.m3))
        d += dot(f.m1, add(combined(t[0], f.x1, t[1], f.x2), mul(t[2], f.x3)))
        d += dot(f.m2, add(combined(t[3], f.x1, t[4], f.x2), mul(t[5], f.x3)))
        d += dot(f.m3, add(combined(t[6], f.x1, t[7], f.x2), mul(t[8], f.x3)))
        to[k] = d


@leaf
def _no_potential(out: Potential):
    out.force = out.h1 = out.h2 = out.h3 = (0.0, 0.0, 0.0)


@block
def _add_shift(s: Flanks, k: I8, moment: F8, f: MeshFrame, out: Potential):
    """Add the potential of a moment that is conjugate to d_k."""
    x = s.shift_along[k]
    t = s.shift_turning[k]
    out.force = sub(out.force, mul(moment, add(combined(x[0], f.m1, x[1], f.m2), mul(x[2], f.m3))))
    out.h1 = add(out.h1, mul(moment, add(combined(t[0], f.x1, t[1], f.x2), mul(t[2], f.x3))))
    out.h2 = add(out.h2, mul(moment, add(combined(t[3], f.x1, t[4], f.x2), mul(t[5], f.x3))))
    out.h3 = add(out.h3, mul(moment, add(combined(t[6], f.x1, t[7], f.x2), mul(t[8], f.x3))))


@block
def shift_potential(s: Flanks, found: ContactForces, w: MeshScratch):
    """That of the forces of all strips, in `w.potential`. Friction has none, but it acts in the same way."""
    _no_potential(w.potential)
    for k in range(s.shifts):
        _add_shift(s, k, found.shifts[k] + found.rubbing[k], w.frame, w.potential)


@block
def shift_rates(s: Flanks, w: MeshScratch, pair: MeshParameters, to: A1):
    """Rates of all d_k."""
    for k in range(s.shifts):
        _no_potential(w.unit)
        _add_shift(s, k, 1.0, w.frame, w.unit)
        to[k] = potential_rate(pair.geometry, w.frame, w.motion, w.hoop, w.unit)


@block
def shift_stiffness(s: Flanks, pair: MeshParameters, found: ContactForces, K: F8, w: FlankScratch, J: A2):
    """Add the derivatives of the law with respect to the shifts, and of their moments with respect to all variables, in world
    axes. Needs the gradients of psi, and of closer if teeth follow their centres."""
    mesh = w.mesh
    g = mesh.gradients
    potential_stiffness(pair.geometry, mesh.frame, mesh.potential, g, K, J)
    shifts = s.shifts
    t = pair.geometry.radial
    cA = pair.geometry.lever_a
    cB = pair.geometry.lever_b
    psi_a = g.psi_a
    psi_b = g.psi_b
    closer = g.closer
    by_force = mesh.wrench.by_force
    second = found.second
    gradients = w.shifts
    for k in range(shifts):
        _no_potential(mesh.unit)
        _add_shift(s, k, 1.0, mesh.frame, mesh.unit)
        potential_gradient(pair.geometry, mesh.frame, mesh.unit, g, gradients[k])
    for k in range(shifts):
        one = gradients[k]
        by_u = second[U, SHIFT + k]
        on_a = K * (cA * by_u + second[PSI, SHIFT + k])
        on_b = K * cB * by_u
        radial = K * t * second[Y, SHIFT + k]
        for i in range(12):
            with_turns = on_a * psi_a[i] + on_b * psi_b[i]
            if t > 0.0:
                with_turns += radial * closer[i]
            on_law = with_turns + K * by_u * by_force[i]
            own = 0.0
            for l in range(shifts):
                own += K * second[SHIFT + k, SHIFT + l] * gradients[l, i]
            for j in range(12):
                J[i, j] += on_law * one[j]
                J[j, i] += one[j] * (with_turns + own)
