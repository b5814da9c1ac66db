"""The gap between a point of one flank and the flank of another gear, for surfaces of any shape and axes in any position.

A point of flank A lies in the axes of gear B at the radius r and the height z. The flank of B has a point at the same r
and z: its parameters (u, v) follow by Newton's method with the derivatives of the surface. Turning B until the two meet
takes the angle

    γ = s_B (ϑ_point − ϑ_flank) ,

positive where the flanks are apart (s_B = 1 for left flanks). A rack travels along its y axis: x takes the place of r, and
γ is a length. To first order the gap along the normal is w_B γ with the lever w_B = n · (z_B × r); it is linear in the
rotation of B. The gradient of γ follows from the same projection: a shift d of the point changes γ by s_B n·d / (n · (z_B × r)).

Beyond its edges a surface goes on straight, so that the search converges there too; the place is then outside [0, 1].
"""

import math

import numpy as np

from pitchline.numerics.fields import INTEGER, NUMBER, VECTOR, elsewhere, fields, record_at, record_over
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V2, V3, V4, block, leaf, unlocked_entry
from pitchline.numerics.surface_patch import PatchRecord, patch_terms
from pitchline.numerics.vectors import cross, dot, mtv, mul, mv, sub

from .strips import Position, position_at

__all__ = [
    "SIZE", "SurfaceFlank", "SurfaceMeeting", "along_motion", "exists", "meet", "meeting_over", "meetings", "patch_of",
    "place_and_tangents", "surface_flank_at", "turned_about_z", "unit",
]  # fmt: skip

TWO_PI = 2.0 * math.pi
_BEHIND = 0.1
"""Part of a pitch by which flanks may overlap before the next tooth counts as the one they meet."""
_STEPS = 20
_LARGEST = 0.3
"""Longest step of the search, in parameters."""
_BEYOND = 1.0
"""How far beyond an edge the search may go, in parameters."""
_INNER = 1e-7
"""Where the straight continuation begins, inside the edges: an involute has no tangent at its base circle."""
_EDGE = 1e-6
"""Contact this close to an edge, in parameters, has the normal of the other flank."""

SurfaceFlank = fields(
    "SurfaceFlank",
    side=NUMBER,  # s: 1 left, −1 right
    travels=INTEGER,  # 1: a rack, which travels along y; 0: a gear, which turns about z
    pitch=NUMBER,  # from tooth to tooth [rad], of a rack [m]
    teeth=INTEGER,
    first_tooth=INTEGER,  # number of the first one; gears: 0
    beyond_u=NUMBER,  # how far beyond its edges a flank still counts as met, in parameters
    beyond_v=NUMBER,
    patch_of=elsewhere("teeth", of="integer"),  # addresses of the surface of each tooth, from the first one on
    # where the search begins: parameters (u, v) over r (of a rack x) and z
    seed_rows=INTEGER,
    first_r=NUMBER,  # [m]
    rows_per_metre=NUMBER,
    seed_lines=INTEGER,
    first_z=NUMBER,
    lines_per_metre=NUMBER,
    seed_width=INTEGER,  # 2 · seed_lines
    seeds=elsewhere("seed_rows", "seed_width"),
)
"""The left or right flanks of all teeth of a gear or rack."""

SurfaceMeeting = fields(
    "SurfaceMeeting",
    gap=NUMBER,  # γ [rad], of a rack [m]
    normal_gap=NUMBER,  # w_B γ [m]
    u=NUMBER,  # place on B
    v=NUMBER,
    tooth=INTEGER,  # of B
    inside=NUMBER,  # distance from the nearest edge of B in parameters; negative: B has no flank opposite to the point
    slope_u=NUMBER,  # derivatives of γ by the parameters of A
    slope_v=NUMBER,
    lever_a=NUMBER,  # of the normal about both axes, positive [m]; of a rack: its component along the travel
    lever_b=NUMBER,
    point=VECTOR,  # on A, in the axes in which A turns about z [m]
    normal=VECTOR,  # of the contact, out of A, in the same axes
    normal_a=VECTOR,  # of flank A itself
)
"""Where a point of A meets the flank of B."""

surface_flank_at = record_over(SurfaceFlank)
meeting_over = record_over(SurfaceMeeting)
_patch_at = record_at(PatchRecord)
SIZE = SurfaceMeeting.size


