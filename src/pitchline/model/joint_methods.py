"""The methods of a model that make joints."""

from __future__ import annotations

import math

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..solids.rotations import Array, direction, z_to
from ..solids.vectors import crossed
from ..units import quantity
from .frames import Frame
from .joints import Joint, joint_coordinates, joint_misfit
from .names import part_subject
from .plane_checks import joint_problem
from .registry import Registry
from .types import Direction, OnBody, Quantity, Vector

__all__ = ["MOST_ANGLE", "JointMethods", "angle_problem"]

MOST_ANGLE = 0.2
"""Joint frames that miss each other by more than this angle [rad] in the initial pose are an error."""


@names_wrong_arguments
class JointMethods(Registry):
    """Joints between two bodies a and b.

    a, b: a body, a frame on a body (`Body.frame`), a body's name, or the ground. `at` and `axis` are in world
    coordinates in the initial pose, and both sides are made to coincide there. Without them the joint sits at
    the origin and along the z axis of b (of a where b is the ground). Two frames are used as they are; of one
    frame the other side is made to coincide with it.
    """

    def revolute(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """A hinge about `axis` through `at`; coordinate: angle."""
        return self._make_joint(name, "revolute", a, b, at, axis)

    def prismatic(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """A slider along `axis`; coordinate: displacement."""
        return self._make_joint(name, "prismatic", a, b, at, axis)

    def cylindrical(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Turns about and slides along `axis`; coordinates: angle and displacement."""
        return self._make_joint(name, "cylindrical", a, b, at, axis)

    def spherical(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """A ball joint at `at`; `axis` only turns the joint frames, in which reactions are given."""
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
        """A cross at `at` with one pin along `axis` on a and one along `axis_b` on b, perpendicular.

        Without axes: z and x of b (of a where b is the ground).
        """
        what = self._what(name, "universal")
        if (axis is None) != (axis_b is None):
            raise ModelError(
                f"{what}: give both axis (on a) and axis_b (on b), or neither",
                about=what.at("axis" if axis_b is None else "axis_b"),
            )
        axes = None
        if axis is not None:
            z = direction(axis, what=what / "axis")
            x = direction(axis_b, what=what / "axis_b")
            if abs(float(x @ z)) > 1e-6:
                off = math.degrees(math.acos(float(np.clip(x @ z, -1.0, 1.0))))
                raise ModelError(
                    f"{what}: axis and axis_b must be perpendicular, but they enclose {off:.6g} deg",
                    about=what.at("axis_b"),
                )
            x = x - (x @ z) * z
            x = x / np.linalg.norm(x)
            axes = np.column_stack([x, crossed(z, x), z])
        return self._add_joint(Joint(name, "universal", *self._meeting_frames(a, b, at, axes, what, name)))

    def planar(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """b slides and turns in the plane through `at` with the normal `axis`."""
        return self._make_joint(name, "planar", a, b, at, axis)

    def fixed(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """Holds b on a; the reaction is given at `at`, in joint frames with z along `axis`."""
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
        """A thread along `axis`: b advances by `lead` [m] in one turn; negative: left-hand thread."""
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
        """Holds the distance of two points (world; by default the bodies' origins); a massless rod.

        `length` [m] is by default the distance in the initial pose.
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
        """A point of b stays on a line of a, through `at` along `axis`."""
        return self._make_joint(name, "point_on_line", a, b, at, axis)

    def point_on_plane(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """A point of b stays in a plane of a, through `at` with the normal `axis`."""
        return self._make_joint(name, "point_on_plane", a, b, at, axis)

    def plane_on_plane(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """A face of b stays on a face of a, both through `at` with the normal `axis`."""
        return self._make_joint(name, "plane_on_plane", a, b, at, axis)

    def parallel_axes(
        self, name: str, a: OnBody, b: OnBody, *, at: Vector | None = None, axis: Direction | None = None
    ) -> Joint:
        """A direction of b stays parallel to one of a, along `axis`; the bodies are free otherwise."""
        return self._make_joint(name, "parallel_axes", a, b, at, axis)

    def joint_coordinates(self, joint: Joint | str) -> tuple[float, float]:
        """(angle [rad] in -pi..pi, displacement [m]) of a joint in the initial pose."""
        found = self._joint(joint, "joint_coordinates")
        return joint_coordinates(self.placed(found.frame_a), self.placed(found.frame_b))

    def _what(self, name: object, kind: str) -> Subject:
        return part_subject("joint", self._new_name(name, "joint"), f" ({kind})")

    def _make_joint(
        self, name: str, kind: str, a: OnBody, b: OnBody, at: object, axis: object, pitch: float | None = None
    ) -> Joint:
        what = self._what(name, kind)
        axes: Array | None = None if axis is None else self._axes(direction(axis, what=what / "axis"))
        frames: tuple[Frame, Frame] = self._meeting_frames(a, b, at, axes, what, name)
        return self._add_joint(Joint(name, kind, *frames, pitch=pitch))

    def _axes(self, z: Array) -> Array:
        """Axes of a joint frame along z; in a planar model x or z is the normal, so that rows lie in the plane or across it."""
        return self.plane.frame_along(z) if self.plane is not None and self.plane.contains(z) else z_to(z)

    def _add_joint(self, joint: Joint) -> Joint:
        problem = joint_problem(self, joint) or angle_problem(self, joint)
        if problem:
            raise problem
        self._joints[joint.name] = joint
        return joint


def angle_problem(model: Registry, joint: Joint) -> ModelError | None:
    """What is wrong with the initial directions of a joint's frames; None where nothing is."""
    _, angle = joint_misfit(joint, model.placed(joint.frame_a), model.placed(joint.frame_b))
    if angle <= MOST_ANGLE:
        return None
    what = part_subject("joint", joint.name, f" ({joint.kind})")
    return ModelError(
        f'{what}: its frames on "{joint.body_a}" and "{joint.body_b}" miss each '
        f"other by {math.degrees(angle):.4g} deg in the initial pose; turn a frame or a body, or give bodies "
        "with at= and axis= so that both sides are made to fit",
        about=what,
    )
