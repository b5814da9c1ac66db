"""export_fmu: write a model as an FMU for co-simulation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...analyses.time_options import positive_time
from ...arguments import names_wrong_arguments
from ...disk.atomic import atomic_file, check_folder, check_target
from ...errors import PitchlineError, shown
from ...files import ModelFile
from ...model import Model
from ...results import Result
from ..limits import ExchangeError
from .completed_request import with_table
from .fmu_request import FmuRequest, read_request
from .model_description import ModelVariable

__all__ = ["ExportedFmu", "export_fmu"]


@names_wrong_arguments
@dataclass(frozen=True)
class ExportedFmu:
    """An FMU that was written.

    path:      file
    version:   of FMI, 2 or 3
    variables: inputs, outputs, parameters and the time
    needs:     what the machine that runs the FMU needs, in sentences
    warnings:  about the model and the start of its motion
    """

    path: Path
    version: int
    variables: tuple[ModelVariable, ...]
    needs: tuple[str, ...]
    warnings: tuple[str, ...]

    def named(self, causality: str) -> list[ModelVariable]:
        """Variables that are inputs, outputs or parameters.

        Parameters
        ----------
        causality
            "input", "output" or "parameter".
        """
        return [variable for variable in self.variables if variable.causality == causality]


@names_wrong_arguments
def export_fmu(
    model: Model | ModelFile | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    inputs: str | Sequence[str] | Mapping[str, str] | None = None,
    outputs: str | Sequence[str] | None = None,
    parameters: str | Sequence[str] | None = None,
    step: Any = None,
    fmi_version: int = 2,
    start: str | Result | None = None,
    communication_step: Any = None,
    stop_time: Any = None,
    tolerance: Any = None,
    rho: float | None = None,
    self_contained: bool = False,
    allow: str | Iterable[str] = (),
    overwrite: bool = False,
) -> ExportedFmu:
    """Write a model as an FMU for co-simulation.

    The FMU contains the model file and runs it in Python, in a process of its own: the machine that runs it needs Python with
    pitchline. A self-contained FMU contains machine code instead. `ExportedFmu.needs` and the page inside the FMU state what the
    machine needs. The model is compiled and makes one step before the FMU is written, so that errors are found here.

    Parameters
    ----------
    model
        Model, model file or path of a model file. A Model must be writable as a model file.
    path
        FMU to write, with the ending .fmu.
    inputs
        Names of loads, drives and fields of elements, or a mapping to "hold", "extrapolate" or "ramp", as for `Stepper`. Default:
        those of the table [fmu] of the model file.
    outputs
        Signals or components of signals. Vectors become one variable for each component. Default: those of the table [fmu].
    parameters
        Parameters of the model file that can be set before initialisation. Default: those of the table [fmu], or all that are not
        computed from others.
    step
        Fixed step inside the FMU [s]. Default: that of the table [fmu], or error control.
    fmi_version
        2 or 3. Default 2.
    start
        Analysis of the model file from whose result the motion starts, "statics", or a Result, which is stored in the FMU. Default:
        initial conditions of the model.
    communication_step, stop_time
        Suggestions for the importing program [s]. Optional.
    tolerance, rho
        Options of the integration, as for `dynamics`.
    self_contained
        Whether the FMU contains machine code instead of a Python program. It has no parameters, and some models are refused with
        the reason. Default False.
    allow
        Modules with user-defined elements that the model file may use. The machine that runs the FMU needs them, too.
    overwrite
        Whether an existing file may be replaced. Default False.
    """
    target = _target(path, overwrite=overwrite)
    if fmi_version not in (2, 3) or isinstance(fmi_version, bool):
        raise ExchangeError(f"fmi_version must be 2 or 3, got {shown(fmi_version)}")
    given: dict[str, Any] = {
        "inputs": inputs, "outputs": outputs, "parameters": parameters, "step": step, "start": start, "tolerance": tolerance,
        "rho": rho, "communication_step": communication_step, "stop_time": stop_time,
    }  # fmt: skip
    if self_contained:
        if parameters:
            raise ExchangeError("a self-contained FMU has no parameters. Leave parameters out")
        given["parameters"] = ()
    request = request_of(model, given, allow)
    if self_contained:
        return _self_contained(request, target, fmi_version, overwrite=overwrite)
    from .python_fmu import python_needs, write_python_fmu

    _try(request)
    with atomic_file(target, overwrite=overwrite) as (draft, _), draft.open("wb") as stream:
        write_python_fmu(request, stream, fmi_version)
    needs = python_needs()
    if request.settings.allow:
        needs.append(f"The Python modules {', '.join(request.settings.allow)}")
    return ExportedFmu(target, fmi_version, request.variables, tuple(needs), request.stepper.warnings)


def _self_contained(request: FmuRequest, target: Path, version: int, *, overwrite: bool) -> ExportedFmu:
    """Write an FMU with machine code."""
    from .native.export import native_fmu

    stepper = request.stepper
    warnings = stepper.warnings
    made = native_fmu(
        stepper,
        version=version,
        name=request.file.name,
        step_size=request.communication_step,
        stop_time=request.stop_time,
    )
    with atomic_file(target, overwrite=overwrite, size=len(made.content)) as (draft, _):
        draft.write_bytes(made.content)
    return ExportedFmu(target, version, made.description.variables, (made.needs,), warnings)


def request_of(model: Any, given: dict[str, Any], allow: Any) -> FmuRequest:
    """Checked request of an export: arguments, completed by the table [fmu] of the model file."""
    file, said = with_table(model, given, allow)
    times = {key: said.pop(key) for key in ("communication_step", "stop_time")}
    options = {key: value for key in ("tolerance", "rho") if (value := said.pop(key)) is not None}
    request = read_request(file, options=options, allow=allow, **said)
    for key, value in times.items():
        if value is not None:
            setattr(request, key, positive_time(value, key))
    return request


def _try(request: FmuRequest) -> None:
    """Compile the model and make one step, as an instance of the FMU will do."""
    stepper = request.stepper
    try:
        stepper.start()
        stepper.output_list()
        stepper.advance(request.communication_step or stepper.step or 1e-6)
        stepper.output_list()
    except PitchlineError as error:
        raise ExchangeError(f'model "{request.file.name}" cannot run as an FMU: {error}') from error


def _target(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    target = Path(path).expanduser()
    if target.suffix.lower() != ".fmu":
        raise ExchangeError(f'the name of an FMU must end in .fmu, got "{path}"')
    check_target(target, overwrite=overwrite)
    check_folder(target.parent)
    return target
