"""A grid of nominal teeth whose flanks are moved onto other surfaces.

Nodes of a flank move to the closest point of its surface, along the normal. The sides of the sector and its bore stay. All nodes
between move by the mean of their neighbours (Laplace's equation on the edges of the elements), so that elements keep their shape.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu
from scipy.spatial import cKDTree

from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth.arrays import FloatArray, IntArray
from .hexahedra import EDGES
from .patch_projection import closest_points
from .solid_grid import SolidGrid
from .tooth_sector import FlankedGrid

__all__ = ["FlankDeviation", "flank_deviation", "moved_grid"]

_END = 1e-3
"""Nodes are on the surface up to this part of an edge beyond its end."""


class FlankDeviation(NamedTuple):
    """How a grid of nominal teeth differs from surfaces.

    shifts: by which the nodes of each flank are below its surface, as vectors (nodes, 3) [m]. largest: of them [m]. outside: how
    far surfaces reach beyond the nodes of the nominal flanks [m], apart from the length of an edge.
    """

    shifts: dict[str, FloatArray]
    largest: float
    outside: float


def flank_deviation(teeth: SurfaceTeeth, grid: FlankedGrid) -> FlankDeviation:
    """Compare the flanks of a grid with surfaces."""
    shifts, largest, outside = {}, 0.0, 0.0
    for side, flank in grid.flanks.items():
        nodes = _members(flank.nodes)
        places = grid.solid.nodes[nodes]
        patch = teeth.flank(side)
        at = closest_points(patch, places)
        away = -at.above[:, None] * at.normals
        lattice = grid.solid.nodes[flank.nodes[:: grid.solid.order, :: grid.solid.order]]
        edge = max(float(np.linalg.norm(np.diff(lattice, axis=k), axis=-1).max()) for k in (0, 1))
        # nodes beyond the end of the surface move as the nearest ones on it
        on = np.flatnonzero(at.beyond <= _END * edge)
        if not len(on):
            return FlankDeviation({}, np.inf, np.inf)
        nearest = on[cKDTree(places[on]).query(places)[1]]
        shifts[side] = away[nearest]
        largest = max(largest, float(np.abs(at.above[on]).max()))
        ends = np.linspace(0.0, 1.0, 9)
        apart = cKDTree(places).query(patch.point(ends[:, None], ends).reshape(-1, 3))[0]
        outside = max(outside, float(apart.max()) - edge)
    return FlankDeviation(shifts, largest, outside)


def moved_grid(grid: FlankedGrid, shifts: dict[str, FloatArray]) -> SolidGrid:
    """The grid with its flanks moved by vectors (nodes of the flank, 3) [m]."""
    solid = grid.solid
    count = len(solid.nodes)
    fixed = np.zeros(count, dtype=bool)
    fixed[np.concatenate([grid.low_side, grid.high_side, grid.bore])] = True
    shift = np.zeros((count, 3))
    for side, vectors in shifts.items():
        nodes = _members(grid.flanks[side].nodes)
        shift[nodes], fixed[nodes] = vectors, True
    i, j = _edges(solid)
    ones = np.ones(len(i))
    links = sp.csr_matrix((np.concatenate([ones, ones]), (np.r_[i, j], np.r_[j, i])), (count, count))
    links.data[:] = 1.0
    laplace = (sp.diags(np.asarray(links.sum(axis=1)).ravel()) - links).tocsr()
    free = np.flatnonzero(~fixed)
    right = -laplace[free][:, np.flatnonzero(fixed)] @ shift[fixed]
    shift[free] = splu(laplace[free][:, free].tocsc()).solve(right)
    return SolidGrid(solid.nodes + shift, solid.elements, solid.node_sets)


def _members(nodes: IntArray) -> IntArray:
    flat = nodes.ravel()
    return np.unique(flat[flat >= 0])


def _edges(solid: SolidGrid) -> tuple[IntArray, IntArray]:
    """Pairs of neighbours along the edges of the elements; a mid-edge node is between its corners."""
    pairs = []
    for k, (a, b) in enumerate(EDGES):
        if solid.order == 1:
            pairs.append(solid.elements[:, [a, b]])
        else:
            pairs += [solid.elements[:, [a, 8 + k]], solid.elements[:, [8 + k, b]]]
    both = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)
    return both[:, 0], both[:, 1]
