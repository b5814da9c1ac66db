"""Model methods that add bodies and joints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.registry import Direction, OnBody, Orientation, Quantity, Registry, Vector, read_look
from pitchline.errors import ModelError, Subject
from pitchline.model.structure_methods import LookMethods
from pitchline.solids.mass_properties import MassProperties, read_solid
from pitchline.solids.rotations import crossed, direction, z_to
from pitchline.units.quantity import quantity, vector

from .part import Body, Joint, joint_coordinates, joint_misfit
from .plane_checks import body_problem, joint_problem

__all__ = ["BodyMethods", "MOST_ANGLE", "JointMethods", "angle_problem", "large_angle"]


# ---- body methods

# Model methods that add rigid bodies.


@names_wrong_arguments
class BodyMethods(LookMethods):
    """Rigid bodies."""

    def _moments(self, inertia: Any, what: Subject) -> Any:
        """Inertia as specified. In a planar model one number is used for all three moments; only one of them has an effect."""
        if not isinstance(inertia, (int, float, str, np.integer, np.floating)) or isinstance(inertia, bool):
            return inertia
        moment = quantity(inertia, "inertia", what=what / "inertia")
        if self.plane is None:
            raise ModelError(
                f"{what}: inertia: one number, {moment:g} kg*m^2, is sufficient only in a planar model, Model(..., plane='xy'); "
                "specify the moments (Ixx, Iyy, Izz) or a 3x3 matrix about the centre of mass in body axes",
                about=what.at("inertia"),
            )
        return (moment,) * 3

    def body(
        self,
        name: str,
        *,
        mass: Quantity | None = None,
        inertia: Any = None,
        centre_of_mass: Vector = (0.0, 0.0, 0.0),
        solid: MassProperties | None = None,
        position: Vector = (0.0, 0.0, 0.0),
        orientation: Orientation = None,
        velocity: Vector = (0.0, 0.0, 0.0),
        angular_velocity: Vector = (0.0, 0.0, 0.0),
        any_inertia: bool = False,
        shape: Any = None,
        colour: str | None = None,
        hidden: bool = False,
    ) -> Body:
        """Add a rigid body, with mass and inertia or with a solid such as ``cylinder(...)``.

        Parameters
        ----------
        name
            Name of the body, unique in the model.
        mass
            Mass [kg].
        inertia
            Moments of inertia (Ixx, Iyy, Izz) or a 3x3 matrix about the centre of mass, in body axes [kg*m^2]. In a planar
            model also one number: the moment about the normal of the plane, the only one that has an effect there.
        centre_of_mass
            Centre of mass from the body origin, in body axes [m]. Default: the origin. A solid is moved to this point.
        solid
            Solid with a mass, such as ``cylinder(...)``, in place of mass and inertia.
        position
            Initial position of the body origin in the world [m]. Default: the world origin.
        orientation
            Initial orientation: quaternion (w, x, y, z), 3x3 matrix, Rotation, or {"axis": ..., "angle": ...}. Default: world
            axes.
        velocity
            Initial velocity of the body origin, world axes [m/s]. Default 0.
        angular_velocity
            Initial angular velocity, world axes [rad/s]. Default 0.
        any_inertia
            If True, an inertia that no rigid body can have is accepted: a moment that is larger than the sum of the other two, or
            an inertia without mass. No principal moment may be negative. Default False. See `rotor`.
        shape
            Shape for pictures, such as ``cylinder(...)`` or ``stl(...)`` without a mass, or a list of shapes, in body axes.
            Default: the shape of the solid. See `look`.
        colour
            Colour for pictures: "#RRGGBB" or a name.
        hidden
            If True, viewers do not show the body. Default False.
        """
        what = part_subject("body", self._new_name(name, "body"))
        if solid is not None:
            read_solid(solid, what)
            if mass is not None or inertia is not None:
                raise ModelError(f"{what}: specify solid, or mass and inertia, not both", about=what.at("solid"))
            shift = vector(centre_of_mass, "length", what=what / "centre_of_mass")
            solid = solid.moved(shift)
            mass, inertia, centre_of_mass = solid.mass, solid.inertia, solid.centre_of_mass
        elif mass is None or inertia is None:
            missing = " and ".join(key for key, value in (("mass", mass), ("inertia", inertia)) if value is None)
            raise ModelError(
                f"{what}: {missing} missing; specify mass and inertia, or a solid such as solid=cylinder(...)",
                about=what,
            )
        body = Body(
            name,
            mass,
            self._moments(inertia, what),
            centre_of_mass=centre_of_mass,
            position=position,
            orientation=orientation,
            velocity=velocity,
            angular_velocity=angular_velocity,
            any_inertia=any_inertia,
        )
        look = read_look(
            what, shape=shape, colour=colour, hidden=hidden, of_solid=None if solid is None else solid.shape
        )
        problem = body_problem(self, body)
        if problem:
            raise problem
        self._bodies[name] = body
        self._keep_look(name, look)
        return body


MOST_ANGLE = 0.2
"""If the angle between joint frames in the initial pose is larger than this [rad], it is an error."""


@names_wrong_arguments
class JointMethods(Registry):
    """Joints between two bodies a and b.

    a and b are bodies, frames on bodies (`Body.frame`), names of bodies, or the ground. `at` and `axis` are in world coordinates in
    the initial pose. The frames on both sides coincide there. Default: origin and z axis of b; of a if b is the ground. Two given
    frames are used as they are. If one frame is given, the frame on the other side is made to coincide with it.
    """

    def revolute(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Add a revolute joint (hinge). Coordinate: angle.

        Parameters
        ----------
        name
            Name of the joint.
        a, b
            Bodies, frames, names of bodies, or the ground.
        at
            World point on the joint axis, in the initial pose [m]. Default: origin of b; of a if b is the ground.
        axis
            Direction of the joint axis, world axes, in the initial pose. Default: z of b; of a if b is the ground.
        """
        return self._make_joint(name, "revolute", a, b, at, axis)

    def prismatic(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Add a prismatic joint (slider). Coordinate: displacement.

        Parameters
        ----------
        name, a, b, at
            As in `revolute`.
        axis
            Direction of sliding, world axes. Default as in `revolute`.
        """
        return self._make_joint(name, "prismatic", a, b, at, axis)

    def cylindrical(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Add a cylindrical joint: rotation about and translation along an axis. Coordinates: angle and displacement.

        Parameters
        ----------
        name, a, b, at, axis
            As in `revolute`.
        """
        return self._make_joint(name, "cylindrical", a, b, at, axis)

    def spherical(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Add a spherical joint (ball joint).

        Parameters
        ----------
        name, a, b
            As in `revolute`.
        at
            Centre of the joint in the world [m]. Default as in `revolute`.
        axis
            Direction of z of the joint frames, in which reactions are given. It has no other effect.
        """
        return self._make_joint(name, "spherical", a, b, at, axis)

    def universal(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        at: Vector | None = None,
        axis: Direction | None = None,
        axis_b: Direction | None = None,
    ) -> Joint:
        """Add a universal joint: a cross with two perpendicular pins, one on a and one on b.

        Parameters
        ----------
        name, a, b
            As in `revolute`.
        at
            Centre of the cross in the world [m]. Default as in `revolute`.
        axis, axis_b
            Directions of the pins on a and on b, world axes; perpendicular. Specify both or none. Default: z and x of b; of a
            if b is the ground.
        """
        what = self._what(name, "universal")
        if (axis is None) != (axis_b is None):
            raise ModelError(
                f"{what}: specify both axis (on a) and axis_b (on b), or neither",
                about=what.at("axis" if axis_b is None else "axis_b"),
            )
        axes = None
        if axis is not None:
            z = direction(axis, what=what / "axis")
            x = direction(axis_b, what=what / "axis_b")
            if abs(float(x @ z)) > 1e-6:
                off = math.degrees(math.acos(float(np.clip(x @ z, -1.0, 1.0))))
                raise ModelError(
                    f"{what}: axis and axis_b must be perpendicular, but the angle between them is {off:.6g} deg",
                    about=what.at("axis_b"),
                )
            x = x - (x @ z) * z
            x = x / np.linalg.norm(x)
            axes = np.column_stack([x, crossed(z, x), z])
        return self._add_joint(Joint(name, "universal", *self._meeting_frames(a, b, at, axes, what, name)))

    def planar(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Add a planar joint: b slides and rotates in a plane.

        Parameters
        ----------
        name, a, b
            As in `revolute`.
        at
            World point in the plane [m]. Default as in `revolute`.
        axis
            Normal of the plane, world axes. Default as in `revolute`.
        """
        return self._make_joint(name, "planar", a, b, at, axis)

    def fixed(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Fix b on a.

        Parameters
        ----------
        name, a, b
            As in `revolute`.
        at
            World point for which the reaction is given [m]. Default as in `revolute`.
        axis
            Direction of z of the joint frames, in which the reaction is given. Default as in `revolute`.
        """
        return self._make_joint(name, "fixed", a, b, at, axis)

    def screw(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        lead: Quantity,
        at: Vector | None = None,
        axis: Direction | None = None,
    ) -> Joint:
        """Add a screw joint: b advances along the axis by `lead` in one revolution.

        Parameters
        ----------
        name, a, b, at, axis
            As in `revolute`.
        lead
            Advance per revolution [m]. Negative: left-hand thread.
        """
        what = self._what(name, "screw")
        metres = quantity(lead, "length", what=what / "lead")
        return self._make_joint(name, "screw", a, b, at, axis, pitch=metres / (2 * math.pi))

    def distance(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        at_a: Vector | None = None,
        at_b: Vector | None = None,
        length: Quantity | None = None,
    ) -> Joint:
        """Keep the distance of two points constant, like a massless rod.

        Parameters
        ----------
        name
            Name of the joint.
        a, b
            Bodies, frames, names of bodies, or the ground.
        at_a, at_b
            World points on a and b, in the initial pose [m]. Default: the origins of the bodies.
        length
            Distance [m]. Default: the distance in the initial pose.
        """
        what = self._what(name, "distance")
        end_a = self._end(a, at_a, what.called(f"{what}: at_a"), name, on="a", point="at_a")
        end_b = self._end(b, at_b, what.called(f"{what}: at_b"), name, on="b", point="at_b")
        initial = float(np.linalg.norm(self.placed(end_b)[0] - self.placed(end_a)[0]))
        metres = initial if length is None else quantity(length, "length", what=what / "length")
        return self._add_joint(Joint(name, "distance", end_a, end_b, length=metres))

    def point_on_line(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Keep a point of b on a line of a.

        Parameters
        ----------
        name, a, b
            As in `revolute`.
        at
            World point on the line, and the point of b [m]. Default as in `revolute`.
        axis
            Direction of the line, world axes. Default as in `revolute`.
        """
        return self._make_joint(name, "point_on_line", a, b, at, axis)

    def point_on_plane(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Keep a point of b in a plane of a.

        Parameters
        ----------
        name, a, b
            As in `revolute`.
        at
            World point in the plane, and the point of b [m]. Default as in `revolute`.
        axis
            Normal of the plane, world axes. Default as in `revolute`.
        """
        return self._make_joint(name, "point_on_plane", a, b, at, axis)

    def plane_on_plane(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Keep a plane face of b on a plane face of a.

        Parameters
        ----------
        name, a, b
            As in `revolute`.
        at
            World point in both faces [m]. Default as in `revolute`.
        axis
            Normal of both faces, world axes. Default as in `revolute`.
        """
        return self._make_joint(name, "plane_on_plane", a, b, at, axis)

    def parallel_axes(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Keep a direction of b parallel to a direction of a. All other motions are free.

        Parameters
        ----------
        name, a, b, at
            As in `revolute`.
        axis
            Direction, world axes. Default as in `revolute`.
        """
        return self._make_joint(name, "parallel_axes", a, b, at, axis)

    def joint_coordinates(self, joint: Joint | str) -> tuple[float, float]:
        """Return (angle [rad] in -pi..pi, displacement [m]) of a joint in the initial pose.

        Parameters
        ----------
        joint
            Joint, or its name.
        """
        found = self._joint(joint, "joint_coordinates")
        return joint_coordinates(self.placed(found.frame_a), self.placed(found.frame_b))

    def _what(self, name: object, kind: str) -> Subject:
        return part_subject("joint", self._new_name(name, "joint"), f" ({kind})")

    def _make_joint(
        self, name: str, kind: str, a: OnBody, b: OnBody, at: object, axis: object, pitch: float | None = None
    ) -> Joint:
        what = self._what(name, kind)
        axes: FloatArray | None = None if axis is None else self._axes(direction(axis, what=what / "axis"))
        frames: tuple[Frame, Frame] = self._meeting_frames(a, b, at, axes, what, name)
        return self._add_joint(Joint(name, kind, *frames, pitch=pitch))

    def _axes(self, z: FloatArray) -> FloatArray:
        """Axes of a joint frame with z as given. In a planar model x or z is the normal of the plane."""
        return self.plane.frame_along(z) if self.plane is not None and self.plane.contains(z) else z_to(z)

    def _add_joint(self, joint: Joint) -> Joint:
        problem = joint_problem(self, joint) or angle_problem(self, joint)
        if problem:
            raise problem
        self._joints[joint.name] = joint
        return joint


def angle_problem(model: Registry, joint: Joint) -> ModelError | None:
    """Error in the initial directions of the frames of a joint; None if there is none."""
    return large_angle(joint, joint_misfit(joint, model.placed(joint.frame_a), model.placed(joint.frame_b))[1])


def large_angle(joint: Joint, angle: float) -> ModelError | None:
    """Error if the directions of the frames of a joint differ by this angle in the initial pose; None if it is small."""
    if angle <= MOST_ANGLE:
        return None
    what = part_subject("joint", joint.name, f" ({joint.kind})")
    return ModelError(
        f'{what}: the directions of its frames on "{joint.body_a}" and "{joint.body_b}" differ by '
        f"{math.degrees(angle):.4g} deg in the initial pose; rotate a frame or a body, or give bodies "
        "with at= and axis=, so that the joint places both frames",
        about=what,
    )
