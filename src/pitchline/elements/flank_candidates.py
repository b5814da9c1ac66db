"""Which strips of which tooth pairs are near contact, where they are on both gears, and how the modes move them."""

import math

import numpy as np

from ..math.compiled import A1, F8, I8, block, leaf
from .flank_layout import (
    AT_A,
    AT_B,
    C_BASE,
    C_FACE_WEIGHT,
    C_FREE,
    C_HAT_A,
    C_HAT_B,
    C_LAMBDA,
    C_LEVER,
    C_RADIUS,
    C_ROLL_A,
    C_ROLL_B,
    C_SIDE,
    C_SLOPE,
    C_STRIP,
    C_TOOTH,
    C_TOOTH_B,
    C_WEIGHT_A,
    C_WEIGHT_B,
    C_WIDTH,
    CANDIDATE,
    CANDIDATES,
    DIAMETERS_A,
    DIAMETERS_B,
    FACE_B,
    FACES_A,
    FACES_B,
    FAR,
    FREE_A,
    FREE_B,
    HATS_A,
    HATS_B,
    LEVER,
    LINE,
    MATRIX,
    MODAL,
    MODES_A,
    MODES_B,
    NEAR,
    PHASE_0,
    PHASE_STEP,
    PHASES,
    PLACED_A,
    PLACED_B,
    PLAY,
    RADIUS,
    ROLL_A,
    ROLL_B,
    ROOM,
    SENSE,
    SIDE,
    SIDE_SIZE,
    SINGLE_A,
    SINGLE_B,
    SLOPE,
    SLOTS,
    STRIPS,
    TABLE,
    TEETH_OF_A,
    TEETH_OF_B,
    TOOTH_B,
    TRACES_A,
    TRACES_B,
    WIDTHS,
)

TWO_PI = 2.0 * math.pi
CLEAR = 0.05
"""Part of NEAR beyond which strips stay clear of each other for a step, elastic motion included."""


@leaf
def modulo(k: I8, n: I8) -> I8:
    r = k % n
    return r + n if r < 0 else r


@block
def _single(p: A1, place: I8, tooth: I8, teeth: I8, row: I8, t: F8, strip: I8, strips: I8) -> F8:
    """Deviation of a single tooth, outwards [m]; place 0: there are none."""
    if place == 0:
        return 0.0
    table = int(p[place + modulo(tooth, teeth)])
    if table == 0:
        return 0.0
    o = table + row * strips + strip
    return (1.0 - t) * p[o] + t * p[o + strips]


