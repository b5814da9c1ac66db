"""Distance along the normal and relative curvature of two flanks of any shape, compiled.

The foot of a point on flank B is where the distance is perpendicular to the surface, (p − q)·p_u = (p − q)·p_v = 0: Newton's
method with second derivatives. Near a contact two surfaces are apart by

    g(x) = g_0 + ½ xᵀ (K_A + K_B) x ,

x in the common tangent plane, K the curvature of each flank there (positive: convex). The eigenvalues of the sum are the
relative principal curvatures; the least one is zero where flanks touch along a line.
"""

import math

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.numerics.machine_code.compiled import A1, A2, A3, F8, I8, V2, V3, V4, block, leaf, unlocked_entry
from pitchline.numerics.surface_patch import PatchRecord, patch_terms
from pitchline.numerics.vectors import add, cross, dot, mtv, mul, sub

from .compliance import along
from .strips import position_at
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

__all__ = ["closest", "curvature_in_plane", "normal_gaps", "relative_curvatures", "surface_half_space"]


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


# ---- surface half space

# The half-space under bilinear hats on a flank of any shape: the local part of what finite elements answer for them,
# compiled.
#
# Hats are bilinear between the points of a grid, whose cells may be of different size and oblique: those of a bevel
# tooth become smaller towards the apex, those of a helical one are parallelograms. Between two cells of the grid the
# integral of hat · hat / ρ is taken by Gauss's rule if they are apart. Close ones are cut into parts, between which
# Love's integral is used as if they were rectangles.

_ACROSS, _ALONG = 6, 4
"""Parts of a cell of the grid."""
_CLOSE, _NEAR = 2, 2.5
"""Cells of the grid that are not further apart are cut into parts; and along only, up to this many lengths."""
_GAUSS = 0.5 / math.sqrt(3.0)
_APART = 3.0
"""Parts that are further apart than this many of their sizes act as points."""


@leaf
def _rectangles(x: F8, y: F8, h: F8, w: F8) -> F8:
    """Mean of 1/ρ between two rectangles h × w that are (x, y) apart."""
    return (along(x - h, y, w) - 2.0 * along(x, y, w) + along(x + h, y, w)) / (h * h * w * w)


@leaf
def _corner(points: A3, i: I8, j: I8) -> V3:
    return points[i, j, 0], points[i, j, 1], points[i, j, 2]


@block
def _part(points: A3, i: I8, j: I8, s: F8, t: F8, out: A1) -> None:
    """Point of cell (i, j) at its fractions s and t; size across and along [m], unit vectors along and across."""
    a, b = _corner(points, i, j), _corner(points, i, j + 1)
    c, d = _corner(points, i + 1, j), _corner(points, i + 1, j + 1)
    for k in range(3):
        out[k] = (1.0 - s) * ((1.0 - t) * a[k] + t * b[k]) + s * ((1.0 - t) * c[k] + t * d[k])
        out[3 + k] = (1.0 - s) * (b[k] - a[k]) + s * (d[k] - c[k])
        out[6 + k] = (1.0 - t) * (c[k] - a[k]) + t * (d[k] - b[k])
    long = math.sqrt(out[3] * out[3] + out[4] * out[4] + out[5] * out[5])
    along = (out[3] * out[6] + out[4] * out[7] + out[5] * out[8]) / (long * long)
    for k in range(3):
        out[6 + k] -= along * out[3 + k]
    wide = math.sqrt(out[6] * out[6] + out[7] * out[7] + out[8] * out[8])
    for k in range(3):
        out[3 + k] /= long
        out[6 + k] /= wide
    out[9] = long
    out[10] = wide


@block
def _between(p: A1, q: A1, across: F8, along: F8) -> F8:
    """Mean of 1/ρ between two parts of cells: 1/across and 1/along of them."""
    away: V3 = sub((p[0], p[1], p[2]), (q[0], q[1], q[2]))
    rho = math.sqrt(dot(away, away))
    w = 0.5 * (p[9] + q[9]) / along
    h = 0.5 * (p[10] + q[10]) / across
    if rho > _APART * max(w, h):
        return 1.0 / rho
    y = dot(away, (p[3], p[4], p[5]))
    x = dot(away, (p[6], p[7], p[8]))
    return _rectangles(x, y, h, w)


