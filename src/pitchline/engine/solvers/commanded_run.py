"""Inputs of a commanded run: their courses, and the accelerations that belong to them, in compiled code.

The formulas are those of `analyses.stepper_state` and `input_jump`.
"""

import math

from pitchline.numerics.fields import INTEGER, NUMBER, elsewhere, fields, inline, record_as, record_at, reference, table
from pitchline.numerics.functions import Pieces, value_of
from pitchline.numerics.machine_code.compiled import B1, F8, I8, block, entry

from ..compile import train_search as train_records
from ..compile.reporting import Report, recover_samples, report_samples
from .input_jump import residual_now, shift_general, shift_train
from .run_record import DONE, STUCK, Run
from .time_loop import advance, call_show, record_sample
from .train_step import balance, forces

__all__ = [
    "CommandedInput",
    "CommandedRun",
    "PairFlank",
    "Followed",
    "EXTRAPOLATE",
    "FIXED_AT_START",
    "HOLD",
    "LOAD",
    "POSITION",
    "RAMP",
    "SPEED",
    "apply_inputs",
    "start_inputs",
    "begin_inputs",
    "command",
    "tell",
]


# ---- commanded records

# Records of a run that another program commands (see `commanded_run`).

CommandedInput = fields(
    "CommandedInput",
    quantity=INTEGER,
    hold=INTEGER,
    first=INTEGER,  # its functions: range of the list of places
    last=INTEGER,
    target=NUMBER,  # value that was set last
    t=NUMBER,  # the polynomial from this time on
    c0=NUMBER,
    c1=NUMBER,
    c2=NUMBER,
    c3=NUMBER,
    end_value=NUMBER,  # its value and slope at the end of the interval
    end_slope=NUMBER,
    before_t=NUMBER,  # the setting before
    before_value=NUMBER,
)

Followed = fields("Followed", n=INTEGER, source=elsewhere("n"), last=inline(4))
"""Quaternion whose sign follows that of its last value."""

PairFlank = fields(
    "PairFlank",
    n=INTEGER,
    flank=elsewhere("n"),  # reported signals of a gear pair: its loaded flank, force and transmission error
    force=elsewhere("n"),
    error=elsewhere("n"),
    has_backlash=INTEGER,
    play=NUMBER,  # backlash, in the direction of the transmission error
    unfelt=NUMBER,  # force that counts as zero
    chosen=NUMBER,  # without backlash: the flank of the first force, 0 before it
    side=NUMBER,
)
"""Flank to which the signals of a gear pair refer, 1 drive or -1 coast (see `parts.meshes.kernel_engagement`)."""

CommandedRun = fields(
    "CommandedRun",
    run_address=INTEGER,
    run=reference(Run),
    report_address=INTEGER,
    report=reference(Report),
    step=NUMBER,  # fixed step
    direct=INTEGER,  # accelerations jump by a linear solution; otherwise the next step contains none of the past
    massless=INTEGER,  # there are coordinates without mass, whose rates jump
    is_train=INTEGER,
    train_take_steps=INTEGER,
    train_show=INTEGER,
    take_steps=INTEGER,  # of the general evaluator, which follows a train whose Newton fails
    show=INTEGER,
    n_inputs=INTEGER,
    inputs=table(CommandedInput),
    n_places=INTEGER,
    places=elsewhere("n_places", of="integer"),  # functions of all inputs
    jumps=elsewhere("n_places"),
    curvatures=elsewhere("n_places"),
    n_rows=INTEGER,
    rows=elsewhere("n_rows", of="integer"),  # multipliers of drives that are inputs
    place_of_row=elsewhere("n_rows", of="integer"),
    row_curvatures=elsewhere("n_rows"),
    n=INTEGER,
    before=elsewhere("n"),  # residual before a jump
    n_matrix=INTEGER,
    matrix=elsewhere("n_matrix"),  # scratch: as large as the matrix if there are coordinates without mass
    recovers=INTEGER,  # forces of joints that became coordinates are reported
    opens=INTEGER,  # and condensed coordinates take part in them
    n_held=INTEGER,
    B=elsewhere("n_held", 6),
    G=elsewhere("n_held", "n_held"),
    b=elsewhere("n_held"),
    n_followed=INTEGER,
    followed=table(Followed),
    n_sides=INTEGER,
    sides=table(PairFlank),
    start_energy=NUMBER,  # energy, work and losses at the start
    start_work=NUMBER,
    start_losses=NUMBER,
    balance_error=NUMBER,
)


