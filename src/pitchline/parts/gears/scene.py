"""Gears and racks as the page draws them: true tooth surfaces of one pitch, and their motion."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, NDArray

from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME
from pitchline.errors import PitchlineError
from pitchline.solids.rotations import quaternion_of
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import SEGMENTS, Info, PartList, SceneSource, disc, layer_shifts, rest_pose, turned

from .geometry.gear import Gear
from .geometry.inputs import Shaper, modification_words
from .geometry.rack import Rack
from .modifications.deviations import Deviation, FlankModifications, FlankRange, Modification
from .part import gear_of
from .solid_surface import GearSurface, closed_surface, rack_surface, spiral_bevel_surface, surface_of_teeth, teeth_of
from .triangles import Piece, Profile, SurfaceFineness, Triangles

__all__ = [
    "rotation_in_mesh",
    "rotated_by",
    "plain_teeth_surface",
    "content_key",
    "mesh_shape",
    "one_of",
    "turned_shape",
    "GearShape",
    "GearShapes",
    "fineness",
    "magnified",
    "drawn_once",
    "tooth_turns",
    "add_wheels",
    "gear_info",
]


# ---- mesh rotation

# The rotation of a wheel against the line of centres, from how two bodies moved: where its signal was not kept.


def rotated_by(q: FloatArray, v: FloatArray) -> FloatArray:
    """Vectors turned by quaternions w, x, y, z: v + 2 w (u × v) + 2 u × (u × v); rows, or one of either."""
    u, w = q[..., 1:], q[..., :1]
    side = 2.0 * np.cross(u, v)
    return np.asarray(v + w * side + np.cross(u, side))


def rotation_in_mesh(
    source: SceneSource, pair: dict[str, Any], frames: tuple[dict[str, Any], dict[str, Any]]
) -> FloatArray | None:
    """ψ_A [rad], counting turns, right-handed about the axis of A as the pair counts it; None where poses are not known.

    Seen from wheel A the line of centres turns by −ψ. Its angle there is exact at every sample but for whole turns; those
    follow from the rates, so that more than half a turn between samples is counted right. A rack has no centre: the line is
    its x axis, which points to the pinion.
    """
    rack = "rack" in pair.get("kind", "")
    start = [_pose_as_built(source, frame) for frame in frames]
    moved = [_pose(source, frame) for frame in frames]
    if moved[0] is None or moved[1] is None:
        return None
    sign = -1.0 if source.model["wheels"][pair["wheel_a"]]["gear"].get("internal") else 1.0
    first = sign * _angle(start[0], start[1], rack)[0]
    psi = sign * _angle(moved[0], moved[1], rack) - first + float(pair.get("psi_a") or 0.0)
    rate = None if rack else _rate(source, frames, moved[0], moved[1])
    step = np.diff(source.time) if len(psi) == len(source.time) else np.zeros(len(psi) - 1)
    expected = np.zeros(len(step)) if rate is None else sign * 0.5 * step * (rate[1:] + rate[:-1])
    change = np.diff(psi)
    whole = 2.0 * math.pi * np.round((expected - change) / (2.0 * math.pi))
    return np.asarray(psi + np.concatenate([[0.0], np.cumsum(whole)]))


def _pose_as_built(source: SceneSource, frame: dict[str, Any]) -> tuple[FloatArray, FloatArray, FloatArray]:
    x, R = rest_pose(source.model, frame["body_name"])
    return _placed(x[None], quaternion_of(R)[None], frame)


def _pose(source: SceneSource, frame: dict[str, Any]) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Centre, x axis and z axis of a frame over the samples; bodies at rest have one row."""
    name = frame["body_name"]
    if name == GROUND_NAME or not source.signals:
        return _pose_as_built(source, frame)
    place, turn = source.signal(f"{name}.position"), source.signal(f"{name}.orientation")
    return None if place is None or turn is None else _placed(place, turn, frame)


def _placed(place: FloatArray, turn: FloatArray, frame: dict[str, Any]) -> tuple[FloatArray, FloatArray, FloatArray]:
    R = np.array(frame["rotation"], dtype=np.float64)
    centre = place + rotated_by(turn, np.array(frame["position"], dtype=np.float64))
    return centre, rotated_by(turn, R[:, 0]), rotated_by(turn, R[:, 2])


