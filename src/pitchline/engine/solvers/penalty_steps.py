"""Explicit steps of two wheels with elastic flanks and penalty contact, an evaluator of the time loop.

The formulas are in `parts.meshes.kernel_flank_steps` and `parts.bodies.kernel_explicit`.

Steps are fixed and never repeated. The motion is in the record of the pair. Poses, modal coordinates, memory and drive loads
of the system are updated when a sample is due.
"""

import math

from pitchline.numerics.fields import INTEGER, elsewhere, fields, inline, record_as, reference, table
from pitchline.numerics.machine_code.calling import address_of
from pitchline.numerics.machine_code.compiled import I8, block, entry, leaf
from pitchline.parts.bodies.kernel_explicit import ExplicitRun, explicit_forces, explicit_step, remember_elements
from pitchline.parts.meshes.kernel_flank_steps import WHEELS, PenaltyRun, accelerations, prescribe, remember, rk4_step

from ..compile.assembly import accept_state
from ..compile.nodes import move, spread_rates
from .run_record import BLOWN, DONE, Run, call_accept
from .time_loop import accept_poses, end_step, plan_step, run_at, sample_due

FARTHEST = 1e6
"""Rotation of a wheel between two samples that counts as divergence of the run [rad]."""

PenaltyDrive = fields("Penalty drive", lam=INTEGER, wheel=INTEGER)
PenaltySteps = fields(
    "Penalty steps",
    pair=reference(PenaltyRun),
    by_elements=INTEGER,  # 1: nodes of finite elements by central differences, instead of modes by the Runge-Kutta method
    elements=reference(ExplicitRun),
    # position of the pair in the system: coordinates of the wheels, condensed coordinates of both gears, memory of the flanks
    wheel_a=INTEGER,
    wheel_b=INTEGER,
    condensed_a=INTEGER,
    condensed_b=INTEGER,
    n_memory=INTEGER,
    memory_place=INTEGER,
    memory=elsewhere("n_memory"),
    n_drives=INTEGER,
    drives=table(PenaltyDrive),
    shown=inline(WHEELS),  # rotations of the wheels at the last update of the system
)
_steps = record_as(PenaltySteps)


@leaf
def _coordinate(own: PenaltySteps, wheel: I8) -> I8:
    return own.wheel_a if wheel == 0 else own.wheel_b


@block
def _place(run: Run) -> I8:
    """Set the system to the current state. Revolutions are counted by frequent checks. 0: a wheel rotated too far."""
    sys = run.system
    own = _steps(run.evaluator)
    pair = own.pair
    x = pair.x
    way = 0.0
    for i in range(WHEELS):
        way = max(way, abs(x[i] - own.shown[i]))
    if not way < FARTHEST:
        return 0
    sys.ask.t = run.progress.t
    sys.ask.h = 0.0
    pieces = max(1, math.ceil(way))
    for _ in range(pieces):
        for i in range(WHEELS):
            sys.dq[_coordinate(own, i)] = (x[i] - own.shown[i]) / pieces
        move(sys)
        accept_poses(run)
        spread_rates(sys)
        call_accept(run.accept, sys)
    if own.by_elements == 1:
        remember_elements(own.elements)
    else:
        remember(pair)
    for i in range(WHEELS):
        k = _coordinate(own, i)
        own.shown[i] = x[i]
        run.v0[k] = pair.v[i]
        run.vd0[k] = pair.a[i]
        sys.v[k] = pair.v[i]
        sys.vd[k] = pair.a[i]
        sys.dq[k] = 0.0
    memory = own.memory
    for i in range(own.n_memory):
        sys.mem[own.memory_place + i] = memory[i]
    of_a = pair.scratch.a.coordinates
    for i in range(WHEELS, pair.n if pair.by_nodes == 0 else WHEELS):  # modes of nodes are not those of the system
        k = i - WHEELS
        at = own.condensed_a + k if k < of_a else own.condensed_b + k - of_a
        sys.condensed[at] = x[i]
        sys.condensed_rate[at] = pair.v[i]
    for n in range(own.n_drives):
        drive = own.drives[n]
        run.lam0[drive.lam] = -pair.effort[drive.wheel]
        sys.lam[drive.lam] = run.lam0[drive.lam]
    return 1


@block
def take_steps(run: Run, n: I8) -> I8:
    """Take up to n steps, until a sample is due or a problem occurs."""
    own = _steps(run.evaluator)
    pair = own.pair
    p = run.progress
    run.taken = 0
    while run.taken < n:
        if p.t >= run.options.t_end:
            return DONE
        run.taken += 1
        plan_step(run, 0.0)
        run.due = sample_due(run, p.steps + 1)
        if own.by_elements == 1:
            explicit_step(own.elements, p.t, run.h)
            p.evaluations += 1
        else:
            rk4_step(pair, p.t, run.h)
            accelerations(pair, run.t1, pair.x, pair.v, pair.a)
            p.evaluations += 4
        p.steps += 1
        p.t = run.t1
        p.h_last = run.h
        p.work_in = pair.work_in
        p.work_out = pair.work_out
        end_step(run)
        if not abs(pair.a[0]) + abs(pair.a[1]) < 1e30:
            run.due = 0
            return BLOWN
        if run.due != 0:
            if _place(run) == 0:
                run.due = 0
                return BLOWN
            return DONE
    return DONE


@entry
def start(address: I8) -> I8:
    """Initial accelerations, and the system in the state of the pair."""
    run = run_at(address)
    own = _steps(run.evaluator)
    pair = own.pair
    if own.by_elements == 1:
        prescribe(pair, run.progress.t, pair.x, pair.v)
        explicit_forces(own.elements, run.progress.t, 0.0)
    else:
        accelerations(pair, run.progress.t, pair.x, pair.v, pair.a)
    return _place(run)


@block
def show(run: Run):
    """Nothing to do: the system is updated with every sample."""


def addresses() -> dict[str, int]:
    """Addresses of the functions that the steps call, by their fields in the record of the run."""
    return {"accept": address_of(accept_state), "take_steps": address_of(take_steps), "show": address_of(show)}
