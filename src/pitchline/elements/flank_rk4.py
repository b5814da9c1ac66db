"""Two wheels with elastic flanks in explicit steps: Runge and Kutta's scheme of order 4, contact by a penalty.

The method of Do, Ziegler and Eberhard (Simulation of elastic gears with non-standard flank profiles, section 2), for comparison
with the law of `flank_law`. Unknowns are the rotations q of two wheels about fixed axes and the modal coordinates c of both,

    I_i q_i'' + b_i w_i = a_i (loads - springs) ,      c'' + 2 zeta w c' + w^2 c = sum over strips of conj(trace) lambda ,
    lambda = c_p max(0, -g) ,     g = W (G(phase) - u) + u_A + u_B ,

b_i = psi_i' / q_i', a_i = (angle of the joint)' / q_i' (both +1 or -1); w is conjugate to psi as in `flank_law`. There is no
compliance but that of the modes and of the penalty. Every stage of a step looks for contact anew.

The scheme is stable while the highest frequency of the gears pressed together, penalty included, times the step stays below 2.83
(Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.1; on the imaginary axis R(iy) <= 1 up to 2 sqrt 2).
"""

import math

from ..math.compiled import A1, A2, F8, I1, I8, block, entry
from ..math.functions import value_of
from .flank_candidates import find_candidates, modulo, place_traces
from .flank_layout import (
    C_BASE,
    C_FREE,
    C_LAMBDA,
    C_LEVER,
    C_RADIUS,
    C_SIDE,
    C_SLOPE,
    C_TOOTH,
    C_WIDTH,
    CANDIDATES,
    CONJUGATE,
    DAMPING_RATIO,
    FORCE,
    FREE_A,
    FREE_B,
    IN_CONTACT,
    KINETIC,
    LOST,
    MODAL,
    MODES_A,
    MODES_B,
    MODULUS,
    NORMAL,
    OMEGA_A,
    OMEGA_B,
    PAIRS,
    PENALTY,
    PLACED_A,
    PLACED_B,
    PRESSURE,
    PSI_DONE,
    ROOM,
    SLOTS,
    STORED,
    TIME_DONE,
    U_DONE,
)

WHEELS = 2
# a wheel
INERTIA, TURN, LEVER, JOINT, ANGLE_0, PSI_0, DRIVE = range(7)
"""I [kg m^2]; b; approach over psi [m]; a; angle of the joint and psi at q = 0; place of the function of its drive, -1: free."""
# a load: wheel, place of its function. A spring on a joint:
WHEEL, PLACE = 0, 1
STIFFNESS, DAMPING, FREE_ANGLE = 1, 2, 3
# rows of the work array: coordinates, rates, accelerations; those of a stage; sums over the stages
X, V, A, X_STAGE, V_STAGE, A_STAGE, X_SUM, V_SUM = range(8)
ROWS = 8
# what is found at a stage
POWER_IN, POWER_OUT, EFFORT, STRIPS_FOUND = 0, 1, 2, 4
"""Powers put in and lost; load of the drive on each joint; strips near contact."""
FOUND = 5


@block
def _strips(p: A1, base: I8, h: A1, at: I8, u: F8, psi: F8, W: A2, row: I8, pull: I8) -> I8:
    """Strips near contact, their forces (C_LAMBDA), and what these do to the modes, into row `pull`. h: no forces of strips."""
    room = int(p[base + ROOM])
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    free_a = int(p[base + FREE_A])
    free_b = int(p[base + FREE_B])
    cand = int(p[base + CANDIDATES])
    ta = int(p[base + PLACED_A])
    tb = int(p[base + PLACED_B])
    for m in range(2 * na):
        p[free_a + m] = W[row, WHEELS + m]
    for m in range(2 * nb):
        p[free_b + m] = W[row, WHEELS + 2 * na + m]
    for m in range(2 * (na + nb)):
        W[pull, WHEELS + m] = 0.0
    count = find_candidates(p, base, h, at, u, 0.0, psi)
    if count == 0:
        return 0
    count = place_traces(p, base, count)
    for c in range(count):
        f = p[base + PENALTY] * max(0.0, -(p[cand + C_BASE * room + c] + p[cand + C_FREE * room + c]))
        p[cand + C_LAMBDA * room + c] = f
        if f > 0.0:
            o = WHEELS
            for m in range(na):
                W[pull, o + m] += f * p[ta + m * room + c]
                W[pull, o + na + m] -= f * p[ta + (na + m) * room + c]
            o += 2 * na
            for m in range(nb):
                W[pull, o + m] += f * p[tb + m * room + c]
                W[pull, o + nb + m] -= f * p[tb + (nb + m) * room + c]
    return count


