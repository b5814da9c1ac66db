"""The scene of a model or result: all its parts, shapes of bodies without a shape, and its checks."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME
from pitchline.errors import ModelError, PitchlineError
from pitchline.parts.bearings.scene import add_bearings
from pitchline.parts.bodies.scene import add_flexible_bodies, bodies_of, joints_of
from pitchline.parts.cams.law import cam_turn
from pitchline.parts.cams.profile import CamProfile, FollowerLayout
from pitchline.parts.contact.scene import contact_lines
from pitchline.parts.flexible.scene import deformed_of
from pitchline.parts.gears.scene import add_wheels, content_key, mesh_shape, turned_shape
from pitchline.parts.gears.triangles import Triangles
from pitchline.parts.membranes.scene import membrane_edges, membrane_sheets
from pitchline.parts.meshes.scene import pairs_of
from pitchline.parts.planetary.scene import add_carriers
from pitchline.parts.shafts.scene import add_beams, add_shafts
from pitchline.parts.springs.scene import add_bushings, arrows_of, springs_of
from pitchline.solids.mass_properties import drawn_mesh

from .block import Block
from .scene_parts import (
    RING,
    SEGMENTS,
    STEEL,
    STRUCTURES,
    Info,
    PartList,
    SceneSource,
    box,
    circle,
    disc,
    extruded,
    frame_pose,
    motion_of,
    rest_pose,
    rest_size,
    sphere,
    station_names,
    together,
    tube_along,
    turned,
    turned_piece,
)

__all__ = [
    "far_away",
    "add_said_shapes",
    "InertiaSolid",
    "add_stand_ins",
    "inertia_solid",
    "joint_places",
    "link_bars",
    "add_attached_masses",
    "add_cams",
    "add_couplings",
    "cam_profile",
    "scene",
    "checked_scene",
]


# ---- far away

# Models far from the origin: pictures use single precision, which then becomes visible.

EPSILON = float(np.finfo(np.float32).eps)
VISIBLE = 2e-4  # share of the model's size by which parts may be misplaced without being seen


def far_away(source: SceneSource) -> list[str]:
    """Notes on bodies that are too far from the origin to be drawn accurately; empty otherwise."""
    size = rest_size(source.model)
    names = list(source.model["bodies"])
    if not names or size <= 0.0:
        return []
    away = max(
        (float(np.abs(np.nan_to_num(motion_of(source, name)[0])).max(initial=0.0)) for name in names), default=0.0
    )
    if away * EPSILON <= VISIBLE * size:
        return []
    return [
        f"bodies are up to {away:.3g} m from the origin: the picture places them to {away * EPSILON:.1g} m only, so teeth may "
        "seem to overlap; values and curves are not affected. Put the origin near the model to see it right"
    ]


# ---- said shapes

# Shapes that the model specifies for bodies, stations, the ground and attached masses.

_APART = ("position", "rotation", "colour", "opacity")
"""What pieces that share a shape may have each of their own."""


def add_said_shapes(parts: PartList) -> set[str]:
    """Add the pieces of every specified shape as parts of the bodies that have them; return the names of these bodies."""
    found = set()
    for body, name, said, position, rotation in _said(parts.model):
        if name == body:
            found.add(body)
        for piece in said["shape"]:
            try:
                shape = _shape(parts, piece)
                at = position + rotation @ np.asarray(piece["position"], dtype=np.float64)
                axes = rotation @ np.asarray(piece["rotation"], dtype=np.float64)
            except (ModelError, KeyError, TypeError, ValueError) as error:
                parts.note(f"a piece of its shape is not drawn: {error}", name)
                continue
            own = said if name != body else {}
            more = {key: piece.get(key, own.get(key)) for key in ("colour", "opacity") if key in piece or key in own}
            parts.add(body, shape, name=name, kind="shape", position=at, rotation=axes, **more)
    return found


def _said(model: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any], np.ndarray, np.ndarray]]:
    """The body that carries a shape, the name of what has it, its description, and its origin and axes on the body."""
    here = np.zeros(3), np.eye(3)
    bodies = dict(model["bodies"])
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            bodies |= structure["stations"]
    bodies[GROUND_NAME] = model.get(GROUND_NAME, {})
    for name, body in bodies.items():
        if "shape" in body:
            yield name, name, body, *here
    for name, element in model.get("elements", {}).items():
        if "shape" in element:
            (frame, *_) = element["frames"].values()
            yield frame["body_name"], name, element, np.asarray(frame["position"]), np.asarray(frame["rotation"])


def _shape(parts: PartList, piece: dict[str, Any]) -> str:
    sizes = {key: value for key, value in piece.items() if key not in _APART}
    key = hashlib.sha256(json.dumps(sizes, sort_keys=True).encode()).hexdigest()
    return parts.shape(f"given {key}", lambda name: _made(parts.block, name, piece))


def _made(block: Block, name: str, piece: dict[str, Any]) -> dict[str, Any]:
    kind = piece["type"]
    if kind == "box":
        return {"type": "box", "size": [float(x) for x in piece["size"]]}
    if kind == "cylinder":
        return {
            "type": "cylinder",
            "size": [float(piece["radius"]), float(piece["length"]), float(piece.get("inner", 0.0))],
        }
    if kind == "cone":
        return {"type": "cone", "size": [float(piece["radius"]), float(piece["end_radius"]), float(piece["length"])]}
    if kind == "sphere":
        return {"type": "sphere", "size": [float(piece["radius"])]}
    if kind != "mesh":
        raise ModelError(
            f'its kind "{kind}" is unknown; make the page with the version of pitchline that wrote the result'
        )
    mesh = drawn_mesh(piece)
    return {
        "type": "mesh",
        "position": block.add(f"{name}.position", mesh.position, "f4"),
        "normal": block.add(f"{name}.normal", np.round(127.0 * mesh.normal), "i1"),
        "index": block.add(f"{name}.index", mesh.index.reshape(-1), "u2" if len(mesh.position) < 65536 else "u4"),
        **({"edge": block.add(f"{name}.edge", mesh.edge, "f4")} if len(mesh.edge) else {}),
    }


_SLENDER = 3.0
"""A solid of equal inertia this much longer than wide is a bar along its joints."""
_WHOLE = ("gear", "rack", "cam", "shape", "stand-in", "beam")
"""A body with parts of these kinds needs no stand-in."""
_STEEL = 7850.0
_ALIKE = 1e-3
"""Part by which moments of inertia may differ that are taken for equal."""


@dataclass(frozen=True, eq=False)
class InertiaSolid:
    """A solid of equal inertia: "box", "cylinder" along its third axis or "sphere", of lengths (3,) [m], about a centre."""

    kind: str
    size: FloatArray
    axes: FloatArray
    centre: FloatArray

    @property
    def surface(self) -> Triangles:
        """In the axes of the body."""
        if self.kind == "sphere":
            made = sphere(0.5 * float(self.size[0]), 32, 16)
        elif self.kind == "cylinder":
            made = turned(disc(0.5 * float(self.size[0]), 0.0, -0.5 * float(self.size[2]), 0.5 * float(self.size[2])))
        else:
            made = box(self.size)
        return made.moved(self.axes, self.centre)

    @property
    def key(self) -> str:
        """Equal for equal solids."""
        return f"solid {self.kind} {self.size.tolist()} {self.axes.tolist()} {self.centre.tolist()}"

    @property
    def volume(self) -> float:
        """[m³]"""
        part = {"sphere": math.pi / 6.0, "cylinder": math.pi / 4.0}.get(self.kind, 1.0)
        return part * float(np.prod(self.size))

    def contains(self, points: FloatArray) -> NDArray[np.bool_]:
        """Whether points (n, 3) [m], in the axes of the body, lie inside."""
        p = 2.0 * ((points - self.centre) @ self.axes) / self.size
        if self.kind == "sphere":
            return np.asarray(np.linalg.norm(p, axis=1) < 1.0)
        if self.kind == "cylinder":
            return np.asarray((np.hypot(p[:, 0], p[:, 1]) < 1.0) & (np.abs(p[:, 2]) < 1.0))
        return np.asarray((np.abs(p) < 1.0).all(axis=1))


def add_stand_ins(parts: PartList, done: set[str]) -> None:
    """Every body that has no part yet; done: bodies whose shape the model specifies, even if it is empty."""
    places = joint_places(parts.model)
    others = _centres(parts.model)
    owners, centres = np.array([name for name, _ in others]), np.array([place for _, place in others]).reshape(-1, 3)
    for name, body in parts.model["bodies"].items():
        if name in done or any(part["kind"] in _WHOLE for part in parts.by_body.get(name, [])):
            continue
        x, R = rest_pose(parts.model, name)
        beside = (centres[owners != name] - x) @ R
        _add(parts, name, body, places.get(name, np.zeros((0, 3))), beside)


def _alike(body: dict[str, Any]) -> bool:
    """Whether all moments of inertia are equal."""
    moments = np.linalg.eigvalsh(np.asarray(body["inertia"], dtype=np.float64))
    return bool(moments[2] - moments[0] < _ALIKE * moments[2])


def _about_joint(solid: InertiaSolid, model: dict[str, Any], name: str) -> InertiaSolid:
    """A cylinder of the same equal moments, r = sqrt(2 I/m) and l = sqrt(6 I/m), along the axis about which a body turns."""
    axes = [
        np.asarray(frame["rotation"], dtype=np.float64)
        for joint in model.get("joints", {}).values()
        for frame in (joint["frame_a"], joint["frame_b"])
        if frame["body_name"] == name and joint["kind"] == "revolute"
    ]
    if not axes:
        return solid
    per_mass = 0.1 * float(solid.size[0]) ** 2  # I/m of a sphere
    across = 2.0 * math.sqrt(2.0 * per_mass)
    return replace(solid, kind="cylinder", size=np.array([across, across, math.sqrt(6.0 * per_mass)]), axes=axes[0])


def _centres(model: dict[str, Any]) -> list[tuple[str, FloatArray]]:
    """Bodies and the places of what they carry in the world [m]: their centres of mass, and their wheels."""
    found = [(name, rest_pose(model, name)) for name in model["bodies"]]
    said = [(name, x + R @ np.asarray(model["bodies"][name]["centre_of_mass"])) for name, (x, R) in found]
    said += [(w["frame"]["body_name"], frame_pose(model, w["frame"])[0]) for w in model.get("wheels", {}).values()]
    return said + [(name, np.asarray(station["position"])) for name, station in station_names(model).items()]


def _add(parts: PartList, name: str, body: dict[str, Any], places: FloatArray, beside: FloatArray) -> None:
    solid = inertia_solid(body)
    if solid is not None and solid.kind == "sphere":
        solid = _about_joint(solid, parts.model, name)
    note = "shape not given: drawn as a solid of equal inertia"
    inside = solid is not None and bool(solid.contains(beside).any())
    if solid is not None and inside and _alike(body):  # equal moments are mostly made up, and would hide all else
        factor = (float(body["mass"]) / (_STEEL * solid.volume)) ** (1.0 / 3.0)
        if factor < 1.0:
            solid = replace(solid, size=factor * solid.size)
            inside = bool(solid.contains(beside).any())
            note = f"shape not given: drawn as a {solid.kind} of steel of equal mass"
    reach = float(np.ptp(places, axis=0).max()) if len(places) > 1 else 0.0
    centre = np.asarray(body["centre_of_mass"], dtype=np.float64)
    bars = None
    thick = np.zeros(3) if solid is None else np.sort(solid.size)
    if reach and solid is not None and thick[2] > _SLENDER * thick[1]:
        bars, solid = link_bars(places, float(thick[1])), None
    elif reach and (solid is None or thick[2] < 0.7 * reach):
        bars = link_bars(places if solid is None else np.concatenate([places, centre[None]]), 0.0)
    elif solid is not None and len(places) == 1 and float(np.linalg.norm(places[0] - centre)) > 0.6 * thick[2]:
        bars = link_bars(np.array([places[0], centre]), 0.0)  # a pendulum, a top
    if bars is None and solid is None:
        if len(places) == 1 and float(np.linalg.norm(places[0] - centre)) > 0.0:
            bars = link_bars(np.array([places[0], centre]), 0.0)
        elif not parts.by_body.get(name):
            _add_point(parts, name, centre)
    if bars is not None:
        shape = parts.shape(f"bars {content_key(bars.points)}", lambda n: mesh_shape(parts.block, n, bars))
        said = ["shape not given: drawn as a bar between its joints"]
        parts.add(name, shape, name=name, kind="stand-in", notes=said, opacity=1.0)
    if solid is not None:
        shape = parts.shape(solid.key, lambda n: mesh_shape(parts.block, n, solid.surface))
        parts.add(name, shape, name=name, kind="stand-in", notes=[note], opacity=0.35 if inside else 1.0)


def _add_point(parts: PartList, name: str, centre: FloatArray) -> None:
    radius = 0.02 * (rest_size(parts.model) or 0.5)
    shape = parts.shape(f"point {radius}", lambda n: mesh_shape(parts.block, n, sphere(radius, 24, 12)))
    parts.add(name, shape, name=name, kind="stand-in", position=centre, notes=["no size known: drawn as a small ball"])


def joint_places(model: dict[str, Any]) -> dict[str, FloatArray]:
    """Places of joints on each body, (n, 3) [m] in its axes; those of one place once."""
    found: dict[str, list[FloatArray]] = {}
    for joint in model.get("joints", {}).values():
        for frame in (joint["frame_a"], joint["frame_b"]):
            found.setdefault(frame["body_name"], []).append(np.asarray(frame["position"], dtype=np.float64))
    for load in model.get("loads", {}).values():
        if load.get("type") == "Spring":
            for frame in (load["frame_a"], load["frame_b"]):
                found.setdefault(frame["body_name"], []).append(np.asarray(frame["position"], dtype=np.float64))
    return {name: _distinct(np.array(places)) for name, places in found.items()}


def _distinct(places: FloatArray) -> FloatArray:
    size = float(np.ptp(places, axis=0).max()) or 1.0
    kept: list[FloatArray] = []
    for place in places:
        if all(np.linalg.norm(place - other) > 1e-6 * size for other in kept):
            kept.append(place)
    return np.array(kept)


def inertia_solid(body: dict[str, Any]) -> InertiaSolid | None:
    """A solid with the mass and inertia of a body, in its axes; None where it has no size.

    A sphere where all moments are equal, a cylinder where two are, else a box; all of one density. A disc without a thickness gets
    a little.
    """
    m, J = float(body["mass"]), np.asarray(body["inertia"], dtype=np.float64)
    if m <= 0.0 or not J.any():
        return None
    moments, axes = np.linalg.eigh(J)
    if moments[2] <= 0.0:
        return None
    centre = np.asarray(body["centre_of_mass"], dtype=np.float64)
    if moments[2] - moments[0] < _ALIKE * moments[2]:
        return InertiaSolid("sphere", np.full(3, 2.0 * math.sqrt(2.5 * moments[2] / m)), np.eye(3), centre)
    for i, j, k in ((0, 1, 2), (1, 2, 0)):
        if abs(moments[i] - moments[j]) < _ALIKE * moments[2]:
            radius = math.sqrt(max(2.0 * moments[k] / m, 0.0))
            height = math.sqrt(max(12.0 * moments[i] / m - 3.0 * radius**2, 0.0))
            size = np.array([2.0 * radius, 2.0 * radius, height])
            return InertiaSolid(
                "cylinder", np.maximum(size, 0.02 * float(size.max())), _right(axes[:, [i, j, k]]), centre
            )
    size = np.sqrt(np.maximum(6.0 * (moments.sum() - 2.0 * moments) / m, 0.0))
    return InertiaSolid("box", np.maximum(size, 0.02 * float(size.max())), _right(axes), centre)


def _right(axes: FloatArray) -> FloatArray:
    """Axes (3, 3) as columns, right-handed."""
    return axes * np.array([np.sign(np.linalg.det(axes)), 1.0, 1.0])


def link_bars(places: FloatArray, thick: float) -> Triangles:
    """Round bars that join places (n, 3) [m], each to the nearest of those before it, with an eye at each place.

    thick: diameter [m]; 0: a fifteenth of the longest bar.
    """
    places = _distinct(places)
    joins = [(int(np.argmin(np.linalg.norm(places[:k] - places[k], axis=1))), k) for k in range(1, len(places))]
    lengths = [float(np.linalg.norm(places[b] - places[a])) for a, b in joins]
    radius = 0.5 * (thick or max(lengths) / 15.0)
    solids = [sphere(1.35 * radius, 20, 10).moved(np.eye(3), place) for place in places]
    for (a, b), length in zip(joins, lengths, strict=True):
        along = (places[b] - places[a]) / length
        other = np.eye(3)[int(np.argmin(np.abs(along)))]
        x = np.cross(other, along)
        x /= np.linalg.norm(x)
        axes = np.column_stack([x, np.cross(along, x), along])
        solids.append(tube_along([places[a], places[b]], [axes, axes], circle(radius, 20)))
    return together(solids)


# ---- machine elements

# Cams, couplings and attached masses on their bodies.

_POINTS = 360
_LARGEST = 0.5
"""Of the size of all other parts that an attached mass is drawn with at most."""


def _values(element: dict[str, Any]) -> dict[str, Any]:
    return {name: field["value"] for name, field in element["parameters"].items()}


# ----------------------------------------------------------------------------------------------------------------- cams


def cam_profile(said: dict[str, Any]) -> CamProfile | None:
    """The profile of a described cam; None where it is not one of this version."""
    layout = said.get("layout")
    try:
        return CamProfile(
            layout=None if layout is None else FollowerLayout(**{key: layout[key] for key in layout if key != "type"}),
            segments=tuple(tuple(segment) for segment in said.get("segments") or ()),
            **{
                key: None if said.get(key) is None else np.array(said[key], dtype=float)
                for key in ("angles", "lifts", "points")
            },
        )
    except (PitchlineError, TypeError, ValueError):
        return None


def add_cams(parts: PartList) -> None:
    """Cams as plates with their true outline, rollers as discs; a cam that stands for another one in the same place once."""
    seen = set()
    elements = [e for e in parts.model.get("elements", {}).values() if e.get("type") in ("Cam", "GroovedCam")]
    for element in sorted(elements, key=lambda each: each["type"] != "Cam"):
        values, frames = _values(element), element["frames"]
        key = json.dumps([values["profile"], frames["a"]["body_name"], frames["a"]["position"]], sort_keys=True)
        if key in seen:
            continue
        seen.add(key)
        _add_cam(parts, element, values)


def _add_cam(parts: PartList, element: dict[str, Any], values: dict[str, Any]) -> None:
    name, frames = element["name"], element["frames"]
    profile = cam_profile(values["profile"])
    poses = {side: frame_pose(parts.model, frames[side]) for side in "ab"}
    flat = values["face"] == "flat"
    try:
        if profile is None:
            raise PitchlineError("its profile is not one of this version")
        turn = cam_turn({**values, **poses, "profile": profile})
        outline = profile.outline(None if flat else values["roller_radius"], points=_POINTS)
    except (PitchlineError, TypeError, ValueError, ZeroDivisionError) as error:
        parts.note(f"cam not drawn: {str(error).partition(';')[0]}", name)
        return
    width = values["width"] or 0.3 * float(np.hypot(*outline.T).max())
    notes = [] if values["width"] else [f"width not given: drawn {1e3 * width:.3g} mm wide"]
    groove = element["type"] == "GroovedCam" and not flat
    surface = (
        _grooved(profile, values["roller_radius"], width) if groove else extruded(outline, -0.5 * width, 0.5 * width)
    )
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.asarray(frames["a"]["rotation"]) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    shape = parts.shape(f"cam {name}", lambda n: mesh_shape(parts.block, n, surface))
    info: Info = [
        ("Kind", "grooved cam" if groove else "disc cam"),
        ("Profile", str(values["profile"].get("words", ""))),
    ]
    parts.add(
        frames["a"]["body_name"], shape, name=name, kind="cam", position=frames["a"]["position"], rotation=rotation, notes=notes,
        info=info,
    )  # fmt: skip
    radius = values["roller_radius"]
    _add_guided_rod(parts, element, poses, float(np.hypot(*outline.T).max()), width)
    if flat or not radius:
        return
    _, R = rest_pose(parts.model, frames["b"]["body_name"])
    roller = parts.shape(
        f"roller {radius} {width}",
        lambda n: turned_shape(
            parts.block, n, turned_piece(disc(radius, 0.35 * radius, -0.5 * width, 0.5 * width)), SEGMENTS
        ),
    )
    parts.add(
        frames["b"]["body_name"], roller, name=name, kind="roller", position=frames["b"]["position"],
        rotation=R.T @ poses["a"][1], colour=RING, info=[("Roller diameter", f"{2e3 * radius:.4g} mm")],
    )  # fmt: skip


def _add_guided_rod(parts: PartList, element: dict[str, Any], poses: Any, size: float, width: float) -> None:
    """A rod along the guide of a follower that slides, away from the cam; nothing if the model specifies its shape."""
    body = element["frames"]["b"]["body_name"]
    if body not in parts.model["bodies"] or "shape" in parts.model["bodies"][body]:
        return
    guides = [j for j in parts.model.get("joints", {}).values() if j["kind"] == "prismatic"]
    guide = next((f for j in guides for f in (j["frame_a"], j["frame_b"]) if f["body_name"] == body), None)
    if guide is None:
        return
    x, R = rest_pose(parts.model, body)
    along = np.asarray(guide["rotation"], dtype=np.float64)[:, 2]
    away = R.T @ (poses["b"][0] - poses["a"][0])
    start = R.T @ (poses["b"][0] - x)
    along = along if along @ away >= 0.0 else -along
    radius = 0.3 * width
    surface = link_bars(np.array([start, start + 1.2 * size * along]), 2.0 * radius)
    shape = parts.shape(f"follower {element['name']}", lambda n: mesh_shape(parts.block, n, surface))
    note = "shape not given: drawn as a rod along its guide"
    parts.add(body, shape, name=body, kind="stand-in", notes=[note], opacity=1.0)


def _grooved(profile: CamProfile, roller: float, width: float) -> Triangles:
    """A disc with a groove in which the roller runs: the parts inside and outside of it, on a thin back."""
    angle = np.linspace(0.0, 2.0 * math.pi, _POINTS, endpoint=False)
    way = np.exp(1j * angle)
    r, slope = profile.pitch_curve(roller)(angle), profile.pitch_curve(roller)(angle, 1)
    out = way * (r - 1j * slope)
    out /= np.abs(out)
    inner, outer = r * way - roller * out, r * way + roller * out
    rim = (float(np.abs(outer).max()) + 0.6 * roller) * outer / np.abs(outer)
    low, high = -0.5 * width, 0.5 * width

    def plane(z: NDArray[np.complex128]) -> FloatArray:
        return np.column_stack([z.real, z.imag])

    back = extruded(plane(rim), low - 0.25 * width, low)
    return together([extruded(plane(inner), low, high), extruded(plane(rim), low, high, plane(outer)), back])


# ------------------------------------------------------------------------------------------------- couplings and masses


def add_couplings(parts: PartList) -> None:
    """A flange on each of the two bodies, with a gap between them."""
    size = rest_size(parts.model)
    for name, element in parts.model.get("elements", {}).items():
        if element.get("type") not in ("Coupling",) or set(element["frames"]) != {"a", "b"}:
            continue
        frames = element["frames"]
        radius = _coupling_radius(parts, frames) or 0.05 * size
        (xa, Ra), (xb, _) = (frame_pose(parts.model, frames[side]) for side in "ab")
        gap = float((xb - xa) @ Ra[:, 2])
        words = (
            str(_values(element).get("design", {}).get("words", ""))
            if isinstance(_values(element).get("design"), dict)
            else ""
        )
        for side, sign in (("a", -1.0), ("b", 1.0)):
            low, high = sorted(
                (sign * 0.08 * radius - (0.5 * gap if side == "b" else -0.5 * gap), sign * 0.55 * radius)
            )
            outline = disc(radius, 0.0, low, high)
            shape = parts.shape(
                f"coupling {radius} {low} {high}",
                lambda n, o=outline: turned_shape(parts.block, n, turned_piece(o), SEGMENTS),  # type: ignore[misc]
            )
            parts.add(
                frames[side]["body_name"], shape, name=name, kind="coupling", position=frames[side]["position"],
                rotation=frames[side]["rotation"], colour=STEEL,
                info=[("Kind", "coupling"), *([("Design", words)] if words else [])],
                notes=["shape not given: drawn as two flanges"] if side == "a" else (),
            )  # fmt: skip


def _coupling_radius(parts: PartList, frames: dict[str, Any]) -> float:
    """From the shafts that it joins: as wide as twice the thinner one [m]; 0 where there is none."""
    found = []
    for frame in frames.values():
        for shaft in parts.model.get("shafts", {}).values():
            if frame["body_name"] in shaft["stations"]:
                found.append(min(min(s["outer"], s["outer_end"]) for s in shaft["sections"]))
    return min(found, default=0.0)


def add_attached_masses(parts: PartList) -> None:
    """Solids of equal inertia, on their bodies."""
    limit = _LARGEST * rest_size(parts.model)
    for name, element in parts.model.get("elements", {}).items():
        if element.get("type") != "AttachedMass" or "shape" in element:
            continue
        values, frame = _values(element), element["frames"]["on"]
        (xx, yy, zz), (xy, xz, yz) = values["moments"], values["products"]
        body = {"mass": values["mass"], "inertia": [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]}
        solid = inertia_solid({**body, "centre_of_mass": values["centre_of_mass"]})
        if solid is None:
            continue
        notes = ["drawn as a solid of equal inertia"]
        factor = float(solid.size.max()) / limit if limit else 1.0
        if factor > 1.0:
            solid = replace(solid, size=solid.size / factor)
            notes = [f"drawn as a solid of equal inertia, {factor:.3g} times smaller than it is"]
        surface = solid.surface
        shape = parts.shape(f"mass {name}", lambda n, s=surface: mesh_shape(parts.block, n, s))  # type: ignore[misc]
        parts.add(
            frame["body_name"], shape, name=name, kind="mass", position=frame["position"], rotation=frame["rotation"],
            notes=notes, opacity=0.5, colour=STEEL, info=[("Mass", f"{values['mass']:.5g} kg")],
        )  # fmt: skip


# ---- compose

# The scene as one head: bodies with their parts, joints, springs, gear pairs, arrows.


def scene(source: SceneSource, block: Block, *, magnify_corrections: float = 1.0) -> dict[str, Any]:
    """What a page draws of a source; arrays go into the block.

    magnify_corrections: factor of the modifications of flanks, which are micrometres, in the picture.
    """
    parts = PartList(source.model, block)
    time = block.add("time", source.time, "f8")
    said = add_said_shapes(parts)
    add_wheels(parts, magnify_corrections=magnify_corrections)
    add_shafts(parts)
    add_beams(parts)
    add_flexible_bodies(parts, source)
    add_cams(parts)
    add_carriers(parts, said)
    add_stand_ins(parts, said)
    add_bearings(parts)
    add_bushings(parts)
    add_couplings(parts)
    add_attached_masses(parts)
    bodies = bodies_of(source, block, parts)
    deformed = deformed_of(source, block, parts)
    return {
        "time": time, "gravity": list(source.model.get("gravity") or (0.0, 0.0, 0.0)),
        "shapes": parts.shapes, "bodies": bodies, "joints": joints_of(source, parts),
        "springs": [*springs_of(source.model), *membrane_edges(source.model)],
        "sheets": membrane_sheets(source.model), "pairs": pairs_of(source, block), "arrows": arrows_of(source, block),
        "contact": {"lines": contact_lines(source, block), "tables": []}, "deformed": deformed,
        "notes": [*far_away(source), *parts.notes, *deformed["notes"]],
    }  # fmt: skip


# ---- checked

# Scene of a description that may come from an unknown file. Errors are reported in plain text.


def checked_scene(
    source: SceneSource, block: Block, called: str, *, magnify_corrections: float = 1.0
) -> dict[str, Any]:
    """Make the scene. A result without a description has no bodies. Data that is not a description is an error."""
    if not source.model:
        nothing = scene(replace(source, model={"bodies": {}}), block)
        return nothing | {"notes": ["The result does not describe its model: there are signals only."]}
    try:
        return scene(source, block, magnify_corrections=magnify_corrections)
    except PitchlineError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise PitchlineError(
            f'the model that "{called}" describes cannot be drawn ({reason:.200}); its file was written by another version of '
            "pitchline, or by another program: run the model again"
        ) from error
