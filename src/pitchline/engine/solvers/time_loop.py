"""Lie-group generalized-alpha for constrained systems: the formulas of one step.

Method (Arnold & Bruels 2007; Bruels, Cardona & Arnold 2012), order 2. With a the algorithmic acceleration,

    (1 - am) a1 + am a0 = (1 - af) vd1 + af vd0
    dq = h v0 + h^2 ((1/2 - b) a0 + b a1),   pose1 = pose0 o exp(T dq),   v1 = v0 + h ((1 - g) a0 + g a1)
    M vd1 + f(q1, v1, t1) + B^T lam1 = 0,   Phi(q1, t1) = 0

solved by Newton for (dq, lam) (see `newton`). The matrix is kept over several steps while it converges. HHT is the same method
with other coefficients. Own coordinates of order 1, y' = f, have no mass: Newton finds dq such that v1 = f, by the same
formulas; a is then y''. Their vd has no meaning; `vd_before` is the mean of y'' over the last step.

In the record of the run, v0, vd0, lam0 are accepted values; v, vd, lam of the system are those at the end of the step.
"""

import math

from numba import types

from pitchline.numerics.fields import record_at
from pitchline.numerics.machine_code.calling import caller_of
from pitchline.numerics.machine_code.compiled import B1, F8, I8, block, entry, leaf

from .run_record import CHUNK, DONE, FULL, IMPACT, Run, turning_pieces

MOST_RATIO = 100.0
"""Largest ratio of two steps for which accelerations are extrapolated from the shorter one to the next one."""


def coefficients(rho: float | None = None, hht: float | None = None) -> tuple[float, float, float, float]:
    """(am, af, beta, gamma): generalized-alpha for the spectral radius rho at infinity, or HHT for alpha in [-1/3, 0]."""
    if hht is not None:
        am, af = 0.0, -hht
    else:
        assert rho is not None
        am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    return am, af, 0.25 * (gamma + 0.5) ** 2, gamma


@leaf
def has_mass(run: Run, i: I8) -> B1:
    """Whether a coordinate belongs to a node, or is of order 2."""
    found = True
    for n in range(run.system.n_massless):
        found = found and run.system.massless[n] != i
    return found


@leaf
def change_of_slope(run: Run, i: I8) -> F8:
    """h y''' of a coordinate of order 1, from the means of y'' over this step and the last one; at the start from y''."""
    h = run.h
    now = (run.system.v[i] - run.v0[i]) / h
    return (now - run.vd_before[i]) * 2.0 * h / (h + run.progress.h_last)


@leaf
def step_ratio(run: Run) -> F8:
    """Step divided by the last one, for extrapolation. 0 after a much shorter step: differences over it are mainly rounding."""
    h_last = run.progress.h_last
    return run.h / h_last if run.h <= MOST_RATIO * h_last else 0.0


@block
def predict(run: Run, extrapolate: I8):
    """Predictor of Newton: accelerations and multipliers are extrapolated if this is more accurate, otherwise kept."""
    sys = run.system
    o = run.options
    h = run.h
    ratio = step_ratio(run) if extrapolate == 1 else 0.0
    am = o.am
    af = o.af
    be = o.beta
    ga = o.gamma
    v0 = run.v0
    vd0 = run.vd0
    before = run.vd_before
    a_start = run.a0
    v1 = sys.v
    vd1 = sys.vd
    dq = sys.dq
    for i in range(run.n_q):
        vd = vd0[i] + ratio * (vd0[i] - before[i])
        a0 = a_start[i]
        a1 = ((1.0 - af) * vd + af * vd0[i] - am * a0) / (1.0 - am)
        vd1[i] = vd
        v1[i] = v0[i] + h * ((1.0 - ga) * a0 + ga * a1)
        dq[i] = h * (v0[i] + h * ((0.5 - be) * a0 + be * a1))
    for n in range(sys.n_massless):  # y'' unchanged
        i = sys.massless[n]
        a0 = a_start[i]
        vd1[i] = (a0 - af * vd0[i]) / (1.0 - af)
        v1[i] = v0[i] + h * a0
        dq[i] = h * (v0[i] + 0.5 * h * a0)
    lam1 = sys.lam
    lam0 = run.lam0
    lam_before = run.lam_before
    for i in range(run.n_lam):
        lam1[i] = lam0[i] + ratio * (lam0[i] - lam_before[i])


@leaf
def set_factors(run: Run) -> F8:
    """Factors of M, D, K for the step, scaled by s = beta h^2, which is returned."""
    o = run.options
    ask = run.system.ask
    h = run.h
    s = o.beta * h * h
    ask.t = run.t1
    ask.h = h
    ask.load = 1.0
    ask.damp = 1.0
    ask.M = (1.0 - o.am) / (1.0 - o.af)
    ask.D = o.gamma * h
    ask.K = s
    ask.L = 1.0 / s
    return s


