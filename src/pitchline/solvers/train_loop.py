"""The step loop of trains: generalized-alpha on a handful of scalar coordinates.

The method, its coefficients, predictor, tolerance and output are those of `step_loop` and `generalized_alpha`; only the
evaluation is scalar, and Newton has a new matrix at every iteration. Angles are kept as principal values and whole turns, so that
no number of turns costs a digit, and a step may be any number of turns. Poses, multipliers and memory are brought up to date when
they are looked at.

State of the train, one array that a checkpoint keeps: coordinates, turns, then offsets e0 of springs, s0 of drives, psi_A, psi_B
and whole teeth of meshes, then the poses from which coordinates are counted.
"""

import math

import numpy as np

from ..elements.mesh_geometry import ENDS, LEVER_A, LEVER_B, PITCH, PSI_A, PSI_B, RACK, SCALARS, TEETH_A, TEETH_B
from ..elements.mesh_law import spring_law
from ..elements.mesh_law_layout import (
    BACKLASH,
    BEND,
    DAMPER,
    DAMPING_MODE,
    ERROR_TERM,
    FC_A,
    FC_B,
    FORCE_C,
    LAW,
    NEVER_PULLING,
    OFFSET,
    POWER,
    SMOOTHING,
    TABLED,
    TERMS,
    W_A,
    W_AA,
    W_AB,
    W_B,
    W_BA,
    W_BB,
)
from ..elements.mesh_law_layout import DEPTH as DEEP
from ..elements.mesh_limits import (
    CONTACT_ENDS,
    DEPTH,
    LEFT,
    LIMITS,
    PARTED,
    SHARE_NOW,
    fade_law,
    travel_share,
    wrong_teeth,
)
from ..math.compiled import A1, A2, A3, B1, F8, I1, I2, I8, block, entry, leaf
from ..math.functions import value_of
from ..system.nodes import move
from ..system.train import Train
from ..system.train_layout import (
    DRIVE_A,
    DRIVE_S0,
    LOAD_FACTOR,
    MESH_AI,
    MESH_AJ,
    MESH_PSI_A,
    MESH_PSI_B,
    MESH_ROUND,
    MESH_TEETH,
    SPRING_AI,
    SPRING_AJ,
    SPRING_C,
    SPRING_E0,
    SPRING_K,
    TIE_A,
    TIE_B,
    TWO_PI,
)
from .generalized_alpha import (
    A0,
    AF,
    AM,
    BETA,
    BLOWN,
    CHUNK,
    COMMITTING,
    DONE,
    DQ,
    EVALUATIONS,
    EVERY,
    EXTRAPOLATE,
    FACTORISATIONS,
    FLOOR,
    FULL,
    GAMMA,
    H_LAST,
    H_WANT,
    INTERVAL,
    LAM,
    LAM1,
    LAM_BEFORE,
    LOOK_AFTER,
    POWER_IN,
    POWER_OUT,
    POWER_TEETH,
    RTOL,
    SAMPLES,
    STEPS,
    STOP_INDEX,
    STRIDE,
    STUCK,
    T_END,
    T_NOW,
    TURN_RATE,
    TURNED,
    V1,
    VD,
    VD1,
    WORK_IN,
    WORK_OUT,
    WORK_TEETH,
    A,
    V,
    call_commit,
)
from .step_loop import chosen_step, next_stop, record
from .turn_limits import HALF_TURN

MOST_ITERATIONS = 20
NOT_LINEAR = 1e300
"""In place of the slack of a mesh whose law is not linear on either flank: that of a pinion at the end of its rack."""


def initial_state(train: Train, pose: np.ndarray) -> np.ndarray:
    """The state of a train at the state in which it was found."""
    n = len(train.mass)
    return np.concatenate(
        [
            np.zeros(2 * n), train.springs[:, SPRING_E0], train.drives[:, DRIVE_S0],
            train.meshes[:, [MESH_PSI_A, MESH_PSI_B, MESH_TEETH]].ravel(), pose.ravel(),
        ]
    )  # fmt: skip


