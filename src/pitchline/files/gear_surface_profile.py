"""Tooth profile as points at sections along the face, with normals: from the right root to the left root."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..gears import Gear
from ..gears.teeth import BevelTeeth, Teeth, ToothFlank
from ..gears.teeth.bevel import BevelFlank
from ..gears.teeth.surface import ToothSurface
from .triangles import FloatArray

__all__ = ["SurfaceFineness", "Piece", "Profile", "bevel_profile", "cylinder_profile", "default_rim"]


@dataclass(frozen=True)
class SurfaceFineness:
    """Number of points of the surface of a gear.

    Attributes
    ----------
    points : int
        Minimum along each involute and each fillet.
    half_root, tip : int
        Minimum for half a root and for a tip.
    arc : float
        Largest angle about the axis between two points of a profile [rad], for worm teeth, which wind around the axis.
    turn : float
        Largest rotation of helical teeth between two sections [rad].
    curved : int
        Minimum number of sections of teeth that change along the face.
    """

    points: int = 12
    half_root: int = 4
    tip: int = 5
    arc: float = math.radians(4.0)
    turn: float = math.radians(4.0)
    curved: int = 9

    def count(self, angle: float, least: int) -> int:
        """Number of points of an arc with this angle [rad]."""
        return max(least, math.ceil(abs(angle) / self.arc) + 1)


@dataclass(frozen=True, eq=False)
class Piece:
    """One smooth piece of the profile. start: index of its first point; count: number of points, including both ends.

    normals: (count, s, 3). length: (count, s), for involutes: roll length [m], arc ε [rad] for bevel gears.
    """

    start: int
    count: int
    normals: FloatArray
    length: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class Profile:
    """One pitch of a gear.

    Attributes
    ----------
    points : (p, s, 3)
        From the middle of the space on the right to that on the left, without the last point, which is the first point
        of the
        next tooth. Sections s go along +z.
    pieces : dict
        "right root", "right fillet", "right involute", "tip", "left involute", "left fillet", "left root".
    face : (s,)
        ζ [m]; cone distance for a bevel gear.
    steps : (low end, high end)
        Rings (radius, height) [m] between the root and the bore.
    wall : list
        (fraction of the height, angle [rad]) of the sections of the bore.
    """

    points: FloatArray
    pieces: dict[str, Piece]
    face: FloatArray
    steps: tuple[list[tuple[float, float]], list[tuple[float, float]]]
    wall: list[tuple[float, float]]
    apex: float | None = None
    """z [m] of the centre of the spherical ends of a bevel gear; None: flat ends."""


def default_rim(gear: Gear) -> float:
    """Outer diameter of an internal gear [m]; default: three modules outside its roots."""
    return gear.root_diameter + 6.0 * gear.normal_module if gear.rim_diameter is None else gear.rim_diameter


_Part = tuple[FloatArray, FloatArray, FloatArray | None]
"""Points and normals (n, s, 3), and lengths (n, s) of involutes."""


def _assembled(
    parts: dict[str, _Part],
    face: FloatArray,
    steps: tuple[list[tuple[float, float]], list[tuple[float, float]]],
    wall: list[tuple[float, float]],
    apex: float | None = None,
) -> Profile:
    """Pieces one after the other; each starts at the end of the piece before."""
    order = ("right root", "right fillet", "right involute", "tip", "left involute", "left fillet", "left root")
    pieces: dict[str, Piece] = {}
    rows: list[FloatArray] = []
    start = 0
    for name in order:
        points, normals, length = parts[name]
        if name.startswith("left"):
            points, normals = points[::-1], normals[::-1]
            length = None if length is None else length[::-1]
        pieces[name] = Piece(start, len(points), normals, length)
        rows.append(points[:-1])
        start += len(points) - 1
    return Profile(np.concatenate(rows), pieces, face, steps, wall, apex)


# ------------------------------------------------------------------------------------------------------------ cylinders


def cylinder_profile(teeth: Teeth, fine: SurfaceFineness, sections: int) -> Profile:
    """Profile of a spur, helical or conical involute gear."""
    half = 0.5 * teeth.gear.required_face_width("the surface of a gear")
    z = np.linspace(-half, half, sections)
    parts: dict[str, _Part] = {}
    for side, flank in (("right", teeth.right), ("left", teeth.left)):
        parts |= _flank_parts(side, flank, z, fine)
    tooth = _tooth_angle(parts["right fillet"][0][0, 0], parts["left fillet"][0][0, 0])
    for side, flank in (("right", teeth.right), ("left", teeth.left)):
        count = fine.count(0.5 * (teeth.gear.angular_pitch - tooth), fine.half_root)
        parts[f"{side} root"] = _surface_part(flank.root, np.linspace(0.0, 1.0, count)[:, None], z)
    parts["tip"] = _surface_part(teeth.tip, np.linspace(-1.0, 1.0, fine.count(tooth, fine.tip))[:, None], z)
    # the values of a helical beveloid differ slightly
    twist = 0.5 * (teeth.left.involute.twist + teeth.right.involute.twist)
    wall = [(float(t), float(twist * 2.0 * half * t)) for t in np.linspace(0.0, 1.0, sections)]
    return _assembled(parts, z, (_web_steps(teeth.gear, -1.0), _web_steps(teeth.gear, 1.0)), wall)


def _web_steps(gear: Gear, end: float) -> list[tuple[float, float]]:
    """Rings of the rim, the web and the hub at the end towards −z (−1) or +z (+1); empty for a solid body."""
    body = gear.body
    if body.web_thickness is None:
        return []
    rim, face, web = (
        0.5 * gear.inside_of_rim,
        0.5 * gear.required_face_width("the surface of a gear"),
        0.5 * body.web_thickness,
    )
    steps = [(rim, end * face), (rim, end * web)]
    if body.hub_diameter is not None and body.hub_diameter > body.bore:
        hub = 0.5 * body.hub_diameter
        steps += [(hub, end * web), (hub, end * face)]
    return steps


def _flank_parts(side: str, flank: ToothFlank, z: FloatArray, fine: SurfaceFineness) -> dict[str, _Part]:
    form, tip = flank.form_roll_length(z), flank.tip_roll_length(z)
    feet = flank.fillet.section([0.0, float(flank.fillet.limits(0.0)[1])], 0.0)
    points = fine.count(float(np.angle(feet[1] / feet[0])), fine.points)
    ends = flank.involute.section(np.array([form[0], tip[0]]), 0.0)
    points = fine.count(float(np.angle(ends[1] / ends[0])), points)
    t = np.linspace(0.0, 1.0, points)[:, None]
    L = np.sqrt((1.0 - t) * form**2 + t * tip**2)  # equal arcs: the length of an involute is L²/(2 r_b)
    u = np.linspace(0.0, 1.0, max(points, 3))[:, None] * flank.fillet.limits(z)[1]
    return {
        f"{side} fillet": _surface_part(flank.fillet, u, z),
        f"{side} involute": (flank.involute.point(L, z), flank.involute.normal(L, z), L),
    }


def _tooth_angle(right: FloatArray, left: FloatArray) -> float:
    """Angle about the axis from the right to the left foot of a tooth [rad]; points (3,)."""
    return (math.atan2(left[1], left[0]) - math.atan2(right[1], right[0])) % (2.0 * math.pi)


def _surface_part(surface: ToothSurface, u: FloatArray, z: FloatArray) -> _Part:
    return surface.point(u, z), surface.normal(u, z), None


# --------------------------------------------------------------------------------------------------------------- bevels


def bevel_profile(teeth: BevelTeeth, fine: SurfaceFineness, sections: int) -> Profile:
    """Profile of a straight bevel gear: its ends are spheres. The back of the body continues along the outer sphere,
    and is then flat."""
    inner, outer = teeth.cone_distances
    away = teeth.left.involute.away
    R = np.linspace(inner, outer, sections)[:: int(away)]  # along +z
    parts: dict[str, _Part] = {}
    for side, flank in (("right", teeth.right), ("left", teeth.left)):
        parts |= _bevel_parts(teeth, side, flank, R, fine)
    half = float(teeth.left.involute.half_angle(teeth.left.tip))
    parts["tip"] = _cone(teeth, np.linspace(-half, half, fine.tip), teeth.tip_cone, R)
    polar = teeth.back_cone
    ring = outer * math.sin(polar), teeth.apex + away * outer * math.cos(polar)
    back = [ring] if ring[0] > 0.5 * teeth.gear.bore else []
    return _assembled(parts, R, ([], back) if away > 0.0 else (back, []), [(0.0, 0.0), (1.0, 0.0)], teeth.apex)


def _bevel_parts(
    teeth: BevelTeeth, side: str, flank: BevelFlank, R: FloatArray, fine: SurfaceFineness
) -> dict[str, _Part]:
    points = fine.points
    t = np.linspace(0.0, 1.0, points)[:, None]
    arc = np.broadcast_to(np.sqrt((1.0 - t) * flank.form**2 + t * flank.tip**2), (points, len(R)))
    u = np.linspace(0.0, 1.0, max(points, 3))[:, None]
    fillet, normal = flank.fillet.point(u, R), np.broadcast_to(flank.fillet.normal(u, R), (len(u), len(R), 3))
    if flank.neck is not None:
        fillet = np.concatenate([fillet, flank.neck.point(u[1:], R)])
        normal = np.concatenate([normal, np.broadcast_to(flank.neck.normal(u[1:], R), (len(u) - 1, len(R), 3))])
    azimuth = flank.involute.side * np.linspace(math.pi / teeth.gear.teeth, flank.root_angle, fine.half_root)
    return {
        f"{side} root": _cone(teeth, azimuth, teeth.root_cone, R),
        f"{side} fillet": (fillet, normal, None),
        f"{side} involute": (flank.involute.point(arc, R), flank.involute.normal(arc, R), np.array(arc)),
    }


def _cone(teeth: BevelTeeth, azimuth: FloatArray, polar: float, R: FloatArray) -> _Part:
    """Root and tip: a cone through the apex, with its normal away from the axis and towards the apex."""
    away = teeth.left.involute.away
    a, r = np.broadcast_arrays(azimuth[:, None], R)
    c, s = np.cos(a), np.sin(a)
    points = np.stack(
        [r * math.sin(polar) * c, r * math.sin(polar) * s, teeth.apex + away * r * math.cos(polar)], axis=-1
    )
    normal = np.stack([math.cos(polar) * c, math.cos(polar) * s, np.full(a.shape, -away * math.sin(polar))], axis=-1)
    return points, normal, None
