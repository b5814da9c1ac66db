"""Compliance of strips in contact within a step: residual compliance, modes, and the half-space between strips of a tooth."""

import math

from ..math.compiled import A1, F8, I8, block, leaf
from .flank_layout import (
    C_DISTANCE,
    C_FACE_WEIGHT,
    C_HAT_A,
    C_HAT_B,
    C_LAMBDA,
    C_RADIUS,
    C_SIDE,
    C_STRIP,
    C_TOOTH,
    C_WEIGHT_A,
    C_WEIGHT_B,
    C_WIDTH,
    CANDIDATES,
    COMPLIANCE_A,
    COMPLIANCE_B,
    COUPLING,
    COUPLING_STEP,
    COUPLINGS,
    FACES_A,
    FACES_B,
    HATS_A,
    HATS_B,
    MATRIX,
    MODES_A,
    MODES_B,
    OFFSETS,
    PENALTY,
    PLACED_A,
    PLACED_B,
    PROPAGATOR,
    PROPAGATORS_A,
    PROPAGATORS_B,
    ROOM,
    SENSE,
    SIDE,
    SIDE_SIZE,
    STRIPS,
)
from .flank_touch import local_distance

NARROW, GROWS = 0.1, 2.2
"""Contact counts as a line up to this part of its strip's width (0.303 b over w); from 0.18 on its own width counts."""


@leaf
def _between(p: A1, o: I8, hats: I8, g: I8, wg: F8, sg: I8, h: I8, wh: F8, sh: I8) -> F8:
    """Compliance between two points that lie between two hats each."""
    o0 = o + g * hats
    o1 = o0 + sg * hats
    return (1.0 - wg) * ((1.0 - wh) * p[o0 + h] + wh * p[o0 + h + sh]) + wg * ((1.0 - wh) * p[o1 + h] + wh * p[o1 + h + sh])


@block
def _residual(p: A1, base: I8, cand: I8, room: I8, c: I8, d: I8) -> F8:
    """Residual compliance of both gears between two candidates of one side."""
    q = base + SIDE + int(p[cand + C_SIDE * room + c]) * SIDE_SIZE
    offsets = int(p[base + OFFSETS])
    hats_a = int(p[base + HATS_A])
    hats_b = int(p[base + HATS_B])
    o = int(p[cand + C_TOOTH * room + c]) - int(p[cand + C_TOOTH * room + d])
    if o < -offsets or o > offsets:
        return 0.0
    fa = int(p[base + FACES_A])
    value = _between(
        p, int(p[q + COMPLIANCE_A]) + (o + offsets) * hats_a * hats_a, hats_a, int(p[cand + C_HAT_A * room + c]),
        p[cand + C_WEIGHT_A * room + c], fa, int(p[cand + C_HAT_A * room + d]), p[cand + C_WEIGHT_A * room + d], fa,
    )  # fmt: skip
    o *= int(p[base + SENSE])
    fb = int(p[base + FACES_B])
    place = int(p[q + COMPLIANCE_B]) + (o + offsets) * hats_b * hats_b
    g = int(p[cand + C_HAT_B * room + c])
    h = int(p[cand + C_HAT_B * room + d])
    wg = p[cand + C_WEIGHT_B * room + c]
    wh = p[cand + C_WEIGHT_B * room + d]
    eg = p[cand + C_FACE_WEIGHT * room + c]
    eh = p[cand + C_FACE_WEIGHT * room + d]
    if eg == 0.0 and eh == 0.0:
        return value + _between(p, place, hats_b, g, wg, fb, h, wh, fb)
    value += (1.0 - eg) * (1.0 - eh) * _between(p, place, hats_b, g, wg, fb, h, wh, fb)
    if eg > 0.0:
        value += eg * (1.0 - eh) * _between(p, place, hats_b, g + 1, wg, fb, h, wh, fb)
        if eh > 0.0:
            value += eg * eh * _between(p, place, hats_b, g + 1, wg, fb, h + 1, wh, fb)
    if eh > 0.0:
        value += (1.0 - eg) * eh * _between(p, place, hats_b, g, wg, fb, h + 1, wh, fb)
    return value


