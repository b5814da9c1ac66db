"""Maps of a study: the colour is a variable over two parameters, or over a parameter and the time of a signal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.studies.study_result import StudyResult
from pitchline.views.study_axes import FAILED_COLOUR, ShownAxis, shown_axis, shown_coordinate, variable_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_map_of_study"]

FloatArray = NDArray[np.float64]
_COLOURS = "viridis"
_BOTH_SIGNS = "RdBu_r"


def draw_map_of_study(
    ax: Axes, found: StudyResult, name: str, over: str, up: str, *, log: bool,
    whole: StudyResult | None = None, with_bar: bool = True,
) -> None:  # fmt: skip
    """Draw a variable as colour.

    over, up : parameters (or the coordinate of a signal) of the lower and the vertical axis. whole : study of which this is a part;
    the unit and the colours are those of all its values. with_bar : whether a bar shows the colours.
    """
    factor, label = variable_scale(whole or found, name)
    limits = None if whole is None else _limits(whole, name, factor)
    values = factor * found[name]
    dims = [*found.dims, *found.variables[name].dims]
    x, y = (_axis(found, one) for one in (over, up))
    order = [dims.index(found.points.along.get(one, one)) for one in (up, over)]
    values = np.moveaxis(values, order, (0, 1))
    x_sorted, y_sorted = np.argsort(x.values, kind="stable"), np.argsort(y.values, kind="stable")
    shown = np.ma.masked_invalid(values[np.ix_(y_sorted, x_sorted)])
    ax.set_facecolor("white")
    ax.patch.set(hatch="////", edgecolor=FAILED_COLOUR)  # where a point has no value, the background is seen
    colours = ax.pcolormesh(
        _edges(x.values[x_sorted], x),
        _edges(y.values[y_sorted], y),
        shown,
        rasterized=True,
        **_colouring(shown, log, limits),
    )
    x.apply(ax)
    y.apply(ax, "y")
    ax.grid(False)
    ax.set_axisbelow(False)
    if with_bar:
        bar = ax.figure.colorbar(colours, ax=ax, pad=0.015, aspect=30, label=label)
        bar.outline.set_linewidth(0.7)
    if shown.mask.any():
        ax.figure.text(0.99, 0.005, "hatched: no value", ha="right", va="bottom", fontsize=7.0, color="#555555")


def _limits(whole: StudyResult, name: str, factor: float) -> tuple[float, float]:
    """Smallest and largest value of a study."""
    values = factor * whole.variables[name].values[whole.fine]
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _axis(found: StudyResult, name: str) -> ShownAxis:
    return shown_axis(found, name) if name in found.points.axes else shown_coordinate(found, name)


def _colouring(values: Any, log: bool, limits: tuple[float, float] | None = None) -> dict[str, Any]:
    from matplotlib.colors import LogNorm

    if not values.count():
        return {"cmap": _COLOURS, "vmin": 0.0, "vmax": 1.0}
    low, high = limits or (float(values.min()), float(values.max()))
    if log and high > 0.0:
        positive = low if limits and low > 0.0 else float(values[values > 0.0].min())
        return {"cmap": _COLOURS, "norm": LogNorm(max(positive, 1e-6 * high), high, clip=True)}
    if low < -0.05 * abs(high) and high > 0.05 * abs(low):
        return {"cmap": _BOTH_SIGNS, "vmin": -max(-low, high), "vmax": max(-low, high)}
    if low == high:
        return {"cmap": _COLOURS, "vmin": low - 0.5 * (abs(low) or 1.0), "vmax": high + 0.5 * (abs(high) or 1.0)}
    return {"cmap": _COLOURS, "vmin": low, "vmax": high}


def _edges(values: FloatArray, axis: ShownAxis) -> FloatArray:
    """Bounds of cells around increasing values."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    if axis.geometric:
        return np.asarray(np.exp(_edges_of(np.log(values))))
    return _edges_of(values)


def _edges_of(values: FloatArray) -> FloatArray:
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