LOAD, SPEED, POSITION = range(3)
"""Quantities of inputs."""
HOLD, EXTRAPOLATE, RAMP = range(3)
"""Courses of inputs, see `analyses.stepper_state`."""
FIXED_AT_START = 102
"""Result of `start_inputs`: the value of an input at the start cannot be changed."""

_train = record_as(train_records.TrainRecord)
_FIRST = Pieces.size
"""Place of the knots in the record of a function; the coefficients follow."""


@block
def _write(held: CommandedRun, one: CommandedInput):
    """Write the polynomial of an input into the table of functions."""
    F = held.run.system.ask.functions
    for k in range(one.first, one.last):
        at = held.places[k] + _FIRST
        F[at] = one.t
        F[at + 1] = one.t + 1.0
        F[at + 2] = one.c0
        F[at + 3] = one.c1
        F[at + 4] = one.c2
        F[at + 5] = one.c3


@block
def _may_jump(one: CommandedInput) -> B1:
    steady = one.c1 if one.quantity == SPEED else one.c0
    return one.target != steady or one.c2 != 0.0 or one.c3 != 0.0 or (one.quantity != SPEED and one.c1 != 0.0)


@block
def _goes_on(one: CommandedInput, value: F8) -> B1:
    """Whether a polynomial with the same coefficients from now on is the present one."""
    if one.c1 == 0.0 and one.c2 == 0.0 and one.c3 == 0.0:
        return value == one.c0
    return one.quantity == SPEED and one.c2 == 0.0 and one.c3 == 0.0


@block
def _reach(one: CommandedInput, end: F8):
    """Value and slope at a time."""
    x = end - one.t
    one.end_value = one.c0 + x * (one.c1 + x * (one.c2 + x * one.c3))
    one.end_slope = one.c1 + x * (2.0 * one.c2 + 3.0 * x * one.c3)


@block
def _plan_input(held: CommandedRun, one: CommandedInput, t: F8, end: F8) -> B1:
    """Course of an input from t to the end of the interval. Return whether accelerations jump."""
    value = one.end_value
    slope = one.end_slope
    target = one.target
    h = end - t
    rate = 0.0
    if one.hold == EXTRAPOLATE and t > one.before_t:
        rate = (target - one.before_value) / (t - one.before_t)
    one.before_t = t
    one.before_value = target
    c0 = value
    c1 = slope
    c2 = 0.0
    c3 = 0.0
    if one.quantity == LOAD:
        if one.hold == RAMP:
            c1 = (target - value) / h
        else:
            c0 = target
            c1 = rate
    elif one.quantity == SPEED:
        c2 = 0.5 * (target - slope) / h
    else:
        mean = (target - value) / h
        c2 = 2.0 * (mean - slope) / h
        c3 = (slope - mean) / (h * h)
    if c1 == one.c1 and c2 == one.c2 and c3 == one.c3 and _goes_on(one, c0):
        if c1 != 0.0 or c2 != 0.0 or c3 != 0.0:
            _reach(one, end)
        return False
    jump = 0.0
    curvature = 0.0
    if one.quantity == LOAD:
        jump = c0 - value
    else:
        curvature = 2.0 * c2 - (2.0 * one.c2 + 6.0 * one.c3 * (t - one.t))
    one.t = t
    one.c0 = c0
    one.c1 = c1
    one.c2 = c2
    one.c3 = c3
    _reach(one, end)
    if one.quantity == SPEED:
        one.end_slope = target
    elif one.quantity == LOAD:
        if one.hold == RAMP:
            one.end_value = target
    else:
        one.end_value = target
        one.end_slope = (target - one.c0) / (end - one.t)
    _write(held, one)
    for k in range(one.first, one.last):
        held.jumps[k] = jump
        held.curvatures[k] = curvature
    return jump != 0.0 or curvature != 0.0


@block
def _jump(held: CommandedRun):
    """Add the jumps of accelerations."""
    if held.is_train != 0:
        shift_train(held.run_address, held.places, held.jumps, held.curvatures)
        return
    for k in range(held.n_rows):
        held.row_curvatures[k] = held.curvatures[held.place_of_row[k]]
    only_rates = held.direct == 0
    if held.direct != 0 or held.massless != 0:
        done = shift_general(
            held.run_address, held.before, held.matrix, held.rows, held.row_curvatures, only_rates
        )  # fmt: skip
        if done != 0 and not only_rates:
            return
    # the next step is one without accelerations of the past, as after an event
    p = held.run.progress
    p.restart = 1
    p.have_factors = 0
    p.extrapolate = 0


