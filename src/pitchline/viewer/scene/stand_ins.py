"""Bodies of which nothing is known but mass and joints: carriers, links between joints, solids of equal inertia."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.triangles import Triangles
from .parts import PartList
from .poses import frame_pose, rest_pose, station_names
from .scene_size import rest_size
from .solids import box, circle, disc, sphere, together, tube_along, turned
from .surfaces import content_key, mesh_shape

__all__ = ["InertiaSolid", "add_stand_ins", "inertia_solid", "joint_places", "link_bars"]

FloatArray = NDArray[np.float64]
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
