"""Surfaces of whole gears as triangles, from the exact tooth surfaces; for pictures and STL files.

The tooth profile, from the right root to the left root, is divided into points at sections along the face, and repeated
about
the axis. End faces, bore (rim of an internal gear) and teeth share their points, so the surface is closed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, shown

from .geometry.gear import Gear
from .geometry.inputs import whole
from .geometry.rack import Rack
from .geometry.reference import transverse_gear
from .teeth.bevel import BevelTeeth, Half
from .teeth.teeth import Teeth
from .triangles import Piece, Profile, SurfaceFineness, Triangles, bevel_profile, cylinder_profile, default_rim, joined

__all__ = [
    "first_tooth",
    "rack_surface",
    "FlankPoints",
    "GearSurface",
    "closed_surface",
    "gear_surface",
    "surface_of_teeth",
    "teeth_of",
    "spiral_angle",
    "spiral_bevel_surface",
    "spiral_turn",
]


# ---- rack surface

# Surface of a rack as triangles: its teeth in the normal section, extruded along the tooth over the width.
#
# x points out of the teeth, y along the reference line and z across the width. A point (d, e) of the normal section,
# d above the reference line and e across the tooth, has the coordinates
#
# x = d , y = e / cos β + z tan β .
#
# Flanks are planes e = s_n/2 − d tan α , fillets are circles of radius ρ_f that touch the flanks and the root. The
# ends of a helical rack follow its teeth, so that all teeth are complete.


def first_tooth(rack: Rack) -> int:
    """Index of the first tooth along y; tooth 0 is on the x axis."""
    return -((rack.teeth - 1) // 2)


def rack_surface(rack: Rack, *, profile_points: object = 12) -> Triangles:
    """Closed surface of a rack in its axes, with the lines for drawings.

    profile_points: points along each fillet. The default depth of a rack is two modules below its roots.
    """
    n = whole(profile_points, "rack surface: profile_points", at_least=2, at_most=2000)
    width = rack.required_face_width("the surface of a rack")
    side, normals = _half_tooth(rack, n)  # from root to tip, e positive
    k = len(side)
    # One pitch in the transverse section: middle of the space, right side, left side, middle of the next space.
    half = 0.5 * rack.transverse_pitch
    cosine = math.cos(rack.helix_angle)
    right = np.stack([side[:, 0], -side[:, 1] / cosine], axis=-1)
    left = np.stack([side[::-1, 0], side[::-1, 1] / cosine], axis=-1)
    tooth = np.concatenate([right, left])  # (2k, 2): x, y
    place = rack.transverse_pitch * (first_tooth(rack) + np.arange(rack.teeth))
    outline = np.stack([np.tile(tooth[:, 0], rack.teeth), (place[:, None] + tooth[:, 1]).ravel()], axis=-1)
    ends = np.array([[-rack.dedendum, place[0] - half], [-rack.dedendum, place[-1] + half]])
    outline = np.concatenate([ends[:1], outline, ends[1:]])
    depth = rack.dedendum + 2.0 * rack.normal_module if rack.depth is None else max(rack.depth, 1.05 * rack.dedendum)
    feet = 1 + 2 * k * np.arange(rack.teeth)[:, None] + np.array([0, 2 * k - 1])
    at_root = np.concatenate([[0], feet.ravel(), [len(outline) - 1]])
    bottom = np.stack([np.full(len(at_root), -depth), outline[at_root, 1]], axis=-1)
    ring = np.concatenate([outline, bottom[::-1]])  # once around, counter-clockwise seen from +z
    total = len(ring)

    def drawn_out(z: float) -> FloatArray:
        return np.stack([ring[:, 0], ring[:, 1] + z * math.tan(rack.helix_angle), np.full(total, z)], axis=-1)

    points = np.concatenate([drawn_out(-0.5 * width), drawn_out(0.5 * width)])
    around = np.stack([np.arange(total), np.roll(np.arange(total), -1)], axis=-1)
    sides = _walls(around, total)
    shade = np.repeat(_wall_normals(points, around, total)[:, None], 3, axis=1)
    _smooth_fillets(shade, normals, rack, k, around)
    caps = _caps(rack.teeth, k, len(outline), at_root)
    flat = np.array([0.0, 0.0, 1.0])
    triangles = np.concatenate([sides, caps[:, ::-1], caps + total])
    shading = np.concatenate(
        [shade, np.broadcast_to(-flat, (len(caps), 3, 3)), np.broadcast_to(flat, (len(caps), 3, 3))]
    )
    return Triangles(points, triangles, shading, _lines(rack.teeth, k, total, around))


def _half_tooth(rack: Rack, n: int) -> tuple[FloatArray, FloatArray]:
    """(d, e) [m] of one side from the root to the tip, (k, 2), and the normals (n_d, n_e) of its fillet, (n, 2)."""
    alpha, rho, half = rack.normal_pressure_angle, rack.root_radius, 0.5 * rack.normal_tooth_thickness
    # the centre lies ρ above the root and ρ from the flank, in the space
    d = rho - rack.dedendum
    e = half - d * math.tan(alpha) + rho / math.cos(alpha)
    turn = np.linspace(0.0, 0.5 * math.pi - alpha, n)
    out = np.stack([np.cos(turn), np.sin(turn)], axis=-1)  # towards the centre: out of the material
    fillet = np.array([d, e]) - rho * out
    if not rho:
        fillet, out = fillet[:1], out[:1]
    tip = np.array([[rack.addendum, half - rack.addendum * math.tan(alpha)]])
    return np.concatenate([fillet, tip]), out


def _walls(around: IntArray, total: int) -> IntArray:
    """Two triangles for each piece of the outline, at both ends of the width; the second half contains the second
    triangles."""
    a, b = around[:, 0], around[:, 1]
    return np.concatenate([np.stack([a, b, b + total], axis=-1), np.stack([a, b + total, a + total], axis=-1)])


def _wall_normals(points: FloatArray, around: IntArray, total: int) -> FloatArray:
    p, q, up = points[around[:, 0]], points[around[:, 1]], points[around[:, 0] + total]
    n = np.cross(q - p, up - p)
    unit = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    return np.concatenate([unit, unit])


def _smooth_fillets(shade: FloatArray, normals: FloatArray, rack: Rack, k: int, around: IntArray) -> None:
    """Normals of the fillets at the corners of their walls, instead of those of the flat pieces."""
    n, count = len(normals), len(around)
    if n < 2:
        return
    c, s = math.cos(rack.helix_angle), math.sin(rack.helix_angle)
    for tooth in range(rack.teeth):
        first = 1 + 2 * k * tooth
        for sign, start in ((-1.0, first), (1.0, first + 2 * k - n)):
            own = np.stack([normals[:, 0], sign * normals[:, 1] * c, -sign * normals[:, 1] * s], axis=-1)
            own = own if sign < 0.0 else own[::-1]
            piece = start + np.arange(n - 1)
            a, b = own[:-1], own[1:]
            shade[piece] = np.stack([a, b, b], axis=1)
            shade[count + piece] = np.stack([a, b, a], axis=1)


def _caps(teeth: int, k: int, top: int, at_root: IntArray) -> IntArray:
    """Triangles of the end at +z: between both sides of each tooth, and the bar below the roots."""
    below = top + len(at_root) - 1 - np.arange(len(at_root))
    quads = [np.stack([at_root[:-1], at_root[1:], below[1:], below[:-1]], axis=-1)]
    for tooth in range(teeth):
        right = 1 + 2 * k * tooth + np.arange(k)
        left = 1 + 2 * k * tooth + 2 * k - 1 - np.arange(k)
        quads.append(np.stack([right[1:], left[1:], left[:-1], right[:-1]], axis=-1))
    q = np.concatenate(quads)
    return np.concatenate([q[:, [0, 1, 2]], q[:, [0, 2, 3]]])


def _lines(teeth: int, k: int, total: int, around: IntArray) -> IntArray:
    """Outlines of both ends, edges of the tips, and edges of the bar."""
    tips = (1 + 2 * k * np.arange(teeth)[:, None] + np.array([k - 1, k])).ravel()
    corners = np.array([0, 1 + 2 * k * teeth, 2 + 2 * k * teeth, total - 1])
    along = np.concatenate([tips, corners])
    return np.concatenate([around, around + total, np.stack([along, along + total], axis=-1)])


@dataclass(frozen=True, eq=False)
class FlankPoints:
    """Points of the surface on the left or the right flanks.

    Attributes
    ----------
    points : (z, n, s)
        Point indices: tooth, along the profile from the form circle to the tip, along the face.
    length : (n, s)
        Roll length L [m]; arc ε [rad] for a bevel gear.
    face : (s,)
        ζ [m]; cone distance R [m] for a bevel gear.
    triangles : (k,)
        Triangles on these flanks.
    """

    points: IntArray
    length: FloatArray
    face: FloatArray
    triangles: IntArray


@dataclass(frozen=True, eq=False)
class GearSurface(Triangles):
    """Closed surface of a gear, in its axes. flanks: "left" and "right"; empty for a double helical gear."""

    flanks: dict[str, FlankPoints] | None = None


def teeth_of(gear: object, what: str = "gear") -> Teeth | BevelTeeth:
    """The teeth of a `Gear`, or the given teeth."""
    if isinstance(gear, (Teeth, BevelTeeth)):
        return gear
    if not isinstance(gear, Gear):
        raise ModelError(f"{what}: expected Teeth, BevelTeeth or a Gear, got {shown(gear)}")
    return BevelTeeth(gear) if gear.cone_angle else Teeth(gear)


@names_wrong_arguments
def gear_surface(
    gear: Gear | Rack | Teeth | BevelTeeth | Sequence[Half],
    *,
    profile_points: object = 12,
    face_points: object = None,
) -> Triangles:
    """Closed surface of a gear, with the lines for drawings.

    Parameters
    ----------
    gear
        A `Gear`, a `Rack`, `Teeth`, `BevelTeeth`, or the two halves of `double_helical`. The default rim of an internal
        gear
        is three modules, the default depth of a rack is two modules below the roots.
    profile_points
        Points along each involute and each fillet.
    face_points
        Sections along the face; default: 2, for helical teeth the number that makes them smooth.
    """
    n = whole(profile_points, "gear surface: profile_points", at_least=2, at_most=2000)
    if isinstance(gear, Rack):
        return rack_surface(gear, profile_points=n)
    if isinstance(gear, Sequence):
        return _halves(gear, n, face_points)
    sections = (
        None if face_points is None else whole(face_points, "gear surface: face_points", at_least=2, at_most=2000)
    )
    return surface_of_teeth(teeth_of(gear, "gear surface"), SurfaceFineness(points=n), sections)


def surface_of_teeth(teeth: Teeth | BevelTeeth, fine: SurfaceFineness, sections: int | None = None) -> GearSurface:
    """Closed surface of a gear from its teeth. sections: along the face; None: the number that makes it smooth."""
    if isinstance(teeth, BevelTeeth):
        return closed_surface(bevel_profile(teeth, fine, sections or 2), teeth.gear, None)
    width = teeth.gear.required_face_width("the surface of a gear")
    twist = abs(teeth.left.involute.twist) * width
    curved = teeth.profile_shift_angle or teeth.left.modified or teeth.right.modified
    sections = sections or max(fine.curved if curved else 2, math.ceil(twist / fine.turn) + 1)
    return closed_surface(cylinder_profile(teeth, fine, sections), teeth.gear, teeth)


def _halves(halves: Sequence[Half], n: int, face_points: object) -> Triangles:
    if not halves or not all(isinstance(half, Half) for half in halves):
        raise ModelError(f"gear surface: expected the two halves of double_helical, got {shown(halves)}")
    parts = []
    for half in halves:
        c, s = math.cos(half.turn), math.sin(half.turn)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        parts.append(
            gear_surface(half.teeth, profile_points=n, face_points=face_points).moved(turn, (0.0, 0.0, half.shift))
        )
    return joined(parts)


class _SurfaceBuilder:
    """Collects points and triangles. The callers keep the point indices."""

    def __init__(self) -> None:
        self.points: list[FloatArray] = []
        self.triangles: list[IntArray] = []
        self.normals: list[FloatArray] = []
        self.edges: list[IntArray] = []
        self.count = self.done = 0

    def add(self, points: FloatArray) -> IntArray:
        """Indices of new points, in the shape of the array without its last axis."""
        flat = np.atleast_2d(points.reshape(-1, 3))
        self.points.append(flat)
        self.count += len(flat)
        return np.arange(self.count - len(flat), self.count).reshape(points.shape[:-1])

    def at(self, numbers: IntArray) -> FloatArray:
        """Points by index."""
        if len(self.points) > 1:
            self.points = [np.concatenate(self.points)]
        return self.points[0][numbers]

    def patch(self, grid: IntArray, normals: FloatArray | None, outward: float) -> IntArray:
        """Quadrilaterals of a grid (…, a, b), reversed if `outward` is negative; returns the indices of the triangles.

        normals: (…, a − 1, 2, b, 3): at the two ends of each strip; None: flat.
        """
        corners = [grid[..., :-1, :-1], grid[..., 1:, :-1], grid[..., 1:, 1:], grid[..., :-1, 1:]]
        quads = np.stack([c.ravel() for c in corners], axis=-1)
        if normals is None:
            shade = np.full((len(quads), 4, 3), np.nan)
        else:
            low, high = normals[..., 0, :, :], normals[..., 1, :, :]
            ends = [low[..., :-1, :], high[..., :-1, :], high[..., 1:, :], low[..., 1:, :]]
            shade = np.stack([end.reshape(-1, 3) for end in ends], axis=1)
        for cut in ((0, 1, 2), (0, 2, 3)):
            order = list(cut if outward > 0.0 else cut[::-1])
            self.triangles.append(quads[:, order])
            self.normals.append(shade[:, order])
        self.done += 2 * len(quads)
        return np.arange(self.done - 2 * len(quads), self.done)

    def line(self, *lines: IntArray) -> None:
        """Lines to draw, along the last axis."""
        for line in lines:
            self.edges.append(np.stack([line[..., :-1].ravel(), line[..., 1:].ravel()], axis=-1))

    def surface(self, flanks: dict[str, FlankPoints]) -> GearSurface:
        points, triangles = np.concatenate(self.points), np.concatenate(self.triangles)
        normals = np.concatenate(self.normals)
        used = triangles[:, 0] != triangles[:, 1]
        used &= (triangles[:, 1] != triangles[:, 2]) & (
            triangles[:, 2] != triangles[:, 0]
        )  # fans: two corners coincide
        number = np.cumsum(used) - 1
        flanks = {side: replace(p, triangles=number[p.triangles[used[p.triangles]]]) for side, p in flanks.items()}
        triangles, normals = triangles[used], normals[used]
        made = GearSurface(points, triangles, None, np.concatenate(self.edges), flanks)
        flat = np.isnan(normals[:, 0, 0])
        normals[flat] = made.face_normals[flat][:, None]
        return replace(made, normals=normals)


def _turned(points: FloatArray, count: int) -> FloatArray:
    """(count, …, 3): copies rotated about the axis."""
    turn = np.exp(2j * math.pi / count * np.arange(count)).reshape(-1, *[1] * (points.ndim - 1))
    P = (points[..., 0] + 1j * points[..., 1]) * turn
    return np.stack([P.real, P.imag, np.broadcast_to(points[..., 2], P.shape)], axis=-1)


def closed_surface(profile: Profile, gear: Gear, teeth: Teeth | None) -> GearSurface:
    """Teeth, end faces and bore from a profile with all its pieces."""
    z, sense = gear.teeth, gear.sense
    builder = _SurfaceBuilder()
    points = _turned(profile.points, z)  # (z, p, s, 3)
    if teeth is not None:
        _modify(points, profile, teeth)
    ring = builder.add(points)
    following = np.concatenate([ring, np.roll(ring[:, :1], -1, axis=0)], axis=1)  # to the first point of the next tooth
    flanks = {}
    for name, piece in profile.pieces.items():
        grid = following[:, piece.start : piece.start + piece.count]
        own = _normals(profile, name, z, teeth)
        normals = np.stack([own[:, :-1], own[:, 1:]], axis=2)
        made = builder.patch(grid, normals, sense)
        if name.endswith("involute"):
            side = name.split()[0]
            up = slice(None) if side == "right" else slice(None, None, -1)
            assert piece.length is not None
            flanks[side] = FlankPoints(grid[:, up], piece.length[up], profile.face, made)
    # the edges of the tips and the outlines of both ends
    tip = profile.pieces["tip"]
    builder.line(following[:, tip.start], following[:, tip.start + tip.count - 1])
    around = ring.reshape(-1, ring.shape[2])
    builder.line(*(np.append(around[:, end], around[0, end]) for end in (0, -1)))
    rings = [_end(builder, profile, following, end, sense) for end in (0, -1)]
    _body(builder, profile, gear, rings, sense)
    return builder.surface(flanks)


def _modify(points: FloatArray, profile: Profile, teeth: Teeth) -> None:
    """Points of the involutes, (z, p, s, 3), moved by the flank deviations."""
    for name, piece in profile.pieces.items():
        flank = teeth.flank(name.split()[0]) if name.endswith("involute") else None
        if flank is not None and flank.modified:
            assert piece.length is not None
            tooth = np.arange(teeth.gear.teeth)[:, None, None]
            points[:, piece.start : piece.start + piece.count] = flank.point(piece.length, profile.face, tooth)


def _normals(profile: Profile, name: str, z: int, teeth: Teeth | None) -> FloatArray:
    """Normals of a piece of all teeth, (z, n, s, 3); modified flanks have their own."""
    piece = profile.pieces[name]
    flank = teeth.flank(name.split()[0]) if teeth is not None and name.endswith("involute") else None
    if teeth is None or flank is None or not flank.modified:
        return _turned(piece.normals, z)
    assert piece.length is not None
    return flank.normal(piece.length, profile.face, np.arange(z)[:, None, None])


def _end(builder: _SurfaceBuilder, profile: Profile, following: IntArray, end: int, sense: float) -> IntArray:
    """One end of the teeth as a grid between both flanks; returns the ring of points around the body, tooth by tooth.

    Rows go from the root to the tip, columns from right to left. Inner points are interpolated between both flanks in
    radius,
    angle and height.
    """
    first, columns = profile.pieces["right fillet"].start, profile.pieces["tip"].count
    rows = profile.pieces["tip"].start - first + 1
    last = first + 2 * (rows - 1) + columns - 1
    here = following[:, :, end]
    right, left = here[:, first : first + rows], here[:, last - rows + 1 : last + 1][:, ::-1]
    a, b = builder.at(right[:, :-1]), builder.at(left[:, :-1])
    t = np.linspace(0.0, 1.0, columns)[1:-1]
    A, B = a[..., 0] + 1j * a[..., 1], b[..., 0] + 1j * b[..., 1]
    radius = np.abs(A)[..., None] * (1.0 - t) + np.abs(B)[..., None] * t
    across = np.angle(B / A)
    across = np.where(across < -1e-9, across + 2.0 * math.pi, across)  # worm teeth wind around the axis
    angle = np.angle(A)[..., None] + across[..., None] * t
    height = a[..., 2, None] * (1.0 - t) + b[..., 2, None] * t
    inside = builder.add(np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=-1))
    below = np.concatenate([right[:, :-1, None], inside, left[:, :-1, None]], axis=2)
    top = here[:, None, first + rows - 1 : first + rows - 1 + columns]
    grid = np.concatenate([below, top], axis=1)
    builder.patch(grid, _sphere(builder, profile, grid, end), sense * (1.0 if end else -1.0))
    return np.concatenate([here[:, :first], below[:, 0], here[:, last + 1 : -1]], axis=1).ravel()


def _body(builder: _SurfaceBuilder, profile: Profile, gear: Gear, rings: list[IntArray], sense: float) -> None:
    """From the rings at both ends over the steps of the body to the bore or rim, and the wall between them."""
    radius = 0.5 * (default_rim(gear) if gear.internal else gear.bore)
    feet = []
    for end, ring, steps in zip((0, -1), rings, profile.steps, strict=True):
        place = builder.at(ring)
        angle = np.angle(place[:, 0] + 1j * place[:, 1])
        rows = [ring]
        for r, height in [*steps, (radius, steps[-1][1] if steps else float(place[0, 2]))]:
            if r:
                rows.append(builder.add(_circle(r, angle, height)))
                builder.line(np.append(rows[-1], rows[-1][0]))
            else:
                rows.append(np.full(len(ring), builder.add(np.array([0.0, 0.0, height]))))
        for above, foot in itertools.pairwise(rows):
            grid = np.stack([above, foot], axis=1)
            grid = np.concatenate([grid, grid[:1]])
            round_ = foot is not rows[-1]  # the back of a bevel gear continues along its sphere
            normals = _sphere(builder, profile, grid, end) if round_ else None
            builder.patch(grid, normals, sense * (1.0 if end else -1.0))
        feet.append(rows[-1])
    if not radius:
        return
    # the wall follows the teeth, with the same steps
    low, high = builder.at(feet[0]), builder.at(feet[1])
    angle = np.angle(low[:, 0] + 1j * low[:, 1])
    between = [
        builder.add(_circle(radius, angle + turn, (1.0 - t) * low[0, 2] + t * high[0, 2]))
        for t, turn in profile.wall[1:-1]
    ]
    grid = np.stack([feet[0], *between, feet[1]], axis=1)
    grid = np.concatenate([grid, grid[:1]])
    out = builder.at(grid) * np.array([-sense / radius, -sense / radius, 0.0])
    builder.patch(grid, np.stack([out[:-1], out[1:]], axis=1), -sense)


def _sphere(builder: _SurfaceBuilder, profile: Profile, grid: IntArray, end: int) -> FloatArray | None:
    """Normals of the ends of a bevel gear, for `patch`; None for flat ends."""
    if profile.apex is None:
        return None
    out = builder.at(grid) - np.array([0.0, 0.0, profile.apex])
    outer = profile.face[end] == profile.face.max()
    out *= (1.0 if outer else -1.0) / np.linalg.norm(out, axis=-1, keepdims=True)
    return np.stack([out[..., :-1, :, :], out[..., 1:, :, :]], axis=-3)


def _circle(radius: float, angle: FloatArray, height: float) -> FloatArray:
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(len(angle), height)], axis=-1)


# ---- spiral bevel surface

# Surface of a spiral bevel or hypoid gear for pictures: straight bevel teeth along a circular arc.
#
# The true flanks follow from the cutting machine, which is not modelled here. On each sphere of cone distance R the
# teeth are spherical involutes of the transverse pressure angle tan α_t = tan α_n / cos β_m , rotated about the axis
# by
#
# ϑ(R) = ϑ_0(R) / sin δ , R ϑ_0' = tan β , sin β = (R/R_m + (2 sin β_m − 1) R_m/R) / 2 ,
#
# the arc of a cutter of radius R_m on the crown wheel. Two gears with a common apex, the same R_m and opposite spiral
# angles are conjugate on every sphere, so a spiral bevel pair meshes correctly in the picture. The two cones of a
# hypoid pair have no common apex, and its teeth fit only near the pitch point.

_STEEPEST = 0.98
"""Largest sine of the spiral angle outside the middle of the face."""
_STEPS = 400


def spiral_angle(mean: float, ratio: FloatArray) -> FloatArray:
    """β [rad] at a ratio R/R_m of cone distances, for an arc with the mean spiral angle β_m [rad]."""
    sine = 0.5 * (ratio + (2.0 * math.sin(abs(mean)) - 1.0) / ratio)
    return np.asarray(math.copysign(1.0, mean) * np.arcsin(np.clip(sine, -_STEEPEST, _STEEPEST)))


def spiral_turn(mean: float, ratio: FloatArray) -> FloatArray:
    """ϑ_0 [rad] on the crown wheel at ratios R/R_m: 0 at 1, increasing with R for positive β_m."""
    low, high = min(float(ratio.min()), 1.0), max(float(ratio.max()), 1.0)
    x = np.unique(np.concatenate([np.linspace(low, high, _STEPS), [1.0]]))
    slope = np.tan(spiral_angle(mean, x)) / x
    total = np.concatenate([[0.0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * np.diff(x))])
    return np.asarray(np.interp(ratio, x, total) - np.interp(1.0, x, total))


def spiral_bevel_surface(gear: Gear, fine: SurfaceFineness) -> GearSurface:
    """Closed surface of a bevel gear with a spiral angle, for pictures."""
    straight = transverse_gear(gear)
    teeth = BevelTeeth(straight)
    R = np.array(teeth.cone_distances)
    swept = abs(float(np.diff(_turn(gear, R))[0]))
    sections = min(max(fine.curved, math.ceil(swept / fine.turn) + 1), 200)
    return closed_surface(_twisted(bevel_profile(teeth, fine, sections), gear), straight, None)


def _turn(gear: Gear, R: FloatArray) -> FloatArray:
    """ϑ [rad] about z of the gear; a right-hand tooth rotates along +z like a right-hand screw."""
    crown = spiral_turn(gear.helix_angle, np.asarray(R / gear.mean_cone_distance))
    return np.asarray(crown / math.sin(gear.cone_angle))  # the cone angle is negative if z points to the apex


def _twisted(profile: Profile, gear: Gear) -> Profile:
    """Each section rotated by ϑ(R), and the resulting normals.

    p = apex + R u  becomes  apex + R Q(ϑ) u ; its tangents are  Q u_w  and  Q (u + R ϑ' e_z × u) , its normal
    Q (n − R ϑ' (n · e_z × u) u) .
    """
    assert profile.apex is not None
    R = profile.face
    turn = _turn(gear, R)
    slope = np.tan(spiral_angle(gear.helix_angle, R / gear.mean_cone_distance)) / math.sin(gear.cone_angle)  # R ϑ'
    c, s = np.cos(turn)[:, None], np.sin(turn)[:, None]
    rows = np.concatenate([profile.points, _next_tooth(profile.points[:1], gear.teeth)])
    u = (rows - np.array([0.0, 0.0, profile.apex])) / R[:, None]
    pieces: dict[str, Piece] = {}
    for name, piece in profile.pieces.items():
        own = u[piece.start : piece.start + piece.count]
        n = piece.normals
        tilt = slope * (n[..., 1] * own[..., 0] - n[..., 0] * own[..., 1])
        n = n - tilt[..., None] * own
        n = n / np.linalg.norm(n, axis=-1, keepdims=True)
        pieces[name] = replace(piece, normals=_turned_by(n, c, s))
    height = np.linspace(0.0, 1.0, len(R))
    wall = [(float(t), float(angle - turn[0])) for t, angle in zip(height, turn, strict=True)]
    return replace(profile, points=_turned_by(profile.points, c, s), pieces=pieces, wall=wall)


def _turned_by(p: FloatArray, c: FloatArray, s: FloatArray) -> FloatArray:
    x, y, z = p[..., 0:1], p[..., 1:2], p[..., 2:3]
    return np.concatenate([c * x - s * y, s * x + c * y, z], axis=-1)


def _next_tooth(p: FloatArray, teeth: int) -> FloatArray:
    angle = 2.0 * math.pi / teeth
    return _turned_by(p, np.array([math.cos(angle)]), np.array([math.sin(angle)]))
