"""From the tooth force to the wrench on both wheels: equilibrium, separating force, friction, losses, powers.

From the force f along the hoop and the torques about psi_A and psi_B, (w_A, w_B), one small system P^T l = -w gives the
wrench, in equilibrium in every configuration: one force at one point and one moment,

    F = l2 eta3_A + |f| tan(alpha) eta2_A - F_friction   at C_B,     couple l3 eta2_A x eta3_B + tilting moment + losses,

on A, and their opposites on B (signs of the residual: the tooth load is its negative). For an aligned pair l2 = f, l3 = 0. |f|
tan(alpha) is the separating force of the inclined flanks, which can be omitted. With a fixed line of action it is +-f tan(alpha),
and pulls the wheels together if the other flank is loaded.

Teeth may follow their centres: a flank comes closer by t y, t = tan(alpha), if the centres come closer by y = eta2_A . (C_A -
C_B) (and backlash decreases by 2 t y, until both flanks are in contact). The separating force is then exactly the gradient of
the same energy: y also depends on psi_A and psi_B if the pitch points do not coincide, and these terms enter w_A and w_B.
"""

from ..math.compiled import A1, F8, I8, V3, block, leaf
from ..math.vectors import add, cross, dot, mtv, mul, set_vec, sub
from .contract import Node
from .mesh_frame import solve_transposed
from .mesh_friction import dissipates, friction, no_friction
from .mesh_law import IN_PLANE, NO_TILT
from .mesh_potential import potential_by_a, potential_by_b, potential_couple
from .mesh_records import MeshParameters, MeshScratch, Wrench
from .mesh_tilt import tilt_potential


@block
def mesh_wrench(pair: MeshParameters, functions: A1, damp: F8, sliding: I8, w: MeshScratch):
    """Wrench and powers from the result of the law. sliding: compute the sliding speed also without friction."""
    frame = w.frame
    law = w.law
    motion = w.motion
    engaged = w.engaged
    out = w.wrench
    e2 = frame.e2
    h3 = frame.h3
    f = law.elastic + law.damping
    m = law.moment
    w_a = law.w_a
    w_b = law.w_b
    if m != 0.0:
        w_a += m * dot(frame.e1p, h3)
        w_b += m * dot(frame.e1, frame.h3p)
    if pair.law.tilted == IN_PLANE:
        tilt_potential(pair.law, frame, law, w.potential)
    if pair.law.tilted != NO_TILT:
        w_a += potential_by_a(frame, w.potential)
        w_b += potential_by_b(pair.geometry, frame, w.potential)
    radial = pair.geometry.radial
    follows = radial > 0.0
    line = pair.geometry.line
    t = (abs(f) if line == 0 else line * f) * pair.geometry.separation
    if follows:
        # conjugate to y, with what y has of psi_A and psi_B
        t = radial * law.both + radial * law.damped
    total = t + engaged.tip
    gradient = total if follows else engaged.tip  # the part of it that has a potential
    if gradient != 0.0:
        w_a += gradient * motion.closer_a
        w_b += gradient * motion.closer_b
    l2, l3 = solve_transposed(frame, w_a, w_b)
    force = add(mul(l2, frame.e3), mul(total, e2))
    if engaged.changes != 0:
        force = add(force, engaged.face_force)
    couple = mul(l3, cross(e2, h3))
    if m != 0.0:
        couple = add(couple, mul(m, cross(frame.e1, h3)))
    if pair.law.tilted != NO_TILT:
        force = add(force, w.potential.force)
        couple = add(couple, potential_couple(frame, w.potential))
    if (damp > 0.0 and dissipates(pair.law)) or sliding != 0:
        friction(pair, functions, f, damp, w)
        force = sub(force, out.friction)
        couple = sub(couple, out.couple)
    else:
        no_friction(w)
    moment_a = add(cross(force, frame.arm_a), couple)
    moment_b = sub(cross(force, frame.arm_b), couple)
    if engaged.changes != 0:
        moment_a = add(moment_a, mul(engaged.face_energy, engaged.couple_a))
        moment_b = add(moment_b, mul(engaged.face_energy, engaged.couple_b))
    out.l2 = l2
    out.l3 = l3
    out.radial = total
    out.radial_gradient = gradient
    out.force = force
    out.moment_a = moment_a
    out.moment_b = moment_b
    # a separating force without a potential: what it does when the wheels move apart comes from outside
    out.put_in = law.power if follows else law.power - t * dot(e2, motion.relative)
    out.lost = law.lost + out.friction_loss + out.couple_loss


@block
def wrench_by_force(pair: MeshParameters, w: MeshScratch):
    """Derivative of the wrench with respect to the tooth force, with constant l2 and l3: separating force, friction and losses."""
    out = w.wrench
    f = w.law.elastic + w.law.damping
    sign = 1.0 if f > 0.0 else (-1.0 if f < 0.0 else 0.0)
    if pair.geometry.line != 0:
        sign = float(pair.geometry.line)
    follows = pair.geometry.radial > 0.0  # what follows the centres is added with its gradient
    force = mul(0.0 if follows else sign * pair.geometry.separation, w.frame.e2)
    couple = (0.0, 0.0, 0.0)
    if f != 0.0:
        force = sub(force, mul(out.friction_gain / f, out.friction))
        couple = mul(-out.friction_gain / f, out.couple)
    put_work(out.by_force, force, add(cross(force, w.frame.arm_a), couple), sub(cross(force, w.frame.arm_b), couple))


@leaf
def put_work(out: A1, force: V3, on_a: V3, on_b: V3):
    """The twelve numbers of a force on A and its moments, and of its opposite on B."""
    set_vec(out, 0, force)
    set_vec(out, 3, on_a)
    set_vec(out, 6, mul(-1.0, force))
    set_vec(out, 9, on_b)


@leaf
def put_wrench(a: Node, b: Node, wrench: Wrench, r: A1):
    """Into the residual: moments in the axes of the nodes."""
    put_work(r, wrench.force, mtv(a.R, wrench.moment_a), mtv(b.R, wrench.moment_b))
