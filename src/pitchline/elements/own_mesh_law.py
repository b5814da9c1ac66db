"""Force law of a gear mesh that a user declares: a compiled function, called by its address.

The function has three arguments: the penetration of the loaded flank d [m], its rate [m/s], both along the direction of the law,
and the phase of the mesh cycle. It returns the force in the same direction [N] with its derivatives (`gradient_laws`). It is called
only in contact. With s = u + x - offset and the backlash b along the hoop, and the ratio K of lengths (`gears.directions`),

    drive flank: d = s K,    coast flank: d = -(s + b) K,    f = +-F(d, d', phase) K.

d' contains the rates of errors and of a varying backlash. The force without rate, F(d, 0, phase), is elastic: its energy is V =
integral of F over d. Everything else is dissipated. The force acts only along the hoop. Errors, and a law that depends on the
phase, therefore supply power, as teeth do that are not energy-consistent: F x' + dV/dphase phase'.

The integral is by Gauss's formula over sqrt(d), exact for F = d^(n/2) up to a high order.
"""

import numpy as np

from ..math.compiled import A1, F8, I8, V2, block, leaf
from ..math.gradient_laws import call_gradient_law
from .mesh_damper import put_turning, rate_of_drive_flank
from .mesh_records import Hoop, LawOut, MeshParameters, no_both
from .mesh_terms import law_terms

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
