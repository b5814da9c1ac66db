"""Force laws of a mesh with tables of loaded teeth and of users; stiffness and errors over the mesh cycle.

Force law of a mesh with tables of loaded teeth, one for each flank.

With the error x(psi_A, psi_B), s = u + x - offset, and theta = z_A psi_A,

    V(s, psi_A) = V_drive(s, theta) + V_coast(-(s + b), theta) ,     f = dV/ds ,

each flank is in contact if its approach exceeds that of first contact. If teeth follow their centres, both approaches increase
by t y (s and b include this), and the force along t y is the sum of both. V depends on psi_A also through theta: an
energy-consistent law is the whole gradient, with the torques f x_A + V_psi about psi_A and f x_B about psi_B.

As one multiplier lam the law is Phi = s - u_drive(lam, theta) = 0 on the drive flank and s + b + u_coast(-lam, theta) = 0 on the
coast flank: the table itself, without its inverse. The energy is then lam s - V*(lam, theta), with psi-derivatives at constant
lam. Flanks are chosen by the force, as in `multiplier_law`.

The damper acts on the rate of the deflection u + x - u_unloaded(theta), at a constant tilt (`kernel_records`).

Tables over the tilt: V depends on f of each flank too (`kernel_potential`), with the moment dV/df = -dV*/df.
"""

import numpy as np

from pitchline.engine.elements.contract import Ask
from pitchline.numerics.functions import value_of
from pitchline.numerics.gradient_laws import call_gradient_law
from pitchline.numerics.machine_code.compiled import A1, B1, F8, I8, V2, V3, block, leaf

from .kernel_damper import damp_table, table_damper_slopes, torque_by_touch, turning_tilt
from .kernel_law import (
    NEVER_PULLING,
    OF_DEFLECTION,
    OVER_B,
    OVER_CYCLE,
    OVER_TIME,
    Law,
    table_at_approach,
    table_at_force,
)
from .kernel_records import (
    Hoop,
    LawOut,
    LawTerms,
    LoadedFlanks,
    MeshParameters,
    TiltOut,
    no_both,
    no_tilting,
    put_turning,
    rate_of_drive_flank,
)
from .kernel_tilt import tilted_at_approach, tilted_at_force

# ---- mesh terms

# Stiffness, damping, transmission error and backlash of a mesh over the rotations of its wheels, with their
# derivatives.
#
# Stiffness is that of springs in series, damping that of dampers in series. Errors and backlash may also depend on
# the time.


@leaf
def _varying(functions: A1, place: F8, over: F8, teeth_a: F8, hoop: Hoop) -> V3:
    """Value and derivatives of a function by psi_A, by psi_B or by the time."""
    if int(over) == OVER_B:
        return value_of(functions, int(place), hoop.psi_b)
    if int(over) == OVER_TIME:
        return value_of(functions, int(place), hoop.time)
    z = teeth_a if int(over) == OVER_CYCLE else 1.0
    f = value_of(functions, int(place), z * hoop.psi_a)
    return (f[0], z * f[1], z * z * f[2])


@leaf
def law_terms(s: MeshParameters, functions: A1, hoop: Hoop, out: LawTerms):
    """Stiffness, damping and transmission error with their derivatives."""
    law = s.law
    teeth_a = s.geometry.teeth_a
    places = law.springs
    over = law.springs_over
    C = law.compliance
    CA = 0.0
    CB = 0.0
    CAA = 0.0
    CBB = 0.0
    for i in range(law.n_springs):
        k = _varying(functions, places[i], over[i], teeth_a, hoop)
        c = 1.0 / k[0]
        first = -k[1] * c * c
        second = -k[2] * c * c + 2.0 * k[1] * k[1] * c * c * c
        C += c
        if int(over[i]) == OVER_B:
            CB += first
            CBB += second
        else:
            CA += first
            CAA += second
    k = 1.0 / C if C > 0.0 else 0.0
    k2 = k * k
    out.k = k
    out.k_a = -CA * k2
    out.k_b = -CB * k2
    out.k_aa = -CAA * k2 + 2.0 * CA * CA * k2 * k
    out.k_ab = 2.0 * CA * CB * k2 * k
    out.k_bb = -CBB * k2 + 2.0 * CB * CB * k2 * k
    places = law.errors
    over = law.errors_over
    x = law.error
    xA = 0.0
    xB = 0.0
    xAA = 0.0
    xBB = 0.0
    xt = 0.0
    xtt = 0.0
    for i in range(law.n_errors):
        e = _varying(functions, places[i], over[i], teeth_a, hoop)
        x += e[0]
        if int(over[i]) == OVER_B:
            xB += e[1]
            xBB += e[2]
        elif int(over[i]) == OVER_TIME:
            xt += e[1]
            xtt += e[2]
        else:
            xA += e[1]
            xAA += e[2]
    out.x = x
    out.x_a = xA
    out.x_b = xB
    out.x_aa = xAA
    out.x_bb = xBB
    out.x_t = xt
    out.x_tt = xtt
    out.c = law.damping
    out.c_a = 0.0
    out.c_b = 0.0
    if law.n_dampers != 0:
        _dampers(s, functions, hoop, out)


