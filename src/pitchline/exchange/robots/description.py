"""A robot as the files of both formats describe it: links, joints, relations, actuators. The model is made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...solids.rotations import Array
from ...solids.shape import Shape
from ..imported import ImportReport
from ..limits import ExchangeError
from .placement import IDENTITY, RobotPlacement

__all__ = ["WORLD", "ActuatorData", "JointData", "LinkData", "LoopData", "RelationData", "Robot", "SumData"]

WORLD = "\0world"
"""Name of the world as a parent; no file can contain it."""


@dataclass
class LinkData:
    """Link: mass, centre of mass (3,) and inertia (3, 3) about it in link axes, shapes in link axes, named frames on it."""

    name: str
    line: int
    mass: float = 0.0
    centre: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
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
    anchor: Array = field(default_factory=lambda: np.zeros(3))
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
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
