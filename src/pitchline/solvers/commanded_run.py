"""Run that another program commands: it sets inputs, requests a time, and reads outputs. All of it is compiled code.

A commanded run is the run of a time loop (see `run_record`) with inputs, which are constant functions in the table of functions,
and with the report of its last sample. It uses no Python, so that its machine code and its memory can be moved to a process
without Python.

Inputs that change at a time make forces jump. The accelerations of the method are those before the jump. `restart` replaces them:

| evaluator | accelerations after the jump |
|---|---|
| train | from the equilibrium of every free coordinate, which is scalar; driven coordinates take the new speed |
| general | M dv' + B^T dlam = -dr, B dv' = 0, with the change dr of the residual by the inputs; rates of order 1 likewise |
"""

import math

from ..elements.contract import NEVER, RESIDUAL, TANGENT
from ..math.compiled import B1, F8, I8, block, entry
from ..math.fields import INTEGER, NUMBER, elsewhere, fields, record_as, record_at, reference, table
from ..math.functions import Harmonics, value_of
from ..system import train_records
from ..system.nodes import move, spread_rates
from ..system.reporting import Report, recover_samples, report_samples
from .linear import call_factorise, call_solve
from .newton import call_assemble, call_begin
from .run_record import DONE, STUCK, Run
from .time_loop import advance, call_show, record_sample
from .train_forces import forces
from .train_step import balance

__all__ = ["LOAD", "NOT_BALANCED", "SPEED", "CommandedInput", "CommandedRun", "command", "restart", "tell"]

LOAD, SPEED = 0, 1
"""Kinds of inputs: the constant of a function; the slope of the angle or displacement of a drive, which stays continuous."""
NOT_BALANCED = 101
"""Result of a restart, in addition to those of the time loop: the matrix of masses and constraints is singular."""
ALL_STEPS = 1 << 60

CommandedInput = fields("CommandedInput", kind=INTEGER, place=INTEGER, value=NUMBER)
"""Place of its function in the table of functions, and the requested value."""

CommandedRun = fields(
    "CommandedRun",
    run_address=INTEGER,
    run=reference(Run),
    report_address=INTEGER,
    report=reference(Report),
    is_train=INTEGER,
    step=NUMBER,  # the fixed step; steps are shorter if they do not divide the requested time
    n_inputs=INTEGER,
    inputs=table(CommandedInput),
    # functions of the general evaluator, which follows a train whose Newton fails
    assemble=INTEGER,
    factorise=INTEGER,
    solve=INTEGER,
    newton=INTEGER,
    accept=INTEGER,
    begin=INTEGER,
    take_steps=INTEGER,
    show=INTEGER,
    recovers=INTEGER,  # forces of joints that became coordinates are reported
    opens=INTEGER,  # and condensed coordinates take part in them
    n=INTEGER,
    before=elsewhere("n"),  # residual with the inputs before a jump
    n_held=INTEGER,
    B=elsewhere("n_held", 6),
    G=elsewhere("n_held", "n_held"),
    b=elsewhere("n_held"),
)

_at = record_at(CommandedRun)
_train = record_as(train_records.TrainRecord)
_CONSTANT, _SLOPE = Harmonics.place("constant")[0], Harmonics.place("slope")[0]


@block
def _changed(held: CommandedRun) -> B1:
    """Whether an input differs from the value in use."""
    F = held.run.system.ask.functions
    for k in range(held.n_inputs):
        one = held.inputs[k]
        if one.value != F[one.place + (_SLOPE if one.kind == SPEED else _CONSTANT)]:
            return True
    return False


@block
def _take_inputs(held: CommandedRun):
    """Inputs take effect at the present time."""
    F = held.run.system.ask.functions
    t = held.run.progress.t
    for k in range(held.n_inputs):
        one = held.inputs[k]
        if one.kind == SPEED:
            F[one.place + _CONSTANT] += (F[one.place + _SLOPE] - one.value) * t
            F[one.place + _SLOPE] = one.value
        else:
            F[one.place + _CONSTANT] = one.value


@block
def _restart_train(held: CommandedRun):
    """Speeds of drives, and accelerations of a train."""
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
    p.extrapolate = 0
    call_show(run.show, run)


@block
def _at_rest(run: Run, mass: F8, damping: F8):
    """The accepted state, evaluated at its time with these factors of the tangent."""
    sys = run.system
    ask = sys.ask
    ask.t = run.progress.t
    ask.h = 0.0
    ask.M = mass
    ask.D = damping
    ask.K = 0.0
    ask.L = 1.0
    ask.load = 1.0
    ask.damp = 1.0
    ask.shift = 0.0
    ask.restart = 0
    for i in range(run.n_q):
        sys.dq[i] = 0.0
        sys.v[i] = run.v0[i]
        sys.vd[i] = run.vd0[i]
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    move(sys)
    spread_rates(sys)
    call_begin(run.begin, sys)


