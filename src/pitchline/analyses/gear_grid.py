"""Size and quality of the finite-element grid of one gear."""

from __future__ import annotations

from collections.abc import Mapping

from ..arguments import names_wrong_arguments
from ..fem.sector_grid import SectorGrid, sector_grid
from ..fem.sector_surfaces import surface_sector_grid
from ..fem.tooth_sector import ToothSector
from ..gears import Gear, Rack
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import BevelTeeth, Teeth
from ..model import Model
from ..results.gear_grid import GearGrid
from .wheel_teeth import wheel_teeth

__all__ = ["gear_grid"]


@names_wrong_arguments
def gear_grid(
    gear: Gear | Rack | Teeth | BevelTeeth | SurfaceTeeth | Model,
    wheel: str | None = None,
    *,
    grid: Mapping[str, object] | None = None,
) -> GearGrid:
    """Report the finite-element grid of a gear: nodes, elements, edges, Jacobians and mass of the whole gear.

    Parameters
    ----------
    gear, wheel
        A `Gear` with face width and bore, a `Rack`, or teeth of any shape; or a model and the name of one of its wheels.
    grid
        Options of `sector_grid` (of `surface_sector_grid` for bevel gears, racks and surfaces), such as ``{"size": "1 mm"}``.
    """
    teeth, name = wheel_teeth(gear, wheel, "gear grid")
    options: dict[str, object] = dict(grid or {})
    sector: SectorGrid | ToothSector
    sector = sector_grid(teeth, **options) if isinstance(teeth, Teeth) else surface_sector_grid(teeth, **options)
    return GearGrid(name, sector)
