"""Gear trains that are put behind the joints of a robot: a model, its input and output joints, and its ratio.

A gearbox is a model of its own. Its ground is the housing, which is fixed to the parent link of the robot's joint. The joint
"input" connects the shaft of the motor to the housing, the joint "output" the output shaft.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...analyses.joint_space import JointSpace
from ...disk.element_finder import element_of_package
from ...errors import ModelError, PitchlineError, near_names, shown
from ...files.loading import load
from ...model import Model
from ...model.joints import Joint
from ...model.meshes import Rolling
from ...model.signal_expression import SignalExpression
from ...model.state_law import StateLaw
from ...solids.rotations import Array
from ..limits import ExchangeError

__all__ = ["JointGearbox", "read_gearbox"]

CONSTRAINTS = ("gear_ratio", "planetary_ratio", "joint_relation", "joint_sum")
"""Elements that connect shafts rigidly."""
WITH_RATIO = ("elastic_gear_ratio", "lossy_gear_ratio")


@dataclasses.dataclass(frozen=True)
class JointGearbox:
    """Gear train behind a joint.

    ratio: speed of the input divided by the speed of the output; None if it does not follow from gears and ratios only
    rates: velocity and angular velocity of each body for the output speed 1, in the axes of the gearbox
    """

    source: str
    model: Model
    input: Joint
    output: Joint
    ratio: float | None
    rates: Mapping[str, tuple[Array, Array]]


def read_gearbox(given: Any, what: str) -> JointGearbox:
    """Gearbox from a model, the path of a model file, or a dictionary with the keys file, input and output."""
    names = {"input": "input", "output": "output"}
    if isinstance(given, Mapping):
        unknown = set(given) - {"file", "model", *names}
        if unknown or ("file" in given) == ("model" in given):
            raise ExchangeError(
                f'{what}: expected a file, a model, or {{"file": ..., "input": ..., "output": ...}}, got {shown(given)}'
            )
        names |= {key: str(given[key]) for key in names if key in given}
        given = given.get("file", given.get("model"))
    if isinstance(given, Model):
        model, source = given, f'model "{given.name}"'
    elif isinstance(given, (str, Path)):
        source = str(given)
        try:
            model = load(given).model
        except PitchlineError as error:
            raise ExchangeError(f"{what}: the gearbox cannot be read: {error}") from error
    else:
        raise ExchangeError(f"{what}: expected the path of a model file or a Model, got {shown(given)}")
    ends = {}
    for key, name in names.items():
        if name not in model.joints:
            raise ExchangeError(
                f'{what}: {source} has no joint "{name}". The {key} shaft of a gearbox needs a joint with this name; '
                f"{near_names(name, list(model.joints))}"
            )
        ends[key] = model.joints[name]
    if ends["output"].body_a != model.ground.name:
        raise ExchangeError(
            f'{what}: {source}: joint "{names["output"]}" must connect the ground (the housing) with the output shaft, in this '
            f'order; it connects "{ends["output"].body_a}" with "{ends["output"].body_b}"'
        )
    if names["input"] == names["output"]:
        raise ExchangeError(f"{what}: {source}: input and output are the same joint")
    _check_contents(model, f"{what}: {source}")
    ratio, rates = _kinematics(model, ends["input"], ends["output"], f"{what}: {source}")
    return JointGearbox(source, model, ends["input"], ends["output"], ratio, rates)


def _check_contents(model: Model, what: str) -> None:
    """Refuse what cannot be moved into another model."""
    if model.plane is not None:
        raise ExchangeError(f"{what}: the gearbox is a planar model. Leave out plane")
    if model.structures:
        name, part = next(iter(model.structures.items()))
        raise ExchangeError(
            f'{what}: {part.kind} "{name}": a gearbox behind a joint has rigid bodies only. Replace it by a body, and put its '
            "compliance into a mesh or a coupling"
        )
    for element in model.elements.values():
        if any(isinstance(value, SignalExpression | StateLaw) for value in element.values.values()):
            raise ExchangeError(
                f'{what}: element "{element.name}" reads signals. Leave it out of the gearbox, and add it to the robot'
            )


def _kinematics(
    model: Model, first: Joint, last: Joint, what: str
) -> tuple[float | None, dict[str, tuple[Array, Array]]]:
    """Ratio, and velocities of all bodies for the output speed 1. None and zeros if shafts are connected by springs."""
    rest = {name: (np.zeros(3), np.zeros(3)) for name in model.bodies}
    try:
        rigid = _rigid(model)
        coordinate = f"{last.name}.{last.coordinates[0]}" if last.coordinates else last.name
        space = JointSpace(rigid, [coordinate])
    except ModelError:
        return None, rest
    found = {}
    for name in model.bodies:
        J = space.jacobian(name).values[:, 0]
        found[name] = (J[:3], J[3:])
    axis = model.placed(first.frame_a)[1][:, 2]
    zero = (np.zeros(3), np.zeros(3))
    first_rates, second_rates = found.get(first.body_a, zero), found[first.body_b]
    if "angle" in first.coordinates:
        ratio = float(axis @ (second_rates[1] - first_rates[1]))
    else:
        ratio = float(axis @ (second_rates[0] - first_rates[0]))
    if ratio == 0.0:
        raise ExchangeError(f'{what}: joint "{first.name}" does not move when joint "{last.name}" moves')
    return ratio, found


def _rigid(model: Model) -> Model:
    """The gearbox without elasticity, backlash and friction: gears roll, springs and loads are left out."""
    left = [*model.drives, *model.loads, *model.gear_pairs]
    left += [name for name, element in model.elements.items() if element.key not in CONSTRAINTS]
    rigid = model.replaced(without=dict.fromkeys(left))
    for name, pair in model.gear_pairs.items():
        wheels = (pair.wheel_a.name, pair.wheel_b.name)
        if isinstance(pair.mesh, Rolling) and not pair.mesh.needs_gears:
            rigid.gear_pair(
                name, pair.wheel_a.frame, pair.wheel_b.frame, mesh=dataclasses.replace(pair.mesh, efficiency=None)
            )
        else:
            rigid.gear_pair(name, *wheels, mesh=Rolling())
    for name, element in model.elements.items():
        if element.key in WITH_RATIO:
            values = element.values
            rigid.add(element_of_package("gear_ratio")(name, a=values["a"], b=values["b"], ratio=values["ratio"]))
    return rigid
