"""Points of a study: grids, lists and samples of parameter values."""

from .parameter_values import ParameterValues, Points, linspace, logspace, read_values
from .samples import Choice, Distribution, LogNormal, Normal, Triangular, Uniform, grid, point_list, sample

__all__ = [
    "Choice", "Distribution", "LogNormal", "Normal", "ParameterValues", "Points", "Triangular", "Uniform", "grid", "linspace",
    "logspace", "point_list", "read_values", "sample",
]  # fmt: skip
