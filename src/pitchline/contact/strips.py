"""Where two flanks may touch: a strip of cells about the place of least gap, in each slice of the face, compiled.

The face of gear A is cut into slices at the face lines of its hats. In a slice the gap is a function of the arc s =
L²/(2 r_b) of the profile; both flanks end, at form line or tip edge, and the strip ends with them: where a tip edge
penetrates outside the path of contact, the last cell of the strip is at that edge. The height of a cell is a fraction of
Hertz's half width b for a mean line load F' and the curvatures met there, so that every contact is resolved alike.
"""

import math

import numpy as np

from ..math.compiled import A1, F8, I8, V4, block, unlocked_entry
from ..math.fields import INTEGER, NUMBER, elsewhere, fields, record_over, table
from .flank_gap import FlankSurface, Position, flank_limits, gap_and_place, position_at, surface_at

__all__ = ["Cell", "Strip", "StripSearchRecord", "find_strips"]

_SAMPLES = 16
_SECTIONS = 12
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
_SEARCH = 24
_MARGIN = 1e-4
"""The gap at an edge may be less than that of the next sample by no more than this [m]."""

Strip = fields(
    "Strip",
    slot=INTEGER,  # of its tooth, among the teeth that may touch
    slice=INTEGER,  # of the face of A
    tooth_a=INTEGER,
    tooth_b=INTEGER,
    first_cell=INTEGER,
    at_low=INTEGER,  # 1: it ends at the least L_A of the slice
    at_high=INTEGER,  # 1: it ends at the greatest one
    height=NUMBER,  # of its cells [m]
    half_width=NUMBER,  # b [m]
    gap=NUMBER,  # the least one [m]
    length=NUMBER,  # L_A there [m]
)

Cell = fields("Cell", slot=INTEGER, length_a=NUMBER, face_a=NUMBER, length_b=NUMBER, face_b=NUMBER, gap=NUMBER)
"""Its tooth among those that may touch; L and ζ on both flanks, and the gap before load [m]."""

StripSearchRecord = fields(
    "Search",
    line_load=NUMBER,  # F' [N/m] and
    modulus=NUMBER,  # E* [Pa], from which Hertz's half width b follows
    resolution=NUMBER,  # cells are b/resolution high,
    count=INTEGER,  # so many in a strip
    reach=NUMBER,  # strips whose least gap [m] is greater are left out
    slots=INTEGER,
    teeth=elsewhere("slots", of="integer"),  # numbers of the teeth of A that may touch
    slices=INTEGER,
    zeta=elsewhere("slices"),  # of the slices of the face of A [m]
    stretch=elsewhere("slots", "slices"),  # by which cells are higher: raised where a contact fills its strip
    quarters=INTEGER,  # 4 · slices
    nearest=elsewhere("slots", "quarters"),  # the four numbers that `nearest` found for each slice in this position
    known=NUMBER,  # and up to which reach that holds [m]: −inf where nothing is known
    # what is found
    strips=table(Strip),
    cells=table(Cell),
    found_strips=INTEGER,
    found_cells=INTEGER,
    least=NUMBER,  # gap [m], infinite where B has no flank opposite to A
)

_search_at = record_over(StripSearchRecord)


@block
def _edge(
    a: FlankSurface, b: FlankSurface, at: Position, tooth: I8, face: F8, inside: F8, outside: F8, wanted: F8
) -> F8:  # fmt: skip
    """L_A between a point inside flank B and one outside of it where L_B has the requested value, by the Illinois method."""
    _, length_b, _, _ = gap_and_place(a, b, at, tooth, inside, face)
    f_in = length_b - wanted
    _, length_b, _, _ = gap_and_place(a, b, at, tooth, outside, face)
    f_out = length_b - wanted
    for _ in range(_SEARCH):
        middle = inside + (outside - inside) * f_in / (f_in - f_out)
        if abs(outside - inside) < 1e-10:
            break
        _, length_b, _, _ = gap_and_place(a, b, at, tooth, middle, face)
        f = length_b - wanted
        if abs(f) < 1e-10:
            return middle
        if f * f_out > 0.0:
            outside = middle
            f_out = f
            f_in *= 0.5
        else:
            inside = middle
            f_in = f
            f_out *= 0.5
    return inside


