"""Dynamics: the motion of a model in time."""

import os
import time as clock
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from ..errors import SolveError
from ..model import Model
from ..results.result import Result
from ..results.status import Status
from ..solvers import generalized_alpha as ga
from ..solvers.consistent import consistent_accelerations, contradiction, displace, project_velocities
from ..solvers.integrator import CONFLICT, Integrator, SampleStore
from ..solvers.step_loop import Samples
from ..system.system import System
from .checkpoint import Checkpoint
from .mesh_contact import left_contact, lost_contact
from .modal_steps import fitted_to_modes, modal_warnings
from .preparation import conflict_message, prepare
from .signals import build_signals, left_tables, samples_of
from .start import starting_point
from .time_options import TimeOptions
from .watching import Moment, finished, reached

TURN_WARNING = 0.2
"""Rotation of a body in one fixed step beyond which a warning is given [rad]."""

Progress = Callable[[float, float], None]


def dynamics(
    model: Model,
    *,
    duration: Any,
    start: Result | None = None,
    step: Any = None,
    tolerance: float = 1e-6,
    output_step: Any = None,
    rho: float | None = None,
    hht: float | None = None,
    max_step: Any = None,
    min_step: Any = None,
    newton_tolerance: float = 1e-7,
    stabilised: bool | None = None,
    reduce: bool = True,
    progress: Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_seconds: Any = 30.0,
) -> Result:
    """Integrate the equations of motion.

    Lie-group generalized-alpha, order 2 in positions, velocities and multipliers. Positions and
    velocities at the start are first brought onto the constraints by the smallest change; accelerations and multipliers
    follow from the balance.

    Parameters
    ----------
    duration : [s].
    start : a result whose last sample is the start, in position, velocity and time; default: the model's own conditions.
    step : a fixed step [s] (fitted to the duration); default: error control.
    tolerance : of the local error in position, in radians and in parts of the model's length (error control only).
    output_step : samples at these distances [s], hit exactly; default: error control: every step, thinned out
        beyond 16,000 samples; fixed: every step or every n-th, at most 1000 samples.
    rho : spectral radius at infinity, 0 <= rho < 1: numerical damping of the highest frequencies; default 0.7.
    hht : alpha of the HHT method, -1/3 <= alpha < 0, instead of rho.
    max_step, min_step : bounds of the step under error control [s].
    newton_tolerance : of the corrections, relative to the largest acceleration or force.
    stabilised : satisfy the constraints in velocities too (index 2 with projected positions). Default: with error control
        yes, because changes of the step would disturb the reactions otherwise; with a fixed step no, which is quicker.
    reduce : carry bodies on joints to ground with the joint's coordinates (False: six coordinates and multipliers).
    progress : called now and then with (time reached, end time).
    checkpoint : file that is written now and then, and at the end of an interrupted run; `resume` goes on from it.

    A run that is interrupted from the keyboard returns what it has, with status INTERRUPTED. A run that fails raises
    SolveError with what it has as its `result`.
    """
    began = clock.perf_counter()
    options = TimeOptions.read(
        duration=duration, step=step, tolerance=tolerance, output_step=output_step, rho=rho, hht=hht, max_step=max_step,
        min_step=min_step, newton_tolerance=newton_tolerance, stabilised=stabilised,
    )  # fmt: skip
    snapshot = starting_point(model, start)
    options = fitted_to_modes(options, model)
    ready = prepare(model, snapshot, until=snapshot.t + options.duration, reduce=reduce)
    ready.warnings = ready.warnings + modal_warnings(options, model)
    system, state = ready.system, ready.state
    project_velocities(system, state)
    consistent_accelerations(system, state)
    integrator = Integrator.begin(system, state, options.layout(system, state), ready.rank, ready.loose)
    store = SampleStore(system, state.lam.size, state.mem.size)
    store.add(integrator)
    keeper = None
    if checkpoint is not None:
        keeper = Checkpoint(checkpoint, model, snapshot, asdict(options), reduce, ready.warnings, checkpoint_seconds)
    return _run(
        model, system, integrator, store, ready.warnings, asdict(options) | {"reduce": reduce}, progress, keeper, began
    )


def resume(model: Model, checkpoint: str | os.PathLike[str], *, progress: Progress | None = None) -> Result:
    """Go on with a run from its checkpoint, to the same bits as if it had never stopped.

    The model must be the one of the run. The checkpoint goes on being written.
    """
    began = clock.perf_counter()
    keeper, system, integrator, store = Checkpoint.open(checkpoint, model)
    options = keeper.options | {"reduce": keeper.reduce}
    return _run(model, system, integrator, store, keeper.warnings, options, progress, keeper, began)


