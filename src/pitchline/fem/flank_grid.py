"""Pressure on a flank, spread by hats over its finite elements.

A hat is 1 at one point of the flank grid, 0 at all others and bilinear between them: linear in the arc of the transverse profile
(arc = L²/(2 r_b) over the roll length L) and along the face. Grid points are the corners of the elements along the profile,
and all lines of nodes, corners and mid-sides, along the face. Contact pressure is p = Σ F_g hat_g / a_g with the forces F_g
on the hats and their areas a_g = ∫ hat_g dA; then the consistent nodal forces of a unit F_g are

    b_g = −(1/a_g) ∫ hat_g Nᵀ n dA ,

into the material, against the normal n; and b_gᵀ u is the mean of the displacement into the material, weighed by the hat.
Integrals are taken over the faces of the elements, quadratic as they are, with Gauss points in each half of a face.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..gears.teeth.arrays import FloatArray, IntArray
from .sector_grid import FlankNodes, SectorGrid

__all__ = ["FlankGrid", "flank_grid"]

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
