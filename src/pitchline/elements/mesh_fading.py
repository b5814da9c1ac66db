"""Effect of the end of contact on the tooth force: tips, faces, the ends of a rack.

Flanks cannot penetrate more than tips: the energy of the teeth is

    V = Phi min( V_flank , k d^2 / (2 cos^2 alpha) )       (Phi and d: `mesh_engagement`),

so that it ends without a jump when tips separate, and tips in contact have a radial force if teeth do not enter spaces. Phi
depends on the position of C_B along the face and along the rack, so that V has a gradient along both: the energy that contact
releases when faces separate is the work of this force.
"""

from ..math.compiled import A2, F8, I8, V3, block, leaf
from ..math.vectors import add, cross, mul
from .mesh_damper import damper_levers
from .mesh_engagement import IN_PLACE
from .mesh_records import Engagement, LawOut, MeshFrame, MeshParameters, TiltOut, Wrench, no_force


@leaf
def deeper_than_tips(pair: MeshParameters, e: Engagement, law: LawOut) -> I8:
    """Whether flanks would penetrate more than tips, or tips are apart. Not at the nominal centre distance: a step that does
    not resolve an impact deflects teeth by more than their height, and must not lose them."""
    d = e.left
    if d >= IN_PLACE * pair.limits.depth:
        return 0
    ca = pair.geometry.cos_alpha
    k = pair.law.mean_stiffness / (ca * ca)
    return 1 if not law.energy < 0.5 * k * d * abs(d) else 0


@block
def tip_law(pair: MeshParameters, e: Engagement, out: LawOut):
    """Contact of tips, or tips apart: no force of the flanks."""
    no_force(out)
    d = max(e.left, 0.0)
    ca = pair.geometry.cos_alpha
    k = pair.law.mean_stiffness / (ca * ca) if d > 0.0 else 0.0
    out.energy = 0.5 * k * d * d
    out.stiffness = k
    e.tip = k * d
    e.tip_stiffness = k


@block
def fade_law(pair: MeshParameters, tangent: I8, e: Engagement, out: LawOut):
    """Multiply the result of the law by Phi, and add the corresponding forces along faces and rack."""
    share = e.share
    energy = out.energy
    f = out.elastic
    both = out.both
    along = damper_levers(pair, out)
    by_a = out.w_a - along[0] * out.damping - along[2] * out.damped
    by_b = out.w_b - along[1] * out.damping - along[3] * out.damped
    out.elastic *= share
    out.damping *= share
    out.damped *= share
    out.lost *= share
    out.energy *= share
    out.stiffness *= share
    out.w_a *= share
    out.w_b *= share
    out.moment *= share
    out.power *= share
    out.timed *= share
    out.both *= share
    e.tip *= share
    e.tip_stiffness *= share
    if share <= 0.0:
        out.flank = 0.0
    if pair.law.tilted != 0:
        _fade_tilting(share, e.travel_1, out.on_drive)
        _fade_tilting(share, e.travel_1, out.on_coast)
    if e.changes != 0:
        e.face_energy = energy
        e.face_force = mul(energy, e.gradient)
        e.curve *= energy
    first = e.travel_1
    out.w_b += energy * first
    if tangent == 0:
        return
    _scale_slopes(share, out)
    if first != 0.0:
        out.w_bb += energy * e.travel_2 + 2.0 * first * by_b
        out.w_ab += first * by_a
        out.w_ba += first * by_a
        out.f_b += first * f
        out.w_by += first * both
        out.both_b += first * both


@leaf
def _fade_tilting(share: F8, first: F8, out: TiltOut):
    """The same for the moment against the tilt; w_b contains the effect of the travel of a rack."""
    by_travel = first * out.moment
    out.moment *= share
    out.f_t *= share
    out.w_at *= share
    out.w_bt = share * out.w_bt + by_travel
    out.c_t *= share
    out.d_t *= share
    out.both_t *= share
    out.m_a *= share
    out.m_b = share * out.m_b + by_travel
    out.m_t *= share


@leaf
def _scale_slopes(share: F8, out: LawOut):
    """share times the derivatives of the forces."""
    out.f_a *= share
    out.f_b *= share
    out.f_t *= share
    out.w_aa *= share
    out.w_ab *= share
    out.w_ba *= share
    out.w_bb *= share
    out.w_at *= share
    out.w_bt *= share
    out.w_ay *= share
    out.w_by *= share
    out.m_a *= share
    out.m_b *= share
    out.m_t *= share
    out.damper *= share
    out.damper_1 *= share
    out.damper_2 *= share
    out.c_a *= share
    out.c_b *= share
    out.c_t *= share
    out.c_y *= share
    out.d_a *= share
    out.d_b *= share
    out.d_t *= share
    out.d_y *= share
    out.both_u *= share
    out.both_a *= share
    out.both_b *= share
    out.both_t *= share
    out.both_y *= share
    out.both_l *= share


@block
def fade_stiffness(k: F8, f: MeshFrame, e: Engagement, wrench: Wrench, K: A2):
    """Add k times the derivative of the elastic wrench along the faces: symmetric, except for a term of the order of the
    energy divided by lengths squared, the rotation of the face with its wheel."""
    share = e.share
    if not share > 0.0:
        return
    force = wrench.force
    moment_a = wrench.moment_a
    moment_b = wrench.moment_b
    g = e.gradient
    face = e.face_force
    gA = add(cross(g, f.arm_a), e.couple_a)
    gB = add(cross(g, f.arm_b), e.couple_b)
    fA = mul(e.face_energy, gA)
    fB = mul(e.face_energy, gB)
    curve = k * e.curve
    for i in range(12):
        gi = _entry(i, g, gA, gB)
        wi = (_entry(i, force, moment_a, moment_b) - _entry(i, face, fA, fB)) / share
        for j in range(12):
            wj = (_entry(j, force, moment_a, moment_b) - _entry(j, face, fA, fB)) / share
            gj = _entry(j, g, gA, gB)
            K[i, j] += k * (wi * gj + gi * wj) + curve * gi * gj


@leaf
def _entry(i: I8, force: V3, on_a: V3, on_b: V3) -> F8:
    """Number i of the twelve of a unit of work: force on A and its moments, its opposite on B."""
    k = i % 3
    v = force
    if i >= 3 and i < 6:
        v = on_a
    elif i >= 9:
        v = on_b
    x = v[0] if k == 0 else (v[1] if k == 1 else v[2])
    return -x if i >= 6 and i < 9 else x
