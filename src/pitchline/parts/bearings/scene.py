"""Rolling bearings: rings and rolling elements, true in number and size."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.solids.rotations import quaternion_of
from pitchline.viewer.scene_parts import (
    BALL,
    RING,
    Info,
    PartList,
    SceneSource,
    motion_of,
    sphere,
    turned,
    turned_piece,
)

from ..gears.scene import turned_shape
from ..gears.triangles import Triangles
from .design import BearingDesign
from .law import RowPlace
from .mounting import BEARING_TYPES

__all__ = [
    "BearingGeometry",
    "add_bearings",
    "bearing_design",
    "bearing_geometry",
    "cage_name",
    "Motion",
    "cage_motion",
    "cage_motions",
]


_MOST = 10_000
"""Rolling elements in a row: a description may come from anywhere."""
_MANY = 150
"""Rolling elements in all beyond which bearings are drawn coarser."""


class BearingGeometry:
    """Sizes of a bearing for the eye [m]: as given, or estimated from the rolling elements.

    Attributes
    ----------
    bore, outer, width : float
        Of one row's bearing.
    rows : tuple of RowPlace
        Turned over where the bearing is flipped.
    assumed : list of str
        What was not given.
    """

    def __init__(self, design: BearingDesign, *, flipped: bool) -> None:
        self.design = design
        D, pitch = design.diameter, design.pitch
        rollers = design.rolling == "roller"
        self.length = float(getattr(design, "length", D)) if rollers else D
        tilt = abs(design.contact_angle)
        reach = D * math.cos(tilt) + (self.length * math.sin(tilt) if rollers else 0.0)
        self.assumed = [name for name in ("bore", "outer", "width") if getattr(design, name) is None]
        self.bore = design.bore if design.bore is not None else max(pitch - reach - 0.6 * D, 0.2 * pitch)
        self.outer = design.outer if design.outer is not None else pitch + reach + 0.6 * D
        usual = 1.3 * (self.length * math.cos(tilt) + (D * math.sin(tilt) if rollers else 0.0))
        self.width = design.width if design.width is not None else usual
        sign = -1.0 if flipped else 1.0
        self.rows = tuple(RowPlace(sign * row.direction, sign * row.position, row.phase) for row in design.places)

    @property
    def span(self) -> tuple[float, float]:
        """Lowest and highest z of all rows [m]."""
        return self._ends(self.rows)

    def _ends(self, rows: Sequence[RowPlace]) -> tuple[float, float]:
        double = len(rows) > 1 and not self.design.is_pair  # one bearing with several rows is as wide as it is
        if double:
            reach = max(abs(row.position) for row in rows) + 0.55 * self.length
            half = max(0.5 * self.width, reach)
            return -half, half
        return min(r.position for r in rows) - 0.5 * self.width, max(r.position for r in rows) + 0.5 * self.width


def bearing_design(said: dict[str, Any]) -> BearingDesign | None:
    """The design of a described bearing; None where it is not one of this version.

    It is made without its constructor, which computes contact laws to check them: sizes are all that is asked for here.
    """
    kind: Any = BEARING_TYPES.get(str(said.get("type", "")))
    if kind is None:
        return None
    made: BearingDesign = object.__new__(kind)
    for field in fields(kind):
        if field.name in said:
            object.__setattr__(made, field.name, said[field.name])
    try:
        sizes = [made.diameter, made.pitch, 1.0 - made.gamma, getattr(made, "length", 1.0)]
        sizes += [size for size in (made.bore, made.outer, made.width) if size is not None]
        fits = (
            0 < int(made.number) <= _MOST
            and all(0.0 < float(size) < math.inf for size in sizes)
            and len(made.places) > 0
        )
    except (AttributeError, TypeError, ValueError, ArithmeticError):
        return None
    return made if fits else None


def bearing_geometry(element: dict[str, Any]) -> BearingGeometry | None:
    """Of a described bearing; None where its design is not one of this version."""
    parameters = element["parameters"]
    design = bearing_design(parameters["design"]["value"])
    return None if design is None else BearingGeometry(design, flipped=bool(parameters["flipped"]["value"]))


def cage_name(bearing: str) -> str:
    """The body of the scene that carries the rolling elements of a bearing."""
    return f"{bearing} rolling elements"


@dataclass(frozen=True)
class _Detail:
    """Pieces of rings and rolling elements around their axes, and of the arc of a groove."""

    ring: int
    element: int
    arc: int


def add_bearings(parts: PartList) -> None:
    """Rings on their bodies, rolling elements on a body of their own, which turns with the cage."""
    elements = {n: e for n, e in parts.model.get("elements", {}).items() if e.get("type") == "RollingBearing"}
    geometries = {name: bearing_geometry(element) for name, element in elements.items()}
    many = sum(made.design.number * len(made.rows) for made in geometries.values() if made is not None) > _MANY
    fine = _Detail(32, 10, 5) if many else _Detail(48, 18, 9)
    for name, element in elements.items():
        made = geometries[name]
        if made is None:
            parts.note("the description of this bearing is not one of this version: not drawn", name)
            continue
        value = element["parameters"]["design"]["value"]
        key = json.dumps([value, element["parameters"]["flipped"]["value"]], sort_keys=True)
        notes = []
        if made.assumed:
            notes.append(f"{' and '.join(made.assumed)} not given: rings drawn around the rolling elements")
        info: Info = [("Kind", made.design.title), ("Rolling elements", _elements(made))]
        info += [("Bore, outer diameter, width", _sizes(made))] if not made.assumed else []
        info += [("Rating C", f"{1e-3 * made.design.rating:.5g} kN")] if made.design.rating else []
        for ring, side, frame in (("inner", "b", element["frames"]["b"]), ("outer", "a", element["frames"]["a"])):
            outline = ring_outline(made, ring, fine.arc)
            shape = parts.shape(
                f"{ring} ring {key}",
                lambda n, o=outline: turned_shape(parts.block, n, turned_piece(o, fine.ring), fine.ring),  # type: ignore[misc]
            )
            parts.add(
                frame["body_name"], shape, name=name, kind="bearing", position=frame["position"], rotation=frame["rotation"],
                colour=RING, info=info, notes=notes if side == "b" else (), ring=ring,
            )  # fmt: skip
        for k, row in enumerate(made.rows):
            shape = parts.shape(
                f"row {k} {key}",
                lambda n, m=made, r=row: turned_shape(
                    parts.block, n, rolling_element(m, r, fine.element), m.design.number
                ),  # type: ignore[misc]
            )
            parts.add(
                cage_name(name), shape, name=name, kind="bearing", colour=BALL, info=info, ring="rolling elements"
            )


def _elements(made: BearingGeometry) -> str:
    rows = f" in {len(made.rows)} rows each" if len(made.rows) > 1 else ""
    return f"{made.design.number} {made.design.rolling}s of {1e3 * made.design.diameter:.4g} mm{rows}"


def _sizes(made: BearingGeometry) -> str:
    return ", ".join(f"{1e3 * size:.4g}" for size in (made.bore, made.outer, made.width)) + " mm"


# ------------------------------------------------------------------------------------------------------------- surfaces


def rolling_element(made: BearingGeometry, row: RowPlace, around: int = 18) -> Triangles:
    """One rolling element of a row in its place: the one at the angle `phase` from x."""
    design = made.design
    radius, half = 0.5 * design.diameter, 0.5 * made.length
    if design.rolling == "ball":
        surface, tilt = sphere(radius, around, max(around // 2, 6)), 0.0
    else:
        tilt, cone = _inclination(made)
        t = np.linspace(-1.0, 1.0, 5 if design.contact_angle and not cone else 2)
        bulge = (
            0.12 * radius * t**2 if design.contact_angle and not cone else 0.0 * t
        )  # barrels of spherical roller bearings
        r = radius - bulge - half * t * math.tan(cone)
        outline = np.concatenate([[[0.0, -half]], np.column_stack([r, half * t]), [[0.0, half]]])
        surface = turned(outline, around)
    # rollers narrow and lean to the side that their row takes forces to
    c, s = math.cos(tilt), math.sin(tilt)
    lean = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    mirror = np.diag([1.0, -1.0, -1.0]) if row.direction < 0.0 else np.eye(3)
    a, b = math.cos(row.phase), math.sin(row.phase)
    placed = surface.moved(mirror @ lean, (0.5 * design.pitch, 0.0, row.position))
    return placed.moved([[a, -b, 0.0], [b, a, 0.0], [0.0, 0.0, 1.0]])


def _inclination(made: BearingGeometry) -> tuple[float, float]:
    """Angle of the axis of a roller to that of the bearing, and its half cone angle [rad]: both races meet on the axis."""
    alpha = made.design.contact_angle
    if not alpha:
        return 0.0, 0.0
    if type(made.design).__name__ != "TaperedRoller":
        return alpha, 0.0
    race = 0.5 * made.design.pitch + 0.5 * made.design.diameter * math.cos(alpha)
    distance = race / math.tan(alpha) - 0.5 * made.design.diameter * math.sin(alpha)
    axis = math.atan2(0.5 * made.design.pitch, distance)
    return axis, alpha - axis


def ring_outline(made: BearingGeometry, ring: str, arc: int = 9) -> FloatArray:
    """Radius and height once around a ring: its races follow the rolling elements."""
    low, high = made.span
    sign = -1.0 if ring == "inner" else 1.0
    edge = 0.5 * (made.bore if ring == "inner" else made.outer)
    race = [point for row in sorted(made.rows, key=lambda row: row.position) for point in _race(made, row, sign, arc)]
    race = [(r, float(np.clip(z, low, high))) for r, z in race]
    heights = np.array([z for _, z in race])
    order = np.argsort(heights, kind="stable")
    line = [(race[0][0], low), *(race[k] for k in order), (race[-1][0], high)]
    keep = [(max(r, edge + 1e-3 * edge) if sign < 0.0 else min(r, edge - 1e-3 * edge), z) for r, z in line]
    return np.array([*keep, (edge, high), (edge, low)])


def _race(made: BearingGeometry, row: RowPlace, sign: float, arc: int) -> list[tuple[float, float]]:
    """The race of one row on the inner (−1) or outer (+1) ring, (radius, height), along z."""
    design = made.design
    radius, centre = 0.5 * design.diameter, 0.5 * design.pitch
    if design.rolling == "ball":
        top = (0.5, 0.5)  # heights of the shoulders over the bottom of the groove, in radii
        if design.contact_angle:
            # the inner ring pushes its balls the way the row carries, with the shoulder behind them; the outer one stops them
            top = (0.25, 0.75) if sign * row.direction > 0.0 else (0.75, 0.25)
        psi = np.linspace(-math.acos(1.0 - top[0]), math.acos(1.0 - top[1]), arc)
        return [(centre + sign * radius * math.cos(p), row.position + radius * math.sin(p)) for p in psi]
    tilt, cone = _inclination(made)
    half = 0.5 * made.length
    made_points = []
    for t in np.linspace(-1.0, 1.0, 5 if design.contact_angle and not cone else 2):
        bulge = 0.12 * radius * t * t if design.contact_angle and not cone else 0.0
        x, y = half * t, sign * (radius - bulge - half * t * math.tan(cone))  # along the roller, across it
        z, r = x * math.cos(tilt) + y * math.sin(tilt), -x * math.sin(tilt) + y * math.cos(tilt)
        made_points.append((centre + r, row.position + row.direction * z))
    return sorted(made_points, key=lambda point: point[1])


# ---- cage motion

# How the rolling elements of a bearing go round: with the cage, between both rings.
#
# The cage turns about the axis of the outer ring by the part (1 − D_w cos α / D_pw)/2 of the angle by which the inner
# ring has turned against the outer one: rolling without slip.

Motion = tuple[FloatArray, FloatArray]
"""Positions (n, 3) [m] and quaternions (n, 4) w, x, y, z."""
MOST_VALUES = 100_000
"""Samples times bearings above which rolling elements stay with the outer ring: poses of a page are not for free."""


def cage_motions(source: SceneSource) -> dict[str, Motion]:
    """Of all bearings of a model, by the names of the bodies that carry their rolling elements."""
    elements = [e for e in source.model.get("elements", {}).values() if e.get("type") == "RollingBearing"]
    turning = len(elements) * len(source.time) <= MOST_VALUES
    found = {}
    for element in elements:
        made = bearing_geometry(element)
        if made is not None:
            found[cage_name(element["name"])] = cage_motion(source, element, made, turning=turning)
    return found


def cage_motion(source: SceneSource, element: dict[str, Any], made: BearingGeometry, *, turning: bool = True) -> Motion:
    """Of the cage of one bearing; one row where it rests. turning: False leaves it with the outer ring."""
    frames = element["frames"]
    x, q = motion_of(source, frames["a"]["body_name"])
    place = x + rotated(q, np.asarray(frames["a"]["position"], dtype=np.float64))
    turn = product(q, quaternion_of(np.asarray(frames["a"]["rotation"], dtype=np.float64)))
    _, inner = motion_of(source, frames["b"]["body_name"])
    inner = product(inner, quaternion_of(np.asarray(frames["b"]["rotation"], dtype=np.float64)))
    if not turning or (len(turn) == 1 and len(inner) == 1):
        return place, turn
    count = max(len(turn), len(inner))
    turn, inner = np.broadcast_to(turn, (count, 4)), np.broadcast_to(inner, (count, 4))
    relative = product(turn * np.array([1.0, -1.0, -1.0, -1.0]), inner)
    angle = 2.0 * np.arctan2(relative[:, 3], relative[:, 0])
    angle = _continued(angle, _turned_by(source, element, turn))
    half = 0.5 * made.design.cage_ratio * (angle - angle[0])
    about_z = np.column_stack([np.cos(half), np.zeros(count), np.zeros(count), np.sin(half)])
    turned = product(turn, about_z)
    flips = np.cumprod(np.where(np.einsum("ij,ij->i", turned[1:], turned[:-1]) < 0.0, -1.0, 1.0))
    turned[1:] *= flips[:, None]
    return np.broadcast_to(place, (count, 3)), turned


def _turned_by(source: SceneSource, element: dict[str, Any], outer: FloatArray) -> FloatArray | None:
    """By how much the inner ring turns against the outer one from sample to sample, from their angular velocities [rad]."""
    spins = []
    for side in "ab":
        found = source.signal(f"{element['frames'][side]['body_name']}.angular_velocity")
        spins.append(np.zeros((1, 3)) if found is None else found)
    speed = spins[1] - spins[0]
    if len(speed) != len(outer):
        return None
    about = np.einsum("ij,ij->i", speed, rotated(outer, np.array([0.0, 0.0, 1.0])))
    return np.asarray(0.5 * (about[1:] + about[:-1]) * np.diff(source.time))


def _continued(angle: FloatArray, steps: FloatArray | None) -> FloatArray:
    """The angle without jumps. Whole revolutions between two samples follow from the speeds."""
    change = np.diff(angle)
    expected = np.zeros_like(change) if steps is None else steps
    change = expected + (change - expected + math.pi) % (2.0 * math.pi) - math.pi
    return np.concatenate([angle[:1], angle[0] + np.cumsum(change)])


def product(p: FloatArray, q: FloatArray) -> FloatArray:
    """p q of quaternions w, x, y, z, (…, 4)."""
    a, b, c, d = np.moveaxis(np.asarray(p), -1, 0)
    e, f, g, h = np.moveaxis(np.asarray(q), -1, 0)
    return np.stack(
        [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f,
         a * h + b * g - c * f + d * e], axis=-1,
    )  # fmt: skip


def rotated(q: FloatArray, v: FloatArray) -> FloatArray:
    """The vector v (3,) turned by quaternions (n, 4)."""
    w, u = q[:, :1], q[:, 1:]
    t = 2.0 * np.cross(u, v)
    return np.asarray(v + w * t + np.cross(u, t))
