"""Force law of a mesh with tables of loaded teeth, one for each flank.

With the error x(psi_A, psi_B), s = u + x - offset, and theta = z_A psi_A,

    V(s, psi_A) = V_drive(s, theta) + V_coast(-(s + b), theta) ,     f = dV/ds ,

each flank is in contact if its approach exceeds that of first contact. If teeth follow their centres, both approaches increase
by t y (s and b include this), and the force along t y is the sum of both. V depends on psi_A also through theta: an
energy-consistent law is the whole gradient, with the torques f x_A + V_psi about psi_A and f x_B about psi_B.

As one multiplier lam the law is Phi = s - u_drive(lam, theta) = 0 on the drive flank and s + b + u_coast(-lam, theta) = 0 on the
coast flank: the table itself, without its inverse. The energy is then lam s - V*(lam, theta), with psi-derivatives at constant
lam. Flanks are chosen by the force, as in `multiplier_law`.

The damper acts on the rate of the deflection u + x - u_unloaded(theta), at a constant tilt (`mesh_damper`).

Tables over the tilt: V depends on f of each flank too (`mesh_tilt`), with the moment dV/df = -dV*/df.
"""

from ..math.compiled import A1, B1, F8, I8, block, leaf
from .contract import Ask
from .load_table import table_at_approach, table_at_force
from .mesh_law import NEVER_PULLING, OF_DEFLECTION, Law
from .mesh_records import Hoop, LawOut, LoadedFlanks, MeshParameters, TiltOut, no_both, no_tilting
from .mesh_terms import law_terms
from .table_damper import damp_table, table_damper_slopes, torque_by_touch, turning_tilt
from .tilt_table import tilted_at_approach, tilted_at_force


@leaf
def _state(functions: A1, tilted: I8, place: I8, approach: F8, tilt: F8, angle: F8, flanks: LoadedFlanks) -> I8:
    if tilted != 0:
        return tilted_at_approach(functions, place, approach, tilt, angle, flanks.mix, flanks.table)
    return table_at_approach(functions, place, approach, angle, flanks.table)


@leaf
def _state_at_force(functions: A1, tilted: I8, place: I8, force: F8, tilt: F8, angle: F8, flanks: LoadedFlanks):
    if tilted != 0:
        tilted_at_force(functions, place, force, tilt, angle, flanks.mix, flanks.table)
    else:
        table_at_force(functions, place, force, angle, flanks.table)


@leaf
def _add_flank(functions: A1, law: Law, place: I8, sign: F8, approach: F8, tilt: F8, z: F8, angle: F8, out: LawOut):
    """Add the contribution of a flank, if it is in contact; sign: of its force."""
    flanks = out.flanks
    table = flanks.table
    if _state(functions, law.tilted, place, approach, tilt, angle, flanks) == 0:
        return
    f = table.force
    k = 1.0 / table.compliance
    turn = z * table.turn
    flanks.V += f * approach - table.star
    flanks.V_s += sign * f
    flanks.V_p -= z * table.star_1
    flanks.V_ss += k
    flanks.V_sp -= sign * k * turn
    flanks.V_pp += k * turn * turn - z * z * table.star_2
    flanks.bent += sign * (approach - table.touch)
    flanks.bears += sign
    flanks.total += f
    flanks.total_s += sign * k
    flanks.total_p -= k * turn
    out.table_load = max(out.table_load, table.share)
    side = flanks.drive if sign > 0.0 else flanks.coast
    side.bears = 1.0
    side.force = f
    side.stiffness = k
    side.by_a = -k * turn
    side.touch_1 = z * table.touch_1
    side.touch_2 = z * z * table.touch_2
    side.touch_1f = z * table.touch_1f if law.tilted != 0 else 0.0
    if law.tilted != 0:
        part = out.on_drive if sign > 0.0 else out.on_coast
        slope = table.by_tilt
        part.moment = -table.star_f
        part.V_sf = -sign * k * slope
        part.V_pf = k * turn * slope - z * table.star_1f
        part.m_t = k * slope * slope - table.star_ff
        out.table_tilt = max(out.table_tilt, table.tilt_share)


@leaf
def _tilt_slopes(
    sign: F8, by_a: F8, by_b: F8, lever_a: F8, lever_b: F8, limited: F8, side: F8, consistent: B1, out: TiltOut
):
    """Derivatives with the tilt of a flank; by_a, by_b: of s by psi_A and psi_B; limited: ratio of the damper to the force; side:
    its sign along t y."""
    slope = out.V_sf
    out.f_t = slope
    out.both_t = sign * slope
    out.c_t = limited * slope
    out.d_t = side * limited * slope
    out.m_a = by_a * slope + out.V_pf
    out.m_b = by_b * slope
    out.w_at = out.m_a if consistent else lever_a * slope
    out.w_bt = out.m_b if consistent else lever_b * slope


