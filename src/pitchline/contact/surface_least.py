"""Least distance of two flanks of any shape, and their lines of contact.

The least gap between a whole tooth of A and the teeth of B, compiled.

Spheres around parts of the tooth show which lines v = const may be opposite to flanks of B. Between the line with the least
γ and its neighbours the search goes on across lines: at the least γ of a line its change with v is the slope ∂γ/∂v, and the
Illinois method finds where that is zero. Where an edge of B is met, this slope does not apply, and golden section takes its
place. Corners of a flank between two lines are looked for too.
"""

import math

import numpy as np

from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V3, V4, block, leaf, unlocked_entry
from pitchline.numerics.vectors import mtv, sub

from .strips import Position, position_at
from .surface_gap import (
    SIZE,
    SurfaceFlank,
    SurfaceMeeting,
    exists,
    meet,
    meeting_over,
    surface_flank_at,
    turned_about_z,
)

__all__ = ["GOLDEN", "SEARCH", "SECTIONS", "least_of_lines", "least_on_line", "least_of_teeth"]


# ---- surface lines

# The least gap between a line v = const of a tooth of A and the teeth of B, compiled.
#
# Along the line γ is sampled. Where B has no flank opposite to a part of the line, the ends of the rest are found by
# the Illinois method on the distance from the edge of B. Between the samples around each least one the slope of γ,
# which is known exactly, changes its sign where γ is least: the Illinois method again.

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


_NEARLY = 0.2
"""Lines that are farther from the edge of B, in parameters, have no neighbours opposite to B."""
_SLIVER = 16
_FLAT = 1e-13
"""Changes of γ [rad] that do not count."""


@block
def _least_of_tooth(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, lines: A1, found: A2, out: SurfaceMeeting
) -> V3:  # fmt: skip
    """Least γ of a tooth of A over the lines v and between neighbours of them; its u and v.

    lines: increasing; those that are NaN separate parts of the face that are not neighbours. found: work space (lines, 3).
    """
    n = lines.size
    best = np.inf
    best_u = 0.0
    best_v = 0.0
    for j in range(n):
        found[j, 0] = np.inf
        if not math.isnan(lines[j]):
            gap, u, begin, _ = least_on_line(a, b, at, tooth, lines[j], 0.0, 1.0, out)
            found[j, 0] = gap
            found[j, 1] = u
            found[j, 2] = float(out.tooth) if gap < np.inf else begin
            if gap < best:
                best = gap
                best_u = u
                best_v = lines[j]
    for j in range(n):
        here = found[j, 0]
        if here == np.inf:
            if not math.isnan(lines[j]) and found[j, 2] > -_NEARLY and _is_nearest(found, j):
                gap, u, v = _sliver(a, b, at, tooth, lines, j, out)
                if gap < best:
                    best = gap
                    best_u = u
                    best_v = v
            continue
        low = lines[j]
        high = lines[j]
        is_least = True
        if j > 0 and not math.isnan(lines[j - 1]):
            same = found[j - 1, 0] == np.inf or found[j - 1, 2] == found[j, 2]
            if same:
                low = lines[j - 1]
            if same and found[j - 1, 0] < here:
                is_least = False
        if j < n - 1 and not math.isnan(lines[j + 1]):
            same = found[j + 1, 0] == np.inf or found[j + 1, 2] == found[j, 2]
            if same:
                high = lines[j + 1]
            if same and found[j + 1, 0] < here:
                is_least = False
        if not is_least or high <= low:
            continue
        gap, u, v = _across(a, b, at, tooth, low, lines[j], high, here, found[j, 1], out)
        if gap < best:
            best = gap
            best_u = u
            best_v = v
    return best, best_u, best_v


@leaf
def _is_nearest(found: A2, j: I8) -> I8:
    """1 if no line next to a line without a counterpart comes closer to the flank of B, and none is opposite to it."""
    for k in (j - 1, j + 1):
        if 0 <= k < found.shape[0] and (found[k, 0] < np.inf or found[k, 2] > found[j, 2]):
            return 0
    return 1