def scratch(train: Train) -> tuple[np.ndarray, ...]:
    """Arrays that the loop works in."""
    n, free = len(train.mass), int(train.group.max()) + 1
    known = len(train.loads) + len(train.drives)
    return (
        np.zeros((free, free)), np.zeros((free, free)), np.zeros(n), np.zeros(free), np.zeros(n), np.zeros(known), np.zeros(2),
        np.zeros(free), np.zeros(len(train.meshes)),
    )  # fmt: skip


@leaf
def _evaluate(
    o: A1, h: F8, q: A2, state: A1, tangent: I8, outside: A1, base: A2, W: A2, r: A1, powers: A1, par: A1, functions: A1,
    mass: A1, gain: A1, springs: A2, meshes: A2, group: I1, spring_at: I2, mesh_at: I2, n_drives: I8, slack: A1, J: A2,
):  # fmt: skip
    """Residual r of all coordinates (loads from `outside`) and, if asked, the matrix W = base + meshes. slack: s of every mesh,
    or how deep the teeth of its table are in each other."""
    n = mass.size
    s = o[BETA] * h * h
    gh = o[GAMMA] * h
    for i in range(n):
        r[i] = mass[i] * q[VD1, i] + outside[i]
    if tangent:
        for i in range(W.shape[0]):
            for j in range(W.shape[0]):
                W[i, j] = base[i, j]
    at = 2 * n
    lost = 0.0
    put_in = 0.0
    for k in range(springs.shape[0]):
        i = spring_at[k, 0]
        j = spring_at[k, 1]
        a = springs[k, SPRING_AI]
        e = a * (state[i] + q[DQ, i])
        turns = a * state[n + i]
        rate = a * q[V1, i]
        if j >= 0:
            b = springs[k, SPRING_AJ]
            e += b * (state[j] + q[DQ, j])
            turns += b * state[n + j]
            rate += b * q[V1, j]
        damper = springs[k, SPRING_C] * rate
        w = springs[k, SPRING_K] * (e + TWO_PI * turns + state[at + k]) + damper
        lost += damper * rate
        r[i] += a * w
        if j >= 0:
            r[j] += springs[k, SPRING_AJ] * w
    at += springs.shape[0] + n_drives
    for k in range(meshes.shape[0]):
        i = mesh_at[k, 0]
        j = mesh_at[k, 1]
        a = meshes[k, MESH_AI]
        b = meshes[k, MESH_AJ]
        psi_a = state[at + 3 * k]
        psi_b = state[at + 3 * k + 1]
        rate_a = 0.0
        rate_b = 0.0
        if i >= 0:
            psi_a += a * q[DQ, i]
            rate_a = a * q[V1, i]
        if j >= 0:
            psi_b += b * q[DQ, j]
            rate_b = b * q[V1, j]
        p = par[mesh_at[k, 2] : mesh_at[k, 3]]
        cA = p[LEVER_A]
        cB = p[LEVER_B]
        J[SCALARS, PSI_A] = psi_a
        J[SCALARS, PSI_B] = psi_b
        rate = cA * rate_a + cB * rate_b
        u = cA * psi_a + cB * psi_b + p[PITCH] * state[at + 3 * k + 2]
        rack = p[RACK] != 0.0 and int(p[ENDS]) == CONTACT_ENDS
        if rack:
            travel_share(p, J)
            J[LIMITS, LEFT] = p[DEPTH]
            u -= p[PITCH] * wrong_teeth(p, u, PARTED, J)  # the state does not tell whether it left its rack
        spring_law(p, functions, u, p[BACKLASH], rate, 0.0, 0.0, rate_a, rate_b, 1.0, tangent, J)
        slack[k] = u + J[TERMS, ERROR_TERM] - p[OFFSET] if p[TABLED] == 0.0 else J[LAW, DEEP]
        if rack and J[LIMITS, SHARE_NOW] != 1.0:
            fade_law(p, tangent, J)
            slack[k] = NOT_LINEAR
        put_in += J[LAW, POWER]
        lost += J[LAW, FORCE_C] * rate
        if i >= 0:
            r[i] += a * J[LAW, W_A]
        if j >= 0:
            r[j] += b * J[LAW, W_B]
        if tangent:
            damper = gh * J[LAW, DAMPER]
            fa = s * J[LAW, FC_A] + damper * cA
            fb = s * J[LAW, FC_B] + damper * cB
            if i >= 0:
                a *= gain[i]
                i = group[i]
                W[i, i] += a * a * (s * J[LAW, W_AA] + cA * fa)
            if j >= 0:
                b *= gain[j]
                j = group[j]
                W[j, j] += b * b * (s * J[LAW, W_BB] + cB * fb)
                if i >= 0:
                    W[i, j] += a * b * (s * J[LAW, W_AB] + cA * fb)
                    W[j, i] += a * b * (s * J[LAW, W_BA] + cB * fa)
    powers[0] = put_in
    powers[1] = lost


