"""Teeth from points and surfaces of any source, their position relative to the nominal gear, and files of points."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import write_text
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.facades import faces_of_file
from pitchline.solids.stl_solid import read_stl
from pitchline.units.quantity import quantity

from ..geometry.gear import Gear
from ..geometry.inputs import in_deg, in_mm, positive, whole
from ..geometry.rack import Rack
from .fitting import FlankFit, SurfaceFunction, fit_grid, fit_surface
from .from_gears import SurfaceTeeth, ToothStep, surface_teeth
from .patch import FlankPatch, FlankSurfaces, spline_of_table
from .point_grid import (
    FlankPointSet,
    ToothCoordinates,
    check_places,
    check_side,
    facing_of,
    ordered_grid,
    outside_teeth,
    read_point_text,
    read_points,
    unit_of,
    unwrapped,
)

__all__ = [
    "flank_of_faces",
    "CAD_ENDINGS",
    "TEXT_ENDINGS",
    "read_flank_file",
    "write_flank_points",
    "resampled",
    "apart_from_nominal",
    "moved_by",
    "on_tooth_zero",
    "pitches_off",
    "check_flanks",
    "from_points",
    "from_surface",
]


# ---- flank faces

# The faces of a CAD file that are a flank of tooth 0.

_NEAR = 0.12
"""Distance from the nominal flank, in pitches."""


def flank_of_faces(faces: list[FloatArray], coordinates: ToothCoordinates, side: str, what: Subject) -> FloatArray:
    """Points (n, 3) of all faces that are close to the nominal flank of tooth 0 and lean as it does.

    One face is taken as it is: it may be located on any tooth.
    """
    if len(faces) == 1:
        return faces[0]
    found = [points for points in faces if _is_flank(points, coordinates, side)]
    if not found:
        raise ModelError(
            f"{what}: none of its {len(faces)} faces is a {side} flank of tooth 0. The axis of the gear must be z, its origin in "
            "the middle of the face, and the x axis must go through the middle of a tooth. Or export the face of one flank",
            about=what,
        )
    return np.concatenate(found)


def _is_flank(points: FloatArray, coordinates: ToothCoordinates, side: str) -> bool:
    places = coordinates.of(points)
    if outside_teeth(places, coordinates).any():
        return False
    h = places.height
    if np.ptp(h) < 0.3 * coordinates.depth:
        return False
    angle = unwrapped(places.angle, coordinates)
    apart = angle - coordinates.nominal_angle(side, h)
    if abs(float(apart.mean())) > _NEAR * coordinates.pitch:
        return False
    terms = np.stack([np.ones_like(h), h, places.along], axis=-1)
    slope = float(np.linalg.lstsq(terms, angle * coordinates.lever, rcond=None)[0][1])
    lean = slope * (1.0 if side == "left" else -1.0)
    return -4.0 * coordinates.nominal_slope < lean < 0.0


# ---- point files

# Points of flanks in files: by the ending of the name. Text is read here, STL by `solids`, CAD files by a registered
# reader.

TEXT_ENDINGS = (".csv", ".txt", ".dat", ".asc", ".xyz", ".pts", ".tsv")
CAD_ENDINGS = (".step", ".stp", ".p21")
_GDE = (".gde", ".xml")


def read_flank_file(
    path: str | os.PathLike[str], *, unit: object, what: Subject, coordinates: ToothCoordinates, side: str
) -> FlankPointSet:
    """Points of a file [m]. unit: of its lengths, None if the file contains it.

    Of the faces of a CAD file those of the flank of tooth 0 on this side are used.
    """
    file = Path(path)
    ending = file.suffix.lower()
    if ending in TEXT_ENDINGS:
        return read_point_text(file, unit, what)
    if ending == ".stl":
        if unit is None:
            raise ModelError(
                f'{what}: "{file}": STL files do not contain a unit of length. Specify it, such as unit="mm"',
                about=what.at("unit"),
            )
        mesh = read_stl(file, what)
        points = np.unique(mesh.vertices.astype(np.float64), axis=0) * unit_of(unit, what)
        return FlankPointSet(points, file.name)
    if ending in CAD_ENDINGS:
        if unit is not None:
            raise ModelError(
                f'{what}: "{file}": STEP files contain their unit of length. Leave out unit', about=what.at("unit")
            )
        return FlankPointSet(flank_of_faces(faces_of_file(file), coordinates, side, what / shown(file.name)), file.name)
    if ending in _GDE:
        raise ModelError(
            f'{what}: "{file}": files of the gear data exchange format (VDI/VDE 2610) are not supported. Export the points of '
            "the flank as a table of row, line, x, y, z (CSV)",
            about=what,
        )
    raise ModelError(
        f"{what}: {shown(str(file))}: the ending of the name must be one of {', '.join((*TEXT_ENDINGS, '.stl', *CAD_ENDINGS))}",
        about=what,
    )


# ---- point writing

# Points of flanks as text files, which `Teeth.from_points` reads.

_WHAT_point_writing = Subject("write_flank_points")


@names_wrong_arguments
def write_flank_points(
    path: str | os.PathLike[str],
    teeth: object,
    side: str,
    *,
    rows: object = 33,
    lines: object = 17,
    tooth: object = 0,
    unit: object = "mm",
    overwrite: bool = False,
) -> Path:
    """Write points and normals of a flank as a text file (CSV); return its path. `Teeth.from_points` reads it.

    Parameters
    ----------
    path
        Its name ends in .csv, .txt, .dat, .asc, .xyz, .pts or .tsv.
    teeth
        A `Gear`, a `Rack`, `Teeth`, `BevelTeeth` or `SurfaceTeeth`.
    side
        "left" or "right".
    rows, lines
        Number of points from root to tip, and along the face.
    tooth
        Number of the tooth.
    unit
        Of the lengths.
    overwrite
        True replaces an existing file.
    """
    file = Path(path)
    if file.suffix.lower() not in TEXT_ENDINGS:
        raise ModelError(
            f'{_WHAT_point_writing}: "{file}": the name must end in one of {", ".join(TEXT_ENDINGS)}',
            about=_WHAT_point_writing.at("path"),
        )
    factor = unit_of(unit, _WHAT_point_writing)
    surfaces = surface_teeth(teeth)
    n = whole(rows, _WHAT_point_writing / "rows", at_least=2, at_most=2000)
    m = whole(lines, _WHAT_point_writing / "lines", at_least=2, at_most=2000)
    k = whole(tooth, _WHAT_point_writing / "tooth", at_least=0, at_most=surfaces.gear.teeth - 1)
    u, v = np.linspace(0.0, 1.0, n), np.linspace(0.0, 1.0, m)
    points = surfaces.points(side, n, m, tooth=k) / factor
    normals = surfaces.flank(side, k).normal(u[:, None], v) @ surfaces.step.rotation(k).T
    text = [f"row,line,x [{unit}],y [{unit}],z [{unit}],nx,ny,nz"]
    for i in range(n):
        for j in range(m):
            numbers = ",".join(repr(float(x)) for x in (*points[i, j], *normals[i, j]))
            text.append(f"{i},{j},{numbers}")
    return write_text(file, "\n".join(text) + "\n", overwrite=overwrite)


# ---- scattered

# Points of a flank in any order, resampled to a grid.
#
# In the coordinates of the teeth a flank is a function a(h, w). A polynomial of low degree is taken off, the rest is
# interpolated by radial basis functions (r³, with the nearest points only), and evaluated on a grid between the
# smallest and largest heights and places along the face that the points cover.

_FEWEST = 30
_DEGREE = 5
_NEIGHBOURS = 40
_ROWS, _LINES = (12, 60), (8, 60)
"""Least and greatest size of the grid."""
_ONE_SURFACE = 0.02
"""Distance of the points from a smooth surface, in modules, beyond which they are not one flank."""
_SAME = 1e-7
"""Distance of points, in parts of depth and width, up to which they are one."""


def resampled(points: FloatArray, coordinates: ToothCoordinates, what: Subject) -> FloatArray:
    """A grid (rows, lines, 3) [m] of points (n, 3) in any order."""
    from scipy.interpolate import RBFInterpolator

    places = coordinates.of(points)
    angle = unwrapped(places.angle, coordinates)
    h, w = places.height / coordinates.depth, places.along / coordinates.width
    _, first, of = np.unique(
        np.round(np.stack([h, w], axis=-1) / _SAME), axis=0, return_index=True, return_inverse=True
    )
    _check_one_surface(angle - angle[first][of.ravel()], coordinates, what)
    h, w, angle = h[first], w[first], angle[first]
    if len(h) < _FEWEST:
        raise ModelError(
            f"{what}: {len(h)} different points in any order. Use at least {_FEWEST}, or a grid of points", about=what
        )
    low, high = _limits(h, w)
    degree = min(_DEGREE, int(np.sqrt(len(h) / 3.0)) - 1)

    def terms(a: FloatArray, b: FloatArray) -> FloatArray:
        x, y = (2.0 * (a - low[0]) / (high[0] - low[0]) - 1.0), (2.0 * (b - low[1]) / (high[1] - low[1]) - 1.0)
        legendre = np.polynomial.legendre.legvander2d(x, y, [degree, degree])
        return np.asarray(legendre)

    polynomial = np.linalg.lstsq(terms(h, w), angle, rcond=None)[0]
    rest = angle - terms(h, w) @ polynomial
    _check_one_surface(rest, coordinates, what)
    smooth = RBFInterpolator(
        np.stack([h, w], axis=-1), rest, neighbors=min(_NEIGHBOURS, len(h)), kernel="cubic", degree=1
    )
    count = np.sqrt(len(h))
    rows, lines = (int(np.clip(count, *limits)) for limits in (_ROWS, _LINES))
    a, b = np.meshgrid(np.linspace(low[0], high[0], rows), np.linspace(low[1], high[1], lines), indexing="ij")
    flat = np.stack([a.ravel(), b.ravel()], axis=-1)
    found = (terms(flat[:, 0], flat[:, 1]) @ polynomial + smooth(flat)).reshape(a.shape)
    return coordinates.points(a * coordinates.depth, b * coordinates.width, found)


def _check_one_surface(apart: FloatArray, coordinates: ToothCoordinates, what: Subject) -> None:
    """An error if angles differ from those of one smooth surface by too much."""
    distance = float(np.sqrt((apart**2).mean())) * coordinates.lever
    if distance > _ONE_SURFACE * coordinates.gear.normal_module:
        raise ModelError(
            f"{what}: the points are not those of one flank: they are {in_mm(distance)} (root mean square) away from one surface. "
            "Use only the points of one flank, without fillet and tip",
            about=what,
        )


def _limits(h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Corners of the largest rectangle (h, w) that the points cover at all its edges.

    The ends of the face: extremes of w. The ends of the profile: in ten slices of the face the least and the greatest h, of
    which the innermost ones count, so that nothing is extrapolated by much.
    """
    ends = np.linspace(w.min(), w.max(), 11)
    slices = [h[(w >= a) & (w <= b)] for a, b in pairwise(ends)]
    full = [part for part in slices if len(part) >= 2 and np.ptp(part) > 0.5 * np.ptp(h)]
    bottom = max((float(part.min()) for part in full), default=float(h.min()))
    top = min((float(part.max()) for part in full), default=float(h.max()))
    return np.array([bottom, w.min()]), np.array([top, w.max()])


