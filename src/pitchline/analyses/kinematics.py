"""Kinematics: a sequence of imposed positions with their reaction forces, and its warnings."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted, foresee
from pitchline.base.progress.display import staged
from pitchline.declare.readable_signals import kinematic_notes
from pitchline.declare.structure import Station
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.system import State, System
from pitchline.engine.solvers.consistent import contradiction, path_accelerations
from pitchline.engine.solvers.directions import StoppedSearch
from pitchline.engine.solvers.equilibrium import Balance
from pitchline.engine.solvers.switching import follow_laws, omit_free_rows
from pitchline.errors import BudgetError, ModelError, SolveError
from pitchline.model.model import Model
from pitchline.parts.cams.part import Cam
from pitchline.parts.contact.mesh_contact import first_lost, left_contact, lost_contact
from pitchline.results.result import Result
from pitchline.results.signal import ResultSignals, Signal
from pitchline.results.status import Status
from pitchline.units.quantity import quantity

from .observers import Moment, description, finished, reached, starting_point
from .part_warnings import follow_drives, slipping_belts, wrinkled_membranes
from .reactions import rounded_forces, too_small
from .signals import build_signals, left_tables, samples_of
from .start_positions import conflict_message, prepare
from .time_options import SampleMemory, built, check_memory, constraint_number, ran_out, set_constraint_options, thinned

__all__ = [
    "angular_velocities",
    "jerked_structures",
    "parted_cams",
    "started_at_rest",
    "stopped_structures",
    "straightened_structures",
]


# ---- jerked structures

# Warnings for elastic structures that start with a jump of speed: a drive or a joint moves one node, while the "
# "others are at rest.

NOTED = 0.01
"""Fraction of the angular velocity by which the nodes of a structure may differ."""
ROUNDED = 1e-12
"""Fraction of the largest angular velocity of all structures, or of 1 rad/s, that is rounding."""


def angular_velocities(system: System, state: State) -> dict[str, dict[str, np.ndarray]]:
    """Angular velocities of the stations in world axes [rad/s], by structure and body; empty without structures."""
    if not system.model.structures:
        return {}
    nodes = system.kinematics(state)
    found: dict[str, dict[str, np.ndarray]] = {}
    for k, plan in enumerate(system.nodes, 1):
        if isinstance(plan.body, Station):
            R = nodes["R"][k].reshape(3, 3)
            found.setdefault(plan.body.structure, {})[plan.body.name] = R @ nodes["w"][k]
    return found


def jerked_structures(system: System, state: State, before: dict[str, dict[str, np.ndarray]]) -> list[str]:
    """Warn for every structure if constraints changed the velocities of only some of its nodes.

    before: `angular_velocities` of the start, before constraints were satisfied."""
    found = []
    after = angular_velocities(system, state)
    fastest = max((float(np.linalg.norm(w)) for now in after.values() for w in now.values()), default=0.0)
    for name, now in after.items():
        change = {body: now[body] - before[name][body] for body in now}
        size = max(float(np.linalg.norm(w)) for w in (*now.values(), *before[name].values()))
        mean = np.mean(list(change.values()), axis=0)
        if max(float(np.linalg.norm(w - mean)) for w in change.values()) <= max(
            NOTED * size, ROUNDED * max(fastest, 1.0)
        ):
            continue
        most = max(change, key=lambda body: float(np.linalg.norm(change[body])))
        structure = system.model.structures[name]
        found.append(
            f'{structure.subject} starts with a jump of speed: joints or drives rotate its station "{most}" at '
            f"{np.linalg.norm(now[most]):.4g} rad/s, {np.linalg.norm(change[most]):.4g} rad/s different from the model. The "
            f"other stations follow as an elastic wave. Give the {structure.kind} the speed of its drive, or start "
            "from kinematics(...)"
        )
    return found


# ---- followed warnings

# Warnings for a sequence of equilibria: lost speed or deformation of a shaft, lost contact of a cam.

_STANDS = 1e-3
"""Fraction of its initial speed below which a structure is at rest."""
_OFF = 1e-6
"""Gap of a cam that gives a warning, divided by the largest displacement of its follower."""
_DEFORMED = 1e-9
"""Deformation of a structure that gives a warning: rotation [rad], and displacement divided by its size."""


def stopped_structures(system: System, state: State, before: dict[str, dict[str, np.ndarray]]) -> list[str]:
    """Warn for every structure that rotates at the start but is at rest in equilibrium, because it has no drive.

    before: `angular_velocities` of the start."""
    return [
        f"{what} rotates at {speed:.4g} rad/s at the start, but has no drive. Kinematics has no inertia, so it is at rest here "
        "and in a run that starts from here. Add a drive, or start dynamics without start="
        for what, speed in _standing(system, state, before)
    ]


def started_at_rest(system: System, state: State) -> list[str]:
    """Warn for every structure with an initial speed that is at rest because the run starts from statics."""
    said = {
        name: {station.name: station.angular_velocity for station in structure.stations.values()}
        for name, structure in system.model.structures.items()
    }
    return [
        f"{what} has a speed of {speed:.4g} rad/s in the model, but the run starts from statics, where it is at rest. Start from "
        "kinematics(model, times=[0], elastic=True) with a drive, or leave out start="
        for what, speed in _standing(system, state, said)
    ]


def _standing(system: System, state: State, before: dict[str, dict[str, np.ndarray]]) -> list[tuple[str, float]]:
    """Structures that rotated before and are at rest now, with their speed before [rad/s]."""
    found = []
    for name, now in angular_velocities(system, state).items():
        said = max(float(np.linalg.norm(w)) for w in before[name].values())
        if max(float(np.linalg.norm(w)) for w in now.values()) < _STANDS * said:
            found.append((str(system.model.structures[name].subject), said))
    return found


def straightened_structures(model: Model, start: Snapshot) -> list[str]:
    """Warn for every structure that is deformed at the start, if kinematics keeps it rigid."""
    found = []
    for structure in model.structures.values():
        stations = list(structure.stations.values())
        if len(stations) < 2 or not structure.links:  # membranes are elastic in every analysis
            continue
        first = stations[0]
        turn = start.orientation[first.name] @ first.orientation.T
        moved = np.stack([
            start.position[s.name] - start.position[first.name] - turn @ (s.position - first.position) for s in stations
        ])  # fmt: skip
        turned = max(
            float(np.linalg.norm(start.orientation[s.name] - turn @ s.orientation)) / np.sqrt(2.0) for s in stations
        )
        size = max(float(np.linalg.norm(s.position - first.position)) for s in stations)
        bent = float(np.linalg.norm(moved, axis=1).max())
        if bent > _DEFORMED * size or turned > _DEFORMED:
            found.append(
                f'{structure.subject} is deformed in start= (relative to its station "{first.station}" by up to '
                f"{1e3 * bent:.4g} mm and {1e3 * turned:.4g} mrad), but it is rigid in kinematics, in its initial shape. Specify "
                "elastic=True to keep it elastic"
            )
    return found


def parted_cams(model: Model, signals: dict[str, Signal]) -> list[str]:
    """Warn for every cam whose follower has left it: in a sequence of equilibria no force presses it on the cam."""
    found = []
    for name, element in model.elements.items():
        gap = signals.get(f"{name}.gap")
        if not isinstance(element, Cam) or gap is None:
            continue
        way = signals[f"{name}.contact_point"].values
        size = float(np.abs(way - way[0]).max())
        at = int(np.argmax(gap.values))
        if gap.values[at] > _OFF * size:
            found.append(
                f'cam "{name}": its follower is not in contact with the cam. The gap is {1e3 * gap.values[at]:.4g} '
                f"mm at t = {gap.time[at]:.6g} s. "
                "Add a spring, a weight or a force that presses it on, or guide it in both directions (bilateral=True)"
            )
    return found


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
