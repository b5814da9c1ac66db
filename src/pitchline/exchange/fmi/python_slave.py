"""Model inside an FMU that runs in Python: what the binaries of pythonfmu and pythonfmu3 call.

The FMU contains the model file and a file with the settings of the export. The binaries make one object of this class for each
instance, and call its methods for the functions of FMI. A failed step gives the status "error" (FMI 3) or "discard" (FMI 2, the
only one that its binaries have), and the message goes to the logger of the importing program.
"""

from __future__ import annotations

import ctypes
import dataclasses
import json
import math
import sys
from pathlib import Path
from typing import Any

from ...analyses.statics import statics
from ...analyses.stepper import Stepper
from ...analyses.stepper_inputs import read_inputs, with_inputs
from ...analyses.stepper_state import StepperState
from ...errors import ModelError, PitchlineError
from ...files import read
from ...files.model_file import ModelFile
from ...results import Result
from ...version import __version__
from .fmu_settings import SETTINGS, FmuSettings, SettingsVariable

__all__ = ["Fmi2Slave", "Fmi3Slave", "PythonSlave", "keep_names"]

OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3
"""Status of FMI 2 and FMI 3."""
_CATEGORIES = {WARNING: "logStatusWarning", DISCARD: "logStatusDiscard", ERROR: "logStatusError"}
SAME_TIME = 1e-6
"""Largest difference of a communication point from the present time, as a fraction of the communication step."""


