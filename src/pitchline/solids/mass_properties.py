"""Mass properties of rigid parts, which know the shapes they were made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..units import matrix, quantity, vector
from .colours import read_colour
from .rotations import Array, frozen, read_rotation
from .shape import NO_SHAPE, Shape, painted, rotated, shifted

__all__ = ["MassProperties", "check_inertia", "properties_of", "read_inertia", "read_mass", "read_solid", "shaped"]

_TOLERANCE = 1e-9


def check_inertia(
    inertia: Array, mass: float, what: Subject, *, any_inertia: bool = False, option: bool = False
) -> Array:
    """The inertia made exactly symmetric, where a rigid body of this mass can have it.

    any_inertia: also an inertia that no rigid body can have, if no principal moment is negative. option: whether the user can
    specify this, for messages.
    """
    way_out = (
        ". For a model with such an inertia, such as a rotor that only spins, specify any_inertia=True"
        if option
        else ""
    )
    size = float(np.abs(inertia).max())
    if float(np.abs(inertia - inertia.T).max()) > _TOLERANCE * size:
        i, j = np.unravel_index(int(np.argmax(np.abs(inertia - inertia.T))), (3, 3))
        raise ModelError(
            f"{what}: inertia is not symmetric: entry [{i}, {j}] is {inertia[i, j]:g}, "
            f"[{j}, {i}] is {inertia[j, i]:g} kg*m^2; make them equal",
            about=what.at("inertia"),
        )
    inertia = 0.5 * (inertia + inertia.T)
    smallest, middle, largest = np.linalg.eigvalsh(inertia / size) * size if size else np.zeros(3)
    if smallest < -_TOLERANCE * size:
        raise ModelError(
            f"{what}: inertia has a negative principal moment, {smallest:.6g} kg*m^2; "
            "check the signs of the products of inertia",
            about=what.at("inertia"),
        )
    if smallest + middle < largest * (1.0 - _TOLERANCE) and not any_inertia:
        raise ModelError(
            f"{what}: no body has the principal moments {smallest:.6g}, {middle:.6g} and {largest:.6g} "
            "kg*m^2: none may exceed the sum of the others. Check units, and that the inertia is about "
            f"the centre of mass{way_out}",
            about=what.at("inertia"),
        )
    if mass == 0.0 and size > 0.0 and not any_inertia:
        raise ModelError(
            f"{what}: inertia without mass. Specify a mass, or inertia (0, 0, 0){way_out}", about=what.at("inertia")
        )
    return frozen(inertia)


def read_mass(value: object, what: Subject) -> float:
    """A mass that is not negative [kg]."""
    mass = quantity(value, "mass", what=what / "mass")
    if mass < 0.0:
        raise ModelError(f"{what}: mass must not be negative, got {mass:g} kg", about=what.at("mass"))
    return mass


def read_inertia(
    value: object, mass: float, what: Subject, *, any_inertia: bool = False, option: bool = False
) -> Array:
    """Inertia (3, 3) [kg*m^2] from three principal moments (Ixx, Iyy, Izz) or a 3x3 matrix; options as in `check_inertia`."""
    where = what / "inertia"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ModelError(
            f"{where}: expected the moments (Ixx, Iyy, Izz) or a 3x3 matrix about the centre of "
            f"mass in body axes, got {shown(value)}",
            about=where,
        )
    if any(isinstance(item, (list, tuple, np.ndarray)) for item in value):
        moments = matrix(value, "inertia", what=where)
    else:
        moments = np.diag(vector(value, "inertia", what=where))
    return check_inertia(moments, mass, what, any_inertia=any_inertia, option=option)


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class MassProperties:
    """Mass, centre of mass and inertia of a rigid part.

    Attributes
    ----------
    mass : float
        [kg]
    centre_of_mass : (3,)
        From the origin, in the part's axes [m].
    inertia : (3, 3)
        About the centre of mass, in the part's axes [kg*m^2].

    shape : Shape
        What it looks like where it was made as a cylinder, bar, ...; of parts added, what is known of each.

    Parts may be moved, turned and added: ``tube(...) + bar(...).moved((0.1, 0, 0))``.
    """

    mass: float
    centre_of_mass: Array
    inertia: Array
    _shape: Shape = field(init=False, repr=False, default=NO_SHAPE)

    def __init__(self, mass: object, centre_of_mass: object, inertia: object, *, what: str = "MassProperties") -> None:
        what = Subject(what)
        m = read_mass(mass, what)
        object.__setattr__(self, "mass", m)
        object.__setattr__(self, "centre_of_mass", vector(centre_of_mass, "length", what=what / "centre_of_mass"))
        object.__setattr__(self, "inertia", read_inertia(inertia, m, what))

    @property
    def shape(self) -> Shape:
        return self._shape

    def moved(self, by: object) -> MassProperties:
        """The same part, shifted by a vector [m]."""
        shift = vector(by, "length", what=Subject("MassProperties.moved") / "by")
        made = _checked(self.mass, self.centre_of_mass + shift, self.inertia)
        return shaped(made, shifted(self._shape, shift))

    def turned(self, rotation: object) -> MassProperties:
        """The same part, turned about the origin: x -> R x."""
        r = read_rotation(rotation, what=Subject("MassProperties.turned") / "rotation")
        made = _checked(self.mass, r @ self.centre_of_mass, r @ self.inertia @ r.T)
        return shaped(made, rotated(self._shape, r))

    def coloured(self, colour: object) -> MassProperties:
        """The same part, its shape in a colour of its own: "#RRGGBB", "#RRGGBBAA" or a name."""
        said = read_colour(colour, Subject("MassProperties.coloured") / "colour")
        return shaped(_checked(self.mass, self.centre_of_mass, self.inertia), painted(self._shape, said))

    def __radd__(self, other: object) -> MassProperties:
        if isinstance(other, Shape):
            raise ModelError(_without_mass("a part of the sum", other), about=Subject("sum"))
        return NotImplemented

    def __add__(self, other: object) -> MassProperties:
        """Both parts as one, by the parallel axis theorem: I = sum I_i + m_i (d_i.d_i 1 - d_i d_i^T)."""
        if isinstance(other, Shape):
            raise ModelError(_without_mass("a part of the sum", other), about=Subject("sum"))
        if not isinstance(other, MassProperties):
            return NotImplemented
        mass = self.mass + other.mass
        if mass == 0.0:
            return _checked(0.0, self.centre_of_mass, self.inertia + other.inertia)
        centre = (self.mass * self.centre_of_mass + other.mass * other.centre_of_mass) / mass
        inertia = np.zeros((3, 3))
        for part in (self, other):
            d = part.centre_of_mass - centre
            inertia += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
        return shaped(_checked(mass, centre, inertia), self._shape + other._shape)


def _checked(mass: float, centre_of_mass: Array, inertia: Array) -> MassProperties:
    """Mass properties of a part, or of a sum of parts, which were checked before."""
    made: MassProperties = object.__new__(MassProperties)
    object.__setattr__(made, "mass", float(mass))
    object.__setattr__(made, "centre_of_mass", frozen(centre_of_mass))
    object.__setattr__(made, "inertia", frozen(0.5 * (inertia + inertia.T)))
    return made


def properties_of(part: Any) -> MassProperties:
    """Mass properties of a part, such as a body, that was checked before."""
    return _checked(part.mass, part.centre_of_mass, part.inertia)


def shaped(properties: MassProperties, shape: Shape) -> MassProperties:
    """Mass properties, new and not yet used, with what they look like."""
    if shape.pieces:
        object.__setattr__(properties, "_shape", shape)
    return properties


def read_solid(value: object, what: Subject) -> MassProperties:
    """Mass properties where they are some; what = "body "x"", the argument is called solid."""
    if isinstance(value, Shape):
        raise ModelError(_without_mass(f"{what}: the solid", value), about=what.at("solid"))
    if not isinstance(value, MassProperties):
        raise ModelError(
            f"{what}: solid must be MassProperties, such as cylinder(...), got {shown(value)}", about=what.at("solid")
        )
    return value


def _without_mass(what: str, shape: Shape) -> str:
    kinds = " and ".join(dict.fromkeys(piece.kind for piece in shape.pieces)) or "shape"
    return f"{what} is a shape ({kinds}) without a mass. Specify mass or density where it is created"
