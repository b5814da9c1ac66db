"""Friction and losses of a gear mesh, and the forces and moments on the wheels.

Friction acts against the sliding velocity v_s, the component of the relative velocity v_r of the two bodies at C_B
perpendicular to the normal n:

    F_f = -mu |F_n| v_s / sqrt(v_s^2 + v_0^2),     n = cos(alpha) eta3 + sign(f) sin(alpha) eta2,     F_n = f / cos(alpha).

Losses of pairs whose pitch point does not slide are a moment against the relative rotation, proportional to |f|. The rotation is
that of both wheels, (omega_A - omega_B) . L / |L|^2 with L = mu1 + (c_A/c_B) xi1: the rate of psi_A if the teeth do not move
against each other. With elastic teeth or in the backlash it differs from the rate of either wheel, and only with it the power of
the moment is never negative.

Friction on the path of contact is the mean over a mesh cycle. At the distance x from the pitch point, teeth of wheels on parallel
axes slide with v = |omega_A - omega_B| x. With g, the mean of |x| over the cycle with the load shared equally by the pairs in
contact, the mean power loss is mu F_n |omega_A - omega_B| g: that of a moment mu F_n g against the relative rotation, with
mu at the mean sliding speed.
"""

import math

from pitchline.engine.elements.contract import Node
from pitchline.numerics.functions import value_of
from pitchline.numerics.machine_code.compiled import A1, A2, B1, F8, I8, V3, block, leaf
from pitchline.numerics.vectors import add, cross, dot, mtv, mul, set_vec, sub

from ..friction.kernel import friction_at
from .kernel_law import BY_LOAD, BY_TABLE, IN_PLANE, NO_FRICTION, NO_TILT, STRIBECK, Geometry, Law
from .kernel_potential import potential_by_a, potential_by_b, potential_couple, solve_transposed, tilt_potential
from .kernel_records import MeshFrame, MeshParameters, MeshScratch, Wrench


@block
def friction_coefficient(law: Law, functions: A1, speed: F8, load: F8) -> V3:
    """mu and its derivatives by the sliding speed and by the normal force."""
    if law.friction == BY_TABLE:
        f = value_of(functions, law.mu_table, speed)
        return (f[0], f[1], 0.0)
    if law.friction == BY_LOAD:
        return friction_at(functions, law.mu_table, speed, load)
    if law.friction != STRIBECK:
        return (law.mu, 0.0, 0.0)
    q = speed / law.mu_speed
    drop = law.mu_drop * math.exp(-q * q)
    return (law.mu + drop + law.mu_viscous * speed, -2.0 * q / law.mu_speed * drop + law.mu_viscous, 0.0)


@leaf
def _normal(g: Geometry, frame: MeshFrame, f: F8) -> V3:
    """Normal of the flank with a force f."""
    ca = g.cos_alpha
    sign = 1.0 if f >= 0.0 else -1.0
    if g.line != 0:
        sign = float(g.line)
    return add(mul(ca, frame.e3), mul(sign * ca * g.tan_alpha, frame.e2))


@leaf
def _has_losses(law: Law) -> B1:
    return law.loss_lever_a > 0.0 or law.loss_lever_b > 0.0


@leaf
def dissipates(law: Law) -> B1:
    """Whether the law contains friction or losses."""
    return law.friction != NO_FRICTION or _has_losses(law)


@leaf
def relative_axis(g: Geometry, frame: MeshFrame) -> V3:
    """Relative rotation of wheels in mesh, for a unit rate of psi_A: mu1 + (c_A/c_B) xi1."""
    if g.rack != 0:
        return frame.m1
    return add(frame.m1, mul(g.lever_a / g.lever_b, frame.x1))


@leaf
def relative_rate(axis: V3, spin: V3) -> F8:
    """Rate of the relative rotation about the axis of `relative_axis`. spin: omega_A - omega_B."""
    return dot(spin, axis) / dot(axis, axis)


@block
def _friction_on_path(pair: MeshParameters, functions: A1, f: F8, damp: F8, w: MeshScratch):
    """Couple of friction on the path of contact, and its power loss."""
    law = pair.law
    out = w.wrench
    axis = relative_axis(pair.geometry, w.frame)
    length = math.sqrt(dot(axis, axis))
    reach = law.path * length
    v = reach * relative_rate(axis, w.motion.spin)
    speed = abs(v)
    load = abs(f) / pair.geometry.cos_alpha
    mu = friction_coefficient(law, functions, speed, load)
    v0 = law.friction_speed
    q = math.sqrt(v * v + v0 * v0)
    axis = mul(-damp * load * law.path / length, axis)
    out.sliding = speed
    out.friction_gain = 1.0 + (load * mu[2] / mu[0] if mu[0] > 0.0 else 0.0)
    out.friction = (0.0, 0.0, 0.0)
    out.couple = mul(mu[0] * v / q, axis)
    out.couple_slope = mul(reach * (mu[0] * v0 * v0 / (q * q * q) + mu[1] * speed / q), axis)
    out.friction_loss = -dot(out.couple, w.motion.spin)
    out.couple_loss = 0.0


