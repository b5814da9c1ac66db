"""Distance along the normal and relative curvature of two flanks of any shape, compiled.

The foot of a point on flank B is where the distance is perpendicular to the surface, (p − q)·p_u = (p − q)·p_v = 0: Newton's
method with second derivatives. Near a contact two surfaces are apart by

    g(x) = g_0 + ½ xᵀ (K_A + K_B) x ,

x in the common tangent plane, K the curvature of each flank there (positive: convex). The eigenvalues of the sum are the
relative principal curvatures; the least one is zero where flanks touch along a line.
"""

import math

import numpy as np

from ..math.compiled import A1, A2, F8, V2, V3, V4, block, leaf, unlocked_entry
from ..math.surface_patch import PatchRecord, patch_terms
from ..math.vectors import add, cross, dot, mtv, mul, sub
from .flank_gap import position_at
from .surface_gap import (
    SIZE,
    exists,
    meet,
    meeting_over,
    patch_of,
    place_and_tangents,
    surface_flank_at,
    turned_about_z,
    unit,
)

__all__ = ["closest", "curvature_in_plane", "normal_gaps", "relative_curvatures"]

_STEPS = 30
_LONGEST = 0.25


@block
def closest(patch: PatchRecord, q: V3, u: F8, v: F8) -> V3:
    """u and v of the foot of a point q on a patch, and the distance [m] along its normal; the search begins at u, v."""
    for _ in range(_STEPS):
        inner_u = min(max(u, 0.0), 1.0)
        inner_v = min(max(v, 0.0), 1.0)
        x, y, z, x_u, y_u, z_u, x_v, y_v, z_v = place_and_tangents(patch, u, v)
        d = sub((x, y, z), q)
        p_u, p_v = (x_u, y_u, z_u), (x_v, y_v, z_v)
        r_u = dot(d, p_u)
        r_v = dot(d, p_v)
        e = dot(p_u, p_u)
        f = dot(p_u, p_v)
        g = dot(p_v, p_v)
        a, b, c = e, f, g
        if inner_u == u and inner_v == v:
            t = patch_terms(patch, u, v)
            a += dot(d, (t[9], t[10], t[11]))
            b += dot(d, (t[12], t[13], t[14]))
            c += dot(d, (t[15], t[16], t[17]))
            if not (a > 0.1 * e and a * c - b * b > 0.1 * (e * g - f * f)):
                a, b, c = e, f, g  # farther than the centre of curvature: without the terms of second order
        determinant = a * c - b * b
        if determinant <= 0.0:
            break
        d_u = (b * r_v - c * r_u) / determinant
        d_v = (b * r_u - a * r_v) / determinant
        largest = max(abs(d_u), abs(d_v))
        if largest > _LONGEST:
            d_u *= _LONGEST / largest
            d_v *= _LONGEST / largest
        u = min(max(u + d_u, -1.0), 2.0)
        v = min(max(v + d_v, -1.0), 2.0)
        if largest < 1e-13:
            break
    x, y, z, x_u, y_u, z_u, x_v, y_v, z_v = place_and_tangents(patch, u, v)
    n = mul(patch.facing, unit(cross((x_u, y_u, z_u), (x_v, y_v, z_v))))
    return u, v, dot(sub(q, (x, y, z)), n)


@leaf
def _shares(p_u: V3, p_v: V3, t: V3) -> V2:
    """Components of a tangent vector along p_u and p_v."""
    e, f, g = dot(p_u, p_u), dot(p_u, p_v), dot(p_v, p_v)
    a, b = dot(t, p_u), dot(t, p_v)
    area = max(e * g - f * f, 1e-300)
    return (a * g - b * f) / area, (b * e - a * f) / area


@block
def curvature_in_plane(patch: PatchRecord, u: F8, v: F8, t1: V3, t2: V3) -> V3:
    """K_11, K_12, K_22 [1/m] of a patch in two perpendicular tangent directions, given in its own axes; convex is positive."""
    inner_u = min(max(u, 1e-7), 1.0 - 1e-7)
    inner_v = min(max(v, 0.0), 1.0)
    t = patch_terms(patch, inner_u, inner_v)
    p_u, p_v = (t[3], t[4], t[5]), (t[6], t[7], t[8])
    n = mul(patch.facing, unit(cross(p_u, p_v)))
    l = -dot(n, (t[9], t[10], t[11]))
    m = -dot(n, (t[12], t[13], t[14]))
    k = -dot(n, (t[15], t[16], t[17]))
    a1, b1 = _shares(p_u, p_v, t1)
    a2, b2 = _shares(p_u, p_v, t2)
    return (
        a1 * a1 * l + 2.0 * a1 * b1 * m + b1 * b1 * k,
        a1 * a2 * l + (a1 * b2 + a2 * b1) * m + b1 * b2 * k,
        a2 * a2 * l + 2.0 * a2 * b2 * m + b2 * b2 * k,
    )


