"""Bodies and joints of a model: their data, coordinates and misfits.

Joint: a connection of two bodies.

The z axis of the joint frames is the joint axis (the normal of a plane, the direction of a line). With d = o_B - o_A, axes
x, y, z of the frames and subscripts A and B for their bodies:

==================  ====================================================================  ==================
kind                constraints                                                           coordinates
==================  ====================================================================  ==================
revolute            d = 0, z_B || z_A                                                     angle
prismatic           d || z_A, no relative rotation                                        displacement
cylindrical         d || z_A, z_B || z_A                                                  angle, displacement
screw               cylindrical, and displacement = pitch * angle + constant              angle, displacement
spherical           d = 0                                                                 -
universal           d = 0, x_B . z_A = 0 (z_A is the axis on A, x_B the axis on B)        -
planar              d . z_A = 0, z_B || z_A                                               -
fixed               d = 0, no relative rotation                                           -
distance            |d| = length                                                          -
point_on_line       d || z_A                                                              -
point_on_plane      d . z_A = 0                                                           -
plane_on_plane      d . z_A = 0, z_B || z_A                                               -
parallel_axes       z_B || z_A                                                            -
==================  ====================================================================  ==================

angle = atan2(x_B . y_A, x_B . x_A), the rotation of B relative to A about z_A; displacement = z_A . d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME, Frame, one_of, part_subject
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.solids.mass_properties import read_inertia, read_mass
from pitchline.solids.rotations import direction, frozen, misalignment, read_rotation, rotation_angle, z_to
from pitchline.units.quantity import vector

__all__ = ["Body", "make_ground", "ANGLE", "DISPLACEMENT", "KINDS", "Joint", "joint_coordinates", "joint_misfit"]


# ---- body

# Body: a rigid body with its mass and its initial state.


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Body:
    """Rigid body. In symbols, B is the body and W the world.

    Attributes
    ----------
    name : str
    mass : float
        [kg]
    centre_of_mass : (3,)
        From the origin of the body, in body axes [m].
    inertia : (3, 3)
        About the centre of mass, in body axes [kg*m^2].
    position : (3,)
        x_WB: initial position of the body origin, world axes [m].
    orientation : (3, 3)
        R_WB: initial orientation. The columns are the body axes in the world.
    velocity : (3,)
        v_WB: initial velocity of the body origin, world axes [m/s].
    angular_velocity : (3,)
        omega_WB: initial angular velocity, world axes [rad/s].
    any_inertia : bool
        Whether an inertia that no rigid body can have is accepted.
    """

    name: str
    mass: float
    centre_of_mass: FloatArray
    inertia: FloatArray
    position: FloatArray
    orientation: FloatArray
    velocity: FloatArray
    angular_velocity: FloatArray
    any_inertia: bool

    def __init__(
        self,
        name: str,
        mass: object,
        inertia: object,
        *,
        centre_of_mass: object = (0.0, 0.0, 0.0),
        position: object = (0.0, 0.0, 0.0),
        orientation: object = None,
        velocity: object = (0.0, 0.0, 0.0),
        angular_velocity: object = (0.0, 0.0, 0.0),
        any_inertia: bool = False,
    ) -> None:
        what = part_subject("body", name)
        if not isinstance(any_inertia, bool):
            raise ModelError(
                f"{what}: any_inertia must be True or False, got {shown(any_inertia)}", about=what.at("any_inertia")
            )
        kilograms = read_mass(mass, what)
        for attribute, value in (
            ("name", name),
            ("mass", kilograms),
            ("inertia", read_inertia(inertia, kilograms, what, any_inertia=any_inertia, option=True)),
            ("centre_of_mass", vector(centre_of_mass, "length", what=what / "centre_of_mass")),
            ("position", vector(position, "length", what=what / "position")),
            ("orientation", read_rotation(orientation, what=what / "orientation")),
            ("velocity", vector(velocity, "velocity", what=what / "velocity")),
            (
                "angular_velocity",
                vector(angular_velocity, "angular velocity", what=what / "angular_velocity"),
            ),
            ("any_inertia", any_inertia),
        ):
            object.__setattr__(self, attribute, value)

    @property
    def is_ground(self) -> bool:
        return self.name == GROUND_NAME

    def frame(
        self,
        name: str | None = None,
        *,
        position: object = (0.0, 0.0, 0.0),
        axis: object = None,
        rotation: object = None,
    ) -> Frame:
        """Make a frame fixed on this body.

        Parameters
        ----------
        name
            Name of the frame, for messages. Optional.
        position
            Origin of the frame, in body axes from the body origin [m]. Default: the body origin.
        axis
            Direction of the z axis of the frame (the joint axis), in body axes. The x and y axes follow by the smallest
            rotation. Default: z of the body.
        rotation
            All three axes of the frame in body axes, in place of `axis`: quaternion (w, x, y, z), 3x3 matrix, Rotation, or
            {"axis": ..., "angle": ...}. Default: parallel to the body.
        """
        what = Subject(f'frame "{name or ""}" on body "{self.name}"')
        if axis is not None and rotation is not None:
            raise ModelError(f"{what}: specify axis or rotation, not both", about=what.at("rotation"))
        if axis is not None:
            rotation = z_to(direction(axis, what=what / "axis"))
        return Frame(self.name, position, rotation, "" if name is None else name, owner=self)

    def to_world(self, point: FloatArray) -> FloatArray:
        """Transform a point from body axes (from the body origin) to the world, in the initial pose.

        Parameters
        ----------
        point
            (3,) [m]
        """
        return self.position + self.orientation @ vector(point, "length", what=f'body "{self.name}": point')

    def to_body(self, point: FloatArray) -> FloatArray:
        """Transform a world point to body axes (from the body origin), in the initial pose.

        Parameters
        ----------
        point
            (3,) [m]
        """
        return self.orientation.T @ (vector(point, "length", what=f'body "{self.name}": point') - self.position)

    def __repr__(self) -> str:
        return "Body('ground')" if self.is_ground else f"Body({self.name!r}, mass={self.mass:g})"


def make_ground() -> Body:
    """Make the ground: mass 0, at the world origin, at rest."""
    ground = object.__new__(Body)
    zeros, ones = frozen([0.0] * 3), read_rotation(None, what="ground")
    for name, value in (
        ("name", GROUND_NAME),
        ("mass", 0.0),
        ("centre_of_mass", zeros),
        ("inertia", frozen([[0.0] * 3] * 3)),
        ("position", zeros),
        ("orientation", ones),
        ("velocity", zeros),
        ("angular_velocity", zeros),
        ("any_inertia", False),
    ):
        object.__setattr__(ground, name, value)
    return ground


ANGLE = "angle"
DISPLACEMENT = "displacement"

KINDS: dict[str, tuple[str, ...]] = {
    "revolute": (ANGLE,),
    "prismatic": (DISPLACEMENT,),
    "cylindrical": (ANGLE, DISPLACEMENT),
    "spherical": (),
    "universal": (),
    "planar": (),
    "fixed": (),
    "screw": (ANGLE, DISPLACEMENT),
    "distance": (),
    "point_on_line": (),
    "point_on_plane": (),
    "plane_on_plane": (),
    "parallel_axes": (),
}
"""All kinds of joints with their coordinates."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Joint:
    """Joint between frame_a on body A and frame_b on body B. See the table at the top of this module.

    Attributes
    ----------
    pitch : float | None
        Screw only: displacement per angle [m/rad] = lead / (2 pi). Negative for a left-hand thread.
    length : float | None
        Distance only: [m], positive.
    """

    name: str
    kind: str
    frame_a: Frame
    frame_b: Frame
    pitch: float | None = None
    length: float | None = None

    def __post_init__(self) -> None:
        what = part_subject("joint", self.name)
        if not one_of(self.kind, KINDS):
            raise ModelError(
                f"{what}: unknown kind {shown(self.kind)}; {near_names(str(self.kind), KINDS)}", about=what.at("kind")
            )
        for frame in (self.frame_a, self.frame_b):
            if not isinstance(frame, Frame):
                raise ModelError(f"{what}: expected a frame on each side, got {shown(frame)}", about=what)
        if self.frame_a.body_name == self.frame_b.body_name:
            raise ModelError(
                f'{what}: connects "{self.frame_a.body_name}" with itself; connect two different bodies',
                about=what,
            )
        if (self.kind == "screw") != (self.pitch is not None):
            raise ModelError(f"{what}: a screw needs a lead, and only a screw has one", about=what)
        if (self.kind == "distance") != (self.length is not None):
            raise ModelError(f"{what}: a distance joint needs a length, and only a distance joint has one", about=what)
        if self.length is not None and self.length <= 0.0:
            raise ModelError(
                f"{what}: length must be greater than zero, got {self.length:g} m; to connect two points use spherical",
                about=what.at("length"),
            )
        if self.pitch == 0.0:
            raise ModelError(
                f"{what}: lead must not be zero; for a joint without advance use revolute", about=what.at("lead")
            )

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates of this joint: "angle", "displacement", both or none."""
        return KINDS[self.kind]

    @property
    def body_a(self) -> str:
        return self.frame_a.body_name

    @property
    def body_b(self) -> str:
        return self.frame_b.body_name

    def __repr__(self) -> str:
        return f"Joint({self.name!r}, {self.kind}, {self.body_a!r} - {self.body_b!r})"


Placed = tuple[FloatArray, FloatArray]
"""Frame in the world: origin x_WF (3,) and axes R_WF (3, 3)."""


def joint_coordinates(a: Placed, b: Placed) -> tuple[float, float]:
    """(angle [rad], displacement [m]) of two joint frames in the world."""
    (o_a, r_a), (o_b, r_b) = a, b
    angle = math.atan2(float(r_b[:, 0] @ r_a[:, 1]), float(r_b[:, 0] @ r_a[:, 0]))
    return angle, float(r_a[:, 2] @ (o_b - o_a))


def _size(d: FloatArray) -> float:
    return math.sqrt(d.dot(d))


def joint_misfit(joint: Joint, a: Placed, b: Placed) -> tuple[float, float]:
    """(gap [m], angle [rad]) by which two frames in the world violate the constraints of the joint."""
    (o_a, r_a), (o_b, r_b) = a, b
    d, z = o_b - o_a, r_a[:, 2]
    kind = joint.kind
    along = float(z @ d)
    if kind == "distance":
        gap = abs(_size(d) - (joint.length or 0.0))
    elif kind in ("prismatic", "cylindrical", "screw", "point_on_line"):
        gap = _size(d - along * z)
    elif kind in ("planar", "point_on_plane", "plane_on_plane"):
        gap = abs(along)
    else:
        gap = 0.0 if kind == "parallel_axes" else _size(d)
    if kind in ("prismatic", "fixed"):
        angle = rotation_angle(r_a.T @ r_b)
    elif kind in ("revolute", "cylindrical", "screw"):
        angle = misalignment(z, r_b[:, 2])
    elif kind in ("planar", "plane_on_plane", "parallel_axes"):
        angle = misalignment(z, r_b[:, 2])
        angle = min(angle, math.pi - angle)  # the normals of two faces in contact are opposite
    elif kind == "universal":
        angle = abs(0.5 * math.pi - misalignment(z, r_b[:, 0]))
    else:
        angle = 0.0
    return gap, angle
