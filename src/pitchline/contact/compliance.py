"""Local compliance of two flanks: half-spaces under line loads, strips and cells.

The parts of the compliance of all cells of contact strips, compiled.

    A = K + P_Aᵀ (S_A − S_half-space) P_A + P_Bᵀ (S_B − S_half-space) P_B ,

see `elastic_pair`; `strip_compliance` works with them. P has two entries a cell along the profile, times three along
the face: shares among the neighbouring face lines of a slice, averaged over a window as wide as the distance of the lines. With
linear shares only, the compliance would vary with the position of a slice between face lines, and so would the approach of helical
gears, whose contact lines travel along the face; averaged ones are quadratic B-splines and hardly do. S is first cut down to the
hats that any cell touches.

**K of a slice that is narrower than its hats.** The hats of a face line stand for the width W of the face, in which the
half-space's answer S_half-space was taken out of S. Slices of the width w < W have to put it back as if their line load went
on over W: a load λ on a cell of the slice sinks it by k(h, W) λ W/w, and where hats of two lines share the slice with weights
v, by Σ v W/w k(h, W). Slices that carry the same line load then answer as one slice of the width W would, and K stays greater
than Pᵀ S_half-space P: with Σ_k v_k w_k = W and Schwarz's inequality (Σ_k v_k λ_k)² <= W Σ_k v_k λ_k²/w_k.
"""

import math
from functools import lru_cache

import numpy as np

from pitchline.base.types import FloatArray, IntArray
from pitchline.numerics.fields import INTEGER, NUMBER, behind, fields, record_over
from pitchline.numerics.machine_code.compiled import A1, A2, A3, F8, I1, I2, I8, V2, block, entry, leaf, unlocked_entry
from pitchline.parts.gears.geometry.inputs import Material

__all__ = [
    "cell_compliances",
    "contact_modulus",
    "hertz_half_width",
    "hertz_pressure",
    "hat_compliance",
    "cell_half_space",
    "SHARES",
    "HatGrid",
    "hat_compliance_among",
    "local_laws",
    "number_hats",
    "share_among_hats",
]


# ---- half space

# The elastic half-space: what a uniform pressure on a small rectangle does to its neighbours, and Hertz's line
# contact.
#
# A pressure p on the surface of a half-space sinks it by (Boussinesq; Johnson, Contact Mechanics, 1985, 3.2)
#
# u(x, y) = (1 − ν²)/(π E) ∬ p(x', y')/ρ dx' dy' , ρ² = (x − x')² + (y − y')² .
#
# Love (1929) integrated it over a rectangle. Here the displacement is averaged over a second rectangle too, which
# makes the compliance symmetric. With
#
# G(x, y) = x² y/2 asinh(y/abs x) + x y²/2 asinh(x/abs y) − ρ³/6 , ∂⁴G/∂x²∂y² = 1/ρ ,
#
# the mean over two rectangles h × w whose centres are X apart in x is a second difference of G in both directions.
# The cells of a contact strip lie side by side in x (along the profile) and have the width w of one slice of the
# face.

_PARTS = 16
"""Cells in a spacing of hats when the half-space is averaged over hats."""


@leaf
def antiderivative(x: F8, y: F8) -> F8:
    """G(x, y) for x, y >= 0."""
    rho = math.sqrt(x * x + y * y)
    value = -rho * rho * rho / 6.0
    if x > 0.0 and y > 0.0:
        value += 0.5 * x * y * (x * math.asinh(y / x) + y * math.asinh(x / y))
    return value


@leaf
def along(x: F8, y: F8, w: F8) -> F8:
    """Second difference of G in y."""
    x = abs(x)
    return antiderivative(x, abs(y - w)) - 2.0 * antiderivative(x, abs(y)) + antiderivative(x, abs(y + w))


@leaf
def _across(x: F8, w: F8) -> F8:
    """Second difference of G in y over the width w."""
    return 2.0 * (antiderivative(x, w) - antiderivative(x, 0.0))


@block
def cell_kernel(h: F8, w: F8, scale: F8, count: I8, table: A1) -> None:
    """table[m], m < count: mean sinking of a cell h × w per unit force on a cell m cells away [m/N].

    scale is Σ (1 − ν²)/(π E) of the bodies [1/Pa].
    """
    before = _across(h, w)
    here = _across(0.0, w)
    for m in range(count):
        after = _across((m + 1) * h, w)
        table[m] = scale * (before - 2.0 * here + after) / (h * h * w * w)
        before = here
        here = after