@leaf
def _greatest(k11: F8, k12: F8, k22: F8) -> V4:
    """Eigenvalues of a symmetric matrix, the greater first, and the direction of the greater one."""
    mean = 0.5 * (k11 + k22)
    half = 0.5 * (k11 - k22)
    root = math.sqrt(half * half + k12 * k12)
    turn = 0.5 * math.atan2(k12, half)
    return mean + root, mean - root, math.cos(turn), math.sin(turn)


@unlocked_entry
def relative_curvatures(a: A1, b: A1, position: A1, places: A2, results: A2, out: A2) -> None:
    """For many points of A (rows of angle of A, angle of B, tooth, u, v): relative principal curvatures k_1 >= k_2 [1/m] and
    the direction of k_1 in the axes in which A turns, rows of five numbers; out: rows of `SurfaceMeeting`."""
    s_a, s_b, at = surface_flank_at(a, 0), surface_flank_at(b, 0), position_at(position, 0)
    for i in range(places.shape[0]):
        at.angle_a = places[i, 0]
        at.angle_b = places[i, 1]
        tooth = np.int64(places[i, 2])
        u, v = places[i, 3], places[i, 4]
        met = meeting_over(out, i * SIZE)
        meet(s_a, s_b, at, tooth, u, v, met)
        # directions in the common tangent plane, in the axes in which A turns, of tooth 0 of A and of tooth 0 of B
        turn = 0.0 if s_a.travels == 1 else at.angle_a + s_a.pitch * tooth
        cosine, sine = math.cos(turn), math.sin(turn)
        own = patch_of(s_a, tooth)
        _, _, _, _, _, _, x, y, z = place_and_tangents(own, u, v)
        along = turned_about_z((x, y, z), cosine, sine)
        n = met.normal
        t1 = unit(sub(along, mul(dot(along, n), n)))
        t2 = cross(n, t1)
        k = curvature_in_plane(own, u, v, turned_about_z(t1, cosine, -sine), turned_about_z(t2, cosine, -sine))
        k11, k12, k22 = k
        if exists(s_b, met.tooth) == 1:
            turn = 0.0
            if s_b.travels == 0:
                # the flank of B is turned by γ to the point
                turn = at.angle_b + s_b.pitch * met.tooth + s_b.side * met.gap
            cosine, sine = math.cos(turn), math.sin(turn)
            b1 = turned_about_z(mtv(at.R, t1), cosine, -sine)
            b2 = turned_about_z(mtv(at.R, t2), cosine, -sine)
            o11, o12, o22 = curvature_in_plane(patch_of(s_b, met.tooth), met.u, met.v, b1, b2)
            k11 += o11
            k12 += o12
            k22 += o22
        k1, k2, c, s = _greatest(k11, k12, k22)
        direction = add(mul(c, t1), mul(s, t2))
        results[i, 0] = k1
        results[i, 1] = k2
        results[i, 2] = direction[0]
        results[i, 3] = direction[1]
        results[i, 4] = direction[2]


@unlocked_entry
def normal_gaps(a: A1, b: A1, position: A1, places: A2, results: A2, out: A2) -> None:
    """For many points of A (as above): their distance from flank B along its normal [m], u and v of the foot, and the distance
    of the foot from the nearest edge of B (negative: outside). out: rows of `SurfaceMeeting`."""
    s_a, s_b, at = surface_flank_at(a, 0), surface_flank_at(b, 0), position_at(position, 0)
    for i in range(places.shape[0]):
        at.angle_a = places[i, 0]
        at.angle_b = places[i, 1]
        met = meeting_over(out, i * SIZE)
        meet(s_a, s_b, at, np.int64(places[i, 2]), places[i, 3], places[i, 4], met)
        if exists(s_b, met.tooth) == 0:
            results[i, 0] = np.inf
            results[i, 3] = -1.0
            continue
        q = mtv(at.R, sub(met.point, at.x))
        if s_b.travels == 1:
            q = (q[0], q[1] - at.angle_b - s_b.pitch * met.tooth, q[2])
        else:
            turn = at.angle_b + s_b.pitch * met.tooth
            q = turned_about_z(q, math.cos(turn), -math.sin(turn))
        u, v, distance = closest(patch_of(s_b, met.tooth), q, met.u, met.v)
        results[i, 0] = distance
        results[i, 1] = u
        results[i, 2] = v
        results[i, 3] = min(min(u, 1.0 - u) + s_b.beyond_u, min(v, 1.0 - v) + s_b.beyond_v)
