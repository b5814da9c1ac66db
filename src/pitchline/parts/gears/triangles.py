"""Teeth as triangles: profiles at sections along the face, closed solids, and STL files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitchline.base.storage.free_names import atomic_file
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, shown
from pitchline.fem.hexahedra import FACES

from .geometry.gear import Gear
from .teeth.bevel import BevelFlank, BevelTeeth
from .teeth.flank import ToothFlank
from .teeth.generating_rack import ToothSurface
from .teeth.teeth import Teeth

if TYPE_CHECKING:
    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.solid_grid import SolidGrid

__all__ = [
    "SurfaceFineness",
    "Piece",
    "Profile",
    "bevel_profile",
    "cylinder_profile",
    "default_rim",
    "Triangles",
    "joined",
    "outer_faces",
    "skin",
    "solid_of",
    "STL_UNITS",
    "write_stl",
]


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


# ---- triangles

# Closed surfaces of triangles: surface of a solid grid, moved, combined, and with normals for shading.


@dataclass(frozen=True, eq=False)
class Triangles:
    """Surface of triangles, counter-clockwise seen from outside.

    Attributes
    ----------
    points : (n, 3)
        [m]
    triangles : (t, 3)
        Point indices.
    normals : (t, 3, 3) or None
        Unit normals at the corners of each triangle, for smooth shading; None: those of the flat triangles.
    edges : (e, 2)
        Point indices of the lines for drawings.
    """

    points: FloatArray
    triangles: IntArray
    normals: FloatArray | None = None
    edges: IntArray | None = None

    @property
    def volume(self) -> float:
        """Enclosed volume [m³]: V = Σ p_1 · (p_2 × p_3) / 6, by the divergence theorem; points relative to their mean,
        for accuracy."""
        p = (self.points - self.points.mean(axis=0))[self.triangles]
        return float(np.einsum("ti,ti->", p[:, 0], np.cross(p[:, 1], p[:, 2]))) / 6.0

    @property
    def face_normals(self) -> FloatArray:
        """(t, 3) unit normals of the flat triangles; zero for triangles without area."""
        p = self.points[self.triangles]
        n = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        length = np.linalg.norm(n, axis=1, keepdims=True)
        return np.asarray(n / np.where(length > 0.0, length, 1.0))

    def moved(self, rotation: npt.ArrayLike, position: npt.ArrayLike = (0.0, 0.0, 0.0)) -> Triangles:
        """x + R p: the surface after a rotation (3, 3) and a translation (3,) [m]."""
        R = np.asarray(rotation, dtype=np.float64)
        normals = None if self.normals is None else self.normals @ R.T
        return replace(self, points=self.points @ R.T + np.asarray(position, dtype=np.float64), normals=normals)

    def smoothed(self, crease: float = 0.6) -> Triangles:
        """With normals averaged by area over neighbouring triangles whose angle is less than `crease` [rad]."""
        p = self.points[self.triangles]
        area = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        unit = self.face_normals
        corner = self.triangles.ravel()
        owner = np.repeat(np.arange(len(self.triangles)), 3)
        order = np.argsort(corner, kind="stable")
        count = np.bincount(corner, minlength=len(self.points))
        first = np.cumsum(count) - count
        total = np.zeros((len(corner), 3))
        for k in range(int(count.max())):  # k-th triangle at the point of each corner
            has = k < count[corner]
            other = owner[order[first[corner[has]] + k]]
            near = np.einsum("ci,ci->c", unit[owner[has]], unit[other]) > np.cos(crease)
            total[has] += np.where(near[:, None], area[other], 0.0)
        length = np.linalg.norm(total, axis=1, keepdims=True)
        return replace(self, normals=(total / np.where(length > 0.0, length, 1.0)).reshape(-1, 3, 3))


def solid_of(grid: SolidGrid | SectorGrid) -> SolidGrid:
    """The solid grid of a sector, or the given solid grid; an error for other objects."""
    solid: Any = getattr(grid, "solid", grid)
    elements, nodes = getattr(solid, "elements", None), getattr(solid, "nodes", None)
    if elements is None or nodes is None:
        raise ModelError(f"grid: expected a SolidGrid or a SectorGrid, got {shown(grid)}")
    if np.ndim(elements) != 2 or np.shape(elements)[1] not in (8, 20):
        raise ModelError(f"grid: expected hexahedra with 8 or 20 nodes, got elements of the shape {np.shape(elements)}")
    found: SolidGrid = solid
    return found


def outer_faces(elements: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Faces that belong to only one element: nodes (f, 4) or (f, 8: corners, then the middles after each), element,
    side.

    The side is 0 to 5 for S1 to S6.
    """
    count = 4 if elements.shape[1] == 8 else 8
    faces = np.stack([elements[:, list(nodes[:count])] for nodes in FACES], axis=1).reshape(-1, count)
    # two faces with the same corners are one face between two elements
    key = np.sort(faces[:, :4], axis=1)
    _, first, uses = np.unique(key, axis=0, return_index=True, return_counts=True)
    outer = np.sort(first[uses == 1])
    return faces[outer], outer // 6, outer % 6


