"""Points of a flank: files, units, checks, and their order in a patch.

Which index of a grid goes from root to tip, and in which direction, is found from the coordinates of the teeth. Everything that
cannot be a flank of the gear is refused: wrong units, other axes, points that are not on the teeth, folded grids.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from ..geometry.gear import Gear
from ..geometry.inputs import in_deg, in_mm
from ..geometry.rack import Rack

__all__ = [
    "ToothCoordinates",
    "ToothPlaces",
    "facing_of",
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
    "read_point_text",
]


# ---- tooth coordinates

# Coordinates of a tooth: height above the pitch surface, place along the face, and angle about the axis.
#
# | gear | height h [m] | along the face w [m] | angle a | |---|---|---|---| | cylindrical, conical, worm | σ (r − d/2
# − z tan θ) | z | ϑ − z tan β/(d/2) [rad] | | bevel | R_m (γ − δ), γ the polar angle about the apex | R − R_m, R the
# distance from the apex | ϑ less a logarithmic spiral | | rack | x | z | y − z tan β [m] |
#
# A flank is a function a(h, w). Its left and right sides, its teeth and wrong units are visible in these coordinates.


class ToothPlaces(NamedTuple):
    """h, w [m] and a [rad], or [m] for racks; arrays of one shape."""

    height: FloatArray
    along: FloatArray
    angle: FloatArray


def facing_of(gear: Gear | Rack, side: str) -> float:
    """Sign of p_u × p_v that points out of the material: u from root to tip, v along the face as in `FlankPatch`."""
    sign = 1.0 if side == "left" else -1.0
    if isinstance(gear, Rack):
        return -sign
    return -sign * gear.sense * math.copysign(1.0, gear.cone_angle)


class ToothCoordinates:
    """Of one gear or rack.

    Attributes
    ----------
    pitch : float
        From tooth to tooth: angle [rad], or distance [m] for a rack.
    lever : float
        Radius of the reference circle [m], 1 for a rack: from angles to lengths.
    root, tip : float
        Heights of the nominal teeth [m].
    width : float
        Face width [m].
    """

    def __init__(self, gear: Gear | Rack) -> None:
        self.gear = gear
        self.width = gear.required_face_width("a flank as a surface")
        self._slope = math.tan(gear.normal_pressure_angle) / math.cos(gear.helix_angle)
        if isinstance(gear, Rack):
            self.pitch, self.lever = gear.transverse_pitch, 1.0
            self.root, self.tip = -gear.dedendum, gear.addendum
            self._half = 0.5 * gear.normal_tooth_thickness / math.cos(gear.helix_angle)
            self._twist = math.tan(gear.helix_angle)
            return
        self.pitch, self.lever = gear.angular_pitch, 0.5 * gear.reference_diameter
        self._half = gear.transverse_tooth_thickness / gear.reference_diameter
        if gear.cone_angle:
            R, self._cone = gear.mean_cone_distance, abs(gear.cone_angle)
            self._away = math.copysign(1.0, gear.cone_angle)
            self._apex = -self._away * R * math.cos(gear.cone_angle)
            self.root, self.tip = -R * math.atan(gear.dedendum / R), R * math.atan(gear.addendum / R)
            self._twist = self._away * math.tan(gear.helix_angle) / math.sin(self._cone)
            self._distance = R
        else:
            half = 0.5 * gear.reference_diameter
            self.root, self.tip = (
                gear.sense * (0.5 * d - half) for d in (gear.root_diameter, gear.tip_diameter)
            )  # fmt: skip
            self._rise = math.tan(gear.profile_shift_angle)
            self._twist = math.tan(gear.helix_angle) / half

    @property
    def depth(self) -> float:
        """Of the nominal teeth [m]."""
        return self.tip - self.root

    def of(self, points: FloatArray) -> ToothPlaces:
        """Of points (…, 3) [m]. Angles are between −π and π about the tooth, before the twist is taken off."""
        x, y, z = points[..., 0], points[..., 1], points[..., 2]
        gear = self.gear
        if isinstance(gear, Rack):
            return ToothPlaces(x, z, y - self._twist * z)
        if gear.cone_angle:
            axial = self._away * (z - self._apex)
            rho = np.hypot(x, y)
            R = np.hypot(rho, axial)
            with np.errstate(divide="ignore"):
                turn = self._twist * np.log(R / self._distance)
            height = self._distance * (np.arctan2(rho, axial) - self._cone)
            return ToothPlaces(height, R - self._distance, _within(np.arctan2(y, x) - turn))
        height = gear.sense * (np.hypot(x, y) - self.lever - self._rise * z)
        return ToothPlaces(height, z, _within(np.arctan2(y, x) - self._twist * z))

    def points(self, height: FloatArray, along: FloatArray, angle: FloatArray) -> FloatArray:
        """Points (…, 3) [m]; the inverse of `of`."""
        gear = self.gear
        if isinstance(gear, Rack):
            return np.stack(np.broadcast_arrays(height, angle + self._twist * along, along), axis=-1)
        if gear.cone_angle:
            R = along + self._distance
            polar = height / self._distance + self._cone
            turned = angle + self._twist * np.log(R / self._distance)
            rho, z = R * np.sin(polar), self._apex + self._away * R * np.cos(polar)
        else:
            rho, z = self.lever + self._rise * along + gear.sense * height, along
            turned = angle + self._twist * along
        return np.stack(np.broadcast_arrays(rho * np.cos(turned), rho * np.sin(turned), z), axis=-1)

    def nominal_angle(self, side: str, height: FloatArray | float) -> FloatArray:
        """About the angle of the nominal flank of tooth 0 at a height [m]; [rad], or [m] for a rack."""
        sign = 1.0 if side == "left" else -1.0
        return np.asarray(sign * (self._half - self._slope * np.asarray(height) / self.lever))

    @property
    def nominal_slope(self) -> float:
        """−da/dh of a nominal left flank, in lengths by lengths: tan α_t."""
        return self._slope


def _within(angle: FloatArray) -> FloatArray:
    """Between −π and π."""
    return np.asarray(angle - 2.0 * math.pi * np.round(angle / (2.0 * math.pi)))


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


# ---- point text

# Text files of points of a flank: tables of coordinates, as programs and measuring machines write them.
#
# Columns have names in a first line, in any order: row, line, x, y, z, nx, ny, nz, deviation. A unit may follow: "x
# [mm]". Without names the number of columns decides: x y z; row line x y z; row line x y z nx ny nz; and the same
# with the deviation. Rows and lines are numbers of the grid. Without them an empty line separates two rows; without
# empty lines the points are in any order. The measured point is p + deviation · n.

_MOST_point_text = 200_000_000
"""Largest file size [bytes]."""
_NAMES = {
    "row": "row", "i": "row", "line": "line", "column": "line", "col": "line", "j": "line",
    "x": "x", "y": "y", "z": "z", "nx": "nx", "ny": "ny", "nz": "nz",
    "deviation": "deviation", "dev": "deviation", "error": "deviation",
}  # fmt: skip
_BY_COUNT = {
    3: ("x", "y", "z"),
    5: ("row", "line", "x", "y", "z"),
    8: ("row", "line", "x", "y", "z", "nx", "ny", "nz"),
    9: ("row", "line", "x", "y", "z", "nx", "ny", "nz", "deviation"),
}
_UNIT = re.compile(r"\s*([A-Za-z_]+)\s*(?:[\[(]\s*([^\])]+?)\s*[\])])?\s*\Z")
_COMMENT = re.compile(r"#\s*unit\s*[:=]\s*(\S+)", re.IGNORECASE)
_LENGTHS = ("x", "y", "z", "deviation")


class _PointTable:
    """Lines of a file as numbers, with their columns and units."""

    def __init__(self, file: Path, unit: object, what: Subject) -> None:
        self.file, self.what = file, what
        self.names: tuple[str, ...] = ()
        self.units: dict[str, str] = {}
        self.values: list[list[float]] = []
        self.blocks: list[int] = [0]
        self.separator: str | None = None
        self._common: str | None = None
        for number, text in enumerate(self._text().splitlines(), 1):
            self._line(number, text)
        if not self.values:
            raise self.error("it contains no points")
        if unit is not None:
            if self._common is not None or self.units:
                known = self._common or next(iter(self.units.values()))
                if unit_of(unit, what) != unit_of(known, what):
                    raise self.error(f"the file states the unit {known}, but unit is {shown(unit)}. Leave out unit")
            self._common = str(unit) if isinstance(unit, str) else None
            unit_of(unit, what)

    def error(self, text: str, line: int | None = None) -> ModelError:
        where = "" if line is None else f", line {line}"
        return ModelError(f'{self.what}: "{self.file}"{where}: {text}', about=self.what)

    def _text(self) -> str:
        try:
            if self.file.stat().st_size > _MOST_point_text:
                raise self.error(f"it is larger than {_MOST_point_text} bytes")
            return self.file.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise self.error(f"it cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise self.error("it is not UTF-8 text") from None

    def _line(self, number: int, text: str) -> None:
        if text.lstrip().startswith("#"):
            found = _COMMENT.match(text.strip())
            if found:
                self._common = found[1]
            return
        if not text.strip():
            if self.values and self.blocks[-1] != len(self.values):
                self.blocks.append(len(self.values))
            return
        if not self.values and self.separator is None:
            self.separator = next((sign for sign in (";", "\t", ",") if sign in text), None)
        cells = [cell.strip() for cell in text.split(self.separator)]
        if self.separator and cells and not cells[-1]:
            cells.pop()
        if not self.names:
            if any(_UNIT.match(cell) and cell.lower() not in ("nan", "inf") for cell in cells):
                self._header(number, cells)
                return
            if len(cells) not in _BY_COUNT:
                raise self.error(
                    f"{len(cells)} columns without names. Use 3 (x y z), 5 (row line x y z), 8 (and nx ny nz) or 9 columns (and "
                    "deviation), or name the columns in the first line",
                    number,
                )
            self.names = _BY_COUNT[len(cells)]
        if len(cells) != len(self.names):
            raise self.error(f"{len(cells)} cells, but there are {len(self.names)} columns", number)
        self.values.append([self._number(cell, number) for cell in cells])

    def _header(self, number: int, cells: list[str]) -> None:
        names = []
        if self.separator is None and any(cell[:1] in "[(" for cell in cells):  # "x [mm] y [mm]" separated by blanks
            joined = " ".join(cells)
            cells = re.findall(r"[A-Za-z_]+(?:\s*[\[(][^\])]*[\])])?", joined)
        for cell in cells:
            found = _UNIT.match(cell)
            name = _NAMES.get(found[1].lower()) if found else None
            if found is None or name is None:
                raise self.error(
                    f"there is no column {shown(cell)}. Columns are row, line, x, y, z, nx, ny, nz, deviation", number
                )
            if name in names:
                raise self.error(f"the column {name} occurs twice", number)
            names.append(name)
            if found[2] and name in _LENGTHS:
                self.units[name] = found[2]
        for required in ("x", "y", "z"):
            if required not in names:
                raise self.error(f"the column {required} is missing", number)
        if ("row" in names) != ("line" in names):
            raise self.error("a grid requires both columns row and line", number)
        if "deviation" in names and not {"nx", "ny", "nz"} <= set(names):
            raise self.error("deviations require the normals nx, ny, nz", number)
        self.names = tuple(names)

    def _number(self, text: str, line: int) -> float:
        try:
            return float(text if self.separator == "," else text.replace(",", "."))
        except ValueError:
            raise self.error(f"expected a number, got {shown(text)}", line) from None

    def column(self, name: str) -> np.ndarray:
        at = self.names.index(name)
        values = np.array([row[at] for row in self.values])
        if name not in _LENGTHS:
            return values
        unit = self.units.get(name) or (self._common if name != "deviation" else None)
        unit = unit or self.units.get("x") or self._common or "m"
        return np.asarray(values * unit_of(unit, self.what))


def read_point_text(file: Path, unit: object, what: Subject) -> FlankPointSet:
    """Points [m] of a text file: a grid if rows and lines are numbered or separated, otherwise points in any order."""
    table = _PointTable(file, unit, what)
    points = np.stack([table.column(name) for name in ("x", "y", "z")], axis=-1)
    if "deviation" in table.names:
        normals = np.stack([table.column(name) for name in ("nx", "ny", "nz")], axis=-1)
        sizes = np.linalg.norm(normals, axis=-1)
        if not ((sizes > 0.9) & (sizes < 1.1)).all():
            raise table.error(
                f"the normals must have the length 1, but they have {sizes.min():.4g} to {sizes.max():.4g}"
            )
        points = points + table.column("deviation")[:, None] * normals / sizes[:, None]
    if "row" in table.names:
        return FlankPointSet(_by_number(points, table), file.name)
    ends = [*table.blocks, len(points)]
    sizes_of = [b - a for a, b in pairwise(ends) if b > a]
    if len(sizes_of) < 2:
        return FlankPointSet(points, file.name)
    if len(set(sizes_of)) > 1:
        at = next(k for k, size in enumerate(sizes_of) if size != sizes_of[0])
        raise table.error(
            f"row {at} has {sizes_of[at]} points, row 0 has {sizes_of[0]}. All rows of a grid have the same number of points"
        )
    return FlankPointSet(points.reshape(len(sizes_of), sizes_of[0], 3), file.name)


def _by_number(points: np.ndarray, table: _PointTable) -> np.ndarray:
    rows, lines = (table.column(name) for name in ("row", "line"))
    for name, numbers in (("row", rows), ("line", lines)):
        if not (np.isfinite(numbers).all() and (numbers == np.round(numbers)).all()):
            raise table.error(f"the column {name} must contain whole numbers")
    (of_row, i), (of_line, j) = (np.unique(numbers, return_inverse=True) for numbers in (rows, lines))
    shape = len(of_row), len(of_line)
    count = np.zeros(shape, dtype=np.int64)
    np.add.at(count, (i, j), 1)
    for amount, text in ((count == 0, "is missing"), (count > 1, "occurs more than once")):
        if amount.any():
            a, b = np.argwhere(amount)[0]
            raise table.error(
                f"the grid has {shape[0]} rows and {shape[1]} lines, but the point of row {of_row[a]:g}, line {of_line[b]:g} {text}"
            )
    grid = np.empty((*shape, 3))
    grid[i, j] = points
    return grid