@block
def _remember(held: CommandedRun):
    """Residual with the present inputs, and no jumps yet."""
    for k in range(held.n_places):
        held.jumps[k] = 0.0
        held.curvatures[k] = 0.0
    if held.is_train == 0 and (held.direct != 0 or held.massless != 0):
        residual_now(held.run_address, held.before)


@block
def apply_inputs(held: CommandedRun, t: F8, end: F8):
    """Courses of all inputs, and the accelerations that belong to them."""
    remembered = False
    jumps = False
    for k in range(held.n_inputs):
        if not remembered and _may_jump(held.inputs[k]):
            _remember(held)
            remembered = True
        if _plan_input(held, held.inputs[k], t, end):
            jumps = True
    if jumps:
        _jump(held)


@block
def _balance_train(held: CommandedRun):
    """Speeds of drives, and accelerations of a train at the start of its motion."""
    run = held.run
    train = _train(run.evaluator)
    wheels = train.wheels
    F = run.system.ask.functions
    p = run.progress
    x = train.x  # generalised force of each free coordinate
    for g in range(train.n_free):
        x[g] = 0.0
    for i in range(train.n_wheels):
        w = wheels[i]
        w.dq = 0.0
        w.v1 = w.v
        w.vd1 = 0.0
        w.outside = w.force
    for k in range(train.n_loads):
        load = train.loads[k]
        load.now = load.factor * value_of(F, load.function, p.t)[0]
        wheels[load.i].outside -= load.now
    for k in range(train.n_drives):
        drive = train.drives[k]
        target = value_of(F, drive.function, p.t)
        drive.rate = target[1]
        group = wheels[drive.i].group
        for i in range(train.n_wheels):
            w = wheels[i]
            if w.group == group:
                w.v1 = w.gain * drive.a * target[1]
                w.vd1 = w.gain * drive.a * target[2]
    forces(train, F, 0.0, 0)
    for i in range(train.n_wheels):
        x[wheels[i].group] += wheels[i].gain * wheels[i].r
    for g in range(train.n_drives, train.n_free):
        mass = 0.0
        for i in range(train.n_wheels):
            if wheels[i].group == g:
                mass += wheels[i].mass * wheels[i].gain * wheels[i].gain
        for i in range(train.n_wheels):
            if wheels[i].group == g:
                wheels[i].vd1 = -wheels[i].gain * x[g] / mass
    forces(train, F, 0.0, 0)
    balance(run, train, 0.0)
    for i in range(train.n_wheels):
        w = wheels[i]
        w.v = w.v1
        w.vd = w.vd1
        w.a = w.vd1
        w.vd_before = w.vd1
    for i in range(run.n_lam):
        run.lam0[i] = run.system.lam[i]
        run.lam_before[i] = run.lam0[i]
    call_show(run.show, run)


@block
def start_inputs(held: CommandedRun) -> I8:
    """Before the first step: the values of inputs are those at the start. DONE, or FIXED_AT_START."""
    _remember(held)
    changed = False
    for k in range(held.n_inputs):
        one = held.inputs[k]
        present = one.end_slope if one.quantity == SPEED else one.end_value
        if one.target == present:
            continue
        if one.quantity == POSITION or (one.quantity == SPEED and held.is_train == 0):
            return FIXED_AT_START
        changed = True
        for i in range(one.first, one.last):
            held.jumps[i] = one.target - present
        if one.quantity == SPEED:
            one.c1 = one.target
            one.end_slope = one.target
        else:
            one.c0 = one.target
            one.end_value = one.target
        one.before_value = one.target
        _write(held, one)
    if changed:
        if held.is_train != 0:
            _balance_train(held)
        else:
            _jump(held)
        held.run.progress.samples = 0
        record_sample(held.run)
    return DONE


# ---- commanded run

# Run that another program commands: it sets inputs, requests a time, and reads outputs. All of it is compiled code.
#
# This is `analyses.stepper` without Python: the courses of inputs, jumps of accelerations, steps and reports have the
# same formulas, so that results are equal to the last bit. The records contain all data. Machine code and memory can
# be moved to a process without Python.
#
# What a run returns to Python for (new pivots, changes of rank, impacts) ends it, with the result of the time loop.

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
