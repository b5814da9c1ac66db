"""Modal motion of elastic gears over one step, exact for forces that change linearly.

Each coordinate obeys  c'' + 2 zeta w c' + w^2 c = f(t)  with  f = f0 + (f1 - f0) t/h  over a step h. A particular solution
is  x = f/w^2 - 2 zeta (f1 - f0)/(h w^3), the rest is free decay, so that

    c1 = P0 c0 + P1 v0 + P2 f0 + P3 f1 ,      v1 = P4 c0 + P5 v0 + P6 f0 + P7 f1 .

P3 is the compliance of the mode within the step: (h^2/6 for h -> 0). At rest (represented by h = 0) P3 = 1/w^2 and all others
are 0.
"""

import math

from ..math.compiled import A1, A2, F8, I8, block
from .flank_records import PROPAGATOR, ElasticGearData, GearScratch


@block
def make_propagators(P: A2, omega: A1, zeta: F8, h: F8):
    """P0 .. P7 of modes with the circular frequencies omega, one row each."""
    for m in range(omega.size):
        w = omega[m]
        p = P[m]
        a = 1.0 / (w * w)
        for i in range(PROPAGATOR):
            p[i] = 0.0
        p[3] = a
        if h == 0.0:
            continue
        decay = math.exp(-zeta * w * h)
        wd = w * math.sqrt(1.0 - zeta * zeta)
        s = decay * math.sin(wd * h) / wd
        c = decay * math.cos(wd * h)
        g = 2.0 * zeta * a / (w * h)
        q = a / h
        p[0] = c + zeta * w * s
        p[1] = s
        p[2] = -p[0] * (a + g) + s * q + g
        p[3] = p[0] * g - s * q + a - g
        p[4] = -w * w * s
        p[5] = c - zeta * w * s
        p[6] = -p[4] * (a + g) + p[5] * q - q
        p[7] = p[4] * g - p[5] * q + q


@block
def free_motion(w: GearScratch, c: A1, rate: A1, force: A1):
    """Coordinates and rates at the end of the step without a force there, from those at its start and the force at the start."""
    modes = w.modes
    P = w.propagators
    free = w.free
    free_rate = w.free_rate
    for i in range(w.coordinates):
        p = P[i if i < modes else i - modes]
        free[i] = p[0] * c[i] + p[1] * rate[i] + p[2] * force[i]
        free_rate[i] = p[4] * c[i] + p[5] * rate[i] + p[6] * force[i]


@block
def end_motion(w: GearScratch, c: A1, rate: A1, force: A1):
    """Free motion plus the effect of the force at the end of the step. The force is stored."""
    modes = w.modes
    P = w.propagators
    free = w.free
    free_rate = w.free_rate
    found = w.force
    for i in range(w.coordinates):
        p = P[i if i < modes else i - modes]
        c[i] = free[i] + p[3] * found[i]
        rate[i] = free_rate[i] + p[7] * found[i]
        force[i] = found[i]


@block
def modal_energy(s: ElasticGearData, c: A1, rate: A1, which: I8) -> F8:
    """Kinetic (0) or elastic (1) energy of the modes; (2): sum of w |v|^2; the power loss is 2 zeta times this sum."""
    modes = s.modes
    omega = s.omega
    e = 0.0
    for i in range(modes + s.paired):
        w = omega[i if i < modes else i - modes]
        if which == 0:
            e += 0.5 * rate[i] * rate[i]
        elif which == 1:
            e += 0.5 * w * w * c[i] * c[i]
        else:
            e += w * rate[i] * rate[i]
    return e
