"""Where the contact of teeth ends: tips, faces, the ends of a rack. And which teeth meet when contact begins again.

The pitch points C_A and C_B lie apart by C_A - C_B = y eta2 + w eta1. Tips overlap along the line of centres by

    d = h + y ,     h: as built,

and teeth that are out of each other's reach, d <= 0, exert no force. Flanks cannot be deeper in each other than tips: the energy
of the teeth is

    V = Phi min( V_flank , k d^2 / (2 cos^2 alpha) ) ,

so that it ends without a jump where tips part, and tip meets tip with a radial force where teeth do not fall into spaces.

Phi is the part of the face width, as built, that still meets, times a factor that ends at the ends of a rack. It is a function of
where C_B lies along the face (a, along the pitch line of A) and along the rack (its travel s), so that V has a gradient along
both: what contact gives back when faces part is work of that force. Faces of crossed axes touch in a point, the foot of
the common perpendicular: Phi falls from 1 to 0 beyond the ends of each face.

Which teeth: those counted in the memory, while teeth are in mesh. Where they can pass each other (tips that nearly part, faces
that barely meet), and where the count cannot be right because they were out of mesh, the teeth nearest to each other.
"""

import math

import numpy as np

from ..math.compiled import A1, A2, B1, F8, I8, V3, block, leaf
from ..math.vectors import add, cross, dot, mul, mv, rotation, row, sub, vec
from .mesh_geometry import (
    ARM_A,
    ARM_B,
    CENTRE,
    COS_ALPHA,
    E2,
    ENDS,
    LEVER_A,
    LEVER_B,
    LIMITS_SIZE,
    M1,
    M2,
    MORE_VECTORS,
    PITCH,
    POINT_A,
    POINT_B,
    PSI_B,
    RACK,
    RADIUS_A,
    RADIUS_B,
    SCALARS,
    VECTORS,
    X1,
    X2,
)
from .mesh_law_layout import (
    BACKLASH,
    BOTH,
    BOTH_B,
    BOTH_L,
    BOTH_U,
    DAMPER,
    ENERGY,
    F_A,
    F_B,
    FLANK,
    FORCE_C,
    FORCE_K,
    LAW,
    M_TT,
    MEAN_STIFFNESS,
    MOMENT,
    OFFSET,
    POWER,
    ROW_A,
    ROW_B,
    SIGMA,
    STIFFNESS,
    TERMS,
    W_A,
    W_AB,
    W_B,
    W_BA,
    W_BB,
    W_BY,
)

UNLIMITED, CONTACT_ENDS, RUN_ENDS = 0, 1, 2
"""What happens out of mesh: nothing (analyses look afterwards), contact ends, or there is no such position (rigid teeth)."""
NO_FACES, LINE, CROSSED = 0, 1, 2
"""Faces: unknown; side by side along one pitch line; on crossed axes, touching in a point."""

# parameters, in their place within those of the geometry
DEPTH, SHALLOW, FACES, ALONG_1, ALONG_2 = (ENDS + i for i in range(1, 6))
LOW, HIGH, WIDTH_FULL, GAIN = (ENDS + i for i in range(6, 10))  # line: a where faces part; the smaller face; 1/S as built
LOW_B, HIGH_B, BEYOND = (ENDS + i for i in range(10, 13))  # crossed: LOW to HIGH on A, these on B, and the fading beyond
TRAVEL_LOW, TRAVEL_HIGH, TRAVEL_BEYOND, REACH = (ENDS + i for i in range(13, 17))

LIMITS = 23
"""Scratch row of J: Phi, d, whether Phi changes along the faces; its gradient by x_A (3), by the travel (two derivatives); radial
force of the tips; force of the faces on A (3); second derivative of Phi over the square of the first."""
SHARE_NOW, LEFT, CHANGES, GRADIENT, TRAVEL_1, TRAVEL_2, TIP, FACE_FORCE, CURVE = 0, 1, 2, 3, 6, 7, 8, 9, 12
COUPLE_A, COUPLE_B, FACE_ENERGY = 15, 18, 21  # of Phi by rotations, beyond that of a force at C_B; energy of the whole face
TIP_STIFFNESS, RADIAL_GRADIENT = 13, 14  # derivative of the radial force of the tips by y; radial force that has a potential

