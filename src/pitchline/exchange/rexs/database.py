"""Attributes of the standard that pitchline reads or writes: unit, type and versions."""

from __future__ import annotations

from dataclasses import dataclass

from .renames import new_name

__all__ = ["KnownAttribute", "known_attribute", "value_type_of"]


@dataclass(frozen=True)
class KnownAttribute:
    """Attribute of the standard.

    unit:       unit of the newest version
    value_type: "floating_point", "integer", "boolean", "enum", "string", "reference_component", and arrays of these
    direction:  direction vector; its unit has no meaning
    """

    id: str
    unit: str
    value_type: str
    direction: bool = False


def _table() -> dict[str, KnownAttribute]:
    found = {}
    for line in _ATTRIBUTES.strip().splitlines():
        names, unit, value_type = (part.strip() for part in line.split("|"))
        for name in names.split():
            found[name] = KnownAttribute(name, unit, value_type, direction=name in ("u_axis_vector", "w_axis_vector"))
    return found


_ATTRIBUTES = """
support_vector u_axis_vector w_axis_vector eccentricity_vector | mm | floating_point_array
reference_component_for_position | none | reference_component
u_coordinate_on_shaft u_coordinate_on_shaft_inner_side u_coordinate_on_shaft_outer_side | mm | floating_point
length outer_diameter_begin outer_diameter_end inner_diameter_begin inner_diameter_end | mm | floating_point
rotational_speed | 1 / min | floating_point
mass_of_component | kg | floating_point
number_of_teeth | none | integer
normal_module face_width tip_diameter root_diameter inner_diameter outer_diameter width center_distance | mm | floating_point
normal_pressure_angle helix_angle_reference_diameter rotating_angle_around_neg_u_axis | deg | floating_point
"""
_KNOWN = _table()


def known_attribute(component_type: str, attribute: str) -> KnownAttribute | None:
    """Attribute of the standard by its newest name, or None if pitchline does not use it."""
    return _KNOWN.get(attribute)


def value_type_of(component_type: str, attribute: str) -> str | None:
    """Type of an attribute by its name in the file (old or new), or None if it is unknown."""
    known = known_attribute(component_type, new_name(component_type, attribute))
    return known.value_type if known is not None else None
