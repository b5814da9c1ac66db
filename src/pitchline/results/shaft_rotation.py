"""Rotation of a shaft, the reference of orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError
from pitchline.results.signal import Signal
from pitchline.results.signal_blocks import scalar, smooth

FloatArray = NDArray[np.float64]

TURN = 2.0 * np.pi

#: Fraction of the whole rotation: an angle that steps back by less is at rest.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class ShaftRotation:
    """Angle p = ± (θ − θ_0) [rad] by which a shaft has rotated during a record, increasing for either direction.

    sense:  +1 if θ increases, −1 if it decreases
    start:  θ_0 [rad]
    time:   (n,), s; samples of the angle around the record
    way:    (n,), p at these times; 0 at the start of the record
    rate:   (n,), dp/dt
    length: p at the end of the record
    """

    sense: float
    start: float
    time: FloatArray
    way: FloatArray
    rate: FloatArray
    length: float

    @classmethod
    def of(cls, signal: Signal, angle: Signal, what: str) -> ShaftRotation:
        """Rotation during the record of `signal`."""
        scalar(angle, what)
        if angle.unit not in ("", "1", "rad"):
            raise SignalError(
                f'{what}: "{angle.name}" is in {angle.unit}; give the angle of the shaft in rad, such as "hinge.angle"'
            )
        dense = smooth(angle, what)
        first, last = signal.time[0], signal.time[-1]
        slack = 1e-9 * (last - first)
        if first < angle.time[0] - slack or last > angle.time[-1] + slack:
            raise SignalError(
                f'{what}: "{signal.name}" runs from {first:.6g} s to {last:.6g} s, but its angle "{angle.name}" from '
                f"{angle.time[0]:.6g} s to {angle.time[-1]:.6g} s; take both from one result, or cut the signal with "
                "signal.between(start, end)"
            )
        ends = np.clip([first, last], angle.time[0], angle.time[-1])
        theta = np.asarray(dense.at(ends))
        low = max(0, int(np.searchsorted(angle.time, ends[0], side="right")) - 1)
        high = int(np.searchsorted(angle.time, ends[1], side="left")) + 1
        part = slice(low, high)
        assert dense.rate is not None
        sense = 1.0 if theta[1] >= theta[0] else -1.0
        way = sense * (angle.values[part] - theta[0])
        time = angle.time[part]
        length = float(sense * (theta[1] - theta[0]))
        back = np.flatnonzero(np.diff(way) < -_ROUNDING * max(length, 1.0))
        if back.size or length == 0.0:
            _refuse(angle, time, way, back, sense, what)
        # Small steps back at rest are rounding and are removed: the inverse needs an angle that never decreases.
        return cls(sense, float(theta[0]), time, np.maximum.accumulate(way), sense * dense.rate[part], length)

    @property
    def turns(self) -> float:
        """Number of revolutions."""
        return self.length / TURN

    def angle_at(self, way: FloatArray) -> FloatArray:
        """θ [rad]."""
        return self.start + self.sense * way

    def time_at(self, way: FloatArray) -> FloatArray:
        """Time [s] at which the shaft has rotated by this angle: inverse of the cubic between two samples, to rounding."""
        i, h, c1, c2, c3 = self._cubic(np.searchsorted(self.way, way, side="right") - 1)
        y = way - self.way[i]
        rise = self.way[i + 1] - self.way[i]
        s = np.clip(np.divide(y, rise, out=np.zeros_like(y), where=rise > 0.0), 0.0, 1.0)
        low, high = np.zeros_like(s), np.ones_like(s)
        for _ in range(60):  # Newton iteration, with bisection if a step leaves the bracket
            f = s * (c1 + s * (c2 + s * c3)) - y
            low, high = np.where(f <= 0.0, s, low), np.where(f >= 0.0, s, high)
            slope = c1 + s * (2.0 * c2 + 3.0 * s * c3)
            step = s - np.divide(f, slope, out=np.full_like(f, np.inf), where=slope > 0.0)
            new = np.where((step >= low) & (step <= high), step, 0.5 * (low + high))
            done = np.max(np.abs(new - s), initial=0.0) < 1e-15
            s = new
            if done:
                break
        return self.time[i] + s * h

    def speed_at(self, t: FloatArray) -> FloatArray:
        """dθ/dt [rad/s], the slope of the cubic between two samples."""
        i, h, c1, c2, c3 = self._cubic(np.searchsorted(self.time, t, side="right") - 1)
        s = np.divide(t - self.time[i], h, out=np.zeros_like(h), where=h > 0.0)
        slope = c1 + s * (2.0 * c2 + 3.0 * s * c3)
        return self.sense * np.divide(slope, h, out=self.rate[i].copy(), where=h > 0.0)

    def _cubic(
        self, interval: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], FloatArray, FloatArray, FloatArray, FloatArray]:
        """Interval, its length h, and p − p_i = c1 s + c2 s² + c3 s³ with s = (t − t_i)/h."""
        i = np.clip(interval, 0, len(self.time) - 2)
        h = self.time[i + 1] - self.time[i]
        rise = self.way[i + 1] - self.way[i]
        r0, r1 = h * self.rate[i], h * self.rate[i + 1]
        return i, h, r0, 3.0 * rise - 2.0 * r0 - r1, r0 + r1 - 2.0 * rise


def angle_or_speed(angle: Signal | None, speed: Signal | None, what: str) -> Signal:
    """The angle; or the integral of the speed, which is 0 at the start."""
    if (angle is None) == (speed is None):
        raise SignalError(f"{what}: specify the angle of the shaft or its speed, one of the two")
    if angle is not None:
        return angle
    assert speed is not None
    values = np.asarray(speed.values)
    if values.ndim != 1 or len(values) < 2 or not np.all(np.isfinite(values)):
        raise SignalError(f'{what}: the speed "{speed.name}" must be a scalar with two samples or more, without nan')
    parts = 0.5 * (values[1:] + values[:-1]) * np.diff(speed.time)
    angles = np.concatenate([[0.0], np.cumsum(parts)])
    return Signal(f"integral of {speed.name}", angles, speed.time, "rad", "angle from the speed", (), values)


def check_turns(wanted: float, turning: ShaftRotation, what: str, angle: Signal, way_out: str) -> None:
    """Raise an error for a record that is too short."""
    if turning.turns < wanted * (1.0 - 1e-9):
        raise SignalError(
            f'{what}: needs {wanted:g} turns, but "{angle.name}" turns {turning.turns:.4g} times in the record; {way_out}'
        )


def _refuse(angle: Signal, time: FloatArray, way: FloatArray, back: NDArray[np.int64], sense: float, what: str) -> None:
    if not back.size:
        raise SignalError(
            f'{what}: "{angle.name}" does not turn: it is {angle.values[0]:.6g} rad at both ends of the record; give the '
            "angle of a shaft that does"
        )
    k = int(back[0])
    words = "falls" if sense > 0.0 else "rises"
    other = "rise" if sense > 0.0 else "fall"
    raise SignalError(
        f'{what}: orders need a shaft that turns one way, but "{angle.name}" {words} from t = {time[k]:.6g} s to '
        f"{time[k + 1]:.6g} s, by {abs(way[k + 1] - way[k]):.3g} rad, where it should {other}; cut the record there with "
        "signal.between(start, end)"
    )
