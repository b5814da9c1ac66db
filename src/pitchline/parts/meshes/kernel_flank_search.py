"""Strips of tooth pairs near contact, their positions on both gears, and their displacements by the modes."""

import math

import numpy as np

from pitchline.numerics.machine_code.compiled import A1, F8, I8, block, leaf

from .kernel_flank_records import (
    FAR,
    SLOTS,
    Candidate,
    ContactLine,
    ContactMemory,
    ElasticGearData,
    Flanks,
    GearScratch,
    GearSide,
    StripScratch,
    candidate,
    line_over,
    side_of,
)

TWO_PI = 2.0 * math.pi
CLEAR = 0.05
"""Fraction of `near` beyond which strips stay apart during a step, including elastic motion."""
_LINE = ContactLine.size
_CANDIDATE = Candidate.size


@leaf
def modulo(k: I8, n: I8) -> I8:
    r = k % n
    return r + n if r < 0 else r


@block
def _single(on: GearSide, tooth: I8, row: I8, t: F8, strip: I8, strips: I8) -> F8:
    """Deviation of a single tooth, outwards [m]."""
    if on.single_teeth == 0:
        return 0.0
    table = on.single[modulo(tooth, on.single_teeth)]
    if table < 0:
        return 0.0
    o = table + row * strips + strip
    return (1.0 - t) * on.deviations[o] + t * on.deviations[o + strips]


@block
def find_candidates(s: Flanks, m: ContactMemory, w: StripScratch, u: F8, y: F8, psi: F8) -> I8:
    """Find strips near contact for each tooth pair, with the gaps of rigid flanks. Return their number."""
    strips = s.strips
    room = s.room
    near = s.near
    faces_a = s.a.faces
    faces_b = s.b.faces
    rows_a = s.a.rows
    rows_b = s.b.rows
    widths = s.widths
    shifts = s.shifts
    shift = w.shift
    teeth = float(s.a.teeth)
    x = psi * teeth / TWO_PI
    count = 0
    for number in range(2):
        side = side_of(s, number)
        phases = side.phases
        if phases == 0:
            continue
        sign = 1.0 - 2.0 * number
        first = side.first
        step = side.step
        lines = side.lines
        levels = side.levels
        slides = side.slides
        lowest = int(np.ceil(first - x))
        highest = int(np.floor(first + (phases - 1) * step - x))
        for k in range(lowest, highest + 1):
            t = (x + k - first) / step
            i = min(max(int(t), 0), phases - 2)
            t -= i
            tooth_b = side.tooth_b + s.sense * k
            slot = modulo(k, SLOTS)
            for j in range(strips):
                o = line_over(lines, (i * strips + j) * _LINE)
                o1 = line_over(lines, ((i + 1) * strips + j) * _LINE)
                g0 = o.play
                g1 = o1.play
                if g0 >= FAR or g1 >= FAR:
                    continue
                s0 = step * o.slope
                s1 = step * o1.slope
                t2 = t * t
                play = g0 + t * s0 + t2 * (3.0 * (g1 - g0) - 2.0 * s0 - s1) + t2 * t * (2.0 * (g0 - g1) + s0 + s1)
                lever = (1.0 - t) * o.lever + t * o1.lever
                gap = lever * (play - sign * u - y)
                row = i * strips + j
                for q in range(shifts):
                    gap -= lever * shift[q] * ((1.0 - t) * levels[row, q] + t * levels[row + strips, q])
                gap -= _single(side.a, k, i, t, j, strips)
                gap -= _single(side.b, tooth_b, i, t, j, strips)
                if gap > near or count == room:
                    continue
                c = candidate(w, count)
                c.side = number
                c.tooth = k
                c.tooth_b = tooth_b
                c.strip = j
                c.base = gap
                c.lever = lever
                by_phase = (
                    s0 + 2.0 * t * (3.0 * (g1 - g0) - 2.0 * s0 - s1) + 3.0 * t2 * (2.0 * (g0 - g1) + s0 + s1)
                ) / step
                c.slope = by_phase * teeth / TWO_PI
                for q in range(shifts):
                    rise = (levels[row + strips, q] - levels[row, q]) / step * teeth / TWO_PI
                    w.level[count, q] = (1.0 - t) * levels[row, q] + t * levels[row + strips, q]
                    w.rise[count, q] = rise
                    w.slide[count, q] = (1.0 - t) * slides[row, q] + t * slides[row + strips, q]
                    c.slope -= shift[q] * rise
                c.radius = (1.0 - t) * o.radius + t * o1.radius
                c.roll_a = (1.0 - t) * o.roll_a + t * o1.roll_a
                c.roll_b = (1.0 - t) * o.roll_b + t * o1.roll_b
                c.width = widths[j]
                a = (1.0 - t) * o.at_a + t * o1.at_a
                ia = min(max(int(a), 0), rows_a - 2)
                f = (1.0 - t) * o.face_a + t * o1.face_a
                ja = min(max(int(f + 1e-9), 0), faces_a - 1)
                between = min(max(f - ja, 0.0), 1.0) if ja < faces_a - 1 else 0.0
                c.hat_a = ia * faces_a + ja
                c.face_weight_a = between if between > 1e-6 else 0.0
                c.weight_a = min(max(a - ia, 0.0), 1.0)
                b = (1.0 - t) * o.at_b + t * o1.at_b
                f = (1.0 - t) * o.face_b + t * o1.face_b
                ib = min(max(int(b), 0), rows_b - 2)
                jb = min(max(int(f + 1e-9), 0), faces_b - 1)
                between = min(max(f - jb, 0.0), 1.0) if jb < faces_b - 1 else 0.0
                c.hat_b = ib * faces_b + jb
                c.weight_b = min(max(b - ib, 0.0), 1.0)
                c.face_weight = between if between > 1e-6 else 0.0
                stored = (number * SLOTS + slot) * strips + j
                c.force = m.forces[stored]
                c.distance = m.distances[stored]
                count += 1
    return count