@leaf
def patch_of(s: SurfaceFlank, tooth: I8) -> PatchRecord:
    """Surface of a tooth, which has to exist."""
    k = tooth - s.first_tooth
    if s.travels == 0:
        k = k % s.teeth
    return _patch_at(s.patch_of[k])


@leaf
def exists(s: SurfaceFlank, tooth: I8) -> I8:
    """1 if there is such a tooth."""
    return 1 if s.travels == 0 or 0 <= tooth - s.first_tooth < s.teeth else 0


@block
def place_and_tangents(patch: PatchRecord, u: F8, v: F8) -> M9:
    """p, p_u, p_v; beyond the edges the surface goes on straight."""
    inner_u = min(max(u, _INNER), 1.0 - _INNER)
    inner_v = min(max(v, _INNER), 1.0 - _INNER)
    t = patch_terms(patch, inner_u, inner_v)
    d_u = u - inner_u
    d_v = v - inner_v
    return (
        t[0] + d_u * t[3] + d_v * t[6],
        t[1] + d_u * t[4] + d_v * t[7],
        t[2] + d_u * t[5] + d_v * t[8],
        t[3], t[4], t[5], t[6], t[7], t[8],
    )  # fmt: skip


@leaf
def seed(s: SurfaceFlank, r: F8, z: F8) -> V2:
    """Parameters at which the search of the point at r and z begins."""
    i = min(max(int((r - s.first_r) * s.rows_per_metre + 0.5), 0), s.seed_rows - 1)
    j = min(max(int((z - s.first_z) * s.lines_per_metre + 0.5), 0), s.seed_lines - 1)
    seeds = s.seeds
    return seeds[i, 2 * j], seeds[i, 2 * j + 1]


@block
def point_at(s: SurfaceFlank, patch: PatchRecord, r: F8, z: F8, u: F8, v: F8) -> V4:
    """u, v and the polar angle [rad] (of a rack: y [m]) of the point of a flank at r (of a rack x) and z [m]; and what is left
    of the distance from there [m]. The search begins at u, v."""
    left = np.inf
    angle = 0.0
    for _ in range(_STEPS):
        x, y, height, x_u, y_u, z_u, x_v, y_v, z_v = place_and_tangents(patch, u, v)
        if s.travels == 1:
            angle = y
            f = x - r
            f_u = x_u
            f_v = x_v
        else:
            radius = math.sqrt(x * x + y * y)
            angle = math.atan2(y, x)
            f = radius - r
            f_u = (x * x_u + y * y_u) / radius
            f_v = (x * x_v + y * y_v) / radius
        h = height - z
        left = abs(f) + abs(h)
        determinant = f_u * z_v - f_v * z_u
        if determinant == 0.0:
            return u, v, angle, np.inf
        d_u = -(f * z_v - f_v * h) / determinant
        d_v = -(f_u * h - f * z_u) / determinant
        largest = max(abs(d_u), abs(d_v))
        if largest < 1e-14:
            break
        if largest > _LARGEST:
            d_u *= _LARGEST / largest
            d_v *= _LARGEST / largest
        u = min(max(u + d_u, -_BEYOND), 1.0 + _BEYOND)
        v = min(max(v + d_v, -_BEYOND), 1.0 + _BEYOND)
        if largest < 1e-6:  # the step converges quadratically: the angle is corrected by its slope
            if s.travels == 1:
                angle += y_u * d_u + y_v * d_v
            else:
                square = x * x + y * y
                angle += ((x * y_u - y * x_u) * d_u + (x * y_v - y * x_v) * d_v) / square
            left = 0.0
            break
    return u, v, angle, left


@leaf
def turned_about_z(p: V3, cosine: F8, sine: F8) -> V3:
    return cosine * p[0] - sine * p[1], sine * p[0] + cosine * p[1], p[2]


@leaf
def unit(a: V3) -> V3:
    return mul(1.0 / math.sqrt(dot(a, a)), a)


@leaf
def along_motion(travels: I8, p: V3) -> V3:
    """Velocity of a point of a gear that turns about z with 1 rad/s, or of a rack that travels along y with 1 m/s."""
    if travels == 1:
        return 0.0, 1.0, 0.0
    return -p[1], p[0], 0.0


@leaf
def edge_distance(u: F8, v: F8) -> F8:
    """Distance from the nearest edge in parameters, negative outside."""
    return min(min(u, 1.0 - u), min(v, 1.0 - v))


