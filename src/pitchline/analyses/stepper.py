"""Start of a run in time, and the stepper: a run that is continued interval by interval, with inputs that change in between."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.engine.compile.compiler import remembers
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.system import System
from pitchline.engine.elements.contract import SignalSpec
from pitchline.engine.solvers.impact import balance_motion, start_moving
from pitchline.engine.solvers.input_jump import InputJump
from pitchline.engine.solvers.integrator import Integrator
from pitchline.engine.solvers.linear import new_samples
from pitchline.engine.solvers.run_record import DONE
from pitchline.engine.solvers.switching import check_start
from pitchline.engine.solvers.time_loop import record_at_address
from pitchline.errors import ModelError, SolveError, near_names, shown
from pitchline.model.model import Model
from pitchline.numerics.slow_laws import raise_stored, stored_exception
from pitchline.parts.contact.flank_cells import stable_steps
from pitchline.parts.control.compile import restore_programs, start_programs, stored_programs, unsaved_programs
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from . import stepper_state
from .chosen_signals import ChosenSignals, read_outputs
from .joint_choice import python_functions
from .kinematics import angular_velocities, jerked_structures, started_at_rest
from .observers import starting_point
from .run_warnings import failure_message, lost_contact_message, stored_failure
from .start_positions import prepare
from .stepper_state import InputCourse, StepperInput, StepperState, lost_speeds, read_inputs, with_inputs
from .time_options import TimeOptions, no_garbage, positive_time, small_step

__all__ = ["HeldRun", "fitted_to_modes", "modal_warnings", "RunStart", "begin_run", "fitted_options", "Stepper"]


# ---- held run

# A run in time that is held between two intervals.

ON_GRID = 1e-6
"""Largest distance of a time from a multiple of the step, as a fraction of the step, at which it is this multiple."""
ONLY_AT_THE_END = 2**40
"""Number of stops between samples: samples are recorded only at the end of an interval."""


class LastSample:
    """The last sample of a run, for `Integrator.run`."""

    def __init__(self, integrator: Integrator) -> None:
        self.open = new_samples(2, integrator.system)

    def add(self, integrator: Integrator) -> None:
        integrator.motion.write_to(self.open)
        record_at_address(integrator.motion.address)

    def close(self, integrator: Integrator) -> None:
        integrator.motion.progress["samples"] = 0

    def to_first_row(self, integrator: Integrator) -> None:
        """Move the last sample to the first row, which reports read."""
        row = int(integrator.motion.progress["samples"]) - 1
        if row > 0:
            for array in self.open:
                array[0] = array[row]


class HeldRun:
    """A run that has started: integrator, courses of the inputs, last sample and chosen signals."""

    def __init__(
        self, integrator: Integrator, warnings: list[str], courses: dict[str, InputCourse], outputs: list[str], open_end: bool
    ) -> None:  # fmt: skip
        self.integrator, self.system, self.warnings, self.courses = integrator, integrator.system, warnings, courses
        self._train = integrator.train
        self._jump = InputJump(integrator)
        motion = integrator.motion
        o = motion.options
        o["every"], o["t_end"] = ONLY_AT_THE_END, integrator.t
        if not o["fixed"]:
            o["interval"] = 0.0
            if open_end:
                o["h_max"] = max(float(o["h_max"]), 1e300)
        self.sample = LastSample(integrator)
        self.sample.add(integrator)
        self.signals = ChosenSignals(self.system, outputs, self.sample.open, integrator.rank)
        self.read: list[Any] | None = None

    def plan(self, t: float, h: float, step: float | None) -> float:
        """Set the end of the interval, and the steps in it. Return the end."""
        o, p = self.integrator.motion.options, self.integrator.motion.progress
        if step is None:
            o["t_end"] = t + h
            return t + h
        count = max(1, math.ceil(h / step - ON_GRID))
        size = h / count
        size = step if abs(size - step) < ON_GRID * step else size
        present = float(o["step"])
        if abs(size - present) < ON_GRID * present:
            end = float(o["t0"]) + (int(p["stop_index"]) + count) * float(o["interval"])
        else:
            if p["h_want"] >= present:  # otherwise the present step was divided, and grows again
                p["h_want"] = size
            o["t0"], o["interval"], o["step"], p["stop_index"] = t, size, size, 0
            end = t + count * size
        o["t_end"] = end
        return end

    def apply_inputs(self, t: float, end: float) -> None:
        """Set the courses of all inputs, and the accelerations that belong to them."""
        changes = []
        remembered = False
        for course in self.courses.values():
            if not remembered and course.may_jump():
                self._jump.before()
                remembered = True
            change = course.plan(t, end)
            if change is not None and (change.jump or change.curvature or change.speed_jumps):
                changes.append(change)
        if not changes:
            return
        places = [place for change in changes for place in change.places]
        jumps = [change.jump for change in changes for _ in change.places]
        curvatures = [change.curvature for change in changes for _ in change.places]
        self._jump.after(places, jumps, curvatures, speeds=any(change.speed_jumps for change in changes))

    def kept(self) -> dict[str, np.ndarray]:
        """Arrays of a state in addition to those of the integrator."""
        courses = [course.state() for course in self.courses.values()]
        followed = np.concatenate([np.zeros(0), *self.signals.followed])
        sample = {f"sample_{name}": array[0] for name, array in self.sample.open._asdict().items()}
        return {
            "inputs": np.array(courses),
            "followed": np.array(followed),
            **{k: np.array(v) for k, v in sample.items()},
        }

    def put_back(self, kept: Mapping[str, np.ndarray]) -> None:
        """Restore them."""
        for course, state in zip(self.courses.values(), kept["inputs"], strict=True):
            course.restore(tuple(state.tolist()))
        at = 0
        for last in self.signals.followed:
            last[:] = kept["followed"][at : at + last.size]
            at += last.size
        for name, array in self.sample.open._asdict().items():
            array[0] = kept[f"sample_{name}"]
        self.read = None

    def take_evaluator_of(self, state: StepperState) -> None:
        """Step with the train if the state does."""
        train = self._train if "train_pose" in state.arrays else None
        if train is not self.integrator.train:
            self.integrator.train = train
            self.integrator.take_evaluator()


# ---- modal steps

# Steps that resolve the modes of elastic gears.

PER_PERIOD = 4.0
"""Steps per period of the highest mode: forces are linear within a step."""


def _longest(model: Model) -> tuple[float, str]:
    """The longest step that the highest modes allow [s], infinite without elastic gears; and the pair that asks for it."""
    found = [(made.mesh.modes, name) for name, made in model.gear_pairs.items() if isinstance(made.mesh, Flank)]
    highest, name = max(found, default=(0.0, ""))
    return (1.0 / (PER_PERIOD * highest), name) if highest else (math.inf, "")


def fitted_to_modes(options: TimeOptions, model: Model) -> TimeOptions:
    """Limit the steps of error control so that they resolve the modes, unless a longest step is specified."""
    longest, _ = _longest(model)
    if options.step is not None or options.max_step is not None or longest == math.inf:
        return options
    return replace(options, max_step=longest)


def _check(step: float, longest: float, name: str) -> None:
    """Beyond two steps in a period the coupling of modes and contact grows without bound."""
    if step > 0.9 * 0.5 * PER_PERIOD * longest:
        raise ModelError(
            f'gear pair "{name}": steps of {1e6 * step:.3g} µs are too long for its modes. The highest mode has a period of '
            f"{1e6 * PER_PERIOD * longest:.3g} µs. Use a step of {1e6 * longest:.3g} µs or less, or request fewer modes"
        )


def modal_warnings(options: TimeOptions, model: Model) -> list[str]:
    """Warn if the steps do not resolve the motion of the modes."""
    longest, name = _longest(model)
    step = options.step if options.step is not None else options.max_step
    if step is None or step <= longest * (1.0 + 1e-6):
        return []
    _check(step, longest, name)
    return [
        f'gear pair "{name}": steps of {1e6 * step:.3g} µs are longer than a quarter of the period of the highest mode in motion, '
        f"so its vibrations are lost. Use a step of {1e6 * longest:.3g} µs or less, or request fewer modes"
    ]


# ---- run start

# Start of a run in time: options for the model, consistent initial motion, integrator.


@dataclass
class RunStart:
    """A run before its first step."""

    system: System
    integrator: Integrator
    options: TimeOptions
    warnings: list[str]


def fitted_options(options: TimeOptions, model: Model) -> TimeOptions:
    """Options with the defaults for a model."""
    options = fitted_to_modes(options.for_model(model), model)
    if options.stabilised is None and (_switches(model) or _ends_steps(options, model)):
        options = replace(options, stabilised=True)  # steps up to events and samples have any length
    return options


def begin_run(
    model: Model, snapshot: Snapshot, options: TimeOptions, *, start: Result | None = None, reduce: bool = True
) -> RunStart:
    """Compile a model, and start its motion at a snapshot. start: result from which the snapshot is."""
    ready = prepare(model, snapshot, until=snapshot.t + options.duration, reduce=reduce)
    warnings = ready.warnings + modal_warnings(options, model) + lost_speeds(model, start)
    system, state = ready.system, ready.state
    options = stable_steps(options, system)
    options.set_constraints(system)
    said = angular_velocities(system, state)
    start_moving(system, state)
    start_programs(system, state, snapshot.memory)
    if remembers(system):
        system.commit(state)  # signals of the first sample are those of the projected velocities
        raise_stored()  # of a program that failed in its first step
        balance_motion(system, state)
    warnings = warnings + jerked_structures(system, state, said)
    if start is not None and start.kind == "statics":
        warnings = warnings + started_at_rest(system, state)
    check_start(system, state)
    raise_stored()
    chosen = options.for_start(system, state)
    layout = chosen.layout(system, state)
    limit = small_step(system, state)
    if options.stabilised is None or (options.step is not None and not options.stabilised and options.step >= limit):
        layout["small_step"] = limit  # events, drives and samples of controllers cut steps to any length
    options = chosen
    integrator = Integrator.begin(system, state, layout, ready.rank, ready.loose)
    return RunStart(system, integrator, options, warnings)


@no_garbage()
def _switches(model: Model) -> bool:
    """Whether the model has friction that sticks."""
    return any(e.switches for e in model.elements.values()) or any(
        p.known_law.sticks for p in model.gear_pairs.values()
    )


def _ends_steps(options: TimeOptions, model: Model) -> bool:
    """Whether the samples of a controller divide fixed steps into parts of different length."""
    if options.step is None:
        return False
    times = [float(e.sample_time) for e in model.elements.values() if hasattr(e, "sample_time")]
    return any(abs(time / options.step - round(time / options.step)) > 1e-6 for time in times)


@names_wrong_arguments
class Stepper:
    """A run in time that is held: go from one time to the next, with other inputs each time, and read chosen signals.

    The model is compiled once. At equal steps and inputs the motion is that of `dynamics`. When an input jumps, accelerations
    jump with it, so that the order of the method is kept. Nothing is computed before the first `advance` or the first reading
    of a value.

    Parameters
    ----------
    model
        Model. Later changes of the model have no effect.
    step
        Fixed time step [s]. An interval that is not a multiple of it is divided into equal, shorter steps. Default: error control.
    inputs
        Names of loads, of drives, of components such as "wind.x", and of fields of elements such as "controller.setpoint" that
        are set during the run. Or a mapping from these names to "hold", "extrapolate" or "ramp". Default: "hold" for loads and
        signals, "ramp" for drives. A ramp reaches the new value at the end of the next interval.
    outputs
        Names of signals, "element.signal", or components, "element.signal.x".
    start
        Result whose last sample gives initial positions, velocities and time. Default: the initial conditions of the model.
    start_time
        Time of the start [s]. Default: that of `start`, or 0.
    until
        Last time [s]. Necessary only for models with Python functions of time. Also the scale of the first step of error control.
    tolerance, rho, hht, max_step, min_step, newton_tolerance, stabilised, reduce, constraint_scale, constraint_penalty
        As for `dynamics`.
    """

    def __init__(
        self,
        model: Model,
        *,
        step: Any = None,
        inputs: str | Sequence[str] | Mapping[str, str] = (),
        outputs: str | Sequence[str] = (),
        start: Result | Mapping[str, Any] | None = None,
        start_time: float | str | None = None,
        until: float | str | None = None,
        tolerance: Any = None,
        rho: float | None = None,
        hht: float | None = None,
        max_step: Any = None,
        min_step: Any = None,
        newton_tolerance: float | None = None,
        stabilised: bool | None = None,
        reduce: bool = True,
        constraint_scale: float | str | None = None,
        constraint_penalty: float | str | None = None,
    ) -> None:
        at = None if start_time is None else quantity(start_time, "time", what="start_time")
        self._snapshot = starting_point(model, start, time=at)
        self.model, self._reduce = model.replaced(), reduce
        self._start = start if isinstance(start, Result) else None
        first = self._snapshot.t
        self._inputs = read_inputs(model, inputs, first)
        self._outputs = read_outputs(model, outputs)
        self._until = None if until is None else quantity(until, "time", what="until")
        if self._until is not None and not self._until > first:
            raise ModelError(f"until must be later than the start ({first:g} s), got {self._until:g} s")
        called = [name for name in python_functions(model) if name not in {one.part for one in self._inputs.values()}]
        if called and self._until is None:
            raise ModelError(
                f'"{called[0]}" is a Python function of time, which is sampled before the run. Specify until=..., the last time'
            )
        self._limited = bool(called)
        fixed = None if step is None else positive_time(step, "step")
        duration = 1.0 if self._until is None else self._until - first
        if self._until is None and fixed is not None:
            duration = fixed
        options = TimeOptions.read(
            duration=duration, step=fixed, tolerance=tolerance, output_step=fixed, rho=rho, hht=hht, max_step=max_step,
            min_step=min_step, newton_tolerance=newton_tolerance, stabilised=stabilised,
            constraint_scale=constraint_scale, constraint_penalty=constraint_penalty,
        )  # fmt: skip
        self._options = fitted_options(options, model)
        self._begun: HeldRun | None = None
        self._owner = ""
        self._failure = ""

    # ---- description

    @property
    def inputs(self) -> dict[str, StepperInput]:
        """The inputs by name, with unit, meaning and value at the start."""
        return dict(self._inputs)

    @property
    def outputs(self) -> dict[str, SignalSpec]:
        """The outputs by name, with unit, meaning and number of components."""
        return dict(self._outputs)

    @property
    def step(self) -> float | None:
        """Fixed time step [s]; None with error control."""
        return self._options.step

    @property
    def time(self) -> float:
        """Present time [s]."""
        return self._snapshot.t if self._begun is None else self._begun.integrator.t

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the model and the start of the run."""
        return tuple(self._run.warnings)

    @property
    def statistics(self) -> dict[str, Any]:
        """Numbers of steps, iterations and impacts so far, and the evaluator of the steps."""
        run = self._run.integrator
        p = run.motion.progress
        names = {
            "steps": "steps",
            "iterations": "evaluations",
            "factorisations": "factorisations",
            "rejected": "rejected",
        }
        counts = {name: int(p[key]) for name, key in names.items()}
        return counts | {"impacts": run.impacts, "rank_changes": run.rank_changes, "evaluator": run.evaluator}

    # ---- inputs and outputs

    def set(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> None:
        """Set inputs, as numbers in SI units or texts with units. They act from the present time on.

        Before the first interval these are the values at the start.
        """
        for name, value in {**(values or {}), **named}.items():
            spec = self._inputs.get(name)
            if spec is None:
                hint = near_names(str(name), list(self._inputs)) if self._inputs else "the stepper has no inputs"
                raise ModelError(f'there is no input "{name}"; {hint}')
            if type(value) is not float:
                value = quantity(value, spec.unit or "number", what=f'input "{name}"')
            if not math.isfinite(value):
                raise ModelError(f'input "{name}" must be a finite number, got {value}')
            if self._begun is None:
                self._inputs[name] = dataclasses.replace(spec, start=value)
            else:
                self._begun.courses[name].target = value

    def get(self, name: str) -> Any:
        """Value of an output at the present time, or of an input: a number, or an array for a vector."""
        if name in self._outputs:
            return self.values()[name]
        if name in self._inputs:
            return self._inputs[name].start if self._begun is None else self._begun.courses[name].target
        raise ModelError(f'there is no output or input "{name}"; {near_names(name, [*self._outputs, *self._inputs])}')

    __getitem__ = get

    def values(self) -> dict[str, Any]:
        """All outputs at the present time by name. They are those at the end of the last interval, with its inputs."""
        return dict(zip(self._outputs, self.output_list(), strict=True))

    def output_list(self) -> list[Any]:
        """All outputs at the present time, in their order."""
        run = self._run
        if run.read is None:
            run.read = run.signals.values(run.integrator.rank)
        return run.read

    # ---- motion

    def start(self) -> None:
        """Compile the model and start its motion. Without this call it happens at the first interval or reading."""
        _ = self._run

    def advance(self, duration: Any) -> None:
        """Continue by a time [s].

        SolveError if the motion cannot be computed; `restore` an earlier state, or make a new stepper.
        """
        if type(duration) is not float:
            duration = quantity(duration, "time", what="duration")
        self._advance(duration)

    def advance_to(self, time: Any) -> None:
        """Continue to a time [s], which must be later than the present one."""
        if type(time) is not float:
            time = quantity(time, "time", what="time")
        if not time > self.time:
            raise ModelError(f"the time must be later than the present one ({self.time:.9g} s), got {time:.9g} s")
        self._advance(time - self.time)

    def _advance(self, h: float) -> None:
        if not (h > 0.0 and math.isfinite(h)):
            raise ModelError(f"the interval must be greater than zero, got {h:g} s")
        run = self._run
        if self._failure:
            raise SolveError(self._failure, time=self.time)
        integrator = run.integrator
        t = integrator.t
        end = run.plan(t, h, self._options.step)
        if not end > t:
            raise ModelError(f"an interval of {h:g} s is too short at t = {t:g} s: times cannot be distinguished")
        if self._limited and self._until is not None and end > self._until * (1.0 + 1e-12):
            raise ModelError(f"the run is limited to until = {self._until:g} s, but {end:g} s is requested")
        run.apply_inputs(t, end)
        run.read = None
        motion = integrator.motion
        motion.progress["samples"] = 0
        outcome = integrator.run(run.sample)  # type: ignore[arg-type]  # with one sample instead of a store
        stored = "" if stored_exception() is None else stored_failure(self.model, integrator.t)
        if outcome != DONE or stored:
            message = stored or failure_message(self.model, run.system, integrator, outcome)
            self._failure = lost_contact_message(self.model, run.system, integrator) or message
            raise SolveError(self._failure, time=integrator.t)
        run.sample.to_first_row(integrator)

    # ---- states

    def save(self) -> StepperState:
        """Copy of the present state. Restored, the motion repeats to the last bit."""
        run = self._run
        unsaved = unsaved_programs(self.model)
        if unsaved:
            raise ModelError(f"the state cannot be saved: {unsaved[0]}")
        return stepper_state.taken(run.integrator, self._identity(), run.kept(), stored_programs(run.system))

    def restore(self, state: StepperState | bytes) -> None:
        """Go back, or on, to a saved state, or to one from `StepperState.to_bytes`."""
        run = self._run
        if isinstance(state, (bytes, bytearray, memoryview)):
            state = StepperState.from_bytes(bytes(state))
        if not isinstance(state, StepperState):
            raise ModelError(f"expected a state of this stepper, got {shown(state)}")
        if state.owner != self._identity():
            raise ModelError(
                "the state belongs to another stepper. Model, inputs, outputs and options must be the same"
            )
        run.take_evaluator_of(state)
        kept = run.kept()
        stepper_state.put_back(state, run.integrator, kept)
        run.put_back(kept)
        restore_programs(run.system, run.integrator.t, stepper_state.programs_of(state))
        self._failure = ""

    def _identity(self) -> str:
        """Hash of what a state depends on."""
        if not self._owner:
            about = {
                "model": self.model.describe(), "inputs": [(one.name, one.hold) for one in self._inputs.values()],
                "outputs": list(self._outputs), "options": vars(self._options), "reduce": self._reduce, "start": self._snapshot.t,
            }  # fmt: skip
            text = json.dumps(about, sort_keys=True, default=repr)
            self._owner = hashlib.sha256(text.encode()).hexdigest()
        return self._owner

    @property
    def _run(self) -> HeldRun:
        if self._begun is None:
            model, held = with_inputs(self.model, self._inputs.values())
            begun = begin_run(model, self._snapshot, self._options, start=self._start, reduce=self._reduce)
            courses = {
                name: InputCourse(one, held[name], begun.system, self._snapshot.t) for name, one in self._inputs.items()
            }
            replaced = [
                f'input "{one.name}" replaces a value that changes in time in the model. It starts at {one.start:g} {one.unit}'
                for one in self._inputs.values()
                if one.varies
            ]
            self._begun = HeldRun(
                begun.integrator, begun.warnings + replaced, courses, list(self._outputs), self._until is None
            )
        return self._begun
