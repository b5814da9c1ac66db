"""Flexible bodies: their surface if it is available, else their interfaces joined by bars."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import PitchlineError
from ...files.triangles import Triangles
from ...solids.triangle_mesh import TriangleMesh
from .colours import HOUSING
from .parts import Info, PartList
from .poses import rest_pose
from .shafts import middle_station
from .solids import circle, sphere, together, tube_along
from .source import SceneSource
from .surfaces import content_key, mesh_shape

__all__ = ["add_flexible_bodies", "surface_of_shape"]

FloatArray = NDArray[np.float64]
_CREASE = 0.5
"""Edges that turn by more than this are drawn [rad]."""


def add_flexible_bodies(parts: PartList, source: SceneSource) -> None:
    """Every flexible body, see-through where there are others, on a body of its own name; it moves with its quietest station."""
    model = parts.model
    inside = bool(model["bodies"] or model.get("shafts") or model.get("beams"))  # what an opaque housing would hide
    for name, said in model.get("flexible_bodies", {}).items():
        station = _quietest(source, said)
        x, R = rest_pose(parts.model, station)
        Q = np.asarray(said["orientation"], dtype=np.float64)
        at = R.T @ (np.asarray(said["position"], dtype=np.float64) - x)
        surface = _surface(source, name, said["superelement"])
        notes = []
        if surface is None:
            surface = _between_stations(said)
            at, Q = R.T @ -x, np.eye(3)
            notes.append("the result does not contain its surface: drawn as bars between its interfaces")
        key = f"flexible body {content_key(surface.points, surface.triangles)}"
        shape = parts.shape(key, lambda n, s=surface: mesh_shape(parts.block, n, s))  # type: ignore[misc]
        info: Info = [("Mass", f"{said['total_mass']:.5g} kg"), ("Modes", str(said["superelement"]["modes"]))]
        info.append(("Interfaces", ", ".join(said["superelement"]["interfaces"])))
        parts.add_structure(name, station)
        parts.add(
            name, shape, name=name, kind="housing", position=at, rotation=R.T @ Q, notes=notes, info=info,
            opacity=said.get("opacity", 0.28 if inside else 1.0), colour=None if said.get("colour") else HOUSING,
        )  # fmt: skip


def _surface(source: SceneSource, name: str, said: dict[str, Any]) -> Triangles | None:
    """From the model if it is available, else from the description."""
    if name in source.surfaces:
        return shaded(*source.surfaces[name])
    if "surface" in said:
        mesh = TriangleMesh.from_description(said["surface"])
        return shaded(mesh.vertices.astype(np.float64), mesh.triangles.astype(np.int64))
    return surface_of_shape(said.get("shape"))


def _quietest(source: SceneSource, said: dict[str, Any]) -> str:
    """The station that moves least; the middle one of a model that was not run."""
    moved = {}
    for body in said["stations"]:
        place = source.signal(f"{body}.position")
        if place is None or not len(place):
            return middle_station(said)
        moved[body] = float(np.ptp(place, axis=0).max())
    return min(moved, key=lambda body: moved[body])


def surface_of_shape(shape: dict[str, Any] | None) -> Triangles | None:
    """The surface of a body of simple shape: a coarse mesh of it."""
    if shape is None:
        return None
    from ...fem.meshes.solid_mesh import SolidMesh
    from ...gears.material import STEEL
    from ...superelements.shapes import shape_mesh

    try:
        nodes, elements, _ = shape_mesh(shape)
        mesh = SolidMesh.of(nodes, elements, STEEL, None)
    except (PitchlineError, TypeError, ValueError, LookupError):
        return None
    return shaded(mesh.nodes, mesh.surface())


def shaded(points: FloatArray, triangles: NDArray[np.int64]) -> Triangles:
    """A surface with smooth normals where it is round, and the edges where it is not."""
    used, rows = np.unique(triangles, return_inverse=True)
    surface = Triangles(points[used], rows.reshape(-1, 3))
    return Triangles(surface.points, surface.triangles, surface.smoothed(_CREASE).normals, _creases(surface))


def _creases(surface: Triangles) -> NDArray[np.int64]:
    """Edges between triangles that turn away from each other, and those of only one triangle."""
    t = surface.triangles
    pairs = np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1)
    owner = np.tile(np.arange(len(t)), 3)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pairs, owner = pairs[order], owner[order]
    same = np.flatnonzero((pairs[1:] == pairs[:-1]).all(axis=1))
    n = surface.face_normals
    flat = np.einsum("ij,ij->i", n[owner[same]], n[owner[same + 1]]) > np.cos(_CREASE)
    inner = np.zeros(len(pairs), bool)
    inner[same], inner[same + 1] = True, True
    return np.concatenate([pairs[same[~flat]], pairs[~inner]])


def _between_stations(said: dict[str, Any]) -> Triangles:
    """Bars from the middle of all interfaces to each of them, in the world."""
    places = np.array([station["position"] for station in said["stations"].values()], dtype=np.float64)
    middle = places.mean(axis=0)
    size = float(np.linalg.norm(places - middle, axis=1).max()) or 0.1
    solids = []
    for place in places:
        solids.append(sphere(0.05 * size).moved(np.eye(3), place))
        along = place - middle
        length = float(np.linalg.norm(along))
        if length > 1e-9 * size:
            along = along / length
            other = np.eye(3)[int(np.argmin(np.abs(along)))]
            x = np.cross(other, along)
            x /= np.linalg.norm(x)
            axes = np.column_stack([x, np.cross(along, x), along])
            solids.append(tube_along([middle, place], [axes, axes], circle(0.02 * size, 12)))
    return together(solids)
