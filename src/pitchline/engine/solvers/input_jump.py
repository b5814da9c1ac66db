"""Accelerations when an input jumps between two steps.

The method carries accelerations over from step to step. If a force jumps, the carried acceleration is wrong by its jump, and the
velocity after the next step by half of it times the step. Therefore the jump of accelerations and multipliers is computed,

    M da + B^T dlam = -dr ,    B da = d(f'')  for drives,

with the change dr of the residual, and added to the motion. Own coordinates of order 1 have no mass: their rates jump, and D
takes the place of M in their columns. What the method has carried over otherwise is kept, so that the order of the motion does
not change. If no input changes, nothing is computed.

Friction that sticks and rigid contacts choose their laws again after a jump, in a step without accelerations of the past, as
after an event.
"""

import numpy as np

from pitchline.numerics.fields import record_as
from pitchline.numerics.machine_code.compiled import A1, B1, F8, I1, I8, block, entry
from pitchline.parts.bodies.kernel_row import SIGNAL_DRIVE

from ..compile import train_search as train_records
from ..elements.contract import RESIDUAL, TANGENT
from .integrator import Integrator
from .linear import call_factorise, call_solve
from .newton import begin, call_assemble
from .run_record import Run
from .time_loop import run_at

__all__ = ["InputJump"]

_train = record_as(train_records.TrainRecord)


@block
def _evaluate(run: Run, tangent: B1, mass: F8, damping: F8):
    """Residual, and the matrix of masses (or of dampers) and constraints, at the accepted state."""
    sys = run.system
    ask = sys.ask
    ask.t = run.progress.t
    ask.h = 0.0
    ask.load = 1.0
    ask.damp = 1.0
    ask.M = mass
    ask.D = damping
    ask.K = 0.0
    ask.L = 1.0
    begin(run)
    call_assemble(run.assemble, sys, TANGENT if tangent else RESIDUAL, False, 1.0)


@entry
def residual_now(address: I8, out: A1):
    """Residual of the accepted state, with the present inputs."""
    run = run_at(address)
    _evaluate(run, False, 1.0, 0.0)
    for i in range(run.n):
        out[i] = run.system.r[i]


@block
def _assemble_masses(run: Run, kept: A1):
    """Matrix of masses and constraints; in the columns of coordinates without mass, of their rates. kept: as large as the matrix
    if there are such coordinates."""
    sys = run.system
    factors = run.factors
    Ax = sys.Ax
    if sys.n_massless > 0:
        _evaluate(run, True, 0.0, 1.0)
        for i in range(sys.n_values):
            kept[i] = Ax[i]
    _evaluate(run, True, 1.0, 0.0)
    for k in range(sys.n_massless):
        column = sys.massless[k]
        first = column * run.n
        last = first + run.n
        if sys.is_dense == 0:
            first = factors.Ap[column]
            last = factors.Ap[column + 1]
        for i in range(first, last):
            Ax[i] = kept[i]


@entry
def shift_general(address: I8, before: A1, kept: A1, rows: I1, curvature: A1, only_rates: B1) -> I8:
    """Add the jump of the accelerations, and of the rates of coordinates without mass (or only of these). before: residual with
    the earlier inputs; rows, curvature: multipliers of drives, and the jumps of the second derivatives of their functions. 0: the
    matrix needs other pivots, and nothing has changed."""
    run = run_at(address)
    sys = run.system
    _assemble_masses(run, kept)
    run.progress.have_factors = 0
    run.progress.factorisations += 1
    if not call_factorise(run.factorise, run.factors, sys.Ax):
        return 0
    r = sys.r
    for i in range(run.n_q):
        r[i] -= before[i]
    for i in range(run.n_q, run.n):
        r[i] = 0.0
    for k in range(rows.size):
        q = sys.equation[rows[k]]
        if q >= 0:
            r[q] = -sys.lam_scale[rows[k]] * curvature[k]
    if not call_solve(run.solve, run.factors, True, sys.Ax, r, run.x, run.b):
        return 0
    x = run.x
    for k in range(sys.n_massless):
        i = sys.massless[k]
        run.v0[i] -= x[i]
        x[i] = 0.0
    if only_rates:
        return 1
    for i in range(run.n_q):
        run.vd0[i] -= x[i]
        run.a[i] -= x[i]
        run.vd_before[i] -= x[i]
    for j in range(run.n_lam):
        q = sys.equation[j]
        if q >= 0:
            change = sys.lam_scale[j] * x[q]
            run.lam0[j] -= change
            run.lam_before[j] -= change
    _evaluate(run, False, 1.0, 0.0)
    run.progress.power_in = sys.ask.power_in
    run.progress.power_out = sys.ask.power_out
    run.progress.power_teeth = sys.ask.power_teeth
    return 1