@block
def _phases(s: ElasticGearData, tooth: I8, w: GearScratch):
    """For a tooth: cosines and sines of the phases of the modes, and their free motion at this tooth."""
    angle = TWO_PI * modulo(tooth, s.teeth) / s.teeth
    modes = s.modes
    diameters = s.diameters
    cosine = w.cosine
    sine = w.sine
    free = w.free
    moving = w.moving
    for m in range(modes):
        c = math.cos(diameters[m] * angle)
        d = math.sin(diameters[m] * angle)
        cosine[m] = c
        sine[m] = d
        if m < s.paired:
            moving[m] = c * free[m] - d * free[modes + m]
            moving[modes + m] = d * free[m] + c * free[modes + m]
        else:
            moving[m] = c * free[m]


@leaf
def _between_hats(to: A1, t0: A1, t1: A1, weight: F8):
    for m in range(to.size):
        to[m] = (1.0 - weight) * t0[m] + weight * t1[m]


@leaf
def _towards(to: A1, t0: A1, t1: A1, weight: F8, face: F8):
    for m in range(to.size):
        to[m] += face * ((1.0 - weight) * t0[m] + weight * t1[m] - to[m])


@block
def _interpolated(s: ElasticGearData, on: GearSide, tooth: I8, hat: I8, weight: F8, face: F8, w: GearScratch) -> F8:
    """Traces of a point between hats on tooth 0, or where teeth differ on its own tooth. Returns its displacement by the free
    motion on its own tooth."""
    T = on.traces
    hats = on.hats
    re = w.real
    im = w.imaginary
    if s.own != 0:
        hat += modulo(tooth, s.teeth) * hats
    other = hat + s.faces
    _between_hats(re, T[hat], T[other], weight)
    if face > 0.0:
        _towards(re, T[hat + 1], T[other + 1], weight, face)
    if s.own == 0:
        _between_hats(im, T[hats + hat], T[hats + other], weight)
        if face > 0.0:
            _towards(im, T[hats + hat + 1], T[hats + other + 1], weight, face)
    modes = s.modes
    paired = s.paired
    moving = w.moving
    d = 0.0
    for m in range(paired):
        d += re[m] * moving[m] - im[m] * moving[modes + m]
    for m in range(paired, modes):
        d += re[m] * moving[m]
    return d


@block
def _turn(s: ElasticGearData, w: GearScratch, c: I8):
    """Displacement of candidate c by the coordinates: traces as they are on its tooth."""
    modes = s.modes
    phi = w.phi
    re = w.real
    im = w.imaginary
    cosine = w.cosine
    sine = w.sine
    for m in range(modes):
        phi[m, c] = re[m] * cosine[m] - im[m] * sine[m]
    for m in range(s.paired):
        phi[modes + m, c] = -(re[m] * sine[m] + im[m] * cosine[m])


@block
def place_traces(s: Flanks, w: StripScratch, count: I8) -> I8:
    """Displacements of all candidates by the free motion, and the traces on both gears of those that may come into contact.
    The others stay apart during the step, and the next step finds them in time. Return the number of remaining candidates."""
    clear = CLEAR * s.near
    rows = w.candidates
    side_now = -1
    tooth_now = 0
    left = 0
    for n in range(count):
        c = candidate(w, n)
        if c.side != side_now or c.tooth != tooth_now:
            side_now = c.side
            tooth_now = c.tooth
            _phases(s.a, c.tooth, w.a)
            _phases(s.b, c.tooth_b, w.b)
        side = side_of(s, c.side)
        free = _interpolated(s.a, side.a, c.tooth, c.hat_a, c.weight_a, c.face_weight_a, w.a)
        free += _interpolated(s.b, side.b, c.tooth_b, c.hat_b, c.weight_b, c.face_weight, w.b)
        if c.base + free > clear and c.force <= 0.0:
            continue
        if left != n:
            for i in range(_CANDIDATE):
                rows[left, i] = rows[n, i]
            for q in range(s.shifts):
                w.level[left, q] = w.level[n, q]
                w.rise[left, q] = w.rise[n, q]
                w.slide[left, q] = w.slide[n, q]
        candidate(w, left).free = free
        _turn(s.a, w.a, left)
        _turn(s.b, w.b, left)
        left += 1
    return left
