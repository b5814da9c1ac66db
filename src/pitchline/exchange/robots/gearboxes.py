"""Gearboxes behind the joints of a robot: their parts become parts of the model.

The housing of a gearbox (its ground) belongs to the parent link, its output shaft to the child link. The output joint of the
gearbox is the joint of the robot. Other bodies and joints get the name of the joint as a prefix.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.analyses.robots import JointSpace
from pitchline.base.types import FloatArray
from pitchline.declare.declared_element import DeclaredElement, FrameField, JointField
from pitchline.declare.names import Frame, StateLaw
from pitchline.declare.signal_expression import SignalExpression
from pitchline.errors import ModelError, PitchlineError, near_names, shown
from pitchline.facades import element_of_package
from pitchline.files.reader import load
from pitchline.model.model import Model
from pitchline.parts.bodies.part import Body, Joint
from pitchline.parts.meshes.laws.elastic import Rolling

from ..safe_xml import ExchangeError
from .description import IDENTITY, JointData, RobotPlacement, add_masses, is_real

if TYPE_CHECKING:
    from .model_maker import RobotModel

__all__ = ["JointGearbox", "read_gearbox", "MotorSide", "add_gearboxes"]


# ---- gearbox file

# Gear trains that are put behind the joints of a robot: a model, its input and output joints, and its ratio.
#
# A gearbox is a model of its own. Its ground is the housing, which is fixed to the parent link of the robot's joint.
# The joint "input" connects the shaft of the motor to the housing, the joint "output" the output shaft.

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
    rates: Mapping[str, tuple[FloatArray, FloatArray]]


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
) -> tuple[float | None, dict[str, tuple[FloatArray, FloatArray]]]:
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


OUT_OF_PHASE = 1e-9
"""Offset of teeth in the initial pose that is not rounding [m]."""
RATIO_TOLERANCE = 0.01
"""Relative difference between the ratio of a gearbox and that of the transmission in the file."""


@dataclass(frozen=True)
class MotorSide:
    """Joint of the motor of a gearbox, and the ratio of its speed to that of the robot's joint; None if it is not known."""

    joint: str
    ratio: float | None


def add_gearboxes(made: RobotModel) -> dict[str, MotorSide]:
    """Add all gearboxes. Returns the motor side of each joint that has one."""
    for name in made.options.gearboxes:
        if not made.robot.joints[name].moves:
            raise ExchangeError(
                f'gearboxes: joint "{name}" does not move: it is {made.robot.joints[name].kind} or locked'
            )
    placed = [
        _PlacedGearbox(made, made.robot.joints[name], read_gearbox(given, f'gearbox of joint "{name}"'))
        for name, given in made.options.gearboxes.items()
    ]
    for one in placed:
        one.add_parts()
    for one in placed:  # a gear pair depends on the bodies, which must be complete
        one.add_pairs()
    return {one.joint.name: MotorSide(one.joint_name(one.box.input.name), one.box.ratio) for one in placed}


