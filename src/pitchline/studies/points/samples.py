"""sample: random points of a study from distributions of its parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arguments import names_wrong_arguments
from ...errors import ModelError, near_names, shown
from .designs import _together
from .distributions import Distribution
from .parameter_values import MOST_POINTS, ParameterValues, read_values
from .points import POINT, Points

__all__ = ["METHODS", "sample"]

Array = NDArray[np.float64]


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


def _random(n: int, d: int, generator: np.random.Generator) -> Array:
    return _open(generator.random((n, d)))


def _latin(n: int, d: int, generator: np.random.Generator) -> Array:
    """One value in each of n intervals of equal probability, for every parameter."""
    strata = np.stack([generator.permutation(n) for _ in range(d)], axis=1) if d else np.zeros((n, 0))
    return _open((strata + generator.random((n, d))) / n)


def _sobol(n: int, d: int, generator: np.random.Generator) -> Array:
    from scipy.stats import qmc

    if d == 0:
        return np.zeros((n, 0))
    if d > qmc.Sobol.MAXDIM:
        raise ModelError(f'sample: method "sobol" has at most {qmc.Sobol.MAXDIM} parameters, got {d}. Use "latin"')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a number of points that is not a power of 2 is allowed
        return _open(qmc.Sobol(d, scramble=True, seed=generator).random(n))


def _saltelli(n: int, d: int, generator: np.random.Generator) -> Array:
    """For each row: the point a, a with each of its d entries taken from b, and b, where a and b are independent."""
    both = _sobol(n, 2 * d, generator)
    points = np.repeat(both[:, None, :d], d + 2, axis=1)
    for k in range(d):
        points[:, k + 1, k] = both[:, d + k]
    points[:, d + 1] = both[:, d:]
    return points.reshape(n * (d + 2), d)


def _open(probabilities: Array) -> Array:
    """Without 0 and 1, at which normal distributions have no finite value."""
    least = 2.0**-54
    return np.clip(probabilities, least, 1.0 - 2.0**-53)


METHODS: dict[str, Callable[[int, int, np.random.Generator], Array]] = {
    "random": _random, "latin": _latin, "sobol": _sobol, "saltelli": _saltelli,
}  # fmt: skip
"""Methods of `sample`."""