_FREE, _ROUND = 0.01, 0.02  # parts of the face: this much may be lost without effect, then the corner of Phi is rounded
ENTERING = 0.25  # Phi below which the nearest teeth are taken
MISCOUNTED = 0.75  # of a pitch: teeth that stand farther from their space are not those that were counted
IN_PLACE = 0.9  # part of the depth and of the face, as built, from which on teeth cannot pass each other
IN_MESH_STILL, FIRST_LOOK, PARTED = 0.0, 1.0, 2.0
"""Last place of the memory: teeth were in place at the last look; there was none yet; they were not."""
FAR = 1e30  # a limit that is none


@leaf
def _of_face(part: F8) -> V3:
    """S of the part of the face that meets, and two derivatives: 1 from 99 %, a rounded corner, then a straight line to 0."""
    scale = 1.0 / (1.0 - _FREE - 0.5 * _ROUND)
    lost = 1.0 - part - _FREE
    if lost <= 0.0:
        return (1.0, 0.0, 0.0)
    if part <= 0.0:
        return (0.0, 0.0, 0.0)
    if lost < _ROUND:
        return (1.0 - 0.5 * scale * lost * lost / _ROUND, scale * lost / _ROUND, -scale / _ROUND)
    return (1.0 - scale * (lost - 0.5 * _ROUND), scale, 0.0)


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
def _put(J: A2, at: I8, a: V3):
    J[LIMITS, at] = a[0]
    J[LIMITS, at + 1] = a[1]
    J[LIMITS, at + 2] = a[2]


@leaf
def _over_square(second: F8, first: F8) -> F8:
    """Second derivative over the square of the first: what multiplies the product of two gradients."""
    return second / (first * first) if first != 0.0 else 0.0


@block
def _fading_line(p: A1, a: F8, along: V3, J: A2):
    """Phi of faces side by side that do not wholly meet."""
    rising = a - p[LOW] < p[HIGH] - a
    S = _of_face((a - p[LOW] if rising else p[HIGH] - a) / p[WIDTH_FULL])
    slope = p[GAIN] * S[1] / p[WIDTH_FULL]
    J[LIMITS, SHARE_NOW] = p[GAIN] * S[0]
    J[LIMITS, CHANGES] = 1.0
    _put(J, GRADIENT, mul(-slope if rising else slope, along))  # a grows as A moves back
    _put(J, COUPLE_A, (0.0, 0.0, 0.0))
    _put(J, COUPLE_B, (0.0, 0.0, 0.0))
    J[LIMITS, CURVE] = _over_square(p[GAIN] * S[2] / (p[WIDTH_FULL] * p[WIDTH_FULL]), slope)


@leaf
def _between_centres(p: A1, J: A2) -> V3:
    """x_A - x_B of the centres; of a rack from the pitch point, which differs along the rack and up its teeth."""
    return add(row(J, MORE_VECTORS, CENTRE), mul(p[RADIUS_B], row(J, VECTORS, X2)))


@block
def _fading_crossed(p: A1, J: A2):
    """Phi of faces on crossed axes: by where the foot of the common perpendicular lies on each; on a rack, by where the middle
    of the pinion stands across it.

    With the axes a = mu1 and b = xi1, c = a.b, q = 1/(1 - c^2) and d from the centre of A to that of B, the feet lie at
    s_A = q (d.a - c d.b) and s_B = q (c d.a - d.b). They depend on the directions of the axes with the lever of d.
    """
    rack = p[RACK] != 0.0
    a = row(J, VECTORS, M1)
    b = row(J, VECTORS, X1)
    apart = _between_centres(p, J)
    d = mul(-1.0, apart)
    c = 0.0 if rack else dot(a, b)
    q = 1.0 / (1.0 - c * c)
    to_a = mul(q, sub(a, mul(c, b)))
    to_b = mul(q, sub(b, mul(c, a)))
    foot_a = dot(d, to_a)
    foot_b = -dot(d, to_b)
    on_a = (1.0, 0.0, 0.0)
    if not rack:
        on_a = _beyond(foot_a, p[LOW], p[HIGH], p[BEYOND])
    on_b = _beyond(foot_b, p[LOW_B], p[HIGH_B], p[BEYOND])
    share = on_a[0] * on_b[0]
    J[LIMITS, SHARE_NOW] = share
    if share == 1.0:
        return
    J[LIMITS, CHANGES] = 1.0
    by_a = on_a[1] * on_b[0]
    by_b = on_b[1] * on_a[0]
    gradient = add(mul(-by_a, to_a), mul(by_b, to_b))
    _put(J, GRADIENT, gradient)
    J[LIMITS, CURVE] = 0.0  # of one face: where both end at once, Newton does without
    if on_b[0] == 1.0:
        J[LIMITS, CURVE] = _over_square(on_a[2], by_a)
    elif on_a[0] == 1.0:
        J[LIMITS, CURVE] = _over_square(on_b[2], by_b)
    # by the directions of the axes; those of a rack and its pinion do not depend on each other
    of_a = mul(by_a, d)
    of_b = mul(-by_b, d)
    if not rack:
        turn = by_b * dot(d, a) - by_a * dot(d, b) + 2.0 * c * (by_a * foot_a + by_b * foot_b)
        of_a = add(mul(by_a + c * by_b, d), mul(turn, b))
        of_b = add(mul(-c * by_a - by_b, d), mul(turn, a))
    # and the force acts at the centres, not at the point of contact
    centre = row(J, MORE_VECTORS, CENTRE)
    _put(J, COUPLE_A, add(mul(q, cross(a, of_a)), cross(centre, gradient)))
    _put(J, COUPLE_B, add(mul(q, cross(b, of_b)), cross(sub(apart, centre), gradient)))


