"""Varying: a value of a mesh that repeats with every tooth or every revolution of a wheel, or that depends on time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import one_of
from pitchline.errors import ModelError, Subject, shown
from pitchline.functions.piecewise import Constant, Fourier, FourierLine, Function, PiecewisePolynomial
from pitchline.functions.polynomial import Sum
from pitchline.functions.sampled import Sampled, Table, as_function, spline_coefficients
from pitchline.units.parser import Exponents
from pitchline.units.quantity import quantity

__all__ = ["CYCLES", "TIME", "Varying", "as_varying"]

TIME = "time"
CYCLES = ("mesh cycle", "revolution of a", "revolution of b", TIME)
"""Cycles over which a value may vary: one mesh cycle, or a revolution of either wheel; errors and backlash also over time."""

_TURN = 2.0 * math.pi
_FITS = 1e-9  # relative: period as a whole fraction of a revolution; equal values at both ends
_EVEN_KNOTS = (64, 128, 256, 512, 1024, 2048)
_SAMPLED_TO = 1e-9  # of the range of the values, as for functions of time
_CHECKS = (0.5, 0.2763932)  # fractions of an interval
_LOOK = 4096
_LONG = 100.0  # s


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Varying:
    """Value over a cycle of the mesh: a function of an angle [rad] with the period 2π. Or value over time.

    Parameters
    ----------
    function
        `Fourier(..., over="angle")` or `Table(..., periodic=True, over="angle")` with a period of 2π ("360 deg") or a whole
        fraction of it; a `Sum` of such functions; or a Python callable angle -> value (SI). A callable is sampled immediately
        over 0 to 2π: at equal steps, with a periodic cubic spline, to 1e-9 of the range of its values; at unequal steps if it
        has kinks or jumps. A stiffness with a jump changes the energy suddenly. Use steep but continuous transitions if energy
        is important.
    over
        Meaning of 2π. "mesh cycle" (default): one tooth. The angle is z_A ψ_A, and is 0 if the middle of a tooth of A passes
        the pitch point. "revolution of a", "revolution of b": a revolution of that wheel. The angle is its ψ, and is 0 if the
        tooth on the x axis of gear A (the space after it on gear B) is at the pitch point. "time": any function of time [s],
        such as `Ramp`, `Table` or a Python callable; only for errors and backlash.

    Attributes
    ----------
    function : Function
        Function with the period 2π, or of time. It can be encoded. If a Python callable was specified, `said` contains this
        callable.
    over : str
    """

    function: Function
    over: str
    said: Function

    def __init__(self, function: object, over: str = "mesh cycle", *, what: str = "Varying") -> None:
        what = Subject(what)
        if not one_of(over, CYCLES):
            options = ", ".join(f'"{cycle}"' for cycle in CYCLES[:-1])
            raise ModelError(
                f'{what}: over must be {options} or "{CYCLES[-1]}", got {shown(over)}', about=what.at("over")
            )
        if isinstance(function, Varying):
            raise ModelError(f"{what}: the function is already a Varying; use it directly", about=what.at("function"))
        said = as_function(function, None, what=what.at("function"))
        found = _of_time(said, what.at("function")) if over == TIME else _periodic(said, what.at("function"))
        object.__setattr__(self, "function", found)
        object.__setattr__(self, "over", over)
        object.__setattr__(self, "said", said)

    def __call__(self, angle: Any) -> Any:
        """Evaluate the function.

        Parameters
        ----------
        angle
            Angle [rad]: a number or an array.
        """
        return self.function(angle)

    @property
    def dimension(self) -> Exponents | None:
        """Dimension of the values if they were given with units; see `Function`."""
        return self.said.dimension

    @property
    def mean(self) -> float:
        """(1/2π) ∫ f dφ over 0 to 2π. For a function of time: its value at t = 0."""
        if self.over == TIME:
            return float(self.function(0.0))
        return float(self.function.integral(0.0)(_TURN)) / _TURN

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest value, from 4096 angles and the points of tables. For a function of time: in 0 to 100 s."""
        if self.over == TIME:
            knots = self.function.breakpoints(0.0, _LONG, order=1)
            times = np.concatenate([np.linspace(0.0, 1.0, 65), np.linspace(1.0, _LONG, _LOOK), knots])
            for part in self.function.terms if isinstance(self.function, Sum) else (self.function,):
                if getattr(part, "outside", "") == "error":
                    times = times[(times >= part.t[0]) & (times <= part.t[-1])]
            seen = self.function(times) if times.size else np.array([self.mean])
            return float(seen.min()), float(seen.max())
        values = self.function(_looks(self.function))
        return float(values.min()), float(values.max())

    def scaled(self, k: float) -> Varying:
        """Return k f over the same cycle.

        Parameters
        ----------
        k
            Factor.
        """
        return self._with(self.function.scaled(k), self.said.scaled(k))

    def less(self, value: float) -> Varying:
        """Return f − value over the same cycle.

        Parameters
        ----------
        value
            Number to subtract.
        """
        return self._with(*(Sum((f, Constant(-value))) for f in (self.function, self.said)))

    def _with(self, function: Function, said: Function) -> Varying:
        result = object.__new__(type(self))
        object.__setattr__(result, "function", function)
        object.__setattr__(result, "over", self.over)
        object.__setattr__(result, "said", said)
        return result

    def describe(self) -> dict[str, Any]:
        """Return the value as specified by the user, as plain data for JSON."""
        return {"type": "Varying", "over": self.over, "function": self.said.describe()}

    def __repr__(self) -> str:
        return f"Varying({self.said.describe()['function']}, over={self.over!r})"


