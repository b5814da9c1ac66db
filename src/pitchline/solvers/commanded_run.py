"""Run that another program commands: it sets inputs, requests a time, and reads outputs. All of it is compiled code.

This is `analyses.stepper` without Python: the courses of inputs, jumps of accelerations, steps and reports have the same
formulas, so that results are equal to the last bit. The records contain all data. Machine code and memory can be moved to a
process without Python.

What a run returns to Python for (new pivots, changes of rank, impacts) ends it, with the result of the time loop.
"""

import math

from ..math.compiled import F8, I8, block, entry
from ..math.fields import record_at
from ..system.reporting import recover_samples, report_samples
from .commanded_inputs import apply_inputs, start_inputs
from .commanded_records import CommandedRun, PairFlank
from .run_record import STUCK
from .time_loop import advance

__all__ = ["begin_inputs", "command", "tell"]

ALL_STEPS = 1 << 60
ON_GRID = 1e-9
"""Largest distance of a step from the fixed one, as a fraction of it, at which it is the same."""

_at = record_at(CommandedRun)


@entry
def begin_inputs(address: I8) -> I8:
    """Before the first step: the values of inputs are those at the start. DONE, or FIXED_AT_START."""
    return start_inputs(_at(address))


@block
def _take_evaluator(held: CommandedRun):
    """Functions of the train, or those of the general evaluator."""
    run = held.run
    run.take_steps = held.train_take_steps if held.is_train != 0 else held.take_steps
    run.show = held.train_show if held.is_train != 0 else held.show


@block
def _plan_steps(held: CommandedRun, h: F8) -> F8:
    """Set the end of the interval, and the steps in it. Return the end."""
    o = held.run.options
    p = held.run.progress
    t = p.t
    if o.fixed == 0:
        o.t_end = t + h
        return o.t_end
    count = max(1.0, math.ceil(h / held.step - ON_GRID))
    size = h / count
    if abs(size - held.step) < ON_GRID * held.step:
        size = held.step
    if abs(size - o.step) < ON_GRID * o.step:
        o.t_end = o.t0 + (p.stop_index + count) * o.interval
        return o.t_end
    if p.h_want >= o.step:  # otherwise the present step was divided, and grows again
        p.h_want = size
    o.t0 = t
    o.interval = size
    o.step = size
    p.stop_index = 0
    o.t_end = t + count * size
    return o.t_end


@entry
def command(address: I8, h: F8) -> I8:
    """Continue by a time. Return DONE, or the result of the time loop that ended the run."""
    held = _at(address)
    p = held.run.progress
    _take_evaluator(held)
    t = p.t
    end = _plan_steps(held, h)
    apply_inputs(held, t, end)
    p.samples = 0
    outcome = advance(held.run_address, ALL_STEPS)
    if outcome == STUCK and held.is_train != 0:
        held.is_train = 0
        _take_evaluator(held)
        outcome = advance(held.run_address, ALL_STEPS)
    return outcome


@block
def _choose_side(one: PairFlank):
    """Flank to which the signals of a pair refer."""
    if one.has_backlash != 0:
        flank = one.flank[0]
        if flank == 0.0:
            one.side = 1.0 if one.error[0] + 0.5 * one.play >= 0.0 else -1.0
        else:
            one.side = 1.0 if flank > 0.0 else -1.0
        return
    force = one.force[0]
    if one.chosen == 0.0 and abs(force) > one.unfelt:
        one.chosen = 1.0 if force > 0.0 else -1.0
    one.side = one.chosen if one.chosen != 0.0 else 1.0


@entry
def tell(address: I8):
    """Evaluate the report of the last sample."""
    held = _at(address)
    report = held.report
    ask = report.system.ask
    for i in range(report.n_energies):
        report.energies[0, i] = 0.0
    if held.recovers != 0:
        opened = ask.open
        if held.opens != 0:
            ask.open = 1
        recover_samples(held.report_address, True, held.B, held.G, held.b)
        ask.open = opened
    report_samples(held.report_address)
    for k in range(held.n_followed):
        one = held.followed[k]
        q = one.source
        last = one.last
        product = 0.0
        for i in range(4):
            product += q[i] * last[i]
        for i in range(4):
            last[i] = -q[i] if product < 0.0 else q[i]
    for k in range(held.n_sides):
        _choose_side(held.sides[k])
    work = held.run.output.work[0]
    total = report.energies[0, 0] + report.energies[0, 1]
    held.balance_error = (
        total - held.start_energy - (work.put_in - held.start_work) + (work.dissipated - held.start_losses)
    )
