"""Inputs of a stepper: the values of a model that can be set during a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import ModelError, near_names, shown
from ..model import Drive, Model
from ..model.declared_element import DeclaredElement
from ..model.element_fields import ParameterField
from ..model.functions import Function
from ..model.functions.held_input import HeldInput
from ..model.loads import Force, JointLoad, Torque

__all__ = ["HOLDS", "LOAD", "POSITION", "SPEED", "StepperInput", "available_inputs", "read_inputs", "with_inputs"]

HOLDS = ("hold", "extrapolate", "ramp")
AXES = ("x", "y", "z")
LOAD, SPEED, POSITION = "value", "speed", "position"


@dataclass(frozen=True)
class StepperInput:
    """Input of a stepper.

    name:        name of a load or drive, "load.x" for a component, or "element.field"
    unit:        SI unit of its values
    description: meaning
    start:       value at the start of the run
    hold:        course between two settings: "hold", "extrapolate" or "ramp"
    quantity:    "value", "speed" or "position"
    """

    name: str
    unit: str
    description: str
    start: float
    hold: str
    quantity: str
    part: str
    field: str
    """Component of a load, or field of an element; otherwise empty."""
    varies: bool = False
    """Whether the function of time that the input replaces is not constant."""


def available_inputs(model: Model, time: float = 0.0) -> dict[str, StepperInput]:
    """All values of a model that can be inputs, by name: loads, drives and fields of elements that are functions of time."""
    found: list[StepperInput] = []
    for drive in model.drives.values():
        found += _of_drive(drive, time)
    for load in model.loads.values():
        if isinstance(load, JointLoad) and isinstance(load.function, Function):
            what, unit = ("torque", "N*m") if load.coordinate == "angle" else ("force", "N")
            text = f'{what} "{load.name}" on joint "{load.joint_name}"'
            found.append(_input(load.name, unit, text, load.function, time, LOAD, load.name, ""))
        elif isinstance(load, (Force, Torque)):
            what, unit = ("force", "N") if isinstance(load, Force) else ("torque", "N*m")
            for axis, component in zip(AXES, load.components, strict=True):
                if isinstance(component, Function):
                    text = f'{axis} component of {what} "{load.name}"'
                    name = f"{load.name}.{axis}"
                    found.append(_input(name, unit, text, component, time, LOAD, load.name, axis))
    for element in model.elements.values():
        for name, field in element.fields_of(ParameterField).items():
            value = element.values.get(name)
            if field.kind in ("function", "input") and isinstance(value, Function):
                text = f'{field.text}, of {type(element).__name__} "{element.name}"'
                called = f"{element.name}.{name}"
                found.append(_input(called, field.unit, text, value, time, LOAD, element.name, name))
    return {one.name: one for one in found}


def _input(
    name: str, unit: str, text: str, function: Function, time: float, quantity: str, part: str, field: str
) -> StepperInput:
    hold = "hold" if quantity == LOAD else "ramp"
    return StepperInput(name, unit, text, function(time), hold, quantity, part, field, not function.is_constant)


def _of_drive(drive: Drive, time: float) -> list[StepperInput]:
    if not isinstance(drive.function, Function):
        return []
    rotates = drive.coordinate == "angle"
    quantity = SPEED if drive.given == "speed" else POSITION
    unit = ("rad" if rotates else "m") + ("/s" if quantity == SPEED else "")
    text = f'{"speed" if quantity == SPEED else drive.coordinate} of drive "{drive.name}"'
    return [_input(drive.name, unit, text, drive.function, time, quantity, drive.name, "")]


def read_inputs(model: Model, given: Any, time: float) -> dict[str, StepperInput]:
    """Inputs that the user names: a list of names, or a mapping from names to "hold", "extrapolate" or "ramp"."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, (Mapping, Iterable)):
        raise ModelError(f"inputs must be a list of names, got {shown(given)}")
    known = available_inputs(model, time)
    chosen: dict[str, StepperInput] = {}
    for name in given:
        hold = given[name] if isinstance(given, Mapping) else None
        for one in _named(model, name, known):
            if one.name in chosen:
                raise ModelError(f'inputs: "{one.name}" is given twice. Name each input once')
            chosen[one.name] = one if hold is None else dataclasses.replace(one, hold=_checked(one, hold))
    return chosen


def _named(model: Model, name: object, known: Mapping[str, StepperInput]) -> list[StepperInput]:
    """One input, or all components of a force or torque."""
    if not isinstance(name, str):
        raise ModelError(f"inputs: expected names, got {shown(name)}")
    if name in known:
        return [known[name]]
    of_part = [one for one in known.values() if one.part == name]
    if of_part and (name in model.loads or len(of_part) == 1):
        return of_part
    if of_part:
        choices = ", ".join(f'"{one.name}"' for one in of_part)
        raise ModelError(f'inputs: element "{name}" has several inputs. Name one of {choices}')
    if name in model.drives or name in model.loads:
        raise ModelError(
            f'inputs: "{name}" is not a function of time, but follows signals or a law of the model. Only drives, forces and '
            "torques with values over time can be inputs. Give it a constant value in the model"
        )
    hint = near_names(name, list(known)) if known else "the model has no loads, drives or signals that can be inputs"
    raise ModelError(f'inputs: there is no input "{name}"; {hint}')


def _checked(one: StepperInput, hold: object) -> str:
    if hold not in HOLDS:
        raise ModelError(f'inputs: "{one.name}": expected "hold", "extrapolate" or "ramp", got {shown(hold)}')
    if one.quantity == POSITION and hold != "ramp":
        raise ModelError(
            f'inputs: "{one.name}" is the position of a drive, which cannot jump. Use "ramp", or a drive with a speed'
        )
    return str(hold)


def with_inputs(model: Model, inputs: Iterable[StepperInput]) -> tuple[Model, dict[str, HeldInput]]:
    """Copy of a model in which the functions of these inputs are set from outside, and these functions by name."""
    held = {one.name: HeldInput(one.start) for one in inputs}
    changed: dict[str, Any] = {}
    for one in inputs:
        part: Any = changed.get(one.part) or model.drives.get(one.part) or model.loads.get(one.part)
        part = part or model.elements[one.part]
        function = held[one.name]
        if isinstance(part, DeclaredElement):
            changed[one.part] = part.replaced(**{one.field: function})
        elif one.field:
            components = tuple(
                function if axis == one.field else old for axis, old in zip(AXES, part.components, strict=True)
            )
            changed[one.part] = dataclasses.replace(part, components=components)
        else:
            changed[one.part] = dataclasses.replace(part, function=function)
    return (model.replaced(*changed.values()) if changed else model), held