@block
def _sliver(a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, lines: A1, j: I8, out: SurfaceMeeting) -> V3:
    """Least γ where only a part of the flank between lines, a corner, is opposite to B; infinite if there is none."""
    low = lines[j]
    high = lines[j]
    if j > 0 and not math.isnan(lines[j - 1]):
        low = lines[j - 1]
    if j < lines.size - 1 and not math.isnan(lines[j + 1]):
        high = lines[j + 1]
    c = high - GOLDEN * (high - low)
    d = low + GOLDEN * (high - low)
    g_c, u_c, f_c, _ = least_on_line(a, b, at, tooth, c, 0.0, 1.0, out)
    g_d, u_d, f_d, _ = least_on_line(a, b, at, tooth, d, 0.0, 1.0, out)
    for _ in range(_SLIVER):
        if g_c < np.inf or g_d < np.inf:
            break
        if f_c > f_d:
            high = d
            d = c
            u_d = u_c
            f_d = f_c
            c = high - GOLDEN * (high - low)
            g_c, u_c, f_c, _ = least_on_line(a, b, at, tooth, c, 0.0, 1.0, out)
        else:
            low = c
            c = d
            u_c = u_d
            f_c = f_d
            d = low + GOLDEN * (high - low)
            g_d, u_d, f_d, _ = least_on_line(a, b, at, tooth, d, 0.0, 1.0, out)
    if g_c == np.inf and g_d == np.inf:
        return np.inf, 0.0, 0.0
    v = c if g_c <= g_d else d
    return _across(a, b, at, tooth, low, v, high, min(g_c, g_d), u_c if g_c <= g_d else u_d, out)


@block
def _slope_across(a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, v: F8, out: SurfaceMeeting) -> V4:
    """Least γ of a line, its u, its slope over v, and 1 where the slope is that of the least γ: not on an edge of B."""
    gap, u, begin, end = least_on_line(a, b, at, tooth, v, 0.0, 1.0, out)
    if gap == np.inf:
        return gap, u, 0.0, 0.0
    on_edge = (u <= begin and begin > 0.0) or (u >= end and end < 1.0)
    return gap, u, out.slope_v, 0.0 if on_edge else 1.0


@block
def _across(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, low: F8, middle: F8, high: F8, gap: F8, u: F8,
    out: SurfaceMeeting,
) -> V3:  # fmt: skip
    """Least γ between lines around the least one of them; its u and v."""
    best = gap
    best_u = u
    best_v = middle
    g, u, d_low, known_low = _slope_across(a, b, at, tooth, low, out)
    if g < best:
        best, best_u, best_v = g, u, low
    g, u, d_high, known_high = _slope_across(a, b, at, tooth, high, out)
    if g < best:
        best, best_u, best_v = g, u, high
    if low == middle or high == middle:
        # the least one is at an end of the face, unless γ falls from there
        g, u, d, known = _slope_across(a, b, at, tooth, middle, out)
        if known == 1.0 and ((low == middle and d >= 0.0) or (high == middle and d <= 0.0)):
            return best, best_u, best_v
    if known_low + known_high == 2.0 and max(abs(d_low), abs(d_high)) * (high - low) < _FLAT:
        return best, best_u, best_v  # contact along a line
    smooth = known_low == 1.0 and known_high == 1.0 and d_low < 0.0 < d_high
    side = 0
    if smooth:
        for i in range(SEARCH):
            v = 0.5 * (low + high) if i % 5 == 4 else (low * d_high - high * d_low) / (d_high - d_low)
            g, u, d, known = _slope_across(a, b, at, tooth, v, out)
            if known == 0.0:
                smooth = False
                break
            if g < best:
                best, best_u, best_v = g, u, v
            if abs(d) * (high - low) < 1e-17 or high - low < 1e-12:
                break
            if d > 0.0:
                high = v
                d_high = d
                if side == 1:
                    d_low *= 0.5
                side = 1
            else:
                low = v
                d_low = d
                if side == -1:
                    d_high *= 0.5
                side = -1
    if smooth:
        return best, best_u, best_v
    c = high - GOLDEN * (high - low)
    d = low + GOLDEN * (high - low)
    g_c, u, _, _ = _slope_across(a, b, at, tooth, c, out)
    if g_c < best:
        best, best_u, best_v = g_c, u, c
    g_d, u, _, _ = _slope_across(a, b, at, tooth, d, out)
    if g_d < best:
        best, best_u, best_v = g_d, u, d
    for _ in range(SECTIONS):
        left = g_c <= g_d
        if g_c == np.inf and g_d == np.inf:
            left = best_v < 0.5 * (low + high)
        if left:
            high = d
            d = c
            g_d = g_c
            c = high - GOLDEN * (high - low)
            g_c, u, _, _ = _slope_across(a, b, at, tooth, c, out)
            if g_c < best:
                best, best_u, best_v = g_c, u, c
        else:
            low = c
            c = d
            g_c = g_d
            d = low + GOLDEN * (high - low)
            g_d, u, _, _ = _slope_across(a, b, at, tooth, d, out)
            if g_d < best:
                best, best_u, best_v = g_d, u, d
        if high - low < 1e-9:
            break
    return best, best_u, best_v


