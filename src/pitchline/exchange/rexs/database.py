"""Attributes, units and error numbers of REXS that pitchline reads, writes or checks.

Units are those of version 1.7. Attributes with the same unit and type share a line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

__all__ = [
    "ATTRIBUTES",
    "ENUMERATIONS",
    "RexsProblem",
    "Severity",
    "RENAMES",
    "TYPE_RENAMES",
    "Rename",
    "names_of",
    "new_name",
    "KnownAttribute",
    "all_attributes",
    "known_attribute",
    "value_type_of",
    "REXS_UNITS",
    "RexsUnit",
    "rexs_unit",
]


ATTRIBUTES = """
support_vector u_axis_vector w_axis_vector | mm | floating_point_array | 1.0
eccentricity_vector | mm | floating_point_array | 1.3
reference_component_for_position | none | reference_component | 1.0
u_coordinate_on_shaft u_coordinate_on_shaft_inner_side u_coordinate_on_shaft_outer_side | mm | floating_point | 1.0
length outer_diameter_begin outer_diameter_end inner_diameter_begin inner_diameter_end | mm | floating_point | 1.0
inner_diameter outer_diameter width distance_between_bearing_rows | mm | floating_point | 1.0
rotational_speed speed_outer_ring | 1 / min | floating_point | 1.0
rolling_rotational_speed | 1 / min | floating_point | 1.1
defines_speed defines_torque transmits_torque | none | boolean | 1.0
mass_of_component | kg | floating_point | 1.3
moment_of_inertia_u_axis moment_of_inertia_v_axis moment_of_inertia_w_axis | kg m^2 | floating_point | 1.3
account_for_gravity account_for_shear_deformation | none | boolean | 1.1
gravitational_acceleration | m / s^2 | floating_point | 1.1
direction_vector_gravity_u direction_vector_gravity_v direction_vector_gravity_w | none | floating_point | 1.1
number_of_gears gear_shift_index number_of_bearing_rows number_of_rolling_elements number_of_teeth | none | integer | 1.0
operating_time | h | floating_point | 1.3
operating_time_fraction | % | floating_point | 1.3
temperature_lubricant | C | floating_point | 1.0
density density_at_15_degree_celsius | kg / dm^3 | floating_point | 1.0
viscosity_at_40_degree_celsius viscosity_at_100_degree_celsius | mm^2 / s | floating_point | 1.0
elastic_modulus shear_modulus tensile_strength | N / mm^2 | floating_point | 1.0
yield_strength endurance_limit_flank endurance_limit_root | N / mm^2 | floating_point | 1.0
poisson_ratio | none | floating_point | 1.0
thermal_conductivity | W / (m K) | floating_point | 1.0
thermal_capacity | J / (kg K) | floating_point | 1.0
thermal_expansion_coefficient_plus thermal_expansion_coefficient_minus | 1e-6 / C | floating_point | 1.0
surface_hardness_vickers core_hardness_vickers | HV | floating_point | 1.0
material_designation manufacturer catalogue_designation kind folder | none | string | 1.0
normal_module face_width tip_diameter root_diameter tooth_tip_chamfer chamfer_at_tooth_end | mm | floating_point | 1.0
facewidth_usable_start facewidth_usable_end transverse_module | mm | floating_point | 1.2
helix_angle_reference_diameter normal_pressure_angle | deg | floating_point | 1.0
rotating_angle_around_neg_u_axis pressure_angle | deg | floating_point | 1.0
addendum_modification_coefficient | none | floating_point | 1.0
addendum_modification | mm | floating_point | 1.0
generated_addendum_modification_coefficient | none | floating_point | 1.1
normal_tooth_thickness_at_reference_diameter | mm | floating_point | 1.2
center_distance | mm | floating_point | 1.0
common_face_width transverse_base_pitch | mm | floating_point | 1.1
axial_pitch base_diameter reference_diameter_cylindrical_gear | mm | floating_point | 1.1
machining_allowance grinding_allowance machining_allowance_tolerance | mm | floating_point | 1.0
addendum_coefficient_reference_profile dedendum_coefficient_reference_profile | none | floating_point | 1.0
utilized_dedendum_coefficient_reference_profile | none | floating_point | 1.0
protuberance_amount_factor protuberance_height_factor | none | floating_point | 1.0
addendum_reference_profile dedendum_reference_profile protuberance_amount protuberance_height | mm | floating_point | 1.0
protuberance_angle | deg | floating_point | 1.0
tip_corner_radius_factor_reference_profile | none | floating_point | 1.0
tip_corner_radius_reference_profile | mm | floating_point | 1.0
mesh_stiffness_for_load_distribution_along_face_width | N / (mm mum) | floating_point | 1.1
meshing_stiffness_characteristic | N / mm | floating_point_array | 1.5
rotational_meshing_position | deg | floating_point_array | 1.5
minimum_normal_backlash maximum_normal_backlash | mm | floating_point | 1.3
datum_face_orientation | none | enum | 1.2
shape_of_relief shape_of_helix_crowning shape_of_profile_crowning | none | enum | 1.2
tip_relief_depth tip_relief_datum_diameter tip_relief_datum_length | mm | floating_point | 1.2
root_relief_depth root_relief_datum_diameter root_relief_datum_length | mm | floating_point | 1.2
end_relief_depth_datum_face end_relief_length_datum_face | mm | floating_point | 1.2
end_relief_depth_non_datum_face end_relief_length_non_datum_face | mm | floating_point | 1.2
profile_crowning_amount_tip profile_crowning_amount_root | mm | floating_point | 1.2
helix_crowning_amount_datum_face helix_crowning_amount_non_datum_face | mm | floating_point | 1.2
helix_slope profile_slope profile_twist | mm | floating_point | 1.2
topographical_modification_amounts | mm | floating_point_matrix | 1.2
diameters_of_topographical_modification coordinates_of_topographical_modification | mm | floating_point_array | 1.2
is_driving_gear | none | boolean | 1.0
loaded_tooth_flank | none | enum | 1.1
axial_stiffness radial_stiffness | N / m | floating_point | 1.0
bending_stiffness | N mm / rad | floating_point | 1.0
rotational_stiffness | N mm / rad | floating_point | 1.1
axial_force_absorption axial_force_absorption_of_row bearing_type | none | enum | 1.0
radial_force_absorption | none | boolean | 1.1
is_engaged | none | boolean_array | 1.0
radial_static_load_rating radial_dynamic_load_rating | kN | floating_point | 1.1
axial_static_load_rating axial_dynamic_load_rating | kN | floating_point | 1.1
fatigue_limit_load | kN | floating_point | 1.0
operating_radial_bearing_clearance operating_axial_bearing_clearance | mum | floating_point | 1.1
radial_bearing_clearance axial_bearing_clearance | mum | floating_point | 1.1
mounted_radial_bearing_clearance mounted_axial_bearing_clearance | mum | floating_point | 1.1
minimum_axial_bearing_clearance maximum_axial_bearing_clearance | mum | floating_point | 1.1
preload_force | N | floating_point | 1.1
preload_distance | mum | floating_point | 1.1
misalignment_in_v_direction misalignment_in_w_direction | mum | floating_point | 1.0
diameter_of_rolling_element length_of_rolling_element effective_length_of_rolling_element | mm | floating_point | 1.0
reference_diameter_rolling_bearing roller_crowning_radius | mm | floating_point | 1.0
raceway_radius_of_inner_ring raceway_radius_of_outer_ring | mm | floating_point | 1.1
has_inner_ring has_outer_ring | none | boolean | 1.1
force_u_direction force_v_direction force_w_direction | N | floating_point | 1.0
torque_around_u_axis torque_around_v_axis torque_around_w_axis | N m | floating_point | 1.0
torque_around_the_v_axis torque_around_the_w_axis | N m | floating_point | 1.0
power | kW | floating_point | 1.0
shaft_angle pitch_angle mean_spiral_angle face_angle root_angle outer_spiral_angle | deg | floating_point | 1.0
hypoid_offset mean_normal_module | mm | floating_point | 1.0
outer_transverse_module outer_pitch_diameter mean_pitch_cone_diameter | mm | floating_point | 1.0
pitch_apex_beyond_crossing_point face_apex_beyond_crossing_point root_apex_beyond_crossing_point | mm | floating_point | 1.0
addendum_modification_coefficient_worm_wheel | none | floating_point | 1.4
profile_shift_coefficient thickness_modification_coefficient | none | floating_point | 1.0
spiral_angle_pitch_direction bevel_cone_orientation | none | enum | 1.0
axial_module reference_diameter_worm_gear length_worm_gear tip_diameter_worm_gear | mm | floating_point | 1.3
face_width_worm_wheel effective_face_width_worm_wheel throat_radius_worm_wheel | mm | floating_point | 1.3
lead_angle_worm_gear pressure_angle_worm_gear | deg | floating_point | 1.3
flank_form | none | enum | 1.3
reduced_static_stiffness_matrix | none | floating_point_matrix | 1.1
gear_body_rim_thickness gear_body_web_thickness | mm | floating_point | 1.6
operating_point_stiffness_f_u_d_u | N / m | floating_point | 1.1
operating_point_stiffness_f_u_d_v operating_point_stiffness_f_u_d_w | N / m | floating_point | 1.1
operating_point_stiffness_f_v_d_u | N / m | floating_point | 1.1
operating_point_stiffness_f_v_d_v operating_point_stiffness_f_v_d_w | N / m | floating_point | 1.1
operating_point_stiffness_f_w_d_u | N / m | floating_point | 1.1
operating_point_stiffness_f_w_d_v operating_point_stiffness_f_w_d_w | N / m | floating_point | 1.1
operating_point_stiffness_f_u_rot_v | N / rad | floating_point | 1.1
operating_point_stiffness_f_u_rot_w operating_point_stiffness_f_v_rot_v | N / rad | floating_point | 1.1
operating_point_stiffness_f_v_rot_w | N / rad | floating_point | 1.1
operating_point_stiffness_f_w_rot_v operating_point_stiffness_f_w_rot_w | N / rad | floating_point | 1.1
operating_point_stiffness_m_v_d_u operating_point_stiffness_m_v_d_v operating_point_stiffness_m_v_d_w | N | floating_point | 1.1
operating_point_stiffness_m_w_d_u operating_point_stiffness_m_w_d_v operating_point_stiffness_m_w_d_w | N | floating_point | 1.1
operating_point_stiffness_m_v_rot_v operating_point_stiffness_m_v_rot_w | N mm / rad | floating_point | 1.1
operating_point_stiffness_m_w_rot_v operating_point_stiffness_m_w_rot_w | N mm / rad | floating_point | 1.1
displacement_inner_side_u displacement_inner_side_v displacement_inner_side_w | mum | floating_point | 1.1
displacement_outer_side_u displacement_outer_side_v displacement_outer_side_w | mum | floating_point | 1.1
tilting_inner_side_u tilting_inner_side_v tilting_inner_side_w | deg | floating_point | 1.1
tilting_outer_side_u tilting_outer_side_v tilting_outer_side_w | deg | floating_point | 1.1
force_acting_on_inner_component_u force_acting_on_inner_component_v force_acting_on_inner_component_w | N | floating_point | 1.1
force_acting_on_outer_component_u force_acting_on_outer_component_v force_acting_on_outer_component_w | N | floating_point | 1.1
torque_acting_on_inner_component_u | N m | floating_point | 1.1
torque_acting_on_inner_component_v torque_acting_on_inner_component_w | N m | floating_point | 1.1
torque_acting_on_outer_component_u | N m | floating_point | 1.1
torque_acting_on_outer_component_v torque_acting_on_outer_component_w | N m | floating_point | 1.1
force_acting_on_shaft_u force_acting_on_shaft_v force_acting_on_shaft_w | N | floating_point | 1.1
torque_acting_on_shaft_v torque_acting_on_shaft_w | N m | floating_point | 1.1
torque_acting_on_shaft_u | N m | floating_point | 1.4
displacement_u displacement_v displacement_w | mum | floating_point | 1.1
tilting_v tilting_w | deg | floating_point | 1.1
u_coordinates_of_beam_nodes | mm | floating_point_array | 1.1
displacement_u_of_nodes displacement_v_of_nodes displacement_w_of_nodes | mum | floating_point_array | 1.1
torsion_u | deg | floating_point_array | 1.1
force_distribution_u force_distribution_v force_distribution_w | N | floating_point_array | 1.1
torque_distribution_u torque_distribution_v torque_distribution_w | N m | floating_point_array | 1.1
total_tooth_force_u_direction total_tooth_force_v_direction total_tooth_force_w_direction | kN | floating_point | 1.0
torque | N m | floating_point | 1.1
gear_ratio radial_contact_ratio overlap_contact_ratio | none | floating_point | 1.1
total_contact_ratio | none | floating_point | 1.3
operating_pressure_angle_in_the_transverse_section pressure_angle_in_the_transverse_section | deg | floating_point | 1.1
helix_angle_base_circle operating_pressure_angle_in_the_normal_section | deg | floating_point | 1.1
transverse_circular_pitch_on_reference_circle | mm | floating_point | 1.1
usable_root_circle_diameter usable_addendum_circle_diameter | mm | floating_point | 1.1
equivalent_dynamic_bearing_load_iso_281_2007 | kN | floating_point | 1.1
nominal_rating_life_rotations_iso_281_2007 nominal_reference_rating_life_rotations_iso_16281_2008 | MRev | floating_point | 1.1
nominal_rating_life_time_iso_281_2007 nominal_reference_rating_life_time_iso_16281_2008 | h | floating_point | 1.1
dynamic_equivalent_reference_bearing_load_iso_16281_2008 | N | floating_point | 1.6
total_frictional_torque | N m | floating_point | 1.0
static_load_safety | none | floating_point | 1.0
speed_inner_ring | 1 / min | floating_point | 1.0
total_frictional_power_loss | W | floating_point | 1.0
"""

# fmt: off
ENUMERATIONS: dict[str, tuple[str, ...]] = {
    "axial_force_absorption": ("no_direction", "positive", "negative", "both_directions"),
    "axial_force_absorption_of_row": ("no_direction", "positive", "negative", "both_directions"),
    "datum_face_orientation": ("positive", "negative"),
    "bevel_cone_orientation": ("positive", "negative"),
    "bearing_type": (
        "angular_contact_ball_bearing", "axial_angular_contact_ball_bearing", "axial_four_point_contact_ball_bearing",
        "axial_grooved_ball_bearing", "axial_needle_roller_bearing", "axial_roller_bearing",
        "axial_self_aligning_roller_bearing", "axial_tapered_roller_bearing", "crossed_roller_bearing",
        "four_point_contact_ball_bearing", "radial_grooved_ball_bearing", "radial_needle_roller_bearing",
        "radial_roller_bearing", "radial_self_aligning_ball_bearing", "radial_self_aligning_roller_bearing",
        "radial_spherical_roller_bearing", "radial_tapered_roller_bearing",
    ),
}
# fmt: on
"""Values of enumerations that pitchline distinguishes. Other values give a notice: programs write values of their own."""


# ---- problems

# Problems of a REXS file, with component, attribute and line.

Severity = Literal["error", "warning", "notice"]


@dataclass(frozen=True)
class RexsProblem:
    """One problem of a file.

    severity:  "error": the file breaks the standard and cannot be used as it is; "warning": it can be used; "notice": unknown item
    component: id of the component, or None
    attribute: name of the attribute, or None
    line:      line of the file, or 0
    """

    severity: Severity
    text: str
    component: int | None = None
    attribute: str | None = None
    line: int = 0
    file: str = ""

    def __str__(self) -> str:
        """file:line: severity: text."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.severity}: {self.text}" if place else f"{self.severity}: {self.text}"


