"""Lie-group generalized-alpha for constrained systems: one step.

Method (Arnold & Bruels 2007; Bruels, Cardona & Arnold 2012), order 2. With a the algorithmic acceleration,

    (1 - am) a1 + am a0 = (1 - af) vd1 + af vd0
    dq = h v0 + h^2 ((1/2 - b) a0 + b a1),   pose1 = pose0 o exp(T dq),   v1 = v0 + h ((1 - g) a0 + g a1)
    M vd1 + f(q1, v1, t1) + B^T lam1 = 0,   Phi(q1, t1) = 0

solved by Newton for (dq, lam), the matrix being kept over steps while it serves. HHT is the same with other coefficients.

Stabilised form (index 2; Arnold, Cardona & Bruels 2015): the multipliers follow from B v1 + Phi_t = 0, and positions are then
brought onto Phi = 0, both by the same matrix. Velocities are exact, a change of the step leaves no trace in the multipliers
(in index 3 it does, because velocities miss their constraints by O(h^2)), and the double eigenvalue is gone whose sensitivity
lets the reactions of orbiting bodies grow at moderate steps. It costs up to twice as much.
"""

import numpy as np

from ..elements.contract import (
    C_D,
    C_K,
    C_L,
    C_M,
    COMMIT,
    DAMP,
    LOAD,
    LOSS_RATE,
    RATE,
    RESIDUAL,
    TANGENT,
    TEETH_RATE,
    TIME,
    WORK_RATE,
)
from ..math.calling import address_of, caller_of
from ..math.compiled import A1, A2, A3, B1, F8, I1, I2, I8, U1, U2, block, entry, leaf
from ..system.assembly import LAM0, NLAM, assemble, call_element, constraint_rows
from ..system.nodes import ACCELERATION, VELOCITY, end_tangents, move, spread
from .linear import call_factorise, call_solve, solver_addresses

call_assemble = caller_of(assemble.signature)
call_rows = caller_of(constraint_rows.signature)

# places in the array of addresses
ASSEMBLE, ROWS, FACTORISE, SOLVE, NEWTON, CLOSING, COMMITTING = range(7)

# rows of the array q: velocities, accelerations, algorithmic accelerations, accelerations a step before; then of the step
# in progress: velocities, accelerations, algorithmic accelerations at its start, increments
V, VD, A, VD_BEFORE, V1, VD1, A0, DQ = range(8)
# rows of the array l: multipliers now, a step before, at the end of the step in progress
LAM, LAM_BEFORE, LAM1 = range(3)

# outcome of a step or of a run
DONE, CHUNK, FULL, STUCK, PIVOT, LOOSE, BLOWN, TOO_SMALL, IMPACT, CHOOSE = range(10)

# places in the array of integers: counters and flags
STEPS, EVALUATIONS, FACTORISATIONS, REJECTED, FAILURES, ROUNDED = range(6)
HAVE_FACTORS, EXTRAPOLATE, STOP_INDEX, SAMPLES, STRIDE, WORST, SAMPLE_DUE, STEP_FACTORED, CHOOSE_AT, CHOOSE_WAIT = range(6, 16)
CUT, CUT_FOR_TURNS = 16, 17  # fixed steps that were not taken in one piece; those of them in which a body turns too far
N_INTEGERS = 18
# places in the array of floats: what goes on from step to step
T_NOW, H_WANT, H_LAST, H_FACTORED, WORK_IN, WORK_OUT, POWER_IN, POWER_OUT, LOOSE_LIMIT, LOOSE_NOW, TURNED = range(11)
LEAST_GAIN, GROWTH = range(11, 13)
TURN_RATE = 13  # largest angular speed of a body in the last step
WORK_TEETH, POWER_TEETH = 14, 15  # of what is put in, the part of teeth whose force has no potential
MOVED = 16  # way of the bodies since elements looked last, at most [m]
N_FLOATS = 17
# places in the array of options
AM, AF, BETA, GAMMA, RTOL, FLOOR, STABILISED, FIXED, STEP = range(9)
H_MIN, H_MAX, TOLERANCE, TURN_LIMIT, T0, T_END, INTERVAL, EVERY, LOOK_AFTER, FOLLOW = range(9, 19)
MOST_TURN = 19  # largest rotation of a body in a step (`turn_limits`)
LOOK_WAY = 20  # way of a body after which elements look at what they remember [m]
N_OPTIONS = 21

