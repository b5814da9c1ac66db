"""The least gap between a line v = const of a tooth of A and the teeth of B, compiled.

Along the line γ is sampled. Where B has no flank opposite to a part of the line, the ends of the rest are found by the Illinois
method on the distance from the edge of B. Between the samples around each least one the slope of γ, which is known exactly,
changes its sign where γ is least: the Illinois method again.
"""

import math

import numpy as np

from ..math.compiled import A1, A2, F8, I8, V4, block, unlocked_entry
from .flank_gap import Position, position_at
from .surface_gap import (
    SIZE,
    SurfaceFlank,
    SurfaceMeeting,
    exists,
    meet,
    meeting_over,
    surface_flank_at,
)

__all__ = ["GOLDEN", "SEARCH", "SECTIONS", "least_of_lines", "least_on_line"]

SAMPLES = 17
SEARCH = 60
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
SECTIONS = 40
_TIGHT = 1e-13


@block
def _edge(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, v: F8, low: F8, high: F8, f_low: F8, f_high: F8, out: SurfaceMeeting
) -> F8:  # fmt: skip
    """u between a point inside B and one outside of it, where the line leaves the flank of B; on the inside."""
    inside, outside, f_in, f_out = low, high, f_low, f_high
    for i in range(SEARCH):
        if abs(outside - inside) < _TIGHT:
            break
        if i % 4 == 3:
            middle = 0.5 * (inside + outside)
        else:
            middle = inside + (outside - inside) * f_in / (f_in - f_out)
        meet(a, b, at, tooth, middle, v, out)
        if out.inside >= 0.0:
            inside = middle
            f_in = max(out.inside, 1e-300)
            f_out *= 0.5
            if f_in < 1e-12:
                break
        else:
            outside = middle
            f_out = out.inside
            f_in *= 0.5
    return inside


@block
def _between(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, v: F8, low: F8, high: F8, out: SurfaceMeeting
) -> F8:  # fmt: skip
    """u of the least gap between two points of a line, both inside B; `out` is left there."""
    meet(a, b, at, tooth, low, v, out)
    d_low = out.slope_u
    if d_low >= 0.0 or high - low < _TIGHT:
        return low
    meet(a, b, at, tooth, high, v, out)
    d_high = out.slope_u
    if d_high <= 0.0:
        return high
    middle = 0.5 * (low + high)
    side = 0
    for i in range(SEARCH):
        if i % 5 == 4:
            middle = 0.5 * (low + high)
        else:
            middle = (low * d_high - high * d_low) / (d_high - d_low)
        meet(a, b, at, tooth, middle, v, out)
        d = out.slope_u
        if d == 0.0 or high - low < _TIGHT:
            break
        if abs(d) * (high - low) < 1e-17:
            break  # the gap does not change any more
        if d > 0.0:
            high = middle
            d_high = d
            if side == 1:
                d_low *= 0.5
            side = 1
        else:
            low = middle
            d_low = d
            if side == -1:
                d_high *= 0.5
            side = -1
    return middle


@block
def _thin(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, v: F8, low: F8, high: F8, out: SurfaceMeeting
) -> F8:
    """u between two points outside B that is farthest inside, by golden section; stops where it is inside."""
    c = high - GOLDEN * (high - low)
    d = low + GOLDEN * (high - low)
    meet(a, b, at, tooth, c, v, out)
    f_c = out.inside
    if f_c >= 0.0:
        return c
    meet(a, b, at, tooth, d, v, out)
    f_d = out.inside
    for _ in range(SECTIONS):
        if f_c >= 0.0:
            return c
        if f_d >= 0.0:
            return d
        if f_c > f_d:
            high = d
            d = c
            f_d = f_c
            c = high - GOLDEN * (high - low)
            meet(a, b, at, tooth, c, v, out)
            f_c = out.inside
        else:
            low = c
            c = d
            f_c = f_d
            d = low + GOLDEN * (high - low)
            meet(a, b, at, tooth, d, v, out)
            f_d = out.inside
    return c if f_c > f_d else d


