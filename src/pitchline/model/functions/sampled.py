"""Sampled: a Python callable, turned into a piecewise cubic before it is used."""

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
_NARROWEST = 1e-11  # of the whole span: an interval this small that still fails holds a kink or a jump
_MOST_BREAKS = 2_000
_CHECKS = (0.5, 0.2763932)  # fractions of an interval; the second keeps periodic callables from hiding


@dataclass(frozen=True, eq=False, init=False)
class Sampled(Function):
    """A Python callable t -> value (floats, SI).

    Nothing compiled can call it, so `resolved(t0, t1)` samples it into a piecewise cubic, refined until the
    error between the knots is below 1e-9 of the range of the values. Kinks and jumps are found and become
    breakpoints. The callable must give the same value for the same time.
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
        raise ModelError(f"{self.what}: a callable has no {wish}; take resolved(t0, t1) first, or give a Table")

    def derivative(self) -> Function:
        self._not_yet("derivative of its own")

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        self._not_yet("integral of its own")

    def encode(self) -> Array:
        self._not_yet("encoding of its own")

    def scaled(self, k: float) -> Sampled:
        return Sampled(self.callable, factor=k * self.factor, what=self.what)

    def describe(self) -> dict[str, Any]:
        result: dict[str, Any] = {"function": "callable", "callable": repr(self.callable)}
        return result if self.factor == 1.0 else {**result, "factor": self.factor}

    def resolved(self, t0: float, t1: float) -> Function:
        """The piecewise cubic over t0 <= t <= t1 (constant where t0 = t1)."""
        if not t0 < t1:
            from .fourier import Constant

            return Constant(self._value(t0))
        return _Sampler(self, t0, t1).run()


def _is_callable(value: object) -> bool:
    return callable(value)


def _check_signature(function: Callable[..., Any], what: str) -> None:
    """A callable must take one argument, the time; seen now rather than when the analysis starts."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some compiled callables do not tell
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

    Between two breaks the function is a C2 cubic spline; an interval whose check points are off is halved.
    An interval that became very narrow holds a kink or a jump: it is bridged by a straight line, and the
    parts on its two sides are fitted on their own.
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
        # continued beyond its ends, so that rates there can be taken by differences
        coefficients = np.vstack([part[1] for part in parts])
        return PiecewisePolynomial(knots, coefficients, outside="continue", what=self.f.what)

    def fit(self, left: float, right: float) -> tuple[Array, Array, list[tuple[float, float]]]:
        """Knots and coefficients over one smooth part, or the narrow intervals at which to break it."""
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
        """In each run of neighbouring narrow intervals, the one with the largest error."""
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
            f"t = {t0:g} to {t1:g} s: {why}; give a Table with the points that matter instead"
        )
