"""Record of a run for the compiled time loop, and the limits of rotation and displacement of a step.

The motion consists of the accepted values here (`v0`, `vd0`, `a`, `lam0`, ...) and of those in the record of the system: its
accepted poses, own coordinates and memory, and the increments, rates and multipliers of the current step.
"""

import numpy as np

from pitchline.numerics.fields import (
    INTEGER,
    MATRIX,
    NUMBER,
    Any_,
    elsewhere,
    embedded,
    fields,
    record_as,
    reference,
    table,
)
from pitchline.numerics.functions import value_of
from pitchline.numerics.machine_code.calling import caller_of
from pitchline.numerics.machine_code.compiled import F8, block, leaf
from pitchline.parts.bodies.kernel_constraint import ScalarConstraint
from pitchline.parts.meshes.kernel import GEAR_MESH
from pitchline.parts.meshes.kernel_records import CONTACT_ENDS, FAR
from pitchline.parts.meshes.kernel_sticking import STICKING_MESH

from ..compile.assembly import accept_state
from ..compile.nodes import move
from ..compile.signal_pass import Pose, SystemRecord
from ..compile.system import System
from ..elements.contract import ANGLE

# result of a step or of a run
DONE, CHUNK, FULL, STUCK, PIVOT, LOOSE, BLOWN, TOO_SMALL, IMPACT, CHOOSE, STABILISE, SWITCH, CHATTER = range(13)

Options = fields(
    "Options",
    am=NUMBER,  # coefficients of the method
    af=NUMBER,
    beta=NUMBER,
    gamma=NUMBER,
    rtol=NUMBER,  # Newton's tolerance, relative to the largest acceleration or multiplier
    floor=NUMBER,  # increments that count as rounding
    stabilised=INTEGER,
    fixed=INTEGER,  # fixed steps; otherwise error control
    step=NUMBER,
    h_min=NUMBER,
    h_max=NUMBER,
    tolerance=NUMBER,
    turn_limit=NUMBER,
    t0=NUMBER,
    t_end=NUMBER,
    interval=NUMBER,  # between stops
    every=INTEGER,  # stops between samples, 0: a sample after every step
    look_after=NUMBER,  # rotation after which elements check their memory
    follow=NUMBER,  # fraction of the error of a step that Newton may leave
    most_turn=NUMBER,  # largest rotation of a body in a step (`most_turn`)
    look_way=NUMBER,  # displacement of a body after which elements check their memory [m]
    small_step=NUMBER,  # below this step, index 3 amplifies rounding: the stabilised form takes over; 0: never
)

Progress = fields(
    "Progress",
    t=NUMBER,
    h_want=NUMBER,
    h_allowed=NUMBER,  # from the errors of the last steps
    h_last=NUMBER,
    h_factored=NUMBER,
    work_in=NUMBER,
    work_out=NUMBER,
    work_teeth=NUMBER,  # part of the supplied work from teeth whose force has no potential
    power_in=NUMBER,
    power_out=NUMBER,
    power_teeth=NUMBER,
    loose_limit=NUMBER,
    loose_now=NUMBER,
    turned=NUMBER,  # rotation since the last check of the elements
    moved=NUMBER,  # largest displacement of the bodies since then [m]
    least_gain=NUMBER,
    growth=NUMBER,
    turn_rate=NUMBER,  # largest angular speed of a body in the last step
    stop=NUMBER,  # the next time at which elements require the end of a step
    h_event=NUMBER,  # length of the step up to an event that is being located; 0: none
    h_most=NUMBER,  # step after which the event is known to have occurred
    steps=INTEGER,
    evaluations=INTEGER,
    factorisations=INTEGER,
    rejected=INTEGER,
    failures=INTEGER,
    rounded=INTEGER,
    have_factors=INTEGER,
    extrapolate=INTEGER,
    stop_index=INTEGER,
    samples=INTEGER,
    stride=INTEGER,
    worst=INTEGER,
    sample_due=INTEGER,
    kink=INTEGER,  # number of kinks that have passed
    step_factored=INTEGER,
    choose_at=INTEGER,
    choose_wait=INTEGER,
    restart=INTEGER,  # 1: forces jump at the start of the next step
    seek=INTEGER,  # attempts to locate the present event
    starts=INTEGER,  # events at the start of the present step
    events=INTEGER,
    events_before=INTEGER,  # number of events when their frequency was checked, and the time of that
    t_before=NUMBER,
    acted=NUMBER,  # largest effort so far, over the root of its inertia
    cut=INTEGER,  # fixed steps that were divided
    cut_for_turns=INTEGER,  # those in which a body rotates too far
)

