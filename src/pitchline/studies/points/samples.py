"""Points of a study: grids, lists, distributions of tolerances and samples of them."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, listed, near_names, shown

from .parameter_values import MOST_POINTS, POINT, ParameterValues, Points, read_values

__all__ = [
    "Choice",
    "Distribution",
    "LogNormal",
    "Normal",
    "Triangular",
    "Uniform",
    "grid",
    "point_list",
    "points_of",
    "METHODS",
    "sample",
]


_SIGNS = ("±", "+/-", "+-")


@names_wrong_arguments
class Distribution(ABC):
    """Distribution of one parameter.

    unit, shown_unit : of its values; see `ParameterValues`
    """

    unit: str = ""
    shown_unit: str = ""

    @abstractmethod
    def quantile(self, probability: FloatArray) -> NDArray[Any]:
        """Values (n,) that are exceeded with the probability 1 - `probability`."""

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """Plain data: kind and numbers in SI units."""

    def values(self, probability: FloatArray) -> ParameterValues:
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

    def quantile(self, probability: FloatArray) -> FloatArray:
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

    def quantile(self, probability: FloatArray) -> FloatArray:
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

    def quantile(self, probability: FloatArray) -> FloatArray:
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

    def quantile(self, probability: FloatArray) -> FloatArray:
        """Values (n,) at probabilities from 0 to 1."""
        from scipy.special import ndtri

        values: FloatArray = self.median * np.exp(self.sigma * ndtri(probability))
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

    def quantile(self, probability: FloatArray) -> NDArray[Any]:
        """Values (n,) at probabilities from 0 to 1."""
        ends = np.cumsum(self.weights)
        place = np.searchsorted(ends, probability, side="right")
        used = np.flatnonzero(self.weights)
        return self.options.values[np.minimum(place, used[-1])]

    def to_data(self) -> dict[str, Any]:
        """Plain data in SI units."""
        return {"kind": "choice", "options": self.options.values.tolist(), "weights": self.weights.tolist()}


# ---- designs

# grid and point_list: points of a study from values of the user.


@names_wrong_arguments
def grid(axes: Mapping[str, Any] | None = None, /, **named: Any) -> Points:
    """All combinations of parameter values: ``grid(speed=linspace("1000 rpm", "12000 rpm", 50), load=["50 N*m", "100 N*m"])``.

    Each parameter has a list of values: numbers in SI units, texts with units, other texts, or `linspace` and `logspace`.
    Names that are not Python names are specified in a dict: ``grid({"motor.speed": [100, 200]})``. The last
    parameter changes fastest.
    """
    values = _read(_together(axes, named, "grid"), "grid")
    return Points(tuple((name, len(axis)) for name, axis in values.items()), values, {name: name for name in values})


@names_wrong_arguments
def point_list(columns: Mapping[str, Any] | Iterable[Mapping[str, Any]] | None = None, /, **named: Any) -> Points:
    """List of points: ``point_list(speed=["1000 rpm", "2000 rpm"], load=["50 N*m", "80 N*m"])`` has two points.

    All lists have the same length; a single value holds for all points. A list of points is also accepted:
    ``point_list([{"speed": "1000 rpm", "load": "50 N*m"}, ...])``, and a table with named columns (pandas).
    """
    if columns is not None and not hasattr(columns, "items"):
        columns = _of_rows(columns)
    given = _together(columns, named, "point_list")  # type: ignore[arg-type]
    values = _read(given, "point_list")
    sizes = {name: len(axis) for name, axis in values.items()}
    single = {name for name, size in sizes.items() if size == 1 and _is_single(given[name])}
    n = next((size for name, size in sizes.items() if name not in single), 1)
    wrong = [name for name, size in sizes.items() if name not in single and size != n]
    if wrong:
        text = ", ".join(f"{name}: {size}" for name, size in sizes.items())
        raise ModelError(f"point_list: the lists have different lengths ({text}). Specify one value for each point")
    full = {
        name: ParameterValues(axis.values.repeat(n), axis.unit, axis.shown_unit) if name in single else axis
        for name, axis in values.items()
    }
    return Points(((POINT, n),), full, dict.fromkeys(full, POINT))


def points_of(given: object, what: str) -> Points:
    """Points of a study: `Points` as they are, or a list of dicts, one for each point."""
    if isinstance(given, Points):
        return given
    if isinstance(given, (list, tuple)) and given and all(isinstance(row, Mapping) for row in given):
        return point_list(given)
    raise ModelError(
        f"{what}: points must be made by grid, point_list or sample, or be a list of dicts "
        f'such as [{{"speed": "1000 rpm"}}], got {shown(given)}'
    )


def _is_single(value: object) -> bool:
    return isinstance(value, (str, bool, int, float)) or getattr(value, "ndim", None) == 0


def _together(columns: Mapping[str, Any] | None, named: dict[str, Any], what: str) -> dict[str, Any]:
    if columns is not None and not hasattr(columns, "items"):
        raise ModelError(f"{what}: specify values by name, e.g. {what}(speed=[100, 200]), got {shown(columns)}")
    first = dict(columns.items()) if columns is not None else {}
    twice = [name for name in first if name in named]
    if twice:
        raise ModelError(f"{what}: {listed(twice)} is given twice")
    for name in first:
        if not isinstance(name, str) or not name.strip():
            raise ModelError(f"{what}: names of parameters must be texts, got {shown(name)}")
    if not first and not named:
        raise ModelError(f"{what}: no parameters are given. Specify at least one, e.g. {what}(speed=[100, 200])")
    return {**first, **named}


def _read(given: Mapping[str, Any], what: str) -> dict[str, ParameterValues]:
    for name, value in given.items():
        if isinstance(value, Distribution):
            raise ModelError(
                f"{what}: {name} is a distribution. Use sample(n, {name}={type(value).__name__}(...)), or specify a list of values"
            )
    return {name: read_values(value, f"{what}: {name}") for name, value in given.items()}


def _of_rows(rows: object) -> dict[str, list[Any]]:
    listing = list(rows) if isinstance(rows, Iterable) and not isinstance(rows, (str, bytes)) else []
    if not listing or not all(isinstance(row, Mapping) for row in listing):
        raise ModelError(f'point_list: must be a list of dicts such as [{{"speed": "1000 rpm"}}], got {shown(rows)}')
    names = list(listing[0])
    for k, row in enumerate(listing):
        if set(row) != set(names):
            odd = next(iter(set(row) ^ set(names)))
            missing = "has no" if odd in names else "has another parameter,"
            raise ModelError(
                f'point_list: point {k} {missing} "{odd}"; {near_names(odd, names if odd not in names else row)}. '
                "Specify the same parameters for all points"
            )
    return {name: [row[name] for row in listing] for name in names}


# ---- samples

# sample: random points of a study from distributions of its parameters.


@names_wrong_arguments
def sample(
    n: int, distributions: Mapping[str, Any] | None = None, /, *, method: str = "latin", seed: int = 0, **named: Any
) -> Points:
    """Random points: ``sample(200, speed=Uniform("1000 rpm", "3000 rpm"), error=Normal(0, "5 um"))``.

    Parameters
    ----------
    n
        Number of points.
    distributions
        Distributions by name, for names that are not names of Python.
    method
        "random" (independent), "latin" (Latin hypercube: each parameter evenly spread; the default), "sobol" (Sobol sequence,
        scrambled; n should be a power of 2), "saltelli" (for Sobol indices: n (d + 2) points for d distributions; n should be a
        power of 2).
    seed
        Whole number. The same seed gives the same values to the bit.

    Each parameter has a distribution: `Normal`, `Uniform`, `Triangular`, `LogNormal`, `Choice`. A single value is a constant.
    """
    given = _together(distributions, named, "sample")
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= MOST_POINTS:
        raise ModelError(
            f"sample: the number of points must be a whole number from 1 to {MOST_POINTS:.0e}, got {shown(n)}"
        )
    if not isinstance(method, str) or method not in METHODS:
        raise ModelError(f"sample: unknown method {shown(method)}; {near_names(str(method), METHODS)}")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ModelError(f"sample: seed must be a whole number, 0 or more, got {shown(seed)}")
    varied = {name: value for name, value in given.items() if isinstance(value, Distribution)}
    constant = {name: _constant(value, name) for name, value in given.items() if name not in varied}
    if method == "saltelli" and not varied:
        raise ModelError('sample: method "saltelli" needs at least one distribution')
    rows = int(n)
    probabilities = METHODS[method](rows, len(varied), np.random.default_rng(int(seed)))
    n = len(probabilities)
    values = {name: made.values(probabilities[:, k]) for k, (name, made) in enumerate(varied.items())}
    full = {name: values[name] if name in values else _repeated(constant[name], n) for name in given}
    design = {
        "method": method,
        "seed": int(seed),
        "rows": rows,
        "varied": list(varied),
        "distributions": {name: made.to_data() for name, made in varied.items()},
    }
    return Points(((POINT, n),), full, dict.fromkeys(full, POINT), design)


def _constant(value: object, name: str) -> ParameterValues:
    read = read_values(value, f"sample: {name}")
    if len(read) != 1:
        raise ModelError(
            f"sample: {name} must be a distribution or a single value, got {shown(value)}. "
            f"Use Choice for a random one of these values, or sample(...) * grid({name}=...) for all of them"
        )
    return read


def _repeated(one: ParameterValues, n: int) -> ParameterValues:
    return ParameterValues(one.values.repeat(n), one.unit, one.shown_unit)


# --- probabilities, (n, d), above 0 and below 1 -------------------------------------------------------


def _random(n: int, d: int, generator: np.random.Generator) -> FloatArray:
    return _open(generator.random((n, d)))


def _latin(n: int, d: int, generator: np.random.Generator) -> FloatArray:
    """One value in each of n intervals of equal probability, for every parameter."""
    strata = np.stack([generator.permutation(n) for _ in range(d)], axis=1) if d else np.zeros((n, 0))
    return _open((strata + generator.random((n, d))) / n)


def _sobol(n: int, d: int, generator: np.random.Generator) -> FloatArray:
    from scipy.stats import qmc

    if d == 0:
        return np.zeros((n, 0))
    if d > qmc.Sobol.MAXDIM:
        raise ModelError(f'sample: method "sobol" has at most {qmc.Sobol.MAXDIM} parameters, got {d}. Use "latin"')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a number of points that is not a power of 2 is allowed
        return _open(qmc.Sobol(d, scramble=True, seed=generator).random(n))


def _saltelli(n: int, d: int, generator: np.random.Generator) -> FloatArray:
    """For each row: the point a, a with each of its d entries taken from b, and b, where a and b are independent."""
    both = _sobol(n, 2 * d, generator)
    points = np.repeat(both[:, None, :d], d + 2, axis=1)
    for k in range(d):
        points[:, k + 1, k] = both[:, d + k]
    points[:, d + 1] = both[:, d:]
    return points.reshape(n * (d + 2), d)


def _open(probabilities: FloatArray) -> FloatArray:
    """Without 0 and 1, at which normal distributions have no finite value."""
    least = 2.0**-54
    return np.clip(probabilities, least, 1.0 - 2.0**-53)


METHODS: dict[str, Callable[[int, int, np.random.Generator], FloatArray]] = {
    "random": _random, "latin": _latin, "sobol": _sobol, "saltelli": _saltelli,
}  # fmt: skip
"""Methods of `sample`."""
