"""Functions of time: their base class, constants, harmonics, Fourier sums, piecewise polynomials."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, UnitError, shown
from pitchline.units.parser import Exponents
from pitchline.units.quantity import array, dimension_name, dimension_of, matrix, quantity

__all__ = [
    "SMALLEST_STEP",
    "FloatArray",
    "Function",
    "Constant",
    "Fourier",
    "FourierLine",
    "Harmonic",
    "PiecewisePolynomial",
    "check_knots",
]


# ---- base

# Base class of functions of time.
#
# A function maps time t [s] (or another scalar, such as a phase) to a value in SI. The model keeps functions as the
# user specified them. The engine calls `encode()`, which returns a record of numbers that compiled code evaluates
# (`numerics.functions`).

SMALLEST_STEP = 1e-30
"""If knots or periods are closer than this, the coefficients leave the range of floating-point numbers."""


@names_wrong_arguments
class Function(ABC):
    """Real function of time; frozen.

    Attributes
    ----------
    dimension
        Exponents of (length, mass, time, temperature, electric current, angle) if the values were given as
        texts with units. None for plain numbers in SI.
    """

    dimension: Exponents | None = None
    is_constant: ClassVar[bool] = False

    def __call__(self, t: Any) -> Any:
        """Evaluate the function.

        Parameters
        ----------
        t
            Time [s], or angle [rad]: a number or an array.

        Returns
        -------
        A float for a number, an array of the same shape for an array.
        """
        times = np.asarray(t, dtype=np.float64)
        values = self._values(np.atleast_1d(times))
        return float(values[0]) if times.ndim == 0 else values.reshape(times.shape)

    @abstractmethod
    def _values(self, t: FloatArray) -> FloatArray:
        """Values at an array of times with at least one dimension."""

    @abstractmethod
    def derivative(self) -> Function:
        """Return df/dt. At a kink it is the slope on the right."""

    @abstractmethod
    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        """Return F with dF/dt = f and F(t0) = value_at_t0.

        Parameters
        ----------
        value_at_t0
            Value of the integral at t0, in SI.
        t0
            Time [s]. Default 0.
        """

    @abstractmethod
    def scaled(self, k: float) -> Function:
        """k f."""

    @abstractmethod
    def encode(self) -> FloatArray:
        """Return the record for compiled code, as an array of numbers; see `numerics.functions`."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the function as specified by the user, as plain data for JSON."""

    def resolved(self, t0: float, t1: float) -> Function:
        """Return a function that can be encoded and is valid for t0 <= t <= t1. This may be the function itself.

        Parameters
        ----------
        t0, t1
            First and last time [s].
        """
        return self

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> FloatArray:
        """Return the sorted times in t0 < t < t1 at which the function or one of its first `order` derivatives is discontinuous.

        Parameters
        ----------
        t0, t1
            Limits of the interval [s].
        order
            Highest derivative that is checked. Default 1.
        """
        return np.empty(0, dtype=np.float64)


def check_over(over: object, what: Subject) -> None:
    """Check the variable of a function: time in s, or an angle (a phase) in rad."""
    if not (isinstance(over, str) and over in ("time", "angle")):
        raise ModelError(f'{what}: over must be "time" or "angle", got {shown(over)}', about=what.at("over"))


class ValueReader:
    """Reader for the values of one function. It checks that all values with units have the same dimension."""

    def __init__(self, what: str) -> None:
        self.what = Subject(what)
        self.dimension: Exponents | None = None

    def __call__(self, value: object, name: str) -> float:
        result = quantity(value, None, what=self.what / name)
        self.note(value, self.what / name, name)
        return result

    def note(self, value: object, about: Subject, name: str) -> None:
        """Compare the dimension of a value, if it has one, with that of the previous values."""
        found = dimension_of(value)
        if found is None:
            return
        if self.dimension is not None and found[:-1] != self.dimension[:-1]:
            raise UnitError(
                f"{self.what}: {name} is {dimension_name(found)}, another value is "
                f"{dimension_name(self.dimension)}; specify all values of one function in the same dimension",
                about=about,
            )
        self.dimension = found


# ---- fourier

