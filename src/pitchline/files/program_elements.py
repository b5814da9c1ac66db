"""FMUs in model files: `type = "fmu"`. An FMU is a program: it is used only if the user who reads the file allows it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from ..disk.program_maker import program_maker
from ..errors import ModelError, PitchlineError, shown
from ..model import Model
from ..model.declared_element import DeclaredElement
from ..model.element_fields import ParameterField
from .catalogue import Entry
from .element_types import EVERY_FMU, EVERY_MODULE
from .problems import Path
from .written_quantities import dimension_of_unit, with_unit
from .written_values import function_data

__all__ = ["FMU", "add_fmu", "fmu_table"]

FMU = "fmu"
"""Type of the element in model files."""
_KEYS = {
    "file": True,
    "step": True,
    "inputs": False,
    "outputs": False,
    "parameters": False,
    "units": False,
    "between": False,
}
"""Keys of the table, and whether they are required."""


def _no_call(**given: Any) -> None:
    raise NotImplementedError


ENTRY = Entry(
    _no_call,
    {
        key: inspect.Parameter(
            key, inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if required else None
        )
        for key, required in _KEYS.items()
    },
)


def add_fmu(values: Any, table: Mapping[str, Any], path: Path, model: Model, name: str) -> None:
    """Add the FMU of a table to the model. Errors are reported at their key."""

    def inputs(value: Any, here: Path) -> Any:
        if not isinstance(value, dict):
            raise values.tell(here, f'must be a table of signals, {{ speed = "axis.speed" }}, got {shown(value)}')
        return {key: values.function(one, (*here, key)) for key, one in value.items()}

    def file(value: Any, here: Path) -> Any:
        if not isinstance(value, str):
            raise values.tell(here, f"must be the name of a file, got {shown(value)}")
        if not any(one in (EVERY_MODULE, EVERY_FMU) for one in values.allow):
            raise values.tell(
                here,
                f"{shown(value)} is a program. It runs only if you allow it: use the option --allow-fmu, or --allow-code; in "
                f'Python allow="{EVERY_FMU}"',
            )
        found = values.data_file(here, value)
        if isinstance(found, str):
            raise values.tell(here, found)
        return found

    given = values.arguments(ENTRY, table, path, {"inputs": inputs, "file": file}, also=("type",))

    def add() -> None:
        try:
            model.add(program_maker()(name, **given))
        except ModelError:
            raise
        except PitchlineError as error:
            raise ModelError(str(error)) from error

    values.call(add, table, path, {})


def fmu_table(element: DeclaredElement) -> dict[str, Any]:
    """Table of an FMU of a model."""
    program = element.values["program"]
    inputs = {}
    for port in program.inputs:
        field = element.fields_of(ParameterField)[port.signal]
        inputs[port.variable] = function_data(
            element.values[port.signal], dimension_of_unit(field.unit), element.argument(port.signal)
        )
    table: dict[str, Any] = {
        "type": FMU,
        "file": FilePath(program.file).name,
        "step": with_unit(element.values["step"], "time"),
    }
    if inputs:
        table["inputs"] = inputs
    table["outputs"] = {port.signal: port.variable for port in program.outputs}
    if program.parameters:
        table["parameters"] = {port.variable: given for port, _, given in program.parameters}
    if program.units:
        table["units"] = dict(program.units)
    if element.values["between"] != "hold":
        table["between"] = element.values["between"]
    return table
