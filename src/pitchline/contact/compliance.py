"""The compliance of all cells of contact strips with each other, compiled.

    A = K + P_Aᵀ (S_A − S_half-space) P_A + P_Bᵀ (S_B − S_half-space) P_B ,

see `body_compliance`. P has two entries a cell along the profile, times two along the face where the face lines of the
hats of B are not those of the slices. S is first cut down to the hats that any cell touches.
"""

import numpy as np

from ..math.compiled import A1, A2, A3, F8, I1, I2, I8, block, entry
from .half_space import cell_kernel

__all__ = ["add_body", "add_cells", "share_among_hats"]


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
    zeta: A1, arc: A2, hats: I8, base_radius: F8, cells: A2, length: I8, face: I8, n: I8, entries: I2, weights: A2
) -> None:
    """P of n cells: numbers of hats and their weights, (n, 4) each.

    cells: their roll lengths and face coordinates [m] stand in the columns length and face.
    """
    lines = zeta.size
    for c in range(n):
        s = 0.5 * cells[c, length] * cells[c, length] / base_radius
        at = cells[c, face]
        low = 0
        high = lines - 1
        while high - low > 1:
            middle = (low + high) // 2
            if at >= zeta[middle]:
                low = middle
            else:
                high = middle
        v = (at - zeta[low]) / (zeta[high] - zeta[low])
        v = min(max(v, 0.0), 1.0)
        if v > 1.0 - 1e-9:  # on a face line: two entries are enough
            low, high = high, low
            v = 1.0 - v
        if v < 1e-9:
            v = 0.0
        _put(arc, hats, low, lines, s, 1.0 - v, c, 0, entries, weights)
        _put(arc, hats, high, lines, s, v, c, 2, entries, weights)


@entry
def add_body(
    compliance: A3, local: A3, teeth: I1, count: I8, slots: I1, entries: I2, weights: A2, n: I8, places: I2,
    used: I2, S: A2, y: A1, A: A2,
) -> None:  # fmt: skip
    """Adds Pᵀ (S − S_half-space) P of one gear to the upper half of A.

    Parameters
    ----------
    compliance, local
        Of the gear, see `BodyCompliance`; teeth: its tooth in each slot, count: how many it has.
    slots
        (n,) slot of each cell; entries, weights: (n, 4) its hats, by their places among all touched ones afterwards.
    places, used, S, y
        Room for work: (slots, hats), (2, hats of all slots), square and vector of the latter.
    """
    lines = local.shape[0]
    reach = (compliance.shape[0] - 1) // 2
    # the hats that are touched
    for t in range(places.shape[0]):
        for g in range(places.shape[1]):
            places[t, g] = -1
    m = 0
    between = False
    for c in range(n):
        if weights[c, 2] != 0.0 or weights[c, 3] != 0.0:
            between = True
        for e in range(4):
            if weights[c, e] != 0.0:
                t = slots[c]
                g = entries[c, e]
                if places[t, g] < 0:
                    places[t, g] = m
                    used[0, m] = t
                    used[1, m] = g
                    m += 1
    # their compliance, less that of the half-space in one slice
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
            S[p, q] = value
            S[q, p] = value
    # column by column, hats by their places among those touched
    for c in range(n):
        for e in range(4):
            entries[c, e] = max(places[slots[c], entries[c, e]], 0)
    for c in range(n):
        for p in range(m):
            y[p] = 0.0
        for e in range(4):
            f = weights[c, e]
            if f != 0.0:
                q = entries[c, e]
                for p in range(m):
                    y[p] += f * S[q, p]
        for d in range(c, n):
            A[c, d] += weights[d, 0] * y[entries[d, 0]] + weights[d, 1] * y[entries[d, 1]]
        if between:
            for d in range(c, n):
                A[c, d] += weights[d, 2] * y[entries[d, 2]] + weights[d, 3] * y[entries[d, 3]]


@entry
def add_cells(strips: A2, strip_index: I2, n_strips: I8, count: I8, widths: A1, scale: F8, table: A1, A: A2) -> None:
    """Adds K, the half-space's answer in each strip, to the upper half of A; scale: of both gears together."""
    for k in range(n_strips):
        cell_kernel(strips[k, 0], widths[strip_index[k, 1]], scale, count, table)
        first = strip_index[k, 4]
        for i in range(count):
            for j in range(i, count):
                A[first + i, first + j] += table[j - i]
