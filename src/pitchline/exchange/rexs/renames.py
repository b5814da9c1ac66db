"""Names that changed between versions of REXS. Files of any version may contain the old or the new name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

__all__ = ["RENAMES", "TYPE_RENAMES", "Rename", "names_of", "new_name"]

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
