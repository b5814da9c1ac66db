"""How good the elements of a grid are: Jacobians, aspect ratios, volume.

The scaled Jacobian of a corner is the volume spanned by the unit vectors along its three edges: 1 in a cube, 0 where an
element collapses, negative where it turns inside out (Knupp 2000, International Journal for Numerical Methods in
Engineering 48, 1165-1185). Of a 20-node element the edges are the tangents of its curved edges; the determinant of its
Jacobian must be positive also inside, which is looked at in the 27 Gauss points and all 20 nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arguments import names_wrong_arguments
from .hexahedra import CORNERS, EDGES, gauss_points, reference_nodes, shape_gradients
from .solid_grid import FloatArray, IntArray, SolidGrid

__all__ = ["GridQuality", "jacobian_determinants", "grid_quality", "grid_volume", "scaled_jacobians"]

_CHUNK = 4096
"""Elements at a time: keeps the arrays of a whole gear in a few megabytes."""


def _jacobians(grid: SolidGrid, elements: IntArray, points: FloatArray) -> FloatArray:
    """∂x/∂(ξ, η, ζ), (elements, points, 3, 3): the rows are the tangents."""
    dN = shape_gradients(elements.shape[1], points)
    J: FloatArray = np.matmul(dN[None], grid.nodes[elements][:, None])
    return J


def _determinant(J: FloatArray) -> FloatArray:
    a, b, c = J[..., 0, :], J[..., 1, :], J[..., 2, :]
    result: FloatArray = (
        a[..., 0] * (b[..., 1] * c[..., 2] - b[..., 2] * c[..., 1])
        + a[..., 1] * (b[..., 2] * c[..., 0] - b[..., 0] * c[..., 2])
        + a[..., 2] * (b[..., 0] * c[..., 1] - b[..., 1] * c[..., 0])
    )
    return result


def _in_chunks(grid: SolidGrid) -> list[IntArray]:
    return [grid.elements[k : k + _CHUNK] for k in range(0, len(grid.elements), _CHUNK)]


def jacobian_determinants(grid: SolidGrid) -> FloatArray:
    """det ∂x/∂(ξ, η, ζ) [m³] in the 27 Gauss points and in all nodes of the elements, (m, 27 + 8 or 20)."""
    points = np.concatenate([gauss_points(3)[0], reference_nodes(grid.elements.shape[1])])
    return np.concatenate([_determinant(_jacobians(grid, some, points)) for some in _in_chunks(grid)])


def scaled_jacobians(grid: SolidGrid) -> FloatArray:
    """Scaled Jacobians of the eight corners, (m, 8), 1 at best."""
    found = []
    for some in _in_chunks(grid):
        J = _jacobians(grid, some, CORNERS)
        found.append(_determinant(J / np.linalg.norm(J, axis=-1, keepdims=True)))
    return np.concatenate(found)


def grid_volume(grid: SolidGrid) -> float:
    """Volume of the elements [m³], by 3 x 3 x 3 Gauss points."""
    points, weights = gauss_points(3)
    return float(sum((_determinant(_jacobians(grid, some, points)) @ weights).sum() for some in _in_chunks(grid)))


def _edge_lengths(grid: SolidGrid) -> FloatArray:
    """Straight lengths of the twelve edges [m], (m, 12)."""
    ends = np.array(EDGES)
    X = grid.nodes[grid.corners]
    return np.linalg.norm(X[:, ends[:, 1]] - X[:, ends[:, 0]], axis=-1)


@dataclass(frozen=True)
class GridQuality:
    """A few numbers on the elements of a grid.

    Attributes
    ----------
    nodes, elements, order : int
    scaled_jacobian : float
        The smallest one of all corners of all elements; `mean_scaled_jacobian` is the mean over the elements of the
        smallest one of each.
    jacobian_ratio : float
        The smallest determinant of the Jacobian in Gauss points and nodes by the mean one of its element; positive
        where the mapping of every element is one to one there.
    aspect_ratio : float
        The longest edge of an element by its shortest one, at worst; `mean_aspect_ratio` on average.
    shortest_edge, longest_edge : float
        [m]
    volume : float
        [m³]
    """

    nodes: int
    elements: int
    order: int
    scaled_jacobian: float
    mean_scaled_jacobian: float
    jacobian_ratio: float
    aspect_ratio: float
    mean_aspect_ratio: float
    shortest_edge: float
    longest_edge: float
    volume: float

    @property
    def valid(self) -> bool:
        """Whether all Jacobians are positive."""
        return self.scaled_jacobian > 0.0 and self.jacobian_ratio > 0.0

    def __str__(self) -> str:
        rows = (
            ("nodes", f"{self.nodes:,}"),
            ("elements", f"{self.elements:,} of {8 if self.order == 1 else 20} nodes"),
            ("scaled Jacobian", f"{self.scaled_jacobian:.3f} at worst, {self.mean_scaled_jacobian:.3f} on average"),
            ("Jacobian in Gauss points and nodes", f"{self.jacobian_ratio:.3f} of the element's mean at worst"),
            ("aspect ratio", f"{self.aspect_ratio:.1f} at worst, {self.mean_aspect_ratio:.1f} on average"),
            ("edges", f"{1e3 * self.shortest_edge:.4g} mm to {1e3 * self.longest_edge:.4g} mm"),
            ("volume", f"{1e9 * self.volume:.6g} mm³"),
        )
        width = max(len(name) for name, _ in rows) + 2
        return "\n".join(f"{name:<{width}}{text}" for name, text in rows)


@names_wrong_arguments
def grid_quality(grid: SolidGrid) -> GridQuality:
    """Jacobians, aspect ratios, edges and volume of a grid."""
    corner = scaled_jacobians(grid).min(axis=1)
    determinants = jacobian_determinants(grid)
    edges = _edge_lengths(grid)
    aspect = edges.max(axis=1) / edges.min(axis=1)
    weights = gauss_points(3)[1]
    inside = determinants[:, : len(weights)] @ weights
    return GridQuality(
        nodes=len(grid.nodes),
        elements=len(grid.elements),
        order=grid.order,
        scaled_jacobian=float(corner.min()),
        mean_scaled_jacobian=float(corner.mean()),
        jacobian_ratio=float((determinants.min(axis=1) / (np.abs(inside) / 8.0)).min()),
        aspect_ratio=float(aspect.max()),
        mean_aspect_ratio=float(aspect.mean()),
        shortest_edge=float(edges.min()),
        longest_edge=float(edges.max()),
        volume=float(inside.sum()),
    )