# ---- tooth position

# Which tooth an imported flank belongs to, and its rotation onto tooth 0.

_NEAR_tooth_position = 0.12
"""Largest distance of a flank from the nominal one, in pitches. A tooth is about half a pitch thick."""


def apart_from_nominal(patch: FlankPatch, side: str, coordinates: ToothCoordinates) -> float:
    """Angle [rad] (racks: distance [m]) of a flank from the nominal flank of tooth 0, on the pitch surface, middle of the face.

    Where the patch does not reach there, at its nearest place.
    """
    u, v = np.linspace(0.0, 1.0, 41), np.linspace(0.0, 1.0, 41)
    u, v = (x.ravel() for x in np.meshgrid(u, v, indexing="ij"))
    places = coordinates.of(patch.point(u, v))
    off = np.hypot(places.height / coordinates.depth, places.along / coordinates.width)
    k = int(off.argmin())
    found = _near(np.array([u[k], v[k]]), patch, coordinates)
    at = coordinates.of(patch.point(found[0], found[1]))
    apart = float(at.angle - coordinates.nominal_angle(side, at.height))
    return apart


def _near(start: FloatArray, patch: FlankPatch, coordinates: ToothCoordinates) -> FloatArray:
    """Newton's method for h = w = 0, inside the patch."""
    at, h = start, 1e-5
    for _ in range(6):
        probes = at + h * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        places = coordinates.of(patch.point(probes[:, 0], probes[:, 1]))
        values = np.stack([places.height, places.along], axis=-1)
        slopes = (values[1:] - values[0]).T / h
        if abs(np.linalg.det(slopes)) < 1e-30:
            break
        at = np.clip(at - np.linalg.solve(slopes, values[0]), 0.0, 1.0)
    return at