@leaf
def travel_share(p: A1, J: A2):
    """Phi along a rack into row LIMITS; the rest of the row as for teeth wholly in mesh."""
    J[LIMITS, SHARE_NOW] = 1.0
    J[LIMITS, CHANGES] = 0.0
    J[LIMITS, TRAVEL_1] = 0.0
    J[LIMITS, TIP] = 0.0
    J[LIMITS, TIP_STIFFNESS] = 0.0
    s = J[SCALARS, PSI_B]
    if p[TRAVEL_BEYOND] > 0.0 and (s < p[TRAVEL_LOW] or s > p[TRAVEL_HIGH]):
        T = _beyond(s, p[TRAVEL_LOW], p[TRAVEL_HIGH], p[TRAVEL_BEYOND])
        J[LIMITS, SHARE_NOW] = T[0]
        J[LIMITS, TRAVEL_1] = T[1]
        J[LIMITS, TRAVEL_2] = T[2]


@leaf
def engagement(p: A1, J: A2) -> F8:
    """Phi and d of a mesh frame, into row LIMITS; returns y, how much closer the centres are than as built."""
    gap = add(row(J, MORE_VECTORS, CENTRE), mul(p[RADIUS_A], row(J, VECTORS, M2)))
    y = dot(gap, row(J, VECTORS, E2))
    travel_share(p, J)
    J[LIMITS, LEFT] = p[DEPTH] + y
    if y > p[DEPTH] and p[DEPTH] > 0.0:
        # deeper than teeth can be: as likely a pinion that has left its ring on the outside
        apart = _between_centres(p, J)
        if dot(apart, apart) > p[REACH] * p[REACH]:
            J[LIMITS, LEFT] = -y
    faces = int(p[FACES])
    if faces == NO_FACES:
        return y
    travel = J[LIMITS, SHARE_NOW]
    if faces == LINE:
        along = add(mul(p[ALONG_1], row(J, VECTORS, M1)), mul(p[ALONG_2], row(J, VECTORS, M2)))
        a = -dot(gap, along)
        J[LIMITS, SHARE_NOW] = p[GAIN]
        if min(a - p[LOW], p[HIGH] - a) < (1.0 - _FREE) * p[WIDTH_FULL]:
            _fading_line(p, a, along, J)
    else:
        _fading_crossed(p, J)
    if travel != 1.0:
        face = J[LIMITS, SHARE_NOW]
        J[LIMITS, SHARE_NOW] = face * travel
        J[LIMITS, TRAVEL_1] *= face
        J[LIMITS, TRAVEL_2] *= face
        if J[LIMITS, CHANGES] != 0.0:
            J[LIMITS, CURVE] = J[LIMITS, CURVE] / travel if travel > 0.0 else 0.0  # multiplies the gradient squared
            for i in range(3):
                J[LIMITS, GRADIENT + i] *= travel
                J[LIMITS, COUPLE_A + i] *= travel
                J[LIMITS, COUPLE_B + i] *= travel
    return y


