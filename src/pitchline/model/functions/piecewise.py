"""PiecewisePolynomial: the general form of ramps, tables and sampled callables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import array, matrix
from .base import SMALLEST_STEP, Array, Function, check_over

__all__ = ["PiecewisePolynomial", "check_knots"]

_OUTSIDE = ("hold", "continue", "error")
_JUMP = 1e-9  # relative: a smaller step between two pieces is a rounding error


def check_knots(t: Array, what: str) -> None:
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

    t: Array
    coefficients: Array
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

    def _values(self, t: Array) -> Array:
        lift: Array | float = 0.0
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

    def _like(self, coefficients: Array, gain: float = 0.0) -> PiecewisePolynomial:
        return self._made(self.t, coefficients, gain, self.outside, self.over)

    def _made(self, t: Array, coefficients: Array, gain: float, outside: str, over: str) -> PiecewisePolynomial:
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
        from .polynomial import Polynomial
        from .sum import Sum

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

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> Array:
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

    def encode(self) -> Array:
        from ...math.fields import packed  # late: numba takes long to import, and models do without it
        from ...math.functions import PIECES, Pieces

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


def _horner(coefficients: Array, s: float) -> float:
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
