"""The compiled loop over steps: stops, step control, output.

Stops are the multiples of the step itself (fixed step) or of the output step (error control), and the end. A step that
fails is repeated in smaller pieces up to the same stop. With error control the step follows the error estimate, but small
changes are not made: they would cost a new matrix.
"""

from typing import NamedTuple

import numpy as np

from ..elements.contract import N_COEFFICIENTS, RESIDUAL, TANGENT
from ..math.compiled import A1, A2, A3, F8, I1, I2, I8, U1, U2, entry, leaf
from ..system.nodes import ACCELERATION, VELOCITY, end_tangents, move, spread
from .generalized_alpha import (
    A0,
    ASSEMBLE,
    BLOWN,
    CHOOSE,
    CHOOSE_AT,
    CHUNK,
    CLOSING,
    COMMITTING,
    CUT,
    CUT_FOR_TURNS,
    DONE,
    DQ,
    EVERY,
    EXTRAPOLATE,
    FAILURES,
    FIXED,
    FULL,
    GROWTH,
    H_FACTORED,
    H_LAST,
    H_MAX,
    H_MIN,
    H_WANT,
    HAVE_FACTORS,
    IMPACT,
    INTERVAL,
    LAM,
    LAM1,
    LOOK_AFTER,
    LOOK_WAY,
    LOOSE,
    LOOSE_LIMIT,
    LOOSE_NOW,
    MOST_TURN,
    MOVED,
    N_FLOATS,
    N_INTEGERS,
    NEWTON,
    PIVOT,
    REJECTED,
    ROWS,
    SAMPLE_DUE,
    SAMPLES,
    STABILISED,
    STEP,
    STEPS,
    STOP_INDEX,
    STRIDE,
    STUCK,
    T0,
    T_END,
    T_NOW,
    TOO_SMALL,
    TURN_LIMIT,
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
    accept,
    add_work,
    call_assemble,
    call_close,
    call_commit,
    call_newton,
    call_rows,
    fastest_turn,
    longest_way,
    position_error,
    predict,
    set_coefficients,
    touched,
)
from .turn_limits import HALF_TURN, OPEN, driven_turn, largest_gap, look_back, turning_pieces

MOST_GROWTH = 10.0
"""Growth of the answer of multipliers to violations, since constraints were chosen, at which the choice is looked at again."""


class Motion(NamedTuple):
    """State of the integrator: with the factors of the matrix all that is needed to go on, bit by bit."""

    q: np.ndarray  # (8, coordinates), rows as in `generalized_alpha`
    l: np.ndarray  # (3, multipliers)
    pose: np.ndarray  # (nodes, 7)
    mem: np.ndarray
    integers: np.ndarray
    floats: np.ndarray


class Work(NamedTuple):
    """Scratch of the loop. D and pivot hold the dense factors between steps."""

    pose1: np.ndarray
    K: np.ndarray
    E: np.ndarray
    r: np.ndarray
    x: np.ndarray
    b: np.ndarray
    c: np.ndarray
    Ax: np.ndarray
    D: np.ndarray
    pivot: np.ndarray


class Samples(NamedTuple):
    """Room for output: one row a sample."""

    t: np.ndarray
    pose: np.ndarray
    v: np.ndarray
    vd: np.ndarray
    lam: np.ndarray
    mem: np.ndarray
    work: np.ndarray  # (n, 3): work put in, energy dissipated, and of the former the part of teeth without a potential


@entry
def record(
    q: A2, l: A2, pose: A2, mem: A1, integers: I1, floats: A1, s_t: A1, s_pose: A3, s_v: A2, s_vd: A2, s_lam: A2,
    s_mem: A2, s_work: A2
):  # fmt: skip
    """Append the present motion to the samples."""
    k = integers[SAMPLES]
    s_t[k] = floats[T_NOW]
    for i in range(pose.shape[0]):
        for j in range(7):
            s_pose[k, i, j] = pose[i, j]
    for i in range(q.shape[1]):
        s_v[k, i] = q[V, i]
        s_vd[k, i] = q[VD, i]
    for i in range(l.shape[1]):
        s_lam[k, i] = l[LAM, i]
    for i in range(mem.size):
        s_mem[k, i] = mem[i]
    s_work[k, 0] = floats[WORK_IN]
    s_work[k, 1] = floats[WORK_OUT]
    s_work[k, 2] = floats[WORK_TEETH]
    integers[SAMPLES] = k + 1