def pitches_off(apart: float, coordinates: ToothCoordinates) -> int:
    """Number of the tooth, 0 to z − 1 for gears."""
    k = round(apart / coordinates.pitch)
    return k if isinstance(coordinates.gear, Rack) else k % coordinates.gear.teeth


def on_tooth_zero(
    patch: FlankPatch, side: str, coordinates: ToothCoordinates, what: Subject, tooth: int | None = None
) -> FlankPatch:
    """The patch rotated by whole pitches onto tooth 0; an error if it is far from the nominal flanks there.

    tooth: its number if it is one of the teeth with their own flanks; it may be located there or on tooth 0.
    """
    apart = apart_from_nominal(patch, side, coordinates)
    number = pitches_off(apart, coordinates)
    rest = apart - coordinates.pitch * round(apart / coordinates.pitch)
    if abs(rest) > _NEAR_tooth_position * coordinates.pitch:
        length = in_mm(rest * coordinates.lever)
        turn = length if isinstance(coordinates.gear, Rack) else f"{length} ({in_deg(rest)})"
        raise ModelError(
            f"{what}: the flank is {turn} away from the nominal flank of the nearest tooth, on the pitch surface in the middle "
            f"of the face. A pitch is {in_mm(coordinates.pitch * coordinates.lever)}. The x axis goes through the middle of "
            'tooth 0. Specify rotation="centre" to rotate the points onto tooth 0, or a rotation angle, or check the gear',
            about=what,
        )
    if tooth is not None and number not in (tooth, 0):
        raise ModelError(
            f"{what}: the points are located on tooth {number}. Rotate them to tooth {tooth} or to tooth 0, or correct the "
            "number of the tooth",
            about=what,
        )
    return moved_by(patch, -number * coordinates.pitch, coordinates)


