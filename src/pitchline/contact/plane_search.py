"""Points of flank A over a plane, and the least gap along lines of this plane, compiled.

A line y = const of the plane (`contact_line`) is sampled from one x to another. The ends of the part in which both flanks exist
are found by halving, and the least gap between them by golden section from the best sample.
"""

import math

import numpy as np

from pitchline.numerics.fields import INTEGER, NUMBER, VECTOR, fields, record_over
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V2, V3, block, unlocked_entry
from pitchline.numerics.vectors import dot, sub

from .strips import Position, position_at
from .surface_gap import (
    SIZE,
    SurfaceFlank,
    SurfaceMeeting,
    meet,
    meeting_over,
    patch_of,
    place_and_tangents,
    surface_flank_at,
)

__all__ = ["PlaneRecord", "meet_on_plane", "search_lines"]

_STEPS = 20
_OUTSIDE = 0.15
_HALVINGS = 14
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
_SECTIONS = 14
_SLACK = -1e-9

PlaneRecord = fields(
    "ContactPlane",
    u=NUMBER,
    v=NUMBER,
    step_v=NUMBER,  # longest step of the search along v, in parameters: short on long threads
    tooth_b=INTEGER,
    origin=VECTOR,
    across=VECTOR,
    along=VECTOR,
)
"""Point of tooth 0 of A at which the plane touches, and its axes, in the axes of the gear; the tooth of B opposite to it."""

_plane_at = record_over(PlaneRecord)


@block
def _place(a: SurfaceFlank, tooth: I8, plane: PlaneRecord, x: F8, y: F8, u: F8, v: F8) -> V2:
    """u and v of the point over (x, y), by Newton's method from (u, v) on; not further than 0.15 beyond the edges."""
    patch = patch_of(a, tooth)
    e_x, e_y, origin = plane.across, plane.along, plane.origin
    for _ in range(_STEPS):
        px, py, pz, ux, uy, uz, vx, vy, vz = place_and_tangents(patch, u, v)
        away: V3 = sub((px, py, pz), origin)
        r_x = x - dot(away, e_x)
        r_y = y - dot(away, e_y)
        p_u, p_v = (ux, uy, uz), (vx, vy, vz)
        k11, k12, k21, k22 = dot(p_u, e_x), dot(p_v, e_x), dot(p_u, e_y), dot(p_v, e_y)
        determinant = k11 * k22 - k12 * k21
        if determinant == 0.0:
            break
        step_u = min(max((k22 * r_x - k12 * r_y) / determinant, -0.3), 0.3)
        step_v = min(max((k11 * r_y - k21 * r_x) / determinant, -plane.step_v), plane.step_v)
        new_u = min(max(u + step_u, -_OUTSIDE), 1.0 + _OUTSIDE)
        new_v = min(max(v + step_v, -_OUTSIDE), 1.0 + _OUTSIDE)
        moved = max(abs(new_u - u), abs(new_v - v))
        u = new_u
        v = new_v
        if moved < 1e-11:
            break
    return u, v


@block
def _over(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, plane: PlaneRecord, x: F8, y: F8, place: A1, out: SurfaceMeeting
) -> F8:  # fmt: skip
    """How far the point over (x, y) is inside both flanks, in parameters, and not opposite to another tooth of B; `place`: u and
    v, first guesses before."""
    u, v = _place(a, tooth, plane, x, y, place[0], place[1])
    place[0] = u
    place[1] = v
    meet(a, b, at, tooth, u, v, out)
    own = min(min(u, 1.0 - u), min(v, 1.0 - v))
    if out.tooth != plane.tooth_b:
        return -1.0
    return min(own, out.inside)