def as_varying(value: object, dimension: str, *, what: str) -> float | Varying:
    """Read a number (SI), a text with a unit, a function over the mesh cycle or a Varying. Constants become numbers."""
    if isinstance(value, Varying):
        as_function(value.said, dimension, what=what)
        return value.function.value if isinstance(value.function, Constant) else value
    if isinstance(value, Constant):
        as_function(value, dimension, what=what)
        return value.value
    if isinstance(value, Function) or (callable(value) and not isinstance(value, type)):
        as_function(value, dimension, what=what)
        return Varying(value, what=what)
    return quantity(value, dimension, what=what)


def _of_time(f: Function, what: str) -> Function:
    """Return the function if it is one of time."""
    for part in f.terms if isinstance(f, Sum) else (f,):
        if getattr(part, "over", "time") != "time":
            raise ModelError(
                f'{what}: the {type(part).__name__} is a function of an angle; omit its over="angle", or specify over="mesh cycle" '
                "for the Varying",
                about=what,
            )
    return f


def _periodic(f: Function, what: str) -> Function:
    """Return the function itself if it repeats with a revolution; a callable as a periodic piecewise cubic function."""
    if isinstance(f, Sampled):
        return _sampled(f, what)
    if isinstance(f, Sum):
        terms = tuple(_periodic(term, what) for term in f.terms)
        same = all(new is old for new, old in zip(terms, f.terms, strict=True))
        return f if same else Sum(terms)
    if isinstance(f, Constant):
        return f
    if isinstance(f, FourierLine):  # the form of sums, products with numbers and derivatives of a Fourier
        if f.c1 == 0.0 and (len(f.cos) == 0 or _is_fraction(_TURN / f.omega)):
            return f
    elif isinstance(f, (Fourier, Table, PiecewisePolynomial)):
        return _checked(f, what)
    raise ModelError(
        f'{what}: a {type(f).__name__} is not periodic in an angle; use Fourier(period="360 deg", ..., '
        'over="angle"), Table(..., periodic=True, over="angle") or a callable of the angle. A value that depends on time is '
        'Varying(..., over="time")',
        about=what,
    )


def _checked(f: Fourier | Table | PiecewisePolynomial, what: str) -> Function:
    name = type(f).__name__
    if f.over != "angle":
        raise ModelError(
            f'{what}: the {name} is a function of {f.over}; specify over="angle", with a period of "360 deg" for one cycle. '
            'A value that depends on time is Varying(..., over="time")',
            about=what,
        )
    if isinstance(f, Fourier):
        period = f.period
    else:
        if not f.periodic or (isinstance(f, PiecewisePolynomial) and f.gain_per_period):
            raise ModelError(
                f"{what}: the {name} is not periodic; specify periodic=True, from 0 to 360 deg", about=what
            )
        period = float(f.t[-1] - f.t[0])
    if not _is_fraction(period):
        raise ModelError(
            f"{what}: the period of the {name} is {math.degrees(period):.10g} deg ({period:.10g} rad); one cycle is "
            "360 deg (2*math.pi); use this period or a whole fraction of it",
            about=what,
        )
    return f


def _is_fraction(period: float) -> bool:
    """Whether a revolution is a whole number of periods."""
    count = _TURN / period
    return round(count) >= 1 and abs(count - round(count)) <= _FITS * count


def _sampled(f: Sampled, what: str) -> Function:
    first, last = f(0.0), f(_TURN)
    size = max(abs(first), abs(last), abs(f(1.0)), abs(f(4.0)))
    if abs(last - first) > _FITS * size:
        raise ModelError(
            f"{what}: the callable is not periodic with 2 pi: {first:.10g} at 0 and {last:.10g} at 2 pi; use a "
            "function of the angle in rad that repeats every 2 pi",
            about=what,
        )
    known: dict[float, float] = {}

    def values(angles: FloatArray) -> FloatArray:
        for angle in angles.tolist():
            if angle not in known:
                known[angle] = f(angle)
        return np.array([known[angle] for angle in angles.tolist()])

    for n in _EVEN_KNOTS:
        knots = np.linspace(0.0, _TURN, n + 1)
        heights = values(knots)
        heights[-1] = heights[0]
        c = spline_coefficients(knots, heights, periodic=True)
        allowed = max(_SAMPLED_TO * float(np.ptp(heights)), 1e-13 * float(np.abs(heights).max()))
        step = _TURN / n
        worst = 0.0
        for fraction in _CHECKS:
            s = fraction * step
            fitted = c[:, 0] + s * (c[:, 1] + s * (c[:, 2] + s * c[:, 3]))
            worst = max(worst, float(np.abs(fitted - values(knots[:-1] + s)).max()))
        if worst <= allowed:
            return PiecewisePolynomial(knots, c, periodic=True, over="angle", what=what)
    # Kinks and jumps: detected by the sampler for functions of time.
    fitted_parts = f.resolved(0.0, _TURN)
    assert isinstance(fitted_parts, PiecewisePolynomial)
    return PiecewisePolynomial(fitted_parts.t, fitted_parts.coefficients, periodic=True, over="angle", what=what)


def _looks(f: Function) -> FloatArray:
    """Angles in 0 to 2π at which a function is sampled: at equal steps, and at the ends of its pieces."""
    knots = f.breakpoints(-_TURN, _TURN, order=1)
    return np.concatenate([np.linspace(0.0, _TURN, _LOOK + 1), np.mod(knots, _TURN)])
