"""Table [fmu] of a model file: inputs, outputs and steps of an export as FMU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..analyses.chosen_signals import read_outputs
from ..analyses.stepper_inputs import HOLDS, read_inputs
from ..errors import ModelError, near_names, shown
from ..model import Model
from ..units import quantity
from .analysis_steps import Step
from .schema_types import QUANTITY, Schema
from .sources import Sources

__all__ = ["FMU_KEYS", "fmu_schema", "read_fmu"]

_TIMES = ("step", "communication_step", "stop_time")
FMU_KEYS = ("inputs", "outputs", "parameters", *_TIMES, "start", "tolerance", "rho")


def read_fmu(
    data: Mapping[str, Any], sources: Sources, steps: tuple[Step, ...], model: Model, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """The table [fmu]; empty if the file has none. Errors are added to the problems."""
    table = data.get("fmu", {})
    if not isinstance(table, dict):
        sources.problems.append(sources.problem(("fmu",), f"must be a table, got {shown(table)}"))
        return {}
    for key, value in table.items():
        text = _problem(key, value, steps, model, parameters)
        if text:
            sources.problems.append(sources.problem(("fmu", key), text))
    return dict(table)


def _problem(key: str, value: Any, steps: tuple[Step, ...], model: Model, parameters: Mapping[str, Any]) -> str:
    """What is wrong with an entry; empty if it is right."""
    if key not in FMU_KEYS:
        return f"unknown key; {near_names(key, list(FMU_KEYS))}"
    try:
        if key == "inputs":
            read_inputs(model, value, 0.0)
        elif key == "outputs":
            read_outputs(model, value)
        elif key == "parameters":
            return _parameters(value, parameters)
        elif key == "start":
            names = [step.name for step in steps]
            if value != "statics" and value not in names:
                return f"there is no analysis {shown(value)}; {near_names(str(value), [*names, 'statics'])}"
        elif key in _TIMES:
            number = quantity(value, "time", what=key)
            return "" if number > 0.0 else f"must be greater than zero, got {number:g} s"
        elif key == "rho":
            quantity(value, "number", what=key)
    except ModelError as error:
        return str(error)
    return ""


def _parameters(value: Any, known: Mapping[str, Any]) -> str:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list):
        return f"must be a list of names, got {shown(value)}"
    for name in names:
        if name not in known:
            return f"there is no parameter {shown(name)}; {near_names(str(name), list(known))}"
    return ""


def fmu_schema() -> Schema:
    """JSON Schema of the table."""
    names: Schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    courses: Schema = {"type": "object", "additionalProperties": {"enum": list(HOLDS)}}
    return {
        "type": "object",
        "description": "Export of the model as FMU for co-simulation: pitchline fmu.",
        "properties": {
            "inputs": {
                "anyOf": [*names["anyOf"], courses],
                "description": "Loads, drives and fields of elements that the importing program sets.",
            },
            "outputs": {**names, "description": "Signals, or components of signals."},
            "parameters": {**names, "description": "Parameters that can be set before initialisation; default: all."},
            "step": {**QUANTITY, "description": "Fixed step inside the FMU [s]; default: error control."},
            "communication_step": {**QUANTITY, "description": "Suggested communication step [s]."},
            "stop_time": {**QUANTITY, "description": "Suggested end of the simulation [s]."},
            "start": {
                "type": "string",
                "description": 'Analysis of this file from whose result the motion starts, or "statics".',
            },
            "tolerance": {**QUANTITY, "description": "Tolerance of error control, as for dynamics."},
            "rho": {"type": "number", "description": "Numerical damping, as for dynamics."},
        },
        "additionalProperties": False,
    }
