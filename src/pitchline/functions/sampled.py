"""Functions of time: ramps, tables, and Python callables that are converted to cubic pieces."""

from __future__ import annotations

import contextlib
import inspect
import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, UnitError, shown
from pitchline.units.quantity import LARGEST, array, canonical_unit, compatible, dimension_name, quantity

from .piecewise import (
    SMALLEST_STEP,
    Constant,
    Function,
    PiecewisePolynomial,
    ValueReader,
    check_knots,
    check_outside,
    check_over,
)

__all__ = ["PiecewiseBased", "Ramp", "Table", "spline_coefficients", "Sampled", "as_function"]


# ---- ramp

# Ramp: transition from one value to another, linear or smooth.


@names_wrong_arguments
class PiecewiseBased(Function):
    """Function for users that is evaluated by its piecewise polynomial."""

    _pieces: PiecewisePolynomial

    def _values(self, t: FloatArray) -> FloatArray:
        return self._pieces._values(t)

    def derivative(self) -> Function:
        return self._pieces.derivative()

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        return self._pieces.integral(value_at_t0, t0)

    def scaled(self, k: float) -> Function:
        return self._pieces.scaled(k)

    def resolved(self, t0: float, t1: float) -> Function:
        self._pieces.resolved(t0, t1)
        return self

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> FloatArray:
        return self._pieces.breakpoints(t0, t1, order=order)

    def encode(self) -> FloatArray:
        return self._pieces.encode()


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Ramp(PiecewiseBased):
    """Transition from `start` at t0 to `end` at t1; constant before and after.

    With s = (t - t0) / (t1 - t0) and D = end - start:

        smooth:     f = start + D (10 s^3 - 15 s^4 + 6 s^5)    (two continuous derivatives)
        not smooth: f = start + D s

    Parameters
    ----------
    start, end
        Values in SI, or texts with a unit.
    t0, t1
        Times [s] or texts with a unit; t0 < t1. Default 0 and 1 s.
    smooth
        Whether the transition is smooth, see the formulas above. Default True.
    """

    start: float
    end: float
    t0: float
    t1: float
    smooth: bool

    def __init__(self, start: object, end: object, t0: object = 0.0, t1: object = 1.0, smooth: bool = True) -> None:
        read = ValueReader("Ramp")
        object.__setattr__(self, "start", read(start, "start"))
        object.__setattr__(self, "end", read(end, "end"))
        object.__setattr__(self, "t0", quantity(t0, "time", what=read.what / "t0"))
        object.__setattr__(self, "t1", quantity(t1, "time", what=read.what / "t1"))
        object.__setattr__(self, "smooth", smooth)
        object.__setattr__(self, "dimension", read.dimension)
        if not isinstance(smooth, bool):
            raise ModelError(f"Ramp: smooth must be True or False, got {shown(smooth)}", about=read.what.at("smooth"))
        if self.t1 - self.t0 < SMALLEST_STEP:
            raise ModelError(
                f"Ramp: t0 must be less than t1, got t0 = {self.t0:g} s and t1 = {self.t1:g} s",
                about=read.what.at("t0"),
            )
        h, rise = self.t1 - self.t0, self.end - self.start
        if smooth:
            c = [self.start, 0.0, 0.0, 10 * rise / h**3, -15 * rise / h**4, 6 * rise / h**5]
        else:
            c = [self.start, rise / h]
        pieces = PiecewisePolynomial(np.array([self.t0, self.t1]), np.array([c]), what="Ramp")
        object.__setattr__(self, "_pieces", pieces)

    def scaled(self, k: float) -> Ramp:
        return Ramp(k * self.start, k * self.end, self.t0, self.t1, self.smooth)

    def describe(self) -> dict[str, Any]:
        return {
            "function": "ramp",
            "start": self.start,
            "end": self.end,
            "t0": self.t0,
            "t1": self.t1,
            "smooth": self.smooth,
        }


# ---- table

# Table: points in time, connected by straight lines or by a cubic spline.