@leaf
def out_of_mesh(J: A2) -> I8:
    return 1 if not (J[LIMITS, LEFT] > 0.0 and J[LIMITS, SHARE_NOW] > 0.0) else 0


@leaf
def in_place(p: A1, J: A2) -> B1:
    """Whether teeth stand in each other as deep and as wide as built: the count then holds, however far they are bent."""
    return J[LIMITS, LEFT] >= IN_PLACE * p[DEPTH] and J[LIMITS, SHARE_NOW] >= IN_PLACE


@leaf
def wrong_teeth(p: A1, u: F8, parted: F8, J: A2) -> F8:
    """By how many teeth the count behind an approach u is to be corrected; 0 in mesh. parted: teeth were out of place at the last
    look, and may have passed each other since."""
    aside = u - p[OFFSET] + 0.5 * p[BACKLASH]
    if abs(aside) <= 0.5 * p[PITCH] or int(p[ENDS]) != CONTACT_ENDS:
        return 0.0
    if J[LIMITS, LEFT] < p[SHALLOW] or J[LIMITS, SHARE_NOW] < ENTERING:
        return np.round(aside / p[PITCH])
    if abs(aside) > MISCOUNTED * p[PITCH] and (parted == PARTED or not in_place(p, J)):
        return np.round(aside / p[PITCH])
    return 0.0


@leaf
def deeper_than_tips(p: A1, J: A2) -> I8:
    """Whether flanks would be deeper in each other than tips are, or tips are apart. Not where centres are in place: a step that
    does not resolve an impact bends teeth by more than they are high, and must not lose them."""
    d = J[LIMITS, LEFT]
    if d >= IN_PLACE * p[DEPTH]:
        return 0
    k = p[MEAN_STIFFNESS] / (p[COS_ALPHA] * p[COS_ALPHA])
    return 1 if not J[LAW, ENERGY] < 0.5 * k * d * abs(d) else 0


@block
def tip_law(p: A1, J: A2):
    """Tips against tips, or apart: no force of the flanks, into rows LAW and TERMS."""
    for i in range(W_BY + 1):
        J[LAW, i] = 0.0
    for i in range(BOTH, SIGMA + 1):
        J[TERMS, i] = 0.0
    d = max(J[LIMITS, LEFT], 0.0)
    k = p[MEAN_STIFFNESS] / (p[COS_ALPHA] * p[COS_ALPHA]) if d > 0.0 else 0.0
    J[LAW, ENERGY] = 0.5 * k * d * d
    J[LAW, STIFFNESS] = k
    J[LIMITS, TIP] = k * d
    J[LIMITS, TIP_STIFFNESS] = k


@block
def fade_law(p: A1, tangent: I8, J: A2):
    """Phi times what the law has left in row LAW, and the forces along faces and rack that go with it."""
    share = J[LIMITS, SHARE_NOW]
    energy = J[LAW, ENERGY]
    f = J[LAW, FORCE_K]
    both = J[TERMS, BOTH]
    by_a = J[LAW, W_A] - p[LEVER_A] * J[LAW, FORCE_C]
    by_b = J[LAW, W_B] - p[LEVER_B] * J[LAW, FORCE_C]
    for i in (FORCE_K, FORCE_C, ENERGY, STIFFNESS, W_A, W_B, MOMENT, POWER):
        J[LAW, i] *= share
    J[LIMITS, TIP] *= share
    J[LIMITS, TIP_STIFFNESS] *= share
    J[TERMS, BOTH] *= share
    if share <= 0.0:
        J[LAW, FLANK] = 0.0
    if J[LIMITS, CHANGES] != 0.0:
        J[LIMITS, FACE_ENERGY] = energy
        for i in range(3):
            J[LIMITS, FACE_FORCE + i] = energy * J[LIMITS, GRADIENT + i]
        J[LIMITS, CURVE] *= energy
    first = J[LIMITS, TRAVEL_1]
    J[LAW, W_B] += energy * first
    if tangent == 0:
        return
    for i in range(F_A, M_TT + 1):
        J[LAW, i] *= share
    for i in (DAMPER, ROW_A, ROW_B):
        J[LAW, i] *= share
    for i in range(POWER + 1, W_BY + 1):
        J[LAW, i] *= share
    for i in range(BOTH_U, BOTH_L + 1):
        J[TERMS, i] *= share
    if first != 0.0:
        J[LAW, W_BB] += energy * J[LIMITS, TRAVEL_2] + 2.0 * first * by_b
        J[LAW, W_AB] += first * by_a
        J[LAW, W_BA] += first * by_a
        J[LAW, F_B] += first * f
        J[LAW, W_BY] += first * both
        J[TERMS, BOTH_B] += first * both


