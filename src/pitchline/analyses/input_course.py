"""Course of an input between two settings, as a polynomial in the table of functions.

| quantity | hold | extrapolate | ramp |
|---|---|---|---|
| load, signal of an element | the new value at once | line through the last two values | linear from the old to the new value |
| speed of a drive | the new speed at once | line through the last two speeds | linear from the old to the new speed |
| position of a drive | refused | refused | cubic to the new position, with continuous speed |

The coordinate of a drive with a speed is the integral of the speed. A ramp reaches its value at the end of the next interval.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..math.functions import Pieces
from ..model.functions.held_input import ORDER, HeldInput, HeldIntegral
from ..system.system import System
from .stepper_inputs import LOAD, SPEED, StepperInput

__all__ = ["InputChange", "InputCourse"]

_FIRST, _LAST = Pieces.size, Pieces.size + 2 + ORDER
"""Knots and coefficients of a record in the table of functions."""


@dataclass(frozen=True)
class InputChange:
    """Change of an input at the start of an interval.

    places:      its functions
    jump:        of the value of a load or signal
    curvature:   jump of the second derivative of the coordinate of a drive
    speed_jumps: whether the speed of a drive jumps
    """

    places: list[int]
    jump: float
    curvature: float
    speed_jumps: bool


class InputCourse:
    """Course of one input during a run. `target` is the value that was set last."""

    def __init__(self, spec: StepperInput, function: HeldInput, system: System, time: float) -> None:
        self.spec = spec
        self.places: list[int] = []
        coordinate = function.value
        for held, place in system.held:
            if held is function:
                self.places.append(place)
            elif isinstance(held, HeldIntegral) and held.of is function:
                self.places.append(place)
                coordinate = held.value_at_t0
        self._functions = system.functions
        self.target = function.value
        speed = function.value if spec.quantity == SPEED else 0.0
        self._t, self._c = time, (coordinate, speed, 0.0, 0.0)
        self._end = (coordinate, speed)
        """Value and slope of the polynomial at the end of the interval, free of rounding errors where they are specified."""
        self._before = (time, function.value)
        """Time and value of the setting before, for extrapolation."""

    @property
    def value(self) -> float:
        """Present value of the input: at the end of the last interval."""
        return self._end[1] if self.spec.quantity == SPEED else self._end[0]

    def may_jump(self) -> bool:
        """Whether the next interval can start with a jump of forces or accelerations."""
        c = self._c
        steady = c[1] if self.spec.quantity == SPEED else c[0]
        return self.target != steady or any(c[2:]) or (self.spec.quantity != SPEED and c[1] != 0.0)

    def plan(self, t: float, end: float) -> InputChange | None:
        """Set the course from t to the end of the interval. None: it continues as before."""
        value, slope = self._end
        h = end - t
        rate = self._slope(t)
        wanted = getattr(self, f"_{self.spec.quantity}")(value, slope, h, rate)
        if wanted[1:] == self._c[1:] and self._goes_on(wanted[0], t):
            self._end = self._at(end) if any(wanted[1:]) else self._end
            return None
        x = t - self._t
        curvature = 2.0 * wanted[2] - (2.0 * self._c[2] + 6.0 * self._c[3] * x)
        drive = self.spec.quantity != LOAD
        jump = 0.0 if drive else wanted[0] - value
        speed_jumps = drive and wanted[1] != slope
        self._t, self._c = t, wanted
        self._end = self._reached(end)
        self.write()
        return InputChange(self.places, jump, curvature if drive else 0.0, speed_jumps)

    def write(self) -> None:
        """Write the polynomial into the table of functions."""
        for place in self.places:
            self._functions[place + _FIRST : place + _LAST] = (self._t, self._t + 1.0, *self._c)

    def state(self) -> tuple[float, ...]:
        """All numbers for an exact continuation."""
        return (self.target, self._t, *self._c, *self._end, *self._before)

    def restore(self, state: tuple[float, ...]) -> None:
        """Continue from an earlier state."""
        self.target, self._t = state[:2]
        self._c = (state[2], state[3], state[4], state[5])
        self._end, self._before = (state[6], state[7]), (state[8], state[9])
        self.write()

    def _slope(self, t: float) -> float:
        """Slope of a line through the last two settings."""
        before, value = self._before
        self._before = (t, self.target)
        return (self.target - value) / (t - before) if self.spec.hold == "extrapolate" and t > before else 0.0

    def _value(self, value: float, slope: float, h: float, rate: float) -> tuple[float, float, float, float]:
        if self.spec.hold == "ramp":
            return (value, (self.target - value) / h, 0.0, 0.0)
        return (self.target, rate, 0.0, 0.0)

    def _speed(self, value: float, slope: float, h: float, rate: float) -> tuple[float, float, float, float]:
        if self.spec.hold == "ramp":
            return (value, slope, 0.5 * (self.target - slope) / h, 0.0)
        return (value, self.target, 0.5 * rate, 0.0)

    def _position(self, value: float, slope: float, h: float, rate: float) -> tuple[float, float, float, float]:
        mean = (self.target - value) / h
        return (value, slope, 2.0 * (mean - slope) / h, (slope - mean) / (h * h))

    def _goes_on(self, value: float, t: float) -> bool:
        """Whether a polynomial with the same coefficients from t on is the present one."""
        c = self._c
        if c[1] == c[2] == c[3] == 0.0:
            return value == c[0]
        return self.spec.quantity == SPEED and c[2] == c[3] == 0.0  # the coordinate at constant speed

    def _at(self, t: float) -> tuple[float, float]:
        x, c = t - self._t, self._c
        return c[0] + x * (c[1] + x * (c[2] + x * c[3])), c[1] + x * (2.0 * c[2] + 3.0 * x * c[3])

    def _reached(self, end: float) -> tuple[float, float]:
        """Value and slope at the end of the interval: what was specified, without rounding errors."""
        value, slope = self._at(end)
        if self.spec.quantity == SPEED:
            return value, self.target if self.spec.hold == "ramp" else slope
        if self.spec.quantity == LOAD:
            return self.target if self.spec.hold == "ramp" else value, slope
        return self.target, (self.target - self._c[0]) / (end - self._t)
