"""Sections of a REXS shaft in a row: sorted, without gaps and overlaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...beams.shaft_section import ShaftSection
from ...gears.material import Material
from ...solids.homogeneous import cone
from ...solids.mass_properties import MassProperties
from ...solids.shape import Shape
from ..imported import ImportReport
from .component import RexsComponent
from .materials import Materials
from .places import SAME
from .structure import ShaftParts, UnitStructure

__all__ = ["SectionLine", "shaft_line", "tube_properties"]

MOST_SECTIONS = 1000
_LONGEST = 100.0
"""Longest shaft [m]."""


@dataclass(frozen=True)
class SectionLine:
    """Sections of a shaft.

    start:    coordinate of the first section on the shaft [m]
    material: of sections without their own material
    """

    start: float
    sections: tuple[ShaftSection, ...]
    material: Material

    @property
    def length(self) -> float:
        """[m]"""
        return sum(one.length for one in self.sections)

    def diameters(self, coordinate: float) -> tuple[float, float]:
        """Outer and inner diameter [m] at a coordinate on the shaft; beyond the ends those of the ends."""
        left = coordinate - self.start
        for one in self.sections:
            if left <= one.length:
                return one.diameters(min(max(left / one.length, 0.0), 1.0))
            left -= one.length
        return self.sections[-1].diameters(1.0)

    def mass(self) -> float:
        """[kg]"""
        return self.properties().mass

    def properties(self) -> MassProperties:
        """Mass properties in axes with z along the shaft, from its left end."""
        found: MassProperties | None = None
        place = self.start
        for one in self.sections:
            made = tube_properties(
                (one.outer, one.outer_end),
                (one.inner, one.inner_end),
                one.length,
                (one.material or self.material).density,
            ).moved((0.0, 0.0, place + 0.5 * one.length))
            found = made if found is None else found + made
            place += one.length
        assert found is not None
        return found

    def shapes(self) -> list[Shape]:
        """Shapes of the sections for pictures, without bores."""
        found, place = [], self.start
        for one in self.sections:
            shape = cone(0.5 * one.outer, 0.5 * one.outer_end, one.length)
            found.append(shape.moved((0.0, 0.0, place + 0.5 * one.length)))
            place += one.length
        return found

    def torsional_stiffness(self) -> float:
        """Torque per twist between its ends [N m/rad], from the mean diameters of the sections."""
        soft = 0.0
        for one in self.sections:
            material = one.material or self.material
            shear = material.youngs_modulus / (2.0 * (1.0 + material.poissons_ratio))
            outer, inner = 0.5 * (one.outer + one.outer_end), 0.5 * (one.inner + one.inner_end)
            soft += one.length / (shear * np.pi / 32.0 * (outer**4 - inner**4))
        return float(1.0 / soft)


def tube_properties(
    outer: tuple[float, float], inner: tuple[float, float], length: float, density: float
) -> MassProperties:
    """Frustum with a tapered bore, about the middle of its axis."""
    whole = cone(0.5 * outer[0], 0.5 * outer[1], length, density=density)
    if max(inner) <= 0.0:
        return whole
    hole = cone(0.5 * inner[0], 0.5 * inner[1], length, density=density)
    mass = whole.mass - hole.mass
    centre = (whole.mass * whole.centre_of_mass - hole.mass * hole.centre_of_mass) / mass
    inertia = np.zeros((3, 3))
    for sign, part in ((1.0, whole), (-1.0, hole)):
        arm = part.centre_of_mass - centre
        inertia += sign * (part.inertia + part.mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm)))
    return MassProperties(mass, tuple(centre), inertia)


def shaft_line(
    structure: UnitStructure, shaft: ShaftParts, materials: Materials, report: ImportReport
) -> SectionLine | None:
    """Sections of a shaft; None if it has none."""
    if not shaft.sections:
        return None
    label = shaft.component.label
    if len(shaft.sections) > MOST_SECTIONS:
        raise shaft.component.error(None, f"has {len(shaft.sections)} sections, the limit is {MOST_SECTIONS}")
    placed = []
    for one in shaft.sections:
        place = one.number("u_coordinate_on_shaft")
        if place is None:
            if len(shaft.sections) > 1:
                raise one.error("u_coordinate_on_shaft", "the value is missing")
            place = 0.0
        length = one.require_number("length")
        if length < 0.0 or length > _LONGEST or abs(place) > _LONGEST:
            raise one.error("length", f"{length:g} m at {place:g} m is not plausible")
        if length > 0.0:
            placed.append((place, length, one))
    if not placed:
        raise shaft.component.error(None, "all its sections have the length 0")
    placed.sort(key=lambda item: item[0])
    material = materials.of(shaft.component)
    found: list[ShaftSection] = []
    end = placed[0][0]
    for place, length, one in placed:
        section = _section(one, length, structure, materials)
        if place - end > SAME:
            report.add(
                "assumed",
                f"{label}: gap of {1e3 * (place - end):.6g} mm before {one.label}, filled with the diameters before it",
            )
            outer, inner = found[-1].diameters(1.0)
            found.append(ShaftSection(place - end, outer, inner=inner, material=found[-1].material))
        elif end - place > SAME:
            over = end - place
            if over >= length - SAME:
                raise one.error("u_coordinate_on_shaft", f"the section is inside of other sections of {label}")
            report.add(
                "assumed",
                f"{label}: {one.label} overlaps by {1e3 * over:.6g} mm; it begins at the end of the section before",
            )
            section = _cut(section, over / length)
        found.append(section)
        end = place + length
    line = SectionLine(placed[0][0], tuple(found), material)
    return _with_mass(line, shaft.component, report)


def _section(one: RexsComponent, length: float, structure: UnitStructure, materials: Materials) -> ShaftSection:
    from .naming_errors import about

    outer = one.require_number("outer_diameter_begin")
    end = one.number("outer_diameter_end")
    inner = one.number("inner_diameter_begin") or 0.0
    inner_end = one.number("inner_diameter_end")
    own = materials.of(one) if structure.referenced(one.id, "material") else None
    with about(one):
        return ShaftSection(
            _tidy(length), _tidy(outer), inner=_tidy(inner), outer_end=_tidy(outer if end is None else end),
            inner_end=_tidy(inner if inner_end is None else inner_end), material=own,
        )  # fmt: skip


def _tidy(length: float) -> float:
    """Length without the rounding error of its unit."""
    return round(length, 13)


def _cut(section: ShaftSection, share: float) -> ShaftSection:
    outer, inner = section.diameters(share)
    return ShaftSection(
        section.length * (1.0 - share), outer, inner=inner, outer_end=section.outer_end, inner_end=section.inner_end,
        material=section.material,
    )  # fmt: skip


def _with_mass(line: SectionLine, shaft: RexsComponent, report: ImportReport) -> SectionLine:
    """Compare the mass of the sections with the stated mass; the stated mass is used if they differ by more than 5 %."""
    stated, computed = shaft.number("mass_of_component"), line.mass()
    if not stated or stated <= 0.0 or abs(stated - computed) <= 0.05 * computed:
        return line
    report.add("assumed", f"{shaft.label}: mass {stated:.4g} kg as stated; its sections have {computed:.4g} kg")
    factor = stated / computed
    sections = tuple(
        ShaftSection(
            one.length, one.outer, inner=one.inner, outer_end=one.outer_end, inner_end=one.inner_end,
            material=None if one.material is None else _denser(one.material, factor),
        )
        for one in line.sections
    )  # fmt: skip
    return SectionLine(line.start, sections, _denser(line.material, factor))


def _denser(material: Material, factor: float) -> Material:
    return Material(
        f"{material.name}, mass adjusted", density=material.density * factor, youngs_modulus=material.youngs_modulus,
        poissons_ratio=material.poissons_ratio,
    )  # fmt: skip