@block
def fade_stiffness(K: F8, wrench: I8, J: A2):
    """Adds K times what the elastic wrench (its row of J, spatial) changes by along the faces: symmetric, but for a part of the
    size of the energy over lengths squared, the turning of the face with its wheel."""
    share = J[LIMITS, SHARE_NOW]
    if not share > 0.0:
        return
    g = row(J, LIMITS, GRADIENT)
    f = row(J, LIMITS, FACE_FORCE)
    D = row(J, MORE_VECTORS, ARM_A)
    B = row(J, MORE_VECTORS, ARM_B)
    gA = add(cross(g, D), row(J, LIMITS, COUPLE_A))
    gB = add(cross(g, B), row(J, LIMITS, COUPLE_B))
    fA = mul(J[LIMITS, FACE_ENERGY], gA)
    fB = mul(J[LIMITS, FACE_ENERGY], gB)
    curve = K * J[LIMITS, CURVE]
    for i in range(12):
        gi = _entry(i, g, gA, gB)
        wi = (J[wrench, i] - _entry(i, f, fA, fB)) / share
        for j in range(12):
            wj = (J[wrench, j] - _entry(j, f, fA, fB)) / share
            gj = _entry(j, g, gA, gB)
            J[i, j] += K * (wi * gj + gi * wj) + curve * gi * gj


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


@block
def far_apart(p: A1, P: A2) -> F8:
    """By how much spheres about both wheels are apart: they do not touch then, whatever their axes do. 0 if they may."""
    a = add(row(P, 0, 0), mv(rotation(P, 0), vec(p, POINT_A)))
    b = add(row(P, 1, 0), mv(rotation(P, 1), vec(p, POINT_B)))
    d = sub(a, b)
    return max(0.0, math.sqrt(dot(d, d)) - p[REACH]) if int(p[ENDS]) == CONTACT_ENDS else 0.0


def encode_limits(
    *,
    ends: int,
    depth: float = FAR,
    pitch: float = 0.0,
    backlash: float = 0.0,
    cos_alpha: float = 1.0,
    line: tuple[tuple[float, float], tuple[float, float], tuple[float, float]] | None = None,
    crossed: tuple[tuple[float, float], tuple[float, float], float] | None = None,
    travel: tuple[float, float, float] | None = None,
    reach: float = FAR,
) -> np.ndarray:
    """Parameters of the limits of a pair [m].

    depth: by how much tips overlap as built; pitch, backlash: along the hoop. line: faces of A and B along the pitch line from
    the pitch point (low, high), and the direction of that line by mu1 and mu2. crossed: the same on each axis mu1 and xi1, and
    over which length contact ends beyond them. travel: lowest, highest, and over which length contact ends beyond. Faces or
    ends that are not given do not end.
    """
    p = np.zeros(LIMITS_SIZE)
    p[[0, 1, FACES - ENDS]] = ends, depth, NO_FACES
    p[SHALLOW - ENDS] = 0.5 * (pitch - backlash) * cos_alpha
    if travel is not None:
        p[[TRAVEL_LOW - ENDS, TRAVEL_HIGH - ENDS, TRAVEL_BEYOND - ENDS]] = travel
    p[REACH - ENDS] = reach
    if line is not None:
        (a0, a1), (b0, b1), direction = line
        width = min(a1 - a0, b1 - b0)
        built = _of_face.py_func(min(b1 - a0, a1 - b0, width) / width)[0]
        p[[FACES - ENDS, ALONG_1 - ENDS, ALONG_2 - ENDS]] = LINE, *direction
        p[[LOW - ENDS, HIGH - ENDS, WIDTH_FULL - ENDS, GAIN - ENDS]] = a0 - b1, a1 - b0, width, 1.0 / built
    if crossed is not None:
        (a0, a1), (b0, b1), beyond = crossed
        p[FACES - ENDS] = CROSSED
        p[[LOW - ENDS, HIGH - ENDS, LOW_B - ENDS, HIGH_B - ENDS, BEYOND - ENDS]] = a0, a1, b0, b1, beyond
    return p
