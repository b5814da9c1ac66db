"""Force law of a gear mesh with the tooth force as a separate unknown: rigid teeth, and statics.

As one multiplier lam the law of `spring_law` is Phi = s_flank - lam/k = 0, the flank being chosen by the force: drive if
lam + rho y >= 0 with y = s - lam/k, coast if lam + rho (y + b) <= 0, otherwise the gap, where lam = 0. A decision by u instead
fails on soft supports (a small error of u times k is a large force). If b < 0 and |lam| < -k b, both flanks are in contact:
s + b/2 - lam/(2 k) = 0, N = -k b.
"""

from ..math.compiled import A1, F8, block
from .contract import Ask
from .loaded_law import loaded_multiplier_law
from .mesh_law import RIGID, ROUNDING
from .mesh_records import Hoop, LawOut, MeshParameters, no_both
from .mesh_terms import law_terms


@block
def multiplier_law(pair: MeshParameters, functions: A1, hoop: Hoop, lam: F8, ask: Ask, out: LawOut):
    """Law with the elastic force as a separate unknown."""
    law = pair.law
    if law.tabled != 0:
        loaded_multiplier_law(pair, functions, hoop, lam, ask, out)
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
    if law.form == RIGID:
        compliance = 0.0
        # what closes a gap within one step: m_e/s, s being the factor of the increments
        rho = law.mass * ask.L
        reference = rho
    else:
        compliance = 1.0 / k
        rho = 1e-3 * k
        reference = k
    e = lam * compliance
    y = hoop.u + terms.x - law.offset - e
    flank = 0.0
    gap = y
    # stored as a function of psi with constant lam
    by_k = e * e * 0.5
    slope = e * compliance
    cube = e * e * compliance
    no_both(out)
    small = ROUNDING * pair.geometry.pitch
    if b <= small:
        flank = 1.0 if lam >= 0.0 else -1.0
        if lam < 0.0:
            gap = y + b
    elif lam + rho * y >= 0.0:
        flank = 1.0
    elif lam + rho * (y + b) <= 0.0:
        flank = -1.0
        gap = y + b
    share = 1.0
    both = abs(lam)
    if b < -small and compliance > 0.0 and both < -k * b:
        # both flanks are in contact
        share = 0.5
        both = -k * b
        gap = y + 0.5 * (b + e)
        by_k = 0.25 * (e * e + b * b)
        slope *= 0.5
        cube *= 0.5
        compliance *= 0.5
        out.both_a = -kA * b
        out.both_b = -kB * b
        out.both_y = 2.0 * k
    else:
        out.sigma = flank
        out.both_l = 1.0 if lam > 0.0 else (-1.0 if lam < 0.0 else 0.0)
    out.both = both
    out.elastic = lam
    out.damping = out.damped = out.lost = 0.0
    out.flank = flank
    out.deflection = e
    out.stiffness = k / share if flank != 0.0 else 0.0
    out.energy = k * by_k
    out.moment = 0.0
    out.power = lam * terms.x_t
    out.w_ay = 0.0
    out.w_by = 0.0
    if law.consistent != 0:
        out.w_a = lam * (cA + xA) + kA * by_k
        out.w_b = lam * (cB + xB) + kB * by_k
        out.w_ay = out.both_a
        out.w_by = out.both_b
        out.w_aa = lam * terms.x_aa + terms.k_aa * by_k - kA * kA * cube
        mixed = terms.k_ab * by_k - kA * kB * cube
        out.w_ab = mixed
        out.w_ba = mixed
        out.w_bb = lam * terms.x_bb + terms.k_bb * by_k - kB * kB * cube
        out.f_a = cA + xA + kA * slope
        out.f_b = cB + xB + kB * slope
    else:
        out.w_a = lam * cA
        out.w_b = lam * cB
        out.w_aa = 0.0
        out.w_ab = 0.0
        out.w_ba = 0.0
        out.w_bb = 0.0
        out.f_a = cA
        out.f_b = cB
        out.power += (lam * xA + kA * by_k) * hoop.rate_a + (lam * xB + kB * by_k) * hoop.rate_b
    if flank == 0.0:
        out.gap = -lam / reference
        out.row_a = 0.0
        out.row_b = 0.0
        out.row_l = -ask.L / reference
    else:
        out.gap = gap
        out.row_a = cA + xA + kA * slope
        out.row_b = cB + xB + kB * slope
        # K L^2 is 1/s in a step and in statics, and 0 where positions are closed with the force held
        out.row_l = -compliance * ask.K * ask.L * ask.L