ROUNDING = 1e-6
"""Largest correction of positions, as a part of the step's way, that is accepted as rounding when Newton stops improving."""
DEFAULT = 1e-7
"""Newton's tolerance by default, relative to the largest acceleration or multiplier."""
MOST_ROUNDING = 1e3
"""Rounding that a mechanism magnifies, over FLOOR. Newton may end there, within its default tolerance, when it stops improving."""
MULTIPLIERS = 10.0
"""Errors of multipliers over those of the motion that Newton may leave: the former do not add up from step to step."""
SLOWEST = 0.1
"""Rate of convergence that is trusted at best: the first correction of a body that converges slowly may be hidden by another's."""
SERVED = 10
"""Steps after which a matrix may be renewed because an iteration more was needed."""
COMPLIANCE = 1e-10
"""Of the constraints in the second attempt of a step, relative to the masses they hold (see `regularise`)."""


def coefficients(rho: float | None = None, hht: float | None = None) -> tuple[float, float, float, float]:
    """(am, af, beta, gamma): generalized-alpha for the spectral radius rho at infinity, or HHT for alpha in [-1/3, 0]."""
    if hht is not None:
        am, af = 0.0, -hht
    else:
        assert rho is not None
        am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    return am, af, 0.25 * (gamma + 0.5) ** 2, gamma


@block
def predict(o: A1, q: A2, l: A2, extrapolate: I8, h: F8, h_last: F8):
    """Start of Newton: accelerations and multipliers extrapolated while that pays, else kept."""
    ratio = h / h_last if extrapolate == 1 and h_last > 0.0 else 0.0
    am = o[AM]
    af = o[AF]
    be = o[BETA]
    ga = o[GAMMA]
    for i in range(q.shape[1]):
        vd = q[VD, i] + ratio * (q[VD, i] - q[VD_BEFORE, i])
        a0 = q[A0, i]
        a1 = ((1.0 - af) * vd + af * q[VD, i] - am * a0) / (1.0 - am)
        q[VD1, i] = vd
        q[V1, i] = q[V, i] + h * ((1.0 - ga) * a0 + ga * a1)
        q[DQ, i] = h * (q[V, i] + h * ((0.5 - be) * a0 + be * a1))
    for i in range(l.shape[1]):
        l[LAM1, i] = l[LAM, i] + ratio * (l[LAM, i] - l[LAM_BEFORE, i])


@leaf
def set_coefficients(o: A1, t: F8, h: F8, c: A1) -> F8:
    """Factors of M, D, K for the step, scaled by s = beta h^2, which is returned."""
    s = o[BETA] * h * h
    c[TIME] = t
    c[LOAD] = 1.0
    c[DAMP] = 1.0
    c[C_M] = (1.0 - o[AM]) / (1.0 - o[AF])
    c[C_D] = o[GAMMA] * h
    c[C_K] = s
    c[C_L] = 1.0 / s
    return s


@block
def newton_tolerance(o: A1, q: A2, l: A2, s: F8, equation: I1, lam_scale: A1, weight: A1) -> F8:
    """Relative to the largest acceleration and multiplier, as increments of positions; never below what numbers resolve."""
    largest = 0.0
    for i in range(q.shape[1]):
        largest = max(largest, abs(q[VD, i]) * weight[i])
    for j in range(equation.size):
        k = equation[j]
        if k >= 0:
            largest = max(largest, abs(l[LAM, j]) / lam_scale[j] * weight[k])
    return max(o[RTOL] * largest * s, 1e-3 * o[FLOOR])


@block
def correct(o: A1, h: F8, s: F8, q: A2, l: A2, x: A1, equation: I1, lam_scale: A1, weight: A1, integers: I1) -> F8:
    """Apply a Newton correction; returns its weighted size, notes the worst unknown."""
    gp = o[GAMMA] / (o[BETA] * h)
    bp = (1.0 - o[AM]) / (s * (1.0 - o[AF]))
    d = 0.0
    for i in range(x.size):
        size = abs(x[i]) * weight[i]
        if not size <= d:  # also catches nan
            d = size
            integers[WORST] = i
    for i in range(q.shape[1]):
        q[DQ, i] -= x[i]
        q[V1, i] -= gp * x[i]
        q[VD1, i] -= bp * x[i]
    for j in range(equation.size):
        k = equation[j]
        if k >= 0:
            l[LAM1, j] -= lam_scale[j] / s * x[k]
    return d