# Functions that consist of a straight line and harmonics: Constant, Harmonic, Fourier.


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class FourierLine(Function):
    """f(t) = c0 + c1 t + sum_k a_k cos(k omega t) + b_k sin(k omega t), k = 1..N.

    Common form of the functions in this file; omega in rad/s. Users write Constant, Harmonic or Fourier.
    """

    c0: float
    c1: float = 0.0
    omega: float = 0.0
    cos: FloatArray = field(default_factory=lambda: np.empty(0))
    sin: FloatArray = field(default_factory=lambda: np.empty(0))

    def _values(self, t: FloatArray) -> FloatArray:
        result = self.c0 + self.c1 * t
        for order, a, b in zip(self._orders(), self.cos, self.sin, strict=True):
            result = result + a * np.cos(order * t) + b * np.sin(order * t)
        return result

    def _orders(self) -> FloatArray:
        """k omega for each harmonic [rad/s]."""
        return self.omega * np.arange(1, len(self.cos) + 1, dtype=np.float64)

    def derivative(self) -> Function:
        orders = self._orders()
        return FourierLine(self.c1, 0.0, self.omega, self.sin * orders, -self.cos * orders)

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        from .polynomial import Polynomial, Sum

        orders = self._orders()
        waves = FourierLine(0.0, self.c0, self.omega, -self.sin / orders, self.cos / orders)
        if self.c1 == 0.0:
            return FourierLine(value_at_t0 - waves(t0), self.c0, self.omega, waves.cos, waves.sin)
        square = Polynomial((0.0, 0.0, 0.5 * self.c1))
        return Sum((Constant(value_at_t0 - waves(t0) - square(t0)), waves, square))

    def scaled(self, k: float) -> Function:
        return FourierLine(k * self.c0, k * self.c1, self.omega, k * self.cos, k * self.sin)

    def encode(self) -> FloatArray:
        from pitchline.numerics.fields import packed  # late: numba takes long to import, and models do without it
        from pitchline.numerics.functions import HARMONICS, Harmonics

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

    def _values(self, t: FloatArray) -> FloatArray:
        return self._line._values(t)

    def derivative(self) -> Function:
        return self._line.derivative()

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        return self._line.integral(value_at_t0, t0)

    def scaled(self, k: float) -> Function:
        return self._line.scaled(k)

    def encode(self) -> FloatArray:
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
    cos: FloatArray
    sin: FloatArray
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


_OUTSIDE = ("hold", "continue", "error")
_JUMP = 1e-9  # relative: a smaller step between two pieces is a rounding error