@block
def _accelerations(
    p: A1, base: I8, h: A1, at: I8, F: A1, wheels: A2, loads: A2, springs: A2, u_0: F8, t: F8, W: A2, row: I8, found: A1
):
    """From coordinates and rates in rows `row`, row + 1 to accelerations in row + 2. Driven wheels are put where they should be."""
    rates = row + 1
    to = row + 2
    u = u_0
    for i in range(WHEELS):
        place = int(wheels[i, DRIVE])
        if place >= 0:
            f = value_of(F, place, t)
            W[row, i] = wheels[i, JOINT] * (f[0] - wheels[i, ANGLE_0])
            W[rates, i] = wheels[i, JOINT] * f[1]
        u += wheels[i, LEVER] * wheels[i, TURN] * W[row, i]
    psi = wheels[0, PSI_0] + wheels[0, TURN] * W[row, 0]
    count = _strips(p, base, h, at, u, psi, W, row, to)
    # forces of the teeth
    room = int(p[base + ROOM])
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    cand = int(p[base + CANDIDATES])
    force = 0.0
    conjugate = 0.0
    for c in range(count):
        f = p[cand + C_LAMBDA * room + c] * p[cand + C_LEVER * room + c]
        force += f * (1.0 - 2.0 * p[cand + C_SIDE * room + c])
        conjugate -= f * p[cand + C_SLOPE * room + c]
    h[at + FORCE] = force
    h[at + CONJUGATE] = conjugate
    W[to, 0] = -wheels[0, TURN] * (force * wheels[0, LEVER] + conjugate)
    W[to, 1] = -wheels[1, TURN] * force * wheels[1, LEVER]
    # loads, springs and dampers on the joints
    power_in = 0.0
    power_out = 0.0
    for k in range(loads.shape[0]):
        i = int(loads[k, WHEEL])
        torque = wheels[i, JOINT] * value_of(F, int(loads[k, PLACE]), t)[0]
        W[to, i] += torque
        power_in += torque * W[rates, i]
    for k in range(springs.shape[0]):
        i = int(springs[k, WHEEL])
        a = wheels[i, JOINT]
        stretch = wheels[i, ANGLE_0] + a * W[row, i] - springs[k, FREE_ANGLE]
        W[to, i] -= a * springs[k, STIFFNESS] * stretch + springs[k, DAMPING] * W[rates, i]
        power_out += springs[k, DAMPING] * W[rates, i] * W[rates, i]
    for i in range(WHEELS):
        place = int(wheels[i, DRIVE])
        found[EFFORT + i] = 0.0
        if place >= 0:
            a = wheels[i, JOINT] * value_of(F, place, t)[2]
            effort = wheels[i, INERTIA] * a - W[to, i]
            found[EFFORT + i] = wheels[i, JOINT] * effort
            power_in += effort * W[rates, i]
            W[to, i] = a
        else:
            W[to, i] /= wheels[i, INERTIA]
    # modes
    zeta = p[base + DAMPING_RATIO]
    lost = 0.0
    o = WHEELS
    for part in range(4):
        n = na if part < 2 else nb
        omega = int(p[base + OMEGA_A]) if part < 2 else int(p[base + OMEGA_B])
        for m in range(n):
            w = p[omega + m]
            v = W[rates, o + m]
            W[to, o + m] -= w * (w * W[row, o + m] + 2.0 * zeta * v)
            lost += w * v * v
        o += n
    lost *= 2.0 * zeta
    h[at + LOST] = lost
    found[POWER_IN] = power_in
    found[POWER_OUT] = power_out + lost
    found[STRIPS_FOUND] = count


@block
def _remember(p: A1, base: I8, h: A1, at: I8, wheels: A2, u_0: F8, t: F8, W: A2, found: A1):
    """The state of rows X, V as the memory of `flank_law` has it, for the report: forces by tooth pair, energies, modes."""
    room = int(p[base + ROOM])
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    cand = int(p[base + CANDIDATES])
    for i in range(SLOTS):
        h[at + PAIRS + i] = 0.0
    normal = 0.0
    touching = 0.0
    pressure = 0.0
    stored = 0.0
    for c in range(int(found[STRIPS_FOUND])):
        f = p[cand + C_LAMBDA * room + c]
        if f <= 0.0:
            continue
        touching += 1.0
        normal += f
        stored += 0.5 * f * f / p[base + PENALTY]
        slot = modulo(int(p[cand + C_TOOTH * room + c]), SLOTS)
        h[at + PAIRS + slot] += f * (1.0 - 2.0 * p[cand + C_SIDE * room + c])
        area = math.pi * p[cand + C_WIDTH * room + c] * p[cand + C_RADIUS * room + c]
        pressure = max(pressure, math.sqrt(f * p[base + MODULUS] / area))
    kinetic = 0.0
    o = WHEELS
    to = at + MODAL
    for gear in range(2):
        n = na if gear == 0 else nb
        omega = int(p[base + OMEGA_A]) if gear == 0 else int(p[base + OMEGA_B])
        for m in range(2 * n):
            x = W[X, o + m]
            v = W[V, o + m]
            w = p[omega + m % n]
            h[to + m] = x
            h[to + 2 * n + m] = v
            kinetic += 0.5 * v * v
            stored += 0.5 * w * w * x * x
        o += 2 * n
        to += 6 * n
    u = u_0
    for i in range(WHEELS):
        u += wheels[i, LEVER] * wheels[i, TURN] * W[X, i]
    h[at + KINETIC] = kinetic
    h[at + STORED] = stored
    h[at + PRESSURE] = pressure
    h[at + IN_CONTACT] = touching
    h[at + NORMAL] = normal
    h[at + TIME_DONE] = t
    h[at + U_DONE] = u
    h[at + PSI_DONE] = wheels[0, PSI_0] + wheels[0, TURN] * W[X, 0]