@leaf
def neglected(after: F8, now: F8, before: F8, ratio: F8, smoothness: F8) -> F8:
    """What a step neglects of a function of time: about its second difference, h^2 times its second derivative. Where that passes
    through zero, the first difference stands in for it, times the quotient of both."""
    change = after - now
    return max(abs(change - ratio * (now - before)), smoothness * abs(change))


@block
def over_step_error(
    o: A1, h: F8, s: F8, h_last: F8, q: A2, l: A2, x: A1, nodes: I2, constraints: I1, elements: I2, equation: I1, lam_scale: A1,
    weight: A1,
) -> F8:  # fmt: skip
    """Largest correction over the part FOLLOW of what the step neglects anyway (in accelerations and multipliers, as increments).

    Every body and every constraint is measured by itself: a part that moves violently, or is light and carries large forces, says
    nothing about how well another one is solved. Corrections at the level of rounding do not count."""
    ratio = h / h_last if h_last > 0.0 else 0.0
    rounding = 0.1 * o[FLOOR]
    largest = 0.0
    first = 0.0
    second = 0.0
    for i in range(q.shape[1]):
        change = q[VD1, i] - q[VD, i]
        first = max(first, abs(change) * weight[i])
        second = max(second, abs(change - ratio * (q[VD, i] - q[VD_BEFORE, i])) * weight[i])
    smoothness = second / first if second < first else 1.0
    for n in range(1, nodes.shape[0]):
        size = 0.0
        allowed = 0.0
        for i in range(nodes[n, 0], nodes[n, 0] + nodes[n, 1]):
            size = max(size, abs(x[i]) * weight[i])
            allowed = max(allowed, neglected(q[VD1, i], q[VD, i], q[VD_BEFORE, i], ratio, smoothness) * weight[i])
        if size > rounding:
            largest = max(largest, size / max(o[FOLLOW] * s * allowed, 0.01 * rounding))
    first = 0.0
    second = 0.0
    for j in range(equation.size):
        k = equation[j]
        if k >= 0:
            change = l[LAM1, j] - l[LAM, j]
            part = weight[k] / lam_scale[j]
            first = max(first, abs(change) * part)
            second = max(second, abs(change - ratio * (l[LAM, j] - l[LAM_BEFORE, j])) * part)
    smoothness = second / first if second < first else 1.0
    for e in constraints:
        size = 0.0
        allowed = 0.0
        for j in range(elements[e, LAM0], elements[e, LAM0] + elements[e, NLAM]):
            k = equation[j]
            if k >= 0:
                size = max(size, abs(x[k]) * weight[k])
                part = neglected(l[LAM1, j], l[LAM, j], l[LAM_BEFORE, j], ratio, smoothness)
                allowed = max(allowed, part / lam_scale[j] * weight[k])
        if size > rounding:
            largest = max(largest, size / max(MULTIPLIERS * o[FOLLOW] * s * allowed, 0.01 * rounding))
    return largest


@leaf
def regularise(Ax: A1, n: I8, equation: I1, lam_scale: A1):
    """A trace of compliance in the constraints of a dense matrix. On a position where they lose rank, the multipliers that it
    leaves open are left alone, and motion in the direction that is free there follows from inertia; elsewhere Newton hardly
    feels it. (A sparse matrix has no place for it: those entries would double its fill.)"""
    for j in range(equation.size):
        k = equation[j]
        if k >= 0:
            Ax[k * n + k] -= COMPLIANCE * lam_scale[j]


@leaf
def watch_gain(nq: I8, x: A1, floats: A1):
    """Largest multiplier that answers to unit violations of the constraints, over the least it was since these were chosen. It
    goes with the inverse square of how far the constraints are from dependent."""
    gain = 0.0
    for i in range(nq, x.size):
        gain = max(gain, abs(x[i]))
    if floats[LEAST_GAIN] == 0.0 or gain < floats[LEAST_GAIN]:
        floats[LEAST_GAIN] = gain
    floats[GROWTH] = gain / floats[LEAST_GAIN] if floats[LEAST_GAIN] > 0.0 else 1.0


@leaf
def only_rounding(q: A2, x: A1, weight: A1) -> B1:
    """Whether a correction moves nothing: what is left are multipliers that a nearly singular matrix leaves open."""
    way = 0.0
    moved = 0.0
    for i in range(q.shape[1]):
        way = max(way, abs(q[DQ, i]) * weight[i])
        moved = max(moved, abs(x[i]) * weight[i])
    return moved < ROUNDING * way


