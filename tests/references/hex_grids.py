"""Small grids of hexahedra with known shapes: boxes, annuli, cylinders, and their distortion."""

from collections.abc import Callable, Sequence

import numpy as np

from pitchline.fem.hexahedra import EDGES
from pitchline.fem.solid_grid import SolidGrid


def structured(
    counts: Sequence[int], *, order: int, place: Callable[[np.ndarray], np.ndarray], closed: bool = False
) -> SolidGrid:
    """A structured block of counts elements; `place` turns points of the unit cube (n, 3) into nodes.

    Mid-edge nodes are placed by the same map, and so lie on curved edges. closed: the second direction joins its end.
    """
    n = [order * c + 1 for c in counts]
    indices = np.stack(np.meshgrid(*[np.arange(k) for k in n], indexing="ij"), axis=-1)
    number = np.arange(indices[..., 0].size).reshape(n)
    if closed:
        number = number.copy()
        number[:, -1] = number[:, 0]
    corner = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
    local = corner * order
    if order == 2:
        local = np.concatenate([local, [corner[a] + corner[b] for a, b in EDGES]])
    start = np.stack(np.meshgrid(*[order * np.arange(c) for c in counts], indexing="ij"), axis=-1).reshape(-1, 1, 3)
    where = start + local
    elements = number[where[..., 0], where[..., 1], where[..., 2]]
    used, compact = np.unique(elements, return_inverse=True)
    unit = (indices.reshape(-1, 3) / (np.array(n) - 1))[used]
    return SolidGrid(np.asarray(place(unit), dtype=float), compact.reshape(elements.shape))


def box(size: Sequence[float], counts: Sequence[int], *, order: int) -> SolidGrid:
    """A box with one corner at the origin."""
    return structured(counts, order=order, place=lambda p: p * np.asarray(size))


def annulus(
    inner: float, outer: float, height: float, counts: Sequence[int], *, order: int, angle: float = 2 * np.pi
) -> SolidGrid:
    """A ring about z, or its sector from the x axis to `angle`; counts: radial, around, axial. z from 0 to height."""

    def place(p: np.ndarray) -> np.ndarray:
        r, a = inner + (outer - inner) * p[:, 0], angle * p[:, 1]
        return np.stack([r * np.cos(a), r * np.sin(a), height * p[:, 2]], axis=1)

    return structured(counts, order=order, place=place, closed=abs(angle - 2 * np.pi) < 1e-12)


def cylinder(radius: float, length: float, counts: tuple[int, int], *, order: int) -> SolidGrid:
    """A full cylinder about z from 0 to length: counts[0] x counts[0] elements across, counts[1] along.

    Squares about the middle become circles of equally spaced angles towards the rim, and stay squares in the middle.
    """

    def place(p: np.ndarray) -> np.ndarray:
        xy = 2 * p[:, :2] - 1
        rows, big = np.arange(len(xy)), np.abs(xy).argmax(axis=1)
        half = np.abs(xy[rows, big])
        slope = np.divide(xy[rows, 1 - big], xy[rows, big], out=np.zeros_like(half), where=half > 0)
        circle = np.empty_like(xy)
        circle[rows, big] = xy[rows, big] * np.cos(np.pi / 4 * slope)
        circle[rows, 1 - big] = xy[rows, big] * np.sin(np.pi / 4 * slope)
        blend = half[:, None] ** 2
        return np.column_stack([radius * (blend * circle + (1 - blend) * xy / np.sqrt(2)), length * p[:, 2]])

    return structured((counts[0], counts[0], counts[1]), order=order, place=place)


def nodes_where(grid: SolidGrid, condition: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Numbers of the nodes for whose coordinates condition(x, y, z) holds."""
    return np.flatnonzero(condition(*grid.nodes.T))


def dofs(nodes: np.ndarray, *components: int) -> np.ndarray:
    """Degrees of freedom of nodes: 3 * node + component, all three components if none are named."""
    return (3 * np.asarray(nodes)[:, None] + np.array(components or (0, 1, 2))).ravel()


def distorted(grid: SolidGrid, amount: float, *, seed: int = 1, inside_only: bool = True) -> SolidGrid:
    """The corners shifted at random by up to `amount` of the shortest edge; mid-edges in the middle of straight edges.

    inside_only: corners on the bounding box keep their places.
    """
    rng = np.random.default_rng(seed)
    nodes = grid.nodes.copy()
    corners = np.unique(grid.elements[:, :8])
    ends = np.array(EDGES)
    edges = nodes[grid.elements[:, ends[:, 0]]] - nodes[grid.elements[:, ends[:, 1]]]
    length = np.sqrt((edges**2).sum(axis=-1)).min()
    move = np.ones(len(corners), dtype=bool)
    if inside_only:
        low, high = nodes.min(axis=0), nodes.max(axis=0)
        tolerance = 1e-9 * (high - low).max()
        on_box = (np.abs(nodes[corners] - low) < tolerance) | (np.abs(nodes[corners] - high) < tolerance)
        move = ~on_box.any(axis=1)
    nodes[corners[move]] += amount * length * rng.uniform(-1, 1, (int(move.sum()), 3))
    if grid.order == 2:
        for e, (a, b) in enumerate(EDGES):
            nodes[grid.elements[:, 8 + e]] = (nodes[grid.elements[:, a]] + nodes[grid.elements[:, b]]) / 2
    return SolidGrid(nodes, grid.elements, grid.node_sets)