@entry
def advance(
    p: A1, base: I8, h: A1, at: I8, F: A1, wheels: A2, loads: A2, springs: A2, u_0: F8, start: F8, step: F8, counts: I1, W: A2,
    work: A1, found: A1,
) -> I8:  # fmt: skip
    """counts[1] steps from step number counts[0] on (none: only a look at the state). Rows X, V, A of W and the memory h are those
    of the state reached, found[EFFORT:] the loads of the drives; work: energy put in and lost. 0: numbers grew beyond bounds."""
    n = W.shape[1]
    if counts[1] == 0:
        _accelerations(p, base, h, at, F, wheels, loads, springs, u_0, start + counts[0] * step, W, X, found)
    for _ in range(counts[1]):
        t = start + counts[0] * step
        put_in = found[POWER_IN]
        lost = found[POWER_OUT]
        for i in range(n):
            W[X_SUM, i] = W[V, i]
            W[V_SUM, i] = W[A, i]
            W[V_STAGE, i] = W[V, i]
            W[A_STAGE, i] = W[A, i]
        for stage in range(3):
            ahead = step if stage == 2 else 0.5 * step
            weight = 1.0 if stage == 2 else 2.0
            for i in range(n):
                W[X_STAGE, i] = W[X, i] + ahead * W[V_STAGE, i]
                W[V_STAGE, i] = W[V, i] + ahead * W[A_STAGE, i]
            _accelerations(p, base, h, at, F, wheels, loads, springs, u_0, t + ahead, W, X_STAGE, found)
            for i in range(n):
                W[X_SUM, i] += weight * W[V_STAGE, i]
                W[V_SUM, i] += weight * W[A_STAGE, i]
            put_in += weight * found[POWER_IN]
            lost += weight * found[POWER_OUT]
        for i in range(n):
            W[X, i] += step / 6.0 * W[X_SUM, i]
            W[V, i] += step / 6.0 * W[V_SUM, i]
        work[0] += step / 6.0 * put_in
        work[1] += step / 6.0 * lost
        counts[0] += 1
        _accelerations(p, base, h, at, F, wheels, loads, springs, u_0, start + counts[0] * step, W, X, found)
        if not abs(W[A, 0]) + abs(W[A, 1]) < 1e30:
            return 0
    _remember(p, base, h, at, wheels, u_0, start + counts[0] * step, W, found)
    return 1


@entry
def strips_near(p: A1, base: I8, h: A1, at: I8, wheels: A2, u: F8, psi: F8, W: A2, rows: A2) -> I8:
    """Of all strips near contact at an approach u without elastic motion: the accelerations of all coordinates by a unit force of
    each over the square root of their masses, into rows. The gears' stiffness by a penalty c_p is c_p times the sum of their
    squares. Returns how many, at most rows.shape[0]."""
    room = int(p[base + ROOM])
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    cand = int(p[base + CANDIDATES])
    ta = int(p[base + PLACED_A])
    tb = int(p[base + PLACED_B])
    for i in range(W.shape[1]):
        W[X_STAGE, i] = 0.0
    count = min(_strips(p, base, h, at, u, psi, W, X_STAGE, A_STAGE), rows.shape[0])
    for c in range(count):
        sign = 1.0 - 2.0 * p[cand + C_SIDE * room + c]
        w = p[cand + C_LEVER * room + c]
        for i in range(WHEELS):
            lever = sign * wheels[i, LEVER]
            if i == 0:
                lever -= p[cand + C_SLOPE * room + c]
            rows[c, i] = -w * lever / math.sqrt(wheels[i, INERTIA]) if wheels[i, DRIVE] < 0.0 else 0.0
        o = WHEELS
        for m in range(2 * na):
            rows[c, o + m] = p[ta + m * room + c] if m < na else -p[ta + m * room + c]
        o += 2 * na
        for m in range(2 * nb):
            rows[c, o + m] = p[tb + m * room + c] if m < nb else -p[tb + m * room + c]
    return count
