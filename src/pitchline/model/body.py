"""Body: a rigid body with its mass and its initial state."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..solids.mass_properties import read_inertia, read_mass
from ..solids.rotations import Array, direction, frozen, read_rotation, z_to
from ..units import vector
from .frames import Frame
from .names import GROUND_NAME, part_subject

__all__ = ["Body", "make_ground"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Body:
    """A rigid body B; W is the world.

    Attributes
    ----------
    name : str
    mass : float
        [kg]
    centre_of_mass : (3,)
        From the body's origin, in body axes [m].
    inertia : (3, 3)
        About the centre of mass, in body axes [kg*m^2].
    position : (3,)
        x_WB: initial position of the body's origin, world axes [m].
    orientation : (3, 3)
        R_WB: initial orientation; columns are the body axes in the world.
    velocity : (3,)
        v_WB: initial velocity of the body's origin, world axes [m/s].
    angular_velocity : (3,)
        omega_WB: initial angular velocity, world axes [rad/s].
    """

    name: str
    mass: float
    centre_of_mass: Array
    inertia: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array

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
    ) -> None:
        what = part_subject("body", name)
        kilograms = read_mass(mass, what)
        for attribute, value in (
            ("name", name),
            ("mass", kilograms),
            ("inertia", read_inertia(inertia, kilograms, what)),
            ("centre_of_mass", vector(centre_of_mass, "length", what=what / "centre_of_mass")),
            ("position", vector(position, "length", what=what / "position")),
            ("orientation", read_rotation(orientation, what=what / "orientation")),
            ("velocity", vector(velocity, "velocity", what=what / "velocity")),
            (
                "angular_velocity",
                vector(angular_velocity, "angular velocity", what=what / "angular_velocity"),
            ),
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
        """A frame fixed on this body; everything in body axes, from the body's origin.

        `axis` sets the direction of the frame's z (the joint axis); its x and y then follow by the shortest
        turn. `rotation` sets all three. Without both the frame is parallel to the body.
        """
        what = Subject(f'frame "{name or ""}" on body "{self.name}"')
        if axis is not None and rotation is not None:
            raise ModelError(f"{what}: give axis or rotation, not both", about=what.at("rotation"))
        if axis is not None:
            rotation = z_to(direction(axis, what=what / "axis"))
        return Frame(self.name, position, rotation, "" if name is None else name, owner=self)

    def to_world(self, point: Array) -> Array:
        """A point given in body axes from the body's origin, in the world in the initial pose."""
        return self.position + self.orientation @ point

    def to_body(self, point: Array) -> Array:
        """A world point, in the initial pose, in body axes from the body's origin."""
        return self.orientation.T @ (point - self.position)

    def __repr__(self) -> str:
        return "Body('ground')" if self.is_ground else f"Body({self.name!r}, mass={self.mass:g})"


def make_ground() -> Body:
    """The ground: mass 0, at the origin of the world, at rest."""
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
    ):
        object.__setattr__(ground, name, value)
    return ground
