"""Angle and speed of a shaft from the pulses of a tacho or an encoder."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...arguments import names_wrong_arguments
from ...errors import shown
from ...results import Signal
from ...results.errors import SignalError
from ...units import quantity

__all__ = ["tacho"]

FloatArray = NDArray[np.float64]
TURN = 2.0 * math.pi


@names_wrong_arguments
def tacho(
    signal: Signal,
    pulses: float,
    *,
    threshold: float | str | None = None,
    hysteresis: float | str | None = None,
    edge: str = "rising",
) -> tuple[Signal, Signal]:
    """Angle and speed of a shaft from pulses.

    The signal crosses the threshold once for each pulse. The times of the crossings are interpolated between samples. Between
    pulses the angle is a smooth curve that always increases (monotone cubic); before the first and after the last pulse the
    speed is constant. The angle is 0 at the first pulse. The direction of rotation is not known: the speed is positive.

    Parameters
    ----------
    signal
        Pulses over time, e.g. the voltage of a sensor.
    pulses
        Pulses per revolution. It need not be a whole number, if the sensor is on another shaft.
    threshold
        Level of a crossing, in the unit of the signal. Default: the middle of its range, without the highest and lowest percent.
    hysteresis
        The signal must fall below the threshold by this amount before the next pulse counts. Default: a fifth of the range.
    edge
        "rising" (default) or "falling".

    Returns
    -------
    tuple of Signal
        NAME.angle [rad] and NAME.angular_speed [rad/s], with the times of the signal.
    """
    what = f'tacho of "{signal.name}"'
    if signal.components:
        raise SignalError(f"{what}: the signal has components; take one of them")
    if isinstance(pulses, bool) or not isinstance(pulses, (int, float)) or not 0.0 < pulses < 1e9:
        raise SignalError(f"{what}: pulses per revolution must be a positive number, got {shown(pulses)}")
    if edge not in ("rising", "falling"):
        raise SignalError(f'{what}: edge must be "rising" or "falling", got {shown(edge)}')
    values = np.asarray(signal.values)
    if len(values) < 4 or not np.isfinite(values).all():
        raise SignalError(
            f'{what}: it has fewer than four samples, or samples without a value; read it with gaps="interpolate"'
        )
    low, high = np.percentile(values, [1.0, 99.0])
    low, high = (values.min(), values.max()) if high <= low else (low, high)  # short pulses
    if high <= low:
        raise SignalError(f"{what}: the signal is constant, {low:g} {signal.unit}")
    unit = signal.unit or "number"
    level = 0.5 * (low + high) if threshold is None else quantity(threshold, unit, what=f"{what}: threshold")
    band = 0.2 * (high - low) if hysteresis is None else quantity(hysteresis, unit, what=f"{what}: hysteresis")
    sign = 1.0 if edge == "rising" else -1.0
    times = crossings(signal.time, sign * (values - level), max(float(band), 0.0))
    if len(times) < 2:
        raise SignalError(
            f"{what}: {len(times)} pulses were found at the threshold {level:g} {signal.unit}. Two or more are needed; the "
            f"signal is from {values.min():g} to {values.max():g}"
        )
    angle, speed = _motion(signal.time, times, TURN / pulses)
    turning = Signal(
        f"{signal.name}.angular_speed",
        speed,
        signal.time,
        "rad/s",
        f"speed of rotation from {pulses:g} pulses per revolution",
    )
    return (
        Signal(
            f"{signal.name}.angle",
            angle,
            signal.time,
            "rad",
            f"angle from {pulses:g} pulses per revolution",
            (),
            turning.values,
        ),
        turning,
    )


def crossings(time: FloatArray, values: FloatArray, band: float) -> FloatArray:
    """Times at which values rise through zero, after they were below -band."""
    state = np.zeros(len(values), np.int8)
    state[values >= 0.0] = 1
    state[values < -band] = -1
    known = np.flatnonzero(state)
    changes = np.flatnonzero((state[known[:-1]] == -1) & (state[known[1:]] == 1))
    after = known[changes + 1]  # the first sample at or above zero
    before = after - 1
    rise = values[after] - values[before]
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(rise > 0.0, -values[before] / rise, 1.0)
    found = time[before] + np.clip(part, 0.0, 1.0) * (time[after] - time[before])
    return found[np.diff(found, prepend=-np.inf) > 0.0]


def _motion(time: FloatArray, pulses: FloatArray, pitch: float) -> tuple[FloatArray, FloatArray]:
    from scipy.interpolate import PchipInterpolator

    angles = pitch * np.arange(len(pulses))
    if len(pulses) == 2:
        rate = pitch / (pulses[1] - pulses[0])
        return rate * (time - pulses[0]), np.full(len(time), rate)
    curve = PchipInterpolator(pulses, angles)
    rates = curve.derivative()
    inside = np.clip(time, pulses[0], pulses[-1])
    first, last = pitch / (pulses[1] - pulses[0]), pitch / (pulses[-1] - pulses[-2])
    early, late = np.minimum(time - pulses[0], 0.0), np.maximum(time - pulses[-1], 0.0)
    angle = curve(inside) + first * early + last * late
    speed = np.where(early < 0.0, first, np.where(late > 0.0, last, rates(inside)))
    return angle, speed
