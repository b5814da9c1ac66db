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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.spatial import cKDTree

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import GearBody, Hob, Material, Shaper
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.surfaces.patch import FlankPatch, FlankSurfaces
from pitchline.parts.gears.teeth.teeth import Teeth

from .sector_grid import FlankNodes, SectorGrid
from .surface_loads import FacePoints

__all__ = [
    "FlankGrid",
    "flank_grid",
    "ClosestPoints",
    "Surface",
    "closest_points",
    "SurfaceGrid",
    "surface_grid",
    "surface_hats",
    "check_flanks",
    "flank_arrays",
    "plain",
    "read_flanks",
    "read_teeth",
    "teeth_head",
]


# ---- flank grid

# Pressure on a flank, spread by hats over its finite elements.
#
# A hat is 1 at one point of the flank grid, 0 at all others and bilinear between them: linear in the arc of the
# transverse profile (arc = L²/(2 r_b) over the roll length L) and along the face. Grid points are the corners of the
# elements along the profile, and all lines of nodes, corners and mid-sides, along the face. Contact pressure is p = Σ
# F_g hat_g / a_g with the forces F_g on the hats and their areas a_g = ∫ hat_g dA; then the consistent nodal forces
# of a unit F_g are
#
# b_g = −(1/a_g) ∫ hat_g Nᵀ n dA ,
#
# into the material, against the normal n; and b_gᵀ u is the mean of the displacement into the material, weighed by
# the hat. Integrals are taken over the faces of the elements, quadratic as they are, with Gauss points in each half
# of a face.

_GAUSS = 4
"""Gauss points along each side of a cell: the products of hat, shape function and normal of a curved face."""


@dataclass(frozen=True, eq=False)
class FlankGrid:
    """Bilinear hats on one flank of a tooth; hat g = i · n_face + j is at the point (i, j).

    Attributes
    ----------
    lengths
        (n_profile, n_face) roll length L [m] of the points; from the form circle to the tip.
    zeta
        (n_face,) face coordinate [m], ascending.
    areas
        (n_profile · n_face,) integral of each hat over the flank [m²].
    """

    lengths: FloatArray
    zeta: FloatArray
    areas: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """Points along the profile and along the face."""
        return self.lengths.shape[0], self.lengths.shape[1]

    @property
    def size(self) -> int:
        """Number of hats."""
        return self.lengths.size


def flank_grid(grid: SectorGrid, side: str) -> tuple[FlankGrid, sp.csc_matrix]:
    """The hats on the "left" or "right" flank of tooth 0, and their loads (3 nodes, hats).

    A column of the loads has the nodal forces b_g of a unit force on the hat, into the material.
    """
    patch = grid.flanks[side]
    quadratic = grid.solid.order == 2
    rows = np.arange(0, patch.nodes.shape[0], 2 if quadratic else 1)
    lengths, zeta = patch.lengths[rows], np.asarray(patch.zeta, dtype=np.float64)
    faces, points = _faces(patch, rows, quadratic)
    coordinates = np.asarray(grid.solid.nodes, dtype=np.float64)[faces]
    into = -_outwards(grid, side, patch, rows)
    n_hats, n_nodes = len(rows) * len(zeta), len(grid.solid.nodes)
    areas = np.zeros(n_hats)
    force = np.zeros((len(faces), faces.shape[1], points.shape[1], 3))
    for xi, eta, weight in _quadrature(quadratic):
        N, d_xi, d_eta = _face_shapes(xi, eta, quadratic)
        hat = _hats(xi, eta, quadratic)
        area = np.cross(d_xi @ coordinates, d_eta @ coordinates)  # (faces, 3): normal times area
        area *= np.sign(np.einsum("fk,fk->f", area, into))[:, None]
        np.add.at(areas, points, weight * np.linalg.norm(area, axis=1)[:, None] * hat)
        force += weight * np.einsum("a,h,fk->fahk", N, hat, area)
    row = np.broadcast_to(3 * faces[:, :, None, None] + np.arange(3), force.shape)
    column = np.broadcast_to(points[:, None, :, None], force.shape)
    loads = sp.csc_matrix((force.ravel(), (row.ravel(), column.ravel())), (3 * n_nodes, n_hats))
    loads = (loads @ sp.diags(1.0 / areas)).tocsc()
    loads.eliminate_zeros()
    return FlankGrid(lengths, zeta, areas), loads


