"""The nodes of a flank as a lattice: a surface of bilinear faces, for contact of nodes with surfaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..gears.teeth import Teeth
from ..gears.teeth.arrays import FloatArray
from .sector_grid import SectorGrid

__all__ = ["FlankLattice", "flank_lattice"]


@dataclass(frozen=True, eq=False)
class FlankLattice:
    """One flank of tooth 0.

    Attributes
    ----------
    points : (rows, lines, 3)
        [m] Along the profile from the form circle to the tip, and along the face.
    areas : (rows, lines)
        Of the flank around each point [m²].
    outward : int
        +1 if ∂x/∂row × ∂x/∂line points out of the material, otherwise −1.
    weights : (rows × lines, nodes) sparse
        Points as means of the nodes of the grid. Only the middles of the faces of 20-node elements, which are not nodes, have
        more than one.
    """

    points: FloatArray
    areas: FloatArray
    outward: int
    weights: sp.csr_matrix

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and lines."""
        return self.points.shape[0], self.points.shape[1]


def flank_lattice(grid: SectorGrid, teeth: Teeth, side: str) -> FlankLattice:
    """The nodes of a flank of a grid, with the modifications of `teeth` (those of single teeth apart)."""
    patch = grid.flanks[side]
    nodes, lengths = np.asarray(patch.nodes), np.asarray(patch.lengths, dtype=np.float64)
    zeta = np.broadcast_to(np.asarray(patch.zeta, dtype=np.float64), lengths.shape)
    flank = teeth.flank(side)
    points = np.ascontiguousarray(flank.point(lengths, zeta), dtype=np.float64)
    across, along = np.gradient(points, axis=0), np.gradient(points, axis=1)
    normal = np.cross(across, along)
    outward = float(np.einsum("ijk,ijk->", normal, flank.normal(lengths, zeta)))
    faces = np.cross(np.diff(points, axis=0)[:, :-1], np.diff(points, axis=1)[:-1])
    quarter = 0.25 * np.linalg.norm(faces, axis=2)
    areas = np.zeros(nodes.shape)
    for i in (0, 1):
        for j in (0, 1):
            areas[i : i + quarter.shape[0], j : j + quarter.shape[1]] += quarter
    return FlankLattice(points, areas, 1 if outward > 0.0 else -1, _weights(nodes, len(grid.solid.nodes)))


def _weights(nodes: np.ndarray, count: int) -> sp.csr_matrix:
    """Points of the lattice from the nodes. In the middle of a face of 8 nodes: ½ Σ mid-edges − ¼ Σ corners."""
    lines = nodes.shape[1]
    there = np.argwhere(nodes >= 0)
    rows, columns = there[:, 0] * lines + there[:, 1], nodes[nodes >= 0]
    values = np.ones(len(rows))
    middles = np.argwhere(nodes < 0)
    for step, weight in (((0, 1), 0.5), ((1, 0), 0.5), ((0, -1), 0.5), ((-1, 0), 0.5),
                         ((1, 1), -0.25), ((1, -1), -0.25), ((-1, 1), -0.25), ((-1, -1), -0.25)):  # fmt: skip
        at = middles + np.array(step)
        rows = np.concatenate([rows, middles[:, 0] * lines + middles[:, 1]])
        columns = np.concatenate([columns, nodes[at[:, 0], at[:, 1]]])
        values = np.concatenate([values, np.full(len(at), weight)])
    return sp.csr_matrix((values, (rows, columns)), (nodes.size, count))
