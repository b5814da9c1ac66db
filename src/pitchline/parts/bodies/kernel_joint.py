"""Rigid joint of two frames that coincide, and the force law of a gear mesh with the tooth force as a separate unknown.

Force law of a gear mesh with the tooth force as a separate unknown: rigid teeth, and statics.

As one multiplier lam the law of `spring_law` is Phi = s_flank - lam/k = 0, the flank being chosen by the force: drive if
lam + rho y >= 0 with y = s - lam/k, coast if lam + rho (y + b) <= 0, otherwise the gap, where lam = 0. A decision by u instead
fails on soft supports (a small error of u times k is a large force). If b < 0 and |lam| < -k b, both flanks are in contact:
s + b/2 - lam/(2 k) = 0, N = -k b.
"""

import numpy as np

from pitchline.engine.elements.axis_rows import Axes, axis_moment, axis_rate, axis_residual, axis_tangent, count_rows
from pitchline.engine.elements.contract import PAIR_ROWS, RATE, TANGENT, Ask, Element, ElementKind, unit_signal
from pitchline.numerics.fields import VECTOR, embedded, fields, packed
from pitchline.numerics.machine_code.compiled import A1, F8, V3, block, kernel, leaf
from pitchline.numerics.vectors import EYE, add, add_gradients, add_mat, add_vec, cross, mm, mtv, mul, mv, skew, sub

from ..meshes.kernel_law import RIGID, ROUNDING
from ..meshes.kernel_loaded import law_terms, loaded_multiplier_law
from ..meshes.kernel_records import Hoop, LawOut, MeshParameters, no_both

# ---- coincident

# Lower pairs whose points coincide: spherical, universal, revolute, fixed.
#
# Phi_1..3 = x_B + R_B p_B - x_A - R_A p_A (world axes), then orientation rows (`axis_rows`)

Coincident = fields("Coincident", point_a=VECTOR, point_b=VECTOR, axes=embedded(Axes))

REACTION_SIGNALS = (
    unit_signal("force", "N", "force of the joint on its second body, at the joint point"),
    unit_signal("moment", "N*m", "moment of the joint on its second body, about the joint point"),
)


@leaf
def _force(lam: A1) -> V3:
    """The first multipliers: a force in world axes."""
    return (lam[0], lam[1], lam[2])


@kernel
def evaluate(s, m, x, w, ask, r, J):
    pA = s.point_a
    pB = s.point_b
    RA = x.a.R
    RB = x.b.R
    if ask.mode == RATE:
        wA = x.a.w
        wB = x.b.w
        vA = add(x.a.v, mv(RA, cross(wA, pA)))
        vB = add(x.b.v, mv(RB, cross(wB, pB)))
        add_vec(r, 12, sub(vB, vA))
        axis_rate(s.axes, 3, RA, RB, wA, wB, r)
        return
    lam = x.lam
    l = _force(lam)
    lA = mtv(RA, l)
    lB = mtv(RB, l)
    add_vec(r, 0, mul(-1.0, l))
    add_vec(r, 3, cross(lA, pA))
    add_vec(r, 6, l)
    add_vec(r, 9, cross(pB, lB))
    add_vec(r, 12, sub(add(x.b.x, mv(RB, pB)), add(x.a.x, mv(RA, pA))))
    axis_residual(s.axes, lam, 3, RA, RB, r)
    if ask.mode == TANGENT:
        k = ask.K
        SA = skew(pA)
        SB = skew(pB)
        add_gradients(J, 12, 0, (-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0))
        add_gradients(J, 12, 3, mm(RA, SA))
        add_gradients(J, 12, 6, EYE)
        add_gradients(J, 12, 9, mm(RB, skew(mul(-1.0, pB))))
        add_mat(J, 3, 3, -k, mm(SA, skew(lA)))
        add_mat(J, 9, 9, k, mm(SB, skew(lB)))
        axis_tangent(s.axes, lam, 3, RA, RB, k, J)


@kernel
def report(s, m, x, w, ask, out):
    lam = x.lam
    out.force = mul(-1.0, _force(lam))
    out.moment = axis_moment(s.axes, lam, 3, x.a.R, x.b.R)


COINCIDENT = ElementKind("coincident", evaluate, Coincident, PAIR_ROWS, report=report, signals=REACTION_SIGNALS)


def coincident(name: str, nodes: tuple[int, int], point_a: np.ndarray, point_b: np.ndarray, axes: np.void) -> Element:
    """Constrain two points to coincide, with the orientation rows `axes` (see `encode_axes`)."""
    values = {"point_a": point_a, "point_b": point_b, "axes": axes}
    return Element(COINCIDENT, name, nodes, packed(Coincident, values), rows="ttt" + "r" * count_rows(axes))


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
