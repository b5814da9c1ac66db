"""Motion of the links of a robot: joints without mass, relations between joints, actuators."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.signal_expression import expression
from pitchline.errors import ModelError, near_names
from pitchline.facades import element_of_package
from pitchline.parts.control.lookup import NamedSignal
from pitchline.parts.control.sampled import TransferFunction
from pitchline.solids.mass_properties import Shape
from pitchline.units.quantity import quantity

from ..safe_xml import ExchangeError
from .description import (
    IDENTITY,
    WORLD,
    ActuatorData,
    JointData,
    RelationData,
    Robot,
    RobotPlacement,
    SumData,
    about,
    add_masses,
    inertia_about,
)

if TYPE_CHECKING:
    from .gearboxes import MotorSide
    from .model_maker import RobotModel

__all__ = [
    "add_actuators",
    "coordinate_signal",
    "speed_signal",
    "times",
    "add_relations",
    "LinkMotion",
    "RobotTree",
    "joint_motion",
    "LinkGroup",
    "link_groups",
    "check_moving_masses",
    "joints_without_mass",
]


# ---- actuators

# Actuators of a robot as torques of the model. With a gearbox the torque acts at its input.


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


# ---- relations

# Relations between joints of a robot: mimic joints, equalities of joints, and fixed tendons.


def add_relations(made: RobotModel) -> None:
    """Add relations and sums as constraints, and springs on sums as torques."""
    for relation in made.robot.relations:
        _relation(made, relation)
    for one in made.robot.sums:
        terms = [(name, factor) for name, factor in one.terms if factor]
        if one.value is not None:
            _sum(made, one, terms)
        if terms and (one.stiffness or one.damping):
            _spring(made, one, terms)


def _relation(made: RobotModel, relation: RelationData) -> None:
    joints = made.robot.joints
    a, b = joints[relation.joint], joints[str(relation.other)]
    name = made.names.new(relation.name, "relation")
    offset, slope, *higher = relation.coefficients
    plain = not any(higher) and slope != 0.0
    if plain and a.kind == b.kind == "revolute":
        # the element counts revolutions exactly, and trains of gears can contain it
        made.model.ratio(name, made.joint_names[a.name], made.joint_names[b.name], ratio=slope)
        return
    made.model.add(
        element_of_package("joint_relation")(
            name,
            a=made.joint_names[a.name],
            b=made.joint_names[b.name],
            coefficients=[offset, slope, *higher],
            reference_a=relation.reference,
            reference_b=relation.other_reference,
        )
    )


def _sum(made: RobotModel, one: SumData, terms: list[tuple[str, float]]) -> None:
    name = made.names.new(one.name, "relation")
    assert one.value is not None
    start = sum(factor * made.positions[joint] for joint, factor in terms)
    if abs(start - one.value) > 1e-6 * max(1.0, abs(one.value)):
        raise made.robot.error(
            one.line,
            f'tendon "{one.name}": the sum of its joint coordinates is {start:g} in the initial pose, but the file requires '
            f"{one.value:g}. Specify positions= that fit",
        )
    joints = [made.joint_names[joint] for joint, _ in terms]
    factors = [factor for _, factor in terms]
    if len(terms) == 2:
        made.model.add(
            element_of_package("joint_relation")(
                name,
                a=joints[0],
                b=joints[1],
                coefficients=[one.value / factors[0], -factors[1] / factors[0], 0.0, 0.0, 0.0],
            )
        )
    elif len(terms) == 3:
        ends = dict(zip("abc", joints, strict=True)) | {
            f"factor_{end}": factor for end, factor in zip("abc", factors, strict=True)
        }
        made.model.add(element_of_package("joint_sum")(name, **ends, value=one.value))
    elif terms:
        raise made.robot.error(
            one.line,
            f'tendon "{one.name}": connects {len(terms)} joints rigidly; two or three are possible. Lock the others '
            '(locked=["..."]), or replace the equality by a stiffness of the tendon',
        )


def _spring(made: RobotModel, one: SumData, terms: list[tuple[str, float]]) -> None:
    """Spring and damper on a sum: its force acts on each joint with the factor of its coordinate."""
    length = " + ".join(times(factor, coordinate_signal(made, joint)) for joint, factor in terms)
    speed = " + ".join(times(factor, speed_signal(made, joint)) for joint, factor in terms)
    low, high = one.rest
    stretch = (
        f"({length}) - ({low!r})"
        if low == high
        else f"max(({length}) - ({high!r}), 0) + min(({length}) - ({low!r}), 0)"
    )
    for joint, factor in terms:
        text = times(-factor, f"({one.stiffness!r}*({stretch}) + {one.damping!r}*({speed}))")
        name = made.names.new(f"{one.name}_{made.joint_names[joint]}", "spring")
        load = made.model.torque if made.robot.joints[joint].kind == "revolute" else made.model.force
        load(name, made.model.joints[made.joint_names[joint]], expression(text))


@dataclass(frozen=True, eq=False)
class LinkMotion:
    """Pose of a link in the world, and velocity of its origin [m/s] and angular velocity [rad/s] in world axes."""

    place: RobotPlacement
    velocity: FloatArray
    angular_velocity: FloatArray


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


# ---- groups

# Bodies of the model: links that are fixed to each other are one body.


@dataclass
class LinkGroup:
    """Links that are fixed to each other.

    top:    first link
    own:    first link with mass, otherwise the first link: name and frame of the body are those of this link
    joint:  that connects the group to its parent; None for the world
    places: frame of each link in the frame of the body
    """

    top: str
    own: str
    joint: JointData | None
    places: dict[str, RobotPlacement] = field(default_factory=dict)
    mass: float = 0.0
    centre: FloatArray = field(default_factory=lambda: np.zeros(3))
    inertia: FloatArray = field(default_factory=lambda: np.zeros((3, 3)))

    @property
    def on_world(self) -> bool:
        """Whether the group cannot move."""
        return self.joint is None or (self.joint.parent == WORLD and self.joint.kind == "fixed")

    def shapes(self, robot: Robot) -> list[Shape]:
        """Shapes of all links, in the frame of the body."""
        return [
            shape.turned(place.rotation).moved(place.position)
            for name, place in self.places.items()
            for shape in robot.links[name].shapes
        ]


def link_groups(tree: RobotTree) -> tuple[list[LinkGroup], dict[str, LinkGroup]]:
    """Groups from the world outwards, and the group of each link. The group of the world is not in the list."""
    robot = tree.robot
    world = LinkGroup(WORLD, WORLD, None)
    of_link = {WORLD: world}
    groups: list[LinkGroup] = []
    for joint in tree.order:
        parent = of_link[joint.parent]
        if joint.kind == "fixed" and joint.parent != WORLD:
            parent.places[joint.child] = parent.places[joint.parent] @ joint.placement
            of_link[joint.child] = parent
        else:
            group = LinkGroup(joint.child, joint.child, joint, {joint.child: IDENTITY})
            groups.append(group)
            of_link[joint.child] = group
    for group in groups:
        group.own = next((name for name in group.places if robot.links[name].mass > 0.0), group.top)
        back = group.places[group.own].inverse()
        group.places = {name: back @ place for name, place in group.places.items()}
        group.places[group.own] = IDENTITY
        links = [(robot.links[name], place) for name, place in group.places.items()]
        parts = [
            (link.mass, link.centre, link.inertia, place)
            for link, place in links
            if link.mass > 0.0 or link.inertia.any()
        ]
        group.mass, group.centre, group.inertia = add_masses(parts) if parts else (0.0, np.zeros(3), np.zeros((3, 3)))
    return groups, of_link


# ---- moving masses

# Check that every joint of a robot moves a mass: otherwise its acceleration is indeterminate.

LEAST = 1e-18
"""Inertia [kg*m^2] or mass [kg] that counts as none."""


def joints_without_mass(
    groups: list[LinkGroup], of_link: dict[str, LinkGroup], motions: dict[str, LinkMotion], with_gearbox: set[str]
) -> list[LinkGroup]:
    """Groups of links whose joint moves no inertia about its axis."""
    sums: dict[int, tuple[float, FloatArray, FloatArray]] = {}
    found: list[LinkGroup] = []
    for group in reversed(groups):
        mass, first, second = sums.get(id(group), (0.0, np.zeros(3), np.zeros((3, 3))))
        place = motions[group.own].place
        centre = place.point(group.centre)
        mass, first = mass + group.mass, first + group.mass * centre
        second = second + place.rotation @ group.inertia @ place.rotation.T + inertia_about(group.mass, centre)
        joint = group.joint
        if joint is None or group.on_world:
            continue
        above = of_link[joint.parent]
        old = sums.get(id(above), (0.0, np.zeros(3), np.zeros((3, 3))))
        sums[id(above)] = (old[0] + mass, old[1] + first, old[2] + second)
        child = motions[joint.child].place
        anchor, axis = child.point(joint.anchor), child.rotation @ joint.axis
        about_anchor = (
            second - inertia_about(mass, first / mass) + inertia_about(mass, first / mass - anchor)
            if mass > 0.0
            else second
        )
        if joint.kind == "revolute":
            moved = float(axis @ about_anchor @ axis)
        elif joint.kind == "prismatic":
            moved = mass
        elif joint.kind == "spherical":
            moved = float(np.linalg.eigvalsh(about_anchor)[0])
        else:
            moved = mass
        if moved + joint.armature <= LEAST and joint.name not in with_gearbox:
            found.append(group)
    return found[::-1]


def check_moving_masses(robot: Robot, without: list[LinkGroup]) -> None:
    """ExchangeError that names the first of the joints without mass, in the order of the file."""
    if not without:
        return
    group = min(without, key=lambda one: one.joint.line if one.joint is not None else 0)
    joint = group.joint
    assert joint is not None
    names = list(group.places)
    links = ", ".join(f'"{name}"' for name in names[:3])
    more = f" {len(without) - 1} more joints have the same problem." if len(without) > 1 else ""
    raise robot.error(
        joint.line,
        f'joint "{joint.name}" ({joint.kind}) moves no {"mass" if joint.kind == "prismatic" else "inertia"}: '
        f"{'link' if len(names) == 1 else 'links'} {links} and what is behind have none.{more} Specify mass and inertia of it "
        f'in the file, or lock the joint: locked=["{joint.name}"]; locked=["massless"] locks all joints of this kind',
    )
