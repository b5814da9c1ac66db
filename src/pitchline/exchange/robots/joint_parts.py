"""Parts that act on the joints of a robot: springs, dampers, friction, inertias of motors and stops."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...disk.element_finder import element_of_package
from ...errors import ModelError
from ...model.frames import Frame
from ..limits import ExchangeError
from .description import JointData

if TYPE_CHECKING:
    from .gearboxes import MotorSide
    from .model_maker import RobotModel

__all__ = ["add_joint_parts"]


def add_joint_parts(made: RobotModel, inputs: Mapping[str, MotorSide]) -> None:
    """Add the parts of all joints. inputs: motor sides of joints with a gearbox."""
    for joint in made.robot.joints.values():
        if not joint.moves:
            _not_used(made, joint)
            continue
        name = made.joint_names[joint.name]
        if joint.stiffness or joint.damping:
            _spring(made, joint, name)
        if joint.friction:
            if made.options.friction:
                made.model.friction(made.names.new(f"{name}_friction", "friction"), name, coulomb=joint.friction)
            else:
                made.report.add("ignored", f'friction of joint "{joint.name}", {joint.friction:g} in SI units')
        if joint.armature and joint.name in inputs:
            made.report.add(
                "ignored",
                f'armature of joint "{joint.name}", {joint.armature:g} in SI units: the gearbox contains the inertia of the motor',
            )
        elif joint.armature:
            key, size = ("armature", "inertia") if joint.kind == "revolute" else ("sliding_armature", "mass")
            made.model.add(
                element_of_package(key)(
                    made.names.new(f"{name}_armature", "armature"), on=name, **{size: joint.armature}
                )
            )
        _stop(made, joint, name)


def _spring(made: RobotModel, joint: JointData, name: str) -> None:
    what = made.names.new(f"{name}_spring" if joint.stiffness else f"{name}_damper", "spring")
    if joint.kind == "revolute":
        made.model.torsion_spring(
            what, name, stiffness=joint.stiffness, damping=joint.damping, free_angle=joint.spring_reference
        )
        return
    ends = made.model.joints[name]
    first = ends.frame_a  # displacement is measured from here; the spring has no force at its reference
    shifted = Frame(
        first.body_name,
        first.position + joint.spring_reference * first.rotation[:, 2],
        first.rotation,
        what,
        owner=first.owner,
    )
    along = np.zeros(6)
    along[2] = 1.0
    made.model.bushing(
        what, shifted, ends.frame_b, stiffness=list(joint.stiffness * along), damping=list(joint.damping * along)
    )


def _stop(made: RobotModel, joint: JointData, name: str) -> None:
    stops = made.options.stops
    if stops is False or (isinstance(stops, Mapping) and joint.name not in stops):
        return
    given: dict[str, Any] = dict(stops[joint.name]) if isinstance(stops, Mapping) else {}
    lower, upper = (limit if math.isfinite(limit) else None for limit in (joint.lower, joint.upper))
    if lower is None and upper is None:
        if isinstance(stops, Mapping):
            raise ExchangeError(f'stops: joint "{joint.name}" has no limits in the file')
        return
    at = made.positions[joint.name]
    if not joint.lower - 1e-9 <= at <= joint.upper + 1e-9:
        raise ExchangeError(
            f'{made.robot.file}, line {joint.line}: joint "{joint.name}": its position {at:g} is outside its limits from '
            f"{joint.lower:g} to {joint.upper:g}. Specify a position within them, such as "
            f'positions={{"{joint.name}": {0.5 * (max(joint.lower, -1e3) + min(joint.upper, 1e3)):g}}}'
        )
    try:
        made.model.stop(made.names.new(f"{name}_stop", "stop"), name, lower=lower, upper=upper, **given)
    except (ModelError, TypeError) as error:
        raise ExchangeError(f'stops: joint "{joint.name}": {error}') from error


def _not_used(made: RobotModel, joint: JointData) -> None:
    """Report values of joints without a coordinate."""
    if joint.kind in ("fixed", "planar", "free", "spherical"):
        lost = [key for key in ("stiffness", "damping", "friction", "armature") if getattr(joint, key)]
        if lost and joint.kind != "fixed":
            made.report.add("ignored", f'{", ".join(lost)} of joint "{joint.name}" ({joint.kind})')
