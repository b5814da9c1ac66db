"""Stability of contact and modes of elastic gears for a given step size.

Modes are propagated exactly, with forces that are linear within a step; contact requires gaps at its end. Such a method
becomes unstable for motion that changes its sign from step to step (as linear acceleration does at w h = 2 sqrt 3). For this
motion, a mode moves by H times its force: x1 = -x0 = E x0 + P2 f0 + P3 f1 with f1 = -f0. Without damping

    H = (1 - tan(w h/2)/(w h/2)) / w^2 ,

negative: against the force. Contact is stable if the compliance of the strips, residual compliance or penalty, is larger: if S
+ Phi H Phi^T is positive. All strips that may be in contact together are included; any subset of them is then also stable.
"""

from ..math.compiled import A1, A2, F8, I8, block, entry
from ..math.fields import record_over
from .flank_candidates import find_candidates, place_traces
from .flank_compliance import NARROW, step_compliance
from .flank_modes import make_propagators
from .flank_records import ContactMemory, ElasticGearData, Flanks, GearScratch, StripScratch, candidate
from .flank_touch import local_tangent

_flanks, _memory, _scratch = record_over(Flanks), record_over(ContactMemory), record_over(StripScratch)


@block
def _alternate(s: ElasticGearData, zeta: F8, step: F8, w: GearScratch):
    """H of all modes of a gear in the place of their compliance within the step; no free motion."""
    for i in range(w.coordinates):
        w.free[i] = 0.0
    make_propagators(w.propagators, s.omega, zeta, step)
    for m in range(s.modes):
        p = w.propagators[m]
        # (1 + E) x0 = (P3 - P2) f0
        e00 = 1.0 + p[0]
        e11 = 1.0 + p[5]
        b0 = p[3] - p[2]
        b1 = p[7] - p[6]
        p[3] = (b0 * e11 - p[1] * b1) / (e00 * e11 - p[1] * p[4])


@entry
def alternating_compliance(flanks: A1, memory: A1, scratch: A1, u: F8, psi: F8, step: F8, out: A2) -> I8:
    """S + Phi H Phi^T of all strips near contact at the approach u and psi_A, into out. Returns how many they are.

    The arrays hold the records of an element, without forces and motion in its memory; its scratch is used."""
    s = _flanks(flanks, 0)
    w = _scratch(scratch, 0)
    w.made_for = -1.0  # no step: the propagators are changed here
    _alternate(s.a, s.damping_ratio, step, w.a)
    _alternate(s.b, s.damping_ratio, step, w.b)
    count = find_candidates(s, _memory(memory, 0), w, u, 0.0, psi)
    if count == 0:
        return 0
    count = place_traces(s, w, count)
    w.count = count
    step_compliance(s, w)
    for n in range(count):
        for k in range(count):
            out[n, k] = w.matrix[n, k]
        if s.penalty == 0.0:  # local compliance where contact is as wide as a line load may be
            width = candidate(w, n).width
            out[n, n] += s.kappa / width * local_tangent(NARROW * width, width)
    return count
