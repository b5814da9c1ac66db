"""Outlines of shafts, beams and flexible bodies in a schematic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pitchline.views.scheme.view import Projection

Array = NDArray[np.float64]

SECTIONS = ("shafts", "beams", "flexible_bodies", "membranes")
"""Parts of the description of a model with stations."""


@dataclass(frozen=True)
class Member:
    """A structure: points along it, or from its middle to its nodes, with the radius there [m]; 0: a line.

    along: the points are one line, otherwise the spokes of a star about the first one
    """

    name: str
    points: Array
    radii: Array
    along: bool

    def outline(self, view: Projection) -> list[Array]:
        """Closed outlines (n, 2) of what is thick, in a view: the side of each piece, or its circle."""
        found = []
        for a, b, ra, rb in zip(self.points, self.points[1:], self.radii, self.radii[1:], strict=False):
            if not (self.along and ra and rb) or not np.any(a != b):  # a step of a shaft has no length
                continue
            start, end = view.flat(a), view.flat(b)
            across = np.array([start[1] - end[1], end[0] - start[0]])
            length, whole = float(np.hypot(*across)), float(np.linalg.norm(b - a))
            if length > 0.02 * whole:
                across = across / length
                found.append(np.array([start + ra * across, end + rb * across, end - rb * across, start - ra * across]))
            else:
                turn = np.linspace(0.0, 2.0 * np.pi, 61)
                found.append(start + max(ra, rb) * np.column_stack([np.cos(turn), np.sin(turn)]))
        return found

    def lines(self, view: Projection) -> list[Array]:
        """Lines (n, 2) of what has no thickness."""
        if np.any(self.radii):
            return []
        flat = view.flat(self.points)
        return [flat] if self.along else [np.stack([flat[0], point]) for point in flat[1:]]


def stations_of(model: dict[str, Any]) -> dict[str, Any]:
    """Stations of all structures of a described model, by the names of their bodies."""
    return {
        name: said
        for section in SECTIONS
        for s in model.get(section, {}).values()
        for name, said in s["stations"].items()
    }


def read_members(model: dict[str, Any], frame: Any) -> list[Member]:
    """Structures of a described model; frame: from the description of a frame to its place in the world."""
    found = []
    for name, said in model.get("shafts", {}).items():
        found.append(Member(name, *_shaft(said), along=True))
    for name, said in model.get("beams", {}).items():
        points = [np.asarray(s["position"], float) for s in said["stations"].values()]
        for key, at in (("a", 0), ("b", len(points) + 1)):
            if isinstance(said.get(key), dict):
                points.insert(at, frame(said[key])[0])
        found.append(Member(name, np.array(points), np.zeros(len(points)), along=True))
    for name, said in model.get("flexible_bodies", {}).items():
        points = [np.asarray(s["position"], float) for s in said["stations"].values()]
        star = np.array([np.mean(points, axis=0), *points])
        found.append(Member(name, star, np.zeros(len(star)), along=False))
    return found


def _shaft(said: dict[str, Any]) -> tuple[Array, Array]:
    """Points and radii where the sections of a shaft begin and end."""
    start, axis = np.asarray(said["position"], float), np.asarray(said["orientation"], float)[:, 2]
    points, radii, z = [], [], 0.0
    for section in said["sections"]:
        points += [start + z * axis, start + (z + section["length"]) * axis]
        radii += [0.5 * section["outer"], 0.5 * section["outer_end"]]
        z += section["length"]
    return np.array(points), np.array(radii)
