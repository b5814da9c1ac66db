"""Engagement of the teeth: overlap of the tips, common fraction of the faces, and the teeth that mesh when contact begins again.

The pitch points C_A and C_B lie apart by C_A - C_B = y eta2 + w eta1. Tips overlap along the line of centres by

    d = h + y ,     h: as built,

and teeth that are out of reach, d <= 0, have no force.

Phi is the fraction of the initial common face width that is still in mesh, times a factor that decreases to zero at the ends
of a rack. It is a function of the position of C_B along the face (a, along the pitch line of A) and along the rack (its travel
s). Faces of crossed axes have point contact at the foot of the common perpendicular: Phi decreases from 1 to 0 beyond the ends
of each face. `mesh_fading` describes the effect of Phi and d on the force.

Engaged teeth: those counted in the memory, while teeth are in mesh. If they can pass each other (tips nearly apart, faces
nearly apart), or if the count is invalid because they were out of mesh, the teeth closest to each other.
"""

import math

import numpy as np

from ..math.compiled import B1, F8, I8, V3, block, leaf
from ..math.vectors import add, cross, dot, mul, mv, sub
from .contract import Node
from .mesh_limits import CONTACT_ENDS, FREE, LINE, NO_FACES, Limits, of_face
from .mesh_records import PARTED, Engagement, MeshFrame, MeshParameters

ENTERING = 0.25
"""Below this Phi the closest teeth are used."""
MISCOUNTED = 0.75
"""Fraction of a pitch: teeth that are farther from their space are not the counted ones."""
IN_PLACE = 0.9
"""Fraction of the initial depth and face from which on teeth cannot pass each other."""


@leaf
def _beyond(x: F8, low: F8, high: F8, length: F8) -> V3:
    """1 from low to high, 0 at a length beyond either, a cubic between; with two derivatives by x."""
    sign = 1.0
    e = (x - high) / length
    if x < low:
        e = (low - x) / length
        sign = -1.0
    if e <= 0.0:
        return (1.0, 0.0, 0.0)
    if e >= 1.0:
        return (0.0, 0.0, 0.0)
    return (1.0 - e * e * (3.0 - 2.0 * e), -6.0 * sign * e * (1.0 - e) / length, (12.0 * e - 6.0) / (length * length))


@leaf
def _over_square(second: F8, first: F8) -> F8:
    """Second derivative over the square of the first: what multiplies the product of two gradients."""
    return second / (first * first) if first != 0.0 else 0.0


@block
def _fading_line(p: Limits, a: F8, along: V3, out: Engagement):
    """Phi of parallel faces that overlap partially."""
    rising = a - p.low < p.high - a
    S = of_face((a - p.low if rising else p.high - a) / p.width)
    slope = p.gain * S[1] / p.width
    out.share = p.gain * S[0]
    out.changes = 1
    out.gradient = mul(-slope if rising else slope, along)  # a grows as A moves back
    out.couple_a = (0.0, 0.0, 0.0)
    out.couple_b = (0.0, 0.0, 0.0)
    out.curve = _over_square(p.gain * S[2] / (p.width * p.width), slope)


@leaf
def _between_centres(radius_b: F8, f: MeshFrame) -> V3:
    """x_A - x_B of the centres; of a rack from the pitch point, which differs along the rack and up its teeth."""
    return add(f.centre, mul(radius_b, f.x2))


@block
def _fading_crossed(p: Limits, radius_b: F8, rack: B1, f: MeshFrame, out: Engagement):
    """Phi of faces on crossed axes, from the position of the foot of the common perpendicular on each; for a rack, from the
    position of the middle of the pinion across it.

    With the axes a = mu1 and b = xi1, c = a.b, q = 1/(1 - c^2) and d from the centre of A to that of B, the feet lie at
    s_A = q (d.a - c d.b) and s_B = q (c d.a - d.b). They depend on the directions of the axes with the lever of d.
    """
    a = f.m1
    b = f.x1
    apart = _between_centres(radius_b, f)
    d = mul(-1.0, apart)
    c = 0.0 if rack else dot(a, b)
    q = 1.0 / (1.0 - c * c)
    to_a = mul(q, sub(a, mul(c, b)))
    to_b = mul(q, sub(b, mul(c, a)))
    foot_a = dot(d, to_a)
    foot_b = -dot(d, to_b)
    on_a = (1.0, 0.0, 0.0)
    if not rack:
        on_a = _beyond(foot_a, p.low, p.high, p.beyond)
    on_b = _beyond(foot_b, p.low_b, p.high_b, p.beyond)
    share = on_a[0] * on_b[0]
    out.share = share
    if share == 1.0:
        return
    out.changes = 1
    by_a = on_a[1] * on_b[0]
    by_b = on_b[1] * on_a[0]
    gradient = add(mul(-by_a, to_a), mul(by_b, to_b))
    out.gradient = gradient
    out.curve = 0.0  # of one face: where both end at once, Newton does without
    if on_b[0] == 1.0:
        out.curve = _over_square(on_a[2], by_a)
    elif on_a[0] == 1.0:
        out.curve = _over_square(on_b[2], by_b)
    # by the directions of the axes; those of a rack and its pinion do not depend on each other
    of_a = mul(by_a, d)
    of_b = mul(-by_b, d)
    if not rack:
        turn = by_b * dot(d, a) - by_a * dot(d, b) + 2.0 * c * (by_a * foot_a + by_b * foot_b)
        of_a = add(mul(by_a + c * by_b, d), mul(turn, b))
        of_b = add(mul(-c * by_a - by_b, d), mul(turn, a))
    # and the force acts at the centres, not at the point of contact
    centre = f.centre
    out.couple_a = add(mul(q, cross(a, of_a)), cross(centre, gradient))
    out.couple_b = add(mul(q, cross(b, of_b)), cross(sub(apart, centre), gradient))


