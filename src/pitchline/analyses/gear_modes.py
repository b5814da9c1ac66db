"""Natural modes of one gear, by finite elements."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..arguments import names_wrong_arguments
from ..errors import ModelError
from ..fem.elastic_gear import elastic_gear
from ..fem.sector_volume import gear_volume
from ..gears import Gear, Rack
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import BevelTeeth, Teeth
from ..model import Model
from ..results.gear_modes import GearModes
from .wheel_teeth import wheel_teeth

__all__ = ["gear_modes"]


@names_wrong_arguments
def gear_modes(
    gear: Gear | Rack | Teeth | BevelTeeth | SurfaceTeeth | Model,
    wheel: str | None = None,
    *,
    up_to: object,
    bore: str = "free",
    grid: Mapping[str, object] | None = None,
    formulation: str | None = None,
    cache: bool = True,
) -> GearModes:
    """Compute all natural modes of a gear below a frequency, sorted by nodal diameters.

    Parameters
    ----------
    gear, wheel
        A `Gear` with face width and bore, a `Rack`, or teeth of any shape; or a model and the name of one of its wheels.
    up_to
        Find all modes below this frequency, such as "80 kHz".
    bore
        "free": the gear is free in space. "fixed": all nodes of the bore are fixed. "shaft": it is free, with a rigid bore. The
        bore of a bevel gear is the inside of its rim, that of a rack its back, which is rigid also if it is free.
    grid
        Options of `sector_grid` (of `surface_sector_grid` for bevel gears, racks and surfaces), such as ``{"size": "1 mm"}``.
    formulation
        Integration of the elements: "full" or "reduced".
    cache
        Keep the finite elements in the user's cache folder and use them again next time.
    """
    teeth, name = wheel_teeth(gear, wheel, "gear modes")
    found = elastic_gear(
        teeth, bore=bore, up_to=up_to, offsets=0, grid=grid, formulation=formulation, cache=cache, name=name
    )
    if not found.symmetric:
        raise ModelError(
            "gear modes: the mesh is a whole gear, whose modes have no nodal diameters. Use "
            "elastic_gear(...).frequencies, or a mesh of "
            "one tooth"
        )
    return GearModes(
        name=name,
        teeth=found.sectors,
        bore=found.bore,
        nodal_diameters=found.nodal_diameters,
        wave_frequencies=found.frequencies,
        frequencies=found.all_frequencies,
        limit=found.limit,
        mass=found.mass,
        exact_mass=teeth.gear.density * gear_volume(teeth) if isinstance(teeth, Teeth) else math.nan,
    )
