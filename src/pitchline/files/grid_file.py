"""Write a grid; the file extension selects the format. Also: place grids and combine them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, PitchlineError
from ..gears.placement import Placement
from .grid_inp import write_inp
from .grid_vtu import write_vtu
from .surface_stl import write_stl
from .triangles import IntArray, Triangles, solid_of

if TYPE_CHECKING:
    from ..fem.sector_grid import SectorGrid
    from ..fem.solid_grid import SolidGrid

__all__ = ["GRID_FORMATS", "together", "write_grid"]

GRID_FORMATS = (".vtu", ".stl", ".inp")


@names_wrong_arguments
def write_grid(path: str | Path, grid: SolidGrid | SectorGrid | Triangles, **options: Any) -> Path:
    """Write a grid as .vtu (VTK), .stl (its outer surface) or .inp (Abaqus, CalculiX); return the path.

    options: as for `write_vtu`, `write_stl` and `write_inp`; `overwrite=True` replaces an existing file.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in GRID_FORMATS:
        raise PitchlineError(f'grid file "{path}": the name must end in one of {", ".join(GRID_FORMATS)}')
    if suffix == ".stl":
        return write_stl(path, grid, **options)
    if isinstance(grid, Triangles):
        raise ModelError(
            f'grid file "{path}": a surface has no volume elements. Write it as .stl, or specify a solid grid'
        )
    return (write_vtu if suffix == ".vtu" else write_inp)(path, grid, **options)


def together(grids: Mapping[str, SolidGrid | SectorGrid], poses: Mapping[str, Placement] | None = None) -> SolidGrid:
    """Combine several solid grids of one order, each at its position. Node sets get the name of the grid in front.

    >>> pair = together({"pinion": pinion, "wheel": wheel}, {"wheel": pose})  # doctest: +SKIP
    >>> pair.node_sets["wheel bore"]  # doctest: +SKIP
    """
    solids = {name: solid_of(grid) for name, grid in grids.items()}
    if len({solid.elements.shape[1] for solid in solids.values()}) != 1:
        raise ModelError(
            "grid: specify one or more grids of the same order. Elements with 8 nodes and with 20 nodes cannot be combined"
        )
    nodes, elements, start = [], [], 0
    sets: dict[str, IntArray] = {}
    for name, solid in solids.items():
        place = np.asarray(solid.nodes, dtype=np.float64)
        pose = (poses or {}).get(name)
        nodes.append(place if pose is None else place @ np.asarray(pose.rotation).T + pose.position)
        elements.append(np.asarray(solid.elements, dtype=np.int64) + start)
        sets |= {f"{name} {key}": np.asarray(value, dtype=np.int64) + start for key, value in solid.node_sets.items()}
        start += len(place)
    first = next(iter(solids.values()))
    return replace(first, nodes=np.concatenate(nodes), elements=np.concatenate(elements), node_sets=sets)