Work = fields("Work", put_in=NUMBER, dissipated=NUMBER, by_teeth=NUMBER)
"""Energy since the start; by_teeth: part of the supplied energy from teeth whose force has no potential."""

Output = fields(
    "Output",
    room=INTEGER,
    n_q=INTEGER,
    n_own=INTEGER,
    n_lam=INTEGER,
    n_mem=INTEGER,
    n_condensed=INTEGER,
    t=elsewhere("room"),
    pose=table(Pose),  # of all nodes, for each sample
    v=elsewhere("room", "n_q"),
    vd=elsewhere("room", "n_q"),
    lam=elsewhere("room", "n_lam"),
    mem=elsewhere("room", "n_mem"),
    own=elsewhere("room", "n_own"),
    condensed=elsewhere("room", "n_condensed"),  # values, then rates
    work=table(Work),
)
"""Memory for samples: one row each."""

Factors = fields(
    "Factors",
    n=INTEGER,
    n_columns=INTEGER,
    n_entries=INTEGER,
    n_integers=INTEGER,
    n_floats=INTEGER,
    n_dense=INTEGER,
    Ap=elsewhere("n_columns", of="index"),  # the matrix in compressed columns
    Ai=elsewhere("n_entries", of="index"),
    D=elsewhere("n_dense", "n_dense"),  # dense factors and their pivots
    pivot=elsewhere("n", of="integer"),
    integers=elsewhere("n_integers", of="index"),  # sparse factors, see `linear`
    floats=elsewhere("n_floats"),
)

FactoredAxes = fields(
    "FactoredAxes",
    rows=MATRIX,  # of a node when the matrix was factorised: for moments, and for increments
    columns=MATRIX,
    turn_rows=MATRIX,  # from its current axes to those
    turn_columns=MATRIX,
)
"""For every node, see `newton`."""

Run = fields(
    "Run",
    # the current step: its length, the time at its end, whether that is a stop, whether a sample is due there
    h=NUMBER,
    t1=NUMBER,
    lands=INTEGER,
    due=INTEGER,
    turned=NUMBER,  # largest rotation and displacement of a body in it
    way=NUMBER,
    wanted=NUMBER,  # requested next step size
    rate=NUMBER,  # convergence rate of Newton in it
    taken=INTEGER,  # requested steps that the evaluator has taken
    # compiled functions that are called by address, so that only those in use are compiled
    assemble=INTEGER,
    rows=INTEGER,
    factorise=INTEGER,
    solve=INTEGER,
    newton=INTEGER,
    close=INTEGER,
    accept=INTEGER,
    begin=INTEGER,
    take_steps=INTEGER,  # of the evaluator, see `time_loop`
    show=INTEGER,
    n_q=INTEGER,
    n_lam=INTEGER,
    n=INTEGER,
    options=embedded(Options),
    progress=reference(Progress),
    system=reference(SystemRecord),
    factors=reference(Factors),
    factored=table(FactoredAxes),
    factors_turned=INTEGER,  # whether nodes have rotated since the matrix was factorised
    output=reference(Output),
    evaluator=reference(Any_),  # record of an evaluator that needs more than this
    v0=elsewhere("n_q"),
    vd0=elsewhere("n_q"),
    a=elsewhere("n_q"),  # algorithmic accelerations
    a0=elsewhere("n_q"),  # those at the start of the current step
    vd_before=elsewhere("n_q"),  # accelerations one step before
    lam0=elsewhere("n_lam"),
    lam_before=elsewhere("n_lam"),
    n_kinks=INTEGER,
    kinks=elsewhere("n_kinks"),  # times at which functions of time are not smooth
    x=elsewhere("n"),  # scratch
    b=elsewhere("n"),
)


# ---- turn limits

