"""Size and quality of the finite-element grid of one gear."""

from __future__ import annotations

from collections.abc import Mapping

from ..arguments import names_wrong_arguments
from ..fem.sector_grid import sector_grid
from ..gears import Gear
from ..gears.teeth import Teeth
from ..model import Model
from ..results.gear_grid import GearGrid
from .wheel_teeth import wheel_teeth

__all__ = ["gear_grid"]


@names_wrong_arguments
def gear_grid(
    gear: Gear | Teeth | Model, wheel: str | None = None, *, grid: Mapping[str, object] | None = None
) -> GearGrid:
    """Report the finite-element grid of a gear: nodes, elements, edges, Jacobians and mass of the whole gear.

    Parameters
    ----------
    gear, wheel
        A `Gear` with face width and bore, or its `Teeth`; or a model and the name of one of its wheels.
    grid
        Options of `sector_grid`, such as ``{"size": "1 mm"}``.
    """
    teeth, name = wheel_teeth(gear, wheel, "gear grid")
    options: dict[str, object] = dict(grid or {})
    return GearGrid(name, sector_grid(teeth, **options))
