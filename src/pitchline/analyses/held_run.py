"""A run in time that is held between two intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..solvers.input_jump import InputJump
from ..solvers.integrator import Integrator
from ..solvers.motion import new_samples
from ..solvers.time_loop import record_at_address
from .chosen_signals import ChosenSignals
from .input_course import InputCourse
from .stepper_state import StepperState

__all__ = ["HeldRun"]

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