@entry
def cell_table(h: F8, w: F8, scale: F8, table: A1) -> None:
    """`cell_kernel` over all of the table, for callers in Python."""
    cell_kernel(h, w, scale, table.size, table)


def cell_compliances(height: float, width: float, count: int, *, scale: float) -> FloatArray:
    """Mean sinking [m/N] of cells 0 .. count − 1 away from a loaded one, of the size height × width [m]; (count,)."""
    table = np.empty(count)
    cell_table(float(height), float(width), float(scale), table)
    return table


def contact_modulus(*materials: Material) -> float:
    """E* [Pa] of two bodies in contact, 1/E* = Σ (1 − ν²)/E; of one against a rigid one."""
    return 1.0 / sum((1.0 - m.poissons_ratio**2) / m.youngs_modulus for m in materials)


def hertz_half_width(line_load: float, radius: float, modulus: float) -> float:
    """b = sqrt(4 F' R/(π E*)) [m] of cylinders in contact (Johnson, 4.43): F' [N/m], 1/R = 1/R_1 + 1/R_2."""
    return math.sqrt(4.0 * line_load * radius / (math.pi * modulus))


def hertz_pressure(line_load: float, radius: float, modulus: float) -> float:
    """p_0 = sqrt(F' E*/(π R)) [Pa] (Johnson, 4.45)."""
    return math.sqrt(line_load * modulus / (math.pi * radius))


@lru_cache(maxsize=64)
def hat_compliance(spacing: float, width: float, hats: int, *, scale: float) -> FloatArray:
    """The same for hats: piecewise linear pressures over the profile, in one slice of the face; (hats, hats) [m/N].

    Hat i rises from its neighbours' places to its own, `spacing` [m] away; the first and the last are one-sided. Each
    has unit force, and sinking is averaged with the hat as weight: what a finite element model answers for the same
    hats. Hats are cut into cells, whose compliance is exact.
    """
    cells = _PARTS * (hats - 1)
    at = (np.arange(cells) + 0.5) / _PARTS
    weights = np.maximum(0.0, 1.0 - np.abs(at - np.arange(hats)[:, None]))
    weights /= weights.sum(axis=1, keepdims=True)
    table = cell_compliances(spacing / _PARTS, width, cells, scale=scale)
    index = np.arange(cells)
    toeplitz = table[np.abs(index[:, None] - index)]
    answer = np.asarray(weights @ toeplitz @ weights.T)
    answer.flags.writeable = False  # kept, for gears are met again with other modifications
    return answer


# ---- cell half space

# The half-space under all cells of one pair of teeth: rectangles in strips side by side, compiled.
#
# The mean of 1/ρ over two rectangles h × w is a second difference of Love's G in both directions (`half_space`). All
# strips have cells of one size; they may start at any place, so that strips follow a curved line of contact. Two
# strips have few distances: the difference of their starts and whole numbers of cells.


@unlocked_entry
def _fill(starts: A1, firsts: I1, columns: I1, count: I8, h: F8, w: F8, scale: F8, table: A1, out: A2) -> None:
    """starts: (strips,) x of the first cell of each strip; firsts: (strips + 1,) its cells among all, whose `columns` are their
    places in the strip; table: (2 count + 1,), overwritten."""
    strips = starts.size
    factor = scale / (h * h * w * w)
    for j in range(strips):
        if firsts[j] == firsts[j + 1]:
            continue
        for k in range(j + 1):
            if firsts[k] == firsts[k + 1]:
                continue
            y = (j - k) * w
            shift = starts[j] - starts[k]
            before = along(shift - count * h, y, w)
            here = along(shift - (count - 1) * h, y, w)
            for d in range(-(count - 1), count):
                after = along(shift + (d + 1) * h, y, w)
                table[d + count - 1] = factor * (before - 2.0 * here + after)
                before = here
                here = after
            for p in range(firsts[j], firsts[j + 1]):
                for q in range(firsts[k], firsts[k + 1]):
                    value = table[columns[p] - columns[q] + count - 1]
                    out[p, q] += value
                    if k < j:
                        out[q, p] += value