@leaf
def _coupling(p: A1, base: I8, cand: I8, room: I8, c: I8, d: I8) -> F8:
    """What a force on strip d of a tooth pair does to its strip c through the half-space: as a line load, which makes contact
    conservative, and less where contact is so wide that strips would be loaded by turns."""
    strips = int(p[base + STRIPS])
    x = math.sqrt(p[cand + C_DISTANCE * room + c] * p[cand + C_DISTANCE * room + d])
    x = GROWS * max(x - NARROW * p[cand + C_WIDTH * room + c], 0.0) / p[base + COUPLING_STEP]
    i = min(int(x), COUPLINGS - 2)
    t = min(x - i, 1.0)
    o = int(p[base + COUPLING]) + (i * strips + int(p[cand + C_STRIP * room + c])) * strips + int(p[cand + C_STRIP * room + d])
    return (1.0 - t) * p[o] + t * p[o + strips * strips]


@block
def wide_contact(p: A1, base: I8, count: I8) -> I8:
    """Whether the forces at hand make contact anywhere wider than a line."""
    room = int(p[base + ROOM])
    cand = int(p[base + CANDIDATES])
    for c in range(count):
        width = p[cand + C_WIDTH * room + c]
        x = local_distance(p, base, p[cand + C_LAMBDA * room + c], width, p[cand + C_RADIUS * room + c])
        if x > NARROW * width:
            return 1
    return 0


@block
def _add_modes(p: A1, propagators: I8, traces: I8, modes: I8, room: I8, c: I8, row: I8):
    """Adds the compliance of the modes of a gear between candidate c and those up to it."""
    for m in range(modes):
        within = p[propagators + PROPAGATOR * m + 3]
        o = traces + m * room
        q = traces + (modes + m) * room
        re = within * p[o + c]
        im = within * p[q + c]
        # slices, whose indices cannot be negative, are summed several at once
        to = p[row : row + c + 1]
        x = p[o : o + c + 1]
        y = p[q : q + c + 1]
        for d in range(c + 1):
            to[d] += re * x[d] + im * y[d]


@block
def step_compliance(p: A1, base: I8, count: I8):
    """The matrix of all candidates: residual compliance and modes within the step."""
    room = int(p[base + ROOM])
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    prop_a = int(p[base + PROPAGATORS_A])
    prop_b = int(p[base + PROPAGATORS_B])
    cand = int(p[base + CANDIDATES])
    ta = int(p[base + PLACED_A])
    tb = int(p[base + PLACED_B])
    mat = int(p[base + MATRIX])
    for c in range(count):
        # with the forces of the last step
        force = p[cand + C_LAMBDA * room + c]
        width = p[cand + C_WIDTH * room + c]
        p[cand + C_DISTANCE * room + c] = local_distance(p, base, force, width, p[cand + C_RADIUS * room + c])
    for c in range(count):
        row = mat + c * room
        for d in range(c + 1):
            s = 0.0
            if p[base + PENALTY] > 0.0:
                if c == d:
                    s = 1.0 / p[base + PENALTY]
            elif p[cand + C_SIDE * room + c] == p[cand + C_SIDE * room + d]:
                s = _residual(p, base, cand, room, c, d)
                if c != d and p[cand + C_TOOTH * room + c] == p[cand + C_TOOTH * room + d]:
                    s += _coupling(p, base, cand, room, c, d)
            p[row + d] = s
        _add_modes(p, prop_a, ta, na, room, c, row)
        _add_modes(p, prop_b, tb, nb, room, c, row)
    for c in range(count):
        for d in range(c):
            p[mat + d * room + c] = p[mat + c * room + d]
