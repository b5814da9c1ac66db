"""Damper of elastic teeth.

A flank whose teeth are deflected by x has the force f(x) of its springs and that of a damper, parallel to them:

    F = max(0, f(x) + c q r) ,     r = dx/dt ,

q is the part of the face in contact. F never pulls: where the damper would exceed the springs, the teeth separate before their
deflection is zero. The deflection contains errors, a varying backlash and the unloaded approach of tables, so that r is

    drive flank: r = d(u + x_err)/dt + d(t y + p)/dt ,     coast flank: r = -d(u + x_err)/dt + d(t y + p)/dt

(p: minus half of a varying backlash). F acts along the gradient of the deflection, as f does. The damper dissipates (F - f) r >= 0,
also while F = 0: the energy of the springs then becomes heat.

Publications use other laws, which remain available: the damper acts in contact and may pull (IN_CONTACT), also in the gap (ALWAYS),
or with at most the force of the springs in both directions (LIMITED); and only on the rate of the approach u + t y (OF_APPROACH).

Teeth without backlash are in contact on both flanks, and a force of either sign pushes on one of them: NEVER_PULLING is then
IN_CONTACT, a linear law.
"""

from ..math.compiled import F8, I8, V4, leaf
from .mesh_law import ALWAYS, IN_CONTACT, LIMITED, NEVER_PULLING, OF_DEFLECTION
from .mesh_records import FlankDampers, Hoop, LawOut, MeshParameters


@leaf
def rate_of_drive_flank(pair: MeshParameters, hoop: Hoop, out: LawOut) -> F8:
    """Rate of the drive flank with the centres held. How it depends on the rates of psi_A and psi_B, in `out`."""
    law = pair.law
    terms = out.terms
    rate = hoop.rate
    out.rate_a = pair.geometry.lever_a
    out.rate_b = pair.geometry.lever_b
    out.close_a = 0.0
    out.close_b = 0.0
    if law.damping_rate == OF_DEFLECTION:
        rate += terms.x_a * hoop.rate_a + terms.x_b * hoop.rate_b + terms.x_t
        out.rate_a += terms.x_a
        out.rate_b += terms.x_b
        if law.n_plays != 0:
            out.close_a = terms.p_a
            out.close_b = terms.p_b
    return rate


@leaf
def damper_levers(pair: MeshParameters, out: LawOut) -> V4:
    """Torques about psi_A and psi_B of the damping force, and of that along t y by a varying backlash."""
    if pair.law.consistent != 0:
        return (out.rate_a, out.rate_b, out.close_a, out.close_b)
    return (pair.geometry.lever_a, pair.geometry.lever_b, 0.0, 0.0)


@leaf
def begin_damper(out: LawOut):
    """No force yet, and no derivative."""
    out.damping = out.damped = out.lost = 0.0
    out.damper = out.damper_1 = out.damper_2 = 0.0
    both = out.flanks_damped
    both.by_s = both.by_y = both.by_c = both.by_c_both = 0.0
    both.slope_drive = both.slope_coast = both.open_drive = both.open_coast = 0.0


@leaf
def no_slopes(out: LawOut):
    """No derivative of the damper."""
    out.c_a = out.c_b = out.c_t = out.c_y = out.c_u = 0.0
    out.d_a = out.d_b = out.d_t = out.d_y = 0.0


@leaf
def damp_flank(sign: F8, c: F8, rate: F8, force: F8, stiffness: F8, share: F8, curve: F8, out: LawOut):
    """Add the damper of a flank in contact that never pulls. sign: 1 drive, -1 coast; rate: r; force, stiffness: f and df/dx;
    share, curve: q and dq/dx."""
    both = out.flanks_damped
    damping = c * share * rate
    if damping < -force:
        damping = -force
        by_depth = -stiffness
        if sign > 0.0:
            both.open_drive = 1.0
        else:
            both.open_coast = 1.0
    else:
        by_depth = c * curve * rate
        out.damper += c * share
        out.damper_1 += sign * c * share
        out.damper_2 += c * share
        both.by_c += sign * share * rate
        both.by_c_both += share * rate
        if sign > 0.0:
            both.slope_drive = c * rate
        else:
            both.slope_coast = c * rate
    out.damping += sign * damping
    out.damped += damping
    out.lost += damping * rate
    both.by_s += by_depth
    both.by_y += sign * by_depth


