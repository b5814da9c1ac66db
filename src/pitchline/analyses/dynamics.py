"""Dynamics: the motion of a model in time."""

import os
import time as clock
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..arguments import names_wrong_arguments
from ..errors import ModelError, PitchlineError, SolveError
from ..math.slow_laws import raise_stored, stored_exception, take_stored
from ..model import Model
from ..progress import staged
from ..results.result import Result
from ..results.status import Status
from ..solvers.consistent import contradiction, displace
from ..solvers.impact import balance_motion, start_moving
from ..solvers.integrator import CONFLICT, Integrator
from ..solvers.run_record import BLOWN, DONE, TOO_SMALL
from ..solvers.sample_store import SampleStore
from ..solvers.switching import check_start
from ..solvers.turn_limits import jumping_drive
from ..system.kept_memory import kept_memory, remembers
from ..system.outside_programs import end_programs, start_programs, stored_programs, unsaved_programs
from ..system.snapshot import Snapshot
from ..system.system import System
from .checkpoint import Checkpoint, check_path
from .checkpoint_plan import CheckpointPlan, differences, present_plan
from .description import description
from .energy_balance import EnergyBalance, blow_up
from .flank_steps import stable_steps
from .followed_warnings import started_at_rest
from .garbage import no_garbage
from .jerked_structures import angular_velocities, jerked_structures
from .lost_speeds import lost_speeds
from .memory import SampleMemory, built, check_run, ran_out
from .mesh_contact import left_contact, lost_contact
from .modal_steps import fitted_to_modes, modal_warnings
from .observers import Moment, finished, reached
from .potential_warnings import teeth_without_potential
from .preparation import conflict_message, prepare
from .reactions import reactions_later
from .run_warnings import run_warnings
from .signals import build_signals, left_tables, samples_of
from .starting_point import starting_point
from .time_options import TimeOptions

Progress = Callable[[float, float], None]