@leaf
def _dampers(s: MeshParameters, functions: A1, hoop: Hoop, out: LawTerms):
    """Dampers in series."""
    law = s.law
    R = law.resistance
    RA = 0.0
    RB = 0.0
    for i in range(law.n_dampers):
        d = _varying(functions, law.dampers[i], law.dampers_over[i], s.geometry.teeth_a, hoop)
        R += 1.0 / d[0]
        slope = -d[1] / (d[0] * d[0])
        if int(law.dampers_over[i]) == OVER_B:
            RB += slope
        else:
            RA += slope
    c = 1.0 / R
    out.c = c
    out.c_a = -RA * c * c
    out.c_b = -RB * c * c


@leaf
def play_terms(s: MeshParameters, functions: A1, hoop: Hoop, out: LawTerms):
    """Minus half of what is added to the constant backlash: by so much either flank is closer. With its derivatives."""
    law = s.law
    out.p = out.p_a = out.p_b = out.p_aa = out.p_bb = out.p_t = out.p_tt = 0.0
    for i in range(law.n_plays):
        b = _varying(functions, law.plays[i], law.plays_over[i], s.geometry.teeth_a, hoop)
        out.p -= 0.5 * b[0]
        if int(law.plays_over[i]) == OVER_B:
            out.p_b -= 0.5 * b[1]
            out.p_bb -= 0.5 * b[2]
        elif int(law.plays_over[i]) == OVER_TIME:
            out.p_t -= 0.5 * b[1]
            out.p_tt -= 0.5 * b[2]
        else:
            out.p_a -= 0.5 * b[1]
            out.p_aa -= 0.5 * b[2]


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


# ---- own mesh law

# Force law of a gear mesh that a user declares: a compiled function, called by its address.
#
# The function has three arguments: the penetration of the loaded flank d [m], its rate [m/s], both along the
# direction of the law, and the phase of the mesh cycle. It returns the force in the same direction [N] with its
# derivatives (`gradient_laws`). It is called only in contact. With s = u + x - offset and the backlash b along the
# hoop, and the ratio K of lengths (`parts.gears.geometry.directions`),
#
# drive flank: d = s K, coast flank: d = -(s + b) K, f = +-F(d, d', phase) K.
#
# d' contains the rates of errors and of a varying backlash. The force without rate, F(d, 0, phase), is elastic: its
# energy is V = integral of F over d. Everything else is dissipated. The force acts only along the hoop. Errors, and a
# law that depends on the phase, therefore supply power, as teeth do that are not energy-consistent: F x' + dV/dphase
# phase'.
#
# The integral is by Gauss's formula over sqrt(d), exact for F = d^(n/2) up to a high order.

TWO_PI = 2.0 * np.pi
_nodes, _weights = np.polynomial.legendre.leggauss(8)
NODES = tuple((0.5 * (1.0 + _nodes)).tolist())
WEIGHTS = tuple((0.5 * _weights).tolist())


@leaf
def phase_of(teeth: F8, psi_a: F8) -> F8:
    """Fraction of the mesh cycle, 0 to 1."""
    cycle = teeth * psi_a / TWO_PI
    return cycle - np.floor(cycle)