@block
def find_candidates(p: A1, base: I8, h: A1, at: I8, u: F8, y: F8, psi: F8) -> I8:
    """Strips near contact, tooth pair by tooth pair, with their gaps of rigid flanks. Returns how many."""
    strips = int(p[base + STRIPS])
    room = int(p[base + ROOM])
    faces_a = int(p[base + FACES_A])
    faces_b = int(p[base + FACES_B])
    rows_a = int(p[base + HATS_A]) // faces_a
    rows_b = int(p[base + HATS_B]) // faces_b
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    cand = int(p[base + CANDIDATES])
    kept = at + MODAL + 6 * (na + nb)
    x = psi * p[base + TEETH_OF_A] / TWO_PI
    count = 0
    for side in range(2):
        q = base + SIDE + side * SIDE_SIZE
        phases = int(p[q + PHASES])
        if phases == 0:
            continue
        sign = 1.0 - 2.0 * side
        first = p[q + PHASE_0]
        step = p[q + PHASE_STEP]
        table = int(p[q + TABLE])
        lowest = int(np.ceil(first - x))
        highest = int(np.floor(first + (phases - 1) * step - x))
        for k in range(lowest, highest + 1):
            t = (x + k - first) / step
            i = min(max(int(t), 0), phases - 2)
            t -= i
            tooth_b = int(p[q + TOOTH_B]) + int(p[base + SENSE]) * k
            slot = modulo(k, SLOTS)
            for j in range(strips):
                o = table + (i * strips + j) * LINE
                o1 = o + strips * LINE
                if p[o + PLAY] >= FAR or p[o1 + PLAY] >= FAR:
                    continue
                g0 = p[o + PLAY]
                g1 = p[o1 + PLAY]
                s0 = step * p[o + SLOPE]
                s1 = step * p[o1 + SLOPE]
                t2 = t * t
                play = g0 + t * s0 + t2 * (3.0 * (g1 - g0) - 2.0 * s0 - s1) + t2 * t * (2.0 * (g0 - g1) + s0 + s1)
                lever = (1.0 - t) * p[o + LEVER] + t * p[o1 + LEVER]
                gap = lever * (play - sign * u - y)
                gap -= _single(p, int(p[q + SINGLE_A]), k, int(p[base + TEETH_OF_A]), i, t, j, strips)
                gap -= _single(p, int(p[q + SINGLE_B]), tooth_b, int(p[base + TEETH_OF_B]), i, t, j, strips)
                if gap > p[base + NEAR] or count == room:
                    continue
                c = cand + count
                p[c + C_SIDE * room] = side
                p[c + C_TOOTH * room] = k
                p[c + C_TOOTH_B * room] = tooth_b
                p[c + C_STRIP * room] = j
                p[c + C_BASE * room] = gap
                p[c + C_LEVER * room] = lever
                by_phase = (s0 + 2.0 * t * (3.0 * (g1 - g0) - 2.0 * s0 - s1) + 3.0 * t2 * (2.0 * (g0 - g1) + s0 + s1)) / step
                p[c + C_SLOPE * room] = by_phase * p[base + TEETH_OF_A] / TWO_PI
                p[c + C_RADIUS * room] = (1.0 - t) * p[o + RADIUS] + t * p[o1 + RADIUS]
                p[c + C_ROLL_A * room] = (1.0 - t) * p[o + ROLL_A] + t * p[o1 + ROLL_A]
                p[c + C_ROLL_B * room] = (1.0 - t) * p[o + ROLL_B] + t * p[o1 + ROLL_B]
                p[c + C_WIDTH * room] = p[int(p[base + WIDTHS]) + j]
                a = (1.0 - t) * p[o + AT_A] + t * p[o1 + AT_A]
                ia = min(max(int(a), 0), rows_a - 2)
                p[c + C_HAT_A * room] = ia * faces_a + j
                p[c + C_WEIGHT_A * room] = min(max(a - ia, 0.0), 1.0)
                b = (1.0 - t) * p[o + AT_B] + t * p[o1 + AT_B]
                f = (1.0 - t) * p[o + FACE_B] + t * p[o1 + FACE_B]
                ib = min(max(int(b), 0), rows_b - 2)
                jb = min(max(int(f + 1e-9), 0), faces_b - 1)
                w = min(max(f - jb, 0.0), 1.0) if jb < faces_b - 1 else 0.0
                p[c + C_HAT_B * room] = ib * faces_b + jb
                p[c + C_WEIGHT_B * room] = min(max(b - ib, 0.0), 1.0)
                p[c + C_FACE_WEIGHT * room] = w if w > 1e-6 else 0.0
                p[c + C_LAMBDA * room] = h[kept + (side * SLOTS + slot) * strips + j]
                count += 1
    return count


@block
def _phases(p: A1, diameters: I8, modes: I8, tooth: I8, teeth: I8, free: I8, out: I8):
    """Of a tooth: cosines and sines of the phases of the modes, and their free motion as it is there (real, imaginary)."""
    angle = TWO_PI * modulo(tooth, teeth) / teeth
    for m in range(modes):
        c = math.cos(p[diameters + m] * angle)
        s = math.sin(p[diameters + m] * angle)
        p[out + m] = c
        p[out + modes + m] = s
        p[out + 2 * modes + m] = c * p[free + m] - s * p[free + modes + m]
        p[out + 3 * modes + m] = s * p[free + m] + c * p[free + modes + m]


