"""ClockText: time and speed at a stage. All lanes have the same steps of the base cycle θ.

At constant speed a step takes h = Δθ/ω. On a ramp, ω² = ω_0² + 2 ω' θ: θ is then the independent variable, dx/dθ = x'/ω, and a step
is h = Δθ with all rates divided by ω. A lane whose speed would reach zero in a cycle stops before it: `go` becomes 0.
"""

from __future__ import annotations

import numpy as np

from ..lane_train import LaneTrain
from .numbers import LaneNumbers

__all__ = ["ClockText"]

SLOWEST = 1e-6
"""Fraction of the initial speed that counts as zero."""


class ClockText:
    """Text of the time of a train.

    lane_names : variables of a lane that change with the cycle.
    """

    def __init__(self, train: LaneTrain, numbers: LaneNumbers, *, timed: bool, speeds: bool = False) -> None:
        self._numbers = numbers
        omega = numbers.of(train.omega)
        self.ramp, self._timed, self._speeds = bool(train.acceleration), timed, speeds
        self.lane_names = ["go", "cycles_done"] if self.ramp else []
        self._omega = numbers.use("omega", omega) if self.ramp or speeds else ""
        if self.ramp:
            acceleration = numbers.of(train.acceleration)
            self._square = numbers.use("omega_square", omega * omega)
            self._gain = numbers.use("omega_gain", 2.0 * acceleration)
            self._least = numbers.use("omega_least", SLOWEST * SLOWEST * omega * omega)
        else:
            self._inverse = numbers.use("per_omega", 1.0 / np.asarray(omega) if np.ndim(omega) else 1.0 / omega)

    def step_text(self) -> list[str]:
        """Lines before a step: h and its parts."""
        length = "step_angle" if self.ramp else f"step_angle*{self._inverse}"
        return [f"h = {length}", "h2 = 0.5*h", f"h6 = {1.0 / 6.0!r}*h"]

    def cycle_text(self) -> list[str]:
        """Lines at the start of a cycle."""
        if not self.ramp:
            return []
        end = self._squared("(theta_c + cycle_angle)")
        here = self._squared("theta_c")
        lines = [f"go = 1.0 if min({end}, {here}) > {self._least} else 0.0"]
        return [*lines, "cycles_done += go"]

    def stage_text(self, theta: str) -> list[str]:
        """Lines at a stage; theta: text of the angle of the base cycle since the start."""
        out = []
        if self.ramp:
            out += [f"w2 = max({self._squared(theta)}, {self._least})", "r = go/math.sqrt(w2)"]
            if self._timed or self._speeds:
                out.append("omega_now = w2*r")
            if self._timed:
                out.append(f"time = 2.0*({theta})/({self._omega} + omega_now)")
        elif self._timed:
            out.append(f"time = ({theta})*{self._inverse}")
        if self._speeds and not self.ramp:
            out.append(f"omega_now = {self._omega}")
        return out

    def rate(self, name: str) -> str:
        """Derivative by the independent variable of a quantity with this rate in time."""
        return f"{name}*r" if self.ramp else name

    def _squared(self, theta: str) -> str:
        return f"{self._square} + {self._gain}*({theta})" if self._gain else self._square