@block
def _restart_general(held: CommandedRun) -> I8:
    """Changes of accelerations, rates of order 1 and multipliers by a change of the inputs."""
    run = held.run
    sys = run.system
    p = run.progress
    n = run.n
    before = held.before
    for k in range(held.n_inputs):
        if held.inputs[k].kind == SPEED:  # velocities would jump
            return NOT_BALANCED
    _at_rest(run, 1.0, 0.0)
    call_assemble(run.assemble, sys, RESIDUAL, False, 1.0)
    for i in range(n):
        before[i] = sys.r[i]
    _take_inputs(held)
    p.have_factors = 0
    p.extrapolate = 0
    if sys.n_massless > 0:  # their columns are those of their rates
        if sys.is_dense == 0:
            p.restart = 1
            return DONE
        _at_rest(run, 0.0, 1.0)
        call_assemble(run.assemble, sys, TANGENT, False, 1.0)
        D = run.factors.D
        for k in range(sys.n_massless):
            j = sys.massless[k]
            for i in range(n):
                D[k, i] = sys.Ax[j * n + i]
    _at_rest(run, 1.0, 0.0)
    call_assemble(run.assemble, sys, TANGENT, False, 1.0)
    if sys.n_massless > 0:
        D = run.factors.D
        for k in range(sys.n_massless):
            j = sys.massless[k]
            for i in range(n):
                sys.Ax[j * n + i] = D[k, i]
    if not call_factorise(run.factorise, run.factors, sys.Ax):
        if sys.is_dense != 0:
            return NOT_BALANCED
        p.restart = 1  # these pivots are those of steps: the next step contains no acceleration of the past
        return DONE
    for i in range(n):
        sys.r[i] -= before[i]
    call_solve(run.solve, run.factors, False, sys.Ax, sys.r, run.x, run.b)
    x = run.x
    for k in range(sys.n_massless):
        j = sys.massless[k]
        run.v0[j] -= x[j]
        x[j] = 0.0
    for i in range(run.n_q):
        run.vd0[i] -= x[i]
        run.a[i] -= x[i]
        run.vd_before[i] = run.vd0[i] if x[i] != 0.0 else run.vd_before[i]
    for j in range(run.n_lam):
        k = sys.equation[j]
        if k >= 0:
            run.lam0[j] -= sys.lam_scale[j] * x[k]
        run.lam_before[j] = run.lam0[j]
    _at_rest(run, 1.0, 0.0)
    call_assemble(run.assemble, sys, RESIDUAL, False, 1.0)
    p.power_in = sys.ask.power_in
    p.power_out = sys.ask.power_out
    p.power_teeth = sys.ask.power_teeth
    sys.ask.stop = NEVER
    return DONE


@block
def _sample(held: CommandedRun):
    """The present motion becomes the sample that is reported."""
    held.run.progress.samples = 0
    record_sample(held.run)


@entry
def restart(address: I8) -> I8:
    """Inputs that changed take effect at the present time. DONE, or NOT_BALANCED."""
    held = _at(address)
    if not _changed(held):
        return DONE
    outcome = DONE
    if held.is_train != 0:
        _take_inputs(held)
        _restart_train(held)
    else:
        outcome = _restart_general(held)
    _sample(held)
    return outcome


@block
def _leave_train(held: CommandedRun):
    """Continue with the general evaluator."""
    run = held.run
    held.is_train = 0
    run.assemble = held.assemble
    run.factorise = held.factorise
    run.solve = held.solve
    run.newton = held.newton
    run.accept = held.accept
    run.begin = held.begin
    run.take_steps = held.take_steps
    run.show = held.show


@block
def _plan(held: CommandedRun, end: F8):
    """Fixed steps: equal ones up to the requested time, no longer than the step of the run."""
    o = held.run.options
    p = held.run.progress
    length = end - p.t
    count = max(1.0, math.ceil(length / held.step - 1e-6))
    h = length / count
    if abs(h - held.step) < 1e-9 * held.step:
        h = held.step  # the same number every time, so that the matrix can be kept
    if p.h_want >= o.step * (1.0 - 1e-9):
        p.h_want = h
    o.step = h
    o.interval = h
    o.t0 = p.t
    p.stop_index = 0


@entry
def command(address: I8, end: F8) -> I8:
    """Go on to a time with the present inputs. Return DONE, or the result of the time loop that stopped the run."""
    held = _at(address)
    run = held.run
    p = run.progress
    outcome = restart(address)
    if outcome != DONE:
        return outcome
    if not end > p.t:
        _sample(held)
        return DONE
    if run.options.fixed != 0:
        _plan(held, end)
    run.options.t_end = end
    run.options.every = ALL_STEPS
    p.samples = 0
    outcome = advance(held.run_address, ALL_STEPS)
    if outcome == STUCK and held.is_train != 0:
        _leave_train(held)
        outcome = advance(held.run_address, ALL_STEPS)
    return outcome


@entry
def tell(address: I8):
    """Evaluate the report of the present motion."""
    held = _at(address)
    report = held.report
    ask = report.system.ask
    if held.recovers != 0:
        opened = ask.open
        if held.opens != 0:
            ask.open = 1
        recover_samples(held.report_address, True, held.B, held.G, held.b)
        ask.open = opened
    for i in range(report.n_energies):
        report.energies[0, i] = 0.0
    report_samples(held.report_address)