def moved_by(patch: FlankPatch, amount: float, coordinates: ToothCoordinates) -> FlankPatch:
    """The patch rotated about z [rad], of a rack shifted along y [m]."""
    if not amount:
        return patch
    if isinstance(coordinates.gear, Rack):
        return patch.moved(np.eye(3), (0.0, amount, 0.0))
    return patch.moved(ToothStep(amount).rotation(1))


_WHAT = Subject("imported flanks")
_ROUGH, _ROUGHEST = 0.002, 0.02
"""Error of a spline between points [modules]: noted, and refused."""
_THICKNESS = 0.1
"""Difference of the tooth thickness from the nominal one that is noted [modules]."""
_Made = tuple[FlankPatch, FlankFit | None]


def from_points(
    gear: Gear | Rack,
    *,
    left: object = None,
    right: object = None,
    per_tooth: Mapping[object, object] | None = None,
    unit: object = None,
    smoothing: object = None,
    rotation: object = None,
) -> SurfaceTeeth:
    """See `Teeth.from_points`."""
    coordinates = _coordinates(gear)
    factor = None if unit is None else unit_of(unit, _WHAT)
    tolerance = None if smoothing is None else positive(smoothing, "length", _WHAT / "smoothing")

    def made(value: object, side: str, what: Subject) -> _Made:
        if isinstance(value, FlankPatch):
            return _checked_patch(value, side, coordinates, what), None
        if isinstance(value, Mapping):
            spline = spline_of_table(value, facing_of(gear, side), what)
            return _checked_patch(spline, side, coordinates, what), None
        if callable(value):
            raise ModelError(f"{what}: got a function. Use Teeth.from_surface for functions p(u, v)", about=what)
        if isinstance(value, str | os.PathLike):
            value = read_flank_file(value, unit=unit, what=what, coordinates=coordinates, side=side)
        points = read_points(value, 1.0 if factor is None else factor, what)
        check_places(points, coordinates, what)
        source = str(getattr(value, "source", ""))
        if points.ndim == 2:
            points = resampled(points, coordinates, what)
        grid = ordered_grid(points, coordinates, what)
        check_side(coordinates.of(grid), coordinates, side, what)
        found = fit_grid(grid, facing=facing_of(gear, side), smoothing=tolerance, source=source)
        check_fit(found[1], gear.normal_module, tolerance, what)
        return found

    return _assembled(coordinates, left, right, per_tooth, rotation, made)