@leaf
def next_stop(o: A1, index: I8) -> F8:
    """The next time at which a step must end."""
    if o[INTERVAL] > 0.0:
        stop = o[T0] + (index + 1) * o[INTERVAL]
        if stop < o[T_END] - 1e-9 * o[INTERVAL]:
            return stop
    return o[T_END]


@leaf
def chosen_step(o: A1, wanted: F8, left: F8, turning: F8) -> F8:
    """Step to take: the wanted one, fitted to what is left to the stop. turning: largest angular speed of a body; 0 where it does
    not matter."""
    if o[FIXED] != 0.0:
        if turning > 0.0:
            wanted = min(wanted, o[STEP] / turning_pieces(o, turning))
        if wanted >= o[STEP] and abs(left - o[STEP]) < 1e-6 * o[STEP]:
            return o[STEP]  # the same number every time, so that the matrix serves on
    elif wanted * turning > o[TURN_LIMIT]:
        wanted = o[TURN_LIMIT] / turning
    if wanted >= left * (1.0 - 1e-10):
        return left
    if wanted > 0.5 * left:
        return 0.5 * left
    return wanted


@entry
def advance(
    budget: I8, code: I1, o: A1, q: A2, l: A2, pose: A2, mem: A1, integers: I1, floats: A1,
    s_t: A1, s_pose: A3, s_v: A2, s_vd: A2, s_lam: A2, s_mem: A2, s_work: A2,
    pose1: A2, K: A2, E: A2, r: A1, x: A1, b: A1, c: A1, Ax: A1, D: A2, pivot: I1, fi: U1, fx: A1,
    Ap: U1, Ai: U1, weight: A1, constraints: I1, commits: I1, opening: I1, driven: I1,
    nodes: I2, T: A3, elements: I2, active: I8, par: A1, functions: A1, equation: I1, lam_scale: A1, scatter: U2, scatter_scale: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
) -> I8:  # fmt: skip
    """Take steps until the end, `budget` steps, full output or trouble. Returns the outcome."""
    fixed = o[FIXED] != 0.0
    for _ in range(budget):
        t = floats[T_NOW]
        if t >= o[T_END]:
            return DONE
        if integers[SAMPLES] >= s_t.size:
            return FULL
        stop = next_stop(o, integers[STOP_INDEX])
        turning = floats[TURN_RATE]
        if not fixed or floats[H_LAST] == 0.0:
            spread(nodes, T, q[V], VELOCITY, K)
            turning = fastest_turn(K)
        h = chosen_step(o, floats[H_WANT], stop - t, turning)
        lands = h >= (stop - t) * (1.0 - 1e-6)
        t1 = stop if lands else t + h
        if driven.size > 0:
            turn = driven_turn(t, t1, driven, elements, par, functions)
            if turn > HALF_TURN:  # Newton could find the angle a turn off
                floats[H_WANT] = h * max(0.1, 0.9 * HALF_TURN / turn)
                if floats[H_WANT] < o[H_MIN]:
                    return STUCK
                continue
        # the algorithmic acceleration belongs to the time t + (am - af) h: it follows a change of the step
        ratio = h / floats[H_LAST] if floats[H_LAST] > 0.0 else 1.0
        for i in range(q.shape[1]):
            q[A0, i] = q[VD, i] + ratio * (q[A, i] - q[VD, i])
        if integers[HAVE_FACTORS] == 1 and not 0.6 < h / floats[H_FACTORED] < 1.5:
            integers[HAVE_FACTORS] = 0
        failures = integers[FAILURES]
        outcome = call_newton(
            code[NEWTON], code, o, t1, h, q, l, pose, mem, integers, floats, pose1, K, E, r, x, b, c, Ax, D, pivot,
            fi, fx, Ap, Ai, weight,
            constraints, nodes, T, elements, active, par, functions, equation, lam_scale, scatter, scatter_scale, lP,
            lV, lA, ll, lr, lJ,
        )  # fmt: skip
        if outcome == PIVOT:
            integers[HAVE_FACTORS] = 0
            return PIVOT
        failed = integers[FAILURES] > failures and integers[CHOOSE_AT] <= integers[STEPS]
        if integers[CHOOSE_AT] >= 0 and (failed or floats[GROWTH] > MOST_GROWTH):
            # of dependent constraints others may have to be left out by now; the step is then taken again
            integers[HAVE_FACTORS] = 0
            return CHOOSE
        turned = 0.0
        way = 0.0
        if outcome == DONE:
            spread(nodes, T, q[DQ], VELOCITY, K)
            turned = fastest_turn(K)
            way = longest_way(K)
            if turned > o[MOST_TURN]:
                outcome = STUCK
            elif floats[TURNED] + turned > o[MOST_TURN] and commits.size > 0:
                # too far since elements looked last: what they saw in this step may be a turn off
                look_back(
                    code, commits, q, l, pose, mem, pose1, K, c, nodes, T, elements, par, functions, x, lP, lV, lA, ll, lr, lJ,
                )  # fmt: skip
                floats[TURNED] = 0.0
                continue
        if outcome == STUCK:
            floats[H_WANT] = 0.25 * h
            if floats[H_WANT] < o[H_MIN]:
                return STUCK
            continue
        wanted = floats[H_WANT]
        if fixed:
            wanted = min(o[STEP], 2.0 * wanted)
        else:
            error = position_error(o, h, q, weight)
            if not error < 1e30:
                return BLOWN
            factor = min(2.0, max(0.2, 0.8 * max(error, 1e-6) ** (-1.0 / 3.0)))
            if error > 1.0:
                integers[REJECTED] += 1
                floats[H_WANT] = h * factor
                if floats[H_WANT] < o[H_MIN]:
                    return TOO_SMALL
                continue
            if factor < 0.95 or factor > 1.25:
                # a step cut short by a stop says little about longer ones
                wanted = max(wanted, h * factor) if lands and factor > 1.0 else h * factor
            wanted = min(o[H_MAX], wanted)
        if o[STABILISED] != 0.0 and constraints.size > 0:
            closed = call_close(
                code[CLOSING], code, o, q, l, pose, mem, integers, pose1, K, E, r, x, b, c, Ax, D, pivot, fi, fx, Ap, Ai, weight,
                constraints, nodes, T, elements, active, par, functions, equation, lam_scale, scatter, scatter_scale,
                lP, lV, lA, ll, lr, lJ,
            )  # fmt: skip
            if closed == 0:
                move(nodes, T, pose, q[DQ], pose1, K)
                call_rows(
                    code[ROWS], RESIDUAL, c, l[LAM1], mem, K, r, constraints, elements, par, functions, equation, lam_scale,
                    lP, lV, lA, ll, lr, lJ,
                )  # fmt: skip
                if not largest_gap(r, equation, lam_scale, weight, opening) < OPEN:
                    # constraints on velocities alone pass over what drives do within the step
                    integers[HAVE_FACTORS] = 0
                    floats[H_WANT] = 0.25 * h
                    if floats[H_WANT] < o[H_MIN]:
                        return STUCK
                    continue
        move(nodes, T, pose, q[DQ], pose1, K)
        accept(o, t1, h, q, l, pose, pose1, integers, floats, weight)
        floats[H_WANT] = wanted
        add_work(h, c, floats)
        floats[TURN_RATE] = turned / h
        if lands and o[INTERVAL] > 0.0:
            if fixed and t - o[T0] > (integers[STOP_INDEX] + 1e-6) * o[INTERVAL]:
                integers[CUT] += 1
                if turning_pieces(o, floats[TURN_RATE]) > 1.0:
                    integers[CUT_FOR_TURNS] += 1
            integers[STOP_INDEX] += 1
        every = int(o[EVERY])
        if every == 0:
            due = integers[STEPS] % integers[STRIDE] == 0
        else:
            due = lands and integers[STOP_INDEX] % every == 0
        due = due or t1 >= o[T_END]
        # what elements remember are whole turns and teeth: they look before the next step can bring them too far
        floats[TURNED] += turned
        floats[MOVED] += way
        far = floats[TURNED] > min(o[LOOK_AFTER], o[MOST_TURN] - 1.1 * turned) or floats[MOVED] > o[LOOK_WAY]
        if commits.size > 0 and (due or far):
            call_commit(
                code[COMMITTING], commits, l, mem, c, K, elements, par, functions, lP, lV, lA, ll, lr, lJ,
            )  # fmt: skip
            floats[TURNED] = 0.0
            floats[MOVED] = 0.0
        if opening.size > 0 and touched(l, opening):
            integers[SAMPLE_DUE] = 1 if due else 0
            return IMPACT
        if due:
            record(q, l, pose, mem, integers, floats, s_t, s_pose, s_v, s_vd, s_lam, s_mem, s_work)
        if floats[LOOSE_NOW] > floats[LOOSE_LIMIT]:
            return LOOSE
        for i in range(pose.shape[0]):
            if not abs(pose[i, 0]) + abs(pose[i, 1]) + abs(pose[i, 2]) < 1e150:
                return BLOWN
    return CHUNK


