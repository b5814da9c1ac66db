"""Stepper: a run in time that is continued interval by interval, with inputs that change in between."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..arguments import names_wrong_arguments
from ..elements.contract import SignalSpec
from ..errors import ModelError, SolveError, near_names, shown
from ..math.slow_laws import stored_exception
from ..model import Model
from ..results.result import Result
from ..solvers.run_record import DONE
from ..system.outside_programs import restore_programs, stored_programs, unsaved_programs
from ..units import quantity
from . import stepper_state
from .chosen_signals import read_outputs
from .held_run import HeldRun
from .input_course import InputCourse
from .joint_inputs import python_functions
from .run_failure import failure_message, lost_contact_message, stored_failure
from .run_start import begin_run, fitted_options
from .starting_point import starting_point
from .stepper_inputs import StepperInput, read_inputs, with_inputs
from .stepper_state import StepperState
from .time_options import TimeOptions, positive_time

__all__ = ["Stepper"]


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