@entry
def shift_train(address: I8, places: I1, jump: A1, curvature: A1):
    """`shift_general` for a train. places: indices of the functions that jump; jump: of a load; curvature: of a drive."""
    run = run_at(address)
    train = _train(run.evaluator)
    wheels = train.wheels
    x = train.x
    p = run.progress
    for i in range(train.n_free):
        x[i] = 0.0
    for k in range(places.size):
        for l in range(train.n_loads):
            load = train.loads[l]
            if load.function == places[k]:
                w = wheels[load.i]
                x[w.group] += w.gain * load.factor * jump[k]
                if w.group >= train.n_drives:
                    p.power_in += load.factor * jump[k] * w.v
    # accelerations of the free coordinates
    for g in range(train.n_free):
        mass = _mass(train, g)
        if g < train.n_drives:
            x[g] = 0.0
            for k in range(places.size):
                for l in range(train.n_drives):
                    drive = train.drives[l]
                    driven = wheels[drive.i]
                    if drive.function == places[k] and driven.group == g:
                        x[g] = drive.a * curvature[k] / driven.gain
                        p.power_in += mass * x[g] * driven.v / driven.gain
        else:
            x[g] /= mass
    for i in range(train.n_wheels):
        w = wheels[i]
        change = w.gain * x[w.group]
        w.vd += change
        w.a += change
        w.vd_before += change


@block
def _mass(train: train_records.TrainRecord, group: I8) -> F8:
    """Inertia of a free coordinate."""
    total = 0.0
    for i in range(train.n_wheels):
        w = train.wheels[i]
        if w.group == group:
            total += w.mass * w.gain * w.gain
    return total


class InputJump:
    """Consistent accelerations of a run after a change of its inputs.

    jump.before()                # with the earlier inputs
    ...                          # write the new functions
    jump.after(places, values, curvatures, speeds=False)
    """

    def __init__(self, integrator: Integrator) -> None:
        self.integrator = integrator
        s = integrator.system
        self._before = np.zeros(0)
        self._places: dict[int, int] = {}
        """Multiplier of each drive by the index of its function."""
        for e in s.layout.driven:
            self._places[int(s.elements[e].values["function"])] = int(s.lam0[e])
        self._massless = bool(s.own.first_order.size)
        switching = s.layout.guards.size or s.layout.opening.size
        self._direct = not switching and not any(e.kind is SIGNAL_DRIVE for e in s.elements)

    def before(self) -> None:
        """Remember the balance with the present inputs."""
        if self.integrator.train is None and (self._direct or self._massless):
            motion = self.integrator.motion
            if self._before.size != self.integrator.system.n:
                self._before = np.zeros(self.integrator.system.n)
            residual_now(motion.address, self._before)

    def after(self, places: list[int], jumps: list[float], curvatures: list[float], *, speeds: bool) -> None:
        """Add the jump of the accelerations. places: functions that changed; jumps: of their values (loads, signals);
        curvatures: of their second derivatives (drives). speeds: the speed of a drive jumps."""
        motion = self.integrator.motion
        if speeds:
            self.integrator.balance_again()
        elif self.integrator.train is not None:
            shift_train(motion.address, np.array(places), np.array(jumps), np.array(curvatures))
        elif self._direct and self._shift(places, curvatures):
            return
        else:
            if self._massless:
                self._shift(places, curvatures)
            # the next step is one without accelerations of the past, as after an event
            motion.progress["restart"] = 1
            motion.progress["have_factors"] = 0
            motion.progress["extrapolate"] = 0

    def _shift(self, places: list[int], curvatures: list[float]) -> bool:
        known = [(self._places[place], c) for place, c in zip(places, curvatures, strict=True) if place in self._places]
        rows, values = np.array([row for row, _ in known], np.int64), np.array([c for _, c in known], float)
        motion = self.integrator.motion
        kept = np.zeros(motion.work.Ax.size if self._massless else 1)
        done = shift_general(motion.address, self._before, kept, rows, values, not self._direct)
        return bool(done)