class _PlacedGearbox:
    """One gearbox at its place in the robot."""

    def __init__(self, made: RobotModel, joint: JointData, box: JointGearbox) -> None:
        self.made, self.joint, self.box = made, joint, box
        if joint.kind != box.output.kind:
            raise ExchangeError(
                f'gearbox of joint "{joint.name}": {box.source}: its output joint is {box.output.kind}, but the joint of the robot '
                f"is {joint.kind}. Use a gearbox with a {joint.kind} output"
            )
        _check_ratio(made, joint, box)
        self.prefix = made.joint_names[joint.name]
        self.parent, self.child = made.body_of(joint.parent), made.body_of(joint.child)
        ends = made.model.joints[self.prefix]
        at = _as_placement(made.model.placed(ends.frame_a))
        self.at = at @ _as_placement(box.model.placed(box.output.frame_a)).inverse()
        """Axes of the gearbox in the world."""
        self.names = {name: self._new(name) for name in box.model.joints if name != box.output.name}
        self.names[box.output.name] = self.prefix
        self.bodies = {name: self._new(name) for name in box.model.bodies if name != box.output.body_b}

    def _new(self, name: str) -> str:
        return self.made.names.new(f"{self.prefix}_{name}", "part", silent=True)

    def joint_name(self, name: str) -> str:
        """Name in the robot of a joint of the gearbox."""
        return self.names[name]

    # ---- parts

    def add_parts(self) -> None:
        """Bodies, joints, wheels, springs and elements; not gear pairs."""
        made, box = self.made, self.box.model
        self._carry_output()
        for name in self.bodies:
            self._add_body(box.bodies[name])
        parts: list[Any] = [
            dataclasses.replace(
                joint,
                name=self.names[name],
                frame_a=self._frame(joint.frame_a, self.names[name]),
                frame_b=self._frame(joint.frame_b, self.names[name]),
            )
            for name, joint in box.joints.items()
            if name != self.box.output.name
        ]
        wheels = {name: self.bodies.get(name) or self._new(name) for name in box.wheels}
        self.wheels = wheels
        parts += [
            dataclasses.replace(
                wheel,
                name=wheels[name],
                frame=self._frame(wheel.frame, wheels[name] if wheel.frame.name == name else None),
            )
            for name, wheel in box.wheels.items()
        ]
        parts += self._loads()
        try:
            made.model = made.model.replaced(*parts)
            for element in box.elements.values():
                made.model.add(self._element(element))
            self._spin()
        except ModelError as error:
            raise ExchangeError(f'gearbox of joint "{self.joint.name}": {self.box.source}: {error}') from error
        for name, look in box.looks.items():
            known = self.bodies.get(name) or wheels.get(name)
            if known is not None:
                shape = None if look.for_wheels else look.shape  # the wheels are drawn
                made.model.look(known, shape=shape, colour=look.colour, hidden=look.hidden or None)

    def add_pairs(self) -> None:
        """Gear pairs, in the same relative position as in the gearbox."""
        for name, pair in self.box.model.gear_pairs.items():
            ends: list[Any] = [self.wheels.get(wheel.name) for wheel in (pair.wheel_a, pair.wheel_b)]
            if isinstance(pair.mesh, Rolling) and not pair.mesh.needs_gears:
                ends = [self._frame(wheel.frame) for wheel in (pair.wheel_a, pair.wheel_b)]
            try:
                # teeth that are out of phase in the gearbox stay so
                phase = "as placed" if abs(pair.alignment.tooth_offset) > OUT_OF_PHASE else (pair.phase or None)
                self.made.model.gear_pair(self._new(name), *ends, mesh=pair.mesh, phase=phase)
            except ModelError as error:
                raise ExchangeError(f'gearbox of joint "{self.joint.name}": {self.box.source}: {error}') from error

    def _carry_output(self) -> None:
        """Add the mass of the output shaft to the child link."""
        made = self.made
        shaft = self.box.model.bodies[self.box.output.body_b]
        link = made.model.bodies[self.child]
        in_link = self._local(self.child, self.at @ RobotPlacement(shaft.orientation, shaft.position))
        mass, centre, inertia = add_masses(
            [
                (link.mass, link.centre_of_mass, link.inertia, IDENTITY),
                (shaft.mass, shaft.centre_of_mass, shaft.inertia, in_link),
            ]
        )
        if shaft.mass > 0.0 or shaft.inertia.any():
            made.model = made.model.replaced(
                Body(
                    self.child,
                    mass,
                    inertia.tolist(),
                    centre_of_mass=centre,
                    position=link.position,
                    orientation=link.orientation,
                    velocity=link.velocity,
                    angular_velocity=link.angular_velocity,
                    any_inertia=not (mass > 0.0 and is_real(inertia)),
                )
            )
            made.report.add(
                "used",
                f'gearbox of joint "{self.joint.name}": its output shaft adds {shaft.mass:g} kg to "{self.child}"',
            )

    def _add_body(self, body: Body) -> None:
        made = self.made
        place = self.at @ RobotPlacement(body.orientation, body.position)
        carrier = made.model.bodies.get(self.parent)
        v, w = np.zeros(3), np.zeros(3)
        if carrier is not None:
            w = carrier.angular_velocity
            v = carrier.velocity + np.cross(w, place.position - carrier.position)
        speed = made.speeds[self.joint.name]
        linear, angular = self.box.rates[body.name]
        inertia, mass = body.inertia, body.mass
        if carrier is not None and self._spin_joint(body) is not None:
            inertia = np.zeros((3, 3))
        made.model.body(
            self.bodies[body.name],
            mass=mass,
            inertia=inertia.tolist(),
            centre_of_mass=body.centre_of_mass,
            position=place.position,
            orientation=place.rotation,
            velocity=v + speed * (self.at.rotation @ linear),
            angular_velocity=w + speed * (self.at.rotation @ angular),
            any_inertia=body.any_inertia or (mass == 0.0),
        )

    def _spin_joint(self, body: Body) -> str | None:
        """Joint to the housing of a rotor that has only an inertia about its axis, if the body is one."""
        if (
            not body.any_inertia
            or body.mass != 0.0
            or not body.inertia[2, 2] > 0.0
            or np.count_nonzero(body.inertia) != 1
        ):
            return None
        for name, joint in self.box.model.joints.items():
            if joint.kind == "revolute" and joint.body_b == body.name and joint.body_a == self.box.model.ground.name:
                along = joint.frame_b.rotation[:, 2]
                return name if abs(along[2]) > 1.0 - 1e-12 else None
        return None

    def _spin(self) -> None:
        """Inertia of rotors on moving links, with the gyroscopic moment on the link."""
        if self.parent not in self.made.model.bodies:
            return
        for name in self.bodies:
            body = self.box.model.bodies[name]
            joint = self._spin_joint(body)
            if joint is not None:
                self.made.model.add(
                    element_of_package("spin_inertia")(
                        self._new(f"{name}_inertia"), on=self.names[joint], inertia=float(body.inertia[2, 2])
                    )
                )

    def _loads(self) -> list[Any]:
        """Springs and stops of the gearbox. Loads and drives, with which the gearbox was tested, are left out."""
        made, found = self.made, []
        for drive in self.box.model.drives.values():
            made.report.add(
                "ignored",
                f'gearbox of joint "{self.joint.name}": drive "{drive.name}" of {self.box.source} is left out',
            )
        for part in self.box.model.loads.values():
            kind = type(part).__name__
            if kind in ("Force", "Torque", "JointLoad"):
                made.report.add(
                    "ignored",
                    f'gearbox of joint "{self.joint.name}": load "{part.name}" of {self.box.source} is left out',
                )
                continue
            changed: dict[str, Any] = {"name": self._new(part.name)}
            for key, value in vars(part).items():
                if isinstance(value, Frame):
                    changed[key] = self._frame(value, changed["name"] if value.name == part.name else None)
                elif key == "joint_name":
                    changed[key] = self.names[value]
            found.append(dataclasses.replace(part, **changed))
        return found

    def _element(self, element: DeclaredElement) -> DeclaredElement:
        changed: dict[str, Any] = {name: self._frame(element.values[name]) for name in element.fields_of(FrameField)}
        changed |= {name: self.names[element.values[name]] for name in element.fields_of(JointField)}
        moved = element.replaced(**changed)
        object.__setattr__(moved, "name", self._new(element.name))
        return moved

    # ---- frames

    def _frame(self, frame: Frame, label: str | None = None) -> Frame:
        """Frame of the gearbox on the bodies of the robot. label: its new name; default: the old one."""
        model, name = self.made.model, frame.body_name
        label = frame.name if label is None else label
        if name in self.bodies:
            owner = model.bodies[self.bodies[name]]
            return Frame(owner.name, frame.position, frame.rotation, label, owner=owner)
        inside = RobotPlacement(frame.rotation, frame.position)
        if name == self.box.model.ground.name:
            carrier = self.parent
        else:
            shaft = self.box.model.bodies[name]
            carrier, inside = self.child, RobotPlacement(shaft.orientation, shaft.position) @ inside
        place = self._local(carrier, self.at @ inside)
        owner = model.bodies.get(carrier, model.ground)
        return Frame(owner.name, place.position, place.rotation, label, owner=owner)

    def _local(self, body: str, place: RobotPlacement) -> RobotPlacement:
        """A frame in the world in the axes of a body of the robot."""
        owner = self.made.model.bodies.get(body)
        if owner is None:
            return place
        return RobotPlacement(owner.orientation, owner.position).inverse() @ place


def _as_placement(placed: tuple[FloatArray, FloatArray]) -> RobotPlacement:
    return RobotPlacement(placed[1], placed[0])


def _check_ratio(made: RobotModel, joint: JointData, box: JointGearbox) -> None:
    """Compare the ratio with that of the transmission in the file. Many files contain 1, because nobody entered it."""
    stated = joint.reduction
    if box.ratio is None:
        made.report.add(
            "assumed",
            f'gearbox of joint "{joint.name}": its ratio does not follow from gears and ratios only, and is not checked',
        )
        return
    made.report.add("used", f'gearbox of joint "{joint.name}": {box.source}, ratio {box.ratio:.6g}')
    if stated is None or abs(stated) == 1.0:
        return
    if abs(abs(box.ratio) - abs(stated)) > RATIO_TOLERANCE * abs(stated):
        text = (
            f'gearbox of joint "{joint.name}": {box.source} has the ratio {box.ratio:.6g}, but the transmission in '
            f"{made.robot.file} has {stated:g}"
        )
        if made.options.check_ratios:
            raise ExchangeError(f"{text}. Correct one of them, or specify check_ratios=False")
        made.report.add("assumed", text)
