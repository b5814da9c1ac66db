"""Functions that consist of a straight line and harmonics: Constant, Harmonic, Fourier."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError
from ...units import array, quantity
from .base import SMALLEST_STEP, Array, Function, ValueReader, check_over

__all__ = ["Constant", "Fourier", "FourierLine", "Harmonic"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class FourierLine(Function):
    """f(t) = c0 + c1 t + sum_k a_k cos(k omega t) + b_k sin(k omega t), k = 1..N.

    Common form of the functions in this file; omega in rad/s. Users write Constant, Harmonic or Fourier.
    """

    c0: float
    c1: float = 0.0
    omega: float = 0.0
    cos: Array = field(default_factory=lambda: np.empty(0))
    sin: Array = field(default_factory=lambda: np.empty(0))

    def _values(self, t: Array) -> Array:
        result = self.c0 + self.c1 * t
        for order, a, b in zip(self._orders(), self.cos, self.sin, strict=True):
            result = result + a * np.cos(order * t) + b * np.sin(order * t)
        return result

    def _orders(self) -> Array:
        """k omega for each harmonic [rad/s]."""
        return self.omega * np.arange(1, len(self.cos) + 1, dtype=np.float64)

    def derivative(self) -> Function:
        orders = self._orders()
        return FourierLine(self.c1, 0.0, self.omega, self.sin * orders, -self.cos * orders)

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        from .polynomial import Polynomial
        from .sum import Sum

        orders = self._orders()
        waves = FourierLine(0.0, self.c0, self.omega, -self.sin / orders, self.cos / orders)
        if self.c1 == 0.0:
            return FourierLine(value_at_t0 - waves(t0), self.c0, self.omega, waves.cos, waves.sin)
        square = Polynomial((0.0, 0.0, 0.5 * self.c1))
        return Sum((Constant(value_at_t0 - waves(t0) - square(t0)), waves, square))

    def scaled(self, k: float) -> Function:
        return FourierLine(k * self.c0, k * self.c1, self.omega, k * self.cos, k * self.sin)

    def encode(self) -> Array:
        from ...math.fields import packed  # late: numba takes long to import, and models do without it
        from ...math.functions import HARMONICS, Harmonics

        line = {"constant": self.c0, "slope": self.c1, "omega": self.omega}
        return packed(Harmonics, {"kind": HARMONICS, **line, "cosines": self.cos, "sines": self.sin})

    def describe(self) -> dict[str, Any]:
        return {
            "function": "fourier line",
            "c0": self.c0,
            "c1": self.c1,
            "omega": self.omega,
            "cos": self.cos.tolist(),
            "sin": self.sin.tolist(),
        }


@names_wrong_arguments
class _NamedLine(Function):
    """Function for users that is evaluated by its FourierLine."""

    _line: FourierLine

    def _values(self, t: Array) -> Array:
        return self._line._values(t)

    def derivative(self) -> Function:
        return self._line.derivative()

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        return self._line.integral(value_at_t0, t0)

    def scaled(self, k: float) -> Function:
        return self._line.scaled(k)

    def encode(self) -> Array:
        return self._line.encode()


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Constant(_NamedLine):
    """f(t) = value.

    Parameters
    ----------
    value
        Constant value, in SI or as a text with a unit.
    what
        Name of the function in messages.
    """

    value: float
    is_constant: ClassVar[bool] = True

    def __init__(self, value: object, *, what: str = "Constant") -> None:
        read = ValueReader(what)
        object.__setattr__(self, "value", read(value, "value"))
        object.__setattr__(self, "dimension", read.dimension)
        object.__setattr__(self, "_line", FourierLine(self.value))

    def scaled(self, k: float) -> Constant:
        return Constant(k * self.value)

    def describe(self) -> dict[str, Any]:
        return {"function": "constant", "value": self.value}


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Harmonic(_NamedLine):
    """f(t) = offset + amplitude sin(2 pi frequency t + phase).

    Parameters
    ----------
    amplitude
        Amplitude, in SI or as a text with a unit.
    frequency
        Frequency [Hz], or a text such as "50 Hz" or "3000 rpm". Must be positive.
    phase
        Phase [rad], or a text such as "90 deg" (a cosine). Default 0.
    offset
        Mean value, in SI or as a text with a unit. Default 0.
    """

    amplitude: float
    frequency: float
    phase: float
    offset: float

    def __init__(self, amplitude: object, frequency: object, phase: object = 0.0, offset: object = 0.0) -> None:
        read = ValueReader("Harmonic")
        object.__setattr__(self, "amplitude", read(amplitude, "amplitude"))
        object.__setattr__(self, "frequency", quantity(frequency, "frequency", what=read.what / "frequency"))
        object.__setattr__(self, "phase", quantity(phase, "angle", what=read.what / "phase"))
        object.__setattr__(self, "offset", read(offset, "offset"))
        object.__setattr__(self, "dimension", read.dimension)
        if self.frequency <= 0.0:
            raise ModelError(
                f"Harmonic: frequency must be positive, got {self.frequency:g} Hz; for a constant value use Constant",
                about=read.what.at("frequency"),
            )
        a, b = self.amplitude * math.sin(self.phase), self.amplitude * math.cos(self.phase)
        line = FourierLine(self.offset, 0.0, 2 * math.pi * self.frequency, np.array([a]), np.array([b]))
        object.__setattr__(self, "_line", line)

    def scaled(self, k: float) -> Harmonic:
        return Harmonic(k * self.amplitude, self.frequency, self.phase, k * self.offset)

    def describe(self) -> dict[str, Any]:
        return {
            "function": "harmonic",
            "amplitude": self.amplitude,
            "frequency": self.frequency,
            "phase": self.phase,
            "offset": self.offset,
        }


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Fourier(_NamedLine):
    """f(t) = mean + sum_k cos_k cos(2 pi k t / period) + sin_k sin(2 pi k t / period), k = 1, 2, ...

    Parameters
    ----------
    period
        Period [s], or a text such as "20 ms".
    mean
        Mean value, in SI or as a text with a unit. Default 0.
    cos, sin
        Coefficients from the first harmonic on, in the unit of `mean`. The shorter list is extended with zeros. Default: empty.
    over
        Variable of the function: "time" (default), or "angle" for a function of phase, with a period such as "20 deg".
    """

    period: float
    mean: float
    cos: Array
    sin: Array
    over: str

    def __init__(
        self, period: object, mean: object = 0.0, cos: object = (), sin: object = (), *, over: str = "time"
    ) -> None:
        read = ValueReader("Fourier")
        check_over(over, read.what)
        object.__setattr__(self, "over", over)
        object.__setattr__(self, "period", quantity(period, over, what=read.what / "period"))
        if self.period < SMALLEST_STEP:
            raise ModelError(f"Fourier: period must be positive, got {self.period:g}", about=read.what.at("period"))
        object.__setattr__(self, "mean", read(mean, "mean"))
        parts = {}
        for name, given in (("cos", cos), ("sin", sin)):
            parts[name] = array(given, None, what=read.what / name, at_least=0)
            if isinstance(given, (list, tuple)):
                for i, item in enumerate(given):
                    read.note(item, read.what / name / i, f"{name}[{i}]")
        n = max(len(part) for part in parts.values())
        for name, part in parts.items():
            filled = np.concatenate([part, np.zeros(n - len(part))])
            filled.flags.writeable = False
            object.__setattr__(self, name, filled)
        object.__setattr__(self, "dimension", read.dimension)
        object.__setattr__(self, "_line", FourierLine(self.mean, 0.0, 2 * math.pi / self.period, self.cos, self.sin))

    def scaled(self, k: float) -> Fourier:
        return Fourier(self.period, k * self.mean, k * self.cos, k * self.sin, over=self.over)

    def describe(self) -> dict[str, Any]:
        return {
            "function": "fourier",
            "over": self.over,
            "period": self.period,
            "mean": self.mean,
            "cos": self.cos.tolist(),
            "sin": self.sin.tolist(),
        }
