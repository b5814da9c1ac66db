"""The parts of the compliance of all cells of contact strips, compiled.

    A = K + P_Aᵀ (S_A − S_half-space) P_A + P_Bᵀ (S_B − S_half-space) P_B ,

see `body_compliance`; `strip_compliance` works with them. P has two entries a cell along the profile, times three along
the face: shares among the face lines beside a slice, averaged over a window as wide as the lines are apart. Linear shares
alone would let the compliance ripple with the place of a slice between face lines, and with it the approach of helical gears,
whose contact lines travel along the face; averaged ones are quadratic B-splines and hardly do. S is first cut down to the
hats that any cell touches.

**K of a slice that is narrower than its hats.** The hats of a face line stand for the width W of the face, in which the
half-space's answer S_half-space was taken out of S. Slices of the width w < W have to put it back as if their line load went
on over W: a load λ on a cell of the slice sinks it by k(h, W) λ W/w, and where hats of two lines share the slice with weights
v, by Σ v W/w k(h, W). Slices that carry the same line load then answer as one slice of the width W would, and K stays greater
than Pᵀ S_half-space P: with Σ_k v_k w_k = W and Schwarz's inequality (Σ_k v_k λ_k)² <= W Σ_k v_k λ_k²/w_k.
"""

import numpy as np

from ..math.compiled import A1, A2, A3, F8, I1, I2, I8, V2, block, entry, leaf
from .half_space import cell_kernel

__all__ = ["hat_compliance_among", "local_laws", "number_hats", "share_among_hats"]

_ON_A_LINE = 1e-9


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
def _put(
    arc: A2, hats: I8, line: I8, lines: I8, s: F8, part: F8, cell: I8, first: I8, entries: I2, weights: A2
) -> None:  # fmt: skip
    """Two entries of P: a part of the force of a cell, among the hats on both sides of s on one face line."""
    u = min(max((s - arc[line, 0]) / arc[line, 1], 0.0), hats - 1.0)
    i = min(int(u), hats - 2)
    u -= i
    entries[cell, first] = i * lines + line
    entries[cell, first + 1] = (i + 1) * lines + line
    weights[cell, first] = part * (1.0 - u)
    weights[cell, first + 1] = part * u


@entry
def share_among_hats(
    zeta: A1, window: A1, arc: A2, hats: I8, base_radius: F8, cells: A2, length: I8, face: I8, n: I8, entries: I2,
    weights: A2,
) -> None:  # fmt: skip
    """P of n cells: numbers of hats and their weights, (n, 6) each.

    cells: their roll lengths and face coordinates [m] stand in the columns length and face. window: at each face line, the
    width [m] over which shares are averaged along the face; not more than the distance of the lines.
    """
    lines = zeta.size
    for c in range(n):
        s = 0.5 * cells[c, length] * cells[c, length] / base_radius
        at = min(max(cells[c, face], zeta[0]), zeta[lines - 1])
        line, v = _between(zeta, at)
        low = int(line)
        half = 0.5 * ((1.0 - v) * window[low] + v * window[low + 1])
        half = min(half, at - zeta[0], zeta[lines - 1] - at)
        for e in range(6):
            entries[c, e] = 0
            weights[c, e] = 0.0
        if half < _ON_A_LINE * (zeta[low + 1] - zeta[low]):
            _put(arc, hats, low, lines, s, 1.0 - v, c, 0, entries, weights)
            _put(arc, hats, low + 1, lines, s, v, c, 2, entries, weights)
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
        _put(arc, hats, low, lines, s, before * u, c, 0, entries, weights)
        _put(arc, hats, low + 1, lines, s, before * (1.0 - u) + (1.0 - before) * (1.0 - v), c, 2, entries, weights)
        _put(arc, hats, low + 2, lines, s, (1.0 - before) * v, c, 4, entries, weights)


@entry
def number_hats(slots: I1, entries: I2, weights: A2, n: I8, places: I2, used: I2) -> I8:
    """Numbers the hats that any cell touches and returns how many they are; `entries` are these numbers afterwards.

    slots: (n,) of the cells; places: (slots, hats), overwritten; used: (2, hats of all slots): slot and hat of each number.
    """
    for t in range(places.shape[0]):
        for g in range(places.shape[1]):
            places[t, g] = -1
    m = 0
    for c in range(n):
        t = slots[c]
        for e in range(6):
            if weights[c, e] != 0.0:
                g = entries[c, e]
                if places[t, g] < 0:
                    places[t, g] = m
                    used[0, m] = t
                    used[1, m] = g
                    m += 1
    for c in range(n):
        for e in range(6):
            entries[c, e] = max(places[slots[c], entries[c, e]], 0)
    return m


@entry
def hat_compliance_among(compliance: A3, local: A3, teeth: I1, count: I8, used: I2, C: A2) -> None:
    """C = S − S_half-space [m/N] of the numbered hats of one gear, all of it.

    compliance, local: of the gear, see `BodyCompliance`; teeth: its tooth in each slot; count: how many it has.
    """
    lines = local.shape[0]
    reach = (compliance.shape[0] - 1) // 2
    m = C.shape[0]
    for p in range(m):
        t = used[0, p]
        g = used[1, p]
        for q in range(p, m):
            offset = teeth[t] - teeth[used[0, q]]
            offset -= count * np.int64(np.rint(offset / count))
            h = used[1, q]
            value = 0.0
            if abs(offset) <= reach:
                value = compliance[offset + reach, g, h]
            if used[0, q] == t and g % lines == h % lines:
                value -= local[g % lines, g // lines, h // lines]
            C[p, q] = value
            C[q, p] = value


@block
def _add_law(
    zeta: A1, widths: A1, scale: F8, at: F8, height: F8, width: F8, count: I8, table: A1, laws: A2, k: I8
) -> None:  # fmt: skip
    """Adds Σ v W/w k(h, W) of one gear at a face coordinate to the law of a slice of the width w."""
    line, v = _between(zeta, at)
    low = int(line)
    if abs(widths[low] - widths[low + 1]) < _ON_A_LINE * widths[low]:
        v = 0.0
    for which in range(2):
        W = widths[low + which]
        part = v if which == 1 else 1.0 - v
        if part > 0.0:
            cell_kernel(height, W, scale * part * W / width, count, table)
            for i in range(count):
                laws[k, i] += table[i]


@entry
def local_laws(
    strips: A2, strip_index: I2, cells: A2, widths: A1, zeta_a: A1, widths_a: A1, scale_a: F8, zeta_b: A1, widths_b: A1,
    scale_b: F8, table: A1, laws: A2,
) -> None:  # fmt: skip
    """K of all strips, by the first row of their blocks: laws (strips, count) [m/N].

    widths: of the slices [m]; zeta, widths, scale: of both gears, see `BodyCompliance`; table: (count,), overwritten.
    """
    count = laws.shape[1]
    for k in range(laws.shape[0]):
        for i in range(count):
            laws[k, i] = 0.0
        width = widths[strip_index[k, 1]]
        middle = strip_index[k, 4] + count // 2
        height = strips[k, 0]
        _add_law(zeta_a, widths_a, scale_a, cells[middle, 4], height, width, count, table, laws, k)
        _add_law(zeta_b, widths_b, scale_b, cells[middle, 3], height, width, count, table, laws, k)
