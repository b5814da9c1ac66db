"""Record: the samples of a result within a window of time, with the poses of bodies and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import PitchlineError
from ...units import quantity
from ..part_records import RECORDED

if TYPE_CHECKING:
    from ..result import Result

__all__ = ["FramePose", "Record"]

Array = NDArray[np.float64]
GROUND = "ground"


class FramePose:
    """A frame on a body over time.

    body:   name of the body
    origin: (n, 3), m, world
    axes:   (n, 3, 3), columns are its x, y, z in world axes
    """

    def __init__(self, body: str, origin: Array, axes: Array) -> None:
        self.body, self.origin, self.axes = body, origin, axes

    @property
    def axis(self) -> Array:
        """Its z axis (n, 3)."""
        return self.axes[:, :, 2]


class Record:
    """Signals of a result from `after` to `before` (s, or texts with a unit), and the model it is about."""

    def __init__(self, result: Result, after: object = None, before: object = None) -> None:
        if not result.samples:
            raise PitchlineError(
                f'result of "{result.model_name}": it holds no sample; the analysis ended before the first one'
            )
        self.result = result
        self.model: dict[str, Any] = result.model
        first = -np.inf if after is None else quantity(after, "time", what="after")
        last = np.inf if before is None else quantity(before, "time", what="before")
        span = result.time[-1] - result.time[0]
        self.keep = (result.time >= first - 1e-9 * span) & (result.time <= last + 1e-9 * span)
        if result.samples == 1:
            self.keep[:] = True  # statics has one sample, whenever it is
        if not self.keep.any():
            raise PitchlineError(
                f'result of "{result.model_name}": no sample from {first:g} to {last:g} s; it runs from {result.time[0]:g} '
                f"to {result.time[-1]:g} s"
            )
        self.time: Array = result.time[self.keep]

    @property
    def states(self) -> dict[str, Any]:
        """Arrays that the result has besides its signals."""
        return self.result.states

    @property
    def recorded(self) -> bool:
        """Whether the result contains powers and forces of all its parts: those of earlier versions do not."""
        return RECORDED in self.result.states

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.time)

    @property
    def weights(self) -> Array:
        """Share of the time of each sample."""
        return time_weights(self.time)

    def sample(self, at: float | str | None) -> int:
        """Index of the sample nearest to a time; the last one without."""
        if at is None:
            return self.count - 1
        t = quantity(at, "time", what="at")
        slack = 1e-9 * (self.time[-1] - self.time[0])
        if not self.time[0] - slack <= t <= self.time[-1] + slack:
            raise PitchlineError(
                f"at: t = {t:g} s is outside the record, which runs from {self.time[0]:g} to {self.time[-1]:g} s"
            )
        return int(np.argmin(np.abs(self.time - t)))

    def has(self, name: str) -> bool:
        """Whether there is such a signal."""
        return name in self.result.signals

    def values(self, name: str) -> Array:
        """Samples of a signal within the window."""
        return np.asarray(self.result.signals[name].values)[self.keep]

    def vectors(self, name: str) -> Array:
        """Samples of a vector signal; zeros (n, 3) if there is no such signal."""
        return self.values(name) if self.has(name) else np.zeros((self.count, 3))

    def pose(self, body: str) -> tuple[Array, Array]:
        """Origin (n, 3) and axes (n, 3, 3) of a body."""
        if body == GROUND:
            return np.zeros((self.count, 3)), np.broadcast_to(np.eye(3), (self.count, 3, 3))
        return self.values(f"{body}.position"), matrices(self.values(f"{body}.orientation"))

    def frame(self, said: dict[str, Any]) -> FramePose:
        """A frame of the description of the model."""
        origin, axes = self.pose(said["body_name"])
        at, rotation = np.asarray(said["position"], float), said.get("rotation")
        turned = axes if rotation is None else axes @ np.asarray(rotation, float)
        return FramePose(said["body_name"], origin + axes @ at, turned)

    def spin(self, body: str) -> Array:
        """Angular velocity of a body (n, 3), world axes. In statics: the one with which the model starts."""
        if body == GROUND:
            return np.zeros((self.count, 3))
        if self.result.kind == "statics":
            return np.broadcast_to(self._first_spin(body), (self.count, 3))
        return self.vectors(f"{body}.angular_velocity")

    def _first_spin(self, body: str) -> Array:
        """Angular velocity with which the model starts, of bodies and of stations of shafts."""
        for shaft in self.model.get("shafts", {}).values():
            if body in shaft["stations"]:
                axis = np.asarray(shaft["orientation"], float)[:, 2]
                return np.asarray(shaft["angular_velocity"], float) + float(shaft["speed"]) * axis
        said = self.model.get("bodies", {}).get(body, {})
        return np.asarray(said.get("angular_velocity", np.zeros(3)), float)

    @property
    def structures(self) -> dict[str, list[str]]:
        """Shafts, beams and flexible bodies, each with the bodies of its stations."""
        return {
            name: list(part["stations"])
            for section in ("shafts", "beams", "flexible_bodies", "membranes")
            for name, part in self.model.get(section, {}).items()
        }

    @property
    def bodies(self) -> list[str]:
        """Names of all bodies, the ground and stations of structures among them."""
        return [GROUND, *self.model.get("bodies", {}), *(body for part in self.structures.values() for body in part)]


def time_weights(time: Array) -> Array:
    """Of the time average by the trapezoidal rule."""
    span = time[-1] - time[0]
    if span == 0.0:
        return np.full(len(time), 1.0 / len(time))
    steps = np.diff(time)
    return np.asarray((np.concatenate([steps, [0.0]]) + np.concatenate([[0.0], steps])) / (2.0 * span))


def matrices(q: Array) -> Array:
    """Rotation matrices (n, 3, 3) of quaternions (n, 4), scalar first."""
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
