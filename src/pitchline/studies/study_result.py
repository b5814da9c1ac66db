"""StudyResult: values at all points of a study, with correlations, sensitivities, text and data."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, PitchlineError, near_names, shown
from pitchline.facades import plotter
from pitchline.results.result import text_table

from .points.parameter_values import ParameterValues, Points, scale_of

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

__all__ = [
    "Correlations",
    "SobolIndices",
    "correlations",
    "sobol_indices",
    "FAILED",
    "FINE",
    "NOT_COMPUTED",
    "STATUS_NAMES",
    "StudyPoint",
    "StudyResult",
    "StudyVariable",
    "study_csv",
    "study_data",
    "study_text",
]


# ---- sensitivity

# Sensitivity of the values of a study to its parameters: correlation coefficients and Sobol indices.

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
    values: FloatArray
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
    first: FloatArray
    total: FloatArray
    first_error: FloatArray
    total_error: FloatArray
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


def _coefficients(x: FloatArray, y: FloatArray, *, ranks: bool) -> FloatArray:
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


def _indices(y: FloatArray) -> tuple[FloatArray, FloatArray, float]:
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


FINE, FAILED, NOT_COMPUTED = 0, 1, 2
NOT_REACHED = "not computed"
STATUS_NAMES = ("fine", "failed", NOT_REACHED)
"""Names of the statuses of points in a sweep; a batch has others. Status 0 always means that the values are valid."""


class StudyVariable(NamedTuple):
    """Values at all points.

    values : (n, ...); nan (or 0 for integers) at points without a value
    unit : "" for plain numbers
    dims : names of the dimensions after the first one, e.g. ("time",)
    description : short text
    """

    values: NDArray[Any]
    unit: str = ""
    dims: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, eq=False)
class StudyPoint:
    """One point of a study.

    Attributes
    ----------
    index : int
        In the order of the points.
    parameters : dict
        Values of the parameters as plain numbers and texts with units, as in ``pitchline.load("pair.toml", **parameters)``.
    values, units : dict
        Values of the variables, and their units.
    status, reason : str
    """

    index: int
    parameters: dict[str, Any]
    values: dict[str, Any]
    units: dict[str, str]
    status: str
    reason: str = ""

    def __str__(self) -> str:
        lines = [f"point {self.index}: {self.status}{': ' + self.reason if self.reason else ''}"]
        lines += [f"  {name} = {value}" for name, value in self.parameters.items()]
        for name, value in self.values.items():
            text = f"{value:.6g}" if np.ndim(value) == 0 else f"array of shape {np.shape(value)}"
            lines.append(f"  {name}: {text}{' ' + self.units[name] if self.units[name] else ''}")
        return "\n".join(lines)


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class StudyResult:
    """Result of a study: ``result["mesh.normal_force.max"]`` is an array over the dimensions of the points.

    Attributes
    ----------
    name : str
        Name of the model.
    points : Points
    variables : name -> StudyVariable
        Values at all points, (n, ...), in the order of the points; also as tuples (values, unit, dims).
    status : (n,) small integers
        0 for a point with valid values; others are indices of `status_names`.
    reasons : index of a point -> text
        Why a point has no valid values.
    coordinates : dimension -> (values, unit)
        Of the dimensions of variables, e.g. the times of signals.
    study : str
        Kind of study: "sweep", "batch" or another.
    warnings : tuple of str
    facts : dict
        Other plain data: versions, durations, seeds.
    """

    kind: ClassVar[str] = "study"
    name: str
    points: Points
    variables: Mapping[str, StudyVariable]
    status: NDArray[np.int8]
    reasons: Mapping[int, str] = field(default_factory=dict)
    status_names: tuple[str, ...] = STATUS_NAMES
    coordinates: Mapping[str, tuple[NDArray[Any], str]] = field(default_factory=dict)
    study: str = "sweep"
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "variables", {name: StudyVariable(*given) for name, given in self.variables.items()})
        set_(self, "status", np.asarray(self.status, dtype=np.int8))
        n = len(self.points)
        if self.status.shape != (n,):
            raise ModelError(f"status must have one number for each of the {n} points, got shape {self.status.shape}")
        if n and not 0 <= self.status.min() <= self.status.max() < len(self.status_names):
            raise ModelError(f"status must be from 0 to {len(self.status_names) - 1}")
        taken = {*self.points.names, *(dim for dim, _ in self.points.dims), "status"}
        for name, variable in self.variables.items():
            if name in taken:
                raise ModelError(f'the variable "{name}" has the name of a parameter. Choose another name')
            if variable.values.shape[:1] != (n,) or variable.values.ndim != 1 + len(variable.dims):
                raise ModelError(
                    f'variable "{name}": the shape {variable.values.shape} is not ({n}, {", ".join(variable.dims)})'
                )

    # ---- values

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions of the points."""
        return self.points.shape

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of the dimensions of the points."""
        return tuple(dim for dim, _ in self.points.dims)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Values of a variable over the dimensions of the points; for a parameter, its values along its dimension."""
        if name in self.variables:
            values = self.variables[name].values
            return values.reshape(*self.shape, *values.shape[1:])
        if name in self.points.axes:
            return self.points.axes[name].values
        if name in self.coordinates:
            return self.coordinates[name][0]
        if name == "status":
            return self.status.reshape(self.shape)
        raise PitchlineError(
            f'the study has no value "{name}"; {near_names(name, [*self.variables, *self.points.names])}'
        )

    def __contains__(self, name: object) -> bool:
        return name in self.variables or name in self.points.axes

    def __len__(self) -> int:
        return len(self.points)

    def unit(self, name: str) -> str:
        """SI unit of a variable, a parameter or a coordinate."""
        self[name]
        if name in self.variables:
            return self.variables[name].unit
        return self.points.axes[name].unit if name in self.points.axes else self.coordinates.get(name, ("", ""))[1]

    @property
    def fine(self) -> NDArray[np.bool_]:
        """(n,) whether each point has valid values."""
        return np.asarray(self.status == FINE)

    @property
    def interrupted(self) -> bool:
        """Whether points were not computed because the study was stopped."""
        names = self.status_names
        return NOT_REACHED in names and bool((self.status == names.index(NOT_REACHED)).any())

    @property
    def failed(self) -> dict[int, str]:
        """Index of each point without valid values -> the reason."""
        return {
            int(i): self.reasons.get(int(i), self.status_names[self.status[i]])
            for i in np.flatnonzero(self.status != FINE)
        }

    def point(self, i: int | tuple[int, ...]) -> StudyPoint:
        """One point: its parameter values, which `pitchline.load` accepts, and its values.

        i : index of the point in the order of the points, or its indices along the dimensions.
        """
        if isinstance(i, tuple):
            try:
                i = int(np.ravel_multi_index(i, self.shape))
            except (ValueError, TypeError):
                raise IndexError(f"there is no point {i}: the dimensions have the sizes {self.shape}") from None
        parameters = self.points.at(i)
        i = int(i) % len(self)
        values = {name: found.values[i] for name, found in self.variables.items()}
        plain = {name: value.item() if value.ndim == 0 else value for name, value in values.items()}
        units = {name: found.unit for name, found in self.variables.items()}
        return StudyPoint(i, parameters, plain, units, self.status_names[self.status[i]], self.reasons.get(i, ""))

    def where(self, mask: Any = None, /, **values: Any) -> StudyResult:
        """The part of the study with these parameter values: ``where(load="50 N*m", speed=("1000 rpm", "3000 rpm"))``.

        values : a value, or a range (low, high), in which None means no limit. A dimension with one value is left out.
        mask : true or false for each point, e.g. ``result.where(result["force"] > 1e4)``. The result is a list of points.
        """
        from .selection import select

        return select(self, mask, values)

    # ---- sensitivity

    def correlations(self, *names: str, method: str = "spearman") -> Correlations:
        """Correlation coefficients of variables (default: all) and parameters.

        method : "spearman", of the ranks, for any monotonic relation; "pearson", for linear relations.
        """
        pass

        return correlations(self, names, method)

    def sobol_indices(self, name: str) -> SobolIndices:
        """First-order and total Sobol indices of a variable. The points must be a sample with the method "saltelli"."""
        pass

        return sobol_indices(self, name)

    # ---- other forms

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with the same names and dimensions as the saved file."""
        from .study_files import study_to_xarray

        return study_to_xarray(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame with one row for each point: parameters, variables without further dimensions, status, reason."""
        from .study_files import study_to_pandas

        return study_to_pandas(self)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write one file, which `pitchline.load` and netCDF-4 readers open. It is written completely or not at all."""
        from .study_files import write_study

        return write_study(self, path, overwrite=overwrite)

    def plot(self, *names: str, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot variables over the parameters; options as in `pitchline.views.plot_study`."""
        return plotter("StudyResult")(self, *names, path=path, **options)

    def __str__(self) -> str:
        pass

        return study_text(self)

    def __repr__(self) -> str:
        sizes = " x ".join(f"{dim}: {size}" for dim, size in self.points.dims)
        failed = int(np.count_nonzero(self.status != FINE))
        return f"StudyResult({self.name!r}, {self.study}, {sizes}, {len(self.variables)} variables, {failed} points failed)"


