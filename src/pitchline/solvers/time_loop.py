"""Time loop: stops, output, budget. An evaluator takes the steps.

Stops are the multiples of the step (fixed step) or of the output step (error control), and the end. An evaluator provides two
functions, which the loop calls by address:

| function | task |
|---|---|
| `take_steps(run, n)` | takes up to n steps, until a sample is due or a problem occurs; returns DONE or the problem |
| `show(run)` | updates poses, multipliers and memory of the system |

Each step begins with `plan_step` and ends with `end_step`, so that time, stops and samples are the same for all evaluators.
Evaluators: `general_steps` for every system, `train_steps` for trains of hinged wheels.
"""

import math

from numba import types

from ..math.calling import caller_of
from ..math.compiled import F8, I8, block, entry, leaf
from ..math.fields import record_at
from .run_record import CHUNK, DONE, FULL, IMPACT, Run
from .turn_limits import turning_pieces

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