@leaf
def _solve(n: I8, W: A2, x: A1):
    """x <- W^-1 x; the rows of motion are dominated by their masses at the steps that trains take: no pivoting."""
    for k in range(n):
        inverse = 1.0 / W[k, k]
        for i in range(k + 1, n):
            factor = W[i, k] * inverse
            if factor != 0.0:
                for j in range(k + 1, n):
                    W[i, j] -= factor * W[k, j]
                x[i] -= factor * x[k]
    for k in range(n - 1, -1, -1):
        t = x[k]
        for j in range(k + 1, n):
            t -= W[k, j] * x[j]
        x[k] = t / W[k, k]


@leaf
def _side(s: F8, b: F8) -> I8:
    if s >= 0.0:
        return 1
    return -1 if s <= -b else 0


@leaf
def _stays_linear(d: F8, tolerance: F8, x: A1, gain: A1, meshes: A2, group: I1, mesh_at: I2, par: A1, slack: A1) -> B1:
    """Whether a correction by x of size d leaves all teeth on their flanks. The laws are then linear, but for the second order of
    what varies over the mesh cycle, and the correction was exact. (An error of amplitude X leaves (k s/m) (X/r) (z d)^2, where
    X is less than a module, 2 r/z, and k s/m less than 1. Of tables, on one flank, the change of their stiffness is looked at.)"""
    for k in range(meshes.shape[0]):
        p = par[mesh_at[k, 2] : mesh_at[k, 3]]
        if p[SMOOTHING] > 0.0 or int(p[DAMPING_MODE]) == NEVER_PULLING:
            return False
        if not p[TEETH_A] * d * d < tolerance:
            return False
        i = mesh_at[k, 0]
        j = mesh_at[k, 1]
        s = slack[k]
        if s == NOT_LINEAR:
            return False
        if i >= 0:
            s -= p[LEVER_A] * meshes[k, MESH_AI] * gain[i] * x[group[i]]
        if j >= 0:
            s -= p[LEVER_B] * meshes[k, MESH_AJ] * gain[j] * x[group[j]]
        if p[TABLED] != 0.0:
            if not (s * slack[k] > 0.0 and p[BEND] * abs(s - slack[k]) * d < tolerance):
                return False
        elif _side(s, p[BACKLASH]) != _side(slack[k], p[BACKLASH]):
            return False
    return True


@block
def _base(o: A1, h: F8, mass: A1, gain: A1, springs: A2, group: I1, spring_at: I2, base: A2):
    """Constant part of the matrix for a step size."""
    c_M = (1.0 - o[AM]) / (1.0 - o[AF])
    for i in range(base.shape[0]):
        for j in range(base.shape[0]):
            base[i, j] = 0.0
    for i in range(mass.size):
        base[group[i], group[i]] += c_M * mass[i] * gain[i] * gain[i]
    for k in range(springs.shape[0]):
        w = o[BETA] * h * h * springs[k, SPRING_K] + o[GAMMA] * h * springs[k, SPRING_C]
        i = spring_at[k, 0]
        j = spring_at[k, 1]
        a = springs[k, SPRING_AI] * gain[i]
        i = group[i]
        base[i, i] += w * a * a
        if j >= 0:
            b = springs[k, SPRING_AJ] * gain[j]
            j = group[j]
            base[j, j] += w * b * b
            base[i, j] += w * a * b
            base[j, i] += w * a * b


