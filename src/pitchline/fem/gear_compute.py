"""The computation of an elastic gear from the grid of one sector: compliance of its flanks, modes, mass."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..gears.material import Material
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import Teeth
from ..gears.teeth.arrays import ComplexArray, FloatArray, IntArray
from .cyclic_modes import HarmonicModes, cyclic_modes
from .cyclic_symmetry import CondensedSector, CyclicSector
from .elastic_gear import SIDES, ElasticGear
from .flank_compliance import flank_compliance, flank_loads
from .gear_properties import mass_and_inertia
from .graded_body import graded_body
from .repetition import Repetition
from .sector_grid import SectorGrid
from .tooth_sector import ToothSector, hats_of

__all__ = ["compute"]

Progress = Callable[[float, str], None]


def compute(
    teeth: Teeth | SurfaceTeeth,
    material: Material,
    bore: str,
    limit: float,
    reach: int,
    grid: SectorGrid | ToothSector,
    formulation: str,
    tell: Progress,
) -> ElasticGear:
    """The elasticity of a gear from the grid of one sector.

    limit: of the frequencies of its modes [Hz], 0: none. reach: number of neighbour teeth on each side.
    """
    tell(0.0, "assembling")
    statics_alone = bore == "fixed" and not limit
    body = graded_body(grid) if statics_alone and isinstance(grid, SectorGrid) else None
    sector = CyclicSector.of(
        grid,
        material,
        bore=bore,
        repetition=Repetition.of(teeth.gear, reach),
        formulation=formulation,
        body=body,
        massless=statics_alone,
    )
    grids: dict[str, Any] = {}
    loads = {}
    for side in SIDES:
        grids[side], loads[side] = hats_of(grid, side)
    tell(0.1, "factorising")
    all_loads = flank_loads(sector, loads)
    condensed = CondensedSector(sector, loads=all_loads, keep_factors=limit > 0.0)
    statics = 0.4 if limit else 1.0
    tell(0.25, "compliance")
    compliance = flank_compliance(
        condensed, all_loads, {side: each.size for side, each in grids.items()}, reach=reach,
        progress=lambda part: tell(0.25 + (statics - 0.25) * part, "compliance"),
    )  # fmt: skip
    modes = []
    if limit:
        tell(0.4, "modes")
        modes = cyclic_modes(sector, condensed, up_to=limit, progress=lambda part: tell(0.4 + 0.6 * part, "modes"))
    frequencies, diameters, traces = _traces(sector, modes, loads)
    mass, inertia, centre = mass_and_inertia(grid, material, teeth=teeth.gear.teeth)
    tell(1.0, "done")
    return ElasticGear(
        teeth=teeth,
        material=material,
        grids=grids,
        compliance=compliance,
        offsets=np.arange(-reach, reach + 1),
        bore=bore,
        frequencies=frequencies,
        nodal_diameters=diameters,
        traces=traces,
        limit=limit,
        mass=mass,
        inertia=inertia,
        centre_of_mass=centre,
    )


def _traces(
    sector: CyclicSector, modes: list[HarmonicModes], loads: Mapping[str, sp.csc_matrix]
) -> tuple[FloatArray, IntArray, dict[str, ComplexArray]]:
    """Frequencies [Hz] ascending, nodal diameters, and b_gᵀφ of all modes, scaled to a modal mass of 1 of the whole gear.

    A sector has modal mass 1 by `cyclic_modes`, the gear z; of a pair n, −n half of that is in the real part.
    """
    frequencies = np.concatenate([m.frequencies for m in modes]) if modes else np.zeros(0)
    diameters = np.concatenate([np.full(len(m.eigenvalues), m.harmonic) for m in modes]) if modes else np.zeros(0, int)
    order = np.argsort(frequencies, kind="stable")
    traces = {}
    for side, load in loads.items():
        seen = (load.T @ sector.rotation).tocsr()
        parts = [np.zeros((0, seen.shape[0]), dtype=np.complex128)]
        for m in modes:
            scale = math.sqrt(sector.weight(m.harmonic) / sector.count)
            parts.append(scale * (seen @ sector.seen(np.ascontiguousarray(m.vectors.T), m.harmonic)).T)
        traces[side] = np.ascontiguousarray(np.concatenate(parts)[order])
    return frequencies[order], diameters[order].astype(np.int64), traces