def keep_names(names: dict[str, Any]) -> None:
    """Keep the dictionary of the module in an FMU alive.

    The binaries of pythonfmu 0.7 run this module for every instance, and release its dictionary once too often each time. Without
    one more reference, the dictionary is freed while the module is in use: the second instance fails, or the process is aborted
    when it ends.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(names))


class LogMessage:
    """Message for the logger of the importing program."""

    debug = False

    def __init__(self, status: int, msg: str) -> None:
        self.status, self.category, self.msg = status, _CATEGORIES.get(status, "logAll"), msg


class PythonSlave:
    """One instance of an FMU."""

    def __init__(self, **given: Any) -> None:
        self.instance_name = str(given["instance_name"])
        self._resources = Path(given["resources"])
        self.log_queue: list[LogMessage] = []
        self._settings = FmuSettings.of(json.loads((self._resources / SETTINGS).read_text(encoding="utf-8")))
        self._variables = {variable.reference: variable for variable in self._settings.variables}
        last = max(self._variables, default=0)
        self._table: list[Any] = [0.0] * (last + 1)
        """Present values by reference."""
        self._outputs = [
            (v.reference, self._settings.outputs.index(v.name), v.component)
            for v in self._settings.variables
            if v.kind == "output"
        ]
        for variable in self._settings.variables:
            if variable.start is not None:
                self._table[variable.reference] = variable.start
        self._start_time = self._settings.start_time
        self._changed: dict[str, Any] = {}
        """Parameters that were set."""
        self._stepper: Stepper | None = None
        self._running = False
        self._read = False
        """Whether the outputs in the table are those of the present time."""
        self._refused: dict[int, str] = {}
        """Inputs that were set to values that are not numbers."""

    # ---- life

    def setup_experiment(self, start_time: float, stop_time: Any = None, tolerance: Any = None) -> None:
        """Time of the start. An end is not needed; the accuracy is that of the export."""
        self._start_time = float(start_time)
        self._stepper = None

    def enter_initialization_mode(self) -> None:
        """Outputs and parameters are computed when they are needed."""

    def exit_initialization_mode(self) -> None:
        """Compile the model, and start its motion."""
        stepper = self._ready()
        made_with = self._settings.made_with
        if made_with != __version__:
            text = (
                f"the FMU was made by pitchline {made_with} and runs with pitchline {__version__}: numbers may differ"
            )
            self._log(WARNING, text)
        for text in stepper.warnings:
            self._log(WARNING, text)
        self._running = True

    def terminate(self) -> None:
        """The instance is no longer used."""
        self._stepper, self._running = None, False

    def do_step(self, current_time: float, step_size: float) -> Any:
        """Continue by a communication step."""
        try:
            self._step(current_time, step_size)
        except PitchlineError as error:
            self._log(ERROR, str(error))
            return self._failed()
        self._read = False
        return self._passed()

    def _passed(self) -> Any:
        raise NotImplementedError

    def _failed(self) -> Any:
        raise NotImplementedError

    def _step(self, current_time: float, step_size: float) -> None:
        stepper = self._stepper
        if stepper is None:
            stepper = self._ready()
        if self._refused:
            raise ModelError(next(iter(self._refused.values())))
        if not step_size > 0.0:
            raise ModelError(
                f"the communication step at t = {current_time:g} s must be greater than zero, got {step_size:g} s"
            )
        apart = current_time - stepper.time
        if not abs(apart) <= SAME_TIME * step_size + 1e-9 * abs(current_time):
            how = "Restore a saved state to go back" if apart < 0 else "Steps must follow one another without gaps"
            raise ModelError(
                f"the communication point {current_time:.9g} s is not the present time of the model, {stepper.time:.9g} s. {how}"
            )
        stepper.advance(step_size)

    # ---- values

    def get_values(self, references: list[int]) -> list[Any]:
        """Present values of variables."""
        if not self._read:
            self._refresh()
        table = self._table
        return [table[reference] for reference in references]

    def _refresh(self) -> None:
        stepper = self._stepper or self._ready()
        values, table = stepper.output_list(), self._table
        for reference, k, component in self._outputs:
            table[reference] = values[k] if component is None else float(values[k][component])
        table[0] = stepper.time
        self._read = True

    def set_values(self, references: list[int], values: list[Any]) -> None:
        """Set inputs and parameters."""
        for reference, value in zip(references, values, strict=True):
            variable = self._variables.get(reference)
            if variable is None or variable.kind == "output":
                raise ModelError(f"the variable with the reference {reference} cannot be set")
            if variable.kind == "parameter":
                self._set_parameter(variable, value)
            else:
                self._set_input(variable, float(value))

    def _set_input(self, variable: SettingsVariable, value: float) -> None:
        if not math.isfinite(value):
            text = f'input "{variable.name}" must be a finite number, got {value}'
            self._refused[variable.reference] = text
            self._log(ERROR, text)
            return
        self._refused.pop(variable.reference, None)
        self._table[variable.reference] = value
        if self._stepper is not None:
            if not self._running:  # values at the start: the motion starts again
                self._stepper = None
                self._read = False
            else:
                self._stepper.set({variable.name: value})

    def _set_parameter(self, variable: SettingsVariable, value: Any) -> None:
        if self._running:
            raise ModelError(
                f'parameter "{variable.name}" is fixed after initialisation. Set it before, or reset the instance'
            )
        if value == self._table[variable.reference] and variable.name not in self._changed:
            return
        self._table[variable.reference] = value
        if variable.whole and float(value).is_integer():
            value = int(value)  # a number of teeth
        self._changed[variable.name] = f"{value!r} {variable.unit}" if variable.unit else value
        self._stepper, self._read = None, False

    # ---- states

    def _get_fmu_state(self) -> tuple[StepperState, list[Any]]:
        return self._ready().save(), list(self._table)

    def _set_fmu_state(self, state: Any) -> None:
        kept, table = state
        self._ready().restore(kept)
        self._table[:] = table
        self._read, self._running = False, True
        self._refused.clear()

    @staticmethod
    def _fmu_state_to_bytes(state: Any) -> bytes:
        kept, table = state
        head = json.dumps(table).encode()
        return len(head).to_bytes(8, "little") + head + kept.to_bytes()

    @staticmethod
    def _fmu_state_from_bytes(data: bytes) -> tuple[StepperState, list[Any]]:
        size = int.from_bytes(data[:8], "little")
        return StepperState.from_bytes(data[8 + size :]), json.loads(data[8 : 8 + size])

    # ---- model

    def _ready(self) -> Stepper:
        """The stepper, with the present parameters and inputs."""
        if self._stepper is None:
            stepper = self._made()
            stepper.set(self._input_values())
            stepper.start()
            self._stepper = stepper
            self._read = False
        return self._stepper

    def _made(self) -> Stepper:
        s = self._settings
        file = read(self._resources / s.model, overrides={**s.overrides, **self._changed}, allow=s.allow)
        start = self._start(file)
        return Stepper(
            file.model, step=s.step, inputs=s.inputs, outputs=s.outputs, start=start, start_time=self._start_time, **s.options
        )  # fmt: skip

    def _start(self, file: ModelFile) -> Result | None:
        """Result from which the motion starts."""
        s = self._settings
        if not s.start:
            return None
        if s.start_is_file:
            return Result.load(self._resources / s.start)
        if any(step.name == s.start for step in file.steps):
            found = file.run(only=[s.start])[s.start]
            assert isinstance(found, Result)
            return found
        inputs = read_inputs(file.model, s.inputs, self._start_time)
        values = self._input_values()
        changed = [dataclasses.replace(one, start=values[name]) for name, one in inputs.items()]
        return statics(with_inputs(file.model, changed)[0])

    def _input_values(self) -> dict[str, float]:
        return {v.name: float(self._table[v.reference]) for v in self._settings.variables if v.kind == "input"}

    def _get_log_queue(self) -> list[LogMessage]:
        return self.log_queue

    def _log(self, status: int, text: str) -> None:
        self.log_queue.append(LogMessage(status, text))


class Fmi2Slave(PythonSlave):
    """Methods for the binaries of FMI 2."""

    def _passed(self) -> bool:
        return True

    def _failed(self) -> bool:
        """The binaries return the status "discard", and give messages only if logging is on: also print the message."""
        print(f"{self.instance_name}: {self.log_queue[-1].msg}", file=sys.stderr)
        return False

    get_real = get_integer = get_boolean = get_string = PythonSlave.get_values
    set_real = set_integer = set_boolean = set_string = PythonSlave.set_values


class StepResult:
    """Result of a step for the binaries of FMI 3."""

    eventHandlingNeeded = terminateSimulation = earlyReturn = False

    def __init__(self, status: int) -> None:
        self.status = status


_PASSED, _FAILED = StepResult(OK), StepResult(ERROR)


class Fmi3Slave(PythonSlave):
    """Methods for the binaries of FMI 3."""

    def _passed(self) -> StepResult:
        return _PASSED

    def _failed(self) -> StepResult:
        return _FAILED

    get_float64 = get_int32 = get_int64 = get_uint64 = get_boolean = get_string = PythonSlave.get_values
    set_float64 = set_int32 = set_int64 = set_uint64 = set_boolean = set_string = PythonSlave.set_values
