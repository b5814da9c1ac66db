"""Records of a commanded run (`solvers.commanded_run`) from a stepper that has not moved yet."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....analyses.stepper import Stepper
from ....math.record_addresses import address, new_record
from ....solvers import commanded_inputs, commanded_run, general_steps, train_steps
from ....solvers.commanded_records import CommandedInput, CommandedRun
from ....solvers.motion import new_samples
from ....system.reporting import MOST_HELD
from ...limits import ExchangeError
from .output_places import OutputPlace, OutputPlaces

__all__ = ["CommandedModel"]

_QUANTITIES = {"value": commanded_inputs.LOAD, "speed": commanded_inputs.SPEED, "position": commanded_inputs.POSITION}
_HOLDS = {"hold": commanded_inputs.HOLD, "extrapolate": commanded_inputs.EXTRAPOLATE, "ramp": commanded_inputs.RAMP}
_STATE = ("target", "t", "c0", "c1", "c2", "c3", "end_value", "end_slope", "before_t", "before_value")
"""Fields of an input, in the order of `InputCourse.state`."""


class CommandedModel:
    """Records of a stepper for compiled code, with the arrays that they refer to. The stepper must not be used afterwards."""

    def __init__(self, stepper: Stepper) -> None:
        begun = stepper._run
        self.integrator, self.system = begun.integrator, begun.integrator.system
        self.courses = begun.courses
        self._direct, self._rows_of_drives = begun._jump._direct, begun._jump._places
        self.integrator.motion.options["small_step"] = (
            0.0  # the form of the constraints does not change in compiled code
        )
        self._samples = begun.sample.open = new_samples(1, self.system)
        self.integrator.motion.progress["samples"] = 0
        begun.sample.add(self.integrator)
        self._outputs = OutputPlaces(self.system, stepper.outputs, self._samples)
        self.inputs, self._places = self._input_records()
        self._arrays = self._scratch()
        self.record = self._run_record()
        self._place_evaluators()

    @property
    def objects(self) -> tuple[Any, ...]:
        """All objects that keep arrays of the records."""
        return self.integrator, self._outputs, self._samples, self.record, self._arrays

    def outputs(self) -> dict[str, list[OutputPlace]]:
        """Places of the numbers of all outputs, by name."""
        balance_error = address(self.record) + 8 * CommandedRun.place("balance_error")[0]
        return self._outputs.find(self.integrator.rank, balance_error)

    def _input_records(self) -> tuple[np.ndarray, np.ndarray]:
        """Records of the inputs, in their order, and the places of their functions."""
        table = np.zeros(len(self.courses), CommandedInput.dtype)
        places: list[int] = []
        for row, course in zip(table, self.courses.values(), strict=True):
            row["quantity"], row["hold"] = _QUANTITIES[course.spec.quantity], _HOLDS[course.spec.hold]
            row["first"], row["last"] = len(places), len(places) + len(course.places)
            places += course.places
            for name, value in zip(_STATE, course.state(), strict=True):
                row[name] = value
        return table, np.array(places, np.int64)

    def _scratch(self) -> dict[str, np.ndarray]:
        """Arrays of the record."""
        s, places = self.system, self._places
        drives = [(self._rows_of_drives[p], k) for k, p in enumerate(places.tolist()) if p in self._rows_of_drives]
        matrix = self.integrator.motion.work.Ax.size if s.own.first_order.size else 1
        return {
            "inputs": self.inputs, "places": places, "jumps": np.zeros(places.size), "curvatures": np.zeros(places.size),
            "rows": np.array([row for row, _ in drives], np.int64),
            "place_of_row": np.array([k for _, k in drives], np.int64), "row_curvatures": np.zeros(len(drives)),
            "before": np.zeros(s.n), "matrix": np.zeros(matrix), "B": np.zeros((MOST_HELD, 6)),
            "G": np.zeros((MOST_HELD, MOST_HELD)), "b": np.zeros(MOST_HELD), "followed": self._outputs.followed,
            "sides": self._outputs.sides,
        }  # fmt: skip

    def _run_record(self) -> np.ndarray:
        s, motion, outputs, arrays = self.system, self.integrator.motion, self._outputs, self._arrays
        counted = (("inputs", "inputs"), ("places", "places"), ("rows", "rows"), ("matrix", "matrix"),
                   ("followed", "followed"), ("sides", "sides"))  # fmt: skip
        counts = {f"n_{name}": len(arrays[array]) for name, array in counted}
        record = new_record(CommandedRun, arrays | counts | {
            "run_address": motion.address, "run": motion.address, "report_address": outputs.report._address,
            "report": outputs.report._address, "direct": int(self._direct), "massless": int(s.own.first_order.size > 0),
            "is_train": int(self.integrator.train is not None), "n": s.n, "n_held": MOST_HELD,
            "recovers": int(outputs.reporter.held.size > 0), "opens": int(s.own.condensed_count > 0),
        })  # fmt: skip
        named = CommandedRun.named(record)
        named["step"] = motion.options["step"]
        commanded_run.tell(address(record))
        energies, work = outputs.report.energies[0], self._samples.work[0]
        named["start_energy"] = energies[0] + energies[1]
        named["start_work"], named["start_losses"] = work[0], work[1]
        return record

    def _place_evaluators(self) -> None:
        """Addresses of the functions of both evaluators. A train that fails continues as a general system."""
        integrator, run = self.integrator, self.integrator.motion.run
        general = general_steps.addresses(self.system.dense, bool(integrator.motion.options["stabilised"]))
        named = CommandedRun.named(self.record)
        named["take_steps"], named["show"] = general["take_steps"], general["show"]
        train = train_steps.addresses() if integrator.train is not None else general
        named["train_take_steps"], named["train_show"] = train["take_steps"], train["show"]
        for name, value in general.items():
            if name not in ("take_steps", "show"):
                run[name] = value
        if not self.system.dense and not integrator._take_pivots():
            raise ExchangeError("the matrix of the system is singular at the start, so that no pivots can be chosen")
