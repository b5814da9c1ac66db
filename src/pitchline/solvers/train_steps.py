"""Steps of trains of hinged wheels (see `system.train`), an evaluator of the time loop.

Steps are fixed and never repeated: if Newton fails, `general_steps` continues. The motion is in the tables of the train.
Poses, rates and memory of the system are updated when they are needed.
"""

import math

from ..math.calling import address_of
from ..math.compiled import F8, I8, block, leaf
from ..math.fields import record_as
from ..system import train_records
from ..system.assembly import accept_state
from ..system.nodes import move, spread_rates
from .run_record import BLOWN, DONE, STUCK, Run
from .time_loop import end_step, plan_step, sample_due
from .train_step import accept, balance, impose, newton, predict, set_step_size
from .turn_limits import HALF_TURN, call_accept

_train = record_as(train_records.TrainRecord)


@block
def _place(run: Run, back: F8):
    """System at the current state, or earlier by the fraction `back` of the last step: poses, rates, multipliers."""
    sys = run.system
    train = _train(run.evaluator)
    dq = sys.dq
    for i in range(train.n_wheels):
        w = train.wheels[i]
        dq[i] = w.x - back * w.dq
        run.v0[i] = w.v
        run.vd0[i] = w.vd
        run.a[i] = w.a
        run.vd_before[i] = w.vd_before
        sys.v[i] = w.v
        sys.vd[i] = w.vd
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    for k in range(sys.n_nodes):
        sys.pose0[k].x = train.start[k].x
        sys.pose0[k].q = train.start[k].q
    move(sys)
    spread_rates(sys)
    for k in range(sys.n_nodes):
        sys.pose0[k].x = sys.pose[k].x
        sys.pose0[k].q = sys.pose[k].q


@block
def _look(run: Run):
    """Elements count their revolutions: also within the last step, if it was large."""
    p = run.progress
    turned = run.turned
    run.system.ask.t = p.t
    run.system.ask.h = p.h_last
    looks = math.ceil(turned / HALF_TURN) if turned > 0.0 else 1
    first = 0 if p.turned + turned / looks > HALF_TURN else 1
    for k in range(first, looks + 1):
        _place(run, 1.0 - k / looks)
        call_accept(run.accept, run.system)
    p.turned = 0.0


@leaf
def _step(run: Run, train: train_records.TrainRecord) -> I8:
    """One planned step. 0 if Newton fails."""
    h = run.h
    if h != train.h:
        set_step_size(run, train, h)
    tolerance = predict(run, train, h)
    impose(train, run.system.ask.functions, run.t1)
    # forces of ties and drives are needed at the end of the step only if a sample is due
    if newton(run, train, h, run.due, tolerance) == 0:
        return 0
    balance(run, train, h)
    run.turned = accept(run, train, h, run.t1)
    return 1


@block
def take_steps(run: Run, n: I8) -> I8:
    """Take up to n steps, until a sample is due or a problem occurs."""
    train = _train(run.evaluator)
    p = run.progress
    look_after = run.options.look_after
    run.taken = 0
    while run.taken < n:
        if p.t >= run.options.t_end:
            return DONE
        run.taken += 1
        plan_step(run, 0.0)
        run.due = sample_due(run, p.steps + 1)
        if _step(run, train) == 0:
            run.due = 0
            return STUCK
        end_step(run)
        turned = run.turned
        p.turn_rate = turned / run.h
        if run.due != 0 or p.turned + turned > min(look_after, HALF_TURN - 1.1 * turned):
            _look(run)
        else:
            p.turned += turned
        if not abs(train.wheels[0].v) < 1e150:
            return BLOWN
        if run.due != 0:
            return DONE
    return DONE


@block
def show(run: Run):
    """Update poses and rates of the system."""
    _place(run, 0.0)


def addresses() -> dict[str, int]:
    """Addresses of the functions that the steps call, by their fields in the record of the run."""
    return {"accept": address_of(accept_state), "take_steps": address_of(take_steps), "show": address_of(show)}
