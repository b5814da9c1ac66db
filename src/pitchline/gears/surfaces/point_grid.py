"""Points of a flank: read, checked, and brought into the order of a patch.

Which index of a grid goes from root to tip, and in which direction, is found from the coordinates of the teeth. Everything that
cannot be a flank of the gear is refused: wrong units, other axes, points that are not on the teeth, folded grids.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...errors import ModelError, Subject, shown
from ...units import quantity
from ..arrays import FloatArray
from ..inputs import in_deg, in_mm
from ..rack import Rack
from .tooth_coordinates import ToothCoordinates, ToothPlaces

__all__ = [
    "FlankPointSet",
    "GridOrder",
    "check_places",
    "check_side",
    "grid_order",
    "ordered_grid",
    "outside_teeth",
    "read_points",
    "unit_of",
    "unwrapped",
]

_FEWEST = 4
"""Rows from root to tip; two are enough for the plane flank of a rack."""
_MOST = 4_000_000
"""Points of one flank."""
_UNITS = (("mm", 1e-3), ("um", 1e-6), ("in", 25.4e-3), ("cm", 1e-2), ("m", 1.0))
_OTHER_AXES = (("x", (1, 2, 0)), ("y", (2, 0, 1)))
"""Axis of the gear by mistake, and the coordinates that make it z."""
_AROUND = 0.35
"""How far points may be outside of the nominal teeth, in parts of their depth and of the face width."""
_LEAST = 0.15
"""Smallest part of tooth depth and face width that a flank covers."""
_WRONG_SIDE = math.tan(math.radians(4.0))
_HELIX, _SPIRAL = math.radians(2.0), math.radians(12.0)
"""Difference of the helix angle from the nominal one; spiral angles vary along the face."""


@dataclass(frozen=True, eq=False)
class FlankPointSet:
    """Points of one flank [m]: a grid (rows, lines, 3), or points in any order (n, 3). source: where they come from."""

    points: FloatArray
    source: str = ""

    @property
    def is_grid(self) -> bool:
        """Whether the points are a grid."""
        return self.points.ndim == 3

    def __repr__(self) -> str:
        kind = "{} rows × {} lines".format(*self.points.shape[:2]) if self.is_grid else f"{len(self.points)} points"
        return f"FlankPointSet({kind}{f', {self.source}' if self.source else ''})"


def unit_of(unit: object, what: Subject) -> float:
    """A unit of length such as "mm" [m]."""
    if not isinstance(unit, str):
        raise ModelError(
            f'{what}: unit must be a unit of length such as "mm", got {shown(unit)}', about=what.at("unit")
        )
    return quantity(f"1 {unit}", "length", what=what / "unit")


def read_points(value: object, unit: float, what: Subject) -> FloatArray:
    """An array (rows, lines, 3) or (n, 3) [m]; an error for other shapes and numbers that are not finite."""
    if isinstance(value, FlankPointSet):
        points = value.points
    else:
        try:
            if isinstance(value, np.ma.MaskedArray):
                value = np.ma.filled(value.astype(np.float64), np.nan)
            raw = np.asarray(value)
            if raw.dtype.kind == "c":
                raise ModelError(f"{what}: coordinates must be real numbers, got complex ones", about=what)
            points = raw.astype(np.float64) * unit
        except (TypeError, ValueError):
            raise ModelError(
                f"{what}: expected points, a grid (rows, lines, 3) or a list (n, 3) of numbers, got {shown(value)}",
                about=what,
            ) from None
    if points.ndim not in (2, 3) or points.shape[-1] != 3:
        raise ModelError(
            f"{what}: expected points of shape (rows, lines, 3), or (n, 3) in any order; got shape {points.shape}",
            about=what,
        )
    if not points.size:
        raise ModelError(f"{what}: there are no points, the shape is {points.shape}", about=what)
    if points.size > 3 * _MOST:
        raise ModelError(f"{what}: {points.size // 3} points, more than {_MOST}. Use fewer points", about=what)
    bad = ~np.isfinite(points).all(axis=-1)
    if bad.any():
        raise ModelError(
            f"{what}: {int(bad.sum())} of {bad.size} points are not finite, the first one at {_place(np.argwhere(bad)[0])}. "
            "Remove the points, or replace them by measured ones",
            about=what,
        )
    return points


def _place(index: np.ndarray) -> str:
    """Row and line, counted from 0 as in Python."""
    return f"row {index[0]}, line {index[1]}" if len(index) == 2 else f"point {index[0]}"


def check_places(points: FloatArray, coordinates: ToothCoordinates, what: Subject) -> ToothPlaces:
    """Heights and places along the face; an error with the likely cause if they are not those of the teeth."""
    places = coordinates.of(points)
    outside = outside_teeth(places, coordinates)
    if not outside.any():
        _check_extent(places, coordinates, what)
        return places
    first = np.argwhere(outside)[0]
    at = tuple(first)
    where = (
        f"{_place(first)} is {in_mm(float(places.height[at]))} above the pitch surface and {in_mm(float(places.along[at]))} "
        f"from the middle of the face. The teeth go from {in_mm(coordinates.root)} to {in_mm(coordinates.tip)}, the face from "
        f"{in_mm(-0.5 * coordinates.width)} to {in_mm(0.5 * coordinates.width)}"
    )
    raise ModelError(
        f"{what}: {int(outside.sum())} of {outside.size} points are not on the teeth of the gear: {where}. "
        + _likely_cause(points, coordinates),
        about=what,
    )


def outside_teeth(places: ToothPlaces, coordinates: ToothCoordinates) -> np.ndarray:
    """Which points cannot be on the teeth."""
    around = _AROUND * coordinates.depth
    beyond = (0.5 + _AROUND) * coordinates.width
    return np.asarray(
        (places.height < coordinates.root - around)
        | (places.height > coordinates.tip + around)
        | (np.abs(places.along) > beyond)
        | ~np.isfinite(places.height)
    )


def _likely_cause(points: FloatArray, coordinates: ToothCoordinates) -> str:
    def fits(changed: FloatArray) -> bool:
        return not outside_teeth(coordinates.of(changed), coordinates).any()

    for name, factor in _UNITS:
        if name != "m" and fits(points * factor):
            return f'They are on the teeth if they are in {name}. Specify unit="{name}"'
        if factor != 1.0 and fits(points / factor):
            return f"They are on the teeth if their numbers are multiplied by {1.0 / factor:g}. Check their unit"
    if not isinstance(coordinates.gear, Rack):
        for name, order in _OTHER_AXES:
            if fits(points[..., list(order)]):
                return f"They are on the teeth if the axis of the gear is their {name} axis. Rotate the points so that it is z"
    flat = points.reshape(-1, 3)
    middle = 0.5 * (flat[:, 2].min() + flat[:, 2].max())
    if fits(points - np.array([0.0, 0.0, middle])):
        return (
            f"They are on the teeth if they are moved by {in_mm(-middle)} along z. The origin of the gear is in the middle of "
            "its face (of a bevel gear: the centre of the mean pitch circle)"
        )
    return "Check the data of the gear, the unit and the axes: z is the axis of the gear, the origin in the middle of the face"


def _check_extent(places: ToothPlaces, coordinates: ToothCoordinates, what: Subject) -> None:
    for name, values, size in (
        ("tooth depth", places.height, coordinates.depth),
        ("face width", places.along, coordinates.width),
    ):
        extent = float(np.ptp(values))
        if extent < _LEAST * size:
            raise ModelError(
                f"{what}: the points cover {in_mm(extent)} of the {name} of {in_mm(size)}. A flank requires at least "
                f"{100.0 * _LEAST:g} %",
                about=what,
            )


def check_side(places: ToothPlaces, coordinates: ToothCoordinates, side: str, what: Subject) -> None:
    """An error if the flank leans to the other side, or has another helix: a left flank goes towards −y from root to tip."""
    h, w = places.height.ravel(), places.along.ravel()
    y = unwrapped(places.angle, coordinates).ravel() * coordinates.lever
    terms = np.stack([np.ones_like(h), h, w], axis=-1)
    slope = float(np.linalg.lstsq(terms, y, rcond=None)[0][1]) * (1.0 if side == "left" else -1.0)
    if slope > _WRONG_SIDE:
        other = "right" if side == "left" else "left"
        raise ModelError(
            f"{what}: the points lean like those of a {other} flank: from root to tip they go "
            f"{math.degrees(math.atan(slope)):.3g} deg away from the middle of the tooth. The left flank is that on the +y side "
            "of the tooth, seen from +z with the tip up. Exchange left and right, or check the direction of the z axis",
            about=what,
        )
    _check_helix(places, coordinates, what)


def _check_helix(places: ToothPlaces, coordinates: ToothCoordinates, what: Subject) -> None:
    """An error if the flank has another helix (spiral) angle than the gear, such as that of the other hand."""
    gear = coordinates.gear
    cone = 0.0 if isinstance(gear, Rack) else gear.cone_angle
    if not isinstance(gear, Rack) and gear.worm:
        return
    h, w = places.height.ravel(), places.along.ravel()
    y = unwrapped(places.angle, coordinates).ravel() * coordinates.lever
    terms = np.stack([np.ones_like(h), h, w, h**2, w**2, h * w], axis=-1)
    size = np.abs(terms).max(axis=0)
    more = float(np.linalg.lstsq(terms / size, y, rcond=None)[0][2] / size[2])
    found = math.atan(math.tan(gear.helix_angle) + math.copysign(more, more * cone if cone else more))
    apart = abs(found - gear.helix_angle)
    if apart <= (_SPIRAL if cone else _HELIX):
        return
    angles = f"about {round(math.degrees(found), 1) + 0.0:g} deg, but that of the gear is {in_deg(gear.helix_angle)}"
    if abs(found + gear.helix_angle) < 0.3 * apart:
        raise ModelError(
            f"{what}: the flank has the other hand: its helix angle is {angles}. The axes of the points must be right-handed: x to "
            "the middle of a tooth, z along the axis, y = z × x. Change the sign of one coordinate, or that of the helix angle",
            about=what,
        )
    raise ModelError(
        f"{what}: the helix angle of the points is {angles}. Specify the helix angle of the points for the gear, or check the "
        "axes: z is the axis of the gear",
        about=what,
    )


def unwrapped(angle: FloatArray, coordinates: ToothCoordinates) -> FloatArray:
    """Angles about their middle, without jumps of 2π."""
    if isinstance(coordinates.gear, Rack):
        return angle
    middle = math.atan2(float(np.sin(angle).mean()), float(np.cos(angle).mean()))
    apart = angle - middle
    return np.asarray(middle + apart - 2.0 * math.pi * np.round(apart / (2.0 * math.pi)))


class GridOrder(NamedTuple):
    """How a grid becomes one from root to tip and along the face: exchange rows and lines first, then turn them around."""

    exchange: bool
    turn_rows: bool
    turn_lines: bool

    def applied(self, points: FloatArray) -> FloatArray:
        """The grid in order."""
        grid = np.swapaxes(points, 0, 1) if self.exchange else points
        return grid[:: -1 if self.turn_rows else 1, :: -1 if self.turn_lines else 1]


def grid_order(points: FloatArray, coordinates: ToothCoordinates) -> GridOrder:
    """The order of a grid (rows, lines, 3)."""
    places = coordinates.of(points)
    h, w = places.height / coordinates.depth, places.along / coordinates.width
    by_row = [float((x[-1] - x[0]).mean()) for x in (h, w)]
    by_line = [float((x[:, -1] - x[:, 0]).mean()) for x in (h, w)]
    exchange = abs(by_row[0] * by_line[1]) < abs(by_row[1] * by_line[0])
    if exchange:
        by_row, by_line = by_line, by_row
    return GridOrder(exchange, by_row[0] < 0.0, by_line[1] < 0.0)


def ordered_grid(points: FloatArray, coordinates: ToothCoordinates, what: Subject) -> FloatArray:
    """The grid with rows from root to tip and lines along the face; an error if it is folded or too small."""
    rows, lines, _ = points.shape
    if min(rows, lines) < 2:
        raise ModelError(
            f"{what}: a grid of {rows} × {lines} points is not a surface. Use at least 4 × 2 points", about=what
        )
    order = grid_order(points, coordinates)
    points = order.applied(points)
    places = coordinates.of(points)
    h, w = places.height / coordinates.depth, places.along / coordinates.width
    fewest = 2 if isinstance(coordinates.gear, Rack) else _FEWEST
    if points.shape[0] < fewest:
        raise ModelError(
            f"{what}: {points.shape[0]} points from root to tip. Use at least {fewest}: the profile of a tooth is curved",
            about=what,
        )
    _check_folds(points, h, w, what)
    return np.ascontiguousarray(points)


def _check_folds(points: FloatArray, h: FloatArray, w: FloatArray, what: Subject) -> None:
    for axis, name in ((0, "rows"), (1, "lines")):
        steps = np.linalg.norm(np.diff(points, axis=axis), axis=-1)
        same = steps <= 1e-9 * max(float(np.median(steps)), 1e-30)
        if same.any():
            at = np.argwhere(same)[0]
            raise ModelError(
                f"{what}: two points are equal: {_place(at)} and the next one along the {name}. Remove the double points",
                about=what,
            )
    dh_i, dw_i = (0.5 * (np.diff(x, axis=0)[:, 1:] + np.diff(x, axis=0)[:, :-1]) for x in (h, w))
    dh_j, dw_j = (0.5 * (np.diff(x, axis=1)[1:] + np.diff(x, axis=1)[:-1]) for x in (h, w))
    folded = dh_i * dw_j - dh_j * dw_i <= 0.0
    if folded.any():
        raise ModelError(
            f"{what}: the grid is folded: {int(folded.sum())} of {folded.size} cells are turned over, the first one after "
            f"{_place(np.argwhere(folded)[0])} (rows counted from the root, lines along the face). Check the order of the points",
            about=what,
        )
