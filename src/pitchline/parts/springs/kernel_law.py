"""Force law of a gear mesh: from the hoop approach u, its rate and the rotations of the wheels to the tooth force.

With the transmission error x(psi_A, psi_B) and the stiffness k(psi_A, psi_B), springs in series,

    s = u + x - offset,     f = k g(s),     V = k G(s),  G' = g  (`dead_zone`).

V also depends on psi through x and k. An energy-consistent law is the whole gradient of V: in addition to f along u, the
torques f x' + k' G about psi_A and psi_B.

Line contact: V also depends on the tilt tau = eta1_A . eta3_B. k tau w^2/12 resists it while the whole width is in contact,
less after an edge has lifted off.

The damper: `parts.meshes.kernel_records`. Springs over a face with tilt in the plane of action of each flank are in
`tilted_springs`.

Teeth that follow their centres: each flank is closer by t y. With the corresponding s of the drive flank and b, V is that of
two flanks, k [E(s) + E(-(s + b))] with E(x) = x^2/2 for x > 0. In addition to f = k (e_drive - e_coast) it has a force along t
y, the sum of both, N = k (e_drive + e_coast), which is |f| while one of them is in contact. b < 0: both may be in contact at once.
"""

from pitchline.numerics.machine_code.compiled import A1, F8, I8, block, leaf

from ..meshes.kernel_damper import tilted_springs, tilting_of_springs
from ..meshes.kernel_law import ALWAYS, NEVER_PULLING, OF_DEFLECTION, ROUNDING
from ..meshes.kernel_loaded import law_terms, loaded_spring_law, own_mesh_law
from ..meshes.kernel_records import (
    Hoop,
    LawOut,
    MeshParameters,
    begin_damper,
    damp_flank,
    damping_mode,
    no_slopes,
    one_damper,
    put_slopes,
    put_turning,
    rate_of_drive_flank,
)
from .kernel_stop import DeadZone, dead_zone


@leaf
def _damp_flanks(c: F8, k: F8, rate: F8, closing: F8, zone: DeadZone, out: LawOut):
    """Dampers of both flanks that never pull."""
    share = 0.5 * (zone.g1 + zone.n1)
    if share > 0.0:
        depth = 0.5 * (zone.n + zone.g)
        damp_flank(1.0, c, closing + rate, k * depth, k * share, share, 0.5 * (zone.g2y + zone.g2), out)
    share = 0.5 * (zone.g1 - zone.n1)
    if share > 0.0:
        depth = 0.5 * (zone.n - zone.g)
        damp_flank(-1.0, c, closing - rate, k * depth, k * share, share, 0.5 * (zone.g2y - zone.g2), out)


@leaf
def _push(total: F8, rate: F8, closing: F8, out: LawOut):
    """Without backlash the force acts on the flank that pushes, also while the springs of the other one are deflected."""
    out.damped = abs(total) - out.both
    out.lost = out.damping * rate + out.damped * closing


@block
def _slopes_of_flanks(pair: MeshParameters, hoop: Hoop, damp: F8, out: LawOut):
    """Derivatives of dampers that never pull."""
    terms = out.terms
    zone = out.zone
    both = out.flanks_damped
    put_slopes(pair, hoop, damp, both, out)
    drive = -0.5 * both.open_drive * (zone.n + zone.g)
    coast = -0.5 * both.open_coast * (zone.n - zone.g)
    out.c_a += terms.k_a * (drive - coast)
    out.c_b += terms.k_b * (drive - coast)
    out.d_a += terms.k_a * (drive + coast)
    out.d_b += terms.k_b * (drive + coast)
    on_drive = both.slope_drive * (zone.g1T + zone.n1T) - both.open_drive * terms.k * (zone.nT + zone.gT)
    on_coast = both.slope_coast * (zone.g1T - zone.n1T) - both.open_coast * terms.k * (zone.nT - zone.gT)
    out.c_t = 0.5 * (on_drive - on_coast)
    out.d_t = 0.5 * (on_drive + on_coast)


@block
def _slopes_of_both(pair: MeshParameters, hoop: Hoop, damp: F8, limited: F8, side: F8, out: LawOut):
    """Derivatives of a damper for both flanks together."""
    terms = out.terms
    zone = out.zone
    cs = out.c_u
    by_c = damp * out.flanks_damped.by_c
    out.c_a = cs * (pair.geometry.lever_a + terms.x_a) + limited * out.f_a + by_c * terms.c_a
    out.c_b = cs * (pair.geometry.lever_b + terms.x_b) + limited * out.f_b + by_c * terms.c_b
    out.c_u = cs + limited * terms.k * zone.g1
    out.c_y += limited * terms.k * zone.n1
    out.d_a = side * out.c_a
    out.d_b = side * out.c_b
    out.d_t = side * out.c_t
    out.d_y = side * out.c_y
    put_turning(pair, hoop, out)