@unlocked_entry
def meet_on_plane(
    a: A1, b: A1, position: A1, plane: A1, tooth: I8, points: A2, places: A2, inside: A1, place: A1, out: A2
) -> None:  # fmt: skip
    """`meet` of the points over (x, y), rows of `points`; places: their (u, v); inside: of both flanks; place: (2,),
    overwritten."""
    s_a, s_b, at, p = surface_flank_at(a, 0), surface_flank_at(b, 0), position_at(position, 0), _plane_at(plane, 0)
    place[0] = p.u
    place[1] = p.v
    for i in range(points.shape[0]):
        inside[i] = _over(s_a, s_b, at, tooth, p, points[i, 0], points[i, 1], place, meeting_over(out, i * SIZE))
        places[i, 0] = place[0]
        places[i, 1] = place[1]


@unlocked_entry
def search_lines(
    a: A1, b: A1, position: A1, plane: A1, tooth: I8, lines: A2, samples: I8, fine: I8, results: A2, place: A1, out: A2
) -> None:  # fmt: skip
    """Lines y = const between two x: rows y, x_1, x_2 of `lines`. Results: x of the least gap, the motion of B at which it touches
    (infinite where one of the flanks does not exist), and the ends x of both flanks, as far as x_1 and x_2. fine: 0 for samples
    only. place: (2,), overwritten."""
    s_a, s_b, at, p = surface_flank_at(a, 0), surface_flank_at(b, 0), position_at(position, 0), _plane_at(plane, 0)
    met = meeting_over(out, 0)
    for i in range(lines.shape[0]):
        y = lines[i, 0]
        start = lines[i, 1]
        step = (lines[i, 2] - start) / (samples - 1)
        # from x = 0 outwards, each search from the place of the last one: a thread comes back to the plane after a turn
        middle_sample = min(max(int(-start / step + 0.5), 0), samples - 1)
        first = -1
        last = -1
        best = np.inf
        where = start
        for n in range(samples):
            k = middle_sample - n
            if k < 0:
                k = n
            if n == 0 or k == middle_sample + 1:
                place[0] = p.u
                place[1] = p.v
            x = start + k * step
            if _over(s_a, s_b, at, tooth, p, x, y, place, met) >= _SLACK:
                if first < 0 or k < first:
                    first = k
                last = max(last, k)
                if met.gap < best:
                    best = met.gap
                    where = x
        results[i, 0] = where
        results[i, 1] = np.inf
        results[i, 2] = start
        results[i, 3] = start
        if first < 0:
            continue
        low = start + first * step
        high = start + last * step
        if fine == 0:
            results[i, 0] = where
            results[i, 1] = best
            results[i, 2] = low
            results[i, 3] = high
            continue
        for end in range(2):
            inner = low if end == 0 else high
            outer = low - step if end == 0 else high + step
            if (end == 0 and first == 0) or (end == 1 and last == samples - 1):
                continue
            for _ in range(_HALVINGS):
                middle = 0.5 * (inner + outer)
                if _over(s_a, s_b, at, tooth, p, middle, y, place, met) >= _SLACK:
                    inner = middle
                    if met.gap < best:
                        best = met.gap
                        where = middle
                else:
                    outer = middle
            if end == 0:
                low = inner
            else:
                high = inner
        left = max(where - step, low)
        right = min(where + step, high)
        c = right - _GOLDEN * (right - left)
        d = left + _GOLDEN * (right - left)
        _over(s_a, s_b, at, tooth, p, c, y, place, met)
        g_c = met.gap
        _over(s_a, s_b, at, tooth, p, d, y, place, met)
        g_d = met.gap
        for _ in range(_SECTIONS):
            if g_c <= g_d:
                if g_c < best:
                    best = g_c
                    where = c
                right = d
                d = c
                g_d = g_c
                c = right - _GOLDEN * (right - left)
                _over(s_a, s_b, at, tooth, p, c, y, place, met)
                g_c = met.gap
            else:
                if g_d < best:
                    best = g_d
                    where = d
                left = c
                c = d
                g_c = g_d
                d = left + _GOLDEN * (right - left)
                _over(s_a, s_b, at, tooth, p, d, y, place, met)
                g_d = met.gap
        results[i, 0] = where
        results[i, 1] = best
        results[i, 2] = low
        results[i, 3] = high