# ---- renames

# Names that changed between versions of REXS. Files of any version may contain the old or the new name.

_BEARINGS = ("concept_bearing", "rolling_bearing_with_catalog_geometry", "rolling_bearing_with_detailed_geometry")
_TOOLS = ("rack_shaped_tool", "cutter_wheel_tool")


@dataclass(frozen=True)
class Rename:
    """New name of an attribute.

    since: first version with the new name, as (major, minor)
    types: types of component (new names); empty: all types
    """

    since: tuple[int, int]
    old: str
    new: str
    types: tuple[str, ...] = ()


def _stiffness_renames() -> list[Rename]:
    rows, columns = ("f_u", "f_v", "f_w", "m_v", "m_w"), ("d_u", "d_v", "d_w", "rot_v", "rot_w")
    found = []
    for row in rows:
        for column in columns:
            new = f"operating_point_stiffness_{row}_{column}"
            kind = "F" if row[0] == "f" else "M"
            old_column = column if column[0] == "d" else f"d_{column[-1]}_rot"
            found.append(Rename((1, 1), f"operating_point_stiffness_d{kind}_{row[-1]}_{old_column}", new))
            found.append(Rename((1, 1), f"operating_point_stiffness_d{kind}{row[-1]}_{old_column}", new))
    return found