def _angle(
    a: tuple[FloatArray, FloatArray, FloatArray], b: tuple[FloatArray, FloatArray, FloatArray], rack: bool
) -> FloatArray:
    """Minus the angle of the line of centres in the frame of A."""
    line = -b[1] if rack else b[0] - a[0]
    y = np.cross(a[2], a[1])
    return np.atleast_1d(-np.arctan2((line * y).sum(axis=-1), (line * a[1]).sum(axis=-1)))


def _rate(
    source: SceneSource,
    frames: tuple[dict[str, Any], dict[str, Any]],
    a: tuple[FloatArray, FloatArray, FloatArray],
    b: tuple[FloatArray, FloatArray, FloatArray],
) -> FloatArray | None:
    """dψ/dt: the spin of A less that of the line of centres, about the axis of A."""
    speeds = []
    for frame in frames:
        name = frame["body_name"]
        if name == GROUND_NAME:
            speeds.append((np.zeros(3), np.zeros(3)))
            continue
        v, w, place = (source.signal(f"{name}.{key}") for key in ("velocity", "angular_velocity", "position"))
        if v is None or w is None or place is None:
            return None
        centre = a[0] if frame is frames[0] else b[0]
        speeds.append((v + np.cross(w, centre - place), w))
    line, axis = b[0] - a[0], a[2]
    across = line - (line * axis).sum(axis=-1, keepdims=True) * axis
    of_line = (axis * np.cross(across, speeds[1][0] - speeds[0][0])).sum(axis=-1) / np.maximum(
        (across**2).sum(axis=-1), 1e-300
    )
    return np.asarray((axis * speeds[0][1]).sum(axis=-1) - of_line)


# ---- plain teeth

# Teeth as trapezoids, for gears of which no exact surface can be made: right in number, height, thickness and helix.

_THIN = 0.08
"""A tip or a root space has at least this part of the pitch."""


def plain_teeth_surface(gear: Gear, turn: float) -> GearSurface:
    """The closed surface of a cylindrical gear with straight flanks. turn: between two sections, at most [rad]."""
    width = gear.required_face_width("the surface of a gear")
    z, sense = gear.teeth, gear.sense
    twist = 2.0 * math.tan(gear.helix_angle) / gear.reference_diameter
    count = min(max(2, math.ceil(abs(twist) * width / turn) + 1), 200)
    heights = np.linspace(-0.5 * width, 0.5 * width, count)
    r, r_a, r_f = 0.5 * gear.reference_diameter, 0.5 * gear.tip_diameter, 0.5 * gear.root_diameter
    pitch = 2.0 * math.pi / z
    half = gear.transverse_tooth_thickness / gear.reference_diameter
    slope = math.tan(gear.transverse_pressure_angle)

    def half_angle(radius: float) -> float:
        return float(np.clip(half - sense * (radius - r) * slope / r, 0.5 * _THIN * pitch, 0.5 * (1.0 - _THIN) * pitch))

    foot, tip = half_angle(r_f), half_angle(r_a)
    middle = 0.5 * (r_f + r_a)
    corners = [(r_f, 0.5 * pitch), (r_f, foot), (middle, 0.5 * (foot + tip)), (r_a, tip)]  # from the space to the tip
    names = ("root", "fillet", "involute")
    rows: list[tuple[float, float]] = [(radius, -angle) for radius, angle in corners]
    rows += [(radius, angle) for radius, angle in reversed(corners)]
    points = _points(rows, heights, twist)
    order = [f"right {name}" for name in names] + ["tip"] + [f"left {name}" for name in reversed(names)]
    pieces = {name: Piece(k, 2, _normals(points[k : k + 2], heights, twist, sense)) for k, name in enumerate(order)}
    wall = [(float(t), float(twist * width * t)) for t in np.linspace(0.0, 1.0, count)]
    for name in ("right involute", "left involute"):
        pieces[name] = Piece(pieces[name].start, 2, pieces[name].normals, np.zeros((2, count)))
    return closed_surface(Profile(points[:-1], pieces, heights, ([], []), wall), gear, None)


def _points(rows: list[tuple[float, float]], heights: NDArray[np.float64], twist: float) -> NDArray[np.float64]:
    radius, angle = (np.array(column)[:, None] for column in zip(*rows, strict=True))
    turned = angle + twist * heights
    return np.stack([radius * np.cos(turned), radius * np.sin(turned), np.broadcast_to(heights, turned.shape)], axis=-1)