@block
def newton(
    code: I1, o: A1, t: F8, h: F8, q: A2, l: A2, pose: A2, mem: A1, integers: I1, floats: A1,
    pose1: A2, K: A2, E: A2, r: A1, x: A1, b: A1, c: A1, Ax: A1, D: A2, pivot: I1, fi: U1, fx: A1, Ap: U1, Ai: U1, weight: A1,
    constraints: I1, nodes: I2, T: A3, elements: I2, active: I8, par: A1, functions: A1, equation: I1, lam_scale: A1,
    scatter: U2, scatter_scale: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
) -> I8:  # fmt: skip
    """Solve one step from the accepted motion to time t; the new values are in rows V1, VD1, DQ, LAM1."""
    s = set_coefficients(o, t, h, c)
    tolerance = newton_tolerance(o, q, l, s, equation, lam_scale, weight)
    stabilised = o[STABILISED] != 0.0 and constraints.size > 0
    to_length = o[BETA] * h / o[GAMMA]  # dPhi/dt times this has the same derivative by dq as Phi
    for attempt in range(2):
        # second attempt: nothing extrapolated, a new matrix at every iteration, constraints on positions: near a position
        # where they lose rank those on velocities have a second solution, in which the mechanism jumps to another branch
        fresh = attempt == 1
        predict(o, q, l, 0 if fresh else integers[EXTRAPOLATE], h, floats[H_LAST])
        last = 0.0
        last_over = 0.0
        old = False
        for iteration in range(25 if fresh else 12):
            move(nodes, T, pose, q[DQ], pose1, K)
            spread(nodes, T, q[V1], VELOCITY, K)
            spread(nodes, T, q[VD1], ACCELERATION, K)
            renew = fresh or integers[HAVE_FACTORS] == 0
            turn = renew and end_tangents(nodes, q[DQ], E)
            floats[LOOSE_NOW] = call_assemble(
                code[ASSEMBLE], TANGENT if renew else RESIDUAL, turn, c, s, l[LAM1], mem, K, E, r, Ax, nodes, T,
                elements, active, par, functions,
                equation, lam_scale, scatter, scatter_scale, lP, lV, lA, ll, lr, lJ,
            )  # fmt: skip
            integers[EVALUATIONS] += 1
            if stabilised and not fresh:
                call_rows(
                    code[ROWS], RATE, c, l[LAM1], mem, K, x, constraints, elements, par, functions, equation, lam_scale,
                    lP, lV, lA, ll, lr, lJ,
                )  # fmt: skip
                for i in range(q.shape[1], r.size):
                    r[i] = to_length * x[i]
            if renew:
                if fresh and Ap.size == 1:
                    regularise(Ax, r.size, equation, lam_scale)
                integers[FACTORISATIONS] += 1
                if not call_factorise(code[FACTORISE], Ap, Ai, Ax, D, pivot, fi, fx):
                    return PIVOT
                integers[HAVE_FACTORS] = 1
                floats[H_FACTORED] = h
                integers[STEP_FACTORED] = integers[STEPS]
            if not call_solve(code[SOLVE], renew, Ap, Ai, Ax, D, pivot, fi, fx, r, x, b):
                return PIVOT
            d = correct(o, h, s, q, l, x, equation, lam_scale, weight, integers)
            if not d < 1e3:
                break
            rate = d / last if last > 0.0 else 0.0
            good = d < 1e-3 * tolerance  # the first time never on the rate of an earlier step: it would ruin the multipliers
            if iteration > 0:
                good = d < tolerance or (rate < 1.0 and rate / max(1e-3, 1.0 - rate) * d < tolerance)
            over = 0.0
            if good and o[FOLLOW] > 0.0 and not fresh:
                over = over_step_error(
                    o, h, s, floats[H_LAST], q, l, x, nodes, constraints, elements, equation, lam_scale, weight
                )  # fmt: skip
            if renew and not fresh and integers[CHOOSE_AT] >= 0:
                for i in range(r.size):  # violations without any pattern
                    r[i] = 0.0 if i < q.shape[1] else ((7919 * i) % 997) / 498.0 - 1.0
                call_solve(code[SOLVE], False, Ap, Ai, Ax, D, pivot, fi, fx, r, x, b)
                watch_gain(q.shape[1], x, floats)
            if iteration > 0:
                if d < o[FLOOR] and rate > 0.2:  # no longer improving, at the level of rounding
                    return DONE
                if iteration > 2 and rate > 0.9 and d < min(MOST_ROUNDING * o[FLOOR], tolerance * max(1.0, DEFAULT / o[RTOL])):
                    return DONE  # the tolerance asked for is below rounding, which levers magnify
                if fresh and iteration > 3 and (rate > 0.9 or iteration == 24) and only_rounding(q, x, weight):
                    # full Newton stopped improving: rounding is all that is left where the matrix is nearly singular
                    # (there it converges by halves, so that a rate below 0.9 still gains digits)
                    integers[ROUNDED] += 1
                    return DONE
                if rate > 0.9 and d > tolerance and iteration > (12 if fresh else 2):
                    break
                if over > 0.0 and iteration < 8:
                    fall = over / last_over if last_over > 0.0 else min(rate, 0.7)
                    # corrections that no longer fall are rounding: the step would have more than numbers can give
                    good = fall > 0.7 or max(fall, SLOWEST) * over < 1.0 - fall
                    if not good and integers[STEPS] >= integers[STEP_FACTORED] + SERVED:
                        old = True
                if good:
                    if not fresh and (iteration > 2 or rate > 0.15 or old):
                        integers[HAVE_FACTORS] = 0  # slow: a new matrix for the next step
                    return DONE
            elif good and over == 0.0:
                return DONE
            last = d
            last_over = over
        integers[FAILURES] += 1
        integers[HAVE_FACTORS] = 0
    return STUCK