@leaf
def put_slopes(pair: MeshParameters, hoop: Hoop, damp: F8, both: FlankDampers, out: LawOut):
    """Derivatives of both sums of dampers that never pull, by psi_A, psi_B and t y; without those by the stiffness."""
    terms = out.terms
    along_a = pair.geometry.lever_a + terms.x_a
    along_b = pair.geometry.lever_b + terms.x_b
    out.c_u = both.by_s
    out.c_y = both.by_y
    out.d_y = both.by_s
    out.c_a = both.by_s * along_a + damp * both.by_c * terms.c_a
    out.c_b = both.by_s * along_b + damp * both.by_c * terms.c_b
    out.d_a = both.by_y * along_a + damp * both.by_c_both * terms.c_a
    out.d_b = both.by_y * along_b + damp * both.by_c_both * terms.c_b
    put_turning(pair, hoop, out)


@leaf
def put_turning(pair: MeshParameters, hoop: Hoop, out: LawOut):
    """Derivatives by psi_A and psi_B of the rates of errors and backlash."""
    law = pair.law
    if law.damping_rate != OF_DEFLECTION:
        return
    terms = out.terms
    by_a = terms.x_aa * hoop.rate_a
    by_b = terms.x_bb * hoop.rate_b
    out.c_a += out.damper * by_a
    out.c_b += out.damper * by_b
    out.d_a += out.damper_1 * by_a
    out.d_b += out.damper_1 * by_b
    if law.n_plays == 0:
        return
    by_a = terms.p_aa * hoop.rate_a
    by_b = terms.p_bb * hoop.rate_b
    out.c_a += out.damper_1 * by_a
    out.c_b += out.damper_1 * by_b
    out.d_a += out.damper_2 * by_a
    out.d_b += out.damper_2 * by_b


@leaf
def damping_mode(pair: MeshParameters, backlash: F8, small: F8) -> I8:
    """Action of the damper at a backlash; small: backlash that counts as zero."""
    mode = pair.law.damping_mode
    if mode == NEVER_PULLING and abs(backlash) <= small:
        return IN_CONTACT
    return mode


@leaf
def one_damper(c: F8, mode: I8, rate: F8, side: F8, force: F8, share: F8, curve: F8, curve_y: F8, out: LawOut) -> F8:
    """Force of the laws that refer to both flanks together: ALWAYS, IN_CONTACT, LIMITED; its derivatives c_u and c_y without those
    of the springs. rate: of the flank `side`; share: in contact, with its derivatives by s and t y. Return the ratio to the force
    of the springs to which it is limited, or 0."""
    limited = 0.0
    by_rate = c if mode == ALWAYS else c * share
    damping = by_rate * rate
    by_c = rate if mode == ALWAYS else share * rate
    out.c_u = 0.0 if mode == ALWAYS else c * curve * rate
    out.c_y = 0.0 if mode == ALWAYS else c * curve_y * rate
    if mode == LIMITED and abs(damping) > abs(force):
        # the sum neither pulls nor exceeds twice the spring
        by_rate = 0.0
        by_c = 0.0
        out.c_u = 0.0
        out.c_y = 0.0
        limited = 1.0 if (damping > 0.0) == (force > 0.0) else -1.0
        damping = limited * force
    out.damping = damping
    out.damped = side * damping
    out.lost = damping * rate
    out.damper = by_rate
    out.damper_1 = side * by_rate
    out.damper_2 = side * side * by_rate
    out.flanks_damped.by_c = by_c
    return limited
