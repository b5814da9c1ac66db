"""What an FMU contains: the model file, inputs, outputs, parameters and options of an export, after all checks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...analyses.stepper import Stepper
from ...disk.names import safe_stem
from ...errors import PitchlineError, near_names, shown
from ...files import ModelFile, read
from ...files.declared_parameters import DeclaredParameter
from ...files.writer import write
from ...model import Model
from ...results import Result
from ...system.signal_list import component_names
from ..limits import ExchangeError
from .fmu_settings import FmuSettings, SettingsVariable
from .model_description import INDEPENDENT, ModelVariable
from .variable_names import component_name, fmi_names

__all__ = ["FmuRequest", "read_request"]

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
        from ...analyses.statics import statics

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
