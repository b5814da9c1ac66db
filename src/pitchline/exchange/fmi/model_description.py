"""modelDescription.xml of an FMU for co-simulation, FMI 2.0 and FMI 3.0."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...version import __version__
from .unit_definitions import base_unit

__all__ = ["INDEPENDENT", "Causality", "ModelDescription", "ModelVariable", "model_description_xml"]

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