RENAMES: tuple[Rename, ...] = (
    Rename((1, 1), "name", "catalogue_designation", _BEARINGS),
    Rename((1, 1), "static_capacity", "radial_static_load_rating", _BEARINGS),
    Rename((1, 1), "dynamic_capacity", "radial_dynamic_load_rating", _BEARINGS),
    Rename((1, 1), "radial_backlash", "operating_radial_bearing_clearance", _BEARINGS),
    Rename((1, 1), "axial_backlash", "operating_axial_bearing_clearance", _BEARINGS),
    Rename((1, 1), "initial_load", "preload_force", _BEARINGS),
    Rename((1, 1), "initial_load_shift", "preload_distance", _BEARINGS),
    *_stiffness_renames(),
    Rename((1, 3), "load_duration", "operating_time"),
    Rename((1, 3), "load_duration_fraction", "operating_time_fraction"),
    Rename(
        (1, 7),
        "nominal_reference_rating_life_rotations_din_26281",
        "nominal_reference_rating_life_rotations_iso_16281_2008",
    ),
    Rename((1, 7), "nominal_reference_rating_life_time_din_26281", "nominal_reference_rating_life_time_iso_16281_2008"),
    Rename((2, 0), "tip_radius", "tip_corner_radius_reference_profile", _TOOLS),
    Rename((2, 0), "tip_radius_factor", "tip_corner_radius_factor_reference_profile", _TOOLS),
    Rename((2, 0), "reference_circle_diameter", "reference_diameter_cylindrical_gear"),
    Rename((2, 0), "base_circle_diameter", "base_diameter"),
    Rename((2, 0), "reference_diameter", "reference_diameter_rolling_bearing", ("rolling_bearing_row",)),
)
"""In the order of versions."""

