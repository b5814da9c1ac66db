"""Sections of shafts and beams: stiffness and mass per length, and data for stresses.

Section axes: z along the beam, x and y across. A stiffness matrix (6, 6) relates the strain (gamma_x, gamma_y, epsilon_z, kappa_x,
kappa_y, kappa_z) of the line of nodes to the force and moment (F_x, F_y, F_z, M_x, M_y, M_z) about it. A mass matrix (6, 6) relates
the velocity of the section to its momentum per length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..gears.inputs import in_mm, positive, size
from ..gears.material import STEEL, Material
from ..units import quantity
from .section_matrices import (
    checked_matrix,
    rectangle_torsion,
    rectangle_torsion_modulus,
    section_mass,
    section_stiffness,
    shear_factor_of_tube,
)

__all__ = ["BeamSection", "read_material", "round_section"]

Array = np.ndarray
Pair = tuple[float, float]


@names_wrong_arguments
@dataclass(frozen=True, init=False, eq=False)
class BeamSection:
    """Constant section of a beam.

    `BeamSection.circle`, `.tube`, `.rectangle` and `.from_properties` make common sections. `BeamSection(stiffness=, mass=)`
    takes the matrices directly. Axes: z along the beam, x and y across.

    Attributes
    ----------
    stiffness : (6, 6)
        Force and moment per strain, about the line of nodes [N, N m, N m²]
    mass : (6, 6)
        Momentum per length and velocity, about the line of nodes [kg/m, kg, kg m]
    area : float
        [m²]; 0 if unknown
    bending_moduli : (2,)
        Section moduli W_x, W_y [m³] for stresses due to the moments about the principal axes; 0 if unknown
    torsion_modulus : float
        W_t [m³]; 0 if unknown
    round : bool
        Circle or tube: the bending stress follows from the resultant moment.
    centroid, shear_centre : (2,)
        x and y from the line of nodes [m]
    angle : float
        Angle of the principal axes from x and y [rad]
    shape : str
        "circle", "tube", "rectangle", "properties" or "matrices"
    given : mapping
        Arguments of its constructor, in SI units
    """

    stiffness: Array
    mass: Array
    area: float
    bending_moduli: Pair
    torsion_modulus: float
    round: bool
    centroid: Pair
    shear_centre: Pair
    angle: float
    shape: str
    given: Mapping[str, Any] = field(repr=False)

    def __init__(self, *, stiffness: object, mass: object) -> None:
        what = Subject("beam section")
        K = checked_matrix(stiffness, what / "stiffness", definite=True)
        M = checked_matrix(mass, what / "mass", definite=False)
        _fill(self, K, M, shape="matrices", given={"stiffness": K, "mass": M})

    @classmethod
    def circle(
        cls, diameter: object, *, inner: object = 0.0, material: Material = STEEL, centroid: object = (0.0, 0.0)
    ) -> BeamSection:
        """Make a circle or tube. The shear factor is that of Cowper (1966).

        Parameters
        ----------
        diameter
            Outer diameter [m].
        inner
            Inner diameter [m]. Default 0: solid.
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        """
        what = Subject("beam section")
        outer = positive(diameter, "length", what / "diameter")
        bore = size(inner, "length", what / "inner")
        if bore >= outer:
            raise ModelError(
                f"{what}: the inner diameter {in_mm(bore)} must be smaller than the outer diameter {in_mm(outer)}",
                about=what.at("inner"),
            )
        at = _pair(centroid, "length", what / "centroid")
        given = {"diameter": outer, "inner": bore, "material": read_material(material, what), "centroid": at}
        return _round(outer, bore, material, at, "circle", given)

    @classmethod
    def tube(
        cls, outer: object, wall: object, *, material: Material = STEEL, centroid: object = (0.0, 0.0)
    ) -> BeamSection:
        """Make a tube from its outer diameter and wall thickness.

        Parameters
        ----------
        outer
            Outer diameter [m].
        wall
            Wall thickness [m].
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        """
        what = Subject("beam section")
        diameter = positive(outer, "length", what / "outer")
        thickness = positive(wall, "length", what / "wall")
        if 2 * thickness > diameter * (1 + 1e-12):
            raise ModelError(
                f"{what}: the wall thickness of {in_mm(thickness)} is more than half the outer diameter {in_mm(diameter)}",
                about=what.at("wall"),
            )
        at = _pair(centroid, "length", what / "centroid")
        given = {"outer": diameter, "wall": thickness, "material": read_material(material, what), "centroid": at}
        return _round(diameter, max(diameter - 2 * thickness, 0.0), material, at, "tube", given)

    @classmethod
    def rectangle(
        cls,
        width: object,
        height: object,
        *,
        material: Material = STEEL,
        centroid: object = (0.0, 0.0),
        angle: object = 0.0,
    ) -> BeamSection:
        """Make a rectangle. Shear factor 10 (1 + ν)/(12 + 11 ν) (Cowper 1966), torsion by Saint-Venant.

        Parameters
        ----------
        width, height
            Dimensions along x and y [m].
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        angle
            Rotation of the rectangle about z [rad]. Default 0.
        """
        what = Subject("beam section")
        b, h = positive(width, "length", what / "width"), positive(height, "length", what / "height")
        m = read_material(material, what)
        at, turn = _pair(centroid, "length", what / "centroid"), quantity(angle, "angle", what=what / "angle")
        shear = 10 * (1 + m.poissons_ratio) / (12 + 11 * m.poissons_ratio) * b * h
        values = _SectionNumbers(
            m, b * h, (b * h**3 / 12, h * b**3 / 12), rectangle_torsion(b, h), (shear, shear),
            (b * h**2 / 6, h * b**2 / 6), rectangle_torsion_modulus(b, h), at, at, turn,
        )  # fmt: skip
        return values.section("rectangle", {"width": b, "height": h, "material": m, "centroid": at, "angle": turn})

    @classmethod
    def from_properties(
        cls,
        area: object,
        second_moments: object,
        torsion_constant: object,
        *,
        shear_areas: object = None,
        bending_moduli: object = None,
        torsion_modulus: object = 0.0,
        material: Material = STEEL,
        centroid: object = (0.0, 0.0),
        shear_centre: object = None,
        angle: object = 0.0,
    ) -> BeamSection:
        """Make a section from tabulated properties.

        Parameters
        ----------
        area
            Area [m²].
        second_moments
            (I_x, I_y) about the principal axes through the centroid [m⁴].
        torsion_constant
            Torsion constant [m⁴].
        shear_areas
            (A_x, A_y) [m²]. Default: 5/6 of the area.
        bending_moduli
            (W_x, W_y) [m³], for stresses. Optional.
        torsion_modulus
            W_t [m³], for stresses. Default 0: unknown.
        material
            Material. Default: steel.
        centroid
            x and y of the centroid from the line of nodes [m]. Default 0.
        shear_centre
            x and y of the shear centre from the line of nodes [m]. Default: the centroid.
        angle
            Angle of the principal axes from x and y [rad]. Default 0.
        """
        what = Subject("beam section")
        m = read_material(material, what)
        A = positive(area, "area", what / "area")
        I = _pair(second_moments, "m^4", what / "second_moments", above_zero=True)
        J = positive(torsion_constant, "m^4", what / "torsion_constant")
        shear = (5 * A / 6, 5 * A / 6)
        if shear_areas is not None:
            shear = _pair(shear_areas, "area", what / "shear_areas", above_zero=True)
        W = (
            (0.0, 0.0)
            if bending_moduli is None
            else _pair(bending_moduli, "volume", what / "bending_moduli", above_zero=True)
        )
        Wt = size(torsion_modulus, "volume", what / "torsion_modulus")
        at = _pair(centroid, "length", what / "centroid")
        centre = at if shear_centre is None else _pair(shear_centre, "length", what / "shear_centre")
        turn = quantity(angle, "angle", what=what / "angle")
        given = {
            "area": A, "second_moments": I, "torsion_constant": J, "shear_areas": shear, "bending_moduli": W,
            "torsion_modulus": Wt, "material": m, "centroid": at, "shear_centre": centre, "angle": turn,
        }  # fmt: skip
        return _SectionNumbers(m, A, I, J, shear, W, Wt, at, centre, turn).section("properties", given)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BeamSection):
            return NotImplemented
        mine, theirs = dict(self.given), dict(other.given)
        return self.shape == other.shape and all(np.array_equal(mine[k], theirs[k]) for k in mine)

    def __hash__(self) -> int:
        return hash((self.stiffness.tobytes(), self.mass.tobytes()))


@dataclass(frozen=True)
class _SectionNumbers:
    """Properties of a section with one material."""

    material: Material
    area: float
    second_moments: Pair
    torsion_constant: float
    shear_areas: Pair
    bending_moduli: Pair
    torsion_modulus: float
    centroid: Pair
    shear_centre: Pair
    angle: float
    round: bool = False

    def section(self, shape: str, given: Mapping[str, Any]) -> BeamSection:
        E, rho = self.material.youngs_modulus, self.material.density
        G = E / 2 / (1 + self.material.poissons_ratio)
        (Ix, Iy), (Ax, Ay) = self.second_moments, self.shear_areas
        K = section_stiffness(
            (G * Ax, G * Ay), E * self.area, (E * Ix, E * Iy), G * self.torsion_constant, self.centroid, self.shear_centre,
            self.angle,
        )  # fmt: skip
        M = section_mass(rho * self.area, (rho * Ix, rho * Iy), self.centroid, self.angle)
        made = object.__new__(BeamSection)
        _fill(
            made, K, M, shape=shape, given=given, area=self.area, bending_moduli=self.bending_moduli,
            torsion_modulus=self.torsion_modulus, round=self.round, centroid=self.centroid,
            shear_centre=self.shear_centre, angle=self.angle,
        )  # fmt: skip
        return made


def round_section(outer: float, inner: float, material: Material) -> BeamSection:
    """Make a circle or ring from checked diameters [m]."""
    return _round(
        outer, inner, material, (0.0, 0.0), "circle", {"diameter": outer, "inner": inner, "material": material}
    )


def _round(
    outer: float, inner: float, material: Material, at: Pair, shape: str, given: Mapping[str, Any]
) -> BeamSection:
    area = math.pi / 4 * (outer**2 - inner**2)
    moment = math.pi / 64 * (outer**4 - inner**4)
    shear = shear_factor_of_tube(material.poissons_ratio, inner / outer) * area
    W = 2 * moment / outer
    values = _SectionNumbers(
        material, area, (moment, moment), 2 * moment, (shear, shear), (W, W), 2 * W, at, at, 0.0, round=True
    )
    return values.section(shape, given)


def _fill(
    section: BeamSection,
    stiffness: Array,
    mass: Array,
    *,
    shape: str,
    given: Mapping[str, Any],
    area: float = 0.0,
    bending_moduli: Pair = (0.0, 0.0),
    torsion_modulus: float = 0.0,
    round: bool = False,
    centroid: Pair = (0.0, 0.0),
    shear_centre: Pair = (0.0, 0.0),
    angle: float = 0.0,
) -> None:
    stiffness.flags.writeable = mass.flags.writeable = False
    values = {
        "stiffness": stiffness, "mass": mass, "area": area, "bending_moduli": bending_moduli, "torsion_modulus": torsion_modulus,
        "round": round, "centroid": centroid, "shear_centre": shear_centre, "angle": angle, "shape": shape,
        "given": MappingProxyType(dict(given)),
    }  # fmt: skip
    for name, value in values.items():
        object.__setattr__(section, name, value)


def read_material(value: object, what: Subject) -> Material:
    """Check that a value is a material, and return it."""
    if not isinstance(value, Material):
        raise ModelError(
            f"{what}: material must be a Material, such as pl.STEEL, got {shown(value)}", about=what.at("material")
        )
    return value


def _pair(value: object, dimension: str, what: Subject, *, above_zero: bool = False) -> Pair:
    if not isinstance(value, list | tuple | np.ndarray) or len(value) != 2:
        raise ModelError(f"{what}: expected two values (x, y), got {shown(value)}", about=what)
    read = positive if above_zero else (lambda v, d, w: quantity(v, d, what=w))
    return read(value[0], dimension, what / 0), read(value[1], dimension, what / 1)