def _normals(
    ends: NDArray[np.float64], heights: NDArray[np.float64], twist: float, sense: float
) -> NDArray[np.float64]:
    """Of a piece between two rows of points (2, s, 3): across the row and along the helix, out of the material."""
    up = np.stack([-twist * ends[..., 1], twist * ends[..., 0], np.ones(ends.shape[:-1])], axis=-1)
    across = np.broadcast_to(ends[1] - ends[0], ends.shape)
    n = np.cross(across, up) * sense
    return np.asarray(n / np.linalg.norm(n, axis=-1, keepdims=True))


# ---- surfaces

# Surfaces of triangles as shapes of a block: whole, or one piece that is repeated about the z axis.
#
# `reach` of a shape is the distance [m] of its farthest point from its origin.

_BORDER = 0.12345
"""Where one of several equal pieces begins, in pieces: a place where no triangle of the surfaces here has its centre."""


def content_key(*arrays: ArrayLike) -> str:
    """Equal for equal arrays."""
    digest = hashlib.sha256()
    for array in arrays:
        data = np.ascontiguousarray(array)
        digest.update(repr((data.shape, str(data.dtype))).encode() + data.tobytes())
    return digest.hexdigest()


def mesh_shape(block: Block, name: str, surface: Triangles) -> dict[str, Any]:
    """A surface as it is; one without normals is shaded flat."""
    return {"type": "mesh", **_arrays(block, name, surface)}


def turned_shape(block: Block, name: str, surface: Triangles, count: int) -> dict[str, Any]:
    """One piece of a surface, which a page draws `count` times about z."""
    return {"type": "turned", "count": count, **_arrays(block, name, surface)}


def one_of(surface: Triangles, count: int) -> Triangles | None:
    """One of `count` equal pieces about z; None where the triangles or edges are not such pieces.

    A triangle belongs to the piece in which its centre lies, so that each set of equal ones is cut into one each. Triangles with
    their centre on the axis cannot be distinguished.
    """
    piece = 2.0 * math.pi / count

    def first(centres: FloatArray) -> NDArray[np.int64]:
        angle = np.arctan2(centres[:, 1], centres[:, 0]) - _BORDER * piece
        return np.flatnonzero(np.floor((angle % (2.0 * math.pi)) / piece) == 0)

    triangles = first(surface.points[surface.triangles].mean(axis=1))
    edges = surface.edges if surface.edges is not None else np.zeros((0, 2), np.int64)
    lines = first(surface.points[edges].mean(axis=1))
    if len(triangles) * count != len(surface.triangles) or len(lines) * count != len(edges):
        return None
    normals = None if surface.normals is None else surface.normals[triangles]
    return Triangles(surface.points, surface.triangles[triangles], normals, edges[lines])


def _arrays(block: Block, name: str, surface: Triangles) -> dict[str, Any]:
    normals = surface.normals
    if normals is None:
        normals = np.repeat(surface.face_normals[:, None], 3, axis=1)
    P, N, index = _welded(surface.points[surface.triangles].reshape(-1, 3), normals.reshape(-1, 3))
    said: dict[str, Any] = {
        "reach": float(np.sqrt((P**2).sum(axis=1).max())),
        "position": block.add(f"{name}.position", P, "f4"),
        "normal": block.add(f"{name}.normal", N, "i1"),
        "index": block.add(f"{name}.index", index, "u2" if len(P) < 65536 else "u4"),
    }
    if surface.edges is not None and len(surface.edges):
        said["edge"] = block.add(f"{name}.edge", surface.points[surface.edges], "f4")
    return said