TYPE_RENAMES: dict[str, str] = {
    "fixed_coupling": "coupling",
    "flank_geometry": "cylindrical_gear_flank",
    "stage_gear_data": "cylindrical_stage_gear_data",
}
"""Old type of component -> new type. Flanks and stage data of bevel gears and worms follow from their relations."""


def _applies(rename: Rename, component_type: str) -> bool:
    return not rename.types or component_type in rename.types


@lru_cache(maxsize=20_000)
def new_name(component_type: str, attribute: str) -> str:
    """Name of an attribute in the newest version."""
    for rename in RENAMES:
        if rename.old == attribute and _applies(rename, component_type):
            attribute = rename.new
    return attribute


@lru_cache(maxsize=20_000)
def names_of(component_type: str, attribute: str) -> tuple[str, ...]:
    """The newest name of an attribute, and its old names, the newest first."""
    names = [attribute]
    for rename in reversed(RENAMES):
        if rename.new in names and _applies(rename, component_type) and rename.old not in names:
            names.append(rename.old)
    return tuple(names)


# ---- database

# Attributes of the standard that pitchline reads or writes: unit, type and versions.


@dataclass(frozen=True)
class KnownAttribute:
    """Attribute of the standard.

    unit:       unit in version 1.7
    value_type: "floating_point", "integer", "boolean", "enum", "string", "reference_component", and arrays of these
    since:      first version
    direction:  direction vector; its unit has no meaning
    """

    id: str
    unit: str
    value_type: str
    since: str
    direction: bool = False


