"""Flanks of any shape as spline surfaces.

>>> from pitchline.gears import Gear
>>> from pitchline.parts.gears.surfaces import surface_teeth
>>> teeth = surface_teeth(Gear(teeth=18, normal_module="2 mm", face_width="10 mm"))
>>> bool(teeth.error < 1e-9)
True
"""

from .fitting import FlankFit
from .from_gears import SurfaceTeeth, ToothStep, surface_teeth
from .importing import write_flank_points
from .patch import FlankPatch, FlankSurfaces, NearestPlaces, PatchForms
from .point_grid import FlankPointSet

__all__ = [
    "FlankFit",
    "FlankPatch",
    "FlankPointSet",
    "FlankSurfaces",
    "NearestPlaces",
    "PatchForms",
    "SurfaceTeeth",
    "ToothStep",
    "surface_teeth",
    "write_flank_points",
]