@names_wrong_arguments
@staged("dynamics of {}")
def dynamics(
    model: Model,
    *,
    duration: Any,
    start: Result | None = None,
    step: Any = None,
    tolerance: Any = None,
    output_step: Any = None,
    rho: float | None = None,
    hht: float | None = None,
    max_step: Any = None,
    min_step: Any = None,
    newton_tolerance: float | None = None,
    stabilised: bool | None = None,
    reduce: bool = True,
    progress: Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_seconds: Any = 30.0,
) -> Result:
    """Integrate the equations of motion.

    The method is the Lie-group generalized-alpha method, of order 2 in positions, velocities and multipliers. Initial positions
    and velocities are first corrected by the smallest change that satisfies the constraints. Accelerations and multipliers
    follow from the equations of motion.

    Parameters
    ----------
    duration : [s].
    start : result whose last sample gives initial positions, velocities and time; default: the initial conditions of the model.
    step : fixed time step [s] (fitted to the duration); default: error control.
    tolerance : tolerance of the local position error (error control only): a number, in radians and as a fraction of the model's
        length, or a length such as "0.5 nm", for which rotations are multiplied by the model's length. Default: 1e-6; with
        shafts, beams and flexible bodies 1e-9, so that vibrations of 1e-6 of the model's length are accurate to a few percent.
    output_step : time between samples [s], met exactly. Default with error control: every step, thinned out above 16,000
        samples. Default with a fixed step: every step or every n-th step, at most 1000 samples.
    rho : spectral radius at infinity, 0 <= rho < 1: numerical damping of the highest frequencies; default 0.7.
    hht : alpha of the HHT method, -1/3 <= alpha < 0, instead of rho.
    max_step, min_step : limits of the time step under error control [s].
    newton_tolerance : tolerance of the Newton corrections, relative to the largest acceleration or force. Default: 1e-7 and, for
        every body and constraint, a small fraction of the local error of the time step.
    stabilised : satisfy the constraints also in velocities (index 2 with projected positions). Default: True with error control,
        because step changes would otherwise disturb the reaction forces, and with friction that sticks, because steps end at its
        events; otherwise False with a fixed step, which is faster.
    reduce : use joint coordinates for bodies on joints to ground (False: six coordinates and multipliers).
    progress : function that is called repeatedly with (time reached, end time).
    checkpoint : file that is written at intervals and at the end of an interrupted run; `resume` continues from it. If it cannot
        be written, the run continues, tries again later, and gives a warning.

    A run that is interrupted from the keyboard returns its result so far, with status INTERRUPTED. A run that fails raises
    SolveError. Its attribute `result` has the result so far.
    """
    began = clock.perf_counter()
    if checkpoint is not None:
        check_path(checkpoint)
    options = TimeOptions.read(
        duration=duration, step=step, tolerance=tolerance, output_step=output_step, rho=rho, hht=hht, max_step=max_step,
        min_step=min_step, newton_tolerance=newton_tolerance, stabilised=stabilised,
    )  # fmt: skip
    snapshot = starting_point(model, start)
    options = fitted_to_modes(options.for_model(model), model)
    if stabilised is None and _switches(model):
        options = replace(options, stabilised=True)  # steps up to events have any length
    plan = present_plan() if checkpoint is None else None
    unsaved = unsaved_programs(model)
    if checkpoint is not None and unsaved:
        raise ModelError(f"checkpoint: {unsaved[0]}. Run without a checkpoint")
    if plan is not None and not unsaved:
        checkpoint, checkpoint_seconds = plan.next_file(), plan.seconds
        if plan.resume and checkpoint.exists():
            return _go_on(model, checkpoint, plan, snapshot, options, reduce, progress, began)
    check_run(model, options, SampleMemory.least(model))
    ready = prepare(model, snapshot, until=snapshot.t + options.duration, reduce=reduce)
    ready.warnings = ready.warnings + modal_warnings(options, model) + lost_speeds(model, start)
    system, state = ready.system, ready.state
    options = stable_steps(options, system)
    most = check_run(model, options, SampleMemory.of(system))
    said = angular_velocities(system, state)
    start_moving(system, state)
    start_programs(system, state, snapshot.memory)
    if remembers(system):
        system.commit(state)  # signals of the first sample are those of the projected velocities
        raise_stored()  # of a program that failed in its first step
        balance_motion(system, state)
    ready.warnings = ready.warnings + jerked_structures(system, state, said)
    if start is not None and start.kind == "statics":
        ready.warnings = ready.warnings + started_at_rest(system, state)
    check_start(system, state)
    raise_stored()
    integrator = Integrator.begin(system, state, options.layout(system, state), ready.rank, ready.loose)
    store = SampleStore(system)
    store.most = most
    store.add(integrator)
    keeper = None
    if checkpoint is not None:
        keeper = Checkpoint(
            checkpoint, model, snapshot, dict(vars(options)), reduce, ready.warnings, checkpoint_seconds
        )
    return _run(
        model, system, integrator, store, ready.warnings, dict(vars(options)) | {"reduce": reduce}, progress, keeper, began,
        kept=plan is not None,
    )  # fmt: skip


@names_wrong_arguments
@staged("dynamics of {}")
def resume(model: Model, checkpoint: str | os.PathLike[str], *, progress: Progress | None = None) -> Result:
    """Continue a run from its checkpoint. The results are bit-identical to those of a run that was not interrupted.

    The model must be that of the run. The run continues to write the checkpoint.
    """
    began = clock.perf_counter()
    keeper, system, integrator, store = Checkpoint.open(checkpoint, model)
    store.most = check_run(model, TimeOptions(**keeper.options), SampleMemory.of(system))
    options = keeper.options | {"reduce": keeper.reduce}
    return _run(model, system, integrator, store, keeper.warnings, options, progress, keeper, began)