@cache
def all_attributes() -> dict[str, KnownAttribute]:
    """All attributes of the table by their newest name."""
    found = {}
    for line in ATTRIBUTES.strip().splitlines():
        names, unit, value_type, since = (part.strip() for part in line.split("|"))
        for name in names.split():
            direction = name in ("u_axis_vector", "w_axis_vector")
            found[name] = KnownAttribute(name, unit, value_type, since, direction)
    return found


def known_attribute(component_type: str, attribute: str) -> KnownAttribute | None:
    """Attribute of the standard by its newest name, or None if pitchline does not use it.

    The table has one line for a name: names that several components share have the same unit in the standard.
    """
    return all_attributes().get(attribute)


@lru_cache(maxsize=20_000)
def value_type_of(component_type: str, attribute: str) -> str | None:
    """Type of an attribute by its name in the file (old or new), or None if it is unknown."""
    known = known_attribute(component_type, new_name(component_type, attribute))
    return known.value_type if known is not None else None


# ---- units

# Units of REXS files. The spelling is that of the standard: C is degree Celsius, mum is micrometre.


@dataclass(frozen=True)
class RexsUnit:
    """Unit: value in SI = factor * number + offset.

    quantity: kind of quantity; units of one quantity can be converted
    """

    quantity: str
    factor: float
    offset: float = 0.0

    def to_si(self, number: float) -> float:
        """Value in SI units (rad, rad/s, K, 1 for %)."""
        return self.factor * number + self.offset

    def from_si(self, value: float) -> float:
        """Number in this unit."""
        return (value - self.offset) / self.factor


