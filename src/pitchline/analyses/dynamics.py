"""Dynamics: the motion of a model in time."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted, foresee
from pitchline.base.progress.display import engineering, staged
from pitchline.engine.compile.compiler import kept_memory
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.system import System
from pitchline.engine.solvers.integrator import Integrator, SampleStore
from pitchline.engine.solvers.run_record import DONE
from pitchline.errors import BudgetError, ModelError, SolveError
from pitchline.model.model import Model
from pitchline.numerics.slow_laws import stored_exception
from pitchline.parts.contact.flank_cells import stable_steps
from pitchline.parts.contact.mesh_contact import left_contact
from pitchline.parts.control.compile import end_programs, stored_programs, unsaved_programs
from pitchline.parts.meshes.force_law import MeshLaw
from pitchline.parts.meshes.laws.varying import TIME, Varying
from pitchline.parts.meshes.part import GearMesh
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import Status

from .checkpoint import Checkpoint, check_path
from .chosen_signals import CheckpointPlan, differences, present_plan
from .observers import Moment, description, finished, reached, starting_point
from .part_warnings import wrinkled_membranes
from .reactions import reactions_later
from .run_warnings import EnergyBalance, blow_up, failure_message, lost_contact_message, run_warnings, stored_failure
from .signals import TEETH_WORK, build_signals, left_tables
from .stepper import begin_run, fitted_options
from .time_options import SampleMemory, TimeOptions, built, check_run, ran_out

__all__ = ["teeth_without_potential"]


# ---- potential warnings

# Warnings for runs in which tooth forces without a potential add energy to the motion, or remove it.

NOTED = 0.01
"""Energy added by the teeth, as a fraction of the exchanged energy, above which a warning is given."""

NO_MOTION = 1e-9
"""Motion of pitch points, as a fraction of the module, that counts as round-off."""


def teeth_without_potential(model: Model, signals: dict[str, Signal]) -> list[str]:
    """Warn if the teeth add more than a small fraction of the exchanged energy.

    This is the largest change of the kinetic and of the potential energy, and the dissipated energy."""
    if TEETH_WORK not in signals:
        return []
    teeth = signals[TEETH_WORK].values
    k = int(np.argmax(np.abs(teeth)))
    energies = (signals[f"energy.{name}"].values for name in ("kinetic", "potential", "dissipated"))
    moving = max(float(np.ptp(values)) for values in energies)
    if not moving or abs(teeth[k]) < NOTED * moving:
        return []
    pushed = [name for name, pair in model.gear_pairs.items() if _pushed(pair, signals)]
    torques = [name for name, pair in model.gear_pairs.items() if _lacks_torques(pair.law)]
    causes = []
    if pushed:
        causes.append(
            f"the separating force of {_listed(pushed)} is not derived from the energy of the teeth "
            "(follow_centres=True changes this)"
        )
    if torques:
        causes.append(
            f"errors and varying stiffness of {_listed(torques)} act without their torques (energy_consistent=True adds them)"
        )
    share = 100 * abs(float(teeth[k])) / moving
    percent = f"{share:.0f}" if share >= 10 else f"{share:.2g}"
    did = "put" if teeth[k] > 0 else "took"
    return [
        f"teeth {did} {abs(float(teeth[k])):.3g} J {'into' if teeth[k] > 0 else 'out of'} the motion by t = "
        f"{float(signals[TEETH_WORK].time[k]):.4g} s, {percent} % of the exchanged energy: "
        f"{'; '.join(causes)}; see {TEETH_WORK}"
    ]


def _pushed(pair: GearMesh, signals: dict[str, Signal]) -> bool:
    """Whether it has a separating force without a potential, and its pitch points moved against each other."""
    apart = signals.get(f"{pair.name}.misalignment")
    if apart is None or not pair.law.separating or pair.law.follow_centres:
        return False
    return float(np.ptp(apart.values)) > NO_MOTION * pair.pair.pitch.normal_module


def _lacks_torques(law: MeshLaw) -> bool:
    parts = (*law.stiffness, *law.errors, *law.plays)
    varies = law.tables is not None or any(isinstance(part, Varying) and part.over != TIME for part in parts)
    return varies and not law.energy_consistent


def _listed(names: list[str]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"gear pair{'s' if len(names) > 1 else ''} {shown}{more}"


LEAST_STEP = 2e-7
"""Least computing time of a step of any model on any machine [s]."""
Progress = Callable[[float, float], None]


@names_wrong_arguments
@staged("dynamics of {}")
@budgeted
def dynamics(
    model: Model,
    *,
    duration: Any,
    start: Result | Mapping[str, Any] | None = None,
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
    constraint_scale: float | str | None = None,
    constraint_penalty: float | str | None = None,
    progress: Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_seconds: Any = 30.0,
    budget: Any = None,
) -> Result:
    """Integrate the equations of motion.

    The method is the Lie-group generalized-alpha method, of order 2 in positions, velocities and multipliers. Initial positions
    and velocities are first corrected by the smallest change that satisfies the constraints. Accelerations and multipliers
    follow from the equations of motion.

    Parameters
    ----------
    duration : [s].
    start : result whose last sample gives initial positions, velocities and time; or positions (and speeds) by name of joint, and
        twists of elastic gear ratios: {"hinge": "30 deg", "hinge.angular_speed": "1 rad/s", "gearbox.twist": 0.001}. Other joints
        keep their initial positions, and their gearboxes follow without twist. Default: the initial conditions of the model.
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
        because step changes would otherwise disturb the reaction forces; with friction that sticks and with sampled controllers
        whose samples are not at multiples of the step, because steps end there; and with fixed steps below about 20 µs, where
        rounding of positions would disturb the reaction forces. Otherwise False with a fixed step, which is faster. With False, a
        run whose steps are divided to less than this limit continues with True.
    reduce : use joint coordinates for bodies on joints to ground (False: six coordinates and multipliers).
    constraint_scale, constraint_penalty : scale k and penalty p of the constraint forces B^T (k lambda - p Phi): a multiple of the
        automatic scale, or a stiffness such as "1e6 N/m". Default: 1 and 0. They
        change the condition of the matrix, not the result. A stiffness requires a fixed step.
    progress : function that is called repeatedly with (time reached, end time).
    checkpoint : file that is written at intervals and at the end of an interrupted run; `resume` continues from it. If it cannot
        be written, the run continues, tries again later, and gives a warning.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the result so far.

    A run that is interrupted from the keyboard returns its result so far, with status INTERRUPTED. A run that fails raises
    SolveError. Its attribute `result` has the result so far.
    """
    began = clock.perf_counter()
    if checkpoint is not None:
        check_path(checkpoint)
    options = TimeOptions.read(
        duration=duration, step=step, tolerance=tolerance, output_step=output_step, rho=rho, hht=hht, max_step=max_step,
        min_step=min_step, newton_tolerance=newton_tolerance, stabilised=stabilised, constraint_scale=constraint_scale,
        constraint_penalty=constraint_penalty,
    )  # fmt: skip
    snapshot = starting_point(model, start)
    options = fitted_options(options, model)
    _foresee_steps(options)
    plan = present_plan() if checkpoint is None else None
    unsaved = unsaved_programs(model)
    if checkpoint is not None and unsaved:
        raise ModelError(f"checkpoint: {unsaved[0]}. Run without a checkpoint")
    if plan is not None and not unsaved:
        checkpoint, checkpoint_seconds = plan.next_file(), plan.seconds
        if plan.resume and checkpoint.exists():
            return _go_on(model, checkpoint, plan, snapshot, options, reduce, progress, began)
    check_run(model, options, SampleMemory.least(model))
    run_before = start if isinstance(start, Result) else None
    begun = begin_run(model, snapshot, options, start=run_before, reduce=reduce)
    system, integrator, options, warnings = begun.system, begun.integrator, begun.options, begun.warnings
    most = check_run(model, options, SampleMemory.of(system))
    store = SampleStore(system)
    store.most = most
    store.add(integrator)
    keeper = None
    if checkpoint is not None:
        keeper = Checkpoint(checkpoint, model, snapshot, dict(vars(options)), reduce, warnings, checkpoint_seconds)
    return _run(
        model, system, integrator, store, warnings, dict(vars(options)) | {"reduce": reduce}, progress, keeper, began,
        kept=plan is not None,
    )  # fmt: skip


@names_wrong_arguments
@staged("dynamics of {}")
@budgeted
def resume(
    model: Model, checkpoint: str | os.PathLike[str], *, progress: Progress | None = None, budget: Any = None
) -> Result:
    """Continue a run from its checkpoint. The results are bit-identical to those of a run that was not interrupted.

    The model must be that of the run. The run continues to write the checkpoint. `budget` is that of `dynamics`.
    """
    began = clock.perf_counter()
    keeper, system, integrator, store = Checkpoint.open(checkpoint, model)
    store.most = check_run(model, TimeOptions(**keeper.options), SampleMemory.of(system))
    options = keeper.options | {"reduce": keeper.reduce}
    return _run(model, system, integrator, store, keeper.warnings, options, progress, keeper, began)


def _foresee_steps(options: TimeOptions) -> None:
    """Compare the least number of steps with the budget."""
    longest = options.step if options.step is not None else options.max_step
    if longest is not None:
        steps = options.duration / longest
        what = f"{steps:.3g} steps of {'' if options.step is not None else 'at most '}{engineering(longest)}"
        foresee(steps, LEAST_STEP, what, "use larger steps, or a shorter duration")


def _go_on(
    model: Model, file: Path, plan: CheckpointPlan, snapshot: Snapshot, wanted: TimeOptions, reduce: bool,
    progress: Progress | None, began: float,
) -> Result:  # fmt: skip
    """The analysis of a run that goes on: from its checkpoint, if that is of the same analysis."""
    keeper, system, integrator, store = Checkpoint.open(file, model)
    if wanted.stabilised is None:
        wanted = replace(wanted, stabilised=keeper.options["stabilised"])
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
    too_long: BudgetError | None = None
    try:
        outcome = integrator.run(store, watch)
        if outcome != DONE:
            status, message = Status.FAILED, failure_message(model, system, integrator, outcome)
        stored = stored_failure(model, integrator.t)
        if stored:
            status, message = Status.FAILED, stored
    except _StoppedByProgram:
        status, message = Status.FAILED, stored_failure(model, integrator.t)
    except MemoryError:
        status, message = Status.FAILED, ran_out(f'dynamics of model "{model.name}"', integrator.t, len(store))
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
        message = f"interrupted at t = {integrator.t:g} s of {end:g} s"
        if keeper is not None:
            keeper.write_last(integrator, store)
    except BudgetError as error:
        status, message, too_long = Status.INTERRUPTED, str(error), error
        if keeper is not None:
            keeper.write_last(integrator, store)
    except SolveError as error:  # balance after an impact
        status, message = Status.FAILED, str(error)
    if status is Status.FAILED:
        message = lost_contact_message(model, system, integrator) or message
    warnings = warnings + ([] if keeper is None else keeper.notes())
    result = built(
        lambda: _result(model, system, integrator, store, status, message, warnings, options, began),
        lambda: store.thin(integrator),
        what=f'dynamics of model "{model.name}"',
    )
    if too_long is not None:
        end_programs(system)
        raise BudgetError(message, seconds=too_long.seconds, result=result, time=integrator.t)
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
    warnings = warnings + wrinkled_membranes(model, signals)
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
        states=kept_memory(system, samples.mem[-1]) | stored_programs(system) | {**signals.parts}
        if len(samples.t)
        else {},
        model=description(model),
        options=options,
    )