@block
def _add(F: A2, lines: I8, i: I8, j: I8, s: F8, t: F8, k: I8, m: I8, a: F8, b: F8, value: F8) -> None:
    """Adds value times the hats at (s, t) of cell (i, j) and at (a, b) of cell (k, m)."""
    for e in range(2):
        for f in range(2):
            first = value * (s if e == 1 else 1.0 - s) * (t if f == 1 else 1.0 - t)
            g = (i + e) * lines + j + f
            for c in range(2):
                for d in range(2):
                    h = (k + c) * lines + m + d
                    F[g, h] += first * (a if c == 1 else 1.0 - a) * (b if d == 1 else 1.0 - b)


@leaf
def _node(n: I8, parts: I8) -> F8:
    """Two nodes of Gauss's rule, or the middles of parts."""
    if parts == 2:
        return 0.5 + (_GAUSS if n == 1 else -_GAUSS)
    return (n + 0.5) / parts


@unlocked_entry
def _fill(points: A3, p: A1, q: A1, areas: A1, F: A2) -> None:
    """F: ∫∫ hat_g hat_h / ρ over pairs of cells, each pair once; areas: ∫ hat."""
    rows, lines = points.shape[0], points.shape[1]
    cells = (rows - 1) * (lines - 1)
    for c in range(cells):
        i = c // (lines - 1)
        j = c % (lines - 1)
        for n in range(4):
            s = 0.5 + (_GAUSS if n // 2 == 1 else -_GAUSS)
            t = 0.5 + (_GAUSS if n % 2 == 1 else -_GAUSS)
            _part(points, i, j, s, t, p)
            area = 0.25 * p[9] * p[10]
            for e in range(2):
                for f in range(2):
                    areas[(i + e) * lines + j + f] += area * (s if e == 1 else 1.0 - s) * (t if f == 1 else 1.0 - t)
        for d in range(c + 1):
            k = d // (lines - 1)
            m = d % (lines - 1)
            twice = 0.5 if d == c else 1.0
            if abs(i - k) <= _CLOSE and abs(j - m) <= _CLOSE:
                for n in range(_ACROSS * _ALONG):
                    s = (n // _ALONG + 0.5) / _ACROSS
                    t = (n % _ALONG + 0.5) / _ALONG
                    _part(points, i, j, s, t, p)
                    size = p[9] * p[10] / (_ACROSS * _ALONG)
                    for o in range(_ACROSS * _ALONG):
                        a = (o // _ALONG + 0.5) / _ACROSS
                        b = (o % _ALONG + 0.5) / _ALONG
                        _part(points, k, m, a, b, q)
                        value = _between(p, q, float(_ACROSS), float(_ALONG))
                        value *= twice * size * q[9] * q[10] / (_ACROSS * _ALONG)
                        _add(F, lines, i, j, s, t, k, m, a, b, value)
                continue
            _part(points, i, j, 0.5, 0.5, p)
            _part(points, k, m, 0.5, 0.5, q)
            away: V3 = sub((p[0], p[1], p[2]), (q[0], q[1], q[2]))
            parts = 2
            if math.sqrt(dot(away, away)) < _NEAR * max(p[9], q[9], p[10], q[10]):
                parts = _ALONG
            weight = 0.25 / parts**2
            for n in range(2 * parts):
                s = 0.5 + (_GAUSS if n // parts == 1 else -_GAUSS)
                t = _node(n % parts, parts)
                _part(points, i, j, s, t, p)
                for o in range(2 * parts):
                    a = 0.5 + (_GAUSS if o // parts == 1 else -_GAUSS)
                    b = _node(o % parts, parts)
                    _part(points, k, m, a, b, q)
                    away = sub((p[0], p[1], p[2]), (q[0], q[1], q[2]))
                    value = weight * p[9] * p[10] * q[9] * q[10] / math.sqrt(dot(away, away))
                    _add(F, lines, i, j, s, t, k, m, a, b, value)


def surface_half_space(points: FloatArray, *, scale: float) -> FloatArray:
    """Mean sinking of hats per unit force on hats [m/N], (rows · lines)², hat g = i · lines + j.

    points: (rows, lines, 3) at which the hats are 1 [m]; scale: (1 − ν²)/(π E) [1/Pa].
    """
    rows, lines = points.shape[:2]
    F, areas = np.zeros((rows * lines, rows * lines)), np.zeros(rows * lines)
    _fill(np.ascontiguousarray(points, dtype=np.float64), np.empty(11), np.empty(11), areas, F)
    return np.asarray(scale * (F + F.T) / np.multiply.outer(areas, areas))