def check_knots(t: FloatArray, what: str) -> None:
    """Check that the knots increase strictly."""
    steps = np.diff(t)
    wrong = steps < SMALLEST_STEP
    if wrong.any():
        i = int(np.argmax(wrong))
        raise ModelError(
            f"{what} must increase strictly, but item {i + 1} ({t[i + 1]:g}) follows {t[i]:g}; "
            "sort the points, and for a jump use two close times",
            about=what,
        )


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class PiecewisePolynomial(Function):
    """f(t) = sum_k c[i, k] (t - t_i)^k for t_i <= t < t_(i+1).

    Parameters
    ----------
    t
        Knots t_0 < t_1 < ... < t_n [s].
    coefficients
        (n, degree + 1), ascending powers, in SI.
    periodic
        If True, the function repeats with the period t_n - t_0, and `gain_per_period` is added at each repetition. Default False.
    gain_per_period
        Increase of the value in one period, in SI. Default 0.
    outside
        Values before t_0 and after t_n without period: "hold" the end values (default), "continue" the end pieces, or "error".
    over
        Variable of the function and unit of t: "time" [s] (default), or "angle" [rad] for a function of phase.
    what
        Name of the function in messages.
    """

    t: FloatArray
    coefficients: FloatArray
    periodic: bool
    gain_per_period: float
    outside: str
    over: str

    def __init__(
        self,
        t: object,
        coefficients: object,
        *,
        periodic: bool = False,
        gain_per_period: float = 0.0,
        outside: str = "hold",
        over: str = "time",
        what: str = "PiecewisePolynomial",
    ) -> None:
        what = Subject(what)
        check_over(over, what)
        knots = array(t, over, what=what / "t", at_least=2)
        check_knots(knots, what / "t")
        if isinstance(coefficients, np.ndarray) and coefficients.ndim == 2 and coefficients.dtype.kind == "f":
            c = np.array(coefficients, dtype=np.float64)  # long tables: no Python loop
            if not np.all(np.isfinite(c)):
                raise ModelError(f"{what}: coefficients must be finite", about=what.at("coefficients"))
            c.flags.writeable = False
        else:
            width = (
                len(coefficients[0])
                if isinstance(coefficients, (list, tuple))
                and coefficients
                and (isinstance(coefficients[0], (list, tuple)))
                else 1
            )
            c = matrix(coefficients, None, what=what / "coefficients", shape=(len(knots) - 1, width))
        if c.shape[0] != len(knots) - 1 or c.shape[1] < 1:
            raise ModelError(
                f"{what}: {len(knots)} knots make {len(knots) - 1} pieces, but coefficients "
                f"have shape {c.shape}; specify one row for each piece",
                about=what.at("coefficients"),
            )
        check_outside(outside, what)
        object.__setattr__(self, "t", knots)
        object.__setattr__(self, "coefficients", c)
        object.__setattr__(self, "periodic", bool(periodic))
        object.__setattr__(self, "gain_per_period", float(gain_per_period))
        object.__setattr__(self, "outside", outside)
        object.__setattr__(self, "over", over)

    @property
    def period(self) -> float:
        """t_n - t_0 if the function is periodic, otherwise 0."""
        return float(self.t[-1] - self.t[0]) if self.periodic else 0.0

    @property
    def uniform_step(self) -> float:
        """Distance of the knots if it is constant, otherwise 0."""
        n = len(self.t) - 1
        step = float(self.t[-1] - self.t[0]) / n
        even = np.abs(self.t - (self.t[0] + step * np.arange(n + 1))).max() <= 1e-9 * step
        return step if even else 0.0

    def _values(self, t: FloatArray) -> FloatArray:
        lift: FloatArray | float = 0.0
        if self.periodic:
            turns = np.floor((t - self.t[0]) / self.period)
            t = t - turns * self.period
            lift = turns * self.gain_per_period
        elif self.outside == "hold":
            t = np.clip(t, self.t[0], self.t[-1])
        elif self.outside == "error":
            self._check_inside(float(np.min(t)), float(np.max(t)))
        i = np.minimum(np.maximum(self.t.searchsorted(t, side="right") - 1, 0), len(self.t) - 2)
        s = t - self.t[i]
        result = np.zeros_like(s)
        for k in range(self.coefficients.shape[1] - 1, -1, -1):
            result = result * s + self.coefficients[i, k]
        return result + lift

    def _check_inside(self, t0: float, t1: float) -> None:
        slack = 1e-12 * float(self.t[-1] - self.t[0])
        if t0 < self.t[0] - slack or t1 > self.t[-1] + slack:
            raise ModelError(
                f"a table from {self.t[0]:g} to {self.t[-1]:g} is needed from {t0:g} to {t1:g}; extend the "
                'table, or specify the values outside: outside="hold", outside="continue" or periodic=True'
            )

    def _like(self, coefficients: FloatArray, gain: float = 0.0) -> PiecewisePolynomial:
        return self._made(self.t, coefficients, gain, self.outside, self.over)

    def _made(
        self, t: FloatArray, coefficients: FloatArray, gain: float, outside: str, over: str
    ) -> PiecewisePolynomial:
        """Function with other pieces. They are computed from those of this function: of the checks, few are necessary."""
        c = np.array(coefficients, dtype=np.float64)
        if not (np.isfinite(c).all() and np.isfinite(t).all() and (t[1:] - t[:-1] >= SMALLEST_STEP).all()):
            return PiecewisePolynomial(
                t, c, periodic=self.periodic, gain_per_period=gain, outside=outside, over=over
            )  # raises the error
        c.flags.writeable = t.flags.writeable = False
        made = object.__new__(PiecewisePolynomial)
        made.__dict__.update(
            t=t, coefficients=c, periodic=self.periodic, gain_per_period=float(gain), outside=outside, over=over
        )
        return made

    def _continued(self) -> PiecewisePolynomial:
        """The same function without `hold`: with constant pieces before and after, continued."""
        if self.periodic or self.outside != "hold":
            return self
        width = float(self.t[-1] - self.t[0]) / (len(self.t) - 1)
        ends = np.zeros((2, self.coefficients.shape[1]))
        ends[:, 0] = self.coefficients[0, 0], _horner(self.coefficients[-1], float(self.t[-1] - self.t[-2]))
        t = np.concatenate([[self.t[0] - width], self.t, [self.t[-1] + width]])
        return self._made(t, np.vstack([ends[:1], self.coefficients, ends[1:]]), 0.0, "continue", "time")

    def derivative(self) -> Function:
        f = self._continued()
        c = f.coefficients
        return f._like(c[:, 1:] * np.arange(1, c.shape[1]) if c.shape[1] > 1 else np.zeros((len(c), 1)))

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        from .polynomial import Polynomial, Sum

        if self.periodic and self.gain_per_period != 0.0:
            # f = g + rate (t - t_0), g periodic without gain: the line is integrated separately, to a parabola.
            rate = self.gain_per_period / self.period
            c = np.zeros((len(self.coefficients), max(2, self.coefficients.shape[1])))
            c[:, : self.coefficients.shape[1]] = self.coefficients
            c[:, 0] -= rate * (self.t[:-1] - self.t[0])
            c[:, 1] -= rate
            waves = self._like(c).integral(0.0, t0)
            line = Polynomial((-rate * float(self.t[0]), rate)).integral(value_at_t0, t0)
            return Sum((waves, line))
        f = self._continued()
        c = f.coefficients
        raised = np.zeros((c.shape[0], c.shape[1] + 1))
        raised[:, 1:] = c / np.arange(1, c.shape[1] + 1)
        h = f.t[1:] - f.t[:-1]
        areas = np.zeros(len(h))
        for k in range(raised.shape[1] - 1, 0, -1):
            areas = (areas + raised[:, k]) * h
        raised[1:, 0] = np.cumsum(areas)[:-1]
        gain = float(areas.sum()) if self.periodic else 0.0
        if f.periodic or f.outside != "continue":
            shift = value_at_t0 - f._like(raised, gain)(t0)
        else:
            i = min(max(int(f.t.searchsorted(t0, side="right")) - 1, 0), len(h) - 1)
            shift = value_at_t0 - _horner(raised[i], float(t0 - f.t[i]))
        raised[:, 0] += shift
        return f._like(raised, gain)

    def scaled(self, k: float) -> Function:
        return self._like(k * self.coefficients, k * self.gain_per_period)

    def resolved(self, t0: float, t1: float) -> Function:
        if self.outside == "error" and not self.periodic:
            self._check_inside(t0, t1)
        return self

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> FloatArray:
        f = self._continued()
        knots = f.t[f._rough_knots(order)]
        if self.periodic and len(knots):
            first = np.floor((t0 - self.t[0]) / self.period)
            last = np.ceil((t1 - self.t[0]) / self.period)
            turns = np.arange(first, last + 1)
            knots = np.unique((knots[None, :] + turns[:, None] * self.period).ravel())
        return knots[(knots > t0) & (knots < t1)]

    def _rough_knots(self, order: int) -> npt.NDArray[np.bool_]:
        """Knots at which the value or a derivative up to `order` is discontinuous."""
        c, h = self.coefficients, np.diff(self.t)
        rough = np.zeros(len(self.t), dtype=bool)
        for k in range(order + 1):
            if k:
                c = c[:, 1:] * np.arange(1, c.shape[1]) if c.shape[1] > 1 else np.zeros((len(c), 1))
            end = np.zeros(len(h))
            for j in range(c.shape[1] - 1, -1, -1):
                end = end * h + c[:, j]
            size = float((np.abs(c) * h[:, None] ** np.arange(c.shape[1])).sum(axis=1).max())
            rough[1:-1] |= np.abs(end[:-1] - c[1:, 0]) > _JUMP * size
            if self.periodic:
                gain = self.gain_per_period if k == 0 else 0.0
                rough[0] |= abs(end[-1] - c[0, 0] - gain) > _JUMP * size
        return rough

    def encode(self) -> FloatArray:
        from pitchline.numerics.fields import packed  # late: numba takes long to import, and models do without it
        from pitchline.numerics.functions import PIECES, Pieces

        return packed(
            Pieces,
            {
                "kind": PIECES,
                "period": self.period,
                "gain": self.gain_per_period,
                "step": self.uniform_step,
                "continued": self.outside == "continue",
                "knots": self.t,
                "coefficients": self.coefficients,
            },
        )

    def describe(self) -> dict[str, Any]:
        return {
            "function": "piecewise polynomial",
            "t": self.t.tolist(),
            "coefficients": self.coefficients.tolist(),
            "periodic": self.periodic,
            "gain_per_period": self.gain_per_period,
            "outside": self.outside,
            "over": self.over,
        }


def _horner(coefficients: FloatArray, s: float) -> float:
    """Polynomial with ascending powers at s; the same numbers as `_values` gives."""
    value = 0.0
    for c in reversed(coefficients.tolist()):
        value = value * s + c
    return float(value + 0.0)


def check_outside(outside: object, what: Subject) -> None:
    if not (isinstance(outside, str) and outside in _OUTSIDE):
        raise ModelError(
            f'{what}: outside must be "hold", "continue" or "error", got {shown(outside)}', about=what.at("outside")
        )
