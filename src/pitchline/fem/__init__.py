"""Elastic gears: solid grids of teeth and bodies, finite elements, cyclic symmetry, modes and flank compliance."""

from typing import TYPE_CHECKING, Any

from .sector_grid import BevelSectorGrid, FlankNodes, SectorGrid, bevel_sector_grid, sector_grid, whole_gear
from .sector_rack import RackSectorGrid, rack_sector_grid, whole_rack
from .solid_grid import GridQuality, SolidGrid, gear_volume, grid_quality, grid_volume

if TYPE_CHECKING:
    from .sector_surfaces import surface_sector_grid
    from .surface_grid import SurfaceGrid, surface_hats
    from .tooth_sector import ToothSector

__all__ = [
    # grids
    "SolidGrid",
    "SectorGrid",
    "FlankNodes",
    "BevelSectorGrid",
    "sector_grid",
    "bevel_sector_grid",
    "RackSectorGrid",
    "rack_sector_grid",
    "ToothSector",
    "surface_sector_grid",
    "whole_gear",
    "whole_rack",
    "GridQuality",
    "grid_quality",
    "grid_volume",
    "gear_volume",
    # hats on flanks of any shape
    "SurfaceGrid",
    "surface_hats",
]


def __getattr__(name: str) -> Any:
    """Names whose modules need scipy, which takes long to import: on first use."""
    if name == "surface_sector_grid":
        from .sector_surfaces import surface_sector_grid

        return surface_sector_grid
    if name in ("SurfaceGrid", "surface_hats"):
        from . import surface_grid

        return getattr(surface_grid, name)
    if name == "ToothSector":
        from .tooth_sector import ToothSector

        return ToothSector
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