@block
def nearest(a: FlankSurface, b: FlankSurface, at: Position, tooth: I8, face: F8, reach: F8) -> V4:
    """Least and greatest L_A of a slice opposite to which B has a flank, L_A of the least gap between them, that gap.

    From samples, then edges by the Illinois method and the least gap by golden section; only roughly where the gap is
    greater than reach, infinite where B has no flank.
    """
    low, high = flank_limits(a, face)
    step = (high - low) / (_SAMPLES - 1)
    first = -1
    last = -1
    best = np.inf
    where = low
    for k in range(_SAMPLES):
        length = low + k * step
        gap, length_b, face_b, _ = gap_and_place(a, b, at, tooth, length, face)
        low_b, high_b = flank_limits(b, face_b)
        if low_b <= length_b <= high_b and abs(face_b) <= b.half_face:
            if first < 0:
                first = k
            last = k
            if gap < best:
                best = gap
                where = length
    if first < 0 or best > reach + _MARGIN:
        return low, high, where, best
    begin = low + first * step
    end = low + last * step
    for which in range(2):
        outside = begin - step
        inside = begin
        if which == 1:
            outside = end + step
            inside = end
        if outside < low - 1e-9 * step or outside > high + 1e-9 * step:
            continue
        gap, length_b, face_b, _ = gap_and_place(a, b, at, tooth, outside, face)
        if abs(face_b) > b.half_face:
            continue
        low_b, high_b = flank_limits(b, face_b)
        wanted = low_b
        if length_b > high_b:
            wanted = high_b
        edge = _edge(a, b, at, tooth, face, inside, outside, wanted)
        if which == 0:
            begin = edge
        else:
            end = edge
        gap, _, _, _ = gap_and_place(a, b, at, tooth, edge, face)
        if gap < best:
            best = gap
            where = edge
    left = max(where - step, begin)
    right = min(where + step, end)
    c = right - _GOLDEN * (right - left)
    d = left + _GOLDEN * (right - left)
    g_c, _, _, _ = gap_and_place(a, b, at, tooth, c, face)
    g_d, _, _, _ = gap_and_place(a, b, at, tooth, d, face)
    for _ in range(_SECTIONS):
        below = g_c <= g_d
        if below:
            right = d
            d = c
            g_d = g_c
            c = right - _GOLDEN * (right - left)
            length = c
        else:
            left = c
            c = d
            g_c = g_d
            d = left + _GOLDEN * (right - left)
            length = d
        gap, _, _, _ = gap_and_place(a, b, at, tooth, length, face)
        if below:
            g_c = gap
        else:
            g_d = gap
        if gap < best:
            best = gap
            where = length
    return begin, end, where, best


@block
def _lay_out(
    a: FlankSurface, b: FlankSurface, at: Position, search: StripSearchRecord, strip: Strip, face: F8, low: F8, high: F8
) -> None:  # fmt: skip
    """Cells of a strip about the place of least gap, between the ends L_A of its slice."""
    count = search.count
    where = strip.length
    _, length_b, _, tooth_b = gap_and_place(a, b, at, strip.tooth_a, where, face)
    # Hertz's half width from the curvatures σ cos β_b / L of both flanks
    r_b = a.base_radius
    floor = 0.02 * r_b  # towards the base circle the curvature has no bound
    curvature = a.sense * a.cos_beta / max(where, floor) + b.sense * b.cos_beta / max(length_b, floor)
    half = math.sqrt(4.0 * search.line_load / (math.pi * search.modulus * max(curvature, 1e-3)))
    height = search.stretch[strip.slot, strip.slice] * half / search.resolution
    s_low = 0.5 * low * low / r_b
    s_high = 0.5 * high * high / r_b
    height = min(height, (s_high - s_low) / count)
    s = 0.5 * where * where / r_b - 0.5 * count * height
    strip.at_low = 0
    strip.at_high = 0
    if s + count * height >= s_high:
        s = s_high - count * height
        strip.at_high = 1
    if s <= s_low:
        s = s_low
        strip.at_low = 1
    strip.height = height
    strip.half_width = half
    strip.tooth_b = np.int64(tooth_b)
    for i in range(count):
        cell = search.cells[strip.first_cell + i]
        length = math.sqrt(2.0 * r_b * (s + (i + 0.5) * height))
        gap, length_b, face_b, _ = gap_and_place(a, b, at, strip.tooth_a, length, face)
        cell.slot = strip.slot
        cell.length_a = length
        cell.face_a = face
        cell.length_b = length_b
        cell.face_b = face_b
        cell.gap = gap


@unlocked_entry
def find_strips(a: A1, b: A1, position: A1, search: A1) -> None:
    """Strips and cells of all slices whose least gap is within reach.

    Results for a larger reach in the same position are used again: only the cells are placed again.
    a, b: `FlankSurface` of both gears; position: `Position`; search: `Search`, in which the answer is written.
    """
    s_a, s_b, at, s = surface_at(a, 0), surface_at(b, 0), position_at(position, 0), _search_at(search, 0)
    n_strips = 0
    n_cells = 0
    least = np.inf
    fresh = not s.reach <= s.known
    found = s.nearest
    if fresh:
        s.known = s.reach
    for t in range(s.slots):
        tooth = s.teeth[t]
        for j in range(s.slices):
            face = s.zeta[j]
            if fresh:
                low, high, where, gap = nearest(s_a, s_b, at, tooth, face, s.reach)
                found[t, 4 * j] = low
                found[t, 4 * j + 1] = high
                found[t, 4 * j + 2] = where
                found[t, 4 * j + 3] = gap
            low = found[t, 4 * j]
            high = found[t, 4 * j + 1]
            where = found[t, 4 * j + 2]
            gap = found[t, 4 * j + 3]
            least = min(least, gap)
            if gap > s.reach:
                continue
            strip = s.strips[n_strips]
            strip.slot = t
            strip.slice = j
            strip.tooth_a = tooth
            strip.first_cell = n_cells
            strip.gap = gap
            strip.length = where
            _lay_out(s_a, s_b, at, s, strip, face, low, high)
            n_strips += 1
            n_cells += s.count
    s.found_strips = n_strips
    s.found_cells = n_cells
    s.least = least
