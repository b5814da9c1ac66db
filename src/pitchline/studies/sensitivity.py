"""Sensitivity of the values of a study to its parameters: correlation coefficients and Sobol indices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError, PitchlineError, near_names, shown
from ..results.report import text_table

if TYPE_CHECKING:
    from .study_result import StudyResult

__all__ = ["Correlations", "SobolIndices", "correlations", "sobol_indices"]

Array = NDArray[np.float64]
_METHODS = ("spearman", "pearson")
_BOOTSTRAPS = 400
_MIN_POINTS = 3
_MIN_ROWS = 8


@dataclass(frozen=True, eq=False)
class Correlations:
    """Correlation coefficients, from -1 to 1.

    Attributes
    ----------
    method : "spearman" (of the ranks: any monotonic relation) or "pearson" (linear relation)
    variables, parameters : names of the rows and columns
    values : (variables, parameters); nan for a variable or a parameter that does not vary
    count : number of points
    """

    method: str
    variables: tuple[str, ...]
    parameters: tuple[str, ...]
    values: Array
    count: int

    def __getitem__(self, names: tuple[str, str]) -> float:
        """Coefficient of (variable, parameter)."""
        variable, parameter = names
        return float(
            self.values[_index(variable, self.variables, "variable"), _index(parameter, self.parameters, "parameter")]
        )

    def __str__(self) -> str:
        rows = [
            [name, *(f"{value:+.3f}" for value in line)] for name, line in zip(self.variables, self.values, strict=True)
        ]
        return f"{self.method} correlation, {self.count} points\n" + text_table(["", *self.parameters], rows)


@dataclass(frozen=True, eq=False)
class SobolIndices:
    """Shares of the variance of a value that parameters cause.

    Attributes
    ----------
    variable : str
    parameters : names
    first : (n,) share that a parameter causes by itself
    total : (n,) share that it causes together with all others: 0 means no influence
    first_error, total_error : (n,) half the width of their 95 % confidence intervals, by bootstrap
    variance : of the value
    rows : number of points of the basic sample
    """

    variable: str
    parameters: tuple[str, ...]
    first: Array
    total: Array
    first_error: Array
    total_error: Array
    variance: float
    rows: int

    def __str__(self) -> str:
        rows = [
            [name, f"{a:.3f}", f"± {da:.3f}", f"{b:.3f}", f"± {db:.3f}"]
            for name, a, da, b, db in zip(
                self.parameters, self.first, self.first_error, self.total, self.total_error, strict=True
            )
        ]
        head = f"Sobol indices of {self.variable}, {self.rows} points of the basic sample"
        return f"{head}\n" + text_table(["", "first order", "95 %", "total", "95 %"], rows)


def _index(name: str, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise PitchlineError(f'there is no {what} "{name}"; {near_names(name, names)}')
    return names.index(name)


def correlations(result: StudyResult, names: tuple[str, ...], method: str) -> Correlations:
    """See `StudyResult.correlations`."""
    if method not in _METHODS:
        raise ModelError(f"correlations: unknown method {shown(method)}; {near_names(str(method), _METHODS)}")
    variables = tuple(_scalar(result, name) for name in names) or tuple(
        name for name, found in result.variables.items() if not found.dims
    )
    columns = {name: result.points.column(name) for name in result.points.names}
    parameters = tuple(name for name, column in columns.items() if column.dtype.kind in "biuf")
    if not variables or not parameters:
        raise ModelError("correlations: the study has no variables or parameters that are numbers")
    x = np.stack([columns[name].astype(float) for name in parameters], axis=1)
    values = np.full((len(variables), len(parameters)), np.nan)
    least = len(result)
    for k, name in enumerate(variables):
        y = result.variables[name].values
        use = result.fine & np.isfinite(y)
        least = min(least, int(use.sum()))
        if use.sum() >= _MIN_POINTS:
            values[k] = _coefficients(x[use], y[use], ranks=method == "spearman")
    return Correlations(method, variables, parameters, values, least)


def _coefficients(x: Array, y: Array, *, ranks: bool) -> Array:
    if ranks:
        from scipy.stats import rankdata

        x, y = rankdata(x, axis=0), rankdata(y)
    dx, dy = x - x.mean(axis=0), y - y.mean()
    scale = np.sqrt((dx**2).sum(axis=0) * (dy**2).sum())
    # a column of equal numbers has deviations of the size of rounding
    varies = (np.abs(dx).max(axis=0) > 1e-12 * np.abs(x).max(axis=0)) & (np.abs(dy).max() > 1e-12 * np.abs(y).max())
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(varies, (dx * dy[:, None]).sum(axis=0) / scale, np.nan)


def _scalar(result: StudyResult, name: str) -> str:
    result[name]
    if name not in result.variables or result.variables[name].dims:
        raise ModelError(f'"{name}" is not a single number at each point')
    return name


def sobol_indices(result: StudyResult, name: str) -> SobolIndices:
    """See `StudyResult.sobol_indices`."""
    design: Any = result.points.design
    if design.get("method") != "saltelli" or len(result.dims) != 1:
        raise ModelError(
            'Sobol indices need the points of sample(n, method="saltelli", ...) with all their rows. '
            "Choose other parameters of a product of points with where"
        )
    parameters, n = tuple(design["varied"]), int(design["rows"])
    y = result.variables[_scalar(result, name)].values.reshape(n, len(parameters) + 2)
    use = (result.fine.reshape(y.shape) & np.isfinite(y)).all(axis=1)
    if use.sum() < _MIN_ROWS:
        raise ModelError(f"Sobol indices need at least {_MIN_ROWS} complete rows of points, got {int(use.sum())}")
    y = y[use]
    rows = len(y)
    first, total, variance = _indices(y)
    generator = np.random.default_rng(0)
    again = [_indices(y[generator.integers(0, rows, rows)]) for _ in range(_BOOTSTRAPS)]
    first_error, total_error = (
        1.96 * np.std(np.array(values), axis=0) for values in ([one[0] for one in again], [one[1] for one in again])
    )
    return SobolIndices(name, parameters, first, total, first_error, total_error, variance, rows)


def _indices(y: Array) -> tuple[Array, Array, float]:
    """First-order indices by the estimator of Saltelli et al. (2010), total indices by that of Jansen (1999)."""
    a, mixed, b = y[:, 0], y[:, 1:-1], y[:, -1]
    both = np.concatenate([a, b])
    variance = float(both.var())
    if variance == 0.0:
        nothing = np.full(mixed.shape[1], np.nan)
        return nothing, nothing, 0.0
    first = ((b - both.mean())[:, None] * (mixed - a[:, None])).mean(axis=0) / variance
    total = ((a[:, None] - mixed) ** 2).mean(axis=0) / (2.0 * variance)
    return first, total, variance