@block
def least_on_line(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, v: F8, low: F8, high: F8, out: SurfaceMeeting
) -> V4:
    """Least γ of a line v = const of A between two u, its u, and the ends u of that part of the line that B faces there.

    `out` is the meeting there. γ is infinite where B has no flank opposite to the line; the third number is then the distance,
    in parameters, of the edge of B from the line, negative.
    """
    step = (high - low) / (SAMPLES - 1)
    gap_before = np.inf  # of the sample before, infinite outside of B
    gap_here = np.inf
    inside_before = -np.inf
    inside_here = -np.inf
    tooth_before = 0
    tooth_here = 0
    best = np.inf
    where = low
    begin = low
    end = high
    widest = -np.inf
    at_widest = 0
    met = False
    for k in range(SAMPLES + 1):
        gap = np.inf
        inside = -np.inf
        tooth_b = 0
        if k < SAMPLES:
            meet(a, b, at, tooth, low + k * step, v, out)
            inside = out.inside
            tooth_b = out.tooth
            if inside >= 0.0:
                gap = out.gap
                met = True
            if inside > widest:
                widest = inside
                at_widest = k
        # sample k − 1 is a least one if its neighbours are not smaller; others belong to another tooth or lie outside of B
        if k > 0 and gap_here < np.inf:
            from_left = tooth_before != tooth_here or gap_before >= gap_here
            from_right = tooth_b != tooth_here or gap >= gap_here
            if from_left and from_right:
                u = low + (k - 1) * step
                left = u
                right = u
                if k > 1:
                    if gap_before < np.inf:
                        left = u - step if tooth_before == tooth_here else u
                    else:
                        left = _edge(a, b, at, tooth, v, u, u - step, inside_here, inside_before, out)
                if k < SAMPLES:
                    if gap < np.inf:
                        right = u + step if tooth_b == tooth_here else u
                    else:
                        right = _edge(a, b, at, tooth, v, u, u + step, inside_here, inside, out)
                found = _between(a, b, at, tooth, v, left, right, out)
                meet(a, b, at, tooth, found, v, out)
                if out.gap < best:
                    best = out.gap
                    where = found
                    begin = left if gap_before == np.inf and k > 1 else low
                    end = right if gap == np.inf and k < SAMPLES else high
        gap_before = gap_here
        inside_before = inside_here
        tooth_before = tooth_here
        gap_here = gap
        inside_here = inside
        tooth_here = tooth_b
    if not met:
        # B may face a part of the line that is shorter than the distance of samples
        left = low + max(at_widest - 1, 0) * step
        right = low + min(at_widest + 1, SAMPLES - 1) * step
        u = _thin(a, b, at, tooth, v, left, right, out)
        meet(a, b, at, tooth, u, v, out)
        if out.inside >= 0.0:
            f = out.inside
            meet(a, b, at, tooth, left, v, out)
            begin = left if out.inside >= 0.0 else _edge(a, b, at, tooth, v, u, left, f, out.inside, out)
            meet(a, b, at, tooth, right, v, out)
            end = right if out.inside >= 0.0 else _edge(a, b, at, tooth, v, u, right, f, out.inside, out)
            where = _between(a, b, at, tooth, v, begin, end, out)
            meet(a, b, at, tooth, where, v, out)
            return out.gap, where, begin, end
        return np.inf, u, min(out.inside, -1e-300), 0.0
    meet(a, b, at, tooth, where, v, out)
    return best, where, begin, end


@unlocked_entry
def least_of_lines(a: A1, b: A1, position: A1, places: A2, results: A2, out: A2) -> None:
    """`least_on_line` for many lines: rows of angle of A, angle of B, tooth, v, least and greatest u.

    results: rows of γ, u, begin and end; out: rows of `SurfaceMeeting`.
    """
    s_a, s_b, at = surface_flank_at(a, 0), surface_flank_at(b, 0), position_at(position, 0)
    for i in range(places.shape[0]):
        at.angle_a = places[i, 0]
        at.angle_b = places[i, 1]
        tooth = np.int64(places[i, 2])
        gap, u, begin, end = np.inf, 0.0, 0.0, 1.0
        if exists(s_a, tooth) == 1:
            gap, u, begin, end = least_on_line(
                s_a, s_b, at, tooth, places[i, 3], places[i, 4], places[i, 5], meeting_over(out, i * SIZE)
            )
        results[i, 0] = gap
        results[i, 1] = u
        results[i, 2] = begin
        results[i, 3] = end
