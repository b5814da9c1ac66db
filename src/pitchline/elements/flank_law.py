"""Elastic gears in contact on their true flanks: the law of a mesh with motion of its own.

Both gears carry modal coordinates (`flank_modes`); what their modes do not show of the static compliance is kept as residual
compliance, so that statics is exact whatever the number of modes. Contact is along strips of the face: strip j of a tooth pair
has one force lambda_j >= 0, at the place where the flanks come nearest (`contact.strip_gaps`, tables over the phase), and a gap

    g_j = W_j (G_j(phase) - u) + u_A + u_B ,     lambda_j >= 0 ,  g_j >= 0 ,  lambda_j g_j = 0 ,

u being the approach of the teeth along the hoop, u_A and u_B the elastic displacements into the materials. Within a step

    u_A + u_B = free motion of the modes + (S_res + Phi P3 Phi^T) lambda + local(lambda) ,

S_res without its local part, for which strips of width w pressed by Hertz's pressure on half-spaces stand (Johnson, Contact
Mechanics, 1985, ch. 4 and 5; the displacement in the middle of the contact, averaged over the strip):

    local(lambda) = kappa lambda/w f(x) ,     f = 2 (asinh(w/x) - sqrt(1 + x^2/w^2) + x/w) ,     x = 0.303 b ,
    b = sqrt(4 lambda R/(pi E* w)) ,     kappa = sum of (1 - nu^2)/(pi E) ;

f = 2 ln(4 w/b) - 1 for narrow contact. Strips side by side sink each other too (`contact.half_space_hats`).
There is no penalty. The problem is solved by an active set with Newton's method for the logarithm. Force along the hoop
f = sum W lambda; the force conjugate to psi_A is -sum W G' lambda, which makes contact conservative also on tips and reliefs.
Friction of each strip, mu lambda against its own sliding, has the roll lengths as levers about both axes.

All of this depends on the step: it is worked out once a step, at Newton's first look, and only solved again at the next ones.
"""

import math

from ..math.compiled import A1, F8, I8, block, entry, leaf
from .flank_candidates import find_candidates, modulo, place_traces
from .flank_compliance import step_compliance, wide_contact
from .flank_layout import (
    C_ACTIVE,
    C_LAMBDA,
    C_LEVER,
    C_RADIUS,
    C_ROLL_A,
    C_ROLL_B,
    C_SIDE,
    C_SLOPE,
    C_STEP,
    C_STRIP,
    C_TOOTH,
    C_WIDTH,
    CANDIDATES,
    CONJUGATE,
    COUNT,
    DAMPING_RATIO,
    FACTORS,
    FORCE,
    FREE_A,
    FREE_B,
    FRICTION,
    FRICTION_A,
    FRICTION_B,
    FRICTION_LOSS,
    FRICTION_SPEED,
    IN_CONTACT,
    KAPPA,
    KEY_DONE,
    KEY_PSI,
    KEY_SUM,
    KEY_TIME,
    KEY_U,
    KEY_Y,
    KINETIC,
    LOST,
    MATRIX,
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
    PROPAGATOR,
    PROPAGATORS_A,
    PROPAGATORS_B,
    PSI_DONE,
    RATE_PSI,
    RATE_U,
    ROOM,
    SCRATCH,
    SLOTS,
    STEP_MADE,
    STORED,
    STRIPS,
    TIME_DONE,
    U_DONE,
)
from .flank_modes import end_motion, free_motion, make_propagators, modal_energy
from .flank_touch import local_distance, local_energy, substitute, touch

AT_REST = 3
"""Rounds in which contact at rest finds its width."""


@block
def _totals(p: A1, base: I8, count: I8, h: A1, at: I8, rate_a: F8, rate_b: F8):
    """Force, its derivatives, the force conjugate to psi_A and friction at the rates of psi_A and psi_B, into the memory."""
    room = int(p[base + ROOM])
    cand = int(p[base + CANDIDATES])
    fac = int(p[base + FACTORS])
    step = cand + C_STEP * room
    force = 0.0
    conjugate = 0.0
    n = 0
    for c in range(count):
        sign = 1.0 - 2.0 * p[cand + C_SIDE * room + c]
        w = p[cand + C_LEVER * room + c]
        force += sign * w * p[cand + C_LAMBDA * room + c]
        conjugate -= w * p[cand + C_SLOPE * room + c] * p[cand + C_LAMBDA * room + c]
        if p[cand + C_ACTIVE * room + c] != 0.0:
            p[step + n] = sign * w
            n += 1
    # the factors of the last iteration are those of the strips in contact
    by_u = 0.0
    by_psi = 0.0
    if n > 0:
        substitute(p, fac, room, n, step)
        n = 0
        for c in range(count):
            if p[cand + C_ACTIVE * room + c] != 0.0:
                sign = 1.0 - 2.0 * p[cand + C_SIDE * room + c]
                w = p[cand + C_LEVER * room + c]
                by_u += sign * w * p[step + n]
                by_psi -= w * p[cand + C_SLOPE * room + c] * p[step + n]
                n += 1
    mu = p[base + FRICTION]
    moment_a = 0.0
    moment_b = 0.0
    loss = 0.0
    if mu > 0.0:
        v0 = p[base + FRICTION_SPEED]
        for c in range(count):
            a = p[cand + C_ROLL_A * room + c]
            b = p[cand + C_ROLL_B * room + c]
            sliding = a * rate_a + b * rate_b
            f = mu * p[cand + C_LAMBDA * room + c] * sliding / math.sqrt(sliding * sliding + v0 * v0)
            moment_a += f * a
            moment_b += f * b
            loss += f * sliding
    h[at + FRICTION_A] = moment_a
    h[at + FRICTION_B] = moment_b
    h[at + FRICTION_LOSS] = loss
    h[at + FORCE] = force
    h[at + RATE_U] = by_u
    h[at + RATE_PSI] = by_psi
    h[at + CONJUGATE] = conjugate


