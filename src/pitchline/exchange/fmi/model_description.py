"""modelDescription.xml of an FMU for co-simulation, FMI 2.0 and FMI 3.0."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pitchline.units.parser import parse_unit
from pitchline.version import __version__

from ..safe_xml import ExchangeError

__all__ = [
    "SETTINGS",
    "FmuSettings",
    "SettingsVariable",
    "base_unit",
    "INDEPENDENT",
    "Causality",
    "ModelDescription",
    "ModelVariable",
    "model_description_xml",
    "documentation_page",
    "component_name",
    "fmi_name",
    "fmi_names",
    "identifier",
]


# ---- fmu settings

# Settings of an FMU: what the file pitchline_fmu.json in its resources contains.

SETTINGS = "pitchline_fmu.json"


@dataclass(frozen=True)
class SettingsVariable:
    """Variable of an FMU, and the item of the model that it is.

    reference: value reference
    kind:      "input", "output" or "parameter"
    name:      of the input, signal or parameter in the model
    component: index of a component of a vector; None for a number
    unit:      of a parameter, as in the model file; empty for a plain number or a text
    start:     value at the start; None for outputs
    whole:     the model file has a whole number, for example a number of teeth
    """

    reference: int
    kind: str
    name: str
    component: int | None = None
    unit: str = ""
    start: float | int | str | None = None
    whole: bool = False


@dataclass(frozen=True)
class FmuSettings:
    """Settings of an FMU.

    model:      path of the model file, relative to the resources
    overrides:  parameter values that differ from those of the file
    allow:      modules with user-defined elements
    inputs:     names, with their course between two settings
    outputs:    names of signals
    step:       fixed step [s]; None: error control
    options:    other options of the stepper
    start:      analysis, "statics" or file of a result from which the motion starts; empty: initial conditions of the model
    token:      identification in the model description
    """

    model: str
    variables: tuple[SettingsVariable, ...]
    inputs: dict[str, str] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    overrides: dict[str, Any] = field(default_factory=dict)
    allow: list[str] = field(default_factory=list)
    step: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    start: str = ""
    start_is_file: bool = False
    start_time: float = 0.0
    token: str = ""
    made_with: str = __version__

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @staticmethod
    def of(data: Mapping[str, Any]) -> FmuSettings:
        """Settings from plain data."""
        variables = tuple(SettingsVariable(**variable) for variable in data["variables"])
        return FmuSettings(**{**data, "variables": variables})


# ---- unit definitions

# Units of pitchline as unit definitions of FMI: factor and exponents of the SI base units.

_NAMES = ("m", "kg", "s", "K", "A", "rad")
"""Names of FMI for length, mass, time, temperature, current and angle."""
_CYCLES = {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6}
"""Frequencies count cycles, not radians."""


def base_unit(unit: str) -> dict[str, str]:
    """Attributes of a BaseUnit: exponents that are not zero, and the factor if it is not 1."""
    if unit in _CYCLES:
        factor, powers = _CYCLES[unit], {"s": -1}
    else:
        parsed = parse_unit(unit)
        factor = parsed.factor
        powers = {name: power for name, power in zip(_NAMES, parsed.powers, strict=True) if power}
    order: tuple[str, ...] = ("kg", "m", "s", "A", "K", "rad")
    said = {name: str(int(powers[name])) for name in order if name in powers}
    return said if factor == 1.0 else said | {"factor": repr(factor)}


Causality = Literal["independent", "input", "output", "parameter"]
ValueType = Literal["real", "integer", "text"]

INDEPENDENT = 0
"""Value reference of the time."""
LOG_CATEGORIES = {
    "logStatusWarning": "Warnings about the model and the start of the run",
    "logStatusDiscard": "Steps that are discarded",
    "logStatusError": "Errors: what happened, and how to correct it",
    "logStatusFatal": "Errors after which the FMU cannot be used",
    "logAll": "All messages",
}
_TAGS_2 = {"real": "Real", "integer": "Integer", "text": "String"}
_TAGS_3 = {"real": "Float64", "integer": "Int32", "text": "String"}


@dataclass(frozen=True)
class ModelVariable:
    """Variable of an FMU.

    name:        name in the FMU
    reference:   value reference; unique over all types
    causality:   "independent" (the time), "input", "output" or "parameter" (fixed after initialisation)
    unit:        as pitchline writes it, e.g. "N*m"; empty: dimensionless
    start:       value at the start, in `unit`; None for outputs and the time
    description: meaning
    type:        "real", "integer" or "text"
    low, high:   bounds of a parameter, or None
    """

    name: str
    reference: int
    causality: Causality
    unit: str = ""
    start: float | int | str | None = None
    description: str = ""
    type: ValueType = "real"
    low: float | None = None
    high: float | None = None

    @property
    def variability(self) -> str:
        """Of its value in time."""
        return "fixed" if self.causality == "parameter" else "continuous"


@dataclass(frozen=True)
class ModelDescription:
    """Contents of a modelDescription.xml.

    name:               name of the model
    identifier:         name of the binaries; an identifier of C
    token:              GUID (FMI 2) or instantiation token (FMI 3)
    description:        of the model
    variables:          the time first
    start_time, stop_time, step_size: suggestion for an experiment [s]; None: not specified
    internal_step:      fixed step inside the FMU [s]; None: error control
    needs_tool:         another program is needed on the machine that runs the FMU
    saves_state:        states can be saved and restored
    serialises_state:   states can be stored as bytes
    """

    name: str
    identifier: str
    token: str
    description: str = ""
    variables: tuple[ModelVariable, ...] = ()
    start_time: float = 0.0
    stop_time: float | None = None
    step_size: float | None = None
    internal_step: float | None = None
    needs_tool: bool = False
    saves_state: bool = True
    serialises_state: bool = True
    made_at: datetime.datetime = field(default_factory=lambda: datetime.datetime.now(datetime.UTC))


def model_description_xml(about: ModelDescription, version: int) -> bytes:
    """Text of modelDescription.xml for FMI 2 or 3."""
    root = Element("fmiModelDescription", _head(about, version))
    SubElement(root, "CoSimulation", _capabilities(about, version))
    _units(root, about)
    categories = SubElement(root, "LogCategories")
    for name, text in LOG_CATEGORIES.items():
        SubElement(categories, "Category", {"name": name, "description": text})
    _experiment(root, about)
    variables = SubElement(root, "ModelVariables")
    for variable in about.variables:
        (_variable_2 if version == 2 else _variable_3)(variables, variable)
    _structure(root, about, version)
    indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, "utf-8") + b"\n"


def _head(about: ModelDescription, version: int) -> dict[str, str]:
    head = {"fmiVersion": "2.0" if version == 2 else "3.0", "modelName": about.name}
    head["guid" if version == 2 else "instantiationToken"] = about.token
    if about.description:
        head["description"] = about.description
    made = about.made_at.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return head | {
        "generationTool": f"pitchline {__version__}",
        "generationDateAndTime": made,
        "variableNamingConvention": "structured",
    }


def _capabilities(about: ModelDescription, version: int) -> dict[str, str]:
    said = {
        "modelIdentifier": about.identifier,
        "needsExecutionTool": _flag(about.needs_tool),
        "canHandleVariableCommunicationStepSize": "true",
        "canBeInstantiatedOnlyOncePerProcess": _flag(False),
    }
    if version == 2:
        return said | {
            "canNotUseMemoryManagementFunctions": "true",
            "canGetAndSetFMUstate": _flag(about.saves_state),
            "canSerializeFMUstate": _flag(about.serialises_state),
        }
    said |= {"canGetAndSetFMUState": _flag(about.saves_state), "canSerializeFMUState": _flag(about.serialises_state)}
    if about.internal_step is not None:
        said["fixedInternalStepSize"] = _number(about.internal_step)
    return said


def _units(root: Element, about: ModelDescription) -> None:
    used = sorted({variable.unit for variable in about.variables if variable.unit})
    if used:
        definitions = SubElement(root, "UnitDefinitions")
        for unit in used:
            SubElement(SubElement(definitions, "Unit", {"name": unit}), "BaseUnit", base_unit(unit))


def _experiment(root: Element, about: ModelDescription) -> None:
    said = {"startTime": about.start_time, "stopTime": about.stop_time, "stepSize": about.step_size}
    SubElement(root, "DefaultExperiment", {key: _number(x) for key, x in said.items() if x is not None})


def _common(variable: ModelVariable) -> dict[str, str]:
    said = {"name": variable.name, "valueReference": str(variable.reference)}
    if variable.description:
        said["description"] = variable.description
    return said | {"causality": variable.causality, "variability": variable.variability}


def _value(variable: ModelVariable) -> dict[str, str]:
    said: dict[str, str] = {}
    if variable.unit:
        said["unit"] = variable.unit
    for key, bound in (("min", variable.low), ("max", variable.high)):
        if bound is not None:
            said[key] = _number(bound) if variable.type == "real" else str(int(bound))
    return said


def _start(variable: ModelVariable) -> str | None:
    if variable.start is None:
        return None
    return _number(float(variable.start)) if variable.type == "real" else str(variable.start)


def _variable_2(variables: Element, variable: ModelVariable) -> None:
    said = _common(variable)
    if variable.causality == "parameter":
        said["initial"] = "exact"
    element = SubElement(variables, "ScalarVariable", said)
    value, start = _value(variable), _start(variable)
    SubElement(element, _TAGS_2[variable.type], value if start is None else value | {"start": start})


def _variable_3(variables: Element, variable: ModelVariable) -> None:
    said = _common(variable)
    if variable.causality == "parameter":
        said["initial"] = "exact"
    start = _start(variable)
    element = SubElement(variables, _TAGS_3[variable.type], said | _value(variable))
    if start is not None and variable.type == "text":
        SubElement(element, "Start", {"value": start})
    elif start is not None:
        element.set("start", start)


def _structure(root: Element, about: ModelDescription, version: int) -> None:
    """Outputs belong to the end of the last step: they do not depend directly on inputs. At the start they depend on all."""
    structure = SubElement(root, "ModelStructure")
    outputs = [(k, v) for k, v in enumerate(about.variables, 1) if v.causality == "output"]
    if version == 3:
        for _, variable in outputs:
            SubElement(structure, "Output", {"valueReference": str(variable.reference), "dependencies": ""})
        for _, variable in outputs:
            SubElement(structure, "InitialUnknown", {"valueReference": str(variable.reference)})
        return
    if outputs:
        for tag, said in (("Outputs", {"dependencies": "", "dependenciesKind": ""}), ("InitialUnknowns", {})):
            unknowns = SubElement(structure, tag)
            for k, _ in outputs:
                SubElement(unknowns, "Unknown", {"index": str(k), **said})


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _number(value: float) -> str:
    return repr(float(value))


# ---- documentation

# Page inside an FMU: variables with units, and what the machine that runs it needs.

_KINDS = {"input": "Inputs", "output": "Outputs", "parameter": "Parameters (fixed after initialisation)"}
_STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
    "td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}code{background:#f2f2f2}"
)


def documentation_page(about: ModelDescription, needs: Sequence[str], notes: Sequence[str] = ()) -> str:
    """Contents of documentation/index.html."""
    parts = [f"<h1>{escape(about.name)}</h1>"]
    if about.description:
        parts.append(f"<p>{escape(about.description)}</p>")
    parts.append(f"<p>Co-simulation FMU, made by pitchline {escape(__version__)}.</p>")
    parts.append("<h2>What the machine that runs this FMU needs</h2>")
    parts.append("<ul>" + "".join(f"<li>{escape(text)}.</li>" for text in needs) + "</ul>")
    if notes:
        parts.append("<h2>Notes</h2><ul>" + "".join(f"<li>{escape(text)}</li>" for text in notes) + "</ul>")
    parts.append("<h2>Steps</h2>")
    if about.internal_step is None:
        parts.append("<p>Inside a communication step the step size is controlled by the error.</p>")
    else:
        parts.append(
            f"<p>Steps inside the FMU: {about.internal_step:g} s. A communication step is divided into equal steps of at most "
            "this length.</p>"
        )
    parts.append(
        "<p>Outputs belong to the end of the last communication step. They do not depend directly on inputs. States can be "
        "saved, restored and stored as bytes.</p>"
    )
    for kind, title in _KINDS.items():
        variables = [v for v in about.variables if v.causality == kind]
        if variables:
            parts.append(f"<h2>{title}</h2>{_table(variables)}")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(about.name)}</title>'
        f"<style>{_STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _table(variables: Sequence[ModelVariable]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(v.name)}</code></td><td>{escape(v.unit)}</td>"
        f"<td>{'' if v.start is None else escape(str(v.start))}</td><td>{escape(v.description)}</td></tr>"
        for v in variables
    )
    return f"<table><tr><th>name</th><th>unit</th><th>start</th><th>meaning</th></tr>{rows}</table>"


# ---- variable names

# Names of variables in an FMU: structured names of FMI, `mesh.normal_force` or `wheel.position.x`.

TIME = "time"


def fmi_name(name: str) -> str:
    """Name with parts of letters, digits and underscores, separated by points. Other characters become underscores."""
    return ".".join(_part(part) for part in name.split("."))


def _part(part: str) -> str:
    made = re.sub(r"[^A-Za-z0-9_]", "_", part)
    return made if re.match(r"[A-Za-z_]", made) else f"_{made}"


def component_name(name: str, component: str) -> str:
    """Name of a component of a vector: `position.x`, or `pair_forces[1]` for numbered ones, which FMI counts from 1."""
    return f"{name}[{int(component) + 1}]" if component.isdigit() else f"{name}.{component}"


def fmi_names(groups: Iterable[tuple[str, Iterable[str]]]) -> dict[tuple[str, str], str]:
    """Names in the FMU by (kind, name). Two items with the same name in the FMU are refused.

    groups: kinds for messages ("input", ...), and their names
    """
    taken: dict[str, tuple[str, str]] = {TIME: ("variable", TIME)}
    found: dict[tuple[str, str], str] = {}
    for kind, names in groups:
        for name in names:
            made = fmi_name(name)
            if made in taken:
                other = taken[made]
                raise ExchangeError(
                    f'{kind} "{name}" and {other[0]} "{other[1]}" have the same name "{made}" in the FMU. Rename one of the '
                    "items in the model, or leave one out"
                )
            taken[made] = (kind, name)
            found[kind, name] = made
    return found


def identifier(name: str) -> str:
    """Name of the binaries of an FMU: an identifier of C, also valid as a file name."""
    made = re.sub(r"[^A-Za-z0-9_]", "_", name)[:60] or "model"
    return made if re.match(r"[A-Za-z_]", made) else f"_{made}"
