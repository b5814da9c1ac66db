"""Kinematics: a sequence of imposed positions with their reaction forces."""

import time as clock
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..budget import budgeted, foresee
from ..errors import BudgetError, ModelError, SolveError
from ..model import Model
from ..model.element_checks import kinematic_notes
from ..progress import staged
from ..results.part_records import ResultSignals
from ..results.result import Result
from ..results.status import Status
from ..solvers.balance import Balance
from ..solvers.consistent import contradiction
from ..solvers.path_accelerations import path_accelerations
from ..solvers.stopped_equilibrium import StoppedSearch
from ..solvers.switching import follow_laws, omit_free_rows
from ..system.system import State
from ..units import quantity
from .constraint_options import constraint_number, set_constraint_options
from .description import description
from .drive_steps import follow_drives
from .followed_warnings import parted_cams, stopped_structures, straightened_structures
from .jerked_structures import angular_velocities
from .memory import SampleMemory, built, check_memory, ran_out, thinned
from .mesh_contact import first_lost, left_contact, lost_contact
from .observers import Moment, finished, reached
from .preparation import conflict_message, prepare
from .rounded_forces import rounded_forces, too_small
from .signals import build_signals, left_tables, samples_of
from .slipping_belts import slipping_belts
from .starting_point import starting_point
from .wrinkled_membranes import wrinkled_membranes

LEAST_POSITION = 1e-4
"""Least computing time of a position on any machine [s]."""
MOST_FRICTION = 4
"""Largest number of corrections of a position for the friction that follows from its velocities."""


@names_wrong_arguments
@staged("kinematics of {}")
@budgeted
def kinematics(
    model: Model,
    *,
    duration: Any = None,
    step: Any = None,
    times: Any = None,
    start: Result | Mapping[str, Any] | None = None,
    elastic: bool = False,
    reduce: bool = True,
    constraint_scale: float | str | None = None,
    constraint_penalty: float | str | None = None,
    budget: Any = None,
) -> Result:
    """Follow the drives through a sequence of times, in static equilibrium at each (no inertia, no damping).

    If drives determine the motion, this is pure kinematics. Otherwise springs and weights determine the remaining coordinates. The
    velocities are those of this motion, so that dynamics can start from its end.

    Parameters
    ----------
    duration, step : the times are start, start + step, ... start + duration [s]; step defaults to duration/100.
    times : increasing times [s], instead of duration and step.
    start : result to start from, or positions by name of joint, as in `dynamics`; default: the positions of the model at time 0.
    elastic : shafts, beams and flexible bodies deform under the loads, as in statics. Otherwise they are rigid, with their weight,
        in their initial shape: also if they are deformed in `start`, which gives a warning.
        Bearings and teeth are elastic in both cases. With elastic=True, dynamics can start at speed and under load without a jump.
    constraint_scale, constraint_penalty : scale k and penalty p of the constraint forces B^T (k lambda - p Phi): a multiple of the
        automatic scale, or a stiffness such as "1e6 N/m". Default: 1 and 0. They change the condition of the matrix, not the
        result.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the result so far.

    If it is interrupted from the keyboard, it returns the result so far, with status INTERRUPTED. If the mechanism cannot reach a
    position, it raises SolveError. Its attribute `result` has the positions before.
    """
    began = clock.perf_counter()
    snapshot = starting_point(model, start)
    what = f'kinematics of model "{model.name}"'
    scale = constraint_number(constraint_scale, "constraint_scale", may_be_zero=False)
    penalty = constraint_number(constraint_penalty, "constraint_penalty", may_be_zero=True)
    t = _times(snapshot.t, duration, step, times, what=what, least=SampleMemory.least(model))
    ready = prepare(model, snapshot, until=float(t[-1]), reduce=reduce, static=True, rigid_structures=not elastic)
    system, state = ready.system, ready.state
    set_constraint_options(system, scale, penalty)
    omit_free_rows(system, state)
    said = angular_velocities(system, state)
    straightened = [] if elastic or start is None else straightened_structures(model, snapshot)
    check_memory(what, len(t), SampleMemory.of(system).peak, _cure(float(t[-1] - t[0])))
    foresee(len(t), LEAST_POSITION, f"{len(t):,} positions", "use larger steps, or a shorter duration")
    states: list[State] = []
    too_long: BudgetError | None = None
    search = StoppedSearch(system, state)
    largest = Balance(True, 0, 0.0, "")
    status, message, iterations = Status.COMPLETED, "", 0
    try:
        for k, now in enumerate(t):
            balance = follow_drives(search, float(now), first=k == 0)
            iterations += balance.iterations
            for _ in range(MOST_FRICTION):
                if not balance.converged or not follow_laws(system, state):
                    break
                balance = follow_drives(search, float(now))
                iterations += balance.iterations
            contradicting = contradiction(system, state) if balance.converged else None
            if contradicting is not None:
                status, message = Status.FAILED, conflict_message("kinematics", model, contradicting, float(now))
                break
            if not balance.converged:
                status, message = Status.FAILED, _out_of_reach(model, float(now), k, len(t), balance.worst)
                break
            largest.external = max(largest.external, balance.external)
            largest.rounding = max(largest.rounding, balance.rounding)
            kept = state.copy()
            kept.vd[:] = path_accelerations(system, state)
            states.append(kept)
            h = float(now - t[k - 1]) if k else 0.0
            reached(Moment("kinematics", model.name, float(now), float(t[0]), float(t[-1]), k + 1, h))
    except MemoryError:
        status, message = Status.FAILED, ran_out(what, state.t, len(states))
    except BudgetError as error:
        status, message, too_long = Status.INTERRUPTED, str(error), error
    except KeyboardInterrupt:
        status, message = Status.INTERRUPTED, f"interrupted after {len(states)} of {len(t)} positions"

    if status is Status.COMPLETED and too_small(largest):
        status, message = Status.FAILED, f"{what}: {too_small(largest)}"
    stopped = stopped_structures(system, states[0], said) if states else []

    def build() -> Result:
        signals = ResultSignals()
        if states:
            signals = build_signals(system, samples_of(states), ready.rank, inertial=False)
        lost = first_lost(model, signals) if status is Status.COMPLETED else None
        parted = (
            ""
            if lost is None
            else f"{what} fails from t = {states[lost].t:g} s on: {lost_contact(model, signals, lost)}"
        )
        return Result(
            kind="kinematics",
            model_name=model.name,
            time=np.array([s.t for s in states]),
            signals=signals,
            status=Status.FAILED if parted else status,
            message=parted or message,
            warnings=ready.warnings
            + rounded_forces(largest)
            + kinematic_notes(model)
            + straightened
            + stopped
            + left_tables(signals)
            + left_contact(model, signals)
            + parted_cams(model, signals)
            + slipping_belts(model, signals)
            + wrinkled_membranes(model, signals),
            statistics={
                "positions": len(states),
                "iterations": iterations,
                "unknowns": system.n,
                "coordinates": system.n_q,
                "total_time": clock.perf_counter() - began,
            },
            states=dict(signals.parts),
            model=description(model),
            options={
                "elastic": elastic,
                "reduce": reduce,
                "constraint_scale": scale,
                "constraint_penalty": penalty,
            },
        )

    result = built(build, lambda: thinned(states), what=what)
    if too_long is not None:
        raise BudgetError(message, seconds=too_long.seconds, result=result, time=states[-1].t)
    if result.status is Status.FAILED:
        raise SolveError(result.message, result=result, time=float(result.time[-1]) if states else None)
    return finished(result)


