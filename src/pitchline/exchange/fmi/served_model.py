"""Model inside an FMU that runs in Python: starts, steps and states of one instance."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...analyses.statics import statics
from ...analyses.stepper import Stepper
from ...analyses.stepper_inputs import read_inputs, with_inputs
from ...errors import ModelError
from ...files import read
from ...files.model_file import ModelFile
from ...results import Result
from ...version import __version__
from .fmu_settings import SETTINGS, FmuSettings, SettingsVariable

__all__ = ["ServedModel"]


class ServedModel:
    """Model of one instance.

    The functions take the values of all variables by their references, and the texts by the same references. The importing
    program checks references, types and phases.
    """

    def __init__(self, resources: Path) -> None:
        self._resources = resources
        self.settings = FmuSettings.of(json.loads((resources / SETTINGS).read_text(encoding="utf-8")))
        variables = self.settings.variables
        self._inputs = [v for v in variables if v.kind == "input"]
        self._parameters = [v for v in variables if v.kind == "parameter"]
        self._outputs = [
            (v.reference, self.settings.outputs.index(v.name), v.component) for v in variables if v.kind == "output"
        ]
        self.values = [0.0] * (1 + max((v.reference for v in variables), default=0))
        """Present values of outputs by reference; those of other variables are not used."""
        self._file: ModelFile | None = None
        self._overrides: dict[str, Any] = {}
        """Parameters with which the file was read."""
        self._stepper: Stepper | None = None
        self._begun: tuple[Any, ...] = ()
        """Start time, parameters and inputs of the start of the stepper, while it has not moved."""
        self._set: dict[str, float] = {}
        """Inputs of the stepper."""

    @property
    def time(self) -> float:
        """Present time [s]."""
        return self.settings.start_time if self._stepper is None else self._stepper.time

    def begin(self, start_time: float, values: Sequence[float], texts: Sequence[str]) -> None:
        """Start the motion with inputs and parameters."""
        parameters = self._changed(values, texts)
        inputs = self._input_values(values)
        start = (start_time, parameters, inputs)
        if self._stepper is None or self._begun != start:
            stepper = self._new(start_time, parameters, inputs)
            stepper.set(inputs)
            stepper.start()
            self._stepper, self._begun, self._set = stepper, start, inputs
        self._read()

    def warnings(self) -> list[str]:
        """Warnings about the model, its start, and the version of pitchline."""
        texts = []
        made_with = self.settings.made_with
        if made_with != __version__:
            texts.append(
                f"the FMU was made by pitchline {made_with} and runs with pitchline {__version__}: numbers may differ"
            )
        return texts + list(self._present().warnings)

    def step(self, length: float, values: Sequence[float]) -> None:
        """Continue by a communication step [s]."""
        self._take(values)
        self._begun = ()
        self._present().advance(length)
        self._read()

    def save(self, values: Sequence[float]) -> bytes:
        """State as bytes."""
        self._take(values)
        return self._present().save().to_bytes()

    def restore(self, start_time: float, values: Sequence[float], texts: Sequence[str], state: bytes) -> None:
        """Continue from a state, of this instance or of another."""
        parameters, inputs = self._changed(values, texts), self._input_values(values)
        stepper = self._new(start_time, parameters, inputs)
        stepper.restore(state)
        self._stepper, self._begun, self._set = stepper, (), inputs
        self._read()

    def _present(self) -> Stepper:
        if self._stepper is None:
            raise ModelError("the motion has not been started")
        return self._stepper

    def _take(self, values: Sequence[float]) -> None:
        """Set the inputs that changed."""
        inputs = self._input_values(values)
        if inputs != self._set:
            self._present().set({name: value for name, value in inputs.items() if value != self._set[name]})
            self._set = inputs

    def _read(self) -> None:
        outputs, values = self._present().output_list(), self.values
        for reference, k, component in self._outputs:
            values[reference] = outputs[k] if component is None else float(outputs[k][component])

    def _input_values(self, values: Sequence[float]) -> dict[str, float]:
        return {v.name: values[v.reference] for v in self._inputs}

    def _changed(self, values: Sequence[float], texts: Sequence[str]) -> dict[str, Any]:
        """Parameters that differ from those of the export, as in a model file."""
        changed: dict[str, Any] = {}
        for v in self._parameters:
            value: Any = texts[v.reference] if isinstance(v.start, str) else values[v.reference]
            if value != v.start:
                changed[v.name] = _as_in_file(v, value)
        return changed

    def _new(self, start_time: float, parameters: dict[str, Any], inputs: dict[str, float]) -> Stepper:
        s = self.settings
        if self._file is None or parameters != self._overrides:
            self._file = read(self._resources / s.model, overrides={**s.overrides, **parameters}, allow=s.allow)
            self._overrides = parameters
        file = self._file
        start = self._start(file, start_time, inputs)
        return Stepper(
            file.model, step=s.step, inputs=s.inputs, outputs=s.outputs, start=start, start_time=start_time, **s.options
        )

    def _start(self, file: ModelFile, start_time: float, inputs: dict[str, float]) -> Result | None:
        """Result from which the motion starts."""
        s = self.settings
        if not s.start:
            return None
        if s.start_is_file:
            return Result.load(self._resources / s.start)
        if any(step.name == s.start for step in file.steps):
            result = file.run(only=[s.start])[s.start]
            assert isinstance(result, Result)
            return result
        present = read_inputs(file.model, s.inputs, start_time)
        changed = [dataclasses.replace(item, start=inputs[name]) for name, item in present.items()]
        return statics(with_inputs(file.model, changed)[0])


def _as_in_file(variable: SettingsVariable, value: Any) -> Any:
    if variable.whole and float(value).is_integer():
        value = int(value)  # a number of teeth
    return f"{value!r} {variable.unit}" if variable.unit else value