def from_surface(
    gear: Gear | Rack,
    *,
    left: object = None,
    right: object = None,
    per_tooth: Mapping[object, object] | None = None,
    unit: object = None,
    domain: object = ((0.0, 1.0), (0.0, 1.0)),
    rotation: object = None,
) -> SurfaceTeeth:
    """See `Teeth.from_surface`."""
    coordinates = _coordinates(gear)
    factor = 1.0 if unit is None else unit_of(unit, _WHAT)

    def made(value: object, side: str, what: Subject) -> _Made:
        if isinstance(value, FlankPatch):
            return _checked_patch(value, side, coordinates, what), None
        surface = SurfaceFunction(value, factor, domain, what)
        return fit_surface(surface, coordinates, side, what), None

    return _assembled(coordinates, left, right, per_tooth, rotation, made)


def check_fit(fit: FlankFit, module: float, smoothing: float | None, what: Subject) -> None:
    """An error if noise is not smoothed, or cannot be; a note if the spline is rough between the points."""
    if smoothing is not None:
        if fit.rms > smoothing:
            raise ModelError(
                f"{what}: the smoothing tolerance of {in_um(smoothing)} is not reached: the residuals of the smoothest spline with "
                f"few knots are {in_um(fit.rms)} (root mean square), at most {in_um(fit.largest)} at row {fit.worst[0]}, line "
                f"{fit.worst[1]}. Specify this or more as smoothing, or leave it out for points without noise",
                about=what,
            )
        return
    if fit.error > _ROUGHEST * module:
        raise ModelError(
            f"{what}: splines of degrees 5 and 3 through the points differ by {in_um(fit.error)} between them. The points have "
            'noise or outliers, are too few, or include fillet or tip. Specify smoothing="..." for noise, and use points of the '
            "flank only",
            about=what,
        )
    if fit.error > _ROUGH * module:
        note(
            f'{what}: the error between points is about {in_um(fit.error)}. Specify smoothing="..." if the points have noise, or '
            "use more points"
        )


def in_um(length: float) -> str:
    """A small length for a message."""
    return f"{1e6 * length:.3g} µm"


def _coordinates(gear: object) -> ToothCoordinates:
    if not isinstance(gear, Gear | Rack):
        raise ModelError(f"{_WHAT}: expected a Gear or a Rack, the nominal data of the teeth; got {shown(gear)}")
    if isinstance(gear, Gear) and gear.modifications:
        raise ModelError(
            f"{_WHAT}: the gear has modifications, but imported flanks contain their modifications. Leave out modifications",
            about=_WHAT,
        )
    return ToothCoordinates(gear)


