"""Whether contact and modes of elastic gears stay bounded in steps of a given length.

Modes are propagated exactly, with forces that are linear within a step; contact asks for gaps at its end. Motion that changes its
sign from step to step is where such a scheme becomes unstable (as that of linear acceleration does at w h = 2 sqrt 3). For it a
mode moves by H times its force: x1 = -x0 = E x0 + P2 f0 + P3 f1 with f1 = -f0. Without damping

    H = (1 - tan(w h/2)/(w h/2)) / w^2 ,

negative: against the force. Contact is stable while what strips yield by themselves, residual compliance or penalty, outweighs
that: while S + Phi H Phi^T is positive. All strips that may touch together are taken; any part of them is then stable too.
"""

from ..math.compiled import A1, A2, F8, I8, entry
from .flank_candidates import find_candidates, place_traces
from .flank_compliance import NARROW, step_compliance
from .flank_layout import (
    C_WIDTH,
    CANDIDATES,
    DAMPING_RATIO,
    FREE_A,
    FREE_B,
    KAPPA,
    MATRIX,
    MODES_A,
    MODES_B,
    OMEGA_A,
    OMEGA_B,
    PENALTY,
    PROPAGATOR,
    PROPAGATORS_A,
    PROPAGATORS_B,
    ROOM,
)
from .flank_modes import make_propagators
from .flank_touch import local_tangent


@entry
def alternating_compliance(p: A1, base: I8, h: A1, at: I8, u: F8, psi: F8, step: F8, out: A2) -> I8:
    """S + Phi H Phi^T of all strips near contact at the approach u and psi_A, into out. Returns how many they are.

    p: a copy of the parameters of an element, whose scratch is used. h: memory without forces and motion."""
    room = int(p[base + ROOM])
    for gear in range(2):
        n = int(p[base + MODES_A]) if gear == 0 else int(p[base + MODES_B])
        free = int(p[base + FREE_A]) if gear == 0 else int(p[base + FREE_B])
        omega = int(p[base + OMEGA_A]) if gear == 0 else int(p[base + OMEGA_B])
        at_p = int(p[base + PROPAGATORS_A]) if gear == 0 else int(p[base + PROPAGATORS_B])
        for i in range(2 * n):
            p[free + i] = 0.0
        make_propagators(p, at_p, omega, p[base + DAMPING_RATIO], n, step)
        for m in range(n):
            o = at_p + PROPAGATOR * m
            # (1 + E) x0 = (P3 - P2) f0
            e00 = 1.0 + p[o]
            e11 = 1.0 + p[o + 5]
            b0 = p[o + 3] - p[o + 2]
            b1 = p[o + 7] - p[o + 6]
            p[o + 3] = (b0 * e11 - p[o + 1] * b1) / (e00 * e11 - p[o + 1] * p[o + 4])
    count = find_candidates(p, base, h, at, u, 0.0, psi)
    if count == 0:
        return 0
    count = place_traces(p, base, count)
    step_compliance(p, base, count)
    mat = int(p[base + MATRIX])
    width = int(p[base + CANDIDATES]) + C_WIDTH * room
    for c in range(count):
        for d in range(count):
            out[c, d] = p[mat + c * room + d]
        if p[base + PENALTY] == 0.0:  # local compliance where contact is as wide as a line load may be
            w = p[width + c]
            out[c, c] += p[base + KAPPA] / w * local_tangent(NARROW * w, w)
    return count
