"""Sampled: a Python callable that is converted to a piecewise cubic function before use."""

from __future__ import annotations

import contextlib
import inspect
import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ...errors import ModelError, shown
from ...units import LARGEST
from .base import Array, Function
from .piecewise import PiecewisePolynomial
from .table import spline_coefficients

__all__ = ["Sampled"]

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

    def _values(self, t: Array) -> Array:
        return np.array([self._value(float(time)) for time in t.ravel()]).reshape(t.shape)

    def _not_yet(self, wish: str) -> NoReturn:
        raise ModelError(f"{self.what}: a callable has no {wish}; call resolved(t0, t1) first, or use a Table")

    def derivative(self) -> Function:
        self._not_yet("derivative")

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        self._not_yet("integral")

    def encode(self) -> Array:
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
            from .fourier import Constant

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

    def values(self, t: Array) -> Array:
        return np.array([self.value(time) for time in t.tolist()])

    def tolerance(self) -> float:
        size = max(abs(self.low), abs(self.high))
        return max(TOLERANCE * (self.high - self.low), 1e-14 * size)

    def run(self) -> PiecewisePolynomial:
        waiting = [self.span]
        parts: list[tuple[Array, Array]] = []
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

    def fit(self, left: float, right: float) -> tuple[Array, Array, list[tuple[float, float]]]:
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

    def errors(self, t: Array, c: Array) -> Array:
        width = np.diff(t)
        worst = np.zeros(len(width))
        for fraction in _CHECKS:
            s = fraction * width
            fitted = c[:, 0] + s * (c[:, 1] + s * (c[:, 2] + s * c[:, 3]))
            worst = np.maximum(worst, np.abs(fitted - self.values(t[:-1] + s)))
        return worst

    @staticmethod
    def worst_of_each_group(t: Array, error: Array, narrow: Any) -> list[tuple[float, float]]:
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