@block
def loaded_spring_law(pair: MeshParameters, functions: A1, hoop: Hoop, damp: F8, tangent: I8, out: LawOut):
    """As `spring_law`."""
    law = pair.law
    terms = out.terms
    flanks = out.flanks
    law_terms(pair, functions, hoop, terms)
    xA = terms.x_a
    xB = terms.x_b
    cA = pair.geometry.lever_a
    cB = pair.geometry.lever_b
    z = pair.geometry.teeth_a
    angle = z * hoop.psi_a
    s = hoop.u + terms.x - law.offset
    flanks.V = 0.0
    flanks.V_s = 0.0
    flanks.V_p = 0.0
    flanks.V_ss = 0.0
    flanks.V_sp = 0.0
    flanks.V_pp = 0.0
    flanks.bent = 0.0
    flanks.bears = 0.0
    flanks.total = 0.0
    flanks.total_s = 0.0
    flanks.total_p = 0.0
    flanks.drive.bears = 0.0
    flanks.coast.bears = 0.0
    out.table_load = 0.0
    if law.tilted != 0:
        out.table_tilt = 0.0
        no_tilting(out.on_drive)
        no_tilting(out.on_coast)
    _add_flank(functions, law, law.drive_table, 1.0, s, hoop.tilt_drive, z, angle, out)
    _add_flank(functions, law, law.coast_table, -1.0, -(s + hoop.backlash), hoop.tilt_coast, z, angle, out)
    f = flanks.V_s
    k = flanks.V_ss
    side = flanks.bears  # 0 in the gap, and 0 if both are in contact
    out.both = flanks.total
    out.sigma = side
    c = damp * terms.c
    mode = law.damping_mode
    limited = damp_table(pair, hoop, c, mode, side, out)
    fc = out.damping
    out.elastic = f
    out.energy = flanks.V
    out.flank = 0.0 if k == 0.0 else (1.0 if f >= 0.0 else -1.0)
    if mode == NEVER_PULLING and f + fc != 0.0:
        out.flank = 1.0 if f + fc > 0.0 else -1.0  # of two flanks in contact the one that pushes more
    out.deflection = flanks.bent
    out.depth = abs(flanks.bears) * flanks.bent
    out.stiffness = k
    out.moment = 0.0
    total = f + fc
    fx = total if law.damping_rate == OF_DEFLECTION else f  # the force that acts along errors
    # what the damper has of the rate of the unloaded approach
    touching = fc * (out.rate_a - cA - xA) + out.damped * out.close_a if law.damping_rate == OF_DEFLECTION else 0.0
    torque_a = fx * xA + flanks.V_p + touching
    torque_b = fx * xB
    consistent = law.consistent != 0
    if consistent:
        out.w_a = total * cA + torque_a
        out.w_b = total * cB + torque_b
        out.power = fx * terms.x_t
    else:
        out.w_a = total * cA
        out.w_b = total * cB
        out.power = torque_a * hoop.rate_a + torque_b * hoop.rate_b + fx * terms.x_t
    if law.n_plays != 0 and law.damping_rate == OF_DEFLECTION:
        out.close_a += terms.p_a
        out.close_b += terms.p_b
    if tangent == 0:
        return
    VsA = flanks.V_sp
    VuA = k * xA + VsA
    VuB = k * xB
    fA = cA * k + VuA
    fB = cB * k + VuB
    out.f_a = fA
    out.f_b = fB
    out.f_t = 0.0
    out.c_t = out.d_t = 0.0
    table_damper_slopes(pair, hoop, damp, c, mode, limited, side, out)
    out.m_t = 0.0
    out.m_a = 0.0
    out.m_b = 0.0
    out.w_at = 0.0
    out.w_bt = 0.0
    out.w_aa = cA * fA
    out.w_ab = cA * fB
    out.w_ba = cB * fA
    out.w_bb = cB * fB
    by_u = flanks.total_s
    out.both_u = by_u
    out.both_a = by_u * (cA + xA) + flanks.total_p
    out.both_b = by_u * (cB + xB)
    out.both_t = 0.0
    out.both_y = k
    out.w_ay = out.both_a if consistent else cA * by_u
    out.w_by = out.both_b if consistent else cB * by_u
    if law.tilted != 0:
        both = out.flanks_damped
        on_drive = -both.open_drive if mode == NEVER_PULLING else limited
        on_coast = -both.open_coast if mode == NEVER_PULLING else limited
        to_drive = 1.0 if mode == NEVER_PULLING else side
        to_coast = -1.0 if mode == NEVER_PULLING else side
        _tilt_slopes(1.0, cA + xA, cB + xB, cA, cB, on_drive, to_drive, consistent, out.on_drive)
        _tilt_slopes(-1.0, cA + xA, cB + xB, cA, cB, on_coast, to_coast, consistent, out.on_coast)
        if law.damping_rate == OF_DEFLECTION:
            turning_tilt(flanks.drive, 1.0, fc, hoop.rate_a, consistent, out, out.on_drive)
            turning_tilt(flanks.coast, -1.0, fc, hoop.rate_a, consistent, out, out.on_coast)
    if consistent:
        VAA = (VuA + VsA) * xA + fx * terms.x_aa + flanks.V_pp
        VAB = VuA * xB
        VBB = VuB * xB + fx * terms.x_bb
        if law.damping_rate == OF_DEFLECTION:
            VAA += torque_by_touch(out, fc)
        out.w_aa += cA * VuA + VAA
        out.w_ab += cB * VuA + VAB
        out.w_ba += cA * VuB + VAB
        out.w_bb += cB * VuB + VBB


