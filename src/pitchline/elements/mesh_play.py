"""Backlash that varies with the rotation of a wheel or with time, and lines of action that do not follow the load.

The law of a mesh has the energy V(psi_A, psi_B, Y): Y is the distance by which both flanks are closer than with the constant
backlash, and N = dV/dY the sum of the forces of both flanks. If the backlash is b + d(psi_A, psi_B, t), then Y = t y - d/2: the
torques of V contain N dY/dpsi, and N dY/dt is supplied from outside.

With a fixed line of action both flanks have the same normal. Then V(psi_A, psi_B, u + l t y), l = 1 for the normal of the drive
flank and -1 for that of the coast flank, and the force along t y is l f.
"""

from ..math.compiled import F8, I8, block, leaf
from .mesh_law import OF_DEFLECTION, Law
from .mesh_records import Hoop, LawOut, LawTerms, TiltOut


@block
def vary_play(law: Law, tangent: I8, multiplier: I8, hoop: Hoop, terms: LawTerms, out: LawOut):
    """Add the effect of a varying backlash to the result of a law. multiplier: in multiplier form."""
    consistent = law.consistent
    N = out.both
    if law.damping_rate == OF_DEFLECTION:
        N += out.damped
    pa = terms.p_a
    pb = terms.p_b
    out.power += N * terms.p_t
    out.timed += N * terms.p_t
    if consistent != 0:
        out.w_a += N * pa
        out.w_b += N * pb
    else:
        out.power += N * (pa * hoop.rate_a + pb * hoop.rate_b)
    if multiplier != 0:
        out.row_a += out.sigma * pa
        out.row_b += out.sigma * pb
    elif tangent == 0:
        return
    aa = out.w_ay * pa
    ab = out.w_ay * pb
    ba = out.w_by * pa
    bb = out.w_by * pb
    yy = out.both_y
    if consistent != 0:
        aa += pa * (out.both_a + yy * pa) + N * terms.p_aa
        ab += pa * (out.both_b + yy * pb)
        ba += pb * (out.both_a + yy * pa)
        bb += pb * (out.both_b + yy * pb) + N * terms.p_bb
        out.w_ay += pa * yy
        out.w_by += pb * yy
        out.w_at += pa * out.both_t
        out.w_bt += pb * out.both_t
        out.f_a += out.both_l * pa if multiplier != 0 else 0.0
        out.f_b += out.both_l * pb if multiplier != 0 else 0.0
    if multiplier == 0:
        out.f_a += out.both_u * pa
        out.f_b += out.both_u * pb
    out.w_aa += aa
    out.w_ab += ab
    out.w_ba += ba
    out.w_bb += bb
    out.m_a += out.both_t * pa
    out.m_b += out.both_t * pb
    out.c_a += out.c_y * pa
    out.c_b += out.c_y * pb
    out.d_a += out.d_y * pa
    out.d_b += out.d_y * pb
    out.both_a += yy * pa
    out.both_b += yy * pb
    _vary_tilting(consistent, pa, pb, out.on_drive)
    _vary_tilting(consistent, pa, pb, out.on_coast)


@leaf
def _vary_tilting(consistent: I8, pa: F8, pb: F8, part: TiltOut):
    """The same for the moment against the tilt of a flank."""
    part.m_a += part.both_t * pa
    part.m_b += part.both_t * pb
    if consistent != 0:
        part.w_at += part.both_t * pa
        part.w_bt += part.both_t * pb


@block
def fix_line(line: F8, lever_a: F8, lever_b: F8, consistent: I8, multiplier: I8, out: LawOut):
    """Force along t y of a law whose approach contains l t y."""
    f = out.elastic
    out.sigma = line
    out.both = line * f
    out.damped = line * out.damping
    if multiplier != 0:
        out.both_l = line
        return
    k = out.stiffness
    out.both_u = line * k
    out.both_y = k
    out.both_a = line * out.f_a
    out.both_b = line * out.f_b
    out.both_t = line * out.f_t
    out.d_y = line * out.c_y
    out.c_y = line * out.c_u
    out.w_ay = line * (out.f_a if consistent != 0 else lever_a * k)
    out.w_by = line * (out.f_b if consistent != 0 else lever_b * k)