def skin(grid: SolidGrid | SectorGrid, nodes: FloatArray | None = None) -> Triangles:
    """Outer surface of a solid grid; its edges are those of the elements. nodes: other positions of its nodes [m].

    Faces with four nodes are divided along the shorter diagonal, faces with eight nodes into six triangles over all
    their nodes.
    Only points of the surface are kept.
    """
    solid = solid_of(grid)
    place = np.asarray(solid.nodes if nodes is None else nodes, dtype=np.float64)
    faces, _, _ = outer_faces(np.asarray(solid.elements, dtype=np.int64))
    kept, local = np.unique(faces, return_inverse=True)
    return _triangulated(place[kept], local.reshape(faces.shape))


def _triangulated(points: FloatArray, faces: IntArray) -> Triangles:
    if faces.shape[1] == 4:
        p = points[faces]
        other = np.linalg.norm(p[:, 0] - p[:, 2], axis=1) > np.linalg.norm(p[:, 1] - p[:, 3], axis=1)
        quads = np.where(other[:, None], np.roll(faces, -1, axis=1), faces)
        triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        around = faces
    else:
        cut = [(0, 4, 7), (1, 5, 4), (2, 6, 5), (3, 7, 6), (4, 5, 6), (4, 6, 7)]
        triangles = np.concatenate([faces[:, list(corners)] for corners in cut])
        around = faces[:, [0, 4, 1, 5, 2, 6, 3, 7]]
    pairs = np.stack([around, np.roll(around, -1, axis=1)], axis=-1).reshape(-1, 2)
    return Triangles(points, triangles, edges=np.unique(np.sort(pairs, axis=1), axis=0))


def joined(surfaces: Sequence[Triangles]) -> Triangles:
    """Combine several surfaces; with corner normals of all of them."""
    offsets = np.cumsum([0, *(len(surface.points) for surface in surfaces)])
    normals = [np.repeat(s.face_normals[:, None], 3, axis=1) if s.normals is None else s.normals for s in surfaces]
    edges = [
        np.zeros((0, 2), np.int64) if s.edges is None else s.edges + o for s, o in zip(surfaces, offsets, strict=False)
    ]
    return Triangles(
        np.concatenate([s.points for s in surfaces]),
        np.concatenate([s.triangles + o for s, o in zip(surfaces, offsets, strict=False)]),
        np.concatenate(normals),
        np.concatenate(edges),
    )


# ---- surface stl

# Surfaces as binary STL files: for CAD, 3D printing and grid generators.
#
# Header of 80 bytes, number of triangles, then for each triangle its unit normal, its three corners (Float32) and two
# unused bytes. STL files have no unit; most programs assume millimetres.

STL_UNITS = {"mm": 1e3, "m": 1.0}

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def write_stl(
    path: str | Path,
    surface: Triangles | SolidGrid | SectorGrid | Sequence[Triangles | SolidGrid | SectorGrid],
    *,
    units: str = "mm",
    overwrite: bool = False,
) -> Path:
    """Write a surface, or the outer surface of a solid grid, as a binary STL file; return its path.

    Several surfaces become separate closed bodies in one file. units: "mm" or "m". The file is written completely or
    not at all.
    It replaces an existing file only with overwrite=True.
    """
    if units not in STL_UNITS:
        raise ModelError(f'STL file: units must be "mm" or "m", got {shown(units)}')
    given = surface if isinstance(surface, Sequence) else [surface]
    bodies = [body if isinstance(body, Triangles) else skin(body) for body in given]
    if not bodies:
        raise ModelError("STL file: nothing to write. Specify a surface or a grid")
    records = np.zeros(sum(len(body.triangles) for body in bodies), dtype=_RECORD)
    start = 0
    for body in bodies:
        part = records[start : start + len(body.triangles)]
        part["normal"] = body.face_normals
        part["corners"] = STL_UNITS[units] * body.points[body.triangles]
        start += len(body.triangles)
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        with draft.open("wb") as out:
            out.write(f"pitchline surface, lengths in {units}".encode().ljust(80))
            out.write(np.uint32(len(records)).astype("<u4").tobytes())
            out.write(records.tobytes())
        written = target
    return written
