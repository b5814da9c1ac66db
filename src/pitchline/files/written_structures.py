"""Tables for shafts, beams and flexible bodies: values that differ from the defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from ..beams.sections import BeamSection
from ..beams.shaft_section import ShaftSection
from ..errors import unknown_part
from ..gears import STEEL
from ..gears.material import Material
from ..model import Beam, FlexibleBody, Membrane, Model, Shaft
from ..model.beam_damping import BeamDamping
from ..model.frames import Frame
from ..model.line_inputs import between_ends
from . import catalogue
from .catalogue import Entry
from .written_gears import material_data
from .written_membranes import membrane_table
from .written_places import Places, Table
from .written_quantities import axis_of, direction, orientation, quantities, with_unit
from .written_values import CannotWrite

__all__ = ["StructureWords"]

_SECTION_UNITS = {
    "area": "area", "second_moments": "m^4", "torsion_constant": "m^4", "shear_areas": "area", "bending_moduli": "volume",
    "torsion_modulus": "volume", "angle": "angle",
}  # fmt: skip
"""Dimensions of values of beam sections that are not lengths."""


class StructureWords:
    """Possible tables for the shafts, beams and flexible bodies of a model."""

    def __init__(self, model: Model, places: Places) -> None:
        self.m, self.places = model, places

    def of(self, name: str) -> Iterator[tuple[Entry, Table]]:
        structure = self.m.structures[name]
        if isinstance(structure, Shaft):
            yield catalogue.SHAFT, self._shaft(structure)
        elif isinstance(structure, Beam):
            yield catalogue.BEAM, self._beam(structure)
        elif isinstance(structure, FlexibleBody):
            yield catalogue.FLEXIBLE_BODY, self._flexible_body(structure)
        elif isinstance(structure, Membrane):
            yield catalogue.MEMBRANE, membrane_table(structure)
        else:
            raise unknown_part("structure", structure, "the writer of model files")

    def _shaft(self, shaft: Shaft) -> Table:
        table: Table = {"sections": [_shaft_section(section) for section in shaft.sections]}
        if shaft.material != STEEL:
            table["material"] = material_data(shaft.material)
        if shaft.position.any():
            table["position"] = quantities(shaft.position, "length")
        axis = axis_of(shaft.orientation)
        if axis is None:
            table["orientation"] = orientation(shaft.orientation)
        elif axis != "z":
            table["axis"] = axis
        table |= _line(shaft)
        if shaft.hubs:
            table["hubs"] = {station: quantities(hub, "length") for station, hub in shaft.hubs.items()}
        if shaft.step_angle is not None:
            table["step_angle"] = with_unit(shaft.step_angle, "angle")
        if shaft.speed:
            table["speed"] = with_unit(shaft.speed, "angular velocity")
        return table | _moving(shaft)

    def _beam(self, beam: Beam) -> Table:
        rest: Table = {"section": _beam_section(beam.beam_section)}
        if beam.points:
            rest["points"] = [quantities(point, "length") for point in beam.points]
        for key in ("tangent", "end_tangent", "up"):
            if getattr(beam, key) is not None:
                rest[key] = direction(getattr(beam, key))
        rest |= {**_line(beam), **_moving(beam)}
        return {**{key: self._end(getattr(beam, key)) for key in "ab"}, **rest}

    def _flexible_body(self, body: FlexibleBody) -> Table:
        source = body.superelement.source
        if source is None:
            raise CannotWrite(
                f"{body.subject}: its superelement was created from arrays in Python, which a file cannot contain. Save it with "
                '.save("body.h5"), and create the flexible body with read_superelement("body.h5")'
            )
        said = dict(source)
        for key in ("file", "mesh"):
            if key in said:
                said[key] = FilePath(said[key]).name  # next to the model file
        if "material" in said:
            said["material"] = material_data(said["material"])
        table: Table = {"superelement": said}
        if body.position.any():
            table["position"] = quantities(body.position, "length")
        if not np.array_equal(body.orientation, np.eye(3)):
            table["orientation"] = orientation(body.orientation)
        if body.damping:
            table["damping"] = with_unit(body.damping, "time")
        if body.modal_damping:
            table["modal_damping"] = body.modal_damping
        return table | _moving(body)

    def _end(self, end: Frame | np.ndarray) -> Any:
        if not isinstance(end, Frame):
            return quantities(end, "length")
        return self.places.frame(end, named=False) if end.position.any() else end.body_name


def _line(line: Shaft | Beam) -> Table:
    """Values that shafts and beams have in common."""
    table: Table = {}
    given = between_ends(line.places)
    if given:
        table["stations"] = {name: with_unit(place, "length") for name, place in given.items()}
    if line.elements_at_least != 4:
        table["elements"] = line.elements_at_least
    if line.frequency is not None:
        table["frequency"] = with_unit(line.frequency, "frequency")
    if line.damping != BeamDamping():
        table["damping"] = _damping(line.damping)
    if line.mass != "tuned":
        table["mass"] = line.mass
    return table


def _damping(damping: BeamDamping) -> Any:
    parts = {key: getattr(damping, key) for key in ("bending", "torsion", "axial")}
    if len(set(parts.values())) == 1:
        return with_unit(damping.bending, "time")
    return {key: with_unit(value, "time") for key, value in parts.items() if value}


def _moving(line: Shaft | Beam | FlexibleBody) -> Table:
    table: Table = {}
    for key, dimension in (("velocity", "velocity"), ("angular_velocity", "angular velocity")):
        value = getattr(line, key)
        if value is not None and (isinstance(line, Beam) or value.any()):
            table[key] = quantities(value, dimension)
    return table


def _shaft_section(section: ShaftSection) -> Table:
    table = {"length": with_unit(section.length, "length"), "outer": with_unit(section.outer, "length")}
    if section.inner:
        table["inner"] = with_unit(section.inner, "length")
    for key, begin in (("outer_end", section.outer), ("inner_end", section.inner)):
        if getattr(section, key) != begin:
            table[key] = with_unit(getattr(section, key), "length")
    if section.material is not None:
        table["material"] = material_data(section.material)
    if section.notch_factor != 1.0:
        table["notch_factor"] = section.notch_factor
    return table


def _beam_section(section: BeamSection) -> Table:
    entry = catalogue.BEAM_SECTIONS[section.shape]
    given: Mapping[str, Any] = section.given
    table: Table = {"kind": section.shape}
    for key in entry.arguments:
        if key not in given or (key not in entry.required and _is_default(given[key], entry.default(key))):
            continue
        value = given[key]
        if isinstance(value, Material):
            table[key] = material_data(value)
        elif section.shape == "matrices":
            table[key] = [[float(x) for x in row] for row in np.asarray(value)]
        else:
            dimension = _SECTION_UNITS.get(key, "length")
            table[key] = quantities(value, dimension) if isinstance(value, tuple) else with_unit(value, dimension)
    return table


def _is_default(value: Any, default: Any) -> bool:
    return value is default or value == default or (default is None and not np.any(value))
