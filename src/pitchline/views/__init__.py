"""Pictures of models and results.

Importing this package is cheap: matplotlib is loaded with the first picture, and the functions that draw solids on first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

from pitchline.gears.drawing import register_drawing
from pitchline.results.plotter import register_plotter
from pitchline.views.bearing_chart import plot_bearing
from pitchline.views.bode import plot_bode
from pitchline.views.branches import plot_continuation
from pitchline.views.campbell import plot_campbell
from pitchline.views.load_sharing import plot_load_sharing
from pitchline.views.loaded_contact import plot_loaded_contact
from pitchline.views.mesh_chart import plot_mesh
from pitchline.views.mesh_cycle import plot_cycle
from pitchline.views.mode_chart import plot_modes
from pitchline.views.order_maps import plot_map
from pitchline.views.plots import plot
from pitchline.views.report import write_report
from pitchline.views.scheme import plot_scheme
from pitchline.views.shaft_chart import plot_shaft
from pitchline.views.spectra import plot_lines, plot_peak_hold, plot_track
from pitchline.views.stability import plot_floquet
from pitchline.views.teeth import plot_contact_pattern, plot_profile, plot_rigid_contact, plot_transmission_error
from pitchline.views.tooth_pairs import plot_tooth_pairs

if TYPE_CHECKING:
    from pitchline.views.deformed_machine import plot_deformed
    from pitchline.views.flank_contact import plot_flank_contact
    from pitchline.views.flexible_body_picture import plot_flexible_body
    from pitchline.views.gear_drawing import plot_gear
    from pitchline.views.gear_elements import plot_gear_grid, plot_gear_modes
    from pitchline.views.machine.chosen_picture import machine_picture
    from pitchline.views.machine.mode_picture import plot_shape
    from pitchline.views.machine.state_picture import plot_state
    from pitchline.views.optimum_chart import plot_optimum
    from pitchline.views.solid_contact_lines import plot_contact_lines
    from pitchline.views.solid_gears import plot_gears
    from pitchline.views.solid_picture import plot_solid
    from pitchline.views.study_plots import plot_study
    from pitchline.views.surface_contact import plot_surface_contact

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
    "machine_picture": "machine.chosen_picture",
    "plot_contact_lines": "solid_contact_lines",
    "plot_deformed": "deformed_machine",
    "plot_flank_contact": "flank_contact",
    "plot_flexible_body": "flexible_body_picture",
    "plot_gear": "gear_drawing",
    "plot_gear_grid": "gear_elements",
    "plot_gear_modes": "gear_elements",
    "plot_gears": "solid_gears",
    "plot_optimum": "optimum_chart",
    "plot_shape": "machine.mode_picture",
    "plot_solid": "solid_picture",
    "plot_surface_contact": "surface_contact",
    "plot_state": "machine.state_picture",
    "plot_study": "study_plots",
}
"""Functions whose files bring tooth surfaces and meshes, or studies, with them."""


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


register_plotter(plot)
register_drawing(lambda gear, **options: __getattr__("plot_gear")(gear, **options))
register_plotter(lambda result, path, **options: write_report(path, result, **options), "report")
for _kind, _function in (
    ("Spectrum", plot_lines),
    ("OrderSpectrum", plot_lines),
    ("Spectrogram", plot_map),
    ("OrderMap", plot_map),
    ("OrderTrack", plot_track),
    ("PeakHold", plot_peak_hold),
    ("Modes", plot_modes),
    ("FrequencyResponse", plot_bode),
    ("Campbell", plot_campbell),
    ("Floquet", plot_floquet),
    ("Continuation", plot_continuation),
    ("Folded", plot_cycle),
    ("LoadedContact", plot_loaded_contact),
    ("SurfaceContact", lambda found, *what, **options: __getattr__("plot_surface_contact")(found, *what, **options)),
    ("RigidContact", plot_rigid_contact),
    ("GearGrid", lambda found, **options: __getattr__("plot_gear_grid")(found, **options)),
    ("GearModes", lambda found, **options: __getattr__("plot_gear_modes")(found, **options)),
    ("tooth pairs", plot_tooth_pairs),
    ("shaft", plot_shaft),
    ("bearing", plot_bearing),
    ("deformed", lambda found, **options: __getattr__("plot_deformed")(found, **options)),
    ("mode shape", lambda found, number, **options: __getattr__("plot_shape")(found, number, **options)),
    ("state", lambda found, *t, **options: __getattr__("plot_state")(found, *t, **options)),
    ("Optimum", lambda found, **options: __getattr__("plot_optimum")(found, **options)),
    ("StudyResult", lambda found, *names, **options: __getattr__("plot_study")(found, *names, **options)),
    ("FlankContact", lambda found, *what, **options: __getattr__("plot_flank_contact")(found, *what, **options)),
):
    register_plotter(_function, _kind)