@leaf
def start_accelerations(run: Run):
    """The algorithmic acceleration belongs to the time t + (am - af) h: it depends on the step size."""
    ratio = step_ratio(run) if run.progress.h_last > 0.0 else 1.0
    a0 = run.a0
    a = run.a
    vd0 = run.vd0
    for i in range(run.n_q):
        a0[i] = vd0[i] + ratio * (a[i] - vd0[i])
    for n in range(run.system.n_massless):
        i = run.system.massless[n]
        a0[i] = a[i]


@leaf
def add_work(run: Run):
    """Work since the last step by the trapezoidal rule. The power is that of Newton's last evaluation."""
    p = run.progress
    ask = run.system.ask
    h = run.h
    p.work_in += 0.5 * h * (ask.power_in + p.power_in)
    p.work_out += 0.5 * h * (ask.power_out + p.power_out)
    p.work_teeth += 0.5 * h * (ask.power_teeth + p.power_teeth)
    p.power_in = ask.power_in
    p.power_out = ask.power_out
    p.power_teeth = ask.power_teeth


@block
def accept_rates(run: Run):
    """The rates, accelerations and multipliers at the end of the step become those of the motion. Advance the time."""
    sys = run.system
    p = run.progress
    o = run.options
    better = 0.0
    plain = 0.0
    ratio = step_ratio(run)
    am = o.am
    af = o.af
    weight = sys.weight
    v0 = run.v0
    vd0 = run.vd0
    a = run.a
    a0 = run.a0
    before = run.vd_before
    v1 = sys.v
    vd_end = sys.vd
    slope = run.b
    for n in range(sys.n_massless):
        i = sys.massless[n]
        slope[i] = (v1[i] - v0[i]) / run.h
        run.x[i] = ((1.0 - af) * vd_end[i] + af * vd0[i] - am * a0[i]) / (1.0 - am)
        vd_end[i] = vd0[i]  # no effect on the choice below
        before[i] = vd0[i]
    for i in range(run.n_q):
        vd = vd0[i]
        vd1 = vd_end[i]
        # would extrapolation have been closer than keeping the acceleration?
        plain += abs(vd1 - vd) * weight[i]
        better += abs(vd1 - vd - ratio * (vd - before[i])) * weight[i]
        a[i] = ((1.0 - af) * vd1 + af * vd - am * a0[i]) / (1.0 - am)
        before[i] = vd
        vd0[i] = vd1
        v0[i] = v1[i]
    for n in range(sys.n_massless):
        i = sys.massless[n]
        a[i] = run.x[i]
        before[i] = slope[i]
    p.extrapolate = 1 if ratio > 0.0 and better < plain else 0
    lam1 = sys.lam
    lam0 = run.lam0
    lam_before = run.lam_before
    for i in range(run.n_lam):
        lam_before[i] = lam0[i]
        lam0[i] = lam1[i]
    p.t = run.t1
    p.h_last = run.h
    p.steps += 1


@block
def accept_poses(run: Run):
    """Poses and own coordinates at the end of the step become those of the motion."""
    sys = run.system
    for k in range(sys.n_nodes):
        start = sys.pose0[k]
        end = sys.pose[k]
        start.x = end.x
        start.q = end.q
    own0 = sys.own0
    own = sys.own
    for i in range(sys.n_own):
        own0[i] = own[i]


@block
def position_error(run: Run) -> F8:
    """Leading local error of positions, (1/12 + (am - af)^2/4) h^2 |vd1 - vd0|, weighted, divided by the tolerance.

    For coordinates of order 1, whose accelerations have no meaning, vd1 - vd0 is h y''' from their rates."""
    o = run.options
    delta = o.am - o.af
    constant = (1.0 / 12.0 + 0.25 * delta * delta) * run.h * run.h
    weight = run.system.weight
    vd1 = run.system.vd
    vd0 = run.vd0
    error = 0.0
    for i in range(run.n_q):
        change = vd1[i] - vd0[i] if has_mass(run, i) else change_of_slope(run, i)
        e = constant * abs(change) * weight[i]
        if not e <= error:
            error = e
    return error / o.tolerance


# ---- time loop

# Time loop: stops, output, budget. An evaluator takes the steps.
#
# Stops are the multiples of the step (fixed step) or of the output step (error control), and the end. An evaluator
# provides two functions, which the loop calls by address:
#
# | function | task | |---|---| | `take_steps(run, n)` | takes up to n steps, until a sample is due or a problem
# occurs; returns DONE or the problem | | `show(run)` | updates poses, multipliers and memory of the system |
#
# Each step begins with `plan_step` and ends with `end_step`, so that time, stops and samples are the same for all
# evaluators. Evaluators: `general_steps` for every system, `train_steps` for trains of hinged wheels.

call_take_steps = caller_of(types.int64(Run, types.int64))
call_show = caller_of(types.void(Run))
run_at = record_at(Run)

SHORTEST = 1e-9
"""Distance of a time that an element requires from the next stop, or from the last step, relative to the distance of both, at
which it is the same time."""


