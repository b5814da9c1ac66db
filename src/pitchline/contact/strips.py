"""Strips and cells of tooth pairs in contact, and the gaps between their flanks.

Where two flanks may touch: a strip of cells about the place of least gap, in each slice of the face, compiled.

The face of gear A is cut into slices at the face lines of its hats. In a slice the gap is a function of the arc s =
L²/(2 r_b) of the profile; both flanks end, at form line or tip edge, and the strip ends with them: where a tip edge
penetrates outside the path of contact, the last cell of the strip is at that edge. The height of a cell is a fraction of
Hertz's half width b for a mean line load F' and the curvatures met there, so that every contact is resolved alike.
"""

import math

import numpy as np

from pitchline.numerics.fields import (
    INTEGER,
    MATRIX,
    NUMBER,
    VECTOR,
    behind,
    elsewhere,
    fields,
    packed,
    record_over,
    table,
)
from pitchline.numerics.machine_code.compiled import A1, F8, I1, I8, V2, V4, block, entry, leaf, unlocked_entry
from pitchline.numerics.vectors import mtv, sub
from pitchline.parts.gears.geometry.placement import Placement

__all__ = [
    "FlankSurface",
    "Position",
    "flank_limits",
    "gap_and_place",
    "gaps",
    "position_at",
    "position_of",
    "surface_at",
    "Cell",
    "Strip",
    "StripSearchRecord",
    "find_strips",
]


# ---- flank gap

# The gap between a point of one flank and the flank of another gear, compiled.
#
# A point of flank A lies in the axes of gear B at the radius r, the polar angle ϑ and the height z. The flank of B
# has a point at the same r and z; turning B until the two meet moves that point along the base tangent, so that the
# gap along the normal is exactly
#
# g = r_b cos β_b (difference of polar angles) − δ_B ,
#
# and the force acts on B with the lever r_b cos β_b, wherever the point is. (Parallel curves of an involute are
# involutes of the same base circle.) The poses are arbitrary, misaligned axes included.

_BEHIND = 0.1
"""Part of a pitch by which flanks may overlap before the next tooth counts as the one they meet."""

FlankSurface = fields(
    "FlankSurface",
    side=NUMBER,  # s: 1 left, −1 right
    sense=NUMBER,  # σ: 1 external, −1 internal
    base_radius=NUMBER,  # r_b [m]
    base_angle=NUMBER,  # η [rad]
    twist=NUMBER,  # κ [rad/m]
    cos_beta=NUMBER,  # of the base helix angle
    sin_beta=NUMBER,
    pitch=NUMBER,  # angular [rad]
    half_face=NUMBER,  # half the face width, and a little more [m]
    # least and greatest L [m] over ζ
    limit_lines=INTEGER,
    first_limit=NUMBER,  # ζ of the first line [m]
    limits_per_metre=NUMBER,
    limits=behind("limit_lines", 2),
    # tables of deviations δ [m] over L and ζ, one for each tooth that differs from others, one below the other
    modified=INTEGER,
    teeth=INTEGER,
    table_of=behind("teeth", of="integer"),
    lengths=INTEGER,
    first_length=NUMBER,  # [m]
    lengths_per_metre=NUMBER,
    faces=INTEGER,
    first_face=NUMBER,  # [m]
    faces_per_metre=NUMBER,
    rows=INTEGER,
    deviations=behind("rows", "faces"),
)
"""An involute flank with its microgeometry."""

Position = fields("Position", R=MATRIX, x=VECTOR, angle_a=NUMBER, angle_b=NUMBER)
"""Rotation and centre [m] of gear B in the axes in which A turns about z; angles [rad] of both gears about their own axes."""

surface_at, position_at = record_over(FlankSurface), record_over(Position)


def position_of(pose: Placement, angle_a: float, angle_b: float) -> np.ndarray:
    """Gears at their angles [rad], B in its pose."""
    return packed(Position, {"R": pose.rotation, "x": pose.position, "angle_a": angle_a, "angle_b": angle_b})


