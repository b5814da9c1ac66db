"""Model: what the user says about a machine."""

from __future__ import annotations

from typing import Any

from ..errors import ModelError, shown
from ..units import vector
from .body import Body
from .checks import find_problems
from .describe import describe, summary
from .joint_methods import JointMethods
from .load_methods import LoadMethods
from .solids import MassProperties
from .types import Orientation, Quantity, Vector

__all__ = ["Model"]


class Model(JointMethods, LoadMethods):
    """A machine as the user says it: bodies, joints, drives and loads.

    Every method makes one part, checks it and keeps it under its name; what is wrong is a `ModelError` at
    once and leaves the model as it was. Numbers are SI; texts such as "2 mm" carry their unit.

    Parameters
    ----------
    name
        Of the model.
    gravity
        Acceleration in world axes [m/s^2]; none by default.

    Attributes
    ----------
    ground : Body
        The world, to which joints and loads may connect.
    bodies, joints, drives, loads
        Mappings by name, in the order in which they were said; read-only.
    """

    def __init__(self, name: str, *, gravity: Vector = (0.0, 0.0, 0.0)) -> None:
        super().__init__(name, gravity=gravity)

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
    ) -> Body:
        """A rigid body: with mass and inertia, or with a solid such as ``cylinder(...)``.

        inertia: (Ixx, Iyy, Izz) or a 3x3 matrix about the centre of mass, in body axes [kg*m^2].
        centre_of_mass: in body axes from the body's origin [m]; a solid is shifted there.
        position, velocity: of the body's origin in the world. orientation: quaternion (w, x, y, z), 3x3
        matrix, Rotation, or {"axis": ..., "angle": ...}. angular_velocity: in world axes [rad/s].
        """
        what = f'body "{self._new_name(name, "body")}"'
        if solid is not None:
            if not isinstance(solid, MassProperties):
                raise ModelError(
                    f"{what}: solid must be MassProperties, such as cylinder(...), got {shown(solid)}"
                )
            if mass is not None or inertia is not None:
                raise ModelError(f"{what}: give solid, or mass and inertia, not both")
            shift = vector(centre_of_mass, "length", what=f"{what}: centre_of_mass")
            mass, inertia, centre_of_mass = solid.mass, solid.inertia, solid.centre_of_mass + shift
        elif mass is None or inertia is None:
            missing = " and ".join(
                key for key, value in (("mass", mass), ("inertia", inertia)) if value is None
            )
            raise ModelError(
                f"{what}: {missing} missing; give mass and inertia, or solid=cylinder(...) and the like"
            )
        body = Body(
            name,
            mass,
            inertia,
            centre_of_mass=centre_of_mass,
            position=position,
            orientation=orientation,
            velocity=velocity,
            angular_velocity=angular_velocity,
        )
        self._bodies[name] = body
        return body

    def check(self) -> None:
        """Raise one ModelError that lists every problem of the whole model; return where there is none."""
        problems = find_problems(self)
        if problems:
            raise ModelError(problems, title=f'model "{self.name}" has problems')

    def summary(self) -> str:
        """A readable text, one line per part."""
        return summary(self)

    def describe(self) -> dict[str, Any]:
        """Everything the model says, as plain data for JSON (callables by their repr)."""
        return describe(self)

    def __repr__(self) -> str:
        return f"Model({self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints)"