_TURN = 2.0 * math.pi
_TABLE: dict[str, dict[str, float]] = {
    "number": {"none": 1.0, "": 1.0, "-": 1.0, "1": 1.0, "%": 1e-2, "m / m": 1.0},
    "length": {"mm": 1e-3, "mum": 1e-6, "m": 1.0, "cm": 1e-2, "µm": 1e-6, "μm": 1e-6, "um": 1e-6, "nm": 1e-9},
    "area": {"mm^2": 1e-6, "m^2": 1.0},
    "volume": {"mm^3": 1e-9, "l": 1e-3, "m^3": 1.0},
    "1/length": {"1 / mm": 1e3, "1 / m": 1.0},
    "angle": {
        "deg": math.pi / 180, "°": math.pi / 180, "degree": math.pi / 180, "rad": 1.0, "mrad": 1e-3, "'": math.pi / 10800,
    },
    "angular velocity": {"1 / min": _TURN / 60, "rpm": _TURN / 60, "min^-1": _TURN / 60, "rad / s": 1.0, "deg / s": math.pi / 180},
    "frequency": {"Hz": 1.0, "1 / s": 1.0, "kHz": 1e3},
    "revolutions": {"MRev": 1e6},
    "velocity": {"m / s": 1.0, "mm / s": 1e-3, "mm / h": 1e-3 / 3600},
    "acceleration": {"m / s^2": 1.0, "mm / s^2": 1e-3},
    "time": {"s": 1.0, "ms": 1e-3, "mus": 1e-6, "min": 60.0, "h": 3600.0},
    "mass": {"kg": 1.0, "g": 1e-3, "mg": 1e-6, "t": 1e3},
    "inertia": {"kg m^2": 1.0, "kg mm^2": 1e-6},
    "density": {"kg / dm^3": 1e3, "kg / m^3": 1.0, "g / cm^3": 1e3},
    "force": {"N": 1.0, "kN": 1e3, "MN": 1e6},
    "torque": {"N m": 1.0, "kN m": 1e3, "N mm": 1e-3},
    "stiffness": {"N / m": 1.0, "N / mm": 1e3, "N / mum": 1e6},
    "force per angle": {"N / rad": 1.0},
    "torsional stiffness": {"N mm / rad": 1e-3, "N m / rad": 1.0},
    "pressure": {
        "N / mm^2": 1e6, "MPa": 1e6, "Pa": 1.0, "GPa": 1e9, "bar": 1e5, "kPa": 1e3, "N / (mm mum)": 1e9, "N / m^2": 1.0,
    },
    "root of pressure": {"(N / mm^2)^0.5": 1e3, "MPa^0.5": 1e3},
    "1/pressure": {"mm^2 / N": 1e-6, "1 / MPa": 1e-6},
    "power": {"kW": 1e3, "W": 1.0, "MW": 1e6},
    "power per length": {"W / mm": 1e3},
    "flow": {"l / min": 1e-3 / 60, "m^3 / s": 1.0},
    "kinematic viscosity": {"mm^2 / s": 1e-6, "m^2 / s": 1.0, "cSt": 1e-6},
    "viscosity": {"mPa s": 1e-3, "Pa s": 1.0},
    "temperature": {"K": 1.0},
    "1/temperature": {"1e-6 / C": 1e-6, "1e-6 / K": 1e-6, "1 / K": 1.0},
    "specific heat": {"J / (kg K)": 1.0},
    "thermal conductivity": {"W / (m K)": 1.0},
    "heat transfer": {"W / (m^2 K)": 1.0},
    "thermal resistance": {"K m^2 / W": 1.0},
    "heating rate": {"K / mus": 1e6},
    "thermal contact": {"N / (mm s^0.5 K)": 1e3},
    "heat transfer of plastics": {"K (m / s)^0.75 mm^1.75 / W": 1e-3**1.75},
    "wear": {"1e-6 mm^3 / (N m)": 1e-15},
    "Brinell hardness": {"HB": 1.0},
    "Vickers hardness": {"HV": 1.0},
    "Rockwell hardness": {"HRC": 1.0},
    "level": {"dB": 1.0},
}  # fmt: skip


def _key(text: str) -> str:
    """Spelling without blanks and signs of multiplication."""
    return "".join(text.split()).replace("*", "").replace("·", "").replace("²", "^2").replace("³", "^3")


REXS_UNITS: dict[str, RexsUnit] = {
    _key(name): RexsUnit(quantity, factor) for quantity, units in _TABLE.items() for name, factor in units.items()
}
for _celsius in ("C", "°C"):
    REXS_UNITS[_celsius] = RexsUnit("temperature", 1.0, 273.15)


def rexs_unit(text: str) -> RexsUnit | None:
    """Unit by its name, or None if the name is unknown."""
    return REXS_UNITS.get(_key(text))
