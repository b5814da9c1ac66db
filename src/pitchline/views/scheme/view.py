"""Views of a scene: from where it is looked at, so that most of it shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchline.views.scheme.scene import Scene

Array = NDArray[np.float64]

_WORLD = np.eye(3)

#: Wheels of a pair or two; more of them are a machine, which has a side that shows most.
_FEW = 6


@dataclass(frozen=True)
class Projection:
    """An orthographic view: unit vectors to the right, up, and towards the viewer."""

    right: Array
    up: Array

    @property
    def towards(self) -> Array:
        return np.cross(self.right, self.up)

    def flat(self, points: Array) -> Array:
        """(..., 2) of (..., 3)."""
        return np.stack([points @ self.right, points @ self.up], axis=-1)


@dataclass(frozen=True)
class Arrangement:
    """One or two views; the second next to the first, or below it."""

    views: tuple[Projection, ...]
    below: bool = False


#: Along z from above, along y from the front, along x from the right; and from a corner.
PLAN = Projection(_WORLD[0], _WORLD[1])
FRONT = Projection(_WORLD[0], _WORLD[2])
SIDE = Projection(_WORLD[1], _WORLD[2])
_CORNER = np.array([0.75, -1.0, 0.62])
_RIGHT = np.cross(_WORLD[2], _CORNER) / np.linalg.norm(np.cross(_WORLD[2], _CORNER))
CORNER = Projection(_RIGHT, np.cross(_CORNER, _RIGHT) / np.linalg.norm(np.cross(_CORNER, _RIGHT)))


def arrange(scene: Scene) -> Arrangement:
    """Parallel wheels: along their axes, and across them. Others: the plane that shows most, and from a corner."""
    axes = [wheel.axes[:, 2] for wheel in scene.wheels if not wheel.is_rack]
    racks = any(wheel.is_rack for wheel in scene.wheels)
    points = scene.points()
    if not len(points):
        return Arrangement((FRONT,))
    if axes and all(abs(float(axis @ axes[0])) > 1.0 - 1e-6 for axis in axes):
        first = _along(axes[0])
        size = np.ptp(first.flat(points), axis=0)
        depth = float(np.ptp(points @ first.towards))
        if racks or depth < 0.04 * float(max(size)):
            return Arrangement((first,)) if racks else _across(scene, first)
        return _across(scene, first)
    if axes:
        return Arrangement((_skew(scene) or _widest(points), CORNER))
    best = _widest(points)
    depth = float(np.ptp(points @ best.towards))
    return Arrangement((best,) if depth < 0.2 * float(np.max(np.ptp(best.flat(points), axis=0))) else (best, CORNER))


def _skew(scene: Scene) -> Projection | None:
    """Of few wheels on axes of two directions: bevels across both axes, others along the axis of the largest wheel."""
    wheels = [wheel for wheel in scene.wheels if not wheel.is_rack]
    first = wheels[0].axis
    others = [wheel.axis for wheel in wheels if abs(float(wheel.axis @ first)) < 1.0 - 1e-6]
    if len(wheels) > _FEW or any(abs(float(axis @ others[0])) < 1.0 - 1e-6 for axis in others):
        return None
    if any(wheel.gear.get("cone_angle") for wheel in wheels):
        normal = np.cross(first, others[0])
        return _along(normal / np.linalg.norm(normal))
    return _along(max(wheels, key=lambda wheel: wheel.radius).axis)


def _across(scene: Scene, first: Projection) -> Arrangement:
    """The second view is next to the first or below it, so that gears do not cover each other."""
    centres = first.flat(np.array([wheel.centre for wheel in scene.wheels]))
    wide, high = np.ptp(centres, axis=0)
    if wide > high * 1.2:
        return Arrangement((first, Projection(first.right, first.towards)), below=True)
    return Arrangement((first, Projection(first.towards, first.up)))


def _along(axis: Array) -> Projection:
    """Along an axis; a world axis as drawings have it."""
    for k, view in enumerate((SIDE, FRONT, PLAN)):
        if abs(axis[k]) > 1.0 - 1e-6:
            return view
    helper = _WORLD[2] if abs(axis[2]) < 0.9 else _WORLD[1]
    right = np.cross(helper, axis)
    right /= np.linalg.norm(right)
    if right @ np.array([1.0, 0.1, 0.01]) < 0.0:  # x to the right, as far as there is one
        right = -right
    up = np.cross(axis, right)
    return Projection(right, up if up @ helper > 0.0 else -up)


def _widest(points: Array) -> Projection:
    """The plane in which the scene is spread most; z up where it is as good."""
    spread = np.ptp(points, axis=0)
    areas = {view: spread[i] * spread[j] for view, i, j in ((0, 0, 2), (1, 1, 2), (2, 0, 1))}
    lengths = {view: max(spread[i], spread[j]) for view, i, j in ((0, 0, 2), (1, 1, 2), (2, 0, 1))}
    # of views that are as good, a line stands upright
    best = max(areas, key=lambda view: (round(areas[view], 12), round(lengths[view], 12), spread[(2, 2, 1)[view]]))
    return (FRONT, SIDE, PLAN)[best]