def _checked_patch(patch: FlankPatch, side: str, coordinates: ToothCoordinates, what: Subject) -> FlankPatch:
    """A patch in the order of patches, with its normal out of the material."""
    u = np.linspace(0.0, 1.0, 7)
    grid = patch.point(u[:, None], u)
    check_places(grid, coordinates, what)
    if not np.array_equal(ordered_grid(grid, coordinates, what), grid):
        raise ModelError(
            f"{what}: u of a FlankPatch must go from root to tip, v along +z (bevel gears: outwards). Use Teeth.from_surface with "
            "a function for other orders",
            about=what,
        )
    check_side(coordinates.of(grid), coordinates, side, what)
    facing = facing_of(coordinates.gear, side)
    return patch if patch.facing == facing else replace_facing(patch, facing)


def replace_facing(patch: FlankPatch, facing: float) -> FlankPatch:
    """The same surface with another direction of the normal."""
    return FlankPatch(patch.control, patch.knots_u, patch.knots_v, facing=facing, error=patch.error)


def _assembled(
    coordinates: ToothCoordinates,
    left: object,
    right: object,
    per_tooth: Mapping[object, object] | None,
    rotation: object,
    made: Callable[[object, str, Subject], _Made],
) -> SurfaceTeeth:
    gear = coordinates.gear
    given = {"left": left, "right": right}
    if left is None and right is None:
        raise ModelError(f"{_WHAT}: specify left and right, the flanks of a tooth", about=_WHAT)
    missing = [side for side, value in given.items() if value is None]
    if missing and gear.helix_angle:
        raise ModelError(
            f"{_WHAT}: {missing[0]} is missing. The flanks of a tooth with a helix angle of {in_deg(gear.helix_angle)} are not "
            "mirror images of each other. Specify both",
            about=_WHAT.at(missing[0]),
        )
    fits: dict[str, FlankFit] = {}
    patches: dict[str, FlankPatch] = {}
    for side, value in given.items():
        if value is not None:
            patches[side], fit = made(value, side, _WHAT / side)
            if fit is not None:
                fits[side] = fit
    single = {key: made(value, key[1], _tooth(*key)) for key, value in _single_teeth(per_tooth, gear).items()}
    turn = _rotation(rotation, patches, coordinates)
    for side, patch in patches.items():
        patches[side] = on_tooth_zero(moved_by(patch, turn, coordinates), side, coordinates, _WHAT / side)
    for side in missing:
        patches[side] = patches["right" if side == "left" else "left"].mirrored()
    own = []
    for (tooth, side), (patch, fit) in sorted(single.items()):
        own.append(
            (
                (tooth, side),
                on_tooth_zero(moved_by(patch, turn, coordinates), side, coordinates, _tooth(tooth, side), tooth),
            )
        )
        if fit is not None:
            fits[f"tooth {tooth} {side}"] = fit
    flanks = FlankSurfaces(patches["left"], patches["right"], tuple(own))
    check_thickness(flanks, coordinates)
    if not missing:
        _compare_thickness(flanks, coordinates)
    return SurfaceTeeth.of(_with_flanks(gear, flanks), flanks, fits)


def _with_flanks(gear: Gear | Rack, flanks: FlankSurfaces) -> Gear | Rack:
    return gear.with_(flanks=flanks) if isinstance(gear, Gear) else replace(gear, flanks=flanks)


def _tooth(tooth: int, side: str) -> Subject:
    return Subject(f"{_WHAT}: per_tooth, tooth {tooth} {side}")


def _single_teeth(given: object, gear: Gear | Rack) -> dict[tuple[int, str], object]:
    if given is None:
        return {}
    here = _WHAT / "per_tooth"
    if not isinstance(given, Mapping):
        raise ModelError(
            f'{here} must be flanks by tooth, such as {{(3, "left"): points}}, got {shown(given)}', about=here
        )
    found: dict[tuple[int, str], object] = {}
    for key, value in given.items():
        good = isinstance(key, tuple) and len(key) == 2 and key[1] in ("left", "right") and isinstance(key[0], int)
        if not good or not 0 <= key[0] < gear.teeth:
            raise ModelError(
                f'{here}: a key must be (tooth, "left") or (tooth, "right") with a tooth from 0 to {gear.teeth - 1}, got '
                f"{shown(key)}",
                about=here,
            )
        found[key] = value
    return found


