"""`read`, `load` and `check`: a model file as a ModelFile, and all its problems."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any

from pitchline.analyses.chosen_signals import read_outputs
from pitchline.analyses.stepper_state import HOLDS, read_inputs
from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.results.linear_files import load_found
from pitchline.studies.study_files import is_study, read_study
from pitchline.studies.sweep.store import is_store, read_store
from pitchline.units.quantity import quantity

from .amounts import Amount
from .analysis_steps import LEFT_OUT, Step, check_study_figures, read_steps
from .element_schema import allowed_modules
from .figure_scope import FileParts
from .figure_specs import EXPRESSIONS, read_figures
from .key_lines import FileError, Path, Problem, key_text, unlikely_numbers
from .model_file import ModelFile, check_signals, plain_parameters
from .parameters import Known, compute, declared_parameters, descriptions, filled
from .plot_specs import read_plots
from .schema_types import OF_SIGNALS, QUANTITY, SIGNALS, Schema
from .sources import Document, FileOrigin, Sources, read_document, read_text
from .study_runs import check_studies
from .values import BuiltModel, build

__all__ = ["FMU_KEYS", "fmu_schema", "read_fmu", "check", "read", "load"]


# ---- fmu table

# Table [fmu] of a model file: inputs, outputs and steps of an export as FMU.

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


def read(
    path_or_text: str | os.PathLike[str],
    *,
    overrides: Mapping[str, object] | None = None,
    source: str | None = None,
    allow: str | Iterable[str] = (),
) -> ModelFile:
    """Read a model file.

    Parameters
    ----------
    path_or_text
        The name of a file, or the text of a model file. A text with a line break is a model file text.
    overrides
        Parameter values that replace those of the file, as numbers or texts: {"module": "2.5 mm"}.
    source
        Name of the file in messages; default: its name.
    allow
        Modules with user-defined elements, whose code the file may run: "my.module".

    Raises
    ------
    FileError
        With all problems of the file, each with its file, line and key.
    """
    return _read(_document(path_or_text, source), dict(overrides or {}), allowed_modules(allow))


def check(
    path_or_text: str | os.PathLike[str],
    *,
    overrides: Mapping[str, object] | None = None,
    source: str | None = None,
    allow: str | Iterable[str] = (),
) -> list[Problem]:
    """All problems of a model file; empty if there are none. No code is run, except for modules in `allow`."""
    try:
        file = read(path_or_text, overrides=overrides, source=source, allow=allow)
        check_studies(file, file.steps)
    except FileError as error:
        return error.found
    return []


def _document(given: str | os.PathLike[str], source: str | None) -> Document:
    if isinstance(given, str) and "\n" in given:
        return read_text(given, source or "text")
    path = FilePath(given)
    return read_document(path, source or str(path))


def _read(document: Document, overrides: Mapping[str, object], allow: tuple[str, ...]) -> ModelFile:
    sources, known, data, built = _built(document, overrides, allow)
    model = built.model
    broken = bool(sources.problems)
    steps = read_steps(data, sources, model)
    _check_parameters(steps, known, sources)
    if broken or sources.problems:  # figures may refer to parts that are missing
        raise FileError([*sources.problems, *_late(data, sources, steps)])
    amounts = {name: value for name, value in known.items() if isinstance(value, Amount)}
    parts = FileParts(model, built.gears, steps, amounts, built.trains)
    check_signals(parts, sources)
    if sources.problems:  # figures may use the same signals
        raise FileError([*sources.problems, *_late(data, sources, steps)])
    figures = read_figures(data, sources, steps, parts)
    check_study_figures(steps, figures, sources)
    plots = read_plots(data, sources, steps, parts)
    fmu = read_fmu(data, sources, steps, model, known)
    variants: dict[str, tuple[list[Problem], Model]] = {}

    def variant(step: Step) -> tuple[list[Problem], Model]:
        """Problems and model of an analysis with its own parameters; analyses with the same changes share one model."""
        key = repr((sorted(step.parameters.items()), step.without))
        if key not in variants:
            there, _, _, changed = _built(document, {**overrides, **step.parameters}, allow, step.without)
            variants[key] = there.problems, changed.model
        return variants[key]

    for n, step in enumerate(steps if not sources.problems else ()):
        _check_changes(step, ("analyses", n), sources, variant)
    if sources.problems:
        raise FileError(sources.problems)
    table = data.get("model", {})
    lines = {key_text(path): sources.where(path) for path in [("analyses", n) for n in range(len(steps))]}
    for n, step in enumerate(steps):
        keys = [("analyses", n, key) for key in step.options if step.is_study]
        lines |= {key_text(path): sources.where(path) for path in keys}
    lines |= {f"figures.{spec.key}": sources.where(("figures", spec.key)) for spec in figures}
    lines |= {f"gear_pairs.{name}": sources.where(("gear_pairs", name)) for name in model.gear_pairs}
    unlikely = tuple(sources.problem(path, text) for path, text in unlikely_numbers(data))

    def again(step: Step) -> Model:
        problems, changed = variant(step)
        if problems:
            raise FileError(problems)
        return changed

    description = str(data.get("description", table.get("description", "")))
    return ModelFile(
        model.name, document.name, description, model, plain_parameters(known), steps, figures, plots, built.gears, built.trains,
        descriptions(sources), again, lines, unlikely, declared_parameters(sources, known, overrides),
        FileOrigin.of(document, sources, overrides, allow), fmu,
    )  # fmt: skip


def _built(
    document: Document, overrides: Mapping[str, object], allow: tuple[str, ...], without: tuple[str, ...] = ()
) -> tuple[Sources, dict[str, Known], dict[str, Any], BuiltModel]:
    """The model without the left-out elements, and its gears. Errors are added to the problems of the sources."""
    sources = Sources(document)
    if sources.incomplete:  # other errors would only be consequences
        raise FileError(sources.problems)
    known = compute(sources, overrides)
    data = {key: _filled(key, item, known, sources) for key, item in sources.data.items() if key != "parameters"}
    for section in LEFT_OUT if without else ():
        data[section] = {name: part for name, part in data.get(section, {}).items() if name not in without}
    stem = document.path.stem if document.path is not None else "model"
    return sources, known, data, build(data, sources, stem, allow)


def _check_changes(
    step: Step, path: Path, sources: Sources, variant: Callable[[Step], tuple[list[Problem], Model]]
) -> None:
    """Check that the model that an analysis changes can be built, before the first analysis runs. Models of studies are built and
    checked when a study is about to run: a sweep reads its file at each point."""
    if step.is_study or (not step.without and not step.parameters):
        return
    problems, _ = variant(step)
    key = "without" if step.without and not step.parameters else "parameters"
    for problem in problems:
        sources.problems.append(
            sources.problem((*path, key), f'the model of "{step.name}": {problem.key}: {problem.message}')
        )


def _late(data: Mapping[str, Any], sources: Sources, steps: tuple[Step, ...]) -> list[Problem]:
    """Problems of figures that are not caused by elements that could not be created."""
    before = len(sources.problems)
    analyses = data.get("analyses")
    told = {step.name for step in steps}
    whole = isinstance(analyses, list) and len(told) == len(analyses)
    if whole:
        read_figures(data, sources, steps)
        read_plots(data, sources, steps)
    return sources.problems[before:]


def _filled(section: str, value: Any, known: Mapping[str, Known], sources: Sources) -> Any:
    """Section with its expressions evaluated, except those of figures and analyses that need results."""

    def table_filled(table: Any, path: Path, later: tuple[str, ...]) -> Any:
        if not isinstance(table, dict):
            return filled(table, path, known, sources)
        return {
            key: item if key in later else filled(item, (*path, key), known, sources) for key, item in table.items()
        }

    if section == "figures" and isinstance(value, dict):
        return {name: table_filled(table, (section, name), EXPRESSIONS) for name, table in value.items()}
    if section == "analyses" and isinstance(value, list):
        return [table_filled(table, (section, n), _later_keys(table)) for n, table in enumerate(value)]
    return filled(value, (section,), known, sources)


def _later_keys(table: Any) -> tuple[str, ...]:
    """Keys of an analysis whose expressions use signals of an earlier one."""
    return SIGNALS if isinstance(table, dict) and table.get("kind") in OF_SIGNALS else ()


def _check_parameters(steps: tuple[Step, ...], known: Mapping[str, Any], sources: Sources) -> None:
    said = sources.data.get("parameters")
    wrong = {*said} - {*known} if isinstance(said, dict) else set()  # they exist, and their errors are already reported
    for n, step in enumerate(steps):
        for name in step.parameters:
            if name not in known and name not in wrong:
                path = ("analyses", n, "parameters", name)
                sources.problems.append(
                    sources.problem(path, f'there is no parameter "{name}"; {near_names(name, known)}')
                )


# ---- loading

# Load results and models with one function.


@names_wrong_arguments
def load(
    path: str | os.PathLike[str], /, *, allow: str | Iterable[str] = (), lazy: bool = False, **parameters: object
) -> Any:
    """Load a result file, including modes, studies etc.; or read a model file with the extension .toml: a `ModelFile`.

    Parameters of a model file can be changed: ``load("pair.toml", module="2.5 mm")``. Modules with user-defined
    elements must be
    allowed: ``load("rig.toml", allow="my.module")``.

    lazy: for a result file, open it without reading the signals; see `Result.load`.
    """
    if str(path).lower().endswith(".toml"):
        if lazy:
            raise TypeError("load: only result files can be read lazily. Remove lazy for a model file")
        return read(path, overrides=parameters, allow=allow)
    if parameters or allow:
        raise TypeError(f"load: only model files (.toml) have parameters, e.g. {next(iter(parameters), 'allow')}")
    if is_store(path):
        return read_store(path)
    if is_study(path):
        return read_study(path)
    return load_found(os.fspath(path), lazy=lazy)