@entry
def prepare_matrix(
    code: I1, o: A1, q: A2, l: A2, pose: A2, mem: A1, integers: I1, floats: A1, pose1: A2, K: A2, E: A2, r: A1, c: A1, Ax: A1,
    nodes: I2, T: A3, elements: I2, active: I8, par: A1, functions: A1, equation: I1, lam_scale: A1, scatter: U2, scatter_scale: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """Matrix of the first iteration of the next step, for the choice of pivots."""
    h = floats[H_WANT]
    s = set_coefficients(o, floats[T_NOW] + h, h, c)
    for i in range(q.shape[1]):
        q[A0, i] = q[A, i]
    predict(o, q, l, integers[EXTRAPOLATE], h, floats[H_LAST])
    move(nodes, T, pose, q[DQ], pose1, K)
    spread(nodes, T, q[V1], VELOCITY, K)
    spread(nodes, T, q[VD1], ACCELERATION, K)
    turn = end_tangents(nodes, q[DQ], E)
    call_assemble(
        code[ASSEMBLE], TANGENT, turn, c, s, l[LAM1], mem, K, E, r, Ax, nodes, T, elements, active, par, functions,
        equation, lam_scale,
        scatter, scatter_scale, lP, lV, lA, ll, lr, lJ,
    )  # fmt: skip


def new_motion(nodes: int, nq: int, nlam: int, nmem: int) -> Motion:
    return Motion(
        q=np.zeros((8, nq)),
        l=np.zeros((3, nlam)),
        pose=np.zeros((nodes, 7)),
        mem=np.zeros(nmem),
        integers=np.zeros(N_INTEGERS, np.int64),
        floats=np.zeros(N_FLOATS),
    )


def new_work(nodes: int, n: int, values: int, dense: bool) -> Work:
    """Scratch arrays of a system's size."""
    return Work(
        pose1=np.zeros((nodes, 7)),
        K=np.zeros((nodes, 24)),
        E=np.zeros((nodes, 9)),
        r=np.zeros(n),
        x=np.zeros(n),
        b=np.zeros(n),
        c=np.zeros(N_COEFFICIENTS),
        Ax=np.zeros(values),
        D=np.zeros((n, n) if dense else (0, 0)),
        pivot=np.zeros(n, np.int64),
    )


def new_samples(room: int, nodes: int, nq: int, nlam: int, nmem: int) -> Samples:
    return Samples(
        t=np.zeros(room),
        pose=np.zeros((room, nodes, 7)),
        v=np.zeros((room, nq)),
        vd=np.zeros((room, nq)),
        lam=np.zeros((room, nlam)),
        mem=np.zeros((room, nmem)),
        work=np.zeros((room, 3)),
    )
