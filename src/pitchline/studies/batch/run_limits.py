"""Limits of the number of cycles of a run: the end of a ramp, the end of a rack."""

from __future__ import annotations

import math

import numpy as np

from ...errors import ModelError
from .lane_arrays import LaneArrays
from .values.lane_values import LaneLimits

__all__ = ["check_cycles"]


def check_cycles(arrays: LaneArrays, limits: LaneLimits, cycles: int) -> None:
    """Refuse a run beyond a limit of its model. cycles: base cycles from the start of the lanes."""
    omega, alpha = arrays.of(arrays.train.omega), arrays.of(arrays.train.acceleration)
    angle = 2.0 * math.pi * cycles
    square = omega**2 + 2.0 * alpha * angle
    with np.errstate(invalid="ignore"):
        end = np.where(square > 0.0, 2.0 * angle / (omega + np.sqrt(np.maximum(square, 0.0))), np.inf)
    until = np.broadcast_to(limits.until, omega.shape)
    late = end > until * (1.0 + 1e-9)
    if np.any(late):
        i = int(np.argmax(late))
        most = int((omega[i] * until[i] + 0.5 * alpha[i] * until[i] ** 2) / (2.0 * math.pi))
        raise ModelError(
            f"a ramp of the model ends {until[i]:g} s after the start of the batch, after {most} mesh cycles at point {i}, but "
            f"settle + record are {cycles} cycles. Use fewer cycles, a longer ramp, or a later time="
        )
    for name, numbers in limits.travel.items():
        start, speed, low, high = (np.broadcast_to(x, omega.shape) for x in numbers)
        last = start + speed * angle
        out = (np.minimum(start, last) < low) | (np.maximum(start, last) > high)
        if np.any(out):
            i = int(np.argmax(out))
            room = (high[i] - start[i]) if speed[i] > 0.0 else (start[i] - low[i])
            most = int(max(room, 0.0) / (abs(speed[i]) * 2.0 * math.pi))
            raise ModelError(
                f'the rack of gear pair "{name}" ends after {most} mesh cycles at point {i}, but settle + record are {cycles} '
                "cycles. Use fewer cycles, or a longer rack"
            )