@leaf
def travel_share(p: Limits, travel: F8, out: Engagement):
    """Phi along a rack; the rest as for teeth wholly in mesh."""
    out.share = 1.0
    out.changes = 0
    out.travel_1 = 0.0
    out.tip = 0.0
    out.tip_stiffness = 0.0
    if p.travel_beyond > 0.0 and (travel < p.travel_low or travel > p.travel_high):
        T = _beyond(travel, p.travel_low, p.travel_high, p.travel_beyond)
        out.share = T[0]
        out.travel_1 = T[1]
        out.travel_2 = T[2]


@leaf
def engagement(pair: MeshParameters, f: MeshFrame, out: Engagement) -> F8:
    """Phi and d of a mesh frame; return y, the reduction of the centre distance from its initial value."""
    p = pair.limits
    gap = add(f.centre, mul(pair.geometry.radius_a, f.m2))
    y = dot(gap, f.e2)
    travel_share(p, f.psi_b, out)
    out.left = p.depth + y
    if y > p.depth and p.depth > 0.0:
        # deeper than teeth can be: probably a pinion that has left its ring on the outside
        apart = _between_centres(pair.geometry.radius_b, f)
        if dot(apart, apart) > p.reach * p.reach:
            out.left = -y
    if p.faces == NO_FACES:
        return y
    travel = out.share
    if p.faces == LINE:
        along = add(mul(p.along_1, f.m1), mul(p.along_2, f.m2))
        a = -dot(gap, along)
        out.share = p.gain
        if min(a - p.low, p.high - a) < (1.0 - FREE) * p.width:
            _fading_line(p, a, along, out)
    else:
        _fading_crossed(p, pair.geometry.radius_b, pair.geometry.rack != 0, f, out)
    if travel != 1.0:
        face = out.share
        out.share = face * travel
        out.travel_1 *= face
        out.travel_2 *= face
        if out.changes != 0:
            out.curve = out.curve / travel if travel > 0.0 else 0.0  # multiplies the gradient squared
            out.gradient = mul(travel, out.gradient)
            out.couple_a = mul(travel, out.couple_a)
            out.couple_b = mul(travel, out.couple_b)
    return y


@leaf
def out_of_mesh(e: Engagement) -> I8:
    return 1 if not (e.left > 0.0 and e.share > 0.0) else 0


@leaf
def in_place(p: Limits, e: Engagement) -> B1:
    """Whether teeth overlap to nearly their initial depth and width: the count is then valid, for any deflection."""
    return e.left >= IN_PLACE * p.depth and e.share >= IN_PLACE


@leaf
def wrong_teeth(pair: MeshParameters, u: F8, state: F8, e: Engagement) -> F8:
    """Number of teeth by which the count for an approach u must be corrected; 0 in mesh. state, of the memory: if teeth were
    out of mesh at the last check, they may have passed each other since."""
    pitch = pair.geometry.pitch
    aside = u - pair.law.offset + 0.5 * pair.law.backlash
    if abs(aside) <= 0.5 * pitch or pair.limits.ends != CONTACT_ENDS:
        return 0.0
    if e.left < pair.limits.shallow or e.share < ENTERING:
        return np.round(aside / pitch)
    if abs(aside) > MISCOUNTED * pitch and (state == PARTED or not in_place(pair.limits, e)):
        return np.round(aside / pitch)
    return 0.0


@block
def far_apart(pair: MeshParameters, a: Node, b: Node) -> F8:
    """Distance between spheres around both wheels: there is no contact then, for any direction of their axes. 0 if
    contact is possible."""
    g = pair.geometry
    d = sub(add(a.x, mv(a.R, g.a.at)), add(b.x, mv(b.R, g.b.at)))
    return max(0.0, math.sqrt(dot(d, d)) - pair.limits.reach) if pair.limits.ends == CONTACT_ENDS else 0.0
