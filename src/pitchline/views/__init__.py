"""Pictures of models and results.

Importing this package is cheap: matplotlib is loaded with the first picture, and the functions that draw solids on first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

from pitchline.parts.bearings.drawing import plot_bearing
from pitchline.parts.contact.drawing import plot_loaded_contact
from pitchline.parts.gears.drawing import plot_contact_pattern, plot_profile, plot_transmission_error
from pitchline.parts.gears.drawing_solid import plot_tooth_pairs
from pitchline.parts.meshes.drawing import plot_cycle, plot_load_sharing, plot_mesh
from pitchline.parts.shafts.drawing import plot_shaft

from .branches import plot_bode, plot_continuation
from .mode_chart import plot_campbell, plot_floquet, plot_modes
from .order_maps import plot_lines, plot_map, plot_peak_hold, plot_track
from .plots import plot
from .report.page import write_report
from .scheme.drawing import plot_scheme

if TYPE_CHECKING:
    from pitchline.parts.contact.drawing import plot_contact_lines, plot_surface_contact
    from pitchline.parts.contact.drawing_flank import plot_flank_contact
    from pitchline.parts.flexible.drawing import plot_flexible_body
    from pitchline.parts.flexible.drawing_machine import plot_deformed
    from pitchline.parts.flexible.drawing_modes import plot_shape
    from pitchline.parts.gears.drawing import plot_gear, plot_gear_grid, plot_gear_modes
    from pitchline.parts.gears.drawing_solid import plot_gears

    from .solid_picture import plot_solid
    from .state_picture import machine_picture, plot_state
    from .study_panels import plot_optimum
    from .study_plots import plot_study

__all__ = [
    "machine_picture",
    "plot",
    "plot_bearing",
    "plot_bode",
    "plot_campbell",
    "plot_contact_lines",
    "plot_contact_pattern",
    "plot_continuation",
    "plot_cycle",
    "plot_deformed",
    "plot_flank_contact",
    "plot_flexible_body",
    "plot_floquet",
    "plot_gear",
    "plot_gear_grid",
    "plot_gear_modes",
    "plot_gears",
    "plot_lines",
    "plot_load_sharing",
    "plot_loaded_contact",
    "plot_map",
    "plot_mesh",
    "plot_modes",
    "plot_optimum",
    "plot_peak_hold",
    "plot_profile",
    "plot_scheme",
    "plot_shaft",
    "plot_shape",
    "plot_solid",
    "plot_state",
    "plot_study",
    "plot_surface_contact",
    "plot_tooth_pairs",
    "plot_track",
    "plot_transmission_error",
    "write_report",
]

_LATER = {
    "machine_picture": "views.state_picture",
    "plot_contact_lines": "parts.contact.drawing",
    "plot_deformed": "parts.flexible.drawing_machine",
    "plot_flank_contact": "parts.contact.drawing_flank",
    "plot_flexible_body": "parts.flexible.drawing",
    "plot_gear": "parts.gears.drawing",
    "plot_gear_grid": "parts.gears.drawing",
    "plot_gear_modes": "parts.gears.drawing",
    "plot_gears": "parts.gears.drawing_solid",
    "plot_optimum": "views.study_panels",
    "plot_rigid_contact": "parts.gears.drawing",
    "plot_shape": "parts.flexible.drawing_modes",
    "plot_solid": "views.solid_picture",
    "plot_surface_contact": "parts.contact.drawing",
    "plot_state": "views.state_picture",
    "plot_study": "views.study_plots",
}
"""Functions whose files bring tooth surfaces and meshes, or studies, with them."""


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"pitchline.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
