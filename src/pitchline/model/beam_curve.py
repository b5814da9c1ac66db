"""Reference line of a beam: straight line, arc or smooth curve. The section axes follow it without twist."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import ModelError, Subject
from ..solids.rotations import Array, Rotation, z_to
from ..solids.vectors import crossed

__all__ = ["BeamCurve", "beam_curve"]

_SAMPLES = 400
"""Number of samples of a curve between two of its points."""
_STRAIGHT = 1e-9
"""If the angle between tangent and chord is smaller than this [rad], the line is straight."""


class BeamCurve(ABC):
    """Line in the world with arc length and section axes."""

    length: float

    @abstractmethod
    def pose(self, place: float) -> tuple[Array, Array]:
        """Return the point (3,) and the section axes (3, 3), z along the line, at the distance `place` from the start [m]."""


@dataclass(frozen=True, eq=False)
class _StraightLine(BeamCurve):
    origin: Array
    axes: Array
    length: float

    def pose(self, place: float) -> tuple[Array, Array]:
        return self.origin + place * self.axes[:, 2], self.axes


@dataclass(frozen=True, eq=False)
class _ArcLine(BeamCurve):
    origin: Array
    axes: Array
    normal: Array
    """Axis of rotation of the arc."""
    radius: float
    length: float

    def pose(self, place: float) -> tuple[Array, Array]:
        angle = place / self.radius
        t = self.axes[:, 2]
        inwards = crossed(self.normal, t)
        x = self.origin + self.radius * (math.sin(angle) * t + (1.0 - math.cos(angle)) * inwards)
        return x, Rotation(self.normal, angle).matrix @ self.axes


@dataclass(frozen=True, eq=False)
class _SplineLine(BeamCurve):
    places: Array
    points: Array
    tangents: Array
    axes: Array
    """(samples, 3, 3)"""

    @property
    def length(self) -> float:  # type: ignore[override]
        return float(self.places[-1])

    def pose(self, place: float) -> tuple[Array, Array]:
        k = int(np.clip(np.searchsorted(self.places, place, side="right") - 1, 0, len(self.places) - 2))
        h = self.places[k + 1] - self.places[k]
        s = min(max((place - self.places[k]) / h, 0.0), 1.0)
        # cubic in the points and tangents at both ends
        a, b, ta, tb = self.points[k], self.points[k + 1], h * self.tangents[k], h * self.tangents[k + 1]
        x = (1 + 2 * s) * (1 - s) ** 2 * a + s * (1 - s) ** 2 * ta + s * s * (3 - 2 * s) * b + s * s * (s - 1) * tb
        t = 6 * s * (s - 1) * (a - b) + (1 - s) * (1 - 3 * s) * ta + s * (3 * s - 2) * tb
        return x, _carried(self.axes[k], t / np.linalg.norm(t))


def beam_curve(
    start: Array,
    end: Array,
    *,
    points: list[Array],
    tangent: Array | None,
    end_tangent: Array | None,
    up: Array | None,
    what: Subject,
) -> BeamCurve:
    """Make a straight line; with a start tangent an arc; with intermediate points or both tangents a cubic spline."""
    through = [start, *points, end]
    steps = np.linalg.norm(np.diff(through, axis=0), axis=1)
    if np.any(steps <= 1e-12 * max(1e-300, float(np.abs(through).max()))):
        k = int(np.argmin(steps))
        place = ", ".join(f"{x:g}" for x in through[k])
        raise ModelError(
            f"{what}: has zero length: two of its points are at ({place}) m; move one of them, or omit it", about=what
        )
    if points or end_tangent is not None:
        return _spline(np.array(through), tangent, end_tangent, up, what)
    chord = end - start
    length = float(np.linalg.norm(chord))
    if tangent is not None:
        normal = crossed(tangent, chord / length)
        sine, cosine = float(np.linalg.norm(normal)), float(tangent @ chord) / length
        half = math.atan2(sine, cosine)
        if half > math.pi - 1e-6:
            raise ModelError(
                f"{what}: its tangent points away from its end, so that no arc is possible; change the tangent, or specify points",
                about=what.at("tangent"),
            )
        if half > _STRAIGHT:
            radius = length / (2.0 * math.sin(half))
            return _ArcLine(start, _first_axes(tangent, up, what), normal / sine, radius, 2.0 * half * radius)
    return _StraightLine(start, _first_axes(chord / length, up, what), length)


def _spline(
    through: Array, tangent: Array | None, end_tangent: Array | None, up: Array | None, what: Subject
) -> BeamCurve:
    from scipy.interpolate import CubicSpline

    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(through, axis=0), axis=1))])
    free = (2, np.zeros(3))
    ends = (free if tangent is None else (1, tangent), free if end_tangent is None else (1, end_tangent))
    curve = CubicSpline(along, through, bc_type=ends)
    u = np.concatenate([np.linspace(a, b, _SAMPLES, endpoint=False) for a, b in pairwise(along)] + [along[-1:]])
    speed = np.linalg.norm(curve(u, 1), axis=1)
    middle = np.linalg.norm(curve(0.5 * (u[1:] + u[:-1]), 1), axis=1)
    places = np.concatenate([[0.0], np.cumsum(np.diff(u) * (speed[1:] + 4.0 * middle + speed[:-1]) / 6.0)])
    tangents = curve(u, 1) / speed[:, None]
    axes = [_first_axes(tangents[0], up, what)]
    for t in tangents[1:]:
        axes.append(_carried(axes[-1], t))
    return _SplineLine(places, curve(u), tangents, np.array(axes))


def _first_axes(tangent: Array, up: Array | None, what: Subject) -> Array:
    """Section axes at the start: z along the tangent, y in the direction of `up`."""
    if up is None:
        return z_to(tangent)
    across = up - (up @ tangent) * tangent
    size = float(np.linalg.norm(across))
    if size < 1e-6:
        raise ModelError(f"{what}: up is parallel to the beam; specify a direction across it", about=what.at("up"))
    y = across / size
    return np.stack([crossed(y, tangent), y, tangent], axis=1)


def _carried(axes: Array, tangent: Array) -> Array:
    """Rotate axes by the smallest rotation that makes z the tangent."""
    z = axes[:, 2]
    normal = crossed(z, tangent)
    sine = float(np.linalg.norm(normal))
    if sine < 1e-15:
        return axes
    return Rotation(normal / sine, math.atan2(sine, float(z @ tangent))).matrix @ axes