@leaf
def deviation(s: FlankSurface, tooth: I8, length: F8, face: F8) -> F8:
    """δ(L, ζ) [m] of a tooth, linear between the points of its table, its edge beyond it."""
    u = min(max((length - s.first_length) * s.lengths_per_metre, 0.0), s.lengths - 1.0)
    v = min(max((face - s.first_face) * s.faces_per_metre, 0.0), s.faces - 1.0)
    i = min(int(u), s.lengths - 2)
    j = min(int(v), s.faces - 2)
    u -= i
    v -= j
    deviations = s.deviations
    row = s.table_of[tooth] * s.lengths + i
    low = (1.0 - v) * deviations[row, j] + v * deviations[row, j + 1]
    high = (1.0 - v) * deviations[row + 1, j] + v * deviations[row + 1, j + 1]
    return (1.0 - u) * low + u * high


@leaf
def flank_limits(s: FlankSurface, face: F8) -> V2:
    """Least and greatest L [m] at ζ."""
    n, limits = s.limit_lines, s.limits
    v = min(max((face - s.first_limit) * s.limits_per_metre, 0.0), n - 1.0)
    j = min(int(v), n - 2)
    v -= j
    return (1.0 - v) * limits[j, 0] + v * limits[j + 1, 0], (1.0 - v) * limits[j, 1] + v * limits[j + 1, 1]


@block
def gap_and_place(a: FlankSurface, b: FlankSurface, at: Position, tooth: I8, length: F8, face: F8) -> V4:
    """Gap [m] along the normal of B, roll length L_B and face coordinate ζ_B [m] of the point, and the tooth of B.

    The point is that of a tooth of A at L and ζ [m]. L_B is −1 inside the base circle of B, where there is no flank.
    """
    # the point of A: p = e^{iτ} (r_b + i c (L + σ δ cos β_b)), z = ζ − s δ sin β_b
    side, curl = a.side, a.side * a.sense
    shift = 0.0
    if a.modified != 0:
        shift = deviation(a, tooth % a.teeth, length, face)
    arm = curl * (length + a.sense * shift * a.cos_beta)
    turn = curl * (a.base_angle - length / a.base_radius) + a.twist * face + a.pitch * tooth + at.angle_a
    cosine, sine = math.cos(turn), math.sin(turn)
    r_a = a.base_radius
    point = (cosine * r_a - sine * arm, sine * r_a + cosine * arm, face - side * shift * a.sin_beta)
    q_x, q_y, face_b = mtv(at.R, sub(point, at.x))  # in the axes of B
    r_b = b.base_radius
    square = q_x * q_x + q_y * q_y - r_b * r_b
    if square < 0.0:
        return np.inf, -1.0, face_b, 0.0
    full = math.sqrt(square)
    c = b.side * b.sense
    # polar angle less c atan(L/r_b), less τ(L, ζ) of the flank
    behind = math.atan2(q_y * r_b - c * full * q_x, q_x * r_b + c * full * q_y) - at.angle_b
    behind -= c * (b.base_angle - full / r_b) + b.twist * face_b
    behind -= 2.0 * math.pi * np.rint(behind / (2.0 * math.pi))
    raw = b.side * behind
    number = math.floor(raw / b.pitch + _BEHIND)
    tooth_b = np.int64(b.side * number) % b.teeth
    gap = r_b * b.cos_beta * (raw - number * b.pitch)
    length_b = full
    if b.modified != 0:
        more = deviation(b, tooth_b, full, face_b)
        for _ in range(2):  # δ belongs to the foot of the normal
            length_b = full - b.sense * more * b.cos_beta
            more = deviation(b, tooth_b, length_b, face_b + b.side * more * b.sin_beta)
        gap -= more
    return gap, length_b, face_b, float(tooth_b)


@entry
def gaps(a: A1, b: A1, position: A1, tooth: I8, lengths: A1, faces: A1, gap: A1, teeth_b: I1) -> None:
    """Gap and tooth of B of many points of one tooth; a, b: `FlankSurface`, position: `Position`."""
    s_a, s_b, at = surface_at(a, 0), surface_at(b, 0), position_at(position, 0)
    for i in range(lengths.size):
        gap[i], _, _, tooth_b = gap_and_place(s_a, s_b, at, tooth, lengths[i], faces[i])
        teeth_b[i] = np.int64(tooth_b)


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
