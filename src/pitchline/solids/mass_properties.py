"""Mass properties, and those of homogeneous solids by their exact formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..units import matrix, quantity, vector
from .rotations import Array, frozen, read_rotation

__all__ = ["MassProperties", "bar", "check_inertia", "cylinder", "sphere", "tube"]

_TOLERANCE = 1e-9


def check_inertia(inertia: Array, mass: float, what: Subject) -> Array:
    """The inertia made exactly symmetric, where a rigid body of this mass can have it."""
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
    if smallest + middle < largest * (1.0 - _TOLERANCE):
        raise ModelError(
            f"{what}: no body has the principal moments {smallest:.6g}, {middle:.6g} and {largest:.6g} "
            "kg*m^2: none may exceed the sum of the others; check units, and that the inertia is about "
            "the centre of mass",
            about=what.at("inertia"),
        )
    if mass == 0.0 and size > 0.0:
        raise ModelError(f"{what}: inertia without mass; give a mass, or inertia (0, 0, 0)", about=what.at("inertia"))
    return frozen(inertia)


def read_mass(value: object, what: Subject) -> float:
    """A mass that is not negative [kg]."""
    mass = quantity(value, "mass", what=what / "mass")
    if mass < 0.0:
        raise ModelError(f"{what}: mass must not be negative, got {mass:g} kg", about=what.at("mass"))
    return mass


def read_inertia(value: object, mass: float, what: Subject) -> Array:
    """Inertia (3, 3) [kg*m^2] from three principal moments (Ixx, Iyy, Izz) or a 3x3 matrix."""
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
        return check_inertia(matrix(value, "inertia", what=where), mass, what)
    return check_inertia(np.diag(vector(value, "inertia", what=where)), mass, what)


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

    Parts may be moved, turned and added: ``tube(...) + bar(...).moved((0.1, 0, 0))``.
    """

    mass: float
    centre_of_mass: Array
    inertia: Array

    def __init__(
        self, mass: object, centre_of_mass: object, inertia: object, *, what: str = "MassProperties"
    ) -> None:
        what = Subject(what)
        m = read_mass(mass, what)
        object.__setattr__(self, "mass", m)
        object.__setattr__(
            self, "centre_of_mass", vector(centre_of_mass, "length", what=what / "centre_of_mass")
        )
        object.__setattr__(self, "inertia", read_inertia(inertia, m, what))

    def moved(self, by: object) -> MassProperties:
        """The same part, shifted by a vector [m]."""
        shift = vector(by, "length", what=Subject("MassProperties.moved") / "by")
        return MassProperties(self.mass, self.centre_of_mass + shift, self.inertia)

    def turned(self, rotation: object) -> MassProperties:
        """The same part, turned about the origin: x -> R x."""
        r = read_rotation(rotation, what=Subject("MassProperties.turned") / "rotation")
        return MassProperties(self.mass, r @ self.centre_of_mass, r @ self.inertia @ r.T)

    def __add__(self, other: object) -> MassProperties:
        """Both parts as one, by the parallel axis theorem: I = sum I_i + m_i (d_i.d_i 1 - d_i d_i^T)."""
        if not isinstance(other, MassProperties):
            return NotImplemented
        mass = self.mass + other.mass
        if mass == 0.0:
            return self
        centre = (self.mass * self.centre_of_mass + other.mass * other.centre_of_mass) / mass
        inertia = np.zeros((3, 3))
        for part in (self, other):
            d = part.centre_of_mass - centre
            inertia += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
        return MassProperties(mass, centre, inertia)


def _positive(value: object, name: str, what: Subject) -> float:
    size = quantity(value, "length", what=what / name)
    if size <= 0.0:
        raise ModelError(f"{what}: {name} must be greater than zero, got {size:g} m", about=what.at(name))
    return size


def _mass_of(volume: float, mass: object, density: object, what: Subject) -> float:
    if (mass is None) == (density is None):
        raise ModelError(
            f"{what}: give either mass or density, {'not both' if mass is not None else 'got neither'}", about=what
        )
    if mass is not None:
        result = quantity(mass, "mass", what=what / "mass")
    else:
        result = volume * quantity(density, "density", what=what / "density")
    if result <= 0.0:
        given = "mass" if mass is not None else "density"
        raise ModelError(f"{what}: {given} must be greater than zero", about=what.at(given))
    return result


def _round(mass: float, axial: float, transverse: float, axis: object, what: Subject) -> MassProperties:
    """Mass properties of a solid of revolution about "x", "y" or "z"."""
    if not isinstance(axis, str) or axis not in ("x", "y", "z"):
        raise ModelError(
            f'{what}: axis must be "x", "y" or "z", got {shown(axis)}; for other directions use .turned(...)', about=what.at("axis")
        )
    moments = [transverse] * 3
    moments["xyz".index(axis)] = axial
    return MassProperties(mass, (0.0, 0.0, 0.0), moments, what=what)


@names_wrong_arguments
def cylinder(
    radius: object, length: object, *, mass: object = None, density: object = None, axis: str = "z"
) -> MassProperties:
    """A solid cylinder about its centre.

    I_axial = m r^2 / 2, I_transverse = m (3 r^2 + l^2) / 12
    """
    what = Subject("cylinder")
    r, l = _positive(radius, "radius", what), _positive(length, "length", what)
    m = _mass_of(math.pi * r**2 * l, mass, density, what)
    return _round(m, m * r**2 / 2, m * (3 * r**2 + l**2) / 12, axis, what)


@names_wrong_arguments
def tube(
    outer_radius: object,
    inner_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties:
    """A hollow cylinder about its centre.

    I_axial = m (R^2 + r^2) / 2, I_transverse = m (3 (R^2 + r^2) + l^2) / 12
    """
    what = Subject("tube")
    big = _positive(outer_radius, "outer_radius", what)
    small = quantity(inner_radius, "length", what=what / "inner_radius")
    l = _positive(length, "length", what)
    if not 0.0 <= small < big:
        raise ModelError(
            f"tube: inner_radius must be from 0 to less than outer_radius ({big:g} m), got {small:g} m",
            about=what.at("inner_radius"),
        )
    m = _mass_of(math.pi * (big**2 - small**2) * l, mass, density, what)
    squares = big**2 + small**2
    return _round(m, m * squares / 2, m * (3 * squares + l**2) / 12, axis, what)


@names_wrong_arguments
def bar(
    length: object, width: object, height: object, *, mass: object = None, density: object = None
) -> MassProperties:
    """A box about its centre, length along x, width along y, height along z.

    I_xx = m (w^2 + h^2) / 12, and so on round.
    """
    what = Subject("bar")
    l, w, h = (
        _positive(value, name, what)
        for value, name in ((length, "length"), (width, "width"), (height, "height"))
    )
    m = _mass_of(l * w * h, mass, density, what)
    moments = (m * (w**2 + h**2) / 12, m * (l**2 + h**2) / 12, m * (l**2 + w**2) / 12)
    return MassProperties(m, (0.0, 0.0, 0.0), moments, what=what)


@names_wrong_arguments
def sphere(radius: object, *, mass: object = None, density: object = None) -> MassProperties:
    """A solid sphere about its centre: I = 2 m r^2 / 5."""
    what = Subject("sphere")
    r = _positive(radius, "radius", what)
    m = _mass_of(4 / 3 * math.pi * r**3, mass, density, what)
    return MassProperties(m, (0.0, 0.0, 0.0), [2 * m * r**2 / 5] * 3, what=what)