@block
def meet(a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, u: F8, v: F8, out: SurfaceMeeting) -> None:
    """Where the point (u, v) of a tooth of A meets the flank of B."""
    own = patch_of(a, tooth)
    x, y, z, x_u, y_u, z_u, x_v, y_v, z_v = place_and_tangents(own, u, v)
    p, p_u, p_v = (x, y, z), (x_u, y_u, z_u), (x_v, y_v, z_v)
    if a.travels == 1:
        p = (x, y + at.angle_a + a.pitch * tooth, z)
    else:
        turn = at.angle_a + a.pitch * tooth
        cosine, sine = math.cos(turn), math.sin(turn)
        p = turned_about_z(p, cosine, sine)
        p_u = turned_about_z(p_u, cosine, sine)
        p_v = turned_about_z(p_v, cosine, sine)
    q = mtv(at.R, sub(p, at.x))
    # the foot on B, on the surface that its teeth share, then on that of the tooth itself
    r = q[0]
    polar = q[1]
    if b.travels == 0:
        r = math.sqrt(q[0] * q[0] + q[1] * q[1])
        polar = math.atan2(q[1], q[0])
    u_b, v_b = seed(b, r, q[2])
    common = patch_of(b, b.first_tooth)
    u_b, v_b, angle, left = point_at(b, common, r, q[2], u_b, v_b)
    behind = polar - angle - at.angle_b
    if b.travels == 0:
        behind -= TWO_PI * np.rint(behind / TWO_PI)
    number = math.floor(b.side * behind / b.pitch + _BEHIND)
    tooth_b = np.int64(b.side * number)
    if b.travels == 0:
        tooth_b = tooth_b % b.teeth
    here = exists(b, tooth_b)
    k = tooth_b - b.first_tooth
    if here == 1 and b.patch_of[k] != b.patch_of[0]:
        common = patch_of(b, tooth_b)
        u_b, v_b, other, left = point_at(b, common, r, q[2], u_b, v_b)
        behind += angle - other
    gap = b.side * behind - number * b.pitch
    inside = min(
        min(u_b, 1.0 - u_b) + b.beyond_u,
        min(v_b, 1.0 - v_b) + b.beyond_v,
    )
    if here == 0 or left > 1e-9:
        inside = min(inside, -1.0)
    # normals: of flank B where it faces the point, turned into the axes of B as the point lies there
    x, y, z, x_u, y_u, z_u, x_v, y_v, z_v = place_and_tangents(common, u_b, v_b)
    n_b = mul(common.facing, unit(cross((x_u, y_u, z_u), (x_v, y_v, z_v))))
    if b.travels == 0:
        foot = 1.0 / (r * math.sqrt(x * x + y * y))
        n_b = turned_about_z(n_b, (x * q[0] + y * q[1]) * foot, (x * q[1] - y * q[0]) * foot)
    motion_b = along_motion(b.travels, q)
    lever_b = max(abs(dot(n_b, motion_b)), 1e-300)
    out.slope_u = dot(n_b, mtv(at.R, p_u)) / lever_b
    out.slope_v = dot(n_b, mtv(at.R, p_v)) / lever_b
    motion_a = along_motion(a.travels, p)
    normal_a = mul(own.facing, unit(cross(p_u, p_v)))
    normal = mul(-1.0, mv(at.R, n_b))
    if edge_distance(u_b, v_b) < _EDGE and edge_distance(u, v) >= _EDGE:
        normal = normal_a  # an edge of B on the flank of A
        lever_b = abs(dot(mtv(at.R, normal), motion_b))
    out.gap = gap
    out.normal_gap = gap * lever_b
    out.u = u_b
    out.v = v_b
    out.tooth = tooth_b
    out.inside = inside
    out.lever_a = abs(dot(normal, motion_a))
    out.lever_b = lever_b
    out.point = p
    out.normal = normal
    out.normal_a = normal_a


@unlocked_entry
def meetings(a: A1, b: A1, position: A1, places: A2, out: A2) -> None:
    """`meet` for many points: rows of angle of A, angle of B, tooth, u, v."""
    s_a, s_b, at = surface_flank_at(a, 0), surface_flank_at(b, 0), position_at(position, 0)
    for i in range(places.shape[0]):
        at.angle_a = places[i, 0]
        at.angle_b = places[i, 1]
        meet(s_a, s_b, at, np.int64(places[i, 2]), places[i, 3], places[i, 4], meeting_over(out, i * SIZE))
