"""A robot as the files of both formats describe it, rotations of these formats, and parts on its joints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame
from pitchline.errors import ModelError, near_names, shown
from pitchline.facades import element_of_package
from pitchline.solids.mass_properties import Shape

from ..mass_table import ImportReport
from ..safe_xml import ExchangeError

if TYPE_CHECKING:
    from .gearboxes import MotorSide
    from .model_maker import RobotModel

__all__ = [
    "IDENTITY",
    "RobotPlacement",
    "about",
    "from_euler",
    "from_quaternion",
    "from_rpy",
    "WORLD",
    "ActuatorData",
    "JointData",
    "LinkData",
    "LoopData",
    "RelationData",
    "Robot",
    "SumData",
    "add_joint_parts",
    "add_masses",
    "inertia_about",
    "is_real",
    "moments_text",
    "negative_moment",
    "without_rounding",
    "MASSLESS",
    "RobotOptions",
]


# ---- placement

# RobotPlacement of a frame in another one, and the notations of rotations in robot files.


@dataclass(frozen=True, eq=False)
class RobotPlacement:
    """Frame in another frame: rotation (3, 3), whose columns are its axes, and the position of its origin (3,) [m]."""

    rotation: FloatArray
    position: FloatArray

    def __matmul__(self, other: RobotPlacement) -> RobotPlacement:
        """The frame that is placed by `other` in this frame."""
        return RobotPlacement(self.rotation @ other.rotation, self.position + self.rotation @ other.position)

    def inverse(self) -> RobotPlacement:
        """The other frame in this one."""
        return RobotPlacement(self.rotation.T, -self.rotation.T @ self.position)

    def point(self, point: FloatArray) -> FloatArray:
        """A point of this frame in the other one."""
        return self.position + self.rotation @ point


IDENTITY = RobotPlacement(np.eye(3), np.zeros(3))


def about(axis: FloatArray, angle: float) -> FloatArray:
    """Rotation about an axis of length 1 by an angle [rad]."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)


def from_rpy(angles: FloatArray) -> FloatArray:
    """Roll, pitch and yaw about the fixed axes x, y and z [rad]: Rz Ry Rx."""
    return from_euler(angles, "XYZ")


def from_euler(angles: FloatArray, sequence: str) -> FloatArray:
    """Three rotations in sequence [rad]: about axes that rotate with the frame (small letters), or about fixed axes (capitals)."""
    R = np.eye(3)
    for angle, letter in zip(angles, sequence, strict=True):
        one = about(np.eye(3)["xyz".index(letter.lower())], float(angle))
        R = R @ one if letter.islower() else one @ R
    return R


