"""Pressure on a flank of any shape, spread by hats over any finite elements.

A hat is 1 at one point of a uniform grid over the parameters (u, v) of the flank, 0 at all others and bilinear between them.
Contact pressure is p = Σ F_g hat_g / a_g with the forces F_g on the hats and their areas a_g = ∫ hat_g dA. The consistent nodal
forces of a unit F_g are

    b_g = −(1/a_g) ∫ hat_g Nᵀ n dA ,

into the material, against the normal n; b_gᵀ u is the mean of the displacement into the material, weighed by the hat. The
integrals are taken over the faces of the elements. A point of integration has the (u, v) of the closest point of the flank: so
elements and hats do not have to match. Hats add up to 1 at every point. Hence Σ a_g b_g is the load of a uniform pressure, and
force and moment of a load are those of its pressure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from ..errors import ModelError
from ..gears.teeth.arrays import FloatArray, IntArray
from .face_points import FacePoints
from .patch_projection import Surface, closest_points

__all__ = ["SurfaceGrid", "surface_grid", "surface_hats"]

_INSIDE = 0.02
"""Points beyond the edge of the flank by more than this part of the distance of hats belong to other faces."""
_ALONG = 0.5
"""Least cosine of the angle between the normals of a face and of the flank."""
_AWAY = 0.25
"""Faces may be away from the flank by this part of the distance of hats."""
_COVERED = 0.25
"""The least part of the area of a hat that elements must cover."""
_CHUNK = 400_000
"""Points of integration at a time."""


@dataclass(frozen=True, eq=False)
class SurfaceGrid:
    """Bilinear hats on one flank of any shape; hat g = i · lines + j is at the point (u[i], v[j]).

    Attributes
    ----------
    u : (rows,)
        From the form line (0) to the tip (1), equidistant.
    v : (lines,)
        Along the face, 0 to 1, equidistant.
    points, normals : (rows, lines, 3)
        [m], and the unit normals out of the material, in the axes of the gear.
    spacing : (rows, lines)
        From a row to the next one, at right angles to the rows [m].
    distance : (rows, lines)
        From a line to the next one, along the rows [m].
    areas : (rows · lines,)
        Integral of each hat over the flank [m²].
    """

    u: FloatArray
    v: FloatArray
    points: FloatArray
    normals: FloatArray
    spacing: FloatArray
    distance: FloatArray
    areas: FloatArray

    @property
    def rows(self) -> int:
        """Points across the flank, from the form line to the tip."""
        return len(self.u)

    @property
    def lines(self) -> int:
        """Points along the face."""
        return len(self.v)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and lines."""
        return self.rows, self.lines

    @property
    def size(self) -> int:
        """Number of hats."""
        return self.rows * self.lines

    @property
    def mean_spacing(self) -> float:
        """Mean distance of rows [m]."""
        return float(self.spacing.mean())

    @property
    def mean_distance(self) -> float:
        """Mean distance of lines [m]."""
        return float(self.distance.mean())

    def shares(self, u: npt.ArrayLike, v: npt.ArrayLike) -> tuple[IntArray, FloatArray]:
        """Numbers (n, 4) of the hats at points (u, v) (n,) and their values (n, 4), which add up to 1."""
        row, line = np.asarray(u, dtype=np.float64).ravel(), np.asarray(v, dtype=np.float64).ravel()
        row, line = (np.clip(at, 0.0, 1.0) * (n - 1) for at, n in ((row, self.rows), (line, self.lines)))
        i, j = (np.minimum(at.astype(np.int64), n - 2) for at, n in ((row, self.rows), (line, self.lines)))
        a, b = row - i, line - j
        first = i * self.lines + j
        hats = np.stack([first, first + 1, first + self.lines, first + self.lines + 1], axis=1)
        values = np.stack([(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b], axis=1)
        return hats, values


def surface_grid(surface: Surface, rows: int, lines: int) -> SurfaceGrid:
    """Hats on a uniform grid over a flank, with areas on the flank itself."""
    if rows < 2 or lines < 2:
        raise ModelError(f"hats on a flank: at least 2 rows and 2 lines are required, got {rows} and {lines}")
    u, v = np.linspace(0.0, 1.0, rows), np.linspace(0.0, 1.0, lines)
    points, normals, spacing, distance = _metric(surface, u[:, None], v[None, :])
    grid = SurfaceGrid(
        u, v, points, normals, spacing / (rows - 1), distance / (lines - 1), np.ones(rows * lines)
    )  # fmt: skip
    x, w = np.polynomial.legendre.leggauss(3)
    at_u, at_v = ((((np.arange(n - 1)[:, None] + 0.5 * (x + 1.0)) / (n - 1)).ravel()) for n in (rows, lines))
    area = _metric(surface, at_u[:, None], at_v[None, :])[2:]
    weights = np.outer(np.tile(w, rows - 1), np.tile(w, lines - 1)) / (4.0 * (rows - 1) * (lines - 1))
    hats, values = grid.shares(*np.broadcast_arrays(at_u[:, None], at_v[None, :]))
    shares = values * (area[0] * area[1] * weights).reshape(-1, 1)
    areas: FloatArray = np.zeros(grid.size)
    np.add.at(areas, hats, shares)
    return replace(grid, areas=areas)


def _metric(surface: Surface, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Points, normals, |p_u| at right angles to p_v, and |p_v|."""
    a, b = np.broadcast_arrays(u, v)
    points, normals = (np.asarray(found(a, b), dtype=np.float64) for found in (surface.point, surface.normal))
    p_u, p_v = (np.asarray(t, dtype=np.float64) for t in surface.tangents(a, b))
    along = np.linalg.norm(p_v, axis=-1)
    return points, normals, np.linalg.norm(np.cross(p_u, p_v), axis=-1) / along, along


def surface_hats(
    surface: Surface, nodes: FloatArray, faces: IntArray | Sequence[IntArray], grid: SurfaceGrid, *, what: str = "flank"
) -> tuple[SurfaceGrid, sp.csc_matrix]:
    """The hats with their areas on finite elements, and their loads (3 nodes, hats).

    A column of the loads contains the nodal forces b_g of a unit force on the hat, into the material.

    Parameters
    ----------
    surface
        The flank, a `FlankPatch`.
    nodes
        (n, 3) of the finite elements [m], in the axes of the flank.
    faces
        (f, 3, 4, 6 or 8) node numbers of the faces of elements on the flank, corners round the face, then mid-edges: of
        hexahedra or tetrahedra; or several such arrays. Parts of faces beyond the edges of the flank are left out.
    grid
        From `surface_grid`.
    what
        The flank in messages.
    """
    nodes = np.asarray(nodes, dtype=np.float64)
    areas = np.zeros(grid.size)
    loads = sp.csc_matrix((3 * len(nodes), grid.size))
    away, found = 0.0, False
    for some in [faces] if isinstance(faces, np.ndarray) else faces:
        parts = _parts(nodes, some, grid)
        step = max(1, _CHUNK // (9 * parts**2))
        for start in range(0, len(some), step):
            found = True
            area, load, distance = _integrals(surface, nodes, some[start : start + step], grid, parts)
            areas, loads, away = areas + area, loads + load, max(away, distance)
    limit = _AWAY * min(grid.mean_spacing, grid.mean_distance)
    if not found:
        raise ModelError(f"{what}: there are no faces of elements on the flank")
    if away > limit:
        raise ModelError(
            f"{what}: faces of elements are up to {1e3 * away:.3g} mm away from the flank surface, more than {1e3 * limit:.3g} mm. "
            "Use a grid of this gear in its own axes (z axis of rotation, x through the middle of tooth 0)"
        )
    covered = areas / grid.areas
    if float(covered.min()) < _COVERED:
        g = int(np.argmin(covered))
        raise ModelError(
            f"{what}: the faces of elements cover only {100.0 * covered[g]:.0f} % of the flank near "
            f"u = {grid.u[g // grid.lines]:.2g}, v = {grid.v[g % grid.lines]:.2g} (u from the form line to the tip, v along the "
            "face). They must cover the whole flank"
        )
    scaled = (loads @ sp.diags(1.0 / areas)).tocsc()
    scaled.eliminate_zeros()
    return replace(grid, areas=areas), scaled


def _parts(nodes: FloatArray, faces: IntArray, grid: SurfaceGrid) -> int:
    """Parts along the sides of faces, so that kinks of hats matter little."""
    if not len(faces):
        return 1
    corners = nodes[faces[:, : 3 if faces.shape[1] in (3, 6) else 4]]
    edges = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1)
    hats = min(grid.mean_spacing, grid.mean_distance)
    return int(np.clip(math.ceil(3.0 * float(np.median(edges)) / hats), 3, 8))


def _integrals(
    surface: Surface, nodes: FloatArray, faces: IntArray, grid: SurfaceGrid, parts: int
) -> tuple[FloatArray, sp.csc_matrix, float]:
    """∫ hat dA (hats,), −∫ hat Nᵀ n dA (3 nodes, hats), and the largest distance of the faces from the flank [m]."""
    points = FacePoints(nodes, faces, parts)
    at = closest_points(surface, points.positions.reshape(-1, 3))
    area = points.areas.reshape(-1, 3)
    out = np.einsum("nk,nk->n", area, at.normals)
    size = np.linalg.norm(area, axis=1)
    # faces of the tip and the ends are across the flank
    on = (at.beyond <= _INSIDE * min(grid.mean_spacing, grid.mean_distance)) & (np.abs(out) > _ALONG * size)
    away = float(np.abs(at.above[on]).max(initial=0.0))
    into = -np.where(out < 0.0, -1.0, 1.0)[:, None] * area * on[:, None]
    hats, values = grid.shares(at.u, at.v)
    count = len(area)
    rows = np.repeat(np.arange(count), 4)
    H = sp.csr_matrix((values.ravel(), (rows, hats.ravel())), (count, grid.size))
    n_shapes = points.shapes.shape[1]
    rows = np.repeat(np.arange(count), n_shapes)
    columns = np.broadcast_to(faces[:, None, :], (len(faces), len(points.shapes), n_shapes)).ravel()
    N = sp.csr_matrix((np.tile(points.shapes.ravel(), len(faces)), (rows, columns)), (count, len(nodes)))
    blocks = [(N.T @ sp.diags(into[:, k]) @ H).tocoo() for k in range(3)]
    load = sp.csc_matrix(
        (
            np.concatenate([block.data for block in blocks]),
            (
                np.concatenate([3 * block.row + k for k, block in enumerate(blocks)]),
                np.concatenate([block.col for block in blocks]),
            ),
        ),
        (3 * len(nodes), grid.size),
    )
    return np.asarray(H.T @ (size * on)), load, away
