"""Meshes of simple bodies by their dimensions: block, disc, plate with seats, box with seats in two end plates.

All are of 20-node hexahedra. They are given as tables, ``{"kind": "plate", ...}``, in Python and in model files alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.fem.hexahedra import EDGES
from pitchline.units.quantity import quantity

__all__ = ["SeatGrid", "seat_grid", "OPTIONAL", "SHAPES", "shape_mesh"]


# ---- seat grid

# Quadrilaterals of a rectangle with round holes: straight grid lines, and rings of elements between each hole and a
# square about it.
#
# Grid lines run through the whole rectangle and mark the squares. Inside a square the straight elements are replaced
# by a ring: every grid point on the border of the square is joined with a point of the circle. Squares must not
# overlap.

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


Mesh = tuple[FloatArray, IntArray, dict[str, IntArray]]

SHAPES: dict[str, dict[str, str]] = {
    "block": {"size": "lengths along x, y, z; one corner is the origin", "element": "largest element"},
    "disc": {
        "outer": "outer diameter", "bore": "diameter of the bore", "width": "along z, from -width/2 to width/2",
        "element": "largest element",
    },
    "plate": {
        "size": "lengths along x, y and thickness along z; one corner is the origin",
        "seats": "holes through the plate by name, {at = [x, y], diameter}", "element": "largest element",
    },
    "box": {
        "size": "lengths along x, y, z outside; one corner is the origin", "plate": "thickness of the end plates at low and high z",
        "wall": "thickness of the four walls between them",
        "seats": "holes through both end plates by name, {at = [x, y], diameter}; plate = \"low\" or \"high\": "
        "through one plate only",
        "element": "largest element",
    },
}  # fmt: skip
"""Kinds of shapes, and what their keys mean."""
OPTIONAL = ("element", "seats")
"""Keys that may be left out."""
_MOST = 60_000
"""Elements beyond which a shape is refused: their reduction would take minutes and gigabytes."""


def shape_mesh(table: Any) -> Mesh:
    """Nodes (n, 3) [m], elements (m, 20) and node sets of a shape."""
    kind = table.get("kind") if isinstance(table, Mapping) else None
    if kind not in SHAPES:
        raise ModelError(
            f"shape: kind must be one of {', '.join(SHAPES)}, got {shown(kind)}; {near_names(str(kind), SHAPES)}"
        )
    what = Subject(f'shape "{kind}"')
    for key in table:
        if key != "kind" and key not in SHAPES[kind]:
            raise ModelError(f"{what}: there is no {key}; {near_names(str(key), SHAPES[kind])}", about=what)
    for key in SHAPES[kind]:
        if key not in table and key not in OPTIONAL:
            raise ModelError(f"{what}: {key} is missing: {SHAPES[kind][key]}", about=what)
    makers: dict[str, Callable[[Mapping[str, Any], Subject], Mesh]] = {
        "block": _block,
        "disc": _disc,
        "plate": _plate,
        "box": _box,
    }
    return makers[kind](table, what)


def _length(table: Mapping[str, Any], key: str, what: Subject) -> float:
    size = quantity(table[key], "length", what=what / key)
    if size <= 0.0:
        raise ModelError(f"{what}: {key} must be greater than zero, got {size:g} m", about=what.at(key))
    return size


def _size(table: Mapping[str, Any], what: Subject) -> list[float]:
    value = table["size"]
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != 3:
        raise ModelError(f"{what}: size must be three lengths, got {shown(value)}", about=what.at("size"))
    return [_length({"size": part}, "size", what) for part in value]


def _element(table: Mapping[str, Any], usual: float, volume: float, what: Subject) -> float:
    """Largest element; not more than can be computed."""
    element = _length(table, "element", what) if table.get("element") is not None else usual
    if volume / element**3 > _MOST:
        raise ModelError(
            f"{what}: elements of {element:g} m make about {volume / element**3:.2g} elements, at most {_MOST} "
            f"are allowed. Use larger elements",
            about=what.at("element"),
        )
    return element


def _steps(marks: list[float], element: float) -> FloatArray:
    parts = [np.linspace(a, b, max(1, int(np.ceil((b - a) / element - 1e-6))) + 1)[:-1] for a, b in pairwise(marks)]
    return np.concatenate([*parts, marks[-1:]])


def _block(table: Mapping[str, Any], what: Subject) -> Mesh:
    size = _size(table, what)
    element = _element(table, max(min(size) / 2, max(size) / 16), float(np.prod(size)), what)
    grid = seat_grid(size[0], size[1], {}, element, ([], []), what)
    return _extruded(grid, _steps([0.0, size[2]], element), None, size)


def _plate(table: Mapping[str, Any], what: Subject) -> Mesh:
    size = _size(table, what)
    holes, _ = _seats(table, what)
    element = _element(table, max(size[2], max(size[:2]) / 20), float(np.prod(size)), what)
    grid = seat_grid(size[0], size[1], holes, element, ([], []), what)
    return _extruded(grid, _steps([0.0, size[2]], element), None, size)


def _box(table: Mapping[str, Any], what: Subject) -> Mesh:
    size = _size(table, what)
    plate, wall = _length(table, "plate", what), _length(table, "wall", what)
    if 2 * plate >= size[2] or 2 * wall >= min(size[:2]):
        raise ModelError(
            f"{what}: two plates of {plate:g} m and two walls of {wall:g} m leave no space inside {size[0]:g} x "
            f"{size[1]:g} x {size[2]:g} m",
            about=what,
        )
    holes, ends = _seats(table, what)
    for name, (x, y, r) in holes.items():
        if min(x, size[0] - x, y, size[1] - y) - r < wall:
            raise ModelError(
                f'{what}: seat "{name}" cuts into a wall: keep it {wall:g} m from the edges', about=what.at("seats")
            )
    skin = 2 * size[0] * size[1] * plate + 2 * (size[0] + size[1]) * size[2] * wall
    element = _element(table, max(plate, wall, max(size) / 16), skin, what)
    breaks = ([wall, size[0] - wall], [wall, size[1] - wall])
    grid = seat_grid(size[0], size[1], holes, element, breaks, what)
    z = _steps([0.0, plate, size[2] - plate, size[2]], element)
    middle = grid.points[grid.quads].mean(axis=1)
    border = np.minimum(middle, np.array(size[:2]) - middle).min(axis=1) < wall
    layer = (z[:-1] + z[1:]) / 2
    is_plate = (layer < plate) | (layer > size[2] - plate)
    nodes, elements, sets = _extruded(grid, z, is_plate[:, None] | border[None, :], size)
    inside = {}
    for name, rows in sets.items():
        if name in holes:
            for end, mine in (("low", nodes[rows, 2] < size[2] / 2), ("high", nodes[rows, 2] > size[2] / 2)):
                inside[f"{name} {end}"] = rows[mine]
        else:
            inside[name] = rows
    return _with_open_ends(nodes, elements, inside, ends)


def _with_open_ends(nodes: FloatArray, elements: IntArray, sets: dict[str, IntArray], ends: dict[str, str]) -> Mesh:
    """Seats that are in one plate only: the set of the other end is left out."""
    for name, end in ends.items():
        if end:
            del sets[f"{name} {'high' if end == 'low' else 'low'}"]
    return nodes, elements, sets


def _seats(table: Mapping[str, Any], what: Subject) -> tuple[dict[str, tuple[float, float, float]], dict[str, str]]:
    """Centre and radius of the holes by name, and the plate that each is a seat in, if one only."""
    given = table.get("seats", {})
    if not isinstance(given, Mapping):
        raise ModelError(f"{what}: seats must be a table of holes by name, got {shown(given)}", about=what.at("seats"))
    holes, ends = {}, {}
    for name, seat in given.items():
        where = what.at("seats")
        if not isinstance(seat, Mapping) or not {"at", "diameter"} <= set(seat) <= {"at", "diameter", "plate"}:
            raise ModelError(f'{what}: seat "{name}" must be {{at = [x, y], diameter}}, got {shown(seat)}', about=where)
        at = seat["at"]
        if not isinstance(at, (list, tuple, np.ndarray)) or len(at) != 2:
            raise ModelError(f'{what}: seat "{name}": at must be two lengths [x, y], got {shown(at)}', about=where)
        x, y = (quantity(part, "length", what=where) for part in at)
        end = seat.get("plate", "")
        if end not in ("", "low", "high") or (end and table.get("kind") != "box"):
            raise ModelError(
                f'{what}: seat "{name}": plate must be "low" or "high" of a box, got {shown(end)}', about=where
            )
        holes[str(name)] = (x, y, _length(seat, "diameter", where) / 2)
        ends[str(name)] = end
    return holes, ends


def _disc(table: Mapping[str, Any], what: Subject) -> Mesh:
    outer, width = _length(table, "outer", what) / 2, _length(table, "width", what)
    bore = _length(table, "bore", what) / 2
    if bore >= outer:
        raise ModelError(
            f"{what}: bore {2 * bore:g} m must be smaller than outer {2 * outer:g} m", about=what.at("bore")
        )
    element = _element(table, max(width, (outer - bore) / 6), np.pi * (outer**2 - bore**2) * width, what)
    radius = _steps([bore, outer], element)
    around = max(12, int(np.ceil(2 * np.pi * outer / (1.5 * element))))
    angle = 2 * np.pi * np.arange(around) / around
    points = (radius[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)).reshape(-1, 2)
    number = np.arange(len(points)).reshape(len(radius), around)
    beside = np.roll(number, -1, axis=1)
    quads = np.stack([number[:-1], number[1:], beside[1:], beside[:-1]], axis=-1).reshape(-1, 4)
    grid = SeatGrid(points, quads, {"bore": number[0], "rim": number[-1]})
    nodes, elements, sets = _extruded(grid, _steps([-width / 2, width / 2], element), None, None)
    return nodes, elements, sets | {"low": _at(nodes[:, 2], -width / 2), "high": _at(nodes[:, 2], width / 2)}


def _at(values: FloatArray, place: float) -> IntArray:
    return np.flatnonzero(np.abs(values - place) < 1e-9 * max(1e-3, float(np.ptp(values))))


def _extruded(grid: SeatGrid, z: FloatArray, keep: npt.NDArray[np.bool_] | None, size: list[float] | None) -> Mesh:
    """20-node hexahedra over a plane grid. keep: (layers, quads) elements that are there. size: names the faces of a block."""
    n = len(grid.points)
    nodes = np.concatenate([np.column_stack([grid.points, np.full(n, height)]) for height in z])
    layers = np.stack([np.hstack([grid.quads + k * n, grid.quads + (k + 1) * n]) for k in range(len(z) - 1)])
    corners = layers.reshape(-1, 8) if keep is None else layers[keep]
    pairs = np.sort(corners[:, np.array(EDGES)].reshape(-1, 2), axis=1)
    edges, place = np.unique(pairs, axis=0, return_inverse=True)
    middles = (nodes[edges[:, 0]] + nodes[edges[:, 1]]) / 2
    sets: dict[str, IntArray] = {}
    on_circle = np.full(n, -1)
    for index, rows in enumerate(grid.holes.values()):
        on_circle[rows] = index
    circle_of = on_circle[edges % n]
    round_edge = (circle_of[:, 0] >= 0) & (circle_of[:, 0] == circle_of[:, 1])
    for index, rows in enumerate(grid.holes.values()):  # mid-edges on the circle, not on its chords
        mine = round_edge & (circle_of[:, 0] == index)
        centre = grid.points[rows].mean(axis=0)
        radius = np.linalg.norm(grid.points[rows[0]] - centre)
        off = middles[mine, :2] - centre
        middles[mine, :2] = centre + off * (radius / np.linalg.norm(off, axis=1))[:, None]
    every = np.concatenate([nodes, middles])
    elements = np.hstack([corners, len(nodes) + place.reshape(-1, 12)])
    used = np.unique(elements)
    row = np.full(len(every), -1)
    row[used] = np.arange(len(used))
    for index, name in enumerate(grid.holes):
        whole = np.concatenate([on_circle[np.arange(len(nodes)) % n] == index, round_edge & (circle_of[:, 0] == index)])
        found = row[np.flatnonzero(whole)]
        sets[name] = found[found >= 0]
    every = every[used]
    if size is not None:
        for axis, letter in enumerate("xyz"):
            sets |= {f"{letter}-": _at(every[:, axis], 0.0), f"{letter}+": _at(every[:, axis], size[axis])}
    return every, row[elements], sets
