"""Analyses of one gear by finite elements: grid and natural modes."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, near_names, shown
from pitchline.fem.elastic_gear import elastic_gear
from pitchline.fem.sector_grid import SectorGrid, sector_grid
from pitchline.fem.sector_surfaces import surface_sector_grid
from pitchline.fem.solid_grid import gear_volume
from pitchline.fem.tooth_sector import ToothSector
from pitchline.model.model import Model

from .geometry.gear import Gear
from .geometry.rack import Rack
from .results import GearGrid, GearModes
from .surfaces.from_gears import SurfaceTeeth, surface_teeth
from .teeth.bevel import BevelTeeth
from .teeth.teeth import Teeth

__all__ = ["wheel_teeth", "gear_grid", "gear_modes"]


# ---- wheel teeth

# Teeth for an analysis of one gear: those of a gear, or of a wheel of a model.


def wheel_teeth(
    gear: Gear | Rack | Teeth | BevelTeeth | SurfaceTeeth | Model, wheel: str | None, what: str
) -> tuple[Teeth | SurfaceTeeth, str]:
    """Return the teeth and a name: that of the wheel, or the number of teeth of the gear. Bevel gears and racks become surfaces."""
    found: object = gear
    if isinstance(gear, Model):
        if wheel is None and len(gear.wheels) == 1:
            wheel = next(iter(gear.wheels))
        if wheel not in gear.wheels:
            said = "specify the wheel of the model" if wheel is None else f"the model has no wheel {shown(wheel)}"
            raise ModelError(f"{what}: {said}; {near_names(str(wheel), gear.wheels)}")
        found = gear.wheels[str(wheel)].gear
    elif wheel is not None:
        raise ModelError(f"{what}: a wheel name is only for a model, got {shown(wheel)}")
    if isinstance(found, Gear) and not found.cone_angle and found.flanks is None:
        found = Teeth(found)
    if isinstance(found, (Gear, Rack, BevelTeeth)):
        found = surface_teeth(found)
    if not isinstance(found, (Teeth, SurfaceTeeth)):
        raise ModelError(
            f"{what}: expected a Gear, Teeth, or a model and the name of a wheel with teeth, got {shown(found)}"
        )
    kind = "rack" if isinstance(found.gear, Rack) else "gear"
    return found, wheel or f"a {kind} with {found.gear.teeth} teeth"


# ---- gear grid

# Size and quality of the finite-element grid of one gear.


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