def _out_of_reach(model: Model, now: float, k: int, count: int, worst: str) -> str:
    return (
        f'kinematics of model "{model.name}" stops at t = {now:g} s (position {k + 1} of {count}): {worst}. '
        "The drives may require a position that the mechanism cannot reach, or a body may be free to move. Check the last "
        "positions, use smaller steps, or constrain the body"
    )


def _cure(span: float) -> Callable[[int], str]:
    return lambda fit: f'specify step = "{span / max(fit - 1, 1):.2g} s" or a longer one'


def _times(t0: float, duration: Any, step: Any, times: Any, *, what: str, least: SampleMemory) -> np.ndarray:
    if times is not None:
        if duration is not None or step is not None:
            raise ModelError("kinematics: specify times, or duration and step, not both")
        several = times if isinstance(times, Iterable) and not isinstance(times, str) else [times]
        t = np.array([quantity(x, "time", what="times") for x in several], float)
        if not t.size or np.any(np.diff(t) <= 0):
            raise ModelError("kinematics: times must be one or more increasing numbers [s]")
        if t[0] < t0:
            raise ModelError(
                f"kinematics: times must not be before the start at t = {t0:g} s, but the first is {t[0]:g} s"
            )
        return t
    if duration is None:
        raise ModelError("kinematics: specify duration or times")
    span = quantity(duration, "time", what="duration")
    h = span / 100 if step is None else quantity(step, "time", what="step")
    if span <= 0 or h <= 0:
        raise ModelError(f"kinematics: duration and step must be greater than zero, got {span:g} s and {h:g} s")
    check_memory(what, span / h + 1.0, least.peak, _cure(span), part=least.part)
    count = max(1, round(span / h))
    return t0 + span * np.arange(count + 1) / count