def _welded(points: FloatArray, normals: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
    """Corners with the same place and normal, as they are stored, as one vertex; in the order of their first use."""
    key = np.empty((len(points), 4), np.float32)
    key[:, :3] = points
    shade = np.round(127.0 * normals).astype(np.int8)
    key[:, 3] = shade.astype(np.int32) @ np.array([65536, 256, 1])
    raw = np.ascontiguousarray(key + np.float32(0.0)).view([("", np.void, 16)]).ravel()  # + 0: −0 is 0
    _, where, index = np.unique(raw, return_index=True, return_inverse=True)
    order = np.argsort(where, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    where = where[order]
    return points[where], shade[where].astype(np.float64), rank[index.ravel()]


_MOST_SECTIONS = 300
SPIRAL = "spherical involutes along an arc with the mean spiral angle: the flanks that the machine cuts are not part of the model"


def fineness(teeth: int) -> SurfaceFineness:
    """Of gears with so many teeth in all: coarser where there are many, which are small in the picture."""
    points = 8 if teeth <= 120 else 6 if teeth <= 700 else 4 if teeth <= 2000 else 3
    return SurfaceFineness(
        points=points,
        half_root=2,
        tip=2,
        arc=math.radians(10.0),
        turn=math.radians(5.0 if teeth <= 700 else 8.0),
        curved=7,
    )


@dataclass(frozen=True)
class GearShape:
    """name: of the shape. gear: as it is drawn; None where the description makes none. notes: what was assumed.

    modifications: of the flanks, as text.
    """

    name: str
    gear: Gear | Rack | None
    notes: tuple[str, ...] = ()
    modifications: str = ""


@dataclass(frozen=True)
class _Magnified(Modification):
    """A modification times a factor."""

    of: Modification
    factor: float

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        return Deviation(*(self.factor * term for term in self.of.deviation(flank, length, face)))


class GearShapes:
    """The gears of a scene; equal ones share a shape."""

    def __init__(
        self, model: dict[str, Any], block: Block, shapes: dict[str, Any], *, magnify_corrections: float = 1.0
    ) -> None:
        self._block, self._shapes, self._magnify = block, shapes, magnify_corrections
        wheels = model.get("wheels", {})
        teeth = sum(int(wheel["gear"].get("teeth", 0)) for wheel in wheels.values() if wheel.get("gear"))
        self._fine = fineness(teeth)
        self._widths = _widths_of_mates(model)
        self._known: dict[str, GearShape] = {}

    def of_wheel(self, wheel: dict[str, Any]) -> GearShape | None:
        """The shape of a wheel; None where it has no gear."""
        said = wheel.get("gear")
        if said is None:
            return None
        width = None if said.get("face_width") else self._widths.get(wheel["name"])
        key = json.dumps([said, width], sort_keys=True)
        if key not in self._known:
            self._known[key] = self._made(f"gear {len(self._known) + 1}", said, width)
        return self._known[key]

    def _made(self, name: str, said: dict[str, Any], width: float | None) -> GearShape:
        gear = gear_of(said)
        if gear is None:
            return GearShape("", None, ("the description of its gear is not one of this version: not drawn",))
        notes = []
        if gear.face_width is None:
            gear = _with_width(gear, width)
            notes.append(f"face width not given: drawn {1e3 * (gear.face_width or 0.0):.4g} mm wide")
        if isinstance(gear, Gear) and gear.internal and gear.rim_diameter is None:
            notes.append("rim diameter not given: rim drawn three modules thick")
        if isinstance(gear, Rack):
            if gear.depth is None:
                notes.append("depth not given: bar drawn two modules thick")
            elif gear.depth < 1.05 * gear.dedendum:
                notes.append("its depth is less than that of its teeth: bar drawn below them")
            self._shapes[name] = mesh_shape(
                self._block, name, rack_surface(gear, profile_points=max(self._fine.points // 2, 2))
            )
            return GearShape(name, gear, tuple(notes))
        words = modification_words(gear.modifications)
        if gear.modifications and self._magnify != 1.0:
            gear = magnified(gear, self._magnify)
            notes.append(f"modifications of the flanks drawn {self._magnify:g} times as large")
        surface, count, more = _surface(gear, self._fine)
        self._shapes[name] = _shape(self._block, name, surface, count, whole=bool(gear.modifications.per_tooth))
        return GearShape(name, gear, (*notes, *more), words)


def magnified(gear: Gear, factor: float) -> Gear:
    """The gear with all modifications of its flanks times a factor."""
    given = gear.modifications
    sides = {side: [_Magnified(part, factor) for part in getattr(given, side)] for side in ("both", "left", "right")}
    single = {key: [_Magnified(part, factor) for part in parts] for key, parts in given.per_tooth}
    return gear.with_(modifications=FlankModifications(**sides, per_tooth=single))  # type: ignore[arg-type]


def _with_width(gear: Gear | Rack, width: float | None) -> Gear | Rack:
    """A face width for the eye: that of the mate, or eight modules; at most 0.3 of the cone distance."""
    chosen = 8.0 * gear.normal_module if width is None else width
    if isinstance(gear, Rack):
        return Rack(**{field.name: getattr(gear, field.name) for field in fields(gear)} | {"face_width": chosen})
    if gear.cone_angle:
        chosen = min(chosen, 0.3 * gear.mean_cone_distance)
    return gear.with_(face_width=chosen)


def _widths_of_mates(model: dict[str, Any]) -> dict[str, float]:
    wheels = model.get("wheels", {})
    found: dict[str, float] = {}
    for pair in model.get("gear_pairs", {}).values():
        a, b = pair.get("wheel_a"), pair.get("wheel_b")
        for own, other in ((a, b), (b, a)):
            width = (wheels.get(other, {}).get("gear") or {}).get("face_width")
            if own in wheels and width:
                found.setdefault(own, float(width))
    return found


def _shape(block: Block, name: str, surface: Triangles, count: int, *, whole: bool) -> dict[str, Any]:
    """One pitch of `count` equal ones; the whole where single teeth differ."""
    piece = None if whole else one_of(surface, count)
    return mesh_shape(block, name, surface) if piece is None else turned_shape(block, name, piece, count)


def _surface(gear: Gear, fine: SurfaceFineness) -> tuple[Triangles, int, tuple[str, ...]]:
    """The surface, the number of its equal pieces about its axis, and a note on it, by the first method that works."""
    reason = ""
    for make, note in _ways(gear, fine):
        try:
            return make(), gear.teeth, (note.format(reason=reason),) if note else ()
        except PitchlineError as error:
            reason = reason or str(error).partition(";")[0]
    width = gear.face_width or 0.0
    blank = turned(disc(0.5 * gear.reference_diameter, 0.5 * gear.bore, -0.5 * width, 0.5 * width))
    return blank, SEGMENTS, (f"drawn as a disc without teeth: {reason}",)


def _ways(gear: Gear, fine: SurfaceFineness) -> Iterator[tuple[Callable[[], Triangles], str]]:
    """How the surface of a gear may be made, the truest first, and the note that goes with it."""
    if gear.cone_angle:
        near = abs(gear.cone_angle) > math.radians(88.9)
        cone = gear.with_(cone_angle=math.copysign(math.radians(88.9), gear.cone_angle)) if near else gear
        said = ["crown wheel drawn with a cone angle of 88.9 deg"] if near else []
        said += [SPIRAL] if gear.helix_angle else []

        def bevel(shorter: float) -> Callable[[], Triangles]:
            def make() -> Triangles:
                made = cone.with_(tip_alteration=cone.tip_alteration - shorter) if shorter else cone
                return spiral_bevel_surface(made, fine) if made.helix_angle else surface_of_teeth(teeth_of(made), fine)

            return make

        yield bevel(0.0), "; ".join(said)
        for shorter in (0.1, 0.2, 0.4, 0.6, 0.8):
            less = f"{1e3 * shorter * gear.normal_module:.3g} mm"
            yield bevel(shorter), "; ".join([*said, f"tips drawn shorter by {less}: {{reason}}"])
        return
    turn = fine.turn if abs(gear.helix_angle) < math.radians(60.0) else max(fine.turn, math.radians(8.0))
    wound = 2.0 * abs(math.tan(gear.helix_angle)) / gear.reference_diameter * (gear.face_width or 0.0)
    turn = max(turn, wound / _MOST_SECTIONS)  # of long worms
    fine = SurfaceFineness(fine.points, fine.half_root, fine.tip, fine.arc, turn, fine.curved)
    yield lambda: surface_of_teeth(teeth_of(gear), fine), ""
    if gear.internal:
        for teeth in (round(0.6 * gear.teeth), round(0.75 * gear.teeth), gear.teeth - 8):
            if teeth >= 3:
                cut = gear.with_(tool=Shaper(teeth=teeth, tip_rounding=0.0))
                yield lambda cut=cut: surface_of_teeth(teeth_of(cut), fine), "roots drawn sharp: {reason}"  # type: ignore[misc]
    yield lambda: plain_teeth_surface(gear, fine.turn), "teeth drawn as trapezoids: {reason}"


# ---- tooth phase

# Phase of the teeth of each gear: if the model leaves it open, the teeth are turned so that all pairs mesh.
#
# Two gears need not be in phase: the pair then turns the teeth of its second wheel, and keeps in its description the
# triad X0 whose second axis goes through a space of that wheel. With α, in pitches, the turn of a wheel's teeth about
# its own z, a pair meshes where
#
# s_A α_A + s_B α_B = s_B α_0 (modulo 1) ,
#
# α_0 being the turn that the pair found for B with A at its place, and s the signs of the axes. Of a rack α is a
# shift along its y. Gears are taken pair by pair from the first. If a closed chain of pairs does not fit, a note
# reports it.

_CLOSE = 1e-6


def tooth_turns(model: dict[str, Any]) -> tuple[dict[str, float], list[str]]:
    """Turns [rad] of the teeth of wheels about their z, by name, where they are not zero, of racks their shifts along y [m]; and
    notes on pairs that do not fit."""
    wheels = model.get("wheels", {})
    once = drawn_once(model)
    links: dict[str, list[tuple[str, float, float, float, str]]] = {}
    for name, pair in model.get("gear_pairs", {}).items():
        a, b = pair.get("wheel_a"), pair.get("wheel_b")
        if not all(name in wheels and wheels[name].get("gear") for name in (a, b)):
            continue
        open_turn, s_a, s_b = _open_turn(pair, wheels[a]["gear"], wheels[b]["gear"])
        a, b = once[a], once[b]
        links.setdefault(a, []).append((b, s_a, s_b, open_turn, name))
        links.setdefault(b, []).append((a, s_a, s_b, open_turn, name))
    turns: dict[str, float] = {}
    notes: list[str] = []
    for first in links:
        if first in turns:
            continue
        turns[first] = 0.0
        waiting = [first]
        while waiting:
            here = waiting.pop(0)
            for other, s_a, s_b, open_turn, name in links[here]:
                forward = once[model["gear_pairs"][name]["wheel_a"]] == here
                own, its = (s_a, s_b) if forward else (s_b, s_a)
                wanted = _rounded(its * (s_b * open_turn - own * turns[here]))
                if other not in turns:
                    turns[other] = wanted
                    waiting.append(other)
                elif abs(_rounded(turns[other] - wanted)) > 1e-3:
                    note = (
                        f"{name}: its gears cannot mesh together with the other pairs: the teeth overlap in the picture"
                    )
                    if note not in notes:
                        notes.append(note)
    said = {}
    for name in wheels:
        turn = turns.get(once[name], 0.0)
        if abs(turn) > _CLOSE:
            said[name] = turn * _pitch(wheels[name]["gear"])
    return said, notes


def drawn_once(model: dict[str, Any]) -> dict[str, str]:
    """For each wheel the one that stands for it: the first of equal gears at the same place on the same body."""
    first: dict[str, str] = {}
    found = {}
    for name, wheel in model.get("wheels", {}).items():
        frame = wheel["frame"]
        place = np.round(np.concatenate([frame["position"], np.ravel(frame["rotation"])]), 9) + 0.0
        key = json.dumps([wheel.get("gear"), frame["body_name"], place.tolist()], sort_keys=True)
        found[name] = first.setdefault(key, name)
    return found


def _pitch(gear: dict[str, Any]) -> float:
    """Of a gear [rad], of a rack [m]."""
    if gear["type"] == "Rack":
        return float(math.pi * gear["normal_module"] / math.cos(gear["helix_angle"]))
    return 2.0 * math.pi / float(gear["teeth"])


def _open_turn(pair: dict[str, Any], a: dict[str, Any], b: dict[str, Any]) -> tuple[float, float, float]:
    """Turn of B's teeth about its z, or shift along its y, in pitches, and the signs of both axes.

    The point and the triad that the pair keeps name a space at the height ζ, where the teeth are turned by their helix.
    """
    triad, (_, y, zeta) = np.asarray(pair["triad_b"], dtype=np.float64), pair["point_b"]
    s_b = float(np.sign(triad[2, 0])) or 1.0
    helix = math.tan(b["helix_angle"])
    if b["type"] == "Rack":
        space = y - zeta * helix
    else:
        diameter = b["teeth"] * b["normal_module"] / math.cos(b["helix_angle"])
        space = math.atan2(triad[1, 1], triad[0, 1]) - (0.0 if b["cone_angle"] else 2.0 * helix / diameter * zeta)
    tilt = a.get("profile_shift_angle", 0.0) + b.get("profile_shift_angle", 0.0)
    turned_round = a.get("internal") or a.get("cone_angle", 0.0) < 0.0 or tilt < 0.0
    return _rounded(space / _pitch(b) - 0.5), -1.0 if turned_round else 1.0, s_b


def _rounded(turn: float) -> float:
    """The same turn from −1/2 to 1/2 pitches."""
    return turn - math.floor(turn + 0.5 - 1e-9)


# ---- gear parts

# Wheels and racks on their bodies.


def add_wheels(parts: PartList, *, magnify_corrections: float = 1.0) -> None:
    """Every wheel of the model; equal gears share a shape, and gears at the same place are drawn once."""
    model = parts.model
    gears = GearShapes(model, parts.block, parts.shapes, magnify_corrections=magnify_corrections)
    turns, notes = tooth_turns(model)
    for note in notes:
        parts.note(note)
    once = drawn_once(model)
    drawn = {name: gears.of_wheel(wheel) for name, wheel in model.get("wheels", {}).items() if once[name] == name}
    layers = layer_shifts(
        model, {name: shape.gear.face_width or 0.0 for name, shape in drawn.items() if shape and shape.gear}
    )
    if layers:
        parts.note("planar model: wheels of one body at the same place are drawn side by side")
    for name, shape in drawn.items():
        wheel = model["wheels"][name]
        if shape is None:
            continue
        if shape.gear is None:
            for note in shape.notes:
                parts.note(note, name)
            continue
        same = [other for other, first in once.items() if first == name and other != name]
        frame = wheel["frame"]
        rotation = np.asarray(frame["rotation"], dtype=np.float64)
        position = np.asarray(frame["position"], dtype=np.float64) + layers.get(name, 0.0)
        if name in turns and isinstance(shape.gear, Rack):
            position = position + turns[name] * rotation[:, 1]
        elif name in turns:
            rotation = rotation @ _about_z(turns[name])
        parts.add(
            frame["body_name"],
            shape.name,
            name=name,
            kind="rack" if isinstance(shape.gear, Rack) else "gear",
            position=position,
            rotation=rotation,
            notes=shape.notes,
            colour=wheel.get("colour"),
            info=gear_info(shape.gear, wheel["gear"], shape.modifications),
            also=same or None,
        )


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _mm(length: float) -> str:
    return f"{1e3 * length:.5g} mm"


def _deg(angle: float) -> str:
    return f"{math.degrees(angle):.5g}°"


def gear_info(gear: Gear | Rack, said: dict[str, Any], modifications: str = "") -> Info:
    """Numbers of the drawing of a gear for a panel. An assumed face width is left out."""
    rows: Info = [("Kind", _kind(gear)), ("Teeth", str(gear.teeth)), ("Normal module", _mm(gear.normal_module))]
    rows.append(("Pressure angle", _deg(gear.normal_pressure_angle)))
    if gear.helix_angle:
        hand = "right" if gear.helix_angle > 0.0 else "left"
        label = "Spiral angle" if isinstance(gear, Gear) and gear.cone_angle else "Helix angle"
        rows.append((label, f"{_deg(abs(gear.helix_angle))} {hand}-hand"))
    if isinstance(gear, Gear):
        if gear.cone_angle:
            rows.append(("Cone angle", _deg(abs(gear.cone_angle))))
        if gear.profile_shift_angle:
            rows.append(("Profile shift angle", _deg(gear.profile_shift_angle)))
        if gear.profile_shift:
            rows.append(("Profile shift", f"{gear.profile_shift:.4g}"))
        rows.append(("Reference diameter", _mm(gear.reference_diameter)))
        if not gear.cone_angle:
            rows += [("Tip diameter", _mm(gear.tip_diameter)), ("Root diameter", _mm(gear.root_diameter))]
        if gear.bore:
            rows.append(("Bore", _mm(gear.bore)))
        if modifications:
            rows.append(("Modifications", modifications))
    else:
        rows.append(("Length", _mm(gear.length)))
    if said.get("face_width"):
        rows.insert(3, ("Face width", _mm(said["face_width"])))
    material = said.get("material") or {}
    if material.get("name"):
        rows.append(("Material", str(material["name"])))
    return rows


def _kind(gear: Gear | Rack) -> str:
    helical = "helical" if gear.helix_angle else "spur"
    if isinstance(gear, Rack):
        return "helical rack" if gear.helix_angle else "rack"
    if gear.cone_angle:
        return "spiral bevel gear" if gear.helix_angle else "straight bevel gear"
    if gear.worm:
        return "worm"
    if gear.profile_shift_angle:
        return "conical involute gear (beveloid)"
    return f"internal {helical} gear" if gear.internal else f"{helical} gear"