def _go_on(
    model: Model, file: Path, plan: CheckpointPlan, snapshot: Snapshot, wanted: TimeOptions, reduce: bool,
    progress: Progress | None, began: float,
) -> Result:  # fmt: skip
    """The analysis of a run that goes on: from its checkpoint, if that is of the same analysis."""
    keeper, system, integrator, store = Checkpoint.open(file, model)
    options = dict(vars(stable_steps(wanted, system))) | {"reduce": reduce}
    differences(file, keeper.options | {"reduce": keeper.reduce}, options, keeper.snapshot, snapshot)
    keeper.seconds = plan.seconds
    plan.taken.append(integrator.t)
    store.most = check_run(model, TimeOptions(**keeper.options), SampleMemory.of(system))
    return _run(model, system, integrator, store, keeper.warnings, options, progress, keeper, began, kept=True)


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
    *,
    kept: bool = False,
) -> Result:
    """`kept`: the checkpoint stays when the analysis is complete, for the others of its run."""
    start, end = integrator.t, float(integrator.motion.options["t_end"])

    def watch(now: Integrator) -> None:
        if progress is not None:
            progress(now.t, end)
        h = float(now.motion.progress["h_want"])
        reached(Moment("dynamics", model.name, now.t, start, end, int(now.motion.progress["steps"]), h))
        if stored_exception() is not None:
            raise _StoppedByProgram
        if keeper is not None:
            keeper.maybe_write(now, store)

    status, message = Status.COMPLETED, ""
    try:
        outcome = integrator.run(store, watch)
        if outcome != DONE:
            status, message = Status.FAILED, _failure(model, system, integrator, outcome)
            reason = integrator.motion.work.law_failure()
            if reason:
                message = f'dynamics of model "{model.name}" stopped at t = {integrator.t:g} s: {reason}'
        stored = _stored_failure(model, integrator.t)
        if stored:
            status, message = Status.FAILED, stored
    except _StoppedByProgram:
        status, message = Status.FAILED, _stored_failure(model, integrator.t)
    except MemoryError:
        status, message = Status.FAILED, ran_out(f'dynamics of model "{model.name}"', integrator.t, len(store))
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
        message = f"interrupted at t = {integrator.t:g} s of {end:g} s"
        if keeper is not None:
            keeper.write_last(integrator, store)
    except SolveError as error:  # balance after an impact
        status, message = Status.FAILED, str(error)
    if status is Status.FAILED:
        lost = _lost_contact(model, system, integrator)
        message = f'dynamics of model "{model.name}" stopped at t = {integrator.t:g} s: {lost}' if lost else message
    warnings = warnings + ([] if keeper is None else keeper.notes())
    result = built(
        lambda: _result(model, system, integrator, store, status, message, warnings, options, began),
        lambda: store.thin(integrator),
        what=f'dynamics of model "{model.name}"',
    )
    if result.status is Status.FAILED:
        end_programs(system)
        raise SolveError(result.message, result=result, time=integrator.t)
    if keeper is not None and result.status is Status.COMPLETED:
        if kept:
            keeper.write_last(integrator, store)  # where this fails, the analysis is at worst computed again
        else:
            keeper.remove()
    end_programs(system)
    return finished(result)


class _StoppedByProgram(Exception):
    """A Python function or a program in the loop failed; the exception is stored."""


def _stored_failure(model: Model, t: float) -> str:
    """Message about the exception of a function or program that runs outside compiled code; empty if there is none."""
    error = take_stored()
    if error is None:
        return ""
    if isinstance(error, KeyboardInterrupt):
        raise error
    stopped = f'dynamics of model "{model.name}" stopped at t = {t:g} s'
    if isinstance(error, PitchlineError):
        return f"{stopped}: {error}"
    return f"{stopped}: a function that runs in Python failed: {type(error).__name__}: {error}"


def _lost_contact(model: Model, system: System, integrator: Integrator) -> str:
    """Which rigid wheels were about to leave each other in the next step, the one that failed."""
    if not any(pair.law.rigid for pair in model.gear_pairs.values()):
        return ""
    now, then = integrator.state(), integrator.state()
    displace(system, then, 4.0 * float(integrator.motion.progress["h_want"]) * then.v)
    signals = build_signals(system, samples_of([now, then]), integrator.rank, inertial=True)
    return lost_contact(model, signals, 0) or lost_contact(model, signals, 1)