@leaf
def _tilt_of_force(law: Law, sign: F8, flank: F8, z: F8, out: LawOut):
    """Values of the table over the tilt at a constant force: dV*/df and its derivatives."""
    table = out.flanks.table
    no_tilting(out.on_drive)
    no_tilting(out.on_coast)
    part = out.on_drive if sign > 0.0 else out.on_coast
    slope = -sign * table.by_tilt
    part.moment = -table.star_f
    part.f_t = slope
    part.m_t = -table.star_ff
    part.m_a = -z * table.star_1f
    if law.consistent != 0:
        part.w_at = part.m_a
    if flank != 0.0:
        part.row_t = slope
    out.tilt_side = sign
    out.table_tilt = table.tilt_share


@block
def loaded_multiplier_law(pair: MeshParameters, functions: A1, hoop: Hoop, lam: F8, ask: Ask, out: LawOut):
    """As `multiplier_law`."""
    law = pair.law
    terms = out.terms
    table = out.flanks.table
    law_terms(pair, functions, hoop, terms)
    xA = terms.x_a
    xB = terms.x_b
    cA = pair.geometry.lever_a
    cB = pair.geometry.lever_b
    z = pair.geometry.teeth_a
    angle = z * hoop.psi_a
    s = hoop.u + terms.x - law.offset
    reference = law.mean_stiffness
    rho = 1e-3 * reference
    # the flank of the force; a gap belongs to the closer side of the force
    sign = 1.0
    flank = 1.0
    tilted = law.tilted
    _state_at_force(functions, tilted, law.drive_table, lam, hoop.tilt_drive, angle, out.flanks)
    gap = s - table.approach
    if lam + rho * gap < 0.0:
        _state_at_force(functions, tilted, law.coast_table, -lam, hoop.tilt_coast, angle, out.flanks)
        gap = s + hoop.backlash + table.approach
        sign = -1.0
        flank = -1.0
        if lam + rho * gap > 0.0:
            flank = 0.0
            if lam > 0.0:
                _state_at_force(functions, tilted, law.drive_table, lam, hoop.tilt_drive, angle, out.flanks)
                sign = 1.0
    compliance = table.compliance
    turn = sign * z * table.turn
    no_both(out)
    out.both = abs(lam)
    out.both_l = 1.0 if lam > 0.0 else (-1.0 if lam < 0.0 else 0.0)
    out.sigma = flank
    out.w_ay = 0.0
    out.w_by = 0.0
    out.elastic = lam
    out.damping = out.damped = out.lost = 0.0
    out.flank = flank
    out.deflection = sign * (table.approach - table.touch)
    out.stiffness = 1.0 / compliance if flank != 0.0 else 0.0
    out.energy = sign * lam * table.approach - table.star
    out.moment = 0.0
    out.table_load = max(table.share, 0.0)
    torque_a = lam * xA - z * table.star_1
    torque_b = lam * xB
    out.w_a = lam * cA
    out.w_b = lam * cB
    out.w_ab = 0.0
    out.w_ba = 0.0
    if law.consistent != 0:
        out.w_a += torque_a
        out.w_b += torque_b
        out.w_aa = lam * terms.x_aa - z * z * table.star_2
        out.w_bb = lam * terms.x_bb
        out.f_a = cA + xA - turn
        out.f_b = cB + xB
        out.power = lam * terms.x_t
    else:
        out.w_aa = 0.0
        out.w_bb = 0.0
        out.f_a = cA
        out.f_b = cB
        out.power = torque_a * hoop.rate_a + torque_b * hoop.rate_b + lam * terms.x_t
    if flank == 0.0:
        out.gap = -lam / reference
        out.row_a = 0.0
        out.row_b = 0.0
        out.row_l = -ask.L / reference
    else:
        out.gap = gap
        out.row_a = cA + xA - turn
        out.row_b = cB + xB
        # as in `multiplier_law`
        out.row_l = -compliance * ask.K * ask.L * ask.L
    if tilted != 0:
        _tilt_of_force(law, sign, flank, z, out)