@block
def _work_out(p: A1, base: I8, h: A1, at: I8, time: F8, dt: F8, u: F8, y: F8, psi: F8, total: F8):
    """All that a step needs: propagators, free motion, candidates, traces, compliance."""
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    keys = int(p[base + SCRATCH])
    prop_a = int(p[base + PROPAGATORS_A])
    prop_b = int(p[base + PROPAGATORS_B])
    free_a = int(p[base + FREE_A])
    free_b = int(p[base + FREE_B])
    zeta = p[base + DAMPING_RATIO]
    if p[keys + STEP_MADE] != dt:
        make_propagators(p, prop_a, int(p[base + OMEGA_A]), zeta, na, dt)
        make_propagators(p, prop_b, int(p[base + OMEGA_B]), zeta, nb, dt)
        p[keys + STEP_MADE] = dt
    free_motion(p, prop_a, h, at + MODAL, na, free_a)
    free_motion(p, prop_b, h, at + MODAL + 6 * na, nb, free_b)
    count = find_candidates(p, base, h, at, u, y, psi)
    if count > 0:
        count = place_traces(p, base, count)
        step_compliance(p, base, count)
    p[keys + KEY_TIME] = time
    p[keys + KEY_DONE] = h[at + TIME_DONE]
    p[keys + KEY_SUM] = total
    p[keys + KEY_PSI] = psi
    p[keys + KEY_U] = u
    p[keys + KEY_Y] = y
    p[keys + COUNT] = count


@leaf
def _rounded(dt: F8) -> F8:
    """To ten digits: steps are differences of times, whose last digits must not decide for which of them propagators are made."""
    m, e = math.frexp(dt)
    return math.ldexp(round(m * 8589934592.0) / 8589934592.0, e)


@block
def flank_solve(p: A1, base: I8, h: A1, at: I8, time: F8, dt: F8, u: F8, y: F8, psi: F8, rate_a: F8, rate_b: F8) -> I8:
    """Contact at the end of a step dt (negative: at rest) with the approach u, the centres y closer, at psi_A (counting turns).

    rate_a, rate_b: of psi_A and psi_B, for friction. Leaves force and derivatives in the memory at FORCE .. FRICTION_LOSS, the
    forces of the strips in scratch. 0: not solved."""
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    keys = int(p[base + SCRATCH])
    total = 0.0
    for i in range(4 * (na + nb)):
        total += h[at + MODAL + i]
    same = p[keys + KEY_TIME] == time and p[keys + KEY_DONE] == h[at + TIME_DONE] and p[keys + KEY_SUM] == total
    dt = _rounded(dt)
    if dt < 0.0 or not same or p[keys + STEP_MADE] != dt:
        _work_out(p, base, h, at, time, dt, u, y, psi, total)
    count = int(p[keys + COUNT])
    if touch(p, base, count, u, y, psi) == 0:
        return 0
    if dt < 0.0 and wide_contact(p, base, count) != 0:
        # neighbouring strips feel how wide contact is: in motion from the last step, at rest from the forces just found
        for _ in range(AT_REST):
            step_compliance(p, base, count)
            if touch(p, base, count, u, y, psi) == 0:
                return 0
    _totals(p, base, count, h, at, rate_a, rate_b)
    return 1