def _failure(model: Model, system: System, integrator: Integrator, outcome: int) -> str:
    where = system.unknown_name(int(integrator.motion.progress["worst"]))
    t = integrator.t
    if outcome == CONFLICT:
        return conflict_message("dynamics", model, contradiction(system, integrator.state()) or "", t)
    if outcome == BLOWN:
        return (
            f'dynamics of model "{model.name}" diverged at t = {t:g} s, first at {where}: values became infinite. '
            "Check the units of masses, stiffnesses and loads. Use a smaller step, or rho = 0.5 for more numerical damping"
        )
    h = integrator.motion.progress["h_want"]
    jump, drive = jumping_drive(system, t, float(h))
    if jump:
        return (
            f'dynamics of model "{model.name}" stopped at t = {t:g} s: the angle of drive "{drive}" jumps by {jump:.3g} rad. '
            "The angle must be continuous, because a jump does not define the direction of rotation. Use a speed or a ramp"
        )
    if outcome == TOO_SMALL:
        return (
            f'dynamics of model "{model.name}" stopped at t = {t:g} s: error control requires a step of {h:.2g} s, '
            "which is below the "
            f"smallest one. The error is largest at {where}. Allow a smaller min_step or a larger tolerance, or make the "
            "sudden change there smoother"
        )
    return (
        f'dynamics of model "{model.name}" stopped at t = {t:g} s: the Newton iteration did not converge, even with '
        f"steps of {h:.2g} s. "
        f"The largest correction is at {where}. Check the last samples there. Common causes are a hard impact on a stop or a "
        "stiff spring (reduce its stiffness or add damping), a mechanism driven beyond its range (check the drive) and a load "
        "that jumps (use a ramp). Or use a smaller step" + _constraints_note(system, integrator)
    )


def _constraints_note(system: System, integrator: Integrator) -> str:
    """Text for a failed run with redundant constraints: which ones are left out, and what changed during the run."""
    if not (system.redundant.size or integrator.rank_changes):
        return ""
    note = (
        ". Some constraints of this model are redundant. Their selection is repeated when the Newton iteration fails. "
        f"Left out at present: {integrator.left_out()}"
    )
    if integrator.rank_changes:
        note += f"; {integrator.rank_changes} changes during the run, the last one at t = {integrator.last_change:g} s"
    return note + ". To avoid this, use joints without the redundant constraints (a spherical joint, a point on a line)"


@no_garbage()
def _switches(model: Model) -> bool:
    """Whether the model has friction that sticks."""
    return any(e.switches for e in model.elements.values()) or any(
        p.known_law.sticks for p in model.gear_pairs.values()
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
    later = reactions_later(system, samples, integrator.rank)
    signals = build_signals(system, samples, integrator.rank, inertial=True, reactions=later)
    balance = EnergyBalance.of(signals, system, options["duration"])
    if status is Status.COMPLETED and any(e.every_step for e in system.elements):
        # elements that move on their own are stable in short steps alone
        lost = blow_up(balance)
        if lost:
            status, message = Status.FAILED, f'dynamics of model "{model.name}" diverged: {lost}'
    warnings = warnings + run_warnings(model, system, integrator, samples, signals, balance)
    warnings = warnings + left_tables(signals) + left_contact(model, signals) + teeth_without_potential(model, signals)
    n = integrator.motion.progress
    return Result(
        kind="dynamics",
        model_name=model.name,
        time=samples.t,
        signals=signals,
        status=status,
        message=message,
        warnings=warnings,
        statistics={
            "steps": int(n["steps"]),
            "iterations": int(n["evaluations"]),
            "factorisations": int(n["factorisations"]),
            "rejected": int(n["rejected"]),
            "cut_steps": int(n["cut"]),
            "newton_failures": int(n["failures"]),
            "steps_limited_by_rounding": int(n["rounded"]),
            "pivotings": integrator.pivotings,
            "rank_changes": integrator.rank_changes,
            "impacts": integrator.impacts,
            "events": int(n["events"]),
            "unknowns": system.n,
            "coordinates": system.n_q,
            "evaluator": integrator.evaluator,
            "wall_time": integrator.wall,
            "total_time": clock.perf_counter() - began,
        },
        states=kept_memory(system, samples.mem[-1]) | stored_programs(system) if len(samples.t) else {},
        model=description(model),
        options=options,
    )
