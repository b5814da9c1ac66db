"""Mass and inertia of the body a gear is cut from, filled up to its pitch surface.

Teeth and spaces share the depth around the pitch surface about evenly, so that is where a smooth body of the same
mass ends. For a wheel with a web, the grooves next to the web are removed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ModelError
from ..solids.mass_properties import MassProperties, shaped
from ..solids.shape import GEAR_SHAPE

if TYPE_CHECKING:
    from .gear import Gear

__all__ = ["BlankProperties", "block", "combined", "gear_blank", "solid_of_revolution"]

# Gauss points and weights on [-1/2, 1/2]; exact to the fifth power, and r^4 and r^2 z^2 are of the fourth.
_POINTS = (-math.sqrt(0.15), 0.0, math.sqrt(0.15))
_WEIGHTS = (5 / 18, 8 / 18, 5 / 18)


@dataclass(frozen=True)
class BlankProperties:
    """Mass properties in the axes of the gear: z is its axis, the origin its centre.

    Attributes
    ----------
    mass : float
        [kg]
    centre_of_mass : (3,)
        From the centre of the gear [m].
    inertia : (3,)
        Principal moments (I_xx, I_yy, I_zz) about the centre of mass [kg m²].
    """

    mass: float
    centre_of_mass: tuple[float, float, float]
    inertia: tuple[float, float, float]

    @property
    def solid(self) -> MassProperties:
        """The same, to be moved, turned and added."""
        return shaped(MassProperties(self.mass, self.centre_of_mass, self.inertia, what="blank"), GEAR_SHAPE)


def combined(*parts: BlankProperties) -> BlankProperties:
    """Parts about one axis as one; what is taken away has a negative mass.

    z_c = Σ m_i z_i / Σ m_i ,  I_xx = Σ I_i + m_i (z_i − z_c)² ,  I_zz = Σ I_i
    """
    mass = sum(part.mass for part in parts)
    centre = sum(part.mass * part.centre_of_mass[2] for part in parts) / mass
    across = sum(part.inertia[0] + part.mass * (part.centre_of_mass[2] - centre) ** 2 for part in parts)
    return BlankProperties(mass, (0.0, 0.0, centre), (across, across, sum(part.inertia[2] for part in parts)))


def solid_of_revolution(
    *, inner: float, outer: float, inner_slope: float = 0.0, outer_slope: float = 0.0, length: float, density: float
) -> BlankProperties:
    """A body about z between two cones r_i = inner + inner_slope z and r_o, |z| <= length/2.

    m = ρπ ∫ (r_o² − r_i²) dz,   m z_c = ρπ ∫ (r_o² − r_i²) z dz,   I_zz = ρπ/2 ∫ (r_o⁴ − r_i⁴) dz,
    I_xx = I_yy = I_zz/2 + ρπ ∫ (r_o² − r_i²) z² dz − m z_c²
    """
    mass = first = second = axial = 0.0
    for point, weight in zip(_POINTS, _WEIGHTS, strict=True):
        z = point * length
        o, i = outer + outer_slope * z, inner + inner_slope * z
        dm = density * math.pi * (o**2 - i**2) * weight * length
        mass += dm
        first += dm * z
        second += dm * z**2
        axial += dm * 0.5 * (o**2 + i**2)
    centre = first / mass
    transverse = 0.5 * axial + second - mass * centre**2
    return BlankProperties(mass, (0.0, 0.0, centre), (transverse, transverse, axial))


def block(*, depth: float, length: float, width: float, density: float) -> BlankProperties:
    """A box below the plane x = 0: depth along −x, length along y, width along z, centred in y and z."""
    m = density * depth * length * width
    moments = (m * (length**2 + width**2) / 12, m * (depth**2 + width**2) / 12, m * (depth**2 + length**2) / 12)
    return BlankProperties(m, (-0.5 * depth, 0.0, 0.0), moments)


def gear_blank(gear: Gear) -> BlankProperties:
    """See `Gear.blank`."""
    width = gear.required_face_width("mass")
    radius = 0.5 * gear.reference_diameter
    if gear.internal:
        if gear.rim_diameter is None:
            raise ModelError("gear: the mass of an internal gear requires its outer diameter. Specify rim_diameter")
        return solid_of_revolution(inner=radius, outer=0.5 * gear.rim_diameter, length=width, density=gear.density)
    length = width * math.cos(gear.cone_angle)
    if length < 1e-6 * width:
        raise ModelError(
            "gear: the pitch cone of a crown wheel is flat and has no mass. Specify mass and inertia of the body"
        )
    whole = solid_of_revolution(
        inner=0.5 * gear.bore,
        outer=radius,
        outer_slope=math.tan(gear.cone_angle or gear.profile_shift_angle),
        length=length,
        density=gear.density,
    )
    web = gear.body.web_thickness
    if web is None:
        return whole
    groove = {"inner": 0.5 * (gear.body.hub_diameter or gear.bore), "outer": 0.5 * gear.inside_of_rim}
    return combined(
        whole,
        solid_of_revolution(**groove, length=width, density=-gear.density),
        solid_of_revolution(**groove, length=web, density=gear.density),
    )
