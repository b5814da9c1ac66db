"""Actuators of a robot as torques of the model. With a gearbox the torque acts at its input."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...declared_elements.named_signal import NamedSignal
from ...declared_elements.transfer_function import TransferFunction
from ...errors import ModelError
from ...model.signal_expression import expression
from ..limits import ExchangeError
from .description import ActuatorData

if TYPE_CHECKING:
    from .gearboxes import MotorSide
    from .model_maker import RobotModel

__all__ = ["add_actuators", "coordinate_signal", "speed_signal", "times"]


def add_actuators(made: RobotModel, inputs: Mapping[str, MotorSide]) -> None:
    """Add a control signal and a torque for each actuator. inputs: motor sides of joints with a gearbox."""
    if not made.robot.actuators:
        return
    if not made.options.actuators:
        made.report.add("ignored", f"{len(made.robot.actuators)} actuators, as requested")
        return
    for actuator in made.robot.actuators:
        _add(made, actuator, inputs)
    idle = [one.name for one in made.robot.actuators if one.name not in made.options.controls]
    if idle:
        names = ", ".join(f'"{name}"' for name in idle[:6]) + (", ..." if len(idle) > 6 else "")
        made.report.add("assumed", f"the control of the actuators {names} is 0. Specify controls={{name: value}}")


def times(factor: float, text: str) -> str:
    """Expression multiplied by a number."""
    return text if factor == 1.0 else f"{factor!r}*{text}" if factor >= 0.0 else f"({factor!r})*{text}"


def coordinate_signal(made: RobotModel, joint: str) -> str:
    """Expression of the coordinate of a joint."""
    kind = "angle" if made.robot.joints[joint].kind == "revolute" else "displacement"
    return f"signal({json.dumps(f'{made.joint_names[joint]}.{kind}', ensure_ascii=False)})"


def speed_signal(made: RobotModel, joint: str) -> str:
    """Expression of the rate of the coordinate of a joint."""
    return f"signal({json.dumps(f'{made.joint_names[joint]}.speed', ensure_ascii=False)})"


def _add(made: RobotModel, actuator: ActuatorData, inputs: Mapping[str, MotorSide]) -> None:
    terms = [(joint, gear) for joint, gear in actuator.terms if gear and made.robot.joints[joint].moves]
    if not terms:
        made.report.add("ignored", f'actuator "{actuator.name}" (line {actuator.line}): its joint does not move')
        return
    control = made.names.new(actuator.name, "actuator")
    try:
        made.model.add(NamedSignal(control, source=made.options.controls.get(actuator.name, 0.0)))
        text = _limited(f"signal({json.dumps(f'{control}.value', ensure_ascii=False)})", actuator.control_range)
        if actuator.lag > 0.0:
            lag = made.names.new(f"{control}_lag", "actuator", silent=True)
            made.model.add(
                TransferFunction(lag, input=expression(text), numerator=[1.0], denominator=[actuator.lag, 1.0])
            )
            text = f"signal({json.dumps(f'{lag}.output', ensure_ascii=False)})"
        force = _force(made, actuator, terms, text)
        for joint, gear in terms:
            _load(
                made, actuator, control if len(terms) == 1 else f"{control}_{joint}", joint, times(gear, force), inputs
            )
    except ModelError as error:
        raise made.robot.error(actuator.line, f'actuator "{actuator.name}": {error}') from error


def _force(made: RobotModel, actuator: ActuatorData, terms: list[tuple[str, float]], control: str) -> str:
    parts = [times(actuator.gain, control)]
    constant, by_length, by_speed = actuator.bias
    if constant:
        parts.append(f"({constant!r})")
    for factor, signal in ((by_length, coordinate_signal), (by_speed, speed_signal)):
        if factor:
            total = " + ".join(times(gear, signal(made, joint)) for joint, gear in terms)
            parts.append(times(factor, f"({total})" if len(terms) > 1 else total))
    text = " + ".join(parts)
    if math.isfinite(actuator.force_range[0]) or math.isfinite(actuator.force_range[1]):
        return _limited(text, actuator.force_range)
    return text if len(parts) == 1 else f"({text})"


def _limited(text: str, limits: tuple[float, float]) -> str:
    low, high = limits
    if not (math.isfinite(low) or math.isfinite(high)):
        return text
    return f"limit({text}, {low!r}, {high!r})"


def _load(
    made: RobotModel, actuator: ActuatorData, name: str, joint: str, text: str, inputs: Mapping[str, MotorSide]
) -> None:
    model, side = made.model, inputs.get(joint)
    if side is None:
        turns = made.robot.joints[joint].kind == "revolute"
        load = model.torque if turns else model.force
        load(
            made.names.new(f"{name}_{'torque' if turns else 'force'}", "load", silent=True),
            model.joints[made.joint_names[joint]],
            expression(text),
        )
        return
    if side.ratio is None:
        raise ExchangeError(
            f'{made.robot.file}, line {actuator.line}: actuator "{actuator.name}": the ratio of the gearbox of joint "{joint}" is '
            "not known. Leave out the actuators of the file (actuators=False), and add a torque on the joint of the motor"
        )
    turns = "angle" in model.joints[side.joint].coordinates
    load = model.torque if turns else model.force
    load(
        made.names.new(f"{name}_{'torque' if turns else 'force'}", "load", silent=True),
        model.joints[side.joint],
        expression(times(1.0 / side.ratio, text)),
    )