@block
def flank_accept(p: A1, base: I8, h: A1, at: I8, time: F8, u: F8, psi: F8):
    """The solved step becomes the present: modal motion, forces by strip and tooth pair, energies."""
    room = int(p[base + ROOM])
    strips = int(p[base + STRIPS])
    na = int(p[base + MODES_A])
    nb = int(p[base + MODES_B])
    keys = int(p[base + SCRATCH])
    prop_a = int(p[base + PROPAGATORS_A])
    prop_b = int(p[base + PROPAGATORS_B])
    free_a = int(p[base + FREE_A])
    free_b = int(p[base + FREE_B])
    cand = int(p[base + CANDIDATES])
    ta = int(p[base + PLACED_A])
    tb = int(p[base + PLACED_B])
    mat = int(p[base + MATRIX])
    kept = at + MODAL + 6 * (na + nb)
    count = int(p[keys + COUNT])
    for m in range(2 * na):
        p[free_a + 4 * na + m] = 0.0
    for m in range(2 * nb):
        p[free_b + 4 * nb + m] = 0.0
    for i in range(2 * SLOTS * strips):
        h[kept + i] = 0.0
    for i in range(SLOTS):
        h[at + PAIRS + i] = 0.0
    touching = 0.0
    normal = 0.0
    pressure = 0.0
    stored = 0.0
    for c in range(count):
        f = p[cand + C_LAMBDA * room + c]
        if f <= 0.0:
            continue
        touching += 1.0
        normal += f
        side = int(p[cand + C_SIDE * room + c])
        slot = modulo(int(p[cand + C_TOOTH * room + c]), SLOTS)
        h[kept + (side * SLOTS + slot) * strips + int(p[cand + C_STRIP * room + c])] = f
        h[at + PAIRS + slot] += f * (1.0 - 2.0 * side)
        width = p[cand + C_WIDTH * room + c]
        radius = p[cand + C_RADIUS * room + c]
        pressure = max(pressure, math.sqrt(f / width * p[base + MODULUS] / (math.pi * radius)))
        o = mat + c * room
        for d in range(count):
            stored += 0.5 * f * p[o + d] * p[cand + C_LAMBDA * room + d]
        if p[base + PENALTY] == 0.0:
            x = local_distance(p, base, f, width, radius)
            stored += p[base + KAPPA] / width * f * f * local_energy(x, width)
        for m in range(na):
            p[free_a + 4 * na + m] += f * p[ta + m * room + c]
            p[free_a + 5 * na + m] -= f * p[ta + (na + m) * room + c]
        for m in range(nb):
            p[free_b + 4 * nb + m] += f * p[tb + m * room + c]
            p[free_b + 5 * nb + m] -= f * p[tb + (nb + m) * room + c]
    # the matrix contains the modes of the step, whose energy is counted with the modes
    for m in range(na):
        re = p[free_a + 4 * na + m]
        im = p[free_a + 5 * na + m]
        stored -= 0.5 * p[prop_a + PROPAGATOR * m + 3] * (re * re + im * im)
    for m in range(nb):
        re = p[free_b + 4 * nb + m]
        im = p[free_b + 5 * nb + m]
        stored -= 0.5 * p[prop_b + PROPAGATOR * m + 3] * (re * re + im * im)
    end_motion(p, prop_a, h, at + MODAL, na, free_a)
    end_motion(p, prop_b, h, at + MODAL + 6 * na, nb, free_b)
    kinetic = 0.0
    lost = 0.0
    place = at + MODAL
    for gear in range(2):
        n = na if gear == 0 else nb
        omega = int(p[base + OMEGA_A]) if gear == 0 else int(p[base + OMEGA_B])
        kinetic += modal_energy(p, omega, h, place, n, 0)
        stored += modal_energy(p, omega, h, place, n, 1)
        lost += 2.0 * p[base + DAMPING_RATIO] * modal_energy(p, omega, h, place, n, 2)
        place += 6 * na
    h[at + KINETIC] = kinetic
    h[at + STORED] = stored
    h[at + LOST] = lost
    h[at + PRESSURE] = pressure
    h[at + IN_CONTACT] = touching
    h[at + NORMAL] = normal
    h[at + TIME_DONE] = time
    h[at + U_DONE] = u
    h[at + PSI_DONE] = psi
    p[keys + KEY_TIME] = math.nan  # what was worked out belongs to a step that is over


@block
def flank_rest(p: A1, base: I8, h: A1, at: I8, time: F8, u: F8, y: F8, psi: F8) -> I8:
    """Begin at rest: contact in equilibrium with the approach u, no elastic motion. 0: not solved."""
    for i in range(6 * (int(p[base + MODES_A]) + int(p[base + MODES_B]))):
        h[at + MODAL + i] = 0.0
    h[at + TIME_DONE] = time
    if flank_solve(p, base, h, at, time, -1.0, u, y, psi, 0.0, 0.0) == 0:
        return 0
    flank_accept(p, base, h, at, time, u, psi)
    return 1


@entry
def rest(p: A1, base: I8, h: A1, at: I8, time: F8, u: F8, y: F8, psi: F8) -> I8:
    """`flank_rest` for callers in Python."""
    return flank_rest(p, base, h, at, time, u, y, psi)


@entry
def step(p: A1, base: I8, h: A1, at: I8, time: F8, dt: F8, u: F8, y: F8, psi: F8, accept: I8) -> I8:
    """`flank_solve` and, if asked, `flank_accept`, for callers in Python."""
    if flank_solve(p, base, h, at, time, dt, u, y, psi, 0.0, 0.0) == 0:
        return 0
    if accept != 0:
        flank_accept(p, base, h, at, time, u, psi)
    return 1
