"""How good the elements of a grid are: Jacobians, aspect ratios, volume.

The scaled Jacobian of a corner is the volume spanned by the unit vectors along its three edges: 1 in a cube, 0 where an
element collapses, negative where it turns inside out (Knupp 2000, International Journal for Numerical Methods in
Engineering 48, 1165-1185). Of a 20-node element the edges are the tangents of its curved edges; the determinant of its
Jacobian must be positive also inside, which is looked at in the 27 Gauss points and all 20 nodes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, near_names
from pitchline.parts.gears.geometry.inputs import Material, in_mm, positive
from pitchline.parts.gears.teeth.bevel import gauss_rule, section_moments
from pitchline.parts.gears.teeth.teeth import Teeth

from .element_matrices import formulation_for, gradients_at, internal_displacements, lame_constants
from .hexahedra import CORNERS, EDGES, gauss_points, reference_nodes, shape_functions, shape_gradients

__all__ = [
    "gear_volume",
    "section_area",
    "FloatArray",
    "IntArray",
    "SolidGrid",
    "hexahedra",
    "lattice_nodes",
    "GridQuality",
    "jacobian_determinants",
    "grid_quality",
    "grid_volume",
    "scaled_jacobians",
    "nodal_stresses",
    "point_strains",
    "point_stresses",
    "von_mises",
]


# ---- sector volume

# The exact volume of a toothed body, from the exact outline of its sections.


def section_area(teeth: Teeth, zeta: object = 0.0) -> FloatArray:
    """Area [m²] inside the outline of all (unmodified) teeth in the sections ζ [m]; of an internal gear that of its hole."""
    return section_moments(teeth, zeta).area


def gear_volume(teeth: Teeth, *, bore: object = None, rim_diameter: object = None) -> float:
    """Volume [m³] of a gear with its unmodified teeth, between its end faces and its bore (internal: its outside); less the grooves
    next to a web.

    bore, rim_diameter: in place of those of the gear [m].
    """
    gear = teeth.gear
    width = gear.required_face_width("its volume")
    x, w = gauss_rule(16)
    toothed = 0.5 * width * float(section_area(teeth, 0.5 * width * x) @ w)
    if gear.internal:
        outside = (
            gear.rim_diameter if rim_diameter is None else positive(rim_diameter, "length", "gear volume: rim_diameter")
        )
        if outside is None:
            raise ModelError("gear volume: an internal gear requires rim_diameter, its outer diameter")
        if outside <= gear.root_diameter:
            raise ModelError(
                f"gear volume: rim_diameter {in_mm(outside)} is not outside the teeth. Specify a larger one"
            )
        return 0.25 * math.pi * outside**2 * width - toothed
    hole = gear.bore if bore is None else positive(bore, "length", "gear volume: bore")
    web, body = gear.body.web_thickness, gear.body
    groove = 0.0
    if web is not None:
        groove = 0.25 * math.pi * (gear.inside_of_rim**2 - max(body.hub_diameter or 0.0, hole) ** 2) * (width - web)
    return toothed - 0.25 * math.pi * hole**2 * width - groove


# ---- solid grid

# Solid grids of hexahedra: nodes, elements and named sets of nodes.

# Steps (a, b, c) of the 20 nodes from the first one in a lattice of half elements: corners below, corners above,
# mid-edges below, above, and those between.
_STEPS = (
    (0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2),
    (1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
    (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SolidGrid:
    """A body of hexahedra with 8 or 20 nodes each.

    The nodes of an element have the order of a VTK hexahedron, Abaqus C3D8 and C3D20: 0-3 the corners of the bottom,
    counter-clockwise seen from the top, 4-7 those of the top above them, 8-11 the mid-edges of the bottom (0-1, 1-2,
    2-3, 3-0), 12-15 those of the top, 16-19 those between bottom and top (0-4, 1-5, 2-6, 3-7).

    Attributes
    ----------
    nodes : (n, 3)
        [m]; of a gear in its own axes: z its axis, x through the middle of tooth 0.
    elements : (m, 8) or (m, 20)
        Numbers of nodes, from 0.
    node_sets : mapping of names to (k,) arrays
        Nodes with a name, such as "bore" or "left flank".
    """

    nodes: FloatArray
    elements: IntArray
    node_sets: Mapping[str, IntArray] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        nodes = np.ascontiguousarray(self.nodes, dtype=np.float64)
        elements = np.ascontiguousarray(self.elements, dtype=np.int64)
        if nodes.ndim != 2 or nodes.shape[1] != 3:
            raise ModelError(f"solid grid: nodes must have the shape (n, 3), got {nodes.shape}")
        if elements.ndim != 2 or elements.shape[1] not in (8, 20):
            raise ModelError(f"solid grid: elements must have 8 or 20 nodes each, got the shape {elements.shape}")
        if elements.size and (elements.min() < 0 or elements.max() >= len(nodes)):
            raise ModelError(
                f"solid grid: elements refer to the nodes {elements.min()} to {elements.max()}, but there are {len(nodes)} "
                "nodes, numbered from 0"
            )
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "elements", elements)
        object.__setattr__(self, "node_sets", MappingProxyType(dict(self.node_sets)))

    @property
    def order(self) -> int:
        """1 for elements of 8 nodes, 2 for those of 20."""
        return 1 if self.elements.shape[1] == 8 else 2

    @property
    def corners(self) -> IntArray:
        """(m, 8): the corner nodes of the elements."""
        return self.elements[:, :8]

    def node_set(self, name: str) -> IntArray:
        """Nodes of a named set. The error for an unknown name lists the sets."""
        if name not in self.node_sets:
            raise ModelError(f'solid grid: no set of nodes "{name}"; {near_names(name, self.node_sets)}')
        return self.node_sets[name]

    def __repr__(self) -> str:
        return (
            f"SolidGrid({len(self.nodes):,} nodes, {len(self.elements):,} elements of {self.elements.shape[1]} nodes)"
        )


def lattice_nodes(shape: tuple[int, ...], order: int) -> npt.NDArray[np.bool_]:
    """Which points of a lattice are nodes: all, or, for second order, those with at most one odd index.

    A lattice of second order has two steps an element; the middles of its faces and of itself are not nodes.
    """
    if order == 1:
        return np.ones(shape, dtype=bool)
    odd = sum(index % 2 for index in np.ogrid[tuple(slice(n) for n in shape)])
    return np.asarray(odd <= 1)


def hexahedra(lattice: IntArray, order: int) -> IntArray:
    """Elements (a, b, c, 8 or 20) of a lattice of node numbers, whose three indices make a right-handed system."""
    if order == 1:
        steps = [tuple(s // 2 for s in step) for step in _STEPS[:8]]
        span = 1
    else:
        steps, span = list(_STEPS), 2
    na, nb, nc = ((n - 1) // span * span for n in lattice.shape)
    columns = [lattice[a : a + na : span, b : b + nb : span, c : c + nc : span] for a, b, c in steps]
    return np.stack(columns, axis=-1)


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


# ---- stress recovery

# Strains and stresses of a deformed grid.
#
# They are computed at the 2 x 2 x 2 Gauss points of each element, where hexahedra of both kinds are most accurate
# (Barlow 1976), continued to the nodes by the trilinear function through the eight values, and averaged over the
# elements of a node. Components have the order xx, yy, zz, xy, yz, zx; shear strains are the full angles γ = 2 ε.


def point_strains(
    grid: SolidGrid, displacements: FloatArray, material: Material, *, formulation: str | None = None
) -> FloatArray:
    """(elements, 8, 6) strains at the 2 x 2 x 2 Gauss points.

    displacements: (3 nodes,) or (nodes, 3) [m]. Material and formulation matter for 8-node elements with incompatible
    modes, whose internal displacements are recovered first.
    """
    u = np.asarray(displacements, dtype=float)
    if u.size != grid.nodes.size:
        raise ModelError(f"displacements must have {grid.nodes.size} values for {len(grid.nodes)} nodes, got {u.size}")
    name = formulation_for(grid.elements.shape[1], formulation)
    coordinates, moved = grid.nodes[grid.elements], u.reshape(-1, 3)[grid.elements]
    gradients, _ = gradients_at(coordinates, gauss_points(2)[0], name)
    if name == "incompatible":
        internal = internal_displacements(
            coordinates, moved, youngs_modulus=material.youngs_modulus, poissons_ratio=material.poissons_ratio
        )
        moved = np.concatenate([moved, internal], axis=1)
    H = np.matmul(gradients, moved[:, None])  # du_j/dx_i
    return np.stack(
        [
            H[..., 0, 0], H[..., 1, 1], H[..., 2, 2],
            H[..., 0, 1] + H[..., 1, 0], H[..., 1, 2] + H[..., 2, 1], H[..., 2, 0] + H[..., 0, 2],
        ],
        axis=-1,
    )  # fmt: skip


def point_stresses(
    grid: SolidGrid, displacements: FloatArray, material: Material, *, formulation: str | None = None
) -> FloatArray:
    """(elements, 8, 6) stresses σ = λ tr(ε) + 2 μ ε [Pa] at the 2 x 2 x 2 Gauss points."""
    strains = point_strains(grid, displacements, material, formulation=formulation)
    lame, shear = lame_constants(material.youngs_modulus, material.poissons_ratio)
    stresses = shear * strains
    stresses[..., :3] *= 2.0
    stresses[..., :3] += lame * strains[..., :3].sum(axis=-1, keepdims=True)
    return stresses


def nodal_stresses(
    grid: SolidGrid, displacements: FloatArray, material: Material, *, formulation: str | None = None
) -> FloatArray:
    """(nodes, 6) stresses [Pa]: continued to the nodes of each element, and averaged over the elements there."""
    stresses = point_stresses(grid, displacements, material, formulation=formulation)
    # The Gauss points, scaled by √3, are the corners of a trilinear element. They run with ζ fastest.
    points = gauss_points(2)[0]
    corner = [int(np.argmin(((points - place / np.sqrt(3.0)) ** 2).sum(axis=1))) for place in reference_nodes(8)]
    continued = shape_functions(8, np.sqrt(3.0) * reference_nodes(grid.elements.shape[1]))
    at_nodes = np.matmul(continued, stresses[:, corner])
    where, n = grid.elements.ravel(), len(grid.nodes)
    shared = np.maximum(np.bincount(where, minlength=n), 1)
    sums = [np.bincount(where, at_nodes[..., c].ravel(), minlength=n) / shared for c in range(6)]
    return np.stack(sums, axis=1)


def von_mises(stresses: FloatArray) -> FloatArray:
    """Equivalent stress √(((σ_x - σ_y)² + (σ_y - σ_z)² + (σ_z - σ_x)²)/2 + 3 (τ_xy² + τ_yz² + τ_zx²)) of (..., 6)."""
    x, y, z, xy, yz, zx = np.moveaxis(np.asarray(stresses, dtype=float), -1, 0)
    return np.sqrt(((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) / 2 + 3 * (xy**2 + yz**2 + zx**2))