@leaf
def _step(
    o: A1, t: F8, h: F8, exact: I8, q: A2, l: A2, integers: I1, floats: A1, state: A1, base: A2, W: A2, r: A1, x: A1,
    outside: A1, known: A1, powers: A1, slack: A1, par: A1, functions: A1, weight: A1, mass: A1, force: A1, rotation: A1,
    gain: A1, springs: A2, loads: A2, drives: A2, meshes: A2, ties: A2, group: I1, spring_at: I2, load_at: I2, drive_at: I2,
    mesh_at: I2, tie_at: I2,
    held: A1, J: A2,
) -> I8:  # fmt: skip
    """One step to time t; new values are in rows V1, VD1, DQ. 0 if Newton fails.

    exact: forces of ties and drives are wanted at the end of the step; they are behind by Newton's last correction otherwise."""
    n = mass.size
    n_free = W.shape[0]
    am = o[AM]
    af = o[AF]
    be = o[BETA]
    ga = o[GAMMA]
    s = be * h * h
    gp = ga / (be * h)
    bp = (1.0 - am) / (s * (1.0 - af))
    ratio = h / floats[H_LAST] if floats[H_LAST] > 0.0 else 1.0
    ahead = ratio if integers[EXTRAPOLATE] == 1 and floats[H_LAST] > 0.0 else 0.0
    largest = 0.0
    for i in range(n):
        vd0 = q[VD, i]
        a0 = vd0 + ratio * (q[A, i] - vd0)
        q[A0, i] = a0
        vd = vd0 + ahead * (vd0 - q[3, i])
        a1 = ((1.0 - af) * vd + af * vd0 - am * a0) / (1.0 - am)
        q[VD1, i] = vd
        q[V1, i] = q[V, i] + h * ((1.0 - ga) * a0 + ga * a1)
        q[DQ, i] = h * (q[V, i] + h * ((0.5 - be) * a0 + be * a1))
        largest = max(largest, abs(vd0) * weight[i])
        outside[i] = force[i]
    # wheels follow the one they are tied to, exactly: inwards last, hence outwards first in reverse
    for k in range(ties.shape[0] - 1, -1, -1):
        i = tie_at[k, 0]
        j = tie_at[k, 1]
        g = gain[i] / gain[j]
        q[VD1, i] = g * q[VD1, j]
        q[V1, i] = g * q[V1, j]
        q[DQ, i] = g * q[DQ, j]
    tolerance = max(o[RTOL] * largest * s, 1e-3 * o[FLOOR])
    n_loads = loads.shape[0]
    for k in range(n_loads):
        known[k] = loads[k, LOAD_FACTOR] * value_of(functions, load_at[k, 1], t)[0]
        outside[load_at[k, 0]] -= known[k]
    at = 2 * n + springs.shape[0]
    for k in range(drives.shape[0]):
        i = drive_at[k, 0]
        target = value_of(functions, drive_at[k, 1], t)
        known[n_loads + k] = target[1]
        # whole turns are counted, not taken out: a step may be any number of them
        to = drives[k, DRIVE_A] * (target[0] - state[at + k]) - TWO_PI * state[n + i] - state[i]
        x0 = to - q[DQ, i]
        for j in range(n):
            if group[j] == group[i]:
                q[DQ, j] += gain[j] * x0
                q[V1, j] += gain[j] * gp * x0
                q[VD1, j] += gain[j] * bp * x0
    last = 0.0
    settled = False
    tangent = 1
    corrections = 0
    for _ in range(MOST_ITERATIONS):
        _evaluate(
            o, h, q, state, tangent, outside, base, W, r, powers, par, functions, mass, gain, springs, meshes, group,
            spring_at, mesh_at, drives.shape[0], slack, J,
        )  # fmt: skip
        integers[EVALUATIONS] += 1
        if settled:
            break
        for i in range(n_free):
            x[i] = 0.0
        for i in range(n):
            x[group[i]] += s * gain[i] * r[i]
        if corrections > 0 and tangent == 0:
            # what a correction could be at most: masses alone against the imbalance
            most = 0.0
            for i in range(n):
                k = group[i]
                if held[k] == 0.0:
                    most = max(most, abs(gain[i] * x[k]) / base[k, k] * weight[i])
            if most < tolerance:
                settled = True
                break
            tangent = 1
            continue
        for i in range(n_free):
            if held[i] != 0.0:
                for j in range(n_free):
                    W[i, j] = 0.0
                    W[j, i] = 0.0
                W[i, i] = 1.0
                x[i] = 0.0
        _solve(n_free, W, x)
        integers[FACTORISATIONS] += 1
        corrections += 1
        tangent = 0
        d = 0.0
        for i in range(n):
            step = gain[i] * x[group[i]]
            size = abs(step) * weight[i]
            if not size <= d:
                d = size
            q[DQ, i] -= step
            q[V1, i] -= gp * step
            q[VD1, i] -= bp * step
        if not d < 1e3:
            return 0
        settled = d < 1e-3 * tolerance or (corrections > 1 and (d < tolerance or (d < o[FLOOR] and d > 0.2 * last)))
        if exact == 0 and _stays_linear(d, tolerance, x, gain, meshes, group, mesh_at, par, slack):
            settled = True
            break
        last = d
    if not settled:
        return 0
    put_in = powers[0]
    # tooth forces of tied wheels: each balances its wheel and what hangs on it
    for k in range(ties.shape[0]):
        i = tie_at[k, 0]
        lam = -r[i] / ties[k, TIE_A]
        r[tie_at[k, 1]] += ties[k, TIE_B] * lam
        l[LAM1, tie_at[k, 2]] = lam
    for k in range(drives.shape[0]):
        i = drive_at[k, 0]
        lam = -r[i] * drives[k, DRIVE_A]
        l[LAM1, drive_at[k, 2]] = lam
        put_in -= lam * known[n_loads + k]
    for k in range(loads.shape[0]):
        put_in += known[k] * q[V1, load_at[k, 0]]
    floats[WORK_TEETH] += 0.5 * h * (powers[0] + floats[POWER_TEETH])
    floats[POWER_TEETH] = powers[0]
    floats[WORK_IN] += 0.5 * h * (put_in + floats[POWER_IN])
    floats[WORK_OUT] += 0.5 * h * (powers[1] + floats[POWER_OUT])
    floats[POWER_IN] = put_in
    floats[POWER_OUT] = powers[1]
    return 1


