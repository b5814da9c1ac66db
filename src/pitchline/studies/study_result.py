"""StudyResult: values found at all points of a study, as arrays with named dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arguments import names_wrong_arguments
from ..errors import ModelError, PitchlineError, near_names
from ..results.plotter import plotter
from .points import Points

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from .sensitivity import Correlations, SobolIndices

__all__ = ["FAILED", "FINE", "NOT_COMPUTED", "STATUS_NAMES", "StudyPoint", "StudyResult", "StudyVariable"]

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
        from .sensitivity import correlations

        return correlations(self, names, method)

    def sobol_indices(self, name: str) -> SobolIndices:
        """First-order and total Sobol indices of a variable. The points must be a sample with the method "saltelli"."""
        from .sensitivity import sobol_indices

        return sobol_indices(self, name)

    # ---- other forms

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with the same names and dimensions as the saved file."""
        from .other_forms import study_to_xarray

        return study_to_xarray(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame with one row for each point: parameters, variables without further dimensions, status, reason."""
        from .other_forms import study_to_pandas

        return study_to_pandas(self)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write one file, which `pitchline.load` and netCDF-4 readers open. It is written completely or not at all."""
        from .study_files import write_study

        return write_study(self, path, overwrite=overwrite)

    def plot(self, *names: str, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot variables over the parameters; options as in `pitchline.views.plot_study`."""
        return plotter("StudyResult")(self, *names, path=path, **options)

    def __str__(self) -> str:
        from .summary import study_text

        return study_text(self)

    def __repr__(self) -> str:
        sizes = " x ".join(f"{dim}: {size}" for dim, size in self.points.dims)
        failed = int(np.count_nonzero(self.status != FINE))
        return f"StudyResult({self.name!r}, {self.study}, {sizes}, {len(self.variables)} variables, {failed} points failed)"