def from_quaternion(q: FloatArray) -> FloatArray:
    """Rotation of a quaternion (w, x, y, z) of any length but zero."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


WORLD = "\0world"
"""Name of the world as a parent; no file can contain it."""


@dataclass
class LinkData:
    """Link: mass, centre of mass (3,) and inertia (3, 3) about it in link axes, shapes in link axes, named frames on it."""

    name: str
    line: int
    mass: float = 0.0
    centre: FloatArray = field(default_factory=lambda: np.zeros(3))
    inertia: FloatArray = field(default_factory=lambda: np.zeros((3, 3)))
    shapes: list[Shape] = field(default_factory=list)
    frames: dict[str, RobotPlacement] = field(default_factory=dict)
    inertia_line: int = 0


@dataclass
class JointData:
    """Joint between two links.

    kind:       revolute, prismatic, fixed, spherical, planar or free
    placement:  frame of the child in the frame of the parent, where the coordinate has the value `reference`
    anchor:     point of the joint, and `axis` its direction, both in the frame of the child
    lower, upper, effort, speed: limits; inf without a limit
    stiffness, spring_reference, damping, friction, armature: of the coordinate, SI units
    """

    name: str
    kind: str
    parent: str
    child: str
    line: int
    placement: RobotPlacement = IDENTITY
    anchor: FloatArray = field(default_factory=lambda: np.zeros(3))
    axis: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    reference: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    effort: float = math.inf
    speed: float = math.inf
    stiffness: float = 0.0
    spring_reference: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    reduction: float | None = None
    """Ratio of a transmission in the file."""

    @property
    def moves(self) -> bool:
        """Whether it has a coordinate."""
        return self.kind in ("revolute", "prismatic")


@dataclass
class RelationData:
    """Coordinate of a joint as a polynomial of that of another one; without another joint it is constant."""

    name: str
    line: int
    joint: str
    other: str | None
    coefficients: tuple[float, float, float, float, float]
    reference: float = 0.0
    other_reference: float = 0.0

    def value(self, other: float) -> float:
        """Coordinate of the joint."""
        x = other - self.other_reference
        return self.reference + sum(c * x**k for k, c in enumerate(self.coefficients))

    def slope(self, other: float) -> float:
        """Derivative of the coordinate of the joint by that of the other one."""
        x = other - self.other_reference
        return sum(k * c * x ** (k - 1) for k, c in enumerate(self.coefficients) if k)


@dataclass
class SumData:
    """Sum of multiples of joint coordinates (fixed tendon): constant (`value`), or with a spring and a damper."""

    name: str
    line: int
    terms: list[tuple[str, float]]
    value: float | None = None
    stiffness: float = 0.0
    damping: float = 0.0
    rest: tuple[float, float] = (0.0, 0.0)
    """Range of the sum without spring force."""


@dataclass
class LoopData:
    """Connection that closes a loop: "spherical" or "fixed", with its frame on both links."""

    name: str
    line: int
    kind: str
    links: tuple[str, str]
    frames: tuple[RobotPlacement, RobotPlacement]


@dataclass
class ActuatorData:
    """Actuator on one or more joints: force = gain * control + bias[0] + bias[1] * length + bias[2] * speed, where length is the
    sum of the coordinates times their gears, and each joint gets force times gear.

    lag: time constant of a filter of the control [s], 0 without
    """

    name: str
    line: int
    terms: list[tuple[str, float]]
    gain: float
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    control_range: tuple[float, float] = (-math.inf, math.inf)
    force_range: tuple[float, float] = (-math.inf, math.inf)
    lag: float = 0.0


@dataclass
class Robot:
    """Contents of a robot file."""

    name: str
    file: Path
    gravity: tuple[float, float, float]
    links: dict[str, LinkData] = field(default_factory=dict)
    joints: dict[str, JointData] = field(default_factory=dict)
    relations: list[RelationData] = field(default_factory=list)
    sums: list[SumData] = field(default_factory=list)
    loops: list[LoopData] = field(default_factory=list)
    actuators: list[ActuatorData] = field(default_factory=list)
    poses: dict[str, dict[str, float]] = field(default_factory=dict)
    """Named positions of the joints (keyframes)."""
    root_shapes: list[Shape] = field(default_factory=list)
    report: ImportReport = field(default_factory=ImportReport)

    def error(self, line: int, text: str) -> ExchangeError:
        """Error with file and line."""
        return ExchangeError(f"{self.file}, line {line}: {text}")


# ---- joint parts

# Parts that act on the joints of a robot: springs, dampers, friction, inertias of motors and stops.


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


# ---- masses

# Mass properties of links: checks, rotation into link axes, and the sum of links that are fixed to each other.

LEAST = 1e-15
"""Inertia below which the sign of a principal moment is not checked [kg*m^2]."""
ROUNDING = 1e-6
"""Negative principal moment, divided by the largest one, that is taken as rounding in a file with few digits."""


def negative_moment(inertia: FloatArray) -> bool:
    """Whether a principal moment is negative beyond rounding."""
    size = float(np.abs(inertia).max())
    return size > LEAST and float(np.linalg.eigvalsh(inertia)[0]) < -ROUNDING * size


def without_rounding(inertia: FloatArray) -> FloatArray:
    """Symmetric inertia. Negative principal moments that are rounding become zero."""
    inertia = 0.5 * (inertia + inertia.T)
    moments, axes = np.linalg.eigh(inertia)
    return np.asarray(axes @ np.diag(np.maximum(moments, 0.0)) @ axes.T) if moments[0] < 0.0 else inertia


def moments_text(inertia: FloatArray) -> str:
    """Principal moments for messages."""
    a, b, c = np.linalg.eigvalsh(inertia)
    return f"{a:.4g}, {b:.4g} and {c:.4g} kg*m^2"


def is_real(inertia: FloatArray) -> bool:
    """Whether a rigid body can have this inertia: no principal moment is larger than the sum of the others."""
    moments = np.linalg.eigvalsh(inertia)
    return bool(moments[0] + moments[1] >= moments[2] * (1.0 - 1e-9))


def add_masses(
    parts: list[tuple[float, FloatArray, FloatArray, RobotPlacement]],
) -> tuple[float, FloatArray, FloatArray]:
    """Mass, centre and inertia about it of several parts (mass, centre, inertia about it, placement) in one frame."""
    total = sum(mass for mass, _, _, _ in parts)
    if total <= 0.0:
        turned = [place.rotation @ inertia @ place.rotation.T for _, _, inertia, place in parts]
        centre = parts[0][3].point(parts[0][1]) if parts else np.zeros(3)
        return 0.0, centre, np.sum(turned, axis=0) if turned else np.zeros((3, 3))
    centres = [place.point(centre) for _, centre, _, place in parts]
    middle = np.asarray(sum(part[0] * c for part, c in zip(parts, centres, strict=True)) / total)
    inertia = np.zeros((3, 3))
    for (mass, _, own, place), c in zip(parts, centres, strict=True):
        inertia += place.rotation @ own @ place.rotation.T + inertia_about(mass, c - middle)
    return total, middle, 0.5 * (inertia + inertia.T)


def inertia_about(mass: float, arm: FloatArray) -> FloatArray:
    """Inertia of a point mass about the origin."""
    return np.asarray(mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm)))


# ---- robot options

# Options of the import of a robot, the same for both formats.

MASSLESS = "massless"
"""In place of the name of a joint: all joints that move no mass."""


@dataclass
class RobotOptions:
    """What the user specifies in addition to the file; see `from_urdf`."""

    floating: bool = False
    positions: Mapping[str, Any] | None = None
    speeds: Mapping[str, Any] | None = None
    locked: Iterable[str] = ()
    stops: bool | Mapping[str, Mapping[str, Any]] = False
    friction: bool = True
    armatures: Mapping[str, Any] = field(default_factory=dict)
    gearboxes: Mapping[str, Any] = field(default_factory=dict)
    check_ratios: bool = True
    frames: bool | Iterable[str] = True
    actuators: bool = True
    controls: Mapping[str, Any] = field(default_factory=dict)

    def check(self, robot: Robot) -> None:
        """ExchangeError if an option names a joint that the file does not have."""
        if isinstance(self.locked, str):
            self.locked = [self.locked]
        self.locked = list(self.locked)
        if self.stops is not True and self.stops is not False and not isinstance(self.stops, Mapping):
            raise ExchangeError(
                'stops: expected True, or a dictionary such as {"elbow": {"stiffness": 1e4}}, got ' + shown(self.stops)
            )
        named = {
            "locked": [name for name in self.locked if name != MASSLESS],
            "stops": list(self.stops) if isinstance(self.stops, Mapping) else [],
            "armatures": list(self.armatures),
            "gearboxes": list(self.gearboxes),
        }
        for option, names in named.items():
            for name in names:
                if name not in robot.joints:
                    raise ExchangeError(
                        f'{robot.file}: {option}: there is no joint "{name}"; {near_names(str(name), list(robot.joints))}'
                    )
        actuators = [one.name for one in robot.actuators]
        for name in self.controls:
            if name not in actuators:
                raise ExchangeError(
                    f'{robot.file}: controls: there is no actuator "{name}"; {near_names(str(name), actuators)}'
                )

    def wants_frame(self, name: str) -> bool:
        """Whether a link or site gets a sensor."""
        return self.frames if isinstance(self.frames, bool) else name in set(self.frames)