@block
def close(
    code: I1, o: A1, q: A2, l: A2, pose: A2, mem: A1, integers: I1, pose1: A2, K: A2, E: A2, r: A1, x: A1, b: A1, c: A1, Ax: A1,
    D: A2, pivot: I1, fi: U1, fx: A1, Ap: U1, Ai: U1, weight: A1, constraints: I1,
    nodes: I2, T: A3, elements: I2, active: I8, par: A1, functions: A1, equation: I1, lam_scale: A1, scatter: U2,
    scatter_scale: A1, lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
) -> I8:  # fmt: skip
    """New positions onto Phi = 0: by the factors at hand and, where these are too old for that, by new ones.

    Given up, and 0, where corrections do not shrink: near a position in which the constraints lose rank, or far from them."""
    for attempt in range(2):
        last = 0.0
        for k in range(6):
            move(nodes, T, pose, q[DQ], pose1, K)
            call_rows(
                code[ROWS], RESIDUAL, c, l[LAM1], mem, K, r, constraints, elements, par, functions, equation, lam_scale,
                lP, lV, lA, ll, lr, lJ,
            )  # fmt: skip
            call_solve(code[SOLVE], False, Ap, Ai, Ax, D, pivot, fi, fx, r, x, b)
            d = 0.0
            for i in range(q.shape[1]):
                d = max(d, abs(x[i]) * weight[i])
            if not d <= (1e-2 if k == 0 else 0.5 * last):
                break
            for i in range(q.shape[1]):
                q[DQ, i] -= x[i]
            if d <= 10.0 * o[FLOOR]:
                return 1
            last = d
        if attempt == 1:
            return 0
        move(nodes, T, pose, q[DQ], pose1, K)
        spread(nodes, T, q[V1], VELOCITY, K)
        spread(nodes, T, q[VD1], ACCELERATION, K)
        turn = end_tangents(nodes, q[DQ], E)
        rates = (c[WORK_RATE], c[LOSS_RATE], c[TEETH_RATE])
        call_assemble(
            code[ASSEMBLE], TANGENT, turn, c, c[C_K], l[LAM1], mem, K, E, r, Ax, nodes, T, elements, active, par, functions,
            equation, lam_scale, scatter, scatter_scale, lP, lV, lA, ll, lr, lJ,
        )  # fmt: skip
        c[WORK_RATE] = rates[0]  # the work of the step is that of Newton's last evaluation
        c[LOSS_RATE] = rates[1]
        c[TEETH_RATE] = rates[2]
        integers[FACTORISATIONS] += 1
        if not call_factorise(code[FACTORISE], Ap, Ai, Ax, D, pivot, fi, fx):
            integers[HAVE_FACTORS] = 0
            return 0
        integers[HAVE_FACTORS] = 1
    return 0