@leaf
def _accept(
    o: A1, q: A2, l: A2, integers: I1, floats: A1, state: A1, par: A1, weight: A1, h: F8, t: F8, rotation: A1, springs: A2,
    drives: A2, meshes: A2, mesh_at: I2,
) -> F8:  # fmt: skip
    """The new values become the motion. Returns the largest rotation of the step."""
    n = rotation.size
    plain = 0.0
    better = 0.0
    turned = 0.0
    ratio = h / floats[H_LAST] if floats[H_LAST] > 0.0 else 0.0
    am = o[AM]
    af = o[AF]
    for i in range(n):
        vd = q[VD, i]
        vd1 = q[VD1, i]
        plain += abs(vd1 - vd) * weight[i]
        better += abs(vd1 - vd - ratio * (vd - q[3, i])) * weight[i]
        q[A, i] = ((1.0 - af) * vd1 + af * vd - am * q[A0, i]) / (1.0 - am)
        q[3, i] = vd
        q[VD, i] = vd1
        q[V, i] = q[V1, i]
        state[i] += q[DQ, i]
        if rotation[i] != 0.0:
            turned = max(turned, abs(q[DQ, i]))
            if abs(state[i]) > math.pi:
                w = np.round(state[i] / TWO_PI)
                state[i] -= TWO_PI * w
                state[n + i] += w
    integers[EXTRAPOLATE] = 1 if ratio > 0.0 and better < plain else 0
    at = 2 * n + springs.shape[0] + drives.shape[0]
    for k in range(meshes.shape[0]):
        i = mesh_at[k, 0]
        j = mesh_at[k, 1]
        par0 = mesh_at[k, 2]
        if i >= 0:
            psi = state[at + 3 * k] + meshes[k, MESH_AI] * q[DQ, i]
            if abs(psi) > math.pi:
                w = np.round(psi / TWO_PI)
                psi -= TWO_PI * w
                state[at + 3 * k + 2] += w * par[par0 + TEETH_A]
            state[at + 3 * k] = psi
        if j >= 0:
            psi = state[at + 3 * k + 1] + meshes[k, MESH_AJ] * q[DQ, j]
            if meshes[k, MESH_ROUND] != 0.0 and abs(psi) > math.pi:
                w = np.round(psi / TWO_PI)
                psi -= TWO_PI * w
                state[at + 3 * k + 2] += w * par[par0 + TEETH_B]
            state[at + 3 * k + 1] = psi
    for i in range(l.shape[1]):
        l[LAM_BEFORE, i] = l[LAM, i]
        l[LAM, i] = l[LAM1, i]
    floats[T_NOW] = t
    floats[H_LAST] = h
    integers[STEPS] += 1
    return turned


