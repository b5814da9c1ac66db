"""Teeth from points and surfaces of any source: `Teeth.from_points` and `Teeth.from_surface`."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ...errors import ModelError, Subject, shown
from ...progress import note
from ...units import quantity
from ..arrays import FloatArray
from ..gear import Gear
from ..inputs import in_deg, positive
from ..rack import Rack
from .flank_surfaces import FlankSurfaces, spline_of_table
from .grid_fit import FlankFit, fit_grid
from .parametric import SurfaceFunction, fit_surface
from .patch import FlankPatch
from .point_files import read_flank_file
from .point_grid import check_places, check_side, ordered_grid, read_points, unit_of
from .scattered import resampled
from .surface_teeth import SurfaceTeeth
from .tooth_coordinates import ToothCoordinates, facing_of
from .tooth_position import apart_from_nominal, moved_by, on_tooth_zero

__all__ = ["check_flanks", "from_points", "from_surface"]

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
