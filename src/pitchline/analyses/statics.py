"""Statics: the equilibrium of a model, and whether it is stable."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted, foresee
from pitchline.base.progress.display import current, staged
from pitchline.declare.readable_signals import linear_notes
from pitchline.engine.compile.compiler import kept_memory
from pitchline.engine.compile.rank import Evaluator, no_multipliers, sprung
from pitchline.engine.compile.system import State, System, opened, opened_state
from pitchline.engine.solvers.consistent import contradiction
from pitchline.engine.solvers.directions import Directions, StoppedSearch, directions, nudge
from pitchline.engine.solvers.eigenmodes import NO_STIFFNESS, modes_of_motion
from pitchline.engine.solvers.equilibrium import NEARLY, Balance, called, direction, most_moved
from pitchline.engine.solvers.impact import balance_motion
from pitchline.engine.solvers.linearised import sparse_motion
from pitchline.engine.solvers.sparse_modes import Growing, growing
from pitchline.engine.solvers.switching import (
    Slip,
    first_slip,
    hold_laws,
    hold_together,
    release,
    share_efforts,
    shares_left_open,
)
from pitchline.errors import SolveError
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.parts.bodies.kernel_row import SIGNAL_DRIVE
from pitchline.parts.contact.mesh_contact import displaced_far, tilted_unseen, without_contact
from pitchline.parts.meshes.kernel_engagement import TABLE_LOAD
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import Status
from pitchline.units.quantity import quantity

from .large_tilts import large_tilts
from .observers import description, finished, starting_point
from .part_warnings import could_be_held, friction_left_out, large_deformations, slipping_belts, wrinkled_membranes
from .reactions import rounded_forces, too_small
from .signals import build_signals, left_tables, samples_of
from .start_positions import Prepared, conflict_message, imposed_value, prepare
from .time_options import constraint_number, set_constraint_options

__all__ = [
    "MOST_LOAD",
    "STEPS",
    "beyond_tables",
    "is_beyond_tables",
    "EquilibriumPoles",
    "equilibrium_poles",
    "held_at_rest",
]


# ---- beyond tables

# Equilibria far outside of the tables of loaded teeth, which are results of the extrapolation and not of the machine.
#
# A table states the approach over force and mesh phase. Far beyond its largest load the change of its extrapolated
# stiffness over the phase can balance any torque: at a force of about the lever arm divided by the change of
# compliance per rotation, hundreds to thousands of times the largest load.

MOST_LOAD = 10.0
"""Load of a table divided by its largest load up to which an equilibrium is accepted, with a warning above 1."""
STEPS = 64
"""Number of load steps of the second search."""


def is_beyond_tables(model: Model, ready: Prepared, state: State) -> bool:
    """Whether a mesh carries more than `MOST_LOAD` times the largest load of its table."""
    if not any(pair.law.tables for pair in model.gear_pairs.values()):
        return False
    return bool(beyond_tables(build_signals(ready.system, samples_of([state]), ready.rank, inertial=False)))


def beyond_tables(signals: dict[str, Signal]) -> str:
    """The first gear pair with a load far beyond its table, as the message of a failure; empty if there is none."""
    for name, signal in signals.items():
        pair, _, last = name.rpartition(".")
        most = float(np.max(signal.values, initial=0.0)) if last == TABLE_LOAD else 0.0
        if most > MOST_LOAD:
            return (
                f'gear pair "{pair}" carries {most:.3g} times the largest load of its table, also if the loads are applied in '
                f"{STEPS} steps. Up to {MOST_LOAD:g} times are accepted, with a warning. Specify Loaded(torque=...) with a larger "
                "torque, or a table with higher loads; if the load is far smaller, start from another position"
            )
    return ""


# ---- equilibrium poles

# Stability of an equilibrium with controllers, from the poles of its small motions: those of `linear_model`.
#
# The stiffness is not sufficient there. Feedback of speeds and states of controllers can make an equilibrium stable
# or unstable. States of controllers that follow the motion can make the stiffness of the other coordinates negative
# or zero.
#
# Statics holds the slip of belts. It stays held here. Otherwise the creep of the smooth slip law would make every
# wheel on a belt neutral.


@dataclass
class EquilibriumPoles:
    """Motions about an equilibrium that grow, and those that no force resists."""

    system: System
    """With condensed coordinates of elements as unknowns."""
    state: State
    axes: np.ndarray
    """Coordinates in fixed axes without those that statics holds, by all increments."""
    grows: Growing
    """(pole [1/s], motion in fixed axes)."""
    free: np.ndarray
    """(n, k): increments of the coordinates."""

    @property
    def diverges(self) -> bool:
        """Whether a motion grows without oscillation."""
        return any(_is_real(s) for s, _ in self.grows)

    def fastest(self) -> tuple[complex, np.ndarray]:
        """Pole of the motion that grows fastest, and its increments where its bodies move most."""
        s, x = max(self.grows, key=lambda one: one[0].real)
        bodies = x[: self.system.own.first]
        most = bodies[np.argmax(np.abs(bodies))] if bodies.size else 1.0
        turned = x * (np.conj(most) / max(abs(most), 1e-300))
        return s, np.asarray(self.axes.T @ turned.real)

    def growth(self) -> str:
        """Text on the motion that grows fastest."""
        s, _ = self.fastest()
        if _is_real(s):
            return f"growing at {s.real:.3g} 1/s"
        return f"with an oscillation that grows at {s.real:.3g} 1/s (poles {s.real:.3g} ± {abs(s.imag):.3g}i 1/s of linear_model)"


def held_at_rest(system: System, state: State) -> np.ndarray:
    """Indices of coordinates of order 1 that rest in statics (slip of belts), while they move in dynamics: at rest their equation
    contains no other coordinate, and in motion it does."""
    y = system.own.first_order
    if not y.size:
        return y
    evaluator = Evaluator(system)
    alone = []
    for moving in (False, True):
        _, J = evaluator.tangent(state, mass=0.0, damping=1.0, stiffness=1.0, moving=moving)
        rows = J.tocsr()[y].toarray()
        rows[np.arange(y.size), y] = 0.0
        alone.append(~np.any(rows, axis=1))
    return np.asarray(y[alone[0] & ~alone[1]])


def _is_real(s: complex) -> bool:
    return abs(s.imag) <= 1e-12 * abs(s)


def equilibrium_poles(system: System, state: State) -> EquilibriumPoles | None:
    """Poles at an equilibrium of a system with controllers or with loads that read signals; None for other systems, whose stiffness
    determines their stability, and if a motion has no inertia."""
    if not system.graph.needed and held_at_rest(system, state).size == system.own.first_order.size:
        return None
    system, state = sprung(system, state)
    other = opened(system)
    there = opened_state(system, other, state.copy())
    balance_motion(other, there)
    small = sparse_motion(other, there).without(held_at_rest(other, there))
    motion = small.dense()
    if not motion.N.shape[1]:
        return None
    try:
        found = modes_of_motion(motion, no_stiffness=NO_STIFFNESS)
    except np.linalg.LinAlgError:
        return None
    found.vectors, found.real_vectors = motion.N @ found.vectors, motion.N @ found.real_vectors
    free = np.real(small.axes.T @ found.vectors[:, : found.rigid])
    moves = np.abs(free[: other.own.first]).max(axis=0, initial=0.0) > 1e-9 * np.abs(free).max(axis=0, initial=0.0)
    return EquilibriumPoles(other, there, small.axes, growing(small, found), free[:, moves])


LEAST_STEP = 1e-4
"""Least computing time of a load step on any machine [s]."""
DRIVE_STEP = 0.5
"""Largest motion of a drive in one load step (radians, or fraction of the model's length)."""
STABILITY_LIMIT = 600
"""Largest number of coordinates for which the stability of the equilibrium is examined."""
NUDGES = (0.05, 2e-3, -2e-3)
"""Displacements from an unstable equilibrium (radians, or fractions of the model's length). Teeth need the small "
"ones, within a pitch."""
NAMED = 3
"""Number of items that a warning names."""
MOST_NUDGES = 20
"""Number of unstable equilibria after which the search ends."""


@names_wrong_arguments
@staged("statics of {}")
@budgeted
def statics(
    model: Model,
    *,
    start: Result | Mapping[str, Any] | None = None,
    time: Any = None,
    reduce: bool = True,
    constraint_scale: float | str | None = None,
    constraint_penalty: float | str | None = None,
    budget: Any = None,
) -> Result:
    """Find the static equilibrium under the loads and drives at a time.

    All velocities are zero, and masses have only weight. Drives and loads are applied in steps, from the present position. The
    search prefers stable equilibria, because a real machine comes to rest in them. A neutral equilibrium, or an unstable one if no
    stable one is found, is reported with a warning.

    Parameters
    ----------
    start : result to start from, or positions by name of joint, as in `dynamics`; default: the initial positions of the model.
    time : time for the functions of loads and drives [s]; default: that of `start`, or 0.
    reduce : use joint coordinates for bodies on joints to ground (False: six coordinates and multipliers).
    constraint_scale, constraint_penalty : scale k and penalty p of the constraint forces B^T (k lambda - p Phi): a multiple of the
        automatic scale, or a stiffness such as "1e6 N/m". Default: 1 and 0. They change the condition of the matrix, not the
        result.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it.

    If no equilibrium is found, it raises SolveError. Its attribute `result` has the last position.
    """
    began = clock.perf_counter()
    t = None if time is None else quantity(time, "time", what="time")
    scale = constraint_number(constraint_scale, "constraint_scale", may_be_zero=False)
    penalty = constraint_number(constraint_penalty, "constraint_penalty", may_be_zero=True)
    snapshot = starting_point(model, start, time=t)
    ready = prepare(model, snapshot, until=snapshot.t, reduce=reduce, load=0.0, static=True)
    state = ready.state
    set_constraint_options(ready.system, scale, penalty)
    state.v[:] = 0.0
    held = hold_laws(ready.system, state)
    ready.rank = held or ready.rank
    together = hold_together(ready.system, state) if held is not None else []
    first = state.copy()
    balance, steps, iterations = _load_steps(ready)
    stability: Directions | None = None
    if balance.converged and ready.system.n_q <= STABILITY_LIMIT:
        more, stability = _leave_unstable(ready.system, state)
        iterations += more
    if balance.converged and is_beyond_tables(model, ready, state):
        state.go_back(first)
        balance, steps, more = _load_steps(ready, STEPS)
        iterations += more
        stability = None
    warnings = ready.warnings
    contradicting = contradiction(ready.system, state) if balance.converged else None
    failure = "" if balance.converged else _failure(model, balance)
    if not failure and held is not None:
        slip, more = _hold(ready.system, state)
        iterations += more
        stability = None
        failure = _slips(model, slip)
    if contradicting is not None:
        failure = conflict_message("statics", model, contradicting, state.t)
    if not failure and ready.system.n_q <= STABILITY_LIMIT:
        warnings = warnings + _stability(ready.system, state, stability or directions(ready.system, state))
    signals = build_signals(ready.system, samples_of([state]), ready.rank, inertial=False)
    if not failure:
        out, idle = without_contact(model, signals)
        warnings = warnings + idle
        failure = f'statics of model "{model.name}" found a position that is not an equilibrium: {out}' if out else ""
        failure = failure or beyond_tables(signals)
        if not failure and too_small(balance):
            failure = f'statics of model "{model.name}": {too_small(balance)}'
    result = Result(
        kind="statics",
        model_name=model.name,
        time=np.array([state.t]),
        signals=signals,
        status=Status.FAILED if failure else Status.COMPLETED,
        message=failure,
        warnings=warnings
        + shares_left_open(ready.system, state, together)
        + rounded_forces(balance)
        + linear_notes(model)
        + large_deformations(model, signals)
        + large_tilts(model, signals)
        + left_tables(signals)
        + displaced_far(model, signals)
        + tilted_unseen(model, signals)
        + friction_left_out(model, signals)
        + slipping_belts(model, signals)
        + wrinkled_membranes(model, signals),
        statistics={
            "iterations": iterations,
            "load_steps": steps,
            "imbalance": balance.imbalance,
            "unknowns": ready.system.n,
            "coordinates": ready.system.n_q,
            "total_time": clock.perf_counter() - began,
        },
        states={**kept_memory(ready.system, state.mem), **signals.parts},
        model=description(model),
        options={"reduce": reduce, "constraint_scale": scale, "constraint_penalty": penalty},
    )
    if failure:
        raise SolveError(failure, result=result, time=state.t)
    return finished(result)


def _hold(system: System, state: State) -> tuple[Slip | None, int]:
    """Whether friction holds the machine: elements that would slip act with their largest effort while others hold. Return the
    first that slips if they do not, and the iterations."""
    iterations = 0
    share_efforts(system, state)
    first = slip = first_slip(system, state)
    while slip is not None:
        if not release(system, state, slip):
            return first, iterations
        balance = StoppedSearch(system, state).run()
        iterations += balance.iterations
        if not balance.converged:
            return first, iterations
        share_efforts(system, state)
        slip = first_slip(system, state)
    return None, iterations


def _slips(model: Model, slip: Slip | None) -> str:
    """Message for friction that does not hold the machine; empty if it does."""
    if slip is None:
        return ""
    return (
        f'statics of model "{model.name}" found no equilibrium: "{slip.name}" slips, because it holds up to {slip.most:.6g} '
        f"{slip.unit}, and {slip.needed:.6g} {slip.unit} are needed at the position of the start. Increase its capacity, "
        "reduce the load, or use dynamics to find where the machine comes to rest, and start from that result"
    )


def _load_steps(ready: Prepared, pieces: int = 1) -> tuple[Balance, int, int]:
    """Bring loads and drives up, in one step (or `pieces`) if nothing has far to go, in smaller ones where a step fails."""
    state = ready.state
    search = StoppedSearch(ready.system, state)
    done, part = 0.0, 1.0 / max(pieces, math.ceil(_way(ready.system, state) / DRIVE_STEP))
    foresee(
        1.0 / part,
        LEAST_STEP,
        f"{1.0 / part:.3g} load steps",
        "choose positions of the drives that are closer to the start",
    )
    steps = iterations = 0
    balance = Balance(True, 0, 0.0, "")
    failed: Balance | None = None
    while done < 1.0:
        load = min(1.0, done + part)
        if load > 1.0 - 1e-9:
            load = 1.0
        before = state.copy()
        balance = search.run(load)
        iterations += balance.iterations
        failed = failed or (None if balance.converged else balance)
        if balance.converged:
            done = load
            steps += 1
            current().fraction = done
            current().moved()
            continue
        state.go_back(before)
        if balance.drifted and (load == 1.0 or balance.worst.startswith("nothing holds")):
            return balance, steps, iterations  # smaller steps of the load end there too
        part *= 0.25
        if part < 1e-4 and failed is not None:
            return failed, steps, iterations  # what the first failure says is nearest to what the user asked
    return balance, steps, iterations


def _leave_unstable(system: System, state: State) -> tuple[int, Directions | None]:
    """From an unstable equilibrium to one in which the machine would stay, as long as one is found. Return the iterations, and the
    directions of the last equilibrium if they are known."""
    iterations = 0
    for _ in range(MOST_NUDGES):
        found = directions(system, state)
        if not found.unstable.size:
            return iterations, found
        poles = equilibrium_poles(system, state)
        if poles is not None and not poles.diverges:
            return iterations, found
        search, before = StoppedSearch(system, state), state.copy()
        for way in NUDGES:
            nudge(system, state, found, way)
            balance = search.run()
            iterations += balance.iterations
            if balance.converged:
                break
            state.go_back(before)
        else:
            return iterations, found
    return iterations, None


def _way(system: System, state: State) -> float:
    """How far the drives have to go (radians, or parts of the model's length)."""
    evaluator = Evaluator.passing(system)
    evaluator.place(state, moving=False, lam=no_multipliers(system))
    longest = 0.0
    for e, element in enumerate(system.elements[: system.active]):
        if element.kind is SIGNAL_DRIVE:
            longest = max(
                longest, abs(float(evaluator.element_rows(e)[0][0])) / (system.length if element.rows == "t" else 1.0)
            )
        elif element.kind is SCALAR_CONSTRAINT:
            target = imposed_value(system, state, e)
            phi, _ = evaluator.element_rows(e)
            way = abs(float(phi[0])) if target is None else abs(target - _start(system, state, e))
            longest = max(longest, way / (system.length if element.rows == "t" else 1.0))
    return longest


def _start(system: System, state: State, e: int) -> float:
    memory = state.mem[system.mem0[e] : system.mem1[e]]
    return float(memory[1] if system.elements[e].rows == "r" else memory[2])


def _stability(system: System, state: State, found: Directions) -> list[str]:
    """Directions in which the machine would leave the equilibrium, or in which nothing holds it."""
    poles = equilibrium_poles(system, state)
    if poles is not None:
        return _controlled(poles)
    warnings = []
    if found.unstable.size:
        first = int(found.unstable[0])
        warnings.append(
            f"the equilibrium is unstable in {_directions(found.unstable.size)}: a small disturbance makes the machine "
            f"leave it, mainly {_motion(system, state, found.vectors[:, first])}, growing at "
            f"{math.sqrt(-found.values[first]):.3g} 1/s"
            + _phase(system, state, found.vectors[:, first], found.values[first] / np.abs(found.values).max())
        )
    return warnings + _neutral(system, state, found.vectors[:, found.indifferent])


def _controlled(poles: EquilibriumPoles) -> list[str]:
    """The same for a machine with controllers, from the poles of its small motions."""
    system, state = poles.system, poles.state
    warnings = []
    if poles.grows:
        warnings.append(
            f"the equilibrium is unstable in {_directions(len(poles.grows))}: a small disturbance makes the machine "
            f"leave it, mainly {_motion(system, state, poles.fastest()[1])}, {poles.growth()}"
        )
    return warnings + _neutral(system, state, poles.free)


def _neutral(system: System, state: State, free: np.ndarray) -> list[str]:
    """Directions (n, k) in which nothing holds the machine."""
    if not free.shape[1]:
        return []
    return [
        f"the equilibrium is neutral in {_directions(free.shape[1])}: "
        f"nothing holds {_free_parts(system, state, free)}; "
        + (
            "within the clearance of bearings, other positions are also in equilibrium; otherwise "
            if system.model.structures
            else ""
        )
        + "add a spring, a drive or a joint if this is not intended"
    ]


def _directions(count: int) -> str:
    return f"{count} direction{'s' if count > 1 else ''}"


def _free_parts(system: System, state: State, directions: np.ndarray) -> str:
    """What moves in directions (n, k) without resistance: the first few parts, each once."""
    if directions.shape[1] == 1:
        return _motion(system, state, directions[:, 0])
    names = dict.fromkeys(called(system, most_moved(system, state, d)[0]) for d in directions.T)
    few = ", ".join(list(names)[:NAMED])
    return few if len(names) <= NAMED else f"{few} and others"


def _motion(system: System, state: State, d: np.ndarray) -> str:
    body, turns, along = most_moved(system, state, d)
    along = along * np.sign(along[np.argmax(np.abs(along))])  # both directions are free
    return f"{called(system, body)}, {'rotation about' if turns else 'translation along'} {direction(system, state, body, along)}"


SOFT_AGAINST_TEETH = 1e-3
"""Stiffness of rolling along the phase divided by the tooth stiffness. Larger values have another cause."""


def _phase(system: System, state: State, d: np.ndarray, relative: float) -> str:
    """What to add where wheels would roll on: teeth that vary over their cycle have most energy at this phase."""
    body, turns, _ = most_moved(system, state, d)
    for name, pair in system.model.gear_pairs.items():
        law = pair.law
        varies = (
            law.tables is not None
            or bool(law.errors)
            or any(callable(k) or not isinstance(k, float) for k in law.stiffness)
        )
        meets = body in (pair.wheel_a.body_name, pair.wheel_b.body_name)
        if turns and varies and (meets or len(system.model.gear_pairs) == 1) and abs(relative) < SOFT_AGAINST_TEETH:
            return (
                f'. The teeth of "{name}" vary over the mesh cycle and have the largest energy at this phase. Under '
                "constant torques "
                "the wheels would move by a fraction of a pitch. A drive that specifies the angle prevents this"
            )
    return ""


def _nearly(balance: Balance) -> str:
    """What to add where the loads balance each other but for a trifle."""
    if not 0.0 < balance.imbalance < NEARLY * balance.applied:
        return ""
    return (
        f". The loads balance each other except for a fraction of {balance.imbalance / balance.applied:.1g}, caused "
        "by the deflection "
        "of bearings and shafts. Replace one of the loads by a drive that specifies an angle"
    )


def _failure(model: Model, balance: Balance) -> str:
    if balance.worst.startswith(("nothing holds", "hardly anything holds")):
        return (
            f'statics of model "{model.name}" found no equilibrium: {balance.worst}. Add a joint, drive, spring, bearing or stop '
            "that holds it, or loads that balance it" + _nearly(balance)
        )
    return (
        f'statics of model "{model.name}" found no equilibrium: after {balance.iterations} iterations {balance.worst}. '
        "Perhaps the model is not supported against its loads. Check for a missing joint, drive, spring or stop, or "
        "start from positions "
        f"closer to the equilibrium{could_be_held(model)}"
    )
