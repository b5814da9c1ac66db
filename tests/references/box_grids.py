"""Grids of simple boxes, straight and bent."""

import numpy as np

from pitchline.fem.solid_grid import SolidGrid, hexahedra, lattice_nodes


def block(shape, order, *, size=(1.0, 1.0, 1.0), place=None) -> SolidGrid:
    """A box of elements; place: where a point of it goes."""
    counts = [order * n + 1 for n in shape]
    keep = lattice_nodes(tuple(counts), order)
    numbers = np.full(keep.shape, -1, dtype=np.int64)
    numbers[keep] = np.arange(np.count_nonzero(keep))
    axes = [np.linspace(0.0, length, count) for length, count in zip(size, counts, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)[keep]
    sets = {
        "low end": np.flatnonzero(nodes[:, 0] == 0.0),
        "high end": np.flatnonzero(nodes[:, 0] == size[0]),
        "y = 0": np.flatnonzero(nodes[:, 1] == 0.0),
        "z = 0": np.flatnonzero(nodes[:, 2] == 0.0),
    }
    elements = hexahedra(numbers, order)
    return SolidGrid(nodes if place is None else place(nodes), elements.reshape(-1, elements.shape[-1]), sets)


def bend(p: np.ndarray) -> np.ndarray:
    """A box to a part of a ring, from the radius 1 to 2 over an angle of one."""
    return np.stack([(1.0 + p[:, 0]) * np.cos(p[:, 1]), (1.0 + p[:, 0]) * np.sin(p[:, 1]), p[:, 2]], axis=-1)