def _run(
    model: Model,
    system: System,
    integrator: Integrator,
    store: SampleStore,
    warnings: list[str],
    options: dict[str, Any],
    progress: Progress | None,
    keeper: Checkpoint | None,
    began: float,
) -> Result:
    start, end = integrator.t, float(integrator.options[ga.T_END])

    def watch(now: Integrator) -> None:
        if progress is not None:
            progress(now.t, end)
        h = float(now.motion.floats[ga.H_WANT])
        reached(Moment("dynamics", model.name, now.t, start, end, int(now.motion.integers[ga.STEPS]), h))
        if keeper is not None:
            keeper.maybe_write(now, store)

    status, message = Status.COMPLETED, ""
    try:
        outcome = integrator.run(store, watch)
        if outcome != ga.DONE:
            status, message = Status.FAILED, _failure(model, system, integrator, outcome)
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
        message = f"interrupted at t = {integrator.t:g} s of {end:g} s"
        if keeper is not None:
            keeper.write(integrator, store)
    except SolveError as error:  # balance after an impact
        status, message = Status.FAILED, str(error)
    if status is Status.FAILED:
        lost = _lost_contact(model, system, integrator)
        message = f'dynamics of model "{model.name}" stopped at t = {integrator.t:g} s: {lost}' if lost else message
    result = _result(model, system, integrator, store, status, message, warnings, options, began)
    if status is Status.FAILED:
        raise SolveError(message, result=result, time=integrator.t)
    if keeper is not None and status is Status.COMPLETED:
        keeper.remove()
    return finished(result)


def _lost_contact(model: Model, system: System, integrator: Integrator) -> str:
    """Which rigid wheels were about to leave each other in the next step, the one that failed."""
    if not any(pair.law.rigid for pair in model.gear_pairs.values()):
        return ""
    now, then = integrator.state(), integrator.state()
    displace(system, then, 4.0 * float(integrator.motion.floats[ga.H_WANT]) * then.v)
    signals = build_signals(system, samples_of([now, then]), integrator.rank, inertial=True)
    return lost_contact(model, signals, 0) or lost_contact(model, signals, 1)


def _failure(model: Model, system: System, integrator: Integrator, outcome: int) -> str:
    where = system.unknown_name(int(integrator.motion.integers[ga.WORST]))
    t = integrator.t
    if outcome == CONFLICT:
        return conflict_message("dynamics", model, contradiction(system, integrator.state()) or "", t)
    if outcome == ga.BLOWN:
        return (
            f'dynamics of model "{model.name}" blew up at t = {t:g} s, first at {where}: numbers grew beyond all bounds. '
            "Check its masses, stiffnesses and loads for units; take a smaller step, or rho = 0.5 for more damping"
        )
    h = integrator.motion.floats[ga.H_WANT]
    if outcome == ga.TOO_SMALL:
        return (
            f'dynamics of model "{model.name}" stopped at t = {t:g} s: error control asks for a step of {h:.2g} s, below the '
            f"smallest one; the error is largest about {where}. Allow a smaller min_step, a larger tolerance, or soften what "
            "changes so suddenly there"
        )
    return (
        f'dynamics of model "{model.name}" stopped at t = {t:g} s: Newton did not converge, even with steps of {h:.2g} s; '
        f"the largest correction is at {where}. Look at the last samples there. A stop or a stiff spring that is hit hard, "
        "a mechanism driven beyond its reach, or a load that jumps are common causes: soften or damp the first, check the "
        "second, ramp the third; or try a smaller step"
    )


def _result(
    model: Model,
    system: System,
    integrator: Integrator,
    store: SampleStore,
    status: Status,
    message: str,
    warnings: list[str],
    options: dict[str, Any],
    began: float,
) -> Result:
    samples = store.samples(integrator)
    signals = build_signals(system, samples, integrator.rank, inertial=True)
    warnings = warnings + _turn_warning(integrator, system, samples) + left_tables(signals) + left_contact(model, signals)
    n = integrator.motion.integers
    return Result(
        kind="dynamics",
        model_name=model.name,
        time=samples.t,
        signals=signals,
        status=status,
        message=message,
        warnings=warnings,
        statistics={
            "steps": int(n[ga.STEPS]),
            "iterations": int(n[ga.EVALUATIONS]),
            "factorisations": int(n[ga.FACTORISATIONS]),
            "rejected": int(n[ga.REJECTED]),
            "newton_failures": int(n[ga.FAILURES]),
            "steps_limited_by_rounding": int(n[ga.ROUNDED]),
            "pivotings": integrator.pivotings,
            "rank_changes": integrator.rank_changes,
            "impacts": integrator.impacts,
            "unknowns": system.n,
            "coordinates": system.n_q,
            "wall_time": integrator.wall,
            "total_time": clock.perf_counter() - began,
        },
        model=model.describe(),
        options=options,
    )


def _turn_warning(integrator: Integrator, system: System, samples: Samples) -> list[str]:
    """Fixed steps in which bodies turn far: their reactions suffer first."""
    if not integrator.options[ga.FIXED]:
        return []
    turn, name = 0.0, ""
    for k, plan in enumerate(system.nodes, 1):
        i, nd = system.dof0[k], system.ndof[k]
        omega = samples.v[:, i : i + nd] @ plan.T[3:].T
        fastest = float(np.max(np.linalg.norm(omega, axis=1), initial=0.0)) * integrator.options[ga.STEP]
        if nd > 1 and fastest > turn:
            turn, name = fastest, plan.body.name
    if turn <= TURN_WARNING:
        return []
    return [
        f'body "{name}" turns by {turn:.2g} rad in one step; beyond about {TURN_WARNING:g} rad reactions of orbiting bodies '
        "lose accuracy and may grow: take a smaller step, a smaller rho, or leave out step for error control"
    ]
