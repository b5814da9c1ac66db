"""Flanks of any shape as spline surfaces.

>>> from pitchline.gears import Gear
>>> from pitchline.gears.surfaces import surface_teeth
>>> teeth = surface_teeth(Gear(teeth=18, normal_module="2 mm", face_width="10 mm"))
>>> bool(teeth.error < 1e-9)
True
"""

from .flank_surfaces import FlankSurfaces
from .from_gears import surface_teeth
from .grid_fit import FlankFit
from .patch import FlankPatch, NearestPlaces, PatchForms
from .point_grid import FlankPointSet
from .point_writing import write_flank_points
from .surface_teeth import SurfaceTeeth, ToothStep

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