@block
def _facing_lines(
    a: SurfaceFlank, b: SurfaceFlank, at: Position, tooth: I8, spheres: A2, box: A1, every: A1, lines: A1
) -> I8:  # fmt: skip
    """The lines of a tooth of A in parts of its face that may be opposite to flanks of B; NaN in place of the others.

    spheres: around parts of the flank: centre, radius [m], first and last line. box: least and greatest r (of a rack x) and z
    of flank B. Returns how many.
    """
    for j in range(lines.size):
        lines[j] = np.nan
    count = 0
    if exists(a, tooth) == 0:
        return 0
    turn = at.angle_a + a.pitch * tooth
    cosine, sine = math.cos(turn), math.sin(turn)
    for i in range(spheres.shape[0]):
        p = (spheres[i, 0], spheres[i, 1], spheres[i, 2])
        if a.travels == 1:
            p = (p[0], p[1] + turn, p[2])
        else:
            p = turned_about_z(p, cosine, sine)
        q = mtv(at.R, sub(p, at.x))
        r = q[0] if b.travels == 1 else math.sqrt(q[0] * q[0] + q[1] * q[1])
        about = spheres[i, 3]
        if box[0] - about <= r <= box[1] + about and box[2] - about <= q[2] <= box[3] + about:
            for j in range(int(spheres[i, 4]), int(spheres[i, 5]) + 1):
                if math.isnan(lines[j]):
                    count += 1
                lines[j] = every[j]
    return count


@unlocked_entry
def least_of_teeth(
    a: A1, b: A1, position: A1, places: A2, spheres: A2, box: A1, every: A1, lines: A1, found: A2, results: A2, out: A2
) -> None:  # fmt: skip
    """Least γ of many teeth: rows of angle of A, angle of B, tooth.

    spheres, box, every: see `_facing_lines`; lines, found: work space (n,) and (n, 3) for the n lines of every. results: rows
    of γ, u, v and the number of lines that may face B; out: rows of `SurfaceMeeting`.
    """
    s_a, s_b, at = surface_flank_at(a, 0), surface_flank_at(b, 0), position_at(position, 0)
    for i in range(places.shape[0]):
        at.angle_a = places[i, 0]
        at.angle_b = places[i, 1]
        tooth = np.int64(places[i, 2])
        results[i, 0] = np.inf
        results[i, 3] = float(_facing_lines(s_a, s_b, at, tooth, spheres, box, every, lines))
        if results[i, 3] > 0.0:
            meeting = meeting_over(out, i * SIZE)
            gap, u, v = _least_of_tooth(s_a, s_b, at, tooth, lines, found, meeting)
            results[i, 0] = gap
            results[i, 1] = u
            results[i, 2] = v
            if gap < np.inf:
                meet(s_a, s_b, at, tooth, u, v, meeting)
