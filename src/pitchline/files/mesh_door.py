"""One way to write a mesh: the ending of the file's name says as what. And meshes placed and put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ModelError, PitchlineError
from ..gears.placement import Placement
from .mesh_inp import write_inp
from .mesh_stl import write_stl
from .mesh_triangles import IntArray, Triangles, solid_of
from .mesh_vtu import write_vtu

if TYPE_CHECKING:
    from ..fem.sector_mesh import SectorMesh
    from ..fem.solid_mesh import SolidMesh

__all__ = ["MESH_FORMATS", "together", "write_mesh"]

MESH_FORMATS = (".vtu", ".stl", ".inp")


def write_mesh(path: str | Path, mesh: SolidMesh | SectorMesh | Triangles, **options: Any) -> Path:
    """Write a mesh as .vtu (VTK), .stl (its outer surface) or .inp (Abaqus, CalculiX); returns the path.

    options: as for `write_vtu`, `write_stl` and `write_inp`; `overwrite=True` takes the place of a file that exists.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in MESH_FORMATS:
        raise PitchlineError(f'mesh file "{path}": the name must end in one of {", ".join(MESH_FORMATS)}')
    if suffix == ".stl":
        return write_stl(path, mesh, **options)
    if isinstance(mesh, Triangles):
        raise ModelError(
            f'mesh file "{path}": a surface has no volume elements; write it as .stl, or give a solid mesh'
        )
    return (write_vtu if suffix == ".vtu" else write_inp)(path, mesh, **options)


def together(meshes: Mapping[str, SolidMesh | SectorMesh], poses: Mapping[str, Placement] | None = None) -> SolidMesh:
    """Several solid meshes of one order as one, each where it stands; the names go before those of the node sets.

    >>> pair = together({"pinion": pinion, "wheel": wheel}, {"wheel": pose})  # doctest: +SKIP
    >>> pair.node_sets["wheel bore"]  # doctest: +SKIP
    """
    solids = {name: solid_of(mesh) for name, mesh in meshes.items()}
    if len({solid.elements.shape[1] for solid in solids.values()}) != 1:
        raise ModelError("mesh: give one or more meshes of one order: elements with 8 nodes and with 20 do not mix")
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