def spline_coefficients(t: FloatArray, values: FloatArray, *, periodic: bool = False) -> FloatArray:
    """Coefficients (n - 1, 4), ascending powers, of the C2 cubic spline (not-a-knot or periodic) through points."""
    from scipy.interpolate import CubicSpline  # late: scipy takes long to import and few models need it

    spline = CubicSpline(t, values, bc_type="periodic" if periodic else "not-a-knot")
    return np.ascontiguousarray(spline.c[::-1].T)


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Table(PiecewiseBased):
    """Points (t_i, value_i) with interpolation.

    Parameters
    ----------
    t
        Times [s] or texts with a unit, increasing; at least two.
    values
        One value for each time, in SI or as texts with a unit.
    kind
        "linear" (default), or "cubic": a spline with two continuous derivatives.
    periodic
        If True, the table repeats. The last value must equal the first, because it is the same point of the next
        period. Default False.
    outside
        Values before the first and after the last point: "hold" the end value (default), "continue" the end piece, or "error".
    over
        Variable of the table and unit of t: "time" [s] (default), or "angle" [rad] for a table over phase.
    """

    t: FloatArray
    values: FloatArray
    kind: str
    periodic: bool
    outside: str
    over: str

    def __init__(
        self,
        t: object,
        values: object,
        kind: str = "linear",
        *,
        periodic: bool = False,
        outside: str = "hold",
        over: str = "time",
    ) -> None:
        read = ValueReader("Table")
        what = read.what
        check_over(over, what)
        times = array(t, over, what=what / "t", at_least=2)
        heights = array(values, None, what=what / "values", at_least=2)
        if isinstance(values, (list, tuple)):
            for i, item in enumerate(values):
                read.note(item, what / "values" / i, f"values[{i}]")
        if len(times) != len(heights):
            raise ModelError(
                f"Table: {len(times)} times but {len(heights)} values; specify one value for each time",
                about=what.at("values"),
            )
        check_knots(times, what / "t")
        if not (isinstance(kind, str) and kind in ("linear", "cubic")):
            raise ModelError(f'Table: kind must be "linear" or "cubic", got {shown(kind)}', about=what.at("kind"))
        if not isinstance(periodic, bool):
            raise ModelError(f"Table: periodic must be True or False, got {shown(periodic)}", about=what.at("periodic"))
        check_outside(outside, what)
        if periodic:
            if abs(heights[-1] - heights[0]) > 1e-9 * float(np.abs(heights).max()):
                raise ModelError(
                    f"Table: the first and last values of a periodic table must be equal, but the first value is "
                    f"{heights[0]:g} and the last {heights[-1]:g}; repeat the first value at the end",
                    about=what.at("values"),
                )
            heights = heights.copy()
            heights[-1] = heights[0]
            heights.flags.writeable = False
        if kind == "cubic":
            c = spline_coefficients(times, heights, periodic=periodic)
        else:
            c = np.column_stack([heights[:-1], np.diff(heights) / np.diff(times)])
        pieces = PiecewisePolynomial(times, c, periodic=periodic, outside=outside, over=over, what="Table")
        for name, value in (
            ("t", times),
            ("values", heights),
            ("kind", kind),
            ("periodic", periodic),
            ("outside", outside),
            ("over", over),
            ("dimension", read.dimension),
            ("_pieces", pieces),
        ):
            object.__setattr__(self, name, value)

    def describe(self) -> dict[str, Any]:
        return {
            "function": "table",
            "t": self.t.tolist(),
            "values": self.values.tolist(),
            "kind": self.kind,
            "periodic": self.periodic,
            "outside": self.outside,
            "over": self.over,
        }


TOLERANCE = 1e-9
"""Largest error between the knots, relative to the range of the values."""
MOST_KNOTS = 200_000
_FIRST_INTERVALS = 32
_NARROWEST = 1e-11  # of the whole span: if an interval this small still fails, it contains a kink or a jump
_MOST_BREAKS = 2_000
_CHECKS = (
    0.5,
    0.2763932,
)  # fractions of an interval; the second one detects periodic callables that hide at the middle


