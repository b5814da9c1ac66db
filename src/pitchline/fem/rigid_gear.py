"""A gear whose body is rigid: only the flanks deform, as half-spaces. For teeth whose body is not known, such as worms."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, PitchlineError, shown
from ..gears.gear import Gear
from ..gears.inputs import whole
from ..gears.material import Material
from ..gears.rack import Rack
from ..gears.surfaces import FlankPatch, SurfaceTeeth, surface_teeth
from ..gears.teeth import BevelTeeth, Teeth
from .elastic_gear import SIDES, ElasticGear
from .surface_grid import SurfaceGrid, surface_grid

__all__ = ["rigid_by_options", "rigid_gear"]

_ROW, _LINE = 0.1, 0.625
"""Distance of hats across and along the flank, by the normal module, as in default grids of finite elements."""
_USUAL = 15, 41
"""Rows and lines at most, if they are not specified: hats have no elasticity of their own here."""
_MOST = 400


@names_wrong_arguments
def rigid_gear(
    teeth: Teeth | SurfaceTeeth | BevelTeeth | Gear | Rack,
    *,
    material: Material | None = None,
    offsets: object = 3,
    rows: object = None,
    lines: object = None,
) -> ElasticGear:
    """A gear with a rigid body: contact takes only the local deformation of the flanks into account (half-space).

    It takes the place of an `ElasticGear` in contact analyses. Use it where the body is not known or cannot be divided into
    elements, such as a worm. Results are stiffer than with finite elements: teeth and body do not bend.

    Parameters
    ----------
    teeth
        A `Gear`, a `Rack`, or teeth; they become `SurfaceTeeth`.
    material
        That of the gear without it; for the half-space.
    offsets
        How many neighbour teeth on each side, as in `elastic_gear`.
    rows, lines
        Number of hats across the flank, from the form line to the tip, and along the face. Without them they are a tenth of the
        module and 0.625 modules apart, but not more than 15 and 41.
    """
    given = surface_teeth(teeth)
    reach = whole(offsets, "rigid gear: offsets", at_least=0, at_most=1000)
    matter = given.gear.material if material is None else material
    if not isinstance(matter, Material):
        raise ModelError(f"rigid gear: material must be a Material, such as STEEL, got {shown(material)}")
    grids = {side: _hats(given.flank(side), given.gear.normal_module, rows, lines) for side in SIDES}
    size = {side: grid.size for side, grid in grids.items()}
    mass, inertia, centre = _mass(given.gear)
    return ElasticGear(
        teeth=given,
        material=matter,
        grids=grids,
        compliance={(i, j): np.zeros((2 * reach + 1, size[i], size[j])) for i in SIDES for j in SIDES},
        offsets=np.arange(-reach, reach + 1),
        bore="rigid",
        frequencies=np.zeros(0),
        nodal_diameters=np.zeros(0, dtype=np.int64),
        traces={side: np.zeros((0, size[side]), dtype=np.complex128) for side in SIDES},
        limit=math.inf,
        mass=mass,
        inertia=inertia,
        centre_of_mass=centre,
    )


def _hats(patch: FlankPatch, module: float, rows: object, lines: object) -> SurfaceGrid:
    counts = []
    for given, name, length, step, most in zip(
        (rows, lines), ("rows", "lines"), patch.lengths, (_ROW * module, _LINE * module), _USUAL, strict=True
    ):
        if given is None:
            counts.append(int(np.clip(math.ceil(length / step - 1e-6) + 1, 5, most)))
        else:
            counts.append(whole(given, f"rigid gear: {name}", at_least=2, at_most=_MOST))
    return surface_grid(patch, *counts)


def _mass(gear: Gear | Rack) -> tuple[float, np.ndarray, float]:
    """Of the blank; zero where the gear has none."""
    try:
        blank = gear.blank
    except PitchlineError:
        return 0.0, np.zeros(3), 0.0
    return blank.mass, np.array(blank.inertia), blank.centre_of_mass[2]


def rigid_by_options(
    teeth: Teeth | SurfaceTeeth, material: Material, reach: int, options: Mapping[str, object]
) -> ElasticGear:
    """The rigid gear of grid options with "body": "rigid"."""
    body, others = options["body"], {name: value for name, value in options.items() if name != "body"}
    if body != "rigid":
        raise ModelError(f'elastic gear: the grid option body must be "rigid", got {shown(body)}')
    for name in others:
        if name not in ("rows", "lines"):
            raise ModelError(
                f'elastic gear: with body = "rigid" there are no elements, so that {name} does not apply. Specify rows and lines '
                "of hats, or leave them out"
            )
    return rigid_gear(teeth, material=material, offsets=reach, **others)
