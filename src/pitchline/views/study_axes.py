"""Axes of pictures of studies: parameters in the unit of the user, variables in a readable unit, marks of failed points."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.studies.points import ParameterValues
from pitchline.studies.points.parameter_values import scale_of
from pitchline.studies.study_result import StudyResult
from pitchline.views.labels import axis_label, scaled_unit, unit_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "ShownAxis",
    "mark_failed",
    "shown_axis",
    "shown_coordinate",
    "value_with_unit",
    "variable_scale",
    "words_of",
]

FloatArray = NDArray[np.float64]
FAILED_COLOUR = "#8A8A8A"
_MOST_TICKS = 12


@dataclass(frozen=True)
class ShownAxis:
    """Parameter along an axis.

    name : of the parameter
    values : numbers in the unit of the axis; 0, 1, 2, ... for texts
    label : with the unit
    texts : of the values, if they are texts
    geometric : whether the values have a constant ratio, so that the axis is logarithmic
    """

    name: str
    values: FloatArray
    label: str
    texts: tuple[str, ...] = ()
    geometric: bool = False

    def value_text(self, k: int) -> str:
        """A value without its unit, which the label has."""
        return self.texts[k] if self.texts else f"{self.values[k]:.5g}"

    def apply(self, ax: Axes, axis: str = "x") -> None:
        """Label, scale and ticks of the axis of a panel."""
        which: Any = ax.xaxis if axis == "x" else ax.yaxis
        (ax.set_xlabel if axis == "x" else ax.set_ylabel)(self.label)
        if self.texts:
            step = max(1, -(-len(self.texts) // _MOST_TICKS))
            which.set_ticks(range(0, len(self.texts), step), self.texts[::step])
        elif self.geometric:
            (ax.set_xscale if axis == "x" else ax.set_yscale)("log")


def value_with_unit(axis: ShownAxis, k: int) -> str:
    """A value with the name of its parameter and its unit: "torque 100 N·m"."""
    words, _, unit = axis.label.partition(" (")
    return f"{words} {axis.value_text(k)} {unit.rstrip(')')}".rstrip()


def shown_axis(result: StudyResult, name: str) -> ShownAxis:
    """Axis of a parameter: its values along its dimension."""
    return _shown(name, result.points.axes[name])


def shown_coordinate(result: StudyResult, dim: str) -> ShownAxis:
    """Axis of a dimension of variables, e.g. time."""
    values, unit = result.coordinates[dim]
    return _shown(dim, ParameterValues(values, unit))


def _shown(name: str, axis: ParameterValues) -> ShownAxis:
    words = name.replace("_", " ")
    if axis.are_texts or axis.values.dtype == bool:
        texts = tuple(str(value) for value in axis.values)
        return ShownAxis(name, np.arange(len(texts), dtype=float), words, texts)
    values = axis.values.astype(float)
    if axis.shown_unit and axis.shown_unit != axis.unit:
        factor, unit = scale_of(axis.unit, axis.shown_unit) or 1.0, unit_text(axis.shown_unit)
    else:
        factor, unit = scaled_unit(axis.unit, float(np.abs(values).max()))
    # rounded to the digits that differ: 3000 rpm, not 2999.9999999999995 rpm
    shown = np.array([float(f"{factor * value:.12g}") for value in values])
    return ShownAxis(name, shown, axis_label(words, unit), (), _is_geometric(shown))


def _is_geometric(values: FloatArray) -> bool:
    """Whether values are spread as by logspace, over more than a factor of 5."""
    if len(values) < 4 or values.min() <= 0.0 or values.max() < 5.0 * values.min():
        return False
    ratios = np.diff(np.log(values))
    return bool(np.allclose(ratios, ratios[0], rtol=1e-6))


def variable_scale(result: StudyResult, name: str) -> tuple[float, str]:
    """(factor, label) of a variable."""
    found = result.variables[name]
    finite = np.abs(found.values[np.isfinite(found.values)])
    factor, unit = scaled_unit(found.unit, float(finite.max()) if finite.size else 0.0)
    return factor, axis_label(words_of(name), unit)


def words_of(name: str) -> str:
    """Name of a variable as text; a long one on two lines."""
    words = name.replace(".", " ").replace("_", " ").replace("poincare", "Poincaré sample")
    return "\n".join(textwrap.wrap(words, 30)) if len(words) > 34 else words


def mark_failed(ax: Axes, x: FloatArray) -> None:
    """Crosses at the lower end of a panel for points without a value."""
    if len(x):
        ax.plot(
            x, np.full(len(x), 0.02), "x", transform=ax.get_xaxis_transform(), color=FAILED_COLOUR, markersize=4.0,
            markeredgewidth=0.9, label="failed", clip_on=False, zorder=3,
        )  # fmt: skip