@dataclass(frozen=True, eq=False, init=False)
class Sampled(Function):
    """Python callable t -> value (floats, SI).

    Compiled code cannot call it. `resolved(t0, t1)` samples it to a piecewise cubic function and refines the knots until the
    error between them is below 1e-9 of the range of the values. Kinks and jumps are detected and become breakpoints. The
    callable must return the same value for the same time.

    Parameters
    ----------
    callable
        Python function of the time t [s] that returns a value in SI.
    """

    callable: Callable[[float], Any]
    factor: float
    what: str

    def __init__(self, callable: Callable[[float], Any], *, factor: float = 1.0, what: str = "Sampled") -> None:
        if not _is_callable(callable):
            raise ModelError(f"{what}: expected a callable t -> value, got {shown(callable)}", about=what)
        _check_signature(callable, what)
        object.__setattr__(self, "callable", callable)
        object.__setattr__(self, "factor", factor)
        object.__setattr__(self, "what", what)

    def _value(self, t: float) -> float:
        try:
            value = self.callable(t)
        except Exception as error:
            raise ModelError(
                f"{self.what}: the callable failed at t = {t:g}: {type(error).__name__}: {error}"
            ) from error
        if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
            value = value.item()
        number = math.nan
        if not isinstance(value, bool) and isinstance(value, numbers.Real):
            with contextlib.suppress(OverflowError):
                number = float(value)
        if not abs(number) <= LARGEST:
            raise ModelError(
                f"{self.what}: the callable must return a finite number, but at t = {t:g} it returned "
                f"{shown(value)} ({type(value).__name__})"
            )
        return self.factor * number

    def _values(self, t: FloatArray) -> FloatArray:
        return np.array([self._value(float(time)) for time in t.ravel()]).reshape(t.shape)

    def _not_yet(self, wish: str) -> NoReturn:
        raise ModelError(f"{self.what}: a callable has no {wish}; call resolved(t0, t1) first, or use a Table")

    def derivative(self) -> Function:
        self._not_yet("derivative")

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        self._not_yet("integral")

    def encode(self) -> FloatArray:
        self._not_yet("encoding")

    def scaled(self, k: float) -> Sampled:
        return Sampled(self.callable, factor=k * self.factor, what=self.what)

    def describe(self) -> dict[str, Any]:
        result: dict[str, Any] = {"function": "callable", "callable": repr(self.callable)}
        return result if self.factor == 1.0 else {**result, "factor": self.factor}

    def resolved(self, t0: float, t1: float) -> Function:
        """Return the piecewise cubic function for t0 <= t <= t1 (a constant if t0 = t1).

        Parameters
        ----------
        t0, t1
            First and last time [s].
        """
        if not t0 < t1:
            from .piecewise import Constant

            return Constant(self._value(t0))
        return _Sampler(self, t0, t1).run()


def _is_callable(value: object) -> bool:
    return callable(value)