@entry
def advance_train(
    budget: I8, code: I1, o: A1, q: A2, l: A2, pose: A2, mem: A1, integers: I1, floats: A1, state: A1,
    s_t: A1, s_pose: A3, s_v: A2, s_vd: A2, s_lam: A2, s_mem: A2, s_work: A2,
    base: A2, W: A2, r: A1, x: A1, outside: A1, known: A1, powers: A1, held: A1, slack: A1, pose0: A2, K: A2, c: A1, weight: A1,
    commits: I1, nodes: I2, T: A3,
    mass: A1, force: A1, rotation: A1, gain: A1, springs: A2, loads: A2, drives: A2, meshes: A2, ties: A2,
    group: I1, spring_at: I2, load_at: I2, drive_at: I2, mesh_at: I2, tie_at: I2,
    elements: I2, par: A1, functions: A1, lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
) -> I8:  # fmt: skip
    """As `step_loop.advance`, with a fixed step, for a train. STUCK: the general way has to go on from here."""
    n = mass.size
    first = state.size - pose.size
    for k in range(pose.shape[0]):
        for i in range(7):
            pose0[k, i] = state[first + 7 * k + i]
    for k in range(drives.shape[0]):
        held[group[drive_at[k, 0]]] = 1.0
    h_base = 0.0
    outcome = CHUNK
    for _ in range(budget):
        t = floats[T_NOW]
        if t >= o[T_END]:
            outcome = DONE
            break
        if integers[SAMPLES] >= s_t.size:
            outcome = FULL
            break
        stop = next_stop(o, integers[STOP_INDEX])
        h = chosen_step(o, floats[H_WANT], stop - t, 0.0)
        lands = h >= (stop - t) * (1.0 - 1e-6)
        t1 = stop if lands else t + h
        if h != h_base:
            _base(o, h, mass, gain, springs, group, spring_at, base)
            h_base = h
        every = int(o[EVERY])
        if every == 0:
            due = (integers[STEPS] + 1) % integers[STRIDE] == 0
        else:
            due = lands and (integers[STOP_INDEX] + 1) % every == 0
        due = due or t1 >= o[T_END]
        exact = 0
        if due:
            exact = 1
        good = _step(
            o, t1, h, exact, q, l, integers, floats, state, base, W, r, x, outside, known, powers, slack, par, functions, weight,
            mass, force, rotation, gain, springs, loads, drives, meshes, ties, group, spring_at, load_at, drive_at, mesh_at, tie_at,
            held, lJ,
        )  # fmt: skip
        if good == 0:
            outcome = STUCK
            break
        turned = _accept(o, q, l, integers, floats, state, par, weight, h, t1, rotation, springs, drives, meshes, mesh_at)
        if lands and o[INTERVAL] > 0.0:
            integers[STOP_INDEX] += 1
        floats[TURN_RATE] = turned / h
        if due or floats[TURNED] + turned > min(o[LOOK_AFTER], HALF_TURN - 1.1 * turned):
            # elements count turns by looking: on the way too, where a step goes far
            looks = math.ceil(turned / HALF_TURN) if turned > 0.0 else 1
            first_look = 0 if floats[TURNED] + turned / looks > HALF_TURN else 1
            for k in range(first_look, looks + 1):
                for i in range(n):
                    r[i] = state[i] - (1.0 - k / looks) * q[DQ, i]
                move(nodes, T, pose0, r, pose, K)
                call_commit(
                    code[COMMITTING], commits, l, mem, c, K, elements, par, functions, lP, lV, lA, ll, lr, lJ,
                )  # fmt: skip
            floats[TURNED] = 0.0
        else:
            floats[TURNED] += turned
        if due:
            record(q, l, pose, mem, integers, floats, s_t, s_pose, s_v, s_vd, s_lam, s_mem, s_work)
        if not abs(q[V, 0]) < 1e150:
            outcome = BLOWN
            break
    move(nodes, T, pose0, state[0:n], pose, K)
    return outcome