def _faces(patch: FlankNodes, rows: IntArray, quadratic: bool) -> tuple[IntArray, IntArray]:
    """Nodes of each face (faces, 4 or 8) and the hats that it carries (faces, 4 or 6).

    A face runs from row i to i + 1 of the flank grid (ξ) and, quadratic, over three lines along the face width (η).
    """
    nodes, n_face = np.asarray(patch.nodes), patch.nodes.shape[1]
    step = 2 if quadratic else 1
    i, j = (
        index.ravel() for index in np.meshgrid(np.arange(len(rows) - 1), np.arange(0, n_face - 1, step), indexing="ij")
    )
    places = _NODES_8 if quadratic else _NODES_4
    faces = np.stack([nodes[step * i + a, j + b] for a, b in places], axis=1)
    points = np.stack([(i + a) * n_face + j + b for a in range(2) for b in range(step + 1)], axis=1)
    return faces, points


_NODES_4 = ((0, 0), (1, 0), (1, 1), (0, 1))
_NODES_8 = ((0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1))
"""Nodes of a face by their steps along profile and face: corners round, then mid-sides."""


def _face_shapes(xi: float, eta: float, quadratic: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shape functions of the 4- or 8-node face and their derivatives by ξ and η, from −1 to 1."""
    N, d_xi, d_eta = [], [], []
    centre = 1 if quadratic else 0.5
    for place in _NODES_8 if quadratic else _NODES_4:
        a, b = (float(v) for v in (np.array(place) - centre) / centre)
        p, q = 1.0 + a * xi, 1.0 + b * eta
        if not quadratic:
            N.append(p * q / 4)
            d_xi.append(a * q / 4)
            d_eta.append(b * p / 4)
        elif a and b:
            N.append(p * q * (a * xi + b * eta - 1) / 4)
            d_xi.append(a * q * (2 * a * xi + b * eta) / 4)
            d_eta.append(b * p * (a * xi + 2 * b * eta) / 4)
        elif a:
            N.append(p * (1 - eta**2) / 2)
            d_xi.append(a * (1 - eta**2) / 2)
            d_eta.append(-eta * p)
        else:
            N.append((1 - xi**2) * q / 2)
            d_xi.append(-xi * q)
            d_eta.append(b * (1 - xi**2) / 2)
    return np.array(N), np.array(d_xi), np.array(d_eta)


def _hats(xi: float, eta: float, quadratic: bool) -> FloatArray:
    """The hats of one face at (ξ, η), in the order of `_faces`."""
    profile = np.array([1.0 - xi, 1.0 + xi]) / 2.0
    if quadratic:  # linear in each half
        face = np.array([max(-eta, 0.0), 1.0 - abs(eta), max(eta, 0.0)])
    else:
        face = np.array([1.0 - eta, 1.0 + eta]) / 2.0
    return np.outer(profile, face).ravel()


def _quadrature(quadratic: bool) -> list[tuple[float, float, float]]:
    """(ξ, η, weight) over a face; each half of η for itself, where hats have a kink between them."""
    x, w = np.polynomial.legendre.leggauss(_GAUSS)
    if quadratic:
        y, v = np.concatenate([0.5 * (x - 1.0), 0.5 * (x + 1.0)]), np.concatenate([w, w]) / 2.0
    else:
        y, v = x, w
    return [(float(a), float(b), float(p * q)) for a, p in zip(x, w, strict=True) for b, q in zip(y, v, strict=True)]


def _outwards(grid: SectorGrid, side: str, patch: FlankNodes, rows: IntArray) -> FloatArray:
    """(faces, 3) the exact normal of the unmodified flank, out of the material, about the middle of each face."""
    step = 2 if grid.solid.order == 2 else 1
    L, z = patch.lengths[rows], np.asarray(patch.zeta)
    middle = 0.25 * (L[:-1, :-step:step] + L[1:, :-step:step] + L[:-1, step::step] + L[1:, step::step])
    zeta = 0.5 * (z[:-step:step] + z[step::step])
    normal: FloatArray = grid.teeth.flank(side).involute.normal(middle, zeta[None, :])
    return normal.reshape(-1, 3)


# ---- patch projection

# The point of a flank surface that is closest to a given point.
#
# With the residual r = x − p(u, v), a step of the Gauss-Newton method solves
#
#     [p_u·p_u  p_u·p_v] [Δu]   [p_u·r]
#     [p_u·p_v  p_v·p_v] [Δv] = [p_v·r] .
#
# It starts at the closest one of a grid of samples. Points of finite elements are closer to the flank than a
# thousandth of its radius of curvature, so every step gains three digits or more. (u, v) stays within the surface:
# where a step would leave it, the point moves along the edge.

_STEPS = 40
_SAMPLES = 65
"""Samples along u and v at which the search starts."""
_ACCURACY = 1e-13
"""The last step, in u and v."""


class Surface(Protocol):
    """p(u, v) over 0 to 1: u from the form line to the tip, v along the face."""

    def point(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """p [m], (…, 3)."""

    def tangents(self, u: npt.ArrayLike, v: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """p_u and p_v [m], (…, 3) each."""

    def normal(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material, (…, 3)."""


@dataclass(frozen=True, eq=False)
class ClosestPoints:
    """Closest points of a surface.

    Attributes
    ----------
    u, v : (n,)
        Their parameters, 0 to 1.
    normals : (n, 3)
        Unit normals of the surface there, out of the material.
    above : (n,)
        Distance of the given points from the tangent plane, out of the material [m].
    beyond : (n,)
        Distance of the given points from the edge of the surface, along the tangent plane [m]; 0 for points above it.
    """

    u: FloatArray
    v: FloatArray
    normals: FloatArray
    above: FloatArray
    beyond: FloatArray


def closest_points(surface: Surface, points: FloatArray) -> ClosestPoints:
    """The closest points of a surface to points (n, 3) [m]."""
    x = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    at = np.linspace(0.0, 1.0, _SAMPLES)
    samples = np.asarray(surface.point(at[:, None], at[None, :]), dtype=np.float64).reshape(-1, 3)
    nearest = cKDTree(samples).query(x)[1]
    u, v = at[nearest // _SAMPLES].copy(), at[nearest % _SAMPLES].copy()
    moving = np.arange(len(x))
    for _ in range(_STEPS):
        du, dv = _step(surface, x[moving], u[moving], v[moving])
        new_u, new_v = np.clip(u[moving] + du, 0.0, 1.0), np.clip(v[moving] + dv, 0.0, 1.0)
        moved = np.maximum(np.abs(new_u - u[moving]), np.abs(new_v - v[moving]))
        u[moving], v[moving] = new_u, new_v
        moving = moving[moved > _ACCURACY]
        if not len(moving):
            break
    normals = np.asarray(surface.normal(u, v), dtype=np.float64).reshape(-1, 3)
    r = x - np.asarray(surface.point(u, v), dtype=np.float64).reshape(-1, 3)
    above = np.einsum("nk,nk->n", r, normals)
    beyond = np.linalg.norm(r - above[:, None] * normals, axis=1)
    inside = (u > 0.0) & (u < 1.0) & (v > 0.0) & (v < 1.0)
    return ClosestPoints(u, v, normals, above, np.where(inside, 0.0, beyond))


def _step(surface: Surface, x: FloatArray, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Δu and Δv; along an edge where the step would leave it."""
    p = np.asarray(surface.point(u, v), dtype=np.float64)
    a, b = (np.asarray(t, dtype=np.float64) for t in surface.tangents(u, v))
    r = x - p
    aa, ab, bb = (np.einsum("nk,nk->n", s, t) for s, t in ((a, a), (a, b), (b, b)))
    ar, br = np.einsum("nk,nk->n", a, r), np.einsum("nk,nk->n", b, r)
    determinant = aa * bb - ab * ab
    du, dv = (bb * ar - ab * br) / determinant, (aa * br - ab * ar) / determinant
    u_ends = ((u <= 0.0) & (du < 0.0)) | ((u >= 1.0) & (du > 0.0))
    v_ends = ((v <= 0.0) & (dv < 0.0)) | ((v >= 1.0) & (dv > 0.0))
    along_v, along_u = br / bb, ar / aa
    dv = np.where(u_ends & ~v_ends, along_v, dv)
    du = np.where(v_ends & ~u_ends, along_u, du)
    return np.where(u_ends, 0.0, du), np.where(v_ends, 0.0, dv)


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


# ---- gear file teeth

# The teeth and hats of an elastic gear in its file: involutes on cylindrical gears, or surfaces on any gear or rack.
#
# Of involutes the gear is enough. Of surfaces the file contains the control points and knots of both patches.
# Surfaces of single teeth are not kept, as modifications are not.

_PARTS = ("material", "body", "tool", "modifications", "flanks")
"""Of a gear, written apart; modifications play no part in its elasticity and are not kept."""
_OF_PATCH = ("control", "knots_u", "knots_v")

Arrays = dict[str, np.ndarray]


def plain(part: Material | GearBody | Hob | Shaper) -> dict[str, Any]:
    """All fields by name."""
    return {item.name: getattr(part, item.name) for item in fields(part)}


# --- writing -----------------------------------------------------------------------------------------


def teeth_head(teeth: Teeth | SurfaceTeeth) -> dict[str, Any]:
    """What describes the teeth, apart from arrays."""
    gear = teeth.gear
    found: dict[str, Any] = {"gear_material": plain(gear.material)}
    if isinstance(gear, Rack):
        found["rack"] = {item.name: getattr(gear, item.name) for item in fields(Rack) if item.name not in _PARTS}
    else:
        found["gear"] = {item.name: getattr(gear, item.name) for item in fields(Gear) if item.name not in _PARTS}
        found |= {"gear_body": plain(gear.body), "gear_tool": _tool(teeth)}
    if isinstance(teeth, SurfaceTeeth):
        patches = {"left": teeth.left, "right": teeth.right}
        found["imported"] = gear.flanks is not None
        found["surfaces"] = {side: {"facing": p.facing, "error": p.error} for side, p in patches.items()}
    return found


def flank_arrays(teeth: Teeth | SurfaceTeeth, grids: Mapping[str, FlankGrid] | Mapping[str, SurfaceGrid]) -> Arrays:
    """Hats, and the patches of surfaces."""
    data: Arrays = {}
    for side, grid in grids.items():
        if isinstance(grid, FlankGrid):
            data |= {f"{side}/lengths": grid.lengths, f"{side}/zeta": grid.zeta, f"{side}/areas": grid.areas}
            continue
        data[f"{side}/areas"] = grid.areas.reshape(grid.shape)
    if isinstance(teeth, SurfaceTeeth):
        for side, patch in (("left", teeth.left), ("right", teeth.right)):
            data |= {f"{side}/{name}": getattr(patch, name) for name in _OF_PATCH}
    return data


def _tool(teeth: Teeth | SurfaceTeeth) -> dict[str, Any] | None:
    """What cuts the same teeth, to the bit: a shaper is written as it was found."""
    if isinstance(teeth, Teeth) and teeth.cutter is not None:
        return {"teeth": teeth.cutter.teeth, "tip_rounding": teeth.cutter.tip_rounding}
    gear = teeth.gear
    return None if isinstance(gear, Rack) or gear.tool is None else plain(gear.tool)


# --- reading -----------------------------------------------------------------------------------------


def check_flanks(data: Arrays, side: str, need: Any) -> int:
    """Number of hats of a side; `need` is called with whether an array fits, and its name."""
    areas = data[f"{side}/areas"]
    if f"{side}/control" not in data:
        lengths = data[f"{side}/lengths"]
        need(lengths.ndim == 2 and min(lengths.shape) > 1, f"{side}/lengths")
        need(data[f"{side}/zeta"].shape == lengths.shape[1:], f"{side}/zeta")
        need(areas.shape == (lengths.size,), f"{side}/areas")
        return int(lengths.size)
    need(areas.ndim == 2 and min(areas.shape) > 1, f"{side}/areas")
    control = data[f"{side}/control"]
    need(control.ndim == 3 and control.shape[2] == 3 and min(control.shape[:2]) > 1, f"{side}/control")
    for name, count in zip(_OF_PATCH[1:], control.shape[:2], strict=True):
        knots = data[f"{side}/{name}"]
        fits = knots.ndim == 1 and count + 2 <= len(knots) <= min(2 * count, count + 6)
        need(fits and bool(np.all(np.diff(knots) >= 0.0)) and knots[0] == 0.0 and knots[-1] == 1.0, f"{side}/{name}")
    return int(areas.size)


def read_teeth(head: dict[str, Any], data: Arrays) -> Teeth | SurfaceTeeth:
    """The teeth of a file."""
    material = Material(**head["gear_material"])
    gear: Gear | Rack
    if "rack" in head:
        gear = Rack(**head["rack"], material=material)
    else:
        tool = head["gear_tool"]
        gear = Gear(
            **head["gear"],
            material=material,
            body=GearBody(**head["gear_body"]),
            tool=None if tool is None else (Shaper if head["gear"]["internal"] else Hob)(**tool),
        )
    if "surfaces" not in head and isinstance(gear, Gear):
        return Teeth(gear)
    patches = {
        side: FlankPatch(*(data[f"{side}/{name}"] for name in _OF_PATCH), facing=of["facing"], error=of["error"])
        for side, of in head["surfaces"].items()
    }
    if not head["imported"]:
        return SurfaceTeeth(gear, patches["left"], patches["right"])
    flanks = FlankSurfaces(patches["left"], patches["right"])
    return SurfaceTeeth.of(
        replace(gear, flanks=flanks) if isinstance(gear, Rack) else gear.with_(flanks=flanks), flanks
    )


def read_flanks(
    teeth: Teeth | SurfaceTeeth, data: Arrays, sides: tuple[str, ...]
) -> dict[str, FlankGrid] | dict[str, SurfaceGrid]:
    """The hats of a file."""
    if isinstance(teeth, Teeth):
        return {side: FlankGrid(*(data[f"{side}/{name}"] for name in ("lengths", "zeta", "areas"))) for side in sides}
    grids = {}
    for side in sides:
        areas = data[f"{side}/areas"]
        grids[side] = replace(surface_grid(teeth.flank(side), *areas.shape), areas=areas.ravel())
    return grids