def _rotation(rotation: object, patches: Mapping[str, FlankPatch], coordinates: ToothCoordinates) -> float:
    """How far all points are rotated [rad] (racks: moved [m]) before whole pitches are counted."""
    what = _WHAT / "rotation"
    if rotation is None:
        return 0.0
    if rotation == "centre":
        apart = [apart_from_nominal(patch, side, coordinates) for side, patch in patches.items()]
        if len(apart) == 2:
            apart[1] -= coordinates.pitch * round((apart[1] - apart[0]) / coordinates.pitch)
        return -float(np.mean(apart))
    if isinstance(coordinates.gear, Rack):
        return quantity(rotation, "length", what=what)
    if isinstance(rotation, str) and not any(c.isdigit() for c in rotation):
        raise ModelError(f'{what}: must be "centre" or an angle such as "3 deg", got {shown(rotation)}', about=what)
    return quantity(rotation, "angle", what=what)


def check_thickness(flanks: FlankSurfaces, coordinates: ToothCoordinates) -> None:
    """An error if left and right flank are exchanged or overlap: a tooth has a thickness everywhere."""
    w: FloatArray = np.linspace(0.1, 0.9, 5)
    for u in (0.1, 0.5, 0.9):
        left = coordinates.of(flanks.left.point(u, w))
        right = coordinates.of(flanks.right.point(u, w))
        if (left.angle <= right.angle).any():
            raise ModelError(
                f"{_WHAT}: the left flank is not on the +y side of the right flank: the tooth has no thickness. Exchange left "
                "and right, or check the gear",
                about=_WHAT,
            )


def _compare_thickness(flanks: FlankSurfaces, coordinates: ToothCoordinates) -> None:
    """A note if the tooth is much thicker or thinner than the nominal one: often that of another gear."""
    gear = coordinates.gear
    if isinstance(gear, Gear) and gear.cone_angle:
        return
    left, right = (apart_from_nominal(getattr(flanks, side), side, coordinates) for side in ("left", "right"))
    more = (left - right) * coordinates.lever * math.cos(gear.helix_angle)
    if abs(more) > _THICKNESS * gear.normal_module:
        word = "thicker" if more > 0.0 else "thinner"
        shift = more / (2.0 * gear.normal_module * math.tan(gear.normal_pressure_angle))
        note(
            f"{_WHAT}: the tooth is {1e3 * abs(more):.3g} mm {word} than that of the nominal gear, as with "
            f"a difference of the profile shift of {abs(shift):.2g}. Check the number of teeth, the module and the profile shift. "
            "Contact has the imported flanks"
        )


def check_flanks(gear: Gear | Rack, value: object) -> FlankSurfaces:
    """Flanks of a gear as its constructor takes them: made before, or arguments of `Teeth.from_points`."""
    if isinstance(value, SurfaceTeeth):
        value = FlankSurfaces(
            value.left,
            value.right,
            tuple(((k, side), patch) for side, of in value.of_tooth.items() for k, patch in sorted(of.items())),
        )
    if isinstance(value, FlankSurfaces):
        coordinates = _coordinates(gear)
        for side, patch in (("left", value.left), ("right", value.right)):
            _checked_patch(patch, side, coordinates, _WHAT / side)
            on_tooth_zero(patch, side, coordinates, _WHAT / side)
        for (tooth, side), _ in value.per_tooth:
            _single_teeth({(tooth, side): None}, gear)
        return value
    if isinstance(value, Mapping):
        names = ("left", "right", "per_tooth", "unit", "smoothing", "rotation")
        for key in value:
            if key not in names:
                raise ModelError(f"{_WHAT}: there is no {shown(key)}. There are {', '.join(names)}", about=_WHAT)
        made = from_points(gear, **value).gear.flanks
        assert made is not None
        return made
    raise ModelError(
        f"{_WHAT}: expected the flanks of Teeth.from_points, or a mapping with left and right, got {shown(value)}",
        about=_WHAT,
    )
