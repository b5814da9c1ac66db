"""Quadrilaterals of a rectangle with round holes: straight grid lines, and rings of elements between each hole and a square
about it.

Grid lines run through the whole rectangle and mark the squares. Inside a square the straight elements are replaced by a ring: every
grid point on the border of the square is joined with a point of the circle. Squares must not overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..errors import ModelError

__all__ = ["SeatGrid", "seat_grid"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MOST_RING, LEAST_RING = 0.6, 0.06
"""Width of the ring about a hole over its radius."""


@dataclass(frozen=True, eq=False)
class SeatGrid:
    """points (n, 2) [m]; quads (m, 4) counter-clockwise; holes: rows of points on each circle."""

    points: FloatArray
    quads: IntArray
    holes: dict[str, IntArray]


def seat_grid(
    width: float, height: float, holes: dict[str, tuple[float, float, float]], element: float, breaks: tuple[list[float],
    list[float]],
    what: str,
) -> SeatGrid:  # fmt: skip
    """The grid of 0 to width, 0 to height. holes: x, y and radius by name. breaks: further grid lines along x and y."""
    ring = _ring(width, height, holes, what)
    reach = {name: (1.0 + ring) * r for name, (_, _, r) in holes.items()}
    lines = []
    for axis, length in enumerate((width, height)):
        marks = [0.0, length, *breaks[axis]]
        for name, hole in holes.items():
            marks += [hole[axis] - reach[name], hole[axis], hole[axis] + reach[name]]
        lines.append(_subdivided(np.array(marks), element, length))
    x, y = lines
    X, Y = np.meshgrid(x, y, indexing="ij")
    points = [np.stack([X, Y], axis=-1).reshape(-1, 2)]
    number = np.arange(X.size).reshape(X.shape)
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], axis=-1)
    keep = np.ones(quads.shape[:2], dtype=bool)
    rings, circles, count = [], {}, X.size
    small = 1e-9 * max(width, height)
    for name, (cx, cy, r) in holes.items():
        i = np.flatnonzero(np.abs(x - cx) <= reach[name] + small)
        j = np.flatnonzero(np.abs(y - cy) <= reach[name] + small)
        keep[i[0] : i[-1], j[0] : j[-1]] = False
        border = np.concatenate(
            [number[i[:-1], j[0]], number[i[-1], j[:-1]], number[i[:0:-1], j[-1]], number[i[0], j[:0:-1]]]
        )
        at = points[0][border] - (cx, cy)
        # equal parts of the circle for each side of the square, by the place along the side
        angle = np.arctan2(at[:, 1], at[:, 0])
        steep = np.abs(at[:, 0]) < np.abs(at[:, 1])
        fraction = np.where(steep, -at[:, 0] * np.sign(at[:, 1]), at[:, 1] * np.sign(at[:, 0])) / reach[name]
        middle = np.round(angle / (np.pi / 2)) * (np.pi / 2)
        even = np.where(np.isclose(np.abs(fraction), 1.0), angle, middle + fraction * np.pi / 4)
        circle = np.array([cx, cy]) + r * np.stack([np.cos(even), np.sin(even)], axis=1)
        layers = max(1, round(ring * r / element))
        rows = [border]
        for layer in range(layers - 1, -1, -1):
            share = layer / layers
            points.append(share * points[0][border] + (1.0 - share) * circle)
            rows.append(count + np.arange(len(border)))
            count += len(border)
        for outer, inner in pairwise(rows):
            rings.append(np.stack([inner, outer, np.roll(outer, -1), np.roll(inner, -1)], axis=1))
        circles[name] = rows[-1]
    every = np.concatenate([quads[keep], *rings])
    used = np.unique(every)
    row = np.full(count, -1)
    row[used] = np.arange(len(used))
    return SeatGrid(np.concatenate(points)[used], row[every], {name: row[circle] for name, circle in circles.items()})


def _ring(width: float, height: float, holes: dict[str, tuple[float, float, float]], what: str) -> float:
    """Width of all rings over their radii: the largest that fits."""
    ring = MOST_RING
    names = list(holes)
    for a, name in enumerate(names):
        x, y, r = holes[name]
        room = min(x, width - x, y, height - y)
        if room <= (1.0 + LEAST_RING) * r:
            raise ModelError(
                f'{what}: hole "{name}" of radius {r:g} m at ({x:g}, {y:g}) m is too close to the edge of the plate'
            )
        ring = min(ring, 0.98 * (room / r - 1.0))
        for other in names[a + 1 :]:
            x2, y2, r2 = holes[other]
            apart = max(abs(x - x2), abs(y - y2))
            if apart <= (1.0 + LEAST_RING) * (r + r2):
                raise ModelError(
                    f'{what}: holes "{name}" and "{other}" are too close for the elements between them: they are '
                    f"{apart:g} m apart along "
                    f"x or y, {(1.0 + LEAST_RING) * (r + r2):.4g} m are required. Rotate the plate so that x or y "
                    f"connects them, or specify a mesh"
                )
            ring = min(ring, apart / (r + r2) - 1.0)
    return ring


def _subdivided(marks: FloatArray, element: float, length: float) -> FloatArray:
    """Grid lines at all marks, those that nearly coincide as one, and between them at most an element apart."""
    marks = np.unique(np.clip(marks, 0.0, length))
    kept = [marks[0]]
    for mark in marks[1:]:
        if mark - kept[-1] > 1e-6 * length:
            kept.append(mark)
    parts = [np.linspace(a, b, max(1, int(np.ceil((b - a) / element - 1e-6))) + 1)[:-1] for a, b in pairwise(kept)]
    return np.concatenate([*parts, [length]])