@block
def _interpolated(p: A1, traces: I8, modes: I8, hats: I8, hat: I8, stride: I8, weight: F8, face: F8, tooth: I8, out: I8) -> F8:
    """Traces of a point between hats on tooth 0, into p[out:]: real parts of all modes, then imaginary ones. Returns its
    displacement by the free motion on its own tooth, whose phases are p[tooth:]."""
    a = traces + hat * modes
    b = a + stride * modes
    im = hats * modes
    re = p[out : out + modes]
    ii = p[out + modes : out + 2 * modes]
    x0 = p[a : a + modes]
    x1 = p[b : b + modes]
    y0 = p[a + im : a + im + modes]
    y1 = p[b + im : b + im + modes]
    for m in range(modes):
        re[m] = (1.0 - weight) * x0[m] + weight * x1[m]
        ii[m] = (1.0 - weight) * y0[m] + weight * y1[m]
    if face > 0.0:
        x0 = p[a + modes : a + 2 * modes]
        x1 = p[b + modes : b + 2 * modes]
        y0 = p[a + im + modes : a + im + 2 * modes]
        y1 = p[b + im + modes : b + im + 2 * modes]
        for m in range(modes):
            re[m] += face * ((1.0 - weight) * x0[m] + weight * x1[m] - re[m])
            ii[m] += face * ((1.0 - weight) * y0[m] + weight * y1[m] - ii[m])
    moving = p[tooth + 2 * modes : tooth + 4 * modes]
    s = 0.0
    for m in range(modes):
        s += re[m] * moving[m] - ii[m] * moving[modes + m]
    return s


@block
def _turn(p: A1, found: I8, modes: I8, tooth: I8, out: I8, room: I8):
    """Traces as they are on a tooth, into every room-th of p[out:]."""
    for m in range(modes):
        c = p[tooth + m]
        s = p[tooth + modes + m]
        p[out + m * room] = p[found + m] * c - p[found + modes + m] * s
        p[out + (modes + m) * room] = p[found + m] * s + p[found + modes + m] * c


@block
def place_traces(p: A1, base: I8, count: I8) -> I8:
    """Displacements of all candidates by the free motion, and the traces on both gears of those that may touch: the others stay
    clear of each other for a step, and a look at the next one finds them in time. Returns how many are left."""
    room = int(p[base + ROOM])
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    cand = int(p[base + CANDIDATES])
    ta = int(p[base + PLACED_A])
    tb = int(p[base + PLACED_B])
    # not in use yet: phases of the present tooth pair, and traces of the present candidate
    on_a = int(p[base + MATRIX])
    on_b = on_a + 4 * na
    found = on_b + 4 * nb
    clear = CLEAR * p[base + NEAR]
    side_now = -1
    tooth_now = 0
    left = 0
    for c in range(count):
        side = int(p[cand + C_SIDE * room + c])
        k = int(p[cand + C_TOOTH * room + c])
        if side != side_now or k != tooth_now:
            side_now = side
            tooth_now = k
            _phases(p, int(p[base + DIAMETERS_A]), na, k, int(p[base + TEETH_OF_A]), int(p[base + FREE_A]), on_a)
            tooth_b = int(p[cand + C_TOOTH_B * room + c])
            _phases(p, int(p[base + DIAMETERS_B]), nb, tooth_b, int(p[base + TEETH_OF_B]), int(p[base + FREE_B]), on_b)
        q = base + SIDE + side * SIDE_SIZE
        free = _interpolated(
            p, int(p[q + TRACES_A]), na, int(p[base + HATS_A]), int(p[cand + C_HAT_A * room + c]), int(p[base + FACES_A]),
            p[cand + C_WEIGHT_A * room + c], 0.0, on_a, found,
        )  # fmt: skip
        free += _interpolated(
            p, int(p[q + TRACES_B]), nb, int(p[base + HATS_B]), int(p[cand + C_HAT_B * room + c]), int(p[base + FACES_B]),
            p[cand + C_WEIGHT_B * room + c], p[cand + C_FACE_WEIGHT * room + c], on_b, found + 2 * na,
        )  # fmt: skip
        if p[cand + C_BASE * room + c] + free > clear and p[cand + C_LAMBDA * room + c] <= 0.0:
            continue
        if left != c:
            for i in range(CANDIDATE):
                p[cand + i * room + left] = p[cand + i * room + c]
        p[cand + C_FREE * room + left] = free
        _turn(p, found, na, on_a, ta + left, room)
        _turn(p, found + 2 * na, nb, on_b, tb + left, room)
        left += 1
    return left