@block
def friction(pair: MeshParameters, functions: A1, f: F8, damp: F8, w: MeshScratch):
    """Friction force and moment of the losses on A, times `damp`, and the power loss, in `w.wrench`."""
    law = pair.law
    g = pair.geometry
    out = w.wrench
    if law.friction != NO_FRICTION and law.path > 0.0:
        _friction_on_path(pair, functions, f, damp, w)
        return
    zero = (0.0, 0.0, 0.0)
    out.friction_gain = 1.0
    force = zero
    couple = zero
    slope = zero
    vr = w.motion.relative
    n = _normal(g, w.frame, f)
    vs = sub(vr, mul(dot(n, vr), n))
    speed = math.sqrt(dot(vs, vs))
    if law.friction != NO_FRICTION:
        load = abs(f) / g.cos_alpha
        mu = friction_coefficient(law, functions, speed, load)
        v0 = law.friction_speed
        if mu[0] > 0.0:
            out.friction_gain += load * mu[2] / mu[0]
        force = mul(-damp * mu[0] * abs(f) / g.cos_alpha / math.sqrt(speed * speed + v0 * v0), vs)
    if _has_losses(law):
        axis = relative_axis(g, w.frame)
        rate = relative_rate(axis, w.motion.spin)
        lever = law.loss_lever_a if f * rate > 0.0 else law.loss_lever_b
        v0 = law.loss_speed
        q = math.sqrt(rate * rate + v0 * v0)
        axis = mul(-damp * lever * abs(f) / math.sqrt(dot(axis, axis)), axis)
        couple = mul(rate / q, axis)
        slope = mul(v0 * v0 / (q * q * q), axis)
    out.sliding = speed
    out.friction = force
    out.couple = couple
    out.couple_slope = slope
    out.friction_loss = -dot(force, vr)
    out.couple_loss = -dot(couple, w.motion.spin)


@leaf
def no_friction(w: MeshScratch):
    """Neither friction nor losses."""
    out = w.wrench
    out.sliding = out.friction_loss = out.couple_loss = 0.0
    out.friction_gain = 1.0
    out.friction = (0.0, 0.0, 0.0)
    out.couple = (0.0, 0.0, 0.0)
    out.couple_slope = (0.0, 0.0, 0.0)


@block
def velocity_stiffness(pair: MeshParameters, functions: A1, d: F8, w: MeshScratch, K: A2):
    """Add d times the derivative of friction and losses with respect to the velocities. Spatial."""
    law = pair.law
    on_path = law.friction != NO_FRICTION and law.path > 0.0
    if law.friction != NO_FRICTION and not on_path:
        f = w.law.elastic + w.law.damping
        ca = pair.geometry.cos_alpha
        n = _normal(pair.geometry, w.frame, f)
        vr = w.motion.relative
        vs = sub(vr, mul(dot(n, vr), n))
        speed = w.wrench.sliding
        v0 = law.friction_speed
        q = math.sqrt(speed * speed + v0 * v0)
        mu = friction_coefficient(law, functions, speed, abs(f) / ca)
        a = d * mu[0] * abs(f) / (ca * q)
        b = -a / (q * q)
        if speed > 0.0:
            b += d * mu[1] * abs(f) / (ca * q * speed)
        D = w.frame.arm_a
        B = w.frame.arm_b
        # columns of the map from velocities to v_r, one after another: what the friction force changes by
        for j in range(12):
            i = j % 3
            unit = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
            if j < 3:
                v = unit
            elif j < 6:
                v = cross(D, unit)
            elif j < 9:
                v = mul(-1.0, unit)
            else:
                v = cross(B, unit)
            along = sub(v, mul(dot(n, v), n))
            df = add(mul(a, along), mul(b * dot(vs, along), vs))
            mA = cross(df, D)
            mB = cross(df, B)
            for k in range(3):
                K[k, j] += df[k]
                K[3 + k, j] += mA[k]
                K[6 + k, j] -= df[k]
                K[9 + k, j] += mB[k]
    if on_path or _has_losses(law):
        slope = mul(d, w.wrench.couple_slope)
        axis = relative_axis(pair.geometry, w.frame)
        axis = mul(1.0 / dot(axis, axis), axis)
        for j in range(3):  # rotations of A and B
            for k in range(3):
                by_spin = slope[k] * axis[j]
                K[3 + k, 3 + j] -= by_spin
                K[3 + k, 9 + j] += by_spin
                K[9 + k, 3 + j] += by_spin
                K[9 + k, 9 + j] -= by_spin


# ---- mesh wrench

# From the tooth force to the wrench on both wheels: equilibrium, separating force, friction, losses, powers.
#
# From the force f along the hoop and the torques about psi_A and psi_B, (w_A, w_B), one small system P^T l = -w gives
# the wrench, in equilibrium in every configuration: one force at one point and one moment,
#
# F = l2 eta3_A + |f| tan(alpha) eta2_A - F_friction at C_B, couple l3 eta2_A x eta3_B + tilting moment + losses,
#
# on A, and their opposites on B (signs of the residual: the tooth load is its negative). For an aligned pair l2 = f,
# l3 = 0. |f| tan(alpha) is the separating force of the inclined flanks, which can be omitted. With a fixed line of
# action it is +-f tan(alpha), and pulls the wheels together if the other flank is loaded.
#
# Teeth may follow their centres: a flank comes closer by t y, t = tan(alpha), if the centres come closer by y =
# eta2_A . (C_A - C_B) (and backlash decreases by 2 t y, until both flanks are in contact). The separating force is
# then exactly the gradient of the same energy: y also depends on psi_A and psi_B if the pitch points do not coincide,
# and these terms enter w_A and w_B.


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