@leaf
def next_stop(run: Run) -> F8:
    """The next time at which a step must end."""
    o = run.options
    if o.interval > 0.0:
        stop = o.t0 + (run.progress.stop_index + 1) * o.interval
        if stop < o.t_end - 1e-9 * o.interval:
            return stop
    return o.t_end


@leaf
def chosen_step(run: Run, left: F8, turning: F8) -> F8:
    """Step size: the requested one, adapted to the remaining time to the stop. turning: largest angular speed of a body;
    0 if it has no effect."""
    o = run.options
    wanted = run.progress.h_want
    if o.fixed != 0:
        if turning > 0.0:
            wanted = min(wanted, o.step / turning_pieces(run, turning))
        if wanted >= o.step and abs(left - o.step) < 1e-6 * o.step:
            return o.step  # the same number every time, so that the matrix can be kept
    elif wanted * turning > o.turn_limit:
        wanted = o.turn_limit / turning
    if wanted >= left * (1.0 - 1e-10):
        return left
    if o.fixed != 0:
        return min(wanted, 0.5 * left)
    return left / math.ceil(left / wanted * (1.0 - 1e-10))  # equal steps, so that the matrix can be kept


@leaf
def next_kink(run: Run, after: F8, stop: F8) -> F8:
    """The next time at which a function of time is not smooth: an error estimate does not see what lies within a step."""
    p = run.progress
    while p.kink < run.n_kinks and run.kinks[p.kink] <= after:
        p.kink += 1
    return min(stop, run.kinks[p.kink]) if p.kink < run.n_kinks else stop


@leaf
def plan_step(run: Run, turning: F8):
    """Length and end of the next step. Steps also end at the times that elements require and, under error control, at kinks of
    functions of time. These are not stops."""
    t = run.progress.t
    stop = next_stop(run)
    between = run.progress.stop
    if run.options.fixed == 0:
        between = min(between, next_kink(run, t + SHORTEST * (stop - t), stop))
    if t + SHORTEST * (stop - t) < between < stop - SHORTEST * (stop - t):
        run.h = chosen_step(run, between - t, turning)
        run.lands = 0
        run.t1 = between if run.h >= (between - t) * (1.0 - 1e-6) else t + run.h
        return
    run.h = chosen_step(run, stop - t, turning)
    run.lands = 1 if run.h >= (stop - t) * (1.0 - 1e-6) else 0
    run.t1 = stop if run.lands != 0 else t + run.h


@leaf
def sample_due(run: Run, steps: I8) -> I8:
    """Whether a sample is due at the end of the planned step, which has the number `steps`."""
    o = run.options
    if o.every == 0:
        due = steps % run.progress.stride == 0
    else:
        due = run.lands != 0 and (run.progress.stop_index + 1) % o.every == 0
    return 1 if due or run.t1 >= o.t_end else 0


@leaf
def end_step(run: Run):
    """The planned step was taken: count its stop."""
    if run.lands != 0 and run.options.interval > 0.0:
        run.progress.stop_index += 1


@block
def record_sample(run: Run):
    """Append the current motion to the samples."""
    sys = run.system
    out = run.output
    p = run.progress
    k = p.samples
    out.t[k] = p.t
    first = k * sys.n_nodes
    for i in range(sys.n_nodes):
        pose = out.pose[first + i]
        pose.x = sys.pose0[i].x
        pose.q = sys.pose0[i].q
    for i in range(run.n_q):
        out.v[k, i] = run.v0[i]
        out.vd[k, i] = run.vd0[i]
    for i in range(sys.n_own):
        out.own[k, i] = sys.own0[i]
    for i in range(run.n_lam):
        out.lam[k, i] = run.lam0[i]
    for i in range(sys.n_mem):
        out.mem[k, i] = sys.mem[i]
    n = sys.n_condensed
    for i in range(n):
        out.condensed[k, i] = sys.condensed[i]
        out.condensed[k, n + i] = sys.condensed_rate[i]
    work = out.work[k]
    work.put_in = p.work_in
    work.dissipated = p.work_out
    work.by_teeth = p.work_teeth
    p.samples = k + 1


@entry
def record_at_address(address: I8):
    """`record_sample` for callers in Python."""
    record_sample(run_at(address))


@entry
def advance(address: I8, budget: I8) -> I8:
    """Take steps until the end, `budget` steps, full output or a problem. Return the result."""
    run = run_at(address)
    p = run.progress
    outcome = CHUNK
    left = budget
    while left > 0:
        if p.t >= run.options.t_end:
            outcome = DONE
            break
        if p.samples >= run.output.room:
            outcome = FULL
            break
        run.due = 0
        trouble = call_take_steps(run.take_steps, run, left)
        left -= max(run.taken, 1)
        if trouble == IMPACT:
            p.sample_due = run.due
        elif run.due != 0:
            record_sample(run)
        if trouble != DONE:
            outcome = trouble
            break
    call_show(run.show, run)
    return outcome