def cell_half_space(
    out: FloatArray, starts: FloatArray, rows: IntArray, columns: IntArray, *, count: int, height: float, width: float, scale: float
) -> None:  # fmt: skip
    """Adds the mean sinking of cells per unit force on cells [m/N] to `out` (cells, cells).

    starts: (strips,) [m]; rows, columns: (cells,) the strip of each cell, ascending, and its place there; height, width: of cells
    across and along the line of contact [m]; scale: Σ (1 − ν²)/(π E) of the bodies [1/Pa].
    """
    firsts = np.searchsorted(rows, np.arange(len(starts) + 1)).astype(np.int64)
    _fill(
        np.ascontiguousarray(starts), firsts, np.ascontiguousarray(columns), count, float(height), float(width), float(scale),
        np.empty(2 * count + 1), out,
    )  # fmt: skip


SHARES = 6
"""Hats that share the force of a cell: two along the profile, times three along the face."""
_ON_A_LINE = 1e-9

HatGrid = fields(
    "HatGrid",
    hats=INTEGER,  # along the profile
    lines=INTEGER,  # along the face
    base_radius=NUMBER,  # [m]
    scale=NUMBER,  # (1 − ν²)/(π E) [1/Pa]
    zeta=behind("lines"),  # of the face lines [m]
    widths=behind("lines"),  # of the slices of the face that they stand for [m]
    window=behind(
        "lines"
    ),  # over which shares are averaged along the face [m]; not more than the distance of the lines
    first=behind("lines"),  # arc s of the first hat [m]
    spacing=behind("lines"),  # from hat to hat [m]
)
"""Positions of the hats of a flank: hat i · lines + j on face line j."""

_grid_at = record_over(HatGrid)


@leaf
def _between(zeta: A1, at: F8) -> V2:
    """The face line before a face coordinate [m], and the weight of the next one; within the face."""
    low = 0
    high = zeta.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if at >= zeta[middle]:
            low = middle
        else:
            high = middle
    return float(low), min(max((at - zeta[low]) / (zeta[high] - zeta[low]), 0.0), 1.0)


@block
def _put(g: HatGrid, line: I8, s: F8, part: F8, entries: I1, weights: A1) -> None:
    """Two entries of P: a part of the force of a cell, among the hats on both sides of s on one face line."""
    u = min(max((s - g.first[line]) / g.spacing[line], 0.0), g.hats - 1.0)
    i = min(int(u), g.hats - 2)
    u -= i
    entries[0] = i * g.lines + line
    entries[1] = (i + 1) * g.lines + line
    weights[0] = part * (1.0 - u)
    weights[1] = part * u


@unlocked_entry
def share_among_hats(grid: A1, lengths: A1, faces: A1, entries: I2, weights: A2) -> None:
    """P of cells at roll lengths and face coordinates [m]: numbers of hats and their weights, (cells, SHARES) each.

    grid: `HatGrid` of the gear.
    """
    g = _grid_at(grid, 0)
    lines, zeta, window = g.lines, g.zeta, g.window
    for c in range(lengths.size):
        s = 0.5 * lengths[c] * lengths[c] / g.base_radius
        at = min(max(faces[c], zeta[0]), zeta[lines - 1])
        line, v = _between(zeta, at)
        low = int(line)
        half = 0.5 * ((1.0 - v) * window[low] + v * window[low + 1])
        half = min(half, at - zeta[0], zeta[lines - 1] - at)
        for e in range(SHARES):
            entries[c, e] = 0
            weights[c, e] = 0.0
        if half < _ON_A_LINE * (zeta[low + 1] - zeta[low]):
            _put(g, low, s, 1.0 - v, entries[c], weights[c])
            _put(g, low + 1, s, v, entries[c, 2:], weights[c, 2:])
            continue
        if at - half < zeta[low]:
            low -= 1
        low = max(min(low, lines - 3), 0)
        # linear shares in two neighbouring intervals, each by its part of the window
        middle = zeta[low + 1]
        before = max(middle - (at - half), 0.0) / (2.0 * half)
        before = min(before, 1.0)
        u = 0.5 * (at - half + min(at + half, middle))
        u = (middle - u) / (middle - zeta[low])
        v = 0.5 * (max(at - half, middle) + at + half)
        v = (v - middle) / (zeta[low + 2] - middle)
        _put(g, low, s, before * u, entries[c], weights[c])
        _put(g, low + 1, s, before * (1.0 - u) + (1.0 - before) * (1.0 - v), entries[c, 2:], weights[c, 2:])
        _put(g, low + 2, s, (1.0 - before) * v, entries[c, 4:], weights[c, 4:])