@entry
def commit(
    commits: I1, l: A2, mem: A1, c: A1, K: A2, elements: I2, par: A1, functions: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """Let elements remember the state in K."""
    for i in range(commits.size):
        call_element(commits[i], COMMIT, 0, c, l[LAM], mem, K, elements, par, functions, lP, lV, lA, ll, lr, lJ)


@leaf
def add_work(h: F8, c: A1, floats: A1):
    """Work done since the last step by the trapezium rule; the power is that of Newton's last evaluation."""
    floats[WORK_IN] += 0.5 * h * (c[WORK_RATE] + floats[POWER_IN])
    floats[WORK_OUT] += 0.5 * h * (c[LOSS_RATE] + floats[POWER_OUT])
    floats[WORK_TEETH] += 0.5 * h * (c[TEETH_RATE] + floats[POWER_TEETH])
    floats[POWER_IN] = c[WORK_RATE]
    floats[POWER_OUT] = c[LOSS_RATE]
    floats[POWER_TEETH] = c[TEETH_RATE]


@block
def accept(o: A1, t: F8, h: F8, q: A2, l: A2, pose: A2, pose1: A2, integers: I1, floats: A1, weight: A1):
    """The new values become the motion."""
    better = 0.0
    plain = 0.0
    ratio = h / floats[H_LAST] if floats[H_LAST] > 0.0 else 0.0
    am = o[AM]
    af = o[AF]
    for i in range(q.shape[1]):
        vd = q[VD, i]
        vd1 = q[VD1, i]
        # would extrapolation have come nearer than keeping the acceleration?
        plain += abs(vd1 - vd) * weight[i]
        better += abs(vd1 - vd - ratio * (vd - q[VD_BEFORE, i])) * weight[i]
        q[A, i] = ((1.0 - af) * vd1 + af * vd - am * q[A0, i]) / (1.0 - am)
        q[VD_BEFORE, i] = vd
        q[VD, i] = vd1
        q[V, i] = q[V1, i]
    integers[EXTRAPOLATE] = 1 if ratio > 0.0 and better < plain else 0
    for i in range(l.shape[1]):
        l[LAM_BEFORE, i] = l[LAM, i]
        l[LAM, i] = l[LAM1, i]
    for i in range(pose.shape[0]):
        for j in range(7):
            pose[i, j] = pose1[i, j]
    floats[T_NOW] = t
    floats[H_LAST] = h
    integers[STEPS] += 1


@leaf
def touched(l: A2, opening: I1) -> B1:
    """Whether a row that was open has closed in the step just accepted: its multiplier was nothing."""
    closed = False
    for i in opening:
        closed = closed or abs(l[LAM_BEFORE, i]) < 1e-9 * abs(l[LAM, i])
    return closed


@block
def position_error(o: A1, h: F8, q: A2, weight: A1) -> F8:
    """Leading local error in position, (1/12 + (am - af)^2/4) h^2 |vd1 - vd0|, weighted, over the tolerance."""
    delta = o[AM] - o[AF]
    constant = (1.0 / 12.0 + 0.25 * delta * delta) * h * h
    error = 0.0
    for i in range(q.shape[1]):
        e = constant * abs(q[VD1, i] - q[VD, i]) * weight[i]
        if not e <= error:
            error = e
    return error / o[TOLERANCE]


@leaf
def fastest_turn(K: A2) -> F8:
    """Largest angular speed of a node."""
    w2 = 0.0
    for k in range(K.shape[0]):
        w2 = max(w2, K[k, 15] * K[k, 15] + K[k, 16] * K[k, 16] + K[k, 17] * K[k, 17])
    return np.sqrt(w2)


@leaf
def longest_way(K: A2) -> F8:
    """Largest displacement of a node."""
    w2 = 0.0
    for k in range(K.shape[0]):
        w2 = max(w2, K[k, 12] * K[k, 12] + K[k, 13] * K[k, 13] + K[k, 14] * K[k, 14])
    return np.sqrt(w2)


call_newton = caller_of(newton.signature)
call_close = caller_of(close.signature)
call_commit = caller_of(commit.signature)


def code_addresses(dense: bool, stabilised: bool) -> np.ndarray:
    """Addresses of what the step loop calls, in the order of their places; what it will not call is not compiled."""
    code = np.zeros(7, np.int64)
    code[ASSEMBLE] = address_of(assemble)
    code[[FACTORISE, SOLVE]] = solver_addresses(dense)
    code[NEWTON] = address_of(newton)
    code[COMMITTING] = address_of(commit)
    if stabilised:
        code[ROWS] = address_of(constraint_rows)
        code[CLOSING] = address_of(close)
    return code
