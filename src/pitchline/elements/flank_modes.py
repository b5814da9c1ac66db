"""Modal motion of elastic gears over one step, exact for forces that change linearly.

Each complex coordinate obeys  c'' + 2 zeta w c' + w^2 c = f(t)  with  f = f0 + (f1 - f0) t/h  over a step h. A particular solution
is  x = f/w^2 - 2 zeta (f1 - f0)/(h w^3), the rest is free decay, so that

    c1 = P0 c0 + P1 v0 + P2 f0 + P3 f1 ,      v1 = P4 c0 + P5 v0 + P6 f0 + P7 f1 .

P3 is the compliance of the mode within the step: (h^2/6 for h -> 0). At rest (h < 0 stands for it) P3 = 1/w^2 and all else is 0.
"""

import math

from ..math.compiled import A1, F8, I8, block
from .flank_layout import PROPAGATOR


@block
def make_propagators(p: A1, at: I8, omega: I8, zeta: F8, n: I8, h: F8):
    """P0 .. P7 of n modes into p[at:]; their circular frequencies are p[omega:]."""
    for m in range(n):
        w = p[omega + m]
        o = at + PROPAGATOR * m
        a = 1.0 / (w * w)
        for i in range(PROPAGATOR):
            p[o + i] = 0.0
        p[o + 3] = a
        if h < 0.0:
            continue
        decay = math.exp(-zeta * w * h)
        wd = w * math.sqrt(1.0 - zeta * zeta)
        s = decay * math.sin(wd * h) / wd
        c = decay * math.cos(wd * h)
        g = 2.0 * zeta * a / (w * h)
        q = a / h
        p[o] = c + zeta * w * s
        p[o + 1] = s
        p[o + 2] = -p[o] * (a + g) + s * q + g
        p[o + 3] = p[o] * g - s * q + a - g
        p[o + 4] = -w * w * s
        p[o + 5] = c - zeta * w * s
        p[o + 6] = -p[o + 4] * (a + g) + p[o + 5] * q - q
        p[o + 7] = p[o + 4] * g - p[o + 5] * q + q


@block
def free_motion(p: A1, at: I8, h: A1, modal: I8, n: I8, free: I8):
    """Coordinates and rates at the end of the step without a force there, into p[free:]: real, imaginary c, real, imaginary v."""
    for part in range(2):
        c = modal + part * n
        v = modal + (2 + part) * n
        f = modal + (4 + part) * n
        to_c = free + part * n
        to_v = free + (2 + part) * n
        for m in range(n):
            o = at + PROPAGATOR * m
            p[to_c + m] = p[o] * h[c + m] + p[o + 1] * h[v + m] + p[o + 2] * h[f + m]
            p[to_v + m] = p[o + 4] * h[c + m] + p[o + 5] * h[v + m] + p[o + 6] * h[f + m]


@block
def end_motion(p: A1, at: I8, h: A1, modal: I8, n: I8, free: I8):
    """The free motion plus what the force at the end of the step adds; the force, in p[free + 4 n:], is remembered too."""
    for part in range(2):
        c = modal + part * n
        v = modal + (2 + part) * n
        f = modal + (4 + part) * n
        from_c = free + part * n
        from_v = free + (2 + part) * n
        force = free + (4 + part) * n
        for m in range(n):
            o = at + PROPAGATOR * m
            h[c + m] = p[from_c + m] + p[o + 3] * p[force + m]
            h[v + m] = p[from_v + m] + p[o + 7] * p[force + m]
            h[f + m] = p[force + m]


@block
def modal_energy(p: A1, omega: I8, h: A1, modal: I8, n: I8, which: I8) -> F8:
    """Kinetic (0) or elastic (1) energy of the modes; (2): sum of w |v|^2, of which 2 zeta times is lost as power."""
    e = 0.0
    for part in range(2):
        c = modal + part * n
        v = modal + (2 + part) * n
        for m in range(n):
            w = p[omega + m]
            if which == 0:
                e += 0.5 * h[v + m] * h[v + m]
            elif which == 1:
                e += 0.5 * w * w * h[c + m] * h[c + m]
            else:
                e += w * h[v + m] * h[v + m]
    return e