@block
def _energy(address: I8, depth: F8, phase: F8, out: LawOut) -> V2:
    """V and its derivative by the phase."""
    given = out.own_in
    found = out.own_rest
    total = 0.0
    by_phase = 0.0
    given[1] = 0.0
    given[2] = phase
    for i in range(8):
        x = NODES[i]
        given[0] = depth * x * x
        call_gradient_law(address, given, found)
        weight = WEIGHTS[i] * 2.0 * x * depth
        total += weight * found[0]
        by_phase += weight * found[3]
    return (total, by_phase)


@block
def own_mesh_law(pair: MeshParameters, functions: A1, hoop: Hoop, damp: F8, tangent: I8, out: LawOut):
    """Force and, if requested, derivatives. damp: factor of the rate, 0 in statics."""
    law = pair.law
    factor = law.own_length
    cA = pair.geometry.lever_a
    cB = pair.geometry.lever_b
    teeth = pair.geometry.teeth_a
    terms = out.terms
    law_terms(pair, functions, hoop, terms)
    drive_rate = rate_of_drive_flank(pair, hoop, out)
    rate = 0.0
    b = hoop.backlash
    s = hoop.u + terms.x - law.offset
    side = 1.0 if s + 0.5 * b >= 0.0 else -1.0
    depth = s if side > 0.0 else -(s + b)
    no_both(out)
    out.moment = 0.0
    out.m_a = out.m_b = out.m_t = out.f_t = out.c_t = out.w_at = out.w_bt = 0.0
    if depth <= 0.0:
        side = 0.0
    F = 0.0
    rest = 0.0
    energy = 0.0
    by_phase = 0.0
    given = out.own_in
    moving = out.own_out
    still = out.own_rest
    for i in range(4):
        moving[i] = 0.0
        still[i] = 0.0
    if side != 0.0:
        phase = phase_of(teeth, hoop.psi_a)
        energy, by_phase = _energy(law.own, depth * factor, phase, out)
        given[0] = depth * factor
        given[1] = 0.0
        given[2] = phase
        call_gradient_law(law.own, given, still)
        rate = side * drive_rate + hoop.closing
        given[1] = damp * rate * factor
        call_gradient_law(law.own, given, moving)
        rest = still[0] * factor
        F = moving[0] * factor
    f = side * rest
    fc = side * (F - rest)
    k = still[1] * factor * factor
    out.elastic = f
    out.damping = fc
    out.damped = F - rest
    out.lost = (F - rest) * rate
    out.energy = energy
    out.flank = side
    out.deflection = side * depth if side != 0.0 else 0.0
    out.stiffness = k
    out.both = rest
    out.sigma = side
    out.w_a = (f + fc) * cA
    out.w_b = (f + fc) * cB
    turning = teeth / TWO_PI
    error_rate = terms.x_a * hoop.rate_a + terms.x_b * hoop.rate_b + terms.x_t
    out.power = (f + fc) * error_rate + by_phase * turning * hoop.rate_a
    if tangent == 0:
        return
    along_a = cA + terms.x_a
    along_b = cB + terms.x_b
    cycle = side * factor * turning
    more = (moving[1] - still[1]) * factor * factor
    out.f_a = k * along_a + still[3] * cycle
    out.f_b = k * along_b
    out.damper = damp * moving[2] * factor * factor
    out.damper_1 = side * out.damper
    out.damper_2 = out.damper
    out.c_a = more * along_a + (moving[3] - still[3]) * cycle
    out.c_b = more * along_b
    out.c_u = more
    out.c_y = side * more
    out.d_a = side * out.c_a
    out.d_b = side * out.c_b
    out.d_t = 0.0
    out.d_y = more
    put_turning(pair, hoop, out)
    out.w_aa = cA * out.f_a
    out.w_ab = cA * out.f_b
    out.w_ba = cB * out.f_a
    out.w_bb = cB * out.f_b
    if pair.geometry.radial == 0.0 and law.n_plays == 0:
        return
    out.both_u = side * k
    out.both_a = side * out.f_a
    out.both_b = side * out.f_b
    out.both_y = k
    out.w_ay = cA * side * k
    out.w_by = cB * side * k
