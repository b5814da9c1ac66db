"""Force law of a gear mesh: from the hoop approach u, its rate and the rotations of the wheels to the tooth force.

With the transmission error x(psi_A, psi_B) and the stiffness k(psi_A, psi_B), springs in series,

    s = u + x - offset,     f = k g(s),     V = k G(s),  G' = g  (`dead_zone`).

V also depends on psi through x and k. An energy-consistent law is the whole gradient of V: in addition to f along u, the
torques f x' + k' G about psi_A and psi_B.

Line contact: V also depends on the tilt tau = eta1_A . eta3_B. k tau w^2/12 resists it while the whole width is in contact,
less after an edge has lifted off.

Springs over a face with tilt in the plane of action of each flank are in `tilted_springs`.

Teeth that follow their centres: each flank is closer by t y. With the corresponding s of the drive flank and b, V is that of
two flanks, k [E(s) + E(-(s + b))] with E(x) = x^2/2 for x > 0. In addition to f = k (e_drive - e_coast) it has a force along t
y, the sum of both, N = k (e_drive + e_coast), which is |f| while one of them is in contact. b < 0: both may be in contact at once.
"""

from ..math.compiled import A1, F8, I8, leaf
from .dead_zone import dead_zone
from .loaded_law import loaded_spring_law
from .mesh_law import ALWAYS, NEVER_PULLING, ROUNDING
from .mesh_records import Hoop, LawOut, MeshParameters
from .mesh_terms import law_terms
from .own_mesh_law import own_mesh_law
from .tilted_springs import tilted_springs, tilting_of_springs


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
    rate = hoop.rate + side * hoop.closing
    c = damp * terms.c
    fc = 0.0
    ct = 0.0  # derivatives of the damping force: by the rate, by s, by the tilt, by t y;
    cs = 0.0
    cT = 0.0
    cy = 0.0
    by_c = 0.0  # by the damping over the damping, if it varies;
    limited = 0.0  # or its ratio to the spring's force, to which it is limited
    damped = 0.0
    if c > 0.0:
        if law.damping_mode == ALWAYS:
            ct = c
            fc = c * rate
            by_c = damp * rate
        else:
            ct = c * g1
            fc = ct * rate
            by_c = damp * g1 * rate
            cs = c * zone.g2 * rate
            cT = c * zone.g1T * rate
            cy = c * zone.g2y * rate
            damped = c * rate
            if law.damping_mode == NEVER_PULLING and abs(fc) > abs(f):
                # the sum neither pulls nor exceeds twice the spring
                ct = 0.0
                cs = 0.0
                cT = 0.0
                cy = 0.0
                by_c = 0.0
                damped = 0.0
                limited = 1.0 if (fc > 0.0) == (f > 0.0) else -1.0
                fc = limited * f
    out.elastic = f
    out.damping = fc
    out.energy = k * G
    out.flank = 0.0 if n == 0.0 else (1.0 if g >= 0.0 else -1.0)
    out.deflection = g
    out.stiffness = k * g1
    out.both = k * n
    out.sigma = side
    out.moment = k * zone.GT
    if over_face:
        tilting_of_springs(pair, limited, damped, out)
    total = f + fc
    consistent = law.consistent != 0
    if consistent:
        out.w_a = total * cA + f * xA + kA * G
        out.w_b = total * cB + f * xB + kB * G
        out.power = f * terms.x_t
    else:
        out.w_a = total * cA
        out.w_b = total * cB
        out.power = (f * xA + kA * G) * hoop.rate_a + (f * xB + kB * G) * hoop.rate_b + f * terms.x_t
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
    out.damper = ct
    out.c_a = cs * (cA + xA) + limited * fA + by_c * terms.c_a
    out.c_b = cs * (cB + xB) + limited * fB + by_c * terms.c_b
    out.c_u = cs + limited * Vuu
    out.c_t = cT + limited * fT
    out.m_a = mA
    out.m_b = mB
    out.m_t = k * zone.GTT
    if consistent:
        VAA = VuA * xA + kA * g * xA + f * terms.x_aa + terms.k_aa * G
        VBB = VuB * xB + kB * g * xB + f * terms.x_bb + terms.k_bb * G
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
    out.c_y = cy + limited * by_u
    out.w_ay = bothA if consistent else cA * by_u
    out.w_by = bothB if consistent else cB * by_u
