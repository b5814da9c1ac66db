"""Choice of the joint coordinates that describe the motion of a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import ModelError, near_names, shown
from ..model import Joint, Model
from ..model.frames import Frame
from ..model.joints import ANGLE
from ..system.node_motion import NodeMotion
from ..system.system import System

__all__ = ["JointCoordinate", "choose", "read_coordinates"]

INDEPENDENT = 1e-7
"""Smallest component of a row that is independent of other rows, relative to the row."""
AXES = "xyz"
_VELOCITIES = ("velocity", "angular_velocity")


@dataclass(frozen=True)
class JointCoordinate:
    """A coordinate: angle or displacement of a joint, or a component of the velocity of a body (world axes)."""

    name: str
    joint: Joint | None
    coordinate: str
    body: str = ""
    component: int = 0

    @property
    def is_velocity(self) -> bool:
        """Whether it is a velocity of a body, which has no position."""
        return self.joint is None

    @property
    def unit(self) -> str:
        """Unit of the coordinate: rad or m."""
        return "rad" if self.coordinate == ANGLE else "m"

    @property
    def effort_unit(self) -> str:
        """Unit of its torque or force."""
        return "N*m" if self.coordinate == ANGLE else "N"

    @property
    def effort(self) -> str:
        """ "torque" or "force"."""
        return "torque" if self.coordinate == ANGLE else "force"

    def value(self, motion: NodeMotion) -> float:
        """Angle in (-pi, pi] or displacement."""
        assert self.joint is not None
        return motion.coordinate(self.joint, self.coordinate)

    def row(self, motion: NodeMotion) -> np.ndarray:
        """Derivative of its rate by the velocities of the system."""
        if self.joint is not None:
            return motion.coordinate_row(self.joint, self.coordinate)
        return np.asarray(motion.jacobian(self._origin(motion))[self.component])

    def rate(self, motion: NodeMotion) -> float:
        """Its rate."""
        if self.joint is not None:
            return motion.coordinate_rate(self.joint, self.coordinate)
        return float(motion.velocity(self._origin(motion))[self.component])

    def _origin(self, motion: NodeMotion):  # type: ignore[no-untyped-def]
        return motion.placed(Frame(self.body, (0.0, 0.0, 0.0)))


def coordinate_of(joint: Joint, coordinate: str | None = None) -> JointCoordinate:
    """Coordinate of a joint; the angle if none is specified. Its name is that of the joint where this is unique."""
    chosen = joint.coordinates[0] if coordinate is None else coordinate
    short = len(joint.coordinates) == 1 or joint.kind == "screw"
    return JointCoordinate(
        joint.name if short and chosen == joint.coordinates[0] else f"{joint.name}.{chosen}", joint, chosen
    )


def read_coordinates(model: Model, given: object) -> list[JointCoordinate]:
    """Coordinates by name: "joint", "joint.angle", "joint.displacement", "body.velocity.x", "body.angular_velocity.x"."""
    names = [given] if isinstance(given, (str, Joint)) else given
    if not isinstance(names, Iterable):
        raise ModelError(f"coordinates must be names of joints, got {shown(given)}")
    found = [_read(model, name) for name in names]
    if not found:
        raise ModelError("coordinates: specify one or more joints, or leave it out for all independent coordinates")
    seen: set[str] = set()
    for c in found:
        if c.name in seen:
            raise ModelError(f'coordinates: "{c.name}" is given twice')
        seen.add(c.name)
    return found


def _read(model: Model, name: object) -> JointCoordinate:
    if isinstance(name, Joint):
        name = name.name
    if not isinstance(name, str):
        raise ModelError(f"coordinates must be names of joints, got {shown(name)}")
    owner, _, last = name.rpartition(".")
    if name in model.joints:
        joint = model.joints[name]
        if not joint.coordinates:
            raise ModelError(
                f'coordinates: joint "{name}" ({joint.kind}) has neither an angle nor a displacement. Use velocities of its body, '
                f'such as "{joint.body_b}.angular_velocity.x"'
            )
        if len(joint.coordinates) > 1 and joint.kind != "screw":
            choice = " or ".join(f'"{name}.{c}"' for c in joint.coordinates)
            raise ModelError(f'coordinates: joint "{name}" has several coordinates. Specify {choice}')
        return coordinate_of(joint)
    if owner in model.joints and last in model.joints[owner].coordinates:
        return coordinate_of(model.joints[owner], last)
    body, _, what = owner.rpartition(".")
    if body in model.bodies and what in _VELOCITIES and last in AXES:
        return body_velocity(body, what == "angular_velocity", AXES.index(last))
    known = [j.name for j in model.joints.values() if j.coordinates]
    raise ModelError(
        f'coordinates: there is no joint "{name}"; {near_names(name, known)}. A coordinate is a joint, "JOINT.angle", '
        '"JOINT.displacement", "BODY.velocity.x" or "BODY.angular_velocity.x"'
    )


def body_velocity(body: str, angular: bool, axis: int) -> JointCoordinate:
    """A component of the velocity of a body as a coordinate."""
    what = _VELOCITIES[int(angular)]
    unit = ANGLE if angular else "displacement"
    return JointCoordinate(f"{body}.{what}.{AXES[axis]}", None, unit, body, axis + 3 * angular)


def _candidates(model: Model, first: Iterable[str]) -> Iterable[JointCoordinate]:
    """All coordinates: some joints first, then joints in the order of the model, then velocities of bodies."""
    for joint in (model.joints[name] for name in dict.fromkeys([*first, *model.joints]) if name in model.joints):
        for name in joint.coordinates[: 1 if joint.kind == "screw" else None]:
            yield coordinate_of(joint, name)
    for body in model.bodies:
        for angular in (False, True):
            for axis in range(3):
                yield body_velocity(body, angular, axis)


class _Independent:
    """Rows that are independent of each other, one after the other."""

    def __init__(self, free: int) -> None:
        self.basis = np.zeros((0, free))

    def take(self, row: np.ndarray, size: float) -> bool:
        """Add a row unless it depends on those before. size: magnitude of the row before the constraints were applied."""
        norm = float(np.linalg.norm(row))
        if norm <= INDEPENDENT * size:
            return False
        rest = row / norm
        for _ in range(2):
            rest = rest - self.basis.T @ (self.basis @ rest)
        left = float(np.linalg.norm(rest))
        if left <= INDEPENDENT:
            return False
        self.basis = np.vstack([self.basis, rest / left])
        return True


def choose(
    system: System, motion: NodeMotion, free: np.ndarray, given: list[JointCoordinate] | None, first: Iterable[str]
) -> list[JointCoordinate]:
    """Check the given coordinates, or choose them. free: (coordinates of the nodes, k), basis of all possible motions;
    first: joints that are preferred."""
    model = system.model
    n, k = free.shape
    weights = 1.0 / system.sizes[:n]
    found = _Independent(k)

    def take(c: JointCoordinate) -> bool:
        row = c.row(motion)[:n]
        return found.take(row @ free, float(np.linalg.norm(row / weights)) / max(system.length, 1.0) * 1e-3)

    if given is None:
        chosen: list[JointCoordinate] = []
        for c in _candidates(model, first):
            if len(chosen) == k:
                break
            if take(c):
                chosen.append(c)
        if len(chosen) < k:
            raise ModelError(
                f'model "{model.name}": {k - len(chosen)} of {k} motions are not those of joints or bodies'
            )
        return chosen
    for i, c in enumerate(given):
        if not take(c):
            others = ", ".join(f'"{g.name}"' for g in given[:i])
            depends = (
                f"follows from {others} through the joints and gears of the model" if others else "cannot change here"
            )
            raise ModelError(
                f'coordinates: "{c.name}" {depends}. Leave it out'
                + ("" if others else ", or start from another position if this one is a dead centre of the mechanism")
            )
    if len(given) < k:
        missing: list[str] = []
        for c in _candidates(model, first):
            if len(given) + len(missing) == k:
                break
            if take(c):
                missing.append(c.name)
        names = ", ".join(f'"{name}"' for name in missing)
        raise ModelError(
            f"coordinates: the model has {k} degrees of freedom, but {len(given)} "
            f"coordinate{' is' if len(given) == 1 else 's are'} given. Add {names}"
            f"{_elastic(model)}"
        )
    return given


def _elastic(model: Model) -> str:
    """Hint for gear pairs whose elastic teeth leave both wheels free."""
    soft = [name for name, pair in model.gear_pairs.items() if not pair.known_law.rigid]
    if not soft:
        return ""
    return f'. Teeth of gear pair "{soft[0]}" are elastic: with mesh=Rolling() its wheels have one common coordinate'
