"""Model methods that add rigid bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..solids.mass_properties import MassProperties, read_solid
from ..units import quantity, vector
from .body import Body
from .look import read_look
from .look_methods import LookMethods
from .names import part_subject
from .plane_checks import body_problem
from .types import Orientation, Quantity, Vector

__all__ = ["BodyMethods"]


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
