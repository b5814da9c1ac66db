"""Homogeneous solids by their exact formulas: with a mass or a density they are `MassProperties`, without they are a `Shape`."""

from __future__ import annotations

import math
from typing import overload

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..units import quantity
from .mass_properties import MassProperties, shaped
from .shape import Shape, one_piece

__all__ = ["bar", "cone", "cylinder", "sphere", "tube"]


def _positive(value: object, name: str, what: Subject) -> float:
    size = quantity(value, "length", what=what / name)
    if size <= 0.0:
        raise ModelError(f"{what}: {name} must be greater than zero, got {size:g} m", about=what.at(name))
    return size


def mass_of(volume: float, mass: object, density: object, what: Subject) -> float | None:
    """Mass [kg] of a volume [m^3] from mass or density; None if neither is specified."""
    if mass is None and density is None:
        return None
    if mass is not None and density is not None:
        raise ModelError(f"{what}: specify either mass or density, not both", about=what)
    if mass is not None:
        result = quantity(mass, "mass", what=what / "mass")
    else:
        result = volume * quantity(density, "density", what=what / "density")
    if result <= 0.0:
        given = "mass" if mass is not None else "density"
        raise ModelError(f"{what}: {given} must be greater than zero", about=what.at(given))
    return result


def _axis(axis: object, what: Subject) -> str:
    if not isinstance(axis, str) or axis not in ("x", "y", "z"):
        raise ModelError(
            f'{what}: axis must be "x", "y" or "z", got {shown(axis)}; for other directions use .turned(...)',
            about=what.at("axis"),
        )
    return axis


def _round(mass: float, axial: float, transverse: float, axis: str, shape: Shape, what: Subject) -> MassProperties:
    """Mass properties of a solid of revolution about "x", "y" or "z"."""
    moments = [transverse] * 3
    moments["xyz".index(axis)] = axial
    return shaped(MassProperties(mass, (0.0, 0.0, 0.0), moments, what=what), shape)


@overload
def cylinder(radius: object, length: object, *, axis: str = "z") -> Shape: ...
@overload
def cylinder(
    radius: object, length: object, *, mass: object = None, density: object = None, axis: str = "z"
) -> MassProperties: ...
@names_wrong_arguments
def cylinder(
    radius: object, length: object, *, mass: object = None, density: object = None, axis: str = "z"
) -> MassProperties | Shape:
    """A solid cylinder about its centre; only its shape if neither mass nor density is specified.

    I_axial = m r^2 / 2, I_transverse = m (3 r^2 + l^2) / 12
    """
    what = Subject("cylinder")
    r, l = _positive(radius, "radius", what), _positive(length, "length", what)
    m = mass_of(math.pi * r**2 * l, mass, density, what)
    shape = one_piece("cylinder", _axis(axis, what), radius=r, length=l)
    return shape if m is None else _round(m, m * r**2 / 2, m * (3 * r**2 + l**2) / 12, axis, shape, what)


@overload
def tube(outer_radius: object, inner_radius: object, length: object, *, axis: str = "z") -> Shape: ...
@overload
def tube(
    outer_radius: object,
    inner_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties: ...
@names_wrong_arguments
def tube(
    outer_radius: object,
    inner_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties | Shape:
    """A hollow cylinder about its centre; only its shape if neither mass nor density is specified.

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
    m = mass_of(math.pi * (big**2 - small**2) * l, mass, density, what)
    squares = big**2 + small**2
    shape = one_piece("cylinder", _axis(axis, what), radius=big, length=l, inner=small)
    return shape if m is None else _round(m, m * squares / 2, m * (3 * squares + l**2) / 12, axis, shape, what)


@overload
def cone(radius: object, end_radius: object, length: object, *, axis: str = "z") -> Shape: ...
@overload
def cone(
    radius: object,
    end_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties: ...
@names_wrong_arguments
def cone(
    radius: object,
    end_radius: object,
    length: object,
    *,
    mass: object = None,
    density: object = None,
    axis: str = "z",
) -> MassProperties | Shape:
    """A cone, or a frustum of one, about the middle of its axis; only its shape if neither mass nor density is specified.

    radius: at its start, where the axis is negative; end_radius: at its end; one of both may be 0 [m].

    With a = radius, b = end_radius, s = a² + a b + b², z_c the place of the centre of mass along the axis:
    m = ρ π l s / 3, z_c = l (b² − a²) / (4 s), I_axial = 3 m (a⁴ + a³ b + a² b² + a b³ + b⁴) / (10 s),
    I_transverse = I_axial / 2 + m (l² (2 a² + a b + 2 b²) / (20 s) − z_c²)
    """
    what = Subject("cone")
    a, b = (quantity(v, "length", what=what / n) for v, n in ((radius, "radius"), (end_radius, "end_radius")))
    l = _positive(length, "length", what)
    if min(a, b) < 0.0 or max(a, b) == 0.0:
        raise ModelError(
            f"cone: radius and end_radius must not be negative, and one of them greater than zero, got {a:g} m and {b:g} m",
            about=what.at("end_radius" if b < 0.0 else "radius"),
        )
    shape = one_piece("cone", _axis(axis, what), radius=a, end_radius=b, length=l)
    area = (a**2 + a * b + b**2) / 3
    m = mass_of(math.pi * area * l, mass, density, what)
    if m is None:
        return shape
    fourth = (a**4 + a**3 * b + a**2 * b**2 + a * b**3 + b**4) / 5
    first = l * (b**2 - a**2) / 12 / area
    second = l**2 * (2 * a**2 + a * b + 2 * b**2) / 60 / area
    axial = m * fourth / (2 * area)
    transverse = axial / 2 + m * (second - first**2)
    centre = [0.0] * 3
    centre["xyz".index(axis)] = first
    made = _round(m, axial, transverse, axis, shape, what)
    return shaped(MassProperties(m, centre, made.inertia, what=what), shape)


@overload
def bar(length: object, width: object, height: object) -> Shape: ...
@overload
def bar(
    length: object, width: object, height: object, *, mass: object = None, density: object = None
) -> MassProperties: ...
@names_wrong_arguments
def bar(
    length: object, width: object, height: object, *, mass: object = None, density: object = None
) -> MassProperties | Shape:
    """A box about its centre, length along x, width along y, height along z; only its shape without mass and density.

    I_xx = m (w^2 + h^2) / 12, and so on round.
    """
    what = Subject("bar")
    l, w, h = (
        _positive(value, name, what) for value, name in ((length, "length"), (width, "width"), (height, "height"))
    )
    m = mass_of(l * w * h, mass, density, what)
    shape = one_piece("box", size=[l, w, h])
    if m is None:
        return shape
    moments = (m * (w**2 + h**2) / 12, m * (l**2 + h**2) / 12, m * (l**2 + w**2) / 12)
    return shaped(MassProperties(m, (0.0, 0.0, 0.0), moments, what=what), shape)


@overload
def sphere(radius: object) -> Shape: ...
@overload
def sphere(radius: object, *, mass: object = None, density: object = None) -> MassProperties: ...
@names_wrong_arguments
def sphere(radius: object, *, mass: object = None, density: object = None) -> MassProperties | Shape:
    """A solid sphere about its centre, I = 2 m r^2 / 5; only its shape if neither mass nor density is specified."""
    what = Subject("sphere")
    r = _positive(radius, "radius", what)
    m = mass_of(4 / 3 * math.pi * r**3, mass, density, what)
    shape = one_piece("sphere", radius=r)
    return shape if m is None else shaped(MassProperties(m, (0.0, 0.0, 0.0), [2 * m * r**2 / 5] * 3, what=what), shape)
