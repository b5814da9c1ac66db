"""Where two flanks may touch: a strip of cells about the place of least gap, in each slice of the face, compiled.

The face of gear A is cut into slices at the face lines of its hats. In a slice the gap is a function of the arc s =
L²/(2 r_b) of the profile; both flanks end, at form line or tip edge, and the strip ends with them: where a tip edge
digs in beside the path of contact, the last cell of the strip lies at that edge. The height of a cell is a part of
Hertz's half width b for a mean line load F' and the curvatures met there, so that every contact is resolved alike.
"""

import math

import numpy as np

from ..math.compiled import A1, A2, A3, F8, I1, I2, I8, V4, block, entry
from .flank_gap import flank_limits, gap_and_place
from .shape_layout import BASE_RADIUS, COS_BETA, HALF_FACE, SENSE

__all__ = ["find_strips"]

_SAMPLES = 16
_SECTIONS = 12
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
_SEARCH = 24
_MARGIN = 1e-4
"""The gap at an edge may be less than that of the next sample by no more than this [m]."""


@block
def _edge(
    a: A1, deviations_a: A3, table_a: I1, b: A1, deviations_b: A3, table_b: I1, pose: A1, angle_a: F8, angle_b: F8,
    tooth: I8, face: F8, inside: F8, outside: F8, wanted: F8,
) -> F8:  # fmt: skip
    """L_A between a point inside flank B and one outside of it where L_B is the wanted one, by the Illinois method."""
    at = gap_and_place(a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, inside, face)
    f_in = at[1] - wanted
    at = gap_and_place(a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, outside, face)
    f_out = at[1] - wanted
    for _ in range(_SEARCH):
        middle = inside + (outside - inside) * f_in / (f_in - f_out)
        if abs(outside - inside) < 1e-10:
            break
        at = gap_and_place(
            a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, middle, face
        )
        f = at[1] - wanted
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
def nearest(
    a: A1, limits_a: A2, deviations_a: A3, table_a: I1, b: A1, limits_b: A2, deviations_b: A3, table_b: I1, pose: A1,
    angle_a: F8, angle_b: F8, tooth: I8, face: F8, reach: F8,
) -> V4:  # fmt: skip
    """Least and greatest L_A of a slice opposite to which B has a flank, L_A of the least gap between them, that gap.

    From samples, then edges by the Illinois method and the least gap by golden section; only roughly where the gap is
    greater than reach, infinite where B has no flank.
    """
    low, high = flank_limits(a, limits_a, face)
    step = (high - low) / (_SAMPLES - 1)
    first = -1
    last = -1
    best = np.inf
    where = low
    for k in range(_SAMPLES):
        length = low + k * step
        at = gap_and_place(
            a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, length, face
        )
        ends = flank_limits(b, limits_b, at[2])
        if ends[0] <= at[1] <= ends[1] and abs(at[2]) <= b[HALF_FACE]:
            if first < 0:
                first = k
            last = k
            if at[0] < best:
                best = at[0]
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
        at = gap_and_place(
            a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, outside, face
        )
        if abs(at[2]) > b[HALF_FACE]:
            continue
        ends = flank_limits(b, limits_b, at[2])
        wanted = ends[0]
        if at[1] > ends[1]:
            wanted = ends[1]
        edge = _edge(
            a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, face, inside, outside,
            wanted,
        )  # fmt: skip
        if which == 0:
            begin = edge
        else:
            end = edge
        at = gap_and_place(
            a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, edge, face
        )
        if at[0] < best:
            best = at[0]
            where = edge
    left = max(where - step, begin)
    right = min(where + step, end)
    c = right - _GOLDEN * (right - left)
    d = left + _GOLDEN * (right - left)
    g_c = gap_and_place(a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, c, face)[0]
    g_d = gap_and_place(a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, d, face)[0]
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
        gap = gap_and_place(
            a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, length, face
        )[0]
        if below:
            g_c = gap
        else:
            g_d = gap
        if gap < best:
            best = gap
            where = length
    return begin, end, where, best


