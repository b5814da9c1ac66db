"""Estimate of the internal geometry of a rolling bearing from catalogue data: bore, outer diameter, width, C and C_0.

Manufacturers do not publish number and size of the rolling elements. But the boundary dimensions limit them, and the ratings
of ISO 281 and ISO 76 depend on them. The estimate is the number of rolling elements (whole), their diameter and their length
with the best agreement with four or five criteria, each with its usual scatter: C, C_0, the ratio of element diameter to
section height, the ratio of length to width, and the filling of the pitch circle (deep groove bearings: the arc over which
balls can be inserted). For published bearings, the error of the diameter is 2 to 5 %, and most numbers of elements are exact.
The relative error of the stiffness is about half of these errors or less.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..errors import ModelError, near_names
from .ratings import ball_dynamic_rating, ball_static_rating, roller_dynamic_rating, roller_static_rating

__all__ = ["estimated_geometry"]


class _Habit(NamedTuple):
    """Typical values for bearings of one type: mean value and relative scatter."""

    diameter: tuple[float, float]  # of the rolling element, divided by half the difference of outer diameter and bore
    filling: tuple[float, float]  # Z D_w / (π D_pw), or the arc [rad] of the balls before the cage separates them
    length: tuple[float, float] | None = None  # of rollers, divided by the width of the bearing
    rows: int = 1
    design: float = 1.1  # b_m of ISO 281
    angle: float = 0.0  # default contact angle, deg; nan: must be specified


_HABITS = {
    "DeepGrooveBall": _Habit((0.60, 0.04), (math.radians(189.0), 0.03)),
    "AngularContactBall": _Habit((0.61, 0.05), (0.87, 0.05), angle=math.nan),
    "CylindricalRoller": _Habit((0.55, 0.06), (0.80, 0.04), (0.60, 0.08)),
    "TaperedRoller": _Habit((0.48, 0.08), (0.85, 0.05), (0.62, 0.12), angle=math.nan),
    "SphericalRoller": _Habit((0.50, 0.08), (0.86, 0.06), (0.36, 0.15), rows=2, design=1.15, angle=math.nan),
    "NeedleRoller": _Habit((0.41, 0.10), (0.68, 0.10), (0.72, 0.10)),
}
_DYNAMIC_SCATTER, _STATIC_SCATTER = 0.06, 0.03  # manufacturers raise C above ISO 281; C_0 follows ISO 76
_UNBELIEVABLE = 1.6  # if ratings differ from the section by more than this factor: wrong unit or wrong bearing


def estimated_geometry(
    kind: str,
    bore: float,
    outer: float,
    width: float,
    C: float,
    C0: float | None = None,
    contact_angle: float | None = None,
) -> dict[str, Any]:
    """Estimate arguments of a bearing type that agree with catalogue data, SI units.

    kind: name of the type, such as "DeepGrooveBall". bore, outer, width: m (tapered: the total width T). C, C0: basic dynamic
    and static load rating, N; without C0 the estimate is less certain. contact_angle: rad; required for angular contact and
    tapered rollers (1.5 tan α = e of the catalogue); the default sine for spherical rollers is 0.64 width/outer.

    Balls: balls, ball, pitch, contact_angle. Rollers: rollers, roller, length, pitch, contact_angle. All values are for one row.
    """
    return dict(_estimate(kind, bore, outer, width, C, C0, contact_angle))


@lru_cache
def _estimate(
    kind: str, bore: float, outer: float, width: float, C: float, C0: float | None, contact_angle: float | None
) -> tuple[tuple[str, Any], ...]:
    """Compute the estimate once for each bearing: machines have many equal bearings, and files are read more than once."""
    from scipy.optimize import least_squares  # late: scipy takes long to import and few models need it

    habit = _checked(kind, bore, outer, width, C, C0)
    angle = _angle(kind, habit, width, outer, contact_angle)
    pitch, section = 0.5 * (bore + outer), 0.5 * (outer - bore)
    best: tuple[float, int, np.ndarray] | None = None
    for count in range(3, 1 + int(math.pi * pitch / (0.6 * habit.diameter[0] * section))):
        start = [math.log(habit.diameter[0] * section)] + ([math.log(habit.length[0] * width)] if habit.length else [])
        found = least_squares(
            _misfit,
            start,
            args=(kind, habit, count, pitch, section, width, C, C0, angle),
            method="lm",
            xtol=1e-10,
            ftol=1e-10,
        )
        if best is None or found.cost < best[0]:
            best = found.cost, count, np.exp(found.x)
    assert best is not None
    _, count, sizes = best
    _refuse_unbelievable(kind, habit, count, sizes, pitch, C, C0, angle)
    if habit.length is None:
        geometry: dict[str, Any] = {"balls": count, "ball": float(sizes[0]), "pitch": pitch}
    else:
        geometry = {"rollers": count, "roller": float(sizes[0]), "length": float(sizes[1]), "pitch": pitch}
    return tuple((geometry | {"contact_angle": angle} if angle else geometry).items())


def _ratings(habit: _Habit, count: int, sizes: np.ndarray, pitch: float, angle: float) -> tuple[float, float]:
    if habit.length is None:
        return (
            ball_dynamic_rating(count, sizes[0], pitch, contact_angle=angle),
            ball_static_rating(count, sizes[0], pitch, contact_angle=angle),
        )
    return (
        roller_dynamic_rating(
            count, sizes[0], sizes[1], pitch, contact_angle=angle, rows=habit.rows, design=habit.design
        ),
        roller_static_rating(count, sizes[0], sizes[1], pitch, contact_angle=angle, rows=habit.rows),
    )


def _misfit(
    logarithms: np.ndarray,
    kind: str,
    habit: _Habit,
    count: int,
    pitch: float,
    section: float,
    width: float,
    C: float,
    C0: float | None,
    angle: float,
) -> np.ndarray:
    """Deviations from ratings and typical values, each divided by its scatter."""
    sizes = np.minimum(np.exp(logarithms), [0.45 * pitch, np.inf][: len(logarithms)])
    dynamic, static = _ratings(habit, count, sizes, pitch, angle)
    if kind == "DeepGrooveBall":  # the rings are pushed together on one side, the balls inserted, then distributed
        filled = (count - 1) * 2.0 * math.asin(sizes[0] / pitch)
    else:
        filled = count * sizes[0] / (math.pi * pitch)
    terms = [
        math.log(dynamic / C) / _DYNAMIC_SCATTER,
        math.log(static / C0) / _STATIC_SCATTER if C0 else 0.0,
        math.log(sizes[0] / (habit.diameter[0] * section)) / habit.diameter[1],
        math.log(filled / habit.filling[0]) / habit.filling[1],
    ]
    if habit.length:
        terms.append(math.log(sizes[1] / (habit.length[0] * width)) / habit.length[1])
    return np.array(terms)


def _checked(kind: str, bore: float, outer: float, width: float, C: float, C0: float | None) -> _Habit:
    if kind not in _HABITS:
        raise ModelError(f'bearing from a catalogue: unknown type "{kind}"; {near_names(kind, list(_HABITS))}')
    for name, value in {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}.items():
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise ModelError(f"{kind} from a catalogue: {name} must be greater than zero, got {value:g}")
    if bore >= outer:
        raise ModelError(
            f"{kind} from a catalogue: bore, {bore * 1e3:g} mm, must be less than the outer diameter, {outer * 1e3:g} mm"
        )
    return _HABITS[kind]


def _angle(kind: str, habit: _Habit, width: float, outer: float, given: float | None) -> float:
    if given is not None:
        if not 0.0 <= given <= math.radians(45.0) + 1e-12:
            raise ModelError(
                f"{kind} from a catalogue: contact_angle must be from 0 to 45 deg, got {math.degrees(given):.6g} deg"
            )
        if given and habit.angle == 0.0:
            raise ModelError(
                f"{kind} from a catalogue: this type has no contact angle, got {math.degrees(given):.6g} deg"
            )
        return given
    if kind == "SphericalRoller":
        return math.asin(min(0.64 * width / outer, math.sin(math.radians(25.0))))
    if math.isnan(habit.angle):
        raise ModelError(f"{kind} from a catalogue: specify contact_angle; catalogues contain it or e = 1.5 tan α")
    return math.radians(habit.angle)


def _refuse_unbelievable(
    kind: str, habit: _Habit, count: int, sizes: np.ndarray, pitch: float, C: float, C0: float | None, angle: float
) -> None:
    for name, given, computed in zip(("C", "C0"), (C, C0), _ratings(habit, count, sizes, pitch, angle), strict=True):
        if given is not None and not 1.0 / _UNBELIEVABLE < given / computed < _UNBELIEVABLE:
            raise ModelError(
                f"{kind} from a catalogue: {name} = {given / 1e3:.4g} kN does not fit these dimensions; a bearing of this size "
                f"has about {computed / 1e3:.3g} kN. Check units, type and dimensions"
            )