@leaf
def spring_law(pair: MeshParameters, functions: A1, hoop: Hoop, damp: F8, tangent: I8, out: LawOut):
    """Force and, if requested, derivatives of the law as a function of the approach. damp: factor of the damper, 0 in statics."""
    law = pair.law
    if law.tabled != 0:
        loaded_spring_law(pair, functions, hoop, damp, tangent, out)
        return
    if law.own != 0:
        own_mesh_law(pair, functions, hoop, damp, tangent, out)
        return
    terms = out.terms
    law_terms(pair, functions, hoop, terms)
    k = terms.k
    kA = terms.k_a
    kB = terms.k_b
    xA = terms.x_a
    xB = terms.x_b
    cA = pair.geometry.lever_a
    cB = pair.geometry.lever_b
    b = hoop.backlash
    s = hoop.u + terms.x - law.offset
    small = ROUNDING * pair.geometry.pitch
    zone = out.zone
    over_face = law.tilt_width > 0.0
    if over_face:
        tilted_springs(law, hoop, s, small, out)
    else:
        dead_zone(law, s, b, small, hoop.tilt, zone)
    G = zone.G
    g = zone.g
    g1 = zone.g1
    n = zone.n
    f = k * g
    # the flank on which the centres close: none in the gap, and none if both are in contact
    side = 1.0 if s + 0.5 * b >= 0.0 else -1.0
    if g1 == 0.0 or (b < -small and s > 0.0 and s < -b):
        side = 0.0
    if over_face:
        side = out.sigma
    rate = rate_of_drive_flank(pair, hoop, out)
    c = damp * terms.c
    mode = damping_mode(pair, b, small)
    begin_damper(out)
    limited = 0.0  # of the laws for both flanks: ratio of the damper to the springs
    if c > 0.0:
        if mode == NEVER_PULLING:
            _damp_flanks(c, k, rate, hoop.closing, zone, out)
        else:
            limited = one_damper(c, mode, rate + side * hoop.closing, side, f, g1, zone.g2, zone.g2y, out)
    fc = out.damping
    out.elastic = f
    out.energy = k * G
    out.flank = 0.0 if n == 0.0 else (1.0 if g >= 0.0 else -1.0)
    out.deflection = g
    out.stiffness = k * g1
    out.both = k * n
    out.sigma = side
    out.moment = k * zone.GT
    if law.damping_mode == NEVER_PULLING and f + fc != 0.0:
        out.flank = 1.0 if f + fc > 0.0 else -1.0  # of two flanks in contact the one that pushes more
        if mode != NEVER_PULLING:
            _push(f + fc, rate, hoop.closing, out)
    if over_face:
        both = out.flanks_damped
        if mode == NEVER_PULLING:
            on_drive = (-both.open_drive, both.slope_drive, 1.0)
            on_coast = (-both.open_coast, -both.slope_coast, -1.0)
            tilting_of_springs(pair, on_drive, on_coast, out)
        else:
            damped = c * (rate + side * hoop.closing) if limited == 0.0 and mode != ALWAYS else 0.0
            tilting_of_springs(pair, (limited, damped, side), (limited, damped, side), out)
    total = f + fc
    fx = total if law.damping_rate == OF_DEFLECTION else f  # the force that acts along errors
    consistent = law.consistent != 0
    if consistent:
        out.w_a = total * cA + fx * xA + kA * G
        out.w_b = total * cB + fx * xB + kB * G
        out.power = fx * terms.x_t
    else:
        out.w_a = total * cA
        out.w_b = total * cB
        out.power = (fx * xA + kA * G) * hoop.rate_a + (fx * xB + kB * G) * hoop.rate_b + fx * terms.x_t
    if tangent == 0:
        return
    Vuu = k * g1
    VuA = Vuu * xA + kA * g
    VuB = Vuu * xB + kB * g
    fA = cA * Vuu + VuA
    fB = cB * Vuu + VuB
    fT = k * zone.gT
    mA = (cA + xA) * fT + kA * zone.GT
    mB = (cB + xB) * fT + kB * zone.GT
    out.f_a = fA
    out.f_b = fB
    out.f_t = fT
    out.c_t = out.d_t = 0.0
    if c <= 0.0:
        no_slopes(out)
    elif mode == NEVER_PULLING:
        _slopes_of_flanks(pair, hoop, damp, out)
    else:
        cT = c * zone.g1T * (rate + side * hoop.closing) if limited == 0.0 and mode != ALWAYS else 0.0
        out.c_t = cT + limited * fT
        _slopes_of_both(pair, hoop, damp, limited, side, out)
    out.m_a = mA
    out.m_b = mB
    out.m_t = k * zone.GTT
    if consistent:
        VAA = VuA * xA + kA * g * xA + fx * terms.x_aa + terms.k_aa * G
        VBB = VuB * xB + kB * g * xB + fx * terms.x_bb + terms.k_bb * G
        VAB = VuA * xB + kB * g * xA + terms.k_ab * G
        out.w_aa = cA * (fA + VuA) + VAA
        out.w_ab = cA * fB + cB * VuA + VAB
        out.w_ba = cB * fA + cA * VuB + VAB
        out.w_bb = cB * (fB + VuB) + VBB
        out.w_at = mA
        out.w_bt = mB
    else:
        out.w_aa = cA * fA
        out.w_ab = cA * fB
        out.w_ba = cB * fA
        out.w_bb = cB * fB
        out.w_at = cA * fT
        out.w_bt = cB * fT
    if pair.geometry.radial == 0.0 and law.n_plays == 0:
        return
    by_u = k * zone.n1
    bothA = by_u * (cA + xA) + kA * n
    bothB = by_u * (cB + xB) + kB * n
    out.both_u = by_u
    out.both_a = bothA
    out.both_b = bothB
    out.both_t = k * zone.nT
    out.both_y = Vuu
    out.w_ay = bothA if consistent else cA * by_u
    out.w_by = bothB if consistent else cB * by_u
