"""Points of a study: grids, lists and samples of parameter values."""

from .designs import grid, point_list
from .distributions import Choice, Distribution, LogNormal, Normal, Triangular, Uniform
from .parameter_values import ParameterValues, linspace, logspace, read_values
from .points import Points
from .samples import sample

__all__ = [
    "Choice", "Distribution", "LogNormal", "Normal", "ParameterValues", "Points", "Triangular", "Uniform", "grid", "linspace",
    "logspace", "point_list", "read_values", "sample",
]  # fmt: skip