# ---- summary

# Texts of study results: ranges of all variables, or all points as a table.

MOST_ROWS = 24
"""Up to this number of points, the text has all of them."""
_MOST_REASONS = 3


def study_text(result: StudyResult) -> str:
    """Summary for people."""
    sizes = " x ".join(f"{dim}: {size}" for dim, size in result.points.dims)
    absent = int(np.count_nonzero(result.status == NOT_COMPUTED)) if "not computed" in result.status_names else 0
    failed = len(result.failed) - absent
    parts = [f"{_points(len(result))} ({sizes})"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{absent} not computed"] if absent else []
    lines = [f"{result.study} of {result.name}: {', '.join(parts)}", ""]
    scalars = [name for name, found in result.variables.items() if not found.dims]
    if scalars:
        lines += [_table(result, scalars) if len(result) <= MOST_ROWS else _ranges(result, scalars), ""]
    for name, found in result.variables.items():
        if found.dims:
            lines.append(f"{name}: array over {', '.join((*result.dims, *found.dims))} [{found.unit or '-'}]")
    lines += _reasons(result)
    lines += [f"warning: {text}" for text in result.warnings if " points failed. " not in text]
    return "\n".join(lines).rstrip()


def _reasons(result: StudyResult) -> list[str]:
    """The first different reasons of failed points."""
    first: dict[str, list[int]] = {}
    for i, reason in result.reasons.items():
        first.setdefault(reason, []).append(i)
    lines = [
        f"failed: {_points(len(points))}, first point {points[0]} ({_values(result, points[0])}): {reason}"
        for reason, points in list(first.items())[:_MOST_REASONS]
    ]
    more = len(first) - len(lines)
    return [*lines, f"failed: {more} other reasons"] if more > 0 else lines


def _points(count: int) -> str:
    return f"{count} point{'s' if count != 1 else ''}"


def _shown(axis: ParameterValues, value: Any) -> str:
    """A value of a parameter in the unit of the user."""
    if isinstance(value, (str, bool, np.bool_)):
        return str(value)
    scale = scale_of(axis.unit, axis.shown_unit) if axis.shown_unit else 1.0
    return f"{float(value) * (scale or 1.0):.6g}"


def _values(result: StudyResult, i: int) -> str:
    texts = []
    for name, value in result.points.numbers(i).items():
        axis = result.points.axes[name]
        unit = axis.shown_unit or axis.unit
        texts.append(f"{name} = {_shown(axis, value)}{' ' + unit if unit else ''}")
    return ", ".join(texts)


def _table(result: StudyResult, names: list[str]) -> str:
    axes = result.points.axes
    heads = [f"{name}/{axis.shown_unit or axis.unit}" if axis.unit else name for name, axis in axes.items()]
    heads += [f"{name}/{result.variables[name].unit}" if result.variables[name].unit else name for name in names]
    rows = []
    for i in range(len(result)):
        row = [_shown(axes[name], value) for name, value in result.points.numbers(i).items()]
        if result.status[i]:
            row += [result.status_names[result.status[i]], *[""] * (len(names) - 1)]
        else:
            row += [f"{result.variables[name].values[i]:.6g}" for name in names]
        rows.append(row)
    return text_table(heads, rows)


def _ranges(result: StudyResult, names: list[str]) -> str:
    rows = []
    for name in names:
        found = result.variables[name]
        use = np.flatnonzero(result.fine & np.isfinite(found.values))
        if not use.size:
            rows.append([name, found.unit or "-", "-", "", "-", "", "-"])
            continue
        values = found.values[use]
        low, high = use[np.argmin(values)], use[np.argmax(values)]
        rows.append(
            [
                name,
                found.unit or "-",
                f"{values.min():.6g}",
                str(low),
                f"{values.max():.6g}",
                str(high),
                f"{values.mean():.6g}",
            ]
        )
    text = text_table(["value", "unit", "min", "at point", "max", "at point", "mean"], rows, left=2)
    places = sorted({int(row[k]) for row in rows for k in (3, 5) if row[k]})
    lines = [f"point {i}: {_values(result, i)}" for i in places[:8]]
    return "\n".join([text, "", *lines])


def study_csv(result: StudyResult) -> str:
    """Table of all points: parameters in SI units, variables that are single numbers, status and reason."""
    scalars = [name for name, found in result.variables.items() if not found.dims]
    heads = [f"{name} [{unit}]" if unit else name for name, unit in result.points.units.items()]
    heads += [f"{name} [{result.variables[name].unit}]" if result.variables[name].unit else name for name in scalars]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*heads, "status", "reason"])
    columns = list(result.points.columns.values())
    for i in range(len(result)):
        values = [column[i] for column in columns] + [result.variables[name].values[i] for name in scalars]
        texts = [value if isinstance(value, str) else repr(value.item()) for value in values]
        writer.writerow([*texts, result.status_names[result.status[i]], result.reasons.get(i, "")])
    return stream.getvalue()


def study_data(result: StudyResult) -> dict[str, Any]:
    """Plain data for JSON. Numbers that are not finite are null."""
    return {
        "model": result.name,
        "study": result.study,
        "dims": [list(dim) for dim in result.points.dims],
        "parameters": {
            name: {"value": axis.values.tolist(), "unit": axis.unit, "along": result.points.along[name]}
            for name, axis in result.points.axes.items()
        },
        "figures": {
            name: {"value": _finite(result[name].tolist()), "unit": found.unit, "dims": [*result.dims, *found.dims]}
            for name, found in result.variables.items()
        },
        "status": result["status"].tolist(),
        "status_names": list(result.status_names),
        "failed": {str(i): reason for i, reason in result.failed.items()},
        **({"warnings": list(result.warnings)} if result.warnings else {}),
    }


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
