"""Distributions of tolerances: their values as a function of a probability."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from .parameter_values import ParameterValues, read_values

__all__ = ["Choice", "Distribution", "LogNormal", "Normal", "Triangular", "Uniform"]

Array = NDArray[np.float64]
_SIGNS = ("±", "+/-", "+-")


@names_wrong_arguments
class Distribution(ABC):
    """Distribution of one parameter.

    unit, shown_unit : of its values; see `ParameterValues`
    """

    unit: str = ""
    shown_unit: str = ""

    @abstractmethod
    def quantile(self, probability: Array) -> NDArray[Any]:
        """Values (n,) that are exceeded with the probability 1 - `probability`."""

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """Plain data: kind and numbers in SI units."""

    def values(self, probability: Array) -> ParameterValues:
        """Values at probabilities, with their unit."""
        return ParameterValues(self.quantile(probability), self.unit, self.shown_unit)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{key}={value}" for key, value in self.to_data().items() if key != "kind")
        return f"{type(self).__name__}({numbers}{' ' + self.unit if self.unit else ''})"

    def _numbers(self, **given: Any) -> list[float]:
        """Numbers in a common unit. Those that are None are left out."""
        said = {name: value for name, value in given.items() if value is not None}
        what = type(self).__name__
        for name, value in said.items():
            if isinstance(value, bool) or not isinstance(value, (str, int, float, np.number)):
                raise ModelError(f"{what}: {name} must be a number or a text with a unit, got {shown(value)}")
        read = read_values([*said.values(), 0.0], f"{what} ({', '.join(said)})")  # 0.0: texts without unit are errors
        self.unit, self.shown_unit = read.unit, read.shown_unit
        return [float(value) for value in read.values[:-1]]


def _increasing(what: str, text: str, numbers: Sequence[float], given: Sequence[object]) -> None:
    if any(a >= b for a, b in pairwise(numbers)):
        raise ModelError(f"{what}: {text} must increase, got {', '.join(shown(item) for item in given)}")


@names_wrong_arguments
class Normal(Distribution):
    """Normal distribution: ``Normal("10 um", "2 um")``, or ``Normal("10 um", tolerance="±6 um")``.

    mean, sigma : mean value and standard deviation, in SI units or texts with units.
    tolerance : instead of sigma, half the width of the tolerance; it is `sigmas` standard deviations.
    sigmas : 3 by default.
    low, high : limits at which the distribution is truncated, e.g. by inspection; none by default.
    """

    def __init__(
        self,
        mean: float | str,
        sigma: float | str | None = None,
        *,
        tolerance: float | str | None = None,
        sigmas: float = 3.0,
        low: float | str | None = None,
        high: float | str | None = None,
    ) -> None:
        if (sigma is None) == (tolerance is None):
            raise ModelError("Normal: specify either sigma or tolerance")
        width = _half_width(tolerance) if sigma is None else sigma
        names = {"mean": mean, "tolerance" if sigma is None else "sigma": width, "low": low, "high": high}
        numbers = iter(self._numbers(**names))
        self.mean, spread = next(numbers), next(numbers)
        if not isinstance(sigmas, (int, float)) or isinstance(sigmas, bool) or not 0.0 < sigmas < 100.0:
            raise ModelError(f"Normal: sigmas must be a number above 0, got {shown(sigmas)}")
        if spread <= 0.0:
            raise ModelError(f"Normal: {'tolerance' if sigma is None else 'sigma'} must be above 0, got {shown(width)}")
        self.sigma = spread / float(sigmas) if sigma is None else spread
        self.low = -np.inf if low is None else next(numbers)
        self.high = np.inf if high is None else next(numbers)
        if low is not None or high is not None:
            _increasing("Normal", "low and high", (self.low, self.high), (low, high))

    def quantile(self, probability: Array) -> Array:
        """Values (n,) at probabilities from 0 to 1."""
        from scipy.special import ndtr, ndtri

        a, b = ((limit - self.mean) / self.sigma for limit in (self.low, self.high))
        if a > 0.0:  # far in the upper tail, probabilities near 1 would lose their digits: mirror it
            p, q = ndtr(-b), ndtr(-a)
            z = -ndtri(q + (p - q) * probability)
        else:
            p, q = ndtr(a), ndtr(b)
            z = ndtri(p + (q - p) * probability)
        return np.clip(self.mean + self.sigma * z, self.low, self.high)

    def to_data(self) -> dict[str, Any]:
        """Plain data in SI units."""
        limits = {"low": float(self.low), "high": float(self.high)}
        cut = {key: value for key, value in limits.items() if np.isfinite(value)}
        return {"kind": "normal", "mean": self.mean, "sigma": self.sigma, **cut}


def _half_width(tolerance: object) -> Any:
    """Tolerance without its sign ±."""
    if isinstance(tolerance, str):
        for sign in _SIGNS:
            if tolerance.strip().startswith(sign):
                return tolerance.strip().removeprefix(sign)
    return tolerance


@names_wrong_arguments
class Uniform(Distribution):
    """Uniform distribution between two limits: ``Uniform("5 um", "15 um")``.

    low, high : in SI units, or texts with units.
    """

    def __init__(self, low: float | str, high: float | str) -> None:
        self.low, self.high = self._numbers(low=low, high=high)
        _increasing("Uniform", "low and high", (self.low, self.high), (low, high))

    def quantile(self, probability: Array) -> Array:
        """Values (n,) at probabilities from 0 to 1."""
        return self.low + (self.high - self.low) * probability

    def to_data(self) -> dict[str, Any]:
        """Plain data in SI units."""
        return {"kind": "uniform", "low": self.low, "high": self.high}


@names_wrong_arguments
class Triangular(Distribution):
    """Triangular distribution: ``Triangular("5 um", "8 um", "15 um")``.

    low, mode, high : lower limit, most frequent value and upper limit, in SI units or texts with units.
    """

    def __init__(self, low: float | str, mode: float | str, high: float | str) -> None:
        self.low, self.mode, self.high = self._numbers(low=low, mode=mode, high=high)
        _increasing("Triangular", "low and high", (self.low, self.high), (low, high))
        if not self.low <= self.mode <= self.high:
            raise ModelError(f"Triangular: mode must be from low to high, got {shown(mode)}")

    def quantile(self, probability: Array) -> Array:
        """Values (n,) at probabilities from 0 to 1."""
        width = self.high - self.low
        peak = (self.mode - self.low) / width
        rising = self.low + np.sqrt(probability * width * (self.mode - self.low))
        falling = self.high - np.sqrt((1.0 - probability) * width * (self.high - self.mode))
        return np.where(probability < peak, rising, falling)

    def to_data(self) -> dict[str, Any]:
        """Plain data in SI units."""
        return {"kind": "triangular", "low": self.low, "mode": self.mode, "high": self.high}


@names_wrong_arguments
class LogNormal(Distribution):
    """Log-normal distribution: ``LogNormal("2e8 N/m", 0.1)``.

    median : in SI units, or a text with a unit; above 0.
    sigma : standard deviation of the natural logarithm of the value; for small values, the relative standard deviation.
    """

    def __init__(self, median: float | str, sigma: float) -> None:
        (self.median,) = self._numbers(median=median)
        if self.median <= 0.0:
            raise ModelError(f"LogNormal: median must be above 0, got {shown(median)}")
        if isinstance(sigma, bool) or not isinstance(sigma, (int, float)) or not 0.0 < sigma < 10.0:
            raise ModelError(f"LogNormal: sigma must be a number above 0 and below 10, got {shown(sigma)}")
        self.sigma = float(sigma)

    def quantile(self, probability: Array) -> Array:
        """Values (n,) at probabilities from 0 to 1."""
        from scipy.special import ndtri

        values: Array = self.median * np.exp(self.sigma * ndtri(probability))
        return values

    def to_data(self) -> dict[str, Any]:
        """Plain data in SI units."""
        return {"kind": "lognormal", "median": self.median, "sigma": self.sigma}


@names_wrong_arguments
class Choice(Distribution):
    """One of several values: ``Choice(["steel", "bronze"])``, ``Choice(["20 um", "50 um"], weights=[3, 1])``.

    options : numbers, texts with units, or other texts.
    weights : relative frequencies; equal by default.
    """

    def __init__(self, options: Sequence[Any], weights: Sequence[float] | None = None) -> None:
        self.options = read_values(options, "Choice")
        self.unit, self.shown_unit = self.options.unit, self.options.shown_unit
        given = np.ones(len(self.options)) if weights is None else np.asarray(weights)
        if given.dtype.kind not in "iuf" or given.shape != self.options.values.shape:
            raise ModelError(
                f"Choice: weights must be one number for each of the {len(self.options)} options, got {shown(weights)}"
            )
        if not np.isfinite(given).all() or given.min() < 0.0 or given.sum() <= 0.0:
            raise ModelError(
                f"Choice: weights must not be negative, and one of them must be above 0, got {shown(weights)}"
            )
        self.weights = given / given.sum()

    def quantile(self, probability: Array) -> NDArray[Any]:
        """Values (n,) at probabilities from 0 to 1."""
        ends = np.cumsum(self.weights)
        place = np.searchsorted(ends, probability, side="right")
        used = np.flatnonzero(self.weights)
        return self.options.values[np.minimum(place, used[-1])]

    def to_data(self) -> dict[str, Any]:
        """Plain data in SI units."""
        return {"kind": "choice", "options": self.options.values.tolist(), "weights": self.weights.tolist()}
