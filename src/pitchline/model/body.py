"""Body: a rigid body with its mass and its initial state."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..solids.mass_properties import read_inertia, read_mass
from ..solids.rotations import Array, direction, frozen, read_rotation, z_to
from ..units import vector
from .frames import Frame
from .names import GROUND_NAME, part_subject

__all__ = ["Body", "make_ground"]


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
    centre_of_mass: Array
    inertia: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
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

    def to_world(self, point: Array) -> Array:
        """Transform a point from body axes (from the body origin) to the world, in the initial pose.

        Parameters
        ----------
        point
            (3,) [m]
        """
        return self.position + self.orientation @ vector(point, "length", what=f'body "{self.name}": point')

    def to_body(self, point: Array) -> Array:
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
