"""Compliance of strips in contact within a step: residual compliance, modes, and the half-space between strips of a tooth."""

import math

from ..math.compiled import A1, A2, F8, I8, block, leaf
from .flank_candidates import modulo
from .flank_records import COUPLINGS, Candidate, ElasticGearData, Flanks, GearScratch, StripScratch, candidate, side_of
from .flank_touch import local_distance

NARROW, GROWS = 0.1, 2.2
"""Up to this fraction of the strip width, contact counts as a line (0.303 b / w); from 0.18 on its real width is used."""


@leaf
def _between(S: A2, o: I8, g: I8, wg: F8, h: I8, wh: F8, stride: I8) -> F8:
    """Compliance between two points that lie between two hats each, in the block of S whose first row is o."""
    s0 = S[o + g]
    s1 = S[o + g + stride]
    return (1.0 - wg) * ((1.0 - wh) * s0[h] + wh * s0[h + stride]) + wg * ((1.0 - wh) * s1[h] + wh * s1[h + stride])


@block
def _on_faces(S: A2, o: I8, g: I8, wg: F8, eg: F8, h: I8, wh: F8, eh: F8, stride: I8) -> F8:
    """The same between points that lie between two lines of hats, by eg and eh of their distance."""
    if eg == 0.0 and eh == 0.0:
        return _between(S, o, g, wg, h, wh, stride)
    value = (1.0 - eg) * (1.0 - eh) * _between(S, o, g, wg, h, wh, stride)
    if eg > 0.0:
        value += eg * (1.0 - eh) * _between(S, o, g + 1, wg, h, wh, stride)
        if eh > 0.0:
            value += eg * eh * _between(S, o, g + 1, wg, h + 1, wh, stride)
    if eh > 0.0:
        value += (1.0 - eg) * eh * _between(S, o, g, wg, h + 1, wh, stride)
    return value


@block
def _residual(s: Flanks, c: Candidate, d: Candidate) -> F8:
    """Residual compliance of both gears between two candidates of one side."""
    side = side_of(s, c.side)
    offsets = s.offsets
    o = c.tooth - d.tooth
    if o < -offsets or o > offsets:
        return 0.0
    on_a = side.a
    place = (o + offsets) * on_a.hats
    if s.a.own != 0:
        place += modulo(d.tooth, s.a.teeth) * (2 * offsets + 1) * on_a.hats
    value = _on_faces(
        on_a.compliance, place, c.hat_a, c.weight_a, c.face_weight_a, d.hat_a, d.weight_a, d.face_weight_a, s.a.faces
    )
    on_b = side.b
    place = (o * s.sense + offsets) * on_b.hats
    if s.b.own != 0:
        place += modulo(d.tooth_b, s.b.teeth) * (2 * offsets + 1) * on_b.hats
    return value + _on_faces(
        on_b.compliance, place, c.hat_b, c.weight_b, c.face_weight, d.hat_b, d.weight_b, d.face_weight, s.b.faces
    )


@leaf
def _coupling(s: Flanks, c: Candidate, d: Candidate) -> F8:
    """Effect of a force on strip d of a tooth pair on its strip c through the half-space: as a line load, which makes contact
    conservative, and less if the contact is so wide that strips would be loaded alternately."""
    strips = s.strips
    x = math.sqrt(c.distance * d.distance)
    x = GROWS * max(x - NARROW * c.width, 0.0) / s.coupling_step
    i = min(int(x), COUPLINGS - 2)
    t = min(x - i, 1.0)
    row = i * strips + c.strip
    return (1.0 - t) * s.coupling[row, d.strip] + t * s.coupling[row + strips, d.strip]


@block
def wide_contact(s: Flanks, w: StripScratch) -> I8:
    """Whether the current forces cause a contact that is wider than a line."""
    for n in range(w.count):
        c = candidate(w, n)
        if local_distance(s, c.force, c.width, c.radius) > NARROW * c.width:
            return 1
    return 0


@leaf
def _add_pair(to: A1, x: A1, y: A1, re: F8, im: F8):
    for d in range(to.size):
        to[d] += re * x[d] + im * y[d]


@block
def _add_modes(s: ElasticGearData, w: GearScratch, c: I8, to: A1):
    """Add the compliance of the modes of a gear between candidate c and those up to it."""
    modes = s.modes
    paired = s.paired
    phi = w.phi
    P = w.propagators
    for m in range(paired):
        within = P[m, 3]
        # slices, whose indices cannot be negative, are summed several at once
        x = phi[m, : c + 1]
        y = phi[modes + m, : c + 1]
        _add_pair(to, x, y, within * x[c], within * y[c])
    for m in range(paired, modes):
        x = phi[m, : c + 1]
        re = P[m, 3] * x[c]
        for d in range(to.size):
            to[d] += re * x[d]


@block
def step_compliance(s: Flanks, w: StripScratch):
    """The matrix of all candidates: residual compliance and modes within the step."""
    count = w.count
    matrix = w.matrix
    for n in range(count):
        # with the forces of the last step
        c = candidate(w, n)
        c.distance = local_distance(s, c.force, c.width, c.radius)
    for n in range(count):
        c = candidate(w, n)
        row = matrix[n, : n + 1]
        for k in range(n + 1):
            d = candidate(w, k)
            value = 0.0
            if s.penalty > 0.0:
                if n == k:
                    value = 1.0 / s.penalty
            elif c.side == d.side:
                value = _residual(s, c, d)
                if n != k and c.tooth == d.tooth:
                    value += _coupling(s, c, d)
            row[k] = value
        _add_modes(s.a, w.a, n, row)
        _add_modes(s.b, w.b, n, row)
    for n in range(count):
        for k in range(n):
            matrix[k, n] = matrix[n, k]