# Limits of the rotation of bodies in a step: elements that count revolutions must detect every one of them.
#
# Poses do not contain full revolutions. Elements that count revolutions (joints, gear pairs) use the revolution
# closest to that of their last check, and a drive is compared with its target within one revolution. Both are correct
# while no angle changes by half a revolution. Angles between two bodies change by the rotations of both: each may
# rotate by a quarter, or by half a revolution if all angles are relative to the ground. A drive defines the change of
# its angle before the step is solved: if the prescribed and the computed change are both below half a revolution,
# they cannot differ by a full revolution.
#
# Trains do not need this: they store full revolutions in addition to the angles, and check also within a step
# (`train_step`).

call_accept = caller_of(accept_state.signature)
_drive = record_as(ScalarConstraint)

HALF_TURN = 3.0
"""Largest change of an angle in a step, and between two checks of the elements that count revolutions [rad]."""
WAY = 0.05
"""Displacement of a body between two checks of gear pairs, relative to the depth of their teeth."""
PLANNED = 0.9
"""Fraction of the largest rotation up to which steps are planned, because speeds change within a step."""
OPEN = 1e-3
"""Largest accepted violation of a constraint after a stabilised step, in radians or as a fraction of the model length."""


def most_turn(system: System) -> float:
    """Largest rotation of a body in a step of a system [rad].

    Wheels with revolute joints to the ground rotate relative to fixed mesh frames."""
    hinged = not np.any(system.ndof > 1)
    grounded = all(
        0 in e.nodes or (hinged and e.kind in (GEAR_MESH, STICKING_MESH))
        for e in system.elements
        if e.kind.accept is not None
    )
    return HALF_TURN if grounded else 0.5 * HALF_TURN


def look_way(system: System) -> float:
    """Displacement of a body after which gear pairs check the position of their teeth [m]: teeth that pass each other
    undetected would be miscounted when they mesh again."""
    limits = [e.values["limits"] for e in system.elements if e.kind is GEAR_MESH]
    limits += [e.values["pair"]["limits"] for e in system.elements if e.kind is STICKING_MESH]
    return WAY * float(min((x["depth"] for x in limits if x["ends"] == CONTACT_ENDS), default=FAR))


@leaf
def turning_pieces(run: Run, turning: F8) -> F8:
    """Number of equal parts of a fixed step at an angular speed."""
    return max(1.0, np.ceil(run.options.step * turning / (PLANNED * run.options.most_turn) - 1e-9))


@block
def driven_turn(run: Run) -> F8:
    """Largest change of a driven angle in the planned step [rad]."""
    sys = run.system
    functions = sys.ask.functions
    turn = 0.0
    for k in range(sys.n_driven):
        s = _drive(sys.elements[sys.driven[k]].s)
        if s.on.kind == ANGLE:
            now = value_of(functions, s.function, run.progress.t)[0]
            turn = max(turn, abs(value_of(functions, s.function, run.t1)[0] - now))
    return turn


def jumping_drive(system: System, t: float, h: float) -> tuple[float, str]:
    """Jump of an angle from t to t + h, for the smallest step h [rad], and its drive; 0 if there is none."""
    for e in system.layout.driven:
        s = system.elements[e].values
        before, after = (value_of(system.functions, int(s["function"]), time)[0] for time in (t, t + 4.0 * h))
        if s["on"]["kind"] == ANGLE and abs(after - before) > HALF_TURN:
            return abs(float(after - before)), system.elements[e].name
    return 0.0, ""


@block
def look_back(run: Run):
    """Elements count their revolutions at the accepted pose."""
    sys = run.system
    for i in range(run.n_q):
        sys.dq[i] = 0.0
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    move(sys)
    sys.ask.t = run.progress.t
    call_accept(run.accept, sys)


@block
def largest_gap(run: Run) -> F8:
    """Of scaled constraint rows in the residual: the largest violation of a row that does not open, in radians or as a
    fraction of the length of the model."""
    sys = run.system
    gap = 0.0
    for j in range(run.n_lam):
        k = sys.equation[j]
        if k < 0:
            continue
        opens = False
        for n in range(sys.n_opening):
            opens = opens or sys.opening[n] == j
        size = abs(sys.r[k]) / (sys.lam_scale[j] * sys.lam_factor[j]) * sys.weight[k]
        if not opens and not size <= gap:
            gap = size
    return gap
