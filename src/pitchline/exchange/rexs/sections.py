"""Shafts of REXS: sections in a row, materials, names of parts, and options of the import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from pitchline.errors import ModelError, shown
from pitchline.parts.gears.geometry.inputs import STEEL, Material
from pitchline.parts.shafts.sections import ShaftSection
from pitchline.solids.mass_properties import MassProperties, Shape
from pitchline.solids.stl_solid import cone

from ..mass_table import ImportReport
from .component import RexsComponent
from .places import SAME, ShaftParts, UnitStructure

__all__ = [
    "about",
    "BEARINGS",
    "MESHES",
    "SHAFTS",
    "RexsOptions",
    "PartNames",
    "Materials",
    "SectionLine",
    "shaft_line",
    "tube_properties",
]


# ---- naming errors

# Errors of a model that name the component of the file.


@contextmanager
def about(component: RexsComponent) -> Iterator[None]:
    """Add file, line and component to errors of the model."""
    try:
        yield
    except ModelError as error:
        raise component.error(None, str(error)) from error


# ---- options

# Options of an import from REXS.

MESHES = ("elastic", "rolling", "rigid", "loaded")
SHAFTS = ("elastic", "rigid")
BEARINGS = ("geometry", "stiffness")
DAMPING_RATIO = 0.05
"""Damping ratio of elastic meshes; REXS has no damping."""


@dataclass(frozen=True)
class RexsOptions:
    """Options of an import.

    mesh:       law of the gear pairs: "elastic", "rolling", "rigid" or "loaded"
    shafts:     "elastic" beams or "rigid" bodies
    bearings:   "geometry": rolling bearings by their internal geometry or catalogue data, if the file has them; "stiffness": all
                bearings by their stiffness
    gear_shift: number of the gear for switchable couplings, from 1; None: as in the file
    """

    mesh: str = "elastic"
    shafts: str = "elastic"
    bearings: str = "geometry"
    gear_shift: int | None = None

    def __post_init__(self) -> None:
        for name, allowed in (("mesh", MESHES), ("shafts", SHAFTS), ("bearings", BEARINGS)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed:
                words = ", ".join(f'"{word}"' for word in allowed)
                raise ModelError(f"from_rexs: {name} must be one of {words}, got {shown(value)}")
        if self.gear_shift is not None and (
            isinstance(self.gear_shift, bool) or not isinstance(self.gear_shift, int) or self.gear_shift < 1
        ):
            raise ModelError(f"from_rexs: gear_shift must be an integer from 1, got {shown(self.gear_shift)}")


# ---- part names

# Names of parts from the names of components.

_LONGEST = 80
_RESERVED = ("ground", "start", "end")


class PartNames:
    """Unique names: the name of the component without the signs that a model does not allow, with its id if it is not unique."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._given: dict[tuple[int, str], str] = {}

    def of(self, component: RexsComponent, more: str = "") -> str:
        """Name of the part of a component.

        more: appended to the name, for a second part of the same component
        """
        key = component.id, more
        if key not in self._given:
            base = cleaned(component.name) or f"{component.new_type} {component.id}"
            self._given[key] = self.unique(f"{base} {more}" if more else base, component.id)
        return self._given[key]

    def unique(self, name: str, number: int) -> str:
        """The name itself, or with the id of the component if it is used."""
        candidates = [name, f"{name} ({number})", *(f"{name} ({number}, {count})" for count in range(2, 50))]
        chosen = next(item for item in candidates if item not in self._used and item not in _RESERVED)
        self._used.add(chosen)
        return chosen


def cleaned(name: str | None) -> str:
    """Name with allowed signs only, and without those that stand for several signs where parts and signals are chosen."""
    text = re.sub(r"[./*?]", "_", name or "").replace("[", "(").replace("]", ")")
    text = "".join(sign for sign in text if sign.isprintable())
    return " ".join(text.split())[:_LONGEST].strip()


# ---- materials

# Materials of REXS components.


class Materials:
    """Materials by component, each read once."""

    def __init__(self, structure: UnitStructure, report: ImportReport) -> None:
        self.structure, self.report = structure, report
        self._read: dict[int, Material] = {}

    def of(self, component: RexsComponent) -> Material:
        """Material to which a component refers; steel if there is none."""
        found = self.structure.referenced(component.id, "material")
        if not found:
            self.report.add("assumed", f"{component.label}: no material; steel is used")
            return STEEL
        source = found[0]
        if source.id not in self._read:
            self._read[source.id] = self._material(source)
        return self._read[source.id]

    def _material(self, source: RexsComponent) -> Material:
        name = cleaned(source.name) or cleaned(source.string("material_designation")) or f"material {source.id}"
        density, modulus, ratio = (source.number(key) for key in ("density", "elastic_modulus", "poisson_ratio"))
        for key, value, default in (
            ("density", density, STEEL.density),
            ("elastic_modulus", modulus, STEEL.youngs_modulus),
            ("poisson_ratio", ratio, STEEL.poissons_ratio),
        ):
            if value is None:
                self.report.add(
                    "assumed", f"{source.label}: {key} is missing; the value of steel, {default:g}, is used"
                )
            elif value <= 0.0 and key != "poisson_ratio":
                raise source.error(key, "must be greater than zero")
        if ratio is not None and not 0.0 <= ratio < 0.5:
            raise source.error("poisson_ratio", "must be from 0 to less than 0.5")
        return Material(
            name,
            density=STEEL.density if density is None else density,
            youngs_modulus=STEEL.youngs_modulus if modulus is None else modulus,
            poissons_ratio=STEEL.poissons_ratio if ratio is None else ratio,
        )


MOST_SECTIONS = 1000
_LONGEST_sections = 100.0
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
        if length < 0.0 or length > _LONGEST_sections or abs(place) > _LONGEST_sections:
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
    pass

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
