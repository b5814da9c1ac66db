"""Tree of a robot: links from the world outwards, coordinates of its joints, and poses and velocities of its links."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import near_names
from ...solids.rotations import Array
from ...units import quantity
from ..limits import ExchangeError
from .description import WORLD, JointData, RelationData, Robot
from .placement import IDENTITY, RobotPlacement, about

__all__ = ["LinkMotion", "RobotTree", "joint_motion"]


@dataclass(frozen=True, eq=False)
class LinkMotion:
    """Pose of a link in the world, and velocity of its origin [m/s] and angular velocity [rad/s] in world axes."""

    place: RobotPlacement
    velocity: Array
    angular_velocity: Array


class RobotTree:
    """Joints of a robot in an order in which each parent link is placed before its child."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.above: dict[str, JointData] = {}
        for joint in robot.joints.values():
            known = self.above.get(joint.child)
            if known is not None:
                raise robot.error(
                    joint.line,
                    f'link "{joint.child}" is the child of two joints, "{known.name}" (line {known.line}) and "{joint.name}". '
                    "A robot file describes a tree: remove one of them, and close the loop in the model",
                )
            if joint.parent == joint.child:
                raise robot.error(joint.line, f'joint "{joint.name}": connects link "{joint.child}" with itself')
            self.above[joint.child] = joint
        self.order = self._ordered()

    def roots(self) -> list[str]:
        """Links without a joint to a parent."""
        return [name for name in self.robot.links if name not in self.above]

    def _ordered(self) -> list[JointData]:
        below: dict[str, list[JointData]] = {}
        for joint in self.robot.joints.values():
            below.setdefault(joint.parent, []).append(joint)
        waiting = [WORLD, *reversed(self.roots())]
        order: list[JointData] = []
        while waiting:
            found = below.get(waiting.pop(), [])
            order += found
            waiting += [joint.child for joint in reversed(found)]
        if len(order) < len(self.robot.joints):
            reached = {joint.name for joint in order}
            loop = next(joint for joint in self.robot.joints.values() if joint.name not in reached)
            raise self.robot.error(
                loop.line,
                f'joint "{loop.name}": its links are in a closed loop, which starts and ends at link "{loop.child}". '
                "Remove one joint of the loop, and close it in the model",
            )
        return order

    # ---- coordinates

    def lock(self, names: Any, positions: Mapping[str, float]) -> None:
        """Make fixed joints of joints that are locked at their positions."""
        for joint in self.robot.joints.values():
            if joint.name in names and joint.kind != "fixed":
                if joint.moves:
                    joint.placement = joint.placement @ joint_motion(joint, positions.get(joint.name, 0.0))
                joint.kind, joint.reference = "fixed", 0.0

    def coordinates(
        self, given: Mapping[str, Any] | None, what: str, *, rates: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Coordinates of all joints that move: the given ones, others zero, and those of relations as they follow.

        rates: positions, if `given` are rates.
        """
        joints = self.robot.joints
        moving = {name for name, joint in joints.items() if joint.moves}
        found: dict[str, float] = {}
        for name, value in (given or {}).items():
            if name not in moving:
                raise ExchangeError(
                    f'{self.robot.file}: {what}: there is no joint "{name}" that moves; {near_names(str(name), list(moving))}'
                )
            found[name] = self._read(joints[name], value, what, rate=rates is not None)
        follows = {relation.joint: relation for relation in self.robot.relations}
        for name in joints:
            if name in moving:
                self._follow(name, found, follows, rates, given or {}, what)
        if rates is None:
            for name in moving:
                if joints[name].kind == "revolute" and abs(found[name]) > math.pi + 1e-9:
                    raise self.robot.error(
                        joints[name].line,
                        f'joint "{name}": the initial angle is {math.degrees(found[name]):.6g} deg. It must be between -180 and '
                        "180 deg. Specify another position",
                    )
        return {name: found[name] for name in joints if name in moving}

    def _read(self, joint: JointData, value: Any, what: str, *, rate: bool) -> float:
        unit = {"revolute": "angle", "prismatic": "length"}[joint.kind]
        if rate:
            unit = {"angle": "angular velocity", "length": "velocity"}[unit]
        return quantity(value, unit, what=f'{what}: joint "{joint.name}"')

    def _follow(
        self,
        name: str,
        found: dict[str, float],
        follows: Mapping[str, RelationData],
        rates: Mapping[str, float] | None,
        given: Mapping[str, Any],
        what: str,
    ) -> None:
        """Coordinate of a joint; of a chain of joints that follow each other from its end."""
        chain: list[RelationData] = []
        joint = name
        while joint in follows and follows[joint].other is not None:
            if joint in (one.joint for one in chain):
                first = chain[0]
                raise self.robot.error(
                    first.line,
                    f'joint "{first.joint}" follows itself through {" and ".join(one.other or "" for one in chain)}. '
                    "Remove one of the relations",
                )
            chain.append(follows[joint])
            joint = str(follows[joint].other)
        found.setdefault(joint, self.robot.joints[joint].reference if rates is None else 0.0)
        for relation in reversed(chain):
            other = found[str(relation.other)]
            value = relation.value(other) if rates is None else relation.slope(rates[str(relation.other)]) * other
            known = found.get(relation.joint)
            if (
                relation.joint in given
                and known is not None
                and not math.isclose(known, value, rel_tol=1e-6, abs_tol=1e-9)
            ):
                raise ExchangeError(
                    f'{self.robot.file}: {what}: joint "{relation.joint}" follows joint "{relation.other}" and has the value '
                    f"{value:g}, not {known:g}. Leave it out"
                )
            found[relation.joint] = value

    # ---- motion

    def motions(self, positions: Mapping[str, float], speeds: Mapping[str, float]) -> dict[str, LinkMotion]:
        """Pose and velocity of every link; the world has the name WORLD."""
        rest = LinkMotion(IDENTITY, np.zeros(3), np.zeros(3))
        found = {WORLD: rest} | {root: rest for root in self.roots()}
        for joint in self.order:
            parent = found[joint.parent]
            q, rate = positions.get(joint.name, joint.reference), speeds.get(joint.name, 0.0)
            place = parent.place @ joint.placement @ joint_motion(joint, q)
            axis, anchor = place.rotation @ joint.axis, place.point(joint.anchor)
            w, v = parent.angular_velocity, parent.velocity
            v = v + np.cross(w, place.position - parent.place.position)
            if joint.kind == "revolute":
                w = w + rate * axis
                v = v + np.cross(rate * axis, place.position - anchor)
            elif joint.kind == "prismatic":
                v = v + rate * axis
            found[joint.child] = LinkMotion(place, v, w)
        return found


def joint_motion(joint: JointData, q: float) -> RobotPlacement:
    """Motion of the child from where the coordinate has its reference value, in the axes of the child there."""
    by = q - joint.reference
    if joint.kind == "revolute":
        R = about(joint.axis, by)
        return RobotPlacement(R, joint.anchor - R @ joint.anchor)
    if joint.kind == "prismatic":
        return RobotPlacement(np.eye(3), by * joint.axis)
    return IDENTITY
