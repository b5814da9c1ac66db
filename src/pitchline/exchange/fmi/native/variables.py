"""Variables of an FMU without Python: the time, inputs, and the numbers of all outputs, in this order."""

from __future__ import annotations

from ....analyses.stepper import Stepper
from ....system.signal_list import component_names
from ..model_description import INDEPENDENT, ModelVariable
from ..variable_names import TIME, component_name, fmi_names
from .library import SharedVariable

__all__ = ["native_variables"]


def native_variables(stepper: Stepper) -> tuple[tuple[ModelVariable, ...], tuple[SharedVariable, ...]]:
    """Descriptions of the variables of a stepper, and their sources."""
    called = fmi_names([("input", stepper.inputs), ("output", stepper.outputs)])
    described = [ModelVariable(TIME, INDEPENDENT, "independent", "s", description="time")]
    sources = [SharedVariable(INDEPENDENT, TIME, "independent")]
    for source, one in stepper.inputs.items():
        name, reference = called["input", source], len(described)
        described.append(ModelVariable(name, reference, "input", _unit(one.unit), one.start, one.description))
        sources.append(SharedVariable(reference, name, "input", source))
    for source, spec in stepper.outputs.items():
        components = component_names(spec.size) or ("",)
        for k, component in enumerate(components):
            name, reference = called["output", source], len(described)
            if component:
                name = component_name(name, component)
            described.append(ModelVariable(name, reference, "output", _unit(spec.unit), None, spec.description))
            sources.append(SharedVariable(reference, name, "output", source, k))
    return tuple(described), tuple(sources)


def _unit(unit: str) -> str:
    """Unit in the description; dimensionless numbers have none."""
    return "" if unit == "1" else unit
