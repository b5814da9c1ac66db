"""Properties that are available in expressions of figures, by class, with their units.

Only properties with a unit in this table are available, so that every dimension is checked. "@Name" instead of a unit
is an
object with its own properties; "=" is the unit in the attribute `unit` of the object.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["CLASS_OF_KIND", "HEAVY", "METHODS", "properties", "unit_of"]

_BY_UNIT: dict[str, dict[str, str]] = {
    "Gear": {
        "": (
            "teeth profile_shift addendum_factor dedendum_factor root_radius_factor tip_alteration internal worm "
            "minimum_profile_shift sense undercut virtual_teeth"
        ),
        "m": (
            "normal_module addendum axial_module axial_pitch backlash_allowance base_diameter bore dedendum face_width lead "
            "inside_of_rim mean_cone_distance "
            "normal_base_pitch normal_pitch normal_tooth_thickness outer_diameter outer_transverse_module "
            "pointed_diameter reference_diameter rim_diameter root_diameter root_form_diameter root_radius tip_diameter "
            "tip_thickness tooth_depth transverse_base_pitch transverse_module transverse_pitch transverse_tooth_thickness"
        ),
        "rad": (
            "normal_pressure_angle helix_angle angular_pitch base_helix_angle cone_angle lead_angle profile_shift_angle "
            "transverse_pressure_angle"
        ),
        "kg/m^3": "density",
        "@Material": "material",
        "@BlankProperties": "blank",
        "@MassProperties": "solid",
        "@GearBody": "body",
    },
    "Rack": {
        "": "teeth addendum_factor dedendum_factor root_radius_factor",
        "m": (
            "normal_module addendum backlash_allowance dedendum depth face_width length normal_pitch normal_tooth_thickness "
            "root_radius transverse_module transverse_pitch"
        ),
        "rad": "helix_angle normal_pressure_angle transverse_pressure_angle",
        "kg/m^3": "density",
        "@Material": "material",
        "@BlankProperties": "blank",
        "@MassProperties": "solid",
    },
    "GearBody": {"m": "bore rim_diameter rim_thickness web_thickness hub_diameter", "": "has_web"},
    "MassProperties": {"kg": "mass", "m": "centre_of_mass", "kg*m^2": "inertia"},
    "Material": {"kg/m^3": "density", "Pa": "youngs_modulus", "": "poissons_ratio"},
    "BlankProperties": {"kg": "mass", "m": "centre_of_mass", "kg*m^2": "inertia product"},
    "GearPair": {
        "": "ratio speed_ratio overlap_ratio total_contact_ratio loss_factor transverse_contact_ratio",
        "m": (
            "backlash centre_distance circumferential_backlash face_width normal_backlash reference_centre_distance "
            "tip_clearances working_diameters"
        ),
        "rad": "normal_working_pressure_angle shaft_angle transverse_working_pressure_angle working_helix_angles",
        "@Gear": "a b",
        "@PathOfContact": "path_of_contact",
    },
    "PathOfContact": {"m": "start end length"},
    "RollingPair": {},
    "GearMesh": {"m": "face_offset", "": "length_factor", "@GearPair": "pair", "@MeshLaw": "law", "@IsoStiffness": "iso_stiffness"},
    "MeshLaw": {
        "m": "backlash offset play", "N/m": "mean_stiffness", "N*s/m": "damping", "kg": "effective_mass", "": "rigid"
    },
    "IsoStiffness": {"Pa": "theoretical single mesh_alpha mesh_beta"},
    "Body": {
        "kg": "mass", "kg*m^2": "inertia", "m": "centre_of_mass position", "m/s": "velocity", "rad/s": "angular_velocity",
        "": "orientation",
    },
    "Joint": {"m": "length", "m/rad": "pitch", "@Frame": "frame_a frame_b"},
    "Frame": {"m": "position"},
    "Model": {"m/s^2": "gravity"},
    "Planetary": {"": "ratio", "rad": "angles", "@Phasing": "phasing", "@LoadSharing": "load_sharing", "@Body": "sun ring carrier"},
    "Phasing": {"": "sun ring sun_to_ring"},
    "LoadSharing": {"s": "time", "": "sun ring k_gamma"},
    "Modes": {
        "": "damping_ratios multiplicity rigid stable", "Hz": "frequencies damped_frequencies of_kind", "1/s": "decaying"
    },
    "Campbell": {
        "rad/s": "speeds critical_speeds critical_forward critical_backward speeds_of", "Hz": "frequencies critical_frequencies",
        "": "damping_ratios whirl",
    },
    "Floquet": {"rad/s": "speeds", "": "ripples largest stable", "s": "periods", "1/s": "growth"},
    "FrequencyResponse": {"Hz": "frequency", "deg": "phase", "@LinearModel": "linear"},
    "LinearModel": {"rad/s": "peaks dips"},
    "LoadedContact": {
        "N*m": "torque",
        "": "phase pairs load_sharing loaded_contact_ratio contact_ratio face_load_factor",
        "rad": "angle transmission_error_angle base_helix_angle",
        "m": "transmission_error no_load_error deflection peak_to_peak base_radius face_width",
        "N/m": "tangent_stiffness secant_stiffness mean_stiffness max_line_load face_load",
        "N": "force pair_load",
        "Pa": "max_pressure edge_pressure",
    },
    "FlankContact": {
        "N*m": "torque", "": "phase tooth_pairs", "m": "transmission_error centre_distance", "N/m": "stiffness",
        "N": "normal_force", "Pa": "peak_pressure", "m^2": "area flank_area", "@ContactPatch": "patch",
    },
    "ContactPatch": {
        "": "tooth_a tooth_b on_edge places_in_contact",
        "m": "zeta_a zeta_b roll_a roll_b strip_width radius half_width middle width length ends base_radius half_face",
        "N": "force total_force", "Pa": "pressure peak_pressure", "N/m": "line_load", "m^2": "area",
    },
    "ElasticGear": {
        "Hz": "frequencies all_frequencies limit", "": "nodal_diameters multiplicities sectors", "kg": "mass",
        "kg*m^2": "inertia",
        "m": "centre_of_mass",
    },
    "RigidContact": {
        "rad": "angle", "": "phase tooth_a tooth_b", "m": "transmission_error roll_length face peak_to_peak"
    },
    "GearModes": {
        "": "teeth nodal_diameters", "Hz": "frequencies wave_frequencies limit", "kg": "mass exact_mass"
    },
    "GearGrid": {"": "teeth nodes elements scaled_jacobian", "m": "flank_edge", "kg": "mass exact_mass"},
    "OrderMap": {"": "order revolutions", "s": "time", "rad/s": "speed", "=": "amplitude"},
    "OrderSpectrum": {"": "order revolutions", "=": "amplitude"},
    "OrderTrack": {"": "order revolutions", "s": "time", "rad/s": "speed", "rad": "phase", "=": "amplitude"},
    "Spectrum": {"Hz": "frequency", "=": "amplitude"},
    "Spectrogram": {"Hz": "frequency", "s": "time duration", "=": "amplitude"},
    "Folded": {"": "phase cycles", "=": "mean low high"},
    "PeakHold": {"=": "highest lowest peak peak_to_peak maximum", "speed": "edges peak_speed speed speed_at_maximum"},
}  # fmt: skip

METHODS = {
    "Planetary": ("load_sharing",),
    "Modes": ("of_kind",),
    "Campbell": ("speeds_of",),
    "FlankContact": ("patch",),
    "FrequencyResponse": ("phase",),
    "LinearModel": ("peaks", "dips"),
}
"""Properties that are called with numbers or texts: analyses.contact.patch(0, 0).length."""

HEAVY = ("law",)
"""Objects whose computation may take long; they are not evaluated before the run."""

CLASS_OF_KIND = {
    "modes": "Modes",
    "campbell": "Campbell",
    "floquet": "Floquet",
    "frequency_response": "FrequencyResponse",
    "linear_model": "LinearModel",
    "loaded_contact": "LoadedContact",
    "flank_contact": "FlankContact",
    "rigid_contact": "RigidContact",
    "gear_modes": "GearModes",
    "gear_grid": "GearGrid",
    "elastic_gear": "ElasticGear",
    "order_map": "OrderMap",
    "order_spectrum": "OrderSpectrum",
    "order_track": "OrderTrack",
    "spectrum": "Spectrum",
    "spectrogram": "Spectrogram",
    "fold": "Folded",
    "peak_hold": "PeakHold",
}
"""Class of the result of an analysis kind; kinds with signals are not included."""


def properties(of: str) -> Mapping[str, str]:
    """Names of the properties of a class, with their units."""
    return {name: unit for unit, names in _BY_UNIT.get(of, {}).items() for name in names.split()}


def unit_of(thing: Any, said: str) -> str:
    """Unit of a property of an object."""
    if said == "=":
        return str(thing.unit)
    return str(thing.speed_unit) if said == "speed" else said