def _check_signature(function: Callable[..., Any], what: str) -> None:
    """Check that a callable takes one argument, the time, before the analysis starts."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some compiled callables have no signature
        return
    try:
        signature.bind(0.0)
    except TypeError as error:
        raise ModelError(
            f"{what}: the callable must take one argument, the time t, but it is "
            f"{shown(function)} with {signature}: {error}",
            about=what,
        ) from None


class _Sampler:
    """Adaptive sampling of one callable over one interval.

    Between two breaks the function is a C2 cubic spline. An interval is halved if the error at its check points is too large.
    An interval that becomes very narrow contains a kink or a jump: it is replaced by a straight line, and the two sides are
    fitted separately.
    """

    def __init__(self, f: Sampled, t0: float, t1: float) -> None:
        self.f = f
        self.span = (t0, t1)
        self.known: dict[float, float] = {}
        self.low, self.high = math.inf, -math.inf
        self.narrowest = max(_NARROWEST * (t1 - t0), 8 * math.ulp(max(abs(t0), abs(t1))))

    def value(self, t: float) -> float:
        result = self.known.get(t)
        if result is None:
            result = self.known[t] = self.f._value(t)
            self.low, self.high = min(self.low, result), max(self.high, result)
        return result

    def values(self, t: FloatArray) -> FloatArray:
        return np.array([self.value(time) for time in t.tolist()])

    def tolerance(self) -> float:
        size = max(abs(self.low), abs(self.high))
        return max(TOLERANCE * (self.high - self.low), 1e-14 * size)

    def run(self) -> PiecewisePolynomial:
        waiting = [self.span]
        parts: list[tuple[FloatArray, FloatArray]] = []
        bridges = 0
        while waiting:
            left, right = waiting.pop()
            t, c, breaks = self.fit(left, right)
            if not breaks:
                parts.append((t, c))
                continue
            bridges += len(breaks)
            if bridges > _MOST_BREAKS:
                self.give_up(f"it has more than {_MOST_BREAKS} kinks or jumps")
            start = left
            for a, b in breaks:
                if start < a:
                    waiting.append((start, a))
                slope = (self.value(b) - self.value(a)) / (b - a)
                parts.append((np.array([a, b]), np.array([[self.value(a), slope, 0.0, 0.0]])))
                start = b
            if start < right:
                waiting.append((start, right))
        parts.sort(key=lambda part: part[0][0])
        knots = np.concatenate([part[0][:-1] for part in parts] + [parts[-1][0][-1:]])
        if len(knots) > MOST_KNOTS:
            self.give_up(f"it needs more than {MOST_KNOTS} points")
        # continued beyond its ends, so that finite differences can be used there
        coefficients = np.vstack([part[1] for part in parts])
        return PiecewisePolynomial(knots, coefficients, outside="continue", what=self.f.what)

    def fit(self, left: float, right: float) -> tuple[FloatArray, FloatArray, list[tuple[float, float]]]:
        """Knots and coefficients over one smooth part, or the narrow intervals at which it must be divided."""
        t = np.linspace(left, right, _FIRST_INTERVALS + 1)
        if right - left < 64 * self.narrowest:
            t = np.array([left, right])
        while True:
            values = self.values(t)
            c = spline_coefficients(t, values)
            if c.shape[1] < 4:
                c = np.hstack([c, np.zeros((len(c), 4 - c.shape[1]))])
            error = self.errors(t, c)
            bad = error > self.tolerance()
            if not bad.any():
                return t, c, []
            width = np.diff(t)
            narrow = bad & (width <= 2 * self.narrowest)
            wide = bad & ~narrow
            if not wide.any() or (narrow.any() and len(t) > 20 * _FIRST_INTERVALS):
                return t, c, self.worst_of_each_group(t, error, narrow)
            if len(t) + int(wide.sum()) > MOST_KNOTS:
                self.give_up(f"{MOST_KNOTS} points are not enough for it")
            t = np.sort(np.concatenate([t, t[:-1][wide] + 0.5 * width[wide]]))

    def errors(self, t: FloatArray, c: FloatArray) -> FloatArray:
        width = np.diff(t)
        worst = np.zeros(len(width))
        for fraction in _CHECKS:
            s = fraction * width
            fitted = c[:, 0] + s * (c[:, 1] + s * (c[:, 2] + s * c[:, 3]))
            worst = np.maximum(worst, np.abs(fitted - self.values(t[:-1] + s)))
        return worst

    @staticmethod
    def worst_of_each_group(t: FloatArray, error: FloatArray, narrow: Any) -> list[tuple[float, float]]:
        """In each group of neighbouring narrow intervals, return the one with the largest error."""
        breaks = []
        index = np.flatnonzero(narrow)
        for group in np.split(index, np.flatnonzero(np.diff(index) > 8) + 1):
            i = int(group[np.argmax(error[group])])
            breaks.append((float(t[i]), float(t[i + 1])))
        return breaks

    def give_up(self, why: str) -> NoReturn:
        t0, t1 = self.span
        raise ModelError(
            f"{self.f.what}: the callable cannot be sampled to {TOLERANCE:g} of its range over "
            f"t = {t0:g} to {t1:g} s: {why}; use a Table with the relevant points instead"
        )


# ---- convert

# as_function: conversion of a value over time to a Function.


def as_function(value: object, dimension: str | None, *, what: str) -> Function:
    """Convert a number (SI), a text with a unit, a Function or a Python callable t -> value to a Function.

    If the values of a Function were given as texts, they must have the right dimension. Plain numbers are in SI.
    """
    if isinstance(value, Function):
        if dimension is not None and value.dimension is not None and not compatible(value.dimension, dimension):
            raise UnitError(
                f"{what}: expected values of {dimension} ({canonical_unit(dimension)}), "
                f"got a function of {dimension_name(value.dimension)}",
                about=what,
            )
        return value
    if hasattr(value, "signals"):
        raise ModelError(
            f"{what}: an expression over signals is not possible here; specify a number or a function of time",
            about=what,
        )
    if isinstance(value, type):
        raise ModelError(
            f"{what}: {shown(value)} is a class; create an instance of it, or specify a number", about=what
        )
    if callable(value):
        return Sampled(value, what=what)
    if isinstance(value, str) and dimension is None:
        return Constant(value, what=what)
    return Constant(quantity(value, dimension, what=what))