@entry
def find_strips(
    a: A1, limits_a: A2, deviations_a: A3, table_a: I1, b: A1, limits_b: A2, deviations_b: A3, table_b: I1, pose: A1,
    angle_a: F8, angle_b: F8, teeth: I1, zeta: A1, line_load: F8, modulus: F8, reach: F8, resolution: F8, count: I8,
    stretch: A2, strips: A2, strip_index: I2, cells: A2, slots: I1,
) -> V4:  # fmt: skip
    """Cells of all slices whose least gap is within reach; returns their number, that of strips, and the least gap.

    Parameters
    ----------
    teeth
        Numbers of the teeth of A that may touch; zeta [m]: slices of its face.
    line_load, modulus
        F' [N/m] and E* [Pa] from which Hertz's half width b follows; cells are b/resolution high, `count` in a strip.
    reach
        Strips whose least gap [m] is greater are left out.
    stretch
        (teeth, slices) factors by which cells are higher, 1 at first: raised where a contact fills its strip.

    Fills ``strips`` (n, 4): height of the cells [m], half width b [m], least gap [m], L_A there [m]; ``strip_index``
    (n, 6): place in `teeth`, slice, teeth of A and B, first cell, and whether it ends at an edge (1 low, 2 high, 3
    both); ``cells`` (m, 5): L_A, gap, L_B, ζ_B, ζ_A [m]; ``slots`` (m,): place in `teeth`.
    """
    n_strips = 0
    n_cells = 0
    least = np.inf
    for t in range(teeth.size):
        tooth = teeth[t]
        for j in range(zeta.size):
            face = zeta[j]
            low, high, where, gap = nearest(
                a, limits_a, deviations_a, table_a, b, limits_b, deviations_b, table_b, pose, angle_a, angle_b, tooth,
                face, reach,
            )  # fmt: skip
            least = min(least, gap)
            if gap > reach:
                continue
            # Hertz's half width from the curvatures σ cos β_b / L of both flanks
            at = gap_and_place(
                a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, where, face
            )
            floor = 0.02 * a[BASE_RADIUS]  # towards the base circle the curvature has no bound
            curvature = a[SENSE] * a[COS_BETA] / max(where, floor) + b[SENSE] * b[COS_BETA] / max(at[1], floor)
            half = math.sqrt(4.0 * line_load / (math.pi * modulus * max(curvature, 1e-3)))
            height = stretch[t, j] * half / resolution
            s_low = 0.5 * low * low / a[BASE_RADIUS]
            s_high = 0.5 * high * high / a[BASE_RADIUS]
            height = min(height, (s_high - s_low) / count)
            s = 0.5 * where * where / a[BASE_RADIUS] - 0.5 * count * height
            edges = 0
            if s + count * height >= s_high:
                s = s_high - count * height
                edges += 2
            if s <= s_low:
                s = s_low
                edges += 1
            strips[n_strips, 0] = height
            strips[n_strips, 1] = half
            strips[n_strips, 2] = gap
            strips[n_strips, 3] = where
            strip_index[n_strips, 0] = t
            strip_index[n_strips, 1] = j
            strip_index[n_strips, 2] = tooth
            strip_index[n_strips, 3] = np.int64(at[3])
            strip_index[n_strips, 4] = n_cells
            strip_index[n_strips, 5] = edges
            n_strips += 1
            for i in range(count):
                length = math.sqrt(2.0 * a[BASE_RADIUS] * (s + (i + 0.5) * height))
                at = gap_and_place(
                    a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, length, face
                )
                cells[n_cells, 0] = length
                cells[n_cells, 1] = at[0]
                cells[n_cells, 2] = at[1]
                cells[n_cells, 3] = at[2]
                cells[n_cells, 4] = face
                slots[n_cells] = t
                n_cells += 1
    return float(n_cells), float(n_strips), least, 0.0
