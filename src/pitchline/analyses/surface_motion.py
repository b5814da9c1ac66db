"""Surfaces of flexible bodies at an operating point, and their motion in small motions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..model.flexible_body import FlexibleBody
from ..results.surface_shapes import SurfaceShapes, SurfaceShare

if TYPE_CHECKING:
    from .operating_point import OperatingPoint

__all__ = ["surface_motion", "surface_points"]


def _axes(point: OperatingPoint, body: FlexibleBody) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Origin and axes of a flexible body, as its first interface carries them; numbers of its interfaces among the bodies."""
    names = [plan.body.name for plan in point.system.nodes]
    numbers = [names.index(station.name) for station in body.stations.values()]
    poses, turned, element = point.system.kinematics(point.state), point.rotations(), body.superelement
    first = numbers[0]
    R = turned[first] @ element.axes[0].T
    x = poses["x"][1 + first] - turned[first] @ point.system.nodes[first].offset
    return x - R @ element.positions[0], R, numbers


def _with_surface(point: OperatingPoint) -> dict[str, FlexibleBody]:
    return {name: body for name, body in point.model.flexible_bodies.items() if len(body.superelement.triangles)}


def surface_points(point: OperatingPoint) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Points (p, 3) in the world [m] and triangles (t, 3) of every flexible body that has a surface."""
    found = {}
    for name, body in _with_surface(point).items():
        x, R, _ = _axes(point, body)
        found[name] = (x + body.superelement.points @ R.T, np.asarray(body.superelement.triangles, np.int64))
    return found


def surface_motion(point: OperatingPoint, X: np.ndarray) -> Mapping[str, np.ndarray]:
    """Motion (m, p, 3) of the points of these surfaces in fixed axes, for motions X (n, m); computed on first use."""
    bodies = _with_surface(point)
    if not bodies:
        return {}
    moved, turned = point.body_motion(X.astype(complex)), point.rotations()
    own = dict(point.system.own.with_mass(point.system.elements))
    found = {}
    for name, body in bodies.items():
        _, R, numbers = _axes(point, body)
        parts = [np.einsum("ji,ajm->aim", turned[k], moved[k].reshape(2, 3, -1)).reshape(6, -1) for k in numbers]
        modes = X[own[f"{name}.modes"]] if f"{name}.modes" in own else np.zeros((0, X.shape[1]))
        q = np.concatenate([*parts, modes])  # interfaces in their own axes, then modes
        found[name] = SurfaceShare(body.superelement.shapes, q, R)
    return SurfaceShapes(found)