@unlocked_entry
def number_hats(slots: I1, entries: I2, weights: A2, places: I2, slot_of: I1, hat_of: I1) -> I8:
    """Numbers the hats that any cell touches and returns how many they are; `entries` are these numbers afterwards.

    slots: of the cells; places: (slots, hats), overwritten; slot_of, hat_of: slot and hat of each number.
    """
    n = slots.size
    for t in range(places.shape[0]):
        for g in range(places.shape[1]):
            places[t, g] = -1
    m = 0
    for c in range(n):
        t = slots[c]
        for e in range(SHARES):
            if weights[c, e] != 0.0:
                g = entries[c, e]
                if places[t, g] < 0:
                    places[t, g] = m
                    slot_of[m] = t
                    hat_of[m] = g
                    m += 1
    for c in range(n):
        for e in range(SHARES):
            entries[c, e] = max(places[slots[c], entries[c, e]], 0)
    return m


@unlocked_entry
def hat_compliance_among(
    compliance: A3, local: A3, teeth: I1, count: I8, own: I8, slot_of: I1, hat_of: I1, C: A2
) -> None:
    """C = S − S_half-space [m/N] of the numbered hats of one gear, all of it.

    compliance, local: of the gear, see `BodyCompliance`; teeth: its tooth in each slot; count: how many it has; own: 1 if each
    tooth has its own compliance.
    """
    lines = local.shape[0]
    offsets = compliance.shape[0]
    if own != 0:
        offsets = offsets // count
    reach = (offsets - 1) // 2
    m = C.shape[0]
    for p in range(m):
        t = slot_of[p]
        g = hat_of[p]
        for q in range(p, m):
            offset = teeth[t] - teeth[slot_of[q]]
            offset -= count * np.int64(np.rint(offset / count))
            h = hat_of[q]
            value = 0.0
            if abs(offset) <= reach:
                block = offset + reach
                if own != 0:
                    tooth = teeth[slot_of[q]] % count
                    block += offsets * (tooth + count if tooth < 0 else tooth)
                value = compliance[block, g, h]
            if slot_of[q] == t and g % lines == h % lines:
                value -= local[g % lines, g // lines, h // lines]
            C[p, q] = value
            C[q, p] = value


@block
def _add_law(g: HatGrid, at: F8, height: F8, width: F8, table: A1, law: A1) -> None:
    """Adds Σ v W/w k(h, W) of one gear at a face coordinate to the law of a slice of the width w."""
    widths, count = g.widths, law.size
    line, v = _between(g.zeta, at)
    low = int(line)
    if abs(widths[low] - widths[low + 1]) < _ON_A_LINE * widths[low]:
        v = 0.0
    for which in range(2):
        W = widths[low + which]
        part = v if which == 1 else 1.0 - v
        if part > 0.0:
            cell_kernel(height, W, g.scale * part * W / width, count, table)
            for i in range(count):
                law[i] += table[i]


@unlocked_entry
def local_laws(
    heights: A1, widths: A1, grid_a: A1, faces_a: A1, grid_b: A1, faces_b: A1, table: A1, laws: A2
) -> None:  # fmt: skip
    """K of all strips, by the first row of their blocks: laws (strips, count) [m/N].

    heights: of their cells, widths: of their slices, faces: face coordinates of their middle on both flanks [m]; grid: `HatGrid`
    of both gears; table: (count,), overwritten.
    """
    g_a, g_b = _grid_at(grid_a, 0), _grid_at(grid_b, 0)
    for k in range(laws.shape[0]):
        for i in range(laws.shape[1]):
            laws[k, i] = 0.0
        _add_law(g_a, faces_a[k], heights[k], widths[k], table, laws[k])
        _add_law(g_b, faces_b[k], heights[k], widths[k], table, laws[k])
