"""What an FMU contains: the model file, inputs, outputs, parameters and options of an export, after all checks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitchline.analyses.stepper import Stepper
from pitchline.analyses.time_options import positive_time
from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import atomic_file, check_folder, check_target, safe_stem
from pitchline.engine.compile.station_signals import component_names
from pitchline.errors import PitchlineError, near_names, shown
from pitchline.files.model_file import ModelFile
from pitchline.files.parameters import DeclaredParameter
from pitchline.files.reader import read
from pitchline.files.writer import write
from pitchline.model.model import Model
from pitchline.results.result import Result

from ..safe_xml import ExchangeError
from .model_description import INDEPENDENT, FmuSettings, ModelVariable, SettingsVariable, component_name, fmi_names

__all__ = ["with_table", "FmuRequest", "read_request", "ExportedFmu", "export_fmu"]


# ---- completed request

# Arguments of an export, completed by the table [fmu] of the model file.


def with_table(model: Any, given: dict[str, Any], allow: Any) -> tuple[Any, dict[str, Any]]:
    """The model or model file, and all arguments: those that are not given are those of the table."""
    if isinstance(model, (str, os.PathLike)):
        model = read(model, allow=allow)
    table = model.fmu if isinstance(model, ModelFile) else {}
    said = {key: table.get(key) if value is None else value for key, value in given.items()}
    for key in ("inputs", "outputs"):
        if said[key] is None:
            said[key] = ()
    return model, said


MODEL_FOLDER = "model"
START_FILE = "start.nc"
PARAMETERS = "parameters."
"""Start of the names of parameters in the FMU: a parameter often has the name of the load whose value it is."""


@dataclass
class FmuRequest:
    """Contents of an FMU before it is written.

    file:      the model file
    files:     names relative to the resources -> contents
    settings:  for the instance in the importing program
    variables: of the model description, the time first
    stepper:   of the model, as an instance will have it
    """

    file: ModelFile
    files: dict[str, bytes]
    settings: FmuSettings
    variables: tuple[ModelVariable, ...]
    stepper: Stepper
    notes: list[str] = field(default_factory=list)
    stop_time: float | None = None
    communication_step: float | None = None


def read_request(
    model: object,
    *,
    inputs: Any,
    outputs: Any,
    parameters: Any,
    step: Any,
    start: Any,
    options: Mapping[str, Any],
    allow: Any,
) -> FmuRequest:
    """Check a request for an FMU against the model, and collect the files that it needs."""
    file, files, main = _model_files(model, allow)
    chosen = _chosen_parameters(file, parameters)
    with tempfile.TemporaryDirectory(prefix="pitchline-fmu-") as folder:
        for name, content in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        again = read(Path(folder) / main, overrides=file.origin.overrides, allow=file.origin.allow, source=file.source)
    start_name, result, start_is_file = _start(file, start)
    stepper = Stepper(again.model, step=step, inputs=inputs, outputs=outputs, start=result, **options)
    if not stepper.outputs and not stepper.inputs:
        raise ExchangeError(
            'the FMU has no inputs and no outputs. Name at least one, for example outputs=["mesh.normal_force"]'
        )
    variables, settings = _variables(stepper, chosen)
    request = FmuSettings(
        model=main, variables=tuple(settings), inputs={name: one.hold for name, one in stepper.inputs.items()},
        outputs=list(stepper.outputs), overrides=dict(file.origin.overrides), allow=list(file.origin.allow),
        step=stepper.step, options=dict(options), start=start_name, start_is_file=start_is_file, start_time=stepper.time,
    )  # fmt: skip
    if start_is_file and result is not None:
        with tempfile.TemporaryDirectory(prefix="pitchline-fmu-") as folder:
            result.save(Path(folder) / START_FILE)
            files[START_FILE] = (Path(folder) / START_FILE).read_bytes()
    return FmuRequest(again, files, request, tuple(variables), stepper)


def _model_files(model: object, allow: Any) -> tuple[ModelFile, dict[str, bytes], str]:
    """The model file, all files that it needs, and the name of the main file, relative to the resources."""
    if isinstance(model, Model):
        name = f"{MODEL_FOLDER}/{safe_stem(model.name)}.toml"
        try:
            text = write(model)
            return read(text, source=f'model "{model.name}"', allow=allow), {name: text.encode()}, name
        except PitchlineError as error:
            raise ExchangeError(
                f'the FMU must contain model "{model.name}" as a model file, which is not possible: {error}'
            ) from error
    file = model if isinstance(model, ModelFile) else None
    if file is None:
        if not isinstance(model, (str, Path)):
            raise ExchangeError(f"expected a Model, a ModelFile or the path of a model file, got {shown(model)}")
        file = read(model, allow=allow)
    origin = file.origin
    if origin.path is None:
        name = f"{MODEL_FOLDER}/{safe_stem(file.name)}.toml"
        return file, {name: origin.text.encode()}, name
    root = origin.path.parent
    try:
        files = {
            f"{MODEL_FOLDER}/{path.resolve().relative_to(root).as_posix()}": path.read_bytes()
            for path in (origin.path, *origin.others)
        }
    except OSError as error:
        raise ExchangeError(f"{error.filename}: cannot be read: {error.strerror or error}") from error
    return file, files, f"{MODEL_FOLDER}/{origin.path.name}"


def _chosen_parameters(file: ModelFile, given: Any) -> list[DeclaredParameter]:
    """Parameters of the file that the FMU has; default: all that are not computed from others."""
    known = {one.name: one for one in file.declared}
    if given is None:
        return [one for one in known.values() if not one.formula]
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, Iterable):
        raise ExchangeError(f"parameters must be a list of names, got {shown(given)}")
    chosen = []
    for name in given:
        if name not in known:
            hint = near_names(str(name), list(known)) if known else "the model file declares no parameters"
            raise ExchangeError(f"parameters: there is no parameter {shown(name)}; {hint}")
        if known[name].formula:
            raise ExchangeError(
                f'parameters: "{name}" is computed from others ({known[name].formula}). Choose parameters with values'
            )
        if known[name] in chosen:
            raise ExchangeError(f'parameters: "{name}" is given twice. Name each parameter once')
        chosen.append(known[name])
    return chosen


def _start(file: ModelFile, given: Any) -> tuple[str, Result | None, bool]:
    """Name of the analysis or file from which the motion starts, its result, and whether it is a file."""
    if given is None or given == "":
        return "", None, False
    if isinstance(given, Result):
        return START_FILE, given, True
    names = [step.name for step in file.steps]
    if given == "statics" and "statics" not in names:
        from pitchline.analyses.statics import statics

        return "statics", statics(file.model), False
    if given not in names:
        known = near_names(str(given), [*names, "statics"])
        raise ExchangeError(f"start: there is no analysis {shown(given)} in the model file; {known}")
    found = file.run(only=[given])[given]
    if not isinstance(found, Result):
        raise ExchangeError(
            f'start: analysis "{given}" gives no state of the model. Choose statics, kinematics or dynamics'
        )
    return str(given), found, False


def _variables(
    stepper: Stepper, parameters: list[DeclaredParameter]
) -> tuple[list[ModelVariable], list[SettingsVariable]]:
    """Variables of the model description, and for the instance. References count from 1; 0 is the time."""
    outputs: list[tuple[str, int | None, str]] = []
    for name, spec in stepper.outputs.items():
        components = component_names(spec.size)
        outputs += [(name, k, component_name(name, c)) for k, c in enumerate(components)] or [(name, None, name)]
    chosen = [f"{PARAMETERS}{one.name}" for one in parameters]
    names = fmi_names([("input", stepper.inputs), ("output", [made for _, _, made in outputs]), ("parameter", chosen)])
    made = [ModelVariable("time", INDEPENDENT, "independent", "s", description="time")]
    kept: list[SettingsVariable] = []
    for name, one in stepper.inputs.items():
        k = len(made)
        made.append(ModelVariable(names["input", name], k, "input", _unit(one.unit), one.start, one.description))
        kept.append(SettingsVariable(k, "input", name, start=one.start))
    for name, component, called in outputs:
        k, spec = len(made), stepper.outputs[name]
        text = spec.description if component is None else f"{spec.description}, {component_names(spec.size)[component]}"
        made.append(ModelVariable(names["output", called], k, "output", _unit(spec.unit), None, text))
        kept.append(SettingsVariable(k, "output", name, component))
    for parameter in parameters:
        k = len(made)
        made.append(_parameter(parameter, names["parameter", f"{PARAMETERS}{parameter.name}"], k))
        start = made[-1].start
        whole = isinstance(start, float) and not parameter.unit and _is_whole(parameter.value)
        kept.append(SettingsVariable(k, "parameter", parameter.name, unit=parameter.unit, start=start, whole=whole))
    return made, kept


def _parameter(one: DeclaredParameter, name: str, reference: int) -> ModelVariable:
    if one.choices:
        text = f"{one.text} (one of {', '.join(one.choices)})".strip()
        return ModelVariable(name, reference, "parameter", "", one.value, text, "text")
    return ModelVariable(
        name, reference, "parameter", _unit(one.unit), float(one.value), one.text, low=one.low, high=one.high
    )


def _is_whole(text: str) -> bool:
    return text.strip().lstrip("+-").isdigit()


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit


# ---- export

# export_fmu: write a model as an FMU for co-simulation.


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
    from .native_export import native_fmu

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
